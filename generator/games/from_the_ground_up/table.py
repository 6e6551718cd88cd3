"""The table sheet: where the cards are at the end, what is written on them, and the turns, which are replayed from the
deal.

Paper has towers in the order of the set, whom their cards were dealt to, and the turns as they are written and ringed.
A file may have lists of cards, `deal` and `log` instead.

A turn that breaks a rule is reported and then carried out anyway, as it was at the table. If it cannot be carried out
(the card is not there, or it is another player’s turn), the replay ends there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...draws import SetCode
from ...errors import Place, Problem
from ...model.game import Card, Game
from ...model.values import span
from ...rules.results import Violation
from ...sheets import FilledSheet, Reading
from ...sheets.marks import near_cards
from .. import random_sets, standard_cards
from ..base import rule_book
from ..turns import Replay, no_such_player, seat_of
from . import play
from .play import DECK, NONE, SIGNS, STAR, Compare, Move, Spec, Writing


class MarkEntry(Struct, frozen=True, kw_only=True):
    """`mark:` in a turn: the card, and which of its places was marked. `card` is empty if the turn does not name it."""

    card: str
    crate: int | None = None
    star: bool = False
    tick: int | None = None
    place: Place


class Entry(Struct, frozen=True, kw_only=True):
    """One line of a log: a turn with its roll and what the player did with it, or a pass. `crate`, `star` and `tick`
    can be in the turn itself, with or without the card."""

    player: str
    roll: int | None = None
    mark: MarkEntry | None = None
    card: str | None = None
    crate: int | None = None
    star: bool = False
    tick: int | None = None
    flip: str | None = None
    pass_: str | None = None
    place: Place

    @property
    def marks(self) -> tuple[MarkEntry, ...]:
        direct = MarkEntry(card=self.card or "", crate=self.crate, star=self.star, tick=self.tick, place=self.place)
        is_given = self.star or (self.card, self.crate, self.tick) != (None, None, None)
        return tuple(filter(None, (self.mark, direct if is_given else None)))


def tower_card(sheet: FilledSheet, tower: str) -> str:
    """The number of the card that a tower of the sheet stands for; empty if the set has no such card."""
    return next(islice(sheet.cards, int(tower.rpartition(".")[2]) - 1, None), "")


def dealt_on_paper(sheet: FilledSheet) -> Mapping[str, tuple[str, ...]]:
    """The numbers of the cards dealt to each player, by name, as they are written below the towers."""
    towers = [(tower, sheet.number(f"{tower}.dealt")) for tower in sheet.entries.get("towers", ())]
    owners = dict.fromkeys(name for _, number in towers if (name := sheet.people.get(f"players.{number}")))
    return {
        name: tuple(
            tower_card(sheet, tower) for tower, number in towers if sheet.people.get(f"players.{number}") == name
        )
        for name in owners
    }


def log_on_paper(sheet: FilledSheet) -> list[tuple[str, Entry]]:
    """The entries of the log as they are written on paper, each with the id of its line. The cards that are passed on
    are written beside the turns of their round and follow its last turn, because all players pass at the same time."""
    entries, passes, turns = list[tuple[str, Entry]](), list[tuple[str, Entry]](), 0
    for line in sheet.entries.get("turns", ()):
        player, place = sheet.people.get(f"players.{sheet.number(f'{line}.player')}", ""), sheet.place_of(line)
        if any(f"{line}.{key}" in sheet.marks for key in ("roll", "card", "crate", "act")):
            if turns == len(sheet.entries.get("players", ())):
                entries, passes, turns = [*entries, *passes], [], 0
            turns += 1
            entries.append((line, _turn(sheet, line, player, place)))
        if card := sheet.text(f"{line}.pass"):
            passes.append((line, Entry(player=player, pass_=card, place=place)))
    return [*entries, *passes]


def _turn(sheet: FilledSheet, line: str, player: str, place: Place) -> Entry:
    act, card, crate = sheet.text(f"{line}.act"), sheet.text(f"{line}.card"), sheet.number(f"{line}.crate")
    flip = card if act == "flip" and card else None
    tick = crate if act == "tick" else None
    mark = MarkEntry(card=card, crate=None if tick else crate, star=act == "star", tick=tick, place=place)
    is_marked = flip is None and (card or crate or act)
    return Entry(
        player=player, roll=sheet.number(f"{line}.roll"), mark=mark if is_marked else None, flip=flip, place=place
    )


def paper_problems(sheet: FilledSheet) -> Iterator[Problem]:
    """A log or a deal that is both typed and written on paper, and lines whose player or card is missing."""
    lines, players = sheet.entries.get("turns", ()), sheet.entries.get("players", ())
    if lines and "log" in sheet.extra:
        yield Problem("the turns are logged twice, under “log” and under “turns”", sheet.place_of(lines[0]))
    dealt = [name for tower in sheet.entries.get("towers", ()) if (name := f"{tower}.dealt") in sheet.marks]
    if dealt and "deal" in sheet.extra:
        yield Problem("the deal is given twice, under “deal” and with the towers", sheet.place_of(dealt[0]))
    if lines and not dealt and "deal" not in sheet.extra:
        hint = "write below every tower to whom its card was dealt"
        yield Problem("the turns cannot be checked without the deal", sheet.place_of(lines[0]), hint)
    named = [*dealt, *(name for line in lines if (name := f"{line}.player") in sheet.marks)]
    for name in [name for name in named if f"players.{sheet.number(name)}" not in players]:
        yield Problem(f"there is no player {sheet.number(name)}", sheet.place_of(name))
    for line in lines:
        yield from _line_problems(sheet, line)


def _line_problems(sheet: FilledSheet, line: str) -> Iterator[Problem]:
    if f"{line}.player" not in sheet.marks:
        yield Problem("a turn does not say whose it is", sheet.place_of(line), "write the number of the player")
    act, is_crate = sheet.text(f"{line}.act"), f"{line}.crate" in sheet.marks
    if (act == "flip" or (is_crate and not act)) and not sheet.text(f"{line}.card"):
        yield Problem("a turn does not say which card", sheet.place_of(line), "write the number of the card")
    if act == "flip" and is_crate:
        yield Problem("a turn fills in a crate and flips a card", sheet.place_of(line), "leave one of them blank")


rules = rule_book("from_the_ground_up")


def cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by number: those of the random set, or the standard twelve. Raises InputError if the code is not for a
    set of cards."""
    decks = random_sets(game).deal(game, code).cards if code else standard_cards(game)
    return MappingProxyType({card.id: card for card in decks[DECK]})


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Problems in the towers, the log and the deal: unknown players and cards, impossible rolls, incomplete turns."""
    for tower in sheet.entries.get("towers", ()):
        if not tower_card(sheet, tower):
            yield Problem(f"the set has only {len(sheet.cards)} cards", sheet.place_of(tower))
        owner = sheet.number(f"{tower}.owner")
        if owner and f"players.{owner}" not in sheet.entries.get("players", ()):
            hint = "write the player’s name, or ring another number"
            yield Problem(f"there is no player {owner}", sheet.place_of(f"{tower}.owner"), hint)
    yield from _wrong_signs(sheet)
    for name, dealt in (_deal(sheet) or {}).items():
        yield from _unknown(sheet, name, dealt, sheet.place_of(f"deal.{name}"))
    yield from paper_problems(sheet)
    for entry in (*sheet.extra.get("log", ()), *(entry for _, entry in log_on_paper(sheet) if entry.player)):
        names = [*(mark.card for mark in entry.marks), entry.flip, entry.pass_]
        yield from _unknown(sheet, entry.player, tuple(filter(None, names)), entry.place)
        yield from _entry_problems(sheet.game, entry)
    if "log" in sheet.extra and "deal" not in sheet.extra:
        yield Problem(
            "the log cannot be checked without the deal",
            sheet.place_of("log.1"),
            "add deal: {Ann: [4, 7, 11], ...} with every player’s first cards",
        )


def _wrong_signs(sheet: FilledSheet) -> Iterator[Problem]:
    """Symbols typed between crates that are not those of the card."""
    for row, signs in sheet.signs.items():
        entry = row.rpartition(".")[0]
        number = tower_card(sheet, entry) if entry.startswith("towers.") else sheet.text(f"{entry}.card")
        right = [SIGNS[symbol] for symbol in sheet.cards[number].symbols] if number in sheet.cards else signs
        if signs != right[: len(signs)]:
            message = f"card {number} has {' '.join(right)} between its crates, not {' '.join(signs)}"
            yield Problem(message, sheet.place_of(row), "correct the number of the card, or leave out the symbols")


def _entry_problems(game: Game, entry: Entry) -> Iterator[Problem]:
    if entry.pass_ is not None:
        if entry.roll is not None or entry.marks or entry.flip:
            yield Problem(
                "an entry is either a turn or a pass", entry.place, "write the turn and the pass as two entries"
            )
    elif entry.roll is None:
        yield Problem(f"{entry.player}’s turn needs a roll", entry.place, "or write “pass” and the number of the card")
    elif entry.roll not in span(str(game.rules["die"])):
        yield Problem(f"{entry.player}’s roll must be from 1 to 6, not “{entry.roll}”", entry.place)
    for mark in entry.marks:
        yield from _mark_problems(mark)


def _mark_problems(mark: MarkEntry) -> Iterator[Problem]:
    if sum((mark.crate is not None, mark.star, mark.tick is not None)) != 1:
        yield Problem(
            "a mark needs exactly one of crate, star and tick", mark.place, "for example mark: {card: 4, crate: 2}"
        )
    for number in (mark.crate, mark.tick):
        if number is not None and number < 1:
            yield Problem(f"there is no crate {number}", mark.place, "crates are numbered from 1, from the left")


def _deal(sheet: FilledSheet) -> Mapping[str, tuple[str, ...]] | None:
    """The cards dealt to each player, by name, which may be typed as a list or as one text; None without a deal."""
    deal: Mapping[str, tuple[str, ...]] | None = sheet.extra.get("deal", dealt_on_paper(sheet) or None)
    return deal and {name: tuple(" ".join(cards).replace(",", " ").split()) for name, cards in deal.items()}


def _unknown(sheet: FilledSheet, player: str, numbers: tuple[str, ...], place: Place) -> Iterator[Problem]:
    """A player and cards that do not exist."""
    names = player_names(sheet)
    if seat_of(names, player) is None:
        yield no_such_player(player, names, place)
    for card in numbers:
        if card not in sheet.cards:
            yield Problem(f"no card “{card}” in the game", place, near_cards(card, sheet.cards))


def player_names(sheet: FilledSheet) -> list[str]:
    """The names of the players in the order they are listed."""
    return [sheet.people[entry] for entry in sheet.entries.get("players", ())]


READING = Reading(
    extra=MappingProxyType({"log": tuple[Entry, ...], "deal": dict[str, tuple[str, ...]]}),
    cards=cards,
    problems=problems,
)


def spec_of(card: Card, game: Game) -> Spec:
    """A card as printed, with its symbols read as game.yaml says."""
    compare: Compare = "first" if game.rules.get("compare") == "first" else "neighbour"
    return Spec(card.id, card.star, card.symbols, compare)


class TableCard(Struct, frozen=True):
    """A card on the table: `id` is its entry on the sheet, `owner` the player's id (empty for a shared card).

    `typed` is the row of crates as typed; the `writing` has that row cut or padded to the number of crates on the
    card."""

    spec: Spec
    typed: tuple[int | None, ...]
    writing: Writing
    id: str = ""
    owner: str = ""
    flipped: bool = False
    ticked: frozenset[int] = frozenset()

    @classmethod
    def of(cls, spec: Spec, typed: tuple[int | None, ...], star: int | None, **about: Any) -> TableCard:
        """A card with these marks, and what else is known `about` it."""
        marks = (*typed, *[None] * len(spec.symbols), None)[: len(spec.symbols) + 1]
        return cls(spec, typed, (star or 0, *(mark or 0 for mark in marks)), **about)

    @property
    def name(self) -> str:
        return f"card {self.spec.name}"

    @property
    def number_id(self) -> str:
        """The id of its number on the sheet, which is printed for a tower."""
        return self.id if self.id.startswith("towers.") else f"{self.id}.card"

    @property
    def star(self) -> int:
        """The number in the star; 0 if it is empty."""
        return self.writing[STAR]

    @property
    def crates(self) -> tuple[int | None, ...]:
        return tuple(number or None for number in self.writing[1:])

    @property
    def blanks(self) -> list[int]:
        """The numbers of the blank crates."""
        return [place for place in self.spec.places[1:] if not self.writing[place]]

    @property
    def scoring(self) -> bool:
        """Whether the card scores for the player who has it: it is finished or flipped."""
        return self.flipped or 0 not in self.writing


class TableSheet:
    """The table as the rules see it. Players are known by their ids (`players.1`)."""

    def __init__(self, sheet: FilledSheet) -> None:
        self.sheet = sheet
        # Whether the game ended under the stall variant.
        self.stall = sheet.ticked("variant.stall") or sheet.game.rules.get("stall") is True
        self.players = sheet.entries.get("players", ())
        self.names = player_names(sheet)
        self.specs = {name: spec_of(card, sheet.game) for name, card in sheet.cards.items()}
        groups = [*((f"{player}.cards", player) for player in self.players), ("shared", "")]
        listed = [(entry, owner) for group, owner in groups for entry in sheet.entries.get(group, ())]
        owners = ((tower, sheet.number(f"{tower}.owner")) for tower in sheet.entries.get("towers", ()))
        listed += [(tower, f"players.{owner}" if owner else "") for tower, owner in owners]
        # The entries without a card number.
        self.unnamed = [entry for entry, _ in listed if not self.number(entry)]
        # Every card on the table that has a number, players' cards first and those drawn as towers last.
        self.cards = [self._card(entry, owner) for entry, owner in listed if entry not in self.unnamed]
        named = [(sheet.text(f"{player}.discarded"), player, f"{player}.discarded") for player in self.players]
        ticked = [
            (card.spec.name, card.owner, where) for card in self.cards if sheet.ticked(where := f"{card.id}.discarded")
        ]
        # The numbers of the cards given up, each with the player and the id of its mark.
        self.gone = [*(entry for entry in named if entry[0]), *ticked]
        given_up = {number for number, _, _ in self.gone} if self.stall else set()
        # The numbers of cards that were given up and then left out, although they stay on the sheet.
        self.deleted = sorted(given_up - {card.spec.name for card in self.cards})
        # The numbers of the cards dealt to each player, by name; None if the sheet does not say.
        self.deal: Mapping[str, tuple[str, ...]] | None = _deal(sheet)
        self.dealt = [card for hand in (self.deal or {}).values() for card in hand]
        logged = [(f"log.{number}", entry) for number, entry in enumerate(sheet.extra.get("log", ()), 1)]
        logged = logged or log_on_paper(sheet)
        # The id of every entry of the log: the part of the file, or the line on paper.
        self.log_ids = [name for name, _ in logged]
        entries = [entry for _, entry in logged]
        seats = {entry.player: seat_of(self.names, entry.player) for entry in entries}
        full_names = {name: name if seat is None else self.names[seat] for name, seat in seats.items()}
        # The turns, each with the full name of its player.
        self.log = [replace(entry, player=full_names[entry.player]) for entry in entries]

    @cached_property
    def points(self) -> dict[str, int]:
        """The points of every card, by its entry on the sheet; the cards that players gave up are not in it."""
        given_up = [card for player in self.players if (card := self.given_up(player))]
        unstarred = int(self.sheet.game.rules["unstarred"])
        return {
            card.id: play.points(card.spec, card.writing, card.flipped, unstarred)
            for card in self.cards
            if card not in given_up
        }

    def counting_cards(self, player: str) -> list[TableCard]:
        """A player's cards without the one given up under the stall variant."""
        return [card for card in self.in_front_of(player) if card.id in self.points]

    def total(self, player: str) -> int:
        return sum(self.points[card.id] for card in self.counting_cards(player))

    def in_front_of(self, player: str) -> list[TableCard]:
        return [card for card in self.cards if card.owner == player]

    def name(self, player: str) -> str:
        return self.sheet.people[player]

    def given_up(self, player: str) -> TableCard | None:
        """The card the player gave up under the stall variant; None if it could not be given up."""
        if not self.stall:
            return None
        number = next((number for number, owner, _ in self.gone if owner == player), "")
        return next((card for card in self.in_front_of(player) if card.spec.name == number and card.scoring), None)

    def number(self, entry: str) -> str:
        """The number of the card in an entry; empty if it has none."""
        return tower_card(self.sheet, entry) if entry.startswith("towers.") else self.sheet.text(f"{entry}.card")

    def _card(self, entry: str, owner: str) -> TableCard:
        sheet = self.sheet
        return TableCard.of(
            self.specs[self.number(entry)],
            sheet.row(f"{entry}.crates"),
            sheet.number(f"{entry}.star"),
            id=entry,
            owner=owner,
            flipped=sheet.ticked(f"{entry}.flipped"),
            ticked=sheet.ticks(f"{entry}.ticked"),
        )


