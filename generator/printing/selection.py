"""What is printed or exported: the games, components, sets and cards that the words and options of a command name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from .. import games, nodes, paths
from ..draws import Deck, SetCode, draw_kinds, parse
from ..errors import InputError, Place, Problem, collecting, did_you_mean, fault, listed, refuse, shortened
from ..model.game import Card, Game
from ..reading.load import is_game, load, shipped
from ..reading.table_game import DEFAULT_LOOK, TableLook

Chosen = tuple[Game, Deck]
_CODE = re.compile(r"[A-Za-z]{2}-\S+$")


class RandomDraw(Struct, frozen=True):
    """A random set to draw, or a print `run` of this many sets. Without a seed it is new every time; without a kind,
    the first that fits is drawn."""

    seed: str | None
    kind: str | None
    options: Mapping[str, str]
    run: int | None = None


class Selection(Struct):
    """The `chosen` games with their decks, one per set, the named `components`, and the `problems` of games and
    components that cannot be read while others can."""

    chosen: list[Chosen] = field(default_factory=list)
    components: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)


def chosen_sets(
    words: Sequence[str],
    sets: Sequence[str] = (),
    draw: RandomDraw | None = None,
    *,
    look: TableLook = DEFAULT_LOOK,
    trust_code: bool = False,
) -> Selection:
    """What the words select: a game, then components and further games. If no game is named, the set codes decide.
    Raises InputError."""
    codes = _codes(sets)
    if codes and not (words and is_game(words[0])):
        parsed = list(map(parse, codes))
        owners: dict[str, Game] = {}
        for code in parsed:
            if code.prefix not in owners:
                owners[code.prefix] = draw_kinds.game_of(code)
        dealt = _dealt((game, code) for prefix, game in owners.items() for code in parsed if code.prefix == prefix)
        return Selection(dealt, tuple(words))
    loaded, components, problems = _named(words, look, trust_code)
    if not loaded:
        raise InputError(problems)
    if len(loaded) > 1:
        _refuse_unclear(loaded, codes)
    dealt = _dealt(
        (game, code)
        for game in loaded
        for code in _sets_of(
            game, [code for code in codes if len(loaded) == 1 or _belongs(code, game)], draw, components
        )
        if code or not codes
    )
    return Selection(dealt, tuple(components), problems)


def _dealt(sets: Iterable[tuple[Game, SetCode | None]]) -> list[Chosen]:
    """The sets with their decks. Raises InputError with the problems of all of them."""
    dealt: list[Chosen] = []
    problems: list[Problem] = []
    for game, code in sets:
        with collecting(problems):
            dealt.append((game, games.deal(game, code)))
    refuse(problems)
    return dealt


def _named(words: Sequence[str], look: TableLook, trust_code: bool) -> tuple[list[Game], list[str], list[Problem]]:
    """The games and the components that the words name, and the problems of the games. The first word is a game."""
    loaded: list[Game] = []
    problems: list[Problem] = []
    components: list[str] = []
    for place, word in enumerate(words):
        parts = dict.fromkeys(part for game in loaded for part in game.components)
        if place and word not in shipped() and word in parts:
            components.append(word)
        elif is_game(word):
            with collecting(problems):
                loaded.append(game := load(word, look, trust_code, partial=True))
                problems += game.problems
        elif not place or paths.is_file(Path(word)):
            for key in shipped():
                if word in load(key).components:
                    raise fault(
                        f"“{word}” is a component, not a game",
                        hint=f"name the game first, for example: pencilbox make {key} {word}",
                    )
            load(word, look)  # raises InputError
        elif problems:  # the word may name a component of a game that cannot be read
            raise InputError(problems)
        else:
            raise fault(
                f"there is no game, folder or component “{shortened(word)}”",
                hint=did_you_mean(word, [*parts, *shipped()]) or f"known: {', '.join(parts)}",
            )
    return loaded, components, problems


def refuse_unknown(games_: Iterable[Game], components: Iterable[str]) -> None:
    """Raises InputError for components that none of the games has."""
    names = list(dict.fromkeys(name for game in games_ for name in game.components))
    refuse(
        Problem(f"there is no component “{shortened(name)}”", hint=did_you_mean(name, names))
        for name in components
        if name not in names
    )


# ---- sets


def _codes(texts: Iterable[str]) -> list[str]:
    """The codes among the texts and in the files among them, each once. Raises InputError with every invalid one and
    its line. A file may hold anything that `randomise -o` writes: only lines that begin like a code count."""
    codes: dict[str, None] = {}
    problems: list[Problem] = []
    for text in texts:
        if not paths.is_file(Path(text)):
            codes[text] = None
            continue
        lines = nodes.read_text(Path(text), text).splitlines()
        typed = {number: line.strip() for number, line in enumerate(lines, start=1) if _CODE.match(line.strip())}
        if not typed:
            hint = "“pencilbox randomise GAME -o FILE” writes one on each line"
            problems.append(Problem("contains no set codes", Place(text), hint))
        for number, word in typed.items():
            with collecting(problems):
                codes[str(parse(word, place=Place(text, number)))] = None
    refuse(problems)
    return list(codes)


def _belongs(code: str, game: Game) -> bool:
    return parse(code).prefix == game.definition.prefix


def _refuse_unclear(games_: list[Game], codes: list[str]) -> None:
    """Raises InputError for the codes that belong to none or to several of the games."""
    problems = []
    for code in codes:
        owners = {game.folder: game.title for game in games_ if _belongs(code, game)}
        if len(owners) > 1:
            message = f"may belong to each of {listed(owners.values())}: their codes begin with the same letters"
            hint = "print these games one at a time, or give one of them another “prefix”"
            problems.append(Problem(f"the set code {code} {message}", hint=hint))
        if not owners:
            prefixes = listed(dict.fromkeys(game.definition.prefix for game in games_ if game.definition.prefix))
            message = f"the set code {code} belongs to none of these games"
            problems.append(Problem(message, hint=f"their codes begin with {prefixes}"))
    refuse(problems)


def _sets_of(game: Game, codes: list[str], draw: RandomDraw | None, components: list[str]) -> Iterator[SetCode | None]:
    """The sets to print: those of the codes, a new one, or the standard set."""
    if draw and draw.run:
        yield from print_run(game, draw.seed, draw.kind, draw.options, size=draw.run)
    elif draw:
        yield _drawn(game, draw, components)
    elif codes:
        yield from (parse(code, prefix=game.definition.prefix) for code in codes)
    else:
        yield None


def print_run(game: Game, seed: str | None, kind: str | None, options: Mapping[str, str], size: int) -> list[SetCode]:
    """The codes of a new print run of this many sets."""
    first = games.new_code(game, seed, draw_name=kind, options={**options, "run": "yes"})
    return games.random_sets(game).run(game, first, size)


def _drawn(game: Game, draw: RandomDraw, components: list[str]) -> SetCode:
    """The code of a new set; of several kinds, the first that changes a named component."""
    kinds = [draw.kind] if draw.kind or not components else list(game.draws)
    for kind in kinds if len(kinds) > 1 else ():
        try:
            code = games.new_code(game, draw.seed, draw_name=kind, options=draw.options)
        except InputError:
            continue
        if {*components} & {*games.deal(game, code).changes(game)}:
            return code
    return games.new_code(game, draw.seed, draw_name=draw.kind, options=draw.options)


# ---- the cards of --cards: positions in a deck, ids, ranges of both, and titles


Choice = tuple[str, ...]
"""Items such as `3`, `7-12` and `moon`. An id takes precedence over a position with the same number, and both over a
title."""
_MAX_FILE_NAME = 40
_MAX_COMMAS = 4  # the maximum number of commas in a title


def read_choice(text: str) -> Choice:
    """The list as typed after --cards."""
    items = tuple(dict.fromkeys(item for word in text.split(",") if (item := word.strip())))
    if not items:
        raise fault("--cards lists no cards", hint="list positions, ids or titles, for example --cards 3,7-12,moon")
    return items


def file_name_of(choice: Choice) -> str:
    """The choice as part of a file name."""
    return "".join(letter if letter.isalnum() or letter in "+-_" else "_" for letter in "+".join(choice))[
        :_MAX_FILE_NAME
    ]


def matching_cards(choice: Choice, cards: Sequence[Card], title_field: str = "") -> tuple[Card, ...]:
    """The chosen cards of a deck, with all their copies."""
    index = _card_index(cards, title_field)
    ids = {index.ids[number] for item in _joined_items(choice, [index]) for number in index.numbers(item)}
    return tuple(card for card in cards if card.id in ids)


def refuse_unknown_cards(choice: Choice, decks: Iterable[tuple[str, Sequence[Card], str]]) -> None:
    """Raises InputError for items that none of the decks has, and for ranges that run backwards. Each deck has its
    name, its cards, and the field with their titles."""
    indices = {name: _card_index(cards, title_field) for name, cards, title_field in decks}
    items = _joined_items(choice, [*indices.values()])
    refuse(problem for item in items if (problem := _item_problem(item, indices)))


class _CardIndex(Struct, frozen=True):
    """The ids of a deck in order, without repetitions, the card (counted from 0) of each id, also in lower case, and
    the cards with each title."""

    ids: list[str]
    by_id: Mapping[str, int]
    by_title: Mapping[str, list[int]]

    def number(self, word: str) -> int | None:
        """The card with this id, or at this position; a position may lie beyond the end of the deck."""
        number = self.by_id.get(word, self.by_id.get(word.casefold()))
        if number is not None:
            return number
        return int(word) - 1 if word.isascii() and word.isdecimal() and len(word) < 7 and int(word) else None

    def numbers(self, item: str) -> range:
        """The cards of an item, up to the end of the deck."""
        for first, last in self.ends(item):
            return range(first, min(last + 1, len(self.ids)))
        titled = self.by_title.get(_folded_title(item), ())
        return range(titled[0], titled[0] + 1) if len(titled) == 1 else range(0)

    def ends(self, item: str) -> Iterator[tuple[int, int]]:
        """The first and last card of an item: a single one, or a range; ids may contain hyphens themselves."""
        single = self.number(item)
        if single is not None:
            yield single, single
        for place, letter in enumerate(item):
            if letter in "-–":
                first, last = (self.number(word.strip()) for word in (item[:place], item[place + 1 :]))
                if first is not None and last is not None:
                    yield first, last


def _card_index(cards: Sequence[Card], title_field: str) -> _CardIndex:
    unique = {card.id: card for card in cards}
    ids = list(unique)
    by_id = {name.casefold(): number for number, name in reversed([*enumerate(ids)])}
    by_id |= {name: number for number, name in enumerate(ids)}
    by_title: dict[str, list[int]] = {}
    for number, card in enumerate(unique.values()) if title_field else ():
        by_title.setdefault(_folded_title(str(card.values.get(title_field) or "")), []).append(number)
    return _CardIndex(ids, by_id, by_title)


def _folded_title(text: str) -> str:
    """A title as it is compared: in lower case, without the stars of **bold** words."""
    return " ".join(text.replace("*", "").split()).casefold()


def _joined_items(items: Choice, decks: Sequence[_CardIndex]) -> Iterator[str]:
    """The items; those that are parts of a title with commas as one."""
    titles = {title for index in decks for title in index.by_title if "," in title}
    start = 0
    while start < len(items):
        ends = range(min(len(items), start + _MAX_COMMAS + 1), start + 1, -1) if titles else ()
        end = next((end for end in ends if _folded_title(", ".join(items[start:end])) in titles), start + 1)
        yield ", ".join(items[start:end])
        start = end


def _item_problem(item: str, decks: Mapping[str, _CardIndex]) -> Problem | None:
    ends = [(first, last, len(index.ids)) for index in decks.values() for first, last in index.ends(item)]
    if any(first <= last < count for first, last, count in ends):
        return None
    if any(last < first < count for first, last, count in ends):
        return Problem(f"--cards: the range “{shortened(item)}” runs backwards", hint="name the earlier card first")
    titled = [[index.ids[number] for number in index.by_title.get(_folded_title(item), ())] for index in decks.values()]
    if any(titled):
        if any(len(names) == 1 for names in titled):
            return None
        names = max(titled, key=len)
        message = f"--cards: {len(names)} cards have the title “{shortened(item)}”"
        return Problem(message, hint=f"give the positions or ids of those you want: {listed(names)}")
    hint = did_you_mean(item, (name for index in decks.values() for name in (*index.ids, *index.by_title)))
    if not hint.startswith("did") or item.replace("-", "").isdecimal():
        hint = ", ".join(f"{name} has {len(index.ids):,} different cards" for name, index in decks.items())
    return Problem(f"--cards: there is no card “{shortened(item)}”", hint=hint)
