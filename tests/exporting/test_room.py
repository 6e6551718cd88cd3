"""The room of playingcards.io, read as importers read it."""

import json
from collections import Counter
from io import BytesIO
from zipfile import ZipFile

import pytest
from PIL import Image

from generator.errors import InputError


@pytest.fixture(scope="module")
def room(town, exported):
    """The widgets by id, and the pictures by address."""
    folder, _ = exported(town, "playingcards.io")
    with ZipFile(folder / "Small-Town.pcio") as archive:
        assert archive.read("schemaVersion") == b"3"
        widgets = json.loads(archive.read("widgets.json"))
        names = [name for name in archive.namelist() if name.startswith("userassets/")]
        assets = {f"package://{name}": archive.read(name) for name in names}
    assert len({widget["id"] for widget in widgets}) == len(widgets)
    return {widget["id"]: widget for widget in widgets}, assets


def test_decks_cards_and_piles_fit_together(room):
    widgets, assets = room
    kinds = Counter(widget["type"] for widget in widgets.values())
    assert kinds == {"hand": 1, "cardPile": 3, "cardDeck": 3, "card": 4 + 1 + 1, "spinner": 1, "board": 1}
    board = next(widget for widget in widgets.values() if widget["type"] == "board")
    assert board["boardImage"] in assets and board["width"] / board["height"] == pytest.approx(1.5, abs=0.01)
    for widget in widgets.values():
        assert 0 <= widget["x"] <= 1600 and 0 <= widget["y"] <= 1000
        if "parent" in widget:
            assert widgets[widget["parent"]]["type"] == "cardPile"
        if widget["type"] == "card":
            assert widget["cardType"] in widgets[widget["deck"]]["cardTypes"]
        if widget["type"] == "cardDeck":
            for template, field in ((widget["faceTemplate"], "face"), (widget["backTemplate"], "back")):
                (image,) = template["objects"]
                assert (image["valueType"], image["value"]) == ("dynamic", field)
                assert (image["w"], image["h"]) == (widget["cardWidth"], widget["cardHeight"])
            for card in widget["cardTypes"].values():
                assert {card["face"], card["back"]} <= assets.keys()


def test_pictures_are_smaller_than_the_site_allows(room):
    widgets, assets = room
    for data in assets.values():
        assert len(data) < 2 * 1024 * 1024
        assert Image.open(BytesIO(data)).mode == "RGB"
    deck = next(widget for widget in widgets.values() if "mill" in widget.get("cardTypes", ()))
    faces = {name: card["face"] for name, card in deck["cardTypes"].items()}
    assert Image.open(BytesIO(assets[faces["forge"]])).getpixel((5, 5)) == (0x8A, 0x3B, 0x12)
    assert len({card["back"] for card in deck["cardTypes"].values()}) == 1
    assert deck["cardWidth"] / deck["cardHeight"] == pytest.approx(44 / 63, abs=0.01)


def test_a_room_with_too_many_cards_is_refused(tmp_path, write_game, exported):
    many = write_game(tmp_path / "town", cards_csv="id,name,copies,colour\nmill,Mill,700,red\ninn,Inn,600,red\n")
    with pytest.raises(InputError, match="at most 1200 cards and other things, but there are 1303"):
        exported(many, "playingcards.io", "cards")
