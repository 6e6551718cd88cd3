"""Completion in real shells: what the Tab key does after the printed script is loaded."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator import paths
from generator.cli import completions, pencilbox
from generator.cli.setup import script

START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
CODE = "GU-1C01-NDRFZ-3ZJ57-RC"
CASES = {
    "commands, files, games": (
        "pencilbox sc\tshe\t--game elev\t",
        ["score", "sheet-of-ann.yaml", "--game", "elevator_up"],
    ),
    "components, papers, options": (
        "pencilbox make elevator_up tal\t--pap\tlega\t--dup\tgut\t",
        ["make", "elevator_up", "tally", "--paper", "legal", "--duplex", "gutterfold"],
    ),
    "folders": ("pencilbox make my_g\t", ["make", "my_game"]),
    "profiles": (
        "pencilbox randomise from_the_ground_up --profile fier\t",
        ["randomise", "from_the_ground_up", "--profile", "fierce"],
    ),
    "kinds": (
        "pencilbox randomise cosmic_consequences --kind boa\t",
        ["randomise", "cosmic_consequences", "--kind", "board"],
    ),
    "sheets": ("pencilbox fill rolling_cubes --sheet one\t", ["fill", "rolling_cubes", "--sheet", "one-by-one"]),
    "examples": ("pencilbox new --example sky\t", ["new", "--example", "sky_wonders"]),
    "set codes": ("pencilbox make --set GU\t", ["make", "--set", CODE]),
}
EVERYWHERE = ("commands, files, games", "components, papers, options", "folders", "set codes")
WRAPPER = """#!/bin/sh
[ -n "$_PENCILBOX_COMPLETE" ] && exec "{python}" -m generator "$@"
printf '%s\\n' "$@" > "{folder}/typed.new" && mv "{folder}/typed.new" "{folder}/typed"
"""


@pytest.fixture(scope="module", params=START)
def shell(request, tmp_path_factory):
    """Types a line into a shell with the script loaded; returns the words that the shell passes to the command."""
    name = request.param
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    folder = tmp_path_factory.mktemp(name)
    (folder / "my_game").mkdir()
    (folder / "sheet-of-ann.yaml").write_text("")
    (folder / "output" / "from_the_ground_up").mkdir(parents=True)
    (folder / "output" / "from_the_ground_up" / f"cards-a4-{CODE}.pdf").write_text("")
    (folder / "script").write_text(script(name, pencilbox))
    command = folder / "bin" / "pencilbox"
    command.parent.mkdir()
    command.write_text(WRAPPER.format(python=sys.executable, folder=folder))
    command.chmod(0o755)
    env = {"PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": str(paths.ROOT), "HOME": str(folder)}
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(START[name][0], START[name], {**os.environ, **env, "TERM": "xterm", "LC_ALL": "C.UTF-8"})

    def type_line(line, seconds=60):
        (folder / "typed").unlink(missing_ok=True)
        os.write(terminal, f"{line}\r".encode())
        screen, end = b"", time.monotonic() + seconds
        while not (folder / "typed").exists():
            assert time.monotonic() < end, screen
            if select.select([terminal], [], [], 0.1)[0]:
                new = os.read(terminal, 65536)
                if b"\x1b[c" in new or b"\x1b[0c" in new:  # fish asks what the terminal can do
                    os.write(terminal, b"\x1b[?6c")
                screen += new
        return [word.rstrip("/") for word in (folder / "typed").read_text().splitlines()]

    type_line("source ./script; pencilbox ready")
    yield name, type_line
    os.kill(child, 9)
    os.close(terminal)
    os.waitpid(child, 0)


def test_tab_completes(shell):
    """In bash everything; the other shells ask in their own way, but get the same suggestions."""
    name, complete = shell
    for what, (line, words) in CASES.items():
        if name == "bash" or what in EVERYWHERE:
            assert complete(line) == words, what


def test_the_script_for_zsh_turns_completion_on():
    first, second, *_ = script("zsh", pencilbox).splitlines()
    assert first == "#compdef pencilbox" and "compinit" in second


def test_the_command_prints_the_script(tmp_path):
    result = subprocess.run(
        [sys.executable, "-m", "generator", "completion", "bash"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(paths.ROOT), "PATH": ""},
    )
    assert result.stdout.decode() == f"{script('bash', pencilbox)}\n" and result.stderr == b""


def test_every_kind_of_words_can_be_completed():
    files = Path(completions.__file__).parent.glob("*.py")
    kinds = {kind for file in files for kind in re.findall(r"complete\(\"(\w+)\"\)", file.read_text("utf-8"))}
    assert "games" in kinds and all(callable(getattr(completions, kind)) for kind in kinds)
