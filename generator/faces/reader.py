"""Reads faces that have markup in common with other faces: each new tag is parsed and checked once.

This is the same reading as `markup.parse` and `Check.face`, tag by tag, for faces without problems. Anything else
is refused with `UnusualError`; then the face is read as a whole, and its problems get their lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..errors import InputError
from . import markup
from .check import Check
from .elements import ELEMENTS
from .face import Element, Piece
from .markup import EMPTY, MAX_DEPTH, MAX_ELEMENTS, PLAIN, MarkupSource, assembled, font_in, glyph_or_break, words_in
from .templates import Templates

MAX_ELEMENTS_KEPT = 2_000
_TAG = re.compile("(<[^<>]*>)")
_ESCAPED = re.compile("&(#39|#34|amp|lt|gt);")
_SIGNS = {"#39": "'", "#34": '"', "amp": "&", "lt": "<", "gt": ">"}
"""What is escaped in values."""
_WHITE = " \t\r\n"
_COUNTED = ("slot", "qr")
"""Elements that are limited or unique on their face."""


class UnusualError(Exception):
    """A face that has a problem, or something that is only read together with the rest of the face."""


class _Head(Struct, frozen=True, eq=False):
    """A checked start tag of an element with content, and the text element that it begins, if it begins one."""

    name: str
    attributes: Mapping[str, Any]
    end: str
    text: Element | None = None


class Reader:
    """Reads the faces of one component. Faces that differ only in their texts are the same `Element`, and so are parts
    of them, so that what is known of one can be found by its identity: on a deck of 540 cards, this saves half of the
    time for reading. All that refers to such elements must be forgotten together."""

    def __init__(self, templates: Templates, folder: Path | None) -> None:
        self.templates = templates
        self.folder = folder
        self._tags: dict[tuple[str, str], Element | _Head] = {}
        self._containers: dict[tuple[int, ...], Element] = {}
        self._inline: dict[str, markup.MarkupNode] = {}

    @property
    def is_full(self) -> bool:
        """Whether so much is remembered that another reader should take its place."""
        return len(self._tags) + len(self._containers) > MAX_ELEMENTS_KEPT

    def read(self, text: str) -> tuple[Element, list[str]]:
        """The outermost element of a face, whose texts are left out, and these texts as markup, in order. Raises
        UnusualError."""
        parts = _TAG.split(text)
        if len(parts) // 2 > MAX_ELEMENTS or parts[0].strip(_WHITE):
            raise UnusualError
        texts = list[str]()
        elements, _ = self._elements(parts, 1, ("", ""), 0, texts=texts)
        if len(elements) != 1:
            raise UnusualError
        return elements[0], texts

    def _elements(
        self, parts: list[str], at: int, around: tuple[str, str], depth: int, texts: list[str]
    ) -> tuple[list[Element], int]:
        """The elements `around` which is the element with this name and end tag, from the tag `parts[at]` on, and the
        position of that end tag."""
        elements, tags, (parent, end), last = list[Element](), self._tags, around, len(parts)
        if depth > MAX_DEPTH:
            raise UnusualError
        while at < last and parts[at] != end:
            known = tags.get((parent, parts[at])) or self._tag(parent, parts[at])
            if type(known) is Element:
                elements.append(known)
            elif known.text:  # type: ignore[union-attr]
                at = self._text(parts, at, known.end, texts)  # type: ignore[union-attr]
                elements.append(known.text)  # type: ignore[union-attr]
            else:
                element, at = self._container(parts, at, known, depth, texts=texts)  # type: ignore[arg-type]
                elements.append(element)
            at += 2
            if parts[at - 1].strip(_WHITE):
                raise UnusualError
        if end and at >= last:
            raise UnusualError
        return elements, at

    def _container(self, parts: list[str], at: int, head: _Head, depth: int, texts: list[str]) -> tuple[Element, int]:
        if parts[at + 1].strip(_WHITE):
            raise UnusualError
        children, end = self._elements(parts, at + 2, (head.name, head.end), depth + 1, texts=texts)
        key = (id(head), *map(id, children))
        element = self._containers.get(key)
        if element is None:
            element = self._containers[key] = Element(head.name, head.attributes, tuple(children))
        return element, end

    def _text(self, parts: list[str], at: int, end_tag: str, texts: list[str]) -> int:
        """Adds the content of a text; returns the position of its last tag."""
        if not end_tag:
            texts.append("")
            return at
        try:
            end = parts.index(end_tag, at + 2)
        except ValueError:
            raise UnusualError from None
        texts.append("".join(parts[at + 1 : end]) if end > at + 2 else parts[at + 1])
        return end

    def _tag(self, parent: str, token: str) -> Element | _Head:
        """A new start tag, or an element without content."""
        is_empty = token.endswith("/>")
        node = self._parsed(token if is_empty else f"{token[:-1]}/>")
        tag = ELEMENTS.get(node.tag)
        if tag is None or node.tag in _COUNTED or (node.tag == "face") == bool(parent):
            raise UnusualError
        check = self._check()
        attributes = check.attributes(node, tag, parent)
        _refuse(check)
        known: Element | _Head
        element = known = Element(node.tag, attributes)
        if tag.holds == "text":
            known = _Head(node.tag, attributes, "" if is_empty else f"</{node.tag}>", element)
        elif not is_empty:
            if tag.holds == "nothing":
                raise UnusualError
            known = _Head(node.tag, attributes, f"</{node.tag}>")
        self._tags[parent, token] = known
        return known

    def pieces(self, content: str) -> tuple[Piece, ...]:
        """The pieces of a text. Raises UnusualError. Reading them tag by tag instead of as a whole saves a twentieth of
        the time for a deck of 540 cards."""
        pieces, fonts, ends = list[Piece](), [PLAIN], list[str]()
        for number, part in enumerate(_TAG.split(content)):
            if number % 2 == 0:
                text, count = _ESCAPED.subn(_unescaped, part)
                if count != part.count("&") or ">" in part or not text.replace("\n", " ").isprintable():
                    raise UnusualError
                pieces.append(words_in(text, fonts[-1]))
            elif ends and part == ends[-1]:
                fonts.pop()
                ends.pop()
            else:
                node = self._inline.get(part) or self._inline_tag(part)
                if node.tag in EMPTY:
                    pieces.append(glyph_or_break(node.tag, node.attributes.get("name", ""), fonts[-1]))
                else:
                    fonts.append(font_in(node.tag, fonts[-1], node.attributes))
                    ends.append(f"</{node.tag}>")
        if ends:
            raise UnusualError
        return assembled(pieces)

    def _inline_tag(self, token: str) -> markup.MarkupNode:
        """A new tag in running text."""
        is_empty = token.endswith("/>")
        node, check = self._parsed(f"<text>{token if is_empty else f'{token[:-1]}/>'}</text>"), self._check()
        check.element(node, "column")
        _refuse(check)
        inner = node.content[0]
        if isinstance(inner, str) or is_empty != (inner.tag in EMPTY):
            raise UnusualError
        if len(self._inline) >= MAX_ELEMENTS_KEPT:
            self._inline.clear()
        self._inline[token] = inner
        return inner

    def _parsed(self, text: str) -> markup.MarkupNode:
        try:
            return markup.parse(MarkupSource("", "", text))
        except InputError:
            raise UnusualError from None

    def _check(self) -> Check:
        return Check(MarkupSource("", "", ""), self.templates, self.folder)


def _unescaped(match: re.Match[str]) -> str:
    return _SIGNS[match[1]]


def _refuse(check: Check) -> None:
    if check.problems or check.missing:
        raise UnusualError
