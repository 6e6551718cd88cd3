"""Recognises the encoding of a text that is not in Unicode, if its bytes leave no doubt."""

from __future__ import annotations

import codecs
import re

from ..errors import Place, did_you_mean, fault, shortened
from .headings import has_meaning

NAMES = {
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1254": "Windows-1254",
    "cp1251": "Windows-1251",
    "gb18030": "GB18030",
    "cp932": "Shift-JIS",
    "cp949": "Korean (CP949)",
    "mac-roman": "Mac OS Roman",
}
_LATIN = {
    "cp1252": ("äöüß", "àâçéèêëîïôùûüœ", "áéíñóúü", "àèéìíîòóùú", "ãõáéíóúâêôàçü", "åäöæøéü", "áðéíóúýþæö", "éëïöèêü"),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýžäľĺŕô", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "cp1254": ("çğıİöşüâîû",),
    "mac-roman": ("äöüß", "àâçéèêëîïôùûüœ", "áéíñóúü", "àèéìíîòóùú", "åäöæøéü"),
}
"""The letters beyond A to Z of languages that were written in these encodings."""
_SIGNS = "…–—‘’“”„«»€°"
_CHECKED = 20_000
"""The number of bytes that are examined."""
_SURE = 0.9
_COMMON_HANZI = (0xB0, 0xD7)
"""The lead bytes of the more common Chinese characters (GB 2312, level 1); Korean ones in CP949 end at 0xC8."""
_LAST_HANGUL = 0xC8
_CYRILLIC = re.compile(r"[А-ЯЁІЇЄҐ]?[а-яёіїєґ’']+|[А-ЯЁІЇЄҐ]+")


def checked(name: str) -> str:
    """An encoding as it was stated. Raises InputError if there is none with this name."""
    try:
        info = codecs.lookup(name)
        "".encode(name)
    except (LookupError, TypeError, ValueError):
        hint = did_you_mean(name, [*NAMES, "utf-8", "utf-16"]) or "for example utf-8, windows-1251, gb18030"
        raise fault(f"there is no encoding “{shortened(name)}”", hint=hint) from None
    return info.name


def recognised(raw: bytes, file_name: str) -> str:
    """The encoding of a text that is not in Unicode. Raises InputError if it is not certain."""
    if b"\r" in raw and b"\n" not in raw:
        return "mac-roman"
    sample = raw[:_CHECKED].rpartition(b"\n")[0] or raw[:_CHECKED]
    runs = re.findall(rb"[\x80-\xff]+", sample)
    if 2 * sum(len(run) for run in runs if len(run) > 1) <= sum(map(len, runs)):
        return _latin(sample)
    if _is_cyrillic(sample):
        return "cp1251"
    kana = len(re.findall(r"[\u3040-\u30ff]", _decoded(sample, "cp932")))
    if kana * 5 > len(re.findall(r"[\u3040-\u9fff]", _decoded(sample, "cp932"))) > 0:
        return "cp932"
    leads = [ord(sign.encode("gb18030")[:1]) for sign in re.findall(r"[\u4e00-\u9fff]", _decoded(sample, "gb18030"))]
    common = sum(_COMMON_HANZI[0] <= lead <= _COMMON_HANZI[1] for lead in leads)
    if leads and common >= _SURE * len(leads):
        beyond = sum(lead > _LAST_HANGUL for lead in leads)
        if beyond > 0.1 * len(leads):
            return "gb18030"
        if not beyond and len(leads) > 20:
            return "cp949"
    hint = "state it, for example with --encoding windows-1251, or save the table as UTF-8"
    raise fault("not UTF-8 or UTF-16, and its encoding is not certain", Place(file_name), hint)


def _decoded(raw: bytes, encoding: str) -> str:
    """The text of these bytes; “” if the encoding does not fit."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _latin(sample: bytes) -> str:
    """The encoding of a text in Latin letters: the one in which most headings are known, or else in which most of its
    letters belong to one language."""
    first = sample.splitlines()[:1]

    def likeness(encoding: str) -> tuple[int, float]:
        known = sum(has_meaning(word) for line in first for word in re.split(r"[,;\t|]", _decoded(line, encoding)))
        letters = re.findall(r"[^\x00-\x7f]", _decoded(sample, encoding))
        alphabets = [{*alphabet, *alphabet.upper(), *_SIGNS} for alphabet in _LATIN[encoding]]
        return known, max(sum(letter in alphabet for letter in letters) for alphabet in alphabets)

    return max(_LATIN, key=likeness)


def _is_cyrillic(sample: bytes) -> bool:
    text = _decoded(sample, "cp1251")
    words = [word for word in re.findall(r"[^\W\d_]+", text) if not word.isascii()]
    fitting = sum(len(word) > 1 and _CYRILLIC.fullmatch(word) is not None for word in words)
    letters = "".join(words)
    vowels = len(re.findall("[аеёиоуыэюяіїє]", letters.lower()))
    return bool(words) and fitting >= _SURE * len(words) and 3 * len(letters) < 10 * vowels < 6 * len(letters)
