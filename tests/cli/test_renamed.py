"""Renamed options and commands: the old spellings work, and only the new ones are shown."""

import pytest
from click.testing import CliRunner

from generator.cli import ALIASES, COMMANDS, pencilbox


def run(*words):
    return CliRunner().invoke(pencilbox, list(words))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("randomise upwards --what strip --seed x", "randomise upwards --kind strip --seed x"),
        ("randomise upwards --what=strip --seed x", "randomise upwards --kind=strip --seed x"),
        (
            "randomise upwards --each --players 2 --seed x",
            "randomise upwards --per-player --players 2 --seed x",
        ),
        (
            "randomise from_the_ground_up --run 2 --seed x",
            "randomise from_the_ground_up --print-run 2 --seed x",
        ),
        ("blank upwards", "new-sheet upwards"),
        ("cells upwards sheet", "fields upwards sheet"),
    ],
)
def test_an_old_spelling_does_the_same(old, new):
    before, after = run(*old.split()), run(*new.split())
    assert (before.exit_code, before.output) == (0, after.output)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_lists_only_the_new_spelling(command):
    text = run(command, "--help").output
    assert not {"--what", "--each", "--run"} & set(text.replace(",", " ").split())


@pytest.mark.parametrize(("alias", "command"), ALIASES.items())
def test_help_of_an_old_command_names_the_new_one(alias, command):
    assert f" {command} [OPTIONS]" in run(alias, "--help").output
    assert f"\n  {alias} " not in run("--help").output


def test_messages_use_the_new_spelling():
    refusal = run("randomise", "upwards", "--what", "strip", "--each", "--rounds", "3")
    assert "--per-player" in str(refusal.exception) and "--each" not in str(refusal.exception)
    assert "--kind only works with" in str(run("make", "upwards", "--what", "strip").exception)
