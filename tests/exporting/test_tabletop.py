"""The saved object of Tabletop Simulator, read as importers read it."""

import json
import re

import pytest
from PIL import Image

from generator.errors import InputError
from generator.exporting import tabletop


def objects(folder):
    """Every object of the saved object, also those in decks, after the checks that every reader makes."""
    (file,) = [file for file in folder.glob("*.json") if file.name != "export.json"]
    raw = file.read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf")
    data = json.loads(raw)
    assert data["Hands"]["Enable"] is True  # a reader of saved tables fails without it
    with Image.open(file.with_suffix(".png")) as image:
        assert (image.format, image.size) == ("PNG", (256, 256))
    found = []
    for thing in data["ObjectStates"]:
        found += [thing, *thing.get("ContainedObjects", ())]
    ids = [thing["GUID"] for thing in found]
    assert len(set(ids)) == len(ids) and all(re.fullmatch("[0-9a-f]{6}", each) for each in ids)
    assert all(len(thing["Transform"]) == 9 for thing in found)
    return found


def test_a_plain_back_is_not_the_thumbnail(tmp_path):
    Image.new("RGB", (400, 600), "#203040").save(tmp_path / "a-back-1.jpg")
    picture = Image.new("RGB", (400, 600), "#203040")
    picture.paste("#f0d020", (100, 100, 300, 400))
    picture.save(tmp_path / "b-fronts-1.jpg")
    (tmp_path / "small.png").write_bytes(tabletop.thumbnail(tmp_path))
    with Image.open(tmp_path / "small.png") as image:
        red, _, _ = image.getpixel((128, 100))
        assert red > 200


def opened(url):
    assert url.startswith("file:///")
    image = Image.open("/" + url.removeprefix("file:///"))
    assert image.mode == "RGB" and max(image.size) <= 4096
    return image


def cell(deck, card):
    """The picture of the front of a card, cut out as the program does it."""
    key, index = divmod(card["CardID"], 100)
    sheet = deck["CustomDeck"][str(key)]
    image = opened(sheet["FaceURL"])
    width, height = image.width / sheet["NumWidth"], image.height / sheet["NumHeight"]
    assert width == int(width) and height == int(height)
    row, column = divmod(index, sheet["NumWidth"])
    assert row < sheet["NumHeight"]
    return image.crop((column * width, row * height, (column + 1) * width, (row + 1) * height))


@pytest.fixture(scope="module")
def table(town, exported):
    folder, report = exported(town, "tabletop-simulator")
    assert report.left_out == ["rules"]
    return folder


def test_a_deck_lists_its_cards_in_order_and_cells_show_them(table):
    decks = [thing for thing in objects(table) if thing["Name"] == "DeckCustom"]
    (deck,) = decks
    assert deck["DeckIDs"] == [card["CardID"] for card in deck["ContainedObjects"]] == [100, 100, 101, 102]
    assert [card["Nickname"] for card in deck["ContainedObjects"]] == ["Old Mill", "Old Mill", "Forge", "Green Inn"]
    sheet = deck["CustomDeck"]["1"]
    assert sheet["BackIsHidden"] and not sheet["UniqueBack"]
    assert opened(sheet["BackURL"]).getpixel((5, 5)) == (0, 0, 0)
    colours = [cell(deck, card).getpixel((5, 5)) for card in deck["ContainedObjects"]]
    expected = [(0x33, 0x5C, 0x81)] * 2 + [(0x8A, 0x3B, 0x12), (0x3F, 0x7F, 0x4B)]
    assert colours == [pytest.approx(colour, abs=3) for colour in expected]
    assert cell(deck, deck["ContainedObjects"][0]).size == pytest.approx((44 / 25.4 * 300, 63 / 25.4 * 300), abs=1)


def test_other_components_are_cards_dice_and_tiles(table):
    by_kind = {thing["Name"]: thing for thing in objects(table)}
    assert by_kind.keys() == {"DeckCustom", "CardCustom", "Die_6", "Custom_Tile", "Custom_Board", "Figurine_Custom"}
    assert by_kind["CardCustom"]["CustomDeck"]["2"]["Type"] == 4  # the round coin, a deck of one card
    assert [value["Value"] for value in by_kind["Die_6"]["RotationValues"]] == ["1", "2", "3", "4", "5", "6"]
    board = by_kind["Custom_Board"]
    assert board["Locked"] and board["CustomImage"]["WidthScale"] == 1.5
    assert opened(board["CustomImage"]["ImageURL"]).size == (1200, 800)
    figure = by_kind["Figurine_Custom"]["CustomImage"]
    assert opened(figure["ImageSecondaryURL"]).height > opened(figure["ImageURL"]).width
    tile = by_kind["Custom_Tile"]["CustomImage"]
    assert tile["CustomTile"]["Stretch"] and opened(tile["ImageURL"]).height > opened(tile["ImageURL"]).width


