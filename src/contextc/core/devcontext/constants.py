"""Every number and table of the selection (SPEC 3.3, 4.1, 4.3, 4.10)."""

from __future__ import annotations

from typing import NamedTuple, get_args

from contextc.core.records.devcontext import Selector, Tier

BUDGET_TOKENS = 24_000
MAX_DEPTH = 3
FLOOR = 0.25
BYTES_PER_TOKEN = 4

SEED = 1.0
POLICY = 1.0
ANY_BLOCKING_RULE = 0.6
CODE_UNDER_PATH = 0.8
CONTRACT_OVER_PATH = 0.85
SESSION_CHANGED_FILES = 0.75
SESSION_OF_BRANCH = 0.5
LOCAL_RECORD = {"local-handover": 0.95, "local-checkpoint": 0.8}
#: A local record that HEAD has left behind counts half, and is believed half.
UNTRUSTWORTHY = 0.5
TRUSTWORTHY = frozenset(("exact", "advanced"))
INTENT = 0.6

#: Tiers in the order of spending, each with its meaning.
TIERS: dict[Tier, str] = {
    "task": "the work itself: what was named, its issues and milestones",
    "governance": "what binds the work: policy, scope, rules, contracts, profiles",
    "source": "the code, the cases and the commands it touches",
    "decision": "decisions behind it",
    "knowledge": "what was learned: sessions, notes, prompts, skills",
    "history": "everything else that is connected",
}
#: The kinds of each tier; a kind that is in none is `history`.
TIER_KINDS: dict[Tier, tuple[str, ...]] = {
    "task": ("issue", "milestone", "project"),
    "governance": ("policy", "scope", "rule", "context", "profile"),
    "source": ("implementation", "test", "file", "command"),
    "decision": ("adr",),
    "knowledge": ("session", "session-context", "knowledge", "prompt", "skill"),
    "history": (),
}
TIER_RANK: dict[Tier, int] = {tier: rank for rank, tier in enumerate(TIERS)}
_TIER_OF: dict[str, Tier] = {kind: tier for tier, kinds in TIER_KINDS.items() for kind in kinds}

SELECTORS: tuple[Selector, ...] = get_args(Selector)
SELECTOR_RANK: dict[Selector, int] = {selector: rank for rank, selector in enumerate(SELECTORS)}
SELECTOR_MEANING: dict[Selector, str] = {
    "seed": "named in the request",
    "relation": "connected by a declared relation",
    "scope_path": "code or a case under a path of the work",
    "contract": "a directory contract or a rule that holds over a path of the work",
    "governance": "policy, scope and rules of the whole repository, and all blocking rules when asked for",
    "session_state": "a session that touched the work, or the handover or checkpoint of this checkout",
    "intent_match": "words of the intent found in title, description, identity or tags",
}
#: The only selector that infers; what the others find is written down somewhere.
INFERRING: Selector = "intent_match"


class Edge(NamedTuple):
    """How an edge is followed, and what is said of what is found through it in either direction."""

    forward: float
    reverse: float
    meaning: str
    found_forward: str
    found_reverse: str


EDGES: dict[str, Edge] = {
    "belongs_to": Edge(0.95, 0.45, "work and its milestone", "the milestone it belongs to", "under the same milestone"),
    "depends_on": Edge(
        0.90, 0.60, "what must be there first", "the other needs this first", "this needs the other first"
    ),
    "governed_by": Edge(
        0.90, 0.50, "a situation and its rule", "a rule that governs it", "a situation under this rule"
    ),
    "put_in_force": Edge(
        0.80, 0.85, "a decision and what carries it out", "brought into force by the decision", "the decision behind it"
    ),
    "supersedes": Edge(0.70, 0.70, "a decision and the one it replaces", "replaced by it", "replaces it"),
    "tracks": Edge(
        0.70, 0.90, "a contract and the files it watches", "a file the contract watches", "a contract watching the file"
    ),
    "implemented_by": Edge(
        0.85, 0.85, "a claim and its code", "the file that implements the claim", "a claim resting on the file"
    ),
    "tested_by": Edge(0.85, 0.85, "a claim and its case", "the case that proves the claim", "a claim the case proves"),
    "defined_in": Edge(
        0.80, 0.80, "a claim and its source", "the file that defines the claim", "a claim defined in the file"
    ),
    "exercises": Edge(
        0.60, 0.70, "a use case and what it exercises", "exercised by the use case", "a use case that exercises it"
    ),
    "evidences": Edge(
        0.60,
        0.60,
        "work and the claims it gives evidence for",
        "a claim it gives evidence for",
        "gives evidence for it",
    ),
    "runs": Edge(0.60, 0.50, "a use case and its commands", "a command the use case runs", "a use case that runs it"),
    "related_to": Edge(0.70, 0.70, "skills related to each other", "named as related", "names it as related"),
    "serves": Edge(
        0.50, 0.40, "a use case and the application it serves", "an application it serves", "a use case that serves it"
    ),
    # From one record over what it names to all that name it as well is below the floor: much is named by everybody.
    "touches": Edge(0.85, 0.25, "work and a file that it names", "a file the work names", "work that names the file"),
    "mentions": Edge(0.50, 0.40, "a record and what its text names", "named in its text", "its text names it"),
    "tests": Edge(0.80, 0.85, "a test and the code it tests", "the code it tests", "a test of it"),
    "imports": Edge(0.45, 0.30, "code and the code it uses", "imported by it", "it imports this"),
}
#: Edges of the graph that are never followed, and why.
REFUSED: dict[str, str] = {
    "is_a": "every object of a kind hangs on one node, so following it would select the whole layer",
    "composes": "wiring of the tool itself, not of the work",
    "projects": "wiring of the tool itself, not of the work",
}
REFUSED_MEANING: dict[str, str] = {
    "is_a": "an object and its kind",
    "composes": "a module and its capabilities",
    "projects": "a capability and its surfaces",
}

#: Scalars of an object's metadata that are its facts, and lists that are joined to one (SPEC 4.3).
SCALAR_FACTS = (
    "class", "status", "priority", "milestone", "profile", "date", "version", "updated_at", "branch", "head", "task_id",
)  # fmt: skip
LIST_FACTS = ("tags", "scope", "owners")
#: The first that is there is the version of an object (SPEC 4.9).
VERSION_FIELDS = ("updated_at", "version", "date", "created_at")
#: A status with which nothing is given unless it was named (SPEC 4.9).
STALE_STATUSES = frozenset(("deprecated", "superseded", "rejected", "archived"))
#: Words of an intent that say nothing (SPEC 4.8), and the least length of one that says something.
STOP_WORDS = frozenset(
    (
        "and", "are", "but", "for", "from", "has", "have", "into", "not", "one", "that", "the", "their", "them",
        "then", "there", "this", "was", "were", "what", "when", "which", "will", "with", "you", "your",
    )
)  # fmt: skip
SHORTEST_TERM = 3
#: Kinds that are always given: without them nobody knows the rules of the house.
ALWAYS_GIVEN = ("policy", "scope")


def tier_of(kind: str) -> Tier:
    """The tier of a kind."""
    return _TIER_OF.get(kind, "history")


def tokens(size: int) -> int:
    """The estimated tokens of so many bytes; nothing costs less than one."""
    return max(1, -(-size // BYTES_PER_TOKEN))
