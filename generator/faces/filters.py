"""Filters, tests and operators for templates. `rich` turns `**bold**`, `*italic*`, `:icon-name:` and line breaks into
markup; the others limit the size of their results."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, wraps
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn
from unicodedata import east_asian_width

from jinja2 import Undefined
from jinja2.environment import Environment
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.runtime import Macro
from jinja2.tests import TESTS
from jinja2.utils import pass_environment
from markupsafe import Markup, escape

from .. import spelling
from ..errors import did_you_mean
from ..model.colours import NAMES, channels, find, is_notation, parsed
from .budget import (
    MAX_BITS,
    MAX_WEIGHT,
    Budget,
    TooMuchError,
    check_bits,
    check_weight,
    weight,
)

# Begins with a character class of all first characters, which is much faster to search for than alternatives.
_TOKEN = re.compile(
    r"[\\*:\r\n[](?:(?<=\\)([\\*:[])|(?<=\*)(\**)|(?<=:)(?<![A-Za-z]:)([A-Za-z][A-Za-z0-9_-]*):|(?<=\r)\n?|(?<=\n)"
    r"|(?<=\[)([^][{}\r\n]+)\]\{([#A-Za-z][\w #-]*)\})"
)
_MARKS = "*:\\\n\r["
_TAGS = {1: "i", 2: "b"}


class _Writer:
    """Collects the markup. `open` holds the index in `parts` and the width (1 or 2) of each unclosed mark."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.open: list[tuple[int, int]] = []

    def marks(self, width: int, opens: bool, closes: bool) -> None:
        """Handles a run of `width` stars: closes marks, then opens new ones."""
        while width and closes and (index := self._closable(width)) is not None:
            width -= self._close(index)
        if opens and 0 < width <= 3:
            for part in (2, 1):
                if width >= part and part not in (open_width for _, open_width in self.open):
                    self.open.append((len(self.parts), part))
                    self.parts.append("*" * part)
                    width -= part
        self.parts.append("*" * width)

    def _closable(self, width: int) -> int | None:
        """The index in `open` of the mark that a run of `width` stars closes: one of that width, or else the
        innermost narrower one."""
        widths = [part for _, part in self.open]
        if width in widths:
            return widths.index(width)
        return next((index for index in reversed(range(len(widths))) if widths[index] < width), None)

    def _close(self, index: int) -> int:
        """Closes the mark at that index in `open`. Marks opened after it are unmatched and stay stars."""
        start, width = self.open[index]
        del self.open[index:]
        self.parts[start] = f"<{_TAGS[width]}>"
        self.parts.append(f"</{_TAGS[width]}>")
        return width


def rich(value: object) -> Markup:
    """Converts text with marks to safe markup. None becomes an empty text; markup is returned unchanged."""
    if isinstance(value, Markup):
        return value
    text = "" if value is None else str(value)
    return Markup(_converted(str(escape(text)))) if any([mark in text for mark in _MARKS]) else escape(text)


def _converted(text: str) -> str:
    """The markup of an escaped text."""
    writer, done = _Writer(), 0
    for match in _TOKEN.finditer(text):
        writer.parts.append(text[done : match.start()])
        done = match.end()
        kind = match.lastindex
        if kind == _STARS:
            before, after = text[match.start() - 1 : match.start()], text[done : done + 1]
            writer.marks(done - match.start(), opens=bool(after.strip()), closes=bool(before.strip()))
        else:
            writer.parts.append(_markup(match, kind))
    writer.parts.append(text[done:])
    return "".join(writer.parts)


_ESCAPED, _STARS, _ICON = 1, 2, 3


def _markup(match: re.Match[str], kind: int | None) -> str:
    """The markup for marks other than stars."""
    if kind is None:
        return "<br/>"
    if kind == _ESCAPED:
        return match[_ESCAPED]
    if kind == _ICON:
        return f'<icon name="{match[_ICON]}"/>'
    _, _, _, words, looks = match.groups()
    tags = [
        ("u", "u") if look == "underline" else ("s", "s") if look == "strike" else (f'span colour="{look}"', "span")
        for look in looks.split()
    ]
    opening, closing = [f"<{start}>" for start, _ in tags], [f"</{end}>" for _, end in reversed(tags)]
    return "".join([*opening, _converted(words), *closing])


# ---- filters for macros


class TextExtent(NamedTuple):
    """What decides how much room a text takes, roughly: its length, that of its longest word, and its line breaks.
    Wide characters, such as Chinese ones, count twice, and lines may break between them."""

    length: int
    word: int
    breaks: int


