"""How well photos are read: simulated photos of filled-in sheets of every game, by game and class.

python benchmarks/photos.py [--photos 2] [--game upwards] [--kind hard] [--seed 1] [--crops FOLDER] [--keep FOLDER]

For each game, sheet and class it prints how many pages were found, how far off the straightened page is, how many
cells were read rightly by themselves, how many fields and filled-in fields were once the whole sheet was weighed, how
many of these were wrong but sure, how many sheets were exact (but for texts to type) without a question and after one,
three and all of them, and the time and memory of a photo. With --crops, each cell that was read wrongly is written to
FOLDER as a picture, named after its field, what was written and what was read. With --keep, photos are kept in FOLDER
and taken from there the next time.
"""

from __future__ import annotations

import argparse
import pickle
import resource
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for the simulator of the tests
from generator.errors import InputError
from generator.photo.blank import PX
from generator.photo.cells import CellReading, read_cells
from generator.photo.codes import find_codes
from generator.photo.pages import identify, seen_pages
from generator.photo.photo_sheet import PageReading, PhotoSheet
from generator.photo.pictures import open_photo
from generator.photo.straighten import StraightPage, straighten
from tests.photo.camera import KINDS
from tests.photo.filled import SHEETS, filled_in
from tests.photo.simulate import Part, Shot, photo_of, printed


class Counts(Struct):
    """What was counted for photos of one class."""

    photos: int = 0
    found: int = 0
    off: list[float] = []
    ticks: int = 0
    ticks_right: int = 0
    cells: int = 0
    cells_right: int = 0
    fields: int = 0
    right: int = 0
    filled: int = 0
    filled_right: int = 0
    sure_wrong: int = 0
    exact: list[int] = []
    questions: int = 0
    seconds: float = 0.0

    weighing: float = 0.0

    def add(self, other: Counts) -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def add_exact(self, after: Sequence[bool]) -> None:
        """Whether the sheet was exact without a question, after each further one, and after all."""
        self.exact = [number for number, at in enumerate((0, 1, 3, -1)) if after[min(at, len(after) - 1)]]


class Wrong(NamedTuple):
    """A cell that was read wrongly."""

    cell: CellReading
    written: str
    read: str
    probability: float


def shots(photos: int, seed: int, wanted: argparse.Namespace) -> Iterator[tuple[str, str, str, Shot]]:
    """The photos, with their games, sheets and classes."""
    for kind in KINDS:
        for game, sheet in SHEETS:
            if wanted.kind in ("", kind) and wanted.game in ("", game) and wanted.sheet in ("", sheet):
                for number in range(photos):
                    yield game, sheet, kind, kept_shot(wanted.keep, game, sheet, kind, seed * 1000 + number)


def kept_shot(folder: Path | None, game: str, sheet: str, kind: str, seed: int) -> Shot:
    if folder is None:
        return shot(game, sheet, kind, seed)
    file = folder / f"{game}-{sheet}-{kind}-{seed}.pickle"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(shot(game, sheet, kind, seed)))
    kept: Shot = pickle.loads(file.read_bytes())
    return kept


def shot(game: str, sheet: str, kind: str, seed: int) -> Shot:
    """A photo of a page that something was written on, mostly on A4."""
    rng = np.random.default_rng((seed, len(sheet), len(game)))
    filled = filled_in(game, sheet, int(rng.integers(1 << 30)), share=float(rng.choice([1.0, 0.6], p=[0.85, 0.15])))
    paper = str(rng.choice(["a4", "letter"], p=[0.8, 0.2]))
    fields = printed(game, sheet, paper).map.fields
    pages = sorted({field.page for field in fields if field.id in filled.marks}) or [1]
    page = int(rng.choice(pages))
    return photo_of(
        game,
        sheet,
        filled.marks,
        seed=seed,
        kind=kind,
        pages=(page,),
        paper=paper,
        grey=bool(rng.random() < 0.2),
        low_ink=bool(rng.random() < 0.15),
        drawings=[filled.drawn(page)],
    )


def measured(each: Shot) -> tuple[Counts, StraightPage | None, list[Wrong]]:
    """What was read of the first page on a photo."""
    counts, start = Counts(photos=1), time.process_time()
    part = each.parts[0]
    page, cells = None, []
    try:
        photo = open_photo(each.jpeg, "photo")
        for seen in seen_pages(find_codes(photo)):
            sheet = identify(seen)
            if (sheet.game.key, sheet.map.sheet, seen.page) == (part.map.game, part.map.sheet, part.page):
                page = straighten(photo, seen, sheet.blank(seen.page))
                cells = read_cells(page)
                break
    except InputError as error:
        print(f"    not read: {error}")
    counts.seconds = time.process_time() - start
    counts.found = int(page is not None)
    if page is not None:
        points = np.array(
            [(x, y) for x in np.linspace(12, part.map.width - 12, 7) for y in np.linspace(12, part.map.height - 12, 7)]
        )
        per_mm = np.linalg.norm(part.to_photo(points + np.array([1, 0])) - part.to_photo(points), axis=1)
        off = np.linalg.norm(page.to_photo(points) * photo.scale - part.to_photo(points), axis=1) / per_mm
        counts.off = [float(np.percentile(off, 95))]
    wrong = list(_compared(cells, part.written, counts))
    if page is not None:
        _ask(page, cells, part, counts)
    return counts, page, wrong


_MOST_QUESTIONS = 40


