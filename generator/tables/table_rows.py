"""Tells the rows of a table apart: comments and titles, the headings, cards, and rows that are not cards. A table says
nothing of this, so each decision that may be wrong becomes a note that names the option to change it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from .headings import has_meaning, is_total

GridRow = tuple[int, list[str]]
_COMMENT = re.compile(r"#\s*\w[^\s:]*[\s:].*", re.DOTALL)
_RULE = re.compile(r"(?=.*[-=_*~—–]{2})[-=_*~—–:|+\s]+")
_NUMBER = re.compile(r"[-+−(]?\s*[$€£¥]?\s*\d[\d\s.,:/’'-]*\s*[%$€£¥)]?")
_SENTENCE = re.compile(r".{60,}|(?:\S+\s+){2,}\S*[.!?…][\"”’»)]*|.{8,}[。！？]", re.DOTALL)
_SAMPLE = 200
"""The rows that the first one is compared with."""
_MOST = 0.8
"""The share of rows that most rows are."""


class TableRows(Struct, frozen=True):
    """The row of headings, if there is one, the rows of cards, and notes."""

    headings: GridRow | None
    cards: Sequence[GridRow]
    notes: Sequence[str] = ()


def is_number(text: str) -> bool:
    """Whether a text is a number, a date or a time, perhaps with a sign of currency."""
    return _NUMBER.fullmatch(text.strip()) is not None


def table_rows(rows: Sequence[GridRow], headings: bool | None = None, all_rows: bool = False) -> TableRows:
    """Tells rows with content apart. `headings` says whether the first row has them; None means that the rows decide.
    With `all_rows`, every row below the headings is a card."""
    if not all_rows:
        rows = [row for row in rows if not is_rule(row[1])]
    start = _start(rows)
    notes = []
    if headings is None and start < len(rows):
        first, others = rows[start][1], [row for _, row in rows[start + 1 : start + 1 + _SAMPLE]]
        headings, sure = _has_headings(first, others)
        if not headings:
            notes.append("the first row was read as a card, because it looks like one (--headings: it has headings)")
        elif not sure:
            notes.append("the first row was read as the headings (--no-headings: it is a card)")
    first_row = rows[start] if headings and start < len(rows) else None
    cards = rows[start + 1 :] if first_row else rows[start:]
    if not all_rows:
        left_out = dict(_not_cards(first_row[1] if first_row else [], cards))
        cards = [row for row in cards if row[0] not in left_out]
        if left_out:
            notes.append(f"left out, because they are not cards: {_listed(left_out)} (--all-rows prints them)")
    return TableRows(first_row, cards, notes)


def _listed(left_out: dict[int, str]) -> str:
    reasons: dict[str, list[str]] = {}
    for number, reason in left_out.items():
        reasons.setdefault(reason, []).append(str(number))
    return "; ".join(
        f"row{'s' * (len(numbers) > 1)} {', '.join(numbers[:6])}{', …' * (len(numbers) > 6)} ({reason})"
        for reason, numbers in reasons.items()
    )


def filled(row: Sequence[str]) -> list[str]:
    return [text for cell in row if (text := cell.strip())]


def is_rule(row: Sequence[str]) -> bool:
    """Whether a row only draws a line: `---`, `| :---: | --- |`, `+====+`."""
    cells = filled(row)
    return bool(cells) and _RULE.fullmatch(" ".join(cells)) is not None and max(map(len, cells)) > 2


def _start(rows: Sequence[GridRow]) -> int:
    """The index of the first row below comments, and below titles that stand alone over a table of several columns."""
    start = 0
    widths = [len(filled(row)) for _, row in rows[: _SAMPLE + 2]]
    while start + 2 < len(rows):
        cells = filled(rows[start][1])
        wide = min(widths[start + 1 : start + 3]) > 1
        if not (_COMMENT.fullmatch(cells[0]) or (len(cells) == 1 and wide and not has_meaning(cells[0]))):
            return start
        start += 1
        if start == len(widths) - 2:
            return start
    return start


# ---- headings


def _has_headings(first: Sequence[str], others: Sequence[Sequence[str]]) -> tuple[bool, bool]:
    """Whether the first row has the headings of the others, and whether that is certain."""
    columns = [
        (cell.strip(), [text for row in others if position < len(row) and (text := row[position].strip())])
        for position, cell in enumerate(first)
        if cell.strip()
    ]
    known = sum(has_meaning(cell) for cell, _ in columns)
    above_numbers = sum(
        not is_number(cell) and sum(map(is_number, below)) >= max(_MOST * len(below), 1) for cell, below in columns
    )
    above_texts = sum(
        len(cell.split()) < 3 and 2 * sum(len(text.split()) > 3 for text in below) > len(below)
        for cell, below in columns
    )
    numbers = sum(is_number(cell) for cell, _ in columns)
    sentences = sum(_SENTENCE.fullmatch(cell) is not None for cell, _ in columns)
    repeated = sum(10 * below.count(cell) >= len(below) > 0 for cell, below in columns)
    for_headings, for_card = 2 * known + above_numbers + above_texts, min(numbers, 2) + 2 * sentences + repeated
    if for_headings != for_card or known or not others:
        return for_headings >= for_card, True
    different = all(_style(cell) not in set(map(_style, below)) for cell, below in columns)
    return different or len(columns) > 2, different


def _style(text: str) -> tuple[bool, ...]:
    """How a text looks: its script, its capitals, and whether it has several words."""
    letters = next(filter(str.isalpha, text), "")
    words = len(text.split())
    return letters.isascii(), letters.isupper(), text.isupper(), words > 2, words > 5, "_" in text


# ---- rows that are not cards


def _not_cards(headings: Sequence[str], rows: Sequence[GridRow]) -> Iterator[tuple[int, str]]:
    """The numbers of rows that are not cards, each with the reason. A row that misses the texts of most others may be
    one: a total, numbers below the table, the heading of a section."""
    repeated, width = filled(headings), max((len(row) for _, row in rows), default=0)
    counts, sums, upper = [0] * width, [0.0] * width, 0
    for _, row in rows:
        for position, cell in enumerate(row):
            counts[position] += bool(cell.strip()) and not is_number(cell)
        upper += "".join(row).isupper()
    usual = [position for position, count in enumerate(counts) if count >= _MOST * (len(rows) - 1) > 1]
    full = sum(len(filled(row)) > 1 for _, row in rows)
    for number, row in rows:
        cells = filled(row)
        texts = [cell for cell in cells if not is_number(cell)]
        lacks_text = any(position >= len(row) or not row[position].strip() for position in usual)
        adds_up = number != rows[0][0] and any(_float(cell) == sums[n] != 0 for n, cell in enumerate(row))
        if cells == repeated:
            yield number, "the headings again"
        elif len(texts) == 1 < len(cells) and is_total(texts[0]) and (lacks_text or adds_up):
            yield number, "a total"
        elif not texts and lacks_text:
            yield number, "only numbers"
        elif (
            len(cells) == 1
            and 2 * full > len(rows)
            and (cells[0][-1] == ":" or (cells[0].isupper() and 2 * upper < len(rows)))
        ):
            yield number, "the heading of a section"
        sums = [total + _float(row[n] if n < len(row) else "") for n, total in enumerate(sums)]


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
