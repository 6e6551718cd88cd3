"""PDF operators as text, in millimetres with y down. A matrix at the start of each page converts them to points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import cos, radians, sin
from types import MappingProxyType
from typing import Any, Protocol

from ..geometry.frame import Gradient, Run, Shape
from ..geometry.outlines import Path

POINTS = 72 / 25.4
"""Points in a millimetre."""
CURRENT = "currentColor"
"""In art, this stands for the colour in which the art is drawn."""


class ColourConverter(Protocol):
    """Converts colours, whose parts are from 0 to 1, and pictures in RGB to CMYK."""

    def colour(self, red: float, green: float, blue: float, /) -> tuple[float, ...]: ...

    def image(self, image: Any, /) -> Any: ...


NO_PATTERNS: Mapping[Gradient, str] = MappingProxyType({})

_SEGMENTS = {"M": "%.3f %.3f m", "L": "%.3f %.3f l", "C": "%.3f %.3f %.3f %.3f %.3f %.3f c", "Z": "h"}
_CAPS = {"round": "1 J", "square": "2 J"}
_JOINS = {"round": "1 j", "bevel": "2 j"}
_ESCAPES = {code: f"\\{code:03o}" for code in (*range(32), *range(127, 256))} | {ord(c): f"\\{c}" for c in "()\\"}


@cache
def alpha(colour: str) -> float:
    """The alpha value of a colour: that of `#rrggbbaa`, or 1."""
    return int(colour[7:9], 16) / 255 if len(colour) == 9 else 1.0


@cache
def rgb(colour: str) -> str:
    """`#rrggbb` → three numbers from 0 to 1. An alpha value is left out, because it belongs to the graphics state."""
    red, green, blue = bytes.fromhex(colour[1:7])
    return f"{red / 255:.3f} {green / 255:.3f} {blue / 255:.3f}"


def to_millimetres(height: float) -> str:
    """Switches to millimetres with y down, until `Q`, on a page of this height (in mm)."""
    return f"q {POINTS:.8f} 0 0 {-POINTS:.8f} 0 {height * POINTS:.6f} cm"


def matrix(a: float, b: float, c: float, d: float, e: float, f: float) -> str:
    return f"{a:.5f} {b:.5f} {c:.5f} {d:.5f} {e:.4f} {f:.4f} cm"


def clip(x: float, y: float, width: float, height: float) -> str:
    """Clips everything that follows to this box."""
    return "%.3f %.3f %.3f %.3f re W n" % (x, y, width, height)  # noqa: UP031


def clip_path(path: Path, *, even_odd: bool) -> str:
    """Clips everything that follows to the inside of a path."""
    return f"{segments(path)} {'W*' if even_odd else 'W'} n"


def shape(item: Shape, patterns: Mapping[Gradient, str] = NO_PATTERNS) -> str:
    """A path, filled, stroked or both; `currentColor` keeps the current colour, and `patterns` names those of
    gradients."""
    code = []
    if item.fill and item.fill != CURRENT:
        code.append(f"{rgb(item.fill)} rg" if isinstance(item.fill, str) else f"/Pattern cs {patterns[item.fill]} scn")
    if item.stroke:
        code.extend(_pen(item, patterns))
    code += [segments(item.path), _painting(item)]
    text = " ".join(code)
    return f"q {text} Q" if item.dash or item.cap or item.join or item.miter_limit else text


def segments(path: Path) -> str:
    """The operators that make a path, without those that paint it."""
    return " ".join([_SEGMENTS[str(segment[0])] % segment[1:] for segment in path])


def _pen(item: Shape, patterns: Mapping[Gradient, str]) -> list[str]:
    code = [f"{item.stroke_width:.3f} w"]
    if isinstance(item.stroke, Gradient):
        code.append(f"/Pattern CS {patterns[item.stroke]} SCN")
    elif item.stroke and item.stroke != CURRENT:
        code.append(f"{rgb(item.stroke)} RG")
    if item.dash:
        start = f"{item.dash_start:.3f}" if item.dash_start else "0"
        code.append(f"[{' '.join(f'{length:.3f}' for length in item.dash)}] {start} d")
    code += [_CAPS[item.cap]] if item.cap in _CAPS else []
    code += [_JOINS[item.join]] if item.join in _JOINS else []
    code += [f"{item.miter_limit:.3f} M"] if item.miter_limit else []
    return code


def _painting(item: Shape) -> str:
    star = "*" if item.even_odd else ""
    if item.fill and item.stroke:
        return "B" + star
    return "f" + star if item.fill else "S" if item.stroke else "n"


def text_scale(size: float, turn: float) -> str:
    """The first four numbers of the matrix of text turned by `turn` degrees: a font of size 1 becomes `size` mm
    high."""
    if not turn:
        return f"{size:.4f} 0 0 {-size:.4f}"
    c, s = size * cos(radians(turn)), size * sin(radians(turn))
    return f"{c:.5f} {s:.5f} {s:.5f} {-c:.5f}"


def run(item: Run, code: str) -> str:
    """Text on its baseline; `code` shows it in a font of size 1."""
    scale = text_scale(item.size, item.turn)
    if item.outline:  # text that is only an outline is not read again
        pen = f"1 Tr {2 * item.outline:.3f} w 1 j {rgb(item.colour)} RG"
        return f"/Span <</ActualText <FEFF>>> BDC q {pen} BT {scale} {item.x:.3f} {item.y:.3f} Tm {code} ET Q EMC"
    return f"BT {rgb(item.colour)} rg {scale} {item.x:.3f} {item.y:.3f} Tm {code} ET"


def begin_alternative(text: str) -> str:
    """Begins what stands for a text, until `EMC` (ISO 32000-1:2008, 14.9.4 “Replacement Text”)."""
    return f"/Span <</ActualText <FEFF{text.encode('utf-16-be', 'replace').hex().upper()}>>> BDC"


def escaped(text: bytes) -> str:
    """Bytes escaped for a PDF string, in ASCII."""
    return text.decode("latin-1").translate(_ESCAPES)
