"""Every rule that a travel log can break, and how it is scored, in the order in which `pencilbox rules` lists them.

The code that finds the breaches is in `replay`; who may play is checked by `games.turns`.
"""

from __future__ import annotations

from ...rules.book import RuleBook

rules = RuleBook()

TWO_TO_SIX = rules.add("two-to-six", "Two to six players play.", source="ours")
NAMES = rules.add("names", "Every player has a name that nobody else on the sheet has.", source="the travel log")

# ---- turns ----------------------------------------------------------------------------------------------------------

TURN_NAMED = rules.add("turn-named", "Every turn says who takes it.", source="the travel log")
TURN_TOLD = rules.add(
    "turn-told",
    "Every turn has one roll and one move, after a jump too; the log tells the roll and the space.",
    source="rulebook; C14",
)
TURN_ORDER = rules.add(
    "turn-order",
    "The first player on the sheet begins, and turns go round in the order of the sheet.",
    source="rulebook",
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The game ends at once when a player's cards make three zero stacks, or with the turn in which the deck runs out; "
    "without cards when a player comes into the Big Bang at the end of a lap. Nothing follows.",
    source="ours; C19",
)

# ---- moves ----------------------------------------------------------------------------------------------------------

MOVE = rules.add(
    "move",
    "A pawn goes as many spaces forward along the lap as the die shows, through the Big Bang as well.",
    source="rulebook",
)
FIRST_THREE = rules.add(
    "first-three",
    "Who stops on a space of the first three minutes goes back to the Big Bang at once: only four or more leads on "
    "from there.",
    source="rulebook, what happens there is ours",
)
ARROW = rules.add(
    "arrow",
    "Who stands on an arrow moves into the ring, the first step to where it points; who only passes one stays on the "
    "lap.",
    source="rulebook",
)
CURVED = rules.add(
    "curved",
    "In a ring a pawn goes either way round, but does not turn back within a move. A move that would lead past the "
    "white hole of the left ring, or the black hole of the right one, goes out there; who begins on that hole may go "
    "out or on round. The centre is no space of the ring: a move may end there, and begins there with a step to any "
    "space of the ring.",
    source="rulebook",
)
WORMHOLE = rules.add(
    "wormhole",
    "Who stands on a wormhole has to cross it: the next move begins at its other end. Nobody crosses by passing.",
    source="rulebook; C12",
)
LOOP = rules.add(
    "loop",
    "Who rolls a 4 in the black hole of the left ring would fall to and fro for ever, and goes to the Big Bang.",
    source="rulebook; C11",
)
BUMP = rules.add(
    "bump",
    "A pawn that is met on its space goes to the space the other one has left, and what that asks for is done; there "
    "is nobody to be met there.",
    source="rulebook; C8",
)
TOGETHER = rules.add(
    "together", "In the Big Bang there may be several pawns, and none of them has to go.", source="C15"
)
JUMP = rules.add(
    "jump",
    "Who jumps goes to the space that bears the card's number, with a zero card to the Big Bang, and rolls and moves "
    "on from there. On a board with several such spaces it is the nearest: the fewest steps along the track either "
    "way, and if two are as near, the one ahead. What else a cc side shows changes nothing.",
    source="rulebook; C10, C13, C18, C20",
)
ACROSS = rules.add(
    "across",
    "From the left ring, but not from its arrow, a jump leads across the wormhole: to the card's space if that lies "
    "in the region above the right ring, else to the first space there.",
    source="rulebook; C12, C13",
)

# ---- cards ----------------------------------------------------------------------------------------------------------

RACE = rules.add("race", "Where one races without cards, nothing is done with any.", source="rulebook; C19")
DEAL = rules.add(
    "deal",
    "A deck that is told card by card has no card more often than there are: two zero cards, and each number once.",
    source="ours",
)
DEAL_WHOLE = rules.add(
    "deal-whole",
    "A deck that is told card by card tells of all of it. Where it does not, it is taken for all there is.",
    source="the travel log",
    severity="warning",
)

# ---- card actions ---------------------------------------------------------------------------------------------------

