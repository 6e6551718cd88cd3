"""Attribute values: what each kind accepts, converts and refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from generator.faces import kinds
from generator.faces.face import ELEMENTS, INLINE
from generator.faces.kinds import Percent, Track

Attributes = Callable[[str], Mapping[str, Any]]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (kinds.LENGTH, "-2.5", -2.5),
        (kinds.LENGTH, "1in", 25.4),
        (kinds.SIZE, "2cm", 20.0),
        (kinds.SIZE, "0", 0.0),
        (kinds.PART, "50%", Percent(0.5)),
        (kinds.PART, "-10%", Percent(-0.1)),
        (kinds.PART_SIZE, "3", 3.0),
        (kinds.TYPE_SIZE, "72pt", pytest.approx(25.4)),
        (kinds.NUMBER, "1.5", 1.5),
        (kinds.COUNT, "3", 3),
        (kinds.SIDES, "1", (1, 1, 1, 1)),
        (kinds.SIDES, "1 2", (1, 2, 1, 2)),
        (kinds.SIDES, "1 2 3 4", (1, 2, 3, 4)),
        (kinds.CORNERS, "2", (2, 2, 2, 2)),
        (kinds.CORNERS, "1 2 3 4", (1, 2, 3, 4)),
        (kinds.GAPS, "1", (1, 1)),
        (kinds.GAPS, "1, 2", (1, 2)),
        (kinds.DASH, "1 0.5", (1, 0.5)),
        (kinds.TRACKS, "2", (Track(share=1.0),) * 2),
        (kinds.TRACKS, "12 1fr 2.5fr", (Track(12.0), Track(share=1.0), Track(share=2.5))),
        (kinds.TURN, "270", 270),
        (kinds.TURN, "-7.5", 352.5),
        (kinds.TURN, "45deg", 45),
        (kinds.LANGUAGE, "pt-BR", "pt-BR"),
        (kinds.LANGUAGE, "none", ""),
        (kinds.FLAG, "true", True),
        (kinds.FLAG, "false", False),
        (kinds.BLEED, "included", "included"),
        (kinds.BLEED, "false", False),
        (kinds.FOCUS, "left", (0, 0.5)),
        (kinds.FOCUS, "bottom right", (1, 1)),
        (kinds.FOCUS, "center", (0.5, 0.5)),
        (kinds.FOCUS, "30% 0%", (0.3, 0)),
        (kinds.OPACITY, "0.4", 0.4),
        (kinds.OPACITY, "40%", 0.4),
        (kinds.NAME, "a.1", "a.1"),
        (kinds.VIEW_BOX, "0 0 24,24", (0, 0, 24, 24)),
        (kinds.VIEW_BOX, "-1 -1 2 2", (-1, -1, 2, 2)),
        (kinds.PATH, "M0,0 L24-24 h3z", "M0,0 L24-24 h3z"),
        (kinds.PATH, "m1e1 2a1 1 0 01.5.5", "m1e1 2a1 1 0 01.5.5"),
        (kinds.PATH, "M0 0 1 1 2 2", "M0 0 1 1 2 2"),
    ],
)
def test_values(kind: kinds.Kind, text: str, value: object) -> None:
    assert kind.read(text) == value


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (kinds.BLEED, ["", "auto"]),
        (kinds.FOCUS, ["", "30%", "30 40", "-1% 0%", "101% 0%", "left right", "top left center"]),
        (kinds.OPACITY, ["", "2", "101%", "-1"]),
        (kinds.LENGTH, ["", "x", "3 em", "1e3", "1 2", "9999", "50%"]),
        (kinds.SIZE, ["-1"]),
        (kinds.PART, ["%", "x%"]),
        (kinds.PART_SIZE, ["-1%"]),
        (kinds.TYPE_SIZE, ["9", "0pt", "-3pt"]),
        (kinds.NUMBER, ["-1", "x", "1e3", "nan"]),
        (kinds.COUNT, ["0", "1.5", "1000", "x"]),
        (kinds.SIDES, ["", "1 2 3", "1 2 3 4 5", "-1"]),
        (kinds.CORNERS, ["1 2"]),
        (kinds.GAPS, ["1 2 3"]),
        (kinds.DASH, ["0", "0 0", ""]),
        (kinds.TRACKS, ["0", "x", "1fr fr", "0fr", ""]),
        (kinds.TURN, ["", "400", "-361", "1e2", "0.5turn", "nan"]),
        (kinds.FLAG, ["yes", "1"]),
        (kinds.NAME, ["", "x" * 201]),
        (kinds.VIEW_BOX, ["0 0 24", "0 0 0 1", "0 0 x 1", "0 0 nan 1", "0 0 inf 1"]),
        (kinds.PATH, ["", "L0 0", "M0", "M0 0 B1", "M0 0 Z 4", "M" + "1" * 9000, "M0 0 L", "M0 0 a1 1 0 2 1 3 3"]),
    ],
)
def test_refused(kind: kinds.Kind, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(ValueError):
            kind.read(text)


def test_long_values_are_refused_except_for_paths() -> None:
    with pytest.raises(ValueError):
        kinds.LENGTH.read("1" + " " * 400)
    assert kinds.PATH.read("M0 0" + "L1 1" * 400)


def test_names_are_looked_up(attributes: Attributes) -> None:
    assert attributes('<row fill="accent" stroke="none"/>') == {"fill": "#24507a", "stroke": None}
    assert attributes('<text style="title" colour="#ABC"/>') == {"style": "title", "colour": "#aabbcc"}
    assert attributes('<icon name="die" colour="ink"/>') == {"name": "die", "colour": "#20262e"}


def test_attributes_have_python_names_and_no_defaults(attributes: Attributes) -> None:
    assert attributes('<text font-size="9mm" stroke-width="0.5" lines="2" wrap="false"/>') == {
        "font_size": 9.0,
        "stroke_width": 0.5,
        "lines": 2,
        "wrap": False,
    }
    assert attributes("<text/>") == {}
    with pytest.raises(TypeError):
        attributes("<text/>")["x"] = 1  # type: ignore[index]


def test_the_table_is_complete() -> None:
    for tag in [*ELEMENTS.values(), *INLINE.values()]:
        assert tag.about.endswith(".")
        for name, attribute in tag.attributes.items():
            assert attribute.about and attribute.kind.expected
            assert attribute.key.isidentifier() and attribute.key == name.replace("-", "_")
            assert (attribute.omitted is None) == (name in tag.needed)
