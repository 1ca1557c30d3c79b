"""What context work on a repository should be given, computed from its layer (`devcontext`).

`build_graph` once for a layer, then `compile_devcontext`, `explain_devcontext`; `policy` says the rules.
"""

from contextc.core.devcontext.compile import compile_devcontext
from contextc.core.devcontext.explain import explain_devcontext, standing
from contextc.core.devcontext.graph import Graph, build_graph
from contextc.core.devcontext.policy import policy

__all__ = ["Graph", "build_graph", "compile_devcontext", "explain_devcontext", "policy", "standing"]
