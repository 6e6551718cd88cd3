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
        assert streams[4] != streams[6]
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


def test_decks_of_one_size_share_a_file_that_begins_with_a_surname(tmp_path, write_game, pencilbox):
    game = write_game(tmp_path / "town")
    file = game / "game.yaml"
    more = "  guests: {kind: deck, title: Guests, cards: coins.csv, size: 44 x 63, face: coin, back: coin}\n"
    file.write_text(file.read_text().replace("  token:", more + "  token:"))
    code, out, _ = pencilbox("export", game, "--for", "mb-print", "--surname", "Wëber", "-o", tmp_path / "shop")
    assert code == 0 and "surname" not in out
    names = sorted(path.name for path in (tmp_path / "shop").glob("*.pdf"))
    assert names == ["Weber_20x20.pdf", "Weber_44x63.pdf"]
    with pikepdf.open(tmp_path / "shop" / names[1]) as document:
        labels = [page.label for page in document.pages]
        assert labels == ["mill", "back", "mill", "back", "forge", "back", "inn", "back", "one", "back"]
        assert document.pages[1].Contents.objgen != document.pages[9].Contents.objgen  # each deck has its own backs
        assert document.docinfo["/Title"] == "Small Town - Houses, Guests"
    rows = (tmp_path / "shop" / "manifest.csv").read_text().splitlines()
    assert rows[4] == "guests,one,1,1,Weber_44x63.pdf,Weber_44x63.pdf,"
    code, out, _ = pencilbox("export", game, "--for", "mb-print", "-c", "token", "-o", tmp_path / "none")
    assert code == 0 and (tmp_path / "none" / "town_20x20.pdf").exists()
    assert "MB Print wants your surname in the name of each file; add --surname NAME, or rename the files" in out
    code, _, err = pencilbox("export", game, "--for", "print-shop", "--surname", "Weber")
    assert code == 2 and "--surname is not for print-shop" in err
