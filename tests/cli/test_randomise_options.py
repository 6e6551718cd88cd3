"""randomise and make --random: kinds of sets, options and output."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from generator.cli import pencilbox
from generator.errors import InputError


def run(*words):
    return CliRunner().invoke(pencilbox, words, catch_exceptions=False)


def test_a_deal_for_five():
    made = json.loads(run("randomise", "elevator_up", "--players", "5", "--seed", "x", "--format", "json").stdout)
    assert made[0]["what"] == "deal"
    assert made[0]["set"].startswith("EU-1D05-")
    assert len(made[0]["deal"]["players"]) == 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--players", "6"), "cannot be drawn with --players 6; known: 2, 3, 4, 5"),
        (("--rounds", "6"), "--rounds does not apply to the deal of Elevator Up; known: --players 2|3|4|5"),
        (("--kind", "dice"), "has no kind of random set “dice”; known: deal"),
    ],
)
def test_sets_that_a_game_does_not_have_are_refused(words, message):
    for head in (("randomise", "elevator_up"), ("make", "elevator_up", "--random")):
        with pytest.raises(InputError) as caught:
            run(*head, *words)
        assert message in str(caught.value)


def test_sets_are_written_to_a_file(tmp_path):
    file = tmp_path / "new" / "sets.txt"
    words = ("randomise", "elevator_up", "--seed", "hello", "--count", "2")
    assert run(*words, "-o", str(file)).stdout == f"{file}\n"
    told = run(*words)
    assert file.read_text() == told.stdout
    assert list(file.parent.iterdir()) == [file]
    codes = [line for line in told.stdout.splitlines() if line.startswith("EU-")]
    assert told.stderr == f"\nTo print these sets: pencilbox make --set {codes[0]} --set {codes[1]}\n"
    with pytest.raises(InputError, match="file already exists; --force replaces it"):
        run(*words, "-o", str(file))
    printed = run(*words, "-o", str(file), "--force").stderr
    assert printed == f"\nTo print these sets: pencilbox make --set {file}\n"


def test_components_follow_the_name_of_the_game(tmp_path):
    made = json.loads(
        run("make", "from_the_ground_up", "tally", "--no-fillable", "-o", str(tmp_path), "--format", "json").stdout
    )
    assert [file["component"] for file in made] == ["tally"]
    with pytest.raises(InputError, match="there is no game, folder or component “tallies”"):
        run("make", "from_the_ground_up", "tallies", "-o", str(tmp_path))


def test_the_log_form_names_its_deal(tmp_path):
    """The form is printed with the code of the deal, and the judge reads it."""
    made = run("make", "elevator_up", "log", "--random", "--seed", "x", "-o", str(tmp_path), "--format", "json")
    form = next(file for file in json.loads(made.stdout) if file["fillable"])
    answer = json.loads(run("check", form["file"], "--format", "json").stdout)
    from pypdf import PdfReader

    assert PdfReader(form["file"]).get_fields()["deal"]["/V"] == form["set"]
    assert [finding["rule"] for finding in answer["findings"]] == ["two-to-five"]


def test_options_for_random_sets_need_random():
    with pytest.raises(InputError, match="--players only works with --random"):
        run("make", "elevator_up", "--players", "3")
