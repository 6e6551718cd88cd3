"""Walks through the operators of a PDF and reports colours, lines, pictures and transparency with their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ..geometry.outlines import IDENTITY, Matrix, moved, multiplied

Points: TypeAlias = tuple[tuple[float, float], ...]
Colour: TypeAlias = tuple[str, tuple[float, ...]]
"""A kind of colour (`cmyk`, `grey`, `rgb`, `spot`, `pattern`, `other`), and its values."""
_KINDS = {
    "/DeviceCMYK": "cmyk",
    "/DeviceGray": "grey",
    "/DeviceRGB": "rgb",
    "/CalRGB": "rgb",
    "/Lab": "rgb",
    "/CalGray": "grey",
    "/Separation": "spot",
    "/DeviceN": "spot",
    "/Pattern": "pattern",
}
_SETS = {"rg": "rgb", "k": "cmyk", "g": "grey", "RG": "rgb", "K": "cmyk", "G": "grey"}
_FILLS = frozenset({"f", "F", "f*", "B", "B*", "b", "b*"})
_STROKES = frozenset({"S", "s", "B", "B*", "b", "b*"})
_ENDS = _FILLS | _STROKES | {"n"}
_TEXTS = frozenset({"Tj", "TJ", "'", '"'})
_PATHS = frozenset({"m", "l", "c", "v", "y", "re"})
_PAINTS = frozenset({"Do", "sh", "INLINE IMAGE"})
MAX_OPERATORS = 5_000_000
"""In one document: a deck of 1,000 cards has a tenth of it."""
_DEPTH = 12
"""Forms within forms beyond this are not looked at."""


class GraphicsState(Struct, frozen=True):
    """The graphics state, as far as it matters."""

    matrix: Matrix = IDENTITY
    fill: Colour = ("grey", (0.0,))
    stroke: Colour = ("grey", (0.0,))
    width: float = 1.0
    overprint_fill: bool = False
    overprint_stroke: bool = False
    transparent: bool = False


class Paint(Struct, frozen=True):
    """Something that is painted: `fill`, `line`, `text`, `shade` or `image`; its colour, the corners of its box on the
    page in points, the width of a line in points, and the XObject of an image."""

    kind: str
    colour: Colour
    points: Points
    state: GraphicsState
    width: float = 0.0
    image: Any = None


class TooManyOperatorsError(ValueError):
    """A document with more operators than anyone prints."""


class InkWalk:
    """Walks through the pages of one document."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self.operators = 0

    def page(self, page: Any) -> Iterator[Paint]:
        """Everything that a page paints, in order."""
        yield from self._stream(page, page.obj.get("/Resources"), GraphicsState(), 0)

    def _stream(self, stream: Any, resources: Any, state: GraphicsState, depth: int) -> Iterator[Paint]:
        stack: list[GraphicsState] = []
        path: list[tuple[float, float]] = []
        text = IDENTITY
        for operands, raw in self.library.parse_content_stream(stream):
            operator = str(raw)
            self.operators += 1
            if self.operators > MAX_OPERATORS:
                raise TooManyOperatorsError
            if operator in _PATHS:
                path += _points(operator, operands, state.matrix)
            elif operator in _ENDS:
                yield from _painted(operator, path, state)
                path = []
            elif operator == "Tm":
                text = _matrix(operands)
            elif operator in _TEXTS:
                yield Paint("text", state.fill, (moved(state.matrix, text[4], text[5]),), state)
            elif operator in _PAINTS:
                yield from self._paints(operator, operands, resources, state=state, depth=depth)
            else:
                state = self._next(operator, operands, resources, state=state, stack=stack)

    def _paints(
        self, operator: str, operands: Sequence[Any], resources: Any, state: GraphicsState, depth: int
    ) -> Iterator[Paint]:
        """What an operator paints that needs neither path nor text."""
        if operator == "Do":
            yield from self._object(operands[0], resources, state, depth)
        elif operator == "sh":
            shading = _named(resources, "/Shading", operands[0])
            kind = self.space(shading["/ColorSpace"]) if shading is not None else "other"
            yield Paint("shade", (kind, ()), _square(state.matrix), state)
        else:
            yield Paint("image", ("other", ()), _square(state.matrix), state, image=operands[0])

    def _next(
        self, operator: str, operands: Sequence[Any], resources: Any, state: GraphicsState, stack: list[GraphicsState]
    ) -> GraphicsState:
        """The state after an operator that paints nothing."""
        if operator == "q":
            stack.append(state)
        elif operator == "Q":
            return stack.pop() if stack else state
        elif operator == "cm":
            return replace(state, matrix=multiplied(state.matrix, _matrix(operands)))
        return self._changed(operator, operands, resources, state)

    def _changed(self, operator: str, operands: Sequence[Any], resources: Any, state: GraphicsState) -> GraphicsState:
        """The state after an operator that changes it."""
        if operator in _SETS:
            return _coloured(state, operator, (_SETS[operator], tuple(map(float, operands))))
        if operator in ("cs", "CS"):
            space = _named(resources, "/ColorSpace", operands[0]) or operands[0]
            return _coloured(state, operator, (self.space(space), ()))
        if operator in ("sc", "scn", "SC", "SCN"):
            numbers = tuple(float(value) for value in operands if not isinstance(value, self.library.Name))
            kind = (state.fill if operator.islower() else state.stroke)[0]
            return _coloured(state, operator, self._set(kind, numbers, operands, resources))
        if operator == "w":
            return replace(state, width=float(operands[0]))
        if operator == "gs":
            return _with_state(state, _named(resources, "/ExtGState", operands[0]))
        return state

    def _set(self, kind: str, numbers: tuple[float, ...], operands: Sequence[Any], resources: Any) -> Colour:
        if kind != "pattern" or not operands:
            return kind, numbers
        pattern = _named(resources, "/Pattern", operands[-1])
        shading = pattern.get("/Shading") if pattern is not None else None
        return (f"pattern {self.space(shading['/ColorSpace'])}" if shading is not None else "pattern"), ()

    def space(self, space: Any) -> str:
        """The kind of a colour space."""
        if isinstance(space, self.library.Array):
            if str(space[0]) == "/ICCBased":
                return {1: "grey", 3: "rgb", 4: "cmyk"}.get(int(space[1].get("/N", 0)), "other")
            if str(space[0]) == "/Indexed":
                return self.space(space[1])
            return _KINDS.get(str(space[0]), "other")
        return _KINDS.get(str(space), "other")

    def _object(self, name: Any, resources: Any, state: GraphicsState, depth: int) -> Iterator[Paint]:
        thing = _named(resources, "/XObject", name)
        if thing is None:
            return
        if thing.get("/Subtype") == "/Image":
            if "/SMask" in thing:
                state = replace(state, transparent=True)
            space = "spot" if thing.get("/ImageMask", False) else self.space(thing.get("/ColorSpace", ""))
            yield Paint("image", (space, ()), _square(state.matrix), state, image=thing)
        elif thing.get("/Subtype") == "/Form" and depth < _DEPTH:
            if "/Matrix" in thing:
                state = replace(state, matrix=multiplied(state.matrix, _matrix(thing["/Matrix"])))
            yield from self._stream(thing, thing.get("/Resources", resources), state, depth + 1)


