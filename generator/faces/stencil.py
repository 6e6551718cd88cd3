"""Stencils: what the faces of a deck have in common, checked once, with gaps where their values stand in running text.

Cards share a stencil when the text their template writes is alike but for those values. Where a value shapes more than
words (a colour, a size, a condition, a loop) the text around the holes differs, and so does the stencil.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, TypeAlias
from xml.parsers import expat

from markupsafe import escape

from ..errors import InputError
from ..records import dataclass
from . import markup, text
from .check import Check
from .holes import MARKS, MOST_TAGS, NUMBER, RICH
from .markup import MOST_ELEMENTS, Node
from .nouns import Face, Piece
from .templates import Rendered, Templates

MOST_STENCILS = 128
"""A template that makes more different ones than this has little to share."""

VARYING = "card"
"""What differs from one face of a kind to the next, of all that its template may speak of."""

_MARK = re.compile(f"([{MARKS[0]}-{MARKS[-1]}])")
_SPACES = " \t\r\n"
Values: TypeAlias = Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """A `text` element whose words are not all known: its node as rendered, with marks, and the numbers of its holes.
    `only` is the number of a hole that is all there is."""

    number: int
    node: Node
    holes: tuple[int, ...]
    only: int | None

    def words(self, values: Values) -> str | None:
        """The text, where it is one value in one font with nothing but spaces between its words; else None."""
        if self.only is None:
            return None
        value = values[self.only]
        return value if value.isprintable() else None

    def pieces(self, values: Values) -> tuple[Piece, ...]:
        """The text with its values; raises ValueError where one of them is no running text."""
        return text.pieces(_filled(self.node, values))


@dataclass(frozen=True, slots=True, eq=False)
class Stencil:
    """A checked face whose texts with `gap` are to be filled in."""

    face: Face
    gaps: tuple[Gap, ...]


@dataclass(slots=True)
class _Template:
    """What is known of the faces of one template: by the text around the holes, the holes that lie in attributes; by
    that and their values, the stencil. None where there is no way to share. `always` is the face of a template that
    does not speak of the card."""

    attributes: dict[str, tuple[int, ...] | None] = field(default_factory=dict)
    stencils: dict[tuple[str, ...], Stencil | None] = field(default_factory=dict)
    always: tuple[Stencil, list[str]] | None = None


class Stencils:
    """The stencils of a game's faces of one kind, which share `size`, `bleed`, `safe` and `folder`."""

    def __init__(self, templates: Templates, *, size: tuple[float, float], bleed: float = 0.0, safe: float = 0.0,
                 folder: Path | None = None) -> None:
        self.templates = templates
        self.size, self.bleed, self.safe, self.folder = size, bleed, safe, folder
        self._known: dict[str, _Template] = {}

    def find(self, template: str, context: Mapping[str, Any], name: str) -> tuple[Stencil, list[str]] | None:
        """The stencil of a face and the values for its holes; None where the face must be built by itself. Raises
        InputError where its template cannot be rendered."""
        known = self._known.setdefault(template, _Template())
        if known.always:
            return known.always
        if not self.templates.streams or max(len(known.attributes), len(known.stencils)) > MOST_STENCILS:
            return None
        rendered, values = self.templates.render_apart(template, context, name)
        found = None if values is None else self._found(known, rendered, values, name)
        if found is None or values is None:
            return None
        if not self.templates.mentions(template, VARYING):
            known.always = found, values
        return found, values

    def _found(self, known: _Template, rendered: Rendered, values: Values, name: str) -> Stencil | None:
        source = rendered.text
        if source not in known.attributes:
            known.attributes[source] = _in_attributes(source, len(values))
        within = known.attributes[source]
        if within is None:
            return None
        key = (source, *[values[hole] for hole in within])
        if key not in known.stencils:
            known.stencils[key] = self._made(rendered, values, within, name)
        return known.stencils[key]

    def _made(self, rendered: Rendered, values: Values, within: tuple[int, ...], name: str) -> Stencil | None:
        filled = rendered.text
        if filled.count("<") + MOST_TAGS * len(values) > MOST_ELEMENTS:
            return None
        for hole in within:
            value = values[hole]
            filled = filled.replace(MARKS[hole], value[1:] if value.startswith(RICH) else str(escape(value)))
        check = _Check(markup.Source(name, rendered.file, filled), self.templates, self.folder)
        try:
            root = check.face(markup.parse(check.source))
        except InputError:
            return None
        face = Face(name, rendered.file, root, self.size, self.bleed, self.safe, frozenset(check.icons))
        return Stencil(face, tuple(check.gaps))


