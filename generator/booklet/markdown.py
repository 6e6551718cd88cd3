"""Parses the Markdown of a booklet into blocks, and writes blocks as plain text, for a terminal or a screen reader.
Markdown that cannot be printed is reported with its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import TextWrapper
from typing import Any, TypeAlias
from urllib.parse import unquote

import mistune
from mistune.core import BlockState
from mistune.plugins.table import table, table_in_list, table_in_quote
from msgspec import Struct

from .. import limits
from ..errors import InputError, Place, Problem, fault, shortened
from ..geometry.frame import Frame, Item, Run, leaves
from .figures import FigureFile

# Typed signs, and the apostrophes, dashes in ranges, minus signs, ellipses and signs in sums that print uses for them.
_TYPED = (
    (re.compile(r"(?<=\w)'(?=\w)"), "’"),
    (re.compile(r"(?<![\w.,/+–-])(\d{1,4})-(?=\d{1,4}(?![\w/-]))"), r"\1–"),
    (re.compile(r"(?<![\w)\]–-])-(?=[\d.]*\d)"), "−"),
    (re.compile(r"\.\.\.(?!\.)"), "…"),
    (re.compile(r"(?<=\d) ([+−×=]) (?=[\d−])"), "\u00a0\\1\u00a0"),
)
_OPENING = re.compile(r"(?<!\w)'")
_ENDING = re.compile(r"(?<=\w)'")
ICON = re.compile(r":([a-z][a-z0-9-]*):")


class InlineText(Struct, frozen=True):
    """Words in one font, or an icon. `literal` words, such as code and addresses, are not hyphenated."""

    text: str
    bold: bool = False
    italic: bool = False
    icon: str = ""
    literal: bool = False


Inline: TypeAlias = tuple[InlineText, ...]


class Heading(Struct, frozen=True):
    level: int
    inline: Inline
    line: int = 0


class ParagraphBlock(Struct, frozen=True):
    inline: Inline
    line: int = 0


class List(Struct, frozen=True):
    """A list, whose entries each begin with a paragraph; `first` is the number of the first entry, None for bullets."""

    entries: tuple[tuple[Block, ...], ...]
    first: int | None
    line: int = 0


class TableBlock(Struct, frozen=True):
    head: tuple[Inline, ...]
    rows: tuple[tuple[Inline, ...], ...]
    line: int = 0


class Figure(Struct, frozen=True):
    """A fenced block marked `figure`; the module `figures` reads its YAML."""

    source: str
    line: int = 0


class FullPage(Struct, frozen=True):
    """A fenced block marked `cover`, `spread` or `back`: a picture that fills the front or back of the booklet, or the
    two pages in its middle; the module `figures` reads its YAML."""

    kind: str
    source: str
    line: int = 0


class PictureBlock(Struct, frozen=True):
    """A picture in a paragraph of its own: its file in the game's folder, and its caption."""

    file: str
    caption: str
    line: int = 0


class WorkedExample(Struct, frozen=True):
    """A fenced block marked `check`, which is not printed: a filled-in sheet and the answer that the judge gives."""

    source: str
    line: int = 0


class Note(Struct, frozen=True):
    """A quotation, printed in a tinted box."""

    blocks: tuple[Block, ...]
    line: int = 0


class Break(Struct, frozen=True):
    """A thematic break: the next block begins a new page."""

    line: int = 0


Block: TypeAlias = (
    Heading | ParagraphBlock | List | TableBlock | Figure | FullPage | PictureBlock | WorkedExample | Note | Break
)


class RulesSource(Struct, frozen=True):
    """The Markdown of a booklet as its template renders it, and the lines of that template."""

    text: str
    file: str
    template: tuple[str, ...] = ()

    def place(self, line: int) -> Place:
        """The line of the template that produced a line of the Markdown; the whole file if that is unknown."""
        rendered = self._line(line)
        candidates = [number for number, text in enumerate(self.template, start=1) if text.strip() == rendered]
        if not rendered or not candidates:
            return Place(self.file)
        return Place(self.file, min(candidates, key=lambda number: abs(number - line)))

    def problem(self, message: str, line: int, hint: str = "") -> Problem:
        place = self.place(line)
        if not place.line and self._line(line):
            message += f" (line {line} as rendered: {shortened(self._line(line), 90)})"
        return Problem(message, place, hint)

    def _line(self, line: int) -> str:
        lines = self.text.split("\n", line)
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def blocks(source: RulesSource, markdown_problems: list[tuple[int, Problem]] | None = None) -> tuple[Block, ...]:
    """Parses Markdown into blocks; raises InputError with everything that cannot be printed. With a list, adds these
    problems to it instead, with their lines, and leaves them out."""
    if len(source.text) > limits.BOOKLET_CHARACTERS:
        raise fault(f"longer than {limits.BOOKLET_CHARACTERS:,} characters", Place(source.file))
    parser = mistune.Markdown(renderer=None, block=_LineParser(), plugins=[table, table_in_quote, table_in_list])
    reader = _BlockReader(source, [] if markdown_problems is None else markdown_problems)
    parsed = tuple(reader.blocks(parser(source.text)))  # type: ignore[arg-type]
    if reader.problems and markdown_problems is None:
        raise InputError(dict.fromkeys(problem for _, problem in reader.problems))
    return parsed


