"""The labels printed beside fields can be typed instead of their keys."""

import json
import re

import pytest
import yaml

from generator import games, paths
from generator.judging.judge import Judge
from generator.printing.game_faces import GameFaces
from generator.printing.press import Press, sheet_paper
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.rules.results import plain
from generator.sheets import Asking
from generator.sheets.parts import parts_of
from generator.spelling import bare

SHEETS = [(key, name) for key in games.SHIPPED for name in load(key).sheets]
STYLES = ("label", "heading")
"""The styles of words that name a field."""
HEADINGS = {"How to score"}
"""Those that name none."""


def printed_labels(key, name, monkeypatch):
    """Every text on the sheet in one of these styles."""
    roots = []

    def face(self, *args, **options):
        roots.append(plain_face(self, *args, **options))
        return roots[-1]

    plain_face = GameFaces.face
    monkeypatch.setattr(GameFaces, "face", face)
    game = load(key)
    press = Press(game, games.deal(game))
    component = press.game.components[name]
    press.sheet(component, sheet_paper(component, paper("a4")))
    return {text.strip() for face in roots for text in texts(face.root)} - {""}


def texts(element):
    if element.tag == "text" and element.attributes.get("style") in STYLES:
        words = "".join(getattr(piece, "text", " ") for piece in element.pieces)
        yield " ".join(re.sub(r"\(.*\)", "", words).split())
    for child in element.children:
        yield from texts(child)


def levels(group):
    """The fields at the top of a sheet, and those of every group."""
    yield group
    for part in group.inner:
        if part.inner:
            yield from levels(part)


@pytest.mark.parametrize(("key", "name"), SHEETS)
def test_every_printed_label_is_a_key(key, name, monkeypatch):
    groups = list(levels(parts_of(load(key).sheets[name].definition, {}, Asking())))

    def known(label):
        name = re.sub(r" [0-9]+$", "", label)
        return not re.search(r"[^\W\d_]", label) or any(group.find(name) for group in groups)

    labels = printed_labels(key, name, monkeypatch)
    assert {label for label in labels if not known(label) and not all(map(known, label.split(",")))} <= HEADINGS


# ---- typed by its labels, a sheet gives the same answer ------------------------------------------------------------


def relabelled(data, group):
    """The sheet with the label of every field in place of its key, where a group has the label once."""
    if isinstance(data, list):
        return [relabelled(entry, group) for entry in data]
    if not isinstance(data, dict):
        return data
    by_field = any(map(group.find, data))
    return dict(entry(*each, group) if by_field else (each[0], relabelled(each[1], group)) for each in data.items())


def entry(key, value, group):
    path = group.find(key)
    if not path:
        return key, value
    part = group.at(path)
    label = part.spec.label.upper()
    return (label if label and group.find(label) == path else key), relabelled(value, part) if part.inner else value


def cases():
    for path in sorted((paths.ROOT / "tests/games").glob("*/good/*.yaml")):
        documents = list(yaml.load_all(path.read_text(), yaml.BaseLoader))
        if len(documents) == 1:
            yield pytest.param(path, documents[0], id=f"{path.parent.parent.name}-{path.stem}")


@pytest.mark.parametrize(("path", "data"), list(cases()))
def test_labels_and_keys_give_the_same_answer(path, data, tmp_path):
    game = load(data["game"])
    name = data.get("sheet") or data.get("mode") or game.judged
    sheet = next(sheet for known, sheet in game.sheets.items() if bare(known) == bare(name))
    answers = []
    for content in (data, relabelled(data, parts_of(sheet.definition, {}, Asking()))):
        file = tmp_path / "sheet.json"
        file.write_text(json.dumps(content))
        answers.append([plain(answer) for answer in Judge().answers([str(file)])])
    assert answers[0] == answers[1]


def total(text, tmp_path):
    file = tmp_path / "sheet.yaml"
    file.write_text(text)
    (answer,) = Judge().answers([str(file)])
    return plain(answer)


