"""Nets of dice, boxes, trays and pawns, and the figures of a booklet."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, cast

from msgspec.structs import replace

from .. import __version__, limits
from ..errors import Place, did_you_mean, fault, listed, shortened
from ..geometry.frame import Frame
from ..geometry.outlines import Cut
from ..layout.handwriting import with_marks
from ..model.game import Card, Component
from ..model.values import Size
from ..nodes import Node, plain
from ..pages.nets import Net, box_net, cube_net, pawn_net, room_box_size, sleeve_size, tuck_box_size
from ..pages.nets import box_panels as panel_sizes
from ..pages.packing import net_area
from ..reading.components import DECKLESS
from ..reading.sizes import Paper
from .game_faces import GameFaces

if TYPE_CHECKING:
    from ..booklet.figures import CardFile, FigureFile, PictureFile, PieceDrawer, PieceFile


NET_GAP = 4.0
NET_MARGIN = 6.0
"""Between nets on a page, and around them, in mm."""
_DIE_CORNER = 0.13  # the radius of the corners of dice in booklets, as a share of their edge


def net_pieces(faces: GameFaces, part: Component) -> list[Net | Frame]:
    """The nets of a component and of those printed with it; of decks, the fronts of the cards."""
    pieces: list[Net | Frame] = list(nets(faces, part))
    for other in map(faces.part, part.definition.with_):
        pieces += faces.fronts(other) if other.kind == "deck" else nets(faces, other)
    return pieces


def nets(faces: GameFaces, part: Component) -> list[Net]:
    """The nets of a component, one for every copy."""
    if part.kind == "box":
        return [box_net(part.definition.form, _box_size(faces, part), box_panels(faces, part), part.name)]
    make = _die if part.kind == "dice" else _pawn
    by_id = {name: make(faces, part, card) for name, card in {card.id: card for card in part.cards}.items()}
    return [by_id[card.id] for card in part.cards]


def net_side(faces: GameFaces, part: Component, die: Card, number: int) -> Frame:
    """One side (1 to 6) of a die, drawn once."""
    assert part.size
    key, edge = (part.name, die.id, number), part.size.width
    if key not in faces.die_sides:
        faces.die_sides[key] = faces.panel(
            part,
            part.definition.face[0],
            (edge, edge),
            f"die {die.id}, side {number}",
            die=die,
            side=number,
            shown=die.faces[number - 1],
            edge=edge,
        )
    return faces.die_sides[key]


def _die(faces: GameFaces, part: Component, die: Card) -> Net:
    assert part.size
    sides = [net_side(faces, part, die, number) for number in range(1, 7)]
    faces.step()
    return cube_net(part.size.width, sides, name=f"die {die.id}")


def _pawn(faces: GameFaces, part: Component, card: Card) -> Net:
    about = part.definition
    front, back = (faces.card(part, card, template) for template in (about.face[0], about.back))
    faces.step()
    return pawn_net(
        front, back, about.base, name=f"pawn {card.id}", shoulder=about.radius if about.shape == "rounded" else 0.0
    )


def _box_size(faces: GameFaces, part: Component) -> tuple[float, float, float]:
    """The width, height and depth from fold to fold, of a tuck box or sleeve for all the cards of its decks or for what
    fits into its room, of a band or a tray."""
    about = part.definition
    if about.room and about.form in DECKLESS:
        return about.room
    if about.room:
        box = room_box_size(about.room)
    else:
        trims = [trim for deck in about.decks if (trim := faces.part(deck).size)]
        card = max(trim.width for trim in trims), max(trim.height for trim in trims)
        count = sum(len(faces.deck.cards[deck]) for deck in about.decks)
        box = tuck_box_size(card, count, about.stock, clearance=about.clearance)
    return sleeve_size(box.inner) if about.form == "sleeve" else (box.width, box.height, box.depth)


def box_panels(faces: GameFaces, part: Component) -> dict[str, Frame]:
    """The faces of a box of any form, by panel; the walls of a tray share two templates."""
    sizes = panel_sizes(part.definition.form, _box_size(faces, part))
    templates = part.definition.panels
    panels = {
        panel: faces.panel(
            part,
            template,
            sizes[panel],
            f"{part.name}, {panel}",
            panel=panel,
            width=sizes[panel][0],
            height=sizes[panel][1],
        )
        for panel in sizes
        if (template := templates.get(panel.partition("-")[0]))
    }
    faces.step()
    return panels


def box_capacity(card: Size, stock: float, clearance: float, paper: Paper) -> int:
    """The largest number of cards, each `stock` mm thick, whose tuck box fits on one page. Raises ValueError for cards
    that are too small for a box."""
    area = net_area(paper, NET_MARGIN)

    def too_large(count: int) -> bool:
        box = tuck_box_size((card.width, card.height), count, stock, clearance=clearance)
        net = box_net("tuck", (box.width, box.height, box.depth), {})
        return (net.width > area.width or net.height > area.height) and (
            net.height > area.width or net.width > area.height
        )

    return bisect_left(range(1, limits.CARDS + 1), True, key=too_large)


# ---- figures of a booklet

PICTURE_WIDTH = 60.0
DrawSheet = Callable[[Component], list[Frame]]
"""Draws the pages of a score sheet."""
DieSide = tuple[str, str | None]
"""The side that a die shows, and its colour, or None for any."""


def piece_drawer(faces: GameFaces, part: Component, draw_sheet: DrawSheet) -> PieceDrawer:
    """What draws the pictures of a booklet."""
    from ..booklet.figures import PieceDrawer  # few components are booklets

    def page(template: str, size: tuple[float, float], enlarged: float = 1.0, **more: Any) -> Frame:
        context = {
            "width": size[0],
            "height": size[1],
            "large": faces.settings.large_print,
            "pencilbox": __version__,
            **more,
        }
        face = faces.face(
            part, template, size, 0.0, bleed=part.definition.bleed, of=f"{part.name}, {template}", **context
        )
        return faces.placed(face, replace(faces.theme, least_type=faces.least_type / enlarged))

    return PieceDrawer(partial(_figure_pieces, faces, draw_sheet), partial(spread_piece, faces, draw_sheet), page)


def _figure_pieces(faces: GameFaces, draw_sheet: DrawSheet, figure: FigureFile, place: Place) -> list[Frame]:
    """The pieces of a figure, from left to right."""
    if figure.picture:
        return [faces.image(figure.picture, figure.piece_width or PICTURE_WIDTH, place)]
    if figure.dice:
        return _dice(faces, figure)
    if figure.faces:
        return [_scene(faces, draw_sheet, picture) for picture in figure.faces]
    return [_card(faces, card) for card in figure.cards]


def spread_piece(faces: GameFaces, draw_sheet: DrawSheet, piece: PieceFile) -> Frame:
    """A piece on a cover or spread of a booklet. Raises InputError for one that the game does not have."""
    if piece.card:
        return _card(faces, piece)
    if piece.die:
        return _dice_showing(faces, [(piece.die, piece.colour or None)])[0]
    if piece.board and not piece.face:
        return faces.board(_of_kind(faces, piece.board, "board"))
    if piece.sheet:
        part = _of_kind(faces, piece.sheet, "sheet")
        assert part.sheet
        unknown = [name for name in piece.marks or {} if name not in part.sheet.fields]
        if unknown:
            raise fault(
                f"sheet “{part.name}” has no field “{shortened(unknown[0])}”",
                hint=did_you_mean(unknown[0], part.sheet.fields),
            )
        pages = draw_sheet(part)
        if not 1 <= piece.page <= len(pages):
            raise fault(f"sheet “{part.name}” has no page {piece.page}", hint=f"it has {len(pages)}")
        page = pages[piece.page - 1]
        here = {slot.id for slot in page.slots()}
        marks = {name: mark for name, mark in (piece.marks or {}).items() if name in here}
        return with_marks(page, faces.theme, marks)
    return _picture(faces, piece)


def _of_kind(faces: GameFaces, name: str, kind: str) -> Component:
    part = faces.part(name)
    if part.kind != kind:
        raise fault(f"“{name}” is not a {kind} but a {part.kind}")
    return part


def _card(faces: GameFaces, file: CardFile | PieceFile) -> Frame:
    part = _deck(faces, file)
    cards = {card.id: card for card in part.cards}  # the standard cards: examples are not about a random set
    if file.card not in cards:
        raise fault(
            f"a figure shows card “{file.card}”, which is not in {part.name}", hint=did_you_mean(file.card, cards)
        )
    template = part.definition.back if file.back else part.definition.face[0]
    return with_marks(faces.card(part, cards[file.card], template), faces.theme, file.marks or {})


def _deck(faces: GameFaces, file: CardFile | PieceFile) -> Component:
    """The deck of a card in a figure: the one it names, else `cards`, else the only one that has the card."""
    decks = faces.names_of("deck")
    named = file.deck or getattr(file, "component", "")  # the old name of `deck` in figures
    if name := named or ("cards" if "cards" in decks else ""):
        return faces.part(name)
    having = [name for name in decks if any(card.id == file.card for card in faces.part(name).cards)]
    if len(having) == 1 or len(decks) == 1:
        return faces.part((having or decks)[0])
    raise fault(
        f"a figure shows card “{shortened(file.card)}”, which {'several decks have' if having else 'no deck has'}",
        hint=f"name its deck: {{deck: {having[0]}, card: {file.card}}}" if having else f"the decks are {listed(decks)}",
    )


def _scene(faces: GameFaces, draw_sheet: DrawSheet, picture: PictureFile) -> Frame:
    """A face with the pieces that lie on it."""
    ground = _picture(faces, picture)
    if not picture.pieces:
        return ground
    return picture.with_pieces(ground, [spread_piece(faces, draw_sheet, piece) for piece in picture.pieces])


def _picture(faces: GameFaces, picture: PictureFile | PieceFile) -> Frame:
    assert picture.size
    shows: Any = plain(cast(Node, picture.shows)) if picture.shows else {}
    board = faces.board_context(faces.part(picture.board)) if picture.board else {}
    least = 0.0 if getattr(picture, "as_printed", True) else faces.least_type
    return faces.picture(picture.face, (picture.size.width, picture.size.height), shows, least, **board)


def _dice(faces: GameFaces, figure: FigureFile) -> list[Frame]:
    if len(figure.colours) > len(figure.dice):
        raise fault(f"a figure names {len(figure.colours)} colours for {len(figure.dice)} dice")
    return _dice_showing(faces, list(zip_longest(figure.dice, figure.colours)))


def _dice_showing(faces: GameFaces, sides: Sequence[DieSide]) -> list[Frame]:
    """Dice that show these sides, each a different die, with the round corners of a die on the table."""
    names = [name for name in faces.names_of("dice") if name in faces.base_game.components]
    if not names:
        raise fault("a figure shows dice, but the game has none")
    part = faces.base_game.components[names[0]]
    dice = _assigned(sides, part.cards)
    if dice is None:
        raise fault(f"a figure shows {' '.join(shown for shown, _ in sides)}, but the dice cannot show that")
    drawn = (
        net_side(faces, part, die, die.faces.index(shown) + 1) for die, (shown, _) in zip(dice, sides, strict=True)
    )
    return [replace(side, cut=Cut("rounded", _DIE_CORNER * side.width)) for side in drawn]


def _assigned(sides: Sequence[DieSide], dice: Sequence[Card]) -> list[Card] | None:
    """A different die for each side, or None if the dice cannot show all the sides at once. This is bipartite matching
    by augmenting paths: a die in use goes to another side if the side that has it can take another die."""
    used: dict[int, int] = {}

    def place(side: int, visited: set[int]) -> bool:
        for number, die in enumerate(dice):
            shown, colour = sides[side]
            if number not in visited and (shown in die.faces and colour in (None, die.values.get("colour"))):
                visited.add(number)
                if number not in used or place(used[number], visited):
                    used[number] = side
                    return True
        return False

    if not all(place(side, set()) for side in range(len(sides))):
        return None
    return [dice[number] for number, _ in sorted(used.items(), key=lambda pair: pair[1])]
