"""Marks the flaws of a draft: each gets a red frame and a tag with its number, such as +3, so that nothing depends on
colour alone. The list of problems has the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from ..errors import Problem, same_problem
from ..faces.face import Words
from ..geometry import outlines
from ..geometry.frame import Frame, Item, Page, Placed, Run
from ..geometry.outlines import Rect
from ..model.game import Theme
from ..text.lexicon import paragraph
from ..text.lines import Fitted, LineSetting, family, fitted, min_height
from ..text.words import Paragraph
from .ink import Ink, Stroke, write
from .missing_signs import RED, boxed

WHITE = "#ffffff"
_FRAME = Stroke(RED, 0.5)
_HALO = Stroke(WHITE, 0.9)
"""A white line below the red one, which makes it visible on a red card."""
_DASHED = Stroke(RED, 0.4, (1.2, 0.8))
_CLEARANCE = 0.45
"""The distance between a flaw and its frame, so that the frame hides nothing."""
_TAG_HEIGHT = 2.8
_MIN_FRAME = 1.5
_MAX_STACKED = 12
_NOTICE_HEIGHT = 3.6
_NOTICE_MARGIN = 4.0


def as_found(problem: Problem) -> Problem:
    return problem


class Draft(Struct):
    """The problems of a draft, in order. The same problem on several cards has one number, in the order in which
    `errors.summary` lists them. `located` gives a problem another place. If there is a list `recorded`, the flaws of
    each face are added to it, and not marked."""

    problems: list[Problem] = field(default_factory=list)
    located: Callable[[Problem], Problem] = as_found
    recorded: list[list[Flaw]] | None = None
    _numbers: dict[tuple[str, str, int], int] = field(default_factory=dict)

    def number(self, problem: Problem) -> int:
        """Adds a problem; returns its number, from 1."""
        problem = self.located(problem)
        self.problems.append(problem)
        return self._numbers.setdefault(same_problem(problem), len(self._numbers) + 1)

    def add(self, problems: Iterable[Problem]) -> None:
        """Adds problems that have no place on paper."""
        for problem in problems:
            self.number(problem)


class Flaw(Struct, frozen=True):
    """A problem and the part of a face that has it, in mm; `dashed` if the part is drawn as it will be printed."""

    problem: Problem
    box: Rect
    dashed: bool = False


def marked(frame: Frame, flaws: Iterable[Flaw], draft: Draft, theme: Theme) -> Frame:
    """The frame with its flaws marked. Marks stay within the trim; flaws in one place share a frame."""
    if draft.recorded is not None:
        draft.recorded.append([replace(flaw, problem=draft.located(flaw.problem)) for flaw in flaws])
        return frame
    numbers: dict[tuple[Rect, bool], dict[int, None]] = {}
    trim = Rect(0.0, 0.0, frame.width, frame.height)
    for flaw in flaws:
        box = _within(flaw.box.grown(*[_CLEARANCE] * 4), trim)
        numbers.setdefault((box, flaw.dashed), {})[draft.number(flaw.problem)] = None
    ink = Ink(trim, 0.0)
    for box, dashed in numbers:
        for stroke in (_HALO, _DASHED if dashed else _FRAME):
            ink.box(box, None, stroke, (0.0,) * 4, bleed=False)
    placed_tags: list[Rect] = []
    for (box, _), flaw_numbers in numbers.items():
        _tag(ink, "+" + ",".join(map(str, flaw_numbers)), box, trim, placed_tags=placed_tags, theme=theme)
    return replace(frame, items=(*frame.items, *ink.items)) if ink.items else frame


def _within(box: Rect, trim: Rect) -> Rect:
    """The part of a box inside the trim, enlarged if it is too small to see."""
    width, height = min(max(box.width, _MIN_FRAME), trim.width), min(max(box.height, _MIN_FRAME), trim.height)
    x, y = max(box.x, trim.x), max(box.y, trim.y)
    right, bottom = min(box.x + width, trim.right), min(box.y + height, trim.bottom)
    x, y = min(x, max(right - _MIN_FRAME, 0.0)), min(y, max(bottom - _MIN_FRAME, 0.0))
    return Rect(x, y, max(right - x, _MIN_FRAME), max(bottom - y, _MIN_FRAME))


def _tag(ink: Ink, text: str, box: Rect, trim: Rect, placed_tags: list[Rect], theme: Theme) -> None:
    """Draws a tag where it hides as little as possible: on top of a box, beside it, or in its top right corner."""
    style = _style(theme)
    words = _words(text, style)
    width, height = words.across * style.size + 1.2, _TAG_HEIGHT
    corners = (
        (box.right - width, box.y - height),
        (box.right, box.y),
        (box.x - width, box.y),
        (box.right - width, box.bottom),
        *((box.right - width, box.y + number * height) for number in range(_MAX_STACKED)),
    )
    tags = [Rect(x, y, width, height) for x, y in corners]
    free = (tag for tag in tags if trim.holds(tag) and not any(_overlap(tag, other) for other in placed_tags))
    tag = next(free, Rect(max(0.0, trim.right - width), 0.0, width, height))
    placed_tags.append(tag)
    ink.box(tag, RED, Stroke(WHITE, 0.3), (0.0,) * 4, bleed=False)
    write(ink, fitted(words, style, width, height), style, tag)


def _overlap(first: Rect, second: Rect) -> bool:
    return (
        first.x < second.right - outlines.ON_TRIM
        and second.x < first.right - outlines.ON_TRIM
        and first.y < second.bottom - outlines.ON_TRIM
        and second.y < first.bottom - outlines.ON_TRIM
    )


def crossed(ink: Ink, box: Rect, label: str, theme: Theme) -> None:
    """Draws a crossed box with a label, which shrinks until it fits."""
    stroke = Stroke(RED, 0.25)
    ink.box(box, WHITE, stroke, (0.0,) * 4, bleed=False)
    for x1, x2 in ((box.x, box.right), (box.right, box.x)):
        ink.shape(outlines.line(x1, box.y, x2, box.bottom), None, stroke)
    style = replace(_style(theme, RED, 3.0), floor=2.0)
    words, width = _words(label, style), max(box.width - 1.0, 0.1)
    fit = fitted(words, style, width, box.height)
    if fit.shortfall:
        style = replace(style, floor=0.8, wrap=True, breaks_words=True)
        fit = fitted(words, style, width, box.height)
    if fit.shortfall:
        return
    high = min_height(len(fit.lines), style, fit.size) + 0.6
    ink.box(
        Rect(box.x + 0.4, box.y + (box.height - high) / 2, box.width - 0.8, high),
        WHITE,
        Stroke(None),
        (0.0,) * 4,
        bleed=False,
    )
    write(ink, fit, style, Rect(box.x + 0.5, box.y, box.width - 1.0, box.height))


def cut_to(ink: Ink, fit: Fitted, style: LineSetting, box: Rect) -> None:
    """Writes as much of a text as fits into its box: whole lines, and the beginning of a line that is too wide."""
    count = len(fit.lines)
    while count > 1 and (
        min_height(count, style, fit.size) > box.height or (style.max_lines and count > style.max_lines)
    ):
        count -= 1
    local = Ink(ink.trim, 0.0)
    write(local, replace(fit, lines=fit.lines[:count]), replace(style, align="left", valign="top"), box)
    for item in local.items:
        _put(ink, _cut(item, box.right))


def _put(ink: Ink, item: Item | None) -> None:
    if isinstance(item, Run):
        ink.run(item)
    elif item is not None and not isinstance(item, Run):
        ink.icon(item.name, Rect(item.x, item.y, item.width, item.height), item.colour)  # type: ignore[union-attr]


def _cut(item: Item, right: float) -> Item | None:
    """The part of a run or icon left of `right`."""
    left: float = item.x  # type: ignore[union-attr]
    width: float = item.width  # type: ignore[union-attr]
    if left + width <= right + outlines.ON_TRIM:
        return item
    if not isinstance(item, Run) or width <= 0:
        return None
    text = item.text[: int(len(item.text) * max(0.0, right - left) / width)]
    return replace(item, text=text, width=right - left) if text.strip() else None


def noted(page: Page, theme: Theme, margin: float) -> Page:
    """The page with the notice DRAFT in its top margin."""
    style = _style(theme, RED, 3.2)
    words = _words("DRAFT – flaws are marked in red", style)
    width = words.across * style.size
    ink = Ink(Rect(0.0, 0.0, width, _NOTICE_HEIGHT), 0.0)
    write(ink, fitted(words, style, width, _NOTICE_HEIGHT), style, ink.trim)
    frame = Frame("notice", width, _NOTICE_HEIGHT, tuple(ink.items))
    y = max(0.0, min(_NOTICE_MARGIN, margin - _NOTICE_HEIGHT))
    return replace(page, notes=(*page.notes, Placed(frame, (page.width - width) / 2, y)))


def _style(theme: Theme, colour: str = WHITE, size: float = 2.2) -> LineSetting:
    font = next((name for name in ("bold", "regular") if name in theme.fonts), next(iter(theme.fonts)))
    return LineSetting(
        family=family(font, theme.fonts),
        size=size,
        floor=size,
        leading=1.15,
        tracking=0.0,
        colour=colour,
        align="center",
        valign="middle",
        upper=False,
        wrap=False,
        breaks_words=False,
        max_lines=None,
    )


def _words(text: str, style: LineSetting) -> Paragraph:
    """The text, with boxes for characters that the font lacks."""
    pieces = (Words(text),)
    words = paragraph(pieces, style.family, 0.0, False, icons=())
    return (
        paragraph(tuple(boxed(pieces, words.missing)), style.family, 0.0, False, icons=()) if words.missing else words
    )
