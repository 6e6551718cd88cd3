"""Words hyphenated by the rules of a language."""

import pytest

from generator.faces.face import Words
from generator.text.breaks import hyphenated, may_break

BOX = (18, 80)


def lines(frame):
    return [item.text for item in frame.items]


@pytest.mark.parametrize(
    ("language", "text", "marked"),
    [
        ("de", "Donaudampfschifffahrt", "Do·nau·dampf·schiff·fahrt"),
        ("en-GB", "hyphenation, (hyphenation)", "hy·phen·a·tion, (hy·phen·a·tion)"),
        (
            "en",
            "hyphenation.example.com, or info@hyphenation.org.",
            "hyphenation.example.com, or info@hyphenation.org.",
        ),
        ("fr", "l’imagination", "l’ima·gi·na·tion"),
        (
            "de",
            "NASA UNESCO McDonalds Raum42schiff Tee well-known-things",
            "NASA UNESCO McDonalds Raum42schiff Tee well-known-things",
        ),
        ("hu", "asszonnyal", "asszonnyal"),
        ("tr", "cumhuriyetçilik", "cumhuriyetçilik"),
    ],
)
def test_words_break_where_a_language_allows_it(language, text, marked):
    assert hyphenated(text, language).replace("\u00ad", "·") == marked


def test_nothing_is_hyphenated_without_a_language(el, lay):
    text = "unbelievable transformation"
    assert lines(lay(el("text", text), size=BOX)) == ["unbelievable", "transformation"]
    assert lines(lay(el("text", text, language=""), size=BOX)) == ["unbelievable", "transformation"]
    broken = lines(lay(el("text", text, language="en"), size=BOX))
    assert broken[0].endswith("-") and "".join(broken).replace("-", "").replace(" ", "") == text.replace(" ", "")


def test_hyphenated_text_is_no_smaller_and_no_higher(el, lay):
    text = "Rindfleischetikettierungsüberwachungsaufgabe"
    plain = lay(el("text", text, font_size=4.0, floor=1.0), size=(30, 80)).items
    broken = lay(el("text", Words(text, bold=True), language="de", font_size=4.0, floor=1.0), size=(30, 80)).items
    assert len(plain) == 1 and len(broken) > 1
    assert broken[0].size > plain[0].size and all(run.text.endswith("-") for run in broken[:-1])


def test_an_unknown_language_is_refused(el, faults):
    (problem,) = faults(el("text", "word", language="xx"))
    assert "no language “xx”" in problem


def test_words_that_can_be_hyphenated_are_known_without_rules():
    for text in ("walking,", "“Walking”", "a walking"):
        assert may_break(text), text
    for text in ("walk", "from_the_ground_up", "Raum42schiff", "1,000", "well-known"):
        assert not may_break(text), text
