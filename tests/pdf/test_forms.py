"""Fillable score sheets: their fields, which are invisible, and what can be typed into them."""

from __future__ import annotations

import ctypes
import re
from io import BytesIO

import PIL.ImageChops
import pypdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from fontTools.ttLib import TTFont
from msgspec.structs import replace

from generator.errors import InputError
from generator.geometry.frame import (
    Frame,
    Page,
    Placed,
    Run,
    Shape,
    Slot,
)
from generator.geometry.outlines import Rect
from generator.model.game import Field, FieldFile, SheetFile
from generator.model.values import Span
from generator.pdf import Info, slots_on, write
from generator.pdf.forms import write_fillable
from generator.reading.components import score_sheet
from generator.reading.load import load
from generator.sheets.pdf_forms import read_form

INFO = Info(title="Tally", game="lanterns", sheet="tally", layout="7kq", set_code="LN-7K2M")
MM = 72 / 25.4
COLUMNS, PITCH, SIZE = 20, 9.5, 8.5

SHEET = score_sheet(
    "tally",
    SheetFile(
        title="Tally",
        fields={
            "set": FieldFile(kind="code", label="Set code", tip="As on the cards", length=24),
            "variant": FieldFile(kind="choice", label="Variant", choices=("stall", "open end")),
            "players": FieldFile(
                label="Player",
                repeat=2,
                fields={
                    "name": FieldFile(
                        kind="text", label="Name", tip="Who “plays” (or not \\)", length=12, required=True
                    ),
                    "crates": FieldFile(kind="die", label="Crates", count=3),
                    "total": FieldFile(kind="number", label="Total", length=3, required=True),
                    "flipped": FieldFile(kind="tick", label="Flipped"),
                    "card": FieldFile(kind="card", label="Card", length=2),
                },
            ),
            "d20": FieldFile(kind="die", label="Twenty", span=Span(1, 20)),
        },
    ),
)
FIELDS = SHEET.fields


def pages(fields, a_page: int = 10) -> list[Page]:
    """Slots in rows, each in an outlined box of a different colour, on as many pages as needed."""
    names = list(fields)
    result = []
    for first in range(0, len(names), a_page):
        things = [Run(10, 8, "Tally sheet", "regular", 4, "#20262e", 0)]
        for n, name in enumerate(names[first : first + a_page]):
            x, y = 5 + n % COLUMNS * PITCH, 10 + n // COLUMNS * PITCH
            path = (("M", x, y), ("L", x + SIZE, y), ("L", x + SIZE, y + SIZE), ("L", x, y + SIZE), ("Z",))
            things += [Shape(path, fill="#fff4c0", stroke="#20262e", stroke_width=0.2), Slot(name, x, y, SIZE, SIZE)]
        result.append(Page(210, 297, (Placed(Frame("tally", 200, 280, tuple(things)), 5, 8),)))
    return result


@pytest.fixture(scope="module")
def form(theme) -> bytes:
    return write_fillable(pages(FIELDS), theme, FIELDS, info=INFO)


def reader(pdf: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(BytesIO(pdf), strict=True)


def widgets(pdf: bytes) -> dict[str, dict]:
    """Each field by its full name, in the order on the pages."""
    return {
        _name(annotation.get_object()): annotation.get_object()
        for page in reader(pdf).pages
        for annotation in page["/Annots"]
    }


def _name(field) -> str:
    return f"{_name(field['/Parent'])}.{field['/T']}" if "/Parent" in field else field["/T"]


def filled(pdf: bytes, marks: dict[str, str]) -> bytes:
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf))
    writer.update_page_form_field_values(None, marks, auto_regenerate=True)
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


def shown(pdf: bytes) -> list:
    """The pages as a viewer prints them, including fields, at ten pixels per millimetre."""
    document = pypdfium2.PdfDocument(pdf)
    document.init_forms()
    try:
        return [page.render(scale=25.4 / 7.2, may_draw_forms=True).to_pil().convert("RGB") for page in document]
    finally:
        document.close()


