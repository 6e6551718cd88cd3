"""Pictures of cards: their pixels, what they show, their lists, and products of services."""

import csv
import json
from xml.etree import ElementTree

import pytest
from PIL import Image

from generator import games
from generator.errors import InputError
from generator.exporting import export, sides
from generator.exporting.images import plain_name
from generator.reading import sizes, targets
from generator.reading.load import load

BOX = "  box: {kind: box, title: Box, decks: [cards], panels: {front: coin}}\n"


def manifest(folder):
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_pictures_have_the_pixels_of_trim_and_bleed_and_their_resolution(town, exported):
    folder, report = exported(town, "png", "cards", dpi=150)
    rows = manifest(folder)
    assert [(row["card"], row["copies"], row["back"]) for row in rows] == [
        ("mill", "2", "cards/back.png"),
        ("forge", "1", "cards/back.png"),
        ("inn", "1", "cards/back.png"),
    ]
    assert report.pieces == 4
    assert {*report.files} == {"manifest.csv", "cards/back.png", *(row["front"] for row in rows)}
    for name in [row["front"] for row in rows] + ["cards/back.png"]:
        with Image.open(folder / name) as image:
            assert image.size == (round((44 + 6) / 25.4 * 150), round((63 + 6) / 25.4 * 150))
            assert image.mode == "RGB"
            assert image.info["dpi"] == pytest.approx((150, 150), abs=0.02)
    with Image.open(folder / rows[0]["front"]) as image:
        corners = [(0, 0), (image.width - 1, 0), (0, image.height - 1), (image.width - 1, image.height - 1)]
        assert {image.getpixel(corner) for corner in corners} == {(0x33, 0x5C, 0x81)}  # the bleed is painted
        label = image.crop([round(mm / 25.4 * 150) for mm in (3 + 6, 3 + 7, 3 + 34, 3 + 13)])
        assert label.getextrema()[0][0] < 90  # there is a text


def test_without_bleed_pictures_end_at_the_trim_and_jpg_is_rgb(town, exported):
    folder, _ = exported(town, "jpg", "cards", dpi=72, bleed=False)
    with Image.open(folder / manifest(folder)[0]["front"]) as image:
        assert (image.format, image.mode, image.info["dpi"]) == ("JPEG", "RGB", (72, 72))
        assert image.size == (round(44 / 25.4 * 72), round(63 / 25.4 * 72))


def test_all_components_have_the_pixels_of_products(tmp_path, exported, write_game):
    town = write_game(tmp_path / "town", size="mini", **{"coins_csv": "id,name\none,1\n"})
    (town / "game.yaml").write_text((town / "game.yaml").read_text().replace("size: 20,", "size: 0.75in,"))
    folder, report = exported(town, "the-game-crafter")
    sizes_by_product = {row["product"]: Image.open(folder / row["front"]).size for row in manifest(folder)}
    assert sizes_by_product == {
        "mini-deck": (600, 825),
        "medium-circle-chit": (300, 300),
        "large-score-pad": (2475, 3075),
        "custom-d6": (180, 180),
        "large-booklet": (1575, 2475),
        "postcard-mat": (1875, 1275),
        "medium-standee": (300, 750),
    }
    assert {Image.open(file).info["dpi"][0] for file in folder.rglob("*.png")} == {299.9994}
    assert any("91% of its size" in problem.message for problem in report.notes)


def test_a_size_that_no_product_has_names_the_nearest_and_can_be_scaled(tmp_path, exported, write_game):
    town = write_game(tmp_path / "town", size="50 x 80")
    with pytest.raises(InputError) as error:
        exported(town, "the-game-crafter", "cards")
    (problem,) = error.value.problems
    assert "has no deck of 50 × 80 mm" in problem.message
    assert str(problem.place).endswith("game.yaml:5")
    assert "--product" in problem.hint and "business-deck" in problem.hint
    folder, report = exported(town, "the-game-crafter", "cards", product="bridge-deck")
    assert Image.open(folder / "cards/back.png").size == (750, 1125)
    assert Image.open(folder / "cards/back.png").getextrema() == ((0, 0),) * 3  # the bleed reaches the edges
    assert "“cards” is printed at 111% of its size" in report.notes[0].message
    for product, message in {
        "poker-duck": "has no product “poker-duck” for the deck “cards”; did you mean poker-deck",
        "custom-d6": "has no product “custom-d6” for the deck “cards”; it is for components of the kind “dice”",
    }.items():
        with pytest.raises(InputError, match=message):
            exported(town, "the-game-crafter", "cards", product=product)


