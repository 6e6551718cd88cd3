"""Lettered artworks → operators: the artwork is written once, as form XObjects, and its texts anew each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..geometry.frame import Item
from ..geometry.outlines import IDENTITY
from ..layout.texts import Artwork, Lettered, TextBox, stretch_items
from ..text.lines import SHARES, Fitted, first_baseline, line_offset
from ..text.words import PLAIN, Plain, Span, Stretch, cut, stretches
from . import operators

if TYPE_CHECKING:
    from .paint import Content, Painter

MOST_WORDS = 20_000
MOST_SHORT = 500
"""Short texts kept for each text box."""


class Letters(dict[int, str]):
    """Code points → their escaped codes in the first subset of a font, for `str.translate`; filled as letters come.
    `others` are those that lie in another subset."""

    def __init__(self, code: Callable[[str], tuple[int, bytes]]) -> None:
        super().__init__({10: "\n"})
        self.code = code
        self.others: set[str] = set()

    def __missing__(self, point: int) -> str:
        subset, code = self.code(chr(point))
        if subset:
            self.others.add(chr(point))
        self[point] = operators.escaped(code)
        return self[point]


class Codes(dict[str, str | None]):
    """Words → their codes in the first subset of a font; None for a word that has letters elsewhere, or is none."""

    def __init__(self, letters: Letters) -> None:
        super().__init__({"": None})
        self.letters = letters

    def __missing__(self, word: str) -> str | None:
        if len(self) > MOST_WORDS:
            self.clear()
            self[""] = None
        code = word.translate(self.letters)
        found = self[word] = None if not self.letters.others.isdisjoint(word) else code
        return found


class Letterer:
    """The artworks met so far in one document, each as operators with places for texts in them."""

    def __init__(self, painter: Painter) -> None:
        self.painter = painter
        self._known: dict[Artwork, _Operators] = {}

    def write(self, items: Lettered, content: Content) -> None:
        known = self._known.get(items.artwork)
        if known is None:
            known = self._known[items.artwork] = self._operators(items.artwork)
        parts, words, xobjects = known
        code = parts.copy()
        for (at, box), text, written in zip(words, items.texts, items.written, strict=True):
            code[at] = (box.short.get(written) if written is not None else None) or box.code(text, written)
        content.code += code
        content.xobjects |= xobjects

    def _operators(self, artwork: Artwork) -> _Operators:
        """Texts that follow each other share one `BT … ET`, and their colour if they have the same."""
        xobjects: dict[str, None] = {}
        parts: list[str] = []
        words: list[tuple[int, _Words]] = []
        colour: str | None = None
        for part in artwork.parts:
            if isinstance(part, TextBox) and part.matrix is IDENTITY:
                own = operators.rgb(part.style.colour)
                parts += ["BT"] if colour is None else []
                words.append((len(parts), _Words(part, self.painter, xobjects, "" if own == colour else f"{own} rg ")))
                parts.append("")
                colour = own
                continue
            parts += ["ET"] if colour is not None else []
            colour = None
            if isinstance(part, TextBox):
                words.append((len(parts), _Words(part, self.painter, xobjects, "")))
                parts.append("")
            else:
                parts.append(self.painter.stamp(part, artwork, xobjects))
        return parts + (["ET"] if colour is not None else []), words, xobjects


class _Fonts(dict[int, tuple[Codes, str]]):
    """The fonts of a family by their numbers, as they are needed: the codes of their words, and their names."""

    def __init__(self, painter: Painter, keys: tuple[str, ...]) -> None:
        super().__init__()
        self.painter = painter
        self.keys_ = keys

    def __missing__(self, number: int) -> tuple[Codes, str]:
        found = self[number] = self.painter.codes(self.keys_[number])
        return found


class _Lines(NamedTuple):
    """What is known of a text by its size and how many lines it has: what comes before and after these, where the
    first begins (but for how far from the left), its baseline, and the way from one to the next."""

    before: str
    first: str
    y: float
    down: float
    after: str


class _Words:
    """The words of one text box as operators, as they stand between `BT` and `ET`; `colour` sets theirs if it must."""

    def __init__(self, box: TextBox, painter: Painter, xobjects: dict[str, None], colour: str) -> None:
        self.box = box
        self.painter = painter
        self.xobjects = xobjects
        self.short: dict[str, str] = {}
        self.lines: dict[tuple[float, int], _Lines] = {}
        self.around: dict[tuple[int, float], tuple[str, str]] = {}
        self.style = box.style
        self.share = SHARES[self.style.align]
        self.straight = box.matrix is IDENTITY
        self.colour = colour
        self.again = f"BT {operators.rgb(self.style.colour)} rg"
        self.fonts = _Fonts(painter, self.style.family.keys)

    def code(self, text: Fitted, written: str | None) -> str:
        """The text in this box; a short one is kept by what was `written`."""
        found = self._code(text) if self.straight else self._drawn(self.box.items(text))
        if written is not None and len(self.short) < MOST_SHORT:
            self.short[written] = found
        return found

    def _code(self, text: Fitted) -> str:
        size, lines, across = text[:3]
        count, codes = len(lines), self.fonts[0][0]
        if not count:
            return self.colour
        shown = [_joined(line, codes) for line in lines]
        known = self.lines.get((size, count)) or self._lines(size, count)
        if None in shown:
            return self.colour + " ".join(self._mixed(text, shown, known.y))
        box, share = self.box.inside, self.share
        if count > 1 and share:
            return f"{known.before}{self._each(text, shown, known)}{known.after}"
        x = box.x + share * (box.width - (across - self.style.tracking) * size) if share else box.x
        joined = ") Tj T* (".join(shown)  # type: ignore[arg-type]
        return f"{known.before}1 0 0 -1 {x:.3f} {known.first} ({joined}) Tj{known.after}"

    def _each(self, text: Fitted, shown: list[str | None], known: _Lines) -> str:
        """Lines that begin each at a place of its own."""
        box, style, size = self.box.inside, self.style, text.size
        return " ".join([
            f"1 0 0 -1 {box.x + line_offset(cut(line), style, size, box.width):.3f} {known.y + at * known.down:.3f} Tm "
            f"({words}) Tj" for at, (line, words) in enumerate(zip(text.lines, shown, strict=True))])

    def _lines(self, size: float, count: int) -> _Lines:
        box, style = self.box.inside, self.style
        y = box.y + first_baseline(count, style, size, box.height)
        before, after = self._around(0, size)
        down = style.leading * size
        first = f"{y:.3f} Tm {down:.4f} TL" if count > 1 else f"{y:.3f} Tm"
        found = self.lines[size, count] = _Lines(self.colour + before, first, y, down, after)
        return found

    def _around(self, font: int, size: float) -> tuple[str, str]:
        """What stands before and after the operators that show text in a font."""
        known = self.around.get((font, size))
        if known is None:
            set_, spread = f"{self.fonts[font][1]} {size:.3f} Tf ", self.style.tracking * size
            known = self.around[font, size] = (f"{set_}{spread:.3f} Tc ", " 0 Tc") if spread else (set_, "")
        return known

    def _mixed(self, text: Fitted, shown: list[str | None], y: float) -> Iterator[str]:
        """Words of several fonts, and icons; `shown` has the lines without, `y` is the first baseline."""
        box, style, size = self.box.inside, self.style, text.size
        for span, words in zip(text.lines, shown, strict=True):
            line = cut(span)
            left = box.x + line_offset(line, style, size, box.width)
            if words is not None:
                before, after = self._around(0, size)
                yield f"{before}1 0 0 -1 {left:.3f} {y:.3f} Tm ({words}) Tj{after}"
            else:
                yield from (self._stretch(part, size, left + part.x * size, y) for part in stretches(line))
            y += style.leading * size

    def _stretch(self, stretch: Stretch, size: float, x: float, y: float) -> str:
        if not stretch.icon:
            codes = self.fonts[stretch.font][0]
            shown = [codes[word] if word else "" for word in stretch.text.split(" ")]
            if None not in shown:
                before, after = self._around(stretch.font, size)
                return f"{before}1 0 0 -1 {x:.3f} {y:.3f} Tm ({' '.join(shown)}) Tj{after}"  # type: ignore[arg-type]
        return f"ET {self._drawn(stretch_items(stretch, self.style, size, x, y))} {self.again}"

    def _drawn(self, items: Iterable[Item]) -> str:
        code, xobjects = self.painter.written(items)
        self.xobjects |= xobjects
        return "\n".join(code)


_Operators: TypeAlias = tuple[list[str], list[tuple[int, _Words]], dict[str, None]]
"""The operators of an artwork, where among these the words of its text boxes go, and the XObjects it names."""


def _joined(span: Span, codes: Codes) -> str | None:
    """A line in the style's own font; None where some of it is not."""
    line, begin, end = span
    words = line.texts[begin:end] if isinstance(line, Plain) else map(PLAIN, line[begin:end])
    try:
        return " ".join(map(codes.__getitem__, words))  # type: ignore[arg-type]
    except TypeError:
        return None
