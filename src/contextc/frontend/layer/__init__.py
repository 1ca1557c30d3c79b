"""A repository's `.ai` layer: finding it, indexing its objects, what git says of it, and its local records.

`workspace.Workspace` is the entry: it reads a layer once and notices what changed when it is asked again.
"""
