"""What boxes say together: marks of fields, whole sheets weighed by the rules, and questions about what is doubtful."""

from __future__ import annotations

from collections import Counter
from functools import cache
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageDraw

from generator.errors import InputError
from generator.geometry.outlines import Rect
from generator.photo import reader
from generator.photo.blank import PX, map_of
from generator.photo.cells import CellReading, boxes_of
from generator.photo.fields import UNREADABLE, field_reading
from generator.photo.photo_sheet import PageReading, PhotoSheet
from generator.photo.reader import sheets_of
from generator.photo.readings import _trust
from generator.reading.load import load
from generator.reading.sizes import paper

GLYPH = np.zeros((24, 24), np.uint8)
GLYPH[4:20, 11:13] = 255


@cache
def sheet_map():
    """Where the fields of the sheet of Upwards! are. It is drawn by the first test that needs it."""
    return map_of(load("upwards"), "sheet", paper("a4"))


def field(name):
    return next(each for each in sheet_map().fields if each.id == name)


def cells(name, *boxes, glyph=None):
    kind = "digit"
    return [CellReading(name, number, kind, Rect(0, 0, 8, 8), box, glyph) for number, box in enumerate(boxes)]


def read(name, *boxes):
    return field_reading(field(name), cells(name, *boxes))


def test_digits_make_a_number_wherever_they_stand():
    seven, blank = {"7": 0.9, "1": 0.1}, {"": 1.0}
    assert read("claimed.total", blank, seven, blank).mark == "7"
    assert read("claimed.total", {"0": 1.0}, seven, seven).mark == "77"
    assert read("claimed.total", seven, blank, seven).mark == UNREADABLE
    assert read("claimed.total", {"+": 1.0}, seven, blank).mark == "7"


def test_a_number_out_of_range_is_doubted_but_not_replaced():
    reading = read("claimed.bonus", {"4": 0.98, "1": 0.02}, {"5": 1.0})
    assert (reading.mark, reading.runner_up.mark) == (UNREADABLE, "15")
    assert not reading.is_sure


def test_one_of_several_rings_is_chosen():
    column = "rounds.1.column"
    blank, ringed = {"": 1.0, "x": 0.0}, {"": 0.1, "x": 0.9}
    assert read(column, blank, ringed, blank, blank).mark == "b"
    assert read(column, blank, blank, blank, blank).mark == ""
    assert read(column, ringed, ringed, blank, blank).mark == UNREADABLE


def test_a_rule_that_every_reading_breaks_says_less():
    as_ruled, once_more, new, unreadable = _trust([Counter("a"), Counter("aa"), Counter("ab"), None])
    assert 1 == as_ruled > once_more > new > unreadable


def test_a_word_says_which_tile_stands_for_any_letter():
    """In FOLLICULATE, the U is the only one, so = cannot stand for it."""
    tiles = "lines.1.poker.tiles"
    of_words = map_of(load("rolling_cubes"), "five-throws", paper("a4"))
    found = []
    for box in boxes_of(of_words, 1):
        letter = "FOLLIC=LATE "[min(box.number, 11)].strip() if box.field.id == tiles else ""
        chances = {"=": 0.7, "≠": 0.3} if letter == "=" else {letter: 1.0}
        found.append(CellReading(box.field.id, box.number, box.kind, box.rect, chances, GLYPH if letter else None))
    seen = PageReading("a.jpg", "rolling_cubes", of_words, 0, page=1, cells=tuple(found), picture=b"", outlines={})
    assert PhotoSheet([seen]).reading.fields[tiles].mark == "FOLLIC≠LATE"


def page(number=1, serial=0, photo="a.jpg", picture=b"", **readings):
    """A page with these readings of its fields; every other field is blank."""
    found = []
    for box in boxes_of(sheet_map(), number):
        boxes = readings.get(box.field.id.replace(".", "_"), [{"": 1.0}])
        chances = boxes[min(box.number, len(boxes) - 1)]
        found.append(
            CellReading(box.field.id, box.number, box.kind, box.rect, chances, GLYPH if "" not in chances else None)
        )
    outlines = {name: ((0.0, 0.0),) * 4 for name in (each.id for each in sheet_map().fields)}
    return PageReading(
        photo, "upwards", sheet_map(), serial, page=number, cells=tuple(found), picture=picture, outlines=outlines
    )


def column(*digits):
    return {f"grid_a{row}": [{digit: 1.0}] for row, digit in enumerate(digits, 1)}


def sure(mark):
    return [{mark: 1.0}]


