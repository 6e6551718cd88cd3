"""Writes pictures as image XObjects (ISO 32000-1:2008, 8.9.5), each once, in sRGB and with no more pixels than its
largest use needs.

The data of JPEG and PNG files that can stay as they are go into the PDF unchanged. Other pictures are decoded one after
the other when the document is written: photographs become JPEG where nobody can see the difference, everything else is
compressed without loss, and transparency becomes a soft mask."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache, partial
from hashlib import file_digest, sha256
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, field
from PIL import Image as Bitmaps
from PIL import ImageChops, ImageCms, ImageOps

from ..art import rasterise
from ..art.bitmaps import SIDEWAYS, bitmap, opened, orientation, quiet
from ..art.svg_markup import DPI
from ..errors import InputError, Place, Problem, note, refuse
from ..geometry.frame import Image
from ..paths import display_path
from .file import PdfFile, packed_stream
from .operators import ColourConverter

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

    from ..art.svg_shapes import Art

MAX_DPI = 350.0
"""Pictures above this resolution (dpi) are scaled down."""
MIN_DPI = 200.0
"""Pictures below this resolution (dpi) are noted."""
_MIN_FOR_THREADS = 4
# Pictures are only scaled down if they have this many times the pixels they need: otherwise it would hardly save
# space.
_SPARE = 1.1
_INCH = 25.4
_GREY = {"1", "L", "LA", "La", "I;16", "I;16L", "I;16B", "I;16N"}
_TO_8_BITS = 1 / 257
_QUALITY, _INK_QUALITY = 96, 95
# The compression level of everything else. The default, 6, takes up to three times as long and saves at most 8%.
_LEVEL = 4
# A picture with more colours is a photograph or a painting. One with fewer is a drawing, which compresses well
# without loss.
_MAX_FLAT_COLOURS = 1 << 15
# The largest error (root mean square, of 255) of a JPEG that nobody can see: even in heavy noise, where JPEG is at
# its worst, quality 96 stays below it.
_MAX_ERROR = 4.0
# The pixels of a PNG file in RGB stay as they are if compression made them at least this many times shorter. Those of
# most photographs are longer, and far shorter as JPEG.
_MIN_RATIO = 4
_SPACES = {1: "DeviceGray", 3: "DeviceRGB"}  # colour spaces by the number of their components
_SAMPLES = {0: 1, 2: 3}  # the samples of a pixel in grey and in RGB, by the colour type of a PNG file (PNG, 11.2.1)
_FILTERS = 5  # how many ways there are to filter a row of a PNG file (PNG, 9.2)
_MARKER, _START_OF_SCAN = 0xFF, 0xDA
_METADATA = (*range(0xE1, 0xEE), 0xEF, 0xFE)
_NEAR_SRGB = 3  # a profile that changes no colour by more than this (of 255) counts as sRGB


DIGEST = "PencilboxPicture"
"""The entry of an image's dictionary that identifies its file."""
_DIGITS = 16


class Picture(Struct, eq=False):
    """A picture file in a document, and the size in mm of its largest use. `digest` identifies it,
    independent of its printed resolution and the versions of libraries."""

    file: str
    digest: str
    width: float = 0.0
    height: float = 0.0

    @property
    def dpi(self) -> float:
        """Dots per inch at the largest use."""
        header = bitmap(self.file)
        return min(header.width / self.width, header.height / self.height) * _INCH

    def show(self, width: float, height: float) -> None:
        """Notes another use, of this size in mm."""
        self.width, self.height = max(self.width, width), max(self.height, height)

    @contextmanager
    def opened(self) -> Iterator[Pixels]:
        """The pixels, which may not be decoded yet."""
        with opened(self.file) as image:
            yield image


class DrawnPicture(Picture, eq=False):
    """An SVG file that is drawn as a picture, for its largest use, with `colour` as its `currentColor`."""

    art: Art | None = None
    colour: str = ""

    @property
    def dpi(self) -> float:
        return float(DPI)

    @contextmanager
    def opened(self) -> Iterator[Pixels]:
        assert self.art is not None and self.art.document is not None
        yield Bitmaps.open(BytesIO(rasterise.draw(self.art.document, self.width, self.height, self.colour)))


