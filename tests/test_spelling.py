"""Comparing names and keys: Unicode, white space, beginnings, initials, singulars and plurals."""

import pytest

from generator.spelling import (
    ambiguity,
    comparable,
    invisible_character,
    matching,
    matching_keys,
    tidy,
)

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
def test_a_name_is_recognised_by_an_unambiguous_beginning_or_its_initials(text, name):
    assert [NAMES[index] for index in matching(NAMES, text)] == [name]


@pytest.mark.parametrize("text", ["", "x", "nn", "1", "Annn", "ou", ".", " "])
def test_a_text_that_is_not_the_beginning_of_a_name_matches_none(text):
    assert matching(NAMES, text) == []
    assert ambiguity(NAMES, text) == ""


def test_the_message_for_an_ambiguous_beginning_lists_the_names():
    assert ambiguity(NAMES, "a") == "“a” could be Ann or Anton"
    assert ambiguity(["Bea", "Ben", "Bert"], "be") == "“be” could be Bea, Ben or Bert"
    assert ambiguity(NAMES, "Ann") == ""


def test_names_that_look_the_same_are_equal():
    assert tidy(" Jo\u0308rg \u2003 Berg\u00a0") == "Jörg Berg"
    assert comparable("JO\u0308RG") == comparable("Jörg") == "jörg"


def test_an_invisible_character_is_named():
    assert invisible_character("An\u200bn") == "zero width space (U+200B)"
    assert invisible_character("An\x1bn") == "control character (U+001B)"
    assert invisible_character("Ann") == ""


@pytest.mark.parametrize("name", ["علی\u200cرضا", "क्\u200dष", "👩\u200d🚀"])
def test_joiners_within_a_name_are_part_of_it(name):
    assert invisible_character(name) == ""
    assert comparable(name) == comparable(name.replace("\u200c", "").replace("\u200d", ""))
    assert "(U+200D)" in invisible_character(f"{name}\u200d")


# ---- keys -----------------------------------------------------------------------------------------------------------

KEYS = {"player": "player", "play": "play", "card": "play", "cards_played": "play", "pick_up": "pickup", "flip": "flip"}
KEYS |= {"die": "dice", "boxes": "boxes", "bonus": "bonus", "entries": "entries", "e1": "e1"}


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("Cards", "play"),
        ("CARD PLAYED", "play"),
        ("cards pl", "play"),
        ("plays", "play"),
        ("players", "player"),
        ("pick", "pickup"),
        ("Flips", "flip"),
        ("dice", "dice"),
        ("box", "boxes"),
        ("bon", "bonus"),
        ("entry", "entries"),
    ],
)
def test_a_key_matches_its_beginning_its_singular_and_its_plural(key, name):
    assert matching_keys(KEYS, key) == [name]


@pytest.mark.parametrize("key", ["", "s", "fl", "crads", "lpay", "playing", "played", "e", "e10", "ss", "___"])
def test_a_typo_matches_no_key(key):
    assert matching_keys(KEYS, key) == []


def test_an_ambiguous_key_matches_several():
    assert matching_keys(KEYS, "pla") == ["player", "play"]
