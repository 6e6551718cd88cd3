"""Where lines break within words, and where they do not break at a space."""

from itertools import pairwise

import pytest

from generator.text.breaks import breaks, glued, is_special


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("self-made", "self- made"),
        ("and/or", "and/ or"),
        ("here—there", "here— there"),
        ("co\u00adop", "co\u00ad op"),
        ("zero\u200bwidth", "zero\u200b width"),
        ("GU-1C01-62K98-RJWND-XN", None),
        ("1/2", None),
        ("X-ray", None),
        ("5–6", None),
        ("-12", None),
        ("「尊厳」と権利。", "「尊 厳」 と 権 利。"),
        ("人人生而自由，在", "人 人 生 而 自 由， 在"),
        ("ちょっと", "ちょっ と"),
        ("2枚", "2 枚"),
    ],
)
def test_words_break_where_they_may(word, parts):
    cuts = [0, *breaks(word), len(word)]
    assert [word[begin:end] for begin, end in pairwise(cuts)] == (parts or word).split(" ")
    assert is_special(word) or not parts


def test_thai_words_come_from_a_dictionary():
    pytest.importorskip("icu4py", reason="needs the extra “languages”")
    assert breaks("มนุษย์ทั้งหลายเกิดมา") == (6, 10, 14, 18)


def test_punctuation_that_stands_alone_stays_with_its_word():
    assert glued("Oui ! « Non » dit-il : 5 %").split(" ") == [
        "Oui\u00a0!",
        "«\u00a0Non\u00a0»",
        "dit-il\u00a0:",
        "5\u00a0%",
    ]
