"""Checks the draws in game.yaml and prepares them for drawing.

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

from msgspec.structs import replace

from .. import limits
from ..errors import InputError, Place, Problem, did_you_mean, listed, refuse, shortened
from ..expressions import Compiled, ExpressionError, NamedValue, TooMuchError, ValueKind
from ..expressions.compiler import ExpressionReader, place_of, quoted
from ..model.draws import (
    FINGERPRINT_BITS,
    Candidate,
    CodeLetter,
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
from .setcode import digest_bits

KINDS: tuple[DrawKind, ...] = ("shuffle", "pick", "rows", "dice")
RECIPE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The alphabet of set codes."""
_METHOD = 1  # part of every fingerprint; changes only if the same draw would give other sets
_COMMON = ("about", "into", "field", "players", "where", "check", "default", "recipe", "place")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "shuffle": ("hands", "then", "rest", "names"),
    "pick": ("count", "weight", "unique", "at_least", "at_most", "names"),
    "rows": ("columns", "unique", "at_least", "at_most"),
    "dice": ("faces", "at_least", "at_most"),
}
_INTO = {"shuffle": ("page",), "pick": ("page",), "rows": ("deck", "page", "sheet"), "dice": ("dice",)}
MAX_COLUMNS = 40
_MAX_TRIED_ROWS = 2_000  # the maximum number of rows tried to find out whether any meets a condition
SIDES = 6


def own_draws(definition: GameFile, components: Mapping[str, Component], place: Place) -> dict[str, OwnDraw]:
    """The draws of a game by name. Raises InputError with every problem."""
    problems: list[Problem] = []
    draws: dict[str, OwnDraw] = {}
    if len(definition.draws) >= len(RECIPE_LETTERS):
        message = f"this game has {len(definition.draws)} draws; at most {len(RECIPE_LETTERS) - 1}"
        raise InputError([Problem(message, place)])
    for number, (name, file) in enumerate(definition.draws.items(), start=1):
        reader = _Reader(name, number, file, definition, components=components, place=file.place or place)
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
    refuse(problems)
    return draws


def drawn_kinds(draws: Iterable[OwnDraw]) -> dict[str, str]:
    """The names of drawn values in the rules of score sheets, with the kinds of the values, and their greatest numbers
    under the same names with `.#`."""
    kinds: dict[str, str] = {}
    for draw in draws:
        columns = {column.name: kind_of_column(column) for column in draw.columns} or {
            name: kind_of([each.values[name] for each in draw.candidates]) for name in draw.candidates[0].values
        }
        counts = {draw.name: max(plan.count for plan in draw.plans)} if draw.kind in ("rows", "pick") else {}
        if draw.kind == "shuffle":
            counts = {f"{draw.name}.{pile}": count for plan in draw.plans for pile, count in plan.piles}
            counts[f"{draw.name}.{draw.file.rest}"] = len(draw.candidates)
        for place, count in counts.items():
            kinds |= {f"{place}.{name}": kind.name for name, kind in columns.items()}
            kinds |= {f"{place}.{name}.#": str(count) for name in columns}
    return kinds


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

    def __init__(self, kinds: Mapping[str, ValueKind]) -> None:
        self.kinds = {**kinds, "players": ValueKind("whole")}

    def source(self, name: str, at: int) -> NamedValue:
        if name not in self.kinds:
            hint = did_you_mean(name, self.kinds) or f"known: {listed(self.kinds)}"
            raise ExpressionError(f"unknown name “{shortened(name)}”", at, hint)
        return NamedValue(name, self.kinds[name], lambda env: env.values[name])


