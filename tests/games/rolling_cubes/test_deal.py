"""Random letter dice and throw strips: they meet their recipes, are fair, and depend only on their codes."""

import gzip
import hashlib
import os
import random
import re
from itertools import pairwise, product
from types import MappingProxyType

import pytest
from click.testing import CliRunner
from msgspec import structs

from generator import games, nodes, paths
from generator.cli import pencilbox
from generator.draws import SetCode, draw, parse
from generator.draws.draw_kinds import read_recipe
from generator.errors import InputError
from generator.games.rolling_cubes.deal import (
    SETS,
    CubesRecipe,
    dice,
    strip,
    strip_throws,
    strips_of,
)
from generator.games.rolling_cubes.play import faces_of
from generator.games.rolling_cubes.word_lists import bundled, from_words, share_layable
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.frame_dumps import dump
from tests.games.books import with_sets
from tests.games.dice_law import ONE_IN_A_THOUSAND, chi_square
from tests.games.rolling_cubes import constraints
from tests.presses import press_of

MANY = int(os.environ.get("PENCILBOX_GAMES", "15"))


@pytest.fixture(scope="module")
def game():
    return load("rolling_cubes")


@pytest.fixture(scope="module")
def common(game):
    return bundled(game.folder / "words/common.txt.gz")


def cubes(game, name, index=0):
    return dice(game, draw("RC", "R", name, "cubes", index))


def without_words(game, name):
    return {key: value for key, value in game.sets["recipes"][name].items() if key != "words"}


# ---- dice ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["01", "02", "03"])
def test_dice_meet_their_recipe(game, common, name):
    """The words that can be laid are counted all at once here, and word by word below."""
    for index in range(MANY if name != "01" else max(1, MANY // 50)):
        drawn_dice = cubes(game, name, index)
        assert constraints.unmet_dice_constraints(game, drawn_dice, without_words(game, name)) == []
        assert name != "01" or share_layable([die.faces for die in drawn_dice], common) >= 0.78


def test_counting_words_agrees_with_trying_each_word(game, common):
    sample = from_words(
        random.Random(4).sample(
            [
                block[at : at + length].decode()
                for length, block in common.blocks.items()
                for at in range(0, len(block), length + 1)
            ],
            1500,
        )
    )
    for drawn_dice in (game.components["dice"].cards, *(cubes(game, name) for name in ("01", "02", "03"))):
        assert share_layable([die.faces for die in drawn_dice], sample) == constraints.share(drawn_dice, sample)


@pytest.mark.parametrize(
    "faces",
    [
        ["AB", "BC", "CA"],
        ["AA", "AB", "BB"],
        ["AB", "AB", "C="],
        ["A≠", "B=", "A="],
        ["ABC", "ABC", "ABC"],
        ["AB", "BC"],
    ],
)
def test_counting_words_agrees_with_every_throw_of_small_dice(faces):
    """Every word of up to four letters A to D, and every throw of dice with two or three faces."""
    words = ["".join(word) for length in range(1, 5) for word in product("abcd", repeat=length)]
    laid_by_hand = {word for word in words for throw in product(*faces) if can_be_picked(word.upper(), list(throw))}
    assert share_layable(faces, from_words(words)) == len(laid_by_hand) / len(words)


def can_be_picked(word, throw):
    for letter in word:
        if letter not in throw:
            return False
        throw.remove(letter)
    return True


def test_the_count_of_a_whole_list_is_cached(game):
    code = draw("RC", "R", "01", "whole list")
    assert constraints.unmet_constraints(game, SETS.deal(game, code), code) == []
    assert (
        constraints.unmet_dice_constraints(
            game,
            game.components["dice"].cards,
            {**without_words(game, "01"), "words": {"list": "words/common.txt.gz", "share": 0.99}},
        )
        != []
    )


def test_the_word_list_of_the_recipes_has_not_changed():
    """Codes of English dice depend on it. A better list needs its own name, and a new recipe."""
    text = gzip.decompress((paths.DATA / "rolling_cubes/words/common.txt.gz").read_bytes())
    assert hashlib.sha256(text).hexdigest() == WORDS


WORDS = "8c3226cada487d2d2b6d287bc7dd2c19f017df7771024c4cfdd836b449d77fab"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"red-1": "AEIOUB"}, "red-1 shows 5 vowels instead of 6"),
        ({"red-1": "AAEEII"}, "red-1 shows a vowel twice, but lacks another"),
        ({"orange-1": "ABCDFG"}, "orange-1 shows 1 vowels instead of 0"),
        ({"orange-1": "BCDFGH"}, "the orange dice do not show the wildcards in the recipe"),
        ({"orange-1": "=NTS=R", "orange-2": "NTSRDC"}, "orange-1 has two wildcards"),
        ({"purple-1": "JKQWXS"}, "purple-1 does not show six different rare letters"),
        ({"purple-1": "JKQWXX"}, "purple-1 does not show six different rare letters"),
        ({"green-1": "NRSTLK", "purple-1": "KJQWXZ"}, "green-1 shows a letter of purple-1"),
        ({"green-1": "NNRSTL"}, "green-1 shows N twice"),
        ({"green-1": "NRSTLÄ"}, "Ä is not a letter of the recipe"),
        ({"green-1": "NRSTL"}, "green-1 has 5 faces"),
        ({"green-1": "BBBBBB"}, "B is on"),
    ],
)
def test_differences_from_the_recipe_are_reported(game, changes, message):
    drawn_dice = [
        structs.replace(die, values={**die.values, "faces": tuple(changes.get(die.id, die.faces))})
        for die in cubes(game, "01")
    ]
    assert any(
        problem.startswith(message)
        for problem in constraints.unmet_dice_constraints(game, drawn_dice, without_words(game, "01"))
    )


