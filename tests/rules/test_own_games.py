"""Complete games with their rules in YAML: what good sheets score, and what breaks each rule."""

import json
from pathlib import Path

import pytest

from generator import paths
from generator.judging.judge import Judge
from generator.reading.load import load
from generator.rules.results import plain
from tests.processes import run

GAMES = Path(__file__).parent / "own_games"
ALL = sorted(path.name for path in GAMES.iterdir() if path.is_dir())


def answer(game, tmp_path, *changes, **options):
    """The answer for the good sheet of a game, with parts of its text replaced."""
    text = (GAMES / game / "good.yaml").read_text().replace("game: ./\n", "")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    sheet = tmp_path / "sheet.yaml"
    sheet.write_text(text)
    judge = Judge(named=str(GAMES / game), **options)
    (result,) = judge.answers([str(sheet)])
    return plain(result)


def points(result, player):
    lines = next(entry for entry in result["players"] if entry["name"] == player)["lines"]
    return {line["label"]: line["points"] for line in lines}


def totals(result):
    return {player["name"]: player["total"] for player in result["players"]}


def ranks(result):
    return {player["name"]: player["rank"] for player in result["players"]}


@pytest.mark.parametrize("game", ALL)
def test_a_good_sheet_has_no_problems(game, tmp_path):
    assert answer(game, tmp_path)["findings"] == []


@pytest.mark.parametrize(
    ("game", "expected", "winners"),
    [
        ("five_dice", {"Ada": 303, "Bo": 62}, ["Ada"]),
        ("lighthouse", {"Ada": 95, "Bo": 58}, ["Ada"]),
        ("rapids", {"Ada": 28, "Bo": 27}, ["Ada"]),
        ("market", {"Ada": 43, "Bo": 23, "Cy": 10, "Di": 0}, ["Ada"]),
        ("minigolf", {"Ada": 16, "Bo": 18, "Cy": 19}, ["Ada"]),
        ("islands", {"Ada": 6}, ["Ada"]),
        ("bazaar", {"Ada": 22, "Bo": 23}, ["Bo"]),
    ],
)
def test_totals_and_winners(game, expected, winners, tmp_path):
    result = answer(game, tmp_path)
    assert totals(result) == expected
    assert result["winners"] == winners


@pytest.mark.parametrize("game", ALL)
def test_the_parts_of_an_explanation_add_up(game, tmp_path):
    for player in answer(game, tmp_path, explain=True)["players"]:
        assert player["total"] == sum(line["points"] for line in player["lines"])
        for line in player["lines"]:
            assert line["points"] == sum(part["points"] for part in line["explain"]), line


def test_the_lines_of_five_dice(tmp_path):
    result = answer("five_dice", tmp_path)
    assert points(result, "Ada") == {
        "Upper section": 63,
        "Bonus": 35,
        "Three of a kind": 15,
        "Four of a kind": 25,
        "Full house": 25,
        "Small straight": 30,
        "Large straight": 40,
        "Five of a kind": 50,
        "Chance": 20,
    }
    assert set(points(result, "Bo").values()) == {62, 0}


def test_the_lines_of_lighthouse(tmp_path):
    """Columns, rows, two tables, fields that count double, a limit, and a multiplier of the weakest area."""
    result = answer("lighthouse", tmp_path)
    ada = {"Yellow columns": 20, "Yellow rows": 4, "Blue": 11, "Green": 5, "Orange": 29, "Purple": 16, "Foxes": 10}
    assert points(result, "Ada") == ada
    assert points(result, "Bo")["Yellow columns"] == 40
    full = answer("lighthouse", tmp_path, ("purple: 1 3 4 6 2", "purple: 6 6 6 6 6 6 6 6"))
    assert points(full, "Ada")["Purple"] == 40


def test_the_lines_of_market(tmp_path):
    result = answer("market", tmp_path)
    assert points(result, "Ada") == {"Spices": 11, "Cloth": 20, "Gold": 8, "Fewest goods": 0, "Guests": 4}
    assert [points(result, name)["Gold"] for name in ("Ada", "Bo", "Cy", "Di")] == [8, 8, 3, 0]
    alone = answer("market", tmp_path, ("goods: 4, guests: 4", "goods: 3, guests: 5"))
    assert points(alone, "Cy")["Fewest goods"] == 4
    assert points(alone, "Cy")["Guests"] == 10, "the most guests count twice"


def test_the_columns_of_cards_score(tmp_path):
    result = answer("bazaar", tmp_path)
    assert points(result, "Ada") == {"Coins": 12, "Different wares": 6, "Jewels": 4, "Most spice": 0}
    assert points(result, "Bo")["Most spice"] == 5


