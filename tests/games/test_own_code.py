"""Random sets and simulations in the rules.py of a user's own game: the example Beetles, and what can go wrong."""

import json
import py_compile
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from generator import paths
from generator.cli import pencilbox
from generator.errors import InputError

TRUST = "--trust-code"


def run(*args: object):
    return CliRunner().invoke(pencilbox, [str(arg) for arg in args])


def failure(result):
    """The InputError that ended a command."""
    assert isinstance(result.exception, InputError), result.exception
    return result.exception


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(copytree(paths.EXAMPLES / "beetles", tmp_path / "beetles"))


def code_of(game: Path) -> str:
    return json.loads(run("randomise", game, TRUST, "--seed", "1", "--format", "json").stdout)[0]["set"]


def test_a_set_is_drawn_printed_and_verified(game, tmp_path):
    code = code_of(game)
    printed = run("make", game, "garden", "--set", code, TRUST, "-o", tmp_path)
    assert printed.exit_code == 0, printed.output
    assert run("verify", code, game, TRUST).exit_code == 0
    (pdf,) = (tmp_path / "beetles").glob("garden*.pdf")
    assert run("verify", pdf, game, TRUST).exit_code == 0
    assert run("make", game, "--random", "--seed", "1", TRUST, "-o", tmp_path / "new").exit_code == 0


def test_a_code_always_draws_the_same_garden(game):
    drawn = json.loads(run("randomise", game, TRUST, "--seed", "1", "--format", "json").stdout)
    assert drawn[0]["set"] == "BT-1C01-PK8M7-HS6M8-40"
    assert drawn[0]["garden"][:5] == ["Poppy", "Orchid", "Poppy", "Orchid", "Poppy"]


def test_a_sheet_is_scored_with_the_garden_of_its_set(game):
    sheet = game / "sheet_of_set.yaml"
    sheet.write_text(
        f"game: ./\nset: {code_of(game)}\nbeetles:\n  - {{name: Ann, path: [A1, A2]}}\n  - {{name: Bo, path: [E5]}}\n"
    )
    answer = json.loads(run("score", sheet, "--game", game, TRUST, "--format", "json").stdout)
    assert [player["total"] for player in answer["players"]] == [3 + 1, 4]


def test_simulated_games_break_no_rule(game, tmp_path):
    played = run("balance", game, TRUST, "--games", "20", "--seed", "1", "--keep", tmp_path / "kept")
    assert played.exit_code == 0, played.output
    assert "steps" in played.stdout
    sheets = sorted((tmp_path / "kept").glob("*.yaml"))
    assert len(sheets) == 20
    assert run("check", *sheets, "--game", game, TRUST).exit_code == 0


def test_a_set_can_be_searched_for_balance(game):
    found = run("balance", game, TRUST, "--search", "3", "--games", "60", "--format", "json")
    assert found.exit_code == 0, found.output
    assert len(json.loads(found.stdout)["ranking"]) == 3


@pytest.mark.parametrize("command", ["randomise", "verify", "make"])
def test_without_trust_nothing_runs_and_the_message_says_so(game, command):
    marker = game / "ran"
    (game / "rules.py").write_text(f"open({str(marker)!r}, 'w')")
    words = {"verify": ["BT-1C01-PK8M7-HS6M8-40", game], "make": [game, "--random"]}.get(command, [game])
    result = run(command, *words)
    assert str(failure(result)) == "Beetles has no random sets; if its rules.py defines them, add --trust-code"
    assert not marker.exists()


def test_a_simulation_needs_trust_and_a_class(game):
    untrusted = failure(run("balance", game, "--games", "5"))
    assert str(untrusted).endswith("its rules are in rules.py; if it also defines a Simulation, add --trust-code")
    text = (game / "rules.py").read_text()
    (game / "rules.py").write_text(text.replace("class Beetles(Simulation)", "class Beetles"))
    assert "define a class that extends Simulation in it" in str(failure(run("balance", game, TRUST, "--games", "5")))


def test_rules_and_fill_say_what_is_left_out(game):
    note = f"note: {game / 'rules.py'} was not run; to run it, add --trust-code"
    assert note in run("rules", game).stderr
    assert note in run("fill", game, game / "new.yaml").stderr
    assert note not in run("rules", game, TRUST).stderr


