"""`python -m contextc` and the command `contextc`."""

from __future__ import annotations

import sys

from contextc import __version__


def main() -> int:
    """Run the command line of this process and return its exit code."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        # Asked often, by scripts; it must not wait for the command tree to load.
        sys.stdout.write(f"contextc {__version__}\n")
        return 0
    from contextc.surfaces.cli.app import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
