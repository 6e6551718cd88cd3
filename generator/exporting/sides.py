"""The sides of a component, one after the other: the front and back of each card, the six sides of each die, the pages
of sheets and booklets; and the canvas of each: the picture or page that a target wants, which product, how large, which
way up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import product
from math import ceil, log
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ..draws import Deck
from ..errors import InputError, Problem, collecting, did_you_mean, fault, note, noting, refuse
from ..geometry.frame import Frame, Group, Page, Placed, scaled
from ..model.game import Card, Component, Game
from ..model.print_settings import PrintSettings
from ..model.values import Size
from ..printing.game_faces import Step, no_step
from ..printing.pieces import box_panels, net_side
from ..printing.press import Press, needs_set
from ..printing.printers import Printer
from ..reading.sizes import Paper
from ..reading.targets import MM_PER_INCH, Product, Target

SAME = 1.0
"""By how many mm a card may differ from a product: the difference becomes bleed, or is cut off."""
SCALED = ("sheet", "page", "booklet", "dice", "pawns")
"""Kinds of components that are scaled to the size of a product; others keep their size."""
SMALLEST, LARGEST = 0.8, 1.02
"""How far those may be scaled without being asked."""
MAX_BLEED = 30.0
NO_BLEED = ("sheet", "page", "booklet")
"""Kinds of components that have no bleed: their pages are white along the edges."""


class Canvas(Struct, frozen=True):
    """The picture or page of a side: `width` and `height` in mm with bleed, and in `pixels`; the `trim` of the product
    (x, y, width, height). A frame is scaled by `scale`, turned by `turn` degrees clockwise (its back by `back_turn`),
    and its trim then lies at (`x`, `y`)."""

    width: float
    height: float
    pixels: tuple[int, int]
    trim: tuple[float, float, float, float]
    x: float
    y: float
    scale: float = 1.0
    turn: int = 0
    product: Product | None = None

    @property
    def back_turn(self) -> int:
        """A card lies on its side in a picture of the other orientation, and its back on the opposite side, so that
        both are the right way up when you turn it over."""
        return -self.turn % 360

    @property
    def upright(self) -> Canvas:
        """The canvas in portrait: cards on their side are turned."""
        if self.width <= self.height:
            return self
        x, y, width, height = self.trim
        return replace(
            self,
            width=self.height,
            height=self.width,
            pixels=self.pixels[::-1],
            trim=(y, x, height, width),
            x=self.y,
            y=self.x,
            turn=90,
        )

    def fitted(self, longest: int, most: float = 300 / MM_PER_INCH) -> tuple[int, int]:
        """Its pixels if the longer side has at most this many, and at most this many pixels a millimetre."""
        scale = min(longest / max(self.width, self.height), most)
        return max(1, round(self.width * scale)), max(1, round(self.height * scale))

    def page(self, frame: Frame, *, back: bool = False, label: str = "") -> Page:
        """A page with the frame alone, as large as the canvas."""
        placed = scaled(frame, self.scale) if self.scale != 1.0 else frame
        turn = self.back_turn if back else self.turn
        width, height = (placed.width, placed.height) if turn % 180 == 0 else (placed.height, placed.width)
        x, y = (self.width - width) / 2, (self.height - height) / 2
        reach = x, y, self.width - x - width, self.height - y - height
        return Page(
            self.width,
            self.height,
            (Placed(placed, x, y, turn=turn, clip=reach),),
            label=label,
            cut=True,
            trim=self.trim,
        )


Fold = Literal["", "left", "right"]


class ExportPiece(Struct, frozen=True):
    """One card, die side, page or board, and how often it is needed. `name` is its id, and `number` its place in its
    component, from 1; `back_name` is the same for all pieces with the same back. A page of a spread has a `fold` on its
    left or right."""

    component: Component
    name: str
    title: str
    number: int
    canvas: Canvas
    front: Frame
    copies: int = 1
    back: Frame | None = None
    back_name: str = ""
    fold: Fold = ""

    @property
    def shown(self) -> str:
        """What messages call it."""
        return f"{self.component.name}, {self.name}" if self.name else self.component.name


class ExportOrder(Struct, frozen=True):
    """What is exported: a game with a deck to a target. `product` is the product to use instead of the one that fits,
    `paper` the paper on which sheets and booklets are set. `processes` draw pictures, and `icc` is a colour profile for
    CMYK. Sheets for cutting machines have their backs corrected for a `printer`, and the slots with `skipped` numbers
    stay empty. Names of files may begin with a `surname`."""

    game: Game
    deck: Deck
    target: Target
    paper: Paper
    product: str | None = None
    step: Step = no_step
    printer: Printer | None = None
    surname: str = ""
    processes: int | None = None
    icc: Path | None = None
    skipped: tuple[int, ...] = ()

    @property
    def dressed(self) -> Game:
        return self.deck.dress(self.game)


def components_of(order: ExportOrder, names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The components to export, and those that are left out because the target does not take their kind. Those that are
    named must be possible: raises InputError."""
    game, target = order.dressed, order.target
    if names:
        usual = [name for name in game.components if name in names]
    else:
        changed = order.deck.changes(order.game) if order.deck.code else tuple(game.components)
        usual = [name for name in changed if not _needs_set(game.components[name], order.deck)]
    is_service = bool(target.products) or target.definition.format == "pdf-x1a"
    taken = [
        name
        for name in usual
        if target.takes(game.components[name].kind)
        and (names or not is_service or not game.components[name].definition.home)
    ]
    left_out = [name for name in usual if name not in taken]
    hint = f"it takes {', '.join(target.definition.kinds or dict.fromkeys(p.kind for p in target.products.values()))}"
    if names and left_out:
        raise InputError(
            Problem(f"{target.name} does not take “{name}”, a {game.components[name].kind}", hint=hint)
            for name in names
            if name in left_out
        )
    if not taken:
        raise fault(f"{game.title} has nothing that {target.name} takes", hint=hint)
    if order.product:
        named_product(order.product, [game.components[name] for name in taken], target)
    return taken, left_out


