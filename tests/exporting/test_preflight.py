"""What a print shop would reject, in games and in PDF files, each with its place."""

import json
from io import BytesIO

import pikepdf
import pytest
from PIL import Image

from generator import games
from generator.errors import InputError
from generator.exporting import export, pdf_checks, sides
from generator.reading import sizes, targets
from generator.reading.load import load

KNOWN = targets.targets()
MM = 72 / 25.4
GOOD = "0 0 0 1 k 100 100 50 50 re f"


def pdf(*pages, trim=(9, 9, 189, 261), media=(0, 0, 198, 270), root=True, resources="", version="1.4", **info):
    """A PDF/X-1a file with these operators on its pages."""
    document = pikepdf.new()
    for code in pages:
        page = document.add_blank_page(page_size=(media[2], media[3]))
        page.obj["/TrimBox"], page.obj["/BleedBox"] = pikepdf.Array(trim), pikepdf.Array(media)
        page.obj["/Contents"] = document.make_stream(code.encode())
        if resources:
            page.obj["/Resources"] = pikepdf.Object.parse(resources.encode())
    if root:
        intent = b"<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(FOGRA39)/Info(FOGRA39)>>"
        document.Root["/OutputIntents"] = pikepdf.Array([pikepdf.Object.parse(intent)])
        document.docinfo["/GTS_PDFXVersion"] = "PDF/X-1a:2003"
    out = BytesIO()
    document.save(out, force_version=version, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return out.getvalue()


def found(data, target="drivethru"):
    return pdf_checks.check(data, KNOWN[target])


def rules(data, target="drivethru"):
    return {finding.rule for finding in found(data, target)}


def test_a_good_file_has_no_findings():
    assert found(pdf(GOOD, GOOD)) == []


def test_each_rule_is_found_alone():
    font = "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>>>>>"
    state = "<</ExtGState<</O<</OP true>>/T<</ca 0.5>>>>>>"
    cases = {
        "fonts": pdf(GOOD, GOOD, resources=font),
        "rgb": pdf(GOOD, "1 0 0 rg 100 100 50 50 re f"),
        "ink": pdf(GOOD, "0.8 0.8 0.8 0.8 k 100 100 50 50 re f"),
        "lines": pdf(GOOD, "0 0 0 1 K 0.1 w 100 100 m 150 100 l S"),
        "overprint": pdf(GOOD, "/O gs 0 0 0 0 k 100 100 50 50 re f", resources=state),
        "transparency": pdf(GOOD, "/T gs 0 0 0 1 k 100 100 50 50 re f", resources=state),
        "pages": pdf(GOOD),
        "standard": pdf(GOOD, GOOD, root=False),
        "bleed": pdf(GOOD, GOOD, trim=(3, 3, 195, 267)),
    }
    for rule, data in cases.items():
        assert rules(data) == {rule}, rule
    assert rules(pdf(GOOD, GOOD, version="1.7")) == {"standard"}


def test_small_texts_and_white_texts_on_heavy_ink_are_found():
    def text(size, colour, ground="", mode=0):
        return pdf(GOOD, f"{ground} {colour} BT {mode} Tr /F {size} Tf 1 0 0 1 100 100 Tm (A) Tj ET", resources=font)

    font = "<</Font<</F<</Type/Font/Subtype/Type3/CharProcs<<>>/Encoding<<>>/FontMatrix[1 0 0 1 0 0]>>>>>>"
    heavy, light = "0.6 0.6 0.6 0.5 k 90 90 40 40 re f", "0.9 0.4 0 0.6 k 90 90 40 40 re f"
    assert rules(text(5, "0 g")) == set()
    (small,) = found(text(4.2, "0 g"))
    assert (small.rule, small.message) == ("text", "a text is 4.2 pt high")
    assert rules(text(4.2, "0 g", mode=3)) == set(), "it is invisible"
    (white,) = found(text(7, "0 0 0 0 k", heavy))
    assert (white.rule, white.message) == ("knockout", "white text of 7 pt is on 230% ink")
    assert rules(text(7, "0 0 0 0 k", light)) == rules(text(12, "0 0 0 0 k", heavy)) == set()
    assert rules(text(7, "0 0 0 0 k", "0.6 0.6 0.6 0.5 k 20 20 40 40 re f")) == set(), "beside it"


def test_what_is_made_at_home_is_left_out_unless_it_is_named(tmp_path, write_game):
    town = write_game(tmp_path / "town", size="mini")
    path = town / "game.yaml"
    path.write_text(path.read_text().replace("title: Coins,", "title: Coins, home: true,"))
    game = load(str(town))
    for target, left_out in (("makeplayingcards", True), ("print-shop", True), ("png", False)):
        order = sides.ExportOrder(game, games.deal(game, None), KNOWN[target], sizes.paper("letter"))
        taken, others = sides.components_of(order, ())
        assert ("token" in others, "token" in taken) == (left_out, not left_out)
    order = sides.ExportOrder(game, games.deal(game, None), KNOWN["print-shop"], sizes.paper("letter"))
    assert sides.components_of(order, ("token",)) == (["token"], [])


def test_a_component_may_name_the_product_of_a_service(tmp_path, write_game):
    town = write_game(tmp_path / "town", size="70 x 100")
    (finding,) = of_game(town, "makeplayingcards", "cards")
    assert finding.rule == "size"
    path = town / "game.yaml"
    path.write_text(path.read_text().replace("bleed: 2\n", "bleed: 2\n    products: {makeplayingcards: poker}\n"))
    assert of_game(town, "makeplayingcards", "cards") == []


def test_rules_are_printed_by_shops_with_their_art_up_to_the_bleed(town):
    assert of_game(town, "print-shop", "rules") == of_game(town, "drivethru", "rules") == []


def test_places_are_in_millimetres_from_the_upper_left_corner_of_the_trim():
    # 18 pt right of the trim's left edge and 36 pt below its top
    (finding,) = found(pdf(GOOD, "q 2 0 0 2 0 0 cm 1 0 0 rg 13.5 107.5 5 5 re f Q"))
    assert finding.page == 2
    assert finding.place == pytest.approx((18 / MM, 36 / MM, 10 / MM, 10 / MM), abs=0.01)


def test_colours_and_lines_in_forms_and_scaled_states_are_found():
    data = pdf(GOOD, "q 0.1 0 0 0.1 50 50 cm 1 w 0 0 0 1 K 0 0 m 500 0 l S Q 1 1 1 1 k 90 90 5 5 re f")
    assert [finding.message.partition(",")[0] for finding in found(data)] == ["a line is 0.10 pt wide", "400% ink"]


def test_pictures_are_measured():
    def file(mode, pixels, colour, filters="/FlateDecode"):
        document = pikepdf.open(BytesIO(pdf(GOOD, "q 72 0 0 72 50 50 cm /I Do Q")))
        picture = Image.new(mode, (pixels, pixels), colour)
        image = document.make_stream(picture.tobytes())
        space = {"CMYK": "/DeviceCMYK", "RGB": "/DeviceRGB", "L": "/DeviceGray"}[mode]
        image.update({"/Subtype": pikepdf.Name.Image, "/Width": pixels, "/Height": pixels, "/BitsPerComponent": 8})
        image["/Type"], image["/ColorSpace"] = pikepdf.Name.XObject, pikepdf.Name(space)
        document.pages[1].obj["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=image))
        out = BytesIO()
        document.save(out, force_version="1.4", object_stream_mode=pikepdf.ObjectStreamMode.disable)
        return out.getvalue()

    assert rules(file("L", 300, 40)) == set()
    (coarse,) = found(file("L", 150, 40))
    assert (coarse.rule, coarse.message) == ("resolution", "a picture has only 150 dpi")
    assert coarse.place == pytest.approx(((50 - 9) / MM, (261 - 122) / MM, 25.4, 25.4), abs=0.01)
    (dark,) = found(file("CMYK", 300, (200, 200, 200, 100)))
    assert (dark.rule, dark.message) == ("ink", "a picture has up to 275% ink, but at most 240% is allowed")
    (red,) = found(file("RGB", 300, (200, 0, 0)))
    assert (red.rule, red.message) == ("rgb", "a picture is in RGB")


def test_art_that_ends_at_the_cut_is_found():
    full, cut = "0 0 0 1 k 0 0 198 270 re f", "0 0 0 1 k 9 9 180 252 re f"
    assert found(pdf(full, full)) == []
    found_edges = {(finding.page, finding.message) for finding in found(pdf(full, cut))}
    assert found_edges == {
        (2, f"art ends at the cut {side}") for side in ("on the left", "on the right", "at the top", "at the bottom")
    }
    (finding,) = found(pdf(full, "0 0 0 1 k 9 100 60 40 re f"))
    assert finding.message == "art ends at the cut on the left"
    assert finding.place.height == pytest.approx(40 / MM, abs=1) and finding.place.x < 1


def test_pages_must_have_the_size_of_a_product():
    assert rules(pdf(GOOD), "makeplayingcards") == set()  # poker
    (finding,) = found(pdf(GOOD, trim=(9, 9, 160, 261)), "makeplayingcards")
    assert finding.rule == "size" and "has no product of 53.27 × 88.9 mm" in finding.message


def test_files_that_are_no_pdfs_are_refused(tmp_path):
    for content, message in ((b"not a PDF", "is not a PDF"), (b"%PDF-1.4\n", "its end is missing")):
        (tmp_path / "x.pdf").write_bytes(content)
        with pytest.raises(InputError, match=message):
            pdf_checks.of_pdf(tmp_path / "x.pdf", KNOWN["drivethru"])
    locked = pikepdf.new()
    locked.add_blank_page()
    locked.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="a", user="b"))
    with pytest.raises(InputError, match="is encrypted"):
        pdf_checks.of_pdf(tmp_path / "locked.pdf", KNOWN["drivethru"])


