"""The press: a component of a game → pages → PDF. Imports that only some components need are inside functions.

Card, ScoreSheet ── faces.build ──▶ Face ── layout.place ──▶ Frame ── layout.impose ──▶ Page ── pdf.write ──▶ PDF
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, pairwise, product
from math import ceil
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .. import paths, pdf
from ..errors import InputError, Place, Problem, fault, note, refuse
from ..files import Writable
from ..geometry.frame import Frame, Page, scaled
from ..geometry.outlines import IDENTITY, Matrix
from ..layout.flaws import as_found, noted
from ..model.game import Component, Field, FieldFile, ScoreSheet
from ..pages import nup, packing, tiles
from ..pages.field_map import corner_codes, layout_id, map_fields, marks_of
from ..reading.sizes import Paper, is_small, paper, usual_margin, usual_papers
from ..spelling import joined
from . import pieces
from .game_faces import GameFaces, Sides, cut_of, no_step
from .variants import SCALE, card_scale, drawn_for, enlarges, filling, large_theme, whole_paper

BLOCK = 50
"""Sheets. What recurs in a block of sheets may be written once for the document; copies of a process print whole
blocks."""
CARDS_PER_PROCESS = 1000
_FLEXIBLE = ("deck", "booklet")  # kinds that adapt to paper: fewer cards on a page, scaled pages
MIN_BOARD_SCALE = 0.75
"""A board may be scaled down to this share of its size to fit on one page."""


class Printed(Struct):
    """A finished PDF, the number of its pages, the duplex mode it is made for (None: one-sided), and the printer for
    which its backs are corrected (“” for any)."""

    document: bytes | pdf.PdfFile
    pages: int
    duplex: str | None
    printer: str = ""

    @property
    def pdf(self) -> bytes:
        """The bytes of the PDF."""
        return self.document if isinstance(self.document, bytes) else self.document.content()

    def write_to(self, stream: Writable) -> None:
        """Writes the PDF: a large one is never in memory as a whole."""
        if isinstance(self.document, bytes):
            stream.write(self.document)
        else:
            self.document.write_to(stream)

    def __reduce__(self) -> tuple[type[Printed], tuple[Any, ...]]:
        """For worker processes, which return the bytes."""
        return Printed, (self.pdf, self.pages, self.duplex, self.printer)


def needs_set(part: Component) -> bool:
    """Whether a component shows nothing without a random set."""
    return part.kind in ("page", "deck", "dice") and not part.cards


class Press(GameFaces):
    """Prints one game with one deck."""

    @cached_property
    def _blank_sheets(self) -> dict[tuple[str, Paper, bool], list[Frame]]:
        return {}

    @cached_property
    def _sheet_papers(self) -> dict[tuple[str, Paper], Paper]:
        return {}

    def component(self, name: str, paper: Paper) -> Printed:
        """One component as a PDF. Raises InputError with every problem of its faces."""
        part = self.part(name)
        if needs_set(part):
            raise fault(
                f"“{part.name}” of {self.game.title} needs a random set", hint="add --random to draw one, or --set CODE"
            )
        printer, mode = self.settings.printer, self._duplex(part)
        backs = correction_of_backs(printer, paper, mode)
        corrected = printer.name if backs else ""
        two_sided = {"none": None, "booklet": "short"}.get(mode, mode)
        document = self._document(part, paper, two_sided, backs)
        if part.kind == "deck" and part.definition.up == 1:
            self._print_deck(part, paper, mode, document, backs or IDENTITY)
            return Printed(document.finish(), len(document.pages), two_sided, corrected)
        if part.kind == "booklet":
            pages, bookmarks = self.book(part, paper)
        else:
            pages, bookmarks = self.pages(part, paper, mode), []
            if self.draft is not None:
                pages = [noted(page, self.theme, paper.margin) for page in pages]
        document.add(pdf.painted(page, document.painter, backs or IDENTITY) for page in pages)
        if bookmarks:
            document.add_bookmarks(bookmarks)
        return Printed(document.finish(), len(pages), two_sided, corrected)

    def _document(self, part: Component, paper: Paper, duplex: str | None, backs: Matrix | None) -> pdf.PdfDocument:
        """The document for the pages of a component."""
        info = self._info(part)
        if paper.margin != usual_margin(paper):
            info = replace(info, margin=paper.margin)
        if backs:
            info = replace(info, backs=backs)
        if self.settings.large_print and enlarges(self.game, part, paper):
            info = replace(info, large_print=True)
        return pdf.PdfDocument(pdf.Painter(self.theme, self.settings.max_dpi, self.draft), info, duplex)

    def pages(self, part: Component, paper: Paper, duplex: str = "none") -> list[Page]:
        """The pages of any component except a booklet."""
        if part.kind == "deck":
            return self.deck_pages(part, paper, duplex)
        if part.kind == "board":
            board = tiles.in_one_piece(self.board(part), paper, paper.margin, MIN_BOARD_SCALE)
            if self.settings.large_print:
                board = scaled(board, SCALE)
            return tiles.tiles(board, paper, part.definition.overlap, paper.margin)
        if part.kind in ("sheet", "page"):
            return self.sheet_pages(part, paper)
        try:
            return packing.net_pages(
                pieces.net_pieces(self, part), paper, max(paper.margin, pieces.NET_MARGIN), pieces.NET_GAP
            )
        except InputError as error:
            raise error.at(part.definition.place) from None

    def _duplex(self, part: Component) -> str:
        """The double-sided mode of a component; only decks and folded booklets have backs."""
        if part.kind == "booklet" and self.settings.folded and not self.settings.large_print:
            return "booklet"
        if part.kind != "deck" or not part.definition.back or part.definition.up == 2:
            return "none"
        return self.settings.duplex or part.definition.duplex or "long"

    # ---- decks

    def deck_pages(self, part: Component, paper: Paper, duplex: str) -> list[Page]:
        """The pages of a deck and of the decks printed with it, with fronts and backs imposed for `duplex`. Raises
        InputError with the problems of all fronts or all backs."""
        if part.definition.up == 2:
            return nup.halves_pages(list(self.front_sides(*self._together(part))), paper)
        return list(self._imposed(part, paper, duplex)[0].sheets())

    def _together(self, part: Component) -> list[Component]:
        """A deck, and the decks that are printed with it."""
        return [part, *map(self.part, part.definition.with_)]

    def _imposed(self, part: Component, paper: Paper, duplex: str) -> tuple[nup.DeckPages, list[Sides]]:
        """The pages of a deck, made one by one, and what draws their fronts and backs."""
        about, decks = part.definition, self._together(part)
        scale = card_scale(self.game, part, paper) if self.settings.large_print else 1.0
        fronts = self.front_sides(*decks, scale=scale)
        backs = self.back_sides(*(decks if about.back and duplex != "none" else ()), scale=scale)
        settings = replace(self.settings, duplex=duplex if about.back else "none")
        return nup.DeckPages(fronts, backs, paper, settings, gutter=about.gutter), [fronts, backs]

    def _print_deck(self, part: Component, paper: Paper, mode: str, document: pdf.PdfDocument, backs: Matrix) -> None:
        """Adds the pages of a deck to a document. The first process prints its first sheets, copies of it the others.
        The bytes are the same for any number of processes: nothing that is remembered changes them except what recurs
        in a block of sheets."""
        pages, sides = self._imposed(part, paper, mode)
        painter, cards = document.painter, self.count(part)
        blocks = ceil(cards / (pages.cards * BLOCK))
        processes, most = 1, min(cards // CARDS_PER_PROCESS, blocks)
        if most > 1 and self.draft is None:
            from ..workers import CAN_COPY, copies, cores  # loads multiprocessing: 20 ms

            processes = min(self.processes or cores(), most) if CAN_COPY else 1
        starts = [blocks * number // processes for number in range(processes + 1)]

        def painted(count: int) -> Iterator[pdf.PaintedPage]:
            for page in chain.from_iterable(_block(pages, sides, painter) for _ in range(count)):
                shown = page if self.draft is None else noted(page, self.theme, paper.margin)
                yield pdf.painted(shown, painter, backs)

        def in_copy(start: int, end: int) -> tuple[list[pdf.PaintedPage], pdf.Shared, frozenset[Path]]:
            self.step = no_step  # what shows the progress may wait for a thread that the copy does not have
            pages.skip(start * BLOCK)
            return list(painted(end - start)), painter.shared(), self.files

        if processes == 1:
            document.add(painted(blocks))
            return
        ranges = list(pairwise(starts))[1:]
        with copies([partial(in_copy, *each) for each in ranges]) as results:
            document.add(painted(starts[1]))
            for result, (start, end) in zip(results, ranges, strict=True):
                done = result()
                if done is None:  # with a problem, which is found again, or lost
                    document.add(painted(end - start))
                    continue
                document.add(done[0], done[1])
                self.files_elsewhere |= done[2]
                pages.skip((end - start) * BLOCK)

    def sheet_pages(self, part: Component, paper: Paper) -> list[Page]:
        """The pages of a score sheet, or of a component of kind `page`."""
        if self.settings.large_print and part.definition.large:
            return nup.sheet_pages(self._fronts(part, whole_paper(part, paper), large=True), paper)
        own = self.paper_of(part, paper)
        enlarged = self.settings.large_print and enlarges(self.game, part, paper)
        if enlarged and (part.definition.up == 1 or own is not paper):
            return nup.sheet_pages(filling(self._fronts(part, drawn_for(part, paper)), paper), paper)
        frames = self._fronts(part, own)
        if part.definition.up == 1 or own is paper:
            return nup.sheet_pages(frames, paper)
        if part.kind == "page":
            return nup.halves_pages(frames, paper, nup.FOLD_TICK)
        twice = 1 if self.settings.copies else 2  # the same page in both halves
        return nup.halves_pages([frame for frame in frames for _ in range(twice)], paper)

    def _fronts(self, part: Component, paper: Paper, large: bool = False) -> list[Frame]:
        """All faces of a component of kind `page` for each of its cards, or a score sheet; with `copies`, a pad of
        them without pages of proof, whose sheets have numbers in their corner codes."""
        if part.kind == "page":
            return self.whole_frames(part, paper)
        copies = self.settings.copies
        sheets = self.sheets(part, paper, range(1, copies + 1) if copies else (0,), large)
        in_pad = len(part.definition.face) if copies and not large else None
        return [frame for frames in sheets for frame in frames[:in_pad]]

    def paper_of(self, part: Component, paper: Paper) -> Paper:
        """The paper that a score sheet or a page fills: `sheet_paper`, or all of a paper smaller than A4 and Letter if
        half of it is too small and all of it is not."""
        half = sheet_paper(part, paper)
        if half is paper or not is_small(paper) or self.draft is not None:
            return half
        key = part.name, paper
        if key not in self._sheet_papers:
            self._sheet_papers[key] = half if self._fits(part, half) or not self._fits(part, paper) else paper
        return self._sheet_papers[key]

    def _fits(self, part: Component, own: Paper) -> bool:
        """Whether a score sheet or a page can be laid out on the paper that it fills."""
        try:
            _ = self.blank_corners(part, own) if part.kind == "sheet" else self.whole_frames(part, own)
        except InputError:
            return False
        return True

    def whole_frames(self, part: Component, paper: Paper) -> list[Frame]:
        """The faces of a component of kind `page`, each as large as `paper` (`paper_of` the paper it is cut from)."""
        templates = part.definition.face
        frames = []
        for card, template in product(part.cards, templates):
            face = self.face(
                part,
                template,
                (paper.width, paper.height),
                part.definition.margin,
                of=f"{part.name} {card.id}",
                card=card,
                paper_width=paper.width,
                paper_height=paper.height,
            )
            self.step()
            frames.append(self.placed(face, check="margin"))
        return frames

    def sheet(self, part: Component, paper: Paper) -> list[Frame]:
        """A score sheet as it is printed, with the corner codes that a photo reader needs. Each page is as large as
        `paper` (`paper_of` the paper it is cut from)."""
        return next(self.sheets(part, paper, (0,)))

    def sheets(
        self, part: Component, paper: Paper, serials: Iterable[int], large: bool = False
    ) -> Iterator[list[Frame]]:
        """A score sheet for each serial number, which goes into its corner codes. Everything else is drawn only
        once."""
        assert part.sheet

        frames = self.blank_corners(part, paper, large)
        if self.draft is not None:  # drafts are not filled in, so they need no corner codes
            yield from (frames for _ in serials)
            return
        number = layout_id(map_fields(frames, part.sheet, paper, self.game))
        for serial in serials:
            self.step()
            yield [
                replace(
                    frame, items=(*frame.items, *corner_codes(frame.width, frame.height, number, serial, page=page))
                )
                for page, frame in enumerate(frames, start=1)
            ]

    def blank_corners(self, part: Component, paper: Paper, large: bool = False) -> list[Frame]:
        """The score sheet without its corner codes, which depend on its content; `large` chooses its templates for
        large print. It is laid out once for each paper. Raises InputError unless its slots are exactly the fields of
        its definition."""
        if self.draft is not None:
            return self._laid_out(part, paper, large)
        key = part.name, paper, large
        if key not in self._blank_sheets:
            self._blank_sheets[key] = self._laid_out(part, paper, large)
        return self._blank_sheets[key]

    def _laid_out(self, part: Component, paper: Paper, large: bool) -> list[Frame]:
        assert part.sheet
        templates = part.definition.large if large else part.definition.face + part.definition.proof
        frames = [
            self._sheet_frame(part, template, number, paper, large=large)
            for number, template in enumerate(templates, start=1)
        ]
        # The paper and the judge must agree: each field has exactly one slot, and each slot a field.
        sheet = part.sheet
        placed = [slot for frame in frames for slot in frame.slots()]
        slots = [slot.id for slot in placed]
        marked = [slot.id for slot in placed if slot.marks and not _takes(sheet.fields.get(slot.id), slot.marks)]
        missing = [name for name in sheet.fields if name not in set(slots)]
        unknown = [name for name in slots if name not in sheet.fields]
        repeated = sorted({name for name in slots if slots.count(name) > 1}) if len(set(slots)) < len(slots) else []
        messages = [
            *_slot_list("has no slot for the field", missing),
            *_slot_list("has a slot without a field", unknown),
            *_slot_list("has two slots for the field", repeated),
            *_slot_list("has marks in its slot that differ from those of the field", marked),
        ]
        problems = [Problem(f"sheet “{sheet.name}” {message}", sheet.definition.place) for message in messages]
        if self.draft is None:
            refuse(problems)
        else:
            self.draft.add(problems)
        return frames

    def _sheet_frame(self, part: Component, template: str, number: int, paper: Paper, *, large: bool) -> Frame:
        assert part.sheet
        own = self.game.folder / "templates" / f"{template}.xml.j2"
        located = partial(_in_own_file, sheet=part.sheet, template=own)
        if self.draft is not None:
            self.draft.located = located
        try:
            face = self.face(
                part,
                template,
                (paper.width, paper.height),
                part.definition.margin,
                of=f"{part.name} page {number}",
                sheet=part.sheet.definition,
                fields=part.sheet.fields,
                colours=self.theme.colours,
                icons=frozenset(file.stem for file in (self.game.folder / "icons").glob("*.svg")),
                low_ink=self.settings.low_ink,
                large=large,
                page=number,
                paper_width=paper.width,
                paper_height=paper.height,
            )
            return self.placed(face, large_theme(self.theme) if large else None, check="margin")
        except InputError as error:
            raise InputError(map(located, error.problems)) from None
        finally:
            if self.draft is not None:
                self.draft.located = as_found

    def fillable(self, name: str, paper: Paper) -> Printed:
        """A score sheet as a PDF form with a field for each slot, named by its field id."""
        part = self.part(name)
        assert part.sheet
        from ..pdf.forms import write_fillable  # few sheets are forms

        half = self.paper_of(part, paper)
        frames = self.sheet(part, half)
        number = layout_id(map_fields(self.blank_corners(part, half), part.sheet, half, self.game))
        info = replace(self._info(part), game=self.game.key, sheet=name, layout=str(number))
        marks = {self.deck.field: self.deck.code} if self.deck.code and self.deck.field in part.sheet.fields else {}
        pages = nup.sheet_pages(frames, half)
        document = write_fillable(pages, self.theme, part.sheet.fields, info=info, marks=marks)
        return Printed(document, len(pages), None)

    # ---- booklets

    def rules_text(self, width: int) -> str:
        """The rules booklet of the game as plain text, in lines of at most `width` characters. Raises InputError if the
        game has none."""
        part = next((part for part in self.game.components.values() if part.kind == "booklet"), None)
        if part is None:
            raise fault(f"{self.game.title} has no rules booklet")
        from ..booklet import booklet  # loads mistune

        return booklet.text(self.templates, part, self._piece_drawer(part), self.book_context(part), width=width)

    def book_context(self, part: Component) -> dict[str, Any]:
        """The variables of the text of a booklet."""
        return {**self.context(part), "large": self.settings.large_print}

    def _piece_drawer(self, part: Component) -> Any:
        return pieces.piece_drawer(self, part, lambda part: self.sheet(part, self.paper_of(part, paper("a4"))))

    def book(self, part: Component, paper: Paper) -> tuple[list[Page], list[pdf.Bookmark]]:
        from ..booklet import booklet  # as above

        self.least_type = booklet.least_type(paper) if self.settings.large_print else 0.0
        return booklet.book(
            self.game,
            self.templates,
            part,
            paper,
            draw=self._piece_drawer(part),
            context=self.book_context(part),
            settings=self.settings,
            draft=self.draft,
        )

    def _info(self, part: Component) -> pdf.Info:
        about = self.game.definition
        return pdf.Info(
            title=f"{about.title} - {part.definition.title}",
            author="; ".join(about.credits),
            subject=part.definition.about,
            keywords=(self.game.key, part.name),
            set_code=self.deck.code,
            high_contrast=self.settings.high_contrast,
        )


def _block(pages: nup.DeckPages, sides: Iterable[Sides], painter: pdf.Painter) -> Iterator[Page]:
    """The pages of the next sheets, which remember nothing of those before."""
    painter.begin()
    for side in sides:
        side.begin()
    return pages.sheets(BLOCK)


def correction_of_backs(printer: Any, paper: Paper, mode: str) -> Matrix | None:
    """The matrix that corrects the backs for a printer. Notes that there is none for this paper and mode."""
    if not printer or mode in ("none", "gutterfold"):
        return None
    backs: Matrix | None = printer.backs(paper, mode)
    if not backs:
        note(
            f"backs are not corrected: {printer.lacks(paper, mode)}",
            hint=f"“{printer.hint(paper, mode)}” prints the sheet",
        )
    return backs


def sheet_paper(part: Component, paper: Paper) -> Paper:
    """The paper that a score sheet is made to fill: the whole page, or half of it if two are cut from one page."""
    if part.definition.up == 1:
        return whole_paper(part, paper)
    if part.definition.landscape:
        return replace(paper, height=paper.height / 2)
    return replace(paper, width=paper.height / 2, height=paper.width)


def _in_own_file(problem: Problem, sheet: ScoreSheet, template: Path) -> Problem:
    """A problem of a shared template with its place in a file of the user: the sheet’s own template, or else the
    definition of the field that the message quotes, or the first line of the sheet’s file."""
    if problem.place is None or not problem.place.file.startswith(paths.display_path(paths.SHARED_TEMPLATES)):
        return problem
    if paths.is_file(template):
        return replace(problem, place=Place(paths.display_path(template)))
    quoted = re.search("(?:text|group) “([^”…]+)", problem.message)
    labels = ((label, spec.place) for key, spec in _specs(sheet.definition.fields) for label in (spec.label, key))
    places = (place for label, place in labels if quoted and label.lower().startswith(quoted[1].strip().lower()))
    hints = {
        "its content is too high": "leave out rows or players, or spread them over two sheets",
        "its content is too wide": "put fewer boxes in a line, with “across”",
    }
    hint = "; ".join(filter(None, [problem.hint, hints.get(problem.hint)]))
    return replace(problem, place=next(places, None) or sheet.definition.place, hint=hint)


def _specs(fields: Mapping[str, FieldFile]) -> Iterator[tuple[str, FieldFile]]:
    for key, spec in fields.items():
        yield key, spec
        yield from _specs(spec.fields or {})


def _takes(field: Field | None, marks: Sequence[str]) -> bool:
    """Whether a field can hold each of these marks."""
    if field is None or field.kind in ("text", "card", "code"):
        return True
    if field.kind == "number":
        return all(mark.isdecimal() and (not field.span or int(mark) in field.span) for mark in marks)
    return {*marks} <= {*marks_of(field)[0]}


def _slot_list(problem: str, names: Sequence[str]) -> list[str]:
    listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return [f"{problem} {listed}"] if names else []


# ---- papers smaller than A4 and Letter, for which most score sheets, pages, nets and boards are not designed


def refuse_too_small(press: Press, names: Iterable[str], paper: Paper) -> None:
    """Raises InputError if some of the components fit on A4 or Letter but not on this smaller paper, with the papers
    that all of these fit on, and those that do fit. Says nothing of components with other problems."""
    if not is_small(paper):
        return
    parts = [press.part(name) for name in names]
    larger = [replace(usual, margin=paper.margin) for usual in usual_papers()]
    wrong = {part.name: _on(press, part, larger) for part in parts if not _is_fitting(press, part, paper)}
    refused = {name: fitting for name, fitting in wrong.items() if fitting}
    if not refused:
        return
    best = [usual.name for usual in larger if all(usual in fitting for fitting in refused.values())]
    hint = f"use {' or '.join(f'--paper {name}' for name in best)}" if best else "use a larger paper"
    others = [part.name for part in parts if part.name not in wrong and _can_be_printed(press, part, paper)]
    if others:
        hint += f"; on {paper.name}, you can print {joined(others)}"
    verb = "do" if len(refused) > 1 else "does"
    size = f"{paper.width:.4g} × {paper.height:.4g} mm"
    raise fault(f"{press.game.title}: {joined(list(refused))} {verb} not fit on {paper.name} ({size})", None, hint)


def laid_out_for(press: Press, part: Component, paper: Paper) -> Paper:
    """The paper to lay a component out for if it may be scaled down: `paper`, or A4 or Letter if it only fits there."""
    if not is_small(paper) or _is_fitting(press, part, paper):
        return paper
    return next(iter(_on(press, part, usual_papers())), paper)


def _on(press: Press, part: Component, larger: Iterable[Paper]) -> list[Paper]:
    return [paper for paper in larger if _is_fitting(press, part, paper)]


def _is_fitting(press: Press, part: Component, paper: Paper) -> bool:
    """Whether a component can be laid out on a paper. Kinds that adapt to any paper count as fitting."""
    if part.kind in _FLEXIBLE or needs_set(part):
        return True
    try:
        press.pages(part, paper)
    except InputError:
        return False
    return True


def _can_be_printed(press: Press, part: Component, paper: Paper) -> bool:
    """Whether a component that counts as fitting on a small paper does: a card may be larger, and a booklet has a
    minimum size."""
    if part.kind == "booklet":
        from ..booklet.booklet import is_too_small  # loads mistune

        return not is_too_small(paper, press.settings.large_print)
    if needs_set(part) or part.kind != "deck":
        return not needs_set(part)
    assert part.size
    about = part.definition
    card = Frame(part.name, part.size.width, part.size.height, (), bleed=about.bleed, safe=about.safe, cut=cut_of(part))
    try:
        if about.up == 2:
            nup.halves_pages([card], paper)
        else:
            duplex = (about.duplex or "long") if about.back else "none"
            nup.deck_pages([card], [card], paper, gutter=about.gutter, duplex=duplex, margin=paper.margin)
    except InputError:
        return False
    return True
