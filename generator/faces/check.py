"""Builds a face from a template: renders it, parses the XML, types the attributes, and looks up colours, styles, icons
and pictures. Reports every problem at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from ..definitions import values
from ..errors import InputError, Problem, did_you_mean
from . import kinds, markup
from .elements import ELEMENTS, INLINE, Tag
from .face import Element, Face
from .kinds import Kind
from .markup import Node, Source, cut
from .templates import Templates

_MAX_PROBLEMS = 20
_ENDS = ("x1", "y1", "x2", "y2")
_FLOWS = ("face", "column", "row")
T = TypeVar("T")
_BAD: Any = object()
"""Replaces a value that could not be read and whose problem has been reported."""


@dataclass(slots=True)
class _Occurrences:
    """A problem: the line where it first occurs, and how often it does."""

    line: int
    hint: str
    times: int = 1


@dataclass(slots=True)
class Check:
    """Checks one face. Collects `icons`, `slots` and `wrong`, the problems by message."""

    source: Source
    templates: Templates
    folder: Path | None
    icons: set[str] = field(default_factory=set)
    slots: dict[str, Node] = field(default_factory=dict)
    wrong: dict[str, _Occurrences] = field(default_factory=dict)

    def face(self, node: Node) -> Element:
        """Checks the whole tree; raises InputError with every problem."""
        if node.tag != "face":
            self.bad(node, f"the outermost element must be <face>, not <{cut(node.tag)}>")
        made = self.element(node, "")
        if self.wrong:
            raise InputError(self._problems())
        return made

    def _problems(self) -> list[Problem]:
        """The problems, at most as many as a person can read."""
        found = [
            self.source.problem(message + (f", {wrong.times} times" if wrong.times > 1 else ""), wrong.line, wrong.hint)
            for message, wrong in self.wrong.items()
        ]
        more = len(found) - _MAX_PROBLEMS
        rest = [Problem(f"{self.source.name}: and more problems", found[0].place)] if more > 0 else []
        return found[:_MAX_PROBLEMS] + rest

    def bad(self, node: Node, message: str, hint: str = "", near: tuple[str, Iterable[str]] = ("", ())) -> Any:
        """Adds a problem; `near` is a misspelt word with the known words. In loops the same problem occurs many times;
        the slow search for near words is done once."""
        if message in self.wrong:
            self.wrong[message].times += 1
        elif len(self.wrong) <= _MAX_PROBLEMS:
            self.wrong[message] = _Occurrences(node.line, hint or did_you_mean(*near))
        return _BAD

    # ---- elements -------------------------------------------------------------------------------------------------

    def element(self, node: Node, parent: str) -> Element:
        tag = ELEMENTS.get(node.tag)
        if tag is None:
            self._unknown(node, ELEMENTS)
            return Element(node.tag, {}, line=node.line)
        attributes = self._attributes(node, tag)
        for rule in _RULES.get(node.tag, ()):
            rule(self, node, attributes, parent)
        if "grow" in attributes and parent not in _FLOWS:
            self.bad(node, f"“grow” has no effect in <{parent}>", "use it on children of " + ", ".join(_FLOWS))
        if tag.holds == "text":
            self._inline(node)
            return self.text(node, attributes)
        return Element(node.tag, attributes, self._children(node, tag), line=node.line)

    def text(self, node: Node, attributes: Mapping[str, Any]) -> Element:
        """A `text` element whose attributes are typed and whose content is checked."""
        return Element(node.tag, attributes, pieces=markup.pieces(node), line=node.line)

    def _children(self, node: Node, tag: Tag) -> tuple[Element, ...]:
        made = []
        for part in node.content:
            if isinstance(part, str):
                if part.strip():
                    self.bad(node, f"text “{cut(part.strip())}” is directly in <{node.tag}>", "put it into <text>")
            elif tag.holds == "nothing":
                self.bad(part, f"<{node.tag}> cannot contain <{cut(part.tag)}> or anything else")
            else:
                made.append(self.element(part, node.tag))
        return tuple(made)

    def _inline(self, node: Node) -> None:
        """Checks the elements in running text."""
        for part in node.content:
            if isinstance(part, str):
                continue
            tag = INLINE.get(part.tag)
            if tag is None:
                self._unknown(part, INLINE, " in running text")
                continue
            self._attributes(part, tag)
            if tag.holds == "nothing" and part.content:
                self.bad(part, f"<{part.tag}> must be empty")
            self._inline(part)

    def _unknown(self, node: Node, known: Mapping[str, Tag], where: str = "") -> None:
        self.bad(node, f"unknown element <{cut(node.tag)}>{where}", near=(node.tag, known))

    # ---- attributes -----------------------------------------------------------------------------------------------

    def _attributes(self, node: Node, tag: Tag) -> Mapping[str, Any]:
        made: dict[str, Any] = {}
        for name, written in node.attributes.items():
            attribute = tag.attributes.get(name)
            if attribute is None:
                self.bad(node, f"unknown attribute “{cut(name)}” of <{node.tag}>", near=(name, tag.attributes))
            else:
                made[attribute.key] = self._value(node, name, attribute.kind, written)
        for name in tag.needed:
            if name not in node.attributes:
                self.bad(node, f"<{node.tag}> needs the attribute “{name}”")
        return MappingProxyType(made)

    def _value(self, node: Node, name: str, kind: Kind, written: str) -> Any:
        try:
            value = kind.read(written)
            return _LOOK_UPS[kind](self, value) if kind.looked_up else value
        except _NotFoundError as error:
            return self.bad(node, str(error), near=error.near)
        except ValueError:
            return self.bad(node, f"“{name}” of <{node.tag}> must be {kind.wanted}, not “{cut(written)}”")

    # ---- looking up names -----------------------------------------------------------------------------------

    def colour(self, written: str) -> str:
        if written.startswith("#"):
            return values.colour(written)
        return self._found("colour", written, self.templates.theme.colours)

    def paint(self, written: str) -> str | None:
        return None if written == "none" else self.colour(written)

    def style(self, written: str) -> str:
        self._found("style", written, self.templates.theme.styles)
        return written

    def icon(self, written: str) -> str:
        self._found("icon", written, self.templates.icons)
        self.icons.add(written)
        return written

    def picture(self, written: str) -> str:
        if self.folder is None:
            raise _NotFoundError(f"there is no folder for the picture “{cut(written)}”")
        try:
            return self.templates.picture(self.folder, written)
        except ValueError as error:
            raise _NotFoundError(str(error)) from None

    def _found(self, what: str, name: str, known: Mapping[str, T]) -> T:
        if name not in known:
            raise _NotFoundError(f"no {what} “{cut(name)}”", (name, known))
        return known[name]


class _NotFoundError(ValueError):
    """A well-formed name that names nothing."""

    def __init__(self, message: str, near: tuple[str, Iterable[str]] = ("", ())) -> None:
        super().__init__(message)
        self.near = near


# ---- combinations of attributes ---------------------------------------------------------------------------------


def _slot_once(check: Check, node: Node, attributes: Mapping[str, Any], parent: str) -> None:
    name = attributes.get("id")
    if isinstance(name, str) and check.slots.setdefault(name, node) is not node:
        check.bad(node, f"slot “{name}” appears twice", f"first on line {check.slots[name].line} as rendered")


def _line_or_rule(check: Check, node: Node, attributes: Mapping[str, Any], parent: str) -> None:
    ends = [name for name in _ENDS if name in attributes]
    if ends and len(ends) < len(_ENDS):
        missing = ", ".join(name for name in _ENDS if name not in attributes)
        check.bad(node, f"<line> has {', '.join(ends)} but not {missing}")
    elif ends and (sized := [name for name in ("width", "height", "grow") if name in attributes]):
        check.bad(node, f"<line> has two ends and “{sized[0]}”", "remove one of them")


def _one_size(check: Check, node: Node, attributes: Mapping[str, Any], parent: str) -> None:
    if "size" in attributes and ("width" in attributes or "height" in attributes):
        check.bad(node, "<icon> has a “size” and a “width” or “height”", "remove one of them")


def _outermost(check: Check, node: Node, attributes: Mapping[str, Any], parent: str) -> None:
    if parent:
        check.bad(node, f"<face> is inside <{parent}>", "it must be the outermost element")


_Rule = Callable[[Check, Node, Mapping[str, Any], str], None]
_RULES: Mapping[str, tuple[_Rule, ...]] = {
    "face": (_outermost,),
    "slot": (_slot_once,),
    "line": (_line_or_rule,),
    "icon": (_one_size,),
}
_LOOK_UPS: Mapping[Kind, Callable[[Check, str], Any]] = {
    kinds.COLOUR: Check.colour,
    kinds.PAINT: Check.paint,
    kinds.STYLE: Check.style,
    kinds.ICON: Check.icon,
    kinds.PICTURE: Check.picture,
}


# ---- building a face


def build(
    templates: Templates,
    template: str,
    context: Mapping[str, Any],
    *,
    name: str,
    size: tuple[float, float],
    bleed: float = 0.0,
    safe: float = 0.0,
    folder: Path | None = None,
) -> Face:
    """Builds the face that `template` (a bare name: `card` is the file `card.xml.j2`) makes of `context`.

    Messages use `name` ("card 4"); `size` is the trim in mm, `bleed` and `safe` margins in mm;
    pictures come from `folder`. Raises InputError, either with one problem and its line in the template or with
    every problem of the markup and its line in the rendered XML."""
    rendered = templates.render(template, context, name)
    source = markup.Source(name, rendered.file, rendered.text)
    check = Check(source, templates, folder)
    root = check.face(markup.parse(source))
    return Face(name, rendered.file, root, size, bleed, safe, frozenset(check.icons))
