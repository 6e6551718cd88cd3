"""Limits of `score` and `check`: no input causes a traceback, hangs or takes more than 300 MiB, and a long stream takes
no more memory than a short one."""

import json
import os
import random
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest

from generator import nodes
from generator.errors import InputError
from generator.judging.judge import Judge
from generator.model.game import SheetFile
from generator.reading import typed
from generator.reading.components import score_sheet
from generator.reading.load import load
from generator.rules.results import Unreadable, plain
from generator.sheets import Reading, documents
from tests.processes import run
from tests.sheet_reading import read
from tests.sheets import test_pdf_forms

ROOT = Path(__file__).parents[2]
MAX_MIB, MAX_SECONDS = 300, 5
"""A refusal should take two seconds at most; the limit is higher because other tests run at the same time."""
STREAM = int(os.environ.get("PENCILBOX_GAMES", "4")) * 1000
"""The number of sheets in a long stream."""
SHEETS = sorted((ROOT / "tests/games").glob("*/good/*.yaml"))


def judged(*args):
    """Runs the command in a separate process within the limits. It must end with a documented exit code."""
    done = run(*args, folder=ROOT, seconds=MAX_SECONDS)
    assert done.returncode in (0, 1, 2), done.stderr[-500:]
    assert "Traceback" not in done.stderr
    assert done.peak < MAX_MIB
    return done


HUGE = "9" * 400_000
DEEP = 50_000
FILES = {
    "deep.jsonl": '{"game": "upwards", "a": ' + "[" * DEEP + "]" * DEEP + "}\n",
    "deeper.jsonl": '{"a":' * DEEP + "1" + "}" * DEEP + "\n",
    "open.jsonl": '{"game": "upwards", "grid": [' * 9 + "\n",
    "huge.jsonl": f'{{"game": "upwards", "option": "rows", "claimed": {{"total": {HUGE}}}}}\n',
    "huge.yaml": f"game: rolling_cubes\nmode: one-by-one\nplayers: [Ann]\nclaimed: {{Ann: {HUGE}}}\n",
    "huge_log.yaml": f"game: upwards\noption: rows\nlog: [{{dice: [{HUGE}, 1, 1], entries: [a={HUGE}]}}]\n",
    "huge_turn.yaml": f"game: elevator_up\nplayers: [Ann, Ben]\nturns: [{{player: Ann, play: [{HUGE}]}}]\n",
    "exponent.jsonl": '{"game": "upwards", "option": "rows", "claimed": {"total": 1e999999999, "bonus": -1E-999999}}\n',
    "keys.jsonl": json.dumps({"game": "upwards"} | {f"k{n}": n for n in range(60_000)}) + "\n",
    "marks.jsonl": json.dumps({"game": "upwards", "option": "rows", "grid": ["1 2 3 4 " * 20_000]}) + "\n",
    "blocks.jsonl": json.dumps(
        {
            "game": "upwards",
            "option": "blocks",
            "grid": ["1 1 1 1"] * 8,
            "blocks": [{"shape": "square", "cells": ["a1", "a2", "b1", "b2"]}] * 2_000,
        }
    )
    + "\n",
    "names.jsonl": json.dumps({"game": "rolling_cubes", "mode": "one-by-one", "players": ["Ann" * 999] * 300}) + "\n",
}


@pytest.mark.parametrize("name", FILES)
def test_hostile_sheets(name, tmp_path):
    (tmp_path / name).write_text(FILES[name])
    done = judged("score", "--format", "jsonl", tmp_path / name)
    assert [*map(json.loads, done.stdout.splitlines())]


@pytest.mark.parametrize("kind", ["doubling", "bomb", "bomb in a bomb", "deep groups"])
def test_hostile_forms(kind, tmp_path):
    create, *_ = test_pdf_forms.HOSTILE[kind]
    (tmp_path / "form.pdf").write_bytes(create())
    done = judged("check", tmp_path / "form.pdf")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")


