"""The boxes of the travel log: what is ringed on paper, as the short lines that a file has instead, and the other way
round.

    action: {what: draw, place: deck, card: +3}               draw: deck +3
    asked: {who: 2, what: discard, whom: 1, card: +3}         forced: Ben discard Ann +3
    region: em, spot: 2                                       to: em-2
    chart: {dragon-3: {player: 1, lies: cc}}                  hands: {Ann: {cc_up: +3}}

A row without a player, a roll or a space goes on with the turn above it: with a further card, or a further thing asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...model.game import Card
from ...sheets import FilledSheet
from ...sheets.marks import LineError

# What a row has that is a turn of its own.
_OWN = ("player", "roll", "to", "region", "spot", "draw", "jump", "discard", "forced", "action.what")
_BOXES = ("what", "place", "whom", "card")


def _value(sheet: FilledSheet, field: str) -> str:
    value = sheet.value(field)
    return "" if value is None else str(value)


def is_filled(sheet: FilledSheet, group: str) -> bool:
    """Whether one of the boxes for a card action has a mark."""
    return any(_value(sheet, f"{group}.{key}") for key in _BOXES)


def turns(sheet: FilledSheet) -> list[list[str]]:
    """The rows of each turn: its own, and those that go on with it."""
    found: list[list[str]] = []
    for row in sheet.entries.get("turns", ()):
        goes_on = any(is_filled(sheet, f"{row}.{group}") for group in ("action", "asked"))
        if found and goes_on and not any(_value(sheet, f"{row}.{key}") for key in _OWN):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def action(sheet: FilledSheet, rows: Sequence[str], names: Sequence[str]) -> tuple[str, str]:
    """The kind of card action that is ringed, and its line; empty if there is none. Raises LineError."""
    groups = [f"{row}.action" for row in rows if is_filled(sheet, f"{row}.action")]
    return _line(sheet, groups, names, ("draw", "jump", "discard")) if groups else ("", "")


def asked(sheet: FilledSheet, rows: Sequence[str], names: Sequence[str]) -> str:
    """What the boxes say that spaces asked for, as a line of a file. Raises LineError."""
    entries: list[list[str]] = []
    for group in (f"{row}.asked" for row in rows):
        if is_filled(sheet, group) and (not entries or _value(sheet, f"{group}.what")):
            entries.append([group])
        elif is_filled(sheet, group):
            entries[-1].append(group)
    lines = (" ".join(_line(sheet, groups, names, ("draw", "discard"))) for groups in entries)
    who = (_name(sheet, f"{groups[0]}.who", names) for groups in entries)
    return "; ".join(f"{name} {line}".strip() for name, line in zip(who, lines, strict=True))


def _line(sheet: FilledSheet, groups: Sequence[str], names: Sequence[str], verbs: Sequence[str]) -> tuple[str, str]:
    """The verb and the rest of the line for one entry; the second and later groups only have a further card."""
    kind, place, whom = (_value(sheet, f"{groups[0]}.{key}") for key in ("what", "place", "whom"))
    if place and whom:
        raise LineError(f"both “{place}” and player {whom} are marked", "a card comes from or goes to one of them")
    if not kind and place != "deck":
        raise LineError("what was done with the card is missing", f"ring {', '.join(verbs[:-1])} or {verbs[-1]}")
    if kind == "jump" and (place or whom):
        raise LineError(f"“jump” has no {place or 'player'}", "a card to jump with comes from your own hand")
    cards = [sheet.number(f"{group}.card") for group in groups]
    end = place or _name(sheet, f"{groups[0]}.whom", names)
    words = [end, *(f"{card:+d}" if card else "0" for card in cards if card is not None)]
    return kind or "draw", " ".join(filter(None, words))


def _name(sheet: FilledSheet, field: str, names: Sequence[str]) -> str:
    """The player whose number is in a box; empty if it is blank. Raises LineError."""
    number = sheet.number(field)
    if number is not None and not 1 <= number <= len(names):
        raise LineError(f"there is no player {number}", "write the number beside the name on the star chart")
    return "" if number is None else names[number - 1]


def space(sheet: FilledSheet, row: str) -> str:
    """The space whose region and number are marked; empty if one of them is missing."""
    region, number = _value(sheet, f"{row}.region"), _value(sheet, f"{row}.spot")
    if region in ("left", "right") and number == "0":
        return f"{region}-centre"
    return region if region == "big-bang" else f"{region}-{number}" if region and number else ""


def hands(sheet: FilledSheet, cards: Mapping[str, Card]) -> dict[int, dict[str, list[str]]]:
    """The cards on the star chart by the numbers of their players and how they lie: `cc`, `number`, or the number of
    their stack."""
    found: dict[int, dict[str, list[str]]] = {}
    for name in cards:
        player = sheet.number(f"chart.{name}.player")
        if player is not None:
            lies = _value(sheet, f"chart.{name}.lies") or "number"
            found.setdefault(player, {}).setdefault(lies, []).append(name)
    return found


# ---- a log on paper -------------------------------------------------------------------------------------------------


def marks_of_space(row: str, name: str) -> Iterator[tuple[str, str]]:
    """The boxes for a space."""
    region, _, number = name.partition("-")
    if name == "big-bang" or not number:
        region, number = name, ""
    yield f"{row}.region", region
    if number:
        yield f"{row}.spot", "0" if number == "centre" else number


def marks_of_line(group: str, kind: str, place: str, cards: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The boxes for a card action; `place` is deck, pile, the number of a player, or empty. A row has room for one
    card."""
    yield f"{group}.what", kind
    if place:
        yield f"{group}.{'whom' if place.isdecimal() else 'place'}", place
    yield from ((f"{group}.card", card) for card in [*cards][:1])


def marks_of_hand(
    player: int, lies: Iterable[tuple[str, int]], names: Mapping[int, list[str]]
) -> Iterator[tuple[str, str]]:
    """The boxes on the star chart for a player's cards, given how each card lies and its value. `names` are the cards
    that are not on the chart yet, by their values."""
    for how, value in lies:
        if names.get(value):
            name = names[value].pop(0)
            yield f"chart.{name}.player", str(player)
            yield f"chart.{name}.lies", how
