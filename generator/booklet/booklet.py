"""Prints rules booklets: renders a Jinja2 template to Markdown, lays it out on pages, adds covers and a spread, and
puts two pages on each side of the paper, which is folded once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import unescape
from io import BytesIO
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from reportlab.platypus import Flowable

from ..errors import InputError, Place, Problem, fault
from ..faces import Templates, Words
from ..geometry.frame import Frame
from ..geometry.outlines import IDENTITY, Matrix
from ..layout.draft import Draft
from ..model.game import Component, Game, Theme
from ..pdf.canvas import Info
from ..pdf.operators import POINTS
from ..pdf.paint import Painter
from ..reading.sizes import Paper
from ..text.lexicon import paragraph
from ..text.lines import setting
from ..text.words import Paragraph
from .figures import (
    CAPTION_WIDTH,
    FigureFile,
    FigureFlowable,
    FullPageFile,
    PieceDrawer,
    figure,
    full_page,
    paint_frame,
    picture_of,
)
from .folding import FoldingCanvas, half
from .markdown import (
    Block,
    Figure,
    FullPage,
    Inline,
    InlineText,
    PictureBlock,
    RulesSource,
    blocks,
    typographic,
)
from .pages import SIZES, Item, Page, best_pages
from .paragraphs import TextLines
from .plain_text import plain_text
from .setting import Typesetter

SUFFIX = ".md.j2"
COLUMN = (116.0, 178.0)
"""Width and height (mm) of the text on a page of A4 or Letter. Page breaks are the same on every paper: on larger and
smaller ones, whole pages are scaled."""
_PAGE = 139.7, 210.0
"""The smallest page that is not scaled: the width of half a Letter sheet, and the height of half an A4 sheet."""
_LEAST_SCALE = 0.7
LARGE_TYPE = 16 / POINTS
"""The smallest body text of large print, in mm."""
_LARGE_PAGE = 137.0, 197.0
"""A page in large print, before it is enlarged: the column with the margins that it needs at least."""
_BODY = "book"
_BLANK_COSTS = 0.0, 60.0, 65.0, 90.0
"""The cost of blank pages. Two cost little for their number: they are the inner sides of the covers."""


class Output(Struct, frozen=True):
    """How a booklet is written: its document information, `folded` or page by page, the resolution above which
    pictures are scaled down, the `draft` that collects damaged ones, and the matrix that corrects its `backs`. In
    `large` print, each page of the booklet fills a page of the paper, with a body text of at least 16 pt."""

    info: Info
    folded: bool = True
    max_dpi: float | None = None
    draft: Draft | None = None
    backs: Matrix = IDENTITY
    large: bool = False


def write(
    game: Game,
    templates: Templates,
    part: Component,
    paper: Paper,
    draw: PieceDrawer,
    context: Mapping[str, Any],
    output: Output,
) -> tuple[bytes, int]:
    """Prints the booklet of a component; returns its bytes and the number of printed sides.

    Raises InputError with every problem."""
    if output.large:
        game = replace(game, theme=_large_type(game.theme, _large_scale(paper)))
    booklet = _Booklet(game, part, paper, draw=draw, output=output)
    try:
        booklet.read(templates, context)
    except InputError as error:
        if output.draft is None:
            raise
        booklet.show(error)
    return booklet.printed()


class _Booklet:
    """A booklet that is being made: its blocks, and its cover, spread and back, if it has them, with the frames of
    their pieces. Pages are drawn in a `size` (mm) of about half an A4 or Letter sheet, and scaled to the `page`, the
    paper whose halves they are."""

    def __init__(self, game: Game, part: Component, paper: Paper, draw: PieceDrawer, output: Output) -> None:
        self.game, self.part, self.paper, self.draw, self.output = game, part, paper, draw, output
        self.page = _page_for(paper, output.large)
        self.scale = _scale(self.page)
        width, height = half(self.page)
        self.size = width / self.scale, height / self.scale
        self.full: FullPages = {}
        self.blocks: tuple[Block, ...] = ()
        self.items: list[Item] = []
        """The items in the type size of the theme."""

    def read(self, templates: Templates, context: Mapping[str, Any]) -> None:
        """Reads the rules and lays out their blocks. Raises InputError with every problem."""
        draft = self.output.draft
        markdown_problems: list[tuple[int, Problem]] = []
        self.blocks, source = read(templates, self.part, context, None if draft is None else markdown_problems)
        self.full, problems = _full_pages(self.blocks, source, self.draw, templates)
        figures, texts = _Figures(source, self.draw), dict[Any, Paragraph]()

        def typesetter(zoom: float) -> Typesetter:
            theme = self.game.theme
            return Typesetter(
                theme,
                figures.flowable,
                COLUMN,
                source=source,
                draft=draft,
                markdown_problems=markdown_problems,
                zoom=zoom,
                texts=texts,
            )

        self._typesetter = typesetter
        plain = typesetter(1.0)
        self.items = plain.story(self.blocks)
        if draft is None:
            problems += plain.problems
        if problems:
            raise InputError(dict.fromkeys(problems))
        if not self.items:
            raise fault("this booklet has no text", Place(source.file))

    def show(self, error: InputError) -> None:
        """Makes a draft of problems alone."""
        typesetter = Typesetter(self.game.theme, None, COLUMN, source=RulesSource("", ""), draft=self.output.draft)
        self.full, self.items = {}, [typesetter.notice(problem) for problem in error.problems]

    def layout(self, zoom: float) -> list[Item] | None:
        """The items in a type size; None if they do not fit. A draft has only one size."""
        if zoom == 1.0 or self.output.draft is not None:
            return self.items if zoom == 1.0 else None
        typesetter = self._typesetter(zoom)
        items = typesetter.story(self.blocks)
        return items if items and not typesetter.problems else None

    def printed(self) -> tuple[bytes, int]:
        if is_too_small(self.paper, self.output.large):
            raise fault(f"{self.paper.name} is too small for a booklet", hint="print it on A5 or larger paper")
        width, height = (side * POINTS for side in COLUMN)
        try:
            pages = best_pages(self.layout, width, height, lambda pages: _BLANK_COSTS[self._missing(pages)])
        except ValueError:
            raise fault(
                "a table or figure is larger than a page of the booklet",
                Place(self.part.definition.text or ""),
                "give the figure a smaller width",
            ) from None
        out, output, theme = BytesIO(), self.output, self.game.theme
        scale = _large_scale(self.paper) if output.large else 1.0
        canvas = FoldingCanvas(out, self.page, folded=output.folded, backs=output.backs, scale=scale)
        canvas.painter = Painter(theme, output.max_dpi, output.draft)
        for draw_page in self._in_order(pages):
            if self.scale != 1.0:
                canvas.scale(self.scale, self.scale)
            draw_page(canvas)
        canvas.painter.add_to(canvas._doc)
        canvas.describe(output.info, "short" if output.folded else None, theme.language)
        canvas.save()
        return out.getvalue(), canvas.printed_sides

    def _in_order(self, pages: list[Page]) -> list[Callable[[FoldingCanvas], None]]:
        """What draws each page. The two pages of the spread are drawn together. Blank pages, the inner sides of covers,
        complete the sheets."""
        pictures = {kind: [partial(self._full_page, kind=kind)] for kind in self.full}
        blank = self._missing(len(pages)) if "spread" in self.full or "back" in self.full else 0
        before = int(blank > 1 and "cover" in self.full)
        order: list[Callable[[FoldingCanvas], None]] = [
            *pictures.get("cover", ()),
            *[FoldingCanvas.blank_page] * before,
            *[partial(self._text, page=page) for page in pages],
            *[FoldingCanvas.blank_page] * (blank - before),
            *pictures.get("back", ()),
        ]
        if "spread" in pictures:
            order.insert(len(order) // 2, *pictures["spread"])
        return order

    def _missing(self, pages: int) -> int:
        """The number of pages that text, covers and spread leave blank on the last sheet."""
        return -(pages + len(self.full) + ("spread" in self.full)) % 4

    def _full_page(self, canvas: FoldingCanvas, kind: str) -> None:
        contents, pieces = self.full[kind]
        (width, height), is_spread = self.size, kind == "spread"
        if contents.title:
            canvas.heading(2 if is_spread else 1, contents.title)
        picture = picture_of(contents, pieces, (2 * width if is_spread else width, height), self.draw)
        paint_frame(canvas, picture, f"{POINTS:.6f} 0 0 {-POINTS:.6f} 0 {height * POINTS:.4f}")
        (canvas.show_spread if is_spread else canvas.showPage)()

    def _text(self, canvas: FoldingCanvas, page: Page) -> None:
        width, height = self.size
        left, top = (width - COLUMN[0]) / 2, (height - COLUMN[1]) / 2 - 2
        self._footer(canvas, width)
        for flowable, x, y, room in page:
            flowable.wrapOn(canvas, room, COLUMN[1] * POINTS)
            flowable.drawOn(canvas, left * POINTS + x, (height - top) * POINTS - y)
        canvas.showPage()

    def _footer(self, canvas: FoldingCanvas, width: float) -> None:
        """Prints the game's name and the page number at the foot of a page."""
        draft = "  ·  DRAFT" if self.output.draft is not None else ""
        style = setting({"style": "book-foot", "align": "center"}, self.game.theme)
        pieces = (Words(f"{self.game.title}{draft}  ·  {canvas.pages + 1}"),)
        text = paragraph(pieces, style.family, style.tracking, upper=style.upper, icons=self.game.theme.icon_folders)
        foot = TextLines(text, style)
        foot.wrapOn(canvas, width * POINTS, 0)
        foot.drawOn(canvas, 0, 7 * POINTS)


