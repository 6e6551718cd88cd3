"""Reads YAML into nodes that record their lines, within limits that hostile input cannot exceed.

Nodes are strings, lists and dictionaries, each with its place. Values stay as written (`no`, `010` and `1:30` are
strings until a declared type says otherwise), so that definitions and filled-in sheets share one reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, cast

import yaml
from msgspec import Struct, field
from msgspec.structs import replace

from . import limits
from .errors import InputError, Place, Problem, fault, refuse, shortened
from .spelling import invisible_character, joined

_QUOTES = ("'", '"', "|", ">")
# The line breaks of YAML 1.1 (section 4.2), which the lines of marks count.
_LINE_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Scalar(str):
    """A value as written; `quoted` distinguishes `""` from an absent value. `column` is that of its first character, or
    0 if it is not known."""

    __slots__ = ("column", "place", "quoted")
    place: Place
    quoted: bool
    column: int

    def __new__(cls, text: str, place: Place, quoted: bool = False, column: int = 0) -> Scalar:
        scalar = super().__new__(cls, text)
        scalar.place, scalar.quoted, scalar.column = place, quoted, column
        return scalar

    def __getnewargs__(self) -> Any:
        return self.text, self.place, self.quoted, self.column

    def at(self, offset: int) -> Place:
        """The place of one of its characters."""
        return replace(self.place, column=self.column + offset) if self.column else self.place

    @property
    def text(self) -> str:
        return str(self)

    @property
    def blank(self) -> bool:
        """Whether the value is blank: `.`, `~`, `""`, no text at all, or JSON's `null`."""
        return self in ("", ".", "~") or (self == "null" and not self.quoted)


class Listing(list[Any]):
    """A list; `weight` is the number of values in it, counting those that aliases repeat."""

    __slots__ = ("place", "weight")

    def __init__(self, entries: Iterable[Node], place: Place, weight: int = 1) -> None:
        super().__init__(entries)
        self.place, self.weight = place, weight

    @property
    def entries(self) -> list[Node]:
        return self


class Mapping(dict[Any, Any]):
    """A mapping. Its keys are Scalars, so they have places too; look them up with plain strings."""

    __slots__ = ("place", "weight")

    def __init__(self, pairs: Iterable[tuple[Scalar, Node]], place: Place, weight: int = 1) -> None:
        super().__init__(pairs)
        self.place, self.weight = place, weight

    @property
    def pairs(self) -> list[tuple[Scalar, Node]]:
        return [*self.items()]


Node: TypeAlias = Scalar | Listing | Mapping


def from_plain(value: Any, place: Place) -> Any:
    """Converts plain data to nodes that all have the same place; returns nodes unchanged."""
    if isinstance(value, Scalar | Listing | Mapping):
        return value
    if isinstance(value, dict):
        return Mapping([(Scalar(key, place), from_plain(inner, place)) for key, inner in value.items()], place)
    if isinstance(value, list):
        return Listing([from_plain(entry, place) for entry in value], place)
    return Scalar(value, place, True) if isinstance(value, str) else Scalar(JSON_WORDS[value], place)


JSON_WORDS = {None: "null", True: "true", False: "false"}


def place_at(node: Node | None, path: Iterable[str | int]) -> Place | None:
    """The place of the node at `path` (keys and list indices), or of the deepest node on that path that exists."""
    place = None
    for step in path:
        if isinstance(node, Mapping):
            key, node = next(((key, inner) for key, inner in node.items() if key == step), (None, None))
            place = place if key is None else key.place
        elif isinstance(node, Listing) and isinstance(step, int) and step < len(node):
            node = node[step]
            place = node.place
        else:
            break
    return place


