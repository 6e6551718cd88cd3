"""QR codes, read back from the page."""

from io import BytesIO

import pypdfium2
import pytest
from pypdf import PdfReader

from generator import faces, pdf
from generator.errors import InputError
from generator.geometry.frame import Group, Page, Placed
from generator.model.game import Theme

zxingcpp = pytest.importorskip("zxingcpp")


def decoded(frame, theme, turn=0):
    printed = pdf.write([Page(100, 100, (Placed(frame, 5, 5, turn),))], theme, info=pdf.Info(title="codes"))
    page = pypdfium2.PdfDocument(BytesIO(printed))[0]
    return [code.text for code in zxingcpp.read_barcodes(page.render(scale=3).to_pil().convert("RGB"))]


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("https://example.org/rules?card=7", {}),
        ("Žlutý kůň → 猫", {"error": "H"}),
        ("x" * 600, {"size": 46.0, "error": "L"}),
        ("tilted", {"turn": 12.0}),
        ("sideways", {"turn": 90.0, "colour": "#24507a", "fill": "#ffffcc"}),
        ("no border of its own", {"quiet": 0.0}),
    ],
)
def test_codes_can_be_read(el, lay, theme, text, attributes):
    frame = lay(el("stack", el("qr", text=text, **{"size": 24.0, **attributes}), padding=6), align="start")
    assert decoded(frame, theme) == [text]


def test_the_text_of_a_code_can_be_extracted(el, lay, theme):
    frame = lay(el("qr", text="naïve 🦊", size=20.0))
    assert frame.items[1].alt == "naïve 🦊" and isinstance(frame.items[1], Group)
    printed = pdf.write([Page(60, 80, (Placed(frame, 0, 0),))], theme, info=pdf.Info(title="codes"))
    content = PdfReader(BytesIO(printed)).pages[0].get_contents().get_data()
    assert f"/ActualText <FEFF{'naïve 🦊'.encode('utf-16-be').hex().upper()}>".encode() in content


def test_the_quiet_zone_is_four_modules_wide(el, lay):
    background, code = lay(el("qr", text="A", size=29.0), align="start").items
    assert background.fill == "#ffffff" and background.path[2] == ("L", 29.0, 29.0)
    assert code.items[0].path[0] == ("M", 4.0, 4.0)


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        (
            {"text": "x" * 3000},
            ": 3,000 bytes of text, at most 2,331 bytes at error level M; shorten it, or choose a lower error=",
        ),
        (
            {"text": "x" * 100, "size": 5.0},
            ": needs 12.3 mm, has 5.0 mm; its 41 modules would be narrower than 0.25 mm",
        ),
        ({"text": "x", "colour": "#888888", "fill": "#aaaaaa"}, " has too little contrast to be read"),
        ({"text": "x", "colour": "#ffffff", "fill": "#000000"}, " has too little contrast to be read"),
    ],
)
def test_codes_that_cannot_be_read_are_refused(el, faults, attributes, problem):
    (message,) = faults(el("qr", **{"size": 20.0, **attributes}))
    assert f"card 4, qr{problem}" in message


def test_a_face_may_not_have_too_many_codes(tmp_path):
    templates = faces.Templates((tmp_path,), Theme({}, {}, {}, ()))
    for body in (
        '{% for n in range(300) %}<qr text="{{ n }}"/>{% endfor %}',
        "<row>" + f'<qr text="{"x" * 6000}"/>' * 2 + "</row>",
    ):
        (tmp_path / "card.xml.j2").write_text(f"<face>{body}</face>")
        with pytest.raises(InputError, match="more than 200 QR codes, or more than 10,000 letters"):
            faces.build(templates, "card", {}, name="card 4", size=(60, 80))
