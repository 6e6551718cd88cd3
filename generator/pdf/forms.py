"""Score sheets to fill in on screen: a form field over every slot, named by its field id.

The fields are those of an AcroForm (ISO 32000-1:2008, 12.7): text fields (12.7.4.3), check boxes (12.7.4.2.3), and
radio buttons (12.7.4.2.4) where a choice has a box for each of its marks. Typed text looks like the marks on a scored
copy: centred, in the font and colour of the theme's style `mark`.

The form is written directly as PDF code, because there are hundreds of fields, and nearly all of their code is known
immediately.

Two things are left out on purpose. Text fields have no appearance streams: viewers make their own (NeedAppearances),
and if fields shared an empty stream, some viewers would fill it in for all of them at once. There are no combo boxes,
whose arrow some viewers print: a choice without such boxes is a text field, too.

Text is typed in a composite font (ISO 32000-1:2008, 9.7), which has room for all letters of the Latin, Greek and
Cyrillic alphabets. Viewers find its codes through its ToUnicode table. Tried with names in
all three alphabets: Poppler 22.12, PDFium, pdf.js 5.6 and pypdf 7.1 show them in this font (PDFium writes Greek and
Cyrillic letters in one of its own). With a simple font (9.6), which has 255 codes, Poppler and pypdf leave out every
letter without a code.

Programs that write a font's codes without looking at the font expect a simple one under the names that Acrobat uses, so
there is a simple one for them, with the codes that its usual encoding spends on symbols used for more letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from ..errors import Problem, refuse
from ..geometry import outlines
from ..geometry.frame import Page, Slot
from ..geometry.outlines import Rect
from ..layout.handwriting import CROSS_SIZE, CROSS_WIDTH, mark_setting
from ..model.game import Field, Theme
from ..paths import SHARED_DATA
from ..text import fonts
from .document import Box, Info, PdfDocument, in_points, painted, slots_on
from .file import PdfFile, references, stream, text_string
from .fonts import bounds, subset, to_unicode
from .operators import POINTS, rgb, segments
from .paint import Painter

_TEXT_FONT = "Pencil"
# The names of fonts that some programs that fill in forms use, whatever a field says.
_SIMPLE_FONTS = ("Helv", "Helvetica")
_TICK_FONT = "ZaDb"  # the name under which viewers look for the font of ticks, whatever a field says
# Points. If the longest text that a field accepts does not fit at this size, viewers choose the size themselves.
_MIN_SIZE = 12.0
_HEIGHT = 0.8  # the largest type size in a field, as a share of the field's height
_LINE = 1.5  # the height of a field in a tall slot, in type sizes
_MARGIN = 4.0  # points that viewers keep free at the left and right together
_COMB = 1 << 24  # the flag of a text field whose letters are in equal boxes (12.7.4.3)
_RADIO = 1 << 15  # the flag of a button field of which one button at most is on (12.7.4.2.1)
# Characters. A field that accepts no more than this always has a fixed type size.
_SHORT_LENGTH = 5
# A letter and a digit of typical width, and the width of letters that the font lacks, as a share of the type size.
_LETTER, _DIGIT, _TYPICAL = "n", "0", 0.6


def write_fillable(
    pages: Sequence[Page],
    theme: Theme,
    fields: Mapping[str, Field],
    *,
    info: Info,
    marks: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """The pages of a score sheet as a PDF with a form, which prints exactly like a PDF without one. The same pages give
    the same bytes. Tab visits fields in the order of `fields`. `marks` are filled in beforehand; any text ticks a box.

    Raises InputError if slots and fields differ, if a mark has no field or does not fit, and whenever `write` does."""
    slots = slots_on(pages)
    problems = [*_unmatched(slots, fields), *_unusable(marks, fields)]
    refuse(Problem(f"{info.title}: {problem}") for problem in problems)
    painter = Painter(theme)
    document = PdfDocument(painter, info)
    document.add(painted(page, painter) for page in pages)
    style = mark_setting("mark", theme)
    form = _Form(document, _Pencil(form_font(style.family.files[0]), style.size * POINTS, rgb(style.colour)))
    for name, spec in fields.items():
        number, slot = slots[name]
        form.add(spec, number, slot.moved(partial(_in_points, pages[number])), marks.get(name, ""))
    form.finish()
    return document.finish().content()


def _in_points(page: Page, box: Rect) -> Rect:
    left, bottom, right, top = in_points(page, *box.edges)
    return Rect(left, bottom, right - left, top - bottom)


def _unmatched(slots: Mapping[str, Any], fields: Mapping[str, Field]) -> Iterator[str]:
    for name in sorted(slots.keys() ^ fields.keys()):
        yield f"the slot {name} has no field" if name in slots else f"the field {name} has no slot"
    for name in fields:
        yield from (
            f"the field {group} cannot contain another one, {name}" for group in _groups(name) if group in fields
        )


def _unusable(marks: Mapping[str, str], fields: Mapping[str, Field]) -> Iterator[str]:
    for name, mark in marks.items():
        if name not in fields:
            yield f"there is no field {name} for the mark “{mark}”"
        elif fields[name].kind != "tick" and len(mark) > _length(fields[name]):
            yield f"the mark “{mark}” is too long for {name}, which has room for {_length(fields[name])} characters"


def _length(spec: Field) -> int:
    """The maximum number of characters that can be typed into a field."""
    if spec.kind == "die":
        return max(len(str(spec.span.low)), len(str(spec.span.high))) if spec.span else 1
    return max(map(len, spec.choices)) if spec.kind == "choice" else spec.length


def _name(text: str) -> str:
    """A text as a name object without its slash (7.3.5)."""
    letters = (chr(byte) if chr(byte).isalnum() and byte < 128 else f"#{byte:02X}" for byte in text.encode())
    return "".join(letters)


def _groups(name: str) -> list[str]:
    """The groups that contain a field, outermost first: `players` and `players.1` for `players.1.name`."""
    return list(accumulate(name.split(".")[:-1], "{}.{}".format))


class _Pencil(Struct, frozen=True):
    """The font, the largest size (in points) and the colour (as three numbers) of typed text."""

    font: FormFont
    size: float
    colour: str

    def appearance(self, font: str, size: float) -> str:
        """A field's default appearance (12.7.3.3); size 0 lets the viewer choose one."""
        return f"/DA(/{font} {size:.4g} Tf {self.colour} rg)"

    def fitting(self, spec: Field, box: Box) -> float:
        """The size at which the longest text that a field accepts fits; 0 if that is too small."""
        width, height = box[2] - box[0] - _MARGIN, box[3] - box[1]
        size = min(self.size, height * _HEIGHT, width / self._width(spec))
        return round(size, 1) if size >= _MIN_SIZE or _length(spec) <= _SHORT_LENGTH else 0.0

    def one_line_box(self, box: Box) -> Box:
        """The middle of a tall box. In a tall field, some viewers put text at the bottom or make it very large."""
        left, bottom, right, top = box
        spare = max(0.0, (top - bottom - self.size * _LINE) / 2)
        return left, bottom + spare, right, top - spare

    def _width(self, spec: Field) -> float:
        """The width of the longest text that a field accepts, in type sizes."""
        letter = _DIGIT if spec.kind in ("number", "die", "card") else _LETTER
        texts = spec.choices if spec.kind == "choice" else [letter * _length(spec)]
        return max(sum([self.font.width(letter) for letter in text]) for text in texts)


