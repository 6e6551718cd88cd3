"""Scoring with several processes: the same answers, in the same order, with the same exit code."""

import json
import pickle
from contextlib import contextmanager

import pytest

from generator.judging import processes
from generator.workers import SerialExecutor, Workers

GOOD = {"game": "upwards", "option": "rows", "grid": ["1 2 3 4"], "player": "Ann"}
SHEETS = [
    GOOD,
    GOOD | {"player": "Ben"},
    GOOD | {"grid": ["9"]},
    {"game": "upward"},
    GOOD | {"claimed": {"total": 7}},
]


class Pickling(SerialExecutor):
    """Passes jobs and results on as another process would."""

    def submit(self, function, job):
        return super().submit(lambda: pickle.loads(pickle.dumps(function(pickle.loads(pickle.dumps(job))))))


@pytest.fixture
def both(pencilbox, tmp_path, monkeypatch):
    """Runs a command with one process and with several, which are simulated, and compares what it prints."""
    opened = []

    @contextmanager
    def open_workers(count):
        opened.append(count)
        yield Workers(Pickling(), 3)

    monkeypatch.setattr(processes, "open_workers", open_workers)
    monkeypatch.setattr(processes, "JOB_BYTES", 300)
    monkeypatch.setattr(processes, "LONG", 1000)

    def run(*words):
        alone = pencilbox(*words)
        shared = pencilbox(*words, "--workers", "3")
        assert shared == alone
        return alone

    yield run
    assert set(opened) == {3}


@pytest.fixture
def files(tmp_path):
    """JSON Lines of many sheets, some wrong or unreadable; a file without sheets, and one that is missing."""
    lines = [json.dumps(sheet) for sheet in SHEETS * 3] + ["", "{", "null"]
    (tmp_path / "long.jsonl").write_text("\n".join(lines))
    (tmp_path / "empty.jsonl").write_text("\n" * 1200)
    (tmp_path / "short.yaml").write_text("---\n".join(json.dumps(sheet) + "\n" for sheet in SHEETS))
    return "long.jsonl", "empty.jsonl", "short.yaml", "missing.yaml"


def test_json_lines_and_many_files_get_the_same_answers(both, files):
    for form in ("jsonl", "json", "text"):
        code, out, _ = both("score", "--format", form, *files)
        assert code == 2 and "Ann" in out
    assert both("check", "--strict", files[0])[0] == 2
    code, out, _ = both("score", "--format", "jsonl", "--explain", "--hints", files[0])
    assert len(out.splitlines()) == len(SHEETS) * 3 + 2


def test_players_of_one_game_are_judged_together(both, tmp_path):
    for name in ("ann", "ben"):
        (tmp_path / f"{name}.yaml").write_text(json.dumps(GOOD | {"player": name}))
    code, out, _ = both("score", "--format", "jsonl", "ann.yaml", "missing.yaml", "ben.yaml")
    assert code == 2 and len(out.splitlines()) == 2
    assert [player["name"] for player in json.loads(out.splitlines()[1])["players"]] == ["ann", "ben"]


def test_standard_input_is_judged_in_parts(both, files, tmp_path, monkeypatch):
    text = (tmp_path / files[0]).read_bytes()

    class Stdin:
        @property
        def buffer(self):
            from io import BufferedReader, BytesIO

            return BufferedReader(BytesIO(text))

    monkeypatch.setattr("sys.stdin", Stdin())
    assert both("score", "--format", "jsonl", "-")[0] == 2


def test_parts_are_taken_only_when_there_is_room(tmp_path, monkeypatch):
    """A file of any length needs no more memory than its jobs ahead."""
    monkeypatch.setattr(processes, "LONG", 0)
    (tmp_path / "long.jsonl").write_text((json.dumps(GOOD) + "\n") * 20_000)
    taken = 0

    def counted(jobs):
        nonlocal taken
        for job in jobs:
            taken += 1
            yield job

    jobs = counted(processes._jobs((), (str(tmp_path / "long.jsonl"),)))
    results = Workers(SerialExecutor(), 4).results(str, jobs, in_order=True)
    for _ in range(3):
        next(results)
    results.close()
    assert taken <= 7


def test_workers_are_refused_for_a_scored_copy(pencilbox, files):
    code, _, err = pencilbox("score", files[0], "--pdf", "x.pdf", "--workers", "2")
    assert (code, err) == (2, "error: --workers cannot be used with --pdf\n")
    code, _, err = pencilbox("score", files[0], "--workers", "0")
    assert (code, err) == (2, "error: --workers must be from 1 to 1024, not 0\n")
