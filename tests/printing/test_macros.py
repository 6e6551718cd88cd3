"""docs/grids.md, docs/tracks.md and docs/tokens.md: their examples print, their tables are the macros' arguments; and
macros refuse what they cannot draw."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from io import BytesIO

import pypdfium2
import pytest
from jinja2 import Environment, nodes
from PIL import Image

from generator import games, paths
from generator.errors import InputError
from generator.geometry.frame import ungrouped
from generator.geometry.outlines import bounds
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.pages.laws import law_breaks

PAGES = {"grids": ("grid",), "tracks": ("track",), "tokens": ("token", "medal", "punchboard")}
PARTS = [
    ("grids", "board"),
    ("grids", "moor"),
    ("grids", "sheet"),
    ("tracks", "board"),
    ("tracks", "sheet"),
    ("tokens", "coins"),
    ("tokens", "crops"),
]


@cache
def render():
    spec = importlib.util.spec_from_file_location("render", paths.ROOT / "docs" / "pictures" / "render.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_of(page):
    return (paths.ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def press(tmp_path_factory):
    """The press of the example game of a page."""

    @cache
    def made(page):
        game = load(render().example(page, tmp_path_factory.mktemp(page)))
        return Press(game, games.deal(game))

    return made


# ---- documentation ------------------------------------------------------------------------------------------------


def test_every_component_has_an_example(press):
    assert [(page, part) for page in PAGES for part in press(page).game.components] == PARTS


@pytest.mark.parametrize("sheet", ["a4", "letter"])
@pytest.mark.parametrize(("page", "part"), PARTS)
def test_an_example_prints(press, page, part, sheet):
    printed = press(page).component(part, paper(sheet))
    assert len(pypdfium2.PdfDocument(BytesIO(printed.pdf))) == printed.pages == (2 if page == "tokens" else 1)


def test_the_field_sheet_can_be_read_from_a_photo(press):
    part = press("grids").game.components["sheet"]
    assert law_breaks(press("grids").sheet(part, paper("a4")), part.sheet) == []


def test_the_backs_of_tokens_are_behind_their_fronts(press):
    part = press("tokens").game.components["crops"]
    front, back = (page.placed[0] for page in press("tokens").deck_pages(part, paper("a4"), "long"))
    tokens = [
        [(*bounds(item.path), item.fill) for item in ungrouped(placed.frame.items) if getattr(item, "fill", None)]
        for placed in (front, back)
    ]
    assert front.x + back.x + 180 == pytest.approx(210) and len(tokens[0]) == len(tokens[1]) > 35
    for (left, top, right, bottom, fill), behind in zip(*tokens, strict=True):
        assert (180 - right, top, 180 - left, bottom) == pytest.approx(behind[:4], abs=0.01) and fill == behind[4]


@pytest.mark.parametrize("page", PAGES)
def test_the_short_example_prints(macros, page):
    example = re.search(r"```xml\n(\{% import.*?)```", text_of(page), re.DOTALL)[1]
    call = re.search(r"\{\{ (.*) \}\}", example)[1]
    assert macros.draw(call).shapes


@pytest.mark.parametrize(("page", "name"), [(page, name) for page in PAGES for name in PAGES[page]])
def test_the_table_lists_every_argument(page, name):
    macro = macro_of(page, name)
    names = [argument.name for argument in macro.args]
    omitted = ["**required**"] * (len(names) - len(macro.defaults)) + [f"`{shown(item)}`" for item in macro.defaults]
    table = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", text_of(page), re.MULTILINE | re.DOTALL)[1]
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", table.partition("| way | shape |")[0], re.MULTILINE)
    assert rows == list(zip(names, omitted, strict=True))


def macro_of(page, name):
    source = (paths.SHARED_TEMPLATES / f"{page}.xml.j2").read_text(encoding="utf-8")
    return next(item for item in Environment(autoescape=True).parse(source).find_all(nodes.Macro) if item.name == name)


def shown(node):
    """A default value as the documentation writes it."""
    if isinstance(node, nodes.Const):
        return (
            {True: "true", False: "false"}[node.value]
            if isinstance(node.value, bool)
            else f'"{node.value}"'
            if isinstance(node.value, str)
            else str(node.value)
        )
    return {nodes.Tuple: "()", nodes.Dict: "{}"}[type(node)]


@pytest.mark.parametrize("page", PAGES)
def test_the_picture_is_small_and_shown(page):
    picture = paths.ROOT / "docs" / "pictures" / f"{page}.png"
    assert f"(pictures/{page}.png)" in text_of(page) and picture.stat().st_size < 60 * 1024
    assert Image.open(picture).width > 600


# ---- refusals and limits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('grids.grid(3, 3, shape="hexx")', "shape “hexx” is not one of round, square, hex, pointed-hex"),
        ('grids.grid(3, 3, names="roman")', "names “roman” is not one of letters, numbers"),
        ('grids.grid(3, 3, labels="left below")', "labels “below” is not one of top, bottom, left, right, inside"),
        ('grids.grid(3, 3, cells={"d1": {}})', "the grid has no cell “d1”"),
        ('grids.grid(3, 3, map=["...", "..."])', "the map has 2 rows, but the grid has 3"),
        ('grids.grid(3, 2, map=["...", "...."])', "row 2 of the map has 4 cells, but the grid has 3 columns"),
        ('grids.grid(3, 1, map=[".w."], kinds={"h": {}})', "the map's “w” is not one of h"),
        ('tracks.track(5, "zigzag")', "way “zigzag” is not one of straight, down, snake, ring, oval, border"),
        ('tracks.track(5, shape="hex")', "shape “hex” is not one of round, square"),
        ("tracks.track(5, spaces={6: {}})", "the track has no space “6”"),
        ('tracks.track(2, "ring")', "a ring needs at least three spaces, and any other track at least one"),
        ('tracks.track(25, "oval", across=5)', "an oval needs an even count"),
        (
            'tracks.track(12, "border", across=7)',
            "a border needs an even count of at least twice “across” (2 or more): the count is 12 and “across” is 7",
        ),
        ('tokens.token("oval")', "shape “oval” is not one of round, square, hex, pointed-hex"),
        ("tokens.punchboard([{}], gutter=2)", "a bleed of 1.5 mm needs a gutter of 3 mm, has 2 mm"),
    ],
)
def test_impossible_arguments_are_refused(macros, call, message):
    with pytest.raises(InputError) as caught:
        macros.draw(call)
    [problem] = caught.value.problems
    assert message in problem.message and problem.message.startswith("card 1: ")
    assert problem.place.file.endswith(f"card{macros.calls}.xml.j2") and problem.place.line == 3


def test_an_error_in_your_own_macro_names_its_line(macros):
    (macros.folder / "own.xml.j2").write_text(
        '{% macro pair(a) %}\n{% if a < 2 %}{{ "a pair needs two" | refuse }}{% endif %}\n{% endmacro %}'
    )
    with pytest.raises(InputError) as caught:
        macros.draw("own.pair(1)")
    [problem] = caught.value.problems
    assert problem.message == "card 1: a pair needs two"
    assert (problem.place.file.rpartition("/")[2], problem.place.line) == ("own.xml.j2", 2)


@pytest.mark.parametrize(
    "call",
    [
        "grids.grid(31, 32, 6)",
        'grids.grid(15, 20, 10, "pointed-hex", labels="inside", names="numbers", '
        'slots="m.{name}", map=["f" * 15] * 20, '
        'kinds={"f": {"icon": "star", "text": "F", "fill": "#cfe3c4"}})',
        'tracks.track(450, "snake", across=25, slots="t.{number}")',
        'tokens.punchboard([{"text": "A", "icon": "star", "inner": "paper", "ring": "ink", "count": 200}], columns=20)',
    ],
)
def test_the_largest_documented_grids_fit_a_face(macros, call):
    assert len(macros.draw(call).shapes) >= 300


@pytest.mark.parametrize(
    ("expression", "value"), [("30 | sin", 0.5), ("60 | cos", 0.5), ("270 | sin", -1), ("10 * 30 | sin", 5)]
)
def test_angles_are_degrees(macros, expression, value):
    (macros.folder / "angle.xml.j2").write_text("{% macro at(x) %}<text>{{ x | round(6) }}</text>{% endmacro %}")
    assert float(macros.draw(f"angle.at({expression})").texts[0]) == value
