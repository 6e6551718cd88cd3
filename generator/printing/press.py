"""The press: a game's component → pages → PDF. What only some components need is imported where they are printed.

    Card, ScoreSheet ── faces.build ──▶ Face ── layout.place ──▶ Frame ── layout.impose ──▶ Page ── pdf.write ──▶ PDF
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from types import MappingProxyType
from typing import Any

from .. import faces, pdf
from ..definitions.models import Card, Component, Game, ScoreSheet
from ..definitions.sizes import Paper
from ..errors import InputError, Problem, did_you_mean, fault
from ..games.deck import Deck
from ..geometry.frame import Frame, Page
from ..imposition import nup
from ..layout.place import place
from ..layout.safety import outside_safe, overlaps
from .card_cache import CardCache

Marks = Mapping[str, str]
NO_MARKS: Marks = MappingProxyType({})
NO_RINGS: Mapping[str, int] = MappingProxyType({})
Step = Callable[[], None]
NET_GAP = 4.0
NET_MARGIN = 6.0
SMALLEST_WHOLE = 0.75
"""A board is shrunk this far to stay in one piece."""
MOST_HELD = 500
"""Cards held in case another copy of them comes; a deck of more is printed as it is made."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished PDF: its bytes, the number of its pages, and the duplex mode it is made for (None: one-sided)."""

    pdf: bytes
    pages: int
    duplex: str | None


def nothing() -> None:
    """The step of a press nobody watches."""