def without_product(order: ExportOrder, name: str) -> tuple[Problem, ...]:
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


def pieces(order: ExportOrder, name: str) -> Iterator[ExportPiece]:
    """The pieces of a component, one by one. Raises InputError if the target has no product for it; the problems of
    faces are raised together at the end."""
    part = order.dressed.components[name]
    if _needs_set(part, order.deck):
        raise fault(f"“{name}” of {order.dressed.title} needs a random set", hint="add --set CODE")
    return _READERS[part.kind](order, part)


def press_for(order: ExportOrder, part: Component, bleed: float | None = None) -> Press:
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


def _deck(order: ExportOrder, part: Component) -> Iterator[ExportPiece]:
    """The cards of a deck, or the pawns of a component."""
    press, part, where = _drawing(order, part)
    cards = order.deck.cards.get(part.name) or part.cards
    if not cards:
        raise fault(f"“{part.name}” has no cards", part.definition.place)
    copies, titles = Counter(card.id for card in cards), part.columns.title or part.columns.front or ""
    back_names, problems = dict[bytes, str](), list[Problem]()
    for number, card in enumerate({card.id: card for card in cards}.values(), start=1):
        back = (card.values.get("back") if part.columns.own_back else None) or part.definition.back
        with collecting(problems):
            front_side = _side(press, part, card, part.definition.face[0])
            back_side = _side(press, part, card, str(back)) if back else None
        if not problems:
            yield ExportPiece(
                part,
                card.id,
                title=str(card.values.get(titles) or card.id),
                number=number,
                canvas=where,
                front=front_side,
                copies=copies[card.id],
                back=back_side,
                back_name=_back_name(back_side, back_names),
            )
    refuse(problems)


