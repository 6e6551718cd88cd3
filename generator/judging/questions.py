"""The questions of a sheet, in the order of the paper, and the answers given so far.

The answers form an immutable transcript: undo drops the last answer, resume replays them all.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from .. import draws
from ..errors import InputError
from ..games.base import GameRules
from ..model.game import Card, Game, ScoreSheet
from ..sheets import Asking, Reading, SheetReader
from ..sheets.marks import LineError, is_no_word, listed
from ..sheets.parts import SheetPart
from ..sheets.typed_lines import TICKED, LineCheck, Plain, Rows, plain, unquoted
from .judge import asking_of, reading_of, sheet_reader

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]
_TICKS_KEY = " ticked"
_OTHER, _BLANK = "not ", "blank"
_YES = ("y", "yes", "x", "✓", "✔", "true", "on", "1")
_NO = ("no", "n", "false", "off", "0", "-", ".")


class BlankForm(Struct, frozen=True, dict=True):
    """A sheet to fill in: its game (`named` is how the file names it), and what the game says about it."""

    game: Game
    sheet: ScoreSheet
    rules: GameRules[Any]
    named: str

    @cached_property
    def asking(self) -> Asking:
        return asking_of(self.rules, self.sheet)

    @cached_property
    def reading(self) -> Reading:
        return reading_of(self.rules, self.sheet)

    @cached_property
    def reader(self) -> SheetReader:
        return sheet_reader(self.game, self.sheet, self.rules)

    @property
    def parts(self) -> tuple[SheetPart, ...]:
        return self.reader.whole.inner

    @property
    def asked(self) -> list[SheetPart]:
        """The parts of a file that a person types."""
        return [part for part in self.parts if part.key not in self.asking.never]

    @property
    def heading(self) -> dict[str, str]:
        """The first keys of the file: the game, and the sheet unless it is the game's default one."""
        heading = {"game": self.named}
        if self.reading.selects:
            heading[self.reading.selects] = self.sheet.name
        elif self.sheet.name != self.game.judged:
            heading["sheet"] = self.sheet.name
        return heading

    @property
    def other_sheets(self) -> tuple[str, ...]:
        """The names of the game's other score sheets."""
        return tuple(name for name in self.game.sheets if name != self.sheet.name)

    def line_check(self, typed_codes: Iterable[str]) -> LineCheck | None:
        """How wrong an entry typed on one line is, with the cards of the first set code that is typed on the sheet."""
        return self.reader.line_check(self._cards(typed_codes))

    def _cards(self, typed_codes: Iterable[str]) -> Mapping[str, Card]:
        for text in typed_codes:
            with suppress(InputError):
                return self.reading.cards(self.game, draws.parse(text, prefix=self.game.definition.prefix))
        return self.reading.cards(self.game, None)

    @property
    def unprinted(self) -> list[SheetPart]:
        """The fields that are not on the paper, such as set codes."""
        return [part for part in self.parts if not part.paper and not part.extra]

    @cached_property
    def players(self) -> SheetPart | None:
        """The part with the players' names: a group for each of them, a row, or the name of the only one."""
        listed_by = sorted({part.by for top in self.parts for part in (top, *top.inner) if part.by})
        keys = [self.sheet.definition.players or "players", *listed_by, "player", "name"]
        return next((part for key in keys for part in self.parts if part.key == key), None)


class Question(Struct, frozen=True):
    """One question, answered with one line.

    `at` is where the answer goes in the document (entries by their numbers), `id` the id of the part and `part` the
    part itself; `prompt` stands before the answer, `heading` above a group of questions. `kind` is a `row` of a grid,
    whether there are `more` entries or parts, or any other `line`. `lines` is True for an entry of a list, and `ends`
    if an empty line ends the list. `names_a_player` is True for a name in a list of players."""

    at: Path
    id: str
    part: SheetPart
    prompt: str
    heading: str
    kind: Literal["line", "row", "more"] = "line"
    lines: bool = False
    ends: bool = False
    names_a_player: bool = False


class Progress(Struct, frozen=True):
    """The state that a transcript leads to: the next question (None after the last), the document so far, the ids of
    the parts that are finished, and the players' names."""

    question: Question | None
    document: dict[str, Plain]
    finished: frozenset[str]
    names: tuple[str, ...]