class Press:
    """Prints one game with one deck. Templates are loaded once; `step` is called after every face. `given` is the game
    without what the deck has in the place of its own: what the examples of its rules are made with."""

    def __init__(self, game: Game, deck: Deck, step: Step = nothing, *, low_ink: bool = False) -> None:
        self.given = game
        dressed = deck.dress(game)
        self.game = replace(dressed, theme=game.low_ink) if low_ink else dressed
        self.theme = self.game.theme
        self.deck = deck
        self.step = step
        self.templates = faces.Templates(game.templates, self.theme)
        self._caches: dict[str, CardCache] = {}

    def component(self, name: str, paper: Paper, duplex: str | None = None, copies: int | None = None, *,
                  folded: bool = True) -> Printed:
        """One component as a PDF; raises InputError with every problem of its faces. `copies` makes a score sheet a
        pad of so many, numbered; a booklet is `folded`, or a page by itself after the other."""
        part = self.part(name)
        if part.kind == "booklet":
            return self._booklet(part, paper, folded)
        mode = self._duplex(part, duplex)
        two_sided = mode if mode != "none" else None
        if part.kind == "deck" and self._large(part):
            number = count()
            streamed = (page for page, _ in zip(self._streamed(part, paper, mode), number, strict=False))
            made = pdf.write(streamed, self.theme, info=self._info(part), duplex=two_sided)
            return Printed(made, next(number), two_sided)
        pages = self.pages(part, paper, mode, copies)
        return Printed(pdf.write(pages, self.theme, info=self._info(part), duplex=two_sided), len(pages), two_sided)

    def pages(self, part: Component, paper: Paper, duplex: str = "none", copies: int | None = None) -> list[Page]:
        """The pages of any component but a booklet."""
        if part.kind == "deck":
            return self.deck_pages(part, paper, duplex)
        if part.kind == "sheet":
            return self.sheet_pages(part, paper, copies)
        if part.kind == "board":
            from ..imposition import tiles

            board = tiles.in_one_piece(self.board(part), paper, paper.margin, SMALLEST_WHOLE)
            return tiles.tiles(board, paper, part.definition.overlap, paper.margin)
        if part.kind == "page":
            return self.whole_pages(part, paper)
        from ..papercraft import packing
        from . import pieces

        return packing.net_pages(pieces.net_pieces(self, part), paper, max(paper.margin, NET_MARGIN), NET_GAP)

    def _duplex(self, part: Component, wanted: str | None) -> str:
        """How the backs of a deck get behind its fronts; nothing else has backs."""
        if part.kind != "deck" or not part.definition.back or part.definition.up == 2:
            return "none"
        return wanted or part.definition.duplex or "long"

    # ---- decks

    def deck_pages(self, part: Component, paper: Paper, duplex: str) -> list[Page]:
        """The pages of a deck and of those printed with it, fronts and backs imposed for `duplex`."""
        return list(self._streamed(part, paper, duplex))

    def fronts(self, part: Component) -> list[Frame]:
        """The fronts of a deck's cards, in order, each with its items written out."""
        return [replace(front, items=tuple(front.items)) for front in self.front_sides(part)]

    def _streamed(self, part: Component, paper: Paper, duplex: str) -> Iterator[Page]:
        """The pages of a deck and of those printed with it, as their cards come. Raises InputError at their end, with
        the problems of all the fronts or all the backs of a deck."""
        about, decks = part.definition, [part, *map(self.part, part.definition.with_)]
        fronts = chain.from_iterable(map(self.front_sides, decks))
        if about.up == 2:
            return iter(nup.halves_pages(list(fronts), paper))
        backs = chain.from_iterable(map(self.back_sides, decks if about.back and duplex != "none" else ()))
        return nup.pages_of(fronts, backs, paper, gutter=about.gutter, duplex=duplex if about.back else "none",
                            margin=paper.margin)

    def _large(self, part: Component) -> bool:
        """Whether the pages of a deck are better not held all at once."""
        decks = (part.name, *part.definition.with_)
        return sum(len(self.deck.cards[name]) for name in decks) > MOST_HELD

    def front_sides(self, part: Component) -> Iterator[Frame]:
        return self._sides(part, lambda card: part.definition.face[0])

    def back_sides(self, part: Component) -> Iterator[Frame]:
        usual = part.definition.back
        return self._sides(part, lambda card: card.values.get("back") or usual)

    def _sides(self, part: Component, template: Callable[[Card], str]) -> Iterator[Frame]:
        """One side of each card that has it, made once for copies. Where one is wrong, no more come, and the problems
        of all are raised at the end."""
        held: dict[tuple[str, str], Frame | None] = {}
        problems: list[Problem] = []
        for card in self.deck.cards[part.name]:
            key = card.id, template(card)
            if not key[1]:
                continue
            if key not in held:
                if len(held) >= MOST_HELD:
                    del held[next(iter(held))]
                held[key] = self._tried(part, card, key[1], problems)
                self.step()
            side = held[key]
            if side and not problems:
                yield side
        if problems:
            raise InputError(dict.fromkeys(problems))

    def _tried(self, part: Component, card: Card, template: str, problems: list[Problem]) -> Frame | None:
        try:
            return self.side(part, card, template)
        except InputError as error:
            problems.extend(error.problems)
            return None

    def side(self, part: Component, card: Card, template: str) -> Frame:
        """One side of one card as `card` makes it, by way of what it shares with others; raises InputError with every
        problem of its face."""
        cache = self._caches.get(part.name)
        if cache is None:
            cache = self._caches[part.name] = self._cache(part)
        return cache.side(card, template)

    def _cache(self, part: Component) -> CardCache:
        assert part.size
        about = part.definition
        return CardCache(partial(self.card, part), self.templates, self.context(part), self.theme,
                         size=(part.size.width, part.size.height), bleed=about.bleed, safe=about.safe,
                         folder=self.game.folder)

    def card(self, part: Component, card: Card, template: str, marks: Marks = NO_MARKS) -> Frame:
        """One side of one card made by itself; `marks` are written into its crates."""
        assert part.size
        about = part.definition
        face = faces.build(self.templates, template, self.about_card(part, card), name=f"card {card.id}",
                           size=(part.size.width, part.size.height), bleed=about.bleed, safe=about.safe,
                           folder=self.game.folder)
        return _sound(place(face, self.theme, marks=marks))

    # ---- score sheets

    def sheet_pages(self, part: Component, paper: Paper, copies: int | None = None) -> list[Page]:
        """The pages of a score sheet; with `copies` those of a pad, each sheet with its number in its corner codes."""
        serials = range(1, copies + 1) if copies else (0,) * part.definition.up
        half = sheet_paper(part, paper)
        frames = list(self.sheets(part, half, dict.fromkeys(serials)))
        if part.definition.up == 2:
            return nup.halves_pages([frame for one in frames for frame in one] * (1 if copies else 2), paper)
        return nup.sheet_pages([frame for one in frames for frame in one], paper)

    def whole_pages(self, part: Component, paper: Paper) -> list[Page]:
        """The pages of a component without fields: its faces for each of its cards."""
        if not part.cards:
            raise fault(f"“{part.name}” of {self.game.title} shows a random set, and the standard one is none",
                        hint="name a set by its code, or draw one")
        half = sheet_paper(part, paper)
        frames = [self._whole_page(part, card, template, half)
                  for card in part.cards for template in part.definition.face]
        return (nup.halves_pages if part.definition.up == 2 else nup.sheet_pages)(frames, paper)

    def _whole_page(self, part: Component, card: Card, template: str, paper: Paper) -> Frame:
        face = self._face(part, template, (paper.width, paper.height), part.definition.margin,
                          of=f"{part.name} {card.id}", card=card, paper_width=paper.width, paper_height=paper.height)
        self.step()
        return _sound(place(face, self.theme))

    def sheet(self, part: Component, paper: Paper, marks: Marks = NO_MARKS,
              rings: Mapping[str, int] = NO_RINGS) -> list[Frame]:
        """A score sheet as it is printed, each page as large as `paper` (`sheet_paper` of the paper it is cut from),
        with the codes in its corners by which a photo of it will be read. `marks` are written into the slots, `rings`
        drawn round them."""
        return next(self.sheets(part, paper, (0,), marks, rings))

    def sheets(self, part: Component, paper: Paper, serials: Iterable[int], marks: Marks = NO_MARKS,
               rings: Mapping[str, int] = NO_RINGS) -> Iterator[list[Frame]]:
        """A score sheet for each of its numbers, which its corner codes tell; it is drawn once."""
        assert part.sheet
        from ..fieldmap.corner_codes import corner_codes
        from ..fieldmap.field_map import cell_map, layout_id

        frames = self.blank_corners(part, paper, marks, rings)
        number = layout_id(cell_map(frames, part.sheet, paper, self.game))
        for serial in serials:
            self.step()
            yield [replace(frame, items=(*frame.items, *corner_codes(frame.width, frame.height, number, serial, page)))
                   for page, frame in enumerate(frames, start=1)]

    def blank_corners(self, part: Component, paper: Paper, marks: Marks = NO_MARKS,
                      rings: Mapping[str, int] = NO_RINGS) -> list[Frame]:
        """The score sheet without the codes, which stand for what is on it; its slots are exactly the fields of its
        definition."""
        assert part.sheet
        frames = [self._sheet_frame(part, template, number, paper, marks, rings)
                  for number, template in enumerate(part.definition.face, start=1)]
        _hold_slots(frames, part.sheet)
        return frames

    def _sheet_frame(self, part: Component, template: str, number: int, paper: Paper, marks: Marks,
                     rings: Mapping[str, int]) -> Frame:
        assert part.sheet
        face = self._face(part, template, (paper.width, paper.height), part.definition.margin,
                          of=f"{part.name} page {number}", sheet=part.sheet.definition, fields=part.sheet.fields,
                          page=number, paper_width=paper.width, paper_height=paper.height)
        own = {slot.attributes["id"] for slot in _slots(face.root)}
        return _sound(place(face, self.theme, marks={name: mark for name, mark in marks.items() if name in own},
                            rings={name: ring for name, ring in rings.items() if name in own}))

    def fillable(self, name: str, paper: Paper) -> Printed:
        """A score sheet as a PDF form, one sheet, with a field for each slot named by its field id."""
        part = self.part(name)
        assert part.sheet
        from ..fieldmap.field_map import cell_map, layout_id
        from ..pdf.forms import write_fillable

        half = sheet_paper(part, paper)
        frames = self.sheet(part, half)
        number = layout_id(cell_map(self.blank_corners(part, half), part.sheet, half, self.game))
        info = replace(self._info(part), game=self.game.key, sheet=name, layout=str(number))
        marks = {self.deck.field: self.deck.code} if self.deck.code and self.deck.field in part.sheet.fields else {}
        pages = nup.sheet_pages(frames, half)
        made = write_fillable(pages, self.theme, part.sheet.fields, info=info, marks=marks)
        return Printed(made, len(pages), None)

    # ---- boards, and faces of any size

    def board(self, part: Component) -> Frame:
        """A whole board: its face over the graph laid out."""
        assert part.board and part.size
        from ..boards.plan import lay_out

        plan = lay_out(part.board)
        return self.panel(part, part.definition.face[0], (plan.width, plan.height), part.name, board=plan,
                          regions=part.board.definition.regions, kinds=part.board.definition.kinds)

    def panel(self, part: Component, template: str, size: tuple[float, float], of: str, **context: Any) -> Frame:
        """One face of a component, of any size (mm); `of` names it in messages."""
        face = self._face(part, template, size, 0.0, part.definition.bleed, of=of, **context)
        return place(face, self.theme)

    def _face(self, part: Component, template: str, size: tuple[float, float], safe: float, bleed: float = 0.0,
              of: str = "", **context: Any) -> faces.Face:
        return faces.build(self.templates, template, {**self.context(part), **context}, name=of or part.name,
                           size=size, bleed=bleed, safe=safe, folder=self.game.folder)

    def about_card(self, part: Component, card: Card) -> dict[str, Any]:
        """What the template of a card may speak of."""
        return {**self.context(part), "card": card}

    def context(self, part: Component) -> dict[str, Any]:
        """What every template and the booklet may speak of."""
        return {"game": self.game.definition, "rules": self.game.rules, "component": part.definition,
                "decks": self.deck.cards, "set_code": self.deck.code or ""}

    def picture(self, template: str, size: tuple[float, float], shows: Any) -> Frame:
        """A face made for a figure of the booklet; `shows` is what the figure says."""
        context = {"game": self.game.definition, "rules": self.game.rules, "decks": self.deck.cards, "shows": shows,
                   "width": size[0], "height": size[1]}
        face = faces.build(self.templates, template, context, name=f"figure {template}", size=size,
                           folder=self.game.folder)
        return place(face, self.theme)

    def _booklet(self, part: Component, paper: Paper, folded: bool) -> Printed:
        from ..booklet import booklet
        from . import pieces  # platypus costs more to import than a deck costs to print

        made = booklet.write(self.game, self.templates, part, paper, partial(pieces.figure_pieces, self),
                             self._info(part),
                             self.context(part), folded=folded)
        return Printed(made.pdf, made.pages, "short" if folded else None)

    def part(self, name: str) -> Component:
        """The component of this name; raises InputError with what it might have been."""
        if name not in self.game.components:
            raise fault(f"{self.game.key} has no component “{name}”",
                        hint=did_you_mean(name, self.game.components))
        return self.game.components[name]

    def _info(self, part: Component) -> pdf.Info:
        about = self.game.definition
        return pdf.Info(title=f"{about.title} - {part.definition.title}", author="; ".join(about.credits),
                        subject=part.definition.about, keywords=(self.game.key, part.name), set_code=self.deck.code)


