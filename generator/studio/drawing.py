"""What a game looks like now: its components as pieces with a front and a back, and what is wrong with them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from hashlib import blake2b
from itertools import zip_longest
from math import inf
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from .. import pdf
from ..art.picture_files import find_icon
from ..errors import InputError, Problem, noting, same_problem, summary
from ..exporting.raster import PagePicture, encoded, page_sizes, pictures_of
from ..games import deal
from ..geometry.frame import Frame, Group, Icon, Image, Item, LazyItems, Page, Placed, ungrouped
from ..layout.flaws import Draft, Flaw
from ..model.game import Card, Component, Game
from ..model.print_settings import PrintSettings
from ..printing.pieces import box_panels, net_side
from ..printing.press import Press, needs_set
from ..reading.sizes import Paper, paper

POINTS_PER_MM = 72 / 25.4
MAX_LENGTH = 4000
"""The largest width and height of a picture in pixels."""
LATE = ("booklet",)
"""Kinds of components that take seconds, and are only drawn when they are shown."""
BACK = 3
"""The urgency of the backs of cards, of which there is usually only one."""
_encoder = msgspec.msgpack.Encoder(enc_hook=lambda value: value.all() if isinstance(value, LazyItems) else str(value))


class SideView(Struct, frozen=True):
    """One side of a piece: a `frame`, or page `page` of a `document`. `key` is the same only if the picture is; the
    size is in mm, with bleed. `flaws` are the parts of it that are wrong."""

    key: str
    width: float
    height: float
    frame: Frame | None = None
    document: bytes = b""
    page: int = 0
    flaws: tuple[Flaw, ...] = ()


class PieceView(Struct, frozen=True):
    """A card, a die side, a panel or a page. Until its front is `drawn`, and its back too (`complete`), it has its last
    sides, if any."""

    name: str
    title: str
    front: SideView | None = None
    back: SideView | None = None
    copies: int = 1
    card: Card | None = None
    problems: tuple[Problem, ...] = ()
    drawn: bool = True
    complete: bool = True


class PartView(Struct):
    """A component with its pieces, which may be `drawn` one by one."""

    component: Component
    pieces: list[PieceView]
    drawn: bool = True


class Switches(Struct, frozen=True):
    """How a game is shown: the switches of the page."""

    paper: str = "a4"
    low_ink: bool = False
    high_contrast: bool = False
    large_print: bool = False

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Switches:
        """The switches in an address. Raises InputError if there is no such paper."""
        on = (query.get(name) == "1" for name in ("low_ink", "high_contrast", "large_print"))
        return cls(paper(query.get("paper") or cls().paper).name, *on)

    def settings(self, *, folded: bool = True) -> PrintSettings:
        """The settings to print with."""
        return PrintSettings(
            low_ink=self.low_ink, high_contrast=self.high_contrast, large_print=self.large_print, folded=folded
        )


class Snapshot(Struct):
    """A game as it was read at one time, drawn piece by piece when asked for. `before` are the components as they were
    drawn last: what cannot be drawn now keeps its picture."""

    game: Game
    press: Press
    paper: Paper
    problems: list[Problem]
    notes: list[Problem]
    look: Switches = Switches()
    before: dict[str, PartView] = field(default_factory=dict)
    parts: dict[str, PartView] = field(default_factory=dict)
    _drafts: list[Press] = field(default_factory=list)
    _printed: dict[str, list[SideView]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The components that can be drawn without a random set, with those that could be drawn before."""
        names = dict.fromkeys((*self.game.definition.components, *self.game.components))
        parts = self.game.components
        return [name for name in names if (not needs_set(parts[name]) if name in parts else name in self.before)]

    @property
    def found(self) -> list[Problem]:
        """What is wrong with the game, and with what has been drawn."""
        pieces = (piece for name in self.names if (view := self.parts.get(name)) for piece in view.pieces)
        return [*self.problems, *(problem for piece in pieces for problem in piece.problems)]

    @property
    def waiting(self) -> list[str]:
        """The components that are not drawn yet, without those that take seconds."""
        parts = self.game.components
        names = [name for name in self.names if name in parts and parts[name].kind not in LATE]
        return [name for name in names if name not in self.parts or not self.parts[name].drawn]

    def last_views(self) -> dict[str, PartView]:
        """The components as they were drawn last, for the next state."""
        return self.before | {name: view for name, view in self.parts.items() if view.drawn}

    def listed(self, name: str) -> PartView:
        """A component with its pieces, of which some are not drawn yet."""
        if name not in self.parts:
            if name in self.game.components:
                with noting() as notes:
                    part = self.press.part(name)
                    view = _cards(self, part) if part.kind in ("deck", "pawns") else _others(self, part)
                self._note(notes)
            else:
                view = self.before[name]
            self.parts[name] = view
        return self.parts[name]

    def part(self, name: str) -> PartView:
        """A component with all its pieces."""
        self.draw(name)
        return self.listed(name)

    def draw(self, name: str, first: Iterable[str] = (), seconds: float = inf) -> bool:
        """Draws pieces of a component for at most this time, but at least one: those that have changed, those named
        `first`, then the others, and at last the backs. If some are named, only the most urgent of these are drawn.
        Returns whether all are drawn."""
        view, start = self.listed(name), time.monotonic()
        if view.drawn:
            return True
        old, soon = _by_name(self.before.get(name)), set(first)
        fronts = [(_urgency(each, old, soon), at) for at, each in enumerate(view.pieces) if not each.drawn]
        backs = [(BACK, at) for at, each in enumerate(view.pieces) if not each.complete]
        waiting = [*sorted(fronts), *backs]
        with noting() as notes:
            for done, (urgency, at) in enumerate(waiting):
                if done and (time.monotonic() - start > seconds or (soon and urgency > waiting[0][0])):
                    break
                draw = _with_back if urgency == BACK else _with_front
                view.pieces[at] = draw(self, view.component, view.pieces[at])
            else:
                view.drawn = True
        self._note(notes)
        return view.drawn

    def pages(self, name: str) -> list[SideView]:
        """The pages of a component as they are printed, as a draft if it has problems."""
        if name not in self._printed:
            try:
                printed = self._print(name, None)
            except InputError:
                printed = self._print(name, Draft())
            self._printed = {name: list(_document_sides(printed))}
        return self._printed[name]

    def _print(self, name: str, draft: Draft | None) -> bytes:
        press = Press(self.game, self.press.deck, self.look.settings(), draft=draft)
        return press.component(name, self.paper).pdf

    def drawn(self, draw: Callable[[Press], list[Frame]]) -> tuple[list[SideView], tuple[Problem, ...]]:
        """Sides, and if they cannot be printed, why: then they are drawn as far as possible, with their flaws."""
        try:
            return [_side(self, frame) for frame in draw(self.press)], ()
        except InputError as error:
            problems = error.problems
        draft = Draft(recorded=[])
        self._drafts = self._drafts or [Press(self.game, self.press.deck, self.press.settings, draft=draft)]
        self._drafts[0].draft = draft
        try:
            frames = draw(self._drafts[0])
        except InputError:
            return [], problems
        flaws = [*(draft.recorded or []), *([] for _ in frames)]
        return [replace(_side(self, frame), flaws=tuple(flaws[at])) for at, frame in enumerate(frames)], problems

    def _note(self, notes: Iterable[Problem]) -> None:
        self.notes += [note for note in notes if note not in self.notes]


