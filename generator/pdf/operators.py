"""PDF operators as text, in millimetres with y down. A matrix at the start of each page converts them to points."""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin

from ..geometry.frame import Run, Shape

POINTS = 72 / 25.4
"""Points in a millimetre."""
CURRENT = "currentColor"
"""In art, this stands for the colour in which the art is drawn."""

_SEGMENTS = {"M": "%.3f %.3f m", "L": "%.3f %.3f l", "C": "%.3f %.3f %.3f %.3f %.3f %.3f c", "Z": "h"}
_CAPS = {"round": "1 J", "square": "2 J"}
_JOINS = {"round": "1 j", "bevel": "2 j"}
_ESCAPES = {code: f"\\{code:03o}" for code in (*range(32), *range(127, 256))} | {ord(c): f"\\{c}" for c in "()\\"}


@cache
def rgb(colour: str) -> str:
    """`#rrggbb` → three numbers from 0 to 1."""
    return " ".join("%.3f" % (int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))


def to_millimetres(height: float) -> str:
    """Switches to millimetres with y down, until `Q`, on a page of this height (in mm)."""
    return f"q {POINTS:.8f} 0 0 {-POINTS:.8f} 0 {height * POINTS:.6f} cm"


def matrix(a: float, b: float, c: float, d: float, e: float, f: float) -> str:
    return f"{a:.5f} {b:.5f} {c:.5f} {d:.5f} {e:.4f} {f:.4f} cm"


def clip(x: float, y: float, width: float, height: float) -> str:
    """Clips everything that follows to this box."""
    return "%.3f %.3f %.3f %.3f re W n" % (x, y, width, height)  # noqa: UP031


def shape(item: Shape) -> str:
    """A path, filled, stroked or both; `currentColor` keeps the current colour."""
    code = []
    if item.fill and item.fill != CURRENT:
        code.append(f"{rgb(item.fill)} rg")
    if item.stroke:
        code.extend(_pen(item))
    code.extend([_SEGMENTS[str(segment[0])] % segment[1:] for segment in item.path])
    code.append(_painting(item))
    text = " ".join(code)
    return f"q {text} Q" if item.dash or item.cap or item.join else text


def _pen(item: Shape) -> list[str]:
    code = [f"{item.stroke_width:.3f} w"]
    if item.stroke and item.stroke != CURRENT:
        code.append(f"{rgb(item.stroke)} RG")
    if item.dash:
        code.append(f"[{' '.join(f'{length:.3f}' for length in item.dash)}] 0 d")
    code += [_CAPS[item.cap]] if item.cap in _CAPS else []
    code += [_JOINS[item.join]] if item.join in _JOINS else []
    return code


def _painting(item: Shape) -> str:
    star = "*" if item.even_odd else ""
    if item.fill and item.stroke:
        return "B" + star
    if item.fill:
        return "f" + star
    return "S" if item.stroke else "n"


def run(item: Run, chunks: tuple[tuple[str, str], ...]) -> str:
    """Text on its baseline. `chunks` are pairs of a font's name in the PDF and an escaped text in its encoding."""
    code = " ".join([f"{font} {item.size:.3f} Tf ({text}) Tj" for font, text in chunks])
    if item.tracking:
        code = f"{item.tracking:.3f} Tc {code} 0 Tc"
    if item.turn:
        c, s = cos(radians(item.turn)), sin(radians(item.turn))
        return f"BT {rgb(item.colour)} rg {c:.5f} {s:.5f} {s:.5f} {-c:.5f} {item.x:.3f} {item.y:.3f} Tm {code} ET"
    return f"BT {rgb(item.colour)} rg 1 0 0 -1 {item.x:.3f} {item.y:.3f} Tm {code} ET"


def escaped(text: bytes) -> str:
    """Bytes escaped for a PDF string, in ASCII."""
    return text.decode("latin-1").translate(_ESCAPES)
