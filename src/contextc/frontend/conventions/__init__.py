"""Rules and decisions found by the conventions people use."""
