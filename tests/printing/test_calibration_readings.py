"""What is typed from a calibration sheet: labels, mistakes, and readings that contradict each other."""

from random import Random

import pytest

from generator.errors import InputError
from generator.geometry.outlines import IDENTITY
from generator.printing import calibration_sheet as readings
from generator.printing.calibration_sheet import LETTERS, sheet
from generator.printing.printers import Shift
from generator.reading.sizes import paper
from tests.printing.simulated_printers import Machine, read
from tests.printing.test_simulated_printers import random_machine

SHEET = sheet(paper("a4"), "long")
PERFECT = ["N5"] * 8


def offset(label, number=1):
    return readings.read(label, SHEET.scales[number - 1], SHEET).offset


def problems(labels):
    with pytest.raises(InputError) as error:
        readings.read_all(labels, SHEET)
    return [str(problem) for problem in error.value.problems]


def test_labels_are_offsets():
    for label, mm in [("N5", 0), ("P5", 0.1), ("NP5", 0.05), ("pn5", 0.05), ("5 n", 0), ("M5", -0.1), ("C6", 1.2)]:
        assert offset(label) == pytest.approx(mm), label
    assert offset("N7") == pytest.approx(2.2), "one line farther"


def test_every_problem_is_reported_at_once():
    found = problems(["I5", "N0", "7", "AC5", "N6", "N5", "N5", "N5"])
    assert len(found) == 5
    assert found[0] == "scale 1: there is no line I; the sheet has no I and no O"
    assert found[1].startswith("scale 2: there is no number 0; its numbers are 1 to 9; if the pointer is outside them")
    assert found[2].startswith("scale 3: “7” is not a label; type the letter of the comb and the number")
    assert "names two lines that are not next to each other" in found[3]
    assert found[4] == (
        "scale 5: N6 is not possible, letter and number do not belong together; read both again: with N the pointer is "
        "near 1, 3, 5, 7, 9"
    )


def test_missing_readings_are_named():
    (found,) = problems(["N5"] * 6)
    assert found == (
        "6 of 8 readings: those of 7 (bottom left, left edge), 8 (top left, left edge) are missing; "
        "give the readings of scales 1 to 8 in order"
    )
    assert problems(["N5"] * 9) == ["9 readings, but the sheet has 8 scales"]


def test_readings_that_contradict_the_others_are_to_be_read_again():
    random = Random("contradictions")
    for number in range(24):
        machine, wrong = random_machine(random, noise=0.0), random.randrange(8)
        labels = read(machine, "a4", "long", IDENTITY)
        right = labels[wrong]
        index = LETTERS.index(right[0])
        other = LETTERS[index + (9 if index < 12 else -9)]
        fitting = [f"{other}{pointer}" for pointer in range(1, 10) if is_possible(f"{other}{pointer}", wrong + 1)]
        labels[wrong] = min(fitting, key=lambda label: abs(int(label[-1]) - int(right[-1])))
        with pytest.raises(readings.ContradictionError) as error:
            readings.shift_of(readings.read_all(labels, SHEET))
        assert wrong + 1 in error.value.numbers, (number, right, labels)
        assert len(error.value.numbers) <= 3


def is_possible(label, number):
    try:
        return bool(offset(label, number)) or True
    except InputError:
        return False


def test_rulers_tell_whether_the_sheet_was_scaled():
    assert readings.ruler_problem(100, 99.5) is None
    assert "printed at 97%: “fit to page” was on" in str(readings.ruler_problem(97, 97.2))
    assert "printed at 102%" in str(readings.ruler_problem(102, 100))
    assert readings.ruler_length("97,5 mm".replace(" ", "")) == 97.5
    for text in ("", "ten", "5", "1000", "nan"):
        with pytest.raises(InputError):
            readings.ruler_length(text)


def test_a_check_sheet_adds_to_what_is_known():
    before = Shift(1.0, -0.5, 0.1, 1.001, 0.999)
    size = SHEET.width, SHEET.height
    after = readings.after(before, Shift(0.2, 0.1, 0.05, 1.0, 1.0), SHEET)
    assert (after.x, after.y, after.angle) == pytest.approx((1.2, -0.4, 0.15), abs=0.002)
    machine = Machine(Shift(), before)
    assert read(machine, "a4", "long", IDENTITY) != PERFECT
    assert Shift.of(before.matrix(*size), *size).x == pytest.approx(1.0)


def test_small_paper_is_refused():
    with pytest.raises(InputError, match="a5 is too small for the calibration sheet"):
        sheet(paper("a5"), "long")
