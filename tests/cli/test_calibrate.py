"""pencilbox calibrate, and make with a calibrated printer."""

import io
import json
import sys

import pytest
from pypdf import PdfReader, PdfWriter

from generator import games, pdf
from generator.cli import completions
from generator.errors import InputError, noting
from generator.geometry.outlines import IDENTITY, inverse, moved, multiplied
from generator.printing import printers
from generator.printing.press import Press
from generator.printing.printed_pages import print_settings, read_pages
from generator.printing.printers import Calibration, Printer, Shift, mirror
from generator.printing.verify import _Method, _reprinted
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.presses import with_settings

READINGS = "S6,S6,P5,P5,S6,S6,P5,P5"
SHIFT = Shift(0.5, -0.3, 0.2, 1.002, 0.999)


@pytest.fixture
def pencilbox(pencilbox, tmp_path, monkeypatch):
    """Runs a command with an empty configuration, and with lines typed by the user."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))

    def run(*words, typed=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return pencilbox(*words)

    return run


@pytest.fixture
def config(tmp_path):
    folder = tmp_path / "home" / "pencilbox"
    folder.mkdir(parents=True)
    return folder


def enter(pencilbox, *words, readings=READINGS):
    return pencilbox("calibrate", "--enter", "--printer", "office", "--paper", "a4", "--readings", readings, *words)


# ---- the sheet ------------------------------------------------------------------------------------------------------


def test_the_sheet_names_its_next_command(pencilbox):
    code, _, err = pencilbox("calibrate", "--paper", "letter", "--duplex", "short", "--printer", "office")
    assert code == 0, err
    assert "output/calibration/sheet-letter-short.pdf" in err
    front, back = PdfReader("output/calibration/sheet-letter-short.pdf").pages
    assert "pencilbox calibrate --enter --printer office --paper letter --duplex short" in front.extract_text()
    assert "Back" in back.extract_text()
    assert float(front.mediabox.width) == pytest.approx(612)


def test_the_check_sheet_is_corrected_on_its_back_only(pencilbox):
    enter(pencilbox)
    pencilbox("calibrate", "--paper", "a4")
    assert pencilbox("calibrate", "--check", "--printer", "office", "--paper", "a4")[0] == 0
    plain, check = (
        [{ink.text: ink for ink in page.ink if ink.size} for page in read_pages(f.read_bytes())]
        for f in map(printers.Path, ("output/calibration/sheet-a4.pdf", "output/calibration/check-a4-office.pdf"))
    )
    assert plain[0]["Z"].x == check[0]["Z"].x
    assert check[1]["Back"].x - plain[1]["Back"].x == pytest.approx(0.4, abs=0.02), "mirrored: to the right on the back"


# ---- readings -------------------------------------------------------------------------------------------------------


def test_readings_are_stored_listed_and_forgotten(pencilbox):
    code, out, err = enter(pencilbox)
    assert code == 0, err
    assert "Backs were off by 0.40 mm to the right, 0.10 mm down" in out
    entry = json.loads(pencilbox("calibrate", "--list", "--format", "json")[1])[0]
    assert (
        entry["printer"] == "office" and entry["tray"] is None and entry["paper"] == "a4" and entry["duplex"] == "long"
    )
    assert (entry["x"], entry["y"]) == pytest.approx((0.4, 0.1), abs=0.01)
    enter(pencilbox, "--tray", "2")
    enter(pencilbox, "--duplex", "booklet")
    assert len(json.loads(pencilbox("calibrate", "--list", "--format", "json")[1])) == 3
    assert (
        "Forgotten: office, tray 2, a4, long"
        in pencilbox("calibrate", "--forget", "--printer", "office", "--tray", "2")[1]
    )
    assert pencilbox("calibrate", "--forget", "--printer", "office")[0] == 0
    assert pencilbox("calibrate", "--list")[1].startswith("Nothing is calibrated.")
    assert pencilbox("calibrate", "--forget", "--printer", "office")[0] == 2


def test_a_scaled_sheet_is_refused_and_nothing_is_stored(pencilbox):
    code, _, err = enter(pencilbox, "--rulers", "97x97")
    assert code == 2 and "the sheet was printed at 97%: “fit to page” was on; choose 100%" in err
    assert not printers.calibration_file().exists()
    assert enter(pencilbox, "--rulers", "97x97", "--accept-scale")[0] == 0


def test_questions_are_asked_again_after_mistakes_and_contradictions(pencilbox):
    wrong = ["N5", "N5", "N5", "N5", "N5", "N5", "N5"]
    typed = ["my printer", "office", "long", "100", "99.8", "I5", "V6", *wrong]
    again = ["N5"] * 12
    code, out, err = pencilbox("calibrate", "--enter", "--paper", "a4", typed="\n".join([*typed, *again]))
    assert code == 0, err
    for message in ("“my printer” is not a name for a printer", "“long” is not the length of a ruler", "no line I"):
        assert message in err
    assert "the readings contradict each other by" in err and "; read scale" in err
    assert "Backs were off by 0.00 mm" in out


def test_a_check_sheet_that_reads_the_middle_passes_and_changes_nothing(pencilbox):
    enter(pencilbox)
    before = printers.calibrations()[0].shift
    code, out, err = enter(pencilbox, "--check", readings="N5 N5 N5 N5 N5 N5 N5 N5")
    assert code == 0 and "Passed: no reading is off by more than 0.00 mm." in out, err
    assert printers.calibrations()[0].shift.x == pytest.approx(before.x, abs=0.001)
    out = enter(pencilbox, "--check", readings="R5 R5 N5 N5 R5 R5 N5 N5")[1]
    assert "Readings are off by up to 0.30 mm. The correction is adjusted" in out
    assert printers.calibrations()[0].shift.x == pytest.approx(before.x + 0.3, abs=0.002)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--readings", "N5"), "--readings only works with --enter"),
        (("--enter", "--list"), "--enter and --list cannot be used together"),
        (("--check",), "--check needs --printer"),
        (("--check", "--printer", "office"), "no calibration of a printer “office”"),
        (("--forget",), "--forget needs --printer"),
        (("--enter", "--readings", "N5"), "--printer is missing"),
        (("--printer", "my printer"), "is not a name for a printer"),
        (("--paper", "a5"), "a5 is too small for the calibration sheet"),
    ],
)
def test_misuse_is_reported(pencilbox, words, message):
    code, _, err = pencilbox("calibrate", *words)
    assert code == 2 and message in err


# ---- the file -------------------------------------------------------------------------------------------------------

FILE = """\
# office
[[calibration]]
printer = "office"
paper = "a4"
duplex = "long"
x = 0.1
y = 0.2
angle = 0.0
scale_x = 1
scale_y = 1.0
"""


def test_every_problem_of_the_file_has_its_line(pencilbox, config):
    second = FILE.replace('"a4"', '"a99"').replace("x = 0.1", "x = 11").replace("angle", "angel")
    (config / "calibration.toml").write_text(f"colour = 1\n{FILE}{second}{FILE}")
    code, _, err = pencilbox("calibrate", "--list")
    assert code == 2
    for line, words in [
        (1, "unknown key “colour”"),
        (13, "lacks angle"),
        (15, "“paper”: no paper “a99”"),
        (17, "“x”: is 11; it must be from -10 to 10 mm"),
        (19, "unknown key “angel”; did you mean angle?"),
        (23, "office, a4, long is calibrated twice; see"),
    ]:
        assert f"calibration.toml:{line}: {words}" in err, (line, err)


def test_what_is_written_is_what_is_read(pencilbox, config):
    written = Calibration("office", "2", paper("letter"), "booklet", Shift(-1.25, 0.5, -0.125, 1.0015, 0.9975))
    printers.write([written])
    (read,) = printers.calibrations()
    assert read.key == written.key and read.shift == written.shift


def test_the_names_of_printers_are_completed(pencilbox, config):
    printers.write([Calibration(name, "", paper("a4"), "long", Shift()) for name in ("office", "home")])
    assert [item.value for item in completions.printers(None, None, "o")] == ["office"]
    (config / "calibration.toml").write_text("\nx = =\n")
    assert completions.printers(None, None, "") == []
    code, _, err = pencilbox("calibrate", "--list")
    assert code == 2 and "calibration.toml:2: not readable as TOML" in err


def test_trays_are_chosen_by_name_or_because_there_is_only_one(pencilbox, config):
    entries = [Calibration("office", tray, paper("a4"), "long", Shift(x=x)) for tray, x in (("1", 0.1), ("2", 0.2))]
    printers.write(entries[:1])
    assert printers.printer("office").calibrations[0].shift.x == 0.1
    printers.write(entries)
    assert printers.printer("office", "2").calibrations[0].shift.x == 0.2
    with pytest.raises(InputError, match="office is calibrated for several trays: 1, 2; choose one with --tray"):
        printers.printer("office")
    with pytest.raises(InputError, match="no calibration of a tray “3”; known: 1, 2"):
        printers.printer("office", "3")


# ---- make -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def press():
    game = load("from_the_ground_up")
    return Press(game, games.deal(game))


def office(mode):
    return Printer("office", (Calibration("office", "", paper("a4"), mode, SHIFT),))


@pytest.mark.parametrize("mode", ["long", "short", "booklet"])
def test_everything_on_the_backs_is_moved_and_nothing_on_the_fronts(press, mode):
    name, settings = ("rules", {}) if mode == "booklet" else ("reference", {"duplex": mode})
    before = with_settings(press, **settings).component(name, paper("a4")).pdf
    printed = with_settings(press, **settings, printer=office(mode)).component(name, paper("a4"))
    assert printed.printer == "office"
    after = printed.pdf
    plain, pages = read_pages(before), read_pages(after)
    width, height = pages[0].width, pages[0].height
    flip = mirror(mode, width, height)
    wanted = multiplied(flip, multiplied(inverse(SHIFT.matrix(width, height)), flip))
    for number, (before, after) in enumerate(zip(plain, pages, strict=True)):
        if number % 2 == 0:
            assert before == after
            continue
        pairs = [pair for pair in zip(before.ink, after.ink, strict=True) if pair[0].size]
        assert pairs
        for one, other in pairs:
            assert (other.x, other.y) == pytest.approx(moved(wanted, one.x, one.y), abs=0.01)


def test_what_is_not_calibrated_is_noted_and_printed_as_usual(press):
    with noting() as notes:
        printed = with_settings(press, duplex="short", printer=office("long")).component("reference", paper("a4"))
    assert (
        printed.printer == ""
        and printed.pdf == with_settings(press, duplex="short").component("reference", paper("a4")).pdf
    )
    assert [str(note) for note in notes] == [
        "backs are not corrected: office is not calibrated for a4 flipped on the short edge; "
        "“pencilbox calibrate --printer office --paper a4 --duplex short” prints the sheet"
    ]
    with noting() as notes:
        folded = with_settings(press, duplex="gutterfold", printer=office("long"))
        assert folded.component("reference", paper("a4")).printer == ""
    assert not notes


def test_make_corrects_backs_for_the_printer_in_the_settings_or_the_options(pencilbox, config):
    printers.write([Calibration("office", "", paper("a4"), "long", SHIFT)])
    (config / "config.toml").write_text('printer = "office"\n')

    def make(*words):
        code, out, err = pencilbox("make", "from_the_ground_up", "reference", "--format", "json", *words)
        assert code == 0, err
        return json.loads(out)[0]

    first = make()
    assert first["printer"] == "office" and first["file"].endswith("reference-a4-printer-office.pdf")
    assert make()["unchanged"]
    printers.write([Calibration("office", "", paper("a4"), "long", Shift(x=1))])
    assert not make()["unchanged"], "the calibration has changed"
    plain = make("--printer", "none")
    assert plain["printer"] is None and plain["file"].endswith("reference-a4.pdf")
    code, _, err = pencilbox("make", "from_the_ground_up", "--printer", "ofice")
    assert code == 2 and "no calibration of a printer “ofice”; did you mean office?" in err
    code, _, err = pencilbox("make", "from_the_ground_up", "table", "--printer", "office")
    assert code == 2 and "--printer corrects the backs of cards and booklets, and none is printed" in err


def test_verify_prints_the_same_corrected_backs_again(press, tmp_path):
    file = tmp_path / "reference.pdf"
    file.write_bytes(with_settings(press, printer=office("long")).component("reference", paper("a4")).pdf)
    _, backs, _ = print_settings(file)
    assert backs == pytest.approx(office("long").backs(paper("a4"), "long"), abs=1e-5)
    method = _Method(press.part("reference"), paper("a4"), "long")
    assert _reprinted(press, method, backs)[1] == read_pages(file)
    for damaged in ("1 2 3", "nan " * 6, "9 0 0 9 0 0", "1e999 0 0 1 0 0"):
        file.write_bytes(pdf.write(press.pages(method.part, paper("a4")), press.theme, info=pdf.Info(title=damaged)))
        writer = PdfWriter(clone_from=file)
        writer.add_metadata({"/PencilboxBacks": damaged})
        writer.write(file)
        assert print_settings(file)[1] == IDENTITY