def _drawing(order: ExportOrder, part: Component) -> tuple[Press, Component, Canvas]:
    """The press for a component whose sides have one size, the component as it draws it, and their canvas."""
    assert part.size
    where = canvas(part, part.size, order.target, order.product)
    bleed = ceil(max(where.x, where.y, 0.0) / where.scale * 100 + 1) / 100  # a little more than is seen
    press = press_for(order, part, min(bleed, MAX_BLEED))
    return press, press.part(part.name), where


def _side(press: Press, part: Component, card: Card, template: str) -> Frame:
    """A side as a plain frame, which can be compared with others."""
    press.step()
    if part.kind == "pawns":
        return press.card(part, card, template)
    frame = press.side(part, card, template)
    return replace(frame, items=tuple(frame.items))


def _back_name(frame: Frame | None, names: dict[bytes, str]) -> str:
    """The name of a back: those that look the same have the same name. `names` are those so far."""
    if frame is None:
        return ""
    digest = sha256(repr(frame.items).encode()).digest()
    return names.setdefault(digest, f"back-{len(names) + 1}" if names else "back")


def _board(order: ExportOrder, part: Component) -> Iterator[ExportPiece]:
    press, part, where = _drawing(order, part)
    frame = press.board(part)
    press.step()
    yield ExportPiece(part, "", title=part.definition.title, number=1, canvas=where, front=frame)


def _dice(order: ExportOrder, part: Component) -> Iterator[ExportPiece]:
    press, part, where = _drawing(order, part)
    copies = Counter(die.id for die in part.cards)
    dice = {die.id: die for die in part.cards}.values()
    for number, (die, side) in enumerate(product(dice, range(1, 7)), start=1):
        front, title = net_side(press, part, die, side), f"{die.id}, side {side}"
        press.step()
        yield ExportPiece(
            part, f"{die.id}-{side}", title=title, number=number, canvas=where, front=front, copies=copies[die.id]
        )


def _box(order: ExportOrder, part: Component) -> Iterator[ExportPiece]:
    press = press_for(order, part, order.target.definition.bleed)
    part = press.part(part.name)
    _note_box(order, part)
    for number, (panel, frame) in enumerate(box_panels(press, part).items(), start=1):
        where = canvas(part, Size(frame.width, frame.height), order.target)
        yield ExportPiece(
            part, panel, title=f"{part.definition.title}, {panel}", number=number, canvas=where, front=frame
        )


def _note_box(order: ExportOrder, part: Component) -> None:
    """Notes which box of the service holds the cards: its panels are placed on the template of the service."""
    boxes = order.target.products_for("box")
    if not boxes or not part.definition.decks:
        return
    decks = [order.dressed.components[name] for name in part.definition.decks]
    count = sum(len(order.deck.cards.get(deck.name) or deck.cards) for deck in decks)
    holding = [
        (box.cards.high, box.width * box.height, box)
        for box in boxes
        if box.holds
        and box.cards
        and count <= box.cards.high
        and all(
            deck.size
            and -1 <= box.holds.width - deck.size.width <= 6
            and -1 <= box.holds.height - deck.size.height <= 6
            for deck in decks
        )
    ]
    if not holding:
        note(f"{order.target.definition.service} has no box for the {count} cards of “{part.name}”")
        return
    *_, box = min(holding, key=lambda each: each[:2])
    note(
        f"“{part.name}” is a picture for each panel: place them on the template of the product {box.name} "
        f"({box.pixels[0]} × {box.pixels[1]} pixels)"
    )


