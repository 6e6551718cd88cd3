"""What a file may say of a travel log, and what no log can mean.

On paper a card action is one short line. A file may write it out key by key (`draw: {from: deck, card: dragon-3}`), and
name the hands by players; that becomes the lines of the paper before it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ...codes import SetCode
from ...definitions import nodes, typed
from ...definitions.models import Card, Game
from ...definitions.nodes import Listing, Node, Scalar
from ...errors import InputError, Place, Problem, did_you_mean
from ...sheets import FilledSheet, Reading
from .. import deal
from ..turns import no_players, no_such_player, player_names, seat_of
from .lines import LineError, LineReader, read_card, read_cards, short_form, spellings
from .play import BOARD, CARDS


@dataclass(frozen=True, slots=True, kw_only=True)
class DealEntry:
    """`deal:` card by card: the deck, the next card to draw first."""

    deck: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawEntry:
    """A draw, key by key."""

    from_: str
    card: str
    with_: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        return f"{self.from_} {short_form(self.card)}{_with(self.with_)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpEntry:
    """A jump whose card is stacked at once."""

    card: str
    with_: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        return f"{short_form(self.card)}{_with(self.with_)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardEntry:
    """A discard, key by key; on green there may be several cards of one suit."""

    card: tuple[str, ...]
    onto: str
    with_: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        return f"{self.onto} {short_form(' '.join(self.card))}{_with(self.with_)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcedEntry:
    """What a space asked for; `player` where it is not whose turn it is."""

    player: str = ""
    draw: DrawEntry | None = None
    discard: DiscardEntry | None = None

    @property
    def line(self) -> str:
        line = f"draw {self.draw.line}" if self.draw else f"discard {self.discard.line}" if self.discard else ""
        return f"{self.player} {line}".strip()


def _with(cards: tuple[str, ...]) -> str:
    return f" with {short_form(' '.join(cards))}" if cards else ""


def space_id(text: str, spaces: Sequence[str]) -> str | None:
    """The space that is meant, in either case and with `-`, `_` or a blank; None for none."""
    name = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    return name if name in spaces else None


# ---- as it stands on the paper --------------------------------------------------------------------------------------

_WITH_CARDS = {"true": "with", "yes": "with", "false": "without", "no": "without"}
_ACTIONS: Mapping[str, type[DrawEntry | JumpEntry | DiscardEntry]] = {
    "draw": DrawEntry, "jump": JumpEntry, "discard": DiscardEntry}


def _on_paper(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    """The document with every part in one line."""
    return nodes.Mapping([(key, _part(key, value, problems)) for key, value in node.pairs], node.place, node.weight)


def _part(key: Scalar, node: Node, problems: list[Problem]) -> Node:
    first = _plain(key.text).split(".")[0]
    if first == "cards" and isinstance(node, Scalar):
        return Scalar(_WITH_CARDS.get(node.text.lower(), node.text), node.place)
    if first == "turns":
        return _turns(_plain(key.text), node, problems)
    return _hands(_plain(key.text), node) if first == "hands" else node


def _turns(key: str, node: Node, problems: list[Problem]) -> Node:
    """The turns with each action in one text."""
    last = key.rpartition(".")[2]
    if isinstance(node, Scalar):
        return node
    if last in _ACTIONS or last == "forced":
        try:
            return Scalar(_line(node, last), node.place)
        except InputError as error:
            problems.extend(error.problems)
            return Scalar("", node.place)
    if isinstance(node, Listing):
        return Listing([_turns("", entry, problems) for entry in node.entries], node.place)
    return nodes.Mapping([(inner, _turns(_plain(inner.text), value, problems)) for inner, value in node.pairs],
                         node.place)


def _hands(key: str, node: Node) -> Node:
    """The hands with each list of cards in one text."""
    last = key.rpartition(".")[2]
    if isinstance(node, nodes.Mapping):
        return nodes.Mapping([(inner, _hands(_plain(inner.text), value)) for inner, value in node.pairs], node.place)
    if isinstance(node, Listing) and last not in ("cc_up", "number_up", ""):
        return Listing([_hands("" if last == "stacks" else last, entry) for entry in node.entries], node.place)
    if isinstance(node, Scalar):
        return Scalar(short_form(node.text), node.place, node.quoted)
    cards = [entry.text for entry in node.entries if isinstance(entry, Scalar)]
    return Scalar(short_form(" ".join(cards)), node.place) if len(cards) == len(node.entries) else node


def _line(node: Node, name: str) -> str:
    """A part of a turn that is written out, as the line it is on the paper; raises InputError."""
    if name != "forced":
        return typed.read(node, _ACTIONS[name], name).line
    entries = node.entries if isinstance(node, Listing) else [node]
    return "; ".join(entry.text if isinstance(entry, Scalar) else _forced_line(entry, name) for entry in entries)


def _forced_line(node: Node, name: str) -> str:
    entry = typed.read(node, ForcedEntry, name)
    if (entry.draw is None) == (entry.discard is None):
        raise InputError([Problem(f"“{name}” is either a draw or a discard", node.place,
                                  "several things are a list of them")])
    return entry.line


def _plain(key: str) -> str:
    return key.strip().lower().replace("-", "_")


# ---- what no log can mean -------------------------------------------------------------------------------------------

def _problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Codes of recipes nobody knows, players who are not on the sheet, lines that say nothing, cards and spaces that
    are not in the game."""
    names, known = player_names(sheet), spellings(sheet.cards)
    board = sheet.game.components[BOARD].board
    spaces = list(board.spaces) if board else []
    reader = LineReader(known, names)
    for field in sheet.codes:
        yield from _recipe_problems(sheet, field)
    yield from _player_problems(sheet, names)
    for turn in sheet.entries.get("turns", ()):
        yield from _turn_problems(sheet, turn, reader, spaces)
    for hand in sheet.entries.get("hands", ()):
        yield from _hand_problems(sheet, hand, known)
    order: DealEntry | None = sheet.extra.get("deal")
    if order:
        for name in order.deck:
            yield from _line_problems(read_card, name, known, place=order.place)


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
            yield Problem(f"a player cannot be called {name} here", sheet.place_of(f"players.{number}"),
                          "the deck and the pile are")


