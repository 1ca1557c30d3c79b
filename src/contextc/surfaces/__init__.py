"""How contextc is asked: each surface is a projection of the registry of capabilities and knows no stage of the work."""