def _coloured(state: GraphicsState, operator: str, colour: Colour) -> GraphicsState:
    """The state with a colour for filling, or if the operator is in capitals, for lines."""
    return replace(state, fill=colour) if operator.islower() else replace(state, stroke=colour)


def _painted(operator: str, path: list[tuple[float, float]], state: GraphicsState) -> Iterator[Paint]:
    if not path:
        return
    points = tuple(path)
    if operator in _FILLS:
        yield Paint("fill", state.fill, points, state)
    if operator in _STROKES:
        a, b, c, d, _, _ = state.matrix
        yield Paint("line", state.stroke, points, state=state, width=abs(a * d - b * c) ** 0.5 * state.width)


def _with_state(state: GraphicsState, changes: Any) -> GraphicsState:
    if changes is None:
        return state
    both = changes.get("/OP")
    if both is not None:
        state = replace(state, overprint_stroke=bool(both), overprint_fill=bool(both))
    if changes.get("/op") is not None:
        state = replace(state, overprint_fill=bool(changes["/op"]))
    if "/LW" in changes:
        state = replace(state, width=float(changes["/LW"]))
    faint = float(changes.get("/ca", 1)) < 1 or float(changes.get("/CA", 1)) < 1
    masked = str(changes.get("/SMask", "/None")) != "/None"
    blended = str(changes.get("/BM", "/Normal")) not in ("/Normal", "/Compatible")
    return replace(state, transparent=True) if faint or masked or blended else state


def _named(resources: Any, kind: str, name: Any) -> Any:
    """A resource by its name; None if there is none."""
    group = resources.get(kind) if resources is not None else None
    return group.get(str(name)) if group is not None else None


def _matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in operands)
    return a, b, c, d, e, f


def _points(operator: str, operands: Sequence[Any], matrix: Matrix) -> Iterator[tuple[float, float]]:
    numbers = [float(value) for value in operands]
    if operator == "re":
        x, y, width, height = numbers
        numbers = [x, y, x + width, y, x + width, y + height, x, y + height]
    for x, y in zip(numbers[::2], numbers[1::2], strict=True):
        yield moved(matrix, x, y)


def _square(matrix: Matrix) -> Points:
    return tuple(moved(matrix, x, y) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)))
