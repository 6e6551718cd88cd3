"""The last die, letter by letter: what may be added, and whose round it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .dice import Dice
from .tiles import EQUAL, UNEQUAL, WILDCARDS, letters
from .wordlist import WordList

UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a round is played with. `words` decides what is complete, `answers` what may be named after a doubt (besides
    those); None takes any word, so that nothing is complete."""

    dice: Dice
    complete: int
    wildcards_from: int
    words: WordList | None
    answers: WordList | None

    def is_complete(self, spelt: str) -> bool:
        return self.words is not None and len(spelt) >= self.complete and spelt.lower() in self.words

    def is_word(self, word: str) -> bool:
        return self.words is None or self.answers is None or word in self.words or word in self.answers


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that a player added: the tile, and the letter it stands for (`?` where that was not said)."""

    seat: int
    tile: str
    stands: str


@dataclass(frozen=True, slots=True)
class State:
    """A round so far. `first` is the seat that began; seats count from 0. `winner` is a seat, or None while the round
    goes on."""

    players: int
    first: int
    letters: tuple[Letter, ...] = ()
    winner: int | None = None

    @property
    def seat(self) -> int:
        """Whose turn it is: that of the player after the one who added the last letter."""
        return (self.letters[-1].seat + 1) % self.players if self.letters else self.first

    @property
    def tiles(self) -> str:
        return "".join(letter.tile for letter in self.letters)

    @property
    def spelt(self) -> str:
        return "".join(letter.stands for letter in self.letters)


# ---- adding a letter ----------------------------------------------------------------------------------------------

def wrongs(state: State, letter: Letter, settings: Settings) -> Iterator[tuple[str, str]]:
    """Why a letter may not be added: the name of the rule, and a sentence."""
    yield from _wrong_wildcard(state, letter, settings)
    if not settings.dice.can_lay(state.tiles + letter.tile):
        yield "tiles-possible", f"no die that is left can show {letter.tile} after {' '.join(state.tiles)}"
    spelt = state.spelt + letter.stands
    if settings.is_complete(spelt):
        yield "complete", f"{letter.stands} completes the word “{spelt.lower()}”"


def _wrong_wildcard(state: State, letter: Letter, settings: Settings) -> Iterator[tuple[str, str]]:
    if letter.tile not in WILDCARDS:
        if letter.stands != letter.tile:
            yield "wildcard-said", f"the tile shows {letter.tile} and cannot stand for {letter.stands}"
        return
    number = len(state.letters) + 1
    if letter.stands == UNKNOWN:
        yield "wildcard-said", f"nobody says what {letter.tile} stands for"
    if number < settings.wildcards_from:
        yield "wildcard-from", f"die {number} is a wildcard, but they may be used from die {settings.wildcards_from} on"
    elif letter.tile == EQUAL and letter.stands not in (*letters(state.tiles), UNKNOWN):
        yield "equal-copies", f"= stands for {letter.stands}, but no letter die before it shows {letter.stands}"
    elif letter.tile == UNEQUAL and letter.stands != UNKNOWN and letter.stands in state.spelt:
        yield "unequal-differs", f"≠ stands for {letter.stands}, but {state.spelt} has {letter.stands} already"


def added(state: State, letter: Letter, settings: Settings) -> State:
    """The round after a letter; one that completes a word ends it, and it goes to whoever added the letter before."""
    ended = settings.is_complete(state.spelt + letter.stands) and state.letters
    winner = state.letters[-1].seat if ended else state.winner
    return replace(state, letters=(*state.letters, letter), winner=winner if state.winner is None else state.winner)


def legal(state: State, faces: str, settings: Settings) -> list[Letter]:
    """Every letter that the player whose turn it is may add, with dice that fell so."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    able = [Letter(state.seat, tile, stands) for tile in sorted(set(faces))
            for stands in (alphabet if tile in WILDCARDS else tile)]
    return [letter for letter in able if not any(wrongs(state, letter, settings))]


# ---- how a round ends ---------------------------------------------------------------------------------------------

def stuck(state: State) -> State:
    """The round after a player could add nothing: it goes to whoever added the last letter."""
    won = state.letters[-1].seat if state.letters else None
    return replace(state, winner=won if state.winner is None else state.winner)


def wrong_answer(state: State, answer: str, settings: Settings) -> str:
    """Why an answer to a doubt does not do, in a sentence; empty where it does."""
    spelt = state.spelt.lower()
    if UNKNOWN not in spelt and not answer.startswith(spelt):
        return f"“{answer}” does not begin with {state.spelt}"
    if len(answer) < settings.complete or not settings.is_word(answer):
        return f"“{answer}” is not in the list of words"
    return ""


def doubted(state: State, doubter: int, answer: str, settings: Settings) -> State:
    """The round after a doubt: with a word that begins so it goes to whoever added the last letter, without one to the
    doubter."""
    if state.winner is not None or not state.letters:
        return state
    held = bool(answer) and not wrong_answer(state, answer, settings)
    return replace(state, winner=state.letters[-1].seat if held else doubter)
