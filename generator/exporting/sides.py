"""The sides of a component, one after the other: the front and back of each card, the six sides of each die, the pages
of sheets and booklets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..draws.deck import Deck
from ..errors import (
    InputError,
    Place,
    Problem,
    fault,
    note,
    noting,
)
from ..fast_dataclasses import dataclass
from ..geometry.frame import Frame
from ..model.game import Card, Component, Game
from ..model.print_settings import PrintSettings
from ..model.values import Size
from ..printing.game_faces import Step, no_step
from ..printing.press import Press, needs_set
from ..reading.sizes import Paper
from ..reading.targets import MM_PER_INCH, Target
from .canvas import Canvas, canvas, refuse_product
from .raster import page_sizes

if TYPE_CHECKING:
    from ..calibration.correction import Printer

POINTS = 72 / MM_PER_INCH


@dataclass(frozen=True, slots=True)
class BookPage:
    """A page of a booklet, which is set in PDF at once: the number of its page in the PDF, from 0, and its size in mm.
    Both pages of a spread are one page of the PDF, `full` wide; the page begins `left` mm from its left edge."""

    document: bytes
    number: int
    width: float
    height: float
    full: float
    left: float = 0.0


Side = Frame | BookPage


@dataclass(frozen=True, slots=True)
class Piece:
    """One card, die side, page or board, and how often it is needed. `name` is its id, and `number` its place in its
    component, from 1; `back_name` is the same for all pieces with the same back."""

    component: Component
    name: str
    title: str
    number: int
    copies: int
    canvas: Canvas
    front: Side
    back: Frame | None = None
    back_name: str = ""
    place: Place | None = None

    @property
    def shown(self) -> str:
        """What messages call it."""
        return f"{self.component.name}, {self.name}" if self.name else self.component.name


@dataclass(frozen=True, slots=True)
class Order:
    """What is exported: a game with a deck to a target. `product` is the product to use instead of the one that fits,
    `paper` the paper on which sheets and booklets are set. Sheets for cutting machines have their backs corrected for a
    `printer`. Names of files may begin with a `surname`."""

    game: Game
    deck: Deck
    target: Target
    paper: Paper
    product: str | None = None
    step: Step = no_step
    printer: Printer | None = None
    surname: str = ""

    @property
    def dressed(self) -> Game:
        return self.deck.dress(self.game)


def components_of(order: Order, names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The components to export, and those that are left out because the target does not take their kind. Those that are
    named must be possible: raises InputError."""
    game, target = order.dressed, order.target
    if names:
        wrong = [
            Problem(
                f"{target.name} does not take “{name}”, a {game.components[name].kind}",
                hint=f"it takes {_kinds(target)}",
            )
            for name in names
            if not target.takes(game.components[name].kind)
        ]
        if wrong:
            raise InputError(wrong)
        chosen = [name for name in game.components if name in names]
        if order.product:
            refuse_product(order.product, [game.components[name] for name in chosen], target)
        return chosen, []
    changed = order.deck.changes(order.game) if order.deck.code else tuple(game.components)
    usual = [name for name in changed if not _needs_set(game.components[name], order.deck)]
    taken = [name for name in usual if target.takes(game.components[name].kind)]
    if not taken:
        raise fault(f"{game.title} has nothing that {target.name} takes", hint=f"it takes {_kinds(target)}")
    if order.product:
        refuse_product(order.product, [game.components[name] for name in taken], target)
    return taken, [name for name in usual if name not in taken]


def without_product(order: Order, name: str) -> tuple[Problem, ...]:
    """Why a service has no product for a component; nothing if it has one."""
    part = order.dressed.components[name]
    size = part.size
    if part.kind in ("sheet", "page"):
        paper = press_for(order, part).paper_of(part, order.paper)
        size = Size(paper.width, paper.height)
    if size is None:  # boxes and booklets have no size before they are drawn
        return ()
    try:
        with noting():
            canvas(part, size, order.target, order.product)
    except InputError as error:
        return error.problems
    return ()


def _needs_set(part: Component, deck: Deck) -> bool:
    return needs_set(part) and not deck.cards.get(part.name)


