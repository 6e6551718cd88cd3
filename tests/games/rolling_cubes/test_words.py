"""Word lists, and the best words for a throw, compared with trying every word."""

import gzip
import json
import random
import re
from collections import Counter

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from generator.cli import pencilbox
from generator.errors import InputError
from generator.games.rolling_cubes.play import EXAMPLE, Throw, dice_of, read_throw
from generator.games.rolling_cubes.word_lists import best, bundled, from_words, list_in, own
from generator.reading.load import load
from tests.trials import seeds

GAME = load("rolling_cubes")
FOLDER = GAME.folder / "words"
LONG, COMMON = (bundled(GAME.folder / GAME.rules["words"][name]) for name in ("all", "common"))
LANGUAGES = ["english", "german", "italian"]
SEED = {"red": "AEIO", "orange": "C=", "green": "NSR", "light-blue": "G", "blue": "≠T", "purple": "K"}


def every(words):
    return [line.decode() for block in words.blocks.values() for line in block.split()]


class TestLists:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_bundled_lists_have_their_sizes(self, language):
        assert len(list_in(GAME, language)) >= 200_000
        assert 40_000 <= len(list_in(GAME, language, "common")) <= 80_000

    @pytest.mark.parametrize("kind", ["all", "common"])
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_word_is_found(self, language, kind):
        words = list_in(GAME, language, kind)
        for length, block in words.blocks.items():
            lines = block.split(b"\n")
            assert lines.pop() == b"" and lines == sorted(set(lines))
            assert all(len(line) == length for line in lines)
            assert re.fullmatch(rb"[a-z\n]+", block)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_common_words_are_in_the_full_list(self, language):
        assert {*every(list_in(GAME, language, "common"))} <= {*every(list_in(GAME, language))}

    def test_bundled_lists_contain_the_right_words(self):
        for word in [*every(LONG)[::997], "cooking", "estranged", "colour", "color", "at", "zzz"]:
            assert word in LONG
        for word in ("cooknig", "", "a", "zzzz", "c\n", "caf\u00e9", "COOKING", "x" * 99):
            assert word not in LONG

    @pytest.mark.parametrize(
        ("language", "words", "others"),
        [
            ("german", "haus haeuser gegangen strasse ueber im spielst", "haeusern2 finestra tv"),
            ("italian", "casa gatti citta perche giraffa parlando andarsi", "haus strasse gmbh"),
        ],
    )
    def test_words_in_other_languages(self, language, words, others):
        known = list_in(GAME, language)
        assert all(word in known for word in words.split())
        assert not any(word in known for word in others.split())

    def test_a_language_without_a_list_gets_that_of_the_standard_dice(self):
        assert list_in(GAME, "french") is list_in(GAME, "english")

    @pytest.mark.parametrize(
        ("file", "quotes"),
        [
            ("LICENSE-german.txt", ["Wikidata Lexemes", "CC0", "Leipzig Corpora", "CC BY 4.0"]),
            ("LICENSE-italian.txt", ["Morph-it!", "Eros Zanchetta", "Attribution-ShareAlike 2.0", "Apache License"]),
        ],
    )
    def test_licences_of_other_languages_are_beside_them(self, file, quotes):
        licence = (FOLDER / file).read_text("utf-8")
        assert all(quote in licence for quote in quotes)

    def test_the_licence_of_the_english_lists_is_beside_them(self):
        licence = (FOLDER / "LICENSE.txt").read_text("utf-8")
        assert "SCOWL" in licence and "Permission to use, copy, modify, distribute and sell these word" in licence
        for holder in ("Kevin Atkinson", "Princeton University", "J Ross Beresford", "Geoff Kuenning"):
            assert holder in licence

    def test_your_own_list(self, tmp_path):
        path = tmp_path / "own.txt"
        path.write_text("ZEBRA\n apple \nit's\nParis\n\n", "utf-8")
        assert every(own(path, "own.txt")) == ["apple", "paris", "zebra"]
        assert every(own(path, "own.txt", capitalised=False)) == ["apple", "zebra"]
        path.write_text("1\n")
        with pytest.raises(InputError, match="the word list has no words"):
            own(path, "own.txt")


# ---- the best words, one by one --------------------------------------------------------------------------------------


