"""The classifiers of single characters: what they read, what they refuse, and that their training can be repeated."""

from __future__ import annotations

import numpy as np
import pytest

from generator.photo import nets
from tests.photo import train


@pytest.fixture(autouse=True)
def _few_copies(monkeypatch):
    """Writes each form only a few times."""
    monkeypatch.setattr(train, "COPIES", 2)


def stroke(*shape: slice) -> np.ndarray:
    """Ink of a rectangle in a cell of 9 mm."""
    ink = np.zeros((72, 72), np.float32)
    ink[shape] = 0.8
    return ink


def box(glyph: np.ndarray) -> tuple[int, int]:
    """Height and width of a glyph's ink."""
    rows, columns = (np.flatnonzero(glyph.max(axis=axis) > 100) for axis in (1, 0))
    return int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1


def test_a_glyph_keeps_its_proportions():
    assert box(nets.normalised(stroke(slice(10, 60), slice(30, 35)))) == (20, 2)
    assert box(nets.normalised(stroke(slice(40, 44), slice(5, 45)))) == (2, 20)


def test_a_glyph_is_centred_wherever_it_was_written():
    upper = nets.normalised(stroke(slice(0, 40), slice(0, 20)))
    lower = nets.normalised(stroke(slice(32, 72), slice(52, 72)))
    assert np.abs(upper.astype(int) - lower).max() <= 1
    assert box(upper) == (20, 10)


def test_a_dot_stays_small_and_no_ink_is_empty():
    assert box(nets.normalised(stroke(slice(30, 33), slice(30, 33)))) == (6, 6)
    assert not nets.normalised(np.zeros((64, 64), np.float32)).any()


def test_the_grain_of_the_paper_and_specks_are_left_out():
    clean = stroke(slice(10, 60), slice(30, 35))
    grainy = np.maximum(clean, np.random.default_rng(1).uniform(0, 0.3, clean.shape).astype(np.float32))
    grainy[5, 5] = grainy[68, 60] = 0.8
    assert box(nets.normalised(grainy)) == box(nets.normalised(clean))


@pytest.fixture(scope="module")
def unseen() -> tuple[np.ndarray, np.ndarray]:
    """Glyphs of digits by writers that were not trained on, and what they are."""
    rng = np.random.default_rng(7)
    paths, path_labels = train.read_paths("tes")
    scans, scan_labels = train.read_scans("tes")
    chosen = slice(0, None, 12)
    strokes_of = [train.pen_strokes(*each, rng) for each in zip(paths[chosen], path_labels[chosen], strict=True)]
    points, strokes = (np.stack(each) for each in zip(*map(train.even, strokes_of), strict=True))
    enlarge = train.upsampling(8, 40)
    ink = [
        train.draw_paths(train.vary(points, strokes, rng, 0.15), strokes, rng),
        np.clip((enlarge @ scans[chosen] @ enlarge.T - 0.3) / 0.3, 0, 1),
    ]
    labels = np.concatenate([path_labels[chosen], scan_labels[chosen]])
    return np.concatenate([train.glyphs_of(each) for each in ink]), labels


def test_digits_of_unseen_writers_are_read(unseen):
    glyphs, labels = unseen
    read = nets.scores(glyphs)[:, : len(nets.DIGITS)]
    best, sure = read.argmax(axis=1), read.max(axis=1) > 0.95
    assert (best == labels).mean() > 0.85
    assert sure.mean() > 0.65
    assert (sure & (best != labels)).mean() < 0.01


def test_letters_are_read():
    glyphs, labels, _ = train.from_forms(np.random.default_rng(8), "ABDEFHKLMNPRTWX", 300)
    assert (nets.scores(glyphs)[:, len(nets.DIGITS) :].argmax(axis=1) == labels).mean() > 0.85


def test_what_is_no_character_is_rarely_a_sure_digit():
    glyphs, _, _ = train.from_others(np.random.default_rng(9), 300)
    assert (nets.scores(glyphs)[:, :10].max(axis=1) > 0.95).mean() < 0.04


def test_probabilities_add_up_and_are_never_certain(unseen):
    for read in np.split(nets.scores(unseen[0]), [len(nets.DIGITS)], axis=1):
        assert np.allclose(read.sum(axis=1), 1, atol=1e-4)
        assert read.min() > 0


def test_a_field_takes_its_marks_only():
    first = len(nets.DIGITS)
    row = np.full(first + len(nets.CHARACTERS), 0.001, np.float32)
    row[first + nets.CHARACTERS.index("O")] = row[first + nets.CHARACTERS.index("0")] = 0.4
    digits = nets.among(row, {digit: digit for digit in "0123456789"}, False)
    assert digits["0"] > 0.9
    ring = nets.among(row, {"0": "o", "O": "o", "1": "1"}, False)
    assert set(ring) == {"o", "1", nets.UNKNOWN}
    assert sum(ring.values()) == pytest.approx(1)
    letter = np.full(first + len(nets.CHARACTERS), 0.0001, np.float32)
    letter[first + nets.CHARACTERS.index("W")] = 0.99
    assert nets.among(letter, {"1": "1"}, False)[nets.UNKNOWN] > 0.9


def test_the_weights_are_small_and_of_the_right_shape():
    assert nets.FILE.stat().st_size <= 150 * 1024
    assert nets.layer("hidden").shape == (3, 433, train.HIDDEN)
    assert nets.layer("digits").shape == (3, train.HIDDEN + 1, len(nets.DIGITS))
    assert nets.layer("characters").shape == (3, train.HIDDEN + 1, len(nets.CHARACTERS))


def test_training_can_be_repeated(tmp_path, monkeypatch):
    monkeypatch.setattr(train, "POOL", dict.fromkeys(train.POOL, 60))
    monkeypatch.setattr(train, "EPOCHS", 1)
    for name in ("a.npz", "b.npz"):
        train.main(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
