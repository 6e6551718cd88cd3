"""Every rule that a turn log can break, and the scoring, in the order in which `pencilbox rules` lists them.

`replay` checks the turns; `games.turns` checks the players.
"""

from __future__ import annotations

from ...rules.book import RuleBook

rules = RuleBook()

# ---- the deal, and what a player may play from ---------------------------------------------------------------------

TWO_TO_FIVE = rules.add("two-to-five", "Elevator Up is for two to five players.", source="rulebook")
NAMES = rules.add("names", "Each player has a different name.", source="the turn log")
DEAL = rules.add(
    "deal",
    "Each player is dealt three cards face down, two face up and three in hand. No card is dealt more often than the "
    "deck contains it. The remaining cards are the deck to draw from.",
    source="rulebook; E15",
)
DEAL_WHOLE = rules.add(
    "deal-whole",
    "A deal that is written card by card lists all fifty cards. If it lists fewer, these are taken as the whole deck.",
    source="the turn log",
    severity="warning",
)
SWAPS = rules.add(
    "swaps",
    "Before the first turn, each player may swap both, one or none of their face-up cards for the same number of cards "
    "from their hand.",
    source="rulebook",
)
IN_HAND = rules.add(
    "in-hand",
    "If the deal is known, players play only cards that they have. After each play they draw until they have three "
    "cards in hand, as long as the deck lasts, even before an extra turn. They do not draw after taking the pile.",
    source="rulebook; E8, E9",
)
PHASES = rules.add(
    "phases",
    "Players first play the cards in their hand, then their face-up cards, and finally their face-down cards, which "
    "they turn over one at a time without looking at them first.",
    source="rulebook",
)
FLIP = rules.add(
    "flip",
    "A player turns over one of their own face-down cards. If it may be played, it stays on the pile and has the same "
    "effect as if played from the hand.",
    source="rulebook; E14",
)
PICKUP = rules.add(
    "pickup",
    "A player may take the pile only if they cannot play: never if there is no pile, and never instead of turning over "
    "a face-down card.",
    source="rulebook; E13",
)

# ---- what is played ------------------------------------------------------------------------------------------------

ONE_THING = rules.add(
    "one-thing",
    "In each turn, the player does exactly one thing: play cards, turn over a face-down card, or take the pile.",
    source="rulebook; E9",
)
SAME_CARDS = rules.add(
    "same-cards",
    "Several cards may be played at once if they are the same. This includes special cards, unless game.yaml "
    "allows only one special card at a time.",
    source="rulebook; E6",
)
BEATS = rules.add(
    "beats",
    "A floor may be played on the same floor or a lower one, on a Lobby, and on an empty pile. Only a special card may "
    "be played on a Penthouse; another Penthouse may too, unless game.yaml forbids it. Stuck and Door "
    "Closed do not count: the card must beat the nearest card below that is neither; if there is none, any card may be "
    "played.",
    source="rulebook; E1, E2, E4, E5",
)
DOOR_CLOSED = rules.add(
    "door-closed",
    "Door Closed may be played on a floor or an empty pile, but never on a special card, not even on a Stuck or a "
    "Lobby. The other special cards may be played on any card.",
    source="rulebook; E3",
)
COPIES = rules.add(
    "copies",
    "If the deal is not known, Pencilbox does not check the hands, but no card may appear more often than the deck "
    "contains it. Cards in the pile, removed cards and cards that were taken with the pile all count.",
    source="E15",
)

# ---- whose turn it is ----------------------------------------------------------------------------------------------

TURN_NAMED = rules.add("turn-named", "Every turn names its player.", source="the turn log")
TURN_ORDER = rules.add(
    "turn-order",
    "The first player on the sheet starts, and turns follow the order of the players on the sheet. Taking the pile is "
    "a turn.",
    source="rulebook; E9",
)
SKIPS = rules.add(
    "skips",
    "Door Closed skips the next player; two played together skip the next two. With two players, the player of a Door "
    "Closed takes another turn.",
    source="rulebook; E6, E11",
)
NEW_BUILDING = rules.add(
    "new-building",
    "A New Building removes the whole pile from the game, including itself, and its player takes another turn on an "
    "empty pile. Several played together give only one extra turn.",
    source="rulebook; E6, E8",
)
FOUR_OF_A_KIND = rules.add(
    "four-of-a-kind",
    "When the top four cards of the pile show the same floor, no matter who played them, the pile is removed from the "
    "game, and the player of the last of them takes another turn.",
    source="rulebook; E7, E8",
)
FAILED_FLIP = rules.add(
    "failed-flip",
    "A face-down card that may not be played goes into the player’s hand at once, together with the pile. That ends "
    "the turn. Log the pile beside the card or not at all, but not as another turn.",
    source="rulebook; E10",
)

# ---- the end -------------------------------------------------------------------------------------------------------

OUT = rules.add(
    "out",
    "The player named as out has no cards left after the last turn of the log. The last card may be any card, unless "
    "game.yaml forbids special cards.",
    source="rulebook; E12",
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The game ends as soon as a player has no cards left. No turn follows.",
    source="rulebook; E12, E15",
)

# ---- scoring -------------------------------------------------------------------------------------------------------

rules.scoring(
    "cards-left",
    "If the deal is known, each player’s score is the number of cards they have left: in hand, face up and face down. "
    "The fewer, the better.",
    source="rulebook",
)
rules.scoring(
    "out-first",
    "The first player with no cards left wins. If the deal is not known, that is the player named as out.",
    source="rulebook; E12",
)
