"""Scored copies: filled-in score sheets with sums, rings and notes, as one PDF or for a web page."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import chain, groupby, zip_longest
from math import ceil
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace
from pypdf import PdfWriter

from .. import games, paths, pdf
from ..draws import Deck
from ..errors import InputError, Place, Problem, refuse
from ..geometry.frame import Frame, Page, scaled
from ..layout.handwriting import Writing, write_on
from ..model.game import FieldFile, FontFile, Game, Style, Theme
from ..model.values import Colour
from ..pages import nup
from ..reading.sizes import Paper
from ..rules.results import Cell, Copied, Drawing, Judged, Result, Score, cut, number_text, ordinal
from ..rules.text import counted, sentence, shared_labels, winners
from ..sheets import FilledSheet
from ..text import fonts
from ..text.lines import POINT
from .press import Press, laid_out_for

PENCIL, LINE, JUDGE = "#3a4a6b", "#a9b4cc", "#17764b"
"""The colours of the players' marks, of their lines, and of the judge's sums."""
MIN_TYPE_SIZE = 0.05 * POINT
"""At this size, 200 letters fit into every slot; the notes repeat marks that are too small to read."""
ICONS = {"▼": "lower", "▲": "higher", "★": "star"}
Line = Mapping[str, Any]


class Copy(Struct, frozen=True):
    """The scored copy of one answer: the writing on each sheet, with the name of its score sheet, and the `notes`, line
    by line (`kind`, `text`, and what the kind needs: see scored_notes.xml.j2)."""

    game: Game
    deck: Deck
    sheets: tuple[tuple[str, Writing], ...]
    notes: tuple[Line, ...] = ()


class Copier(Struct):
    """Makes scored copies on one paper. `hand` is a user's own font for letters that the bundled fonts do not have."""

    paper: Paper
    hand: Path | None = None
    presses: dict[tuple[Path, str | None], Press] = field(default_factory=dict)
    blanks: dict[tuple[Path, str | None, str], list[Frame]] = field(default_factory=dict)

    def copies(self, answers: Sequence[Judged]) -> list[Copy]:
        """The scored copies of answers. Raises InputError with every mark and sentence that has letters no font has."""
        copies = list(map(copy, answers))
        problems = [
            problem
            for copied in chain.from_iterable(answer.copied for answer in answers)
            for name in copied.filled.marks
            if (problem := self._unwritable(_mark(copied.filled, name), copied.filled.place_of(name)))
        ]
        if not problems:
            texts = chain.from_iterable(_texts(copy.notes) for copy in copies)
            problems = [problem for text in texts if (problem := self._unwritable(text))]
        refuse(problems)
        return copies

    def _unwritable(self, text: str, place: Place | None = None) -> Problem | None:
        """The problem that none of the fonts has some letters of a text. The icons in notes need no letters."""
        missing = fonts.load(self._files("Lato-BoldItalic")).missing(text)
        letters = " ".join(dict.fromkeys(letter for letter in missing if letter not in ICONS or place))
        if not letters:
            return None
        if self.hand:
            message = f"neither the bundled fonts nor {self.hand} can write {letters}"
            return Problem(message, place, "name another TrueType font with --font")
        hint = "name a TrueType font that can: --font FILE.ttf"
        return Problem(f"the bundled fonts cannot write {letters}", place, hint)

    def pdf(self, copies: Sequence[Copy]) -> bytes:
        """All copies as one PDF."""
        parts = [self._of_one_game(list(group)) for _, group in groupby(copies, lambda copy: copy.game.folder)]
        if len(parts) == 1:
            return parts[0]
        writer, stream = PdfWriter(), BytesIO()
        for part in parts:
            writer.append(BytesIO(part), import_outline=False)
        writer.write(stream)
        return stream.getvalue()

    def _files(self, name: str) -> tuple[FontFile, ...]:
        """A bundled font, completed by the user's own."""
        files = (paths.SHARED_DATA / "fonts" / f"{name}.ttf", self.hand)
        return tuple(FontFile(file) for file in files if file)

    def _of_one_game(self, copies: list[Copy]) -> bytes:
        pages = [page for copy in copies for page in self.pages(copy)]
        game = copies[0].game
        info = pdf.Info(
            title=f"{game.title} - scored", subject="A scored copy of what was filled in", keywords=(game.key, "scored")
        )
        return pdf.write(pages, self._press(copies[0]).theme, info=info)

    def pages(self, copy: Copy) -> list[Page]:
        """The pages of one copy. Sheets that fill half a page are put side by side, or one above the other, and the
        notes beside the last. A landscape sheet that fills a page is in full size, before the notes; any other is
        scaled down, so that the notes are beside it, and its other pages follow in full size, unless one of them fills
        a half that the notes leave empty."""
        press = self._press(copy)
        frames = [frame for frame, _ in self.sheets(copy)]
        part = press.part(copy.sheets[0][0])
        own, is_whole = press.paper_of(part, self.paper), part.definition.up == 1
        half = replace(self.paper, width=self.paper.height / 2, height=self.paper.width)
        half = half if is_whole or own is self.paper else own
        grown = max(1.0, _NOTES_WIDTH / half.width)
        roomy = replace(half, width=half.width * grown, height=half.height * grown)
        notes = [_fitted(frame, half) for frame in self._notes(press, roomy, copy.notes)]
        if own is not self.paper and is_whole:
            whole = nup.sheet_pages([_fitted(frame, own) for frame in frames], self.paper)
            return [*whole, *nup.halves_pages(notes, self.paper)]
        if own is not self.paper:
            return nup.halves_pages([*(_fitted(frame, half) for frame in frames), *notes], self.paper)
        beside = [_fitted(frames.pop(0), half), *notes]
        if len(beside) % 2 and frames:
            beside.append(_fitted(frames.pop(0), half))
        rest = [_fitted(frame, self.paper) for frame in frames]
        return [*nup.halves_pages(beside, self.paper), *nup.sheet_pages(rest, self.paper)]

    def sheets(self, copy: Copy) -> Iterator[tuple[Frame, Writing]]:
        """Every page with writing on it, together with that writing."""
        theme = self._press(copy).theme
        for name, writing in copy.sheets:
            names = {text: match[1] for key, text in writing.marks.items() if (match := _NAME_FIELD.fullmatch(key))}
            first, *others = self._blank(copy, name)
            used = writing.marks.keys() | writing.rings.keys()
            for frame in [first, *(each for each in others if any(slot.id in used for slot in each.slots()))]:
                # Players have numbers where the paper has room for a single digit or a ring instead of a name.
                numbers = {
                    slot.id: names[text]
                    for slot in frame.slots()
                    if (text := writing.marks.get(slot.id, "")) in names and (slot.letters == 1 or slot.marks)
                }
                shown = replace(writing, marks={**writing.marks, **numbers}) if numbers else writing
                yield write_on(frame, theme, shown), shown

    def theme(self, copy: Copy) -> Theme:
        """The theme of a copy's game, with the fonts and styles of marks and notes."""
        return self._press(copy).theme

    def _press(self, copy: Copy) -> Press:
        key = copy.game.folder, copy.deck.code
        if key not in self.presses:
            game = replace(copy.game, theme=self._theme(copy.game.theme))
            self.presses[key] = Press(game, copy.deck)
        return self.presses[key]

    def _blank(self, copy: Copy, name: str) -> list[Frame]:
        """The sheet as it is printed; laid out once for all copies."""
        key = copy.game.folder, copy.deck.code, name
        if key not in self.blanks:
            press = self._press(copy)
            part = press.part(name)
            drawn_for = laid_out_for(press, part, self.paper)
            self.blanks[key] = press.sheet(part, press.paper_of(part, drawn_for))
        return self.blanks[key]

    def _theme(self, theme: Theme) -> Theme:
        """The game's theme with the fonts and styles of marks and notes."""
        names = {
            "hand": "Lato-BoldItalic",
            "note": "Lato-Regular",
            "note-head": "Lato-Bold",
            "note-black": "Lato-Black",
        }
        return replace(
            theme,
            fonts={**theme.fonts, **{font: self._files(name) for font, name in names.items()}},
            styles={**theme.styles, **_STYLES},
            colours={**theme.colours, "stroke": LINE},
        )

    def _notes(self, press: Press, paper: Paper, lines: Sequence[Line]) -> Iterator[Frame]:
        """The notes, on as many pages as they need."""
        remaining = [self._line(line) for line in lines]
        while remaining:
            frame, count = self._page(press, paper, remaining)
            yield frame
            remaining = remaining[count:]

    def _page(self, press: Press, paper: Paper, lines: Sequence[Line]) -> tuple[Frame, int]:
        """A page with as many of the lines as fit, and their number, found by bisection."""
        fits, fails, page = 0, min(len(lines), _MAX_LINES) + 1, None
        while fails - fits > 1:
            middle = (fits + fails) // 2 if page or fails <= len(lines) else fails - 1
            try:
                page = press.picture("scored_notes", (paper.width, paper.height), lines[:middle])
                fits = middle
            except InputError:
                if middle == 1:
                    raise
                fails = middle
        assert page
        return page, fits

    def _line(self, line: Line) -> Line:
        """The line with its texts as pieces: words and icons."""
        result = {**line, "pieces": self._pieces(line.get("text", ""))}
        if "head" in line:
            result["head"] = {"pieces": self._pieces(line["head"])}
        if "cells" in line:
            result["cells"] = [{"align": align, "pieces": self._pieces(text)} for text, align in line["cells"]]
        return result

    def _pieces(self, text: str) -> list[Mapping[str, str]]:
        """The text as pieces, with words that are too long for a line broken."""
        text = " ".join(map(self._broken, text.split(" ")))
        parts = re.split(f"([{''.join(ICONS)}])", text)
        return [{"icon": ICONS.get(part, ""), "text": part} for part in parts if part]

    def _broken(self, word: str) -> str:
        """A word, cut into pieces if it is too long for a line of notes."""
        parts = ceil(fonts.width(word, fonts.load(self._files("Lato-BoldItalic")), _MAX_TYPE_SIZE) / _LINE)
        length = ceil(len(word) / parts) if parts > 1 else len(word)
        return " ".join(word[start : start + length] for start in range(0, len(word), length)) if parts > 1 else word


