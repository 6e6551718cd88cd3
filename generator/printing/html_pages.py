"""Reports and scored copies as HTML, with frames as SVG: one file with its fonts and pictures, without scripts.
A page needs the fonts with the letters in `SvgWriter.letters` and nothing from elsewhere."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from .. import __version__, faces, paths
from ..art.bitmaps import bitmap
from ..art.picture_files import find_icon, is_drawing
from ..art.svg_shapes import Art, load_art, read_svg
from ..geometry.frame import Frame, Gradient, Group, Icon, Image, Item, Paint, RadialGradient, Run, Shape
from ..geometry.outlines import IDENTITY, Matrix, rect
from ..geometry.outlines import Path as Outline
from ..model.game import FontFile, Game, Theme
from ..pdf.fonts import subset
from ..simulation.report import Report
from ..text import fonts
from ..text.lines import colour
from .balance_report import contents
from .scored_copies import Copier, Copy

FAMILY = "Lato, Carlito, system-ui, sans-serif"
_TYPES = {".svg": "svg+xml", ".svgz": "svg+xml", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp"}
_XMLNS = "http://www.w3.org/2000/svg"
_FONTS = {"normal 400": "Lato-Regular", "normal 700": "Lato-Bold", "normal 900": "Lato-Black"}
# The letters of the texts of a page: others come from the fonts of the reader's machine.
_PRINTABLE = "".join(map(chr, (*range(32, 127), *range(160, 383)))) + "–—‘’“”…−≠×·★▲▼"


def _font_face(name: str, files: fonts.Files, letters: Iterable[str], style: str = "") -> str:
    """A font for texts with these letters, as CSS."""
    codes = []
    for face in fonts.load(files).faces:
        own = {letter for letter in letters if face.glyph(letter)}
        letters = {*letters} - own
        if own and not face.is_cff:
            program, _ = subset(face, letters=sorted(own))
            codes.append(f"url(data:font/ttf;base64,{b64encode(program).decode()})")
    weight = f"font-weight:{style.split()[-1]};" if style else ""
    return "".join(f'@font-face{{font-family:"{name}";{weight}src:{code}}}\n' for code in codes[:1])


def _fonts_of(pictures: Iterable[SvgWriter]) -> str:
    """The fonts of pictures: one for each font of their themes."""
    used: dict[str, tuple[fonts.Files, set[str]]] = {}
    for writer in pictures:
        for name, letters in writer.letters.items():
            used.setdefault(name, (writer.theme.fonts.get(name, ()), set()))[1].update(letters)
    return "".join(_font_face(family(name), files, letters) for name, (files, letters) in sorted(used.items()))


def page(title: str, theme: Theme, body: Iterable[str], pictures: Iterable[SvgWriter] = ()) -> str:
    """A whole page. `title` is text, `body` consists of HTML, with `pictures` in it."""
    body = [*body]
    own = {letter for part in body for letter in re.sub("<svg.*?</svg>|<[^>]*>", "", part, flags=re.S)} & {*_PRINTABLE}
    faces_of_page = "".join(
        _font_face("Lato", paths.SHARED_DATA / "fonts" / f"{file}.ttf", own, style) for style, file in _FONTS.items()
    )
    colours = "".join(f"--{name}: {colour(name, theme)[:7]}; " for name in ("ink", "accent", "soft", "line", "quiet"))
    rules = (paths.SHARED_TEMPLATES / "page.css").read_text(encoding="utf-8")
    style = f"{faces_of_page}{_fonts_of(pictures)}:root {{ {colours}}}\n{rules}"
    language = theme.language if theme.language not in ("", "none") else "en"
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + f"\n<footer>{_mark()}Pencilbox {__version__}</footer>\n</body>\n</html>\n"
    )


def _mark() -> str:
    """The mark of Pencilbox."""
    return (paths.SHARED_DATA / "icons" / "pencilbox.svg").read_text(encoding="utf-8").replace("\n", "")


def balance(game: Game, report: Report) -> str:
    """The balance report of a game."""
    shown = contents(game, report)
    templates = faces.Templates(game.templates, game.theme)
    body = templates.render("balance", {"title": game.title, "page": shown}, "balance", ".html.j2")
    pictures = SvgWriter(game.theme)
    for number, (title, picture, _) in enumerate(shown.pieces):  # too large to pass through the template
        svg = pictures.svg(picture, title).replace("<svg", '<svg class="card"', 1) if picture else "<span></span>"
        body = body.replace(f"<!-- piece {number} -->", svg)
    title = f"{game.title}: balance report"
    return page(title, game.theme, [body.strip(), pictures.definitions()], [pictures])


def scored(copier: Copier, copies: Sequence[Copy]) -> str:
    """Scored copies of filled-in sheets."""
    title = " · ".join(dict.fromkeys(copy.game.title for copy in copies))
    pictures = [SvgWriter(copier.theme(copy)) for copy in copies]
    return page(f"{title}: scored", copies[0].game.theme, _scored(copier, copies, pictures), pictures)


def _scored(copier: Copier, copies: Sequence[Copy], writers: Sequence[SvgWriter]) -> Iterator[str]:
    templates = faces.Templates(copies[0].game.templates, copies[0].game.theme)
    for number, (copy, pictures) in enumerate(zip(copies, writers, strict=True)):
        if number:
            yield "<hr>"
        groups = [(kind, list(lines)) for kind, lines in groupby(copy.notes, key=lambda line: line["kind"])]
        yield templates.render("scored_notes", {"groups": groups}, "scored notes", ".html.j2").strip()
        for count, (frame, _) in enumerate(copier.sheets(copy), start=1):
            yield f'<div class="sheet">{pictures.svg(frame, f"{copy.game.title}, page {count} as filled in")}</div>'
        yield pictures.definitions()


class SvgWriter:
    """Writes frames of one HTML page as SVG. Icons, clips and gradients are defined once, in `definitions`."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._symbols: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self.letters: dict[str, set[str]] = {}
        """The letters that texts use of each font of the theme. Its family in CSS is `family(font)`."""

    def svg(self, frame: Frame, label: str) -> str:
        """A frame as an element whose size is in the view box in mm; `label` says what it shows."""
        return _element(
            "svg",
            self._content(frame.items),
            xmlns=_XMLNS,
            viewBox=f"0 0 {_n(frame.width)} {_n(frame.height)}",
            role="img",
            aria_label=label,
        )

    def definitions(self) -> str:
        """An invisible element with what the others refer to. Write it once, anywhere in the page."""
        defined = [*self._symbols.values(), *(code.replace("%s", name, 1) for code, name in self._names.items())]
        return _element("svg", "".join(defined), xmlns=_XMLNS, width="0", height="0", aria_hidden="true")

    def _content(self, items: Iterable[Item]) -> str:
        return "".join(map(self._item, items))

    def _item(self, item: Item) -> str:
        if isinstance(item, Shape):
            return self._shape(item)
        if isinstance(item, Run):
            return self._run(item)
        if isinstance(item, Icon):
            return self._icon(item)
        if isinstance(item, Image):
            return self._image(item)
        if isinstance(item, Group):
            return self._content(item.items) if item.is_plain else self._group(item)
        return ""

    def _shape(self, item: Shape) -> str:
        stroke = {
            "stroke": self._paint(item.stroke),
            "stroke_width": _n(item.stroke_width),
            "stroke_dasharray": " ".join(map(_n, item.dash)),
            "stroke_dashoffset": _n(item.dash_start) if item.dash_start else "",
            "stroke_linecap": item.cap,
            "stroke_linejoin": item.join,
        }
        rule = "evenodd" if item.even_odd else ""
        return _element(
            "path", d=_path(item.path), fill=self._paint(item.fill), fill_rule=rule, **(stroke if item.stroke else {})
        )

    def _run(self, item: Run) -> str:
        weight, slant = _face(self.theme.fonts.get(item.font, ()))
        stretched = item.text.strip() and item.width > 0
        self.letters.setdefault(item.font, set()).update(item.text)
        return _element(
            "text",
            escape(item.text),
            x=_n(item.x),
            y=_n(item.y),
            font_size=_n(item.size),
            font_family=f"{family(item.font)}, {FAMILY}",
            fill=item.colour,
            font_weight=weight if weight != 400 else "",
            font_style="italic" if slant else "",
            textLength=_n(item.width) if stretched else "",
            lengthAdjust="spacingAndGlyphs" if stretched else "",
            stroke=item.colour if item.outline else "",
            stroke_width=_n(2 * item.outline) if item.outline else "",
            transform=f"rotate({_n(item.turn)} {_n(item.x)} {_n(item.y)})" if item.turn else "",
            direction="rtl" if item.rtl else "",
            text_anchor="end" if item.rtl else "",
        )

    def _icon(self, item: Icon) -> str:
        name = f"icon-{item.name}"
        if name not in self._symbols:
            art = _icon_art(find_icon(item.name, self.theme.icon_folders))
            box = f"0 0 {_n(art.width)} {_n(art.height)}"
            self._symbols[name] = _element("symbol", self._content(art.items), id=name, viewBox=box)
        middle = f"{_n(item.x + item.width / 2)} {_n(item.y + item.height / 2)}"
        turn = f"rotate({_n(item.turn)} {middle})" if item.turn else ""
        return _element("use", href=f"#{name}", **_box(item), color=item.colour, transform=turn)

    def _image(self, item: Image) -> str:
        path = Path(item.file)
        kind = _TYPES.get(path.suffix.lower(), "png")
        data = read_svg(path) if is_drawing(path) else path.read_bytes()
        address = f"data:image/{kind};base64,{b64encode(data).decode()}"
        image = _element("image", **_box(item), preserveAspectRatio="none", href=address)
        if item.flip:
            a, d = (-1 if "x" in item.flip else 1), (-1 if "y" in item.flip else 1)
            e, f = (2 * item.x + item.width if a < 0 else 0), (2 * item.y + item.height if d < 0 else 0)
            image = _element("g", image, transform=f"matrix({a} 0 0 {d} {_n(e)} {_n(f)})")
        return self._clipped(image, rect(*item.clip)) if item.clip else image

    def _group(self, item: Group) -> str:
        body = self._content(item.items)
        if item.clip:
            body = self._clipped(body, item.clip, even_odd=item.even_odd)
        transform = _matrix(item.transform) if item.transform != IDENTITY else ""
        return _element("g", body, transform=transform, opacity=_n(item.opacity) if item.opacity < 1 else "")

    def _clipped(self, body: str, outline: Outline, *, even_odd: bool = False) -> str:
        path = _element("path", d=_path(outline), clip_rule="evenodd" if even_odd else "")
        return _element("g", body, clip_path=self._reference("clip", _element("clipPath", path, id="%s")))

    def _paint(self, paint: Paint | None) -> str:
        return self._reference("paint", _gradient(paint)) if isinstance(paint, Gradient) else paint or "none"

    def _reference(self, kind: str, code: str) -> str:
        """A reference to a definition with this code, in which `%s` stands for its id."""
        return f"url(#{self._names.setdefault(code, f'{kind}-{len(self._names) + 1}')})"


