"""Scored copies: marks and sums in their slots, numbered circles, logs over several sheets, missing letters."""

import json
import subprocess
import sys
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from io import BytesIO

import pypdfium2
import pytest
from click.testing import CliRunner
from fontTools.ttLib import TTFont
from msgspec.structs import replace

from generator import paths
from generator.cli import pencilbox
from generator.errors import InputError
from generator.geometry.frame import Icon, Run, Shape
from generator.geometry.outlines import bounds
from generator.judging.judge import Judge
from generator.pdf import slots_on
from generator.printing import html_pages, scored_copies
from generator.printing.scored_copies import JUDGE, PENCIL, Copier, paper_sheets
from generator.reading.sizes import paper
from generator.rules.results import Strokes
from generator.rules.text import sentence
from generator.sheets import documents

GAMES = paths.ROOT / "tests/games"
PENCIL_COLOURS = (PENCIL, JUDGE)
SHEETS = [
    "elevator_up/good/two-players.yaml",
    "elevator_up/good/tally.yaml",
    "elevator_up/bad/same-cards/two_floors.yaml",
    "from_the_ground_up/good/over.yaml",
    "from_the_ground_up/bad/room-between/no_room.yaml",
    "from_the_ground_up/bad/cards-once/shared_too.yaml",
    "from_the_ground_up/bad/claimed-total/tally.yaml",
    "rolling_cubes/good/whole-game.yaml",
    "rolling_cubes/good/all-together.yaml",
    "rolling_cubes/good/all-five.yaml",
    "rolling_cubes/bad/round-ended/twice.yaml",
    "rolling_cubes/bad/one-winner/shared.yaml",
    "rolling_cubes/bad/tiles-thrown/other_colour.yaml",
    "upwards/good/log.yaml",
    "upwards/bad/block-shape/apart.yaml",
    "upwards/bad/snake-line/leaps.yaml",
    "cosmic_consequences/good/across.yaml",
    "cosmic_consequences/good/hands.yaml",
    "cosmic_consequences/bad/claimed-stacks/three.yaml",
    "cosmic_consequences/bad/locked/c6_from_a_stack.yaml",
]


def pdf_of(answers, on):
    maker = Copier(on)
    return maker.pdf(maker.copies(answers))


@cache
def copier():
    """Makes copies on A4 for all tests that change nothing in it, so that it draws each blank sheet once."""
    return Copier(paper("a4"))


def html_of(answers):
    maker = Copier(paper("a4"))
    return html_pages.scored(maker, maker.copies(answers))


def answers(*files):
    return list(Judge(copies=True, draw=True).answers(map(str, files)))


def answer(sheet):
    (document,) = documents(BytesIO(json.dumps(sheet).encode()), "sheet.yaml")
    return Judge(copies=True, draw=True).answer(document, "sheet.yaml")


def run(*arguments):
    return CliRunner().invoke(pencilbox, list(map(str, arguments)))


def refused(*arguments):
    """The message of the input error that the command raises."""
    result = run(*arguments)
    assert isinstance(result.exception, InputError), result.output
    return str(result.exception)


def near(slot, x, y):
    """Whether a point is in a slot, or on the ring around one of its boxes."""
    return slot.x - 0.6 <= x <= slot.x + slot.width + 0.6 and slot.y - 0.6 <= y <= slot.y + slot.height + 0.6


def holds(slot, x, y):
    return slot.x - 0.01 <= x <= slot.x + slot.width + 0.01 and slot.y - 0.01 <= y <= slot.y + slot.height + 0.01


def _surrounds(ring, slot):
    left, top, right, bottom = bounds(ring.path)
    return left < slot.x and top < slot.y and right > slot.x + slot.width and bottom > slot.y + slot.height


# ---- what is written where ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHEETS)
def test_every_mark_and_sum_is_in_its_slot(name):
    """On every page, handwriting stays inside slots, every slot that should have a mark has one,
    and every circled slot has one circle."""
    (judged,) = answers(GAMES / name)
    copy = scored_copies.copy(judged)
    pages = list(copier().sheets(copy))
    assert len(pages) >= len(copy.sheets)
    for frame, writing in pages:
        slots = {slot.id: slot for slot in frame.slots()}
        hand = [item for item in frame.items if isinstance(item, Run | Icon) and item.colour in PENCIL_COLOURS]
        for item in hand:
            ends = ((item.x, item.y), (item.x + item.width, item.y))
            assert any(all(holds(slot, *end) for end in ends) for slot in slots.values()), item
        for field, text in {**writing.marks, **writing.sums}.items():
            if field in slots and text:
                assert _is_written(frame, slots[field], text, hand), (field, text)
        rings = [item for item in frame.items if isinstance(item, Shape) and item.stroke_width == 0.45]
        ringed = [name for name in writing.rings if name in slots]
        assert all(any(_surrounds(ring, slots[name]) for ring in rings) for name in ringed)
        assert len(rings) <= len(ringed)


