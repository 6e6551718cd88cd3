"""Prints are compared with their codes piece by piece, on any paper and with any change."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from io import BytesIO
from itertools import product

import pytest
from click.testing import CliRunner
from msgspec.structs import astuple, replace
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, NameObject, StreamObject

from generator import games, pdf
from generator.cli import pencilbox
from generator.draws import parse
from generator.draws.own_sets import OwnSets
from generator.errors import InputError
from generator.geometry.frame import Page, Run
from generator.model.print_settings import PrintSettings
from generator.printing import verify as verification
from generator.printing.press import Press
from generator.printing.printed_pages import print_settings
from generator.printing.verify import codes_in, verify_code, verify_pdf
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.presses import with_settings

CODES = {
    "from_the_ground_up": "GU-1C01-62K98-RJWND-XN",
    "elevator_up": "EU-1D03-7Y9CW-HTB7W-N8",
    "cosmic_consequences": "CC-1BB1-JNKK3-VW9ZH-QT",
    "rolling_cubes": "RC-1R01-99XS9-TK631-3Z",
    "upwards": "UP-1S03-W6J1T-R20K3-7G",
}
OTHER = "GU-1C01-6BNMS-N6PSN-7V"


@cache
def press_of(key, code, low_ink=False):
    game = load(key)
    return Press(game, games.deal(game, parse(code)), PrintSettings(low_ink=low_ink))


@cache
def printed(key, part, code, sheet="a4", duplex=None, low_ink=False):
    return with_settings(press_of(key, code, low_ink), duplex=duplex).component(part, paper(sheet)).pdf


@pytest.fixture(scope="module", autouse=True)
def cached_prints():
    """Draws and prints each set only once for all tests."""

    def once(name, key):
        function, results = getattr(verification, name), {}

        def cached(*arguments, **options):
            about = key(*arguments, **options)
            if about not in results:
                results[about] = function(*arguments, **options)
            return results[about]

        patch.setattr(verification, name, cached)

    with pytest.MonkeyPatch.context() as patch:
        once("_CachingPress", lambda game, deck, settings: (deck.code, settings))
        once("_reprinted", lambda press, method, backs: (id(press), method.part.name, *astuple(method)[1:], backs))
        yield


def verified(folder, content, game=None):
    """The comparison of a PDF, given as bytes, with its set."""
    file = folder / "print.pdf"
    file.write_bytes(content)
    return verify_pdf(file, game)[1]


def changed(content, *changes, pages=None):
    """The PDF with bytes of its content streams replaced, once each (page, from, to), and only some pages."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    for number, was, becomes in changes:
        print_ = writer.pages[number]
        code = print_.get_contents().get_data()
        assert was in code
        stream = DecodedStreamObject()
        stream.set_data(code.replace(was, becomes, 1))
        print_[NameObject("/Contents")] = writer._add_object(stream)
    keep = PdfWriter()
    for number in range(len(writer.pages)) if pages is None else pages:
        keep.add_page(writer.pages[number])
    out = BytesIO()
    keep.write(out)
    return out.getvalue()


def shown_text(text):
    """A pattern of the operator that shows a text, whatever its kerning; the groups are the codes of its letters."""
    letters = [re.escape(f" {letter}".encode()) if letter.isascii() else rb"(?:\\\d{3}|[^()\\]){2}" for letter in text]
    return re.compile(rb"\[\((" + rb")(?:\) -?[0-9.]+ \()?(".join(letters) + rb")\)\] TJ")


def respelled_everywhere(content, was, becomes):
    """The PDF with an ASCII text changed on every page and in every form."""
    writer, shown = PdfWriter(clone_from=BytesIO(content)), shown_text(was)
    operator = b"[(" + b"".join(f" {letter}".encode() for letter in becomes) + b")] TJ"
    count = 0
    for number, item in enumerate(writer._objects):
        if isinstance(item, StreamObject) and shown.search(data := item.get_data()):
            stream = DecodedStreamObject()
            stream.update(
                {key: value for key, value in item.items() if key not in ("/Filter", "/DecodeParms", "/Length")}
            )
            stream.set_data(shown.sub(lambda _: operator, data))
            writer._objects[number] = stream
            count += 1
    assert count
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def respelled(content, was, becomes, *, count=1, on=(0,), pages=None):
    """The PDF with a text changed, whatever its kerning."""
    shown, reader, changes = shown_text(was), PdfReader(BytesIO(content)), []
    for number in on:
        for match in [*shown.finditer(reader.pages[number].get_contents().get_data())][:count]:
            codes = [f" {a}".encode() if a.isascii() else match[at] for at, a in enumerate(becomes, start=1)]
            changes.append((number, match[0], b"[(" + b"".join(codes) + b")] TJ"))
    assert len(changes) == count * len(on)
    return changed(content, *changes, pages=pages)


