"""RGB → CMYK, by a formula or by the colour profile of a print shop.

The formula replaces all grey by black ink: what red, green and blue have in common is printed in black alone. So black
text and grey lines are black ink only. Coloured inks are increased where there is black, which hides part of them, and
no colour has more than 235% ink. Colours are not measured: saturated blues print more purple than on screen, and dark
pictures have less depth than with a profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageCms, ImageMath

from ..errors import Place, fault
from ..nodes import read_bytes

Ink = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, from 0 to 1."""
MAX_PROFILE = 20_000_000
DEPTH = 0.9
"""How much of the ink that black hides is made up for: all of it would make dust of nearly black pixels."""
MOST = 2.35
"""The most ink of the formula."""
_STRIP = 2_000_000
"""How many pixels of a picture are converted at a time."""
_GREY = 0.004
"""How much two of red, green and blue may differ in a grey."""
_DARK, _NEARLY_GREY = 0.25, 0.08
"""The same for dark colours, up to this share of light: texts in them are sharper in black ink alone."""


class Inks:
    """Converts colours and pictures. With a `profile`, an ICC file for CMYK, all colours except greys go through it;
    `limit` is the most ink, from 1 to 4."""

    def __init__(self, limit: float = 4.0, profile: Path | None = None) -> None:
        self.limit = limit
        self.profile = read_bytes(profile, str(profile), MAX_PROFILE) if profile else None
        self.description = ""
        self._transform = self._opened(profile) if profile else None
        self.colour = lru_cache(maxsize=4096)(self._colour)

    def _opened(self, path: Path) -> Any:
        place = Place(str(path))
        try:
            profile = ImageCms.ImageCmsProfile(BytesIO(self.profile or b""))
            self.description = ImageCms.getProfileDescription(profile).strip()
            space = profile.profile.xcolor_space.strip()
        except (OSError, ImageCms.PyCMSError, ValueError, TypeError):
            raise fault("is not an ICC profile", place, "use one that your print shop names") from None
        if space != "CMYK":
            raise fault(f"is a profile for {space}, not for CMYK", place, "use one that your print shop names")
        intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
        flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
        try:
            return ImageCms.buildTransform(ImageCms.createProfile("sRGB"), profile, "RGB", "CMYK", intent, flags)
        except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
            raise fault("cannot be used to print", place, "use one that your print shop names") from None

    def _colour(self, red: float, green: float, blue: float) -> Ink:
        """The inks of a colour, whose parts are from 0 to 1. Greys are black ink alone."""
        lightest, spread = max(red, green, blue), max(red, green, blue) - min(red, green, blue)
        if spread <= (_NEARLY_GREY if lightest <= _DARK else _GREY):
            return 0.0, 0.0, 0.0, round(1 - (red + green + blue) / 3, 4)
        if self._transform is None:
            return self._limited(_formula(red, green, blue))
        pixel = Image.new("RGB", (1, 1), (round(red * 255), round(green * 255), round(blue * 255)))
        inks: Sequence[int] = self._transform.apply(pixel).getpixel((0, 0))
        cyan, magenta, yellow, key = (ink / 255 for ink in inks)
        return self._limited((cyan, magenta, yellow, key))

    def _limited(self, inks: Ink) -> Ink:
        """The inks, with less cyan, magenta and yellow if all together are too much."""
        *colours, black = (min(max(ink, 0.0), 1.0) for ink in inks)
        room, total = self.limit - black, sum(colours)
        share = min(1.0, max(room, 0.0) / total) if total else 1.0
        cyan, magenta, yellow = (round(ink * share, 4) for ink in colours)
        return cyan, magenta, yellow, round(black, 4)

    def image(self, image: Any) -> Any:
        """A picture in RGB as CMYK, within the limit."""
        result = Image.new("CMYK", image.size)
        rows = max(1, _STRIP // image.width)
        for top in range(0, image.height, rows):  # the numbers in between take much more room than the picture
            strip = image.crop((0, top, image.width, min(top + rows, image.height)))
            result.paste(self._strip(strip), (0, top))
        return result

    def _strip(self, image: Any) -> Any:
        if self._transform is not None:
            inks = self._transform.apply(image)
            return inks if self.limit >= 4 else self._limited_strip(inks)
        bands = [ImageChops.invert(band) for band in image.split()]
        black = ImageChops.darker(ImageChops.darker(bands[0], bands[1]), bands[2])
        wide = black.convert("F")
        inks = [ImageMath.lambda_eval(_coloured, ink=band.convert("F"), black=wide) for band in bands]
        merged = Image.merge("CMYK", (*inks, black))
        return merged if self.limit >= MOST else self._limited_strip(merged)

    def _limited_strip(self, image: Any) -> Any:
        *colours, black = image.split()
        wide = {name: band.convert("F") for name, band in zip("cmyk", (*colours, black), strict=True)}
        share = partial(_share, round(self.limit * 255))
        inks = [ImageMath.lambda_eval(share, ink=wide[name], **wide) for name in "cmy"]
        return Image.merge("CMYK", (*inks, black))


def _coloured(bands: dict[str, Any]) -> Any:
    """A colour's ink, as `_formula` computes it, in levels from 0 to 255."""
    black = bands["black"]
    return bands["convert"]((bands["ink"] - black) * 255 / (255 - black * DEPTH) + 0.5, "L")


def _share(limit: int, bands: dict[str, Any]) -> Any:
    """A colour's ink, with as little of it as the limit asks for."""
    total = bands["c"] + bands["m"] + bands["y"] + 0.001
    return bands["convert"](bands["ink"] * bands["min"]((limit - bands["k"]) / total, 1), "L")


def _formula(red: float, green: float, blue: float) -> Ink:
    black = 1 - max(red, green, blue)
    cyan, magenta, yellow = ((1 - part - black) / (1 - DEPTH * black) for part in (red, green, blue))
    return cyan, magenta, yellow, black
