"""An independent, slow and simple referee for sheets with a log. It shares no code with the judge.

It takes the sheet as plain data and the printed cards as {number: (low, high, symbols)}, and gives its complaints as
(number of the entry, or 0 for the sheet itself, what is wrong). It stops at the first complaint about the log.
"""

from itertools import product


class Complaint(Exception):  # noqa: N818
    pass


class Card:
    def __init__(self, low, high, symbols):
        self.low, self.high, self.symbols = low, high, symbols
        self.crates = [None] * (len(symbols) + 1)
        self.star = None
        self.ticks = set()
        self.flipped = False
        self.holder = None  # a name, or "shared"

    def complete(self):
        return self.star is not None and None not in self.crates


def follows(symbol, left, right):
    return {"lower": left > right, "higher": left < right, "equal": left == right, "unequal": left != right}[symbol]


def possible(symbols, crates):
    """Whether some whole numbers in the blanks follow every symbol, by trying numbers well beyond those of the die."""
    reachable = set(range(-12, 20)) if crates[0] is None else {crates[0]}
    for symbol, crate in zip(symbols, crates[1:], strict=True):
        here = range(-12, 20) if crate is None else [crate]
        reachable = {right for left, right in product(reachable, here) if follows(symbol, left, right)}
    return bool(reachable)


def fits(card, place, roll):
    if place == "star":
        return card.star is None and card.low <= roll <= card.high
    if not 1 <= place <= len(card.crates) or card.crates[place - 1] is not None:
        return False
    after = list(card.crates)
    after[place - 1] = roll
    return possible(card.symbols, after)


class Table:
    def __init__(self, sheet, printed):
        self.names = [player["name"] for player in sheet["players"]]
        self.cards = {}
        for name, hand in sheet["deal"].items():
            for number in hand:
                self.cards[str(number)] = Card(*printed[str(number)])
                self.cards[str(number)].holder = name
        self.stall = sheet.get("variant") == "stall"
        self.had_turn = []
        self.to_pass = {}
        self.passed = {}
        self.marked = {}
        self.progress = False
        self.stalled = False

    def hand(self, name):
        return [number for number, card in self.cards.items() if card.holder == name]

    def over(self):
        anything_shared = any(card.holder == "shared" for card in self.cards.values())
        anything_open = any(not card.flipped and not card.complete() for card in self.cards.values())
        return self.stalled or not (anything_shared or anything_open)

    def could_mark(self, name, roll):
        for number in self.hand(name):
            card = self.cards[number]
            places = ["star", *range(1, len(card.crates) + 1)]
            if not card.flipped and any(fits(card, place, roll) for place in places):
                return True
        return any(
            card.holder == "shared" and value == roll and place not in card.ticks
            for card in self.cards.values()
            for place, value in enumerate(card.crates, 1)
        )

    # -- one entry after another

    def entry(self, entry, first):
        if self.over():
            raise Complaint("the game was over")
        if "pass" in entry:
            self.passing(entry["player"], str(entry["pass"]))
        else:
            self.turn(entry, first)

    def turn(self, entry, first):
        if len(self.had_turn) == len(self.names):
            raise Complaint("not everybody has passed")
        order = self.names[first:] + self.names[:first]
        if entry["player"] != order[len(self.had_turn)]:
            raise Complaint("not this player's turn")
        self.act(entry, entry["player"], entry["roll"])
        self.had_turn.append(entry["player"])
        if len(self.had_turn) == len(self.names):
            self.stalled = self.stall and not self.progress
            self.to_pass = {name for name in self.names if self.hand(name)}
            self.next_round_if_all_passed()

    def act(self, entry, name, roll):
        if "mark" in entry and "flip" in entry:
            raise Complaint("two things with one roll")
        if "mark" in entry:
            self.progress = True
            self.mark(name, roll, entry["mark"])
        elif "flip" in entry:
            self.progress = True
            self.flip(name, roll, str(entry["flip"]))
        elif self.could_mark(name, roll):
            raise Complaint("could have marked")
        elif any(not self.cards[n].flipped and not self.cards[n].complete() for n in self.hand(name)):
            raise Complaint("should have flipped a card")

    def mark(self, name, roll, mark):
        card = self.cards.get(str(mark["card"]))
        if card is None:
            raise Complaint("no such card on the table")
        if "tick" in mark:
            self.tick(name, roll, card, mark["tick"])
            return
        place = "star" if mark.get("star") else mark["crate"]
        if card.holder != name or card.flipped or not fits(card, place, roll):
            raise Complaint("the mark does not fit")
        if place == "star":
            card.star = roll
        else:
            card.crates[place - 1] = roll
        self.marked[name] = str(mark["card"])
        if card.complete():
            card.holder = "shared"

    def tick(self, name, roll, card, place):
        if card.holder != "shared" or place in card.ticks:
            raise Complaint("nothing to tick there")
        if not 1 <= place <= len(card.crates) or card.crates[place - 1] != roll:
            raise Complaint("that crate holds another number")
        card.ticks.add(place)
        if len(card.ticks) == len(card.crates):
            card.holder = name

    def flip(self, name, roll, number):
        if self.could_mark(name, roll):
            raise Complaint("could have marked")
        if number not in self.hand(name) or self.cards[number].flipped:
            raise Complaint("not a card to flip")
        if not any(not self.cards[n].flipped and not self.cards[n].complete() for n in self.hand(name)):
            raise Complaint("no unfinished card, so nothing is flipped")
        self.cards[number].flipped = True

    def passing(self, name, number):
        if len(self.had_turn) < len(self.names):
            raise Complaint("passing comes after all turns")
        if name in self.passed or number not in self.hand(name):
            raise Complaint("cannot pass that")
        marked = self.marked.get(name)
        if marked in self.hand(name) and number != marked:
            raise Complaint("must pass the marked card")
        if self.cards[number].flipped and any(not self.cards[n].flipped for n in self.hand(name)):
            raise Complaint("may not pass a flipped card")
        self.passed[name] = number
        self.next_round_if_all_passed()

    def next_round_if_all_passed(self):
        if set(self.passed) != set(self.to_pass) or self.over():
            return
        self.hand_over()
        self.had_turn, self.marked, self.progress = [], {}, False

    def hand_over(self):
        for name, number in self.passed.items():
            self.cards[number].holder = self.names[(self.names.index(name) + 1) % len(self.names)]
        self.passed = {}