def test_a_missing_die_is_reported(game):
    assert (
        "there are 4 red, 2 orange, 3 green, 1 light-blue, 1 blue, 1 purple dice"
        in constraints.unmet_dice_constraints(
            game, [die for die in cubes(game, "01") if die.id != "blue-2"], without_words(game, "01")
        )
    )


def test_letters_of_random_dice_follow_the_frequencies(game):
    """Over many sets of German dice, the faces of each consonant are close to its fair share."""
    count = 200
    faces = [
        face
        for index in range(count)
        for die in cubes(game, "02", index)
        if die.colour != "purple"
        for face in die.faces
    ]
    frequencies = read_recipe(game, "02", CubesRecipe).frequencies
    plain_letters = [letter for letter in frequencies if letter not in "AEIOUJPQVXYZ"]
    total = sum(frequencies[letter] for letter in plain_letters) + 0.8  # and one of the rare ones
    for letter in plain_letters:
        assert faces.count(letter) / count == pytest.approx(min(6, 43 * frequencies[letter] / total), abs=0.9)


def test_no_two_seeds_give_the_same_dice(game):
    many = 100_000 if MANY >= 2000 else 1000
    dice_sets = {tuple("".join(die.faces) for die in cubes(game, "03", index)) for index in range(many)}
    assert len(dice_sets) == many


# ---- strips -------------------------------------------------------------------------------------------------------


def test_every_face_of_every_die_is_equally_likely(game):
    drawn_dice = strip(game, draw("RC", "S", "11", "any")).dice
    numbered = [structs.replace(die, values={**die.values, "faces": tuple("123456")}) for die in drawn_dice]
    by_colour = [throw.letters for throw in strip_throws(11, 3000, faces_of(numbered))]
    for colour, letters in by_colour[0].items():
        for die in range(len(letters)):
            fallen = [letters[colour][die] for letters in by_colour]
            assert chi_square(fallen, "123456") < ONE_IN_A_THOUSAND[5]
            assert chi_square(pairwise(fallen), list(product("123456", repeat=2))) < ONE_IN_A_THOUSAND[35]


@pytest.mark.parametrize("name", ["11", "12", "13", "14", "15", "16", "17", "18"])
def test_strips_meet_their_recipe(game, name):
    short = {**game.sets["recipes"]}
    short["01"] = MappingProxyType(without_words(game, "01"))  # the words are tried above
    quick = with_sets(game, {**game.sets, "recipes": short})
    for index in range(5):
        code = draw("RC", "S", name, "strips", index)
        deck = SETS.deal(quick, code)
        assert constraints.unmet_constraints(quick, deck, code) == []
        assert deck.components["strip"].cards[-1].page == (1 if name in ("11", "13", "15", "17") else 2)


