"""Verdicts on the sentences of the rulebook that are easily misread. Each test cites its sentence; each class of sheets
has ten legal and ten illegal ones, worked out by hand."""

import random
import re
from itertools import product

import pytest
from click.testing import CliRunner

from generator.cli import pencilbox
from generator.games.rolling_cubes.play import Dice, PlayedWord, WordRules
from tests.games.from_the_ground_up.judging import judged

HEAD = "game: rolling_cubes\n"


def sheet(mode, players, **parts):
    return {"game": "rolling_cubes", "mode": mode, "players": players, **parts}


def broken(answer):
    return {finding["rule"] for finding in answer["findings"]}


def errors(answer):
    return {finding["rule"] for finding in answer["findings"] if finding["severity"] == "error"}


def totals(answer):
    return {player["name"]: player["total"] for player in answer["players"]}


# ---- a word that the others reject (R30) -----------------------------------------------------------------------------


def one_round(words, claimed=None, **parts):
    return sheet(
        "one-by-one", [*words], rounds=[{"words": words, **({"claimed": claimed} if claimed else {})}], **parts
    )


REJECTED = [
    # the words, the points beside them, and the totals
    ({"Ann": {"tiles": "PLUMB"}, "Ben": {"tiles": "SNORF"}}, {"Ann": 7, "Ben": 0}, (7, 0)),
    ({"Ann": {"tiles": "GRILK"}, "Ben": {"tiles": "TOAST"}}, {"Ann": 0, "Ben": 8}, (0, 8)),
    ({"Ann": {"tiles": "BLEEM"}, "Ben": {"tiles": "TROOB"}}, {"Ann": 0, "Ben": 0}, (0, 0)),
    ({"Ann": {"tiles": "PLAY"}, "Ben": {"tiles": "ZORP", "purple": True}}, {"Ben": 0}, (6, 0)),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "TRA≠NK", "word": "tramnk"}}, {"Ann": 6, "Ben": 0}, (6, 0)),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "SNOW", "rejected": True}}, None, (6, 0)),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "SNOW", "rejected": True}}, {"Ben": 0}, (6, 0)),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "FLURB", "rejected": "x"}}, {"Ann": 6}, (6, 0)),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "Q"}}, {"Ann": 6, "Ben": 0}, (6, 0)),
    ({"Ann": {"tiles": "OOZY", "rejected": True}, "Ben": {"tiles": "SLEET"}, "Cat": 0}, {"Ben": 8}, (0, 8, 0)),
]


@pytest.mark.parametrize(("words", "claimed", "points"), REJECTED)
def test_a_rejected_word_scores_nothing_and_breaks_no_rule(words, claimed, points):
    """“The word must be valid. If there is any doubt, the opinion of the majority of players will prevail.”"""
    answer = judged(one_round(words, claimed))
    assert not answer["findings"] and tuple(totals(answer).values()) == points


NOT_REJECTED = [
    # a word that nobody rejected, or points that it does not have
    ({"Ann": {"tiles": "PLUMB"}, "Ben": {"tiles": "SNORF"}}, {"Ann": 7}, {"word-list", "claimed-round"}),
    ({"Ann": {"tiles": "PLUMB"}, "Ben": {"tiles": "SNORF"}}, None, {"word-list"}),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "SNOW"}}, {"Ann": 6, "Ben": 0}, {"claimed-round"}),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "SNORF", "voted": True}}, {"Ben": 0}, {"claimed-round"}),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "SNOW", "rejected": True}}, {"Ben": 4}, {"claimed-round"}),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "SNORF"}}, {"Ann": 4, "Ben": 0}, {"claimed-round"}),
    ({"Ann": {"tiles": "GRILK"}, "Ben": {"tiles": "SNORF"}}, {"Ann": 0}, {"word-list"}),
    ({"Ann": {"tiles": "RAIN"}, "Ben": {"tiles": "SNORF"}}, {"Ann": 6, "Ben": 1}, {"word-list", "claimed-round"}),
    ({"Ann": {"tiles": "BR≠"}, "Ben": {"tiles": "RAIN"}}, {"Ann": 0}, {"tiles-written", "claimed-round"}),
    ({"Ann": {"tiles": "ODDDDD"}, "Ben": {"tiles": "AUAUAU"}}, {"Ann": 0}, {"tiles-possible", "word-list"}),
]


@pytest.mark.parametrize(("words", "claimed", "rules"), NOT_REJECTED)
def test_a_word_with_points_or_in_the_list_was_not_rejected(words, claimed, rules):
    """“If there is any doubt, the opinion of the majority of players will prevail.” A word with points was valid for
    the players, and 0 points for a word in the list are a wrong sum."""
    assert broken(judged(one_round(words, claimed))) == rules


