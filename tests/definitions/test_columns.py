"""Headings in any spelling have their roles, and every column has a name in templates."""

import pytest

from generator.definitions.columns import assigned, folded, identifier, meaning, template_for


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Name", "title"),
        ("CARD_NAME", "title"),
        ("  Card Titles ", "title"),
        ("Qty", "copies"),
        ("Number of copies", "copies"),
        ("QTY.", "copies"),
        ("#", "id"),
        ("ID", "id"),
        ("Artwork", "image"),
        ("Flavour-Text", "flavour"),
        ("flavor text", "flavour"),
        ("Rules Text", "rules"),
        ("Effects", "rules"),
        ("Abilities", ""),
        ("Type Line", "type"),
        ("Rôle", ""),
        ("Suits", "suit"),
        ("Strength", ""),
    ],
)
def test_a_heading_means_its_role_in_any_spelling(heading, role):
    assert meaning(heading)[0] == role


def test_accents_and_signs_are_ignored():
    assert folded("Évocation (Coût)") == "evocationcout"
    assert folded("#") == "#"


def columns(*headings, declared=()):
    return assigned({identifier(heading): heading for heading in headings}, declared)


def rest(found):
    return [column.label for column in found.rest]


def test_of_two_columns_for_one_role_the_first_on_the_list_has_it():
    found = columns("Name", "Title", "Text", "Rules")
    assert (found.title, found.rules, rest(found)) == ("title", "rules", ["Name", "Text"])


@pytest.mark.parametrize(
    ("headings", "front", "back"),
    [
        (("Front", "Back"), "front", "back"),
        (("answer", "question", "hint"), "question", "answer"),
        (("Terms", "Definitions"), "terms", "definitions"),
        (("Translation", "Word", "Type"), "word", "translation"),
        (("Deutsch", "English"), "deutsch", "english"),
    ],
)
def test_flash_cards_need_both_columns(headings, front, back):
    found = columns(*headings)
    assert (found.front, found.back) == (front, back)
    assert template_for(found) == "flash"
    assert not found.own_back


def test_half_a_pair_is_an_ordinary_column():
    found = columns("Title", "Question", "Points")
    assert (found.front, found.back, rest(found)) == (None, None, ["Question", "Points"])


def test_a_number_beside_a_suit_is_the_rank():
    found = columns("Suit", "Number")
    assert (found.suit, found.rank, found.cost) == ("suit", "number", None)
    assert template_for(found) == "number_and_suit"


def test_without_a_title_the_first_other_column_is_one():
    found = columns("Animal", "Habitat", "Text")
    assert (found.title, rest(found)) == ("animal", ["Habitat"])


@pytest.mark.parametrize(
    ("headings", "template"),
    [
        (("Word",), "word"),
        (("Image",), "picture"),
        (("Name", "Art"), "picture"),
        (("Name", "Art", "Text"), "standard"),
        (("Name", "Suit", "Text"), "standard"),
        (("Name", "Strength", "Range"), "standard"),
    ],
)
def test_the_face_fits_the_columns(headings, template):
    assert template_for(columns(*headings)) == template


def test_a_declared_back_is_a_template_unless_there_is_a_front():
    assert columns("title", "back", declared=("title", "back")).own_back
    assert not columns("front", "back", declared=("front", "back")).own_back
    assert not columns("title", "back").own_back


def test_field_names_are_identifiers_and_differ():
    assert identifier("Größe (cm)") == "größe_cm"
    assert identifier("2nd text") == "n_2nd_text"
    assert identifier("?!") == "column"
    assert identifier("Text", ("text", "text_2")) == "text_3"
