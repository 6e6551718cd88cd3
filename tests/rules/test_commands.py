"""score, check and rules on the command line: what goes where, and the exit codes."""

import json
import re
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner, Result

from generator.cli import pencilbox
from generator.paths import DATA

from .conftest import FILLED

SHEETS = Path(__file__).parents[1] / "games/from_the_ground_up"
GOOD, BAD = SHEETS / "good/over.yaml", SHEETS / "bad/claimed-total/added_up_wrong.yaml"
WARNED = SHEETS / "bad/finishable/too_low.yaml"


def run(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(pencilbox, list(map(str, arguments)), input=text)


@pytest.fixture
def unreadable(tmp_path: Path) -> Path:
    path = tmp_path / "unreadable.yaml"
    path.write_text("game: from_the_ground_up\nplayers: [{nmae: Ann}]\n")
    return path


@pytest.mark.parametrize("command", ["score", "check"])
def test_exit_codes(command: str, unreadable: Path, tmp_path: Path) -> None:
    assert run(command, GOOD).exit_code == 0
    assert run(command, BAD).exit_code == 1
    assert run(command, WARNED).exit_code == 0
    assert run(command, "--strict", WARNED).exit_code == 1
    assert run(command, "--strict", GOOD).exit_code == 0
    assert run(command, unreadable).exit_code == 2
    assert run(command, unreadable, BAD).exit_code == 2
    assert run(command, tmp_path / "missing.yaml").exit_code == 2
    assert run(command, tmp_path).exit_code == 2
    assert run(command, "/dev/zero").exit_code == 2
    assert run(command).exit_code == 2


def test_answers_on_stdout_diagnostics_on_stderr(unreadable: Path) -> None:
    result = run("score", GOOD, unreadable, BAD)
    assert result.stdout.count("From the Ground Up") == 2
    assert "Ben wins with" in result.stdout
    assert result.stderr == f"error: {unreadable}:2: player 1: unknown key “nmae”; did you mean name?\n"


def test_no_colour_in_a_pipe() -> None:
    assert "\x1b" not in run("score", BAD).output


def test_json_of_one_sheet() -> None:
    result = json.loads(run("score", BAD, "--format", "json").stdout)
    assert list(result) == ["game", "valid", "findings", "players", "winners"]
    assert result["findings"][0]["rule"] == "claimed-total"
    assert result["findings"][0]["player"] == "Ann"


def test_check_leaves_out_players_and_winners() -> None:
    assert list(json.loads(run("check", BAD, "--format", "json").stdout)) == ["game", "valid", "findings"]
    assert "wins" not in run("check", GOOD).stdout


def test_json_of_an_unreadable_sheet(unreadable: Path) -> None:
    result = run("score", unreadable, "--format", "json")
    assert json.loads(result.stdout) == {
        "error": [
            {
                "file": str(unreadable),
                "line": 2,
                "message": "player 1: unknown key “nmae”",
                "hint": "did you mean name?",
            }
        ],
        "valid": False,
    }
    assert result.exit_code == 2


@pytest.mark.parametrize("marker", ["---\n", ""])
def test_a_stream_answers_in_order(marker: str) -> None:
    games = [
        {"game": "from_the_ground_up", "sheet": "tally", "players": [{"name": name, "games": [games]}]}
        for name, games in [("Ann", 3), ("Ben", "x"), ("Cat", 5)]
    ]
    stream = f"\n{marker}".join(map(json.dumps, games))
    result = run("score", "-", "--format", "jsonl", text=stream)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line.get("winners") for line in lines] == [["Ann"], None, ["Cat"]]
    assert lines[1]["error"][0]["line"] == (3 if marker else 2)
    assert result.exit_code == 2
    whole = json.loads(run("score", "-", "--format", "json", text=stream).stdout)
    assert whole == lines


def test_rules_about_sums_name_the_boxes() -> None:
    result = " ".join(run("rules", "from_the_ground_up").stdout.split())
    assert "“Total” is the sum of the numbers in “Game”, if filled in." in result
    assert "*" not in result


@pytest.mark.parametrize("name", ["README.md", "page.png", "notes.txt"])
def test_a_file_of_another_kind_leads_to_new_sheet(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"# Notes\n\n* a: b\n*\x01 {")
    result = run("score", tmp_path / name)
    assert result.exit_code == 2
    assert "not a filled-in sheet; create one with: pencilbox new-sheet GAME" in " ".join(result.stderr.split())


def test_a_document_without_keys_leads_to_new_sheet() -> None:
    assert "create one with: pencilbox new-sheet GAME" in run("score", "-", text="hello\n").stderr


def test_the_rules_in_plain_words() -> None:
    result = run("rules", "from_the_ground_up").stdout
    assert "star-range  error  (rulebook)\n    The number in a star is in the range beside it." in result
    assert "lower-higher  error  (rulebook and our decision)\n" in result and "(our decision)\n" in result
    assert "Tally sheet" in result
    as_json = json.loads(run("rules", "from_the_ground_up", "--format", "json").stdout)
    assert {
        "rule": "finishable",
        "sheet": "table",
        "severity": "warning",
        "source": "F4",
        "says": "A card can still be finished with the numbers on the die. Spoiling a card is allowed, but often an "
        "oversight.",
    } in as_json["rules"]


@pytest.mark.parametrize("game", sorted(path.parent.name for path in DATA.glob("*/game.yaml")))
def test_rules_are_listed_without_numbers_of_decisions(game: str) -> None:
    sources = re.findall(r"^\S+  (?:error|warning|scoring)  (\(.*\))$", run("rules", game).stdout, re.MULTILINE)
    assert "(rulebook and our decision)" in sources
    assert not [source for source in sources if re.search("[A-Z][0-9]|our decisions?;", source)]