@pytest.fixture(scope="module")
def deck():
    """Cards on several sheets."""
    return printed("from_the_ground_up", "cards", CODES["from_the_ground_up"], "a5")


@pytest.fixture(scope="module")
def cards():
    return printed("from_the_ground_up", "cards", CODES["from_the_ground_up"])


@pytest.mark.parametrize("high", [False, True])
def test_a_print_says_how_it_was_printed(tmp_path, high):
    file = tmp_path / "empty.pdf"
    theme = press_of("upwards", CODES["upwards"]).theme
    file.write_bytes(
        pdf.write([Page(50, 50, ())], theme, info=pdf.Info(title="Empty", high_contrast=high, large_print=not high))
    )
    assert print_settings(file)[0] == PrintSettings(high_contrast=high, large_print=not high)


EVERY_WAY = list(product(["a4", "letter"], ["long", "short", "gutterfold", "none"], [False, True]))


@pytest.mark.parametrize(
    ("sheet", "duplex", "low_ink"),
    EVERY_WAY
    if "PENCILBOX_GAMES" in os.environ
    else [
        ("a4", "long", False),
        ("letter", "short", True),
        ("a4", "gutterfold", False),
        ("letter", "none", False),
    ],
)
def test_cards_match_however_they_are_printed(tmp_path, sheet, duplex, low_ink):
    print_ = verified(
        tmp_path, printed("from_the_ground_up", "cards", CODES["from_the_ground_up"], sheet, duplex, low_ink)
    )
    assert print_.mismatches == []
    assert (print_.paper, print_.settings.low_ink, print_.component) == (sheet, low_ink, "cards")
    assert print_.duplex == (None if duplex == "none" else duplex)
    assert print_.comparison.same == (12 if duplex == "none" else 24)


@pytest.mark.parametrize(
    ("key", "part", "sheet", "pieces"),
    [
        ("elevator_up", "dealer", "a4", 1),
        ("cosmic_consequences", "board", "a4", 4),
        ("cosmic_consequences", "cards", "a4", 52),
        ("rolling_cubes", "dice", "letter", 78),
        ("upwards", "strip", "letter", 6),
    ],
)
def test_every_component_with_a_code_matches(tmp_path, key, part, sheet, pieces):
    print_ = verified(tmp_path, printed(key, part, CODES[key], sheet))
    assert print_.mismatches == []
    assert (print_.component, print_.comparison.same) == (part, pieces)


def test_prints_with_other_margins_match(tmp_path):
    press, sheet = press_of("from_the_ground_up", CODES["from_the_ground_up"]), replace(paper("a4"), margin=6.5)
    assert verified(tmp_path, press.component("cards", sheet).pdf).mismatches == []


@pytest.mark.parametrize(
    ("key", "part", "sheet"),
    [
        ("from_the_ground_up", "cards", "8.5x14in"),
        ("from_the_ground_up", "cards", "8.125x11.25in"),
        ("elevator_up", "log", "300.5x210mm"),
        ("cosmic_consequences", "board", "12x18in"),
    ],
)
def test_prints_on_paper_of_any_size_match(tmp_path, key, part, sheet):
    print_ = verified(tmp_path, printed(key, part, CODES[key], sheet))
    assert print_.mismatches == []
    assert print_.paper == {"8.5x14in": "legal", "300.5x210mm": "210x300.5mm"}.get(sheet, sheet)


def test_forms_of_half_a_page_match_on_paper_of_any_size(tmp_path):
    print_ = verified(tmp_path, press_of("upwards", CODES["upwards"]).fillable("sheet", paper("9x12in")).pdf)
    assert print_.mismatches == []
    assert print_.component == "sheet"


SHAPED = """
title: Shapes
players: 2-4
components:
  tiles:
    {{kind: deck, title: T, cards: tiles.csv, face: tile, back: tile, shape: {}, size: {}, bleed: 1.5, gutter: {}}}
draws:
  deal: {{shuffle: tiles, hands: 2}}
"""
TILE = """<face>
<at x="7" y="{{ height / 2 - 4 }}" width="18" height="4"><text>{{ card.word }}</text></at>
<at x="9" y="{{ height / 2 }}" width="28" height="4"><text style="code">{{ set_code }}</text></at></face>"""


