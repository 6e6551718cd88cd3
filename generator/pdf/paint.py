"""Paints frames as PDF operators, and writes once per document what they share: fonts, icons, pictures, repeated
frames, and artworks on which only the texts differ. What is written does not depend on what was painted before, so
several processes can paint pages of one document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import cos, hypot, radians, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from ..art.picture_files import drawing, find_icon, icon_picture, is_drawing
from ..errors import InputError, Place, note
from ..geometry import outlines
from ..geometry.frame import Gradient, Group, Icon, Image, Item, Paint, Placed, Run, Shape, Slot, resized
from ..geometry.outlines import IDENTITY, Rect, bounds
from ..layout.flaws import Draft, crossed
from ..layout.ink import Ink, Lettering
from ..model.game import Theme
from ..paths import display_path
from ..text import fonts
from . import operators
from .file import Form, PdfFile, Resources, only_alpha, only_colour, paint_box
from .fonts import Codes, DocumentFonts

if TYPE_CHECKING:
    from ..art.svg_shapes import Art
    from .pictures import Picture, Pictures


# The longer side of art in its form XObject: three decimals are then precise enough, whatever the units of the art.
_ART_SIZE = 100.0
_FINER = 100  # how much smaller the units of outlines with gradients are
_UNCLIPPED = (-10_000.0, -10_000.0, 10_000.0, 10_000.0)  # the box of a group without a clipping path, in mm
_FULL_COLOUR, _WITH_ALPHA = len("#rrggbb"), len("#rrggbbaa")
_BLACK = "0 g 0 G"
# Strings, and what sets a colour.
_COLOURS = re.compile(r"\((?:\\.|[^\\()])*\)|(?<![\w.])((?:[\d.]+ ){3})(rg|RG)|" + _BLACK)
MAX_ICONS = 2_000
"""The number of icons, in different sizes and colours, whose operators are remembered."""
MAX_PARTS = 2_000
MIN_FORM_LENGTH = 800
"""Characters. Shorter operators are written on the page itself, because a reference to a form takes as much room."""


class Content(Struct):
    """The operators of a page or form XObject, and the XObjects that they name."""

    code: list[str] = field(default_factory=list)
    xobjects: dict[str, None] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(self.code)

    def add(self, other: Content) -> None:
        self.code += other.code
        if other.xobjects:
            self.xobjects.update(other.xobjects)


class Shared(Struct):
    """What one process has painted with, for the document: shared resources, the letters of fonts, and the uses of
    pictures (file, colour of a drawing, width and height)."""

    resources: Resources
    letters: dict[str, dict[tuple[int, str], int]]
    pictures: dict[str, tuple[str, str | None, float, float]]


class IconOperators(Struct, frozen=True):
    """How an icon is painted: the name of its form XObject, and the operators before and after its place, which is `x`
    and `y` mm to the left of and above the middle of its box."""

    name: str
    before: str
    x: float
    y: float
    after: str


class ArtForm(NamedTuple):
    """The form XObject of an SVG file: its name and size, and the picture in it if it is drawn as one."""

    name: str
    width: float
    height: float
    picture: Picture | None


class Painter:
    """Paints the frames of one document. `add_to` writes what they share into it once. `inks` convert all colours to
    CMYK."""

    def __init__(
        self,
        theme: Theme,
        max_dpi: float | None = None,
        draft: Draft | None = None,
        inks: operators.ColourConverter | None = None,
    ) -> None:
        self.theme = theme
        self.inks = inks
        self.resources = Resources(inks)
        self.fonts = DocumentFonts()
        self._codes: Callable[[str, float, bool], Codes] = cache(
            lambda font, tracking, rtl: Codes(self.fonts, fonts.load(theme.fonts[font]), tracking, rtl)
        )
        self._size = 0.0, 0.0
        self._marks: tuple[tuple[Shape, ...], list[str]] = (), []
        self._arts: dict[tuple[Path, str], ArtForm] = {}
        self._icons: dict[tuple[object, ...], IconOperators] = {}
        self._max_dpi = max_dpi
        self._draft = draft
        self.scale = 1.0
        """The scale at which items are printed, for the resolution of pictures."""
        self.pictures: Pictures | None = None
        self._blended: dict[Shape | Group, str] = {}
        self._parts: dict[int, tuple[Group, Content]] = {}
        self._seen: set[str] = set()
        self._is_inner = False
        self._paint: dict[type, Callable[[Any, Content], None]] = {
            Run: self._run,
            Shape: self._shape,
            Icon: self._icon,
            Image: self._image,
            Slot: lambda item, content: None,  # a place to write
            Group: self._group,
        }

    def begin(self) -> None:
        """Begins pages on which a form is not expected to have been painted before."""
        self._seen.clear()

    def frames(self, placed: Sequence[Placed], content: Content) -> None:
        """Paints frames in their places. One that is repeated becomes a form XObject if its operators are long."""
        uses, repeated = Counter([id(each.frame) for each in placed]), dict[int, Content]()
        for each in placed:
            frame, part = each.frame, repeated.get(id(each.frame))
            content.code.append(head(each))
            self._size = frame.width, frame.height
            if uses[id(frame)] == 1:
                self.items(frame.items, content)
            elif part:
                content.add(part)
            else:
                part = Content()
                self.items(frame.items, part)
                if len(part.text) > MIN_FORM_LENGTH:
                    form, part = self._form(_around(*self._size), part), Content()
                    self._do(form, part)
                content.add(part)
                repeated[id(frame)] = part
            content.code.append("Q")

    def marks(self, marks: tuple[Shape, ...], content: Content) -> None:
        """Paints the marks of a page, which are usually the same as on the page before."""
        if marks is not self._marks[0]:
            self._marks = marks, self.painted(marks)[0]
        content.code += self._marks[1]

    def items(self, items: Iterable[Item], content: Content) -> None:
        paint = self._paint
        for item in items:
            paint[type(item)](item, content)

    def codes(self, font: str, tracking: float = 0.0, *, rtl: bool = False) -> Codes:
        """The words of a font of the theme as PDF code; `tracking` is a multiple of the type size."""
        return self._codes(font, round(tracking, 5), rtl)

    def painted(self, items: Iterable[Item]) -> tuple[list[str], dict[str, None]]:
        """The operators of items and the XObjects that they name."""
        content = Content()
        self.items(items, content)
        return content.code, content.xobjects

    def converted(self, code: str) -> str:
        """Operators with all colours in CMYK, if the document has `inks`."""
        return code if self.inks is None else _COLOURS.sub(self._in_inks, code)

    def _in_inks(self, match: re.Match[str]) -> str:
        if match[0].startswith("("):  # a string
            return match[0]
        assert self.inks
        red, green, blue = map(float, (match[1] or "0 0 0").split())
        inks = " ".join([f"{ink:g}" for ink in self.inks.colour(red, green, blue)])
        return f"{inks} {'k' if match[2] == 'rg' else 'K'}" if match[2] else f"{inks} k {inks} K"

    def shared(self) -> Shared:
        """What everything that was painted shares, to be added to the painter of another process."""
        return Shared(
            self.resources,
            {fonts[0].face.name: fonts[0].codes for fonts in self.fonts.embedded.values()},
            {
                name: (picture.file, getattr(picture, "colour", None), picture.width, picture.height)
                for name, picture in (self.pictures.by_name.items() if self.pictures else ())
            },
        )

    def update(self, shared: Shared) -> None:
        """Adds what a copy of this process has painted with, after pages of its own."""
        self.resources.update(shared.resources)
        for name, letters in shared.letters.items():
            self.fonts.font(self._face(name)).codes |= letters
        for name, (file, colour, width, height) in shared.pictures.items():
            if colour is None:
                self._pictures().use(Image(file, 0, 0, width, height=height))
            else:
                self._art(Path(file), colour)
                self._pictures().by_name[name].show(width, height)

    def _face(self, name: str) -> fonts.FontFace:
        """The face with this name."""
        faces = (fonts.load(files).faces for files in (*self.theme.fonts.values(), fonts.SYMBOLS))
        return next(face for each in faces for face in each if face.name == name)

    def add_to(self, file: PdfFile) -> None:
        """Writes to a file what its pages share, after everything is painted. Raises InputError with every problem of
        pictures; a draft shows crossed boxes instead of damaged ones."""
        if self.pictures:
            self.pictures.add_to(file, self._cross if self._draft else None)
        self.resources.add_to(file, lambda code: self.converted(self.fonts.settled(code)))
        self.fonts.add_to(file)

    def _cross(self, name: str, picture: Picture, error: InputError) -> None:
        """Adds a form instead of a picture: a crossed box with its name and the number of its problem, in a box of
        1 × 1 with y upwards."""
        assert self._draft
        numbers = [f"+{self._draft.number(problem)}" for problem in error.problems]
        ink = Ink(Rect(0.0, 0.0, picture.width, picture.height), 0.0)
        crossed(ink, ink.trim, f"{','.join(numbers)} {Path(picture.file).name}", self.theme)
        content = Content([operators.matrix(1 / picture.width, 0, 0, -1 / picture.height, e=0, f=1)])
        self.items(ink.items, content)
        self.resources.forms[name] = Form((0, 0, 1, 1), content.text, tuple(content.xobjects))

    # ---- items of a frame

    def _shape(self, item: Shape, content: Content) -> None:
        if _is_plain(item.fill) and _is_plain(item.stroke):
            content.code.append(operators.shape(item))
        elif item.fill and item.stroke:  # PDF does not paint the outline over the filling if they are transparent
            self._shape(replace(item, stroke=None, stroke_width=0.0, dash=()), content)
            self._shape(replace(item, fill=None), content)
        else:
            self._blended_shape(item, item.fill or item.stroke, content)

    def _blended_shape(self, item: Shape, paint: Paint | None, content: Content) -> None:
        """A shape with one paint: a gradient, or a colour with an alpha value."""
        if isinstance(paint, Gradient):
            paint = only_colour(paint) or paint
        if isinstance(paint, Gradient):
            self._with_opacity(only_alpha(paint) or 1.0, content)
            # A shape filled with a gradient is a form XObject whose coordinates are those of the shape.
            if item not in self._blended:
                box = paint_box(item)
                mask = [self.resources.soft_mask(paint, box)] if only_alpha(paint) is None else []
                pattern = self.resources.pattern(paint, box)
                code = operators.shape(item, {paint: pattern})
                if item.stroke:
                    fine = resized(replace(item, path=(*item.path, *_points_outside(box))), _FINER)
                    assert isinstance(fine.stroke, Gradient)
                    scale = operators.matrix(1 / _FINER, 0, 0, 1 / _FINER, e=0, f=0)
                    code = f"{scale} {operators.shape(fine, {fine.stroke: pattern})}"
                self._blended[item] = self._form(box, Content([*mask, code]))
            self._do(self._blended[item], content)
        elif paint:
            item = replace(item, fill=paint) if item.fill else replace(item, stroke=paint)
            self._with_opacity(operators.alpha(paint), content)
            content.code.append(operators.shape(item))
        content.code.append("Q")

    def _with_opacity(self, alpha: float, content: Content) -> None:
        content.code.append(f"q {self.resources.opacity(alpha)}" if alpha < 1 else "q")

    def _part(self, item: Group, content: Content) -> None:
        """A text, or a plain group, which other frames may have, too: when its operators come again, they become a form
        if they are long. With that, a deck of 540 cards takes a fifth less time."""
        part = self._painted_part(item)
        code = part.code[0]
        if self._is_inner or len(code) <= MIN_FORM_LENGTH:
            content.add(part)
        elif code in self._seen:
            self._do(self._form(_around(*self._size), part), content)
        else:
            self._seen.add(code)
            content.add(part)

    def _painted_part(self, item: Group) -> Content:
        """The operators of a text or a plain group as one text, without forms of its parts: whether an earlier card has
        had the same text or group must make no difference."""
        known = self._parts.get(id(item))
        if known:
            return known[1]
        inner = Content()
        if isinstance(item.items, Lettering):
            self._lettering(item.items, inner)
            return Content([inner.text], inner.xobjects)
        is_inner, self._is_inner = self._is_inner, True
        self.items(item.items, inner)
        self._is_inner = is_inner
        if len(self._parts) >= MAX_PARTS:
            self._parts.clear()
        part = Content([inner.text], inner.xobjects)
        self._parts[id(item)] = item, part
        return part

    def _group(self, item: Group, content: Content) -> None:
        if item.is_plain:
            self._part(item, content)
            return
        if item.alt:
            content.code.append(operators.begin_alternative(item.alt))
            self._group(replace(item, alt=""), content)
            content.code.append("EMC")
            return
        content.code.append("q")
        scale = self.scale
        if item.transform != IDENTITY:
            content.code.append(operators.matrix(*item.transform))
            self.scale *= hypot(*item.transform[:2])
        if item.clip:
            content.code.append(operators.clip_path(item.clip, even_odd=item.even_odd))
        if item.opacity >= 1:
            self.items(item.items, content)
        elif item.opacity > 0:
            content.code.append(self.resources.opacity(item.opacity))
            if len(item.items) == 1 and _is_one_layer(item.items[0]):
                self.items(item.items, content)
            else:
                self._do(self._group_form(item), content)
        self.scale = scale
        content.code.append("Q")

    def _group_form(self, item: Group) -> str:
        """The items of a group as an isolated transparency group."""
        if item not in self._blended:
            inner = Content()
            self.items(item.items, inner)
            box = bounds(item.clip) if item.clip else _UNCLIPPED
            self._blended[item] = self._form(box, inner, group="DeviceRGB")
        return self._blended[item]

    def _run(self, item: Run, content: Content) -> None:
        if len(item.colour) > _FULL_COLOUR:
            content.code.append(f"q {self.resources.opacity(operators.alpha(item.colour))}")
            self._run(replace(item, colour=item.colour[:_FULL_COLOUR]), content)
            content.code.append("Q")
            return
        codes = self.codes(item.font, item.tracking / item.size, rtl=item.rtl)
        words = codes.line(item.text.replace("\u00a0", " ").split(" "), item.spread / item.size)
        content.code.append(operators.run(item, f"{codes.head}[({words})] TJ{codes.tail}"))

    def _lettering(self, text: Lettering, content: Content) -> None:
        """A text as one text object, which sets the font where it changes, and its icons."""
        style, size, ink = text.style, text.text.size, text.ink
        scale, family, tracking = operators.text_scale(size, ink.turn), style.family, style.tracking
        codes, code, icons = None, list[str](), Ink(ink.trim, 0.0, [], ink.turn, matrix=ink.matrix)
        is_usual = not style.outline and len(style.colour) == _FULL_COLOUR
        for part, left, base, spread in text.lines():
            if not is_usual or part.is_emphasised:
                self.items(text.all(), content)
                return
            if part.icon:
                height = family.cap_height * size
                icons.icon(part.icon, Rect(left, base - height, (part.width - tracking) * size, height), style.colour)
                continue
            own = self.codes(family.keys[part.font], tracking, rtl=part.rtl)
            words = part.text.replace("\u00a0", " ").split(" ")
            x, y = ink.point(left, base)
            head, codes = "" if own is codes else own.head, own
            code.append(f"{head}{scale} {x:.3f} {y:.3f} Tm [({own.line(words, spread / size)})] TJ")
        if codes:
            content.code.append(f"BT {operators.rgb(style.colour)} rg {' '.join(code)}{codes.tail} ET")
        self.items(icons.items, content)

    def _icon(self, item: Icon, content: Content) -> None:
        if len(item.colour) > _FULL_COLOUR:
            opaque = replace(item, colour=item.colour[:_FULL_COLOUR])
            self._group(Group((opaque,), operators.alpha(item.colour)), content)
            return
        if picture := icon_picture(item, self.theme.icon_folders):
            self.items([picture], content)
            return
        key = item.name, item.width, item.height, item.colour, item.turn, self.scale
        icon = self._icons.get(key)
        if icon is None:
            name, width, height, art = self._art(find_icon(item.name, self.theme.icon_folders), item.colour)
            scale = min(item.width / width, item.height / height)
            if art:
                art.show(width * scale * self.scale, height * scale * self.scale)
            a, b = scale * cos(radians(item.turn)), scale * sin(radians(item.turn))
            colour = operators.rgb(item.colour)
            before = f"q {colour} rg {colour} RG\n{a:.5f} {b:.5f} {-b:.5f} {a:.5f}"
            if len(self._icons) >= MAX_ICONS:
                self._icons.clear()
            x, y = (a * width - b * height) / 2, (b * width + a * height) / 2
            icon = self._icons[key] = IconOperators(name, before, x, y, after=f"cm\n/{name} Do\nQ")
        x, y = item.x + item.width / 2 - icon.x, item.y + item.height / 2 - icon.y
        content.code.append(f"{icon.before} {x:.4f} {y:.4f} {icon.after}")
        content.xobjects[icon.name] = None

    def _image(self, item: Image, content: Content) -> None:
        content.code.append("q")
        if item.clip:
            content.code.append(operators.clip(*item.clip))
        if is_drawing(item.file):
            name, width, height, picture = self._art(Path(item.file), "#000000")
            if picture:
                picture.show(item.width * self.scale, item.height * self.scale)
            content.code += [_BLACK, _fitted(item, item.width / width, item.height / height, downwards=True)]
        else:
            name = self._pictures().use(item, self.scale)
            content.code.append(_fitted(item, item.width, item.height, downwards=False))
        self._do(name, content)
        content.code.append("Q")

    def _pictures(self) -> Pictures:
        if self.pictures is None:
            from .pictures import MAX_DPI, Pictures  # few games have pictures

            self.pictures = Pictures(self._max_dpi or MAX_DPI, self.inks)
        return self.pictures

    def _do(self, name: str, content: Content) -> None:
        content.xobjects[name] = None
        content.code.append(f"/{name} Do")

    # ---- shared objects

    def _form(self, box: tuple[float, float, float, float], content: Content, group: str = "") -> str:
        """The name of a form XObject with this content."""
        return self.resources.form(Form(box, content.text or "n", tuple(content.xobjects), group))

    def _art(self, path: Path, colour: str) -> ArtForm:
        """An SVG file as a form XObject; `colour` matters if it is drawn as a picture."""
        form = self._arts.get((path, "")) or self._arts.get((path, colour))
        if form is None:
            art = drawing(path)
            for text in art.notes:
                note(text, Place(display_path(path)))
            takes_colour = art.document is not None and art.document.takes_colour
            key = path, colour if takes_colour else ""
            form = self._arts[key] = self._pictured(path, art, key[1]) if art.beyond else self._drawn(art)
        return form

    def _drawn(self, art: Art) -> ArtForm:
        scaled, content = _scaled(art), Content()
        for item in scaled.items:
            code, xobjects = self.painted([item])
            content.code.append(f"q {' '.join(code)} Q")
            content.xobjects |= xobjects
        return self._art_form(scaled, content)

    def _pictured(self, path: Path, art: Art, colour: str) -> ArtForm:
        """Art that is drawn as a picture."""
        note(art.picture_note, Place(display_path(path)), art.picture_hint)
        art = _scaled(art)
        name, picture = self._pictures().drawing(str(path), art, colour)
        content = Content([f"{art.width:.3f} 0 0 {-art.height:.3f} 0 {art.height:.3f} cm"])
        self._do(name, content)
        return self._art_form(art, content, picture)

    def _art_form(self, art: Art, content: Content, picture: Picture | None = None) -> ArtForm:
        name = self._form((0, 0, art.width, art.height), content)
        return ArtForm(name, art.width, art.height, picture)


def _around(width: float, height: float) -> tuple[float, float, float, float]:
    """A generous box for a form XObject, which is clipped wherever it is placed."""
    return -width, -height, 2 * width, 2 * height


def head(placed: Placed) -> str:
    """What precedes a frame at its place on the page: clips to its bleed there, and switches to its coordinates, until
    `Q`."""
    left, top, right, bottom = placed.clip
    width, height = placed.box
    clip = operators.clip(placed.x - left, placed.y - top, width + left + right, height + top + bottom)
    outline = f"{operators.clip_path(placed.outline, even_odd=False)}\n" if placed.outline else ""
    return f"q\n{clip}\n{outline}{_turned(placed)}"


def _turned(placed: Placed) -> str:
    """The matrix from the frame's coordinates to those of the page."""
    x, y = placed.x, placed.y
    width, height = placed.box
    a, b, e, f = {
        0: (1, 0, x, y),
        90: (0, 1, x + width, y),
        180: (-1, 0, x + width, y + height),
        270: (0, -1, x, y + height),
    }[placed.turn]
    return operators.matrix(a, b, -b, a, e=e, f=f)