def sheet_paper(part: Component, paper: Paper) -> Paper:
    """The paper a score sheet fills: the whole, or the half where two of them are cut from it."""
    if part.definition.up == 1:
        return paper
    return replace(paper, width=paper.height / 2, height=paper.width)


def _slots(element: faces.Element) -> Iterator[faces.Element]:
    if element.tag == "slot":
        yield element
    for child in element.children:
        yield from _slots(child)


def _hold_slots(frames: Sequence[Frame], sheet: ScoreSheet) -> None:
    """Paper and judge must not drift apart: every field has its slot and every slot its field."""
    slots = [slot.id for frame in frames for slot in frame.slots()]
    missing = [name for name in sheet.fields if name not in set(slots)]
    strange = [name for name in slots if name not in sheet.fields]
    twice = sorted({name for name in slots if slots.count(name) > 1}) if len(set(slots)) < len(slots) else []
    problems = [*_listed("has no slot for the field", missing), *_listed("has a slot without a field", strange),
                *_listed("has two slots for the field", twice)]
    if problems:
        raise InputError([Problem(f"sheet “{sheet.name}” {problem}") for problem in problems])


def _listed(what: str, names: Iterable[str]) -> list[str]:
    found = list(names)
    shown = ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
    return [f"{what} {shown}"] if found else []


def _sound(frame: Frame) -> Frame:
    """The frame itself, if nothing on it leaves the safe area and no two slots overlap."""
    problems = [*outside_safe(frame), *overlaps(frame)]
    if problems:
        raise InputError([Problem(f"{frame.name}: {problem}") for problem in problems])
    return frame
