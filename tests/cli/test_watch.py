"""pencilbox make --watch: a real process that prints again when files are saved."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator import paths
from generator.cli import make

EXAMPLE = paths.ROOT / "examples" / "lantern_walk"
LONGEST = 60


@pytest.fixture
def watched(tmp_path):
    """Starts the command in an empty folder; ends it afterwards."""
    started = []

    def start(*words):
        process = subprocess.Popen(
            [sys.executable, "-m", "generator", "make", *words, "--watch"],
            cwd=tmp_path,
            stdout=(tmp_path / "out.txt").open("wb"),
            stderr=(tmp_path / "err.txt").open("wb"),
            env={**os.environ, "PYTHONPATH": str(paths.ROOT)},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


def wait_for(condition):
    end = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.1)


@pytest.mark.usefixtures("default_signals")
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent as a signal")
def test_a_game_is_printed_again_when_a_file_is_saved(watched, tmp_path):
    own = shutil.copytree(EXAMPLE, tmp_path / "own")
    process = watched("own", "cards", "--draft")
    err, pdf, template = tmp_path / "err.txt", tmp_path / "output/own/cards-a4-draft.pdf", own / "templates/card.xml.j2"

    def rounds(count):
        wait_for(lambda: err.read_text("utf-8").count("Waiting for changes in own; Ctrl-C stops.") >= count)

    rounds(1)
    first = pdf.read_bytes()
    (own / "cards.csv").write_text((own / "cards.csv").read_text().replace("Old Ferry", "New Ferry"))
    rounds(2)
    second = pdf.read_bytes()
    assert second != first

    game = (own / "game.yaml").read_text()
    (own / "game.yaml").write_text(game.replace("players: 2-4", "players: none"))
    rounds(3)
    assert "own/game.yaml:5: " in err.read_text("utf-8") and pdf.read_bytes() == second
    (own / "game.yaml").write_text(game)
    template.write_text(template.read_text().replace('padding="4"', 'padding="5"'))
    rounds(4)
    assert pdf.read_bytes() not in (first, second)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(LONGEST) == 0
    assert "Traceback" not in err.read_text("utf-8")


def test_changes_are_seen_and_printed_files_are_not(tmp_path):
    game = shutil.copytree(EXAMPLE, tmp_path / "own")
    output = game / "output"
    output.mkdir()
    before = make._snapshot([game], output)
    assert str(game / "cards.csv") in before
    for name in ("output/own.png", "copy.pdf", ".hidden", "cards.csv~", ".git/index"):
        (game / name).parent.mkdir(exist_ok=True)
        (game / name).write_text("x")
    assert make._snapshot([game], output) == before
    (game / "art").mkdir()
    (game / "art" / "moon.png").write_text("x")
    assert make._snapshot([game], output) != before


def test_unchanged_components_are_not_printed_again(tmp_path, monkeypatch):
    commands = []
    monkeypatch.setattr(make, "_make_again", lambda arguments: commands.append(arguments) or len(commands) == 3)
    monkeypatch.setattr(make, "_wait", lambda *_: 1 / (len(commands) < 4))
    with pytest.raises(ZeroDivisionError):
        make._watch_loop(["own", "--force", "--open"], [tmp_path], tmp_path / "output")
    again = ["--replace", "own"]  # files outside the output folder may be replaced, but need not be printed
    assert commands == [["own", "--force", "--open"], again, again, again]


def test_only_a_table_and_its_pictures_are_watched(tmp_path):
    for name in ("cards.csv", "other.csv", "notes.txt", "moon.png"):
        (tmp_path / name).write_text("x")
    seen = make._snapshot([tmp_path / "cards.csv"], tmp_path / "output")
    assert {Path(file).name for file in seen} == {"cards.csv", "moon.png"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "GU-1C01-NDRFZ-3ZJ57-RC"], "--watch needs a game or a table; name its folder or file"),
        (["from_the_grund_up"], "--watch needs a game or a table"),
        (["upwards", "--format", "json"], "--watch and --format json cannot be used together"),
        (["upwards", "--random"], "--watch with --random needs --seed"),
    ],
)
def test_a_wrong_command_is_refused(pencilbox, words, message):
    code, out, err = pencilbox("make", *words, "--watch")
    assert code == 2 and message in out + err
