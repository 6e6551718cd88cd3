"""The travel log as the rules see it, and how it is read: what a file may contain, and problems in it.

In a file a card action is one short line: “deck +3”, “Ann +3 −3”, “draw deck +3; Ben discard pile +4”. It says where
the card comes from or goes to, then the cards, and after `onto` or `with` the cards they are stacked with. A file may
also write an action key by key (`draw: {from: deck, card: dragon-3}`) and list the hands by player. Both are converted
to lines before they are read, and so is what is ringed on paper (`boxes`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ... import nodes
from ...draws import SetCode
from ...errors import InputError, Place, Problem, did_you_mean, fault
from ...model.game import Card, Game
from ...nodes import Listing, Node, Scalar
from ...reading import typed
from ...sheets import FilledSheet, Reading
from ...sheets.marks import BLANK, LineError, as_tick, is_nothing
from ...spelling import ambiguity, comparable, joined
from .. import deal
from ..base import rule_book
from ..turns import TurnLog, no_players, no_such_player
from . import boxes, play
from .play import CARDS, DECK, NONE, PILE, Cards, Spec, board_of, without

T = TypeVar("T")
rules = rule_book("cosmic_consequences")

_HOW_TO_WRITE_CARDS = "write cards as +3 (dragon), -3 (tiger) or 0"
_BETWEEN = re.compile(r"[\s,]+")
_VERBS = ("draw", "discard")
_PLACES = {"deck": DECK, "pile": PILE}
# The written-out suit of a card: `dragon-3` for `+3`.
_LONG = re.compile(r"(dragon|tiger)[-_ ]?(?=\d)", re.IGNORECASE)
_SIGN = re.compile(r"(?<!\S)([+−-])\s+(?=\d)")  # a sign with a space after it: `+ 3` for `+3`


class ActionLine(Struct, frozen=True):
    """A card action as it is written. `place` is DECK, PILE, a seat, or NONE for a jump. `onto` are the cards that
    `cards` are stacked with; None if the line does not say which of its cards these are. In an answer to what a space
    asks, `seat` is that of the player, or NONE if no player is named."""

    kind: play.Kind
    cards: Cards
    place: int = NONE
    onto: Cards | None = None
    seat: int = NONE


class Turn(Struct, frozen=True):
    """A turn of the log; `id` is its place on the sheet. `seat` is None if the turn names no player; `actions` are its
    card actions, in the order of the columns on the sheet; `roll` is 0 and `to` empty if they are missing."""

    id: str
    seat: int | None
    actions: tuple[ActionLine, ...]
    roll: int
    to: str
    forced: tuple[ActionLine, ...]


class Hand(Struct, frozen=True):
    """A player's cards at the end of the game; `id` is their place on the sheet. `cc` are the cards that lie cc side
    up, `loose` those that lie number side up outside the `stacks`, and `fields` the fields of the stacks. A
    hand `on_chart` is marked on the star chart alone."""

    id: str
    seat: int
    cc: Cards
    loose: Cards
    stacks: tuple[Cards, ...]
    fields: tuple[str, ...]
    on_chart: bool = False

    @property
    def numbers(self) -> Cards:
        """All cards that lie number side up."""
        return tuple(sorted(sum(self.stacks, self.loose)))

    @property
    def zero_stacks(self) -> tuple[Cards, ...]:
        """The stacks that add up to zero; a loose zero card is one by itself."""
        return (*filter(is_stack, self.stacks), *((card,) for card in self.loose if card == 0))

    @property
    def locked(self) -> int:
        return len(self.zero_stacks)


def is_stack(cards: Cards) -> bool:
    """Whether cards are a zero stack: two or more that add up to zero, or a single zero card."""
    return not sum(cards) and (len(cards) > 1 or cards == (0,))


def short_form(text: str) -> str:
    """Cards as on paper: `dragon-3` → `+3`, `tiger-3` → `-3`."""
    return _LONG.sub(lambda match: "+" if match[1].lower() == "dragon" else "-", text)


def card_name(card: int) -> str:
    """A card in a message: `+3`, `−3`, `0`."""
    return f"{card:+d}".replace("-", "−") if card else "0"


def card_names(cards: Iterable[int]) -> str:
    """`+3`, `+3 and −3`, `+3, +4 and −7`."""
    return joined([*map(card_name, cards)]) or "no card"


def _squeezed(text: str) -> str:
    """A text in lower case without separators and `the`. Before a number without letters, the sign counts."""
    text = re.sub(r"[\s_]", "", comparable(text).replace("−", "-")).removeprefix("the")
    return text.replace("-", "") if re.search("[a-z]", text) else text


class Log(TurnLog):
    """A travel log. Players are identified by seat, cards by value. A part that cannot be read is blank; `faults` say
    why."""

    def __init__(self, sheet: FilledSheet) -> None:
        super().__init__(sheet)
        self.faults: list[Problem] = []
        # The fields of what is both written and ringed, but not the same, with a message.
        self.disagreements: list[tuple[tuple[str, str], str]] = []

    def _fault(self, field: str, message: str, hint: str, place: Place | None = None) -> None:
        """Adds a problem with the id of its field, which the reader turns into words: a PDF form has no lines."""
        self.faults.append(Problem(f"{field}: {message}", place or self.sheet.place_of(field), hint))

    def _read(self, field: str, parse: Callable[[], tuple[T, ...]]) -> tuple[T, ...]:
        """What is written in a field or ringed in its boxes; empty if it cannot be read."""
        try:
            return parse()
        except LineError as error:
            hint = self._roll_hint(self.sheet.text(field)) if field.startswith("turns.") else ""
            self._fault(field, str(error), hint or error.hint)
            return ()

    @cached_property
    def spec(self) -> Spec:
        cards = self.sheet.text("cards")
        return Spec(self._game, cards == "with" if cards else None, eager=False)

    @cached_property
    def _game(self) -> Game:
        """The game with its board, shuffled if the sheet has a code for it."""
        game, code = self.sheet.game, self.sheet.codes.get("board")
        return deal(game, code).dress(game) if code else game

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(map(self._read_turn, boxes.turns(self.sheet)))

    @cached_property
    def hands(self) -> dict[int, Hand]:
        """The hands on the sheet, by seat; also one in which everything is blank."""
        claims = {name.rpartition(".claimed.")[0] for name in self.sheet.marks if ".claimed." in name}
        blank = (".".join(name.split(".")[:2]) for name in self.sheet.blanks - claims)
        listed = {".".join(name.split(".")[:2]) for name in self.sheet.marks if ".claimed." not in name}
        typed = {*listed.intersection(self.sheet.entries.get("hands", ())), *blank}
        found: dict[int, Hand] = {}
        for seat, number in enumerate(self.sheet.rows.get("players", ())):
            entry, lies = f"hands.{number}", self._chart.get(seat + 1)
            charted = self._charted(entry, seat, lies) if lies else None
            written = self._hand(entry, seat) if entry in typed else None
            if written and charted and _sides(written) != _sides(charted):
                message = f"{self.names[seat]}’s hand is not the one on the star chart"
                self.disagreements.append(((entry, charted.fields[0] if charted.fields else entry), message))
            if written or charted:
                found[seat] = written or charted  # type: ignore[assignment]
        return found

    @cached_property
    def _chart(self) -> dict[int, dict[str, list[str]]]:
        return boxes.hands(self.sheet, self.sheet.cards)

    def _charted(self, entry: str, seat: int, lies: Mapping[str, Sequence[str]]) -> Hand:
        """A hand as it is marked on the star chart."""
        values = {how: tuple(sorted(map(self.card, names))) for how, names in lies.items()}
        stacks = {how: cards for how, cards in sorted(values.items()) if how.isdecimal()}
        fields = tuple(f"chart.{lies[how][0]}" for how in stacks)
        cc, loose = values.get("cc", ()), values.get("number", ())
        return Hand(entry, seat, cc, loose=loose, stacks=tuple(stacks.values()), fields=fields, on_chart=True)

    @cached_property
    def deck(self) -> Cards | None:
        """The deck, top card first; None if the sheet does not give its order."""
        entry: DealEntry | None = self.sheet.extra.get("deal")
        if entry:
            try:
                return self.cards(" ".join(entry.deck))
            except LineError as error:
                self._fault("deal, deck", str(error), error.hint, entry.place)
        code = self.sheet.codes.get("deal")
        return tuple(card.number for card in deal(self.sheet.game, code).cards[CARDS]) if code else None

    def on_paper(self) -> dict[str, str]:
        """What players mark in the boxes of the paper for what is written in a file."""
        marks: dict[str, str] = {}
        for turn in self.turns:
            for line in turn.actions[:1]:
                marks |= self._boxes_of(f"{turn.id}.action", line)
            for line in turn.forced[:1]:
                other = {} if line.seat in (NONE, turn.seat) else {f"{turn.id}.asked.who": self._number(line.seat)}
                marks |= self._boxes_of(f"{turn.id}.asked", line) | other
            marks |= boxes.marks_of_space(turn.id, turn.to) if turn.to else {}
        names: dict[int, list[str]] = {}
        for name, card in self.sheet.cards.items():
            names.setdefault(card.number, []).append(name)
        for hand in self.hands.values():
            stacks = ((str(number), card) for number, stack in enumerate(hand.stacks, 1) for card in stack)
            lies = [*(("cc", card) for card in hand.cc), *(("number", card) for card in hand.loose), *stacks]
            marks |= boxes.marks_of_hand(int(self._number(hand.seat)), lies, names)
        return marks

    def _boxes_of(self, group: str, line: ActionLine) -> dict[str, str]:
        places = {NONE: "", DECK: "deck", PILE: "pile"} | {seat: self._number(seat) for seat in range(len(self.names))}
        return dict(boxes.marks_of_line(group, line.kind, places[line.place], map(card_name, line.cards)))

    def _number(self, seat: int) -> str:
        """The number of a player on paper."""
        return str(seat + 1)

    @cached_property
    def _card_values(self) -> dict[str, int]:
        """The values of the cards by every way to write them."""
        ids = {name: card.number for name, card in self.sheet.cards.items()}
        return {"zero": 0} | {text: value for value in ids.values() for text in (f"{value:+d}", str(value))} | ids

    @cached_property
    def _spaces(self) -> dict[str, list[str]]:
        """The spaces that a player may mean by a text (`_squeezed`): their ids, labels, and regions with a number."""
        board, spaces = board_of(self._game), dict[str, list[str]]()
        for name, space in board.spaces.items():
            number = name.rpartition("-")[2]
            title = f"{board.definition.regions[space.region].title} {number}" if space.region else name
            for text in dict.fromkeys(map(_squeezed, (name, title, space.label, space.label.lstrip("+-−")))):
                spaces.setdefault(text, []).append(name)
        return spaces

    def spaces(self, text: str) -> list[str]:
        """The ids of the spaces that a text may name."""
        return self._spaces.get(_squeezed(text), [])

    def card(self, text: str) -> int:
        """The value of the card that a text names. Raises LineError."""
        value = self._value(text)
        if value is None:
            raise LineError(
                f"no card “{text}” in the game", did_you_mean(text, self._card_values) or _HOW_TO_WRITE_CARDS
            )
        return value

    def _value(self, text: str) -> int | None:
        name = short_form(text.strip().lower().replace("−", "-").replace("_", "-")).replace("+-", "-")
        return self._card_values.get(name)

    def cards(self, text: str) -> Cards:
        """The cards that a text names, in the same order. Raises LineError."""
        words = _BETWEEN.split(_SIGN.sub(r"\1", text.strip()))
        words = [word for word in words if word not in (*BLANK, "and", "&")]
        unknown = [f"“{word}”" for word in words if self._value(word) is None]
        if len(unknown) > 1:
            raise LineError(f"{joined(unknown)} are not cards in the game", _HOW_TO_WRITE_CARDS)
        return tuple(map(self.card, words))

    def line(self, kind: play.Kind, text: str, seat: int = NONE) -> ActionLine:
        """The card action that a text describes. Raises LineError."""
        place, rest = (NONE, text) if kind == "jump" else self._place(text.strip(), kind)
        words = _BETWEEN.split(rest.strip())
        split = next((number for number, word in enumerate(words) if word.lower() in ("onto", "with")), len(words))
        cards, onto = (self.cards(" ".join(part)) for part in (words[:split], words[split + 1 :]))
        if not cards:
            raise LineError("the card is missing", _HOW_TO_WRITE_CARDS)
        if split < len(words) and not onto:
            raise LineError(f"“{rest.strip()}” names no card after “{words[split]}”")
        if onto and kind != "discard" and len(cards) > 1:
            raise LineError(f"“{rest.strip()}” has {len(cards)} cards before “with”", f"you {kind} one card at a time")
        if not onto and (kind != "discard" or (place == PILE and len(cards) > 1)):
            cards, onto = cards[:1], cards[1:]
        return ActionLine(kind, cards, place, onto=onto if onto or kind != "discard" else None, seat=seat)

    def actions(self, kind: play.Kind, field: str) -> tuple[ActionLine, ...]:
        """The card action in a field, if there is one. Raises LineError."""
        return (self.line(kind, self.sheet.text(field)),) if self.sheet.text(field) else ()

    def forced(self, text: str) -> tuple[ActionLine, ...]:
        """What a text says that spaces asked for. Raises LineError."""
        return tuple(self._forced(part.strip()) for part in text.split(";") if part.strip())

    def _forced(self, text: str) -> ActionLine:
        for seat, rest in chain(self._players_before(text), [(NONE, text)]):
            verb, _, line = rest.partition(" ")
            if verb.lower() == "deck":  # the only thing that is done with the deck
                return self.line("draw", rest, seat)
            if verb.lower() in _VERBS:
                return self.line("draw" if verb.lower() == "draw" else "discard", line, seat)
        examples = "“draw deck +3”, “discard Ben +7” to give a card, “draw Ben +7” to take one"
        raise LineError(f"“{text}” must say draw or discard", f"write {examples}, or “Ben discard pile -4”")

    def _place(self, text: str, kind: play.Kind) -> tuple[int, str]:
        """Where a card comes from or goes to, and the rest of the line."""
        places = ["deck", "pile"] if kind == "draw" else ["pile"]
        first, _, rest = text.partition(" ")
        first = first.rstrip(":,")
        if first.lower() in places:
            return _PLACES[first.lower()], rest
        for player_and_rest in self._players_before(text):
            return player_and_rest
        hint = f"write “deck {first}” if it came from the deck" if kind == "draw" and first in self._card_values else ""
        expected = joined([*places, "a player"], "or")
        raise LineError(f"“{text}” must begin with {expected}", hint or did_you_mean(first, [*places, *self.names]))

    def _players_before(self, text: str) -> Iterator[tuple[int, str]]:
        """Each player whose name `text` may begin with, and the rest of the text. Full names come first, the longest
        one first; but a name that is the whole text comes after these, because something must follow the name. A name
        shortened to one word comes last."""
        words = text.split()
        for name in sorted(self.names, key=lambda name: (len(name.split()) < len(words), len(name)), reverse=True):
            count = len(name.split())
            if name and comparable(" ".join(words[:count])) == comparable(name):
                yield self.names.index(name), " ".join(words[count:])
        first, _, rest = text.partition(" ")
        if first.lower() in (*_VERBS, *_PLACES):
            return
        if problem := ambiguity(self.names, first):
            raise LineError(problem, "write more of the name")
        seat = self.seat(first)
        if seat is not None:
            yield seat, rest.strip()

    def _read_turn(self, rows: Sequence[str]) -> Turn:
        entry = rows[0]
        player, space, asked = (self.sheet.text(f"{entry}.{part}") for part in ("player", "to", "forced"))
        seat, spaces = self.seat(player), self.spaces(space) if space else [""]
        if player and seat is None:
            unknown = no_such_player(player, self.names, self.sheet.place)
            self._fault(f"{entry}.player", unknown.message, unknown.hint)
        if len(spaces) != 1:
            hint = f"write {joined(spaces, 'or')}" if spaces else did_you_mean(space, self.spec.routes.kinds)
            self._fault(f"{entry}.to", f"no space “{space}” on the board", hint)
        to = self._agreed(f"{entry}.to", f"{entry}.region", spaces[0] if spaces else "", self._ringed_space(entry))
        fields = {f"{entry}.{kind}": kind for kind in _ACTIONS}
        actions = tuple(
            chain(*(self._read(field, partial(self.actions, kind, field)) for field, kind in fields.items()))
        )
        forced = self._read(f"{entry}.forced", partial(self.forced, asked))
        ringed = self._read(f"{entry}.action", partial(self._ringed, rows))
        answers = self._read(f"{entry}.asked", lambda: self.forced(boxes.asked(self.sheet, rows, self.names)))
        field = next((f"{entry}.{line.kind}" for line in actions), "")
        return Turn(
            entry,
            seat,
            self._agreed(field, f"{entry}.action", actions, ringed),
            roll=self.sheet.number(f"{entry}.roll") or 0,
            to=to,
            forced=self._agreed(f"{entry}.forced", f"{entry}.asked", forced, answers),
        )

    def _ringed(self, rows: Sequence[str]) -> tuple[ActionLine, ...]:
        kind, text = boxes.action(self.sheet, rows, self.names)
        return (self.line(kind, text),) if kind else ()  # type: ignore[arg-type]

    def _ringed_space(self, entry: str) -> str:
        """The space that is ringed; empty if none is."""
        space = boxes.space(self.sheet, entry)
        if space and space not in self.spec.routes.kinds:
            self._fault(f"{entry}.spot", f"no space {space} on the board", did_you_mean(space, self.spec.routes.kinds))
            return ""
        return space

    def _agreed(self, field: str, box: str, written: T, ringed: T) -> T:
        """What is written in a file or ringed on paper. If both are there, they must agree."""
        if written and ringed and written != ringed and _bare(written) != _bare(ringed):
            message = f"what is ringed in {box.replace('.', ' ')} is not what is written"
            self.disagreements.append(((field, box), message))
        return written or ringed

    def _hand(self, entry: str, seat: int) -> Hand:
        """A hand. The sheet may list the cards of the stacks again under `number_up`."""
        fields = [f"{entry}.stacks.{number}" for number in self.sheet.rows.get(f"{entry}.stacks", ())]
        parts = (f"{entry}.cc_up", f"{entry}.number_up", *fields)
        texts = {field: self.sheet.text(field) for field in parts}
        cc, loose, *stacks = (
            tuple(sorted(self._read(field, partial(self.cards, text)))) for field, text in texts.items()
        )
        for stack in stacks:
            loose = without(loose, stack)
        return Hand(entry, seat, cc, loose=loose, stacks=tuple(stacks), fields=tuple(fields))

    def _chart_problems(self) -> Iterator[Problem]:
        """Cards on the star chart whose player does not play, or that lie somewhere without a player."""
        for name in self.sheet.cards:
            player, lies = self.sheet.number(f"chart.{name}.player"), self.sheet.value(f"chart.{name}.lies")
            field, hint = f"chart.{name}", "write the number beside the player’s name"
            if player is None and lies is not None:
                yield Problem(f"{field}: the player is missing", self.sheet.place_of(field), hint)
            elif player is not None and player > len(self.names):
                yield Problem(f"{field}: there is no player {player}", self.sheet.place_of(field), hint)

    def _name_problems(self) -> Iterator[Problem]:
        """Several names in one field, and names that mean something else in a log."""
        if len(self.names) == 1 and "," in self.names[0]:
            message, place = f"“{self.names[0]}” are several names", self.sheet.place_of("players.1")
            yield Problem(message, place, "write each name into a field of its own, in order of play")
        for number, name in zip(self.sheet.rows.get("players", ()), self.names, strict=True):
            if name.casefold() in _PLACES:
                hint = "in a log, “deck” and “pile” are where cards are drawn from; choose another name"
                place = self.sheet.place_of(f"players.{number}")
                yield Problem(f"no player can be called “{name}” in this game", place, hint)

    def problems(self) -> Iterator[Problem]:
        """Unknown recipes, players, cards and spaces, and lines that cannot be read."""
        sheet = self.sheet
        if unknown_codes := list(_code_problems(sheet)):
            yield from unknown_codes
            return
        turns, hands = sheet.entries.get("turns", ()), sheet.entries.get("hands", ())
        if not self.names and (turns or hands):
            yield no_players(sheet.place)
        yield from self._name_problems()
        for rows in boxes.turns(sheet) if turns and self.names else ():
            self._read_turn(rows)
        for hand in hands:
            self._hand(hand, NONE)
            name = hand.rpartition(".")[2]
            if not sheet.text(f"players.{name}"):
                message = f"there is a hand {name}, but no player {name}"
                yield Problem(message, sheet.place_of(hand), "add the player under players")
        _ = self.deck
        yield from self.faults
        yield from self._chart_problems()

    def _roll_hint(self, text: str) -> str:
        """The hint that a roll or the space it leads to was typed among cards; empty if there is no such space."""
        words = _BETWEEN.split(text.strip())
        for before, word in zip(["", *words], words, strict=False):
            if re.search("[a-z]", word, re.IGNORECASE) and self.spaces(word):
                roll = f"roll {before} " if before in ("1", "2", "3", "4", "5", "6") else ""
                return f"“{word}” is a space, not a card; type “{roll}to {word}” after the cards"
        return ""


def _bare(written: object) -> object:
    """Lines without what paper leaves out: the cards they are stacked with, and the mover's name."""
    return [(line.kind, line.cards[:1], line.place) for line in written] if isinstance(written, tuple) else written


