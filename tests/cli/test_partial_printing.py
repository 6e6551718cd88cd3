"""pencilbox make: what is printed when something else cannot be, some cards of a deck, and drafts."""

import json
import shutil

import pytest

from generator import paths
from generator.errors import InputError
from generator.model.game import Card
from generator.printing.selection import matching_cards, read_choice, refuse_unknown_cards
from tests.page_texts import page_texts

EXAMPLE = paths.ROOT / "examples" / "lantern_walk"


@pytest.fixture
def two_decks(tmp_path):
    """A game with two decks: `cards` with numbers as ids, and `words` with words as ids."""
    folder = shutil.copytree(EXAMPLE, tmp_path / "own")
    game = (folder / "game.yaml").read_text()
    words = "  words:\n    kind: deck\n    title: Words\n    cards: words.csv\n    face: word\n    size: poker-mm\n"
    (folder / "game.yaml").write_text(game.replace("  sheet:\n", f"{words}  sheet:\n"))
    (folder / "words.csv").write_text("id,title,copies\nmoon,Moon,2\nsun,Sun,1\nstar-1,Star,3\n")
    return folder


def spoil(folder, file="cards.csv"):
    (folder / file).write_text((folder / file).read_text().replace("Moon", "Moon" * 60))


def texts(file):
    return "".join(page_texts(file))


# ---- problems in one component ---------------------------------------------------------------------------------------


def test_other_decks_are_printed_when_one_fails(pencilbox, two_decks, tmp_path):
    spoil(two_decks)
    code, out, err = pencilbox("make", "own")
    assert code == 2
    assert {path.name for path in tmp_path.rglob("*.pdf")} == {"words-a4.pdf", "sheet-a4.pdf", "sheet-a4-fillable.pdf"}
    assert "words-a4.pdf" in out and "cards-a4.pdf" not in out
    assert "error: " in err and err.endswith("Not printed: cards. All other files are ready.\n")


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("words.csv", "id,title,copies\nmoon,Moon,many\n", "words.csv"),
        ("words.yaml", "colours: red\n", "words.yaml:1"),
        ("none.csv", None, "no file “none.csv”"),
    ],
)
def test_other_components_are_printed_when_a_file_of_one_cannot_be_read(
    pencilbox, two_decks, tmp_path, file, text, said
):
    definition = two_decks / "game.yaml"
    definition.write_text(definition.read_text().replace("words.csv", file))
    if text:
        (two_decks / file).write_text(text)
    code, _, err = pencilbox("make", "own")
    assert code == 2 and said in err and err.endswith("Not printed: words. All other files are ready.\n")
    assert {path.name for path in tmp_path.rglob("*.pdf")} == {"cards-a4.pdf", "sheet-a4.pdf", "sheet-a4-fillable.pdf"}
    code, _, err = pencilbox("make", "own", "words")
    assert code == 2 and said in err and err.count("error: ") == 1


def test_an_older_file_of_a_component_that_fails_is_kept_and_named(pencilbox, two_decks, tmp_path):
    pencilbox("make", "own", "cards")
    before = (tmp_path / "output/own/cards-a4.pdf").read_bytes()
    spoil(two_decks)
    code, _, err = pencilbox("make", "own")
    assert code == 2 and "Still there from an earlier run: output/own/cards-a4.pdf." in err
    assert (tmp_path / "output/own/cards-a4.pdf").read_bytes() == before


def test_json_has_the_files_and_the_errors(pencilbox, two_decks):
    spoil(two_decks)
    code, out, _ = pencilbox("make", "own", "--format", "json")
    data = json.loads(out)
    assert code == 2 and data["valid"] is False
    assert [file["component"] for file in data["files"]] == ["words", "sheet", "sheet"]
    assert data["not_printed"] == ["output/own/cards-a4.pdf"] and data["error"][0]["message"]


def test_a_broken_game_stops_only_itself(pencilbox, two_decks, tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "broken")
    (tmp_path / "broken" / "game.yaml").write_text("title: Broken\ncomponents: 7\n")
    code, out, err = pencilbox("make", "broken", "own", "words")
    assert code == 2
    assert "output/own/words-a4.pdf" in out and "broken/game.yaml:2" in err
    assert pencilbox("make", "broken")[:2] == (2, "")


