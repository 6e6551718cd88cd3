"""Reads the ToUnicode tables of fonts, which say what text the codes in a string stand for.

Section numbers refer to ISO 32000-1:2008 (PDF 1.7),
https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from . import untrusted_pdf

_BLOCK = re.compile(rb"begin(bfchar|bfrange|codespacerange)")
_PART = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")
MAX_CODES = 70_000
"""Codes in the tables of all fonts of a file; a two-byte font has 65,536 at most."""
MAX_TABLE_BYTES = 2_000_000
_MAX_TEXT_BYTES = 512
"""Bytes of the text that one code stands for (9.10.3)."""
_MAX_STRING_BYTES = 32_767
"""Bytes of a string in a content stream (annex C)."""


class FontEncoding(Struct, frozen=True):
    """How the strings of a font are read: the number of bytes of a code, and the text for each code."""

    width: int
    texts: Mapping[int, str]

    def read(self, string: bytes) -> str:
        if len(string) > _MAX_STRING_BYTES:
            raise untrusted_pdf.too_much()
        codes = (int.from_bytes(string[at : at + self.width], "big") for at in range(0, len(string), self.width))
        return "".join(self.texts.get(code, "�") for code in codes)


PLAIN = FontEncoding(1, {code: bytes([code]).decode("cp1252", "replace") for code in range(256)})
"""The encoding of a font without a table, such as a standard font."""


def parse_to_unicode(table: bytes, max_codes: int = MAX_CODES) -> FontEncoding:
    """The encoding in a ToUnicode table. Raises `too_much()` as soon as the table lists more than `max_codes` codes,
    including wide ranges and repeated codes."""
    if len(table) > MAX_TABLE_BYTES:
        raise untrusted_pdf.too_much()
    width, texts = 1, dict[int, str]()
    for kind, body in _blocks(table):
        parts = [(re.sub(rb"\s", b"", digits), opens, closes) for digits, opens, closes in _PART.findall(body)]
        if kind == b"codespacerange":
            width = max([width, *(len(digits) // 2 for digits, _, _ in parts)])
            continue
        for code, text in _chars(parts) if kind == b"bfchar" else _ranges(parts):
            max_codes -= 1
            if max_codes < 0:
                raise untrusted_pdf.too_much()
            texts[code] = text
    return FontEncoding(min(width, 4), texts)


_Part: TypeAlias = tuple[bytes, bytes, bytes]
"""Hexadecimal digits, an opening bracket or a closing one."""


def _blocks(table: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each block of a table: its kind, and the bytes between its `begin` and `end` operators."""
    at = 0
    while begin := _BLOCK.search(table, at):
        at = table.find(b"end" + begin[1], begin.end())
        if at < 0:
            return
        yield begin[1], table[begin.end() : at]


def _chars(parts: list[_Part]) -> Iterator[tuple[int, str]]:
    """Single codes: `<code> <text>`."""
    plain = [digits for digits, _, _ in parts if digits]
    for code, text in zip(plain[::2], plain[1::2], strict=False):
        yield int(code, 16), _text(text)


def _ranges(parts: list[_Part]) -> Iterator[tuple[int, str]]:
    """Ranges of codes: `<from> <to> <first text>`, or with a list of texts."""
    rest = list(reversed(parts))
    while len(rest) >= 3:
        first, last = (int(rest.pop()[0] or b"0", 16) for _ in range(2))
        digits, opens, _ = rest.pop()
        if opens:
            code = first
            while rest and not (part := rest.pop())[2]:
                yield code, _text(part[0])
                code += 1
        elif digits:
            start = _text(digits)
            for code in range(first, last + 1):
                yield code, start[:-1] + chr(min(ord(start[-1:] or "\0") + code - first, 0x10FFFF))


def _text(digits: bytes) -> str:
    """The text written as UTF-16 in hexadecimal digits."""
    if len(digits) > 2 * _MAX_TEXT_BYTES:
        raise untrusted_pdf.too_much()
    raw = bytes.fromhex((digits + b"0" * (-len(digits) % 4)).decode())
    return raw.decode("utf-16-be", "replace")
