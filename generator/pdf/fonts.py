"""Embeds fonts: the glyphs that a document uses, as composite fonts (PDF 32000-1:2008, 9.7).

Every pair of a glyph and the text that it stands for has a code of two bytes, so that ligatures, joined letters and
accents can be copied from a page as the text that was written.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import md5
from itertools import groupby

import uharfbuzz as hb

from ..errors import Place, fault
from ..paths import display_path
from ..text.fonts import SPACE_WIDTH, Font, FontFace
from .file import PdfFile, digest, stream
from .operators import begin_alternative, escaped

# Code points below this change places with as many from here on: the codes of most alphabets then have a first byte
# that needs no escape in a PDF string.
_HALF = 0x2000
# The codes of glyphs that do not stand for one character: the surrogates, which are not characters.
_NUMBERED = range(0xD800, 0xE000)
_ASCII = range(0x20, 0x7F)
_LAST = 0xFFFF  # the last code of two bytes
_BLOCK_SIZE = 100  # the maximum number of lines in a block of a CMap
_TO_UNICODE = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo <</Registry(Adobe)/Ordering(UCS)/Supplement 0>> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <{}> <{}> endcodespacerange
{}endcmap CMapName currentdict /CMap defineresource pop end end"""
# The tables of a font that a PDF needs (9.9), and those that describe the weights of a variable font.
_TABLES = frozenset(
    ["head", "hhea", "hmtx", "maxp", "loca", "glyf", "CFF ", "CFF2", "fvar", "avar", "gvar", "cvar", "HVAR", "MVAR"]
)
_WEB_TABLES = ("cmap", "OS/2", "name", "post")
_FLAGS = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NO_LAYOUT_CLOSURE | hb.SubsetFlags.NOTDEF_OUTLINE
# What stands for the code of a glyph, in the font with this name, until `DocumentFonts.settled` replaces it: the
# number of the glyph, and the text that it stands for in UTF-16.
_PENDING = re.compile("\ue000(/[\\w-]+) (\\d+) (\\w*)\ue001")
_CFF_FLAGS = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.CFF_IDENTITY_CHARSET | hb.SubsetFlags.DOWNGRADE_CFF2


class EmbeddedFont:
    """A face in a document. `copy` is its number if the face is embedded again, because it has run out of codes."""

    def __init__(self, face: FontFace, copy: int = 0) -> None:
        self.face = face
        self.name = _name(face) + f"_{copy}" * bool(copy)
        self.codes: dict[tuple[int, str], int] = {}
        self._taken = {face.glyph(chr(code)) for code in _ASCII} if face.is_cff and not copy else set[int]()
        self._free = iter(_NUMBERED)

    def code(self, glyph: int, text: str) -> str:
        """The code of a glyph that stands for `text`, for a PDF string, or what stands for it until it is settled."""
        code = self._fixed(glyph, text)
        if code is None:
            return f"\ue000{self.name} {glyph} {text.encode('utf-16-be', 'surrogatepass').hex()}\ue001"
        self.codes[glyph, text] = code
        return escaped(code.to_bytes(2, "big"))

    def width(self, glyph: int) -> float:
        """The width of a glyph as the PDF states it, in thousandths of the type size."""
        return round(1000 * self.face.width(glyph), 1)

    def _fixed(self, glyph: int, text: str) -> int | None:
        """The code of a glyph that stands for a character: the same in every document. In a CFF font, the code is the
        number of the glyph, which can stand for one text only."""
        if len(text) == 1 and glyph == self.face.glyph(text):
            code = ord(text)
            if self.face.is_cff:
                return glyph if code in _ASCII else None
            if code <= _LAST and code not in _NUMBERED:
                return code ^ _HALF if code < 2 * _HALF else code
        return None

    def settled(self, glyph: int, text: str) -> int | None:
        """The code of another glyph, numbered in the order of first use; None if there are no more."""
        code = self.codes.get((glyph, text))
        if code is None:
            code = (None if glyph in self._taken else glyph) if self.face.is_cff else next(self._free, None)
            if code is not None:
                self._taken.add(glyph)
                self.codes[glyph, text] = code
        return code

    def add_to(self, file: PdfFile) -> int:
        """Writes the font to a file once its codes are settled; returns its number."""
        codes = {code: pair for pair, code in sorted(self.codes.items(), key=lambda entry: entry[1])}
        program, glyphs = subset(self.face, {glyph for glyph, _ in codes.values()})
        name = f"{_tag(program)}+{self.face.name}"
        box = " ".join([str(round(edge * 1000 / self.face.upem)) for edge in bounds(self.face)])
        key, entries = ("3", "/Subtype/CIDFontType0C") if self.face.is_cff else ("2", f"/Length1 {len(program)}")
        descriptor = file.add(
            f"<</Type/FontDescriptor/FontName/{name}/Flags 4/FontBBox[{box}]/ItalicAngle 0"
            f"/Ascent {self.face.ascent * 1000:.0f}/Descent {-self.face.descent * 1000:.0f}"
            f"/CapHeight {self.face.cap_height * 1000:.0f}/StemV 80"
            f"/FontFile{key} {file.add(stream(program, entries))} 0 R>>"
        )
        kind, glyph_map = "CIDFontType0", ""
        if not self.face.is_cff:
            numbers = {code: glyphs[glyph] for code, (glyph, _) in codes.items()}
            # The numbers of glyphs by code (9.7.4.2).
            table = bytearray(2 * (max(numbers, default=0) + 1))
            for code, glyph in numbers.items():
                struct.pack_into(">H", table, 2 * code, glyph)
            kind, glyph_map = "CIDFontType2", f"/CIDToGIDMap {file.add(stream(bytes(table)))} 0 R"
        texts = stream(to_unicode({code: text for code, (_, text) in codes.items()}))
        return file.add(
            f"<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/DescendantFonts["
            f"<</Type/Font/Subtype/{kind}/BaseFont/{name}"
            "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
            f"/FontDescriptor {descriptor} 0 R/W[{self._widths(codes)}]{glyph_map}>>"
            f"]/ToUnicode {file.add(texts)} 0 R>>"
        )

    def _widths(self, codes: Mapping[int, tuple[int, str]]) -> str:
        """The widths of consecutive codes, in thousandths of the type size (9.7.4.3)."""
        parts: list[str] = []
        for _, group in groupby(enumerate(codes), lambda entry: entry[1] - entry[0]):
            run = [code for _, code in group]
            parts.append(f"{run[0]}[{' '.join([number(self.width(codes[code][0])) for code in run])}]")
        return "".join(parts)


