"""Checks an expression and makes a function of it; reads the expressions of a definition file.

The function takes an *environment* that knows one player's marks: `spend(n)` counts the values it has handled,
`everyone` lists the environments of all players, `me` is this player's among them, and `shared` is a dictionary they
have in common.
Names are resolved by a scope, which gives each a `NamedValue`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import inf
from typing import Any, NamedTuple, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from .. import limits
from ..errors import Place, Problem, did_you_mean, shortened
from ..nodes import Scalar
from . import functions
from .functions import ARITHMETIC, COMPARISONS, LOGIC, OF_ONE, OF_ROWS
from .syntax import ExpressionError, Node, parse

Run: TypeAlias = Callable[[Any], Any]


class ValueKind(NamedTuple):
    """What an expression evaluates to: a `whole` number or any `number`, `yes` (or no), a `text`, `any` of these, or
    (after a mistake) `unknown`; one value or `many`. `across` is the width of a grid, and `choices` are those of a
    field."""

    name: str
    many: bool = False
    across: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        return self.name in ("whole", "number", "yes", "unknown")

    @property
    def words(self) -> str:
        if self.many:
            return {"yes": "a list of ticks", "text": "a list of texts", "any": "a list of several kinds"}.get(
                self.name, "a list of numbers"
            )
        return {"yes": "yes or no", "text": "a text", "any": "a value"}.get(self.name, "a number")


class NamedValue(Struct, frozen=True):
    """What a name stands for: its kind and the function that reads it. `own` says whether each player has one, `ids`
    returns the ids of the fields (None for anything that is not on the sheet). `is_rows` says whether the name stands
    for whole rows or groups, and `across` is the width of each if they are grids. `is_drawn` says whether it was drawn
    at random."""

    name: str
    kind: ValueKind
    run: Run
    own: bool = False
    ids: Callable[[Any], Sequence[str]] | None = None
    label: str = ""
    is_rows: bool = False
    is_drawn: bool = False
    across: int | None = None


class Scope(Protocol):
    """Knows the names that an expression may use."""

    players: bool
    """Whether the sheet has several players."""

    def source(self, name: str, at: int) -> NamedValue:
        """Raises ExpressionError, with the position `at`, if there is no such name."""


class Compiled(Struct, frozen=True):
    """A checked expression: its text, its kind, the function, and every name it uses. `own` says whether each player
    has a value of their own."""

    text: str
    kind: ValueKind
    run: Run
    node: Node
    names: tuple[NamedValue, ...] = ()
    own: bool = False

    @property
    def calls(self) -> set[str]:
        """The names of the functions that it calls."""
        return {node.value for node in self.node.nodes() if node.kind == "call"}

    @property
    def is_name(self) -> bool:
        """Whether it only names a field, a row or score lines."""
        return self.node.kind == "name"

    def ids(self, env: Any) -> list[str]:
        """The ids of all fields that it uses."""
        return list(dict.fromkeys(name for source in self.names if source.ids for name in source.ids(env)))


class _Value(Struct, frozen=True):
    """A checked part of an expression."""

    kind: ValueKind
    run: Run
    own: bool = False


_UNKNOWN = _Value(ValueKind("unknown"), lambda env: None)  # stands for a part with a mistake that has been reported


class Compiler:
    """Checks an expression and the names in it, and makes a function of it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.errors: list[ExpressionError] = []
        self.names: dict[str, NamedValue] = {}
        self.compares_players = False

    def whole(self, text: str) -> Compiled:
        """The expression, checked. Raises ExpressionError for the first mistake in its grammar or all others."""
        node = parse(text)
        value = self.value(node)
        if self.errors:
            first, *others = self.errors
            raise ExpressionError(first.message, first.at, first.hint, others)
        return Compiled(text, value.kind, value.run, node, names=tuple(self.names.values()), own=value.own)

    def value(self, node: Node) -> _Value:
        return _METHODS[node.kind](self, node)

    def constant(self, node: Node) -> _Value:
        is_whole = node.kind == "number" and isinstance(node.value, int)
        return _Value(ValueKind("whole" if is_whole else node.kind), lambda env: node.value)

    def wrong(self, message: str, node: Node, hint: str = "") -> _Value:
        self.errors.append(ExpressionError(message, node.at, hint))
        return _UNKNOWN

    def name(self, node: Node) -> _Value:
        try:
            source = self.names.get(node.value) or self.scope.source(node.value, node.at)
        except ExpressionError as error:
            self.errors.append(error)
            return _UNKNOWN
        self.names[node.value] = source
        return _Value(source.kind, source.run, source.own)

    # ---- operators

    def numbers(self, node: Node, purpose: str) -> _Value:
        value = self.value(node)
        if not value.kind.is_number:
            return self.wrong(f"{purpose} needs numbers, but this is {value.kind.words}", node)
        return value

    def condition(self, node: Node, purpose: str) -> _Value:
        value = self.value(node)
        if value.kind.name not in ("yes", "unknown"):
            hint = "compare it, as in x > 0" if value.kind.is_number else 'compare it, as in x == "red"'
            return self.wrong(f"{purpose} needs yes or no, but this is {value.kind.words}", node, hint)
        return value

    def arithmetic(self, node: Node) -> _Value:
        left, right = (self.numbers(part, f"“{node.kind}”") for part in node.parts)
        is_whole = node.kind == "//" or (node.kind != "/" and "number" not in (left.kind.name, right.kind.name))
        return _lifted(ARITHMETIC[node.kind], "whole" if is_whole else "number", left, right)

    def negative(self, node: Node) -> _Value:
        value = self.numbers(node.parts[0], "“-”")
        return _lifted(lambda number: -(number or 0), "number" if value.kind.name == "number" else "whole", value)

    def logic(self, node: Node) -> _Value:
        return _lifted(LOGIC[node.kind], "yes", *[self.condition(part, f"“{node.kind}”") for part in node.parts])

    def comparison(self, node: Node) -> _Value:
        operands = [self.value(part) for part in node.parts]
        pairs = [
            self.compared(sign, node, operands[place : place + 2], node.parts[place : place + 2])
            for place, sign in enumerate(node.value)
        ]
        if len(pairs) == 1:
            return pairs[0]
        return _lifted(lambda *truths: None if None in truths else all(truths), "yes", *pairs)

    def compared(self, sign: str, node: Node, values: Sequence[_Value], nodes: Sequence[Node]) -> _Value:
        left, right = values
        if sign == "in" and not right.kind.many:
            return self.wrong("“in” needs a list", nodes[1], "write it as x in [1, 2, 3]")
        self.comparable(sign, node, values, nodes)
        if sign == "in":
            choices = right.run
            return _lifted(
                lambda value, among: None if value is None else value in among,
                "yes",
                left,
                replace(right, kind=ValueKind(right.kind.name), run=lambda env: set(choices(env)) - {None}),
            )
        compare = COMPARISONS[sign]
        return _lifted(lambda a, b: None if a is None or b is None else compare(a, b), "yes", left, right)

    def comparable(self, sign: str, node: Node, values: Sequence[_Value], nodes: Sequence[Node]) -> None:
        """Reports values of different kinds, and texts that a field can never hold."""
        left, right = (value.kind for value in values)
        self.missing_quotes(left, nodes[1])
        self.missing_quotes(right, nodes[0])
        names = {left.name, right.name}
        if "unknown" in names or ("any" in names and sign in ("==", "!=", "in")):
            return
        if left.is_number != right.is_number:
            place = 0 if nodes[0].kind == "text" else 1
            hint = "leave out the quotation marks" if nodes[place].kind == "text" else ""
            words = " and ".join(kind.words for kind in (left, right))
            self.wrong(f"“{sign}” compares {words}", nodes[place], hint)
        elif not left.is_number and sign not in ("==", "!=", "in"):
            self.wrong(f"“{sign}” compares numbers, not texts", node, "texts can be compared with == and !=")
        else:
            for kind, other in ((left, nodes[1]), (right, nodes[0])):
                if choices := kind.choices:
                    for text in other.parts if other.kind == "list" else (other,):
                        if text.kind == "text" and text.value not in choices:
                            self.wrong(
                                f"“{shortened(text.value)}” is not one of the choices",
                                text,
                                did_you_mean(text.value, choices),
                            )

    def missing_quotes(self, kind: ValueKind, node: Node) -> None:
        """Adds a hint to an unknown name that is one of the texts of the field it is compared with."""
        if node.kind == "name" and node.value in kind.choices and node.value not in self.names:
            for error in self.errors:
                if error.at == node.at:
                    error.hint = f'write "{shortened(node.value)}" in quotation marks'

    def conditional(self, node: Node) -> _Value:
        condition = self.condition(node.parts[0], "“if”")
        value, other = map(self.value, node.parts[1:])
        kind = _common((value.kind, other.kind))
        if kind == "any" and "any" not in (value.kind.name, other.kind.name) and _UNKNOWN not in (value, other):
            return self.wrong(f"“then” gives {value.kind.words}, but “else” gives {other.kind.words}", node.parts[2])
        return _lifted(lambda truth, a, b: a if truth else b, kind, condition, value, other)

    def listing(self, node: Node) -> _Value:
        return self.row(list(map(self.value, node.parts)))

    def row(self, values: Sequence[_Value]) -> _Value:
        """Joins values into one list, in which the entries of lists stand one by one."""
        if len(values) == 1 and values[0].kind.many:
            return values[0]
        pieces = [(value.run, value.kind.many) for value in values]

        def run(env: Any) -> list[Any]:
            row: list[Any] = []
            for piece, many in pieces:
                row.extend(piece(env)) if many else row.append(piece(env))
            env.spend(len(row))
            return row

        choices = {value.kind.choices for value in values}
        kind = ValueKind(
            _common([value.kind for value in values]), True, None, choices.pop() if len(choices) == 1 else ()
        )
        return _Value(kind, run, any(value.own for value in values))

    # ---- functions

    def call(self, node: Node) -> _Value:
        name, count, function = node.value, len(node.parts), FUNCTIONS.get(node.value)
        if function and function.low <= count <= function.high:
            return function.compile(self, node)
        for part in node.parts:
            self.value(part)
        if not function:
            return self.wrong(f"unknown function “{shortened(name)}”", node, did_you_mean(name, FUNCTIONS))
        arguments = f"{count or 'no'} argument{'s' * (count != 1)}"
        return self.wrong(f"{name} cannot have {arguments}", node, f"write {function.example}")

    def of_rows(self, node: Node) -> _Value:
        name, function = node.value, OF_ROWS[node.value]
        read = {"numbers": self.numbers, "yes": self.condition}.get(function.takes)
        parts = node.parts[:1] if function.numbered else node.parts
        row = self.row([read(part, name) if read else self.value(part) for part in parts])
        numbers = [self.numbers(part, name) for part in node.parts[len(parts) :]]
        if any(number.kind.many for number in numbers):
            return self.wrong(f"the second argument of {name} must be one number", node.parts[1])
        kind = function.gives
        if kind == "same":
            kind = "whole" if row.kind.name == "yes" and function.takes == "numbers" else row.kind.name
        choices = row.kind.choices if function.gives == "same" else ()
        source, more = row.run, [number.run for number in numbers]
        return _Value(
            ValueKind(kind, function.many, None, choices),
            lambda env: function.run(source(env), *[int(run(env) or 0) for run in more]),
            row.own or any(number.own for number in numbers),
        )

    def of_one(self, node: Node) -> _Value:
        gives, function = OF_ONE[node.value]
        value = self.value(node.parts[0]) if gives == "yes" else self.numbers(node.parts[0], node.value)
        name = ("number" if value.kind.name == "number" else "whole") if gives == "same" else gives
        return _lifted(function, name, value)

    def count(self, node: Node) -> _Value:
        row = self.row([self.value(node.parts[0])])
        run = row.run
        if len(node.parts) == 1:
            return _Value(ValueKind("whole"), lambda env: sum(map(functions.marked, run(env))), row.own)
        choices = self.row([self.value(part) for part in node.parts[1:]])
        for part in node.parts[1:]:
            self.comparable("==", node, (row, choices), (node.parts[0], part))
        among = choices.run

        def number(env: Any) -> int:
            values = set(among(env)) - {None}
            return sum(value in values for value in run(env) if value is not None)

        return _Value(ValueKind("whole"), number, row.own or choices.own)

    def table(self, node: Node) -> _Value:
        amount, entries = (self.numbers(part, "table") for part in node.parts)
        if not entries.kind.many and entries is not _UNKNOWN:
            return self.wrong("the second argument of table must be a list", node.parts[1], "write [0, 1, 3, 6, 10]")
        gives = "number" if entries.kind.name == "number" else "whole"
        return _lifted(functions.looked_up, gives, amount, replace(entries, kind=entries.kind._replace(many=False)))

    def of_grid(self, node: Node) -> _Value:
        name, grid, diagonal = node.value, self.value(node.parts[0]), len(node.parts) == 2
        if diagonal and (node.parts[1].kind, node.parts[1].value) != ("text", "diagonal"):
            return self.wrong(f'the second argument of {name} can only be "diagonal"', node.parts[1])
        if grid is _UNKNOWN:
            return grid
        across, run = grid.kind.across, grid.run
        if not across:
            hint = "name a group or row whose definition has the key “across”"
            return self.wrong(f"{name} needs a grid", node.parts[0], hint)
        functions_of_grids: dict[str, Run] = {
            "groups": lambda env: functions.groups(run(env), across, diagonal),
            "path": lambda env: functions.path(run(env), across, diagonal, env.spend),
            "full_rows": lambda env: functions.full_rows(run(env), across),
            "full_columns": lambda env: functions.full_columns(run(env), across),
        }
        return _Value(ValueKind("whole", name == "groups"), functions_of_grids[name], grid.own)

    def of_players(self, node: Node) -> _Value:
        """Compiles everyone, others and place, which compare the players."""
        value = self.each_players(node)
        if value is _UNKNOWN:
            return value
        run = value.run

        def all_values(env: Any) -> list[Any]:
            if run not in env.shared:
                env.shared[run] = [run(player) for player in env.everyone]
            env.spend(len(env.everyone))
            values: list[Any] = env.shared[run]
            return values

        def others(env: Any) -> list[Any]:
            return [value for player, value in zip(env.everyone, all_values(env), strict=True) if player is not env.me]

        def place(env: Any) -> int:
            own, values = run(env) or 0, all_values(env)
            return 1 + sum(bool((other or 0) > own) for other in values)

        if node.value == "place":
            return _Value(ValueKind("whole"), place, True)
        kind = value.kind._replace(many=True, across=None)
        return _Value(kind, all_values) if node.value == "everyone" else _Value(kind, others, True)

    def each_players(self, node: Node) -> _Value:
        """The argument of a function that compares players: one value for each."""
        if not self.scope.players:
            return self.wrong(f"{node.value} compares players, but this sheet has only one", node)
        if self.compares_players:
            return self.wrong(f"{node.value} cannot be used inside everyone, others or place", node)
        self.compares_players = True
        value = self.value(node.parts[0]) if node.value != "place" else self.numbers(node.parts[0], "place")
        self.compares_players = False
        if value.kind.many:
            return self.wrong(
                f"{node.value} needs one value for each player", node.parts[0], "write sum(…) or count(…)"
            )
        return value


