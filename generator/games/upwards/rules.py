"""The rules of Upwards!, in the order in which `pencilbox rules` lists them: a sheet and its log, scoring, and what the
sheets of all players must agree on."""

from ...rules.book import RuleBook

# ---- a player's sheet ------------------------------------------------------------------------------------------------

rules = RuleBook()

ONE_OPTION = rules.add(
    "one-option", "Exactly one scoring option is ticked: rows, snake or blocks.", source="rulebook, set-up"
)
NO_GAPS = rules.add(
    "no-gaps",
    "A number or meteorite drops to the lowest empty box of its column, so no box is filled above an empty one.",
    source="rulebook; U12",
)
EVENT_DIE = rules.add(
    "event-die",
    "Meteorites, arrows, outlined light fields and events in the log only come from the event die. If you play with "
    "it, tick it on the sheet.",
    source="rulebook, event die; U21",
)
OTHER_OPTION = rules.add(
    "other-option",
    "Snakes are drawn under the option snake, blocks under the option blocks. Under another option they do not score.",
    source="the score sheet",
    severity="warning",
)
SNAKE_LINE = rules.add(
    "snake-line",
    "A snake goes through boxes with the same number. Each box touches the one before at a side or a corner, no box is "
    "used twice, and there are at least two. A line that is not a snake scores nothing.",
    source="rulebook 2; U1, U2, U20",
)
LONGEST_SNAKE = rules.add(
    "longest-snake",
    "Only the longest snake scores. A shorter one scores as drawn.",
    source="rulebook 2; U20",
    severity="warning",
)
BLOCK_SHAPE = rules.add(
    "block-shape",
    "The boxes of a block form its shape, turned or mirrored in any way.",
    source="rulebook 3; U10",
)
BLOCK_NUMBERS = rules.add(
    "block-numbers",
    "All boxes of a block hold the same number; none is empty or holds a meteorite.",
    source="rulebook 3; U10",
)
BLOCKS_ONCE = rules.add("blocks-once", "Each of the nine shapes is outlined at most once.", source="rulebook 3; U10")
BLOCKS_APART = rules.add("blocks-apart", "No box belongs to two blocks.", source="rulebook 3; U10")
BLOCKS_CROSSED = rules.add(
    "blocks-crossed",
    "A shape is crossed out in the list if it is outlined in the grid. If nothing is outlined, as in a form on screen, "
    "the shapes that are crossed out must all fit into the grid together.",
    source="rulebook 3; U11",
)
CLAIMED_COLUMNS = rules.add(
    "claimed-columns", "The points in the circle below a column are its number of steps.", source="rulebook; U5"
)
CLAIMED_OPTION = rules.add(
    "claimed-option", "The points in the circle of the scoring option are correct.", source="rulebook"
)
CLAIMED_BONUS = rules.add(
    "claimed-bonus",
    "The points in the circle of the bonus rows are correct; without the event die there are none.",
    source="rulebook, event die; U14",
)
CLAIMED_TOTAL = rules.add("claimed-total", "The total is the sum of all circles.", source="rulebook; U13")

# ---- the log of rounds -----------------------------------------------------------------------------------------------

