"""Reads the texts and drawings on the pages of a PDF from their content streams."""

from __future__ import annotations

from io import BytesIO

import pytest
from msgspec.structs import replace
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, ContentStream, DecodedStreamObject, DictionaryObject, NameObject, NumberObject

from generator.draws import Chance
from generator.errors import InputError
from generator.pdf_reading.page_content import PageContent, parse_to_unicode
from generator.printing.printed_pages import LIMITS, read_pages


def page(code, size=(720, 720)):
    """A PDF of one page with this content stream."""
    writer = PdfWriter()
    blank_page = writer.add_blank_page(*size)
    stream = DecodedStreamObject()
    stream.set_data(code)
    blank_page[NameObject("/Contents")] = writer._add_object(stream)
    blank_page[NameObject("/Resources")] = DictionaryObject()
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def ink(code):
    return read_pages(page(code))[0].ink


def written(code):
    return [(mark.text, round(mark.x, 2), round(mark.y, 2), round(mark.size, 2)) for mark in ink(code) if mark.size]


@pytest.mark.parametrize(
    ("code", "read"),
    [
        (b"1 2.5 m -.5 -3. l", [("m", [1, 2.5]), ("l", [-0.5, -3])]),
        (rb"(a\(b\)(c)\\ \101\n) Tj", [("Tj", [b"a(b)(c)\\ A\n"])]),
        (b"<48 6> Tj", [("Tj", [b"H`"])]),
        (b"[(a) -20 (b) [1]] TJ % a note\nQ", [("TJ", [[b"a", -20, b"b", [1]]]), ("Q", [])]),
        (b"/F1 12 Tf/Im0 Do", [("Tf", ["/F1", 12]), ("Do", ["/Im0"])]),
        (b"/P <</A 1>> BDC", [("BDC", ["/P", {"/A": 1}])]),
        (b"BT (one) ' 1 2 (two) \" ET", [("BT", []), ("'", [b"one"]), ('"', [1, 2, b"two"]), ("ET", [])]),
    ],
)
def test_operations_are_read(code, read):
    stream = DecodedStreamObject()
    stream.set_data(code)
    form = ContentStream(stream, None)
    form.indirect_reference = None
    assert [(operator.decode(), operands) for operands, operator in PageContent(LIMITS).form(form)] == read


def test_content_after_an_inline_image_is_read():
    assert written(b"BI /W 1 /H 1 /BPC 8 /CS /G ID \xff EI BT 10 Tf 72 648 Td (one) Tj ET") == [
        ("one", 25.4, 25.4, 3.53)
    ]


@pytest.mark.parametrize("code", [b"(open", b"]]} 1 w"])
def test_a_malformed_content_stream_is_refused(code):
    with pytest.raises(InputError, match="is damaged and cannot be read"):
        ink(code)


def is_refused(content):
    """The PDF is refused: by its size, by the operations in it, or when the time for reading it is up."""
    with pytest.raises(InputError, match="too large or too complex to be a print of Pencilbox"):
        read_pages(content, limits=replace(LIMITS, seconds=0.2))


@pytest.mark.parametrize(
    "code",
    [
        b"0 " * 400_000,
        b"[0]" * 400_000,
        b"[" * 100_000,
        b"q " * 400_000,
        b"(a) Tj " * 300_000,
        b"<41> Tj " * 120_000,
        b"<" + b"4" * 2_900_000 + b"> Tj",
        b"(" + b"\\101" * 240_000 + b") Tj",
        b"0 0 m " * 300_000,
        b"0 0 m " + b"1 1 l " * 150_000 + b"f",
        b"<</A 1>> " * 100_000,
        b"BI /W 1 /H 1 ID x EI Q " * 40_000,
        b"BI ID " + b"E" * 2_900_000,
        b"/" + b"a" * 900_000 + b" Do",
        b" " * 3_000_001,
    ],
)
def test_an_oversized_stream_is_refused(code):
    """Compressed, none of them takes more than a few thousand bytes."""
    is_refused(page(code))


