"""Hostile input is refused with one clear line, exit code 2, no traceback, and bounded memory.

`benchmarks/measure.py` measures how long a refusal takes; here, the time limit of the process catches a hang.
"""

import struct
import sys
import zipfile
import zlib
from functools import cache
from io import BytesIO

import pytest
from msgspec.structs import replace

from generator.errors import InputError
from generator.exporting import pdf_checks
from generator.printing import printed_pages
from generator.reading import targets
from generator.sheets import pdf_forms
from tests.hostile_pdfs import ATTACKS
from tests.processes import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="cannot measure the peak memory of a process")
MAX_MIB = 300
GAME = """
title: Evil
prefix: EV
players: 2
components:
  cards: {kind: deck, title: Cards, cards: cards.yaml, face: card}
"""


def refused(folder, *args, message):
    """Runs the command in `folder`: it must print one line and stay within the memory limit."""
    done = run(*args, folder=folder)
    assert done.returncode == 2, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr
    assert message in lines[0]
    assert done.peak < MAX_MIB


@pytest.fixture
def evil(tmp_path):
    (tmp_path / "evil" / "templates").mkdir(parents=True)
    (tmp_path / "evil" / "icons").mkdir()
    (tmp_path / "evil" / "game.yaml").write_text(GAME)
    (tmp_path / "evil" / "cards.yaml").write_text("cards: [{id: a}]")
    return tmp_path / "evil"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        (
            "<face>{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}"
            "{% endfor %}{% endfor %}"
            "{% endfor %}</face>",
            "steps",
        ),
        ("<face>{% for a in range(10000000000) %}{% endfor %}</face>", "counts beyond"),
        ("<face>{% for a in range(9000) %}<row>{{ 'x' * 900 }}</row>{% endfor %}</face>", "steps"),
        ("<face>{{ 'x' * 1000000000 }}</face>", "characters"),
        ("<face>{{ 9 ** 9 ** 9 ** 9 }}</face>", "card.xml.j2:1"),
        ("<face>{{ '%1000000000d' % 1 }}</face>", "card.xml.j2:1"),
        ("<face>{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}</face>", "endlessly"),
        ("{% include 'card.xml.j2' %}", "card.xml.j2"),
        ("<face>{{ ''.__class__.__mro__ }}</face>", "unsafe"),
        ("<face>{{ game.__init__.__globals__ }}</face>", "unsafe"),
        ("{% include '../../../etc/passwd' %}", "is outside"),
        ("<!DOCTYPE face [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><face>&b;</face>", "document type"),
        ("<face><image file='../../secret.png'/></face>", "is outside"),
        ("<face>" + "<row>" * 1000 + "</row>" * 1000 + "</face>", "card a"),
    ],
)
def test_hostile_templates_are_refused(evil, template, message):
    (evil / "templates" / "card.xml.j2").write_text(template)
    refused(evil.parent, "make", "evil", message=message)


@pytest.mark.parametrize(
    ("svg", "message"),
    [
        (
            '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg viewBox="0 0 1 1"><title>&a;</title></svg>',
            "entity",
        ),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><image href="x.png"/></svg>', "picture"),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>', "script"),
        ("<svg" + "x" * 2_000_000, "x.svg"),
    ],
)
def test_hostile_icons_are_refused(evil, svg, message):
    (evil / "icons" / "x.svg").write_text(svg)
    (evil / "templates" / "card.xml.j2").write_text("<face><icon name='x'/></face>")
    refused(evil.parent, "make", "evil", message=message)


BOMB = "\n".join(
    [
        "a: &a [x, x, x, x, x, x, x, x, x, x]",
        *(f"{b}: &{b} [{', '.join(['*' + a] * 10)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
    ]
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "this document has more than 200,000 values"),
        ("[" * 100_000, "nested more than"),
        ("a: " + "[" * 30 + "]" * 30 + "\n" + "x" * 5_000_000, "larger than"),
    ],
)
def test_hostile_definitions_are_refused(evil, text, message):
    (evil / "game.yaml").write_text(text)
    refused(evil.parent, "make", "evil", message=message)


@pytest.mark.parametrize(
    ("head", "repeated", "message"),
    [
        ("game: from_the_ground_up\nplayers:\n", "  - {name: A, cards: []}\n", "larger than 1 MB"),
        ('{"game": "from_the_ground_up", "x": "', "a" * 25, "larger than 1 MB"),
    ],
)
def test_a_filled_sheet_of_a_hundred_megabytes_is_refused(tmp_path, head, repeated, message):
    with (tmp_path / "sheet.yaml").open("w") as stream:
        stream.write(head)
        for _ in range(40):
            stream.write(repeated * 100_000)
    refused(tmp_path, "score", "sheet.yaml", message=message)


