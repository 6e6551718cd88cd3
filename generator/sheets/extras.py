"""Reads the parts of a sheet that are not on paper, such as a log or a deal, using the game's type annotations."""

from __future__ import annotations

from marshal import dumps
from typing import Any, get_args, get_origin

from msgspec.structs import replace

from ..reading import typed
from ..reading.typed import scalar_text
from .draft import Draft
from .lookups import MAX_CACHED
from .wording import words

_MAX_CACHED_BYTES = 200


class Extra:
    """Reads one part. A bad entry in a list or mapping does not hide problems in the others. Entries of a class with
    `RECURS = True` are remembered by their data; such entries do not know their place."""

    def __init__(self, name: str, kind: Any) -> None:
        self.name, self.origin = name, get_origin(kind)
        inner = get_args(kind)[0 if self.origin is tuple else 1] if self.origin in (tuple, dict) else kind
        self.whole, self.inner = typed.parser(kind), typed.parser(inner)
        self.is_texts = self.origin is tuple and inner is str
        self.known: dict[bytes, Any] | None = {} if getattr(inner, "RECURS", False) else None

    def read(self, draft: Draft, value: Any) -> None:
        """Adds the part to the draft, with the places of its entries (`log.7`, `deal.Ann`) and their players."""
        self._put_place(draft, self.name, value)
        if self.is_texts and not draft.located and type(value) is list and {*map(type, value)} == {str}:
            draft.extra[self.name] = tuple(value)
        elif self.origin is tuple:
            entries = value if isinstance(value, list) else [value]
            parsed = [self._entry(draft, str(number), entry) for number, entry in enumerate(entries, 1)]
            draft.extra[self.name] = tuple([item for item in parsed if item is not None])
        elif self.origin is dict and isinstance(value, dict):
            named = {str(key): self._entry(draft, key, entry, str(key)) for key, entry in value.items()}
            draft.extra[self.name] = {key: item for key, item in named.items() if item is not None}
        else:
            draft.extra[self.name] = _parsed(draft, value, self.whole, self.name)

    def _entry(self, draft: Draft, inner: str, value: Any, owner: str | None = None) -> Any:
        if self.known is None or draft.located:
            return self._parsed(draft, inner, value, owner)
        key = dumps(value, 2)
        entry = self.known.get(key)
        if entry is None:
            entry = self._parsed(draft, inner, value, owner)
            if len(key) <= _MAX_CACHED_BYTES and len(self.known) < MAX_CACHED:
                self.known[key] = entry
        return entry

    def _parsed(self, draft: Draft, inner: str, value: Any, owner: str | None) -> Any:
        where = f"{self.name}.{inner}"
        self._put_place(draft, where, value)
        player = scalar_text(value["player"]) if isinstance(value, dict) and "player" in value else None
        if player is not None or owner:
            draft.people[where] = player if player is not None else owner or ""
        return _parsed(draft, value, self.inner, where)

    def _put_place(self, draft: Draft, where: str, value: Any) -> None:
        if draft.located and where not in draft.marks:
            draft.places[where] = value.place


def _parsed(draft: Draft, value: Any, parse: typed.Parse, where: str) -> Any:
    problems = draft.report.problems
    before = len(problems)
    parsed = parse(value, "", draft.report)
    if len(problems) == before:
        return parsed
    part = words(draft.sheet.definition, where, draft.people)
    problems[before:] = [replace(problem, message=_about(part, problem.message)) for problem in problems[before:]]
    return None


def _about(part: str, message: str) -> str:
    """A problem of a part or of a value in it: `log entry 2 must be a whole number`, `log entry 2: unknown key “x”`."""
    return f"{part}{' ' if message.startswith(('must ', 'needs ')) else ': '}{message}"
