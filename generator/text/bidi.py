"""The order of text in which some letters run from right to left: the Unicode Bidirectional Algorithm (UAX 9).

https://www.unicode.org/reports/tr9/ describes the rules that the functions are named after. A level is even where text
runs from left to right, odd where it runs from right to left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import bidirectional, category, mirrored, normalize

_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_MAX_DEPTH = 125
_MAX_BRACKETS = 63
_STRONG = ("L", "R", "AL")
_EMBEDDINGS = {"LRE": ("L", ""), "RLE": ("R", ""), "LRO": ("L", "L"), "RLO": ("R", "R")}
_ISOLATES = ("LRI", "RLI", "FSI")
_REMOVED = (*_EMBEDDINGS, "PDF", "BN")
# Opening brackets whose closing bracket is not the next code point.
_CROSSED = {"[": "]", "{": "}", "\uff3b": "\uff3d", "\uff5b": "\uff5d", "\u298d": "\u2990", "\u298f": "\u298e"}


def is_needed(text: str) -> bool:
    """Whether a text has letters that run from right to left; otherwise, it has level 0 everywhere."""
    if text.isascii() or max(text) < "\u0590":  # compiling the pattern takes as long as printing five cards
        return False
    return _RIGHT_TO_LEFT.search(text) is not None


def base_level(text: str) -> int:
    """The level of a paragraph, from its first strong character outside isolates (P2, P3)."""
    return _first_strong([*map(_type, text)])


def levels(text: str, base: int) -> list[int]:
    """The level of each character of a paragraph with this base level."""
    types = [*map(_type, text)]
    result, classes = _explicit(types, base)
    for sequence in [*_sequences(types, result, base)]:
        _resolve(text, types, classes, result, *sequence)
    _reset_spaces(types, result, base)
    return result


def visual_order(runs: Sequence[int]) -> list[int]:
    """The indexes of units with these levels from left to right (L2)."""
    order = [*range(len(runs))]
    odd = [level for level in runs if level % 2]
    for level in range(max(runs, default=0), min(odd, default=1) - 1, -1) if odd else ():
        begin = 0
        while begin < len(order):
            end = begin
            while end < len(order) and runs[order[end]] >= level:
                end += 1
            order[begin:end] = order[begin:end][::-1]
            begin = end + 1
    return order


def _type(letter: str) -> str:
    return bidirectional(letter) or "L"


def _first_strong(types: Sequence[str]) -> int:
    depth = 0
    for kind in types:
        if kind in _ISOLATES:
            depth += 1
        elif kind == "PDI":
            depth = max(0, depth - 1)
        elif not depth and kind in _STRONG:
            return int(kind != "L")
    return 0


def _matching(types: Sequence[str]) -> dict[int, int]:
    """The PDI of each isolate initiator in its paragraph, by position (BD9)."""
    pairs, open_ = dict[int, int](), list[int]()
    for at, kind in enumerate(types):
        if kind in _ISOLATES:
            open_.append(at)
        elif kind == "PDI" and open_:
            pairs[open_.pop()] = at
        elif kind == "B":
            open_.clear()
    return pairs


def _explicit(types: Sequence[str], base: int) -> tuple[list[int], list[str]]:  # noqa: C901, PLR0912
    """Levels and classes after the explicit formatting characters (X1 to X8)."""
    classes, result = [*types], [base] * len(types)
    stack = [(base, "", False)]
    overflow_isolates = overflow_embeddings = isolates = 0
    pairs = _matching(types)
    for at, kind in enumerate(types):
        level, override, _ = stack[-1]
        result[at] = level
        if kind in _EMBEDDINGS:
            direction, forced = _EMBEDDINGS[kind]
            deeper = level + (1 if (level % 2 == 0) == (direction == "R") else 2)
            if deeper <= _MAX_DEPTH and not overflow_isolates and not overflow_embeddings:
                stack.append((deeper, forced, False))
            elif not overflow_isolates:
                overflow_embeddings += 1
        elif kind in _ISOLATES:
            classes[at] = override or kind
            rightwards = kind == "RLI"
            if kind == "FSI":
                rightwards = bool(_first_strong(types[at + 1 : pairs.get(at, len(types))]))
            deeper = level + (1 if (level % 2 == 0) == rightwards else 2)
            if deeper <= _MAX_DEPTH and not overflow_isolates and not overflow_embeddings:
                isolates += 1
                stack.append((deeper, "", True))
            else:
                overflow_isolates += 1
        elif kind == "PDI":
            if overflow_isolates:
                overflow_isolates -= 1
            elif isolates:
                overflow_embeddings = 0
                while not stack[-1][2]:
                    stack.pop()
                stack.pop()
                isolates -= 1
            result[at] = stack[-1][0]
            classes[at] = stack[-1][1] or kind
        elif kind == "PDF":
            if overflow_isolates:
                pass
            elif overflow_embeddings:
                overflow_embeddings -= 1
            elif not stack[-1][2] and len(stack) > 1:
                stack.pop()
        elif kind == "B":
            result[at] = base
        elif kind != "BN" and override:
            classes[at] = override
    return result, classes


def _sequences(types: Sequence[str], levels_: Sequence[int], base: int) -> Iterator[tuple[list[int], str, str]]:
    """The isolating run sequences: positions, and the classes before and after them (X10)."""
    kept = [at for at, kind in enumerate(types) if kind not in _REMOVED]
    runs: list[list[int]] = []
    for at in kept:
        if runs and levels_[runs[-1][-1]] == levels_[at]:
            runs[-1].append(at)
        else:
            runs.append([at])
    pairs = _matching(types)
    closing = set(pairs.values())
    by_start = {run[0]: run for run in runs}
    for run in runs:
        if run[0] in closing and types[run[0]] == "PDI":
            continue
        sequence = [*run]
        while types[sequence[-1]] in _ISOLATES and sequence[-1] in pairs:
            sequence += by_start[pairs[sequence[-1]]]
        level = levels_[sequence[0]]
        first, last = kept.index(sequence[0]), kept.index(sequence[-1])
        before = levels_[kept[first - 1]] if first else base
        unclosed = types[sequence[-1]] in _ISOLATES
        after = base if unclosed or last + 1 == len(kept) else levels_[kept[last + 1]]
        yield sequence, "LR"[max(level, before) % 2], "LR"[max(level, after) % 2]


def _resolve(
    text: str, types: Sequence[str], classes: list[str], levels_: list[int], places: list[int], before: str, after: str
) -> None:
    """Resolves one sequence: weak types, neutral types and implicit levels (W1 to I2). Its classes are written as one
    letter each, so that most rules are substitutions."""
    kinds = _weak("".join([_LETTERS.get(classes[at], "O") for at in places]), before)
    embedding = "LR"[levels_[places[0]] % 2]
    kinds = _brackets([text[at] for at in places], [types[at] for at in places], kinds, before, embedding=embedding)
    for at, kind in zip(places, _neutral(kinds, before, after, embedding), strict=True):
        if levels_[at] % 2 == 0:
            levels_[at] += {"R": 1, "N": 2, "E": 2}.get(kind, 0)
        else:
            levels_[at] += kind in "LEN"


# The classes that some rule names; `O` stands for all others.
_LETTERS = {"L": "L", "R": "R", "AL": "A", "EN": "E", "ES": "S", "ET": "T", "AN": "N", "CS": "C", "NSM": "M"}


def _weak(kinds: str, before: str) -> str:
    """Marks, numbers, the signs in and around them, and Arabic letters."""
    kinds = re.sub("^M+|(.)M+", lambda run: (run[1] or before) * len(run[0]), kinds)  # W1
    kinds = re.sub("A[^LRA]*", lambda run: run[0].replace("E", "N"), kinds).replace("A", "R")  # W2, W3
    kinds = re.sub("(?<=E)[SC](?=E)", "E", kinds)  # W4
    kinds = re.sub("(?<=N)C(?=N)", "N", kinds)
    kinds = re.sub("(?<=E)T+|T+(?=E)", lambda run: "E" * len(run[0]), kinds)  # W5
    kinds = re.sub("[STC]", "O", kinds)  # W6
    return re.sub("(?:^|L)[^LR]*" if before == "L" else "L[^LR]*", lambda run: run[0].replace("E", "L"), kinds)  # W7


def _closing(letter: str) -> str:
    """The closing bracket of an opening one; empty for anything else (BidiBrackets.txt)."""
    if category(letter) != "Ps" or not mirrored(letter):
        return ""
    return normalize("NFC", _CROSSED.get(letter) or chr(ord(letter) + 1))


def _pairs(letters: Sequence[str], kinds: str) -> list[tuple[int, int]]:
    """Pairs of brackets, by the position of the opening one (BD16)."""
    open_, pairs = list[tuple[str, int]](), list[tuple[int, int]]()
    for at, letter in enumerate(letters):
        if kinds[at] != "O":
            continue
        if closing := _closing(letter):
            if len(open_) == _MAX_BRACKETS:
                return []
            open_.append((closing, at))
        elif category(letter) == "Pe":
            for number in range(len(open_) - 1, -1, -1):
                if open_[number][0] == normalize("NFC", letter):
                    pairs.append((open_[number][1], at))
                    del open_[number:]
                    break
    return sorted(pairs)


def _brackets(letters: Sequence[str], types: Sequence[str], kinds: str, before: str, embedding: str) -> str:
    """Brackets take the direction of what they enclose, or of what is before them (N0)."""
    for begin, end in _pairs(letters, kinds):
        directions = kinds.translate(_DIRECTIONS)
        inside = {*directions[begin + 1 : end]} - {"O"}
        if not inside:
            continue
        direction = embedding if embedding in inside else (before + directions[:begin].replace("O", ""))[-1]
        for at in (begin, end):
            following = at + 1
            while following < len(kinds) and types[following] == "NSM":
                following += 1
            kinds = kinds[:at] + direction * (following - at) + kinds[following:]
    return kinds


_DIRECTIONS = str.maketrans("EN", "RR")  # numbers count as text from right to left


def _neutral(kinds: str, before: str, after: str, embedding: str) -> str:
    """Neutral characters take the direction of both neighbours, or that of the embedding (N1, N2)."""
    around = before + kinds.translate(_DIRECTIONS) + after

    def resolved(run: re.Match[str]) -> str:
        left, right = around[run.start()], around[run.end() + 1]
        return (left if left == right else embedding) * len(run[0])

    return re.sub("O+", resolved, kinds)


def _reset_spaces(types: Sequence[str], levels_: list[int], base: int) -> None:
    """Separators and the white space before them and at the end of a paragraph have its level (L1)."""
    trailing = True
    for at in range(len(types) - 1, -1, -1):
        if types[at] in ("B", "S"):
            levels_[at], trailing = base, True
        elif types[at] in ("WS", *_ISOLATES, "PDI", *_REMOVED):
            levels_[at] = base if trailing else levels_[at]
        else:
            trailing = False