def test_a_file_that_cannot_be_written_does_not_stop_the_others(pencilbox, two_decks, tmp_path):
    pencilbox("make", "own")
    (tmp_path / "output/own/words-a4.pdf").chmod(0o444)
    code, out, err = pencilbox("make", "own", "--force")
    assert code == 2 and "words-a4.pdf: is read-only" in err and "Not printed: words." in err
    assert "cards-a4.pdf" in out and "sheet-a4.pdf" in out


# ---- --cards ---------------------------------------------------------------------------------------------------------


def cards(*ids):
    return [Card(name, {}, None) for name in ids]


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("1", ["a"]),
        ("2-4", ["b", "c", "d"]),
        ("b,d", ["b", "d"]),
        (" D , 1 ,, ", ["a", "d"]),
        ("b-d", ["b", "c", "d"]),
        ("c–4", ["c", "d"]),
        ("x-1", ["x-1"]),
        ("x-1-x-2", ["x-1", "x-2"]),
        ("4-x-1", ["d", "x-1"]),
        ("7", ["7"]),
        ("5-99", ["x-1", "x-2", "7"]),
    ],
)
def test_cards_are_chosen_by_position_id_and_range(text, chosen):
    """An id takes precedence over a position: the card with the id 7 is the seventh here, but need not be."""
    deck = cards("a", "b", "c", "d", "x-1", "x-2", "7", "7")
    assert list(dict.fromkeys(card.id for card in matching_cards(read_choice(text), deck))) == chosen


def test_an_id_takes_precedence_over_a_position():
    (card,) = matching_cards(read_choice("3"), cards("3", "2", "1"))
    assert card.id == "3"
    assert [card.id for card in matching_cards(read_choice("3-2"), cards("3", "2", "1"))] == ["3", "2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("moom", "there is no card “moom”; did you mean moon?"),
        ("9", "there is no card “9”; words has 3 different cards"),
        ("2-9", "there is no card “2-9”; words has 3 different cards"),
        ("0", "there is no card “0”; words has 3 different cards"),
        ("3-1", "the range “3-1” runs backwards; name the earlier card first"),
        ("-", "there is no card “-”; words has 3 different cards"),
        ("9" * 5000, "there is no card “999"),
    ],
)
def test_unknown_cards_are_refused(text, message):
    with pytest.raises(InputError) as error:
        refuse_unknown_cards(read_choice(text), [("words", cards("moon", "moon", "sun", "star-1"), "")])
    assert message in str(error.value)


def test_cards_are_chosen_by_their_titles():
    names = {"1": "Moon", "2": "Vela, Keeper of the **Gate**", "3": "Old Ferry", "4": "Old Ferry", "5": "3"}
    deck = [Card(name, {"name": title}) for name, title in names.items()]
    choice = read_choice("3, vela, keeper of the gate,MOON")
    assert [card.id for card in matching_cards(choice, deck, "name")] == ["1", "2", "3"]
    refuse_unknown_cards(choice, [("deck", deck, "name")])
    with pytest.raises(InputError, match=r"2 cards have the title “old ferry”; give the positions or ids .*: 3, 4"):
        refuse_unknown_cards(read_choice("old ferry"), [("deck", deck, "name")])
    with pytest.raises(InputError, match="did you mean moon"):
        refuse_unknown_cards(read_choice("Moom"), [("deck", deck, "name")])


def test_many_ids_are_read_quickly():
    deck = cards(*(f"card-{number}" for number in range(2_000)))
    choice = read_choice(",".join(["-" * 5_000, *(f"card-{number}" for number in range(0, 2_000, 2))]))
    assert len(matching_cards(choice, deck)) == 1_000


def test_chosen_cards_are_printed_with_their_backs_and_copies(pencilbox, two_decks, tmp_path):
    code, out, _ = pencilbox("make", "own", "--cards", "2-3,moon,star-1", "--format", "json")
    files = {file["component"]: file for file in json.loads(out)}
    assert code == 0 and files.keys() == {"cards", "words"}
    assert files["cards"]["file"] == "output/own/cards-a4-only-2-3+moon+star-1.pdf"
    printed = texts(tmp_path / files["cards"]["file"])
    assert "Old Ferry" in printed and "Tea House" in printed and "Paper Moon" not in printed
    assert files["cards"]["pages"] == 2
    words = texts(tmp_path / files["words"]["file"])
    assert (words.count("Moon"), words.count("Sun"), words.count("Star")) == (2, 1, 3)


