"""How it is asked. A surface translates and decides nothing."""
