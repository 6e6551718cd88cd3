"""How different two colours look: CIEDE2000, with normal vision and with each of the three dichromacies (Machado,
Oliveira and Fernandes 2009, severity 1), and the contrast of a colour on its ground (WCAG)."""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

SEEN = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def difference(one, other, seen):
    """CIEDE2000 between two colours `#rrggbb` as they are `seen`; about 2 is just visible side by side."""
    return _ciede2000(*(_lab(_product(SEEN[seen], _linear(colour))) for colour in (one, other)))


def contrast(one, other):
    """WCAG's contrast ratio, from 1 to 21."""
    dark, light = sorted(sum(map(float.__mul__, (0.2126, 0.7152, 0.0722), _linear(c))) for c in (one, other))
    return (light + 0.05) / (dark + 0.05)


def _linear(colour):
    values = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def _product(matrix, channels):
    return [min(1.0, max(0.0, sum(m * c for m, c in zip(row, channels, strict=True)))) for row in matrix]


def _lab(rgb):
    to_xyz = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    x, y, z = (
        _cube_root(sum(m * c for m, c in zip(row, rgb, strict=True)) / white)
        for row, white in zip(to_xyz, (0.95047, 1.0, 1.08883), strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(t):
    return t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116


def _ciede2000(one, other):
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = (degrees(atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.2 * cos(radians(4 * hue - 63))
    )
    scale_l = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    scale_c, scale_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    dl, dc, dh = (l2 - l1) / scale_l, (c2 - c1) / scale_c, 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / scale_h
    return sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)
