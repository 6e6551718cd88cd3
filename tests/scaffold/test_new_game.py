"""New games: every combination of parts prints and scores, and what the comments offer works when it is used."""

import os
import re
from itertools import chain, combinations
from pathlib import Path

import pytest
import yaml

from generator import games, paths
from generator.errors import InputError
from generator.judging.judge import Judge
from generator.model.columns import LOOKS
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.reading.table_game import TEMPLATES, TableLook
from generator.scaffold import new_game
from generator.scaffold.new_game import quoted

COMBINATIONS = [*chain.from_iterable(combinations(new_game.PARTS, count) for count in range(len(new_game.PARTS) + 1))]


def started(folder, table=None, parts=(), look=None):
    """A new game in the folder, as `pencilbox new` writes it."""
    start = new_game.source(str(table) if table else None, look or TableLook())
    new_game.write(folder, new_game.files(folder, start, tuple(parts)))
    return folder


def printed(folder):
    """The number of pages of each component, also of the forms."""
    game = load(folder)
    press = Press(game, games.deal(game))
    pages = {name: press.component(name, paper("a4")).pages for name in game.components}
    for name in game.sheets:
        assert press.fillable(name, paper("a4")).pages
    return pages


def test_a_box_that_is_too_large_is_explained(tmp_path):
    def problem(count, size="poker"):
        return new_game.box_problem(new_game.source(str(_table(tmp_path, count)), TableLook(size)))

    assert problem(54) == ""
    most = int(re.search(r"holds up to (\d+)", problem(500))[1])
    assert f"into {-(-500 // most)} decks" in problem(500)
    assert problem(most) == "" and problem(most + 1)
    assert "does not fit on A4" in problem(1, "120 x 170")
    game = load(started(tmp_path / "full", _table(tmp_path, most), ["box"]))
    assert Press(game, games.deal(game)).component("box", paper("a4")).pages


def _table(folder, count):
    (folder / "cards.csv").write_text(f"Name,Qty\nMoon,{count}\n")
    return folder / "cards.csv"


def uncommented(folder):
    """Uses everything that the comments of a new game offer."""
    for name in ("cards.yaml", "theme.yaml"):
        text = (folder / name).read_text("utf-8")
        head, key, rest = re.split(r"^# (fields:|styles:)$", text, flags=re.MULTILINE)
        (folder / name).write_text(head + key + re.sub(r"^# ", "", rest, flags=re.MULTILINE), "utf-8")


@pytest.mark.parametrize("parts", COMBINATIONS, ids="+".join)
def test_every_combination_prints_and_scores(tmp_path, parts):
    folder = started(tmp_path / "my_game", parts=parts)
    names = {"score-sheet": "sheet", "booklet": "rules", "box": "box"}
    assert set(printed(folder)) == {"cards", *(names[part] for part in parts)}
    if "score-sheet" in parts:
        (answer,) = Judge().answers([str(folder / "filled.yaml")])
        assert answer.verdict.valid
        assert answer.result.winners == ("Bo",)


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_face_can_be_copied(tmp_path, template):
    folder = started(tmp_path / "my_game", look=TableLook(template=template))
    text = (folder / "templates/card.xml.j2").read_text("utf-8")
    assert "<face" in text
    assert "extends" not in text or template in LOOKS
    assert printed(folder)["cards"] > 1


@pytest.mark.parametrize(
    "table",
    [
        "Name,Cost,Type,Text,Flavour,Power\nAxe,2,Tool,Hit.,Sharp.,3\nBow,3,Tool,Shoot.,,4\n",
        "Question,A,B,Answer\nBigger?,Ant,Bee,B\nFaster?,Car,Bike,A\n",
        "Deutsch,English\nHund,dog\nKatze,cat\n",
        "Suit,Rank\nHearts,A\nSpades,7\n",
        "dog\ncat\nhouse\n",
        "Mermaid,3,Draw two cards from the sea.\nPirate,2,Steal a coin from a neighbour.\n",
        "Название,Текст\nМеч,Бей.\nЩит,Защищай.\n",
        "Word,Kind\nblue,colour\nrun,verb\n",
    ],
)
def test_the_face_of_a_new_game_is_short_and_prints(tmp_path, table):
    (tmp_path / "cards.csv").write_text(table, "utf-8")
    folder = started(tmp_path / "my_game", tmp_path / "cards.csv")
    assert printed(folder)["cards"] == 2
    for name in ("card", "back"):
        text = (folder / f"templates/{name}.xml.j2").read_text("utf-8")
        assert text.count("\n") < 26
        assert "plan" not in text and "import" not in text


