"""A card drawn with what is remembered of others is identical to the card drawn alone."""

import os
import pickle
import shutil
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pypdfium2 import PdfDocument

from generator import games, paths
from generator.errors import InputError, noting
from generator.geometry.frame import Frame, ungrouped
from generator.model.game import Card
from generator.model.print_settings import PrintSettings
from generator.pdf import Info, write
from generator.printing.game_faces import no_step
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper

OWN = str(paths.ROOT / "examples/lantern_walk")
GAME = """\
title: Any deck
prefix: AD
players: 1
components: {cards: {kind: deck, title: Cards, cards: cards.yaml, face: card, back: back, size: 63 x 88}}
"""
CARDS = """\
fields:
  title: {kind: text}
  tint: {kind: colour}
  words: {kind: text}
  number: {kind: number}
  marks: {list: true}
cards: [{id: a, title: A, tint: "#123456", words: a b, number: 1, marks: [x]}]
"""
TEMPLATE = """\
{% macro badge(value) %}<text style="label">[{{ value }}]</text>{% endmacro %}
<face padding="4" fill="{{ card.tint }}">
  <row gap="1" height="9">
    <text style="title" grow="1" wrap="false">{{ card.title }}</text>{{ badge(card.number) }}
  </row>
  {% if card.number and card.number > 5 %}<line/>{% endif %}
  <text style="body" align="center">No. {{ card.number }}: <b>{{ card.title }}</b>,
    {{ card.words | rich }} and on</text>
  <row gap="1">
    {% for mark in card.marks %}<text style="label" width="{{ 4 + loop.index }}">{{ mark }}</text>{% endfor %}
  </row>
  <column grow="1">
    <text style="small">{{ card.words | rich }}</text><text style="small">{{ card.words }}</text>
  </column>
  <text style="body" turn="90" height="20" align="right">{{ card.words | upper }}</text>
  <text style="body" turn="-3.5" height="5">{{ card.title }}</text>
  <text style="code" height="4" valign="bottom">{{ card.title ~ " " ~ card.number }}</text>
</face>
"""
EVEN = """\
<face padding="4">
  <text style="even" wrap="false">{{ card.title }}</text><text style="even" wrap="false">{{ card.words }}</text>
</face>
"""
TIGHT = """\
<face padding="4">
  <row gap="1" height="9">
    <column grow="1"><text style="title" wrap="false" floor="9pt">{{ card.title }}</text></column>
    <text style="body" wrap="false" floor="3pt"><span colour="ink">{{ card.words }}</span> <icon name="star"/></text>
  </row>
  <row gap="1">{% for mark in card.marks %}<text style="body">{{ mark }}</text>{% endfor %}<line/></row>
</face>
"""


def every_side():
    for key in (*games.SHIPPED, OWN):
        for name, part in load(key).components.items():
            if part.kind == "deck":
                yield pytest.param(key, name, id=f"{Path(key).name}-{name}")


def flat(frame):
    """The frame with its items one by one."""
    return replace(frame, items=tuple(ungrouped(frame.items))) if isinstance(frame, Frame) else frame


def outcome(make):
    """The result, or the problems."""
    try:
        return flat(make())
    except InputError as error:
        return [str(problem) for problem in error.problems]


@pytest.mark.parametrize("low_ink", [False, True])
@pytest.mark.parametrize(("key", "name"), list(every_side()))
def test_both_routes_draw_the_same_card_for_every_game(key, name, low_ink):
    game = load(key)
    press = Press(game, games.deal(game), PrintSettings(low_ink=low_ink))
    part = press.part(name)
    for card in {card.id: card for card in press.deck.cards[name]}.values():
        for template in filter(None, (part.definition.face[0], card.values.get("back") or part.definition.back)):
            side = press.side(part, card, template)
            assert flat(side) == press.card(part, card, template)


def pages(press, name):
    return press.deck_pages(press.part(name), paper("a4"), "long")


