"""The drawings of docs/specimens.md look as resvg draws them, whether they are printed as shapes or as pictures."""

from __future__ import annotations

from collections import Counter

from benchmarks.svg import compared
from generator import paths

SPECIMENS = sorted((paths.ROOT / "docs/specimens/svg").glob("*/*.svg"))
COARSE, MEAN, TILE = 2, 0.016, 0.15
"""The tolerance: pictures this small differ at every edge, even if the shapes are exact."""


def test_specimens_look_like_pictures_drawn_by_resvg():
    assert Counter(file.parent.name for file in SPECIMENS) == dict.fromkeys(
        ["bootstrap_icons", "flag_icons", "font_awesome", "illustrator", "inkscape", "lucide", "openclipart", "tango"],
        5,
    )
    results = {f"{file.parent.name}/{file.stem}": compared(file, COARSE)[0] for file in SPECIMENS}
    assert {name for name, result in results.items() if result.how != "vector"} == {
        "illustrator/glass",
        "inkscape/lantern",
        "inkscape/signpost",
    }
    different = {name: result for name, result in results.items() if result.mean > MEAN or result.tile > TILE}
    assert different == {}