def snapshot(
    game: Game, look: Switches, notes: Iterable[Problem] = (), before: dict[str, PartView] | None = None
) -> Snapshot:
    """A game with these switches. Raises InputError if it cannot be drawn at all."""
    press = Press(game, deal(game), look.settings(folded=False))
    return Snapshot(game, press, paper(look.paper), list(game.problems), list(notes), look=look, before=before or {})


def picture(side: SideView, theme: Any, width: int) -> bytes:
    """A side as PNG, `width` pixels wide."""
    return encoded(image(side, theme, width), "PNG", compress_level=1)


def image(side: SideView, theme: Any, width: int) -> Any:
    """A side as a Pillow image, `width` pixels wide, or smaller if it would be very large."""
    width = max(1, min(width, MAX_LENGTH, round(MAX_LENGTH * side.width / side.height)))
    pixels = width, max(1, round(width * side.height / side.width))
    document = side.document or _document(side, theme)
    return next(pictures_of(document, [PagePicture("the picture", side.page, pixels)]))


def _document(side: SideView, theme: Any) -> bytes:
    assert side.frame
    bleed = (side.width - side.frame.width) / 2
    reach = bleed, bleed, bleed, bleed
    page = Page(side.width, side.height, (Placed(side.frame, bleed, bleed, clip=reach),), cut=True)
    return pdf.write([page], theme, info=pdf.Info(title=""))


