"""Patterns: elements of faces with a mark in place of each value, which cards share.

The same markup is the same pattern, even on faces that differ elsewhere, and is parsed and checked once. Values in
running text, and those that only paint (a colour, the name of an icon or picture), are not part of a pattern: they are
read for each card. Other values are (a width, a condition, a loop): another value makes another pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any, TypeAlias, cast

from markupsafe import escape

from ..fast_dataclasses import NamedTuple, dataclass
from . import inline, markup
from .budget import MAX_CHARACTERS
from .check import MAX_CODE_CHARACTERS, MAX_CODES, Check
from .elements import ELEMENTS
from .face import Element, Piece, Words
from .marks import MARK, RICH
from .markup import EMPTY, MAX_ELEMENTS, PLAIN, Node, assembled, font_in, glyph_or_break, words_in
from .templates import Templates

MAX_INLINES = 1_000
"""The number of elements in texts, such as icons, that are remembered with their values."""
_MAX_ESCAPED = len("&#34;")
_PAINTS = ("fill", "stroke", "colour", "outline")
_ONLY_PAINT = {"icon": ("name", *_PAINTS), "image": ("file", *_PAINTS), "qr": ("text", "colour")}
"""Attributes that never affect the place of anything else; by default `_PAINTS`."""
Values: TypeAlias = tuple[str, ...]
"""The values of a card, in the order of their marks."""


class NotSharedError(Exception):
    """A card that shares nothing, because it is unusual or has a problem."""


class Content(NamedTuple):
    """What a text has around its marks: as markup, and as plain text unless that has tags. The marks with numbers in
    `names` are names of icons."""

    markup: tuple[str, ...]
    plain: tuple[str, ...]
    names: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Pattern:
    """An element with marks, in an element with the tag `parent`. Its `own` attributes contain marks but only paint;
    `own_marks` is their number, and `marks` that of the whole element with everything inside it; those of `children[i]`
    begin at number `starts[i]`. A text with marks may be `only` one mark, or have marks in the attributes of `inline`
    elements. `boxes`, `plans` and `painted` are for the layout to remember.
    """

    parent: str
    node: Node
    children: tuple[Pattern, ...]
    starts: tuple[int, ...]
    own: tuple[str, ...]
    own_marks: int
    marks: int
    content: Content | None = None
    only: bool = False
    inline: bool = False
    boxes: dict[Values, Any] = field(default_factory=dict)
    plans: dict[Any, Any] = field(default_factory=dict)
    painted: dict[Any, Any] = field(default_factory=dict)

    @property
    def is_gap(self) -> bool:
        """Whether it is a text with marks in its words."""
        return self.node.tag == "text" and self.marks > self.own_marks

    def filled(self, values: Values) -> str:
        """The content of a text with the values in it, like a single value; "" if a value could not have that content
        or has another effect there."""
        if not self.content:
            return ""
        markup, plain, names = self.content
        if plain and not any([value[0] == RICH for value in values]):
            return plain[0] + "".join([value + after for value, after in zip(values, plain[1:], strict=True)])
        if any([values[number][0] == RICH for number in names]):
            return ""
        written = [value[1:] if value[0] == RICH else str(escape(value)) for value in values]
        return RICH + markup[0] + "".join([value + after for value, after in zip(written, markup[1:], strict=True)])


@dataclass(slots=True, eq=False)
class FacePattern:
    """The pattern of a whole face, and how many elements, slots and QR codes it has."""

    root: Pattern
    elements: int
    slots: int
    codes: int
    length: int

    def check(self, values: Values) -> None:
        """Raises NotSharedError for a face that may exceed a limit."""
        text = "".join(values)
        if self.length + _MAX_ESCAPED * len(text) > MAX_CHARACTERS:
            raise NotSharedError
        if self.elements + (text.count("<") if RICH in text else 0) > MAX_ELEMENTS:
            raise NotSharedError
        if self.codes and self.length + len(text) > MAX_CODE_CHARACTERS:
            raise NotSharedError


@dataclass(slots=True, eq=False)
class _MarkedText:
    """A marked text that several cards share: the numbers of the values that are part of its patterns, those of the
    others, and its faces by the former. None stands for all values."""

    text: str
    fixed: tuple[int, ...]
    free: tuple[int, ...] | None
    faces: dict[Values, FacePattern] = field(default_factory=dict)

    def split(self, values: Values) -> tuple[Values, Values]:
        """The values that are part of patterns, and the others."""
        if self.free is None:
            return (), values
        return tuple([values[at] for at in self.fixed]), tuple([values[at] for at in self.free])


class Patterns:
    """The patterns of one component's templates: the same markup is the same pattern."""

    def __init__(self, templates: Templates, folder: Path | None) -> None:
        self.templates = templates
        self.folder = folder
        self._source = markup.Source("", "", "")
        self.texts: dict[tuple[str, ...], _MarkedText | None] = {}
        self._patterns: dict[Any, Pattern] = {}
        self._inlines: dict[tuple[object, ...], Mapping[str, str]] = {}
        self.made = 0

    def clear(self) -> None:
        self.texts.clear()
        self._patterns.clear()
        self.made = 0

    def face(self, parts: tuple[str, ...], values: Values) -> tuple[FacePattern, Values]:
        """The pattern of a marked text that consists of these parts, with the values that are part of it, and the other
        values. Raises NotSharedError if it cannot be shared."""
        if parts not in self.texts:
            self.texts[parts] = None
            self.texts[parts] = self._marked_text("".join(parts), values)
        text = self.texts[parts]
        if text is None:
            raise NotSharedError
        key, rest = text.split(values)
        face = text.faces.get(key)
        if face is None:
            face = text.faces[key] = self._face(text.text, values)[0]
        face.check(rest)
        return face, rest

    def _marked_text(self, text: str, values: Values) -> _MarkedText:
        """A new marked text with its first face."""
        face, kinds = self._face(text, values)
        fixed = tuple([number for number, is_free in enumerate(kinds) if not is_free])
        free = tuple([number for number, is_free in enumerate(kinds) if is_free]) if fixed else None
        marked = _MarkedText(text, fixed, free)
        marked.faces[marked.split(values)[0]] = face
        return marked

    def _face(self, text: str, values: Values) -> tuple[FacePattern, list[bool]]:
        """The pattern of a face, and for each of its values whether it is not part of the pattern. Raises
        NotSharedError for a mark outside attributes and texts."""
        node, kinds = markup.parse(markup.Source("", "", text)), list[bool]()
        if node.tag != "face" or "<![" in text or text.count(MARK) != len(values):
            raise NotSharedError
        _fill_in(node, values, kinds)
        codes = sum(1 for each in _nodes(node) if each.tag == "qr") if "<qr" in text else 0
        ids = [each.attributes.get("id") for each in _nodes(node) if each.tag == "slot"] if "<slot" in text else []
        if len(kinds) != len(values) or len(set(ids)) < len(ids) or codes > MAX_CODES:
            raise NotSharedError
        self.made += 1
        return FacePattern(self._pattern(node, ""), text.count("<"), len(ids), codes, len(text)), kinds

    def _pattern(self, node: Node, parent: str) -> Pattern:
        """The pattern of an element, whose markup is checked if it is new."""
        tag = ELEMENTS.get(node.tag)
        if tag is None:
            raise NotSharedError
        children: tuple[Pattern, ...] = ()
        if tag.holds != "text":
            children = tuple([self._pattern(part, node.tag) for part in node.content if isinstance(part, Node)])
            content: Any = children
            if any(isinstance(part, str) and part.strip() for part in node.content) or (
                children and tag.holds == "nothing"
            ):
                raise NotSharedError
        else:
            content = _key(node)[2:]
        key = parent, node.tag, *node.attributes.items(), content
        pattern = self._patterns.get(key)
        if pattern is None:
            pattern = self._patterns[key] = _pattern(node, parent, children)
            self.made += 1
        return pattern

    def element(self, pattern: Pattern, own: Values) -> Element:
        """The element of a pattern with the values of its own attributes, without the children of an element with
        marks. Raises NotSharedError for a problem."""
        node = pattern.node
        if own:
            node = Node(node.tag, dict(node.attributes), 0, node.content)
            values = iter(own)
            for name in pattern.own:
                node.attributes[name] = _filled(node.attributes[name], values)
        check = self._check()
        if pattern.inline or (pattern.marks and node.tag != "text"):
            element = Element(node.tag, check.attributes(node, ELEMENTS[node.tag], pattern.parent))
        else:
            element = check.element(_copied(node), pattern.parent)
            if pattern.is_gap:
                element = replace(element, pieces=())
        _refuse(check)
        return element

    def pieces(self, pattern: Pattern, values: Values) -> tuple[Piece, ...]:
        """The pieces of a text with the values in its content. Raises NotSharedError, or ValueError if a value is not
        running text."""
        return assembled(self._pieces(pattern.node, iter(values), PLAIN))

    def _pieces(self, node: Node, values: Iterator[str], font: Words) -> Iterator[Piece]:
        for part in node.content:
            if isinstance(part, str):
                first, *others = part.split(MARK)
                yield words_in(first, font)
                for other in others:
                    yield from _value(next(values), font)
                    yield words_in(other, font)
            else:
                attributes = self._inline(part, values)
                if part.tag in EMPTY:
                    yield glyph_or_break(part.tag, attributes.get("name", ""), font)
                else:
                    yield from self._pieces(part, values, font_in(part.tag, font, attributes))

    def _inline(self, part: Node, values: Iterator[str]) -> Mapping[str, str]:
        """The checked attributes of an element in a text, with their values."""
        attributes = {name: _filled(text, values) for name, text in part.attributes.items()}
        key = part.tag, *attributes.items(), not part.content
        checked = self._inlines.get(key)
        if checked is None:
            node, check = Node(part.tag, attributes, 0, [" "] if part.content else []), self._check()
            check.element(Node("text", {}, 0, [node]), "column")
            _refuse(check)
            if len(self._inlines) >= MAX_INLINES:
                self._inlines.clear()
            checked = self._inlines[key] = node.attributes
        return checked

    def _check(self) -> Check:
        return Check(self._source, self.templates, self.folder)