class _LineState(BlockState):
    """Adds to each token the line on which its outermost block begins."""

    def append_token(self, token: dict[str, Any]) -> None:
        super().append_token(self._with_line(token))

    def prepend_token(self, token: dict[str, Any]) -> None:
        super().prepend_token(self._with_line(token))

    def add_paragraph(self, text: str) -> None:
        super().add_paragraph(text)
        if "line" not in self.tokens[-1]:
            self._with_line(self.tokens[-1])

    def _with_line(self, token: dict[str, Any]) -> dict[str, Any]:
        outermost: Any = self
        while outermost.parent:
            outermost = outermost.parent
        start = self.env.get("start")
        if start is None:
            start = outermost.cursor
        blank = len(outermost.src) - start - len(outermost.src[start:].lstrip("\n"))
        token["line"] = outermost.src.count("\n", 0, start + blank) + 1
        return token


class _LineParser(mistune.BlockParser):
    """Records where the current outermost block begins."""

    state_cls = _LineState

    def parse_method(self, m: re.Match[str], state: BlockState) -> int | None:
        if state.parent is not None:
            return super().parse_method(m, state)
        outer = state.env.get("start")  # a quotation may parse the next block before its own token exists
        state.env["start"] = m.start()
        end = super().parse_method(m, state)
        state.env["start"] = outer
        return end


_FENCED: Mapping[str, type[Figure | WorkedExample]] = {"figure": Figure, "check": WorkedExample}
FULL_PAGES = ("cover", "spread", "back")
_UNSUPPORTED = {
    "image": ("a picture within a text", "put it in a paragraph of its own"),
    "inline_html": ("HTML", "use **bold**, *italic* and :icon:"),
    "block_html": ("HTML", "use Markdown, or show a face with its own template in a ```figure"),
    "block_code": (
        "a block of code",
        "only ```figure, ```cover, ```spread and ```back are printed; indent a paragraph by fewer than four spaces",
    ),
}
_MAX_ADDRESS = 50  # the number of characters of an address that fit on a line
# The line between the head and the body of a table.
_RULER = re.compile(r"^[ >]*\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$", re.MULTILINE)


