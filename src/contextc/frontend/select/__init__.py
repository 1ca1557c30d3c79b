"""From an indexed snapshot and a task to candidates in several forms."""