class _Composer(Struct):
    """Builds nodes from the events of a YAML stream, counting them so that an alias bomb cannot expand."""

    file: str
    events: Iterator[Any]
    first_line: int = 1
    lines: list[str] = field(default_factory=list)
    """The lines of the stream, if texts of several lines keep their line breaks."""
    anchors: dict[str, Node] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    budget: int = limits.YAML_VALUES
    last: Place = Place("")

    def place(self, event: Any) -> Place:
        line = event.start_mark.line + self.first_line
        if line != self.last.line:
            self.last = Place(self.file, line)
        return self.last

    def spend(self, weight: int, event: Any) -> None:
        self.budget -= weight
        if self.budget < 0:
            raise fault(
                f"this document has more than {limits.YAML_VALUES:,} values",
                self.place(event),
                "an alias (*name) counts each time it is used",
            )

    def node(self, event: Any, depth: int) -> Node:
        if depth > limits.YAML_DEPTH:
            raise fault(f"nested more than {limits.YAML_DEPTH} levels deep", self.place(event))
        if isinstance(event, yaml.AliasEvent):
            target = self.anchors.get(event.anchor or "")
            if target is None:
                raise fault(f"alias *{shortened(event.anchor)} has no anchor before it", self.place(event))
            self.spend(getattr(target, "weight", 1), event)
            return target
        self.spend(1, event)
        node: Node
        if isinstance(event, yaml.ScalarEvent):
            quoted = event.style in _QUOTES
            start, end = cast(Any, event.start_mark), cast(Any, event.end_mark)
            column = start.column + 1 + quoted if end.line == start.line else 0
            text = event.value if column or quoted or not self.lines else self._as_typed(start, end)
            node = Scalar(text, self.place(event), quoted, column)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self._listing(event, depth)
        else:
            node = self._mapping(event, depth)
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def _as_typed(self, start: Any, end: Any) -> str:
        """A text of several lines without quotation marks. YAML joins its lines."""
        first, *others = self.lines[start.line : end.line + 1]
        if others:
            others[-1] = others[-1][: end.column]
        return "\n".join(filter(None, map(str.strip, [first[start.column :], *others])))

    def _listing(self, event: Any, depth: int) -> Listing:
        budget_before, entries = self.budget, []
        while not isinstance(inner := next(self.events), yaml.SequenceEndEvent):
            entries.append(self.node(inner, depth + 1))
        return Listing(entries, self.place(event), 1 + budget_before - self.budget)

    def _mapping(self, event: Any, depth: int) -> Mapping | Listing:
        budget_before = self.budget
        pairs: dict[Scalar, Node] = {}
        alone, again = list[Scalar](), list[Scalar]()
        while not isinstance(inner := next(self.events), yaml.MappingEndEvent):
            key, value = self.node(inner, depth + 1), next(self.events)
            if not isinstance(key, Scalar):
                raise fault(
                    "a list or mapping cannot be a key", key.place, "put quotes around a text with a comma or brackets"
                )
            again += [key] * (key in pairs)
            alone += [key] * (event.flow_style and bool(self.lines) and self._has_no_colon(inner, value))
            pairs[key] = self.node(value, depth + 1)
        weight = 1 + budget_before - self.budget
        if alone and len(alone) == len(pairs) + len(again):
            return Listing(alone, self.place(event), weight)
        for key in again:
            first = next(other for other in pairs if other == key).place.line
            self.problems.append(Problem(f"key “{shortened(key)}” appears twice", key.place, f"first on line {first}"))
        if alone:
            keys = joined([f"“{shortened(key)}”" for key in alone])
            message = f"{keys} {'has' if len(alone) == 1 else 'have'} no “:” in these braces"
            tick = "" if alone[0][:1].isdigit() else f"type “{shortened(alone[0])}: x” to tick a box; "
            hint = f"{tick}a list needs square brackets, a text with a comma needs quotes"
            self.problems.append(Problem(message, alone[0].place, hint))
        return Mapping(pairs.items(), self.place(event), weight)

    def _has_no_colon(self, key: Any, value: Any) -> bool:
        """Whether a key in braces stands alone, which YAML takes for a key with a blank: `{card: 7, flipped}`."""
        start, end = key.end_mark, value.start_mark
        rest = self.lines[start.line][start.column : end.column if end.line == start.line else None]
        return getattr(value, "value", "-") == "" and value.style not in _QUOTES and ":" not in rest


