"""Random legal games break no rule, changed ones do, and an independent referee agrees."""

import copy
import os
import random
from functools import cache, lru_cache, partial
from itertools import islice

import pytest

from generator.games.rolling_cubes.last_die import Settings
from generator.games.rolling_cubes.play import dice_of
from generator.games.rolling_cubes.word_lists import bundled
from generator.reading.load import load
from tests.games.from_the_ground_up.judging import judged
from tests.games.rolling_cubes.playing import MODES, Table
from tests.games.rolling_cubes.referee import judgement

GAME = load("rolling_cubes")
LONG, COMMON = (bundled(GAME.folder / GAME.rules["words"][name]) for name in ("all", "common"))
SETTINGS = Settings(dice_of(GAME), 3, 2, COMMON, LONG)
GAMES = int(os.environ.get("PENCILBOX_GAMES", "5"))
"""The number of random games for each change; use 2000 for a thorough run."""
DICE = [(card.colour, card.faces) for card in GAME.components["dice"].cards]


@cache
def plain(words):
    return {line.decode() for block in words.blocks.values() for line in block.split()}


def judgement_of(sheet):
    return judgement(sheet, DICE, plain(LONG), plain(COMMON))


@lru_cache(2000)
def random_sheet(mode, seed):
    return Table(f"{mode} {seed}", GAME, LONG, SETTINGS, judgement_of).sheet(mode)


def errors(answer):
    return {finding["rule"] for finding in answer["findings"] if finding["severity"] == "error"}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("mode", MODES)
def test_a_legal_game_breaks_no_rule(mode, seed):
    sheet = random_sheet(mode, seed)
    complaints, totals, winners = judgement_of(sheet)
    answer = judged(sheet)
    assert not complaints and answer["findings"] == []
    assert {player["name"]: player["total"] for player in answer["players"]} == totals
    assert answer["winners"] == winners


# ---- changes that break a rule ------------------------------------------------------------------------------------


def some_word(rng, sheet, holding=""):
    """A word on the sheet with one of these tiles, and the mapping it is in."""
    if sheet["mode"] == "five-throws":
        groups = [lines for lines in sheet["lines"].values()]
    else:
        groups = [game_round["words"] for game_round in sheet["rounds"] if "claimed" not in game_round]
    able = [
        (group, name)
        for group in groups
        for name, word in group.items()
        if word and not word.get("rejected") and (not holding or set(word["tiles"].replace("/", "≠")) & set(holding))
    ]
    return rng.choice(able) if able else None


