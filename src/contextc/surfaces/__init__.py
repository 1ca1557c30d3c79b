"""How contextc is asked: each surface projects the registry of capabilities and knows no stage of the work."""
