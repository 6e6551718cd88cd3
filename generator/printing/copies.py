"""Scored copies: filled-in score sheets with sums, rings and notes, as one PDF.

The content comes as plain data; printing does not depend on the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from .. import pdf
from ..draws.deck import Deck
from ..errors import InputError
from ..geometry.frame import Frame, Page, scaled
from ..layout.handwriting import Writing, write_on
from ..model.game import FontFile, Game, Style, Theme
from ..model.values import Colour
from ..pages import nup
from ..reading.sizes import Paper
from ..text import fonts
from ..text.lines import POINT
from .paper_fit import laid_out_for
from .press import Press


def joined(parts: Sequence[bytes]) -> bytes:
    """Joins PDFs in order; returns a single PDF unchanged."""
    if len(parts) == 1:
        return parts[0]
    from pypdf import PdfWriter  # only needed to join PDFs

    writer = PdfWriter()
    for part in parts:
        writer.append(BytesIO(part), import_outline=False)
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


# ---- copies

PENCIL, LINE, JUDGE = "#3a4a6b", "#a9b4cc", "#17764b"
"""The colours of the players' marks, of their lines, and of the judge's sums."""
MIN_TYPE_SIZE = 0.05 * POINT
"""At this size, 200 letters fit into every slot; the notes repeat marks that are too small to read."""
ICONS = {"▼": "lower", "▲": "higher", "★": "star"}
Line = Mapping[str, Any]


class Copy(Struct, frozen=True):
    """The scored copy of one answer: the writing on each sheet, with the name of its score sheet, and the `notes`, line
    by line (`kind`, `text`, and what the kind needs: see scored_notes.xml.j2)."""

    game: Game
    deck: Deck
    sheets: tuple[tuple[str, Writing], ...]
    notes: tuple[Line, ...] = ()


class Copier(Struct):
    """Makes scored copies on one paper. `hand` is a user's own font for letters that the bundled fonts do not have."""

    paper: Paper
    hand: Path | None = None
    presses: dict[tuple[Path, str | None], Press] = field(default_factory=dict)
    blanks: dict[tuple[Path, str | None, str], list[Frame]] = field(default_factory=dict)

    def pdf(self, copies: Sequence[Copy]) -> bytes:
        """All copies as one PDF. Raises InputError for marks that cannot be written."""
        games = groupby(copies, lambda copy: copy.game.folder)
        return joined([self._of_one_game(list(group)) for _, group in games])

    def missing(self, text: str) -> list[str]:
        """The letters of a text that none of the fonts has."""
        missing = fonts.load(self.bundled).missing(text)
        return fonts.load(self.hand).missing("".join(missing)) if missing and self.hand else missing

    @property
    def bundled(self) -> Path:
        from ..paths import SHARED_DATA

        return SHARED_DATA / "fonts" / "Lato-BoldItalic.ttf"

    # ---- pages -----------------------------------------------------------------------------------------------------

    def _of_one_game(self, copies: list[Copy]) -> bytes:
        pages = [page for copy in copies for page in self.pages(copy)]
        game = copies[0].game
        info = pdf.Info(
            title=f"{game.title} - scored", subject="A scored copy of what was filled in", keywords=(game.key, "scored")
        )
        return pdf.write(pages, self._press(copies[0]).theme, info=info)

    def pages(self, copy: Copy) -> list[Page]:
        """The pages of one copy. Sheets that fill half a page are put side by side, and the notes beside the last. A
        sheet that fills a page is scaled down, so that the notes are beside it; its other pages follow in full size,
        unless one of them fills a half that the notes leave empty."""
        press = self._press(copy)
        frames = [frame for frame, _ in self.sheets(copy)]
        half = replace(self.paper, width=self.paper.height / 2, height=self.paper.width)
        grown = max(1.0, _NOTES_WIDTH / half.width)
        roomy = replace(half, width=half.width * grown, height=half.height * grown)
        notes = [_fitted(frame, half) for frame in self._notes(press, roomy, copy.notes)]
        if press.paper_of(press.part(copy.sheets[0][0]), self.paper) is not self.paper:
            return nup.halves_pages([*(_fitted(frame, half) for frame in frames), *notes], self.paper)
        beside = [_fitted(frames.pop(0), half), *notes]
        if len(beside) % 2 and frames:
            beside.append(_fitted(frames.pop(0), half))
        rest = [_fitted(frame, self.paper) for frame in frames]
        return [*nup.halves_pages(beside, self.paper), *nup.sheet_pages(rest, self.paper)]

    def sheets(self, copy: Copy) -> Iterator[tuple[Frame, Writing]]:
        """Every page with writing on it, together with that writing."""
        theme = self._press(copy).theme
        for name, writing in copy.sheets:
            for frame in _in_use(self._blank(copy, name), writing):
                yield write_on(frame, theme, writing), writing

    def theme(self, copy: Copy) -> Theme:
        """The theme of a copy's game, with the fonts and styles of marks and notes."""
        return self._press(copy).theme

    def _press(self, copy: Copy) -> Press:
        key = copy.game.folder, copy.deck.code
        if key not in self.presses:
            game = replace(copy.game, theme=self._theme(copy.game.theme))
            self.presses[key] = Press(game, copy.deck)
        return self.presses[key]

    def _blank(self, copy: Copy, name: str) -> list[Frame]:
        """The sheet as it is printed; laid out once for all copies."""
        key = copy.game.folder, copy.deck.code, name
        if key not in self.blanks:
            press = self._press(copy)
            part = press.part(name)
            drawn_for = laid_out_for(press, part, self.paper)
            self.blanks[key] = press.sheet(part, press.paper_of(part, drawn_for))
        return self.blanks[key]

    # ---- looks -----------------------------------------------------------------------------------------------------

    def _theme(self, theme: Theme) -> Theme:
        """The game's theme with the fonts and styles of marks and notes."""
        shared = self.bundled.parent
        files = {"hand": self.bundled, "note": shared / "Lato-Regular.ttf", "note-head": shared / "Lato-Bold.ttf"}
        if self.hand:
            files |= {f"{name}-bold": self.hand for name in tuple(files)}
        return replace(
            theme,
            fonts={**theme.fonts, **{name: (FontFile(file),) for name, file in files.items()}},
            styles={**theme.styles, **_STYLES},
            colours={**theme.colours, "stroke": LINE},
        )

    # ---- notes -----------------------------------------------------------------------------------------------------

    def _notes(self, press: Press, paper: Paper, lines: Sequence[Line]) -> Iterator[Frame]:
        """The notes, on as many pages as they need."""
        remaining = [self._line(line) for line in lines]
        while remaining:
            frame, count = self._page(press, paper, remaining)
            yield frame
            remaining = remaining[count:]

    def _page(self, press: Press, paper: Paper, lines: Sequence[Line]) -> tuple[Frame, int]:
        """A page with as many of the lines as fit, and their number, found by bisection."""
        fits, fails, page = 0, min(len(lines), _MAX_LINES) + 1, None
        while fails - fits > 1:
            middle = (fits + fails) // 2 if page or fails <= len(lines) else fails - 1
            try:
                page = press.picture("scored_notes", (paper.width, paper.height), lines[:middle])
                fits = middle
            except InputError:
                if middle == 1:
                    raise
                fails = middle
        assert page
        return page, fits

    def _line(self, line: Line) -> Line:
        """The line with its texts as pieces: words, words in the user's font, and icons."""
        result = {**line, "pieces": list(self._pieces(line.get("text", "")))}
        if "head" in line:
            result["head"] = {"pieces": list(self._pieces(line["head"]))}
        if "cells" in line:
            result["cells"] = [{"align": align, "pieces": list(self._pieces(text))} for text, align in line["cells"]]
        return result

    def _pieces(self, text: str) -> Iterator[Mapping[str, Any]]:
        """The text as pieces, with words that are too long for a line broken."""
        text = " ".join(map(self._broken, text.split(" ")))
        strange = frozenset(fonts.load(self.bundled).missing(text)) - set(ICONS)
        for kind, letters in groupby(text, lambda letter: (ICONS.get(letter), letter in strange)):
            icon, is_strange = kind
            if icon:
                yield from ({"icon": icon, "strange": False, "text": ""} for _ in letters)
            else:
                yield {"icon": "", "strange": is_strange, "text": "".join(letters)}

    def _broken(self, word: str) -> str:
        """A word, cut into pieces if it is too long for a line of notes."""
        parts = ceil(fonts.width(word, fonts.load(self.bundled), _MAX_TYPE_SIZE) / _LINE)
        length = ceil(len(word) / parts) if parts > 1 else len(word)
        return " ".join(word[start : start + length] for start in range(0, len(word), length)) if parts > 1 else word


