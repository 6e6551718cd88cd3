"""Turns the blocks of a booklet into platypus flowables in the theme's styles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from math import fsum
from types import SimpleNamespace

from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.platypus import CondPageBreak, Flowable, Indenter, KeepTogether, PageBreak, Spacer, TableStyle
from reportlab.platypus import Table as Grid

from ..definitions.models import Theme
from ..errors import MAX_NAMES, InputError, Problem, shortened
from ..faces.face import Glyph, Piece, Words
from ..layout.draft import RED, Draft
from ..pdf.operators import POINTS
from ..text import hyphens, words
from ..text.lines import Setting, colour, setting
from .lines import TextLines
from .markdown import (
    Block,
    Break,
    Check,
    Figure,
    Heading,
    Inline,
    List,
    Note,
    Paragraph,
    Picture,
    Source,
    Stretch,
    Table,
)

DrawFigure = Callable[[Figure | Picture], Flowable]
_HEADINGS = {1: "book-title", 2: "book-heading", 3: "book-subheading"}
INDENT = 4.2
"""The indentation of list entries, in mm."""
CELL_PADDING = 10.0
"""The sum of the left and right padding of a table cell, in points."""
CELL_EXTRA = CELL_PADDING + 1.0
NOTE_PADDING = 14.0
"""The sum of the left and right padding of a note, in points."""
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
        return hyphens.checked(theme.language)
    words = re.findall(r"[^\W\d_]+", text.lower())
    return "en" if sum(word in _ENGLISH for word in words) > _MIN_ENGLISH * len(words) else ""


class Typesetter:
    """Lays out blocks and collects a problem for each block that cannot be printed.

    `draw` turns a figure into a flowable; `page` is the width and height of the text on a page in mm. A `draft` shows
    the problems in red where they are, also those that the Markdown had (`found`, with their lines)."""

    def __init__(
        self,
        theme: Theme,
        draw: DrawFigure,
        page: tuple[float, float],
        source: Source,
        draft: Draft | None = None,
        found: Iterable[tuple[int, Problem]] = (),
    ) -> None:
        self.theme = theme
        self.draft = draft
        self.found = list(found)
        self.language = language(theme, source.text)
        self.page = page
        self.room = page[0]
        """Available width in mm, which is smaller within lists and notes."""
        self.draw = draw
        self.source = source
        self.line = 0
        """The line on which the current block begins."""
        self.problems: list[Problem] = []
        self.settings: dict[str, Setting] = {}

    def story(self, blocks: tuple[Block, ...]) -> list[Flowable]:
        """The flowables in order; a heading stays with the block after it."""
        story: list[Flowable] = []
        headings: list[Flowable] = []
        for block in blocks:
            if isinstance(block, Check):
                continue
            before = len(self.problems)
            flowables = list(self.checked(block))
            if self.draft is not None:
                flowables = [*self.notices(block.line, self.problems[before:]), *flowables]
            if isinstance(block, Heading):
                headings += flowables
                continue
            story += _keep_together(headings, flowables)
            headings = []
        return [*story, *headings, *self.notices()]

    def notices(self, line: int | None = None, problems: Iterable[Problem] = ()) -> list[Flowable]:
        """The problems of the Markdown up to a line, and others, with their numbers in a draft."""
        found = [(at, problem) for at, problem in self.found if line is None or at <= line]
        self.found = [each for each in self.found if each not in found]
        return [self.notice(problem) for problem in dict.fromkeys([*(problem for _, problem in found), *problems])]

    def notice(self, problem: Problem) -> Flowable:
        """A problem of a draft in red, with its number."""
        assert self.draft is not None
        words = f"+{self.draft.number(problem)}  {problem.message}{'; ' + problem.hint if problem.hint else ''}"
        for letter in self.text((Stretch(words),), "book").missing:
            words = words.replace(letter, "?")
        text = self.text((Stretch(words, bold=True),), "book")
        return TextLines(text, replace(self.settings["book"], colour=RED), after=1.6)

    def report(self, message: str, hint: str = "") -> None:
        self.problems.append(self.source.problem(message, self.line, hint))

    def checked(self, block: Block) -> Iterator[Flowable]:
        """The flowables of a block; reports a figure or note that is larger than a page."""
        self.line = block.line
        before = len(self.problems)
        try:
            flowables = list(self.block(block))
        except InputError as error:
            # problems in a figure's YAML have their own lines
            self.problems += [
                problem
                if problem.place and problem.place.line
                else self.source.problem(problem.message, self.line, problem.hint)
                for problem in error.problems
            ]
            return
        if isinstance(block, Figure | Picture | Note) and len(self.problems) == before:
            self._check_size(block, flowables[0])
            if self.draft is not None and len(self.problems) > before:
                return
        yield from flowables

    def _check_size(self, block: Figure | Picture | Note, flowable: Flowable) -> None:
        width, height = self.page
        if flowable.wrap(width * POINTS, height * POINTS)[1] > height * POINTS:
            kind, hint = (
                ("note", "split it in two") if isinstance(block, Note) else ("figure", "give it a smaller width")
            )
            self.report(f"this {kind} is larger than a page of the booklet ({width:g} × {height:g} mm)", hint)

    def block(self, block: Block) -> Iterator[Flowable]:
        self.line = block.line or self.line
        if isinstance(block, Heading):
            heading = self.lines(block.inline, _HEADINGS.get(block.level, "book-subheading"), before=3.2, after=1.2)
            heading.bookmark = block.level, " ".join("".join(stretch.text for stretch in block.inline).split())
            yield heading
        elif isinstance(block, Paragraph):
            yield self.lines(block.inline, "book", after=1.6)
        elif isinstance(block, List):
            yield from self.list_block(block)
        elif isinstance(block, Table):
            yield self.table(block)
        elif isinstance(block, Figure | Picture):
            yield self.draw(block)
        elif isinstance(block, Note):
            yield self.note(block)
        elif isinstance(block, Break):
            yield PageBreak()

    def list_block(self, block: List) -> Iterator[Flowable]:
        yield Indenter(left=INDENT * POINTS)
        self.room -= INDENT
        for number, entry in enumerate(block.entries, start=block.first or 0):
            marker = "•" if block.first is None else f"{number}."
            first, *rest = entry
            assert isinstance(first, Paragraph)
            yield self.lines(first.inline, "book", after=0.8, marker=marker)
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
        marker: str = "",
        room: float | None = None,
    ) -> TextLines:
        """A paragraph; `room` is its width in mm, by default the available width."""
        text = self.text(inline, style)
        hyphenated = partial(self.text, inline, style, self.language) if self._hyphenates(style) else None
        room = self.room if room is None else room
        wide = hyphenated and text.widest_word * self.settings[style].size > room
        self._check(hyphenated() if hyphenated and wide else text, style, room)
        beside = self.text((Stretch(marker),), style) if marker else None
        return TextLines(text, self.settings[style], before=before, after=after, marker=beside, hyphenated=hyphenated)

    def _hyphenates(self, style: str) -> bool:
        return bool(self.language) and style in _HYPHENATED

    def text(self, inline: Inline, style: str, language: str = "") -> words.Paragraph:
        """The words of a text, measured; with a `language`, hyphenated by its rules."""
        look = self.settings.get(style)
        if look is None:
            look = self.settings[style] = setting({"style": style}, self.theme)
        pieces = tuple([_piece(stretch, language) for stretch in inline])
        return words.paragraph(pieces, look.family, look.tracking, look.upper, self.theme.icon_folders)

    def _check(self, text: words.Paragraph, style: str, room: float) -> None:
        """Reports characters that no font has, and a word that is wider than the text."""
        if text.missing:
            letters = " ".join(f"“{shortened(letter)}”" for letter in text.missing[:MAX_NAMES])
            self.report(f"the fonts have no {letters}", "use another character, or an icon such as :star:")
        longest = text.widest_word * self.settings[style].size
        if longest > room + 0.04:
            word = shortened(text.longest_word, 30)
            self.report(
                f"“{word}” is wider than the text: needs {longest:.0f} mm, has {room:.0f} mm", "split it with a space"
            )

    def table(self, block: Table) -> Flowable:
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
        return KeepTogether([grid]) if len(rows) < 12 else grid

    def columns(self, block: Table) -> list[float]:
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

    def note(self, block: Note) -> Flowable:
        self.room -= NOTE_PADDING / POINTS
        inner: list[Flowable] = []
        for flowable in (flowable for part in block.blocks for flowable in self.block(part)):
            inner += flowable._content if isinstance(flowable, KeepTogether) else [flowable]
        self.room += NOTE_PADDING / POINTS
        grid = Grid([[inner]], colWidths=["100%"], spaceAfter=2.4 * POINTS, spaceBefore=1.2 * POINTS)
        grid.setStyle(
            TableStyle(
                [
                    ("FONTNAME", (0, 0), (-1, -1), _NO_FONT.fontName),
                    ("BACKGROUND", (0, 0), (-1, -1), tone("soft", self.theme)),
                    ("LINEBEFORE", (0, 0), (0, -1), 2.2, tone("accent", self.theme)),
                    ("LEFTPADDING", (0, 0), (-1, -1), 8),
                    ("TOPPADDING", (0, 0), (-1, -1), 5),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                ]
            )
        )
        return grid


def _piece(stretch: Stretch, language: str) -> Piece:
    if stretch.icon:
        return Glyph(stretch.icon)
    text = stretch.text if stretch.text == "\n" else stretch.text.replace("\n", " ")
    if language and not stretch.literal:
        text = hyphens.hyphenated(text, language, capitalised=language.partition("-")[0] in _CAPITALISED_NOUNS)
    return Words(text, stretch.bold, stretch.italic)


def _keep_together(headings: list[Flowable], flowables: list[Flowable]) -> list[Flowable]:
    """Keeps headings with the text after them, so that none is alone at the foot of a page."""
    if not headings:
        return flowables
    unindented = not any(isinstance(flowable, (Indenter, PageBreak)) for flowable in flowables)
    if unindented and len(flowables) == 1:
        inner = flowables[0]._content if isinstance(flowables[0], KeepTogether) else flowables
        return [KeepTogether(headings + inner)]
    return [CondPageBreak(22 * POINTS), *headings, *flowables]
