"""pencilbox make: the files it writes, what it prints, and what it refuses."""

import json
import os
import re
import shutil
import subprocess
import sys
from io import BytesIO

import pypdfium2
import pytest
import zxingcpp
from click.testing import CliRunner
from pypdf import PdfReader

from generator import paths
from generator.errors import InputError
from generator.printing.plan import usual_components
from generator.reading.load import load
from tests.page_texts import page_texts

GAME = "from_the_ground_up"
EXAMPLE = paths.ROOT / "examples" / "lantern_walk"


def test_make_lists_the_files_and_how_to_print_them(pencilbox, tmp_path):
    code, out, _ = pencilbox("make", GAME, "cards", "tally", "box")
    assert code == 0
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.pdf")}
    assert files == {line.split()[0] for line in out.splitlines()}
    assert f"output/{GAME}/cards-a4.pdf" in files
    cards = next(line for line in out.splitlines() if "cards-a4" in line)
    assert "2 pages" in cards and "100%" in cards and "flip on the long edge" in cards


def test_json_names_every_file(pencilbox, tmp_path):
    code, out, _ = pencilbox(
        "make", GAME, "-c", "cards", "-p", "a4", "-p", "letter", "--duplex", "short", "--format", "json"
    )
    files = json.loads(out)
    assert code == 0
    assert [file["file"] for file in files] == [f"output/{GAME}/cards-{on}-duplex-short.pdf" for on in ("a4", "letter")]
    assert {file["duplex"] for file in files} == {"short"}
    assert all((tmp_path / file["file"]).is_file() for file in files)


def test_the_list_of_games_says_which_components_share_pages(pencilbox):
    """A component without its own file is listed as printed with another."""
    _, out, _ = pencilbox("games", "--format", "json")
    for entry in json.loads(out):
        shared = {part["name"] for part in entry["components"] if part["printed_with"]}
        assert not shared & set(usual_components(load(entry["game"])))
    _, text, _ = pencilbox("games", "elevator_up")
    (line,) = (line for line in text.splitlines() if "reference" in line)
    assert line.endswith("(Printed with cards.)")


def test_quiet_prints_nothing(pencilbox):
    assert pencilbox("make", GAME, "-c", "tally", "-q") == (0, "", "")


def test_a_random_set_has_its_code_on_every_card_and_in_its_file_name(pencilbox, tmp_path):
    pencilbox("make", GAME, "-c", "cards")
    standard = (tmp_path / f"output/{GAME}/cards-a4.pdf").read_bytes()
    code, out, _ = pencilbox("make", GAME, "-c", "cards", "--random", "--seed", "tonight", "--format", "json")
    (printed,) = json.loads(out)
    assert code == 0
    assert printed["file"] == f"output/{GAME}/cards-a4-{printed['set']}.pdf"
    assert (tmp_path / f"output/{GAME}/cards-a4.pdf").read_bytes() == standard
    pdf = PdfReader(BytesIO((tmp_path / printed["file"]).read_bytes()))
    assert [text.count(printed["set"]) for text in page_texts(tmp_path / printed["file"])] == [12, 12]
    assert printed["set"] in pdf.metadata["/Keywords"]
    assert pdf.metadata["/PencilboxSet"] == printed["set"]


def test_a_code_prints_the_same_set_again(pencilbox, tmp_path):
    _, out, _ = pencilbox("make", GAME, "-c", "cards", "--random", "--format", "json", "-o", "first")
    (printed,) = json.loads(out)
    assert pencilbox("make", GAME, "-c", "cards", "--set", printed["set"].lower(), "-o", "second")[0] == 0
    first, second = (
        (tmp_path / printed["file"].replace("first", folder)).read_bytes() for folder in ("first", "second")
    )
    assert first == second


def test_a_print_run_is_printed_together(pencilbox, tmp_path):
    """The sets of several codes and of a file of codes each get their own file, and none is printed twice."""
    from generator.cli.randomise import command as randomise

    CliRunner().invoke(
        randomise, [GAME, "--print-run", "3", "--seed", "club", "-o", "club.txt"], catch_exceptions=False
    )
    codes = [line for line in (tmp_path / "club.txt").read_text().splitlines() if line.startswith("GU-")]
    assert len(codes) == 3
    code, out, _ = pencilbox(
        "make",
        GAME,
        "cards",
        "--set",
        "club.txt",
        "--set",
        codes[1],
        "--set",
        "GU-1C01-NDRFZ-3ZJ57-RC",
        "--format",
        "json",
    )
    assert code == 0
    files = json.loads(out)
    assert [file["set"] for file in files] == [*codes, "GU-1C01-NDRFZ-3ZJ57-RC"]
    assert len({(tmp_path / file["file"]).read_bytes() for file in files}) == 4


