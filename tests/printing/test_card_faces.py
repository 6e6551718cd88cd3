"""The built-in faces of cards keep their look: any text up to 60 words, any columns, any size, legible and safe."""

from __future__ import annotations

import csv
import shutil
from itertools import product

import pytest

from generator import games, paths
from generator.geometry.frame import Icon, Image, Run, leaves
from generator.model.print_settings import PrintSettings
from generator.printing.game_faces import GameFaces
from generator.printing.signs import signs
from generator.reading.load import load
from generator.reading.table_game import TEMPLATES, TableLook, table_game
from generator.reading.theme import theme

POINT = 25.4 / 72
SMALLEST = 6.0
"""The smallest type in points."""
ONE, SOME = "Draw.", "Gain **two lanterns**. Each other player may place one :star: on the road; if so, draw a card."
SIXTY = " ".join(["When you play this card, look at the **top three** cards of the deck, keep one and"] * 4)[:330]
PARAGRAPHS = "Draw two cards.\n\nThen discard one, unless you are the first player."
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitän"
BARE = {"Name": "Ferry"}
FULL = {
    "Name": "The Long Road Home",
    "Cost": "12",
    "Art": "art.svg",
    "Type": "Place",
    "Text": SIXTY,
    "Flavour": "Nobody walks it twice.",
    "Artist": "Art: M. Hale",
}
FACTS = {
    "Strength": "5",
    "Speed": "2",
    "Range": "3",
    "Home": "Mountains and old forest",
    "Reach": "4",
    "Weight": "38 kg",
}
CARDS = {
    "a title": BARE,
    "a number as title": {"Name": "7"},
    "one word": {**BARE, "Text": ONE},
    "some words": {**BARE, "Cost": "3 gold", "Type": "Person", "Text": SOME},
    "paragraphs": {**BARE, "Colour": "red", "Text": PARAGRAPHS},
    "sixty words": {**BARE, "Text": SIXTY},
    "a long title": {
        "Name": "The unreasonably long title of a card that explains itself",
        "Type": "Event",
        "Text": SOME,
    },
    "a long word": {"Name": LONG_WORD, "Cost": "1,000", "Text": f"Place **{LONG_WORD}** here."},
    "a picture": {**BARE, "Art": "art.svg", "Text": SOME},
    "everything": FULL,
    "one fact": {**BARE, "Text": SOME, "Strength": "5"},
    "three facts": {**BARE, "Type": "Event", "Text": SOME, **dict([*FACTS.items()][:3])},
    "six facts": {**BARE, "Type": "Event", "Text": ONE, **FACTS},
    "a playing card": {"Rank": "Q", "Suit": "♥"},
    "pips": {"Rank": "10", "Suit": "Spades"},
    "a rank with words": {"Rank": "15", "Suit": "Ember", "Name": "Storm", "Text": SIXTY},
    "question and answer": {"Question": "Capital of Mongolia?", "Answer": "Ulaanbaatar", "Category": "Places"},
    "a quiz": {"Question": "Capital of Mongolia?", "A": "Ulaanbaatar", "B": SIXTY, "C": "Osh", "Answer": "A"},
    "long everything": {
        "Name": "A title of about seventy letters, which is more than most cards ever have",
        "Cost": "1 gold, 1 wood",
        "Type": "Legendary Creature — Elf Warrior of the Eastern Forest",
        "Text": SOME,
        "Artist": "Illustration: Maximilian Hale, by permission",
    },
    "long headings": {"What does this French word mean?": "chat", "Its translation in the standard dictionary": "cat"},
    "long unknown columns": {"Card": "The Fool", "Number": "0", "Upright": SOME, "Reversed": SOME, "Keywords": "leap"},
    "a long price": {"Name": "Castle", "Price": "€12,345,678.00", "Text": ONE},
    "a price in words": {"Name": "Shed", "Price": "1 wood and 2 stone"},
    "no title": {"Text": SOME, "Type": "Event"},
    "a type alone": {"Name": "Cave", "Type": "Place"},
    "a long answer": {"Question": LONG_WORD, "Answer": SIXTY, "Notes": "A famous word"},
}
SIZES = ("63.5 x 88.9", "44 x 67", "70 x 120", "70 x 70", "88.9 x 63.5", "88.9 x 127")
TIGHT = {("everything", "44 x 67"), ("long everything", "44 x 67"), ("a rank with words", "44 x 67")}
"""Too much for so small a card: an error in millimetres is right."""