def _is_written(frame, slot, text, hand):
    if text in ("x", "○") or slot.marks:
        return any(
            isinstance(item, Shape)
            and item.stroke in PENCIL_COLOURS
            and item.cap == "round"
            and all(near(slot, *segment[-2:]) for segment in item.path if len(segment) > 1)
            for item in frame.items
        )
    inside = [item for item in hand if holds(slot, item.x, item.y)]
    written = "".join(item.text if isinstance(item, Run) else "≠" for item in inside)
    return written.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("size", ["a4", "letter", "a5"])
def test_the_pdf_shows_the_marks_in_the_slots(size, tmp_path):
    """Read by another library: the text within each slot's place on the page."""
    (judged,) = answers(GAMES / "from_the_ground_up/bad/claimed-total/added_up_wrong.yaml")
    sheet_paper = paper(size)
    document = pypdfium2.PdfDocument(pdf_of([judged], sheet_paper))
    pages = Copier(sheet_paper).pages(scored_copies.copy(judged))
    assert tuple(document[0].get_size()) == pytest.approx(
        (sheet_paper.height / 25.4 * 72, sheet_paper.width / 25.4 * 72), abs=0.1
    )
    slots = slots_on(pages)
    copied = judged.copied[0]
    marks = {**copied.filled.marks, **copied.strokes.marks}
    for name in ("players.1.name", "towers.4.crates.2", "towers.3.star", "players.1.claimed.total"):
        page, slot = slots[name]
        x, y, width, height = slot.box
        points = [
            length / 25.4 * 72 for length in (x, sheet_paper.width - y - height, x + width, sheet_paper.width - y)
        ]
        assert document[page].get_textpage().get_text_bounded(*points).replace(" ", "") == str(marks[name])


def test_missing_sums_are_written():
    (judged,) = answers(GAMES / "from_the_ground_up/bad/claimed-total/added_up_wrong.yaml")
    ((_, writing),) = scored_copies.copy(judged).sheets
    assert writing.marks["players.1.claimed.total"] == "11"
    assert writing.rings["players.1.claimed.total"] == (1,)
    assert writing.sums == {"players.2.claimed.total": "10"}


def test_problems_of_upwards_are_circled():
    judged = answer(
        {
            "game": "upwards",
            "option": "rows",
            "event_die": True,
            "bonus_rows": [1],
            "grid": ["1 1 1 1"],
            "reserve": ["2x"],
            "extra_reserve": [".", "-"],
            "claimed": {"total": 7},
        }
    )
    ((_, writing),) = scored_copies.copy(judged).sheets
    assert writing.sums == {
        **{f"claimed.columns.{n}": "0" for n in (1, 2, 3, 4)},
        "claimed.option": "5",
        "claimed.bonus": "1",
    }
    assert writing.rings == {"claimed.total": (1,)}
    assert (writing.marks["reserve.1"], writing.marks["used.r1"]) == ("2", "x")
    assert (writing.marks["opened.x1"], "opened.x2" in writing.marks) == ("x", False)


@pytest.mark.parametrize(
    ("where", "slot"),
    [
        ("turns.3", "turns.3.player"),
        ("turns.43.play.2", "turns.3.play.2"),
        ("players", "players.1"),
        ("out", "out"),
        ("turns.3.play", "turns.3.play.1"),
        ("deal.up.Ann", None),
        ("swaps.Ann", None),
        ("nowhere", None),
    ],
)
def test_a_circle_goes_round_the_nearest_slot(where, slot):
    judged = answer(
        {
            "game": "elevator_up",
            "players": ["Ann", "Ben"],
            "deal": {"up": {"Ann": [4]}},
            "swaps": {"Ann": {"up": [4], "hand": [4]}},
            "turns": [{"player": "Ann", "play": [4]}],
        }
    )
    filled = judged.copied[0].filled
    places = paper_sheets(filled, filled.marks)
    nearest = places.nearest(where)
    assert (nearest and places.slot(places.place(nearest)[0])) == slot