def test_a_file_without_codes_is_refused(pencilbox, tmp_path):
    (tmp_path / "notes.txt").write_text("GU: the one with the long rows\n")
    code, _, err = pencilbox("make", GAME, "cards", "--set", "notes.txt")
    assert code == 2
    assert "notes.txt: contains no set codes" in err


def test_your_own_game_is_printed(pencilbox, tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "My Game")
    code, _, _ = pencilbox("make", "My Game")
    assert code == 0
    assert sorted(path.name for path in (tmp_path / "output" / "My Game").iterdir()) == [
        "cards-a4.pdf",
        "sheet-a4-fillable.pdf",
        "sheet-a4.pdf",
    ]
    assert "Night Market" in page_texts(tmp_path / "output/My Game/cards-a4.pdf")[0]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "GAME is missing; one of"),
        (["upwards", "shet"], "there is no game, folder or component “shet”; did you mean sheet?"),
        (["upward"], "there is no game or folder “upward”; did you mean upwards?"),
        (
            ["dealer"],
            "“dealer” is a component, not a game; name the game first, for example: pencilbox make elevator_up",
        ),
        ([str(EXAMPLE / "templates/card.xml.j2")], "card.xml.j2 is neither a game nor a table of cards; a table is a"),
        (["upwards", str(EXAMPLE / "icons/lantern.svg")], "lantern.svg is neither a game nor a table of cards"),
        ([str(EXAMPLE / "card.csv")], "card.csv”; did you mean cards.csv?"),
        ([str(EXAMPLE), "--size", "poker"], "--size is for tables without a game.yaml; Lantern Walk states its own"),
        (["rolling_cubes", "foo"], "known: dice, box, band, tray, label, strip"),
        (["from_the_grund_up"], "did you mean from_the_ground_up?"),
        ([GAME, "-c", "card"], "did you mean cards?"),
        ([GAME, "-p", "a44"], "did you mean a4?"),
        ([GAME, "--duplex", "both"], "--duplex cannot be “both”"),
        ([GAME, "--set", "GU-1C01-NDRFZ-3ZJ57-RD"], "GU-1C01-NDRFZ-3ZJ57-RC"),
        ([GAME, "--set", "EU-1C01-NDRFZ-3ZJ57-RC"], "GU"),
        ([GAME, "--seed", "x"], "--seed only works with --random"),
        ([GAME, "--set", "GU-1C01-NDRFZ-3ZJ57-RC", "--random"], "cannot be used together"),
        ([str(EXAMPLE), "--random"], "has no random sets"),
    ],
)
def test_a_wrong_command_is_refused_in_one_line(pencilbox, tmp_path, args, message):
    code, out, err = pencilbox("make", *args)
    assert (code, out) == (2, "")
    assert message in err and "Traceback" not in err
    assert not list(tmp_path.rglob("*.pdf"))


def test_problems_of_templates_and_cards_are_reported_together(pencilbox, tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "own")
    (folder / "cards.csv").write_text(
        (folder / "cards.csv").read_text().replace("Discard a card", "Discard a card " * 60)
    )
    (folder / "templates" / "sheet.xml.j2").write_text('<face><colum/><text style="bodi">x</text></face>')
    code, _, err = pencilbox("make", "own")
    assert code == 2
    assert "card 8" in err and "mm" in err
    assert "did you mean column?" in err and "did you mean body?" in err
    assert not list(tmp_path.rglob("*.pdf"))


def test_nothing_is_written_outside_the_output_folder(pencilbox, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / GAME).symlink_to(tmp_path / "elsewhere")
    code, _, err = pencilbox("make", GAME, "-c", "tally")
    assert code == 2
    assert "is outside the output folder" in err
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_folder_that_cannot_be_written_is_reported(pencilbox, tmp_path):
    (tmp_path / "taken").write_text("a file")
    code, _, err = pencilbox("make", GAME, "-c", "tally", "-o", "taken/x")
    assert code == 2
    assert "Traceback" not in err and "taken" in err


