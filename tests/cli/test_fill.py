"""`fill` and `new-sheet` on the command line: what they ask, save, write and print."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator import games, paths
from generator.cli import pencilbox
from generator.cli.console import style, unstyled
from generator.cli.fill import _broken
from generator.judging.judge import Judge
from generator.reading.load import load
from tests.games.cosmic_consequences.playing import random_sheet
from tests.judging.filling import GOOD, document, filler_of, transcript
from tests.test_architecture import loaded

NELE = [
    "Nele",
    "x",
    "rows",
    "",
    "",
    "3 . . .",
    "2 . . 6",
    "1 o . 5",
    "6 2 . 4",
    "3 3 3 3",
    "1 1 1 1",
    "2x 3",
    ". -",
    "1 4",
    "",
    "3 0 0 3, 10, 3, 19",
]
SHEETS = [(game, sheet) for game in games.SHIPPED for sheet in load(game).sheets]


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_file(name, sheet):
    Path(name).write_text(json.dumps(sheet))
    return name


def turn_lines(marks, count):
    """The turns of a log as a person types them: each part after its key, the action of the space last."""
    for turn in (f"turns.{number}" for number in range(1, count + 1)):
        sheet_data = (
            (part, marks.get(f"{turn}.{part}")) for part in ("draw", "jump", "discard", "roll", "to", "forced")
        )
        yield " ".join([marks[f"{turn}.player"], *(f"{part} {text}" for part, text in sheet_data if text)])


def hand_lines(marks, count):
    for hand in (f"hands.{number}" for number in range(1, count + 1)):
        stacks = [f'"{text}"' for number in range(1, 5) if (text := marks.get(f"{hand}.stacks.{number}"))]
        end = f", stacks {' '.join(stacks)}" if stacks else ""
        yield f"{marks.get(f'{hand}.cc_up', '.')}, {marks.get(f'{hand}.number_up', '.')}{end}"


def run(*arguments, lines=()):
    return CliRunner().invoke(pencilbox, [*arguments], input="".join(f"{line}\n" for line in lines))


class TestFill:
    def test_writes_and_scores_the_sheet_and_removes_the_saved_answers(self):
        result = run("fill", "upwards", "nele.yaml", lines=NELE)
        assert result.exit_code == 0
        assert "No problems found." in result.stdout
        assert "pencilbox score nele.yaml" in result.stderr
        assert list(map(str, Path().iterdir())) == ["nele.yaml"]
        assert run("score", "nele.yaml").stdout == result.stdout
        assert '  - "1 o . 5"\n' in Path("nele.yaml").read_text()

    def test_reports_a_broken_rule_at_once_and_asks_whether_to_keep_it(self):
        typed = ["Ann", "Ben", "", "", "Ann 7", "Ben 3", "n", "Ben 8", "Ann 2", "y", "", ""]
        result = run("fill", "elevator_up", lines=typed)
        assert result.exit_code == 1
        assert result.stderr.count("Ben plays 3, which does not beat 7. (beats)") == 1
        assert "{player: Ben, play: [8]}" in Path("elevator_up.yaml").read_text()
        assert "play: [3]" not in Path("elevator_up.yaml").read_text()
        assert "beats" in result.stdout

    def test_a_corrected_line_counts_as_no(self):
        result = run("fill", "elevator_up", lines=["Ann", "Ben", "", "", "Ann 7", "Ben 3", "Ben 2", "Ben 8", "", ""])
        assert result.exit_code == 0
        assert result.stderr.count("Keep it?") == 2
        assert "{player: Ben, play: [8]}" in Path("elevator_up.yaml").read_text()
        result = run(
            "fill", "elevator_up", "-o", "two.yaml", lines=["Ann", "Ben", "", "", "Ann 7", "Ben 3", "done", "n", "done"]
        )
        assert result.exit_code == 0
        assert Path("two.yaml").read_text().endswith("  - {player: Ann, play: [7]}\n")
        assert "give one of them" in run("fill", "elevator_up", "two.yaml", "-o", "other.yaml").stderr

    @pytest.mark.parametrize("seed", range(3))
    def test_a_whole_game_of_cosmic_consequences_in_short_lines(self, seed):
        sheet = random_sheet(load("cosmic_consequences"), seed, most_turns=40, with_deck=False)
        (judged,) = Judge(copies=True).answers([as_file("typed.json", sheet)])
        copied = judged.copied[0]
        marks = {**copied.filled.marks} | copied.strokes.marks
        result = run(
            "fill",
            "cosmic_consequences",
            lines=[
                *sheet["players"],
                *[""] * (len(sheet["players"]) < 6),
                "with",
                "",
                "",
                *turn_lines(marks, len(sheet["turns"])),
                "",
                *hand_lines(marks, len(sheet["players"])),
            ],
        )
        assert result.exit_code == 0
        assert "Keep it?" not in result.stderr
        assert "error:" not in result.stderr
        (again,) = Judge().answers(["cosmic_consequences.yaml"])
        assert again.result == judged.result

    def test_a_race_without_cards_asks_for_no_hands(self):
        result = run("fill", "cosmic_consequences", lines=["Ann", "Ben", "", "without", "", "Ann 4 is-1", ""])
        assert result.exit_code == 0
        assert "Hand" not in result.stderr
        assert "Hand" in run("fill", "cosmic_consequences", "two.yaml", lines=["Ann", "Ben", "", "", "", "", ""]).stderr

    def test_refuses_marks_in_the_words_of_the_judge(self):
        result = run("fill", "from_the_ground_up", lines=["", "stal", "stall", "Ann", "4, 4, 6 7", "13", "done"])
        assert "variant must be stall, not “stal”; did you mean stall?" in result.stderr
        assert "Ann, card 4: crate 2 must be a number from 1 to 6, not “7”" in result.stderr
        assert "Ann, card entry 1: card must be a card in the game, not “13”; known: 1, 2" in result.stderr
        assert Path("from_the_ground_up.yaml").read_text() == (
            "game: from_the_ground_up\nvariant: stall\nplayers:\n  - {name: Ann}\n"
        )

    @pytest.mark.parametrize("answer", ["y", "stall", "x"])
    def test_asks_yes_or_no_for_a_single_box(self, answer):
        result = run("fill", "from_the_ground_up", lines=["", answer, "Ann", "4, 4, 6 5 4 2", "", "7", "n", "done"])
        assert "Stall variant (tick if the game ended under the stall variant) [y/N]: " in result.stderr
        assert "variant: stall\n" in Path("from_the_ground_up.yaml").read_text()
        assert "Given up" in result.stderr

    def test_the_documented_session_is_correct(self):
        page = (paths.ROOT / "docs/sheets.md").read_text("utf-8")
        (session,) = re.findall(r"^```\n(Ann, Card .*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
        typed = re.findall(r"^Card \d: (.*)$", session, flags=re.MULTILINE)
        result = run("fill", "from_the_ground_up", lines=["", "", "Ann", *typed, "n", "done"])
        lines = iter(result.stderr.splitlines())
        for shown in session.splitlines():
            assert any(line.startswith(shown) for line in lines), shown

    @pytest.mark.parametrize("word", ["undo", "<", "back", "UNDO"])
    def test_undo_takes_back_the_last_answer(self, word):
        run("fill", "upwards", lines=["Nela", word, "Nele", "", "rows", "done"])
        assert Path("upwards.yaml").read_text() == "game: upwards\nplayer: Nele\noption: rows\n"

    def test_undo_without_answers_help_and_show(self):
        result = run("fill", "upwards", lines=["undo", "?", "Nele", "show", "done"])
        assert "there is no answer to take back" in result.stderr
        assert "take back the last answer" in result.stderr
        assert "game: upwards\nplayer: Nele\n" in result.stderr

    def test_a_word_in_quotes_is_not_a_command(self):
        run("fill", "upwards", lines=['"done"', "done"])
        assert Path("upwards.yaml").read_text() == "game: upwards\nplayer: done\n"

    @pytest.mark.parametrize("end", [[], ["quit"]])
    def test_saves_answers_and_resumes(self, end):
        result = run("fill", "upwards", "nele.yaml", lines=NELE[:7] + end)
        assert result.exit_code == 130
        assert list(map(str, Path().iterdir())) == ["nele.yaml.part"]
        again = run("fill", "upwards", "nele.yaml", lines=NELE[7:])
        assert "Continuing after 7 answers" in again.stderr
        whole = run("fill", "upwards", "whole.yaml", lines=NELE)
        assert again.exit_code == whole.exit_code == 0
        assert Path("nele.yaml").read_text() == Path("whole.yaml").read_text()

    def test_saves_nothing_without_answers(self):
        assert run("fill", "upwards", lines=["Nele", "undo"]).exit_code == 130
        assert list(Path().iterdir()) == []

    def test_does_not_repeat_control_characters(self):
        result = run("fill", "upwards", lines=["Nele", "\x1b[2Jx, ", "done"])
        assert "\x1b" not in "".join(line for line in result.stderr.splitlines() if "error:" in line)

    def test_done_does_not_drop_a_line_that_breaks_a_rule(self):
        lines = ["Ann", "Ben", "", "", "Ann 7", "Ben 3", "done", "y", "done"]
        result = run("fill", "elevator_up", lines=lines)
        assert "y keeps the line, n asks for it again" in result.stderr
        assert "{player: Ben, play: [3]}" in Path("elevator_up.yaml").read_text()

    def test_does_not_report_a_kept_finding_again_after_resuming(self):
        run("fill", "elevator_up", lines=["Ann", "Ben", "", "", "Ann 7", "Ben 3", "y"])
        assert "Keep it?" not in run("fill", "elevator_up", lines=["Ann 4", "", ""]).stderr

    def test_drops_saved_answers_that_no_longer_fit(self):
        run("fill", "upwards", lines=NELE[:4])
        saved = json.loads(Path("upwards.yaml.part").read_text())
        saved["answers"][2] = "colums"
        Path("upwards.yaml.part").write_text(json.dumps(saved))
        result = run("fill", "upwards", lines=["rows", "done"])
        assert "answer 3 no longer fits; this answer and those after it are dropped" in result.stderr
        assert Path("upwards.yaml").read_text() == "game: upwards\nplayer: Nele\nevent_die: true\noption: rows\n"

    @pytest.mark.parametrize(
        ("saved", "message"),
        [
            ("[", "does not contain"),
            ('{"answers": 3}', "does not contain"),
            ('{"game": "upwards", "sheet": "other", "answers": []}', "another sheet"),
        ],
    )
    def test_refuses_a_part_file_without_its_answers(self, saved, message):
        Path("upwards.yaml.part").write_text(saved)
        result = run("fill", "upwards")
        assert message in str(result.exception)

    def test_refuses_to_overwrite(self):
        Path("upwards.yaml").write_text("mine")
        assert "file already exists" in str(run("fill", "upwards", lines=NELE).exception)
        assert Path("upwards.yaml").read_text() == "mine"
        assert run("fill", "upwards", "--force", lines=NELE).exit_code == 0

    def test_refuses_an_unknown_sheet(self):
        assert "no score sheet “tally”" in str(run("fill", "upwards", "--sheet", "tally").exception)

    def test_asks_for_one_player_at_a_time(self):
        result = run("fill", "elevator_up", lines=["Ann 4", "", "n", "Ben, Cat", "Ben", "", "done"])
        assert "1 player" in result.stderr
        assert "type one player per line" in result.stderr
        assert "players: [Ann 4, Ben]\n" in Path("elevator_up.yaml").read_text()

    @pytest.mark.parametrize(
        ("game", "sheet", "name"),
        [
            ("elevator_up", "log", "Ben 7 – 7"),
            ("elevator_up", "tally", "Ann, Ben"),
            ("from_the_ground_up", "tally", "Ann / Ben"),
            ("rolling_cubes", "last-die", "1. Ann"),
            ("cosmic_consequences", "log", "Ann 5 5"),
            ("upwards", "sheet", "Ann, Ben"),
        ],
    )
    def test_asks_again_for_what_may_be_more_than_a_name(self, game, sheet, name):
        first = [""] if (game, sheet) in (("elevator_up", "tally"), ("from_the_ground_up", "tally")) else []
        result = run("fill", game, "--sheet", sheet, lines=[*first, name, "quit"])
        assert f"“{name}” can be " in result.stderr
        assert "type one player per line, and only the name" in result.stderr

    def test_asks_again_for_a_number_that_may_be_a_box_or_their_number(self):
        result = run("fill", "elevator_up", "t.yaml", "--sheet", "tally", lines=["", "Ann", "2", "[2]", "", "", "done"])
        assert "“wins: 2” can mean 2 in all or game 2" in result.stderr
        assert "wins: [2]" in Path("t.yaml").read_text()

    @pytest.mark.parametrize(
        ("game", "answers", "unasked"),
        [
            ("upwards", ["Nele", "", "rows"], "bonus"),
            ("from_the_ground_up", ["", "", "Ann", "4, 4, 6 5 4 2"], "Given up"),
            ("cosmic_consequences", ["Ann", "Ben", "", "without"], "Deal"),
        ],
    )
    def test_does_not_ask_about_what_is_not_played(self, game, answers, unasked):
        result = run("fill", game, lines=[*answers, *[""] * 40])
        assert unasked.lower() not in result.stderr.lower()

    def test_fills_in_sheets_of_your_own_game(self, tmp_path):
        (tmp_path / "walk").symlink_to(paths.ROOT / "examples/lantern_walk")
        typed = ["Ada", "12 9 15", "36", "Bo", "10 14 8", "32", ""]
        result = run("fill", "walk", "here.yaml", lines=typed)
        assert result.exit_code == 0
        assert "pencilbox score here.yaml --game walk" in result.stderr
        assert run("score", "here.yaml", "--game", "walk").exit_code == 0

    @pytest.mark.parametrize(("game", "sheet"), SHEETS)
    def test_every_question_has_an_explanation(self, game, sheet):
        result = run("fill", game, "sheet.yaml", "--sheet", sheet, lines=["?", "Ann", "?", "Ben", *["?", ""] * 30])
        assert result.exit_code in (0, 1, 2, 130)
        assert not isinstance(result.exception, Exception)
        assert result.stderr.count("take back the last answer") >= 2

    @pytest.mark.parametrize(
        "path", [p for p in GOOD if p.stem in ("over", "doubts", "all-five", "two-players")], ids=lambda path: path.stem
    )
    def test_whole_sheets_can_be_typed_line_by_line(self, path):
        sheet_data = document(path)
        typed = transcript(filler_of(sheet_data), sheet_data, "placed").answers
        sheet = sheet_data.get("mode") or sheet_data.get("sheet") or ""
        result = run("fill", sheet_data["game"], "sheet.yaml", "--sheet", sheet, lines=typed)
        assert result.exit_code == 0
        assert "Keep it?" not in result.stderr
        assert run("score", "sheet.yaml").stdout == result.stdout

    def test_one_question_for_everything_that_is_not_on_the_paper(self):
        skipped = run("fill", "rolling_cubes", "cubes.yaml", lines=["Ann", "Ben", "", "", "PLAY", "-", "done"])
        assert "Is there a tournament, set code or strip? [y/N]" in skipped.stderr
        assert "Set code (" not in skipped.stderr
        Path("cubes.yaml").unlink()
        result = run("fill", "rolling_cubes", "cubes.yaml", lines=["Ann", "Ben", "", "y", "y", "", "", "PLAY", "done"])
        assert "Set code (the set code of the dice): " in result.stderr
        assert "\ntournament: " in Path("cubes.yaml").read_text()

    def test_fields_that_are_not_on_the_paper_are_asked_for_one_by_one(self):
        lines = ["Ann", "", "y", "", "y", "PLAY play", "done"]
        result = run("fill", "rolling_cubes", "five.yaml", "--sheet", "five-throws", lines=lines)
        assert "Is there a set code or early end? [y/N]" in result.stderr
        assert "Set code (the set code of the dice): " in result.stderr
        assert "\nended: true\n" in Path("five.yaml").read_text()

    def test_a_dash_for_no_word_is_printed_as_a_zero(self):
        result = run("fill", "rolling_cubes", "cubes.yaml", lines=["Ann", "Ben", "", "", "-", "-", "done"])
        assert result.stderr.count("\n    0\n") == 2, "for both players"

    def test_parts_of_a_line_are_named_as_on_the_paper(self):
        lines = ["Ann", "", "", "OUTSIDE again 2", "SLEEP, , , , , 6", "done"]
        result = run("fill", "rolling_cubes", "five.yaml", "--sheet", "five-throws", lines=lines)
        assert "type tiles, word, voted, again, points;" in result.stderr
        assert "{tiles: OUTSIDE, rethrown: 2}" in result.stderr
        assert "is one part too many; type tiles, word, voted, again, points, or each part after its name" in " ".join(
            result.stderr.split()
        )

    @pytest.mark.parametrize(
        ("game", "lines", "name", "key"),
        [
            ("cosmic_consequences", ["Ann", "Ben", "", "", "", ""], "the space asks", "forced"),
            ("from_the_ground_up", ["", "", "Ann"], "flipped", "flip"),
        ],
    )
    def test_the_help_uses_the_words_of_the_prompt(self, game, lines, name, key):
        help_lines = [line.strip() for line in run("fill", game, lines=[*lines, "?"]).stderr.split("\n")]
        assert any(line.startswith(f"{name}  ") for line in help_lines)
        assert not any(line.startswith(f"{key}  ") for line in help_lines)

    @pytest.mark.parametrize("total", ["6542", "-73", "total 6542", "{total: 73}"])
    def test_a_number_outside_the_range_in_the_prompt_is_refused(self, total):
        lines = ["", "", "Ann", "4 4 6 5 4 2", "", total, "4"]
        result = run("fill", "from_the_ground_up", lines=lines)
        assert "out of range; type a number from −72 to 72" in result.stderr and "{total: 4}" in result.stderr

    def test_the_number_of_cards_is_questioned_when_all_cards_are_typed(self):
        """A no asks for more shared cards. The deal comes later; nothing about it is needed."""
        lines = ["", "", "Ann", "4 4 6 5 4 2", "", "", "Ben", "11 2 5 2 4", "", "", "", ""]
        asked = run("fill", "from_the_ground_up", lines=lines).stderr
        assert "The sheet has 2 cards, but 2 players are dealt 3 each" in asked and "Deal" not in asked
        again = run("fill", "from_the_ground_up", "other.yaml", lines=[*lines, "n", "12 1 1 2 1"]).stderr
        assert again.count("Shared card 1:") == 2 and "{card: 12" in again


class TestNewSheet:
    def test_to_standard_output_and_to_a_file(self):
        result = run("new-sheet", "elevator_up", "--players", "Ann, Ben")
        assert "players: [Ann, Ben]" in result.stdout
        assert run("new-sheet", "elevator_up", "--players", "Ann, Ben", "-o", "log.yaml").exit_code == 0
        assert Path("log.yaml").read_text() == result.stdout
        assert run("score", "log.yaml").exit_code == 0

    def test_refuses_to_overwrite(self):
        Path("log.yaml").write_text("mine")
        assert "file already exists" in str(run("new-sheet", "upwards", "-o", "log.yaml").exception)
        assert Path("log.yaml").read_text() == "mine"
        assert run("new-sheet", "upwards", "-o", "log.yaml", "--force").exit_code == 0
        assert Path("log.yaml").read_text().startswith("# Upwards!, Score sheet.")

    def test_one_file_per_player(self):
        assert run("new-sheet", "upwards", "--players", "Ann Lee,Ben", "-o", "ours.yaml").stdout.split() == [
            "ours-ann-lee.yaml",
            "ours-ben.yaml",
        ]
        assert "player: Ann Lee\n" in re.sub(" +#.*", "", Path("ours-ann-lee.yaml").read_text())
        assert run("score", "ours-ann-lee.yaml", "ours-ben.yaml").exit_code == 1, "no scoring option is ticked"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--players", "Ann,Ben"], "add -o upwards.yaml to write upwards-ann.yaml and upwards-ben.yaml"),
            (["--players", "Ann!,Ann?", "-o", "ours.yaml"], "two players would get the same file"),
        ],
    )
    def test_refuses_players_without_a_file_for_each(self, arguments, message):
        assert message in str(run("new-sheet", "upwards", *arguments).exception)

    def test_your_own_game(self, tmp_path):
        assert "--game" in run("new-sheet", str(paths.ROOT / "examples/lantern_walk")).stdout
        folder = tmp_path / "walk"
        folder.mkdir()
        for name in ("game.yaml", "sheet.yaml", "cards.yaml", "cards.csv"):
            (folder / name).write_bytes((paths.ROOT / "examples/lantern_walk" / name).read_bytes())
        for file, game in (("sheet.yaml", "walk/"), ("walk/mine.yaml", "./")):
            assert run("new-sheet", "walk", "-o", file).exit_code == 0
            assert f"\ngame: {game}\n" in Path(file).read_text()
            assert run("score", file).exit_code == 0


def test_neither_loads_the_printing_packages(tmp_path):
    for words in (["new-sheet", "upwards"], ["fill", "upwards", str(tmp_path / "sheet.yaml")]):
        code = (
            f"import io\nfrom generator.cli import pencilbox\nsys.stdin = io.StringIO('Ann\\ndone\\n')\ntry:\n"
            f"    pencilbox.main({words!r}, standalone_mode=False)\nexcept SystemExit:\n    pass"
        )
        assert not loaded(code) & {"jinja2", "uharfbuzz", "mistune", "fontTools", "PIL", "pypdf"}


class Terminal:
    """Runs `pencilbox` in a new terminal, with line editing unless it is `dumb`."""

    def __init__(self, *arguments, kind="dumb"):
        self.end, inner = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": str(paths.ROOT), "TERM": kind}
        self.running = subprocess.Popen(
            [sys.executable, "-m", "generator", *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment,
            start_new_session=True,
            preexec_fn=self.sits_down,
        )
        os.close(inner)
        self.seen = ""

    @staticmethod
    def sits_down():
        """Makes this the controlling terminal, so that its Ctrl-C reaches the command."""
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def until(self, words, key=""):
        """Reads until the words appear; presses the key again if nothing happens, as a person would."""
        ends = time.monotonic() + 30
        self.type(key)
        while words not in self.seen:
            assert time.monotonic() < ends, self.seen
            if select.select([self.end], [], [], 0.5)[0]:
                self.seen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", os.read(self.end, 4096).decode(errors="replace"))
            else:
                self.type(key)
        self.seen = self.seen.partition(words)[2]

    def type(self, text):
        os.write(self.end, text.encode())


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_a_sheet_is_filled_in_at_a_terminal(key):
    at = Terminal("fill", "upwards", "nele.yaml")
    at.until("Player (your name): ")
    at.type("Nele\n")
    at.until("Event die")
    at.until("Not finished", key)
    assert at.running.wait(30) == 130
    again = Terminal("fill", "upwards", "nele.yaml")
    again.until("Continuing after 1 answer saved")
    for prompt, text in (("Event die", ""), ("Scoring", "rows"), ("row 8: ", "done"), ("Write nele.yaml? [Y/n]", "")):
        again.until(prompt)
        again.type(f"{text}\n")
    again.until("Wrote nele.yaml")
    assert again.running.wait(30) == 0
    assert Path("nele.yaml").read_text() == "game: upwards\nplayer: Nele\noption: rows\n"


def test_asks_before_writing_at_a_terminal():
    at = Terminal("fill", "from_the_ground_up", "tally.yaml", "--sheet", "tally")
    for prompt, text in (
        ("Date", ""),
        ("Player 1 (", "Ann"),
        ("Game (", "9 -3"),
        ("Total (", "7"),
        ("Keep it?", "y"),
        ("Player 2 (", ""),
        ("Write tally.yaml? [Y/n]", "undo"),
        ("Player 2 (", "undo"),
        ("Total (", "6"),
        ("Player 2 (", ""),
        ("Write tally.yaml? [Y/n]", "certainly"),
        ("y writes the file", ""),
    ):
        at.until(prompt)
        at.type(f"{text}\n")
    at.until("Wrote tally.yaml")
    assert at.running.wait(30) == 0
    assert "{name: Ann, games: [9, -3], claimed: {total: 6}}" in Path("tally.yaml").read_text()


def test_asks_before_overwriting_at_a_terminal():
    Path("nele.yaml").write_text("mine")
    at = Terminal("fill", "upwards", "nele.yaml")
    at.until("nele.yaml already exists.")
    at.until("Replace it?")
    at.type("n\n")
    assert at.running.wait(30) == 2
    at = Terminal("fill", "upwards", "nele.yaml")
    for prompt, text in (("Replace it?", "y"), ("Player", "Nele"), ("Event die", "done"), ("Write nele.yaml?", "")):
        at.until(prompt)
        at.type(f"{text}\n")
    at.until("Wrote nele.yaml")
    assert at.running.wait(30) == 1
    assert Path("nele.yaml").read_text() == "game: upwards\nplayer: Nele\n"


def test_no_at_the_end_writes_nothing():
    at = Terminal("fill", "upwards", "nele.yaml")
    for prompt, text in (("Player", "Nele"), ("Event die", "done"), ("Write nele.yaml?", "n")):
        at.until(prompt)
        at.type(f"{text}\n")
    at.until("Not finished. Your answers are saved in nele.yaml.part")
    assert at.running.wait(30) == 130
    assert not Path("nele.yaml").exists()


def test_line_editing_history_and_completion():
    left, up, start, tab = "\x1b[D", "\x1b[A", "\x01", "\t"
    at = Terminal("fill", "elevator_up", kind="xterm")
    for prompt, text in (
        ("Player 1", f"An{left}{left}J"),
        ("Player 2", f"{up}{start}B"),
        ("Player 3", ""),
        ("Deal", ""),
        ("Turn 1:", f"JA{tab} 7"),
        ("Turn 2:", "done"),
        ("Write elevator_up.yaml?", ""),
    ):
        at.until(prompt)
        at.type(f"{text}\r")
    assert at.running.wait(30) == 0
    assert "players: [JAn, BJAn]" in Path("elevator_up.yaml").read_text()
    assert "{player: JAn, play: [7]}" in Path("elevator_up.yaml").read_text()


def test_long_lines_break_between_words_and_stay_styled():
    line = f"  {style('error', 'error')}: “AEIO” is not a valid set code: it has 4 instead of 18 letters and digits"
    broken = _broken(line, 40)
    assert [unstyled(part) for part in broken.split("\n")] == [
        "  error: “AEIO” is not a valid set code:",
        "  it has 4 instead of 18 letters and",
        "  digits",
    ]
    assert style("error", "error") in broken


@pytest.mark.parametrize("game", ["elevator_up", "from_the_ground_up", "cosmic_consequences"])
def test_a_dash_is_not_a_name_and_a_blank_sheet_is_not_written(game):
    start = "\n\n" if game == "from_the_ground_up" else ""
    result = CliRunner().invoke(pencilbox, ["fill", game, "s.yaml"], input=f"done\n{start}-\n–\nAnn\nquit\n")
    assert result.exit_code == 130
    assert "the sheet is still blank: type the names of 2 to" in result.output
    assert "“-” is not a name" in result.output and "“–” is not a name" in result.output
    assert not Path("s.yaml").exists()
    assert json.loads(Path("s.yaml.part").read_text())["answers"][-1] == "Ann"