class Pictures(Struct):
    """The pictures of a document, by the names of their XObjects. Files with the same content share one. `inks` convert
    them to CMYK, except for those in grey."""

    max_dpi: float = MAX_DPI
    inks: ColourConverter | None = None
    by_name: dict[str, Picture] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def use(self, item: Image, scale: float = 1.0) -> str:
        """The name of the XObject of a picture that is printed at this scale. Raises InputError if its header says that
        it cannot be printed."""
        name = self.names.get(item.file)
        if name is None:
            bitmap(item.file)
            with Path(item.file).open("rb") as stream:
                digest = file_digest(stream, sha256).hexdigest()[:_DIGITS]
            name = self.names[item.file] = f"p{digest[:12]}"
            self.by_name.setdefault(name, Picture(item.file, digest))
        self.by_name[name].show(item.width * scale, item.height * scale)
        return name

    def drawing(self, file: str, art: Art, colour: str) -> tuple[str, Picture]:
        """The name of the XObject of an SVG file that is drawn as a picture, and the picture, to set its size."""
        digest = sha256(Path(file).read_bytes() + colour.encode()).hexdigest()[:_DIGITS]
        name = f"d{digest[:12]}"
        return name, self.by_name.setdefault(name, DrawnPicture(file, digest, art=art, colour=colour))

    def add_to(self, file: PdfFile, stand_in: Callable[[str, Picture, InputError], None] | None = None) -> None:
        """Encodes the pictures and writes them to a file, once all uses are known. Raises InputError with every problem
        of their files, unless `stand_in` adds something else under the name of a picture."""
        problems: list[Problem] = []
        with quiet():
            for (name, picture), result in zip(self.by_name.items(), self._encoded(), strict=True):
                if isinstance(result, InputError):
                    if stand_in:
                        stand_in(name, picture, result)
                    else:
                        problems += result.problems
                    continue
                mask = f"/SMask {file.add(_image(*result.mask))} 0 R" if result.mask else ""
                entries, data = result.pixels
                file.add(_image(f"{entries}/{DIGEST}/{picture.digest}{mask}", data), file.number(name))
                if picture.dpi < MIN_DPI:
                    size = f"{picture.width:.0f} × {picture.height:.0f} mm"
                    note(
                        f"only {picture.dpi:.0f} dpi at its largest size, {size}",
                        Place(display_path(Path(picture.file))),
                        f"it needs at least {MIN_DPI:g} dpi to look sharp",
                    )
        refuse(problems)

    def _encoded(self) -> Iterator[Encoded | InputError]:
        """The encoded pictures. Decoding holds Python's lock and scaling does not, so two threads are faster."""
        encode, pictures = partial(_encoded, max_dpi=self.max_dpi, inks=self.inks), self.by_name.values()
        if len(pictures) < _MIN_FOR_THREADS:
            yield from map(encode, pictures)
            return
        with ThreadPoolExecutor(2) as threads:
            yield from threads.map(encode, pictures)


def _image(entries: str, data: bytes) -> bytes:
    return packed_stream(data, f"/Type/XObject/Subtype/Image{entries}")


Stream: TypeAlias = tuple[str, bytes]
"""The entries of an image's dictionary, and its data."""


class Encoded(Struct, frozen=True):
    """A picture and its soft mask as they are written into the PDF."""

    pixels: Stream
    mask: Stream | None = None


def _encoded(picture: Picture, max_dpi: float, inks: ColourConverter | None = None) -> Encoded | InputError:
    """A picture as it is written into the PDF, or why it cannot be."""
    try:
        with picture.opened() as image:
            if (inks is None or image.mode in _GREY) and (data := _unchanged(image, picture, max_dpi)):
                return Encoded(data)
            pixels, mask = _decoded(image, picture, max_dpi)
            if inks and pixels.mode == "RGB":
                return Encoded(_in_inks(pixels, inks, was_jpeg=image.format == "JPEG"))
            data = _compressed(pixels, as_jpeg=mask is None, was_jpeg=image.format == "JPEG")
            return Encoded(data, _compressed(mask, as_jpeg=False) if mask else None)
    except InputError as error:
        return error


def _in_inks(pixels: Pixels, inks: ColourConverter, *, was_jpeg: bool) -> Stream:
    """The pixels of a picture in RGB as CMYK. In JPEG files for print, as Pillow writes them, 255 means no ink."""
    converted = inks.image(pixels)
    head = _head(*pixels.size, "DeviceCMYK", "")
    if was_jpeg or pixels.getcolors(_MAX_FLAT_COLOURS) is None:
        data = BytesIO()
        converted.save(data, "JPEG", quality=_INK_QUALITY, subsampling=0)
        return f"{head}/Filter/DCTDecode/Decode[{' '.join(['1 0'] * 4)}]", data.getvalue()
    return f"{head}/Filter/FlateDecode", zlib.compress(converted.tobytes())


