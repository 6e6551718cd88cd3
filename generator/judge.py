"""The judge's corridor: filled-in sheets → read → check → score → answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import games, paths
from .definitions.load import load, shipped
from .definitions.models import Game, ScoreSheet
from .definitions.nodes import Node, Scalar
from .errors import InputError, Place, Problem, did_you_mean, fault
from .judge_files import documents
from .rules import plain
from .rules.answers import Answer, Judged, Unreadable
from .rules.book import Breach, RuleBook
from .rules.copied import Strokes
from .rules.drawn_nouns import Signs
from .rules.nouns import Hint, Result, Verdict
from .sheets import BLANK, FilledSheet, Line, Reading, UnlikeError, heading, read

if TYPE_CHECKING:
    from .sheets.plan import Plan


Scorer = Callable[[Any], Result]
_MOST_NAMES = 100
NO_FINDINGS = Verdict()


@dataclass(frozen=True, slots=True)
class Together:
    """How the sheets of several players of one game are judged: `seats` gives each of them beside the others, for the
    rules of `book`; `score` ranks them."""

    book: RuleBook[Any]
    seats: Callable[[Sequence[Any]], Sequence[Any]]
    score: Callable[[Sequence[Any]], Result]


@dataclass(frozen=True, slots=True)
class Umpire:
    """A game and what judges its sheets: how they are read, and beyond its YAML a rule book and a score; `together`
    where a sheet is one player's, `hints` at what a player could have had, `explain` of how the score was made. For
    showing a sheet: the `signs` printed between its marks, the right `sums`, and what is `drawn` on it."""

    game: Game
    reading: Reading = field(default_factory=Reading)
    book: RuleBook[Any] | None = None
    score: Scorer | None = None
    not_run: Path | None = None
    together: Together | None = None
    hints: Callable[[Any], Iterable[Breach]] | None = None
    explain: Callable[[Any], Iterable[Any]] | None = None
    signs: Signs | None = None
    sums: Callable[[Any], Mapping[str, int]] | None = None
    drawn: Callable[[Any], Strokes] | None = None
    _stated: dict[str, RuleBook[FilledSheet]] = field(default_factory=dict)
    _plans: dict[str | None, Plan] = field(default_factory=dict)

    def stated(self, sheet: ScoreSheet) -> RuleBook[FilledSheet]:
        """The rules in the sheet's YAML, written into a book once."""
        if sheet.name not in self._stated:
            self._stated[sheet.name] = plain.book(sheet)
        return self._stated[sheet.name]

    def plan_of(self, line: Line) -> Plan:
        """The plan that reads the sheet of this line, made once for every name it is called by."""
        said = _said(line, "sheet") or (_said(line, self.reading.selects) if self.reading.selects else None)
        return self._plans.get(said) or self._plan(said, line.place)

    def _plan(self, said: str | None, place: Place) -> Plan:
        from .sheets.plan import Plan  # not wanted for a sheet typed in YAML

        sheet = _sheet(self.game, None if said is None else Scalar(said, place, True), place)
        _refuse_unjudged(self, sheet, place)
        if len(self._plans) > _MOST_NAMES:
            self._plans.clear()
        found = self._plans[said] = Plan(self.game, sheet, self.reads(sheet))
        return found

    def reads(self, sheet: ScoreSheet) -> Reading:
        """How this sheet is read."""
        return self.reading if self.knows(sheet) else Reading(cards=self.reading.cards)

    def view(self, filled: FilledSheet) -> Any:
        """The sheet as its rule book looks at it."""
        return self.book.view(filled) if self.book and self.knows(filled.sheet) else filled

    def knows(self, sheet: ScoreSheet) -> bool:
        """Whether the rule book is about this sheet."""
        return self.book is not None and self.book.sheet in (None, sheet.name)


def umpire(game: Game, trust_code: bool = False) -> Umpire:
    """What judges the sheets of a game. A person's own `rules.py` is run only with `trust_code`."""
    for sheet in game.sheets.values():
        unknown = plain.unknown_fields(sheet)
        if unknown:
            raise InputError(Problem(f"the sheet “{sheet.name}” of {game.key} adds up “{pattern}”, which is no field")
                             for pattern in unknown)
    if _comes_with(game):
        return _shipped(game)
    code = game.folder / "rules.py"
    if not code.is_file():
        return Umpire(game)
    if not trust_code:
        return Umpire(game, not_run=code)
    from .rules.trusted import trusted  # seldom wanted
    return Umpire(game, Reading(), *trusted(code))


def _comes_with(game: Game) -> bool:
    """Whether it is a game that came with Pencilbox: of a person's own, what its YAML says is all there is."""
    return game.folder.resolve() == paths.DATA / game.key


def _shipped(game: Game) -> Umpire:
    rules, score, reading, joint, hints, told, drawing = (games.room(game.key, name) for name in (
        "rules", "score", "reading", "together", "hints", "explain", "drawing"))
    return Umpire(game, reading.READING if reading else Reading(), rules.book if rules else None,
                  score.score if score else None,
                  together=Together(joint.book, joint.seats, joint.score) if joint else None,
                  hints=hints.hints if hints else None, explain=told.explain if told else None,
                  signs=getattr(drawing, "signs", None), sums=getattr(told, "sums", None),
                  drawn=getattr(drawing, "drawn", None))