_METHODS: dict[str, Callable[[Compiler, Node], _Value]] = {
    **dict.fromkeys(("number", "text", "yes"), Compiler.constant),
    **dict.fromkeys(ARITHMETIC, Compiler.arithmetic),
    **dict.fromkeys(LOGIC, Compiler.logic),
    "name": Compiler.name,
    "negative": Compiler.negative,
    "compare": Compiler.comparison,
    "if": Compiler.conditional,
    "list": Compiler.listing,
    "call": Compiler.call,
}


class _Callable(NamedTuple):
    """A function: what compiles a call of it, its least and greatest number of arguments, and an example."""

    compile: Callable[[Compiler, Node], _Value]
    low: int
    high: float
    example: str


FUNCTIONS = {
    **{
        name: _Callable(Compiler.of_rows, 2, 2, f"{name}(row, 3)")
        if function.numbered
        else _Callable(Compiler.of_rows, 1, inf, f"{name}(row) or {name}(a, b, c)")
        for name, function in OF_ROWS.items()
    },
    **{name: _Callable(Compiler.of_one, 1, 1, f"{name}(x)") for name in OF_ONE},
    "count": _Callable(Compiler.count, 1, inf, "count(row) or count(row, 6)"),
    "table": _Callable(Compiler.table, 2, 2, "table(x, [0, 1, 3, 6, 10])"),
    **{
        name: _Callable(Compiler.of_grid, 1, 2, f'{name}(grid), or {name}(grid, "diagonal")')
        for name in ("groups", "path")
    },
    **{name: _Callable(Compiler.of_grid, 1, 1, f"{name}(grid)") for name in ("full_rows", "full_columns")},
    **{name: _Callable(Compiler.of_players, 1, 1, f"{name}(x)") for name in ("everyone", "others", "place")},
}


