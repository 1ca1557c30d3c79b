"""The command line. `app` holds the tree of commands, `options` makes parameters of records, `deliver` writes."""
