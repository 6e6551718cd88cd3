"""PDFs with one side on each page: their order, boxes and fonts."""

from io import BytesIO

import pikepdf
import pytest

from generator.exporting.pdfs import sides

MM = 72 / 25.4


def test_each_side_is_a_page_with_trim_and_bleed_boxes(town, exported):
    folder, report = exported(town, "pdf-cards", "cards", "rules")
    assert report.files == ["cards.pdf", "manifest.csv", "rules.pdf"]
    with pikepdf.open(BytesIO((folder / "cards.pdf").read_bytes())) as document:
        assert len(document.pages) == 8  # four cards, one of them twice, each with its back
        for page in document.pages:
            media, bleed, trim = ([float(edge) for edge in page[key]] for key in ("/MediaBox", "/BleedBox", "/TrimBox"))
            assert media == pytest.approx([0, 0, 50 * MM, 69 * MM], abs=0.01)
            assert bleed == pytest.approx(media, abs=0.01)
            assert trim == pytest.approx([3 * MM, 3 * MM, 47 * MM, 66 * MM], abs=0.01)
        streams = [page.Contents.objgen for page in document.pages]
        assert streams[1] == streams[3] == streams[5] == streams[7]  # the common back
        assert streams[0] == streams[2] and streams[4] != streams[6]
        assert [page.label for page in document.pages] == [
            "mill",
            "back",
            "mill",
            "back",
            "forge",
            "back",
            "inn",
            "back",
        ]
        fonts = [font for font in document.objects if isinstance(font, pikepdf.Dictionary) and "/FontFile2" in font]
        assert len(fonts) == 1


@pytest.mark.parametrize(
    "order, pages", [("front-back", "fbfbgbhb"), ("back-front", "bfbfbgbh"), ("fronts-backs", "ffghbbbb")]
)
def test_the_order_of_pages(order, pages):
    class Canvas:
        def page(self, frame, back=False, label=""):
            return frame

    class Piece:
        canvas, back, back_name, name = Canvas(), "b", "back", "card"

        def __init__(self, front, copies):
            self.front, self.copies = front, copies

    assert "".join(sides(iter([Piece("f", 2), Piece("g", 1), Piece("h", 1)]), order)) == pages
