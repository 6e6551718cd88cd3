"""Turns the blocks of a booklet into flowables in the theme's styles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import fsum
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace
from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.platypus import Flowable, TableStyle
from reportlab.platypus import Table as Grid

from ..errors import InputError, Problem, shortened
from ..faces.face import InlineIcon, Piece, Words
from ..layout.draft import Draft
from ..layout.missing_signs import RED, boxed, lacks_of, note_lack
from ..model.game import Theme
from ..pdf.operators import POINTS
from ..text import breaks as line_breaks
from ..text import lexicon, words
from ..text.lines import LineSetting, colour, setting
from .markdown import (
    Block,
    Break,
    Figure,
    FullPage,
    Heading,
    Inline,
    InlineText,
    List,
    Note,
    ParagraphBlock,
    PictureBlock,
    RulesSource,
    TableBlock,
    WorkedExample,
)
from .pages import Item, gap, measured
from .paragraphs import TextLines

DrawFigure = Callable[[Figure | PictureBlock, "Typesetter"], Flowable]
_HEADINGS = {1: "book-title", 2: "book-heading", 3: "book-subheading"}
INDENT = 4.2
"""The indentation of list entries, in mm."""
CELL_PADDING = 10.0
"""The sum of the left and right padding of a table cell, in points."""
CELL_EXTRA = CELL_PADDING + 1.0
NOTE_PADDING = 14.0
"""The sum of the left and right padding of a note, in points."""
_NOTE_MARGIN, _BAR = 5.0, 2.2
"""The space above and below the text of a note, and the width of its bar, in points."""
_HEADING_BREAKS = {1: (0.0, 4.0), 2: (0.0, 4.0), 3: (3.0, 2.5)}
"""By the level of a heading: the cost of a page break before it, and how much its gap may grow."""
_LIST_BREAKS = {"before": 14.0, "announced": 40.0, "middle": 10.0, "end": 22.0}
"""The cost of a page break before a list, also after a line that ends in a colon, within it, and after its first or
before its last entry."""
_HYPHENATED = ("book",)
"""The styles whose texts are hyphenated. Headings and captions are not."""
_ENGLISH = frozenset(["the", "and", "of", "to", "is", "you", "your", "it", "with", "this", "that", "for", "or"])
_CAPITALISED_NOUNS = ("de", "lb")
"""The languages in which most capitalised words are not names."""
_MIN_ENGLISH = 0.12
"""The share of these words in any English text of some length. In other languages, they are rare."""
_NO_FONT = SimpleNamespace(fontName="none", face=SimpleNamespace(name="none"), _dynamicFont=True, _multiByte=False)
"""What reportlab's tables take for a font. They need one, although their cells are paragraphs."""
pdfmetrics.registerFont(_NO_FONT)


def tone(name: str, theme: Theme) -> HexColor:
    """A colour of the theme, or of CSS, for reportlab."""
    code = colour(name, theme)
    return HexColor(code, hasAlpha=len(code) > len("#rrggbb"))


def language(theme: Theme, text: str) -> str:
    """The language by whose rules a booklet is hyphenated: the theme's, or English if the text is English; "" if it is
    not hyphenated."""
    if theme.language:
        return line_breaks.checked(theme.language)
    words = re.findall(r"[^\W\d_]+", text.lower())
    return "en" if sum(word in _ENGLISH for word in words) > _MIN_ENGLISH * len(words) else ""


