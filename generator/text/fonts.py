"""Shapes words with HarfBuzz: kerning, ligatures, joined letters and placed accents."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import fsum
from pathlib import Path
from typing import TypeAlias

import uharfbuzz as hb
from msgspec import Struct

from .. import paths
from ..errors import Problem, collecting, refuse
from ..files import of_files
from ..model.game import FontFile
from . import font_files

_INVISIBLE = ("Cc", "Cf", "Cs")
# Characters that change how others look or where lines break, and are not printed themselves (a part of Unicode's
# Default_Ignorable_Code_Point).
_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)
# Where several characters make one emoji: flags, skin tones, joined signs and tags (UTS 51, 1.4).
_EMOJI = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}|.[\U0001f3fb-\U0001f3ff]|[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]\u200d|[\U000e0020-\U000e007f]"
)
_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_HARD_SPACE = "\u00a0"
SPACE_WIDTH = 0.25
"""The width of a space, as a share of the type size, in fonts without one."""
MAX_WORDS = 20_000
"""The maximum number of words that are remembered for each font."""
# Scripts whose letters are joined, so that tracking would tear them apart.
_CURSIVE = frozenset(("Arab", "Syrc", "Mong", "Nkoo", "Mand", "Phag", "Rohg", "Adlm", "Deva", "Beng", "Guru"))
_ALPHABETIC = ("Latn", "Grek", "Cyrl")  # scripts in which most words have one glyph for each letter
_WITHOUT_LIGATURES = {"liga": False, "clig": False}
_BUFFER = hb.Buffer()
# Reused for all texts: creating a buffer takes as long as shaping a word.
_BUFFER.flags = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES


class Glyph(Struct, frozen=True):
    """A glyph of a shaped word: its face (by number in the font) and id, the distance to the next glyph, and its offset
    to the right and upwards, as multiples of the type size. `text` is the text it stands for; `tracked` says whether
    tracking is added after it."""

    face: int
    id: int
    advance: float
    dx: float
    dy: float
    text: str
    tracked: bool


class Shaped(Struct, frozen=True):
    """A shaped word: its width without tracking, how many times tracking is added, and the characters that the font
    lacks. An ordinary word has one glyph of the first face for each letter; its `kerning` lists the numbers of the
    letters after which the distance changes, with the change as a multiple of the type size. For any other word,
    `kerning` is None and `glyphs` has its glyphs from left to right."""

    width: float
    tracked: int
    missing: tuple[str, ...]
    kerning: tuple[tuple[int, float], ...] | None
    glyphs: tuple[Glyph, ...] = ()


class FontFace:
    """One face of a font file, as HarfBuzz reads it; `axes` are the settings of a variable font. Heights and widths are
    multiples of the type size."""

    def __init__(self, path: Path, name: str, hb_face: hb.Face, axes: Mapping[str, float], language: str = "") -> None:
        self.path = path
        self.name = name
        self.language = language
        self.hb_face = hb_face
        self.axes = axes
        self.is_cff = "glyf" not in hb_face.table_tags
        self.hb_font = hb.Font(hb_face)
        if axes:
            self.hb_font.set_variations(dict(axes))
        self.upem: int = hb_face.upem
        extents = self.hb_font.get_font_extents("ltr")
        self.ascent: float = extents.ascender / self.upem
        self.descent: float = -extents.descender / self.upem
        capitals: float = self.hb_font.get_metric_position(hb.OTMetricsTag.CAP_HEIGHT) or 0.7 * self.upem
        self.cap_height = capitals / self.upem
        self.width: Callable[[int], float] = cache(lambda glyph: self.hb_font.get_glyph_h_advance(glyph) / self.upem)
        """The advance width of a glyph."""
        self.letter: Callable[[str], tuple[int, int]] = cache(self._letter)

    def shape(
        self, text: str, script: str, *, rtl: bool = False, tracked: bool = False
    ) -> tuple[list[hb.GlyphInfo], list[hb.GlyphPosition]]:
        """The glyphs of a text in one script, and their positions, in units of the font."""
        buffer = _BUFFER
        buffer.clear_contents()
        buffer.add_str(text)
        buffer.direction = "rtl" if rtl else "ltr"
        buffer.script = script
        if self.language:
            buffer.language = self.language
        hb.shape(self.hb_font, buffer, _WITHOUT_LIGATURES if tracked else None)
        return buffer.glyph_infos, buffer.glyph_positions or []

    @property
    def short_name(self) -> str:
        """The name without the hash of the file."""
        return self.name if self.path.is_relative_to(paths.SHARED_DATA) else self.name.rpartition("-")[0]

    def glyph(self, letter: str) -> int:
        """The glyph of a character; 0 if there is none."""
        return self.hb_font.get_nominal_glyph(ord(letter)) or 0

    def _letter(self, letter: str) -> tuple[int, int]:
        """The glyph of a character and its advance, in units of the font."""
        glyph = self.glyph(letter)
        return glyph, self.hb_font.get_glyph_h_advance(glyph)

    def draws(self, cluster: str) -> bool:
        """Whether it has the characters of a cluster and draws an emoji of several characters as one glyph of its own.
        (A black-and-white font may draw it in one skin tone.)"""
        if not all(map(self.has, cluster)):
            return False
        if len(cluster) == 1 or not _EMOJI.search(cluster):
            return True
        glyphs = [info.codepoint for info in self.shape(cluster, "Zyyy")[0]]
        return len(glyphs) == 1 and (glyphs[0] != self.glyph(cluster[0]) or "\U0001f3fb" <= cluster[1] <= "\U0001f3ff")

    def has(self, letter: str) -> bool:
        if self.glyph(letter) and unicodedata.category(letter) not in _INVISIBLE:
            return True
        return not letter.isascii() and bool(_IGNORED.match(letter))


class Font:
    """A font of the theme: a list of faces; each character uses the first face that has it. Heights and widths are
    multiples of the type size; `descent` is positive downwards. The first face determines the heights."""

    def __init__(self, faces: list[FontFace]) -> None:
        self.faces = faces
        self._own = len(faces)
        first = faces[0]
        self.name = first.name
        self.descent, self.cap_height = first.descent, first.cap_height
        self.has_ascii = all(map(first.glyph, _ASCII))
        space = first.glyph(" ")
        self.space = first.width(space) if space else SPACE_WIDTH
        self._shaped = lru_cache(MAX_WORDS)(self._shape)

    def missing(self, text: str) -> list[str]:
        """The characters of `text` that this font does not have, each once, in order."""
        return [letter for letter in dict.fromkeys(text) if not self.has(letter)]

    def has(self, letter: str) -> bool:
        return letter in (" ", _HARD_SPACE) or self._face_for(letter) is not None

    def lacks(self, what: str) -> str:
        """The message about characters that this font lacks."""
        names = ", ".join([face.short_name for face in self.faces[: self._own]])
        return f"the {'fonts have' if ',' in names else 'font has'} no {what} ({names})"

    def shaped(self, word: str, *, rtl: bool = False, tracked: bool = False) -> Shaped:
        """A word without spaces, shaped from right to left with `rtl`; text that is `tracked` has no ligatures."""
        return self._shaped(word, rtl, tracked)

    def width(self, text: str, tracking: float = 0.0, *, rtl: bool = False) -> float:
        """The width of a text with spaces, leaving out letters that the font lacks; tracking is included after each
        letter. Words are shaped one by one, as they are printed."""
        if text.isspace() or " " in text or _HARD_SPACE in text:
            words = text.replace(_HARD_SPACE, " ").split(" ")
            gaps = (len(words) - 1) * (self.space + tracking)
            return fsum([self.width(word, tracking, rtl=rtl) for word in words if word]) + gaps
        shaped = self.shaped(text, rtl=rtl, tracked=bool(tracking))
        return shaped.width + shaped.tracked * tracking

    def glyphs(self, word: str, *, rtl: bool = False, tracked: bool = False) -> tuple[Glyph, ...]:
        """The glyphs of a word without spaces, from left to right."""
        shaped = self.shaped(word, rtl=rtl, tracked=tracked)
        if shaped.kerning is None:
            return shaped.glyphs
        face, kerning = self.faces[0], dict(shaped.kerning)
        numbers = map(face.glyph, word)
        return tuple(
            Glyph(0, glyph, face.width(glyph) + kerning.get(at, 0.0), 0.0, dy=0.0, text=letter, tracked=True)
            for at, (glyph, letter) in enumerate(zip(numbers, word, strict=True))
        )

    def _shape(self, word: str, rtl: bool, tracked: bool) -> Shaped:
        if self.has_ascii and word.isascii() and not rtl and word.isprintable():
            parts, missing = [(0, word, "Latn")], tuple[str, ...]()
        else:
            parts, missing = self._parts(word)
        if len(parts) == 1 and not rtl and not missing:
            shaped = self._kerned(*parts[0], tracked)
            if shaped:
                return shaped
        glyphs: list[Glyph] = []
        for part in reversed(parts) if rtl else parts:
            glyphs += self._part(*part, rtl, tracked)
        width = fsum([glyph.advance for glyph in glyphs])
        return Shaped(width, sum([glyph.tracked for glyph in glyphs]), missing, None, glyphs=tuple(glyphs))

    def _kerned(self, number: int, word: str, script: str, tracked: bool) -> Shaped | None:
        """A word with the usual glyph of the first face for each letter, on the baseline; None for any other word."""
        if number or script not in _ALPHABETIC:
            return None
        face = self.faces[0]
        infos, positions = face.shape(word, script, tracked=tracked)
        if len(infos) != len(word):
            return None
        width, changes = 0, []
        for at, (letter, info, position) in enumerate(zip(word, infos, positions, strict=True)):
            glyph, usual = face.letter(letter)
            dx, dy, advance, _ = position.position
            if info.codepoint != glyph or info.cluster != at or dx or dy:
                return None
            width += advance
            if advance != usual:
                changes.append((at, (advance - usual) / face.upem))
        return Shaped(width / face.upem, len(word), (), tuple(changes))

    def _parts(self, word: str) -> tuple[list[tuple[int, str, str]], tuple[str, ...]]:
        """Splits a word into parts of a single face (by number) and script. The second result is the characters that no
        face has."""
        parts: list[tuple[int, str, str]] = []
        missing: list[str] = []
        for cluster in clusters(word):
            number = self._face_for(cluster)
            if number is None:
                lacking = [letter for letter in cluster if not self.has(letter)]
                missing += lacking or ([cluster] if _EMOJI.search(cluster) else cluster)
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
        """The first face that draws a cluster, or for a digit, the first with letters: fonts of emoji have digits, too.
        The bundled symbols, emoji and scripts come last; an emoji of several characters that none of them has as one
        sign is drawn as several (UTS 51, 2.2)."""
        own = [number for number, face in enumerate(self.faces[: self._own]) if face.draws(cluster)]
        if cluster.isdigit():
            own.sort(key=lambda number: not self.faces[number].glyph("A"))
        if own or cluster.isascii():
            return own[0] if own else None
        bundled = [FontFile(path) for path in (*BUNDLED[:: -1 if EMOJI_STYLE in cluster else 1], *SCRIPTS)]
        face = next((face for face in map(_face, bundled) if face.draws(cluster)), None)
        face = face or next((face for face in map(_face, bundled) if all(map(face.has, cluster))), None)
        if face and face not in self.faces:
            self.faces.append(face)
        return self.faces.index(face) if face else None

    def _part(self, number: int, text: str, script: str, rtl: bool, tracked: bool) -> list[Glyph]:
        face = self.faces[number]
        glyph_infos, positions = face.shape(text, script or "Zyyy", rtl=rtl, tracked=tracked)
        infos = [(info.codepoint, info.cluster) for info in glyph_infos]
        starts = [start for _, start in infos]
        following = [*starts[1:], -1][: len(starts)]
        upem, joined = face.upem, script in _CURSIVE
        texts = text if starts == [*range(len(text))] else _texts(text, starts, rtl)
        glyphs: list[Glyph] = []
        for (glyph, start), position, letters, after in zip(infos, positions, texts, following, strict=True):
            dx, dy, advance, _ = position.position
            glyphs.append(
                Glyph(
                    number,
                    glyph,
                    advance / upem,
                    dx / upem,
                    dy=dy / upem,
                    text=letters,
                    tracked=start != after and not joined,
                )
            )
        return glyphs


def _texts(text: str, starts: Sequence[int], rtl: bool) -> list[str]:
    """The text that each glyph stands for, from the starts of the clusters.

    HarfBuzz does not say which glyph of a cluster stands for which of its characters, so each gets one, in order, and
    the last one (from right to left, the first) gets the rest. Text copied from a page is then in the right order."""
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
    """Splits a text into characters with everything that belongs to them: combining marks, variation selectors, skin
    tones, tags, the second letter of a flag, and what a zero-width joiner joins (roughly the extended grapheme clusters
    of UAX 29)."""
    begin = 0
    for at in range(1, len(text)):
        letter = text[at]
        if (
            (not letter.isascii() and unicodedata.category(letter)[0] == "M")
            or letter in "\u200c\u200d\u034f"
            or "\U0001f3fb" <= letter <= "\U0001f3ff"
            or "\U000e0020" <= letter <= "\U000e007f"
            or (
                at == begin + 1
                and "\U0001f1e6" <= text[begin] <= "\U0001f1ff"
                and "\U0001f1e6" <= letter <= "\U0001f1ff"
            )
            or text[at - 1] == "\u200d"
        ):
            continue
        yield text[begin:at]
        begin = at
    if text:
        yield text[begin:]


Files: TypeAlias = "Path | tuple[FontFile, ...]"


@of_files
@cache
def load(files: Files) -> Font:
    """Loads the files of a font; raises InputError for one that cannot be used."""
    return Font([*map(_face, (FontFile(files),) if isinstance(files, Path) else font_files.chosen(files))])


def check(theme_fonts: Mapping[str, tuple[FontFile, ...]]) -> None:
    """Loads the files that do not come with Pencilbox; raises InputError with what is wrong with each."""
    problems: list[Problem] = []
    for file in {file: None for files in theme_fonts.values() for file in files}:
        if not file.path.is_relative_to(paths.SHARED_DATA):
            with collecting(problems):
                load((file,))
    refuse(problems)


@lru_cache(maxsize=16384)
def width(text: str, font: Font, size: float = 1.0) -> float:
    """The width of `text` in the unit of `size`, leaving out letters that the font does not have."""
    return font.width(text) * size


SYMBOLS = paths.SHARED_DATA / "fonts" / "PencilboxSymbols-Regular.woff"
"""Symbols that text fonts often lack: suits, stars, arrows, boxes, dice and the like."""
BUNDLED = SYMBOLS, SYMBOLS.with_name("NotoEmoji-Regular.woff")
"""The fonts that complete every font."""
_SCRIPTS = (
    "NotoSansPhonetic",
    "NotoSansHebrew",
    "NotoSansArabic",
    "NotoSansThai",
    "NotoSansDevanagari",
    "DroidSansFallback",
)
SCRIPTS = tuple(SYMBOLS.with_name(f"{name}-Regular.woff") for name in _SCRIPTS)
"""The fonts of other scripts, which come after them. The last one has Chinese, Japanese and Korean."""
EMOJI_STYLE = "\ufe0f"
"""After a character: show it as an emoji (UTS 51, 1.4.3)."""


@of_files
@cache
def _face(file: FontFile) -> FontFace:
    """The face in a file. A font that comes with Pencilbox keeps its name. Others get a hash of their file appended to
    their names, so that neither the order of loading nor a second font with the same name changes the output."""
    opened = font_files.opened(file)
    name = font_files.postscript_name(opened.hb_face)
    if not opened.bundled:
        digest = hashlib.sha256(opened.raw + repr(sorted(opened.axes.items())).encode()).hexdigest()[:8]
        name = f"{name or 'Font'}-{digest}"
    return FontFace(file.path, name, opened.hb_face, opened.axes, language=file.language)
