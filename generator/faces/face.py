"""A face: the checked markup tree of one component, without coordinates. Its elements and their attributes are in one
table that the check and the layout share. A test compares it with the documentation.

`Element.attributes` contains the attributes that the markup gives, typed by their kind, under their Python keys
(`stroke-width` → `stroke_width`). `omitted` describes the default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from ..errors import Place, Problem
from . import kinds
from .kinds import Kind, choice

Holds: TypeAlias = Literal["boxes", "text", "nothing"]


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


class Attribute(Struct, frozen=True):
    """An attribute: its key in `Element.attributes`, its kind, what it does, and its default in words
    (None: the attribute is required)."""

    key: str
    kind: Kind
    about: str
    omitted: str | None


class Tag(Struct, frozen=True):
    """An element: what it is, its attributes by their names in markup, the required ones, and what it may contain."""

    about: str
    attributes: Mapping[str, Attribute]
    needed: tuple[str, ...]
    holds: Holds


_Row: TypeAlias = tuple[Kind, str, str | None]  # kind, about, omitted

_SIZE: dict[str, _Row] = {
    "width": (kinds.SIZE, "width of the box", "as its parent or its content requires"),
    "height": (kinds.SIZE, "height of the box", "as its parent or its content requires"),
    "grow": (kinds.NUMBER, "share of the remaining space along the parent row or column", "0"),
}
_TURN: dict[str, _Row] = {
    "turn": (
        kinds.TURN,
        "clockwise rotation: at 90, 180 or 270, the contents are laid out turned; at any other angle, the finished "
        "box is turned about its centre",
        "0",
    )
}
_OPACITY: dict[str, _Row] = {"opacity": (kinds.OPACITY, "opacity of the box and its contents", "1")}
_CLIP: dict[str, _Row] = {
    "clip": (
        choice("none", "round", "hex", "pointed-hex"),
        "cuts the box and its contents to an ellipse or a hexagon that fills it",
        "`none`",
    )
}
_STROKE: dict[str, _Row] = {
    "stroke": (kinds.FILL, "colour of the outline, or a gradient", "none"),
    "stroke-width": (kinds.SIZE, "width of the outline", "0.25"),
    "dash": (kinds.DASH, "dashes and gaps of the outline", "a solid line"),
}
_LOOK: dict[str, _Row] = {
    "padding": (kinds.SIDES, "space between the outline and the content", "0"),
    "fill": (kinds.FILL, "colour of the box, or a gradient", "none"),
    **_STROKE,
    "radius": (kinds.CORNERS, "radius of the corners", "0"),
}
_BLEED: dict[str, _Row] = {
    "bleed": (kinds.FLAG, "whether its fill or picture extends into the bleed where it reaches the trim", "true")
}
_BOX = {**_SIZE, **_LOOK, **_CLIP, **_OPACITY, **_TURN, **_BLEED}

_GAP: dict[str, _Row] = {"gap": (kinds.SIZE, "space between one child and the next", "0")}
_FLOW = choice("start", "center", "end", "between")
_CROSS = choice("start", "center", "end", "stretch")


def _main_axis(way: str) -> dict[str, _Row]:
    return {"justify": (_FLOW, f"where the children are placed {way} if none of them grows", "`start`")}


def _cross_axis(way: str) -> dict[str, _Row]:
    return {"align": (_CROSS, f"where the children are placed {way}", "`stretch`")}


def _in_cell(cell: str) -> dict[str, _Row]:
    return {
        "align": (_CROSS, f"where a child is placed vertically in {cell}", "`stretch`"),
        "justify": (_CROSS, f"where a child is placed horizontally in {cell}", "`stretch`"),
    }


_COLUMN = {**_GAP, **_cross_axis("horizontally"), **_main_axis("vertically")}
_ROW = {**_GAP, **_cross_axis("vertically"), **_main_axis("horizontally")}

_FACE = {**_LOOK, **_COLUMN}

_GRID: dict[str, _Row] = {
    "columns": (kinds.TRACKS, "number of columns, or their widths (`fr`: shares of the remaining space)", None),
    "rows": (
        kinds.TRACKS,
        "number of rows, or their heights",
        "as many as needed, sharing the height of the grid if it has one, otherwise as high as their content",
    ),
    "gap": (kinds.GAPS, "space between rows, and between columns", "0"),
    **_in_cell("its cell"),
}

_AT: dict[str, _Row] = {
    **_LOOK,
    **_CLIP,
    **_OPACITY,
    **_TURN,
    **_BLEED,
    "x": (kinds.PART, "left edge, from the left of the parent's inner box", "0"),
    "y": (kinds.PART, "top edge, from the top of the parent's inner box", "0"),
    "width": (kinds.PART_SIZE, "width of the box", "up to the parent's right edge"),
    "height": (kinds.PART_SIZE, "height of the box", "up to the parent's lower edge"),
    **_in_cell("the box"),
}

_SLOT: dict[str, _Row] = {
    **_BOX,
    "id": (kinds.NAME, "the id of the field that is filled in here", None),
    "shape": (
        choice("box", "circle", "line", "none"),
        "its outline: a box, a circle, a line to write on, or nothing",
        "`box`",
    ),
    "stroke": (kinds.FILL, "colour of the outline, or a gradient", "the theme's `line`"),
    "letters": (kinds.COUNT, "number of equal boxes in it, with one letter in each", "one box for the whole text"),
    "marks": (kinds.MARKS, "a box for each of these marks, to cross, or to ring if it has round ends", "none"),
    "columns": (kinds.COUNT, "number of columns of its boxes", "as many as boxes"),
    "gap": (kinds.GAPS, "space between the rows and between the columns of its boxes", "0"),
}

_TEXT: dict[str, _Row] = {
    **_BOX,
    "style": (kinds.STYLE, "a style of the theme", "`body`"),
    "font-size": (kinds.TYPE_SIZE, "type size", "the style's"),
    "floor": (kinds.TYPE_SIZE, "smallest size to which it may shrink", "the style's"),
    "colour": (kinds.COLOUR, "colour of the text and its icons", "the style's"),
    "align": (
        choice("left", "center", "right", "justify", "auto"),
        "horizontal alignment of its lines; `justify` fills all lines but the last; `auto` centres them, except for "
        "running text in Chinese, Japanese or Korean",
        "the style's",
    ),
    "valign": (choice("top", "middle", "bottom"), "vertical alignment of its lines", "`top`"),
    "outline": (kinds.PAINT, "colour of the outline around its letters", "the style's"),
    "outline-width": (kinds.SIZE, "how far the outline extends beyond the letters", "the style's, or 0.3"),
    "leading": (kinds.NUMBER, "distance of its baselines, as a multiple of the type size", "the style's"),
    "tracking": (kinds.LENGTH, "space added between letters", "the style's"),
    "case": (choice("none", "upper"), "`upper` prints it in capitals", "the style's"),
    "wrap": (
        kinds.WRAP,
        "whether long lines break between words; `anywhere` also breaks words that are wider than the box",
        "true",
    ),
    "balance": (
        choice("none", "lines", "end"),
        "`lines` makes its lines evenly long; `end` only keeps a single word from being the last one",
        "the style's",
    ),
    "language": (
        kinds.LANGUAGE,
        "the language of its hyphens and capitals",
        "that of the theme, if any",
    ),
    "lines": (kinds.COUNT, "the maximum number of lines", "as many as fit"),
}

_ICON: dict[str, _Row] = {
    **_BOX,
    "name": (
        kinds.ICON,
        "an SVG file or a picture in the game's or the shared icons, without its ending",
        None,
    ),
    "size": (kinds.SIZE, "both width and height", "the `width` and `height`, or the available space"),
    "colour": (kinds.COLOUR, "what `currentColor` means in the icon", "the theme's `ink`"),
    "fit": (
        choice("contain", "cover"),
        "whole inside the box, or covering the whole box and cropped by it",
        "`contain`",
    ),
}

_IMAGE: dict[str, _Row] = {
    **_BOX,
    "file": (kinds.PICTURE, "a picture file in the game's folder", None),
    "bleed": (
        kinds.BLEED,
        "whether its mirror image continues it in the bleed where it reaches the trim; `included` if it is a picture "
        "that fills the face and whose file has a bleed of its own",
        "`included` if its proportions say so, otherwise true",
    ),
    "fit": (
        choice("contain", "cover", "fill", "auto"),
        "whole inside the box, covering the whole box, or stretched to its shape; `auto` covers the box with its "
        "padding, but shows pictures without a background and very long ones whole inside the padding",
        "`contain`",
    ),
    "focus": (
        kinds.FOCUS,
        "what stays in view if `cover` crops it: words, or percentages from the left and the top, as in CSS",
        "`center`",
    ),
}

_QR: dict[str, _Row] = {
    **_BOX,
    "text": (kinds.CONTENT, "its text, usually a web address", None),
    "size": (kinds.SIZE, "both width and height", "the `width` and `height`, or the available space"),
    "colour": (kinds.COLOUR, "colour of its modules", "black"),
    "fill": (kinds.FILL, "colour of the box, which must be lighter than the code", "white behind the code"),
    "error": (
        choice("L", "M", "Q", "H"),
        "how much of it may be damaged or covered: about 7, 15, 25 or 30 %; more if the code stays the same size",
        "`M`",
    ),
    "quiet": (kinds.NUMBER, "width of the empty border that readers need, in modules", "4"),
}

_LINE: dict[str, _Row] = {
    **_SIZE,
    "x1": (kinds.PART, "left or right end, from the left of the parent's inner box", "a rule"),
    "y1": (kinds.PART, "its height there, from the top of the parent's inner box", "a rule"),
    "x2": (kinds.PART, "the same for the other end", "a rule"),
    "y2": (kinds.PART, "its height there", "a rule"),
    **_STROKE,
    "stroke": (kinds.FILL, "colour of the line, or a gradient", "the theme's `line`"),
    **_OPACITY,
}

_PATH: dict[str, _Row] = {
    **_SIZE,
    **_OPACITY,
    **_TURN,
    "d": (kinds.PATH, "SVG path data", None),
    "viewbox": (kinds.VIEW_BOX, "the part of the drawing that is fitted into the box", "`0 0 24 24`"),
    "fill": (kinds.FILL, "fill colour, or a gradient", "the theme's `ink` if it has no `stroke`"),
    **_STROKE,
}


def _tag(holds: Holds, attributes: dict[str, _Row], about: str) -> Tag:
    typed = {name: Attribute(name.replace("-", "_"), *row) for name, row in attributes.items()}
    needed = tuple(name for name, attribute in typed.items() if attribute.omitted is None)
    return Tag(about, MappingProxyType(typed), needed, holds)


ELEMENTS: Mapping[str, Tag] = MappingProxyType(
    {
        "face": _tag(
            "boxes",
            _FACE,
            "The whole face, the outermost element: a column as large as the trim. Its `fill` extends into the bleed.",
        ),
        "column": _tag("boxes", {**_BOX, **_COLUMN}, "Children one below the other."),
        "row": _tag("boxes", {**_BOX, **_ROW}, "Children side by side."),
        "grid": _tag("boxes", {**_BOX, **_GRID}, "Children in the cells of a grid, row by row."),
        "stack": _tag(
            "boxes", {**_BOX, **_in_cell("the stack")}, "Children on top of each other, each in the whole box."
        ),
        "at": _tag(
            "boxes", _AT, "A stack at a fixed place in its parent, which is laid out as if the stack were not there."
        ),
        "slot": _tag("nothing", _SLOT, "The place of one field of a score sheet."),
        "text": _tag(
            "text", _TEXT, "Running text. It shrinks down to its floor; text that still does not fit is an error."
        ),
        "icon": _tag("nothing", _ICON, "An icon, fitted into its box."),
        "image": _tag("nothing", _IMAGE, "A picture."),
        "qr": _tag("nothing", _QR, "A QR code."),
        "line": _tag(
            "nothing",
            _LINE,
            "With two ends, a straight line between them, which its parent ignores in its layout. "
            "Without ends, a rule: horizontal in a column, vertical in a row, otherwise along its box.",
        ),
        "path": _tag("nothing", _PATH, "A drawing given as SVG path data, scaled into its box."),
    }
)

INLINE: Mapping[str, Tag] = MappingProxyType(
    {
        "b": _tag("text", {}, "Bold."),
        "i": _tag("text", {}, "Italic."),
        "u": _tag("text", {}, "Underlined."),
        "s": _tag("text", {}, "Struck through."),
        "span": _tag("text", {"colour": (kinds.COLOUR, "colour of the words", None)}, "In another colour."),
        "br": _tag("nothing", {}, "A line break."),
        "icon": _tag("nothing", {"name": _ICON["name"]}, "An icon as high as the capitals of its line."),
    }
)
"""The elements allowed in running text."""
