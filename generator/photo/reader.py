"""Reads the sheets on photos: every page on every photo, and then the pages of each sheet together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from PIL import Image

from .. import draws, games
from ..errors import InputError, Place, fault
from ..workers import open_workers
from .blank import BlankPage
from .cells import read_cells
from .codes import find_codes, why_unseen
from .fields import BLANK
from .pages import SeenPage, Sheet, loaded, possible_pages, seen_pages
from .photo_sheet import PageReading, PhotoSheet, fields_on
from .pictures import Photo, open_photo
from .straighten import corners, straightest

_QUALITY = 85
_AGREE = 0.9
"""The share of marks in which two photos of the same page agree."""


class PhotoJob(NamedTuple):
    """A photo to read: its file (or its `data`), the games that were named, and the code of the set that it shows."""

    name: str
    games: tuple[str, ...] = ()
    code: str = ""
    data: bytes = b""


def pages_of(job: PhotoJob) -> list[PageReading | InputError]:
    """Every page on a photo, or why it cannot be read."""
    try:
        photo = open_photo(job.data or Path(job.name), job.name)
        seen = seen_pages(find_codes(photo))
        if not seen:
            raise fault("no Pencilbox score sheet can be seen in this photo", Place(job.name), why_unseen(photo))
    except InputError as error:
        return [error]
    return [_page(photo, each, job) for each in seen]


def _page(photo: Photo, seen: SeenPage, job: PhotoJob) -> PageReading | InputError:
    try:
        named = [loaded(name) for name in job.games]
        possible = possible_pages(seen, named)
        page = straightest(photo, seen, [_blank(sheet, number, job.code) for sheet, number in possible])
        sheet = next(sheet for sheet, _ in possible if sheet.map == page.blank.map)
        cells = tuple(read_cells(page))
    except InputError as error:
        return InputError(replace(each, place=each.place or Place(job.name)) for each in error.problems)
    picture = BytesIO()
    Image.fromarray(page.colour).save(picture, "JPEG", quality=_QUALITY)
    boxes = {each.id: np.array(corners(each.slot.box)) for each in fields_on(sheet.map, page.blank.page)}
    key = next((name for name in job.games if loaded(name) is sheet.game), sheet.game.key)
    return PageReading(
        job.name,
        key,
        sheet.map,
        seen.serial,
        page=page.blank.page,
        cells=cells,
        picture=picture.getvalue(),
        outlines={name: page.to_photo(points).round(1).tolist() for name, points in boxes.items()},
    )


def _blank(sheet: Sheet, page: int, code: str) -> BlankPage:
    deck = games.deal(sheet.game, draws.parse(code, prefix=sheet.game.definition.prefix)) if code else None
    return sheet.blank(page, deck=deck)


# ---- pages that belong together


def sheets_of(pages: Iterable[PageReading]) -> Iterator[list[PageReading] | InputError]:
    """The pages of each sheet: those with a serial number, or of the only sheet they can be of; otherwise an error."""
    groups: dict[tuple[int, int], list[PageReading]] = {}
    for page in pages:
        groups.setdefault((page.layout, page.serial), []).append(page)
    for (_, serial), group in groups.items():
        numbers: dict[int, list[PageReading]] = {}
        for page in group:
            _add(page, numbers.setdefault(page.page, []), same_sheet=bool(serial))
        most = max(map(len, numbers.values()))
        if most > 1 and len(numbers) > 1:
            yield fault(
                f"these photos show {most} sheets, and no numbers on them say which pages belong together",
                Place(group[0].photo),
                "read one sheet at a time, or print numbered sheets with --pad",
            )
        else:
            yield from ([same[at] for same in numbers.values()] for at in range(most))


def _add(page: PageReading, same: list[PageReading], *, same_sheet: bool) -> None:
    """Adds a page to those with its number, unless it is one of them on another photo."""
    for at, other in enumerate(same):
        if same_sheet or (page.photo != other.photo and _agree(page, other)):
            pairs = zip(other.cells, page.cells, strict=True)
            clearer = tuple(max(pair, key=lambda cell: max(cell.probabilities.values())) for pair in pairs)
            same[at] = replace(other, cells=clearer, also=(*other.also, page.photo))
            return
    same.append(page)


def _agree(one: PageReading, other: PageReading) -> bool:
    marks = (
        [max(cell.probabilities, key=cell.probabilities.__getitem__) for cell in page.cells] for page in (one, other)
    )
    written = [pair for pair in zip(*marks, strict=True) if pair != (BLANK, BLANK)]
    return sum(mine == theirs for mine, theirs in written) >= _AGREE * len(written)


def read_photos(
    jobs: Iterable[PhotoJob], workers: int = 1, *, trust_code: bool = False, at_once: bool = False
) -> Iterator[PhotoSheet | InputError]:
    """The sheets on photos, and an InputError for each page that cannot be read. With `at_once`, those on a photo come
    as soon as it is read, and those that turn out to be on several photos once more at the end."""
    pages: list[PageReading] = []
    with TemporaryDirectory() as folder, open_workers(workers) as executor:
        for _, on_photo in executor.results(pages_of, jobs, in_order=True):
            yield from (page for page in on_photo if isinstance(page, InputError))
            new = [page for page in on_photo if not isinstance(page, InputError)]
            if at_once:  # perhaps of hundreds of photos
                new = [page.kept(Path(folder) / f"{len(pages) + number}.jpg") for number, page in enumerate(new)]
                yield from _sheets(sheets_of(new), trust_code)
            pages += new
        yield from _sheets((group for group in sheets_of(pages) if not at_once or _is_joined(group)), trust_code)


def _is_joined(group: Sequence[PageReading] | InputError) -> bool:
    return isinstance(group, InputError) or len({name for page in group for name in (page.photo, *page.also)}) > 1


def _sheets(groups: Iterable[list[PageReading] | InputError], trust_code: bool) -> Iterator[PhotoSheet | InputError]:
    """Those on a photo that shows several have a number each."""
    names = Counter[str]()
    for group in groups:
        if isinstance(group, InputError):
            yield group
            continue
        photo = group[0].photo
        names[photo] += 1
        yield PhotoSheet(group, f"{photo} ({names[photo]})" if names[photo] > 1 else photo, trust_code=trust_code)


def added(
    pages: Iterable[PageReading], earlier: PhotoSheet | None, *, trust_code: bool = False
) -> tuple[bool, list[PhotoSheet | InputError]]:
    """Whether a further photo shows pages of an earlier sheet and completes it, and the sheets that it shows."""
    new = list(pages)
    together = list(sheets_of([*earlier.pages, *new])) if earlier and new else []
    completes = len(together) == 1 and not isinstance(together[0], InputError)
    groups = together if completes else list(sheets_of(new))
    return completes, list(_sheets(groups, trust_code))
