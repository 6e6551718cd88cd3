"""The rules of all five sheets, in the order they are read out: words, rounds, lines, letters, places, the count."""

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
    "A throw shows every die once, each with a letter that is on it.",
    source="the dice; R26",
    sheets=WORDS,
)
TILES_WRITTEN = rules.add(
    "tiles-written",
    "A word is written with its tiles; where a wildcard is among them, also as what they stand for.",
    source="the score sheet",
    sheets=WORDS,
)
TILES_THROWN = rules.add(
    "tiles-thrown",
    "Every tile is a die of the throw that shows it, of the colour that is named, and no die is used twice.",
    source="rulebook, game 1",
    sheets=WORDS,
)
TILES_POSSIBLE = rules.add(
    "tiles-possible",
    "Where the throw is not known, there must be a different die for each tile, of the colour that is named.",
    source="the dice; R26",
    sheets=WORDS,
)
COLOURS_NAMED = rules.add(
    "colours-named", "Where colours are named, there is one for each tile.", source="the score sheet", sheets=WORDS
)
PURPLE_DIE = rules.add(
    "purple-die",
    "The purple die is ticked only where it shows one of the tiles.",
    source="rulebook, game 1; R7, R26",
    sheets=WORDS,
)
TILES_FIT = rules.add(
    "tiles-fit",
    "The word has a letter for each tile, and each letter tile shows its own.",
    source="rulebook, game 1",
    sheets=WORDS,
)
EQUAL_COPIES = rules.add(
    "equal-copies",
    "The wildcard = stands for a letter that a letter die of the word shows; two of them may stand for the same.",
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
    "A word is in the word list, or the players voted for it.",
    source="rulebook, before the game; R8",
    sheets=WORDS,
)

LIST_LANGUAGE = rules.add(
    "list-language",
    "Words are looked up in a list in the language of the dice.",
    source="ours",
    severity="warning",
    sheets=WORDS + LAST_DIE,
)

# ---- the rounds of games 1 and 2 ------------------------------------------------------------------------------------

STRIP = rules.add(
    "strip",
    "Where a sheet names its throw strip, the throws that are written down are those of the strip, and there are no "
    "more of them: in every round all players have the throw with its number, or every turn has the next one.",
    source="the throw strip",
    sheets=ROUNDS,
)
EVERYBODY_PLAYS = rules.add(
    "everybody-plays",
    "Before the next round begins, everybody who plays has had a turn: there is a word, or a 0 for none.",
    source="rulebook, game 1; R9",
    sheets=ROUNDS,
)
AFTER_THE_END = rules.add(
    "after-the-end", "When somebody has won, no other round is played.", source="rulebook; R10, R25", sheets=POINTS
)
PLAY_OFF = rules.add(
    "play-off",
    "Players who share the best total above the target play on, and nobody else does.",
    source="rulebook; R25",
    sheets=ROUNDS,
)
CLAIMED_ROUND = rules.add(
    "claimed-round",
    "Where a player wrote the points of a round, they are those of the word with the round's bonus.",
    source="rulebook, game 1",
    sheets=ROUNDS,
)

# ---- every sheet ----------------------------------------------------------------------------------------------------

NAMES = rules.add("names", "Every player has a name that nobody else on the sheet has.", source="the score sheet")
CLAIMED_TOTAL = rules.add(
    "claimed-total", "Where a player wrote a total, it is the sum of what the sheet brings.", source="the score sheet"
)

# ---- the five-throw sheet -------------------------------------------------------------------------------------------

LINE_MET = rules.add(
    "line-met",
    "A word that is not what its line asks for scores nothing. Trio, full house and poker ask for at least so many "
    "dice of a colour, wildcards among them; a double is two letter dice with the same letter.",
    source="rulebook, yahtzee; R14, R15, R27",
    severity="warning",
    sheets=FIVE_THROWS,
)
RETHROWN = rules.add(
    "rethrown", "Up to five dice may be thrown again, once.", source="rulebook, yahtzee; R16, R27", sheets=FIVE_THROWS
)
CLAIMED_LINE = rules.add(
    "claimed-line",
    "Where a player wrote the points of a line, they are those of its word, less one for each die thrown again.",
    source="rulebook, yahtzee",
    sheets=FIVE_THROWS,
)

# ---- the last die ---------------------------------------------------------------------------------------------------

