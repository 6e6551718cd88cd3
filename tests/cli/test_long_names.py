"""Names that are too long for a file are reported like other missing files."""

import pytest
from click.testing import CliRunner

from generator.cli import pencilbox
from generator.errors import InputError

LONG = "z" * 5000


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sheet.yaml").write_text(f"game: {LONG}\n")
    (tmp_path / "sheet.jsonl").write_text(f'{{"game": "{LONG}"}}\n')


@pytest.mark.parametrize(
    "command",
    [
        ["make", LONG],
        ["make", "upwards", "-o", LONG],
        ["make", "upwards", "--set", LONG],
        ["randomise", LONG],
        ["new-sheet", LONG],
        ["new-sheet", "upwards", "-o", LONG],
        ["fill", LONG],
        ["fill", "upwards", LONG],
        ["verify", LONG],
        ["verify", f"{LONG}.pdf"],
        ["balance", LONG],
        ["score", LONG],
        ["rules", LONG],
        ["fields", LONG, "x"],
    ],
    ids=lambda words: " ".join(words).replace(LONG, "NAME"),
)
def test_a_name_too_long_for_a_file_is_reported(command):
    result = CliRunner().invoke(pencilbox, command, input="x\n")
    assert isinstance(result.exception, InputError) or result.exit_code == 2


@pytest.mark.parametrize("file", ["sheet.yaml", "sheet.jsonl"])
def test_a_game_name_too_long_for_a_folder_is_reported(file):
    result = CliRunner().invoke(pencilbox, ["score", file])
    assert result.exit_code == 2
    assert f"{file}:1: there is no game “zzz" in result.stderr
