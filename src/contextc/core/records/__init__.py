"""The values that all parts of contextc speak in, and their one wire form."""
