"""Random legal games as plain data: sheets with their logs, drawings and claimed points."""

import random

from generator.games.upwards import play

COLUMNS = "abcd"


def random_sheet(known, seed, most_rounds=None):
    """A game played to the end (or for some rounds), with every choice drawn from the seed."""
    rng = random.Random(seed)
    event_die = rng.random() < 0.6
    thrifty = rng.random() < 0.5
    state, log = play.start(known), []
    while not play.is_over(state) and (most_rounds is None or state.rounds < most_rounds):
        dice = [rng.randint(1, 6) for _ in range(known.rules["dice"])]
        event = rng.choice(known.events) if event_die else ""
        state, played = _round(rng, play.throw(state, dice, event), thrifty)
        log.append({"dice": dice} | ({"event": event} if event else {}) | played)
    return sheet(state) | {"option": rng.choice(["rows", "snake", "blocks"]), "event_die": event_die, "log": log}


def _round(rng, state, thrifty):
    """The state after one round, and its log entry without the dice. Thrifty players combine numbers whenever they can,
    which fills the sheet slowly."""
    played = {"entries": []}
    while state.thrown:
        moves = play.legal(state)
        done = [move for move in moves if move.kind != "skip"] or moves
        totals = [move for move in done if len(move.plus) + len(move.minus) > 1]
        ends = [move for move in done if move.kind == "end"]
        move = rng.choice(totals if thrifty and totals and rng.random() < 0.7 else ends or done)
        note(played, state, move)
        state = play.apply(state, move)
    return state, played


def note(played, state, move):
    if move.kind == "outline":
        played["outline"] = f"x{move.place + 1}"
    elif move.kind == "arrow":
        played["row"] = move.place + 1
    elif move.kind == "drop":
        played["entries"].append(f"{COLUMNS[move.place]}=o")
    elif move.kind == "pass":
        played["passed"] = list(state.dice)
    elif move.kind == "enter":
        played["entries"].append(f"{state.numbers.place_names[move.place]}={_sum(state, move)}")


def _sum(state, move):
    def name(source):
        return str(source) if source > 0 else state.numbers.place_names[len(state.columns) + ~source]

    return "+".join(map(name, move.plus)) + "".join(f"-{name(number)}" for number in move.minus)


def sheet(state):
    """The final sheet."""
    known = state.numbers
    fields = [
        f"{abs(number)}{'x' * (number < 0)}" if number else "." if play.is_open(state, field) else "-"
        for field, number in enumerate(state.reserve)
    ]
    grid = [" ".join(_mark(column, row) for column in state.columns) for row in range(known.rows - 1, -1, -1)]
    return {
        "grid": grid,
        "reserve": fields[: known.dark],
        "extra_reserve": fields[known.dark :],
        "bonus_rows": [row + 1 for row in range(known.rows) if state.arrows >> row & 1],
    }


def _mark(column, row):
    return "." if row >= len(column) else str(column[row]) if column[row] else "o"
