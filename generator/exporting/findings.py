"""What a print shop would reject, and where."""

from __future__ import annotations

from typing import NamedTuple

from ..fast_dataclasses import dataclass

RULES = {
    "size": "the page does not have the size of a product",
    "boxes": "the page does not say where it is cut",
    "bleed": "art ends at the cut instead of going on into the bleed",
    "safe": "texts and symbols are too close to the cut",
    "resolution": "pictures have too few dots per inch",
    "fonts": "fonts are not embedded",
    "rgb": "colours are in RGB instead of CMYK",
    "ink": "there is more ink than the paper takes",
    "lines": "lines are thinner than 0.25 pt",
    "overprint": "white overprints, so that it disappears",
    "transparency": "there is transparency",
    "pages": "the number of pages is odd",
    "standard": "the file is not PDF/X-1a",
}
"""Every rule with what it looks for."""


class Box(NamedTuple):
    """A place in mm, from the upper left corner of the trim."""

    x: float
    y: float
    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.x:.1f}, {self.y:.1f} mm"


@dataclass(frozen=True, slots=True)
class Finding:
    """A breach of a rule: on which card (or page), where, and what. `hint` says how to mend it."""

    rule: str
    message: str
    component: str = ""
    card: str = ""
    page: int = 0
    place: Box | None = None
    hint: str = ""

    @property
    def where(self) -> str:
        """The card or page, and the place on it."""
        named = ", ".join(part for part in (self.component, self.card) if part)
        page = f"page {self.page}" if self.page else ""
        what = f"{page} ({named})" if page and named else page or named or "the file"
        return f"{what} at {self.place}" if self.place else what