def _common(kinds: Sequence[ValueKind]) -> str:
    """The kind that values of these kinds have in common."""
    names = {kind.name for kind in kinds}
    if "unknown" in names:
        return "unknown"
    if not names:
        return "whole"
    if len(names) == 1:
        return names.pop()
    if names <= {"whole", "number", "yes"}:
        return "number" if "number" in names else "whole"
    return "any"


def _lifted(function: Callable[..., Any], gives: str, *values: _Value) -> _Value:
    """The function of these values. If some of them are lists, it is applied to their entries one by one: shorter
    lists are filled up with blanks, and single values are used for every entry."""
    runs, manys = [value.run for value in values], [value.kind.many for value in values]
    own = any(value.own for value in values)
    if not any(manys):
        return _Value(ValueKind(gives), lambda env: function(*[run(env) for run in runs]), own)

    def run(env: Any) -> list[Any]:
        results = [run(env) for run in runs]
        length = max(len(result) for result, many in zip(results, manys, strict=True) if many)
        env.spend(length * len(runs))
        columns = [
            [*result, *[None] * (length - len(result))] if many else [result] * length
            for result, many in zip(results, manys, strict=True)
        ]
        return [function(*entries) for entries in zip(*columns, strict=True)]

    across = next((value.kind.across for value in values if value.kind.across), None)
    return _Value(ValueKind(gives, True, across), run, own)


