"""pencilbox studio"""

import signal
import socket
import subprocess
import sys

import pytest

from generator import paths


def start(*arguments, cwd):
    command = [sys.executable, "-m", "generator", "studio", "--no-browser", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=cwd, env={"PYTHONPATH": str(paths.ROOT), "PATH": ""}, **pipes)


@pytest.mark.parametrize("table", [None, "cards.csv"])
def test_the_first_line_is_the_address_and_ctrl_c_ends_it(tmp_path, table):
    if table:
        (tmp_path / table).write_text("Name,Text\nPaper Moon,Counts double.\n")
    studio = start(*([table] if table else ["upwards"]), cwd=tmp_path)
    address = studio.stdout.readline()
    assert address.startswith("http://127.0.0.1:")
    assert "/design?token=" in address
    studio.send_signal(signal.SIGINT)
    assert studio.wait(20) == 0
    assert studio.stderr.read() in ("", "Press Ctrl-C to stop.\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("upwrads",), "did you mean upwards?"),
        (("nothing.csv",), "there is no file “nothing.csv”"),
        (("--port", "70000"), "--port must be from 0 to 65535"),
    ],
)
def test_what_cannot_be_opened_is_one_line(tmp_path, words, message):
    studio = start(*words, cwd=tmp_path)
    assert studio.wait(20) == 2
    assert studio.stdout.read() == ""
    lines = studio.stderr.read().splitlines()
    assert len(lines) == 1
    assert message in lines[0]


def test_a_port_in_use_is_one_line(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        studio = start("--port", other.getsockname()[1], cwd=tmp_path)
        assert studio.wait(20) == 2
    assert "already in use; choose another one with --port" in studio.stderr.read()
