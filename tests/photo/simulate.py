"""Photos of sheets that people filled in, made up from a seed, with what is on them.

`photo_of` writes marks onto a printed sheet with a `Hand` and photographs it with a `Camera`. Its `Shot` knows what was
written and where every point of the sheet is in the photo.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import BytesIO
from math import pi, radians
from typing import Any

import numpy as np
import pypdfium2
from msgspec import Struct
from numpy.random import Generator
from PIL import Image, ImageChops

from generator import games, pdf
from generator.geometry.outlines import IDENTITY
from generator.model.print_settings import PrintSettings
from generator.pages.field_map import FieldMap, MappedField, map_fields
from generator.pages.nup import sheet_pages
from generator.printing.press import Press
from generator.printing.variants import whole_paper
from generator.reading.load import load
from generator.reading.sizes import paper as paper_named
from tests.photo.camera import (
    CONDITIONS,
    SIZES,
    Camera,
    Surface,
    covered_by_thumb,
    edge,
    exposed,
    jpeg,
    light,
    lit,
    on_table,
    table,
    warped,
)
from tests.photo.hands import Hand, Line
from tests.photo.pencils import ink_layer, inked

Drawing = Callable[[Hand, FieldMap], Sequence[Line]]
"""What is drawn on a sheet besides its marks, such as a line through its grid."""


class Part(Struct):
    """A page in a photo: which one, its marks as they were written (what a reader should find), and the ink alone: a
    picture of the page, `scale` pixels per millimetre, 0 none to 255 dark. `written` has for each box of a field what
    was written there: a character, `x` for a tick or ring, `?` for something crossed out."""

    map: FieldMap
    page: int
    marks: dict[str, str]
    written: dict[tuple[str, int], str]
    ink_layer: Image.Image
    scale: float
    surface: Surface
    camera: Camera

    def to_photo(self, points: Any) -> np.ndarray:
        """Where points (n, 2), in millimetres from the top left corner of the trimmed sheet, are in the photo."""
        return self.camera.photo_of(np.asarray(points, float), self.surface)


class Shot(Struct):
    """A photo: the JPEG, and the pages in it. `marks` are those of its first sheet."""

    jpeg: bytes
    parts: list[Part]
    seed: int
    kind: str

    @property
    def marks(self) -> dict[str, str]:
        return self.parts[0].marks

    @property
    def ink_layer(self) -> Image.Image:
        return self.parts[0].ink_layer

    def to_photo(self, points: Any, part: int = 0) -> np.ndarray:
        return self.parts[part].to_photo(points)

    @property
    def picture(self) -> Image.Image:
        return Image.open(BytesIO(self.jpeg))


class Print(Struct, frozen=True):
    """A printed sheet: its field map, and a PDF of its pages, each as large as the trimmed sheet."""

    map: FieldMap
    pdf: bytes

    def picture(self, page: int, scale: float) -> Image.Image:
        """A page at `scale` pixels per millimetre."""
        document = pypdfium2.PdfDocument(self.pdf)
        try:
            return document[page - 1].render(scale=scale * 25.4 / 72).to_pil().convert("RGB")
        finally:
            document.close()


@cache
def printed(game: str, sheet: str, paper: str = "a4", *, large: bool = False, low_ink: bool = False) -> Print:
    """A sheet as Pencilbox prints it."""
    definition, size = load(game), paper_named(paper)
    press = Press(definition, games.deal(definition), PrintSettings(large_print=large, low_ink=low_ink))
    part = press.part(sheet)
    own = whole_paper(part, size) if large else press.paper_of(part, size)
    fields = map_fields(press.blank_corners(part, own, large), definition.sheets[sheet], own, definition)
    painter = pdf.Painter(press.theme, None, None)
    document = pdf.PdfDocument(painter, pdf.Info(title=sheet), None)
    frames = next(press.sheets(part, own, (0,), large))
    document.add(pdf.painted(page, painter, IDENTITY) for page in sheet_pages(frames, own))
    finished = document.finish()
    return Print(fields, finished if isinstance(finished, bytes) else finished.content())


class Look(Struct, frozen=True):
    """How a sheet was printed and filled in: on which paper, in large print, with little ink, by a black-and-white
    printer (`grey`), and in which hand; `drawings` are added to its marks. `size` is that of the photo."""

    paper: str = "a4"
    large: bool = False
    low_ink: bool = False
    grey: bool = False
    hand: Hand | None = None
    drawings: Sequence[Drawing] = ()
    size: tuple[int, int] | None = None


def photo_of(
    game: str,
    sheet: str,
    marks: Mapping[str, str],
    *,
    seed: int,
    kind: str = "medium",
    pages: Sequence[int] = (1,),
    **look: Any,
) -> Shot:
    """A photo of pages of a sheet with these marks. `kind` is `easy`, `medium` or `hard`; the other keywords are those
    of a `Look`."""
    looks = Look(**look)
    blank = printed(game, sheet, looks.paper, large=looks.large, low_ink=looks.low_ink)
    return shot_of([(blank, page, dict(marks)) for page in pages], looks, seed=seed, kind=kind)


def shot_of(sheets: Sequence[tuple[Print, int, dict[str, str]]], look: Look, *, seed: int, kind: str) -> Shot:
    """A photo of several pages, of one or of several sheets, that lie side by side."""
    rng = np.random.default_rng((seed, ord(kind[0])))
    hand = look.hand or Hand(rng)
    surfaces = _side_by_side(rng, sheets, kind)
    camera = _camera(rng, surfaces, kind, look.size)
    photo = table(rng, camera.size, int(rng.integers(2, 16)))
    towards = tuple(rng.normal(0, 1, 2))
    tint = _TINTS[rng.integers(len(_TINTS))]
    parts = []
    for surface, (blank, page, marks) in zip(surfaces, sheets, strict=True):
        scale = float(np.clip(_pixels_per_mm(camera, surface) * 1.2, 5, 13))
        picture = blank.picture(page, scale)
        if look.grey:
            picture = picture.convert("L").convert("RGB")
        lines, written = write(hand, blank.map, page, marks)
        for drawing in look.drawings:
            lines += drawing(hand, blank.map)
        ink = ink_layer(lines, picture.size, scale, hand.tool == "pencil")
        shaded = _shaded(inked(picture, ink, hand.colour), surface.shading(towards, 0.6), tint)
        image, place = warped(shaded, scale, surface, camera)
        on_table(photo, image, place, rng)
        marks = {name: marks[name] for name in dict.fromkeys(name for name, _ in written)}
        parts.append(Part(blank.map, page, marks, written, ink, scale, surface, camera))
    return Shot(_photographed(rng, photo, parts, kind), parts, seed, kind)


_TINTS = ((255, 255, 255), (253, 250, 243), (249, 243, 230), (246, 248, 252))
"""Colours of white paper."""


def _camera(rng: Generator, surfaces: Sequence[Surface], kind: str, size: tuple[int, int] | None) -> Camera:
    """A camera that looks at the sheets; people often turn it by 90 degrees."""
    conditions = CONDITIONS[kind]
    size = size or SIZES[rng.integers(len(SIZES))]
    middles = [surface.middle[0] for surface in surfaces]
    is_wide = surfaces[0].width + max(middles) - min(middles) > surfaces[0].height
    quarter = float(rng.choice([0, pi / 2, pi, -pi / 2], p=[0.7, 0.12, 0.06, 0.12]))
    is_turned = abs(abs(quarter) - pi / 2) < 0.1
    size = (max(size), min(size)) if is_wide != is_turned else (min(size), max(size))
    roll = quarter + rng.normal(0, 0.05 if kind == "easy" else 0.14)
    if kind == "hard" and rng.random() < 0.15:
        roll = rng.uniform(0, 2 * pi)
    tilt = radians(conditions.tilt) * (rng.uniform(0, 1) if kind == "easy" else rng.uniform(0.25, 1))
    camera = Camera(size, tilt, rng.uniform(0, 2 * pi), roll)
    camera.aim(surfaces, rng.uniform(*conditions.fill), tuple(rng.uniform(-1, 1, 2)))
    return camera


def _shaded(picture: Image.Image, shading: Image.Image, tint: Sequence[int]) -> Image.Image:
    """The page on paper of a colour, as bright as its slope makes it."""
    shading = shading.resize(picture.size, Image.Resampling.BILINEAR)
    colours = [shading.point([min(round(level / 200 * part), 255) for level in range(256)]) for part in tint]
    return ImageChops.multiply(picture, Image.merge("RGB", colours))


def _photographed(rng: Generator, photo: Image.Image, parts: Sequence[Part], kind: str) -> bytes:
    """The light, perhaps a thumb, and what the camera makes of it."""
    conditions, first = CONDITIONS[kind], parts[0]
    surface, camera = first.surface, first.camera
    if kind == "hard" and rng.random() < 0.3:
        across, down = rng.integers(2, size=2)
        corner = (across * surface.width, down * surface.height)
        ends = first.to_photo([corner, (surface.width / 2, surface.height / 2)])
        covered_by_thumb(rng, photo, ends, _pixels_per_mm(camera, surface))
    outline = np.concatenate([part.to_photo(edge(part.surface)) for part in parts])
    photo = exposed(rng, lit(photo, light(rng, camera, conditions, outline)), conditions)
    return jpeg(photo, int(rng.integers(*conditions.quality)))


def _pixels_per_mm(camera: Camera, surface: Surface) -> float:
    ends = camera.photo_of(np.array([(0, 0), (surface.width, surface.height)], float), surface)
    return float(np.linalg.norm(ends[1] - ends[0]) / np.hypot(surface.width, surface.height))


def _side_by_side(rng: Generator, sheets: Sequence[tuple[Print, int, Any]], kind: str) -> list[Surface]:
    surfaces, right = [], 0.0
    for blank, _, _ in sheets:
        creased = kind == "hard" and rng.random() < 0.35
        surface = Surface.random(rng, blank.map.width, blank.map.height, CONDITIONS[kind], creased)
        if len(sheets) > 1:
            surface.turn = rng.normal(0, 0.04)
            surface.middle = (right + surface.width / 2, float(rng.normal(0, 6)))
            right += surface.width + rng.uniform(8, 25)
        surfaces.append(surface)
    return surfaces


# ---- what is written where


def write(
    hand: Hand, fields: FieldMap, page: int, marks: Mapping[str, str]
) -> tuple[list[Line], dict[tuple[str, int], str]]:
    """The strokes of the marks on a page, and what was written into each box."""
    lines: list[Line] = []
    written: dict[tuple[str, int], str] = {}
    for field in fields.fields:
        mark = marks.get(field.id, "")
        if field.page == page and _fits(field, mark):
            for box, letter, strokes in _written(hand, field, mark):
                lines += strokes
                written[field.id, box] = letter
    return lines, written


def _fits(field: MappedField, mark: str) -> bool:
    """Whether a mark can be written where its field is."""
    slot = field.slot
    if slot.marks:
        return mark in slot.marks
    return bool(mark) and mark != "." and (not slot.letters or len(mark) <= slot.letters)


def _written(hand: Hand, field: MappedField, mark: str) -> list[tuple[int, str, list[Line]]]:
    slot = field.slot
    if slot.marks:
        number = slot.marks.index(mark)
        return [(number, "x", (hand.ringed if slot.is_round else hand.ticked)(*slot.boxes[number]))]
    if field.kind == "tick":
        return [(0, "x", (hand.ringed if slot.is_round and hand.rng.random() < 0.3 else hand.ticked)(*slot.box))]
    if slot.letters:
        start = slot.letters - len(mark) if field.marks == "digits" and hand.align == "right" else 0
        return [
            (start + number, letter, _corrected(hand, letter, slot.boxes[start + number]))
            for number, letter in enumerate(mark)
        ]
    if len(mark) == 1:
        return [(0, mark, _corrected(hand, mark, slot.box))]
    return [(0, mark, hand.text(mark, *slot.box))]


def _corrected(hand: Hand, letter: str, box: Any) -> list[Line]:
    """A character; sometimes after another one that was crossed out, smaller beside it."""
    if hand.rng.random() >= hand.slips:
        return hand.character(letter, *box)
    other = str(hand.rng.integers(10)) if letter.isdecimal() else chr(65 + hand.rng.integers(26))
    x, y, width, height = box
    first = hand.character(other, x, y + height * 0.2, width * 0.55, height * 0.7)
    return [
        *first,
        *hand.crossed_out(x, y + height * 0.2, width * 0.55, height * 0.7),
        *hand.character(letter, x + width * 0.45, y, width * 0.5, height * 0.75),
    ]


def random_marks(game: str, sheet: str, rng: Generator, share: float = 0.7, paper: str = "a4") -> dict[str, str]:
    """Marks that the fields of a sheet take, each filled in with this probability, without regard to the rules."""
    return {
        field.id: mark
        for field in printed(game, sheet, paper).map.fields
        if rng.random() < (share if field.kind != "tick" else share / 2) and (mark := _random_mark(field, rng))
    }


def _random_mark(field: MappedField, rng: Generator) -> str:
    slot = field.slot
    if isinstance(field.marks, tuple):
        fitting = [mark for mark in field.marks if slot.marks or len(mark) <= max(slot.letters, 1)]
        return str(rng.choice(fitting)) if fitting else ""
    if field.marks == "digits":
        boxes = max(slot.letters, 1)
        low, high = (
            (max(field.span.low, 1 - 10 ** (boxes - 1)), min(field.span.high, 10**boxes - 1))
            if field.span
            else (0, 10**boxes - 1)
        )
        return str(rng.integers(low, high + 1))
    if slot.letters:
        return "".join(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), int(rng.integers(1, slot.letters + 1))))
    return str(rng.choice(["Ann", "Ben", "Cat", "Dan", "Eva", "Felix", "Greta", "Jonas", "Marie", "Oskar"]))
