"""Every rule that a turn log can break, and how it is scored, in the order in which `pencilbox rules` lists them.

The code that finds the breaches is in `replay`; who may play is checked by `games.turns`.
"""

from __future__ import annotations

from ...rules.book import RuleBook

rules = RuleBook()

# ---- the deal, and what a player may play from ---------------------------------------------------------------------

TWO_TO_FIVE = rules.add("two-to-five", "Two to five players play.", source="rulebook")
NAMES = rules.add("names", "Every player has a name that nobody else on the sheet has.", source="the turn log")
DEAL = rules.add(
    "deal",
    "Everybody is dealt three cards face down, two face up and three in hand, from a deck that has each card only as "
    "often as it has; what is left is the deck to draw from.",
    source="rulebook; E15",
)
DEAL_WHOLE = rules.add(
    "deal-whole",
    "A deal that is told card by card tells of all fifty. Where it does not, it is taken for all there is.",
    source="the turn log",
    severity="warning",
)
SWAPS = rules.add(
    "swaps",
    "Before the first turn everybody may swap face-up cards with cards from the own hand: both, one or none, each for "
    "one card.",
    source="rulebook",
)
IN_HAND = rules.add(
    "in-hand",
    "Where the deal is known: a player plays cards that are there to play. After every play the hand is filled up to "
    "three while the deck lasts, before an extra turn too; after picking up the pile nothing is drawn.",
    source="rulebook; E8, E9",
)
PHASES = rules.add(
    "phases",
    "Cards are played from the hand as long as there are any; then from those face up; and only when those are gone, "
    "one of those face down is flipped, unseen.",
    source="rulebook",
)
FLIP = rules.add(
    "flip",
    "A flipped card is one of the player's own face-down cards. It counts as any card that is played: if it may be "
    "played, it stays on the pile with all it does.",
    source="rulebook; E14",
)
PICKUP = rules.add(
    "pickup",
    "The pile is picked up only when nothing can be played: never where there is no pile, nor instead of flipping a "
    "hidden card.",
    source="rulebook; E13",
)

# ---- what is played ------------------------------------------------------------------------------------------------

ONE_THING = rules.add(
    "one-thing",
    "In a turn cards are played, or a hidden card is flipped, or the pile is picked up; one of them, and with that "
    "the turn is over.",
    source="rulebook; E9",
)
SAME_CARDS = rules.add(
    "same-cards",
    "Several cards may be played at once when they are the same, special cards too; where the game says "
    "`specials_singly`, of these only one at a time.",
    source="rulebook; E6",
)
BEATS = rules.add(
    "beats",
    "A floor goes on the same floor or a lower one, on a Lobby, and on an empty pile; on a Penthouse only special "
    "cards go, another Penthouse too unless the game says `penthouse_on_penthouse: false`. Stuck and Door Closed are "
    "looked through: the nearest card below that is neither has to be beaten, and where there is none, anything goes.",
    source="rulebook; E1, E2, E4, E5",
)
DOOR_CLOSED = rules.add(
    "door-closed",
    "Door Closed goes on a floor or an empty pile, never on a special card: the card that really lies on top counts, "
    "even a Stuck or a Lobby. The other special cards go on anything.",
    source="rulebook; E3",
)
COPIES = rules.add(
    "copies",
    "Where the deal is not known, hands are taken on trust, but not the deck: of no card more copies turn up than it "
    "has, those in the pile, removed with it or picked up counted.",
    source="E15",
)

# ---- whose turn it is ----------------------------------------------------------------------------------------------

TURN_NAMED = rules.add("turn-named", "Every turn says who takes it.", source="the turn log")
TURN_ORDER = rules.add(
    "turn-order",
    "The first player on the sheet begins, and turns go round in the order of the sheet; who has picked up the pile "
    "has had a turn.",
    source="rulebook; E9",
)
SKIPS = rules.add(
    "skips",
    "After a Door Closed the next player has no turn, after two of them played together the next two have none. With "
    "two players the one who played it plays again.",
    source="rulebook; E6, E11",
)
NEW_BUILDING = rules.add(
    "new-building",
    "A New Building takes the pile out of the game, itself included, and who played it goes again on an empty pile; "
    "several played together do that once.",
    source="rulebook; E6, E8",
)
FOUR_OF_A_KIND = rules.add(
    "four-of-a-kind",
    "When the top four cards of the pile are of one floor, whoever played them and with nothing between them, the "
    "pile leaves the game, and who played the last of them goes again.",
    source="rulebook; E7, E8",
)
FAILED_FLIP = rules.add(
    "failed-flip",
    "A flipped card that may not be played goes to the player's hand at once, with the pile; that ends the turn, and "
    "no pick-up follows.",
    source="rulebook; E10",
)

# ---- the end -------------------------------------------------------------------------------------------------------

OUT = rules.add(
    "out",
    "The player who is said to be out has got rid of all cards by the last turn of the log; whatever the last card "
    "was, unless the game says `finish_on_special: false`.",
    source="rulebook; E12",
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The game ends at once when a player has no card left; no turn follows.",
    source="rulebook; E12, E15",
)

# ---- scoring -------------------------------------------------------------------------------------------------------

rules.scoring(
    "cards-left",
    "Where the log tells how the cards were dealt, everybody's cards that are left are counted: in hand, face up and "
    "face down. Fewer are better.",
    source="rulebook",
)
rules.scoring(
    "out-first",
    "Whoever gets rid of all cards first wins, whatever the last card was. Without the deal it is the player whom the "
    "log names as out.",
    source="rulebook; E12",
)