class _Form(Struct):
    """The form of a document, to which fields are added one by one. Fields and groups are stored by object number."""

    document: PdfDocument
    pencil: _Pencil
    top: list[int] = field(default_factory=list)
    groups: dict[str, tuple[int, list[int]]] = field(default_factory=dict)
    on_page: dict[int, list[int]] = field(default_factory=dict)
    appearances: dict[str, int] = field(default_factory=dict)

    def add(self, spec: Field, page: int, slot: Slot, mark: str) -> None:
        """Adds a field over a slot (in points, with y up) on the page with the index `page`."""
        group, _, name = spec.id.rpartition(".")
        about = f"/T{text_string(name)}/TU{text_string(spec.tip)}{self._parent(group)}"
        if slot.marks:
            self._members(group).append(self._choice(about, page, slot, mark))
        elif spec.kind == "tick":
            look = self._box("Yes", slot.box, slot.is_round, bool(mark))
            state = "/Yes" if mark else "/Off"
            self._members(group).append(self._widget(page, slot.box, f"{about}/FT/Btn/V{state}{look}"))
        else:
            gap = slot.boxes[1].x - slot.boxes[0].right if slot.letters > 1 else 0.0
            box = self.pencil.one_line_box(slot.box.grown(gap / 2, 0, gap / 2, 0).edges)
            typed = self._typed(spec, box, mark, slot.letters)
            left, bottom, right, top = box
            widget = self._widget(page, Rect(left, bottom, right - left, top - bottom), about + typed)
            self._members(group).append(widget)

    def _widget(self, page: int, box: Rect, code: str) -> int:
        edges = " ".join([f"{edge:.2f}" for edge in box.edges])
        widget = self.document.file.add(
            f"<</Type/Annot/Subtype/Widget/F 4{code}/P {self.document.pages[page].number} 0 R/Rect[{edges}]>>"
        )
        self.on_page.setdefault(page, []).append(widget)
        return widget

    def _choice(self, about: str, page: int, slot: Slot, mark: str) -> int:
        """Adds radio buttons (12.7.4.2.4), one for each mark; returns the number of their field."""
        number = self.document.file.reserve()
        buttons = [
            self._widget(page, box, f"/Parent {number} 0 R{self._box(option, box, slot.is_round, option == mark)}")
            for option, box in zip(slot.marks, slot.boxes, strict=True)
        ]
        value = f"/V/{_name(mark)}" if mark else ""
        self.document.file.add(f"<</FT/Btn/Ff {_RADIO}{about}{value}/Kids{references(buttons)}>>", number)
        return number

    def finish(self) -> None:
        """Writes what depends on all fields: the groups, the fields of each page in order, and the form."""
        for name, (group, members) in self.groups.items():
            outer, _, short_name = name.rpartition(".")
            code = f"<</T{text_string(short_name)}{self._parent(outer)}/Kids{references(members)}>>"
            self.document.file.add(code, group)
        for index, numbers in self.on_page.items():
            self.document.pages[index].more = f"/Annots{references(numbers)}/Tabs/S"
        form = self.document.file.add(
            f"<</Fields{references(self.top)}/NeedAppearances true/Q 1{self.pencil.appearance(_TEXT_FONT, 0)}"
            f"/DR<</Font<<{self._fonts()}>>>>>>"
        )
        self.document.catalog += f"/AcroForm {form} 0 R"

    def _fonts(self) -> str:
        (text, simple), (ticks,) = (font.add_to(self.document.file) for font in (self.pencil.font, tick_font()))
        numbers = {_TEXT_FONT: text, **dict.fromkeys(_SIMPLE_FONTS, simple), _TICK_FONT: ticks}
        return "".join([f"/{name} {number} 0 R" for name, number in numbers.items()])

    # ---- a dot in a field's name separates groups, which are objects of their own in PDF (12.7.3.2)

    def _parent(self, group: str) -> str:
        return f"/Parent {self._group(group)[0]} 0 R" if group else ""

    def _members(self, group: str) -> list[int]:
        return self._group(group)[1] if group else self.top

    def _group(self, name: str) -> tuple[int, list[int]]:
        if name not in self.groups:
            self.groups[name] = self.document.file.reserve(), []
            self._members(name.rpartition(".")[0]).append(self.groups[name][0])
        return self.groups[name]

    def _typed(self, spec: Field, box: Box, mark: str, letters: int) -> str:
        value = f"/V{text_string(mark)}" if mark else ""
        appearance = self.pencil.appearance(_TEXT_FONT, self.pencil.fitting(spec, box))
        layout = f"/Ff {_COMB}/Q {2 if spec.kind == 'number' else 0}" if letters else "/Q 1"
        return f"/FT/Tx/MaxLen {letters or _length(spec)}{layout}{appearance}{value}"

    def _box(self, state: str, box: Rect, is_round: bool, is_on: bool) -> str:
        """What a box to cross or ring looks like in the state that is named, and in the state `Off`."""
        width, height = box.width, box.height
        on = self._appearance((self._ring if is_round else self._cross)(width, height), width, height)
        return (
            f"/AS/{_name(state) if is_on else 'Off'}"
            f"/AP<</N<</{_name(state)} {on} 0 R/Off {self._appearance('', 1, 1)} 0 R>>>>"
            f"/MK<</CA({'l' if is_round else '8'})>>{self.pencil.appearance(_TICK_FONT, 0)}"
        )

    def _cross(self, width: float, height: float) -> str:
        """The same cross as on a scored copy, as PDF operators."""
        side = min(width, height)
        x, y, arm = width / 2, height / 2, side * CROSS_SIZE / 2
        return (
            f"{self.pencil.colour} RG {side * CROSS_WIDTH:.2f} w 1 J "
            f"{x - arm:.2f} {y - arm:.2f} m {x + arm:.2f} {y + arm:.2f} l "
            f"{x - arm:.2f} {y + arm:.2f} m {x + arm:.2f} {y - arm:.2f} l S"
        )

    def _ring(self, width: float, height: float) -> str:
        """A ring in the box, as PDF operators."""
        line = min(width, height) * CROSS_WIDTH
        path = segments(outlines.pill(line / 2, line / 2, width - line, height - line))
        return f"{self.pencil.colour} RG {line:.2f} w {path} S"

    def _appearance(self, code: str, width: float, height: float) -> int:
        """The number of an appearance stream, which all boxes of the same size share."""
        stream = (
            f"<</Type/XObject/Subtype/Form/BBox[0 0 {width:.2f} {height:.2f}]/Length {len(code)}>>\n"
            f"stream\n{code}\nendstream"
        )
        if stream not in self.appearances:
            self.appearances[stream] = self.document.file.add(stream)
        return self.appearances[stream]


