"""Capitals and small letters in languages with rules of their own."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from generator.spelling import capitalised, lower, title, upper


@pytest.mark.parametrize(
    ("language", "text", "capitals"),
    [
        ("", "straße ijs iyi ά", "STRASSE IJS IYI Ά"),
        ("tr", "ıspanak, i\u0307yi", "ISPANAK, İYİ"),
        ("az-Latn", "ilıq", "İLIQ"),
        ("el", "Μάιος ή Ιούλιος", "ΜΑΪΟΣ Ή ΙΟΥΛΙΟΣ"),
        ("el-GR", "μαΐου, καί, ᾳ, κά\u00adιν, café", "ΜΑΪΟΥ, ΚΑΙ, ΑΙ, ΚΑ\u00adΪΝ, CAFÉ"),
        ("ell", "ά", "Ά"),
    ],
)
def test_capitals(language: str, text: str, capitals: str) -> None:
    assert upper(text, language) == capitals


def test_small_letters_and_first_letters() -> None:
    assert (lower("IŞIK İYİ", "tr"), lower("IŞIK", "de")) == ("ışık iyi", "işik")
    assert title("ılık istanbul’un ayı", "tr") == "Ilık İstanbul’un Ayı"
    assert title("ijs en IJZER bijou", "nl") == "IJs En IJzer Bijou"
    assert (capitalised("ÉCOLE élémentaire"), capitalised("άλφα Βήτα", "el")) == ("École élémentaire", "Άλφα βήτα")


def test_filters_follow_the_language_of_the_theme(templates: Any) -> None:
    expression = "'iyi' | upper ~ 'ILIK' | lower ~ ('i' | capitalize) ~ ('i' | title)"
    assert templates.written(expression) == "IYIilikII"
    templates.theme = replace(templates.theme, language="tr")
    assert templates.written(expression) == "İYİılıkİİ"
    assert templates.written("('a' | rich) | upper") == "A"
