"""What is printed: the dice can lay every word in the rulebook and the booklet for the points given there, and colours
look different enough."""

import re
from collections import Counter
from itertools import combinations

import pytest
import yaml

from generator import paths
from generator.draws import parse
from generator.geometry.frame import Icon, Run, Shape, leaves
from generator.geometry.outlines import bounds
from generator.printing.variants import whole_paper
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.games.colour_vision import SEEN, contrast, difference
from tests.presses import press_of

WILD = "=≠"
PURPLE = "JKQWXZ"
RULEBOOK = {
    "ROL=ING": None,
    "CUB≠S": None,
    "PLAY": 4,
    "FUN=Y": 4,
    "SEA=O≠": 5,
    "BALL": 5,
    "≠UNNING": 8,
    "KETCHUP": 8,
    "REA≠ING": 6,
    "STREA≠ING": 8,
    "CO=KING": 7,
    "ESTRANG=≠": 8,
    "POL=UTION": 9,
    "LOVEL≠": 6,
    "=SGEANRKIC≠TO": None,
}


@pytest.fixture(scope="module")
def game():
    return load("rolling_cubes")


@pytest.fixture(scope="module")
def dice():
    return yaml.safe_load((paths.DATA / "rolling_cubes" / "dice.yaml").read_text(encoding="utf-8"))["dice"]


@pytest.fixture(scope="module")
def figures():
    text = (paths.TEMPLATES / "rolling_cubes" / "rules.md.j2").read_text(encoding="utf-8")
    blocks = map(yaml.safe_load, re.findall(r"^```figure\n(.*?)^```", text, flags=re.S | re.M))
    return [figure for figure in blocks if "dice" in figure]


def dice_for(tiles, dice, colours=None):
    """Dice that show these tiles, one for each, or None."""
    if not tiles:
        return []
    for die in dice:
        if tiles[0] in die["faces"] and (not colours or colours[0] == die["colour"]):
            rest = dice_for(tiles[1:], [first for first in dice if first is not die], colours and colours[1:])
            if rest is not None:
                return [die, *rest]
    return None


def points(tiles, rules):
    """The points of a word. The letters of the purple die are on no other die."""
    letters = Counter(tile for tile in tiles if tile not in WILD)
    wild = sum(tile in WILD for tile in tiles)
    repeats = {1: 0, 2: rules["twice"], 3: rules["thrice"]}
    return (
        sum(letters.values()) * rules["letter"]
        + max(0, wild - 1) * rules["wildcard"]
        + sum(repeats.get(count, rules["more"]) for count in letters.values())
        + rules["purple"] * any(letter in PURPLE for letter in letters)
    )


def test_thirteen_dice_of_six_faces(dice, game):
    assert Counter(die["colour"] for die in dice) == dict(game.rules["colours"])
    assert [len(die["faces"]) for die in dice] == [6] * 13
    assert len({die["id"] for die in dice}) == 13


def test_every_letter_and_five_wildcards(dice):
    faces = Counter(face for die in dice for face in die["faces"])
    assert set(faces) == {*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *WILD}
    assert (faces["="], faces["≠"]) == (3, 2)
    assert {face for die in dice if die["colour"] == "purple" for face in die["faces"]} == set(PURPLE)
    assert not any(face in PURPLE for die in dice if die["colour"] != "purple" for face in die["faces"])


@pytest.mark.parametrize("tiles", RULEBOOK)
def test_every_word_of_the_rulebook_can_be_laid_for_its_points(tiles, dice, game):
    assert dice_for(list(tiles), dice)
    assert RULEBOOK[tiles] in (None, points(tiles, game.rules["scoring"]))


def test_the_figures_of_the_booklet_are_right(figures, dice, game):
    """The working in a caption ends in “… = 8 points”, with the points off for dice thrown again."""
    checked = 0
    for figure in figures:
        assert dice_for(figure["dice"], dice, figure.get("colours")), figure
        working_out = re.search(r"([\d+ −]+) = (\d+) points", figure["caption"].replace("\u00a0", " "))
        if working_out:
            sums = working_out[1].replace("−", "-")
            points_scored = points(figure["dice"], game.rules["scoring"]) - int(
                (re.search(r"- (\d)", sums) or [0, 0])[1]
            )
            working = sum(int(number.replace(" ", "")) for number in re.findall(r"[+-]? ?\d+", sums))
            assert points_scored == working == int(working_out[2]), figure
            checked += 1
    assert checked >= 9


def test_tiles_stand_for_the_words_in_the_captions(figures):
    for figure in figures:
        word = re.match(r"(?:\w+’s )?([A-Z]{3,})\b", figure["caption"])
        if word:
            fixed = {tile for tile in figure["dice"] if tile not in WILD}
            assert len(word[1]) == len(figure["dice"]), figure
            for letter, tile in zip(word[1], figure["dice"], strict=True):
                assert {"=": letter in fixed, "≠": letter not in fixed}.get(tile, tile == letter), figure