@pytest.fixture(scope="module")
def draw(tmp_path_factory):
    """Draws both sides of a card in each of the given sizes."""
    folder = tmp_path_factory.mktemp("cards")
    (folder / "art.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>'
    )

    templates = {}

    def faces(card, template, size="63.5 x 88.9", low_ink=False):
        path = folder / f"{template}.csv"
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerows([[*card], [*card.values()]])
        game = table_game(path, TableLook(size, template))
        part = game.components["cards"]
        drawing = GameFaces(game, games.deal(game), PrintSettings(low_ink=low_ink))
        drawing.templates = templates.setdefault("", drawing.templates)  # compiled only once
        about = part.definition
        return [drawing.card(part, part.cards[0], name) for name in (about.face[0], about.back)]

    return faces


def texts(frame):
    return " ".join(item.text for item in frame.items if isinstance(item, Run))


@pytest.mark.parametrize(("template", "size"), [*product(TEMPLATES, SIZES)])
def test_any_card_fits_and_is_legible(draw, template, size):
    """Drawing raises an error for text that does not fit and for anything beyond the safe area. Each card has one of
    the sizes in one face, and another one in the next: every card meets every face and every size, and every face every
    size."""
    turn = TEMPLATES.index(template) + SIZES.index(size)
    for number, (name, card) in enumerate(CARDS.items()):
        if (name, size) in TIGHT or (number + turn) % len(SIZES):
            continue
        for frame in draw(card, template, size):
            small = [item.text for item in frame.items if isinstance(item, Run) and item.size < SMALLEST * POINT - 1e-6]
            assert not small, f"{name} ({frame.name}) has text below {SMALLEST} pt: {small}"


def test_the_smallest_cards_have_room_for_a_few_words(draw):
    for template in TEMPLATES:
        draw({**BARE, "Colour": "red", "Text": ONE}, template, "30 x 30")


def test_a_short_footer_has_a_line(draw):
    front, _ = draw({**BARE, "Artist": "Al"}, "standard")
    assert texts(front) == "Ferry Al"


def test_a_number_is_never_broken(draw):
    for card in ({"Name": "House", "Price": "$1,234.50", "Text": ONE}, CARDS["a long price"]):
        for template in ("standard", "picture", "word"):
            for size in SIZES[:2]:
                front, _ = draw(card, template, size)
                assert card["Price"] in [item.text for item in front.items if isinstance(item, Run)], (template, size)


def test_long_texts_of_unknown_columns_have_a_label_above_them(draw):
    for template in ("standard", "tarot", "word", "picture"):
        front, _ = draw(CARDS["long unknown columns"], template, "70 x 120")
        runs = {item.text: item for item in front.items if isinstance(item, Run)}
        label, text = runs["Upright"], next(item for words, item in runs.items() if words.startswith("Gain"))
        assert label.y < text.y and text.size > 8 * POINT, template


def test_a_colour_is_not_a_text(draw):
    front, _ = draw({"Name": "Ruby", "Colour": "red", "Text": ONE}, "standard")
    assert texts(front) == "Ruby Draw."


def test_short_texts_are_larger_and_centred(draw):
    short, _ = draw({"Name": "Ferry", "Text": "Pay rent."}, "standard")
    long, _ = draw({"Name": "Ferry", "Text": SIXTY}, "standard")
    runs = [next(item for item in front.items if isinstance(item, Run) and item.y > 20) for front in (short, long)]
    assert runs[0].size > 1.5 * runs[1].size
    assert 40 < runs[0].y < 60 and runs[0].x + runs[0].width / 2 == pytest.approx(short.width / 2)


@pytest.mark.parametrize("template", TEMPLATES)
def test_low_ink_fits_as_well(draw, template):
    for card in (CARDS["some words"], FULL, CARDS["a playing card"]):
        draw(card, template, low_ink=True)


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_column_is_printed(draw, template):
    """Nothing that a table says is left out in silence. A flash card has two sides."""
    front, back = draw({**FULL, "Text": SOME, "Strength": "5"}, template, "70 x 120")
    printed = (texts(front) + texts(back) * (template == "flash")).lower().replace("- ", "")
    for value in ("long road", "12", "place", "two lanterns", "walks it twice", "m. hale", "strength"):
        assert value in printed, f"{template} leaves out “{value}”"
    assert any(isinstance(item, Image) for item, _ in leaves(front.items))


def test_the_headings_of_flash_cards_are_printed(draw):
    front, back = draw(CARDS["question and answer"], "flash")
    assert "QUESTION" in texts(front) and "Capital of" in texts(front)
    assert "ANSWER" in texts(back) and "Ulaanbaatar" in texts(back)


def test_suit_symbols_are_printed_in_fonts_that_lack_them(draw):
    front, _ = draw({"Name": "Trick", "Text": "Play a ♥ or the ♠7."}, "standard")
    assert "Play a ♥ or the ♠7." in " ".join(item.text for item in front.items if isinstance(item, Run))