# ---- pieces


def _by_name(view: PartView | None) -> dict[str, PieceView]:
    return {piece.name: piece for piece in view.pieces} if view else {}


def _urgency(piece: PieceView, old: Mapping[str, PieceView], soon: set[str]) -> int:
    """0 for cards that have changed."""
    last = old.get(piece.name)
    return 0 if old and (last is None or last.card != piece.card) else 1 if piece.name in soon else 2


def _cards(snapshot: Snapshot, part: Component) -> PartView:
    """The cards of a deck, not drawn yet."""
    cards, old = snapshot.press.deck.cards.get(part.name) or part.cards, _by_name(snapshot.before.get(part.name))
    copies = Counter(card.id for card in cards)
    title = part.columns.title or part.columns.front or ""
    pieces = []
    for card in {card.id: card for card in cards}.values():
        last = old.get(card.id)
        sides = (last.front, last.back) if last else (None, None)
        stated = card.values.get(title)
        name = stated if isinstance(stated, str) and stated else card.id
        pieces.append(PieceView(card.id, name, *sides, copies=copies[card.id], card=card, drawn=False, complete=False))
    return PartView(part, pieces, drawn=not pieces)


def _with_front(snapshot: Snapshot, part: Component, piece: PieceView) -> PieceView:
    front, problems = _card_side(snapshot, part, piece, part.definition.face[0], piece.front)
    return replace(piece, front=front, problems=problems, drawn=True)


def _with_back(snapshot: Snapshot, part: Component, piece: PieceView) -> PieceView:
    assert piece.card
    own_back = piece.card.values.get("back") if part.columns.own_back else None
    back, problems = _card_side(snapshot, part, piece, own_back or part.definition.back, piece.back)
    return replace(piece, back=back, problems=(*piece.problems, *problems), complete=True)


def _card_side(
    snapshot: Snapshot, part: Component, piece: PieceView, template: Any, last: SideView | None
) -> tuple[SideView | None, tuple[Problem, ...]]:
    """A side of a card. One that cannot be printed keeps its last picture."""
    if not template:
        return None, ()
    assert piece.card
    views, problems = snapshot.drawn(partial(card_frames, part, piece.card, str(template)))
    view = views[0] if views else last
    return replace(last, flaws=view.flaws) if problems and view and last else view, problems


def card_frames(part: Component, card: Card, template: str, press: Press) -> list[Frame]:
    alone = part.kind == "pawns" or press.draft is not None
    return [(press.card if alone else press.side)(part, card, template)]


def _others(snapshot: Snapshot, part: Component) -> PartView:
    """A component other than a deck. What cannot be drawn keeps its last pictures."""
    try:
        pieces = list(_READERS.get(part.kind, _pages)(snapshot, part))
    except InputError as error:
        pieces = [PieceView("page-1", part.definition.title, problems=error.problems)]
    old = _by_name(snapshot.before.get(part.name))
    for at, piece in enumerate(pieces):
        if piece.problems and (last := old.get(piece.name)) and last.front:
            flaws = piece.front.flaws if piece.front else ()
            pieces[at] = replace(piece, front=replace(last.front, flaws=flaws))
    return PartView(part, pieces)


