"""Scored copies: an answer of the judge with its filled-in sheets → plain data for the press."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from .. import games
from ..errors import InputError, Place, Problem
from ..layout.handwriting import Writing
from ..model.game import FieldFile
from ..printing.copies import ICONS, Copier, Copy
from ..reading.sizes import Paper
from ..rules.results import Copied, Judged, number_text
from ..sheets import FilledSheet
from .copy_notes import notes
from .paper_sheets import PaperSheets, paper_sheets


def write(answers: Sequence[Judged], paper: Paper, hand: Path | None) -> bytes:
    """The scored copies of the answers as one PDF; raises InputError naming letters that no font has."""
    copier, copies = _copied(answers, paper, hand)
    return copier.pdf(copies)


def html(answers: Sequence[Judged], paper: Paper, hand: Path | None) -> bytes:
    """The same as an HTML page."""
    from ..printing.html_pages import scored

    return scored(*_copied(answers, paper, hand)).encode()


def _copied(answers: Sequence[Judged], paper: Paper, hand: Path | None) -> tuple[Copier, list[Copy]]:
    copier = Copier(paper, hand)
    copies = [copy(answer) for answer in answers]
    _refuse_missing_letters(copier, answers, copies)
    return copier, copies


def copy(answer: Judged) -> Copy:
    """The sheets of an answer with what is written on them, and the notes on the last page."""
    first = answer.copied[0].filled
    sheets = tuple(chain.from_iterable(_written(answer, copied) for copied in answer.copied))
    circled = {number for _, writing in sheets for numbers in writing.rings.values() for number in numbers}
    return Copy(first.game, games.deal(first.game, first.code), sheets, tuple(notes(answer, circled)))


# ---- one filled-in sheet --------------------------------------------------------------------------------------------


def _written(answer: Judged, copied: Copied) -> Iterator[tuple[str, Writing]]:
    """The writing on each sheet of paper; a log longer than its sheet continues on the next one."""
    filled = copied.filled
    marks = {**{name: _mark(filled, name) for name in filled.marks}, **copied.strokes.marks}
    places = paper_sheets(filled, copied.marks)
    sums = {name: number_text(points) for name, points in copied.sums.items() if name not in filled.marks}
    rings = _rings(answer, copied)
    for sheet in range(places.count):
        yield (
            filled.sheet.name,
            Writing(
                places.on(sheet, marks),
                places.on(sheet, sums),
                places.on(sheet, _slots(rings, places)),
                copied.strokes.lines,
                copied.strokes.outlines,
                copied.strokes.crossed,
            ),
        )


def _mark(filled: FilledSheet, name: str) -> str:
    """A mark as a pencil writes it: a cross for a tick, and a card by its letter."""
    value = filled.marks[name]
    if value is True:
        return "x"
    if isinstance(value, int):
        return number_text(value)
    card = filled.cards.get(value) if _kind(filled, name) == "card" else None
    return str(card.values.get("letter") or value) if card else value


def _kind(filled: FilledSheet, name: str) -> str | None:
    fields: Mapping[str, FieldFile] = filled.sheet.definition.fields
    spec = None
    for part in (part for part in name.split(".") if not part.isdigit()):
        spec = fields.get(part)
        fields = (spec.fields if spec else None) or {}
    return spec.kind if spec else None


def _rings(answer: Judged, copied: Copied) -> dict[str, list[int]]:
    """The ids to circle on this sheet, with the numbers of their problems."""
    rings: dict[str, list[int]] = {}
    for ring, finding in enumerate(answer.verdict.findings, 1):
        if finding.place.file == copied.filled.place.file or len(answer.copied) == 1:
            for name in dict.fromkeys(finding.where):
                rings.setdefault(name, []).append(ring)
    return rings


def _slots(rings: Mapping[str, Sequence[int]], places: PaperSheets) -> dict[str, tuple[int, ...]]:
    """The same by the ids of slots on the paper."""
    by_slot: dict[str, dict[int, None]] = {}
    for name, numbers in rings.items():
        slot = places.nearest(name)
        if slot:
            by_slot.setdefault(slot, {}).update(dict.fromkeys(numbers))
    return {name: tuple(sorted(numbers)) for name, numbers in by_slot.items()}


# ---- letters --------------------------------------------------------------------------------------------------------


def _refuse_missing_letters(copier: Copier, answers: Sequence[Judged], copies: Sequence[Copy]) -> None:
    """Raises InputError with every mark and sentence that has letters no font has."""
    problems = [*_unwritable_marks(copier, answers)]
    if not problems:
        texts = chain.from_iterable(_texts(copy.notes) for copy in copies)
        problems = [problem for text in texts if (problem := _unwritable(copier, text, None))]
    if problems:
        raise InputError(dict.fromkeys(problems))


def _unwritable_marks(copier: Copier, answers: Sequence[Judged]) -> Iterator[Problem]:
    for copied in chain.from_iterable(answer.copied for answer in answers):
        for name in copied.filled.marks:
            problem = _unwritable(copier, _mark(copied.filled, name), copied.filled.place_of(name))
            if problem:
                yield problem


def _unwritable(copier: Copier, text: str, place: Place | None) -> Problem | None:
    missing = [letter for letter in copier.missing(text) if letter not in ICONS or place]
    if not missing:
        return None
    letters = " ".join(dict.fromkeys(missing))
    if copier.hand:
        return Problem(
            f"neither the bundled fonts nor {copier.hand} can write {letters}",
            place,
            "name another TrueType font with --font",
        )
    return Problem(f"the bundled fonts cannot write {letters}", place, "name a TrueType font that can: --font FILE.ttf")


def _texts(lines: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for line in lines:
        yield line.get("text", "")
        yield line.get("head", "")
        yield from (text for text, _ in line.get("cells", ()))
