"""The expressions of score sheets: a small language of numbers, texts, field names, operators and functions.

`syntax` parses a text into a tree, `compiler` checks the names and kinds of values in the tree and makes a function
of it, and `functions` holds what an expression can call. Python's `eval` is never used. Documented in
docs/rules_in_yaml.md.
"""

from .compiler import Compiled, Compiler, NamedValue, ValueKind
from .functions import TooMuchError
from .syntax import ExpressionError, Node, parse

__all__ = ["Compiled", "Compiler", "ExpressionError", "NamedValue", "Node", "TooMuchError", "ValueKind", "parse"]
