"""What cards show along their edges, and so how they may be laid side by side.

No cut is exact: where two cards share a cut, a strip of one stays on the other. Nobody sees that if their edges have
the same colour. `seams` looks at what is painted near the edges of all cards; what it cannot tell for sure, such as the
colours of a picture, counts as different.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct

from ..geometry.frame import Frame, Group, Icon, Image, Item, LazyItems, Paint, Placed, Shape
from ..geometry.outlines import IDENTITY, Matrix, Path, Rect, bounds, exact_bounds, multiplied, rect, transformed
from ..model.colours import channels, mixed

BAND = 0.8
"""The strip inside each edge that may show on a neighbour: a little more than cuts usually stray, in mm."""
SIMILAR = 16
"""Colours whose red, green and blue differ by at most this, of 255, look alike on a strip as narrow as that."""
BORDER = 1.0
"""The least width of a border that cards get if nothing else keeps the neighbour's colours off them."""
MAX_COLOURS = 12
"""A part of an edge with more colours than this counts as unknown."""
RELATED = 64
"""If most edges of cards differ by no more than this, of 255, their mean suits all cards as the colour of a border."""
MAX_CENTRES = 50
"""The number of colours, the most frequent first, around which related ones are looked for."""
PAPER = "#ffffff"
_SLACK = 1e-6

Colours: TypeAlias = frozenset[str] | None
"""The colours that can be seen somewhere; None if they are not known."""
Span: TypeAlias = tuple[float, float, Colours]
"""A part of an edge, from one place along it to another, in mm."""
Edge: TypeAlias = tuple[Span, ...]
Box: TypeAlias = tuple[float, float, float, float]


class Seams(Struct, frozen=True):
    """Whether the edges of the cards of a deck, fronts and backs, look alike where cards meet: `across` if a left edge
    meets a right one, `down` if a lower edge meets an upper one. `turned_across` and `turned_down` say so if every
    other card is turned by 180°, so that right edges meet right ones, or lower edges lower ones. `front` and `back` are
    colours that suit the edges of all, for borders."""

    across: bool
    down: bool
    turned_across: bool
    turned_down: bool
    front: str
    back: str


def seams(fronts: Iterable[Frame], backs: Iterable[Frame]) -> Seams:
    """The seams of a deck whose cards have one size."""
    arts = [_arts(frames) for frames in (fronts, backs)]
    sides = [_edges_of(art) for art in arts]
    present = [edges for edges in sides if edges[0]]
    return Seams(
        all(_alike(left + right) for left, _, right, _ in present),
        all(_alike(top + bottom) for _, top, _, bottom in present),
        all(_alike(edges + _reversed(edges)) for left, _, right, _ in present for edges in (left, right)),
        all(_alike(edges + _reversed(edges)) for _, top, _, bottom in present for edges in (top, bottom)),
        *(_border_colour(art, side) for art, side in zip(arts, sides, strict=True)),
    )


def _arts(frames: Iterable[Frame]) -> dict[tuple[_Paint, ...], Frame]:
    """What frames paint along their edges, each with the first frame that paints it."""
    known: dict[int, tuple[_Paint, ...]] = {}
    arts: dict[tuple[_Paint, ...], Frame] = {}
    for frame in frames:
        arts.setdefault(tuple(_paints_of(frame, known)), frame)
    return arts


def _edges_of(arts: dict[tuple[_Paint, ...], Frame]) -> tuple[list[Edge], list[Edge], list[Edge], list[Edge]]:
    """The different left, upper, right and lower edges of frames with these paints."""
    pairs = [_edges(frame, paints) for paints, frame in arts.items()]
    edges = [list(dict.fromkeys(each)) for each in zip(*pairs, strict=True)] or [[]] * 4
    left, top, right, bottom = edges
    return left, top, right, bottom


def _alike(edges: Sequence[Edge]) -> bool:
    """Whether nobody sees a strip of one of these edges beside another one."""
    places = sorted({end for edge in edges for span in edge for end in span[:2]})
    for start, end in pairwise(places):
        if end - start < _SLACK:
            continue
        seen: set[str] = set()
        for edge in edges:
            colours = next(colours for low, high, colours in edge if low <= start + _SLACK and high >= end - _SLACK)
            if colours is None:
                return False
            seen |= colours
        if not _similar(seen):
            return False
    return True


def _similar(colours: Iterable[str]) -> bool:
    return all(max(levels) - min(levels) <= SIMILAR for levels in zip(*map(channels, colours), strict=True))


