"""The `rules.py` of your own game, which imports `generator.api`. It runs only if you trust it.

rules.py ── OwnCode ──▶ its GameRules (`own_rules`), RandomSets and Simulation

Exceptions in it, and results of the wrong type, become InputErrors with their file and line.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from importlib.machinery import FileFinder, SourceFileLoader
from itertools import count
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

from ..draws import Deck, RandomSets, SetCode
from ..draws.deck import standard_cards
from ..errors import InputError, Place, fault, shortened
from ..model.game import Card, Component, Game
from .simulation import Simulation

FILE = "rules.py"
_MAX_MESSAGE = 300  # the maximum length of an exception's message
_numbers = count(1)


class MisuseError(TypeError):
    """Code that asks a sheet for what it cannot hold."""


def own_code(game: Game) -> OwnCode:
    """The rules.py of a game; it is run once for each version of the file. Raises InputError."""
    path = game.folder / FILE
    try:
        state = path.stat()
    except OSError as error:
        raise fault(f"cannot be read: {error.strerror}", Place(str(path))) from error
    return _own_code(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _own_code(path: Path, modified: int, size: int) -> OwnCode:
    return OwnCode(path)


class _SourceLoader(SourceFileLoader):
    """Compiles the source that a user can read. Compiled files beside it, which may be of something else, are not
    read."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _finder(path: str) -> FileFinder:
    """Finds the modules of a game that has been trusted, in its folder and the folders below."""
    if not any(Path(path).is_relative_to(folder) for folder in _trusted):
        raise ImportError(path)
    return FileFinder(path, (_SourceLoader, [".py"]))


_trusted: set[Path] = set()
sys.path_hooks.insert(0, _finder)