class Typesetter:
    """Lays out blocks and collects a problem for each block that cannot be printed.

    `draw` turns a figure into a flowable; `page` is the width and height of the text on a page in mm. A `draft` shows
    the problems in red where they are, including `markdown_problems`, which come with their lines. Type is `zoom` times
    as large as in the theme; typesetters of one booklet can share their measured `texts`."""

    def __init__(
        self,
        theme: Theme,
        draw: DrawFigure | None,
        page: tuple[float, float],
        source: RulesSource,
        draft: Draft | None = None,
        markdown_problems: Iterable[tuple[int, Problem]] = (),
        *,
        zoom: float = 1.0,
        texts: dict[Any, words.Paragraph] | None = None,
    ) -> None:
        self.theme = theme
        self.zoom = zoom
        self.texts = {} if texts is None else texts
        self.draft = draft
        self.markdown_problems = list(markdown_problems)
        self.language = language(theme, source.text)
        self.page = page
        self.room = page[0]
        """Available width in mm, which is smaller within lists and notes."""
        self.draw = draw
        self.source = source
        self.line = 0
        """The line on which the current block begins."""
        self.problems: list[Problem] = []
        self.settings: dict[str, LineSetting] = {}

    def story(self, blocks: tuple[Block, ...]) -> list[Item]:
        """The items of the booklet in order; a heading stays with the item after it."""
        story: list[Item] = []
        breaks = announced = False
        for block in blocks:
            if isinstance(block, WorkedExample | FullPage):
                continue
            if isinstance(block, Break):
                breaks = True
                continue
            before = len(self.problems)
            items = list(self.checked(block))
            if self.draft is not None:
                items = [*self.notices(block.line, self.problems[before:]), *items]
            if items:
                items[0].breaks |= breaks
                breaks = False
                if isinstance(block, List) and announced:
                    items[0].cost = _LIST_BREAKS["announced"]
            announced = isinstance(block, ParagraphBlock) and "".join(part.text for part in block.inline).endswith(":")
            story += items
        return [*story, *self.notices()]

    def notices(self, line: int | None = None, problems: Iterable[Problem] = ()) -> list[Item]:
        """The problems of the Markdown up to a line, and others, with their numbers in a draft."""
        earlier = [(at, problem) for at, problem in self.markdown_problems if line is None or at <= line]
        self.markdown_problems = [each for each in self.markdown_problems if each not in earlier]
        return [self.notice(problem) for problem in dict.fromkeys([*(problem for _, problem in earlier), *problems])]

    def notice(self, problem: Problem) -> Item:
        """A problem of a draft in red, with its number."""
        assert self.draft is not None
        words = f"+{self.draft.number(problem)}  {problem.message}{'; ' + problem.hint if problem.hint else ''}"
        text = self.text((InlineText(words, bold=True),), "book")
        return Item(TextLines(text, replace(self.settings["book"], colour=RED), after=1.6))

    def report(self, message: str, hint: str = "") -> None:
        self.problems.append(self.source.problem(message, self.line, hint))

    def checked(self, block: Block) -> Iterator[Item]:
        """The items of a block; reports a figure or note that is larger than a page."""
        self.line = block.line
        before = len(self.problems)
        try:
            items = list(self.block(block))
        except InputError as error:
            # problems in a figure's YAML have their own lines
            self.problems += [
                problem
                if problem.place and problem.place.line
                else self.source.problem(problem.message, self.line, problem.hint)
                for problem in error.problems
            ]
            return
        if isinstance(block, Figure | PictureBlock | Note) and len(self.problems) == before:
            self._check_size(block, items[0].flowable)
            if self.draft is not None and len(self.problems) > before:
                return
        yield from items

    def _check_size(self, block: Figure | PictureBlock | Note, flowable: Flowable) -> None:
        width, height = self.page
        if flowable.wrap(width * POINTS, height * POINTS)[1] > height * POINTS:
            kind, hint = (
                ("note", "split it in two") if isinstance(block, Note) else ("figure", "give it a smaller width")
            )
            self.report(f"this {kind} is larger than a page of the booklet ({width:g} × {height:g} mm)", hint)

    def block(self, block: Block, indent: float = 0.0) -> Iterator[Item]:
        """The items of a block, indented by some mm."""
        self.line = block.line or self.line
        left = indent * POINTS
        if isinstance(block, Heading):
            heading = self.lines(block.inline, _HEADINGS.get(block.level, "book-subheading"), before=3.2, after=1.2)
            heading.bookmark = block.level, " ".join("".join(stretch.text for stretch in block.inline).split())
            cost, stretch = _HEADING_BREAKS.get(block.level, _HEADING_BREAKS[3])
            yield Item(heading, left, keep=True, cost=cost, stretch=stretch)
        elif isinstance(block, ParagraphBlock):
            yield Item(self.lines(block.inline, "book", after=1.6), left)
        elif isinstance(block, List):
            yield from self.list_block(block, indent)
        elif isinstance(block, TableBlock):
            yield from self._rows(self.table(block), left)
        elif isinstance(block, Figure | PictureBlock):
            assert self.draw
            yield Item(self.draw(block, self), left, cost=14.0, stretch=2.0)
        elif isinstance(block, Note):
            yield Item(self.note(block), left, stretch=1.5)
        elif isinstance(block, FullPage):
            self.report(f"a {block.kind} cannot be part of a note or list", "put it between paragraphs")

    def list_block(self, block: List, indent: float) -> Iterator[Item]:
        self.room -= INDENT
        items: list[Item] = []
        for number, entry in enumerate(block.entries, start=block.first or 0):
            marker = "•" if block.first is None else f"{number}."
            first, *rest = entry
            assert isinstance(first, ParagraphBlock)
            text = self.lines(first.inline, "book", after=0.8, marker=marker)
            at_end = number - (block.first or 0) in (1, len(block.entries) - 1)
            cost = _LIST_BREAKS["end" if at_end else "middle"] if items else _LIST_BREAKS["before"]
            stretch = 0.5 if items else 0.8
            items.append(Item(text, (indent + INDENT) * POINTS, cost=cost, stretch=stretch))
            for inner in rest:
                items += self.block(inner, indent + INDENT)
        self.room += INDENT
        if items:
            last = items[-1].flowable
            last.spaceAfter = max(last.getSpaceAfter(), 1.7 * POINTS)
        yield from items

    def _rows(self, table: Grid, left: float) -> Iterator[Item]:
        """A table; one that is larger than a page, in parts."""
        width, height = (side * POINTS for side in self.page)
        tall = table.wrap(width - left, height)[1]
        parts = table.split(width - left, height) if tall > height else []
        for number, part in enumerate(parts or [table]):
            yield Item(part, left, cost=0.0 if number else 14.0)

    def lines(
        self,
        inline: Inline,
        style: str,
        *,
        before: float = 0.0,
        after: float = 0.0,
        marker: str = "",
        room: float | None = None,
    ) -> TextLines:
        """A paragraph; `room` is its width in mm, by default the available width."""
        text = self.text(inline, style)
        hyphenated = partial(self.text, inline, style, self.language) if self._hyphenates(style) else None
        room = self.room if room is None else room
        wide = hyphenated and text.widest_word * self.settings[style].size > room
        self._check(hyphenated() if hyphenated and wide else text, style, room)
        beside = self.text((InlineText(marker),), style) if marker else None
        return TextLines(text, self.settings[style], before=before, after=after, marker=beside, hyphenated=hyphenated)

    def _hyphenates(self, style: str) -> bool:
        return bool(self.language) and style in _HYPHENATED

    def text(self, inline: Inline, style: str, language: str = "") -> words.Paragraph:
        """The words of a text, measured; with a `language`, hyphenated by its rules."""
        look = self.settings.get(style)
        if look is None:
            plain = setting({"style": style}, self.theme)
            look = self.settings[style] = replace(plain, size=plain.size * self.zoom, floor=plain.floor * self.zoom)
        key = inline, style, language
        if key not in self.texts:
            pieces = tuple([_piece(stretch, language) for stretch in inline])
            read = partial(lexicon.paragraph, icons=self.theme.icon_folders)
            text = read(pieces, look.family, look.tracking, look.upper)
            if text.missing:
                self._note_missing(pieces, text.missing, look)
                text = read(tuple(boxed(pieces, text.missing)), look.family, look.tracking, look.upper)
            self.texts[key] = text
        return self.texts[key]

    def _note_missing(self, pieces: Sequence[Piece], characters: Sequence[str], look: LineSetting) -> None:
        """Notes characters that no font has; of a draft, reports them."""
        place = self.source.place(self.line)
        for lack in lacks_of(pieces, characters, look.family.font(0), self.theme, place=lambda _: place):
            if self.draft:
                self.report(lack.message, lack.hint)
            else:
                note_lack(lack, "rules", place)

    def _check(self, text: words.Paragraph, style: str, room: float) -> None:
        """Reports a word that is wider than the text."""
        longest = text.widest_word * self.settings[style].size
        if longest > room + 0.04:
            word = shortened(text.longest_word, 30)
            self.report(
                f"“{word}” is wider than the text: needs {longest:.0f} mm, has {room:.0f} mm", "split it with a space"
            )

    def table(self, block: TableBlock) -> Grid:
        widths = self.columns(block)
        rooms = [(width - CELL_PADDING) / POINTS for width in widths]
        head = [self.lines(cell, "book-label", room=room) for cell, room in zip(block.head, rooms, strict=True)]
        rows = [
            [self.lines(cell, "book", room=room) for cell, room in zip(row, rooms, strict=True)] for row in block.rows
        ]
        line = tone("line", self.theme)
        grid = Grid(
            [head, *rows],
            hAlign="LEFT",
            colWidths=widths,
            spaceAfter=2.4 * POINTS,
            spaceBefore=0.6 * POINTS,
            repeatRows=1,
        )
        grid.setStyle(
            TableStyle(
                [
                    ("FONTNAME", (0, 0), (-1, -1), _NO_FONT.fontName),
                    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                    ("LINEBELOW", (0, 0), (-1, -2), 0.4, line),
                    ("LINEBELOW", (0, 0), (-1, 0), 0.9, tone("accent", self.theme)),
                    ("TOPPADDING", (0, 0), (-1, -1), 1.6),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 3.2),
                    ("LEFTPADDING", (0, 0), (-1, -1), 2),
                    ("RIGHTPADDING", (0, 0), (-1, -1), 8),
                ]
            )
        )
        return grid

    def columns(self, block: TableBlock) -> list[float]:
        """The widths of the columns in points: each as wide as its longest text, if there is room; otherwise the wide
        columns share the space that the narrow ones leave."""
        columns = [(head, [row[at] for row in block.rows]) for at, head in enumerate(block.head)]
        natural = [
            CELL_EXTRA + max((self.length(head, "book-label"), *(self.length(cell, "book") for cell in cells)))
            for head, cells in columns
        ]
        room, equal = self.room * POINTS, self.room * POINTS / len(natural)
        if fsum(natural) <= room:
            return natural
        narrow = fsum(width for width in natural if width <= equal)
        share = (room - narrow) / sum(width > equal for width in natural)
        return [width if width <= equal else share for width in natural]

    def length(self, inline: Inline, style: str) -> float:
        """The width in points of a text on one line."""
        return self.text(inline, style).widest_line * self.settings[style].size * POINTS

    def note(self, block: Note) -> TintedNote:
        self.room -= NOTE_PADDING / POINTS
        items = [item for part in block.blocks for item in self.block(part)]
        self.room += NOTE_PADDING / POINTS
        return TintedNote(items, tone("soft", self.theme), tone("accent", self.theme))


