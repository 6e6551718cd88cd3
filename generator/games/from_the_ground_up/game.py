"""Reads, checks and scores the table sheets of From the Ground Up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...model.game import Card, Game
from ...rules.results import Part, Result, Score, Strokes, Violation, line_of, ranks
from ...sheets import FilledSheet
from ...sheets.marks import as_tick
from ...spelling import joined
from ..base import GameRules, WrittenSum, wrong_sums
from ..turns import counted
from . import play
from .play import SIGNS, contradictions, ways
from .table import READING, TableCard, TableReplay, TableSheet, rules, spec_of, tower_card

_REQUIRES = {
    "lower": "a lower number than",
    "higher": "a higher number than",
    "equal": "the same number as",
    "unequal": "a different number from",
}


class FromTheGroundUpRules(GameRules[TableSheet]):
    """The rules of the table at the end of the game and, if there is one, of its log."""

    rules = rules
    sheets = ("table",)
    reading = READING

    def read(self, sheet: FilledSheet) -> TableSheet:
        return TableSheet(sheet)

    def violations(self, view: TableSheet) -> Iterator[Violation]:
        span = view.sheet.game.players
        if len(view.players) not in span:
            yield rules["two-to-six"](
                "players",
                f"the sheet has {counted(len(view.players), 'player')}, but the game is for {span.low} to {span.high}",
            )
        yield from _wrong_cards(view)
        yield from _wrong_deal(view)
        for card in view.cards:
            yield from _card_violations(card)
        rule, right = rules["claimed-total"], "the cards add up to {}"
        totals = zip(view.players, self.sums(view).items(), strict=True)
        yield from wrong_sums(
            view.sheet, [WrittenSum(*total, rule, f"{view.name(player)} wrote", right) for player, total in totals]
        )
        for number, player, where in view.gone:
            if message := _why_not_given_up(view, number, player, where):
                name = f"{view.name(player)} gave up" if player else "the sheet gives up"
                yield rules["given-up"](where, f"{name} card {number}, but {message}")
        owners = [player for _, player, _ in view.gone]
        for player in view.players:
            if view.stall and player not in owners and any(card.scoring for card in view.in_front_of(player)):
                yield rules["given-up"](player, f"{view.name(player)} must give up a finished or flipped card")
        if view.log and len(set(view.dealt)) == len(view.dealt):
            yield from TableReplay(view).violations

    def score(self, view: TableSheet) -> Result:
        """The score of every player, with one line for each card, and the winners if the game is over."""
        scores = tuple(
            Score(
                view.name(player),
                tuple(
                    line_of(card.name, [Part(_described(card), view.points[card.id])])
                    for card in view.counting_cards(player)
                ),
            )
            for player in view.players
        )
        points = [[line.points for line in score.lines] for score in scores]
        places = ranks(play.standings(points))
        if reasons := list(_still_going(view)):
            more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
            return Result(scores, places, remark=f"The game is not over: {reasons[0]}{more}.", over=False)
        winners = tuple(scores[seat].player for seat in play.winners(points))
        if scores and not winners:
            return Result(scores, places, remark="All players lose together, as no total reaches zero.")
        best = max((score.total for score in scores), default=0)
        others = [score.player for score in scores if score.total == best and score.player not in winners]
        remark = f"The tie with {' and '.join(others)} is broken by the higher cards." if others else ""
        return Result(scores, places, winners, remark)

    def sums(self, view: TableSheet) -> Mapping[str, int]:
        return {f"{player}.claimed.total": view.total(player) for player in view.players}

    def strokes(self, view: TableSheet) -> Strokes:
        """Cards that the file lists by their numbers, drawn as the towers of the paper."""
        towers = {name: f"towers.{number}" for number, name in enumerate(view.specs, 1)}
        marks = dict[str, str]()
        for card in [card for card in view.cards if not card.id.startswith("towers.")]:
            tower = towers[card.spec.name]
            places: dict[str, object] = {
                "star": card.star,
                **{f"crates.{number}": mark for number, mark in enumerate(card.crates, 1)},
            }
            places |= {"owner": card.owner.rpartition(".")[2], "flipped": "x" if card.flipped else ""}
            places |= {f"ticked.{number}": "x" for number in card.ticked}
            marks |= {f"{tower}.{place}": str(mark) for place, mark in places.items() if mark}
        marks |= {f"{towers[number]}.discarded": "x" for number, _, _ in view.gone if number in towers}
        return Strokes(marks=marks)

    def signs(self, sheet: FilledSheet, row: str) -> Sequence[str]:
        entry, _, field = row.rpartition(".")
        number = tower_card(sheet, entry) if entry.startswith("towers.") else sheet.text(f"{entry}.card")
        card = sheet.cards.get(number)
        return tuple(SIGNS[symbol] for symbol in card.symbols) if card and field == "crates" else ()

    def worst_on_line(self, part: str, game: Game, cards: Mapping[str, Card], line: Mapping[str, Any]) -> int | None:
        card = cards.get(str(line.get("card")))
        if card is None:
            return None
        signs = (" ", *SIGNS.values())
        typed = tuple([int(m) if m.isdecimal() else None for m in line.get("crates", ()) if m not in signs])
        if len(typed) > len(card.symbols) + 1:
            return 2
        star = str(line.get("star", ""))
        marks = TableCard.of(
            spec_of(card, game),
            typed,
            int(star) if star.isdecimal() else None,
            owner="" if part == "shared" else "players",
            flipped=as_tick(str(line.get("flipped", "no"))) is not False,
        )
        return max((2 if breach.rule.severity == "error" else 1 for breach in _card_violations(marks)), default=0)


RULES = FromTheGroundUpRules()


def _wrong_cards(table: TableSheet) -> Iterator[Violation]:
    """Cards without a number or listed twice, and cards that were not dealt or are not on the table."""
    yield from (rules["named"](entry, "a card has no number") for entry in table.unnamed)
    seen: dict[str, TableCard] = {}
    for card in table.cards:
        first = seen.setdefault(card.spec.name, card)
        if first is not card:
            yield rules["cards-once"]((card.number_id, first.number_id), f"{card.name} is listed twice")
    if table.dealt:
        for card in [card for name, card in seen.items() if name not in table.dealt]:
            yield rules["cards-dealt"]((card.number_id, "deal"), f"{card.name} was not dealt")
        for name in dict.fromkeys(name for name in table.dealt if name not in {*seen, *table.deleted}):
            yield rules["cards-dealt"]("deal", f"card {name} was dealt, but is not on the sheet")


def _wrong_deal(table: TableSheet) -> Iterator[Violation]:
    """Players who were dealt too many or too few cards, and cards that were dealt twice."""
    each = table.sheet.game.rules["deal"].get(str(len(table.players)))
    count = len(table.cards) + len(table.unnamed) + len(table.deleted)
    if not table.dealt and each is not None and count != each * len(table.players):
        yield rules["cards-dealt"](
            ("players", *(card.number_id for card in table.cards), *table.unnamed, "shared"),
            f"the sheet has {counted(count, 'card')}, but {len(table.players)} players are dealt {each} each, "
            f"{each * len(table.players)} in all",
        )
    for name in table.names if table.deal is not None and each is not None else ():
        count = len((table.deal or {}).get(name, ()))
        if count != each:
            yield rules["deal"](f"deal.{name}", f"{name} was dealt {counted(count, 'card')} instead of {each}")
    for name in dict.fromkeys(table.dealt):
        if table.dealt.count(name) > 1:
            yield rules["deal"]("deal", f"card {name} was dealt {table.dealt.count(name)} times")


def _card_violations(card: TableCard) -> Iterator[Violation]:
    """All violations in what is written on one card: marks beyond the last crate, a star outside its range, crates that
    contradict each other, and a card that is shared or unfinished and should not be."""
    last = len(card.crates)
    beyond = [
        *(("crates", number, "filled in") for number, mark in enumerate(card.typed, 1) if number > last and mark),
        *(("ticked", number, "ticked") for number in sorted(card.ticked) if number > last),
    ]
    for field, number, state in beyond:
        yield rules["crates-exist"](
            f"{card.id}.{field}.{number}", f"{card.name} has only {last} crates, but crate {number} is {state}"
        )
    if card.star and card.star not in card.spec.star:
        yield rules["star-range"](
            f"{card.id}.star", f"the star of {card.name} holds {card.star}, but its range is {card.spec.star}"
        )
    yield from _wrong_row(card)
    if card.owner and not card.flipped and not card.blanks and not card.star:
        yield rules["star-missing"](card.id, f"every crate of {card.name} is filled in, but its star is empty")
    if not card.owner and 0 in card.writing:
        missing = f"crate {card.blanks[0]}" if card.blanks else "the star"
        yield rules["shared-finished"](card.id, f"{card.name} is shared, but {missing} is empty")
    if not card.owner and card.ticked >= set(range(1, last + 1)):
        yield rules["last-tick"](f"{card.id}.ticked", f"every crate of {card.name} is ticked, so a player must have it")


def _wrong_row(card: TableCard) -> Iterator[Violation]:
    """Crates that contradict a symbol or each other, and empty ones that no roll can fill."""
    symbols, compare = card.spec.symbols, card.spec.compare
    groups = contradictions(symbols, card.crates, compare)
    for group in groups:
        where = [f"{card.id}.crates.{number}" for number in reversed(group)]
        left, right, *more = group
        is_direct = not more and (left == 1 if compare == "first" else right == left + 1)
        if not is_direct:  # there are blank crates between them
            numbers = " and ".join(f"the {card.writing[number]} in crate {number}" for number in group)
            message = f"nothing fits between {numbers} of {card.name}"
            if compare == "first":
                message = f"no number in crate 1 of {card.name} agrees with {numbers}"
            yield rules["room-between"](where, message)
            continue
        symbol = symbols[right - 2]
        rule = rules["lower-higher"] if symbol in ("lower", "higher") else rules["equal-unequal"]
        yield rule(
            where,
            f"crate {right} of {card.name} holds {card.writing[right]}, but {SIGNS[symbol]} requires "
            f"{_REQUIRES[symbol]} the {card.writing[left]} in crate {left}",
        )
    if not groups and card.blanks and not card.flipped and not ways(symbols, compare, card.crates):
        yield rules["finishable"](f"{card.id}.crates", f"no roll can fill the empty crates of {card.name} any more")


def _why_not_given_up(table: TableSheet, number: str, player: str, where: str) -> str:
    """Why this card could not be given up; empty if it could."""
    if not table.stall:
        return "that is only done in the stall variant"
    if number in table.deleted:
        return "it is not listed: it stays among the cards of its player"
    owners = [card.owner for card in table.cards if card.spec.name == number]
    if not player or player not in owners:
        return f"it is in front of {table.name(owners[0])}" if owners[0] else "it is in the shared area"
    if where != next(mark for _, owner, mark in table.gone if owner == player):
        return "each player gives up only one"
    return "" if table.given_up(player) else "it is neither finished nor flipped"


def _still_going(table: TableSheet) -> Iterator[str]:
    """Why the game is not over."""
    if table.stall:
        return
    for card in table.cards:
        if not card.owner:
            yield f"{card.name} is still shared"
        elif not card.flipped and card.blanks:
            yield f"{card.name} is unfinished"
        elif not card.scoring:
            yield f"the star of {card.name} is empty"
    if not table.cards:
        yield "there are no cards on the sheet"


def _described(card: TableCard) -> str:
    """How a card makes its points."""
    star = card.spec.star
    if card.flipped and not card.star:
        return f"flipped, star empty: minus {star.low}, the lowest of {star}"
    if card.flipped:
        return f"flipped: minus the {card.star} in its star"
    if len(card.blanks) == 1:
        return f"unfinished: crate {card.blanks[0]} is empty"
    if card.blanks:
        return f"unfinished: crates {joined(list(map(str, card.blanks)))} are empty"
    return f"finished: the {card.star} in its star" if card.star else "unfinished: the star is empty"