def test_a_changed_strip_is_reported(game):
    code = draw("RC", "S", "11", "changed")
    deck = SETS.deal(game, code)
    (page,) = deck.components["strip"].cards
    first, *others = page.throws
    for throws, message in (
        ([*others], "the throws are not numbered 1 to 12"),
        ([(1, (("red", "AEIX"), *first[1][1:])), *others], "throw 1: the 4 red dice cannot show"),
    ):
        changed = structs.replace(page, values={**page.values, "throws": tuple(throws)})
        part = structs.replace(deck.components["strip"], cards=(changed,))
        problems = constraints.unmet_constraints(game, structs.replace(deck, components={"strip": part}), code)
        assert any(problem.startswith(message) for problem in problems)


def test_a_strip_of_random_dice_has_dice_with_its_seed(game):
    code = draw("RC", "R", "02", "of these dice")
    named = strips_of(game, code)
    assert list(named) == [12, 24]
    short, long = (strip(game, parse(text)) for text in named.values())
    assert short.dice == long.dice == dice(game, code)
    assert short.cubes == long.cubes == str(code)
    assert short.throws == long.throws[:12]


def test_a_strip_of_standard_dice_matches_the_printed_dice(game):
    """If the standard dice ever change, strips of the new dice need new recipes."""
    drawn_dice = strip(game, draw("RC", "S", "11", "standard")).dice
    assert [(die.id, die.faces) for die in drawn_dice] == [(die.id, die.faces) for die in game.components["dice"].cards]


# ---- codes, and what is shown and printed -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (SetCode("GU", 1, "R", "01", 5), "does not belong to Rolling Cubes"),
        (SetCode("RC", 1, "D", "01", 5), "is for deals, but Rolling Cubes only has"),
        (SetCode("RC", 1, "R", "09", 5), "has no recipe “09”"),
    ],
)
def test_foreign_codes_are_refused(game, code, message):
    with pytest.raises(InputError, match=message):
        SETS.deal(game, code)


def changed_recipe(game, old, new):
    text = (game.folder / "sets.yaml").read_text("utf-8").replace(old, new, 1)
    file = nodes.document(text, "sets.yaml")
    return structs.replace(game, sets=nodes.plain(file), sets_file=file)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("01", "kind: R\n    language", "kind: S\n    language", "“kind” must be one of R, not “S”"),
        ("01", "{red: 4, orange: 2", "{red: x, orange: 2", "“red” must be a whole number, not “x”"),
        ("01", "most: 6", "most: 0", "“most” must be from 1 to 1,000, not “0”"),
        ("01", "share: 0.78", "share: 2", "“share” must be from 0 to 1, not “2”"),
        ("01", "most: 6", "colour: 1", "unknown key “colour”"),
        ("01", "letters: [J, K, Q, V, W, X, Z]}", "}", "“rare” needs the key “letters”"),
        ("11", "throws: 12", "throws: many", "“throws” must be a whole number, not “many”"),
    ],
)
def test_a_wrong_recipe_is_refused(game, name, old, new, message):
    with pytest.raises(InputError, match=f"recipe “{name}”: {message}"):
        SETS.deal(changed_recipe(game, old, new), draw("RC", "R" if name == "01" else "S", name, "wrong"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("most: 6 ", "most: 1 "),
        ("blue: 2, purple: 1}", "blue: 20, purple: 1}"),
        ("blue: 2, purple: 1}", "blue: 2}"),
        ("{red: 4, orange", "{red: 1, orange"),
        ("faces: {red: 6}", "faces: {red: 5, green: 6, blue: 6}"),
        ("letters: [A, E, I, O, U]", "letters: []"),
        ("letters: [A, E, I, O, U]", "letters: [A, E, I, O, Ü]"),
        ("{orange: [", "{pink: ["),
        ('{orange: ["="', '{orange: ["=", "=", "=", "=", "=", "=", "=", "=", "=", "=", "=", "="'),
        ("{colour: purple, letters: [J, K, Q, V", "{colour: purple, letters: [J, V"),
        ("{colour: purple", "{colour: red"),
        ("frequencies: {A: 7.34, B: 1.89", "frequencies: {A: 7.34, b: 1.89"),
    ],
)
def test_letters_that_do_not_fit_the_dice_are_refused(game, monkeypatch, old, new):
    monkeypatch.setattr("generator.games.rolling_cubes.deal.MAX_TRIES", 1)
    changed = changed_recipe(game, old, new)
    try:
        dealt = SETS.deal(changed, draw("RC", "R", "01", "wrong"))
    except InputError as error:
        assert re.search("recipe “01”: (its letters and wildcards do not fit|none of 1 sets)", str(error))
    else:
        assert all(len(die.faces) == 6 for die in dealt.cards["dice"])