ONE_ACTION = rules.add(
    "one-action",
    "In a turn one jumps, draws or discards, or does nothing of it; so a card just drawn jumps on a later turn. What "
    "a space or leaving the Big Bang asks for is no such action.",
    source="rulebook; C1, C2",
)
WHERE_ACT = rules.add(
    "where-act",
    "One jumps and draws before rolling, in a turn that begins on a number. A card may be laid onto another player's "
    "in any turn but one that begins on green or orange, where there is no action at all.",
    source="rulebook; C14, C16",
)
IN_HAND = rules.add(
    "in-hand",
    "One jumps and discards with a card of one's own that lies cc side up, and turns it over; cards it makes zero "
    "with lie number side up and loose before the player they are said to.",
    source="rulebook; C4",
)
DRAW_FROM = rules.add(
    "draw-from", "A draw by one's own choice is from the deck or the pile, not from a player.", source="rulebook; C17"
)
PILE = rules.add("pile", "Of the pile only the top card can be drawn.", source="rulebook; C17")
DECK = rules.add(
    "deck",
    "Who draws from the deck takes its top card, or may cut it once and must take the card that shows; the upper part "
    "goes back on top. So it is any card that is still in the deck.",
    source="rulebook; C9",
)
DISCARD = rules.add(
    "discard",
    "By one's own choice a card is discarded only onto one number-side card of another player, so that the two make "
    "zero; they are a locked stack there.",
    source="rulebook; C4, C16",
)
RECEIVER_JUMPS = rules.add(
    "receiver-jumps",
    "Onto whose card one is laid, that player jumps at once to the space it stands for; who is there already stays.",
    source="rulebook; C4",
)

# ---- what spaces ask for --------------------------------------------------------------------------------------------

LEAVING = rules.add(
    "leaving",
    "Every way out of the Big Bang, through it or to the first three minutes too, brings the top card of the deck, cc "
    "side up.",
    source="rulebook; C2",
)
ORANGE = rules.add(
    "orange",
    "Who comes to an orange space or a centre draws at once, if there is anything to draw.",
    source="rulebook; C2, C6",
)
ORANGE_WAYS = rules.add(
    "orange-ways",
    "On orange one takes a card from the deck; or cc side up from another player, if one has none lying so; or a "
    "number-side card, the top one of the pile or another player's, that makes zero with one or more of one's own.",
    source="rulebook; C6, C7",
)
GREEN_WAYS = rules.add(
    "green-ways",
    "On green one may discard a card onto the pile; or give a card cc side up to a player who has none lying so; or "
    "number-side cards of one suit to a player with whose number-side cards they make zero.",
    source="rulebook; C5, C7",
)
NOT_ASKED = rules.add(
    "not-asked",
    "Beside the one card action, cards are drawn and discarded only where a space or leaving the Big Bang asks for "
    "it, once each time.",
    source="rulebook; C5, C6",
)

# ---- stacks and hands -----------------------------------------------------------------------------------------------

ZERO_SUM = rules.add(
    "zero-sum",
    "Cards that are said to be stacked in a turn sum to zero, and lie number side up.",
    source="rulebook; C3",
)
LOCKED = rules.add(
    "locked",
    "Nothing is taken from a zero stack or laid onto it, nor is a zero card that lies number side up. A log need not "
    "say when loose cards were stacked; only where it does, they are locked from then on.",
    source="rulebook; C3, C20",
)
STACK_ZERO = rules.add(
    "stack-zero",
    "A stack has two or more number-side cards that sum to zero, or is a zero card alone.",
    source="rulebook; C3",
)
CARD_ONCE = rules.add(
    "card-once",
    "Every card lies in one place only: the two zero cards in two, any other card in one.",
    source="C3, C20",
)
HANDS_AGREE = rules.add(
    "hands-agree",
    "Hands that are told beside a log are what its turns lead to: the same cards on the same sides, and what was "
    "stacked in a turn is a stack.",
    source="the travel log",
)
CLAIMED_STACKS = rules.add(
    "claimed-stacks",
    "Where a player wrote how many locked stacks there are, there are so many.",
    source="the travel log",
)


# ---- scoring --------------------------------------------------------------------------------------------------------

rules.scoring(
    "locked-zero-stacks",
    "A zero stack counts one, a zero card that lies number side up by itself one too. Hands that are told count as "
    "they lie; without them, a log's number-side cards are stacked as well as they can be.",
    source="rulebook; C3, C20",
)
rules.scoring(
    "three-stacks",
    "Who has three zero stacks wins at once. If the deck runs out before, the most stacks win when that turn is done, "
    "and of those with as many, who has loose number-side cards whose sum is nearest to zero; else they share.",
    source="ours",
)
