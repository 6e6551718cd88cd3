"""Reads a subset of SVG 1.1 into shapes. Anything outside the subset is an error; nothing is dropped silently.

Specification: https://www.w3.org/TR/SVG11/, basic shapes in chapter 9, painting in chapter 11.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import hypot, isclose, sqrt
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

from ..definitions.nodes import read_text
from ..errors import InputError, Place, Problem, did_you_mean, fault
from ..geometry import outlines
from ..geometry.frame import Item, Shape
from ..paths import display_path
from . import values
from .values import Look

MAX_BYTES = 1_000_000
_MAX_PROBLEMS = 20
_SVG = "http://www.w3.org/2000/svg"
_PLAIN_SVG_HINT = "save it as plain SVG with all objects converted to paths"

_IGNORED = {
    "id",
    "class",
    "version",
    "role",
    "lang",
    "focusable",
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "data-name",
    "baseProfile",
}
_ATTRIBUTES: Mapping[str, frozenset[str]] = {
    "svg": frozenset({"width", "height", "viewBox", "preserveAspectRatio"}),
    "g": frozenset(),
    "title": frozenset(),
    "desc": frozenset(),
    "path": frozenset({"d"}),
    "rect": frozenset({"x", "y", "width", "height", "rx", "ry"}),
    "circle": frozenset({"cx", "cy", "r"}),
    "ellipse": frozenset({"cx", "cy", "rx", "ry"}),
    "line": frozenset({"x1", "y1", "x2", "y2"}),
    "polyline": frozenset({"points"}),
    "polygon": frozenset({"points"}),
}


@dataclass(frozen=True, slots=True)
class Art:
    """A drawing from (0, 0) to (width, height) in its own units; its colours may be `currentColor`."""

    width: float
    height: float
    items: tuple[Item, ...]


@cache
def load_art(path: Path) -> Art:
    """Reads an SVG file; raises InputError with everything unsupported, each with its line."""
    name = display_path(path)
    return read_art(read_text(path, name, MAX_BYTES), name)


def read_art(text: str, file: str) -> Art:
    """Reads SVG text; messages give `file` as its place."""
    return _Reader(file).read(text)


class _Reader:
    """Reads the elements of one file; `looks` holds the properties that each open element passes on to its children."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.shapes: list[Shape] = []
        self.looks: list[Look] = []
        self.size: tuple[float, float] | None = None
        self.segments = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.ProcessingInstructionHandler = self.instruction

    def read(self, text: str) -> Art:
        try:
            self.parser.Parse(text, True)
        except expat.ExpatError as error:
            raise fault(
                f"not readable as XML: {expat.errors.messages[error.code]}", Place(self.file, error.lineno)
            ) from error
        if self.problems:
            raise InputError(self.problems)
        if self.size is None:
            raise fault("this is not an SVG drawing", Place(self.file))
        return Art(*self.size, tuple(self.shapes))

    def report(self, message: str, hint: str = "") -> None:
        self.problems.append(Problem(message, Place(self.file, self.parser.CurrentLineNumber), hint))
        if len(self.problems) >= _MAX_PROBLEMS:
            raise InputError(self.problems)

    def doctype(self, *_: object) -> NoReturn:
        raise fault(
            "a DOCTYPE is not allowed",
            Place(self.file, self.parser.CurrentLineNumber),
            "delete it; entities are not supported",
        )

    def instruction(self, target: str, _: str) -> None:
        self.report(f"<?{target}?> is not supported")

    def end(self, _: str) -> None:
        self.looks.pop()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.removeprefix(_SVG + " ")
        is_root = not self.looks
        self.looks.append(self.looks[-1] if self.looks else Look())
        if is_root and tag != "svg":
            raise fault(
                f"<{_local_name(tag)}> is not an SVG drawing",
                Place(self.file, self.parser.CurrentLineNumber),
                "" if tag in _ATTRIBUTES else f'its first element must be <svg xmlns="{_SVG}">',
            )
        if tag not in _ATTRIBUTES or (tag == "svg" and not is_root):
            self.report(
                f"<{_local_name(tag)}> is not supported",
                did_you_mean(tag, _ATTRIBUTES) if " " not in tag else _PLAIN_SVG_HINT,
            )
            return
        plain = {key: value for key, value in attributes.items() if " " not in key}
        self._check_names(tag, plain)
        self.looks[-1] = look = self._look(tag, plain)
        if is_root:
            self._root(plain)
        elif tag in _DRAWN:
            self._draw(tag, plain, look)

    def _check_names(self, tag: str, attributes: Mapping[str, str]) -> None:
        for name in attributes:
            supported = name in _ATTRIBUTES[tag] or name in values.PROPERTIES or name in ("transform", "style")
            if not supported and name not in _IGNORED and not name.startswith(("aria-", "data-")):
                self.report(
                    f"<{tag} {name}> is not supported", did_you_mean(name, {*_ATTRIBUTES[tag], *values.PROPERTIES})
                )

    def _look(self, tag: str, attributes: Mapping[str, str]) -> Look:
        changes: dict[str, Any] = {}
        for name, value in values.properties(attributes):
            if name not in values.PROPERTIES:
                self.report(f"<{tag} style> with “{name}” is not supported", did_you_mean(name, values.PROPERTIES))
            else:
                changes |= self._value(values.look_of, tag, name, name, value) or {}
        if "transform" in attributes:
            inner = self._value(values.matrix, tag, "transform", attributes["transform"]) or outlines.IDENTITY
            changes["matrix"] = outlines.multiplied(self.looks[-1].matrix, inner)
            if max(map(abs, changes["matrix"])) > values.LARGEST:
                self.report(f"<{tag} transform> is too large")
        return replace(self.looks[-1], **changes) if changes else self.looks[-1]

    def _value(self, parse: Callable[..., Any], tag: str, name: str, *arguments: str, **options: int) -> Any:
        """Parses an attribute. Reports a value that cannot be parsed, the last of `arguments`, and returns None."""
        try:
            return parse(*arguments, **options)
        except ValueError as error:
            self.report(f"<{tag} {name}=“{arguments[-1][:40]}”> {error}")
            return None

    def _root(self, attributes: Mapping[str, str]) -> None:
        if attributes.get("preserveAspectRatio", "xMidYMid meet") not in ("xMidYMid meet", "xMidYMid"):
            self.report("<svg preserveAspectRatio> is only supported as xMidYMid meet")
        if "viewBox" in attributes:
            box = self._value(values.numbers, "svg", "viewBox", attributes["viewBox"]) or []
        else:
            box = [0.0, 0.0, *(self._number("svg", attributes, name, 0.0) for name in ("width", "height"))]
        if len(box) != 4 or min(box[2:]) <= 0:
            self.report("<svg> needs a viewBox such as “0 0 24 24”")
            return
        self.size = box[2], box[3]
        look = self.looks[-1]
        moved = outlines.multiplied((1.0, 0.0, 0.0, 1.0, -box[0], -box[1]), look.matrix)
        self.looks[-1] = replace(look, matrix=moved)

    def _number(self, tag: str, attributes: Mapping[str, str], name: str, default: float = 0.0) -> float:
        if name not in attributes:
            return default
        parse = values.not_negative if name in _NOT_NEGATIVE else values.number
        parsed = self._value(parse, tag, name, attributes[name])
        return default if parsed is None else float(parsed)

    def _draw(self, tag: str, attributes: Mapping[str, str], look: Look) -> None:
        path = self._path(tag, attributes)
        self.segments += len(path)
        if self.segments > values.MAX_SEGMENTS:
            raise fault(f"more than {values.MAX_SEGMENTS:,} segments", Place(self.file))
        if not path or not (look.fill or look.stroke):
            return
        scale = _scale(look.matrix)
        if look.stroke and scale is None:
            self.report(
                f"<{tag}> is stretched or skewed by its transform and has a stroke, which is not supported",
                "turn the stroke into a path",
            )
            return
        stroke = look.stroke if look.stroke_width else None
        self.shapes.append(
            Shape(
                outlines.transformed(path, look.matrix),
                look.fill if tag != "line" else None,
                stroke,
                look.stroke_width * (scale or 0.0) if stroke else 0.0,
                tuple(length * (scale or 0.0) for length in look.dash) if stroke else (),
                look.even_odd,
                look.cap,
                look.join,
            )
        )

    def _path(self, tag: str, attributes: Mapping[str, str]) -> outlines.Path:
        if tag == "path":
            left = values.MAX_SEGMENTS - self.segments
            return self._value(values.segments, tag, "d", attributes.get("d", ""), max_segments=left) or ()
        if tag in ("polyline", "polygon"):
            return self._points(tag, attributes.get("points", ""))
        x, y, width, height = (self._number(tag, attributes, name) for name in _DRAWN[tag])
        if tag == "line":
            return outlines.line(x, y, width, height)
        if tag == "rect":
            return self._rect(attributes, x, y, width, height)
        if tag == "circle":
            height = width
        return outlines.ellipse(x - width, y - height, width * 2, height * 2) if width and height else ()

    def _rect(self, attributes: Mapping[str, str], x: float, y: float, width: float, height: float) -> outlines.Path:
        rx = self._number("rect", attributes, "rx", -1.0)
        ry = self._number("rect", attributes, "ry", rx)
        if rx >= 0 and not isclose(rx, ry):
            self.report("<rect> with rx and ry that differ is not supported")
        radius = max(rx, ry, 0.0)
        return outlines.rounded_rect(x, y, width, height, (radius,) * 4) if width and height else ()

    def _points(self, tag: str, text: str) -> outlines.Path:
        coordinates = self._value(values.numbers, tag, "points", text) or []
        if len(coordinates) % 2:
            self.report(f"<{tag} points> needs an even number of coordinates")
            return ()
        pairs = zip(coordinates[::2], coordinates[1::2], strict=True)
        path = tuple(("L" if i else "M", x, y) for i, (x, y) in enumerate(pairs))
        return (*path, ("Z",)) if path and tag == "polygon" else path


_DRAWN: Mapping[str, tuple[str, ...]] = {
    "path": (),
    "polyline": (),
    "polygon": (),
    "rect": ("x", "y", "width", "height"),
    "line": ("x1", "y1", "x2", "y2"),
    "circle": ("cx", "cy", "r", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
}
_NOT_NEGATIVE = {"width", "height", "r", "rx", "ry"}


def _local_name(tag: str) -> str:
    """The name without its namespace; expat puts a space between them."""
    return tag.rsplit(" ", 1)[-1][:40]


def _scale(matrix: outlines.Matrix) -> float | None:
    """The factor by which a matrix scales all lengths; None if it is not uniform."""
    a, b, c, d, _, _ = matrix
    first, second = hypot(a, b), hypot(c, d)
    uniform = isclose(first, second, rel_tol=1e-6) and abs(a * c + b * d) <= 1e-6 * first * second
    return sqrt(first * second) if uniform else None
