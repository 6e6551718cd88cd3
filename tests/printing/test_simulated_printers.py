"""A calibrated printer prints backs behind their fronts: simulated printers, read as a person reads the sheet."""

from itertools import product
from random import Random

import pytest

from generator.geometry.frame import Frame
from generator.geometry.outlines import IDENTITY, moved
from generator.pages.nup import deck_pages
from generator.printing.calibration_sheet import read_all, sheet, shift_of
from generator.printing.printers import Calibration, Shift, mirror
from generator.reading.sizes import paper
from tests.printing.simulated_printers import MODES, PAPERS, Machine, read, size

PERFECT = Machine(Shift(), Shift())


def random_machine(random, noise):
    def shift(offset, angle, scale):
        return Shift(
            *(random.uniform(-offset, offset) for _ in "xy"),
            random.uniform(-angle, angle),
            *(1 + random.uniform(-scale, scale) for _ in "xy"),
        )

    return Machine(shift(1.0, 0.2, 0.001), shift(2.0, 0.3, 0.003), noise)


def calibrated(machine, name, mode):
    layout = sheet(paper(name), mode)
    readings = read_all(read(machine, name, mode, IDENTITY), layout)
    return Calibration("p", "", paper(name), mode, shift_of(readings))


def card_corners(name, mode):
    """The corners of cards on the front, and of the same cards on the back as they are drawn; for booklets, those of
    the area in which pages are printed."""
    width, height = size(name, mode)
    if mode == "booklet":
        corners = [(x, y) for x in (6.0, width / 2, width - 6) for y in (6.0, height - 6)]
        return [(corner, moved(mirror(mode, width, height), *corner)) for corner in corners]
    cards = [Frame(f"{number}", 63, 88, ()) for number in range(9)]
    front, back = deck_pages(cards, cards, paper(name), duplex=mode, margin=5)[:2]
    assert back.back and not front.back
    corners = []
    for one, other in zip(front.placed, back.placed, strict=True):
        (w, h), (v, g) = one.box, other.box
        mine = [(one.x + a * w, one.y + b * h) for a, b in product((0, 1), repeat=2)]
        theirs = [(other.x + a * v, other.y + b * g) for a, b in product((0, 1), repeat=2)]
        flip = mirror(mode, width, height)
        for corner in mine:
            x, y = moved(flip, *corner)
            corners.append((corner, min(theirs, key=lambda at: abs(at[0] - x) + abs(at[1] - y))))
    return corners


def test_a_perfect_printer_reads_the_middle_of_every_scale():
    for name, mode in product(PAPERS, MODES):
        labels = read(PERFECT, name, mode, IDENTITY)
        assert set(labels) == {"N5"}, (name, mode)
        assert calibrated(PERFECT, name, mode).backs() == pytest.approx(IDENTITY)


def test_calibrated_printers_print_backs_behind_fronts():
    random, corners = Random("printers"), {}
    for number in range(200):
        name, mode = PAPERS[number % 3], MODES[number // 3 % 3]
        machine = random_machine(random, noise=0.03 * (number % 2))
        backs = calibrated(machine, name, mode).backs()
        layout = sheet(paper(name), mode)
        again = read_all(read(machine, name, mode, backs), layout)
        assert max(abs(reading.offset) for reading in again) <= 0.1 + 1e-9, (
            number,
            machine,
            [reading.label for reading in again],
        )
        seen = machine.seen(mode, *size(name, mode), backs)
        for front, back in corners.setdefault((name, mode), card_corners(name, mode)):
            x, y = moved(seen, *back)
            assert abs(x - front[0]) < 0.15 and abs(y - front[1]) < 0.15, (number, machine, front, (x, y))
