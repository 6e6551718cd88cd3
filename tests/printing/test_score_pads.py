"""The face `score_pad`: which fields it prints side by side, and what it says about those that do not fit."""

from itertools import pairwise
from pathlib import Path

import pytest

from generator import games
from generator.errors import InputError
from generator.layout.flaws import Draft
from generator.model.print_settings import PrintSettings
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.page_texts import page_texts

GAME = "title: G\nplayers: 1-6\ncomponents: {pad: {kind: sheet, title: S, sheet: sheet.yaml, face: score_pad}}\n"
PLAYERS = "title: S\nplayers: players\nfields:\n  players:\n    repeat: %s\n    fields:\n      name: {kind: text}\n"


@pytest.fixture
def printed(tmp_path):
    """Prints a pad with these fields, and returns its frames."""

    def make(fields, players=0, template="", sheet="", up=False, **settings):
        (tmp_path / "game.yaml").write_text(GAME.replace("score_pad", "score_pad, up: 2") if up else GAME)
        head, indent = (PLAYERS % players, " " * 6) if players else ("title: S\nfields:\n", "  ")
        lines = "".join(f"{indent}{line}\n" for line in fields.strip().splitlines())
        (tmp_path / "sheet.yaml").write_text(sheet or head + lines)
        if template:
            (tmp_path / "templates").mkdir()
            (tmp_path / "templates" / "score_pad.xml.j2").write_text(template)
        game = load(str(tmp_path))
        press = Press(game, games.deal(game), PrintSettings(**settings))
        part = game.components["pad"]
        return press, part, press.blank_corners(part, press.paper_of(part, paper("a4")))

    return make


def slots(frames):
    return {item.id: item for frame in frames for item in frame.items if hasattr(item, "id")}


def test_drawn_values_are_not_left_out_in_silence(tmp_path):
    draws = "draws: {dice: {rows: 4, columns: {n: d6}, into: pad}}\n"
    (tmp_path / "game.yaml").write_text(GAME + draws)
    (tmp_path / "sheet.yaml").write_text("title: S\nfields: {set: {kind: code}, a: {kind: tick, count: 4}}\n")
    with pytest.raises(InputError, match="score_pad of “pad” has no place for drawn values"):
        load(str(tmp_path))


def test_numbers_are_nearer_to_their_boxes_than_to_the_line_above(printed):
    _, _, frames = printed("map: {kind: tick, count: 8, across: 4}")
    boxes = slots(frames)
    (five,) = (item for frame in frames for item in frame.items if getattr(item, "text", "") == "5")
    above, below = boxes["map.1"], boxes["map.5"]
    assert (five.y - 0.72 * five.size) - (above.y + above.height) > below.y - five.y + 0.9 > 2.4


@pytest.mark.parametrize("players", [0, 1, 2])
def test_a_row_of_twelve_ticks_is_one_row(printed, players):
    _, _, frames = printed("ticks: {kind: tick, label: Ticks, count: 12}", players)
    boxes = slots(frames)
    for stem in [f"players.{p}." for p in range(1, players + 1)] or [""]:
        row = [boxes[f"{stem}ticks.{n}"] for n in range(1, 13)]
        assert len({box.y for box in row}) == 1
        assert all(after.x - before.x >= 8 + 2 for before, after in pairwise(row))
        assert all(min(box.width, box.height) >= 8 for box in row)


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ("map: {kind: number, count: 12, across: 4}", [4, 4, 4]),
        ("map: {kind: tick, count: 10, across: 5}", [5, 5]),
        ("map: {across: 3, fields: {a: {kind: tick}, b: {kind: number}, c: {kind: tick}, d: {kind: die}}}", [3, 1]),
        ("map: {kind: choice, choices: [a, b], count: 6, across: 2}", [2, 2, 2]),
    ],
)
def test_across_is_the_number_of_boxes_in_a_line(printed, fields, lines):
    for players in (0, 2):
        boxes = [box for name, box in slots(printed(fields, players)[2]).items() if ".name" not in name]
        bottoms = [round(box.y + box.height, 2) for box in boxes[: sum(lines)]]
        assert [bottoms.count(y) for y in dict.fromkeys(bottoms)] == lines


@pytest.mark.parametrize(
    ("kind", "boxes"),
    [
        ("number, span: 0-9", 0),
        ("number, span: 0-30", 2),
        ("number, span: -5-30", 2),
        ("number, span: -10-30", 3),
        ("number", 3),
        ("number, span: 0-12345", 0),
        ("die", 0),
        ("text", 0),
        ("text, length: 2", 2),
        ("choice, choices: [a, bcd]", 3),
    ],
)
@pytest.mark.parametrize("players", [0, 2, 5])
def test_each_character_has_a_box(printed, kind, boxes, players):
    _, _, frames = printed(f"row: {{kind: {kind}, count: 3}}\na: {{kind: {kind}}}", players)
    for name, slot in slots(frames).items():
        if name.split(".")[-1] in ("a", "1", "2", "3") and "name" not in name:
            expected = 0 if name == "a" and "text" in kind else boxes  # a line to write on
            assert slot.letters == expected, name
            assert all(7 <= round(box.width, 2) <= 9.5 and box.height >= 8 for box in slot.boxes)


