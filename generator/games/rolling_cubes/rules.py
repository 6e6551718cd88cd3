"""The rules of all five sheets, in the order in which `pencilbox rules` lists them."""

from __future__ import annotations

from ...rules.book import RuleBook

ROUNDS = ("one-by-one", "all-together")
FIVE_THROWS = ("five-throws",)
LAST_DIE = ("last-die",)
TOURNAMENT = ("tournament",)
WORDS = ROUNDS + FIVE_THROWS
POINTS = ROUNDS + LAST_DIE

rules = RuleBook()

# ---- a word and its tiles, in games 1 and 2 and on the five-throw sheet ---------------------------------------------

THROW_POSSIBLE = rules.add(
    "throw-possible",
    "A throw shows each die once, with one of the letters on it.",
    source="the dice; R26",
    sheets=WORDS,
)
TILES_WRITTEN = rules.add(
    "tiles-written",
    "For each word, the sheet shows its tiles; if they include a wildcard, also the word that they stand for.",
    source="the score sheet",
    sheets=WORDS,
)
TILES_THROWN = rules.add(
    "tiles-thrown",
    "Each tile is a different die of the throw, showing that letter. If colours are written down, the dice have them.",
    source="rulebook, game 1",
    sheets=WORDS,
)
TILES_POSSIBLE = rules.add(
    "tiles-possible",
    "If the throw is not known, there is a different die for each tile, of the colour that is written down.",
    source="the dice; R26",
    sheets=WORDS,
)
COLOURS_NAMED = rules.add(
    "colours-named", "If colours are written down, there is one for each tile.", source="the score sheet", sheets=WORDS
)
PURPLE_DIE = rules.add(
    "purple-die",
    "The purple die is ticked only if it shows one of the tiles.",
    source="rulebook, game 1; R7, R26",
    sheets=WORDS,
)
TILES_FIT = rules.add(
    "tiles-fit",
    "The word has one letter for each tile, and a tile with a letter stands for that letter.",
    source="rulebook, game 1",
    sheets=WORDS,
)
EQUAL_COPIES = rules.add(
    "equal-copies",
    "The wildcard = stands for a letter that a letter die of the word shows. Two = may stand for the same letter.",
    source="rulebook; R5",
    sheets=WORDS,
)
UNEQUAL_DIFFERS = rules.add(
    "unequal-differs",
    "The wildcard ≠ stands for a letter that no other tile of the word stands for.",
    source="rulebook; R6",
    sheets=WORDS,
)
SHORTEST = rules.add("shortest", "A word has at least two letters.", source="R8", sheets=WORDS)
WORD_LIST = rules.add(
    "word-list",
    "A word is in the word list, or the players accepted it by vote; a tied vote accepts it.",
    source="rulebook, before the game; R8",
    sheets=WORDS,
)

LIST_LANGUAGE = rules.add(
    "list-language",
    "Words are looked up in a list in the language of the dice.",
    source="our decision",
    severity="warning",
    sheets=WORDS + LAST_DIE,
)

# ---- the rounds of games 1 and 2 ------------------------------------------------------------------------------------

STRIP = rules.add(
    "strip",
    "If the sheet names a throw strip, the throws are those of the strip: either all players share a throw each round, "
    "or each turn uses the next throw. There are no more throws than on the strip.",
    source="the throw strip",
    sheets=ROUNDS,
)
EVERYBODY_PLAYS = rules.add(
    "everybody-plays",
    "Each player takes a turn before the next round begins. The sheet shows a word, or a 0 if they found none.",
    source="rulebook, game 1; R9",
    sheets=ROUNDS,
)
AFTER_THE_END = rules.add(
    "after-the-end",
    "The game ends when a player has won. No round follows.",
    source="rulebook; R10, R25",
    sheets=POINTS,
)
PLAY_OFF = rules.add(
    "play-off",
    "Players who tie for the highest total at or above the target play on; the others do not.",
    source="rulebook; R25",
    sheets=ROUNDS,
)
CLAIMED_ROUND = rules.add(
    "claimed-round",
    "If a player wrote down points for a round, they equal the points of the word plus the round bonus.",
    source="rulebook, game 1",
    sheets=ROUNDS,
)