def extent(value: Any) -> TextExtent:
    """The extent of a text, or of a value as text. An extent stays itself."""
    if isinstance(value, TextExtent):
        return value
    text, wide = as_text(value), 0
    words = text.split()
    if text and max(text) > "\u2e7f":
        wide = sum(east_asian_width(letter) in "WF" for letter in text)
        words = "".join("  " if east_asian_width(letter) in "WF" else letter for letter in text).split() or ["  "]
    return TextExtent(len(text) + wide, max(map(len, words), default=0), text.count("\n"))


class RefusedError(ValueError):
    """A macro refuses its arguments: the message gives the line of the call, not of the macro."""


def sin(degrees: float) -> float:
    """The sine of an angle in degrees: `30 | sin` is 0.5."""
    return math.sin(math.radians(degrees))


def cos(degrees: float) -> float:
    """The cosine of an angle in degrees: `60 | cos` is 0.5."""
    return math.cos(math.radians(degrees))


def refuse(message: Any) -> NoReturn:
    """Rejects the face with this message."""
    raise RefusedError(as_text(message))


# ---- filters for templates

Filter = Callable[..., Any]

_JINJA = (
    *("abs", "capitalize", "d", "default", "dictsort", "e", "escape", "first", "float", "groupby", "int", "items"),
    *("last", "length", "count", "lower", "map", "max", "min", "reject", "rejectattr", "safe", "select", "selectattr"),
    *("sort", "title", "trim", "unique", "upper"),
)
_TEXT_FILTERS = frozenset(("capitalize", "e", "escape", "lower", "safe", "title", "trim", "upper"))
_MAX_FORMAT = 1_000
_FORMAT = r"%(?:\([^)]*\))?[-+ #0]*(\*|\d*)(?:\.(\*|\d*))?"
_SPECIAL = re.compile("[&<>\"']")
_STEPS = 8  # the steps that each filter or test costs, besides those for its result


def as_text(value: Any) -> str:
    """Converts a value to text for markup; raises TypeError if it has no plain text form."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _decimal(value)
    if isinstance(value, Undefined | int):
        return str(value)
    if isinstance(value, Iterable | type | Macro) or callable(value) or not _has_text_form(value):
        raise TypeError(f"a {type(value).__name__} cannot be written as text; join it or name one of its values")
    return str(value)


def _has_text_form(value: Any) -> bool:
    """Whether the value's class defines its text form."""
    method: Any = type(value).__str__
    return method is not object.__str__


