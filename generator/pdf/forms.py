"""Score sheets to be filled in on a screen: a form field over every slot, named by its field id.

The fields are those of an AcroForm (PDF 32000-1:2008, 12.7): text fields (12.7.4.3) and check boxes (12.7.4.2.3), each
with its widget (12.5.6.19) on the page.

The form is written in PDF's own words: there are hundreds of fields, and nearly all they say is known at once.

Two things are left out on purpose. A text field has no appearance stream: an empty one shared by all would be filled in
for all of them with the first, and viewers make their own (NeedAppearances). And a choice is a text field too: some
viewers print the arrow of a combo box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType
from typing import Any

from ..definitions.models import Field, Theme
from ..errors import InputError, Problem
from ..geometry.frame import Page
from .canvas import Info
from .document import Box, Written, in_points, painted, slot_rects
from .operators import escaped

_CENTRED = ("number", "die", "card")
_FONTS = {"Helv": "/BaseFont/Helvetica/Encoding/WinAnsiEncoding", "ZaDb": "/BaseFont/ZapfDingbats"}
"""What viewers that draw fields anew ask for; nothing on the pages themselves is set in them."""
_TALL, _DIGITS, _DIGIT_WIDTH = 30.0, 20.0, 0.75
"""Points: a box taller than this has digits of this size; a digit with its share of the margins, in type sizes."""
_BYTE_ORDER = "\ufeff"
_ESCAPED = {ord(letter): f"\\{letter}" for letter in "\\()"} | {ord("\r"): "\\r"}


def write_fillable(
    pages: Sequence[Page],
    theme: Theme,
    fields: Mapping[str, Field],
    *,
    info: Info,
    marks: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """The pages of a score sheet as a PDF with a form, which prints like the one without; the same bytes for the same
    pages. Fields are reached in the order of `fields`. `marks` are typed in already: texts, and for a tick any text.

    Raises InputError where slots and fields differ, where a mark has no field or no room in it, and as `write` does."""
    slots = slot_rects(pages)
    problems = [*_strange(slots, fields), *_homeless(marks, fields)]
    if problems:
        raise InputError(Problem(f"{info.title}: {problem}") for problem in problems)
    canvas = painted(pages, theme, info=info)
    form = _Form(canvas._doc)
    for name, each in fields.items():
        number, x, y, width, height = slots[name]
        form.add(each, number, in_points(pages[number], x, y, x + width, y + height), marks.get(name, ""))
    form.finish()
    return canvas.getpdfdata()


def _strange(slots: Mapping[str, Any], fields: Mapping[str, Field]) -> Iterator[str]:
    for name in sorted(slots.keys() ^ fields.keys()):
        yield f"the slot {name} has no field" if name in slots else f"the field {name} has no slot"
    for name in fields:
        yield from (f"the field {group} cannot hold another one, {name}" for group in _groups(name) if group in fields)


def _homeless(marks: Mapping[str, str], fields: Mapping[str, Field]) -> Iterator[str]:
    for name, mark in marks.items():
        if name not in fields:
            yield f"there is no field {name} for the mark “{mark}”"
        elif fields[name].kind != "tick" and len(mark) > _room(fields[name]):
            yield f"the mark “{mark}” is too long for {name}, which has room for {_room(fields[name])}"


def _room(each: Field) -> int:
    """How many letters can be typed into a field."""
    if each.kind == "die":
        return max(len(str(each.span.low)), len(str(each.span.high))) if each.span else 1
    return max(map(len, each.choices)) if each.kind == "choice" else each.length


def _groups(name: str) -> list[str]:
    """The groups a field lies in, from the outermost: `players`, `players.1` for `players.1.name`."""
    return list(accumulate(name.split(".")[:-1], "{}.{}".format))


@dataclass(slots=True)
class _Form:
    """The form of one document, which gets its fields one by one. Fields and groups are known by their numbers."""

    document: Any
    top: list[int] = field(default_factory=list)
    groups: dict[str, tuple[Written, list[int]]] = field(default_factory=dict)
    on_page: dict[int, list[int]] = field(default_factory=dict)
    shared: dict[str, int] = field(default_factory=dict)

    def add(self, each: Field, page: int, box: Box, mark: str) -> None:
        """A field over the box (in points) on the page with this index."""
        above, _, name = each.id.rpartition(".")
        edges = " ".join([f"{edge:.2f}" for edge in box])
        made = self._write(
            f"<</Type/Annot/Subtype/Widget/F 4/T{_text(name)}/TU{_text(each.tip)}{self._parent(above)}"
            f"/P {self._number(self.document.Pages.pages[page])} 0 R/Rect[{edges}]"
            f"{self._tick(box, mark) if each.kind == 'tick' else _typed(each, box, mark)}>>"
        )
        self._inside(above).append(made.number)
        self.on_page.setdefault(page, []).append(made.number)

    def finish(self) -> None:
        """The groups, now that their fields are known, what lies on each page and in which order, and the form."""
        for name, (group, inside) in self.groups.items():
            above, _, own = name.rpartition(".")
            group.code = f"<</T{_text(own)}{self._parent(above)}/Kids{_references(inside)}>>"
        for index, numbers in self.on_page.items():
            page = self.document.Pages.pages[index]
            page.more = f"/Annots{_references(numbers)}/Tabs/S"
        self.document.Catalog.AcroForm = self._write(
            f"<</Fields{_references(self.top)}/NeedAppearances true/DA(/Helv 0 Tf 0 g)/DR<</Font<<{self._fonts()}>>>>>>"
        )

    def _fonts(self) -> str:
        return "".join(
            [
                f"/{name} {self._write(f'<</Type/Font/Subtype/Type1{code}>>').number} 0 R"
                for name, code in _FONTS.items()
            ]
        )

    def _write(self, code: str) -> Written:
        made = Written(code)
        made.number = self._number(made)
        self.document.updateSignature(code.encode("latin-1"))
        return made

    def _number(self, thing: Any) -> int:
        return int(self.document.idToObjectNumberAndVersion[self.document.Reference(thing).name][0])

    # ---- a dot in a field's name says that it lies in a group; PDF spells that out

    def _parent(self, group: str) -> str:
        return f"/Parent {self._group(group)[0].number} 0 R" if group else ""

    def _inside(self, group: str) -> list[int]:
        return self._group(group)[1] if group else self.top

    def _group(self, name: str) -> tuple[Written, list[int]]:
        if name not in self.groups:
            self.groups[name] = self._write(""), []
            self._inside(name.rpartition(".")[0]).append(self.groups[name][0].number)
        return self.groups[name]

    # ---- check boxes

    def _tick(self, box: Box, mark: str) -> str:
        state = "/Yes" if mark else "/Off"
        width, height = box[2] - box[0], box[3] - box[1]
        looks = f"/Yes {self._look(_cross(width, height), width, height)} 0 R/Off {self._look('', 1, 1)} 0 R"
        return f"/FT/Btn/V{state}/AS{state}/AP<</N<<{looks}>>>>/MK<</CA(8)>>"

    def _look(self, code: str, width: float, height: float) -> int:
        """An appearance stream, one for all boxes of a size."""
        stream = (
            f"<</Type/XObject/Subtype/Form/BBox[0 0 {width:.2f} {height:.2f}]/Length {len(code)}>>\n"
            f"stream\n{code}\nendstream"
        )
        if stream not in self.shared:
            self.shared[stream] = self._write(stream).number
        return self.shared[stream]


def _cross(width: float, height: float) -> str:
    x, y, arm = width / 2, height / 2, min(width, height) * 0.3
    return (
        f"{arm / 4:.2f} w 1 J {x - arm:.2f} {y - arm:.2f} m {x + arm:.2f} {y + arm:.2f} l "
        f"{x - arm:.2f} {y + arm:.2f} m {x + arm:.2f} {y - arm:.2f} l S"
    )


def _typed(each: Field, box: Box, mark: str) -> str:
    value = f"/V{_text(mark)}" if mark else ""
    return f"/FT/Tx/MaxLen {_room(each)}{_digits(each, box) if each.kind in _CENTRED else ''}{value}"


def _digits(each: Field, box: Box) -> str:
    """How numbers stand in a field: in its middle, and not as large as a tall box would have them."""
    width, height = box[2] - box[0], box[3] - box[1]
    if height <= _TALL:
        return "/Q 1"
    return f"/Q 1/DA(/Helv {min(_DIGITS, width / min(_room(each), 4) / _DIGIT_WIDTH):.1f} Tf 0 g)"


def _references(numbers: Sequence[int]) -> str:
    return "[" + " ".join([f"{number} 0 R" for number in numbers]) + "]"


def _text(text: str) -> str:
    """A text as PDF writes it: ASCII as it is, anything else as UTF-16."""
    if text.isascii() and text.isprintable():
        return f"({escaped(text.encode())})"
    return f"({(_BYTE_ORDER + text).encode('utf-16-be').decode('latin-1').translate(_ESCAPED)})"
