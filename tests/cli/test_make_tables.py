"""`pencilbox make cards.csv`: cards from a table and nothing else."""

import json
import os
import re
import shutil
import time
import zipfile
from io import BytesIO
from typing import NamedTuple

import openpyxl
import PIL.Image
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib import TTFont

from generator import games, paths
from generator.faces import card_plans
from generator.geometry.frame import Run, ungrouped
from generator.pdf.fonts import subset
from generator.printing.game_faces import GameFaces
from generator.reading.table_game import TableLook, table_game
from generator.text import fonts
from tests.page_texts import page_texts

PLAIN = 'Name,Cost,Qty,Text,Range\nDragon,5,2,"Fly, burn",3\nGoblin,1,,Steal,\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards.csv").write_text(PLAIN)
    return tmp_path


class Result(NamedTuple):
    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture
def run(pencilbox):
    return lambda *words: Result(*pencilbox(*words))


def printed(file):
    return "\n".join(page_texts(file))


def test_make_prints_a_table_and_says_how_it_was_read(run, folder):
    result = run("make", "cards.csv")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("output/cards/cards-a4.pdf  2 pages")
    assert "3 cards (2 different) from cards.csv: title (Name), cost, rules (Text); also Range" in result.stderr
    text = printed(folder / "output/cards/cards-a4.pdf")
    assert text.count("Dragon") >= 2 and "Fly, burn" in " ".join(text.split()) and "Steal" in text


def test_a_theme_beside_a_table_chooses_its_fonts(run, folder):
    keys = ("regular", "bold", "italic", "bold-italic", "black")
    (folder / "theme.yaml").write_text(f"fonts: {{{', '.join(f'{key}: Lato-Italic.ttf' for key in keys)}}}\n")
    assert run("make", "cards.csv").exit_code == 0
    file = (folder / "output/cards/cards-a4.pdf").read_bytes()
    assert b"+Lato-Italic" in file and b"+Lato-Regular" not in file


def test_finished_fronts_and_backs_are_printed_with_their_bleed(folder):
    """825 × 1125 pixels: ⅛ in beyond the trim."""
    (folder / "deck.csv").write_text("Front,Back\nmoon.png,Star.JPG\n")
    for name in ("moon.png", "star.jpg"):
        PIL.Image.new("L", (825, 1125)).save(folder / name)
    game = table_game(folder / "deck.csv", TableLook())
    faces = GameFaces(game, games.deal(game))
    for sides in (faces.front_sides, faces.back_sides):
        (frame,) = sides(faces.part("cards"))
        *_, image = ungrouped(frame.items)
        assert (image.x, image.y, image.width) == pytest.approx((-3.175, -3.175, 69.85))
        assert not any(isinstance(item, Run) for item in frame.items)


def test_low_resolution_pictures_are_noted_and_refused_if_strict(run, folder):
    (folder / "deck.csv").write_text("Image\nmoon.png\nsun.png\n")
    for name, size in (("moon.png", (63, 88)), ("sun.png", (750, 1050))):
        PIL.Image.new("L", size).save(folder / name)
    result = run("make", "deck.csv", "--max-dpi", "100")
    assert result.exit_code == 0 and result.stdout.count("cards-a4.pdf") == 1
    assert result.stderr.count("note: moon.png: only 25 dpi at its largest size, 64 × 89 mm; it needs") == 1
    assert "sun.png" not in result.stderr
    refused = run("make", "deck.csv", "--strict")
    assert refused.exit_code == 2 and "error: moon.png: only 25 dpi" in refused.stderr


def test_copies_of_a_single_card_are_counted_as_alike(run, folder):
    (folder / "one.csv").write_text("Name,Qty\nDragon,2\n")
    assert "2 cards, all alike, from one.csv: title (Name)" in run("make", "one.csv").stderr


