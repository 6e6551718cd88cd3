"""A form filled in with one program looks right in another, and `score` reads what was typed.

The JavaScript programs (pdf-lib and pdf.js, which Firefox shows PDFs with) are installed by `npm ci --prefix
tests/viewers`; without them or pdftoppm their tests are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pypdf
import pypdfium2
import pytest
from PIL import Image, ImageChops

from generator.sheets.pdf_forms import read_form
from tests.presses import form_of

VIEWERS = Path(__file__).parents[1] / "viewers"
NODE = shutil.which("node") if (VIEWERS / "node_modules/pdf-lib").is_dir() else None
needs_node = pytest.mark.skipif(not NODE, reason="needs Node.js and `npm ci --prefix tests/viewers`")
needs_poppler = pytest.mark.skipif(not shutil.which("pdftoppm"), reason="needs pdftoppm (poppler-utils)")
DPI, POINT = 144, 2
PENCIL = (0x3A, 0x4A, 0x6B)
MARKS = {
    "player": "Zoë Grüßner",
    "event_die": "x",
    "option.rows": "x",
    "grid.a1": "1",
    "grid.b1": "6",
    "grid.c1": "o",
    "reserve.1": "2",
    "used.r1": "x",
    "extra_reserve.1": "-",
    "claimed.columns.1": "1",
    "claimed.total": "10",
}


@pytest.fixture(scope="module")
def blank(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("forms") / "blank.pdf"
    path.write_bytes(form_of("upwards", "sheet"))
    return path


def fill_with_pypdf(blank: Path, filled: Path, marks: dict[str, str] = MARKS) -> None:
    writer = pypdf.PdfWriter(clone_from=blank)
    marks = {name: "/Yes" if mark == "x" else mark for name, mark in marks.items()}
    writer.update_page_form_field_values(None, marks, auto_regenerate=False)
    writer.write(filled)


def fill_with_pdf_lib(blank: Path, filled: Path) -> None:
    marks = filled.with_suffix(".json")
    marks.write_text(json.dumps(MARKS))
    subprocess.run([NODE, VIEWERS / "fill.mjs", blank, marks, filled], check=True)


def show_in_pdfium(pdf: Path) -> Image.Image:
    document = pypdfium2.PdfDocument(pdf)
    document.init_forms()
    picture = document[0].render(scale=DPI / 72, may_draw_forms=True).to_pil()
    document.close()
    return picture


def show_in_poppler(pdf: Path) -> Image.Image:
    (pdf.parent / "fonts.conf").write_text("<fontconfig/>")  # a machine without fonts
    environment = {**os.environ, "FONTCONFIG_FILE": str(pdf.parent / "fonts.conf")}
    command = ["pdftoppm", "-r", str(DPI), "-f", "1", "-singlefile", "-png", pdf, pdf.with_suffix("")]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return Image.open(pdf.with_suffix(".png"))


def show_in_pdf_js(pdf: Path) -> Image.Image:
    picture = pdf.with_suffix(".js.png")
    subprocess.run([NODE, VIEWERS / "show.mjs", pdf, picture, str(DPI)], check=True, capture_output=True)
    return Image.open(picture)


FILL = [fill_with_pypdf, pytest.param(fill_with_pdf_lib, marks=needs_node)]
SHOW = [
    show_in_pdfium,
    pytest.param(show_in_poppler, marks=needs_poppler),
    pytest.param(show_in_pdf_js, marks=needs_node),
]


def box(field: pypdf.generic.DictionaryObject, height: int) -> tuple[int, ...]:
    """Where a field is in a picture of its page."""
    left, bottom, right, top = (float(edge) * POINT for edge in field["/Rect"])
    return round(left), round(height - top), round(right), round(height - bottom)


@pytest.mark.parametrize("show", SHOW)
@pytest.mark.parametrize("fill", FILL)
def test_marks_are_centred_and_in_pencil_colour(blank, tmp_path, fill, show):
    fill(blank, tmp_path / "filled.pdf")
    before, after = show(blank).convert("RGB"), show(tmp_path / "filled.pdf").convert("RGB")
    height = after.height
    for name, field in fields(blank).items():
        place = box(field, height)
        mark = (
            ImageChops.difference(after.crop(place), before.crop(place))
            .convert("L")
            .point(lambda value: 255 * (value > 60))
        )
        ink = mark.getbbox()
        assert bool(ink) == (name in MARKS), name
        if ink:
            middle = (ink[0] + ink[2]) / 2 / mark.width, (ink[1] + ink[3]) / 2 / mark.height
            is_comb = field.get("/Ff", 0) & 1 << 24  # its letters begin in the first box or end in the last
            assert middle == (pytest.approx(0.5, abs=0.5 if is_comb else 0.15), pytest.approx(0.5, abs=0.3)), name
            blank_and_written = zip(
                before.crop(place).get_flattened_data(), after.crop(place).get_flattened_data(), strict=True
            )
            darkest = min((new for old, new in blank_and_written if sum(old) > 700), key=sum)
            assert darkest == pytest.approx(PENCIL, abs=40), name


@pytest.mark.parametrize("show", SHOW)
def test_names_in_other_alphabets_are_shown(blank, tmp_path, show):
    fill_with_pypdf(blank, tmp_path / "filled.pdf", {"player": "Łu Ελένη Щукін"})
    before, after = show(blank).convert("L"), show(tmp_path / "filled.pdf").convert("L")
    place = box(fields(blank)["player"], after.height)
    written = ImageChops.difference(after.crop(place), before.crop(place))
    ink = written.point(lambda value: 255 * (value > 60)).getbbox()
    assert ink
    left, top, right, bottom = ink
    assert 6 * (bottom - top) < right - left < 9 * (bottom - top), "all of it"


@pytest.mark.parametrize("fill", FILL)
def test_score_reads_what_was_typed(blank, tmp_path, fill):
    fill(blank, tmp_path / "filled.pdf")
    form = read_form(tmp_path / "filled.pdf")
    assert {name: mark for name, mark in form.marks.items() if mark} == MARKS
    assert (form.game, form.sheet) == ("upwards", "sheet")


def fields(pdf: Path) -> dict[str, pypdf.generic.DictionaryObject]:
    reader = pypdf.PdfReader(BytesIO(pdf.read_bytes()))
    return {full_name(part.get_object()): part.get_object() for part in reader.pages[0]["/Annots"]}


def full_name(field: pypdf.generic.DictionaryObject) -> str:
    return f"{full_name(field['/Parent'])}.{field['/T']}" if "/Parent" in field else str(field["/T"])
