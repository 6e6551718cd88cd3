"""A camera: sheets of paper on a cluttered table, as a phone photographs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from io import BytesIO
from itertools import pairwise
from math import cos, pi, radians, sin, tan
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.random import Generator
from PIL import Image, ImageChops, ImageDraw, ImageFilter

KINDS = ("easy", "medium", "hard")
SIZES = ((3264, 2448), (3648, 2736), (4000, 3000), (4032, 3024))
_MESH = 48
"""How many pixels of the photo are warped as one patch."""


class Conditions(Struct, frozen=True):
    """How bad photos of a class can be: the highest tilt in degrees, curl in millimetres, blur in pixels, and so on."""

    tilt: float
    curl: float
    focus: float
    motion: float
    noise: float
    shadow: float
    uneven: float
    quality: tuple[int, int]
    fill: tuple[float, float]
    level: tuple[float, float]
    """How bright white paper is."""


CONDITIONS = {
    "easy": Conditions(10, 1.5, 0.9, 0.0, 2.5, 0.0, 0.15, (85, 92), (0.86, 0.96), (205, 248)),
    "medium": Conditions(22, 5, 1.5, 2.0, 5, 0.35, 0.35, (76, 90), (0.78, 0.95), (172, 242)),
    "hard": Conditions(35, 11, 2.3, 4.5, 9, 0.55, 0.6, (70, 85), (0.7, 0.93), (115, 232)),
}


class Surface(Struct, dict=True):
    """A sheet of paper on the table: how it lies (turned by `turn` radians, its middle at `middle`) and bends.

    The paper bends like a cylinder whose axis has the direction `axis`, has `waves` along it, and perhaps a crease."""

    width: float
    height: float
    turn: float = 0.0
    middle: tuple[float, float] = (0.0, 0.0)
    axis: float = 0.0
    bend: float = 0.0
    waves: tuple[float, float, float] = (0.0, 1.0, 0.0)
    crease: tuple[float, float, float] | None = None
    """Its direction, its distance from the middle, and how steep it is."""

    @classmethod
    def random(cls, rng: Generator, width: float, height: float, conditions: Conditions, creased: bool) -> Surface:
        crease = (rng.uniform(0, pi), rng.uniform(-0.2, 0.2) * width, rng.uniform(0.02, 0.07)) if creased else None
        return cls(
            width,
            height,
            axis=float(rng.choice([0, pi / 2]) + rng.normal(0, 0.35)),
            bend=rng.uniform(-1, 1) * conditions.curl,
            waves=(rng.uniform(0, 0.25) * conditions.curl, rng.uniform(0.5, 1.4), rng.uniform(0, 6)),
            crease=crease,
        )

    def lift(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """How high above the table points of the sheet are, in millimetres."""
        u, v = np.clip(u, 0, self.width) - self.width / 2, np.clip(v, 0, self.height) - self.height / 2
        half = max(self.width, self.height) / 2
        along = (u * cos(self.axis) + v * sin(self.axis)) / half
        across = (v * cos(self.axis) - u * sin(self.axis)) / half
        amount, often, phase = self.waves
        z = self.bend * (along**2 + 0.3 * along**3) + amount * np.sin(pi * often * (along + 0.4 * across) + phase)
        if self.crease:
            direction, distance, steep = self.crease
            z = z + steep * np.abs(u * cos(direction) + v * sin(direction) - distance)
        return z

    def on_table(self, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, y = u - self.width / 2, v - self.height / 2
        return (
            x * cos(self.turn) - y * sin(self.turn) + self.middle[0],
            x * sin(self.turn) + y * cos(self.turn) + self.middle[1],
        )

    def on_sheet(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, y = x - self.middle[0], y - self.middle[1]
        return (
            x * cos(self.turn) + y * sin(self.turn) + self.width / 2,
            y * cos(self.turn) - x * sin(self.turn) + self.height / 2,
        )

    def shading(self, light: tuple[float, float], strength: float) -> Image.Image:
        """How bright each part of the sheet is for its slope: a small picture, 128 is as bright as the table."""
        u, v = np.meshgrid(np.linspace(0, self.width, 200), np.linspace(0, self.height, 200))
        step = 0.5
        across = (self.lift(u + step, v) - self.lift(u - step, v)) / (2 * step)
        down = (self.lift(u, v + step) - self.lift(u, v - step)) / (2 * step)
        shade = 1 + strength * (across * light[0] + down * light[1])
        return Image.fromarray(np.clip(shade * 200, 60, 255).astype(np.uint8))


class Camera(Struct, dict=True):
    """A pinhole camera above a table: `size` in pixels, `tilt` from straight down towards `azimuth`, `roll`."""

    size: tuple[int, int]
    tilt: float
    azimuth: float
    roll: float
    distance: float = 500.0
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def focal(self) -> float:
        """A phone's main camera: 26 mm on 35 mm film."""
        return max(self.size) / 2 / tan(radians(34.7))

    @cached_property
    def rotation(self) -> np.ndarray:
        """From the table to the camera, which looks along z."""
        lean = _about("z", self.azimuth) @ _about("x", self.tilt) @ _about("z", -self.azimuth)
        return _about("z", self.roll) @ lean

    def seen(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Where points above the table are in the photo (…, 2)."""
        x, y, depth = np.tensordot(self.rotation, np.stack([x, y, -z]), 1)
        depth = depth + self.distance
        centre = np.array(self.size) / 2 + self.shift
        return np.stack([self.focal * x / depth + centre[0], self.focal * y / depth + centre[1]], -1)

    def on_sheet(self, points: np.ndarray, sheet: Surface) -> np.ndarray:
        """Where on a sheet the points of the photo are, in millimetres (…, 2)."""
        centre = np.array(self.size) / 2 + self.shift
        rays = np.concatenate([(points - centre) / self.focal, np.ones_like(points[..., :1])], -1) @ self.rotation
        eye = -self.distance * self.rotation[2]  # where the camera is, x, y and down
        z = np.zeros(points.shape[:-1])
        u = v = z
        for _ in range(8):
            t = (-z - eye[2]) / rays[..., 2]
            u, v = sheet.on_sheet(rays[..., 0] * t + eye[0], rays[..., 1] * t + eye[1])
            z = sheet.lift(u, v)
        return np.stack([u, v], -1)

    def aim(self, sheets: Sequence[Surface], fill: float, off: tuple[float, float]) -> None:
        """Moves the camera so that the sheets fill this share of the photo, a little off its middle."""
        for _ in range(12):
            outline = np.concatenate([self.photo_of(edge(sheet), sheet) for sheet in sheets])
            low, high = outline.min(0), outline.max(0)
            share = float(((high - low) / self.size).max())
            self.distance *= share / fill
            middle = (low + high) / 2 - np.array(self.size) / 2
            free = np.array(self.size) * (1 - np.minimum((high - low) / self.size, 1)) / 2
            self.shift = tuple(np.array(self.shift) - middle + free * off * 0.6)

    def photo_of(self, points: np.ndarray, sheet: Surface) -> np.ndarray:
        """Where in the photo points of a sheet (n, 2), in millimetres, are."""
        x, y = sheet.on_table(points[..., 0], points[..., 1])
        return self.seen(x, y, sheet.lift(points[..., 0], points[..., 1]))


def _about(axis: str, angle: float) -> np.ndarray:
    c, s = cos(angle), sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]] if axis == "z" else [[1, 0, 0], [0, c, -s], [0, s, c]])


def edge(sheet: Surface) -> np.ndarray:
    """Points along the edge of a sheet."""
    along = np.linspace(0, 1, 9)[:, None]
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)], float) * (sheet.width, sheet.height)
    return np.concatenate([start + (end - start) * along for start, end in pairwise(corners)])


def warped(page: Image.Image, scale: float, sheet: Surface, camera: Camera) -> tuple[Image.Image, tuple[int, int]]:
    """The page as the camera sees it, an RGBA picture, and where in the photo its top left corner is."""
    outline = camera.photo_of(edge(sheet), sheet)
    low = np.maximum(np.floor(outline.min(0) - 4), 0).astype(int)
    high = np.minimum(np.ceil(outline.max(0) + 4), camera.size).astype(int)
    width, height = high - low
    xs = np.unique([*range(0, width, _MESH), width])
    ys = np.unique([*range(0, height, _MESH), height])
    nodes = np.stack(np.meshgrid(xs, ys), -1) + low
    source = camera.on_sheet(nodes.astype(float), sheet) * scale
    mesh = []
    for row in range(len(ys) - 1):
        for column in range(len(xs) - 1):
            quad = source[row : row + 2, column : column + 2]
            if (
                quad[..., 0].max() < 0
                or quad[..., 1].max() < 0
                or quad[..., 0].min() > page.width
                or quad[..., 1].min() > page.height
            ):
                continue
            corners = (*quad[0, 0], *quad[1, 0], *quad[1, 1], *quad[0, 1])
            mesh.append(
                ((int(xs[column]), int(ys[row]), int(xs[column + 1]), int(ys[row + 1])), tuple(map(float, corners)))
            )
    image = page.convert("RGBA").transform(
        (int(width), int(height)), Image.Transform.MESH, mesh, Image.Resampling.BILINEAR
    )
    return image, (int(low[0]), int(low[1]))


# ---- the table


def table(rng: Generator, size: tuple[int, int], clutter: int) -> Image.Image:
    """A table with things on it."""
    small = (size[0] // 2, size[1] // 2)
    colour = np.array(
        [(150, 110, 75), (95, 65, 45), (205, 190, 165), (60, 62, 66), (225, 225, 222), (120, 60, 55), (70, 95, 80)][
            rng.integers(7)
        ]
    )
    kind = rng.integers(3)
    if kind == 0:  # wood
        grain = rng.normal(0, 1, (small[1] // 3, 8)).cumsum(0) * 2
        grain = grain - grain.mean(0)
        field = np.asarray(Image.fromarray(grain.astype(np.float32)).resize(small, Image.BICUBIC))
        field = np.clip(field, -30, 30)
    elif kind == 1:  # cloth with checks
        step = int(rng.integers(40, 120))
        x, y = np.meshgrid(np.arange(small[0]), np.arange(small[1]))
        field = 18.0 * ((x // step % 2) + (y // step % 2) - 1)
    else:
        noise = rng.normal(0, 22, (small[1] // 12, small[0] // 12)).astype(np.float32)
        field = np.asarray(Image.fromarray(noise).resize(small, Image.BICUBIC))
    pixels = np.clip(colour + field[..., None] + rng.normal(0, 5, (*field.shape, 1)), 0, 255).astype(np.uint8)
    picture = Image.fromarray(pixels)
    draw = ImageDraw.Draw(picture)
    for _ in range(clutter):
        _thing(rng, draw, small)
    return picture.resize(size, Image.BILINEAR)


_DARK = (40, 35, 30)


def _thing(rng: Generator, draw: ImageDraw.ImageDraw, size: tuple[int, int]) -> None:
    """A pencil, a cup, a card, a die or a sheet of paper with text."""
    x, y = rng.uniform(0, size[0]), rng.uniform(0, size[1])
    turn, unit = rng.uniform(0, 2 * pi), size[0] / 400
    colour = tuple(int(part) for part in rng.integers(20, 245, 3))

    def box(width: float, height: float, fill: tuple[int, ...], dx: float = 0, dy: float = 0) -> None:
        corners = [(-width, -height), (width, -height), (width, height), (-width, height)]
        points = [((a + dx) * unit, (b + dy) * unit) for a, b in corners]
        draw.polygon(
            [(x + a * cos(turn) - b * sin(turn), y + a * sin(turn) + b * cos(turn)) for a, b in points], fill=fill
        )

    kind = rng.integers(5)
    if kind == 1:
        radius = rng.uniform(28, 45) * unit
        for share, fill in ((1, (235, 235, 230)), (0.85, (60, 35, 20))):
            draw.ellipse([x - radius * share, y - radius * share, x + radius * share, y + radius * share], fill=fill)
    for part in _boxes(rng, kind, colour):
        box(*part)


def _boxes(rng: Generator, kind: int, colour: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
    """The boxes of a thing: half their width and height, colour and place."""
    if kind == 0:
        yield rng.uniform(50, 80), 3.2, _DARK, 2, 3
        yield 70, 3, colour
        yield 6, 2.4, (225, 190, 150), 74
    elif kind == 2:
        yield 32, 44, _DARK, 2, 3
        yield 32, 44, colour
        yield 26, 38, tuple(min(part + 60, 255) for part in colour)
    elif kind == 3:
        yield 9, 9, _DARK, 2, 2
        yield 9, 9, (245, 245, 240)
        yield from ((1.5, 1.5, _DARK, spot * 5 - 5, spot * 5 - 5) for spot in range(int(rng.integers(1, 4))))
    elif kind == 4:
        yield 70, 95, (240, 238, 230)
        yield from ((rng.uniform(30, 58), 1.1, (120, 120, 130), 0, line * 11 - 84) for line in range(16))


# ---- light, lens and sensor


def light(rng: Generator, camera: Camera, conditions: Conditions, outline: np.ndarray) -> Image.Image:
    """How bright each pixel of the photo is lit, with its colour."""
    width, height = (side // 16 for side in camera.size)
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    angle = rng.uniform(0, 2 * pi)
    field = 1 - conditions.uneven * rng.uniform(0.2, 1) * (0.5 + 0.5 * (x * cos(angle) + y * sin(angle)) / 1.4)
    lamp = rng.uniform(-1, 1, 2)
    field *= 1 - conditions.uneven * 0.5 * rng.random() * np.clip((x - lamp[0]) ** 2 + (y - lamp[1]) ** 2, 0, 2) / 2
    field *= 1 - rng.uniform(0.02, 0.18) * (x**2 + y**2) / 2
    for _ in range(int(rng.integers(0, 3)) if conditions.shadow else 0):
        mask = _shadow(rng, (width, height), outline / 16)
        field *= 1 - conditions.shadow * rng.uniform(0.4, 1) * mask
    field = field / np.percentile(field, 97)
    warm = float(np.clip(rng.normal(0.03, 0.03 + 0.1 * conditions.uneven), -0.06, 0.2))
    tint = np.array([1 + warm, 1 + rng.normal(0, 0.02), 1 - warm * 1.4])
    tint = tint / tint.max()
    level = rng.uniform(*conditions.level) / 250
    pixels = np.clip(field[..., None] * tint * level * 255, 0, 255).astype(np.uint8)
    return Image.fromarray(pixels).resize(camera.size, Image.BICUBIC)


def _shadow(rng: Generator, size: tuple[int, int], outline: np.ndarray) -> np.ndarray:
    """The shadow of a hand or a phone, 0 to 1."""
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    low, high = outline.min(0), outline.max(0)
    middle = rng.uniform(low, high)
    turn = rng.uniform(0, 2 * pi)
    across = size[0] * rng.uniform(0.1, 0.28)
    far = np.array([cos(turn), sin(turn)]) * size[0] * 1.2
    side = np.array([-sin(turn), cos(turn)]) * across
    draw.polygon(
        [tuple(point) for point in (middle + side, middle - side, middle - side + far, middle + side + far)], fill=255
    )
    if rng.random() < 0.6:  # fingers
        for finger in range(4):
            tip = middle + side * (finger / 2 - 0.75) - far * rng.uniform(0.03, 0.12)
            base = middle + side * (finger / 2 - 0.75) + far * 0.05
            draw.line([tuple(base), tuple(tip)], fill=255, width=max(int(across * 0.35), 2))
    return np.asarray(mask.filter(ImageFilter.GaussianBlur(rng.uniform(1.5, 14))), float) / 255


def covered_by_thumb(rng: Generator, photo: Image.Image, ends: np.ndarray, scale: float) -> None:
    """Draws a thumb that holds the sheet at a corner: `ends` are the corner and the middle of the sheet."""
    corner, middle = ends
    inward = (middle - corner) / np.linalg.norm(middle - corner)
    side = np.array([-inward[1], inward[0]]) * rng.uniform(-0.4, 0.4)
    along = inward + side
    skin = np.array([(225, 175, 150), (200, 145, 115), (150, 100, 75), (95, 65, 50)][rng.integers(4)])
    radius = 9.5 * scale
    tip = corner + along * scale * rng.uniform(4, 16)
    far = tip - along * 90 * scale
    low = np.maximum(np.minimum(tip, far) - 2 * radius, 0).astype(int)
    size = np.minimum(np.maximum(tip, far) + 2 * radius, photo.size).astype(int) - low
    layer, mask = Image.new("RGB", tuple(map(int, size))), Image.new("L", tuple(map(int, size)))
    pen, hole = ImageDraw.Draw(layer), ImageDraw.Draw(mask)
    for share in np.linspace(1, 0.5, 6):
        fill = tuple(int(part) for part in skin * (1.15 - 0.35 * share))
        for step in np.linspace(0, 1, 12):
            spot = tip + (far - tip) * step - low
            grown = radius * share * (1 + 0.35 * step)
            pen.ellipse([*(spot - grown), *(spot + grown)], fill=fill)
            hole.ellipse([*(spot - grown), *(spot + grown)], fill=255)
    soft = ImageFilter.GaussianBlur(1.5)
    photo.paste(layer.filter(soft), tuple(map(int, low)), mask.filter(soft))


def exposed(rng: Generator, photo: Image.Image, conditions: Conditions) -> Image.Image:
    """Blur, noise and the processing of a phone."""
    focus = rng.uniform(0.5, 1) * conditions.focus
    photo = photo.filter(ImageFilter.BoxBlur(focus * 1.3))  # a lens out of focus spreads a point evenly
    if conditions.motion:
        photo = _moved(photo, rng.uniform(0, conditions.motion), rng.uniform(0, pi))
    pixels = np.asarray(photo).astype(np.int16)
    sigma = conditions.noise * rng.uniform(0.4, 1)
    grey = Image.fromarray(rng.normal(0, 60, (1024, 1024)).clip(-127, 127).astype(np.float32)).filter(
        ImageFilter.BoxBlur(0)
    )
    tile = np.asarray(grey)[..., None] + rng.normal(0, 25, (1024, 1024, 3))
    soft = (tile + np.roll(tile, 1, 0) + np.roll(tile, 1, 1)) / 1.9  # what a phone leaves after removing noise
    tile = (soft * sigma / 60).round().astype(np.int16)
    height, width = pixels.shape[:2]
    for top in range(0, height, 1024):
        for left in range(0, width, 1024):
            part = pixels[top : top + 1024, left : left + 1024]
            part += np.roll(tile, rng.integers(1024, size=2), (0, 1))[: part.shape[0], : part.shape[1]]
    photo = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    return photo.filter(ImageFilter.UnsharpMask(1.5, int(rng.uniform(20, 90)), 2)) if rng.random() < 0.7 else photo


def _moved(photo: Image.Image, far: float, direction: float) -> Image.Image:
    """The photo as the mean of pictures along a short movement."""
    steps = max(int(far), 1) + 1
    result = photo
    for number in range(1, steps):
        share = number / (steps - 1) * far
        moved = photo.transform(
            photo.size,
            Image.Transform.AFFINE,
            (1, 0, share * cos(direction), 0, 1, share * sin(direction)),
            Image.Resampling.BILINEAR,
        )
        result = Image.blend(result, moved, 1 / (number + 1))
    return result


def jpeg(photo: Image.Image, quality: int) -> bytes:
    buffer = BytesIO()
    photo.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def on_table(photo: Image.Image, sheet: Image.Image, place: tuple[int, int], rng: Generator) -> None:
    """Lays a sheet, as the camera sees it, on the table, with its shadow."""
    alpha = sheet.getchannel("A")
    small = alpha.resize((alpha.width // 8, alpha.height // 8)).filter(ImageFilter.GaussianBlur(rng.uniform(1, 4)))
    shadow = small.resize(alpha.size).point(lambda level: level * 0.45)
    dark = Image.new("RGB", alpha.size, (15, 12, 10))
    x, y = place
    photo.paste(dark, (x + int(rng.integers(-20, 20)), y + int(rng.integers(-20, 20))), shadow)
    photo.paste(sheet, place, sheet)


def lit(photo: Image.Image, lighting: Image.Image) -> Image.Image:
    return ImageChops.multiply(photo, lighting)
