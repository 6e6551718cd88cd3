"""A second reading of the rulebook, slow and plain, for travel logs. It shares no code with the judge.

It takes the sheet as plain data with everything written out key by key, cards by their ids, and gives its complaints as
(number of the turn, what is wrong). It stops at the first one. The board it reads from its YAML itself.
"""

from itertools import chain, combinations
from pathlib import Path

import yaml

DATA = Path(__file__).parents[3] / "data/cosmic_consequences"
BOARD = yaml.safe_load((DATA / "board.yaml").read_text("utf-8"))
CARDS = [f"{suit}-{number}" for suit in ("dragon", "tiger") for number in range(1, 13)] + ["zero-1", "zero-2"]


class Complaint(Exception):  # noqa: N818
    pass


def value(card):
    suit, _, number = card.partition("-")
    return {"dragon": 1, "tiger": -1, "zero": 0}[suit] * int(number)


class Map:
    """The board: where one may go."""

    def __init__(self, board=BOARD):
        self.line = ["big-bang", *board["tracks"]["lap"]["spaces"]]
        self.rings = {name: list(ring["spaces"]) for name, ring in board["rings"].items()}
        self.kind = {"big-bang": "big-bang", "left-centre": "centre", "right-centre": "centre"}
        self.card_at, self.region = {}, {}
        for name, space in board["tracks"]["lap"]["spaces"].items():
            self.kind[name], self.region[name] = space["kind"], space["region"]
            if "card" in space.get("fields", {}):
                self.card_at.setdefault(space["fields"]["card"], []).append(name)
        for ring in board["rings"].values():
            for name, space in ring["spaces"].items():
                self.kind[name] = (space or {}).get("kind", "curved")

    def ring(self, space):
        return next((name for name, ring in self.rings.items() if space in ring), None)

    def ends(self, space, roll):
        """Every end of a move with the way that leads there, as a list of spaces from the second one on."""
        if space == "left-5" and roll == 4:
            return {"big-bang": None}
        if space == "left-2":
            return self.turn_in("right", "right-3", roll)
        if space == "right-2":
            return self.turn_in("left", "left-3", roll)
        if space == "is-2":
            return self.after("left", "left-7", [], roll)
        if space == "weak-5":
            return self.after("right", "right-7", [], roll)
        if space.endswith("-centre"):
            side = space.partition("-")[0]
            ends = {}
            for first in self.rings[side]:
                for end, way in self.after(side, first, [], roll).items():
                    if not (end == space and roll == 2):
                        ends[end] = way
            return ends
        if self.ring(space):
            return self.turn_in(self.ring(space), space, roll)
        place = self.line.index(space)
        way = [self.line[(place + step) % len(self.line)] for step in range(1, roll + 1)]
        return {way[-1]: way}

    def after(self, side, first, before, roll):
        """From the first step into a ring on."""
        return {first: [*before, first]} if roll == 1 else self.turn_in(side, first, roll - 1, arrived=True)

    def turn_in(self, side, space, roll, arrived=False):
        ring, hole = self.rings[side], {"left": "left-1", "right": "right-1"}[side]
        outside = {"left": "em-1", "right": "bh-1"}[side]
        out = self.line[self.line.index(outside):] + self.line
        ends = {}
        if space == hole:
            ends[out[roll - 1]] = out[:roll]
            if arrived:
                if roll == 1:
                    ends[f"{side}-centre"] = [f"{side}-centre"]
                return ends
        for way in (1, -1):
            place, here, way_there = ring.index(space), space, []
            for step in range(roll):
                left = roll - step
                if left == 1 and here != space:
                    ends[f"{side}-centre"] = [*way_there, f"{side}-centre"]
                if left == 1 and here == space:
                    ends[f"{side}-centre"] = [f"{side}-centre"]
                if here == hole and step > 0:
                    way_there += out[:left]
                    break
                place = (place + way) % 8
                here = ring[place]
                way_there.append(here)
            ends[way_there[-1]] = way_there
        return ends


