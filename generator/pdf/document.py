"""Pages → PDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from ..definitions.models import Theme
from ..errors import fault
from ..geometry.frame import Page, Placed
from .canvas import Info, PrintCanvas
from .leaves import Box, Leaves
from .operators import POINTS, to_millimetres
from .paint import Content, Painter

_RECENT = 2


def write(pages: Iterable[Page], theme: Theme, *, info: Info, duplex: str | None = None) -> bytes:
    """The pages as a PDF, the same bytes for the same pages; they may come one by one. `duplex` tells the printer how
    to turn the paper: `long`, `short`, `gutterfold` and `none` (one side only), or None to leave it to the person
    printing.

    Raises InputError where an icon, a picture or a font cannot be used, or where there is no page."""
    return painted(pages, theme, info=info, duplex=duplex).getpdfdata()


def painted(pages: Iterable[Page], theme: Theme, *, info: Info, duplex: str | None = None) -> PrintCanvas:
    """The pages on a canvas, as `write` writes them, for what is not painted to be added."""
    canvas = PrintCanvas(BytesIO())
    canvas.describe(info, duplex)
    drawn, leaves = _Drawn(Painter(canvas, theme)), Leaves(canvas._doc)
    uses = _uses(pages) if isinstance(pages, Sequence) else None
    for page in pages:
        _page(page, drawn, leaves, uses or _uses([page]))
    if not canvas._doc.Pages.pages:
        raise fault(f"{info.title}: there is nothing to print")
    return canvas


def _uses(pages: Sequence[Page]) -> Counter[int]:
    """How often each frame stands on these pages."""
    return Counter(id(placed.frame) for page in pages for placed in page.placed)


@dataclass(slots=True)
class _Drawn:
    """The operators of the pages drawn last: a page of backs comes again and again."""

    painter: Painter
    recent: dict[tuple[int, ...], tuple[Page, str, Iterable[str]]] = field(default_factory=dict)

    def page(self, page: Page, uses: Counter[int]) -> tuple[str, Iterable[str]]:
        """The operators of a page, and the XObjects they name."""
        key = id(page.placed), id(page.marks), id(page.notes)
        if key not in self.recent:
            if len(self.recent) >= _RECENT:
                del self.recent[next(iter(self.recent))]
            content = self._content(page, uses)
            self.recent[key] = page, "\n".join(content.code), content.xobjects
        return self.recent[key][1:]

    def _content(self, page: Page, uses: Counter[int]) -> Content:
        painter, content = self.painter, Content([to_millimetres(page.height)])
        for placed in page.placed:
            painter.placed(placed, content, repeated=uses[id(placed.frame)] > 1)
        painter.marks(page.marks, content)
        for note in page.notes:
            painter.placed(note, content)
        content.code.append("Q\n")
        return content


def _page(page: Page, drawn: _Drawn, leaves: Leaves, uses: Counter[int]) -> None:
    code, xobjects = drawn.page(page, uses)
    trim, bleed = _boxes(page)
    leaves.add(code, xobjects, (0.0, 0.0, page.width * POINTS, page.height * POINTS), TrimBox=trim,
               BleedBox=bleed)


def _boxes(page: Page) -> tuple[Box | None, Box | None]:
    """Trim and bleed box in points, where the page is a single card."""
    if not page.cut or len(page.placed) != 1:
        return None, None
    placed, = page.placed
    left, top, right, bottom = placed.clip
    width, height = placed.box
    x, y = placed.x, placed.y
    return (in_points(page, x, y, x + width, y + height),
            in_points(page, x - left, y - top, x + width + right, y + height + bottom))


def in_points(page: Page, left: float, top: float, right: float, bottom: float) -> Box:
    """A box on the page, given by its edges in mm, as PDF has it: in points from the lower left corner."""
    return left * POINTS, (page.height - bottom) * POINTS, right * POINTS, (page.height - top) * POINTS


def slot_rects(pages: Sequence[Page]) -> dict[str, tuple[int, float, float, float, float]]:
    """Where each slot lies on paper: its id → page index, x, y, width, height in mm. Of several slots with one id
    (copies of a card), the first counts."""
    found: dict[str, tuple[int, float, float, float, float]] = {}
    for number, page in enumerate(pages):
        for placed in page.placed:
            for slot in placed.frame.slots():
                box = _on_page(placed, slot.x, slot.y, slot.width, slot.height)
                found.setdefault(slot.id, (number, *box))
    return found


def _on_page(placed: Placed, x: float, y: float, width: float, height: float) -> Box:
    frame = placed.frame
    right, bottom = frame.width - x - width, frame.height - y - height
    dx, dy = {0: (x, y), 90: (bottom, x), 180: (right, bottom), 270: (y, right)}[placed.turn]
    size = (width, height) if placed.turn % 180 == 0 else (height, width)
    return placed.x + dx, placed.y + dy, *size