def _pages(order: ExportOrder, part: Component) -> Iterator[ExportPiece]:
    """The pages of a sheet, a page or a booklet."""
    press = press_for(order, part)
    sides: Iterable[tuple[Frame, Fold]]
    if part.kind == "booklet":
        sides = list(_book_pages(press, part, order.paper))
        if order.target.products_for("booklet") and len(sides) % 4:
            note(f"“{part.name}” has {len(sides)} pages, and booklets have 4, 8, 12, …: add empty ones at the end")
        size = Size(sides[0][0].width, sides[0][0].height)
    else:
        paper, dressed = press.paper_of(part, order.paper), press.part(part.name)
        size = Size(paper.width, paper.height)
        frames = press.sheet(part, paper) if part.kind == "sheet" else press.whole_frames(dressed, paper)
        sides = [(frame, "") for frame in frames]
        part = part if part.kind == "sheet" else dressed
    where = canvas(part, size, order.target, order.product)
    for number, (side, fold) in enumerate(sides, start=1):
        if part.kind == "sheet":
            press.step()
        title = f"{part.definition.title}, page {number}"
        yield ExportPiece(part, f"page-{number}", title=title, number=number, canvas=where, front=side, fold=fold)


def _book_pages(press: Press, part: Component, paper: Paper) -> Iterator[tuple[Frame, Fold]]:
    """The pages of a booklet; a spread is two, each of which shows the other beyond the fold."""
    for frame in (page.placed[0].frame for page in press.book(part, paper)[0]):
        if frame.width <= frame.height:
            yield frame, ""
            continue
        halves: tuple[tuple[float, Fold], ...] = (0.0, "right"), (frame.width / 2, "left")
        for left, fold in halves:
            group = Group(tuple(frame.items), transform=(1.0, 0.0, 0.0, 1.0, -left, 0.0))
            yield replace(frame, width=frame.width / 2, items=(group,)), fold


_READERS: Mapping[str, Callable[[ExportOrder, Component], Iterator[ExportPiece]]] = MappingProxyType(
    {"deck": _deck, "pawns": _deck, "board": _board, "dice": _dice, "box": _box}
    | dict.fromkeys(("sheet", "page", "booklet"), _pages)
)


def canvas(part: Component, size: Size, target: Target, product: str | None = None) -> Canvas:
    """The canvas of a component's sides, whose trim is `size`. Raises InputError if the target has no product of this
    size, or not the one that is named."""
    if not target.products_for(part.kind) or part.kind == "box":
        is_rules = part.kind == "booklet" and target.definition.format == "pdf-x1a"
        bleed = 0.0 if part.kind in NO_BLEED and not is_rules else target.definition.bleed
        width, height = size.width + 2 * bleed, size.height + 2 * bleed
        # pages of rules have no bleed: they are enlarged into it
        scale = max(width / size.width, height / size.height) if is_rules else 1.0
        x, y = (width - size.width * scale) / 2, (height - size.height * scale) / 2
        pixels, trim = (_pixels(width, target), _pixels(height, target)), (bleed, bleed, size.width, size.height)
        return Canvas(width, height, pixels, trim=trim, x=x, y=y, scale=scale)
    product = product or part.definition.products.get(target.name)
    named = target.products.get(product) if product else None
    if named and named.kind != part.kind:  # it is for other components
        product = None
    chosen = named_product(product, [part], target) if product else _by_size(part, size, target)
    turn, scale = _fitted(size, chosen) if part.kind in SCALED or product else (_nearer_turn(size, chosen), 1.0)
    if scale != 1.0:
        note(f"“{part.name}” is printed at {scale:.0%} of its size, to fit the product {chosen.name}")
    width, height, pixels = _of_product(chosen, target)
    trim = (width - chosen.width) / 2, (height - chosen.height) / 2, chosen.width, chosen.height
    across, down = (size.width, size.height) if turn == 0 else (size.height, size.width)
    x, y = (width - across * scale) / 2, (height - down * scale) / 2
    return Canvas(width, height, pixels, trim=trim, x=x, y=y, scale=scale, turn=turn, product=chosen)


def _pixels(length: float, target: Target) -> int:
    return max(1, round(length * target.definition.dpi / MM_PER_INCH))