class ExpressionReader:
    """Compiles expressions and collects the `problems` of the file that they are in. Messages begin with `subject`."""

    def __init__(self, subject: str = "") -> None:
        self.problems: list[Problem] = []
        self.subject = subject
        self._characters = 0

    def bad(self, message: str, place: Place | None, hint: str = "") -> None:
        self.problems.append(Problem(f"{self.subject}{message}", place, hint))

    def compiled(self, text: str, scope: Scope) -> Compiled:
        """The expression; raises ExpressionError."""
        return Compiler(scope).whole(text)

    def compile(self, text: str, scope: Scope, place: Place) -> Compiled | None:
        """The expression; None if it has mistakes, which are reported with their columns."""
        before = self._characters
        self._characters += len(text)
        if self._characters > limits.EXPRESSION_LETTERS:
            if before <= limits.EXPRESSION_LETTERS:
                message = f"the expressions of this sheet have more than {limits.EXPRESSION_LETTERS:,} characters"
                self.bad(message, place)
            return None
        try:
            return self.compiled(text, scope)
        except ExpressionError as error:
            for each in error.all:
                where = text.at(each.at) if isinstance(text, Scalar) else place
                self.bad(f"{each.message}{_excerpt(text, each)}", where, each.hint)
            return None

    def number(self, text: str | None, scope: Scope, place: Place, purpose: str) -> Compiled | None:
        """An expression that must be one number."""
        return self.single(text, scope, place, f"{purpose} must be a number", ("sum", "count"))

    def condition(self, text: str | None, scope: Scope, place: Place, purpose: str) -> Compiled | None:
        """An expression that must be yes or no."""
        return self.single(text, scope, place, f"{purpose} must be yes or no", ("any", "all"))

    def single(
        self, text: str | None, scope: Scope, place: Place, purpose: str, functions: tuple[str, str]
    ) -> Compiled | None:
        """An expression that must be one value. The `functions` make one of a list: those of numbers, or of yes or
        no."""
        term = self.compile(text, scope, place) if text is not None else None
        if term is None:
            return None
        is_number = functions == ("sum", "count")
        fits = term.kind.is_number if is_number else term.kind.name == "yes"
        if fits and not term.kind.many:
            return term
        one, other = functions
        hint = f"write {one}({text}) or {other}({text})" if fits else ""
        if not is_number and not term.kind.many:
            hint = "compare it, as in stars > 0"
        found = "a list" if fits or (term.kind.many and not is_number) else term.kind.words
        expected = purpose.replace("a number", "one number") if fits else purpose
        self.bad(f"{expected}, but {quoted(text)} is {found}", place_of(text, place), hint)
        return None

    def template(self, text: Any, scope: Scope, place: Place, what: str, example: str) -> list[str | Compiled]:
        """The parts of a text with expressions in braces. The messages call it `what`."""
        parts: list[str | Compiled] = []
        column = text.column if isinstance(text, Scalar) else 0
        for match in re.finditer(r"\{([^{}]*)\}|([^{}]+)|[{}]", text):
            if match[1] is not None:
                inner = Scalar(match[1], place, column=column + match.start(1) if column else 0)
                term = self.compile(inner, scope, place)
                parts += [term] if term else []
            elif match[2]:
                parts.append(match[2])
            else:
                self.bad(f"a brace of {what} is not closed", place, f"write expressions as {example}")
        return parts


def _excerpt(text: str, error: ExpressionError) -> str:
    """The part of the expression around a mistake."""
    if text and f"“{text}”" not in error.message:
        start, end = max(0, error.at - 30), error.at + 30
        return f" in “{'…' * (start > 0)}{shortened(text[start:end].strip(), 64)}{'…' * (end < len(text))}”"
    return ""


def quoted(text: object) -> str:
    return f"“{shortened(text)}”"


def place_of(text: object, place: Place) -> Place:
    """The place of an expression in its file, or else `place`."""
    return text.at(0) if isinstance(text, Scalar) else place