def _decimal(number: float) -> str:
    """A number with at most six decimals and no exponent, as markup requires."""
    if number != number or abs(number) > 1e15:
        raise TypeError(f"the number {number} cannot be written as text")
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Guarded:
    """Operators and filters that check the size of a result before building it."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.bounded = budget.bounded

    # ---- operators ------------------------------------------------------------------------------------------------

    def arithmetic(self, sign: str, left: Any, right: Any) -> Any:
        """`left sign right`, unless the result would be too large. With a number that has decimals it is always small,
        and costs no more than a name."""
        if (type(left) is float or type(right) is float) and sign != "%":
            return _OPERATORS[sign](left, right)
        self.budget.spend()
        if sign == "%" and isinstance(left, str):
            return self.formatted(left, right)
        self._check_size(sign, left, right)
        return self.budget.bounded(_OPERATORS[sign](left, right))

    def _check_size(self, sign: str, left: Any, right: Any) -> None:
        if isinstance(left, int) and isinstance(right, int):
            _check_bits(sign, left, right)
        elif sign == "*":
            self._check_repetition(left, right) if isinstance(right, int) else self._check_repetition(right, left)
        elif sign == "+" and isinstance(left, str) and isinstance(right, str):
            self.budget.text(len(left) + len(right))

    def _check_repetition(self, value: Any, times: Any) -> None:
        if isinstance(value, str | bytes):
            self.budget.text(len(value) * max(0, times))
        elif isinstance(value, list | tuple):
            check_weight(weight(value) * max(1, times))

    def counted(self, values: Iterable[Any] | None, steps: int) -> Iterable[Any]:
        """The values of a `for` loop; each iteration spends `steps`. None (an absent list) gives no values."""
        if values is None:
            return ()
        if type(values) is tuple or type(values) is list:
            self.budget.spend(steps * len(values))
            return values
        return self._one_by_one(values, steps)

    def _one_by_one(self, values: Iterable[Any], steps: int) -> Iterator[Any]:
        spend = self.budget.spend
        for value in values:
            spend(steps)
            yield value

    def compared(self, result: Any) -> Any:
        """Spends the steps for a comparison and returns its result."""
        self.budget.spend(_STEPS)
        return result

    def written(self, value: Any) -> str:
        """The output of `{{ … }}`: text, escaped unless it is markup."""
        text = as_text(value)
        if not isinstance(text, Markup) and _SPECIAL.search(text):
            text = escape(text)
        self.budget.text(len(text))
        return text

    def range(self, *bounds: int) -> range:
        numbers = range(*bounds)
        if numbers and (abs(numbers[-1] - numbers[0]) // abs(numbers.step)) >= MAX_WEIGHT:
            raise TooMuchError(f"counts beyond {MAX_WEIGHT:,}")
        return numbers

    # ---- filters --------------------------------------------------------------------------------------------------

    def formatted(self, text: str, arguments: Any) -> str:
        """`text % arguments`. Only plain values are allowed, because `%r` would reveal Python's internals."""
        _check_pattern(text)
        values = arguments.values() if isinstance(arguments, Mapping) else arguments
        for value in values if isinstance(arguments, Mapping | tuple) else (arguments,):
            _check_plain(value)
        self.budget.text(text.count("%") * 16 * weight(arguments))
        result: str = self.budget.bounded(text % arguments)
        return result

    def format(self, value: str, *arguments: Any, **named: Any) -> str:
        """`"%02d" | format(n)`."""
        return self.formatted(value, named or arguments)

    def replace(self, value: Any, old: str, new: str) -> str:
        text, old, new = as_text(value), as_text(old), as_text(new)
        if isinstance(value, Markup):
            text, old, new = value, escape(old), escape(new)
        self.budget.text(len(text) + text.count(old) * len(new))
        return text.replace(old, new)

    def join(self, value: Iterable[Any], between: Any = "", attribute: str | None = None) -> str:
        self.budget.spend(_STEPS)
        values = value if isinstance(value, list) else self.budget.collected(iter(value))
        parts = [part if isinstance(part, Markup) else as_text(part) for part in values]
        glue = between if isinstance(between, Markup) else as_text(between)
        marked = isinstance(glue, Markup) or any(isinstance(part, Markup) for part in parts)
        if marked:
            parts, glue = [escape(part) for part in parts], escape(glue)
        self.budget.text(sum(map(len, parts)) + len(glue) * len(parts))
        return Markup(glue).join(parts) if marked else glue.join(parts)

    def batch(self, value: Iterable[Any], count: int, fill: Any = None) -> list[list[Any]]:
        """Rows of `count` values; the last one is padded with `fill` if given."""
        return _rows(self.budget.collected(iter(value)), _checked_count(count), fill)

    def slice(self, value: Iterable[Any], count: int) -> list[list[Any]]:
        """`count` lists of nearly equal length, the longer ones first."""
        items = self.budget.collected(iter(value))
        length, longer = divmod(len(items), _checked_count(count))
        starts = [index * length + min(index, longer) for index in range(count + 1)]
        return [items[start:end] for start, end in pairwise(starts)]

    def list(self, value: Iterable[Any]) -> list[Any]:
        return self.budget.collected(iter(value))

    def reverse(self, value: Any) -> Any:
        return value[::-1] if isinstance(value, str) else self.list(value)[::-1]

    def round(self, value: float, decimals: int = 0) -> float:
        return round(value, _checked_count(decimals, 0, 9)) if decimals else round(value)


def _check_plain(value: Any) -> None:
    """Raises TypeError for values other than text and numbers."""
    if isinstance(value, Undefined):
        str(value)  # raises an error that names it
    if value is not None and not isinstance(value, str | int | float):
        raise TypeError(f"a {type(value).__name__} cannot be formatted; name one of its values")


@lru_cache(maxsize=100)
def _check_pattern(text: str) -> None:
    if len(text) > _MAX_FORMAT:
        raise TooMuchError(f"formats with a pattern of more than {_MAX_FORMAT:,} characters")
    widths = [width for match in re.finditer(_FORMAT, text) for width in match.groups()]
    if any(width == "*" or len(width or "") > 2 for width in widths):
        raise TooMuchError("formats to a width of more than 99")


def _check_bits(sign: str, left: int, right: int) -> None:
    bits = max(left.bit_length(), right.bit_length())
    if sign == "**" and right > 0:
        bits = left.bit_length() * min(right, MAX_BITS + 1)
    check_bits(bits)


