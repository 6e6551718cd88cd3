"""Opens font files, and chooses those of a family that suit a style."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import uharfbuzz as hb
from msgspec.structs import replace

from .. import limits, paths
from ..errors import MAX_NAMES, Place, fault, shortened
from ..files import of_files
from ..model.game import FontFile
from ..paths import display_path

_TRUETYPE = (b"\0\1\0\0", b"true")
_OUTLINES = {b"OTTO": "CFF ", **dict.fromkeys(_TRUETYPE, "glyf")}
_OUTLINE_TABLES = ("glyf", "CFF ", "CFF2")
_COLLECTION, _WEB_FONT, _WEB_FONT_2 = b"ttcf", b"wOFF", b"wOF2"


class OpenedFont(NamedTuple):
    """The bytes of a font file, the font that was chosen in it, and the settings of its axes if it is variable."""

    raw: bytes
    hb_face: hb.Face
    axes: Mapping[str, float]
    bundled: bool = False


def opened(file: FontFile) -> OpenedFont:
    """The font in a file. Raises InputError for one that cannot be used."""
    raw, place = _read(file.path), Place(display_path(file.path))
    if file.path.is_relative_to(paths.SHARED_DATA) and not file.part:
        return OpenedFont(raw, hb.Face(hb.Blob(raw)), {}, bundled=True)
    hb_face, axes = _part(raw, file.part, place)
    problem, hint = _unprintable(hb_face)
    if problem:
        raise fault(problem, place, hint)
    if damage := _damage(raw, hb_face):
        raise fault(f"this font is damaged: {damage}", place, "download it again, or choose another")
    if file.style and _has_symbols_for_letters(hb_face):
        raise fault("this font has symbols in place of letters", place, "use it for a style of its own, in theme.yaml")
    return OpenedFont(raw, hb_face, axes)


# ---- the font of a family that suits a style


class _Member(NamedTuple):
    """A font of a family, and how far it is from the style: in its slant, its width and its weight."""

    family: str
    distance: tuple[bool, float, float]
    file: FontFile


_WEIGHTS = {"black": 900, "bold": 700}
_STYLE_NAME = re.compile(
    r"[ -](thin|(extra|ultra|semi|demi)?[ -]?(light|bold|condensed)|regular|book|medium|heavy|black|italic|oblique)$",
    re.IGNORECASE,
)


def chosen(files: Iterable[FontFile]) -> list[FontFile]:
    """The files of a font. Of those that are for a `style`, this is the best one of each family."""
    families: dict[str, list[_Member]] = {}
    for file in (file for file in files if file.style):
        for member in _members(file):
            families.setdefault(member.family, []).append(member)
    best = [min(members, key=lambda member: member.distance).file for members in families.values()]
    return [*best, *(file for file in files if not file.style)]


def _members(file: FontFile) -> Iterator[_Member]:
    """The fonts in a file: one of them, or the weights of a collection that is a single family."""
    raw, parts = _read(file.path), [file.part]
    if raw[:4] == _COLLECTION and not file.part:
        faces = _collected(raw)
        if len({*map(_family, faces)}) == 1:
            parts = [str(number) for number in range(1, len(faces) + 1)]
    weight = next((weight for name, weight in _WEIGHTS.items() if name in file.style), 400)
    for part in parts:
        member = replace(file, part=part)
        _, hb_face, axes, _ = opened(member)
        if "wght" in axes and not part:
            member = replace(file, part=f"wght={weight}")
            _, hb_face, axes, _ = opened(member)
        font = hb.Font(hb_face)
        font.set_variations(dict(axes))
        slant, width, own_weight = map(
            font.get_style_value, (hb.StyleTag.SLANT_ANGLE, hb.StyleTag.WIDTH, hb.StyleTag.WEIGHT)
        )
        italic = bool(slant) or font.get_style_value(hb.StyleTag.ITALIC) > 0
        distance = italic != ("italic" in file.style), abs(width - 100), abs(own_weight - weight)
        yield _Member(_family(hb_face), distance, member)


def _family(hb_face: hb.Face) -> str:
    """The name of a font without its weight, width and slant."""
    names = hb.OTNameIdPredefined
    name = hb_face.get_name(names.TYPOGRAPHIC_FAMILY) or hb_face.get_name(names.FONT_FAMILY) or ""
    while match := _STYLE_NAME.search(name):
        name = name[: match.start()]
    return name


def _has_symbols_for_letters(hb_face: hb.Face) -> bool:
    """Whether a font has the encoding of symbol fonts, which gives the codes of letters to its symbols (OpenType
    specification, “cmap”)."""
    table = hb_face.reference_table("cmap").data
    (count,) = struct.unpack_from(">H", table, 2)
    return any(struct.unpack_from(">HH", table, 4 + 8 * number) == (3, 0) for number in range(count))


# ---- reading files


def _unprintable(hb_face: hb.Face) -> tuple[str, str]:
    """What is wrong with a font that has coloured letters, or pictures instead of outlines, and a hint."""
    has = {tag: bool(hb_face.reference_table(tag).data) for tag in (*_OUTLINE_TABLES, "CBDT", "sbix", "EBDT")}
    outlined = any(map(has.__getitem__, _OUTLINE_TABLES))
    colours = hb_face.has_color_layers or hb_face.has_color_paint or hb_face.has_color_png or hb_face.has_color_svg
    if colours or (not outlined and (has["CBDT"] or has["sbix"])):
        return "colour fonts cannot be printed", "leave it out: black-and-white emoji come with Pencilbox"
    bitmaps = has["EBDT"] and not outlined
    return ("this font has only bitmaps", "use a .ttf or .otf file with outlines") if bitmaps else ("", "")


def postscript_name(hb_face: hb.Face) -> str:
    name = hb_face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or ""
    return re.sub(r"[^0-9A-Za-z-]", "", name)[:60]


@of_files
@lru_cache(maxsize=4)
def _read(path: Path) -> bytes:
    """The bytes of an OpenType font or collection."""
    place = Place(display_path(path))
    try:
        with path.open("rb") as stream:
            raw = stream.read(limits.FONT_BYTES + 1)
    except (OSError, ValueError) as error:
        raise fault(f"cannot be read: {(getattr(error, 'strerror', '') or 'error').lower()}", place) from error
    if raw[:4] == _WEB_FONT_2:
        raise fault("compressed web fonts (WOFF2) are not supported", place, "use its .ttf, .otf or .woff version")
    if raw[:4] not in (*_OUTLINES, _COLLECTION, _WEB_FONT):
        raise fault("this is not a TrueType, OpenType or WOFF font", place, "use a .ttf or .otf file")
    if len(raw) > limits.FONT_BYTES:
        raise fault(f"larger than {limits.FONT_BYTES / 1e6:g} MB", place, "choose a smaller font")
    return _unpacked(raw, place) if raw[:4] == _WEB_FONT else raw


def _unpacked(raw: bytes, place: Place) -> bytes:
    """A web font as an OpenType font (https://www.w3.org/TR/WOFF/)."""
    try:
        (count,) = struct.unpack_from(">H", raw, 12)
        entries = [struct.unpack_from(">4sLLLL", raw, 44 + 20 * number) for number in range(count)]
        if sum(length for _, _, _, length, _ in entries) > limits.FONT_BYTES:
            raise ValueError
        tables = []
        for tag, offset, packed, length, check in entries:
            data = raw[offset : offset + packed]
            tables.append((tag, check, zlib.decompressobj().decompress(data, length) if packed < length else data))
    except (struct.error, zlib.error, ValueError) as error:
        raise fault("this font is damaged", place, "download it again, or choose another") from error
    at = 12 + 16 * count
    head, body = struct.pack(">4sHHHH", raw[4:8], count, 0, 0, 0), b""
    for tag, check, data in tables:
        head += struct.pack(">4sLLL", tag, check, at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return head + body


def _part(raw: bytes, part: str, place: Place) -> tuple[hb.Face, dict[str, float]]:
    """The font of a file that is named by `part`, and the settings of its axes if it is variable."""
    if raw[:4] == _COLLECTION:
        faces = _collected(raw)
        names = [postscript_name(face) for face in faces]
        if part.isdecimal() and 0 < int(part) <= len(faces):
            return faces[int(part) - 1], {}
        if part in names:
            return faces[names.index(part)], {}
        listed = ", ".join([f"#{at} ({name})" for at, name in enumerate(names[:MAX_NAMES], start=1)])
        problem = f"has no font “{shortened(part)}”" if part else "is a collection of fonts"
        raise fault(problem, place, f"add one of these to its name in theme.yaml or after --font: {listed}")
    face = hb.Face(hb.Blob(raw))
    axes = {axis.tag: axis.default_value for axis in face.axis_infos}
    if not part:
        return face, axes
    setting = re.fullmatch(r"(\w{4})=(-?[0-9.]{1,9})", part)
    if setting and setting[1] in axes:
        axis = next(axis for axis in face.axis_infos if axis.tag == setting[1])
        return face, {**axes, setting[1]: min(max(float(setting[2]), axis.min_value), axis.max_value)}
    for instance in face.named_instances:
        if part == face.get_name(instance.subfamily_name_id):
            return face, dict(zip(axes, instance.design_coords, strict=True))
    names = [face.get_name(instance.subfamily_name_id) or "" for instance in face.named_instances]
    known = ", ".join([f"#{name}" for name in names[:MAX_NAMES]] + [f"#{tag}={value:g}" for tag, value in axes.items()])
    hint = f"add one of these to its name: {known}" if known else f"leave out “#{shortened(part)}”"
    raise fault(f"has no variant “{shortened(part)}”", place, hint)


_MOST_FACES = 100


def _collected(raw: bytes) -> list[hb.Face]:
    """The fonts of a collection."""
    blob = hb.Blob(raw)
    return [hb.Face(blob, number) for number in range(min(hb.Face(blob).count, _MOST_FACES))]


_REQUIRED = ("head", "maxp", "hhea", "hmtx", "cmap")


def _damage(raw: bytes, hb_face: hb.Face) -> str | None:
    """What is wrong with a font file. HarfBuzz treats tables that are too short as empty or filled with zeros, so
    letters would silently be missing.

    The required lengths: https://learn.microsoft.com/typography/opentype/spec/ (otff, loca, hmtx)."""
    try:
        start = struct.unpack_from(">L", raw, 12 + 4 * hb_face.index)[0] if raw[:4] == _COLLECTION else 0
        (count,) = struct.unpack_from(">H", raw, start + 4)
        entries = [struct.unpack_from(">4sLLL", raw, start + 12 + 16 * number) for number in range(count)]
        tags = {tag.decode("ascii") for tag, *_ in entries}
        if any(offset + length > len(raw) for _, _, offset, length in entries) or not tags.issuperset(_REQUIRED):
            return "some of its tables are missing or incomplete"
        tables = {tag: hb_face.reference_table(tag).data for tag in (*_REQUIRED, "loca", "glyf", "CFF ", "CFF2")}
        return (
            _damaged_metrics(tables)
            or (None if tables["CFF "] or tables["CFF2"] else _damaged_outlines(tables))
            or (None if len(hb_face.unicodes) else "it has no characters")
        )
    except (struct.error, UnicodeDecodeError):
        return "its tables are invalid"


def _damaged_metrics(tables: Mapping[str, bytes]) -> str | None:
    glyphs, metrics = (struct.unpack_from(">H", tables[tag], at)[0] for tag, at in (("maxp", 4), ("hhea", 34)))
    if not 16 <= struct.unpack_from(">H", tables["head"], 18)[0] <= 16384:
        return "its units per em are invalid"
    if len(tables["hmtx"]) < 2 * (metrics + glyphs) or metrics > glyphs:
        return "some of its widths are missing"
    return None


def _damaged_outlines(tables: Mapping[str, bytes]) -> str | None:
    (glyphs,), (is_long,) = struct.unpack_from(">H", tables["maxp"], 4), struct.unpack_from(">H", tables["head"], 50)
    outlines = struct.unpack_from(f">{glyphs + 1}{'L' if is_long else 'H'}", tables["loca"])
    if [*outlines] != sorted(outlines) or outlines[-1] * (1 if is_long else 2) > len(tables["glyf"]):
        return "some of its outlines are missing"
    return None