def test_a_rejected_word_fills_a_line_of_five_throws():
    """“If the word does not match any of the remaining combinations, it scores zero in one of the lines.”"""
    lines = {"trio": {"tiles": "AEIBRUNK", "claimed": 0}, "double": {"tiles": "SLEEP"}, "poker": 0, "full-house": 0}
    answer = judged(sheet("five-throws", ["Ann"], lines={"Ann": {**lines, "no-wildcards": {"tiles": "PLAY"}}}))
    assert not answer["findings"] and answer["winners"] == ["Ann"] and totals(answer) == {"Ann": 10}


def test_a_word_is_not_both_accepted_and_rejected():
    words = "{tiles: SNOW, voted: x, rejected: x}"
    answer = judged(f"{HEAD}players: [Ann, Ben]\nrounds:\n- Ann: {words}\n  Ben: RAIN\n")
    assert "accepted and rejected" in answer["error"][0]["message"] and answer["error"][0]["line"] == 4


# ---- one throw for all (R31) -----------------------------------------------------------------------------------------

ONE_THROW = [
    ["KITE", "BIKER"],
    ["RAIN", "TRAIN", "GRAIN"],
    ["CO=KING", "REA≠ING", "STREA≠ING", "ESTRANG=≠"],
    ["QUIT", "QUITE", "TIE"],
    ["MOOD", "DOOM", "ROOM"],
    ["TATTOO", "TOTAL", "TAROT"],
    ["OUTSIDE", "SEDUCTION"],
    ["JET", "JOLT"],
    ["VERB", "VOMIT", "BOY"],
    ["FIFTY", "FIFTH"],
]
"""Words by their tiles, which can all be from one throw of the standard dice."""

TWO_THROWS = [
    ["KITE", "JUT"],  # K and J are both on the purple die
    ["ZOO", "EXIT"],  # so are Z and X
    ["AUDIO", "EERIE"],  # A E E E I O U are seven letters on four red dice
    ["OUIE", "IDEA"],  # A E I O U
    ["AERIE", "AERATE"],  # A A E E I is one vowel too many, but for the second E
    ["FAB", "PHI", "GYM"],  # B F G H M P Y are on five dice
    ["VAN", "BAN", "FAN"],  # V and the B or F need both orange 2 and blue 1
    ["HAH", "GAG", "HUG"],  # G G H H are on two dice
    ["SNORTS", "STRANDS", "DOLLS"],  # D L L N R S S T are on five dice
    ["COPY", "BUMPH"],  # B C H M P Y need six of the five dice that have them
]


def all_together(words, **changes):
    players = ["Ann", "Ben", "Cat", "Dan"][: len(words)]
    spelt = {
        name: {"tiles": tiles, "word": tiles.replace("≠", "M").replace("=", "O").lower(), "voted": True}
        for name, tiles in zip(players, words, strict=True)
    }
    for name, change in changes.items():
        spelt[name].update(change)
    return sheet("all-together", players, rounds=[{"words": spelt}])


def laid_by_hand(words):
    """Whether some throw of the standard dice shows every word, by trying letters for the dice one after another."""
    needed = {face: max(word.count(face) for word in words) for face in set("".join(words))}
    tiles = sorted(
        (face for face, count in needed.items() for _ in range(count)), key=lambda face: len(DICE_WITH[face])
    )

    def rest_can(tiles, free):
        if not tiles:
            return True
        return any(rest_can(tiles[1:], free - {die}) for die in DICE_WITH[tiles[0]] if die in free)

    return rest_can(tiles, set(range(13)))


STANDARD = "AEIOUA AEIOUE AEIOUI AEIOUO CGHMP= BCFPY= NRSTLD NRSTLD NRSTLD DGHST≠ BDFMV≠ CLNTY= JKQWXZ"
FACES = STANDARD.split()
DICE_WITH = {face: [die for die, faces in enumerate(FACES) if face in faces] for face in set("".join(FACES))}


@pytest.mark.parametrize("words", ONE_THROW, ids=" ".join)
def test_words_from_one_throw(words):
    """“The 13 dice are all thrown … and left on the table in clear view of all the players.”"""
    assert laid_by_hand(words) and not broken(judged(all_together(words))) & {"one-throw", "tiles-possible"}