class _Reader(ExpressionReader):
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
        super().__init__(f"draw “{shortened(name)}”: ")
        self.name, self.file, self.game, self.place = name, file, game, place
        self.recipe_letter = file.recipe or RECIPE_LETTERS[number]
        self.components = components
        self.uses_players = file.players is not None or file.hands is not None

    def bad(self, message: str, place: Place | None = None, hint: str = "") -> None:
        super().bad(message, place or self.place, hint)

    def draw(self) -> OwnDraw | None:
        kinds = [kind for kind in KINDS if getattr(self.file, kind) is not None]
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", self.name):
            self.bad("its name may only contain lower-case letters, digits, - and _")
        if self.file.recipe and (len(self.file.recipe) > 1 or self.file.recipe not in RECIPE_LETTERS):
            self.bad(f"“recipe” must be one of {RECIPE_LETTERS}, not {quoted(self.file.recipe)}")
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
        fitting = [other for other, part in self.game.components.items() if part.kind in _INTO[kind]]
        if name and name not in fitting and self.file.into:
            message = f"“into” must name a {' or '.join(_INTO[kind])}; {quoted(name)} is not one"
            self.bad(message, None, _suggestion(name, fitting))
        elif name and name not in fitting:
            hint = f"add “into”: {listed(fitting)}" if fitting else "add one to “components”"
            self.bad(f"it needs a {' or '.join(_INTO[kind])} to be printed on", None, hint)
        elif name and self.game.components[name].kind == "page" and self.game.components[name].cards:
            self.bad(f"the page “{name}” has cards of its own", hint="leave out its “cards”")
        elif (part := self.components.get(name)) and part.sheet and self.file.field not in part.sheet.fields:
            hint = f"add the field “{self.file.field}: {{kind: code, label: Set}}”"
            self.bad(f"the sheet “{name}” has no field for the code of the set", None, hint)
        elif part and part.sheet and "score_pad" in part.definition.face:
            hint = "draw the sheet with a template of your own, under another name"
            self.bad(f"the face score_pad of “{name}” has no place for drawn values", None, hint)
        return name

    # ---- expressions

    def compile(self, text: str, scope: Any, place: Place) -> Compiled | None:
        term = super().compile(text, scope, place)
        self.uses_players = self.uses_players or (term is not None and _uses_players(term))
        return term

    def conditions(self, key: str, kinds: Mapping[str, ValueKind]) -> tuple[Compiled, ...]:
        terms = [self.condition(text, _Names(kinds), self.place, f"“{key}”") for text in getattr(self.file, key)]
        return tuple(term for term in terms if term)

    def amount(self, text: Expression, what: str) -> Callable[[int], int]:
        """The function that works out an amount from the number of players; it returns -1 after reporting a problem."""
        term = self.number(text, _Names({}), self.place, f"“{what}”")

        def amount(players: int) -> int:
            value = self.run(term, {"players": players}, what, text) if term else None
            if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limits.CARDS:
                return value
            if value is not None and term:
                words = ("yes" if value else "no") if isinstance(value, bool) else f"{float(value):.15g}"
                words += f" with {players} players" if players and term.names else ""
                self.bad(f"“{what}” must be a whole number from 0 to {limits.CARDS:,}, not {words}", self.at(text))
            return -1

        return amount

    def at(self, text: object) -> Place:
        return place_of(text, self.place)

    def run(self, term: Compiled, values: Mapping[str, Any], key: str, text: object = None) -> Any:
        """The value of an expression; None after reporting that it is too much work."""
        try:
            return term.run(Values(values))
        except (TooMuchError, ArithmeticError) as error:
            self.bad(f"“{key}”: {error}", self.at(text))
            return None

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
            self.bad(f"there is no deck {quoted(source)}", hint=_suggestion(source, decks))
            return None
        deck = self.components.get(source)
        if deck is None:  # its own problems are reported
            return None
        if not deck.cards:
            self.bad(f"the deck “{source}” has no cards of its own", hint="give it “cards”")
            return None
        different = list({card.id: card for card in deck.cards}.values())
        kinds = {name: kind_of([card.values[name] for card in different]) for name in different[0].values}
        kinds = {"id": ValueKind("text", choices=choices_of([card.id for card in different])), **kinds}
        identity = identities_of(different)
        candidates = self.candidates(deck, different, kinds, identity)
        self.known_fields("names", kinds, filter(None, [self.file.names]))
        if self.problems:
            return None
        letter: CodeLetter = "D" if kind == "shuffle" else "C"
        draw = OwnDraw(
            self.name, self.file, kind, letter, source=source, into=into, plans=(), candidates=tuple(candidates)
        )
        return self.shuffle(draw, kinds, identity) if kind == "shuffle" else self.pick(draw, kinds, identity)

    def candidates(
        self, deck: Component, different: Sequence[Card], kinds: Mapping[str, ValueKind], identity: Mapping[str, str]
    ) -> list[Candidate]:
        """Every copy of the cards that meet the conditions `where`."""
        where = self.conditions("where", kinds)
        weight = self.number(self.file.weight, _Names(kinds), self.place, "“weight”")
        if any(map(_uses_players, (*where, *filter(None, [weight])))):
            self.bad("“where” and “weight” cannot use “players”", hint="“count” and “check” can")
        by_id: dict[str, Candidate] = {}
        for card in different:
            if self.problems:
                return []
            values = {name: value_of(card.id if name == "id" else card.values.get(name), kinds[name]) for name in kinds}
            if all(self.run(term, values, "where") for term in where):
                by_id[card.id] = Candidate(card.id, self.weighed(weight, values, card), values)
        order = [*by_id] if self.file.recipe else sorted(by_id, key=identity.__getitem__)
        copies = Counter(card.id for card in deck.cards)
        candidates = [by_id[name] for name in order if by_id[name].weight for _ in range(copies[name])]
        if not candidates:
            self.bad(f"no card in “{deck.name}” meets “where”" if where else "no card can be drawn")
        return candidates

    def weighed(self, term: Compiled | None, values: Mapping[str, Any], card: Card) -> int:
        """The weight of a card, in thousandths."""
        if term is None:
            return 1
        weight = self.run(term, values, "weight") or 0
        if not 0 <= weight <= 1_000_000:
            self.bad(f"the weight of card “{card.id}” must be from 0 to 1,000,000, not {weight}", card.place)
            return 0
        return round(weight * 1000)

    def shuffle(self, draw: OwnDraw, kinds: Mapping[str, ValueKind], identity: Mapping[str, str]) -> OwnDraw | None:
        hands = {name: self.amount(text, name) for name, text in self.hands().items()}
        piles = {name: self.amount(text, name) for name, text in self.file.then.items()}
        repeated = [name for name, count in Counter([*hands, *piles, self.file.rest]).items() if count > 1]
        if repeated:
            self.bad(f"two piles are called {quoted(repeated[0])}", hint="“rest” names the cards that are left")
        in_piles = (*piles, self.file.rest)
        check = self.conditions("check", _many({f"{pile}.{name}": kinds[name] for pile in in_piles for name in kinds}))
        used = sorted({source.name.partition(".")[2] for term in check for source in term.names} - {""})
        plans = []
        for players in self.player_numbers():
            dealt_hands = tuple((name, number(players)) for name, number in hands.items())
            dealt_piles = tuple((name, number(players)) for name, number in piles.items())
            needed = players * sum(count for _, count in dealt_hands) + sum(count for _, count in dealt_piles)
            if needed > len(draw.candidates) and not self.problems:
                of = f" to {players} players" if hands else ""
                self.bad(f"it deals {needed:,} cards{of}, but “{draw.source}” has {len(draw.candidates):,}")
            if self.problems:
                return None
            data = {
                "cards": [[identity[each.id], [each.values[name] for name in used]] for each in draw.candidates],
                "hands": [count for _, count in dealt_hands],
                "then": [[name if used else "", count] for name, count in dealt_piles],
                "rest": self.file.rest if used else "",
                "check": _plain_texts(self.file.check),
            }
            plan = self.plan("shuffle", players, data)
            plans.append(replace(plan, hands=dealt_hands, piles=dealt_piles))
        return replace(draw, plans=tuple(plans), check=check)

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

    def pick(self, draw: OwnDraw, kinds: Mapping[str, ValueKind], identity: Mapping[str, str]) -> OwnDraw | None:
        if self.file.count is None:
            self.bad("“pick” needs “count”: how many cards")
            return None
        count = self.amount(self.file.count, "count")
        values = {
            field: Counter(text for each in draw.candidates for text in texts_of(each.values[field]))
            for field in (*self.file.at_least, *self.file.at_most)
            if field in kinds
        }
        draw = self.constrained(draw, kinds, values)
        used = {name.name for term in draw.check for name in term.names} - {"players"}
        used |= {demand.field for demand in draw.demands}
        key_numbers: dict[tuple[Any, ...], int] = {}
        keys = [
            key_numbers.setdefault(tuple(each.values[name] for name in draw.unique), place)
            for place, each in enumerate(draw.candidates)
        ]
        cards = [
            [identity[each.id], each.weight, key, [each.values[name] for name in sorted(used)]]
            for each, key in zip(draw.candidates, keys, strict=True)
        ]
        return self.counted(draw, count, {"cards": cards}, lambda number: self.refuse_cards(draw, number, values))

    def refuse_cards(self, draw: OwnDraw, count: int, values: Mapping[str, Mapping[str, int]]) -> None:
        """Reports a set of cards that cannot be drawn, where this is certain before drawing."""
        candidates, demands = draw.candidates, draw.demands
        if not count:
            self.bad("“count” must be at least 1", self.at(self.file.count))
        elif count > len(candidates):
            extra = " that meet “where”" if self.file.where else ""
            message = f"it picks {count:,} cards, but “{draw.source}” has {len(candidates):,}{extra}"
            self.bad(message, self.at(self.file.count))
        different = len({tuple(str(each.values[name]) for name in draw.unique) for each in candidates})
        if draw.unique and different < count <= len(candidates):
            message = f"it picks {count:,} cards with different “{listed(draw.unique)}”"
            self.bad(f"{message}, but there are only {different:,}")
        for demand in demands:
            total = values[demand.field][demand.value]
            if demand.low > total:
                self.bad(f"at least {demand.low} {_of(demand)} are needed, but “{draw.source}” has only {total}")
        for field in dict.fromkeys(demand.field for demand in demands):
            if all(len(texts_of(each.values[field])) < 2 for each in candidates):
                self.refuse_too_few(draw, count, field)

    def refuse_too_few(self, draw: OwnDraw, count: int, field: str) -> None:
        """Reports a field whose `at_most` leaves too few cards, or whose `at_least` needs too many."""
        highs = {each.value: each.high for each in draw.demands if each.field == field and each.high is not None}
        counts = Counter(text for each in draw.candidates for text in texts_of(each.values[field]) or ("",))
        available = sum(min(number, highs.get(value, number)) for value, number in counts.items())
        if available < count <= len(draw.candidates):
            self.bad(f"“at_most” leaves only {available} cards by “{field}”, but it picks {count}")
        self.refuse_too_many(draw, count, field, "cards")

    # ---- constraints of cards, rows and dice

    def constrained(
        self, draw: OwnDraw, kinds: Mapping[str, ValueKind], values: Mapping[str, Mapping[str, int]]
    ) -> OwnDraw:
        """The draw with its constraints. `values` are those that can be drawn, by field."""
        return replace(
            draw,
            unique=self.known_fields("unique", kinds, self.file.unique),
            demands=self.demands(kinds, values),
            check=self.conditions("check", _many(kinds)),
        )

    def counted(
        self, draw: OwnDraw, count: Callable[[int], int], data: dict[str, Any], refuse: Callable[[int], None]
    ) -> OwnDraw | None:
        """The draw with a plan for each number of players; `refuse` reports amounts that cannot be drawn."""
        constraints = {
            "unique": sorted(draw.unique),
            "demands": sorted([demand.field, demand.value, demand.low, demand.high] for demand in draw.demands),
            "check": _plain_texts(self.file.check),
        }
        plans = []
        for players in self.player_numbers():
            number = count(players)
            if not self.problems:
                refuse(number)
            if self.problems:
                return None
            plan = self.plan(draw.kind, players, {**data, **constraints, "count": number})
            plans.append(replace(plan, count=number))
        return replace(draw, plans=tuple(plans))

    def known_fields(self, key: str, kinds: Mapping[str, ValueKind], names: Iterable[str]) -> tuple[str, ...]:
        known = []
        for name in names:
            if name in kinds:
                known.append(name)
            else:
                self.bad(f"“{key}”: there is no field {quoted(name)}", hint=_suggestion(name, kinds))
        return tuple(known)

    def demands(self, kinds: Mapping[str, ValueKind], values: Mapping[str, Mapping[str, int]]) -> tuple[Demand, ...]:
        """The numbers of `at_least` and `at_most` by field and value."""
        demands: dict[tuple[str, str], Demand] = {}
        for key in ("at_least", "at_most"):
            bounds = getattr(self.file, key)
            self.known_fields(key, kinds, bounds)
            for field, numbers in bounds.items():
                for value, number in numbers.items() if field in values else ():
                    if value not in values[field]:
                        hint = _suggestion(value, values[field])
                        self.bad(f"“{key}”: no “{field}” is {quoted(value)}", hint=hint)
                    before = demands.get((field, value), Demand(field, value))
                    low, high = (number, before.high) if key == "at_least" else (before.low, number)
                    demands[field, value] = Demand(field, value, low, high)
        for demand in demands.values():
            if demand.high is not None and demand.low > demand.high:
                self.bad(f"“at_least” asks for {demand.low} {_of(demand)}, but “at_most” allows {demand.high}")
        return tuple(demands.values())

    def refuse_too_many(self, draw: OwnDraw, count: int, field: str, noun: str) -> None:
        lowest = sum(demand.low for demand in draw.demands if demand.field == field)
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
        where = self.conditions("where", _many(kinds) if kind == "dice" else kinds)
        if kind == "rows":
            self.refuse_unmet(columns, where)
        part = self.game.components.get(into)
        letter: CodeLetter = "R" if kind == "dice" else "C" if part and part.kind == "deck" else "S"
        draw = OwnDraw(self.name, self.file, kind, letter, source="", into=into, plans=(), columns=columns, where=where)
        draw = self.constrained(draw, kinds, {each.name: possible_texts(each) for each in columns if not each.text})
        data = {
            "columns": [[each.name, each.parts, each.bag, list(map(_plain_text, each.text))] for each in columns],
            "where": _plain_texts(self.file.where),
        }
        return self.counted(draw, count, data, lambda number: self.refuse_rows(draw, number, text))

    def columns(self) -> tuple[DrawnColumn, ...]:
        if not self.file.columns:
            self.bad("“rows” needs “columns”", hint="such as columns: {red: d6, letter: [A, B, C]}")
        if len(self.file.columns) > MAX_COLUMNS:
            self.bad(f"it has {len(self.file.columns)} columns; at most {MAX_COLUMNS}")
            return ()
        columns: dict[str, DrawnColumn] = {}
        for name, node in self.file.columns.items():
            if not re.fullmatch(r"[^\W\d]\w*", name) or name == "players":
                self.bad(f"a column cannot be called {quoted(name)}", None, "use letters, digits and _")
            elif isinstance(node, Scalar) and "{" in node.text:
                columns[name] = self.text_column(name, node, columns)
            elif column := self.column(name, node):
                columns[name] = column
        return tuple(columns.values())

    def text_column(self, name: str, node: Scalar, columns: Mapping[str, DrawnColumn]) -> DrawnColumn:
        """A column of texts, made from the columns above it."""
        scope = _Names({other: kind_of_column(each) for other, each in columns.items()})
        parts = self.template(node, scope, node.place, f"column “{name}”", example="{a + b}")
        for part in parts:
            if isinstance(part, Compiled) and part.kind.many:
                self.bad(f"{quoted(part.text)} must be one value, not a list", node.place)
        return DrawnColumn(name, text=tuple(parts))

    def faces(self) -> tuple[DrawnColumn, ...]:
        if self.file.faces is None:
            self.bad("“dice” needs “faces”", hint="such as faces: [1, 2, 3, 4, 5, 6], drawn six times for each die")
            return ()
        return tuple(filter(None, [self.column("faces", self.file.faces)]))

    def column(self, name: str, node: Any) -> DrawnColumn | None:
        try:
            return drawn_column(name, node)
        except InputError as error:
            for problem in error.problems:
                self.bad(f"column “{name}”{problem.message}", problem.place, problem.hint)
            return None

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
                    self.bad(f"no row can meet {quoted(term.text)}", self.at(text))

    def refuse_rows(self, draw: OwnDraw, count: int, text: Expression) -> None:
        """Reports rows that cannot be drawn, where this is certain before drawing."""
        limit, sides, noun = (limits.PIECES, SIDES, "faces") if draw.kind == "dice" else (limits.DRAWN_ROWS, 1, "rows")
        if not 1 <= count <= limit:
            self.bad(f"from 1 to {limit:,} can be drawn, not {count:,}", self.at(text))
            return
        for column in draw.columns:
            if column.bag and len(column.bag) < count * sides:
                self.bad(f"the bag of “{column.name}” has {len(column.bag)} values, but {count * sides} are drawn")
        unique = [column for column in draw.columns if column.name in draw.unique]
        different = prod(len(possible_texts(column)) for column in unique if not column.text)
        if unique and not any(column.text for column in unique) and different < count:
            names = listed(draw.unique)
            self.bad(f"it draws {count} rows with different “{names}”, but there are only {different}")
        for field in dict.fromkeys(demand.field for demand in draw.demands):
            self.refuse_too_many(draw, count * sides, field, noun)

    # ---- plans

    def plan(self, kind: str, players: int, data: dict[str, Any]) -> Plan:
        """The plan for a number of players, without its amounts; its fingerprint is that of the `data`."""
        recipe = self.recipe_letter + RECIPE_LETTERS[players]
        if self.file.recipe:
            return Plan(players, recipe, None)
        import json  # judging sheets of games whose draws have recipes needs no fingerprints

        everything = {"method": _METHOD, "draw": kind, "players": players, **data}
        text = json.dumps(everything, sort_keys=True, default=str)
        return Plan(players, recipe, digest_bits(text, FINGERPRINT_BITS))


# ---- messages and fingerprints


def _suggestion(name: str, names: Iterable[str]) -> str:
    choices = list(names)
    return did_you_mean(name, choices) or (f"known: {listed(choices)}" if choices else "")


def _of(demand: Demand) -> str:
    return f"“{demand.value}” in “{demand.field}”"


def _uses_players(term: Compiled) -> bool:
    return any(source.name == "players" for source in term.names)


def _many(kinds: Mapping[str, ValueKind]) -> dict[str, ValueKind]:
    """The kinds of lists of such values."""
    return {name: ValueKind(kind.name, True, None, kind.choices) for name, kind in kinds.items()}


def _plain_text(part: str | Compiled) -> list[str]:
    """A part of a text, for a fingerprint."""
    return [part] if isinstance(part, str) else ["=", *part.text.split()]


def _plain_texts(expressions: Iterable[str]) -> list[list[str]]:
    """Expressions without the spaces that make no difference."""
    return [str(text).split() for text in expressions]
