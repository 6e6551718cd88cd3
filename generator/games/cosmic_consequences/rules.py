"""Every rule that a travel log can break, and how it is scored, in the order in which `pencilbox rules` lists them.

`replay` checks the rules of play and `games.turns` the players.
"""

from __future__ import annotations

from ...rules.book import RuleBook

rules = RuleBook()

TWO_TO_SIX = rules.add("two-to-six", "Two to six players play.", source="ours")
NAMES = rules.add("names", "Every player needs a name that no other player has.", source="the travel log")

# ---- turns ----------------------------------------------------------------------------------------------------------

TURN_NAMED = rules.add("turn-named", "Every turn names its player.", source="the travel log")
TURN_TOLD = rules.add(
    "turn-told",
    "Every turn has one roll and one move, after a jump too; write down the roll and the space it leads to.",
    source="rulebook; C14",
)
TURN_ORDER = rules.add(
    "turn-order",
    "The first player on the sheet begins, and the others follow in the order of the sheet.",
    source="rulebook",
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The game ends at once when a player has laid three zero stacks, and after the turn in which the deck runs out. "
    "Without cards it ends when a player completes a lap. Nothing happens after the end.",
    source="ours; C19, C31",
)

# ---- moves ----------------------------------------------------------------------------------------------------------

MOVE = rules.add(
    "move",
    "A pawn moves as many spaces along the lap as the die shows, and on through the Big Bang.",
    source="rulebook",
)
FIRST_THREE = rules.add(
    "first-three",
    "A pawn that lands on a space of the first three minutes goes back to the Big Bang at once, so a first roll must "
    "be four or more.",
    source="rulebook; that it goes back is ours",
)
ARROW = rules.add(
    "arrow",
    "A pawn on an arrow moves into the ring, beginning with the space the arrow points to. Passing an arrow has no "
    "effect.",
    source="rulebook",
)
CURVED = rules.add(
    "curved",
    "In a ring a pawn moves either way round, but does not turn back during a move. A move past the white hole of the "
    "left ring, or the black hole of the right ring, leaves the ring there; a move that begins on that hole may leave "
    "or go on round. The centre is not part of the ring: only the last step of a move leads there, and the next move "
    "begins with a step to any space of the ring.",
    source="rulebook",
)
WORMHOLE = rules.add(
    "wormhole",
    "A pawn on a wormhole must cross it: its next move begins at the other end. Passing a wormhole has no effect.",
    source="rulebook; C12, C30",
)
LOOP = rules.add(
    "loop",
    "A pawn in the black hole of the left ring that needs a 4 would move to and fro for ever; it goes to the Big Bang.",
    source="rulebook; C11",
)
BUMP = rules.add(
    "bump",
    "A pawn goes to the space that another pawn has left to land on its own, and its player does what that space asks "
    "for. It bumps nobody there.",
    source="rulebook; C8",
)
TOGETHER = rules.add(
    "together", "Several pawns may be in the Big Bang at the same time; none of them is bumped.", source="C15"
)
JUMP = rules.add(
    "jump",
    "A jump leads to the number space with the value of the card, with a zero card to the Big Bang; then the player "
    "rolls and moves on. If there are several such spaces, it leads to the nearest: the fewest steps along the track "
    "either way, forward if it is a tie. The picture on a cc side has no effect.",
    source="rulebook; C10, C13, C18, C20",
)
ACROSS = rules.add(
    "across",
    "From the left ring, but not from its arrow, a jump leads across the wormhole: to the card's space if that is in "
    "the region above the right ring, otherwise to the first space of that region.",
    source="rulebook; C12, C13",
)

# ---- cards ----------------------------------------------------------------------------------------------------------

RACE = rules.add("race", "The race without cards has no card actions.", source="rulebook; C19")
DEAL = rules.add(
    "deal",
    "A deck that is listed card by card has two zero cards and one card of every other value.",
    source="ours",
)
DEAL_WHOLE = rules.add(
    "deal-whole",
    "A deck that is listed card by card should be complete. If it is not, it counts as the whole deck.",
    source="the travel log",
    severity="warning",
)

# ---- card actions ---------------------------------------------------------------------------------------------------

