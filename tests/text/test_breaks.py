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
        ("コーヒーを500円で", "コー ヒー を 500 円 で"),
        ("他说：“好的！”——是吗？", "他 说： “好 的！”—— 是 吗？"),
        ("《红楼梦》共120回……", "《红 楼 梦》 共 120 回……"),
        ("￥30.50元（约$4）", "￥30.50 元 （约 $4）"),
        ("100％と50%", "100％ と 50%"),
        ("か\u3099ぎ", "か\u3099 ぎ"),
        ("ABC社のself-made", "ABC 社 の self- made"),
        ("밤에는(2장)", "밤 에 는 (2 장)"),
        ("🇩🇪🇫🇷🦊", "🇩🇪 🇫🇷 🦊"),
        ("👍🏽👩\u200d🚀漢", "👍🏽 👩\u200d🚀 漢"),
        ("❤\ufe0f漢", "❤\ufe0f 漢"),
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


@pytest.mark.parametrize(
    "text",
    [
        "0,5 l",
        "20 °C",
        "5 €",
        "€ 5",
        "§ 5",
        "Mt 5",
        "Nr. 12",
        "250 g",
        "12 km/h",
        "9 m²",
        "83 Mio.",
        "7 кг",
        "2 min,",
        "12 000",
        "z. B.",
    ],
)
def test_a_number_stays_with_its_unit_or_sign(text):
    assert glued(f"Nimm {text} davon").split(" ") == ["Nimm", text.replace(" ", "\u00a0"), "davon"]


@pytest.mark.parametrize("text", ["3 in a row", "take 2 more", "7 Wonders", "level 2 mages", "5 gold", "Pay 3 coins"])
def test_a_number_may_stand_apart_from_other_words(text):
    assert glued(text) == text