def documents(text: str, file: str, first_line: int = 1, keep_lines: bool = False) -> Iterator[Node | InputError]:
    """Yields the documents of a YAML stream; `first_line` is the line number in the file of the first line of `text`.
    With `keep_lines`, as on a sheet, texts without quotation marks keep their line breaks, and braces with nothing but
    keys are a list.

    A syntax error or an exceeded limit is yielded as an InputError and ends the stream: to continue would do the work
    that the limits exist to prevent.
    """
    events, lines = yaml.parse(text, _Loader), _LINE_BREAK.split(text) if keep_lines else []
    try:
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                composer = _Composer(file, events, first_line, lines)
                node = composer.node(next(events), 0)
                refuse(composer.problems)
                yield node
    except yaml.YAMLError as error:
        yield InputError([_syntax(error, text, file, first_line)])
    except InputError as error:
        yield error


UNREADABLE = "not readable as YAML"
"""The beginning of every message about broken syntax."""

# Part of libyaml's message → what is wrong, in plain English, and how to fix it.
_SYNTAX = {
    "mapping values are not allowed": (
        "a “:” is not allowed here",
        "align the keys of one level, and quote any text that contains “: ”",
    ),
    "unexpected end of stream": ("a quotation mark is not closed", "add the closing one"),
    "expected ',' or ']'": (
        "a “[” is not closed, or a comma is missing after a value",
        "quote a value that contains a comma, a bracket or a quotation mark",
    ),
    "expected ',' or '}'": (
        "a “{” is not closed, or a comma is missing after a value",
        "quote a value that contains a comma, a bracket or a quotation mark",
    ),
    "expected node content": ("“{character}” instead of a value", "quote text that begins with it"),
    "expected key": (
        "this line does not continue the one above",
        "indent the keys of one level equally, and put quotes around the whole text",
    ),
    "could not find expected ':'": ("this line has no “:”", "write “key: value”"),
    "expected '-' indicator": ("a line between list entries has no “-”", "begin each entry with “- ”"),
    "block sequence entries are not allowed": (
        "a list cannot begin here",
        "begin each entry with “- ” on a line of its own, or quote text that begins with “-”",
    ),
    "unknown escape": ("unknown escape after “\\”", "write “\\\\” for a backslash, or use single quotes"),
    "alphabetic or numeric": ("this text begins with “&” or “*”", "quote it"),
    "tag handle": ("this text begins with “!”", "quote it"),
    "unknown directive": ("this line begins with “%”", "quote the text"),
    "comment or line break": ("there is text on the same line as “|” or “>”", "begin it on the next line"),
}
_UNKNOWN_SYNTAX = (
    "this line or the one above it breaks off or does not fit",
    "indent the keys of one level equally, close every bracket, and put quotes around text with other signs",
)
# A line without a colon that shows where it belongs: `Turn 1 Ann 5`, `players = Ann, Ben`.
_KEY_AND_VALUE = re.compile(r"\s*(?:([A-Za-z]+ ?[0-9]+)[.)]? +(\S.*)|([A-Za-z][A-Za-z ]*?) *[=：;–—] *(\S.*))")
# Problems that libyaml reports far below the line that causes them.
_REPORTED_TOO_LATE = ("unexpected end of stream", "could not find expected ':'")


