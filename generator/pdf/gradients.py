"""Alpha values and gradients as PDF objects, which the pages and forms of a document share.

A gradient is a shading pattern; alpha values that differ between its stops are a soft mask. Section titles refer to ISO
32000-1:2008 (PDF 1.7), https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import ceil, dist, floor
from typing import Any, TypeAlias

from reportlab.pdfbase import pdfdoc

from ..geometry.frame import Gradient, LinearGradient, RadialGradient, Shape
from ..geometry.outlines import bounds, inverse, rect, transformed
from . import operators
from .canvas import EncodedObject, shared_name

Box: TypeAlias = tuple[float, float, float, float]
_MAX_REPEATS = 200
"""How often a gradient is reflected or repeated within a shape."""
_Segment: TypeAlias = tuple[float, float, str, str]
"""Part of a gradient: start, end, and their colours."""
_END = 0.01
"""The length of the segment of a stop that only shows beyond the end of a gradient: viewers use some 256 colours."""
_MITER_LIMIT = 10.0
"""That of PDF (8.4.3.5 “Miter Limit”)."""


class SharedResources:
    """The graphics state parameter dictionaries and patterns of one document. Nothing is written unless it is used."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self._states: dict[str, str] = {}
        self._patterns: dict[Any, str] = {}

    def opacity(self, alpha: float) -> str:
        """The operator that sets the alpha constant (11.6.4.4 “Constant Shape and Opacity”)."""
        share = round(max(0.0, min(alpha, 1.0)) * 1000)
        return self._state(f"a{share}", f"/ca {share / 1000:g}/CA {share / 1000:g}")

    def soft_mask(self, gradient: Gradient, box: Box) -> str:
        """The operator that masks what follows, within `box`, with the alpha values of a gradient (11.6.5.2 “Soft-Mask
        Dictionaries”). Opaque stops are painted white in the mask."""
        key = "mask", gradient, box
        if key not in self._patterns:
            left, top, right, bottom = box
            form = GradientForm(*box)
            form.group = "DeviceGray"
            pattern = self._pattern(gradient, box, "DeviceGray", _alpha)
            form.setStreamList([f"/Pattern cs {pattern} scn {_numbers(left, top, right - left, bottom - top)} re f"])
            name = self._patterns[key] = f"m{len(self._states)}"
            reference = self.document.Reference(form, f"{shared_name('Mask')}.{name}")
            mask = f"/SMask<</Type/Mask/S/Luminosity/G {self._number(reference)}>>"
            return self._state(name, mask)
        return f"/{self._patterns[key]} gs"

    def pattern(self, gradient: Gradient, box: Box) -> str:
        """The name of the pattern of a gradient for a shape within `box`. Its pattern space is that of the form that
        paints it (8.7.2 “General Properties of Patterns”)."""
        return self._pattern(gradient, box, "DeviceRGB", operators.rgb)

    def _pattern(self, gradient: Gradient, box: Box, space: str, components: Callable[[str], str]) -> str:
        first, last = _periods(gradient, box)
        key = gradient, first, last, space
        if key not in self._patterns:
            name = self._patterns[key] = f"P{len(self._patterns)}"
            segments = list(_segments(gradient, first, last))
            segments = segments if gradient.spread else _with_ends(gradient, segments)
            function = _function(segments, components)
            shading = (
                _shading(gradient, segments[0][0], segments[-1][1])
                + f"/ColorSpace/{space}/Extend[true true]/Function {function}"
            )
            matrix = _numbers(*gradient.matrix)
            self._share("Pattern", name, f"<</PatternType 2/Matrix[{matrix}]/Shading<<{shading}>>>>")
        return f"/{self._patterns[key]}"

    def _state(self, name: str, entries: str) -> str:
        """The operator that sets these graphics state parameters (8.4.5 “Graphics State Parameter Dictionaries”)."""
        if name not in self._states:
            self._share("ExtGState", name, f"<<{entries}>>")
            self._states[name] = entries
        return f"/{name} gs"

    def _share(self, kind: str, name: str, code: str) -> None:
        """Adds an object to the resources of this kind."""
        document = self.document
        if shared_name(kind) not in document.idToObject:
            document.Reference(pdfdoc.PDFDictionary({}), shared_name(kind))
        document.idToObject[shared_name(kind)].dict[name] = document.Reference(EncodedObject(code))

    def _number(self, reference: Any) -> str:
        number, version = self.document.idToObjectNumberAndVersion[reference.name]
        return f"{number} {version} R"


class GradientForm(pdfdoc.PDFFormXObject):  # type: ignore[misc]
    """A form XObject (8.10 “Form XObjects”) with the shared resources of its document. With a colour space as `group`
    it is an isolated transparency group (11.6.6 “Transparency Group XObjects”)."""

    compression = 1
    group = ""

    def format(self, document: Any) -> bytes:
        self.Resources = resources = pdfdoc.PDFResourceDictionary()
        resources.basicFonts()
        resources.allProcs()
        if self.XObjects:
            resources.XObject = self.XObjects
        for kind in ("ExtGState", "Pattern"):
            if shared_name(kind) in document.idToObject:
                setattr(resources, kind, pdfdoc.PDFObjectReference(shared_name(kind)))
        if self.group:
            self.Contents = pdfdoc.PDFStream()
            self.Contents.content = self.stream
            self.Contents.dictionary["Group"] = EncodedObject(f"<</S/Transparency/I true/CS/{self.group}>>")
        return bytes(super().format(document))


