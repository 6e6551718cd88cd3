"""Where a game can be exported to: the services and programs in data/_shared/targets.yaml, and your own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from .. import nodes, paths
from ..errors import InputError, Place, Problem, did_you_mean, fault
from ..fast_dataclasses import dataclass
from ..model.game import ComponentKind
from ..model.values import (
    MAX_SIZE,
    Between,
    Length,
    Size,
    Span,
    empty_mapping,
)
from . import typed

FILE = "targets.yaml"
"""The name of the file, also in the folder of a game and in that of the settings."""
MM_PER_INCH = 25.4
_NEAR = 0.3
"""How far `trim` may differ from the size that `px` and `bleed` leave, in mm: services round."""

Format = Literal["png", "jpg", "pdf", "pdf-x1a", "tabletop-simulator", "pcio", "svg", "dxf"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductFile:
    """A product of a service: the kind of component it is `for`, its `trim` and the pixels of its pictures with
    bleed. One of the two may be left out. `bleed` and `safe` are those of the target unless they are given; `cards` is
    how many cards a box holds, for cards of the size `holds`."""

    for_: ComponentKind
    title: str = ""
    trim: Size | None = None
    px: str = ""
    bleed: Annotated[Length, Between(0, 50)] | None = None
    safe: Annotated[Length, Between(0, 50)] | None = None
    shape: Literal["rectangle", "round", "hex"] = "rectangle"
    cards: Span | None = None
    holds: Size | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CutterFile:
    """A cutting machine, for `svg` and `dxf`: what its camera looks for, and how cards lie on a sheet. Lengths are mm.

    - `marks`: `three` (a square and two corners), `four` (corners) or `none`. They are `inset` from the edge of the
      paper, with lines of this `length` and `thickness` and a square of this side (`square`); nothing is printed within
      `padding` of them.
    - `gap` is between cards, and half of it is their bleed; `corner` rounds the corners of rectangular cards.
    - `folds` of boxes and dice are pressed (`score`) or cut as dashed lines (`perf`): the name of their layer.
    - `page` is the size of a sheet, if it is not the paper. `art` is what is printed: a `pdf`, or a `png` for each
      sheet.
    """

    marks: Literal["none", "three", "four"] = "none"
    inset: Annotated[Length, Between(0, 50)] = 10.0
    thickness: Annotated[Length, Between(0.1, 5)] = 1.0
    length: Annotated[Length, Between(1, 50)] = 5.0
    square: Annotated[Length, Between(1, 50)] = 5.0
    padding: Annotated[Length, Between(0, 20)] = 1.5
    gap: Annotated[Length, Between(0, 20)] = 1.25
    corner: Annotated[Length, Between(0, 50)] = 0.0
    folds: Literal["score", "perf"] = "score"
    page: Size | None = None
    art: Literal["pdf", "png"] = "pdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetFile:
    """A service or a program that takes exported games.

    - `format`: `png` or `jpg` (a picture of each side), `pdf` (a card on each page), `pdf-x1a` (the same for print
      shops: CMYK, no transparency), `tabletop-simulator`, `pcio` (playingcards.io), `svg` or `dxf` (cut lines).
    - `dpi`, `bleed` and `safe` (how far from the cut important things must stay); `colour` is `rgb` or `cmyk`.
    - `ink` is the most ink, in percent of all four colours together, and `condition` the name of the printing
      condition that the colours are meant for.
    - `order`: how the sides follow each other in a PDF: `front-back`, `back-front`, or `fronts-backs` (first all
      fronts).
    - `naming` is the name of each file: `{game}`, `{component}`, `{card}`, `{number}`, `{side}`, `{width}` and
      `{height}` stand for what they say, and `{surname}` for what `--surname` says, or else the game. PDFs without
      `{component}` hold all components of one kind and size.
    - `cut_lines` draws the outline of every card in the spot colour CutContour. Boxes, dice and pawns then lie flat,
      with their folds in the spot colour Crease. `order_file` writes an order for the uploading tool of a service.
      `max_cards` is the most cards in an order.
    - `cutter` says what a cutting machine needs (`svg`, `dxf`).
    - `products` are what the service makes; without them, everything keeps its own size.
    - `source` and `verified` say where the figures come from and how they were checked.
    """

    service: str
    about: str = ""
    format: Format
    colour: Literal["rgb", "cmyk"] = "rgb"
    dpi: Annotated[int, Between(30, 2400)] = 300
    bleed: Annotated[Length, Between(0, 50)] = 0.0
    safe: Annotated[Length, Between(0, 50)] = 0.0
    ink: Annotated[float, Between(100, 400)] | None = None
    condition: str = ""
    order: Literal["front-back", "back-front", "fronts-backs"] = "front-back"
    naming: str = "{component}/{number}-{card}-{side}"
    cut_lines: bool = False
    order_file: Literal["none", "makeplayingcards"] = "none"
    max_cards: int | None = None
    cutter: CutterFile | None = None
    kinds: tuple[ComponentKind, ...] = ()
    products: dict[str, ProductFile] = empty_mapping()
    source: str = ""
    verified: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class TargetsFile:
    """targets.yaml: services and programs by name. Your own file adds some, or replaces those that come with
    Pencilbox."""

    targets: dict[str, TargetFile]


@dataclass(frozen=True, slots=True)
class Product:
    """A product of a service, with every length worked out: `width` and `height` of its trim in mm, the pixels of a
    picture with bleed (0: as the resolution says), `bleed` across and down, and `safe`."""

    name: str
    title: str
    kind: str
    width: float
    height: float
    pixels: tuple[int, int]
    bleed: tuple[float, float]
    safe: float
    shape: str = "rectangle"
    cards: Span | None = None
    holds: Size | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A target with its name and its products."""

    name: str
    definition: TargetFile
    products: Mapping[str, Product]

    def products_for(self, kind: str) -> list[Product]:
        return [product for product in self.products.values() if product.kind == kind]

    def takes(self, kind: str) -> bool:
        """Whether components of this kind can be exported to it."""
        if self.definition.kinds:
            return kind in self.definition.kinds
        return not self.products or any(product.kind == kind for product in self.products.values())


