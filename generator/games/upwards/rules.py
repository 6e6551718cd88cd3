"""The rules of Upwards!, in the order in which they are listed: those of a sheet and its log, how points are counted,
and what the sheets of all players of a game must agree in."""

from ...rules.book import RuleBook

# ---- a player's sheet ------------------------------------------------------------------------------------------------

rules = RuleBook()

ONE_OPTION = rules.add(
    "one-option", "Exactly one scoring option is ticked: rows, snake or blocks.", source="rulebook, set-up"
)
NO_GAPS = rules.add(
    "no-gaps",
    "A number or meteorite drops to the lowest free box of its column, so no box is filled above an empty one.",
    source="rulebook; U12",
)
EVENT_DIE = rules.add(
    "event-die",
    "Meteorites, arrows, outlined light fields and events in the log come from the event die only; who plays with it "
    "ticks it on the sheet.",
    source="rulebook, event die; U21",
)
OTHER_OPTION = rules.add(
    "other-option",
    "A snake is drawn with the option snake, blocks with the option blocks; drawn with another, they do not count.",
    source="the score sheet",
    severity="warning",
)
SNAKE_LINE = rules.add(
    "snake-line",
    "The snake that is drawn goes through boxes with one number, each touching the one before at a side or a corner, "
    "none of them twice, and has two boxes or more. A line that is no snake counts nothing.",
    source="rulebook 2; U1, U2, U20",
)
LONGEST_SNAKE = rules.add(
    "longest-snake",
    "Only the longest snake counts; a shorter one that is drawn instead counts as it is drawn.",
    source="rulebook 2; U20",
    severity="warning",
)
BLOCK_SHAPE = rules.add(
    "block-shape",
    "The boxes of a block form the shape that is named, turned and mirrored as one likes.",
    source="rulebook 3; U10",
)
BLOCK_NUMBERS = rules.add(
    "block-numbers",
    "All boxes of a block hold the same number; none is empty or a meteorite.",
    source="rulebook 3; U10",
)
BLOCKS_ONCE = rules.add("blocks-once", "Each of the nine shapes is outlined once at most.", source="rulebook 3; U10")
BLOCKS_APART = rules.add("blocks-apart", "No box belongs to two blocks.", source="rulebook 3; U10")
BLOCKS_CROSSED = rules.add(
    "blocks-crossed",
    "A shape is crossed out in the list when it is outlined in the grid. Where nothing is outlined, as in a form on a "
    "screen, the shapes that are crossed out must all fit into the grid together.",
    source="rulebook 3; U11",
)
CLAIMED_COLUMNS = rules.add(
    "claimed-columns", "The points in the circle below a column are the steps in it.", source="rulebook; U5"
)
CLAIMED_OPTION = rules.add(
    "claimed-option", "The points in the circle of the scoring option are what it counts.", source="rulebook"
)
CLAIMED_BONUS = rules.add(
    "claimed-bonus",
    "The points in the circle of the bonus rows are what they count; without the event die, nothing.",
    source="rulebook, event die; U14",
)
CLAIMED_TOTAL = rules.add(
    "claimed-total", "The total is the sum of all circles, and nothing else.", source="rulebook; U13"
)

# ---- the log of rounds -----------------------------------------------------------------------------------------------

