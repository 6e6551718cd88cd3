"""Lays a photographed page exactly on the blank page.

The codes give a homography, which leaves some mm if the paper is curled. Then parts of the blank page are looked for,
first large ones. What they are off by is a smooth function of the place, fitted so that wrong matches do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image

from ..errors import InputError, Place, fault
from ..geometry.outlines import Rect
from ..pages.field_map import CORNERS, places
from .blank import PX, BlankPage
from .codes import even_light
from .pages import SeenPage
from .pictures import Photo

Floats: TypeAlias = NDArray[Any]
Complex: TypeAlias = NDArray[np.complex64]

PATCH = 4
"""The side of the squares, in mm, that are hidden or not."""
NODES = 6.0
"""The distance of the points, in mm, between which the photo is stretched evenly."""


class Pass(NamedTuple):
    """One search for parts of the page: at how many pixels per mm, how many pixels wide, how far apart and how far off
    they are searched (mm), the degree of the function that is fitted, and how many places are considered for each part:
    in a grid, several look alike."""

    px: int
    width: int
    step: float
    reach: float
    degree: int
    candidates: int = 1


_PASSES = (Pass(2, 64, 14, 5.0, 4, candidates=3), Pass(4, 64, 13, 2.0, 6), Pass(4, 48, 9, 1.2, 7))
_FAR = Pass(2, 96, 14, 14.0, 3, candidates=4), Pass(2, 80, 18, 10.0, 3, candidates=3)
"""The first searches if only two codes are known, or if the paper is bent so much that others fail."""


class StraightPage(Struct, frozen=True):
    """A page of a photo, laid on the blank page, and how well they match. `hidden` squares of PATCH mm are unseen."""

    blank: BlankPage
    seen: SeenPage
    gray: NDArray[np.uint8]
    colour: NDArray[np.uint8]
    surface: Surface
    match: float
    hidden: NDArray[np.bool_] | None = None

    def to_photo(self, points: Floats) -> Floats:
        """Points on the page (mm, one in each row) as pixels of the original photo."""
        return self.surface.to_photo(points) / self.surface.scale

    def hides(self, box: Rect) -> bool:
        """Whether the middle of a box cannot be seen, so that nobody can know what is in it."""
        if self.hidden is None:
            return False
        rows, columns = self.hidden.shape
        row, column = int((box.y + box.height / 2) / PATCH), int((box.x + box.width / 2) / PATCH)
        return bool(self.hidden[min(row, rows - 1), min(column, columns - 1)])


class Surface(Struct, frozen=True):
    """Where points of a page are in a photo of a `scale`: a homography, after each is moved like nearby nodes (mm)."""

    homography: Floats
    nodes: Floats
    scale: float = 1.0

    def to_photo(self, points: Floats) -> Floats:
        """Points on the page (mm) as pixels of the opened photo."""
        points = np.asarray(points, float)
        return projected(self.homography, points + self.off(points))

    def off(self, points: Floats) -> Floats:
        rows, columns = self.nodes.shape[:2]
        place = np.clip(points / NODES, 0, [columns - 1.001, rows - 1.001])
        column, row = place.T.astype(int)
        x, y = (place - np.floor(place)).T[..., None]
        upper = self.nodes[row, column] * (1 - x) + self.nodes[row, column + 1] * x
        lower = self.nodes[row + 1, column] * (1 - x) + self.nodes[row + 1, column + 1] * x
        return upper * (1 - y) + lower * y


class Matches(NamedTuple):
    """Where parts of the page may be: their middles and what they are off by (mm), how certain that is (an information
    matrix), how much better it fits than other places, and how alike they are there (0 to 1)."""

    places: Floats
    off: Floats
    certainty: Floats
    clear: Floats
    alike: Floats


def straighten(photo: Photo, seen: SeenPage, blank: BlankPage) -> StraightPage:
    """A page of a photo, laid on its blank page, or on the one with little ink. Raises InputError if unreadable."""
    gray = photo.picture.convert("L")
    homography = fitted_homography(*_code_points(seen, blank))
    rows, columns = (2 * int(np.ceil(side / NODES / 2)) + 1 for side in (blank.map.height, blank.map.width))
    flat = Surface(homography, np.zeros((rows, columns, 2)), photo.scale)
    _refuse_cut_off(photo, flat, blank)
    for passes in (_PASSES, (*_FAR, *_PASSES))[len(seen.codes) < 3 :]:
        surface = _searched(gray, flat, seen, blank, passes)
        colour = _warped(photo.picture, surface, blank, PX)
        visible, match, likeness = _visible(straight := np.array(colour.convert("L")), blank)
        if match > _GOOD_MATCH:
            break
    if blank.printed:
        saving = blank.printed(low_ink=True)
        if _visible(straight, saving)[2] > likeness:
            blank, surface = saving, _searched(gray, surface, seen, saving, _PASSES)
            colour = _warped(photo.picture, surface, blank, PX)
            visible, match, _ = _visible(straight := np.array(colour.convert("L")), blank)
    _refuse_cut_off(photo, surface, blank)
    squares = _grid(visible.shape[0], visible.shape[1], PATCH) + PATCH / 2
    hidden = _outside(photo, surface, squares).reshape(visible.shape) | (visible < _COVERED)
    if np.percentile(straight, 90) < _DARK:
        raise fault("too dark to be read", Place(photo.name), "take the photo again in better light")
    if match < _LEAST_MATCH:
        hint = "flatten the sheet and take the photo again; hold the phone still, and tap on the sheet to focus"
        raise fault("too blurred, crumpled or covered to be read", Place(photo.name), hint)
    return StraightPage(blank, seen, straight, np.array(colour), surface, match, hidden)


def straightest(photo: Photo, seen: SeenPage, blanks: Sequence[BlankPage]) -> StraightPage:
    """The page laid on the one of several blank pages that matches best. Raises InputError if it cannot be read."""
    pages: list[StraightPage] = []
    for number, blank in enumerate(blanks, 1):
        try:
            pages.append(straighten(photo, seen, blank))
        except InputError:
            if number == len(blanks) and not pages:
                raise
    return max(pages, key=lambda page: page.match)


def _searched(gray: Image.Image, surface: Surface, seen: SeenPage, blank: BlankPage, passes: Sequence[Pass]) -> Surface:
    for each in passes:
        matches = _matches(gray, surface, blank, each)
        surface = _fitted(surface, matches, _code_points(seen, blank), each, last=each is _PASSES[-1])
    return surface


# ---- homographies


def _code_points(seen: SeenPage, blank: BlankPage) -> tuple[Floats, Floats]:
    """The corners of the codes on the page (mm) and in the photo (pixels)."""
    boxes = places(blank.map.width, blank.map.height)
    on_page = [point for code in seen.codes for point in corners(boxes[code.corner])]
    in_photo = [point for code in seen.codes for point in code.points]
    return np.array(on_page, float), np.array(in_photo, float)


def corners(box: Rect) -> list[tuple[float, float]]:
    return [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)]


def fitted_homography(points: Floats, images: Floats) -> Floats:
    """The homography from points to images (Hartley and Zisserman, Multiple View Geometry, algorithm 4.2)."""
    from_points, from_images = _normalising(points), _normalising(images)
    (x, y), (u, v) = projected(from_points, points).T, projected(from_images, images).T
    zero, one = np.zeros_like(x), np.ones_like(x)
    equations = np.concatenate(
        [
            np.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], axis=1),
            np.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], axis=1),
        ]
    )
    solution = np.linalg.svd(equations)[2][-1].reshape(3, 3)
    homography = np.linalg.inv(from_images) @ solution @ from_points
    return homography / homography[2, 2]


def _normalising(points: Floats) -> Floats:
    middle = points.mean(axis=0)
    scale = np.sqrt(2) / np.hypot(*(points - middle).T).mean()
    return np.array([[scale, 0, -scale * middle[0]], [0, scale, -scale * middle[1]], [0, 0, 1]])


def projected(homography: Floats, points: Floats) -> Floats:
    """The images of points under a homography."""
    images = points @ homography[:, :2].T + homography[:, 2]
    return images[:, :2] / images[:, 2:]


# ---- the photo on the page


def _grid(rows: int, columns: int, step: float = NODES) -> Floats:
    """The points of a grid, row by row (x and y in mm)."""
    y, x = np.mgrid[:rows, :columns] * step
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _warped(picture: Image.Image, surface: Surface, blank: BlankPage, px: int, every: int = 1) -> Image.Image:
    """The page cut out of the photo, `px` pixels per mm, stretched evenly between all nodes or `every` second one."""
    nodes = _grid(*surface.nodes.shape[:2]) + surface.nodes.reshape(-1, 2)
    corners = projected(surface.homography, nodes).reshape(surface.nodes.shape)[::every, ::every]
    rows, columns = corners.shape[0] - 1, corners.shape[1] - 1
    side = round(NODES * px * every)
    quads = np.concatenate([corners[:-1, :-1], corners[1:, :-1], corners[1:, 1:], corners[:-1, 1:]], axis=-1).tolist()
    mesh = [
        ((column * side, row * side, (column + 1) * side, (row + 1) * side), quads[row][column])
        for row in range(rows)
        for column in range(columns)
    ]
    size = columns * side, rows * side
    warped = picture.transform(size, Image.Transform.MESH, mesh, Image.Resampling.BILINEAR)
    return warped.crop((0, 0, round(blank.map.width * px), round(blank.map.height * px)))


# ---- parts of the page in the photo


def _matches(gray: Image.Image, surface: Surface, blank: BlankPage, each: Pass) -> Matches:
    """Looks for parts of the blank page in the photo, by correlating the directions of gradients, which shadows do not
    change (Fitch et al., Orientation correlation, BMVC 2002)."""
    middle = np.array([blank.map.width / 2, blank.map.height / 2])
    around = surface.to_photo(middle + np.array([(-5, 0), (5, 0), (0, -5), (0, 5)]))
    shrunk = max(1, int(max(np.hypot(*(around[1::2] - around[::2]).T)) / 10 / each.px))
    small = gray.reduce(shrunk) if shrunk > 1 else gray
    scaled = Surface(np.diag([1 / shrunk, 1 / shrunk, 1]) @ surface.homography, surface.nodes)
    seen = _directions(even_light(_warped(small, scaled, blank, each.px, every=2), 12 * each.px))
    size = round(blank.map.width * each.px), round(blank.map.height * each.px)
    printed = Image.fromarray(blank.gray).resize(size, Image.Resampling.BOX)
    known = _directions(np.asarray(printed, np.float32) / 255)
    _hide_codes(known, blank, each.px)
    reach = min(round(each.reach * each.px), each.width // 3)
    parts, seen_parts, corners = _tiles(known, seen, each.width, round(each.step * each.px), reach)
    if not len(corners):
        return Matches(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros(0), np.zeros(0))
    middles = (corners + each.width / 2) / each.px
    found = [
        Matches(middles, shift / each.px, certainty, clear, alike)
        for alike, shift, certainty, clear in _peaks(_correlated(parts, seen_parts, reach), reach, each.candidates)
    ]
    return Matches(*map(np.concatenate, zip(*found, strict=True)))


def _directions(light: NDArray[Any]) -> Complex:
    """The gradient at each pixel as a complex number of at most length 1: strong ones all count the same."""
    gradient = np.zeros(light.shape, np.complex64)
    gradient.real[:, 1:-1] = light[:, 2:] - light[:, :-2]
    gradient.imag[1:-1] = light[2:] - light[:-2]
    gradient /= np.abs(gradient) + 0.12
    return gradient


def _hide_codes(known: Complex, blank: BlankPage, px: int) -> None:
    """Leaves out where the codes are, whose digits differ."""
    for box in places(blank.map.width, blank.map.height):
        left, top, right, bottom = (round(side * px) for side in (box.x - 1, box.y - 1, box.right + 1, box.bottom + 1))
        known[top:bottom, left:right] = 0


_LEAST_PRINTED = 0.02
"""The share of pixels with gradients that a part must have to be looked for."""


def _tiles(known: Complex, seen: Complex, width: int, step: int, reach: int) -> tuple[Complex, Complex, Floats]:
    """Parts of the blank page and of the photo, and the top left corners of both (x and y in pixels)."""
    columns, rows = (
        np.linspace(0, length - width, max(2, round((length - width) / step) + 1)).astype(int)
        for length in known.shape[::-1]
    )
    corners = np.array([(x, y) for y in rows for x in columns])
    view, seen_view = (np.lib.stride_tricks.sliding_window_view(each, (width, width)) for each in (known, seen))
    parts = view[corners[:, 1], corners[:, 0]] * _window(width, reach)
    enough = (np.abs(parts) ** 2).mean(axis=(1, 2)) > _LEAST_PRINTED
    corners = corners[enough]
    return parts[enough], seen_view[corners[:, 1], corners[:, 0]], corners


def _window(width: int, reach: int) -> NDArray[np.float32]:
    """1 in the middle, falling to 0 where a shift by `reach` pixels would leave the part."""
    distance = (width / 2 - 0.5 - np.abs(np.arange(width) - width / 2 + 0.5)) - reach
    side = np.clip((distance + 1) / (width / 6), 0, 1)
    flank = np.sin(np.pi / 2 * side) ** 2
    return np.outer(flank, flank).astype(np.float32)


def _correlated(parts: Complex, seen: Complex, reach: int) -> NDArray[np.float32]:
    """The normalised cross-correlation of parts of page and photo for shifts up to `reach`: n × (2 reach + 1)²."""
    width = parts.shape[-1]
    product = np.fft.fft2(seen) * np.conj(np.fft.fft2(parts))
    waves = np.outer(np.arange(-reach, reach + 1), np.arange(width)) * (2j * np.pi / width)
    inverse = (np.exp(waves) / width).astype(np.complex64)  # the transform back, only for these shifts
    correlation = (inverse @ product @ inverse.T).real
    total = (np.abs(parts) ** 2).sum(axis=(1, 2), keepdims=True)
    core = width - 2 * reach
    sums = np.zeros((len(seen), width + 1, width + 1), np.float32)  # of all pixels above and to the left
    np.cumsum(seen.real**2 + seen.imag**2, axis=1, out=sums[:, 1:, 1:])
    np.cumsum(sums[:, 1:, 1:], axis=2, out=sums[:, 1:, 1:])
    low, high = slice(0, 2 * reach + 1), slice(core, width + 1)
    energy = sums[:, high, high] - sums[:, low, high] - sums[:, high, low] + sums[:, low, low]
    return (correlation / np.sqrt(np.maximum(energy, 1) * total)).astype(np.float32)


def _peaks(alike: NDArray[np.float32], reach: int, candidates: int) -> Iterator[tuple[Floats, Floats, Floats, Floats]]:
    """The best shifts of each part (x and y, to a fraction of a pixel), how alike it is there, and how certain each
    shift is in each direction: a part with lines in only one direction has a ridge instead of a peak."""
    count = len(alike)
    index, shifts = np.arange(count), np.arange(1, 2 * reach)
    inner = alike[:, 1:-1, 1:-1].copy()
    first = np.zeros(count)
    for _ in range(candidates):
        row, column = np.divmod(inner.reshape(count, -1).argmax(axis=1), 2 * reach - 1)
        near_row, near_column = (np.abs(shifts - 1 - place[:, None]) <= 3 for place in (row, column))
        inner[near_row[:, :, None] & near_column[:, None, :]] = 0
        around = alike[index[:, None, None], row[:, None, None] + _DOWN, column[:, None, None] + _RIGHT].astype(float)
        peak, shift, certainty = _quadratic(around)
        rival = inner.max(axis=(1, 2))
        clear = np.clip(1 - np.maximum(rival, first) / np.maximum(peak, 1e-6), 0.02, 1)
        first = np.maximum(first, peak)
        weight = np.clip(peak, 0, 1) ** 2
        yield peak, shift + np.stack([column, row], axis=1) + 1 - reach, certainty * weight[:, None, None], clear


_DOWN, _RIGHT = np.mgrid[0:3, 0:3]


def _quadratic(around: Floats) -> tuple[Floats, Floats, Floats]:
    """The height of a peak from the 3 × 3 values around it, its place, and minus its second derivatives."""
    peak = around[:, 1, 1]
    xx = 2 * peak - around[:, 1, 2] - around[:, 1, 0]
    yy = 2 * peak - around[:, 2, 1] - around[:, 0, 1]
    xy = (around[:, 0, 2] + around[:, 2, 0] - around[:, 0, 0] - around[:, 2, 2]) / 4
    x = (around[:, 1, 2] - around[:, 1, 0]) / 2 / np.maximum(xx, 1e-6)
    y = (around[:, 2, 1] - around[:, 0, 1]) / 2 / np.maximum(yy, 1e-6)
    sharp, axes = np.linalg.eigh(np.stack([np.stack([xx, xy], -1), np.stack([xy, yy], -1)], -2))
    certainty = np.einsum("nij,nj,nkj->nik", axes, np.clip(sharp, 1e-4, None), axes)
    return peak, np.clip(np.stack([x, y], axis=1), -0.5, 0.5), certainty


# ---- the surface


_ROUNDS = 6
_FINEST = 0.1
"""What a match may be off by, in mm, and still count fully."""
_SMOOTHING = 7.0
"""How far around a place, in mm, parts decide what it is off by beyond the fitted function (a standard deviation)."""


def _fitted(surface: Surface, matches: Matches, codes: tuple[Floats, Floats], each: Pass, last: bool) -> Surface:
    """The surface with all nodes moved as the matches say, by iteratively reweighted least squares with weights that
    hardly count those far off (Geman and McClure). The matches that leave no doubt count first."""
    found = matches.places + matches.off
    on_page, in_photo = codes
    seen = projected(np.linalg.inv(surface.homography), in_photo)
    off = np.concatenate([matches.off + surface.off(found), seen - on_page])
    points = np.concatenate([matches.places, on_page])
    strength = np.trace(matches.certainty, axis1=1, axis2=2).mean() if len(matches.off) else 1.0
    certainty = np.concatenate([matches.certainty, np.tile(np.eye(2) * strength, (len(on_page), 1, 1))])
    typical = np.trace(certainty, axis1=1, axis2=2) + 1e-9
    weights = np.concatenate([matches.clear, np.ones(len(on_page))])
    extent = surface.nodes.shape[1] * NODES, surface.nodes.shape[0] * NODES
    basis = _polynomials(points, extent, each.degree)
    tolerance = each.reach / 2
    for _ in range(_ROUNDS):
        coefficients = _solved(basis, off, certainty * weights[:, None, None], each.degree)
        rest = off - basis @ coefficients
        distance = np.sqrt((rest[:, None] @ certainty @ rest[..., None])[:, 0, 0] / typical)
        weights = 1 / (1 + (distance / tolerance) ** 2) ** 2
        tolerance = max(tolerance / 2, _FINEST)
    grid = _grid(*surface.nodes.shape[:2])
    nodes = _polynomials(grid, extent, each.degree) @ coefficients
    if last:
        nodes = nodes + _smoothed(grid, points, rest, certainty * weights[:, None, None])
    return Surface(surface.homography, nodes.reshape(surface.nodes.shape), surface.scale)


def _polynomials(points: Floats, extent: tuple[float, float], degree: int) -> Floats:
    """The products of Chebyshev polynomials in x and y up to a total degree, at each point."""
    x, y = (2 * points / np.array(extent) - 1).T
    across, down = (np.polynomial.chebyshev.chebvander(side, degree) for side in (x, y))
    return np.stack([across[:, i] * down[:, j] for i in range(degree + 1) for j in range(degree + 1 - i)], axis=1)


def _solved(basis: Floats, off: Floats, certainty: Floats, degree: int) -> Floats:
    """The coefficients (n × 2) with the least squares of `certainty`; higher powers are kept small."""
    count = basis.shape[1]
    normal = (basis.T @ (certainty.reshape(-1, 4, 1) * basis[:, None]).reshape(len(basis), -1)).reshape(
        count, 2, 2, count
    )
    normal = normal.transpose(0, 1, 3, 2).reshape(2 * count, 2 * count)
    right = (basis.T @ (certainty @ off[..., None])[..., 0]).reshape(-1)
    power = np.array([i + j for i in range(degree + 1) for j in range(degree + 1 - i)]).repeat(2)
    scale = np.trace(normal) / (2 * count) + 1e-12
    normal[np.diag_indices(2 * count)] += scale * (1e-6 + 1e-4 * np.maximum(power - 1, 0) ** 2)
    return np.linalg.solve(normal, right).reshape(count, 2)


def _smoothed(grid: Floats, points: Floats, rest: Floats, certainty: Floats) -> Floats:
    """What is left at the points, as a smooth function on a grid (normalised convolution, Knutsson and Westin 1993)."""
    distance = ((grid[:, None] - points) ** 2).sum(axis=2)
    near = np.exp(-distance / (2 * _SMOOTHING**2))
    typical = float(np.median(np.trace(certainty, axis1=1, axis2=2))) / 2
    normal = (near @ certainty.reshape(-1, 4)).reshape(-1, 2, 2) + np.eye(2) * typical
    right = near @ (certainty @ rest[..., None])[..., 0]
    return np.linalg.solve(normal, right[..., None])[..., 0]


# ---- what the page shows


_COVERED, _LEAST_MATCH, _GOOD_MATCH, _DARK = 0.25, 0.45, 0.6, 20
"""How faint print is where the page is covered; the least match and a certain one; the least brightness of paper."""


def _visible(gray: NDArray[np.uint8], blank: BlankPage) -> tuple[Floats, float, float]:
    """How strong print is around each square, relative to the page (infinite without print); on the page; how alike."""
    px = PX // 2
    seen = _directions(even_light(Image.fromarray(gray).reduce(2), 12 * px))
    known = _directions(np.asarray(Image.fromarray(blank.gray).reduce(2), np.float32) / 255)
    _hide_codes(known, blank, px)
    both, printed = ((_sums(values, PATCH * px)) for values in ((seen * np.conj(known)).real, np.abs(known) ** 2))
    enough = printed > _LEAST_PRINTED * (3 * PATCH * px) ** 2
    strength = np.where(enough, both / np.maximum(printed, 1), np.inf)
    usual = float(np.median(strength[enough])) if enough.any() else 0.0
    alike = np.vdot(known, seen).real / max(float(np.linalg.norm(known) * np.linalg.norm(seen)), 1e-3)
    return strength / max(usual, 1e-3), usual, float(alike)


def _sums(values: Floats, side: int) -> Floats:
    """The sums of all values in each square of `side` pixels and the eight around it."""
    height, width = (-length // side * -side for length in values.shape)
    padded = np.zeros((height, width))
    padded[: values.shape[0], : values.shape[1]] = values
    squares = np.pad(padded.reshape(height // side, side, width // side, side).sum(axis=(1, 3)), 1)
    return np.lib.stride_tricks.sliding_window_view(squares, (3, 3)).sum(axis=(2, 3))


def _outside(photo: Photo, surface: Surface, points: Floats) -> NDArray[np.bool_]:
    """Which points of the page (mm) are not on the photo."""
    places = surface.to_photo(points)
    return np.any((places < 0) | (places > photo.picture.size), axis=1)


def _refuse_cut_off(photo: Photo, surface: Surface, blank: BlankPage) -> None:
    """Raises InputError if fields are not on the photo."""
    boxes = [field.slot.box for field in blank.map.fields if field.page == blank.page]
    middles = np.array([(box.x + box.width / 2, box.y + box.height / 2) for box in boxes]).reshape(-1, 2)
    outside = middles[_outside(photo, surface, middles)]
    if len(outside):
        right, below = outside.mean(axis=0) > (blank.map.width / 2, blank.map.height / 2)
        corner = CORNERS[(2 if right else 3) if below else int(right)]
        hint = "take the photo again with the whole sheet in it"
        raise fault(f"the {corner} of the sheet is cut off", Place(photo.name), hint)
