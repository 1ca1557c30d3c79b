"""An ordinary repository as a layer: the same kinds of objects, found by the conventions people use.

`layer_root` tells whether a place has an `.ai` layer of its own; `read_layer` makes one of any other repository.
"""

from contextc.frontend.ordinary.assembly import read_layer
from contextc.frontend.ordinary.find import layer_root
from contextc.frontend.ordinary.names import SCHEME

__all__ = ["SCHEME", "layer_root", "read_layer"]
