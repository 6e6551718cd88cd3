"""Finds the corner codes of score sheets in a photo.

zxing-cpp reads most codes at a moderate size. If not, the photo is searched again, larger and without noise, smaller,
sharper and in even light, and where the missing codes must be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import hypot
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import zxingcpp
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from .pictures import Photo

Point: TypeAlias = tuple[float, float]
Points: TypeAlias = NDArray[Any]

CORNERS = 4
_FIRST = 2000
"""The longer side of the photo, in pixels, when it is searched first."""
_DARK, _STEEP, _SMALL = 50, 25, 1600
"""The grey of paper in too dark a photo, the steepest edges of a blurred one, the longer side of a small one."""
_AROUND = 2.5
"""How far around the place of a missing code is searched, in sides of a code."""
_OURS = re.compile("[02][1-9][0-9]{4}|[13][0-9]{4}[1-9]")
_DATA_MATRIX: Any = zxingcpp.BarcodeFormat.DataMatrix
_TURNED = 0.5
"""How far codes of one sheet may be turned to each other: the cosine of the angle."""
_ALIKE = 3.0
"""How much larger one code of a sheet may be than another."""


class Code(NamedTuple):
    """A corner code: its corner, its other digits, and its outline in the photo, clockwise from its top left."""

    corner: int
    digits: str
    points: tuple[Point, Point, Point, Point]

    @property
    def middle(self) -> Points:
        return np.mean(self.points, axis=0)

    @property
    def across(self) -> Points:
        """The vector along its upper side."""
        points = np.array(self.points)
        return (points[1] + points[2] - points[0] - points[3]) / 2

    @property
    def down(self) -> Points:
        """The vector along its left side."""
        points = np.array(self.points)
        return (points[2] + points[3] - points[0] - points[1]) / 2

    @property
    def side(self) -> float:
        return (hypot(*self.across) + hypot(*self.down)) / 2


def find_codes(photo: Photo) -> tuple[Code, ...]:
    """The corner codes in a photo. Codes of other programs are left out."""
    gray = photo.picture.convert("L")
    codes = _read(_resized(gray, _FIRST), gray)
    for longest, filtered in _AGAIN:
        if any(len(group) > 1 for group in grouped(codes)):
            break
        codes = _merged(codes, _read(filtered(_resized(gray, longest)), gray))
    for group in grouped(codes):
        if 1 < len(group) < CORNERS:
            codes = _merged(codes, _missing(gray, group))
    return tuple(codes)


def why_unseen(photo: Photo) -> str:
    """A hint for a photo without codes: what may be wrong with it."""
    gray = np.asarray(_resized(photo.picture.convert("L"), _FIRST), np.float32)
    if np.percentile(gray, 90) < _DARK:
        return "it is too dark: take it again in better light"
    if np.percentile(np.abs(np.diff(gray)), 99.5) < _STEEP:
        return "it is blurred: take it again, hold the phone still, and tap on the sheet to focus"
    if max(photo.picture.size) < _SMALL:
        return "it has few pixels: send the photo in its original size"
    return "take it again from above, with all four corner codes in it"


def grouped(codes: Iterable[Code]) -> list[tuple[Code, ...]]:
    """The codes sheet by sheet, in the order of corners: those that agree, lie as expected and are nearest."""
    codes = list(codes)
    groups = {code: [code] for code in codes}
    pairs = [(_distance(one, other), one, other) for one, other in combinations(codes, 2) if _of_one_sheet(one, other)]
    for _, one, other in sorted(pairs, key=lambda pair: pair[0]):
        if groups[one] is groups[other]:
            continue
        if all(_of_one_sheet(*pair) for pair in ((a, b) for a in groups[one] for b in groups[other])):
            groups[one].extend(groups[other])
            for code in groups[other]:
                groups[code] = groups[one]
    unique = {id(group): group for group in groups.values()}
    return [tuple(sorted(group)) for group in unique.values()]


def _distance(one: Code, other: Code) -> float:
    return hypot(*(one.middle - other.middle))


def _of_one_sheet(one: Code, other: Code) -> bool:
    if one.corner == other.corner or (one.corner % 2 == other.corner % 2 and one.digits != other.digits):
        return False
    if not 1 / _ALIKE < one.side / other.side < _ALIKE:
        return False
    turned = one.across @ other.across / hypot(*one.across) / hypot(*other.across)
    return bool(turned > _TURNED) and _expects(one, other) and _expects(other, one)


def _expects(one: Code, other: Code) -> bool:
    """Whether `other` is on the side of `one` on which its corner is, at least 1.5 sides of a code away."""
    basis = np.array([one.across, one.down]).T
    if abs(np.linalg.det(basis)) < 1:
        return False
    x, y = np.linalg.solve(basis, other.middle - one.middle)
    right, below = (other.corner in (1, 2)) - (one.corner in (1, 2)), (other.corner > 1) - (one.corner > 1)
    return all(_fits(offset, side, max(abs(x), abs(y))) for offset, side in ((x, right), (y, below)))


def _fits(offset: float, side: int, longest: float) -> bool:
    return offset * side > 1.5 if side else abs(offset) < 0.6 * longest


# ---- reading


def _read(image: Image.Image, photo: Image.Image, origin: Point = (0, 0), scale: float = 0) -> list[Code]:
    """The codes in a picture of a part of the photo. A pixel of the photo is `scale` pixels of it."""
    scale = scale or image.width / photo.width
    found = zxingcpp.read_barcodes(image, formats=_DATA_MATRIX, try_invert=False)
    return [
        Code(int(each.text[0]), each.text[1:], _points(each.position, origin, scale))
        for each in found
        if _OURS.fullmatch(each.text)
    ]


def _points(position: Any, origin: Point, scale: float) -> tuple[Point, Point, Point, Point]:
    corners = position.top_left, position.top_right, position.bottom_right, position.bottom_left
    first, second, third, fourth = ((corner.x / scale + origin[0], corner.y / scale + origin[1]) for corner in corners)
    return first, second, third, fourth


def _resized(image: Image.Image, longest: float) -> Image.Image:
    share = longest / max(image.size)
    if share >= 1:
        return image
    return image.resize((round(image.width * share), round(image.height * share)), Image.Resampling.BOX)


def _smooth(image: Image.Image) -> Image.Image:
    """The picture without the noise of the camera."""
    return image.filter(ImageFilter.GaussianBlur(1.2))


def _clear(image: Image.Image) -> Image.Image:
    """The picture with the same light everywhere, and sharper."""
    return Image.fromarray((even_light(image) * 255).astype(np.uint8)).filter(ImageFilter.UnsharpMask(2, 150, 0))


_AGAIN = ((3000, _smooth), (1600, _clear), (4600, _smooth))
"""How a photo is searched until two codes of a sheet are found: its longer side in pixels, and what is done to it."""
_AGAIN_IN_PART = ((8.0, _smooth), (4.0, _clear), (6.0, _clear))
"""How a part is searched: the pixels of a module, and what is done to it."""


def even_light(image: Image.Image, around: int = 24) -> NDArray[np.float32]:
    """The brightness of each pixel as a share of the brightest around it, which is that of paper: 0 to 1."""
    small = image.reduce(max(1, around // 3))
    paper = small.filter(ImageFilter.MaxFilter(7)).filter(ImageFilter.BoxBlur(3)).resize(image.size)
    shares = np.asarray(image, np.float32) / np.maximum(np.asarray(paper, np.float32), 1)
    return np.minimum(shares, 1, out=shares)


def _merged(codes: Sequence[Code], more: Iterable[Code]) -> list[Code]:
    """Both, without those of the second that are already among the first."""
    merged = list(codes)
    for code in more:
        if all(code[:2] != other[:2] or _distance(code, other) > other.side / 2 for other in merged):
            merged.append(code)
    return merged


# ---- codes that are missing


def _missing(photo: Image.Image, group: Sequence[Code]) -> Iterator[Code]:
    """Searches where the missing codes of a sheet must be."""
    known = {code.corner: code for code in group}
    for corner in range(CORNERS):
        if corner not in known:
            for box in _places(photo, corner, known):
                yield from _search(photo, box, _side(known), corner)


def _side(known: dict[int, Code]) -> float:
    return float(np.mean([code.side for code in known.values()]))


def _places(photo: Image.Image, corner: int, known: dict[int, Code]) -> Iterator[tuple[int, int, int, int]]:
    """Where a missing code must be (left, top, right, bottom): around where the edges through its neighbours meet."""
    lines = [
        (known[other].middle, _towards(known[other], corner))
        for other in ((corner + 1) % 4, (corner - 1) % 4)
        if other in known
    ]
    reach = _AROUND * _side(known)
    if len(lines) == 2:
        (start, along), (other_start, other_along) = lines
        basis = np.array([along, -other_along]).T
        if abs(np.linalg.det(basis)) > 1:
            middle = start + along * np.linalg.solve(basis, other_start - start)[0]
            yield from _inside(photo, middle - reach, middle + reach)
    elif lines:
        start, along = lines[0]
        end = start + along * (max(photo.size) / hypot(*along))
        ends = np.clip([start, end], 0, photo.size)
        yield from _inside(photo, ends.min(axis=0) - reach, ends.max(axis=0) + reach)


def _towards(code: Code, corner: int) -> Points:
    """The direction from a code to a neighbouring corner."""
    if {code.corner, corner} in ({0, 1}, {2, 3}):
        return code.across if corner in (1, 2) else -code.across
    return code.down if corner > 1 else -code.down


def _inside(photo: Image.Image, low: Points, high: Points) -> Iterator[tuple[int, int, int, int]]:
    left, top = np.maximum(low, 0).astype(int).tolist()
    right, bottom = np.minimum(high, photo.size).astype(int).tolist()
    if right - left > 20 and bottom - top > 20:
        yield left, top, right, bottom


def _search(photo: Image.Image, box: tuple[int, int, int, int], side: float, corner: int) -> list[Code]:
    part = photo.crop(box)
    for module, filtered in _AGAIN_IN_PART:
        scale = module * 10 / side
        size = round(part.width * scale), round(part.height * scale)
        larger = part.resize(size, Image.Resampling.BICUBIC)
        codes = [code for code in _read(filtered(larger), photo, box[:2], scale) if code.corner == corner]
        if codes:
            return codes
    return []
