"""Text that runs from right to left, by a sample of the conformance data of Unicode."""

from pathlib import Path

from generator.text import bidi

SAMPLE = Path(__file__).with_name("bidi_sample.txt")


def test_levels_and_order_are_those_of_the_conformance_data():
    """The format: https://www.unicode.org/Public/UCD/latest/ucd/BidiCharacterTest.txt."""
    for line in SAMPLE.read_text("ascii").splitlines()[1:]:
        points, direction, base, levels, order = line.split(";")
        text = "".join(chr(int(point, 16)) for point in points.split())
        assert (bidi.base_level(text) if direction == "2" else int(direction)) == int(base), line
        found = bidi.levels(text, int(base))
        kept = [at for at, level in enumerate(levels.split()) if level != "x"]
        assert [str(found[at]) for at in kept] == [level for level in levels.split() if level != "x"], line
        assert [kept[at] for at in bidi.visual_order([found[at] for at in kept])] == [*map(int, order.split())], line


def test_most_texts_need_no_reordering():
    assert not any(map(bidi.is_needed, ["Plain", "Größe ≠ ½", "日本語", "हिन्दी", "Ελληνικά"]))
    assert all(map(bidi.is_needed, ["עברית", "abc العربية", "\u200f"]))


def test_an_isolate_ends_with_its_paragraph():
    for separator in "\n\u0085\u2029":
        text = f"a\u2067{separator}\u2069b"
        assert len(bidi.levels(text, 0)) == len(text)
        assert bidi.levels(text, 0)[-1] == 0