@pytest.mark.parametrize("words", TWO_THROWS, ids=" ".join)
def test_words_that_no_single_throw_shows(words):
    """“The 13 dice are all thrown …” once, and “the dice must not be moved”."""
    assert not laid_by_hand(words) and all(laid_by_hand([word]) for word in words)
    assert broken(judged(all_together(words))) == {"one-throw"}


COLOURS = ["red", "red", "blue", "green", "purple"]


@pytest.mark.parametrize("seed", range(12))
def test_the_words_of_a_throw_are_compared_with_every_throw(seed):
    """“The 13 dice are all thrown”: here a few small dice, of which every throw is tried, with colours for some words
    and ticks for the purple die."""
    rng = random.Random(seed)
    faces = [*(rng.sample("ABCD=", 3) for _ in COLOURS[1:]), "AEF"]
    dice = tuple((colour, tuple(shown)) for colour, shown in zip(COLOURS, faces, strict=True))
    rules = WordRules(Dice(dice), {})
    throws = [tuple(zip(COLOURS, faces, strict=True)) for faces in product(*(faces for _, faces in dice))]
    for _ in range(30):
        throw = rng.choice(throws) if rng.random() < 0.6 else None
        words = []
        for number in range(rng.randint(2, 3)):
            shown = rng.sample(throw or rng.choice(throws), rng.randint(1, 4))
            tiles = "".join(face for _, face in shown)
            kind = rng.choice(["colours", "purple", "plain"])
            colours = tuple(colour for colour, _ in shown) if kind == "colours" else ()
            ticked = kind == "purple" and any(colour == "purple" for colour, _ in shown)
            words.append(PlayedWord(str(number), tiles, tiles.lower(), colours=colours, purple_ticked=ticked))
        possible = any(all(is_shown(word, throw) for word in words) for throw in throws)
        conflict, tiles = rules.conflict(words)
        assert bool(conflict) != possible and bool(tiles) != possible
        if conflict:  # it takes all of them
            for left_out in conflict:
                rest = [word for word in conflict if word is not left_out]
                assert any(all(is_shown(word, throw) for word in rest) for throw in throws)


def is_shown(word, throw):
    """Whether different dice of a throw show the tiles of a word, by trying all of them in every order."""

    def rest_can(tiles, dice):
        if not tiles:
            return not word.purple_ticked or all(colour != "purple" for colour, _ in dice)
        colours = word.colours[-len(tiles) :] or [None]
        return any(
            face == tiles[0] and colours[0] in (None, colour) and rest_can(tiles[1:], (*dice[:at], *dice[at + 1 :]))
            for at, (colour, face) in enumerate(dice)
        )

    return rest_can(word.tiles, throw)


def strip_sheet(mode, *rounds):
    return sheet(mode, ["Ann", "Ben"], strip="RC-1S11-NDA7W-RS2M7-6Q", rounds=[{"words": words} for words in rounds])


LAID = [
    # words from the throws AAUO GY LNR D DL K, OUOE CF DDN T VT J, AIII CB LDS ≠ VL J, EAAE CY DSD D ≠L X
    ("all-together", {"Ann": "GLAND", "Ben": "KORAL"}),
    ("all-together", {"Ann": "LAKY", "Ben": 0}, {"Ann": "COUNTED", "Ben": "DOTED"}),
    ("one-by-one", {"Ann": "GOLD", "Ben": "FOOD"}, {"Ann": "SAIL", "Ben": "SAD"}),
    ("one-by-one", {"Ann": "GOLD", "Ben": "LARD"}, {"Ann": "FOOD", "Ben": "JOTTED"}),
]
NOT_LAID = [
    ("all-together", {"Ann": "GLAND", "Ben": "FOOD"}),
    ("all-together", {"Ann": "LAKY", "Ben": 0}, {"Ann": "COUNTED", "Ben": "GOLD"}),
    ("one-by-one", {"Ann": "GOLD", "Ben": "FOOD"}, {"Ann": "SAIL", "Ben": "JAIL"}),
    ("one-by-one", {"Ann": "TEN", "Ben": "RUN"}),
]


def spelt(rounds):
    return [{name: tiles and {"tiles": tiles, "voted": True} for name, tiles in words.items()} for words in rounds]


@pytest.mark.parametrize(("mode", "rounds"), [(mode, rounds) for mode, *rounds in LAID])
def test_words_without_a_throw_are_laid_with_the_strip(mode, rounds):
    """“Each player makes the longest possible valid word” from the dice in view, here those of the strip."""
    assert not judged(strip_sheet(mode, *spelt(rounds)))["findings"]