def _ask(page: StraightPage, cells: Sequence[CellReading], part: Part, counts: Counts) -> None:
    """Answers the questions about a page as a person who knows what was written."""
    start = time.process_time()
    reading = PageReading(
        "photo",
        part.map.game,
        page.blank.map,
        page.seen.serial,
        page=part.page,
        cells=tuple(cells),
        picture=b"",
        outlines={},
    )
    sheet = PhotoSheet([reading])
    counts.weighing = time.process_time() - start
    _count_fields(sheet, part.marks, counts)
    exact = [_is_exact(sheet, part.marks)]
    asked: set[str] = set()
    while len(exact) < _MOST_QUESTIONS:
        open_ones = [each for each in sheet.questions if each.marks and each.fields[0] not in asked]
        if not open_ones:
            break
        names = open_ones[0].fields
        truth = part.marks.get(names[0], "")
        alike = [name for name in names if part.marks.get(name, "") == truth]
        asked.add(names[0])
        with suppress(InputError):
            sheet.answer(dict.fromkeys(names if len(alike) == len(names) else names[:1], truth))
        exact.append(_is_exact(sheet, part.marks))
    counts.questions = len(exact) - 1
    counts.add_exact(exact)


def _count_fields(sheet: PhotoSheet, marks: Mapping[str, str], counts: Counts) -> None:
    """Counts what was read without a question; of a text, only whether there is one."""
    for name, each in sheet.reading.fields.items():
        truth, read = marks.get(name, "").upper(), each.mark.upper()
        is_right = bool(truth) == bool(read) if each.cells[0].kind == "text" else truth == read
        counts.fields += 1
        counts.right += is_right
        counts.filled += bool(truth)
        counts.filled_right += bool(truth) and is_right
        counts.sure_wrong += not is_right and each.is_sure


def _is_exact(sheet: PhotoSheet, marks: Mapping[str, str]) -> bool:
    return all(
        each.mark.upper() == marks.get(name, "").upper()
        for name, each in sheet.reading.fields.items()
        if each.cells[0].kind != "text"
    )


def _compared(cells: Iterable[CellReading], written: Mapping[tuple[str, int], str], counts: Counts) -> Iterator[Wrong]:
    for cell in cells:
        truth = written.get((cell.field, cell.box), "")
        read, probability = max(cell.probabilities.items(), key=lambda item: item[1])
        is_right = bool(truth) == bool(read) if cell.kind == "text" else truth.upper() == read.upper()
        counts.cells += 1
        counts.cells_right += is_right
        counts.ticks += cell.kind == "mark"
        counts.ticks_right += cell.kind == "mark" and is_right
        if not is_right:
            yield Wrong(cell, truth, read, probability)


def table(rows: Mapping[tuple[str, ...], Counts]) -> str:
    """The counts as a table."""
    heads = (
        "",
        "photos",
        "found",
        "off mm",
        "ticks",
        "cells",
        "fields",
        "filled",
        "sure wrong",
        "exact",
        "+1",
        "+3",
        "+all",
        "asked",
        "s",
        "s weighed",
    )
    lines = [heads, *((" ".join(name), *_figures(counts)) for name, counts in rows.items())]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if not column else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def _figures(counts: Counts) -> tuple[str, ...]:
    return (
        str(counts.photos),
        _share(counts.found, counts.photos, 1),
        f"{np.median(counts.off):.2f}" if counts.off else "-",
        _share(counts.ticks_right, counts.ticks),
        _share(counts.cells_right, counts.cells),
        _share(counts.right, counts.fields),
        _share(counts.filled_right, counts.filled),
        _share(counts.sure_wrong, counts.fields, 3),
        *(_share(counts.exact.count(number), counts.photos, 0) for number in range(4)),
        f"{counts.questions / counts.photos:.1f}",
        f"{counts.seconds / counts.photos:.1f}",
        f"{counts.weighing / counts.photos:.1f}",
    )


def _share(part: int, whole: int, places: int = 2) -> str:
    return f"{100 * part / whole:.{places}f}%" if whole else "-"


def save_crops(folder: Path, number: int, page: StraightPage, wrong: Iterable[Wrong]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    picture = Image.fromarray(page.colour)
    for each in wrong:
        x, y, width, height = each.cell.rect
        box = tuple(round(edge * PX) for edge in (x - 3, y - 3, x + width + 3, y + height + 3))
        kinds = f"{each.cell.kind}-{each.written or 'blank'}-read-{each.read or 'blank'}-{each.probability:.2f}"
        name = f"{kinds}-{number}-{each.cell.field}.{each.cell.box}.png".replace("/", "_")
        crop: Any = picture.crop(box)
        crop.resize((crop.width * 2, crop.height * 2)).save(folder / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=int, default=1, help="of each sheet and class")
    parser.add_argument("--game", default="")
    parser.add_argument("--sheet", default="")
    parser.add_argument("--kind", default="", choices=("", *KINDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--crops", type=Path)
    parser.add_argument("--keep", type=Path)
    wanted = parser.parse_args()
    rows: dict[tuple[str, ...], Counts] = {}
    for number, (game, sheet, kind, each) in enumerate(shots(wanted.photos, wanted.seed, wanted)):
        counts, page, wrong = measured(each)
        for key in ((game, sheet, kind), ("all", kind)):
            rows.setdefault(key, Counts()).add(counts)
        print(f"{number:3} {game} {sheet} {kind} {each.seed} p{each.parts[0].page}", *_figures(counts)[1:], flush=True)
        if page is not None and wanted.crops:
            save_crops(wanted.crops, number, page, wrong)
    print(table(dict(sorted(rows.items(), key=lambda row: (row[0][0] == "all", row[0])))))
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB at most, with the simulator")


if __name__ == "__main__":
    main()