def _sides(hand: Hand) -> tuple[Cards, Cards, list[Cards]]:
    return hand.cc, hand.numbers, sorted(hand.zero_stacks)


def _code_problems(sheet: FilledSheet) -> Iterator[Problem]:
    for field, code in sheet.codes.items():
        try:
            deal(sheet.game, code)
        except InputError as error:
            yield from (replace(problem, place=sheet.place_of(field)) for problem in error.problems)


class DealEntry(Struct, frozen=True, kw_only=True):
    """`deal:` card by card: the deck, top card first."""

    deck: tuple[str, ...]
    place: Place


class DrawEntry(Struct, frozen=True, kw_only=True):
    """`draw:`; the card is stacked with `with_`."""

    from_: str
    card: str
    with_: tuple[str, ...] = ()


class JumpEntry(Struct, frozen=True, kw_only=True):
    """`jump:`; the card is stacked with `with_`."""

    card: str
    with_: tuple[str, ...] = ()


class DiscardEntry(Struct, frozen=True, kw_only=True):
    """`discard:`; several cards of one suit are allowed on green."""

    card: tuple[str, ...]
    onto: str
    with_: tuple[str, ...] = ()


class ForcedEntry(Struct, frozen=True, kw_only=True):
    """`forced:`, a draw or discard that a space or leaving the Big Bang asks for. Without a `player`, it belongs to the
    player whose turn it is. `draw` or `discard` has already been converted to a line."""

    player: str = ""
    draw: str = ""
    discard: str = ""


