"""Filling in a sheet question by question: the judge looks at it as it grows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from ..definitions.models import Game, ScoreSheet
from ..errors import InputError, Problem, did_you_mean, fault
from ..rules.answers import Answer, Judged
from ..rules.results import Finding
from ..sheets import Asking, documents, read
from .judge import Judge, comes_with_pencilbox, game_judge
from .questions import Asked, Transcript
from .shapes import Form, bare, form
from .typed_lines import LineError, Plain
from .writing import sheet_text


class Tried(NamedTuple):
    """What comes of an answer: the transcript with it, or None and why it cannot stand; and what the judge finds in
    it that the rest of the sheet will not mend."""

    transcript: Transcript | None
    problems: tuple[Problem, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class Filler:
    """Fills in one sheet. `seen` are the findings that were shown, so that each is shown once."""

    form: Form
    judge: Judge
    file: str
    seen: set[tuple[str, tuple[str, ...], str]] = field(default_factory=set)

    def tried(self, transcript: Transcript, text: str) -> Tried:
        """The answer put down and looked at; nothing is kept here."""
        try:
            made = transcript.answered(text)
        except LineError as error:
            return Tried(None, (Problem(str(error), hint=error.hint),))
        asked = made.asked()
        problems = self.problems(asked.document)
        return Tried(None, problems) if problems else Tried(made, (), tuple(self._fresh(asked)))

    def problems(self, document: dict[str, Plain]) -> tuple[Problem, ...]:
        """What no pencil could have meant in the sheet so far."""
        try:
            found = next(documents(BytesIO(sheet_text(document).encode()), self.file))
            if isinstance(found, InputError):
                raise found
            read(found, self.form.game, self.form.sheet, self.form.reading, self.judge.beside)
        except InputError as error:
            return error.problems
        return ()

    def answer(self, document: dict[str, Plain]) -> Answer:
        """The judge's answer to the sheet so far."""
        found = next(documents(BytesIO(sheet_text(document).encode()), self.file))
        return self.judge.answer(found, self.file)

    def told(self, findings: Iterable[Finding]) -> None:
        self.seen |= set(map(_key, findings))

    def look_again(self, transcript: Transcript) -> None:
        """After answers were taken back, or given again: what is found now has been told, and nothing else."""
        self.seen = set(map(_key, self._settled(transcript.asked())))

    def _fresh(self, asked: Asked) -> Iterator[Finding]:
        return (finding for finding in self._settled(asked) if _key(finding) not in self.seen)

    def _settled(self, asked: Asked) -> Iterator[Finding]:
        """The findings about finished parts of the sheet; all of them when there is nothing more to ask."""
        answer = self.answer(asked.document)
        for finding in answer.verdict.findings if isinstance(answer, Judged) else ():
            done = (
                finding.rule not in self.form.asking.later
                and finding.where
                and all(
                    any(name == part or name.startswith(f"{part}.") for part in asked.settled) for name in finding.where
                )
            )
            if done or asked.question is None:
                yield finding


def _key(finding: Finding) -> tuple[str, tuple[str, ...], str]:
    return finding.rule, finding.where, finding.message


def filler(game: Game, sheet: str | None, file: str, trust_code: bool = False) -> Filler:
    """What fills in a sheet of the game for the file. Raises InputError for a sheet that the game has not got."""
    chosen, score_sheet = game_judge(game, trust_code), sheet_of(game, sheet)
    judge = Judge(str(game.folder), trust_code, games={str(game.folder): chosen})
    asking = chosen.rules.asking() if chosen.covers(score_sheet) else Asking()
    return Filler(form(game, score_sheet, chosen.reading_of(score_sheet), asking, name_in(game, file)), judge, file)


def sheet_of(game: Game, said: str | None) -> ScoreSheet:
    """The score sheet with this name, or the one that is meant without any."""
    wanted = said or game.judged or ""
    found = next((sheet for name, sheet in game.sheets.items() if bare(name) == bare(wanted)), None)
    if found is None:
        what = f"{game.key} has no score sheet" + (f" “{said}”" if said else "")
        raise fault(what, hint=did_you_mean(wanted, game.sheets))
    return found


def name_in(game: Game, file: str) -> str:
    """What the file calls the game: its key, or the way from the file to a person's own."""
    base = Path() if file == "-" else Path(file).parent
    folder = game.folder.resolve()
    if comes_with_pencilbox(game) or not folder.is_relative_to(base.resolve()):
        return game.key
    return f"{folder.relative_to(base.resolve()).as_posix()}/".removeprefix("./") if folder != base.resolve() else "./"


def leads(form: Form) -> bool:
    """Whether the file itself leads to its game; else the game has to be named on the command line."""
    return comes_with_pencilbox(form.game) or form.named != form.game.key
