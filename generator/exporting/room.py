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

from PIL import Image

from ..errors import fault
from .images import ManifestRow, SidePicture, drawn, plain_name
from .output_folder import NewFolder
from .raster import encoded, hashed_name
from .sides import ExportOrder, ExportPiece, pieces

SCHEMA = "3"
WIDTH, HEIGHT = 1600, 1000
MAX_WIDGETS = 1200
MAX_BYTES = 2 * 1024 * 1024 - 1
_LONGEST = 900
_CARD, _SHEET = 160, 420
"""The height of cards and of sheets on the table."""
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


def write(order: ExportOrder, names: Sequence[str], folder: NewFolder) -> list[ManifestRow]:
    """Writes the room; returns its cards. Raises InputError for more widgets than a room takes."""
    room, kinds = _Room(order), {name: order.dressed.components[name].kind for name in names}
    writers = {"board": _board, "dice": _dice}
    for name in sorted(names, key=lambda name: kinds[name] != "board"):
        writers.get(kinds[name], _deck)(room, name)
    if len(room.widgets) > MAX_WIDGETS:
        raise fault(
            f"a room has at most {MAX_WIDGETS} cards and other things, and these are {len(room.widgets)}",
            hint="export some components at a time with --component",
        )
    for number, widget in enumerate(room.widgets, start=1):
        widget.setdefault("z", number)
    (folder.path / f"{plain_name(order.dressed.title)}.pcio").write_bytes(_archive(room))
    return room.rows


def _archive(room: _Room) -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        texts = {"widgets.json": json.dumps(room.widgets, ensure_ascii=False, indent=1), "schemaVersion": SCHEMA}
        for name, text in texts.items():
            archive.writestr(ZipInfo(name), text.encode(), ZIP_DEFLATED)
        for name, data in room.assets.items():
            archive.writestr(ZipInfo(f"userassets/{name}"), data, ZIP_STORED)
    return stream.getvalue()


def _deck(room: _Room, name: str) -> None:
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


def _board(room: _Room, name: str) -> None:
    for piece in pieces(room.order, name):
        where = piece.canvas
        image = next(drawn(room.order, [SidePicture(piece, False, where, where.fitted(2000))]))
        scale = min(_BOARD / where.height, (WIDTH - 100) / where.width)
        address = room.picture(plain_name(name), image)
        size = {"width": round(where.width * scale), "height": round(where.height * scale)}
        room.add("board", name, (350, 50), **size, boardImage=address)
        room.rows.append(ManifestRow(piece, _asset(address)))


def _dice(room: _Room, name: str) -> None:
    """A spinner for each die, with the texts of its faces."""
    for number, die in enumerate(room.order.dressed.components[name].cards):
        size = {"width": 110, "height": 110}
        place, options = room.place(110, 110), list(die.faces)
        room.add("spinner", f"{name}/{die.id}/{number}", place, **size, options=options, value=options[0])
    room.rows += map(ManifestRow, pieces(room.order, name))