def shaped(folder, shape, size, gutter):
    """A game of your own with tiles of this shape, and its press with a random set."""
    (folder / "templates").mkdir()
    (folder / "game.yaml").write_text(SHAPED.format(shape, size, gutter))
    (folder / "tiles.csv").write_text("id,word\n" + "".join(f"t{n},word {n}\n" for n in range(1, 25)))
    (folder / "templates" / "tile.xml.j2").write_text(TILE)
    game = load(str(folder))
    return game, Press(game, games.deal(game, games.new_code(game, f"{shape} {gutter}")))


@pytest.mark.parametrize(
    ("shape", "size", "gutter", "duplex"),
    [
        ("hex", 40, 0, "long"),
        ("hex", 40, 3, "gutterfold"),
        ("pointed-hex", 40, 3, "short"),
        ("round", 40, 2, "long"),
        ("rounded", "44x68", 2, "short"),
    ],
)
def test_tiles_of_any_shape_match_in_random_order(tmp_path, shape, size, gutter, duplex):
    game, press = shaped(tmp_path, shape, size, gutter)
    print_ = verified(tmp_path, with_settings(press, duplex=duplex).component("tiles", paper("a4")).pdf, game)
    assert print_.mismatches == []
    assert (print_.duplex, print_.comparison.same) == (duplex, 48)


def test_a_change_on_a_hexagon_is_reported_on_that_one(tmp_path):
    """Its text begins where the boxes of two hexagons overlap."""
    game, press = shaped(tmp_path, "hex", 40, 0)
    content, ids = press.component("tiles", paper("a4")).pdf, [card.id for card in press.deck.cards["tiles"]]
    for place in (0, 7, 12):
        number = ids[place].removeprefix("t")
        (piece,) = verified(tmp_path, respelled(content, f"word {number}", f"wood {number}"), game).mismatches
        assert (piece.name, piece.printed) == (f"card {ids[place]} (front 1)", (f"wood {number}",))


# ---- what was done to it ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", CODES)
def test_every_page_of_a_score_sheet_shows_the_code(key):
    press = press_of(key, CODES[key])
    for part in (part for part in press.game.components.values() if part.kind == "sheet"):
        pages = press.pages(part, paper("a4"))
        for placed in (placed for page in pages for placed in page.placed):
            assert CODES[key] in codes_in(item.text for item in placed.frame.items if isinstance(item, Run))


def test_score_sheets_match_on_paper_and_as_forms(tmp_path):
    key, part = "cosmic_consequences", "log"
    assert verified(tmp_path, printed(key, part, CODES[key])).mismatches == []
    print_ = verified(tmp_path, press_of(key, CODES[key]).fillable(part, paper("a4")).pdf)
    assert print_.mismatches == []
    assert (print_.component, print_.paper) == (part, "a4")


def test_a_pad_of_score_sheets_matches_with_its_numbers(tmp_path):
    press = press_of("upwards", CODES["upwards"])
    assert verified(tmp_path, with_settings(press, copies=5).component("sheet", paper("a4")).pdf).comparison.same == 5
    twice = changed(with_settings(press, copies=4).component("sheet", paper("a4")).pdf, pages=[0, 0])
    assert len(verified(tmp_path, twice).mismatches) == 2  # sheets 1 and 2 in the place of 3 and 4


def test_a_changed_number_is_reported_on_its_card(tmp_path, cards):
    print_ = verified(tmp_path, respelled(cards, "5–6", "4–6"))
    (piece,) = print_.mismatches
    assert print_.comparison.differing == [piece]
    assert (piece.page, piece.name, piece.expected, piece.printed) == (1, "card 1 (front 1)", ("5–6",), ("4–6",))
    assert print_.comparison.same == 23


def test_a_changed_symbol_is_reported(tmp_path, cards):
    """Symbols are drawn, not written."""
    code = PdfReader(BytesIO(cards)).pages[0].get_contents().get_data()
    names = sorted(re.findall(rb"(/\S+) Do", code))
    swapped = next(
        verified(tmp_path, changed(cards, (0, one + b" Do", other + b" Do"))) for one, other in [(names[-1], names[0])]
    )
    (piece,) = swapped.mismatches
    assert piece.page == 1
    assert piece.name.startswith("card ")
    assert piece.drawings
    assert not piece.printed


