"""What the built-in faces of cards work out from the texts of a card: sizes of type, and where there is room for what.

Texts are not measured here. How much room they take is estimated from their `Extent`, so a face can decide about its
boxes before they are laid out. Lengths are in mm, sizes of type in pt. Templates call these functions as filters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Any, Protocol

from markupsafe import Markup, escape

from ..model.columns import Column, Columns
from ..tables.headings import is_word, stem
from .filters import as_text, extent, rich

# The decimals of numbers in markup.
_DECIMALS = 6
# A card is wide if its width is more than this multiple of its height.
_WIDE = 1.15
# The width of a letter of Lato and of Lato Black, as a share of the size.
_EM, _HEAVY_EM = 0.5, 0.58
_HEAVY_WIDTHS = dict.fromkeys("fijlrtI.,:;'’!|()[]-", 0.34) | {"m": 0.87, "w": 0.85, "M": 0.97, "W": 1.08}
_CAPITAL = 0.76
# The width of a space in Lato Black.
_SPACE = 0.2
# The height of a line of a poster in mm, for each pt of its size.
_POSTER_LEADING = 0.353 * 0.97
# A text with fewer letters is a word or two.
_FEW_WORDS = 22
# The letters of a word that may be broken.
_LONG_WORD = 15
# The length of a value, at most, that is not a paragraph among long ones.
_SHORT = 12
# What stands for no value in tables of programs, in lower case.
_NO_VALUE = frozenset(("-", "–", "—", "none", "null", "n/a", "nan", "undefined", "false", "unchecked", "[]", "{}"))
_TRUE = ("true", "checked", "☑", "✓", "✔")
# The unit in a heading: `Price (€)`, `Cost ($M)`.
_UNIT = re.compile(r"[(\[]\s*([^\d\s()[\]]{1,4})\s*[)\]]$")
_AMOUNT = re.compile(r"[-+–\d.,]*\d")
# The facts that need less room in pairs.
_MANY_FACTS = 6
# A list or mapping as programs write it: `["Taunt", "Armour"]`.
_QUOTED = re.compile(r"[\[{]\s*[\"'].*[]}]", re.DOTALL)
_ENTRY = re.compile(r"""\"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([-+\w.]+)|(:)""")
_OPTION = re.compile(r"(?:^|\s+)\(?([a-hA-H])[).]\s+")
_BRACKETS = re.compile(r"^\[([^][{}\"']+)\]$")
_BAR = re.compile(r"(?<=\w)\|(?=\w)")
_SNAKE = re.compile(r"(?<=[A-Za-z])_(?=[A-Za-z0-9])")
_SEPARATOR = re.compile(r"(?<=\w)[;|](?=\w)|(?<=[^\W\d]),(?=[^\W\d])")


class LongestText(Protocol):
    """The longest text of a column in a deck, and its longest word."""

    @property
    def text(self) -> str: ...
    @property
    def word(self) -> str: ...


def scale(width: float, height: float) -> float:
    """The size of a card compared with poker size, within limits."""
    compared = min(min(width, height) / 63.5, max(width, height) / 88.9)
    return round(min(max(compared, 0.66), 1.7), _DECIMALS)


def lines(text: Any, width: float, size: float) -> int:
    """About how many lines a text fills in a column of this width at this size."""
    length, _, breaks = extent(text)
    return int(length / (width / (size * 0.157)) + 0.9 + 0.8 * breaks)


def word_width(word: str) -> float:
    """About how wide a word is in Lato Black, as a multiple of the size."""
    return fsum([_HEAVY_WIDTHS.get(letter, _CAPITAL if letter.isupper() else _HEAVY_EM) for letter in word])


def type_size(text: Any, width: float, height: float, sizes: Sequence[float], heavy: bool = False) -> float:
    """The first of these sizes at which a text fills at most this area, roughly; otherwise the last. `heavy` texts are
    in Lato Black."""
    length, word, breaks = extent(text)
    em = _HEAVY_EM if heavy else _EM
    widest = min(word, _LONG_WORD) * em
    if heavy and word <= _LONG_WORD:
        widest = min(max(map(word_width, as_text(text).split()), default=0.0), 1.3 * widest)
    for size in sizes:
        across = width / (size * 0.353)
        if widest <= across and int(length * em / across + 0.9 + 0.5 * breaks) * size * 0.42 <= height:
            return size
    return sizes[-1]


