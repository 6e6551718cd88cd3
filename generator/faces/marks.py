"""Renders templates with marks in place of values.

Marks separate a template's own text from its values, so that the markup is parsed once and the values are inserted
later, in their order. A mark is a character of Unicode's private use area (The Unicode Standard, section 23.5).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from jinja2 import nodes
from markupsafe import Markup

from ..fast_dataclasses import dataclass
from ..lazy import pattern
from .budget import check_length
from .filters import Guarded, Kept, as_text

T = TypeVar("T")
MARK = "\ue000"
RICH = "\0"
"""Precedes a value that is already markup."""
MAX_TAGS = 60
"""The largest number of tags in the markup of one value."""
MAX_MARKABLE = 100
"""Values longer than this count towards the length of the face while it is rendered."""
_INLINE = pattern(r'(?:[^<&]++|&(?:amp|lt|gt|#3[49]);|</?[bius]>|<br/>|<icon name="[A-Za-z][\w-]*+"/>)++')
_REFERRING = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
_CAPTURING = (nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.AssignBlock)


_LEGAL = pattern("[\t\n\r\x20-\ud7ff\uf900-\ufffd\U00010000-\U0010ffff]+")
"""What XML allows (https://www.w3.org/TR/xml/#charsets), without the private use area."""


class _Written(str):
    """The text of a `value` in what a macro or block captures."""

    value: str


class MarkedValues:
    """The values of one face, in the order of their marks. `ambiguous` says that the face's own text may contain
    the character used as a mark. `captured` has the texts that macros and blocks have captured, each with marks, and
    the values that these stand for."""

    __slots__ = ("ambiguous", "captured", "guarded", "long_length", "values")

    def __init__(self, guarded: Guarded) -> None:
        self.guarded = guarded
        self.values: list[str] = []
        self.captured: dict[str, tuple[str, Sequence[str]]] = {}
        self.ambiguous = False
        self.long_length = 0

    def written(self, value: Any) -> str:
        """The output of a `{{ … }}` that no macro or block captures: a mark if possible, otherwise the value."""
        if type(value) is str and value.isprintable():
            markable: str = value
        elif type(value) is Markup and (captured := self.captured.get(value)):
            self.guarded.budget.text(len(value))
            text, values = captured
            for each in values:
                self._count(each)
            self.values += values
            return text
        else:
            markable = _markable(as_text(value))
        if not markable or markable.isspace():
            self.ambiguous = self.ambiguous or MARK in as_text(value)
            return self.guarded.written(value)
        if len(markable) > MAX_MARKABLE:
            self._count(markable)
        self.values.append(markable)
        return MARK

    def _count(self, value: str) -> None:
        if len(value) > MAX_MARKABLE:
            self.long_length += len(value)
            check_length(self.long_length)

    def joined(self, parts: Sequence[str]) -> str:
        """The text that a macro or block has captured in these parts."""
        text, values, marked = "".join(parts), list[str](), list[str]()
        for part in parts:
            if type(part) is _Written:
                marked.append(MARK)
                values.append(part.value)
            else:
                inner = self.captured.get(part, (part, ())) if type(part) is Markup else (part, ())
                marked.append(inner[0])
                values += inner[1]
        with_marks = "".join(marked)
        if values and with_marks.count(MARK) == len(values):
            self.captured[text] = with_marks, values
        return text


class Marker(threading.local):
    """Decides whether the face that this thread is rendering contains values or marks."""

    def __init__(self, guarded: Guarded) -> None:
        self.guarded = guarded
        self._marked: MarkedValues | None = None
        self._kept: Kept | None = None
        self._paused = 0

    def marked(self, render: Callable[[], T], kept: Kept) -> tuple[T, MarkedValues]:
        """Calls `render` with marks in place of values; returns its result and the values. The template that it renders
        has `kept` values when it did so before, and adds to them."""
        marked = self._marked = MarkedValues(self.guarded)
        self._kept, self._paused = kept, 0
        try:
            return render(), marked
        finally:
            self._marked = self._kept = None

    def kept(self) -> Kept:
        """What the template that begins has kept: nothing if another one includes it, or without marks."""
        kept, self._kept = self._kept, None
        return {} if kept is None else kept

    def writer(self) -> Callable[[Any], str]:
        """The function that writes values during this rendering."""
        return (self._marked or self.guarded).written

    # ---- what macros and blocks capture: templates can inspect it, so it contains values, but knows where they are

    def captured(self, value: Any) -> str:
        """The output of a `{{ … }}` that a macro or block captures."""
        text = self.guarded.written(value)
        if self._marked is None or self._paused or (type(value) is Markup and value in self._marked.captured):
            return text
        markable = _markable(as_text(value))
        if not markable or markable.isspace():
            return text
        written = _Written(text)
        written.value = markable
        return written

    def joined(self, parts: Iterable[str]) -> str:
        """The text that a macro or block has captured in these parts."""
        return "".join(parts) if self._marked is None or self._paused else self._marked.joined([*parts])

    def pause(self) -> None:
        """Captures texts without marks until `resume`: what is worked out in between is remembered, and also written on
        cards that have not captured these texts."""
        self._paused += 1

    def resume(self) -> None:
        """Ends a `pause`."""
        self._paused -= 1

    def keep(self, kept: Kept, number: int, _: None, value: Any) -> Any:
        """Keeps a value that is the same on every card, for which capturing was paused."""
        self.resume()
        kept[number] = value
        return value

    def keep_text(self, kept: Kept, number: int, _: None, value: Any) -> str:
        """Keeps the text of a value that is written on every card, for which capturing was paused."""
        text: str = self.keep(kept, number, None, as_text(value))
        return text


def _markable(text: str) -> str:
    """The value to store, or "" if it must be written out because it is not running text or not valid XML."""
    if not text.isprintable() and not _LEGAL.fullmatch(text):
        return ""
    if not isinstance(text, Markup):
        return text
    if "<" not in text and "&" not in text:
        return str(text)
    inline = text.count("<") <= MAX_TAGS and _INLINE.fullmatch(text)
    return RICH + str(text) if inline else ""


@dataclass(frozen=True, slots=True)
class Traits:
    """What is known of a template without running it: the names that it mentions, the templates that it refers to
    (None stands for a computed name), and whether its values can be replaced by marks."""

    names: frozenset[str]
    others: frozenset[str | None]
    can_mark: bool

    @staticmethod
    def of(every: Sequence[nodes.Node]) -> Traits:
        """The traits of a template with these nodes."""
        others = [getattr(node, "template", None) for node in every if isinstance(node, _REFERRING)]
        names = frozenset(node.name for node in every if isinstance(node, nodes.Name))
        return Traits(
            names,
            frozenset(node.value if isinstance(node, nodes.Const) else None for node in others),
            not names & {"self", "super"} and _can_mark(every),
        )

    def plain(self) -> tuple[tuple[str, ...], tuple[str | None, ...], bool]:
        """These traits as constants for the code of the template."""
        return tuple(sorted(self.names)), tuple(sorted(self.others, key=str)), self.can_mark

    @staticmethod
    def read(plain: Any) -> Traits:
        """The traits that `plain` has made."""
        names, others, can_mark = plain
        return Traits(frozenset(names), frozenset(others), can_mark)


def _can_mark(every: Sequence[nodes.Node]) -> bool:
    """Whether all output of a template outside its macros goes straight into the face. Templates can inspect captured
    output (the text of a block, an include within a macro), so that must contain values, not marks."""
    return not any(
        (isinstance(node, nodes.TemplateData) and MARK in node.data)
        or (isinstance(node, nodes.Const) and MARK in str(node.value))
        or (isinstance(node, _CAPTURING) and any(node.find_all((nodes.Include, nodes.Block))))
        for node in every
    )
