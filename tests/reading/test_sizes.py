"""Papers are found by name, in any case, or by their size."""

import pytest

from generator.errors import InputError
from generator.reading.sizes import paper, papers


@pytest.mark.parametrize(
    ("text", "name"),
    [("Letter", "letter"), ("A4", "a4"), ("LEDGER", "tabloid"), ("US-Legal", "legal"), ("210x297mm", "a4")],
)
def test_papers_have_several_names_in_any_case(text, name):
    assert paper(text) is papers()[name]


@pytest.mark.parametrize(
    ("text", "name", "width", "height"),
    [
        ("8x14in", "8x14in", 203.2, 355.6),
        ("14in x 8in", "14inx8in", 203.2, 355.6),
        ("200×300mm", "200x300mm", 200, 300),
        ("10.5 x 20 cm", "10.5x20cm", 105, 200),
        ("360x720pt", "360x720pt", 127, 254),
    ],
)
def test_a_paper_given_by_its_size_is_portrait(text, name, width, height):
    sheet = paper(text)
    assert (sheet.name, sheet.width, sheet.height) == (name, pytest.approx(width), pytest.approx(height))
    assert sheet.margin > 0 and not sheet.registered


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a44", "no paper “a44”; did you mean a4?"),
        ("foolscap", "known: a4, letter, legal, .*, or a size such as 8.5x14in or 210x297mm"),
        ("8.5x14", "no paper “8.5x14”; known: "),
        ("20x300mm", "paper “20x300mm” is 20 × 300 mm; the sides of a paper must be from 50 to 1500 mm"),
        ("90x99in", "is 2286 × 2515 mm; the sides"),
        ("0x0mm", "is 0 × 0 mm; the sides"),
    ],
)
def test_unknown_papers_and_impossible_sizes_are_refused(text, message):
    with pytest.raises(InputError, match=message):
        paper(text)
