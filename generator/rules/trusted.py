"""A person's own `rules.py`, run because the person said so: its `book`, and its `score` where it has one."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import InputError, Place, fault
from ..sheets import FilledSheet
from .book import RuleBook
from .nouns import Finding, Result


def trusted(path: Path) -> tuple[RuleBook[Any], Callable[[Any], Result] | None]:
    """The rule book and the score of the file; what goes wrong in them is an InputError with its line."""
    module = _run(path)
    book = getattr(module, "book", None)
    if not isinstance(book, RuleBook):
        raise fault("has no rule book", Place(str(path)), "book = RuleBook(), from generator.rules.book")
    score = getattr(module, "score", None)
    return _Guarded(book, path), _guarded(_resulting(score), path) if callable(score) else None


def _resulting(score: Callable[[Any], Any]) -> Callable[[Any], Result]:
    def resulting(view: Any) -> Result:
        made = score(view)
        if not isinstance(made, Result):
            raise TypeError(f"score must return a Result, not {type(made).__name__}")
        return made
    return resulting


def _run(path: Path) -> ModuleType:
    spec = spec_from_file_location(f"own_rules_of_{path.parent.name}", path)
    assert spec and spec.loader
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise _told(error, path) from error
    return module


class _Guarded(RuleBook[Any]):
    """A rule book whose rules may fail."""

    def __init__(self, book: RuleBook[Any], path: Path) -> None:
        super().__init__(_guarded(book.view, path), book.sheet)
        self.rules, self.counting, self._path = book.rules, book.counting, path

    def check(self, view: Any, sheet: FilledSheet) -> Iterator[Finding]:
        try:
            yield from super().check(view, sheet)
        except Exception as error:
            raise _told(error, self._path) from error


def _guarded(function: Callable[[Any], Any], path: Path) -> Callable[[Any], Any]:
    def guarded(view: Any) -> Any:
        try:
            return function(view)
        except Exception as error:
            raise _told(error, path) from error
    return guarded


def _told(error: Exception, path: Path) -> InputError:
    """The last line of the file that the error went through, and what it was."""
    if isinstance(error, InputError):
        return error
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else (lines or [0])[-1]
    return fault(f"fails with {type(error).__name__}: {error}", Place(str(path), line or 0))