def test_numbers_without_room_have_a_single_box(printed):
    _, _, frames = printed("a: {kind: number, span: 0-30}\nb: {kind: number}", 6, up=True)
    narrow = {name.rpartition(".")[2]: slot.letters for name, slot in slots(frames).items()}
    assert narrow == {"name": 0, "a": 2, "b": 0}


def test_each_box_has_a_label(printed):
    fields = "coins: {kind: number, label: Coins}\nluck: {kind: tick, label: Luck}\n"
    fields += "row: {kind: tick, label: Path, count: 3}\narea: {label: Woods, fields: {fox: {kind: tick, label: Fox}}}"
    press, _, _ = printed(fields)
    (text,) = page_texts(press.component("pad", paper("a4")).pdf)
    for word in ("Coins", "Luck", "Path 1 2 3", "WOODS", "Fox"):
        assert word in text


@pytest.mark.parametrize("players", [0, 1, 2])
@pytest.mark.parametrize("low_ink", [False, True])
def test_every_kind_of_field_is_printed(printed, players, low_ink):
    kinds = ("number", "die", "tick", "text", "code", "choice, choices: [ab, cd]")
    fields = "\n".join(f"f{n}: {{kind: {kind}}}" for n, kind in enumerate(kinds))
    fields += "\nrow: {kind: number, count: 3}\ngroup: {fields: {a: {kind: number}, b: {kind: tick, count: 2}}}"
    _, part, frames = printed(fields, players, low_ink=low_ink)
    assert set(slots(frames)) == set(part.sheet.fields)


def test_what_is_not_on_paper_is_left_out(printed):
    for fields in (
        "a: {kind: number}\nb: {kind: number, paper: false}",
        "a: {kind: tick, count: 2}\nb: {kind: die, paper: false}",
    ):
        for players in (0, 2):
            _, part, frames = printed(fields, players)
            assert set(slots(frames)) == set(part.sheet.fields)


@pytest.mark.parametrize("fields", ["name: {kind: text}", "a: {kind: number}", "a: {kind: tick, count: 2}"])
def test_players_need_neither_names_nor_anything_else(printed, tmp_path, fields):
    sheet = f"title: S\nplayers: p\nfields: {{p: {{repeat: 3, fields: {{{fields}}}}}}}\n"
    _, part, frames = printed("x: {kind: number}", sheet=sheet)
    assert set(slots(frames)) == set(part.sheet.fields)


LONG = "label: Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihungsurkundenstempelkissen"


@pytest.mark.parametrize(
    ("fields", "players", "place"),
    [
        (f"a: {{kind: number}}\nb: {{kind: number, {LONG}}}", 4, "sheet.yaml:9"),
        ("a: {kind: number, count: 40}", 4, "sheet.yaml:1"),
        ("a: {kind: tick, count: 40}", 6, "sheet.yaml:1"),
        ("a: {kind: number}\ng: {repeat: 2, fields: {b: {kind: number}}}", 2, "sheet.yaml:9"),
        ("a: {kind: tick, count: 3}\ng: {repeat: 2, fields: {b: {kind: number}}}", 2, "sheet.yaml:9"),
        ("a: {kind: tick, count: 60, across: 30}", 2, "sheet.yaml:1"),
        (f"g: {{fields: {{c: {{kind: tick, count: 3}}, d: {{kind: tick, count: 3, {LONG}}}}}}}", 2, "sheet.yaml:8"),
    ],
)
def test_what_does_not_fit_is_reported_in_the_file_of_the_user(printed, fields, players, place):
    with pytest.raises(InputError) as error:
        printed(fields, players)
    assert all(str(problem.place).endswith(place) for problem in error.value.problems), error.value


def test_a_template_that_extends_a_shared_one_is_named_instead_of_it(printed):
    template = '{% extends "_shared/score_pad.xml.j2" %}'
    with pytest.raises(InputError) as error:
        printed("a: {kind: number, count: 40}", 4, template)
    assert all(problem.place.file.endswith("templates/score_pad.xml.j2") for problem in error.value.problems)
    assert "_shared" not in str(error.value)


def test_a_draft_names_the_file_of_the_user(tmp_path):
    (tmp_path / "game.yaml").write_text(GAME)
    fields = f"      a: {{kind: number, count: 40}}\n      b: {{kind: number, {LONG}}}\n"
    (tmp_path / "sheet.yaml").write_text(PLAYERS % 4 + fields)
    game, draft = load(str(tmp_path)), Draft()
    Press(game, games.deal(game), PrintSettings(draft=True), draft=draft).component("pad", paper("a4"))
    assert draft.problems and {Path(problem.place.file).name for problem in draft.problems} == {"sheet.yaml"}
