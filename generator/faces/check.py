"""Builds a face from a template: renders it, parses the XML, reads the attributes, and looks up colours, styles, icons
and pictures. Reports all problems together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from ..errors import InputError, Problem, did_you_mean
from ..model import colours
from ..model.columns import Columns
from ..model.game import Card
from . import kinds, markup
from .elements import ELEMENTS, INLINE, Tag
from .face import Element, Face, missing
from .kinds import Kind
from .markup import MarkupNode, MarkupSource, cut
from .templates import SUFFIX, Templates

_MAX_PROBLEMS = 20
MAX_CODES, MAX_CODE_CHARACTERS = 200, 10_000
"""The largest number of QR codes on a face, and of the characters in all of them: codes take time."""
_ART = {"image": "file", "icon": "name"}
"""Elements that show a picture or an icon, with the attribute that names it."""
_MAX_LABEL = 60
_NO_PICTURES = "no such pictures in the game’s folder, for example “{}”"
_END_POINTS = ("x1", "y1", "x2", "y2")
_FLOWS = ("face", "column", "row")
_BAD: Any = object()
"""Stands for a value that could not be read; its problem has been reported."""


class Check(Struct):
    """Checks one face. Collects its `slots` by id, and its `problems` by message, with the number of `times` each
    occurs."""

    source: MarkupSource
    templates: Templates
    folder: Path | None
    slots: dict[str, MarkupNode] = field(default_factory=dict)
    problems: dict[str, Callable[[str], Problem]] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)
    codes: list[int] = field(default_factory=list)
    missing: dict[int, list[Problem]] = field(default_factory=dict)
    """Of a draft: the problems of nodes with pictures and icons that do not exist, by the identity of the node."""

    def face(self, node: MarkupNode) -> Element:
        """Checks the whole tree; raises InputError with every problem."""
        if node.tag != "face":
            self.bad(node, f"the outermost element must be <face>, not <{cut(node.tag)}>")
        root = self.element(node, "")
        if self.problems:
            raise InputError(self._reported())
        return root

    def _reported(self) -> list[Problem]:
        """The problems to report, limited to as many as anyone would read."""
        problems = [
            make(message + (f", {self.times[message]} times" if self.times[message] > 1 else ""))
            for message, make in self.problems.items()
        ]
        more = len(problems) - _MAX_PROBLEMS
        overflow = [Problem(f"{self.source.name}: and more problems", problems[0].place)] if more > 0 else []
        return problems[:_MAX_PROBLEMS] + overflow

    def bad(
        self,
        node: MarkupNode,
        message: str,
        hint: str = "",
        near: tuple[str, Iterable[str]] = ("", ()),
        alike: tuple[str, str] = ("", ""),
        text: str = "",
    ) -> Any:
        """Adds a problem; `near` is a misspelt word and the valid words, and `text` a text that may come from a table.
        A loop can cause the same problem many times, but the slow search for similar words runs once."""
        self.times[message] += 1
        if self.times[message] == 1 and len(self.problems) <= _MAX_PROBLEMS:
            self.problems[message] = partial(
                self.source.problem,
                line=node.line,
                hint=hint or did_you_mean(*near),
                tag=node.tag,
                alike=alike[0],
                detail=alike[1],
                text=text,
            )
        return _BAD

    # ---- elements -------------------------------------------------------------------------------------------------

    def element(self, node: MarkupNode, parent: str) -> Element:
        tag = ELEMENTS.get(node.tag)
        if tag is None:
            self._unknown(node, ELEMENTS)
            return Element(node.tag, {}, line=node.line)
        attributes = self.attributes(node, tag, parent)
        if tag.holds == "text":
            self._inline(node)
            return self.text(node, attributes)
        if absent := self.missing.get(id(node)):
            return missing(
                attributes, cut(node.attributes[_ART[node.tag]].rpartition("/")[2], _MAX_LABEL), absent, node.line
            )
        return Element(node.tag, attributes, self._children(node, tag), line=node.line)

    def text(self, node: MarkupNode, attributes: Mapping[str, Any]) -> Element:
        """Builds a `text` element from typed attributes and checked content."""
        if absent := self.missing.get(id(node)):
            attributes = {**attributes, "problems": tuple(absent)}
        return Element(node.tag, attributes, pieces=markup.pieces(node), line=node.line)

    def _children(self, node: MarkupNode, tag: Tag) -> tuple[Element, ...]:
        children = []
        for part in node.content:
            if isinstance(part, str):
                if part.strip():
                    self.bad(node, f"text “{cut(part.strip())}” is directly in <{node.tag}>", "put it in <text>")
            elif tag.holds == "nothing":
                self.bad(part, f"<{node.tag}> cannot contain <{cut(part.tag)}> or anything else")
            else:
                children.append(self.element(part, node.tag))
        return tuple(children)

    def _inline(self, node: MarkupNode) -> None:
        """Checks the elements in running text."""
        for part in node.content:
            if isinstance(part, str):
                continue
            tag = INLINE.get(part.tag)
            if tag is None:
                self._unknown(part, INLINE, " in running text")
                continue
            typed = self._attributes(part, tag)
            if isinstance(typed.get("colour"), str):
                part.attributes = {**part.attributes, "colour": typed["colour"]}
            if tag.holds == "nothing" and part.content:
                self.bad(part, f"<{part.tag}> must be empty")
            if absent := self.missing.get(id(part)):
                self.missing.setdefault(id(node), []).extend(absent)
                part.tag, part.content, part.attributes = "b", [f"[{cut(part.attributes['name'])}]"], {}
            self._inline(part)

    def _unknown(self, node: MarkupNode, elements: Mapping[str, Tag], where: str = "") -> None:
        self.bad(node, f"unknown element <{cut(node.tag)}>{where}", near=(node.tag, elements))

    # ---- attributes -----------------------------------------------------------------------------------------------

    def attributes(self, node: MarkupNode, tag: Tag, parent: str) -> Mapping[str, Any]:
        """The typed attributes of an element in another one."""
        attributes = self._attributes(node, tag)
        for rule in _RULES.get(node.tag, ()):
            rule(self, node, attributes, parent)
        if "grow" in attributes and parent not in _FLOWS:
            self.bad(node, f"“grow” has no effect in <{parent}>", "use it on children of " + ", ".join(_FLOWS))
        return attributes

    def _attributes(self, node: MarkupNode, tag: Tag) -> Mapping[str, Any]:
        typed: dict[str, Any] = {}
        for name, text in node.attributes.items():
            attribute = tag.attributes.get(name)
            if attribute is None:
                self.bad(node, f"unknown attribute “{cut(name)}” of <{node.tag}>", near=(name, tag.attributes))
            else:
                typed[attribute.key] = self._value(node, name, attribute.kind, text)
        for name in tag.needed:
            if name not in node.attributes:
                self.bad(node, f"<{node.tag}> needs the attribute “{name}”")
        return MappingProxyType(typed)

    def _value(self, node: MarkupNode, name: str, kind: Kind, text: str) -> Any:
        try:
            value = kind.read(text)
            return _LOOK_UPS[kind](self, value) if kind.looked_up else value
        except _NotFoundError as error:
            alike = (_NO_PICTURES, text) if kind is kinds.PICTURE and str(error).startswith("no picture") else ("", "")
            written = {kinds.PICTURE: text, kinds.ICON: f":{text}:"}.get(kind, "")
            if self.templates.draft and written:
                problem = self.source.problem(
                    str(error),
                    node.line,
                    did_you_mean(*error.near),
                    tag=node.tag,
                    alike=alike[0],
                    detail=alike[1],
                    text=written,
                )
                self.missing.setdefault(id(node), []).append(problem)
                return text
            return self.bad(node, str(error), near=error.near, alike=alike, text=written)
        except ValueError:
            return self.bad(node, f"“{name}” of <{node.tag}> must be {kind.expected}, not “{cut(text)}”")

    # ---- looking up names -----------------------------------------------------------------------------------

    def colour(self, text: str) -> str:
        named = self.templates.theme.colours
        try:
            return colours.find(text, named)
        except ValueError:
            if colours.is_notation(text):
                raise
            raise _NotFoundError(f"no colour “{cut(text)}”", (text, [*named, *colours.NAMES])) from None

    def paint(self, text: str) -> str | None:
        return None if text == "none" else self.colour(text)

    def fill(self, text: str) -> str | kinds.Linear | kinds.Radial | None:
        if not kinds.is_gradient(text):
            return self.paint(text)
        try:
            return kinds.gradient(text, self._colour_in_gradient)
        except _NotFoundError:
            raise
        except ValueError as error:
            raise _NotFoundError(f"the gradient “{cut(text)}” {error}") from None

    def _colour_in_gradient(self, text: str) -> str:
        try:
            return self.colour(text)
        except _NotFoundError:
            raise
        except ValueError:
            raise ValueError(f"has “{cut(text)}” where there must be {colours.EXPECTED}") from None

    def style(self, name: str) -> str:
        return self._known("style", name, self.templates.theme.styles)

    def icon(self, name: str) -> str:
        return self._known("icon", name, self.templates.icons)

    def picture(self, name: str) -> str:
        if self.folder is None:
            raise _NotFoundError(f"there is no folder for the picture “{cut(name)}”")
        try:
            return self.templates.picture(self.folder, name)
        except ValueError as error:
            raise _NotFoundError(str(error)) from None

    def _known(self, noun: str, name: str, names: Collection[str]) -> str:
        if name not in names:
            raise _NotFoundError(f"no {noun} “{cut(name)}”", (name, names))
        return name


class _NotFoundError(ValueError):
    """A name is well formed but does not exist."""

    def __init__(self, message: str, near: tuple[str, Iterable[str]] = ("", ())) -> None:
        super().__init__(message)
        self.near = near


# ---- combinations of attributes ---------------------------------------------------------------------------------


def _slot_once(check: Check, node: MarkupNode, attributes: Mapping[str, Any], parent: str) -> None:
    name = attributes.get("id")
    if isinstance(name, str) and check.slots.setdefault(name, node) is not node:
        check.bad(node, f"slot “{name}” appears twice", f"first on line {check.slots[name].line} as rendered")


def _line_or_rule(check: Check, node: MarkupNode, attributes: Mapping[str, Any], parent: str) -> None:
    ends = [name for name in _END_POINTS if name in attributes]
    if ends and len(ends) < len(_END_POINTS):
        missing = ", ".join(name for name in _END_POINTS if name not in attributes)
        check.bad(node, f"<line> has {', '.join(ends)} but not {missing}")
    elif ends and (sized := [name for name in ("width", "height", "grow") if name in attributes]):
        check.bad(node, f"<line> has two ends and “{sized[0]}”", "remove one of them")


def _one_size(check: Check, node: MarkupNode, attributes: Mapping[str, Any], parent: str) -> None:
    if "size" in attributes and ("width" in attributes or "height" in attributes):
        check.bad(node, f"<{node.tag}> has a “size” and a “width” or “height”", "remove one of them")


def _few_codes(check: Check, node: MarkupNode, attributes: Mapping[str, Any], parent: str) -> None:
    check.codes.append(len(str(attributes.get("text", ""))))
    if len(check.codes) > MAX_CODES or sum(check.codes) > MAX_CODE_CHARACTERS:
        check.bad(
            node, f"the face has more than {MAX_CODES} QR codes, or more than {MAX_CODE_CHARACTERS:,} letters in them"
        )


def _outermost(check: Check, node: MarkupNode, attributes: Mapping[str, Any], parent: str) -> None:
    if parent:
        check.bad(node, f"<face> is inside <{parent}>", "it must be the outermost element")


_Rule = Callable[[Check, MarkupNode, Mapping[str, Any], str], None]
_RULES: Mapping[str, tuple[_Rule, ...]] = {
    "face": (_outermost,),
    "slot": (_slot_once,),
    "line": (_line_or_rule,),
    "icon": (_one_size,),
    "qr": (_one_size, _few_codes),
}
_LOOK_UPS: Mapping[Kind, Callable[[Check, str], Any]] = {
    kinds.COLOUR: Check.colour,
    kinds.PAINT: Check.paint,
    kinds.FILL: Check.fill,
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
    """Builds a face by rendering `template` (a bare name: `card` is the file `card.xml.j2`) with `context`.

    Messages call the face `name` ("card 4"). `size` is the trim, `bleed` and `safe` are margins, all in mm. Pictures
    come from `folder`. Raises InputError, either with one problem and its line in the template, or with every problem
    in the markup, and their lines; a text of a card in a table is reported at its cell. Drafts have crossed boxes in
    place of pictures and icons that do not exist, and of a whole face with any other problem."""
    file, locate = template + SUFFIX, partial(templates.locate, template, context)
    card, columns = context.get("card"), context.get("columns")
    origin = None
    if isinstance(card, Card) and isinstance(columns, Columns) and card.place:
        origin = partial(columns.place_of, card.values, card.place)
    try:
        text = templates.render(template, context, name)
        file = templates.file(template)
        check = Check(markup.MarkupSource(name, file, text, locate, origin=origin), templates, folder)
        root = check.face(markup.parse(check.source))
    except InputError as error:
        if not templates.draft:
            raise
        crossed = missing({"grow": 1.0}, error.problems[0].message, error.problems)
        return Face(
            name, file, Element("face", {"padding": (safe + 1.0,) * 4}, (crossed,)), size, bleed=bleed, safe=safe
        )
    return Face(
        name,
        file,
        root,
        size,
        bleed=bleed,
        safe=safe,
        locate=locate,
        origin=origin,
    )
