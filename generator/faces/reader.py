"""Reads faces that have markup in common with other faces: each new tag is parsed and checked once.

This is the same reading as `markup.parse` and `Check.face`, tag by tag, for faces without problems. Anything else
is refused with `UnusualError`; then the face is read as a whole, and its problems get their lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..fast_dataclasses import dataclass
from . import markup
from .check import Check
from .elements import ELEMENTS
from .face import Element
from .markup import (
    MAX_DEPTH,
    MAX_ELEMENTS,
    PLAIN,
    Source,
    assembled,
    words_in,
)
from .templates import Templates

MAX_ELEMENTS_KEPT = 2_000
MAX_TEXT = 160
"""Longer texts rarely recur: they are not remembered."""
_TAG = re.compile("(<[^<>]*>)")
_WHITE = " \t\r\n"
_COUNTED = ("slot", "qr")
"""Elements that are limited or unique on their face."""


class UnusualError(Exception):
    """A face that has a problem, or something that is only read together with the rest of the face."""


@dataclass(frozen=True, slots=True, eq=False)
class _Head:
    """A checked start tag of an element with content."""

    name: str
    attributes: Mapping[str, Any]
    end: str


class Reader:
    """Reads the faces of one component. The same markup in the same kind of element is the same `Element`, so that
    what is known of it can be found by its identity; on a deck of 540 cards, this saves half of the time for reading.
    All that refers to such elements must be forgotten together."""

    def __init__(self, templates: Templates, folder: Path | None) -> None:
        self.templates = templates
        self.folder = folder
        self._tags: dict[tuple[str, str], Element | _Head] = {}
        self._texts: dict[tuple[str, str, str], Element] = {}
        self._containers: dict[tuple[int, ...], Element] = {}

    @property
    def is_full(self) -> bool:
        return len(self._tags) + len(self._texts) + len(self._containers) > MAX_ELEMENTS_KEPT

    def clear(self) -> None:
        """Forgets everything."""
        for memory in (self._tags, self._texts, self._containers):
            memory.clear()

    def read(self, text: str) -> Element:
        """The outermost element of a face. Raises UnusualError."""
        parts = _TAG.split(text)
        if len(parts) // 2 > MAX_ELEMENTS or parts[0].strip(_WHITE):
            raise UnusualError
        elements, _, _ = self._elements(parts, 1, "", "", 0)
        if len(elements) != 1:
            raise UnusualError
        return elements[0]

    def _elements(
        self, parts: list[str], at: int, parent: str, end: str, depth: int
    ) -> tuple[list[Element], int, bool]:
        """The elements inside another one, from the tag `parts[at]` to its end tag; the position of that, and whether
        all elements are remembered."""
        elements, all_known, tags = list[Element](), True, self._tags
        if depth > MAX_DEPTH:
            raise UnusualError
        while at < len(parts) and parts[at] != end:
            known = tags.get((parent, parts[at])) or self._tag(parent, parts[at])
            if isinstance(known, _Head):
                if known.name == "text":
                    known, at, is_known = self._text(parts, at, parent, known)
                else:
                    known, at, is_known = self._container(parts, at, known, depth)
                all_known = all_known and is_known
            elements.append(known)
            at += 2
            if parts[at - 1].strip(_WHITE):
                raise UnusualError
        if end and at >= len(parts):
            raise UnusualError
        return elements, at, all_known

    def _container(self, parts: list[str], at: int, head: _Head, depth: int) -> tuple[Element, int, bool]:
        if parts[at + 1].strip(_WHITE):
            raise UnusualError
        children, end, is_known = self._elements(parts, at + 2, head.name, head.end, depth + 1)
        key = (id(head), *map(id, children))
        element = self._containers.get(key)
        if element is None:
            element = Element(head.name, head.attributes, tuple(children))
            if is_known:
                self._containers[key] = element
        return element, end, is_known

    def _text(self, parts: list[str], at: int, parent: str, head: _Head) -> tuple[Element, int, bool]:
        try:
            end = parts.index(head.end, at + 2)
        except ValueError:
            raise UnusualError from None
        content = "".join(parts[at + 1 : end])
        key, is_known = (parent, parts[at], content), len(content) <= MAX_TEXT
        element = self._texts.get(key)
        if element is None:
            element = Element("text", head.attributes, pieces=self._pieces(content))
            if is_known:
                self._texts[key] = element
        return element, end, is_known

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
        known: Element | _Head = Element(node.tag, attributes)
        if not is_empty:
            if tag.holds == "nothing":
                raise UnusualError
            known = _Head(node.tag, attributes, f"</{node.tag}>")
        self._tags[parent, token] = known
        return known

    def _pieces(self, content: str) -> tuple[Any, ...]:
        if content.isprintable() and not any([sign in content for sign in "<>&"]):
            return assembled((words_in(content, PLAIN),))
        node, check = self._parsed(f"<text>{content}</text>"), self._check()
        check.element(node, "column")
        _refuse(check)
        return markup.pieces(node)

    def _parsed(self, text: str) -> markup.Node:
        try:
            return markup.parse(Source("", "", text))
        except InputError:
            raise UnusualError from None

    def _check(self) -> Check:
        return Check(Source("", "", ""), self.templates, self.folder)


def _refuse(check: Check) -> None:
    if check.problems or check.missing:
        raise UnusualError
