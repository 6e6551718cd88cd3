"""Your own game, simulated by filling in its score sheet at random."""

import pytest

from generator.draws import Chance
from generator.errors import InputError
from generator.games import deal, simulation_of
from generator.reading.load import load

GAME = """\
title: Rising
players: 1-4
components:
  pad: {kind: sheet, title: Score pad, sheet: sheet.yaml, face: score_pad}
"""
SHEET = """\
title: Score pad
players: players
fields:
  note: {kind: text}
  players:
    label: Player
    repeat: 4
    fields:
      name: {kind: text, label: Name, required: true}
      row: {kind: number, label: Row, count: 6, span: 1-30}
      bonus: {kind: tick, count: 5}
      colour: {kind: choice, choices: [red, blue]}
      dice: {kind: die, count: 5}
      claimed: {fields: {total: {kind: number}}}
checks:
  - rising: row
  - {count: bonus, at_most: 2}
  - {sum: dice, at_most: 20}
sums:
  - {total: players.*.claimed.total, of: [lines.*]}
score:
  - {label: row, max: row}
  - {label: bonus, count: bonus, table: [0, 1, 3]}
  - {label: sixes, value: "count(dice, 6)", points: 6}
"""


@pytest.fixture
def own(tmp_path):
    """A game with this score sheet, loaded."""

    def write(sheet=SHEET, game=GAME):
        (tmp_path / "game.yaml").write_text(game)
        (tmp_path / "sheet.yaml").write_text(sheet)
        return load(tmp_path)

    return write


def games_of(game, players, count):
    simulation = simulation_of(game)(game, deal(game), players, "random-sheets")
    for number in range(count):
        played = simulation.begin(Chance(number), keep=True)
        played.do(*played.choices())
        assert not played.choices()
        yield played


def test_every_simulated_sheet_keeps_the_rules(own):
    game = own()
    marks = set()
    for played in games_of(game, 3, 20):
        result = played.result()
        assert result.ended
        assert len(result.points) == 3
        assert [seat for seat, points in enumerate(result.points) if points == max(result.points)] == [*result.winners]
        assert sum(points for _, points in result.counts) == sum(result.points)
        for player in range(1, 4):
            row = played.filled.row(f"players.{player}.row")
            assert list(row) == sorted(set(row))
            assert len(played.filled.ticks(f"players.{player}.bonus")) <= 2
            marks |= {*played.filled.row(f"players.{player}.dice")}
    assert marks == {1, 2, 3, 4, 5, 6}


def test_cards_are_dealt_without_replacement(own, tmp_path):
    (tmp_path / "cards.yaml").write_text("cards:\n" + "".join(f"  - {{id: c{number}}}\n" for number in range(6)))
    sheet = SHEET.replace("colour: {kind: choice, choices: [red, blue]}", "hand: {kind: card, count: 3}")
    deck = "  cards: {kind: deck, title: Cards, cards: cards.yaml, face: word}\n"
    for played in games_of(own(sheet, GAME + deck), 2, 5):
        hands = [played.filled.text(f"players.{player}.hand.{n}") for player in (1, 2) for n in (1, 2, 3)]
        assert sorted(hands) == [f"c{number}" for number in range(6)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (", span: 1-30", "", "sheet.yaml:10: Rising cannot be simulated: “players.row” may be any number"),
        ("span: 1-30", "span: 1-3000000", "the span of “players.row” has more than 1,000,000 numbers"),
        ("note: {kind: text}", "note: {kind: text, required: true}", "“note” is a required text, which"),
        ("note: {kind: text}", "note: {kind: card}", "“note” needs a card, but the game has no deck"),
    ],
)  # fmt: skip
def test_every_obstacle_to_a_simulation_is_reported(own, old, new, message):
    with pytest.raises(InputError) as refused:
        simulation_of(own(SHEET.replace(old, new)))
    assert message in str(refused.value.problems[0])


def test_checks_that_cannot_be_met_at_random_are_named(own):
    game = own(SHEET.replace("rising: row", "check: sum(row) == 180 and row.1 == 7"))
    with pytest.raises(InputError, match=r"no sheet filled in at random meets its checks; the rule .* “check-row”"):
        simulation_of(game)(game, deal(game), 2, "random-sheets")


def test_a_game_without_a_sheet_is_not_simulated(own):
    with pytest.raises(InputError, match="it has no score sheet"):
        simulation_of(own(game=GAME.replace("sheet, title", "page, title").replace("sheet: sheet.yaml, ", "")))
