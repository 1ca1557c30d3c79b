"""The globs of rule files, where those who read conventions look for them."""

from contextc.core.records.globs import LONGEST, MOST_CHOICES, matches, means_all, split_globs

__all__ = ["LONGEST", "MOST_CHOICES", "matches", "means_all", "split_globs"]
