"""Finds icon and picture files and their proportions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .. import paths
from ..errors import Place, did_you_mean, fault, shortened
from ..geometry.frame import Shape, leaves
from ..geometry.outlines import IDENTITY, bounds
from ..paths import display_path

Folders = tuple[Path, ...]


@cache
def find_icon(name: str, folders: Folders) -> Path:
    """The SVG file of an icon in the first of `folders` that has it; raises InputError if none has it."""
    for folder in folders:
        file = paths.within(folder, f"{name}.svg")
        if file and paths.is_file(file):
            return file
    raise fault(f"no icon “{shortened(name)}”", hint=did_you_mean(name, icon_names(folders)))


@cache
def icon_names(folders: Folders) -> frozenset[str]:
    return frozenset(file.stem for folder in folders for file in folder.glob("*.svg"))


@cache
def icon_aspect(name: str, folders: Folders) -> float:
    """Width of an icon divided by its height."""
    from .art import load_art  # loads the XML parser, and many faces have no icons

    art = load_art(find_icon(name, folders))
    return art.width / art.height


# ---- proportions, read from the beginning of a file

_HEAD_BYTES = 1 << 20
_PALETTE_BYTES = 2048
_NEAR = 0.01
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8"
_FRAME_HEADER_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MARKERS_WITHOUT_LENGTH = (0x01, *range(0xD0, 0xD9))


@cache
def aspect(file: str) -> float:
    """Width divided by height of a PNG, JPEG or SVG file; raises InputError for any other."""
    path = Path(file)
    if path.suffix.lower() == ".svg":
        from .art import load_art

        art = load_art(path)
        return art.width / art.height
    size = _size(_head(path))
    if size is None or not all(size):
        raise fault("this is not a PNG, JPEG or SVG picture", Place(display_path(path)))
    return size[0] / size[1]


@cache
def cut_out(file: str) -> bool:
    """Whether a picture may have no background: a PNG file with transparency (PNG, 11.2.1 and 11.3.1.1), or an SVG file
    whose first shape does not fill it."""
    path = Path(file)
    if path.suffix.lower() == ".svg":
        from .art import load_art

        art = load_art(path)
        first, _ = next(leaves(art.items), (None, IDENTITY))
        return not (isinstance(first, Shape) and first.fill and _fills(bounds(first.path), art.width, art.height))
    head = _head(path)
    return head.startswith(_PNG) and (head[25:26] in (b"\x04", b"\x06") or b"tRNS" in head[:_PALETTE_BYTES])


def _fills(box: tuple[float, float, float, float], width: float, height: float) -> bool:
    left, top, right, bottom = box
    return max(left, top) < _NEAR * width and right > (1 - _NEAR) * width and bottom > (1 - _NEAR) * height


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(_HEAD_BYTES)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(display_path(path))) from error


def _size(head: bytes) -> tuple[int, int] | None:
    if head.startswith(_PNG) and head[12:16] == b"IHDR" and len(head) >= 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head.startswith(_JPEG):
        return next(_jpeg_sizes(head), None)
    return None


def _jpeg_sizes(head: bytes) -> Iterator[tuple[int, int]]:
    """Width and height from each frame header of a JPEG file."""
    position = 2
    while position + 9 < len(head) and head[position] == 0xFF:
        marker = head[position + 1]
        if marker in _FRAME_HEADER_MARKERS:
            height, width = head[position + 5 : position + 7], head[position + 7 : position + 9]
            yield int.from_bytes(width, "big"), int.from_bytes(height, "big")
        if marker == 0xFF:
            position += 1
        elif marker in _MARKERS_WITHOUT_LENGTH:
            position += 2
        else:
            position += 2 + int.from_bytes(head[position + 2 : position + 4], "big")