Steps: TypeAlias = Generator[Question, str, None]
Filled: TypeAlias = Generator[Question, str, bool]
"""Returns whether anything was typed."""


class Transcript(Struct, frozen=True):
    """The answers to the questions of a form, in order."""

    form: BlankForm
    answers: tuple[str, ...] = ()
    _progress: list[Progress] = field(default_factory=list)
    _askers: list[_Asker] = field(default_factory=list)
    """The asker that has heard these answers and no more, if there still is one."""

    def progress(self) -> Progress:
        """The state after the answers. Raises LineError if one cannot be understood."""
        if not self._progress:
            asker = _Asker(self.form)
            for answer in self.answers:
                asker.hear(answer)
            self._keep(asker)
        return self._progress[0]

    def answered(self, text: str) -> Transcript:
        """The transcript with one more answer. Raises LineError if it cannot be understood."""
        longer = Transcript(self.form, (*self.answers, text))
        if self._askers:
            asker = self._askers.pop()
            asker.hear(text)
            longer._keep(asker)
        else:
            longer.progress()
        return longer

    def _keep(self, asker: _Asker) -> None:
        document = self.form.heading | asker.document()
        self._progress.append(Progress(asker.question, document, frozenset(asker.finished), asker.names))
        self._askers.append(asker)

    def undone(self) -> Transcript:
        """The transcript without the last answer."""
        return Transcript(self.form, self.answers[:-1])