def test_fill_scores_with_the_trusted_rules(game):
    lines = ["", "Ann", "A1 A2 C3", "", "Ben", "E5", "", ""]
    filled = CliRunner().invoke(
        pencilbox, ["fill", str(game), str(game / "new.yaml"), TRUST], input="\n".join(lines) + "\n" * 9
    )
    assert "C3 is not beside A2" in filled.output, filled.output


@pytest.mark.parametrize(
    ("old", "new", "words", "message"),
    [
        (
            'return Deck({"garden": garden}, str(code))',
            "return {}",
            ("randomise",),
            "deal must return a Deck, not dict",
        ),
        ('Deck({"garden"', 'Deck({"gardens"', ("randomise",), "“gardens”, which is not a deck of the game"),
        ('["tries"]', '["trys"]', ("randomise",), "fails with KeyError: 'trys'"),
        ("    def data(", "    def date(", ("randomise",), "Gardens must define data"),
        (
            'return [card["name"]',
            'return [card["nam"]',
            ("randomise", "--format", "json"),
            "fails with KeyError: 'nam'",
        ),
        (
            "self.taken.add(move)",
            "self.taken.append(move)",
            ("balance", "--games", "5"),
            "'set' object has no attribute",
        ),
        ("return Walk(self, chance)", "return Walk(self)", ("balance", "--games", "5"), "fails with TypeError: Walk"),
        ("    def gain(", "    def gains(", ("balance", "--games", "5"), "fails with TypeError: Can't instantiate"),
        ("return FinishedGame(", "return max(", ("balance", "--games", "5"), "rules.py"),
        (
            "return FinishedGame(max(map(len, self.paths)), points, winners)",
            "return points",
            ("balance", "--games", "5"),
            "result must return a FinishedGame, not tuple",
        ),
        ("points, winners)", "points[:1], winners)", ("balance", "--games", "5"), "must give the points of 4 players"),
    ],
)
def test_mistakes_are_reported_with_their_line(game, old, new, words, message):
    text = (game / "rules.py").read_text()
    assert old in text
    (game / "rules.py").write_text(text.replace(old, new, 1))
    result = run(words[0], game, TRUST, *words[1:])
    (problem,) = failure(result).problems
    assert str(problem).startswith(f"{game / 'rules.py'}") and message in str(problem)


def test_sets_need_sets_yaml_and_no_draws(game):
    text = (game / "game.yaml").read_text()
    (game / "game.yaml").write_text(text.replace("sets: sets.yaml\n", ""))
    assert "add “sets: sets.yaml” to game.yaml" in str(failure(run("randomise", game, TRUST)))
    (game / "game.yaml").write_text(text.replace("sets: sets.yaml", "draws: {mix: {shuffle: garden}}"))
    assert "so does “draws” in game.yaml; keep one of the two" in str(failure(run("randomise", game, TRUST)))


def test_what_runs_is_the_source_that_can_be_read(game):
    """Compiled files beside it, which could do anything, are neither read nor written."""
    (game / "tools").mkdir()
    (game / "tools" / "__init__.py").write_text("")
    for helper in (game / "helper.py", game / "tools" / "more.py"):
        helper.write_text("raise SystemExit('planted')")
        py_compile.compile(str(helper), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        helper.write_text("value = 1\n")
    planted = sorted(game.rglob("*.pyc"))
    code = (game / "rules.py").read_text()
    (game / "rules.py").write_text(f"from .helper import value\nfrom .tools.more import value as more\n{code}")
    assert code_of(game)
    assert sorted(game.rglob("*.pyc")) == planted


@pytest.mark.parametrize("name", ["icons", "templates"])
def test_a_link_to_a_folder_outside_the_game_is_refused(game, tmp_path, name):
    outside = tmp_path / "outside"
    if (game / name).exists():
        (game / name).rename(outside)
    else:
        outside.mkdir()
    (game / name).symlink_to(outside)
    assert f"{name}: is a link to a folder outside the game" in str(failure(run("make", game)))
