"""Faces without templates: elements write as calls, laid out with a small theme of round numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from generator import paths
from generator.errors import InputError
from generator.faces.face import Element, Face, Piece, Words
from generator.geometry import outlines
from generator.geometry.frame import Frame, Run, Shape
from generator.layout import flaws
from generator.layout.handwriting import with_marks
from generator.layout.place import place
from generator.model.game import FontFile, Style, Theme
from generator.model.values import Colour

STAR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0H10V10Z" fill="currentColor"/></svg>'
WIDE = STAR.replace("0 0 10 10", "0 0 20 10")
_SIDES = ("padding", "radius")


def element(tag: str, *inside: Element | Piece | str, **attributes: Any) -> Element:
    """`element("row", child, padding=2)`; in a text, a str stands for plain words."""
    for name in _SIDES:
        if isinstance(attributes.get(name), int | float):
            attributes[name] = (float(attributes[name]),) * 4
    if tag == "text":
        pieces = tuple(Words(part) if isinstance(part, str) else part for part in inside)
        return Element(tag, attributes, pieces=pieces)  # type: ignore[arg-type]
    return Element(tag, attributes, tuple(inside))  # type: ignore[arg-type]


def laid(
    theme: Theme,
    *inside: Element,
    size: tuple[float, float] = (60.0, 80.0),
    bleed: float = 0.0,
    safe: float = 0.0,
    marks: dict[str, str] | None = None,
    **face: Any,
) -> Frame:
    """The frame of a face with these elements."""
    root = element("face", *inside, **face)
    return with_marks(place(Face("card 4", "card.xml.j2", root, size, bleed, safe), theme), theme, marks or {})


def outside_safe(frame: Frame) -> list[str]:
    """A sentence for each text, slot and icon beyond the safe area. Backgrounds and outlines may extend beyond it."""
    outside = flaws._outside(frame)
    return [f"{flaws._describe(item)} leaves the safe area: {flaws._sides(excess)}" for _, item, excess in outside]


def overlaps(frame: Frame) -> list[str]:
    """A sentence for each pair of overlapping slots."""
    return [f"slots “{first.id}” and “{second.id}” overlap" for first, second in flaws._overlapping(frame)]


@pytest.fixture
def el() -> Callable[..., Element]:
    return element


@pytest.fixture(scope="session")
def theme(tmp_path_factory: pytest.TempPathFactory) -> Theme:
    icons = tmp_path_factory.mktemp("icons")
    (icons / "star.svg").write_text(STAR)
    (icons / "wide.svg").write_text(WIDE)
    fonts = paths.SHARED_DATA / "fonts"
    return Theme(
        colours=MappingProxyType(
            {"ink": "#111111", "line": "#222222", "flaw": "#ff0000", "stroke": "#00ff00", "pencil": "#333333"}
        ),
        fonts=MappingProxyType(
            {
                "regular": (FontFile(fonts / "Lato-Regular.ttf"),),
                "bold": (FontFile(fonts / "Lato-Bold.ttf"),),
                "italic": (FontFile(fonts / "Lato-Italic.ttf"),),
                "bold-italic": (FontFile(fonts / "Lato-BoldItalic.ttf"),),
                "black": (FontFile(fonts / "Lato-Black.ttf"),),
            }
        ),
        styles=MappingProxyType(
            {
                "body": Style(size=4.0, floor=2.0, leading=1.25),
                "stiff": Style(size=4.0, leading=1.25),
                "head": Style(font="black", size=6.0, floor=3.0),
                "even": Style(size=4.0, floor=2.0, together=True),
                "mark": Style(font="bold", size=5.0, floor=2.0, colour=Colour("pencil"), leading=1.0),
                "sum": Style(font="bold", size=5.0, floor=2.0, colour=Colour("pencil"), leading=1.0),
            }
        ),
        icon_folders=(icons,),
    )


@pytest.fixture
def lay(theme: Theme) -> Callable[..., Frame]:
    return lambda *inside, **how: laid(theme, *inside, **how)


@pytest.fixture
def faults(lay: Callable[..., Frame]) -> Callable[..., list[str]]:
    """The problems of a face, as messages."""

    def problems(*inside: Element, **how: Any) -> list[str]:
        with pytest.raises(InputError) as caught:
            lay(*inside, **how)
        return [str(problem) for problem in caught.value.problems]

    return problems


@pytest.fixture
def filled() -> Callable[[Frame], dict[str, tuple[float, ...]]]:
    """Fill colour → left, top, width and height of the filled shape, to a thousandth of a millimetre."""

    def boxes_by_fill(frame: Frame) -> dict[str, tuple[float, ...]]:
        boxes = {}
        for item in frame.items:
            if isinstance(item, Shape) and item.fill:
                left, top, right, bottom = outlines.bounds(item.path)
                boxes[item.fill] = tuple(round(n, 3) for n in (left, top, right - left, bottom - top))
        return boxes

    return boxes_by_fill


@pytest.fixture
def runs() -> Callable[[Frame], list[Run]]:
    return lambda frame: [item for item in frame.items if isinstance(item, Run)]


@pytest.fixture
def svg(tmp_path: Path) -> Callable[..., Path]:
    """A file with an SVG drawing that contains this."""

    def write(inside: str, head: str = 'viewBox="0 0 24 24"') -> Path:
        path = tmp_path / "art.svg"
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {head}>\n{inside}\n</svg>')
        return path

    return write