def _refuse(check: Check) -> None:
    """Raises NotSharedError if a check found a problem."""
    if check.problems or check.missing:
        raise NotSharedError


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for part in node.content:
        if isinstance(part, Node):
            yield from _nodes(part)


def _key(node: Node) -> tuple[Any, ...]:
    """What two equal nodes have in common."""
    content = [part if isinstance(part, str) else _key(part) for part in node.content]
    return node.tag, tuple(node.attributes.items()), *content


def _copied(node: Node) -> Node:
    content = [part if isinstance(part, str) else _copied(part) for part in node.content]
    return Node(node.tag, dict(node.attributes), 0, content)


def _fill_in(node: Node, values: Values, kinds: list[bool], *, inline: bool = False) -> None:
    """Writes the values that are part of a pattern into a node. Adds to `kinds`, for each value, whether it is not,
    because it does not affect the place of anything but texts. An `inline` node is part of a text."""
    only_paint = _ONLY_PAINT.get(node.tag, _PAINTS)
    for name, text in node.attributes.items():
        if MARK in text:
            first, is_free = len(kinds), inline or name in only_paint
            kinds += [is_free] * text.count(MARK)
            if not is_free:
                node.attributes[name] = _filled(text, iter(values[first:]))
    for part in node.content:
        if isinstance(part, str):
            kinds += [True] * part.count(MARK)
        else:
            _fill_in(part, values, kinds, inline=inline or node.tag == "text")


