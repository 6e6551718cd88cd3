"""Builds faces from templates: the resulting tree, and where templates are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generator import faces, paths
from generator.errors import InputError
from generator.faces import Element, InlineIcon, Words
from generator.model.game import Card
from generator.model.values import Span

CARD = """
<face padding="4" stroke="#222" radius="3">
  <row height="9" fill="{{ card.suit }}"><text style="title">{{ card.title }}</text></row>
  <text grow="1">{{ card.rule | rich }}</text>
  <row height="9" gap="1.5">
    {% for n in card.boxes %}<slot id="{{ n }}" grow="1"/>{% endfor %}
  </row>
</face>
"""


def card(**values: Any) -> Card:
    plain = {"title": "Fog & Co", "suit": "accent", "rule": "Roll **two** :die:.", "boxes": ("a", "b")}
    return Card("4", {**plain, **values})


def test_a_face_is_a_typed_tree(templates: Any) -> None:
    face = templates.build(CARD, {"card": card()})
    assert (face.name, face.size) == ("card 4", (63.5, 88.9))
    assert face.template.endswith("templates/card.xml.j2")
    top, rule, row = face.root.children
    assert face.root.attributes == {"padding": (4.0,) * 4, "stroke": "#222222", "radius": (3.0,) * 4}
    assert top.attributes == {"height": 9.0, "fill": "#24507a"}
    assert top.children == (Element("text", {"style": "title"}, pieces=(Words("Fog & Co"),), line=3),)
    assert rule.pieces == (Words("Roll "), Words("two", bold=True), Words(" "), InlineIcon("die"), Words("."))
    assert [(slot.tag, slot.attributes["id"]) for slot in row.children] == [("slot", "a"), ("slot", "b")]


def test_bleed_and_safe_are_passed_on(templates: Any) -> None:
    templates.write(card="<face/>")
    face = faces.build(templates.loaded(), "card", {}, name="x", size=(10, 20), bleed=3, safe=4)
    assert (face.size, face.bleed, face.safe) == ((10, 20), 3, 4)


def test_the_same_template_serves_many_cards(templates: Any) -> None:
    templates.write(card=CARD)
    loaded = templates.loaded()
    built = [faces.build(loaded, "card", {"card": card(title=title)}, name=title, size=(63, 88)) for title in "ab"]
    (templates.folder / "card.xml.j2").unlink()  # a template is read once
    built.append(faces.build(loaded, "card", {"card": card(title="c")}, name="c", size=(63, 88)))
    assert [face.root.children[0].children[0].pieces for face in built] == [(Words(t),) for t in "abc"]


def test_absent_values_are_written_as_empty_text(templates: Any) -> None:
    face = templates.build(CARD, {"card": card(rule=None, boxes=None)})
    _, rule, row = face.root.children
    assert rule.pieces == () and row.children == ()


@pytest.mark.parametrize(
    ("expression", "written"),
    [
        ("0.1 + 0.2", "0.3"),
        ("1e-9", "0"),
        ("3.0", "3"),
        ("-0.00000001", "0"),
        ("2 / 3", "0.666667"),
        ("7", "7"),
        ("true", "true"),
        ("1 == 2", "false"),
        ("none", ""),
        ("players", "2-5"),
        ("'a<b' ~ 1.50 ~ true", "a<b1.5true"),
        ("[1.5, 'b'] | join(', ')", "1.5, b"),
        ("'%02d:%s' | format(7, 'x')", "07:x"),
        ("'%s.%d' % ('a', 3)", "a.3"),
        ("[3, 1, 2] | sort | join", "123"),
        ("range(7) | batch(3) | map('join') | join('|')", "012|345|6"),
        ("range(7) | slice(3) | map('join') | join('|')", "012|34|56"),
        ("[1, 2] | sum", "3"),
        ("2.345 | round(1)", "2.3"),
        ("range(3) | batch(2, 9) | map('join') | join('|')", "01|29"),
        ("'abc' | reverse", "cba"),
        ("'a-b' | replace('-', ' & ')", "a & b"),
        ("[1, 2] | reverse | join", "21"),
        ("'ab'[1:]", "b"),
        ("{'a': 1}.items() | map('join', '=') | join", "a=1"),
        ("'x y'.split() | join('+')", "x+y"),
        ("2 ** 10", "1024"),
        ("(['x'] * 3) | length", "3"),
        ("rows[1].b", "2"),
        ("rows | map(attribute='b') | join", "12"),
        ("7 // 2", "3"),
        ("rows | sum('b')", "3"),
        ("rows | selectattr('b', 'gt', 1) | list | length", "1"),
        ("-3 % 5", "2"),
    ],
)
def test_values_are_written_as_markup_spells_them(templates: Any, expression: str, written: str) -> None:
    context = {"players": Span(2, 5), "rows": [{"b": 1}, {"b": 2}]}
    assert templates.written(expression, context) == written


def test_texts_are_escaped_and_markup_is_not(templates: Any) -> None:
    assert templates.written("t", {"t": '<b>&"'}) == '<b>&"'
    assert templates.written("('<b>' ~ ('*x*' | rich)) | safe") == "<b>x"
    assert templates.written("['<i>', '*x*' | rich] | join('&')") == "<i>&x"


def test_mix_makes_tints(templates: Any) -> None:
    body = """<column fill="{{ '#000' | mix('#fff', 0.25) }}"/><column fill="{{ '#000' | mix('paper', 1) }}"/>"""
    assert [box.attributes["fill"] for box in templates.inside(body)] == ["#404040", "#ffffff"]
    assert "no colour “inc”; did you mean ink?" in templates.problem("<face fill=\"{{ 'inc' | mix('ink', 1) }}\"/>")
    assert "a share from 0 to 1, not 2" in templates.problem("<face fill=\"{{ 'ink' | mix('ink', 2) }}\"/>")


def test_theme_colours_precede_css_colours_in_templates(templates: Any) -> None:
    body = (
        '<row fill="hsl(211 45% 26%)"/><row fill="ink"/><row fill="Navy"/>'
        + "<row fill=\"{{ 'navy' | mix('red', 0) }}\"/>"
    )
    assert [box.attributes["fill"] for box in templates.inside(body)] == ["#244160", "#20262e", "#000080", "#000080"]
    assert "no colour “nawy”; did you mean navy?" in templates.problem('<face fill="nawy"/>')
    assert "“fill” of <face> must be a colour such as #24405f" in templates.problem('<face fill="rgb(1)"/>')


# ---- where templates are found ------------------------------------------------------------------------------------


def test_extends_include_import_and_macros(templates: Any) -> None:
    face = templates.build(
        '{% extends "frame.xml.j2" %}{% import "boxes.xml.j2" as boxes %}'
        "{% block body %}{{ boxes.slots(2) }}{% include 'rule.xml.j2' %}{% endblock %}",
        {"title": "Hi"},
        frame="<face><text>{{ title }}</text>{% block body %}{% endblock %}</face>",
        boxes='{% macro slots(n) %}{% for i in range(n) %}<slot id="s{{ i }}"/>{% endfor %}{% endmacro %}',
        rule="<line/>",
    )
    assert [child.tag for child in face.root.children] == ["text", "slot", "slot", "line"]


def test_templates_of_the_game_precede_shared_ones(
    templates: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "_shared"
    shared.mkdir()
    (shared / "frame.xml.j2").write_text("<face><icon name='die'/>{% block body %}{% endblock %}</face>")
    (shared / "plain.xml.j2").write_text("<face><line/></face>")
    monkeypatch.setattr(paths, "SHARED_TEMPLATES", shared)
    own = '{% extends "_shared/frame.xml.j2" %}{% block body %}<text>mine</text>{% endblock %}'
    face = templates.build('{% extends "frame.xml.j2" %}', frame=own)
    assert [child.tag for child in face.root.children] == ["icon", "text"]
    plain = faces.build(templates.loaded(), "plain", {}, name="x", size=(1, 1))
    assert [child.tag for child in plain.root.children] == ["line"]


def test_pictures_come_from_the_games_folder(templates: Any, tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "fog.png").write_bytes(b"")
    assert templates.inside('<image file="art/fog.png"/>')[0].attributes["file"] == str(tmp_path / "art" / "fog.png")
    assert "no picture “art/frog.png” in the game’s folder; did you mean fog.png?" in templates.problem(
        '<face><image file="art/frog.png"/></face>'
    )
    assert "is outside the game’s folder" in templates.problem('<face><image file="../x.png"/></face>')
    assert "is outside the game’s folder" in templates.problem('<face><image file="/etc/x.png"/></face>')
    assert "must be a PNG, JPEG, WebP, AVIF, GIF, TIFF, BMP or SVG file" in templates.problem(
        '<face><image file="art/fog.psd"/></face>'
    )
    for name in ("fog", "FOG.PNG", "art/fog", "art\\fog.png", " fog.png "):
        assert templates.inside(f'<image file="{name}"/>')[0].attributes["file"] == str(tmp_path / "art" / "fog.png")
    assert "no picture “frog” in the game’s folder; did you mean fog?" in templates.problem(
        '<face><image file="frog"/></face>'
    )
    assert "must be a PNG, JPEG, WebP" in templates.problem('<face><image file="https://x.org/a.png"/></face>')
    templates.write(card='<face><image file="art/fog.png"/></face>')
    with pytest.raises(InputError, match="there is no folder for"):
        faces.build(templates.loaded(), "card", {}, name="x", size=(1, 1))
