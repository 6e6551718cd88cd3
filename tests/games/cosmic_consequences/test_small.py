"""A small game, enumerated twice: on a lap of eight spaces with five cards, `play` allows exactly the turns
that the referee accepts, out of all that can be written down."""

import json
import os
import random
from itertools import chain, combinations, product
from types import SimpleNamespace
from typing import NamedTuple

import pytest
import yaml

from generator import nodes
from generator.games.cosmic_consequences import play
from generator.games.cosmic_consequences.play import Routes
from generator.model.board import BoardFile
from generator.reading import board_graph, typed
from tests.games.cosmic_consequences.playing import deck_ids, random_turn, written
from tests.games.cosmic_consequences.referee import Complaint, Table, value

POSITIONS = int(os.environ.get("PENCILBOX_GAMES", "2"))
NAMES = ["Ann", "Ben"]
DIE = (1, 2, 3)
CARDS = ["dragon-1", "dragon-2", "tiger-1", "tiger-3", "zero-1"]
BOARD = """
size: 100 x 100
fields: {card: {kind: text}}
kinds: {big-bang: {}, first: {}, cc: {}, green: {}, orange: {}}
regions: {a: {}}
spaces:
  big-bang: {kind: big-bang, x: 5, y: 5}
tracks:
  lap:
    one_way: true
    region: a
    points: [{x: 10, y: 10}, {x: 90, y: 10}]
    spaces:
      first-1: {kind: first}
      a-1: {kind: cc, fields: {card: dragon-1}}
      a-2: {kind: green}
      a-3: {kind: cc, fields: {card: tiger-1}}
      a-4: {kind: orange}
      a-5: {kind: cc, fields: {card: dragon-2}}
      a-6: {kind: green}
      a-7: {kind: cc, fields: {card: tiger-3}}
edges:
  - {from: big-bang, to: first-1, one_way: true}
  - {from: a-7, to: big-bang, one_way: true}
"""
RULES = {
    "start": "big-bang",
    "curved": {"entry": {}, "exit": {}, "wormholes": {}, "region": {}, "loop": {"from": "", "roll": 0}},
}
PLAIN = {"rings": {}, **yaml.safe_load(BOARD)}


class Card(NamedTuple):
    id: str
    number: int
    space: str


@pytest.fixture(scope="module")
def spec():
    board = board_graph.board(typed.read(nodes.document(BOARD, "board.yaml"), BoardFile))
    cards = tuple(Card(name, value(name), "big-bang") for name in CARDS)
    deck = tuple(card.number for card in cards)
    return SimpleNamespace(routes=Routes(board, cards, RULES), deck=deck, cards=True, stacks=2, eager=False)


def ids(cards):
    return [name if value(name) else "zero-1" for name in deck_ids(cards)]


# ---- turns that `play` allows --------------------------------------------------------------------------------------


def turns_of(state):
    """Every turn with at most one answer to a consequence, as text."""
    return {as_text(turn) for turn in _turns(state, state.seat, {"player": NAMES[state.seat]}, [])}


def _turns(state, seat, turn, forced):
    if play.is_over(state) or (turn.get("to") and not state.consequences):
        yield turn | ({"forced": forced} if forced else {})
        return
    for roll in DIE if not state.consequences and state.step == "roll" else (0,):
        for move in play.legal(state, roll):
            done = {} if move.kind in ("pass", "go") else written(NAMES, move)
            entry = done if not state.consequences or move.seat == seat else {"player": NAMES[move.seat], **done}
            entries = [*forced, entry] if state.consequences and done else forced
            now = {"roll": roll, "to": move.to} if move.kind == "go" else {} if state.consequences else done
            if len(entries) < 2:
                yield from _turns(play.apply(state, move), seat, turn | now, entries)


def as_text(turn):
    plain = json.loads(json.dumps(turn))
    for entry in [plain, *plain.get("forced", [])]:
        for done in (entry[key] for key in ("draw", "jump", "discard") if isinstance(entry.get(key), dict)):
            if isinstance(done["card"], list):
                done["card"].sort()
            if "with" in done:
                done["with"].sort()
    return json.dumps(plain, sort_keys=True)


# ---- turns that the referee accepts ---------------------------------------------------------------------------------


def some(cards, least=1):
    return chain.from_iterable(combinations(cards, size) for size in range(least, 3))


def every_draw():
    for source in ("deck", "pile", *NAMES):
        for card in CARDS:
            yield {"from": source, "card": card}
            yield from ({"from": source, "card": card, "with": list(with_)} for with_ in some(CARDS))


def every_discard():
    for target in ("pile", *NAMES):
        for cards in some(CARDS):
            card = list(cards) if len(cards) > 1 else cards[0]
            yield {"card": card, "onto": target}
            yield from ({"card": card, "onto": target, "with": list(with_)} for with_ in some(CARDS))


def every_action():
    yield {}
    yield from ({"draw": done} for done in every_draw())
    yield from ({"discard": done} for done in every_discard())
    for card in CARDS:
        yield {"jump": card}
        yield from ({"jump": {"card": card, "with": list(with_)}} for with_ in some(CARDS))


def every_answer(whose):
    yield []
    for answer in chain(({"draw": line} for line in every_draw()), ({"discard": line} for line in every_discard())):
        yield from ([answer if name == whose else {"player": name, **answer}] for name in NAMES)


def complaint_about(table, turn):
    """What the referee says about a turn, and whether a space asked for something."""
    trial = table.twin()
    try:
        trial.turn(turn)
    except Complaint as complaint:
        return str(complaint), trial.asked
    return "", trial.asked


def referees_turns(table):
    """The turns that the referee accepts, out of all that can be written down with at most one answer to a consequence.
    Turns whose beginning is already refused are skipped."""
    whose = table.names[table.whose]
    for action in every_action():
        complaint, _ = complaint_about(table, {"player": whose, **action})
        if complaint == "":
            yield as_text({"player": whose, **action})
        if complaint in ("no move", "did not draw"):
            for roll, to in product(DIE, table.map.kind):
                yield from _with_answers(table, {"player": whose, **action, "roll": roll, "to": to})


def _with_answers(table, turn):
    complaint, asked = complaint_about(table, turn)
    if complaint not in ("", "did not draw"):
        return
    for forced in every_answer(turn["player"]) if asked else [[]]:
        full = turn | ({"forced": forced} if forced else {})
        if complaint_about(table, full)[0] == "":
            yield as_text(full)


@pytest.mark.parametrize("seed", range(POSITIONS))
def test_play_and_referee_allow_the_same_turns(spec, seed):
    rng = random.Random(seed)
    deck = list(spec.deck)
    rng.shuffle(deck)
    state = play.start(spec, 2, deck)
    table = Table({"players": NAMES, "deal": {"deck": ids(deck)}}, board=PLAIN, cards=CARDS, enough=2)
    for _ in range(seed * 5 % 12):
        turn, after = random_turn(rng, NAMES, state)
        if play.is_over(after):
            break
        state = after
        table.turn(turn)
    accepted = set(referees_turns(table))
    accepted -= {
        text.replace('"first-1"', '"big-bang"') for text in accepted if '"first-1"' in text
    }  # both spellings are fine
    assert turns_of(state) == accepted
    assert len(accepted) >= len(DIE)
