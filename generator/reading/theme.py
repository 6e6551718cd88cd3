"""Merges a game's theme.yaml with the shared theme."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import asdict, replace

from .. import limits, paths
from ..errors import Place, Problem, did_you_mean, fault, refuse, shortened
from ..files import of_files
from ..model import colours
from ..model.game import CardSizes, FontFile, Theme, ThemeFile
from ..model.values import Empty
from . import typed


def theme(folder: Path, name: str, base: Theme | None = None, stated_at: Place | None = None) -> Theme:
    """The theme in the file `name` of a game's folder, with anything missing taken from `base` or the shared theme.
    If a file of the game states the name, `stated_at` is where, and the theme must exist."""
    path = paths.within(folder, name)
    if path is None:
        game = stated_at or Place(paths.display_path(folder / "game.yaml"))
        raise fault(f"“{shortened(name)}” is outside the game’s folder", game)
    if stated_at and not paths.is_file(path):
        others = [other.name for other in islice(folder.glob("*.yaml"), limits.FILES_COMPARED)]
        raise fault(f"there is no theme “{shortened(name)}”", stated_at, did_you_mean(name, others))
    place = Place(paths.display_path(folder / name))
    merged = _merged(base or _shared(), folder, _read(path) if paths.is_file(path) else ThemeFile(), place)
    refuse(_problems(merged, place))
    return merged


@cache
def _shared() -> Theme:
    path = paths.SHARED_DATA / "theme.yaml"
    return _merged(Theme(Empty, Empty, Empty, ()), paths.SHARED_DATA, _read(path), Place(paths.display_path(path)))


@of_files
@cache
def _read(path: Path) -> ThemeFile:
    return typed.read_file(path, ThemeFile)


def with_fonts(theme_: Theme, files: Sequence[FontFile]) -> Theme:
    """The theme with these files before its own: every style takes what suits it."""
    fonts = {
        key: (*(replace(file, style=key, language=theme_.language) for file in files), *own)
        for key, own in theme_.fonts.items()
    }
    return replace(theme_, fonts=MappingProxyType(fonts))


def _merged(base: Theme, folder: Path, file: ThemeFile, place: Place) -> Theme:
    language = file.language or base.language
    usual = with_fonts(base, [_font(folder, "font", name, place) for name in file.font]).fonts
    merged = {**usual}
    for key, names in file.fonts.items():
        own = [_font(folder, key, name, place) for name in names]
        merged[key] = tuple(dict.fromkeys([*own, *usual.get(key, usual.get("regular", ()))]))
    if language not in ("", "none"):
        merged = {key: tuple([replace(font, language=language) for font in files]) for key, files in merged.items()}
    named = {**base.colours, **file.colours}
    # What is not a colour, or also the name of another one here, is left to be reported.
    codes = {
        name: code if code in named and code != name else colours.NAMES.get(code.lower(), code)
        for name, code in named.items()
    }
    return Theme(
        colours=MappingProxyType(codes),
        fonts=MappingProxyType(merged),
        styles=MappingProxyType({**base.styles, **file.styles}),
        icon_folders=(folder / "icons", paths.SHARED_DATA / "icons"),
        language=language,
        sizes=CardSizes(**{key: own or getattr(base.sizes, key) for key, own in asdict(file.sizes).items()}),
    )


def _font(folder: Path, key: str, name: str, place: Place) -> FontFile:
    file, _, part = name.partition("#")
    path = paths.within(folder, file)
    bundled = paths.SHARED_DATA / "fonts" / file
    if path and not paths.is_file(path) and "/" not in file and paths.is_file(bundled):
        path = bundled
    if path is None or not paths.is_file(path):
        raise fault(f"font “{shortened(key)}”: no file “{shortened(file)}” in {paths.display_path(folder)}", place)
    return FontFile(path, part)


def _problems(theme_: Theme, place: Place) -> Iterator[Problem]:
    known = {**theme_.colours, **colours.NAMES}
    for name, colour in theme_.colours.items():
        if not colour.startswith("#"):
            own = "this is a colour of the theme: repeat its code" if colour in theme_.colours else ""
            hint = own or did_you_mean(colour, colours.NAMES)
            yield Problem(f"colour “{name}” must be {colours.EXPECTED}, not “{shortened(colour)}”", place, hint)
    for name, style in theme_.styles.items():
        if style.font not in theme_.fonts:
            yield Problem(f"style “{name}”: no font “{style.font}”", place, did_you_mean(style.font, theme_.fonts))
        for colour in filter(None, (style.colour, style.outline)):
            if not colour.startswith("#") and colour not in known:
                yield Problem(f"style “{name}”: no colour “{shortened(colour)}”", place, did_you_mean(colour, known))
