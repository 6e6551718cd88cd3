"""An independent, slow and simple implementation of the rules for turn logs. It shares no code with the judge.

It takes a sheet as plain data, with the full names of cards and a deal card by card or none. It returns its complaints
as (number of the turn, or 0 for the whole sheet, message) and stops at the first one.
"""

from collections import Counter

FLOORS = [str(number) for number in range(1, 10)]
DECK = Counter(
    {**{floor: 4 for floor in FLOORS}, "penthouse": 2, "new-building": 3, "stuck": 3, "lobby": 3, "door-closed": 3}
)
USUAL = {
    "penthouse_on_penthouse": True,
    "specials_singly": False,
    "draw_before_extra_turn": True,
    "finish_on_special": True,
}


class Complaint(Exception):  # noqa: N818
    pass


class Table:
    def __init__(self, sheet, options, deck=DECK):
        self.names = sheet["players"]
        self.options = {**USUAL, **options}
        self.copies = deck
        self.known = "deal" in sheet
        self.pile = []
        self.removed = []
        self.whose = self.names[0]
        self.out = None
        self.flip_failed = False
        self.draw_pile = [str(card) for card in sheet["deal"]["deck"]] if self.known else []
        self.hand, self.open, self.hidden = (
            {name: self.cards(sheet, part, name) for name in self.names} for part in ("hands", "up", "down")
        )
        # without a deal, only how many cards everybody has in hand, face up and face down, and what they took
        self.sizes = {name: [3, 2, 3] for name in self.names}
        self.undrawn = sum(deck.values()) - 8 * len(self.names)
        for name, swap in sheet.get("swaps", {}).items() if self.known else ():
            self.swap(name, [str(card) for card in swap["up"]], [str(card) for card in swap["hand"]])

    def cards(self, sheet, part, name):
        return [str(card) for card in sheet["deal"][part].get(name, [])] if self.known else []

    def swap(self, name, up, back):
        if len(up) != len(back) or Counter(up) - Counter(self.hand[name]) or Counter(back) - Counter(self.open[name]):
            raise Complaint("no such swap")
        for card in up:
            self.hand[name].remove(card)
        for card in back:
            self.open[name].remove(card)
        self.hand[name] += back
        self.open[name] += up

    # -- the pile

    def may_go(self, card):
        top = self.pile[-1] if self.pile else None
        if card == "door-closed":
            return top is None or top in FLOORS
        seen = [below for below in self.pile if below not in ("stuck", "door-closed")]
        under = seen[-1] if seen else "lobby"
        if card == "penthouse":
            return under != "penthouse" or self.options["penthouse_on_penthouse"]
        if card not in FLOORS or under == "lobby":
            return True
        return under in FLOORS and int(under) <= int(card)

    def ends_badly(self, name, cards):
        rest = len(self.hand[name]) + len(self.open[name]) + len(self.hidden[name]) - len(cards)
        rest = rest if self.known else sum(self.sizes[name]) - len(cards)
        return rest == 0 and cards[0] not in FLOORS and not self.options["finish_on_special"]

    def could_play(self, name):
        return [
            card
            for card in self.hand[name] or self.open[name]
            if self.may_go(card) and not self.ends_badly(name, [card])
        ]

    # -- turns

    def turn(self, turn):
        if self.out:
            raise Complaint("the game was over")
        name = turn["player"]
        if name != self.whose:
            raise Complaint(f"it is {self.whose}'s turn")
        if ("play" in turn) + ("flip" in turn or "pickup" in turn) != 1:
            raise Complaint("not exactly one action")
        if "flip" in turn and "pickup" in turn and self.may_go(str(turn["flip"])):
            raise Complaint("takes the pile although the card fits")
        if "flip" in turn:
            self.flip(name, str(turn["flip"]))
        elif "pickup" in turn:
            self.pick_up(name)
        else:
            self.play(name, [str(card) for card in turn["play"]])

    def count_out(self, name, cards, flipped=False):
        """Without a deal: takes the cards from the numbers that the player has."""
        sizes, taken = self.sizes[name], Counter(self.hand[name])
        place = 0 if sizes[0] else 1 if sizes[1] else 2
        if flipped != (place == 2):
            raise Complaint("not yet, or no longer, a face-down card")
        if place == 0 and sum((Counter(cards) - taken).values()) > sizes[0] - len(self.hand[name]):
            raise Complaint("cannot have those cards")
        if len(cards) > sizes[place]:
            raise Complaint("has fewer cards")
        sizes[place] -= len(cards)

    def draw_by_number(self, name, again):
        sizes = self.sizes[name]
        if not again or self.options["draw_before_extra_turn"] or not sizes[0]:
            number = max(0, min(3 - sizes[0], self.undrawn))
            sizes[0] += number
            self.undrawn -= number
        if not sum(sizes):
            self.out = name

    def pick_up(self, name):
        if not self.known:
            if not self.sizes[name][0] + self.sizes[name][1]:
                raise Complaint("must flip")
            if any(self.may_go(card) for card in self.hand[name]):
                raise Complaint("could play a card that was taken")
        if self.known and (self.could_play(name) or not (self.hand[name] or self.open[name])):
            raise Complaint("could play or must flip")
        if not self.known and not self.pile and (self.options["finish_on_special"] or sum(self.sizes[name]) > 1):
            raise Complaint("nothing to pick up")
        self.take(name, [])

    def take(self, name, more):
        self.hand[name] += self.pile + more
        self.sizes[name][0] += len(self.pile + more)
        self.pile = []
        self.whose = self.after(name, 1)

    def play(self, name, cards):
        if len(set(cards)) > 1:
            raise Complaint("not the same cards")
        if len(cards) > 1 and cards[0] not in FLOORS and self.options["specials_singly"]:
            raise Complaint("special cards one by one")
        if self.known and Counter(cards) - Counter(self.hand[name] or self.open[name]):
            raise Complaint("cannot play those cards")
        if not self.may_go(cards[0]) or self.ends_badly(name, cards):
            raise Complaint("does not beat the pile")
        if not self.known:
            self.count_out(name, cards)
        source = self.hand[name] or self.open[name]
        for card in cards:
            if card in source:
                source.remove(card)
        self.lay(name, cards)

    def flip(self, name, card):
        if self.known:
            if self.hand[name] or self.open[name] or card not in self.hidden[name]:
                raise Complaint("cannot flip that")
        else:
            self.count_out(name, [card], flipped=True)
        fails = not self.may_go(card)
        if self.known:
            self.hidden[name].remove(card)
        if fails:
            self.take(name, [card])
            self.check_copies()
        else:
            self.lay(name, [card])

    def lay(self, name, cards):
        self.pile += cards
        self.check_copies()
        again = cards[0] == "new-building" or (
            cards[0] in FLOORS and len(self.pile) >= 4 and set(self.pile[-4:]) == {cards[0]}
        )
        if again:
            self.removed += self.pile
            self.pile = []
        self.whose = name if again else self.after(name, 1 + cards.count("door-closed"))
        if self.known:
            if not again or self.options["draw_before_extra_turn"] or not self.hand[name]:
                while self.draw_pile and len(self.hand[name]) < 3:
                    self.hand[name].append(self.draw_pile.pop(0))
            if not (self.hand[name] or self.open[name] or self.hidden[name]):
                self.out = name
        else:
            self.draw_by_number(name, again)

    def after(self, name, steps):
        return self.names[(self.names.index(name) + steps) % len(self.names)]

    def check_copies(self):
        seen = Counter(self.pile + self.removed + [card for hand in self.hand.values() for card in hand])
        if not self.known and seen - self.copies:
            raise Complaint("too many copies of a card")


def played(sheet, **options):
    """The table after the log, and the complaints."""
    table = Table(sheet, options)
    for number, turn in enumerate(sheet["turns"], 1):
        try:
            table.turn(turn)
        except Complaint as complaint:
            return table, [(number, str(complaint))]
    return table, [(0, "is not out")] if sheet.get("out", table.out) != table.out else []


def complaints(sheet, **options):
    """The complaints about the log of a sheet."""
    return played(sheet, **options)[1]


def cards_left(table):
    """The number of cards each player has, by name."""
    return {name: len(table.hand[name]) + len(table.open[name]) + len(table.hidden[name]) for name in table.names}
