"""PDF/X-1a:2003, checked rule by rule (ISO 15930-4) with pikepdf, and the colours that it is made of."""

import re
from io import BytesIO

import pikepdf
import pytest
from PIL import Image

from generator import paths
from generator.errors import InputError
from generator.exporting.pdfs import Inks, die_lines
from generator.pages.nets import box_net

MM = 72 / 25.4
GLASS = """<face fill="{{ card.colour }}"><stack grow="1">
<at x="5" y="20" width="30" height="30"><image file="glass.png"/></at>
<at x="5" y="6" width="34" height="8" fill="#ffffff"><text style="name" valign="middle">{{ card.name }}</text></at>
<at x="5" y="52" width="34" height="6" fill="linear-gradient(#ff0000, #0000ff)"/>
</stack></face>"""


@pytest.fixture(scope="module")
def glass(tmp_path_factory, write_game):
    """A poker deck with a half transparent picture and a gradient, and one card of each."""
    game = write_game(
        tmp_path_factory.mktemp("glass") / "town",
        size="2.5in x 3.5in",
        templates_house_xml_j2=GLASS,
        cards_csv="id,name,colour\nmill,Old Mill,#335c81\n",
    )
    image = Image.new("RGBA", (40, 40), (255, 0, 0, 128))
    image.putpixel((0, 0), (0, 0, 255, 255))
    image.save(game / "glass.png")
    return game


def streams(document):
    """Every stream with operators: of pages and of forms."""
    for page in document.pages:
        yield from pikepdf.parse_content_stream(page)
    for thing in document.objects:
        if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form":
            yield from pikepdf.parse_content_stream(thing)


def violations(data):
    """What breaks a rule of PDF/X-1a:2003."""
    with pikepdf.open(BytesIO(data)) as document:
        yield from _document(document, data)
        yield from _pages(document)
        yield from _content(document)
        yield from _objects(document)


def _document(document, data):
    info, root = document.trailer["/Info"], document.Root
    if data[:8] != b"%PDF-1.4" or "/Version" in root:
        yield "version"
    if document.is_encrypted or "/ID" not in document.trailer:
        yield "encryption or ID"
    if str(info.get("/GTS_PDFXVersion")) != "PDF/X-1a:2003" or info.get("/Trapped") != "/False":
        yield "GTS_PDFXVersion or Trapped"
    if any(not str(info.get(key, "")) for key in ("/Title", "/CreationDate", "/ModDate", "/Producer")):
        yield "document information"
    intents = [intent for intent in root.get("/OutputIntents", ()) if intent["/S"] == "/GTS_PDFX"]
    if len(intents) != 1 or not all(str(intents[0].get(key, "")) for key in ("/OutputConditionIdentifier", "/Info")):
        yield "output intent"
    if {"/AcroForm", "/OpenAction", "/AA", "/OCProperties"} & set(root.keys()) or "/JavaScript" in root.get(
        "/Names", {}
    ):
        yield "actions or forms"


def _pages(document):
    for page in document.pages:
        boxes = {key: [float(edge) for edge in page.obj[key]] for key in ("/MediaBox", "/BleedBox", "/TrimBox")}
        media, bleed, trim = boxes.values()
        inside = zip(media[:2] + bleed[2:], bleed[:2] + media[2:], strict=True)
        if any(outer > inner + 0.01 for outer, inner in inside):
            yield "bleed box outside media box"
        if min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3]) < 2.9 * MM:
            yield "bleed"
        if "/ArtBox" in page.obj or "/Annots" in page.obj or "/Group" in page.obj or page.obj.get("/Rotate", 0):
            yield "art box, annotations, group or turn"


def _content(document):
    for operands, operator in streams(document):
        if str(operator) in ("rg", "RG", "g", "G", "ri"):
            yield f"operator {operator}"
        if str(operator) in ("cs", "CS") and operands[0] not in ("/Pattern", "/CutContour", "/Crease"):
            yield f"colour space {operands[0]}"
        if str(operator) == "INLINE IMAGE":
            yield "inline image"
        if str(operator) in ("k", "K") and sum(map(float, operands)) > 2.4:
            yield "ink"
        if str(operator) == "w" and 0 < float(operands[0]) * MM < 0.25 and operands[0] != 0.25:
            yield "thin line"