def test_the_lowest_total_wins_and_ties_are_broken(tmp_path):
    """Ada and Bo have 16 strokes; the last hole decides, and then the holes in one."""
    tied = answer("minigolf", tmp_path, ("2 2 3 3 4 2 1 3 3, aces: 1", "2 2 3 3 4 2 1 1 3, aces: 2"))
    assert totals(tied)["Bo"] == totals(tied)["Ada"] - 1
    tied = answer("minigolf", tmp_path, ("2 2 3 3 4 2 1 3 3, aces: 1", "2 2 3 3 4 2 1 2 3, aces: 1"))
    assert totals(tied)["Bo"] == 17
    tied = answer("minigolf", tmp_path, ("2 2 3 3 4 2 2 3 2", "2 2 2 2 4 2 2 2 2"))
    assert (totals(tied)["Ada"], totals(tied)["Cy"]) == (16, 16)
    assert ranks(tied) == {"Ada": 1, "Bo": 3, "Cy": 2}, "the last holes are equal, and Ada has more holes in one"


@pytest.mark.parametrize(
    ("players", "answer"),
    [
        (
            "[{name: Ada, holes: 2 1 3, aces: 1}, {name: Bo, holes: 2 3 1, aces: 1}]",
            "Ada and Bo win together with 2 points",
        ),
        (
            "[{name: Ada, holes: 3 3 3 3 3 3 3 3 2}, {name: Bo, holes: 3 3 3 3 3 3 3 2 3}]",
            "Ada wins with 23 points. The tie is broken by the last hole: Ada 2, Bo 3.",
        ),
        (
            "[{name: Ada, holes: 3 2 2}, {name: Bo, holes: 3 3 1}]",
            "Bo wins with 4 points. The tie is broken by holes in one: Ada 0, Bo 1.",
        ),
    ],
)
def test_the_answer_says_how_a_tie_was_broken(players, answer, tmp_path):
    (tmp_path / "sheet.yaml").write_text(f"players: {players}\n")
    done = run("score", "sheet.yaml", "--game", GAMES / "minigolf", folder=tmp_path)
    assert answer in " ".join(done.stdout.split()), done.stdout + done.stderr


RAPIDS = [
    ("rising", ("red: 2 3 5 8", "red: 2 5 3 8"), "Red 3 is 3, but Red 2 is 5: the numbers must rise", "rows.red.3"),
    (
        "rising",
        ("yellow: 4 7", "yellow: 4 4"),
        "Yellow 2 is 4, but Yellow 1 is 4: the numbers must rise",
        "rows.yellow.2",
    ),
    (
        "falling",
        ("green: 12 10 3", "green: 2 10 3"),
        "Green 2 is 10, but Green 1 is 2: the numbers must fall",
        "rows.green.2",
    ),
    ("no-gaps", ("blue: 11", "blue: . 11"), "Blue 1 is blank, but Blue 2 is filled in", "rows.blue.2"),
    (
        "red-lock",
        ("red: 2 3 5 8 9 12", "red: 2 3 5 8"),
        "“A row is locked only after five numbers” is broken (Red 2 3 5 8)",
        "rows.red.1",
    ),
    (
        "two-locks",
        ("locks: {red: x}", "locks: {red: x, blue: x, green: x}"),
        "in “locks”, 3 boxes are marked, but there must be at most 2",
        "locks.red",
    ),
    ("claimed-total", ("total: 28", "total: 30"), "“Total” says 30, but the points add up to 28", "claimed.total"),
]
OTHERS = [
    ("market", "goods", ("goods: 9", "goods: 16"), "Goods is 16, but must be at most 15", "players.1.goods"),
    (
        "market",
        "spices",
        ("rounds: 3", "rounds: 1"),
        "Ada took 5 spices, but 4 are dealt",
        "players.1.spices.1",
    ),
    ("bazaar", "once", ("wares: s1 c1 j1", "wares: s1 j1 s1"), "s1 appears twice", "players.1.wares.3"),
    (
        "bazaar",
        "rare",
        ("wares: s1 c1 j1", "wares: s3 c1 j1"),
        "“Two rare wares are the most” is broken (",
        "players.1.wares.1",
    ),
    ("minigolf", "aces", ("aces: 2", "aces: 3"), "Aces is 3, but must be exactly 2", "players.1.aces"),
    (
        "islands",
        "route",
        ("9, 10, 11, 12", "9, 11, 12"),
        "Route 11, Route 12 are not connected",
        "route.11",
    ),
    ("islands", "towns-apart", ("[wood wood sea town", "[wood wood town town"), "Towns do not touch", "map.a1"),
    (
        "islands",
        "towns",
        ("[wood wood sea town, wood sea", "[wood town sea town, town sea"),
        "“Map” is “town” in 4 boxes, but there must be at most 3",
        "map.a2",
    ),
    (
        "islands",
        "claimed-woods",
        ("woods: 6", "woods: 3"),
        "“Woods” says 3, but the points",
        "claimed.woods",
    ),
    ("five_dice", "whole-dice", ("twos: 6", "twos: 5"), "5 points are not made of twos", "players.1.upper.twos"),
    (
        "five_dice",
        "threes-are-worth-three-points-each",
        ("threes: 9", "threes: 8"),
        "“Threes are worth three points each” is broken (Threes 8)",
        "players.1.upper.threes",
    ),
    (
        "lighthouse",
        "blue-in-order",
        ("blue: [1, 2, 3, 4, 5]", "blue: [1, 2, 4]"),
        "Blue 3 is blank, but Blue 4 is filled in",
        "keepers.1.blue.4",
    ),
    ("lighthouse", "no-gaps-green", ("green: [1, 2, 3]", "green: [2]"), "Green 1 is blank", "keepers.1.green.2"),
    (
        "lighthouse",
        "purple-rises",
        ("purple: 2 3", "purple: 3 2"),
        "The numbers in purple must rise unless a 6 comes before.",
        "keepers.2.purple.2",
    ),
]


