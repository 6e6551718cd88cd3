"""Checks the draws of your own game (`draws` in game.yaml) and prepares them for drawing.

    OwnDrawFile + the decks of the game ── own_draws ──▶ OwnDraw: cards and columns, conditions, plans with fingerprints

A plan's fingerprint covers everything that decides what a code draws, and nothing else: the ids of the cards and the
values that weights and conditions use, the numbers, the columns. You may reword cards and sort their table, but a code
is only ever read by the rules it was drawn with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from .. import limits
from ..errors import (
    InputError,
    Place,
    Problem,
    did_you_mean,
    listed,
    shortened,
)
from ..expressions import (
    Compiled,
    ExpressionError,
    Kind,
    Source,
    TooMuchError,
    compiled,
)
from ..model.draws import (
    FINGERPRINT_BITS,
    Candidate,
    Demand,
    DrawKind,
    DrawnColumn,
    OwnDraw,
    OwnDrawFile,
    Plan,
)
from ..model.game import Card, Component, DrawFile, GameFile
from ..model.values import Expression
from ..nodes import Mapping as MappingNode
from ..nodes import Scalar
from ..reading.sheet_rules import excerpt
from .drawn_values import (
    Values,
    choices_of,
    drawn_column,
    identities_of,
    kind_of,
    kind_of_column,
    possible_texts,
    possible_values,
    texts_of,
    value_of,
)

KINDS: tuple[DrawKind, ...] = ("shuffle", "pick", "rows", "dice")
RECIPE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The alphabet of set codes."""
_METHOD = 1
"""Part of every fingerprint; changes only if the same draw would give other sets."""
_COMMON = ("about", "into", "field", "players", "where", "check", "default", "recipe", "place")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "shuffle": ("hands", "then", "rest", "names"),
    "pick": ("count", "weight", "unique", "at_least", "at_most", "names"),
    "rows": ("columns", "unique", "at_least", "at_most"),
    "dice": ("faces", "at_least", "at_most"),
}
_INTO = {"shuffle": ("page",), "pick": ("page",), "rows": ("deck", "page"), "dice": ("dice",)}
MAX_COLUMNS = 40
_MAX_TRIED_ROWS = 2_000
"""The maximum number of rows tried to find out whether any meets a condition."""
SIDES = 6


def own_draws(definition: GameFile, components: Mapping[str, Component], place: Place) -> dict[str, OwnDraw]:
    """The draws of a game by name. Raises InputError with every problem."""
    problems: list[Problem] = []
    draws: dict[str, OwnDraw] = {}
    if len(definition.draws) >= len(RECIPE_LETTERS):
        message = f"this game has {len(definition.draws)} draws; at most {len(RECIPE_LETTERS) - 1}"
        raise InputError([Problem(message, place)])
    for number, (name, file) in enumerate(definition.draws.items(), start=1):
        reader = _Reader(name, number, file, definition, components, file.place or place)
        draw = reader.draw()
        problems += dict.fromkeys(reader.problems)
        if draw:
            draws[name] = draw
    recipes = Counter(plan.recipe for draw in draws.values() for plan in draw.plans)
    problems += [
        Problem(f"draw “{name}”: another draw has the recipe “{draw.plans[0].recipe}”, too", draw.file.place)
        for name, draw in draws.items()
        if draw.file.recipe and recipes[draw.plans[0].recipe] > 1
    ]
    if problems:
        raise InputError(problems)
    return draws


def listed_draw(draw: OwnDraw) -> DrawFile:
    """A draw as the commands list it: the letter of its codes, and its recipes with the numbers of players."""
    recipes: dict[str, dict[str, tuple[str, ...]]] = {
        plan.recipe: {"players": (str(plan.players),)} if plan.players else {} for plan in draw.plans
    }
    default = next((plan.recipe for plan in draw.plans if plan.players == draw.file.default), None)
    return DrawFile(kind=draw.letter, about=draw.file.about, field=draw.file.field, default=default, recipes=recipes)


class _Names:
    """The names that an expression about a draw can use, with the kinds of their values."""

    players = False

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self.kinds = kinds

    def source(self, name: str, at: int) -> Source:
        if name not in self.kinds:
            hint = did_you_mean(name, self.kinds) or f"known: {listed(self.kinds)}"
            raise ExpressionError(f"unknown name “{shortened(name)}”", at, hint)
        return Source(name, self.kinds[name], lambda env: env.values[name])


