"""Of a game of which one file has changed, only the components that read this file are printed again, and the PDFs are
those that printing everything gives."""

import json

import pytest

GAME = """
title: Small Town
components:
  cards: {kind: deck, title: Houses, cards: cards.csv, size: 44 x 63, face: house, back: roof, safe: 0}
  coins: {kind: deck, title: Coins, cards: coins.yaml, size: 30 x 30, face: coin, safe: 0}
  help: {kind: page, title: Help, cards: help.yaml, face: help, margin: 0}
  sheet: {kind: sheet, title: Score pad, sheet: sheet.yaml, face: pad, margin: 0}
  dice: {kind: dice, title: Die, dice: dice.yaml, face: die}
  pawns: {kind: pawns, title: People, cards: pawns.json, size: 20 x 32, face: person, back: person, safe: 0}
  board: {kind: board, title: Town, board: board.yaml, face: ground}
  box: {kind: box, title: Box, decks: [cards], panels: {front: lid}}
  rules: {kind: booklet, title: Rules, text: rules}
"""
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#335c81" d="M0 0h9v9H0z"/></svg>'
FILES = {
    "cards.csv": "id,name,art,back,old\nmill,Old Mill,mill,,yes\ninn,Green Inn,inn.svg,cellar,\n",
    "coins.yaml": "table: coins.csv\n",
    "coins.csv": "id,name\none,One\n",
    "help.yaml": "- {id: help}\n",
    "sheet.yaml": "title: Pad\nfields:\n  coins: {kind: number, label: Coins}\n",
    "dice.yaml": "dice: [{id: plain, faces: [1, 2, 3, 4, 5, 6]}]\n",
    "pawns.json": '[{"id": "ann", "name": "Ann"}]',
    "board.yaml": "size: 100 x 80\nkinds: {stop: {size: 12}}\nspaces: {a: {kind: stop, x: 30, y: 30}}\n",
    "theme.yaml": 'styles:\n  name: {size: 10pt, floor: 6pt, colour: "#101010"}\n',
    "art/mill.svg": SQUARE,
    "art/inn.svg": SQUARE,
    "art/coin.svg": SQUARE,
    "icons/star.svg": SQUARE,
    "templates/house.xml.j2": """<face><column><text style="name">{{ card.name }}</text>
{% if card.old == "yes" %}{% include "age.xml.j2" %}{% endif %}
<image file="{{ card.art }}" height="20"/></column></face>""",
    "templates/age.xml.j2": '<text style="name">old</text>',
    "templates/roof.xml.j2": '<face fill="#8a3b12"/>',
    "templates/cellar.xml.j2": '<face fill="#123456"/>',
    "templates/coin.xml.j2": '<face><image file="coin" height="9"/></face>',
    "templates/help.xml.j2": """<face><text style="name">{{ decks.coins | length }} coins</text></face>""",
    "templates/pad.xml.j2": '<face><slot id="coins" shape="box" width="20" height="20"/></face>',
    "templates/die.xml.j2": '{% from "marks.xml.j2" import mark %}<face>{{ mark(shown) }}</face>',
    "templates/marks.xml.j2": '{% macro mark(text) %}<text style="name">{{ text }}</text>{% endmacro %}',
    "templates/person.xml.j2": '<face><text style="name">{{ card.name }}</text></face>',
    "templates/ground.xml.j2": '<face fill="#5f7f4b"/>',
    "templates/lid.xml.j2": '<face fill="#ffffff"/>',
    "templates/rules.md.j2": "# Rules\n\nBuild {{ game.title }}.\n\n```figure\ndice: [6]\n```\n",
}
ALL = "board box cards coins dice help pawns rules sheet sheet-fillable"
CHANGES = [
    ("cards.csv", "Old Mill", "New Mill", "box cards"),
    ("cards.csv", "cellar,", "roof,", "box cards"),
    ("cards.csv", "id,", "copies,id,", None),  # what is wrong is reported, and nothing else is printed
    ("cards.csv", "copies,id,", "id,", ""),
    ("coins.csv", "one,One\n", "one,One\ntwo,Two\n", "coins help"),
    ("sheet.yaml", "label: Coins", "label: Gold", "sheet sheet-fillable"),
    ("dice.yaml", "4, 5", "5, 4", "dice rules"),
    ("pawns.json", "Ann", "Bo", "pawns"),
    ("board.yaml", "100 x 80", "100 x 90", "board"),
    ("art/mill.svg", "#335c81", "#8a3b12", "cards"),
    ("art/coin.svg", "#335c81", "#8a3b12", "coins"),
    ("templates/age.xml.j2", "old", "aged", "cards"),
    ("templates/cellar.xml.j2", "#123456", "#335c81", ""),  # no card has this back any more
    ("templates/marks.xml.j2", "{{ text }}", "({{ text }})", "dice rules"),
    ("templates/lid.xml.j2", "#ffffff", "#335c81", "box"),
    ("templates/rules.md.j2", "Build", "Rebuild", "rules"),
    ("icons/star.svg", "#335c81", "#8a3b12", ALL),
    ("game.yaml", "title: Town", "title: Our town", ALL),
    ("art/new.svg", "", SQUARE, "cards coins"),
    ("icons/new.svg", "", SQUARE, ALL),
]


@pytest.fixture
def town(tmp_path):
    """The folder of the game."""
    folder = tmp_path / "town"
    for name, text in {"game.yaml": GAME, **FILES}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def make(pencilbox, *words):
    """The names of the files that a command prints, not of those that have not changed; None after an error."""
    code, out, _ = pencilbox("make", "town", "--format", "json", *words)
    if code:
        return None
    files = [file["file"].rpartition("/")[2] for file in json.loads(out) if not file["unchanged"]]
    return {file.removesuffix(".pdf").replace("-a4", "") for file in files}


def test_only_what_has_changed_is_printed_again(pencilbox, tmp_path, town):
    assert make(pencilbox) == {*ALL.split()}
    for name, old, new, expected in CHANGES:
        file = town / name
        text = file.read_text() if file.is_file() else ""
        assert old in text
        file.write_text(text.replace(old, new, 1))
        assert make(pencilbox) == (None if expected is None else {*expected.split()}), (name, old)
        if name in ("board.yaml", "art/new.svg"):
            assert make(pencilbox, "--force", "-o", "fresh")
            for pdf in (tmp_path / "fresh" / "town").iterdir():
                assert pdf.read_bytes() == (tmp_path / "output" / "town" / pdf.name).read_bytes(), (name, pdf.name)


def test_a_set_depends_on_all_components(pencilbox, town):
    (town / "game.yaml").write_text(f"{GAME}draws: {{one: {{pick: cards, count: 1}}}}\n")
    draw = "-c", "cards", "--random", "--seed", "x"
    assert make(pencilbox, *draw)
    assert make(pencilbox, *draw) == set()
    (town / "coins.csv").write_text("id,name\none,Penny\n")
    assert make(pencilbox, *draw)
    (town / "art" / "coin.svg").write_text(SQUARE + "\n")
    assert make(pencilbox, *draw) == set()
