"""A PDF form is judged like a typed sheet: print → fill in → read gives the same marks."""

import json
import os
import subprocess
import sys
import threading
from io import BytesIO, TextIOWrapper

import pytest
from pypdf import PdfReader, PdfWriter

from generator import games, paths
from generator.judging.judge import Judge
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.rules.results import plain
from tests.presses import form_of

TYPED = """
game: from_the_ground_up
players:
  - name: Żaneta Ωmega 花子
    cards:
      - {card: 4, crates: [6, 5, 4, 2], star: 4}
      - {card: 7, crates: [3, 2, ., ., .], star: 5, flipped: true}
      - {card: 11, crates: [5, 2, 4], star: 2}
  - name: Ben
    cards:
      - {card: 2, crates: [1, 2, 3, 4, 5, 6], star: 5}
      - {card: 3, crates: [5, 5, 5, 5, 5], star: 6}
      - {card: 10, crates: [3, 3, 1, 1], star: 3}
"""


def marks():
    import yaml

    values = {}
    for p, player in enumerate(yaml.safe_load(TYPED)["players"], 1):
        values[f"players.{p}.name"] = player["name"]
        for card in player["cards"]:
            stem = f"towers.{card['card']}"
            values |= {f"{stem}.owner": f"/{p}", f"{stem}.star": str(card["star"])}
            values |= {f"{stem}.crates.{n}": str(mark) for n, mark in enumerate(card["crates"], 1) if mark != "."}
            if card.get("flipped"):
                values[f"{stem}.flipped"] = "/Yes"
    return values


@pytest.fixture(scope="module")
def form():
    return form_of("from_the_ground_up", "table")


@pytest.fixture(scope="module")
def filled_form(form, tmp_path_factory):
    """The form with the marks of the typed sheet."""
    path = tmp_path_factory.mktemp("forms") / "filled.pdf"
    filled(form, marks(), path)
    return path


@pytest.fixture(scope="module")
def bare_form(filled_form):
    """The same form as rewritten by a program that copies only its pages and fields."""
    path = filled_form.with_name("copied.pdf")
    without_info(filled_form, path)
    return path


def filled(form, values, path):
    writer = PdfWriter(clone_from=PdfReader(BytesIO(form)))
    for page in writer.pages:
        writer.update_page_form_field_values(page, values, auto_regenerate=True)
    writer.write(path)


def answer(path):
    (answer,) = Judge().answers([str(path)])
    data = json.loads(json.dumps(plain(answer)))
    data.pop("findings", None)
    return data


@pytest.fixture(scope="module")
def expected(filled_form):
    return answer(filled_form)


def test_a_form_and_a_file_get_the_same_answer(expected, tmp_path):
    (tmp_path / "typed.yaml").write_text(TYPED)
    assert expected == answer(tmp_path / "typed.yaml")
    assert expected["winners"] == ["Ben"]


def test_a_form_can_be_piped(filled_form, expected, tmp_path, monkeypatch):
    content, pipe = filled_form.read_bytes(), tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_bytes, args=[content]).start()
    assert answer(pipe) == expected
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content)))
    assert answer("-") == expected


def test_a_blank_form_says_what_is_missing(form, tmp_path):
    (tmp_path / "blank.pdf").write_bytes(form)
    (answer,) = Judge().answers([str(tmp_path / "blank.pdf")])
    assert "error" in plain(answer) or not plain(answer)["valid"]


def test_a_pdf_without_a_form_is_refused(tmp_path):
    game = load("from_the_ground_up")
    (tmp_path / "cards.pdf").write_bytes(Press(game, games.deal(game)).component("cards", paper("a4")).pdf)
    (answer,) = Judge().answers([str(tmp_path / "cards.pdf")])
    assert "has no form" in plain(answer)["error"][0]["message"]


def without_info(source, target):
    reader, writer = PdfReader(source), PdfWriter()
    writer.append(reader)
    writer.metadata = {}
    writer.write(target)


class TestWithoutInfo:
    def test_a_form_is_recognised_by_its_fields(self, bare_form, expected):
        assert "/PencilboxGame" not in (PdfReader(bare_form).metadata or {})
        assert answer(bare_form) == expected

    def test_a_form_of_your_own_game_is_recognised_with_its_game(self, tmp_path):
        game = load(paths.ROOT / "examples/lantern_walk")
        pdf = Press(game, games.deal(game)).fillable("sheet", paper("a4")).pdf
        values = {"players.1.name": "Ann", **{f"players.1.streets.{n}": "5" for n in (1, 2, 3)}}
        filled(pdf, values, tmp_path / "filled.pdf")
        without_info(tmp_path / "filled.pdf", tmp_path / "copied.pdf")
        (unknown,) = Judge().answers([str(tmp_path / "copied.pdf")])
        assert "name your own game with --game" in plain(unknown)["error"][0]["hint"]
        (recognised,) = Judge(str(game.folder)).answers([str(tmp_path / "copied.pdf")])
        assert plain(recognised)["players"][0]["total"] == 15

    def test_a_form_of_another_game_is_refused(self, bare_form):
        (refused,) = Judge("upwards").answers([str(bare_form)])
        assert "is it a sheet of upwards?" in plain(refused)["error"][0]["hint"]


def test_problems_name_the_field_by_its_label(form, tmp_path):
    values = marks() | {"towers.3.crates.3": "7", "towers.10.star": "x"}
    filled(form, values, tmp_path / "filled.pdf")
    (refused,) = Judge().answers([str(tmp_path / "filled.pdf")])
    places = [str(problem.place) for problem in refused.problems]
    assert f"{tmp_path / 'filled.pdf'} (Card 3, Crates 3)" in places
    assert f"{tmp_path / 'filled.pdf'} (Card 10, Star)" in places


def test_worker_processes_that_read_forms_end(tmp_path):
    """Each reads forms in a process of its own, which must end with it."""
    words = [sys.executable, "-m", "generator"]
    options = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(paths.ROOT)}, "timeout": 60}
    (form := tmp_path / "form.pdf").write_bytes(form_of("elevator_up", "tally"))
    done = subprocess.run(
        [*words, "score", *[str(form)] * 4, "--workers", "2"], capture_output=True, text=True, **options
    )
    assert done.returncode in (0, 1) and done.stderr == ""
    assert done.stdout.count("No problems found") == 4
