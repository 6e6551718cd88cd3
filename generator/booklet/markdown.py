"""Rules text: Markdown written by Jinja2 → a plain tree of blocks, with what cannot be set told by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import mistune

from ..errors import InputError, Place, Problem

ICON = re.compile(r":([a-z][a-z0-9-]*):")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words in one font, or an icon."""

    text: str
    bold: bool = False
    italic: bool = False
    icon: str = ""


Inline: TypeAlias = tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    inline: Inline


@dataclass(frozen=True, slots=True)
class Paragraph:
    inline: Inline


@dataclass(frozen=True, slots=True)
class Points:
    """A list, each entry a run of blocks; `ordered` numbers them."""

    entries: tuple[tuple[Block, ...], ...]
    ordered: bool


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[Inline, ...]
    rows: tuple[tuple[Inline, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A fenced block marked `figure`: YAML, read by `figures`."""

    source: str


@dataclass(frozen=True, slots=True)
class Check:
    """A fenced block marked `check`, never printed: a filled-in sheet and the answer that the judge must give to it."""

    source: str


@dataclass(frozen=True, slots=True)
class Note:
    """A quoted passage, set in a tinted box."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Break:
    """A thematic break: the next block begins a new page."""


Block: TypeAlias = Heading | Paragraph | Points | Table | Figure | Check | Note | Break


def blocks(text: str, file: str) -> tuple[Block, ...]:
    """The blocks of a Markdown text; raises InputError naming everything that the press cannot set."""
    tokens = mistune.create_markdown(renderer=None, plugins=["table"])(text)
    reader = _Reader(Place(file), [])
    made = tuple(reader.blocks(tokens))  # type: ignore[arg-type]
    if reader.problems:
        raise InputError(reader.problems)
    return made


@dataclass(frozen=True, slots=True)
class _Reader:
    place: Place
    problems: list[Problem]

    def blocks(self, tokens: list[dict[str, Any]]) -> Iterator[Block]:
        for token in tokens:
            made = self.block(token)
            if made is not None:
                yield made

    def block(self, token: Mapping[str, Any]) -> Block | None:
        kind = token["type"]
        if kind == "blank_line":
            return None
        if kind == "heading":
            return Heading(token["attrs"]["level"], self.inline(token))
        if kind in ("paragraph", "block_text"):
            return Paragraph(self.inline(token))
        if kind == "list":
            entries = tuple(tuple(self.blocks(entry["children"])) for entry in token["children"])
            return Points(entries, token["attrs"]["ordered"])
        return self.rarer(kind, token)

    def rarer(self, kind: str, token: Mapping[str, Any]) -> Block | None:
        if kind == "table":
            return self.table(token)
        if kind == "block_quote":
            return Note(tuple(self.blocks(token["children"])))
        if kind == "thematic_break":
            return Break()
        if kind == "block_code" and token.get("attrs", {}).get("info") == "figure":
            return Figure(token["raw"])
        if kind == "block_code" and token.get("attrs", {}).get("info") == "check":
            return Check(token["raw"])
        self.refuse(kind, token)
        return None

    def table(self, token: Mapping[str, Any]) -> Table:
        head, body = token["children"]
        rows = [tuple(map(self.inline, row["children"])) for row in body["children"]]
        return Table(tuple(map(self.inline, head["children"])), tuple(rows))

    def inline(self, token: Mapping[str, Any]) -> Inline:
        return tuple(self.stretches(token.get("children", []), bold=False, italic=False))

    def stretches(self, tokens: list[dict[str, Any]], *, bold: bool, italic: bool) -> Iterator[Stretch]:
        for token in tokens:
            kind = token["type"]
            if kind == "text":
                yield from _icons(token["raw"], bold, italic)
            elif kind == "softbreak":
                yield Stretch(" ", bold, italic)
            elif kind == "linebreak":
                yield Stretch("\n", bold, italic)
            elif kind == "codespan":
                yield Stretch(token["raw"], bold=True, italic=italic)
            elif kind in ("strong", "emphasis"):
                yield from self.stretches(
                    token["children"], bold=bold or kind == "strong", italic=italic or kind == "emphasis"
                )
            else:
                self.refuse(kind, token)

    def refuse(self, kind: str, token: Mapping[str, Any]) -> None:
        sample = str(token.get("raw") or token.get("children") or "").strip()[:40]
        self.problems.append(
            Problem(
                f"the booklet cannot set Markdown's {kind.replace('_', ' ')} (“{sample}”)",
                self.place,
                "headings, paragraphs, lists, tables, quotes and ```figure are set",
            )
        )


def _icons(text: str, bold: bool, italic: bool) -> Iterator[Stretch]:
    for number, part in enumerate(ICON.split(text)):
        if number % 2:
            yield Stretch("", bold, italic, icon=part)
        elif part:
            yield Stretch(part, bold, italic)
