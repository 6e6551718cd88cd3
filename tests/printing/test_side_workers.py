"""Decks drawn by several processes: the same bytes, problems and notes as by one."""

import os
import signal
from functools import partial
from itertools import product

import pytest

from generator import games, paths
from generator.definitions.load import load
from generator.definitions.sizes import paper
from generator.errors import InputError, fault, note, noting
from generator.geometry.frame import Frame, Shape
from generator.geometry.outlines import rect
from generator.layout.texts import Fixed, Lettered
from generator.pdf import Info, painter_for
from generator.pdf.fonts import DocumentFonts
from generator.printing import card_cache, game_faces, side_workers
from generator.printing.game_faces import PLAIN, Variant
from generator.printing.press import Press
from generator.printing.side_workers import Series, SideWorkers

if not (paths.ROOT / "benchmarks").is_dir():
    pytest.skip("benchmarks are not installed", allow_module_level=True)

from benchmarks import deck

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
CARDS = 30
KINDS = ["art", "backs", "growing", "rich", "templates", "random 1", "random 3", "random 8"]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Everything that is limited has a limit that a small deck reaches."""
    monkeypatch.setattr(game_faces, "MAX_CACHED", 5)
    monkeypatch.setattr(card_cache, "MAX_BRANCHES", 2)
    for name, value in {
        "FIRST_SIDES": 2,
        "MIN_SECONDS": -1,
        "MIN_SIDE_SECONDS": -1,
        "CHUNK": 3,
        "LOOK_AHEAD": 1,
        "MAX_WAITING": 2,
        "MAX_UNWRITTEN": 2,
        "MAX_SHARED": 40,
    }.items():
        monkeypatch.setattr(side_workers, name, value)
    monkeypatch.setattr(side_workers, "can_be_copied", lambda: True)


@pytest.fixture
def painter():
    return painter_for(load("elevator_up").theme, info=Info(title="Cards"))


def printed(game, processes=1, variant=PLAIN):
    press = Press(game, games.deal(game), variant=variant)
    press.processes = processes
    try:
        return press.component("cards", paper("a4")).pdf, press.files
    except InputError as error:
        return error.problems, press.files


def check(game, monkeypatch, variant=PLAIN):
    """Prints a deck with one process and with three. Returns what was printed, and the sides that came from another
    process."""
    alone, read, sides = printed(game, 1, variant), side_workers.SideReader.read, []

    def reading(self, *answer):
        chunk = read(self, *answer)
        sides.extend(chunk.values())
        return chunk

    monkeypatch.setattr(side_workers.SideReader, "read", reading)
    assert printed(game, 3, variant) == alone
    return alone[0], [side for side in sides if side]


@pytest.mark.parametrize("kind", KINDS)
def test_two_processes_print_the_same_bytes(kind, tmp_path, monkeypatch):
    name, _, seed = kind.partition(" ")
    game = load(deck.write(name, tmp_path, CARDS, int(seed or 7)))
    _, sides = check(game, monkeypatch)
    assert sides


COLOURS = {"front": "#aa0000", "back": "#0000aa"}
GAME = """\
title: Any deck
prefix: AD
players: 1
components:
  cards: {kind: deck, title: Cards, cards: cards.csv, face: card, back: same, size: 63 x 88, with: [more], gutter: 2}
  more: {kind: deck, title: More, cards: cards.csv, face: card, back: card, size: 63 x 88, gutter: 2}
"""
BACK = "<face><text style='title'>the same</text></face>"
OWN_BACK = "<face fill='#aabbcc' padding='4'><line/><text style='small'>{{ card.words }}</text></face>"
MEASURED = """\
<face padding="4">
  <column gap="1"><text style="small">{{ card.words }}</text><line/><text style="small">always the same</text></column>
  <row gap="1" grow="1"><column><text style="small">{{ card.words }}</text><line/><line/></column><line/></row>