class Case(NamedTuple):
    """A sheet that was read, what judges it, and how its rule book looks at it."""

    chosen: Umpire
    filled: FilledSheet
    view: Any


@dataclass(slots=True)
class Court:
    """Judges sheet after sheet, and reads each game only once. `named` is the game given beside the sheets; `score`
    is False where only the rules matter, `hints` asks what could have been better, `explain` how each point was made,
    `draw` for a drawing under each finding, `copies` for what a scored copy needs; `beside` is what else was said
    beside the sheets (`words`: a word list)."""

    named: str | None = None
    trust_code: bool = False
    score: bool = True
    hints: bool = False
    explain: bool = False
    draw: bool = False
    copies: bool = False
    beside: Mapping[str, str] = field(default_factory=dict)
    umpires: dict[str, Umpire] = field(default_factory=dict)
    _of_lines: dict[tuple[str, str | None], Umpire] = field(default_factory=dict)

    def answers(self, files: Iterable[str]) -> Iterator[Answer]:
        """The answer for every document of every file, in order; `-` is standard input.

        Several files with one sheet each are the players of one game, where its sheets are one player's: they get one
        answer, after all others."""
        named = list(files)
        players: dict[str, list[Case]] = {}
        for file in named:
            found = documents(file)
            first = list(islice(found, 2))
            case = self.case(first[0], file) if len(named) > 1 and len(first) == 1 else None
            if isinstance(case, Case) and case.chosen.together and case.chosen.knows(case.filled.sheet):
                players.setdefault(case.chosen.game.key, []).append(case)
            elif case is not None:
                yield self._told(case) if isinstance(case, Case) else case
            else:
                yield from (self.answer(document, file) for document in chain(first, found))
        for cases in players.values():
            yield self._told(*cases)

    def answer(self, document: Line | Node | InputError, file: str) -> Answer:
        """The answer for one document of a file; never raises InputError."""
        case = self.case(document, file)
        return self._told(case) if isinstance(case, Case) else case

    def _told(self, *cases: Case) -> Answer:
        """The answer for one sheet, or for the sheets of all players of a game."""
        try:
            return self._judged(cases)
        except InputError as error:
            return Unreadable(tuple(map(_printable, error.problems)))

    def _judged(self, cases: Sequence[Case]) -> Judged:
        chosen, filled, _ = cases[0]
        result = self._result(cases) if self.score else None
        hints = tuple(chain.from_iterable(map(_hints, cases))) if self.hints else None
        others = tuple([case.filled.place for case in cases[1:]])
        answer = Judged(chosen.game.key, chosen.game.title, filled.place, verdict(cases), result, others, hints)
        return self._telling_more(answer, cases) if self.explain or self.draw or self.copies else answer

    def _telling_more(self, answer: Judged, cases: Sequence[Case]) -> Judged:
        """The answer with what else was asked for."""
        from .rules import asked  # seldom wanted in a stream

        chosen, sheets, views = cases[0].chosen, [case.filled for case in cases], [case.view for case in cases]
        plainly = not chosen.score or not chosen.knows(sheets[0].sheet)
        if answer.result and self.explain:
            told = asked.explained(answer.result, sheets[0], views, chosen.explain, plain=plainly)
            answer = answer._replace(result=told)
        if self.draw:
            answer = answer._replace(drawings=asked.drawn(answer.verdict, sheets, chosen.signs))
        if self.copies:
            answer = answer._replace(copied=tuple(
                asked.copied(sheet, view, chosen.sums, chosen.drawn, plain=plainly)
                for sheet, view in zip(sheets, views, strict=True)))
        return answer

    def case(self, document: Line | Node | InputError, file: str) -> Case | Unreadable:
        """A document of a file as a sheet that can be judged, or what is wrong with it."""
        try:
            if isinstance(document, Line):
                if found := self.case_of_line(document, file):
                    return found
                document = document.nodes()
            if isinstance(document, InputError):
                raise document
            return self._read(document, file)
        except InputError as error:
            return Unreadable(tuple(map(_printable, error.problems)))

    def case_of_line(self, line: Line, file: str) -> Case | None:
        """The sheet on one line; None for one that should be read as nodes."""
        try:
            chosen = self._umpire_of_line(line, file)
            filled = chosen.plan_of(line).read(line, self.beside)
        except (UnlikeError, InputError):
            return None
        return Case(chosen, filled, chosen.view(filled))

    def _umpire_of_line(self, line: Line, file: str) -> Umpire:
        """The umpire for a line, asked for once for each file and game."""
        said = _said(line, "game")
        found = self._of_lines.get((file, said))
        if found is None:
            word = None if said is None else Scalar(said, line.place, True)
            found = self._of_lines[file, said] = self._umpire(word, line.place, file)
        return found

    def _read(self, document: Node, file: str) -> Case:
        said = heading(document)
        chosen = self._umpire(said.get("game"), document.place, file)
        also = heading(document, [chosen.reading.selects])
        sheet = _sheet(chosen.game, said.get("sheet") or also.get(chosen.reading.selects), document.place)
        _refuse_unjudged(chosen, sheet, document.place)
        filled = read(document, chosen.game, sheet, chosen.reads(sheet), self.beside)
        return Case(chosen, filled, chosen.view(filled))

    def _result(self, cases: Sequence[Case]) -> Result:
        chosen, filled, view = cases[0]
        if len(cases) > 1 and chosen.together:
            return chosen.together.score([case.view for case in cases])
        return chosen.score(view) if chosen.score and chosen.knows(filled.sheet) else plain.score(filled)

    def _umpire(self, said: Scalar | None, place: Place, file: str) -> Umpire:
        key = self.named or (said.text if said else "")
        if not key:
            raise fault("the sheet does not say which game it is of", place, "add game: from_the_ground_up, or --game")
        if self.named is None and key not in games.SHIPPED and key not in shipped():
            key = str(_own_folder(key, file, said.place if said else place))
        if key not in self.umpires:
            self.umpires[key] = umpire(load(key), self.trust_code)
        found = self.umpires[key]
        if self.named and said and said.text != found.game.key and not _same_folder(said.text, file, found.game):
            raise fault(f"the sheet is of the game “{said.text}”, not of {found.game.key}", said.place)
        return found


