"""Turns the blocks of a booklet into platypus flowables in the theme's styles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import fsum

from reportlab.lib.abag import ABag
from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, Flowable, Indenter, KeepTogether, PageBreak, Spacer, TableStyle
from reportlab.platypus import Paragraph as Lines
from reportlab.platypus import Table as Grid
from reportlab.platypus.paraparser import ParaFrag

from ..definitions.models import Style, Theme
from ..errors import MAX_NAMES, InputError, Problem, shortened
from ..pdf.operators import POINTS
from ..text import fonts
from .markdown import Block, Break, Check, Figure, Heading, Inline, Note, Paragraph, Points, Source, Stretch, Table

Draw = Callable[[Figure], Flowable]
_HEADINGS = {1: "book-title", 2: "book-heading", 3: "book-subheading"}
INDENT = 4.2
"""mm. Each entry of a list."""
CELL_PADDING = 10.0
"""Left and right padding of a table's cell, in points."""
CELL_ROOM = CELL_PADDING + 1.0
NOTE_PADDING = 14.0
"""Left and right padding of a note, in points."""
_SPACE = re.compile(r"\s+")
_ALIGN = {"left": 0, "center": 1, "right": 2}


@dataclass(frozen=True, slots=True)
class InlineIcon:
    """Takes the place of a picture in a paragraph; the canvas draws it as the icon with this name."""

    name: str
    colour: str


