"""The faces of docs/looks.md, and those of docs/specimens/looks beside what Chromium makes of them."""

import importlib.util

import pytest

from generator import paths

_SPEC = importlib.util.spec_from_file_location("looks", paths.ROOT / "docs/pictures/looks.py")
looks = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(looks)


@pytest.mark.parametrize("name", looks.names())
def test_a_look_prints_as_a_browser_shows_it(name):
    assert looks.difference(looks.printed(name), looks.reference(name)) < 0.015


@pytest.mark.parametrize(("name", "face"), looks.sections().items(), ids=looks.sections())
def test_the_faces_of_the_page_print(name, face):
    assert looks.drawn(face, name).getcolors(2) is None
    page = (looks.DOCS / "looks.md").read_text("utf-8")
    assert f"](pictures/{name}.png)" in page and (looks.DOCS / f"pictures/{name}.png").exists()