def apart(page):
    """The page with the items of each frame one by one and no repeated frames."""
    return replace(
        page,
        placed=tuple(
            replace(placed_frame, frame=replace(placed_frame.frame, items=tuple(ungrouped(placed_frame.frame.items))))
            for placed_frame in page.placed
        ),
    )


@pytest.mark.parametrize(("key", "name"), list(every_side()))
def test_both_routes_give_the_same_bytes_if_items_are_written_one_by_one(key, name):
    game = load(key)
    by_cache, plain = (Press(game, games.deal(game)) for _ in range(2))
    plain.side = plain.card
    pdfs = [write(map(apart, pages(press, name)), press.theme, info=Info(title="D")) for press in (by_cache, plain)]
    assert pdfs[0] == pdfs[1]


@pytest.mark.parametrize(("key", "name"), list(every_side()))
def test_a_used_cache_gives_the_same_bytes_as_a_new_one(key, name):
    game = load(key)
    used, fresh = (Press(game, games.deal(game)) for _ in range(2))
    pages(used, name)
    assert used.component(name, paper("a4")).pdf == fresh.component(name, paper("a4")).pdf


@pytest.fixture(scope="module")
def press(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deck") / "any"
    (folder / "templates").mkdir(parents=True)
    for name, text in (
        ("game.yaml", GAME),
        ("cards.yaml", CARDS),
        ("templates/card.xml.j2", TEMPLATE),
        ("templates/tight.xml.j2", TIGHT),
        ("theme.yaml", "styles: {even: {size: 14pt, floor: 6pt, together: true}}\n"),
        ("templates/even.xml.j2", EVEN),
        ("templates/back.xml.j2", '<face padding="4"><text>{{ game.title }}</text></face>'),
    ):
        (folder / name).write_text(text)
    game = load(folder)
    return Press(game, games.deal(game))


LETTERS = st.sampled_from(
    [
        *"abcMW 0123 ,.<>&\"'*:\\_é×",
        "\n",
        "\t",
        "\u00a0",
        "\ue000",
        "\x01",
        "​",
        "漢",
        ":star:",
        ":nothing:",
        "**",
        "word ",
    ]
)
TEXTS = st.none() | st.lists(LETTERS, max_size=30).map("".join)
CARD = st.builds(
    lambda title, words, tint, number, marks: Card(
        "any", {"title": title, "words": words, "tint": tint, "number": number, "marks": tuple(marks)}
    ),
    TEXTS,
    TEXTS,
    st.sampled_from(["#123456", "ink", "none"]),
    st.none() | st.integers(-3, 9),
    st.lists(st.sampled_from(["x", "o", "&", "long word"]), max_size=3),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(card=CARD)
def test_any_values_give_the_same_frame_or_the_same_problems(press, card):
    part = press.part("cards")
    by_cache = outcome(lambda: press.side(part, card, "card"))
    assert by_cache == outcome(lambda: press.card(part, card, "card"))


def card(**values):
    usual = {"title": "Fox", "words": "one two three", "tint": "#123456", "number": 1, "marks": ()}
    return Card("any", {**usual, **values})


@pytest.mark.parametrize("words", ["plain", "two **bold** words", "a :star: b", "fish & chips", "*a\nb*", "1 < 2"])
def test_new_words_reuse_a_layout(press, words):
    part = press.part("cards")
    press.side(part, card(), "card")
    side = press.side(part, card(title="Owl", words=words, number=2), "card")
    assert flat(side) == press.card(part, card(title="Owl", words=words, number=2), "card")


def test_both_routes_report_the_same_text_that_does_not_fit(press):
    part = press.part("cards")
    with pytest.raises(InputError) as error:
        press.side(part, card(title="Far too long a title to fit onto any card, whatever its size"), "card")
    assert "card any of “cards”, text “Far too long" in str(error.value)


@pytest.mark.parametrize(
    "title", ["Fox", "A growing title", "A title that takes much room", "Far too long a title for all"]
)
def test_boxes_shrink_on_both_routes_if_what_grows_needs_more(press, title):
    part = press.part("cards")
    for words in ("one", "one two three", "one two three four five"):
        new = card(title=title, words=words, marks=("x", title[:9]))
        by_cache = outcome(lambda new=new: press.side(part, new, "tight"))
        assert by_cache == outcome(lambda new=new: press.card(part, new, "tight"))


def test_both_routes_report_a_text_that_is_turned_out_of_the_safe_area(tmp_path):
    (tmp_path / "templates").mkdir()
    turned = '<at x="5" y="9" width="40" height="6" turn="-30"><text>{{ card.title }}</text></at>'
    (tmp_path / "templates/card.xml.j2").write_text(f"<face>{turned}</face>")
    (tmp_path / "game.yaml").write_text(GAME.replace("back: back, ", "safe: 4, "))
    (tmp_path / "cards.yaml").write_text(CARDS)
    game = load(tmp_path)
    press = Press(game, games.deal(game))
    part = press.part("cards")
    for title in ("Fox", "A long title that leaves the safe area", "Owl"):
        fox = card(title=title)
        drawn = [outcome(lambda draw=draw, fox=fox: draw(part, fox, "card")) for draw in (press.side, press.card)]
        assert drawn[0] == drawn[1]
        assert isinstance(drawn[0], list) is title.startswith("A long")


def test_texts_that_keep_together_shrink_on_both_routes(press):
    part = press.part("cards")
    for words in "short", "far too long for its size in one line":
        new = card(title="Fox", words=words)
        frame = press.side(part, new, "even")
        assert flat(frame) == press.card(part, new, "even")
        assert len({run.size for run in ungrouped(frame.items)}) == 1


def test_equal_backs_share_one_artwork(press):
    part = press.part("cards")
    first, second = (press.side(part, Card(name, card().values), "back") for name in ("a", "b"))
    assert first.items[0] is second.items[0]


def test_cards_share_a_back_that_does_not_mention_them(press):
    part = press.part("cards")
    first = press.side(part, card(), "back")
    assert [*press.back_sides(part)] == [first]
    assert next(press.back_sides(part)) is first


# ---- as they are made ---------------------------------------------------------------------------------------------


def test_a_deck_is_written_while_it_is_drawn(monkeypatch):
    game = load(OWN)
    small = Press(game, games.deal(game)).component("cards", paper("a4"))
    monkeypatch.setattr("generator.printing.game_faces.MAX_CACHED", 2)  # copies of a card are drawn again
    whole = Press(game, games.deal(game)).component("cards", paper("a4"))
    assert (whole.pages, whole.duplex) == (small.pages, small.duplex)
    pages = [PdfDocument(printed.pdf) for printed in (small, whole)]
    for number in range(small.pages):
        texts, pictures = zip(
            *[(each[number].get_textpage().get_text_bounded(), each[number].render().to_numpy()) for each in pages],
            strict=True,
        )
        assert texts[0] == texts[1]
        assert (pictures[0] == pictures[1]).all()
    monkeypatch.setattr("generator.pdf.file._IN_MEMORY", 100)  # the pages go to a temporary file
    streamed, file = Press(game, games.deal(game)).component("cards", paper("a4")), BytesIO()
    streamed.write_to(file)
    assert file.getvalue() == whole.pdf
    streamed = Press(game, games.deal(game)).component("cards", paper("a4"))
    assert pickle.loads(pickle.dumps(streamed)).pdf == whole.pdf  # as worker processes return it


MANY = """\
<face padding="4" fill="{{ ["gold", "white"][card.number % 2] }}">
  <text>{{ card.title }}</text>
  {% if card.number % 3 == 0 %}<icon name="lantern" size="4"/><text>office, waffle</text>{% endif %}
  {% if card.number % 5 == 0 %}<at x="5" y="40" width="30" height="20" fill="linear-gradient(90deg, red, #00f8)"/>
  <column opacity="0.5"><line/><icon name="moon" size="{{ card.number / 9 }}"/></column>{% endif %}
  {% if card.number % 7 == 0 %}<text>Ωµέγα ﬂow Шах x̌ ★{{ "♥" * (card.number % 2) }} {{ card.title }}</text>{% endif %}
  {% if card.number % 3 == 1 %}<text>{{ ("**a** b " * 14 ~ card.number // 15) | rich }}</text>{% endif %}
  <row>{% for n in range(card.number % 4 * 9) %}<icon name="star" size="1"/>{% endfor %}</row>
</face>
"""


@pytest.fixture
def many(tmp_path, monkeypatch):
    """A deck of ninety cards, of which two copies are printed in a block of two sheets each."""
    shutil.copytree(OWN, tmp_path / "own")
    (tmp_path / "own/templates/card.xml.j2").write_text(MANY)
    cards = [f'{{id: {n}, title: "{chr(97 + n % 26)}ffi{n}", number: {n}, copies: 2}}' for n in range(1, 46)]
    text = f"fields: {{title: {{kind: text}}, number: {{kind: number}}}}\ncards: [{', '.join(cards)}]"
    (tmp_path / "own/cards.yaml").write_text(text)
    for name, value in {"BLOCK": 2, "CARDS_PER_PROCESS": 10}.items():
        monkeypatch.setattr(f"generator.printing.press.{name}", value)
    monkeypatch.setattr("generator.pages.nup.MAX_LOOKED_AT", 25)

    def press(processes, step=no_step, **options):
        game = load(tmp_path / "own")
        return Press(game, games.deal(game), PrintSettings(**options), processes=processes, step=step)

    return press


@pytest.mark.parametrize("options", [{}, {"large_print": True}, {"high_contrast": True}, {"duplex": "gutterfold"}])
def test_any_number_of_processes_prints_the_same_bytes(many, options):
    documents = []
    for processes in (1, 2, 3):
        press = many(processes, **options)
        with noting() as notes:
            documents.append((press.component("cards", paper("a4")).pdf, [*notes], press.files))
    assert documents[0] == documents[1] == documents[2]


def test_problems_are_the_same_with_any_number_of_processes(many, tmp_path):
    long = '<text wrap="false">{{ card.title * (40 if card.number in (30, 41) else 1) }}</text>'
    template = MANY.replace("<text>{{ card.title }}</text>", long, 1)
    (tmp_path / "own/templates/card.xml.j2").write_text(template)
    problems = []
    for processes in (1, 2, 3):
        with pytest.raises(InputError) as error:
            many(processes).component("cards", paper("a4"))
        problems.append(error.value.problems)
    assert problems[0] == problems[1] == problems[2] and len(problems[0]) == 2


def test_progress_is_shown_by_the_first_process_alone(many, tmp_path):
    def step():
        with (tmp_path / "steps").open("a") as steps:
            steps.write(f"{os.getpid()} ")

    many(2, step).component("cards", paper("a4"))
    steps = (tmp_path / "steps").read_text().split()
    assert len(steps) > 90 and {*steps} == {str(os.getpid())}


@pytest.mark.parametrize("side", ["card", "back"])
def test_all_problems_of_a_large_deck_are_reported(tmp_path, monkeypatch, side):
    faces = {"card": '<face padding="4"><text>{{ card.id }}</text></face>', "back": "<face/>"}
    long = '{{ card.id * 99 if card.id in "bc" else card.id }}'
    faces[side] = f'<face padding="4"><text wrap="false">{long}</text></face>'
    (tmp_path / "templates").mkdir()
    for name, text in faces.items():
        (tmp_path / "templates" / f"{name}.xml.j2").write_text(text)
    (tmp_path / "game.yaml").write_text(GAME.replace("theme: theme.yaml", ""))
    (tmp_path / "cards.yaml").write_text("cards: [{id: a}, {id: b, copies: 3}, {id: c}, {id: d}]")
    monkeypatch.setattr("generator.printing.game_faces.MAX_CACHED", 1)
    game = load(tmp_path)
    with pytest.raises(InputError) as error:
        Press(game, games.deal(game)).component("cards", paper("a4"))
    assert [str(problem).split(": ")[1].split(",")[0] for problem in error.value.problems] == [
        "card b of “cards”",
        "card c of “cards”",
    ]
