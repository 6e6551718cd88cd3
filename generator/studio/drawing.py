"""What a game looks like now: its components as pieces with a front and a back, and its problems."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from .. import pdf
from ..art.picture_files import find_icon
from ..errors import InputError, Problem, noting, summary
from ..exporting.raster import PagePicture, encoded, page_sizes, pictures_of
from ..games import deal
from ..geometry.frame import Frame, Group, Icon, Image, Item, Page, Placed
from ..model.game import Card, Component, Game
from ..model.print_settings import PrintSettings
from ..printing.pieces import box_panels, net_side
from ..printing.press import Press, needs_set
from ..reading.load import load
from ..reading.sizes import Paper, paper
from ..reading.table_game import DEFAULT_LOOK, TableLook

POINTS_PER_MM = 72 / 25.4
MAX_WIDTH = 4000
"""The largest width of a picture in pixels."""


class SideView(Struct, frozen=True):
    """One side of a piece: a `frame`, or page `page` of a `document`. `key` is the same only if the picture is; the
    size is in mm, with bleed."""

    key: str
    width: float
    height: float
    frame: Frame | None = None
    document: bytes = b""
    page: int = 0


class PieceView(Struct, frozen=True):
    """A card, a die side, a panel or a page."""

    name: str
    title: str
    front: SideView | None
    back: SideView | None = None
    copies: int = 1
    card: Card | None = None
    problems: tuple[Problem, ...] = ()


class PartView(Struct, frozen=True):
    """A component with its pieces."""

    component: Component
    pieces: tuple[PieceView, ...]


class Switches(Struct, frozen=True):
    """How a game is shown: the switches of the page."""

    paper: str = "a4"
    low_ink: bool = False
    high_contrast: bool = False
    large_print: bool = False

    @property
    def settings(self) -> PrintSettings:
        return PrintSettings(
            low_ink=self.low_ink, high_contrast=self.high_contrast, large_print=self.large_print, folded=False
        )


class Snapshot(Struct):
    """A game as it was read and drawn at one time. Parts are drawn when they are first asked for."""

    game: Game
    press: Press
    paper: Paper
    problems: list[Problem]
    notes: list[Problem]
    _parts: dict[str, PartView] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The components that can be drawn without a random set."""
        return [name for name, part in self.game.components.items() if not needs_set(part)]

    def part(self, name: str) -> PartView:
        """A component with its pieces. Its problems are those of its pieces, and also go to `problems`."""
        if name not in self._parts:
            with noting() as notes:
                component = self.press.part(name)
                pieces = tuple(_READERS.get(component.kind, _pages)(self, component))
            self.notes += [note for note in notes if note not in self.notes]
            found = dict.fromkeys(problem for piece in pieces for problem in piece.problems)
            self.problems += [problem for problem in found if problem not in self.problems]
            self._parts[name] = PartView(component, pieces)
        return self._parts[name]


def snapshot(
    name: str | Path, look: Switches, table_look: TableLook = DEFAULT_LOOK, *, trust_code: bool = False
) -> Snapshot:
    """Reads a game. Raises InputError if it cannot be read at all."""
    with noting() as notes:
        game = load(name, table_look, trust_code, partial=True)
        press = Press(game, deal(game), look.settings)
    return Snapshot(game, press, paper(look.paper), list(game.problems), list(notes))


def picture(side: SideView, theme: Any, width: int) -> bytes:
    """A side as PNG, `width` pixels wide."""
    width = max(1, min(width, MAX_WIDTH))
    pixels = width, max(1, round(width * side.height / side.width))
    document = side.document or _document(side, theme)
    image = next(pictures_of(document, [PagePicture("the picture", side.page, pixels)]))
    return encoded(image, "PNG", compress_level=1)


def _document(side: SideView, theme: Any) -> bytes:
    assert side.frame
    bleed = (side.width - side.frame.width) / 2
    reach = bleed, bleed, bleed, bleed
    page = Page(side.width, side.height, (Placed(side.frame, bleed, bleed, clip=reach),), cut=True)
    return pdf.write([page], theme, info=pdf.Info(title=""))


# ---- pieces


