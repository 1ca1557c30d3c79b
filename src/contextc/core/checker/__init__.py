"""The independent judge. Imports the records and not one function or rule of the compiler."""
