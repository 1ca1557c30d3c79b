"""`compile`: repository + task + budget -> a checked bundle, or a refusal with a proof."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from contextc.capabilities.base import Capability, Refusal, Session, Verdict
from contextc.capabilities.bundle_compile import stored
from contextc.capabilities.cases import compile_cases
from contextc.core.records.answer import Answer
from contextc.core.records.base import Count, Record
from contextc.core.records.candidate import Candidate
from contextc.core.records.outcome import Outcome, Stored
from contextc.core.records.policy import POLICY_V2, Policy
from contextc.errors import DocumentError, InputError, InternalError, NotFound, PluginError, RepositoryError, UsageError

#: Tokens a bundle may cost when nobody says: a tenth of the window of a common model, room for the work itself.
DEFAULT_BUDGET = 24_000


class CompileInput(Record, frozen=True, kw_only=True):
    """What `compile` is asked with."""

    intent: Annotated[str, Meta(description="The task in words: an issue, a question, what is to change.")] = ""
    paths: Annotated[
        tuple[str, ...],
        Meta(description="A file or directory the task is about; it must be in the bundle. May be repeated."),
    ] = ()
    budget: Annotated[Count, Meta(description="The most tokens the delivered text may cost.")] = DEFAULT_BUDGET
    root: Annotated[str, Meta(description="The repository, or a directory in it.")] = "."
    rev: Annotated[
        str | None, Meta(description="Compile this commit instead of the working tree: any name git knows.")
    ] = None
    format: Annotated[Literal["markdown", "xml", "plain"], Meta(description="How the bundle is written.")] = "markdown"
    counter: Annotated[Literal["o200k_base", "bytes4", "words13"], Meta(description="How tokens are counted.")] = (
        "o200k_base"
    )
    policy: Annotated[Policy | None, Meta(description="Another policy than the built-in compiler-policy-v2.")] = None
    untracked: Annotated[bool, Meta(description="Read files too that git does not track and does not ignore.")] = False


class Made(Struct, frozen=True, kw_only=True):
    """An answer with what explains it: the candidates, and faults of records that were met."""

    answer: Answer
    candidates: tuple[Candidate, ...]
    diagnostics: tuple[str, ...]
    files: frozenset[str]

    def stored(self) -> Stored:
        """The compilation with all its inputs, as `bundle validate` and `bundle replay` read it."""
        answer = self.answer
        outcome = Outcome(result=answer.result, bundle=answer.bundle, witness=answer.witness)
        return stored(answer.request, self.candidates, answer.policy, answer.pricing, outcome)

    def account(self, remarks: Sequence[str] = ()) -> str:
        """The short account of a compilation, for standard error."""
        from contextc.core.explain import account

        return account(self.answer, remarks=(*self.diagnostics, *remarks))

    def refusal(self) -> str:
        """Why there is no bundle, and what would be enough. Empty when there is one."""
        from contextc.core.explain import explain_refusal

        failure = self.answer.result.failure
        if failure is None:
            return ""
        answer = self.answer
        told = explain_refusal(
            failure,
            answer.witness,
            self.candidates,
            trace=answer.result.trace,
            notes=answer.notes,
            pricing=answer.pricing,
        )
        return f"contextc: {told.in_words()}"

    def explain(self, name: str) -> str:
        """Why a candidate, or every form of a path, is in or out. Raises `NotFound` for a name nobody bears."""
        return explain_name(self, name)


def explain_name(made: Made, name: str) -> str:
    """Sentences on a candidate id or on a path: one paragraph a form; a file left out says why."""
    from contextc.core.explain import explain_candidate

    answer = made.answer
    ids = [c.candidate_id for c in made.candidates if c.candidate_id == name]
    ids = ids or [key for key, note in answer.notes.items() if note.path == name]
    inside = {item.id for item in answer.bundle.items} if answer.bundle is not None else set()
    if ids:
        told = [
            explain_candidate(
                key,
                answer.result.trace,
                candidates=made.candidates,
                notes=answer.notes,
                witness=answer.witness,
                pricing=answer.pricing,
            ).rstrip("\n")
            for key in sorted(ids, key=lambda key: (key not in inside, key))
        ]
        return "\n\n".join(told) + "\n"
    for left in answer.left_out:
        if left.path == name:
            detail = f": {left.detail}" if left.detail else ""
            return f"{left.path} is left out ({left.reason}{detail})\n"
    if name in made.files:
        return f"{name} is no candidate: nothing of the task is in it, or too many files hold more of it\n"
    near = get_close_matches(name, sorted(made.files), n=3)
    raise NotFound(
        "no candidate has this id, and no file of the repository this path",
        where=name,
        hint=f"did you mean {' or '.join(near)}?" if near else "give a path relative to the root, or a candidate id",
    )


def make_answer(question: CompileInput, session: Session) -> Made:
    """Compile, and keep what explains the answer. Raises `UsageError` without a task."""
    from contextc.pipeline import Job, compile_repository

    if not question.intent.strip() and not question.paths:
        raise UsageError(
            "there is no task",
            hint='say what is to be done: --intent "...", --intent-file FILE, or --path PATH',
        )
    job = Job(
        intent=question.intent,
        paths=question.paths,
        budget=question.budget,
        root=question.root,
        rev=question.rev,
        renderer=question.format,
        counter=question.counter,
        policy=question.policy or POLICY_V2,
        untracked=question.untracked,
        cache_dir=Path(session.cache_dir) if session.cache_dir else None,
    )
    made = compile_repository(job, session.progress)
    return Made(answer=made.answer, candidates=made.candidates, diagnostics=made.diagnostics, files=made.files)


def run(question: CompileInput, session: Session) -> Answer:
    """Compile. Raises `UsageError` without a task, and what reading a repository raises."""
    return make_answer(question, session).answer


def verdict(answer: Answer) -> Verdict:
    """Done with a bundle, else refused."""
    return "done" if answer.result.success else "refused"


def refusal(answer: Answer) -> Refusal:
    """Why there is no bundle, in words, and what would be enough."""
    from contextc.core.explain import explain_refusal

    failure = answer.result.failure
    if failure is None:
        return Refusal(message="")
    trace = answer.result.trace
    told = explain_refusal(failure, answer.witness, trace=trace, notes=answer.notes, pricing=answer.pricing)
    return Refusal(message=told.text.removeprefix("refused: "), hint="; ".join(told.hints))


CAPABILITY = Capability(
    id="compile",
    summary="Compile what a coding agent should be given for a task in this repository.",
    input=CompileInput,
    output=(Answer,),
    effect="writes-index",
    errors=(DocumentError, InputError, InternalError, NotFound, PluginError, RepositoryError, UsageError),
    verdict=verdict,
    tags=("context",),
    refusal=refusal,
    cases=compile_cases,
    leading=("text",),
    run=run,
)