def _turn_problems(sheet: FilledSheet, turn: str, reader: LineReader, spaces: Sequence[str]) -> Iterator[Problem]:
    player, space, names = sheet.text(f"{turn}.player"), sheet.text(f"{turn}.to"), reader.names
    if player and names and seat_of(names, player) is None:
        yield no_such_player(player, names, sheet.place_of(f"{turn}.player"))
    for part, read in (("draw", reader.draw), ("jump", reader.jump), ("discard", reader.discard),
                       ("forced", reader.forced)):
        text = sheet.text(f"{turn}.{part}")
        if text and names:
            yield from _line_problems(read, text, place=sheet.place_of(f"{turn}.{part}"))
    if space and space_id(space, spaces) is None:
        yield Problem(f"no space “{space}” on the board", sheet.place_of(f"{turn}.to"), did_you_mean(space, spaces))


def _hand_problems(sheet: FilledSheet, hand: str, known: Mapping[str, int]) -> Iterator[Problem]:
    stacks = [f"{hand}.stacks.{number}" for number in sheet.rows.get(f"{hand}.stacks", ())]
    for part in (f"{hand}.cc_up", f"{hand}.number_up", *stacks):
        yield from _line_problems(read_cards, sheet.text(part), known, place=sheet.place_of(part))
    number = hand.rpartition(".")[2]
    if not sheet.text(f"players.{number}"):
        yield Problem(f"there is a hand {number}, but no player {number}", sheet.place_of(hand))


def _line_problems(read: Callable[..., object], *args: Any, place: Place) -> Iterator[Problem]:
    try:
        read(*args)
    except LineError as error:
        yield Problem(str(error), place, error.hint)


def _cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by their ids; whatever order or board a code names, they are the same."""
    return MappingProxyType({card.id: card for card in game.components[CARDS].cards})


READING = Reading(extra=MappingProxyType({"deal": DealEntry}), cards=_cards, problems=_problems, paper=_on_paper)
