"""Sheets are found on photos, recognised, and laid on their blank pages."""

from __future__ import annotations

from functools import cache
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from generator.errors import InputError
from generator.geometry.outlines import Rect
from generator.photo.codes import Code, find_codes, grouped
from generator.photo.pages import SeenPage, identify, possible_pages, seen_pages
from generator.photo.pictures import Photo, open_photo
from generator.photo.straighten import StraightPage, straighten
from tests.photo.simulate import Shot, photo_of

SIZE = (2000, 1500)


@cache
def shot(game: str, sheet: str, kind: str, seed: int, low_ink: bool = False) -> Shot:
    return photo_of(game, sheet, {}, seed=seed, kind=kind, size=SIZE, low_ink=low_ink)


def photo_in(jpeg: bytes) -> tuple[Photo, list[SeenPage]]:
    photo = open_photo(jpeg, "photo.jpg")
    return photo, list(seen_pages(find_codes(photo)))


def straightened(photo: Photo, seen: SeenPage) -> StraightPage:
    ((sheet, page),) = possible_pages(seen)
    return straighten(photo, seen, sheet.blank(page))


def errors(page: StraightPage, shot: Shot) -> np.ndarray:
    """What points of the page are off by, in mm. A shift of the whole photo (by motion) does not count."""
    width, height = page.blank.map.width, page.blank.map.height
    points = np.random.default_rng(1).uniform((12, 12), (width - 12, height - 12), (400, 2))
    off = page.to_photo(points) - shot.to_photo(points)
    far = np.linalg.norm(shot.to_photo(points + np.array([1, 0])) - shot.to_photo(points), axis=1)
    return np.linalg.norm(off - np.median(off, axis=0), axis=1) / far


@pytest.mark.parametrize(
    ("game", "sheet", "kind", "low_ink"),
    [
        ("upwards", "sheet", "easy", False),
        ("elevator_up", "log", "medium", False),
        ("cosmic_consequences", "log", "medium", True),
        ("upwards", "sheet", "easy", True),
    ],
)
def test_pages_are_laid_on_their_blank_pages(game, sheet, kind, low_ink):
    taken = shot(game, sheet, kind, 7, low_ink)
    photo, (seen,) = photo_in(taken.jpeg)
    page = straightened(photo, seen)
    assert (page.blank.map.game, page.blank.map.sheet) == (game, sheet)
    off = errors(page, taken)
    assert np.median(off) < 0.12
    assert np.quantile(off, 0.95) < 0.3
    is_pale = page.blank is not identify(seen).blank(1)
    assert is_pale == low_ink
    assert not any(page.hides(field.slot.box) for field in page.blank.map.fields if field.page == 1)


def test_two_codes_are_enough():
    taken = shot("elevator_up", "log", "medium", 7)
    photo, (seen,) = photo_in(taken.jpeg)
    two = SeenPage(seen.layout, seen.serial, seen.page, seen.codes[:2])
    assert np.median(errors(straightened(photo, two), taken)) < 0.12


def test_what_is_covered_is_known():
    taken = shot("elevator_up", "log", "easy", 3)
    picture = Image.open(BytesIO(taken.jpeg))
    x, y = taken.to_photo([(105, 150)])[0]
    picture.paste((190, 140, 110), (int(x) - 130, int(y) - 130, int(x) + 130, int(y) + 130))
    buffer = BytesIO()
    picture.save(buffer, "JPEG")
    photo, (seen,) = photo_in(buffer.getvalue())
    page = straightened(photo, seen)
    assert page.hides(Rect(100, 145, 10, 10))
    assert not page.hides(Rect(30, 60, 8, 8))


def test_a_sheet_that_is_cut_off_is_refused():
    taken = shot("elevator_up", "log", "easy", 3)
    picture = Image.open(BytesIO(taken.jpeg))
    corner = taken.to_photo([(195, 282)])[0]
    middle = taken.to_photo([(105, 148)])[0]
    x, y = corner + (middle - corner) * 0.3
    box = (0, 0, int(x), picture.height) if abs(x - middle[0]) > abs(y - middle[1]) else (0, 0, picture.width, int(y))
    if corner[0] < middle[0] and box[3] == picture.height:
        box = (int(x), 0, picture.width, picture.height)
    elif corner[1] < middle[1] and box[2] == picture.width:
        box = (0, int(y), picture.width, picture.height)
    buffer = BytesIO()
    picture.crop(box).save(buffer, "JPEG")
    photo, (seen,) = photo_in(buffer.getvalue())
    with pytest.raises(InputError, match="is cut off; take the photo again"):
        straightened(photo, seen)


def code(corner: int, digits: str, x: float, y: float) -> Code:
    return Code(corner, digits, ((x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10)))


def test_codes_are_grouped_into_sheets():
    """Two halves of one paper side by side, of which the left one has only three codes."""
    left = [code(0, "81604", 0, 0), code(2, "81604", 120, 180), code(3, "00001", 0, 180)]
    right = [
        code(0, "81604", 150, 0),
        code(1, "00001", 270, 0),
        code(2, "81604", 270, 180),
        code(3, "00001", 150, 180),
    ]
    assert {frozenset(group) for group in grouped([*left, *right])} == {frozenset(left), frozenset(right)}


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (36841, r"this sheet \(From the Ground Up, table\) was printed by another version of Pencilbox"),
        (12345, "which this version of Pencilbox does not know; update Pencilbox"),
        (None, "are hidden, so it is not known which sheet it is"),
    ],
)
def test_sheets_that_are_not_known_are_refused(layout, message):
    with pytest.raises(InputError, match=message):
        possible_pages(SeenPage(layout, 0, 1, ()))
