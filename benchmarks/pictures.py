"""`python pictures.py A.pdf B.pdf [PAGES]` reports how far the rendered pages of two PDFs differ."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops, ImageStat

SCALE = 2.0


def difference(file: Path, other: Path, pages: int = 2) -> float:
    """The mean difference of all pixels, as a share of white, on the page that differs most."""
    pairs = zip(rendered(file, pages), rendered(other, pages), strict=True)
    return float(max(sum(ImageStat.Stat(ImageChops.difference(a, b.resize(a.size))).mean) / 3 / 255 for a, b in pairs))


def rendered(file: Path, pages: int) -> Iterator[Image.Image]:
    with pypdfium2.PdfDocument(file) as document:
        for number in range(min(pages, len(document))):
            yield document[number].render(scale=SCALE).to_pil().convert("RGB")


if __name__ == "__main__":
    print(difference(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 2))
