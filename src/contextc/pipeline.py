"""The main job as one flow: a repository and a task in, a checked answer out.

    open -> snapshot -> index -> assemble -> price -> compile -> render -> check -> answer

Nothing is decided here; each line calls the part that does. No absolute path, time or host enters an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from contextc import __version__
from contextc.checked import judge, solve
from contextc.core.records.answer import Answer, Selected
from contextc.core.records.candidate import Candidate
from contextc.core.records.canonical import digest
from contextc.core.records.outcome import Outcome, compilation_of
from contextc.core.records.policy import POLICY_V2, Policy
from contextc.core.records.pricing import Pricing, tokens_of
from contextc.core.records.request import Request
from contextc.core.render import Block, Head, price, render, renderer, text_key
from contextc.counters import Counter, counter
from contextc.errors import NotFound
from contextc.frontend.index import IndexView, open_index, stat_cache
from contextc.frontend.select import Pool, Task, assemble
from contextc.frontend.sources import Snapshot, Source, display_path, known_paths, open_source, relative_path

#: Signs of the task's first line that stand in the head of a bundle. The whole task is with whoever gave it.
TITLE_SIGNS = 120

Progress = Callable[[str, int, int], None]


class Job(Struct, frozen=True, kw_only=True):
    """What is to be compiled. `paths` are as a user wrote them, relative to `cwd` or the root; budget in tokens."""

    intent: str = ""
    paths: tuple[str, ...] = ()
    budget: int = 24_000
    root: str = "."
    cwd: str = "."
    rev: str | None = None
    renderer: str = "markdown"
    counter: str = "o200k_base"
    policy: Policy = POLICY_V2
    untracked: bool = False
    cache_dir: Path | None = None


class Made(Struct, frozen=True, kw_only=True):
    """An answer and the candidates it was chosen from; `diagnostics` are faults of records, with file and line, and
    `files` all paths that were read, as they are displayed."""

    answer: Answer
    candidates: tuple[Candidate, ...]
    diagnostics: tuple[str, ...] = ()
    files: frozenset[str] = frozenset()


class Opened(Struct, frozen=True, kw_only=True):
    """A repository that was listed and indexed; `paths` are the job's, relative to the root."""

    source: Source
    snapshot: Snapshot
    view: IndexView
    paths: tuple[str, ...]


def compile_repository(job: Job, progress: Progress | None = None) -> Made:
    """Compile a bundle for a task in a repository.

    Raises what reading a repository raises (`RepositoryError`, `NotFound`, `SourceError`), `InputError` for a name that
    does not exist, and `InternalError` when the checker objects.
    """
    return compile_opened(job, open_repository(job, progress))


def compile_opened(job: Job, opened: Opened) -> Made:
    """Compile a bundle for a task in a repository that was opened for it."""
    pool = assemble(opened.view, opened.snapshot, Task(job.intent, opened.paths, job.budget))
    head = Head(title=_title(job, opened.paths), source=_source_line(opened.snapshot))
    pricing = _price(job, head, pool, opened.view)
    candidates = _priced(pool, pricing)
    request = _request(job, opened, candidates)
    outcome, text = _compile(job, request, candidates, pricing, head, pool.blocks, opened.view)
    answer = _answer(job, opened, pool, request, pricing, outcome, text)
    return Made(
        answer=answer,
        candidates=candidates,
        diagnostics=tuple(str(d) for d in pool.diagnostics),
        files=frozenset(display_path(file.path) for file in opened.view.files),
    )


def open_repository(job: Job, progress: Progress | None = None) -> Opened:
    """List and index the repository of a job. Raises `NotFound` for a path that is not in it."""
    cwd = Path(job.cwd)
    root = open_source(job.root, rev=job.rev).root
    cache = stat_cache(root, job.cache_dir)
    named: tuple[str, ...] = ()
    if job.paths and job.rev is None:
        named = tuple(relative_path(root, cwd, text) for text in job.paths)
    source = open_source(job.root, rev=job.rev, untracked=job.untracked, named=_files(root, named), cache=cache)
    snapshot = source.snapshot()
    known = known_paths(snapshot)
    paths = named if job.rev is None else tuple(relative_path(root, cwd, text, known) for text in job.paths)
    for path in paths:
        if path and not known(path) and all(omission.path != path for omission in snapshot.omitted):
            raise NotFound(
                "the task names a path that is not in the repository",
                where=display_path(path),
                hint="give a path of a tracked file or directory, relative to here or to the root",
            )
    shown = None if progress is None else lambda done, total: progress("indexing", done, total)
    view = open_index(source, snapshot, cache_dir=job.cache_dir, progress=shown)
    return Opened(source=source, snapshot=snapshot, view=view, paths=tuple(dict.fromkeys(paths)))


