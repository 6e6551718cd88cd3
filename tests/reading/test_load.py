"""Games are loaded from folders; the problems of all files are reported together."""

import json
import re
import shutil

import pytest

from generator import paths
from generator.errors import InputError
from generator.reading.load import load, shipped
from generator.reading.sizes import card_size, paper
from generator.reading.theme import theme

EXAMPLE = paths.ROOT / "examples" / "lantern_walk"
LATO = paths.SHARED_DATA / "fonts" / "Lato-Regular.ttf"


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(EXAMPLE, tmp_path / "own")


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def error_messages(folder):
    with pytest.raises(InputError) as caught:
        load(str(folder))
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("key", shipped())
def test_every_shipped_game_loads(key):
    game = load(key)
    assert game.key == key
    assert game.components


def test_the_standard_set_matches_the_rulebook():
    cards = load("from_the_ground_up").components["cards"].cards
    assert [str(card.star) for card in cards] == ["5-6"] * 3 + ["3-4"] * 3 + ["3-5"] * 2 + ["3-4", "1-3", "1-2", "1-2"]
    assert [len(card.symbols) + 1 for card in cards] == [6, 6, 5, 4, 4, 4, 5, 5, 5, 4, 3, 3]


def test_your_own_game_is_one_folder_with_cards_in_a_table(folder):
    game = load(str(folder))
    cards = game.components["cards"].cards
    assert (game.key, len(cards)) == ("own", 9)
    assert cards[2].rule == "You may swap it with a neighbour, *once*."
    assert cards[8].rule is None
    assert cards[0].place.line == 2


def test_copies_multiply_cards(folder):
    edit(folder / "cards.csv", "Everybody draws a card.,1", "Everybody draws a card.,3")
    assert [card.id for card in load(str(folder)).components["cards"].cards].count("5") == 3


def test_xlsx_gives_the_same_cards_as_csv(folder):
    import csv

    import openpyxl

    book = openpyxl.Workbook()
    for row in csv.reader((folder / "cards.csv").read_text().splitlines()):
        book.active.append([int(cell) if cell.isdigit() else cell or None for cell in row])
    book.save(folder / "cards.xlsx")
    by_csv = load(str(folder)).components["cards"].cards
    edit(folder / "cards.yaml", "cards.csv", "cards.xlsx")
    by_xlsx = load(str(folder)).components["cards"].cards
    assert [(card.id, dict(card.values)) for card in by_xlsx] == [(card.id, dict(card.values)) for card in by_csv]


def test_the_problems_of_all_files_are_reported_together(folder):
    edit(folder / "cards.csv", "gold,5", "golden,9")
    edit(folder / "cards.csv", "id,title", "id,titel")
    edit(folder / "sheet.yaml", "kind: number", "kind: nummer")
    edit(folder / "game.yaml", "prefix: LW", "prefix: Lantern")
    lines = error_messages(folder)
    assert any("cards.csv:1: unknown field “titel”; did you mean title?" in line for line in lines)
    assert any(
        "cards.csv:5: “colour” must be one of red, gold, blue, not “golden”; did you mean gold?" in line
        for line in lines
    )
    assert any("cards.csv:5: “light” must be from 1 to 6, not “9”" in line for line in lines)
    assert any("sheet.yaml:11" in line and "did you mean number?" in line for line in lines)
    assert any("two capital letters" in line for line in lines)


def test_a_game_without_set_codes_needs_no_prefix(folder):
    edit(folder / "game.yaml", "prefix: LW\n", "")
    assert load(str(folder)).definition.prefix == ""


def test_only_draws_that_deal_to_players_need_players(folder):
    text = (folder / "game.yaml").read_text()
    (folder / "game.yaml").write_text(re.sub("(?m)^players:.*\n", "", text))
    game = load(str(folder))
    assert game.definition.players is None and 1 in game.players and 12 in game.players
    edit(folder / "game.yaml", "components:\n", "components:\n  dealer: {kind: page, title: Deal, face: drawn}\n")
    with (folder / "game.yaml").open("a") as file:
        file.write("draws:\n  deal: {shuffle: cards, hands: 2, into: dealer}\n")
    assert any("it needs the number of players; write “players: 2-5”" in line for line in error_messages(folder))


def test_set_codes_need_a_prefix(folder):
    edit(folder / "game.yaml", "prefix: LW\n", "sets: sets.yaml\n")
    assert any("“sets” needs the key “prefix”" in line for line in error_messages(folder))


