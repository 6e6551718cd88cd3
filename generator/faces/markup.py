"""Parses XML into nodes that record their lines, and the content of `text` elements into words and glyphs.

Refuses document types and entity declarations, so no other file is ever read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from xml.parsers import expat

from msgspec import Struct, field

from ..errors import InputError, Place, Problem
from .face import InlineIcon, Locate, Origin, Piece, Words

MAX_ELEMENTS = 10_000
MAX_DEPTH = 40
_MAX_SHOWN = 90


class MarkupNode(Struct):
    """An element as written: `content` holds texts and elements in order; `line` is its line in the XML."""

    tag: str
    attributes: dict[str, str]
    line: int
    content: list[str | MarkupNode] = field(default_factory=list)


class MarkupSource(Struct, frozen=True):
    """The rendered XML of a face: its name (`card 4`), its template file and its text."""

    name: str
    file: str
    text: str
    locate: Locate | None = None
    origin: Origin | None = None

    def place(self, line: int, tag: str) -> Place | None:
        """The line of the template from which an element on a line of the XML comes."""
        return self.locate(line, tag) if self.locate else None

    def problem(
        self,
        message: str,
        line: int,
        hint: str = "",
        *,
        tag: str = "",
        alike: str = "",
        detail: float | str = 0.0,
        text: str = "",
    ) -> Problem:
        """A problem of an element on a line of the XML, at the cell of the table that has its `text`, or at its line in
        the template. If that is not known, or the XML cannot be read (no `tag`), the message quotes the line of the
        XML."""
        if text and self.origin and (cell := self.origin(text)):
            return Problem(f"{self.name}: {message}", cell, hint, alike, detail=detail, in_cards=True)
        place = self.place(line, tag)
        if place and tag:
            return Problem(f"{self.name}: {message}", place, hint, alike, detail=detail)
        lines = self.text.split("\n", line)[line - 1 : line] or [""]
        excerpt = cut(lines[0].strip(), _MAX_SHOWN)
        return Problem(f"{self.name}: {message} (line {line} as rendered: {excerpt})", place or Place(self.file), hint)


def cut(text: str, max_length: int = 30) -> str:
    """The first `max_length` characters of a text, safe to show on a terminal."""
    start = text if len(text) <= max_length else text[:max_length] + " …"
    return start if start.isprintable() else "".join(letter if letter.isprintable() else "�" for letter in start)


class _RefusedError(Exception):
    """Well-formed XML that is refused."""


class _TreeBuilder:
    """Builds a tree of nodes from Expat's events."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse
        self.open = [MarkupNode("", {}, 1)]
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise _RefusedError(f"this face has more than {MAX_ELEMENTS:,} elements")
        if len(self.open) > MAX_DEPTH:
            raise _RefusedError(f"elements are nested more than {MAX_DEPTH} levels deep")
        node = MarkupNode(tag, attributes, self.parser.CurrentLineNumber)
        self.open[-1].content.append(node)
        self.open.append(node)

    def end(self, tag: str) -> None:
        self.open.pop()

    def text(self, data: str) -> None:
        self.open[-1].content.append(data)

    def refuse(self, *_: object) -> None:
        raise _RefusedError("a document type or entity declaration is not allowed")


def parse(source: MarkupSource) -> MarkupNode:
    """Parses XML and returns its outermost element; raises InputError with the line."""
    reader = _TreeBuilder()
    try:
        reader.parser.Parse(source.text.encode("utf-8", "surrogatepass"), True)
    except _RefusedError as error:
        raise fault_in(source, str(error), reader.parser.CurrentLineNumber) from None
    except expat.ExpatError as error:
        raise fault_in(
            source,
            f"not readable as XML: {expat.ErrorString(error.code) or 'an error'}",
            error.lineno,
            _hint(reader, source, error),
        ) from None
    root = reader.open[0].content[0]
    assert isinstance(root, MarkupNode)
    return root


def fault_in(source: MarkupSource, message: str, line: int, hint: str = "") -> InputError:
    """An InputError with a single problem on a line of the XML."""
    return InputError([source.problem(message, line, hint)])


def _hint(reader: _TreeBuilder, source: MarkupSource, error: expat.ExpatError) -> str:
    if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
        return "write the character itself; XML only supports &amp; &lt; &gt; &quot; &apos;"
    if len(reader.open) > 1:
        node = reader.open[-1]
        place = source.place(node.line, node.tag)
        return f"<{node.tag}> of line {place.line if place else node.line} is not closed"
    return ""


# ---- the content of `text` elements, white space collapsed as in HTML

PLAIN = Words("")
EMPTY = ("icon", "br")
NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})
_SPACE = re.compile(r"[ \t\r\n]+")


def pieces(node: MarkupNode) -> tuple[Piece, ...]:
    """The pieces of a `text` element in order. Adjacent text in one font is one piece; lines do not begin or end with
    spaces."""
    return assembled(_raw(node, PLAIN))


def assembled(raw: Iterable[Piece]) -> tuple[Piece, ...]:
    """Joins raw pieces and removes surplus spaces."""
    joined: list[Piece] = []
    for piece in raw:
        if isinstance(piece, InlineIcon):
            joined.append(piece)
        elif piece.text:
            _append(joined, piece)
    _trim(joined)
    return tuple(joined)


def _raw(node: MarkupNode, font: Words) -> Iterator[Piece]:
    for part in node.content:
        if isinstance(part, str):
            yield words_in(part, font)
        elif part.tag in EMPTY:
            yield glyph_or_break(part.tag, part.attributes.get("name", ""), font)
        else:
            yield from _raw(part, font_in(part.tag, font, part.attributes))


# ---- raw pieces ---------------------------------------------------------------------------------------------------


def words_in(text: str, font: Words) -> Words:
    """Text in a font. White space becomes spaces, so that only a line break is the text "\\n"."""
    if "  " in text or not text.isprintable():
        text = _SPACE.sub(" ", text)
    return Words(text, *font[1:])


def font_in(tag: str, font: Words, attributes: Mapping[str, str] = NO_ATTRIBUTES) -> Words:
    """The font inside `b` or `i`, and the emphasis inside `u`, `s` or a checked `span`."""
    if tag in ("b", "i"):
        return Words(font.text, font.bold or tag == "b", font.italic or tag == "i", font.emphasis)
    emphasis = font.emphasis
    if tag == "span":
        return font._replace(emphasis=emphasis._replace(colour=attributes["colour"]))
    return font._replace(emphasis=emphasis._replace(underlined=True) if tag == "u" else emphasis._replace(struck=True))


def glyph_or_break(tag: str, name: str, font: Words) -> Piece:
    """The piece for an empty element: the icon with this name, or a line break."""
    return InlineIcon(name, font.emphasis) if tag == "icon" else font._replace(text="\n")


# ---- joining ------------------------------------------------------------------------------------------------------


def _append(joined: list[Piece], words: Words) -> None:
    text = words.text
    if text == "\n":
        _trim(joined)
    last = joined[-1] if joined else None
    before = last.text if isinstance(last, Words) else ""
    if text[0] == " " and (last is None or before.endswith((" ", "\n"))):
        text = text[1:]
    if text and isinstance(last, Words) and last[1:] == words[1:]:
        joined[-1] = Words(last.text + text, *words[1:])
    elif text:
        joined.append(words if text is words.text else Words(text, *words[1:]))


def _trim(joined: list[Piece]) -> None:
    """Removes a trailing space."""
    last = joined[-1] if joined else None
    if isinstance(last, Words) and last.text.endswith(" "):
        joined[-1:] = [Words(last.text[:-1], *last[1:])] if last.text != " " else []
