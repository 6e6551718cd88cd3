"""Changes to a legal game, each of which breaks a rule. Each changes the sheet and returns rules of which at least one
must be reported, or None if the change is impossible in this game. `printed` maps the number of a card to
(low, high, symbols)."""

from tests.games.from_the_ground_up.referee import totals


def wrong_sum(rng, sheet, printed):
    """A player claims a wrong total."""
    player = rng.choice(sheet["players"])
    right = sum(totals(sheet, printed)[player["name"]])
    player["claimed"] = {"total": right + rng.choice([-2, -1, 1, 2])}
    return {"claimed-total"} if player["cards"] else None


def same_name(rng, sheet, printed):
    """Two players have the same name."""
    first, other = rng.sample(sheet["players"], 2)
    first["name"] = other["name"]
    del sheet["deal"], sheet["log"]  # they go by the names
    return {"names"}


def card_twice(rng, sheet, printed):
    """Two players have the same card."""
    candidates = [player for player in sheet["players"] if player["cards"]]
    if len(candidates) < 2:
        return None
    first, other = rng.sample(candidates, 2)
    first["cards"][rng.randrange(len(first["cards"]))] = dict(rng.choice(other["cards"]))
    return {"cards-once"}


def star_out_of_range(rng, sheet, printed):
    """A star holds a number outside its range."""
    candidates = [
        card for player in sheet["players"] for card in player["cards"] if card.get("star") and not card.get("flipped")
    ]
    wrong = [
        (card, star)
        for card in candidates
        for star in range(1, 7)
        if not printed[card["card"]][0] <= star <= printed[card["card"]][1]
    ]
    if not wrong:
        return None
    card, card["star"] = rng.choice(wrong)
    return {"star-range"}


def crate_too_many(rng, sheet, printed):
    """A card has one crate too many."""
    cards = [card for player in sheet["players"] for card in player["cards"] if len(card["crates"]) < 6]
    if not cards:
        return None
    card = rng.choice(cards)
    card["crates"] = [*card["crates"], rng.randint(1, 6)]
    return {"crates-exist"}


def turns(sheet):
    return [number for number, entry in enumerate(sheet["log"]) if "roll" in entry]


def out_of_turn(rng, sheet, printed):
    """A player marks a card in another player's turn."""
    candidates = [number for number in turns(sheet) if number]
    if not candidates:
        return None
    entry = sheet["log"][rng.choice(candidates)]
    entry["player"] = rng.choice([player["name"] for player in sheet["players"] if player["name"] != entry["player"]])
    return {
        "turn-order",
        "mark-fits",
        "must-mark",
        "pass",
        "one-mark",
        "last-tick",
        "flip",
        "shared-finished",
        "cards-dealt",
        "after-the-end",
        "log-agrees",
    }


def marked_again(rng, sheet, printed):
    """A mark is repeated in a place that is already filled in."""
    candidates = [
        number
        for number in turns(sheet)
        if "mark" in sheet["log"][number] and "tick" not in sheet["log"][number]["mark"]
    ]
    if not candidates:
        return None
    number = rng.choice(candidates)
    sheet["log"].insert(number + len(sheet["players"]), dict(sheet["log"][number]))
    return {
        "mark-fits",
        "turn-order",
        "after-the-end",
        "pass",
        "must-mark",
        "last-tick",
        "shared-finished",
        "log-agrees",
    }


def a_turn_too_few(rng, sheet, printed):
    """The sheet has a mark that is not in the log."""
    candidates = [number for number in turns(sheet) if "mark" in sheet["log"][number]]
    if not candidates or len(sheet["log"]) < 2:
        return None
    del sheet["log"][rng.choice(candidates)]
    return {
        "turn-order",
        "log-agrees",
        "pass",
        "last-tick",
        "mark-fits",
        "must-mark",
        "shared-finished",
        "after-the-end",
    }


def another_crate(rng, sheet, printed):
    """A crate on the sheet and the log disagree."""
    candidates = [
        (card, place)
        for player in sheet["players"]
        for card in player["cards"]
        for place, number in enumerate(card["crates"])
        if number
    ]
    if not candidates:
        return None
    card, place = rng.choice(candidates)
    card["crates"][place] = card["crates"][place] % 6 + 1
    return {"log-agrees"}


def card_not_dealt(rng, sheet, printed):
    """A player is dealt an extra card that belongs to another player."""
    first, other = rng.sample(sorted(sheet["deal"]), 2)
    sheet["deal"][first] = [*sheet["deal"][first], rng.choice(sheet["deal"][other])]
    return {"deal", "cards-dealt", "cards-once", "log-agrees"}


CHANGES = [
    wrong_sum,
    same_name,
    card_twice,
    star_out_of_range,
    crate_too_many,
    out_of_turn,
    marked_again,
    a_turn_too_few,
    another_crate,
    card_not_dealt,
]
