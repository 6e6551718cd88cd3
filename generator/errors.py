"""Input errors: what is wrong, in which file and line, and how to fix it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct, field
from msgspec.structs import replace

_SHORTEST = 3  # letters of an abbreviation that is completed
_NEAR = 0.65  # the similarity (difflib's ratio) at which a word is suggested for a misspelt one


class Place(Struct, frozen=True):
    """A line of an input file, perhaps with a column, a cell of a worksheet, or a field: of a table by its heading, or
    of a PDF form by its label on paper. Line 0 means the file as a whole. In a worksheet, `line` is the row."""

    file: str
    line: int = 0
    field: str = ""
    sheet: str = ""
    cell: str = ""
    column: int = 0

    def __str__(self) -> str:
        if self.field:
            return f"{self.file}{f':{self.line}' if self.line else ''} ({self.field})"
        if self.sheet:
            where = self.cell or (f"row {self.line}" if self.line else "")
            return f"{self.file}, sheet “{shortened(self.sheet)}”{', ' + where if where else ''}"
        if self.column:
            return f"{self.file}:{self.line}:{self.column}"
        return f"{self.file}:{self.line}" if self.line else self.file


class Problem(Struct, frozen=True):
    """One problem in one sentence, with a hint if there is one.

    `alike` is the same sentence for several cards, if theirs differ: `{}` stands for the `detail`, of which a summary
    gives the largest number, or the first word. `in_cards` means that `place` is in the table of cards, so that it
    differs from card to card."""

    message: str
    place: Place | None = None
    hint: str = ""
    alike: str = ""
    detail: float | str = 0.0
    in_cards: bool = False

    def __str__(self) -> str:
        parts = f"{self.place}: " if self.place else "", self.message, f"; {self.hint}" if self.hint else ""
        return "".join(part if len(part) <= MAX_PART else f"{part[: MAX_PART - 1]}…" for part in parts)


class InputError(Exception):
    """Input that cannot be used. Carries every problem, not only the first."""

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def at(self, place: Place | None) -> InputError:
        """The same problems; those without a place get this one."""
        return InputError(replace(problem, place=problem.place or place) for problem in self.problems)

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Problem, ...]]]:
        """Pickles the problems, for worker processes; by default only the text would be pickled."""
        return InputError, (self.problems,)


def fault(message: str, place: Place | None = None, hint: str = "") -> InputError:
    """An InputError with a single problem."""
    return InputError([Problem(message, place, hint)])


def refuse(problems: Iterable[Problem]) -> None:
    """Raises InputError with these problems, each only once, if there are any."""
    if each := dict.fromkeys(problems):
        raise InputError(each)


@contextmanager
def collecting(problems: list[Problem], place: Place | None = None) -> Iterator[None]:
    """Adds the problems of an InputError inside to others, which `refuse` raises together. Those without a place get
    this one."""
    try:
        yield
    except InputError as error:
        problems += error.at(place).problems


# ---- notes

_collections: list[dict[Problem, None]] = []  # the collections of notes that are open, the innermost last


def note(message: str, place: Place | None = None, hint: str = "") -> None:
    """Notes something about the input that does not stop it from being printed, such as a picture of low resolution."""
    if _collections:
        _collections[-1][Problem(message, place, hint)] = None


def repeat(notes: Iterable[Problem]) -> None:
    """Notes what another process has noted."""
    if _collections:
        _collections[-1].update(dict.fromkeys(notes))


@contextmanager
def noting() -> Iterator[dict[Problem, None]]:
    """Collects the notes of everything inside, each only once."""
    notes: dict[Problem, None] = {}
    _collections.append(notes)
    try:
        yield notes
    finally:
        _collections.pop()


# ---- words of the input in messages ---------------------------------------------------------------------------------

MAX_QUOTED = 60
"""The maximum length of a text that a message quotes."""
MAX_PART = 600
"""The maximum length of the place, the sentence and the hint of a problem."""
MAX_NAMES = 12
"""The maximum number of names that a message lists."""
MAX_COMPARED = 4_000
"""The maximum number of names that a misspelt word is compared with: each comparison takes about 5 µs."""


def shortened(text: object, max_length: int = MAX_QUOTED) -> str:
    """A text as a message quotes it: at most `max_length` characters, without control characters."""
    start = str(text)[: max_length + 1]
    if not start.isprintable():
        start = "".join(letter if letter.isprintable() else " " if letter.isspace() else "�" for letter in start)
    return start if len(start) <= max_length else start[: max_length - 1] + "…"


def listed(names: Iterable[object]) -> str:
    """`a, b, c`; a long list ends with the number of further names."""
    words = list(names)
    more = len(words) - MAX_NAMES
    return ", ".join(shortened(name, 30) for name in words[:MAX_NAMES]) + (f" and {more:,} more" if more > 0 else "")


def similar(text: str, spellings: Iterable[str], ratio: float) -> list[str]:
    """The two spellings that are the most similar to a text, if their similarity (difflib's ratio) is high enough."""
    from difflib import get_close_matches  # takes a millisecond to load, and is needed only after a mistake

    return get_close_matches(text, spellings, n=2, cutoff=ratio)


def did_you_mean(word: str, choices: Iterable[str], known: Iterable[str] = ()) -> str:
    """A hint with the choices most similar to `word`, in any case. If there are none, it lists the `known` words, or
    all choices if there are only a few."""
    text = str(word)[: MAX_QUOTED + 1].casefold()
    names = {name for name in map(str, choices) if len(name) <= MAX_QUOTED}
    # the ratio (2 × letters in common ÷ all letters) is small if the lengths differ a lot
    near = [name for name in names if 2 * min(len(name), len(text)) >= _NEAR * (len(name) + len(text))]
    if len(text) <= MAX_QUOTED and len(near) <= MAX_COMPARED:
        spellings = {name.casefold(): name for name in sorted(near, key=natural, reverse=True)}
        near = similar(text, spellings, _NEAR)
        near = [spellings[name] for name in near] or _abbreviated(text, names)
        if near:
            return f"did you mean {' or '.join(near)}?"
    if known:
        return f"known: {listed(dict.fromkeys(known))}"
    return f"known: {', '.join(sorted(names, key=natural))}" if 0 < len(names) <= MAX_NAMES else ""


def _abbreviated(text: str, names: Iterable[str]) -> list[str]:
    """The names of which `text` is a word, or else the only one that has its letters in this order, with the first of
    each word among them: `ground` for from_the_ground_up, `tts` for tabletop-simulator."""
    if len(text) < _SHORTEST or len(names := list(names)) > MAX_COMPARED:
        return []
    words = {name: re.findall(r"[a-z0-9]+", name.casefold()) for name in names}
    letters = re.compile(".*".join(map(re.escape, text)))
    alike = [name for name in names if letters.match(name.casefold()) and {word[0] for word in words[name]} <= {*text}]
    named = sorted([name for name in names if text in words[name]], key=natural)
    return named[:2] or (alike if len(alike) == 1 else [])


def natural(text: str) -> list[tuple[int, int | str]]:
    """Sorts texts as people do: 2 before 10, `card 9` before `card 10`, numbers before words."""
    parts = re.findall(r"[0-9]{1,18}|[^0-9]+", text)
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in parts]