def shared_size(
    text: Any,
    deck: LongestText | None,
    width: float,
    height: float,
    sizes: Sequence[float],
    least: float,
    most: float,
) -> float:
    """The size of a heavy text in a deck whose texts share the size of the longest. If that is less than `least` and
    the longest is more than a few words, each text has a size of its own, up to `most`."""
    own = type_size(text, width, height, sizes, heavy=True)
    shared = min(type_size(each, width, height, sizes, heavy=True) for each in (deck.text, deck.word)) if deck else own
    return min(own, shared if shared >= least or (deck and len(deck.text) < _FEW_WORDS) else most)


def poster(text: Any, width: float, room: float, most: float, contrast: float = 2) -> list[tuple[str, float]]:
    """The lines of a text that is set like a poster, and their sizes: each line fills the width, and together they fill
    as much of the height as they can. No line is larger than `most`, or than `contrast` times another."""
    lengths = [[(word, extent(word).length) for word in verse.split()] for verse in as_text(text).splitlines()]
    verses = [[(word, word_width(word) if n == len(word) else n * 0.52) for word, n in verse] for verse in lengths]
    best: list[tuple[str, float]] = []
    filled_most = 0.0
    for limit in sorted(_run_widths(verses)):
        setting = _poster_lines(verses, limit)
        sizes = _poster_sizes(setting, width, most, contrast)
        high = _POSTER_LEADING * fsum(sizes)
        shrink = min(1.0, room / high)
        if high * shrink**2 > filled_most:
            filled_most = high * shrink**2
            texts = [" ".join(word for word, _ in line) for line in setting]
            best = [(line, round(size * shrink, _DECIMALS)) for line, size in zip(texts, sizes, strict=True)]
    return best


def _run_widths(verses: Sequence[Sequence[tuple[str, float]]]) -> set[float]:
    """The widths of all runs of words that could be the widest line."""
    widest = max((width for verse in verses for _, width in verse), default=0.0)
    widths = {
        round(_line_width(verse[first:last]), 2)
        for verse in verses
        for first in range(len(verse))
        for last in range(first + 1, len(verse) + 1)
    }
    return {width for width in widths if width > widest - 0.01}


def _line_width(words: Sequence[tuple[str, float]]) -> float:
    return fsum(width for _, width in words) + _SPACE * (len(words) - 1)


def _poster_lines(verses: Sequence[Sequence[tuple[str, float]]], limit: float) -> list[list[tuple[str, float]]]:
    """The lines of verses that are broken where a line would be wider than this."""
    lines: list[list[tuple[str, float]]] = []
    for verse in filter(None, verses):
        lines.append([])
        across = -_SPACE
        for word in verse:
            across += _SPACE + word[1]
            if lines[-1] and across > limit + 0.01:
                lines.append([])
                across = word[1]
            lines[-1].append(word)
    return lines


def _poster_sizes(
    setting: Sequence[Sequence[tuple[str, float]]], width: float, most: float, contrast: float
) -> list[float]:
    sizes = [width / 0.353 / (_line_width(line) + 0.06) for line in setting]
    most = min(most, contrast * min(sizes))
    return [min(size, most) for size in sizes]


def wrap(text: Any, most: int = 18) -> str:
    """How a text is broken: `anywhere` if it has words so long that small type would be worse, otherwise `true`."""
    return "anywhere" if extent(text).word > most else "true"


