"""Parses colours: `#24405f`, `rgb(36 64 95)`, `hsl(211 45% 26%)` and the names of CSS
(https://www.w3.org/TR/css-color-4/)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coloraide import Color

EXPECTED = "a colour such as #24405f, rgb(36 64 95), hsl(211 45% 26%) or navy"
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_FUNCTION = re.compile(r"(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color(?:-mix)?)\(")
_MIX = re.compile(r"color-mix\(\s*(?:in\s+([\w-]+)(?:\s+(shorter|longer|increasing|decreasing)\s+hue)?\s*,)?(.*)\)")
_COMMA = re.compile(r",(?![^(]*\))")
_PERCENTAGE = re.compile(r"^\s*(\d+\.?\d*)%\s|\s(\d+\.?\d*)%\s*$")
_MAX_LENGTH = 200
_MAX_COORDINATE = 1e6


def parsed(text: str) -> str:
    """`#rrggbb`, or `#rrggbbaa` if it is transparent, for a colour in any notation; raises ValueError."""
    written = " ".join(text.lower().split())
    if written.startswith("#"):
        if not _HEX.fullmatch(written):
            raise ValueError(EXPECTED)
        digits = written[1:]
        return _shortened("#" + (digits if len(digits) > 4 else "".join(digit * 2 for digit in digits)))
    if _FUNCTION.match(written) and len(written) <= _MAX_LENGTH:
        return _function(written)
    if written == "transparent":
        return "#00000000"
    if written not in NAMES:
        raise ValueError(EXPECTED)
    return NAMES[written]


def is_notation(text: str) -> bool:
    """Whether a text can only be a colour code or a function, not a name."""
    return text.startswith("#") or bool(_FUNCTION.match(text.lower()))


def find(text: str, named: Mapping[str, str]) -> str:
    """The code of a colour: the theme's colour with this name, or else a colour in any notation. Raises ValueError."""
    return named[text] if text in named else parsed(text)


def channels(code: str) -> list[int]:
    """Red, green, blue and alpha of a colour, from 0 to 255."""
    return [*bytes.fromhex((code + "ff")[1:9])]


def faded(code: str, opacity: float) -> str:
    """The colour with its alpha value multiplied by an opacity from 0 to 1."""
    return _shortened(f"{code[:7]}{round(channels(code)[3] * opacity):02x}")


def mixed(code: str, other: str, share: float) -> str:
    """An opaque colour with a share (0 to 1) of another one mixed in."""
    pairs = zip(channels(code)[:3], channels(other)[:3], strict=True)
    return "#" + "".join(f"{round(level + (last - level) * share):02x}" for level, last in pairs)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2.2, “contrast ratio”)."""
    darker, lighter = sorted((brightness(one), brightness(other)))
    return lighter / darker


def brightness(code: str) -> float:
    """The brightness of a colour on white; the quotient of two is their contrast (WCAG 2.2, “relative luminance”,
    “contrast ratio”)."""
    *levels, alpha = channels(code)
    shares = [1 - (1 - level / 255) * alpha / 255 for level in levels]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05


def _shortened(code: str) -> str:
    return code[:7] if len(code) == 9 and code.endswith("ff") else code


def _function(written: str) -> str:
    """The code of a function such as `oklch(70% 0.1 200)`. Channels beyond what a screen shows are cut off."""
    try:
        colour = _mixed(match) if (match := _MIX.fullmatch(written)) else _colour(written)
        return str(colour.convert("srgb").fit(method="clip").to_string(hex=True))
    except (ValueError, OverflowError, KeyError):
        raise ValueError(EXPECTED) from None


def _colour(text: str) -> Color:
    from coloraide import Color  # takes 75 ms, and few colours are written as functions

    name = text.strip()
    colour = Color(NAMES.get(name, name))
    if max(map(abs, colour.coords(nans=False))) > _MAX_COORDINATE:
        raise ValueError(EXPECTED)
    return colour


def _mixed(mix: re.Match[str]) -> Color:
    """https://www.w3.org/TR/css-color-5/#color-mix"""
    parts = _COMMA.split(mix[3])
    if len(parts) != 2:
        raise ValueError(EXPECTED)
    stated = [float(share[1] or share[2]) / 100 if (share := _PERCENTAGE.search(part)) else None for part in parts]
    shares = [
        share if share is not None else 0.5 if other is None else 1 - other
        for share, other in zip(stated, reversed(stated), strict=True)
    ]
    whole = sum(shares)
    if whole <= 0 or max(shares) > 1:
        raise ValueError(EXPECTED)
    first, second = (_colour(_PERCENTAGE.sub("", part)) for part in parts)
    colour = first.mix(second, shares[1] / whole, space=mix[1] or "oklab", hue=mix[2] or "shorter")
    colour[-1] *= min(whole, 1.0)
    return colour


