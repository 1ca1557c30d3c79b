"""Token counters by name, exact and offline."""
