"""A room for playingcards.io: a zip archive (.pcio) with widgets.json and the pictures.

The form is that of rooms which the site exports, as its importers read them. The table is 1600 × 1000.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import md5
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from ..errors import fault
from ..fast_dataclasses import dataclass
from .folder import NewFolder
from .images import MANIFEST, Row, manifest, plain_name
from .pixels import (
    Shown,
    drawn,
    fitted,
    hashed_name,
    jpeg,
    png,
)
from .sides import Order, Piece, pieces

SCHEMA = "3"
WIDTH, HEIGHT = 1600, 1000
MAX_WIDGETS = 1200
MAX_BYTES = 2 * 1024 * 1024 - 1
_LONGEST = 900
_CARD, _SHEET = 160, 420
"""The height of cards and of sheets on the table."""
_BOARD = 700


@dataclass(slots=True)
class _Room:
    """The widgets and pictures of a room; `x` and `y` are where the next widget goes."""

    game: str
    widgets: list[dict[str, Any]]
    assets: dict[str, bytes]
    x: float = 50.0
    y: float = 50.0

    def id(self, key: str) -> str:
        return md5(f"{self.game}/{key}".encode(), usedforsecurity=False).hexdigest()[:12]

    def place(self, width: float, height: float) -> tuple[float, float]:
        """The next free place on the table."""
        if self.x + width > WIDTH - 50:
            self.x, self.y = 50.0, min(self.y + 230.0, HEIGHT - height - 200)
        spot = self.x, self.y
        self.x += width + 40
        return spot

    def picture(self, stem: str, image: Any) -> str:
        """Adds a picture, smaller than the site allows, and returns its address."""
        data, ending = png(image), "png"
        for quality in (95, 85, 70, 50, 30):
            if len(data) <= MAX_BYTES:
                break
            data, ending = jpeg(image, quality), "jpg"
        name = hashed_name(stem, data, ending)
        self.assets[name] = data
        return f"package://userassets/{name}"


def write(order: Order, names: Sequence[str], folder: NewFolder) -> list[Row]:
    """Writes the room and the list of its cards. Raises InputError for more widgets than a room takes."""
    room, rows = _Room(order.dressed.key, [], {}), list[Row]()
    room.widgets.append({"type": "hand", "id": "hand", "x": 50, "y": 820, "z": 1})
    kinds = order.dressed.components
    for name in sorted(names, key=lambda name: kinds[name].kind != "board"):
        kind = kinds[name].kind
        if kind == "board":
            _board(order, name, room, rows)
        elif kind == "dice":
            _dice(order, name, room, rows)
        else:
            _deck(order, name, room, rows)
    if len(room.widgets) > MAX_WIDGETS:
        raise fault(
            f"a room has at most {MAX_WIDGETS} cards and other things, and these are {len(room.widgets)}",
            hint="export some components at a time with --component",
        )
    for number, widget in enumerate(room.widgets, start=1):
        widget.setdefault("z", number)
    (folder.path / f"{plain_name(order.dressed.title)}.pcio").write_bytes(_archive(room))
    (folder.path / MANIFEST).write_text(manifest(rows), encoding="utf-8", newline="")
    return rows


def _archive(room: _Room) -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        texts = {"widgets.json": json.dumps(room.widgets, ensure_ascii=False, indent=1), "schemaVersion": SCHEMA}
        for name, text in texts.items():
            archive.writestr(ZipInfo(name), text.encode(), ZIP_DEFLATED)
        for name, data in room.assets.items():
            archive.writestr(ZipInfo(f"userassets/{name}"), data, ZIP_STORED)
    return stream.getvalue()


def _deck(order: Order, name: str, room: _Room, rows: list[Row]) -> None:
    found = list(pieces(order, name))
    part = found[0].component
    tall = _CARD if part.kind == "deck" else _SHEET
    where = found[0].canvas
    height = tall if where.height >= where.width else round(tall * where.height / where.width)
    width = round(height * where.width / where.height)
    x, y = room.place(width + 8, height + 8)
    pile, deck = room.id(f"{name}/pile"), room.id(f"{name}/deck")
    room.widgets.append(
        {
            "type": "cardPile",
            "id": pile,
            "x": x,
            "y": y,
            "width": width + 8,
            "height": height + 8,
            "label": part.definition.title,
            "hasShuffleButton": part.kind == "deck",
        }
    )
    faces, backs = _faces(order, found, room), _backs(order, found, room)
    template = {"includeBorder": False, "includeRadius": part.kind == "deck"}
    size = {"x": 0, "y": 0, "w": width, "h": height, "color": "white"}
    room.widgets.append(
        {
            "type": "cardDeck",
            "id": deck,
            "parent": pile,
            "x": x + 4,
            "y": y + 4,
            "cardWidth": width,
            "cardHeight": height,
            "enlarge": True,
            "cardTypes": {
                piece.name: {"label": piece.title, "face": faces[piece.name], "back": backs[piece.name]}
                for piece in found
            },
            "faceTemplate": template | {"objects": [_dynamic("face", size)]},
            "backTemplate": template | {"objects": [_dynamic("back", size)]},
        }
    )
    for piece in found:
        rows.append(Row(piece, _asset(faces[piece.name]), _asset(backs[piece.name])))
        room.widgets += [
            {
                "type": "card",
                "id": room.id(f"{name}/{piece.name}/{copy}"),
                "deck": deck,
                "cardType": piece.name,
                "parent": pile,
                "x": x + 4,
                "y": y + 4,
                "faceup": part.kind != "deck",
            }
            for copy in range(piece.copies)
        ]


def _dynamic(field: str, size: dict[str, Any]) -> dict[str, Any]:
    return {"type": "image", "valueType": "dynamic", "value": field, **size}


def _asset(address: str) -> str:
    return address.removeprefix("package://")


def _faces(order: Order, found: Sequence[Piece], room: _Room) -> dict[str, str]:
    size = fitted(found[0].canvas, _LONGEST)
    images = drawn(order, (Shown(piece.front, piece.canvas, False, size) for piece in found))
    return {
        piece.name: room.picture(plain_name(f"{piece.component.name}-{piece.name}"), image)
        for piece, image in zip(found, images, strict=True)
    }


def _backs(order: Order, found: Sequence[Piece], room: _Room) -> dict[str, str]:
    """The address of each card's back; a plain one for cards that have none."""
    from PIL import Image

    size = fitted(found[0].canvas, _LONGEST)
    distinct = {piece.back_name: piece for piece in found if piece.back}
    shown = (Shown(piece.back, piece.canvas, True, size) for piece in distinct.values() if piece.back)
    name = plain_name(found[0].component.name)
    addresses = {
        back: room.picture(f"{name}-{back}", image) for back, image in zip(distinct, drawn(order, shown), strict=True)
    }
    if any(not piece.back for piece in found):
        addresses[""] = room.picture(f"{name}-blank", Image.new("RGB", size, "#d8d8d8"))
    return {piece.name: addresses[piece.back_name] for piece in found}