@pytest.mark.parametrize("template", ["standard", "picture", "word", "flash", "tarot", "number_and_suit"])
@pytest.mark.parametrize("size", ["poker", "mini", "70x120", "2.5in x 2.5in"])
def test_every_template_prints_the_table_at_every_size(run, template, size):
    result = run("make", "cards.csv", "--template", template, "--size", size)
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    "name", ["CARDS.CSV", "my cards (1).csv", "Spiel-Karten.csv", "große_karten.csv", "...csv.csv"]
)
def test_file_names_of_every_kind(run, folder, name):
    (folder / name).write_text(PLAIN)
    result = run("make", name)
    assert result.exit_code == 0, result.stderr


def test_a_table_named_like_a_shipped_game_is_printed_beside_it(run, folder):
    (folder / "upwards.csv").write_text(PLAIN)
    assert run("make", "upwards.csv").stdout.startswith("output/upwards_cards/cards-a4.pdf")


def test_a_table_elsewhere_and_a_link_to_it(run, folder):
    (folder / "far/images").mkdir(parents=True)
    (folder / "far/deck.csv").write_text("Name,Image\nMoon,moon\n")
    (folder / "far/images/Moon.SVG").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    )
    (folder / "link.csv").symlink_to("far/deck.csv")
    for word in ("far/deck.csv", "link.csv", "far", folder / "far/deck.csv"):
        result = run("make", word)
        assert result.exit_code == 0, result.stderr


@pytest.fixture
def two_fonts(folder):
    """Two weights of a font that has no é."""
    letters = [*range(0x20, 0xE9)]
    for number, name in enumerate(("Bold", "Black")):
        face = fonts.load(paths.SHARED_DATA / "fonts" / f"Lato-{name}.ttf").faces[0]
        font = TTFont(BytesIO(subset(face, letters=map(chr, letters))[0]))
        builder = FontBuilder(font=font)
        builder.setupNameTable({"familyName": "Mine", "styleName": name, "psName": f"Mine-{name}"})
        builder.setupOS2(usWeightClass=(400, 800)[number])
        builder.save(folder / f"mine-{number}.ttf")


def test_fonts_beside_a_table_are_used_and_lato_completes_them(run, folder, two_fonts):
    (folder / "cards.csv").write_text("Name,Text\nDragon,Fly\nCafé,Drink\n")
    result = run("make", "cards.csv")
    assert result.exit_code == 0, result.stderr
    assert "Fonts: mine-0.ttf, mine-1.ttf, then Lato\n" in result.stderr
    assert "note: “cards”: another font prints “é”, which Mine-Bold lacks\n" in result.stderr
    file = (folder / "output/cards/cards-a4.pdf").read_bytes()
    assert {*re.findall(rb"\+([A-Z][a-z]+-[A-Z][a-z]+)", file)} == {b"Mine-Bold", b"Mine-Black", b"Literata-Extra"}
    (folder / "theme.yaml").write_text("fonts: {title: Lato-Bold.ttf}")  # states its own
    assert "Fonts:" not in run("make", "cards.csv").stderr


def test_font_names_the_fonts_of_a_table(run, folder, two_fonts):
    assert run("make", "cards.csv", "--font", "mine-1.ttf").exit_code == 0
    file = folder / "output/cards/cards-a4.pdf"
    assert b"+Mine-Black" in file.read_bytes() and b"Mine-Bold" not in file.read_bytes()
    assert "Nothing has changed" in run("make", "cards.csv", "--font", "mine-1.ttf").stderr
    shutil.move("mine-0.ttf", "mine-1.ttf")
    assert "Nothing has changed" not in run("make", "cards.csv", "--font", "mine-1.ttf").stderr
    assert run("new", "mine", "--from", "cards.csv", "--font", "mine-1.ttf").exit_code == 0
    assert 'font: ["fonts/mine-1.ttf"]' in (folder / "mine/theme.yaml").read_text()
    assert run("make", "mine").exit_code == 0


