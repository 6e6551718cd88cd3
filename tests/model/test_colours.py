import pytest

from generator.model import colours


@pytest.mark.parametrize(
    ("code", "notations"),
    [
        ("#ffffff", ["#fff", "#FFFF", "#ffffffff", "white", "White", "rgb(100% 100% 100%)", "hsl(0 0% 100%)"]),
        ("#a1b2c3", ["#A1b2C3", " #a1b2c3 ", "rgb(161,178,195)", "rgba(161, 178, 195, 1)", "RGB(161 178 195 / 100%)"]),
        ("#24405f", ["rgb(36 64 95)", "hsl(211.5deg, 45%, 25.7%)", "hsl(0.5875turn 45 25.7)", "hsl(-148.5 45% 25.7%)"]),
        ("#708090", ["slategray", "slategrey", "SlateGrey"]),
        ("#663399", ["rebeccapurple"]),
        ("#66339980", ["#66339980", "rgb(102 51 153 / 50%)", "rgba(102, 51, 153, .5)", "hsl(270 50% 40% / 0.5)"]),
        ("#00000000", ["transparent", "#0000", "rgb(0 0 0 / 0)"]),
        # the green of https://github.com/web-platform-tests/wpt/tree/master/css/css-color in every space
        ("#008000", ["oklch(51.975% 0.17686 142.495)", "oklab(51.975% -0.1403 0.10768)", "hwb(120 0% 49.8039%)"]),
        ("#008000", ["lab(46.2775% -47.5621 48.5837)", "lch(46.2775% 67.9892 134.3912)", "color(srgb 0 0.50196 0)"]),
        (
            "#008000",
            ["color(display-p3 0.21604 0.49418 0.13151)", "color(xyz 0.07719 0.15438 0.02573)", "rgb(none 128 0)"],
        ),
        ("#800080", ["color-mix(in srgb, red, blue)", "color-mix(in srgb, red 50%, #00f)"]),
        ("#bf0040", ["color-mix(in srgb, red 75%, blue)", "color-mix(in srgb, red, rgb(0 0 255) 25%)"]),
        ("#80008099", ["COLOR-MIX(in srgb,30% red,30% blue)"]),
        ("#ff000080", ["color-mix(in srgb, red, transparent)", "color-mix(in oklab, red 50%, rgb(0 0 0 / 0))"]),
        ("#8c53a2", ["color-mix(in oklab, red, blue)", "color-mix(red, blue)"]),
        ("#ff0000", ["rgb(300 -5 0)", "hsl(720 200% 50%)"]),
    ],
)
def test_every_notation_of_a_colour_has_six_digits(code, notations):
    assert {notation: colours.parsed(notation) for notation in notations} == dict.fromkeys(notations, code)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#",
        "#ab",
        "#abcde",
        "#ggg",
        "rgb()",
        "rgb(1 2)",
        "rgb(1, 2 3)",
        "rgb(1 2 3",
        "hsl(a 2 3)",
        "navi",
        "rgb(1e400 0 0)",
        "oklch(1e400 0 0)",
        "oklch(from red l c h)",
        "color(cmyk 0 0 0 1)",
        "color-mix(in srgb, red)",
        "color-mix(in nowhere, red, blue)",
        "color-mix(in srgb, red 0%, blue 0%)",
        "color-mix(in srgb, red 120%, blue)",
        "color-mix(in srgb, red, navi)",
        "oklch(" + "(" * 500,
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="a colour such as #24405f"):
        colours.parsed(text)


def test_all_css_colour_names_are_known():
    assert len(colours.NAMES) == 148
    assert colours.NAMES["grey"] == colours.NAMES["gray"] == "#808080"


def test_colours_fade():
    assert colours.faded("#102030", 0.5) == "#10203080" and colours.faded("#10203080", 0.5) == "#10203040"
    assert colours.faded("#102030", 1) == "#102030"
    assert colours.brightness("#00000000") == colours.brightness("#ffffff") > colours.brightness("#00000080")


def test_theme_colours_take_precedence_over_css():
    assert colours.find("red", {"red": "#b0402f"}) == "#b0402f"
    assert colours.find("navy", {"red": "#b0402f"}) == "#000080"