@pytest.mark.parametrize(
    ("game", "rule", "change", "message", "where"),
    [("rapids", rule, change, message, f"players.1.{where}") for rule, change, message, where in RAPIDS] + OTHERS,
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_bad_sheets_break_a_rule(game, rule, change, message, where, tmp_path):
    findings = [finding for finding in answer(game, tmp_path, change)["findings"] if finding["rule"] == rule]
    assert len(findings) == 1, answer(game, tmp_path, change)["findings"]
    assert message in findings[0]["message"]
    assert findings[0]["where"][0] == where
    assert findings[0]["player"] == ((where.startswith("keepers.2") and "Bo") or (None if game == "islands" else "Ada"))


def test_a_check_of_all_players_is_made_once(tmp_path):
    change = ("rounds: 3", "rounds: 1")
    seats = [finding for finding in answer("market", tmp_path, change)["findings"] if finding["rule"] == "seats"]
    assert [finding["player"] for finding in seats] == [None]


def test_a_check_waits_for_the_fields_it_needs(tmp_path):
    """Without the number of rounds, nobody can say how many goods are too many."""
    result = answer("market", tmp_path, ("rounds: 3\n", ""))
    assert result["findings"] == []


@pytest.mark.parametrize("game", ALL)
def test_a_blank_sheet_breaks_no_check(game, tmp_path):
    definition = load(str(GAMES / game)).sheets["sheet"].definition
    sheet = tmp_path / "blank.yaml"
    group = definition.players
    sheet.write_text(f"{group}: [{{name: Ada}}, {{name: Bo}}]\n" if group else "name: Ada\n")
    (result,) = Judge(named=str(GAMES / game)).answers([str(sheet)])
    result = plain(result)
    assert result["findings"] == []
    assert set(totals(result).values()) == {0}


@pytest.mark.parametrize("game", ALL)
def test_the_order_of_players_changes_no_total(game, tmp_path):
    text = (GAMES / game / "good.yaml").read_text().replace("game: ./\n", "")
    head, mark, players = text.partition("players:\n")
    if not mark:
        pytest.skip("one player")
    entries = ["  - " + entry for entry in players.split("  - ")[1:]]
    (tmp_path / "turned.yaml").write_text(head + mark + "".join(reversed(entries)))
    (result,) = Judge(named=str(GAMES / game)).answers([str(tmp_path / "turned.yaml")])
    assert totals(plain(result)) == totals(answer(game, tmp_path))


@pytest.mark.parametrize("game", ALL)
def test_rules_are_listed_in_words(game):
    done = run("rules", GAMES / game, "--format", "json", folder=paths.ROOT)
    rules = json.loads(done.stdout)["rules"]
    definition = load(str(GAMES / game)).sheets["sheet"].definition
    scoring = [rule for rule in rules if rule["severity"] is None]
    assert len(scoring) == len(definition.score)
    assert all(rule["says"].endswith(".") and rule["source"] == "the score sheet" for rule in rules)
    assert len({rule["rule"] for rule in rules}) == len(rules)


@pytest.mark.parametrize("game", ["market", "minigolf", "bazaar"])
def test_a_score_pad_needs_no_template(game, tmp_path):
    """Not even with fields of the whole sheet, or with groups: the upper section of five dice is below."""
    done = make(GAMES / game, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_score_pad_shows_groups(tmp_path):
    text = (GAMES / "five_dice" / "sheet.yaml").read_text()
    fields = "\n".join(line for line in text.partition("score:")[0].splitlines() if "kind: die" not in line)
    (tmp_path / "sheet.yaml").write_text(fields)
    (tmp_path / "game.yaml").write_text((GAMES / "five_dice" / "game.yaml").read_text())
    done = make(tmp_path, tmp_path / "output")
    assert (done.returncode, done.stderr) == (0, "")


def make(folder, output):
    return run("make", folder, "-o", output, "--component", "sheet", folder=paths.ROOT)