def test_problems_of_fonts_are_reported_once_and_together(run, folder):
    (folder / "bad.ttf").write_bytes(b"\0\1\0\0 and no more")
    (folder / "web.woff2").write_bytes(b"wOF2 and no more")
    (folder / ".hidden.ttf").write_bytes(b"")
    result = run("make", "cards.csv")
    assert result.exit_code == 2
    assert [line for line in result.stderr.splitlines() if line.startswith("error")] == [
        "error: bad.ttf: this font is damaged: its tables are invalid; download it again, or choose another",
        "error: web.woff2: compressed web fonts (WOFF2) are not supported; use its .ttf, .otf or .woff version",
    ]
    result = run("make", "cards.csv", "--font", "badd.ttf", "--font", "cards.ttf")
    assert result.exit_code == 2
    assert "--font: there is no file “badd.ttf”; did you mean bad.ttf?" in result.stderr
    assert "--font: there is no file “cards.ttf”" in result.stderr
    result = run("make", "elevator_up", "--font", "bad.ttf")
    assert "--font is for tables without a game.yaml" in result.stderr


def test_a_missing_picture_names_the_card(run, folder):
    (folder / "art.csv").write_text("Name,Image\nMoon,mon\n")
    result = run("make", "art.csv")
    assert result.exit_code == 2
    assert "card 1 of “cards”: no picture “mon” in the game’s folder" in result.stderr


def test_unprintable_values_are_reported_at_their_cell(run, folder):
    rows = [
        ["Name", "Picture", "Text"],
        ["Moon", "mon.png", "Cold ☃"],
        ["Sun", None, ":snow:"],
    ]
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save("deck.xlsx")
    errors = run("make", "deck.xlsx").stderr
    for cell, message in {"B2": "no picture “mon.png”", "C3": "no icon “snow”"}.items():
        assert re.search(f"deck.xlsx, sheet “Sheet”, {cell}: card . of “cards”.*{message}", errors), errors


def test_a_sign_that_no_font_has_is_one_note_with_its_cards(run, folder):
    sign = "\ue000"
    rows = ["Name,Text", *(f"Card {number},{sign * (number % 7 == 3)} text {number % 2}" for number in range(60))]
    (folder / "deck.csv").write_text("\n".join(rows) + "\n")
    result = run("make", "deck.csv")
    assert result.exit_code == 0
    assert [line for line in result.stderr.splitlines() if "note" in line] == [
        "note: deck.csv:5 (Text): 9 cards of “cards” (4, 11, 18, …): the font has no “U+E000” (Literata-Regular): "
        "a red ⌧ is printed instead; use a font that has it, or an icon such as :name:"
    ]
    assert printed(folder / "output/deck/cards-a4.pdf").count("⌧") == 9
    assert run("make", "deck.csv", "--force", "--strict").exit_code == 2


def test_letters_that_no_font_has_are_a_note_on_few_cards_and_refused_on_most(run, folder):
    rows = ["Name,Text", *(f"Card {number},{'ქარ' if number < 20 else 'one'}" for number in range(41))]
    (folder / "deck.csv").write_text("\n".join(rows) + "\n")
    result = run("make", "deck.csv")
    assert result.exit_code == 0 and "20 cards of “cards” (1, 2, 3, …): the font has no Georgian" in result.stderr
    (folder / "deck.csv").write_text("\n".join(rows[:40]) + "\n")
    result = run("make", "deck.csv")
    assert result.exit_code == 2
    errors = [line for line in result.stderr.splitlines() if line.startswith("error")]
    assert len(errors) == 1 and "20 cards of “cards” (1, 2, 3, …): the font has no Georgian letters" in errors[0]
    assert run("make", "deck.csv", "--draft").exit_code == 0