class _Asker:
    """Asks about one part of the form after the other and collects the answers. `question` waits for an answer; it is
    None after the last one."""

    def __init__(self, form: BlankForm) -> None:
        self.form = form
        self.draft: dict[Step, object] = {}
        self.finished: set[str] = set()
        self._steps = self.steps()
        self.question: Question | None = next(self._steps, None)

    def hear(self, answer: str) -> None:
        """Takes the answer to the question. Raises LineError if it cannot be understood; nothing can be asked then."""
        if self.question and self.question.names_a_player and is_no_word(answer):
            raise LineError(f"“{answer.strip()}” is not a name", "press Enter if there is no name")
        try:
            self.question = self._steps.send(answer)
        except StopIteration:
            self.question = None

    def document(self) -> dict[str, Plain]:
        document = _plain(self.draft)
        assert isinstance(document, dict)
        return dict(_separate_ticks(document))

    # ---- answers so far ----------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names typed so far."""
        players = self.form.sheet.definition.players
        if players is None:
            return self._row("players")
        entries = self.draft.get(players, {})
        names = (
            [entry.get("name") for entry in entries.values() if isinstance(entry, dict)]
            if isinstance(entries, dict)
            else []
        )
        return tuple(name for name in names if isinstance(name, str))

    def _row(self, key: str) -> tuple[str, ...]:
        """The names in a row, by which other parts are listed; none if two are the same."""
        names = [name for name in _texts(self.draft.get(key)) if name != "."]
        return tuple(names) if len({name.casefold() for name in names}) == len(names) else ()

    def _codes(self) -> list[str]:
        """The set codes typed so far."""
        fields = self.form.sheet.definition.fields
        return [code for key, spec in fields.items() if spec.kind == "code" for code in _texts(self.draft.get(key))]

    def _put(self, at: Path, value: object) -> None:
        inside = self.draft
        for step in at[:-1]:
            inside = inside.setdefault(step, {})  # type: ignore[assignment]
        inside[at[-1]] = value

    def _applies(self, at: Path, where: str) -> bool:
        """Whether the part at this path is in play, as far as the answers tell."""
        condition = self.form.asking.when.get(_keys(where))
        if condition is None:
            return True
        key, needed = condition
        group, _, last = key.rpartition(".")
        if group == _keys(where).rpartition(".")[0] and not self._applies(
            (*at[:-1], last), f"{where.rpartition('.')[0]}.{last}"
        ):
            return False  # what it depends on is not asked for, either
        value = self._beside(key, at, where)
        texts = [text.lower() for text in _texts(value)]
        if needed == _BLANK:
            return not texts
        if needed.startswith(_OTHER):
            return needed.removeprefix(_OTHER) not in texts
        return needed in texts if needed else value is not None and texts[:1] not in [[no] for no in _NO]

    def _beside(self, key: str, at: Path, where: str) -> object:
        """The answer to the part with this key, in the same entries as the part at this path."""
        path, keys = list[Step](), key.split(".")
        for step, name in zip(at, where.split("."), strict=True):
            if not keys or not (name.isdecimal() or name == keys[0]):
                break
            path.append(step)
            if not name.isdecimal():
                del keys[0]
        value: object = self.draft
        for step in (*path, *keys):
            value = value.get(step) if isinstance(value, dict) else None
        return value

    # ---- parts -------------------------------------------------------------------------------------------------------

    def steps(self) -> Steps:
        unprinted = self.form.unprinted
        skipped: list[SheetPart] = []
        for part in self.form.asked:
            if len(unprinted) > 1 and part == unprinted[0] and not (yield from self._any_of(unprinted)):
                skipped = unprinted
            applies = part not in skipped and self._applies((part.key,), part.key)
            if applies and not (part.extra and part.kind == "mark"):  # an option of the file
                yield from self._part(part, (part.key,), part.key, "")

    def _any_of(self, parts: list[SheetPart]) -> Filled:
        """Asks once whether any of these parts is to be filled in, as most sheets leave all of them blank."""
        labels = listed([part.label.lower() for part in parts])
        tips = "; ".join(f"{part.label} – {part.tip}" if part.tip else part.label for part in parts)
        together = replace(parts[0], tip=f"not on the paper. {tips}")
        any_answer = yield from self._yes(Question((), parts[0].key, together, labels, heading="", kind="more"))
        self.finished |= set() if any_answer else {part.key for part in parts}
        return any_answer

    def _part(self, part: SheetPart, at: Path, where: str, outer_heading: str) -> Filled:
        if part.kind == "list":
            any_answer = yield from self._entries(part, at, where, outer_heading)
        elif part.kind == "row" and part is self.form.players:
            any_answer = yield from self._player_names(part, at, where)
        elif part.kind == "grid":
            any_answer = yield from self._grid(part, at, where, outer_heading)
        elif part.kind == "named":
            any_answer = yield from self._named(part, at, where, outer_heading)
        elif part.kind == "group" and not part.is_on_a_line:
            any_answer = yield from self._parts(part.inner, at, where, _inside(outer_heading, part.label))
        else:
            twin = any(other.extra and other.key == part.key for other in self.form.parts) and not part.extra
            at = (f"{part.key}{_TICKS_KEY}",) if twin else at
            any_answer = yield from self._line(part, at, where, part.label, heading=outer_heading or part.label)
        self.finished.add(where)
        return any_answer

    def _parts(self, parts: Iterable[SheetPart], at: Path, where: str, outer_heading: str) -> Filled:
        any_answer = False
        for part in parts:
            inner, path = (*at, part.key), f"{where}.{part.key}"
            if self._applies(inner, path):
                filled = yield from self._part(part, inner, path, outer_heading)
                any_answer = any_answer or filled
        return any_answer

    def _player_names(self, part: SheetPart, at: Path, where: str) -> Filled:
        """One name per line, until an empty line."""
        names: list[str] = []
        while len(names) < part.most:
            name = yield from self._player_name(part, at, where, len(names) + 1)
            if not name:
                break
            names.append(name)
            self._put(at, list(names))
        return bool(names)

    def _player_name(self, part: SheetPart, at: Path, where: str, number: int) -> Generator[Question, str, str]:
        label = f"{part.label} {number}"
        entry = part.single
        name = unquoted(
            (
                yield Question(
                    (*at, number),
                    f"{where}.{number}",
                    entry,
                    label,
                    heading=label,
                    ends=number > 1,
                    names_a_player=True,
                )
            ).strip()
        )
        if "," in name or name[:1] in ("[", "{"):
            raise LineError("type one player per line", "press Enter after each name")
        return name

    def _in_play(self, part: SheetPart, at: Path, where: str) -> SheetPart:
        """A part typed on one line, without places and examples for what is not in play; a key still finds it."""
        absent = {inner.key for inner in part.inner if not self._applies((*at, inner.key), f"{where}.{inner.key}")}
        if not (absent or part.examples):
            return part
        inner = tuple(replace(one, placed=False, paper=False) if one.key in absent else one for one in part.inner)
        in_play = replace(part, inner=inner) if absent else part
        examples = [text for text in part.examples if absent.isdisjoint(plain(in_play, text, self.names) or ())]
        longest = (text for text in examples if not any(text != other and other.startswith(text) for other in examples))
        return replace(in_play, examples=tuple(longest))

    def _line(
        self,
        part: SheetPart,
        at: Path,
        where: str,
        prompt: str,
        heading: str,
        lines: bool = False,
        ends: bool = False,
        names_a_player: bool = False,
    ) -> Filled:
        part = self._in_play(part, at, where)
        answer = yield Question(
            at, where, part, prompt, heading=heading, lines=lines, ends=ends, names_a_player=names_a_player
        )
        value = _tick(answer) if part.yes_or_no else self._plain(part, answer)
        if value is None:
            return False
        if value == TICKED and part.kind == "ticks":
            value = part.inner[0].key
        self._put(at, value)
        return True

    def _plain(self, part: SheetPart, answer: str) -> Plain | None:
        names = self._row(part.by) if part.by else self.names
        value = plain(part, answer, names, self.form.line_check(self._codes()))
        _refuse_out_of_range(part, value)
        return value

    def _grid(self, part: SheetPart, at: Path, where: str, outer_heading: str) -> Filled:
        """Asks row by row from the top; rows that are still to come are blank."""
        fields, across = [box.key for box in part.inner], part.spec.across or 1
        rows = [fields[start : start + across] for start in range(0, len(fields), across)]
        typed = Rows([" ".join("." * across)] * len(rows))
        any_answer = False
        for number, names in enumerate(rows):
            answer = (
                yield Question(
                    at,
                    f"{where}.{names[0]}",
                    part,
                    _row_name(names),
                    heading=_inside(outer_heading, part.label),
                    kind="row",
                )
            ).strip()
            if answer:
                typed[number], any_answer = answer, True
                self._put(at, Rows(typed))
            if part.key in self.form.asking.by_rows and number:
                self.finished |= {f"{where}.{name}" for name in rows[number - 1]}
        return any_answer

    def _named(self, part: SheetPart, at: Path, where: str, outer_heading: str) -> Filled:
        """Asks for one value per player."""
        any_answer = False
        entry, heading = (
            replace(part.inner[0], tip=part.tip, examples=part.examples),
            _inside(outer_heading, part.label),
        )
        for name in self.names:
            filled = yield from self._line(entry, (*at, name), f"{where}.{name}", name, heading=heading, lines=True)
            any_answer = any_answer or filled
        return any_answer

    # ---- entries -----------------------------------------------------------------------------------------------------

    def _entries(self, part: SheetPart, at: Path, where: str, outer_heading: str) -> Filled:
        names = self._row(part.by) if part.by else ()
        if names:
            return (yield from self._of_each(part, names, at, where, outer_heading=outer_heading))
        return (yield from self._one_by_one(part, at, where, outer_heading))

    def _of_each(self, part: SheetPart, names: tuple[str, ...], at: Path, where: str, outer_heading: str) -> Filled:
        """Asks for one entry per player."""
        any_answer = False
        for number, name in enumerate(names, 1):
            inner, entry = f"{where}.{number}", _inside(outer_heading, name)
            if part.is_on_a_line:
                filled = yield from self._line(
                    part.single, (*at, name), inner, name, heading=outer_heading or part.label, lines=True
                )
            else:
                filled = yield from self._parts(part.inner, (*at, name), inner, entry)
            self.finished.add(inner)
            any_answer = any_answer or filled
        return any_answer

    def _one_by_one(self, part: SheetPart, at: Path, where: str, outer_heading: str) -> Filled:
        """Asks for entries until there are no more. An empty line ends entries of one line and entries that begin with
        a name; for others there is a question."""
        for number in range(1, part.most + 1):
            inner, label = f"{where}.{number}", f"{part.label} {number}"
            here, entry = (*at, number), _inside(outer_heading, f"{part.label} {number}")
            if _begins_with_a_name(part) and (part is self.form.players or not part.is_on_a_line):
                filled = yield from self._with_a_name(part, here, inner, entry, number=number)
            elif part.is_on_a_line:
                filled = yield from self._line(
                    part.single, here, inner, label, heading=_inside(outer_heading, part.label), lines=True, ends=True
                )
            else:
                filled = (yield from self._more(part, here, inner, entry, number=number)) and (
                    yield from self._rest(part.inner, here, inner, entry)
                )
            if not filled:
                return number > 1
            self.finished.add(inner)
        return True

    def _with_a_name(self, part: SheetPart, at: Path, where: str, outer_heading: str, number: int) -> Filled:
        """An entry that begins with a name, which is asked for first."""
        first, *rest = part.inner
        ends = number > 1
        names_a_player = part is self.form.players
        path = f"{where}.{first.key}"
        named = yield from self._line(
            first,
            (*at, first.key),
            path,
            outer_heading,
            heading=outer_heading,
            ends=ends,
            names_a_player=names_a_player,
        )
        if named:
            name = self.names[-1] if self.names else outer_heading
            self.finished.add(f"{where}.{first.key}")
            yield from self._parts(rest, at, where, name)
        return named

    def _more(self, part: SheetPart, at: Path, where: str, outer_heading: str, number: int) -> Filled:
        if number == 1:
            return True
        return (yield from self._yes(Question(at, where, part, outer_heading, heading=outer_heading, kind="more")))

    def _yes(self, question: Question) -> Filled:
        answer = (yield question).strip().lower()
        if answer not in ("", *_YES, *_NO):
            raise LineError("type y or n", "Enter alone means no")
        return answer in _YES

    def _rest(self, parts: tuple[SheetPart, ...], at: Path, where: str, outer_heading: str) -> Filled:
        """Asks for the parts of an entry that exists even if all of them are blank."""
        yield from self._parts(parts, at, where, outer_heading)
        return True