</face>
"""


@pytest.fixture
def own(tmp_path):
    """A function that loads a game with this template and these texts of its cards."""

    def game(template, words):
        rows = [f"{text},{1 + number % 3},{'own' if number % 4 else ''}" for number, text in enumerate(words)]
        files = {
            "game.yaml": GAME,
            "cards.csv": "\n".join(["words,copies,back", *rows]),
            "templates/card.xml.j2": template,
            "templates/same.xml.j2": BACK,
            "templates/own.xml.j2": OWN_BACK,
        }
        (tmp_path / "templates").mkdir()
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        return load(tmp_path)

    return game


def test_frames_do_not_depend_on_how_often_their_boxes_were_laid_out(own, monkeypatch):
    check(own(MEASURED, ["long words " * (1 + 7 * number % 23) for number in range(CARDS)]), monkeypatch)


@pytest.mark.parametrize("variant", [Variant(high_contrast=True), Variant(large_print=True)])
def test_variants_are_the_same(own, variant, monkeypatch):
    game = own(MEASURED, ["words " * (1 + number % 3) for number in range(16)])
    _, sides = check(game, monkeypatch, variant)
    assert bool(sides) is not variant.large_print


TEXTS = """\
<face padding="4">
  <text style="title" wrap="false">{{ card.words | rich }}</text><text style="body">{{ card.words | rich }}</text>
  <text style="small" align="justify">{{ card.words | rich }} {{ card.words | rich }}</text>
  <text style="small" turn="90" height="12">{{ card.words }}</text><icon name="star" size="4"/>
</face>
"""


def test_texts_with_anything_in_them_are_written_by_other_processes(own, monkeypatch):
    """Letters, ligatures, fonts and icons that nobody has used before, in any order."""
    marks = [":star:", "office", "**b**", "*i*", "__u__", ":die-4:", "é", "Привет", "→", "ﬁ", "[red]{#a00}", "A\u0327"]
    words = [f"{marks[number % 5]} {marks[(number * 7) % len(marks)]} {chr(0x100 + number)}" for number in range(CARDS)]
    _, sides = check(own(TEXTS, words), monkeypatch)
    assert sides


def test_a_letter_may_be_taken_by_another_process(own, monkeypatch):
    """In some fonts, a glyph can stand for one text only."""
    game = own(TEXTS, [f"words {chr(0x100 + number)}" for number in range(CARDS)])
    taken = []
    monkeypatch.setattr(DocumentFonts, "add_codes", lambda self, codes: not codes or taken.append(codes))
    check(game, monkeypatch)
    assert taken


def test_problems_come_in_the_same_order(own, monkeypatch):
    wrong = "<face padding='4'><text wrap='false' floor='30pt'>{{ card.words }}</text></face>"
    problems, _ = check(own(wrong, ["long" * (number % 5) or "x" for number in range(CARDS)]), monkeypatch)
    assert len(problems) > 5


# ---- any sides


def test_fronts_and_backs_are_drawn_by_the_same_processes(painter):
    blocks = {name: Fixed((Shape(rect(0, 0, 5, 5), colour),)) for name, colour in COLOURS.items()}

    def draw(name, place):
        return Frame(f"card {place}", 10.0, 10.0, Lettered([blocks[name]]))

    series = {name: Series(20, range, partial(draw, name)) for name in COLOURS}
    with SideWorkers(2, series, painter) as workers:
        for place, name in product(range(20), COLOURS):
            side = workers.take(name, place)
            assert side is None or side.frame.items.blocks[0].items == blocks[name].items


@pytest.mark.parametrize("killed", [False, True])
def test_what_a_killed_process_leaves_is_drawn_here(killed, painter):
    this_process = os.getpid()

    def draw(place):
        if place == 5 and os.getpid() != this_process:
            if killed:
                os.kill(os.getpid(), signal.SIGKILL)
            raise ValueError
        if place % 3 == 0:
            note(f"note {place}")
        if place == 7:
            raise fault("card 7 is wrong")
        return Frame(f"card {place}", 10.0, 10.0, (Shape(rect(0, 0, 5, 5), "#123456"),))

    series = Series(20, range, draw)
    with noting() as notes, SideWorkers(2, {"cards": series}, painter) as workers:
        sides = [workers.take("cards", place) or series.drawn_at(place) for place in range(20)]
    assert [side.frame and side.frame.name for side in sides] == [
        None if place == 7 else f"card {place}" for place in range(20)
    ]
    assert [str(problem) for side in sides for problem in side.problems] == ["card 7 is wrong"]
    assert {f"note {place}" for place in range(0, 20, 3)} >= {problem.message for problem in notes} > {"note 0"}
