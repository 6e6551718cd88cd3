"""Prints rules booklets: renders a Jinja2 template to Markdown, lays it out with platypus, and puts two pages on each
side of the paper, which is folded once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from html import unescape
from io import BytesIO
from typing import Any

from reportlab.platypus import BaseDocTemplate, Flowable, PageTemplate
from reportlab.platypus import Frame as Column
from reportlab.platypus.doctemplate import LayoutError

from ..definitions.models import Component, Game
from ..definitions.sizes import Paper
from ..errors import InputError, Place, Problem, fault
from ..faces import Templates, Words
from ..fast_dataclasses import dataclass
from ..geometry.outlines import IDENTITY, Matrix
from ..layout.draft import Draft
from ..pdf.canvas import Info
from ..pdf.operators import POINTS
from ..pdf.paint import Painter
from ..text.lines import setting
from ..text.words import paragraph
from .figures import CAPTION_WIDTH, DrawPieces, FigureFile, Pictures, figure
from .folding import FoldingCanvas, half
from .lines import TextLines
from .markdown import Block, Figure, Inline, Picture, Source, Stretch, blocks
from .setting import Typesetter

SUFFIX = ".md.j2"
COLUMN = (116.0, 178.0)
"""Width and height (mm) of the text on a page. It is the same on every paper, and so are the page breaks."""


@dataclass(frozen=True, slots=True)
class Output:
    """How a booklet is written: its document information, `folded` or page by page, the resolution above which
    pictures are scaled down, the `draft` that collects damaged ones, and the matrix that corrects its `backs`."""

    info: Info
    folded: bool = True
    max_dpi: float | None = None
    draft: Draft | None = None
    backs: Matrix = IDENTITY


@dataclass(frozen=True, slots=True)
class FinishedBooklet:
    """A finished booklet: its bytes and the number of printed sides."""

    pdf: bytes
    pages: int


class _BookCanvas(FoldingCanvas):
    """The canvas of a booklet. It paints frames and icons as on cards."""

    def __init__(self, filename: Any, game: Game, paper: Paper, output: Output, **options: Any) -> None:
        super().__init__(filename, paper, folded=output.folded, backs=output.backs, **options)
        self.painter = Painter(self, game.theme, output.max_dpi, output.draft)
        self.document_info = output.info
        self.language = game.theme.language

    def save(self) -> None:
        """Replaces the document information that platypus has filled in, and saves."""
        self.painter.finish()
        self.describe(self.document_info, "short" if self._folded else None, self.language)
        super().save()


def write(
    game: Game,
    templates: Templates,
    part: Component,
    paper: Paper,
    draw_pieces: DrawPieces,
    context: Mapping[str, Any],
    output: Output,
) -> FinishedBooklet:
    """Prints the booklet of a component; `draw_pieces` draws the pieces of a figure.

    Raises InputError with every problem."""
    try:
        return _built(_story(game, templates, part, draw_pieces, context, output.draft), game, part, paper, output)
    except InputError as error:
        if output.draft is None:
            raise
        typesetter = Typesetter(game.theme, _no_figures, COLUMN, Source("", ""), output.draft)
        return _built([typesetter.notice(problem) for problem in error.problems], game, part, paper, output)


def _built(story: list[Flowable], game: Game, part: Component, paper: Paper, output: Output) -> FinishedBooklet:
    out = BytesIO()
    document = BaseDocTemplate(out, pageTemplates=[_template(game, part, paper, draft=output.draft is not None)])
    canvases: list[_BookCanvas] = []

    def canvas(filename: Any, **options: Any) -> _BookCanvas:
        canvases.append(_BookCanvas(filename, game, paper, output, **options))
        return canvases[-1]

    try:
        document.build(story, canvasmaker=canvas)
    except LayoutError as error:
        raise fault(
            "a table or figure is larger than a page of the booklet",
            Place(part.definition.text or ""),
            "give the figure a smaller width",
        ) from error
    return FinishedBooklet(out.getvalue(), canvases[-1].printed_sides)


def _no_figures(block: Figure | Picture) -> Flowable:
    raise AssertionError


def read(
    templates: Templates,
    part: Component,
    context: Mapping[str, Any],
    found: list[tuple[int, Problem]] | None = None,
) -> tuple[tuple[Block, ...], Source]:
    """Renders the template of a booklet; returns its blocks and its Markdown. With a list, adds the problems of the
    Markdown to it instead of raising them."""
    name = part.definition.text
    assert name
    rendered = templates.render(name, context, part.name, SUFFIX)
    # Templates escape values for XML, but this is Markdown.
    source = Source(unescape(rendered.text), rendered.file, templates.lines(name, SUFFIX))
    return blocks(source, found), source


def _story(
    game: Game,
    templates: Templates,
    part: Component,
    draw_pieces: DrawPieces,
    context: Mapping[str, Any],
    draft: Draft | None,
) -> list[Flowable]:
    found: list[tuple[int, Problem]] = []
    rules, source = read(templates, part, context, None if draft is None else found)
    typesetter = Typesetter(
        game.theme,
        lambda block: _figure(block, source, draw_pieces, typesetter),
        COLUMN,
        source,
        draft,
        found,
    )
    story = typesetter.story(rules)
    if typesetter.problems and draft is None:
        raise InputError(dict.fromkeys(typesetter.problems))
    if not story:
        raise fault("this booklet has no text", Place(source.file))
    return story


def _figure(block: Figure | Picture, source: Source, draw_pieces: DrawPieces, typesetter: Typesetter) -> Flowable:
    place = source.place(block.line)
    if isinstance(block, Picture):
        contents = FigureFile(picture=block.file, caption=block.caption)
    else:
        contents = figure(block.source, source.file, (place.line or block.line) + 1)
    caption: Inline = (Stretch(contents.caption),)
    return Pictures(
        draw_pieces(contents, place), contents, typesetter.lines(caption, "book-caption", room=CAPTION_WIDTH)
    )


def _template(game: Game, part: Component, paper: Paper, *, draft: bool) -> PageTemplate:
    footer = f"{game.title}  ·  DRAFT" if draft else game.title
    width, height = half(paper)
    text_width, text_height = COLUMN
    x, top = (width - text_width) / 2, (height - text_height) / 2 - 2
    column = Column(
        x * POINTS,
        (height - top - text_height) * POINTS,
        text_width * POINTS,
        text_height * POINTS,
        id="text",
        leftPadding=0,
        rightPadding=0,
        topPadding=0,
        bottomPadding=0,
    )
    return PageTemplate(
        "page", [column], onPage=partial(_footer, footer, game, width), pagesize=(width * POINTS, height * POINTS)
    )


def _footer(name: str, game: Game, width: float, canvas: Any, document: Any) -> None:
    """Prints the game's name and the page number at the foot of a page."""
    style = setting({"style": "book-foot", "align": "center"}, game.theme)
    pieces = (Words(f"{name}  ·  {document.page}"),)
    text = paragraph(pieces, style.family, style.tracking, style.upper, game.theme.icon_folders)
    foot = TextLines(text, style)
    foot.wrapOn(canvas, width * POINTS, 0)
    foot.drawOn(canvas, 0, 7 * POINTS)