WRONG = {
    "soft mask": lambda thing: "/SMask" in thing,
    "blend mode": lambda thing: thing.get("/BM", "/Normal") not in ("/Normal", "/Compatible"),
    "opacity": lambda thing: float(thing.get("/ca", 1)) < 1 or float(thing.get("/CA", 1)) < 1,
    "transparency group": lambda thing: thing.get("/S") == "/Transparency",
    "filter": lambda thing: thing.get("/Filter") in ("/LZWDecode", "/JPXDecode", "/JBIG2Decode"),
    "picture in RGB": lambda thing: (
        thing.get("/Subtype") == "/Image" and thing["/ColorSpace"] not in ("/DeviceCMYK", "/DeviceGray")
    ),
    "font not embedded": lambda thing: (
        thing.get("/Type") == "/FontDescriptor" and not {"/FontFile", "/FontFile2", "/FontFile3"} & set(thing.keys())
    ),
    "simple font": lambda thing: thing.get("/Type") == "/Font" and thing["/Subtype"] in ("/Type1", "/TrueType"),
    "shading in RGB": lambda thing: "/ShadingType" in thing and thing["/ColorSpace"] != "/DeviceCMYK",
    "transfer function, OPI or alternates": lambda thing: {"/TR", "/TR2", "/OPI", "/Alternates"} & set(thing.keys()),
}


def _objects(document):
    for thing in document.objects:
        for part in _parts(thing):
            yield from (name for name, is_wrong in WRONG.items() if is_wrong(part))


def _parts(thing):
    """An object and the dictionaries in it that are not objects of their own."""
    if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
        yield thing
        inner = [value for _, value in thing.items()]
    else:
        inner = list(thing) if isinstance(thing, pikepdf.Array) else []
    for value in inner:
        if isinstance(value, pikepdf.Object) and not value.is_indirect:
            yield from _parts(value)


@pytest.fixture(scope="module")
def drivethru(glass, exported):
    folder, report = exported(glass, "drivethru", "cards")
    return (folder / "cards.pdf").read_bytes(), report


def test_no_rule_is_broken(drivethru, glass, exported):
    assert [*violations(drivethru[0])] == []
    folder, _ = exported(glass, "print-shop")
    files = sorted(folder.glob("*.pdf"))
    assert [file.name for file in files] == [
        f"{name}.pdf" for name in ("board", "cards", "dice", "pawns", "rules", "sheet", "token")
    ]
    for file in files:
        assert {*violations(file.read_bytes())} <= ({"bleed"} if file.name == "sheet.pdf" else set()), file


def test_the_checks_see_what_is_wrong(glass, exported):
    folder, _ = exported(glass, "pdf-cards", "cards")
    found = {*violations((folder / "cards.pdf").read_bytes())}
    expected = {
        "version",
        "output intent",
        "operator rg",
        "soft mask",
        "picture in RGB",
        "shading in RGB",
    }
    assert expected <= found


def test_pages_are_as_large_as_the_service_wants_with_backs_first(drivethru):
    with pikepdf.open(BytesIO(drivethru[0])) as document:
        back, front = document.pages
        for page in (back, front):
            assert [float(edge) for edge in page.mediabox] == pytest.approx([0, 0, 198, 270], abs=0.01)
            assert [float(edge) for edge in page.trimbox] == pytest.approx([9, 9, 189, 261], abs=0.01)
        assert b"Tj" not in back.Contents.read_bytes() and b"TJ" in front.Contents.read_bytes()


def test_black_is_black_ink_alone_and_texts_stay_texts(drivethru):
    with pikepdf.open(BytesIO(drivethru[0])) as document:
        colours, inside = set(), ()
        for operands, operator in pikepdf.parse_content_stream(document.pages[1]):
            if str(operator) == "k":
                inside = tuple(map(float, operands))
            if str(operator) == "TJ":
                colours.add(inside)
        assert [*colours] == [(0, 0, 0, pytest.approx(1 - 16 / 255, abs=0.001))]
    assert "“cards” has 1 side with transparency" in drivethru[1].notes[-1].message


def test_the_same_cards_give_the_same_bytes(drivethru, glass, exported, tmp_path_factory):
    again, _ = exported(glass, "drivethru", "cards", processes=1)
    assert (again / "cards.pdf").read_bytes() == drivethru[0]


