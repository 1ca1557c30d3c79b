"""Learns the weights of the ranking from what it saw of training tasks.

    python tools/train_weights.py seen.jsonl -o src/contextc/frontend/select/weights.json
    python tools/train_weights.py seen.jsonl --validate            figures of repositories not learned from

Two linear models over named signals, so that a sum says what spoke for a file or a place, and how strongly:

- files: the chance that a file which was looked at is one that the task changes. The direction is that of a softmax
  over the files of a task (which of them are changed), the scale and the constant are those of a logistic regression,
  so that the chance is one.
- places: of the changes in a file, the share that falls into each of its places. A softmax over the places.

Both are convex with a penalty on the squares of the weights, and are solved by Newton's method: the same lines give the
same weights. Only source files are learned from, as only these are ever counted as changed; the weights of the other
kinds stay as they are. Needs numpy.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from observe_tasks import SeenFile, SeenTask, read_seen

Array = np.ndarray[Any, np.dtype[np.float64]]

#: Penalties, as so many tasks' worth of evidence that a weight is 0.
FILE_PENALTY = 1.0
PLACE_PENALTY = 1.0
#: Folds of the validation; a repository is in one of them whole.
FOLDS = 7
#: Decimals of a weight: what is beyond differs between machines and matters to nobody.
DECIMALS = 3
#: Steps of Newton's method, and the change of a weight at which it has arrived.
STEPS, ARRIVED = 100, 1e-7
#: Rooms in tokens for which it is said how many of the changed places the best places of a large file show.
ROOMS = (400, 800, 1600, 3200)
LARGE = 8_000


class Group:
    """The alternatives of one choice: a row of signals for each, and the share that each should get (sum 1)."""

    def __init__(self, rows: Sequence[Mapping[str, float]], target: Sequence[float], names: Sequence[str]) -> None:
        self.matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
        wanted = np.array(target, dtype=float)
        self.target = wanted / wanted.sum()


def sources(task: SeenTask) -> list[SeenFile]:
    """The files of a task that are learned from."""
    return [file for file in task.files if file.kind == "source"]


def file_groups(tasks: Sequence[SeenTask], names: Sequence[str]) -> list[Group]:
    """A choice a task: which of the files are changed."""
    chosen = [(task, [float(file.changed) for file in sources(task)]) for task in tasks]
    return [Group([file.signals for file in sources(task)], target, names) for task, target in chosen if any(target)]


def place_groups(tasks: Sequence[SeenTask], names: Sequence[str]) -> list[Group]:
    """A choice a changed file: which of its places are changed."""
    files = [file for task in tasks for file in task.files if any(place.changed for place in file.places)]
    return [
        Group([place.signals for place in file.places], [place.changed for place in file.places], names)
        for file in files
    ]


def fit_choice(groups: Sequence[Group], penalty: float) -> Array:
    """Weights of the softmax (conditional logit) with the greatest penalised likelihood."""
    size = groups[0].matrix.shape[1]
    weights = np.zeros(size)
    for _ in range(STEPS):
        gradient = penalty * weights
        hessian = penalty * np.eye(size)
        for group in groups:
            chance = softmax(group.matrix @ weights)
            mean = chance @ group.matrix
            gradient = gradient + group.matrix.T @ (chance - group.target)
            hessian += (group.matrix * chance[:, None]).T @ group.matrix - np.outer(mean, mean)
        step = np.clip(np.linalg.solve(hessian, gradient), -2.0, 2.0)
        weights = weights - step
        if float(np.abs(step).max()) < ARRIVED:
            break
    return weights


def fit_scale(groups: Sequence[Group], weights: Array) -> tuple[float, float]:
    """Scale and constant with which the sums of `weights` are log odds of being changed."""
    sums = np.concatenate([group.matrix @ weights for group in groups])
    changed = np.concatenate([group.target > 0 for group in groups]).astype(float)
    found = np.array([1.0, -3.0])
    design = np.stack([sums, np.ones_like(sums)], axis=1)
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ found, -30, 30)))
        gradient = design.T @ (chance - changed)
        hessian = (design * (chance * (1 - chance))[:, None]).T @ design + 1e-6 * np.eye(2)
        step = np.clip(np.linalg.solve(hessian, gradient), -2.0, 2.0)
        found = found - step
        if float(np.abs(step).max()) < ARRIVED:
            break
    return float(found[0]), float(found[1])


def softmax(sums: Array) -> Array:
    """Shares that sum to 1."""
    parts = np.exp(sums - sums.max())
    result: Array = parts / parts.sum()
    return result


def fit_files(tasks: Sequence[SeenTask], names: Sequence[str]) -> dict[str, float]:
    """Weights of the file signals, `bias` among them."""
    groups = file_groups(tasks, names)
    direction = fit_choice(groups, FILE_PENALTY)
    scale, constant = fit_scale(groups, direction)
    return {"bias": constant, **dict(zip(names, scale * direction, strict=True))}


def fit_places(tasks: Sequence[SeenTask], names: Sequence[str]) -> dict[str, float]:
    """Weights of the place signals."""
    return dict(zip(names, fit_choice(place_groups(tasks, names), PLACE_PENALTY), strict=True))


def total(signals: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted sum."""
    return sum(weights.get(name, 0.0) * value for name, value in signals.items())


