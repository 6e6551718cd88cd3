"""Splits a file of filled-in sheets into documents: YAML separated by `---`, or JSON Lines.

The file is split before any document is parsed, so an unreadable document does not affect the others, and a stream of
any length needs no more memory than its longest document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from .. import nodes
from ..errors import InputError, Place, Problem, fault
from ..nodes import Node, Scalar
from ..spelling import usual_signs

# The maximum size of a document in bytes: ten times the size of a log of a thousand turns.
MAX_BYTES = 1_000_000

_BLOCK = 1 << 18
_MARKER = re.compile(rb"\n---(?=[ \t\r\n])")
_LINE = re.compile(rb"\n")
# Directives such as `%YAML 1.2` before the marker of the document that they belong to.
_DIRECTIVES = re.compile(rb"(?:\A|\n\.\.\.[ \t]*\r?\n)(?:[ \t\r]*(?:#[^\n]*)?\n)*%[^\n]*(?:\n[%#\r\t ][^\n]*|\n)*\Z")
_TAIL = 5
_SPACES = "\xa0\u2002\u2003\u2009\u202f\u3000"
# A whole key or value in typographic quotation marks.
_QUOTED = re.compile(
    r"""(^[ \t]*(?:-[ \t]+)*|[\[{,][ \t]*|:[ \t]+)(?:[“„]([^“”„"'\n\\]*)[”“]|‘([^‘’"'\n\\]*)’)"""
    r"(?=[ \t]*(?:[\],}:#]|$))",
    re.MULTILINE,
)
# A text of several lines after `|` or `>`, in which `#` begins no comment.
_BLOCK_TEXT = re.compile(r"^( *)(?:\S.*[ \t])?[|>][-+0-9]*[ \t]*\n(?:\1[ \t]+.*\n?|[ \t]*\n)+", re.MULTILINE)
# A number after `#`, which begins a comment.
_NUMBER_SIGN = re.compile(r"""^([^\n#'"]*)[ \t](#[0-9]+)""", re.MULTILINE)
_ESCAPE = re.compile(r"\\\\|\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})")


_DASH = re.compile(r"(:[ \t]+|[\[,][ \t]*)-(?=[ \t]*(?:[,}\]]|[ \t]#|$))", re.MULTILINE)
_DASHES = re.compile(
    r"""^([^\n:'"#]*:[ \t]+)(-[ \t][^\n:'"#\[\]{}\\]*[^\s:'"#\[\]{}\\])(?=[ \t]*(?:[ \t]#|$))""", re.MULTILINE
)
# A dash in place of a value, such as “no word”, and a row of marks that begins with a dash. YAML takes both for the
# beginning of a list.
_DASHES_IN_BRACES = re.compile(
    r"""([{,][^\n:'"#{}\[\],]*:[ \t]+)(-[ \t][^\n:'"#{}\[\],\\]*[^\s:'"#{}\[\],\\])(?=[ \t]*[,}])"""
)


class DocumentBytes(Struct, frozen=True):
    """The bytes of a document and the number of its first line. `text` is None if the document is too large; `whole` is
    true if it is a single line of JSON Lines."""

    line: int
    text: bytes | None
    whole: bool = False


class Document(NamedTuple):
    """The data of one sheet, which are nodes (`nodes`), and the place where it begins."""

    data: Any
    place: Place


def documents(stream: BinaryIO, name: str) -> Iterator[Document | InputError]:
    """Yields every document that is not blank. Yields an InputError for an unreadable document, and continues."""
    has_documents = False
    for piece in pieces(stream, name):
        for document in of_piece(piece, name):
            has_documents = True
            yield document
    if not has_documents:
        yield fault(NO_SHEETS, Place(name))


NO_SHEETS = "there is no filled-in sheet in this file"


def in_usual_signs(piece: DocumentBytes) -> DocumentBytes:
    """The piece with usual signs (`spelling.usual_signs`) and without escapes for others."""
    if piece.text is None or (piece.text.isascii() and b"\\u" not in piece.text):
        return piece
    with suppress(UnicodeDecodeError):
        text = usual_signs(_ESCAPE.sub(_character, piece.text.decode()))
        return replace(piece, text=_QUOTED.sub(r'\1"\2\3"', text).encode())
    return piece


def pieces(stream: BinaryIO, name: str) -> Iterator[DocumentBytes]:
    """Cuts a file into its documents."""
    block = stream.read(_BLOCK)
    lines = name.endswith((".jsonl", ".ndjson")) or _is_json_lines(block)
    cut = _LINE if lines else _MARKER
    partial = _PartialDocument(lines)
    while block:
        *whole, rest = cut.split(partial.rest + block)
        for text in whole:
            yield partial.finish(text, cut=True)
        partial.extend(rest)
        block = stream.read(_BLOCK)
    yield partial.finish(partial.rest.removesuffix(b"\n---"))


class _PartialDocument(Struct):
    """The document that is being read. If it is too large, only its last bytes are kept, because the next marker may
    begin in them."""

    whole: bool
    first_line: int = 1
    line: int = 1
    rest: bytes = b""
    too_large: bool = False

    def finish(self, text: bytes, cut: bool = False) -> DocumentBytes:
        """The document that ends with `text`; `cut` is true if a marker or the end of a line ends it."""
        start, too_large = self.first_line, self.too_large or len(text) > MAX_BYTES
        self.first_line = self.line = self.line + text.count(b"\n") + 1
        self.too_large = False
        if cut and not self.whole and b"%" in text:
            text = _DIRECTIVES.sub(b"", text)
        return DocumentBytes(start, None if too_large else text, self.whole)

    def extend(self, rest: bytes) -> None:
        if len(rest) > MAX_BYTES:
            self.line += rest.count(b"\n", 0, len(rest) - _TAIL)
            self.rest, self.too_large = rest[-_TAIL:], True
        else:
            self.rest = rest


def _is_json_lines(head: bytes) -> bool:
    """Whether the file is JSON Lines, judging by its first two lines. One of them may be missing a brace."""
    lines = [line.strip() for line in head.splitlines()[:50] if line.strip()][:2]
    if len(lines) < 2:
        return False
    first, second = lines
    if _is_mapping(first):
        return not second.startswith((b"---", b"...", b"#", b"%"))
    return _is_mapping(second) and (first.endswith(b"}") or (first.startswith(b"{") and first[-1:] not in b",[{:"))


def _is_mapping(line: bytes) -> bool:
    return line.startswith(b"{") and line.endswith(b"}")


def of_piece(piece: DocumentBytes, name: str) -> Iterator[Document | InputError]:
    """The documents of a piece that are not blank: one, or none, or several where YAML, which includes JSON, separates
    them."""
    piece = in_usual_signs(piece)
    parsed = list(_without_stray_words(_nodes(piece, name)))
    is_broken = piece.text is not None and _is_broken_json(parsed, piece)
    if is_broken and (syntax_error := _not_json(piece, name)):
        yield syntax_error
        return
    for node in parsed:
        if isinstance(node, InputError):
            yield node
        elif not (isinstance(node, Scalar) and node.blank):
            yield Document(node, node.place)


def _is_broken_json(parsed: list[Node | InputError], piece: DocumentBytes) -> bool:
    """Whether a document looks like JSON but is neither valid JSON nor valid YAML."""
    text = (piece.text or b"").lstrip(b"\xef\xbb\xbf \t\r\n")
    looks_like_json = (text[:1] == b"{" and text[1:].lstrip()[:1] in (b'"', b"")) or text[:1] == b"["
    if piece.whole and text and not text.startswith((b"{", b"#")):
        return True
    return (looks_like_json or piece.whole) and any(
        isinstance(node, InputError) and node.problems[0].message.startswith(nodes.UNREADABLE) for node in parsed
    )


_JSON_WORDS = {
    "Expecting property name": "a key in double quotes is missing",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a “:” is missing",
    "Expecting value": "a value is missing",
    "Unterminated string": "the text that begins here has no closing quotation mark",
    "Invalid control character": "there is a tab or a line break inside a text",
    "Invalid \\escape": "an unknown escape after “\\”",
    "Extra data": "there is more after the end of the document",
}


def _not_json(piece: DocumentBytes, name: str) -> InputError | None:
    """The first syntax error in a JSON document, with line and column; None if it is valid JSON."""
    from json import JSONDecodeError, loads  # needed only after a mistake

    text = (piece.text or b"").decode("utf-8-sig", "replace").rstrip()
    if piece.whole and not text.lstrip().startswith("{"):
        return fault("not readable as JSON: a line must begin with “{”", Place(name, piece.line))
    try:
        loads(text)
    except JSONDecodeError as error:
        place = Place(name, piece.line + error.lineno - 1)
        reason = next((words for beginning, words in _JSON_WORDS.items() if beginning in error.msg), error.msg.lower())
        if error.pos >= len(text):
            return fault("not readable as JSON: it ends too early", place, "add the “}” or “]” that closes it")
        return fault(f"not readable as JSON: {reason} (column {error.colno})", place)
    except (ValueError, RecursionError):
        return None
    return None


def _nodes(piece: DocumentBytes, name: str) -> Iterator[Node | InputError]:
    if piece.text is None:
        yield fault(f"a sheet may not be larger than {MAX_BYTES / 1e6:g} MB", Place(name, piece.line))
        return
    try:
        text = nodes.decode(piece.text, name)
    except InputError as error:
        yield InputError(_shifted(problem, piece.line - 1) for problem in error.problems)
        return
    outside = _BLOCK_TEXT.sub(lambda block: block[0].replace("#", " "), text)
    if match := next((match for match in _NUMBER_SIGN.finditer(outside) if match[1].strip()), None):
        place = Place(name, piece.line + text.count("\n", 0, match.start(2)))
        hint = "leave out the “#”, or put a space after it"
        yield fault(f"“{match[2]}” begins a comment, which is not read", place, hint)
        return
    json = text.lstrip()
    if json.startswith("{") or not json:  # tabs before the first token are white space in JSON, but errors in YAML
        text = text[: len(text) - len(json)].replace("\t", " ") + json
    parsed = [*nodes.documents(text, name, piece.line, keep_lines=True)]
    if any(isinstance(node, InputError) for node in parsed) and re.search(r"[:\[,][ \t]*-(?![^\s,}\]])", text):
        for dashes in (_DASHES, _DASHES_IN_BRACES):
            text = dashes.sub(r'\1"\2"', text)
        quoted = [*nodes.documents(_DASH.sub(r'\1"-"', text), name, piece.line, keep_lines=True)]
        parsed = parsed if any(isinstance(node, InputError) for node in quoted) else quoted
    yield from parsed


def _without_stray_words(parsed: Iterator[Node | InputError]) -> Iterator[Node | InputError]:
    """Leaves out a single word just before a syntax error, because it is part of the invalid text."""
    previous: Node | InputError | None = None
    for document in parsed:
        if previous is not None and not (isinstance(previous, Scalar) and isinstance(document, InputError)):
            yield previous
        previous = document
    if previous is not None:
        yield previous


def _shifted(problem: Problem, lines: int) -> Problem:
    place = problem.place
    return Problem(problem.message, Place(place.file, place.line + lines) if place else None, problem.hint)


def _character(escape: re.Match[str]) -> str:
    """The character that an escape encodes if it is visible and not ASCII. JSON escapes characters beyond U+FFFF as
    pairs of surrogates; YAML does not."""
    if escape[1]:
        return chr(0x10000 + ((int(escape[1], 16) - 0xD800) << 10) + int(escape[2], 16) - 0xDC00)
    character = chr(int(escape[3], 16)) if escape[3] else ""
    return character if character > "\x7f" and (character.isprintable() or character in _SPACES) else escape[0]
