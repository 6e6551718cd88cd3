"""The table of targets: what comes with Pencilbox, your own targets, and mistakes in them."""

import re

import pytest

from generator import paths
from generator.errors import InputError
from generator.reading.targets import targets


def test_shipped_targets_name_their_source_and_how_they_were_checked():
    for target in targets().values():
        assert target.definition.source and target.definition.verified and target.definition.about, target.name


def test_every_target_has_a_page_and_links_on_the_pages_lead_somewhere():
    pages = sorted((paths.ROOT / "docs/targets").glob("*.md"))
    text = "".join(page.read_text("utf-8") for page in pages)
    printed = [name for name, target in targets().items() if target.definition.format not in ("svg", "dxf")]
    assert [name for name in printed if f"--for {name}" not in text] == []
    site = (paths.ROOT / "mkdocs.yml").read_text("utf-8")
    assert [page.name for page in pages if f": targets/{page.name}" not in site] == []
    for page in pages:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"


def test_pixels_are_trim_and_bleed_at_the_resolution():
    known = targets()
    for target in known.values():
        for product in target.products.values():
            for side, pixels, bleed in zip((product.width, product.height), product.pixels, product.bleed, strict=True):
                assert pixels == pytest.approx((side + 2 * bleed) / 25.4 * 300, abs=1), product
    poker = known["the-game-crafter"].products["poker-deck"]
    assert (poker.width, poker.height) == pytest.approx((63.5, 88.9))
    assert poker.pixels == (825, 1125)
    assert known["makeplayingcards"].products["poker-mm"].pixels == (816, 1110)


def test_your_own_file_adds_and_replaces_targets(tmp_path):
    (tmp_path / "targets.yaml").write_text(
        "targets:\n  png: {service: Anna, format: png, dpi: 150}\n"
        "  copy-shop:\n    service: Copy shop\n    format: png\n    bleed: 2\n"
        "    products:\n      cards: {for: deck, trim: 63 x 88}\n"
    )
    known = targets(tmp_path)
    assert known["png"].definition.dpi == 150
    assert known["copy-shop"].products["cards"].bleed == (2, 2)
    assert "the-game-crafter" in known


def test_mistakes_are_reported_together_with_their_lines(tmp_path):
    (tmp_path / "targets.yaml").write_text(
        "targets:\n"
        '  a: {service: A, format: png, naming: "{crad}"}\n'
        "  b: {service: B, format: pdf-x1a}\n"
        "  c: {service: C, format: png, colour: cmyk}\n"
        "  d:\n    service: D\n    format: png\n    bleed: 3\n    products:\n"
        "      x: {for: deck, px: 10 x 10}\n"
        "      y: {for: deck}\n"
    )
    with pytest.raises(InputError) as error:
        targets(tmp_path)
    found = {problem.place.line: str(problem) for problem in error.value.problems}
    assert [*found] == [2, 3, 4, 10, 11]
    assert "“naming” has no {crad}; did you mean card?" in found[2]
    assert "“colour: cmyk”" in found[3] and "“colour: rgb”" in found[4]
    assert "leaves no room" in found[10] and "“trim”, “px” or both" in found[11]


def test_pixels_are_two_whole_numbers(tmp_path):
    (tmp_path / "targets.yaml").write_text(
        "targets: {a: {service: A, format: png, products: {z: {for: deck, px: big}}}}"
    )
    with pytest.raises(InputError, match="“px” must be two whole numbers such as 825 x 1125, not “big”"):
        targets(tmp_path)


def test_names_of_files_stay_in_the_folder(tmp_path):
    for naming in (
        "../{card}",
        "/tmp/{card}",
        "a\\\\{card}",
        "C:{card}",
        "{card:>999999999}",
        "{card!r}",
        "{}",
        "{card.x}",
    ):
        (tmp_path / "targets.yaml").write_text(f'targets:\n  a: {{service: A, format: png, naming: "{naming}"}}\n')
        with pytest.raises(InputError, match="“naming”"):
            targets(tmp_path)


def test_an_unknown_key_names_the_one_that_was_meant(tmp_path):
    (tmp_path / "targets.yaml").write_text("targets:\n  a: {service: A, format: png, colur: rgb}\n")
    with pytest.raises(InputError, match="unknown key “colur”; did you mean colour"):
        targets(tmp_path)