def complaints(sheet, printed):
    """Violations in the log, and differences between the log and the sheet."""
    table = Table(sheet, printed)
    log = sheet["log"]
    first = table.names.index(log[0]["player"]) if log else 0
    for number, entry in enumerate(log, 1):
        try:
            table.entry(entry, first)
        except Complaint as complaint:
            return [(number, str(complaint))]
    if table.stall and not table.over():
        return [(len(log), "no idle round at the end")]
    table.hand_over()
    return [(0, wrong) for wrong in compared(table, sheet)]


def compared(table, sheet):
    on_sheet = [(card, player["name"]) for player in sheet["players"] for card in player.get("cards", [])]
    on_sheet += [(card, "shared") for card in sheet.get("shared", [])]
    if sorted(str(card["card"]) for card, _ in on_sheet) != sorted(table.cards):
        yield "not the cards that were dealt"
        return
    for typed, holder in on_sheet:
        card = table.cards[str(typed["card"])]
        typed_state = (holder, typed["crates"], typed.get("star"), bool(typed.get("flipped")))
        if typed_state != (card.holder, card.crates, card.star, card.flipped):
            yield f"card {typed['card']} differs"
        if holder == "shared" and set(typed.get("ticked", [])) != card.ticks:
            yield f"card {typed['card']} has different ticks"


def totals(sheet, printed):
    """The points of each player's cards in the standard game."""
    by_player = {}
    for player in sheet["players"]:
        points = []
        for card in player.get("cards", []):
            low = printed[str(card["card"])][0]
            full = None not in card["crates"] and card.get("star") is not None
            if card.get("flipped"):
                points.append(-(card.get("star") or low))
            else:
                points.append(card["star"] if full else 0)
        by_player[player["name"]] = points
    return by_player


def winners(points):
    """The winners of a finished game, from the points of each player's cards."""
    if max(map(sum, points.values())) < 0:
        return []
    longest = max(map(len, points.values()))
    left = list(points)

    def keep(measure):
        nonlocal left
        best = max(measure(points[name]) for name in left)
        left = [name for name in left if measure(points[name]) == best]

    keep(sum)
    for nth in range(longest):
        keep(lambda cards: sorted([*cards, *[0] * (longest - len(cards))])[::-1][nth])  # noqa: B023
    return left