def paint_box(shape: Shape) -> Box:
    """A box that holds everything that a shape paints."""
    left, top, right, bottom = bounds(shape.path)
    reach = 0.75 * shape.stroke_width if shape.stroke else 0.0  # square caps extend by √2 ÷ 2
    if shape.stroke and not shape.join:
        reach *= shape.miter_limit or _MITER_LIMIT
    return left - reach, top - reach, right + reach, bottom + reach


def only_colour(gradient: Gradient) -> str | None:
    """The colour of a gradient that has only one: it has a single stop, or no length."""
    ends = (
        ((gradient.x1, gradient.y1), (gradient.x2, gradient.y2))
        if isinstance(gradient, LinearGradient)
        else ((gradient.r, 0.0), (0.0, 0.0))  # type: ignore[attr-defined]
    )
    flat = dist(*ends) < 1e-9 or len({stop.colour for stop in gradient.stops}) == 1
    return gradient.stops[-1].colour if flat else None


def only_alpha(gradient: Gradient) -> float | None:
    """The alpha value of all stops, or None if they differ."""
    alphas = {operators.alpha(stop.colour) for stop in gradient.stops}
    return alphas.pop() if len(alphas) == 1 else None


def _alpha(colour: str) -> str:
    return f"{operators.alpha(colour):.3f}"


def _numbers(*numbers: float) -> str:
    return " ".join([f"{number:.6f}".rstrip("0").rstrip(".") for number in numbers])


def _periods(gradient: Gradient, box: Box) -> tuple[int, int]:
    """The first and last multiple of a gradient's length that a shape within `box` needs."""
    back = inverse(gradient.matrix)
    if not gradient.spread or back is None:
        return 0, 1
    left, top, right, bottom = box
    corners = [(float(x), float(y)) for _, x, y in transformed(rect(left, top, right - left, bottom - top), back)[:4]]
    if isinstance(gradient, LinearGradient):
        dx, dy = gradient.x2 - gradient.x1, gradient.y2 - gradient.y1
        shares = [((x - gradient.x1) * dx + (y - gradient.y1) * dy) / (dx * dx + dy * dy) for x, y in corners]
        first, last = floor(min(shares)), max(ceil(max(shares)), 1)
    else:
        assert isinstance(gradient, RadialGradient)
        focus = gradient.fx, gradient.fy
        slowest = max(gradient.r - gradient.fr - dist(focus, (gradient.x, gradient.y)), gradient.r / _MAX_REPEATS)
        first, last = 0, max(ceil(max(dist(focus, corner) for corner in corners) / slowest), 1)
    middle = max(min(first, 0), -_MAX_REPEATS // 2)
    return middle, min(last, middle + _MAX_REPEATS)


def _shading(gradient: Gradient, first: float, last: float) -> str:
    """Type and coordinates of a shading, whose parametric variable runs from `first` to `last` (8.7.4.5.3 “Type 2
    (Axial) Shadings”, 8.7.4.5.4 “Type 3 (Radial) Shadings”)."""
    domain = "" if (first, last) == (0, 1) else f"/Domain[{_numbers(first, last)}]"
    if isinstance(gradient, LinearGradient):
        starts, ends = (gradient.x1, gradient.y1), (gradient.x2, gradient.y2)
    else:
        assert isinstance(gradient, RadialGradient)
        starts, ends = (gradient.fx, gradient.fy, gradient.fr), (gradient.x, gradient.y, gradient.r)  # type: ignore
    coordinates = [a + (b - a) * at for at in (first, last) for a, b in zip(starts, ends, strict=True)]
    return f"/ShadingType {2 if isinstance(gradient, LinearGradient) else 3}/Coords[{_numbers(*coordinates)}]{domain}"


def _segments(gradient: Gradient, first: int, last: int) -> Iterator[_Segment]:
    """The parts of a gradient between two stops: start, end, and their colours. Stops with the same offset have no
    part between them, so that the colour changes abruptly."""
    stops = [(max(0.0, min(stop.offset, 1.0)), stop.colour) for stop in gradient.stops]
    stops = [(0.0, stops[0][1]), *stops, (1.0, stops[-1][1])]
    for period in range(first, last):
        backwards = gradient.spread == "reflect" and period % 2
        ordered = [(1.0 - offset, colour) for offset, colour in reversed(stops)] if backwards else stops
        for (start, before), (end, after) in pairwise(ordered):
            if end - start > 1e-6:
                yield period + start, period + end, before, after


def _with_ends(gradient: Gradient, segments: list[_Segment]) -> list[_Segment]:
    """The segments, and short ones for several stops at 0 or 1: beyond the ends, the outermost stop counts."""
    first, last = gradient.stops[0].colour, gradient.stops[-1].colour
    before = [(-_END, 0.0, first, first)] if segments[0][2] != first and isinstance(gradient, LinearGradient) else []
    after = [(1.0, 1.0 + _END, last, last)] if segments[-1][3] != last else []
    return before + segments + after


def _function(segments: Sequence[_Segment], components: Callable[[str], str]) -> str:
    """From the parametric variable to colours (7.10.3 “Type 2 (Exponential Interpolation) Functions”, 7.10.4 “Type 3
    (Stitching) Functions”)."""
    functions = [
        f"<</FunctionType 2/Domain[0 1]/N 1/C0[{components(before)}]/C1[{components(after)}]>>"
        for _, _, before, after in segments
    ]
    start, end = segments[0][0], segments[-1][1]
    if len(functions) == 1 and (start, end) == (0.0, 1.0):
        return functions[0]
    limits = _numbers(*[start for start, *_ in segments[1:]])
    encode = " ".join(["0 1"] * len(functions))
    return (
        f"<</FunctionType 3/Domain[{_numbers(start, end)}]/Bounds[{limits}]"
        f"/Encode[{encode}]/Functions[{''.join(functions)}]>>"
    )
