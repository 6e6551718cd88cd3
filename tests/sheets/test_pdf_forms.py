"""Reading filled-in PDF forms, and refusing files that are damaged or hostile."""

from __future__ import annotations

import logging
import random
import subprocess
import sys
import zlib
from io import BytesIO

import pypdf
import pytest
from msgspec.structs import astuple, replace

from generator import paths
from generator.errors import InputError
from generator.geometry.frame import Frame, Page, Placed, Slot
from generator.model.game import FieldFile, SheetFile
from generator.pdf import Info, write
from generator.pdf.forms import write_fillable
from generator.reading.components import score_sheet
from generator.reading.theme import theme
from generator.sheets import pdf_forms
from generator.sheets.pdf_forms import read_form

FIELDS = score_sheet(
    "tally",
    SheetFile(
        title="Tally",
        fields={
            "set": FieldFile(kind="code"),
            "players": FieldFile(
                repeat=2,
                fields={
                    "name": FieldFile(kind="text", required=True),
                    "crates": FieldFile(kind="die", count=3),
                    "flipped": FieldFile(kind="tick"),
                },
            ),
        },
    ),
).fields
INFO = Info(title="Tally", game="lanterns", sheet="tally", set_code="LN-7K2M")
MARKS = {"players.1.name": "Ελένη", "players.1.crates.2": "5", "players.2.flipped": "x", "players.2.name": "山田 太郎"}
PAGE = Page(
    210,
    297,
    (
        Placed(
            Frame("tally", 210, 297, tuple(Slot(name, 10, 10 + 10 * n, 40, 9) for n, name in enumerate(FIELDS))), 0, 0
        ),
    ),
)
THEME = theme(paths.DATA / "upwards", "theme.yaml")


def printed(info: Info = INFO, marks=None) -> bytes:
    return write_fillable([PAGE], THEME, FIELDS, info=info, marks=marks or {})


def rewritten(pdf: bytes, change=lambda writer: None) -> bytes:
    """The PDF as a program writes it that opens and saves it."""
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf))
    change(writer)
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


def expected(marks: dict[str, str]) -> dict[str, str]:
    return {name: marks.get(name, "") for name in FIELDS}


# ---- reading forms


def test_a_blank_form_has_its_identity_and_no_marks():
    assert astuple(read_form(printed()))[:4] == ("lanterns", "tally", "LN-7K2M", expected({}))
    assert read_form(printed(Info(title="Tally", game="g", sheet="s"))).code == ""


def test_print_fill_read_gives_the_same_marks():
    assert read_form(printed(marks=MARKS)).marks == expected(MARKS)
    typed = {name: "/Yes" if mark == "x" else mark for name, mark in MARKS.items()}
    pdf = rewritten(printed(), lambda writer: writer.update_page_form_field_values(None, typed))
    assert read_form(pdf).marks == expected(MARKS)
    assert list(read_form(pdf).marks) == list(FIELDS)


@pytest.mark.parametrize(
    "info",
    [
        Info(title="A form"),
        Info(title="A form", game="lanterns"),
        Info(title="A form", game="lan\x1bterns", sheet="s"),
    ],
)
def test_a_form_may_lack_its_identity(info):
    assert astuple(read_form(printed(info, MARKS)))[:4] == ("", "", "", expected(MARKS))


def test_fields_have_their_labels_on_paper():
    labels = read_form(printed()).labels
    assert labels["players.1.crates.2"] == "players 1, crates 2"
    assert labels.keys() == set(FIELDS)


def test_a_file_and_its_bytes_give_the_same_form(tmp_path):
    (tmp_path / "anna.pdf").write_bytes(printed(marks=MARKS))
    assert read_form(tmp_path / "anna.pdf") == read_form(printed(marks=MARKS))


