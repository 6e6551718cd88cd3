"""The rules for a word and its tiles, in games 1 and 2 and on the five-throw sheet."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from . import tiles
from .book import WORDS, book
from .dice import PURPLE
from .five_throws import FiveThrows
from .played import Laid
from .rounds import Rounds

Wordy = Rounds | FiveThrows


@book.rule("throw-possible", source="the dice; R26", sheets=WORDS)
def a_throw_is_what_the_dice_can_show(played: Wordy) -> Iterator[Breach]:
    """A throw shows every die once, each with a letter that is on it."""
    for name, throw in played.throws:
        for wrong in played.dice.wrong(throw):
            yield wrong, name


@book.rule("tiles-written", source="the score sheet", sheets=WORDS)
def a_word_has_its_tiles_and_says_what_they_stand_for(played: Wordy) -> Iterator[Breach]:
    """A word is written with its tiles; where a wildcard is among them, also as what they stand for."""
    for word in played.words:
        if not word.tiles:
            yield f"the tiles of {word.said or 'this word'} are not written", word.id
        elif not word.word:
            yield f"{word.tiles} does not say which word it stands for", word.id


@book.rule("tiles-thrown", source="rulebook, game 1", sheets=WORDS)
def every_tile_is_a_die_of_the_throw(played: Wordy) -> Iterator[Breach]:
    """Every tile is a die of the throw that shows it, of the colour that is named, and no die is used twice."""
    for word in played.words:
        if word.throw:
            faces = word.throw.faces
            laid = word.tiles
            short = [tile for tile in dict.fromkeys(laid) if laid.count(tile) > faces.count(tile)]
            for tile in short:
                yield _not_thrown(tile, word.tiles.count(tile), faces.count(tile)), f"{word.id}.tiles"
            if not short and _all_named(word) and not any(played.lyings(word)):
                yield f"the throw does not show {word.tiles} in the colours that are named", f"{word.id}.colours"


def _not_thrown(tile: str, used: int, shown: int) -> str:
    if not shown:
        return f"no die of the throw shows {tile}"
    return f"the throw shows {_times(tile, shown)}, but {used} are used"


def _times(tile: str, count: int) -> str:
    return f"only one {tile}" if count == 1 else f"only {count} {tile}"


@book.rule("tiles-possible", source="the dice; R26", sheets=WORDS)
def different_dice_show_the_tiles(played: Wordy) -> Iterator[Breach]:
    """Where the throw is not known, there must be a different die for each tile, of the colour that is named."""
    for word in played.words:
        if word.throw or not word.tiles:
            continue
        if not played.dice.can_lay(word.tiles):
            yield f"the {len(played.dice)} dice cannot show {' '.join(word.tiles)} at once", f"{word.id}.tiles"
        elif _all_named(word) and not any(played.lyings(word)):
            yield f"no dice of these colours show {' '.join(word.tiles)}", f"{word.id}.colours"


@book.rule("colours-named", source="the score sheet", sheets=WORDS)
def the_colour_of_every_tile_is_named(played: Wordy) -> Iterator[Breach]:
    """Where colours are named, there is one for each tile."""
    for word in played.words:
        if word.colours and not _all_named(word):
            yield f"{word.tiles} has {len(word.tiles)} tiles, but {len(word.colours)} colours are named", \
                f"{word.id}.colours"


def _all_named(word: Laid) -> bool:
    return bool(word.colours) and len(word.colours) == len(word.tiles)


@book.rule("purple-die", source="rulebook, game 1; R7, R26", sheets=WORDS)
def the_purple_die_is_ticked_where_it_is_used(played: Wordy) -> Iterator[Breach]:
    """The purple die is ticked only where it shows one of the tiles."""
    for word in played.words:
        if word.purple_ticked and word.tiles and not _can_be_purple(played, word):
            yield f"the purple die is ticked, but it shows no tile of {word.tiles}", f"{word.id}.purple"


def _can_be_purple(played: Wordy, word: Laid) -> bool:
    if word.colours or word.throw:
        return played.uses_purple(word)
    return any(PURPLE in played.dice.colours_of(tile) for tile in word.tiles)


@book.rule("tiles-fit", source="rulebook, game 1", sheets=WORDS)
def the_tiles_show_the_word(played: Wordy) -> Iterator[Breach]:
    """The word has a letter for each tile, and each letter tile shows its own."""
    fitting = {word.id for word in played.fitting}
    for word in _complete(played):
        if word.id not in fitting:
            yield tiles.unlike(word.tiles, word.word), f"{word.id}.word", f"{word.id}.tiles"


@book.rule("equal-copies", source="rulebook; R5", sheets=WORDS)
def an_equal_copies_a_letter_that_is_shown(played: Wordy) -> Iterator[Breach]:
    """The wildcard = stands for a letter that a letter die of the word shows; two of them may stand for the same."""
    for word in (word for word in played.fitting if tiles.EQUAL in word.tiles):
        for letter in dict.fromkeys(tiles.wrong_equal(word.tiles, word.word)):
            yield f"= stands for {letter}, but no letter die of {word.tiles} shows it", f"{word.id}.tiles"


@book.rule("unequal-differs", source="rulebook; R6", sheets=WORDS)
def an_unequal_stands_for_a_letter_of_its_own(played: Wordy) -> Iterator[Breach]:
    """The wildcard ≠ stands for a letter that no other tile of the word stands for."""
    for word in (word for word in played.fitting if tiles.UNEQUAL in word.tiles):
        for letter in dict.fromkeys(tiles.wrong_unequal(word.tiles, word.word)):
            yield f"≠ stands for {letter}, but “{word.word}” has another {letter}", f"{word.id}.tiles"


@book.rule("shortest", source="R8", sheets=WORDS)
def a_word_is_long_enough(played: Wordy) -> Iterator[Breach]:
    """A word has at least two letters."""
    for word in _complete(played):
        if len(word.word) < played.rules["shortest"]:
            yield f"{word.said} is too short for a word", f"{word.id}.word"


@book.rule("word-list", source="rulebook, before the game; R8", sheets=WORDS)
def a_word_is_on_the_list_or_voted_in(played: Wordy) -> Iterator[Breach]:
    """A word is on the list of words, or the table has voted for it."""
    words, shortest = played.list, played.rules["shortest"]
    if words is None:
        return
    for word in _complete(played):
        if not word.voted and word.word not in words and len(word.word) >= shortest:
            yield f"{word.said} is not in the list of words, and the table did not vote for it", f"{word.id}.word"


def _complete(played: Wordy) -> Iterator[Laid]:
    return (word for word in played.words if word.tiles and word.word)