# ---- every sheet ----------------------------------------------------------------------------------------------------

NAMES = rules.add("names", "Each player has a different name.", source="the score sheet")
CLAIMED_TOTAL = rules.add(
    "claimed-total",
    "If a player wrote down a total, it is the sum of their points on this sheet.",
    source="the score sheet",
)

# ---- the five-throw sheet -------------------------------------------------------------------------------------------

LINE_MET = rules.add(
    "line-met",
    "A word that does not meet its line scores 0. Trio, full house and poker need at least that many dice of a colour, "
    "wildcards included; a double needs two letter dice that show the same letter.",
    source="rulebook, yahtzee; R14, R15, R27",
    severity="warning",
    sheets=FIVE_THROWS,
)
RETHROWN = rules.add(
    "rethrown",
    "A player may throw up to five dice again, once.",
    source="rulebook, yahtzee; R16, R27",
    sheets=FIVE_THROWS,
)
CLAIMED_LINE = rules.add(
    "claimed-line",
    "If a player wrote down points for a line, they equal the points of its word, less 1 for each die thrown again.",
    source="rulebook, yahtzee",
    sheets=FIVE_THROWS,
)

# ---- the last die ---------------------------------------------------------------------------------------------------

TURN_ORDER = rules.add(
    "turn-order",
    "Players take turns in the order of the sheet. Each adds one letter at the end, until the next player is stuck or "
    "doubts.",
    source="rulebook, game 3; R19",
    sheets=LAST_DIE,
)
LETTER_WRITTEN = rules.add(
    "letter-written", "Each turn on the sheet has a letter.", source="the score sheet", sheets=LAST_DIE
)
DIE_LEFT = rules.add(
    "tiles-possible", "There is a different die for each letter of a round.", source="the dice; R26", sheets=LAST_DIE
)
WILDCARD_FROM = rules.add(
    "wildcard-from", "Wildcards may be used from the second letter on.", source="rulebook, game 3; R21", sheets=LAST_DIE
)
WILDCARD_LETTER = rules.add(
    "wildcard-said",
    "A player who adds a wildcard says which letter it stands for. Any other tile stands for the letter it shows.",
    source="rulebook, game 3; R21",
    sheets=LAST_DIE,
)
EQUAL_ADDED = rules.add(
    "equal-copies",
    "The wildcard = stands for a letter that an earlier letter die shows.",
    source="rulebook; R5, R21",
    sheets=LAST_DIE,
)
UNEQUAL_ADDED = rules.add(
    "unequal-differs",
    "The wildcard ≠ stands for a letter that no earlier tile stands for. Letters added later do not change that.",
    source="rulebook; R6, R21",
    sheets=LAST_DIE,
)
COMPLETE = rules.add(
    "complete",
    "A player must not complete a word of three or more letters; the list of common words decides. If one does, the "
    "player who added the letter before wins the round.",
    source="rulebook, game 3; R22, R23",
    sheets=LAST_DIE,
)
ROUND_ENDED = rules.add(
    "round-ended",
    "Each round ends with one player stuck or one player doubting the last letter, not both.",
    source="rulebook, game 3",
    sheets=LAST_DIE,
)
ANSWER = rules.add(
    "answer",
    "The answer to a doubt is a word that begins with the letters on the table. It may be in the full word list or in "
    "the list of common words.",
    source="rulebook, game 3; R20, R22, R23",
    sheets=LAST_DIE,
)

# ---- the tournament -------------------------------------------------------------------------------------------------

