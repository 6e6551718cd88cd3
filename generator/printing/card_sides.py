"""Draws the sides of one component's cards: template → markup → elements → items of a frame.

Each stage remembers what it has done before, by what it reads: markup, elements and their spots. A face with a problem
takes the same stages without memory, so that each problem gets its place; so does one that must be read as a whole,
because it has slots or QR codes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..faces.face import Element, Face
from ..faces.reader import Reader, UnusualError
from ..faces.templates import RepeatedContext, Templates
from ..geometry.cuts import Cut
from ..geometry.frame import Frame
from ..layout.shared import SharedPlacer
from ..model.game import Card, Theme

CARD = "card"
"""The variable of templates that is another card for each face."""
MAX_FRAMES = 32
"""How many frames of a template are remembered, for cards that look alike."""


class CardSides:
    """The sides of a component's cards. `plain` draws one side of a card without memory; `context` has the variables of
    the templates besides the card; `about` has the size, bleed and safe area of all faces, and `cut` their shape."""

    def __init__(
        self,
        plain: Callable[[Card, str], Frame],
        templates: Templates,
        context: Mapping[str, Any],
        about: Face,
        theme: Theme,
        *,
        cut: Cut | None = None,
        folder: Path | None = None,
    ) -> None:
        self.plain = plain
        self.templates = templates
        self.context = context
        self.about = about
        self.theme = theme
        self.cut = cut
        self.folder = folder
        self._begin()
        self._contexts: dict[str, RepeatedContext] = {}
        self._frames: dict[str, dict[str, Frame]] = {}

    def _begin(self) -> None:
        """Begins with nothing remembered of other faces."""
        self.reader = Reader(self.templates, self.folder)
        self.placer = SharedPlacer(self.about, self.theme, self.cut, self.reader.pieces)

    def side(self, card: Card, template: str) -> Frame:
        """One side of a card. Raises InputError with every problem of its face. Cards that their template does not
        mention get the same object."""
        frames = self._frames.setdefault(template, {})
        if frames and not self.templates.mentions(template, CARD):
            return next(iter(frames.values()))
        try:
            return self._side(card, template, frames)
        except (InputError, ValueError, UnusualError):
            return self.plain(card, template)

    def _side(self, card: Card, template: str, frames: dict[str, Frame]) -> Frame:
        name = f"card {card.id}"
        context = self._contexts.get(template)
        if context is None:
            context = self._contexts[template] = RepeatedContext(self.context, CARD)
        text = self.templates.render_again(template, context.of(card), name)
        frame = frames.get(text)
        if frame:
            return Frame(
                name, frame.width, frame.height, frame.items, bleed=frame.bleed, safe=frame.safe, cut=frame.cut
            )
        if self.reader.is_full or self.placer.is_full:
            self._begin()
        about, placer = self.about, self.placer
        frame = Frame(name, *about.size, placer.items(*self.reader.read(text)), about.bleed, about.safe, placer.cut)
        if len(frames) >= MAX_FRAMES:
            del frames[next(iter(frames))]
        frames[text] = frame
        return frame


def about_faces(size: tuple[float, float], bleed: float, safe: float) -> Face:
    """A face without content, for what all faces of a component have in common; sizes are in mm."""
    return Face("", "", Element("face", {}), size, bleed=bleed, safe=safe)
