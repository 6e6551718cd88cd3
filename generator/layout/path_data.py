"""SVG path data (`M 0 0 L 4 4 …`) → path segments: lines and cubic Béziers only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .outlines import Path, Segment
from .svg_values import FARTHEST, MOST_SEGMENTS

_MOST_TOKENS = 7 * MOST_SEGMENTS

_COMMAND = re.compile("([MmZzLlHhVvCcSsQqTtAa])")
_NUMBER = re.compile(r"[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[\s,]*")
_FLAG = re.compile(r"[\s,]*([01])[\s,]*")
_ARC_FLAGS = (3, 4)


@lru_cache(maxsize=128)
def segments(data: str, most: int = MOST_SEGMENTS) -> Path:
    """The segments of path data; raises ValueError saying what is not understood."""
    from fontTools.svgLib.path.parser import parse_path  # only where a path is really read: it is slow to load

    pen = _Pen(most)
    plain = " ".join(_tokens(data))
    try:
        parse_path(plain, pen)
    except _RefusedError:
        raise
    except ArithmeticError as error:
        raise ValueError("path data with numbers out of all bounds") from error
    except ValueError as error:
        raise ValueError("path data that does not begin with M, or lacks some of its numbers") from error
    return tuple(pen.path)


def _tokens(data: str) -> Iterator[str]:
    """Path data in its plainest spelling. fontTools skips over what it cannot read; here that is an error."""
    count = 0
    command = ""
    for part in _COMMAND.split(data):
        if _COMMAND.fullmatch(part):
            command, words = part, iter([part])
        elif not part.strip():
            continue
        elif not command:
            raise ValueError(f"path data must begin with M, not “{part[:12]}”")
        else:
            words = _numbers(part, arc=command in "Aa")
        for word in words:
            count += 1
            if count > _MOST_TOKENS:
                raise ValueError(f"more than {MOST_SEGMENTS:,} segments")
            yield word


def _numbers(text: str, *, arc: bool) -> Iterator[str]:
    at = count = 0
    while at < len(text):
        pattern = _FLAG if arc and count % 7 in _ARC_FLAGS else _NUMBER
        match = pattern.match(text, at)
        if not match:
            raise ValueError(f"path data with “{text[at:at + 12].strip()}” where a number should be")
        yield repr(float(match[1])) if pattern is _NUMBER else match[1]
        at, count = match.end(), count + 1


class _RefusedError(ValueError):
    """What the pen says itself; fontTools' own words would quote the whole path."""


class _Pen:
    """Records what fontTools draws, quadratic curves as cubic ones."""

    def __init__(self, most: int) -> None:
        self.path: list[Segment] = []
        self.most = most
        self.at = (0.0, 0.0)

    def _add(self, name: str, *points: tuple[float, float]) -> None:
        if len(self.path) >= self.most:
            raise _RefusedError(f"more than {MOST_SEGMENTS:,} segments")
        numbers = [number for point in points for number in point]
        if not all(-FARTHEST < number < FARTHEST for number in numbers):
            raise _RefusedError("path data with numbers out of all bounds")
        self.path.append((name, *numbers))
        self.at = points[-1]

    def moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802 - fontTools' name
        self._add("M", point)

    def lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self._add("L", point)

    def curveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._add("C", *points)

    def qCurveTo(self, control: tuple[float, float], end: tuple[float, float]) -> None:  # noqa: N802
        (x0, y0), (x, y), (x1, y1) = self.at, control, end
        self._add("C", (x0 + (x - x0) * 2 / 3, y0 + (y - y0) * 2 / 3), (x1 + (x - x1) * 2 / 3, y1 + (y - y1) * 2 / 3),
                  end)

    def closePath(self) -> None:  # noqa: N802
        self.path.append(("Z",))

    def endPath(self) -> None:  # noqa: N802
        """An open subpath ends; nothing to write down."""
