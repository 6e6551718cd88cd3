"""Cards from tables, YAML and JSON: matches columns to fields, and reads every cell by the type of its field."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from sys import intern
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from .. import limits, paths
from ..errors import (
    MAX_SHOWN,
    InputError,
    Place,
    Problem,
    collect,
    did_you_mean,
    fault,
    listed,
    refuse,
    shortened,
    similar,
)
from ..model.columns import COLUMN_TYPES, Column, ColumnFile, Columns, roles_of
from ..model.game import Card, CardsFile, TableFile
from ..model.values import Shown
from ..nodes import Scalar
from ..paths import PictureFolders
from ..tables.cell_texts import RELATION, HtmlMarks, are_copies, bare, counted, may_be_copies, signed
from ..tables.column_texts import ZERO, by_texts, variants, with_better
from ..tables.grid import CardTable, Cell, ListedCards, Row
from ..tables.headings import (
    LONG_FACT,
    as_title,
    assigned,
    folded,
    identifier,
    is_code,
    is_side,
    is_tick,
    is_word,
    language_of,
    meaning,
    names_a_count,
    stem,
)
from ..tables.table_rows import is_number

TEXTS = (".csv", ".tsv", ".txt", ".md")
WORKBOOKS = (".xlsx", ".xlsm", ".ods", ".html", ".htm")
LISTS = (".yaml", ".yml", ".json")
TABLES = (*TEXTS, *WORKBOOKS)
FOREIGN = (".xls", ".numbers", ".doc", ".docx", ".odt", ".rtf", ".pdf")
"""Formats of tables that must be saved in another one first."""
_BLANK = frozenset(("", ".", "~", "null"))
_UNDECLARED = ColumnFile()
_COPIES = re.compile(r"\s*[xX×]?\s*([0-9]{1,6})(?:[.,]0+)?\s*[xX×]?\s*")
_WORDS = re.compile(r"[^\W\d_]{2} \S")  # names have this, ids do not
_HEX = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")
_MIN_RATIO = 0.8  # how similar an unknown heading must be to a declared field to count as a misspelling of it
_MAX_UNKNOWN = 50  # unknown headings that are compared with the declared fields
# The pictures of a column that may all be misspelt. If more are missing, they are elsewhere.
_MAX_TYPOS = 1
_SHORT = 16  # the letters of a placeholder, at most
_MOST = 0.9  # the share of cells that counts as most of them
_MANY = 8  # the columns of a table in which one that says the same on every card comes from a program
_SAMPLE = 300  # the cells of a column that decide what it means
# Perhaps that of a file with a name: `boots.png (https://…)`.
_ADDRESS = re.compile(r"(?:[^\n(]*\()?https?://.*|[\w.+-]+@[\w-]+\.[\w.-]+", re.DOTALL)
_PICTURE = re.compile(r"[^\n]{1,200}\.(?:" + "|".join(ending[1:] for ending in paths.PICTURES) + ")", re.IGNORECASE)
# Columns that are left out: why, and the word that prints them.
_UNPRINTED = {
    "address": ("they contain web or e-mail addresses", "text"),
    "missing": ("they name pictures, but none of them is in the table’s folder or can be printed", "picture"),
    "twin": ("they repeat another column", "+"),
    "zero": ("they contain only zeros", "+"),
    "same": ("they are the same on every card", "+"),
    "rows": ("they only number the rows", "+"),
    "variant": ("they say the same as another column in other words", "+"),
    "working": ("they look like notes to yourself or data for a program", "+"),
    "code": ("they contain codes for programs", "+"),
}
_SINGULAR = {"they are": "it is", "they only number": "it only numbers"} | {
    f"they {verb}": f"it {verb}s" for verb in ("contain", "look", "name", "repeat", "say")
}
# The usual words for what a column means; `-` leaves it out, and `+` prints it under its own heading.
_MEANINGS = (
    *("title", "copies", "cost", "type", "text", "picture", "flavour", "footer"),
    *("front", "back", "suit", "rank", "colour", "id"),
)


class CardList(Struct, frozen=True):
    """The cards of a deck, what its columns mean, and how its file was understood where that is not certain."""

    cards: tuple[Card, ...]
    columns: Columns
    sheet: str = ""
    notes: tuple[str, ...] = ()
    copied: bool = True
    """Whether some card has another number of copies than one."""


def cards(definition: CardsFile, place: Place, *, distinct: bool = True) -> tuple[Card, ...]:
    """Dice or spaces: cards whose fields are all declared. Raises InputError with every problem, including, if they
    must be `distinct`, two with the same id."""
    return card_list(definition, place, definition.cards, strict=True, distinct=distinct).cards


def card_list(
    definition: CardsFile,
    place: Place,
    source_file: Any,
    file_name: str = "",
    *,
    folder: Path | None = None,
    strict: bool = False,
    distinct: bool = True,
) -> CardList:
    """The cards of a deck. `source_file` is the path of its table, or the list of its cards as a node. `folder` has its
    pictures. Undeclared columns are texts, or problems if `strict`. Raises InputError with every problem.
    """
    if len(definition.fields) > limits.COLUMNS:
        raise fault(f"this deck declares {len(definition.fields):,} fields; at most {limits.COLUMNS}", place)
    if (definition.cards is None) == (definition.table is None):
        raise fault("a deck needs either “cards” or a “table”", place)
    problems: list[Problem] = []
    source: CardSource = (
        _table(source_file, file_name, definition.table, problems)
        if isinstance(source_file, Path)
        else ListedCards(source_file, problems, is_json=file_name.lower().endswith(".json"))
    )
    match = _Match(definition, place, source, problems, strict=strict)
    fields = match.fields()
    rows, most = len(source), min(limits.ROWS, limits.CELLS // (len(fields) or 1))
    if rows > most:
        plural = "s" * (len(fields) != 1)
        raise fault(f"this deck has {rows:,} cards of {len(fields)} field{plural}; at most {most:,}", place)
    order = {heading: position for position, heading in enumerate(source.headings)}
    present = sorted((reader for reader in fields if reader.heading), key=lambda reader: order[reader.heading])
    headings = {reader.name: reader.heading for reader in present}
    roles = _roles(match, headings, folder) if folder else Columns()
    deck = _Deck(match, fields, {column.name for column in roles.rest}, match.counted_titles(roles.title, headings))
    found = tuple(map(deck.card, source, count(1)))
    for problem in deck.repeated if distinct else ():
        collect(problems, problem)
    if not found and not problems:
        problems.append(Problem("this deck has no cards", source.place))
    refuse(problems)
    rest = tuple(replace(column, long=column.long or column.name in deck.long) for column in roles.rest)
    letters = {name: source.letters[heading] for name, heading in headings.items()} if source.letters else {}
    notes = (*source.notes, *match.notes, *match.marks.notes())
    notes += tuple(_placeholders(found, roles))
    copied = bool(match.copies or deck.counted)
    return CardList(found, replace(roles, rest=rest, letters=letters), source.sheet, notes, copied=copied)


def _placeholders(deck: Sequence[Card], columns: Columns) -> Iterator[str]:
    """The note about printed cells that have not been filled in, such as `TBD`. A dash stands for nothing, unless it is
    the title or the text of a card."""
    names = dict.fromkeys([*roles_of(columns).values(), *(column.name for column in columns.rest)], "")
    names |= dict.fromkeys(filter(None, (columns.title, columns.rules, columns.front, columns.back)), "-–—")
    cells = [
        [str(card.values[name]).strip(dashes) for name, dashes in names.items() if card.values[name]] for card in deck
    ]
    found = [
        [text or "-" for text in texts if not text or (len(text) < _SHORT and is_word("placeholders", text))]
        for texts in cells
    ]
    if count := sum(map(bool, found)):
        words = listed(f"“{word}”" for word in dict.fromkeys(word for words in found for word in words))
        yield f"{count} card{'s have' if count > 1 else ' has'} a placeholder, which is printed: {words}"


def _roles(match: _Match, headings: Mapping[str, str], folder: Path) -> Columns:
    """The roles of the columns, by their headings and their first cells. Columns with the names of picture files beside
    the table are pictures. Those with web addresses, and those whose pictures are all
    missing, are not printed."""
    declared, labelled = match.definition.fields, match.source.labelled
    cells = {
        name: [RELATION.sub("", _text(cell)) for cell in islice(match.source.column(heading), _SAMPLE)]
        for name, heading in headings.items()
    }
    samples = {name: [*filter(None, texts)] for name, texts in cells.items()}
    uses = _uses(match, headings, samples, folder)
    others = variants({name: headings[name] for name in uses[""]}, cells, match.language)
    uses["variant"] = [*others]
    for use, (reason, word) in _UNPRINTED.items():
        match.notes += _unprinted(headings, uses[use], reason, word)
    pictures, unused = uses["picture"], {name for use in _UNPRINTED for name in uses[use]} - {*others}
    hidden = [
        name
        for name, heading in headings.items()
        if heading in match.source.hidden or (folded(heading) == "id" and heading != match.titles)
    ]
    plain = [name for name, heading in headings.items() if match.definition.columns.get(heading) == "+"]
    usable = {name: heading for name, heading in headings.items() if name not in {*unused, *plain, *uses["colour"]}}
    images = [name for name in pictures if name not in plain]
    columns = assigned(usable, declared, hidden, match.language, samples=samples, given=match.given, pictures=images)
    columns = with_better(columns, others)
    if uses["colour"]:
        columns = replace(columns, colour=columns.colour or uses["colour"][0])
    order = [*headings]
    facts = sorted(
        [*columns.rest, *(Column(name, headings[name]) for name in plain)], key=lambda each: order.index(each.name)
    )
    columns = replace(columns, rest=tuple(facts))
    columns = by_texts(columns, samples, labelled)
    labels = {column.label for column in columns.rest if labelled} - {*match.source.lettered}
    rest = [
        replace(column, label=column.label * (column.label in labels), picture=column.name in pictures)
        for column in columns.rest
    ]
    named = not is_side(headings.get(columns.front or "", ""))
    columns = replace(columns, rest=tuple(rest), headings=headings, labelled=labelled, named_sides=named)
    return replace(columns, first_option=0 if "0" in samples.get(columns.back or "", ()) else 1)


def _uses(
    match: _Match, headings: Mapping[str, str], samples: Mapping[str, Sequence[str]], folder: Path
) -> dict[str, list[str]]:
    """The columns whose use is not stated, grouped by how they are used (`_use`)."""
    finder, labelled = PictureFolders(), match.source.labelled
    stated = {
        *match.definition.fields,
        *match.given,
        *(name for name, heading in headings.items() if heading in match.definition.columns),
    }
    twins: dict[tuple[str, ...], str] = {}
    uses: dict[str, list[str]] = {use: [] for use in ("", "picture", "colour", *_UNPRINTED)}
    for name, heading in headings.items():
        cells = tuple(samples[name])
        if (texts := dict.fromkeys(cells)) and name not in stated:
            is_twin = not stem(heading) and len(texts) > 2 and len(cells) > 7 and twins.setdefault(cells, name) != name
            is_same = len(texts) == 1 and len(cells) == min(len(match.source), _SAMPLE) > 2
            if is_twin or (not labelled and len(cells) > 7 and [*cells] == [*map(str, range(1, len(cells) + 1))]):
                use = "twin" if is_twin else "rows"
            elif is_same and (
                not labelled or (len(headings) > _MANY and not meaning(heading, match.language)[0]) or is_tick(cells[0])
            ):
                use = "same"
            else:
                use = _use(match, heading, texts, lambda text: bool(finder.find(folder, text)), len(cells))
            uses[use].append(name)
    return uses


def _use(match: _Match, heading: str, texts: Collection[str], exists: Callable[[str], bool], cells: int) -> str:
    """How a column is used: as a `picture` or a `colour`, or not at all, for the reason with this key in _UNPRINTED;
    “” if it is printed. `texts` are its different texts, and `cells` is the number of cells that have one."""
    role = meaning(heading, match.language)[0]
    if all(map(_ADDRESS.fullmatch, texts)):
        return "address"
    if role == "image" or sum(map(bool, map(_PICTURE.fullmatch, texts))) >= _MOST * len(texts):
        if any(map(exists, texts)):
            return "picture"
        return "missing" if not role or (role == "image" and max(len(texts), cells // 4) > _MAX_TYPOS) else ""
    if all(map(ZERO.fullmatch, texts)):
        return "zero"
    if all(map(_HEX.fullmatch, texts)):
        return "colour"
    is_work = is_word("working", heading) or (is_word("ticked", heading) and all(map(is_tick, texts)))
    is_work |= bool(match.copies) and is_word("totals", heading) and all(map(is_number, texts))
    if is_work or all(is_word("states", text) for text in texts):
        return "working"
    is_title = heading == match.titles or folded(heading) == "id"
    if role == "title" and sum(meaning(each, match.language)[0] == role for each in match.source.headings) > 1:
        role, heading = "id", "id"  # a name for programs, beside the title
    return "code" if role in ("id", "") and not is_title and is_code(heading, texts) else ""


def _have_gaps(ids: Sequence[str]) -> bool:
    """Whether ids do more than count the cards: numbers such as those on shirts, or a letter and a number, as on the
    cards of a Quartett."""
    if all(re.fullmatch("[A-Za-z][0-9]{1,2}", text) for text in ids):
        return len({text[0] for text in ids}) < len(ids)
    numbers = [int(text) for text in ids if text.isdecimal() and len(text) < 10]
    return len(numbers) == len(ids) > 0 and numbers != [*range(numbers[0], numbers[0] + len(numbers))]


def _unprinted(headings: Mapping[str, str], names: Sequence[str], reason: str, word: str) -> Iterator[str]:
    """The note about columns that are left out."""
    if names:
        columns = listed(f"“{shortened(headings[name], 28)}”" for name in names)
        first = shortened(headings[names[0]], 200)
        for many, one in _SINGULAR.items() if len(names) == 1 else ():
            reason = reason.replace(many, one)
        option = f'--columns "{first}={word}" prints {"it" if len(names) == 1 else f"“{shortened(first, 28)}”"}'
        yield f"not printed, because {reason}: {columns} ({option})"


# ---- sources


def _table(path: Path, file_name: str, table: TableFile | None, problems: list[Problem]) -> CardSource:
    sheet, place = (table.sheet, table.place) if table else (None, None)
    headings, all_rows = (table.headings, table.all_rows) if table else (None, False)
    ending = path.suffix.lower()
    if ending in WORKBOOKS:
        from ..tables.workbooks import workbook  # most tables are text

        return CardTable(workbook(path, file_name, sheet), problems, headings, all_rows)
    if ending not in TEXTS:
        raise not_a_table(path, place)
    if sheet is not None:
        raise fault("only spreadsheets have sheets", place, "remove the key “sheet”")
    from ..tables.delimited import delimited  # not needed for cards in YAML

    return CardTable(delimited(path, file_name, table.encoding if table else None), problems, headings, all_rows)


def not_a_table(path: Path, place: Place | None) -> InputError:
    return fault(f"{path.name} is not a table of cards that can be read", place, how_to_save(path))


def how_to_save(path: Path) -> str:
    """What to do with a file of another program, so that its table can be read."""
    return (
        "save it as .xlsx, .ods or .csv"
        if path.suffix.lower() in (".xls", ".numbers")
        else "copy its table into a spreadsheet, and save that as .xlsx, .ods or .csv"
    )


CardSource = CardTable | ListedCards

# ---- columns → fields


class _Match(Struct):
    """Finds the column of every field. `id` and `copies` are the headings of those columns, `given` the names of fields
    that the definition gives to columns. `titles` is the heading of ids that are also the titles."""

    definition: CardsFile
    place: Place
    source: CardSource
    problems: list[Problem]
    strict: bool
    id: str = ""
    copies: str = ""
    titles: str = ""
    notes: list[str] = field(default_factory=list)
    language: str = ""
    given: frozenset[str] = frozenset()
    marks: HtmlMarks = field(default_factory=HtmlMarks)

    @property
    def declared(self) -> Mapping[str, ColumnFile]:
        return self.definition.fields

    @property
    def table(self) -> TableFile | None:
        return self.definition.table

    def fields(self) -> list[_CellReader]:
        """Every field with its heading (“” for a declared field that no column has)."""
        self.language = language_of(self.source.headings)
        renamed = self._renamed()
        by_field = self._declared(renamed)
        names = {heading: name for name, heading in renamed.items()}
        self.given = frozenset(renamed)
        words = self.definition.columns
        free = [
            heading
            for heading in self.source.headings
            if heading not in by_field.values() and words.get(heading) != "-"
        ]
        usable = [heading for heading in free if heading not in words]
        self.id = self.id or self._reserved("id", usable, self._can_be_ids)
        counts = (each for each in usable if each == "#" and self._can_be_copies(each) and not self._can_be_ids(each))
        self.copies = self.copies or self._reserved("copies", usable, self._can_be_copies) or next(counts, "")
        free = [heading for heading in free if heading not in (self.id, self.copies)]
        refused = sum(is_word("no", _text(cell)) for cell in (self.source.column(self.copies) if self.copies else ()))
        if refused and not self.strict:
            plural, name = "s" * (refused != 1), shortened(self.copies, 30)
            option = f'--columns "{name}=-" prints {"them" if plural else "it"}'
            self.notes.append(f"{refused} card{plural} left out, because “{name}” says no ({option})")
        if not self.copies and not self.strict:
            self.notes += self._unused_counts(free)
        for heading in self._misspelt(free, by_field):
            hint = did_you_mean(heading, self.declared) or "declare it under “fields”"
            message = f"unknown field “{shortened(heading)}”"
            collect(self.problems, Problem(message, self.source.heading_place(heading), hint))
            free.remove(heading)
        fields = [self._reader(name, by_field.get(name, ""), column) for name, column in self.declared.items()]
        taken = {*self.declared, *names.values(), "id"}
        if self.id and not self.declared and not self.strict:
            ids = [_text(cell) for cell in self.source.column(self.id)]
            self.titles, doubtful = self.id * self._ids_are_titles(), self.id not in words and folded(self.id) != "id"
            if self.titles or (doubtful and _have_gaps(ids)):
                free.insert(0, self.id)
            elif doubtful:
                reason = "it only numbers the cards" if all(map(str.isdecimal, ids)) else "it contains the cards’ ids"
                self.notes += _unprinted({"": self.id}, [""], reason, "+")
        for heading in free:
            name = names.get(heading) or identifier(heading, taken)
            taken.add(name)
            fields.append(self._reader(name, heading, None))
        return fields

    def _reader(self, name: str, heading: str, column: ColumnFile | None) -> _CellReader:
        separator = self._separator(heading) if column and column.list else None
        marks = self.marks if self.source.marked else None
        return _CellReader(name, heading, column, separator=separator, marks=marks)

    def _separator(self, heading: str) -> str | None:
        """What stands between the values of a list in this column; None for spaces."""
        if self.table and self.table.separator is not None:
            return self.table.separator.strip() or None
        cells = [cell for cell in (self.source.column(heading) if heading else ()) if isinstance(cell, str)]
        return next((sign for sign in "|;," if any(sign in cell for cell in cells)), None)

    def _renamed(self) -> dict[str, str]:
        """The headings of fields that `columns` gives, in the table or beside it; sets `id` and `copies`."""
        headings, renamed = self.source.headings, dict[str, str]()
        spellings = {folded(heading): heading for heading in reversed(headings)}
        given = [(self.table.place, name, column) for name, column in self.table.columns.items()] if self.table else []
        stated = self.definition.columns
        given += [(self.place, self._named(word), column) for column, word in stated.items()]
        for place, name, column in given:
            heading = column if column in headings else spellings.get(folded(column), "")
            if not heading:
                hint = did_you_mean(column, headings)
                if (word := stated.get(column, "")) in headings:
                    hint = f"write the heading first: {word}: {column}"
                collect(
                    self.problems, Problem(f"{self._key(place)} there is no column “{shortened(column)}”", place, hint)
                )
            elif name in renamed:
                message = f"{self._key(place)} “{renamed[name]}” and “{heading}” cannot both be the {name}"
                collect(self.problems, Problem(message, place))
            elif name:
                renamed[name] = heading
        self.id, self.copies = renamed.pop("id", ""), renamed.pop("copies", "")
        return renamed

    def _named(self, word: str) -> str:
        """The name of the field for a word that says what a column means; “” for `-`, and after reporting a problem."""
        role = meaning(word)[0] or meaning(word, self.language)[0]
        if word in self.declared or word in ("-", "+"):
            return word.strip("-+")
        if not role:
            words = f"{', '.join(_MEANINGS)}, - to leave the column out, or + to print it under its own heading"
            hint = did_you_mean(word, _MEANINGS) or f"use {words}"
            message = f"{self._key(self.place)} “{shortened(word)}” is not known"
            collect(self.problems, Problem(message, self.place, hint))
        return role if role in ("id", "copies") or not role else identifier(word)

    @staticmethod
    def _key(place: Place | None) -> str:
        """What says the meanings of columns: a key of a file, or for a bare table, the option."""
        return "“columns”:" if place and place.line else "--columns:"

    def _declared(self, renamed: Mapping[str, str]) -> dict[str, str]:
        """The headings of declared fields: those of `table`, or those as typed or in another spelling."""
        headings, declared = self.source.headings, self.declared
        by_field = {name: name for name in declared if name in headings}
        by_field |= {name: heading for name, heading in renamed.items() if name in declared}
        spellings = {folded(heading): heading for heading in reversed(headings)}
        for name in [name for name in declared if name not in by_field]:
            heading = spellings.get(folded(name))
            if heading and heading not in by_field.values() and heading not in renamed.values():
                by_field[name] = heading
        for name, heading in by_field.items():
            if folded(name) == "id":
                self.id = self.id or heading
            elif is_word("always_copies", name):
                self.copies = self.copies or heading
        return by_field

    def _reserved(self, role: str, headings: Iterable[str], is_usable: Callable[[str], bool]) -> str:
        """The heading of the column with the cards' ids or copies, if there is one."""
        declared = set(map(folded, self.declared))
        candidates = sorted(
            (position, number, heading)
            for number, heading in enumerate(headings)
            for match, position in [meaning(heading, self.language)]
            if match == role and folded(heading) not in declared
        )
        return next((heading for _, _, heading in candidates if is_usable(heading)), "")

    def _can_be_ids(self, heading: str) -> bool:
        """Whether a column holds ids: if every card has a different one. In a deck with declared fields, `id` always
        does, so that ids that repeat are reported."""
        is_id = folded(heading) == "id"
        texts = list(map(_text, self.source.column(heading)))
        filled = [text or str(number) for number, text in enumerate(texts, 1) if text or is_id]
        if is_id and (self.declared or self.strict):
            return True
        if is_id and len(set(filled)) < len(filled):
            repeated = next(text for text in filled if filled.count(text) > 1)  # perhaps the number of a blank one
            self.notes.append(
                f"“{heading}” does not identify the cards, because “{shortened(repeated)}” appears more than once"
            )
        are_words = not is_id and 2 * sum(bool(_WORDS.search(text)) for text in texts) > len(texts)
        return all(filled) and len(set(filled)) == len(filled) and not are_words

    def _can_be_copies(self, heading: str) -> bool:
        """Whether a column holds copies: `copies` always does; `count` and `x` if all values are whole numbers, but not
        `x` beside `y`."""
        if folded(heading) == "x" and "y" in map(folded, self.source.headings):
            return False
        texts = {_text(cell) for cell in self.source.column(heading)}
        # ticks without a “no” may be for anything
        counts = [*map(_copies, self.source.column(heading))]
        only_yes = any(is_word("yes", text) for text in texts) and 0 not in counts
        return is_word("always_copies", heading) or (None not in counts and not only_yes)

    def _ids_are_titles(self) -> bool:
        """Whether the ids are names, and no other column has any."""
        for heading in self.source.headings:
            role = meaning(heading, self.language)[0]
            texts = [text for cell in islice(self.source.column(heading), _SAMPLE) if (text := _text(cell))]
            is_name = role in ("title", "front", "suit", "rank") or (not role and as_title(texts) > 2)
            if (as_title(texts) < 4) if heading == self.id else is_name:
                return False
        return True

    def _unused_counts(self, headings: Iterable[str]) -> Iterator[str]:
        """Notes about columns that look like the number of copies but are not used as such."""
        for heading in headings:
            role = meaning(heading, self.language)[0]
            is_copies = role == "copies" and folded(heading) != "x"
            if is_word("working", heading) or (not is_copies and (role or not names_a_count(heading))):
                continue
            cells = list(self.source.column(heading))
            counts = [_copies(cell) for cell in cells]
            filled = sum(number is not None and _text(cell) != "" for number, cell in zip(counts, cells, strict=True))
            if None not in counts and filled:
                name = shortened(heading, 30)
                yield f'“{name}” is printed on the cards (if it is the number of copies: --columns "{name}=copies")'
            elif None in counts and is_copies and 2 * filled >= len(cells):
                bad = counts.index(None)
                row, _ = next(islice(self.source, bad, None))
                place = self.source.place_of(row, heading)
                text = shortened(_text(cells[bad]))
                where = place.cell or f"line {place.line}"
                yield f"“{shortened(heading)}” is not read as the number of copies, as one value is “{text}” ({where})"

    def counted_titles(self, name: str | None, headings: Mapping[str, str]) -> str:
        """The field of the titles if they contain the numbers of copies; otherwise “”. Adds a note about them."""
        if not name or self.copies or name in self.declared or name in self.given or not self.source.marked:
            return ""
        heading = headings[name]
        texts = [text for text in map(_text, self.source.column(heading)) if text]
        has_signs = 2 * sum(signed(text) is not None for text in texts) >= len(texts) > 0
        if not has_signs and not may_be_copies(texts):
            return ""
        example = next(text for text in texts if (signed if has_signs else bare)(text))
        column = f"“{shortened(heading, 30)}”, as in “{shortened(example, 30)}”,"
        if has_signs or (len(headings) == 1 and are_copies(texts)):
            option = f'--columns "{shortened(heading, 30)}=title"'
            self.notes.append(f"the numbers in {column} are read as copies (if they belong to the titles: {option})")
            return name
        spelling = "{}x {}".format(*bare(example) or ())
        self.notes.append(
            f"the numbers in {column} are printed (if they are copies, write “{shortened(spelling, 30)}”)"
        )
        return ""

    def _misspelt(self, headings: list[str], by_field: Mapping[str, str]) -> list[str]:
        """Headings that are probably misspelt: similar to a declared field that a card with this heading lacks."""
        if self.strict:
            return list(headings)
        misspelt = []
        for heading in headings[:_MAX_UNKNOWN] if self.declared else ():
            alike = [
                by_field.get(name, "")
                for name in self.declared
                if similar(folded(name)[:60], [folded(heading)[:60]], _MIN_RATIO)
            ]
            if alike and any(heading in cells and cells.keys().isdisjoint(alike) for _, cells in self.source):
                misspelt.append(heading)
        return misspelt