def test_a_new_game_reads_its_table_as_the_options_said(tmp_path):
    (tmp_path / "cards.csv").write_bytes("Wort,Stk,Notiz\nTür,2,neu\nTor,1,alt\n".encode("cp850"))
    look = TableLook(columns="Stk=copies, Notiz=-", encoding="cp850", headings=True)
    folder = started(tmp_path / "my_game", tmp_path / "cards.csv", look=look)
    assert "table: {file: cards.csv, encoding: cp850, headings: true}" in (folder / "cards.yaml").read_text("utf-8")
    assert [dict(card.values) for card in load(folder).components["cards"].cards] == [
        {"wort": "Tür"}, {"wort": "Tür"}, {"wort": "Tor"},
    ]  # fmt: skip


QUIRKS = """Name;Qty;Cost;2nd;Colour: on it;Ready?;When;Nothing
Ada;2;3;007;#aa0000;yes;3-5;
Bo;1;0;1.50;#00aa00;no;4;
Cy;;7;2;#0000aa;yes;2-3;
Di;1;2;3;#aa0000;yes;1;
"""


def test_declarations_are_guessed_and_can_be_used(tmp_path):
    (tmp_path / "people.csv").write_text(QUIRKS)
    folder = started(tmp_path / "my_people", tmp_path / "people.csv")
    before = printed(folder)
    uncommented(folder)
    assert printed(folder) == before
    fields = yaml.safe_load((folder / "cards.yaml").read_text("utf-8"))["fields"]
    assert fields == {
        "name": {"kind": "text", "required": True},
        "cost": {"kind": "number", "span": "0-7", "required": True},
        "2nd": {"kind": "text", "required": True},
        "colour_on_it": {"kind": "colour", "required": True},
        "ready": {"kind": "tick", "required": True},
        "when": {"kind": "range", "required": True},
        "nothing": {"kind": "text"},
    }
    assert len(load(folder).components["cards"].cards) == 5


def test_the_same_cards_as_from_the_bare_table(tmp_path):
    table = tmp_path / "lanterns.csv"
    table.write_text("Name,Cost,Qty,Type,Text,Range\nPaper Moon,2,2,Lantern,Counts double.,3\nKiln,4,1,Place,Draw.,\n")
    bare, own = load(table).components["cards"], load(started(tmp_path / "walk", table)).components["cards"]
    assert [(card.id, card.values, card.copies) for card in own.cards] == [
        (card.id, card.values, card.copies) for card in bare.cards
    ]
    assert own.columns == bare.columns
    game, original = load(tmp_path / "walk"), load(table)
    assert Press(game, games.deal(game)).component("cards", paper("a4")).pages == 2
    assert game.definition.components["cards"].size == original.definition.components["cards"].size


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cards.yaml", "- {name: Ada, cost: 3}\n- {name: Bo, cost: 4}\n"),
        ("game.json", '[{"name": "Ada", "cost": 3}, {"name": "Bo", "cost": 4}]'),
        ("sheet.yaml", "- {name: Ada, cost: 3}\n"),
        ("theme.csv", "name,cost\nAda,3\n"),
        ("my cards (2).tsv", "name\tcost\nAda\t3\n"),
        ("null.csv", "name,cost\nAda,3\n"),
    ],
)
def test_tables_of_every_kind_and_name(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    folder = started(tmp_path / "my_game", tmp_path / name, new_game.PARTS)
    assert printed(folder)["cards"] == 2


def test_the_worksheet_that_was_chosen_is_kept(tmp_path):
    book = pytest.importorskip("openpyxl").Workbook()
    book.active.append(["only a note"])
    deck = book.create_sheet("Deck, 2")
    for row in (["Name", "Qty"], ["Ada", 2], ["Bo", 1]):
        deck.append(row)
    book.save(tmp_path / "cards.xlsx")
    folder = started(tmp_path / "my_game", tmp_path / "cards.xlsx", look=TableLook(sheet="Deck, 2"))
    assert [card.values["name"] for card in load(folder).components["cards"].cards] == ["Ada", "Ada", "Bo"]


def test_pictures_and_icons_are_copied(tmp_path):
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z" fill="#00f"/></svg>'
    for name in ("art/moon.svg", "icons/lamp.svg", "unused.svg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(picture)
    (tmp_path / "cards.csv").write_text("name,picture,text\nMoon,art/moon.svg,Light a :lamp:.\n")
    folder = started(tmp_path / "my_game", tmp_path / "cards.csv")
    assert printed(folder) == {"cards": 2}
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*.svg")) == ["art/moon.svg", "icons/lamp.svg"]


@pytest.mark.parametrize(
    "card_ids", [["{{ game }}", "a: b", "```", '"', "#1"], ["{% x %}", "null", "ö", "x]}", "$title", "%% box"]]
)
def test_odd_ids_and_values_are_copied_safely(tmp_path, card_ids):
    cells = [card_id.replace('"', '""') for card_id in card_ids]
    rows = "".join(f'"{cell}","{cell}","{cell}"\n' for cell in cells)
    (tmp_path / "odd.csv").write_text(f'id,name,type\n{rows}b,B,"{cells[0]}"\n', "utf-8")
    folder = started(tmp_path / "odd_game", tmp_path / "odd.csv", new_game.PARTS)
    assert printed(folder)["cards"] == 2
    uncommented(folder)
    assert printed(folder)["cards"] == 2


@pytest.mark.parametrize(
    ("name", "title"),
    [("my_game", "My Game"), ("pebble-toss", "Pebble Toss"), ("UNO_night", "UNO Night"), ("año 1", "Año 1")],
)
def test_the_title_comes_from_the_name(tmp_path, name, title):
    assert load(started(tmp_path / name)).title == title


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("my:game", "my_game"),
        ("-x", "x"),
        (".hidden", "hidden"),
        ("aux", ""),
        ("x" * 200, ""),
        ("a\nb", "a_b"),
        ("name ", "name"),
    ],
)
def test_unusable_names_are_refused(tmp_path, name, hint):
    with pytest.raises(InputError, match="cannot be the name of a game") as refused:
        started(tmp_path / name)
    assert hint in refused.value.problems[0].hint
    assert [*tmp_path.iterdir()] == []