def _of_product(product: Product, target: Target) -> tuple[float, float, tuple[int, int]]:
    """The canvas of a product: width and height in mm, and pixels."""
    if product.pixels != (0, 0):
        dpi = target.definition.dpi
        return product.pixels[0] * MM_PER_INCH / dpi, product.pixels[1] * MM_PER_INCH / dpi, product.pixels
    width, height = product.width + 2 * product.bleed[0], product.height + 2 * product.bleed[1]
    return width, height, (_pixels(width, target), _pixels(height, target))


def _nearer_turn(size: Size, product: Product) -> int:
    upright = _difference(size, product.width, product.height)
    return 90 if _difference(size, product.height, product.width) < upright - 1e-6 else 0


def _fitted(size: Size, product: Product) -> tuple[int, float]:
    """The turn and the scale at which a side fills a product best."""
    upright = min(product.width / size.width, product.height / size.height)
    sideways = min(product.height / size.width, product.width / size.height)
    turn, scale = (90, sideways) if sideways > upright * 1.01 else (0, upright)
    return turn, 1.0 if abs(scale - 1) < 0.001 else scale


def named_product(name: str, parts: Sequence[Component], target: Target) -> Product:
    """The product with this name. Raises InputError if the target has none that one of these components can become."""
    product, part = target.products.get(name), parts[0]
    if product and any(each.kind == product.kind for each in parts):
        return product
    known = {each.name: each for each in target.products_for(part.kind)}
    raise fault(
        f"{target.definition.service} has no product “{name}” for the {part.kind} “{part.name}”",
        hint=f"it is for components of the kind “{product.kind}”" if product else did_you_mean(name, known),
    )


def _by_size(part: Component, size: Size, target: Target) -> Product:
    products = [product for product in target.products_for(part.kind) if product.shape == _shape(part)]
    if part.kind in SCALED:
        for product in products:
            _, scale = _fitted(size, product)
            if part.kind == "dice" or SMALLEST <= scale <= LARGEST:
                return product
    else:
        near = [product for product in products if _distance(size, product) <= SAME]
        if near:
            return min(near, key=lambda product: _distance(size, product))
    raise _none_fits(part, size, products, target)


def _shape(part: Component) -> str:
    shape = part.definition.shape
    return "hex" if shape.endswith("hex") else shape if shape == "round" else "rectangle"


def _difference(size: Size, width: float, height: float) -> float:
    return max(abs(size.width - width), abs(size.height - height))


def _distance(size: Size, product: Product) -> float:
    """By how many mm a size differs from a product, either way up."""
    upright = _difference(size, product.width, product.height)
    return min(upright, _difference(size, product.height, product.width))


def _unlike(size: Size, product: Product) -> float:
    """How far a product is from a size: by the scale that fits it, and by the room that is then left."""
    scale = max(
        min(width / size.width, height / size.height)
        for width, height in ((product.width, product.height), (product.height, product.width))
    )
    room = product.width * product.height / (size.width * size.height * scale * scale)
    return abs(log(scale)) + log(room)


def _none_fits(part: Component, size: Size, products: Sequence[Product], target: Target) -> InputError:
    nearest = sorted(products, key=lambda product: _unlike(size, product))[:3]
    listed = ", ".join(f"{product.name} ({product.width:.4g} × {product.height:.4g} mm)" for product in nearest)
    what = f"{target.definition.service} has no {part.kind} of {size.width:.4g} × {size.height:.4g} mm"
    if not nearest:
        return fault(f"{what} of this shape, the size of “{part.name}”", part.definition.place)
    fits = "change “size” in game.yaml to one of these" if part.kind == "deck" else "choose one of these"
    hint = f"the nearest are {listed}; {fits}, or scale it with --product {nearest[0].name}"
    return fault(f"{what}, the size of “{part.name}”", part.definition.place, hint)