def test_a_line_added_to_a_card_is_reported(tmp_path, cards):
    print_ = verified(tmp_path, changed(cards, (1, b"\nQ", b"\n20 40 m 40 40 l S\nQ")))
    assert [(piece.page, piece.drawings) for piece in print_.mismatches] == [(2, 1)]


def test_a_missing_page_is_reported(tmp_path, deck):
    print_ = verified(tmp_path, changed(deck, pages=[0, 1, 3]))
    assert [piece.name for piece in print_.comparison.missing] == [
        f"card {number} (front 2)" for number in range(7, 13)
    ]
    assert {piece.page for piece in print_.comparison.missing} == {None}
    assert print_.comparison.differing == print_.comparison.foreign == []
    assert print_.comparison.same == 18


def test_missing_fronts_are_reported(tmp_path, cards):
    print_ = verified(tmp_path, changed(cards, pages=[1]))
    assert [piece.name for piece in print_.comparison.missing] == [
        f"card {number} (front 1)" for number in range(1, 13)
    ]


def test_pages_may_be_in_any_order(tmp_path, deck):
    assert verified(tmp_path, changed(deck, pages=[2, 1, 3, 0])).mismatches == []


def test_a_page_of_another_set_is_reported(tmp_path, deck):
    writer = PdfWriter()
    for source, number in ((deck, 0), (deck, 1), (printed("from_the_ground_up", "cards", OTHER, "a5"), 2), (deck, 3)):
        writer.add_page(PdfReader(BytesIO(source)).pages[number])
    out = BytesIO()
    writer.write(out)
    print_ = verified(tmp_path, out.getvalue())
    assert len(print_.comparison.foreign) == 6
    assert print_.comparison.differing == print_.comparison.missing == []
    assert all(OTHER in piece.printed for piece in print_.comparison.foreign)


def test_a_changed_code_on_one_card_is_reported(tmp_path, cards):
    print_ = verified(tmp_path, respelled(cards, "GU-1C01-62K98-RJWND-XN", "GU-1C01-62K89-RJWND-XN"))
    assert [piece.printed for piece in print_.mismatches] == [("GU-1C01-62K89-RJWND-XN",)]


def test_a_changed_space_on_the_board_is_reported(tmp_path):
    board = printed("cosmic_consequences", "board", CODES["cosmic_consequences"])
    print_ = verified(tmp_path, respelled(board, "+12", "+11"))
    assert [(piece.expected, piece.printed) for piece in print_.mismatches] == [(("+12",), ("+11",))]


def test_a_changed_letter_and_a_changed_code_on_a_die_are_reported(tmp_path):
    dice = printed("rolling_cubes", "dice", CODES["rolling_cubes"])
    print_ = verified(tmp_path, respelled(respelled(dice, "K", "J"), "TK631-3Z", "TK613-3Z"))
    assert {(piece.name, piece.expected, piece.printed) for piece in print_.mismatches} == {
        ("die purple-1, side 1 (pieces 1)", ("K",), ("J",)),
        ("die red-1, side 1 (pieces 1)", ("TK631-3Z",), ("TK613-3Z",)),
    }


def test_a_changed_throw_on_a_strip_is_reported(tmp_path):
    strip = printed("rolling_cubes", "strip", "RC-1S15-J0F6P-MM2BH-G3")
    print_ = verified(tmp_path, respelled(strip, "W", "V"))
    assert [(piece.expected, piece.printed) for piece in print_.mismatches] == [(("W",), ("V",))]


