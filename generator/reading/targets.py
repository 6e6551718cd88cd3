"""Where a game can be exported to: the services and programs in data/_shared/targets.yaml, and your own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from .. import paths
from ..errors import InputError, Place, Problem, did_you_mean, fault, refuse
from ..model.game import ComponentKind
from ..model.values import MAX_SIZE, Between, Length, Pixels, Size, Span, empty_mapping
from . import typed

FILE = "targets.yaml"
"""The name of the file, also in the folder of a game and in that of the settings."""
MM_PER_INCH = 25.4
_NEAR = 0.3  # how far `trim` may differ from the size that `px` and `bleed` leave, in mm: services round

Format = Literal["png", "jpg", "pdf", "pdf-x1a", "tabletop-simulator", "pcio", "svg", "dxf"]


class ProductFile(Struct, frozen=True, kw_only=True):
    """A product of a service: the kind of component it is `for`, its `trim` and the pixels of its pictures with
    bleed. One of the two may be left out. `bleed` and `safe` are those of the target unless they are given; `cards` is
    how many cards a box holds, for cards of the size `holds`."""

    for_: ComponentKind
    title: str = ""
    trim: Size | None = None
    px: Pixels | None = None
    bleed: Annotated[Length, Between(0, 50)] | None = None
    safe: Annotated[Length, Between(0, 50)] | None = None
    shape: Literal["rectangle", "round", "hex"] = "rectangle"
    cards: Span | None = None
    holds: Size | None = None
    place: Place | None = None


class CutterFile(Struct, frozen=True, kw_only=True):
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


class TargetFile(Struct, frozen=True, kw_only=True):
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


class TargetsFile(Struct, frozen=True):
    """targets.yaml: services and programs by name. Your own file adds some, or replaces those that come with
    Pencilbox."""

    targets: dict[str, TargetFile]


class Product(Struct, frozen=True):
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


class Target(Struct, frozen=True):
    """A target with its name and its products."""

    name: str
    definition: TargetFile
    products: Mapping[str, Product]

    def changed(self, **changes: Any) -> Target:
        """The target with another value for some of its keys. The products stay as they are."""
        return replace(self, definition=replace(self.definition, **changes))

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
    known: dict[str, Target] = {}
    problems: list[Problem] = []
    for file in (paths.SHARED_DATA / FILE, *(folder / FILE for folder in folders)):
        if not paths.is_file(file):
            continue
        try:
            definitions = typed.read_file(file, TargetsFile).targets
        except InputError as error:
            problems += error.problems
            continue
        for name, definition in definitions.items():
            problems += _target_problems(name, definition)
            files = definition.products.items()
            products = {key: _product(key, product, definition, problems) for key, product in files}
            known[name] = Target(name, definition, products)
    refuse(problems)
    return known


def target(name: str, known: Mapping[str, Target]) -> Target:
    """The target with this name, in any case; raises InputError with similar names."""
    names = {other.casefold(): other for other in known}
    if name.casefold() not in names:
        hint = did_you_mean(name, known)
        raise fault(f"there is no target “{name}”", hint=hint or "“pencilbox export --list” names them")
    return known[names[name.casefold()]]


NAMING = ("game", "surname", "component", "card", "number", "side", "width", "height")
"""What `naming` may contain in braces."""


def _target_problems(name: str, file: TargetFile) -> Iterator[Problem]:
    naming, fields = file.naming, _unknown_fields(file.naming)
    if naming.startswith("/") or any(sign in naming for sign in "\\:\0") or ".." in naming.split("/"):
        yield Problem(f"target “{name}”: “naming” must be a name in the folder of the export", file.place)
    elif fields:
        hint = did_you_mean(fields[0], NAMING)
        yield Problem(f"target “{name}”: “naming” has no {{{fields[0]}}}", file.place, hint)
    of_format = f"target “{name}”: “format: {file.format}” needs"
    colour = {"pdf-x1a": "cmyk", "pdf": file.colour, "svg": file.colour, "dxf": file.colour}.get(file.format, "rgb")
    if file.colour != colour:
        yield Problem(f"{of_format} “colour: {colour}”", file.place)
    if file.format in ("svg", "dxf") and not file.cutter:
        yield Problem(f"{of_format} “cutter”", file.place)


def _unknown_fields(naming: str) -> list[str]:
    try:
        fields = [(name or "", spec, how) for _, name, spec, how in Formatter().parse(naming) if name is not None]
    except ValueError:
        return [naming]
    return [name or naming for name, spec, how in fields if name not in NAMING or spec or how]


def _product(name: str, file: ProductFile, of: TargetFile, problems: list[Problem]) -> Product:
    bleed = of.bleed if file.bleed is None else file.bleed
    trim, across, down = file.trim, bleed, bleed
    if file.px:
        width, height = (length / of.dpi * MM_PER_INCH for length in file.px)
        trim = trim or Size(width - 2 * bleed, height - 2 * bleed)
        across, down = (width - trim.width) / 2, (height - trim.height) / 2
        if min(trim.width, trim.height) <= 0 or min(across, down) < -_NEAR or max(trim.width, trim.height) > MAX_SIZE:
            message = (
                f"product “{name}”: {file.px[0]} × {file.px[1]} pixels are {width:.1f} × {height:.1f} mm at "
                f"{of.dpi} dpi, which leaves no room for its trim and bleed"
            )
            problems.append(Problem(message, file.place))
    elif trim is None:
        problems.append(Problem(f"product “{name}” needs “trim”, “px” or both", file.place))
        trim = Size(1, 1)
    return Product(
        name=name,
        title=file.title or name,
        kind=file.for_,
        width=trim.width,
        height=trim.height,
        pixels=file.px or (0, 0),
        bleed=(max(across, 0.0), max(down, 0.0)),
        safe=of.safe if file.safe is None else file.safe,
        shape=file.shape,
        cards=file.cards,
        holds=file.holds,
    )