def judge_files(tasks: Sequence[SeenTask], weights: Mapping[str, float]) -> dict[str, float]:
    """MRR and acc@k of the ranking, and the mean log loss over source files."""
    figures: dict[str, list[float]] = {"MRR": [], "acc@1": [], "acc@5": [], "acc@10": []}
    losses = []
    for task in tasks:
        order = sorted(task.files, key=lambda file: (-total(file.signals, weights), file.path))
        ranks = [at for at, file in enumerate(order, 1) if file.changed]
        figures["MRR"].append(1 / ranks[0] if ranks else 0.0)
        last = ranks[-1] if ranks and not task.missed else len(order) + 1000
        for count in (1, 5, 10):
            figures[f"acc@{count}"].append(float(last <= count))
        for file in sources(task):
            odds = total(file.signals, weights)
            losses.append(float(np.logaddexp(0.0, -odds if file.changed else odds)))
    return {**{name: float(np.mean(values)) for name, values in figures.items()}, "loss": float(np.mean(losses))}


def judge_places(tasks: Sequence[SeenTask], weights: Mapping[str, float]) -> dict[str, float]:
    """Cross entropy of the shares, and the share of changed places that fit into a room, in large files."""
    losses, shown = [], {room: list[float]() for room in ROOMS}
    for task in tasks:
        for file in task.files:
            changed = np.array([place.changed for place in file.places], dtype=float)
            if not changed.sum():
                continue
            share = softmax(np.array([total(place.signals, weights) for place in file.places]))
            target = changed / changed.sum()
            losses.append(float(-(target * np.log(np.maximum(share, 1e-12))).sum()))
            if file.size >= LARGE:
                sizes = [place.size for place in file.places]
                for room in ROOMS:
                    shown[room].append(_within(share, sizes, target, room * 4))
    rooms = {f"shown@{room}": float(np.mean(values)) for room, values in shown.items() if values}
    return {"loss": float(np.mean(losses)), **rooms}


def _within(share: Array, sizes: Sequence[int], target: Array, room: int) -> float:
    seen = 0.0
    for at in sorted(range(len(sizes)), key=lambda at: (-share[at] / max(sizes[at], 160), at)):
        if sizes[at] <= room:
            room -= sizes[at]
            seen += float(target[at])
    return seen


def names_of(rows: Sequence[Mapping[str, float]]) -> list[str]:
    """All names of signals but the constant and the kinds, ascending."""
    return sorted({name for row in rows for name in row if name != "bias" and not name.startswith("kind_")})


def validate(tasks: Sequence[SeenTask], standing: Mapping[str, Mapping[str, float]]) -> None:
    """Print figures of weights that never saw the repositories they are judged on, and of those that stand."""
    repos = sorted({task.repo for task in tasks})
    fold = {repo: at % FOLDS for at, repo in enumerate(repos)}
    files, places = all_names(tasks)
    print_figures("standing, files", [judge_files(tasks, standing["file"])], [len(tasks)])
    print_figures("standing, places", [judge_places(tasks, standing["block"])], [len(tasks)])
    found: dict[str, list[dict[str, float]]] = {"files": [], "places": []}
    counts = []
    for number in sorted(set(fold.values())):
        learned = [task for task in tasks if fold[task.repo] != number]
        judged = [task for task in tasks if fold[task.repo] == number]
        kept = {name: value for name, value in standing["file"].items() if name.startswith("kind_")}
        found["files"].append(judge_files(judged, {**kept, **fit_files(learned, files)}))
        found["places"].append(judge_places(judged, fit_places(learned, places)))
        counts.append(len(judged))
    for name, figures in found.items():
        print_figures(f"held out, {name}", figures, counts)


def print_figures(title: str, figures: Sequence[Mapping[str, float]], counts: Sequence[int]) -> None:
    """One line: means over folds, each by its number of tasks."""
    means = {}
    for name in figures[0]:
        known = [(each[name], count) for each, count in zip(figures, counts, strict=True) if name in each]
        means[name] = sum(value * count for value, count in known) / sum(count for _, count in known)
    print(f"{title}: " + ", ".join(f"{name} {value:.4f}" for name, value in means.items()))


def all_names(tasks: Sequence[SeenTask]) -> tuple[list[str], list[str]]:
    """Names of file signals and of place signals."""
    files = names_of([file.signals for task in tasks for file in sources(task)])
    return files, names_of([place.signals for task in tasks for file in task.files for place in file.places])


def learned(tasks: Sequence[SeenTask], standing: Mapping[str, Any], seen: bytes) -> dict[str, Any]:
    """The content of the file of weights."""
    files, places = all_names(tasks)
    kept = {name: value for name, value in standing["file"].items() if name.startswith("kind_")}
    return {
        "schema": "contextc.weights.v1",
        "made": {
            "by": "tools/mine_tasks.py, tools/observe_tasks.py, tools/train_weights.py",
            "tasks": len(tasks),
            "repositories": sorted({task.repo for task in tasks}),
            "seen": hashlib.sha256(seen).hexdigest(),
        },
        "file": {**_rounded(fit_files(tasks, files)), **kept},
        "block": _rounded(fit_places(tasks, places)),
    }


def _rounded(weights: Mapping[str, float]) -> dict[str, float]:
    return {name: round(float(value), DECIMALS) + 0.0 for name, value in weights.items()}


def main() -> None:
    """Learn, or validate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seen", nargs="+", type=Path)
    parser.add_argument("--standing", type=Path, default=Path("src/contextc/frontend/select/weights.json"))
    parser.add_argument("--validate", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    tasks = read_seen(options.seen)
    standing = msgspec.json.decode(options.standing.read_bytes())
    if options.validate:
        validate(tasks, standing)
    if options.output:
        seen = b"".join(msgspec.json.encode(task) for task in tasks)
        content = msgspec.json.format(msgspec.json.encode(learned(tasks, standing, seen)), indent=1)
        options.output.write_bytes(content + b"\n")
    if not (options.validate or options.output):
        print("nothing to do: give --validate or -o", file=sys.stderr)


if __name__ == "__main__":
    main()