def test_a_log_continues_on_the_next_sheet():
    turns = [{"player": ("Ann", "Ben")[number % 2], "pickup": True} for number in range(100)]
    judged = answer({"game": "elevator_up", "players": ["Ann", "Ben"], "turns": turns, "out": "Ben"})
    copy = scored_copies.copy(judged)
    assert len(copy.sheets) == 3
    for sheet, (_, writing) in enumerate(copy.sheets):
        assert (writing.marks["players.1"], writing.marks["players.2"]) == ("Ann", "Ben")
        assert writing.marks["turns.1.player"] == ("Ann", "Ben")[40 * sheet % 2]
    assert "turns.21.player" not in copy.sheets[2][1].marks
    assert {"kind": "small", "text": "Sheet 2 continues with turn 41."} in copy.notes


def test_names_are_numbers_where_there_is_room_for_a_digit():
    judged = answer({"game": "elevator_up", "players": ["Ann", "Ben"], "turns": [{"player": "Ann", "play": [4]}]})
    copy = scored_copies.copy(judged)
    ((frame, _),) = copier().sheets(copy)
    (slot,) = [slot for slot in frame.slots() if slot.id == "turns.1.player"]
    hand = [item for item in frame.items if isinstance(item, Run) and item.colour in PENCIL_COLOURS]
    assert _is_written(frame, slot, "1", hand)


def test_final_hands_are_on_the_last_sheet():
    turns = [{"player": ("Ann", "Ben")[number % 2], "roll": 1, "to": "first-1"} for number in range(41)]
    hands = {"Ann": {"cc_up": ["dragon-3", "zero-2"], "stacks": ["tiger-4 +4"]}}
    first, second = scored_copies.copy(
        answer({"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": turns, "hands": hands})
    ).sheets
    assert not any(name.startswith(("hands", "chart")) for name in {**first[1].marks, **first[1].sums})
    lies = {name: mark for name, mark in second[1].marks.items() if name.startswith("chart") and "lies" in name}
    assert lies == {
        "chart.dragon-3.lies": "cc",
        "chart.zero-1.lies": "cc",
        "chart.tiger-4.lies": "1",
        "chart.dragon-4.lies": "1",
    }
    assert second[1].sums == {"hands.1.claimed.stacks": "1"}


def test_turns_typed_as_keys_are_written_as_on_paper():
    turns = [
        {"player": "Ann", "jump": {"card": "dragon-3", "with": ["tiger-3"]}, "roll": 1, "to": "is-1"},
        {
            "player": "Ben",
            "discard": {"card": "zero-1", "onto": "pile"},
            "roll": 1,
            "to": "is-1",
            "forced": [
                {"draw": {"from": "deck", "card": "tiger-12"}},
                {"player": "Ann", "discard": {"card": ["dragon-1", "dragon-2"], "onto": "Ben", "with": "tiger-3"}},
            ],
        },
    ]
    written = scored_copies.copy(
        answer({"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": turns})
    ).sheets[0]
    assert {
        name: mark
        for name, mark in written[1].marks.items()
        if name.rpartition(".")[0] in ("turns.1.action", "turns.2.action", "turns.2.asked")
    } == {
        "turns.1.action.what": "jump",
        "turns.1.action.card": "+3",
        "turns.2.action.what": "discard",
        "turns.2.action.place": "pile",
        "turns.2.action.card": "0",
        "turns.2.asked.what": "draw",
        "turns.2.asked.place": "deck",
        "turns.2.asked.card": "−12",
    }


def test_marks_drawn_by_the_game_continue_too():
    judged = answer({"game": "elevator_up", "players": ["Ann", "Ben"], "turns": [{"player": "Ann", "play": 4}]})
    with_strokes = replace(judged.copied[0], strokes=Strokes(marks={"turns.42.play.1": "P", "turns.1.play.1": "5"}))
    first, second = scored_copies.copy(judged._replace(copied=(with_strokes,))).sheets
    assert first[1].marks["turns.1.play.1"] == "5"
    assert second[1].marks == {"players.1": "Ann", "players.2": "Ben", "turns.2.play.1": "P"}


def test_players_of_a_game_share_a_page(tmp_path):
    files = [paths.ROOT / f"docs/examples/upwards_{name}.yaml" for name in ("nina", "otto")]
    document = pypdfium2.PdfDocument(pdf_of(answers(*files), paper("a4")))
    assert len(document) == 2
    assert document[0].get_size()[0] > document[0].get_size()[1]
    text = document[1].get_textpage().get_text_range()
    assert "Nina wins with 12 points." in text


def test_problems_that_are_not_on_the_paper_are_in_the_notes():
    (judged,) = answers(GAMES / "from_the_ground_up/bad/pass/not_the_marked_one.yaml")
    text = pypdfium2.PdfDocument(pdf_of([judged], paper("a4")))[1].get_textpage().get_text_range()
    assert "[log 4]" in text and "not_the_marked_one.yaml" not in text
    assert "".join(sentence(judged.verdict.findings[0].message).split()) in "".join(text.split())
    assert "not on this paper: deal, log" in text