class OwnCode:
    """A rules.py that has been run. `from .other import name` in it imports other.py from the same folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = path.parent.resolve()
        self.module = ModuleType(f"pencilbox_own_game_{next(_numbers)}", "The rules.py of a user’s own game.")
        self.module.__file__ = str(path)
        self.module.__path__ = [str(self.folder)]
        _trusted.add(self.folder)
        for known in [known for known in sys.path_importer_cache if Path(known).is_relative_to(self.folder)]:
            del sys.path_importer_cache[known]  # found before the folder was trusted
        sys.modules[self.module.__name__] = self.module  # relative imports and dataclasses look there
        with self.located():
            exec(compile(path.read_bytes(), str(path), "exec"), vars(self.module))

    def instance(self, base: type[Any]) -> Any:
        """The instance of `base` that the file defines, or an instance of its only class that extends `base`."""
        if instances := [value for value in vars(self.module).values() if isinstance(value, base)]:
            return instances[-1]
        kind = self.kind(base)
        if kind is None:
            return None
        with self.located(kind):
            return kind()

    def kind(self, base: type[Any]) -> type[Any] | None:
        """The class of the file that extends `base`; None without one. Raises InputError if there are several, or if it
        leaves out a method."""
        own = [
            value
            for value in vars(self.module).values()
            if isinstance(value, type) and issubclass(value, base) and value.__module__.startswith(self.module.__name__)
        ]
        leaves = [kind for kind in dict.fromkeys(own) if not any(kind in other.__mro__[1:] for other in own)]
        if len(leaves) > 1:
            names = " and ".join(kind.__name__ for kind in leaves)
            message = f"two classes extend {base.__name__}: {names}"
            raise self.fault(message, leaves[-1], "keep one of them in this file")
        if leaves and (missing := sorted(getattr(leaves[0], "__abstractmethods__", ()))):
            methods = ", ".join(missing)
            raise self.fault(f"{leaves[0].__name__} must define {methods}", leaves[0], "docs/python_rules.md shows how")
        return leaves[0] if leaves else None

    def fault(self, message: str, source: object = None, hint: str = "") -> InputError:
        """An InputError at a function or class of the file, or at the file as a whole."""
        return fault(message, self.place_of(source), hint)

    def place_of(self, source: object) -> Place:
        """The file and line where a function or class is defined."""
        try:
            file = inspect.getsourcefile(source)  # type: ignore[arg-type]
            line = (
                inspect.unwrap(source).__code__.co_firstlineno
                if inspect.isroutine(source)
                else inspect.getsourcelines(source)[1]  # type: ignore[arg-type]
            )
        except (TypeError, OSError, AttributeError):
            return Place(str(self.path))
        return Place(self._path_of(file), line) if file and self._is_own(file) else Place(str(self.path))

    @contextmanager
    def located(self, source: object = None) -> Iterator[None]:
        """Turns an exception into an InputError at the last line of the user’s code that it passed, or else where the
        function or class `source` is defined."""
        try:
            yield
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            raise self._located(error, source) from error

    def _located(self, error: BaseException, source: object) -> InputError:
        what = "" if isinstance(error, MisuseError) else f"fails with {type(error).__name__}"
        if isinstance(error, SyntaxError) and error.filename and self._is_own(error.filename):
            return fault(f"{what}: {error.msg}", Place(self._path_of(error.filename), error.lineno or 0))
        if isinstance(error, SyntaxError):
            what, error = f"{what}: {error.msg}", SyntaxError()
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if self._is_own(frame.filename)]
        place = Place(self._path_of(frames[-1].filename), frames[-1].lineno or 0) if frames else self.place_of(source)
        text = shortened(error, _MAX_MESSAGE)
        return fault(": ".join(filter(None, [what, text if text != "None" else ""])), place)

    def _is_own(self, file: str) -> bool:
        return file == str(self.path) or Path(file).is_relative_to(self.folder)

    def _path_of(self, file: str) -> str:
        """The path of a file in the folder, beginning with the folder as the user typed it."""
        return file if file == str(self.path) else str(self.path.parent / Path(file).relative_to(self.folder))


def own_random_sets(game: Game) -> RandomSets | None:
    """The random sets in the rules.py of a game, if it is trusted and defines any. Raises InputError."""
    code = own_code(game) if game.trusted_code else None
    sets: RandomSets | None = code.instance(RandomSets) if code else None
    if code is None or sets is None:
        return None
    if game.own_draws:
        raise code.fault("defines random sets, but so does “draws” in game.yaml", type(sets), "keep one of the two")
    if not game.draws:
        hint = "add “sets: sets.yaml” to game.yaml; docs/python_rules.md shows the file"
        raise code.fault("defines random sets, but no file lists what can be drawn", type(sets), hint)
    return OwnPythonSets(code, sets)


def own_simulation_class(game: Game) -> type[Simulation] | None:
    """The simulation in the rules.py of a game, if it is trusted and defines one. Raises InputError."""
    return own_code(game).kind(Simulation) if game.trusted_code else None


def located(game: Game) -> AbstractContextManager[None]:
    """Reports the errors of a game’s trusted rules.py with their file and line."""
    return own_code(game).located() if game.trusted_code else nullcontext()


class CheckedCode:
    """Calls the methods of an object that rules.py defines, and checks what they return."""

    code: OwnCode
    own: Any

    def _call(self, method: str, *args: Any) -> Any:
        with self.code.located(getattr(self.own, method)):
            return getattr(self.own, method)(*args)

    def _checked(self, method: str, kind: Any, expected: str, *args: Any) -> Any:
        value = self._call(method, *args)
        if not isinstance(value, kind):
            self._refuse(method, f"must return {expected}, not {shown(value)}")
        return value

    def _list(self, method: str, what: str, *args: Any) -> list[Any]:
        """What a method yields, all at once, so that exceptions are raised here."""
        value = self._call(method, *args)
        if not isinstance(value, Iterable) or isinstance(value, str):
            self._refuse(method, f"must yield {what}, not return {shown(value)}")
        with self.code.located():
            return list(value)

    def _texts(self, method: str, expected: str, *args: Any) -> list[str]:
        texts = self._list(method, "texts", *args)
        if not are_texts(texts):
            self._refuse(method, f"must return {expected}")
        return texts

    def _refuse(self, method: str, message: str) -> NoReturn:
        raise self.code.fault(f"{method} {message}", getattr(self.own, method))


class OwnPythonSets(CheckedCode, RandomSets):
    """The random sets of a rules.py."""

    def __init__(self, code: OwnCode, own: RandomSets) -> None:
        self.code, self.own = code, own

    def deal(self, game: Game, code: SetCode) -> Deck:
        deck: Deck = self._checked("deal", Deck, "a Deck", game, code)
        for name, cards in deck.cards.items():
            if name not in standard_cards(game):
                self._refuse("deal", f"returns cards for “{shortened(name)}”, which is not a deck of the game")
            if not all(isinstance(card, Card) for card in cards):
                self._refuse("deal", f"must return Cards for “{name}”")
        if not all(isinstance(part, Component) for part in deck.components.values()):
            self._refuse("deal", "must return Components in Deck.components")
        every = {**standard_cards(game), **{name: tuple(cards) for name, cards in deck.cards.items()}}
        return Deck(every, str(code), deck.components, deck.field)

    def run(self, game: Game, code: SetCode, size: int) -> list[SetCode]:
        codes = self._list("run", "SetCodes", game, code, size)
        if not are(codes, SetCode):
            self._refuse("run", "must return SetCodes")
        return codes

    def data(self, game: Game, deck: Deck) -> Any:
        return self._call("data", game, deck)

    def lines(self, game: Game, deck: Deck) -> list[str]:
        return self._texts("lines", "a list of texts", game, deck)

    def unmet_constraints(self, game: Game, deck: Deck, code: SetCode) -> list[str]:
        return self._texts("unmet_constraints", "a list of texts", game, deck, code)


def are(values: object, kind: type) -> bool:
    return isinstance(values, tuple | list) and all(isinstance(value, kind) for value in values)


def are_texts(values: object) -> bool:
    return are(values, str)


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def shown(value: object) -> str:
    """The type of what a user’s method returned, for a message."""
    return "None" if value is None else type(value).__name__
