"""Builds a face from a template: renders it, parses the XML, reads the attributes, and looks up colours, styles, icons
and pictures. Reports all problems together.

`Reader` reads faces that have markup in common with other faces: each new tag is parsed and checked once. This is the
same reading as `markup.parse` and `Check.face`, tag by tag, for faces without problems. Anything else is refused with
`UnusualError`; then the face is read as a whole, and its problems get their lines.
"""

from __future__ import annotations

import re
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
from .face import ELEMENTS, INLINE, Element, Face, Piece, Tag, missing
from .kinds import Kind
from .markup import (
    EMPTY,
    MAX_DEPTH,
    MAX_ELEMENTS,
    PLAIN,
    MarkupNode,
    MarkupSource,
    assembled,
    cut,
    font_in,
    glyph_or_break,
    words_in,
)
from .templates import SUFFIX, Templates

_MAX_PROBLEMS = 20
MAX_CODES, MAX_CODE_CHARACTERS = 200, 10_000
"""The largest number of QR codes on a face, and of the characters in all of them: codes take time."""
_ART = {"image": "file", "icon": "name"}  # elements that show a picture or an icon, with the attribute that names it
_MAX_LABEL = 60
_NO_PICTURES = "no such pictures in the game’s folder, for example “{}”"
_END_POINTS = ("x1", "y1", "x2", "y2")
_FLOWS = ("face", "column", "row")
_BAD: Any = object()  # stands for a value that could not be read; its problem has been reported
MAX_ELEMENTS_KEPT = 2_000
_TAG = re.compile("(<[^<>]*>)")
_ESCAPED = re.compile("&(#39|#34|amp|lt|gt);")
_SIGNS = {"#39": "'", "#34": '"', "amp": "&", "lt": "<", "gt": ">"}  # what is escaped in values
_WHITE = " \t\r\n"
_COUNTED = ("slot", "qr")  # elements that are limited or unique on their face


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
