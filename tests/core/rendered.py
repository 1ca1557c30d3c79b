"""Strict parsers of the rendered formats, written from docs/formats.md: they recover every path and every text.

Each returns pairs of path and text, and fails on anything that the format does not allow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

Parsed = list[tuple[str, str]]


class Reader:
    """A text and a place in it. Lines end in a line feed and in nothing else."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    @property
    def done(self) -> bool:
        return self.at == len(self.text)

    def peek(self) -> str:
        return self.text[self.at : self.text.index("\n", self.at)]

    def line(self) -> str:
        found = self.peek()
        self.at += len(found) + 1
        return found

    def expect(self, line: str) -> None:
        found = self.line()
        assert found == line, (found, line)

    def match(self, pattern: str) -> re.Match[str]:
        found = self.line()
        matched = re.fullmatch(pattern, found)
        assert matched, (found, pattern)
        return matched

    def until(self, end: str) -> str:
        """Everything before the next `end`, which is passed over."""
        stop = self.text.index(end, self.at)
        found = self.text[self.at : stop]
        self.at = stop + len(end)
        return found


def named(name: str) -> str:
    """The name that a renderer wrote, bare or as a JSON string."""
    return json.loads(name) if name.startswith('"') else name


LABEL = r"\((?:[\w.+#-]+, )*(?:\d+ lines?|0 of \d+ lines|lines? (?P<ranges>[\d, -]+?)(?: of \d+)?)\)"
GAP = r"(?:lines? [\d-]+ left out|line \d+ follows)(?P<bare>, no line feed above)?"


def pieces_named(label: re.Match[str]) -> int:
    """How many pieces the ranges of a label name."""
    return len(label["ranges"].split(", ")) if label["ranges"] else 1


def parse_markdown(text: str) -> Parsed:
    reader = Reader(text)
    reader.expect("# Context")
    reader.expect("")
    reader.expect("Text between fences is quoted; lines left out are named.")
    reader.expect("")
    found = []
    while not reader.peek().startswith("# "):
        heading = reader.match(rf"## (?P<path>.*) {LABEL}")
        for start in ("Title: ", "Belongs together with ", "Remark: "):
            if reader.peek().startswith(start):
                reader.line()
        found.append((named(heading["path"]), fenced(reader, pieces_named(heading))))
        reader.expect("")
    reader.match(r"# End of context(?: for: (?P<title>.*))?")
    reader.expect("")
    reader.match(r"Source: .*")
    assert reader.done
    return found


def fenced(reader: Reader, pieces: int) -> str:
    if not reader.peek().startswith("```"):
        return ""
    fence = reader.match(r"(?P<fence>`{3,})[\w.+#-]*")["fence"]
    body = reader.until(fence)
    assert body == "" or body.endswith("\n")
    reader.expect("")
    if reader.peek() == "No line feed at the end.":
        reader.line()
        body = body.removesuffix("\n")
    if pieces == 1:
        return body
    dots = max(re.findall(r"\.{3,}", body), key=len)
    return without_gaps(body, dots, pieces - 1)


def without_gaps(body: str, sign: str, gaps: int) -> str:
    """A body without the lines that begin with the sign, of which there must be so many."""
    kept, count = [], 0
    for line in re.findall(r"[^\n]*\n|[^\n]+", body):
        if not line.startswith(sign):
            kept.append(line)
            continue
        count += 1
        matched = re.fullmatch(rf"{re.escape(sign)} {GAP}\n?", line)
        assert matched, line
        if matched["bare"]:
            kept[-1] = kept[-1].removesuffix("\n")
    assert count == gaps, (count, gaps)
    return "".join(kept)


def parse_plain(text: str) -> Parsed:
    reader = Reader(text)
    reader.expect("Context")
    reader.expect("")
    found = []
    while reader.peek().startswith("="):
        heading = reader.match(rf"(?P<run>={{4,}}) (?P<path>.*) {LABEL}")
        run, kept = heading["run"], []
        for start in ("title: ", "belongs together with ", "remark: "):
            if reader.peek().startswith(f"{run} {start}"):
                reader.line()
        while True:
            gap = re.fullmatch(rf"{run} {GAP}", reader.peek())
            if gap is None and reader.peek().startswith(run):
                break
            line = reader.line() + "\n"
            if gap is None:
                kept.append(line)
            elif gap["bare"]:
                kept[-1] = kept[-1].removesuffix("\n")
        end = reader.match(rf"{run}(?P<bare> no line feed at the end)?")
        if end["bare"]:
            kept[-1] = kept[-1].removesuffix("\n")
        found.append((named(heading["path"]), "".join(kept)))
        reader.expect("")
    reader.match(r"End of context(?: for: .*)?")
    reader.match(r"Source: .*")
    assert reader.done
    return found


ENTITIES = {"&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&"}
ATTRIBUTES = r'(?: [a-z-]+="[^"<>]*")+'


def attributes(tag: str) -> dict[str, str]:
    found = re.findall(r' ([a-z-]+)="([^"]*)"', tag)
    return {name: re.sub(r"&\w+;", lambda entity: ENTITIES[entity[0]], value) for name, value in found}


def parse_xml(text: str) -> Parsed:
    """By tags and CDATA alone, byte for byte; `test_render_xml` puts the same text to a real XML parser."""
    reader = Reader(text)
    reader.expect("<documents>")
    found = []
    while not reader.peek().startswith("<about"):
        given = attributes(reader.match(rf"<document{ATTRIBUTES}>")[0])
        kept = []
        while reader.peek() != "</document>":
            if reader.peek().startswith("<left_out"):
                reader.match(r'<left_out lines="[\d-]+"/>')
                continue
            assert reader.until("<document_content><![CDATA[") == ""
            kept.append(reader.until("]]></document_content>\n").replace("]]><![CDATA[", ""))
        reader.expect("</document>")
        found.append((named(given["path"]), restored("".join(kept), given.get("stand-ins", ""))))
    reader.match(rf"<about(?:{ATTRIBUTES})?/>")
    reader.expect("</documents>")
    assert reader.done
    return found


def restored(text: str, stand_ins: str) -> str:
    """A text with what XML cannot hold put back where its stand-ins are."""
    pairs = [pair.split(" U+") for pair in stand_ins.split(", ") if pair]
    return text.translate({ord(sign): chr(int(code, 16)) for sign, code in pairs})


PARSERS: dict[str, Callable[[str], Parsed]] = {"markdown": parse_markdown, "plain": parse_plain, "xml": parse_xml}