def verdict(cases: Sequence[Case]) -> Verdict:
    """Every finding about each sheet, and about the sheets beside each other."""
    if len(cases) == 1:
        return check(*cases[0])
    found = [list(check(case.chosen, case.filled, case.view).findings) for case in cases]
    joint = cases[0].chosen.together
    if joint:
        for findings, case, seat in zip(found, cases, joint.seats([case.view for case in cases]), strict=True):
            findings += joint.book.check(seat, case.filled)
    return Verdict(tuple(chain.from_iterable(
        sorted(findings, key=lambda finding: finding.place.line) for findings in found)))


def _hints(case: Case) -> Iterator[Hint]:
    if case.chosen.hints and case.chosen.knows(case.filled.sheet):
        for message, *where in case.chosen.hints(case.view):
            yield Hint(message, tuple(where), case.filled.player_of(where[0]), case.filled.place_of(where[0]))


def check(chosen: Umpire, filled: FilledSheet, view: Any) -> Verdict:
    """Every finding: of the rules in the sheet's YAML and of the rule book, in the order of the sheet's lines."""
    stated, book = chosen.stated(filled.sheet), chosen.book
    findings = list(stated.check(filled, filled)) if stated.rules else []
    if book and chosen.knows(filled.sheet):
        findings += book.check(view, filled)
    return Verdict(tuple(sorted(findings, key=lambda finding: finding.place.line))) if findings else NO_FINDINGS


def _own_folder(name: str, file: str, place: Place) -> Path:
    """The folder of a person's own game, named in a sheet: beside the sheet or below."""
    base = Path() if file == "-" else Path(file).parent
    folder = paths.within(base, name) if "\0" not in name else None
    if folder is None:
        raise fault(f"the game “{name}” leads out of the sheet's folder", place, "name it with --game FOLDER")
    if not paths.is_dir(folder):
        raise fault(f"no game “{name}”", place, did_you_mean(name, shipped()))
    return base / name


def _same_folder(name: str, file: str, game: Game) -> bool:
    try:
        return _own_folder(name, file, Place(file)).resolve() == game.folder.resolve()
    except InputError:
        return False


def _said(line: Line, name: str) -> str | None:
    """What a line says of itself, as `heading` reads it."""
    text = line.data.get(name)
    if text is None or text in BLANK:
        return None
    if type(text) is not str:
        raise UnlikeError
    return text


def _refuse_unjudged(chosen: Umpire, sheet: ScoreSheet, place: Place) -> None:
    if not chosen.knows(sheet) and not sheet.definition.score and _comes_with(chosen.game):
        raise fault(f"Pencilbox has no rules for this sheet of {chosen.game.title} yet, so it cannot be judged", place,
                    "it can be printed and filled in")


def _sheet(game: Game, said: Scalar | None, place: Place) -> ScoreSheet:
    typed = said.text if said else game.judged or ""
    name = next((name for name in game.sheets if _bare(name) == _bare(typed)), typed)
    if name not in game.sheets:
        what = f"{game.key} has no score sheet “{name}”" if said else f"{game.key} has no score sheet to judge"
        raise fault(what, said.place if said else place, did_you_mean(name, game.sheets))
    return game.sheets[name]


def _bare(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def _printable(problem: Problem) -> Problem:
    """Without letters that a terminal would obey: problems repeat what was typed."""
    return replace(problem, message=_clean(problem.message), hint=_clean(problem.hint))


def _clean(words: str) -> str:
    return words if words.isprintable() else "".join(letter if letter.isprintable() else "�" for letter in words)
