"""Rich text: paired marks become markup, everything else is unchanged."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from generator.faces.filters import rich


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("plain", "plain"),
        ("**two** dice", "<b>two</b> dice"),
        ("*or* not", "<i>or</i> not"),
        ("a **b *c* d** e", "a <b>b <i>c</i> d</b> e"),
        ("***both***", "<b><i>both</i></b>"),
        ("*a **b***", "<i>a <b>b</b></i>"),
        ("**a** **b**", "<b>a</b> <b>b</b>"),
        ("un*frigging*believable", "un<i>frigging</i>believable"),
        # marks that do not pair
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("**open", "**open"),
        ("close**", "close**"),
        ("*a **b*", "<i>a **b</i>"),
        ("**a *b** c", "<b>a *b</b> c"),
        ("****", "****"),
        ("* a*", "* a*"),
        ("*", "*"),
        ("", ""),
        # icons, breaks, escapes
        ("pay :coin:!", 'pay <icon name="coin"/>!'),
        (":a-b_2:", '<icon name="a-b_2"/>'),
        ("12:30:45", "12:30:45"),
        ("a: b: c", "a: b: c"),
        ("one\ntwo\r\nthree", "one<br/>two<br/>three"),
        (r"\*not\* \:coin: c:\\temp", "*not* :coin: c:\\temp"),
        (r"a\b", r"a\b"),
        # safety
        ("<b> & **\"'**", "&lt;b&gt; &amp; <b>&#34;&#39;</b>"),
        ("**<script>**", "<b>&lt;script&gt;</b>"),
    ],
)
def test_marks(text: str, markup: str) -> None:
    assert rich(text) == markup


def test_other_values() -> None:
    assert rich(None) == "" and rich(7) == "7"
    assert rich(Markup("<i>*a*</i>")) == "<i>*a*</i>"


@given(st.text(alphabet="*:\\ 7<&\n", max_size=30))
def test_the_result_is_well_formed_and_keeps_every_letter(text: str) -> None:
    letters = "".join(ElementTree.fromstring(f"<t>{rich(text)}</t>").itertext())
    assert [letter for letter in letters if letter not in "*\\"] == [letter for letter in text if letter not in "*\\\n"]