def differing(first: bytes, second: bytes) -> set[str]:
    """The slots in which two prints differ; `elsewhere` for anything outside them."""
    names = set()
    for number, images in enumerate(zip(shown(first), shown(second), strict=True)):
        difference = PIL.ImageChops.difference(*images)
        for name, (page, slot) in slots_on(pages(FIELDS)).items():
            x, y, width, height = slot.box
            box = tuple(round(edge * 10) for edge in (x, y, x + width, y + height))
            if page == number and difference.crop(box).getbbox():
                names.add(name)
                difference.paste(0, box)
        if difference.getbbox():
            names.add("elsewhere")
    return names


# ---- names and places


def test_every_slot_has_a_field_with_its_id(form):
    fields = reader(form).get_fields()
    assert [name for name, field in fields.items() if "/FT" in field] == list(FIELDS)
    assert list(widgets(form)) == list(FIELDS)


def test_names_with_dots_form_a_hierarchy(form):
    assert all("." not in field["/T"] for field in reader(form).get_fields().values())
    assert [field.get_object()["/T"] for field in reader(form).trailer["/Root"]["/AcroForm"]["/Fields"]] == [
        "set",
        "variant",
        "players",
        "d20",
    ]


def test_a_viewer_finds_the_same_fields(form):
    document = pypdfium2.PdfDocument(form)
    document.init_forms()
    names, kinds = [], set()
    for page in document:
        for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
            annotation = pdfium.FPDFPage_GetAnnot(page, index)
            buffer = ctypes.create_string_buffer(200)
            length = pdfium.FPDFAnnot_GetFormFieldName(
                document.formenv, annotation, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), 200
            )
            names.append(buffer.raw[: length - 2].decode("utf-16-le"))
            kinds.add(pdfium.FPDFAnnot_GetFormFieldType(document.formenv, annotation))
            pdfium.FPDFPage_CloseAnnot(annotation)
    document.close()
    assert names == list(FIELDS)
    assert kinds == {pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_CHECKBOX}


def test_fields_are_over_their_slots_on_every_page(form):
    document = reader(form)
    assert len(document.pages) == 2
    for name, (number, slot) in slots_on(pages(FIELDS)).items():
        x, y, width, height = slot.box
        field = widgets(form)[name]
        spare = max(0, (height - 1.5 * 15 / MM) / 2) if field["/FT"] == "/Tx" else 0
        assert [float(edge) / MM for edge in field["/Rect"]] == pytest.approx(
            [x, 297 - y - height + spare, x + width, 297 - y - spare], abs=0.005
        )
        assert field["/P"].indirect_reference.idnum == document.pages[number].indirect_reference.idnum


def test_tab_visits_the_fields_in_reading_order(theme):
    backwards = dict(reversed(FIELDS.items()))
    pdf = write_fillable(pages(FIELDS), theme, backwards, info=INFO)
    assert [page["/Tabs"] for page in reader(pdf).pages] == ["/S", "/S"]
    first, second = list(FIELDS)[:10], list(FIELDS)[10:]
    assert list(widgets(pdf)) == first[::-1] + second[::-1]


# ---- what a field is


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("set", 24),
        ("variant", 8),
        ("players.1.name", 12),
        ("players.2.crates.3", 1),
        ("players.1.total", 3),
        ("players.2.card", 2),
        ("d20", 2),
    ],
)
def test_texts_have_a_length_and_are_centred(form, name, length):
    field = widgets(form)[name]
    assert field["/FT"] == "/Tx"
    assert field["/MaxLen"] == length
    assert field["/Q"] == 1
    assert "/V" not in field


def test_texts_are_written_in_the_font_and_colour_of_marks(form, theme):
    for name, field in widgets(form).items():
        font, size, red, green, blue = re.fullmatch(
            r"/(\w+) ([\d.]+) Tf ([\d.]+) ([\d.]+) ([\d.]+) rg", field["/DA"]
        ).groups()
        assert font == ("ZaDb" if FIELDS[name].kind == "tick" else "Pencil")
        assert float(size) <= 15, "the size of marks on a scored copy"
        assert [round(255 * float(share)) for share in (red, green, blue)] == [0x3A, 0x4A, 0x6B]
    assert b"0.227 0.290 0.420 RG" in widgets(form)["players.1.flipped"]["/AP"]["/N"]["/Yes"].get_data()