def _piece(stretch: InlineText, language: str) -> Piece:
    if stretch.icon:
        return InlineIcon(stretch.icon)
    text = stretch.text if stretch.text == "\n" else stretch.text.replace("\n", " ")
    if language and not stretch.literal:
        text = line_breaks.hyphenated(text, language, capitalised=language.partition("-")[0] in _CAPITALISED_NOUNS)
    return Words(text, stretch.bold, stretch.italic)


class TintedNote(Flowable):  # type: ignore[misc]
    """The items of a note on a tint, with a bar to their left."""

    def __init__(self, items: Sequence[Item], ground: HexColor, bar: HexColor) -> None:
        super().__init__()
        self.items, self.ground, self.bar = items, ground, bar
        self.spaceBefore, self.spaceAfter = 1.2 * POINTS, 2.4 * POINTS

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """The size of the note in points."""
        self.width = width
        self.height = measured(self.items, width - NOTE_PADDING) + 2 * _NOTE_MARGIN
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        canvas.saveState()
        canvas.setFillColor(self.ground)
        canvas.rect(0, 0, self.width, self.height, stroke=0, fill=1)
        canvas.setFillColor(self.bar)
        canvas.rect(0, 0, _BAR, self.height, stroke=0, fill=1)
        canvas.restoreState()
        y, above = self.height - _NOTE_MARGIN, None
        for item in self.items:
            if above is not None:
                y -= gap(above, item)
            y -= item.flowable.wrap(self.width - NOTE_PADDING - item.indent, self.height)[1]
            item.flowable.drawOn(canvas, 8 + item.indent, y)
            above = item