def _kinds(target: Target) -> str:
    return ", ".join(target.definition.kinds or dict.fromkeys(product.kind for product in target.products.values()))


def pieces(order: Order, name: str) -> Iterator[Piece]:
    """The pieces of a component, one by one. Raises InputError if the target has no product for it; the problems of
    faces are raised together at the end."""
    part = order.dressed.components[name]
    if _needs_set(part, order.deck):
        raise fault(f"“{name}” of {order.dressed.title} needs a random set", hint="add --set CODE")
    return _READERS[part.kind](order, part)


def press_for(order: Order, part: Component, bleed: float | None = None) -> Press:
    """A press for one component, with at least this bleed: art may be drawn for a wider one."""
    game = order.game
    dressed = order.deck.components_of(game)[part.name]
    deck = order.deck
    if bleed is not None:
        about = dressed.definition
        changed = replace(dressed, definition=replace(about, bleed=max(bleed, about.bleed)))
        if part.name in deck.components:
            deck = replace(deck, components=MappingProxyType({**deck.components, part.name: changed}))
        else:
            game = replace(game, components=MappingProxyType({**game.components, part.name: changed}))
    return Press(game, deck, PrintSettings(folded=False, max_dpi=order.target.definition.dpi * 1.2), step=order.step)


# ---- decks and pawns


def _deck(order: Order, part: Component) -> Iterator[Piece]:
    assert part.size
    about, where = part.definition, canvas(part, part.size, order.target, order.product)
    press = press_for(order, part, where.frame_bleed)
    part = press.part(part.name)
    cards = order.deck.cards.get(part.name) or part.cards
    if not cards:
        raise fault(f"“{part.name}” has no cards", part.definition.place)
    copies, titles = Counter(card.id for card in cards), part.columns.title or part.columns.front or ""
    backs, problems = _Backs(), list[Problem]()
    for number, card in enumerate({card.id: card for card in cards}.values(), start=1):
        back = (card.values.get("back") if part.columns.own_back else None) or about.back
        try:
            front_side = _side(press, part, card, about.face[0])
            back_side = _side(press, part, card, str(back)) if back else None
        except InputError as error:
            problems += error.problems
            continue
        if not problems:
            title = str(card.values.get(titles) or card.id)
            yield Piece(
                part,
                card.id,
                title,
                number,
                copies[card.id],
                where,
                front_side,
                back_side,
                backs.name(back_side),
                card.place,
            )
    if problems:
        raise InputError(dict.fromkeys(problems))


def _side(press: Press, part: Component, card: Card, template: str) -> Frame:
    """A side as a plain frame, which can be compared with others."""
    press.step()
    if part.kind == "pawns":
        return press.card(part, card, template)
    frame = press.side(part, card, template)
    return replace(frame, items=tuple(frame.items))


class _Backs:
    """Names the backs of a deck: those that look the same have the same name."""

    def __init__(self) -> None:
        self._names: dict[bytes, str] = {}

    def name(self, frame: Frame | None) -> str:
        if frame is None:
            return ""
        digest = sha256(repr(frame.items).encode()).digest()
        return self._names.setdefault(digest, f"back-{len(self._names) + 1}" if self._names else "back")


# ---- one piece, or a piece for each side, panel or page


def _board(order: Order, part: Component) -> Iterator[Piece]:
    assert part.size
    where = canvas(part, part.size, order.target, order.product)
    press = press_for(order, part, where.frame_bleed)
    part = press.part(part.name)
    frame = press.board(part)
    press.step()
    yield Piece(part, "", part.definition.title, 1, 1, where, frame)


def _dice(order: Order, part: Component) -> Iterator[Piece]:
    from ..printing import pieces as nets  # few games have dice

    assert part.size
    where = canvas(part, part.size, order.target, order.product)
    press = press_for(order, part, where.frame_bleed)
    part = press.part(part.name)
    copies = Counter(die.id for die in part.cards)
    dice = {die.id: die for die in part.cards}.values()
    for number, (die, side) in enumerate(((die, side) for die in dice for side in range(1, 7)), start=1):
        frame = nets.net_side(press, part, die, side)
        press.step()
        yield Piece(part, f"{die.id}-{side}", f"{die.id}, side {side}", number, copies[die.id], where, frame)


