"""`contextc bench usefulness`: does the bundle hold what the task turned out to need?

A task is a change that was really made, told in words: the commit message or the issue. The tree is the parent commit.
What counts is which of the changed places stand in the delivered text.
"""