# ---- games


def of_game(folder, target, *names):
    game = load(folder)
    order = sides.ExportOrder(game, games.deal(game, None), KNOWN[target], sizes.paper("letter"))
    return export.preflight(order, names)


def test_texts_near_the_cut_are_found_with_their_card_and_place(tmp_path, write_game):
    near = """<face fill="{{ card.colour }}"><stack grow="1">{% if card.id == "forge" %}
<at x="4" y="1.2" width="30" height="4"><text style="name" valign="middle">{{ card.name }}</text></at>
{% endif %}</stack></face>"""
    town = write_game(tmp_path / "town", size="mini", templates_house_xml_j2=near)
    (town / "game.yaml").write_text((town / "game.yaml").read_text().replace("bleed: 2", "bleed: 2\n    safe: 1"))
    (finding,) = of_game(town, "makeplayingcards", "cards")
    assert (finding.rule, finding.component, finding.card) == ("safe", "cards", "forge")
    assert "text “Forge” is" in finding.message and finding.place.y == pytest.approx(2, abs=0.5)


def test_exports_of_the_same_game_have_no_findings(town, exported, tmp_path):
    for target in ("pdf-cards", "print-shop"):
        assert of_game(town, target, "cards") == []
        folder, _ = exported(town, target, "cards")
        assert pdf_checks.of_pdf(folder / "cards.pdf", KNOWN[target]) == []