def _fitted(frame: Frame, paper: Paper) -> Frame:
    """The frame, scaled down to this paper."""
    return scaled(frame, min(1.0, paper.width / frame.width, paper.height / frame.height))


def _in_use(frames: Sequence[Frame], writing: Writing) -> list[Frame]:
    """The pages of a sheet with marks or rings, and always the first one."""
    return [
        frame
        for number, frame in enumerate(frames)
        if number == 0 or any(slot.id in writing.marks or slot.id in writing.rings for slot in frame.slots())
    ]


_NOTES_WIDTH = 105.0
"""The least width for notes, in mm: half of A5. On smaller paper, they are scaled down."""
_MAX_TYPE_SIZE, _LINE = 10 * POINT, 95.0
"""The largest letters of running notes and the shortest line for them, in mm."""
_MAX_LINES = 120
"""The maximum number of lines of notes tried on one page."""


def _style(font: str, size: float, colour: str, **more: Any) -> Style:
    return Style(font=font, size=size * POINT, floor=more.pop("floor", size * POINT), colour=Colour(colour), **more)


_STYLES = {
    "mark": _style("hand", 15, PENCIL, floor=MIN_TYPE_SIZE, align="center", leading=1.0),
    "sum": _style("hand", 15, JUDGE, floor=MIN_TYPE_SIZE, align="center", leading=1.0),
    "note-title": _style("note-head", 14, "ink", leading=1.2),
    "note-heading": _style("note-head", 10, "ink", leading=1.3),
    "note": _style("note", 9, "ink"),
    "cell": _style("note", 9, "ink", floor=MIN_TYPE_SIZE),
    "cell-heavy": _style("note-head", 9, "ink", floor=MIN_TYPE_SIZE),
    "cell-small": _style("note", 7.5, "quiet", floor=MIN_TYPE_SIZE),
    "note-small": _style("note", 7.5, "quiet"),
    "note-number": _style("note-head", 8, "#ffffff", align="center", leading=1.0, floor=4 * POINT),
}