def test_the_full_house_and_the_poker_in_the_booklet_are_right(figures, dice):
    by_word = {figure["caption"].split(":")[0]: figure["dice"] for figure in figures}
    house = Counter(die["colour"] for die in dice_for(by_word["PAINTERS"], dice)).most_common(2)
    assert house[0][1] >= 3 and house[1][1] >= 2
    assert Counter(die["colour"] for die in dice_for(by_word["OUTSIDE"], dice))["red"] == 4


def test_sheets_have_the_names_of_the_modes(game):
    assert set(game.sheets) == {"one-by-one", "all-together", "last-die", "tournament", "five-throws"}
    some = {
        "one-by-one": {"rounds.1.words.1.tiles", "rounds.6.words.1.word", "players.1", "rounds.1.bonus.1", "claimed.1"},
        "all-together": {"rounds.1.throw.light-blue", "rounds.4.words.6.rejected", "rounds.1.claimed.6"},
        "last-die": {"rounds.9.train", "rounds.9.winner", "cubes.6.crossed.5", "rounds.1.letters.13.letter"},
        "tournament": {"games.one-by-one.1", "games.last-die.6", "claimed.6"},
        "five-throws": {"lines.1.no-wildcards.tiles", "lines.1.double.rethrown", "lines.1.trio.throw.red"},
    }
    for mode, fields in some.items():
        assert fields <= {*game.sheets[mode].fields}
    assert len(game.rules["tournament"]["points"]) == game.definition.players.high


def test_each_colour_has_its_own_mark(game):
    marks = game.rules["marks"]
    assert set(marks) == set(game.rules["colours"]) and len(set(marks.values())) == 6
    drawn = [(paths.DATA / "rolling_cubes" / "icons" / f"mark-{colour}.svg").read_text() for colour in marks]
    assert len(set(drawn)) == 6


@pytest.mark.parametrize("seen", SEEN)
def test_the_colours_look_different(game, seen):
    wood = [game.theme.colours[colour] for colour in game.rules["colours"]]
    assert min(difference(first, other, seen) for first, other in combinations(wood, 2)) >= 16


@pytest.mark.parametrize("colour", ["red", "orange", "green", "light-blue", "blue", "purple"])
def test_letters_stand_out_from_their_wood(game, colour):
    pale = yaml.safe_load((paths.DATA / "rolling_cubes" / "low_ink.yaml").read_text())["colours"]
    for colours in (game.theme.colours, pale):
        assert contrast(colours[f"on-{colour}"], colours[colour]) >= 3.5


def test_words_in_wood_and_outlines_of_tiles_can_be_seen(game):
    colours = game.theme.colours
    assert contrast(colours["burnt"], colours["wood"]) >= 4.5
    assert contrast(colours["quiet"], colours["felt"]) >= 4.5
    assert contrast(colours["grain"], "#ffffff") >= 3


def test_every_kind_of_box_on_the_pad_has_a_printed_label_or_sign(game):
    part = game.components["one-by-one"]
    press = press_of("rolling_cubes")
    (frame, *_) = press.blank_corners(part, press.paper_of(part, paper("a4")))
    items = [item for item, _ in leaves(frame.items)]
    texts = {item.text.strip() for item in items if isinstance(item, Run)}
    assert {"player", "word", "points", "total", "rejected", "purple"} <= texts
    assert {"mark-purple", "rejected"} <= {item.name for item in items if isinstance(item, Icon)}


def number_boxes(frame):
    """The size of the box around each number that has one for itself."""
    items = [item for item, _ in leaves(frame.items)]
    boxes = [bounds(item.path) for item in items if isinstance(item, Shape) and item.stroke and item.fill == "#ffffff"]
    for run in items:
        if isinstance(run, Run) and run.text.isdigit():
            x, y = run.x + run.width / 2, run.y - run.size / 3
            around = [(r - left, b - top) for left, top, r, b in boxes if left < x < r and top < y < b]
            if around:
                yield run.text, min(around)


@pytest.mark.parametrize("on", ["a4", "letter"])
@pytest.mark.parametrize(
    ("name", "target", "large", "page", "least"),
    [
        ("one-by-one", 31, False, 0, 8),
        ("one-by-one", 31, True, 0, 11),
        ("all-together", 25, False, 0, 8),
        ("all-together", 25, True, 2, 11),
    ],
)
def test_cubes_to_cross_have_room_for_a_pencil(game, on, name, target, large, page, least):
    part = game.components[name]
    press = press_of("rolling_cubes")
    size = whole_paper(part, paper(on)) if large else press.paper_of(part, paper(on))
    sizes = list(number_boxes(press.blank_corners(part, size, large)[page]))
    assert {str(number) for number in range(1, target + 1)} <= {number for number, _ in sizes}
    assert min(min(size) for _, size in sizes) >= least - 0.01


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("name", ["one-by-one", "all-together", "last-die", "tournament", "five-throws"])
def test_sheets_show_the_code_of_their_set(game, name, large):
    part, code = game.components[name], "RC-1S11-EZ196-HTZ98-WK"
    press = press_of("rolling_cubes", parse(code))
    size = whole_paper(part, paper("a4")) if large else press.paper_of(part, paper("a4"))
    runs = [
        item.text
        for frame in press.blank_corners(part, size, large)
        for item, _ in leaves(frame.items)
        if isinstance(item, Run)
    ]
    assert any(code in text for text in runs)
