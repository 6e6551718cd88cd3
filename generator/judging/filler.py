"""Filling in a sheet question by question, checking it after each answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from msgspec import Struct, field

from ..errors import InputError, Problem, did_you_mean, fault
from ..model.game import Game, ScoreSheet
from ..rules.results import Answer, Finding, Judged
from ..sheets import documents
from ..sheets.marks import LineError
from ..sheets.typed_lines import Plain, sheet_text, unquoted
from ..spelling import bare
from .judge import Judge, comes_with_pencilbox, game_judge
from .questions import BlankForm, Progress, Question, Transcript


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
        return Trial(None, problems) if problems else Trial(longer, (), tuple(self._new_findings(progress)))

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

    def _new_findings(self, progress: Progress) -> Iterator[Finding]:
        return (finding for finding in self._final_findings(progress) if _key(finding) not in self.seen)

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
