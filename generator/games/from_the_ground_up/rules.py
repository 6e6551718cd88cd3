"""The rules of the table sheet, in the order in which `pencilbox rules` lists them: cards, marks, end, log, scoring."""

from __future__ import annotations

from ...rules.book import RuleBook

rules = RuleBook()

# ---- which cards are on the table ------------------------------------------------------------------------------------

TWO_TO_SIX = rules.add("two-to-six", "The game is for two to six players.", source="rulebook")
NAMED = rules.add("named", "Every card on the sheet has its number.", source="the table sheet")
CARDS_ONCE = rules.add("cards-once", "No card is listed twice.", source="F15")
CARDS_DEALT = rules.add(
    "cards-dealt",
    "Two to four players are dealt three cards each, five or six players two each. All of these cards, and no others, "
    "are in front of a player or in the shared area.",
    source="rulebook; F15",
)

# ---- what is written on them -----------------------------------------------------------------------------------------

CRATES_EXIST = rules.add(
    "crates-exist", "There are no marks or ticks beyond the last crate of a card.", source="the cards"
)
STAR_RANGE = rules.add("star-range", "The number in a star is in the range beside it.", source="rulebook")
LOWER_HIGHER = rules.add(
    "lower-higher",
    "The number to the right of ▼ is lower than the one to its left, the number to the right of ▲ is higher; they are "
    "never equal. If game.yaml says so, every crate is compared with the first one instead.",
    source="rulebook; F1, F2",
)
EQUAL_UNEQUAL = rules.add(
    "equal-unequal",
    "The numbers on both sides of = are equal, those on both sides of ≠ are different. Only neighbours are compared: "
    "the first and third of three crates may be equal. If game.yaml says so, every crate is compared with the first "
    "one instead.",
    source="rulebook; F1, F3",
)
ROOM_BETWEEN = rules.add(
    "room-between",
    "Filled crates leave room for the empty ones between them: after 3 ▼ and an empty crate ▼, no number above 1 can "
    "follow.",
    source="rulebook; F4",
)
FINISHABLE = rules.add(
    "finishable",
    "A card can still be finished with the numbers on the die. Spoiling a card is allowed, but often an oversight.",
    source="F4",
    severity="warning",
)
STAR_MISSING = rules.add(
    "star-missing",
    "A card with full crates is finished only when its star is marked, too. Until then it scores nothing and the game "
    "goes on.",
    source="F5",
    severity="warning",
)

# ---- the shared area, and the end ------------------------------------------------------------------------------------

SHARED_FINISHED = rules.add(
    "shared-finished",
    "A card is in the shared area only if its star and all its crates are filled in.",
    source="rulebook; F5",
)
LAST_TICK = rules.add(
    "last-tick",
    "Whoever ticks the last crate of a shared card takes it, so no shared card has all its crates ticked.",
    source="rulebook",
)
GIVEN_UP = rules.add(
    "given-up",
    "If the game ended under the stall variant, each player with a finished or flipped card gives up one of these. In "
    "any other game, nobody gives up a card.",
    source="rulebook; F12",
)
CLAIMED_TOTAL = rules.add(
    "claimed-total", "The total a player wrote down is the sum of their cards.", source="the table sheet"
)

# ---- the log ---------------------------------------------------------------------------------------------------------

LOG_NAMED = rules.add(
    "log-named",
    "A turn says which card was marked. For a star or a tick it need not, if only one card is possible.",
    source="the log",
)
DEAL = rules.add(
    "deal", "Every player is dealt the same number of cards, and no card is dealt twice.", source="rulebook; F15"
)
TURN_ORDER = rules.add(
    "turn-order",
    "Players take turns clockwise, in the order they are listed. When everyone has had a turn, everyone passes a card, "
    "and the next round begins with the same player.",
    source="rulebook",
)
ONE_MARK = rules.add("one-mark", "In a turn you roll one die and do one thing with the number.", source="rulebook; F14")
MARK_FITS = rules.add(
    "mark-fits",
    "You write the number in an empty crate of one of your face-up cards, if it agrees with the other crates, or in an "
    "empty star whose range includes it, or tick a crate of a shared card that holds this number.",
    source="rulebook; F4",
)
MUST_MARK = rules.add(
    "must-mark", "If you can mark the number, you must, and may not flip a card instead.", source="rulebook; F16"
)
FLIP = rules.add(
    "flip",
    "You may flip one of your face-up cards only if you have an unfinished card face up.",
    source="rulebook; F7",
)
MUST_FLIP = rules.add(
    "must-flip",
    "If you have an unfinished card face up and cannot mark the number, you must flip a card.",
    source="rulebook; F7",
)
PASS = rules.add(
    "pass",
    "When everyone has had a turn, each player with cards passes one: the card they wrote on this round, if they still "
    "have it; otherwise any face-up card; a flipped card only if they have no other.",
    source="rulebook; F13",
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The game ends at once when no card is shared and no unfinished card is face up. Nothing is played after that.",
    source="rulebook; F9",
)
STALLED = rules.add(
    "stalled",
    "The log of a game that ended under the stall variant ends with a full round in which nobody marked or flipped "
    "anything.",
    source="rulebook; F9, F12",
)
LOG_AGREES = rules.add(
    "log-agrees", "Replayed from the deal, the log ends with exactly the cards on the sheet.", source="the log"
)

# ---- scoring -------------------------------------------------------------------------------------------------------

rules.scoring(
    "finished-cards",
    "A finished card scores the number in its star for the player who has it when the game ends. Unfinished cards, "
    "cards whose star is empty and shared cards score nothing.",
    source="rulebook; F5, F8",
)
rules.scoring(
    "flipped-cards",
    "A flipped card scores minus the number in its star, finished or not. If the star is empty, it scores minus the "
    "lowest number of its range.",
    source="rulebook; F6",
)
rules.scoring(
    "given-up-cards",
    "If the game ended under the stall variant, the card each player gives up does not score. It stays on the sheet.",
    source="rulebook; F12",
)
rules.scoring(
    "the-end",
    "The game is over when no card is shared and every card is finished or flipped; under the stall variant also after "
    "a full round in which nobody marks or flips anything. Until then there is no winner.",
    source="rulebook; F9",
)
rules.scoring(
    "tie-break",
    "The highest total wins. If players tie, their best cards are compared, then their second best, and so on; a "
    "missing card counts as 0. If they are still level, they share the place.",
    source="rulebook; F10",
)
rules.scoring("all-lose", "If even the highest total is below zero, all players lose together.", source="rulebook; F11")
