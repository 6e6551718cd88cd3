"""What the fields of a sheet take, beyond what the field map says: the characters, texts and words of its game.

The game itself is asked, also your own: if a message about a sheet with one mark quotes it, the field does not take it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, product
from math import inf
from string import ascii_uppercase

import numpy as np
from msgspec.structs import replace

from ..errors import Place
from ..judging.judge import Judge, SheetView, check
from ..judging.questions import BlankForm
from ..nodes import Mapping as Node
from ..nodes import Scalar
from ..pages.field_map import DIGITS, FieldMap, MappedField
from ..sheets import Document
from . import nets
from .cells import CellReading, character
from .fields import BLANK, UNREADABLE, FieldReading, combinations

NOT_TAKEN = 0.02
"""How probable it is that people write what a field cannot hold, rather than that it was misread."""
_NO_SLASH = 0.03
"""How probable it is that the slash of a ≠ is too faint to be seen."""
_SHORTEST_WORD = 3
_WORDS, _SPELLINGS = 6, 4
_UNSEEN, _UNLIKELY = 1e-6, 1e-3
_NOWHERE = Place("")


class Accepted:
    """What the fields of one kind of sheet take."""

    def __init__(self, field_map: FieldMap, form: BlankForm, judge: Judge) -> None:
        self.form, self.judge = form, judge
        texts = [field.id for field in field_map.fields if field.kind == "text" and not field.slot.boxes]
        names = (name for name in texts if form.players and name.split(".")[0] == form.players.key)
        self.names = {name: f"Player {number}" for number, name in enumerate(names, 1)}
        self._taken: dict[tuple[str, str], bool] = {}
        self._words: Mapping[int, bytes] = form.rules.words(form.game)
        self._beside = {
            field.id: name
            for field, name in product(field_map.fields, texts if self._words else ())
            if field.slot.letters >= _SHORTEST_WORD and field.id.rpartition(".")[0] == name.rpartition(".")[0]
        }
        self._meant: dict[tuple[str, str], list[str]] = defaultdict(list)

    def numbered(self, fields: Mapping[str, FieldReading]) -> dict[str, str]:
        """Names for the players whose names only a person can read."""
        return {name: text for name, text in self.names.items() if name in fields and fields[name].mark == UNREADABLE}

    def takes(self, field: MappedField, mark: str) -> bool:
        """Whether a sheet with this mark can be read, whatever the numbers in the field's id."""
        if mark in (BLANK, UNREADABLE) or isinstance(field.marks, tuple) or field.marks == DIGITS:
            return True
        key = re.sub("[0-9]+", "0", field.id), mark
        if key not in self._taken:
            view = self.judge.read(document_of(self.form, self.names | {field.id: mark}, _NOWHERE), "")
            problems = () if isinstance(view, SheetView) else view.problems
            self._taken[key] = not any(f"“{mark}”" in problem.message for problem in problems)
        return self._taken[key]

    def cell(self, field: MappedField, cell: CellReading) -> CellReading:
        """A cell, read as one of the characters that its field takes."""
        if cell.kind != "letter" or cell.scores is None or isinstance(field.marks, tuple):
            return cell
        likely = cell.scores.max(axis=0)[len(nets.DIGITS) : -1] > _UNLIKELY
        taken = {each: each for each in compress(nets.CHARACTERS, likely) if self.takes(field, each)}
        if not any(self.takes(field, digit) for digit in "123456789"):
            taken.pop("0", "")  # among letters, it is an O
        elif field.slot.letters > 1:
            taken["0"] = "0"
        filled = 1 - cell.probabilities[BLANK]
        read, _ = character(cell.scores, taken, taken.keys() <= set(nets.DIGITS))
        chances = {mark: filled * chance for mark, chance in read.items()}
        return replace(cell, probabilities={BLANK: 1 - filled, **chances})

    def spelled(self, field: MappedField, cells: Sequence[CellReading]) -> Mapping[str, float]:
        """The words that a field can spell best, with their probabilities; tiles for any letter are kept."""
        if field.kind != "text" or field.slot.letters < _SHORTEST_WORD or not self._words:
            return {}
        blank = np.log([cell.probabilities.get(BLANK, 0.0) + _UNSEEN for cell in cells])
        filled = np.log([1 - cell.probabilities.get(BLANK, 0.0) + _UNSEEN for cell in cells])
        ends = [filled[:end].sum() + blank[end:].sum() for end in range(len(cells) + 1)]
        length = int(np.argmax(ends))
        spelled: dict[str, float] = {}
        for word, text, chance in self._best_words(cells[:length], float(np.exp(blank[length:].sum()))):
            spelled[text] = max(spelled.get(text, 0.0), chance)
            self._meant[field.id, text].append(word)
        return spelled

    def words_beside(self, marks: Mapping[str, str]) -> dict[str, str]:
        """The words beside texts with tiles for any letter: of those that fit, the one that breaks the fewest rules."""
        found = {}
        for name, beside in self._beside.items():
            if beside not in marks and (words := self._meant[name, marks.get(name, "")]) and not marks[name].isalnum():
                if len(words) > 1:
                    sheets = [self.broken(self.names | {name: marks[name], beside: word}) for word in words]
                    counts = [inf if sheet is None else sheet.total() for sheet in sheets]
                    words[:] = [words[counts.index(min(counts))]]
                found[beside] = words[0]
        return found

    def broken(self, marks: Mapping[str, str], place: Place = _NOWHERE) -> Counter[str] | None:
        """How often a sheet with these marks breaks each rule; None if it cannot be understood."""
        view = self.judge.read(document_of(self.form, marks, place), "")
        errors = (
            (each.rule for each in check(view) if each.severity == "error") if isinstance(view, SheetView) else None
        )
        return None if errors is None else Counter(errors)

    def _best_words(self, cells: Sequence[CellReading], rest: float) -> Iterator[tuple[str, str, float]]:
        """Words, how they are spelled in these cells, and how probable that is."""
        if not cells:
            return
        read = [[cell.probabilities.get(letter, 0.0) for letter in ascii_uppercase] for cell in cells]
        unread = [[cell.probabilities.get(UNREADABLE, 0.0) / 40 + _UNSEEN] for cell in cells]  # may be any of them
        letters, wild = np.array(read) + np.array(unread), [_wildcards(cell) for cell in cells]
        chances = np.maximum(letters, np.array([[max(signs.values())] for signs in wild]))
        block = self._words.get(len(cells), b"")
        words = np.frombuffer(block, np.uint8).reshape(-1, len(cells) + 1)[:, :-1] - ord("a")
        scores = np.log(chances)[np.arange(len(cells)), words].sum(axis=1)
        for number in np.argsort(scores)[-_WORDS:]:
            word = bytes(words[number] + ord("a")).decode()
            found = letters[range(len(cells)), words[number]].tolist()
            options = [
                [(each.upper(), chance)] if chance >= max(signs.values()) else [*signs.items()]
                for each, chance, signs in zip(word, found, wild, strict=True)
            ]
            for text, chance in combinations(options, _SPELLINGS):
                yield word, "".join(text), chance * rest


def document_of(form: BlankForm, marks: Mapping[str, str], place: Place) -> Document:
    """A sheet with these marks as if it had been typed."""
    pairs = [(Scalar(key, place), Scalar(text, place)) for key, text in {**form.heading, **marks}.items() if text]
    return Document(Node(pairs, place), place)


def _wildcards(cell: CellReading) -> dict[str, float]:
    """The signs that may be in a box, which are not letters, digits or dashes, with their probabilities."""
    chances = cell.probabilities.items()
    signs = {sign: chance for sign, chance in chances if not sign.isalnum() and sign not in (BLANK, UNREADABLE, "-")}
    if "≠" in signs:
        signs["≠"] = max(signs["≠"], _NO_SLASH * signs.get("=", 0.0))
    return signs or {"": 0.0}
