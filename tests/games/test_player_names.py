"""Players are named alike in every game: by a beginning, in any case, in any Unicode form."""

import json
import unicodedata

import pytest
import yaml

from generator import paths
from generator.judging.judge import Judge
from generator.rules.results import Judged, plain

GOOD = sorted((paths.ROOT / "tests/games").glob("*/good/*.yaml"))
JUDGE = Judge()


def answers(data, folder):
    path = folder / "sheet.json"
    path.write_text(json.dumps(data))
    return [plain(answer) for answer in JUDGE.answers([str(path)])]


def players(data):
    """Where a sheet lists its players: in a row of names, or entry by entry."""
    return [entry["name"] if isinstance(entry, dict) else entry for entry in data.get("players", ()) if entry != "."]


def renamed(data, spelling, top=True):
    """The sheet with every later mention of a player spelt differently."""
    if isinstance(data, dict):
        return {
            spelling.get(key, key): value
            if (
                top
                and key == "players"
                and isinstance(value, list)
                and not any(isinstance(entry, dict) for entry in value)
            )
            or key == "name"
            else renamed(value, spelling, False)
            for key, value in data.items()
        }
    if isinstance(data, list):
        return [renamed(entry, spelling, False) for entry in data]
    if isinstance(data, str):
        first, blank, rest = data.partition(" ")
        return spelling.get(data) or (f"{spelling[first]} {rest}" if blank and first in spelling else data)
    return data


def loaded(path):
    (data, *others) = yaml.load_all(path.read_text(), yaml.BaseLoader)
    return None if others else data


def cases():
    for path in GOOD:
        data = loaded(path)
        if data and len(players(data)) > 1 and len({name[0] for name in players(data)}) == len(players(data)):
            yield pytest.param(data, id=f"{path.parent.parent.name}-{path.stem}")


@pytest.mark.parametrize("data", list(cases()))
@pytest.mark.parametrize("spell", [lambda name: name[0].lower(), str.upper, lambda name: f" {name[:2]}. "])
def test_a_shorter_name_changes_nothing(data, spell, tmp_path):
    spelling = {name: spell(name) for name in players(data)}
    assert answers(renamed(data, spelling), tmp_path) == answers(data, tmp_path)


MENTIONS = [
    "game: elevator_up\nplayers: [Ann, Anton]\nturns: [{player: %s, play: [3]}]",
    "game: elevator_up\nplayers: [Ann, Anton]\nturns: [{player: Ann, play: [3]}]\nout: %s",
    "game: elevator_up\nplayers: [Ann, Anton]\nswaps: {%s: {up: [3], hand: [4]}}",
    "game: cosmic_consequences\nplayers: [Ann, Anton]\nturns: [{player: %s, roll: 5, to: em-2}]",
    "game: cosmic_consequences\nplayers: [Ann, Anton]\nhands: {%s: {number_up: [tiger-9]}}",
    "game: cosmic_consequences\nplayers: [Ann, Anton]\nturns: [{player: Ann, draw: %s +3, roll: 5, to: em-2}]",
    "game: from_the_ground_up\nplayers: [{name: Ann, cards: [{card: 4}]}, {name: Anton, cards: [{card: 7}]}]\n"
    "deal: {Ann: [4], %s: [7]}\nlog: [{player: Ann, pass: 4}]",
    "game: from_the_ground_up\nplayers: [{name: Ann, cards: [{card: 4}]}, {name: Anton, cards: [{card: 7}]}]\n"
    "deal: {Ann: [4], Anton: [7]}\nlog: [{player: %s, pass: 4}]",
    "game: rolling_cubes\nplayers: [Ann, Anton]\nrounds: [{words: {%s: 0}}]",
    "game: rolling_cubes\nplayers: [Ann, Anton]\nclaimed: {%s: 0}",
    "game: rolling_cubes\nmode: last-die\nplayers: [Ann, Anton]\nrounds: [{letters: [{player: %s, letter: T}]}]",
    "game: rolling_cubes\nmode: last-die\nplayers: [Ann, Anton]\n"
    "rounds: [{letters: [{player: Ann, letter: T}], stuck: %s}]",
    "game: rolling_cubes\nmode: last-die\nplayers: [Ann, Anton]\n"
    "rounds: [{letters: [{player: Ann, letter: T}], doubt: {by: %s, answer: to}}]",
    "game: rolling_cubes\nmode: tournament\nplayers: [Ann, Anton]\ngames: {one-by-one: {%s: 24}}",
]


@pytest.mark.parametrize("text", MENTIONS)
def test_an_ambiguous_beginning_is_refused_with_the_candidates(text, tmp_path):
    path = tmp_path / "sheet.yaml"
    path.write_text(text % "An")
    (answer,) = JUDGE.answers([str(path)])
    assert not isinstance(answer, Judged)
    assert any("“An” could be Ann or Anton" in problem.message for problem in answer.problems), answer.problems


@pytest.mark.parametrize("text", MENTIONS)
def test_a_name_is_the_same_in_every_unicode_form(text, tmp_path):
    text = text.replace("Anton", "Jörg Berg") % "J\u00f6rg\u00a0 Berg"
    path, seen = tmp_path / "sheet.yaml", []
    for form in ("NFC", "NFD"):
        path.write_text(unicodedata.normalize(form, text) if form == "NFD" else text, "utf-8")
        (answer,) = JUDGE.answers([str(path)])
        assert isinstance(answer, Judged), answer.problems
        seen.append(plain(answer))
    assert seen[0] == seen[1]