def test_many_problems_fill_several_pages():
    turns = [{"player": "Cat", "play": [1, 2]}] * 120
    judged = answer({"game": "elevator_up", "players": ["Ann", "Ben", "Cat"], "turns": turns})
    document = pypdfium2.PdfDocument(pdf_of([judged], paper("a4")))
    assert len(document) > 2
    text = "".join(page.get_textpage().get_text_range() for page in document)
    for message, count in Counter(finding.message for finding in judged.verdict.findings).items():
        assert "".join(text.split()).count("".join(sentence(message).split())) == count


def test_several_games_share_one_file_with_the_same_bytes():
    some = answers(GAMES / SHEETS[1], GAMES / SHEETS[3])
    pdf = pdf_of(some, paper("a4"))
    assert pdf == pdf_of(some, paper("a4"))
    assert len(pypdfium2.PdfDocument(pdf)) == 3, "notes are beside a tally, and follow a town"


def test_your_own_game(tmp_path):
    file = paths.ROOT / "examples/lantern_walk/filled.yaml"
    assert run("score", file, "--pdf", tmp_path / "copy.pdf").exit_code == 0
    assert len(pypdfium2.PdfDocument(tmp_path / "copy.pdf")) == 1


def test_sheets_of_several_pages_leave_no_half_empty():
    """The first page is beside the notes; the others follow in full size."""
    (judged,) = answers(GAMES / "cosmic_consequences/good/across.yaml")
    copy = scored_copies.copy(judged)
    first, *others = copier().pages(copy)
    assert len(first.placed) == 2 and first.width > first.height
    assert others
    for page in others:
        assert len(page.placed) == 1 and page.placed[0].frame.width == page.width < page.height