@pytest.mark.parametrize(("mode", "rounds"), [(mode, rounds) for mode, *rounds in NOT_LAID])
def test_words_that_the_strip_does_not_show(mode, rounds):
    """“Makes a word from the letters facing upwards.”"""
    rule = "tiles-thrown" if mode == "all-together" else "strip"
    assert broken(judged(strip_sheet(mode, *spelt(rounds)))) == {rule}


# ---- two or more players (R32), and lines that are not used (R27b) ---------------------------------------------------


def stuck(*starters):
    return [
        {"letters": [{"player": name, "letter": "S"}], "stuck": "Ben" if name == "Ann" else "Ann"} for name in starters
    ]


def reached(*points):
    players = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"][: len(points)]
    games = {"one-by-one": 22, "all-together": 18, "last-die": 2}
    return sheet(
        "tournament",
        players,
        games={game: dict(zip(players, [best, *points[1:]], strict=True)) for game, best in games.items()},
    )


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_a_tournament_of_several_players(count):
    """“The player who comes second scores 7 points, third scores 6 points and so on.”"""
    answer = judged(reached(0, *[1, 0, 0, 0, 0][: count - 1]))
    assert not answer["findings"] and answer["winners"] == ["Ann"]


@pytest.mark.parametrize(
    "game",
    [
        reached(0),
        sheet("last-die", ["Ann"], rounds=[{"letters": [{"player": "Ann", "letter": "S"}], "stuck": "Ann"}] * 3),
    ],
)
def test_nobody_wins_alone(game):
    """“Then it is the turn of the player on his left”, and “the winner scores 10 points, the player who comes second
    scores 7 points”."""
    answer = judged(game)
    assert broken(answer) == {"two-players"} and answer["winners"] == []


def test_two_players_play_the_last_die():
    """“Then it is the turn of the player on his left.”"""
    answer = judged(sheet("last-die", ["Ann", "Ben"], rounds=stuck("Ann", "Ann", "Ben", "Ann", "Ann", "Ann")))
    assert not answer["findings"] and answer["winners"] == ["Ann"]


LINES = {"trio": "RADIO", "double": "SLEEP", "no-wildcards": "PLAY", "full-house": "PAINTERS", "poker": "OUTSIDE"}
"""A word for each line, for 5, 6, 4, 8 and 7 points."""


def five_throws(given_up=(), left_out=(), sign="-", **parts):
    lines = {
        name: sign if name in given_up else {"tiles": word} for name, word in LINES.items() if name not in left_out
    }
    return sheet("five-throws", ["Ann"], lines={"Ann": lines}, **parts)


@pytest.mark.parametrize(
    ("game", "total"),
    [
        (five_throws(), 30),
        (five_throws(["poker"]), 23),
        (five_throws(["poker"], sign="—"), 23),
        (five_throws(["trio", "double"], sign="–"), 19),
        (five_throws([*LINES], sign="---"), 0),
        (five_throws(["poker"], sign=0), 23),
        (five_throws(["full-house"], sign="no word"), 22),
        (five_throws(left_out=["poker"], ended="x"), 23),
        (five_throws(["trio"], ["poker", "double"], ended=True), 12),
        (five_throws(left_out=["trio", "double", "full-house", "poker"], ended="yes"), 4),
    ],
)
def test_a_game_of_five_throws_ends(game, total):
    """“The game ends after the 5th throw, even if all 5 combinations have not been used.”"""
    answer = judged(game)
    assert not answer["findings"] and answer["winners"] == ["Ann"] and totals(answer) == {"Ann": total}


@pytest.mark.parametrize(
    "game",
    [
        five_throws(left_out=["poker"]),
        five_throws(["poker"], ["trio"]),
        five_throws(["poker"], sign="."),
        five_throws(["trio", "double"], sign="~"),
        five_throws([*LINES], sign="") | {"claimed": {"Ann": 0}},
        five_throws(left_out=["double", "trio"], ended=False),
        five_throws(left_out=["double"], ended="no"),
        five_throws(left_out=["no-wildcards"], ended="."),
        five_throws(left_out=["full-house"]) | {"claimed": {"Ann": 22}},
        five_throws(left_out=[*LINES][1:]),
    ],
)
def test_a_game_with_open_lines_goes_on(game):
    """“Points must be scored in one of the remaining free lines on the score sheet.”"""
    answer = judged(game)
    assert not answer["findings"] and answer["winners"] == []


# ---- words that look like something else (R33) -----------------------------------------------------------------------