def test_cards_keep_their_cells_and_pictures_are_named_by_their_content(tmp_path, town, write_game, exported):
    before = objects(exported(town, "tabletop-simulator")[0])[0]
    game, into = write_game(tmp_path / "town"), tmp_path / "out"
    first = objects(export_again(game, into, "mill,Old Mill,1,#335c81\nforge,Forge,1,#8a3b12\n"))[0]
    later = objects(export_again(game, into, "inn,Green Inn,1,#3f7f4b\nmill,Old Mill,1,#335c81\n"))[0]
    ids = {card["Nickname"]: card["CardID"] for card in later["ContainedObjects"]}
    assert ids == {"Old Mill": 100, "Green Inn": 102}  # the forge is gone, and its cell stays empty
    sheets = [deck["CustomDeck"]["1"] for deck in (before, first, later)]
    assert len({sheet["FaceURL"].rpartition("/")[2] for sheet in sheets}) == 3
    assert len({sheet["BackURL"].rpartition("/")[2] for sheet in sheets}) == 1
    guids = {card["Nickname"]: card["GUID"] for card in first["ContainedObjects"]}
    assert guids["Old Mill"] in {card["GUID"] for card in later["ContainedObjects"]}
    assert len(list(into.glob("cards-fronts-*.jpg"))) == 1  # the picture of the first export is gone


def export_again(game, into, cards):
    from generator import games
    from generator.exporting import export, sides
    from generator.reading import sizes, targets
    from generator.reading.load import load

    (game / "cards.csv").write_text("id,name,copies,colour\n" + cards)
    loaded = load(game)
    target = targets.targets()["tabletop-simulator"]
    order = sides.ExportOrder(loaded, games.deal(loaded, None), target, sizes.paper("a4"))
    export.export(order, ("cards",), into)
    return into


def test_unique_backs_leave_the_last_cell_hidden(tmp_path, write_game, exported):
    cards = "id,name,colour,back\nmill,Old Mill,#335c81,house\nforge,Forge,#8a3b12,house\ninn,Green Inn,#3f7f4b,house\n"
    folder, _ = exported(write_game(tmp_path / "town", cards_csv=cards), "tabletop-simulator", "cards")
    sheet = objects(folder)[0]["CustomDeck"]["1"]
    assert sheet["UniqueBack"] and not sheet["BackIsHidden"]
    assert sheet["NumWidth"] * sheet["NumHeight"] >= 4
    face, back = opened(sheet["FaceURL"]), opened(sheet["BackURL"])
    assert face.size == back.size
    assert face.getpixel((face.width - 9, face.height - 9)) == (0xD8,) * 3


def test_a_sheet_is_never_larger_than_the_program_reads():
    for cells in (1, 2, 7, 10, 54, 69, 70):
        for width, height in ((63.5, 88.9), (44, 63), (90, 90), (70, 120)):
            columns, rows = tabletop.grid(cells, width, height)
            assert columns * rows >= cells and columns <= 10 and rows <= 7


def test_the_saved_object_is_copied_into_the_folder_of_the_program(pencilbox, town, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    words = ("export", town, "--for", "tabletop-simulator", "-c", "token", "--save")
    code, _, err = pencilbox(*words)
    assert code == 2 and "Tabletop Simulator is not on this computer" in err
    folder = tmp_path / "share/Tabletop Simulator/Saves/Saved Objects"
    folder.mkdir(parents=True)
    code, out, _ = pencilbox(*words)
    assert code == 0 and sorted(file.name for file in folder.iterdir()) == ["Small-Town.json", "Small-Town.png"]
    assert "saved: " in out
    code, _, err = pencilbox("export", town, "--for", "png", "--save")
    assert code == 2 and "--save is for tabletop-simulator" in err


def test_a_missing_component_is_refused(town, exported):
    with pytest.raises(InputError, match="tabletop-simulator does not take “rules”, a booklet"):
        exported(town, "tabletop-simulator", "rules")
