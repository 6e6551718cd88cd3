"""Reads a travel log: what a file may contain, how card actions are written, and problems in them.

On paper a card action is one short line: “deck +3”, “Ann +3 −3”, “draw deck +3; Ben discard pile +4”. It says where the
card comes from or goes to, then the cards, and after `onto` or `with` the cards they are stacked with. A file may also
write an action key by key (`draw: {from: deck, card: dragon-3}`) and list the hands by player. Both are converted to
lines as on paper before they are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from ... import nodes
from ...draws import SetCode
from ...errors import InputError, Place, Problem, did_you_mean, fault
from ...model.board import Board
from ...model.game import Card, Game
from ...nodes import Listing, Node, Scalar
from ...reading import typed
from ...sheets import FilledSheet, Reading
from ...sheets.marks import BLANK, as_tick, is_nothing
from ...spelling import ambiguity, bare, comparable, either
from .. import deal
from ..turns import listed, no_players, no_such_player, player_names, seat_of
from . import play
from .play import (
    BOARD,
    CARDS,
    DECK,
    NONE,
    PILE,
    Cards,
)

_BETWEEN = re.compile(r"[\s,]+")
_ONTO = ("onto", "with")
_VERBS = ("draw", "discard")
_SAID = {"take": "draw", "takes": "draw", "give": "discard", "gives": "discard"}
"""Words of the booklet for what a space asks."""
_PLACES = {"deck": DECK, "pile": PILE}
_LONG = re.compile(r"(dragon|tiger)[-_ ]?(?=\d)", re.IGNORECASE)
"""The written-out suit of a card: `dragon-3` for `+3`."""
_FROM = re.compile(r"^(?:(?:from|onto|on)\s+)?(?:the\s+)?", re.IGNORECASE)
_FROM_AFTER = re.compile(r"(\S+)\s+(?:from|onto|on)\s+(?:the\s+)?(deck|pile)", re.IGNORECASE)
"""Words before the deck, the pile or a player: `from the deck +3`, `+3 from the deck`."""
_SENT_BACK = re.compile(
    r"\s*[,;]\s*(?:(?:and|then|goes|sent|is)\s+)*back\s+to\s+(?:the\s+)?big[ -]bang\.?$", re.IGNORECASE
)
"""Words that say what a space does anyway: `first-2, back to the Big Bang`."""
_SENDS_BACK = "first-"
_SIGN = re.compile(r"(?<!\S)([+−-])\s+(?=\d)")
"""A sign with a space after it: `+ 3` for `+3`."""


class LineError(ValueError):
    """An error in a line: the message, and a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Line(Struct, frozen=True):
    """A card action. `place` is DECK, PILE, a seat, or NONE for a jump. `onto` are the cards that `cards` are stacked
    with; None if the line does not say which of its cards these are."""

    cards: Cards
    place: int = NONE
    onto: Cards | None = None

    def text(self, names: Sequence[str]) -> str:
        """The line as on paper. If there are several cards, `with` separates them from those they are stacked with."""
        place = [] if self.place == NONE else [play.place_name(self.place, names)]
        with_ = ["with"] if self.onto and len(self.cards) > 1 else []
        return " ".join([*place, *map(card_name, self.cards), *with_, *map(card_name, self.onto or ())])


class Forced(Struct, frozen=True):
    """A draw or discard that a space or leaving the Big Bang asks for; `seat` is None if no player is named."""

    seat: int | None
    verb: str
    line: Line


# ---- cards and spaces -----------------------------------------------------------------------------------------------


def short_form(text: str) -> str:
    """Cards as on paper: `dragon-3` → `+3`, `tiger-3` → `-3`."""
    return _LONG.sub(lambda match: "+" if match[1].lower() == "dragon" else "-", text)


def card_name(card: int) -> str:
    """A card in a message: `+3`, `−3`, `0`."""
    return f"{card:+d}".replace("-", "−") if card else "0"


def card_names(cards: Iterable[int]) -> str:
    """`+3`, `+3 and −3`, `+3, +4 and −7`."""
    return listed([*map(card_name, cards)]) or "no card"