def _copies(cell: Cell) -> int | None:
    """`3`, `3x`, `×3`, `3.0` or nothing → a number of copies; None if it is something else."""
    text = cell.raw if isinstance(cell, Shown) else _text(cell)
    match = _COPIES.fullmatch(text)
    ticks = (number for number, kind in enumerate(("no", "yes")) if is_word(kind, text))
    number = int(match[1]) if match else next(ticks, None) if text.strip() else 1
    return None if number is None or number > limits.COPIES else number


# ---- cells → values


def _text(cell: Cell) -> str:
    """The text of a cell with a single value; “” if it is blank."""
    if isinstance(cell, str):
        text = cell.strip()
        return "" if text in _BLANK else text
    return ", ".join(scalar.text for scalar in cell if not scalar.blank)


class _CellReader:
    """Reads the cells of a column. `separator` stands between the values of a list in a table; None means spaces.
    `marks` reads the HTML of a table that another program may have written."""

    def __init__(
        self, name: str, heading: str, declared: ColumnFile | None, *, separator: str | None, marks: HtmlMarks | None
    ) -> None:
        self.name, self.heading, self.separator, self.marks = name, heading, separator, marks
        self.column = column = declared or _UNDECLARED
        self.declared = declared is not None
        read = COLUMN_TYPES[column.kind]
        self.parse: Callable[[str], Any] = lru_cache(maxsize=1024)(lambda text: read(text, column))  # values repeat
        self.is_text = column.kind == "text" and not column.list

    def texts(self, cell: Cell) -> list[str]:
        """The values of a cell that are not blank."""
        if not isinstance(cell, str):
            return [scalar.text for scalar in cell if scalar.quoted or not scalar.blank]
        if self.column.list:
            return [intern(part) for part in map(str.strip, cell.split(self.separator)) if part not in _BLANK]
        text = (cell.raw if isinstance(cell, Shown) and self.column.kind == "number" else cell).strip()
        return [] if not text or (self.declared and text in _BLANK) else [text]

    def value(self, cell: Cell) -> Any:
        """The value of a cell; raises ValueError if it has problems."""
        texts = self.texts(cell)
        if self.column.required and not texts:
            raise ValueError
        if self.column.list:
            return tuple(map(self.parse, texts))
        if not texts:
            return None
        if self.declared and len(cell if isinstance(cell, list) else texts) > 1:
            raise ValueError
        if not self.is_text:
            return self.parse(texts[0])
        text = ("\n" if len(texts) > 1 and any(text[-1:] in ".!?…。" for text in texts) else ", ").join(texts)
        return self.marks.marked(text) if self.marks else text


