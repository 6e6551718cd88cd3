"""Parses an expression into a tree of nodes.

    or  <  and  <  not  <  == != < <= > >= in  <  + -  <  * / // %  <  - (sign)  <  numbers, names, calls, lists, (…)

`if … then … else …` binds loosest of all. Comparisons chain: `1 <= x <= 6`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from msgspec import Struct

from ..errors import shortened
from .functions import exact

MAX_CHARACTERS = 1_000
"""Characters of one expression."""
MAX_NODES = 300
MAX_DEPTH = 30
MAX_DIGITS = 12


class ExpressionError(ValueError):
    """A mistake in an expression: what is wrong, at which character (from 0), and how to fix it. `all` lists it
    together with any other mistakes in the same expression."""

    def __init__(self, message: str, at: int, hint: str = "", others: Iterable[ExpressionError] = ()) -> None:
        super().__init__(message)
        self.message, self.at, self.hint = message, at, hint
        self.all: tuple[ExpressionError, ...] = (self, *others)


class Node(Struct, frozen=True):
    """A part of an expression, with the position of its first character.

    - `number`, `text`, `yes` (True or False), `name`: the `value`
    - `list`: its entries
    - `call`: the function's name and its arguments
    - `-`, `not`: one operand; any other operator: two
    - `compare`: the operators as `value`, and one more operand than operators
    - `if`: the condition, and the values with and without it
    """

    kind: str
    at: int
    value: Any = None
    parts: tuple[Node, ...] = ()

    def nodes(self, without: Collection[str] = ()) -> Iterator[Node]:
        """This node and all nodes in it, but not those in calls of the functions `without`."""
        yield self
        for part in self.parts if self.kind != "call" or self.value not in without else ():
            yield from part.nodes(without)


class _Token(Struct, frozen=True):
    kind: str
    text: str
    at: int


_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<number>[0-9]+(?:\.[0-9]+)?)
    |(?P<name>[^\W\d]\w*(?:\.(?:\w+|\*))*)
    |`(?P<quoted>[^`]*)`
    |"(?P<double>[^"]*)" | '(?P<single>[^']*)' | “(?P<curly>[^”]*)”
    |(?P<sign>//|<=|>=|==|!=|[-+*/%<>()\[\],≤≥≠×÷−])""",
    re.VERBOSE,
)
_AS_TYPED = {"≤": "<=", "≥": ">=", "≠": "!=", "×": "*", "÷": "/", "−": "-"}
_KEYWORDS = frozenset(["and", "or", "not", "in", "if", "then", "else", "true", "false"])
_INSTEAD = {
    "=": "write == to compare",
    "&": "write “and”",
    "|": "write “or”",
    "!": "write “not”",
    "^": "multiply instead: there are no powers",
    "{": "write a list as [1, 2, 3]",
    "?": "write “if … then … else …”",
    ".": "a name continues with a letter, a digit or * after its dot",
    "*": "a field name begins with a letter, such as dice.*",
}
_COMPARISONS = frozenset(["==", "!=", "<", "<=", ">", ">=", "in"])
_BINDING = {"or": 1, "and": 2, **dict.fromkeys(_COMPARISONS, 4), "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6}
_NOT, _SIGN = 3, 7
_BRANCHES = "write “if CONDITION then VALUE else VALUE”"


def parse(text: str) -> Node:
    """The tree of an expression; raises ExpressionError."""
    if len(text) > MAX_CHARACTERS:
        raise ExpressionError(
            f"this expression has {len(text):,} characters; at most {MAX_CHARACTERS:,}",
            0,
            "split it over several score lines",
        )
    return _Parser(text).whole()


def _tokens(text: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None and text[at] in "\"'“`":
            raise ExpressionError(f"the quotation mark {text[at]} is not closed", at, "add the closing one")
        if match is None:
            message = f"“{shortened(text[at])}” has no meaning in an expression"
            raise ExpressionError(message, at, _INSTEAD.get(text[at], ""))
        kind, token = match.lastgroup or "", match[match.lastgroup or 0]
        if kind == "sign":
            token = _AS_TYPED.get(token, token)
        elif kind == "name" and token.lower() in _KEYWORDS and token.lower() == token:
            kind = "word"
        elif kind in ("double", "single", "curly"):
            kind = "text"
        if kind != "space":
            tokens.append(_Token("name" if kind == "quoted" else kind, token, at))
        at = match.end()
    return tokens


class _Parser:
    """A Pratt parser: each operator binds with a strength, and a loop collects operators while they bind tighter."""

    def __init__(self, text: str) -> None:
        self.tokens, self.next = _tokens(text), 0
        self.end = _Token("end", "", len(text.rstrip()))
        self.nodes = 0

    def whole(self) -> Node:
        if not self.tokens:
            raise ExpressionError("the expression is empty", 0)
        node = self.expression(0, 0)
        if self.peek().kind != "end":
            raise self.unexpected()
        return node

    # ---- tokens

    def peek(self) -> _Token:
        return self.tokens[self.next] if self.next < len(self.tokens) else self.end

    def take(self) -> _Token:
        token = self.peek()
        self.next += 1
        return token

    def at_sign(self, *signs: str) -> bool:
        token = self.peek()
        return token.kind in ("sign", "word") and token.text in signs

    def expect(self, sign: str, opener: _Token, hint: str = "") -> None:
        if not self.at_sign(sign):
            token = self.peek()
            if token.kind == "end":
                raise ExpressionError(f"“{opener.text}” has no “{sign}”", opener.at, hint or f"add “{sign}”")
            raise self.unexpected()
        self.take()

    def unexpected(self) -> ExpressionError:
        """The error for a token that cannot follow the one before it."""
        token, before = self.peek(), self.tokens[self.next - 1] if self.next else self.end
        quoted = f"“{shortened(token.text, 30)}”"
        if token.kind in ("number", "text", "name") or token.text == "(":
            if before.kind == "number" and before.at + len(before.text) == token.at:
                return ExpressionError(f"{quoted} follows a number", token.at, f"write {before.text} * {token.text}")
            return ExpressionError(f"no operator before {quoted}", token.at, "write + - * / and, or a comma, before it")
        if token.text == "]" or token.text == ")":
            return ExpressionError(f"{quoted} closes nothing", token.at, "delete it, or add the opening one")
        if token.text == "if":
            return ExpressionError("“if” follows a value", token.at, _BRANCHES)
        if token.kind == "end":
            return ExpressionError("the expression ends too early", token.at)
        return ExpressionError(f"unexpected {quoted}", token.at)

    # ---- expressions

    def node(self, kind: str, at: int, value: Any = None, parts: tuple[Node, ...] = ()) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise ExpressionError(
                f"an expression of more than {MAX_NODES} values and operators", at, "split it over several score lines"
            )
        return Node(kind, at, value, parts)

    def expression(self, binding: int, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise ExpressionError(f"nested more than {MAX_DEPTH} levels deep", self.peek().at)
        token = self.take()
        begin = _BEGINNINGS.get(token.text if token.kind in ("sign", "word") else token.kind)
        if begin is None:
            raise self.no_operand(token)
        left = begin(self, token, depth)
        while (token := self.peek()).kind in ("sign", "word") and _BINDING.get(token.text, 0) > binding:
            if token.text in _COMPARISONS:
                left = self.comparison(left, depth)
            else:
                self.take()
                right = self.expression(_BINDING[token.text], depth + 1)
                left = self.node(token.text, token.at, None, (left, right))
        return left

    def comparison(self, left: Node, depth: int) -> Node:
        signs, operands, at = [], [left], self.peek().at
        while self.peek().kind in ("sign", "word") and self.peek().text in _COMPARISONS:
            signs.append(self.take().text)
            operands.append(self.expression(_BINDING["=="], depth + 1))
        return self.node("compare", at, tuple(signs), tuple(operands))

    def text(self, token: _Token, depth: int) -> Node:
        return self.node("text", token.at, token.text)

    def name(self, token: _Token, depth: int) -> Node:
        if not self.at_sign("("):
            return self.node("name", token.at, token.text)
        return self.node("call", token.at, token.text, self.entries(")", self.take(), depth))

    def truth(self, token: _Token, depth: int) -> Node:
        return self.node("yes", token.at, token.text == "true")

    def prefix(self, token: _Token, depth: int) -> Node:
        kind, binding = ("not", _NOT) if token.text == "not" else ("negative", _SIGN)
        return self.node(kind, token.at, None, (self.expression(binding, depth + 1),))

    def parenthesis(self, token: _Token, depth: int) -> Node:
        inner = self.expression(0, depth + 1)
        self.expect(")", token)
        return inner

    def listing(self, token: _Token, depth: int) -> Node:
        return self.node("list", token.at, None, self.entries("]", token, depth))

    def no_operand(self, token: _Token) -> ExpressionError:
        before = self.tokens[self.next - 2] if self.next > 1 else None
        after = f" after “{shortened(before.text, 30)}”" if before else ""
        if token.kind == "end":
            return ExpressionError(f"a value is missing{after}", token.at)
        if before and before.text == "*" == token.text:
            return ExpressionError("“**” has no meaning in an expression", before.at, _INSTEAD["^"])
        if before is None and token.text in _BINDING:
            return ExpressionError(f"“{token.text}” has no value before it", token.at, _INSTEAD.get(token.text, ""))
        return ExpressionError(f"“{shortened(token.text, 30)}” instead of a value{after}", token.at)

    def number(self, token: _Token, depth: int) -> Node:
        if len(token.text) > MAX_DIGITS:
            raise ExpressionError(f"a number of more than {MAX_DIGITS} digits", token.at)
        if "." not in token.text:
            return self.node("number", token.at, int(token.text))
        return self.node("number", token.at, exact(token.text))

    def entries(self, closing: str, opener: _Token, depth: int) -> tuple[Node, ...]:
        entries: list[Node] = []
        while not self.at_sign(closing):
            if entries:
                self.expect("," if self.at_sign(",") else closing, opener)
            entries.append(self.expression(0, depth + 1))
        self.take()
        return tuple(entries)

    def conditional(self, opener: _Token, depth: int) -> Node:
        condition = self.expression(0, depth + 1)
        self.expect("then", opener, _BRANCHES)
        value = self.expression(0, depth + 1)
        self.expect("else", opener, _BRANCHES)
        return self.node("if", opener.at, None, (condition, value, self.expression(0, depth + 1)))


# The kinds of tokens, and the signs and words, that an operand can begin with.
_BEGINNINGS: dict[str, Callable[[_Parser, _Token, int], Node]] = {
    "number": _Parser.number,
    "text": _Parser.text,
    "name": _Parser.name,
    "true": _Parser.truth,
    "false": _Parser.truth,
    "not": _Parser.prefix,
    "-": _Parser.prefix,
    "if": _Parser.conditional,
    "(": _Parser.parenthesis,
    "[": _Parser.listing,
}
