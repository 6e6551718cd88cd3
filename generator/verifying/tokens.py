"""The operators of a content stream, each with its operands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

Operand: TypeAlias = "float | bytes | str | list[Operand]"
"""A number, a string, a name (`/F1`) or an array; dictionaries are left out."""

_TOKEN = re.compile(
    rb"(?P<number>[-+]?(?:\d+\.?\d*|\.\d+))(?=[\s/<>\[\]()%]|$)"
    rb"|(?P<name>/[^\s/<>\[\]()%]*)|(?P<hex><[0-9A-Fa-f\s]*>)|(?P<text>\()|(?P<open>\[)|(?P<close>\])"
    rb"|(?P<dictionary><<|>>)|(?P<comment>%[^\r\n]*)|(?P<operator>[^\s/<>\[\]()%{}]+)|(?P<strange>.)", re.DOTALL)
_SPACE = re.compile(rb"[\s\0]+")
_ESCAPED = re.compile(rb"\\([nrtbf]|[0-7]{1,3}|\r\n|.|$)", re.DOTALL)
_MEANT = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_PAREN = re.compile(rb"\\.|[()]", re.DOTALL)
_IMAGE_ENDS = re.compile(rb"[\s]EI(?=[\s]|$)")


def operations(code: bytes) -> Iterator[tuple[str, list[Operand]]]:
    """Every operator and its operands, in order; what is no content stream gives nothing that draws."""
    stack: list[list[Operand]] = [[]]
    at = 0
    while at < len(code):
        if space := _SPACE.match(code, at):
            at = space.end()
            continue
        token = _TOKEN.match(code, at)
        assert token
        kind, at = token.lastgroup, token.end()
        if kind == "operator":
            name = token[0].decode("latin-1")
            yield name, stack[0]
            stack = [[]]
            if name == "ID":
                ends = _IMAGE_ENDS.search(code, at)
                at = ends.end() if ends else len(code)
        elif kind == "text":
            text, at = _text(code, at)
            stack[-1].append(text)
        else:
            _operand(kind or "", token[0], stack)


def _operand(kind: str, token: bytes, stack: list[list[Operand]]) -> None:
    if kind == "number":
        stack[-1].append(float(token))
    elif kind == "name":
        stack[-1].append(token.decode("latin-1"))
    elif kind == "hex":
        digits = re.sub(rb"\s", b"", token[1:-1])
        stack[-1].append(bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode()))
    elif kind == "open" and len(stack) < 9:
        inner: list[Operand] = []
        stack[-1].append(inner)
        stack.append(inner)
    elif kind == "close" and len(stack) > 1:
        stack.pop()


def _text(code: bytes, start: int) -> tuple[bytes, int]:
    """A string that begins after its bracket at `start`, and where it ends."""
    depth, at = 1, start
    while depth:
        found = _PAREN.search(code, at)
        if found is None:
            return b"", len(code)
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        at = found.end()
    return _ESCAPED.sub(lambda one: _meant(one[1]), code[start:at - 1]), at


def _meant(escaped: bytes) -> bytes:
    if escaped[:1].isdigit() and escaped[:1] < b"8":
        return bytes([int(escaped, 8) & 255])
    return _MEANT.get(escaped, b"" if escaped in (b"\r\n", b"\n", b"\r", b"") else escaped)
