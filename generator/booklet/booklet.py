"""Prints rules booklets: a Jinja2 template writes Markdown, platypus lays it out, two pages per side, folded once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from html import unescape
from io import BytesIO
from typing import Any

from reportlab.platypus import BaseDocTemplate, Flowable, PageTemplate
from reportlab.platypus import Frame as Column
from reportlab.platypus.doctemplate import LayoutError

from ..definitions.models import Component, Game
from ..definitions.sizes import Paper
from ..errors import InputError, Place, fault
from ..faces import Templates
from ..pdf.canvas import Info
from ..pdf.operators import POINTS
from ..pdf.paint import Content, Painter
from ..svg.files import icon_aspect
from ..text import fonts
from .figures import CAPTION_WIDTH, Drawn, Pictures, figure
from .folding import FoldingCanvas, half
from .markdown import Block, Figure, Inline, Source, Stretch, blocks
from .setting import InlineIcon, Setter

SUFFIX = ".md.j2"
COLUMN = (116.0, 178.0)
"""Width and height (mm) of the text on a page: equal on every paper, so that page breaks are, too."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A finished booklet: its bytes and the number of printed sides."""

    pdf: bytes
    pages: int


class _BookCanvas(FoldingCanvas):
    """The canvas of a booklet, which paints frames and icons like those of cards."""

    def __init__(self, filename: Any, game: Game, paper: Paper, info: Info, **options: Any) -> None:
        super().__init__(filename, paper, **options)
        self.painter = Painter(self, game.theme)
        self.about = info

    def drawImage(self, image: Any, x: float, y: float, width: float, height: float, **options: Any) -> None:  # noqa: N802
        """Paints an icon: platypus calls this for pictures within a line."""
        assert isinstance(image, InlineIcon)
        content = Content([f"q {POINTS:.6f} 0 0 {-POINTS:.6f} {x:.4f} {y + height:.4f} cm"])
        self.painter.icon(image.name, width / POINTS, height / POINTS, image.colour, content)
        self._code.append("\n".join([*content.code, "Q"]))
        self._formsinuse.extend(content.xobjects)

    def save(self) -> None:
        """Replaces the document information, which platypus has filled in, and saves."""
        self.describe(self.about, "short" if self._folded else None)
        super().save()


def write(
    game: Game,
    templates: Templates,
    part: Component,
    paper: Paper,
    drawn: Drawn,
    info: Info,
    context: Mapping[str, Any],
    *,
    folded: bool = True,
) -> Bound:
    """Prints the booklet of a component; `drawn` draws the pieces of a figure. Raises InputError with every problem."""
    story = _story(game, templates, part, drawn, context)
    out = BytesIO()
    document = BaseDocTemplate(out, pageTemplates=[_template(game, part, paper)])
    canvases: list[_BookCanvas] = []

    def canvas(filename: Any, **options: Any) -> _BookCanvas:
        canvases.append(_BookCanvas(filename, game, paper, info, folded=folded, **options))
        return canvases[-1]

    try:
        document.build(story, canvasmaker=canvas)
    except LayoutError as error:
        raise fault(
            "a table or figure is larger than a page of the booklet",
            Place(part.definition.text or ""),
            "give the figure a smaller width",
        ) from error
    return Bound(out.getvalue(), canvases[-1].printed_sides)


def read(templates: Templates, part: Component, context: Mapping[str, Any]) -> tuple[tuple[Block, ...], Source]:
    """Renders the template of a booklet and returns its blocks and its text."""
    name = part.definition.text
    assert name
    rendered = templates.render(name, context, part.name, SUFFIX)
    # templates escape values for XML, but this is Markdown
    source = Source(unescape(rendered.text), rendered.file, templates.lines(name, SUFFIX))
    return blocks(source), source


def _story(
    game: Game, templates: Templates, part: Component, drawn: Drawn, context: Mapping[str, Any]
) -> list[Flowable]:
    rules, source = read(templates, part, context)
    setter = Setter(
        game.theme,
        lambda block: _figure(block, source, drawn, setter),
        lambda icon: icon_aspect(icon, game.theme.icon_folders),
        COLUMN,
        source,
    )
    story = setter.story(rules)
    if setter.problems:
        raise InputError(dict.fromkeys(setter.problems))
    if not story:
        raise fault("this booklet has no text", Place(source.file))
    return story


def _figure(block: Figure, source: Source, drawn: Drawn, setter: Setter) -> Flowable:
    wanted = figure(block.source, source.file, (source.place(block.line).line or block.line) + 1)
    caption: Inline = (Stretch(wanted.caption),)
    return Pictures(drawn(wanted), wanted, setter.lines(caption, "book-caption", room=CAPTION_WIDTH))


def _template(game: Game, part: Component, paper: Paper) -> PageTemplate:
    width, height = half(paper)
    across, down = COLUMN
    x, top = (width - across) / 2, (height - down) / 2 - 2
    column = Column(
        x * POINTS,
        (height - top - down) * POINTS,
        across * POINTS,
        down * POINTS,
        id="text",
        leftPadding=0,
        rightPadding=0,
        topPadding=0,
        bottomPadding=0,
    )
    return PageTemplate(
        "page", [column], onPage=partial(_foot, game, width), pagesize=(width * POINTS, height * POINTS)
    )


def _foot(game: Game, width: float, canvas: Any, document: Any) -> None:
    """The page number and the game's name at the foot of a page."""
    style = game.theme.styles["book-foot"]
    canvas.saveState()
    canvas.setFont(fonts.load(game.theme.fonts[style.font]).name, style.size * POINTS)
    canvas.setFillColor(game.theme.colours.get(style.colour, style.colour))
    canvas.drawCentredString(width / 2 * POINTS, 8 * POINTS, f"{game.title}  ·  {document.page}")
    canvas.restoreState()
