"""A file of filled-in sheets → its documents, one at a time: YAML between `---`, or JSON Lines.

The file is cut into documents before any of them is parsed, so an unreadable one does not take the others with it, and
a stream of any length needs no more memory than its longest document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from ..definitions import nodes
from ..definitions.nodes import Node, Scalar
from ..errors import InputError, Place, Problem, fault

if TYPE_CHECKING:
    from json import JSONDecoder

MOST_BYTES = 1_000_000
"""Bytes of one document; a log of a thousand turns has a tenth of it."""

MOST_LETTERS = 100_000
"""Longer texts are read as YAML, which counts the values in them; they are rare on one line."""

_BLOCK = 1 << 18
_MARKER = re.compile(rb"\n---(?=[ \t\r\n])")
_LINE = re.compile(rb"\n")
_DIRECTIVES = re.compile(rb"(?:\A|\n\.\.\.[ \t]*\r?\n)(?:[ \t\r]*(?:#[^\n]*)?\n)*%[^\n]*(?:\n[%#\r\t ][^\n]*|\n)*\Z")
"""Lines such as `%YAML 1.2` before the marker of the document that they are about."""
_TAIL = 5
_ODD = re.compile(r'\\(?:"|u[dD][89a-fA-F])')
"""Quotes in a text, and letters in two halves."""
_LONG_KEY = re.compile(r'"[^"]{81,}" *:')
"""YAML takes no key of more than a thousand letters, however they are written."""
_PAIRS = re.compile(r"\\\\|\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")


class Piece(NamedTuple):
    """A document's bytes and the number of its first line; `text` is None where there were too many. `whole` says that
    the document is a single line of JSON Lines."""

    line: int
    text: bytes | None
    whole: bool = False


class Document(NamedTuple):
    """What a file says of one sheet, and where it begins: nodes that know their places (`definitions.nodes`), or of
    JSON on one line plain data, which has only this one."""

    data: Any
    place: Place


def documents(stream: BinaryIO, name: str) -> Iterator[Document | InputError]:
    """Every document that is not blank. For an unreadable one its InputError is yielded, and reading continues."""
    found = False
    for piece in _pieces(stream, name):
        data = from_json(piece.text) if piece.text is not None else None
        if data is not None:
            found = True
            yield Document(data, Place(name, piece.line))
            continue
        for document in from_yaml(piece, name):
            found = True
            yield document
    if not found:
        yield fault("there is no filled-in sheet in this file", Place(name))


def _pieces(stream: BinaryIO, name: str) -> Iterator[Piece]:
    block = stream.read(_BLOCK)
    lines = name.endswith((".jsonl", ".ndjson")) or _is_lines(block)
    cut = _LINE if lines else _MARKER
    growing = _Growing(lines)
    while block:
        *whole, rest = cut.split(growing.rest + block)
        for text in whole:
            yield growing.ended(text, cut=True)
        growing.goes_on(rest)
        block = stream.read(_BLOCK)
    yield growing.ended(growing.rest.removesuffix(b"\n---"))


@dataclass(slots=True)
class _Growing:
    """The document that is being read. If it is too large, only its last bytes are kept: the next marker may begin in
    them."""

    whole: bool
    first_line: int = 1
    line: int = 1
    rest: bytes = b""
    lost: bool = False

    def ended(self, text: bytes, cut: bool = False) -> Piece:
        """The document that ends with `text`; `cut` if it does so at a marker or at the end of a line."""
        start, lost = self.first_line, self.lost or len(text) > MOST_BYTES
        self.first_line = self.line = self.line + text.count(b"\n") + 1
        self.lost = False
        if cut and not self.whole and b"%" in text:
            text = _DIRECTIVES.sub(b"", text)
        return Piece(start, None if lost else text, self.whole)

    def goes_on(self, rest: bytes) -> None:
        if len(rest) > MOST_BYTES:
            self.line += rest.count(b"\n", 0, len(rest) - _TAIL)
            self.rest, self.lost = rest[-_TAIL:], True
        else:
            self.rest = rest


def _is_lines(head: bytes) -> bool:
    """JSON Lines show themselves by their first two lines, one of which may lack a brace."""
    lines = [line.strip() for line in head.splitlines()[:50] if line.strip()][:2]
    if len(lines) < 2:
        return False
    first, second = lines
    if _is_mapping(first):
        return not second.startswith((b"---", b"...", b"#", b"%"))
    return _is_mapping(second) and (first.endswith(b"}") or (first.startswith(b"{") and first[-1:] not in b",[{:"))


def _is_mapping(line: bytes) -> bool:
    return line.startswith(b"{") and line.endswith(b"}")


# ---- JSON on one line -----------------------------------------------------------------------------------------------


def from_json(raw: bytes) -> dict[str, Any] | None:
    """The mapping that a JSON text on one line is, numbers as texts; None for anything that should be read as YAML:
    what is not JSON, what YAML takes for something else, and what is beyond YAML's limits."""
    try:
        text = raw.decode().lstrip("\t ").rstrip("\r\n\t ")
        if (
            not text.startswith("{")
            or not text.isprintable()
            or len(text) > MOST_LETTERS
            or ("\\" in text and _ODD.search(text))
            or _LONG_KEY.search(text)
        ):
            return None
        data: dict[str, Any]
        data, end = _decoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return data if end == len(text) else None


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("duplicate key")
    return made