WORDS = {
    "NONE": 5,
    "NOTHING": 8,
    "NO": 2,
    "ZERO": 5,
    "PASS": 5,
    "NIL": 3,
    "BLANK": 6,
    "VOID": 4,
    "NULL": 5,
    "NOBODY": 7,
}
NO_WORDS = ["-", "–", "—", "0", "no word", "No Word", "--", "___", 0, "−"]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("form", ["{tiles: %s}", "%s", "{tiles: %s, word: %s}"])
def test_words_are_words(word, form):
    """“The word must be valid”: NONE can be laid with the dice."""
    typed = form.replace("%s", word)
    answer = judged(f"{HEAD}players: [Ann, Ben]\nrounds:\n- words: {{Ann: {typed}, Ben: 0}}\n")
    best = WORDS[word] + 2
    assert totals(answer) == {"Ann": best, "Ben": 0} and broken(answer) <= {"word-list"}


@pytest.mark.parametrize("typed", NO_WORDS)
def test_no_word_is_a_dash_or_0(typed):
    """“The game continues” when “each player has had a turn”, also one who found no word."""
    answer = judged(one_round({"Ann": typed, "Ben": {"tiles": "RAIN"}}))
    assert not answer["findings"] and totals(answer) == {"Ann": 0, "Ben": 6}


@pytest.mark.parametrize("word", ["none", "no", "nothing", "pass", "zero"])
def test_a_word_without_tiles_is_not_no_word(word):
    assert broken(judged(one_round({"Ann": {"word": word}, "Ben": {"tiles": "RAIN"}}))) == {"tiles-written"}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_fills_a_line(word):
    answer = judged(sheet("five-throws", ["Ann"], lines={"Ann": {"no-wildcards": word}}))
    assert totals(answer) == {"Ann": WORDS[word]} and broken(answer) <= {"word-list"}


def test_none_answers_a_doubt():
    """“If you find a word you win the round”, and NONE is a word."""
    letters = [{"player": "Ann", "letter": "N"}, {"player": "Ben", "letter": "O"}]
    game = sheet("last-die", ["Ann", "Ben"], rounds=[{"letters": letters, "doubt": {"by": "Ann", "answer": "none"}}])
    assert totals(judged(game)) == {"Ann": 0, "Ben": 1} and not broken(judged(game))
    letters[0]["letter"] = "T"
    assert totals(judged(game)) == {"Ann": 1, "Ben": 0} and broken(judged(game)) == {"answer"}


# ---- tiles with spaces -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed", ["TAR", "T A R", "t a r", " TAR ", "C O = K I N G", "CO/=", "T  A R", "C U B ≠ S", "S/", "="]
)
def test_tiles_with_one_reading(typed):
    game = one_round({"Ann": {"tiles": typed, "word": "tar"}, "Ben": 0})
    assert "error" not in judged(game)


@pytest.mark.parametrize(
    "typed",
    [
        "T A R tar",
        "TAR tar",
        "KITCHEN kitchen",
        "CO=KING cooking",
        "T AR",
        "TAR T",
        "C O = KING",
        "CUB≠S cubes",
        "T A R TAR",
        "CO = KING",
    ],
)
def test_tiles_with_two_readings(typed):
    """The tiles and the word are both on the line of a player."""
    (problem,) = judged(one_round({"Ann": {"tiles": typed}, "Ben": 0}))["error"]
    *tiles, word = typed.split()
    both = f"the tiles {''.join(typed.split()).upper()}, or the tiles {''.join(tiles).upper()} and the word “{word}”"
    assert both in problem["message"]


@pytest.mark.parametrize("typed", ["T A R tar", "T A R", "C O = K I N G cooking", "T, A, R", "TAR tar bar"])
def test_a_line_is_not_joined(typed):
    assert judged(f"{HEAD}players: [Ann, Ben]\nrounds:\n- Ann: {typed}\n  Ben: BIRD\n")["error"]


# ---- questioning a word, and doubting a letter -----------------------------------------------------------------------


def test_the_booklet_tells_a_vote_from_a_doubt():
    """“If there is any doubt, the opinion of the majority of players will prevail”, in games 1 and 2; in game 3, “next
    player will unmask your bluff by saying DOUBT, but if you find a word you win the round”."""
    result = CliRunner().invoke(pencilbox, ["rules", "rolling_cubes", "--text"])
    text = " ".join(result.stdout.replace("|", " ").split())
    assert "Asking for a vote costs nothing" in text and "There is no vote on a doubt" in text
    costless = [sentence for sentence in re.split(r"(?<=[.!?:;])\s", text) if "costs nothing" in sentence]
    assert len(costless) == 2 and not any("doubt" in sentence for sentence in costless)
    before_game_3 = text[: text.index("Game 3 · The last die")]
    assert "doubt" not in before_game_3