def _cards(snapshot: Snapshot, part: Component) -> Iterator[PieceView]:
    cards = snapshot.press.deck.cards.get(part.name) or part.cards
    copies = Counter(card.id for card in cards)
    titles = part.columns.title or part.columns.front or ""
    for card in {card.id: card for card in cards}.values():
        title = str(card.values.get(titles) or card.id)
        own_back = card.values.get("back") if part.columns.own_back else None
        problems: list[Problem] = []
        front, back = (
            _card_side(snapshot, part, card, template, problems)
            for template in (part.definition.face[0], own_back or part.definition.back)
        )
        yield PieceView(card.id, title, front, back, copies=copies[card.id], card=card, problems=tuple(problems))


def _card_side(
    snapshot: Snapshot, part: Component, card: Card, template: Any, problems: list[Problem]
) -> SideView | None:
    draw = snapshot.press.card if part.kind == "pawns" else snapshot.press.side
    try:
        return _side(snapshot, draw(part, card, str(template))) if template else None
    except InputError as error:
        problems += error.problems
        return None


def _board(snapshot: Snapshot, part: Component) -> Iterator[PieceView]:
    yield _piece(snapshot, part, part.definition.title, lambda: snapshot.press.board(part))


def _dice(snapshot: Snapshot, part: Component) -> Iterator[PieceView]:
    for die in {die.id: die for die in part.cards}.values():
        for number in range(1, 7):
            draw = partial(net_side, snapshot.press, part, die, number)
            yield _piece(snapshot, part, f"{die.id}, side {number}", draw)


def _box(snapshot: Snapshot, part: Component) -> Iterator[PieceView]:
    try:
        panels = box_panels(snapshot.press, part)
    except InputError as error:
        yield PieceView(part.name, part.definition.title, None, problems=error.problems)
        return
    for name, frame in panels.items():
        yield PieceView(name, f"{part.definition.title}, {name}", _side(snapshot, frame))


def _pages(snapshot: Snapshot, part: Component) -> Iterator[PieceView]:
    """The pages of a sheet, a page or a booklet."""
    press = snapshot.press
    try:
        sides: Iterable[SideView]
        if part.kind == "booklet":
            document = press.component(part.name, snapshot.paper).pdf
            key = blake2b(document, digest_size=12).hexdigest()
            sides = [
                SideView(
                    f"{key}{number}", width / POINTS_PER_MM, height / POINTS_PER_MM, document=document, page=number
                )
                for number, (width, height) in enumerate(page_sizes(document))
            ]
        else:
            own = press.paper_of(part, snapshot.paper)
            frames = press.sheet(part, own) if part.kind == "sheet" else press.whole_frames(part, own)
            sides = [_side(snapshot, frame) for frame in frames]
    except InputError as error:
        yield PieceView("page-1", part.definition.title, None, problems=error.problems)
        return
    for number, side in enumerate(sides, start=1):
        yield PieceView(f"page-{number}", f"{part.definition.title}, page {number}", side)


_READERS = {"deck": _cards, "pawns": _cards, "board": _board, "dice": _dice, "box": _box}


def _piece(snapshot: Snapshot, part: Component, title: str, draw: Any) -> PieceView:
    try:
        return PieceView(title, title, _side(snapshot, draw()))
    except InputError as error:
        return PieceView(title, title, None, problems=error.problems)


def _side(snapshot: Snapshot, frame: Frame) -> SideView:
    width, height = frame.width + 2 * frame.bleed, frame.height + 2 * frame.bleed
    files = sorted({f"{file}:{file.stat().st_mtime_ns}" for file in _files(frame.items, snapshot.press.theme)})
    drawing = pickle.dumps((width, height, tuple(frame.items), frame.cut, snapshot.press.theme.fonts, files))
    return SideView(blake2b(drawing, digest_size=12).hexdigest(), width, height, frame)


def _files(items: Iterable[Item], theme: Any) -> Iterator[Path]:
    """The pictures and icons in a frame."""
    for item in items:
        if isinstance(item, Group):
            yield from _files(item.items, theme)
        elif isinstance(item, Image):
            yield Path(item.file)
        elif isinstance(item, Icon):
            yield find_icon(item.name, theme.icon_folders)


def shown(problems: Iterable[Problem]) -> list[Problem]:
    """Problems as they are listed: the same problem of many cards once."""
    return summary(dict.fromkeys(problems))
