"""Failures: one style of message, unambiguous exit codes, and no control characters."""

import json
import os
import re
import subprocess
import sys

import pytest

from generator import cli, paths
from generator.cli import console, failures
from generator.errors import InputError, Place, Problem, did_you_mean, natural

SHEET = "game: upwards\noption: rows\ngrid: ['1 1 1 1']\n"


def shell(command, folder, **env):
    """Runs a command line in a shell, with `pencilbox` from this checkout."""
    python = f'"{sys.executable}" -m generator'
    return subprocess.run(
        ["bash", "-c", command.replace("pencilbox", python)],
        cwd=folder,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(paths.ROOT), **env},
    )


# ---- style ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nosuch", "there is no command “nosuch”; “pencilbox help” lists the commands"),
        ("mak", "there is no command “mak”; did you mean make?"),
        ("make upwards --coppies 3", "there is no option --coppies; did you mean --copies"),
        ("make upwards --zzz", "there is no option --zzz; see “pencilbox make --help”"),
        ("make upwards --duplex both", "--duplex cannot be “both”; it is one of long, short, gutterfold, none"),
        ("make upwards --duplex Shrt", "--duplex cannot be “Shrt”; did you mean short?"),
        ("make upwards --copies 0", "--copies must be from 1 to 1000, not 0"),
        ("make upwards --copies many", "--copies must be a whole number, not “many”"),
        ("make upwards --copies", "--copies needs a value"),
        ("score x.yaml --game --strict", "--game needs a value; it is followed by --strict"),
        ("new-sheet", "GAME is missing; usage: pencilbox new-sheet [OPTIONS] GAME"),
        ("score", "SHEET is missing; usage: pencilbox score [OPTIONS] SHEET..."),
        ("rules upwards towers", "too many arguments: towers"),
        ("help nosuch", "there is no command “nosuch”"),
    ],
)
def test_a_wrong_command_line_gets_one_line(pencilbox, words, message):
    code, out, err = pencilbox(*words.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: {message}")


def test_every_wrong_option_is_reported_at_once(pencilbox):
    code, _, err = pencilbox("make", "upwards", "--coppies", "3", "--duplex", "both", "--copies", "0", "--zzz=4")
    assert code == 2
    assert [line.split()[-1] for line in err.splitlines()] == ["--copies?", "there", "none", "0"] or len(
        err.splitlines()
    ) == 4


@pytest.mark.parametrize(
    "words",
    [
        "nosuch --format json",
        "make --format json",
        "make upwards --format=json --zzz",
        "check x.yaml --game --format json",
        "randomise upwards --output --format=json",
        "make nosuch --format json",
        "score --format jsonl",
        "score nosuch.yaml --format json --strickt",
        "score nosuch.yaml --format json --words nosuch",
        "rules --format json",
        "games nosuch --format json",
        "verify GU --format json",
        "words --throw ?? --format json",
        "balance upwards --format json --players 90",
        "fields upwards nosuch --format json",
        "randomise upwards --format json --count many",
    ],
)
def test_json_is_printed_for_every_failure(pencilbox, words):
    code, out, _ = pencilbox(*words.split())
    answer = json.loads(out)
    assert code == 2
    assert answer["valid"] is False and answer["error"][0]["message"]
    assert set(answer["error"][0]) == {"file", "line", "message", "hint"}


@pytest.mark.parametrize("flag", ["--fillable", "--no-fillable", "--low-ink", "--force", "--quiet"])
def test_a_flag_may_be_followed_by_an_option(pencilbox, flag):
    code, _, err = pencilbox("make", "from_the_ground_up", "tally", flag, "--paper", "a4")
    assert (code, "needs a value" in err) == (0, False)


def test_help_shows_the_help_of_a_command(pencilbox):
    assert pencilbox("help", "make") == pencilbox("make", "--help")
    assert pencilbox("help") == pencilbox("--help") == pencilbox()
    assert "new-sheet [OPTIONS]" in pencilbox("help", "blank")[1]


# ---- messages -------------------------------------------------------------------------------------------------------


def test_hints_suggest_similar_words():
    assert did_you_mean("Letter", ["letter", "a4"]) == "did you mean letter?"
    assert did_you_mean("x", ["game", "deal", "deal"]) == "known: deal, game"
    assert did_you_mean("card", ["1", "10", "2"]) == "known: 1, 2, 10"
    assert did_you_mean("pile", ["players", "option"]) == "known: option, players"


def test_numbers_sort_by_value():
    assert sorted(["c10", "c9", "10", "b", "9"], key=natural) == ["9", "10", "b", "c9", "c10"]


def test_the_same_problem_in_many_lines_is_one_message(capsys):
    console.show_errors([Problem("is too long", Place("cards.csv", line), "shorten it") for line in range(3, 43)])
    assert capsys.readouterr().err == (
        "error: cards.csv:3: is too long (also on lines 4, 5, 6, 7, 8, 9, 10, 11 and 31 more); shorten it\n"
    )


def test_a_long_list_of_problems_is_cut(capsys):
    console.show_errors([Problem(f"problem {number}") for number in range(50)])
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines), lines[-1]) == (20, "error: and 31 more problems")
    console.show_errors([Problem("x" * 5000)])
    assert capsys.readouterr().err == f"error: {'x' * 599}…\n"


