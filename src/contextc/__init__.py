"""contextc: a compiler for the context of coding agents."""

__version__ = "0.1.0"