def _fitted(frame: Frame, paper: Paper) -> Frame:
    """The frame, scaled down to this paper."""
    return scaled(frame, min(1.0, paper.width / frame.width, paper.height / frame.height))


_NAME_FIELD = re.compile(r"players\.(\d+)(?:\.name)?")
# The least width for notes, in mm: half of A5. On smaller paper, they are scaled down.
_NOTES_WIDTH = 105.0
_MAX_TYPE_SIZE, _LINE = 10 * POINT, 95.0  # the largest letters of running notes and the shortest line for them, in mm
_MAX_LINES = 120  # the maximum number of lines of notes tried on one page


def _style(font: str, size: float, colour: str, **more: Any) -> Style:
    return Style(font=font, size=size * POINT, floor=more.pop("floor", size * POINT), colour=Colour(colour), **more)


_STYLES = {
    "mark": _style("hand", 15, PENCIL, floor=MIN_TYPE_SIZE, align="center", leading=1.0),
    "sum": _style("hand", 15, JUDGE, floor=MIN_TYPE_SIZE, align="center", leading=1.0),
    "note-title": _style("note-head", 10, "quiet", leading=1.2),
    "note-winner": _style("note-black", 21, "accent", leading=1.15, floor=6 * POINT),
    "note-standing": _style("note-head", 13, "ink", leading=1.2, floor=6 * POINT),
    "note-total": _style("note-black", 17, "ink", leading=1.0, align="right", floor=6 * POINT),
    "note-heading": _style("note-head", 11, "ink", leading=1.3),
    "note": _style("note", 10, "ink"),
    "cell": _style("note", 10, "ink", floor=MIN_TYPE_SIZE),
    "cell-heavy": _style("note-head", 10, "ink", floor=MIN_TYPE_SIZE),
    "cell-small": _style("note", 8, "quiet", floor=MIN_TYPE_SIZE),
    "note-small": _style("note", 8, "quiet"),
    "note-number": _style("note-head", 8, "#ffffff", align="center", leading=1.0, floor=4 * POINT),
}