def test_every_font_of_the_form_is_embedded(form):
    fonts = reader(form).trailer["/Root"]["/AcroForm"]["/DR"]["/Font"]
    assert {*fonts} == {"/Pencil", "/Helv", "/Helvetica", "/ZaDb"}
    programs = {name: program(font) for name, font in fonts.items()}
    assert programs["/Pencil"] == programs["/Helv"], "written once"
    signs = TTFont(BytesIO(programs["/ZaDb"])).getBestCmap()
    assert {chr(code) for code in signs} == set("✓✔✕✖●■◆★")
    assert fonts["/ZaDb"]["/Encoding"]["/Differences"][-2:] == [ord("u"), "/uni25C6"]


def program(font) -> bytes:
    font = font.get("/DescendantFonts", [font])[0]
    return font["/FontDescriptor"]["/FontFile2"].get_data()


def test_the_font_of_marks_has_european_letters(form):
    pencil = reader(form).trailer["/Root"]["/AcroForm"]["/DR"]["/Font"]["/Pencil"]
    assert pencil["/BaseFont"].endswith("+Lato-Bold")
    letters = "Az09+-=’ÀÿĄąČčĐđĞğİıŁłŐőŒœŘřȘșȚțŪūŻżΩώЩщЄєҐґễạ"
    table = pencil["/ToUnicode"].get_data().decode()
    codes = {chr(int(text, 16)): int(code, 16) for code, text in re.findall(r"<(\w{4})> <(\w{4})>\n", table)}
    outlines = TTFont(BytesIO(program(pencil)))
    for letter in letters:
        assert outlines.getGlyphName(codes[letter]) == outlines.getBestCmap()[ord(letter)], letter


def test_a_simple_font_with_letters_of_latin_alphabets_is_there_for_other_programs(form):
    fonts = reader(form).trailer["/Root"]["/AcroForm"]["/DR"]["/Font"]
    assert fonts["/Helv"] == fonts["/Helvetica"], "programs that fill in forms ask for these"
    differences = fonts["/Helv"]["/Encoding"]["/Differences"]
    assert {chr(int(name[4:], 16)) for name in differences if isinstance(name, str)} >= set("ĄŁő≠’")


def test_digits_do_not_fill_a_tall_box(theme):
    name = "players.1.total"
    frame = Frame("tall", 100, 100, (Slot(name, 10, 10, 30, 40),))
    fields = {name: FIELDS[name]}
    pdf = write_fillable([Page(210, 297, (Placed(frame, 0, 0),))], theme, fields, info=INFO, marks={name: "-12"})
    grey = shown(pdf)[0].convert("L").point(lambda value: 255 if value < 128 else 0)
    left, top, right, bottom = grey.getbbox()
    assert 30 < bottom - top < 45, "about 4 mm high"
    assert (left + right) / 2 == pytest.approx(250, abs=12)


def boxes_of(count, width, height, gap=0.0):
    """Equal boxes side by side from (10, 10)."""
    each = (width + gap) / count
    return tuple(Rect(10 + number * each, 10, each - gap, height) for number in range(count))


def test_a_slot_for_single_letters_is_a_comb(theme):
    name = "players.1.name"
    frame = Frame("tiles", 100, 100, (Slot(name, 10, 10, 60, 8, boxes_of(FIELDS[name].length, 60, 8)),))
    field = widgets(write_fillable([Page(210, 297, (Placed(frame, 0, 0),))], theme, {name: FIELDS[name]}, info=INFO))
    assert (field[name]["/Ff"], field[name]["/MaxLen"], field[name]["/Q"]) == (1 << 24, FIELDS[name].length, 0)


def test_the_letters_of_a_comb_are_in_boxes_that_are_apart(theme):
    name = "players.1.total"
    frame = Frame("digits", 100, 100, (Slot(name, 10, 10, 18, 10, boxes_of(FIELDS[name].length, 18, 10, gap=2.0)),))
    field = widgets(write_fillable([Page(210, 297, (Placed(frame, 0, 0),))], theme, {name: FIELDS[name]}, info=INFO))
    left, _, right, _ = (float(edge) / MM for edge in field[name]["/Rect"])
    assert (left, right) == (pytest.approx(9, abs=0.01), pytest.approx(29, abs=0.01))
    assert (field[name]["/MaxLen"], field[name]["/Q"]) == (FIELDS[name].length, 2), "numbers end in the last box"


