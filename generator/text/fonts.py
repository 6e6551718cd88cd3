"""Loads fonts and shapes words with HarfBuzz: kerning, ligatures, joined letters, accents in their places."""

from __future__ import annotations

import hashlib
import re
import struct
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import fsum
from pathlib import Path
from typing import NamedTuple

import uharfbuzz as hb

from .. import paths
from ..definitions import limits
from ..errors import Place, fault
from ..paths import display_path

_NOT_TRUETYPE = {
    b"OTTO": "an OpenType font with CFF outlines, which cannot be embedded; use its TrueType (.ttf) version",
    b"ttcf": "a collection of fonts (.ttc); save the one you want as .ttf",
    b"wOFF": "a web font; use its .ttf version",
    b"wOF2": "a web font; use its .ttf version",
}
_TRUETYPE = (b"\0\1\0\0", b"true")
_INVISIBLE = ("Cc", "Cf", "Cs")
_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0100-\U000e01ef]"
)
"""Characters that change how others look or where lines break, and are not printed themselves (a part of Unicode's
Default_Ignorable_Code_Point)."""
_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_HARD_SPACE = "\u00a0"
SPACE_WIDTH = 0.25
"""The width of a space, as a share of the type size, in fonts without one."""
MAX_WORDS = 20_000
"""The maximum number of words that are remembered for each font."""
_CURSIVE = frozenset(("Arab", "Syrc", "Mong", "Nkoo", "Mand", "Phag", "Rohg", "Adlm", "Deva", "Beng", "Guru"))
"""Scripts whose letters are joined, so that tracking would tear them apart."""
_WITHOUT_LIGATURES = {"liga": False, "clig": False}


class Glyph(NamedTuple):
    """A glyph of a shaped word: its face (by number in the font) and id, how far the next glyph is from it, and its
    offset to the right and upwards, as multiples of the type size. `text` is what it stands for; `tracked` says whether
    tracking is added after it."""

    face: int
    id: int
    advance: float
    dx: float
    dy: float
    text: str
    tracked: bool


class Shaped(NamedTuple):
    """A shaped word: its width without tracking, how many times tracking is added, its glyphs from left to right, and
    the characters that the font does not have."""

    width: float
    tracked: int
    glyphs: tuple[Glyph, ...]
    missing: tuple[str, ...]


class Face:
    """One face of a font file, as HarfBuzz reads it. Heights and widths are multiples of the type size."""

    __slots__ = ("_widths", "ascent", "cap_height", "descent", "hb_face", "hb_font", "name", "path", "upem")

    def __init__(self, path: Path, name: str, hb_face: hb.Face) -> None:
        self.path = path
        self.name = name
        self.hb_face = hb_face
        self.hb_font = hb.Font(hb_face)
        self.upem: int = hb_face.upem
        extents = self.hb_font.get_font_extents("ltr")
        self.ascent: float = extents.ascender / self.upem
        self.descent: float = -extents.descender / self.upem
        capitals: float = self.hb_font.get_metric_position(hb.OTMetricsTag.CAP_HEIGHT) or 0.7 * self.upem
        self.cap_height = capitals / self.upem
        self._widths: dict[int, float] = {}

    def glyph(self, letter: str) -> int:
        """The glyph of a character; 0 if there is none."""
        return self.hb_font.get_nominal_glyph(ord(letter)) or 0

    def width(self, glyph: int) -> float:
        """The advance width of a glyph."""
        width = self._widths.get(glyph)
        if width is None:
            width = self._widths[glyph] = self.hb_font.get_glyph_h_advance(glyph) / self.upem
        return width

    def has(self, letter: str) -> bool:
        if unicodedata.category(letter) in _INVISIBLE:
            return bool(_IGNORED.match(letter))
        return bool(self.glyph(letter))


