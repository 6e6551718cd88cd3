"""Logs with a set code: the deck in its order, and the board as it was shuffled."""

import pytest

from generator import codes, games
from generator.codes import draw
from generator.games.cosmic_consequences import play
from tests.games.cosmic_consequences.judging import judged
from tests.games.cosmic_consequences.playing import random_sheet

KEY = "cosmic_consequences"
KNOWN = games.room(KEY, "deal") is not None
needs_codes = pytest.mark.skipif(not KNOWN, reason="no code names a deck or a board yet")


def code_for(game, what, seed):
    from generator.games.draws import new_code
    return new_code(game, f"{what} {seed}", what=what)


@pytest.mark.skipif(KNOWN, reason="codes are known")
def test_a_code_that_deals_nothing_is_told(game):
    code = draw(game.definition.prefix, "D", "01", "a deck", 0)
    told = judged({"game": KEY, "players": ["Ann", "Ben"], "deal": str(code)})
    assert [problem["message"] for problem in told["error"]] == ["Cosmic Consequences has no random sets"]


@needs_codes
@pytest.mark.parametrize("seed", range(6))
def test_a_deck_by_its_code(game, seed):
    code = code_for(game, "deal", seed)
    deck = [card.number for card in games.deal(game, code).cards["cards"]]
    sheet = random_sheet(game, seed, deck=deck) | {"deal": str(code)}
    assert judged(sheet)["findings"] == []
    other = code_for(game, "deal", f"another {seed}")
    assert "leaving" in {finding["rule"] for finding in judged(sheet | {"deal": str(other)})["findings"]}


@needs_codes
@pytest.mark.parametrize("seed", range(6))
def test_a_shuffled_board_by_its_code(game, seed):
    code = code_for(game, "board", seed)
    shuffled = games.deal(game, code).dress(game)
    assert play.spec(shuffled).ways.kinds != play.spec(game).ways.kinds
    for sheet in (random_sheet(shuffled, seed), random_sheet(shuffled, seed, cards=False)):
        assert judged(sheet | {"board": str(code)})["findings"] == []
    assert judged(random_sheet(shuffled, seed))["findings"]


@needs_codes
def test_both_codes(game):
    deal, board = code_for(game, "deal", 1), code_for(game, "board", 1)
    shuffled = games.deal(game, board).dress(game)
    deck = [card.number for card in games.deal(game, deal).cards["cards"]]
    sheet = random_sheet(shuffled, 1, deck=deck)
    for first, second in (("deal", "board"), ("board", "deal")):
        named = {"deal": str(deal), "board": str(board)}
        told = {"game": KEY, first: named[first], second: named[second], **{
            key: value for key, value in sheet.items() if key not in ("game", "deal")}}
        assert judged(told)["findings"] == []


def test_kinds_of_codes_are_those_the_log_asks_for():
    from generator.games.cosmic_consequences.log import ORDER, SHUFFLED
    assert codes.KINDS[ORDER] == "deal"
    assert codes.KINDS[SHUFFLED] == "board"