_BUNDLED = SHARED_DATA / "fonts" / "Lato-Bold.ttf"
_CONTROL = frozenset((8, 9, 10, 12, 13))  # codes that a viewer might take for a line break or a tab
_ASCII = {code: chr(code) for code in range(32, 127)}
_LATIN_1 = {code: chr(code) for code in range(0xC0, 0x100) if chr(code) not in "×÷"}
_MORE_LETTERS = (
    "ĄąĆćĘęŁłŃńŚśŹźŻżČčĎďĚěŇňŘřŠšŤťŮůŽžĹĺĽľŔŕŐőŰűĐđĞğİıŞşĂăȘșȚțĀāĒēĪīŪūĢģĶķĻļŅņĖėĮįŲųŒœŸ"  # European alphabets
    "’‘“”–−…€≠"
)
_FREE_CODES = [code for code in (*range(128, 256), *range(1, 32)) if code not in _LATIN_1 and code not in _CONTROL]
_LETTERS = {**_ASCII, **_LATIN_1, **dict(zip(_FREE_CODES, _MORE_LETTERS, strict=False))}
# Latin, Greek and Cyrillic letters, with those of Vietnamese. Scripts whose letters must be joined or reordered are
# not included, because viewers write typed text letter by letter.
_ALPHABETS = (
    range(0x20, 0x7F),
    range(0xA1, 0xAD),
    range(0xAE, 0x180),
    range(0x218, 0x21C),
    range(0x386, 0x3CF),
    range(0x400, 0x460),
    range(0x490, 0x492),
    range(0x1E80, 0x1EFA),
)
# The signs for check boxes that viewers know, by their codes in ZapfDingbats (Annex D.6); 8 is the cross on paper.
_TICKS = {ord(code): sign for code, sign in zip("34568lnuH", "✓✔✕✖✕●■◆★", strict=True)}