GAMES_COMPLETE = rules.add(
    "games-complete",
    "The three games are played in order, and all players take part in all of them.",
    source="rulebook, the tournament",
    sheets=TOURNAMENT,
)
ONE_WINNER = rules.add(
    "one-winner",
    "Each game has one winner. Players may share only the other places.",
    source="rulebook, the tournament; R24",
    sheets=TOURNAMENT,
)
TARGET_REACHED = rules.add(
    "target-reached",
    "The winner of a game has reached its tournament target, which is the same for any number of players.",
    source="rulebook, the tournament; R13, R24",
    sheets=TOURNAMENT,
)
PLAYED_ON = rules.add(
    "played-on",
    "A round of the last die scores one point, so the game ends when a player has exactly the target.",
    source="rulebook, the tournament; R25",
    severity="warning",
    sheets=TOURNAMENT,
)
CLAIMED_AWARDED = rules.add(
    "claimed-awarded",
    "If a player wrote down tournament points for a game, they equal the points for their place.",
    source="rulebook, the tournament; R11",
    sheets=TOURNAMENT,
)

# ---- how points are counted -----------------------------------------------------------------------------------------

rules.scoring("letters", "Each letter die in the word scores 1 point.", source="rulebook, game 1", sheets=WORDS)
rules.scoring(
    "wildcards",
    "The first wildcard scores 0 points, each other wildcard 1 point. It does not matter which one comes first.",
    source="rulebook, game 1; R4",
    sheets=WORDS,
)
rules.scoring(
    "repeats",
    "A letter that two letter dice of the word show scores 1 extra point; a letter that three or more show scores 2. "
    "This counts for each letter that repeats. The letter of a wildcard does not count as a repeat.",
    source="rulebook, game 1; R1, R2, R3",
    sheets=WORDS,
)
rules.scoring(
    "purple-letter",
    "A letter on the purple die scores 1 extra point. If neither the throw nor the colours are written down, it scores "
    "when it is ticked, and also without a tick when the letter is on no other die.",
    source="rulebook, game 1; R7, R26, R29",
    sheets=WORDS,
)
rules.scoring(
    "round-bonus",
    "When all players have had a turn, the best word of the round scores 2 bonus points, or 1 for each player if "
    "several share the best score. There is no bonus if nobody scores, if one person plays alone, or in a play-off.",
    source="rulebook, game 1; R9, R25",
    sheets=ROUNDS,
)
rules.scoring(
    "the-end",
    "At the end of each round, bonus included, the highest total at or above the target wins. Players who tie for it "
    "play on until one of them is ahead.",
    source="rulebook, games 1 and 2; R10, R25",
    sheets=ROUNDS,
)
rules.scoring(
    "rounds-won",
    "A round scores 1 point. If a player is stuck or completes a word, the player who added the last good letter wins "
    "it. After a doubt, the player who added the last letter wins it by naming a word that begins this way; otherwise "
    "the player who doubted wins it.",
    source="rulebook, game 3; R20, R22",
    sheets=LAST_DIE,
)
rules.scoring(
    "rounds-to-win",
    "The first player to win three rounds wins; with two players, the first to win five. In a tournament, two rounds "
    "are enough for any number of players.",
    source="rulebook, game 3; R13",
    sheets=LAST_DIE,
)
rules.scoring(
    "lines",
    "A line scores the points of its word, without a round bonus, less 1 for each die thrown again, but never less "
    "than 0. A word that does not meet its line scores 0, and so does a line given up for 0. If several dice show the "
    "same letter, those that score best are used.",
    source="rulebook, yahtzee; R16, R17, R18, R27",
    sheets=FIVE_THROWS,
)
rules.scoring(
    "all-lines-filled",
    "When all lines of all players are filled, the player with the most points wins. Players who tie win together.",
    source="rulebook, yahtzee; R27",
    sheets=FIVE_THROWS,
)
rules.scoring(
    "places",
    "The places in a game score 10, 7, 6, 5, 4 and 3 points. Players who share a place all score the points of the "
    "higher one, and the next place is skipped.",
    source="rulebook, the tournament; R11",
    sheets=TOURNAMENT,
)
rules.scoring(
    "tie-break",
    "The highest total wins. If players tie, the winner of game 2 wins; otherwise the highest place in game 2 decides.",
    source="rulebook, the tournament; R12",
    sheets=TOURNAMENT,
)
