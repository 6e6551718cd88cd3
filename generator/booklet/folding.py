"""Imposes half-paper pages, two per side, so that the folded stack is a booklet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from ..geometry.outlines import IDENTITY, Matrix
from ..pdf.canvas import PrintCanvas
from ..pdf.operators import POINTS
from ..pdf.paint import Painter
from ..reading.sizes import Paper


def half(paper: Paper) -> tuple[float, float]:
    """Width and height (mm) of a page of the booklet: the paper folded across its longer side."""
    return paper.height / 2, paper.width


def sides(pages: int) -> Iterator[tuple[int | None, int | None]]:
    """Yields the left and right page (counted from 0; None is blank) of every printed side, front, back, front, back.

    Sheets are nested: the outermost one carries the first and the last page.
    """
    count = -(-pages // 4) * 4
    for sheet in range(count // 4):
        first, last = 2 * sheet, count - 1 - 2 * sheet
        for left, right in ((last, first), (first + 1, last - 1)):
            yield left if left < pages else None, right if right < pages else None


def _bookmark(number: int) -> str:
    return f"heading{number}"


def _label(left: int | None, right: int | None) -> str:
    """The numbers of the pages on a printed side, such as `8, 1`."""
    return ", ".join(str(page + 1) for page in (left, right) if page is not None) or "blank"


def _in_points(matrix: Matrix, height: float) -> Matrix:
    """A matrix in mm with y down, on a page of this height, in points with y up."""
    a, b, c, d, e, f = matrix
    if matrix == IDENTITY:
        return matrix
    return a, -b, -c, d, (c * height + e) * POINTS, (height - d * height - f) * POINTS


class _Entry(Struct, frozen=True):
    """A page of a booklet: the form with its content (none if it is blank), and for a page of a spread, which half."""

    form: str = ""
    half: Literal["", "left", "right"] = ""


class FoldingCanvas(PrintCanvas):
    """Stores each finished page as a form XObject and imposes them on saving: two per side if `folded`, else one,
    without blank ones. The matrix `backs` (mm, y down) moves everything on the back of each sheet of paper.
    Single pages are enlarged by `scale`.

    `showPage` ends a page of the booklet, `show_spread` two pages that face each other, and `blank_page` adds one
    without content. A spread must be in the middle of a folded booklet, where both its pages are on one side of a
    sheet. The `painter` paints frames and icons as on cards."""

    painter: Painter

    def __init__(
        self,
        filename: Any,
        paper: Paper,
        *,
        folded: bool = True,
        backs: Matrix = IDENTITY,
        scale: float = 1.0,
    ) -> None:
        super().__init__(filename)
        self._backs = _in_points(backs, paper.width)
        self._paper = paper
        self._folded = folded
        self._scale = scale
        self._entries: list[_Entry] = []
        self._headings: list[tuple[int, str, int]] = []

    @property
    def pages(self) -> int:
        """The number of finished pages of the booklet."""
        return len(self._entries)

    def heading(self, level: int, title: str) -> None:
        """Adds a bookmark at the page that is being drawn; level 1 is the highest."""
        self._headings.append((level, title, self.pages))

    def showPage(self) -> None:  # noqa: N802
        self._entries.append(_Entry(self._end(1)))

    def show_spread(self) -> None:
        form = self._end(2)
        self._entries += [_Entry(form, "left"), _Entry(form, "right")]

    def blank_page(self) -> None:
        self._entries.append(_Entry())

    def _end(self, pages: int) -> str:
        """Makes a form of what has been drawn, as wide as some pages; returns its name."""
        name = f"half{self.pages}"
        width, height = half(self._paper)
        self.push_state_stack()
        self._formData = (name, 0, 0, pages * width * POINTS, height * POINTS)
        self.endForm()
        self.init_graphics_state()
        return name

    def save(self) -> None:
        """Imposes the pages and saves."""
        count = self.pages
        if self._folded:
            for number, (left, right) in enumerate(sides(count)):
                self._add_side(left, right, back=number % 2 == 1)
            self.label_pages([_label(left, right) for left, right in sides(count)])
        else:
            for page in self._single_pages:
                self._add_single(page)
            names = [f"{n + 1}-{n + 2}" if self._entries[n].half else str(n + 1) for n in self._single_pages]
            self.label_pages(names)
        self._add_bookmarks()
        super().save()

    def _add_bookmarks(self) -> None:
        level = -1
        for number, (heading, title, _) in enumerate(self._headings):
            level = min(heading - 1, level + 1)  # a bookmark may be only one level below the one before
            self.addOutlineEntry(title, _bookmark(number), level, closed=False)
        if self._headings and not self._folded:
            self.showOutline()

    def _mark(self, page: int) -> None:
        """Makes the PDF page being written the destination of the bookmarks of a page of the booklet."""
        for number, (_, _, on) in enumerate(self._headings):
            if on == page:
                self.bookmarkPage(_bookmark(number))

    def _set_size(self, width: float, height: float) -> None:
        """The size of a page in mm. Nothing is cut off, so its trim and bleed boxes are the whole page."""
        size = width * POINTS, height * POINTS
        self.setPageSize(size)
        self.setTrimBox((0, 0, *size))
        self.setBleedBox((0, 0, *size))

    def _add_single(self, page: int) -> None:
        """Adds a PDF page with one page of the booklet, or a whole spread, for reading on screen."""
        width, height = half(self._paper)
        entry = self._entries[page]
        scale = self._scale
        if entry.half and scale != 1.0:  # a spread lies on the same paper, on its side
            scale = min(scale * height / (2 * width), scale * width / height)
        self._set_size((2 * width if entry.half else width) * scale, height * scale)
        self._mark(page)
        if scale != 1.0:
            self.scale(scale, scale)
        self.doForm(entry.form)
        super().showPage()

    def _add_side(self, left: int | None, right: int | None, *, back: bool) -> None:
        width, height = half(self._paper)
        self._set_size(2 * width, height)
        if back and self._backs != IDENTITY:
            self.transform(*self._backs)
        for page, x in ((left, 0.0), (right, width)):
            if page is None:
                continue
            self._mark(page)
            entry = self._entries[page]
            if entry.form and entry.half != "right":  # the left page has drawn the whole spread
                self.saveState()
                self.translate(x * POINTS, 0)
                self.doForm(entry.form)
                self.restoreState()
        super().showPage()

    @property
    def _single_pages(self) -> list[int]:
        """The pages of the booklet that begin a page of the PDF if it is not folded."""
        return [page for page, entry in enumerate(self._entries) if entry.form and entry.half != "right"]

    @property
    def printed_sides(self) -> int:
        return -(-self.pages // 4) * 2 if self._folded else len(self._single_pages)
