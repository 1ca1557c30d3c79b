"""Where files come from: a git commit, a working tree, a plain directory."""