def spellings(cards: Mapping[str, Card]) -> dict[str, int]:
    """The values of the cards by every way to write them."""
    values = {card.number for card in cards.values()}
    ids = {name: card.number for name, card in cards.items()}
    return {
        "zero": 0,
        **{f"{value:+d}": value for value in values},
        **{str(value): value for value in values},
        **ids,
    }


def read_card(text: str, card_values: Mapping[str, int]) -> int:
    """The value of the card that `text` names. Raises LineError."""
    name = short_form(text.strip().lower().replace("−", "-").replace("_", "-")).replace("+-", "-")
    if name in card_values:
        return card_values[name]
    raise LineError(
        f"no card “{text}” in the game",
        did_you_mean(text, card_values) or "write cards as +3 (dragon), -3 (tiger) or 0",
    )


def read_cards(text: str, card_values: Mapping[str, int]) -> Cards:
    """The cards that `text` names, in the same order. Raises LineError."""
    words = _BETWEEN.split(_SIGN.sub(r"\1", text.strip()))
    return tuple(read_card(word, card_values) for word in words if word not in (*BLANK, "and", "&"))


def space_id(text: str, board: Board | None) -> str | None:
    """The id of the space that `text` names in any case and with or without separators: by its id (`em-2`, `EM 2`), by
    its region and number (`Weak Force 3`) or by a label that no other space has (`the Big Bang`, `-12`). None if there
    is none."""
    if board is None or text in board.spaces:
        return text if board else None
    if sent_back := _SENT_BACK.search(text):
        space = space_id(text[: sent_back.start()], board)
        return space if space and space.startswith(_SENDS_BACK) else None
    if len(numbered := _numbered(text, board)) == 1 and text.strip()[0] in "+-−":
        return numbered[0]
    name = _squeezed(text)
    return next((ids[name] for ids in (_ids(board), _titles(board)) if name in ids), None)


def _numbered(text: str, board: Board) -> list[str]:
    """The number spaces that a text such as `-12` or `12` may mean."""
    number = text.replace("−", "-").replace(" ", "")
    labels = (number,) if number[:1] in ("+", "-") else (f"+{number}", f"-{number}")
    return [name for name, space in board.spaces.items() if space.label and space.label.replace("−", "-") in labels]


def _squeezed(text: str) -> str:
    """The letters and digits of a text, in lower case, without `the`."""
    return bare(text).removeprefix("the_").replace("_", "")


def _ids(board: Board) -> dict[str, str]:
    return {_squeezed(name): name for name in board.spaces}


def _titles(board: Board) -> dict[str, str]:
    """The ids of the spaces by the titles of their regions and by their labels. Labels without letters are cards."""
    named = [
        (f"{board.definition.regions[space.region].title} {name.rpartition('-')[2]}", name)
        for name, space in board.spaces.items()
        if space.region and name.startswith(f"{space.region}-")
    ]
    labelled = [(space.label, name) for name, space in board.spaces.items() if re.search("[a-z]", space.label)]
    titles = [(_squeezed(title), name) for title, name in (*named, *labelled)]
    counts = Counter(title for title, _ in titles)
    return {title: name for title, name in titles if counts[title] == 1}


# ---- lines ----------------------------------------------------------------------------------------------------------


