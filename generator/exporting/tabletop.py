"""A saved object for Tabletop Simulator: sheets of cards, dice, boards and score sheets.

The files are those of the program's knowledge base (custom decks) and of objects that it saves itself. A sheet is cut
into `NumWidth` × `NumHeight` equal cells, and a card is `100 × deck + cell`. A cell keeps its card in later exports.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from hashlib import md5
from pathlib import Path
from typing import Any

from ..errors import Place, fault
from ..fast_dataclasses import dataclass
from ..files import save
from .folder import NewFolder
from .images import MANIFEST, Row, manifest, plain_name
from .pixels import (
    Shown,
    drawn,
    fitted,
    hashed_name,
    jpeg,
    numbered,
    png,
    upright,
)
from .sides import Order, Piece, pieces

MAX_SIDE = 4096
"""The most pixels of a sheet in each direction."""
COLUMNS, ROWS = 10, 7
THUMBNAIL = 256
_POKER = 88.9
"""The height in mm of a card of scale 1."""
_STEP = 4.0
"""The distance between objects on the table."""
_QUALITY = 92
_HIDDEN = "#d8d8d8"
_PLAIN = 4
"""A picture whose channels deviate by no more from their mean shows nothing."""
_D6 = {1: (-90, 0, 0), 2: (0, 0, 0), 3: (0, 0, -90), 4: (0, 0, 90), 5: (0, 0, -180), 6: (90, 0, 0)}
"""How the die of the program is turned when it shows each number."""


@dataclass(slots=True)
class _Table:
    """The objects on the table: each has an id of its own, which stays the same in later exports."""

    game: str
    objects: list[dict[str, Any]]
    ids: set[str]

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
        digits = md5(f"{self.game}/{key}".encode(), usedforsecurity=False).hexdigest()
        for start in range(len(digits) - 6):
            if digits[start : start + 6] not in self.ids:
                break
        else:
            return self._id(f"{key}+")
        self.ids.add(digits[start : start + 6])
        return digits[start : start + 6]


def write(order: Order, names: Sequence[str], folder: NewFolder) -> tuple[list[Row], dict[str, Any]]:
    """Writes the pictures, the saved object and its thumbnail. Returns the cards, and what later exports need to
    know."""
    table = _Table(order.dressed.key, [], set())
    rows: list[Row] = []
    state: dict[str, Any] = {"order": dict(folder.old.get("order", {})), "decks": dict(folder.old.get("decks", {}))}
    for name in names:
        kind = order.dressed.components[name].kind
        if kind == "deck":
            _deck(order, name, folder, table, state, rows)
        elif kind == "dice":
            _dice(order, name, table, rows)
        else:
            _flat(order, name, folder, table, rows)
    stem = plain_name(order.dressed.title)
    data = {
        "SaveName": "",
        "GameMode": "",
        "Date": "",
        "VersionNumber": "",
        "Table": "",
        "Sky": "",
        "Note": "",
        "Rules": "",
        "Hands": {"Enable": True, "DisableUnused": False, "Hiding": 0},
        "ObjectStates": table.objects,
    }
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    (folder.path / f"{stem}.json").write_text(text, encoding="utf-8")
    (folder.path / f"{stem}.png").write_bytes(thumbnail(folder.path))
    (folder.path / MANIFEST).write_text(manifest(rows), encoding="utf-8", newline="")
    return rows, state


def url(folder: NewFolder, name: str) -> str:
    """The address of a picture in the folder: the program reads it from this computer until it is uploaded."""
    return f"file:///{folder.target.absolute().joinpath(name).as_posix().lstrip('/')}"


# ---- decks


def grid(cells: int, width: float, height: float) -> tuple[int, int]:
    """Columns and rows of a sheet for this many cells, so that they are as large as possible."""
    return max(
        ((columns, -(-cells // columns)) for columns in range(1, COLUMNS + 1) if -(-cells // columns) <= ROWS),
        key=lambda size: (min(MAX_SIDE / (size[0] * width), MAX_SIDE / (size[1] * height)), -size[0] * size[1]),
    )


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A sheet of cards: their places, the deck's number, and its entry in the saved object."""

    number: int
    cells: Sequence[Piece | None]
    entry: dict[str, Any]