EVENT_EACH_ROUND = rules.add(
    "event-each-round", "With the event die, all four dice are rolled in every round.", source="rulebook, event die"
)
ALL_DICE = rules.add(
    "all-dice",
    "All three dice are used in every round, each once: entered, alone or in a total, or passed.",
    source="rulebook",
)
ONE_TO_SIX = rules.add(
    "one-to-six",
    "A total that is entered is from 1 to 6. Of a sum with plus and minus only the result must be.",
    source="rulebook; U6, U22",
)
PLUS_MINUS = rules.add(
    "plus-minus",
    "Numbers of dice and of the reserve may be added; with “plus or minus” they may be subtracted too, with “minus "
    "only” they may only be subtracted.",
    source="rulebook, event die; U8",
)
COLUMN_ROOM = rules.add("column-room", "Nothing can be entered in a column that is full.", source="rulebook")
RESERVE_ROOM = rules.add(
    "reserve-room",
    "A number or a total, also one made with a saved number, is saved in a field without a number, in any order: a "
    "dark one, or a light one that is outlined. A field whose number was crossed out stays used.",
    source="rulebook; U7, U18, U22",
)
RESERVE_NUMBER = rules.add(
    "reserve-number",
    "A number in the reserve is used once and crossed out then, in any round from the one it was saved in.",
    source="rulebook; U7, U22",
)
METEORITE = rules.add(
    "meteorite",
    "When the event die shows a meteorite, one is dropped into a column before any number is entered, and never into "
    "the reserve; with every column full it has no effect.",
    source="rulebook, event die; U9, U17",
)
EXTRA_RESERVE = rules.add(
    "extra-reserve",
    "A light field is outlined when the event die shows “extra reserve”, one that is not outlined yet.",
    source="rulebook, event die",
)
BONUS_ROW = rules.add(
    "bonus-row",
    "A row gets its arrow when the event die shows “bonus row”, and no row gets two.",
    source="rulebook, event die; U14",
)
EFFECT_UNUSED = rules.add(
    "effect-unused",
    "A light field is outlined or a row marked when the event die allows it and one is left.",
    source="rulebook, event die; U17",
    severity="warning",
)
PASS = rules.add(
    "pass",
    "A number is passed only when every column is full and no field of the reserve is free.",
    source="rulebook; U16",
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The round after the first one in which a number was passed is the last.",
    source="rulebook; U16, U19",
)
LOG_AGREES = rules.add(
    "log-agrees", "Played through from an empty sheet, the log ends in exactly this one.", source="the log"
)
STRIP = rules.add(
    "strip",
    "Where a sheet names its throw strip, every round that is logged shows the throw of the strip with its number, "
    "and there are no more rounds than throws. Where every player has a strip, it is one of them from its beginning "
    "on. A solo challenge is played with its scoring option and the event die.",
    source="the throw strip",
)

# ---- the count -------------------------------------------------------------------------------------------------------

rules.scoring(
    "sequences",
    "In each column, read from below, every box that is one more than the box below it is a step and counts a point; "
    "a 1 above a 6 is a step too. A meteorite or an empty box breaks the sequence.",
    source="rulebook; U5",
)
rules.scoring(
    "rows",
    "Scoring option rows: a row that is full and shows one number in all its boxes counts five points. Meteorites are "
    "left out of account, but a row needs at least one number.",
    source="rulebook 1; U3, U4",
)
rules.scoring(
    "snake",
    "Scoring option snake: a line from box to box with the same number, each touching the one before at a side or a "
    "corner, none of them twice; it may cross itself and has two boxes or more. Each box counts three points. The "
    "snake that is drawn counts as it is drawn; where none is drawn, the longest there is.",
    source="rulebook 2; U1, U2, U20",
)
rules.scoring(
    "blocks",
    "Scoring option blocks: every block that is outlined counts four, five or six points by its shape, each shape "
    "once. When it was outlined is not asked. Where shapes are only crossed out in the list and nothing is outlined, "
    "those count that fit into the grid together.",
    source="rulebook 3; U10, U11",
)
rules.scoring(
    "bonus",
    "With the event die, every row with an arrow counts a point for each different number in it, full or not. A "
    "meteorite is no number. Bonus rows add to every scoring option.",
    source="rulebook, event die; U4, U14",
)
rules.scoring("reserve-left", "What is left in the reserve counts nothing.", source="U13")
rules.scoring(
    "the-end",
    "When somebody cannot enter a number, the round is finished and one more is played; then the game is over. A log "
    "without a pass may be of a game that another player ended; where all players' logs are there and nobody has "
    "passed, the game is not over.",
    source="rulebook; U16, U19",
)
rules.scoring(
    "most-points",
    "The player with the most points wins. Players with equally many share the win: it is a draw.",
    source="rulebook; U15",
)

# ---- several sheets of one game --------------------------------------------------------------------------------------

joint_rules = RuleBook()

TWO_TO_SIX = joint_rules.add(
    "two-to-six", "Two to six players play; a sheet that is judged by itself is one of theirs.", source="rulebook"
)
NAMES = joint_rules.add("names", "Every player has a name that nobody else has.", source="the score sheet")
SAME_OPTION = joint_rules.add(
    "same-option", "All players of a game score by the same option.", source="rulebook, set-up; U19"
)
SAME_EVENT_DIE = joint_rules.add(
    "same-event-die", "All players of a game play with the event die, or none.", source="rulebook, event die; U19"
)
SAME_DICE = joint_rules.add(
    "same-dice",
    "The dice are rolled for all players, so every round that is logged shows the same ones, the event die included; "
    "unless there is a throw strip for each of them.",
    source="rulebook; U19",
)
SAME_END = joint_rules.add(
    "same-end",
    "The round after the first one in which somebody passed a number is the last for all players.",
    source="rulebook; U16, U19",
)
