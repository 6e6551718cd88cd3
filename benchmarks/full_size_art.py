"""Prints 54 cards with PNG art of 2475 × 3375 pixels, gradients and noise: `python benchmarks/full_size_art.py FOLDER`.

Writes the art (1 GB) into FOLDER if it is not there, which takes minutes. Reports the time, the size of the PDF, and
the memory."""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

CARDS, SIZE = 54, (2475, 3375)


def art(number: int) -> Image.Image:
    chance = random.Random(number)
    ramps = (Image.linear_gradient("L"), Image.radial_gradient("L"), Image.linear_gradient("L").rotate(90))
    picture = Image.merge("RGB", [ramp.resize(SIZE) for ramp in ramps])
    draw = ImageDraw.Draw(picture)
    for _ in range(60):
        x, y, radius = chance.randrange(SIZE[0]), chance.randrange(SIZE[1]), chance.randrange(50, 600)
        colour = (chance.randrange(256), chance.randrange(256), chance.randrange(256))
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
    grain = Image.merge("RGB", [Image.effect_noise(SIZE, 30) for _ in range(3)])
    return Image.blend(picture.filter(ImageFilter.GaussianBlur(9)), grain, 0.35)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"art{number:02d}.png" for number in range(CARDS)]
    for number, name in enumerate(names):
        if not (folder / name).exists():
            art(number).save(folder / name, compress_level=4)
    (folder / "art.csv").write_text("\n".join(["Image", *names]) + "\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "generator",
        "make",
        "--quiet",
        "--force",
        "-o",
        str(folder),
        str(folder / "art.csv"),
    ]
    start = time.perf_counter()
    subprocess.run(command, check=True, cwd=Path(__file__).parents[1])
    seconds = time.perf_counter() - start
    size = (folder / "art/cards-a4.pdf").stat().st_size / 1e6
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{seconds:.1f} s, {size:.0f} MB, at most {memory:.0f} MiB of memory")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Prints 54 cards with large PNG art, which takes 1 GB in FOLDER")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    main(parser.parse_args().folder)