class _Deck(Struct):
    """Reads rows as cards, and collects problems. `rest` are the fields whose long texts, those that need more than a
    line of a small table, are remembered in `long`. The texts of the field `counted` contain the copies."""

    match: _Match
    fields: list[_CellReader]
    rest: set[str]
    counted: str
    long: set[str] = field(default_factory=set)
    ids: dict[str, Place] = field(default_factory=dict)
    repeated: list[Problem] = field(default_factory=list)

    def card(self, row: Row, number: int) -> Card:
        """The card in a row; adds its problems."""
        where, cells = row
        values: dict[str, Any] = {}
        for reader in self.fields:
            cell = cells.get(reader.heading, "")
            try:
                value = reader.value(cell)
            except ValueError:
                value = self._repaired(reader, cell, where)
            values[reader.name] = value
            if reader.name in self.rest and isinstance(value, str) and (len(value) > LONG_FACT or "\n" in value):
                self.long.add(reader.name)
                self.rest.discard(reader.name)
        place = self.match.source.place_of(where)
        name = _text(cells.get(self.match.id, "")) or str(number)
        if self.match.id and (first := self.ids.setdefault(name, place)) is not place:
            hint = f"the first is {'in row' if first.sheet else 'on line'} {first.line}"
            self.repeated.append(Problem(f"two cards have the id “{shortened(name)}”", place, hint))
        copies = self._copies(cells.get(self.match.copies, ""), where) if self.match.copies else 1
        if self.counted:
            copies, values[self.counted] = counted(values[self.counted] or "") or (1, values[self.counted])
        return Card(name, MappingProxyType(values), copies, place)

    def _copies(self, cell: Cell, where: Place | int) -> int:
        number = _copies(cell)
        if number is None:
            heading = self.match.copies
            message = f"“{shortened(heading)}” must be from 0 to {limits.COPIES:,}, not “{shortened(_text(cell))}”"
            self._bad(message, cell[0].place if isinstance(cell, list) else self.match.source.place_of(where, heading))
        return 1 if number is None else number

    def _repaired(self, reader: _CellReader, cell: Cell, where: Place | int) -> Any:
        """The number that a cell shows with a currency, a percent sign or the like; or None, after adding the problems
        of the cell."""
        if isinstance(cell, Shown):
            try:
                return reader.value(cell.raw)
            except ValueError:
                pass
        column, name, source = reader.column, reader.heading or reader.name, self.match.source
        if isinstance(cell, str):
            place = source.place_of(where, reader.heading)
            scalars = [Scalar(text, place) for text in reader.texts(cell)]
        else:
            place = cell[0].place if cell else source.place_of(where)
            scalars = [scalar for scalar in cell if scalar.quoted or not scalar.blank]
            if not column.list and len(cell) > 1:
                hint = f"declare it with “list: true” to give {len(cell)}"
                self._bad(f"“{name}” must be a single value, not a list", place, hint)
                return None
        if column.required and not scalars:
            self._bad(f"this card needs “{name}”", place)
        for scalar in scalars:
            try:
                reader.parse(scalar.text)
            except ValueError as error:
                near = did_you_mean(scalar, column.choices) if len(self.match.problems) < MAX_SHOWN else ""
                self._bad(f"“{shortened(name)}” must be {error}, not “{shortened(scalar)}”", scalar.place, near)
        return () if column.list else None

    def _bad(self, message: str, place: Place, hint: str = "") -> None:
        collect(self.match.problems, Problem(message, place, hint))
