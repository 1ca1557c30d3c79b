"""Words that say nothing about where in a repository a task belongs, and the light variants of those that do."""

from __future__ import annotations

#: Function words of English, and words that issues and commit messages are made of whatever they are about.
_STOP_TEXT = """
    a about above actually after again all already also always am an and another any are around as at away back be
    because been before behind being below best better between both but by came can cannot come could couldn current
    currently did didn do does doesn doing don done down due during each either else ensure etc even every everything
    expect expected few fix fixed fixes fixing following for from further get gets getting give given gives go goes
    going got had has hasn have haven having he hello help hence her here hi his how however i if implement implemented
    in instead into is isn issue issues it its itself just keep know like ll look looks lot made make makes making may
    maybe me might more most much must my need needed needs never new no nor not note nothing now of off often ok on
    once one only onto or other our out over own perhaps please possible previously properly quite rather re really
    same see seem seems several shall she should shouldn show since so some something sometimes still such support
    supported sure t take than thank thanks that the their them then there therefore these they thing things think this
    those though through thus time to together too two under unless until up upon us use used useful uses using usually
    ve very via want wants was wasn way we well were what when where whether which while who whole whom whose why will
    wish with within without won work working works would wouldn yes yet you your
    add added adding adds allow allows avoid bug bugs change changed changes commit correct correctly happen happens
    handle improve merge patch problem pull remove removed resolve resolved simply update updated version
    behavior behaviour actual steps reproduce description example github
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())

#: Variants are weaker evidence than the word itself.
VARIANT_WEIGHT = 0.7


def variants(word: str) -> tuple[str, ...]:
    """Other forms of a word (plural, past, participle) that may stand in code for it; none for identifiers, numbers
    and short words. Guesses: what no file holds costs nothing."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return ()
    stem = _stem(word)
    if len(stem) < 3:
        return ()
    found = {stem, stem + "s", stem + "ed", stem + "ing"}
    if stem.endswith("y"):
        found.update((stem[:-1] + "ies", stem[:-1] + "ied"))
    elif stem.endswith("e"):
        found.update((stem + "d", stem[:-1] + "ing"))
    else:
        found.update((stem + "e", stem + "es"))
    return tuple(sorted(found - {word}))


def _stem(word: str) -> str:
    """The word without a regular English ending."""
    for ending, instead, shortest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            stem = word[: len(word) - len(ending)] + instead
            doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls"
            return stem[:-1] if doubled and ending in ("ing", "ed") else stem
    return word


#: Ending, what stands in its place, and the least number of characters before it.
_ENDINGS = (
    ("ies", "y", 2),
    ("ied", "y", 2),
    ("sses", "ss", 1),
    ("xes", "x", 2),
    ("ches", "ch", 2),
    ("shes", "sh", 2),
    ("ing", "", 3),
    ("ed", "", 3),
    ("ss", "ss", 1),
    ("us", "us", 1),
    ("is", "is", 1),
    ("s", "", 3),
)