def targets(*folders: Path) -> dict[str, Target]:
    """All targets by name: those that come with Pencilbox, and those of the targets.yaml in each folder that has one,
    which replace others of the same name. Raises InputError with the problems of all files."""
    found: dict[str, Target] = {}
    problems: list[Problem] = []
    for file in (paths.SHARED_DATA / FILE, *(folder / FILE for folder in folders)):
        if not paths.is_file(file):
            continue
        try:
            found |= read(file)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return found


def read(file: Path) -> dict[str, Target]:
    """The targets of one file. Raises InputError with every problem."""
    definitions = typed.read(nodes.document(nodes.read_text(file), paths.display_path(file)), TargetsFile).targets
    problems: list[Problem] = []
    found = {name: _target(name, definition, problems) for name, definition in definitions.items()}
    if problems:
        raise InputError(problems)
    return found


def target(name: str, known: Mapping[str, Target]) -> Target:
    """The target with this name, in any case; raises InputError with similar names."""
    names = {other.casefold(): other for other in known}
    if name.casefold() not in names:
        hint = did_you_mean(name, known)
        raise fault(f"there is no target “{name}”", hint=hint or "“pencilbox export --list” names them")
    return known[names[name.casefold()]]


def _target(name: str, definition: TargetFile, problems: list[Problem]) -> Target:
    place = definition.place
    unknown = _unknown_fields(definition.naming)
    if _leads_out(definition.naming):
        problems.append(Problem(f"target “{name}”: “naming” must be a name in the folder of the export", place))
    elif unknown:
        problems.append(
            Problem(f"target “{name}”: “naming” has no {{{unknown[0]}}}", place, did_you_mean(unknown[0], NAMING))
        )
    if definition.format == "pdf-x1a" and definition.colour != "cmyk":
        problems.append(Problem(f"target “{name}”: pdf-x1a needs “colour: cmyk”", place))
    if definition.format in ("png", "jpg", "tabletop-simulator", "pcio") and definition.colour != "rgb":
        problems.append(Problem(f"target “{name}”: “format: {definition.format}” needs “colour: rgb”", place))
    if definition.format in ("svg", "dxf") and not definition.cutter:
        problems.append(Problem(f"target “{name}”: “format: {definition.format}” needs “cutter”", place))
    products = {key: _product(key, product, definition, problems) for key, product in definition.products.items()}
    return Target(name, definition, products)


