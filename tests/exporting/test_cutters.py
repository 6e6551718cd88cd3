"""Sheets for cutting machines, as they are exported."""

import csv
from io import BytesIO

import ezdxf
import pikepdf
import pytest
from lxml import etree
from msgspec.structs import replace
from PIL import Image

from generator import games
from generator.errors import InputError, noting
from generator.exporting import cutters
from generator.exporting.export import slot_numbers
from generator.exporting.output_folder import new_folder
from generator.exporting.sides import ExportOrder
from generator.printing.printers import Calibration, Printer, Shift
from generator.reading import targets
from generator.reading.load import load
from generator.reading.sizes import paper

MM = 72 / 25.4


def listed(folder):
    with (folder / "manifest.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_silhouette_gets_a_pdf_and_a_dxf_for_each_component(town, exported):
    folder, report = exported(town, "silhouette", "cards", "token", "dice")
    assert report.files == [
        *("cards.dxf", "cards.pdf", "dice.dxf", "dice.pdf", "manifest.csv", "token.dxf", "token.pdf")
    ]
    assert report.pieces == 6 and report.left_out == []
    rows = listed(folder)
    assert [row["piece"] for row in rows] == ["mill", "mill", "forge", "inn", "one", "die plain"]
    assert rows[3] == {
        **{"component": "cards", "piece": "inn", "sheet": "1", "slot": "4", "print": "cards.pdf", "cut": "cards.dxf"}
    }
    for name in ("cards", "dice", "token"):
        audit = ezdxf.readfile(folder / f"{name}.dxf").audit()
        assert not audit.errors
    with pikepdf.open(BytesIO((folder / "cards.pdf").read_bytes())) as document:
        front, back = document.pages
        assert [float(edge) for edge in front.MediaBox] == pytest.approx([0, 0, 612, 792])
        assert document.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
        mark = b"205.900 10.000 l"  # the corner of the one at the top right
        assert mark in front.Contents.read_bytes() and mark not in back.Contents.read_bytes()


def test_cricut_gets_a_picture_and_an_svg(town, exported):
    folder, report = exported(town, "cricut", "cards", "dice")
    assert report.files == ["cards.png", "cards.svg", "dice.png", "dice.svg", "manifest.csv"]
    assert [str(note) for note in report.notes] == [
        "the backs of “cards” are left out: Cricut Explore, Maker prints one side only"
    ]
    with Image.open(folder / "cards.png") as image:
        assert (image.size, image.mode) == ((2025, 2775), "RGB")
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        group = etree.parse(folder / "cards.svg").getroot()[0]
        first = group[0].get("d")
        x, y = (float(number) for number in first[1:].split()[:2])
        assert image.getpixel((round((x + 8) * 300 / 25.4), round((y + 2) * 300 / 25.4))) == (0x33, 0x5C, 0x81)
    layers = [group.get("id") for group in etree.parse(folder / "dice.svg").getroot()]
    assert layers == ["CUT", "SCORE"]


def test_skipped_slots_stay_empty(town, exported):
    folder, _ = exported(town, "silhouette", "cards", skipped=(1, 2))
    assert [row["slot"] for row in listed(folder)] == ["3", "4", "5", "6"]
    with pytest.raises(InputError, match="there is no slot 99 to skip"):
        exported(town, "silhouette", "cards", skipped=(99,))


def test_the_list_of_skipped_slots_is_read():
    assert slot_numbers("3, 7") == (3, 7) and slot_numbers(None) == ()
    with pytest.raises(InputError, match="--skip: “3-7” is not a slot"):
        slot_numbers("3-7")


def test_backs_are_corrected_for_a_printer(town, tmp_path):
    office = Printer("office", (Calibration("office", "", paper("letter"), "long", Shift(x=1.0)),))
    game = load(town)
    order = ExportOrder(game, games.deal(game), targets.targets()["silhouette"], paper("letter"), printer=office)
    with new_folder(tmp_path / "new") as new, noting() as notes:
        cutters.write(order, ["cards"], new)
    with pikepdf.open(tmp_path / "new" / "cards.pdf") as document:
        front, back = (page.Contents.read_bytes() for page in document.pages)
    assert b"1.0000 0.0000 cm" in back and b"1.0000 0.0000 cm" not in front
    assert not notes
    with new_folder(tmp_path / "other") as new, noting() as notes:
        cutters.write(replace(order, paper=paper("a4")), ["cards"], new)
    assert [str(note).partition(";")[0] for note in notes] == [
        "backs are not corrected: office is not calibrated for a4 flipped on the long edge"
    ]