def cost_width(cost: Any, s: float, t: float, most: float) -> float:
    """The width of a cost: as wide as it is high, or if it is longer, up to `most`. Words may be on several lines."""
    letters, word, _ = extent(cost)
    if letters < 4:
        return 8.8 * s
    length = max(word, (letters + 2) // 3, 8) if letters > 10 else letters
    return round(max(min(most, 3 * s + 2.2 * length * t), 3 * s + 1.3 * word), _DECIMALS)


# ---- columns without a role


def fact(value: Any) -> Markup:
    """A value of any kind as running text, without the signs of programs: `["a", "b"]`, `[a, b]` and `a;b` become
    `a, b`."""
    if isinstance(value, bool) or str(value).lower() in _TRUE:
        return Markup('<icon name="tick"/>' if value else "–")
    if isinstance(value, str):
        return rich(_SNAKE.sub(" ", _SEPARATOR.sub(", ", _unquoted(_BRACKETS.sub(r"\1", value)))))
    return rich(", ".join(map(as_text, value)) if isinstance(value, list | tuple) else value)


def with_unit(value: Any, heading: str) -> tuple[str, Any]:
    """A heading and its value, with the unit of the heading beside a number: `Weight (kg)`, 5 → `Weight`, 5 kg."""
    unit = _UNIT.search(heading)
    if not unit or not _AMOUNT.fullmatch(str(value)):
        return heading, value
    amount = f"{unit[1][0]}{value}{unit[1][1:]}" if unit[1][0] in "$£" else f"{value}\u00a0{unit[1]}"
    return heading[: unit.start()].strip(), amount


def _unquoted(text: Any) -> Any:
    """The entries of a list or mapping in the notation of a program: `{"fire": 2, "ice": 1}` → `fire: 2, ice: 1`. Long
    ones are on lines of their own."""
    if not isinstance(text, str) or not _QUOTED.fullmatch(text):
        return text
    words = ["".join(found) for found in _ENTRY.findall(text)]
    return ("\n" if max(map(len, words), default=0) > 24 else ", ").join(words).replace(", :, ", ": ")


def filled(values: Any, rest: Sequence[Column], long: bool = False) -> list[int]:
    """The positions of the columns in which this card has a value: those with short values, or those with `long`
    texts."""
    return [
        place
        for place, column in enumerate(rest)
        if _is_filled(values[column.name])
        and not (column.sparse and str(values[column.name]).strip("0.,") == "")
        and (column.long and len(as_text(values[column.name])) > _SHORT) == long
    ]


def _is_filled(value: Any) -> bool:
    text = value.strip().lower() if isinstance(value, str) else value
    return isinstance(value, int | float) or bool(text and text not in _NO_VALUE)


def paragraphs_height(
    values: Any, rest: Sequence[Column], places: Sequence[int], width: float, size: float, s: float
) -> float:
    """About how high paragraphs are at this size, with their headings."""
    heights = [lines(values[rest[place].name], width, size) * size * 0.45 + 2.9 + 1.2 * s for place in places]
    return round(fsum(heights), _DECIMALS)


def fact_width(
    values: Any, rest: Sequence[Column], places: Sequence[int], t: float, longest: Mapping[str, LongestText]
) -> float:
    """How wide the widest of the values in these positions is, or its heading. Texts count as wide as the longest of
    the deck."""
    return max([_fact_width(values[rest[place].name], rest[place], t, longest) for place in places], default=0.0)


def _fact_width(value: Any, column: Column, t: float, longest: Mapping[str, LongestText]) -> float:
    if isinstance(value, bool):
        letters = 1
    elif value is None or isinstance(value, str):
        letters = len(longest[column.name].text)
    else:
        letters = len(", ".join(map(as_text, value)) if isinstance(value, list | tuple) else as_text(value))
    letters += 4 * column.label.endswith((")", "]"))  # a unit
    return max(letters * 2.35 * t, len(column.label) * 1.62) + 1.8


def tiles_of(fact_width: float, count: int, width: float) -> int:
    """How facts of this width are arranged: the number of values side by side, or if they are too long for that, less
    than 0: rows in one column (-1) or in two (-2)."""
    most = int(width / (fact_width + 0.1))
    if count <= min(most, 5):
        return count
    return count // 2 if count % 2 == 0 and 2 <= count // 2 <= most else -2 if count > 3 and width > 60 else -1


def tiles(
    values: Any, rest: Sequence[Column], places: Sequence[int], width: float, t: float, longest: Mapping[str, Any]
) -> int:
    """How the facts in these positions are arranged, as `tiles_of` says, but alike on cards that lack some."""
    all_places = {*places, *(place for place, column in enumerate(rest) if not column.long)}
    count = tiles_of(fact_width(values, rest, sorted(all_places), t, longest=longest), len(all_places), width)
    return min(count, len(places)) if count > 0 else count


def fact_groups(
    values: Any, rest: Sequence[Column], places: Sequence[int], width: float, t: float, longest: Mapping[str, Any]
) -> list[tuple[int, list[int]]]:
    """The facts in these positions, grouped by how they are arranged: of many rows, short ones stand in pairs."""
    count = tiles(values, rest, places, width, t, longest)
    halves = [
        place
        for place in places
        if len(rest[place].label) * 1.55 + len(longest[rest[place].name].text) * 1.55 * t + 2 < width / 2 - 2
    ]
    pairs = halves[: len(halves) // 2 * 2] if count == -1 and len(places) >= _MANY_FACTS and len(halves) > 3 else []
    others = [place for place in places if place not in pairs]
    return [(tiles, group) for tiles, group in ((-2, pairs), (count, others)) if group]


def facts_height(count: int, tiles: int, s: float, t: float) -> float:
    """About how high this many facts are."""
    if not count:
        return 0.0
    rows, high = (-(-count // tiles), 7.2 * t) if tiles > 0 else (-(-count // -tiles), 3.2 * t)
    return round(rows * (high + 1.2 * s), _DECIMALS)


def groups_height(groups: Sequence[tuple[int, Sequence[int]]], s: float, t: float) -> float:
    return fsum(facts_height(len(places), tiles, s, t) for tiles, places in groups)


# ---- quizzes


def answer(values: Any, columns: Columns) -> str:
    """The answer of a quiz. Letters or numbers that stand for options are followed by their texts."""
    text = as_text(values[columns.back] or "") if columns.back else ""
    texts = [as_text(values[option.name] or "") for option in columns.options] or offered(values, columns)
    places = {str(place + columns.first_option): place for place in range(len(columns.options))}
    places |= dict(zip(columns.option_letters, range(len(texts)), strict=False))
    chosen = [places.get(part) for part in re.split("[,;&/ ]+", text.strip().upper())]
    if len(chosen) > 1 and None not in chosen:
        letters = ", ".join(columns.option_letters[place or 0] for place in chosen)
        return f"{letters}: {', '.join(texts[place or 0] for place in chosen)}"
    found = _OPTION.match(f"{text} ")
    place = places.get((found[1] if found else text).strip().upper())
    option = texts[place] if place is not None else ""
    is_option = option and (not found or text[found.end() :].strip() in ("", option.strip()))
    return f"{columns.option_letters[place or 0]}: {option}" if is_option else text


def parted(text: Any) -> list[str]:
    """A question, and the options in its text: `Which is larger? a) Mars b) Venus`."""
    question, *rest = _OPTION.split(as_text(text))
    is_quiz = len(rest) > 3 and "abcdefgh".startswith("".join(rest[::2]).lower()) and all(map(str.strip, rest[1::2]))
    return [question, *rest[1::2]] if is_quiz else [as_text(text)]


def offered(values: Any, columns: Columns) -> list[str]:
    """The options of a quiz. If they are all wrong, the right one is among them, in alphabetical order."""
    texts = [as_text(values[option.name]) for option in columns.options if values[option.name]]
    headings = [columns.headings[option.name] for option in columns.options]
    front = values[columns.front] if columns.front else ""
    wrong = all(is_word("wrong_answers", stem(heading) or heading) for heading in headings)
    texts = sorted({*texts, as_text(values[columns.back])}) if texts and wrong and columns.back else texts
    return texts or parted(front)[1:]


def options_height(values: Any, columns: Columns, width: float, s: float) -> float:
    """The approximate height of the options of a quiz."""
    heights = [lines(text, width - 6 * s, 10) * 4.4 + 1.6 * s for text in offered(values, columns)]
    return round(fsum(heights), _DECIMALS)


# ---- the standard face

# The heights of pictures, as shares of that of the card.
_PICTURES = (0.46, 0.34, 0.22, 0.15)
_SIZES_BELOW_PICTURES = (12.5, 11.5, 10.5, 9.5, 9, 8.5)
_SIZES = (20, 17, 15, 13.5, 12, 11, 10, 9)
# The longest text of a deck whose texts are centred.
_CENTRED = 180


class CardTexts:
    """What a card says, by the roles of its columns. `places` and `long_places` are those of columns without a role.
    `rules_extent` is that of its rules, `words_extent` that of all its longer texts, and `longest_extent` how much room
    these would need if each were the longest of the deck."""

    def __init__(
        self, values: Any, columns: Columns, longest: Mapping[str, LongestText], set_code: str | None = None
    ) -> None:
        def value(name: str | None) -> Any:
            found = _unquoted(values[name]) if name and _is_filled(values[name]) else None
            return _BAR.sub("\n", found) if isinstance(found, str) else found

        rules = columns.rules or columns.back
        title = columns.title or columns.front
        text = as_text((values[title] if title else None) or "")
        self.title = text if " " in text else _SNAKE.sub(" ", text)  # a name for programs
        _, self.cost = with_unit(value(columns.cost or columns.rank), columns.headings.get(columns.cost or "", ""))
        self.image = value(columns.image)
        self.type = value(columns.type or columns.suit) or None
        self.rules_text = (value(columns.rules) if columns.rules else values[rules] if rules else None) or ""
        self.flavour = value(columns.flavour)
        self.footer = " · ".join(filter(None, (set_code, as_text(value(columns.footer))))) or None
        self.places = filled(values, columns.rest)
        self.long_places = filled(values, columns.rest, long=True)
        long_columns = [columns.rest[place].name for place in self.long_places]
        words = _joined(self.rules_text, [values[name] for name in long_columns])
        self.has_words = bool(words.strip())
        self.title_extent, self.rules_extent, self.words_extent = (
            extent(self.title),
            extent(self.rules_text),
            extent(words),
        )
        self.longest_text = longest[rules].text if rules else ""
        self.longest_extent = extent(_joined(self.longest_text, [longest[name].text for name in long_columns]))


def _joined(first: Any, others: Sequence[Any]) -> str:
    """Texts as they are written in markup, one on each line."""
    return str(escape("\n".join([as_text(first), *map(as_text, others), ""])))


class StandardPlan(CardTexts):
    """What a card with the face `standard` says, and how much room there is for that. `s` enlarges lengths on larger
    cards, and `t`, less so, type. `panel` says whether there is a ground for words besides the title, and `beside`
    whether the picture stands beside it. A card is `bare` if a picture or an emblem has the room for the words."""

    def __init__(
        self,
        values: Any,
        columns: Columns,
        longest: Mapping[str, LongestText],
        width: float,
        height: float,
        safe: float,
        icon: str,
        set_code: str | None = None,
    ) -> None:
        super().__init__(values, columns, longest, set_code)
        self.width, self.height = width, height
        self.s = s = scale(width, height)
        self.t: float = s**0.55
        self.edge = max(3.4 * s, safe)
        self.inset, self.gap, self.between, self.radius = 2.6 * s, 1.2 * s, 1.6 * s, 1.8 * s
        self.has_long = any(column.long for column in columns.rest)
        self.titled = columns.title or columns.front or columns.cost or columns.rank
        self.title_height = 9.6 * s if self.titled else -self.between
        self.full_width = width - 2 * self.edge - 2 * self.inset
        self.fact_width = fact_width(values, columns.rest, self.places, self.t, longest=longest)
        self._find_room(values, columns)
        self._choose_picture(icon, columns, self._deck_room(values, columns, longest))
        self.text_width = self.full_width - (self.picture_width + self.between if self.beside else 0)
        self.tiles = tiles_of(self.fact_width, len(self.places), self.text_width)
        self._fit_title()
        self._fit_words()

    def _find_room(self, values: Any, columns: Columns) -> None:
        """The height of the words at a comfortable size, and the `room` that this leaves for the picture."""
        s, t, width = self.s, self.t, self.full_width
        self.facts_height = self._facts_height(len(self.places), self.fact_width)
        self.flavour_height = lines(self.flavour, width, 7.5 * t) * 3.3 * t + self.gap if self.flavour else 0.0
        self.others_height = self.flavour_height + self.facts_height + (5.5 * s if self.type is not None else 0)
        paragraphs = paragraphs_height(values, columns.rest, self.long_places, width, size=8 * t, s=s)
        words_height = lines(self.rules_extent, width, 8 * t) * 3.6 * t + paragraphs + self.others_height
        footer_lines = lines(self.footer, self.width - 2 * self.edge, 6.4)
        self.footer_height = 2.5 * max(1, footer_lines) if self.footer else 0.0
        footer_height = self.footer_height + self.between if self.footer else 0.0
        self.body_height = self.height - 2 * self.edge - self.title_height - self.between - footer_height
        self.room = self.body_height - self.between - 2 * self.inset - words_height

    def _deck_room(self, values: Any, columns: Columns, longest: Mapping[str, LongestText]) -> float:
        """The room that the longest words of the deck would leave for the picture."""
        short = [place for place, column in enumerate(columns.rest) if not column.long]
        is_same = short == self.places
        widest = self.fact_width if is_same else fact_width(values, columns.rest, short, self.t, longest=longest)
        more_facts = max(0.0, self._facts_height(len(short), widest) - self.facts_height)
        width, size = self.full_width, 8 * self.t
        more_lines = lines(self.longest_extent, width, size) - lines(self.words_extent, width, size)
        return self.room - more_facts - more_lines * 3.6 * self.t

    def _facts_height(self, count: int, widest: float) -> float:
        height = facts_height(count, tiles_of(widest, count, self.full_width), self.s, self.t)
        return height + 2 * self.gap if count else 0.0

    def _choose_picture(self, icon: str, columns: Columns, deck_room: float) -> None:
        width, height, room = self.width, self.height, self.room
        wide = width > _WIDE * height
        # pictures of a deck are equally high, unless that of the card with the longest text would be much lower
        share = next((share for share in _PICTURES if share <= room / height), _PICTURES[-1])
        high = (min(share, 0.34) if 0.3 * height <= deck_room < 0.46 * height else share) * height
        # cards without a picture have an emblem in its place, if all cards of the deck have room for it
        if wide:
            has_room = self.full_width > 50 and self.words_extent.length < 160
        else:
            has_room = (room if columns.image else min(room, deck_room)) >= 0.22 * height
        self.emblem = bool(not self.image and icon and width >= 38 and has_room)
        if self.emblem:
            high = min(high, 0.34 * height, max(deck_room, 0.22 * height))
        self.pictured = bool(self.image or self.emblem)
        # on a card that is wider than high, or square with many words, the picture stands beside the words
        square = width > 0.9 * height and room < 0.2 * height and self.full_width > 28
        self.beside = self.pictured and (wide or bool(self.image and square))
        across = (0.44 if self.image else 0.3) if self.beside else 1
        self.picture_width = (width - 2 * self.edge) * across
        # without words, the picture has all the room, above what else there is
        self.bare = self.pictured and not self.beside and not self.has_words
        self.panel = bool(not self.bare or self.type is not None or self.flavour or self.places)
        if self.beside or self.bare:
            below = self.between + 2 * self.inset + self.others_height
            high = self.body_height - (below if self.bare and self.panel else 0)
        self.picture_height = high

    def _fit_title(self) -> None:
        room, title = self.width - 2 * self.edge, self.title_extent
        if self.cost is not None:
            room -= cost_width(self.cost, self.s, self.t, self.width * 0.42) + 2 * self.s
        room /= self.t
        self.title_size = 14 if title.length < room / 2.35 else 12 if title.length < room / 2 else 10
        self.title_wrap = wrap(title, int(room / 1.55))
        self.title_lines = 2 if title.length < 60 else 3

    def _fit_words(self) -> None:
        """Texts of a deck have one size, that of the longest, unless that is very long. The shortest are centred."""
        above = min(self.picture_height, self.room) + self.between if self.pictured and not self.beside else 0
        left = self.body_height - 2 * self.inset - self.others_height - above - 4 * len(self.long_places)
        self.text_height = max(left, 6)
        sizes = _SIZES_BELOW_PICTURES if self.pictured else _SIZES
        area = self.text_width / self.t, self.text_height * 0.9 / self.t
        least = 12 if self.words_extent.length < 62 and not self.long_places else 10
        deck_size = max(type_size(self.longest_extent, *area, sizes), least)
        self.text_size = min(type_size(self.words_extent, *area, sizes), deck_size)
        self.centred = not self.has_long and len(self.longest_text) < _CENTRED


_TEXTS = scale, lines, word_width, type_size, shared_size, poster, wrap, cost_width, fact, with_unit, answer, parted
_HEIGHTS = offered, filled, paragraphs_height, tiles, fact_groups, facts_height, groups_height, options_height
FILTERS: Mapping[str, Callable[..., Any]] = {
    **{function.__name__: function for function in (*_TEXTS, *_HEIGHTS)},
    "card_texts": CardTexts,
    "standard_plan": StandardPlan,
}
"""The filters of templates, by their names."""