def test_recipes_without_code_that_draws_are_refused(folder):
    edit(folder / "game.yaml", "prefix: LW\n", "prefix: LW\nsets: sets.yaml\n")
    (folder / "sets.yaml").write_text("default: '01'\nrecipes: {'01': {}}\n", "utf-8")
    [message] = error_messages(folder)
    assert "“sets: sets.yaml” has no effect" in message and "“draws”" in message


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("game.yaml", "cards: cards.yaml", "cards: ../../secret.yaml", "is outside the game’s folder"),
        ("game.yaml", "cards: cards.yaml", "cards: /etc/passwd", "is outside the game’s folder"),
        ("game.yaml", "cards: cards.yaml", "cards: card.yaml", "did you mean cards.yaml"),
        ("game.yaml", "size: poker-mm", "size: pokr-mm", "did you mean poker-mm"),
        ("game.yaml", "kind: deck", "kind: dek", "did you mean deck?"),
        ("game.yaml", "    face: card\n", "", "needs “face”"),
        ("cards.yaml", "table: cards.csv", "table: cards.ods", "no file “cards.ods”"),
        ("cards.yaml", "table: cards.csv", "", "either “cards” or a “table”"),
        ("cards.csv", "2,Old", "1,Old", "two cards have the id “1”"),
        ("cards.csv", ",1\n", ",many\n", "“copies” must be from 0 to 1,000"),
        ("cards.csv", "Tea House,red,3", "Tea,House,red,3", "quote any text that contains a comma"),
        ("sheet.yaml", "count: 3", "count: 5000", "from 1 to 500"),
        ("sheet.yaml", "count: 3", "count: 3, length: 222222222", "from 1 to 1,000"),
        ("game.yaml", "title:", "theme: theem.yaml\ntitle:", "no theme “theem.yaml”; did you mean theme.yaml"),
        ("game.yaml", "title:", "low_ink: low.yaml\ntitle:", "there is no theme “low.yaml”"),
        ("game.yaml", "title:", 'theme: "a\\0"\ntitle:', "“theme” must be the name of a file, not “a�”"),
        ("game.yaml", "cards: cards.yaml", 'cards: "a\\n.yaml"', "“cards” must be the name of a file"),
        ("theme.yaml", "colours:", "font: my.otf\ncolours:", "font “font”: no file “my.otf”"),
        ("theme.yaml", 'night: "#1c2440"', "night: dark", "must be a colour"),
        ("theme.yaml", 'night: "#1c2440"', "night: nawy", "did you mean navy?"),
        ("theme.yaml", 'night: "#1c2440"', "night: accent", "this is a colour of the theme: repeat its code"),
        ("theme.yaml", "font: black", "font: blakc", "did you mean black?"),
    ],
)
def test_each_mistake_has_its_message(folder, file, old, new, message):
    edit(folder / file, old, new)
    assert message in "\n".join(error_messages(folder))


def test_each_mistake_in_a_box_has_its_message(folder):
    before = (folder / "game.yaml").read_text()
    for keys, message in {
        "": "“crate” is a box and needs “decks” or “room”",
        "decks: [cards], room: 9 x 9 x 9": "“decks” does not work with “room” or a band",
        "room: 33 x 33": "“room” must be a width, height and depth such as 33 x 33 x 17",
        "room: 33 x 33 x 2": "the depth of “room” must be from 4 to 1500 mm, not 2 mm",
        "form: band": "“crate” is a band and needs “room”",
        "form: tray": "“crate” is a tray and needs “room”",
        "form: sleeve": "“crate” is a sleeve and needs “decks” or “room”",
        "form: tray, decks: [cards]": "“decks” does not work with “room” or a tray",
        "form: tray, room: 120 x 90 x 5, panels: {floor: card}": "the depth of “room” must be from 8 to 1500 mm, not 5",
        "form: tray, room: 120 x 90 x 18, panels: {front: card}": "unknown panel “front”",
        "form: sleeve, room: 60 x 90 x 18, panels: {top: card}": "unknown panel “top”",
        "form: band, room: 180 x 26 x 4, panels: {left: card}": "unknown panel “left”",
    }.items():
        panels = "" if "panels" in keys else ", panels: {front: card}"
        crate = f"  crate: {{kind: box, title: T{panels}{', ' if keys else ''}{keys}}}\n"
        (folder / "game.yaml").write_text(before.replace("components:\n", f"components:\n{crate}", 1))
        assert message in "\n".join(error_messages(folder)), keys