@pytest.mark.parametrize(
    ("field", "mark"),
    [
        ("/FT/Tx/V( 5 )", "5"),
        ("/FT/Tx/V 5", "5"),
        ("/FT/Tx/V null", ""),
        ("/FT/Tx/V()", ""),
        ("/FT/Tx/V 9 0 R", ""),
        ("/FT/Tx/V 7 0 R", "far"),
        ("/FT/Tx/V(own)/Kids[6 0 R]", "own"),
        ("/FT/Ch/V(stall)", "stall"),
        ("/FT/Ch", ""),
        ("/FT/Tx/V<FEFF0020FF14>", "4"),
        ("/FT/Btn/V/On", "x"),
        ("/FT/Btn/V/x", "x"),
        ("/FT/Tx/MaxLen 4/V(aeio)", "aeio"),
        ("/FT/Tx/MaxLen 4/V(a,e)", "a,e"),
        ("/FT/Tx/MaxLen 20/V(Ann, Ben, Cat, Dora.)", "Ann, Ben, Cat, Dora."),
        ("/FT/Btn/V/Off", ""),
        ("/FT/Btn", ""),
    ],
)
def test_reads_marks_as_viewers_write_them(field, mark):
    pdf = form("[4 0 R]", {4: f"<</T(a){field}>>", 6: "<</Subtype/Widget>>", 7: "(far)"})
    assert read_form(pdf).marks == {"a": mark}


@pytest.mark.parametrize(("field", "mark"), [("", "above"), ("/Kids[6 0 R]", "above"), ("/V(own)", "own")])
def test_a_field_inherits_from_its_group(field, mark):
    pdf = form(
        "[4 0 R]", {4: "<</T(group)/FT/Tx/V(above)/Kids[5 0 R]>>", 5: f"<</T(a){field}>>", 6: "<</Subtype/Widget>>"}
    )
    assert read_form(pdf).marks == {"group.a": mark}


def test_a_compressed_form_is_read():
    assert read_form(
        compressed(b"<</Type/Catalog/AcroForm<</Fields[5 0 R]>>>>", b"<</T(a)/FT/Tx/V(\xfe\xff\4\x16)>>")
    ).marks == {"a": "Ж"}


def test_reading_yaml_does_not_load_pypdf():
    code = "import sys, generator.sheets.pdf_forms; print('pypdf' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=paths.ROOT)
    assert done.stdout.strip() == "False"


# ---- files that are not forms


def encrypted(pdf: bytes, password: str) -> bytes:
    return rewritten(pdf, lambda writer: writer.encrypt(password, algorithm="RC4-128"))