def test_pips_are_as_many_as_the_rank_says(draw):
    for rank in range(2, 11):
        front, _ = draw({"Rank": str(rank), "Suit": "♣"}, "number_and_suit")
        assert [item.name for item in front.items if isinstance(item, Icon)] == ["club"] * (rank + 2)


@pytest.mark.parametrize("template", [name for name in TEMPLATES if name != "flash"])
def test_backs_look_the_same_either_way_up(draw, template):
    """Turned by 180 degrees, every title lies where the other one was."""
    _, back = draw(BARE, template)
    runs = [item for item in back.items if isinstance(item, Run)]
    upright = sorted((round(run.x, 6), round(run.y, 6)) for run in runs if not run.turn)
    turned = sorted((round(back.width - run.x, 6), round(back.height - run.y, 6)) for run in runs if run.turn == 180)
    assert upright and upright == turned


def test_a_back_is_drawn_once_for_the_whole_deck(tmp_path):
    (tmp_path / "cards.csv").write_text("Name\nOne\nTwo\nThree\n")
    for template in TEMPLATES:
        game = table_game(tmp_path / "cards.csv", TableLook(template=template))
        drawing = GameFaces(game, games.deal(game))
        backs = {id(frame) for frame in drawing.back_sides(drawing.part("cards"))}
        assert len(backs) == (3 if template == "flash" else 1), template


@pytest.mark.parametrize(
    ("template", "table"),
    [
        ("standard", "Name,Text\nOne,Draw.\nTwo,Draw two cards and then discard one of them.\n"),
        ("word", "Name\nMoon\nLighthouse\nCup\n"),
        ("flash", "Question,Answer\nWhich bird can fly backwards?,hummingbird\nWhich bird cannot fly?,emu\n"),
    ],
)
def test_the_texts_of_a_deck_have_one_size(tmp_path, template, table):
    (tmp_path / "cards.csv").write_text(table)
    game = table_game(tmp_path / "cards.csv", TableLook(template=template))
    drawing = GameFaces(game, games.deal(game))
    fronts = drawing.fronts(drawing.part("cards"))
    style = "regular" if template == "standard" else "black"
    sizes = {item.size for front in fronts for item in front.items if isinstance(item, Run) and item.font == style}
    assert len(sizes) == 1


def test_a_game_uses_the_faces_by_name_and_may_replace_them(tmp_path):
    (tmp_path / "cards.csv").write_text("Name,Text\nFerry,Draw.\n")
    (tmp_path / "game.yaml").write_text(
        "{title: T, players: 1-2, components: {cards: {kind: deck, title: D, cards: cards.csv, size: poker, "
        "face: standard, back: standard_back}}}"
    )

    def front():
        game = load(str(tmp_path))
        drawing = GameFaces(game, games.deal(game))
        return texts(drawing.fronts(drawing.part("cards"))[0])

    assert front() == "Ferry Draw."
    (tmp_path / "templates").mkdir()
    copy = (paths.CARD_TEMPLATES / "standard.xml.j2").read_text("utf-8").replace("{{ plan.title | rich }}", "Boat")
    (tmp_path / "templates" / "standard.xml.j2").write_text(copy, encoding="utf-8")
    assert front() == "Boat Draw."


def test_values_of_any_kind_are_printed_and_empty_ones_leave_no_gap(tmp_path):
    (tmp_path / "game.yaml").write_text(
        "{title: T, players: 1-2, components: "
        "{cards: {kind: deck, title: D, cards: cards.yaml, size: poker, face: standard}}}"
    )
    (tmp_path / "cards.yaml").write_text(
        "fields:\n  title: {kind: text}\n  cost: {kind: number}\n"
        "  type: {kind: choice, list: true, choices: [red, gold]}\n"
        "  ages: {kind: range}\n  tags: {kind: text, list: true}\n  safe: {kind: tick}\ncards:\n"
        "  - {title: Moon, cost: 0, type: [gold, red], ages: 3-5, tags: [x, y], safe: true}\n  - {title: Kiln}\n"
    )
    game = load(str(tmp_path))
    drawing = GameFaces(game, games.deal(game))
    full, bare = drawing.fronts(drawing.part("cards"))
    assert texts(full) == "0 Moon GOLD · RED 3-5 Ages x, y Tags Safe"
    assert "tick" in [item.name for item in full.items if isinstance(item, Icon)]
    assert texts(bare) == "Kiln"


# ---- colours and icons


def signs_of(tmp_path, heading, *values):
    path = tmp_path / "cards.csv"
    path.write_text("\n".join([f"Name,{heading}", *(f"card,{value}" for value in values)]), encoding="utf-8")
    part = table_game(path, TableLook()).components["cards"]
    found = signs(part.cards, part.columns, theme(tmp_path, "no theme"))
    return [found[card.id] for card in part.cards]


