"""Bytes that a PDF shows in a font → the letters they stand for, by the font's own table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

_BLOCK = re.compile(rb"begin(bfchar|bfrange|codespacerange)(.*?)end\1", re.DOTALL)
_PART = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")
_MOST_LETTERS = 70_000


class Lettering(NamedTuple):
    """How many bytes a letter has, and the text each number of them stands for."""

    width: int
    letters: Mapping[int, str]

    def read(self, shown: bytes) -> str:
        numbers = (int.from_bytes(shown[at:at + self.width], "big") for at in range(0, len(shown), self.width))
        return "".join(self.letters.get(number, "�") for number in numbers)


PLAIN = Lettering(1, {number: bytes([number]).decode("cp1252", "replace") for number in range(256)})
"""A font without a table: one of the standard ones."""


def lettering(font: Any) -> Lettering:
    """The letters of a font of a PDF (its dictionary)."""
    table = font.get("/ToUnicode") if isinstance(font, dict) else None
    found: Any = table.get_object() if table is not None else None
    return _parsed(found.get_data()) if hasattr(found, "get_data") else PLAIN


def _parsed(table: bytes) -> Lettering:
    width, letters = 1, dict[int, str]()
    for kind, body in _BLOCK.findall(table):
        parts = [(re.sub(rb"\s", b"", digits), opens, closes) for digits, opens, closes in _PART.findall(body)]
        if kind == b"codespacerange":
            width = max([width, *(len(digits) // 2 for digits, _, _ in parts)])
        elif kind == b"bfchar":
            plain = [digits for digits, _, _ in parts if digits]
            letters.update((int(code, 16), _letters(text)) for code, text in zip(plain[::2], plain[1::2], strict=False))
        else:
            _ranges(parts, letters)
        if len(letters) > _MOST_LETTERS:
            break
    return Lettering(min(width, 4), letters)


def _ranges(parts: list[tuple[bytes, bytes, bytes]], letters: dict[int, str]) -> None:
    """Ranges of codes: `<from> <to> <first text>`, or with a list of texts."""
    waiting = list(reversed(parts))
    while len(waiting) >= 3:
        first, last = (int(waiting.pop()[0] or b"0", 16) for _ in range(2))
        digits, opens, _ = waiting.pop()
        if opens:
            number = first
            while waiting and not (part := waiting.pop())[2]:
                letters[number] = _letters(part[0])
                number += 1
        elif digits and last - first < _MOST_LETTERS:
            start = _letters(digits)
            letters.update((number, start[:-1] + chr(min(ord(start[-1:] or "\0") + number - first, 0x10ffff)))
                           for number in range(first, last + 1))


def _letters(digits: bytes) -> str:
    raw = bytes.fromhex((digits + b"0" * (-len(digits) % 4)).decode())
    return raw.decode("utf-16-be", "replace")