class Font:
    """A font of the theme: faces, of which each character uses the first one that has it. Heights are multiples of the
    type size, and so are widths; `descent` is positive downwards. The first face determines the heights."""

    __slots__ = ("_shaped", "ascent", "cap_height", "descent", "faces", "has_ascii", "name", "space")

    def __init__(self, faces: tuple[Face, ...]) -> None:
        self.faces = faces
        first = faces[0]
        self.name = first.name
        self.ascent, self.descent, self.cap_height = first.ascent, first.descent, first.cap_height
        self.has_ascii = all(map(first.glyph, _ASCII))
        space = first.glyph(" ")
        self.space = first.width(space) if space else SPACE_WIDTH
        self._shaped: dict[tuple[bool, bool], dict[str, Shaped]] = {}

    def missing(self, text: str) -> list[str]:
        """The characters of `text` that this font does not have, each once, in order."""
        return [letter for letter in dict.fromkeys(text) if not self.has(letter)]

    def has(self, letter: str) -> bool:
        return letter in (" ", _HARD_SPACE) or any(face.has(letter) for face in self.faces)

    def shaped(self, word: str, *, rtl: bool = False, tracked: bool = False) -> Shaped:
        """A word without spaces, shaped from right to left with `rtl`; text that is `tracked` has no ligatures."""
        words = self._shaped.get((rtl, tracked))
        if words is None:
            words = self._shaped[rtl, tracked] = {}
        shaped = words.get(word)
        if shaped is None:
            if len(words) > MAX_WORDS:
                words.clear()
            shaped = words[word] = self._shape(word, rtl, tracked)
        return shaped

    def width(self, text: str, tracking: float = 0.0, *, rtl: bool = False) -> float:
        """The width of a text with spaces, leaving out letters that the font does not have; tracking is included after
        each letter. Words are shaped alone, as they are printed."""
        if text.isspace() or " " in text or _HARD_SPACE in text:
            words = text.replace(_HARD_SPACE, " ").split(" ")
            gaps = (len(words) - 1) * (self.space + tracking)
            return fsum([self.width(word, tracking, rtl=rtl) for word in words if word]) + gaps
        shaped = self.shaped(text, rtl=rtl, tracked=bool(tracking))
        return shaped.width + shaped.tracked * tracking

    def _shape(self, word: str, rtl: bool, tracked: bool) -> Shaped:
        if self.has_ascii and word.isascii() and not rtl and word.isprintable():
            parts, missing = [(0, word, "Latn")], tuple[str, ...]()
        else:
            parts, missing = self._parts(word)
        glyphs: list[Glyph] = []
        for part in reversed(parts) if rtl else parts:
            glyphs += self._part(*part, rtl, tracked)
        width = fsum([glyph.advance for glyph in glyphs])
        return Shaped(width, sum([glyph.tracked for glyph in glyphs]), tuple(glyphs), missing)

    def _parts(self, word: str) -> tuple[list[tuple[int, str, str]], tuple[str, ...]]:
        """The parts of a word with one face (by number) and script each, without characters that no face has, and
        those characters."""
        parts: list[tuple[int, str, str]] = []
        missing: list[str] = []
        for cluster in clusters(word):
            number = self._face_for(cluster)
            if number is None:
                lacking = [letter for letter in cluster if not self.has(letter)]
                missing += lacking or cluster
                continue
            script = next(filter(None, map(script_of, cluster)), "")
            if parts:
                last_number, last_text, last_script = parts[-1]
                if number == last_number and (not script or not last_script or script == last_script):
                    parts[-1] = number, last_text + cluster, script or last_script
                    continue
            parts.append((number, cluster, script))
        return parts, tuple(dict.fromkeys(missing))

    def _face_for(self, cluster: str) -> int | None:
        """The first face that has every character of a cluster."""
        for number, face in enumerate(self.faces):
            if all(map(face.has, cluster)):
                return number
        return None

    def _part(self, number: int, text: str, script: str, rtl: bool, tracked: bool) -> list[Glyph]:
        face = self.faces[number]
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.direction = "rtl" if rtl else "ltr"
        buffer.script = script or "Zyyy"
        buffer.flags = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
        hb.shape(face.hb_font, buffer, _WITHOUT_LIGATURES if tracked else None)
        infos = [(info.codepoint, info.cluster) for info in buffer.glyph_infos]
        starts = [start for _, start in infos]
        following = [*starts[1:], -1][: len(starts)]
        upem, joined = face.upem, script in _CURSIVE
        texts = text if starts == [*range(len(text))] else _texts(text, starts, rtl)
        glyphs: list[Glyph] = []
        for (glyph, start), position, letters, after in zip(
            infos, buffer.glyph_positions or (), texts, following, strict=True
        ):
            dx, dy, advance, _ = position.position
            glyphs.append(
                Glyph(number, glyph, advance / upem, dx / upem, dy / upem, letters, start != after and not joined)
            )
        return glyphs


def _texts(text: str, starts: Sequence[int], rtl: bool) -> list[str]:
    """What each glyph stands for, by where its cluster starts in the text.

    HarfBuzz does not say which glyph of a cluster stands for which of its characters, so each gets one, in order, and
    the last of them the rest (from right to left, the first). A text that is copied from a page is then in order."""
    texts = [""] * len(starts)
    ordered = sorted(set(starts))
    for start, end in zip(ordered, [*ordered[1:], len(text)], strict=False):
        places = [at for at, where in enumerate(starts) if where == start]
        for at, place in enumerate(reversed(places) if rtl else places):
            texts[place] = text[start + at : end if at == len(places) - 1 else min(start + at + 1, end)]
    return texts


