"""Filling in a sheet: its questions in the order of the paper, the answers given so far, and a check after each answer.

The answers form an immutable transcript: undo drops the last answer, resume replays them all.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from .. import draws
from ..errors import InputError, Problem, did_you_mean, fault
from ..games.base import GameRules
from ..model.game import Card, Game, ScoreSheet
from ..rules.results import Answer, Finding, Judged
from ..sheets import Asking, Reading, SheetReader, documents
from ..sheets.marks import LineError, is_no_word, more_than_a_name
from ..sheets.parts import SheetPart
from ..sheets.typed_lines import TICKED, LineCheck, Plain, Rows, plain, sheet_text, unquoted
from ..spelling import bare, joined
from .judge import Judge, asking_of, comes_with_pencilbox, game_judge, reading_of, sheet_reader

Step: TypeAlias = str | int
Keys: TypeAlias = tuple[Step, ...]
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

    at: Keys
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
    # The asker that has heard these answers and no more, if there still is one.
    _askers: list[_Asker] = field(default_factory=list)

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


class _PartSpot(Struct, frozen=True):
    """A place on the sheet: where its answer goes in the document, its id, and the heading of the questions there."""

    at: Keys
    id: str
    heading: str = ""

    def inside(self, key: Step, label: str = "", step: Step | None = None) -> _PartSpot:
        """A part or an entry inside, whose `label` is added to the heading. `step` is its key in the document if that
        differs from its key in the id."""
        return _PartSpot((*self.at, key if step is None else step), f"{self.id}.{key}", self.under(label))

    def under(self, label: str) -> str:
        """The heading of a part with this label."""
        return ", ".join(filter(None, (self.heading, label)))


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
        name = (
            answer.strip()
            if self.question and (self.question.names_a_player or self.question.part is self.form.players)
            else ""
        )
        if doubt := more_than_a_name(name, name[:1] in "'\""):
            raise LineError(f"“{name}” {doubt}", "type one player per line, and only the name")
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

    def _put(self, at: Keys, value: object) -> None:
        inside = self.draft
        for step in at[:-1]:
            inside = inside.setdefault(step, {})  # type: ignore[assignment]
        inside[at[-1]] = value

    def _applies(self, spot: _PartSpot) -> bool:
        """Whether the part at this place is in play, as far as the answers tell."""
        condition = self.form.asking.when.get(_keys(spot.id))
        if condition is None:
            return True
        key, needed = condition
        group, _, last = key.rpartition(".")
        beside = _PartSpot((*spot.at[:-1], last), f"{spot.id.rpartition('.')[0]}.{last}")
        if group == _keys(spot.id).rpartition(".")[0] and not self._applies(beside):
            return False  # what it depends on is not asked for, either
        value = self._beside(key, spot)
        texts = [text.lower() for text in _texts(value)]
        if needed == _BLANK:
            return not texts
        if needed.startswith(_OTHER):
            return needed.removeprefix(_OTHER) not in texts
        return needed in texts if needed else value is not None and texts[:1] not in [[no] for no in _NO]

    def _beside(self, key: str, spot: _PartSpot) -> object:
        """The answer to the part with this key, in the same entries as the part at this place."""
        path, keys = list[Step](), key.split(".")
        for step, name in zip(spot.at, spot.id.split("."), strict=True):
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
            spot = _PartSpot((part.key,), part.key)
            applies = part not in skipped and self._applies(spot)
            if applies and not (part.extra and part.kind == "mark"):  # an option of the file
                yield from self._part(part, spot)

    def _any_of(self, parts: list[SheetPart]) -> Filled:
        """Asks once whether any of these parts is to be filled in, as most sheets leave all of them blank."""
        labels = joined([part.label.lower() for part in parts], "or")
        tips = "; ".join(f"{part.label} – {part.tip}" if part.tip else part.label for part in parts)
        together = replace(parts[0], tip=f"not on the paper. {tips}")
        any_answer = yield from self._yes(Question((), parts[0].key, together, labels, heading="", kind="more"))
        self.finished |= set() if any_answer else {part.key for part in parts}
        return any_answer

    def _part(self, part: SheetPart, spot: _PartSpot) -> Filled:
        asks = {"list": self._entries, "grid": self._grid, "named": self._named}.get(part.kind)
        if part.kind == "row" and part is self.form.players:
            asks = self._player_names
        if asks:
            any_answer = yield from asks(part, spot)
        elif part.kind == "group" and not part.is_on_a_line:
            any_answer = yield from self._parts(part.inner, replace(spot, heading=spot.under(part.label)))
        else:
            twin = any(other.extra and other.key == part.key for other in self.form.parts) and not part.extra
            there = replace(spot, at=(f"{part.key}{_TICKS_KEY}",)) if twin else spot
            any_answer = yield from self._line(part, there, part.label, heading=spot.heading or part.label)
        self.finished.add(spot.id)
        return any_answer

    def _parts(self, parts: Iterable[SheetPart], spot: _PartSpot) -> Filled:
        spots = ((part, spot.inside(part.key)) for part in parts)
        return (yield from _all(self._part(part, inner) for part, inner in spots if self._applies(inner)))

    def _player_names(self, part: SheetPart, spot: _PartSpot) -> Filled:
        """One name per line, until an empty line."""
        names: list[str] = []
        while len(names) < part.most:
            number = len(names) + 1
            label, there = f"{part.label} {number}", spot.inside(number)
            name = unquoted(
                (
                    yield Question(there.at, there.id, part.single, label, label, ends=number > 1, names_a_player=True)
                ).strip()
            )
            if not name:
                break
            names.append(name)
            self._put(spot.at, list(names))
        return bool(names)

    def _in_play(self, part: SheetPart, spot: _PartSpot) -> SheetPart:
        """A part typed on one line, without places and examples for what is not in play; a key still finds it."""
        absent = {inner.key for inner in part.inner if not self._applies(spot.inside(inner.key))}
        if not (absent or part.examples):
            return part
        inner = tuple(replace(one, placed=False, paper=False) if one.key in absent else one for one in part.inner)
        in_play = replace(part, inner=inner) if absent else part
        examples = [text for text in part.examples if absent.isdisjoint(plain(in_play, text, self.names) or ())]
        longest = (text for text in examples if not any(text != other and other.startswith(text) for other in examples))
        return replace(in_play, examples=tuple(longest))

    def _line(self, part: SheetPart, spot: _PartSpot, prompt: str, heading: str, **about: Any) -> Filled:
        """Asks one question, with what else is known `about` it."""
        part = self._in_play(part, spot)
        answer = yield Question(spot.at, spot.id, part, prompt, heading, **about)
        value = _tick(answer) if part.yes_or_no else self._plain(part, answer)
        if value is None:
            return False
        if value == TICKED and part.kind == "ticks":
            value = part.inner[0].key
        self._put(spot.at, value)
        return True

    def _plain(self, part: SheetPart, answer: str) -> Plain | None:
        names = self._row(part.by) if part.by else self.names
        value = plain(part, answer, names, self.form.line_check(self._codes()))
        _refuse_out_of_range(part, value)
        return value

    def _grid(self, part: SheetPart, spot: _PartSpot) -> Filled:
        """Asks row by row from the top; rows that are still to come are blank."""
        fields, across = [box.key for box in part.inner], part.spec.across or 1
        rows = [fields[start : start + across] for start in range(0, len(fields), across)]
        typed = Rows([" ".join("." * across)] * len(rows))
        any_answer, heading = False, spot.under(part.label)
        for number, names in enumerate(rows):
            question = Question(spot.at, f"{spot.id}.{names[0]}", part, _row_name(names), heading, kind="row")
            if answer := (yield question).strip():
                typed[number], any_answer = answer, True
                self._put(spot.at, Rows(typed))
            if part.key in self.form.asking.by_rows and number:
                self.finished |= {f"{spot.id}.{name}" for name in rows[number - 1]}
        return any_answer

    def _named(self, part: SheetPart, spot: _PartSpot) -> Filled:
        """Asks for one value per player."""
        entry, heading = replace(part.inner[0], tip=part.tip, examples=part.examples), spot.under(part.label)
        lines = (self._line(entry, spot.inside(name), name, heading, lines=True) for name in self.names)
        return (yield from _all(lines))

    # ---- entries -----------------------------------------------------------------------------------------------------

    def _entries(self, part: SheetPart, spot: _PartSpot) -> Filled:
        names = self._row(part.by) if part.by else ()
        if names:
            return (yield from _all(self._of_one(part, spot, name, number) for number, name in enumerate(names, 1)))
        return (yield from self._one_by_one(part, spot))

    def _of_one(self, part: SheetPart, spot: _PartSpot, name: str, number: int) -> Filled:
        """Asks for the entry of a player."""
        there = spot.inside(number, name, name)
        if part.is_on_a_line:
            filled = yield from self._line(part.single, there, name, spot.heading or part.label, lines=True)
        else:
            filled = yield from self._parts(part.inner, there)
        self.finished.add(there.id)
        return filled

    def _one_by_one(self, part: SheetPart, spot: _PartSpot) -> Filled:
        """Asks for entries until there are no more. An empty line ends entries of one line and entries that begin with
        a name; for others there is a question."""
        first, *others = part.inner  # a text before the name of a player does not name an entry
        is_named = first.words and (bool(first.by) or not any(other.by for other in others))
        for number in range(1, part.most + 1):
            label = f"{part.label} {number}"
            there = spot.inside(number, label)
            if is_named and (part is self.form.players or not part.is_on_a_line):
                filled = yield from self._with_a_name(part, there, ends=number > 1)
            elif part.is_on_a_line:
                filled = yield from self._line(part.single, there, label, spot.under(part.label), lines=True, ends=True)
            else:
                more = Question(there.at, there.id, part, there.heading, there.heading, kind="more")
                filled = number == 1 or (yield from self._yes(more))
                yield from self._parts(part.inner if filled else (), there)
            if not filled:
                return number > 1
            self.finished.add(there.id)
        return True

    def _with_a_name(self, part: SheetPart, spot: _PartSpot, ends: bool) -> Filled:
        """An entry that begins with a name, which is asked for first."""
        first, *rest = part.inner
        there, are_players = spot.inside(first.key), part is self.form.players
        named = yield from self._line(first, there, spot.heading, spot.heading, ends=ends, names_a_player=are_players)
        if named:
            self.finished.add(there.id)
            yield from self._parts(rest, replace(spot, heading=self.names[-1] if self.names else spot.heading))
        return named

    def _yes(self, question: Question) -> Filled:
        answer = (yield question).strip().lower()
        if answer not in ("", *_YES, *_NO):
            raise LineError("type y or n", "Enter alone means no")
        return answer in _YES


def _all(steps: Iterable[Filled]) -> Filled:
    """Asks for several parts; whether anything was typed in any of them."""
    any_answer = False
    for step in steps:
        filled = yield from step
        any_answer = any_answer or filled
    return any_answer


def _keys(where: str) -> str:
    """The path of keys that leads to a part, without the numbers of entries."""
    return ".".join([step for step in where.split(".") if not step.isdecimal()])


def _tick(answer: str) -> str | None:
    """The mark of a box that is ticked or not."""
    typed = answer.strip()
    return None if typed.lower() in ("", *_NO) else TICKED if typed.lower() in _YES else typed


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


# ---- checking the sheet after each answer ---------------------------------------------------------------------------


class Trial(Struct, frozen=True):
    """The outcome of an answer: the longer transcript, or None and the problems with the answer; and the findings that
    the rest of the sheet cannot resolve."""

    transcript: Transcript | None
    problems: tuple[Problem, ...] = ()
    findings: tuple[Finding, ...] = ()


class Filler(Struct):
    """Fills in one sheet. `seen` holds the findings that were reported, so that each is reported once."""

    form: BlankForm
    judge: Judge
    file: str
    seen: set[tuple[str, tuple[str, ...], str]] = field(default_factory=set)

    def trial(self, transcript: Transcript, text: str) -> Trial:
        """Tries an answer without recording it."""
        try:
            longer = transcript.answered(text)
        except LineError as error:
            return Trial(None, (Problem(str(error), hint=error.hint),))
        progress = longer.progress()
        problems = self.problems(progress.document)
        if problems:
            return Trial(None, problems)
        findings = (finding for finding in self._final_findings(progress) if _key(finding) not in self.seen)
        return Trial(longer, (), tuple(findings))

    def problems(self, document: dict[str, Plain]) -> tuple[Problem, ...]:
        """Why the sheet so far cannot be read."""
        try:
            parsed = next(documents(BytesIO(sheet_text(document).encode()), self.file))
            if isinstance(parsed, InputError):
                raise parsed
            self.form.reader.read(parsed, self.judge.options)
        except InputError as error:
            return error.problems
        return ()

    def answer(self, document: dict[str, Plain]) -> Answer:
        """The result of the sheet so far."""
        parsed = next(documents(BytesIO(sheet_text(document).encode()), self.file))
        return self.judge.answer(parsed, self.file)

    def suggestions(self, progress: Progress) -> tuple[str, ...]:
        """Words that complete an answer to the question: choices, keys, players' names, cards."""
        if progress.question is None:
            return ()
        parts = [progress.question.part, *progress.question.part.inner]
        keys = [part.key for part in progress.question.part.inner if progress.question.kind == "line"]
        cards = self.form.reading.cards(self.form.game, None) if any(part.card for part in parts) else ()
        choices = [choice for part in parts for choice in part.spec.choices]
        return tuple(dict.fromkeys([*choices, *keys, *progress.names, *cards]))

    def note(self, question: Question, text: str) -> str:
        """What a person should know about an answer that is accepted; usually empty."""
        name = unquoted(text.strip())
        if question.names_a_player and not name and not question.ends:
            return "Without names, the players are called player 1, player 2 and so on."
        if not question.names_a_player or " " not in name:
            return ""
        return f"“{name}” is one player. If these are several names, type undo and enter one name per line."

    def mark_seen(self, findings: Iterable[Finding]) -> None:
        self.seen |= set(map(_key, findings))

    def recheck(self, transcript: Transcript) -> None:
        """Counts only the current findings as reported. Call this after answers were undone or replayed."""
        self.seen = set(map(_key, self._final_findings(transcript.progress())))

    def _final_findings(self, progress: Progress) -> Iterator[Finding]:
        """The findings about finished parts of the sheet; all of them once the last question is answered."""
        answer = self.answer(progress.document)
        for finding in answer.verdict.findings if isinstance(answer, Judged) else ():
            is_final = (
                finding.rule not in self.form.asking.later
                and finding.where
                and all(
                    any(name == part or name.startswith(f"{part}.") for part in progress.finished)
                    for name in finding.where
                )
            )
            if is_final or progress.question is None:
                yield finding