_PLAYERS = {"players": Kind("whole")}


class _Reader:
    """Reads one draw and collects its problems."""

    def __init__(
        self,
        name: str,
        number: int,
        file: OwnDrawFile,
        game: GameFile,
        components: Mapping[str, Component],
        place: Place,
    ) -> None:
        self.name, self.number, self.file, self.game, self.place = name, number, file, game, place
        self.components = components
        self.problems: list[Problem] = []
        self.uses_players = file.players is not None or file.hands is not None

    def bad(self, message: str, place: Place | None = None, hint: str = "") -> None:
        self.problems.append(Problem(f"draw “{shortened(self.name)}”: {message}", place or self.place, hint))

    def draw(self) -> OwnDraw | None:
        kinds = [kind for kind in KINDS if getattr(self.file, kind) is not None]
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", self.name):
            self.bad("its name may only contain lower-case letters, digits, - and _")
        if self.file.recipe and (len(self.file.recipe) > 1 or self.file.recipe not in RECIPE_LETTERS):
            self.bad(f"“recipe” must be one of {RECIPE_LETTERS}, not “{shortened(self.file.recipe)}”")
        if len(kinds) != 1:
            what = f"it has {listed(kinds)}; give only one of them" if kinds else "it does not say what it draws"
            self.bad(what, hint="" if kinds else f"add one of {listed(KINDS)}")
            return None
        kind = kinds[0]
        self.refuse_misplaced(kind)
        into = self.into(kind)
        draw = self.of_rows(kind, into) if kind in ("rows", "dice") else self.of_cards(kind, into)
        return None if self.problems else draw

    def refuse_misplaced(self, kind: str) -> None:
        """Reports keys that have no effect on this kind of draw."""
        for name in OwnDrawFile.__struct_fields__:
            value = getattr(self.file, name)
            is_given = value is not None and bool(value) and (name != "rest" or value != "deck")
            if is_given and name not in (*_COMMON, *KINDS, *_KEYS[kind]):
                owners = [other for other in KINDS if name in _KEYS[other]]
                self.bad(f"“{name}” has no effect on “{kind}”", hint=f"it belongs to {listed(owners)}")

    def into(self, kind: str) -> str:
        """The component that shows the draw; "" for none."""
        name = self.file.into or (self.name if kind in ("rows", "dice") else "")
        if not name:
            return ""
        fitting = [other for other, part in self.game.components.items() if part.kind in _INTO[kind]]
        if name not in fitting:
            kinds = listed(_INTO[kind])
            if self.file.into:
                self.bad(
                    f"“into” must name a {kinds}; “{shortened(name)}” is not one", None, _suggestion(name, fitting)
                )
            else:
                hint = f"add “into”: {listed(fitting)}" if fitting else "add one to “components”"
                self.bad(f"it needs a {kinds} that shows it", None, hint)
        elif kind != "dice" and self.game.components[name].kind == "page" and self.game.components[name].cards:
            self.bad(f"the page “{name}” has cards of its own", hint="leave out its “cards”")
        return name

    # ---- expressions

    def compile(self, text: Expression, kinds: Mapping[str, Kind]) -> Compiled | None:
        try:
            term = compiled(text, _Names({**kinds, **_PLAYERS}))
        except ExpressionError as error:
            for each in error.all:
                where = text.at(each.at) if isinstance(text, Scalar) else self.place
                self.bad(f"{each.message}{excerpt(text, each)}", where, each.hint)
            return None
        self.uses_players = self.uses_players or any(source.name == "players" for source in term.names)
        return term

    def conditions(self, key: str, kinds: Mapping[str, Kind]) -> tuple[Compiled, ...]:
        terms = []
        for text in getattr(self.file, key):
            term = self.compile(text, kinds)
            if term and (term.kind.many or term.kind.name not in ("yes", "any")):
                words = "a list" if term.kind.many else term.kind.words
                hint = f"write all({text})" if term.kind.many and term.kind.name == "yes" else "compare it, as in x > 0"
                self.bad(f"“{key}” must be yes or no, but “{shortened(text)}” is {words}", _at(text), hint)
            elif term:
                terms.append(term)
        return tuple(terms)

    def amount(self, text: Expression, what: str) -> Callable[[int], int]:
        """The function that works out an amount from the number of players; it returns -1 after reporting a problem."""
        term = self.compile(text, {})
        if term is None:
            return lambda players: -1
        if not term.kind.is_number or term.kind.many:
            self.bad(f"“{what}” must be a number, but “{shortened(text)}” is {term.kind.words}", _at(text))
            return lambda players: -1

        def number(players: int) -> int:
            try:
                value = term.run(Values({"players": players}))
            except (TooMuchError, ArithmeticError) as error:
                self.bad(f"“{what}”: {error}", _at(text))
                return -1
            if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= limits.CARDS:
                of = f" with {players} players" if players and len(term.names) else ""
                message = f"“{what}” must be a whole number from 0 to {limits.CARDS:,}, not {_number_text(value)}{of}"
                self.bad(message, _at(text))
                return -1
            return value

        return number

    def player_numbers(self) -> tuple[int, ...]:
        """The numbers of players that sets differ by; 0 alone if they do not."""
        if not self.uses_players:
            return (0,)
        whole = self.game.players
        span = self.file.players or whole
        if span is None:
            self.bad("it needs the number of players", hint="write “players: 2-5” in game.yaml, or in the draw")
            return ()
        if self.file.players and whole and (span.low < whole.low or span.high > whole.high):
            self.bad(f"it is for {span} players, but the game is for {whole}")
        if not 1 <= span.low <= span.high < len(RECIPE_LETTERS):
            self.bad(f"the number of players must be from 1 to {len(RECIPE_LETTERS) - 1}, not {span}")
            return ()
        if self.file.default is not None and self.file.default not in span:
            self.bad(f"“default” must be a number of players from {span}, not {self.file.default}")
        return tuple(range(span.low, span.high + 1))

    # ---- cards of a deck

    def of_cards(self, kind: DrawKind, into: str) -> OwnDraw | None:
        source = str(getattr(self.file, kind))
        decks = [name for name, part in self.game.components.items() if part.kind == "deck"]
        if source not in decks:
            self.bad(f"there is no deck “{shortened(source)}”", hint=_suggestion(source, decks))
            return None
        deck = self.components.get(source)
        if deck is None:  # its own problems are reported
            return None
        if not deck.cards:
            self.bad(f"the deck “{source}” has no cards of its own", hint="give it “cards”")
            return None
        kinds, candidates = self.candidates(deck)
        self.known_fields("names", kinds, filter(None, [self.file.names]))
        if self.problems:
            return None
        if kind == "shuffle":
            return self.shuffle(source, into, kinds, candidates)
        return self.pick(source, into, kinds, candidates)

    def candidates(self, deck: Component) -> tuple[dict[str, Kind], list[Candidate]]:
        """The kinds of the deck's fields, and every copy of the cards that meet the conditions `where`."""
        different = list({card.id: card for card in deck.cards}.values())
        kinds = {name: kind_of([card.values[name] for card in different]) for name in different[0].values}
        kinds = {"id": Kind("text", choices=choices_of([card.id for card in different])), **kinds}
        where = self.conditions("where", kinds)
        weight = self.weight(kinds)
        if self.problems:
            return kinds, []
        if any(source.name == "players" for term in (*where, *((weight,) if weight else ())) for source in term.names):
            self.bad("“where” and “weight” cannot use “players”", hint="“count” and “check” can")
            return kinds, []
        by_id: dict[str, Candidate] = {}
        for card in different:
            values = {name: value_of(card.id if name == "id" else card.values.get(name), kinds[name]) for name in kinds}
            if all(self.run(term, values, "where") for term in where):
                by_id[card.id] = Candidate(card.id, self.weighed(weight, values, card), values)
            if self.problems:
                return kinds, []
        order = [*by_id] if self.file.recipe else sorted(by_id, key=identities_of(different).__getitem__)
        copies = Counter(card.id for card in deck.cards)
        candidates = [by_id[name] for name in order if by_id[name].weight for _ in range(copies[name])]
        if not candidates:
            self.bad(f"no card in “{deck.name}” meets “where”" if where else "no card can be drawn")
        return kinds, candidates

    def weight(self, kinds: Mapping[str, Kind]) -> Compiled | None:
        text = self.file.weight
        term = self.compile(text, kinds) if text is not None else None
        if term and (not term.kind.is_number or term.kind.many):
            self.bad(f"“weight” must be a number, but “{shortened(text)}” is {term.kind.words}", _at(text))
            return None
        return term

    def weighed(self, term: Compiled | None, values: Mapping[str, Any], card: Card) -> int:
        """The weight of a card, in thousandths."""
        if term is None:
            return 1
        weight = self.run(term, values, "weight") or 0
        if not 0 <= weight <= 1_000_000:
            self.bad(f"the weight of card “{card.id}” must be from 0 to 1,000,000, not {weight}", card.place)
            return 0
        return round(weight * 1000)

    def run(self, term: Compiled, values: Mapping[str, Any], key: str) -> Any:
        try:
            return term.run(Values(values))
        except (TooMuchError, ArithmeticError) as error:
            self.bad(f"“{key}”: {error}")
            return None

    def shuffle(
        self, source: str, into: str, kinds: Mapping[str, Kind], candidates: Sequence[Candidate]
    ) -> OwnDraw | None:
        hands = {name: self.amount(text, name) for name, text in self.hands().items()}
        piles = {name: self.amount(text, name) for name, text in self.file.then.items()}
        names = [*hands, *piles, self.file.rest]
        repeated = [name for name, count in Counter(names).items() if count > 1]
        if repeated:
            self.bad(f"two piles are called “{shortened(repeated[0])}”", hint="“rest” names the cards that are left")
        of_piles = {
            f"{pile}.{field}": _many(kind) for pile in (*piles, self.file.rest) for field, kind in kinds.items()
        }
        check = self.conditions("check", of_piles)
        identity = self.identities(source)
        used = sorted({source.name.partition(".")[2] for term in check for source in term.names} - {""})
        plans = []
        for players in self.player_numbers():
            dealt_hands = tuple((name, number(players)) for name, number in hands.items())
            dealt_piles = tuple((name, number(players)) for name, number in piles.items())
            needed = players * sum(count for _, count in dealt_hands) + sum(count for _, count in dealt_piles)
            if needed > len(candidates) and not self.problems:
                of = f" to {players} players" if hands else ""
                self.bad(f"it deals {needed:,} cards{of}, but “{source}” has {len(candidates):,}")
            if self.problems:
                return None
            data = {
                "cards": [[identity[each.id], [each.values[name] for name in used]] for each in candidates],
                "hands": [count for _, count in dealt_hands],
                "then": [[name if used else "", count] for name, count in dealt_piles],
                "rest": self.file.rest if used else "",
                "check": _plain_texts(self.file.check),
            }
            plans.append(self.plan("shuffle", players, data, dealt_hands, dealt_piles))
        return OwnDraw(self.name, self.file, "shuffle", "D", source, into, tuple(plans), tuple(candidates), check=check)

    def hands(self) -> dict[str, Expression]:
        """The number of cards in each kind of hand."""
        node: Any = self.file.hands
        if node is None:
            return {}
        if isinstance(node, Scalar):
            return {"hand": Expression(node)}
        if isinstance(node, MappingNode):
            hands = {key.text: Expression(value) for key, value in node.pairs if isinstance(value, Scalar)}
            if len(hands) == len(node):
                return hands
        self.bad("“hands” must be a number, or a mapping such as {face down: 3, hand: 4}", node.place)
        return {}

    def pick(
        self, source: str, into: str, kinds: Mapping[str, Kind], candidates: Sequence[Candidate]
    ) -> OwnDraw | None:
        if self.file.count is None:
            self.bad("“pick” needs “count”: how many cards")
            return None
        count = self.amount(self.file.count, "count")
        unique = self.known_fields("unique", kinds, self.file.unique)
        values: dict[str, Counter[str]] = {}
        for field in (*self.file.at_least, *self.file.at_most):
            if field in kinds:
                values[field] = Counter(text for each in candidates for text in texts_of(each.values[field]))
        demands = self.demands(kinds, values)
        check = self.conditions("check", {name: _many(kind) for name, kind in kinds.items()})
        identity = self.identities(source)
        used = {name.name for term in check for name in term.names} - {"players"}
        used |= {demand.field for demand in demands}
        key_numbers: dict[tuple[Any, ...], int] = {}
        keys = [
            key_numbers.setdefault(tuple(each.values[name] for name in unique), place)
            for place, each in enumerate(candidates)
        ]
        plans = []
        for players in self.player_numbers():
            number = count(players)
            if not self.problems:
                self.refuse_impossible(number, candidates, unique, demands, values, source)
            if self.problems:
                return None
            data = {
                "cards": [
                    [identity[each.id], each.weight, key, [each.values[name] for name in sorted(used)]]
                    for each, key in zip(candidates, keys, strict=True)
                ],
                "count": number,
                **self.constraints(unique, demands),
            }
            plans.append(self.plan("pick", players, data, count=number))
        return OwnDraw(
            self.name,
            self.file,
            "pick",
            "C",
            source,
            into,
            tuple(plans),
            candidates=tuple(candidates),
            check=check,
            unique=unique,
            demands=demands,
        )

    def identities(self, deck: str) -> Mapping[str, str]:
        return identities_of(list({card.id: card for card in self.components[deck].cards}.values()))

    # ---- constraints

    def known_fields(self, key: str, kinds: Mapping[str, Kind], names: Iterable[str]) -> tuple[str, ...]:
        for name in names:
            if name not in kinds:
                self.bad(f"“{key}”: there is no field “{shortened(name)}”", hint=_suggestion(name, kinds))
        return tuple(name for name in names if name in kinds)

    def demands(self, kinds: Mapping[str, Kind], values: Mapping[str, Mapping[str, int]]) -> tuple[Demand, ...]:
        """The numbers of `at_least` and `at_most` by field and value. `values` are those that can be drawn."""
        demands: dict[tuple[str, str], Demand] = {}
        for key in ("at_least", "at_most"):
            bounds = getattr(self.file, key)
            self.known_fields(key, kinds, bounds)
            for field, numbers in bounds.items():
                for value, number in numbers.items() if field in values else ():
                    if value not in values[field]:
                        hint = _suggestion(value, values[field])
                        self.bad(f"“{key}”: no “{field}” is “{shortened(value)}”", hint=hint)
                    before = demands.get((field, value), Demand(field, value))
                    low, high = (number, before.high) if key == "at_least" else (before.low, number)
                    demands[field, value] = Demand(field, value, low, high)
        for demand in demands.values():
            if demand.high is not None and demand.low > demand.high:
                self.bad(f"“at_least” asks for {demand.low} {_of(demand)}, but “at_most” allows {demand.high}")
        return tuple(demands.values())

    def constraints(self, unique: Sequence[str], demands: Sequence[Demand]) -> dict[str, Any]:
        """The constraints of a set as plain data for its fingerprint."""
        return {
            "unique": sorted(unique),
            "demands": sorted([demand.field, demand.value, demand.low, demand.high] for demand in demands),
            "check": _plain_texts(self.file.check),
        }

    def refuse_impossible(
        self,
        count: int,
        candidates: Sequence[Candidate],
        unique: Sequence[str],
        demands: Sequence[Demand],
        values: Mapping[str, Mapping[str, int]],
        source: str,
    ) -> None:
        """Reports a set of cards that cannot be drawn, where this is certain before drawing."""
        if not count:
            self.bad("“count” must be at least 1", _at(self.file.count))
        elif count > len(candidates):
            extra = " that meet “where”" if self.file.where else ""
            self.bad(f"it picks {count:,} cards, but “{source}” has {len(candidates):,}{extra}", _at(self.file.count))
        if unique:
            different = len({tuple(map(str, map(each.values.__getitem__, unique))) for each in candidates})
            if different < count <= len(candidates):
                names = listed(unique)
                self.bad(f"it picks {count:,} cards with different “{names}”, but there are only {different:,}")
        self.refuse_demands(count, candidates, demands, values, source)

    def refuse_demands(
        self,
        count: int,
        candidates: Sequence[Candidate],
        demands: Sequence[Demand],
        values: Mapping[str, Mapping[str, int]],
        source: str,
    ) -> None:
        for demand in demands:
            total = values[demand.field][demand.value]
            if demand.low > total:
                self.bad(f"at least {demand.low} {_of(demand)} are needed, but “{source}” has only {total}")
        for field in dict.fromkeys(demand.field for demand in demands):
            if all(len(texts_of(each.values[field])) < 2 for each in candidates):
                highs = {each.value: each.high for each in demands if each.field == field and each.high is not None}
                counts = Counter(text for each in candidates for text in texts_of(each.values[field]) or ("",))
                available = sum(min(number, highs.get(value, number)) for value, number in counts.items())
                if available < count <= len(candidates):
                    self.bad(f"“at_most” leaves only {available} cards by “{field}”, but it picks {count}")
                self.refuse_too_many(count, demands, field, "cards")

    def refuse_too_many(self, count: int, demands: Sequence[Demand], field: str, noun: str) -> None:
        lowest = sum(demand.low for demand in demands if demand.field == field)
        if lowest > count:
            self.bad(f"“at_least” needs {lowest} {noun} by “{field}”, but only {count} are drawn")

    # ---- rows and dice

    def of_rows(self, kind: DrawKind, into: str) -> OwnDraw | None:
        """A draw of rows or dice."""
        text = self.file.rows if kind == "rows" else self.file.dice
        assert text is not None
        count = self.amount(text, kind)
        columns = self.columns() if kind == "rows" else self.faces()
        kinds = {column.name: kind_of_column(column) for column in columns}
        every = {name: _many(each) for name, each in kinds.items()}
        where = self.conditions("where", every if kind == "dice" else kinds)
        unique = self.known_fields("unique", kinds, self.file.unique)
        drawn = {column.name: possible_texts(column) for column in columns if not column.text}
        demands = self.demands(kinds, drawn)
        check = self.conditions("check", every)
        if kind == "rows":
            self.refuse_unmet(columns, where)
        plans: list[Plan] = []
        for players in self.player_numbers():
            number = count(players)
            if not self.problems:
                self.refuse_impossible_rows(number, columns, unique, demands, text)
            if self.problems:
                return None
            data = {
                "columns": [[each.name, each.parts, each.bag, list(map(_plain_text, each.text))] for each in columns],
                "where": _plain_texts(self.file.where),
                "count": number,
                **self.constraints(unique, demands),
            }
            plans.append(self.plan(kind, players, data, count=number))
        return OwnDraw(
            self.name,
            self.file,
            kind,
            "R" if kind == "dice" else "C" if self.game.components[into].kind == "deck" else "S",
            "",
            into,
            tuple(plans),
            columns=columns,
            where=where,
            check=check,
            unique=unique,
            demands=demands,
        )

    def columns(self) -> tuple[DrawnColumn, ...]:
        if not self.file.columns:
            self.bad("“rows” needs “columns”", hint="such as columns: {red: d6, letter: [A, B, C]}")
        if len(self.file.columns) > MAX_COLUMNS:
            self.bad(f"it has {len(self.file.columns)} columns; at most {MAX_COLUMNS}")
            return ()
        columns: dict[str, DrawnColumn] = {}
        for name, node in self.file.columns.items():
            if not re.fullmatch(r"[^\W\d]\w*", name) or name == "players":
                self.bad(f"a column cannot be called “{shortened(name)}”", None, "use letters, digits and _")
                continue
            column: DrawnColumn | None
            if isinstance(node, Scalar) and "{" in node.text:
                column = self.text_column(name, node, {other: kind_of_column(each) for other, each in columns.items()})
            else:
                column = drawn_column(name, node, self.bad)
            if column:
                columns[name] = column
        return tuple(columns.values())

    def text_column(self, name: str, node: Scalar, kinds: Mapping[str, Kind]) -> DrawnColumn | None:
        """A column of texts, made from the columns above it."""
        parts: list[str | Compiled] = []
        for match in re.finditer(r"\{([^{}]*)\}|([^{}]+)|[{}]", node.text):
            if match[1] is not None:
                inner = Scalar(match[1], node.place, column=node.column + match.start(1) if node.column else 0)
                term = self.compile(Expression(inner), kinds)
                if term and term.kind.many:
                    self.bad(f"“{shortened(inner)}” must be one value, not a list", node.place)
                parts += [term] if term else []
            elif match[2]:
                parts.append(match[2])
            else:
                self.bad(f"a brace of column “{name}” is not closed", node.place, "write expressions as {a + b}")
        return DrawnColumn(name, text=tuple(parts))

    def faces(self) -> tuple[DrawnColumn, ...]:
        if self.file.faces is None:
            self.bad("“dice” needs “faces”", hint="such as faces: [1, 2, 3, 4, 5, 6], drawn six times for each die")
            return ()
        column = drawn_column("faces", self.file.faces, self.bad)
        return (column,) if column else ()

    def refuse_unmet(self, columns: Sequence[DrawnColumn], where: Sequence[Compiled]) -> None:
        """Reports conditions that no row meets, where there are few enough to try them all."""
        by_name = {column.name: column for column in columns}
        for term, text in zip(where, self.file.where, strict=False):
            used = [by_name.get(source.name) for source in term.names]
            choices = [possible_values(column) for column in used if column and not column.text]
            if len(choices) == len(used) and prod(map(len, choices)) <= _MAX_TRIED_ROWS:
                names = [source.name for source in term.names]
                rows = (dict(zip(names, values, strict=True)) for values in product(*choices))
                before = len(self.problems)
                if not any(self.run(term, row, "where") for row in rows) and len(self.problems) == before:
                    self.bad(f"no row can meet “{shortened(term.text)}”", _at(text))

    def refuse_impossible_rows(
        self,
        count: int,
        columns: Sequence[DrawnColumn],
        unique: Sequence[str],
        demands: Sequence[Demand],
        text: Expression,
    ) -> None:
        """Reports rows that cannot be drawn, where this is certain before drawing."""
        limit, sides = (limits.PIECES, SIDES) if self.file.dice is not None else (limits.DRAWN_ROWS, 1)
        if not 1 <= count <= limit:
            self.bad(f"from 1 to {limit:,} can be drawn, not {count:,}", _at(text))
            return
        for column in columns:
            if column.bag and len(column.bag) < count * sides:
                self.bad(f"the bag of “{column.name}” has {len(column.bag)} values, but {count * sides} are drawn")
        if unique and not any(column.text for column in columns if column.name in unique):
            different = 1
            for column in columns:
                different *= len(possible_texts(column)) if column.name in unique else 1
            if different < count:
                names = listed(unique)
                self.bad(f"it draws {count} rows with different “{names}”, but there are only {different}")
        for field in dict.fromkeys(demand.field for demand in demands):
            self.refuse_too_many(count * sides, demands, field, "faces" if sides > 1 else "rows")

    # ---- plans

    def plan(
        self,
        kind: str,
        players: int,
        data: dict[str, Any],
        hands: tuple[tuple[str, int], ...] = (),
        piles: tuple[tuple[str, int], ...] = (),
        count: int = 0,
    ) -> Plan:
        recipe = (self.file.recipe or RECIPE_LETTERS[self.number]) + RECIPE_LETTERS[players]
        if self.file.recipe:
            return Plan(players, recipe, hands, piles, count, None)
        import json  # judging sheets of games whose draws have recipes needs no fingerprints
        from hashlib import sha256

        everything = {"method": _METHOD, "draw": kind, "players": players, **data}
        text = json.dumps(everything, sort_keys=True, default=str)
        digest = sha256(text.encode("utf-8", "surrogatepass")).digest()
        fingerprint = int.from_bytes(digest[:8], "big") >> (64 - FINGERPRINT_BITS)
        return Plan(players, recipe, hands, piles, count, fingerprint)


# ---- messages --------------------------------------------------------------------------------------------------------


def _number_text(value: Any) -> str:
    """A number as people write it."""
    return ("yes" if value else "no") if isinstance(value, bool) else f"{float(value):.15g}"


def _suggestion(name: str, names: Iterable[str]) -> str:
    choices = list(names)
    return did_you_mean(name, choices) or (f"known: {listed(choices)}" if choices else "")


def _of(demand: Demand) -> str:
    return f"“{demand.value}” in “{demand.field}”"


def _at(text: object) -> Place | None:
    return text.at(0) if isinstance(text, Scalar) else None


def _many(kind: Kind) -> Kind:
    """The kind of a list of such values."""
    return Kind(kind.name, True, None, kind.choices)


def _plain_text(part: str | Compiled) -> list[str]:
    """A part of a text, for a fingerprint."""
    return [part] if isinstance(part, str) else ["=", *part.text.split()]


def _plain_texts(expressions: Iterable[str]) -> list[list[str]]:
    """Expressions without the spaces that make no difference."""
    return [str(text).split() for text in expressions]