def _filled(text: str, values: Iterator[str]) -> str:
    """The text of an attribute with its values. Raises NotSharedError if one of them is markup."""
    first, *others = text.split(MARK)
    return first + "".join([_attribute(next(values)) + other for other in others])


def _attribute(value: str) -> str:
    if value.startswith(RICH):
        if "<" in value:
            raise NotSharedError
        value = inline.unescaped(value[1:])
    return value if value.isprintable() else re.sub("\r\n|[\t\r\n]", " ", value)


def _pattern(node: Node, parent: str, children: tuple[Pattern, ...]) -> Pattern:
    own = tuple([name for name, text in node.attributes.items() if MARK in text])
    own_marks = sum([node.attributes[name].count(MARK) for name in own])
    starts, marks = list[int](), own_marks
    for child in children:
        starts.append(marks)
        marks += child.marks
    inline = False
    if node.tag == "text":
        inner = [each for part in node.content if isinstance(part, Node) for each in _nodes(part)]
        texts = [part for each in (node, *inner) for part in each.content if isinstance(part, str)]
        inline_marks = sum([text.count(MARK) for each in inner for text in each.attributes.values()])
        marks += sum([text.count(MARK) for text in texts]) + inline_marks
        inline = inline_marks > 0
    pattern = Pattern(parent, node, children, tuple(starts), own, own_marks, marks, inline=inline)
    if pattern.is_gap:
        pattern.content = _content(node)
        pattern.only = pattern.content is not None and pattern.content.plain == ("", "")
    return pattern


def _content(node: Node) -> Content | None:
    """The content of a text; None if it has elements or attributes that values cannot have."""
    written = [_written(part) for part in node.content]
    if None in written:
        return None
    markup = "".join(cast("list[str]", written)).strip(" ")
    between = tuple(markup.split(MARK))
    names = tuple([number for number, before in enumerate(between[:-1]) if before.endswith('"')])
    return Content(between, () if "<" in markup else tuple(map(inline.unescaped, between)), names)


def _written(part: str | Node) -> str | None:
    """Part of a text as the markup that a value would have, or None."""
    if isinstance(part, str):
        return str(escape(words_in(part, PLAIN).text))
    name, inner = part.attributes.get("name", ""), [_written(each) for each in part.content]
    if part.tag == "icon" and len(part.attributes) == 1 and not inner and (MARK not in name or name == MARK):
        return f'<icon name="{name}"/>'
    if part.tag not in inline.TAGS or part.attributes or None in inner:
        return None
    return f"<{part.tag}>{''.join(cast('list[str]', inner))}</{part.tag}>" if part.tag != "br" else "<br/>"


def _value(value: str, font: Words) -> Iterable[Piece]:
    """The raw pieces of a value in a text set in this font. Raises ValueError if a tag is not closed."""
    return inline.raw_pieces(value[1:], font) if value.startswith(RICH) else (words_in(value, font),)