def _box(order: Order, part: Component) -> Iterator[Piece]:
    from ..printing import pieces as nets  # few games have a box

    bleed = order.target.definition.bleed
    press = press_for(order, part, bleed)
    part = press.part(part.name)
    _note_box(order, part)
    for number, (panel, frame) in enumerate(nets.box_panels(press, part).items(), start=1):
        where = canvas(part, Size(frame.width, frame.height), order.target)
        yield Piece(part, panel, f"{part.definition.title}, {panel}", number, 1, where, frame)


def _note_box(order: Order, part: Component) -> None:
    """Notes which box of the service holds the cards: its panels are placed on the template of the service."""
    boxes = order.target.products_for("box")
    if not boxes or not part.definition.decks:
        return
    decks = [order.dressed.components[name] for name in part.definition.decks]
    count = sum(len(order.deck.cards.get(deck.name) or deck.cards) for deck in decks)
    holding = [
        box
        for box in boxes
        if box.holds
        and box.cards
        and count <= box.cards.high
        and all(deck.size and _holds(box.holds, deck.size) for deck in decks)
    ]
    if not holding:
        note(f"{order.target.definition.service} has no box for the {count} cards of “{part.name}”")
        return
    box = min(holding, key=lambda box: (box.cards.high if box.cards else 0, box.width * box.height))
    note(
        f"“{part.name}” is a picture for each panel: place them on the template of the product {box.name} "
        f"({box.pixels[0]} × {box.pixels[1]} pixels)"
    )


def _holds(box: Size, card: Size) -> bool:
    """Whether a box for cards of one size holds those of another, with little room to spare."""
    return -1 <= box.width - card.width <= 6 and -1 <= box.height - card.height <= 6


def _sheet(order: Order, part: Component) -> Iterator[Piece]:
    press = press_for(order, part)
    paper = press.paper_of(part, order.paper)
    where = canvas(part, Size(paper.width, paper.height), order.target, order.product)
    for number, frame in enumerate(press.sheet(part, paper), start=1):
        press.step()
        yield Piece(part, f"page-{number}", f"{part.definition.title}, page {number}", number, 1, where, frame)


def _page(order: Order, part: Component) -> Iterator[Piece]:
    press = press_for(order, part)
    paper = press.paper_of(part, order.paper)
    part = press.part(part.name)
    where = canvas(part, Size(paper.width, paper.height), order.target, order.product)
    for number, frame in enumerate(press.whole_frames(part, order.paper), start=1):
        yield Piece(part, f"page-{number}", f"{part.definition.title}, page {number}", number, 1, where, frame)


def _booklet(order: Order, part: Component) -> Iterator[Piece]:
    document = press_for(order, part).component(part.name, order.paper).pdf
    found = list(_book_pages(document))
    if order.target.products_for("booklet") and len(found) % 4:
        note(f"“{part.name}” has {len(found)} pages, and booklets have 4, 8, 12, …: add empty ones at the end")
    for number, side in enumerate(found, start=1):
        where = canvas(part, Size(side.width, side.height), order.target, order.product)
        yield Piece(part, f"page-{number}", f"{part.definition.title}, page {number}", number, 1, where, side)


def _book_pages(document: bytes) -> Iterator[BookPage]:
    """The pages of a booklet; a spread is two."""
    for number, (width, height) in enumerate(page_sizes(document)):
        full, high = width / POINTS, height / POINTS
        if width <= height:
            yield BookPage(document, number, full, high, full)
        else:
            yield from (BookPage(document, number, full / 2, high, full, left) for left in (0.0, full / 2))


_READERS: Mapping[str, Callable[[Order, Component], Iterator[Piece]]] = MappingProxyType(
    {
        "deck": _deck,
        "pawns": _deck,
        "board": _board,
        "dice": _dice,
        "box": _box,
        "sheet": _sheet,
        "page": _page,
        "booklet": _booklet,
    }
)