def test_a_deck_without_the_chosen_cards_is_left_out(pencilbox, two_decks):
    _, out, _ = pencilbox("make", "own", "--cards", "moon", "--format", "json")
    assert [file["component"] for file in json.loads(out)] == ["words"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["own", "--cards", "mooon"], "did you mean moon?"),
        (["own", "sheet", "--cards", "1"], "--cards is for decks, and sheet is not one"),
        (["own", "--cards", ","], "--cards lists no cards; list positions, ids or titles"),
        (["own", "cards", "--cards", "moon"], "there is no card “moon”; did you mean paper moon?"),
    ],
)
def test_a_wrong_choice_of_cards_is_refused(pencilbox, two_decks, words, message):
    code, out, err = pencilbox("make", *words)
    assert (code, out) == (2, "") and message in err


# ---- --draft ---------------------------------------------------------------------------------------------------------


def test_drafts_are_named_and_listed(pencilbox, two_decks, tmp_path):
    card, sheet = (two_decks / "templates" / name for name in ("card.xml.j2", "sheet.xml.j2"))
    card.write_text(card.read_text().replace('name="lantern"', 'name="lantren"'))
    sheet.write_text("<face><text>No slots</text></face>")
    assert pencilbox("make", "own")[0] == 2
    code, _, err = pencilbox("make", "own", "--draft", "-o", "drafts")
    assert code == 0, err
    assert {path.name for path in (tmp_path / "drafts/own").iterdir()} == {
        f"{name}-a4-draft.pdf" for name in ("cards", "words", "sheet")
    }
    assert "DRAFT" in err and "  +1  own/templates/card.xml.j2" in err and "9 cards of “cards” (1, 2, 3, …)" in err
    assert "has no slot for the field" in err
    for name in ("cards", "words", "sheet"):
        assert "DRAFT" in page_texts(tmp_path / f"drafts/own/{name}-a4-draft.pdf")[0]


def test_a_draft_as_json_lists_files_and_flaws_apart(pencilbox, two_decks):
    spoil(two_decks)
    code, out, err = pencilbox("make", "own", "cards", "--draft", "--cards", "1", "--format", "json")
    assert code == 0 and "too wide for its box" in err
    assert [file["file"] for file in json.loads(out)] == ["output/own/cards-a4-only-1-draft.pdf"]


@pytest.mark.parametrize("words", ["upwards sheet dice box", "elevator_up cards box tally"])
def test_drafts_of_shipped_games_have_no_flaws(pencilbox, words):
    code, _, err = pencilbox("make", *words.split(), "--draft")
    assert (code, err) == (0, "")


# ---- messages --------------------------------------------------------------------------------------------------------


def test_problems_name_the_deck_the_template_and_its_line(pencilbox, two_decks):
    """Many cards with the same problem are one message, which names the largest number."""
    card = two_decks / "templates" / "card.xml.j2"
    card.write_text(
        '<face>\n<at x="1.5" y="9" width="40" height="9">\n<text>{{ card.title }}</text></at>\n'
        '{% if card.light > 3 %}<at y="20" width="30" height="{{ card.light / 9 }}" x="5">\n'
        '<text style="rule">{{ card.rule or "Go" }}</text></at>{% endif %}</face>'
    )
    code, _, err = pencilbox("make", "own", "cards")
    assert code == 2
    assert "own/templates/card.xml.j2:3: 5 cards of “cards” (1, 3, 5, …): text in style “body” leaves the safe" in err
    assert "by up to 1.5 mm; move it inwards, or write “safe: 1.5” for its component in game.yaml" in err
    (line,) = (line for line in err.splitlines() if "rule" in line)
    assert "card.xml.j2:5: 4 cards" in line and "text in style “rule” needs up to " in line and "mm more at" in line


def test_the_advice_about_the_safe_area_works(pencilbox, two_decks):
    card, game = two_decks / "templates" / "card.xml.j2", two_decks / "game.yaml"
    card.write_text('<face><at x="1.57" y="9" width="30" height="9"><text>{{ card.id }}</text></at></face>')
    _, _, err = pencilbox("make", "own", "cards")
    (advice,) = {word for word in err.split("“") if word.startswith("safe: ")}
    game.write_text(game.read_text().replace("    face: card\n", f"    face: card\n    {advice.partition('”')[0]}\n"))
    assert pencilbox("make", "own", "cards")[0] == 0


def test_nothing_is_named_if_a_whole_game_cannot_be_read(pencilbox, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/game.yaml").write_text("title: [")
    code, out, err = pencilbox("make", "elevator_up", "reference", "broken")
    assert code == 2
    assert "reference-a4.pdf" in out
    assert "broken/game.yaml" in err and "Not printed" not in err