def _reversed(edges: Iterable[Edge]) -> list[Edge]:
    """The edges of cards that are turned by 180°, as their neighbours meet them."""
    return [
        tuple((edge[-1][1] - high, edge[-1][1] - low, seen) for low, high, seen in reversed(edge)) for edge in edges
    ]


def _border_colour(arts: dict[tuple[_Paint, ...], Frame], sides: Sequence[list[Edge]]) -> str:
    """The colour for the borders of cards with this art and these edges. Along drawings, whose colours are not known,
    it is that of the ground on which they are drawn."""
    spans = [span for edges in sides for edge in edges for span in edge]
    unknown = sum(high - low for low, high, colours in spans if colours is None)
    if 2 * unknown > sum(high - low for low, high, _ in spans):
        sides = _edges_of(dict(_grounds(arts)))
    return _common_colour(edge for edges in sides for edge in edges)


def _grounds(arts: dict[tuple[_Paint, ...], Frame]) -> Iterator[tuple[tuple[_Paint, ...], Frame]]:
    """The paints of frames without those whose colours are not known, unless nothing lies below these."""
    for paints, frame in arts.items():
        plain = tuple(paint for paint in paints if paint.colour)
        yield (plain if any(paint.fills for paint in plain) else paints), frame


def _common_colour(edges: Iterable[Edge]) -> str:
    """The colour for the borders of cards with these edges: that of more than half of them, or else the mean of related
    colours if more than half have these, or else that of paper."""
    lengths: Counter[str] = Counter()
    for low, high, colours in (span for edge in edges for span in edge):
        for colour in sorted(colours or ()):
            lengths[colour] += round(1000 * (high - low))
    if not lengths:
        return PAPER
    first = min(lengths, key=lambda colour: (-lengths[colour], colour))
    if 2 * lengths[first] > lengths.total():
        return first
    levels = list(zip(*(channels(colour)[:3] for colour in lengths), strict=True))
    group = lengths
    if any(max(level) - min(level) > RELATED for level in levels):
        parts = {colour: tuple(channels(colour)[:3]) for colour in lengths}
        centres = sorted(lengths, key=lambda colour: (-lengths[colour], colour))[:MAX_CENTRES]
        group = max((_related(lengths, parts, colour) for colour in sorted(centres)), key=lambda some: some.total())
    if 2 * group.total() <= lengths.total():
        return PAPER
    levels = list(zip(*(channels(colour)[:3] for colour in group), strict=True))
    means = (sum(map(int.__mul__, level, group.values())) // group.total() for level in levels)
    return "#" + "".join(f"{mean:02x}" for mean in means)


def _related(lengths: Counter[str], parts: Mapping[str, tuple[int, ...]], centre: str) -> Counter[str]:
    """The colours that are related to one, and their lengths. `parts` has the red, green and blue of each."""
    reach = RELATED / 2
    (r0, r1), (g0, g1), (b0, b1) = [(level - reach, level + reach) for level in parts[centre]]
    return Counter(
        {
            colour: lengths[colour]
            for colour, (red, green, blue) in parts.items()
            if r0 <= red <= r1 and g0 <= green <= g1 and b0 <= blue <= b1
        }
    )


def border(placed: Placed) -> Path:
    """The border of a card: from its bleed to `BORDER` mm inside its trim, or two thirds of its safe margin if that is
    more, to be filled by the even-odd rule. It laps over the border of a neighbour a little, so that no art shows
    between them."""
    left, top, right, bottom = (reach + 0.1 for reach in placed.clip)
    trim, width = Rect(placed.x, placed.y, *placed.box), max(BORDER, placed.frame.safe * 2 / 3)
    return rect(*trim.grown(left, top, right, bottom)) + rect(*trim.inset(*[width] * 4))


def _edges(frame: Frame, paints: Iterable[_Paint]) -> tuple[Edge, Edge, Edge, Edge]:
    """The left, upper, right and lower edge of a frame with these paints, each from the left or from the top."""
    width, height = frame.width, frame.height
    lengths, depths = (height, width, height, width), (0.0, 0.0, width - BAND, height - BAND)
    edges: list[list[Span]] = [[(0.0, length, frozenset([PAPER]))] for length in lengths]
    for paint in paints:
        left, top, right, bottom = paint.box
        for number, depth in enumerate(depths):
            low, high, near, far = (left, right, top, bottom) if number % 2 else (top, bottom, left, right)
            if near < depth + BAND - _SLACK and far > depth + _SLACK:
                covers = paint.fills and near <= depth + _SLACK and far >= depth + BAND - _SLACK
                edges[number] = list(_painted(edges[number], low, high, paint, covers=covers))
    left_edge, top_edge, right_edge, bottom_edge = map(tuple, edges)
    return left_edge, top_edge, right_edge, bottom_edge


def _paints_of(frame: Frame, known: dict[int, tuple[_Paint, ...]]) -> Iterator[_Paint]:
    """What a frame paints along its edges. Paints of items that frames share are `known` by their identity."""
    inner = BAND, BAND, frame.width - BAND, frame.height - BAND
    for item in frame.items:
        if isinstance(item, Group):
            if isinstance(item.items, LazyItems) and _within(inner, item.items.box.edges, 0.0):
                continue
            if id(item) not in known:
                known[id(item)] = tuple(_paints([item], inner, IDENTITY, 1.0, clipped=False))
            yield from known[id(item)]
        else:
            yield from _paints([item], inner, IDENTITY, 1.0, clipped=False)


class _Paint(Struct, frozen=True):
    """Something painted: a box around it, whether it fills the box, its colour (None if it has several), and how
    opaque it is."""

    box: Box
    fills: bool
    colour: str | None
    opacity: float


def _paints(items: Iterable[Item], inner: Box, matrix: Matrix, opacity: float, *, clipped: bool) -> Iterator[_Paint]:
    """What items paint beyond the box `inner`."""
    for item in items:
        if isinstance(item, Group):
            inside, clip = multiplied(matrix, item.transform), clipped or bool(item.clip)
            yield from _paints(item.items, inner, inside, opacity * item.opacity, clipped=clip)
        elif isinstance(item, Shape):
            path = item.path if matrix is IDENTITY else transformed(item.path, matrix)
            half = item.stroke_width / 2 if item.stroke else 0.0
            if not _within(inner, bounds(path), half):
                yield from _painted_by(item, path, half, opacity, clipped=clipped)
        elif isinstance(item, Icon | Image):
            box = bounds(transformed(rect(item.x, item.y, item.width, item.height), matrix))
            if not _within(inner, box, 0.0):
                yield _Paint(box, False, None, opacity)


def _painted_by(shape: Shape, path: Path, half: float, opacity: float, *, clipped: bool) -> Iterator[_Paint]:
    """What a shape paints along its `path` on the face, with a stroke `half` as wide to each side of it."""
    left, top, right, bottom = exact_bounds(path) if any(segment[0] == "C" for segment in path) else bounds(path)
    if shape.fill:
        fills = not clipped and path == rect(left, top, right - left, bottom - top)
        yield _Paint((left, top, right, bottom), fills, *_colour(shape.fill, opacity))
    if shape.stroke:
        yield _Paint((left - half, top - half, right + half, bottom + half), False, *_colour(shape.stroke, opacity))


def _within(inner: Box, box: Box, half: float) -> bool:
    left, top, right, bottom = inner
    return left <= box[0] - half and top <= box[1] - half and box[2] + half <= right and box[3] + half <= bottom


def _colour(paint: Paint, opacity: float) -> tuple[str | None, float]:
    return (paint[:7], opacity * channels(paint)[3] / 255) if isinstance(paint, str) else (None, opacity)


def _painted(edge: Sequence[Span], low: float, high: float, paint: _Paint, *, covers: bool) -> Iterator[Span]:
    """An edge with something painted on a part of it, which it covers or may leave free in places."""
    for start, end, seen in edge:
        first, last = (low if low > start + _SLACK else start), (high if high < end - _SLACK else end)
        if last - first < _SLACK:
            yield start, end, seen
            continue
        if first > start:
            yield start, first, seen
        yield first, last, _mixed(seen, paint, covers=covers)
        if last < end:
            yield last, end, seen


def _mixed(seen: Colours, paint: _Paint, *, covers: bool) -> Colours:
    if paint.colour is None or (seen is None and not (covers and paint.opacity == 1)):
        return None
    if paint.opacity == 1:
        new = frozenset([paint.colour])
    else:
        new = frozenset(mixed(colour, paint.colour, paint.opacity) for colour in seen or ())
    all_ = new if covers else new | (seen or frozenset())
    return all_ if len(all_) <= MAX_COLOURS else None
