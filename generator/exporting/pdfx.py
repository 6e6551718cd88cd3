"""PDF/X-1a:2003 (ISO 15930-4) from the PDFs of this program: CMYK, an output intent, no transparency, die lines.

Colours are converted where they are: in the operators of pages and forms, in shadings, and in pictures. Fonts are
embedded already, and transparency is gone before (`flatten`).
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import pairwise
from typing import Any

from msgspec import Struct

from ..errors import fault
from ..geometry.outlines import Path
from .colour import Inks
from .raster import EXTRA

VERSION = "PDF/X-1a:2003"
REGISTRY = "http://www.color.org"
CUT, CREASE = "CutContour", "Crease"
"""The spot colours of die lines: what is cut, and what is folded."""
_INKS = {CUT: (0, 1, 0, 0), CREASE: (1, 0, 0, 0)}
"""How they look on a screen."""
_DATE = "D:20200101000000Z"
"""The date in every file: the same cards give the same bytes."""
_POINTS = 72 / 25.4
_DIE_WIDTH = 0.25
"""The width of die lines, in points."""
_QUALITY = 95
_STEPS = 8
"""How many straight parts a gradient between two colours has, because inks do not follow it evenly."""
_TO_CMYK = {"rg": "k", "RG": "K", "g": "k", "G": "K"}
"""The operators that set a colour in RGB or grey, and the ones that set it in CMYK."""
_SEGMENTS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


class Dies(Struct, frozen=True):
    """The die lines of a page by their spot colours, in mm from its upper left corner. With a `trim` (x, y, width,
    height), the page is cut out along it, and its bleed is `bleed` mm wide."""

    paths: Mapping[str, Path]
    trim: tuple[float, float, float, float] | None = None
    bleed: float = 0.0


def library() -> Any:
    """The module pikepdf. Raises InputError if it is not installed."""
    try:
        import pikepdf  # an extra: only print shops need it
    except ModuleNotFoundError:
        raise fault("exporting for print shops needs pikepdf, which is not installed", hint=EXTRA) from None
    return pikepdf


def convert(document: bytes, condition: str, inks: Inks, dies: Sequence[Dies] = ()) -> bytes:
    """A PDF of this program as PDF/X-1a, with the die lines of each page, if it has any. `condition` is the printing
    condition: a registered name such as FOGRA39."""
    pikepdf = library()
    with pikepdf.open(BytesIO(document)) as opened:
        converter = _Converter(pikepdf, opened, inks)
        for number, page in enumerate(opened.pages):
            converter.page(page.obj)
            if dies:
                _draw_dies(pikepdf, opened, page, dies[number])
        converter.rest()
        _identify(pikepdf, opened, condition, inks)
        out = BytesIO()
        opened.remove_unreferenced_resources()
        opened.save(
            out,
            force_version="1.4",
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            deterministic_id=True,
            compress_streams=True,
        )
        return out.getvalue()


def _identify(pikepdf: Any, document: Any, condition: str, inks: Inks) -> None:
    """What the standard asks for beside the pages."""
    info = document.docinfo
    info["/GTS_PDFXVersion"] = pikepdf.String(VERSION)
    info["/Trapped"] = pikepdf.Name("/False")
    info["/CreationDate"] = info["/ModDate"] = pikepdf.String(_DATE)
    entries = {
        "/Type": pikepdf.Name.OutputIntent,
        "/S": pikepdf.Name("/GTS_PDFX"),
        "/OutputConditionIdentifier": pikepdf.String(condition),
        "/OutputCondition": pikepdf.String(inks.description or condition),
        "/RegistryName": pikepdf.String(REGISTRY),
        "/Info": pikepdf.String(inks.description or condition),
    }
    if inks.profile:
        entries["/DestOutputProfile"] = document.make_stream(inks.profile, N=4)
    document.Root["/OutputIntents"] = pikepdf.Array([pikepdf.Dictionary(entries)])


class _Converter:
    """Converts the streams, shadings and pictures of one document, each once."""

    def __init__(self, library: Any, document: Any, inks: Inks) -> None:
        self.library = library
        self.document = document
        self.inks = inks
        self.done: set[tuple[int, int]] = set()

    def page(self, page: Any) -> None:
        if "/Group" in page:
            del page["/Group"]
        contents = page["/Contents"]
        for stream in contents if isinstance(contents, self.library.Array) else [contents]:
            self._stream(stream)

    def rest(self) -> None:
        """Forms, pictures and shadings, wherever they are used."""
        for thing in list(self.document.objects):
            if isinstance(thing, self.library.Stream):
                kind = thing.get("/Subtype")
                if kind == "/Form":
                    self._stream(thing)
                elif kind == "/Image":
                    self._image(thing)
            elif isinstance(thing, self.library.Dictionary) and "/Shading" in thing and "/PatternType" in thing:
                self._shading(thing["/Shading"])

    def _stream(self, stream: Any) -> None:
        if "/Group" in stream:
            del stream["/Group"]
        if not self._first(stream):
            return
        instructions = []
        for operands, operator in self.library.parse_content_stream(stream):
            name = _TO_CMYK.get(str(operator))
            if name:
                levels = [*map(float, operands)] * (3 // len(operands))  # a grey is red, green and blue alike
                operands, operator = list(self.inks.colour(*levels)), self.library.Operator(name)
            instructions.append((operands, operator))
        stream.write(self.library.unparse_content_stream(instructions))

    def _first(self, thing: Any) -> bool:
        """Whether this object has not been converted yet."""
        if thing.objgen in self.done:
            return False
        self.done.add(thing.objgen)
        return True

    def _shading(self, shading: Any) -> None:
        if shading.get("/ColorSpace") == "/DeviceRGB":
            shading["/ColorSpace"] = self.library.Name("/DeviceCMYK")
            shading["/Function"] = self._function(shading["/Function"])

    def _function(self, function: Any) -> Any:
        """A function to colours in RGB as one to CMYK. Between two colours it has several steps."""
        dictionary = self.library.Dictionary
        if function["/FunctionType"] == 3:
            parts = [self._function(part) for part in function["/Functions"]]
            return dictionary(
                FunctionType=3,
                Domain=function["/Domain"],
                Bounds=function["/Bounds"],
                Encode=function["/Encode"],
                Functions=parts,
            )
        first, last = ([float(value) for value in function[key]] for key in ("/C0", "/C1"))
        colours = [
            self.inks.colour(*(a + (b - a) * step / _STEPS for a, b in zip(first, last, strict=True)))
            for step in range(_STEPS + 1)
        ]
        parts = [
            dictionary(FunctionType=2, Domain=[0, 1], N=1, C0=list(before), C1=list(after))
            for before, after in pairwise(colours)
        ]
        bounds = [step / _STEPS for step in range(1, _STEPS)]
        return dictionary(FunctionType=3, Domain=[0, 1], Bounds=bounds, Encode=[0, 1] * _STEPS, Functions=parts)

    def _image(self, stream: Any) -> None:
        if stream.get("/ColorSpace") != "/DeviceRGB" or not self._first(stream):
            return
        image = self.library.PdfImage(stream).as_pil_image()
        inks = self.inks.image(image.convert("RGB"))
        photograph = stream.get("/Filter") == "/DCTDecode"
        for key in ("/Decode", "/DecodeParms"):
            if key in stream:
                del stream[key]
        if photograph:  # in JPEG files for print, as Pillow writes them, 255 is no ink
            data = BytesIO()
            inks.save(data, "JPEG", quality=_QUALITY, subsampling=0)
            stream.write(data.getvalue(), filter=self.library.Name("/DCTDecode"))
            stream["/Decode"] = self.library.Array([1, 0] * 4)
        else:
            stream.write(zlib.compress(inks.tobytes(), 6), filter=self.library.Name("/FlateDecode"))
        stream["/ColorSpace"] = self.library.Name("/DeviceCMYK")


def _draw_dies(pikepdf: Any, document: Any, page: Any, dies: Dies) -> None:
    """Draws die lines in spot colours that overprint, so that nothing is missing under them."""
    height = float(page.obj["/MediaBox"][3])
    if dies.trim:
        x, y, wide, high = (length * _POINTS for length in dies.trim)
        for name, more in (("/TrimBox", 0.0), ("/BleedBox", dies.bleed * _POINTS)):
            page.obj[name] = pikepdf.Array([x - more, height - y - high - more, x + wide + more, height - y + more])
    resources = pikepdf.Dictionary(dict(page.obj["/Resources"].items()))
    state = pikepdf.Dictionary(Type=pikepdf.Name.ExtGState, OP=True, op=True, OPM=1)
    states = dict(resources.get("/ExtGState", pikepdf.Dictionary()).items())
    resources["/ExtGState"] = pikepdf.Dictionary({**states, "/Overprint": state})
    resources["/ColorSpace"] = pikepdf.Dictionary({f"/{name}": _spot(pikepdf, name) for name in dies.paths})
    page.obj["/Resources"] = resources
    code = "\n".join(_die(name, path, height) for name, path in dies.paths.items() if path)
    page.contents_add(document.make_stream(code.encode()))


def _spot(pikepdf: Any, name: str) -> Any:
    """The colour space of a spot colour."""
    to_inks = pikepdf.Dictionary(FunctionType=2, Domain=[0, 1], N=1, C0=[0, 0, 0, 0], C1=list(_INKS[name]))
    return pikepdf.Array([pikepdf.Name.Separation, pikepdf.Name(f"/{name}"), pikepdf.Name.DeviceCMYK, to_inks])


def _die(name: str, path: Path, height: float) -> str:
    """The operators of a die line, on a page of this height in points."""
    code = [f"q /Overprint gs /{name} CS 1 SCN {_DIE_WIDTH} w"]
    for segment in path:
        numbers = [float(value) * _POINTS for value in segment[1:]]
        points = [value if number % 2 == 0 else height - value for number, value in enumerate(numbers)]
        code.append(" ".join([*(f"{value:.4f}" for value in points), _SEGMENTS[str(segment[0])]]))
    return "\n".join([*code, "S Q"])