def plain_points(word, throw):
    """The points of a word with this throw, or None: letters first, then = and ≠ for the rest."""
    shown, left = Counter("".join(throw.values())), Counter(word.upper())
    used = left & shown
    rest = left - used
    equals = sum(count for letter, count in rest.items() if used[letter])
    unequals = [count for letter, count in rest.items() if not used[letter]]
    if equals > shown["="] or len(unequals) > shown["≠"] or any(count > 1 for count in unequals):
        return None
    wild = equals + len(unequals)
    repeats = sum(min(count, 3) - 1 for count in used.values())
    return used.total() + max(0, wild - 1) + repeats + (throw["purple"] in used)


def random_throw(seed):
    rng, shown = random.Random(seed), {}
    for die in GAME.components["dice"].cards:
        shown[die.colour] = shown.get(die.colour, "") + rng.choice(die.faces)
    return shown


@pytest.mark.parametrize("seed", range(2))
def test_no_better_word_is_missing(seed):
    throw = random_throw(seed)
    shown = set("".join(throw.values()).lower())
    near = [word for word in every(LONG) if len(set(word) - shown) <= 2]
    able = [(-points, -len(word), word) for word in near if (points := plain_points(word, throw)) is not None]
    found = best(Throw(throw), LONG, GAME.rules, len(able) + 1)
    assert [(-laid_word.points.total, -len(laid_word.word), laid_word.word) for laid_word in found] == sorted(able)
    assert best(Throw(throw), LONG, GAME.rules, 7) == found[:7]


@seeds(20)
def test_few_words(seed):
    """Short lists of words in the letters of the throw, where special cases are common."""
    rng, throw = random.Random(seed), random_throw(seed)
    letters = "".join(throw.values()).replace("=", "").replace("≠", "E").lower() + "ez"
    words = from_words("".join(rng.choices(letters, k=rng.randint(2, 13))) for _ in range(300))
    able = [(-points, -len(word), word) for word in every(words) if (points := plain_points(word, throw)) is not None]
    found = best(Throw(throw), words, GAME.rules, 400)
    assert [(-laid_word.points.total, -len(laid_word.word), laid_word.word) for laid_word in found] == sorted(able)


def test_laying_a_word():
    found = {
        laid_word.word: laid_word
        for laid_word in best(
            Throw(SEED),
            from_words(["cooking", "streaming", "estranged", "reading", "cooing", "gig", "seen"]),
            GAME.rules,
        )
    }
    assert {word: (laid_word.tiles, laid_word.points.total) for word, laid_word in found.items()} == {
        "cooking": ("CO=KING", 7),
        "streaming": ("STREA≠ING", 8),
        "estranged": ("ESTRANG=≠", 8),
        "reading": ("REA≠ING", 6),
        "cooing": ("CO=ING", 5),
        "gig": ("GI=", 2),
        "seen": ("SE=N", 3),
    }
    assert found["cooking"].colours == ("orange", "red", "orange", "purple", "red", "green", "light-blue")


def test_options_of_the_score():
    rules = dict(GAME.rules)
    rules["scoring"] = dict(rules["scoring"]) | {"repeats": "per_word", "thrice": 4, "first_wildcard": 1}
    throw = {"red": "OOEE", "orange": "CF", "green": "NNN", "light-blue": "G", "blue": "B=", "purple": "K"}
    (found,) = best(Throw(throw), from_words(["coffee"]), rules)
    assert (found.tiles, found.points.total) == ("COF=EE", 5 + 1 + 1)
    assert best(Throw(throw), from_words(["none"]), rules)[0].points.total == 4 + 1


class TestThrows:
    def test_by_colours(self):
        texts = [
            EXAMPLE,
            "{red: AEIO, orange: C=, green: NSR, light-blue: G, blue: ≠T, purple: K}",
            " Light Blue = g ; red=aeio;orange:c=;green:nsr;BLUE=/t;purple:k ",
        ]
        for text in texts:
            assert dict(read_throw(text, dice_of(GAME)).letters) == SEED

    def test_letters_alone(self):
        throw = read_throw("= S G E A N R K I C / T O", dice_of(GAME))
        assert sorted(throw.faces) == sorted("".join(SEED.values())) and throw.letters["purple"] == "K"
        assert not any(dice_of(GAME).problems(throw))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "is not a throw of 13 dice"),
            ("AEIO", "is not a throw of 13 dice"),
            ("A" * 13, "cannot show"),
            ("AEIOC=NSRG/T1", "is not a throw of 13 dice"),
            ("red=AEIO,rad=X", "there are no “rad” dice; did you mean red?"),
            ("red=AEIO,red=AEIO", "red shows AEIOAEIO, but there are 4 red dice"),
            ("red=AEIO,x", "there are no “x” dice"),
            ("red=AE1O,x=", "“red=AE1O” is not a colour with letters and wildcards"),
            (EXAMPLE.replace("K", "A"), "the purple die cannot show A"),
            (EXAMPLE + "K", "purple shows KK"),
            (EXAMPLE.replace(",blue=/T", ""), "blue shows no letter, but there are 2 blue dice"),
            (f"red={'A' * 500},blue=T", "red shows AAA"),
        ],
    )
    def test_wrong_throws(self, text, message):
        with pytest.raises(InputError) as caught:
            read_throw(text, dice_of(GAME))
        assert message in str(caught.value)