class TableReplay(Replay[Entry]):
    """The replay of a log from a deal in which every card is dealt once: `state` is the table at its end, `where` the
    id of its last entry. Whoever takes the first turn of the log starts every round."""

    def __init__(self, table: TableSheet) -> None:
        super().__init__()
        self.table = table
        hands = [[table.specs[card] for card in (table.deal or {}).get(name, ())] for name in table.names]
        self.state = play.start(hands, table.names.index(table.log[0].player), table.stall)
        self.follow(table.log)

    @property
    def where(self) -> str:
        return self.table.log_ids[self.number - 1]

    def play(self, entry: Entry) -> Iterator[Violation]:
        seat = self.table.names.index(entry.player)
        self.stop_if(play.is_over(self.state), rules["after-the-end"], "the game had ended before this entry")
        move = self._turn(seat, entry) if entry.pass_ is None else self._pass(seat, entry.player, entry.pass_)
        yield from self._violations(entry, move)
        self.state = play.apply(self.state, move)

    def _number(self, name: str) -> int:
        """The number of a card in the state; NONE if it was not dealt."""
        return next((number for number, spec in enumerate(self.state.specs) if spec.name == name), NONE)

    def _pass(self, seat: int, name: str, card: str) -> Move:
        state, move, whose = self.state, Move("pass", seat, self._number(card)), self.table.names[self.state.seat]
        message = f"{name} passes a card before {whose} has had a turn"
        self.stop_if(not state.passing, rules["turn-order"], message)
        self.stop_if(state.passed[seat] != NONE, rules["pass"], f"{name} passes a second card in this round")
        message = f"{name} passes card {card}, but does not have it"
        self.stop_if(move.card not in state.hands[seat], rules["pass"], message)
        return move

    def _turn(self, seat: int, entry: Entry) -> Move:
        """The move of a turn. Stops at one that nobody could have made with the cards as they are."""
        state, roll, whose = self.state, entry.roll or 0, self.table.names[self.state.seat]
        message = f"{whose} still has to pass a card before the next round begins"
        self.stop_if(state.passing, rules["pass"], message)
        message = f"{entry.player} takes a turn, but it is {whose}’s turn"
        self.stop_if(seat != state.seat, rules["turn-order"], message)
        moves = []
        for mark in entry.marks:
            kind, place = ("tick", mark.tick) if mark.tick is not None else ("write", mark.crate or STAR)
            card = self._number(mark.card) if mark.card else self._implied_card(kind, place, roll)
            moves.append(Move(kind, seat, card, place=place, roll=roll))
        if entry.flip is not None:
            moves.append(Move("flip", seat, self._number(entry.flip)))
        self.stop_if(len(moves) > 1, rules["one-mark"], f"{entry.player} uses one roll {len(moves)} times")
        if not moves:
            return Move("nothing", seat, roll=roll)
        self._refuse_impossible(moves[0], entry.player)
        return moves[0]

    def _implied_card(self, kind: str, place: int, roll: int) -> int:
        """The card of a mark that does not name it. Stops if several cards could be meant, or none."""
        cards = [move.card for move in play.marks(self.state, roll) if (move.kind, move.place) == (kind, place)]
        what = f"shared crate {place}" if kind == "tick" else f"crate {place}" if place else "star"
        message = f"{'more than one' if cards else 'no'} {what} can take the {roll}; add the number of the card"
        self.stop_if(len(cards) != 1, rules["log-named"], message)
        return cards[0]

    def _refuse_impossible(self, move: Move, name: str) -> None:
        """Stops at a card that is not there to be marked or flipped, or at a place that is not free."""
        state, rule = self.state, rules["flip"] if move.kind == "flip" else rules["mark-fits"]
        self.stop_if(move.card == NONE, rule, f"{name} uses a card that was not dealt")
        card, writing, is_tick = f"card {state.specs[move.card].name}", state.writing[move.card], move.kind == "tick"
        message = f"{card} is not {'shared' if is_tick else f'in front of {name}'}"
        self.stop_if(move.card not in (state.shared if is_tick else state.hands[move.seat]), rule, message)
        self.stop_if(not is_tick and move.card in state.flipped, rule, f"{card} is already flipped")
        if move.kind == "flip":
            return
        has_place = move.place < len(writing) and not (is_tick and move.place == STAR)
        self.stop_if(not has_place, rule, f"{card} has no crate {move.place}")
        message = f"{_place(move)} of {card} is already"
        self.stop_if(not is_tick and writing[move.place], rule, f"{message} filled in")
        self.stop_if(is_tick and move.place in state.ticks[move.card], rule, f"{message} ticked")

    def _violations(self, entry: Entry, move: Move) -> Iterator[Violation]:
        state, where, name, roll = self.state, self.where, entry.player, entry.roll or 0
        if move.kind == "pass":
            if move not in play.passes(state, move.seat):
                yield rules["pass"](where, self._wrong_pass(move, name))
        elif move in play.legal(state, roll):
            return
        elif move.kind in ("write", "tick"):
            yield rules["mark-fits"](where, self._unfitting(move))
        elif possible := play.marks(state, roll):
            action = f"flips card {entry.flip}" if entry.flip else "marks nothing"
            place = f"{_place(possible[0])} of card {state.specs[possible[0].card].name}"
            example = f"{place} takes it" if possible[0].kind == "write" else f"it ticks {place}"
            yield rules["must-mark"](where, f"{name} {action}, but could mark the {roll}: {example}")
        elif move.kind == "flip":
            yield rules["flip"](where, f"{name} flips card {entry.flip}, but has no unfinished card face up")
        else:
            yield rules["must-flip"](where, f"{name} cannot mark the {roll} and must flip a card")

    def _wrong_pass(self, move: Move, name: str) -> str:
        state = self.state
        card, marked = state.specs[move.card].name, state.marked[move.seat]
        if marked in state.hands[move.seat]:
            return f"{name} passes card {card}, but must pass card {state.specs[marked].name}, written on this round"
        return f"{name} passes the flipped card {card}, but has a face-up card"

    def _unfitting(self, move: Move) -> str:
        spec = self.state.specs[move.card]
        if move.kind == "tick":
            value = self.state.writing[move.card][move.place]
            return f"crate {move.place} of card {spec.name} holds {value}, so a {move.roll} cannot tick it"
        if move.place == STAR:
            return f"the star of card {spec.name} takes {spec.star}, not {move.roll}"
        signs = " ".join(SIGNS[symbol] for symbol in spec.symbols)
        return f"a {move.roll} does not fit in crate {move.place} of card {spec.name} ({signs})"

    def end(self) -> Iterator[Violation]:
        """A stall variant that ended without a stalled round, and differences between the log and the sheet. A card
        already passed in an unfinished round is in front of the next player."""
        table, state = self.table, self.state
        if table.stall and not play.is_over(state):
            yield rules["stalled"](
                self.where, "the log does not end with a full round in which nobody marked or flipped anything"
            )
        hands = zip(table.players, play.passed_on(state), strict=True)
        owners = {card: player for player, hand in hands for card in hand}
        dealt = {spec.name: number for number, spec in enumerate(state.specs)}
        for card in [card for card in table.cards if card.spec.name in dealt]:
            number = dealt[card.spec.name]
            for field, message in self._differences(card, number, owners.get(number, "")):
                yield rules["log-agrees"](f"{card.id}{field}", f"after the log {message}")

    def _differences(self, card: TableCard, number: int, owner: str) -> Iterator[tuple[str, str]]:
        """The fields of a card that do not agree with the state at the end of the log, in which it has this number and
        owner, and what they should hold."""
        state = self.state
        if card.owner != owner:
            yield "", f"{card.name} is {self._holder(owner)}, not {self._holder(card.owner)}"
        for place, (typed, right) in enumerate(zip(card.writing, state.writing[number], strict=True)):
            if typed != right:
                where, what = (f".crates.{place}", f"crate {place}") if place else (".star", "the star")
                holds = f"holds {right}" if right else "is empty"
                yield where, f"{what} of {card.name} {holds}, not {typed or 'empty'}"
        if card.flipped != (number in state.flipped):
            yield ".flipped", f"{card.name} is {'face up' if card.flipped else 'flipped'}"
        if not card.owner and not owner and card.ticked != state.ticks[number]:
            ticks = ", ".join(map(str, sorted(state.ticks[number]))) or "none"
            yield ".ticked", f"the ticked crates of {card.name} are {ticks}"

    def _holder(self, owner: str) -> str:
        return f"in front of {self.table.name(owner)}" if owner else "in the shared area"


def _place(move: Move) -> str:
    return "the star" if move.place == STAR else f"crate {move.place}"
