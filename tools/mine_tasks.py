"""Makes training tasks from the histories of public repositories.

    python tools/mine_tasks.py --repos DIR --per-repository 50 -o tasks.jsonl

The repositories and the last commit of each stand in `training_repositories.txt`: the same list gives the same tasks.
None of them may be one that contextc is measured on; `NEVER` says which those are.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from contextc.bench.usefulness.cases import write_cases
from contextc.bench.usefulness.replay import replay
from contextc.bench.usefulness.repositories import Repositories

LIST = Path(__file__).parent / "training_repositories.txt"

#: Repositories of the published tasks, both halves: a weight that was learned on them would flatter every figure.
NEVER = frozenset(
    (
        "celery/celery",
        "encode/httpx",
        "tobymao/sqlglot",
        "vitejs/vite",
        "honojs/hono",
        "caddyserver/caddy",
        "gohugoio/hugo",
        "BurntSushi/ripgrep",
        "clap-rs/clap",
        "google/gson",
        "jqlang/jq",
        "django/django",
        "nessita/django",
        "pallets/flask",
        "psf/requests",
        "pydata/xarray",
        "pylint-dev/pylint",
        "mwaskom/seaborn",
        "scrapy/scrapy",
        "aio-libs/aiohttp",
        "vuejs/core",
        "typeorm/typeorm",
        "eslint/eslint",
        "prometheus/prometheus",
        "cli/cli",
        "tokio-rs/tokio",
        "helix-editor/helix",
        "mockito/mockito",
        "rubocop/rubocop",
        "redis/redis",
        "sympy/sympy",
        "sphinx-doc/sphinx",
        "matplotlib/matplotlib",
        "anntzer/matplotlib",
        "scikit-learn/scikit-learn",
        "ogrisel/scikit-learn",
        "pytest-dev/pytest",
        "astropy/astropy",
    )
)


def listed(path: Path = LIST) -> list[tuple[str, str]]:
    """Names and last commits. Raises `ValueError` for a repository that is measured on."""
    lines = [line.split("#")[0].split() for line in path.read_text(encoding="utf-8").splitlines()]
    found = [(name, commit) for name, commit in (line for line in lines if line)]
    wrong = sorted({name for name, _ in found} & NEVER)
    if wrong:
        raise ValueError(f"measured on, never to be learned from: {', '.join(wrong)}")
    return found


def main() -> None:
    """Write the tasks, and say on standard error how many each repository gave."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", action="append", required=True, metavar="DIR")
    parser.add_argument("--per-repository", type=int, default=50, metavar="N")
    parser.add_argument("-o", "--output", required=True, type=Path)
    options = parser.parse_args()
    places = Repositories(options.repos)
    with options.output.open("w", encoding="utf-8") as out:
        for name, commit in listed():
            cases = list(replay(places.find(name), name, options.per_repository, rev=commit))
            out.write(write_cases(cases))
            print(f"{name}: {len(cases)} tasks", file=sys.stderr)


if __name__ == "__main__":
    main()