def test_random_bytes_of_every_kind(tmp_path):
    """Many documents in one process: random bytes, sheets with random bytes, headers of other file formats."""
    rng = random.Random("bytes")
    sheets = [path.read_bytes() for path in SHEETS]
    files = []
    for _ in range(150):
        sheet = bytearray(rng.choice(sheets))
        for _ in range(rng.randint(1, 20)):
            sheet[rng.randrange(len(sheet))] = rng.randrange(256)
        head = rng.choice([b"", b"", b"%PDF-1.7\n", b"PK\x03\x04", b"\x1f\x8b", b"\xff\xfe", b"{", b"- "])
        files.append(head + bytes(sheet[: rng.randint(1, len(sheet))]) + rng.randbytes(rng.randint(0, 40)))
    paths = [tmp_path / f"{number}{rng.choice(['.yaml', '.json', '.jsonl', '.pdf'])}" for number in range(len(files))]
    for path, raw in zip(paths, files, strict=True):
        path.write_bytes(raw)
    assert judged("score", "--format", "jsonl", *paths).stdout.count("\n") >= len(files)


def test_truncated_sheets():
    judge = Judge()
    for path in SHEETS:
        raw = path.read_bytes()
        for end in range(1, len(raw), max(7, len(raw) // 25)):
            for document in documents(BytesIO(raw[:end]), "cut.yaml"):
                json.dumps(plain(judge.answer(document, "cut.yaml")))


def peak(path):
    """The peak memory of judging a file, in MiB."""
    return run("score", "--format", "jsonl", path, folder=ROOT).peak


@pytest.mark.parametrize(
    ("suffix", "document", "count"),
    [
        ("jsonl", '{"game": "upwards", "player": "P%d", "option": "rows", "grid": ["1 2 3 4"]}\n', STREAM),
        ("yaml", "---\ngame: upwards\nplayer: P%d\noption: rows\ngrid: [1 2 3 4]\n", STREAM // 5),
    ],
)
def test_a_long_stream_takes_no_more_memory_than_a_short_one(suffix, document, count, tmp_path):
    short, long = tmp_path / f"short.{suffix}", tmp_path / f"long.{suffix}"
    short.write_text("".join(document % number for number in range(count // 10)))
    long.write_text("".join(document % number for number in range(count)))
    assert peak(long) < peak(short) + 3


CHOICES = [f"choice-{number:05}" for number in range(3000)]


def test_thousands_of_wrong_choices_are_read_quickly() -> None:
    """Hints are looked up for the problems that are printed, and a long list of choices is only counted."""
    spec = f"title: T\nfields: {{a: {{kind: choice, count: 500, choices: [{', '.join(CHOICES)}]}}}}"
    sheet = score_sheet("s", typed.read(nodes.document(spec, "sheet.yaml"), SheetFile))
    text = "a: [" + ", ".join(f"choize-{number}" for number in range(500)) + "]"
    (document,) = documents(BytesIO(text.encode()), "f.yaml")
    start = process_time()
    with pytest.raises(InputError) as caught:
        read(document, load("upwards"), sheet, Reading())
    assert process_time() - start < 5
    problems = [str(problem) for problem in caught.value.problems]
    assert len(problems) == 500 and max(map(len, problems)) < 150
    assert problems[1].startswith(
        "f.yaml:1: a 2 must be one of its 3,000 choices, not “choize-1”; did you mean choice-0"
    )


def test_thousands_of_names_are_read_quickly() -> None:
    (document,) = documents(BytesIO(f"players: {'A,' * 20_000}\nturns: []".encode()), "f.yaml")
    start = process_time()
    with pytest.raises(InputError, match="at most 5 players can play"):
        read(document, load("elevator_up"), load("elevator_up").sheets["log"], Reading())
    assert process_time() - start < 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game: cosmic_consequences\nplayers: [A, B, C, D, E, F, G, H]", "at most 6 players can play"),
        ("game: elevator_up\nplayers: [A, B, C, D, E, F]", "at most 5 players can play"),
        ("game: rolling_cubes\nplayers: [A, B, C, D, E, F, G]", "at most 6 players can play"),
        ("game: from_the_ground_up\nplayers.7: {name: G}\nplayers.8: {name: H}", "at most 6 players can play"),
    ],
)
def test_too_many_players_are_reported_once(text: str, message: str) -> None:
    (document,) = documents(BytesIO(text.encode()), "f.yaml")
    answer = Judge().answer(document, "f.yaml")
    assert isinstance(answer, Unreadable)
    assert [problem.message for problem in answer.problems] == [message]
