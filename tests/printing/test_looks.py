"""The looks of cards: the length of the text decides the composition."""

from __future__ import annotations

import pytest

from generator import games
from generator.geometry.frame import Run, Shape, leaves
from generator.model.columns import LOOKS
from generator.model.print_settings import PrintSettings
from generator.printing.game_faces import GameFaces
from generator.reading.table_game import TableLook, table_game

POINT = 25.4 / 72


@pytest.fixture
def drawn(tmp_path):
    """Draws the fronts of all cards of a table, or with `back`, their backs."""

    def draw(table, look, back=False, **settings):
        (tmp_path / "deck.csv").write_text(table, "utf-8")
        game = table_game(tmp_path / "deck.csv", TableLook(template=look))
        part = game.components["cards"]
        drawing = GameFaces(game, games.deal(game), PrintSettings(**settings))
        side = part.definition.back if back else part.definition.face[0]
        return [drawing.card(part, card, side) for card in part.cards]

    return draw


def runs(frame):
    return [item for item, _ in leaves(frame.items) if isinstance(item, Run)]


def words(frame):
    return " ".join(run.text for run in runs(frame))


def largest(frame):
    return max(run.size for run in runs(frame)) / POINT


@pytest.mark.parametrize("look", LOOKS)
def test_a_single_word_is_large_and_a_long_text_small(drawn, look):
    long = " ".join(["The lamp is out and nobody has come to light it."] * 14)
    word, text = drawn(f"Text\nJazz\n{long}\n", look)
    assert largest(word) > 40 > 14 > largest(text)


@pytest.mark.parametrize("look", LOOKS)
def test_the_answer_of_a_flash_card_is_on_its_back(drawn, look):
    table = "Question,A,B,Answer\nWhich is larger?,Ant,Bear,B\n"
    (front,), (back,) = drawn(table, look), drawn(table, look, back=True)
    assert "Ant" in words(front) and "Bear" in words(front)
    assert "Bear" in words(back) and "Ant" not in words(back)


@pytest.mark.parametrize("cards", ['[{"คำ": "a", "คำแปล": "b"}]', '[{"English": "a", "Deutsch": "b"}]'])
def test_sides_of_cards_in_json_have_their_headings(tmp_path, cards):
    (tmp_path / "deck.json").write_text(cards, "utf-8")
    game = table_game(tmp_path / "deck.json", TableLook())
    part = game.components["cards"]
    frame = GameFaces(game, games.deal(game)).card(part, part.cards[0], part.definition.back)
    assert part.columns.headings[part.columns.back].upper() in words(frame)


@pytest.mark.parametrize("look", LOOKS)
def test_the_author_of_a_quotation_is_below_it(drawn, look):
    front, *_ = drawn("Quote,Author,Theme\nO snail climb Fuji,Issa,Calm\nAn old silent pond,Basho,Calm\n", look)
    last = runs(front)[-1]
    assert "CALM" in words(front).upper() and last.text == "Issa" and 8 < last.size / POINT < largest(front) / 1.4


def test_each_line_of_a_statement_fills_the_width(drawn):
    front, *_ = drawn("Text\nWhat did the ocean say to the beach?\nNothing at all\n", "typographic")
    assert len({round(run.size / POINT) for run in runs(front)}) > 1
    assert largest(front) > 30


@pytest.mark.parametrize("look", LOOKS)
def test_short_words_with_a_hyphen_stay_on_a_line(drawn, look):
    front, *_ = drawn("Bird,Rarity,Call\nShort-eared Owl,Scarce,Silent\nTern,Common,Loud\n", look)
    assert "Short-eared" in [run.text for run in runs(front)]


@pytest.mark.parametrize("look", ["editorial", "illustrated"])
def test_types_differ_in_their_patterns(drawn, look):
    cards = drawn("Name,Type\nAxe,Tool\nHare,Animal\nOak,Plant\n", look)
    patterns = {max((item.path for item in card.items if isinstance(item, Shape)), key=len) for card in cards}
    assert len(patterns) == 3


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("settings", [{"low_ink": True}, {"high_contrast": True}])
def test_a_look_has_paler_and_stronger_versions(drawn, look, settings):
    for frame in drawn("Name,Cost,Type,Text\nAxe,2,Tool,Hit.\nHare,1,Animal,Run away.\n", look, **settings):
        assert "AXE" in words(frame).upper() or "HARE" in words(frame).upper()


def test_a_short_value_of_the_only_other_column_is_above_the_text(drawn):
    front, *_ = drawn("Name,Text,Wood\nAxe,Hit twice.,Oak\nBow,Shoot once.,Yew\n", "editorial")
    assert words(front).startswith("WOOD · OAK")


@pytest.mark.parametrize(
    ("table", "key", "least"),
    [
        ("Action,Points\nHop around the whole long table,2\nName five rivers,3\n", "2", 14),
        ("Title,Formula\nTable salt,NaCl\nMethane,CH₄\nOxygen,O₂\n", "NaCl", 24),
        ("Title,Feeling\nA wedding,Joy\nAn exam,Nervousness\n", "Joy", 16),
        ("Item,Price\nRope,1.50 €\nLantern,12 €\n", "1.50 €", 20),
        ("Name,Cost,Points,Text\nMarket,3,17,Take one.\nGuild,5,2,Draw one.\n", "17", 14),
        ("Sight,Opened,Seats\nThe Tower,12 May 1890,120\nBig Ben,3 June 1859,80\n", "12 May 1890", 12),
    ],
)
def test_a_key_value_is_found_at_a_glance(drawn, table, key, least):
    front, *_ = drawn(table, "editorial")
    assert max(run.size for run in runs(front) if run.text == key) >= least * POINT


def test_a_unit_is_beside_its_number_and_labels_are_legible(drawn):
    front, *_ = drawn("Car,Power (hp),Top speed (km/h),age\nFiat,69,160,7\nVW Golf,34,110,9\n", "editorial")
    assert words(front).replace("\u00a0", " ") == "Fiat Power 69 hp Top speed 160 km/h AGE 7"
    assert min(run.size for run in runs(front)) >= 7.5 * POINT


@pytest.mark.parametrize("look", LOOKS)
def test_options_in_the_text_of_a_question_are_set_apart(drawn, look):
    table = "Question,Answer\nCapital of Peru? a) Lima b) Quito c) La Paz,c) La Paz\nOf Chad? (A) Bol (B) N’Djamena,B\n"
    fronts, backs = drawn(table, look), drawn(table, look, back=True)
    assert [run.text for run in runs(fronts[0])][-6:] == ["A", "Lima", "B", "Quito", "C", "La Paz"]
    assert words(backs[0]).startswith("C") and "Djamena" in words(backs[1])


def test_words_of_a_deck_differ_little_in_size(drawn):
    sizes = [largest(front) for front in drawn("Word\nOwl\nPhotosynthesis\nVolcano\n", "editorial")]
    assert max(sizes) <= 2 * min(sizes)


def test_an_answer_is_larger_than_its_points(drawn):
    table = "Question,Answer,Points\nHardest substance on Earth?,Diamond,10\nLargest planet of all?,Jupiter,20\n"
    back, _ = drawn(table, "editorial", back=True)
    sizes = {run.text: run.size for run in runs(back)}
    assert sizes["Diamond"] > 1.3 * sizes["10"] > 14 * POINT
