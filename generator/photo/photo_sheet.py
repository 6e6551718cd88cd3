"""A sheet that was read from photos: what is on it, what is doubtful, and the answers of a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageOps

from ..errors import InputError, fault, listed
from ..judging.judge import Judge, game_judge
from ..judging.questions import BlankForm
from ..judging.sheet_forms import FlatSheet, typed
from ..pages.field_map import FieldMap, MappedField, layout_id
from ..reading.load import load, shipped
from ..sheets import Document
from ..sheets.reader import PHOTO
from ..sheets.typed_lines import Plain
from .accepted import Accepted
from .blank import PX
from .cells import CellReading
from .fields import BLANK, UNREADABLE, FieldReading, Possibility, by_field, field_reading
from .hand import in_one_hand
from .pages import loaded
from .questions import PhotoQuestion, answered, problems_of, questions
from .readings import SheetReading, WholeSheet, document

_AROUND = 1.5
"""Millimetres shown around a field, on which a stray mark may be."""
_LETTER = 0.55
"""The width of a letter of a name as a share of the height of the name."""
_DARK = [255] * 110 + [0] * 146
_KEPT_PX = 5
"""Pixels per mm of pages that are kept."""

Outline = Sequence[Sequence[float]]
"""The corners of a field in a photo, in pixels: top left, top right, bottom right, bottom left."""


class PageReading(Struct, frozen=True):
    """A page as it was read from a photo: the key or folder of its game, its cells, the straightened page as a JPEG of
    PX pixels a millimetre, and the outline of each field in the photo. `also` names other photos of the page."""

    photo: str
    game: str
    map: FieldMap
    serial: int
    page: int
    cells: tuple[CellReading, ...]
    picture: bytes | Path
    outlines: Mapping[str, Outline]
    also: tuple[str, ...] = ()

    @property
    def layout(self) -> int:
        return layout_id(self.map)

    def opened(self) -> Image.Image:
        return Image.open(self.picture if isinstance(self.picture, Path) else BytesIO(self.picture))

    def kept(self, file: Path) -> PageReading:
        """The page with its picture in a file, not in memory."""
        if isinstance(self.picture, bytes):
            file.write_bytes(self.picture)
        return replace(self, picture=file)


def fields_on(field_map: FieldMap, page: int) -> list[MappedField]:
    """The fields on a page."""
    return [each for each in field_map.fields if each.page == page]


class PhotoSheet:
    """A sheet read from photos, weighed by the rules of its game, with the answers of a person."""

    def __init__(self, pages: Sequence[PageReading], name: str = "", *, trust_code: bool = False) -> None:
        self.pages = sorted(pages, key=lambda page: page.page)
        self.name = name or self.pages[0].photo
        first = self.pages[0]
        game = loaded(first.game) if first.game in shipped() else load(first.game)  # your own may have changed
        self.map, of_game = first.map, game_judge(game, trust_code)
        self.game = of_game.game
        self.form = BlankForm(self.game, self.game.sheets[self.map.sheet], of_game.rules, first.game)
        self.accepted = Accepted(
            self.map, self.form, Judge(first.game, trust_code, score=False, games={first.game: of_game})
        )
        self.answers: dict[str, str] = {}
        self._read = self._unweighed()
        self.reading = WholeSheet(self._read, self.accepted).weighed()

    def _unweighed(self) -> SheetReading:
        fields = {each.id: each for page in self.pages for each in fields_on(self.map, page.page)}
        cells = [self.accepted.cell(fields[cell.field], cell) for page in self.pages for cell in page.cells]
        read = by_field(in_one_hand(cells))
        known = (each for each in fields.values() if each.id in read)
        return SheetReading({each.id: field_reading(each, read[each.id]) for each in known}, self.name)

    def answer(self, answers: Mapping[str, str]) -> None:
        """Takes further answers (marks by field), and weighs the sheet again. Raises InputError as `answered` does."""
        reading = answered(self._read, {**self.answers, **answers})
        self.answers.update(answers)
        self.reading = WholeSheet(reading, self.accepted).weighed()

    def replace_answers(self, answers: Mapping[str, str]) -> None:
        """Takes these answers instead of all earlier ones. Leaves out what a field does not take."""
        self.answers.clear()
        self.answer({name: mark for name, mark in answers.items() if not [*problems_of(self._read, {name: mark})]})

    @property
    def questions(self) -> tuple[PhotoQuestion, ...]:
        return questions(self.reading)

    @property
    def document(self) -> Document:
        """The sheet as if it had been typed."""
        return document(self.reading, self.accepted, self.reading.marks)

    @property
    def marks(self) -> dict[str, str]:
        """What was read. Players whose names only a person can read are numbered, if the sheet has several."""
        names = self.accepted.numbered(self.reading.fields) if len(self.accepted.names) > 1 else {}
        return names | self.reading.marks

    @property
    def typed(self) -> dict[str, Plain]:
        """The sheet as the document of a file that a person would type."""
        heading, *rest = typed(self.form, FlatSheet(self.reading.marks)).items()
        return dict([heading, (PHOTO, ", ".join(self.photos)), *rest])

    @property
    def photos(self) -> list[str]:
        return list(dict.fromkeys(photo for page in self.pages for photo in (page.photo, *page.also)))

    def page_of(self, name: str) -> PageReading:
        """The page that a field is on."""
        number = self.reading.fields[name].field.page
        return next(page for page in self.pages if page.page == number)

    def crop(self, name: str) -> Image.Image:
        """A field on the straightened page, with what is around it."""
        box, picture = self.reading.fields[name].field.slot.box, self.page_of(name).opened()
        edges = box.x - _AROUND, box.y - _AROUND, box.right + _AROUND, box.bottom + _AROUND
        return picture.crop(tuple(round(edge * PX) for edge in edges))  # type: ignore[arg-type]

    def names_for(self, field: str, names: Sequence[str]) -> list[str]:
        """The names that may be written in a field, those of its length first; none if it is known or holds no name."""
        if field not in self.accepted.names or self.reading.fields[field].mark != UNREADABLE:
            return []
        inside = ImageOps.crop(self.crop(field).convert("L"), round((_AROUND + 0.8) * PX))
        left, top, right, bottom = ImageOps.autocontrast(inside).point(_DARK).getbbox() or (0, 0, 1, 1)
        letters = (right - left) / (bottom - top) / _LETTER
        others = (name for name in names if name not in self.answers.values())
        return sorted(others, key=lambda name: abs(len(name) - letters))

    def evidence(self) -> Iterator[bytes]:
        """The straightened pages as JPEG, small enough to keep many."""
        for page in self.pages:
            picture = page.opened()
            picture.thumbnail((page.map.width * _KEPT_PX, page.map.height * _KEPT_PX))
            picture.save(small := BytesIO(), "JPEG", quality=75, optimize=True)
            yield small.getvalue()

    def described(self) -> list[str]:
        """A heading, and a line for each doubtful field."""
        pages = ", ".join(str(page.page) for page in self.pages)
        serial = f", no. {self.pages[0].serial}" if self.pages[0].serial else ""
        fields, doubtful = self.reading.fields, len(self.reading.doubtful)
        confirmed = sum(each.confirmed for each in fields.values())
        head = (
            f"{', '.join(self.photos)}: {self.game.title}, {self.map.sheet} on {self.map.paper}{serial}, page {pages}: "
            f"{len(fields)} fields, {doubtful} doubtful, {confirmed} confirmed"
        )
        return [head, *(f"  {each.field.id}: {_in_words(each)}" for each in self.reading.doubtful)]

    def unreadable(self) -> InputError | None:
        """An error with everything that cannot be read but may decide the verdict, which names of players do not."""
        unread = (each for each in self.reading.doubtful if each.mark == UNREADABLE)
        names = [each.field.id for each in unread if not each.is_text]
        if not names:
            return None
        return fault(
            f"{len(names)} field{'s' * (len(names) > 1)} cannot be read: {listed(names)}",
            self.reading.place,
            "answer the questions at a terminal, or add --answer FIELD=MARK for each",
        )

    def plain(self) -> dict[str, Any]:
        """A sheet that was read, as plain data for JSON."""
        return {
            "game": self.game.key,
            "sheet": self.map.sheet,
            "paper": self.map.paper,
            "layout": self.pages[0].layout,
            "serial": self.pages[0].serial,
            "pages": [{"page": page.page, "photo": page.photo} for page in self.pages],
            "fields": [_plain_field(each, self.page_of(name)) for name, each in self.reading.fields.items()],
            "questions": [
                {"field": each.fields[0], "alike": list(each.fields[1:]), "marks": list(each.marks)}
                for each in self.questions
            ],
        }

    def summary(self) -> dict[str, Any]:
        """How sure the reading of a sheet is, for the answers of `score`."""
        return {
            "photos": self.photos,
            "fields": len(self.reading.fields),
            "doubtful": [each.field.id for each in self.reading.doubtful],
            "confirmed": [name for name, each in self.reading.fields.items() if each.confirmed],
        }


def _in_words(each: FieldReading) -> str:
    names = {BLANK: "blank", UNREADABLE: "something else"}
    options = (f"{names.get(mark, mark)} ({chance:.0%})" for mark, chance in each.candidates[:2])
    return "cannot be read" if each.mark == UNREADABLE else " or ".join(options)


def _plain_field(each: FieldReading, page: PageReading) -> dict[str, Any]:
    return {
        "field": each.field.id,
        **_plain_mark(each.candidates[0]),
        "runner_up": _plain_mark(each.runner_up),
        "sure": each.is_sure,
        "confirmed": each.confirmed,
        "page": page.page,
        "photo": page.photo,
        "box": page.outlines[each.field.id],
    }


def _plain_mark(candidate: Possibility) -> dict[str, Any]:
    mark = None if candidate.mark == UNREADABLE else candidate.mark
    return {"mark": mark, "probability": round(candidate.probability, 4)}
