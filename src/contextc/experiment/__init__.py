"""The construction experiment: strategies compared over a corpus with hidden labels."""
