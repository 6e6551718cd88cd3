"""A theme with two fonts and one icon, and pages rendered by pdfium."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from generator import paths
from generator.model.game import Style, Theme
from generator.model.values import Colour
from generator.pdf.document import write
from tests.pdf.pages import INFO, page

ARROW = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
<path d="M12 2 L22 12 H16 V22 H8 V12 H2 Z" fill="currentColor"/>
<rect x="10" y="16" width="4" height="4" fill="#ff0000"/>
</svg>"""


@pytest.fixture(scope="session")
def icons(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("icons")
    (folder / "arrow.svg").write_text(ARROW)
    return folder


@pytest.fixture(scope="session")
def theme(icons) -> Theme:
    fonts = paths.SHARED_DATA / "fonts"
    mark = Style(font="bold", size=5.29, floor=1.76, colour=Colour("#3a4a6b"), align="center")
    return Theme({}, {"regular": fonts / "Lato-Regular.ttf", "bold": fonts / "Lato-Bold.ttf"}, {"mark": mark}, (icons,))


@pytest.fixture(scope="session")
def render():
    """`render(pdf, page, dpi, grey)` → a Pillow image of the page."""

    def rendered(pdf: bytes, page: int = 0, dpi: float = 254, *, grey: bool = False):
        document = pypdfium2.PdfDocument(pdf)
        try:
            return document[page].render(scale=dpi / 72, grayscale=grey).to_pil()
        finally:
            document.close()

    return rendered


@pytest.fixture
def printed(theme):
    """`printed(frame, …)` → the PDF of a page with these frames."""
    return lambda *frames, **more: write([page(*frames)], theme, info=INFO, **more)