def _unchanged(image: Any, picture: Picture, max_dpi: float) -> Stream | None:
    """The data of a JPEG or PNG file that can be printed unchanged: opaque, upright, in grey or RGB, in sRGB, and not
    much finer than needed."""
    data_of = {"JPEG": _jpeg, "PNG": _png}.get(image.format)
    if data_of is None or image.mode not in ("1", "L", "RGB") or image.has_transparency_data:
        return None
    if orientation(image) > 1 or _target(image.size, picture, max_dpi) or _profile(image):
        return None
    return data_of(image, Path(picture.file))


def _jpeg(image: Any, file: Path) -> Stream | None:
    """The data of a JPEG file, unless its colours are coded in an unusual way."""
    if image.mode == "RGB" and "jfif" not in image.info and image.info.get("adobe_transform") != 1:
        return None
    width, height = image.size
    image.draft(None, (1, 1))  # decodes at an eighth of the size, only to find damage
    image.load()
    return _head(width, height, _space(image), "/Filter/DCTDecode"), b"".join(_without_metadata(file.read_bytes()))


def _without_metadata(jpeg: bytes) -> Iterator[bytes]:
    """JPEG data without thumbnails, comments, profiles and the place where a photo was taken, which are in segments
    APP1 to APP13, APP15 and COM (ITU-T T.81, B.1.1). APP0 and APP14 say how colours are coded."""
    yield jpeg[:2]
    position = 2
    while jpeg[position] == _MARKER and jpeg[position + 1] != _START_OF_SCAN:
        if jpeg[position + 1] == _MARKER:  # a fill byte
            position += 1
            continue
        end = position + 2 + int.from_bytes(jpeg[position + 2 : position + 4], "big")
        if jpeg[position + 1] not in _METADATA:
            yield jpeg[position:end]
        position = end
    yield jpeg[position:]


def _png(image: Any, file: Path) -> Stream | None:
    """The compressed rows of a PNG file, unless they are those of a photograph or cannot be copied: interlaced, of more
    than 8 bits, or damaged."""
    png, (width, height) = file.read_bytes(), image.size
    depth, colour, _, _, interlaced = png[24:29]  # in the header (PNG, 11.2.1)
    samples = _SAMPLES.get(colour, 0)
    if not samples or depth > 8 or interlaced:
        return None
    data, row = b"".join(_png_data(png)), 1 + (width * samples * depth + 7) // 8
    if (samples == 3 and len(data) * _MIN_RATIO > row * height) or not _has_rows(data, row, height):
        return None
    return _head(width, height, _SPACES[samples], _png_coding(samples, width, depth), depth=depth), data


def _has_rows(data: bytes, row: int, height: int) -> bool:
    """Whether these are the compressed rows of a PNG file and nothing else. Each has `row` bytes, the first of which is
    its filter."""
    inflater = zlib.decompressobj()
    try:
        rows = inflater.decompress(data, row * height + 1)
    except zlib.error:
        return False
    is_whole = inflater.eof and not inflater.unused_data and len(rows) == row * height
    return is_whole and max(rows[::row]) < _FILTERS


def _png_coding(samples: int, width: int, depth: int = 8) -> str:
    bits = f"/BitsPerComponent {depth}" if depth < 8 else ""
    return f"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors {samples}{bits}/Columns {width}>>"


def _space(image: Any) -> str:
    return _SPACES[len(image.getbands())]


def _head(width: int, height: int, space: str, coding: str, depth: int = 8) -> str:
    return f"/Width {width}/Height {height}/ColorSpace/{space}/BitsPerComponent {depth}{coding}"


def _target(size: tuple[int, int], picture: Picture, max_dpi: float) -> tuple[int, int] | None:
    """The size in pixels to which a picture is scaled down; None if it stays as it is."""
    width, height = size
    needed = max(picture.width / width, picture.height / height) * max_dpi / _INCH
    return (max(1, ceil(width * needed)), max(1, ceil(height * needed))) if 0 < needed * _SPARE < 1 else None


def _decoded(image: Pixels, picture: Picture, max_dpi: float) -> tuple[Pixels, Pixels | None]:
    """The pixels of a picture in grey or sRGB, upright and scaled down, and its soft mask."""
    turn = orientation(image)  # decoding may change the answer
    target = _target(image.size[::-1] if turn in SIDEWAYS else image.size, picture, max_dpi)
    if target and image.format == "JPEG":
        image.draft(None, (2 * max(target), 2 * max(target)))
    profile = _profile(image)
    pixels = _eight_bits(image)
    if turn > 1:
        pixels = ImageOps.exif_transpose(pixels)
    if target:
        pixels = pixels.resize(target, Bitmaps.Resampling.LANCZOS, reducing_gap=3.0)
    mask = None
    if pixels.mode in ("LA", "RGBA"):
        mask = pixels.getchannel("A")
        pixels = pixels.convert(pixels.mode[:-1])
        if mask.getextrema()[0] == 255:
            mask = None
    return _in_srgb(pixels, profile), mask


