"""Where lines may break: between words, beside Chinese, Japanese and Korean letters, between the words of scripts
without spaces, and within words, by the patterns of a language (pyphen, from the dictionaries of LibreOffice).

https://www.unicode.org/reports/tr14/. Alphabetic text follows a few simpler rules, which need no tables: it breaks at
spaces, at dashes and slashes between letters, at soft hyphens and zero-width spaces. It never breaks inside a number or
a code such as GU-1C01, nor before punctuation that stands alone, as in French.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from ..errors import did_you_mean, fault
from .fonts import clusters

if TYPE_CHECKING:
    from pyphen import Pyphen

# Thai, Lao, Burmese and Khmer, whose words are found in dictionaries.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_IDEOGRAPHIC = "\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001f000-\U0003ffff"
_UNHYPHENATED = f"\u0600-\u08ff\u0f00-\u0fff\u1200-\u139f\ufb50-\ufdff\ufe70-\ufeff{_UNSPACED}{_IDEOGRAPHIC}"
_IDEOGRAPHIC_LETTERS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff"
# Other characters that let a text break elsewhere than at its spaces.
_SPECIAL = re.compile("[\u00ab\u2039\u2014\u00ad\u200b\u2010]|[a-z\u00df-\u00ff]-[^\\W\\d_]|[^\\W\\d_]/[^\\W\\d_]")
_WITHOUT_SPACES = re.compile(f"[{_UNSPACED}]+")
_IN_WORDS = re.compile(
    "(?<=[^\\W\\d_][a-z\u00df-\u00ff]-)(?=[^\\W\\d_]{2})|(?<=[^\\W\\d_]{2}/)(?=[^\\W\\d_]{2})"
    "|(?<=[^\\W_]\u2014)(?=[^\\W_])|(?<=[\u00ad\u200b])|(?<=\\w\u2010)(?=\\w)"
)
# What does not begin a line of Chinese, Japanese or Korean.
_NOT_FIRST = (
    re.escape(
        "!?:;,.)]}/%|-\"'\u00a0\u00a2\u00b0\u00bb\u2019\u201d\u203a\u2010\u2013\u2025\u2026\u2030\u2032\u2033\u203c\u2047\u2048\u2049\u200d"
        "\u2103\u3000、。〉》」』】〕〗〙〛〞〟︶︸︺︼︾﹀﹂﹄﹈），．］｝｠｡｣､々〜〻〼゛゜ゝゞ゠・ヽヾ：；･ﾞﾟ！？％￠"
        "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶーㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿｧｨｩｪｫｬｭｮｯｰ"
    )
    + "\u302a-\u302f\u3099\u309a\ufe00-\ufe0f"
)
# What does not end such a line.
_NOT_LAST = re.escape(
    "([{\"'$\u00a0\u00a1\u00a3\u00a5\u00ab\u00bf\u2018\u201a\u201c\u201e\u200d\u2039\u20ac\u2116"
    "〈《「『【〔〖〘〚〝︵︷︹︻︽︿﹁﹃﹇（［｛｟｢＄￡￥￦"
)
_UNBROKEN_BEFORE = tuple("!?;:%\u00bb\u203a)]}")  # characters that keep a text from breaking at the space before them
_UNITS = (
    "[kcmdnµ]?m[²³]?|[km]?g|[mcdh]?[lL]|k?cal|[mµ]?s|min|Min|Std|h|t|ha|lbs?|oz|ft|mi|[km]m/h|m/s|mph|[kMGT]?[BWVJN]|k?Wh|m?A|[hk]?Pa"
    "|bar|[kMG]?Hz|dB|K|px|pt|z\u0142|K\u010d|kr|Ft|CHF|EUR|USD|GBP|Mio|Mrd|кг|г|км|м|см|мм|л|мл|руб"
)
# Spaces beside punctuation that stands alone, within numbers and abbreviations, and between these and units.
_GLUED = re.compile(
    "(?<=[\u00ab\u2039]) (?=[^ ])|(?<=[^ ]) (?=[!?;:%\u00bb\u203a)\\]}])"
    f"|(?<=[0-9¹²³⁰⁴-⁹½¼¾]) (?=(?:[\u2030\u00b0$€£¥₽₴₺]|(?:{_UNITS})(?!\\w)))|(?<=[$€£¥§\u2116]) (?=[0-9])"
    "|(?<=\\b[A-ZÄÖÜ][a-zäöü]) (?=[0-9])|(?<=[0-9]) (?=[0-9]{3}(?![0-9]))|(?<=\\b[A-Za-z]\\.) (?=[A-Za-z]\\.)"
    "|(?<=\\b(?:Nr\\.|No\\.|Bd\\.|pp\\.|Abb|Art|Fig|Kap|Vol|Gen|Jes|Jer|Joh|Kor|Röm)) (?=[0-9])"
)
DICTIONARIES = "with pip install 'pencilbox[languages]', lines of Thai, Lao, Khmer and Burmese break between words"


@cache
def _one_of(letters: str) -> re.Pattern[str]:
    """One of these letters. Compiled when it is needed: two patterns of so many letters take as long as ten cards."""
    return re.compile(f"[{letters}]")


@cache
def _beside_ideographs() -> re.Pattern[str]:
    """Where lines may break before or after an ideograph, a kana, a Hangul syllable or an emoji (UAX 14, LB 13 to 31;
    JIS X 4051)."""
    letters = f"[{_IDEOGRAPHIC}]"
    return re.compile(f"(?<![{_NOT_LAST}])(?![{_NOT_FIRST}])(?:(?<={letters})|(?={letters}))")


def is_special(word: str) -> bool:
    """Whether a word may break, or stays with the word before it."""
    if word.isascii():
        if word.isalnum():
            return False
        may_break = "-" in word or "/" in word
    else:
        may_break = True
        if _is_beyond(word) and _one_of(_UNSPACED + _IDEOGRAPHIC).search(word):
            return True
    return (may_break and _SPECIAL.search(word) is not None) or word.startswith(_UNBROKEN_BEFORE)


def _is_beyond(word: str) -> bool:
    """Whether a word has characters where the letters of scripts without spaces are. Compiling a pattern of their exact
    ranges takes longer than printing ten cards."""
    return max(word, default="") > "\u0dff" and any(
        letter > "\u0dff" and not "\u1800" <= letter <= "\u2e7f" for letter in word
    )


def is_east_asian(text: str) -> bool:
    """Whether a text has Chinese, Japanese or Korean letters."""
    return _is_beyond(text) and _one_of(_IDEOGRAPHIC_LETTERS).search(text) is not None


def may_have_hyphen(letter: str) -> bool:
    """Whether a line may end with a hyphen after such a letter. Not in Arabic, Tibetan, Ethiopic and scripts without
    spaces."""
    return letter.isalpha() and not (letter > "\u05ff" and _one_of(_UNHYPHENATED).match(letter))


def glued(line: str) -> str:
    """The line with no-break spaces beside punctuation that stands alone, and between numbers and their units."""
    return _GLUED.sub("\u00a0", line)


@lru_cache(maxsize=20_000)
def breaks(word: str) -> tuple[int, ...]:
    """Where a word without spaces may break, as positions in it."""
    found = {match.start() for match in _IN_WORDS.finditer(word)}
    if _is_beyond(word):
        found.update(match.start() for match in _beside_ideographs().finditer(word))
        if max(word) > "\U0001f000":
            found.intersection_update(accumulate(map(len, clusters(word))))
    for match in _WITHOUT_SPACES.finditer(word):
        if breaker := _dictionaries():
            found.update(match.start() + begin for begin, _ in breaker(match[0], "th").segments())
    return tuple(sorted(found - {0, len(word)}))


def _dictionaries() -> Any:
    """What finds words in dictionaries; None if the library is not installed."""
    try:
        from icu4py.breakers import LineBreaker  # large, and an optional library
    except ImportError:
        return None
    return LineBreaker


def needs_dictionaries(text: str) -> bool:
    """Whether a text needs a dictionary to find its words, but the library is not installed."""
    return _WITHOUT_SPACES.search(text) is not None and _dictionaries() is None


_SOFT_HYPHEN = "\u00ad"
_MIN_LENGTH = 5
# The smallest number of letters after a hyphen, by language; 2 in others. No line of English begins with “ly”.
_MIN_AFTER = {"en": 3}
_OTHERS = """
am ar az bn bs fa fi fo ga gu ha he hi hy ig ja ka kk km ko ky lb lo mk ml mi mt my ne ps si so sw ta tl tr ug ur uz vi
yi yo zh
"""
# Languages whose words are not hyphenated; they may still need letters and capitals of their own.
_WITHOUT_PATTERNS = frozenset(_OTHERS.split())
_WORD = re.compile(r"[\w\u00ad-]+(?:[.@]\w[\w.@-]*)?")
_HYPHENATED = re.compile(rf"[^\W\d_]{{{_MIN_LENGTH},}}")


def checked(language: str) -> str:
    """Returns the language, "" for `none`; raises InputError for one that is unknown."""
    if language == "none":
        return ""
    if language:
        _patterns(language)
    return language


def hyphenated(text: str, language: str, *, capitalised: bool = True) -> str:
    """The text with a soft hyphen wherever a word may be broken. Words in capitals, names with capitals inside, words
    with digits, addresses and short words stay whole, and so do words that have hyphens of their own. If not
    `capitalised`, words that begin with a capital also stay whole."""
    return " ".join([_hyphenated(word, language, capitalised) for word in text.split(" ")])


def may_break(text: str) -> bool:
    """Whether `hyphenated` may break any word in the text, whatever the language."""
    return any(_HYPHENATED.fullmatch(word) for word in _WORD.findall(text))


@lru_cache(maxsize=20_000)
def _hyphenated(text: str, language: str, capitalised: bool) -> str:
    """Text without spaces, hyphenated."""

    def replaced(match: re.Match[str]) -> str:
        return _word(match[0], language) if capitalised or match[0].islower() else match[0]

    return _WORD.sub(replaced, text)


def _word(word: str, language: str) -> str:
    if not _HYPHENATED.fullmatch(word) or word[1:] != word[1:].lower() or not may_have_hyphen(word[0]):
        return word
    patterns = _patterns(language)
    if patterns is None:
        return word
    places = [int(place) for place in patterns.positions(word) if not getattr(place, "data", None)]
    ends = [0, *places, len(word)]
    return _SOFT_HYPHEN.join(word[start:end] for start, end in pairwise(ends))


@cache
def _patterns(language: str) -> Pyphen | None:
    """The patterns of a language; None if it has none, and its words stay whole."""
    import pyphen  # few texts are hyphenated

    name = language.replace("-", "_")
    found = pyphen.language_fallback(name)
    if found is None:
        if name.partition("_")[0] in _WITHOUT_PATTERNS:
            return None
        known = sorted({code.split("_")[0] for code in pyphen.LANGUAGES} | _WITHOUT_PATTERNS)
        raise fault(f"no language “{language}”", hint=did_you_mean(language, known))
    return pyphen.Pyphen(lang=found, right=_MIN_AFTER.get(found.partition("_")[0], 2))
