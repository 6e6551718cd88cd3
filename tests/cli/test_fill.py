"""`fill` and `blank` on the command line: what is asked, kept, written and told."""

import fcntl
import json
import os
import pty
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
from generator.definitions.load import load
from generator.judging.judge import Judge
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
    "",
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
    """The turns of a log as they are typed: with their keys, what the space asked for last."""
    for turn in (f"turns.{number}" for number in range(1, count + 1)):
        said = ((part, marks.get(f"{turn}.{part}")) for part in ("draw", "jump", "discard", "roll", "to", "forced"))
        yield " ".join([marks[f"{turn}.player"], *(f"{part} {text}" for part, text in said if text)])


def hand_lines(marks, count):
    for hand in (f"hands.{number}" for number in range(1, count + 1)):
        stacks = [f'"{text}"' for number in range(1, 5) if (text := marks.get(f"{hand}.stacks.{number}"))]
        told = f", stacks {' '.join(stacks)}" if stacks else ""
        yield f"{marks.get(f'{hand}.cc_up', '.')}, {marks.get(f'{hand}.number_up', '.')}{told}"


def run(*arguments, lines=()):
    return CliRunner().invoke(pencilbox, [*arguments], input="".join(f"{line}\n" for line in lines))


class TestFill:
    def test_a_sheet_is_written_scored_and_not_kept_twice(self):
        told = run("fill", "upwards", "nele.yaml", lines=NELE)
        assert told.exit_code == 0
        assert "No rule is broken." in told.stdout
        assert "pencilbox score nele.yaml" in told.stderr
        assert list(map(str, Path().iterdir())) == ["nele.yaml"]
        assert run("score", "nele.yaml").stdout == told.stdout
        assert '  - "1 o . 5"\n' in Path("nele.yaml").read_text()

    def test_a_broken_rule_is_told_at_once_and_kept_only_if_it_is_so(self):
        typed = ["Ann Ben", "", "Ann 7", "Ben 3", "n", "Ben 8", "Ann 2", "y", "", ""]
        told = run("fill", "elevator_up", lines=typed)
        assert told.exit_code == 1
        assert told.stderr.count("beats: Ben plays 3, which does not beat 7.") == 1
        assert "{player: Ben, play: [8]}" in Path("elevator_up.yaml").read_text()
        assert "play: [3]" not in Path("elevator_up.yaml").read_text()
        assert "beats" in told.stdout

    def test_the_line_as_it_should_have_been_is_taken_for_a_no(self):
        told = run("fill", "elevator_up", lines=["Ann Ben", "", "Ann 7", "Ben 3", "Ben 2", "Ben 8", "", ""])
        assert told.exit_code == 0
        assert told.stderr.count("Keep it?") == 2
        assert "{player: Ben, play: [8]}" in Path("elevator_up.yaml").read_text()
        told = run("fill", "elevator_up", "two.yaml", lines=["Ann Ben", "", "Ann 7", "Ben 3", "done"])
        assert told.exit_code == 0
        assert Path("two.yaml").read_text().endswith("  - {player: Ann, play: [7]}\n")

    @pytest.mark.parametrize("seed", range(3))
    def test_a_whole_game_of_cosmic_consequences_in_short_lines(self, seed):
        sheet = random_sheet(load("cosmic_consequences"), seed, most_turns=40, told=False)
        (judged,) = Judge(copies=True).answers([as_file("typed.json", sheet)])
        copied = judged.copied[0]
        marks = {**copied.filled.marks} | copied.strokes.marks
        told = run(
            "fill",
            "cosmic_consequences",
            lines=[
                " ".join(sheet["players"]),
                "",
                "",
                "with",
                *turn_lines(marks, len(sheet["turns"])),
                "",
                *hand_lines(marks, len(sheet["players"])),
            ],
        )
        assert told.exit_code == 0
        assert "Keep it?" not in told.stderr
        assert "no:" not in told.stderr
        (again,) = Judge().answers(["cosmic_consequences.yaml"])
        assert again.result == judged.result

    def test_who_races_without_cards_is_not_asked_for_hands(self):
        told = run("fill", "cosmic_consequences", lines=["Ann Ben", "", "", "without", "Ann 4 is-1", ""])
        assert told.exit_code == 0
        assert "Hand" not in told.stderr
        assert "Hand" in run("fill", "cosmic_consequences", "two.yaml", lines=["Ann Ben", "", "", "", ""]).stderr

    def test_wrong_marks_are_told_in_the_words_of_the_judge(self):
        told = run("fill", "from_the_ground_up", lines=["", "stal", "stall", "Ann", "4, 6 7", "13", "done"])
        assert "variant must be stall, not “stal”; did you mean stall?" in told.stderr
        assert "players.1.cards.1.crates.2 must be a number of the die, 1 to 6, not “7”" in told.stderr
        assert "players.1.cards.1.card must be a card of the game, not “13”; known: 1, 2" in told.stderr
        assert Path("from_the_ground_up.yaml").read_text() == (
            "game: from_the_ground_up\nvariant: stall\nplayers:\n  - {name: Ann}\n"
        )

    @pytest.mark.parametrize("word", ["undo", "<", "back", "UNDO"])
    def test_the_last_answer_is_taken_back(self, word):
        run("fill", "upwards", lines=["Nela", word, "Nele", "", "rows", "done"])
        assert Path("upwards.yaml").read_text() == "game: upwards\nplayer: Nele\noption: rows\n"

    def test_nothing_to_take_back_and_help_and_the_sheet_so_far(self):
        told = run("fill", "upwards", lines=["undo", "?", "Nele", "show", "done"])
        assert "nothing to take back" in told.stderr
        assert "take the last answer back" in told.stderr
        assert "game: upwards\nplayer: Nele\n" in told.stderr

    def test_a_word_in_quotes_is_no_command(self):
        run("fill", "upwards", lines=['"done"', "done"])
        assert Path("upwards.yaml").read_text() == "game: upwards\nplayer: done\n"

    @pytest.mark.parametrize("end", [[], ["quit"]])
    def test_what_was_typed_is_kept(self, end):
        told = run("fill", "upwards", "nele.yaml", lines=NELE[:7] + end)
        assert told.exit_code == 130
        assert list(map(str, Path().iterdir())) == ["nele.yaml.part"]
        again = run("fill", "upwards", "nele.yaml", lines=NELE[7:])
        assert "Going on after 7 answers" in again.stderr
        whole = run("fill", "upwards", "whole.yaml", lines=NELE)
        assert again.exit_code == whole.exit_code == 0
        assert Path("nele.yaml").read_text() == Path("whole.yaml").read_text()

    def test_nothing_typed_is_nothing_kept(self):
        assert run("fill", "upwards", lines=["Nele", "undo"]).exit_code == 130
        assert list(Path().iterdir()) == []

    def test_what_a_terminal_would_obey_is_not_repeated(self):
        told = run("fill", "upwards", lines=["Nele", "\x1b[2Jx, ", "done"])
        assert "\x1b" not in "".join(line for line in told.stderr.splitlines() if line.startswith("  no:"))

    def test_what_was_kept_against_a_rule_is_not_asked_about_again(self):
        run("fill", "elevator_up", lines=["Ann Ben", "", "Ann 7", "Ben 3", "y"])
        assert "Keep it?" not in run("fill", "elevator_up", lines=["Ann 4", "", ""]).stderr

    def test_answers_that_do_not_fit_any_more(self):
        run("fill", "upwards", lines=NELE[:4])
        kept = json.loads(Path("upwards.yaml.part").read_text())
        kept["answers"][2] = "colums"
        Path("upwards.yaml.part").write_text(json.dumps(kept))
        told = run("fill", "upwards", lines=["rows", "done"])
        assert "the answers from number 3 on do not fit any more" in told.stderr
        assert Path("upwards.yaml").read_text() == "game: upwards\nplayer: Nele\nevent_die: x\noption: rows\n"

    @pytest.mark.parametrize(
        ("kept", "said"),
        [
            ("[", "does not hold"),
            ('{"answers": 3}', "does not hold"),
            ('{"game": "upwards", "sheet": "other", "answers": []}', "another sheet"),
        ],
    )
    def test_a_part_that_is_none(self, kept, said):
        Path("upwards.yaml.part").write_text(kept)
        told = run("fill", "upwards")
        assert said in str(told.exception)

    def test_a_file_is_not_written_over(self):
        Path("upwards.yaml").write_text("mine")
        assert "there is such a file already" in str(run("fill", "upwards", lines=NELE).exception)
        assert Path("upwards.yaml").read_text() == "mine"
        assert run("fill", "upwards", "--force", lines=NELE).exit_code == 0

    def test_a_sheet_that_the_game_has_not_got(self):
        assert "no score sheet “tally”" in str(run("fill", "upwards", "--sheet", "tally").exception)

    def test_ones_own_game_beside_the_sheet_and_elsewhere(self, tmp_path):
        (tmp_path / "walk").symlink_to(paths.ROOT / "examples/lantern_walk")
        typed = ["Ada 12 9 15 claimed 36", "Bo, 10 14 8, claimed 32", ""]
        told = run("fill", "walk", "here.yaml", lines=typed)
        assert told.exit_code == 0
        assert "pencilbox score here.yaml --game walk" in told.stderr
        assert run("score", "here.yaml", "--game", "walk").exit_code == 0

    @pytest.mark.parametrize(("game", "sheet"), SHEETS)
    def test_every_question_can_be_asked_about(self, game, sheet):
        told = run("fill", game, "sheet.yaml", "--sheet", sheet, lines=["?", "Ann Ben", *["?", ""] * 30])
        assert told.exit_code in (0, 1, 2, 130)
        assert not isinstance(told.exception, Exception)
        assert told.stderr.count("take the last answer back") >= 2

    @pytest.mark.parametrize(
        "path", [p for p in GOOD if p.stem in ("over", "doubts", "all-five", "two-players")], ids=lambda path: path.stem
    )
    def test_whole_sheets_line_by_line(self, path):
        said = document(path)
        typed = transcript(filler_of(said), said, "placed").answers
        sheet = said.get("mode") or said.get("sheet") or ""
        told = run("fill", said["game"], "sheet.yaml", "--sheet", sheet, lines=typed)
        assert told.exit_code == 0
        assert "Keep it?" not in told.stderr
        assert run("score", "sheet.yaml").stdout == told.stdout


