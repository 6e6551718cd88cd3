"""What the fields of a sheet take, beyond what the field map says: the characters, texts and words of its game.

The game itself is asked: a sheet with a single mark is read, and if the message quotes the mark, the field does not
take it. So letters are no cards where cards are numbered, and a game of your own is understood, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ..errors import Place
from ..judging.judge import Judge, SheetView
from ..judging.questions import BlankForm
from ..nodes import Mapping as Node
from ..nodes import Scalar
from ..pages.field_map import DIGITS, FieldMap, MappedField
from ..sheets import Document
from . import nets
from .cells import CellReading
from .fields import BLANK, UNREADABLE, FieldReading

NOT_TAKEN = 0.02
"""How probable it is that people write what a field cannot hold, rather than that it was misread."""
_SHORTEST_WORD = 3
_WORDS = 6
_UNSEEN = 1e-6


class Accepted:
    """What the fields of one kind of sheet take."""

    def __init__(self, field_map: FieldMap, form: BlankForm, judge: Judge) -> None:
        self.form, self.judge = form, judge
        self.names = {field.id: f"Player {number}" for number, field in enumerate(names_on(field_map, form), 1)}
        self._taken: dict[tuple[str, str], bool] = {}
        self._words: Mapping[int, bytes] = form.rules.words(form.game)

    def numbered(self, fields: Mapping[str, FieldReading]) -> dict[str, str]:
        """Names for the players whose names only a person can read."""
        return {name: text for name, text in self.names.items() if name in fields and fields[name].mark == UNREADABLE}

    def takes(self, field: MappedField, mark: str) -> bool:
        """Whether a sheet with this mark can be read, as far as the mark is concerned. The numbers in a field's id make
        no difference."""
        if mark in (BLANK, UNREADABLE) or isinstance(field.marks, tuple) or field.marks == DIGITS:
            return True
        key = re.sub("[0-9]+", "0", field.id), mark
        if key not in self._taken:
            view = self.judge.read(document_of(self.form, self.names | {field.id: mark}, Place("")), "")
            problems = () if isinstance(view, SheetView) else view.problems
            self._taken[key] = not any(f"“{mark}”" in problem.message for problem in problems)
        return self._taken[key]

    def cell(self, field: MappedField, cell: CellReading) -> CellReading:
        """A cell, read as one of the characters that its field takes."""
        if cell.kind != "letter" or cell.glyph is None or isinstance(field.marks, tuple):
            return cell
        taken = {character: character for character in nets.CHARACTERS[:-1] if self.takes(field, character)}
        if not taken.keys() & set("123456789"):
            taken.pop("0", "")  # among letters, it is an O
        elif field.slot.letters > 1:
            taken["0"] = "0"
        is_digit = taken.keys() <= set(nets.DIGITS)
        row = (nets.digits if is_digit else nets.letters)(cell.glyph[None])[0]
        filled = 1 - cell.probabilities[BLANK]
        read = nets.among(row, nets.DIGITS if is_digit else nets.CHARACTERS, taken)
        chances = {character: filled * chance for character, chance in read.items()}
        return replace(cell, probabilities={BLANK: 1 - filled, **chances})

    def spelled(self, field: MappedField, cells: Sequence[CellReading]) -> Mapping[str, float]:
        """The words of the game that the boxes of a field can spell best, with their probabilities. Tiles that stand
        for any letter are written as they are."""
        if field.kind != "text" or field.slot.letters < _SHORTEST_WORD or not self._words:
            return {}
        blank = np.log([cell.probabilities.get(BLANK, 0.0) + _UNSEEN for cell in cells])
        filled = np.log([1 - cell.probabilities.get(BLANK, 0.0) + _UNSEEN for cell in cells])
        ends = [filled[:end].sum() + blank[end:].sum() for end in range(len(cells) + 1)]
        length = int(np.argmax(ends))
        return dict(self._best_words(cells[:length], float(np.exp(blank[length:].sum())))) if length else {}

    def _best_words(self, cells: Sequence[CellReading], rest: float) -> Iterator[tuple[str, float]]:
        letters, wild = _letter_chances(cells), [_wildcard(cell) for cell in cells]
        chances = np.maximum(letters, np.array([[chance] for _, chance in wild]))
        block = self._words.get(len(cells), b"")
        words = np.frombuffer(block, np.uint8).reshape(-1, len(cells) + 1)[:, :-1] - ord("a")
        scores = np.log(chances)[np.arange(len(cells)), words].sum(axis=1)
        for number in np.argsort(scores)[-_WORDS:]:
            text = "".join(
                wild[place][0] if wild[place][1] > letters[place, letter] else chr(letter + ord("A"))
                for place, letter in enumerate(words[number])
            )
            yield text, float(np.exp(scores[number])) * rest


def document_of(form: BlankForm, marks: Mapping[str, str], place: Place) -> Document:
    """A sheet with these marks as if it had been typed."""
    pairs = [(Scalar(key, place), Scalar(text, place)) for key, text in {**form.heading, **marks}.items() if text]
    return Document(Node(pairs, place), place)


def names_on(field_map: FieldMap, form: BlankForm) -> list[MappedField]:
    """The fields for the names of players."""
    key = form.players.key if form.players else None
    texts = (field for field in field_map.fields if field.kind == "text" and not field.slot.boxes)
    return [field for field in texts if field.id.split(".")[0] == key]


def _wildcard(cell: CellReading) -> tuple[str, float]:
    """The most probable sign in a box that is no letter, digit or dash."""
    signs = (pair for pair in cell.probabilities.items() if pair[0] not in (BLANK, UNREADABLE, "-"))
    return max((pair for pair in signs if not pair[0].isalnum()), key=itemgetter(1), default=("", 0.0))


def _letter_chances(cells: Sequence[CellReading]) -> NDArray[np.float64]:
    """The probabilities of A to Z in each box; ink that looks like no letter may be any of them."""
    alphabet = [chr(code) for code in range(ord("A"), ord("Z") + 1)]
    read = np.array([[cell.probabilities.get(letter, 0.0) for letter in alphabet] for cell in cells])
    return read + np.array([[cell.probabilities.get(UNREADABLE, 0.0) / 40 + _UNSEEN] for cell in cells])