def _deck(order: Order, name: str, folder: NewFolder, table: _Table, state: dict[str, Any], rows: list[Row]) -> None:
    found = list(pieces(order, name))
    cells = numbered(found, state["order"].get(name, ()))
    old = list(state["order"].get(name, ()))
    state["order"][name] = old + [piece.name for piece in cells[len(old) :] if piece]
    unique = len({piece.back_name for piece in found}) > 1
    room = COLUMNS * ROWS - unique  # the last cell is what others see of a card whose back would give it away
    sheets = [
        _sheet(order, name, number, cells[start : start + room], folder, state)
        for number, start in enumerate(range(0, len(cells), room))
    ]
    ids: list[int] = []
    cards: list[dict[str, Any]] = []
    for sheet in sheets:
        for cell, piece in enumerate(sheet.cells):
            for copy in range(piece.copies if piece else 0):
                assert piece
                ids.append(100 * sheet.number + cell)
                cards.append(_card(table, piece, copy, ids[-1], sheet))
            if piece:
                face = sheet.entry["FaceURL"].rpartition("/")[2]
                rows.append(Row(piece, f"{face}#{cell}", sheet.entry["BackURL"].rpartition("/")[2]))
    if len(cards) == 1:
        table.put(cards[0])
        return
    part = order.dressed.components[name]
    deck = table.new(name, name, "DeckCustom", nickname=part.definition.title, down=True, scale=_scale(found[0]))
    deck["SidewaysCard"] = cards[0]["SidewaysCard"]
    deck["DeckIDs"] = ids
    deck["CustomDeck"] = {str(sheet.number): sheet.entry for sheet in sheets}
    deck["ContainedObjects"] = cards
    table.put(deck)


def _card(table: _Table, piece: Piece, copy: int, number: int, sheet: _Sheet) -> dict[str, Any]:
    name = piece.component.name
    card: dict[str, Any] = table.new(
        f"{name}/{piece.name}/{copy}", name, "CardCustom", nickname=piece.title, down=True, scale=_scale(piece)
    )
    card |= {
        "HideWhenFaceDown": True,
        "Hands": True,
        "SidewaysCard": piece.canvas.width > piece.canvas.height,
        "CardID": number,
        "CustomDeck": {str(sheet.number): sheet.entry},
    }
    return card


def _scale(piece: Piece) -> float:
    return max(piece.canvas.width, piece.canvas.height) / _POKER


def _sheet(
    order: Order, name: str, number: int, cells: Sequence[Piece | None], folder: NewFolder, state: dict[str, Any]
) -> _Sheet:
    """Draws one sheet of cards, and one of their backs unless they share it."""
    first = next(piece for piece in cells if piece)
    where = upright(first.canvas)
    unique = len({piece.back_name for piece in cells if piece}) > 1
    columns, rows = grid(len(cells) + unique, where.width, where.height)
    longest = int(min(MAX_SIDE / (columns * where.width), MAX_SIDE / (rows * where.height)) * where.height)
    size = fitted(where, longest)
    stem = plain_name(name) + (f"-{number + 1}" if number else "")
    front = _pasted(order, [(piece, False) for piece in cells], columns, rows, size)
    backs = [(piece, True) for piece in cells] if unique else [(first, True)]
    back = _pasted(order, backs, columns if unique else 1, rows if unique else 1, size)
    key = state["decks"].setdefault(f"{name}/{number}", max(state["decks"].values(), default=0) + 1)
    shape = first.component.definition.shape
    entry = {
        "FaceURL": _picture(folder, f"{stem}-fronts", front),
        "BackURL": _picture(folder, f"{stem}-backs" if unique else f"{stem}-back", back),
        "NumWidth": columns,
        "NumHeight": rows,
        "BackIsHidden": not unique,
        "UniqueBack": unique,
        "Type": {"round": 4, "hex": 2, "pointed-hex": 3, "rectangle": 1}.get(shape, 0),
    }
    return _Sheet(key, cells, entry)


def _pasted(
    order: Order, cells: Sequence[tuple[Piece | None, bool]], columns: int, rows: int, size: tuple[int, int]
) -> bytes:
    """A sheet of exactly `columns` × `rows` cells. Empty cells, and sides that a card does not have, are plain."""
    from PIL import Image

    sheet = Image.new("RGB", (columns * size[0], rows * size[1]), _HIDDEN)
    shown = [
        (number, Shown(side, upright(piece.canvas), back, size))
        for number, (piece, back) in enumerate(cells)
        if piece and (side := piece.back if back else piece.front) is not None
    ]
    for (number, _), image in zip(shown, drawn(order, (each for _, each in shown)), strict=True):
        row, column = divmod(number, columns)
        sheet.paste(image, (column * size[0], row * size[1]))
    return jpeg(sheet, _QUALITY)


def _picture(folder: NewFolder, stem: str, data: bytes) -> str:
    """Writes a picture and returns its address."""
    name = hashed_name(stem, data, "jpg")
    (folder.path / name).write_bytes(data)
    return url(folder, name)