class LineReader(Struct, frozen=True):
    """Reads the lines of a sheet. `card_values` maps the spellings of cards to values; `names` are the players in order
    of play."""

    card_values: Mapping[str, int]
    names: Sequence[str]

    def draw(self, text: str) -> Line:
        place, rest = self._place(text, ("deck", "pile"), "deck, pile or a player")
        return self._one_card(rest, place, "draw")

    def jump(self, text: str) -> Line:
        return self._one_card(text, NONE, "jump")

    def discard(self, text: str) -> Line:
        place, rest = self._place(text, ("pile",), "pile or a player")
        cards, onto = self._cards(rest)
        if onto is None and place == PILE and len(cards) > 1:
            return Line(cards[:1], place, cards[1:])
        return Line(cards, place, onto)

    def forced(self, text: str) -> tuple[Forced, ...]:
        return tuple(self._forced(part.strip()) for part in _SENT_BACK.sub("", text).split(";") if part.strip())

    def _forced(self, text: str) -> Forced:
        for seat, rest in chain(self._players_before(text), [(None, text)]):
            typed, _, line = rest.partition(" ")
            verb = _SAID.get(typed.lower(), typed)
            if verb.lower() == "deck":  # the only thing that is done with the deck
                verb, line = "draw", rest
            if verb.lower() in _VERBS:
                return Forced(seat, verb.lower(), self.draw(line) if verb.lower() == "draw" else self.discard(line))
        examples = "“draw deck +3”, “discard Ben +7” to give a card, “draw Ben +7” to take one"
        raise LineError(f"“{text}” must say draw or discard", f"write {examples}, or “Ben discard pile -4”")

    def _place(self, text: str, places: Sequence[str], expected: str) -> tuple[int, str]:
        text = _FROM.sub("", _FROM_AFTER.sub(r"\2 \1", text.strip()))
        first, _, rest = text.partition(" ")
        first = first.rstrip(":,")
        if first.lower() in places:
            return _PLACES[first.lower()], rest
        for player_and_rest in self._players_before(text):
            return player_and_rest
        hint = (
            f"write “deck {first}” if it came from the deck" if "deck" in places and first in self.card_values else ""
        )
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
        seat = seat_of(self.names, first)
        if seat is not None:
            yield seat, rest.strip()

    def _one_card(self, text: str, place: int, verb: str) -> Line:
        """A line with one card, followed by the cards it is stacked with."""
        cards, onto = self._cards(text)
        if onto is None:
            return Line(cards[:1], place, cards[1:])
        if len(cards) > 1:
            raise LineError(f"“{text.strip()}” has {len(cards)} cards before “with”", f"you {verb} one card at a time")
        return Line(cards, place, onto)

    def _cards(self, text: str) -> tuple[Cards, Cards | None]:
        """The cards of a line, and those after `with` or `onto`; None if the line has neither word."""
        words = _BETWEEN.split(text.strip())
        split = next((number for number, word in enumerate(words) if word.lower() in _ONTO), None)
        cards = read_cards(" ".join(words[:split]), self.card_values)
        if not cards:
            raise LineError("the card is missing", "write it as +3 (dragon), -3 (tiger) or 0")
        if split is None:
            return cards, None
        onto = read_cards(" ".join(words[split + 1 :]), self.card_values)
        if not onto:
            raise LineError(f"“{text.strip()}” names no card after “{words[split]}”")
        return cards, onto


# ---- written key by key ---------------------------------------------------------------------------------------------


class DealEntry(Struct, frozen=True, kw_only=True):
    """`deal:` card by card: the deck, top card first."""

    deck: tuple[str, ...]
    place: Place


class DrawEntry(Struct, frozen=True, kw_only=True):
    """`draw:`; the card is stacked with `with_`."""

    from_: str
    card: str
    with_: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        return f"{self.from_} {short_form(self.card)}{_with(self.with_)}"


class JumpEntry(Struct, frozen=True, kw_only=True):
    """`jump:`; the card is stacked with `with_`."""

    card: str
    with_: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        return f"{short_form(self.card)}{_with(self.with_)}"


class DiscardEntry(Struct, frozen=True, kw_only=True):
    """`discard:`; several cards of one suit are allowed on green."""

    card: tuple[str, ...]
    onto: str
    with_: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        return f"{self.onto} {short_form(' '.join(self.card))}{_with(self.with_)}"


class ForcedEntry(Struct, frozen=True, kw_only=True):
    """`forced:`, a draw or discard that a space or leaving the Big Bang asks for. Without a `player`, it belongs to the
    player whose turn it is. `draw` or `discard` has already been converted to a line."""

    player: str = ""
    draw: str = ""
    discard: str = ""

    @property
    def line(self) -> str:
        line = f"draw {self.draw}" if self.draw else f"discard {self.discard}"
        return f"{self.player} {line}".strip()


def _with(cards: tuple[str, ...]) -> str:
    return f" with {short_form(' '.join(cards))}" if cards else ""


# ---- converting a file to lines as on paper -------------------------------------------------------------------------

