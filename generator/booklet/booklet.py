"""Prints rules booklets: renders a Jinja2 template to Markdown, lays it out on pages, adds covers and a spread, and
puts two pages on each side of the paper, which is folded once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import unescape
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ..errors import InputError, Place, Problem, collecting, fault, refuse
from ..faces import Templates
from ..geometry.frame import Frame, Page, Placed, scaled
from ..geometry.outlines import Rect
from ..layout.flaws import Draft
from ..layout.ink import Ink
from ..model.game import Component, Game, Theme
from ..model.print_settings import PrintSettings
from ..pdf import Bookmark
from ..reading.sizes import Paper
from ..text.lines import POINT
from ..text.words import Paragraph
from .figures import FigureFile, FullPageFile, PieceDrawer, figure, full_page, picture_of
from .markdown import (
    Block,
    Figure,
    FullPage,
    Inline,
    InlineText,
    PictureBlock,
    RulesSource,
    blocks,
    plain_text,
    typographic,
)
from .pages import CAPTION_WIDTH, SIZES, FigureItem, Item, PlacedItem, best_pages, figure_item
from .setting import Typesetter

SUFFIX = ".md.j2"
COLUMN = (120.0, 178.0)
"""Width and height (mm) of the text on a page of A4 or Letter. Page breaks are the same on every paper: on larger and
smaller ones, whole pages are scaled."""
# The smallest page that is not scaled: the width of half a Letter sheet, and the height of half an A4 sheet.
_PAGE = 139.7, 210.0
_LEAST_SCALE = 0.7
LARGE_TYPE, LEAST_TYPE = 16 * POINT, 14 * POINT
"""The smallest body text of large print, and the smallest text of any kind, in mm."""
_BODY = "book"
# The cost of blank pages if it is folded. Two cost little more than one: they are the inner sides of the covers.
_BLANK_COSTS = 0.0, 60.0, 65.0, 90.0


def book(
    game: Game,
    templates: Templates,
    part: Component,
    paper: Paper,
    draw: PieceDrawer,
    context: Mapping[str, Any],
    settings: PrintSettings,
    draft: Draft | None = None,
) -> tuple[list[Page], list[Bookmark]]:
    """The pages of a booklet to print, and its bookmarks. In large print, each page of it fills a page of the paper,
    with a body text of at least 16 pt. A `draft` collects its problems.

    Raises InputError with every problem."""
    if settings.large_print:
        game = replace(game, theme=_large_type(game.theme, _large_scale(paper)))
    booklet = _Booklet(game, part, paper, draw=draw, settings=settings, draft=draft)
    try:
        booklet.read(templates, context)
    except InputError as error:
        if draft is None:
            raise
        booklet.show(error)
    return booklet.book()


class _Booklet:
    """A booklet that is being made: its blocks, and its cover, spread and back, if it has them, with the frames of
    their pieces. Pages are drawn in a `size` (mm) of about half an A4 or Letter sheet, and scaled to the `page`, the
    paper whose halves they are."""

    def __init__(
        self, game: Game, part: Component, paper: Paper, draw: PieceDrawer, settings: PrintSettings, draft: Draft | None
    ) -> None:
        self.game, self.part, self.paper, self.draw = game, part, paper, draw
        self.large, self.draft = settings.large_print, draft
        self.folded = settings.folded and not self.large
        self.page = _page_for(paper, self.large)
        self.scale = _scale(self.page)
        width, height = half(self.page)
        self.size = width / self.scale, height / self.scale
        self.full: FullPages = {}
        self.blocks: tuple[Block, ...] = ()
        self.items: list[Item] = []
        """The items in the type size of the theme."""

    def read(self, templates: Templates, context: Mapping[str, Any]) -> None:
        """Reads the rules and lays out their blocks. Raises InputError with every problem."""
        draft = self.draft
        markdown_problems: list[tuple[int, Problem]] = []
        self.blocks, source = read(templates, self.part, context, None if draft is None else markdown_problems)
        problems: list[Problem] = []
        self.full = {}
        for block in self.blocks:
            if isinstance(block, FullPage):
                with collecting(problems):
                    if block.kind in self.full:
                        raise fault(f"a booklet has only one {block.kind}", source.place(block.line))
                    self.full[block.kind] = _full_page(block, source, self.draw, templates)
        figures, texts = _Figures(source, self.draw), dict[Any, Paragraph]()

        def typesetter(zoom: float) -> Typesetter:
            theme = self.game.theme
            made = Typesetter(
                theme,
                figures.item,
                COLUMN,
                source=source,
                draft=draft,
                markdown_problems=markdown_problems,
                zoom=zoom,
                texts=texts,
            )
            made.ground = partial(self.draw.page, "book_heading")
            return made

        self._typesetter = typesetter
        plain = typesetter(1.0)
        self.items = plain.story(self.blocks)
        if draft is None:
            problems += plain.problems
        refuse(problems)
        if not self.items:
            raise fault("this booklet has no text", Place(source.file))

    def show(self, error: InputError) -> None:
        """Makes a draft of problems alone."""
        typesetter = Typesetter(self.game.theme, None, COLUMN, source=RulesSource("", ""), draft=self.draft)
        self.full, self.items = {}, [typesetter.notice(problem) for problem in error.problems]

    def layout(self, zoom: float) -> list[Item] | None:
        """The items in a type size; None if they do not fit. A draft has only one size."""
        if zoom == 1.0 or self.draft is not None:
            return self.items if zoom == 1.0 else None
        typesetter = self._typesetter(zoom)
        items = typesetter.story(self.blocks)
        return items if items and not typesetter.problems else None

    def book(self) -> tuple[list[Page], list[Bookmark]]:
        """The pages to print, with their bookmarks: two pages of the booklet on each side if it is folded, else one,
        without blank ones."""
        if is_too_small(self.paper, self.large):
            raise fault(f"{self.paper.name} is too small for a booklet", hint="print it on A5 or larger paper")
        try:
            pages = best_pages(self.layout, *COLUMN, lambda n: 0.0 if self.large else _BLANK_COSTS[self._missing(n)])
        except ValueError:
            raise fault(
                "a table or figure is larger than a page of the booklet",
                Place(self.part.definition.text or ""),
                "give the figure a smaller width",
            ) from None
        headings: list[Bookmark] = []
        frames = list(self._frames(pages, headings))
        printed = list(_folded(frames, self.page) if self.folded else self._single(frames))
        page_of = {number: index for index, (_, numbers) in enumerate(printed) for number in numbers}
        return [page for page, _ in printed], [(level, title, page_of[number]) for level, title, number in headings]

    def _frames(self, pages: list[list[PlacedItem]], headings: list[Bookmark]) -> Iterator[Frame]:
        """The pages in order. If the booklet is folded, pages for notes, on the inner sides of covers, complete the
        sheets, and both pages of the spread are the same frame. Adds the headings, with the numbers of their pages."""
        if "cover" in self.full and "back" not in self.full and self._missing(len(pages)):
            self.full["back"] = FullPageFile(face="plain_back"), ()
        blank = self._missing(len(pages)) if self.folded and ("spread" in self.full or "back" in self.full) else 0
        before = int(blank > 1 and "cover" in self.full)
        leaves: list[str | list[PlacedItem]] = [
            *["cover"] * ("cover" in self.full),
            *[[]] * before,
            *pages,
            *[[]] * (blank - before),
            *["back"] * ("back" in self.full),
        ]
        if "spread" in self.full:
            leaves.insert((len(leaves) + 1) // 2, "spread")
        number = 0
        for leaf in leaves:
            if isinstance(leaf, list):
                bookmarks = [item.bookmark for item, *_ in leaf if item.bookmark]
                headings += [(level, title, number) for level, title in bookmarks if title]
                frame = scaled(self._text(leaf, number), self.scale)
            else:
                if title := self.full[leaf][0].title:
                    headings.append((2 if leaf == "spread" else 1, title, number))
                frame = scaled(self._full_page(leaf), self.scale)
            yield frame
            if leaf == "spread" and self.folded:
                yield frame
                number += 1
            number += 1

    def _full_page(self, kind: str) -> Frame:
        width, height = self.size
        enlarged = 1.0
        if kind == "spread":
            width *= 2
            if self.large:  # it is on one page, on its side
                enlarged = min(height / width, width / height / 2)
        return picture_of(*self.full[kind], (width, height), self.draw, enlarged)

    def _missing(self, pages: int) -> int:
        """The number of pages that text, covers and spread leave blank on the last sheet."""
        return -(pages + len(self.full) + ("spread" in self.full)) % 4

    def _text(self, page: list[PlacedItem], number: int) -> Frame:
        """A page of text on the ground that the template `book_page` draws."""
        width, height = self.size
        left, top = (width - COLUMN[0]) / 2, (height - COLUMN[1]) / 2 - 2
        end = max((y + item.height(room) for item, y, room in page), default=0.0)
        ground = self.draw.page(
            "book_page",
            self.size,
            number=number + 1,
            column={"x": left, "y": top, "width": COLUMN[0], "height": COLUMN[1]},
            free=COLUMN[1] - end,
            draft=self.draft is not None,
        )
        ink = Ink(Rect(0.0, 0.0, width, height), 0.0)
        ink.items.extend(ground.items)
        for item, y, room in page:
            item.draw(ink, left + item.indent, top + y, room)
        return Frame(f"page {number + 1}", width, height, tuple(ink.items))

    def _single(self, frames: Sequence[Frame]) -> Iterator[tuple[Page, list[int]]]:
        """A page for each page of the booklet or spread, and their numbers, to read on a screen or in large print."""
        enlarged = _large_scale(self.paper) if self.large else 1.0
        width, height = half(self.page)
        for number, frame in enumerate(frames):
            scale = enlarged
            if frame.width > width + 1:  # a spread; large print has it on the same paper, on its side
                scale = min(scale * height / (2 * width), scale * width / height) if self.large else 1.0
            shown = scaled(frame, scale)
            yield Page(shown.width, shown.height, (Placed(shown, 0.0, 0.0),), label=str(number + 1)), [number]


def half(paper: Paper) -> tuple[float, float]:
    """Width and height (mm) of a page of the booklet: the paper folded across its longer side."""
    return paper.height / 2, paper.width


def sides(pages: int) -> Iterator[tuple[int | None, int | None]]:
    """Yields the left and right page (counted from 0; None is blank) of every printed side, front, back, front, back.

    Sheets are nested: the outermost one carries the first and the last page.
    """
    count = -(-pages // 4) * 4
    for sheet in range(count // 4):
        first, last = 2 * sheet, count - 1 - 2 * sheet
        for left, right in ((last, first), (first + 1, last - 1)):
            yield left if left < pages else None, right if right < pages else None


def _folded(frames: Sequence[Frame], paper: Paper) -> Iterator[tuple[Page, list[int]]]:
    """The printed sides, with two pages each, and the numbers of these. Both pages of the spread, which is in the
    middle, are on one side."""
    width, height = half(paper)
    for index, side in enumerate(sides(len(frames))):
        numbers = [number for number in side if number is not None]
        placed: dict[int, Placed] = {}
        for x, number in zip((0.0, width), side, strict=True):
            if number is not None and (frame := frames[number]):
                placed.setdefault(id(frame), Placed(frame, x, 0.0))
        label = ", ".join(str(number + 1) for number in numbers) or "blank"
        yield Page(2 * width, height, tuple(placed.values()), label=label, back=index % 2 == 1), numbers


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


def least_type(paper: Paper) -> float:
    """The smallest type size of the faces of a booklet in large print, in mm before it is enlarged."""
    return LEAST_TYPE / _large_scale(paper)


def _large_scale(paper: Paper) -> float:
    """The scale at which a page of a booklet fills the paper."""
    return min(paper.width / _PAGE[0], paper.height / _PAGE[1])


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
    return replace(theme, styles=styles, least_type=LEAST_TYPE / (scale * SIZES[0]))


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
    text = templates.render(name, context, part.name, SUFFIX)
    # Templates escape values for XML, but this is Markdown.
    source = RulesSource(unescape(text), templates.file(name, SUFFIX), templates.lines(name, SUFFIX))
    return blocks(source, markdown_problems), source


FullPages = dict[str, tuple[FullPageFile, Sequence[Frame]]]


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
        with collecting(problems, piece.place):
            pieces.append(draw.piece(piece))
    refuse(problems)
    return contents, pieces


class _Figures(Struct):
    """Draws the figures of a booklet, each once for all type sizes."""

    source: RulesSource
    draw: PieceDrawer
    drawn: dict[int, tuple[FigureFile, list[Frame]]] = field(default_factory=dict)

    def item(self, block: Figure | PictureBlock, typesetter: Typesetter) -> FigureItem:
        contents, frames = self.drawn_figure(block)
        caption: Inline = (InlineText(typographic(contents.caption)),)
        lines = typesetter.lines(caption, "book-caption", room=CAPTION_WIDTH)
        least = 1.0 if typesetter.theme.least_type else 0.0  # in large print, pictures do not shrink with the type
        return figure_item(frames, contents, lines, room=typesetter.room, zoom=max(least, typesetter.zoom))

    def drawn_figure(self, block: Figure | PictureBlock) -> tuple[FigureFile, list[Frame]]:
        if id(block) not in self.drawn:
            place = self.source.place(block.line)
            if isinstance(block, PictureBlock):
                contents = FigureFile(picture=block.file, caption=block.caption)
            else:
                contents = figure(block.source, self.source.file, (place.line or block.line) + 1)
            self.drawn[id(block)] = contents, self.draw.pieces(contents, place)
        return self.drawn[id(block)]