# ---- other things


def _dice(order: Order, name: str, table: _Table, rows: list[Row]) -> None:
    """Dice of the program itself, which say what each of their numbers stands for. How it wraps a picture around a die
    is not published."""
    part = order.dressed.components[name]
    found = {piece.name: piece for piece in pieces(order, name)}
    copies: dict[str, int] = {}
    for die in part.cards:
        copy = copies[die.id] = copies.get(die.id, -1) + 1
        thing = table.new(f"{name}/{die.id}/{copy}", name, "Die_6", nickname=f"{part.definition.title}: {die.id}")
        thing["Description"] = ", ".join(f"{number}: {face}" for number, face in enumerate(die.faces, start=1))
        thing["RotationValues"] = [
            {"Value": face, "Rotation": dict(zip("xyz", map(float, _D6[number]), strict=True))}
            for number, face in enumerate(die.faces, start=1)
        ]
        table.put(thing)
    rows += [Row(piece, "", "") for piece in found.values()]


def _flat(order: Order, name: str, folder: NewFolder, table: _Table, rows: list[Row]) -> None:
    """Boards, tiles with the pages of a sheet on both sides, and standing figures."""
    found = list(pieces(order, name))
    images = _images(order, found)
    kind = found[0].component.kind
    if kind == "board":
        for piece, (front, _) in zip(found, images, strict=True):
            address = _picture(folder, plain_name(name), front)
            board = table.new(name, name, "Custom_Board", nickname=piece.title)
            board["Locked"] = True
            board["CustomImage"] = _custom(address, "", piece.canvas.width / piece.canvas.height)
            table.put(board)
            rows.append(Row(piece, address.rpartition("/")[2], ""))
        return
    if kind == "pawns":
        for piece, (front, back) in zip(found, images, strict=True):
            stem = f"{plain_name(name)}-{plain_name(piece.name)}"
            first, second = _picture(folder, stem, front), _picture(folder, stem, back)
            rows.append(Row(piece, first.rpartition("/")[2], second.rpartition("/")[2]))
            for copy in range(piece.copies):
                figure = table.new(f"{name}/{piece.name}/{copy}", name, "Figurine_Custom", nickname=piece.title)
                figure["CustomImage"] = _custom(first, second)
                table.put(figure)
        return
    data = [front for front, _ in images]
    addresses = [_picture(folder, f"{plain_name(name)}-{number}", each) for number, each in enumerate(data, start=1)]
    for number in range(0, len(found), 2):
        under = addresses[number + 1] if number + 1 < len(found) else addresses[number]
        title = found[number].component.definition.title
        tile = table.new(f"{name}/{number}", name, "Custom_Tile", nickname=title, scale=2.0)
        tile["CustomImage"] = _custom(addresses[number], under) | {
            "CustomTile": {"Type": 0, "Thickness": 0.1, "Stackable": False, "Stretch": True}
        }
        table.put(tile)
    rows += [Row(piece, address.rpartition("/")[2], "") for piece, address in zip(found, addresses, strict=True)]


def _custom(front: str, back: str = "", width: float = 0.0) -> dict[str, Any]:
    return {"ImageURL": front, "ImageSecondaryURL": back, "ImageScalar": 1.0, "WidthScale": round(width, 4)}


def _images(order: Order, found: Sequence[Piece]) -> Iterator[tuple[bytes, bytes]]:
    """The front and back of each piece as JPEG; empty if it has no back."""
    for piece in found:
        size = fitted(piece.canvas, MAX_SIDE, 200 / 25.4)
        sides = [Shown(piece.front, piece.canvas, False, size)]
        sides += [Shown(piece.back, piece.canvas, True, size)] if piece.back else []
        front, back, *_ = [*(jpeg(image, _QUALITY) for image in drawn(order, sides)), b""]
        yield front, back


def thumbnail(folder: Path) -> bytes:
    """The first picture in a folder that is not plain, as a PNG of 256 × 256 pixels; backs come first."""
    from PIL import Image, ImageOps, ImageStat

    pictures = sorted(folder.glob("*.jpg"), key=lambda file: ("-back-" not in file.name, file.name))
    image = Image.new("RGB", (THUMBNAIL, THUMBNAIL), _HIDDEN)
    for file in pictures:
        with Image.open(file) as picture:
            small = ImageOps.contain(picture.convert("RGB"), (THUMBNAIL, THUMBNAIL))
        if max(ImageStat.Stat(small).stddev) > _PLAIN:
            image.paste(small, ((THUMBNAIL - small.width) // 2, (THUMBNAIL - small.height) // 2))
            break
    return png(image)


# ---- the folder of the program


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