# ---- what is written on the sheets


def copy(answer: Judged) -> Copy:
    """The sheets of an answer with what is written on them, and the notes on the last page."""
    first = answer.copied[0].filled
    on_paper = [paper_sheets(copied.filled, copied.marks) for copied in answer.copied]
    pairs = zip(answer.copied, on_paper, strict=True)
    sheets = tuple(chain.from_iterable(_written(answer, copied, places) for copied, places in pairs))
    continuations = chain.from_iterable(places.continuations() for places in on_paper)
    circled = {number for _, writing in sheets for numbers in writing.rings.values() for number in numbers}
    return Copy(first.game, games.deal(first.game, first.code), sheets, tuple(notes(answer, circled, continuations)))


def _written(answer: Judged, copied: Copied, places: PaperSheets) -> Iterator[tuple[str, Writing]]:
    """The writing on each sheet of paper; a log longer than its sheet continues on the next one."""
    filled = copied.filled
    marks = {**{name: _mark(filled, name) for name in filled.marks}, **copied.strokes.marks}
    sums = {name: number_text(points) for name, points in copied.sums.items() if name not in filled.marks}
    rings: dict[str, set[int]] = {}  # the numbers of problems by the slots to circle
    for ring, finding in enumerate(answer.verdict.findings, 1):
        if finding.place.file == filled.place.file or len(answer.copied) == 1:
            for slot in filter(None, map(places.nearest, finding.where)):
                rings.setdefault(slot, set()).add(ring)
    for sheet in range(places.count):
        yield (
            filled.sheet.name,
            Writing(
                places.on(sheet, marks),
                places.on(sheet, sums),
                places.on(sheet, {slot: tuple(sorted(numbers)) for slot, numbers in rings.items()}),
                copied.strokes.lines,
                outlines=copied.strokes.outlines,
                crossed=copied.strokes.crossed,
            ),
        )