class FormFont(Struct, frozen=True):
    """A font for fields: a simple one with these codes, and if it `is_composite`, also a composite one, with the glyphs
    of `letters`."""

    face: fonts.FontFace
    letters: Mapping[str, int]
    simple: Mapping[int, str]
    is_composite: bool = False

    def width(self, letter: str) -> float:
        """The width of a letter as a share of the type size."""
        return self.face.width(self.letters[letter]) if letter in self.letters else _TYPICAL

    def add_to(self, file: PdfFile) -> list[int]:
        """Writes the fonts, which share a program, to a file; returns their numbers."""
        face, name = self.face, "PENCIL+" + self.face.name
        program, numbers = subset(face, self.letters.values(), self.letters)
        box = " ".join([str(round(edge * 1000 / face.upem)) for edge in bounds(face)])
        descriptor = file.add(
            f"<</Type/FontDescriptor/FontName/{name}/Flags 32/FontBBox[{box}]/ItalicAngle 0"
            f"/Ascent {1000 * face.ascent:.0f}/Descent {-1000 * face.descent:.0f}"
            f"/CapHeight {1000 * face.cap_height:.0f}/StemV 80"
            f"/FontFile2 {file.add(stream(program, f'/Length1 {len(program)}'))} 0 R>>"
        )
        simple = dict(sorted(self.simple.items()))
        spacing = [f"{1000 * self.width(simple[code]):.0f}" if code in simple else "0" for code in range(1, 256)]
        written = [
            file.add(
                f"<</Type/Font/Subtype/TrueType/BaseFont/{name}/FirstChar 1/LastChar 255/Widths[{' '.join(spacing)}]"
                f"/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[{_differences(simple)}]>>"
                f"/FontDescriptor {descriptor} 0 R/ToUnicode {file.add(stream(to_unicode(simple, size=1)))} 0 R>>"
            )
        ]
        if self.is_composite:  # its codes are numbers of glyphs: pypdf assumes so, whatever CIDToGIDMap says
            codes = dict(sorted((numbers[glyph], letter) for letter, glyph in self.letters.items()))
            widths = "".join([f"{code}[{1000 * self.width(letter):.0f}]" for code, letter in codes.items()])
            composite = file.add(
                f"<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/DescendantFonts["
                f"<</Type/Font/Subtype/CIDFontType2/BaseFont/{name}"
                "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
                f"/FontDescriptor {descriptor} 0 R/W[{widths}]/CIDToGIDMap/Identity>>]"
                f"/ToUnicode {file.add(stream(to_unicode(codes)))} 0 R>>"
            )
            written.insert(0, composite)
        return written


