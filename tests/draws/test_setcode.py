"""Set codes can be read back, and a mistyped code is never read as another."""

from __future__ import annotations

from itertools import combinations

import pytest

from generator.draws import KINDS, SetCode, draw, parse
from generator.draws.setcode import ALPHABET, check, decode, encode, remainder
from generator.errors import InputError, Place

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOOK_ALIKES = {"O": "0", "I": "1", "L": "1"}
CODES = [
    SetCode("GU", 1, "C", "01", 0),
    SetCode("GU", 1, "C", "01", 2**50 - 1),
    SetCode("AA", 1, "D", "00", 0),
    SetCode("UP", 1, "S", "ZZ", 123456789012345),
    *(draw("GU", "C", "01", f"typos {n}") for n in range(4)),
    draw("CC", "D", "7Q", "another game"),
    draw("IL", "B", "01", "letters that look like digits"),
]


def bare(code):
    return str(code).replace("-", "")


def refusal(text, **options):
    with pytest.raises(InputError) as caught:
        parse(text, **options)
    (problem,) = caught.value.problems
    return problem


# ---- format ----------------------------------------------------------------------------------------------------


def test_a_code_is_printed_in_groups():
    code = SetCode("GU", 1, "C", "01", 0)
    assert str(code)[:-2] == "GU-1C01-00000-00000-"
    assert str(code)[-2:] == check([6, 20, 1, 12, 0, 1, *[0] * 10])


@pytest.mark.parametrize("code", CODES, ids=str)
def test_a_code_reads_back(code):
    assert parse(str(code)) == code
    assert parse(str(code), prefix=code.prefix) == code


@pytest.mark.parametrize("code", CODES, ids=str)
def test_case_spaces_dashes_and_similar_letters_make_no_difference(code):
    text = str(code)
    rest = text[2:]
    spellings = [
        text.lower(),
        text.replace("-", ""),
        f"  {text.replace('-', ' ')}\n",
        text.replace("-", "–"),
        " ".join(bare(code)),
        text[:2] + rest.replace("0", "o"),
        text[:2] + rest.replace("1", "l"),
        text[:2] + rest.replace("1", "I"),
    ]
    for spelling in spellings:
        assert parse(spelling) == code
        assert parse(spelling, prefix=code.prefix) == code


def test_similar_letters_make_no_difference_in_a_known_prefix():
    code = draw("IO", "C", "01", "x")
    assert parse("10" + str(code)[2:], prefix="IO") == code
    assert parse("L0" + str(code)[2:], prefix="IO") == code


@pytest.mark.parametrize(
    ("prefix", "version", "kind", "recipe", "seed"),
    [
        ("G", 1, "C", "01", 0),
        ("G1", 1, "C", "01", 0),
        ("gu", 1, "C", "01", 0),
        ("GU", 32, "C", "01", 0),
        ("GU", 1, "X", "01", 0),
        ("GU", 1, "C", "1", 0),
        ("GU", 1, "C", "0O", 0),
        ("GU", 1, "C", "01", 2**50),
        ("GU", 1, "C", "01", -1),
    ],
)
def test_impossible_codes_are_refused(prefix, version, kind, recipe, seed):
    with pytest.raises(ValueError):
        SetCode(prefix, version, kind, recipe, seed)


def test_base32_round_trip():
    for number in (0, 1, 31, 32, 2**50 - 1, 987654321):
        assert decode(encode(number, 10)) == number
    assert encode(33, 3) == "011"


# ---- typos --------------------------------------------------------------------------------------------------------


def test_one_or_two_wrong_letters_always_make_a_code_invalid():
    """The check is linear, so trying every error on a code of zeros tries it on every code."""
    single = {}
    for place in range(18):
        for error in range(1, 32):
            numbers = [0] * 18
            numbers[place] = error
            single[place, error] = remainder(numbers)
    assert (0, 0) not in single.values()
    for (place, error), (other, second) in combinations(single, 2):
        if place != other:
            assert single[place, error] != single[other, second]


def test_the_check_is_linear():
    one, two = [3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8]
    both = [a ^ b for a, b in zip(one, two, strict=True)]
    assert remainder(both) == tuple(a ^ b for a, b in zip(remainder(one), remainder(two), strict=True))


def single_substitutions(letters):
    for i, letter in enumerate(letters):
        for other in LETTERS if i < 2 else ALPHABET + "OILU":
            if other != letter and (i < 2 or LOOK_ALIKES.get(other) != letter):
                yield letters[:i] + other + letters[i + 1 :]


def transpositions(letters):
    for i in range(len(letters) - 1):
        if letters[i] != letters[i + 1]:
            yield letters[:i] + letters[i + 1] + letters[i] + letters[i + 2 :]


@pytest.mark.parametrize("code", CODES[1:9:2], ids=str)
def test_every_single_typo_is_refused_and_the_right_code_suggested(code):
    """Without the game, so that only the check characters reveal a typo in the prefix."""
    for typo in [*single_substitutions(bare(code)), *transpositions(bare(code))][::7]:
        assert str(code) in refusal(typo).hint, typo