# ---- many problems --------------------------------------------------------------------------------------------------

MAX_SHOWN = 20
"""The maximum number of problems that one run prints. Hints are only looked up for these."""
MAX_COLLECTED = 1_000
"""A reader stops after this many problems."""
MAX_LETTERS = 600
_SUBJECT = re.compile(r"(card|die|pawn) ((?:(?! of “)[^\n:,])+)( of “[^”]*”)?((?:, side \d)?[:,] )", re.ASCII)
_RENDERED = re.compile(r" \(line \d+ as rendered: .*\)$", re.DOTALL)
_MAX_SUBJECTS = 3
_MAX_LINES = 8


def collect(problems: list[Problem], problem: Problem) -> None:
    """Adds a problem; raises InputError when there are too many to read on."""
    problems.append(problem)
    if len(problems) >= MAX_COLLECTED:
        raise InputError(problems)


class _Group(Struct):
    """One problem, with the ids of the cards and the lines of the file that have it. `worst` is the one with the
    largest number."""

    first: Problem
    worst: Problem
    count: int = 0
    subjects: dict[str, None] = field(default_factory=dict)
    messages: set[str] = field(default_factory=set)
    lines: dict[int, None] = field(default_factory=dict)
    cells: dict[str, None] = field(default_factory=dict)

    def add(self, problem: Problem) -> None:
        self.count += 1
        subject = _SUBJECT.match(problem.message)
        if subject:
            self.subjects[subject[2]] = None
            self.messages.add(_RENDERED.sub("", problem.message[subject.end() :]))
        if isinstance(problem.detail, float) and problem.detail > self.worst.detail:  # type: ignore[operator]
            self.worst = problem
        if problem.place and problem.place.line:
            self.lines[problem.place.line] = None
            if problem.place.cell:
                self.cells[problem.place.cell] = None

    def problem(self) -> Problem:
        if self.count == 1:
            return self.first
        subject = _SUBJECT.match(self.first.message)
        if subject and len(self.subjects) > 1:
            kind = {"die": "dice"}.get(subject[1], f"{subject[1]}s")
            who = counted(self.subjects, f"{kind}{subject[3] or ''}")
            also = self._also(self.cells or self.lines) if self.first.in_cards else ""
            return Problem(f"{who}: {self._alike()}{also}", self.first.place, self.worst.hint)
        also = self._also(self.cells or self.lines)
        return replace(self.first, message=self.first.message + also) if also else self.first

    def _also(self, names: Iterable[object]) -> str:
        """The cells or lines after the first: ` (also in B9, B12)`."""
        places = list(names)
        if len(places) < 2:
            return ""
        more = len(places) - 1 - _MAX_LINES
        also = ", ".join(map(str, places[1 : 1 + _MAX_LINES])) + (f" and {more:,} more" if more > 0 else "")
        return f" (also {'in' if self.cells else self._lines(len(places) > 2)} {also})"

    def _alike(self) -> str:
        """The problem without what differs between the cards."""
        if len(self.messages) == 1:
            return next(iter(self.messages))
        detail = self.worst.detail
        text = f"{detail:.1f}".removesuffix(".0") if isinstance(detail, float) else shortened(detail)
        return self.first.alike.replace("{}", text)

    def _lines(self, several: bool) -> str:
        in_a_sheet = self.first.place is not None and self.first.place.sheet
        return f"{'in row' if in_a_sheet else 'on line'}{'s' * several}"


