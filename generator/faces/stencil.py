"""Stencils: what the faces of a deck have in common, checked once, with gaps where their values stand in running text.

Cards share a stencil when the text their template writes is alike but for those values. Where a value shapes more than
words (a colour, a size, a condition, a loop) the text around the holes differs, and so does the stencil.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from xml.parsers import expat

from markupsafe import escape

from ..errors import InputError
from . import markup
from .budget import MOST_CHARACTERS
from .check import Check
from .face import Face, Piece
from .filling import MARK, alone, filled
from .holes import MARKS, MOST_TAGS, NUMBER, RICH, Taken
from .markup import MOST_ELEMENTS, Node
from .rendering import VARYING, Repeat
from .templates import Templates

MOST_STENCILS = 128
"""A template that makes more different ones than this has little to share."""

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
        return filled(self.node, values) if self.only is None else alone(values[self.only])


@dataclass(frozen=True, slots=True, eq=False)
class Stencil:
    """A checked face whose texts with `gap` are to be filled in."""

    face: Face
    gaps: tuple[Gap, ...]


@dataclass(slots=True, eq=False)
class _Source:
    """The text of faces with marks in it, which of the holes lie in attributes (None: there is no way to share it), and
    its stencils by what stands in those."""

    text: str
    within: tuple[int, ...] | None
    stencils: dict[tuple[str, ...], Stencil | None] = field(default_factory=dict)


@dataclass(slots=True)
class _Template:
    """What is known of the faces of one template, by the parts of their text; `tried` are the stencils made, or found
    to be wrong. `always` is the face of a template that does not speak of the card."""

    repeat: Repeat
    sources: dict[tuple[str, ...], _Source] = field(default_factory=dict)
    tried: int = 0
    always: tuple[Stencil, list[str]] | None = None


class Stencils:
    """The stencils of a game's faces of one kind, which share `size`, `bleed`, `safe` and `folder`; their templates may
    speak of what is in `about`, and of the card."""

    def __init__(self, templates: Templates, about: Mapping[str, Any], *, size: tuple[float, float], bleed: float = 0.0,
                 safe: float = 0.0, folder: Path | None = None) -> None:
        self.templates, self.about = templates, about
        self.size, self.bleed, self.safe, self.folder = size, bleed, safe, folder
        self._known: dict[str, _Template] = {}

    def find(self, template: str, card: Any, name: str) -> tuple[Stencil, list[str]] | None:
        """The stencil of a face and the values for its holes; None where the face must be built by itself. Raises
        InputError where its template cannot be rendered."""
        known = self._known.get(template)
        if known is None:
            known = self._known[template] = _Template(Repeat(self.about))
        if known.always:
            return known.always
        if not self.templates.streams or max(len(known.sources), known.tried) > MOST_STENCILS:
            return None
        apart = self.templates.render_apart(template, known.repeat.of(card), name)
        return apart and self._found(known, template, *apart, name)

    def alike(self, template: str) -> bool:
        """Whether every card has the same face, as this template does not speak of them."""
        return self._known[template].always is not None

    def _found(self, known: _Template, template: str, parts: tuple[str, ...], taken: Taken,
               name: str) -> tuple[Stencil, list[str]] | None:
        values = taken.values
        source = known.sources.get(parts)
        if source is None:
            source = known.sources[parts] = _source("".join(parts), len(values))
        if source.within is None or len(source.text) + taken.most > MOST_CHARACTERS:
            return None
        key = tuple([values[hole] for hole in source.within])
        stencil = source.stencils.get(key)
        if stencil is None and key not in source.stencils:
            known.tried += 1
            stencil = source.stencils[key] = self._made(source, self.templates.file(template), values, name)
            if stencil and not self.templates.mentions(template, VARYING):
                known.always = stencil, values
        return (stencil, values) if stencil else None

    def _made(self, source: _Source, file: str, values: Values, name: str) -> Stencil | None:
        filled = source.text
        if filled.count("<") + MOST_TAGS * len(values) > MOST_ELEMENTS:
            return None
        for hole in source.within or ():
            value = values[hole]
            filled = filled.replace(MARKS[hole], value[1:] if value.startswith(RICH) else str(escape(value)))
        check = _Check(markup.Source(name, file, filled), self.templates, self.folder)
        try:
            root = check.face(markup.parse(check.source))
        except InputError:
            return None
        face = Face(name, file, root, self.size, self.bleed, self.safe, frozenset(check.icons))
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
            yield from (NUMBER[mark] for mark in MARK.findall(part))
        else:
            yield from _holes(part)


def _source(text: str, count: int) -> _Source:
    """A text with so many marks. It cannot be shared where it is no XML, or a hole lies elsewhere than in an attribute
    or a text."""
    if "<!" in text or "<?" in text:
        return _Source(text, None)
    parser, written, attributes = expat.ParserCreate("utf-8"), list[str](), list[str]()
    parser.CharacterDataHandler = lambda data: written.extend(MARK.findall(data))
    parser.StartElementHandler = lambda _, found: attributes.extend(MARK.findall("".join(found.values())))
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError:
        return _Source(text, None)
    if sorted(written + attributes) != list(MARKS[:count]):
        return _Source(text, None)
    return _Source(text, tuple(sorted(NUMBER[mark] for mark in attributes)))