def text(templates: Templates, part: Component, draw: PieceDrawer, context: Mapping[str, Any], width: int) -> str:
    """The rules of a booklet as plain text, in lines of at most `width` characters. Raises InputError with every
    problem."""
    rules, source = read(templates, part, context)
    return plain_text(rules, _Figures(source, draw).drawn_figure, width)


def is_too_small(paper: Paper, large: bool) -> bool:
    """Whether the pages of a booklet on this paper, perhaps in `large` print, would be too small to read."""
    return _scale(_page_for(paper, large)) < _LEAST_SCALE


def _scale(page: Paper) -> float:
    """How much larger half of this paper is than a page on A4 or Letter."""
    width, height = half(page)
    return min(width / _PAGE[0], height / _PAGE[1])


def _page_for(paper: Paper, large: bool) -> Paper:
    """The paper whose halves are the pages of a booklet."""
    scale = _large_scale(paper)
    return replace(paper, width=paper.height / scale, height=2 * paper.width / scale) if large else paper


def _large_scale(paper: Paper) -> float:
    """The scale at which a page of a booklet fills the paper."""
    return min(paper.width / _LARGE_PAGE[0], paper.height / _LARGE_PAGE[1])


def _large_type(theme: Theme, scale: float) -> Theme:
    """The theme with a body text of `LARGE_TYPE` at a scale, even in the smallest type of a booklet, and other texts of
    booklets larger by as much."""
    factor = max(1.0, LARGE_TYPE / (theme.styles[_BODY].size * scale * SIZES[0]))
    styles = {
        name: replace(style, size=style.size * factor, floor=style.floor and style.floor * factor)
        if name.startswith(_BODY)
        else style
        for name, style in theme.styles.items()
    }
    return replace(theme, styles=styles)


