"""Texts and names that break renderers and tokenizers, as strategies."""

from __future__ import annotations

from hypothesis import strategies as st

#: Signs that tokenizers treat in ways of their own: white space of all kinds, line ends, slashes, quotes, contractions,
#: controls, marks that combine, letters without case, numbers, emoji with joiners.
NASTY = [
    " ", "  ", "\t", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0", "\u1680", "\u2003", "\u2028",
    "\u2029", "\u202f", "\u3000", "\u200b", "\ufeff", "/", "//", "\\", "`", "```", "=", "====", "'s", "'LL", "'",
    "\u017f", "\u0351", "\u0301", "a", "A", "aB", "Ab", "1", "1234", "\u0661", "\u4e16\u754c", "\u01c5", "\u02b0",
    "\U0001f469\u200d\U0001f4bb", "\x00", "\x07", "\u202e", "<|endoftext|>", "]]>", "--", "def f(x):", "é", "ß",
    "\ud7ff", "\ue000", "\ufffd", "\uffff",
]  # fmt: skip
NASTY_TEXT = st.lists(st.one_of(st.sampled_from(NASTY), st.text(max_size=8)), max_size=24).map("".join)

#: What the renderers themselves write, and pieces of it.
DELIMITERS = [
    "```", "````", "`````\n", "```python\n", "\n```\n", "## a.py (full, 2 lines)\n", "No line feed at the end.\n",
    "# Context\n", "Title: x\n", "Remark: x\n", "...", "....", ".... lines 3-9 left out\n", "... line 7 left out\n",
    "====", "\n====\n", "===== no line feed at the end\n", "==== a.py (full, 2 lines)\n", "==== lines 3-9 left out\n",
    "]]>", "]]", "]", ">", "<![CDATA[", "]]><![CDATA[", "</document_content>", "<document_content>", "</document>",
    '<document path="evil">', "</documents>", '<left_out lines="1-2"/>', "<document", "</document", "<!--", "-->",
    "&amp;", "&#0;", "\n", "\r\n", "\r", "\x00", "\x01", "\x1b[31m", "\ufeff", "\u2028", "\u2029", "\x85", "\u202e",
    "\u2066", "\u2400", "\ufffd", "\uffff", "\ufffe", "\U0001f469\u200d\U0001f4bb", "x = 1\n", "    ", "\t",
]  # fmt: skip
HOSTILE_TEXT = st.lists(st.one_of(st.sampled_from(DELIMITERS), st.text(max_size=5)), max_size=16).map("".join)

NAMES = [
    "a.py", "src/a b.py", "__init__.py", "a\nb.py", "a\r\nb", 'say "x".md', '"', "](http://x)", "[id].tsx", "-->",
    "<!--", "a`b", " a", "a ", "", "..", "a\\b", '"caf\\351.txt"', "x (full, 3 lines)", "x)", "(", "== =", "==== a",
    "## b", "]]>", "</document>", "a&b", "a;b, c", "é.md", "\u202egnp.exe", "\u200b", "\ufeffa", "a\x00b", "\x1b[3m.py",
    "\u4e16\u754c.md", "a\udc80b", "\uffff", "\U000e0041", "e\u0301.txt", "'", "%s", "{x}", "#", "/", "\\u0041",
]  # fmt: skip
NAME = st.lists(st.one_of(st.sampled_from(NAMES), st.text(max_size=4)), min_size=1, max_size=3).map("".join)