def test_bleed_that_a_template_leaves_out_is_found_on_each_card(tmp_path, write_game):
    bare = """<face><stack grow="1"><at x="0" y="0" width="44.45" height="30">
<path viewbox="0 0 44.45 30" fill="#335c81" d="M0 0H44.45V30H0Z"/></at></stack></face>"""
    town = write_game(tmp_path / "town", size="mini", templates_house_xml_j2=bare)
    found_sides = {
        (finding.rule, finding.card, finding.message) for finding in of_game(town, "makeplayingcards", "cards")
    }
    sides_ = ("on the left", "on the right", "at the top")
    assert found_sides == {
        ("bleed", card, f"art ends at the cut {side}") for card in ("mill", "forge", "inn") for side in sides_
    }


def test_the_command_exits_with_1_if_something_would_be_rejected(pencilbox, town, tmp_path):
    code, out, _ = pencilbox("preflight", town, "--for", "print-shop", "-c", "cards")
    assert (code, out) == (0, "Nothing that print-shop would reject.\n")
    (tmp_path / "cards.pdf").write_bytes(pdf(GOOD))
    code, out, _ = pencilbox("preflight", "cards.pdf", "--for", "drivethru")
    assert code == 1 and "drivethru would reject 1 thing." in out
    code, out, _ = pencilbox("preflight", "cards.pdf", "--for", "drivethru", "--format", "json")
    data = json.loads(out)
    assert code == 1 and data["rejected"] and data["findings"][0]["rule"] == "pages"
    code, _, err = pencilbox("preflight", "cards.pdf", "--for", "drivethru", "-c", "cards")
    assert code == 2 and "--component is for games" in err
    code, _, err = pencilbox("preflight", town, "--for", "tabletop-simulator")
    assert code == 2 and "tabletop-simulator prints nothing" in err


def test_hostile_files_end_with_a_message(monkeypatch, tmp_path):
    document = pikepdf.open(BytesIO(pdf("/F Do")))
    form = document.make_stream(b"/F Do /F Do /F Do")
    form.update({"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Form, "/BBox": [0, 0, 9, 9]})
    form["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary(F=form))
    document.pages[0].obj["/Resources"] = form["/Resources"]
    document.save(tmp_path / "endless.pdf")
    with pytest.raises(InputError, match="too large or too complex"):
        pdf_checks.of_pdf(tmp_path / "endless.pdf", KNOWN["drivethru"])
    monkeypatch.setattr("generator.exporting.pdf_checks._MAX_PAGE_PIXELS", 100_000)
    huge = pdf(GOOD, GOOD, media=(0, 0, 14400, 14400), trim=(9, 9, 14391, 14391))
    assert rules(huge, "print-shop") <= {"bleed", "pages"}
    for code in (
        "1 0 0 rg q q q",
        "1 rg",
        "/X gs /Y Do /Z sh /P cs /Q scn",
        "Q Q 1 0 0 0 cm",
        "(",
        "BT (a) Tj",
        "[1 2] d S",
    ):
        (tmp_path / "odd.pdf").write_bytes(pdf(GOOD, code))
        try:
            pdf_checks.of_pdf(tmp_path / "odd.pdf", KNOWN["drivethru"])
        except InputError as error:
            assert "damaged" in str(error)


def test_missing_libraries_are_named_with_the_extra(monkeypatch, town):
    from generator.exporting import raster

    monkeypatch.setitem(__import__("sys").modules, "pypdfium2", None)
    with pytest.raises(InputError, match=r"needs pypdfium2, which is not installed; pip install 'pencilbox\[export\]'"):
        raster.pdfium()
