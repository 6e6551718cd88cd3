"""Writes a PDF file with reportlab, object by object (ISO 32000-1:2008, 7.3 and 7.5), so that a large one is never in
memory as a whole. The same objects give the same bytes.

`Resources` are what the pages and forms of a document share: form XObjects, graphics states and patterns. Their names
depend on what they contain and on nothing else, so several processes can paint pages of one document. Section titles
refer to ISO 32000-1:2008 (PDF 1.7).
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import md5
from itertools import pairwise
from math import ceil, dist, floor
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from reportlab.pdfbase import pdfdoc

from ..files import Writable
from ..geometry.frame import Gradient, LinearGradient, RadialGradient, Shape, Stop
from ..geometry.outlines import bounds, inverse, rect, transformed
from ..model.colours import channels, mixed
from . import operators
from .operators import escaped

_IN_MEMORY = 1 << 20  # a file of up to this size, in bytes, is kept in memory; a larger one in a temporary file
_NAME_BYTES = 6
_BYTE_ORDER = "\ufeff"
_ESCAPES = {ord(letter): f"\\{letter}" for letter in "\\()"} | {ord("\r"): "\\r"}


class PdfFile:
    """A file that is being written. Objects are known by their numbers, which can be reserved before they are written,
    or by a name of their own, which is not written."""

    def __init__(self, version: tuple[int, int] = (1, 7)) -> None:
        self._stream = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - it lasts as long as the object
        self._file = pdfdoc.PDFFile(version)
        self._stream.write(self._file.format(None))
        self._file.write = self._stream.write  # reportlab's own file is a list of its objects
        self._numbers: dict[str, int] = {}
        self._digest = md5(usedforsecurity=False)
        self.encrypt = pdfdoc.NoEncryption()
        self.idToObjectNumberAndVersion: dict[int, tuple[int, int]] = {}
        self.idToOffset: dict[int, int] = {}
        """Where each object begins. reportlab looks up these three attributes."""

    def reserve(self) -> int:
        """The number of an object that is written later."""
        number = len(self.idToObjectNumberAndVersion) + 1
        self.idToObjectNumberAndVersion[number] = number, 0
        return number

    def number(self, name: str) -> int:
        """The number of the object with this name."""
        if name not in self._numbers:
            self._numbers[name] = self.reserve()
        return self._numbers[name]

    def add(self, code: str | bytes, number: int | None = None) -> int:
        """Writes an object; returns its number. Each character of the code is one byte."""
        number = self.reserve() if number is None else number
        data = code.encode("latin-1") if isinstance(code, str) else code
        self._digest.update(data)
        self.idToOffset[number] = self._file.add(b"%d 0 obj\n%b\nendobj\n" % (number, data))
        return number

    def finish(self, root: int, info: int) -> None:
        """Writes what comes after the objects, of which one is the catalogue and one the document information."""
        table = pdfdoc.PDFCrossReferenceTable()
        table.addsection(0, list(self.idToOffset))
        start = self._file.add(table.format(self))
        trailer = pdfdoc.PDFTrailer(
            start,
            Size=len(self.idToOffset) + 1,
            Root=pdfdoc.PDFObjectReference(root),
            Info=pdfdoc.PDFObjectReference(info),
            ID=f"[<{self._digest.hexdigest()}><{self._digest.hexdigest()}>]",
        )
        self._file.add(trailer.format(self))

    def write_to(self, stream: Writable) -> None:
        """Writes the whole file to a stream."""
        self._stream.seek(0)
        copyfileobj(self._stream, stream)

    def content(self) -> bytes:
        """The whole file."""
        self._stream.seek(0)
        return self._stream.read()


def references(numbers: Iterable[int]) -> str:
    """An array of references to objects."""
    return "[" + " ".join([f"{number} 0 R" for number in numbers]) + "]"


def stream(data: bytes, entries: str = "") -> bytes:
    """The code of a stream (7.3.8), compressed; `entries` are those of its dictionary."""
    return packed_stream(zlib.compress(data), f"/Filter/FlateDecode{entries}")


def packed_stream(data: bytes, entries: str) -> bytes:
    """The code of a stream with data as they are."""
    return b"<<%b/Length %d>>\nstream\n%b\nendstream" % (entries.encode("latin-1"), len(data), data)


def text_string(text: str) -> str:
    """A text string (7.9.2.2): ASCII unchanged, anything else as UTF-16."""
    if text.isascii() and text.isprintable():
        return f"({escaped(text.encode())})"
    code = (_BYTE_ORDER + text).encode("utf-16-be", "surrogatepass")
    return f"({code.decode('latin-1').translate(_ESCAPES)})"


def digest(code: str) -> str:
    """The name of something with this code: the same in every process and document."""
    data = md5(code.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
    return urlsafe_b64encode(data[:_NAME_BYTES]).decode()


class Form(Struct, frozen=True):
    """A form XObject (8.10 “Form XObjects”): its box, its operators, and the XObjects that these name. With a colour
    space as `group`, it is an isolated transparency group (11.6.6 “Transparency Group XObjects”)."""

    box: Box
    code: str
    xobjects: tuple[str, ...] = ()
    group: str = ""


_STEPS = 8  # how many straight parts a gradient between two colours has in CMYK, because inks do not follow it evenly


class Resources(Struct):
    """The shared resources of one document. `masks` are the forms of soft masks, and `spaces` colour spaces; `inks`
    convert gradients to CMYK. Nothing is written unless it is used."""

    inks: operators.ColourConverter | None = None
    forms: dict[str, Form] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    masks: dict[str, Form] = field(default_factory=dict)
    patterns: dict[str, str] = field(default_factory=dict)
    spaces: dict[str, str] = field(default_factory=dict)

    def form(self, form: Form) -> str:
        """The name of a form XObject."""
        name = digest(f"{form.box}{form.group}{form.code}")
        self.forms.setdefault(name, form)
        return name

    def opacity(self, alpha: float) -> str:
        """The operator that sets the alpha constant (11.6.4.4 “Constant Shape and Opacity”)."""
        share = round(max(0.0, min(alpha, 1.0)) * 1000)
        self.states[f"a{share}"] = f"/ca {share / 1000:g}/CA {share / 1000:g}"
        return f"/a{share} gs"

    def soft_mask(self, gradient: Gradient, box: Box) -> str:
        """The operator that masks what follows, within `box`, with the alpha values of a gradient (11.6.5.2 “Soft-Mask
        Dictionaries”). Opaque stops are painted white in the mask."""
        left, top, right, bottom = box
        pattern = self._pattern(gradient, box, "DeviceGray", lambda colour: f"{operators.alpha(colour):.3f}")
        code = f"/Pattern cs {pattern} scn {numbers(left, top, right - left, bottom - top)} re f "
        name = f"m{digest(code)}"
        self.masks.setdefault(name, Form(box, code, group="DeviceGray"))
        return f"/{name} gs"

    def pattern(self, gradient: Gradient, box: Box) -> str:
        """The name of the pattern of a gradient for a shape within `box`. Its pattern space is that of the form that
        paints it (8.7.2 “General Properties of Patterns”)."""
        if self.inks is None:
            return self._pattern(gradient, box, "DeviceRGB", operators.rgb)
        gradient = replace(gradient, stops=tuple(_in_steps(gradient.stops)))
        return self._pattern(gradient, box, "DeviceCMYK", self._in_inks)

    def _in_inks(self, colour: str) -> str:
        assert self.inks
        red, green, blue = (level / 255 for level in channels(colour)[:3])
        return numbers(*self.inks.colour(red, green, blue))

    def _pattern(self, gradient: Gradient, box: Box, space: str, components: Callable[[str], str]) -> str:
        code = pattern_code(gradient, box, space, components)
        name = f"P{digest(code)}"
        self.patterns[name] = code
        return f"/{name}"

    def update(self, other: Resources) -> None:
        """Adds the resources that another process has used."""
        self.forms |= other.forms
        self.states |= other.states
        self.masks |= other.masks
        self.patterns |= other.patterns

    def entries(self, file: PdfFile, xobjects: Iterable[str]) -> str:
        """The entries of the resource dictionary (7.8.3) of a page or form that uses `xobjects`, once all pages are
        painted."""
        used = {"ExtGState": self.states or self.masks, "Pattern": self.patterns, "ColorSpace": self.spaces}
        kinds = ["Font", *[kind for kind, resources in used.items() if resources]]
        shared = "".join([f"/{kind} {file.number(kind)} 0 R" for kind in kinds])
        forms = "".join([f"/{name} {file.number(name)} 0 R" for name in xobjects])
        return f"{shared}/ProcSet[/PDF/Text]" + (f"/XObject<<{forms}>>" if forms else "")

    @property
    def are_blended(self) -> bool:
        """Whether there is transparency in the document."""
        return bool(self.masks) or any(code.startswith("/ca") for code in self.states.values())

    def add_to(self, file: PdfFile, settled: Callable[[str], str]) -> None:
        """Writes the resources to a file, once all its pages are painted and the codes of fonts can be `settled`."""
        for name, form in (*self.forms.items(), *self.masks.items()):
            group = f"/Group<</S/Transparency/I true/CS/{form.group}>>" if form.group else ""
            head = f"/Type/XObject/Subtype/Form/BBox[{numbers(*form.box)}]{group}"
            data = settled(form.code).encode("latin-1")
            resources = f"/Resources<<{self.entries(file, form.xobjects)}>>"
            file.add(stream(data, head + resources), file.number(name))
        masks = {name: f"/SMask<</Type/Mask/S/Luminosity/G {file.number(name)} 0 R>>" for name in self.masks}
        shared = {"ExtGState": self.states | masks, "Pattern": self.patterns, "ColorSpace": self.spaces}
        for kind, entries in shared.items():
            if entries:
                codes = {name: f"[{code}]" if kind == "ColorSpace" else f"<<{code}>>" for name, code in entries.items()}
                written = "".join([f"/{name} {file.add(code)} 0 R" for name, code in codes.items()])
                file.add(f"<<{written}>>", file.number(kind))


def _in_steps(stops: Sequence[Stop]) -> Iterator[Stop]:
    """The stops of a gradient, with others between them."""
    for before, after in pairwise(stops):
        for share in (step / _STEPS for step in range(_STEPS)):
            offset = before.offset + (after.offset - before.offset) * share
            yield Stop(offset, mixed(before.colour, after.colour, share))
    yield stops[-1]


# ---- gradients as shading patterns; alpha values that differ between their stops are soft masks


Box: TypeAlias = tuple[float, float, float, float]
_MAX_REPEATS = 200  # how often a gradient is reflected or repeated within a shape
_Segment: TypeAlias = tuple[float, float, str, str]  # part of a gradient: start, end, and their colours
# The length of the segment of a stop that only shows beyond the end of a gradient: viewers use some 256 colours.
_END = 0.01
_MITER_LIMIT = 10.0  # that of PDF (8.4.3.5 “Miter Limit”)


@lru_cache(maxsize=1000)
def pattern_code(gradient: Gradient, box: Box, space: str, components: Callable[[str], str]) -> str:
    """The dictionary of the pattern of a gradient for a shape within `box`, in a colour space of which `components`
    gives the numbers of a colour (8.7.4 “Shading Patterns”)."""
    first, last = _periods(gradient, box)
    segments = list(_segments(gradient, first, last))
    segments = segments if gradient.spread else _with_ends(gradient, segments)
    shading = (
        f"{_shading(gradient, segments[0][0], segments[-1][1])}/ColorSpace/{space}/Extend[true true]"
        f"/Function {_function(segments, components)}"
    )
    return f"/PatternType 2/Matrix[{numbers(*gradient.matrix)}]/Shading<<{shading}>>"


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


def numbers(*numbers: float) -> str:
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
    domain = "" if (first, last) == (0, 1) else f"/Domain[{numbers(first, last)}]"
    if isinstance(gradient, LinearGradient):
        starts, ends = (gradient.x1, gradient.y1), (gradient.x2, gradient.y2)
    else:
        assert isinstance(gradient, RadialGradient)
        starts, ends = (gradient.fx, gradient.fy, gradient.fr), (gradient.x, gradient.y, gradient.r)  # type: ignore
    coordinates = [a + (b - a) * at for at in (first, last) for a, b in zip(starts, ends, strict=True)]
    return f"/ShadingType {2 if isinstance(gradient, LinearGradient) else 3}/Coords[{numbers(*coordinates)}]{domain}"


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
    limits = numbers(*[start for start, *_ in segments[1:]])
    encode = " ".join(["0 1"] * len(functions))
    return (
        f"<</FunctionType 3/Domain[{numbers(start, end)}]/Bounds[{limits}]"
        f"/Encode[{encode}]/Functions[{''.join(functions)}]>>"
    )