@cache
def _name(face: FontFace) -> str:
    """The name of a face in every document."""
    return f"/F{digest(face.name)}"


def number(value: float) -> str:
    """A number with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def subset(face: FontFace, glyphs: Iterable[int] = (), letters: Iterable[str] = ()) -> tuple[bytes, Mapping[int, int]]:
    """A font file with only these glyphs, and their numbers in it. With `letters`, it also has their glyphs, a table
    of them and what browsers ask for. For a CFF font, it is just the table of outlines, in which glyphs keep their
    numbers (9.9, table 126)."""
    wanted = hb.SubsetInput()
    wanted.flags = _FLAGS | (_CFF_FLAGS if face.is_cff else 0)
    for glyph in glyphs:
        wanted.glyph_set.add(glyph)
    for letter in letters:
        wanted.unicode_set.add(ord(letter))
    for tag, value in face.axes.items():
        wanted.pin_axis_location(face.hb_face, tag, value)
    for tag in face.hb_face.table_tags:
        if tag not in _TABLES and not (letters and tag in _WEB_TABLES):
            wanted.drop_table_tag_set.add(int.from_bytes(tag.encode("latin-1"), "big"))
    try:
        plan = hb.SubsetPlan(face.hb_face, wanted)
        program, new = plan.execute(), plan.old_to_new_glyph_mapping
        numbers = {glyph: new[glyph] for glyph in glyphs}
    except (hb.HarfBuzzError, RuntimeError, MemoryError, KeyError) as error:
        raise fault("this font is damaged: its outlines cannot be embedded", Place(display_path(face.path))) from error
    data = program.reference_table("CFF ").data if face.is_cff else program.blob.data
    return bytes(data), numbers


def _tag(program: bytes) -> str:
    """Six capital letters that mark a subset (9.6.4)."""
    return "".join([chr(65 + byte % 26) for byte in md5(program, usedforsecurity=False).digest()[:6]])


def bounds(face: FontFace) -> tuple[int, ...]:
    """The box around all glyphs, in units of the font (OpenType specification, “head”)."""
    return struct.unpack_from(">4h", face.hb_face.reference_table("head").data, 36)


def to_unicode(texts: Mapping[int, str], size: int = 2) -> bytes:
    """The texts that codes of `size` bytes stand for (9.10.3)."""
    digits = 2 * size
    rows = [
        f"<{code:0{digits}X}> <{text.encode('utf-16-be', 'surrogatepass').hex().upper()}>\n"
        for code, text in texts.items()
    ]
    blocks = [rows[first : first + _BLOCK_SIZE] for first in range(0, len(rows), _BLOCK_SIZE)]
    lines = "".join([f"{len(block)} beginbfchar\n{''.join(block)}endbfchar\n" for block in blocks])
    return _TO_UNICODE.format("0" * digits, "F" * digits, lines).encode()


MAX_WORDS = 20_000
# In thousandths of the type size. Smaller differences between the width and the advance of a glyph are carried over.
_SMALLEST_SHIFT = 0.5


class DocumentFonts:
    """The fonts of one document: each face is embedded once, however many fonts of the theme use it."""

    def __init__(self) -> None:
        self.embedded: dict[str, list[EmbeddedFont]] = {}

    def font(self, face: FontFace) -> EmbeddedFont:
        """A face as it is embedded."""
        fonts = self.embedded.get(_name(face))
        if fonts is None:
            fonts = self.embedded[_name(face)] = [EmbeddedFont(face)]
        return fonts[0]

    def settled(self, code: str) -> str:
        """The operators with the codes of all glyphs. Those without a fixed code get it in the order in which operators
        are settled, so that it does not depend on the process that has written them."""
        return code if code.isascii() else _PENDING.sub(self._settled, code)

    def _settled(self, match: re.Match[str]) -> str:
        """A code. A face that runs out of codes is embedded again."""
        fonts, glyph = self.embedded[match[1]], int(match[2])
        text = bytes.fromhex(match[3]).decode("utf-16-be", "surrogatepass")
        for font in fonts:
            code = font.settled(glyph, text)
            if code is not None:
                string = escaped(code.to_bytes(2, "big"))
                return string if font is fonts[0] else _switch(fonts[0], font) + string + _switch(font, fonts[0])
        fonts.append(EmbeddedFont(fonts[0].face, len(fonts)))
        return self._settled(match)

    def add_to(self, file: PdfFile) -> None:
        """Embeds the fonts in a file, once their codes are settled."""
        entries = [f"{font.name} {font.add_to(file)} 0 R" for fonts in self.embedded.values() for font in fonts]
        file.add(f"<<{''.join(entries)}>>", file.number("Font"))


class Codes(dict[str, str]):
    """Words → PDF code for the inside of `[(…)] TJ` in a font of size 1. `head` sets the font and the tracking, and
    `space` comes between two words. `tracking` is a multiple of the type size.

    The matrix of the text scales it to its size, so that the code of a word is the same at any size. A part of a word
    in another face or above the baseline ends the array and begins a new one."""

    def __init__(self, fonts: DocumentFonts, font: Font, tracking: float = 0.0, rtl: bool = False) -> None:
        super().__init__({"": ""})
        self.fonts = fonts
        self.font = font
        self.tracking = tracking
        self.rtl = rtl
        self._letters: dict[str, str] = {}
        face = font.faces[0]
        glyph = face.glyph(" ")
        self.first = fonts.font(face)
        self.space = self.first.code(glyph, " ")
        if not glyph:
            self.space = f") {number(-1000 * (SPACE_WIDTH + tracking))} ("
        self.head = f"{self.first.name} 1 Tf {tracking:g} Tc " if tracking else f"{self.first.name} 1 Tf "
        self.tail = " 0 Tc" if tracking else ""

    def line(self, words: Sequence[str], spread: float = 0.0) -> str:
        """The code of words with a space between them, each wider by `spread`, a multiple of the type size."""
        space = f"{self.space}) {number(-1000 * spread)} (" if spread else self.space
        return space.join(map(self.__getitem__, reversed(words) if self.rtl else words))

    def __missing__(self, word: str) -> str:
        if len(self) > MAX_WORDS:
            self.clear()
            self[""] = ""
        code = self[word] = self._kerned(word) or "".join(self._parts(word))
        return code

    def _kerned(self, word: str) -> str:
        """The code of a word with one glyph for each letter; empty for any other word."""
        kerning = self.font.shaped(word, rtl=self.rtl, tracked=bool(self.tracking)).kerning
        if kerning is None:
            return ""
        if not self._letters.keys() >= {*word}:
            face = self.font.faces[0]
            for letter in word:
                self._letters[letter] = self.first.code(face.glyph(letter), letter)
        codes = [*map(self._letters.__getitem__, word)]
        for at, change in kerning:
            codes[at] += f") {number(-1000 * change)} ("
        return "".join(codes)

    def _parts(self, word: str) -> Iterator[str]:
        font, rise, owed, tracking = self.first, 0.0, 0.0, 1000 * self.tracking
        glyphs = self.font.glyphs(word, rtl=self.rtl, tracked=bool(self.tracking))
        begin = end = ""
        # Raised marks are copied in their places. Text from right to left is better off without: when such a
        # replacement is copied, PDFium 159 and Poppler 22.12 turn it round once more, and pypdf 7.1 ignores it. All
        # three expect the glyphs of a line from left to right.
        if not self.rtl and any([glyph.dy for glyph in glyphs]):
            begin, end = f")] TJ {begin_alternative(word)} [(", ")] TJ EMC [("
        yield begin
        for glyph in glyphs:
            embedded = self.fonts.font(self.font.faces[glyph.face])
            if embedded is not font or glyph.dy != rise:
                yield _switch(font, embedded, rise, glyph.dy)
                font, rise = embedded, glyph.dy
            owed += 1000 * glyph.dx
            if abs(owed) >= _SMALLEST_SHIFT:
                shift = number(-owed)
                yield f") {shift} ("
                owed += float(shift)
            yield embedded.code(glyph.id, glyph.text)
            owed += 1000 * (glyph.advance - glyph.dx) - embedded.width(glyph.id) - tracking
            owed += tracking if glyph.tracked else 0.0
        if font is not self.first or rise:
            yield _switch(font, self.first, rise, 0.0)
        if abs(owed) >= _SMALLEST_SHIFT:
            yield f") {number(-owed)} ("
        yield end


def _switch(font: EmbeddedFont, next_font: EmbeddedFont, rise: float = 0.0, next_rise: float = 0.0) -> str:
    """Ends an array and begins one in another font or at another height."""
    name = "" if next_font is font else f"{next_font.name} 1 Tf "
    return f")] TJ {name}{'' if next_rise == rise else f'{next_rise:.4g} Ts '}[("