def test_colours_look_like_before(drivethru):
    """Drawn by pdfium, as far as it knows inks."""
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(drivethru[0])
    image = document[1].render(scale=1).to_pil().convert("RGB")
    red, blue = image.getpixel((60, 120)), image.getpixel((12, 12))
    assert red[0] > red[1] + 40 and blue[2] > blue[0] + 20
    assert document[0].render(scale=1).to_pil().convert("RGB").getpixel((90, 90)) < (60, 60, 60)
    document.close()


def test_die_lines_are_a_spot_colour_that_overprints(glass, exported):
    folder, _ = exported(glass, "print-shop")
    for name, curves in (("cards.pdf", 0), ("token.pdf", 4)):
        with pikepdf.open(folder / name) as document:
            for page in document.pages:
                space = page.Resources.ColorSpace.CutContour
                assert [str(space[0]), str(space[1]), str(space[2])] == ["/Separation", "/CutContour", "/DeviceCMYK"]
                state = page.Resources.ExtGState.Overprint
                assert state.OP is True and state.OPM == 1
                code = page.Contents[-1].read_bytes().decode()
                assert "/CutContour CS 1 SCN" in code and len(re.findall(" c$", code, re.MULTILINE)) == curves
                numbers = [float(number) for number in re.findall(r"-?\d+\.\d{4}", code)]
                left, _, _, top = map(float, page.obj["/TrimBox"])
                assert min(numbers[::2]) == pytest.approx(left, abs=0.01)
                assert max(numbers[1::2]) == pytest.approx(top, abs=0.01)


def lines_of(page):
    """The die lines of a page by their spot colours: the end points of each straight line, in points."""
    found, inside, at = {}, "", None
    for operands, operator in pikepdf.parse_content_stream(page):
        name, numbers = str(operator), operands
        if name == "CS":
            inside = str(operands[0])[1:]
        if name == "m" and inside:
            at = start = tuple(map(float, numbers))
        if name in ("l", "h") and inside:
            end = tuple(map(float, numbers)) if name == "l" else start
            found.setdefault(inside, []).append((at, end))
            at = end
    return found


def test_nets_are_flat_with_lines_to_cut_and_to_crease(glass, exported):
    """A tuck box, dice and pawns: the number of their folds, and the cuts along their trim boxes."""
    for game, name, folds in ((paths.EXAMPLES / "harbour_lights", "box", 12), (glass, "dice", 12), (glass, "pawns", 3)):
        folder, report = exported(game, "print-shop", name)
        assert sorted(report.files) == sorted([f"{name}.pdf", "manifest.csv"])
        assert [*violations((folder / f"{name}.pdf").read_bytes())] == [], name
        with pikepdf.open(folder / f"{name}.pdf") as document:
            (page,) = document.pages
            assert {*page.Resources.ColorSpace.keys()} == {"/CutContour", "/Crease"}
            assert page.Contents[-1].read_bytes().count(b"/Overprint gs") == 2
            found = lines_of(page)
            assert len(found["Crease"]) == folds, name
            every = [tuple(sorted(line)) for lines in found.values() for line in lines]
            assert len(every) == len({*every}), f"{name} has a line twice"
            across, down = zip(*(end for line in found["CutContour"] for end in line), strict=True)
            trim = [float(edge) for edge in page.obj["/TrimBox"]]
            assert [min(across), min(down), max(across), max(down)] == pytest.approx(trim, abs=0.01)


def test_every_line_of_a_net_is_there_once():
    nets = (
        box_net("band", (180, 38, 4), {}),
        box_net("sleeve", (60, 90, 12), {}),
        box_net("tray", (140, 94, 18), {}),
        box_net("tuck", (60, 90, 12), {}),
    )
    for net, folds in zip(nets, (2, 4, 12, 12), strict=True):
        lines = die_lines(net, 8.0)
        assert sum(segment[0] == "L" for segment in lines["Crease"]) == folds, net.name
        ends = [segment[1:] for path in lines.values() for segment in path if segment[0] != "Z"]
        assert (min(x for x, _ in ends), max(y for _, y in ends)) == pytest.approx((8, 8 + net.height))
        drawn = []
        for path in lines.values():
            for segment in path:
                if segment[0] == "M":
                    start = at = segment[1:]
                else:
                    end = segment[1:] or start
                    drawn.append(tuple(sorted((at, end))))
                    at = end
        assert len(drawn) == len({*drawn}), net.name


