"""How names are compared: Unicode, white space, beginnings and initials."""

import pytest

from generator.spelling import ambiguous, comparable, even, invisible, meant

NAMES = ["Ann", "Anton", "Ben", "Ben Ng", "Jörg", "Mary Lou", "10", "100"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann", "Ann"),
        ("ANN", "Ann"),
        ("ant", "Anton"),
        ("ben", "Ben"),
        ("BN", "Ben Ng"),
        ("ben n", "Ben Ng"),
        ("J", "Jörg"),
        ("jo\u0308", "Jörg"),
        ("m", "Mary Lou"),
        ("ML", "Mary Lou"),
        ("M.L.", "Mary Lou"),
        ("mary\u00a0lou", "Mary Lou"),
        ("Mary  \u2009Lou", "Mary Lou"),
        ("10", "10"),
    ],
)
def test_a_name_is_known_by_a_clear_beginning_or_its_initials(text, name):
    assert [NAMES[index] for index in meant(NAMES, text)] == [name]


@pytest.mark.parametrize("text", ["", "x", "nn", "1", "Annn", "ou", ".", " "])
def test_what_begins_no_name_is_nobody(text):
    assert meant(NAMES, text) == []
    assert ambiguous(NAMES, text) == ""


def test_an_ambiguous_beginning_names_the_candidates():
    assert ambiguous(NAMES, "a") == "“a” could be Ann or Anton"
    assert ambiguous(["Bea", "Ben", "Bert"], "be") == "“be” could be Bea, Ben or Bert"
    assert ambiguous(NAMES, "Ann") == ""


def test_what_looks_alike_is_alike():
    assert even(" Jo\u0308rg \u2003 Berg\u00a0") == "Jörg Berg"
    assert comparable("JO\u0308RG") == comparable("Jörg") == "jörg"


def test_an_invisible_character_is_named():
    assert invisible("An\u200bn") == "zero width space (U+200B)"
    assert invisible("An\x1bn") == "control character (U+001B)"
    assert invisible("Ann") == ""