def _key(finding: Finding) -> tuple[str, tuple[str, ...], str]:
    return finding.rule, finding.where, finding.message


def sheet_filler(game: Game, sheet: str | None, file: str, trust_code: bool = False) -> Filler:
    """A filler of the game's sheet with this name, for this file. Raises InputError if the game has no such sheet."""
    chosen, score_sheet = game_judge(game, trust_code), sheet_of(game, sheet)
    judge = Judge(str(game.folder), trust_code, games={str(game.folder): chosen})
    return Filler(BlankForm(game, score_sheet, chosen.rules, name_in(game, file)), judge, file)


def sheet_of(game: Game, name: str | None) -> ScoreSheet:
    """The game's score sheet with this name, or its default one."""
    sheet_name = name or game.judged or ""
    sheet = next((sheet for key, sheet in game.sheets.items() if bare(key) == bare(sheet_name)), None)
    if sheet is None:
        message = f"{game.key} has no score sheet" + (f" “{name}”" if name else "")
        raise fault(message, hint=did_you_mean(sheet_name, game.sheets))
    return sheet


def name_in(game: Game, file: str) -> str:
    """The name of the game in the file: its key, or the path of your own game if it is inside the file's folder."""
    base = Path() if file == "-" else Path(file).parent
    folder = game.folder.resolve()
    if comes_with_pencilbox(game) or not folder.is_relative_to(base.resolve()):
        return game.key
    return f"{folder.relative_to(base.resolve()).as_posix()}/".removeprefix("./") if folder != base.resolve() else "./"


def names_its_game(form: BlankForm) -> bool:
    """Whether the file alone leads to its game; otherwise --game is needed."""
    return comes_with_pencilbox(form.game) or form.named != form.game.key
