"""The rules of the table sheet, in the order in which they are listed: the table, the log, the count."""

from __future__ import annotations

from ...rules.book import RuleBook

rules = RuleBook()

# ---- which cards are on the table ------------------------------------------------------------------------------------

TWO_TO_SIX = rules.add("two-to-six", "Two to six players play.", source="rulebook")
NAMED = rules.add("named", "Every card is listed with its number.", source="the table sheet")
CARDS_ONCE = rules.add("cards-once", "Every card lies in one place only.", source="F15")
CARDS_DEALT = rules.add(
    "cards-dealt",
    "Two to four players are dealt three cards each, five or six players two each; all of them, and no other, are in "
    "front of players or shared in the end.",
    source="rulebook; F15",
)

# ---- what is written on them -----------------------------------------------------------------------------------------

CRATES_EXIST = rules.add("crates-exist", "A card has no marks and no ticks beyond its last crate.", source="the cards")
STAR_RANGE = rules.add("star-range", "The number in a star is one of the range beside it.", source="rulebook B")
LOWER_HIGHER = rules.add(
    "lower-higher",
    "Right of ▼ stands a lower number than left of it, right of ▲ a higher one, never the same. Where the game says "
    "`compare: first`, the number in the first crate is the one that counts.",
    source="rulebook; F1, F2",
)
EQUAL_UNEQUAL = rules.add(
    "equal-unequal",
    "Left and right of = stands the same number, left and right of ≠ two different ones. Only neighbours are "
    "compared, so the first and the third of three may be the same; with `compare: first` every crate with the first "
    "one.",
    source="rulebook; F1, F3",
)
ROOM_BETWEEN = rules.add(
    "room-between",
    "Filled crates leave room for the blank ones between them: after 3 ▼ blank ▼ nothing above 1 can follow.",
    source="rulebook; F4",
)
FINISHABLE = rules.add(
    "finishable",
    "A card can still be finished with the numbers of the die. It may be spoilt, but that is rarely meant.",
    source="F4",
    severity="warning",
)
STAR_MISSING = rules.add(
    "star-missing",
    "A card is finished when its star is marked too; until then it counts nothing and the game goes on.",
    source="F5",
    severity="warning",
)

# ---- the shared area, and the end ------------------------------------------------------------------------------------

SHARED_FINISHED = rules.add(
    "shared-finished", "A card is shared only when all its crates and its star are filled in.", source="rulebook C; F5"
)
LAST_TICK = rules.add(
    "last-tick",
    "Who ticks the last crate of a shared card takes the card, so no shared card has all its crates ticked.",
    source="rulebook C",
)
GIVEN_UP = rules.add(
    "given-up",
    "Where the game ended by the stall variant, each player who holds a finished or flipped card gives up one of "
    "them. In any other game no card is given up.",
    source="rulebook; F12",
)
CLAIMED_TOTAL = rules.add(
    "claimed-total", "The total a player wrote down is what the cards come to.", source="the table sheet"
)

# ---- the log ---------------------------------------------------------------------------------------------------------

LOG_NAMED = rules.add(
    "log-named",
    "A turn names the card that is marked; a star or a tick may do without, where only one card can be meant.",
    source="the log",
)
DEAL = rules.add(
    "deal", "Every player is dealt as many cards as all the others, and no card is dealt twice.", source="rulebook; F15"
)
TURN_ORDER = rules.add(
    "turn-order",
    "The players take their turns clockwise, in the order of the sheet; when all have had one, they all pass a card, "
    "and the next round begins with the same player.",
    source="rulebook",
)
ONE_MARK = rules.add(
    "one-mark", "A turn is one roll of a die, shared or one's own, and one thing done with it.", source="rulebook; F14"
)
MARK_FITS = rules.add(
    "mark-fits",
    "A roll goes into a blank crate of an unflipped card in front of the player, where no other crate is against it; "
    "or into a blank star whose range has it; or ticks a crate of a shared card that holds exactly that number.",
    source="rulebook A, B, C; F4",
)
MUST_MARK = rules.add("must-mark", "Whoever can mark something must, and does not flip a card.", source="rulebook; F16")
FLIP = rules.add(
    "flip",
    "A player flips one of the unflipped cards in front, and only while holding an unflipped card still to be built.",
    source="rulebook; F7",
)
MUST_FLIP = rules.add(
    "must-flip",
    "Whoever holds an unflipped card still to be built and can mark nothing must flip a card.",
    source="rulebook; F7",
)
PASS = rules.add(
    "pass",
    "When all have had a turn, everybody who holds cards passes one: the card marked this round, if it is still "
    "there; else any unflipped card; a flipped one only where there is no other.",
    source="rulebook; F13",
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The game ends at once when the last shared card is taken and no card is left to build; nothing is played after "
    "that.",
    source="rulebook; F9",
)
STALLED = rules.add(
    "stalled",
    "The log of a game that ended by the stall variant ends with a full round in which nobody marked or flipped "
    "anything.",
    source="rulebook; F9, F12",
)
LOG_AGREES = rules.add(
    "log-agrees", "Played through from the deal, the log ends in exactly the cards on the sheet.", source="the log"
)

# ---- the count -------------------------------------------------------------------------------------------------------

rules.scoring(
    "finished-cards",
    "A finished card counts the number in its star for the player it lies in front of when the game ends. A card that "
    "is still to be built counts nothing, nor does one whose star was never marked, nor one that is shared.",
    source="rulebook; F5, F8",
)
rules.scoring(
    "flipped-cards",
    "A flipped card counts minus the number in its star, finished or not; where the star is blank, minus the lowest "
    "number of its range.",
    source="rulebook; F6",
)
rules.scoring(
    "given-up-cards",
    "Where the game ended by the stall variant, the card a player gives up does not count; it stays on the sheet.",
    source="rulebook; F12",
)
rules.scoring(
    "the-end",
    "The game is over when no card is shared any more and every card is finished or flipped; with the stall variant "
    "also after a full round in which nobody marks or flips anything. Before that nobody has won.",
    source="rulebook; F9",
)
rules.scoring(
    "tie-break",
    "The highest total wins. Of players with the same total the one with the highest card is ahead, then the one with "
    "the highest second card, and so on; who has fewer cards fills up with noughts. Still equal, they share the place.",
    source="rulebook; F10",
)
rules.scoring(
    "all-lose", "When even the highest total is below zero, all players lose together.", source="rulebook; F11"
)