@lru_cache(maxsize=4096)
def script_of(letter: str) -> str:
    """The script of a character as its ISO 15924 code; empty for one that several scripts use."""
    buffer = hb.Buffer()
    buffer.add_str(letter)
    buffer.guess_segment_properties()
    return str(buffer.script or "")


def clusters(text: str) -> Iterator[str]:
    """The characters of a text, each with what belongs to it: combining marks, variation selectors, skin tones,
    and what a zero-width joiner joins (roughly the extended grapheme clusters of UAX 29)."""
    begin = 0
    for at in range(1, len(text)):
        letter = text[at]
        if (
            (not letter.isascii() and unicodedata.category(letter)[0] == "M")
            or letter in "\u200c\u200d\u034f"
            or "\U0001f3fb" <= letter <= "\U0001f3ff"
            or text[at - 1] == "\u200d"
        ):
            continue
        yield text[begin:at]
        begin = at
    if text:
        yield text[begin:]


@cache
def load(path: Path) -> Font:
    """Loads a font file; raises InputError for one that cannot be used."""
    return Font((_face(path),))


@lru_cache(maxsize=16384)
def width(text: str, font: Font, size: float = 1.0) -> float:
    """The width of `text` in the unit of `size`, leaving out letters that the font does not have."""
    return font.width(text) * size


# ---- files ----------------------------------------------------------------------------------------------------------


@cache
def _face(path: Path) -> Face:
    """The face in a file. A font that comes with Pencilbox keeps its name. Others get a hash of their file appended to
    their names, so that neither the order of loading nor a second font with the same name changes the output."""
    raw = _read(path)
    shipped = path.is_relative_to(paths.SHARED_DATA)
    hb_face = hb.Face(hb.Blob(raw))
    problem = None if shipped else _damage(raw, hb_face)
    if problem:
        raise fault(
            f"this font is damaged: {problem}", Place(display_path(path)), "download it again, or choose another"
        )
    name = _postscript_name(hb_face) or "Font"
    return Face(path, name if shipped else f"{name}-{hashlib.sha256(raw).hexdigest()[:8]}", hb_face)


def _postscript_name(hb_face: hb.Face) -> str:
    name = hb_face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or ""
    return re.sub(r"[^0-9A-Za-z-]", "", name)[:60]


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            raw = stream.read(limits.FONT_BYTES + 1)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(display_path(path))) from error
    if raw[:4] not in _TRUETYPE:
        raise fault(_NOT_TRUETYPE.get(raw[:4], "not a TrueType font"), Place(display_path(path)))
    if len(raw) > limits.FONT_BYTES:
        raise fault(f"larger than {limits.FONT_BYTES / 1e6:g} MB", Place(display_path(path)), "choose a smaller font")
    return raw


_REQUIRED = ("head", "maxp", "hhea", "hmtx", "cmap", "glyf", "loca")


def _damage(raw: bytes, hb_face: hb.Face) -> str | None:
    """What is wrong with a font file. HarfBuzz reads tables that are too short as if they were empty or filled with
    zeros, so that letters would be missing in silence.

    The required lengths: https://learn.microsoft.com/typography/opentype/spec/ (otff, loca, hmtx)."""
    try:
        (count,) = struct.unpack_from(">H", raw, 4)
        entries = [struct.unpack_from(">4sLLL", raw, 12 + 16 * number) for number in range(count)]
        tags = {tag.decode("latin-1") for tag, *_ in entries}
        if any(offset + length > len(raw) for _, _, offset, length in entries) or not tags.issuperset(_REQUIRED):
            return "some of its tables are missing or incomplete"
        return _damaged_outlines({tag: hb_face.reference_table(tag).data for tag in _REQUIRED}) or (
            None if len(hb_face.unicodes) else "it has no characters"
        )
    except struct.error:
        return "some of its tables are incomplete"


def _damaged_outlines(tables: Mapping[str, bytes]) -> str | None:
    glyphs, metrics = (struct.unpack_from(">H", tables[tag], at)[0] for tag, at in (("maxp", 4), ("hhea", 34)))
    upem, is_long = (struct.unpack_from(">H", tables["head"], at)[0] for at in (18, 50))
    if not 16 <= upem <= 16384:
        return "its units per em are impossible"
    if len(tables["hmtx"]) < 2 * (metrics + glyphs) or metrics > glyphs:
        return "some of its widths are missing"
    outlines = struct.unpack_from(f">{glyphs + 1}{'L' if is_long else 'H'}", tables["loca"])
    if [*outlines] != sorted(outlines) or outlines[-1] * (1 if is_long else 2) > len(tables["glyf"]):
        return "some of its outlines are missing"
    return None
