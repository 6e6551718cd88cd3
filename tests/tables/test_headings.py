"""Headings in any spelling have their roles, and every column has a name in templates."""

import pytest

from generator.model.columns import template_for
from generator.tables.headings import assigned, folded, identifier, language_of, meaning, stem


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
        ("Cost (gold)", "cost"),
        ("Qty [per deck]", "copies"),
        ("Kosten (Gold)", ""),
    ],
)
def test_a_heading_means_its_role_in_any_spelling(heading, role):
    assert meaning(heading)[0] == role


@pytest.mark.parametrize(
    ("language", "headings", "roles"),
    [
        ("German", "Name Anz. Art Text Farbe Nr.", "title copies type rules colour id"),
        ("French", "Nom Nombre Coût Texte Illustration", "title copies cost rules image"),
        ("Spanish", "Nombre Cantidad Coste Texto Palo", "title copies cost rules suit"),
        ("Italian", "Titolo Quantità Costo Effetti Immagine", "title copies cost rules image"),
        ("Dutch", "Naam Aantal Prijs Soort Tekst", "title copies cost type rules"),
        ("", "Name Count Art Text Colour No.", "title copies image rules colour id"),
    ],
)
def test_headings_are_understood_in_six_languages(language, headings, roles):
    assert language_of(headings.split()) == language
    assert [meaning(heading, language)[0] for heading in headings.split()] == roles.split()


def test_accents_and_signs_are_ignored():
    assert folded("Évocation (Coût)") == "evocationcout"
    assert folded("#") == "#"
    assert folded("ØL Œuvre") == folded("øl œuvre") == "oloeuvre"


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
        (("frage", "a", "b", "korrekte_antwort"), "frage", "korrekte_antwort"),
        (("Question", "Option 1", "Option 2", "Correct option"), "question", "correct_option"),
        (("Word", "English translation", "Example"), "word", "english_translation"),
        (("English", "Italiano", "Notes"), "english", "italiano"),
        (("Frage", "Antwort"), "frage", "antwort"),
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


def test_a_single_column_is_the_title_whatever_it_is_called():
    for heading in ("Number", "Text", "Category", "Anything"):
        found = columns(heading)
        assert (found.title, template_for(found)) == (heading.lower(), "word")
    assert columns("Picture").image == "picture"


def test_a_colour_next_to_only_a_number_is_a_suit():
    found = columns("Color", "Value")
    assert (found.suit, found.rank, found.colour) == ("color", "value", None)
    assert columns("Color", "Value", "Name").colour == "color"


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
        (("Name", "Strength", "Range"), "word"),
        (("Name", "Text", "Range"), "standard"),
    ],
)
def test_the_face_fits_the_columns(headings, template):
    assert template_for(columns(*headings)) == template


def test_a_declared_back_is_a_template_unless_there_is_a_front():
    assert columns("title", "back", declared=("title", "back")).own_back
    assert not columns("front", "back", declared=("front", "back")).own_back
    assert not columns("title", "back").own_back


@pytest.mark.parametrize("other", ["Latin name", "Capital name", "Nick name"])
def test_a_second_name_is_not_the_title_beside_a_first_column_of_names(other):
    fields = {"bird": "Bird", "second": other, "size": "Wingspan"}
    samples = {"bird": ["Robin", "Barn owl", "Swift"], "second": ["Erithacus", "Tyto alba", "Apus apus"]}
    samples["size"] = ["22", "95", "42"]
    assert assigned(fields, samples=samples).title == "bird"
    samples["bird"] = ["Empire", "Empire", "Empire"]
    assert assigned(fields, samples=samples).title == "second"


def test_levels_beside_a_category_are_side_by_side():
    found = columns("Category", "Easy", "Medium", "Hard")
    assert (found.type, found.title, len(found.rest)) == ("category", None, 3)
    assert columns("Word", "Clue 1", "Clue 2").title == "word"


def test_labels_in_lower_case_begin_with_a_capital():
    assert [each.label for each in columns("name", "hp", "casting_time", "Top take-off weight").rest] == [
        "HP",
        "Casting time",
        "Top take-off weight",
    ]


def test_a_quote_without_rules_is_the_text():
    found = columns("Author", "Quote")
    assert (found.rules, found.flavour) == ("quote", None)


def test_field_names_are_identifiers_and_differ():
    assert identifier("Größe (cm)") == "größe_cm"
    assert identifier("2nd text") == "n_2nd_text"
    assert identifier("?!") == "column"
    assert identifier("Text", ("text", "text_2")) == "text_3"


@pytest.mark.parametrize("heading", ["लोकोक्ति", "คำแปล", "சொல்", "ကြောင်", "ភាសា", "শব্দ", "పదం", "מִלָּה", "ቃል", "བོད"])
def test_field_names_keep_the_marks_of_all_scripts(heading):
    assert identifier(f"{heading}!") == heading
    assert identifier(f"❤️ {heading}") == heading


def test_vowel_signs_are_letters_and_accents_are_not():
    assert folded("काल") != folded("कल") and folded("คำ") != folded("ค") and folded("バス") != folded("ハス")
    assert folded("Été") == "ete" and folded("מִלָּה") == folded("מלה") and folded("й") == folded("и")
    assert stem("प्रश्नावली 2") == folded("प्रश्नावली")


@pytest.mark.parametrize(
    ("headings", "language"),
    [
        (["Begriff", "Erklärung"], "German"),
        (["Pays", "Capitale"], "French"),
        (["Country", "Film"], ""),
        (["", "Name", "Text"], ""),
    ],
)
def test_what_tables_are_about_also_tells_their_language(headings, language):
    assert language_of(headings) == language