ONE_ACTION = rules.add(
    "one-action",
    "A player may jump, draw or discard once in a turn; a card just drawn can be used to jump on a later turn. What a "
    "space or leaving the Big Bang asks for is not a card action.",
    source="rulebook; C1, C2",
)
WHERE_ACT = rules.add(
    "where-act",
    "A player may jump or draw only in a turn that begins on a number space, and before rolling. A player may discard "
    "in any turn that does not begin on green or orange.",
    source="rulebook; C14, C16",
)
IN_HAND = rules.add(
    "in-hand",
    "A card that a player jumps with or discards is the player's own, lies cc side up and is turned over. The cards it "
    "is stacked with lie number side up and loose in front of the player who gets the stack.",
    source="rulebook; C4",
)
DRAW_FROM = rules.add(
    "draw-from", "A draw as a card action is from the deck or the pile, not from a player.", source="rulebook; C17"
)
PILE = rules.add("pile", "Only the top card of the pile can be drawn.", source="rulebook; C17")
DECK = rules.add(
    "deck",
    "A player draws the top card of the deck, or cuts the deck once and must take the card that the cut shows; the "
    "part that was lifted goes back on top. So any card that is still in the deck can be drawn, and either zero card.",
    source="rulebook; C9, C32",
)
DISCARD = rules.add(
    "discard",
    "A discard as a card action puts one card onto one number-side card of another player, so that the two add up to "
    "zero. They are a locked stack.",
    source="rulebook; C4, C16",
)
RECEIVER_JUMPS = rules.add(
    "receiver-jumps",
    "A player who gets a discarded card onto one of theirs jumps to its space at once; a pawn that is there stays.",
    source="rulebook; C4",
)

# ---- what spaces ask for --------------------------------------------------------------------------------------------

LEAVING = rules.add(
    "leaving",
    "A player who leaves the Big Bang takes the top card of the deck, cc side up; also when the pawn passes through it "
    "or is sent back by the first three minutes.",
    source="rulebook; C2",
)
ORANGE = rules.add(
    "orange",
    "A player who comes to an orange space or to a centre draws at once, if there is anything to draw.",
    source="rulebook; C2, C6",
)
ORANGE_WAYS = rules.add(
    "orange-ways",
    "On orange a player takes a card from the deck; or a cc-side card from another player, if the player has none; or "
    "a number-side card, the top one of the pile or another player's, that makes zero with the player's own.",
    source="rulebook; C6, C7",
)
GREEN_WAYS = rules.add(
    "green-ways",
    "On green a player may put a card on the pile; or give a cc-side card to a player who has none; or give "
    "number-side cards of one suit to a player whose number-side cards make zero with them.",
    source="rulebook; C5, C7",
)
NOT_ASKED = rules.add(
    "not-asked",
    "Besides the card action, a player draws or discards only when a space or leaving the Big Bang asks for it, once "
    "each time. An entry without a name belongs to the player whose turn it is.",
    source="rulebook; C5, C6",
)

# ---- stacks and hands -----------------------------------------------------------------------------------------------

ZERO_SUM = rules.add(
    "zero-sum",
    "Cards that are stacked in a turn add up to zero and lie number side up.",
    source="rulebook; C3",
)
LOCKED = rules.add(
    "locked",
    "No card can be taken from a zero stack or put onto it, nor from or onto a zero card that lies number side up. A "
    "log need not say when loose cards were stacked; they are locked only from where it does.",
    source="rulebook; C3, C20, C31",
)
STACK_ZERO = rules.add(
    "stack-zero",
    "A stack has two or more number-side cards that add up to zero, or is a single zero card.",
    source="rulebook; C3",
)
CARD_ONCE = rules.add(
    "card-once",
    "Every card is in only one place: two zero cards, and one card of every other value.",
    source="C3, C20",
)
HANDS_AGREE = rules.add(
    "hands-agree",
    "Hands written down beside the turns show what the turns lead to: the same cards, the same side up, and every "
    "stack that was laid in a turn.",
    source="the travel log",
)
CLAIMED_STACKS = rules.add(
    "claimed-stacks",
    "The number of locked stacks that a player has written down is correct.",
    source="the travel log",
)


# ---- scoring --------------------------------------------------------------------------------------------------------

rules.scoring(
    "locked-zero-stacks",
    "Every zero stack counts one, and so does every zero card that lies number side up. Hands that are written down "
    "count as they are; without them, the number-side cards at the end of the log are stacked as well as possible.",
    source="rulebook; C3, C20, C31",
)
rules.scoring(
    "three-stacks",
    "The first player with three zero stacks wins at once. If the deck runs out first, the player with the most stacks "
    "wins after that turn; if there is a tie, the player whose loose number-side cards add up to nearest zero; if that "
    "is a tie too, they share the win.",
    source="ours",
)
