"""Reads documents as filled-in sheets, field by field, and reports all problems at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from msgspec.structs import replace

from .. import draws, nodes
from ..errors import InputError, Problem, fault, shortened
from ..model.game import Card, Game, ScoreSheet
from ..model.values import Empty
from ..nodes import Scalar
from ..reading.typed import ProblemReport, scalar_text
from ..spelling import bare, matching_keys
from .as_on_paper import AsOnPaper
from .documents import Document
from .draft import Draft, unknown_key
from .extras import Extra
from .fields import Fields, inner_fields
from .filled_sheet import FilledSheet
from .lookups import MAX_CACHED, MAX_CACHED_LENGTH
from .marks import is_blank, is_nothing, written
from .names import listing_rows, read_names
from .per_game import Reading, as_typed
from .wording import in_words

HEADING = ("game", "sheet")
_SHEET = dict.fromkeys(("score_sheet", "game_played", "kind_of_game", "kind_of_sheet"), "sheet")
"""Other keys for the name of the sheet."""
NEW_SHEET = "create one with: pencilbox new-sheet GAME"
"""The hint for anything that is not a sheet."""
Read = Callable[[Draft, str, Any], None]
"""Reads the value of the part with this name."""


def heading(document: Document, names: tuple[str, ...] = HEADING) -> dict[str, Scalar]:
    """The `game` and `sheet` that a document names, if any. Raises InputError if the document is not a mapping."""
    data, place = document
    if not isinstance(data, dict):
        raise fault("this is not a filled-in sheet: it has no lines such as “game:” and “players:”", place, NEW_SHEET)
    named: dict[str, Scalar] = {}
    keys = tuple(data)
    for key, name in _headings.get((keys, names)) or _heading_keys(keys, names):
        value = data[key]
        if isinstance(value, (list, dict)):
            if any(
                other == name and not isinstance(data[typed], (list, dict))
                for typed, other in _heading_keys(keys, names)
            ):
                continue  # a column headed “Game” beside the name of the game
            kind = "game" if name == "game" else "sheet"
            message = f"“{shortened(key)}” names the {kind} and takes nothing else"
            raise fault(message, ProblemReport(place, []).place_of(value))
        text = written(value)
        if text is not None:
            named[name] = value if isinstance(value, Scalar) else Scalar(text, place)
        else:
            named.pop(name, None)
    return named


_headings: dict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[str, str]]] = {}
"""The keys of the heading, for the keys of a document and the names that are looked for."""


def _heading_keys(keys: tuple[str, ...], names: tuple[str, ...]) -> list[tuple[str, str]]:
    """The keys that name the game or the sheet, with what each of them names."""
    named = [(str(key), name if (name := bare(key)) in names else _SHEET.get(name, name)) for key in keys]
    found = [(key, name) for key, name in named if name in names]
    if len(_headings) < MAX_CACHED and is_usual(keys):
        _headings[tuple(map(str, keys)), names] = found
    return found


MAX_USUAL_KEYS = 40


def is_usual(keys: tuple[str, ...]) -> bool:
    """Whether the keys of a document may be remembered: they are few and short."""
    return len(keys) <= MAX_USUAL_KEYS and max(map(len, keys), default=0) <= MAX_CACHED_LENGTH


def read(
    document: Document, game: Game, sheet: ScoreSheet, reading: Reading, options: Mapping[str, str] = Empty
) -> FilledSheet:
    """The document as a filled-in `sheet`; raises InputError with everything that cannot be read. `options` holds
    options from the command line."""
    return SheetReader(game, sheet, reading).read(document, options)


class Plan(NamedTuple):
    """What the keys of a document decide, whatever their values are: whether all of them are `usual`, except that the
    values of those in `checked` have to be; the keys of set codes with their names; whether all keys are known; and the
    reader of each key. Thousands of sheets have the same few sets of keys."""

    usual: bool
    checked: tuple[str, ...]
    codes: tuple[tuple[str, str], ...]
    known: bool
    parts: tuple[tuple[str, str, Read], ...]


class SheetReader:
    """Reads documents as sheets of one kind."""

    def __init__(self, game: Game, sheet: ScoreSheet, reading: Reading) -> None:
        self.game, self.sheet, self.reading = game, sheet, reading
        specs = sheet.definition.fields
        self.fields = Fields(specs)
        self.names = listing_rows(sheet.definition)
        self.codes = {name for name, spec in specs.items() if spec.kind == "code"}
        self.extras = {name: Extra(name, kind) for name, kind in reading.extra.items()}
        self.aside = {*HEADING, *_SHEET, *filter(None, (reading.selects,))}
        self.keys = {*specs, *reading.extra, *self.aside}
        around = {name.partition(".")[0] for name in reading.grids if "." in name}
        self.around_grids = {name: {*(specs[name].fields or ())} for name in around if name in specs}
        self.twins = {name: specs[field] for field in specs if (name := bare(field)) in self.extras}
        self.spellings = {**self.fields.names, **{name: name for name in (*self.extras, *self.aside)}}
        self.plans: dict[tuple[str, ...], Plan] = {}
        self.on_paper = AsOnPaper(sheet.definition, self.fields, (*self.extras, *self.aside), game.players.low)

    def read(self, document: Document, options: Mapping[str, str] = Empty) -> FilledSheet:
        """The document as a filled-in sheet; raises InputError with everything that cannot be read."""
        data, place = document
        problems: list[Problem] = []
        plan = self._plan(data)
        if not plan.usual or (plan.checked and any(self.on_paper.is_unusual(key, data[key]) for key in plan.checked)):
            data = self.on_paper.rearranged(nodes.from_plain(data, place))
            plan = self._plan(data)
        is_converted = self.reading.paper is not as_typed
        if is_converted:
            data = self._with_own_keys(nodes.from_plain(data, place), self.fields)
            plan = self._plan(data)
        draft = Draft(
            game=self.game,
            sheet=self.sheet,
            report=ProblemReport(place, problems),
            options=options,
            cards=Empty if plan.codes else self._standard_cards,
            located=isinstance(data, nodes.Mapping),
            apart=self._kept_apart(data) if plan.known else frozenset(),
        )
        if plan.codes:
            self._read_codes(draft, [(name, data[key]) for key, name in plan.codes])
        if self.names:
            draft.names = read_names(data, self.names, self._path_of)
        if is_converted:
            data = self.reading.paper(data, problems)
            plan = self._plan(data)
        for key, name, read in plan.parts:
            read(draft, name, data[key])
        filled = draft.filled()
        problems.extend(self.reading.problems(filled))
        if problems:
            worded = [self._in_words(problem, filled) for problem in problems]
            raise InputError(sorted(worded, key=lambda problem: problem.place.line if problem.place else 0))
        return filled

    def _in_words(self, problem: Problem, filled: FilledSheet) -> Problem:
        """The problem with words in place of field ids. The label of a field in a PDF form is not repeated."""
        keys = [*self.fields.specs, *self.extras]
        message, hint = (
            in_words(text, self.sheet.definition, keys, filled.people) for text in (problem.message, problem.hint)
        )
        about, colon, rest = message.partition(": ")
        is_label = colon and problem.place is not None and bare(about) == bare(problem.place.field)
        return replace(problem, message=rest if is_label else message, hint=hint)

    def _kept_apart(self, data: Mapping[str, Any]) -> frozenset[str]:
        """The grids that may be kept as typed: all of them, unless a key beside them can name a field in one."""
        for name, inner_keys in self.around_grids.items():
            inner = data.get(name)
            if isinstance(inner, dict) and not inner.keys() <= inner_keys:
                return frozenset()
        return self.reading.grids

    def _with_own_keys(self, node: nodes.Mapping, fields: Fields) -> nodes.Mapping:
        """The document with keys of fields in place of the labels that were typed."""
        return nodes.Mapping([self._own_key(key, value, fields) for key, value in node.pairs], node.place, node.weight)

    def _own_key(self, key: Scalar, value: nodes.Node, fields: Fields) -> tuple[Scalar, nodes.Node]:
        match = fields.find(key) or fields.begun(key)
        if match is None:
            return key, value
        inner = inner_fields(match[1])
        return Scalar(match[0], key.place), value if inner is None else self._inside(value, inner)

    def _inside(self, value: nodes.Node, fields: Fields) -> nodes.Node:
        if isinstance(value, nodes.Listing):
            return nodes.Listing([self._inside(entry, fields) for entry in value.entries], value.place, value.weight)
        if not isinstance(value, nodes.Mapping):
            return value
        if any(map(fields.find, value)):
            return self._with_own_keys(value, fields)
        entries = [(key, self._inside(entry, fields)) for key, entry in value.pairs]  # by number or by name
        return nodes.Mapping(entries, value.place, value.weight)

    # ---- the set code, before anything that depends on the cards ---------------------------------------------------

    @cached_property
    def _standard_cards(self) -> Mapping[str, Card]:
        return self.reading.cards(self.game, None)

    def codes_typed(self, data: Mapping[str, Any]) -> list[str]:
        """The texts typed in the fields for set codes."""
        return [text for key, _ in self._plan(data).codes if (text := scalar_text(data[key]))]

    def _read_codes(self, draft: Draft, typed: list[tuple[str, Any]]) -> None:
        """Reads the set codes on the sheet and determines the cards in play."""
        for name, value in typed:
            if not isinstance(value, (list, dict)) and not is_blank(value) and not is_nothing(written(value) or ""):
                self._read_code(draft, name, value)
        draft.code = next(iter(draft.codes.values()), None)
        try:
            draft.cards = self.reading.cards(self.game, draft.code) if draft.code else self._standard_cards
        except InputError as error:
            place = draft.report.place_of(typed[0][1])
            draft.report.problems.extend(Problem(p.message, p.place or place, p.hint) for p in error.problems)
            draft.cards = self._standard_cards

    def _read_code(self, draft: Draft, name: str, value: Any) -> None:
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

    # ---- the keys --------------------------------------------------------------------------------------------------

    def _plan(self, data: Mapping[str, Any]) -> Plan:
        """The plan for the keys of this document. Keys with places of their own, from YAML, are not remembered."""
        keys = tuple(data)
        plan = self.plans.get(keys) if type(data) is dict else None
        if plan is None:
            plan = Plan(
                not any(map(self.on_paper.is_unusual_key, keys)) and len({*map(bare, keys)}) == len(keys),
                tuple([key for key in keys if self.on_paper.depends_on_value(key)]),
                tuple([(key, name) for key in keys if (name := self._name_of(key)) in self.codes]),
                bool(self.reading.grids) and self.keys.issuperset(keys),
                tuple([(key, *self._find(key)) for key in keys]),
            )
            if type(data) is dict and len(self.plans) < MAX_CACHED and is_usual(keys):
                self.plans[keys] = plan
        return plan

    def _find(self, key: str) -> tuple[str, Read]:
        """The name of the part that a key names, and the method that reads its value."""
        name = self._name_of(key)
        if name in self.extras:
            return name, self._read_extra
        if name in self.aside:
            return name, _ignore
        if field := self.fields.find(key):
            return field[0], field[1].read
        return key, self._read_part

    def _name_of(self, key: str) -> str:
        """The name of the part that a key or label stands for; the key itself if it is unknown."""
        name = bare(key)
        if name in self.extras or name in self.aside:
            return name
        field = self.fields.find(key)
        if field is None:
            names = matching_keys(self.spellings, key)
            return names[0] if len(names) == 1 and names[0] not in self.aside else name
        return bare(field[0]) if bare(field[0]) in self.extras else field[0]

    def _path_of(self, key: str) -> list[str]:
        """The parts of a key with dots in it; the first part is replaced by the name of its field."""
        path = key.split(".")
        match = self.fields.enter(path)
        return [match[0], *match[2]] if match else path

    def _read_part(self, draft: Draft, key: str, value: Any) -> None:
        """Reads a value by a key with dots in it."""
        path = key.split(".")
        match = self.fields.enter(path)
        if match is None:
            if not self.fields.read_person(draft, "", key, path, value):
                others = [*self.extras, *HEADING]
                unknown_key(draft, key, path[0], self.fields.specs, others=others)
        else:
            name, reader, rest = match
            if rest:
                reader.read_part(draft, name, key, rest, value)
            else:
                reader.read(draft, name, value)

    def _read_extra(self, draft: Draft, name: str, value: Any) -> None:
        if name in self.twins and self._is_one_mark(name, value):
            field, reader = self.fields.find(name)  # type: ignore[misc]
            reader.read(draft, field, value)
        elif is_blank(value):
            return
        elif name in draft.extra:
            draft.bad(value, f"{name} is given twice")
        else:
            self.extras[name].read(draft, value)

    def _is_one_mark(self, name: str, value: Any) -> bool:
        """Whether the value under a key that the game also reads itself contains marks for the field on paper."""
        spec = self.twins[name]
        if not isinstance(value, (list, dict)):
            return True
        if not spec.fields or spec.repeat is not None:
            return False
        if isinstance(value, list):
            return not any(isinstance(entry, (list, dict)) for entry in value)
        return all(map(Fields(spec.fields).find, value))


def _ignore(draft: Draft, name: str, value: Any) -> None:
    """Ignores the heading, which has been read already."""
    if isinstance(value, (list, dict)):
        draft.bad(value, f"“{name}” takes one name")