EVIL = "\x1b]0;title\x07\x1b[8m\u202ehidden\x9b1m\ud800"


def test_control_characters_are_escaped(capsys):
    console.echo(console.style(EVIL, "bold"))
    console.show_errors([Problem(EVIL, Place(f"{EVIL}.yaml"))])
    message = capsys.readouterr()
    assert not set(EVIL) & {"\x1b", "\x07", "\u202e", "\x9b", "\ud800"} & set(message.out + message.err)
    assert "\\x1b]0;title\\x07\\x1b[8m\\u202ehidden\\x9b1m\\ud800" in message.out
    console.echo_json({"name": EVIL})
    out = capsys.readouterr().out
    assert json.loads(out) == {"name": EVIL} and out.isprintable() is False and "\x1b" not in out and "\x9b" not in out


def test_control_characters_of_a_sheet_are_escaped(pencilbox, tmp_path):
    (tmp_path / "sheet.yaml").write_text(SHEET + 'player: "A\\e[8mnn\\u202e"\nclaimed: {total: 99}\n')
    for words in ([], ["--format", "json"], ["--format", "jsonl"]):
        _, out, err = pencilbox("score", "sheet.yaml", *words)
        assert "\x1b" not in out + err and "\u202e" not in out + err


def test_only_the_console_prints():
    """`console` escapes what is printed, so no other module of the command line may print."""
    for path in (paths.ROOT / "generator" / "cli").glob("*.py"):
        if path.name not in ("console.py", "fill.py"):
            code = path.read_text()
            assert not re.search(r"click\.echo\(|stdout\.write\(|\bprint\(", code), path.name


# ---- exit codes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "where", "code"),
    [
        *((command, ">/dev/full", 74) for command in ("games", "--help", "score sheet.yaml")),
        *((command, ">&-", 74) for command in ("--help", "score --format json sheet.yaml")),
        *((command, ">/dev/full 2>&1", 74) for command in ("games", "score sheet.yaml")),
        *((command, "| true; exit ${PIPESTATUS[0]}", 0) for command in ("games", "score --format json sheet.yaml")),
    ],
)
def test_output_that_cannot_be_written_has_its_own_exit_code(tmp_path, command, where, code):
    (tmp_path / "sheet.yaml").write_text(SHEET)
    result = shell(f"pencilbox {command} {where}", tmp_path)
    assert result.returncode in (code, code or 141), result.stderr
    assert b"Traceback" not in result.stderr and b"Exception ignored" not in result.stderr


def test_a_closed_pipe_ends_quietly(tmp_path):
    result = shell("(sleep 0.5; pencilbox rules cosmic_consequences; echo $? >&2) | true", tmp_path)
    assert result.stderr == b"141\n"


def test_closed_standard_input_is_an_error(tmp_path):
    result = shell("pencilbox score - <&-", tmp_path)
    assert result.returncode == 2 and result.stderr.startswith(b"error: stdin")