def _eight_bits(image: Pixels) -> Pixels:
    """The picture in 8-bit grey, RGB or CMYK, with an alpha channel if anything may be transparent."""
    grey = image.mode in _GREY
    if image.mode.startswith("I;16"):
        return image.point(lambda level: level * _TO_8_BITS).convert("L")
    mode = "L" if grey else image.mode if image.mode == "CMYK" else "RGB"
    if image.has_transparency_data:
        mode = "LA" if grey else "RGBA"
    return image if image.mode == mode else image.convert(mode)  # converting makes a copy even if nothing changes


def _profile(image: Pixels) -> bytes | None:
    """The colour profile of a picture that is not in sRGB. A damaged profile, or one for other colours, is ignored, as
    in browsers."""
    profile = image.info.get("icc_profile")
    mode = "CMYK" if image.mode == "CMYK" else "L" if image.mode in _GREY else "RGB"
    return None if not isinstance(profile, bytes) or not profile or not _differs(profile, mode) else profile


@lru_cache(maxsize=8)
def _transform(profile: bytes, mode: str) -> Any:
    """Converts pixels of a mode from a profile to sRGB; None if the profile cannot be used."""
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        return ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), mode, "RGB")
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return None


@lru_cache(maxsize=8)
def _differs(profile: bytes, mode: str) -> bool:
    """Whether pixels of a mode look different with this profile than in sRGB."""
    transform = _transform(profile, mode)
    if transform is None:
        return False
    if mode == "CMYK":
        return True
    steps = range(0, 256, 51)
    levels = (
        [(level,) * 3 for level in steps] if mode == "L" else [(r, g, b) for r in steps for g in steps for b in steps]
    )
    probe = Bitmaps.frombytes("RGB", (len(levels), 1), bytes(value for level in levels for value in level))
    change = ImageChops.difference(transform.apply(probe.convert(mode)), probe)
    return max(change.tobytes()) > _NEAR_SRGB


def _in_srgb(pixels: Pixels, profile: bytes | None) -> Pixels:
    """The pixels in grey or sRGB. Without a profile, CMYK is converted by the simple formula that browsers use."""
    if profile:
        converted = _transform(profile, pixels.mode).apply(pixels)
        return converted.convert("L") if pixels.mode == "L" else converted  # type: ignore[no-any-return]
    return pixels.convert("RGB") if pixels.mode == "CMYK" else pixels


def _compressed(pixels: Pixels, *, as_jpeg: bool, was_jpeg: bool = False) -> Stream:
    """The entries of an image's dictionary and its data; `as_jpeg` allows JPEG if the difference is invisible."""
    if as_jpeg and (was_jpeg or (pixels.mode == "RGB" and pixels.getcolors(_MAX_FLAT_COLOURS) is None)):
        stream = BytesIO()
        pixels.save(stream, "JPEG", quality=_QUALITY, subsampling=0)
        if was_jpeg or _error(pixels, stream) <= _MAX_ERROR:
            return _head(*pixels.size, _space(pixels), "/Filter/DCTDecode"), stream.getvalue()
    stream = BytesIO()
    pixels.save(stream, "PNG", compress_level=_LEVEL)
    coding = _png_coding(len(pixels.getbands()), pixels.width)
    return _head(*pixels.size, _space(pixels), coding), b"".join(_png_data(stream.getvalue()))


def _error(pixels: Pixels, jpeg: BytesIO) -> float:
    """The root mean square of the differences between pixels and their JPEG."""
    counts = ImageChops.difference(Bitmaps.open(jpeg), pixels).histogram()
    squares = sum(count * (number % 256) ** 2 for number, count in enumerate(counts))
    return float((squares / sum(counts)) ** 0.5)


def _png_data(png: bytes) -> Iterator[bytes]:
    """The compressed rows of a PNG file, which PDF understands (PNG, 5.3; ISO 32000-1:2008, 7.4.4.4)."""
    position = 8
    while position + 8 <= len(png):
        (length,) = struct.unpack_from(">I", png, position)
        if png[position + 4 : position + 8] == b"IDAT":
            yield png[position + 8 : position + 8 + length]
        position += length + 12