def test_every_command_has_help():
    from generator.cli import COMMANDS
    from generator.cli import pencilbox as group

    for name in (*COMMANDS, "randomize"):
        done = CliRunner().invoke(group, [name, "--help"])
        assert done.exit_code == 0, name
        assert "Usage" in done.output


def test_no_color_is_honoured(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "generator", "make", "nosuch"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(paths.ROOT), "FORCE_COLOR": "1"},
    )
    assert done.returncode == 2
    assert "\x1b" not in done.stderr


def test_decks_of_one_size_share_their_pages(pencilbox, tmp_path):
    """Fifty cards and two reference cards fit on six sheets of paper; printed apart, they need seven."""
    _, out, _ = pencilbox("make", "elevator_up", "--no-fillable", "--format", "json")
    files = {file["component"]: file for file in json.loads(out)}
    assert "reference" not in files
    assert files["cards"]["pages"] == 12
    assert "YOUR TURN" in page_texts(tmp_path / files["cards"]["file"])[10]
    assert pencilbox("make", "elevator_up", "-c", "reference")[0] == 0


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("sheet", "is not a deck with the same size"),
        ("cards", "must name another component"),
        ("card", "known: sheet"),
    ],
)
def test_components_that_cannot_share_pages_are_refused(pencilbox, tmp_path, other, message):
    folder = shutil.copytree(EXAMPLE, tmp_path / "own")
    game = (folder / "game.yaml").read_text()
    (folder / "game.yaml").write_text(game.replace("    face: card\n", f"    face: card\n    with: [{other}]\n"))
    code, _, err = pencilbox("make", "own")
    assert code == 2 and message in err


def test_rules_can_be_printed_page_by_page(pencilbox, tmp_path):
    _, out, _ = pencilbox("make", GAME, "-c", "rules", "--no-booklet", "--format", "json")
    (printed,) = json.loads(out)
    assert (printed["file"], printed["pages"], printed["duplex"]) == (f"output/{GAME}/rules-a4-pages.pdf", 11, None)
    pages = PdfReader(tmp_path / printed["file"]).pages
    words = page_texts(tmp_path / printed["file"])
    title = "From the Ground Up"
    numbers = [n for n in range(1, 13) if any(t.startswith((f"{n} {title}", f"{title} {n} ")) for t in words)]
    assert numbers == [2, 3, 4, 5, 7, 8, 9, 10], "no numbers on the covers and the spread"
    assert float(pages[0].mediabox.width) < float(pages[0].mediabox.height)


def test_a_pad_is_numbered_and_not_fillable(pencilbox, tmp_path):
    _, out, _ = pencilbox("make", GAME, "-c", "tally", "--copies", "3", "--format", "json")
    (printed,) = json.loads(out)
    assert (printed["file"], printed["pages"], printed["fillable"]) == (f"output/{GAME}/tally-a4-pad-3.pdf", 3, False)
    serials = []
    with pypdfium2.PdfDocument(tmp_path / printed["file"]) as pad:
        for page in pad:
            codes = {barcode.text for barcode in zxingcpp.read_barcodes(page.render(scale=2).to_pil())}
            serials += [code[1:5] for code in codes if code[0] == "1"]
            page.close()
    assert serials == ["0001", "0002", "0003"]


def test_low_ink_files_have_their_own_names(pencilbox, tmp_path):
    pencilbox("make", GAME, "-c", "cards")
    code, out, _ = pencilbox("make", GAME, "-c", "cards", "--low-ink")
    assert code == 0 and "cards-a4-low-ink.pdf" in out
    full, thrifty = (tmp_path / f"output/{GAME}/cards-a4{mark}.pdf" for mark in ("", "-low-ink"))
    assert full.read_bytes() != thrifty.read_bytes()


def test_high_contrast_has_its_own_files_for_own_games_too(pencilbox, tmp_path):
    (tmp_path / "pencilbox.toml").write_text("high_contrast = true")
    (tmp_path / "cards.csv").write_text("title,text\nAnn,Draw two\n")
    code, out, err = pencilbox("make", "cards.csv", "--low-ink")
    assert code == 0, err
    assert "cards-a4-low-ink-high-contrast.pdf" in out
    assert "cards-a4.pdf" in pencilbox("make", "cards.csv", "--no-high-contrast")[1]


