"""Games for virtual tabletops: a saved object for Tabletop Simulator, with sheets of cards, dice, boards and score
sheets, and a room for playingcards.io.

The files of Tabletop Simulator are those of the program's knowledge base (custom decks) and of objects that it saves
itself. A sheet is cut into `NumWidth` × `NumHeight` equal cells, and a card is `100 × deck + cell`. A cell keeps its
card in later exports.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import md5
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from PIL import Image, ImageOps, ImageStat

from ..errors import Place, fault
from ..files import save
from ..reading.targets import MM_PER_INCH
from .images import ManifestRow, SidePicture, drawn, plain_name
from .output_folder import NewFolder
from .raster import encoded, hashed_name
from .sides import ExportOrder, ExportPiece, pieces

MAX_SIDE = 4096
"""The most pixels of a sheet in each direction."""
COLUMNS, ROWS = 10, 7
THUMBNAIL = 256
_POKER = 88.9  # the height in mm of a card of scale 1
_STEP = 4.0  # the distance between objects on the table
_QUALITY = 92
_HIDDEN = "#d8d8d8"
_PLAIN = 4  # a picture whose channels deviate by no more from their mean shows nothing
# How the die of the program is turned when it shows each number.
_D6 = {1: (-90, 0, 0), 2: (0, 0, 0), 3: (0, 0, -90), 4: (0, 0, 90), 5: (0, 0, -180), 6: (90, 0, 0)}


class _Table:
    """The objects on the table: each has an id of its own, which stays the same in later exports. `rows` are the cards
    so far."""

    def __init__(self, order: ExportOrder, folder: NewFolder) -> None:
        self.order, self.folder = order, folder
        self.objects: list[dict[str, Any]] = []
        self.ids: set[str] = set()
        self.rows: list[ManifestRow] = []

    def new(self, key: str, name: str, kind: str, *, nickname: str, down: bool = False, scale: float = 1.0) -> Any:
        """An object without its picture, not yet on the table."""
        return {
            "GUID": self._id(key),
            "Name": kind,
            "Transform": {
                "posX": 0.0,
                "posY": 1.5,
                "posZ": 0.0,
                "rotX": 0.0,
                "rotY": 180.0,
                "rotZ": 180.0 if down else 0.0,
                "scaleX": round(scale, 4),
                "scaleY": 1.0,
                "scaleZ": round(scale, 4),
            },
            "Nickname": nickname,
            "Description": "",
            "Tags": [name],
            "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
            "Locked": False,
            "Grid": True,
            "Snap": True,
            "Autoraise": True,
            "Sticky": True,
            "Tooltip": True,
            "HideWhenFaceDown": False,
            "Hands": False,
        }

    def put(self, thing: dict[str, Any]) -> None:
        """Puts an object on the table, beside the others."""
        row, column = divmod(len(self.objects), 8)
        thing["Transform"]["posX"], thing["Transform"]["posZ"] = column * _STEP - 3.5 * _STEP, -row * _STEP
        self.objects.append(thing)

    def _id(self, key: str) -> str:
        """Six hexadecimal digits from a key; the next ones if they are taken."""
        digits = md5(f"{self.order.dressed.key}/{key}".encode(), usedforsecurity=False).hexdigest()
        free = next((six for at in range(len(digits) - 6) if (six := digits[at : at + 6]) not in self.ids), None)
        if free is None:
            return self._id(f"{key}+")
        self.ids.add(free)
        return free

    def picture(self, stem: str, image: Any) -> str:
        """Writes a picture and returns its address: the program reads it from this computer until it is uploaded."""
        data = encoded(image, "JPEG", quality=_QUALITY, subsampling=0)
        name = hashed_name(stem, data, "jpg")
        (self.folder.path / name).write_bytes(data)
        return f"file:///{self.folder.target.absolute().joinpath(name).as_posix().lstrip('/')}"

    def add_row(self, piece: ExportPiece, front: str = "", back: str = "", cell: str = "") -> None:
        """Adds a card with the addresses of its pictures, and its cell on a sheet of cards."""
        self.rows.append(ManifestRow(piece, front.rpartition("/")[2] + cell, back.rpartition("/")[2]))


def write(order: ExportOrder, names: Sequence[str], folder: NewFolder) -> list[ManifestRow]:
    """Writes the pictures, the saved object and its thumbnail; returns the cards."""
    table = _Table(order, folder)
    folder.state.update(order=dict(folder.old.get("order", {})), decks=dict(folder.old.get("decks", {})))
    writers = {"deck": _deck, "dice": _dice, "board": _board, "pawns": _pawns}
    for name in names:
        writers.get(order.dressed.components[name].kind, _tiles)(table, name)
    stem = plain_name(order.dressed.title)
    data = {
        **dict.fromkeys(("SaveName", "GameMode", "Date", "VersionNumber", "Table", "Sky", "Note", "Rules"), ""),
        "Hands": {"Enable": True, "DisableUnused": False, "Hiding": 0},
        "ObjectStates": table.objects,
    }
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    (folder.path / f"{stem}.json").write_text(text, encoding="utf-8")
    (folder.path / f"{stem}.png").write_bytes(thumbnail(folder.path))
    return table.rows


def grid(cells: int, width: float, height: float) -> tuple[int, int]:
    """Columns and rows of a sheet for this many cells, so that they are as large as possible."""
    return max(
        ((columns, -(-cells // columns)) for columns in range(1, COLUMNS + 1) if -(-cells // columns) <= ROWS),
        key=lambda size: (min(MAX_SIDE / (size[0] * width), MAX_SIDE / (size[1] * height)), -size[0] * size[1]),
    )


def _deck(table: _Table, name: str) -> None:
    state, whole = table.folder.state, list(pieces(table.order, name))
    cells = numbered(whole, state["order"].get(name, ()))
    old = list(state["order"].get(name, ()))
    state["order"][name] = old + [piece.name for piece in cells[len(old) :] if piece]
    unique = len({piece.back_name for piece in whole}) > 1
    room = COLUMNS * ROWS - unique  # the last cell is what others see of a card whose back would give it away
    deck_ids: list[int] = []
    cards: list[dict[str, Any]] = []
    sheets: dict[str, dict[str, Any]] = {}
    for number, start in enumerate(range(0, len(cells), room)):
        key = state["decks"].setdefault(f"{name}/{number}", max(state["decks"].values(), default=0) + 1)
        sheet = sheets[str(key)] = _card_sheet(table, name, number, cells[start : start + room])
        for cell, piece in enumerate(cells[start : start + room]):
            if piece:
                ids = [100 * key + cell] * piece.copies
                cards += [_card(table, piece, copy, number=card, sheet=sheet) for copy, card in enumerate(ids)]
                deck_ids += ids
                table.add_row(piece, sheet["FaceURL"], sheet["BackURL"], f"#{cell}")
    if len(cards) == 1:
        table.put(cards[0])
        return
    title = table.order.dressed.components[name].definition.title
    deck = table.new(name, name, "DeckCustom", nickname=title, down=True, scale=_scale(whole[0]))
    deck["SidewaysCard"] = cards[0]["SidewaysCard"]
    deck["DeckIDs"] = deck_ids
    deck["CustomDeck"] = sheets
    deck["ContainedObjects"] = cards
    table.put(deck)


def numbered(whole: Iterable[ExportPiece], before: Iterable[str]) -> list[ExportPiece | None]:
    """The pieces in a lasting order: those that were in the last export keep their places (None: it is gone), and new
    ones follow."""
    by_name = {piece.name: piece for piece in whole}
    known = list(before)
    return [by_name.get(name) for name in known] + [by_name[name] for name in by_name if name not in set(known)]


def _card(table: _Table, piece: ExportPiece, copy: int, number: int, sheet: dict[str, Any]) -> dict[str, Any]:
    name = piece.component.name
    card: dict[str, Any] = table.new(
        f"{name}/{piece.name}/{copy}", name, "CardCustom", nickname=piece.title, down=True, scale=_scale(piece)
    )
    card |= {
        "HideWhenFaceDown": True,
        "Hands": True,
        "SidewaysCard": piece.canvas.width > piece.canvas.height,
        "CardID": number,
        "CustomDeck": {str(number // 100): sheet},
    }
    return card


def _scale(piece: ExportPiece) -> float:
    return max(piece.canvas.width, piece.canvas.height) / _POKER


def _card_sheet(table: _Table, name: str, number: int, cells: Sequence[ExportPiece | None]) -> dict[str, Any]:
    """Draws one sheet of cards, and one of their backs unless they share it; returns its entry in the saved object."""
    first = next(piece for piece in cells if piece)
    where = first.canvas.upright
    unique = len({piece.back_name for piece in cells if piece}) > 1
    columns, rows = grid(len(cells) + unique, where.width, where.height)
    longest = int(min(MAX_SIDE / (columns * where.width), MAX_SIDE / (rows * where.height)) * where.height)
    size = where.fitted(longest)
    stem = plain_name(name) + (f"-{number + 1}" if number else "")
    front = _pasted(table.order, cells, size, layout=(columns, rows), back=False)
    backs, layout = (cells, (columns, rows)) if unique else ([first], (1, 1))
    back = _pasted(table.order, backs, size, layout=layout, back=True)
    return {
        "FaceURL": table.picture(f"{stem}-fronts", front),
        "BackURL": table.picture(f"{stem}-backs" if unique else f"{stem}-back", back),
        "NumWidth": columns,
        "NumHeight": rows,
        "BackIsHidden": not unique,
        "UniqueBack": unique,
        "Type": {"round": 4, "hex": 2, "pointed-hex": 3, "rectangle": 1}.get(first.component.definition.shape, 0),
    }


def _pasted(
    order: ExportOrder,
    cells: Sequence[ExportPiece | None],
    size: tuple[int, int],
    *,
    layout: tuple[int, int],
    back: bool,
) -> Image.Image:
    """A sheet of exactly as many columns and rows of cells. Empty cells, and sides that a card does not have, are
    plain."""
    columns, rows = layout
    sheet = Image.new("RGB", (columns * size[0], rows * size[1]), _HIDDEN)
    shown = [
        (number, SidePicture(piece, back, piece.canvas.upright, size))
        for number, piece in enumerate(cells)
        if piece and (piece.back or not back)
    ]
    for (number, _), image in zip(shown, drawn(order, (side for _, side in shown)), strict=True):
        row, column = divmod(number, columns)
        sheet.paste(image, (column * size[0], row * size[1]))
    return sheet


def _dice(table: _Table, name: str) -> None:
    """Dice of the program itself, which say what each of their numbers stands for. How it wraps a picture around a die
    is not published."""
    part = table.order.dressed.components[name]
    copies: Counter[str] = Counter()
    for die in part.cards:
        key, nickname = f"{name}/{die.id}/{copies[die.id]}", f"{part.definition.title}: {die.id}"
        copies[die.id] += 1
        thing = table.new(key, name, "Die_6", nickname=nickname)
        thing["Description"] = ", ".join(f"{number}: {face}" for number, face in enumerate(die.faces, start=1))
        thing["RotationValues"] = [
            {"Value": face, "Rotation": dict(zip("xyz", map(float, _D6[number]), strict=True))}
            for number, face in enumerate(die.faces, start=1)
        ]
        table.put(thing)
    for piece in {piece.name: piece for piece in pieces(table.order, name)}.values():
        table.add_row(piece)


def _board(table: _Table, name: str) -> None:
    for piece in pieces(table.order, name):
        address = table.picture(plain_name(name), _image(table, piece))
        board = table.new(name, name, "Custom_Board", nickname=piece.title)
        board["Locked"] = True
        board["CustomImage"] = _custom(address, "", piece.canvas.width / piece.canvas.height)
        table.put(board)
        table.add_row(piece, address)


def _pawns(table: _Table, name: str) -> None:
    """Standing figures."""
    for piece in pieces(table.order, name):
        stem = f"{plain_name(name)}-{plain_name(piece.name)}"
        front, back = (table.picture(stem, _image(table, piece, back=back)) for back in (False, True))
        table.add_row(piece, front, back)
        for copy in range(piece.copies):
            figure = table.new(f"{name}/{piece.name}/{copy}", name, "Figurine_Custom", nickname=piece.title)
            figure["CustomImage"] = _custom(front, back)
            table.put(figure)


def _tiles(table: _Table, name: str) -> None:
    """Tiles with the pages of a sheet on both sides."""
    whole = list(pieces(table.order, name))
    addresses = list[str]()
    for piece in whole:
        addresses.append(table.picture(f"{plain_name(name)}-{len(addresses) + 1}", _image(table, piece)))
        table.add_row(piece, addresses[-1])
    for number in range(0, len(whole), 2):
        tile = table.new(
            f"{name}/{number}", name, "Custom_Tile", nickname=whole[0].component.definition.title, scale=2.0
        )
        tile["CustomImage"] = _custom(addresses[number], addresses[number : number + 2][-1]) | {
            "CustomTile": {"Type": 0, "Thickness": 0.1, "Stackable": False, "Stretch": True}
        }
        table.put(tile)


def _custom(front: str, back: str = "", width: float = 0.0) -> dict[str, Any]:
    return {"ImageURL": front, "ImageSecondaryURL": back, "ImageScalar": 1.0, "WidthScale": round(width, 4)}


def _image(table: _Table, piece: ExportPiece, *, back: bool = False) -> Any:
    size = piece.canvas.fitted(MAX_SIDE, 200 / MM_PER_INCH)
    return next(drawn(table.order, [SidePicture(piece, back, piece.canvas, size)]))


def thumbnail(folder: Path) -> bytes:
    """The first picture in a folder that is not plain, as a PNG of 256 × 256 pixels; backs come first."""
    pictures = sorted(folder.glob("*.jpg"), key=lambda file: ("-back-" not in file.name, file.name))
    image = Image.new("RGB", (THUMBNAIL, THUMBNAIL), _HIDDEN)
    for file in pictures:
        with Image.open(file) as picture:
            small = ImageOps.contain(picture.convert("RGB"), (THUMBNAIL, THUMBNAIL))
        if max(ImageStat.Stat(small).stddev) > _PLAIN:
            image.paste(small, ((THUMBNAIL - small.width) // 2, (THUMBNAIL - small.height) // 2))
            break
    return encoded(image, "PNG")


def saved_objects() -> Path:
    """The folder in which Tabletop Simulator looks for saved objects. Raises InputError if there is none."""
    home, inside = Path.home(), Path("Tabletop Simulator/Saves/Saved Objects")
    if sys.platform == "win32":
        documents = [home / "Documents/My Games", home / "OneDrive/Documents/My Games"]
    elif sys.platform == "darwin":
        documents = [home / "Library"]
    else:
        documents = [Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")]
    for folder in documents:
        if (folder / inside).is_dir():
            return folder / inside
    raise fault(
        "Tabletop Simulator is not on this computer, or has never saved anything",
        Place(str(documents[0] / inside)),
        "start it once, or copy the .json and .png files by hand",
    )


def install(folder: Path, files: Sequence[str], into: Path) -> list[Path]:
    """Copies the saved object and its thumbnail into the folder of the program."""
    objects = [name for name in files if name.endswith(".json") and name != "export.json"]
    names = [name for name in objects for name in (name, f"{name.removesuffix('.json')}.png")]
    for name in names:
        save((folder / name).read_bytes(), into / name)
    return [into / name for name in names]


# ---- a room for playingcards.io: a zip archive (.pcio) with widgets.json and the pictures
#
# The form is that of rooms which the site exports, as its importers read them. The table is 1600 × 1000.


SCHEMA = "3"
WIDTH, HEIGHT = 1600, 1000
MAX_WIDGETS = 1200
MAX_BYTES = 2 * 1024 * 1024 - 1
_LONGEST = 900
_CARD, _SHEET = 160, 420  # the height of cards and of sheets on the table
_BOARD = 700


class _Room:
    """The widgets and pictures of a room; `x` and `y` are where the next widget goes. `rows` are the cards so far."""

    def __init__(self, order: ExportOrder) -> None:
        self.order = order
        self.widgets: list[dict[str, Any]] = [{"type": "hand", "id": "hand", "x": 50, "y": 820, "z": 1}]
        self.assets: dict[str, bytes] = {}
        self.rows: list[ManifestRow] = []
        self.x = self.y = 50.0

    def add(self, kind: str, key: str, place: tuple[float, float] | None = None, **values: Any) -> str:
        """Adds a widget; returns its id."""
        name = md5(f"{self.order.dressed.key}/{key}".encode(), usedforsecurity=False).hexdigest()[:12]
        at = {"x": place[0], "y": place[1]} if place else {}
        self.widgets.append({"type": kind, "id": name, **at, **values})
        return name

    def place(self, width: float, height: float) -> tuple[float, float]:
        """The next free place on the table."""
        if self.x + width > WIDTH - 50:
            self.x, self.y = 50.0, min(self.y + 230.0, HEIGHT - height - 200)
        spot = self.x, self.y
        self.x += width + 40
        return spot

    def picture(self, stem: str, image: Any) -> str:
        """Adds a picture, smaller than the site allows, and returns its address."""
        data, ending = encoded(image, "PNG"), "png"
        for quality in (95, 85, 70, 50, 30):
            if len(data) <= MAX_BYTES:
                break
            data, ending = encoded(image, "JPEG", quality=quality, subsampling=0), "jpg"
        name = hashed_name(stem, data, ending)
        self.assets[name] = data
        return f"package://userassets/{name}"


def write_room(order: ExportOrder, names: Sequence[str], folder: NewFolder) -> list[ManifestRow]:
    """Writes the room; returns its cards. Raises InputError for more widgets than a room takes."""
    room, kinds = _Room(order), {name: order.dressed.components[name].kind for name in names}
    writers = {"board": _room_board, "dice": _room_dice}
    for name in sorted(names, key=lambda name: kinds[name] != "board"):
        writers.get(kinds[name], _room_deck)(room, name)
    if len(room.widgets) > MAX_WIDGETS:
        raise fault(
            f"a room has at most {MAX_WIDGETS} cards and other things, but there are {len(room.widgets)}",
            hint="export some components at a time with --component",
        )
    for number, widget in enumerate(room.widgets, start=1):
        widget.setdefault("z", number)
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        texts = {"widgets.json": json.dumps(room.widgets, ensure_ascii=False, indent=1), "schemaVersion": SCHEMA}
        for name, text in texts.items():
            archive.writestr(ZipInfo(name), text.encode(), ZIP_DEFLATED)
        for name, data in room.assets.items():
            archive.writestr(ZipInfo(f"userassets/{name}"), data, ZIP_STORED)
    (folder.path / f"{plain_name(order.dressed.title)}.pcio").write_bytes(stream.getvalue())
    return room.rows


def _room_deck(room: _Room, name: str) -> None:
    whole = list(pieces(room.order, name))
    part, where = whole[0].component, whole[0].canvas
    tall = _CARD if part.kind == "deck" else _SHEET
    height = tall if where.height >= where.width else round(tall * where.height / where.width)
    width = round(height * where.width / where.height)
    x, y = room.place(width + 8, height + 8)
    pile = room.add(
        "cardPile",
        f"{name}/pile",
        (x, y),
        width=width + 8,
        height=height + 8,
        label=part.definition.title,
        hasShuffleButton=part.kind == "deck",
    )
    faces, backs = _faces(room, whole), _backs(room, whole)
    template = {"includeBorder": False, "includeRadius": part.kind == "deck"}
    size = {"x": 0, "y": 0, "w": width, "h": height, "color": "white"}
    face, back = ({"type": "image", "valueType": "dynamic", "value": side, **size} for side in ("face", "back"))
    deck = room.add(
        "cardDeck",
        f"{name}/deck",
        parent=pile,
        x=x + 4,
        y=y + 4,
        cardWidth=width,
        cardHeight=height,
        enlarge=True,
        cardTypes={
            piece.name: {"label": piece.title, "face": faces[piece.name], "back": backs[piece.name]} for piece in whole
        },
        faceTemplate=template | {"objects": [face]},
        backTemplate=template | {"objects": [back]},
    )
    on_pile: dict[str, Any] = {"parent": pile, "x": x + 4, "y": y + 4, "faceup": part.kind != "deck"}
    for piece in whole:
        room.rows.append(ManifestRow(piece, _asset(faces[piece.name]), _asset(backs[piece.name])))
        for copy in range(piece.copies):
            room.add("card", f"{name}/{piece.name}/{copy}", deck=deck, cardType=piece.name, **on_pile)


def _asset(address: str) -> str:
    return address.removeprefix("package://")


def _faces(room: _Room, whole: Sequence[ExportPiece]) -> dict[str, str]:
    """The address of the front of each card, by its id."""
    size = whole[0].canvas.fitted(_LONGEST)
    images = drawn(room.order, (SidePicture(piece, False, piece.canvas, size) for piece in whole))
    return {
        piece.name: room.picture(plain_name(f"{piece.component.name}-{piece.name}"), image)
        for piece, image in zip(whole, images, strict=True)
    }


def _backs(room: _Room, whole: Sequence[ExportPiece]) -> dict[str, str]:
    """The address of each card's back; a plain one for cards that have none."""
    size, name = whole[0].canvas.fitted(_LONGEST), plain_name(whole[0].component.name)
    distinct = {piece.back_name: piece for piece in whole if piece.back}
    images = drawn(room.order, (SidePicture(piece, True, piece.canvas, size) for piece in distinct.values()))
    addresses = {back: room.picture(f"{name}-{back}", image) for back, image in zip(distinct, images, strict=True)}
    if any(not piece.back for piece in whole):
        addresses[""] = room.picture(f"{name}-blank", Image.new("RGB", size, "#d8d8d8"))
    return {piece.name: addresses[piece.back_name] for piece in whole}


def _room_board(room: _Room, name: str) -> None:
    for piece in pieces(room.order, name):
        where = piece.canvas
        image = next(drawn(room.order, [SidePicture(piece, False, where, where.fitted(2000))]))
        scale = min(_BOARD / where.height, (WIDTH - 100) / where.width)
        address = room.picture(plain_name(name), image)
        size = {"width": round(where.width * scale), "height": round(where.height * scale)}
        room.add("board", name, (350, 50), **size, boardImage=address)
        room.rows.append(ManifestRow(piece, _asset(address)))


def _room_dice(room: _Room, name: str) -> None:
    """A spinner for each die, with the texts of its faces."""
    for number, die in enumerate(room.order.dressed.components[name].cards):
        size = {"width": 110, "height": 110}
        place, options = room.place(110, 110), list(die.faces)
        room.add("spinner", f"{name}/{die.id}/{number}", place, **size, options=options, value=options[0])
    room.rows += map(ManifestRow, pieces(room.order, name))
