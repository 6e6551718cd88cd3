"""Text files end with one line feed, have no spaces at the ends of their lines, and no marks of an unfinished merge.

python .ci/text_files.py FILE...
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MARKS = re.compile(rb"^(<<<<<<< |=======$|>>>>>>> )", re.MULTILINE)
SPACES = re.compile(rb"[ \t]+$", re.MULTILINE)


def problems(content: bytes) -> list[str]:
    """What is wrong with the content of a file, in words."""
    messages = []
    if content and (not content.endswith(b"\n") or content.endswith(b"\n\n")):
        messages.append("does not end with one line feed")
    if b"\r" in content:
        messages.append("has lines that end with a carriage return")
    if SPACES.search(content):
        messages.append("has spaces at the end of a line")
    if MARKS.search(content):
        messages.append("has marks of an unfinished merge")
    return messages


def main(files: list[str]) -> int:
    lines = [f"{file}: {problem}" for file in files for problem in problems(Path(file).read_bytes())]
    if lines:
        sys.stderr.write("\n".join(lines) + "\n")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
