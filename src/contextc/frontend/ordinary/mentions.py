"""What the text of a record names: files and directories of the repository, other records by their ids.

Words that name nothing are just words: only declared fields can lead nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from contextc.frontend.ordinary.base import Draft, Link
from contextc.frontend.ordinary.names import Names

#: Characters of a record's text that are looked through.
LONGEST_TEXT = 200_000
#: Bytes of a document that is looked through, and of all of them together.
LONGEST_DOCUMENT = 64_000
BYTES_OF_DOCUMENTS = 2_000_000
#: A directory with more files is a part of the repository and no place.
MOST_FILES = 200
#: Mentions of one record that become relations; a record that names more is a list.
MOST_MENTIONS = 100

_PATH = re.compile(r"(?<![\w@+~/.-])[\w@+~-]*+[./][\w.@+~/-]*[\w+~/-]")
_ID = re.compile(
    r"\b[A-Za-z][A-Za-z0-9_]{0,20}+-[A-Za-z0-9][A-Za-z0-9.]*|(?<![\w&/#])#[0-9]{1,7}\b|\bADR[ -]?[0-9]{1,6}\b"
)
_NAMED = ("issue", "milestone", "adr")


def mentioned_paths(text: str, names: Names) -> tuple[list[str], list[str]]:
    """The files and the directories that a text names, each once, in the order they come."""
    files: dict[str, None] = {}
    folders: dict[str, None] = {}
    for token in dict.fromkeys(_PATH.findall(text[:LONGEST_TEXT])):
        word = token.rstrip(".-~").removeprefix("./")
        path = names.path(word, "") or names.only_named(word)
        if path is not None:
            files.setdefault(path)
        elif "/" in word:
            folder = names.folder(word)
            if folder is not None:
                folders.setdefault(folder)
    return list(files), list(folders)


def mentioned_ids(text: str) -> Iterator[Link]:
    """A quiet link for each word that has the form of an id."""
    for token in dict.fromkeys(_ID.findall(text[:LONGEST_TEXT])):
        yield Link("mentions", token.rstrip("."), _NAMED, quiet=True)


def looked_through(drafts: Sequence[Draft], sizes: Mapping[str, int]) -> list[Draft]:
    """The documents whose text is looked through for paths, in the order of their names: none that is large, and all
    together so many bytes that it takes no time."""
    left = BYTES_OF_DOCUMENTS
    found = []
    for draft in drafts:
        size = sizes.get(draft.path, 0)
        if draft.source_class == "docs" and size <= LONGEST_DOCUMENT and size <= left:
            left -= size
            found.append(draft)
    return found


def add_paths(draft: Draft, text: str, names: Names) -> None:
    """Link a document to the files whose paths it names, from the root or from its own directory."""
    found: dict[str, None] = {}
    for token in dict.fromkeys(_PATH.findall(text)):
        path = names.path(token.rstrip(".-~"), draft.path)
        if path is not None and path != draft.path:
            found.setdefault(path)
    draft.links.extend(Link("mentions", path, ("file",), quiet=True) for path in list(found)[:MOST_MENTIONS])


def add_mentions(draft: Draft, names: Names, sizes_of_folders: dict[str, int]) -> None:
    """Link a draft to what its text names; for work, the places it names are its scope too."""
    files, folders = mentioned_paths(draft.text, names)
    declared = {link.written for link in draft.links}
    work = draft.kind in ("issue", "milestone")
    edge = "touches" if work else "mentions"
    links = [Link(edge, path, ("file",), quiet=True) for path in files if path != draft.path]
    links += [link for link in mentioned_ids(draft.text) if link.written not in declared]
    draft.links.extend(links[:MOST_MENTIONS])
    if work:
        places = files + [folder for folder in folders if sizes_of_folders.get(folder, 0) <= MOST_FILES]
        given = draft.metadata.get("scope")
        before = list(given) if isinstance(given, list) else []
        scope = [*before, *(path for path in places if path not in before and path != draft.path)]
        if scope:
            draft.metadata["scope"] = scope[:MOST_MENTIONS]