def test_the_name_of_a_shipped_game_is_refused(tmp_path):
    with pytest.raises(InputError, match="comes with Pencilbox"):
        started(tmp_path / "upwards")


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "my_game").mkdir()
    (tmp_path / "my_game_2").write_text("")
    with pytest.raises(InputError, match=r"already exists.*my_game_3"):
        started(tmp_path / "my_game")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(InputError, match="already exists"):
        started(tmp_path / "link")
    with pytest.raises(InputError, match="there is no folder"):
        started(tmp_path / "missing" / "my_game")


def test_a_failure_leaves_nothing_behind(tmp_path):
    with pytest.raises(InputError, match="cannot be written: no such file"):
        new_game.write(tmp_path / "my_game", {"game.yaml": "title: X\n", "cards.csv": Path("/nowhere.csv")})
    assert [*tmp_path.iterdir()] == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_the_folder_has_the_usual_mode(tmp_path):
    (tmp_path / "usual").mkdir()
    assert started(tmp_path / "my_game").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("name", paths.examples())
def test_every_example_can_be_copied_and_printed(tmp_path, name):
    new_game.copy_example(name, tmp_path / "my_copy")
    assert printed(tmp_path / "my_copy") == printed(paths.EXAMPLES / name)


@pytest.mark.parametrize(
    "text", ["moon", "no", "null", "a: b", "#1", "", "-", "[a]", "*", "1-3", "don’t", "x ", "é, b"]
)
def test_quoted_texts_are_read_as_they_were(tmp_path, text):
    (tmp_path / "cards.yaml").write_text(f"- {{id: a, name: {quoted(text)}}}\n- {{id: b, name: B}}\n", "utf-8")
    assert load(tmp_path / "cards.yaml").components["cards"].cards[0].values["name"] in (text, text.strip(), None)


def test_a_new_game_from_a_table_without_headings_says_so(tmp_path):
    (tmp_path / "words.csv").write_text("dog\ncat\nhouse\n")
    folder = started(tmp_path / "my_words", tmp_path / "words.csv")
    assert "table: {file: words.csv, headings: false}" in (folder / "cards.yaml").read_text("utf-8")
    deck = load(folder).components["cards"]
    assert (len(deck.cards), deck.notes) == (3, ())


def test_a_game_can_keep_a_built_in_face(tmp_path):
    (tmp_path / "zoo.csv").write_text("Name,Type\nLion,Cat\n")
    content = new_game.files(tmp_path / "zoo", new_game.source(str(tmp_path / "zoo.csv")), (), own_face=False)
    assert {*content} == {"game.yaml", "cards.yaml", "theme.yaml", "zoo.csv"}
    new_game.write(tmp_path / "zoo", content)
    cards = load(tmp_path / "zoo").components["cards"].definition
    assert (cards.face, cards.back) == (("editorial",), "editorial_back")