class _BlockReader(Struct, frozen=True):
    source: RulesSource
    problems: list[tuple[int, Problem]]

    def report(self, message: str, line: int, hint: str = "") -> None:
        self.problems.append((line, self.source.problem(message, line, hint)))

    def blocks(self, tokens: list[dict[str, Any]], line: int = 0) -> Iterator[Block]:
        for token in tokens:
            block = self.block(token, token.get("line", line))
            if block is not None:
                yield block

    def block(self, token: Mapping[str, Any], line: int) -> Block | None:
        kind = token["type"]
        if kind == "blank_line":
            return None
        if kind == "heading":
            return Heading(token["attrs"]["level"], self.inline(token, line), line)
        if kind in ("paragraph", "block_text"):
            return self.paragraph(token, line)
        if kind == "list":
            return self.list_block(token, line)
        return self.table(token, line) if kind == "table" else self.other_block(kind, token, line)

    def other_block(self, kind: str, token: Mapping[str, Any], line: int) -> Block | None:
        if kind == "block_quote":
            return Note(tuple(self.blocks(token["children"], line)), line)
        if kind == "thematic_break":
            return Break(line)
        fenced = _FENCED.get(token.get("attrs", {}).get("info", "")) if kind == "block_code" else None
        if fenced:
            return fenced(token["raw"], line)
        if kind == "block_code" and token.get("attrs", {}).get("info") in FULL_PAGES:
            return FullPage(token["attrs"]["info"], token["raw"], line)
        self.refuse(kind, token, line)
        return None

    def paragraph(self, token: Mapping[str, Any], line: int) -> ParagraphBlock | PictureBlock:
        children = token.get("children") or []
        if len(children) == 1 and children[0]["type"] == "image":
            file = unquote(children[0]["attrs"]["url"])
            if "://" not in file:
                return PictureBlock(file, typographic(_plain_text({"children": children[0]["children"]})), line)
            self.report("booklets cannot contain a picture from the web", line, "save it in the game’s folder")
            return ParagraphBlock((), line)
        inline = self.inline(token, line)
        words = "\n".join(self.source.text.split("\n")[line - 1 : line + 30]).partition("\n\n")[0] if line else ""
        if "|" in words and _RULER.search(words):
            self.report("some rows of this table have more or fewer cells than its head", line)
        return ParagraphBlock(inline, line)

    def list_block(self, token: Mapping[str, Any], line: int) -> List:
        entries = []
        for number, entry in enumerate(token["children"], start=1):
            content = tuple(self.blocks(entry.get("children", []), line))
            if not content or not isinstance(content[0], ParagraphBlock):
                problem = "does not begin with text" if content else "is empty"
                self.report(f"entry {number} of this list {problem}", line, "begin each entry with text")
                continue
            entries.append(content)
        return List(tuple(entries), token["attrs"].get("start", 1) if token["attrs"]["ordered"] else None, line)

    def table(self, token: Mapping[str, Any], line: int) -> TableBlock:
        head, *bodies = token["children"]
        cells = tuple(self.inline(cell, line) for cell in head["children"])
        rows = [
            tuple(self.inline(cell, line) for cell in row["children"]) for body in bodies for row in body["children"]
        ]
        if not rows:
            self.report("this table has a head but no rows", line)
        if len(cells) > limits.TABLE_COLUMNS:
            self.report(f"this table has {len(cells)} columns; at most {limits.TABLE_COLUMNS} fit on a page", line)
        shown = slice(limits.TABLE_COLUMNS)
        return TableBlock(cells[shown], tuple(row[shown] for row in rows), line)

    def inline(self, token: Mapping[str, Any], line: int) -> Inline:
        return tuple(self.stretches(token.get("children", []), line, bold=False, italic=False))

    def stretches(self, tokens: list[dict[str, Any]], line: int, *, bold: bool, italic: bool) -> Iterator[InlineText]:
        for token in tokens:
            kind = token["type"]
            if kind == "text":
                yield from _icons(typographic(token["raw"]), bold, italic)
            elif kind == "softbreak":
                yield InlineText(" ", bold, italic)
            elif kind == "linebreak":
                yield InlineText("\n", bold, italic)
            elif kind == "codespan":
                yield InlineText(token["raw"], bold=True, italic=italic, literal=True)
            elif kind in ("strong", "emphasis", "link"):
                yield from self.stretches(
                    token["children"], line, bold=bold or kind == "strong", italic=italic or kind == "emphasis"
                )
                # The address of a link is printed after its words, unless they are the address or it leads to a place
                # in the booklet itself.
                url = unquote(str(token.get("attrs", {}).get("url", "")))
                short = re.sub(r"^(https?://|mailto:)", "", url).rstrip("/")
                words = _plain_text({"children": token["children"]}).strip().rstrip("/")
                if short and not url.startswith("#") and words not in (url.rstrip("/"), short):
                    yield InlineText(f" ({shortened(short, _MAX_ADDRESS)})", bold, italic, literal=True)
            else:
                self.refuse(kind, token, line)

    def refuse(self, kind: str, token: Mapping[str, Any], line: int) -> None:
        construct, hint = _UNSUPPORTED.get(
            kind, (kind.replace("_", " "), "use headings, paragraphs, lists, tables and quotes")
        )
        quoted = shortened(_plain_text(token).strip().split("\n")[0], 40)
        self.report(f"booklets cannot contain {construct}{f' (“{quoted}”)' if quoted else ''}", line, hint)


def _plain_text(token: Mapping[str, Any]) -> str:
    """The words of a token, or the address of a link without words."""
    if token.get("raw"):
        return str(token["raw"])
    words = "".join(map(_plain_text, token.get("children") or ()))
    return words or str(token.get("attrs", {}).get("url", ""))


def typographic(text: str) -> str:
    """The text with apostrophes, ranges of numbers, minus signs and ellipses as they are printed: “don’t”, “2–6”, “−3”,
    “…”, and sums that stay on one line. Dates, codes and telephone numbers keep their hyphens."""
    for pattern, printed in _TYPED:
        text = pattern.sub(printed, text)
    return text if _OPENING.search(text) else _ENDING.sub("’", text)


def _icons(text: str, bold: bool, italic: bool) -> Iterator[InlineText]:
    for number, part in enumerate(ICON.split(text)):
        if number % 2:
            yield InlineText("", bold, italic, icon=part)
        elif part:
            yield InlineText(part, bold, italic)


SIGNS = {"lower": "▼", "higher": "▲", "equal": "=", "unequal": "≠", "star": "★"}
"""Icons with a character that says the same."""
Drawn = tuple[FigureFile, Sequence[Frame]]
Draw = Callable[[Figure | PictureBlock], Drawn]
_SHORT = 8  # texts of a face with at most this many letters share a line
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