def test_a_text_that_is_too_long_is_reported_at_its_cell(run, folder):
    (folder / "long.csv").write_text(f"Name,Text\nMoon,Short\nSun,{'Many words. ' * 60}\n")
    result = run("make", "long.csv", "--size", "44x68")
    assert result.exit_code == 2
    assert "long.csv:3 (Text): card 2 of “cards”, text “Many words. Many words.…”: needs " in result.stderr
    assert "shorten it, or choose a larger card or another face" in result.stderr


def test_options_of_make_work_with_a_table(run):
    for options in (["--paper", "letter"], ["--duplex", "none"], ["--low-ink"], ["--format", "json"], ["-c", "cards"]):
        result = run("make", "cards.csv", *options)
        assert result.exit_code == 0, result.stderr


def test_a_worksheet_can_be_chosen(run, folder):
    book = openpyxl.Workbook()
    book.active.append(["Name"])
    book.active.append(["Dragon"])
    for row in (["Name"], ["Coin"], ["Gem"]):
        (book["Tokens"] if "Tokens" in book.sheetnames else book.create_sheet("Tokens")).append(row)
    book.save("deck.xlsx")
    result = run("make", "deck.xlsx")
    assert "note: deck.xlsx, sheet “Sheet”: only the sheet “Sheet” was read, not the sheet Tokens" in result.stderr
    assert (
        "2 cards from deck.xlsx, sheet “Tokens”: title (Name)" in run("make", "deck.xlsx", "--sheet", "Tokens").stderr
    )


def test_json_names_the_cell(run):
    book = openpyxl.Workbook()
    for row in (["Name", "Qty"], ["Dragon", "many"]):
        book.active.append(row)
    book.save("deck.xlsx")
    (error,) = json.loads(run("make", "deck.xlsx", "--format", "json").stdout)["error"]
    assert (error["file"], error["sheet"], error["cell"], error["line"]) == ("deck.xlsx", "Sheet", "B2", 2)


def test_json_has_the_notes_about_the_table(run, folder):
    (folder / "cards.csv").write_text(f"{PLAIN}Total,,3,,\n")
    (file,) = json.loads(run("make", "cards.csv", "--format", "json").stdout)
    assert ["row 4 (a total)" in note["message"] for note in file["notes"]] == [True]


