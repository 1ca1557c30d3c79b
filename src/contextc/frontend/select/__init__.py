"""From an indexed snapshot and a task to candidates in several forms.

`assemble` is the whole of it: what applies as a rule, what has been decided, which files the task is about, and in
which forms each of them can be shown.
"""

from contextc.frontend.select.assembly import assemble
from contextc.frontend.select.base import Pool, Task

__all__ = ["Pool", "Task", "assemble"]
