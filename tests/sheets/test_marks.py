"""How single marks are read."""

import pytest

from generator.model.game import FieldFile
from generator.sheets import marks


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("– 4", "type only the number: -4"),
        ("4 points", "type only the number: 4"),
        ("3,", "type only the number: 3"),
        ("2+3", "type only the result"),
        ("minus 4", "type only the number: -4"),
        ("5->6", "type only the new number: 6"),
        ("12 = 18", ""),
        ("points", "type a number in digits before it"),
        ("5½", ""),
        ("twice 5", ""),
        ("1O", ""),
        ("4.0", ""),
        ("1 1", ""),
        ("four", ""),
    ],
)
def test_a_number_with_something_around_it_gets_a_hint(text, hint):
    with pytest.raises(marks.MarkError) as error:
        marks.value(FieldFile(kind="number"), text)
    assert error.value.look_up() == hint
