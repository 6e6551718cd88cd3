"""What the texts of a table say besides their words: numbers of copies in titles, as in the lists of decks (`3x
Village`, `Village (x3)`, `3 Village`), HTML, which becomes the marks of texts on cards (`<b>`, `<i>`, `<u>`, `<br>`,
`&amp;`), and simple formulas in LaTeX (`$x^2$`)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct, field

from .headings import is_word

_BEFORE = re.compile(r"(\d{1,3})\s?(?:[xX×*]\s+|[×*]|x(?=[^\W\da-z]))([^\W\d].*)", re.DOTALL)
_AFTER = re.compile(r"([^\W\d].*?)(?:\s+[(\[]?|[(\[])\s?(?:[x×*]\s?(\d{1,3})|(\d{1,3})\s?[x×])\s?[)\]]?", re.DOTALL)
_BARE = re.compile(r"(\d{1,3})\s+([^\W\d].*)", re.DOTALL)
_WRAPPED = re.compile(r"(?<=[^\n.!?:;]{40})\n(?=[a-z])")  # the end of a line within a sentence
# The address after the name of a related page in a table from Notion.
RELATION = re.compile(r" \(https://(?:www\.)?notion\.(?:so|site)/[^\s()]*\)")
_TRACE = re.compile(r"[<&\\{`$]|\]\(|\d\]| \(h|\[sound:")
_SOUND = re.compile(r"\s*\[sound:[^]\n]*\]")
# Code and links, and the numbers of notes in Wikipedia, such as `fear.[1]`.
_MARKDOWN = re.compile(
    r"`([^`\n]+)`|\[([^][\n]+)\]\(<?https?://(?:[^\s()]|\([^\s()]*\))*(?: \"[^\"\n]*\")?\)|(?<=[.,;:!?”\"])\[\d{1,3}\]"
)
_STARS = re.compile(r"<(b|strong|i|em)(?:\s[^<>]*)?>(\s*)(.*?)(\s*)</\1>", re.IGNORECASE | re.DOTALL)
_LINES = re.compile(r"<(u|ins|s|del|strike)(?:\s[^<>]*)?>([^][{}<>\n]+)</\1>", re.IGNORECASE)
_RAISED = re.compile(r"<(su[pb])>([0-9+-]+)</su[pb]>|(?<=\w)([\^_])\{([0-9+-]+)\}")
_SUPERSCRIPTS, _SUBSCRIPTS = (
    str.maketrans("0123456789+-()=nia", signs) for signs in ("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾⁼ⁿⁱᵃ", "₀₁₂₃₄₅₆₇₈₉₊₋₍₎₌ₙᵢₐ")
)
# A formula between dollars that is not two prices: with a sign of LaTeX, or a single letter or number, or `x = 3`.
_FORMULA = re.compile(
    r"\$\$([^$]+)\$\$|\\\(((?:[^\\]|\\[^()])+)\\\)|\\\[((?:[^\\]|\\[^][])+)\\\]|\$("
    r"(?=[^$\n]*[\\^_])[^\s$](?:[^$\n]*[^\s$])?|[A-Za-z]|\d[\d.,]*|[\w(][^\s$]{0,20} ?[=<>+] ?[^\s$]{0,20}\w)\$(?!\d)"
)
_PLAIN = re.compile(r"\\(?:left|right|displaystyle|limits|!)|\\(?:text|mathrm|mathbf|mathit|operatorname)\b")
_OVER = re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}|\\sqrt\{([^{}]*)\}")
_POWER = re.compile(r"([\^_])(?:\{([0-9+()=nia-]+)\}|([0-9nia]))")
_COMMAND = re.compile(r"\\(?:([A-Za-z]+)(?: (?=[A-Za-z\\\\]))?|([,;: %]))")
_SMALL = {"sup": _SUPERSCRIPTS, "^": _SUPERSCRIPTS, "sub": _SUBSCRIPTS, "_": _SUBSCRIPTS}
_FRACTIONS = dict(
    zip(
        ("1/2", "1/3", "2/3", "1/4", "3/4", "1/5", "2/5", "3/5", "4/5", "1/6", "5/6", "1/8", "3/8", "5/8", "7/8"),
        "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞",
        strict=True,
    )
)
_SIGNS = {
    **{"times": " × ", "cdot": " · ", "div": " ÷ ", "pm": " ± ", "leq": " ≤ ", "le": " ≤ ", "geq": " ≥ ", "ge": " ≥ "},
    **{"neq": " ≠ ", "ne": " ≠ ", "approx": " ≈ ", "to": " → ", "rightarrow": " → ", "Rightarrow": " ⇒ ", "in": " ∈ "},
    **{"infty": "∞", "circ": "°", "sum": "∑", "int": "∫", "partial": "∂", "ldots": "…", "dots": "…", "%": "%"},
    **{name: f"{name} " for name in ("sin", "cos", "tan", "log", "ln", "lim")},
}
_BREAK = re.compile(
    r"\s*<br\s*/?>[ \t]*\n?|\s*</(?:p|div|h[1-6]|tr|li)>\s*|\\n(?!ewline|ewpage)|\s*\\13\\\s*", re.IGNORECASE
)
_TAG = re.compile(
    r"</?(a|b|strong|i|em|u|ins|s|del|strike|p|div|h[1-6]|span|font|img|ul|ol|li|table|tbody|tr|td|th|sup|sub|small|big|center"
    r"|hr|code|tt|pre|blockquote|label)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_SILENT = ("p", "div", "tr", "ul", "ol")
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#[0-9]{1,6}|#x[0-9A-Fa-f]{1,5});")
# Codes for icons; those of numbers alone may be anything.
_CODE = re.compile(r"(?<![\]{])\{\w[\w/]{0,11}\}(?!\})")
_CODES = re.compile(r"(?<![\]{])(?:\{\w[\w/]{0,11}\})*\{[\d/]{0,3}[^\W\d][\w/]{0,11}\}(?:\{\w[\w/]{0,11}\})*(?!\})")
_FILE = re.compile(r"\S+\.\w{3,4}")


def signed(text: str) -> tuple[int, str] | None:
    """The copies and title in `3x Village` or `Village x3`; None for any other text."""
    if match := _BEFORE.fullmatch(text):
        return int(match[1]), match[2]
    match = _AFTER.fullmatch(text)
    return (int(match[2] or match[3]), match[1]) if match else None


def bare(text: str) -> tuple[int, str] | None:
    """The number and the words in `3 Village`, which may be copies and a title, or a title such as “7 Wonders”."""
    match = _BARE.fullmatch(text)
    return (int(match[1]), match[2]) if match else None


def counted(text: str) -> tuple[int, str] | None:
    return signed(text) or bare(text)


def may_be_copies(texts: Sequence[str]) -> bool:
    """Whether numbers without a sign may be copies: if at least every second text has one, and the words after them
    differ, unlike those of “2 Hearts” and “3 Hearts”."""
    found = [line for line in map(bare, texts) if line]
    return 2 * len(found) >= len(texts) > 0 and len({title for _, title in found}) == len(found)


def are_copies(texts: Sequence[str]) -> bool:
    """Whether numbers without a sign are probably copies: if every text has one, and they do not just count the
    texts."""
    numbers = [line[0] for line in map(bare, texts) if line]
    return len(numbers) == len(texts) and numbers != [*range(numbers[0], numbers[0] + len(numbers))]


def is_list_of_copies(texts: Sequence[str]) -> bool:
    """Whether at least half of the texts are lines of a deck list."""
    return 2 * sum(counted(text) is not None for text in texts) >= len(texts) > 0


def names_a_section(text: str) -> bool:
    """Whether a line of a deck list names a part of the deck: `Sideboard`, `Creatures (12)`, `// Spells`."""
    return text.startswith("//") or text.endswith(":") or is_word("sections", text.strip("0123456789 ()[]:"))


class HtmlMarks(Struct):
    """Remembers what could not be turned into marks: the `tags` that were left out, the `codes` for icons, such as {T},
    which are printed without their brackets, and the `formulas` that are not simple, with the texts in which they
    stand."""

    tags: dict[str, None] = field(default_factory=dict)
    codes: dict[str, None] = field(default_factory=dict)
    sounds: dict[str, None] = field(default_factory=dict)
    formulas: dict[str, str] = field(default_factory=dict)

    def marked(self, text: str) -> str:
        """A text with marks instead of HTML. Text without HTML stays as it is."""
        if "\n" in text:
            text = _WRAPPED.sub(" ", re.sub(r"\n[ \t]+", "\n", text))
        if not _TRACE.search(text) or _FILE.fullmatch(text):
            return text
        self.sounds |= dict.fromkeys(map(str.strip, _SOUND.findall(text)))
        text = _SOUND.sub("", text)
        text = _FORMULA.sub(lambda match: self._formula(match, text), text)
        if not _FORMULA.search(text):
            text = re.sub(r"(?<=\d)(?=\{[a-z]{2})|(?<=[a-z]\})(?=[^\W\d_])", " ", text)
            self.codes |= dict.fromkeys(_CODE.findall(text))
            text = _CODES.sub(lambda match: re.sub("[{}]", "", re.sub(r"(?<=[a-z])\}\{", " ", match[0])), text)
        text = _RAISED.sub(_raised, RELATION.sub("", text)).replace("\\'", "'").replace('\\"', '"')
        text = _STARS.sub(_starred, _STARS.sub(_starred, _MARKDOWN.sub(r"\1\2", text)))
        text = _LINES.sub(
            lambda match: f"[{match[2]}]{{{'underline' if match[1].lower() in ('u', 'ins') else 'strike'}}}", text
        )
        text = _BREAK.sub("\n", re.sub(r"\s*<li(?:\s[^<>]*)?>", "\n• ", text, flags=re.IGNORECASE))
        self.tags |= dict.fromkeys(f"<{tag.lower()}>" for tag in _TAG.findall(text) if tag.lower() not in _SILENT)
        return _ENTITY.sub(_character, _TAG.sub("", text)).strip()

    def _formula(self, match: re.Match[str], text: str) -> str:
        """A formula in plain signs, if it is simple: `x^2 + \\frac{1}{2}` → `x² + ½`."""
        formula = re.sub(r"\^\{?\\circ\}?", "°", _PLAIN.sub("", match[match.lastindex or 0]))
        for _ in range(3):  # they may be inside each other
            formula = re.sub(r"(?<![\w}^_])\{([^{}]*)\}", r"\1", _OVER.sub(_over, _POWER.sub(_power, formula)))
        formula = _COMMAND.sub(_sign, formula)
        if re.search(r"[\\^_{}]", formula):
            self.formulas[match[0]] = text
            return match[0]
        return " ".join(formula.split())

    def notes(self) -> list[str]:
        """What could not be turned into marks."""
        tags = [f"HTML was left out of the texts: {_some(self.tags)}"] if self.tags else []
        tags += [f"left out, because sounds cannot be printed: {_some(self.sounds)}"] if self.sounds else []
        names = [code.strip("{}").lower() for code in self.codes if code.strip("{}").isalpha()]
        icon = f"; to print an icon, add icons/{names[0]}.svg and write :{names[0]}:" if names else ""
        codes = f"printed as plain text, not as icons: {_some(self.codes)}{icon}"
        count = len({*self.formulas.values()})
        texts = f"in {count} texts are" if count > 1 else "in a text are"
        formulas = f"formulas {texts} too complex, so they are printed as typed: {_some(self.formulas)}"
        return [*tags, *[codes] * bool(self.codes), *[formulas] * bool(self.formulas)]


def _character(match: re.Match[str]) -> str:
    from html import unescape  # few tables have entities

    return unescape(match[0])


def _some(words: Mapping[str, Any]) -> str:
    return ", ".join([*words][:4]) + ", …" * (len(words) > 4)


def _starred(match: re.Match[str]) -> str:
    """`<b>two </b>` → `**two** `."""
    tag, before, words, after = match.groups()
    stars = ("**" if tag.lower() in ("b", "strong") else "*") if words else ""
    return f"{before}{stars}{words}{stars}{after}"


def _power(match: re.Match[str]) -> str:
    return (match[2] or match[3]).translate(_SMALL[match[1]])


def _over(match: re.Match[str]) -> str:
    """`\\frac{1}{2}` → `½`, `\\frac{a}{b + 1}` → `a/(b + 1)`, `\\sqrt{2}` → `√2`."""
    above, below, root = (f"({part})" if part and not part.isalnum() else part or "" for part in match.groups())
    if root:
        return f"√{root}"
    return _FRACTIONS.get(f"{above}/{below}") or f"{above}/{below}"


def _sign(match: re.Match[str]) -> str:
    """`\\alpha` → `α`, `\\times` → `×`."""
    name = match[1] or match[2]
    case = "SMALL" if name.islower() else "CAPITAL"
    with suppress(KeyError):
        return (
            _SIGNS.get(name)
            or " " * (name in ",;: ")
            or unicodedata.lookup(f"GREEK {case} LETTER {name.replace('lambda', 'lamda')}")
        )
    return match[0]


def _raised(match: re.Match[str]) -> str:
    """`<sup>2</sup>` and `^{2}` → `²`."""
    return str(match[2] or match[4]).translate(_SMALL[match[1] or match[3]])