def test_cards_on_their_side_are_turned_with_their_backs_the_other_way(tmp_path, exported, write_game):
    back = '<face fill="#000000"><stack grow="1"><at x="0" y="0" width="10" height="10" fill="#ff0000"/></stack></face>'
    front = back.replace("#000000", "#ffffff")
    town = write_game(
        tmp_path / "town",
        size="3.5in x 2.5in",
        **{"templates_house_back_xml_j2": back, "templates_house_xml_j2": front},
    )
    folder, _ = exported(town, "makeplayingcards", "cards")
    front, back = (Image.open(folder / name) for name in ("cards/001-mill-front.png", "cards/back.png"))
    assert front.size == back.size == (822, 1122)
    red = (255, 0, 0)
    assert (front.getpixel((780, 50)), front.getpixel((50, 1070))) == (red, (255, 255, 255))
    assert (back.getpixel((780, 50)), back.getpixel((50, 1070))) == ((0, 0, 0), red)


def test_components_without_a_product_are_left_out_with_a_note(tmp_path, write_game, exported):
    town = write_game(tmp_path / "town", size="mini")
    lines = (town / "game.yaml").read_text().replace("size: 20,", "size: 0.75in,").splitlines(keepends=True)
    others = ("  sheet:", "  dice:", "  board:", "  pawns:", "  rules:")
    strip = "  strip: {kind: deck, title: Strip, cards: coins.csv, size: 180 x 67, face: coin}\n"
    (town / "game.yaml").write_text("".join(line for line in lines if not line.startswith(others)) + BOX + strip)
    folder, report = exported(town, "the-game-crafter")
    messages = [problem.message for problem in report.notes]
    assert messages[0] == "left out: The Game Crafter has no deck of 180 × 67 mm, the size of “strip”"
    assert messages[1] == "The Game Crafter has no box for the 4 cards of “box”"
    assert {row["component"] for row in manifest(folder)} == {"cards", "token", "box"}
    assert Image.open(folder / "box/001-front.png").size[0] == round((44.45 + 1.5 + 6.35) / 25.4 * 300)


# ---- the order file


def read_order(file):
    """The slots of an order as the desktop tool of MPC Autofill reads them: `cardback` fills those without a back."""
    root = ElementTree.parse(file).getroot()
    parts = {child.tag: child for child in root}
    details = {child.tag: child.text for child in parts["details"]}
    quantity = int(details["quantity"])
    assert details["stock"] in ("(S30) Standard Smooth", "(S27) Smooth", "(S33) Superior Smooth", "(M31) Linen")
    assert details["foil"] in ("true", "false")

    def slots(part):
        found = {}
        for card in part:
            fields = {child.tag: child.text for child in card}
            assert fields["name"] == fields["id"].rpartition("/")[2]
            for number in fields["slots"].split(","):
                assert int(number) not in found
                found[int(number)] = fields["id"]
        return found

    fronts, backs = slots(parts["fronts"]), slots(parts["backs"])
    backs = {number: backs.get(number, parts["cardback"].text) for number in range(quantity)}
    assert fronts.keys() == backs.keys()
    return [(fronts[number], backs[number]) for number in range(quantity)]