@dataclass(slots=True)
class _Check(Check):
    """The check of a stencil, which knows texts with holes."""

    gaps: list[Gap] = field(default_factory=list)

    def gap(self, node: Node) -> Gap | None:
        holes = tuple(_holes(node))
        if not holes:
            return None
        alone = "".join([part if isinstance(part, str) else "<" for part in node.content]).strip(_SPACES)
        self.gaps.append(Gap(len(self.gaps), node, holes, holes[0] if alone in NUMBER else None))
        return self.gaps[-1]


def _holes(node: Node) -> Iterator[int]:
    for part in node.content:
        if isinstance(part, str):
            yield from (NUMBER[mark] for mark in _MARK.findall(part))
        else:
            yield from _holes(part)


def _in_attributes(source: str, count: int) -> tuple[int, ...] | None:
    """The numbers of the holes that lie in attributes; None where the text is no XML or a hole lies elsewhere than in
    an attribute or a text."""
    if "<!" in source or "<?" in source:
        return None
    parser, written, attributes = expat.ParserCreate("utf-8"), list[str](), list[str]()
    parser.CharacterDataHandler = lambda data: written.extend(_MARK.findall(data))
    parser.StartElementHandler = lambda _, found: attributes.extend(_MARK.findall("".join(found.values())))
    try:
        parser.Parse(source.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError:
        return None
    if sorted(written + attributes) != list(MARKS[:count]):
        return None
    return tuple(sorted(NUMBER[mark] for mark in attributes))


# ---- filling in ---------------------------------------------------------------------------------------------------

def _filled(node: Node, values: Values) -> Node:
    made = Node(node.tag, node.attributes, node.line)
    for part in node.content:
        if isinstance(part, str):
            _fill(made, part, values)
        else:
            made.content.append(_filled(part, values))
    return made


def _fill(node: Node, written: str, values: Values) -> None:
    for part in _MARK.split(written):
        value = values[NUMBER[part]] if part in NUMBER else part
        for piece in _read(value[1:]) if value.startswith(RICH) else (value,):
            if isinstance(piece, str) and node.content and isinstance(node.content[-1], str):
                node.content[-1] += piece
            else:
                node.content.append(piece)


_TOKEN = re.compile(r'<(/?)([a-z]+)(?: name="([^"]*)")?(/?)>')
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&"}


def _read(written: str) -> list[str | Node]:
    """Inline markup → nodes; raises ValueError where its tags do not pair."""
    open_, at = [Node("", {}, 0)], 0
    for match in _TOKEN.finditer(written):
        open_[-1].content.append(_plain(written[at:match.start()]))
        at = match.end()
        closes, tag, name, empty = match.groups()
        if closes:
            if len(open_) < 2 or open_.pop().tag != tag:
                raise ValueError
            continue
        node = Node(tag, {"name": name} if name else {}, 0)
        open_[-1].content.append(node)
        if not empty:
            open_.append(node)
    if len(open_) > 1:
        raise ValueError
    return [*open_[0].content, _plain(written[at:])]


def _plain(written: str) -> str:
    if "&" in written:
        for entity, letter in _ENTITIES.items():
            written = written.replace(entity, letter)
    return written