class Table:
    def __init__(self, sheet, board=BOARD, cards=tuple(CARDS)):
        self.map = Map(board)
        self.names = sheet["players"]
        self.cards = list(cards)
        self.playing_with_cards = sheet.get("cards", True)
        self.stands = dict.fromkeys(self.names, "big-bang")
        self.order = list(sheet["deal"]["deck"]) if "deal" in sheet else None
        self.place = dict.fromkeys(self.cards, "deck")     # deck, pile, or a name
        self.side = dict.fromkeys(self.cards, "cc")
        self.bundle = {}                                  # card → the stack it is locked in
        self.pile = []
        self.whose = 0
        self.won = None

    # -- cards

    def name_zero(self, card, place, side=None):
        """A zero card is as good as the other."""
        if not card.startswith("zero"):
            return card
        for zero in ("zero-1", "zero-2"):
            if self.place.get(zero) == place and (side is None or self.side[zero] == side):
                return zero
        return card

    def has(self, name, side, loose=False):
        return [card for card in self.cards if self.place[card] == name and self.side[card] == side
                and not (loose and (card in self.bundle or value(card) == 0))]

    def stacks_of(self, name):
        """The most stacks that a player can have."""
        locked = {self.bundle[card] for card in self.cards if self.place[card] == name and card in self.bundle}
        zeros = [card for card in self.has(name, "number") if value(card) == 0 and card not in self.bundle]
        return len(locked) + len(zeros) + most(frozenset(self.has(name, "number", loose=True)))

    def put(self, card, place, side):
        if self.place[card] == "deck" and self.order:
            match = card if card in self.order else next(one for one in self.order if value(one) == value(card))
            self.order.remove(match)
        if card in self.pile:
            self.pile.remove(card)
        self.place[card], self.side[card] = place, side
        if place == "pile":
            self.pile.append(card)

    def lock(self, cards):
        if sum(map(value, cards)) != 0:
            raise Complaint("no zero stack")
        for card in cards:
            self.bundle[card] = tuple(cards)

    def from_deck(self, name, card, top=False):
        card = self.name_zero(card, "deck")
        if self.place[card] != "deck":
            raise Complaint("not in the deck")
        if top and self.order and value(self.order[0]) != value(card):
            raise Complaint("not the top card")
        self.put(card, name, "cc")

    def zero_with(self, name, cards, told):
        there = self.has(name, "number", loose=True)
        if told:
            if set(told) - set(there) or sum(map(value, [*cards, *told])):
                raise Complaint("no zero there")
        elif not any(sum(map(value, some)) == -sum(map(value, cards)) for some in subsets(there)):
            raise Complaint("makes no zero")

    # -- a turn

    def turn(self, turn):
        if self.won:
            raise Complaint("the game was over")
        name = turn["player"]
        if name != self.names[self.whose]:
            raise Complaint("not that player's turn")
        forced = turn.get("forced", [])
        self.todo = list(forced) if isinstance(forced, list) else [forced]
        actions = [key for key in ("draw", "jump", "discard") if key in turn]
        if not self.playing_with_cards:
            if actions or self.todo:
                raise Complaint("no cards in a race")
        else:
            if len(actions) > 1:
                raise Complaint("more than one action")
            for key in actions:
                self.act(name, key, turn[key])
        if self.won:
            if "roll" in turn or self.todo:
                raise Complaint("goes on after the end")
            return
        if "roll" not in turn or "to" not in turn:
            raise Complaint("no move")
        self.move(name, turn["roll"], turn["to"])
        if self.todo and not (self.won and self.won != "deck"):
            raise Complaint("nobody asked for that")
        if self.todo:
            raise Complaint("goes on after the end")
        self.whose = (self.whose + 1) % len(self.names)
        if self.playing_with_cards and not self.won and "deck" not in self.place.values():
            self.won = "deck"

    def act(self, name, key, said):
        kind = self.map.kind[self.stands[name]]
        if kind in ("green", "orange", "centre"):
            raise Complaint("no action there")
        if key != "discard" and kind != "cc":
            raise Complaint("only on a cc-space")
        if key == "draw":
            if said.get("with"):
                raise Complaint("a drawn card lies cc side up")
            if said["from"] == "deck":
                self.from_deck(name, said["card"])
            elif said["from"] == "pile" and self.pile and value(self.pile[-1]) == value(said["card"]):
                self.put(self.pile[-1], name, "cc")
            else:
                raise Complaint("cannot be drawn")
        elif key == "jump":
            self.jump_with(name, said if isinstance(said, dict) else {"card": said})
        else:
            self.lay_on(name, said)

    def jump_with(self, name, said):
        card = self.name_zero(said["card"], name, "cc")
        if card not in self.has(name, "cc"):
            raise Complaint("has no such card")
        if said.get("with"):
            self.zero_with(name, [card], said["with"])
            self.lock([card, *said["with"]])
        self.put(card, name, "number")
        self.look_for_winner(name)
        if not self.won:
            self.fly(name, card)

    def lay_on(self, name, said):
        card, other = said["card"], said["onto"]
        if isinstance(card, list) or other == "pile" or other == name or len(said.get("with", [])) != 1:
            raise Complaint("not one card onto one card of another player")
        target = said["with"][0]
        if card not in self.has(name, "cc") or target not in self.has(other, "number", loose=True):
            raise Complaint("those cards are not there")
        if value(card) + value(target) != 0:
            raise Complaint("does not make zero")
        self.put(card, other, "number")
        self.lock([card, target])
        self.look_for_winner(other)
        if not self.won:
            self.fly(other, card)

    def fly(self, name, card):
        """A jump."""
        here = self.stands[name]
        spaces = self.map.card_at.get(card, ["big-bang"])
        if here in self.map.rings["left"]:
            spaces = [space for space in spaces if space.startswith("em-")] or ["em-1"]
        space = spaces[0]
        if space != here:
            self.arrive(name, here, space, left_home=here == "big-bang")

    def move(self, name, roll, to):
        here = self.stands[name]
        ends = self.map.ends(here, roll)
        if to == "big-bang" and to not in ends:      # said of who is sent back there at once
            to = next((end for end in ends if self.map.kind[end] == "first"), to)
        if to not in ends:
            raise Complaint("the roll does not lead there")
        way = ends[to]
        through = way is not None and "big-bang" in way
        if through and not self.playing_with_cards:
            self.won = name
        if self.map.kind[to] == "first":
            to = "big-bang"
        left_home = way is not None and (here == "big-bang" or "big-bang" in way[:-1])
        if not self.won:
            self.arrive(name, here, to, left_home, landing=True)

    def arrive(self, name, here, there, left_home, landing=False):
        met = [other for other in self.names if other != name and self.stands[other] == there != "big-bang"]
        self.stands[name] = there
        for other in met:
            if here != there:
                self.stands[other] = here
        if not self.playing_with_cards:
            return
        if left_home:
            self.answer(name, "draw", self.top_card)
        if landing:
            self.consequence(name, there)
        for other in met:
            if here != there:
                self.consequence(other, here)

    # -- consequences

    def answer(self, name, verb, deal_with, must=True):
        if self.won:
            return
        for entry in self.todo:
            if verb in entry and entry.get("player", self.names[self.whose]) == name:
                self.todo.remove(entry)
                deal_with(name, entry[verb])
                return
        if must and (deal_with != self.top_card or "deck" in self.place.values()):
            raise Complaint("did not draw")

    def top_card(self, name, said):
        if said["from"] != "deck":
            raise Complaint("not from the deck")
        self.from_deck(name, said["card"], top=True)

    def consequence(self, name, space):
        if self.map.kind[space] == "green":
            self.answer(name, "discard", self.green, must=False)
        elif self.map.kind[space] in ("orange", "centre"):
            self.answer(name, "draw", self.orange, must=self.can_draw(name))

    def can_draw(self, name):
        if "deck" in self.place.values():
            return True
        loose = self.has(name, "number", loose=True)
        takeable = [*self.pile[-1:], *(card for other in self.names if other != name
                                       for card in self.has(other, "number", loose=True))]
        others = any(self.has(other, "cc") for other in self.names if other != name)
        return (others and not self.has(name, "cc")) or any(
            sum(map(value, some)) == -value(card) and value(card) for card in takeable for some in subsets(loose))

    def orange(self, name, said):
        source, card = said["from"], said["card"]
        if source == "deck":
            if said.get("with"):
                raise Complaint("a drawn card lies cc side up")
            self.from_deck(name, card)
            return
        if source == name:
            raise Complaint("from oneself")
        if source == "pile":
            if not self.pile or value(self.pile[-1]) != value(card):
                raise Complaint("not the top of the pile")
            card = self.pile[-1]
        else:
            card = self.name_zero(card, source, "cc")
            if card in self.has(source, "cc"):
                if self.has(name, "cc"):
                    raise Complaint("has cards cc side up")
                if said.get("with"):
                    raise Complaint("a drawn card lies cc side up")
                self.put(card, name, "cc")
                return
            if card not in self.has(source, "number", loose=True):
                raise Complaint("no such card to take")
        if value(card) == 0:
            raise Complaint("a zero makes zero with nothing")
        self.zero_with(name, [card], said.get("with"))
        self.put(card, name, "number")
        if said.get("with"):
            self.lock([card, *said["with"]])
        self.look_for_winner(name)

    def green(self, name, said):
        cards, other, told = said["card"], said["onto"], said.get("with", [])
        cards = cards if isinstance(cards, list) else [cards]
        first = self.name_zero(cards[0], name, "cc")
        hidden = first in self.has(name, "cc")
        if other == name:
            raise Complaint("to oneself")
        if other == "pile":
            if len(cards) > 1 or told or not (hidden or cards[0] in self.has(name, "number", loose=True)):
                raise Complaint("not one own card onto the pile")
            self.put(first, "pile", "number")
            return
        if hidden:
            if len(cards) > 1 or told or self.has(other, "cc"):
                raise Complaint("cannot be given cc side up")
            self.put(first, other, "cc")
            return
        if set(cards) - set(self.has(name, "number", loose=True)) or len(set(cards)) < len(cards):
            raise Complaint("has no such cards")
        if len({card.partition("-")[0] for card in cards}) > 1:
            raise Complaint("both suits")
        self.zero_with(other, cards, told)
        for card in cards:
            self.put(card, other, "number")
        if told:
            self.lock([*cards, *told])
        self.look_for_winner(other)

    def look_for_winner(self, name):
        if self.stacks_of(name) >= 3:
            self.won = name

    def winners(self):
        if self.won != "deck":
            return [self.won] if self.won else []
        merit = {name: (self.stacks_of(name), -abs(sum(map(value, self.has(name, "number", loose=True)))))
                 for name in self.names}
        return [name for name in self.names if merit[name] == max(merit.values())]


def subsets(cards):
    return chain.from_iterable(combinations(cards, size) for size in range(1, len(cards) + 1))


def most(cards):
    """The most zero stacks from these cards, by trying every stack that the first card can be in."""
    if not cards:
        return 0
    first, *others = sorted(cards)
    found = most(frozenset(others))
    for some in chain([()], subsets(others)):
        if value(first) + sum(map(value, some)) == 0:
            found = max(found, 1 + most(frozenset(others) - set(some)))
    return found


def played(sheet, **board):
    """The table after the log, and the complaints."""
    table = Table(sheet, **board)
    for number, turn in enumerate(sheet["turns"], 1):
        try:
            table.turn(turn)
        except Complaint as complaint:
            return table, [(number, str(complaint))]
    return table, []


def complaints(sheet, **board):
    return played(sheet, **board)[1]
