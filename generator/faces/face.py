"""A face: the checked markup tree of one component, without coordinates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from ..errors import Place, Problem


class Emphasis(NamedTuple):
    """How words are set apart besides their font: a colour (`#rrggbb`, "" for that of the text) and lines."""

    colour: str = ""
    underlined: bool = False
    struck: bool = False


NO_EMPHASIS = Emphasis()


class Words(NamedTuple):
    """A stretch of text in one font; `bold` and `italic` choose within the style's family. Newlines break lines."""

    text: str
    bold: bool = False
    italic: bool = False
    emphasis: Emphasis = NO_EMPHASIS


class InlineIcon(Struct, frozen=True):
    """An icon in running text, as high as the line's capitals."""

    icon: str
    emphasis: Emphasis = NO_EMPHASIS


Piece: TypeAlias = Words | InlineIcon
Locate: TypeAlias = "Callable[[int, str], Place | None]"
"""Finds the line of a template from which an element comes, by its line in the rendered XML and its tag."""
Origin: TypeAlias = "Callable[..., Place | None]"
"""Finds the cell of a table whose text contains all the texts given."""


class Element(Struct, frozen=True):
    """An element with typed attributes (lengths in mm, colours `#rrggbb`); only `text` has `pieces`."""

    tag: str
    attributes: Mapping[str, Any]
    children: tuple[Element, ...] = ()
    pieces: tuple[Piece, ...] = ()
    line: int = 0


MISSING = "missing"
"""The tag of an element that a draft shows instead of one that cannot be drawn: a crossed box with a `label`. Its
`problems` say why."""
_PLACING = ("width", "height", "size", "grow", "x", "y", "bleed")


def missing(attributes: Mapping[str, Any], label: str, problems: Sequence[Problem], line: int = 0) -> Element:
    """A crossed box in the place that `attributes` state."""
    placing = {name: attributes[name] for name in _PLACING if name in attributes}
    return Element(MISSING, {**placing, "label": label, "problems": tuple(problems)}, line=line)


class Face(Struct, frozen=True):
    """A whole face. Messages use `name` (`card 4`) and `template`, its file."""

    name: str
    template: str
    root: Element
    size: tuple[float, float]
    bleed: float = 0.0
    safe: float = 0.0
    locate: Locate | None = None
    origin: Origin | None = None

    def place(self, element: Element) -> Place:
        """The line of the template that an element comes from, or the template if that cannot be known."""
        place = self.locate(element.line, element.tag) if self.locate and element.line else None
        return place or Place(self.template)

    def cell(self, element: Element, text: str = "") -> Place | None:
        """The cell from which a text of an element comes, if the face shows a row of a table."""
        if self.origin is None:
            return None
        words = "".join(piece.text for piece in element.pieces if isinstance(piece, Words))
        return self.origin(text, words) or self.origin(text) if text else self.origin(words)