@pytest.mark.parametrize(
    ("create", "message"),
    [
        (lambda: b"", "sheet.pdf: is not a PDF"),
        (lambda: b"game: lanterns\n", "is not a PDF"),
        (lambda: random.Random(1).randbytes(50_000), "is not a PDF"),
        (lambda: b"%PDF-1.7\n" + random.Random(1).randbytes(50_000), "its end is missing; copy or save it again"),
        (lambda: b"%PDF-1.7\n" + random.Random(1).randbytes(50_000) + b"\nstartxref\n9\n%%EOF", "is damaged"),
        (lambda: printed()[:-2500], "its end is missing"),
        (lambda: encrypted(printed(), "secret"), "is encrypted; save it without a password"),
        (lambda: encrypted(printed(), ""), "is encrypted"),
        (lambda: write([PAGE], THEME, info=INFO), "has no form fields; fill in the PDF whose name ends in -fillable"),
        (lambda: rewritten(printed(), lambda writer: writer.root_object.pop("/AcroForm")), "has no form"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refuses_files_that_are_not_forms(create, message, caplog):
    with pytest.raises(InputError) as caught:
        read_form(create())
    (problem,) = caught.value.problems
    assert message in str(problem)
    assert not caplog.records, "pypdf logs nothing"


def test_names_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"gone\.pdf: cannot be read: no such file"):
        read_form(tmp_path / "gone.pdf")
    with pytest.raises(InputError, match="cannot be read: is a directory"):
        read_form(tmp_path)


@pytest.mark.parametrize(("room", "typed"), [(4, "a, e"), (3, "1,2"), (8, "r, o, g,"), (5, "3, 4,")])
def test_letters_that_a_viewer_may_have_cut_off_are_refused(room, typed):
    pdf = form("[4 0 R]", {4: f"<</T(a)/FT/Tx/MaxLen {room}/V({typed})>>"})
    with pytest.raises(InputError, match=f"“{typed}” may be cut off; type the letters or digits without commas"):
        read_form(pdf)


def test_names_fields_that_contain_something_other_than_text():
    pdf = form("[4 0 R 5 0 R]", {4: "<</T(a)/FT/Tx/V<</A 1>>>>", 5: "<</T(b)/FT/Tx/V[(x)(y)]>>"})
    with pytest.raises(InputError) as caught:
        read_form(pdf, "anna.pdf")
    assert [str(problem) for problem in caught.value.problems] == [
        f"anna.pdf: {name} contains something other than text" for name in "ab"
    ]


# ---- hostile files


def numbered(parts: dict[int, str | bytes], trailer: str) -> bytes:
    """A PDF of these objects, with a cross-reference table."""
    out, places = bytearray(b"%PDF-1.7\n"), {}
    for number, code in parts.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, code.encode("latin-1") if isinstance(code, str) else code)
    start, size = len(out), max(parts) + 1
    rows = [f"{places[n]:010} 00000 n \n" if n in places else "0000000000 65535 f \n" for n in range(size)]
    table = f"xref\n0 {size}\n{''.join(rows)}trailer\n<</Size {size}{trailer}>>\nstartxref\n{start}\n%%EOF\n"
    return bytes(out) + table.encode()


def form(fields: str, parts: dict[int, str | bytes], trailer: str = "") -> bytes:
    return numbered(
        {
            1: f"<</Type/Catalog/AcroForm<</Fields {fields}>>>>",
            2: "<</Type/Pages/Kids[]/Count 0>>",
            3: "<</PencilboxGame(g)/PencilboxSheet(s)>>",
            **parts,
        },
        f"/Root 1 0 R/Info 3 0 R{trailer}",
    )


def stream(about: str, data: bytes) -> bytes:
    return f"<<{about}/Length {len(data)}>>\nstream\n".encode() + data + b"\nendstream"


def packed(data: bytes, count: int, first: int, how: str = "/Filter/FlateDecode") -> bytes:
    """A PDF whose objects 1 and 5 are in a compressed part: `count` objects, the first of them at `first`."""
    body = b"%PDF-1.7\n2 0 obj\n" + stream(f"/Type/ObjStm/N {count}/First {first}{how}", data) + b"\nendobj\n"
    info = b"4 0 obj\n<</PencilboxGame(g)/PencilboxSheet(s)>>\nendobj\n"
    rows = [(0, 0), (2, 2), (1, 9), (1, len(body) + len(info)), (1, len(body)), (2, 2)]
    table = b"".join(bytes([kind]) + place.to_bytes(4, "big") + b"\0" for kind, place in rows)
    return (
        body
        + info
        + b"3 0 obj\n"
        + stream("/Type/XRef/Size 6/W[1 4 1]/Root 1 0 R/Info 4 0 R", table)
        + b"\nendobj\nstartxref\n%d\n%%%%EOF\n" % (len(body) + len(info))
    )


def compressed(catalog: bytes, field: bytes) -> bytes:
    head = b"1 0 5 %d " % (len(catalog) + 1)
    return packed(zlib.compress(head + catalog + b" " + field), 2, len(head))


def test_reports_a_flattened_form():
    def flatten(writer):
        for page in writer.pages:
            writer.update_page_form_field_values(page, {}, flatten=True)
        writer.remove_annotations("/Widget")

    with pytest.raises(InputError, match=r"was flattened.* fill in a new form"):
        read_form(rewritten(printed(), flatten))


def _tables_without_end() -> bytes:
    pdf = form("[]", {})
    return pdf.replace(b"<</Size", b"<</Prev %d/Size" % pdf.index(b"xref\n"))


DAMAGED, TOO_MUCH, NO_FORM = "is damaged", "is too large or too complex", "has no form"
HOSTILE = {
    "large": (lambda: printed() + b" " * pdf_forms.LIMITS.max_bytes, "is larger than 20 MB"),
    "objects": (lambda: b"%PDF-1.7\n" + b"1 0 obj" * 1_000_000 + b"\nstartxref\n9\n%%EOF", TOO_MUCH),
    "texts to the end": (
        lambda: (
            b"%PDF-1.7\n"
            + b"".join(b"%d 0 obj (" % n for n in range(2_000))
            + b"x" * 3_000_000
            + b"\nstartxref\n0\n%%EOF"
        ),
        TOO_MUCH,
    ),
    "spaces": (lambda: b"%PDF-1.7\n" + b" " * 9_000_000 + b"\nstartxref\n9\n%%EOF", TOO_MUCH),
    "deep": (lambda: form("[" * 100_000, {}), NO_FORM),
    "deep value": (lambda: form("[4 0 R]", {4: "<</T(a)/FT/Tx/V" + "[" * 3000 + "]" * 3000 + ">>"}), DAMAGED),
    "deep groups": (lambda: form("[10 0 R]", {n: f"<</T(a)/Kids[{n + 1} 0 R]>>" for n in range(10, 999)}), TOO_MUCH),
    "own kid": (lambda: form("[4 0 R]", {4: "<</T(a)/FT/Tx/Kids[4 0 R]>>"}), TOO_MUCH),
    "circle": (
        lambda: form("[4 0 R]", {4: "<</T(a)/Kids[5 0 R]/Parent 5 0 R>>", 5: "<</T(b)/Kids[4 0 R]>>"}),
        TOO_MUCH,
    ),
    "doubling": (
        lambda: form(
            "[10 0 R]", {n: f"<</T(a)/Kids[{n + 1} 0 R {n + 1} 0 R]>>" for n in range(10, 28)} | {28: "<</T(a)/FT/Tx>>"}
        ),
        TOO_MUCH,
    ),
    "wide": (lambda: form("[" + "4 0 R " * 20_000 + "]", {4: "<</T(a)/FT/Tx>>"}), TOO_MUCH),
    "boxes": (
        lambda: form(
            "[4 0 R]",
            {
                4: f"<</T(a)/Kids[{'5 0 R ' * 2000}]>>",
                5: f"<</T(b)/Kids[{'6 0 R ' * 2000}]>>",
                6: "<</Subtype/Widget>>",
            },
        ),
        TOO_MUCH,
    ),
    "long text": (lambda: form("[4 0 R]", {4: f"<</T(a)/FT/Tx/V({'x' * 9_000_000})>>"}), TOO_MUCH),
    "long list": (lambda: form("[4 0 R]", {4: f"<</T(a)/FT/Tx/V[{'1 ' * 4_000_000}]>>"}), TOO_MUCH),
    "nothing there": (lambda: form("[" + "".join(f"{n} 0 R " for n in range(100, 999)) + "]", {}), DAMAGED),
    "no dictionary": (lambda: form("[4 0 R]", {4: "(a)"}), DAMAGED),
    "no list": (lambda: form("(a)", {}), DAMAGED),
    "odd name": (lambda: form("[4 0 R]", {4: "<</T 5/FT/Tx>>"}), DAMAGED),
    "terminal": (lambda: form("[4 0 R]", {4: "<</T<FEFF001B005B>/FT/Tx>>"}), DAMAGED),
    "tables without end": (_tables_without_end, NO_FORM),
    "stream as value": (
        lambda: form(
            "[4 0 R]",
            {4: "<</T(a)/FT/Tx/V 5 0 R>>", 5: stream("/Filter/FlateDecode", zlib.compress(bytes(10_000_000)))},
        ),
        "a contains something other than text",
    ),
    "bomb": (lambda: packed(zlib.compress(b"1 0 " + b" " * 50_000_000), 1, 4), TOO_MUCH),
    "small bomb": (
        lambda: compressed(b"<</Type/Catalog/AcroForm<</Fields[5 0 R]>>>>", b"<</T(a)/FT/Tx/V()>>" + b" " * 500_000),
        TOO_MUCH,
    ),
    "bomb in a bomb": (
        lambda: packed(zlib.compress(zlib.compress(bytes(50_000_000))), 1, 4, "/Filter[/FlateDecode/FlateDecode]"),
        TOO_MUCH,
    ),
    "run lengths": (lambda: packed(b"\x81 " * 1_000_000, 1, 4, "/Filter/RunLengthDecode"), TOO_MUCH),
    "many filters": (lambda: packed(b"20" * 9, 1, 4, f"/Filter[{'/ASCIIHexDecode' * 9}]"), TOO_MUCH),
    "other programs": (lambda: packed(b"x", 1, 4, "/Filter/JBIG2Decode"), DAMAGED),
    "texts in texts": (
        lambda: packed(
            zlib.compress(b"".join(b"%d %d " % (n + 5, n) for n in range(20_000)).ljust(260_000) + b"(" * 230_000),
            20_000,
            260_000,
        ),
        TOO_MUCH,
    ),
    "wrong catalog": (
        lambda: form("[]", {}).replace(b"/Root 1", b"/Root 9").replace(b"/Size 4", b"/Size 99999999"),
        NO_FORM,
    ),
    "encrypted with nonsense": (
        lambda: form("[]", {4: "<</Filter/Standard/V 5/R 6/O(a)/U(b)/P -4>>"}, "/Encrypt 4 0 R"),
        "is encrypted",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_refuses_hostile_files_early(name, monkeypatch):
    monkeypatch.setattr(pdf_forms, "LIMITS", replace(pdf_forms.LIMITS, seconds=0.2))
    create, message = HOSTILE[name]
    with pytest.raises(InputError, match=message):
        read_form(create())


def test_damaged_files_are_read_or_refused(monkeypatch):
    monkeypatch.setattr(pdf_forms, "LIMITS", replace(pdf_forms.LIMITS, seconds=0.5))
    chance = random.Random(7)
    pdfs = [printed(marks=MARKS), compressed(b"<</Type/Catalog/AcroForm<</Fields[5 0 R]>>>>", b"<</T(a)/FT/Tx/V(x)>>")]
    pieces = (b"", b"[", b"<<", b"(", b")", b"-9", b" R", b"\xff", b"%")
    outcomes = {True: 0, False: 0}
    for turn in range(300):
        pdf = bytearray(pdfs[turn % 2])
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(pdf))
            pdf[at : at + chance.randint(0, 9)] = chance.choice(pieces)
        try:
            assert all(isinstance(mark, str) for mark in read_form(bytes(pdf)).marks.values())
            outcomes[True] += 1
        except InputError:
            outcomes[False] += 1
    assert min(outcomes.values()) > 20, "both happened"


@pytest.mark.parametrize("share", range(1, 20))
def test_refuses_truncated_files(share):
    pdf = printed(marks=MARKS)
    with pytest.raises(InputError):
        read_form(pdf[: len(pdf) * share // 20])


def test_limits_end_after_reading():
    before = pypdf.get_configuration(), logging.getLogger("pypdf").level
    read_form(printed())
    with pytest.raises(InputError):
        read_form(b"%PDF-1.7 startxref")
    assert (pypdf.get_configuration(), logging.getLogger("pypdf").level) == before