_NAMES = """
aliceblue f0f8ff, antiquewhite faebd7, aqua 00ffff, aquamarine 7fffd4, azure f0ffff, beige f5f5dc, bisque
ffe4c4, black 000000, blanchedalmond ffebcd, blue 0000ff, blueviolet 8a2be2, brown a52a2a, burlywood deb887,
cadetblue 5f9ea0, chartreuse 7fff00, chocolate d2691e, coral ff7f50, cornflowerblue 6495ed, cornsilk fff8dc,
crimson dc143c, cyan 00ffff, darkblue 00008b, darkcyan 008b8b, darkgoldenrod b8860b, darkgray a9a9a9, darkgreen
006400, darkkhaki bdb76b, darkmagenta 8b008b, darkolivegreen 556b2f, darkorange ff8c00, darkorchid 9932cc,
darkred 8b0000, darksalmon e9967a, darkseagreen 8fbc8f, darkslateblue 483d8b, darkslategray 2f4f4f,
darkturquoise 00ced1, darkviolet 9400d3, deeppink ff1493, deepskyblue 00bfff, dimgray 696969, dodgerblue 1e90ff,
firebrick b22222, floralwhite fffaf0, forestgreen 228b22, fuchsia ff00ff, gainsboro dcdcdc, ghostwhite f8f8ff,
gold ffd700, goldenrod daa520, gray 808080, green 008000, greenyellow adff2f, honeydew f0fff0, hotpink ff69b4,
indianred cd5c5c, indigo 4b0082, ivory fffff0, khaki f0e68c, lavender e6e6fa, lavenderblush fff0f5, lawngreen
7cfc00, lemonchiffon fffacd, lightblue add8e6, lightcoral f08080, lightcyan e0ffff, lightgoldenrodyellow fafad2,
lightgray d3d3d3, lightgreen 90ee90, lightpink ffb6c1, lightsalmon ffa07a, lightseagreen 20b2aa, lightskyblue
87cefa, lightslategray 778899, lightsteelblue b0c4de, lightyellow ffffe0, lime 00ff00, limegreen 32cd32, linen
faf0e6, magenta ff00ff, maroon 800000, mediumaquamarine 66cdaa, mediumblue 0000cd, mediumorchid ba55d3,
mediumpurple 9370db, mediumseagreen 3cb371, mediumslateblue 7b68ee, mediumspringgreen 00fa9a, mediumturquoise
48d1cc, mediumvioletred c71585, midnightblue 191970, mintcream f5fffa, mistyrose ffe4e1, moccasin ffe4b5,
navajowhite ffdead, navy 000080, oldlace fdf5e6, olive 808000, olivedrab 6b8e23, orange ffa500, orangered
ff4500, orchid da70d6, palegoldenrod eee8aa, palegreen 98fb98, paleturquoise afeeee, palevioletred db7093,
papayawhip ffefd5, peachpuff ffdab9, peru cd853f, pink ffc0cb, plum dda0dd, powderblue b0e0e6, purple 800080,
rebeccapurple 663399, red ff0000, rosybrown bc8f8f, royalblue 4169e1, saddlebrown 8b4513, salmon fa8072,
sandybrown f4a460, seagreen 2e8b57, seashell fff5ee, sienna a0522d, silver c0c0c0, skyblue 87ceeb, slateblue
6a5acd, slategray 708090, snow fffafa, springgreen 00ff7f, steelblue 4682b4, tan d2b48c, teal 008080, thistle
d8bfd8, tomato ff6347, turquoise 40e0d0, violet ee82ee, wheat f5deb3, white ffffff, whitesmoke f5f5f5, yellow
ffff00, yellowgreen 9acd32
"""
NAMES: Mapping[str, str] = {
    spelling: "#" + code
    for name, code in (pair.split() for pair in _NAMES.split(","))
    for spelling in dict.fromkeys((name, name.replace("gray", "grey")))
}
"""The named colours of CSS: https://www.w3.org/TR/css-color-4/#named-colors"""
