"""Lays out what a macro draws: a face that only contains a call of the macro."""

from __future__ import annotations

from math import dist
from pathlib import Path

import pytest

from generator import faces
from generator.art.board_plan import SpaceOutline
from generator.geometry.frame import Frame, Run, Shape
from generator.geometry.outlines import bounds
from generator.layout.place import place
from generator.model.game import Theme
from generator.reading.theme import theme


class Drawn:
    """What a macro drew at the top left of a face."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.shapes = [item for item in frame.items if isinstance(item, Shape)]
        self.runs = [item for item in frame.items if isinstance(item, Run)]
        self.slots = list(frame.slots())

    @property
    def outlines(self) -> list[SpaceOutline]:
        """The closed shapes in painting order."""
        return [outline(shape) for shape in self.shapes if shape.path[-1] == ("Z",)]

    @property
    def texts(self) -> list[str]:
        return [run.text for run in self.runs]

    def run(self, text: str) -> Run:
        return next(run for run in self.runs if run.text == text)

    def around(self, text: str) -> Shape:
        """The shape whose middle is nearest to that of a text."""
        run = self.run(text)
        spot = run.x + run.width / 2, run.y - run.size / 3
        return min(self.shapes, key=lambda shape: dist(outline(shape).middle, spot))


def outline(shape: Shape) -> SpaceOutline:
    """A shape as an outline: a circle if it is curved, otherwise a polygon."""
    left, top, right, bottom = bounds(shape.path)
    if any(segment[0] == "C" for segment in shape.path):
        return SpaceOutline((left + right) / 2, (top + bottom) / 2, (right - left) / 2)
    corners = tuple((float(x), float(y)) for name, *at in shape.path if name != "Z" for x, y in [at])
    corners = corners[:-1] if dist(corners[0], corners[-1]) < 1e-6 else corners  # a path may lead back to its first
    x, y = (sum(numbers) / len(corners) for numbers in zip(*corners, strict=True))
    return SpaceOutline(x, y, max(dist((x, y), corner) for corner in corners), corners)


class Macros:
    """Draws calls of macros. Every call is a separate template, so the macros are loaded once for all tests."""

    def __init__(self, folder: Path, look: Theme) -> None:
        self.folder = folder
        self.theme = look
        self.templates = faces.Templates((folder,), look)
        self.calls = 0

    def draw(self, call: str, size: tuple[float, float] = (600, 600)) -> Drawn:
        """`grids.grid(8, 8)` and the like; raises InputError."""
        file = call.partition(".")[0]
        text = f'{{% import "{file}.xml.j2" as {file} %}}\n<face align="start">\n{{{{ {call} }}}}\n</face>'
        self.calls += 1
        card = f"card{self.calls}"
        (self.folder / f"{card}.xml.j2").write_text(text, encoding="utf-8")
        face = faces.build(self.templates, card, {}, name="card 1", size=size)
        return Drawn(place(face, self.theme))


@pytest.fixture(scope="session")
def macros(tmp_path_factory: pytest.TempPathFactory) -> Macros:
    folder = tmp_path_factory.mktemp("macros")
    return Macros(folder, theme(folder, "theme.yaml"))
