"""Prints SVG files and compares them with the pictures that resvg draws of them.

    python -m benchmarks.svg FOLDER... [--count 200] [--seed 1] [--save DIFFERENT/]

Each file is printed on a page of its own size, the page is rendered by pdfium, and resvg draws the file itself at the
same size, both eight times finer than they are compared, so that edges look alike. A file is different if the mean of
all differences is above 1%, or that of a tile of 8 × 8 pixels (of 128 × 128) is above 12%, of the way from black to
white, even if it is drawn three times finer still: pdfium draws no line thinner than a pixel."""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import NamedTuple

import pypdfium2
import resvg_py
from PIL import Image as Pixels
from PIL import ImageChops

from generator import paths
from generator.art.svg_shapes import Art, load_art
from generator.errors import InputError
from generator.geometry.frame import Frame, Image, Page, Placed
from generator.model.game import Theme
from generator.pdf import Info, write

SIZE, FINER, TILE = 128, 8, 8
DPI, INCH = 300, 25.4
MAX_MEAN, MAX_TILE = 0.01, 0.12


class Result(NamedTuple):
    """How a file was printed ("vector", "picture", "refused"), the mean and largest difference of a tile, and why it is
    a picture or was refused."""

    how: str
    mean: float = 0.0
    tile: float = 0.0
    why: str = ""

    @property
    def different(self) -> bool:
        return self.mean > MAX_MEAN or self.tile > MAX_TILE


def compared(file: Path, finer: int = FINER) -> tuple[Result, Pixels.Image | None, Pixels.Image | None]:
    """The result for a file, its print, and resvg's picture."""
    try:
        art = load_art(file)
        width = round(SIZE * finer * min(1.0, art.width / art.height))
        page = printed(file, width, width * art.height / art.width)
    except InputError as error:
        return Result("refused", why=str(error)), None, None
    try:
        reference = drawn(file, width, art)
    except ValueError as error:
        return Result("vector", why=f"resvg: {error}"), page, None
    size = width, min(page.height, reference.height)
    page, reference = page.crop((0, 0, *size)), reference.crop((0, 0, *size))
    mean, tile = difference(page, reference, finer)
    return Result("picture" if art.beyond else "vector", mean, tile, art.beyond), page, reference


@cache
def _theme() -> Theme:
    return Theme({}, {"regular": paths.SHARED_DATA / "fonts/Lato-Regular.ttf"}, {}, ())


def printed(file: Path, width: int, height: float) -> Pixels.Image:
    """The file printed on a page and rendered with this width in pixels."""
    across, down = (pixels / DPI * INCH for pixels in (width, height))
    frame = Frame("art", across, down, (Image(str(file), 0, 0, across, down),))
    page = Page(across - 1e-3, ceil(height) / DPI * INCH - 1e-3, (Placed(frame, 0, 0),))
    document = pypdfium2.PdfDocument(write([page], _theme(), info=Info(title="art")))
    try:
        return document[0].render(scale=DPI / 72).to_pil().convert("RGB")
    finally:
        document.close()


def drawn(file: Path, width: int, art: Art) -> Pixels.Image:
    """resvg's picture of the file, on white."""
    text = _ROOT.sub(lambda root: _sized(root[0], width, art), file.read_bytes().decode("utf-8", "replace"), count=1)
    png = resvg_py.svg_to_bytes(
        svg_string=text, width=width, dpi=96, background="white", skip_system_fonts="<text" not in text
    )
    return Pixels.open(BytesIO(png)).convert("RGB")


_ROOT = re.compile(r"<(?:\w+:)?svg\b[^>]*>")


def _sized(root: str, width: int, art: Art) -> str:
    """The first tag with this width in pixels: resvg rounds the size that it has before it scales the drawing."""
    root = re.sub(r"\s(width|height)\s*=\s*(\"[^\"]*\"|'[^']*')", " ", root)
    box = "" if re.search(r"\sviewBox\s*=", root) else f' viewBox="0 0 {art.width} {art.height}"'
    height = width * art.height / art.width
    return re.sub(r"/?>$", lambda end: f'{box} width="{width}" height="{height:.4f}"{end[0]}', root)


def difference(one: Pixels.Image, other: Pixels.Image, finer: int = FINER) -> tuple[float, float]:
    """The mean of all differences, and the largest mean of a tile, as shares of the way from black to white."""
    size = max(1, one.width // finer), max(1, one.height // finer)
    small = [picture.resize(size, Pixels.Resampling.BOX) for picture in (one, other)]
    red, green, blue = ImageChops.difference(*small).split()
    worst = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    tiles = worst.resize((max(1, size[0] // TILE), max(1, size[1] // TILE)), Pixels.Resampling.BOX)
    counts = worst.histogram()
    return sum(level * count for level, count in enumerate(counts)) / sum(counts) / 255, tiles.getextrema()[1] / 255


def sample(folder: Path, count: int, seed: int) -> list[Path]:
    files = sorted(file for file in folder.rglob("*.svg") if file.is_file())
    return sorted(random.Random(seed).sample(files, min(count, len(files))))


def rows(folders: list[Path], count: int, seed: int, save: Path | None) -> Iterator[str]:
    yield f"{'collection':<28}{'files':>7}{'vector':>8}{'picture':>9}{'refused':>9}{'different':>11}{'seconds':>9}"
    for folder in folders:
        started = time.perf_counter()
        results = {}
        for file in sample(folder, count, seed):
            results[file], page, reference = compared(file)
            if results[file].different:  # thin lines are at least one pixel wide in pdfium
                results[file], page, reference = compared(file, 3 * FINER)
            if save and results[file].different and page and reference:
                side_by_side(page, reference).save(save / f"{folder.name}-{file.stem}.png")
        how = Counter(result.how for result in results.values())
        bad = [file for file, result in results.items() if result.different]
        yield (
            f"{folder.name:<28}{len(results):>7}{how['vector']:>8}{how['picture']:>9}{how['refused']:>9}{len(bad):>11}"
            f"{time.perf_counter() - started:>9.1f}"
        )
        for file, result in results.items():
            if result.different or result.how == "refused":
                yield f"    {file.name}: {result.how} {result.why} mean {result.mean:.4f} tile {result.tile:.3f}"


def side_by_side(one: Pixels.Image, other: Pixels.Image) -> Pixels.Image:
    both = Pixels.new("RGB", (one.width * 2 + 8, one.height), "grey")
    both.paste(one, (0, 0))
    both.paste(other, (one.width + 8, 0))
    return both


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="write pictures of different files into this folder")
    options = parser.parse_args()
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
    for row in rows(options.folders, options.count, options.seed, options.save):
        print(row, flush=True)


if __name__ == "__main__":
    main()
