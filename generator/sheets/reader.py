"""Documents → FilledSheets, along the fields of the score sheet; every problem at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from .. import codes
from ..definitions import nodes
from ..definitions.models import Card, Empty, Game, ScoreSheet
from ..definitions.nodes import Scalar
from ..definitions.typed import Report, spelt
from ..errors import InputError, Problem, fault
from .documents import Document
from .draft import Draft
from .extras import Extra
from .fields import Fields, bare, unknown_key
from .filled_sheet import FilledSheet, Reading, as_typed
from .marks import is_blank, written
from .names import listing_rows, read_names

HEADING = ("game", "sheet")


def heading(document: Document, names: Collection[str] = HEADING) -> dict[str, Scalar]:
    """What a document says of itself: `game` and `sheet`, where it does. Raises InputError if it is no mapping."""
    data, place = document
    if not isinstance(data, dict):
        raise fault("a filled-in sheet begins with keys, such as game: and players:", place)
    found = {name: value for name, value in zip(map(bare, data), data.values(), strict=True) if name in names}
    wrong = [value for value in found.values() if isinstance(value, list | dict)]
    if wrong:
        raise fault("the game and the sheet are named by one word each", Report(place, []).place_of(wrong[0]))
    return {name: value if isinstance(value, Scalar) else Scalar(spelt(value) or "", place)
            for name, value in found.items() if not is_blank(value)}


def read(document: Document, game: Game, sheet: ScoreSheet, reading: Reading,
         beside: Mapping[str, str] = Empty) -> FilledSheet:
    """The document as a filled-in `sheet`; raises InputError with everything that cannot be read. `beside` is what was
    said beside the sheet, on the command line."""
    return SheetReader(game, sheet, reading).read(document, beside)


class SheetReader:
    """Reads the documents of one kind of sheet."""

    def __init__(self, game: Game, sheet: ScoreSheet, reading: Reading) -> None:
        self.game, self.sheet, self.reading = game, sheet, reading
        specs = sheet.definition.fields
        self.fields = Fields(specs)
        self.names = listing_rows(sheet.definition)
        self.codes = {bare(name): name for name, spec in specs.items() if spec.kind == "code"}
        self.extras = {name: Extra(name, kind) for name, kind in reading.extra.items()}
        self.aside = {*HEADING, reading.selects}
        self.keys = {*specs, *reading.extra, *self.aside}
        around = {name.partition(".")[0] for name in reading.grids if "." in name}
        self.around_grids = {name: {*(specs[name].fields or ())} for name in around}
        self.twins = {name: spec for field, spec in specs.items() if (name := bare(field)) in self.extras}

    def read(self, document: Document, beside: Mapping[str, str] = Empty) -> FilledSheet:
        """The document as a filled-in sheet; raises InputError with everything that cannot be read."""
        data, place = document
        problems: list[Problem] = []
        if self.reading.paper is not as_typed:
            data = nodes.from_plain(data, place)
        draft = Draft(game=self.game, sheet=self.sheet, report=Report(place, problems), beside=beside,
                      located=isinstance(data, nodes.Mapping), apart=self._kept_apart(data))
        self._read_codes(draft, data)
        draft.names = read_names(data, self.names) if self.names else {}
        self._read_keys(draft, self.reading.paper(data, problems))
        filled = draft.filled()
        problems.extend(self.reading.problems(filled))
        if problems:
            raise InputError(sorted(problems, key=lambda problem: problem.place.line if problem.place else 0))
        return filled

    def _kept_apart(self, data: Mapping[str, Any]) -> frozenset[str]:
        """The grids that may be kept as they are typed: all of them, where no other key can name a field in one."""
        if not self.reading.grids or not data.keys() <= self.keys:
            return frozenset()
        for name, known in self.around_grids.items():
            inner = data.get(name)
            if isinstance(inner, dict) and not inner.keys() <= known:
                return frozenset()
        return self.reading.grids

    # ---- the set code, before anything that depends on the cards ---------------------------------------------------

    @cached_property
    def _standard_cards(self) -> Mapping[str, Card]:
        return self.reading.cards(self.game, None)

    def _read_codes(self, draft: Draft, data: Mapping[str, Any]) -> None:
        """Reads the set codes, where the sheet has any, and the cards in play."""
        typed = []
        if not self.codes.keys().isdisjoint(map(bare, data)):
            typed = [(self.codes[bare(key)], value) for key, value in data.items() if bare(key) in self.codes]
        for name, value in typed:
            if not isinstance(value, list | dict) and not is_blank(value):
                self._read_code(draft, name, value)
        draft.code = next(iter(draft.codes.values()), None)
        try:
            draft.cards = self.reading.cards(self.game, draft.code) if draft.code else self._standard_cards
        except InputError as error:
            place = draft.report.place_of(typed[0][1] if typed else None)
            draft.report.problems.extend(Problem(p.message, p.place or place, p.hint) for p in error.problems)
            draft.cards = self._standard_cards

    def _read_code(self, draft: Draft, name: str, value: Any) -> None:
        kinds = [about.kind for about in self.game.draws.values() if about.field == name]
        try:
            code = codes.parse(written(value) or "", prefix=self.game.definition.prefix,
                               place=draft.report.place_of(value))
        except InputError as error:
            draft.report.problems.extend(error.problems)
            return
        if kinds and code.kind not in kinds:
            wanted = " or ".join(f"a {codes.KINDS[kind]}" for kind in kinds)
            draft.bad(value, f"the set code {code} names a {codes.KINDS[code.kind]}, and “{name}” is {wanted}")
        else:
            draft.codes[name] = code

    # ---- the keys --------------------------------------------------------------------------------------------------

    def _read_keys(self, draft: Draft, data: Mapping[str, Any]) -> None:
        fields = self.fields
        for key, value in data.items():
            name = bare(key)
            if name in self.extras and not self._is_one_mark(name, value):
                self._read_extra(draft, name, value)
            elif name not in self.aside:
                found = fields.get(key) or fields.find(key)
                if found:
                    found[1].read(draft, found[0], value)
                else:
                    self._read_part(draft, key, key.split("."), value)

    def _read_part(self, draft: Draft, key: str, path: list[str], value: Any) -> None:
        found = self.fields.find(path[0])
        if found is None:
            unknown_key(draft, key, path[0], [*self.fields.specs, *HEADING, *self.extras])
        else:
            found[1].read_part(draft, found[0], key, path[1:], value)

    def _is_one_mark(self, name: str, value: Any) -> bool:
        """Whether a part that a game reads itself has a field on the paper too, and marks were typed for that."""
        spec = self.twins.get(name)
        if spec is None or not isinstance(value, list | dict):
            return spec is not None
        if not spec.fields or spec.repeat is not None:
            return False
        if isinstance(value, list):
            return not any(isinstance(entry, list | dict) for entry in value)
        return {*map(bare, value)} <= {*map(bare, spec.fields)}

    def _read_extra(self, draft: Draft, name: str, value: Any) -> None:
        if is_blank(value):
            return
        if name in draft.extra:
            draft.bad(value, f"{name} is given twice")
        else:
            self.extras[name].read(draft, value)