_ACTIONS: Mapping[play.Kind, type[DrawEntry | JumpEntry | DiscardEntry]] = {
    "draw": DrawEntry,
    "jump": JumpEntry,
    "discard": DiscardEntry,
}
_HANDS = ("cc_up", "number_up", "stack")
# Other words for playing with or without cards.
_CARD_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("mit", "avec", "con", "met", "with cards", "cards"), "with"),
    **dict.fromkeys(("ohne", "sans", "senza", "sin", "zonder", "without cards"), "without"),
}


def _on_paper(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    """The document with every card action and every list of cards converted to one line."""
    pairs = [(key, _part(_plain(key), value, problems)) for key, value in node.pairs]
    return nodes.Mapping(pairs, node.place, node.weight)


def _part(key: str, node: Node, problems: list[Problem]) -> Node:
    last = "stack" if ".stacks." in key else key.rpartition(".")[2]
    if last in _ACTIONS or last == "forced":
        try:
            return _without_nothing(Scalar(_line(node, last), node.place))
        except InputError as error:
            problems.extend(error.problems)
            return Scalar("", node.place)
    if key == "cards" and isinstance(node, Scalar):
        ticked, word = as_tick(node.text), _CARD_WORDS.get(node.text.strip().lower(), node.text)
        return Scalar(word if ticked is None else "with" if ticked else "without", node.place)
    if last in _HANDS and not isinstance(node, nodes.Mapping):
        cards = node if isinstance(node, Listing) else [node]
        if any(not isinstance(card, Scalar) for card in cards):
            return node
        return Scalar(short_form(" ".join(map(_without_nothing, cards))), node.place)
    inside = "stack" if last == "stacks" else ""
    if isinstance(node, Listing):
        return Listing([_part(inside, entry, problems) for entry in node], node.place)
    if isinstance(node, nodes.Mapping):
        pairs = [(inner, _part(inside or _plain(inner), value, problems)) for inner, value in node.pairs]
        return nodes.Mapping(pairs, node.place)
    return node


def _without_nothing(node: Scalar) -> Scalar:
    """A blank for `none` or `-`; a 0 is a card."""
    return Scalar("", node.place) if is_nothing(node.text) and node.text.strip() != "0" else node


def _line(node: Node, name: str) -> str:
    """A part of a turn as one line. Raises InputError."""
    if isinstance(node, Scalar):
        return node.text
    if name == "forced":
        return "; ".join(map(_forced_line, node if isinstance(node, Listing) else [node]))
    entry = typed.read(node, _ACTIONS[name], name)  # type: ignore[index]
    if isinstance(entry, DiscardEntry):
        words = [entry.onto, *entry.card]
    else:
        words = [entry.from_, entry.card] if isinstance(entry, DrawEntry) else [entry.card]
    return short_form(" ".join([*words, *["with"] * bool(entry.with_), *entry.with_]))


def _forced_line(node: Node) -> str:
    """One entry of `forced`, whose draw or discard may be a line already."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, nodes.Mapping):
        pairs = [
            (key, Scalar(_line(value, _plain(key)), value.place) if _plain(key) in _VERBS else value)
            for key, value in node.pairs
        ]
        node = nodes.Mapping(pairs, node.place, node.weight)
    entry = typed.read(node, ForcedEntry, "forced")
    if bool(entry.draw) == bool(entry.discard):
        raise fault("“forced” must be either a draw or a discard", node.place, "write several of them as a list")
    line = f"draw {entry.draw}" if entry.draw else f"discard {entry.discard}"
    return f"{entry.player} {line}".strip()


def _plain(key: str) -> str:
    return key.strip().lower().replace("-", "_")


def _cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by id. They do not depend on the code of a deal or board."""
    return MappingProxyType({card.id: card for card in game.components[CARDS].cards})


READING = Reading(
    extra=MappingProxyType({"deal": DealEntry}),
    cards=_cards,
    problems=lambda sheet: Log(sheet).problems(),
    paper=_on_paper,
)
