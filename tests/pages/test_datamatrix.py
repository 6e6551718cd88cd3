"""Data Matrix symbols: the example of the standard, and symbols read by an independent reader."""

from __future__ import annotations

import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from generator.pages.field_map import MODULES_PER_SIDE, codewords, data_matrix

MODULE = 5


def picture(rows):
    """The symbol as a picture with two modules of white around it."""
    image = Image.new("L", ((MODULES_PER_SIDE + 4) * MODULE,) * 2, 255)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                image.paste(0, ((x + 2) * MODULE, (y + 2) * MODULE, (x + 3) * MODULE, (y + 3) * MODULE))
    return image


def read(rows):
    barcodes = zxingcpp.read_barcodes(picture(rows), formats=zxingcpp.BarcodeFormat.DataMatrix)
    return [barcode.text for barcode in barcodes]


def test_the_example_of_the_standard():
    assert codewords("123456") == (142, 164, 186, 114, 25, 5, 88, 102)


def test_the_finder_and_timing_patterns():
    rows = data_matrix("280417")
    assert len(rows) == MODULES_PER_SIDE and all(len(row) == MODULES_PER_SIDE for row in rows)
    assert all(row[0] for row in rows) and all(rows[-1])
    assert rows[0] == (True, False) * 5
    assert [row[-1] for row in rows] == [False, True] * 5


@given(st.integers(0, 999_999))
def test_a_reader_can_read_every_symbol(number):
    assert read(data_matrix(f"{number:06d}")) == [f"{number:06d}"]


def test_one_damaged_codeword_is_corrected():
    rows = data_matrix("310424")
    for y in range(1, MODULES_PER_SIDE - 1):
        for x in range(1, MODULES_PER_SIDE - 1):
            spoilt = [list(row) for row in rows]
            spoilt[y][x] = not spoilt[y][x]
            assert read(spoilt) == ["310424"], (x, y)


@pytest.mark.parametrize("digits", ["", "12345", "1234567", "12 456", "12345a", "-12345", "١٢٣٤٥٦", "123456\n"])
def test_anything_but_six_digits_is_refused(digits):
    with pytest.raises(ValueError, match="six digits"):
        data_matrix(digits)
