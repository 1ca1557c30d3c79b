"""What can be asked of contextc. Each capability is declared once, in `registry.REGISTRY`; surfaces project them."""