def test_what_a_workbook_has_beside_its_table_prints_no_warnings(run):
    book = openpyxl.Workbook()
    for row in (["Name"], ["Dragon"]):
        book.active.append(row)
    book.save("plain.xlsx")
    with zipfile.ZipFile("plain.xlsx") as plain, zipfile.ZipFile("deck.xlsx", "w") as archive:
        for part in plain.infolist():
            text = plain.read(part).decode()
            archive.writestr(part, text.replace("</worksheet>", "<extLst><ext uri='{CCE6A557}'/></extLst></worksheet>"))
    result = run("make", "deck.xlsx")
    assert result.exit_code == 0 and "Warning" not in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["make", "card.csv"], "there is no file “card.csv”; did you mean cards.csv?"),
        (["make", "cards.csv", "--template", "tarrot"], "--template cannot be “tarrot”; did you mean tarot?"),
        (["make", "cards.csv", "--size", "pokr"], "no card size “pokr”; did you mean poker or"),
        (["make", "cards.csv", "--size", "5"], "no card size “5”; give a size such as 63.5 x 88.9"),
        (
            ["make", "cards.csv", "--sheet", "x"],
            "cards.csv: --sheet is for spreadsheets; a text file has no worksheets",
        ),
        (["make", "upwards", "--template", "word"], "--template is for tables without a game.yaml"),
        (["make", "cards.csv", "dice"], "there is no game, folder or component “dice”"),
        (["make", "cards.csv", "--copies", "3"], "--copies prints pads of score sheets, and none is printed"),
        (["make", "cards.csv", "--random"], "has no random sets"),
        (["fill", "cards.csv"], "has no score sheet"),
    ],
)
def test_mistakes_on_the_command_line(run, words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_broken_link_is_not_suggested_instead_of_itself(run, folder):
    (folder / "link.csv").symlink_to("gone")
    assert "did you mean" not in run("make", "link.csv").stderr


def test_a_declared_id_that_is_a_number_is_printed(run, folder):
    (folder / "game.yaml").write_text(
        "title: Own\nplayers: 2\n"
        "components: {cards: {kind: deck, title: C, cards: cards.yaml, face: standard, back: standard_back}}\n"
    )
    (folder / "cards.yaml").write_text(
        "fields: {id: {kind: number}}\ncards: [{id: 7, title: A, values: 1, place: x}]\n"
    )
    result = run("make", ".")
    assert result.exit_code == 0, result.stderr


def test_headings_of_one_letter(run, folder):
    (folder / "ab.csv").write_text("a,b\n1,2\n")
    assert run("make", "ab.csv").exit_code == 0


def test_games_lists_a_table(run):
    assert "3 cards (2 different) from cards.csv" in run("games", "cards.csv").stdout


def test_a_backs_template_that_does_not_exist_names_the_card(run, folder):
    (folder / "game.yaml").write_text(
        "title: Own\nplayers: 2\n"
        "components: {cards: {kind: deck, title: C, cards: cards.yaml, face: standard, back: standard_back}}\n"
    )
    (folder / "cards.yaml").write_text(
        "fields: {back: {}}\ncards:\n  - {title: A, back: word_back}\n  - {title: B, back: word_bak}\n"
    )
    result = run("make", ".")
    assert result.exit_code == 2
    assert "cards.yaml:4: card 2: no template “word_bak” for its back; did you mean word_back" in result.stderr


def test_a_table_of_five_hundred_cards_is_printed_quickly(run, folder):
    rows = "".join(f"Card {n}\t{n % 9}\tType {n % 5}\tDraw {n} cards and keep one.\n" for n in range(500))
    (folder / "many.tsv").write_text("Name\tCost\tType\tText\n" + rows)
    start = time.process_time()
    assert run("make", "many.tsv").exit_code == 0
    assert time.process_time() - start < 15


@pytest.mark.parametrize("name", ["漢字.csv", "a\x1bb.csv", "___.csv"])
def test_odd_names_of_files_print(run, folder, name):
    (folder / name).write_text("Name,Text\nAxe,Hit.\nBow,Shoot.\n")
    result = run("make", name)
    assert result.exit_code == 0, result.stderr
    assert "font" not in result.stderr


def test_a_name_of_a_file_that_is_not_text_is_refused(run, folder):
    name = os.fsdecode(b"x\xff.csv")
    (folder / name).write_text("Name\nAxe\n")
    assert "the name of this file is not valid text; rename it" in run("make", name).stderr


def test_columns_can_be_given_a_meaning(run, folder):
    (folder / "zoo.csv").write_text("Tier;Stk;Laut;Notiz\nMaus;3;Piepst.;neu\nLaus;1;;alt\n")
    result = run("make", "zoo.csv", "--columns", "Laut=text, Notiz=-", "--gutter", "3")
    assert "4 cards (2 different) from zoo.csv: title (Tier), rules (Laut)\n" in result.stderr
    result = run("make", "zoo.csv", "--columns", "Stk=+, Laut=+, Notiz=title")
    assert "2 cards from zoo.csv: title (Notiz); also Tier, Stk, Laut\n" in result.stderr
    errors = run("make", "zoo.csv", "--columns", "Laut=textt, Not=-, Tier=title, Stk=title").stderr
    assert "--columns: “textt” is not known; did you mean text?" in errors
    assert "--columns: there is no column “Not”; did you mean Notiz?" in errors
    assert "--columns: “Tier” and “Stk” cannot both be the title" in errors
    assert (
        "--columns: “Laut” needs a heading, “=” and its meaning" in run("make", "zoo.csv", "--columns", "Laut").stderr
    )


def test_several_sheets_are_refused(run, folder):
    openpyxl.Workbook().save("deck.xlsx")
    assert "--sheet can only be given once" in run("make", "deck.xlsx", "--sheet", "A", "--sheet", "B").stderr


def test_columns_with_names_of_pictures_are_pictures(run, folder):
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>'
    for name in ("a", "b", "coin"):
        (folder / f"{name}.svg").write_text(drawing)
    (folder / "heroes.csv").write_text("Hero,Portrait,Extra\nAnna,a.svg,coin.svg\nBo,b.svg,coin.svg\n")
    result = run("make", "heroes.csv")
    assert "title (Hero), image (Portrait); also Extra\n" in result.stderr
    rows = "".join(f"Hero {number},{number}.png,https://example.org/{number}\n" for number in range(6))
    (folder / "away.csv").write_text("Hero,Image,Link\n" + rows)
    result = run("make", "away.csv")
    assert result.exit_code == 0
    assert (
        'none of them is in the table’s folder or can be printed: “Image” (--columns "Image=picture" prints it)'
        in result.stderr
    )
    assert 'web or e-mail addresses: “Link” (--columns "Link=text" prints it)' in result.stderr
    assert "no such pictures in the game’s folder" in run("make", "away.csv", "--columns", "Image=picture").stderr


def test_cards_are_enlarged_if_only_their_size_is_the_problem(run, folder):
    (folder / "cards.csv").write_text("Name,Text\nDragon,Roar.\nElf," + "Sing a long song of many words. " * 36)
    result = run("make", "cards.csv")
    assert result.exit_code == 0, result.stderr
    assert (
        "some texts would be too small on poker cards, so all cards have the size tarot (--size poker keeps"
        in result.stderr
    )
    assert "pencilbox new my_game --from cards.csv --size tarot" in result.stderr
    assert run("make", "cards.csv", "--size", "poker", "-o", "small").exit_code == 2
    (folder / "cards.csv").write_text("Name,Text\nDragon,Roar.\nElf," + "Sing a long song of many words. " * 75)
    result = run("make", "cards.csv", "-o", "a6")
    assert result.exit_code == 0 and "have the size 96x132 (--size poker keeps the usual one)" in result.stderr
    (folder / "cards.csv").write_text("Name,Text\nDragon,Roar.\nElf," + "Sing a long song of many words. " * 600)
    result = run("make", "cards.csv", "-o", "longer")
    assert (result.exit_code, "larger (" in result.stderr) == (2, False)


def test_wide_tables_are_printed_on_larger_cards(run, folder):
    names = [f"Stat {letter}" for letter in "KLMNOPQRSTUVWXYZ"]
    rows = [f"{name},{'A long text about it. ' * 5},{','.join(map(str, range(10, 26)))}" for name in ("Orc", "Elf")]
    (folder / "cards.csv").write_text("\n".join([f"Name,Lore,{','.join(names)}", *rows]))
    result = run("make", "cards.csv")
    assert result.exit_code == 0 and "no room" not in result.stderr
    (folder / "cards.csv").write_text("\n".join([f"Name,{','.join(f'F{n}' for n in range(40))}", "Orc" + ",abc" * 40]))
    assert "no room for F20, F21" in run("make", "cards.csv", "--draft").stderr


def test_a_markdown_file_may_be_a_table(run, folder):
    (folder / "loot.md").write_text(
        "# Loot\n\n| Item | Qty | Text |\n|---|--:|---|\n| Rope | 2 | Ties *itself*. |\n| Spoon | 1 | x |"
    )
    result = run("make", "loot.md")
    assert "3 cards (2 different) from loot.md: title (Item), rules (Text)" in result.stderr


def test_words_between_colons_inside_words_are_not_icons(run, folder):
    (folder / "cards.csv").write_text("Name,Text\nRats,Trade 3:2 Metal:Fabric:Oil.\nDog,a:b:c")
    result = run("make", "cards.csv")
    assert result.exit_code == 0, result.stderr
    assert "Metal:Fabric:Oil" in printed(folder / "output/cards/cards-a4.pdf")


def test_forms_can_be_left_out_where_there_are_none(run):
    assert run("make", "cards.csv", "--no-fillable").exit_code == 0
    assert run("make", "cards.csv", "--fillable").exit_code == 2


@pytest.mark.parametrize(("answers", "texts"), [("012", "xvr"), ("123", "xvr"), ("ABC", "xvr")])
def test_answers_may_be_counted_from_0(run, folder, answers, texts):
    rows = [f"Who is it?,{row},{answer}" for row, answer in zip(("x,y,z", "u,v,w", "p,q,r"), answers, strict=True)]
    (folder / "quiz.csv").write_text("\n".join(["Question,Option 1,Option 2,Option 3,Answer", *rows]))
    game = table_game(folder / "quiz.csv", TableLook())
    cards = game.components["cards"]
    assert [card_plans.answer(card.values, cards.columns)[-1] for card in cards.cards] == [*texts]


def test_constants_of_programs_become_words(folder):
    rows = "Lash,DAMAGE_FIRE,main_hand,a_b c\nNova,DAMAGE_COLD,ranged,x\nMend,NONE,ranged,y"
    (folder / "spells.csv").write_text(f"Name,Type,Slot,Mark\n{rows}")
    cards = table_game(folder / "spells.csv", TableLook()).components["cards"].cards
    values = [tuple(card.values[name] for name in ("type", "slot", "mark")) for card in cards]
    assert values == [("Fire", "Main hand", "a_b c"), ("Cold", "Ranged", "x"), ("None", "Ranged", "y")]


@pytest.mark.parametrize(
    ("heading", "cells", "printed"),
    [
        ("Rarity", "COMMON LEGENDARY", "Common Legendary"),
        ("Keywords", '["STEALTH","BATTLE_CRY"] ["STEALTH"]', "Stealth,_Battle_cry Stealth"),
        ("is_rare", "0 1", "false true"),
        ("Flying", "x X", "true true"),
        ("Country", "USA NATO", "USA NATO"),
        ("Arcana", "XVI XXVIII", "XVI XXVIII"),
        ("Rare", "0 1", "0 1"),
    ],
)
def test_words_in_capitals_and_flags_of_programs(folder, heading, cells, printed):
    first, second = (json.loads(cell) if cell[0] == "[" else cell for cell in cells.split(" "))
    rows = [{"name": "Orc", heading: first}, {"name": "Elf", heading: second}, {"name": "Ent"}]
    (folder / "deck.json").write_text(json.dumps(rows))
    component = table_game(folder / "deck.json", TableLook()).components["cards"]
    name = next(name for name, each in component.columns.headings.items() if each == heading)
    values = [str(card.values[name]).replace(" ", "_") for card in component.cards[:2]]
    assert values == printed.split(" ")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("sea deck 3f2a9c81d4e04b6fa1b2c3d4e5f60718", "Sea deck"),
        ("Sea deck (1)", "Sea deck"),
        ("query_2024-03-01", "Cards"),
        ("Birds v1.2", "Birds"),
        ("Hxk2LrQp - bird-watching", "Bird watching"),
        ("6Qw2x1 - retro", "Retro"),
        ("Klasse10 Formeln 9b", "Klasse10 Formeln 9b"),
        ("Ideas (Responses) - Form Responses 1", "Ideas"),
        ("Level 2 (b)", "Level 2 (b)"),
    ],
)
def test_what_programs_add_to_names_of_files_is_not_in_the_title(folder, name, title):
    (folder / f"{name}.csv").write_text("Name\nOrc\nElf\nEnt")
    assert table_game(folder / f"{name}.csv", TableLook()).definition.title == title