TURN_ORDER = rules.add(
    "turn-order",
    "Players add one letter each at the end of the word, in the order of the sheet; then the next one is stuck or "
    "doubts.",
    source="rulebook, game 3; R19",
    sheets=LAST_DIE,
)
LETTER_WRITTEN = rules.add(
    "letter-written", "Every turn that is written down has its letter.", source="the score sheet", sheets=LAST_DIE
)
DIE_LEFT = rules.add(
    "tiles-possible", "There is a different die for every letter of a round.", source="the dice; R26", sheets=LAST_DIE
)
WILDCARD_FROM = rules.add(
    "wildcard-from", "Wildcards may be used from the second die on.", source="rulebook, game 3; R21", sheets=LAST_DIE
)
WILDCARD_SAID = rules.add(
    "wildcard-said",
    "Whoever adds a wildcard says which letter it stands for; any other tile stands for what it shows.",
    source="rulebook, game 3; R21",
    sheets=LAST_DIE,
)
EQUAL_ADDED = rules.add(
    "equal-copies",
    "The wildcard = stands for a letter that a letter die before it shows.",
    source="rulebook; R5, R21",
    sheets=LAST_DIE,
)
UNEQUAL_ADDED = rules.add(
    "unequal-differs",
    "The wildcard ≠ stands for a letter that no tile before it stands for. Later letters do not undo it.",
    source="rulebook; R6, R21",
    sheets=LAST_DIE,
)
COMPLETE = rules.add(
    "complete",
    "No letter may be added that completes a word of three or more letters; the list of common words decides. The "
    "round goes to whoever added the letter before.",
    source="rulebook, game 3; R22, R23",
    sheets=LAST_DIE,
)
ROUND_ENDED = rules.add(
    "round-ended",
    "Before the next round begins, one player is stuck or one doubts the last letter, not both.",
    source="rulebook, game 3",
    sheets=LAST_DIE,
)
ANSWER = rules.add(
    "answer",
    "A doubt is answered with a word that begins with the letters on the table. It may be on the long list of words "
    "as well as on that of common ones.",
    source="rulebook, game 3; R20, R22, R23",
    sheets=LAST_DIE,
)

# ---- the tournament -------------------------------------------------------------------------------------------------

GAMES_COMPLETE = rules.add(
    "games-complete",
    "The three games are played one after another, and everybody plays in all of them.",
    source="rulebook, the tournament",
    sheets=TOURNAMENT,
)
ONE_WINNER = rules.add(
    "one-winner",
    "Every game has a single winner; only other places are shared.",
    source="rulebook, the tournament; R24",
    sheets=TOURNAMENT,
)
TARGET_REACHED = rules.add(
    "target-reached",
    "The winner of a game has reached its target in the tournament, which is the same for two players as for more.",
    source="rulebook, the tournament; R13, R24",
    sheets=TOURNAMENT,
)
PLAYED_ON = rules.add(
    "played-on",
    "A round of the last die brings one point, so the game ends with exactly its target.",
    source="rulebook, the tournament; R25",
    severity="warning",
    sheets=TOURNAMENT,
)
CLAIMED_AWARDED = rules.add(
    "claimed-awarded",
    "Where a player wrote the points for a game, they are those of the place.",
    source="rulebook, the tournament; R11",
    sheets=TOURNAMENT,
)

# ---- how points are counted -----------------------------------------------------------------------------------------

rules.scoring("letters", "Every letter die of the word counts 1 point.", source="rulebook, game 1", sheets=WORDS)
rules.scoring(
    "wildcards",
    "The first wildcard counts nothing, every other one 1 point; it does not matter which of them is called the first.",
    source="rulebook, game 1; R4",
    sheets=WORDS,
)
rules.scoring(
    "repeats",
    "A letter that two letter dice of the word show counts 1 more, one that three or more show counts 2 more, and so "
    "for every letter that repeats. What a wildcard stands for is no repeat.",
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
    "When everybody has had a turn, the best word of the round earns 2 points more for a single player, 1 point for "
    "each of those who share it. There is none for a round of noughts, for a player alone, or in a play-off.",
    source="rulebook, game 1; R9, R25",
    sheets=ROUNDS,
)
rules.scoring(
    "the-end",
    "The target is tested when a round is over, with its bonus: the highest total of the target or more wins. Those "
    "who share it play another round, and so on until one of them is ahead.",
    source="rulebook, games 1 and 2; R10, R25",
    sheets=ROUNDS,
)
rules.scoring(
    "rounds-won",
    "A round counts 1 point: for whoever added the last letter that may be added, when the next player is stuck or "
    "the letter completes a word; after a doubt for whoever added the last letter and names a word that begins so, "
    "else for the player who doubted.",
    source="rulebook, game 3; R20, R22",
    sheets=LAST_DIE,
)
rules.scoring(
    "rounds-to-win",
    "The first to win three rounds wins, with two players the first to win five; in a tournament two are enough for "
    "any number of players.",
    source="rulebook, game 3; R13",
    sheets=LAST_DIE,
)
rules.scoring(
    "lines",
    "A line brings the points of its word, without a round's bonus, less 1 for each die thrown again, but never less "
    "than 0. A word that is not what the line asks for brings 0; so does a zero taken on purpose. Of several dice "
    "that show the same letter those that score best are taken.",
    source="rulebook, yahtzee; R16, R17, R18, R27",
    sheets=FIVE_THROWS,
)
rules.scoring(
    "all-lines-filled",
    "When every line of every player is filled the most points win; players who share them win together.",
    source="rulebook, yahtzee; R27",
    sheets=FIVE_THROWS,
)
rules.scoring(
    "places",
    "The places in a game bring 10, 7, 6, 5, 4 and 3 points. Those who share a place all get the points of the higher "
    "one, and the next place is skipped.",
    source="rulebook, the tournament; R11",
    sheets=TOURNAMENT,
)
rules.scoring(
    "tie-break",
    "The highest sum wins. Where it is shared, whoever won game 2 wins, or else who has the higher place there.",
    source="rulebook, the tournament; R12",
    sheets=TOURNAMENT,
)
