"""The rules of a booklet as plain text, for a terminal or a screen reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from textwrap import TextWrapper
from typing import Any

from ..geometry.frame import Frame, Item, Run, leaves
from .figures import FigureFile
from .markdown import (
    Block,
    Figure,
    Heading,
    Inline,
    InlineText,
    List,
    Note,
    ParagraphBlock,
    PictureBlock,
    TableBlock,
    typographic,
)

SIGNS = {"lower": "▼", "higher": "▲", "equal": "=", "unequal": "≠", "star": "★"}
"""Icons with a character that says the same."""
Drawn = tuple[FigureFile, Sequence[Frame]]
Draw = Callable[[Figure | PictureBlock], Drawn]
_SHORT = 8
"""Texts of a face with at most this many letters share a line."""
_UNDERLINES = {1: "=", 2: "-"}


def plain_text(blocks: Sequence[Block], draw: Draw, width: int) -> str:
    """The blocks as lines of at most `width` characters, without covers and spread. `draw` draws a figure, whose words
    and caption are printed."""
    return _TextWriter(draw, width).text(blocks) + "\n"


class _TextWriter:
    def __init__(self, draw: Draw, width: int) -> None:
        self.draw, self.width = draw, width

    def text(self, blocks: Sequence[Block]) -> str:
        return "\n\n".join(part for block in blocks if (part := "\n".join(self.block(block))))

    def block(self, block: Block) -> Iterator[str]:
        """The lines of a block; none for what is not read."""
        writers: dict[type, Callable[[Any], Iterator[str]]] = {
            Heading: self._heading,
            ParagraphBlock: lambda block: iter(self._wrapped(words(block.inline))),
            List: self._list,
            TableBlock: self._table,
            Note: self._note,
            Figure: self._figure,
            PictureBlock: self._figure,
        }
        if type(block) in writers:
            yield from writers[type(block)](block)

    def _note(self, block: Note) -> Iterator[str]:
        inner = _TextWriter(self.draw, self.width - 4)
        yield from (f"  | {line}".rstrip() for line in inner.text(block.blocks).split("\n"))

    def _wrapped(self, text: str, first: str = "", rest: str | None = None) -> list[str]:
        """The text in lines, the first of which begins with `first` and the others with `rest`."""
        wrapper = TextWrapper(
            self.width,
            initial_indent=first,
            subsequent_indent=first if rest is None else rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return [line for part in text.split("\n") for line in wrapper.wrap(part)]

    def _heading(self, block: Heading) -> Iterator[str]:
        title = words(block.inline)
        yield title
        if block.level in _UNDERLINES:
            yield _UNDERLINES[block.level] * min(len(title), self.width)

    def _list(self, block: List) -> Iterator[str]:
        for number, (first, *others) in enumerate(block.entries, start=block.first or 0):
            assert isinstance(first, ParagraphBlock)
            marker = "- " if block.first is None else f"{number}. "
            indent = " " * len(marker)
            yield from self._wrapped(words(first.inline), marker, indent)
            inner = _TextWriter(self.draw, self.width - len(indent))
            for other in others:
                yield from (indent + line for line in inner.block(other))

    def _table(self, block: TableBlock) -> Iterator[str]:
        """A table in columns, or row by row if it is too wide."""
        rows = [[words(cell, _plain(*row)) for cell in row] for row in (block.head, *block.rows)]
        used = [at for at in range(len(block.head)) if any(row[at] for row in rows)]
        cells = [[row[at] for at in used] for row in rows]
        widths = [max(len(row[at]) for row in cells) for at in range(len(used))]
        if sum(widths) + 2 * (len(widths) - 1) <= self.width:
            for number, row in enumerate(cells):
                yield "  ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)).rstrip()
                if number == 0:
                    yield "  ".join("-" * wide for wide in widths)
            return
        head, *body = cells
        for row in body:
            named = (f"{name}: {cell}" if name else cell for name, cell in zip(head, row, strict=True) if cell)
            yield from self._wrapped("; ".join(named), "- ", "  ")

    def _figure(self, block: Figure | PictureBlock) -> Iterator[str]:
        contents, frames = self.draw(block)
        shown = typographic(contents.caption)
        pieces = _pieces(contents)
        sentence = " ".join(filter(None, (f"{pieces}." if pieces else "", shown)))
        faces = zip(contents.faces, frames, strict=True) if contents.faces else ()
        texts = [text for face, frame in faces for text in face_texts(frame.items[: -len(face.pieces) or None])]
        if sentence:
            yield from self._wrapped(f"[Picture: {sentence}]" if not texts else f"[Picture: {sentence}")
        elif texts:
            yield "[Picture:"
        for number, text in enumerate(texts, start=1):
            yield from self._wrapped(text + ("]" if number == len(texts) else ""), "  ", "  ")


def _pieces(contents: FigureFile) -> str:
    """The cards and dice of a figure in words."""
    if contents.cards:
        return ("card " if len(contents.cards) == 1 else "cards ") + ", ".join(
            f"{card.card}{' (back)' if card.back else ''}{_marked(card.marks)}" for card in contents.cards
        )
    return f"dice {' '.join(contents.dice)}" if contents.dice else ""


def _marked(marks: dict[str, str] | None) -> str:
    """The marks on a card: those of a row, such as `crates.1` and `crates.3`, together."""
    rows: dict[str, list[str]] = {}
    for name, mark in (marks or {}).items():
        stem, _, number = name.rpartition(".")
        rows.setdefault(stem or number, []).append(f"{number}: {mark}" if stem else mark)
    text = "; ".join(f"{name} {', '.join(values)}" for name, values in rows.items())
    return f" ({text})" if text else ""


def face_texts(items: Sequence[Item]) -> list[str]:
    """The texts of a face in the order of its template, the lines of each joined, and very short texts together."""
    texts: list[str] = []
    last: Run | None = None
    for item, _ in leaves(items):
        if not isinstance(item, Run) or item.outline or not item.text.strip():
            continue
        if last is not None and _goes_on(last, item):
            beside = item.y == last.y and item.x - last.x - last.width < 0.1 * item.size
            texts[-1] += item.text if beside else f" {item.text}"
        else:
            texts.append(item.text)
        last = item
    together = groupby((" ".join(text.split()) for text in texts), key=lambda text: len(text) <= _SHORT)
    return [text for short, run in together for text in ([", ".join(run)] if short else run)]


def _goes_on(last: Run, run: Run) -> bool:
    """Whether a run continues the text of the run before it, beside it or on the line below."""
    if run.y == last.y:
        return run.x < last.x + last.width + 0.8 * run.size
    return 0 < run.y - last.y < 1.5 * run.size and run.size == last.size


def words(inline: Inline, said: str = "") -> str:
    """The words of a text. An icon becomes its sign or its name, unless that is in the text or `said` beside it."""
    said = said or _plain(inline)
    parts = [_icon(stretch, said) if stretch.icon else stretch.text for stretch in inline]
    return re.sub(r"[ \t]+", " ", "".join(parts)).strip()


def _icon(stretch: InlineText, said: str) -> str:
    if stretch.icon in SIGNS:
        return SIGNS[stretch.icon]
    name = stretch.icon.replace("-", " ")
    return "" if name.rpartition(" ")[2] in said else f"[{name}]"


def _plain(*texts: Inline) -> str:
    return " ".join(stretch.text for inline in texts for stretch in inline).lower()