def test_every_copy_of_a_net_has_its_page(tmp_path, write_game, exported):
    dice = "dice: [{id: plain, copies: 2, faces: [1, 2, 3, 4, 5, 6]}, {id: odd, faces: [1, 3, 5, 1, 3, 5]}]\n"
    folder, report = exported(write_game(tmp_path / "town", dice_yaml=dice), "print-shop", "dice")
    with pikepdf.open(folder / "dice.pdf") as document:
        assert [page.label for page in document.pages] == ["die plain", "die plain", "die odd"]
        assert [len(lines_of(page)["Crease"]) for page in document.pages] == [12, 12, 12]
    rows = (folder / "manifest.csv").read_text().splitlines()[1:]
    assert (report.pieces, rows) == (3, ["dice,plain,plain,2,dice.pdf,,", "dice,odd,odd,1,dice.pdf,,"])


# ---- colours


def test_greys_are_black_ink_and_no_colour_has_too_much_ink():
    inks = Inks(2.4)
    assert inks.colour(0, 0, 0) == (0, 0, 0, 1) and inks.colour(1, 1, 1) == (0, 0, 0, 0)
    assert inks.colour(0.5, 0.5, 0.5) == (0, 0, 0, 0.5)
    assert inks.colour(1, 0, 0) == (0, 1, 1, 0)
    steps = [step / 15 for step in range(16)]
    total = max(sum(inks.colour(red, green, blue)) for red in steps for green in steps for blue in steps)
    assert 2.2 < total < 2.4
    least = Inks(1.5)
    assert max(sum(least.colour(0, 0, blue)) for blue in steps) <= 1.501


def test_a_navy_stays_navy_with_less_than_two_inks_of_full_strength():
    for code in ("#141b36", "#1f2c5c", "#24507a"):
        cyan, magenta, yellow, black = Inks().colour(*(part / 255 for part in bytes.fromhex(code[1:])))
        assert cyan > magenta + 0.2 and yellow == 0 and cyan + magenta + black < 2


def test_pictures_are_converted_like_colours():
    colours = [(0, 0, 0), (9, 9, 9), (255, 255, 255), (255, 0, 0), (20, 27, 90), (0, 0, 90), (120, 200, 90)]
    image = Image.new("RGB", (len(colours), 1))
    for number, colour in enumerate(colours):
        image.putpixel((number, 0), colour)
    for limit in (2.4, 1.5):
        inks = Inks(limit)
        converted = inks.image(image)
        for number, colour in enumerate(colours):
            expected = [255 * ink for ink in inks.colour(*(part / 255 for part in colour))]
            assert converted.getpixel((number, 0)) == pytest.approx(expected, abs=2)
            assert sum(converted.getpixel((number, 0))) <= limit * 255 + 1


def test_files_that_are_not_profiles_for_cmyk_are_refused(tmp_path):
    from PIL import ImageCms

    (tmp_path / "bad.icc").write_bytes(b"bad")
    (tmp_path / "rgb.icc").write_bytes(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    with pytest.raises(InputError, match=r"bad\.icc: is not an ICC profile"):
        Inks(2.4, tmp_path / "bad.icc")
    with pytest.raises(InputError, match=r"rgb\.icc: is a profile for RGB, not for CMYK"):
        Inks(2.4, tmp_path / "rgb.icc")


def test_photographs_stay_jpeg_and_look_the_same(tmp_path, write_game, exported):
    photo = Image.effect_noise((300, 300), 40).convert("RGB")
    photo.paste((200, 60, 40), (0, 0, 150, 300))
    face = '<face><stack grow="1"><image file="photo.jpg"/></stack></face>'
    town = write_game(tmp_path / "town", size="1in x 1in", templates_house_xml_j2=face)
    photo.save(town / "photo.jpg", quality=95)
    folder, _ = exported(town, "print-shop", "cards")
    with pikepdf.open(folder / "cards.pdf") as document:
        (picture,) = [
            thing for thing in document.objects if isinstance(thing, pikepdf.Stream) and "/ColorSpace" in thing
        ]
        assert (picture.Filter, picture.ColorSpace) == ("/DCTDecode", "/DeviceCMYK")
        assert [int(value) for value in picture.Decode] == [1, 0] * 4
    document = pytest.importorskip("pypdfium2").PdfDocument(folder / "cards.pdf")
    image = document[0].render(scale=1).to_pil().convert("RGB")
    red, _, blue = image.getpixel((image.width // 4, image.height // 2))
    assert red > blue + 80
    document.close()
