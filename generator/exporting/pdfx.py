"""PDF/X-1a:2003 (ISO 15930-4): CMYK, an output intent, no transparency, die lines. Transparency is gone before
(`flatten`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from .. import pdf
from ..geometry.frame import Page
from ..geometry.outlines import Path
from ..model.game import Theme
from ..pdf.file import stream, text_string
from ..pdf.operators import POINTS
from .colour import Inks
from .flatten import DPI

VERSION = "PDF/X-1a:2003"
REGISTRY = "http://www.color.org"
CUT, CREASE = "CutContour", "Crease"
"""The spot colours of die lines: what is cut, and what is folded."""
_INKS = {CUT: "0 1 0 0", CREASE: "1 0 0 0"}
"""How they look on a screen."""
_DIE_WIDTH = 0.25
"""The width of die lines, in points."""
_SEGMENTS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
Dies: TypeAlias = Mapping[str, Path]
"""The die lines of a page by their spot colours, in mm from its upper left corner."""


def write(pages: Iterable[tuple[Page, Dies]], theme: Theme, info: pdf.Info, *, condition: str, inks: Inks) -> bytes:
    """Pages without transparency as PDF/X-1a, with their die lines. `condition` is the printing condition: a registered
    name such as FOGRA39."""
    painter = pdf.Painter(theme, 2 * DPI, inks=inks)
    document = pdf.PdfDocument(painter, replace(info, standard=VERSION))
    for page, dies in pages:
        for name in dies:  # they overprint, so that nothing is missing under them
            painter.resources.states["Overprint"] = "/Type/ExtGState/OP true/op true/OPM 1"
            function = f"<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[{_INKS[name]}]>>"
            painter.resources.spaces[name] = f"/Separation/{name}/DeviceCMYK {function}"
        lines = "\n".join(_die(name, path, page.height) for name, path in dies.items() if path)
        document.add([replace(pdf.painted(page, painter), over=lines)])
    about = inks.description or condition
    texts = {"OutputConditionIdentifier": condition, "OutputCondition": about, "RegistryName": REGISTRY, "Info": about}
    intent = "".join(f"/{key}{text_string(text)}" for key, text in texts.items())
    if inks.profile:
        intent += f"/DestOutputProfile {document.file.add(stream(inks.profile, '/N 4'))} 0 R"
    document.catalog += f"/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX{intent}>>]"
    return document.finish().content()


def _die(name: str, path: Path, height: float) -> str:
    """The operators of a die line, on a page of this height."""
    code = [f"q /Overprint gs /{name} CS 1 SCN {_DIE_WIDTH} w"]
    for operator, *numbers in path:
        points = [height - float(value) if number % 2 else float(value) for number, value in enumerate(numbers)]
        code.append(" ".join([*(f"{value * POINTS:.4f}" for value in points), _SEGMENTS[str(operator)]]))
    return "\n".join([*code, "S Q"])