class TestBlank:
    def test_to_standard_output_and_to_a_file(self):
        told = run("new-sheet", "elevator_up", "--players", "Ann, Ben")
        assert "players: [Ann, Ben]" in told.stdout
        assert run("new-sheet", "elevator_up", "--players", "Ann, Ben", "-o", "log.yaml").exit_code == 0
        assert Path("log.yaml").read_text() == told.stdout
        assert run("score", "log.yaml").exit_code == 0

    def test_a_file_is_not_written_over(self):
        Path("log.yaml").write_text("mine")
        assert "there is such a file already" in str(run("new-sheet", "upwards", "-o", "log.yaml").exception)
        assert Path("log.yaml").read_text() == "mine"
        assert run("new-sheet", "upwards", "-o", "log.yaml", "--force").exit_code == 0
        assert Path("log.yaml").read_text().startswith("# Upwards!, Score sheet.")

    def test_ones_own_game(self, tmp_path):
        assert "--game" in run("new-sheet", str(paths.ROOT / "examples/lantern_walk")).stdout
        own = tmp_path / "walk"
        own.mkdir()
        for name in ("game.yaml", "sheet.yaml", "cards.yaml", "cards.csv"):
            (own / name).write_bytes((paths.ROOT / "examples/lantern_walk" / name).read_bytes())
        for file, game in (("sheet.yaml", "walk/"), ("walk/mine.yaml", "./")):
            assert run("new-sheet", "walk", "-o", file).exit_code == 0
            assert f"\ngame: {game}\n" in Path(file).read_text()
            assert run("score", file).exit_code == 0