def _no_number(text: str) -> str:
    raise ValueError(f"{text} is not JSON")


@cache
def _decoder() -> JSONDecoder:
    from json import JSONDecoder  # not needed for YAML

    return JSONDecoder(object_pairs_hook=_mapping, parse_int=str, parse_float=str, parse_constant=_no_number)


# ---- YAML, which includes JSON ----------------------------------------------------------------------------------


def from_yaml(piece: Piece, name: str) -> Iterator[Document | InputError]:
    found = list(_without_scraps(_nodes(piece, name)))
    if piece.text is not None and _is_broken(found, piece):
        broken = _not_json(piece, name)
        if broken:
            yield broken
            return
    for node in found:
        if isinstance(node, InputError):
            yield node
        elif not (isinstance(node, Scalar) and node.blank):
            yield Document(node, node.place)


def _is_broken(found: list[Node | InputError], piece: Piece) -> bool:
    """Whether a document that is meant to be JSON is none and cannot be read as YAML either."""
    text = (piece.text or b"").lstrip(b"\xef\xbb\xbf \t\r\n")
    looks = (text[:1] == b"{" and text[1:].lstrip()[:1] in (b'"', b"")) or text[:1] == b"["
    if piece.whole and text and not text.startswith((b"{", b"#")):
        return True
    return (looks or piece.whole) and any(
        isinstance(node, InputError) and node.problems[0].message.startswith(nodes.UNREADABLE) for node in found
    )


_JSON_WORDS = {
    "Expecting property name": "a key in double quotes is missing",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a “:” is missing",
    "Expecting value": "a value is missing",
    "Unterminated string": "the text that begins here has no closing quotation mark",
    "Invalid control character": "a tab or the end of the line stands inside a text",
    "Invalid \\escape": "an unknown escape after “\\”",
    "Extra data": "there is more after the end of the document",
}


def _not_json(piece: Piece, name: str) -> InputError | None:
    """What keeps a document from being JSON, with its line and column; None if it is JSON."""
    from json import JSONDecodeError, loads  # needed only after a mistake

    text = (piece.text or b"").decode("utf-8-sig", "replace").rstrip()
    if piece.whole and not text.lstrip().startswith("{"):
        return fault("not readable as JSON: a line must begin with “{”", Place(name, piece.line))
    try:
        loads(text)
    except JSONDecodeError as error:
        place = Place(name, piece.line + error.lineno - 1)
        what = next((said for part, said in _JSON_WORDS.items() if part in error.msg), error.msg.lower())
        if error.pos >= len(text):
            return fault("not readable as JSON: it ends too early", place, "add the “}” or “]” that closes it")
        return fault(f"not readable as JSON: {what} (column {error.colno})", place)
    except (ValueError, RecursionError):
        return None
    return None


def _nodes(piece: Piece, name: str) -> Iterator[Node | InputError]:
    if piece.text is None:
        yield fault(f"a sheet may not be larger than {MOST_BYTES / 1e6:g} MB", Place(name, piece.line))
        return
    try:
        text = nodes.decode(piece.text, name)
    except InputError as error:
        yield InputError(_moved(problem, piece.line - 1) for problem in error.problems)
        return
    if text.lstrip().startswith("{"):
        text = _PAIRS.sub(_letter, text)
    yield from nodes.documents(text, name, piece.line)


def _without_scraps(found: Iterator[Node | InputError]) -> Iterator[Node | InputError]:
    """Leaves out a single word just before a syntax error, because it belongs to the broken text."""
    before: Node | InputError | None = None
    for document in found:
        if before is not None and not (isinstance(before, Scalar) and isinstance(document, InputError)):
            yield before
        before = document
    if before is not None:
        yield before


def _moved(problem: Problem, lines: int) -> Problem:
    place = problem.place
    return Problem(problem.message, Place(place.file, place.line + lines) if place else None, problem.hint)


def _letter(pair: re.Match[str]) -> str:
    """JSON writes letters beyond U+FFFF as two escapes, which YAML does not know."""
    if pair[1] is None:
        return pair[0]
    return chr(0x10000 + ((int(pair[1], 16) - 0xD800) << 10) + int(pair[2], 16) - 0xDC00)
