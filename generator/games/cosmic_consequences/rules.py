"""Every rule that a travel log can break, and the scoring, in the order in which `pencilbox rules` lists them.

`replay` checks the turns and hands; `games.turns` checks the players.
"""

from __future__ import annotations

from ...rules.book import RuleBook

rules = RuleBook()

TWO_TO_SIX = rules.add("two-to-six", "Cosmic Consequences is for two to six players.", source="our decision")
NAMES = rules.add("names", "Each player has a different name.", source="the travel log")

# ---- turns ----------------------------------------------------------------------------------------------------------

TURN_NAMED = rules.add("turn-named", "Every turn names its player.", source="the travel log")
TURN_COMPLETE = rules.add(
    "turn-told",
    "Every turn has one roll and one move, even after a jump. Write down the roll and the space it leads to.",
    source="rulebook; C14",
)
TURN_ORDER = rules.add(
    "turn-order",
    "The first player on the sheet starts, and turns follow the order of the players on the sheet.",
    source="rulebook",
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The game ends as soon as a player has laid three zero stacks, or after the turn in which the deck runs out. "
    "Without cards, it ends when a player completes a lap. Nothing can be played after that.",
    source="our decision; C19, C31",
)

# ---- moves ----------------------------------------------------------------------------------------------------------

MOVE = rules.add(
    "move",
    "A pawn moves forward along the lap by the number rolled. It does not stop at the Big Bang on the way.",
    source="rulebook",
)
FIRST_THREE = rules.add(
    "first-three",
    "A pawn that lands on a space of the first three minutes goes straight back to the Big Bang, so a pawn needs a "
    "roll of four or more to get away.",
    source="rulebook; going back is our decision",
)
ARROW = rules.add(
    "arrow",
    "A pawn on an arrow moves into the ring, starting with the space that the arrow points to. Passing an arrow has "
    "no effect.",
    source="rulebook",
)
CURVED = rules.add(
    "curved",
    "In a ring, a pawn may go either way round, but must not turn back during a move. A move that passes the white "
    "hole of the left ring, or the black hole of the right ring, leaves the ring there; a move that starts on that "
    "hole may leave the ring or stay in it. The centre is not part of the ring: a pawn can enter it only with the "
    "last step of a move, and its next move starts with a step to any space of the ring.",
    source="rulebook",
)
WORMHOLE = rules.add(
    "wormhole",
    "A pawn on a wormhole must cross it: its next move starts at the other end. Passing a wormhole has no effect.",
    source="rulebook; C12, C30",
)
LOOP = rules.add(
    "loop",
    "A pawn that rolls a 4 in the black hole of the left ring would move back and forth for ever; it goes to the Big "
    "Bang instead.",
    source="rulebook; C11",
)
BUMP = rules.add(
    "bump",
    "A pawn that another pawn lands on moves to the space that the other pawn came from, and its player does what "
    "that space asks for. It bumps nobody there.",
    source="rulebook; C8",
)
TOGETHER = rules.add(
    "together", "Several pawns may be in the Big Bang at the same time. Nobody is bumped there.", source="C15"
)
JUMP = rules.add(
    "jump",
    "A jump leads to the number space with the value of the card; with a zero card, it leads to the Big Bang. The "
    "player then rolls and moves on. If there are several such spaces, the jump leads to the nearest one, counting "
    "steps along the track in either direction; if two are equally near, it leads forward. The picture on a card’s cc "
    "side has no effect.",
    source="rulebook; C10, C13, C18, C20",
)
ACROSS = rules.add(
    "across",
    "From the left ring, but not from its arrow, a jump leads across the wormhole: to the card’s space if it is in "
    "the region above the right ring, otherwise to the first space of that region.",
    source="rulebook; C12, C13",
)

# ---- cards ----------------------------------------------------------------------------------------------------------

RACE = rules.add("race", "In the race without cards, there are no card actions.", source="rulebook; C19")
DEAL = rules.add(
    "deal",
    "A deck that is listed card by card has two zero cards and one card of every other value.",
    source="our decision",
)
DEAL_WHOLE = rules.add(
    "deal-whole",
    "A deck that is listed card by card should be complete. If cards are missing, those listed are taken as the whole "
    "deck.",
    source="the travel log",
    severity="warning",
)

# ---- card actions ---------------------------------------------------------------------------------------------------