def test_a_deleted_working_folder_is_an_error(tmp_path):
    (tmp_path / "gone").mkdir()
    result = shell("cd gone && rmdir ../gone && pencilbox make upwards", tmp_path)
    assert (result.returncode, result.stderr.count(b"\n")) in ((74, 1), (2, 1)), result.stderr


@pytest.mark.parametrize(
    ("encoding", "command"),
    [
        ("cp437", "randomise elevator_up --seed x"),
        ("latin-1", "new-sheet cosmic_consequences"),
        ("ascii", "rules upwards"),
        ("cp437", "words --throw red=AEIO,orange=C=,green=NSR,light-blue=G,blue=/T,purple=K"),
        ("latin-1", "verify GU-1C01-NDRFZ-3ZJ57-RC"),
        ("latin-1", "games"),
        ("ascii", "games"),
        ("ascii", "make nosuch"),
        ("ascii", "games --format json"),
    ],
)
def test_terminals_need_not_be_utf8(tmp_path, encoding, command):
    result = shell(f"pencilbox {command}", tmp_path, PYTHONIOENCODING=encoding)
    assert result.returncode == (2 if "nosuch" in command else 0), result.stderr


def test_an_unexpected_exception_is_a_bug(pencilbox, monkeypatch):
    def broken(*_args, **_settings):
        raise KeyError("\x1b[8m")

    monkeypatch.setattr(cli.pencilbox, "invoke", broken)
    code, _, err = pencilbox("games")
    assert (code, err.count("\n")) == (70, 1)
    assert err.startswith("error: Pencilbox failed: KeyError at ") and "please report" in err
    assert json.loads(pencilbox("games", "--format", "json")[1])["valid"] is False
    monkeypatch.setenv("PENCILBOX_TRACEBACK", "1")
    assert "Traceback" in pencilbox("games")[2]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MemoryError(), 70),
        (RecursionError(), 70),
        (KeyboardInterrupt(), 130),
        (PermissionError(13, "Permission denied", "x"), 74),
        (InputError([Problem("x")]), 2),
    ],
)
def test_each_kind_of_failure_has_its_exit_code(error, code, capsys):
    assert failures.report(error, []) == code
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("make", "upwards", "--seed", "3"), "add --random"),
        (("make", "upwards", "--pads", "3"), "did you mean --copies"),
        (("print", "upwards"), "did you mean make?"),
        (("make", "ground"), "did you mean from_the_ground_up?"),
        (("make", "cosmic"), "did you mean cosmic_consequences?"),
        (("export", "upwards", "--for", "tts"), "did you mean tabletop-simulator?"),
        (("export", "upwards", "--for", "crafter"), "did you mean the-game-crafter?"),
        (("make", "Upwards!"), "did you mean upwards?"),
        (("make", "upwards", "--paper", "US Letter"), "did you mean us-letter or letter?"),
        (("preflight", "upwards"), "choose one of png, jpg"),
        (("balance",), "a folder, or a set code"),
    ],
)
def test_abbreviations_and_other_words_are_understood(pencilbox, words, hint):
    code, _, err = pencilbox(*words)
    assert code == 2 and hint in err


@pytest.mark.parametrize("words", [(), ("--set",)])
def test_a_set_code_alone_names_the_game_to_balance(pencilbox, words):
    set_code = "UP-1S01-PN6SA-46EQ3-27"
    code, out, _ = pencilbox("balance", *words, set_code, "--games", "2")
    assert code == 0 and f"set {set_code}" in out


def test_a_table_fits_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    rows = [("一二", "word " * 12), ("b", "")]
    lines = console.unstyled(console.table(("a", "about"), rows)).splitlines()
    seven, five = ("word " * 7).strip(), ("word " * 5).strip()
    assert lines[:3] == ["a     about", f"一二  {seven}", f"      {five}"]
    assert lines[-1] == "b"


def test_a_progress_bar_ends_with_an_empty_line(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with console.progress("cards", 100) as step:
        step()
    shown = capsys.readouterr().err
    assert "cards  [                              ] 1 of 100" in shown
    assert not shown.rpartition("\r")[0].rpartition("\r")[2].strip()