def test_only_what_is_larger_has_another_name_in_large_print(pencilbox):
    code, out, err = pencilbox("make", GAME, "reference", "dice", "--large-print")
    assert code == 0, err
    assert "reference-a4-large-print.pdf" in out and "dice-a4.pdf" in out


def test_the_rules_show_standard_cards_whatever_the_set(pencilbox, tmp_path):
    code, out, err = pencilbox("make", GAME, "-c", "rules", "--set", "GU-1C01-NDRFZ-3ZJ57-RC", "--format", "json")
    assert code == 0, err
    (printed,) = json.loads(out)
    pencilbox("make", GAME, "-c", "rules")
    texts = [
        sorted(re.sub(f"(Set )?{printed['set']}", "", " ".join(page_texts(tmp_path / file))).split())
        for file in (printed["file"], f"output/{GAME}/rules-a4.pdf")
    ]
    assert texts[0] == texts[1]


# ---- sets -----------------------------------------------------------------------------------------------------------

CODE = "GU-1C01-NDRFZ-3ZJ57-RC"


def test_a_set_code_alone_prints_what_depends_on_the_set(pencilbox):
    code, out, err = pencilbox("make", "--set", CODE, "--format", "json")
    assert code == 0, err
    assert {file["component"] for file in json.loads(out)} == {"cards", "table"}
    code, out, err = pencilbox("make", "--set", CODE, "--force")
    assert "same for every set: reference, dice, box, tally, rules." in err and f"pencilbox make {GAME}" in err
    _, out, err = pencilbox("make", "tally", "--set", CODE, "--no-fillable", "--format", "json")
    assert [file["component"] for file in json.loads(out)] == ["tally"] and err == ""


def test_codes_of_several_games_are_printed_together(pencilbox):
    drawn = [pencilbox("randomise", key, "--seed", "x", "--format", "json")[1] for key in (GAME, "upwards")]
    codes = [json.loads(text)[0]["set"] for text in drawn]
    _, out, _ = pencilbox("make", "--set", codes[0], "--set", codes[1], "--no-fillable", "--format", "json")
    assert [(file["component"], file["set"]) for file in json.loads(out)] == [
        ("cards", codes[0]),
        ("table", codes[0]),
        ("strip", codes[1]),
    ]
    code, _, err = pencilbox("make", "--set", "ZZ-1C01-NDRFZ-3ZJ57-RC")
    assert code == 2 and err.count("\n") == 1


@pytest.mark.parametrize(
    ("game", "part"), [("rolling_cubes", "strip"), ("rolling_cubes", "dice"), ("upwards", "strip")]
)
def test_random_draws_the_kind_that_a_component_needs(pencilbox, game, part):
    code, out, err = pencilbox("make", game, part, "--random", "--seed", "x", "--format", "json")
    assert code == 0, err
    (printed,) = json.loads(out)
    assert printed["component"] == part and printed["set"] in printed["file"]
    if part == "strip":
        assert "add --random to draw one, or --set CODE" in pencilbox("make", game, part)[2]


# ---- options that do nothing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "elevator_up cards --copies 3",
            "--copies prints pads of score sheets, and none is printed; it works with log",
        ),
        ("elevator_up log --no-booklet", "--booklet is for rules, and none is printed; it works with rules"),
        ("elevator_up log --duplex none", "--duplex is for cards with backs, and none is printed; it works with cards"),
        ("upwards --duplex none", "--duplex is for cards with backs, and none is printed; Upwards! has none"),
        ("elevator_up box --large-print", "--large-print changes nothing here; it works with cards, reference, "),
        ("upwards rules --large-print --booklet", "--booklet cannot be used with --large-print"),
        ("elevator_up box --fillable", "--fillable is for score sheets, and none is printed"),
        ("elevator_up log --fillable --copies 2", "--fillable is for score sheets, and none is printed"),
        (f"{EXAMPLE} --low-ink", "--low-ink changes nothing here; add a low_ink.yaml"),
    ],
)
def test_an_option_that_changes_nothing_is_refused(pencilbox, tmp_path, words, message):
    code, _, err = pencilbox("make", *words.split())
    assert (code, err.count("\n")) == (2, 1)
    assert message in err
    assert not (tmp_path / "output").exists()


