"""Fits a side of a component on the picture or page that a target wants: which product, how large, which way up."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log

from msgspec import Struct
from msgspec.structs import replace

from ..errors import InputError, did_you_mean, fault, note
from ..geometry.frame import Frame, Page, Placed, scaled
from ..model.game import Component
from ..model.values import Size
from ..reading.targets import MM_PER_INCH, Product, Target

SAME = 1.0
"""By how many mm a card may differ from a product: the difference becomes bleed, or is cut off."""
SCALED = ("sheet", "page", "booklet", "dice", "pawns")
"""Kinds of components that are scaled to the size of a product; others keep their size."""
SMALLEST, LARGEST = 0.8, 1.02
"""How far those may be scaled without being asked."""
MAX_BLEED = 20.0
NO_BLEED = ("sheet", "page", "booklet")
"""Kinds of components that have no bleed: their pages are white along the edges."""


class Canvas(Struct, frozen=True):
    """The picture or page of a side: `width` and `height` in mm with bleed, and in `pixels`; the `trim` of the product
    (x, y, width, height). A frame is scaled by `scale`, turned by `turn` degrees clockwise (its back by `back_turn`),
    and its trim then lies at (`x`, `y`)."""

    width: float
    height: float
    pixels: tuple[int, int]
    trim: tuple[float, float, float, float]
    x: float
    y: float
    scale: float = 1.0
    turn: int = 0
    product: Product | None = None

    @property
    def back_turn(self) -> int:
        """A card lies on its side in a picture of the other orientation, and its back on the opposite side, so that
        both are the right way up when you turn it over."""
        return -self.turn % 360

    @property
    def frame_bleed(self) -> float:
        """How much bleed a frame needs to fill the canvas, in mm, a little more than is seen."""
        return min(ceil(max(self.x, self.y, 0.0) / self.scale * 100 + 1) / 100, MAX_BLEED)

    @property
    def upright(self) -> Canvas:
        """The canvas in portrait: cards on their side are turned."""
        if self.width <= self.height:
            return self
        x, y, width, height = self.trim
        return replace(
            self,
            width=self.height,
            height=self.width,
            pixels=self.pixels[::-1],
            trim=(y, x, height, width),
            x=self.y,
            y=self.x,
            turn=90,
        )

    def fitted(self, longest: int, most: float = 300 / MM_PER_INCH) -> tuple[int, int]:
        """Its pixels if the longer side has at most this many, and at most this many pixels a millimetre."""
        scale = min(longest / max(self.width, self.height), most)
        return max(1, round(self.width * scale)), max(1, round(self.height * scale))

    def page(self, frame: Frame, *, back: bool = False, label: str = "") -> Page:
        """A page with the frame alone, as large as the canvas."""
        placed = scaled(frame, self.scale) if self.scale != 1.0 else frame
        turn = self.back_turn if back else self.turn
        width, height = (placed.width, placed.height) if turn % 180 == 0 else (placed.height, placed.width)
        x, y = (self.width - width) / 2, (self.height - height) / 2
        reach = x, y, self.width - x - width, self.height - y - height
        return Page(
            self.width, self.height, (Placed(placed, x, y, turn, reach),), label=label, cut=True, trim=self.trim
        )


def canvas(part: Component, size: Size, target: Target, product: str | None = None) -> Canvas:
    """The canvas of a component's sides, whose trim is `size`. Raises InputError if the target has no product of this
    size, or not the one that is named."""
    if not target.products_for(part.kind) or part.kind == "box":
        bleed = 0.0 if part.kind in NO_BLEED else target.definition.bleed
        width, height = size.width + 2 * bleed, size.height + 2 * bleed
        pixels = _pixels(width, target), _pixels(height, target)
        return Canvas(width, height, pixels, (bleed, bleed, size.width, size.height), bleed, bleed)
    named = target.products.get(product) if product else None
    if named and named.kind != part.kind:  # it is for other components
        product = None
    chosen = named_product(product, [part], target) if product else _by_size(part, size, target)
    turn, scale = _fitted(size, chosen) if part.kind in SCALED or product else (_nearer_turn(size, chosen), 1.0)
    if scale != 1.0:
        note(f"“{part.name}” is printed at {scale:.0%} of its size, to fit the product {chosen.name}")
    width, height, pixels = _of_product(chosen, target)
    trim = (width - chosen.width) / 2, (height - chosen.height) / 2, chosen.width, chosen.height
    across, down = (size.width, size.height) if turn == 0 else (size.height, size.width)
    x, y = (width - across * scale) / 2, (height - down * scale) / 2
    return Canvas(width, height, pixels, trim, x, y, scale=scale, turn=turn, product=chosen)


def _pixels(length: float, target: Target) -> int:
    return max(1, round(length * target.definition.dpi / MM_PER_INCH))


def _of_product(product: Product, target: Target) -> tuple[float, float, tuple[int, int]]:
    """The canvas of a product: width and height in mm, and pixels."""
    if product.pixels != (0, 0):
        dpi = target.definition.dpi
        return product.pixels[0] * MM_PER_INCH / dpi, product.pixels[1] * MM_PER_INCH / dpi, product.pixels
    width, height = product.width + 2 * product.bleed[0], product.height + 2 * product.bleed[1]
    return width, height, (_pixels(width, target), _pixels(height, target))


def _nearer_turn(size: Size, product: Product) -> int:
    upright = _difference(size, product.width, product.height)
    return 90 if _difference(size, product.height, product.width) < upright - 1e-6 else 0


def _fitted(size: Size, product: Product) -> tuple[int, float]:
    """The turn and the scale at which a side fills a product best."""
    upright = min(product.width / size.width, product.height / size.height)
    sideways = min(product.height / size.width, product.width / size.height)
    turn, scale = (90, sideways) if sideways > upright * 1.01 else (0, upright)
    return turn, 1.0 if abs(scale - 1) < 0.001 else scale


# ---- choosing a product


def named_product(name: str, parts: Sequence[Component], target: Target) -> Product:
    """The product with this name. Raises InputError if the target has none that one of these components can become."""
    product, part = target.products.get(name), parts[0]
    if product and any(each.kind == product.kind for each in parts):
        return product
    known = {each.name: each for each in target.products_for(part.kind)}
    hint = f"it is for components of the kind “{product.kind}”" if product else did_you_mean(name, known)
    raise fault(f"{target.definition.service} has no product “{name}” for the {part.kind} “{part.name}”", hint=hint)


def _by_size(part: Component, size: Size, target: Target) -> Product:
    products = [product for product in target.products_for(part.kind) if product.shape == _shape(part)]
    if part.kind in SCALED:
        for product in products:
            scale = min(product.width / size.width, product.height / size.height)
            if part.kind == "dice" or SMALLEST <= scale <= LARGEST:
                return product
    else:
        near = [product for product in products if _distance(size, product) <= SAME]
        if near:
            return min(near, key=lambda product: _distance(size, product))
    raise _none_fits(part, size, products, target)


def _shape(part: Component) -> str:
    shape = part.definition.shape
    return "hex" if shape.endswith("hex") else shape if shape == "round" else "rectangle"


def _difference(size: Size, width: float, height: float) -> float:
    return max(abs(size.width - width), abs(size.height - height))


def _distance(size: Size, product: Product) -> float:
    """By how many mm a size differs from a product, either way up."""
    upright = _difference(size, product.width, product.height)
    return min(upright, _difference(size, product.height, product.width))


def _unlike(size: Size, product: Product) -> float:
    """How far a product is from a size: by the scale that fits it, and by the room that is then left."""
    scale = max(
        min(width / size.width, height / size.height)
        for width, height in ((product.width, product.height), (product.height, product.width))
    )
    room = product.width * product.height / (size.width * size.height * scale * scale)
    return abs(log(scale)) + log(room)


def _none_fits(part: Component, size: Size, products: Sequence[Product], target: Target) -> InputError:
    nearest = sorted(products, key=lambda product: _unlike(size, product))[:3]
    listed = ", ".join(f"{product.name} ({product.width:.4g} × {product.height:.4g} mm)" for product in nearest)
    what = f"{target.definition.service} has no {part.kind} of {size.width:.4g} × {size.height:.4g} mm"
    if not nearest:
        return fault(f"{what} of this shape, the size of “{part.name}”", part.definition.place)
    fits = "change “size” in game.yaml to one of these" if part.kind == "deck" else "choose one of these"
    hint = f"the nearest are {listed}; {fits}, or scale it with --product {nearest[0].name}"
    return fault(f"{what}, the size of “{part.name}”", part.definition.place, hint)
