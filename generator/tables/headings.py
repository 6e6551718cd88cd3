"""What the headings of a table mean, in English and five other languages: the roles of its columns (title, cost, rules
text, …) and their names in templates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType
from typing import Any

from .. import nodes, paths
from ..model.columns import Column, Columns
from ..spelling import numbered

_VOWELS = "\u0900"  # the marks of scripts from here on are letters, not accents
# A unit or remark: `Cost (gold)`, `Question - at most 120 letters`.
_IN_BRACKETS = re.compile(r"[(\[].*?[)\]]|\s[-–—]\s.*", re.DOTALL)
# Where a heading of a program consists of several words.
_JOINT = re.compile(r"[_/]|(?<=[a-z][a-z])(?=[A-Z][a-z])|(?<=[a-z])[-.](?=[a-z])")
_CODE = re.compile(
    r"(?i:[0-9a-f]{8}-[0-9a-f-]{27})|\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*|[\w./\\-]*[\w-]\.[A-Za-z]\w{1,3}"
    r"|[^\n]{3,20}\b(?:19|20)\d\d\b[^\n]{1,6}\b\d{1,2}:\d\d.{0,12}"
    r"|-?\d+\.\d{5,}|[A-Z]{2,}[-_]?\d{3,}(?:[-_]\d+)*|0x[0-9A-Fa-f]{8,}|\[\{.*|\{\".{80,}",
    re.DOTALL,
)
_TOKEN = re.compile(r"(?:(?:[a-z]\S*|\S*[\d_/]\S*)(?:, ?|$))+")  # words in lower case, or with digits or the like
_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "°": "o"})
_ALONE = {"cost", "type", "rules"}  # the roles of a column that is the title if it is the only one


def folded(heading: str) -> str:
    """A heading in lower case, without accents, spaces and punctuation: `Flavour-Text` → `flavourtext`."""
    if not heading.isascii():
        heading = unicodedata.normalize("NFKD", heading.casefold().translate(_LETTERS))
    letters = (letter for letter in heading.casefold() if letter.isalnum() or (letter >= _VOWELS and _is_mark(letter)))
    return "".join(letters) or heading.strip()


def _is_mark(letter: str) -> bool:
    """Whether a character is a mark of the letter before it, such as a vowel sign of Devanagari or Thai."""
    return unicodedata.category(letter) in ("Mn", "Mc") and letter != "\ufe0f"  # an emoji in colour


def identifier(heading: str, taken: Iterable[str] = ()) -> str:
    """A field name for a heading: in lower case, `_` for other characters, and different from the names in `taken`."""
    plain = unicodedata.normalize("NFKC", heading).lower().replace("\u0e4d\u0e32", "\u0e33")  # Thai am, as it is typed
    words = "".join(each if each.isalnum() or each == "_" or _is_mark(each) else " " for each in plain)
    base = "_".join(words.split()).strip("_") or "column"
    return numbered(f"n_{base}" if base[0].isdigit() else base, set(taken))


# ---- words


@cache
def _lists() -> Mapping[str, Any]:
    path = paths.SHARED_DATA / "headings.yaml"
    lists: Mapping[str, Any] = nodes.plain(nodes.document(nodes.read_text(path), path.name))
    return lists


@cache
def _folded_words(name: str) -> frozenset[str]:
    """A list of words, folded."""
    return frozenset(map(folded, _lists()[name].split(", ")))


@cache
def _meanings(language: str) -> Mapping[str, tuple[str, int]]:
    """The folded headings of a language, each with the role it means and its position in the list."""
    words: dict[str, tuple[str, int]] = {}
    for role, headings in _lists()["roles"][language].items():
        for position, heading in enumerate(headings.split(", ")):
            words.setdefault(folded(heading), (role, position))
    return words


def meaning(heading: str, language: str = "") -> tuple[str, int]:
    """The role that a heading means, in the singular or plural, without a unit in brackets, a language at the end
    (`text_en`) and “card” at the beginning (`card_set`), and its position in the list; ("", 0) for none. Words of
    `language`, if given, take precedence over English ones."""
    plain = _IN_BRACKETS.sub("", heading)
    words = spaced(plain).split(" ") or [""]
    untranslated = "".join(words[:-1]) if folded(words[-1]) in _folded_words("language_codes") else plain
    own = "".join(words[1:]) if folded(words[0]) == "card" else plain
    forms = dict.fromkeys(map(folded, (heading, plain, untranslated, own)))
    for meanings in map(_meanings, filter(None, (language, "English"))):
        for word in forms:
            for form in (word, word.removesuffix("s"), word.removesuffix("es")):
                if form in meanings:
                    return meanings[form]
    return "", 0


@cache
def _pairs() -> Sequence[tuple[str, str]]:
    """The folded headings of the two sides of flash cards."""
    pairs = f"{_lists()['pairs']}, {_lists()['quizzes']}".split(", ")
    return [(folded(front), folded(back)) for front, back in map(str.split, pairs)]


def are_two_sides(headings: Iterable[str]) -> bool:
    """Whether these are, or contain, the headings of the two sides of flash cards."""
    words = {*map(folded, headings)}
    return any(front in words and back in words for front, back in _pairs())


@cache
def _sides() -> frozenset[str]:
    """The headings of both sides of flash cards, folded."""
    return frozenset(map(folded, _lists()["pairs"].replace(",", " ").split()))


def is_side(heading: str) -> bool:
    """Whether a heading only says that its texts are on a side of flash cards: `Front`, `Answers`, but not `A`."""
    word = folded(_IN_BRACKETS.sub("", heading))
    return word not in ("q", "a") and not {word, word.removesuffix("s")}.isdisjoint(_sides())


def has_meaning(heading: str) -> bool:
    """Whether a heading means a role in any language, or a side of flash cards, or is the name of a language."""
    is_language = folded(heading) in _folded_words("languages")
    return is_language or is_side(heading) or any(meaning(heading, language)[0] for language in _lists()["roles"])


def languages_in(headings: Collection[str]) -> list[str]:
    """Those headings that are languages. A code such as `it` only counts beside another language and if at most two
    thirds of the headings are something else, as it can be a word, or a name in a table about other things."""
    names = _folded_words("languages")
    found = [heading for heading in headings if folded(heading) in names | _folded_words("language_codes")]
    return [heading for heading in found if folded(heading) in names or 1 < len(found) >= len(headings) / 3]


@cache
def _subjects(language: str) -> frozenset[str]:
    return frozenset(map(folded, _lists()["subjects"].get(language, "").split(", "))) - {""}


def are_subjects(headings: Collection[str]) -> bool:
    """Whether several headings all say in one language what things are: `Country` and `Capital`."""
    words = {*map(folded, headings)}
    return len(words) > 1 and any(words <= _subjects(language) for language in _lists()["subjects"])


def is_word(kind: str, text: str) -> bool:
    """Whether a text is in one of the lists of words: `totals`, `sections`, `variants`, `always_copies`."""
    return folded(text) in _folded_words(kind)


def is_tick(text: str) -> bool:
    """Whether a text is a tick or a cross, or means yes or no."""
    return is_word("yes", text) or is_word("no", text)


def are_suits(texts: Collection[str]) -> bool:
    """Whether a column has the suits of playing cards."""
    return 1 < len({*map(folded, texts)} & _folded_words("suits")) == len({*map(folded, texts)})


def spaced(heading: str) -> str:
    """A heading as words: `cost_gold` and `costGold` → `cost gold`, `costGold` → `cost Gold`."""
    return " ".join(_JOINT.sub(" ", heading).split())


def is_code(heading: str, texts: Collection[str]) -> bool:
    """Whether a column holds what only programs use: ids, names of files, times to the second, data."""
    words = [*map(folded, spaced(heading).split(" "))]
    named = words[-1] in _folded_words("codes") or words[0] == "id"
    return sum((_TOKEN if named else _CODE).fullmatch(text) is not None for text in texts) >= 0.9 * len(texts)


def language_of(headings: Iterable[str]) -> str:
    """The language of a table: the one that explains most of its non-English headings, or “” for English."""
    foreign = {folded(_IN_BRACKETS.sub("", heading)) for heading in headings if not meaning(heading)[0]}
    unknown = foreign - _subjects("English")
    if not unknown:
        return ""
    counts = {
        language: sum(word in _meanings(language) or word in _subjects(language) for word in unknown)
        for language in _lists()["roles"]
        if language != "English"
    }
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else ""


def thousands_sign(language: str) -> str:
    """What separates thousands in a language with decimal commas; “” for others."""
    return "." * is_word("points_in_thousands", language) or "\u00a0" * is_word("spaces_in_thousands", language)


def stem(heading: str) -> str:
    """The words of a heading with a number or letter, folded: `Option A` → `option`; “” for any other heading."""
    match = _NUMBERED.fullmatch(_IN_BRACKETS.sub("", heading).strip())
    return folded(match[1]).removesuffix("s") if match else ""


def names_a_count(heading: str) -> bool:
    """Whether a heading contains a word for a quantity: `Card Count`, `Anzahl im Stapel`."""
    words = {*map(folded, re.findall(r"\w+", heading))} - _folded_words("copies_only_alone")
    return any(_meanings(language).get(word, ("",))[0] == "copies" for language in _lists()["roles"] for word in words)


# ---- roles


_SINGLE_WORDS = ("title", "type", "rules", "flavour")  # the roles that a single word of a heading can mean: `Ship Name`
_BY_WORD = 1_000  # the position of a heading that has its role from a single word: after all that are listed
_ODD = re.compile(
    r"(?:[^\W\d_]{1,4}[-_./])?[^\W\d_]{0,4}[-_ .]?\d[\d.,:/ -]*[a-z]?%?|\[sound:[^]]*\]|https?://.*|.*\.(png|jpe?g|svg|webp|gif)",
    re.DOTALL | re.I,
)
# `Option 2`, `Side A`
_NUMBERED = re.compile(
    r"(.*[^\W\d_][\u0900-\u1cff]*)[\s_.-]*(?:[0-9]+|(?<=[\s_.-])(?:[a-hA-H]|one|two|three|four|five)|(?<=[a-z])[A-H])"
)
_MANY = 8  # the columns of a table that is not about words, although one has meanings
_MIN_YEARS = 3  # the years of a timeline, at least
LONG_TEXT = 80
_LONGEST = {"cost": 14, "type": 24}  # the average length of a cost and of a type, at most
LONG_FACT = 38
"""The maximum length of a value in the small table on cards."""
Samples = Mapping[str, Sequence[str]]
"""Some cells of each field, as texts."""


def assigned(
    fields: Mapping[str, str],
    declared: Iterable[str] = (),
    hidden: Iterable[str] = (),
    language: str = "",
    samples: Samples = MappingProxyType({}),
    given: Collection[str] = (),
    pictures: Sequence[str] = (),
) -> Columns:
    """The roles of fields by their names, given as field name → heading in the order of the table, and by their cells.
    `declared` are the fields that the game declares, `given` those whose names say their roles; `rest` leaves out the
    `hidden` ones. `language` is that of the headings. Some columns hold the names of `pictures`."""
    roles = _roles(fields, language, samples, given)
    if pictures:
        roles.setdefault("image", pictures[0])
    pair = _pair(fields, language, samples)
    roles = {role: name for role, name in roles.items() if name not in pair.values()} | pair
    _find_suit(roles, fields)
    free = [name for name in fields if name not in roles.values() and name not in hidden]
    options = _options(free, fields) if pair else []
    names = [name for name in free if name not in options]
    # columns such as `Option A` and `Option B` have no title beside a type, and neither have quotations with authors
    stems = {stem(fields[name]) or is_word("levels", fields[name]) or is_word("halves", fields[name]) for name in names}
    count = len(names) + (stems <= {True, *_folded_words("options")})  # `Part 1` and `Part 2` are two sides
    are_peers = any(stems) and len(stems) == 1 and {*roles} <= {"type"} and count > 2
    if not are_peers and ("footer" not in roles or meaning(fields.get(roles.get("rules", ""), ""))[0] != "flavour"):
        _find_title(roles, names, samples)
    if len(roles) == 1 and not names and not roles.keys().isdisjoint(_ALONE):
        roles = {"title": next(iter(roles.values()))}
    if "back" in roles and "front" not in roles and "title" in roles:
        roles["front"] = roles.pop("title")
    rest, offered = (tuple(Column(name, _label(fields[name])) for name in group) for group in (names, options))
    own_back = {"back"} & {*declared} - {roles.get("back")}
    return Columns(**roles, rest=rest, options=offered, headings=dict(fields), own_back=bool(own_back))


def _label(heading: str) -> str:
    """What is printed beside the values of a column: its heading, without a long remark, but nothing beside one of
    several taboo words."""
    heading = re.sub(r"^Related to (.+) \(.+\)$", r"\1", heading)
    words = heading if "/" in heading or (" " in heading and "_" not in heading) else spaced(heading)
    words = (len(words) > LONG_FACT and _IN_BRACKETS.sub("", words).strip()) or words
    unsaid = (
        stem(heading) in _folded_words("taboos")
        or is_word("halves", heading)
        or re.fullmatch(r"(?:Field|Column) \d+", heading)
    )
    label = "" if unsaid else re.sub("^card (?=.)|(?<=.) Label$", "", words, flags=re.IGNORECASE)
    return label if not label.islower() else label.upper() if len(label) < 4 else label[0].upper() + label[1:]


def _find_suit(roles: dict[str, str], fields: Mapping[str, str]) -> None:
    """Turns a colour beside only a number into a suit, the number beside a suit into a rank, and in a larger table
    without suits, a rank into a number."""
    has_number = folded(roles.get("cost", "")) in _folded_words("numbers")
    if {*roles} == {"colour", "rank"} or (has_number and {*roles} == {"colour", "cost"} and len(roles) == len(fields)):
        roles["suit"] = roles.pop("colour")
    if "suit" in roles and "rank" not in roles and has_number:
        roles["rank"] = roles.pop("cost")
    if "rank" in roles and "suit" not in roles and "cost" not in roles and len(fields) > 2:
        roles["cost"] = roles.pop("rank")


def _find_title(roles: dict[str, str], names: list[str], samples: Samples) -> None:
    """Takes the title, or the two sides of flash cards, from the columns that have no role yet."""
    most = max(map(len, samples.values()), default=0)
    sparse = {name for name in names if name in samples and 2 * len(samples[name]) < most}
    fitness = {name: min(as_title(samples.get(name)), 1 if name in sparse else 4) for name in names}
    best = max(names, key=fitness.__getitem__, default="")
    # texts that repeat less often than types do
    vary = bool(samples) and all(
        fitness[name] > 1 and len({*samples[name]}) > max(2, 0.4 * len(samples[name])) for name in names
    )
    is_dated = len(names) == 2 and is_word("dates", names[0]) and is_word("events", names[1])
    if len(names) == 2 and not roles and (min(fitness.values()) > 2 or vary or is_dated):
        roles |= {"front": names.pop(0), "back": names.pop(0)}
    elif best and not ({"title", "front"} & {*roles} or {"suit", "rank"} <= {*roles}):
        is_text = len(names) > 1 and fitness[best] == 3
        if "rules" not in roles or fitness[best] == 4:
            roles["rules" if is_text else "title"] = best
            names.remove(best)


def as_title(texts: Sequence[str] | None) -> int:
    """How well a column serves as the title: 4 if its texts are different and short, 3 if they are long or in lines, 2
    if they repeat, 1 if they are numbers, dates, codes or addresses, 0 if they are blank. Without a sample, 4."""
    if texts is None:
        return 4
    texts = [text for text in texts if text.strip("-–—?. ")]
    if not texts:
        return 0
    if 2 * sum(_ODD.fullmatch(text) is not None for text in texts) > len(texts):
        return 1
    if len(set(texts)) < 0.6 * len(texts):
        return 2
    return 3 if sum(map(len, texts)) > LONG_TEXT * len(texts) or 2 * "".join(texts).count("\n") > len(texts) else 4


def _roles(fields: Mapping[str, str], language: str, samples: Samples, given: Collection[str]) -> dict[str, Any]:
    """The fields with each role; of several, one that was given, or else the one whose heading is listed first."""
    best: dict[str, tuple[int, str]] = {}
    sings = any(is_word("composers", heading) for heading in fields.values())
    for name, heading in fields.items():
        role, position = meaning(heading if folded(name) == folded(heading) else name, language)
        if name in given:
            position = -1
        elif not role:
            role, position = _single_word(heading, language), _BY_WORD
            if role == "title" and as_title(samples.get(name)) < 3:
                continue
        if role == "title" and 2 * len(samples.get(name, ())) < len(samples.get(next(iter(fields)), ())):
            position += 2 * _BY_WORD
        texts = samples.get(name, ())
        is_long = role in _LONGEST and sum(map(len, texts)) > _LONGEST[role] * len(texts)
        # types that all differ are names, and a short “text” beside a composer is that of a song, or who wrote it
        is_long |= role == "type" and len(texts) >= _MANY and len({*texts}) > 0.9 * len(texts)
        # numbers that all differ are places in a list, and a blank column is no colour
        is_long |= role == "colour" and not texts and bool(samples)
        is_long |= (role == "rank" or is_word("numbers", heading)) and len({*texts}) == len(texts) > _MANY
        is_long |= role == "rules" and sings and sum(map(len, texts)) < LONG_FACT * len(texts)
        if name not in given and (is_long or (role == "footer" and texts and all(map(str.isdigit, texts)))):
            continue
        if role and (role not in best or position < best[role][0]):
            best[role] = position, name
    _reconsider(best, fields, samples, given)
    aside = ("id", "copies", "front", "back")
    return {role: name for role, (_, name) in best.items() if role not in aside or name in given}


def _reconsider(
    best: dict[str, tuple[int, str]], fields: Mapping[str, str], samples: Samples, given: Collection[str]
) -> None:
    """Takes the title from a heading such as `Latin name` if the first column serves as one, makes a flavour text
    without rules the rules, and of several columns with rules and no title, takes the one with the longest texts."""
    first = next(iter(fields), "")
    by_word = best.get("title", (0, ""))[0] == _BY_WORD
    if by_word and first not in {name for _, name in best.values()} and as_title(samples.get(first, ())) == 4:
        del best["title"]
    rules = [name for name, heading in fields.items() if meaning(heading)[0] == "rules" and name in samples]
    if len(rules) > 1 and "title" not in best and best["rules"][1] not in given:
        best["rules"] = 0, max(rules, key=lambda name: sum(map(len, samples[name])))
    if "flavour" in best and "rules" not in best and best["flavour"][1] not in given:
        best["rules"] = best.pop("flavour")


def _single_word(heading: str, language: str) -> str:
    """The role that the last word of a heading means, or in a language other than English, its first."""
    words = re.findall(r"[^\W\d_]+", _IN_BRACKETS.sub("", spaced(heading)))
    roles = (meaning(word, language)[0] for word in words[-1:] + words[:1] * bool(language))
    return next((role for role in roles if role in _SINGLE_WORDS), "")


def _options(names: Sequence[str], fields: Mapping[str, str]) -> list[str]:
    """The columns with the answers that a quiz offers: `A`, `B`, `C`, or `Option 1`, `Option 2`."""
    single = [name for name in names if len(folded(fields[name])) == 1 and fields[name].isalpha()]
    options = [name for name in names if (stem(fields[name]) or folded(fields[name])) in _folded_words("options")]
    return next((group for group in (single, options) if len(group) > 1), [])


def full_name(headings: Mapping[str, str]) -> tuple[str, str] | None:
    """The fields with the two parts of names, such as `First name` and `Surname`, if there are both."""
    names = {folded(heading): name for name, heading in headings.items()}
    pairs = (map(folded, pair.split()) for pair in _lists()["full_names"].split(", "))
    return next(((names[first], names[last]) for first, last in pairs if first in names and last in names), None)


def _pair(fields: Mapping[str, str], language: str, samples: Samples) -> dict[str, str]:
    """The two columns of flash cards, if the table has both: a pair of headings, or without a title, the names of two
    languages."""
    names = dict[str, str]()
    for name, word in reversed([(name, folded(name).removesuffix("label")) for name in fields]):
        names |= {word.removesuffix("s"): name, word: name}
    for front, back in _pairs():
        if front in names and back in names:
            return {"front": names[front], "back": names[back]}
    if dated := _dated(fields, samples):
        return dated
    languages = languages_in(fields)
    languages.sort(key=lambda name: (_is_blank(samples.get(name, ())), folded(name) in _folded_words("readings")))
    if len(languages) > 1 and not any(meaning(name, language)[0] == "title" for name in fields):
        return dict(zip(("front", "back"), languages, strict=False))
    others = [name for name, heading in fields.items() if name not in languages and not meaning(heading, language)[0]]
    if languages[:1] == [*fields][:1] and len(others) == len(fields) - 1 > 0:
        return {"front": languages[0], "back": others[0]}
    return _pair_by_words(fields, samples)


def _dated(fields: Mapping[str, str], samples: Samples) -> dict[str, str]:
    """The columns of a timeline with events and, on the back, their years, beside no others but explanations."""
    date, event = (next(filter(partial(is_word, kind), fields), "") for kind in ("dates", "events"))
    years = set(re.findall(r"(?<!\d)[12]?\d{3}(?!\d)", " ".join(samples.get(date, ()))))
    others = {meaning(heading)[0] for name, heading in fields.items() if name not in (date, event)}
    if not (date and event) or [*fields] == [date, event] or (len(fields) > 2 and len(years) <= _MIN_YEARS):
        return {}
    return {"front": event, "back": date} if others <= {"", "rules", "image", "id", "flavour", "footer"} else {}


def _is_blank(texts: Sequence[str]) -> bool:
    """Whether most texts are the same, such as `n/a`."""
    return 2 * max(map(texts.count, {*texts}), default=0) > len(texts) > 1


def _pair_by_words(fields: Mapping[str, str], samples: Samples) -> dict[str, str]:
    """A side of flash cards and the column whose heading has a word for the other: `Question` and `Correct option`,
    `Word` and `English translation`. A translation or a meaning is the other side of any first column of texts."""
    all_backs = {back for _, back in _pairs()} | _folded_words("translations")
    answers = {name: _answer(heading, all_backs) for name, heading in fields.items()}
    first = next((name for name in fields if as_title(samples.get(name)) > 2), "")
    for name, heading in fields.items():
        plain = "".join(map(folded, _untranslated(spaced(_IN_BRACKETS.sub("", heading)).split(" "))))
        backs = {back for front, back in _pairs() if plain in (front, f"{front}s")}
        is_back = is_word("translations", answers[name]) and (len(fields) < _MANY or is_word("base_forms", first))
        if is_back and first not in ("", name) and not meaning(fields[first])[0]:
            return {"front": first, "back": name}
        if found := [
            other for other, word in answers.items() if backs and word in {"correct", *backs} and other != name
        ]:
            return {"front": name, "back": found[0]}
    return {}


def _untranslated(words: Sequence[str]) -> Sequence[str]:
    """The words of a heading without the code of a language at their end: `question`, `ar` → `question`."""
    return words[:-1] if len(words) > 1 and is_word("language_codes", words[-1]) else words


def _answer(heading: str, backs: Collection[str]) -> str:
    """The word in a heading that means the back of a flash card, or “correct” for the right answer of a quiz."""
    words = [*map(folded, _untranslated(re.split(r"[ -]", spaced(_IN_BRACKETS.sub("", heading)))))]
    left = [word for word in words if not is_word("correct", word)]
    plain = [word for word in left if not is_word("answer_forms", word)] or left
    if left == words:
        return "" if stem(heading) or is_word("options", heading) else plain[-1]
    return "correct" * (not plain or "".join(plain) in backs or is_word("options", "".join(plain)))