def with_form(form, code, **entries):
    """A PDF of one page that draws a form, /A, with this content stream and these entries."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(page(code))))
    drawn = DecodedStreamObject()
    drawn.set_data(form)
    drawn.update({NameObject(f"/{key}"): value for key, value in {"Subtype": NameObject("/Form"), **entries}.items()})
    forms = DictionaryObject({NameObject("/A"): writer._add_object(drawn)})
    writer.pages[0][NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): forms})
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        with_form(b"0 " * 140_000 + b"w", b"/A Do " * 70_000),
        with_form(b"[" + b"0 " * 140_000 + b"] TJ", b"/A Do " * 70_000),
        with_form(b"0 0 9 9 re f " * 20_000, b"/A Do " * 70_000),
        with_form(b"0 0 m " + b"1 1 l " * 40_000 + b"f", b"/A Do " * 70_000),
        with_form(b"(" + b"a" * 30_000 + b") Tj", b"/A Do " * 70_000),
    ],
)
def test_a_form_drawn_too_often_is_refused(content):
    is_refused(content)


def test_a_picture_drawn_often_is_hashed_once():
    content = with_form(bytes(4_000_000), b"/A Do " * 20_000, Subtype=NameObject("/Image"))
    assert len({mark.text for mark in read_pages(content)[0].ink}) == 1


def test_a_form_with_a_long_matrix_is_drawn_without_it():
    matrix = ArrayObject([NumberObject(2)] * 50_000)
    mark, *_ = read_pages(with_form(b"0 0 72 72 re f", b"/A Do " * 10_000, Matrix=matrix))[0].ink
    assert round(mark.x, 1) == 12.7


def repeated(code, times):
    """A PDF with many pages that share a content stream."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(page(code))))
    for _ in range(times - 1):
        writer.add_blank_page(720, 720)[NameObject("/Contents")] = writer.pages[0].raw_get("/Contents")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize("code", [b"0 0 9 9 re f " * 20_000, b"<" + b"4" * 900_000 + b"> Tj", b"q " * 140_000])
def test_large_pages_that_share_a_stream_are_refused(code):
    is_refused(repeated(code, 400))


def test_many_ordinary_pages_have_time():
    """The time grows with the pages that were read."""
    code = b"".join(b"%d %d 9 9 re f " % (number, number * number % 97) for number in range(400))
    writer = PdfWriter()
    for number in range(40):
        stream = DecodedStreamObject()
        stream.set_data(code + b"%d 0 0 rg" % number)
        writer.add_blank_page(720, 720)[NameObject("/Contents")] = writer._add_object(stream)
    out = BytesIO()
    writer.write(out)
    assert len(read_pages(out.getvalue(), limits=replace(LIMITS, seconds=0.1))) == 40


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        (b"BT 10 Tf 72 648 Td (one) Tj 0 -72 Td (two) Tj ET", [("one", 25.4, 25.4, 3.53), ("two", 25.4, 50.8, 3.53)]),
        (
            b"q 2 0 0 2 0 0 cm BT 10 Tf 1 0 0 1 36 324 Tm (big) Tj ET Q BT 10 Tf (small) Tj ET",
            [("big", 25.4, 25.4, 7.06), ("small", 0, 254, 3.53)],
        ),
        (
            b"BT 10 Tf 12 TL 72 648 Td (a) Tj T* (b) Tj (c) ' ET",
            [("a", 25.4, 25.4, 3.53), ("b", 25.4, 29.63, 3.53), ("c", 25.4, 33.87, 3.53)],
        ),
        (b"BT 10 Tf 72 648 TD [(sp) -200 (lit)] TJ ET", [("split", 25.4, 25.4, 3.53)]),
        (b"BT 10 Tf 3 Tr 72 648 Td (unseen) Tj ET", []),
        (b"0 0 36 36 re W n BT 10 Tf 72 648 Td (cut off) Tj ET", []),
        (b"q 0 0 36 36 re W n Q BT 10 Tf 72 648 Td (not cut off) Tj ET", [("not cut off", 25.4, 25.4, 3.53)]),
        (b"BT 10 Tf 0 10 -10 0 72 648 Tm (turned) Tj ET", [("turned", 25.4, 25.4, 35.28)]),
    ],
)
def test_texts_are_read_with_their_positions(code, texts):
    assert written(code) == texts


def test_shapes_look_alike_in_any_place_but_not_in_other_sizes_or_colours():
    first, moved, turned, larger = ink(b"0 0 72 36 re f 100 100 72 36 re f 200 0 36 72 re f 300 300 72 37 re f")
    assert not first.size
    assert first.text == moved.text
    assert len({first.text, turned.text, larger.text}) == 3
    assert (round(moved.x - first.x, 2), round(first.y - moved.y, 2)) == (35.28, 35.28)
    assert len({mark.text for mark in ink(b"0 0 9 9 re f 0 0 9 9 re S 1 0 0 rg 0 0 9 9 re f")}) == 3
    assert ink(b"0 0 9 9 re n 500 500 9 9 re f* q 10 10 5 5 re W n 0 0 3 3 re f Q")[1:] == ()


def test_to_unicode_tables_are_read():
    table = (
        b"1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0041> <0002> <D83D DE00>"
        b" endbfchar 2 beginbfrange <0010> <0012> <0061> <0020> <0021> [<0078> <0079007A>] endbfrange"
    )
    read = parse_to_unicode(table).read
    assert read(b"\0\1\0\2\0\x10\0\x12\0\x20\0\x21\0\x99") == "A😀acxyz�"


