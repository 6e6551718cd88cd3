"""Values kept apart from the text around them while a template is rendered: each leaves a mark, its hole, in the text.

Cards whose texts are alike but for what was written into the holes share all the work that does not look at it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from jinja2 import nodes
from markupsafe import Markup

from .budget import check_length
from .filters import Guarded, shown

T = TypeVar("T")
MARKS = tuple(map(chr, range(0xE000, 0xF900)))
"""The mark of each hole: letters of Unicode's private use area, which no font of ours has."""
_MOST = len(MARKS)
NUMBER = {mark: number for number, mark in enumerate(MARKS)}
MOST_TAGS = 60
"""In the markup of one value."""
RICH = "\0"
"""Before a value that is markup already."""

LONG = 100
_INLINE = re.compile(r'(?:[^<&]++|&(?:amp|lt|gt|#3[49]);|</?[bi]>|<br/>|<icon name="[A-Za-z][\w-]*+"/>)++')
_REFERRING = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
_CAUGHT = (nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.AssignBlock)


@cache
def _legal() -> re.Pattern[str]:
    """What may stand in XML, less the private use area. A pattern of so many letters takes long to compile, and is
    seldom needed."""
    return re.compile("[\t\n\r\x20-\ud7ff\uf900-\ufffd\U00010000-\U0010ffff]+")


def _private(text: str) -> bool:
    """Whether one of the marks stands in a text by itself."""
    return not text.isascii() and any(MARKS[0] <= letter <= MARKS[-1] for letter in text)


class Taken:
    """The values taken out of one face while it is rendered. `spoiled` says that a mark in its text may not be one;
    `length` is that of the long values."""

    __slots__ = ("guarded", "length", "spoiled", "values")

    def __init__(self, guarded: Guarded) -> None:
        self.guarded = guarded
        self.values: list[str] = []
        self.spoiled = False
        self.length = 0

    def written(self, value: Any) -> str:
        """What `{{ … }}` writes where nothing catches it: a mark, if the value may have a hole."""
        values = self.values
        kept = value if type(value) is str and value.isprintable() else _kept(shown(value))
        at = len(values)
        if not kept or kept.isspace() or at >= _MOST:
            self.spoiled = self.spoiled or _private(shown(value))
            return self.guarded.written(value)
        if len(kept) > LONG:
            self.length += len(kept)
            check_length(self.length)
        values.append(kept)
        return MARKS[at]

    @property
    def most(self) -> int:
        """No value is left out of this length."""
        return self.length + LONG * len(self.values)


class Holes(threading.local):
    """Where the values of the face that is being rendered in this thread go; None where they stay in the text."""

    def __init__(self, guarded: Guarded) -> None:
        self.guarded = guarded
        self.taken: Taken | None = None

    def collected(self, render: Callable[[], T]) -> tuple[T, Taken]:
        """What `render` returns, and the values that were taken out of it."""
        taken = self.taken = Taken(self.guarded)
        try:
            return render(), taken
        finally:
            self.taken = None

    def writer(self) -> Callable[[Any], str]:
        """What writes the values of a template from here to its end."""
        return (self.taken or self.guarded).written


def _kept(text: str) -> str:
    """A value as it is kept; nothing where it must stay in the text: it is no running text, or not fit for XML."""
    if not text.isprintable() and not _legal().fullmatch(text):
        return ""
    if not isinstance(text, Markup):
        return text
    if "<" not in text and "&" not in text:
        return str(text)
    inline = text.count("<") <= MOST_TAGS and _INLINE.fullmatch(text)
    return RICH + str(text) if inline else ""


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The names a template mentions, and the other templates; None among these is one that is not known before."""

    names: frozenset[str]
    others: frozenset[str | None]

    @staticmethod
    def of(template: nodes.Template) -> Mentioned:
        others = [getattr(node, "template", None) for node in template.find_all(_REFERRING)]
        return Mentioned(frozenset(node.name for node in template.find_all(nodes.Name)),
                         frozenset(node.value if isinstance(node, nodes.Const) else None for node in others))


def streams(template: nodes.Template, source: str) -> bool:
    """Whether all that a template writes outside of its macros goes straight into the face. What is caught on its way
    (the text of a block, an include within a macro) can be looked at, and must hold values, not marks."""
    caught: list[Any] = list(template.find_all(_CAUGHT))
    return not (_private(source) or any(name.name in ("self", "super") for name in template.find_all(nodes.Name))
                or any(node.find((nodes.Include, nodes.Block)) for node in caught))