def test_the_order_fills_every_slot(tmp_path, exported, write_game):
    cards = (
        "id,name,copies,colour,back\nmill,Old Mill,2,#335c81,\nforge,Forge,1,#8a3b12,coin\ninn,Green Inn,1,#3f7f4b,\n"
    )
    town = write_game(tmp_path / "town", size="mini", cards_csv=cards)
    folder, _ = exported(town, "makeplayingcards", "cards")
    ordered = read_order(folder / "order.xml")
    assert ordered == [
        ("cards/001-mill-front.png", "cards/back.png"),
        ("cards/001-mill-front.png", "cards/back.png"),
        ("cards/002-forge-front.png", "cards/back-2.png"),
        ("cards/003-inn-front.png", "cards/back.png"),
    ]
    assert {Image.open(folder / name).size for pair in ordered for name in pair} == {(597, 822)}


def test_cards_without_backs_and_orders_that_are_too_large_are_refused(tmp_path, town, exported, write_game):
    plain = write_game(tmp_path / "plain", size="mini")
    (plain / "game.yaml").write_text((plain / "game.yaml").read_text().replace("    back: house_back\n", ""))
    with pytest.raises(InputError, match="prints a back on every card, and cards, mill has none"):
        exported(plain, "makeplayingcards", "cards")
    many = write_game(tmp_path / "many", size="mini", cards_csv="id,name,copies,colour\nmill,Mill,613,red\n")
    with pytest.raises(InputError, match="at most 612 cards in an order, but there are 613"):
        exported(many, "makeplayingcards", "cards")
    with pytest.raises(InputError, match="makeplayingcards does not take “sheet”, a sheet; it takes deck"):
        exported(town, "makeplayingcards", "sheet")


def test_names_of_files_are_plain_and_never_written_twice(tmp_path, write_game, pencilbox):
    assert [plain_name(text) for text in ("../../Café ☕", "Дом 1", "a" * 99, "..", "🙂")] == [
        "Cafe",
        "1",
        "a" * 60,
        "x",
        "x",
    ]
    town = write_game(tmp_path / "town")
    (town / "targets.yaml").write_text(
        'targets:\n  ours: {service: A, format: png, dpi: 40, naming: "{component}-{side}"}\n'
    )
    code, _, err = pencilbox("export", town, "--for", "ours", "-c", "cards")
    assert code == 2 and "cards-front.png would be written twice; add {component} and {number}" in err


# ---- the folder


def export_to(folder, town, into, *names):
    game = load(town)
    target = targets.targets()["png"].changed(dpi=40, bleed=0.0)
    order = sides.ExportOrder(game, games.deal(game, None), target, sizes.paper("a4"))
    return export.export(order, names, into)


def test_an_export_replaces_only_its_own_files_and_only_as_a_whole(tmp_path, write_game):
    town, into = write_game(tmp_path / "town"), tmp_path / "out/folder"
    export_to(tmp_path, town, into, "cards")
    (into / "notes.txt").write_text("mine")
    before = {file: file.read_bytes() for file in into.rglob("*") if file.is_file()}

    (town / "cards.csv").write_text("id,name,colour\nmill,Old Mill,#335c81\nbad,Bad,no-colour\n")
    with pytest.raises(InputError, match="no-colour"):
        export_to(tmp_path, town, into, "cards")
    assert {file: file.read_bytes() for file in into.rglob("*") if file.is_file()} == before

    (town / "cards.csv").write_text("id,name,colour\nmill,Old Mill,#335c81\n")
    export_to(tmp_path, town, into, "cards")
    assert sorted(file.name for file in into.rglob("*") if file.is_file()) == [
        "001-mill-front.png",
        "back.png",
        "export.json",
        "manifest.csv",
        "notes.txt",
    ]
    assert [file.name for file in into.parent.iterdir()] == ["folder"]  # no temporary folder is left
    assert not [*into.glob(".*")]
    (into / "export.json").unlink()
    with pytest.raises(InputError, match="is not from an earlier export"):
        export_to(tmp_path, town, into, "cards")


