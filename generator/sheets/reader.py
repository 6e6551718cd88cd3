"""Reads documents as filled-in sheets and reports all problems at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from .. import draws, nodes
from ..draws import SetCode
from ..errors import InputError, Problem, collecting, fault, shortened
from ..model.game import Asking, Card, Game, ScoreSheet
from ..model.values import Empty
from ..nodes import Scalar
from ..reading.typed import ProblemReport
from ..spelling import bare
from .documents import Document
from .draft import SheetDraft
from .marks import FilledSheet, is_blank, is_nothing, written
from .paper_layout import Layout, PaperLayout
from .parts import Names, in_words, listing_rows, parts_of
from .typed_lines import LineCheck

HEADING = ("game", "sheet")
# A key for the photo that a sheet was read from. It does not matter for the verdict.
PHOTO = "photo"
# The hint for anything that is not a sheet.
NEW_SHEET = "create one with: pencilbox new-sheet GAME"
WorstOnLine: TypeAlias = Callable[[str, Game, Mapping[str, Card], Mapping[str, Any]], int | None]
"""How wrong an entry typed on one line is (`GameRules.worst_on_line`)."""


def heading(document: Document, names: tuple[str, ...] = HEADING) -> dict[str, Scalar]:
    """The `game` and `sheet` that a document names, if any. Raises InputError if the document is not a mapping."""
    data, place = document
    if not isinstance(data, dict):
        raise fault("this is not a filled-in sheet: it has no lines such as “game:” and “players:”", place, NEW_SHEET)
    named: dict[str, Scalar] = {}
    for key, value in data.items():
        name = bare(key)
        if name not in names:
            continue
        if isinstance(value, (list, dict)):
            kind = "game" if name == "game" else "sheet"
            message = f"“{shortened(key)}” names the {kind} and takes nothing else"
            raise fault(message, ProblemReport(place, []).place_of(value))
        if not is_blank(value):
            named[name] = value
        else:
            named.pop(name, None)
    return named


def as_typed(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    return node


class Reading(Struct, frozen=True):
    """How a game customises the reading of its sheets.

    - `extra`: top-level keys that are not on paper, with the annotations by which they are read (`reading.typed`).
    - `cards`: returns the cards in play by id, for a set code or the standard set.
    - `problems`: yields the problems with the extra parts once the rest of the sheet is read.
    - `selects`: a key that names the score sheet, as `sheet` does.
    - `paper`: converts a file's longer notation into the marks on paper before anything is read, and adds to the
      problems whatever it cannot convert.
    """

    extra: Mapping[str, Any] = field(default_factory=lambda: Empty)
    cards: Callable[[Game, SetCode | None], Mapping[str, Card]] = lambda game, code: {
        card.id: card for part in game.components.values() for card in part.cards
    }
    problems: Callable[[FilledSheet], Iterable[Problem]] = lambda sheet: ()
    selects: str = ""
    paper: Callable[[nodes.Mapping, list[Problem]], nodes.Mapping] = as_typed


class SheetReader:
    """Reads documents as sheets of one kind."""

    def __init__(
        self,
        game: Game,
        sheet: ScoreSheet,
        reading: Reading,
        asking: Asking | None = None,
        worst_on_line: WorstOnLine | None = None,
    ) -> None:
        self.game, self.sheet, self.reading, self.worst_on_line = game, sheet, reading, worst_on_line
        definition = sheet.definition
        self.names = listing_rows(definition)
        self.codes = {name for name, spec in definition.fields.items() if spec.kind == "code"}
        self.others = {*HEADING, *filter(None, (reading.selects,)), *({PHOTO} - {*definition.fields})}
        self.whole = parts_of(definition, reading.extra, asking or Asking(), tuple(self._standard_cards))
        self.on_paper = replace(self.whole, inner=tuple(part for part in self.whole.inner if not part.extra))
        converts = reading.paper is not as_typed
        players = next(
            (row for row in (definition.players, "players", *self.names) if row in definition.fields), "players"
        )
        self.layout = Layout(self.whole, players, self.others, game.players.low, converts=converts)

    def read(self, document: Document, options: Mapping[str, str] = Empty) -> FilledSheet:
        """The document as a filled-in sheet; raises InputError with everything that cannot be read."""
        data, place = document
        problems: list[Problem] = []
        draft = SheetDraft(
            game=self.game,
            sheet=self.sheet,
            report=ProblemReport(place, problems),
            options=options,
            cards=self._standard_cards,
        )
        self._read_codes(draft, data)
        draft.names = {row: Names(row, {}) for row in self.names}
        data = PaperLayout(self.layout, draft, self.line_check(draft.cards)).arranged(data)
        if self.reading.paper is not as_typed:
            data = self.reading.paper(data, problems)
        for key, value in data.items():
            first, *rest = key.split(".")
            if bare(key) in self.others:
                if isinstance(value, (list, dict)):
                    draft.bad(value, f"“{bare(key)}” takes one name")
            elif first in self.reading.extra and not rest and not self.layout.is_on_paper(first, value):
                draft.read_extra(first, self.reading.extra[first], value)
            elif first in self.sheet.definition.fields:
                draft.read_path(self.on_paper[first], first, key, rest, typed=value)
            else:
                draft.unknown_key(key, key, self.on_paper, "", others=[*self.reading.extra, *HEADING])
        filled = draft.filled(self.on_paper)
        problems.extend(self.reading.problems(filled))
        if problems:
            worded = [self._in_words(problem, filled) for problem in problems]
            raise InputError(sorted(worded, key=lambda problem: problem.place.line if problem.place else 0))
        return filled

    def line_check(self, cards: Mapping[str, Card]) -> LineCheck | None:
        """How wrong an entry typed on one line is, with these cards in play."""
        worst = self.worst_on_line
        return None if worst is None else lambda path, line: worst(path, self.game, cards, line)

    def _in_words(self, problem: Problem, filled: FilledSheet) -> Problem:
        """The problem with words in place of field ids. The label of a field in a PDF form is not repeated."""
        keys = [*self.sheet.definition.fields, *self.reading.extra]
        message, hint = (
            in_words(text, self.sheet.definition, keys, filled.people, filled.marks)
            for text in (problem.message, problem.hint)
        )
        about, colon, rest = message.partition(": ")
        is_label = colon and problem.place is not None and bare(about) == bare(problem.place.field)
        return replace(problem, message=rest if is_label else message, hint=hint)

    # ---- the set code, before anything that depends on the cards ---------------------------------------------------

    @cached_property
    def _standard_cards(self) -> Mapping[str, Card]:
        return self.reading.cards(self.game, None)

    def _read_codes(self, draft: SheetDraft, data: Mapping[str, Any]) -> None:
        """Reads the set codes on the sheet and determines the cards in play."""
        keys = [key for key in data if key not in self.others] if self.codes else []
        typed = [(name, data[key]) for key in keys if (name := self.whole.find(key, False)) in self.codes]
        for name, value in typed:
            if not isinstance(value, (list, dict)) and not is_blank(value) and not is_nothing(written(value) or ""):
                self._read_code(draft, name, value)
        code = next(iter(draft.codes.values()), None)
        with collecting(draft.report.problems, draft.report.place_of(typed[0][1]) if typed else None):
            draft.cards = self.reading.cards(self.game, code) if code else self._standard_cards

    def _read_code(self, draft: SheetDraft, name: str, value: Any) -> None:
        kinds = [about.kind for about in self.game.draws.values() if about.field == name]
        try:
            code = draws.parse(
                written(value) or "", prefix=self.game.definition.prefix, place=draft.report.place_of(value)
            )
        except InputError as error:
            draft.report.problems.extend(error.problems)
            return
        if kinds and code.kind not in kinds:
            expected = " or ".join(dict.fromkeys(map(draws.plural, kinds)))
            draft.bad(value, f"the set code {code} is for {draws.plural(code.kind)}, but “{name}” is for {expected}")
        else:
            draft.codes[name] = code