_ACTIONS: Mapping[str, type[DrawEntry | JumpEntry | DiscardEntry]] = {
    "draw": DrawEntry,
    "jump": JumpEntry,
    "discard": DiscardEntry,
}


def _on_paper(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    """The document with every card action and every list of cards converted to one line."""
    return nodes.Mapping([(key, _part(key, value, problems)) for key, value in node.pairs], node.place, node.weight)


def _part(key: Scalar, node: Node, problems: list[Problem]) -> Node:
    first = _plain(key.text).split(".")[0]
    if first == "cards" and isinstance(node, Scalar):
        ticked = as_tick(node.text)
        return node if ticked is None else Scalar("with" if ticked else "without", node.place)
    if first == "turns":
        return _turns(_plain(key.text), node, problems)
    return _hands(_plain(key.text), node) if first == "hands" else node


def _turns(key: str, node: Node, problems: list[Problem]) -> Node:
    """The turns with every card action converted to one line."""
    last = key.rpartition(".")[2]
    if isinstance(node, Scalar):
        return _without_nothing(node) if last in _ACTIONS or last == "forced" else node
    if last in _ACTIONS or last == "forced":
        try:
            return Scalar(_line(node, last), node.place)
        except InputError as error:
            problems.extend(error.problems)
            return Scalar("", node.place)
    if isinstance(node, Listing):
        return Listing([_turns("", entry, problems) for entry in node.entries], node.place)
    return nodes.Mapping(
        [(inner, _turns(_plain(inner.text), value, problems)) for inner, value in node.pairs], node.place
    )


def _hands(key: str, node: Node) -> Node:
    """The hands with every list of cards converted to one line."""
    last = key.rpartition(".")[2]
    if isinstance(node, nodes.Mapping):
        return nodes.Mapping([(inner, _hands(_plain(inner.text), value)) for inner, value in node.pairs], node.place)
    if isinstance(node, Listing) and last not in ("cc_up", "number_up", ""):
        return Listing([_hands("" if last == "stacks" else last, entry) for entry in node.entries], node.place)
    if isinstance(node, Scalar):
        return Scalar(short_form(_without_nothing(node).text), node.place, node.quoted)
    cards = [entry.text for entry in node.entries if isinstance(entry, Scalar)]
    return Scalar(short_form(" ".join(cards)), node.place) if len(cards) == len(node.entries) else node


def _without_nothing(node: Scalar) -> Scalar:
    """A blank for `none` or `-`; a 0 is a card."""
    return Scalar("", node.place) if is_nothing(node.text) and node.text.strip() != "0" else node


def _line(node: Node, name: str) -> str:
    """A part of a turn as one line. Raises InputError."""
    if isinstance(node, Scalar):
        return node.text
    if name != "forced":
        return typed.read(node, _ACTIONS[name], name).line
    return "; ".join(map(_forced_line, node.entries if isinstance(node, Listing) else [node]))


def _forced_line(node: Node) -> str:
    """One entry of `forced`, whose draw or discard may be a line already."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, nodes.Mapping):
        pairs = [
            (key, Scalar(_line(value, _plain(key.text)), value.place) if _plain(key.text) in _VERBS else value)
            for key, value in node.pairs
        ]
        node = nodes.Mapping(pairs, node.place, node.weight)
    entry = typed.read(node, ForcedEntry, "forced")
    if bool(entry.draw) == bool(entry.discard):
        raise fault("“forced” must be either a draw or a discard", node.place, "write several of them as a list")
    return entry.line


def _plain(key: str) -> str:
    return key.strip().lower().replace("-", "_")


# ---- problems -------------------------------------------------------------------------------------------------------


def _problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Unknown recipes, players, cards and spaces, and lines that cannot be read."""
    names, card_values = player_names(sheet), spellings(sheet.cards)
    board = sheet.game.components[BOARD].board
    reader = LineReader(card_values, names)
    for field in sheet.codes:
        yield from _recipe_problems(sheet, field)
    yield from _player_problems(sheet, names)
    for turn in sheet.entries.get("turns", ()):
        yield from _turn_problems(sheet, turn, reader, board)
    for hand in sheet.entries.get("hands", ()):
        yield from _hand_problems(sheet, hand, card_values)
    order: DealEntry | None = sheet.extra.get("deal")
    if order:
        for name in order.deck:
            try:
                read_card(name, card_values)
            except LineError as error:
                yield Problem(f"deal, deck: {error}", order.place, error.hint)


def _recipe_problems(sheet: FilledSheet, field: str) -> Iterator[Problem]:
    try:
        deal(sheet.game, sheet.codes[field])
    except InputError as error:
        yield from (Problem(problem.message, sheet.place_of(field), problem.hint) for problem in error.problems)


def _player_problems(sheet: FilledSheet, names: Sequence[str]) -> Iterator[Problem]:
    if not names and (sheet.entries.get("turns") or sheet.entries.get("hands")):
        yield no_players(sheet.place)
    for number, name in zip(sheet.rows.get("players", ()), names, strict=True):
        if name.casefold() in ("deck", "pile"):
            yield Problem(
                f"no player can be called “{name}” in this game",
                sheet.place_of(f"players.{number}"),
                "in a log, “deck” and “pile” are where cards are drawn from; choose another name",
            )


def _turn_problems(sheet: FilledSheet, turn: str, reader: LineReader, board: Board | None) -> Iterator[Problem]:
    player, space, names = sheet.text(f"{turn}.player"), sheet.text(f"{turn}.to"), reader.names
    if player and names and seat_of(names, player) is None:
        yield _in_field(f"{turn}.player", no_such_player(player, names, sheet.place_of(f"{turn}.player")))
    for part, read in (
        ("draw", reader.draw),
        ("jump", reader.jump),
        ("discard", reader.discard),
        ("forced", reader.forced),
    ):
        if sheet.text(f"{turn}.{part}") and names:
            yield from _line_problems(sheet, f"{turn}.{part}", read, board)
    if space and space_id(space, board) is None:
        several = _numbered(space, board) if board else []
        hint = f"write {either(several)}" if several else did_you_mean(space, board.spaces if board else ())
        problem = Problem(f"no space “{space}” on the board", sheet.place_of(f"{turn}.to"), hint)
        yield _in_field(f"{turn}.to", problem)


def _hand_problems(sheet: FilledSheet, hand: str, card_values: Mapping[str, int]) -> Iterator[Problem]:
    stacks = [f"{hand}.stacks.{number}" for number in sheet.rows.get(f"{hand}.stacks", ())]
    for part in (f"{hand}.cc_up", f"{hand}.number_up", *stacks):
        yield from _line_problems(sheet, part, lambda text: read_cards(text, card_values))
    number = hand.rpartition(".")[2]
    if not sheet.text(f"players.{number}"):
        yield Problem(
            f"there is a hand {number}, but no player {number}", sheet.place_of(hand), "add the player under players"
        )


def _line_problems(
    sheet: FilledSheet, field: str, read: Callable[[str], object], board: Board | None = None
) -> Iterator[Problem]:
    text = sheet.text(field)
    try:
        read(text)
    except LineError as error:
        yield _in_field(field, Problem(str(error), sheet.place_of(field), _roll_hint(text, board) or error.hint))


def _roll_hint(text: str, board: Board | None) -> str:
    """The hint that a roll or the space it leads to was typed among cards; empty if there is no such space."""
    words = _BETWEEN.split(text.strip())
    for before, word in zip(["", *words], words, strict=False):
        if re.search("[a-z]", word, re.IGNORECASE) and space_id(word, board):
            roll = f"roll {before} " if before in ("1", "2", "3", "4", "5", "6") else ""
            return f"“{word}” is a space, not a card; type “{roll}to {word}” after the cards"
    return ""


def _in_field(field: str, problem: Problem) -> Problem:
    """The problem with the id of its field, which the reader turns into words: a PDF form has no lines."""
    return replace(problem, message=f"{field}: {problem.message}")


def _cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by id. They do not depend on the code of a deal or board."""
    return MappingProxyType({card.id: card for card in game.components[CARDS].cards})


READING = Reading(extra=MappingProxyType({"deal": DealEntry}), cards=_cards, problems=_problems, paper=_on_paper)
