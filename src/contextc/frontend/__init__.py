"""Everything that reads a repository; it ends in a list of candidates."""
