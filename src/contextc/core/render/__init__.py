"""Deterministic text from items."""
