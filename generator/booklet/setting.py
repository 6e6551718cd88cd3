"""Turns the blocks of a booklet into items in the theme's styles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import fsum
from typing import Any

from msgspec.structs import replace

from ..errors import InputError, Problem, shortened
from ..faces.face import InlineIcon, Piece, Words
from ..geometry.frame import Frame, Group, Shape
from ..geometry.outlines import line, rect
from ..layout.flaws import RED, Draft, boxed, lacks_of, note_lack
from ..layout.ink import Ink
from ..model.game import Theme
from ..text import breaks as line_breaks
from ..text.lines import POINT, LineSetting, colour, setting
from ..text.words import Paragraph, paragraph
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
from .pages import Item, TextLines, measured, stacked

DrawFigure = Callable[[Figure | PictureBlock, "Typesetter"], Item]
DrawGround = Callable[..., Frame]
"""Draws the ground of a chapter’s heading: its width and height in mm, and what its template can use."""
_HEADINGS = {1: "book-title", 2: "book-heading", 3: "book-subheading"}
INDENT = 4.2
"""The indentation of list entries, in mm."""
_CELL_LEFT, _CELL_RIGHT, _CELL_TOP, _CELL_BOTTOM = 2 * POINT, 8 * POINT, 1.6 * POINT, 3.2 * POINT
"""The padding of table cells."""
_NOTE_LEFT, _NOTE_RIGHT, _NOTE_MARGIN, _BAR = 8 * POINT, 6 * POINT, 5 * POINT, 2.2 * POINT
"""The padding of a note at the sides, and above and below its text, and the width of its bar."""
_CHAPTER = 2  # the level of the headings of chapters
_HEAD_PADDING, _HEAD_GAP = 0.3, 0.45
"""Above and below the heading of a chapter, and between the square on its left and its text, in line heights."""
# By the level of a heading: the cost of a page break before it, and how much its gap may grow.
_HEADING_BREAKS = {1: (0.0, 4.0), 2: (0.0, 4.0), 3: (3.0, 2.5)}
# The cost of a page break before a list, within it, and after its first or before its last entry.
_LIST_BREAKS = {"before": 14.0, "middle": 14.0, "end": 70.0}
_ANNOUNCED = 60.0  # the cost of a page break after a line that ends in a colon
# The styles whose texts are hyphenated. Headings and captions are not.
_HYPHENATED = ("book",)
_ENGLISH = frozenset(["the", "and", "of", "to", "is", "you", "your", "it", "with", "this", "that", "for", "or"])
_CAPITALISED_NOUNS = ("de", "lb")  # the languages in which most capitalised words are not names
# The share of these words in any English text of some length. In other languages, they are rare.
_MIN_ENGLISH = 0.12


def language(theme: Theme, text: str) -> str:
    """The language by whose rules a booklet is hyphenated: the theme's, or English if the text is English; "" if it is
    not hyphenated."""
    if theme.language:
        return line_breaks.checked(theme.language)
    words = re.findall(r"[^\W\d_]+", text.lower())
    return "en" if sum(word in _ENGLISH for word in words) > _MIN_ENGLISH * len(words) else ""


class Typesetter:
    """Lays out blocks and collects a problem for each block that cannot be printed.

    `draw` turns a figure into an item; `page` is the width and height of the text on a page in mm. A `draft` shows
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
        texts: dict[Any, Paragraph] | None = None,
    ) -> None:
        self.theme = theme
        self.ground: DrawGround | None = None
        """Draws what is behind the heading of a chapter."""
        self.chapter = 0
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
                if announced:
                    items[0].cost = _ANNOUNCED
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
        return TextLines(text, replace(self.settings["book"], colour=RED), after=1.6)

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
            self._check_size(block, items[0])
            if self.draft is not None and len(self.problems) > before:
                return
        yield from items

    def _check_size(self, block: Figure | PictureBlock | Note, item: Item) -> None:
        width, height = self.page
        if item.height(width) > height:
            kind, hint = (
                ("note", "split it in two") if isinstance(block, Note) else ("figure", "give it a smaller width")
            )
            self.report(f"this {kind} is larger than a page of the booklet ({width:g} × {height:g} mm)", hint)

    def block(self, block: Block, indent: float = 0.0) -> Iterator[Item]:
        """The items of a block, indented by some mm."""
        self.line = block.line or self.line
        if isinstance(block, Heading):
            heading = self.heading(block)
            heading.indent, heading.keep = indent, True
            heading.cost, heading.stretch = _HEADING_BREAKS.get(block.level, _HEADING_BREAKS[3])
            yield heading
        elif isinstance(block, ParagraphBlock):
            yield replace(self.lines(block.inline, "book", after=1.6), indent=indent)
        elif isinstance(block, List):
            yield from self.list_block(block, indent)
        elif isinstance(block, TableBlock):
            yield from self.table(block, indent)
        elif isinstance(block, Figure | PictureBlock):
            assert self.draw
            yield replace(self.draw(block, self), indent=indent)
        elif isinstance(block, Note):
            yield self.note(block, indent)
        elif isinstance(block, FullPage):
            self.report(f"a {block.kind} cannot be part of a note or list", "put it between paragraphs")

    def heading(self, block: Heading) -> Item:
        style = _HEADINGS.get(block.level, "book-subheading")
        title = " ".join("".join(stretch.text for stretch in block.inline).split())
        if block.level != _CHAPTER or not self.ground:
            heading: Item = self.lines(block.inline, style, before=3.2, after=1.2)
        else:
            self.chapter += 1
            ground = partial(self.ground, number=self.chapter, title=title)
            self.text(block.inline, style)
            line = self.settings[style].leading * self.settings[style].size
            room = self.room - (1 + 2 * _HEAD_PADDING + 2 * _HEAD_GAP) * line
            heading = ChapterHead(self.lines(block.inline, style, room=room), ground, before=4.6, after=2.0)
        heading.bookmark = block.level, title
        return heading

    def list_block(self, block: List, indent: float) -> Iterator[Item]:
        self.room -= INDENT
        items: list[Item] = []
        for number, entry in enumerate(block.entries, start=block.first or 0):
            marker = "•" if block.first is None else f"{number}."
            first, *rest = entry
            assert isinstance(first, ParagraphBlock)
            text = self.lines(first.inline, "book", after=0.8, marker=marker)
            at_end = number - (block.first or 0) in (1, len(block.entries) - 1)
            text.cost = _LIST_BREAKS["end" if at_end else "middle"] if items else _LIST_BREAKS["before"]
            text.indent, text.stretch = indent + INDENT, 0.5 if items else 0.8
            items.append(text)
            for inner in rest:
                items += self.block(inner, indent + INDENT)
        self.room += INDENT
        if items:
            items[-1].after = max(items[-1].after, 1.7)
        yield from items

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
        hyphenated = (
            partial(self.text, inline, style, self.language) if self.language and style in _HYPHENATED else None
        )
        room = self.room if room is None else room
        wide = hyphenated and text.widest_word * self.settings[style].size > room
        self._check(hyphenated() if hyphenated and wide else text, style, room)
        beside = self.text((InlineText(marker),), style) if marker else None
        return TextLines(text, self.settings[style], before=before, after=after, marker=beside, hyphenated=hyphenated)

    def text(self, inline: Inline, style: str, language: str = "") -> Paragraph:
        """The words of a text, measured; with a `language`, hyphenated by its rules."""
        look = self.settings.get(style)
        if look is None:
            plain = setting({"style": style}, self.theme)
            least = self.theme.styles[style].floor or 0.0
            look = self.settings[style] = replace(plain, size=max(plain.size * self.zoom, least))
        key = inline, style, language
        if key not in self.texts:
            pieces = tuple([_piece(stretch, language) for stretch in inline])
            read = partial(paragraph, icons=self.theme.icon_folders)
            text = read(pieces, look.family, look.tracking, look.upper)
            if text.missing:
                place = self.source.place(self.line)
                for lack in lacks_of(pieces, text.missing, look.family.font(0), self.theme, place=lambda _: place):
                    if self.draft:
                        self.report(lack.message, lack.hint)
                    else:
                        note_lack(lack, "rules", place)
                text = read(tuple(boxed(pieces, text.missing)), look.family, look.tracking, look.upper)
            self.texts[key] = text
        return self.texts[key]

    def _check(self, text: Paragraph, style: str, room: float) -> None:
        """Reports a word that is wider than the text."""
        longest = text.widest_word * self.settings[style].size
        if longest > room + 0.04:
            word = shortened(text.longest_word, 30)
            self.report(
                f"“{word}” is wider than the text: needs {longest:.0f} mm, has {room:.0f} mm", "split it with a space"
            )

    def table(self, block: TableBlock, indent: float) -> Iterator[TableItem]:
        """A table; one that is larger than a page, in parts with the same head."""
        widths = self.columns(block)
        rooms = [width - _CELL_LEFT - _CELL_RIGHT for width in widths]
        styles = ["book-label", *["book"] * len(block.rows)]
        head, *rows = [
            [self.lines(cell, style, room=room) for cell, room in zip(row, rooms, strict=True)]
            for style, row in zip(styles, (block.head, *block.rows), strict=True)
        ]
        whole = TableItem(
            [head, *rows],
            widths,
            colour("line", self.theme),
            colour("accent", self.theme),
            before=0.6,
            after=2.4,
            indent=indent,
            cost=14.0,
        )
        start = 0
        while whole.height_of([head, *rows[start:]]) > self.page[1] and start < len(rows):
            end = start + 1
            while whole.height_of([head, *rows[start : end + 1]]) <= self.page[1]:
                end += 1
            yield replace(whole, rows=[head, *rows[start:end]], is_whole=False, cost=0.0 if start else 14.0)
            start = end
        yield replace(whole, rows=[head, *rows[start:]], cost=0.0 if start else 14.0)

    def columns(self, block: TableBlock) -> list[float]:
        """The widths of the columns: each as wide as its longest text, if there is room; otherwise the wide columns
        share the space that the narrow ones leave."""
        columns = [(head, [row[at] for row in block.rows]) for at, head in enumerate(block.head)]
        extra = _CELL_LEFT + _CELL_RIGHT + POINT
        natural = [
            extra + max((self.length(head, "book-label"), *(self.length(cell, "book") for cell in cells)))
            for head, cells in columns
        ]
        room, equal = self.room, self.room / len(natural)
        if fsum(natural) <= room:
            return natural
        narrow = fsum(width for width in natural if width <= equal)
        share = (room - narrow) / sum(width > equal for width in natural)
        return [width if width <= equal else share for width in natural]

    def length(self, inline: Inline, style: str) -> float:
        """The width of a text on one line."""
        return self.text(inline, style).widest_line * self.settings[style].size

    def note(self, block: Note, indent: float) -> NoteItem:
        self.room -= _NOTE_LEFT + _NOTE_RIGHT
        items = [item for part in block.blocks for item in self.block(part)]
        self.room += _NOTE_LEFT + _NOTE_RIGHT
        ground, bar = colour("soft", self.theme), colour("accent", self.theme)
        return NoteItem(items, ground, bar, before=1.2, after=2.4, indent=indent, stretch=1.5, cost=30.0)