def test_shapes_that_pawns_cannot_have_are_refused(folder):
    before = (folder / "game.yaml").read_text()
    for keys, message in {
        "shape: hex": "pawns cannot be “hex”; use rectangle or rounded",
        "shape: rounded, radius: 8": "“radius” is 8 mm, too large for pawns of this size; use at most 7",
    }.items():
        pawns = f"  men: {{kind: pawns, title: T, cards: cards.yaml, face: card, back: card, size: 20 x 32, {keys}}}\n"
        (folder / "game.yaml").write_text(before.replace("components:\n", f"components:\n{pawns}", 1))
        assert message in "\n".join(error_messages(folder)), keys


@pytest.mark.parametrize("key", shipped())
def test_a_copy_of_a_shipped_game_needs_its_rules(tmp_path, key):
    folder = shutil.copytree(paths.DATA / key, tmp_path / key)
    assert load(str(folder)).key == key
    text = (folder / "game.yaml").read_text()
    before, _, after = text.partition("\nrules:\n")
    (folder / "game.yaml").write_text(before + "\n" + "".join(re.findall(r"^(?=[a-z]+:)(?s:.*)", after, re.M)))
    (line,) = error_messages(folder)
    assert "“rules” needs the keys" in line and "copy what is missing from the shipped game.yaml" in line


@pytest.mark.parametrize("name", ["a\0b.yaml", "loop", "loop/x.yaml", "x" * 5_000, "\ud800"])
def test_impossible_file_names_are_refused(folder, name):
    (folder / "loop").symlink_to("loop")
    quoted = json.dumps(name)
    for file, key in (("game.yaml", "cards: cards.yaml"), ("cards.yaml", "table: cards.csv")):
        text = (folder / file).read_text()
        (folder / file).write_text(text.replace(key, f"{key.partition(':')[0]}: {quoted}"))
        assert len(error_messages(folder)) == 1
        (folder / file).write_text(text)


def test_unknown_games_are_refused(tmp_path):
    assert (
        error_messages("from_the_ground")[0]
        == "there is no game or folder “from_the_ground”; did you mean from_the_ground_up?"
    )
    assert "has no game.yaml" in error_messages(tmp_path)[0]


def test_named_sizes():
    assert (card_size("poker").width, card_size("poker").height) == (pytest.approx(63.5), pytest.approx(88.9))
    assert (card_size("poker-mm").width, card_size("poker-mm").height) == (63, 88)
    assert (card_size("2.5in x 63.5").width) == pytest.approx(63.5)
    assert (paper("letter").width, paper("letter").height) == (pytest.approx(215.9), pytest.approx(279.4))


def test_the_fonts_of_a_theme_know_its_language(tmp_path):
    (tmp_path / "theme.yaml").write_text("language: tr")
    assert {font.language for files in theme(tmp_path, "theme.yaml").fonts.values() for font in files} == {"tr"}
    (tmp_path / "low_ink.yaml").write_text("language: none")
    assert theme(tmp_path, "low_ink.yaml").fonts["regular"][0].language == ""


def test_the_shared_fonts_follow_those_of_a_theme(tmp_path):
    """For characters that they lack; of a font that has a name of its own, the regular one."""
    shutil.copy(LATO, tmp_path / "mine.ttf")
    (tmp_path / "theme.yaml").write_text("fonts: {bold: mine.ttf, title: [mine.ttf, Lato-Black.ttf]}")
    (tmp_path / "low_ink.yaml").write_text("font: mine.ttf")
    full = theme(tmp_path, "theme.yaml")
    names = {key: [file.path.name for file in files] for key, files in full.fonts.items()}
    assert names["bold"] == ["mine.ttf", "Lato-Bold.ttf"]
    assert names["title"] == ["mine.ttf", "Lato-Black.ttf", "Lato-Regular.ttf"]
    assert names["regular"] == ["Lato-Regular.ttf"]
    low_ink = theme(tmp_path, "low_ink.yaml", full)
    assert [(file.path.name, file.style) for file in low_ink.fonts["italic"]] == [
        ("mine.ttf", "italic"),
        ("Lato-Italic.ttf", ""),
    ]