@pytest.mark.parametrize("option", ["rows", "1", "1 Rows", "1 ROWS", "Rows"])
def test_an_option_may_be_its_number_or_its_label(option, tmp_path):
    for key in ("option", "We score"):
        answer = total(f"game: upwards\n{key}: {option}\ngrid: [1 1 1 1]\nA+B+C: 5", tmp_path)
        assert answer["players"][0]["lines"][1] == {"label": "rows", "points": 5} and answer["valid"]


def test_labels_of_single_entries_and_of_inner_fields(tmp_path):
    card = "{card: 4, Crates from the left: 6 5 4 2, STAR: 4}"
    text = f"game: from_the_ground_up\nPlayer 1: {{Name: Ann, Card 1: {card}, Total: 9}}"
    answer = total(text, tmp_path)
    assert [finding["where"] for finding in answer["findings"]][-1:] == [["players.1.claimed.total"]]
    assert answer["players"][0]["total"] == 4
    answer = total(
        "game: elevator_up\nPlayer 1: Ann\nPLAYER 2: Ben\nTurns: [{player: Ann, Cards played: [3]}]", tmp_path
    )
    assert answer["valid"] and [player["name"] for player in answer["players"]] == ["Ann", "Ben"]


@pytest.mark.parametrize(
    ("game", "sheet", "labels", "field"),
    [
        ("rolling_cubes", "tournament", ["Reached", "Result"], "games"),
        ("cosmic_consequences", "log", ["Cards", "With or without cards"], "cards"),
    ],
)
def test_labels_of_older_printed_sheets_are_still_keys(game, sheet, labels, field):
    whole = parts_of(load(game).sheets[sheet].definition, {}, Asking())
    assert [whole.find(label) for label in labels] == [field, field]


def test_the_names_of_sheets_and_games_may_be_those_on_the_paper(tmp_path):
    text = "game: Rolling Cubes\nmode: The last die\nPlayer: [Ann, Ben]\nRound 1: {Doubt by: Ann}"
    assert total(text, tmp_path)["game"] == "rolling_cubes"
    assert total("game: Upwards!\nOption: 1\ngrid: [1 1 1 1]", tmp_path)["game"] == "upwards"
    assert total("game: elevator up\nsheet: Win Tally\nplayers: [{name: Ann, wins: [1]}]", tmp_path)["valid"]


@pytest.mark.parametrize("key", ["Cards", "CARD PLAYED", "cards play", "plays"])
def test_a_part_of_a_label_and_its_plural_are_enough(key, tmp_path):
    answer = total(
        f"game: elevator_up\nPlayer: [Ann, Ben]\nturn:\n- {{player: Ann, {key}: 3}}\n- {{player: Ben, {key}: 2}}",
        tmp_path,
    )
    assert [finding["where"] for finding in answer["findings"]] == [["turns.2.play.1"]]


def test_a_code_and_a_part_that_is_not_on_paper_have_plurals_and_beginnings_too(tmp_path):
    swap = "swap: {Ann: {up: 1, hand: [2, 3]}}"
    answer = total(f"game: elevator_up\nplayers: [Ann, Ben]\n{swap}", tmp_path)
    assert [finding["rule"] for finding in answer["findings"]] == ["swaps"]
    text = "game: from_the_ground_up\nset cod: GU-1C01-2PDN6-3SS6Z-NP\nplayers: [{name: Ann}]"
    assert "GU-1C01-2PDN6-3SS6Z-NP" in total(text, tmp_path)["error"][0]["message"]


@pytest.mark.parametrize("key", ["crads", "pla", "c"])
def test_typos_and_ambiguous_beginnings_are_unknown_keys(key, tmp_path):
    answer = total(f"game: elevator_up\nplayers: [Ann, Ben]\nturns: [{{player: Ann, {key}: 3}}]", tmp_path)
    assert [problem["message"] for problem in answer["error"]] == [f"Ann, turn 1: unknown key “{key}”"]
