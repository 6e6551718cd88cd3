"""Changes that break a rule about turns or moves."""

from tests.games.cosmic_consequences.changes import change, number


@change("turn-order")
def another_player(game, at):
    game.turns[at]["player"] = game.rng.choice(game.others(game.turns[at]["player"]))
    return True


@change("turn-named")
def nobody(game, at):
    del game.turns[at]["player"]
    return True


@change("turn-told")
def no_roll(game, at):
    return game.turns[at].pop("roll", 0) > 0


@change("turn-told")
def no_space(game, at):
    return bool(game.turns[at].pop("to", ""))


MOVED = ("bump", "receiver-jumps", "across", "together", "first-three")
"""Rules that may be reported instead if something else had moved the pawn before."""
MOVES = ("move", "arrow", "curved", "wormhole", "loop", "jump", *MOVED)


@change(*MOVES)
def a_space_that_the_roll_does_not_lead_to(game, at):
    _state, _seat, here = game.before(at)
    turn = game.turns[at]
    if game.acts(at) or "roll" not in turn:
        return False
    turn["to"] = game.elsewhere({*game.routes.walks(here, turn["roll"]), "big-bang"})
    return True


@change(*MOVES, cards=False)
def another_space_in_a_race(game, at):
    return a_space_that_the_roll_does_not_lead_to(game, at)


def moved_from(game, at, spaces):
    """The turn and its space, if it has no card action and begins on one of these spaces; else None and the space."""
    _, _, here = game.before(at)
    turn = game.turns[at]
    return (turn if here in spaces and "roll" in turn and not game.acts(at) else None), here


@change("loop", *MOVED)
def out_of_the_loop(game, at):
    turn, _ = moved_from(game, at, ["left-5"])
    if not turn:
        return False
    turn.update(roll=4, to=game.rng.choice(["left-1", "em-1", "left-centre"]))
    return True


@change("wormhole", *MOVED)
def not_across(game, at):
    turn, here = moved_from(game, at, game.routes.wormholes)
    if not turn:
        return False
    side, number = here.split("-")
    turn.update(roll=1, to=f"{side}-{int(number) + 1}")
    return True


@change("arrow", *MOVED)
def past_the_arrow(game, at):
    turn, here = moved_from(game, at, game.routes.entry)
    if not turn:
        return False
    turn["to"] = game.routes.lap[game.routes.lap.index(here) + turn["roll"]]
    return True


@change("curved", *MOVED)
def on_past_the_exit(game, at):
    _, _, here = game.before(at)
    turn = game.turns[at]
    if here not in ("left-8", "right-8") or game.acts(at) or "roll" not in turn:
        return False
    turn.update(roll=2, to=here.replace("8", "2"))
    return True


@change("bump")
def a_bumped_pawn_that_stays(game, at):
    """A bumped player moves on from the space where the pawn was before."""
    if at + 1 >= len(game.turns) or game.acts(at + 1) or game.acts(at) or "roll" not in game.turns[at + 1]:
        return False
    before, after = game.states[at], game.states[at + 1]
    seat = after.seat
    turn = game.turns[at + 1]
    if before.at[seat] == after.at[seat] or seat == before.seat:
        return False
    ends = set(game.routes.walks(before.at[seat], turn["roll"])) - set(game.routes.walks(after.at[seat], turn["roll"]))
    ends -= {"big-bang"}
    if not ends:
        return False
    turn["to"] = game.rng.choice(sorted(ends))
    return True


@change("jump", *MOVED)
def a_jump_that_was_forgotten(game, at):
    _state, _seat, here = game.before(at)
    turn = game.turns[at]
    if "jump" not in turn or "roll" not in turn:
        return False
    card = turn["jump"]["card"] if isinstance(turn["jump"], dict) else turn["jump"]
    there = game.routes.jump(here, number(card))
    ends = set(game.routes.walks(here, turn["roll"])) - set(game.routes.walks(there, turn["roll"])) - {"big-bang"}
    if not ends:
        return False
    turn["to"] = game.rng.choice(sorted(ends))
    return True