def with_font_table(table, code=b"BT /F1 10 Tf 72 648 Td (one) Tj ET", fonts=1):
    """A PDF of one page whose fonts each have their own copy of this ToUnicode table."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(page(code))))
    named = DictionaryObject()
    for number in range(fonts):
        stream = DecodedStreamObject()
        stream.set_data(table)
        font = DictionaryObject({NameObject("/ToUnicode"): writer._add_object(stream.flate_encode())})
        named[NameObject(f"/F{number + 1}")] = writer._add_object(font)
    writer.pages[0][NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): named})
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


EVERY_LETTER = b"1 beginbfrange <0000> <FFFF> <0000> endbfrange"
LONG = b"1 beginbfchar <6F> <" + b"0041" * 256 + b"> endbfchar"


@pytest.mark.parametrize(
    "content",
    [
        with_font_table(b"1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange"),
        with_font_table(b"1 beginbfrange " + b"<0000> <FFFF> <0041> " * 50_000 + b"endbfrange"),
        with_font_table(b"1 beginbfrange <0000> <FFFF> [" + b"<0041> " * 100_000 + b"] endbfrange"),
        with_font_table(b"1 beginbfchar " + b"<00> <0041> " * 100_000 + b"endbfchar"),
        with_font_table(b"1 beginbfchar <6F> <" + b"0041" * 100_000 + b"> endbfchar"),
        with_font_table(b" " * 3_000_000),
        with_font_table(EVERY_LETTER, b"BT /F1 9 Tf (o) Tj /F2 9 Tf (o) Tj ET", fonts=2),
        with_font_table(LONG, b"BT /F1 9 Tf (" + b"o" * 30_000 + b") Tj ET"),
        with_font_table(LONG, b"BT /F1 9 Tf (" + b"o" * 40_000 + b") Tj ET"),
    ],
)
def test_an_oversized_font_table_is_refused(content):
    is_refused(content)


def test_a_font_table_with_unclosed_blocks_is_scanned_only_once():
    assert parse_to_unicode(b"beginbfchar " * 150_000).texts == {}


def test_a_font_table_may_map_every_letter():
    assert read_pages(with_font_table(EVERY_LETTER))[0].ink[0].text == "one"


def test_text_in_a_standard_font_is_read():
    writer = PdfWriter(clone_from=PdfReader(BytesIO(page(b"BT /F 10 Tf 72 648 Td (Gr\xfcn \\(5\x966\\)) Tj ET"))))
    entries = {"Type": "Font", "Subtype": "Type1", "BaseFont": "Helvetica", "Encoding": "WinAnsiEncoding"}
    font = DictionaryObject({NameObject(f"/{key}"): NameObject(f"/{name}") for key, name in entries.items()})
    fonts = DictionaryObject({NameObject("/F"): font})
    writer.pages[0][NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    out = BytesIO()
    writer.write(out)
    assert [mark.text for mark in read_pages(out.getvalue())[0].ink] == ["Grün (5–6)"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"not at all", "x.pdf: is not a PDF"),
        (b"%PDF-1.4\n", "its end is missing"),
        (b"%PDF-1.4\nstartxref\n0\n%%EOF", "is damaged"),
    ],
)
def test_a_file_that_is_not_a_pdf_is_refused(content, message):
    with pytest.raises(InputError, match=message):
        read_pages(content, "x.pdf")


def test_too_many_operations_are_refused():
    code = b"q " * 5_001
    with pytest.raises(InputError, match="too large or too complex to be a print of Pencilbox"):
        read_pages(page(code), limits=replace(LIMITS, tokens=5_000))


def test_a_form_that_draws_itself_is_read():
    writer = PdfWriter(clone_from=PdfReader(BytesIO(page(b"/A Do"))))
    form = DecodedStreamObject()
    form.set_data(b"0 0 9 9 re f /A Do")
    form[NameObject("/Subtype")] = NameObject("/Form")
    named = writer._add_object(form)
    form[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/XObject"): DictionaryObject({NameObject("/A"): named})}
    )
    writer.pages[0][NameObject("/Resources")] = form["/Resources"]
    out = BytesIO()
    writer.write(out)
    assert 1 < len(read_pages(out.getvalue())[0].ink) < 20


def damaged(good, chance):
    code = bytearray(good)
    for _ in range(1 + chance.below(8)):
        at = chance.below(len(code))
        how = chance.below(4)
        code[at : at + 9 * (how == 1)] = (b"(", b"", code[at:], bytes([chance.below(256)]))[how]
    return bytes(code)


def test_damaged_streams_never_cause_a_traceback():
    """Bytes of a content stream are changed, duplicated and deleted; the result is read or refused."""
    chance = Chance(11)
    good = (
        b"q 1 0 0 1 5 5 cm 0 0 36 36 re W n BT /F1 10 Tf 12 TL 72 648 Td (a\\(b) Tj [(c) -3 <44>] TJ T* (d) ' ET "
        b"0.1 0.2 0.3 rg 0 0 9 9 re B* 1 2 m 3 4 5 6 7 8 c 1 2 3 4 v h f /Fm Do BI /W 1 ID \x00\xff EI Q "
    ) * 3
    for _ in range(300):
        try:
            pages = read_pages(page(damaged(good, chance)))
        except InputError:
            continue
        assert len(pages) == 1