def test_a_share_that_no_dice_reach_is_refused(game, monkeypatch):
    monkeypatch.setattr("generator.games.rolling_cubes.deal.MAX_TRIES", 3)
    wrong = changed_recipe(game, "share: 0.78", "share: 0.99")
    with pytest.raises(InputError, match="none of 3 sets of dice can lay 99% of the words"):
        SETS.deal(wrong, draw("RC", "R", "01", "wrong"))


def test_dice_and_strips_are_shown_as_text_and_as_data(game):
    code = parse("RC-1R01-99XS9-TK631-3Z")
    deck = SETS.deal(game, code)
    assert SETS.lines(game, deck)[0] == "red-1         I I O E U A"
    assert SETS.lines(game, deck)[-1].startswith(
        "strips of throws with these dice: RC-1S13-99XS9-TK631-G1 (12 throws), "
    )
    assert SETS.data(game, deck)["faces"]["purple-1"] == ["K", "W", "J", "Q", "Z", "X"]
    thrown_once = SETS.deal(game, parse(SETS.data(game, deck)["strips"][12]))
    assert SETS.lines(game, thrown_once)[0] == "with the dice RC-1R01-99XS9-TK631-3Z"
    assert SETS.lines(game, thrown_once)[1].split() == [
        *("throw", "red", "orange", "green", "light", "blue", "blue", "purple"),
    ]
    assert len(SETS.data(game, thrown_once)["throws"]) == 12


def texts(game, deck, name):
    press = Press(game, deck)
    return [dump(placed.frame) for page in press.pages(press.part(name), paper("a4")) for placed in page.placed]


def test_each_die_shows_its_code(game):
    deck = SETS.deal(game, draw("RC", "R", "02", "printed"))
    printed = "".join(texts(game, deck, "dice"))
    assert printed.count(deck.code[:8]) == printed.count(deck.code[8:14]) == printed.count(deck.code[14:]) == 13
    sizes = {float(size) for size in re.findall(rf"text={re.escape(deck.code[:8])}.* size=([0-9.]+)", printed)}
    assert min(sizes) >= 6 * 25.4 / 72 - 0.01, "6 pt"
    assert deck.code[14:] not in "".join(texts(game, games.deal(game), "dice"))


def test_a_strip_shows_its_code_and_that_of_its_dice(game):
    deck = SETS.deal(game, draw("RC", "S", "16", "printed"))
    cubes_code = deck.components["dice"].cards[0].code
    assert [(deck.code in text, cubes_code in text) for text in texts(game, deck, "strip")] == [(True, True)] * 2


def test_the_booklet_shows_the_standard_dice(game):
    press = Press(game, SETS.deal(game, draw("RC", "R", "02", "printed")))
    assert (
        press.component("rules", paper("a4")).pages == press_of("rolling_cubes").component("rules", paper("a4")).pages
    )


def test_the_examples_in_the_documentation_are_current():
    documented = (paths.ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    for words in (["--kind", "dice"], ["--kind", "strip"]):
        answer = CliRunner().invoke(pencilbox, ["randomise", "rolling_cubes", *words, "--seed", "hello"])
        assert answer.stdout in documented
