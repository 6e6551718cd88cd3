"""A second implementation of the rulebook for travel logs, slow and simple. It shares no code with the judge.

It reads a sheet as plain data with everything written key by key and cards by their ids, and stops at the first
complaint: the number of the turn, and what is wrong.
"""

from copy import copy
from itertools import chain, combinations

from tests.games.cosmic_consequences.referee_map import BOARD, Map

CARDS = [f"{suit}-{number}" for suit in ("dragon", "tiger") for number in range(1, 13)] + ["zero-1", "zero-2"]


class Complaint(Exception):  # noqa: N818
    pass


def value(card):
    suit, _, number = card.partition("-")
    return {"dragon": 1, "tiger": -1, "zero": 0}[suit] * int(number or 0)


class Table:
    def __init__(self, sheet, board=BOARD, cards=tuple(CARDS), enough=3):
        self.enough = enough
        self.map = Map(board)
        self.names = sheet["players"]
        self.cards = list(cards)
        self.playing_with_cards = sheet.get("cards", True)
        self.spaces = dict.fromkeys(self.names, "big-bang")
        self.order = list(sheet["deal"]["deck"]) if "deal" in sheet else None
        self.place = dict.fromkeys(self.cards, "deck")  # deck, pile, or a name
        self.side = dict.fromkeys(self.cards, "cc")
        self.stack_of = {}  # card → the stack it is locked in
        self.pile = []
        self.whose = 0
        self.won = None
        self.asked = False  # whether anything was asked for in this turn
        self.last = False  # whether this is the last turn on the sheet
        self.able_before = []  # who could have won when this turn began

    def twin(self):
        """A copy of the table for trying something."""
        table = copy(self)
        table.spaces, table.place, table.side, table.stack_of = map(
            dict, (self.spaces, self.place, self.side, self.stack_of)
        )
        table.pile, table.order = list(self.pile), self.order and list(self.order)
        return table

    # -- cards

    def name_zero(self, card, place, side=None):
        """Either zero card will do."""
        if not card.startswith("zero"):
            return card
        for zero in ("zero-1", "zero-2"):
            if self.place.get(zero) == place and (side is None or self.side[zero] == side):
                return zero
        return card

    def has(self, name, side, loose=False):
        return [
            card
            for card in self.cards
            if self.place[card] == name
            and self.side[card] == side
            and not (loose and (card in self.stack_of or value(card) == 0))
        ]

    def stacks_of(self, name):
        """The most stacks that a player could have."""
        locked = {self.stack_of[card] for card in self.cards if self.place[card] == name and card in self.stack_of}
        zeros = [card for card in self.has(name, "number") if value(card) == 0 and card not in self.stack_of]
        return len(locked) + len(zeros) + most(frozenset(self.has(name, "number", loose=True)))

    def able(self):
        """Who has enough stacks if all loose cards are stacked as well as possible."""
        return [name for name in self.names if self.stacks_of(name) >= self.enough]

    def put(self, card, place, side):
        if self.place[card] == "deck" and self.order:
            match = card if card in self.order else next(other for other in self.order if value(other) == value(card))
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
            self.stack_of[card] = tuple(cards)

    def from_deck(self, name, card, top=False):
        card = self.name_zero(card, "deck")
        if self.place[card] != "deck":
            raise Complaint("not in the deck")
        if top and self.order and value(self.order[0]) != value(card):
            raise Complaint("not the top card")
        self.put(card, name, "cc")

    def zero_with(self, name, cards, stacked):
        there = self.has(name, "number", loose=True)
        if stacked:
            if set(stacked) - set(there) or sum(map(value, [*cards, *stacked])):
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
        self.asked, self.able_before = False, self.able()
        forced = turn.get("forced", [])
        self.todo = list(forced) if isinstance(forced, list) else [forced]
        self.act_if_any(name, turn)
        if self.won:
            if "roll" in turn or self.todo:
                raise Complaint("goes on after the end")
            return
        if "roll" not in turn or "to" not in turn:
            self.no_move(turn)
            return
        self.move(name, turn["roll"], turn["to"])
        if self.todo:
            raise Complaint("nobody asked for that")
        self.whose = (self.whose + 1) % len(self.names)
        if self.playing_with_cards and not self.won and "deck" not in self.place.values():
            self.won = "deck"

    def no_move(self, turn):
        """Allowed only if the game must have ended before the move."""
        if "roll" in turn or "to" in turn or not self.last or not self.able():
            raise Complaint("no move")
        self.able_before = []

    def act_if_any(self, name, turn):
        actions = [key for key in ("draw", "jump", "discard") if key in turn]
        if not self.playing_with_cards and (actions or self.todo):
            raise Complaint("no cards in a race")
        if len(actions) > 1:
            raise Complaint("more than one action")
        for key in actions:
            self.act(name, key, turn[key])

    def act(self, name, key, entry):
        kind = self.map.kind[self.spaces[name]]
        if kind in ("green", "orange", "centre"):
            raise Complaint("no action there")
        if key != "discard" and kind != "cc":
            raise Complaint("only on a cc-space")
        if key == "draw":
            if entry.get("with"):
                raise Complaint("a drawn card lies cc side up")
            if entry["from"] == "deck":
                self.from_deck(name, entry["card"])
            elif entry["from"] == "pile" and self.pile and value(self.pile[-1]) == value(entry["card"]):
                self.put(self.pile[-1], name, "cc")
            else:
                raise Complaint("cannot be drawn")
        elif key == "jump":
            self.jump(name, entry if isinstance(entry, dict) else {"card": entry})
        else:
            self.discard_onto(name, entry)

    def jump(self, name, entry):
        card = self.name_zero(entry["card"], name, "cc")
        if card not in self.has(name, "cc"):
            raise Complaint("has no such card")
        if entry.get("with"):
            self.zero_with(name, [card], entry["with"])
            self.lock([card, *entry["with"]])
        self.put(card, name, "number")
        self.look_for_winner(name)
        if not self.won:
            self.jump_to_space(name, card)

    def discard_onto(self, name, entry):
        card, other = entry["card"], entry["onto"]
        if isinstance(card, list) or other == "pile" or other == name or len(entry.get("with", [])) != 1:
            raise Complaint("not one card onto one card of another player")
        target = entry["with"][0]
        if card not in self.has(name, "cc") or target not in self.has(other, "number", loose=True):
            raise Complaint("those cards are not there")
        if value(card) + value(target) != 0:
            raise Complaint("does not make zero")
        self.put(card, other, "number")
        self.lock([card, target])
        self.look_for_winner(other)
        if not self.won:
            self.jump_to_space(other, card)

    def jump_to_space(self, name, card):
        """A jump."""
        here = self.spaces[name]
        spaces = self.map.card_at.get(card, ["big-bang"])
        if here in self.map.rings.get("left", []):
            spaces = [space for space in spaces if space.startswith("em-")] or ["em-1"]
        space = spaces[0]
        if space != here:
            self.arrive(name, here, space, left_home=here == "big-bang")

    def move(self, name, roll, to):
        here = self.spaces[name]
        ends = self.map.ends(here, roll)
        if to == "big-bang" and to not in ends:  # a pawn that is sent back
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
        bumped = [other for other in self.names if other != name and self.spaces[other] == there != "big-bang"]
        self.spaces[name] = there
        for other in bumped:
            if here != there:
                self.spaces[other] = here
        if not self.playing_with_cards:
            return
        if left_home:
            self.answer(name, "draw", self.top_card)
        if landing:
            self.consequence(name, there)
        for other in bumped:
            if here != there:
                self.consequence(other, here)

    # -- consequences

    def answer(self, name, verb, deal_with, must=True):
        if self.won:
            return
        self.asked = True
        for entry in self.todo:
            if verb in entry and entry.get("player", self.names[self.whose]) == name:
                if deal_with == self.green and not self.allowed(entry[verb], name):
                    continue
                self.todo.remove(entry)
                deal_with(name, entry[verb])
                return
        if must and self.last and self.able():
            self.able_before = []
            return
        if must and (deal_with != self.top_card or "deck" in self.place.values()):
            raise Complaint("did not draw")

    def allowed(self, entry, name):
        """Whether a discard on green is allowed now."""
        try:
            self.twin().green(name, entry)
        except Complaint:
            return False
        return True

    def top_card(self, name, entry):
        if entry["from"] != "deck" or entry.get("with"):
            raise Complaint("not just a card from the deck")
        self.from_deck(name, entry["card"], top=True)

    def consequence(self, name, space):
        if self.map.kind[space] == "green":
            self.answer(name, "discard", self.green, must=False)
        elif self.map.kind[space] in ("orange", "centre"):
            self.answer(name, "draw", self.orange, must=self.can_draw(name))

    def can_draw(self, name):
        if "deck" in self.place.values():
            return True
        loose = self.surely_loose(name)
        others = [other for other in self.names if other != name]
        takeable = [*self.pile[-1:], *(card for other in others for card in self.surely_loose(other))]
        return (any(self.has(other, "cc") for other in others) and not self.has(name, "cc")) or any(
            sum(map(value, some)) == -value(card) and value(card) for card in takeable for some in subsets(loose)
        )

    def surely_loose(self, name):
        """Number-side cards that cannot be in a stack, even one that the sheet does not mention."""
        cards = self.has(name, "number", loose=True)
        zeros = [card for some in subsets(cards) if sum(map(value, some)) == 0 for card in some]
        return [card for card in cards if card not in zeros]

    def orange(self, name, entry):
        source, card = entry["from"], entry["card"]
        if source == name:
            raise Complaint("from the player's own cards")
        hidden = source not in ("deck", "pile") and self.name_zero(card, source, "cc") in self.has(source, "cc")
        if (source == "deck" or hidden) and entry.get("with"):
            raise Complaint("a drawn card lies cc side up")
        if source == "deck":
            self.from_deck(name, card)
        elif hidden:
            if self.has(name, "cc"):
                raise Complaint("has cards cc side up")
            self.put(self.name_zero(card, source, "cc"), name, "cc")
        else:
            self.take_number(name, source, card, entry.get("with"))

    def take_number(self, name, source, card, stacked):
        """A number-side card from the pile or a player."""
        there = self.pile[-1:] if source == "pile" else self.has(source, "number", loose=True)
        if card not in there or value(card) == 0:
            raise Complaint("no such card to take")
        self.zero_with(name, [card], stacked)
        self.put(card, name, "number")
        if stacked:
            self.lock([card, *stacked])
        self.look_for_winner(name)

    def green(self, name, entry):
        cards, other, stacked = entry["card"], entry["onto"], entry.get("with", [])
        cards = cards if isinstance(cards, list) else [cards]
        first = self.name_zero(cards[0], name, "cc")
        hidden = first in self.has(name, "cc")
        if other == name:
            raise Complaint("to the player's own cards")
        if (hidden or other == "pile") and (len(cards) > 1 or stacked):
            raise Complaint("just one card")
        if not hidden and set(cards) - set(self.has(name, "number", loose=True)):
            raise Complaint("has no such cards")
        if other == "pile":
            self.put(first, "pile", "number")
        elif not hidden:
            self.give_numbers(name, other, cards, stacked)
        elif self.has(other, "cc"):
            raise Complaint("cannot be given cc side up")
        else:
            self.put(first, other, "cc")

    def give_numbers(self, name, other, cards, stacked):
        if len({card.partition("-")[0] for card in cards}) > 1:
            raise Complaint("both suits")
        if len(set(cards)) < len(cards):
            raise Complaint("a card twice")
        self.zero_with(other, cards, stacked)
        for card in cards:
            self.put(card, other, "number")
        if stacked:
            self.lock([*cards, *stacked])
        self.look_for_winner(other)

    def look_for_winner(self, name):
        zeros = [card for card in self.has(name, "number") if value(card) == 0]
        locked = {self.stack_of[card] for card in self.cards if self.place[card] == name and card in self.stack_of}
        if len(locked) + len(zeros) >= self.enough:
            self.won = name

    def winners(self):
        if not self.won:
            new = [name for name in self.able() if name not in self.able_before]
            return new if len(new) == 1 else []
        if self.won != "deck":
            return [self.won]
        standing = {
            name: (self.stacks_of(name), -abs(sum(map(value, self.has(name, "number", loose=True)))))
            for name in self.names
        }
        return [name for name in self.names if standing[name] == max(standing.values())]


def subsets(cards):
    return chain.from_iterable(combinations(cards, size) for size in range(1, len(cards) + 1))


def most(cards):
    """The most zero stacks from these cards, found by trying every stack of the first card."""
    if not cards:
        return 0
    first, *others = sorted(cards)
    best = most(frozenset(others))
    for some in chain([()], subsets(others)):
        if value(first) + sum(map(value, some)) == 0:
            best = max(best, 1 + most(frozenset(others) - set(some)))
    return best


def played(sheet, **board):
    """The table after the log, and the complaints."""
    table = Table(sheet, **board)
    for number, turn in enumerate(sheet["turns"], 1):
        table.last = number == len(sheet["turns"])
        try:
            table.turn(turn)
        except Complaint as complaint:
            return table, [(number, str(complaint))]
    return table, []


def complaints(sheet, **board):
    return played(sheet, **board)[1]