def test_an_export_goes_into_any_folder_and_removes_only_what_it_wrote(pencilbox, town, tmp_path):
    words = ("export", town, "--for", "png", "--dpi", "40", "-o", ".")
    (tmp_path / "mine.txt").write_text("mine")
    assert pencilbox(*words, "-c", "cards")[0] == 0
    assert pencilbox(*words, "-c", "token")[0] == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["export.json", "manifest.csv", "mine.txt", "token"]
    (tmp_path / "export.json").write_text('{"files": ["../outside.txt", "mine.txt"]}')
    (tmp_path.parent / "outside.txt").write_text("outside")
    code, _, err = pencilbox(*words, "-c", "token")
    assert code == 2 and "manifest.csv: is not from an earlier export" in err
    assert (tmp_path.parent / "outside.txt").exists() and (tmp_path / "mine.txt").exists()
    (tmp_path / "a").write_text("a file")
    code, _, err = pencilbox(*words[:-1], "a/b")
    assert code == 2 and "a: cannot be written" in err


# ---- the command


def test_the_command_lists_targets_and_reports_what_it_wrote(pencilbox, town, tmp_path):
    code, out, _ = pencilbox("export", "--list", "--format", "json")
    assert code == 0 and [target["target"] for target in json.loads(out)][:3] == ["png", "jpg", "pdf-cards"]
    code, out, _ = pencilbox("export", "--list", "--for", "The-Game-Crafter")
    assert code == 0 and "poker-deck" in out and "825 x 1125" in out
    words = ("export", town, "--for", "png", "--dpi", "40", "-c", "cards")
    code, out, _ = pencilbox(*words, "--format", "json")
    assert code == 0 and json.loads(out)["files"][0] == "cards/001-mill-front.png"
    assert (tmp_path / "output/town/png-cards/manifest.csv").is_file()
    code, out, _ = pencilbox(*words, "--workers", "2")
    assert code == 0 and out.startswith("output/town/png-cards: 5 files for png")


def test_wrong_options_are_refused(pencilbox, town):
    for words, message in {
        ("--for", "pgn"): "there is no target “pgn”; did you mean png",
        (): "--for is missing",
        ("--for", "png", "-c", "card"): "there is no component “card”; did you mean cards",
        ("--for", "the-game-crafter", "--dpi", "600"): "--dpi is not for the-game-crafter",
        ("--for", "png", "--product", "mini"): "--product is not for png",
        ("--for", "makeplayingcards", "--no-bleed"): "--no-bleed is not for makeplayingcards",
    }.items():
        code, _, err = pencilbox("export", town, *words)
        assert code == 2 and message in err, err


def test_pages_without_bleed_have_their_edges_continued(town, exported):
    from generator.exporting.raster import extended

    image = Image.new("RGB", (10, 8), "white")
    image.paste((0, 0, 255), (3, 2, 8, 6))
    image.putpixel((3, 3), (255, 0, 0))
    extended = extended(image, (3, 2, 8, 6))
    assert extended.getpixel((0, 0)) == extended.getpixel((9, 7)) == (0, 0, 255)
    assert [extended.getpixel((x, 3)) for x in range(4)] == [(255, 0, 0)] * 4
    folder, _ = exported(town, "the-game-crafter", "sheet", product="small-score-pad")
    assert Image.open(folder / "sheet/001-page-1.png").size == (1125, 1725)


def test_your_own_targets_lie_in_the_settings_and_beside_the_game(pencilbox, tmp_path, write_game, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config/pencilbox").mkdir(parents=True)
    target = "targets:\n  {}: {{service: Anna, format: png, dpi: 40, naming: '{{component}}-{{number}}-{{side}}'}}\n"
    (tmp_path / "config/pencilbox/targets.yaml").write_text(target.format("mine"))
    town = write_game(tmp_path / "town")
    (town / "targets.yaml").write_text(target.format("ours"))
    assert "mine" in pencilbox("export", "--list")[1]
    for name in ("mine", "ours"):
        assert pencilbox("export", town, "--for", name, "-c", "cards", "-o", name)[0] == 0
        assert sorted(file.name for file in (tmp_path / name).glob("*.png"))[:2] == [
            "cards-001-front.png",
            "cards-002-front.png",
        ]
    (town / "targets.yaml").write_text("targets:\n  ours: {service: Anna, format: gif}\n")
    code, _, err = pencilbox("export", town, "--for", "ours")
    assert code == 2 and "town/targets.yaml:2" in err and "“format” must be one of" in err
