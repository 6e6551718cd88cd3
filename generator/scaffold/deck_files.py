"""The files that describe a deck, and changes to them: rows of its table, what its columns mean (in cards.yaml), its
face and size (in game.yaml), and colours, fonts and sizes of texts (in theme.yaml).

A bare table has no such files; what is chosen for it is a `TableLook`. `page_data` says how a page shows a deck: its
table, and how its cards look, as plain data.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .. import limits, nodes, paths
from ..errors import InputError, Problem, fault, shortened
from ..model.columns import FACE_ROLES, NO_COLUMNS, Columns, back_for, roles_of
from ..model.game import Component, ComponentFile, Game, GameFile, TableFile, Theme
from ..model.values import FileName
from ..printing.signs import coloured_values, signs
from ..reading import typed
from ..reading.card_tables import TABLES, TEXTS, WORKBOOKS
from ..reading.components import GameFiles
from ..reading.sizes import card_size, card_sizes
from ..reading.table_game import BLEED, COMPONENT, DEFAULT_SIZE, TEMPLATES, TableLook, column_meanings, fonts_beside
from ..tables.delimited import grid_of
from ..tables.grid import CardTable, CellGrid
from ..tables.headings import meaning
from ..tables.workbooks import workbook
from .edits import NewRow, edited_rows, edited_yaml
from .kept_files import MAX_ROWS
from .new_game import quoted

ROLES = {
    "title": "Title",
    "text": "Rules text",
    "flavour": "Flavour text",
    "footer": "Foot of the card",
    "picture": "Picture",
    "cost": "Cost",
    "type": "Type",
    "copies": "Copies",
    "front": "Question",
    "back": "Answer",
    "suit": "Suit",
    "rank": "Rank",
    "colour": "Colour",
    "id": "Id",
    "+": "Its own heading",
    "-": "Leave out",
}
"""The words of `columns`, and what they are called."""
SIZES = {"title": (6, 28, "pt"), "text": (6, 16, "pt"), "picture": (5, 70, "mm")}
"""The least and the greatest size of titles, texts and pictures that can be chosen."""
_WORDS = {"rules": "text", "image": "picture"}  # the words for roles that have another name
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
Keys = dict[tuple[str, ...], str | None]
"""Keys of a YAML file with their new values."""
MAX_TYPES = 24
_NONE: dict[str, Any] = {
    "about": "",
    "headings": [],
    "rows": [],
    "roles": [],
    "sheets": [],
    "notes": [],
    "labelled": True,
}
FACES = {
    "editorial": "Editorial",
    "illustrated": "Illustrated",
    "typographic": "Typographic",
    "standard": "Standard",
    "picture": "Picture",
    "word": "Word",
    "flash": "Flash card",
    "tarot": "Tarot",
    "number_and_suit": "Number and suit",
}
"""The built-in faces, and what they are called."""


class DeckFiles(Struct, frozen=True):
    """Where a deck is described: its component in game.yaml, its cards.yaml and its table, each if it has one, and how
    they are read. `decks` are the titles of all decks of the game. `fixed` says why its rows cannot be changed; the
    `theme` of a bare table is “”."""

    name: str
    about: ComponentFile
    folder: Path
    form: TableFile
    columns: Mapping[str, str]
    table: Path | None = None
    cards: Path | None = None
    theme: str = ""
    decks: Mapping[str, str] = {}
    fixed: str = ""


class CardSheet(Struct, frozen=True):
    """A table as it is now: the rows of its cards, the bytes of its file, and how a text is written."""

    table: CardTable
    grid: CellGrid
    raw: bytes
    writing: str

    @property
    def version(self) -> str:
        return blake2b(self.raw, digest_size=8).hexdigest()

    def cells(self, row: int) -> list[str]:
        """The texts of a row, one for each heading."""
        cells = self.table.rows[row][1]
        return [str(cells[at]) if at < len(cells) else "" for at in self.table.positions.values()]

    def full(self, row: int | None, cells: list[str]) -> tuple[str, ...]:
        """A row with these texts below its headings; columns without a heading keep theirs."""
        full = [] if row is None else list(self.table.rows[row][1])
        full += [""] * (self.table.width - len(full))
        for position, text in zip(self.table.positions.values(), cells, strict=False):
            full[position] = text
        return tuple(full)


def deck_files(folder: Path, name: str = "") -> DeckFiles:
    """The files of a deck in the folder of a game, by default those of its first. Raises InputError if there is none,
    or if its YAML files cannot be read."""
    files = GameFiles(folder)
    game = typed.read(files.node("game.yaml"), GameFile)
    decks = {key: part for key, part in game.components.items() if part.kind == "deck"}
    if not decks:
        raise fault("this game has no deck of cards", hint="its other parts are changed in their files and templates")
    name = name if name in decks else next(iter(decks))
    part, titles = decks[name], {key: each.title for key, each in decks.items()}
    form = TableFile(file=FileName(part.cards or ""))
    deck = DeckFiles(name, part, folder, form, {}, theme=game.theme, decks=titles)
    if not part.cards:
        return replace(deck, fixed="The cards of this deck are drawn at random.")
    if Path(part.cards).suffix.lower() not in TABLES:
        definition, _ = files.cards_file(part.cards, part.place)
        deck = replace(deck, cards=files.path(part.cards), columns=definition.columns, form=definition.table or form)
        if Path(deck.form.file).suffix.lower() not in TABLES:
            return replace(deck, fixed=f"These cards are listed in {part.cards}. Change them there, in any editor.")
    table = files.path(deck.form.file, deck.form.place)
    return replace(deck, table=table, fixed=_unwritable(table))


def table_files(path: Path, look: TableLook, game: Game | None) -> DeckFiles:
    """The files of a bare table, read with this look, as a `game` if its cards can be read."""
    form = TableFile(
        file=FileName(path.name),
        sheet=look.sheet,
        headings=look.headings,
        all_rows=bool(look.all_rows),
        encoding=look.encoding,
    )
    size = look.size or DEFAULT_SIZE
    usual = ComponentFile(kind="deck", title=path.stem, face=(look.template or "standard",), size=size, bleed=BLEED)
    about = game.components[COMPONENT].definition if game else usual
    deck = DeckFiles(COMPONENT, about, path.parent, form, column_meanings(look.columns or ""))
    if path.suffix.lower() not in TABLES:
        return replace(deck, fixed=f"These cards are listed in {path.name}. Change them there, in any editor.")
    return replace(deck, table=path, fixed=_unwritable(path))


def _unwritable(table: Path) -> str:
    if table.suffix.lower() in TEXTS:
        return ""
    kind = table.suffix[1:].upper()
    return f"Change this {kind} file in a spreadsheet program, or save it as CSV to change it here."


def card_sheet(deck: DeckFiles) -> CardSheet:
    """The table of a deck. Raises InputError if it cannot be read."""
    assert deck.table
    shown, writing = paths.display_path(deck.table), ""
    raw = nodes.read_bytes(deck.table, shown, limits.TABLE_BYTES)
    if deck.table.suffix.lower() in TEXTS:
        grid, form = grid_of(raw, shown, deck.form.encoding)
        encoding = form.encoding.upper().removesuffix("-SIG")
        writing = f"{_DELIMITERS.get(form.delimiter, 'one column')}, {encoding}"
    else:
        grid = workbook(deck.table, shown, deck.form.sheet)
    return CardSheet(CardTable(grid, [], deck.form.headings, deck.form.all_rows), grid, raw, writing)


# ---- rows


class StaleTableError(InputError):
    """A table has changed since it was shown."""


class RowsChange(Struct, frozen=True):
    """Rows of cards to replace: `remove` of them from number `at`, by `rows`, each with the number of the row that it
    was, if any, and a text for each heading. `version` is that of the table that was shown."""

    version: str
    at: int
    remove: int
    rows: list[tuple[int | None, list[str]]]
    part: str = ""


def with_rows(deck: DeckFiles, change: RowsChange) -> dict[Path, bytes]:
    """The table with other rows. Raises StaleTableError if it is not the one that was shown, and InputError if the rows
    cannot be written."""
    if deck.fixed or deck.table is None:
        raise fault(deck.fixed)
    sheet = card_sheet(deck)
    if change.version != sheet.version:
        shown = paths.display_path(deck.table)
        raise StaleTableError(fault(f"{shown} was changed in another tab or program").problems)
    lines = [line for line, _ in sheet.table.rows]
    last = change.at + change.remove
    if not 0 <= change.at <= last <= len(lines) or any(not 0 <= (old or 0) < len(lines) for old, _ in change.rows):
        raise fault("there are no such rows any more", hint="reload the page")
    wanted = [(old, cells) for old, cells in change.rows if any(map(str.strip, cells))]
    if len(lines) - change.remove + len(wanted) < 1:
        raise fault("a table needs at least one card", hint="change this row instead of deleting it")
    if not last and not sheet.table.labelled:  # above the first row
        last, wanted = 1, [*wanted, (0, sheet.cells(0))]
    rows = [NewRow(sheet.full(old, cells), None if old is None else lines[old]) for old, cells in wanted]
    above = lines[change.at - 1] if change.at else sheet.table.place.line
    removed, encoding = lines[change.at : last], deck.form.encoding
    return {deck.table: edited_rows(sheet.raw, sheet.grid.file, removed, rows, after=above, encoding=encoding)}


# ---- choices


class DeckChoice(Struct, frozen=True):
    """Something chosen: `what`, such as “column” or “face”, for a `name` (a heading, a colour), and its value; None for
    the usual one."""

    what: str
    value: str | None = None
    name: str = ""
    part: str = ""


def with_choice(deck: DeckFiles, choice: DeckChoice, game: Game | None = None) -> dict[Path, bytes]:
    """The files of a game with a choice. Raises InputError if it cannot be written there."""
    part = game.components.get(deck.name) if game else None
    columns = part.columns if part else NO_COLUMNS
    files, changes = _as_csv(deck) if choice.what == "csv" else ({}, _changes(deck, choice, columns))
    for name, keys in changes.items():
        path = deck.folder / name
        raw = path.read_bytes() if path.exists() else b""
        text = edited_yaml(nodes.decode(raw, name), keys, name)
        files[path] = b"\xef\xbb\xbf" * raw.startswith(b"\xef\xbb\xbf") + text.encode()
    return files


def _as_csv(deck: DeckFiles) -> tuple[dict[Path, bytes], dict[str, Keys]]:
    """A worksheet as a CSV beside it, and the key that names it instead."""
    sheet, file = card_sheet(deck), Path(deck.form.file).with_suffix(".csv")
    if (deck.folder / file).exists():
        raise fault(f"there is a file {file} already", hint="rename it")
    stream = StringIO(newline="")
    rows = [sheet.cells(row) for row in range(len(sheet.table))]
    csv.writer(stream, lineterminator="\n").writerows(
        [*([sheet.table.headings] if sheet.table.labelled else []), *rows]
    )
    name = quoted(file.as_posix())
    table = name if sheet.table.labelled else f"{{file: {name}, headings: false}}"
    changes: dict[str, Keys] = {"game.yaml": {("components", deck.name, "cards"): name}}
    if deck.cards:
        changes = {deck.cards.name: {("table",): table}}
    return {deck.folder / file: stream.getvalue().encode()}, changes


def look_with_choice(look: TableLook, deck: DeckFiles, choice: DeckChoice) -> TableLook:
    """The look of a bare table with a choice. Raises InputError for one that needs the files of a game."""
    if choice.what == "column":
        columns = _columns(deck, choice)
        if any("," in heading for heading in columns):
            raise fault("a heading with a comma needs a file of its own", hint="keep these cards as a game first")
        return replace(look, columns=", ".join(f"{heading}={word}" for heading, word in columns.items()))
    if choice.what == "headings":
        return replace(look, headings=choice.value == "yes", columns=None)
    if choice.what in ("face", "size", "sheet"):
        return replace(look, **{"template" if choice.what == "face" else choice.what: choice.value})
    raise fault("colours, fonts and sizes of texts need files of their own", hint="keep these cards as a game first")


def _columns(deck: DeckFiles, choice: DeckChoice) -> dict[str, str]:
    """The meanings of columns with another one. A column that had this meaning falls back to its heading."""
    word = choice.value or ""
    if word not in ROLES:
        raise fault(f"“{shortened(word)}” is not a meaning of columns")
    kept = {
        heading: old
        for heading, old in deck.columns.items()
        if heading != choice.name and (word in ("+", "-") or meaning(old)[0] != meaning(word)[0])
    }
    return kept | {choice.name: word}


def _changes(deck: DeckFiles, choice: DeckChoice, columns: Columns) -> dict[str, Keys]:
    """The keys to change, by the file of a game."""
    what, value, part = choice.what, choice.value or "", ("components", deck.name)
    if what in ("column", "headings", "sheet") and deck.table:
        return _reading(deck, choice)
    if what == "face" and value in TEMPLATES:
        return {"game.yaml": {(*part, "face"): value, (*part, "back"): back_for(value, columns)}}
    if what == "size":
        card_size(value)
        return {"game.yaml": {(*part, "size"): quoted(value) if value[:1].isalpha() else value}}
    theme: Keys = {}
    if what in SIZES:
        theme = {("sizes", what): _size(what, value)}
    elif what == "font":
        theme = {("font",): f"[{quoted(value)}]" if value else None}
    elif what == "colour":
        theme = {("colours", choice.name): quoted(value) if value else None}
    if not theme:
        raise fault(f"“{shortened(f'{what} {value}')}” cannot be chosen")
    return {deck.theme: theme}


def _size(what: str, value: str) -> str | None:
    """A size as theme.yaml states it."""
    low, high, unit = SIZES[what]
    try:
        return f"{min(max(float(value), low), high):g}{unit}" if value else None
    except ValueError:
        raise fault(f"“{shortened(value)}” is not a size") from None


def _reading(deck: DeckFiles, choice: DeckChoice) -> dict[str, Keys]:
    """How a table is read is stated in cards.yaml. A deck whose table is named in game.yaml gets one."""
    changes: dict[str, Keys] = {}
    keys: Keys = {}
    file = deck.cards.name if deck.cards else "cards.yaml"
    if deck.cards is None:
        file = f"{deck.name}_columns.yaml" if (deck.folder / file).exists() else file
        changes["game.yaml"] = {("components", deck.name, "cards"): quoted(file)}
        keys[("table",)] = quoted(deck.form.file)
    if choice.what == "column":
        columns = _columns(deck, choice)
        keys |= {("columns", heading): None for heading in deck.columns if heading not in columns}
        keys[("columns", choice.name)] = f'"{choice.value}"' if choice.value in ("+", "-") else choice.value
        return changes | {file: keys}
    value = quoted(choice.value or "")
    if choice.what == "headings":  # columns have other names now
        value, keys[("columns",)] = str(choice.value == "yes").lower(), None
    stated = nodes.document(nodes.read_text(deck.cards), file) if deck.cards else None
    if isinstance(stated, nodes.Mapping) and isinstance(stated.get("table"), nodes.Mapping):
        keys[("table", choice.what)] = value
    else:
        keys[("table",)] = f"{{file: {quoted(deck.form.file)}, {choice.what}: {value}}}"
    return changes | {file: keys}


def role(deck: DeckFiles, part: Component | None, heading: str) -> str:
    """The word for what a column means."""
    stated = deck.columns.get(heading, "")
    if stated in ("+", "-"):
        return stated
    usual = meaning(stated or heading)[0]
    if part and not stated and usual not in ("copies", "id"):
        columns = part.columns
        field = next((name for name, other in columns.headings.items() if other == heading), "")
        names = {name: role for role, name in roles_of(columns, (*FACE_ROLES, "colour")).items()}
        usual = names.get(field, "+") if field else "-"
    word = _WORDS.get(usual, usual)
    return word if word in ROLES else "+"


def nothing(problem: Problem) -> dict[str, Any]:
    """What a page shows of a game without a deck."""
    return {**_NONE, "decks": {}, "part": "", "look": None, "fixed": _sentence(problem)}


def page_data(deck: DeckFiles, part: Component | None, theme: Theme | None) -> dict[str, Any]:
    """A deck, as it could be read last, with what it could be instead."""
    data = {**_NONE, "part": deck.name, "decks": deck.decks, "fixed": deck.fixed, "bare": not deck.theme}
    data["workbook"] = bool(deck.theme and deck.table and deck.table.suffix.lower() in WORKBOOKS)
    return data | _table(deck, part) | {"look": _look(deck, part, theme)}


def _sentence(problem: Problem) -> str:
    text = str(problem)
    return f"{text[:1].upper()}{text[1:]}."


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'s' * (number != 1)}"


def _table(deck: DeckFiles, part: Component | None) -> dict[str, Any]:
    """The table of a deck, or its cards if they are in none: what is in each cell, and what the columns mean."""
    if deck.table is None:
        return _listed(deck, part)
    file = paths.display_path(deck.table)
    try:
        sheet = card_sheet(deck)
    except InputError as error:
        return {"file": file, "fixed": _sentence(error.problems[0])}
    counts = [_count(len(sheet.table), "row"), *([_count(len(part.cards), "card")] if part else [])]
    fixed = _too_much(sheet)
    return {
        "file": file,
        "about": "; ".join(filter(None, (", ".join(counts), sheet.writing))),
        "version": sheet.version,
        "headings": sheet.table.headings,
        "roles": [role(deck, part, heading) for heading in sheet.table.headings],
        "rows": [{"line": line, "cells": sheet.cells(at)} for at, (line, _) in enumerate(sheet.table.rows[:MAX_ROWS])],
        "labelled": sheet.table.labelled,
        "sheets": list(sheet.grid.sheets) if len(sheet.grid.sheets) > 1 else [],
        "sheet": sheet.grid.sheet,
        "notes": list(part.notes) if part else [],
    } | ({"fixed": fixed} if fixed else {})


def _too_much(sheet: CardSheet) -> str:
    """Why the rows of a table cannot be changed on the page; “” if they can."""
    if len(sheet.table) > MAX_ROWS:
        return f"Only the first {MAX_ROWS:,} rows are shown. Change this table in another program."
    if sheet.table.labelled and sheet.table.rows and sheet.table.place.line == sheet.table.rows[0][0]:
        return "This deck list has no columns. Change it in any editor."
    return ""


def _listed(deck: DeckFiles, part: Component | None) -> dict[str, Any]:
    """Cards that are not in a table, as rows to read."""
    columns = part.columns.headings if part else {}
    cards = [*{card.id: card for card in part.cards}.values()] if part else []
    return {
        "file": paths.display_path(deck.folder / deck.form.file) if deck.form.file else "",
        "about": _count(len(cards), "card"),
        "headings": list(columns.values()),
        "roles": [role(deck, part, heading) for heading in columns.values()],
        "rows": [
            {"line": card.place.line if card.place else 0, "cells": [_text(card.values.get(name)) for name in columns]}
            for card in cards[:MAX_ROWS]
        ],
    }


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)


def _look(deck: DeckFiles, part: Component | None, theme: Theme | None) -> dict[str, Any]:
    """How the cards look, and what could be chosen instead."""
    size = deck.about.size or DEFAULT_SIZE
    sizes = {
        name: f"{name.replace('-', ' ').capitalize()}, {each.width:g} × {each.height:g} mm"
        for name, each in card_sizes().items()
    }
    face = deck.about.face[0] if deck.about.face else ""
    fonts = [path.relative_to(deck.folder.resolve()).as_posix() for path in fonts_beside(deck.folder)]
    used = {file.path.resolve() for file in theme.fonts["regular"]} if theme else set()
    return {
        "face": face if face in TEMPLATES else "",
        "own_face": "" if face in TEMPLATES else f"templates/{face}.xml.j2",
        "size": size,
        "sizes": {size: size} | sizes,
        "font": next((font for font in fonts if (deck.folder / font).resolve() in used), ""),
        "fonts": fonts,
        "given": theme.sizes.in_points() if theme else {},
        "spans": SIZES,
        "back": theme.colours["accent"] if theme else "",
        "types": _types(part, theme) if theme and part else [],
    }


def _types(part: Component, theme: Theme) -> list[dict[str, str]]:
    """The values that colour the cards, each with its colour."""
    cards = [*{card.id: card for card in part.cards}.values()]
    by_card, colours = signs(cards, part.columns, theme), dict[str, str]()
    for card in cards:
        for name in coloured_values([card], part.columns):
            colours.setdefault(name, by_card[card.id].colour)
    labels = [*coloured_values(cards, part.columns).items()][:MAX_TYPES]
    return [{"name": name, "label": label, "colour": colours[name]} for name, label in labels]