class Setter:
    """Lays out blocks and collects the `problems` of those that cannot be printed.

    `draw` turns a figure into a flowable; `aspect` is an icon's width divided by its height; `page` is the width and
    height of a page's text in mm."""

    def __init__(
        self,
        theme: Theme,
        draw: Draw,
        aspect: Callable[[str], float],
        page: tuple[float, float],
        source: Source,
    ) -> None:
        self.theme = theme
        self.page = page
        self.room = page[0]
        """Width in mm of the current text, which is narrower within lists and notes."""
        self.draw = draw
        self.aspect = aspect
        self.source = source
        self.line = 0
        """Line of the current block."""
        self.problems: list[Problem] = []
        self.plain_font = self.font(
            theme.styles["book"], Stretch("")
        )  # tables need a font even without text of their own

    def story(self, blocks: tuple[Block, ...]) -> list[Flowable]:
        """The flowables in order; a heading stays with the block that follows it."""
        made: list[Flowable] = []
        waiting: list[Flowable] = []
        for block in blocks:
            if isinstance(block, Check):
                continue
            flowables = list(self.checked(block))
            if isinstance(block, Heading):
                waiting += flowables
                continue
            made += _kept(waiting, flowables)
            waiting = []
        return made + waiting

    def bad(self, message: str, hint: str = "") -> None:
        self.problems.append(self.source.problem(message, self.line, hint))

    def checked(self, block: Block) -> Iterator[Flowable]:
        """The flowables of a block of the story; one that is larger than a page is a problem."""
        self.line = block.line
        before = len(self.problems)
        try:
            flowables = list(self.block(block))
        except InputError as error:
            # a figure's YAML knows its own lines
            self.problems += [
                problem
                if problem.place and problem.place.line
                else self.source.problem(problem.message, self.line, problem.hint)
                for problem in error.problems
            ]
            return
        if isinstance(block, Figure | Note) and len(self.problems) == before:
            self._check_size(block, flowables[0])
        yield from flowables

    def _check_size(self, block: Figure | Note, flowable: Flowable) -> None:
        width, height = self.page
        if flowable.wrap(width * POINTS, height * POINTS)[1] > height * POINTS:
            what, hint = (
                ("figure", "give it a smaller width") if isinstance(block, Figure) else ("note", "split it in two")
            )
            self.bad(f"this {what} is larger than a page of the booklet ({width:g} × {height:g} mm)", hint)

    def block(self, block: Block) -> Iterator[Flowable]:
        self.line = block.line or self.line
        if isinstance(block, Heading):
            yield self.lines(block.inline, _HEADINGS.get(block.level, "book-subheading"), before=3.2, after=1.2)
        elif isinstance(block, Paragraph):
            yield self.lines(block.inline, "book", after=1.6)
        elif isinstance(block, Points):
            yield from self.points(block)
        elif isinstance(block, Table):
            yield self.table(block)
        elif isinstance(block, Figure):
            yield self.draw(block)
        elif isinstance(block, Note):
            yield self.note(block)
        elif isinstance(block, Break):
            yield PageBreak()

    def points(self, block: Points) -> Iterator[Flowable]:
        yield Indenter(left=INDENT * POINTS)
        self.room -= INDENT
        for number, entry in enumerate(block.entries, start=block.first or 0):
            sign = "•" if block.first is None else f"{number}."
            first, *rest = entry
            assert isinstance(first, Paragraph)
            yield self.lines(first.inline, "book", after=0.8, sign=sign)
            for inner in rest:
                yield from self.block(inner)
        self.room += INDENT
        yield Indenter(left=-INDENT * POINTS)
        yield Spacer(0, 0.9 * POINTS)

    def lines(
        self,
        inline: Inline,
        style: str,
        *,
        before: float = 0.0,
        after: float = 0.0,
        sign: str = "",
        room: float | None = None,
    ) -> Lines:
        """A paragraph; `room` is its width in mm, by default that of the text."""
        base = self.theme.styles[style]
        self._check_words(inline, style, self.room if room is None else room)
        made = self.paragraph_style(base, before, after)
        if sign:
            made.bulletIndent, made.bulletFontName, made.bulletFontSize = -4.0 * POINTS, made.fontName, made.fontSize
            made.bulletColor = made.textColor
        frags = [self.frag(stretch, base) for stretch in inline]
        return Lines("", made, bulletText=sign or None, frags=frags or [self.frag(Stretch(" "), base)])

    def _check_words(self, inline: Inline, style: str, room: float) -> None:
        """Reports a word that is wider than the text: platypus would print it over the edge."""
        longest, word = self.longest_word(inline, style)
        if longest > room * POINTS + 0.1:
            self.bad(
                f"“{shortened(word, 30)}” is wider than the text: needs {longest / POINTS:.0f} mm, has {room:.0f} mm",
                "divide it",
            )

    def longest_word(self, inline: Inline, style: str) -> tuple[float, str]:
        """The width in points of the widest word, and the word."""
        words: list[list[Stretch]] = [[]]
        for stretch in inline:
            if stretch.icon:
                words[-1].append(stretch)
                continue
            for number, part in enumerate(_SPACE.split(stretch.text)):
                if number:
                    words.append([])
                words[-1].append(replace(stretch, text=part))
        widths = [(self.length(tuple(word), style), "".join(part.text or part.icon for part in word)) for word in words]
        return max(widths)

    def paragraph_style(self, style: Style, before: float = 0.0, after: float = 0.0) -> ParagraphStyle:
        size = style.size * POINTS
        return ParagraphStyle(
            "book",
            fontName=self.font(style, Stretch("")),
            fontSize=size,
            leading=size * style.leading,
            textColor=HexColor(self.colour(style.colour)),
            alignment=_ALIGN[style.align],
            spaceBefore=before * POINTS,
            spaceAfter=after * POINTS,
            allowWidows=0,
            allowOrphans=0,
            splitLongWords=0,
        )

    def frag(self, stretch: Stretch, style: Style) -> ParaFrag:
        size = style.size * POINTS
        text = stretch.text.upper() if style.case == "upper" else stretch.text
        missing = self.face(style, stretch).missing(text.replace("\n", ""))
        if missing:
            letters = " ".join(f"“{shortened(letter)}”" for letter in missing[:MAX_NAMES])
            self.bad(f"the fonts have no {letters}", "use another character, or an icon such as :star:")
        made = ParaFrag(
            text=text,
            fontName=self.font(style, stretch),
            fontSize=size,
            rise=0,
            link=[],
            textColor=HexColor(self.colour(style.colour)),
            bold=0,
            italic=0,
            us_lines=[],
            greek=0,
        )
        if stretch.icon:
            height = size * 0.78
            made.cbDefn = ABag(
                kind="img",
                image=InlineIcon(stretch.icon, self.colour(style.colour)),
                valign=-0.06 * size,
                width=height * self.aspect(stretch.icon),
                height=height,
            )
            made.text = ""
        if stretch.text == "\n":
            made.lineBreak, made.text = True, ""
        return made

    def font(self, style: Style, stretch: Stretch) -> str:
        return self.face(style, stretch).name

    def face(self, style: Style, stretch: Stretch) -> fonts.Font:
        wanted = "-".join(word for word in ("bold" * stretch.bold, "italic" * stretch.italic) if word)
        key = wanted if wanted and style.font == "regular" else style.font
        return fonts.load(self.theme.fonts[key])

    def colour(self, name: str) -> str:
        return self.theme.colours.get(name, name)

    def table(self, block: Table) -> Flowable:
        widths = self.columns(block)
        rooms = [(width - CELL_PADDING) / POINTS for width in widths]
        head = [self.lines(cell, "book-label", room=room) for cell, room in zip(block.head, rooms, strict=True)]
        rows = [
            [self.lines(cell, "book", room=room) for cell, room in zip(row, rooms, strict=True)] for row in block.rows
        ]
        line = HexColor(self.colour("line"))
        made = Grid(
            [head, *rows],
            hAlign="LEFT",
            colWidths=widths,
            spaceAfter=2.4 * POINTS,
            spaceBefore=0.6 * POINTS,
            repeatRows=1,
        )
        made.setStyle(
            TableStyle(
                [
                    ("FONTNAME", (0, 0), (-1, -1), self.plain_font),
                    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                    ("LINEBELOW", (0, 0), (-1, -2), 0.4, line),
                    ("LINEBELOW", (0, 0), (-1, 0), 0.9, HexColor(self.colour("accent"))),
                    ("TOPPADDING", (0, 0), (-1, -1), 1.6),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 3.2),
                    ("LEFTPADDING", (0, 0), (-1, -1), 2),
                    ("RIGHTPADDING", (0, 0), (-1, -1), 8),
                ]
            )
        )
        return KeepTogether([made]) if len(rows) < 12 else made

    def columns(self, block: Table) -> list[float]:
        """The widths of columns in points: that of the longest text if there is room; otherwise the wide columns share
        the space that the narrow ones leave."""
        columns = [(head, [row[at] for row in block.rows]) for at, head in enumerate(block.head)]
        wanted = [
            CELL_ROOM + max((self.length(head, "book-label"), *(self.length(cell, "book") for cell in cells)))
            for head, cells in columns
        ]
        room, fair = self.room * POINTS, self.room * POINTS / len(wanted)
        if fsum(wanted) <= room:
            return wanted
        narrow = fsum(width for width in wanted if width <= fair)
        share = (room - narrow) / sum(width > fair for width in wanted)
        return [width if width <= fair else share for width in wanted]

    def length(self, inline: Inline, style: str) -> float:
        """The width of a text on one line, in points."""
        base = self.theme.styles[style]
        size = base.size * POINTS
        return fsum(
            size * 0.78 * self.aspect(stretch.icon)
            if stretch.icon
            else fonts.width(stretch.text, self.face(base, stretch), size)
            for stretch in inline
        )

    def note(self, block: Note) -> Flowable:
        self.room -= NOTE_PADDING / POINTS
        inner: list[Flowable] = []
        for flowable in (flowable for part in block.blocks for flowable in self.block(part)):
            inner += flowable._content if isinstance(flowable, KeepTogether) else [flowable]
        self.room += NOTE_PADDING / POINTS
        made = Grid([[inner]], colWidths=["100%"], spaceAfter=2.4 * POINTS, spaceBefore=1.2 * POINTS)
        made.setStyle(
            TableStyle(
                [
                    ("FONTNAME", (0, 0), (-1, -1), self.plain_font),
                    ("BACKGROUND", (0, 0), (-1, -1), HexColor(self.colour("soft"))),
                    ("LINEBEFORE", (0, 0), (0, -1), 2.2, HexColor(self.colour("accent"))),
                    ("LEFTPADDING", (0, 0), (-1, -1), 8),
                    ("TOPPADDING", (0, 0), (-1, -1), 5),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                ]
            )
        )
        return made


def _kept(headings: list[Flowable], flowables: list[Flowable]) -> list[Flowable]:
    """Keeps headings from being alone at the foot of a page."""
    if not headings:
        return flowables
    plain = not any(isinstance(flowable, (Indenter, PageBreak)) for flowable in flowables)
    if plain and len(flowables) == 1:
        inner = flowables[0]._content if isinstance(flowables[0], KeepTogether) else flowables
        return [KeepTogether(headings + inner)]
    return [CondPageBreak(22 * POINTS), *headings, *flowables]
