"""Sorts the rows of a table: comments and titles, the headings, cards, and rows that are not cards. A table does not
mark them, so each decision that may be wrong becomes a note that names the option to change it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress, pairwise, product, zip_longest
from types import MappingProxyType

from msgspec import Struct

from .cell_texts import counted, is_list_of_copies, names_a_section, signed
from .headings import are_subjects, are_two_sides, has_meaning, is_tick, is_word, languages_in, stem

GridRow = tuple[int, list[str]]
_COMMENT = re.compile(r"(?:#|//)\s*\w[^\s:]*[\s:].*", re.DOTALL)
_REMARK = re.compile(r"(?:#|//).*", re.DOTALL)
_RULE = re.compile(r"(?=.*[-=_*~—–]{2})[-=_*~—–:|+\s]+")
_RULE_SIGNS = frozenset("-=_*~—–:|+")
_NUMBER = re.compile(r"[-+−(]?\s*[$€£¥]?\s*\d[\d\s.,:/’'-]*\s*[%$€£¥)]?")
_AMOUNT = re.compile(r"\s*[$€£¥]?\s*([-+−]?[0-9]{1,30}(?:[.,][0-9]{0,30})?)\s*[%$€£¥]?\s*")
# A date, perhaps with a time, or an address.
_DATA = re.compile(
    r"(?:[^\W\d_]+\.?,? )?"  # the day of the week
    r"(?:\d{1,2}\S{0,2}[ -](?:de |d’)?[^\W\d_]{3,}\.?,?[ -](?:de )?(?:1[5-9]|20)\d\d|[^\W\d_]{3,}\.? \d{1,2}\w*, \d{4}"
    r"|\d{4}年\d{1,2}月\d{1,2}日|\d+[./-]\d+[./-]\d+)(?: г\.)?"
    r"(?:(?:T|,?\s(?:\w{1,4}\.? )?)\d{1,2}[:.h]\d\d\S*(?:\s[ap]\.?m\.?)?(?:\s?[A-Z]{1,4}\S*)?)?"
    r"|\S+@\S+\.\w+|(?:https?://|www\.)\S+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r".{60,}|(?:\S+\s+){2,}\S*[.!?…][\"”’»)]*|.{8,}[。！？]", re.DOTALL)
_SAMPLE = 200  # the rows that the first one is compared with
_MAX_TITLES = 3  # the rows with titles above a table that are not named, at most
_MOST = 0.8  # the share of rows that counts as most of them
_MANY, _FEW_TEXTS = 9, 2
_SUMS = "a total", "an average or the like"
_MAX_LACKING = 3  # the columns with texts, at most, of a table in which a row with a single text may be a card


class TableRows(Struct, frozen=True):
    """The row of headings, if there is one, the rows of cards, notes, and the numbers of rows that are not cards."""

    headings: GridRow | None
    cards: Sequence[GridRow]
    notes: Sequence[str] = ()
    left_out: Collection[int] = ()


def is_number(text: str) -> bool:
    """Whether a text is a number, a date or a time, perhaps with a sign of currency."""
    return _NUMBER.fullmatch(text.strip()) is not None


def is_data(text: str) -> bool:
    """Whether a text is a number, a date, a time or an address."""
    return is_number(text) or _DATA.fullmatch(text.strip()) is not None


def table_rows(
    rows: Sequence[GridRow],
    headings: bool | None = None,
    all_rows: bool = False,
    bad: Collection[tuple[int, int]] = frozenset(),
    outside: Mapping[int, str] = MappingProxyType({}),
) -> TableRows:
    """Tells rows with content apart. `headings` says whether the first row has them; None means that the rows decide.
    With `all_rows`, every row below the headings is a card. `bad` are the rows and columns of cells that cannot be
    read, such as the formulas of sums without results. `outside` says why rows are not part of the table."""
    if not all_rows:
        rows = [row for row in rows if not is_rule(row[1])]
    start = _start(rows)
    notes = []
    if headings is None and start < len(rows):
        first, others = rows[start][1], [row for _, row in rows[start + 1 : start + 1 + _SAMPLE]]
        headings, sure = _has_headings(first, others)
        if not (headings or signed(filled(first)[0])):
            notes.append(
                "the first row was read as a card, because it looks like one (if it contains the headings: --headings)"
            )
        elif headings and not sure:
            notes.append("the first row was read as the headings (if it is a card: --no-headings)")
    first_row = rows[start] if headings and start < len(rows) else None
    cards = rows[start + 1 :] if first_row else rows[start:]
    left_out: dict[int, str] = {}
    if not all_rows:
        brief = ((number, filled(row)) for number, row in rows[:start])
        titles = {
            number: len(cells)
            for number, cells in brief
            if not _COMMENT.fullmatch(cells[0]) and (len(cells) == 1 or _is_entry(cells))
        }
        are_named = len(titles) > _MAX_TITLES or max(titles.values(), default=1) > 1 or not first_row
        cards = [row for row in cards if row[0] not in outside]
        not_cards = _not_cards(first_row[1] if first_row else [], cards, bad)
        above = dict.fromkeys(titles, "above the headings" if headings else "above the table") if are_named else {}
        left_out = dict(sorted([*above.items(), *not_cards, *outside.items()]))
        cards = [row for row in cards if row[0] not in left_out]
        if left_out:
            notes.append(f"left out: {_listed(left_out)} (--all-rows prints every row)")
    return TableRows(first_row, cards, notes, left_out)


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
    text = "".join(row).strip()
    return text[:1] in _RULE_SIGNS and _RULE.fullmatch(text) is not None and max(map(len, map(str.strip, row))) > 2


def _start(rows: Sequence[GridRow]) -> int:
    """The index of the first row below comments, and below titles that stand alone over a table of several columns."""
    start = 0
    widths = [len(filled(row)) for _, row in rows[: _SAMPLE + 2]]
    several = [width for width in widths if width > 1]
    usual = max(several, key=several.count, default=0)
    # the first of two rows with more cells than a title or `Exported: 2 May 2024` has
    full = [2 * width > usual > 2 and not _is_entry(filled(row)) for width, (_, row) in zip(widths, rows, strict=False)]
    wide = next((at for at, pair in enumerate(pairwise(full)) if all(pair)), 0)
    headed = _has_headings(rows[wide][1], [row for _, row in rows[wide + 1 :][:_SAMPLE]])[0] if wide else False
    while start + 2 < len(rows):
        cells = filled(rows[start][1])
        lone = next((count for count, width in enumerate(widths[start : start + _MAX_TITLES + 1]) if width > 1), 1)
        is_brief = start < wide and not full[start] and (len(cells) == 1 or _is_entry(cells))
        above = is_brief and (headed or not any(map(has_meaning, cells)))
        alone = (min(widths[start + lone : start + lone + 2]) > 1 and not has_meaning(cells[0])) or _is_set_apart(
            rows[start:]
        )
        is_title = above or (len(cells) == 1 and alone) or _are_groups(rows[start:][:_SAMPLE])
        if not (_COMMENT.fullmatch(cells[0]) or is_title):
            return start
        start += 1
        if start == len(widths) - 2:
            return start
    return start


def _is_entry(cells: Sequence[str]) -> bool:
    # a word and what it says about the table
    return len(cells) == 2 and (cells[0].endswith(":") or (is_data(cells[1]) and not is_data(cells[0])))


def _are_groups(rows: Sequence[GridRow]) -> bool:
    """Whether the cells of the first of these rows name groups of the headings in the second."""
    cells, headings = filled(rows[0][1]), filled(rows[1][1])
    more_known = sum(map(has_meaning, headings)) > sum(map(has_meaning, cells))
    above_numbers = len(cells) > 1 and all(sum(map(is_number, filled(row))) > 1 for _, row in rows[2:])
    fit = 2 * len(cells) <= len(headings) and not any(map(is_number, headings))
    return fit and (more_known or above_numbers)


def _is_set_apart(rows: Sequence[GridRow]) -> bool:
    """Whether a blank row is below the first of these rows, and none below the next ones."""
    ends = [number + max(cell.count("\n") for cell in row) + 1 for number, row in rows[:6]]
    gaps = [number > end for end, (number, _) in zip(ends, rows[1:6], strict=False)]
    return len(gaps) > 2 and gaps[0] and not any(gaps[1:])


# ---- headings


def is_sentence(text: str) -> bool:
    """Whether a text is a sentence, or as long as one."""
    return _SENTENCE.fullmatch(text) is not None


def _is_question(text: str) -> bool:
    return text[-1:] in [*"?？؟"]


def _has_headings(first: Sequence[str], others: Sequence[Sequence[str]]) -> tuple[bool, bool]:
    """Whether the first row has the headings of the others, and whether that is certain."""
    columns = [
        (cell.strip(), [text for row in others if position < len(row) and (text := row[position].strip())])
        for position, cell in enumerate(first)
        if cell.strip()
    ]
    # `Kind` above many texts, all different, is a word, not a heading of types
    words = {cell for cell, below in columns if len({*below}) == len(below) > _MANY and is_word("words_too", cell)}
    known = sum(has_meaning(cell) for cell, _ in columns if cell not in words)
    names = [cell for cell, _ in columns]
    known = max(known, len(languages_in(names)), 2 * are_two_sides(names))
    above_numbers = sum(
        not is_data(cell) and sum(map(is_data, below)) >= max(_MOST * len(below), 1) for cell, below in columns
    )
    # cells in lower case above others in lower case are probably texts, not headings
    small = all(
        2 * sum(text[0].islower() for text in [*below, cell] * cell[0].islower()) > len(below)
        for cell, below in columns
    )
    above_texts = sum(
        not small and len(cell.split()) < 3 and 2 * sum(len(text.split()) > 3 for text in below) > len(below)
        for cell, below in columns
    )
    numbers = sum(is_data(cell) for cell, _ in columns)
    # questions above what are none are headings, and so may be sentences
    asked = sum(_is_question(cell) and not any(map(_is_question, below)) and len(below) > 1 for cell, below in columns)
    sentences = sum(is_sentence(cell) and 3 * sum(map(is_sentence, below)) >= len(below) for cell, below in columns)
    subjects = are_subjects([cell for cell, _ in columns]) and not any(are_subjects(filled(row)) for row in others)
    repeated = sum(10 * below.count(cell) >= len(below) > below.count(cell) for cell, below in columns)
    repeated += sum(0 < below.count(cell) < len(below) for cell, below in columns) > len(columns) / 2
    echoes = sum(_echoes(cell, below) for cell, below in columns)
    counts = len(columns) == 1 and counted(columns[0][0]) is not None
    for_headings = 2 * known + above_numbers + above_texts + 2 * _is_series(columns) + 2 * asked + 2 * subjects
    for_card = min(numbers, 2) + 2 * sentences + repeated + min(echoes, 2) + 2 * counts
    if for_headings != for_card or known or not others:
        return for_headings >= for_card, bool(
            known or not others or for_headings - above_texts - 2 * subjects > for_card
        )
    different = all(_style(cell) not in set(map(_style, below)) for cell, below in columns)
    return different or len(columns) > 2, different


def _echoes(cell: str, below: Sequence[str]) -> bool:
    """Whether a cell has a word in common with most cells below it, or is the same as all of them."""
    if has_meaning(cell) or len(below) < 3:
        return False
    words = cell.casefold().split()
    if len(words) < 2:
        return below.count(cell) == len(below)
    return any(2 * sum(word in text.casefold().split() for text in below) > len(below) for word in words)


def _is_series(columns: Sequence[tuple[str, Sequence[str]]]) -> bool:
    """Whether cells count up, such as `Option A` and `Option B`, and those below them do not."""
    stems = [(stem(cell), below) for cell, below in columns if stem(cell)]
    words = {word for word, _ in stems}
    return len(words) < len(stems) and not any(stem(text) in words for _, below in stems for text in below)


def _style(text: str) -> tuple[bool, ...]:
    """How a text looks: its script, its capitals, and whether it has several words."""
    letters = next(filter(str.isalpha, text), "")
    words = len(text.split())
    return letters.isascii(), letters.isupper(), text.isupper(), words > 2, words > 5, "_" in text


# ---- rows that are not cards


class _Layout(Struct, frozen=True):
    """What most rows of a table are like. `usual` are the columns with a text in most rows, `widest` the most cells of
    a row. In a list, most rows have one cell."""

    usual: Sequence[int]
    widest: int
    in_capitals: bool
    is_list: bool
    is_deck_list: bool

    @classmethod
    def of(cls, rows: Sequence[Sequence[str]]) -> _Layout:
        widths = [len(filled(row)) for row in rows]
        texts = [[bool(cell.strip()) and not is_number(cell) for cell in row] for row in rows]
        texts = [row for row in texts if any(row)]
        counts = [sum(column) for column in zip_longest(*texts, fillvalue=False)]
        usual = [position for position, count in enumerate(counts) if count >= max(_MOST * (len(texts) - 1), 2)]
        in_capitals = 2 * sum("".join(row).isupper() for row in rows) >= len(rows)
        is_list = 2 * sum(width > 1 for width in widths) <= len(rows)
        is_deck_list = is_list and is_list_of_copies([filled(row)[0] for row in rows])
        return cls(usual, max(widths, default=0), in_capitals, is_list, is_deck_list)

    def lacks_text(self, row: Sequence[str]) -> bool:
        return any(position >= len(row) or not row[position].strip() for position in self.usual)

    def is_section(self, text: str) -> bool:
        """Whether a text that stands alone in its row is a heading of the rows below."""
        if self.is_list:
            return self.is_deck_list and names_a_section(text)
        return text[-1] == ":" or (text.isupper() and not self.in_capitals)


def _not_cards(
    headings: Sequence[str], rows: Sequence[GridRow], bad: Collection[tuple[int, int]]
) -> Iterator[tuple[int, str]]:
    """The numbers of rows that are not cards, each with the reason. A row that lacks the texts of most others may be a
    total, numbers below the table, or a section heading. The cells in `bad` cannot be read."""
    repeated, layout = filled(headings), _Layout.of([row for _, row in rows[:_SAMPLE]])
    remarks = {number for number, row in rows if _REMARK.fullmatch(",".join(row).rstrip(","))}
    bad_rows = {number for number, _ in bad}
    without_texts = bad_rows.difference(number for number, _ in rows)
    yield from (
        (number, "only formulas") for number in without_texts if not {*product((number,), layout.usual)} <= {*bad}
    )
    above, reason = list[Sequence[str]](), ""
    for number, row in rows:
        cells, lacks, before = filled(row), layout.lacks_text(row), reason
        words = [cell for cell in cells if not is_data(cell) and not is_tick(cell)]
        is_total = len(words) == 1 and is_word("totals", words[0])
        reason = ""
        if cells == repeated:
            reason = "repeated headings"
        elif is_total or (len(words) == 1 and is_word("averages", words[0].split()[0])):
            sums_up = [*_sums_up(row, above, lacks)]
            bare = before in _SUMS or number in bad_rows or (lacks and (is_total or len(layout.usual) > _FEW_TEXTS))
            sure = bare or (any(sums_up) if is_total else 2 * sum(sums_up) > len(sums_up))
            reason = _SUMS[not is_total] if sure else ""
        elif not set(compress(row, headings or row)) - {""} or (not words and len(cells) < layout.widest and lacks):
            reason = (
                "nothing below a heading"
                if words
                else "only numbers"
                if all(map(is_number, cells))
                else "only dates, numbers or ticks"
            )
        elif len(cells) == 1 and (len(layout.usual) > _MAX_LACKING or layout.is_section(cells[0])):
            reason = "a section heading"
        elif number in remarks and not layout.is_list and 3 * len(remarks) < 2 * len(rows):
            reason = "a comment"
        if reason:
            yield number, reason
        else:
            above.append(row)


def _sums_up(row: Sequence[str], above: Sequence[Sequence[str]], lacks: bool) -> Iterator[bool]:
    """For each number of a row, whether it is the sum, average, median, or in a row that `lacks` texts or has several
    numbers, least, greatest or count of those above."""
    columns = zip_longest(row, *above, fillvalue="")
    amounts = [
        [match[1].replace(",", ".") if (match := _AMOUNT.fullmatch(cell)) else "" for cell in column]
        for column in columns
    ]
    several = sum(bool(column[0]) for column in amounts) > 1
    for total, *others in amounts:
        numbers = sorted(map(float, filter(None, others)))
        if total and numbers:
            count, tolerance = len(numbers), 0.501 / 10 ** len(total.partition(".")[2])
            facts = [sum(numbers), sum(numbers) / count, (numbers[(count - 1) // 2] + numbers[count // 2]) / 2]
            facts += [numbers[0], numbers[-1], count] if lacks or several else []
            yield any(abs(fact - float(total)) < tolerance for fact in facts)