def _begins_with_a_name(part: SheetPart) -> bool:
    """Whether the first text of an entry names it. A text before the name of a player does not."""
    first, *others = part.inner
    return first.words and (bool(first.by) or not any(other.by for other in others))


def _inside(outer_heading: str, label: str) -> str:
    return ", ".join(filter(None, (outer_heading, label)))


def _keys(where: str) -> str:
    """The path of keys that leads to a part, without the numbers of entries."""
    return ".".join([step for step in where.split(".") if not step.isdecimal()])


def _tick(answer: str) -> str | None:
    """The mark of a box that is ticked or not."""
    typed = answer.strip()
    if typed.lower() in ("", *_NO):
        return None
    return TICKED if typed.lower() in _YES else typed


def _row_name(fields: list[str]) -> str:
    """The name of a row of a grid: the number that its fields share."""
    numbers = {name.lstrip("abcdefghijklmnopqrstuvwxyz") for name in fields}
    number = numbers.pop() if len(numbers) == 1 else ""
    return f"row {number}" if number else f"{fields[0]} to {fields[-1]}"


def _texts(value: object) -> list[str]:
    """The texts of a row, or a single text as a list; empty for anything else."""
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]


def _refuse_out_of_range(part: SheetPart, value: object) -> None:
    """Raises LineError for a number outside the range that the question shows."""
    span = part.spec.span if part.number else None
    for key, inner in value.items() if isinstance(value, dict) else ():
        _refuse_out_of_range(part.by_key.get(key, part), inner)
    for text in _texts(value) if span else ():
        if span and re.fullmatch(r"[+-]?[0-9]+", text) and int(text) not in span:
            raise LineError(f"“{text}” is out of range", f"type a number from {part.expected}")


def _separate_ticks(document: dict[str, Plain]) -> Iterator[tuple[str, Plain]]:
    """The document with ticks that share their key with another part written by their ids."""
    for key, value in document.items():
        name = key.removesuffix(_TICKS_KEY)
        if key == name or name not in document:
            yield name, value
        else:
            yield from ((f"{name}.{tick}", "x") for tick in (value if isinstance(value, list) else [value]))


def _plain(value: object) -> Plain:
    """The draft as a document: mappings from numbers to entries become lists."""
    if isinstance(value, Rows):
        return value
    if not isinstance(value, dict):
        return value  # type: ignore[return-value]
    entries = {key: _plain(inner) for key, inner in value.items()}
    if entries and all(isinstance(key, int) for key in entries):
        return [entries.get(number, {}) for number in range(1, max(key for key in entries if isinstance(key, int)) + 1)]
    return {str(key): inner for key, inner in entries.items()}