class Tags(HTMLParser):
    """Reads HTML; raises AssertionError for tags that are not closed in order, and keeps texts and addresses."""

    VOID = ("meta", "hr", "br", "path", "rect", "use", "image", "stop")

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.texts, self.addresses = [], set(), [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.addresses += [value for name, value in attributes if name in ("href", "src", "xlink:href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag in self.VOID or self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_a_copy_as_a_web_page_is_one_safe_file(tmp_path):
    name = '<b> Eve "<script> x()'
    judged = answer({"game": "upwards", "player": name, "option": "rows", "grid": ["1 2 1 1", ". . 3 ."]})
    page = html_of([judged])
    parsed = Tags(page)
    assert page.startswith("<!doctype html>") and 'lang="en"' in page and "viewport" in page
    assert "script" not in parsed.tags and name in "".join(parsed.texts)
    assert parsed.addresses and all(address.startswith("#") for address in parsed.addresses)
    file = tmp_path / "copy.html"
    assert run("score", GAMES / SHEETS[4], "--html", file).exit_code == 1
    assert "<svg" in file.read_text() and "<h1 class" in file.read_text() and ".yaml" not in file.read_text()
    printed = run("score", GAMES / SHEETS[4], "--format", "html")
    assert (printed.exit_code, printed.stdout.strip()) == (1, file.read_text().strip())
    (tmp_path / "bad.yaml").write_text("game: upwards\nplayer: [Ann")
    unreadable = run("score", tmp_path / "bad.yaml", "--format", "html")
    assert (unreadable.exit_code, unreadable.stdout) == (2, "") and "bad.yaml:" in unreadable.stderr
    assert refused("score", file, "--format", "html", "--workers", "2") == "--workers cannot be used with --format html"


def test_meteorites_are_drawn_as_circles():
    judged = answer({"game": "upwards", "option": "rows", "grid": ["o 1 1 1"]})
    ((frame, writing),) = copier().sheets(scored_copies.copy(judged))
    (slot,) = (slot for slot in frame.slots() if slot.id == "grid.a1")
    assert writing.marks["grid.a1"] == "○" and _is_written(frame, slot, "○", [])


# ---- the command ----------------------------------------------------------------------------------------------------


def test_a_copy_changes_neither_exit_code_nor_answer(tmp_path):
    good, bad = GAMES / SHEETS[3], GAMES / SHEETS[4]
    for file, code in ((good, 0), (bad, 1)):
        result = run("score", file, "--pdf", tmp_path / "copies" / "copy.pdf", "--force")
        assert (result.exit_code, result.stdout) == (code, run("score", file).stdout)
        assert result.stderr == f"Scored copy: {tmp_path}/copies/copy.pdf\n"
    assert "copy.pdf: file already exists; --force replaces it" in refused(
        "score", good, "--pdf", tmp_path / "copies" / "copy.pdf"
    )
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["copy.pdf"]


def test_an_unreadable_sheet_has_no_copy(tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("game: upwards\ngird: [1]\n")
    assert run("score", broken, "--pdf", tmp_path / "copy.pdf").exit_code == 2
    assert not (tmp_path / "copy.pdf").exists()
    assert run("score", broken, GAMES / SHEETS[3], "--pdf", tmp_path / "copy.pdf").exit_code == 2
    assert (tmp_path / "copy.pdf").exists()


@pytest.fixture(scope="module")
def font(tmp_path_factory):
    """A font with two letters that the bundled fonts lack."""
    reduced = TTFont(paths.SHARED_DATA / "fonts/Lato-Regular.ttf", recalcTimestamp=False)
    for table in reduced["cmap"].tables:
        table.cmap |= {ord("ქ"): "A", ord("ა"): "B"} if table.isUnicode() else {}
    file = tmp_path_factory.mktemp("fonts") / "Hanako.ttf"
    reduced.save(file)
    return file


@pytest.fixture
def keto(tmp_path):
    file = tmp_path / "keto.yaml"
    file.write_text("game: upwards\nplayer: ქა\noption: rows\ngrid: ['1 . 2 2', '1 1 1 1']\n", "utf-8")
    return file


def test_letters_that_the_bundled_fonts_lack_are_an_error(keto, font, tmp_path):
    assert refused("score", keto, "--pdf", tmp_path / "copy.pdf") == (
        f"{keto}:2: the bundled fonts cannot write ქ ა; name a TrueType font that can: --font FILE.ttf"
    )
    assert not (tmp_path / "copy.pdf").exists()
    assert run("score", keto, "--pdf", tmp_path / "copy.pdf", "--font", font).exit_code == 0
    text = pypdfium2.PdfDocument(tmp_path / "copy.pdf")[0].get_textpage().get_text_range()
    assert "ქა" in text


def test_a_font_that_lacks_them_too_is_an_error(keto, tmp_path):
    lato = paths.SHARED_DATA / "fonts/Lato-Regular.ttf"
    result = refused("score", keto, "--pdf", tmp_path / "copy.pdf", "--font", lato)
    assert f"neither the bundled fonts nor {lato} can write ქ ა" in result


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"OTTO1234", "this font is damaged"),
        (b"%PDF-1.7", "this is not a TrueType, OpenType or WOFF font; use a .ttf or .otf file"),
        (b"\0\1\0\0\0\1", "this font is damaged"),
        (None, "cannot be read: no such"),
    ],
)
def test_a_file_that_is_not_a_font_is_an_error(content, message, keto, tmp_path):
    file = tmp_path / "font.ttf"
    if content is not None:
        file.write_bytes(content)
    assert f"{file}: {message}" in refused("score", keto, "--pdf", tmp_path / "copy.pdf", "--font", file)


def test_options_of_the_copy_need_a_copy(keto, tmp_path):
    assert refused("score", keto, "--font", keto) == "--font only works with --pdf FILE or --html FILE"
    assert refused("score", keto, "--pdf", tmp_path / "copy.pdf", "--paper", "b9").startswith("no paper “b9”")
    assert "cannot be written" in refused("score", GAMES / SHEETS[3], "--pdf", keto / "copy.pdf")


@pytest.mark.parametrize("option", ["--font", "--words", "sheet"])
def test_a_copy_never_replaces_an_input(option, keto, tmp_path):
    (tmp_path / "link.pdf").symlink_to(keto)
    before = keto.read_bytes()
    read = (keto,) if option == "sheet" else (GAMES / SHEETS[3], option, keto)
    for copy in (keto, tmp_path / "link.pdf"):
        assert refused("score", *read, "--pdf", copy) == (
            f"--pdf would overwrite {keto}, which is an input; name another file for the copy"
        )
    assert keto.read_bytes() == before


def test_without_a_copy_no_printing_code_is_loaded():
    code = (
        "import sys\nfrom generator.cli import pencilbox\n"
        f"pencilbox.main(['score', '--explain', {str(GAMES / SHEETS[4])!r}], standalone_mode=False)\n"
        "print(sorted({'uharfbuzz', 'jinja2', 'pypdf'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=paths.ROOT)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_name_of_two_hundred_letters_is_not_cut(tmp_path):
    name = "W" * 200
    judged = answer({"game": "upwards", "player": name, "option": "rows", "grid": ["1 . 2 ."]})
    text = "".join(
        page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf_of([judged], paper("a4")))
    )
    assert name in text
