"""Running text: white space as in HTML, adjacent text in one font as one piece."""

from __future__ import annotations

from typing import Any

import pytest

from generator.faces import InlineIcon, Words

BOLD, ITALIC = {"bold": True}, {"italic": True}


@pytest.mark.parametrize(
    ("markup", "pieces"),
    [
        ("", ()),
        ("  \n ", ()),
        ("a", (Words("a"),)),
        ("  a \n\t b  ", (Words("a b"),)),
        ("a <b>b</b> c", (Words("a "), Words("b", **BOLD), Words(" c"))),
        ("a<b> b </b>c", (Words("a"), Words(" b ", **BOLD), Words("c"))),
        ("a <b> b</b>", (Words("a "), Words("b", **BOLD))),
        ("<b>a</b> <b>b</b>", (Words("a", **BOLD), Words(" "), Words("b", **BOLD))),
        ("<b>a</b><b>b</b>", (Words("ab", **BOLD),)),
        ("<b>a<i>b</i></b>", (Words("a", **BOLD), Words("b", bold=True, italic=True))),
        ("<i>a</i> ", (Words("a", **ITALIC),)),
        ("a <br/> b", (Words("a\nb"),)),
        ("a<br/><br/>b", (Words("a\n\nb"),)),
        ("<br/>a", (Words("\na"),)),
        ("<b>a </b><br/>b", (Words("a", **BOLD), Words("\nb"))),
        ('a <icon name="die"/>, b', (Words("a "), InlineIcon("die"), Words(", b"))),
        ('<icon name="die"/> <icon name="die"/> ', (InlineIcon("die"), Words(" "), InlineIcon("die"))),
        ("a\u00a0 b", (Words("a\u00a0 b"),)),
        ("a &amp; &lt;b&gt;", (Words("a & <b>"),)),
        ("<![CDATA[<b>]]>", (Words("<b>"),)),
        ("a<!-- no -->b", (Words("ab"),)),
    ],
)
def test_pieces(templates: Any, markup: str, pieces: tuple[object, ...]) -> None:
    assert templates.inside(f"<text>{markup}</text>")[0].pieces == pieces


def test_icons_in_text_are_icons_of_the_face(templates: Any) -> None:
    face = templates.build('<face><icon name="star"/><text>{{ t | rich }}</text></face>', {"t": "x :die:"})
    star, text = face.root.children
    assert star.attributes["name"] == "star" and InlineIcon("die") in text.pieces