def test_the_rules_settle_what_the_ink_leaves_open():
    """A column that climbs from 2 to 3 scores 1; the claimed sum says so, too."""
    doubtful = [{"3": 0.5, "1": 0.5}]
    sheet = PhotoSheet([page(**column("2"), grid_a2=doubtful, claimed_columns_1=sure("1"), option_rows=sure("x"))])
    assert sheet.reading.fields["grid.a2"].mark == "3"


def test_a_clear_wrong_sum_is_read_as_written():
    claimed = [{"7": 0.99, "1": 0.01}]
    sheet = PhotoSheet([page(**column("2", "3"), claimed_columns_1=claimed, option_rows=sure("x"))])
    assert sheet.reading.fields["claimed.columns.1"].mark == "7"


def test_an_answer_settles_all_that_looks_like_it():
    doubtful = [{"1": 0.5, "6": 0.4, "?": 0.1}]
    sheet = PhotoSheet([page(grid_a1=doubtful, grid_b1=doubtful, grid_c1=doubtful)])
    (question,) = sheet.questions
    assert (len(question.fields), set(question.marks)) == (3, {"1", "6"})
    sheet.answer({question.fields[0]: "6"})
    assert sheet.reading.marks == {"grid.a1": "6", "grid.b1": "6", "grid.c1": "6"}
    assert [each.confirmed for each in sheet.reading.fields.values()].count(True) == 1
    assert sheet.questions == ()


@pytest.mark.parametrize(("field", "mark", "message"), [("grid.z9", "1", "no field"), ("grid.a1", "9", "cannot be in")])
def test_answers_that_fit_nothing_are_refused(field, mark, message):
    sheet = PhotoSheet([page(grid_a1=[{"1": 0.5, "2": 0.5}])])
    with pytest.raises(InputError, match=message):
        sheet.answer({field: mark})
    assert sheet.answers == {}


def test_pages_are_joined_by_their_numbers():
    pages = [page(1, 7), page(1, 8), page(2, 8), page(2, 7)]
    assert [[each.page for each in sheet] for sheet in sheets_of(pages)] == [[1, 2], [1, 2]]


def test_pages_without_numbers_are_joined_if_there_is_one_sheet():
    assert [len(sheet) for sheet in sheets_of([page(1), page(2)])] == [2]
    one, other = page(1, grid_a1=sure("1")), page(1, photo="b.jpg", grid_a1=sure("2"))
    assert [len(sheet) for sheet in sheets_of([one, other])] == [1, 1]
    assert [len(sheet) for sheet in sheets_of([one, page(1, photo="b.jpg", grid_a1=sure("1"))])] == [1]
    (refused,) = sheets_of([one, other, page(2)])
    assert "no numbers on them say which pages belong together" in str(refused)


def test_sheets_come_as_soon_as_they_are_read_and_joined_ones_again(monkeypatch):
    photos = {"a.jpg": [page(1, 7, "a.jpg")], "b.jpg": [page(1, 8, "b.jpg")], "c.jpg": [page(2, 7, "c.jpg")]}
    monkeypatch.setattr(reader, "pages_of", lambda job: photos[job.name])
    sheets = reader.read_photos(map(reader.PhotoJob, photos), at_once=True)
    assert [sheet.photos for sheet in sheets] == [["a.jpg"], ["b.jpg"], ["c.jpg"], ["a.jpg", "c.jpg"]]


def test_the_question_that_settles_most_comes_first():
    alike, other = [{"1": 0.6, "6": 0.4}], [{"2": 0.7, "3": 0.3}]
    (first, _) = PhotoSheet([page(grid_a1=alike, grid_b1=alike, grid_c1=alike, grid_d1=other)]).questions
    assert set(first.fields) == {"grid.a1", "grid.b1", "grid.c1"}


def test_names_of_about_the_length_of_the_ink_are_offered_first():
    box = field("player").slot.box
    picture = Image.new("L", (round(sheet_map().width * PX), round(sheet_map().height * PX)), 255)
    left, top = (box.x + 4) * PX, (box.y + 2) * PX
    ImageDraw.Draw(picture).rectangle((left, top, left + 4 * 0.55 * 4 * PX, top + 4 * PX), 0)  # four letters of 4 mm
    picture.save(file := BytesIO(), "PNG")
    sheet = PhotoSheet([page(picture=file.getvalue(), player=[{"?": 1.0}])])
    assert sheet.names_for("player", ["Bartholomew", "Otto", "Bo"])[0] == "Otto"
    sheet.answer({"player": "Otto"})
    assert sheet.names_for("player", ["Otto"]) == []
