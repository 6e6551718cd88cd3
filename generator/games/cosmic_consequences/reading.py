"""What a travel log may be written like in a file, and what no pencil could have meant in it.

On paper a card action is one short line. A file may write it out key by key (`draw: {from: deck, card: dragon-3}`), and
name the hands by players; that is made into the lines of the paper before it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from ...codes import SetCode
from ...definitions import nodes, typed
from ...definitions.models import Card, Game
from ...definitions.nodes import Listing, Node, Scalar
from ...errors import InputError, Place, Problem, did_you_mean
from ...sheets import FilledSheet, Reading
from .. import deal
from . import lines
from .lines import LineError
from .play import CARDS


@dataclass(frozen=True, slots=True, kw_only=True)
class DealEntry:
    """`deal:` told card by card: the deck, the next card to draw first."""

    deck: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawEntry:
    """A draw, key by key."""

    from_: str
    card: str
    with_: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpEntry:
    """A jump whose card is stacked at once."""

    card: str
    with_: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardEntry:
    """A discard, key by key; on green there may be several cards of one suit."""

    card: tuple[str, ...]
    onto: str
    with_: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcedEntry:
    """What a space asked for; `player` where it is not whose turn it is."""

    player: str = ""
    draw: DrawEntry | None = None
    discard: DiscardEntry | None = None


EXTRA: Mapping[str, object] = MappingProxyType({"deal": DealEntry})


def cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by their ids; whatever order or board a code names, they are the same."""
    return MappingProxyType({card.id: card for card in game.components[CARDS].cards})


def players(sheet: FilledSheet) -> list[str]:
    """The names of the players in the order of play."""
    return [sheet.text(f"players.{number}") for number in sheet.rows.get("players", ())]


def seat(names: list[str], name: str) -> int | None:
    """The seat of the player with this name, in either case where that is enough to tell; None for nobody."""
    if name in names:
        return names.index(name)
    same = [number for number, known in enumerate(names) if known.casefold() == name.casefold()]
    return same[0] if len(same) == 1 else None


# ---- as it stands on the paper --------------------------------------------------------------------------------------

