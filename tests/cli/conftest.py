"""What the tests of the commands share."""

import sys

import pytest

from generator.cli import main


@pytest.fixture
def pencilbox(tmp_path, monkeypatch, capsys):
    """Runs a command in an empty folder; returns its exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["pencilbox", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return run