@pytest.mark.parametrize(
    ("text", "message"), [(BOMB, "this document has more than 200,000 values"), ("[" * 100_000, "nested more than")]
)
def test_hostile_filled_sheets_are_refused(tmp_path, text, message):
    (tmp_path / "sheet.yaml").write_text(text)
    refused(tmp_path, "score", "sheet.yaml", message=message)


def test_random_bytes_are_refused(tmp_path):
    (tmp_path / "sheet.yaml").write_bytes(bytes(range(256)) * 4000)
    refused(tmp_path, "score", "sheet.yaml", message="sheet.yaml")


# ---- how many


def hostile_sheet(fields):
    return f"title: Evil\nfields: {{{fields}}}\n"


@pytest.mark.parametrize("command", ["make", "new-sheet", "rules", "score"])
def test_a_sheet_with_too_many_fields_is_refused(evil, command):
    (evil / "templates" / "card.xml.j2").write_text("<face/>")
    (evil / "game.yaml").write_text(GAME + "  sheet: {kind: sheet, title: Sheet, sheet: sheet.yaml, face: card}\n")
    (evil / "sheet.yaml").write_text(
        hostile_sheet("a: {repeat: 500, fields: {b: {repeat: 500, fields: {c: {kind: tick, count: 500}}}}}")
    )
    if command == "score":
        (evil.parent / "filled.yaml").write_text("a: []\n")
    words = {"score": ["--game", "evil", "filled.yaml"], "make": ["evil", "sheet"]}.get(command, ["evil"])
    refused(evil.parent, command, *words, message="the sheet has 125,000,000 fields")


@pytest.mark.parametrize("copies", [999_999_999, 20_001])
def test_too_many_copies_are_refused(evil, copies):
    (evil / "game.yaml").write_text(GAME.replace("face: card", f"face: card, copies: {copies}"))
    refused(evil.parent, "make", "evil", message="“copies” must be from 1 to 1,000")


def test_the_same_problem_on_thousands_of_lines_is_one_message(evil):
    (evil / "cards.yaml").write_text("fields: {title: {}}\ncards:\n" + "- {titel: a}\n" * 18_000)
    refused(evil.parent, "make", "evil", message="cards.yaml:3: unknown field “titel”; did you mean title?")


def test_more_than_100_000_cards_are_refused(evil):
    (evil / "cards.yaml").write_text("cards:\n" + "- {}\n" * 100_001)
    refused(evil.parent, "make", "evil", message="this deck has 100,001 cards of 0 fields; at most 100,000")


def test_the_same_problem_on_thousands_of_cards_is_one_message(evil):
    (evil / "cards.yaml").write_text("cards:\n" + "- {}\n" * 3_000)
    (evil / "templates" / "card.xml.j2").write_text("<face><text>{{ card.titel }}</text></face>")
    refused(evil.parent, "make", "evil", message="card.xml.j2:1: 3,000 cards of “cards” (1, 2, 3, …): ")


def test_an_oversized_sparse_font_is_refused(evil):
    with (evil / "font.ttf").open("wb") as stream:
        stream.write(b"\0\1\0\0")
        stream.truncate(3_000_000_000)
    (evil / "theme.yaml").write_text("fonts: {regular: font.ttf}")
    (evil / "templates" / "card.xml.j2").write_text("<face><text>a</text></face>")
    refused(evil.parent, "make", "evil", message="larger than 32 MB")