def _files(root: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """Those of the paths that are files on disk: they are read even where an ignore rule hides them."""
    return tuple(path for path in paths if path and not (root / path).is_dir())


def _title(job: Job, paths: Sequence[str]) -> str:
    first = next((line.strip() for line in job.intent.splitlines() if line.strip()), "")
    title = first or ", ".join(display_path(path) or "." for path in paths)
    return title if len(title) <= TITLE_SIGNS else title[: TITLE_SIGNS - 3].rstrip() + "..."


def _source_line(snapshot: Snapshot) -> str:
    if snapshot.kind == "directory":
        return "directory"
    if snapshot.kind == "commit":
        return f"commit {snapshot.commit}"
    if snapshot.commit is None:
        return "working tree without a commit"
    return f"working tree on {snapshot.commit}" if snapshot.dirty else f"commit {snapshot.commit}"


def _price(job: Job, head: Head, pool: Pool, view: IndexView) -> Pricing:
    """Prices of all blocks as the renderer writes them; what was measured is remembered."""
    meter = counter(job.counter)
    learned: dict[bytes, int] = {}
    pricing = price(
        renderer(job.renderer),
        meter,
        head,
        pool.blocks,
        recall=lambda keys: view.count(meter.name, keys),
        learned=learned,
    )
    view.remember(meter.name, learned)
    return pricing


def _priced(pool: Pool, pricing: Pricing) -> tuple[Candidate, ...]:
    return tuple(
        msgspec.structs.replace(
            candidate,
            token_count=pricing.tokens(pricing.items[candidate.candidate_id]),
            token_source=pricing.counter,
        )
        for candidate in pool.candidates
    )


def _request(job: Job, opened: Opened, candidates: Sequence[Candidate]) -> Request:
    """The request; its ids are digests of what was asked and of the tree, so equal questions have equal ids."""
    paths = [display_path(path) for path in opened.paths]
    task = digest({"intent": job.intent, "paths": paths})[:12]
    whole = digest(
        {
            "task": task,
            "tree": opened.snapshot.digest,
            "budget": job.budget,
            "policy": job.policy,
            "renderer": job.renderer,
            "counter": job.counter,
        }
    )[:12]
    return Request(
        request_id=f"compile-{whole}",
        task_id=f"task-{task}",
        usable_token_budget=job.budget,
        active_scope=", ".join(path or "." for path in paths) or "repository",
        policy_version=job.policy.policy_version,
    )


def _compile(
    job: Job,
    request: Request,
    candidates: Sequence[Candidate],
    pricing: Pricing,
    head: Head,
    blocks: Mapping[str, Block],
    view: IndexView,
) -> tuple[Outcome, str]:
    """Compile, render and check; the text is empty when the request was refused."""
    outcome = solve(request, candidates, job.policy, pricing)
    text: str | None = None
    if outcome.bundle is not None:
        text = render(renderer(job.renderer), head, [blocks[item.id] for item in outcome.bundle.items])
    judge(
        compilation_of(request, job.policy, pricing, outcome),
        candidates,
        text=text,
        recount=_recounter(counter(job.counter), view),
        cache_dir=job.cache_dir,
    )
    return outcome, text or ""


def _recounter(meter: Counter, view: IndexView) -> Callable[[str], int]:
    """Counts a whole text anew; a text that was counted before is looked up by its digest."""

    def recount(text: str) -> int:
        key = text_key(meter.name, text)
        units = view.count(meter.name, [key]).get(key)
        if units is None:
            units = meter.measure(text)
            view.remember(meter.name, {key: units})
        return tokens_of(units, meter.unit)

    return recount


def _answer(
    job: Job, opened: Opened, pool: Pool, request: Request, pricing: Pricing, outcome: Outcome, text: str
) -> Answer:
    return Answer(
        request=request,
        policy=job.policy,
        pricing=pricing,
        result=outcome.result,
        bundle=outcome.bundle,
        witness=outcome.witness,
        selection=_selection(pool, pricing, outcome),
        notes=dict(sorted(pool.notes.items())),
        left_out=pool.left_out,
        fingerprint=digest([opened.snapshot.digest, request, job.policy, __version__, job.counter, job.renderer]),
        source=_source_line(opened.snapshot),
        text=text,
    )


def _selection(pool: Pool, pricing: Pricing, outcome: Outcome) -> tuple[Selected, ...]:
    if outcome.bundle is None:
        return ()
    chosen = []
    for item in outcome.bundle.items:
        note = pool.notes[item.id]
        chosen.append(
            Selected(
                id=item.id,
                path=note.path,
                text=item.content,
                ranges=note.ranges,
                form=note.form,
                tokens=pricing.tokens(pricing.items[item.id]),
            )
        )
    return tuple(chosen)