def _piece(stretch: InlineText, language: str) -> Piece:
    if stretch.icon:
        return InlineIcon(stretch.icon)
    text = stretch.text if stretch.text == "\n" else stretch.text.replace("\n", " ")
    if language and not stretch.literal:
        text = line_breaks.hyphenated(text, language, capitalised=language.partition("-")[0] in _CAPITALISED_NOUNS)
    return Words(text, stretch.bold, stretch.italic)


class TableItem(Item):
    """The rows of a table, with lines between them and a heavier one below the head. A part that is not the last has a
    line below its last row."""

    rows: list[list[TextLines]]
    widths: list[float]
    line: str
    accent: str
    is_whole: bool = True

    def height(self, width: float) -> float:
        return self.height_of(self.rows)

    def height_of(self, rows: Sequence[Sequence[TextLines]]) -> float:
        return fsum(map(self._row_height, rows))

    def _row_height(self, row: Sequence[TextLines]) -> float:
        cells = zip(row, self.widths, strict=True)
        return _CELL_TOP + _CELL_BOTTOM + max(cell.height(width - _CELL_LEFT - _CELL_RIGHT) for cell, width in cells)

    def draw(self, ink: Ink, x: float, y: float, width: float) -> None:
        across, edges = fsum(self.widths), list[float]()
        for row in self.rows:
            left, high = x, self._row_height(row)
            for cell, wide in zip(row, self.widths, strict=True):
                room = wide - _CELL_LEFT - _CELL_RIGHT
                spare = high - _CELL_TOP - _CELL_BOTTOM - cell.height(room)
                cell.draw(ink, left + _CELL_LEFT, y + _CELL_TOP + spare / 2, room)
                left += wide
            y += high
            edges.append(y)
        lines = [(edge, self.line, 0.4 * POINT) for edge in (edges[:-1] if self.is_whole else edges)]
        for edge, tone, thick in (*lines, (edges[0], self.accent, 0.9 * POINT)):
            ink.items.append(Shape(line(x, edge, x + across, edge), None, tone, thick, cap="round"))


