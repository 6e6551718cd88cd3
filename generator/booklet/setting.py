"""Blocks of rules text → platypus flowables, set in the theme's styles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reportlab.lib.abag import ABag
from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, Flowable, Indenter, KeepTogether, PageBreak, Spacer, TableStyle
from reportlab.platypus import Paragraph as Lines
from reportlab.platypus import Table as Grid
from reportlab.platypus.paraparser import ParaFrag

from ..definitions.models import Style, Theme
from ..pdf.operators import POINTS
from ..text import fonts
from .markdown import Block, Break, Check, Figure, Heading, Inline, Note, Paragraph, Points, Stretch, Table

Draw = Callable[[str], Flowable]
_HEADINGS = {1: "book-title", 2: "book-heading", 3: "book-subheading"}
CELL_ROOM = 11.0
"""Left and right padding of a table's cell, in points, and a little to spare."""
_ALIGN = {"left": 0, "center": 1, "right": 2}


@dataclass(frozen=True, slots=True)
class InlineIcon:
    """Stands in a paragraph where platypus expects a picture; the canvas draws it as the icon it names."""

    name: str
    colour: str


class Setter:
    """Sets blocks; collects the letters that the fonts are `missing`.

    `draw` turns the text of a figure into a flowable; `aspect` is an icon's width over its height, `room` the width
    of a page's text in mm."""

    def __init__(self, theme: Theme, draw: Draw, aspect: Callable[[str], float], room: float) -> None:
        self.theme = theme
        self.room = room
        self.draw = draw
        self.aspect = aspect
        self.missing: dict[str, None] = {}
        self.plain_font = self.font(theme.styles["book"], Stretch(""))  # tables name a font even where they set none

    def story(self, blocks: tuple[Block, ...]) -> list[Flowable]:
        """Flowables in order; a heading stays with what follows it."""
        made: list[Flowable] = []
        waiting: list[Flowable] = []
        for block in blocks:
            if isinstance(block, Check):
                continue
            flowables = list(self.block(block))
            if isinstance(block, Heading):
                waiting += flowables
                continue
            made += _kept(waiting, flowables)
            waiting = []
        return made + waiting

    def block(self, block: Block) -> Iterator[Flowable]:
        if isinstance(block, Heading):
            yield self.lines(block.inline, _HEADINGS.get(block.level, "book-subheading"), before=3.2, after=1.2)
        elif isinstance(block, Paragraph):
            yield self.lines(block.inline, "book", after=1.6)
        elif isinstance(block, Points):
            yield from self.points(block)
        elif isinstance(block, Table):
            yield self.table(block)
        elif isinstance(block, Figure):
            yield self.draw(block.source)
        elif isinstance(block, Note):
            yield self.note(block)
        elif isinstance(block, Break):
            yield PageBreak()

    def points(self, block: Points) -> Iterator[Flowable]:
        yield Indenter(left=4.2 * POINTS)
        for number, entry in enumerate(block.entries, start=1):
            sign = f"{number}." if block.ordered else "•"
            first, *rest = entry
            assert isinstance(first, Paragraph)
            yield self.lines(first.inline, "book", after=0.8, sign=sign)
            for inner in rest:
                yield from self.block(inner)
        yield Indenter(left=-4.2 * POINTS)
        yield Spacer(0, 0.9 * POINTS)

    def lines(self, inline: Inline, style: str, *, before: float = 0.0, after: float = 0.0, sign: str = "") -> Lines:
        base = self.theme.styles[style]
        made = self.paragraph_style(base, before, after)
        if sign:
            made.bulletIndent, made.bulletFontName, made.bulletFontSize = -4.0 * POINTS, made.fontName, made.fontSize
            made.bulletColor = made.textColor
        frags = [self.frag(stretch, base) for stretch in inline]
        return Lines("", made, bulletText=sign or None, frags=frags or [self.frag(Stretch(" "), base)])

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
        self.missing.update(dict.fromkeys(self.face(style, stretch).missing(text.replace("\n", ""))))
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
        head = [self.lines(cell, "book-label") for cell in block.head]
        rows = [[self.lines(cell, "book") for cell in row] for row in block.rows]
        line = HexColor(self.colour("line"))
        made = Grid(
            [head, *rows],
            hAlign="LEFT",
            colWidths=self.columns(block),
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
        """Widths in points: every column as wide as its longest text, if there is room; else the wide ones share what
        the narrow ones leave."""
        columns = [(head, [row[at] for row in block.rows]) for at, head in enumerate(block.head)]
        wanted = [
            CELL_ROOM + max(self.length(head, "book-label"), *(self.length(cell, "book") for cell in cells))
            for head, cells in columns
        ]
        room, fair = self.room * POINTS, self.room * POINTS / len(wanted)
        if sum(wanted) <= room:
            return wanted
        narrow = sum(width for width in wanted if width <= fair)
        share = (room - narrow) / sum(width > fair for width in wanted)
        return [width if width <= fair else share for width in wanted]

    def length(self, inline: Inline, style: str) -> float:
        """How wide a text is on one line, in points."""
        base = self.theme.styles[style]
        size = base.size * POINTS
        return sum(
            size * 0.78 * self.aspect(stretch.icon)
            if stretch.icon
            else fonts.width(stretch.text, self.face(base, stretch), size)
            for stretch in inline
        )

    def note(self, block: Note) -> Flowable:
        inner = [flowable for part in block.blocks for flowable in self.block(part)]
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
    """Headings never stand alone at the foot of a page."""
    if not headings:
        return flowables
    plain = not any(isinstance(flowable, (Indenter, PageBreak)) for flowable in flowables)
    if plain and len(flowables) == 1:
        inner = flowables[0]._content if isinstance(flowables[0], KeepTogether) else flowables
        return [KeepTogether(headings + inner)]
    return [CondPageBreak(22 * POINTS), *headings, *flowables]
