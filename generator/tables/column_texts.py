"""What the texts of columns say that their headings do not: the options of a quiz, types and suits, which texts come
first, and columns that repeat others in other words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product

from msgspec.structs import replace

from ..model.columns import Columns, roles_of
from .headings import LONG_FACT, LONG_TEXT, Samples, are_suits, as_title, folded, is_word, meaning, spaced
from .table_rows import is_number, is_sentence

_MIN_OPTIONS = 3  # the fewest columns of options and their answer beside the questions of a quiz
_MIN_TEXT, _MAX_TYPE = 15, 30  # the average length of texts, at least, and of types, at most
_MOST = 0.8
_SUM = re.compile(r"\W*\d[\d.,]*\s*[-+*x×·:÷/−–]\s*\d|√")
ZERO = re.compile(r"0(?:[.,]0+)?")
_KINDS = ("suit", "rank", "cost", "type")


def by_texts(columns: Columns, samples: Samples, labelled: bool) -> Columns:
    """The columns of a table, understood by their texts where no heading says what they mean. `labelled` is whether the
    table has headings."""
    columns = columns if columns.front else _with_numbers_behind(_with_options(columns, samples), samples)
    if not labelled:
        columns = _with_suit(_with_type(columns, samples), samples)
    texts = _texts_in(columns, samples) if not labelled else []
    if texts and not columns.rules and not columns.front:
        columns = _with_role(columns, "rules", texts.pop(0))
    # if several columns of numbers are mostly zeros, a zero means that there is nothing to print
    zeros = {column.name: sum(map(bool, map(ZERO.fullmatch, samples[column.name]))) for column in columns.rest}
    sparse = [
        name
        for name, count in zeros.items()
        if 2 * count >= len(samples[name]) > count and all(map(is_number, samples[name]))
    ]
    rest = [
        replace(
            column,
            long=column.name in texts
            or len(column.label) > LONG_FACT
            or 2 * sum(map(is_sentence, samples[column.name])) > len(samples[column.name]),
            sparse=len(sparse) > 2 and column.name in sparse,
        )
        for column in columns.rest
    ]
    return replace(columns, rest=tuple(rest))


def with_better(columns: Columns, better: Mapping[str, str]) -> Columns:
    """The columns without those that another one says better; the better one takes over their roles."""
    for name, other in better.items():
        role = next((role for role, field in roles_of(columns).items() if field == name), "")
        columns = _with_role(columns, role, other) if role else _without(columns, name)
    return columns


def _with_options(columns: Columns, samples: Samples) -> Columns:
    """The columns of a quiz whose headings do not say so: beside questions, the last column that always repeats one of
    at least two others has the answers, or else the one that counts the columns between."""
    order = [name for name in columns.headings if name in samples]
    question = next((name for name in order if _are_questions(samples[name])), "")
    later = order[order.index(question) + 1 :] if question else []
    names = [name for name in later if len(samples[name]) == len(samples[question])]
    options = [column for column in columns.rest if column.name in names]
    rows = [*zip(*(samples[column.name] for column in options), strict=True)]
    repeats = [n for n in range(len(options)) if all(row.count(row[n]) > 1 for row in rows)]
    if repeats and len(options) >= _MIN_OPTIONS:
        back = options.pop(repeats[-1]).name
    elif counting := _counting(columns, samples):
        question, back = columns.title or columns.rules or "", counting.pop()
        options = [column for column in columns.rest if column.name in counting]
    else:
        return columns
    freed = {role: None for role in ("title", "rules") if getattr(columns, role) == question}
    rest = tuple(column for column in columns.rest if column not in options and column.name not in (back, question))
    return replace(columns, **freed, front=question, back=back, options=tuple(options), rest=rest)


def _counting(columns: Columns, samples: Samples) -> list[str]:
    """The options of a quiz and, last, the column with the number or letter of the right one, beside its question."""
    question, order = columns.title or columns.rules or "", [*samples]
    questions = samples.get(question, ())
    later = order[order.index(question) + 1 :] if question else []
    rest = [column.name for column in columns.rest if column.name in later]
    asks, texts = _are_questions(questions), [samples[name] for name in rest]
    for place in range(_MIN_OPTIONS, len(texts)):
        answers = {text.upper() for text in texts[place]}
        kinds = range(place), range(1, place + 1), "ABCDEFGH"[:place]
        whole = all(len(each) == len(questions) for each in texts[: place + 1])
        known = asks or (_are_texts(questions) and min(map(as_title, texts[:place])) > 2)
        if whole and known and len(answers) > 1 and any(answers <= {*map(str, kind)} for kind in kinds):
            return rest[: place + 1]
    return []


def _with_numbers_behind(columns: Columns, samples: Samples) -> Columns:
    """The columns of a table of two: beside sums, and beside other texts if they all differ, numbers are the answers on
    the back, unless they only count or the title is named."""
    if {*roles_of(columns)} != {"title"} or len(columns.rest) != 1:
        return columns
    asked, told = samples.get(columns.title or "", ()), samples.get(columns.rest[0].name, ())
    differ = len({*told}) == len(told) > _MIN_OPTIONS and not meaning(columns.headings[columns.title or ""])[0]
    is_count = [*told] == [*map(str, range(1, len(told) + 1))]
    if (
        not (len(asked) == len(told) and all(map(is_number, told)))
        or is_count
        or not (differ or sum(map(bool, map(_SUM.match, asked))) >= _MOST * len(asked) > 0)
    ):
        return columns
    return replace(columns, title=None, front=columns.title, back=columns.rest[0].name, rest=())


def _are_questions(texts: Sequence[str]) -> bool:
    return 2 * sum(text.endswith(("?", "？")) for text in texts) > len(texts)


def _are_texts(texts: Sequence[str]) -> bool:
    return sum(map(len, texts)) >= _MIN_TEXT * len(texts) > 0


def _with_type(columns: Columns, samples: Samples) -> Columns:
    """The columns of a table without headings: the one in which a few short words recur has the types. If most
    titles are questions and every row has one other text, it is the answer on the back."""
    titles = samples.get(columns.title or "", ())
    lengths = {
        name: sum(map(len, texts)) / len(texts)
        for name in [columns.title or "", *(column.name for column in columns.rest)]
        if as_title(texts := samples.get(name, ())) == 2 and 3 * len(set(texts)) <= len(texts)
    }
    name = max(lengths, key=lengths.__getitem__, default="")
    if name and name == columns.title:
        best = max(columns.rest, key=lambda column: len(set(samples[column.name])), default=None)
        return _with_role(_with_role(columns, "type", name), "title", best.name) if best else columns
    if name and lengths[name] <= _MAX_TYPE:
        columns = _with_role(columns, "type", name)
    answers = [column.name for column in columns.rest if 2 * len(samples[column.name]) > len(titles)]
    other = [column.name for column in columns.rest if _is_foreign(samples[column.name]) != _is_foreign(titles)]
    words = [each for each in other if not all(map(is_number, samples[each]))]
    if words and columns.title and not columns.front:
        columns = replace(_with_role(columns, "back", words[0]), title=None, front=columns.title)
    if not columns.front and len(answers) == 1 and _are_questions(titles):
        columns = replace(_with_role(columns, "back", answers[0]), title=None, front=columns.title)
    return columns


def _is_foreign(texts: Sequence[str]) -> bool:
    """Whether texts are mostly in a script other than that of Latin letters and numbers."""
    return 3 * sum(letter > "\u036f" and letter.isalpha() for letter in "".join(texts)) > len("".join(texts))


def _with_suit(columns: Columns, samples: Samples) -> Columns:
    """The columns of a table without headings: one that lists suits of playing cards has the suits, and the only
    other column, if there is just one, the ranks."""
    names = [*roles_of(columns).values(), *(column.name for column in columns.rest)]
    names.sort(key=lambda name: not are_suits(samples[name]))
    if not names or not are_suits(samples[names[0]]):
        return columns
    freed = {role: None for role, name in roles_of(columns).items() if name == names[0]}
    columns = replace(_without(columns, names[0]), **freed, suit=names[0])
    return Columns(suit=names[0], rank=names[1]) if len(names) == 2 else columns


def _texts_in(columns: Columns, samples: Samples) -> list[str]:
    """The columns with longer texts in order, the first of them the rules; if the longest is very long, only it."""
    names = [column.name for column in columns.rest if _are_texts(samples[column.name])]
    longest = max(names, key=lambda name: sum(map(len, samples[name])), default="")
    return [longest] if longest and sum(map(len, samples[longest])) > LONG_TEXT * len(samples[longest]) else names


def _with_role(columns: Columns, role: str, name: str) -> Columns:
    """The columns, with this role for one that had none."""
    return replace(_without(columns, name), **{role: name})


def _without(columns: Columns, name: str) -> Columns:
    return replace(columns, rest=tuple(column for column in columns.rest if column.name != name))


def variants(headings: Mapping[str, str], cells: Mapping[str, Sequence[str]], language: str) -> dict[str, str]:
    """For each column that another one says better, the better one: `Suit display` (clubs) for `Suit` (1), `Suit` for
    `Icon`. Headings and values decide."""
    found: dict[str, str] = {}
    split = {name: [folded(word) for word in spaced(heading).split(" ")] for name, heading in headings.items()}
    named = [name for name, words in split.items() if is_word("variants", words[-1])]
    for name, other in product(named, headings):
        base = "".join(split[name][:-1])
        kind = meaning(headings[other], language)[0] if not base and other != name else ""
        related = other != name and (folded(headings[other]) == base if base else kind in _KINDS)
        pairs = {*zip(cells[name], cells[other], strict=True)} if related else ()
        if 1 < len(pairs) == len({*cells[name]}) == len({*cells[other]}) <= len(cells[name]) / 2:
            worse, better = sorted(
                (name, other), key=lambda each: ("".join(cells[each]).isdigit(), -len("".join(cells[each])))
            )[::-1]
            found[worse] = better
    return found
