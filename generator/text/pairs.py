"""Finds out where HarfBuzz does nothing to the letters of a font but kern pairs of them.

There, the advance of a letter depends only on the letter after it, so words need HarfBuzz once for each pair instead of
once for each word. This reads the tables that tell HarfBuzz what to do with a text; anything unusual in them leaves the
text to HarfBuzz: https://learn.microsoft.com/typography/opentype/spec/chapter2 (also gsub and gpos).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence

import uharfbuzz as hb

from ..fast_dataclasses import NamedTuple

_USED = frozenset(
    b"abvm blwm calt ccmp clig curs dist kern liga locl ltra ltrm mark mkmk rand rclt rlig rvrn "
    b"Harf HARF Buzz BUZZ".split()
)
"""The features that HarfBuzz applies to Latin text without being asked. (Those of fractions need a U+2044.)"""
_EXTENSIONS = {"GSUB": 7, "GPOS": 9}
_CONTEXTS = {"GSUB": 5, "GPOS": 7}
"""The type of lookups that depend on the letters around; the next type also looks beyond its own letters."""
_LIGATURES, _PAIRS = 4, 2
_SKIPS_LETTERS = 0x0002 | 0x0004
_OTHER_TABLES = frozenset(("kerx", "morx", "mort", "trak"))
"""The tables of Apple's text layout."""


class Kerned(NamedTuple):
    """The letters that are only kerned with the next one, except in these pairs of them, in which a ligature may
    begin."""

    letters: frozenset[str]
    ligatures: frozenset[tuple[str, str]]


_NONE = Kerned(frozenset(), frozenset())


def kerned_in_pairs(font: hb.Font, letters: Iterable[str]) -> Kerned:
    """Those of `letters` that the font has, with a glyph of their own, and only kerns, in words of nothing but these
    letters."""
    face, names = font.face, dict[int, str]()
    if not _OTHER_TABLES.isdisjoint(face.table_tags):
        return _NONE
    for letter in letters:
        glyph = font.get_nominal_glyph(ord(letter))
        if glyph and glyph not in names and face.get_layout_glyph_class(glyph) != hb.OTLayoutGlyphClass.MARK:
            names[glyph] = letter
    try:
        kern = face.reference_table("kern").data
        if kern and _number(kern, 0):  # Apple's version may look at more letters than two
            return _NONE
        changes = [change for tag in _EXTENSIONS for change in _changes(tag, face.reference_table(tag).data, {*names})]
    except (struct.error, IndexError, ValueError):
        return _NONE
    changed = {change[0] for change in changes if len(change) == 1}
    pairs = {(names[change[0]], names[change[1]]) for change in changes if len(change) > 1}
    return Kerned(frozenset([name for glyph, name in names.items() if glyph not in changed]), frozenset(pairs))


def _changes(tag: str, table: bytes, glyphs: set[int]) -> Iterator[Sequence[int]]:
    """The glyphs at which a lookup of GSUB or GPOS may begin in texts of `glyphs`, and the sequences that form
    ligatures. Lookups that kern pairs are left out."""
    for lookup in _lookups(table) if table else ():
        kind, flags = struct.unpack_from(">2H", table, lookup)
        for offset in _numbers(table, lookup + 4):
            at, real_kind = lookup + offset, kind
            if kind == _EXTENSIONS[tag]:
                real_kind, distance = struct.unpack_from(">HL", table, at + 2)
                at += distance
            if tag == "GPOS" and real_kind == _PAIRS and not flags & _SKIPS_LETTERS and not _number(table, at + 6):
                continue  # a value for the second letter would keep the next pair from being kerned
            if tag == "GSUB" and real_kind == _LIGATURES:
                yield from filter(glyphs.issuperset, _ligatures(table, at))
            elif real_kind - _CONTEXTS[tag] in (0, 1) and _number(table, at) == 3:
                first, *around = _context(table, at, is_chained=real_kind > _CONTEXTS[tag])
                if all(not glyphs.isdisjoint(_covered(table, place)) for place in around):
                    yield from [(glyph,) for glyph in _covered(table, first) if glyph in glyphs]
            else:
                place = at + _number(table, at + 2)
                yield from [(glyph,) for glyph in _covered(table, place) if glyph in glyphs]


def _lookups(table: bytes) -> Iterator[int]:
    """The positions of the lookups that HarfBuzz may apply."""
    _, minor, scripts, features, lookups = struct.unpack_from(">5H", table)
    if minor and any(table[10:14]):
        raise ValueError("the features depend on the axes of a variable font")
    required = set[int]()
    for _, script in _records(table, scripts):
        at = scripts + script
        systems = [_number(table, at), *[system for _, system in _records(table, at + 2)]]
        required.update([_number(table, at + system + 2) for system in systems if system])
    numbers = set[int]()
    for index, (name, feature) in enumerate(_records(table, features)):
        if name in _USED or index in required:
            numbers.update(_numbers(table, features + feature + 2))
    places = _numbers(table, lookups)
    yield from [lookups + places[number] for number in sorted(numbers)]


def _ligatures(table: bytes, at: int) -> Iterator[tuple[int, ...]]:
    """The glyphs that form each ligature of a subtable."""
    for first, ligatures in zip(_covered(table, at + _number(table, at + 2)), _numbers(table, at + 4), strict=False):
        for ligature in _numbers(table, at + ligatures):
            place = at + ligatures + ligature + 2
            yield first, *struct.unpack_from(f">{_number(table, place) - 1}H", table, place + 2)


def _context(table: bytes, at: int, *, is_chained: bool) -> list[int]:
    """The places of the coverage tables of a context in format 3: the one of its first letter, then all others."""
    if not is_chained:
        return [at + offset for offset in struct.unpack_from(f">{_number(table, at + 2)}H", table, at + 6)]
    before = _numbers(table, at + 2)
    inside = _numbers(table, at + 4 + 2 * len(before))
    after = _numbers(table, at + 6 + 2 * len(before) + 2 * len(inside))
    return [at + offset for offset in (*inside, *before, *after)]


def _covered(table: bytes, at: int) -> Iterator[int]:
    """The glyphs of a coverage table."""
    if _number(table, at) == 1:
        yield from _numbers(table, at + 2)
        return
    for number in range(_number(table, at + 2)):
        first, last = struct.unpack_from(">2H", table, at + 4 + 6 * number)
        yield from range(first, last + 1)


def _number(table: bytes, at: int) -> int:
    value: int = struct.unpack_from(">H", table, at)[0]
    return value


def _numbers(table: bytes, at: int) -> tuple[int, ...]:
    """A list of numbers after their count."""
    return struct.unpack_from(f">{_number(table, at)}H", table, at + 2)


def _records(table: bytes, at: int) -> list[tuple[bytes, int]]:
    """A list of names and offsets after their count."""
    return [struct.unpack_from(">4sH", table, at + 2 + 6 * number) for number in range(_number(table, at))]