def other_letter(rng, sheet):
    """tiles-fit: a letter of the word differs from its tile."""
    if entry := some_word(rng, sheet, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"):
        word = entry[0][entry[1]]
        at = rng.choice([number for number, tile in enumerate(word["tiles"]) if tile not in "=≠/"])
        word["word"] = word["word"][:at] + ("b" if word["word"][at] != "b" else "c") + word["word"][at + 1 :]
        return "tiles-fit"
    return None


def equal_for_nothing(rng, sheet):
    """equal-copies: = stands for a letter that no die shows."""
    if entry := some_word(rng, sheet, "="):
        word = entry[0][entry[1]]
        at = word["tiles"].index("=")
        letter = next(letter for letter in "zqjxkwvfbpgmhydcu" if letter not in word["tiles"].lower())
        word["word"] = word["word"][:at] + letter + word["word"][at + 1 :]
        return "equal-copies"
    return None


def unequal_for_a_shown_letter(rng, sheet):
    """unequal-differs: ≠ stands for a letter that another tile stands for."""
    if entry := some_word(rng, sheet, "≠"):
        word = entry[0][entry[1]]
        at = word["tiles"].replace("/", "≠").index("≠")
        others = word["word"][:at] + word["word"][at + 1 :]
        word["word"] = word["word"][:at] + rng.choice(others) + word["word"][at + 1 :]
        return "unequal-differs"
    return None


def no_word(rng, sheet):
    """word-list: tiles and word are reversed."""
    if entry := some_word(rng, sheet):
        word = entry[0][entry[1]]
        if word["word"][::-1] in LONG or word.get("voted"):
            return None
        word["tiles"], word["word"] = word["tiles"][::-1], word["word"][::-1]
        if "colours" in word:
            word["colours"].reverse()
        return "word-list"
    return None


def tile_not_thrown(rng, sheet):
    """tiles-thrown or tiles-possible: one tile is a letter that no die shows."""
    if entry := some_word(rng, sheet):
        group, name = entry
        word = group[name]
        throw = word.get("throw") or next(
            (game_round.get("throw") for game_round in sheet.get("rounds", ()) if game_round["words"] is group), None
        )
        if not throw:
            word["tiles"] += "QJ"
            word.pop("colours", None)
            return "tiles-possible"
        word["tiles"] += next(letter for letter in "ZQJX" if letter not in throw["purple"])
        return "tiles-thrown"
    return None


def throw_too_small(rng, sheet):
    """throw-possible: a colour of a throw has one letter too few or too many."""
    throws = [game_round["throw"] for game_round in sheet.get("rounds", ()) if "throw" in game_round]
    if entry := some_word(rng, sheet):
        throws += [entry[0][entry[1]]["throw"]] if "throw" in entry[0][entry[1]] else []
    if not throws:
        return None
    throw = rng.choice(throws)
    colour = rng.choice(list(throw))
    throw[colour] = throw[colour] + "A" if rng.random() < 0.5 else throw[colour][:-1]
    return "throw-possible"


def wrong_claim(rng, sheet):
    """claimed-total: a player claims too much."""
    sheet["claimed"] = judgement_of(sheet)[1]
    sheet["claimed"][rng.choice(sheet["players"])] += rng.randint(1, 3)
    return "claimed-total"


def turn_left_out(rng, sheet):
    """everybody-plays: a player has neither a word nor a 0 in a round before the last."""
    if "rounds" not in sheet or len(sheet["rounds"]) < 2 or len(sheet["players"]) < 2:
        return None
    words = sheet["rounds"][0]["words"]
    sheet["rounds"][0].pop("claimed", None)
    del words[rng.choice(list(words))]
    sheet.pop("claimed", None)
    return "everybody-plays"


def another_throw(rng, sheet):
    """one-throw: the words of two players have different letters of the purple die."""
    if len(sheet["players"]) < 2 or "throw" in sheet["rounds"][0]:
        return None
    words = sheet["rounds"][0]["words"]
    sheet["rounds"][0].pop("claimed", None)
    for name, tiles in zip(
        rng.sample(list(words), 2), rng.sample(["KIT", "JET", "WIN", "ZOO", "EXIT"], 2), strict=True
    ):
        words[name] = {"tiles": tiles, "word": tiles.lower()}
    return "one-throw"


def alone(rng, sheet):
    """two-players: all but one player are left out."""
    name = sheet["players"][0]
    sheet["players"] = [name]
    sheet["games"] = {game: {name: reached[name] + 30} for game, reached in sheet["games"].items()}
    sheet["games"]["last-die"][name] = 2
    sheet.pop("claimed", None)
    return "two-players"


def one_round_more(rng, sheet):
    """after-the-end: the last round is repeated after a player has won."""
    if not judgement_of(sheet)[2]:
        return None
    sheet["rounds"].append(copy.deepcopy(rng.choice(sheet["rounds"])))
    return "after-the-end"


def too_many_again(rng, sheet):
    """rethrown: six dice or more are thrown again."""
    if entry := some_word(rng, sheet):
        entry[0][entry[1]]["rethrown"] = rng.randint(6, 13)
        return "rethrown"
    return None


def wildcard_in_no_wildcards(rng, sheet):
    """line-met, a warning: a word with a wildcard in the line for words without."""
    if entry := some_word(rng, sheet, "=≠"):
        next(iter(sheet["lines"].values()))["no-wildcards"] = copy.deepcopy(entry[0][entry[1]])
        sheet.pop("claimed", None)
        return "line-met"
    return None


def letters_of(rng, sheet, least):
    able = [game_round["letters"] for game_round in sheet["rounds"] if len(game_round["letters"]) >= least]
    return rng.choice(able) if able else None


def wrong_player(rng, sheet):
    """turn-order: a player adds a letter out of turn."""
    if letters := letters_of(rng, sheet, 2):
        at = rng.randrange(1, len(letters))
        letters[at]["player"] = letters[at - 1]["player"]
        return "turn-order"
    return None


def wrong_end(rng, sheet):
    """turn-order: the player who added the last letter is stuck."""
    able = [game_round for game_round in sheet["rounds"] if "stuck" in game_round]
    if not able:
        return None
    game_round = rng.choice(able)
    game_round["stuck"] = game_round["letters"][-1]["player"]
    return "turn-order"


def wildcard_first(rng, sheet):
    """wildcard-from: a round starts with a wildcard."""
    letters = letters_of(rng, sheet, 1)
    letters[0] |= {"letter": rng.choice("=≠/"), "as": letters[0]["letter"]}
    return "wildcard-from"


def wildcard_alike(rng, sheet):
    """unequal-differs or equal-copies: the second letter is a wildcard that cannot stand for its letter."""
    if letters := letters_of(rng, sheet, 2):
        first = letters[0]["letter"]
        tile = rng.choice("=≠")
        letters[1] |= {"letter": tile, "as": first if tile == "≠" else "X" if first != "X" else "Y"}
        return "unequal-differs" if tile == "≠" else "equal-copies"
    return None


def completing(rng, sheet):
    """complete: a round that spells CAT."""
    game_round = rng.choice(sheet["rounds"])
    start = rng.randrange(len(sheet["players"]))
    names = [sheet["players"][(start + n) % len(sheet["players"])] for n in range(4)]
    game_round["letters"] = [{"player": name, "letter": letter} for name, letter in zip(names[:3], "CAT", strict=True)]
    game_round.pop("doubt", None)
    game_round["stuck"] = names[3]
    return "complete"


def wrong_answer(rng, sheet):
    """answer: a doubt is answered with another word."""
    able = [game_round for game_round in sheet["rounds"] if "doubt" in game_round]
    if not able:
        return None
    game_round = rng.choice(able)
    game_round["doubt"]["answer"] = "zebra" if game_round["letters"][0]["letter"] != "Z" else "apple"
    return "answer"


def shared_win(rng, sheet):
    """one-winner: two players share the best result of a game."""
    reached = sheet["games"][rng.choice(list(sheet["games"]))]
    reached.update(dict.fromkeys(rng.sample(list(reached), 2), max(reached.values())))
    return "one-winner"


def below_target(rng, sheet):
    """target-reached: nobody reaches the target of a game."""
    game = rng.choice(list(sheet["games"]))
    sheet["games"][game] = {name: 1 if number == 0 else 0 for number, name in enumerate(sheet["players"])}
    return "target-reached"


WORDS = [
    other_letter,
    equal_for_nothing,
    unequal_for_a_shown_letter,
    no_word,
    tile_not_thrown,
    throw_too_small,
    wrong_claim,
]
CHANGES = {
    "one-by-one": [*WORDS, turn_left_out, one_round_more],
    "all-together": [*WORDS, turn_left_out, another_throw, one_round_more],
    "last-die": [
        wrong_player,
        wrong_end,
        wildcard_first,
        wildcard_alike,
        completing,
        wrong_answer,
        one_round_more,
        wrong_claim,
    ],
    "five-throws": [*WORDS, too_many_again, wildcard_in_no_wildcards],
    "tournament": [shared_win, below_target, alone, wrong_claim],
}


def changed(mode, change, seed):
    """A random game with one change, and the rules that it breaks; None if the change is not possible."""
    sheet = copy.deepcopy(random_sheet(mode, seed))
    expected = change(random.Random(f"{mode} {change.__name__} {seed}"), sheet)
    return (sheet, expected) if expected else None


@pytest.mark.parametrize(
    ("mode", "change"),
    [pytest.param(mode, change, id=f"{mode}-{change.__name__}") for mode in MODES for change in CHANGES[mode]],
)
def test_a_change_that_breaks_a_rule_is_reported(mode, change):
    count = 0
    possible = filter(None, map(partial(changed, mode, change), range(GAMES)))
    for sheet, expected in islice(possible, max(2, GAMES // 2)):
        count += 1
        answer = judged(sheet)
        assert expected in {finding["rule"] for finding in answer["findings"]}, (answer, sheet)
        complaints = judgement_of(sheet)[0]
        assert bool(complaints) == bool(errors(answer)), (complaints, answer["findings"])
    assert count