def _syntax(error: yaml.YAMLError, text: str, file: str, first_line: int) -> Problem:
    reason = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    mark, start = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    if start and any(problem in reason for problem in _REPORTED_TOO_LATE):
        mark = start
    line = mark.line if mark else text.count("\n", 0, getattr(error, "position", 0))
    line_text = text.split("\n", line + 1)[line] if text.count("\n") >= line else ""
    character = line_text[mark.column : mark.column + 1] if mark else ""
    if "cannot start any token" in reason:
        is_tab = character == "\t"
        message = "this line is indented with a tab" if is_tab else f"this value begins with “{character}”"
        hint = "indent with spaces" if is_tab else "quote it"
    elif "control characters" in reason:
        message, hint = f"an invisible character: {invisible_character(line_text) or 'control character'}", "delete it"
    else:
        message, hint = next((words for part, words in _SYNTAX.items() if part in reason), _UNKNOWN_SYNTAX)
        if not character and "{character}" in message:
            message, hint = "a value is missing at the end", "close it with “]” or “}”"
        message = message.replace("{character}", shortened(character))
        if hint == "write “key: value”" and (parts := _KEY_AND_VALUE.match(line_text)):
            hint = f"write “{parts[1] or parts[3]}: {shortened(parts[2] or parts[4])}”"
    return Problem(f"{UNREADABLE}: {message}", Place(file, line + first_line), hint)


def document(text: str, file: str, first_line: int = 1) -> Node:
    """The only document of a definition file; raises InputError."""
    results = list(islice(documents(text, file, first_line), 2))
    if not results:
        raise fault("the file is empty", Place(file, first_line))
    if isinstance(results[0], InputError):
        raise results[0]
    if len(results) > 1:
        raise (
            results[1]
            if isinstance(results[1], InputError)
            else fault("this file has a second document (---)", results[1].place)
        )
    return results[0]


# A character above U+FFFF, as JSON escapes it (RFC 8259, section 7) and YAML does not.
_SURROGATES = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")


def json_document(text: str, file: str) -> Node:
    """The content of a JSON file, which is YAML but for one kind of escape; raises InputError."""
    try:
        return document(_SURROGATES.sub(_joined, text), file)
    except InputError as error:
        problems = [
            replace(problem, message=problem.message.replace(UNREADABLE, "not readable as JSON"))
            for problem in error.problems
        ]
        raise InputError(problems) from None


def _joined(match: re.Match[str]) -> str:
    return match[1] + bytes.fromhex(match[2] + match[3]).decode("utf-16-be")


def read_text(path: Path, shown: str | None = None, max_bytes: int = limits.TEXT_BYTES) -> str:
    """The UTF-8 text of a file of at most `max_bytes` bytes; raises InputError."""
    name = shown or str(path)
    return decode(read_bytes(path, name, max_bytes), name)


def read_bytes(path: Path, name: str, max_bytes: int = limits.TEXT_BYTES) -> bytes:
    """The content of a file of at most `max_bytes` bytes; raises InputError."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(max_bytes + 1)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(name)) from error
    if len(raw) > max_bytes:
        raise fault(f"larger than {max_bytes / 1e6:g} MB", Place(name))
    return raw


def decode(raw: bytes, name: str) -> str:
    """Decodes UTF-8; raises InputError with the line of the first byte that is not UTF-8."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise fault("not UTF-8 text", Place(name, line), "save the file as UTF-8") from error
    if "\0" in text:
        raise fault("not a text file", Place(name, text.count("\n", 0, text.index("\0")) + 1))
    return text


# ---- plain values

_INTEGER = re.compile(r"-?\d+")
_DECIMAL = re.compile(r"-?\d+\.\d+")


def plain(node: Node) -> Any:
    """Converts a node to plain Python values: int, float, bool, str, None, tuple, read-only mapping."""
    if isinstance(node, Scalar):
        return _scalar(node)
    if isinstance(node, Listing):
        return tuple(map(plain, node.entries))
    return MappingProxyType({key.text: plain(value) for key, value in node.pairs})


def _scalar(node: Scalar) -> Any:
    if node.quoted:
        return node.text
    if node.blank:
        return None
    if _INTEGER.fullmatch(node.text) and len(node.text) < 16:
        return int(node.text)
    if _DECIMAL.fullmatch(node.text):
        return float(node.text)
    return {"true": True, "false": False}.get(node.text, node.text)