def paper(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    """The document with every part in one line."""
    return nodes.Mapping([(key, _part(key, value, problems)) for key, value in node.pairs], node.place, node.weight)


def _part(key: Scalar, node: Node, problems: list[Problem]) -> Node:
    first = _bare(key.text).split(".")[0]
    if first == "cards" and isinstance(node, Scalar):
        return Scalar(_WITH.get(node.text.lower(), node.text), node.place)
    if first == "turns":
        return _turns(_bare(key.text), node, problems)
    return _hands(_bare(key.text), node) if first == "hands" else node


_WITH = {"true": "with", "yes": "with", "false": "without", "no": "without"}


def _turns(key: str, node: Node, problems: list[Problem]) -> Node:
    last = key.rpartition(".")[2]
    if isinstance(node, Scalar):
        return node
    if last in _LINES:
        return _line(last, node, problems)
    if isinstance(node, Listing):
        return Listing([_turns("", entry, problems) for entry in node.entries], node.place)
    return nodes.Mapping([(inner, _turns(_bare(inner.text), value, problems)) for inner, value in node.pairs],
                         node.place)


def _hands(key: str, node: Node) -> Node:
    """The hands with each list of cards in one text."""
    last = key.rpartition(".")[2]
    if isinstance(node, nodes.Mapping):
        return nodes.Mapping([(inner, _hands(_bare(inner.text), value)) for inner, value in node.pairs], node.place)
    if isinstance(node, Listing) and last in ("cc_up", "number_up", ""):
        return _joined(node)
    if isinstance(node, Listing):
        return Listing([_hands("" if last == "stacks" else last, entry) for entry in node.entries], node.place)
    return Scalar(lines.short(node.text), node.place, node.quoted)


def _joined(node: Listing) -> Node:
    if not all(isinstance(entry, Scalar) for entry in node.entries):
        return node
    return Scalar(lines.short(" ".join(entry.text for entry in node.entries if isinstance(entry, Scalar))), node.place)


def _line(name: str, node: Node, problems: list[Problem]) -> Node:
    try:
        return Scalar(_LINES[name](node, name), node.place)
    except InputError as error:
        problems.extend(error.problems)
        return Scalar("", node.place)


def _draw(node: Node, name: str) -> str:
    return _draw_line(typed.read(node, DrawEntry, name))


def _draw_line(entry: DrawEntry) -> str:
    return f"{entry.from_} {lines.short(entry.card)}{_with(entry.with_)}"


def _jump(node: Node, name: str) -> str:
    entry = typed.read(node, JumpEntry, name)
    return f"{lines.short(entry.card)}{_with(entry.with_)}"


def _discard(node: Node, name: str) -> str:
    return _discard_line(typed.read(node, DiscardEntry, name))


def _discard_line(entry: DiscardEntry) -> str:
    return f"{entry.onto} {lines.short(' '.join(entry.card))}{_with(entry.with_)}"


def _with(names: tuple[str, ...]) -> str:
    return f" with {lines.short(' '.join(names))}" if names else ""


def _forced(node: Node, name: str) -> str:
    entries = node.entries if isinstance(node, Listing) else [node]
    return "; ".join(entry.text if isinstance(entry, Scalar) else _forced_line(entry, name) for entry in entries)


def _forced_line(node: Node, name: str) -> str:
    entry = typed.read(node, ForcedEntry, name)
    if (entry.draw is None) == (entry.discard is None):
        raise InputError([Problem(f"“{name}” is either a draw or a discard", node.place,
                                  "several things are a list of them")])
    line = f"draw {_draw_line(entry.draw)}" if entry.draw else ""
    line = line or (f"discard {_discard_line(entry.discard)}" if entry.discard else "")
    return f"{entry.player} {line}".strip()


_LINES: Mapping[str, Callable[[Node, str], str]] = {
    "draw": _draw, "jump": _jump, "discard": _discard, "forced": _forced}


def _bare(key: str) -> str:
    return key.strip().lower().replace("-", "_")


# ---- what no log can mean -------------------------------------------------------------------------------------------

def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Codes of recipes nobody knows, players who are not on the sheet, lines that say nothing, cards and spaces that
    are not in the game."""
    names = players(sheet)
    known = lines.spellings(sheet.cards)
    reader = lines.Reader(known, names)
    for field in sheet.codes:
        yield from _recipe_problems(sheet, field)
    yield from _nobody(sheet, names)
    for turn in sheet.entries.get("turns", ()):
        yield from _turn_problems(sheet, turn, names, reader)
    for hand in sheet.entries.get("hands", ()):
        yield from _hand_problems(sheet, hand, known)
    told: DealEntry | None = sheet.extra.get("deal")
    for name in told.deck if told else ():
        yield from _tried(partial(lines.card, name, known), told.place if told else sheet.place)


def _recipe_problems(sheet: FilledSheet, field: str) -> Iterator[Problem]:
    try:
        deal(sheet.game, sheet.codes[field])
    except InputError as error:
        yield from (Problem(one.message, sheet.place_of(field), one.hint) for one in error.problems)


def _nobody(sheet: FilledSheet, names: list[str]) -> Iterator[Problem]:
    if not names and (sheet.entries.get("turns") or sheet.entries.get("hands")):
        yield Problem("the sheet does not say who plays", sheet.place, "add players: [Ann, Ben, ...] in order of play")
    for number, name in zip(sheet.rows.get("players", ()), names, strict=True):
        if name.casefold() in ("deck", "pile"):
            yield Problem(f"a player cannot be called {name} here", sheet.place_of(f"players.{number}"),
                          "the deck and the pile are")


def _turn_problems(sheet: FilledSheet, turn: str, names: list[str], reader: lines.Reader) -> Iterator[Problem]:
    player, space = sheet.text(f"{turn}.player"), sheet.text(f"{turn}.to")
    if player and names and seat(names, player) is None:
        yield Problem(f"no player “{player}” on this sheet", sheet.place_of(f"{turn}.player"),
                      did_you_mean(player, names))
    for part in _LINES:
        text = sheet.text(f"{turn}.{part}")
        if text and names:
            yield from _tried(partial(getattr(reader, part), text), sheet.place_of(f"{turn}.{part}"))
    spaces = _spaces(sheet)
    if space and space_id(space, spaces) is None:
        yield Problem(f"no space “{space}” on the board", sheet.place_of(f"{turn}.to"), did_you_mean(space, spaces))


def _hand_problems(sheet: FilledSheet, hand: str, known: Mapping[str, int]) -> Iterator[Problem]:
    stacks = [f"{hand}.stacks.{number}" for number in sheet.rows.get(f"{hand}.stacks", ())]
    for part in (f"{hand}.cc_up", f"{hand}.number_up", *stacks):
        yield from _tried(partial(lines.cards, sheet.text(part), known), sheet.place_of(part))
    number = hand.rpartition(".")[2]
    if not sheet.text(f"players.{number}"):
        yield Problem(f"there is a hand {number}, but no player {number}", sheet.place_of(hand))


def _tried(read: Callable[[], Any], place: Place) -> Iterator[Problem]:
    try:
        read()
    except LineError as wrong:
        yield Problem(str(wrong), place, wrong.hint)


def _spaces(sheet: FilledSheet) -> list[str]:
    board = sheet.game.components["board"].board
    return list(board.spaces) if board else []


def space_id(text: str, spaces: list[str]) -> str | None:
    """The space that is meant, in either case and with `-`, `_` or a blank; None for none."""
    wanted = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    return wanted if wanted in spaces else None


READING = Reading(extra=EXTRA, cards=cards, problems=problems, paper=paper)
