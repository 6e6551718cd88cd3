"""pencilbox read, and photos in score and check"""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest

from generator.photo import reader
from tests import processes
from tests.photo.simulate import photo_of

MARKS = {"option.rows": "x", "grid.a1": "3", "grid.b1": "3", "grid.c1": "3", "grid.d1": "3", "claimed.option": "5"}


@pytest.fixture(scope="module")
def photo(tmp_path_factory):
    path = tmp_path_factory.mktemp("photos") / "ann.jpg"
    path.write_bytes(photo_of("upwards", "sheet", MARKS, seed=5, kind="easy", size=(1500, 2000)).jpeg)
    return path


@pytest.fixture(scope="module", autouse=True)
def pages():
    """Most commands read the same photo, which is read once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "pages_of", cache(reader.pages_of))
        yield


@pytest.fixture
def run(pencilbox, tmp_path, photo):
    """The command, in a folder with the photo."""
    shutil.copy(photo, tmp_path)
    return lambda *words: processes.Done(*pencilbox(*words), peak=0)


def test_a_photo_is_read_written_and_scored(run):
    read = processes.run("read", "ann.jpg", "--format", "json", "-o", "ann.yaml", folder=Path.cwd())
    sheet = json.loads(read.stdout)
    marks = {field["field"]: field["mark"] for field in sheet["fields"]}
    assert {name: marks[name] for name in MARKS} == MARKS
    assert (sheet["game"], sheet["sheet"], sheet["paper"]) == ("upwards", "sheet", "a4")
    box = next(field["box"] for field in sheet["fields"] if field["field"] == "grid.a1")
    assert all(0 < x < 1500 and 0 < y < 2000 for x, y in box)
    from_photo, from_file = (
        json.loads(run("score", file, "--format", "json").stdout) for file in ("ann.jpg", "ann.yaml")
    )
    assert from_photo.pop("read")[0]["photos"] == ["ann.jpg"]
    assert from_photo["players"] == from_file["players"]
    assert from_photo["players"][0]["total"] == 5


def test_answers_are_taken_and_confirmed(run):
    result = run("read", "ann.jpg", "--answer", "grid.a1=4", "--answer", "player=Ann", "--format", "json")
    fields = {field["field"]: field for field in json.loads(result.stdout)["fields"]}
    assert (fields["grid.a1"]["mark"], fields["grid.a1"]["confirmed"]) == ("4", True)
    assert fields["player"]["mark"] == "Ann"


def test_photos_that_were_read_are_skipped(run):
    assert run("read", "ann.jpg", "-o", "night.jsonl").returncode < 2
    again = run("read", "ann.jpg", "-o", "night.jsonl")
    assert "1 of 1 photos" in again.stderr
    (line,) = Path("night.jsonl").read_text().splitlines()
    assert json.loads(line)["photo"] == "ann.jpg"


def test_a_line_that_was_not_completed_is_read_again(run):
    assert run("read", "ann.jpg", "-o", "night.jsonl").returncode < 2
    line = Path("night.jsonl").read_text()
    shutil.copy("ann.jpg", "ben.jpg")
    Path("night.jsonl").write_text(line + line[:40])
    assert run("read", "ann.jpg", "ben.jpg", "-o", "night.jsonl").returncode < 2
    lines = Path("night.jsonl").read_text().splitlines()
    assert [json.loads(each)["photo"] for each in lines] == ["ann.jpg", "ben.jpg"]


@pytest.mark.parametrize("content", [b"no JSON\n", b"[1]\n", b'{"game": "upwards"}\n', b"\xff\xfe\x00\x81"])
def test_another_file_is_not_extended(run, content):
    Path("night.jsonl").write_bytes(content)
    result = run("read", "ann.jpg", "-o", "night.jsonl")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert Path("night.jsonl").read_bytes() == content


def test_photos_are_kept_with_the_play(run):
    words = ("score", "ann.jpg", "--answer", "player=Ann", "--save", "--league", "club.sqlite3")
    assert "Saved: play 1" in run(*words).stdout
    photo = Path("club-photos/1-01.jpg")
    assert 20_000 < len(photo.read_bytes()) < 400_000
    assert f"photo of play 1: {photo}" in run("league", "plays", "--file", "club.sqlite3").stdout
    assert run("league", "forget", "1", "--yes", "--file", "club.sqlite3").returncode == 0
    assert not photo.exists()
    assert "Saved: play" in run(*words, "--no-photos").stdout
    assert not list(Path("club-photos").iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("read", "ann.jpg", "--answer", "grid.a1"), "--answer grid.a1 is not an answer"),
        (("read", "ann.jpg", "--answer", "grid.z=1"), "there is no field “grid.z”"),
        (("read", "none.jpg"), "cannot be read: no such file"),
        (("score", "ann.jpg", "--workers", "2"), "--workers cannot be used with photos"),
        (("score", "ann.yaml", "--answer", "a=1"), "--answer only works with a photo"),
    ],
)
def test_wrong_words_are_one_line(run, words, message):
    result = run(*words)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