NAMING = ("game", "surname", "component", "card", "number", "side", "width", "height")
"""What `naming` may contain in braces."""


def _leads_out(naming: str) -> bool:
    """Whether a name is one of another folder, on any system."""
    return naming.startswith("/") or "\\" in naming or ":" in naming or ".." in naming.split("/") or "\0" in naming


def _unknown_fields(naming: str) -> list[str]:
    from string import Formatter  # only needed for exports

    try:
        fields = [(name or "", spec, how) for _, name, spec, how in Formatter().parse(naming) if name is not None]
    except ValueError:
        return [naming]
    return [name or naming for name, spec, how in fields if name not in NAMING or spec or how]


def _product(name: str, file: ProductFile, of: TargetFile, problems: list[Problem]) -> Product:
    bleed = of.bleed if file.bleed is None else file.bleed
    safe = of.safe if file.safe is None else file.safe
    pixels = _pixels(file.px)
    if file.px and not pixels:
        problems.append(Problem(f"product “{name}”: “px” must be two whole numbers such as 825 x 1125", file.place))
    elif file.trim is None and not pixels:
        problems.append(Problem(f"product “{name}” needs “trim”, “px” or both", file.place))
    if not pixels:
        sides = (file.trim.width, file.trim.height) if file.trim else (1.0, 1.0)
        return Product(
            name,
            file.title or name,
            file.for_,
            *sides,
            (0, 0),
            (bleed, bleed),
            safe,
            file.shape,
            file.cards,
            file.holds,
        )
    whole = [length / of.dpi * MM_PER_INCH for length in pixels]
    trim = (file.trim.width, file.trim.height) if file.trim else (whole[0] - 2 * bleed, whole[1] - 2 * bleed)
    margins = (whole[0] - trim[0]) / 2, (whole[1] - trim[1]) / 2
    if min(trim) <= 0 or min(margins) < -_NEAR or max(trim) > MAX_SIZE:
        problems.append(
            Problem(
                f"product “{name}”: {pixels[0]} × {pixels[1]} pixels are {whole[0]:.1f} × {whole[1]:.1f} mm at "
                f"{of.dpi} dpi, which leaves no room for its trim and bleed",
                file.place,
            )
        )
    across, down = (max(margin, 0.0) for margin in margins)
    return Product(
        name,
        file.title or name,
        file.for_,
        *trim,
        pixels,
        (across, down),
        safe,
        file.shape,
        file.cards,
        file.holds,
    )


def _pixels(text: str) -> tuple[int, int] | None:
    match = re.fullmatch(r"([1-9]\d{0,4})\s*[x×]\s*([1-9]\d{0,4})", text.strip())
    return (int(match[1]), int(match[2])) if match else None


def at_resolution(chosen: Target, dpi: int) -> Target:
    """The target at another resolution, for pictures without a fixed number of pixels."""
    return replace(chosen, definition=replace(chosen.definition, dpi=dpi))


def without_bleed(chosen: Target) -> Target:
    """The target with pictures that end at the trim."""
    return replace(chosen, definition=replace(chosen.definition, bleed=0.0))
