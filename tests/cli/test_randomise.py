"""pencilbox randomise: random sets as text and as JSON."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from generator import games, paths
from generator.cli import pencilbox
from generator.cli.randomise import command
from generator.draws import parse
from generator.errors import InputError
from generator.reading.load import load
from tests.games.from_the_ground_up.constraints import unmet_card_constraints

GAME = "from_the_ground_up"


def run(*words):
    return CliRunner().invoke(command, [GAME, *words], catch_exceptions=False)


def test_text_shows_each_set_with_its_code_and_twelve_cards():
    answer = run("--seed", "hello", "--count", "2")
    assert answer.exit_code == 0
    first, second = (block.splitlines() for block in answer.stdout.split("\n\n"))
    assert first[0] == "GU-1C01-62K98-RJWND-XN"
    assert first[5] == "card  5  3-4★  □ ▼ □ ▼ □ ▼ □ ▼ □     6 ways to fill it"
    assert second[0] == "GU-1C01-6BNMS-N6PSN-7V"
    assert len(first) == len(second) == 13


def test_the_documented_example_is_correct():
    documented = (paths.ROOT / "docs/codes.md").read_text(encoding="utf-8")
    assert run("--seed", "hello").stdout in documented


def test_json_has_the_same_sets():
    sets = json.loads(run("--seed", "hello", "--count", "3", "--format", "json").stdout)
    assert [drawn["set"] for drawn in sets[:2]] == ["GU-1C01-62K98-RJWND-XN", "GU-1C01-6BNMS-N6PSN-7V"]
    assert [len(drawn["cards"]) for drawn in sets] == [12, 12, 12]
    assert sets[0]["cards"][3] == {
        "card": "4",
        "star": [3, 4],
        "symbols": ["equal", "lower", "unequal"],
        "crates": 4,
        "ways": 75,
    }


def test_without_a_seed_every_set_is_new():
    sets = json.loads(run("--count", "20", "--format", "json").stdout)
    codes = {parse(drawn["set"], prefix="GU") for drawn in sets}
    assert len(codes) == 20


def test_a_larger_count_begins_with_the_same_sets():
    single, five = (run("--seed", "growing", "--count", n).stdout for n in ("1", "5"))
    assert five.startswith(single)


@pytest.mark.parametrize("count", ["0", "-1", "x", "10001"])
def test_an_impossible_count_is_a_usage_error(count):
    answer = run("--count", count)
    assert answer.exit_code == 2
    assert "--count" in answer.stderr


def test_both_spellings_of_the_command_work():
    answers = [CliRunner().invoke(pencilbox, [name, GAME, "--seed", "x"]).stdout for name in ("randomise", "randomize")]
    assert answers[0] == answers[1] != ""


def test_a_game_without_random_sets_is_refused(tmp_path):
    (tmp_path / "card.xml.j2").write_text("<face/>")
    (tmp_path / "cards.yaml").write_text("cards: [{id: 1}]\n")
    (tmp_path / "game.yaml").write_text(
        "title: Own\nprefix: OW\nplayers: 1\n"
        "components: {cards: {kind: deck, title: Cards, cards: cards.yaml, face: card}}\n"
    )
    with pytest.raises(InputError, match=r"Own has no random sets; say under “draws” in game.yaml"):
        CliRunner().invoke(command, [str(tmp_path)], catch_exceptions=False)
    with pytest.raises(InputError, match=r"did you mean from_the_ground_up\?"):
        CliRunner().invoke(command, ["from_the_ground"], catch_exceptions=False)


def test_printed_sets_follow_the_recipe():
    game = load(GAME)
    for drawn in json.loads(run("--seed", "kept", "--count", "5", "--format", "json").stdout):
        deck = games.deal(game, parse(drawn["set"]))
        assert [list(card.symbols) for card in deck.cards["cards"]] == [card["symbols"] for card in drawn["cards"]]
        assert unmet_card_constraints(game, deck.cards["cards"], "01") == []
