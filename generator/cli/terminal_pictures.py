"""Pictures in the terminal: by the protocol of the terminal if it has one, otherwise with half blocks.

Protocols: https://sw.kovidgoyal.net/kitty/graphics-protocol/, https://iterm2.com/documentation-images.html, and sixels
(DEC STD 070, chapter 9). Which of them a terminal understands is known from the variables that it sets.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_CHUNK = 4096
"""The most letters in one message of kitty's protocol."""
_GREYS = 16
"""The shades in a picture in sixels."""
_DARK = 110


def terminal_picture(picture: Image, columns: int, environment: Mapping[str, str] = os.environ) -> str:
    """What shows a picture when it is printed; with half blocks, it is at most `columns` wide."""
    protocol = _protocol(environment)
    if protocol is None:
        return "\n".join(_half_blocks(picture, columns, coloured=not environment.get("NO_COLOR")))
    return protocol(picture) + "\n"


def _protocol(environment: Mapping[str, str]) -> Callable[[Image], str] | None:
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if environment.get("TMUX") or term.startswith(("screen", "tmux")):
        return None  # passes none of them on
    if "kitty" in term or "ghostty" in term or environment.get("KITTY_WINDOW_ID"):
        return _kitty
    if program in ("iTerm.app", "WezTerm", "vscode") or environment.get("LC_TERMINAL") == "iTerm2":
        return _iterm
    return _sixels if term.startswith(("foot", "mlterm", "yaft", "contour")) or "sixel" in term else None


def _png(picture: Image) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def _kitty(picture: Image) -> str:
    data = b64encode(_png(picture)).decode()
    chunks = [data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)]
    heads = ["a=T,f=100,", *[""] * (len(chunks) - 1)]
    more = [1] * (len(chunks) - 1) + [0]
    return "".join(
        f"\x1b_G{head}m={further};{chunk}\x1b\\" for head, further, chunk in zip(heads, more, chunks, strict=True)
    )


def _iterm(picture: Image) -> str:
    data = _png(picture)
    return f"\x1b]1337;File=inline=1;size={len(data)};width={picture.width}px:{b64encode(data).decode()}\x07"


def _sixels(picture: Image) -> str:
    """Bands of six rows; in each, the pixels of one shade after another."""
    grey = picture.convert("L").point(lambda value: value * _GREYS // 256)
    rows = [list(grey.crop((0, y, grey.width, y + 1)).tobytes()) for y in range(grey.height)]
    palette = "".join(f"#{shade};2" + f";{shade * 100 // (_GREYS - 1)}" * 3 for shade in range(_GREYS))
    bands = (rows[top : top + 6] for top in range(0, len(rows), 6))
    return f"\x1bPq{palette}{'-'.join(map(_band, bands))}\x1b\\"


def _band(rows: list[list[int]]) -> str:
    shades = sorted({shade for row in rows for shade in row})
    return "$".join(f"#{shade}{_sixel_row(rows, shade)}" for shade in shades)


def _sixel_row(rows: list[list[int]], shade: int) -> str:
    codes = (
        chr(63 + sum(1 << number for number, value in enumerate(column) if value == shade))
        for column in zip(*rows, strict=True)
    )
    runs = ((code, len(list(run))) for code, run in groupby(codes))
    return "".join(f"!{count}{code}" if count > 3 else code * count for code, count in runs)


def _half_blocks(picture: Image, columns: int, *, coloured: bool) -> Iterator[str]:
    """Two pixels above each other in each letter: in colour, or black on white."""
    width = max(1, min(columns, picture.width))
    height = max(2, round(picture.height * width / picture.width / 2) * 2)
    pixels = picture.convert("RGB").resize((width, height)).tobytes()
    colours = [pixels[at : at + 3] for at in range(0, len(pixels), 3)]
    rows = [colours[start : start + width] for start in range(0, len(colours), width)]
    for upper_row, lower_row in zip(rows[::2], rows[1::2], strict=True):
        pairs = list(zip(upper_row, lower_row, strict=True))
        if coloured:
            cells = (
                f"\x1b[38;2;{';'.join(map(str, upper))};48;2;{';'.join(map(str, lower))}m▀" for upper, lower in pairs
            )
            yield "".join(cells) + "\x1b[0m"
        else:
            yield "".join(" ▀▄█"[_is_dark(upper) + 2 * _is_dark(lower)] for upper, lower in pairs)


def _is_dark(colour: bytes) -> bool:
    return sum(colour) < 3 * _DARK