def _fitted(item: Image, across: float, down: float, *, downwards: bool) -> str:
    """The matrix from a picture's units to its box, mirrored if required. Rows of bitmaps count upwards in PDF."""
    mirrored, upended = "x" in item.flip, ("y" in item.flip) == downwards
    return operators.matrix(
        -across if mirrored else across,
        0,
        0,
        -down if upended else down,
        e=item.x + item.width if mirrored else item.x,
        f=item.y + item.height if upended else item.y,
    )


def _scaled(art: Art) -> Art:
    scale = _ART_SIZE / max(art.width, art.height)
    return replace(
        art, width=art.width * scale, height=art.height * scale, items=tuple(resized(item, scale) for item in art.items)
    )


def _points_outside(box: tuple[float, float, float, float]) -> outlines.Path:
    """Points at two corners, beyond a box. pdfium clips an outline with a gradient to a box of its own, which is too
    small for some curves; it also draws them with few straight lines, in the units of the path (see `_FINER`)."""
    left, top, right, bottom = box
    across, down = right - left, bottom - top
    corners = (left - across, top - down), (right + across, bottom + down)
    return tuple((name, *corner) for corner in corners for name in "ML")


def _is_plain(paint: Paint | None) -> bool:
    """Whether a paint is an opaque colour, or none."""
    return paint is None or (isinstance(paint, str) and len(paint) != _WITH_ALPHA)


def _is_one_layer(item: Item) -> bool:
    """Whether no parts of an item overlap, so that an alpha constant is all that its opacity needs."""
    if isinstance(item, Shape):
        return not (item.fill and item.stroke) and _is_plain(item.fill) and _is_plain(item.stroke)
    return isinstance(item, Run) and len(item.colour) == _FULL_COLOUR