# ---- files ----------------------------------------------------------------------------------------------------------


def test_every_mode_has_its_own_file(pencilbox):
    modes = ["", "--duplex short", "--duplex none", "--duplex gutterfold", "--low-ink", "--paper legal"]
    names = [pencilbox("make", GAME, "cards", *mode.split())[1].split()[0] for mode in modes]
    assert len(set(names)) == len(modes)
    assert pencilbox("make", GAME, "cards", "--duplex", "long")[1].split()[0] == names[0]


def test_files_outside_the_output_folder_are_not_replaced(pencilbox, tmp_path):
    command = ("make", GAME, "cards", "-o", "prints")
    file = tmp_path / "prints" / GAME / "cards-a4.pdf"
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    code, _, err = pencilbox(*command)
    assert (code, err) == (2, f"error: prints/{GAME}/cards-a4.pdf: file already exists; --force replaces it\n")
    assert pencilbox(*command, "--force")[0] == 0
    for _ in range(2):
        assert pencilbox("make", GAME, "cards")[0] == 0


def test_a_terminal_asks_before_a_file_is_replaced(tmp_path, monkeypatch):
    from generator.cli import console as outputs

    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.pdf").write_text("old")
    monkeypatch.setattr(outputs.sys, "stdin", type("Terminal", (), {"isatty": lambda self: True})())
    monkeypatch.setattr(outputs.sys.stderr, "isatty", lambda: True, raising=False)
    for answer in (True, False):
        monkeypatch.setattr(outputs.click, "confirm", lambda *_words, answer=answer, **_how: answer)
        if answer:
            outputs.may_write([tmp_path / "a.pdf"], False)
        else:
            with pytest.raises(InputError, match="nothing was written"):
                outputs.may_write([tmp_path / "a.pdf"], False)


def test_two_games_with_the_same_folder_name_are_refused(pencilbox, tmp_path):
    for folder in ("a", "b"):
        shutil.copytree(EXAMPLE, tmp_path / folder / "walk")
    code, _, err = pencilbox("make", "a/walk", "b/walk")
    assert code == 2 and "would be written twice" in err


# ---- the end --------------------------------------------------------------------------------------------------------


def test_make_ends_with_the_next_steps(pencilbox):
    _, _, err = pencilbox("make", "upwards")
    assert "Open the rules first:\n  output/upwards/rules-a4.pdf\n" in err
    assert "  pencilbox fill upwards    type in" in err and "  pencilbox score FORM.pdf  score" in err
    assert pencilbox("make", "upwards", "--quiet")[2] == ""


def test_open_starts_the_viewer(pencilbox, monkeypatch):
    from generator.cli import console as outputs

    opened = []
    monkeypatch.setattr(outputs.click, "launch", lambda path: opened.append(path) or 0)
    assert pencilbox("make", GAME, "tally", "--no-fillable", "--open")[0] == 0
    assert pencilbox("make", GAME, "tally", "--open")[0] == 0
    assert opened == [f"output/{GAME}/tally-a4.pdf", f"output/{GAME}"]
    monkeypatch.setattr(outputs.click, "launch", lambda path: 3)
    code, _, err = pencilbox("make", GAME, "tally", "--open")
    assert code == 2 and "cannot be opened" in err


def test_notes_on_art_become_errors_with_strict(pencilbox, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
        '<filter id="a"><feGaussianBlur stdDeviation="1"/></filter><g filter="url(#a)"><path d="M0 0h9v9z"/></g></svg>'
    )
    (tmp_path / "art.svg").write_text(svg)
    (tmp_path / "cards.csv").write_text("name,image\nDragon,art.svg\nGoblin,art.svg\n")
    code, out, err = pencilbox("make", "cards.csv", "--format", "json")
    (file,) = json.loads(out)
    (note,) = file["notes"]
    assert (code, note["file"]) == (0, "art.svg")
    assert note["message"] == "uses a filter, so it is printed as a picture at 300 dpi"
    code, _, err = pencilbox("make", "cards.csv", "--strict")
    assert code == 2
    assert "error: art.svg: uses a filter, so it is printed as a picture" in err