def _mark(filled: FilledSheet, name: str) -> str:
    """A mark as a pencil writes it: a card by its letter, a number with a proper minus sign."""
    value, spec = filled.marks[name], filled.spec(name)
    if isinstance(value, int) and value is not True:
        return number_text(value)
    card = filled.cards.get(str(value)) if spec and spec.kind == "card" else None
    return str(card.values.get("letter") or value) if card else filled.written(name)


def _texts(lines: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for line in lines:
        yield line.get("text", "")
        yield line.get("head", "")
        yield from (text for text, _ in line.get("cells", ()))


# ---- on which sheet of paper a mark belongs: a log that is longer than its sheet continues on the next one


T = TypeVar("T")
Key = tuple[tuple[str, int], ...]
"""For each repeated group around a mark, how many full sheets of that group come before it; the players, whose group
has no name here, are first."""


class PaperSheets(Struct, frozen=True):
    """The sheets of paper that a filled-in sheet needs: `keys` has one entry for each, in order, and `marks` the ids of
    all marks to write."""

    filled: FilledSheet
    marks: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()

    @property
    def count(self) -> int:
        return max(1, len(self.keys))

    def on(self, sheet: int, values: Mapping[str, T]) -> dict[str, T]:
        """The values that belong on one sheet, by the field ids of the paper. Names and codes are repeated on every
        sheet; other single fields are on the first one; groups that do not repeat, and claims, on the last one."""
        placed: dict[str, T] = {}
        for name, value in values.items():
            paper, key = self.place(name)
            slot = self.slot(paper)
            if slot and sheet in self._sheets_of(slot, key):
                placed.setdefault(slot, value)
        return placed

    def place(self, name: str) -> tuple[str, Key | None]:
        """The field id on the paper, and the key of its sheet; None for fields outside repeated groups."""
        parts, key = name.split("."), list[tuple[str, int]]()
        fields: Mapping[str, FieldFile] = self.filled.sheet.definition.fields
        for place, part in enumerate(parts):
            spec = fields.get(part)
            if spec is None:
                continue
            fields, on_paper = spec.fields or {}, spec.repeat or spec.count or 0
            if on_paper and (spec.most or 0) > on_paper and place + 1 < len(parts) and parts[place + 1].isdigit():
                full_sheets, number = divmod(int(parts[place + 1]) - 1, on_paper)
                parts[place + 1] = str(number + 1)
                key.append(("" if spec.by or spec.count else part, full_sheets))
        return ".".join(parts), tuple(sorted(key, key=lambda pair: bool(pair[0]))) or None

    def slot(self, name: str) -> str | None:
        """The slot of a field id: its own, or the first one in a group."""
        return name if name in self.filled.sheet.fields else next(iter(self._inside(name)), None)

    def _inside(self, name: str) -> list[str]:
        return [field for field in self.filled.sheet.fields if field.startswith(f"{name}.")] if name else []

    def nearest(self, name: str) -> str | None:
        """The field id with a slot that is nearest to the id of a problem: its own, the first one inside it (of tick
        boxes the first ticked one), or the innermost group around it. None for what is not on the paper."""
        filled = self.filled
        paper = self.place(name)[0]
        if name.partition(".")[0] in filled.extra and name not in self.marks and not self.slot(paper):
            return None
        inside = self._inside(paper)
        if inside and all(filled.sheet.fields[field].kind == "tick" for field in inside):
            return next((mark for mark in self.marks if mark.startswith(f"{name}.")), inside[0])
        while name and not self.slot(self.place(name)[0]):
            name = name.rpartition(".")[0]
        return name or None

    def continuations(self) -> list[str]:
        """A sentence for each sheet after the first, saying where it continues."""
        sentences = []
        for sheet, key in enumerate(self.keys[1:], 2):
            first = next((name for name in self.marks if self.place(name)[1] == key), "")
            group, *rest = first.split(".")
            label = self.filled.sheet.definition.fields[group].label.lower() or group
            full_sheets = [count for name, count in key if name]
            number = sum(full_sheets) * (self.filled.sheet.definition.fields[group].repeat or 1) + 1
            if rest and len(full_sheets) == 1 and number > 1:
                sentences.append(f"Sheet {sheet} continues with {label} {number}.")
        return sentences

    def _sheets_of(self, slot: str, key: Key | None) -> Collection[int]:
        group, *rest = slot.split(".")
        if key is not None:
            sheets = [number for number, each in enumerate(self.keys) if {*key} <= {*each}]
            return sheets if self.filled.sheet.fields[slot].kind == "text" and not rest[1:] else sheets[-1:]
        if self.filled.sheet.definition.fields[group].fields is not None or "claimed" in rest:
            return (self.count - 1,)
        return range(self.count) if self.filled.sheet.fields[slot].kind in ("text", "code") else (0,)


def paper_sheets(filled: FilledSheet, marks: Iterable[str]) -> PaperSheets:
    """The sheets of paper that these marks of a filled-in sheet need."""
    sheets = PaperSheets(filled, tuple(marks))
    places = map(sheets.place, sheets.marks)
    keys = {key for paper, key in places if key is not None and sheets.slot(paper)}
    return replace(sheets, keys=tuple(sorted(key for key in keys if not any({*key} < {*other} for other in keys))))


# ---- the notes: the score, the problems by the numbers of their circles, and the winner


_NAME = 18
_PLAYERS = 6
_HEAVY = "cell-heavy"
_WIDE = 64
_READABLE = 60  # the longest mark, in letters, that is legible in its place


def notes(answer: Judged, circled: Collection[int], continuations: Iterable[str]) -> Iterator[Line]:
    """The lines, each with its kind and texts. Problems that are not `circled` on the sheets are drawn here.
    `continuations` say where sheets of paper continue."""
    yield {"kind": "title", "text": answer.title}
    if headline := winners(answer):
        yield {"kind": "winner", "text": headline}
    if answer.result and any(score.lines for score in answer.result.scores):
        result = answer.result
        for score, rank in sorted(zip(result.scores, result.ranks, strict=True), key=lambda pair: pair[1]):
            yield {
                "kind": "standing",
                "head": ordinal(rank) if result.over and len(result.scores) > 1 else "",
                "text": cut(score.player, _NAME),
                "total": number_text(score.total),
                "wins": score.player in result.winners,
            }
        yield _space(3)
        yield from _table(answer.result)
        yield from _parts(answer.result)
    yield _space(4)
    yield {"kind": "heading", "text": counted(answer.verdict)}
    yield from _findings(answer, circled)
    yield from ({"kind": "small", "text": text} for text in continuations)
    typed = dict.fromkeys(name for copied in answer.copied for name in copied.beside)
    for filled in (copied.filled for copied in answer.copied):
        for name in filled.marks:
            if len(text := filled.text(name)) > _READABLE:
                yield {"kind": "small", "text": f"Too long for its place, {name}: {text}"}
    if typed:
        yield _space(1.5)
        yield {"kind": "small", "text": f"In the file, but not on this paper: {', '.join(typed)}."}


def _space(height: float) -> Line:
    return {"kind": "space", "height": height}


def _findings(answer: Judged, circled: Collection[int]) -> Iterator[Line]:
    for place, finding in enumerate(answer.verdict.findings, 1):
        facts = [finding.severity, finding.rule, cut(finding.player or "", 24)]
        yield {
            "kind": "finding",
            "number": place,
            "head": " · ".join(filter(None, facts)),
            "text": sentence(finding.message),
        }
        for drawing in answer.drawings[place - 1] if place not in circled and answer.drawings else ():
            yield from _drawing(drawing)


def _drawing(drawing: Drawing) -> Iterator[Line]:
    """A drawing as rows of a table, with the problem in brackets."""
    rows = [list(drawing.head), *([_words(cell) for cell in row] for row in drawing.rows)]
    rows = [row for row in rows if any(row)]
    widths = [max(2, *map(len, column)) for column in zip(*rows, strict=True)]
    tracks = f"5.4 {' '.join(f'{width}fr' for width in widths)} {max(1, _WIDE - sum(widths))}fr"
    for row in rows:
        cells = [("", "left"), *((words, "left") for words in row), ("", "left")]
        yield {"kind": "row", "tracks": tracks, "style": "cell-small", "cells": cells}


def _words(cell: Cell) -> str:
    return " ".join(f"[{piece.text}]" if piece.marked else piece.text for piece in cell)


# ---- the score ------------------------------------------------------------------------------------------------------


def _table(result: Result) -> Iterator[Line]:
    for start in range(0, len(result.scores), _PLAYERS):
        players = result.scores[start : start + _PLAYERS]
        labels = shared_labels(players)
        yield from _lists(players) if labels is None else _one_table(labels, players)


def _one_table(labels: list[str], players: Sequence[Score]) -> Iterator[Line]:
    tracks = f"40 {'3fr ' * len(players)}{3 * (_PLAYERS - len(players)) + 1}fr"

    def row(label: str, cells: list[str], style: str = "cell") -> Line:
        return {
            "kind": "row",
            "tracks": tracks,
            "style": style,
            "cells": [(label, "left"), *((cell, "right") for cell in cells), ("", "left")],
        }

    yield row("", [cut(score.player, _NAME) for score in players], style=_HEAVY)
    points = [{line.label: number_text(line.points) for line in score.lines} for score in players]
    yield from (row(label, [cells.get(label, "") for cells in points]) for label in labels)
    yield row("total", [number_text(score.total) for score in players], style=_HEAVY)


def _lists(players: Sequence[Score]) -> Iterator[Line]:
    """Players with different score lines, side by side."""
    tracks = f"{'5fr 2fr 2fr ' * len(players)}{9 * max(0, 4 - len(players)) + 1}fr"

    def row(pairs: list[tuple[str, str]], style: str = "cell") -> Line:
        cells = [cell for label, points in pairs for cell in ((label, "left"), (points, "right"), ("", "left"))]
        return {"kind": "row", "tracks": tracks, "style": style, "cells": [*cells, ("", "left")]}

    yield row([(cut(score.player, _NAME), "") for score in players], style=_HEAVY)
    lines = ([(line.label, number_text(line.points)) for line in score.lines] for score in players)
    yield from (row(list(pairs)) for pairs in zip_longest(*lines, fillvalue=("", "")))
    yield row([("total", number_text(score.total)) for score in players], style=_HEAVY)


def _parts(result: Result) -> Iterator[Line]:
    """How the points were scored, with `--explain`."""
    for score in result.scores:
        if any(line.parts for line in score.lines):
            yield _space(2)
            yield {"kind": "heading", "text": score.player}
        for line in score.lines:
            for place, part in enumerate(line.parts):
                yield {
                    "kind": "part",
                    "left": 30,
                    "head": "" if place else line.label,
                    "text": f"{part.text} = {number_text(part.points)}",
                }
