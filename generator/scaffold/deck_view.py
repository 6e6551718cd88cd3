"""A deck as a page shows it: its table, and how its cards look, as plain data."""

from __future__ import annotations

from typing import Any

from .. import paths
from ..errors import InputError, Problem
from ..model.game import Component, Theme
from ..printing.signs import coloured_values, signs
from ..reading.card_tables import WORKBOOKS
from ..reading.sizes import card_sizes
from ..reading.table_game import DEFAULT_SIZE, TEMPLATES, fonts_beside
from .deck_files import SIZES, CardSheet, DeckFiles, card_sheet, role
from .kept_files import MAX_ROWS

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