class TestOwnGames:
    def test_named_in_the_sheet(self, trail: Path) -> None:
        result = json.loads(run("score", trail / "filled.yaml", "--format", "json").stdout)
        assert (result["game"], result["winners"]) == (trail.name, ["Ada", "Bo"])

    def test_named_beside_the_sheet(self, trail: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
        path = tmp_path_factory.mktemp("elsewhere") / "filled.yaml"
        path.write_text((trail / "filled.yaml").read_text().replace("game: ./\n", ""))
        assert "does not name its game" in run("score", path).stderr
        assert run("score", path, "--game", trail).exit_code == 0

    def test_a_folder_below_the_sheet(self, trail: Path) -> None:
        path = trail.parent / "filled.yaml"
        path.write_text((trail / "filled.yaml").read_text().replace("./", trail.name))
        assert run("score", path).exit_code == 0

    @pytest.mark.parametrize("name", ["../trail", "/etc", "../../../../etc", "nowhere", '"a\\0b"'])
    def test_a_path_may_not_leave_the_folder_of_the_sheet(self, trail: Path, name: str) -> None:
        path = trail / "filled.yaml"
        path.write_text(path.read_text().replace("./", name))
        result = run("score", path)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert result.stderr.startswith(f"error: {path}:2: ")

    def test_named_in_the_sheet_and_beside_it(self, trail: Path) -> None:
        assert run("score", trail / "filled.yaml", "--game", trail).exit_code == 0

    def test_a_different_game_from_the_one_named(self, trail: Path) -> None:
        assert "this is a sheet of “from_the_ground_up”" in run("score", GOOD, "--game", trail).stderr

    def test_code_is_run_only_when_trusted(self, trail: Path, rules: str) -> None:
        (trail / "rules.py").write_text(rules)
        untrusted = run("score", trail / "filled.yaml")
        assert untrusted.exit_code == 0
        note = f"{trail / 'rules.py'} was not run; to run it, add --game {trail}/ --trust-code"
        assert note in untrusted.stderr
        trusted = run("score", trail / "filled.yaml", "--game", trail, "--trust-code", "--format", "json")
        (finding,) = json.loads(trusted.stdout)["findings"]
        assert (trusted.exit_code, finding["rule"], finding["player"]) == (1, "even", "Bo")
        assert (
            "even  error  (the trail)\n    Every walker takes an even number of steps."
            in run("rules", trail, "--trust-code").stdout
        )

    def test_trust_is_for_the_folder_that_was_typed(self, trail: Path) -> None:
        """It does not extend to a folder that only a sheet names."""
        (trail / "rules.py").write_text(f"open({str(trail / 'ran')!r}, 'w')")
        for text in ("game: ./", f"game: ../{trail.name}"):
            (trail / "filled.yaml").write_text(FILLED.replace("game: ./", text))
            for command in ("score", "check"):
                result = run(command, trail / "filled.yaml", "--trust-code")
                assert "was not run" in result.stderr or result.exit_code == 2
        assert not (trail / "ran").exists()

    def test_a_folder_is_not_mistaken_for_a_shipped_game_with_the_same_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        copytree(DATA / "upwards", tmp_path / "upwards")
        game = tmp_path / "upwards" / "game.yaml"
        game.write_text(game.read_text().replace("title: Upwards!", "title: Downwards!"))
        monkeypatch.chdir(tmp_path)
        for sheet, name in (("upwards/my.yaml", "./"), ("my.yaml", "upwards/"), ("my.yaml", "./upwards")):
            Path(sheet).write_text(f"game: {name}\nplayer: Ann\n")
            assert run("score", sheet).stdout.startswith("Downwards!")
        Path("my.yaml").write_text("game: upwards\nplayer: Ann\n")
        assert run("score", "my.yaml").stdout.startswith("Upwards!")

    def test_a_score_of_your_own(self, trail: Path, rules: str) -> None:
        (trail / "rules.py").write_text(
            rules
            + """

def score(sheet):
    return Result((Score("Ada", (Line("charm", 40),)),), (1,), ("Ada",))
"""
        )
        command = ("score", trail / "filled.yaml", "--game", trail, "--trust-code", "--format", "json")
        result = json.loads(run(*command).stdout)
        assert result["winners"] == ["Ada"]

    @pytest.mark.parametrize(
        ("code", "line", "said"),
        [
            ("book = 3", "", "defines no rules; add class Rules(GameRules)"),
            ("import nowhere", ":1", "fails with ModuleNotFoundError"),
            ("a = (", ":1", "fails with SyntaxError"),
            (
                "from generator.rules.results import RuleBook\nbook = RuleBook()\n"
                "@book.rule('x')\ndef x(sheet):\n    'X.'\n"
                "    yield str(1 / 0)",
                ":6",
                "fails with ZeroDivisionError: division by zero",
            ),
            (
                "from generator.rules.results import RuleBook\nbook = RuleBook()\n"
                "def score(sheet):\n    return sheet.nothing",
                ":4",
                "fails with AttributeError",
            ),
            (
                "from generator.rules.results import RuleBook\nbook = RuleBook()\ndef score(sheet):\n    return 3",
                ":3",
                "score must return a Result, not int",
            ),
        ],
    )
    def test_code_that_fails(self, trail: Path, code: str, line: str, said: str) -> None:
        (trail / "rules.py").write_text(code)
        result = run("score", trail / "filled.yaml", "--game", trail, "--trust-code")
        assert result.exit_code == 2
        assert result.stderr.startswith(f"error: {trail / 'rules.py'}{line}: {said}")