def counted(names: Iterable[str], kind: str) -> str:
    """`39 cards (a1, a2, a3, …)`."""
    ids = list(names)
    return f"{len(ids):,} {kind} ({', '.join(ids[:_MAX_SUBJECTS])}{', …' * (len(ids) > _MAX_SUBJECTS)})"


def same_problem(problem: Problem) -> tuple[str, str, int]:
    """What the same problem on several cards or lines has in common."""
    subject, place = _SUBJECT.match(problem.message), problem.place
    file = place.file if place else ""
    if not subject:
        return problem.message, file, 0
    message = problem.alike or _RENDERED.sub("", problem.message[subject.end() :])
    return f"{subject[1]}{subject[3]} {message}", file, place.line if place and not problem.in_cards else 0


def summary(problems: Iterable[Problem]) -> list[Problem]:
    """Shortens a list of problems: merges the same problem on many cards or lines into one, and cuts a long list."""
    groups: dict[tuple[str, str, int], _Group] = {}
    for problem in problems:
        groups.setdefault(same_problem(problem), _Group(problem, problem)).add(problem)
    return list(_cut([group.problem() for group in groups.values()]))


def _cut(problems: list[Problem]) -> Iterator[Problem]:
    listed_problems = problems if len(problems) <= MAX_SHOWN else problems[: MAX_SHOWN - 1]
    for problem in listed_problems:
        if len(problem.message) > MAX_LETTERS:
            yield Problem(shortened(problem.message, MAX_LETTERS), problem.place, shortened(problem.hint, MAX_LETTERS))
        else:
            yield problem
    if len(listed_problems) < len(problems):
        yield Problem(f"and {len(problems) - len(listed_problems):,} more problems")
