"""Numbers and dates as a spreadsheet shows them: the number formats of Office Open XML (ECMA-376 part 1, 18.8.31).

Understands sections for positive, negative and zero numbers, digits, thousands, percentages, exponents, fractions,
literal texts and currencies, dates, times and durations. A format with conditions shows the plain number. Months are
named in English, and the decimal separator is a point, because a file does not say which its author sees: the headings
of a table may (`CardTable`). For the same reason, the short date of the system's settings becomes `2024-05-06`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from math import isfinite

BUILT_IN = {
    **{1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??"},
    **{5: '"$"#,##0_);("$"#,##0)', 6: '"$"#,##0_);("$"#,##0)', 7: '"$"#,##0.00_);("$"#,##0.00)'},
    **{8: '"$"#,##0.00_);("$"#,##0.00)', 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy"},
    **{18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm"},
    **{37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)"},
    **{41: '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)', 42: '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)'},
    43: '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
    **{45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0"},
}
"""The formats that files refer to by number (ECMA-376 part 1, 18.8.30), without colours. 14 and 22 look different on
every computer."""
EPOCH = datetime(1899, 12, 30)
"""Day 0 of serial dates, in Excel from 1 March 1900 on."""
EPOCH_1904 = datetime(1904, 1, 1)
_GENERAL = ("general", "standard", "@", "")
# Formats 14 and 22, as some programs write them.
_SYSTEM_DATES = {"mm-dd-yy": BUILT_IN[14], "m/d/yy h:mm": BUILT_IN[22]}
_TOKEN = re.compile(
    r'"(?P<text>[^"]*)"|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<half>AM/PM|A/P|am/pm|a/p)|(?P<general>General)|(?P<date>[ymdhsYMDHS]+)|(?P<other>.)",
    re.DOTALL,
)
_ELAPSED = re.compile(r"[hms]+", re.IGNORECASE)
_CONDITION = re.compile(r"\[\s*[<>=]")
_DIGITS = frozenset("0#?.,%/Ee")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MAX_PATTERN = 200
_MAX_DIGITS = 30
_MAX_WHOLE = 10**15


def formatted(value: int | float, pattern: str, epoch: datetime = EPOCH) -> str:
    """The text that a cell with this number and number format shows. Dates are numbers of days since `epoch`."""
    pattern = _SYSTEM_DATES.get(pattern, pattern)[:_MAX_PATTERN]
    if pattern.lower() in _GENERAL or not isfinite(value) or _CONDITION.search(pattern):
        return general(value)
    sections = _sections(pattern)
    return _date(value, sections[0], epoch) if is_date(pattern) else _number(value, sections)


def is_date(pattern: str) -> bool:
    """Whether a number format shows dates or times."""
    return pattern.lower() not in _GENERAL and any(kind in ("date", "elapsed") for kind, _ in _sections(pattern)[0])


def general(value: int | float) -> str:
    """A number without a format: `5`, `0.3`, `1.5`, `1E+20`."""
    if not isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < _MAX_WHOLE:
        return str(int(value))
    return format(value, ".10G").replace("E+0", "E+").replace("E-0", "E-")


# ---- sections


Token = tuple[str, str]
"""The kind of a part of a format, and its text."""


@cache
def _sections(pattern: str) -> tuple[tuple[Token, ...], ...]:
    """The sections of a format, separated by semicolons, as tokens."""
    sections: list[list[Token]] = [[]]
    for match in _TOKEN.finditer(pattern):
        kind, text = str(match.lastgroup), match[str(match.lastgroup)]
        if kind == "other" and text == ";":
            sections.append([])
        else:
            sections[-1].append(_token(kind, text))
    return tuple(map(tuple, sections[:4]))


def _token(kind: str, text: str) -> Token:
    if kind == "bracket" and text.startswith("$"):
        return "text", text[1:].partition("-")[0]
    if kind == "bracket":  # elapsed time, or a colour, which is ignored
        return ("elapsed", text.lower()) if _ELAPSED.fullmatch(text) else ("text", "")
    if kind == "other":
        return ("digit" if text in _DIGITS else "text"), text
    texts = {"escaped": text, "space": " ", "fill": ""}
    return ("text", texts[kind]) if kind in texts else (kind, text.lower() if kind == "date" else text)


def _number(value: int | float, sections: tuple[tuple[Token, ...], ...]) -> str:
    section, signed = _section_for(value, sections)
    if any(kind == "general" for kind, _ in section):
        text = general(abs(value) if signed else value)
        return "".join(text if kind == "general" else part for kind, part in section if kind in ("general", "text"))
    if not any(kind == "digit" and text in "0#?" for kind, text in section):
        return "".join(part for kind, part in section if kind == "text")
    number = Decimal(repr(value))
    body = _digits(abs(number), section)
    return f"-{body}" if number < 0 and not signed and re.search("[1-9]", body) else body


def _section_for(value: int | float, sections: tuple[tuple[Token, ...], ...]) -> tuple[tuple[Token, ...], bool]:
    """The section for a number, and whether it shows the sign itself."""
    if value < 0 and len(sections) > 1:
        return sections[1], True
    return sections[2 if value == 0 and len(sections) > 2 else 0], False


# ---- numbers


def _digits(number: Decimal, section: tuple[Token, ...]) -> str:
    """A number of 0 or more, formatted by one section."""
    code = "".join(text for kind, text in section if kind == "digit")
    first = next(n for n, (kind, _) in enumerate(section) if kind == "digit")
    last = max(n for n, (kind, _) in enumerate(section) if kind == "digit")
    before = "".join(text for kind, text in section[:first])
    inside = "".join(text for kind, text in section[first:last] if kind == "text")
    after = "".join(text for kind, text in section[last + 1 :])
    number *= 100 ** code.count("%")
    code, percent = code.replace("%", ""), "%" * code.count("%")
    if "/" in code:
        return before + _fraction(number, code) + percent + after
    if "E" in code.upper():
        places = len(code.upper().partition("E")[0].partition(".")[2])
        return before + format(float(number), f".{places}E") + after
    while code.endswith(","):
        code, number = code[:-1], number / 1000
    if inside.strip() or (inside and "," not in code and "." not in code):
        return before + _pattern(number, section[first : last + 1]) + after  # such as 000-000
    return before + _plain(number, code) + percent + after


def _plain(number: Decimal, code: str) -> str:
    whole_code, point, decimals_code = code.partition(".")
    min_digits = min(whole_code.count("0"), _MAX_DIGITS)
    places = min(len(re.sub("[^0#?]", "", decimals_code)), _MAX_DIGITS)
    rounded = number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP) if number.adjusted() < 28 else number
    whole, _, decimals = format(rounded, "f").partition(".")
    whole = whole.lstrip("0").rjust(min_digits, "0")
    if "," in whole_code:
        whole = f"{int(whole or 0):,}".rjust(min_digits, "0") if whole else ""
    decimals = decimals.ljust(places, "0")[:places]
    needed = decimals_code.rfind("0") + 1
    while len(decimals) > needed and decimals.endswith("0"):
        decimals = decimals[:-1]
    return whole + point * bool(decimals or point) + decimals


def _fraction(number: Decimal, code: str) -> str:
    """`1 1/2`: the nearest fraction with as many digits below the line as the format has places."""
    most = 10 ** min(max(code.rpartition("/")[2].count("?"), 1), 3) - 1
    whole, part = divmod(Fraction(number).limit_denominator(most), 1)
    return f"{whole or ''} {part or ''}".strip() or "0"


def _pattern(number: Decimal, section: tuple[Token, ...]) -> str:
    """Digits with texts among them, filled from the right: 5551234 in `000-0000` → `555-1234`."""
    places = sum(kind == "digit" and text in "0#?" for kind, text in section)
    digits = format(number.quantize(Decimal(1), ROUND_HALF_UP), "f").rjust(places, "0")
    rest = iter(digits[len(digits) - places :])
    parts = [next(rest) if kind == "digit" and text in "0#?" else text for kind, text in section]
    return digits[: len(digits) - places] + "".join(parts)


# ---- dates and times


def _date(value: float, section: tuple[Token, ...], epoch: datetime) -> str:
    seconds = round(value * 86_400)
    days = (value < 60) + (value < 1) if value >= 0 and epoch == EPOCH else 0  # Excel has a 29 February 1900
    try:
        moment = epoch + timedelta(days=days, seconds=seconds)
    except OverflowError:
        return "#VALUE!"
    return "".join(_date_parts(section, moment, seconds)).strip()


def _date_parts(section: tuple[Token, ...], moment: datetime, elapsed: int) -> Iterator[str]:
    """The parts of a date. `elapsed` are the seconds since the epoch."""
    halves = any(kind == "half" for kind, _ in section)
    clock = [n for n, (kind, text) in enumerate(section) if kind in ("date", "elapsed") and text[0] in "ymdhs"]
    for n, (kind, text) in enumerate(section):
        if kind == "date":
            around = clock.index(n)
            previous = section[clock[around - 1]][1] if around else ""
            following = section[clock[around + 1]][1] if around + 1 < len(clock) else ""
            minutes = text[0] == "m" and len(text) < 3 and (previous[:1] == "h" or following[:1] == "s")
            yield _date_part("n" * len(text) if minutes else text, moment, halves)
        elif kind == "elapsed":
            yield str(elapsed // {"h": 3600, "m": 60, "s": 1}[text[0]]).rjust(len(text), "0")
        elif kind == "half":
            name = ("AM", "PM")[moment.hour >= 12]
            yield name if len(text) > 3 else name[0]
        elif kind == "digit":
            decimal = section[n + 1 : n + 2] == (("digit", "0"),)  # fractions of a second are not shown
            yield text if text in ".,/" and not decimal else ""
        else:
            yield text


def _date_part(text: str, moment: datetime, halves: bool) -> str:
    """One run of letters of a date format; `n` stands for minutes."""
    letter, count = text[0], len(text)
    if letter == "y":
        return f"{moment.year:04}" if count > 2 else f"{moment.year % 100:02}"
    if letter == "m" and count > 2:
        name = _MONTHS[moment.month - 1]
        return {3: name[:3], 5: name[:1]}.get(count, name)
    if letter == "d" and count > 2:
        name = _DAYS[moment.weekday()]
        return name[:3] if count == 3 else name
    hour = (moment.hour % 12 or 12) if halves else moment.hour
    number = {"m": moment.month, "d": moment.day, "h": hour, "n": moment.minute, "s": moment.second}[letter]
    return str(number) if count == 1 else f"{number:02}"
