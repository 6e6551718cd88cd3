"""Logs with set codes: for the order of the deck, and for a shuffled board."""

import json

import pytest
from click.testing import CliRunner

from generator import games
from generator.cli import pencilbox
from generator.draws import draw
from generator.draws.draw_kinds import new_code
from generator.games.cosmic_consequences import play
from tests.games.cosmic_consequences.judging import judged
from tests.games.cosmic_consequences.playing import random_sheet

KEY = "cosmic_consequences"


def code_for(game, what, seed):
    return new_code(game, f"{what} {seed}", draw_name=what)


@pytest.mark.parametrize("seed", range(6))
def test_the_code_of_a_deal_gives_the_deck(game, seed):
    code = code_for(game, "deal", seed)
    deck = [card.number for card in games.deal(game, code).cards["cards"]]
    sheet = random_sheet(game, seed, deck=deck) | {"deal": str(code)}
    assert judged(sheet)["findings"] == []
    other = code_for(game, "deal", f"another {seed}")
    assert "leaving" in {finding["rule"] for finding in judged(sheet | {"deal": str(other)})["findings"]}


@pytest.mark.parametrize("seed", range(6))
def test_the_code_of_a_board_gives_the_board(game, seed):
    code = code_for(game, "board", seed)
    shuffled = games.deal(game, code).dress(game)
    assert play.Spec(shuffled).routes.kinds != play.Spec(game).routes.kinds
    for sheet in (random_sheet(shuffled, seed), random_sheet(shuffled, seed, cards=False)):
        assert judged(sheet | {"board": str(code)})["findings"] == []
    assert judged(random_sheet(shuffled, seed))["findings"]


def test_a_log_may_have_both_codes(game):
    deal, board = code_for(game, "deal", 1), code_for(game, "board", 1)
    shuffled = games.deal(game, board).dress(game)
    deck = [card.number for card in games.deal(game, deal).cards["cards"]]
    sheet = random_sheet(shuffled, 1, deck=deck)
    for first, second in (("deal", "board"), ("board", "deal")):
        named = {"deal": str(deal), "board": str(board)}
        result = {
            "game": KEY,
            first: named[first],
            second: named[second],
            **{key: value for key, value in sheet.items() if key not in ("game", "deal")},
        }
        assert judged(result)["findings"] == []


@pytest.mark.parametrize("field", ["deal", "board"])
def test_a_code_in_the_wrong_field_is_an_error(game, field):
    other = {"deal": "board", "board": "deal"}[field]
    result = judged({"game": KEY, "players": ["Ann", "Ben"], field: str(code_for(game, other, 1))})
    assert [problem["message"].partition(" is for ")[2] for problem in result["error"]] == [
        f"{other}s, but “{field}” is for {field}s"
    ]


@pytest.mark.parametrize("first", ["deal", "board"])
def test_unknown_recipes_are_errors_with_their_lines(game, first):
    fields = ["deal", "board"] if first == "deal" else ["board", "deal"]
    prefix = game.definition.prefix
    codes = {"deal": draw(prefix, "D", "77", "x", 0), "board": draw(prefix, "B", "B7", "x", 0)}
    lines = [f"{field}: {codes[field]}" for field in fields]
    result = judged("\n".join([f"game: {KEY}", "players: [Ann, Ben]", *lines]))
    assert [problem["line"] for problem in result["error"]] == [3, 4]


def output_of(*words):
    run = CliRunner().invoke(pencilbox, words)
    assert not run.exception or run.exit_code == 1, run.output
    return run.output


def test_from_a_random_set_to_the_score(game, tmp_path):
    """The set that `randomise` draws is the set that `score` checks the log against."""
    drawn = {
        what: json.loads(output_of("randomise", KEY, "--kind", what, "--seed", "whole", "--format", "json"))[0]
        for what in ("deal", "board")
    }
    codes = {what: entry["set"] for what, entry in drawn.items()}
    numbers = {card.id: card.number for card in game.components["cards"].cards}
    deck = [numbers[card] for card in drawn["deal"]["deal"]["deck"]]
    shuffled = games.deal(game, new_code(game, "whole", draw_name="board")).dress(game)
    for name, space in drawn["board"]["board"]["spaces"].items():
        assert shuffled.components["board"].board.spaces[name].kind == space["kind"]
    sheet = random_sheet(shuffled, 5, deck=deck) | codes
    file = tmp_path / "log.json"
    file.write_text(json.dumps(sheet))
    assert "No problems found." in output_of("score", str(file))
    for what in codes:
        other = {key: value for key, value in sheet.items() if key != what}
        if what == "deal":
            other["deal"] = output_of("randomise", KEY, "--seed", "another").split()[0]
        file.write_text(json.dumps(other))
        assert json.loads(output_of("score", "--format", "json", str(file)))["findings"], what
