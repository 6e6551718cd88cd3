"""randomise and make --random: kinds of sets, options and output."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from generator import paths
from generator.cli import pencilbox
from generator.errors import InputError
from generator.reading.load import load, shipped


def run(*words):
    return CliRunner().invoke(pencilbox, words, catch_exceptions=False)


def test_a_deal_can_be_for_five_players():
    answer = json.loads(run("randomise", "elevator_up", "--players", "5", "--seed", "x", "--format", "json").stdout)
    assert answer[0]["what"] == "deal"
    assert answer[0]["set"].startswith("EU-1D05-")
    assert len(answer[0]["deal"]["players"]) == 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--players", "6"), "cannot be drawn with --players 6; known: 2, 3, 4, 5"),
        (("--rounds", "6"), "--rounds does not apply to the deal of Elevator Up; known: --players 2|3|4|5"),
        (
            ("--kind", "dice"),
            "has no kind of random set “dice”; known: deal (the order of the deck and who is dealt which cards)",
        ),
    ],
)
def test_sets_that_a_game_does_not_have_are_refused(words, message):
    for head in (("randomise", "elevator_up"), ("make", "elevator_up", "--random")):
        with pytest.raises(InputError) as refusal:
            run(*head, *words)
        assert message in str(refusal.value)


def test_the_help_and_the_docs_list_the_kinds_of_shipped_games():
    help_text = " ".join(run("randomise", "--help").stdout.replace("│", " ").split())
    page = (paths.ROOT / "docs/codes.md").read_text()
    for game in map(load, shipped()):
        if len(game.draws) > 1:
            assert f"{' or '.join(game.draws)} of {game.title}".rstrip("!") in help_text
            assert all(f"`{kind}`" in page for kind in game.draws)


def test_sets_are_written_to_a_file(tmp_path):
    file = tmp_path / "new" / "sets.txt"
    words = ("randomise", "elevator_up", "--seed", "hello", "--count", "2")
    assert run(*words, "-o", str(file)).stdout == f"{file}\n"
    result = run(*words)
    assert file.read_text() == result.stdout
    assert list(file.parent.iterdir()) == [file]
    codes = [line for line in result.stdout.splitlines() if line.startswith("EU-")]
    assert result.stderr == f"\nTo print these sets: pencilbox make --set {codes[0]} --set {codes[1]}\n"
    with pytest.raises(InputError, match="file already exists; --force replaces it"):
        run(*words, "-o", str(file))
    printed = run(*words, "-o", str(file), "--force").stderr
    assert printed == f"\nTo print these sets: pencilbox make --set {file}\n"


def test_components_are_named_after_the_game(tmp_path):
    answer = json.loads(
        run("make", "from_the_ground_up", "tally", "--no-fillable", "-o", str(tmp_path), "--format", "json").stdout
    )
    assert [file["component"] for file in answer] == ["tally"]
    with pytest.raises(InputError, match="there is no game, folder or component “tallies”"):
        run("make", "from_the_ground_up", "tallies", "-o", str(tmp_path))


def test_the_log_form_names_its_deal(tmp_path):
    """The form of the log has the code of its deal filled in, and the judge reads it."""
    answer = run("make", "elevator_up", "log", "--random", "--seed", "x", "-o", str(tmp_path), "--format", "json")
    form = next(file for file in json.loads(answer.stdout) if file["fillable"])
    answer = json.loads(run("check", form["file"], "--format", "json").stdout)
    from pypdf import PdfReader

    assert PdfReader(form["file"]).get_fields()["deal"]["/V"] == form["set"]
    assert [finding["rule"] for finding in answer["findings"]] == ["two-to-five"]


def test_options_for_random_sets_need_random():
    with pytest.raises(InputError, match="--players only works with --random"):
        run("make", "elevator_up", "--players", "3")
