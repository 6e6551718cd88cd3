"""A folder of templates, and faces built from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from generator import faces
from generator.errors import InputError
from generator.model.game import Style, Theme

NOTHING: Mapping[str, Any] = MappingProxyType({})
ICONS = ("die", "pencil", "star")


@pytest.fixture
def theme(tmp_path: Path) -> Theme:
    icons = tmp_path / "icons"
    icons.mkdir()
    for name in ICONS:
        (icons / f"{name}.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    colours = {"ink": "#20262e", "paper": "#ffffff", "accent": "#24507a", "line": "#a6adb4"}
    styles = {"body": Style(size=3.0), "title": Style(size=5.0)}
    return Theme(colours, {}, styles, (icons, tmp_path / "no-such-folder"))


class Templates:
    """The templates of a test: `build` writes `card.xml.j2` (and others by name) and builds a face from it."""

    def __init__(self, folder: Path, theme: Theme) -> None:
        self.folder = folder
        self.theme = theme

    def write(self, **files: str) -> None:
        self.folder.mkdir(exist_ok=True)
        for name, text in files.items():
            (self.folder / f"{name}.xml.j2").write_text(text, encoding="utf-8")

    def loaded(self) -> faces.Templates:
        return faces.Templates((self.folder,), self.theme)

    def build(self, card: str, context: Mapping[str, Any] = NOTHING, **files: str) -> faces.Face:
        self.write(card=card, **files)
        return faces.build(self.loaded(), "card", context, name="card 4", size=(63.5, 88.9), folder=self.folder.parent)

    def inside(self, body: str, context: Mapping[str, Any] = NOTHING, **files: str) -> tuple[faces.Element, ...]:
        """The children of a face with this body."""
        return self.build(f"<face>{body}</face>", context, **files).root.children

    def written(self, expression: str, context: Mapping[str, Any] = NOTHING) -> str:
        """The output of `{{ expression }}` in a text."""
        pieces = self.inside(f"<text>{{{{ {expression} }}}}</text>", context)[0].pieces
        return "".join(piece.text if isinstance(piece, faces.Words) else f":{piece.icon}:" for piece in pieces)

    def problems(self, card: str, context: Mapping[str, Any] = NOTHING, **files: str) -> list[str]:
        """The problems of a face as messages, without the folder."""
        with pytest.raises(InputError) as caught:
            self.build(card, context, **files)
        return [str(problem).replace(f"{self.folder}/", "") for problem in caught.value.problems]

    def problem(self, card: str, context: Mapping[str, Any] = NOTHING, **files: str) -> str:
        """The only problem of a face."""
        messages = self.problems(card, context, **files)
        assert len(messages) == 1, messages
        return messages[0]


@pytest.fixture
def templates(tmp_path: Path, theme: Theme) -> Templates:
    return Templates(tmp_path / "templates", theme)


@pytest.fixture
def attributes(templates: Templates) -> Callable[[str], Mapping[str, Any]]:
    """The typed attributes of an element written out in full."""
    return lambda element: templates.inside(element)[0].attributes
