"""Problems and their hints."""

import pytest

from generator.errors import did_you_mean


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("zzz", ["11", "2", "1", "10"], "known: 1, 2, 10, 11"),
        ("zzz", ["hex10", "b", "hex9", "a"], "known: a, b, hex9, hex10"),
        ("zzz", ["7" * 5000, "8"], f"known: 8, {'7' * 5000}"),
    ],
)
def test_hints_list_words_in_natural_order(word, known, hint):
    assert did_you_mean(word, known) == hint