def test_the_metadata_of_a_file_is_ignored(tmp_path, cards):
    """A different code in the metadata changes nothing; the code is read from the pages."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(cards)))
    writer.metadata = {"/PencilboxSet": OTHER, "/Keywords": OTHER, "/Title": OTHER}
    out = BytesIO()
    writer.write(out)
    assert verified(tmp_path, out.getvalue()).mismatches == []


# ---- PDFs that cannot be compared ----------------------------------------------------------------------------------


def test_a_print_without_a_code_is_refused(tmp_path):
    game = load("from_the_ground_up")
    with pytest.raises(InputError, match="no set code is printed on it"):
        verified(tmp_path, Press(game, games.deal(game)).component("cards", paper("a4")).pdf)


def test_rules_that_show_pieces_of_a_set_are_not_compared(tmp_path):
    key = "from_the_ground_up"
    with pytest.raises(InputError, match=f"with the set {CODES[key]}; rules and score sheets only name a set"):
        verified(tmp_path, changed(printed(key, "rules", CODES[key]), pages=[1]))


def test_a_print_with_only_mistyped_codes_is_refused_with_similar_codes(tmp_path, cards):
    wrong = respelled_everywhere(cards, "GU-1C01-62K98-RJWND-XN", "GU-1C01-62K89-RJWND-XN")
    with pytest.raises(InputError, match=r"is not a valid set code: .*did you mean GU-1C01-62K98-RJWND-XN\?"):
        verified(tmp_path, wrong)


@pytest.mark.parametrize(("content", "message"), [(b"hello", "is not a PDF"), (None, "cannot be read")])
def test_a_file_that_is_not_a_pdf_is_refused(tmp_path, content, message):
    file = tmp_path / "x.pdf"
    if content:
        file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        verify_pdf(file)


def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "x.pdf")
    with pytest.raises(InputError, match="is a device or a pipe, not a file"):
        verify_pdf(tmp_path / "x.pdf")


def test_a_print_of_a_different_game_is_refused(tmp_path, cards):
    with pytest.raises(InputError, match="it begins with GU, but codes of this game begin with EU"):
        verified(tmp_path, cards, load("elevator_up"))


# ---- the command --------------------------------------------------------------------------------------------------


def run(*words):
    return CliRunner().invoke(pencilbox, ["verify", *map(str, words)], catch_exceptions=False)


@pytest.mark.parametrize("code", [*CODES.values(), "CC-1D01-W05SQ-2E2RB-7C", "GU-1CE6-M4FX4-FS081-QV"])
def test_a_code_meets_its_recipe(code):
    answer = run(code, "--format", "json")
    data = json.loads(answer.stdout)
    assert answer.exit_code == 0
    assert (data["set"], data["holds"], data["broken"]) == (code, True, [])
    assert run(code.lower().replace("-", " ")).stdout.splitlines()[0] == code


def test_an_unmet_constraint_is_reported(monkeypatch):
    monkeypatch.setattr(OwnSets, "unmet_constraints", lambda sets, game, deck, code: ["5 cards “1” instead of 4"])
    answer = run(CODES["elevator_up"])
    assert answer.exit_code == 1
    assert "The set does not follow its recipe:\n  5 cards “1” instead of 4" in answer.stdout


def test_mistyped_and_foreign_codes_are_refused():
    with pytest.raises(InputError, match=r"did you mean GU-1C01-62K98-RJWND-XN\?"):
        verify_code("GU-1C01-62K89-RJWND-XN")
    strange = "ZZ" + CODES["elevator_up"][2:]
    with pytest.raises(InputError, match="check characters"):
        verify_code(strange)
    from generator.draws import draw

    with pytest.raises(InputError, match="has set codes that begin with ZZ; known: CC, EU"):
        verify_code(str(draw("ZZ", "C", "01", "x")))


def test_control_characters_of_a_pdf_are_printed_escaped(tmp_path, cards):
    file = tmp_path / "print.pdf"
    file.write_bytes(changed(cards, (0, b"", b"BT 9 Tf 9 9 Td (\x1b]0;title\x07\x9b8m) Tj ET "), pages=[0]))
    answer = run(file)
    assert answer.exit_code == 1
    assert r"\x1b]0;title\x07" in answer.stdout
    assert not set(answer.stdout) & set("\x1b\x07\x9b")
    assert "\x1b" not in run(file, "--format", "json").stdout


def test_the_command_lists_each_piece(tmp_path, cards):
    file = tmp_path / "print.pdf"
    file.write_bytes(cards)
    good = run(file)
    assert (good.exit_code, good.stdout.splitlines()[-1]) == (0, "The PDF matches its code.")
    file.write_bytes(respelled(cards, "GU-1C01-62K98-RJWND-XN", "GU-1C01-62K89-RJWND-XN", pages=[0]))
    bad = run(file)
    assert bad.exit_code == 1
    assert "“GU-1C01-62K89-RJWND-XN” instead of “GU-1C01-62K98-RJWND-XN”" in bad.stdout
    data = json.loads(run(file, "--format", "json").stdout)
    assert (data["holds"], data["print"]["same"], data["print"]["duplex"]) == (False, 11, None)
    assert data["print"]["foreign"][0]["piece"] == "card 1 (front 1)"
