"""Corner codes: their content, their positions, and reading them from a rendered page with an independent reader."""

from __future__ import annotations

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from generator import pdf
from generator.errors import InputError
from generator.geometry.frame import Frame, Page, Placed
from generator.geometry.outlines import bounds
from generator.pages.field_map import EDGE, SIDE, corner_codes, corner_digits

A4, A5 = (210.0, 297.0), (148.0, 210.0)
MIDDLES = {"0": (13, 13), "1": (197, 13), "2": (197, 284), "3": (13, 284)}


def rendered(theme, *pages: Page, dpi=150) -> Image.Image:
    content = pdf.write(pages, theme, info=pdf.Info(title="codes"))
    document = pypdfium2.PdfDocument(content)
    try:
        return document[0].render(scale=dpi / 72, grayscale=True).to_pil()
    finally:
        document.close()


def sheet(size, *codes):
    return Frame("sheet", *size, corner_codes(*size, *codes))


def one_page(frame: Frame) -> Page:
    return Page(frame.width, frame.height, (Placed(frame, 0.0, 0.0),))


def read(image: Image.Image, dpi=150):
    """Text → middle of the code in mm."""
    barcodes = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.DataMatrix)
    return {barcode.text: _middle(barcode.position, 25.4 / dpi) for barcode in barcodes}


def _middle(position, scale):
    corners = position.top_left, position.top_right, position.bottom_left, position.bottom_right
    return sum(corner.x for corner in corners) / 4 * scale, sum(corner.y for corner in corners) / 4 * scale


def test_neighbouring_corners_contain_all_information():
    assert corner_digits(12345, 78, 2) == ("012345", "100782", "212345", "300782")
    assert corner_digits(90007) == ("090007", "100001", "290007", "300001")


def test_serial_numbers_and_pages_with_too_many_digits_are_refused():
    assert corner_digits(10000, 9999, 9)[1] == "199999"
    for wrong in [(10000, 10_000, 1), (10000, -1, 1), (10000, 0, 0), (10000, 0, 10)]:
        with pytest.raises(InputError, match="does not fit in a corner code"):
            corner_codes(*A4, *wrong)


@pytest.mark.parametrize("size", [A4, A5, (215.9, 279.4)])
def test_codes_are_ten_millimetres_wide_and_eight_from_the_edges(size):
    width, height = size
    boxes = [bounds(code.path) for code in corner_codes(*size, 12345)]
    far_x, far_y = width - EDGE - SIDE, height - EDGE - SIDE
    corners = [(EDGE, EDGE), (far_x, EDGE), (far_x, far_y), (EDGE, far_y)]
    for (x, y), box in zip(corners, boxes, strict=True):
        assert box == pytest.approx((x, y, x + 10, y + 10))


def test_the_codes_of_a_printed_page_can_be_read(theme):
    codes = read(rendered(theme, one_page(sheet(A4, 54321, 407, 3))))
    assert sorted(codes) == ["054321", "104073", "254321", "304073"]
    for text, middle in codes.items():
        assert middle == pytest.approx(MIDDLES[text[0]], abs=0.3)


def test_two_sheets_on_a_page_have_their_own_codes(theme):
    """Two turned A5 sheets on A4: each trimmed sheet has four codes and its own serial number."""
    upper, lower = sheet(A5, 12345, 1), sheet(A5, 12345, 2)
    page = Page(*A4, (Placed(upper, 0, 0.5, turn=90), Placed(lower, 0, 148.5, turn=90)))
    image = rendered(theme, page)
    half = image.height // 2
    for top, serial in ((0, 1), (half, 2)):
        codes = read(image.crop((0, top, image.width, top + half)))
        assert sorted(codes) == ["012345", f"100{serial:02d}1", "212345", f"300{serial:02d}1"]
        assert codes["012345"][0] > 180, "turned clockwise, corner 0 comes to lie at the right"


def test_the_codes_of_a_skewed_photo_can_be_read(theme):
    """Slanted by perspective, blurred by low resolution, on a grey table."""
    flat = rendered(theme, one_page(sheet(A4, 12345, 7, 1)), dpi=100)
    width, height = flat.size
    page = flat.transform(
        (width, height),
        Image.Transform.QUAD,
        (-40, -60, -90, height + 30, width + 50, height + 80, width + 70, -20),
        fillcolor=150,
    )
    assert sorted(read(page.rotate(4, expand=True, fillcolor=150))) == ["012345", "100071", "212345", "300071"]


def test_no_white_hairlines_between_dark_modules(theme):
    """At a resolution at which the edges of modules are not on pixels."""
    dpi = 133
    image = rendered(theme, one_page(sheet(A5, 12345)), dpi=dpi)
    scale = dpi / 25.4
    upright = image.crop((int(8.3 * scale), int(8.3 * scale), int(8.7 * scale), int(17.7 * scale)))
    level = image.crop((int(8.3 * scale), int(17.3 * scale), int(17.7 * scale), int(17.7 * scale)))
    assert upright.getextrema()[1] <= 8 and level.getextrema()[1] <= 8
