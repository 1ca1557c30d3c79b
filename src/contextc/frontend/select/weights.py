"""Every number by which files are ranked and forms are valued, in one table, each with its reason.

They were set once by hand from what is known of ranking by words, then compared on replayed changes of public
repositories (see docs/selection.md): sensible defaults, not learned ones.
"""

from __future__ import annotations

from contextc.frontend.select.kinds import Kind

# --- BM25F: one document, three fields (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009)

#: Saturation: from a few occurrences on, more of a word says little. The customary 1.2.
K1 = 1.2
#: How much a long file is held against itself. The customary 0.75.
B = 0.75
#: An occurrence in the name of a definition counts as this many in the text (beside the one in the text itself).
SYMBOL_WEIGHT = 2.0
#: A word of the path counts as this many occurrences: a path has few words, and people choose them.
PATH_WEIGHT = 8.0

# --- What is added to the words, as shares of the best BM25F score

#: A file that defines what the task names. Half: names in issues are also those of callers and bystanders.
DEFINES = 0.5
#: A file whose path the task writes out, or that a traceback passes through: as much as the best of all words.
MENTIONED = 1.0
#: The best place of a file, so that a long file with one right function is not lost to a short one about everything.
BEST_PLACE = 0.5
#: A test that holds the task's words, and bears the file's name.
TESTED = 0.3
#: A name that may be a word of prose (`session`) proves less than a compound one (`save_session`).
PROSE_NAME = 0.35

# --- Kinds of files: what a task is about is seldom changed there

#: Source is what tasks change. The other kinds have to be much better to stand before it.
KIND_FACTOR: dict[Kind, float] = {
    "source": 1.0,
    "config": 0.4,
    "other": 0.4,
    "doc": 0.3,
    "test": 0.3,
    "example": 0.25,
    "vendored": 0.15,
    "generated": 0.1,
    "lock": 0.0,
}

#: Files whose places are looked at, and of which forms may be made.
TOP_FILES = 60

# --- Places within a file

#: Long blocks hold more words by chance; held against them about half as much as against files.
BLOCK_LENGTH = 0.4
#: A word of the task in the name of a definition counts this many times more, in its idf.
NAME_IN_BLOCK = 2.0
#: The task names the very definition: its score grows by this share.
NAMED_BLOCK = 1.0
#: A traceback passes through the block.
LINE_NAMED = 3.0
#: Shares fall as this power of the score: the best block is the place more often than its score alone says.
SHARPNESS = 1.3

# --- What a file and a form of it are worth, in 0..1 (`relevance` of a candidate)

#: Worth falls by this factor from one rank to the next, beside what the scores say: of the files that tasks change,
#: about half stand first, and nine of ten within the first ten.
RANK_DECAY = 0.7
#: Worth is the score (as a share of the best) to this power.
SCORE_POWER = 0.7
#: The tail: files further down are worth this much, and are offered only while the largest forms of those before them
#: would not fill the budget this many times. Offered always, their small forms would displace the places that matter.
TAIL = 0.08
FILLED = 1.5
#: From this worth on a file is PREFERRED: the clear top. Below, DISCRETIONARY, where a band counts a quarter, so that
#: its relevance is four times its worth and the scale goes on without a step.
PREFERRED_FROM = 0.3
BAND_RATIO = 4.0
#: Below this worth a file is no candidate with content: its relevance would be under the floor of the policy (0.3).
LEAST_WORTH = 0.075
#: What is known of a file by its signatures, and by its name and title alone, as a share of knowing it whole.
OUTLINE_SHARE = 0.4
ANCHOR_SHARE = 0.1
#: Least worth of a source file in a named directory, whatever the task says of it: PREFERRED, at the lower end.
IN_SCOPE = 0.3

#: Sizes of the focused forms, as shares of the budget. The compiler chooses among them by worth for tokens.
FOCUSED_SIZES: tuple[tuple[str, float], ...] = (
    ("focused-brief", 0.06),
    ("focused", 0.14),
    ("focused-wide", 0.3),
)
#: From this share of the file's bytes on, a focused form is no smaller than the file in any way that matters.
NEARLY_ALL = 0.85
#: Bytes of a token, on the low side: sizes by it are rather too small than too large.
BYTES_PER_TOKEN = 3.3

#: Words of the task that count as aspects to cover: its rarest, as far as files hold them.
COVERAGE_KEYS = 4

# --- How much is made, so that pricing stays a fraction of a second

#: One file with forms for this many tokens of budget, within limits.
TOKENS_PER_FILE = 300
FEWEST_FILES = 12
MOST_FILES = 64
#: Bytes of all forms together, beside named files and rules.
MOST_BYTES = 1_500_000

# --- Rules and decisions

#: A rule file larger than this many bytes is also offered as an outline with a stated omission, never cut.
LARGE_RULE = 6_000
#: Relevance of advice: documents of lower standing than rules.
ADVICE = 0.5
#: A decision that holds at least this share of the task's words (by idf) is PREFERRED ...
DECISION_PREFERRED = 0.4
#: ... and one below this share is none of the task's business.
DECISION_LEAST = 0.15
