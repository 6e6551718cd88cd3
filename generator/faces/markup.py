"""Parses XML into nodes that know their lines, and the content of `text` elements into words and glyphs.

Document types and entities are refused; nothing else is ever read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ..errors import InputError, Place, Problem
from .face import Glyph, Piece, Words

MAX_ELEMENTS = 10_000
MAX_DEPTH = 40
_MAX_SHOWN = 90


@dataclass(slots=True)
class Node:
    """An element as it is written; `content` holds texts and elements in order, `line` is that of the XML."""

    tag: str
    attributes: dict[str, str]
    line: int
    content: list[str | Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Source:
    """The rendered XML of a face: its name (`card 4`), its template file and its text."""

    name: str
    file: str
    text: str

    def problem(self, message: str, line: int, hint: str = "") -> Problem:
        """A problem on a line of the XML. The message quotes the line, because a template has other line numbers."""
        found = self.text.split("\n", line)[line - 1 : line] or [""]
        shown = cut(found[0].strip(), _MAX_SHOWN)
        return Problem(f"{self.name}: {message} (line {line} as rendered: {shown})", Place(self.file), hint)


def cut(text: str, most: int = 30) -> str:
    """The first `most` letters of a text, safe to show on a terminal."""
    shown = text if len(text) <= most else text[:most] + " …"
    return shown if shown.isprintable() else "".join(letter if letter.isprintable() else "�" for letter in shown)


class _RefusedError(Exception):
    """Well-formed XML that is refused."""


class _Reader:
    """Expat's events → a tree."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse
        self.open = [Node("", {}, 1)]
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise _RefusedError(f"this face has more than {MAX_ELEMENTS:,} elements")
        if len(self.open) > MAX_DEPTH:
            raise _RefusedError(f"elements are nested more than {MAX_DEPTH} deep")
        node = Node(tag, attributes, self.parser.CurrentLineNumber)
        self.open[-1].content.append(node)
        self.open.append(node)

    def end(self, tag: str) -> None:
        self.open.pop()

    def text(self, data: str) -> None:
        self.open[-1].content.append(data)

    def refuse(self, *_: object) -> None:
        raise _RefusedError("a document type or entity declaration is not allowed")


def parse(source: Source) -> Node:
    """Parses XML and returns its outermost element; raises InputError with the line."""
    reader = _Reader()
    try:
        reader.parser.Parse(source.text.encode("utf-8", "surrogatepass"), True)
    except _RefusedError as error:
        raise fault_in(source, str(error), reader.parser.CurrentLineNumber) from None
    except expat.ExpatError as error:
        raise fault_in(source, f"not readable as XML: {_reason(error)}", error.lineno, _hint(reader, error)) from None
    root = reader.open[0].content[0]
    assert isinstance(root, Node)
    return root


def fault_in(source: Source, message: str, line: int, hint: str = "") -> InputError:
    """An InputError with a single problem on a line of the XML."""
    return InputError([source.problem(message, line, hint)])


def _reason(error: expat.ExpatError) -> str:
    return expat.ErrorString(error.code) or "an error"


def _hint(reader: _Reader, error: expat.ExpatError) -> str:
    if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
        return "write the character itself; XML only knows &amp; &lt; &gt; &quot; &apos;"
    if len(reader.open) > 1:
        return f"<{reader.open[-1].tag}> of line {reader.open[-1].line} is not closed"
    return ""


# ---- the content of `text` elements, white space collapsed as in HTML

PLAIN = Words("")
EMPTY = ("icon", "br")
_SPACE = re.compile(r"[ \t\r\n]+")


def pieces(node: Node) -> tuple[Piece, ...]:
    """The pieces of a `text` element in order. Adjacent text in one font is one piece; lines do not begin or end with
    spaces."""
    return assembled(_raw(node, PLAIN))


def assembled(raw: Iterable[Piece]) -> tuple[Piece, ...]:
    """Joins raw pieces and removes surplus spaces."""
    made: list[Piece] = []
    for piece in raw:
        if isinstance(piece, Glyph):
            made.append(piece)
        elif piece.text:
            _append(made, piece)
    _trim(made)
    return tuple(made)


def _raw(node: Node, font: Words) -> Iterator[Piece]:
    for part in node.content:
        if isinstance(part, str):
            yield said(part, font)
        elif part.tag in EMPTY:
            yield empty(part.tag, part.attributes.get("name", ""), font)
        else:
            yield from _raw(part, within(part.tag, font))


# ---- raw pieces ---------------------------------------------------------------------------------------------------


def said(text: str, font: Words) -> Words:
    """Text in a font. White space becomes spaces, so that only a line break is the text "\\n"."""
    if "  " in text or not text.isprintable():
        text = _SPACE.sub(" ", text)
    return Words(text, font.bold, font.italic)


def within(tag: str, font: Words) -> Words:
    """The font inside `b` or `i`."""
    return font._replace(bold=True) if tag == "b" else font._replace(italic=True)


def empty(tag: str, name: str, font: Words) -> Piece:
    """An empty element: an icon with this name, or a line break."""
    return Glyph(name) if tag == "icon" else Words("\n", font.bold, font.italic)


# ---- joining ------------------------------------------------------------------------------------------------------


def _append(made: list[Piece], words: Words) -> None:
    text, bold, italic = words
    if text == "\n":
        _trim(made)
    last = made[-1] if made else None
    before = last.text if isinstance(last, Words) else ""
    if text[0] == " " and (last is None or before.endswith((" ", "\n"))):
        text = text[1:]
    if text and isinstance(last, Words) and last[1:] == (bold, italic):
        made[-1] = Words(last.text + text, bold, italic)
    elif text:
        made.append(Words(text, bold, italic))


def _trim(made: list[Piece]) -> None:
    """Removes the space at the end."""
    last = made[-1] if made else None
    if isinstance(last, Words) and last.text.endswith(" "):
        made[-1:] = [last._replace(text=last.text[:-1])] if last.text != " " else []