def test_types_differ_in_colour_and_in_shape(tmp_path):
    found = signs_of(tmp_path, "Type", *[f"type {letter}" for letter in "abcdefghijkl" * 2])
    assert len({sign.colour for sign in found}) == len({sign.icon for sign in found}) == 12


def test_a_type_keeps_its_sign_when_others_follow(tmp_path):
    assert signs_of(tmp_path, "Type", "Hero", "Villain") == signs_of(tmp_path, "Type", "Hero", "Villain", "Wizard")[:2]


def test_subtypes_share_the_sign_of_their_type(tmp_path):
    elf, goblin, land = signs_of(tmp_path, "Type", "Creature — Elf", "Creature - Goblin", "Land: Forest")
    assert elf == goblin != land


@pytest.mark.parametrize(
    ("suit", "icon"),
    [
        ("♠", "spade"),
        ("hearts", "heart"),
        ("Leaves", "leaf"),
        ("D", "diamond"),
        ("Cups", "cup"),
        ("pentacles", "coin"),
        ("Herz", "heart"),
        ("Trèfle", "club"),
    ],
)
def test_suits_have_their_own_icons(tmp_path, suit, icon):
    assert signs_of(tmp_path, "Suit", suit)[0].icon == icon


def test_colours_are_taken_as_typed_and_words_on_them_are_legible(tmp_path):
    pale, dark, named = signs_of(tmp_path, "Colour", "#f2e205", "#102030", "blue")
    ink, paper = "#20262e", "#ffffff"
    assert (pale.colour, pale.on, dark.colour, dark.on) == ("#f2e205", ink, "#102030", paper)
    assert pale.ink != pale.colour and dark.ink == dark.colour
    assert named.colour == theme(tmp_path, "no theme").colours["card-2"]
    assert [sign.colour for sign in signs_of(tmp_path, "Colour", "rgb(1 2 3)", "Tomato")] == ["#010203", "#ff6347"]


def test_an_icon_of_the_game_is_used_for_the_type_of_its_name(tmp_path):
    (tmp_path / "icons").mkdir()
    shutil.copy(paths.SHARED_DATA / "icons" / "star.svg", tmp_path / "icons" / "ember-stone.svg")
    assert signs_of(tmp_path, "Type", "Ember stone")[0].icon == "ember-stone"


def test_types_have_icons_only_if_the_name_of_each_says_what_it_means(tmp_path):
    def emblems(types):
        rows = "".join(f"Card {number},{each},Draw.\n" for number, each in enumerate(types))
        (tmp_path / "cards.csv").write_text("Name,Type,Text\n" + rows, "utf-8")
        game = table_game(tmp_path / "cards.csv", TableLook())
        part = game.components["cards"]
        return {sign.emblem for sign in signs(part.cards, part.columns, game.theme).values()} - {""}

    assert emblems(["Fire", "Water"]) == {"flame", "drop"}
    assert not emblems(["Fire", "Bureaucracy"])
    assert not emblems(["Tea", "Cake"])


@pytest.mark.parametrize(("answer", "shown"), [("B", "B: Paris"), ("2", "B: Paris"), ("Paris", "Paris"), ("E", "E")])
def test_the_answer_of_a_quiz_is_on_the_back_with_its_text(draw, answer, shown):
    front, back = draw({"Question": "Capital of France?", "A": "Rome", "B": "Paris", "Answer": answer}, "flash")
    assert shown in texts(back).replace("\n", " ")
    assert "Paris" in texts(front) and "Rome" not in texts(back)


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_theme_sets_the_sizes(tmp_path, template):
    (tmp_path / "cards.csv").write_text("Name,Art,Type,Text\nFerry,art.svg,Place,Pay rent.\n")
    (tmp_path / "art.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><path d="M0 0H3V2Z"/></svg>'
    )
    (tmp_path / "theme.yaml").write_text("sizes: {title: 11.5pt, text: 7.5pt, picture: 13mm}\n")
    game = table_game(tmp_path / "cards.csv", TableLook(template=template))
    part = game.components["cards"]
    frame = GameFaces(game, games.deal(game), PrintSettings()).card(part, part.cards[0], template)
    runs = {item.text: item.size / POINT for item in frame.items if isinstance(item, Run)}
    assert runs.get("Ferry", runs.get("FERRY")) == pytest.approx(11.5)
    assert template == "flash" or runs["Pay rent."] == pytest.approx(7.5)
    if template == "standard":
        (image,) = [item for item in frame.items if isinstance(item, Image)]
        assert image.height == pytest.approx(13)