EVENT_EACH_ROUND = rules.add(
    "event-each-round", "With the event die, you roll all four dice in every round.", source="rulebook, event die"
)
ALL_DICE = rules.add(
    "all-dice",
    "You use all three dice in every round, each exactly once: entered singly or in a total, or passed.",
    source="rulebook",
)
ONE_TO_SIX = rules.add(
    "one-to-six",
    "Every number you enter is from 1 to 6. Of a sum with plus and minus, only the result has to be.",
    source="rulebook; U6, U22",
)
PLUS_MINUS = rules.add(
    "plus-minus",
    "You may add numbers on the dice and in the reserve. With “plus or minus” you may also subtract them, with “minus "
    "only” you may only subtract them.",
    source="rulebook, event die; U8",
)
COLUMN_ROOM = rules.add("column-room", "You cannot enter anything in a full column.", source="rulebook")
RESERVE_ROOM = rules.add(
    "reserve-room",
    "You save a number or a total, even one made with a saved number, in an empty field: a dark one, or a light one "
    "that is outlined. The order is free. A field with a crossed-out number cannot be used again.",
    source="rulebook; U7, U18, U22",
)
RESERVE_NUMBER = rules.add(
    "reserve-number",
    "You use a saved number once and cross it out, in the round it was saved in or any later one.",
    source="rulebook; U7, U22",
)
METEORITE = rules.add(
    "meteorite",
    "When the event die shows a meteorite, you drop one into a column before you enter any numbers, never into the "
    "reserve. If every column is full, it has no effect.",
    source="rulebook, event die; U9, U17",
)
EXTRA_RESERVE = rules.add(
    "extra-reserve",
    "You outline one more light field when the event die shows “extra reserve”.",
    source="rulebook, event die",
)
BONUS_ROW = rules.add(
    "bonus-row",
    "You mark a row with an arrow when the event die shows “bonus row”. No row gets two arrows.",
    source="rulebook, event die; U14",
)
EFFECT_UNUSED = rules.add(
    "effect-unused",
    "You outline a light field or mark a row whenever the event die allows it and one is left.",
    source="rulebook, event die; U17",
    severity="warning",
)
PASS = rules.add(
    "pass",
    "You may pass a number only if every column is full and no field of the reserve is free.",
    source="rulebook; U16",
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The last round is the one after the first round in which a number was passed.",
    source="rulebook; U16, U19",
)
LOG_AGREES = rules.add(
    "log-agrees", "Replayed from an empty sheet, the log ends with exactly this sheet.", source="the log"
)
STRIP = rules.add(
    "strip",
    "If the sheet names a throw strip, every round in the log shows the throw with the same number, and there are no "
    "more rounds than throws. If every player has a strip, all rounds are from one of them. A solo challenge is played "
    "with its scoring option and the event die.",
    source="the throw strip",
)

# ---- scoring ---------------------------------------------------------------------------------------------------------

rules.scoring(
    "sequences",
    "Reading each column from the bottom, every box that is one more than the box below it is a step and scores a "
    "point. A 1 on a 6 is a step, too. A meteorite or an empty box breaks the sequence.",
    source="rulebook; U5",
)
rules.scoring(
    "rows",
    "Scoring option rows: a full row with the same number in all its boxes scores five points. Meteorites are ignored, "
    "but the row needs at least one number.",
    source="rulebook 1; U3, U4",
)
rules.scoring(
    "snake",
    "Scoring option snake: a line through boxes with the same number, each touching the one before at a side or a "
    "corner, none of them twice. It may cross itself and has at least two boxes. Each box scores three points. A snake "
    "scores as drawn; if none is drawn, the longest possible one scores.",
    source="rulebook 2; U1, U2, U20",
)
rules.scoring(
    "blocks",
    "Scoring option blocks: every outlined block scores four, five or six points for its shape, each shape once. It "
    "does not matter when you outlined it. If shapes are crossed out in the list but none is outlined, those that fit "
    "into the grid together score.",
    source="rulebook 3; U10, U11",
)
rules.scoring(
    "bonus",
    "With the event die, every row with an arrow scores a point for each different number in it, full or not. A "
    "meteorite is not a number. Bonus rows score with every scoring option.",
    source="rulebook, event die; U4, U14",
)
rules.scoring("reserve-left", "Numbers left in the reserve score nothing.", source="U13")
rules.scoring(
    "the-end",
    "When a player cannot enter a number, everyone finishes the round and plays one more; then the game is over. In "
    "a log without a pass, another player may have ended the game. If all players’ logs are there and nobody has "
    "passed, the game is not over.",
    source="rulebook; U16, U19",
)
rules.scoring(
    "most-points",
    "The player with the most points wins. If players tie, they share the win.",
    source="rulebook; U15",
)

# ---- several sheets of one game --------------------------------------------------------------------------------------

joint_rules = RuleBook()

TWO_TO_SIX = joint_rules.add(
    "two-to-six",
    "The game is for two to six players, each with a sheet. A single sheet is one of these.",
    source="rulebook",
)
NAMES = joint_rules.add("names", "Every player has a different name.", source="the score sheet")
SAME_OPTION = joint_rules.add(
    "same-option", "All players of a game use the same scoring option.", source="rulebook, set-up; U19"
)
SAME_EVENT_DIE = joint_rules.add(
    "same-event-die",
    "Either all players of a game play with the event die, or none.",
    source="rulebook, event die; U19",
)
SAME_DICE = joint_rules.add(
    "same-dice",
    "The dice are rolled for everyone, so all logs show the same dice and event in every round, unless each player "
    "has a throw strip.",
    source="rulebook; U19",
)
SAME_END = joint_rules.add(
    "same-end",
    "The last round for all players is the one after the first round in which somebody passed a number.",
    source="rulebook; U16, U19",
)