def test_neither_loads_what_prints(tmp_path):
    for words in (["new-sheet", "upwards"], ["fill", "upwards", str(tmp_path / "sheet.yaml")]):
        code = (
            f"import io\nfrom generator.cli import pencilbox\nsys.stdin = io.StringIO('Ann\\ndone\\n')\ntry:\n"
            f"    pencilbox.main({words!r}, standalone_mode=False)\nexcept SystemExit:\n    pass"
        )
        assert not loaded(code) & {"jinja2", "reportlab", "mistune", "fontTools", "PIL", "pypdf"}


class Terminal:
    """`pencilbox` at a terminal of its own."""

    def __init__(self, *arguments):
        self.end, inner = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": str(paths.ROOT), "TERM": "dumb"}
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
        """The terminal becomes the one whose Ctrl-C is heard, whoever runs the tests."""
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def until(self, words, key=""):
        """Reads on up to the words; a key is pressed, and again if nothing comes of it, as a person would."""
        ends = time.monotonic() + 30
        self.type(key)
        while words not in self.seen:
            assert time.monotonic() < ends, self.seen
            if select.select([self.end], [], [], 0.5)[0]:
                self.seen += os.read(self.end, 4096).decode(errors="replace")
            else:
                self.type(key)
        self.seen = self.seen.partition(words)[2]

    def type(self, text):
        os.write(self.end, text.encode())


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_at_a_terminal(key):
    at = Terminal("fill", "upwards", "nele.yaml")
    at.until("Player (Your name): ")
    at.type("Nele\n")
    at.until("Event die")
    at.until("Not finished", key)
    assert at.running.wait(30) == 130
    again = Terminal("fill", "upwards", "nele.yaml")
    again.until("Going on after 1 answers")
    for prompt, text in (("Event die", ""), ("Scoring", "rows"), ("row 8: ", "done")):
        again.until(prompt)
        again.type(f"{text}\n")
    again.until("Written to nele.yaml")
    assert again.running.wait(30) == 0
    assert Path("nele.yaml").read_text() == "game: upwards\nplayer: Nele\noption: rows\n"


def test_the_last_look_at_a_terminal():
    at = Terminal("fill", "from_the_ground_up", "tally.yaml", "--sheet", "tally")
    for prompt, text in (
        ("Date", ""),
        ("Player 1: ", "Ann, 9 -3, claimed 7"),
        ("Keep it?", "y"),
        ("Player 2: ", ""),
        ("That is all.", "undo"),
        ("Player 2: ", "undo"),
        ("Player 1: ", "Ann, 9 -3, claimed 6"),
        ("Player 2: ", ""),
        ("That is all.", ""),
    ):
        at.until(prompt)
        at.type(f"{text}\n")
    at.until("Written to tally.yaml")
    assert at.running.wait(30) == 0
    assert "{name: Ann, games: [9, -3], claimed: {total: 6}}" in Path("tally.yaml").read_text()
