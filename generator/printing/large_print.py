"""Large print: what is printed larger, and by how much.

Everything grows by up to one ISO paper size, 141%: cards, boards, and what fills half a page, which gets a whole one.
On paper that is twice as large as A4 or Letter, so does what fills a page. Score sheets may have templates of their own
for large print, whose texts have at least 16 pt. Booklets have a size of their own. Dice, pawns, boxes and forms stay
as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from msgspec.structs import replace

from ..geometry.frame import Frame, scaled
from ..model.game import Component, Game, Style, Theme
from ..model.values import MM_PER_UNIT
from ..pages.crop_marks import MIN_MARK
from ..reading.sizes import Paper, papers

SCALE = sqrt(2)
"""From one ISO paper size to the next."""
MIN_TYPE = 16 * MM_PER_UNIT["pt"]
"""The least type size, in mm, on score sheets that have templates for large print."""
_LEAST = 1.05
"""Cards that could grow by less than this stay as they are."""
_WHOLE_PAGE = 205.0, 275.0
"""Half of a paper is at least as large as this, in mm, if a sheet fits on it: A4 and Letter do."""
_SAME_PAPER = 1.0


def enlarges(game: Game, part: Component, paper: Paper) -> bool:
    """Whether large print changes a component on this paper."""
    if part.kind == "deck":
        return card_scale(game, part, paper) > 1
    if part.kind in ("sheet", "page"):
        return bool(part.definition.large) or drawn_for(part, paper) != whole_paper(part, paper)
    return part.kind in ("board", "booklet")


def card_scale(game: Game, part: Component, paper: Paper) -> float:
    """The scale of the cards of a deck and of those printed with it: as far as one fits on a page with its marks."""
    if part.definition.up == 2:
        return 1.0
    decks = [part, *(game.components[name] for name in part.definition.with_)]
    edge = paper.margin + MIN_MARK
    area = paper.width - 2 * edge, paper.height - 2 * edge
    scale = SCALE
    for deck in decks:
        if deck.size:
            width, height = (side + 2 * deck.definition.bleed for side in (deck.size.width, deck.size.height))
            scale = min(scale, max(_fit(width, height, *area), _fit(height, width, *area)))
    return scale if scale >= _LEAST else 1.0


def large_theme(theme: Theme) -> Theme:
    """The theme with all its text styles enlarged."""
    return replace(theme, styles={name: _enlarged(style) for name, style in theme.styles.items()})


def _enlarged(style: Style) -> Style:
    size = max(MIN_TYPE, style.size * SCALE)
    return replace(style, size=size, floor=min(size, max(MIN_TYPE, (style.floor or style.size) * SCALE)))


def drawn_for(part: Component, paper: Paper) -> Paper:
    """The paper for which a sheet or page is drawn before it is enlarged to the whole of another one: its half if two
    are cut from one page or if half a page is enough for one; else the paper itself."""
    half = replace(paper, width=paper.height / 2, height=paper.width)
    if part.definition.up == 2:
        return replace(paper, height=paper.height / 2) if part.definition.landscape else half
    if half.width < _WHOLE_PAGE[0] or half.height < _WHOLE_PAGE[1]:
        return whole_paper(part, paper)
    same = (
        other
        for other in papers().values()
        if abs(other.width - half.width) < _SAME_PAPER and abs(other.height - half.height) < _SAME_PAPER
    )
    return whole_paper(part, next(same, half))


def whole_paper(part: Component, paper: Paper) -> Paper:
    """The paper of a score sheet that fills a page: landscape if the sheet is, and if it is not cut from a page."""
    is_landscape = part.definition.landscape and part.definition.up == 1
    return replace(paper, width=paper.height, height=paper.width) if is_landscape else paper


def filling(frames: Iterable[Frame], paper: Paper) -> list[Frame]:
    """Frames enlarged to a page."""
    return [scaled(frame, _fit(frame.width, frame.height, paper.width, paper.height)) for frame in frames]


def _fit(width: float, height: float, across: float, down: float) -> float:
    return min(across / width, down / height)