def read(
    templates: Templates,
    part: Component,
    context: Mapping[str, Any],
    markdown_problems: list[tuple[int, Problem]] | None = None,
) -> tuple[tuple[Block, ...], RulesSource]:
    """Renders the template of a booklet; returns its blocks and its Markdown. With a list, adds the problems of the
    Markdown to it instead of raising them."""
    name = part.definition.text
    assert name
    rendered = templates.render(name, context, part.name, SUFFIX)
    # Templates escape values for XML, but this is Markdown.
    source = RulesSource(unescape(rendered.text), rendered.file, templates.lines(name, SUFFIX))
    return blocks(source, markdown_problems), source


FullPages = dict[str, tuple[FullPageFile, Sequence[Frame]]]


def _full_pages(
    rules: tuple[Block, ...], source: RulesSource, draw: PieceDrawer, templates: Templates
) -> tuple[FullPages, list[Problem]]:
    """The cover, spread and back of a booklet with their pieces, and all their problems."""
    full: FullPages = {}
    seen: set[str] = set()
    problems: list[Problem] = []
    for block in rules:
        if isinstance(block, FullPage):
            try:
                if block.kind in seen:
                    raise fault(f"a booklet has only one {block.kind}", source.place(block.line))
                seen.add(block.kind)
                full[block.kind] = _full_page(block, source, draw, templates)
            except InputError as error:
                problems += error.problems
    return full, problems


def _full_page(
    block: FullPage, source: RulesSource, draw: PieceDrawer, templates: Templates
) -> tuple[FullPageFile, Sequence[Frame]]:
    """The contents of a cover, spread or back, and its pieces. Raises InputError with every problem."""
    place = source.place(block.line)
    contents = full_page(block.kind, block.source, source.file, (place.line or block.line) + 1)
    pieces: list[Frame] = []
    problems = [
        Problem(f"no template “{name}”", place, hint)
        for name in (contents.face, contents.over)
        if name and (hint := templates.hint_for(name)) is not None
    ]
    for piece in contents.pieces:
        try:
            pieces.append(draw.piece(piece))
        except InputError as error:
            problems += [
                problem if problem.place else replace(problem, place=piece.place) for problem in error.problems
            ]
    if problems:
        raise InputError(dict.fromkeys(problems))
    return contents, pieces


class _Figures(Struct):
    """Draws the figures of a booklet, each once for all type sizes."""

    source: RulesSource
    draw: PieceDrawer
    drawn: dict[int, tuple[FigureFile, list[Frame]]] = field(default_factory=dict)

    def flowable(self, block: Figure | PictureBlock, typesetter: Typesetter) -> Flowable:
        contents, frames = self.drawn_figure(block)
        caption: Inline = (InlineText(typographic(contents.caption)),)
        lines = typesetter.lines(caption, "book-caption", room=CAPTION_WIDTH)
        return FigureFlowable(frames, contents, lines, room=typesetter.room, zoom=typesetter.zoom)

    def drawn_figure(self, block: Figure | PictureBlock) -> tuple[FigureFile, list[Frame]]:
        if id(block) not in self.drawn:
            place = self.source.place(block.line)
            if isinstance(block, PictureBlock):
                contents = FigureFile(picture=block.file, caption=block.caption)
            else:
                contents = figure(block.source, self.source.file, (place.line or block.line) + 1)
            self.drawn[id(block)] = contents, self.draw.pieces(contents, place)
        return self.drawn[id(block)]
