"""The core computes: values in, values out. No files, clock, randomness, environment, network or logging."""