def family(font: str) -> str:
    """The name in CSS of a font of a theme."""
    return f"face-{font}"


def _icon_art(file: Path) -> Art:
    if is_drawing(file):
        return load_art(file)
    width, height = bitmap(str(file)).width, bitmap(str(file)).height
    return Art(width, height, (Image(str(file), 0, 0, width, height=height),))


def _element(tag: str, body: str = "", **attributes: object) -> str:
    """An SVG element with those attributes that are not empty; `_` in their names is a hyphen."""
    listed = "".join(
        f' {name.replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items() if value != ""
    )
    return f"<{tag}{listed}>{body}</{tag}>" if body or tag in ("g", "text", "svg", "symbol") else f"<{tag}{listed}/>"


def _gradient(paint: Gradient) -> str:
    stops = "".join(_element("stop", offset=_n(stop.offset), stop_color=stop.colour) for stop in paint.stops)
    names = ("x", "y", "r", "fx", "fy", "fr") if isinstance(paint, RadialGradient) else ("x1", "y1", "x2", "y2")
    numbers = {{"x": "cx", "y": "cy"}.get(name, name): _n(getattr(paint, name)) for name in names}
    return _element(
        "radialGradient" if isinstance(paint, RadialGradient) else "linearGradient",
        stops,
        id="%s",
        gradientUnits="userSpaceOnUse",
        gradientTransform=_matrix(paint.matrix),
        spreadMethod=paint.spread or "pad",
        **numbers,
    )


def _face(files: Iterable[FontFile]) -> tuple[int, bool]:
    """The weight of a font and whether it is italic, by the style or the name of its first file."""
    name = next((file.style or file.path.stem.lower() + file.part.lower() for file in files), "")
    weight = 900 if "black" in name else 700 if "bold" in name else 400
    return weight, "italic" in name


def _box(item: Icon | Image) -> dict[str, str]:
    return {name: _n(getattr(item, name)) for name in ("x", "y", "width", "height")}


def _path(outline: Outline) -> str:
    return "".join(f"{command}{' '.join(_n(float(number)) for number in numbers)}" for command, *numbers in outline)


def _matrix(matrix: Matrix) -> str:
    return f"matrix({' '.join(f'{number:.5g}' for number in matrix)})"


def _n(number: float) -> str:
    """A number in as few characters as a hundredth of a millimetre needs."""
    return f"{number:.2f}".rstrip("0").rstrip(".") if number % 1 else f"{number:.0f}"
