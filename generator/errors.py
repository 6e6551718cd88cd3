"""Wrong input: where it stands, what is wrong with it, and what would be right."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_NEAR = 0.65
"""How much alike (difflib's ratio) two words must be for one to be suggested for the other."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file a person wrote; line 0 means the file as a whole."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, in one sentence, with a hint where one can be given."""

    message: str
    place: Place | None = None
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.message}{'; ' + self.hint if self.hint else ''}"


class InputError(Exception):
    """Input that cannot be used. Carries every problem found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Problem, ...]]]:
        """Pickled by its problems: an exception is otherwise made anew from its text, which a worker process sends."""
        return InputError, (self.problems,)


def fault(message: str, place: Place | None = None, hint: str = "") -> InputError:
    """An InputError with a single problem."""
    return InputError([Problem(message, place, hint)])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint naming the nearest known words, in any case, or all of them where there are few."""
    from difflib import get_close_matches  # only needed where something is wrong

    names = sorted(dict.fromkeys(map(str, known)), key=natural)
    spellings = {name.casefold(): name for name in reversed(names)}
    near = get_close_matches(str(word).casefold(), spellings, n=2, cutoff=_NEAR)
    if near:
        return f"did you mean {' or '.join(spellings[name] for name in near)}?"
    if 0 < len(names) <= 12:
        return f"known: {', '.join(names)}"
    return ""


def natural(text: str) -> list[tuple[int, int | str]]:
    """Sorts texts as people do: 2 before 10, `card 9` before `card 10`, numbers before words."""
    parts = re.findall(r"[0-9]{1,18}|[^0-9]+", text)
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in parts]
