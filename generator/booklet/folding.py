"""Imposes half-paper pages, two per side, so that the folded stack is a booklet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..definitions.sizes import Paper
from ..pdf.canvas import PrintCanvas
from ..pdf.operators import POINTS


def half(paper: Paper) -> tuple[float, float]:
    """Width and height (mm) of a page of the booklet: the paper folded across its longer side."""
    return paper.height / 2, paper.width


def sides(pages: int) -> Iterator[tuple[int | None, int | None]]:
    """Yields the left and right page (from 0; None is blank) of every printed side, fronts and backs alternating.

    Sheets are nested: the outermost one has the last and the first page.
    """
    count = -(-pages // 4) * 4
    for sheet in range(count // 4):
        first, last = 2 * sheet, count - 1 - 2 * sheet
        for left, right in ((last, first), (first + 1, last - 1)):
            yield _known(left, pages), _known(right, pages)


def _known(page: int, pages: int) -> int | None:
    return page if page < pages else None


class FoldingCanvas(PrintCanvas):
    """Stores finished pages as forms and imposes them when saved, two per side (`folded`) or singly.

    Platypus does not support imposition: for it, every `showPage` ends a page of the PDF.
    """

    def __init__(self, filename: Any, paper: Paper, *, folded: bool = True, **options: Any) -> None:
        super().__init__(filename, **options)
        self._paper = paper
        self._folded = folded
        self._halves: list[str] = []

    def showPage(self) -> None:  # noqa: N802
        name = f"half{len(self._halves)}"
        width, height = half(self._paper)
        self.push_state_stack()
        self._formData = (name, 0, 0, width * POINTS, height * POINTS)
        self.endForm()
        self.init_graphics_state()
        self._halves.append(name)
        self._pageNumber += 1

    def save(self) -> None:
        """Imposes the pages and saves; platypus calls this after the last page."""
        if self._code:
            self.showPage()
        if self._folded:
            for left, right in sides(len(self._halves)):
                self._side(left, right)
        else:
            for page in range(len(self._halves)):
                self._single(page)
        super().save()

    def _single(self, page: int) -> None:
        """A single page, for reading on screen."""
        width, height = half(self._paper)
        self.setPageSize((width * POINTS, height * POINTS))
        self.doForm(self._halves[page])
        super().showPage()

    def _side(self, left: int | None, right: int | None) -> None:
        width, height = half(self._paper)
        self.setPageSize((2 * width * POINTS, height * POINTS))
        for page, x in ((left, 0.0), (right, width)):
            if page is not None:
                self.saveState()
                self.translate(x * POINTS, 0)
                self.doForm(self._halves[page])
                self.restoreState()
        super().showPage()

    @property
    def printed_sides(self) -> int:
        return -(-len(self._halves) // 4) * 2 if self._folded else len(self._halves)