class ChapterHead(Item):
    """The heading of a chapter on a ground of its own, on which its text leaves a square free on the left."""

    title: TextLines
    ground: DrawGround

    @property
    def side(self) -> float:
        """The side of the square: the height of a heading of one line."""
        return (1 + 2 * _HEAD_PADDING) * self.title.line_height

    def height(self, width: float) -> float:
        return self.side + self.title.height(self._room(width)) - self.title.line_height

    def _room(self, width: float) -> float:
        return width - self.side - 2 * _HEAD_GAP * self.title.line_height

    def draw(self, ink: Ink, x: float, y: float, width: float) -> None:
        line = self.title.line_height
        ground = self.ground((width, self.height(width)), side=self.side)
        ink.items.append(Group(tuple(ground.items), transform=(1.0, 0.0, 0.0, 1.0, x, y)))
        self.title.draw(ink, x + self.side + _HEAD_GAP * line, y + _HEAD_PADDING * line, self._room(width))


class NoteItem(Item):
    """The items of a note on a tint, with a bar to their left."""

    items: list[Item]
    ground: str
    bar: str

    def height(self, width: float) -> float:
        return measured(self.items, width - _NOTE_LEFT - _NOTE_RIGHT) + 2 * _NOTE_MARGIN

    def draw(self, ink: Ink, x: float, y: float, width: float) -> None:
        high, room = self.height(width), width - _NOTE_LEFT - _NOTE_RIGHT
        ink.items.extend([Shape(rect(x, y, width, high), self.ground), Shape(rect(x, y, _BAR, high), self.bar)])
        for item, top, _ in stacked(self.items, room):
            item.draw(ink, x + _NOTE_LEFT + item.indent, y + _NOTE_MARGIN + top, room - item.indent)