def _checked_count(number: int, low: int = 1, high: int = 1_000) -> int:
    if not isinstance(number, int) or not low <= number <= high:
        description = number if isinstance(number, str | int | float) else f"a {type(number).__name__}"
        raise TypeError(f"a count must be a whole number from {low} to {high:,}, not {description}")
    return number


def _rows(items: list[Any], count: int, fill: Any) -> list[list[Any]]:
    rows = [items[start : start + count] for start in range(0, len(items), count)]
    if rows and fill is not None:
        rows[-1] = rows[-1] + [fill] * (count - len(rows[-1]))
    return rows


@pass_environment
def _sum(environment: Environment, value: Iterable[Any], attribute: str | None = None) -> float:
    """The sum of numbers, or of one attribute of each value."""
    numbers = [make_attrgetter(environment, attribute)(item) for item in value] if attribute else list(value)
    if not all(isinstance(number, int | float) for number in numbers):
        raise TypeError("“sum” only adds numbers")
    total: float = sum(numbers) if all(isinstance(number, int) for number in numbers) else math.fsum(numbers)
    return total


def mixing(colours: Mapping[str, str]) -> Filter:
    """Makes the filter `mix` for a theme's colours."""

    def mix(colour: str, other: str, share: float) -> str:
        """Mixes a `share` (0 to 1) of another colour into a colour: `"ink" | mix("paper", 0.8)` is a pale ink."""
        if not isinstance(share, int | float) or not isinstance(colour, str) or not isinstance(other, str):
            raise TypeError('“mix” takes two colours and a share, as in "ink" | mix("paper", 0.8)')
        if not 0 <= share <= 1:
            raise ValueError(f"“mix” takes a share from 0 to 1, not {share}")
        return mixed(colour, other, share)

    @lru_cache(maxsize=1_000)
    def mixed(colour: str, other: str, share: float) -> str:
        pairs = zip(_channels(colour, colours), _channels(other, colours), strict=True)
        return parsed("#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs))

    return mix


def _channels(colour: str, colours: Mapping[str, str]) -> list[int]:
    try:
        code = find(colour, colours)
    except ValueError as error:
        if is_notation(colour):
            raise ValueError(f"“{colour}” must be {error}") from None
        hint = did_you_mean(colour, [*colours, *NAMES])
        raise ValueError(f"no colour “{colour}”{'; ' + hint if hint else ''}") from None
    return channels(code)


def _casing(language: str) -> dict[str, Filter]:
    """Filters that write capitals by the rules of a language; none if they are the usual ones."""
    if not spelling.is_special(language):
        return {}
    functions = {
        "upper": spelling.upper,
        "lower": spelling.lower,
        "title": spelling.title,
        "capitalize": spelling.capitalised,
    }
    return {name: _on_text(_in_language(function, language)) for name, function in functions.items()}


def _in_language(function: Callable[[str, str], str], language: str) -> Filter:
    @wraps(function)
    def convert(text: str) -> str:
        return type(text)(function(text, language))

    return convert


def filters(
    guarded: Guarded,
    colours: Mapping[str, str],
    language: str = "",
    others: Mapping[str, Filter] = MappingProxyType({}),
) -> dict[str, Filter]:
    """All filters by name, with `others`. Each spends steps for the call and for its result. `language` is that of the
    texts."""
    own: dict[str, Filter] = {
        "batch": guarded.batch,
        "format": guarded.format,
        "join": guarded.join,
        "list": guarded.list,
        "replace": guarded.replace,
        "reverse": guarded.reverse,
        "round": guarded.round,
        "slice": guarded.slice,
        "string": as_text,
        "sum": _sum,
        "mix": mixing(colours),
        "rich": rich,
        "extent": extent,
        "sin": sin,
        "cos": cos,
        "refuse": refuse,
    }
    jinja = {name: _on_text(FILTERS[name]) if name in _TEXT_FILTERS else FILTERS[name] for name in _JINJA}
    combined: dict[str, Filter] = {**jinja, **own, **_casing(language), **others}
    return {name: _charged(guarded.budget, function) for name, function in combined.items()}


def tests(budget: Budget) -> dict[str, Filter]:
    """Jinja2's tests. Each spends steps."""
    return {name: _charged(budget, function) for name, function in TESTS.items()}


def _on_text(function: Any) -> Filter:
    @wraps(function)
    def convert_and_call(value: Any, *arguments: Any, **named: Any) -> Any:
        return function(value if isinstance(value, Markup) else as_text(value), *arguments, **named)

    return convert_and_call


def _charged(budget: Budget, function: Any) -> Filter:
    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        budget.spend(_STEPS)
        return budget.bounded(function(*arguments, **named))

    return call


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