def test_a_choice_between_boxes_is_a_group_of_radio_buttons(theme):
    """Filled in by another library, and read again."""
    name = "rounds.1.winner"
    spec = Field(name, "choice", "Winner", "Winner", span=None, length=2, choices=("1", "+2", "≠"), required=False)
    slot = Slot(name, 10, 10, 28, 8, boxes_of(3, 28, 8, gap=2.0), spec.choices, is_round=True)
    page = Page(210, 297, (Placed(Frame("rings", 100, 100, (slot,)), 0, 0),))
    info = replace(INFO, game="upwards", sheet="sheet", layout="12345")
    blank = write_fillable([page], theme, {name: spec}, info=info)
    assert read_form(blank).marks == {name: ""}
    for mark in spec.choices:
        form = write_fillable([page], theme, {name: spec}, info=info, marks={name: mark})
        assert read_form(form).marks == {name: mark}
        assert shown(form) != shown(blank)
    field = reader(blank).get_fields()[name]
    assert (field["/FT"], field["/Ff"]) == ("/Btn", 1 << 15)
    assert read_form(filled(blank, {name: "/1"})).marks == {name: "1"}


@pytest.mark.parametrize(("width", "fixed"), [(60, True), (20, False)])
def test_viewers_choose_the_size_of_texts_that_would_be_small(theme, width, fixed):
    name = "players.1.name"
    frame = Frame("names", 100, 100, (Slot(name, 10, 10, width, 8),))
    pdf = write_fillable([Page(210, 297, (Placed(frame, 0, 0),))], theme, {name: FIELDS[name]}, info=INFO)
    assert ("/Pencil 0 Tf" in widgets(pdf)[name]["/DA"]) is not fixed


def test_a_tick_is_a_check_box(form):
    field = widgets(form)["players.1.flipped"]
    assert (field["/FT"], field["/V"], field["/AS"]) == ("/Btn", "/Off", "/Off")
    assert set(field["/AP"]["/N"]) == {"/Yes", "/Off"}
    assert field["/AP"]["/N"]["/Off"].get_data() == b""
    cross = field["/AP"]["/N"]["/Yes"]
    assert cross["/BBox"] == [0, 0, pytest.approx(SIZE * MM, abs=0.01), pytest.approx(SIZE * MM, abs=0.01)]
    assert b"Tf" not in cross.get_data()
    assert cross.get_data().split()[-1] == b"S"


def test_nothing_is_required_and_everything_is_printed(form):
    for name, field in widgets(form).items():
        assert field.get("/Ff", 0) == 0
        assert field["/F"] == 4
        assert field["/TU"] == FIELDS[name].tip


# ---- what it looks like


def test_a_blank_sheet_prints_the_same_with_and_without_fields(form, theme):
    assert differing(form, write(pages(FIELDS), theme, info=INFO)) == set()


@pytest.mark.parametrize(
    ("name", "mark"),
    [("players.1.name", "Anna"), ("players.2.crates.1", "5"), ("variant", "stall"), ("players.2.flipped", "/Yes")],
)
def test_a_mark_is_shown_in_its_own_field_only(form, name, mark):
    assert differing(form, filled(form, {name: mark})) == {name}


def test_marks_can_be_filled_in_beforehand(form, theme):
    marks = {"players.1.name": "Žofia", "players.2.total": "-12", "players.1.flipped": "x", "players.2.flipped": ""}
    pdf = write_fillable(pages(FIELDS), theme, FIELDS, info=INFO, marks=marks)
    assert differing(form, pdf) == {"players.1.name", "players.2.total", "players.1.flipped"}
    fields = widgets(pdf)
    assert fields["players.1.name"]["/V"] == "Žofia"
    assert fields["players.2.total"]["/V"] == "-12"
    assert [fields[f"players.{n}.flipped"]["/V"] for n in (1, 2)] == ["/Yes", "/Off"]


def test_no_page_uses_a_font_that_is_not_embedded(form):
    for page in reader(form).pages:
        for font in page["/Resources"]["/Font"].values():
            assert "/FontFile2" in font["/DescendantFonts"][0]["/FontDescriptor"]


