"""Finds the expressions of a template whose values are the same on every card, so that they are worked out once.

An expression is constant if it mentions neither the varying name nor anything that depends on it. Only what a template
evaluates at most once for each card is looked at: not loops, macros and blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import cast

from jinja2 import nodes

CARD = "card"
"""The template variable that is a different card each time."""
_ALWAYS_VARY = frozenset((CARD, "self", "super", "caller", "loop"))
_WORTH_KEEPING = (
    nodes.Getattr,
    nodes.Getitem,
    nodes.Call,
    nodes.Filter,
    nodes.Test,
    nodes.BinExpr,
    nodes.Compare,
    nodes.Concat,
    nodes.CondExpr,
    nodes.List,
    nodes.Tuple,
)
KEEP, KEEP_TEXT = "keep", "keep_text"
"""The names of the calls that the code generator compiles to code which keeps a value, or its text."""


def keep_constants(template: nodes.Template) -> None:
    """Wraps the largest constant expressions of a template in a call of `KEEP` with a number of their own, or of
    `KEEP_TEXT` if they are written straight into the face."""
    _Keeper(_varying(template)).statements(template.body)


def _varying(template: nodes.Template) -> frozenset[str]:
    """The names in a template whose values may differ between cards, however often they are assigned."""
    varying, count = set(_ALWAYS_VARY), 0
    assignments = [*_assignments(template.body, set())]
    while len(varying) > count:
        count = len(varying)
        for names, mentioned in assignments:
            if mentioned is None or not varying.isdisjoint(mentioned):
                varying |= names
    return frozenset(varying)


def _assignments(body: Sequence[nodes.Node], tests: set[str]) -> Iterator[tuple[set[str], set[str] | None]]:
    """What assigns names: the names, and those that their values depend on, also through the `tests` around them. None
    stands for anything."""
    for node in body:
        if isinstance(node, nodes.Assign):
            yield _names(node.target), _names(node.node) | tests
        elif isinstance(node, nodes.Macro):
            yield {node.name}, _names(node) | tests
        elif isinstance(node, nodes.If):
            inner = tests.union(_names(node.test), *(_names(other.test) for other in node.elif_))
            yield from _assignments([*node.body, *node.elif_, *node.else_], inner)
        elif isinstance(node, nodes.Import):
            yield {node.target}, None if node.with_context else tests
        elif isinstance(node, nodes.FromImport):
            names = {name if isinstance(name, str) else name[1] for name in node.names}
            yield names, None if node.with_context else tests
        elif not isinstance(node, nodes.Output):
            yield {name.name for name in node.find_all(nodes.Name) if name.ctx != "load"}, None


def _names(node: nodes.Node) -> set[str]:
    names = {name.name for name in node.find_all(nodes.Name)}
    if isinstance(node, nodes.Name):
        names.add(node.name)
    return names


class _Keeper:
    """Wraps constants. `count` is the number of those found so far."""

    def __init__(self, varying: frozenset[str]) -> None:
        self.varying = varying
        self.count = 0

    def statements(self, body: Sequence[nodes.Node]) -> None:
        for node in body:
            if isinstance(node, nodes.Output):
                node.nodes = [self._kept(child, KEEP_TEXT) for child in node.nodes]
            elif isinstance(node, nodes.Assign):
                node.node = self._kept(cast(nodes.Expr, node.node), KEEP)
            elif isinstance(node, nodes.If):
                node.test = self._kept(cast(nodes.Expr, node.test), KEEP)
                for inner in (node.body, node.elif_, node.else_):
                    self.statements(inner)

    def _kept(self, node: nodes.Expr, method: str) -> nodes.Expr:
        """The expression itself, or a call that keeps its value; otherwise the constants in it are kept."""
        if isinstance(node, nodes.TemplateData | nodes.Const) or not self._is_constant(node):
            return node
        return self._call(node, method) if isinstance(node, _WORTH_KEEPING) or method == KEEP_TEXT else node

    def _is_constant(self, node: nodes.Node) -> bool:
        """Whether a part of an expression is constant. If it is not, the constants in it are kept."""
        if isinstance(node, nodes.Name):
            return node.name not in self.varying
        parts = [*_parts(node)]
        constants = [(part, put) for part, put in parts if self._is_constant(part)]
        if len(constants) == len(parts):
            return True
        for part, put in constants:
            if isinstance(part, _WORTH_KEEPING):
                put(self._call(part, KEEP))
        return False

    def _call(self, node: nodes.Expr, method: str) -> nodes.Call:
        self.count += 1
        function = nodes.EnvironmentAttribute(method, lineno=node.lineno)
        number = nodes.Const(self.count, lineno=node.lineno)
        return nodes.Call(function, [number, node], [], None, None, lineno=node.lineno)


def _parts(node: nodes.Node) -> Iterator[tuple[nodes.Node, Callable[[nodes.Node], None]]]:
    """The nodes that a node consists of, each with a function that puts another one in its place."""
    for name, value in node.iter_fields():
        if isinstance(value, nodes.Node):
            yield value, partial(setattr, node, name)
        elif isinstance(value, list):
            for place, part in enumerate(value):
                if isinstance(part, nodes.Node):
                    yield part, partial(value.__setitem__, place)