ONE_ACTION = rules.add(
    "one-action",
    "A player may jump, draw or discard once per turn; a card that was just drawn can be used for a jump on a later "
    "turn. A draw or discard prompted by a space, or by leaving the Big Bang, is not a card action.",
    source="rulebook; C1, C2",
)
WHERE_ACT = rules.add(
    "where-act",
    "A player may jump or draw only before rolling, in a turn that starts on a number space. A player may discard in "
    "any turn that does not start on green or orange.",
    source="rulebook; C14, C16",
)
IN_HAND = rules.add(
    "in-hand",
    "Players jump with, or discard, one of their own cards that lies cc side up, and turn it over. It can only be "
    "stacked with loose number-side cards of the player who gets the stack.",
    source="rulebook; C4",
)
DRAW_FROM = rules.add(
    "draw-from",
    "A card action can draw from the deck or the pile, but not from another player.",
    source="rulebook; C17",
)
PILE = rules.add("pile", "Only the top card of the pile can be drawn.", source="rulebook; C17")
DECK = rules.add(
    "deck",
    "A player draws the top card of the deck, or cuts the deck once and must take the card that the cut shows; the "
    "lifted part goes back on top. So any card that is still in the deck can be drawn. If both zero cards are in the "
    "deck, either may be drawn.",
    source="rulebook; C9, C32",
)
DISCARD = rules.add(
    "discard",
    "As a card action, a player discards one card onto one number-side card of another player so that the two add up "
    "to zero. They become a locked stack.",
    source="rulebook; C4, C16",
)
RECEIVER_JUMPS = rules.add(
    "receiver-jumps",
    "When a card is discarded onto a player’s card, that player jumps to the space of the discarded card at once. If "
    "their pawn is already there, it stays.",
    source="rulebook; C4",
)

# ---- what spaces ask for --------------------------------------------------------------------------------------------

LEAVING = rules.add(
    "leaving",
    "A player who leaves the Big Bang takes the top card of the deck, cc side up, even if the pawn only passes "
    "through the Big Bang or is sent back by the first three minutes.",
    source="rulebook; C2",
)
ORANGE = rules.add(
    "orange",
    "A player whose pawn arrives on an orange space or in the centre of a ring draws at once, if there is anything to "
    "draw.",
    source="rulebook; C2, C6",
)
ORANGE_WAYS = rules.add(
    "orange-ways",
    "On orange, a player takes one of these: a card from the deck; a cc-side card from another player, if they have "
    "none themselves; or a number-side card that makes zero with their own number-side cards, either the top card of "
    "the pile or a card of another player.",
    source="rulebook; C6, C7",
)
GREEN_WAYS = rules.add(
    "green-ways",
    "On green, a player may do one of these: put a card on the pile; give a cc-side card to a player who has none; or "
    "give number-side cards of one suit to a player whose number-side cards make zero with them.",
    source="rulebook; C5, C7",
)
NOT_ASKED = rules.add(
    "not-asked",
    "Apart from the card action, a player draws or discards only when a space, or leaving the Big Bang, calls for it, "
    "once each time. An entry without a name belongs to the player whose turn it is.",
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
    "A zero stack is locked: no card can be taken from it or put onto it. So is a zero card that lies number side up. "
    "A log need not say when loose cards were stacked; they are locked only from the turn in which it does.",
    source="rulebook; C3, C20, C31",
)
STACK_ZERO = rules.add(
    "stack-zero",
    "A stack consists of two or more number-side cards that add up to zero, or of a single zero card.",
    source="rulebook; C3",
)
CARD_ONCE = rules.add(
    "card-once",
    "There are two zero cards and one card of every other value, and each card is in only one place.",
    source="C3, C20",
)
HANDS_AGREE = rules.add(
    "hands-agree",
    "If the sheet has hands as well as turns, the hands match the turns: the same cards, the same side up, and every "
    "stack that was laid in a turn.",
    source="the travel log",
)
CLAIMED_STACKS = rules.add(
    "claimed-stacks",
    "If a player wrote down the number of their locked stacks, it is correct.",
    source="the travel log",
)


# ---- scoring --------------------------------------------------------------------------------------------------------

rules.scoring(
    "locked-zero-stacks",
    "Every zero stack counts as one, and so does every zero card that lies number side up. Hands on the sheet count "
    "as written; without them, the number-side cards at the end of the log are stacked in the best possible way.",
    source="rulebook; C3, C20, C31",
)
rules.scoring(
    "three-stacks",
    "The first player with three zero stacks wins at once. If the deck runs out first, the player with the most "
    "stacks wins at the end of that turn. If players tie, the one whose loose number-side cards have the sum nearest "
    "to zero wins; if they still tie, they share the win.",
    source="our decision",
)