def form_font(files: fonts.Files) -> FormFont:
    """The fonts for typed text: a composite and a simple one, from the first TrueType file, or from a bundled one if
    there is none. Raises InputError for a file that cannot be used."""
    faces = (*fonts.load(files).faces, *fonts.load(_BUNDLED).faces)
    face = next(face for face in faces if not face.is_cff and face.glyph("A"))
    letters = {letter: face.glyph(letter) for codes in _ALPHABETS for letter in map(chr, codes) if face.glyph(letter)}
    simple = {code: letter for code, letter in _LETTERS.items() if face.glyph(letter)}
    letters.update((letter, face.glyph(letter)) for letter in simple.values())
    return FormFont(face, letters, simple, is_composite=True)


def tick_font() -> FormFont:
    """The font for ticks. Viewers that draw ticks themselves ask for ZapfDingbats, which not every machine has."""
    (face,) = fonts.load(fonts.SYMBOLS).faces
    return FormFont(face, {sign: face.glyph(sign) for sign in _TICKS.values()}, _TICKS)


def _differences(codes: Mapping[int, str]) -> str:
    """The codes whose letters differ from WinAnsiEncoding, with the glyph names of those letters (9.6.6)."""
    standard = _ASCII | _LATIN_1
    return " ".join([f"{code}/uni{ord(letter):04X}" for code, letter in codes.items() if standard.get(code) != letter])