@pytest.mark.parametrize("code", CODES, ids=str)
def test_every_single_typo_is_refused(code, monkeypatch):
    monkeypatch.setattr("generator.draws.setcode._hint", lambda letters, prefix: "")
    for typo in [*single_substitutions(bare(code)), *transpositions(bare(code))]:
        refusal(typo)


def test_every_suggested_code_is_valid_and_one_typo_away():
    code = draw("GU", "C", "01", "hints")
    for typo in list(transpositions(bare(code)))[3:]:
        for suggestion in refusal(typo, prefix="GU").hint.removeprefix("did you mean ").removesuffix("?").split(" or "):
            letters = bare(parse(suggestion, prefix="GU"))
            assert letters in {*single_substitutions(typo), *transpositions(typo)}


# ---- messages -------------------------------------------------------------------------------------------------

GOOD = "GU-1C01-62K98-RJWND-XN"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "GU-1C01-62K98-RJWND-X",
            "it has 17 instead of 18 letters and digits",
            "looks like GU-1C01-XXXXX-XXXXX-KK",
        ),
        ("", "it has 0 instead of 18 letters", "looks like"),
        ("GU-1C01-62K98-RJWND-XNN", "it has 19 instead of 18 letters", "looks like"),
        ("GU-1C01-62K98-RJUND-XN", "U (letter 14) cannot be there", f"did you mean {GOOD}?"),
        ("GU-1C01-62K9ß-RJWN!-XN", "it has 19 instead of 18 letters", ""),
        ("GU-1C01-62K9*-RJWN!-XN", "* (letter 11), ! (letter 16) cannot be there", ""),
        ("7U-1C01-62K98-RJWND-XN", "7 (letter 1) cannot be there", f"did you mean {GOOD}?"),
        ("EU-1C01-62K98-RJWND-XN", "it begins with EU, but codes of this game begin with GU", f"did you mean {GOOD}?"),
        ("GU-1C01-62K98-RJWND-NX", "its check characters do not match", f"did you mean {GOOD}"),
        ("UG-1C01-62K98-RJWND-XN", "it begins with UG", f"did you mean {GOOD}?"),
    ],
)
def test_the_message_says_what_is_wrong(text, message, hint):
    problem = refusal(text, prefix="GU")
    assert f"“{text}” is not a valid set code: " in problem.message
    assert message in problem.message
    assert hint in problem.hint


def test_a_code_of_another_game_is_recognised():
    problem = refusal(str(draw("EU", "D", "01", "x")), prefix="GU")
    assert problem.message.endswith("it begins with EU, but codes of this game begin with GU")


def test_a_code_of_a_later_version_or_an_unknown_kind_is_refused():
    assert "its version is 2" in refusal(with_head("2C01")).message
    assert "its kind is X, which must be one of C (card set), D (deal)" in refusal(with_head("1X01")).message


def with_head(head):
    body = head + "0" * 10
    return "GU" + body + check([LETTERS.index("G"), LETTERS.index("U"), *map(ALPHABET.index, body)])


def test_the_message_names_the_place_and_shortens_a_long_text():
    problem = refusal("x\n\x1b[31m" * 100_000, place=Place("sheet.yaml", 3))
    assert str(problem).startswith("sheet.yaml:3: “x")
    assert len(str(problem)) < 200
    assert str(problem).isprintable()


# ---- drawing ------------------------------------------------------------------------------------------------------


def test_a_seed_text_always_gives_the_same_codes():
    """They must never change, because people note down seed texts."""
    assert [str(draw("GU", "C", "01", "hello", index)) for index in range(3)] == FROZEN
    assert str(draw("GU", "C", "01", "")) == FROZEN_BLANK


FROZEN = [
    "GU-1C01-62K98-RJWND-XN",
    "GU-1C01-6BNMS-N6PSN-7V",
    "GU-1C01-69T4P-YP64P-G5",
]
FROZEN_BLANK = "GU-1C01-Y3FAX-P4QYP-M8"


def test_the_code_depends_on_game_kind_recipe_index_and_text():
    codes = [
        draw("GU", "C", "01", "a"),
        draw("EU", "C", "01", "a"),
        draw("GU", "D", "01", "a"),
        draw("GU", "C", "02", "a"),
        draw("GU", "C", "01", "a", 1),
        draw("GU", "C", "01", "b"),
        draw("GU", "C", "01", "1\na"),
    ]
    assert len({code.seed for code in codes}) == len(codes)


def test_the_encoding_of_accents_in_a_seed_text_makes_no_difference():
    assert draw("GU", "C", "01", "caf\u00e9") == draw("GU", "C", "01", "cafe\u0301")
    assert draw("GU", "C", "01", "\udcff").seed >= 0


def test_codes_without_a_seed_text_differ():
    codes = {draw("GU", "C", "01", None) for _ in range(50)}
    assert len(codes) == 50
    assert all(parse(str(code)) == code for code in codes)


def test_every_kind_has_one_letter_of_the_alphabet():
    assert all(kind in ALPHABET and len(kind) == 1 for kind in KINDS)