class TestCommand:
    def run(self, *arguments):
        return CliRunner().invoke(pencilbox, ["words", *map(str, arguments)])

    def test_text(self, tmp_path):
        path = tmp_path / "own.txt"
        path.write_text("cooking\nstreaming\nestranged\nreading\nzebra\n")
        result = self.run("--throw", EXAMPLE, "--words", path)
        assert (
            result.output
            == """\
red AEIO, orange C=, green NSR, light blue G, blue ≠T, purple K

   8  ESTRANG=≠  estranged  7 letters + 1 for wildcards
   8  STREA≠ING  streaming  8 letters
   7  CO=KING    cooking    6 letters + 1 for purple
   6  REA≠ING    reading    6 letters
"""
        )
        path.write_text("zebra\n")
        assert self.run("--throw", EXAMPLE, "--words", path).output.endswith("\n\nNo words found.\n")

    def test_json(self):
        result = json.loads(self.run("--throw", EXAMPLE, "--top", 1, "--format", "json").stdout)
        assert result == {
            "throw": SEED,
            "words": [
                {
                    "word": "backstroking",
                    "tiles": "≠ACKSTRO=ING",
                    "points": 12,
                    "letters": 10,
                    "wildcards": 1,
                    "repeats": 0,
                    "purple": 1,
                    "colours": [
                        "blue",
                        "red",
                        "orange",
                        "purple",
                        "green",
                        "blue",
                        "green",
                        "red",
                        "orange",
                        "red",
                        "green",
                        "light-blue",
                    ],
                }
            ],
        }
        several = json.loads(self.run("--throw", EXAMPLE, "--throw", EXAMPLE, "--format", "json").stdout)
        assert len(several) == 2 and several[0] == several[1] and len(several[0]["words"]) == 10

    def test_throws_of_random_dice(self):
        """The first faces of random dice, which the standard dice cannot show."""
        throw, code = "red=IEAO,orange==T,green=LNT,light-blue=B,blue=PC,purple=K", "RC-1R01-99XS9-TK631-3Z"
        result = self.run("--throw", throw, "--set", code, "--top", 1).output
        assert result.startswith("red IEAO, orange =T, green LNT, light blue B, blue PC, purple K\n")
        assert isinstance(self.run("--throw", throw).exception, InputError)
        assert "did you mean" in str(self.run("--throw", throw, "--set", code[:-1] + "4").exception)

    def test_wrong_options(self, tmp_path):
        for arguments in ([], ["--throw", EXAMPLE, "--top", 0]):
            assert self.run(*arguments).exit_code == 2
        for arguments in (["--throw", "red=X"], ["--throw", EXAMPLE, "--words", tmp_path]):
            assert isinstance(self.run(*arguments).exception, InputError)  # main reports it with exit code 2


# ---- bundled lists that are not what they should be


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress(b"a" * 20_000_000, mtime=0), "larger than 16 MB"),
        (gzip.compress(b"ab\ncd\n", mtime=0)[:-9], "damaged"),
        (b"no gzip file", "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_a_list_that_cannot_be_used_is_one_line(tmp_path, content, said):
    path = tmp_path / "words.txt.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=said):
        bundled(path)


def test_bundled_lists_are_in_the_folder_of_the_game():
    outside = {**GAME.rules, "words": {"all": "../../secret.gz", "common": "/etc/passwd"}}
    with pytest.raises(InputError, match="is outside the game’s folder"):
        list_in(replace(GAME, rules=outside), "english", "common")