def _board(order: Order, name: str, room: _Room, rows: list[Row]) -> None:
    for piece in pieces(order, name):
        image = next(drawn(order, [Shown(piece.front, piece.canvas, False, fitted(piece.canvas, 2000))]))
        scale = min(_BOARD / piece.canvas.height, (WIDTH - 100) / piece.canvas.width)
        address = room.picture(plain_name(name), image)
        room.widgets.append(
            {
                "type": "board",
                "id": room.id(name),
                "x": 350,
                "y": 50,
                "width": round(piece.canvas.width * scale),
                "height": round(piece.canvas.height * scale),
                "boardImage": address,
            }
        )
        rows.append(Row(piece, _asset(address), ""))


def _dice(order: Order, name: str, room: _Room, rows: list[Row]) -> None:
    """A spinner for each die, with the texts of its faces."""
    for number, die in enumerate(order.dressed.components[name].cards):
        x, y = room.place(110, 110)
        room.widgets.append(
            {
                "type": "spinner",
                "id": room.id(f"{name}/{die.id}/{number}"),
                "x": x,
                "y": y,
                "width": 110,
                "height": 110,
                "options": list(die.faces),
                "value": die.faces[0],
            }
        )
    rows += [Row(piece, "", "") for piece in pieces(order, name)]
