"""The `rules.py` of your own game, with its `book` and optional `score`. It only runs if you trust it."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from ..errors import InputError, Place, fault
from ..rules.book import RuleBook, Violation
from ..rules.results import Explanation, Result
from ..sheets import FilledSheet
from .base import STATED_ONLY, GameRules


class OwnRules(GameRules[FilledSheet]):
    """The rules in this file, which apply to every sheet of the game. An error in the file becomes an InputError with
    the line where it occurred."""

    def __init__(self, path: Path) -> None:
        self.path = path
        module = self._run()
        book, score = getattr(module, "book", None), getattr(module, "score", None)
        if not isinstance(book, RuleBook):
            raise fault(
                "has no rule book", Place(str(path)), "add book = RuleBook(), imported from generator.rules.book"
            )
        self.rules = book
        self._score = score if callable(score) else None

    def read(self, sheet: FilledSheet) -> FilledSheet:
        return sheet

    def violations(self, view: FilledSheet) -> Iterator[Violation]:
        try:
            yield from self.rules.check(view, view.sheet.name)
        except Exception as error:
            raise self._located(error) from error

    def score(self, view: FilledSheet) -> Result:
        if self._score is None:
            return STATED_ONLY.score(view)
        try:
            result = self._score(view)
            if not isinstance(result, Result):
                raise TypeError(f"score must return a Result, not {type(result).__name__}")
        except Exception as error:
            raise self._located(error) from error
        return result

    def explain(self, view: FilledSheet) -> Explanation | None:
        return STATED_ONLY.explain(view) if self._score is None else None

    def sums(self, view: FilledSheet) -> Mapping[str, int]:
        return STATED_ONLY.sums(view) if self._score is None else super().sums(view)

    def _run(self) -> ModuleType:
        spec = spec_from_file_location(f"own_rules_of_{self.path.parent.name}", self.path)
        assert spec and spec.loader
        module = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise self._located(error) from error
        return module

    def _located(self, error: Exception) -> InputError:
        """The error as an InputError, located at the last line of this file in its traceback."""
        if isinstance(error, InputError):
            return error
        path = str(self.path)
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else (lines or [0])[-1]
        return fault(f"fails with {type(error).__name__}: {error}", Place(path, line or 0))