def test_a_one_bit_picture_with_too_many_pixels_is_refused(evil):
    rows = zlib.compress(bytes(1_251) * 10_000)
    head = struct.pack(">IIBBBBB", 10_000, 10_000, 1, 0, 0, 0, 0)
    chunks = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    )
    (evil / "bits.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)
    (evil / "templates" / "card.xml.j2").write_text("<face><image file='bits.png'/></face>")
    refused(evil.parent, "make", "evil", message="10,000 × 10,000 pixels")


# ---- tables of cards


def text_table(text):
    return lambda path: path.write_text(text)


@cache
def zipped_bomb():
    with zipfile.ZipFile(stream := BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("content.xml", bytes(200_000_000))
    return stream.getvalue()


def bomb(path):
    path.write_bytes(zipped_bomb())


@pytest.mark.parametrize(
    ("name", "write", "message"),
    [
        ("a.json", text_table('[{"a":' * 50_000), "nested more than 40 levels deep"),
        ("a.csv", text_table("Name,Text\nA," + "x" * 3_000_000), "a value has more than 131,072 characters"),
        ("a.csv", text_table('Name,Text\nA,"' + "x,\n" * 900_000), "a value has more than 131,072 characters"),
        ("a.csv", text_table(",".join(f"c{n}" for n in range(300_000))), "has more than 10,000 columns"),
        ("a.csv", text_table("Name\n" + "A\n" * 410_000), "more than 400,000 lines"),
        ("a.csv", text_table(("," * 80 + "\n") * 25_000), "more than 2,000,000 cells"),
        ("a.csv", text_table(",;\t|" * 800_000), "has more than 10,000 columns"),
        ("a.tsv", text_table("Name\tText\nA" + "\t" * 3_000_000), "has more than 10,000 columns"),
        ("a.csv", lambda path: path.write_bytes(bytes(3_900_000)), "not a text file"),
        ("a.ods", bomb, "unpacks to more than 32 MB"),
        ("a.xlsx", bomb, "unpacks to more than 32 MB"),
    ],
    ids=range(11),
)
def test_a_hostile_table_is_refused(tmp_path, name, write, message):
    write(tmp_path / name)
    refused(tmp_path, "make", name, message=message)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        ("pick: many, count: 999999999999", "“count” must be a whole number"),
        ("pick: many, count: 10000, weight: w, check: sum(w) > 100000000", "no set was found"),
        ("shuffle: many, then: {row: 9}, check: sum(row.w) > 999999", "no set was found"),
        ("rows: 2000, columns: {a: d6, b: 20d9999}, check: sum(a) > 12000, into: page", "no set was found"),
        ("rows: 2000, columns: {a: d6, b: d6}, where: a < b, check: sum(a) > sum(b), into: page", "no set was found"),
        ("rows: 9, columns: {a: {bag: {x: 99999}}}, into: page", "its bag has more than"),
        ("rows: 9, columns: {a: 1-999999999}, into: page", "more than 10,000 numbers"),
        ("rows: 9, columns: {a: d6}, where: a * 999999999999 * 999999999999 > 1, into: page", "a number larger than"),
    ],
)
def test_hostile_draws_end(evil, draw, message):
    rows = "\n".join(f"card {number},{number % 7}" for number in range(19_000 if "many" in draw else 19))
    (evil / "many.csv").write_text(f"title,w\n{rows}\n")
    components = (
        "  many: {kind: deck, title: Many, cards: many.csv, face: word}\n  page: {kind: page, title: P, face: drawn}\n"
    )
    (evil / "game.yaml").write_text(f"{GAME}{components}draws: {{x: {{{draw}}}}}\n")
    refused(evil.parent, "randomise", "evil", message=message)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a form that draws itself twice", ("preflight", "x.pdf", "--for", "print-shop")),
        ("a form that draws itself twice", ("verify", "x.pdf")),
        ("a form that draws itself twice", ("score", "x.pdf")),
        ("20 million q Q", ("verify", "x.pdf")),
        ("one page 25,000 times", ("score", "x.pdf")),
        ("a stream of 400 MB", ("preflight", "x.pdf", "--for", "print-shop")),
    ],
)
def test_a_hostile_pdf_is_refused(tmp_path, name, words):
    (tmp_path / "x.pdf").write_bytes(ATTACKS[name]())
    refused(tmp_path, *words, message="x.pdf: ")


@pytest.mark.parametrize("name", ATTACKS)
def test_a_pdf_that_attacks_its_readers_is_read_or_refused(tmp_path, name, monkeypatch):
    """Each is refused with one problem or read, in the process for it, which the system ends when its time is up. The
    time is shorter than usual here; the test above has the usual one."""
    for module in (pdf_checks, pdf_forms, printed_pages):
        monkeypatch.setattr(module, "LIMITS", replace(module.LIMITS, seconds=0.2))
    content = ATTACKS[name]()
    (tmp_path / "x.pdf").write_bytes(content)
    readers = [
        lambda: pdf_checks.of_pdf(tmp_path / "x.pdf", targets.targets()["print-shop"]),
        lambda: printed_pages.read_pages(content, limits=printed_pages.LIMITS),
        lambda: pdf_forms.read_form(content),
    ]
    try:
        readers[list(ATTACKS).index(name) % 3]()
    except InputError as error:
        assert len(error.problems) == 1