# ---- what can be typed


@pytest.mark.parametrize("name", ["Anna-Lena", "Żółw Łukasz", "Ελένη", "山田太郎", "(\\\r ж)"])
def test_any_name_can_be_filled_in_and_read_back(form, name):
    fields = reader(filled(form, {"players.1.name": name, "players.2.flipped": "/Yes"})).get_fields()
    assert fields["players.1.name"]["/V"] == name
    assert "/V" not in fields["players.2.name"]
    assert fields["players.2.flipped"]["/V"] == "/Yes"
    assert fields["players.1.flipped"]["/V"] == "/Off"


@pytest.mark.parametrize("name", ["Anna", "Żółw Łukasz", "山田太郎", "(\\\r ж)", "(a\\)", "a\n\x1bb"])
def test_any_name_can_be_filled_in_beforehand(theme, name):
    pdf = write_fillable(pages(FIELDS), theme, FIELDS, info=INFO, marks={"players.1.name": name})
    assert reader(pdf).get_fields()["players.1.name"]["/V"] == name


# ---- the file


def test_document_information_identifies_the_sheet(form, theme):
    for pdf in form, write(pages(FIELDS), theme, info=INFO):
        information = reader(pdf).metadata
        assert information["/PencilboxGame"] == "lanterns"
        assert information["/PencilboxSheet"] == "tally"
        assert information["/PencilboxLayout"] == "7kq"
        assert information["/PencilboxSet"] == "LN-7K2M"
        assert reader(pdf).trailer["/Root"]["/ViewerPreferences"]["/PrintScaling"] == "/None"
    bare = reader(write(pages(FIELDS), theme, info=Info(title="Cards"))).metadata
    assert not [key for key in bare if key.startswith("/Pencilbox")]


def test_the_same_pages_give_the_same_bytes(form, theme):
    assert write_fillable(pages(FIELDS), theme, FIELDS, info=INFO) == form
    assert b"/CreationDate" not in form
    plain, other = write(pages(FIELDS), theme, info=INFO), dict(FIELDS, d20=replace(FIELDS["d20"], tip="Other"))
    ids = {
        bytes(reader(pdf).trailer["/ID"][0].original_bytes)
        for pdf in (form, plain, write_fillable(pages(FIELDS), theme, other, info=INFO))
    }
    assert len(ids) == 3


def test_hundreds_of_fields_stay_small(theme):
    fields = load("from_the_ground_up").sheets["table"].fields
    plain = write(pages(fields, 540), theme, info=INFO)
    form = write_fillable(pages(fields, 540), theme, fields, info=INFO)
    assert len(fields) > 500
    assert len(form) - len(plain) < 225_000
    assert list(widgets(form)) == list(fields)


# ---- what cannot be


@pytest.mark.parametrize(
    ("slots", "fields", "said"),
    [
        (["set"], ["set", "d20"], "Tally: the field d20 has no slot"),
        (["set", "d20"], ["set"], "Tally: the slot d20 has no field"),
    ],
)
def test_slots_and_fields_are_the_same(theme, slots, fields, said):
    with pytest.raises(InputError, match=said):
        write_fillable(pages(slots), theme, {name: FIELDS[name] for name in fields}, info=INFO)


def test_a_field_cannot_be_a_group(theme):
    odd = {name: replace(FIELDS["set"], id=name) for name in ("a.b.c", "a", "ab")}
    with pytest.raises(InputError, match=r"the field a cannot contain another one, a\.b\.c"):
        write_fillable(pages(odd), theme, odd, info=INFO)


def test_reports_all_misplaced_marks_together(theme):
    marks = {"players.3.name": "Ann", "players.1.name": "A name of many letters", "players.1.flipped": "any length"}
    with pytest.raises(InputError) as caught:
        write_fillable(pages(FIELDS), theme, FIELDS, info=INFO, marks=marks)
    assert [str(problem) for problem in caught.value.problems] == [
        "Tally: there is no field players.3.name for the mark “Ann”",
        "Tally: the mark “A name of many letters” is too long for players.1.name, which has room for 12 characters",
    ]