def _board(snapshot: Snapshot, part: Component) -> Iterator[PieceView]:
    yield _piece(snapshot, part.definition.title, lambda press: press.board(part))


def _dice(snapshot: Snapshot, part: Component) -> Iterator[PieceView]:
    for die in {die.id: die for die in part.cards}.values():
        for number in range(1, 7):
            title = f"{die.id}, side {number}"
            yield _piece(snapshot, title, partial(net_side, part=part, die=die, number=number))


def _box(snapshot: Snapshot, part: Component) -> Iterator[PieceView]:
    names: list[str] = []

    def draw(press: Press) -> list[Frame]:
        panels = box_panels(press, part)
        names[:] = panels
        return list(panels.values())

    sides, problems = snapshot.drawn(draw)
    for name, side in zip_longest(names, sides):
        yield PieceView(name, name.replace("-", " ").capitalize(), side, problems=problems)


def _pages(snapshot: Snapshot, part: Component) -> Iterator[PieceView]:
    """The pages of a sheet, a page or a booklet."""
    problems: tuple[Problem, ...] = ()
    if part.kind == "booklet":
        sides = list(_document_sides(snapshot.press.component(part.name, snapshot.paper).pdf))
    else:
        own = snapshot.press.paper_of(part, snapshot.paper)
        sheet = part.kind == "sheet"
        sides, problems = snapshot.drawn(
            lambda press: press.sheet(part, own) if sheet else press.whole_frames(part, own)
        )
    for number, side in enumerate(sides or [None], start=1):
        yield PieceView(f"page-{number}", f"Page {number}", side, problems=problems)


_READERS = {"board": _board, "dice": _dice, "box": _box}


def _piece(snapshot: Snapshot, title: str, draw: Callable[[Press], Frame]) -> PieceView:
    sides, problems = snapshot.drawn(lambda press: [draw(press)])
    return PieceView(title, title, sides[0] if sides else None, problems=problems)


def _document_sides(document: bytes) -> Iterator[SideView]:
    key = blake2b(document, digest_size=12).hexdigest()
    for number, (width, height) in enumerate(page_sizes(document)):
        size = width / POINTS_PER_MM, height / POINTS_PER_MM
        yield SideView(f"{key}{number}", *size, document=document, page=number)


def _side(snapshot: Snapshot, frame: Frame) -> SideView:
    width, height = frame.width + 2 * frame.bleed, frame.height + 2 * frame.bleed
    theme = snapshot.press.theme
    files = sorted({f"{file}:{_saved_at(file)}" for file in _files(frame.items, theme)})
    drawing = _encoder.encode((width, height, list(ungrouped(frame.items)), frame.cut, theme.fonts, files))
    return SideView(blake2b(drawing, digest_size=12).hexdigest(), width, height, frame)


def _saved_at(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:  # it is being replaced
        return 0


def _files(items: Iterable[Item], theme: Any) -> Iterator[Path]:
    """The pictures and icons in a frame."""
    for item in items:
        if isinstance(item, Group):
            yield from _files(item.items, theme)
        elif isinstance(item, Image):
            yield Path(item.file)
        elif isinstance(item, Icon):
            yield find_icon(item.name, theme.icon_folders)


# ---- problems


class NumberedProblems:
    """Problems as they are listed: the same problem of many cards once, with one number everywhere."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        found = list(dict.fromkeys(problems))
        self.problems = summary(found)
        self._numbers: dict[object, int] = {}
        for problem in found:
            self._numbers.setdefault(same_problem(problem), len(self._numbers) + 1)

    def numbers(self, problems: Iterable[Problem]) -> list[int]:
        """The numbers of problems in the list."""
        last = len(self.problems)
        return sorted(
            {min(self._numbers[key], last) for each in problems if (key := same_problem(each)) in self._numbers}
        )


NO_PROBLEMS = NumberedProblems(())
