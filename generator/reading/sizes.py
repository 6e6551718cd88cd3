"""Named card sizes and papers from data/_shared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from .. import paths
from ..errors import Place, did_you_mean, fault, shortened
from ..model import values
from ..model.values import Length, Size
from . import typed

MIN_SIDE, MAX_SIDE = 50.0, 1500.0
"""Limits of a paper's sides in mm."""

DEFAULT_MARGIN = 4.2
MAX_MARGIN = 30.0
_TOLERANCE = 0.1
_CUSTOM = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)(mm|cm|in|pt)?[x×]([0-9]{1,6}(?:\.[0-9]{1,6})?)(mm|cm|in|pt)")


class PaperFile(Struct, frozen=True, kw_only=True):
    size: Size
    margin: Length
    also: tuple[str, ...] = ()
    registered: bool = False


class PapersFile(Struct, frozen=True):
    papers: dict[str, PaperFile]


class SizesFile(Struct, frozen=True):
    sizes: dict[str, Size]


class Paper(Struct, frozen=True):
    """A paper in portrait: width and height in mm, and the margin that printers cannot reach. If it is `registered`,
    the layouts of shipped score sheets on it have ids in layouts.yaml."""

    name: str
    width: float
    height: float
    margin: float
    registered: bool = False


@cache
def card_sizes() -> Mapping[str, Size]:
    return typed.read_file(paths.SHARED_DATA / "sizes.yaml", SizesFile).sizes


@cache
def _paper_files() -> Mapping[str, PaperFile]:
    return typed.read_file(paths.SHARED_DATA / "papers.yaml", PapersFile).papers


@cache
def papers() -> Mapping[str, Paper]:
    return {
        name: Paper(name, file.size.width, file.size.height, file.margin, registered=file.registered)
        for name, file in _paper_files().items()
    }


def paper(text: str) -> Paper:
    """The paper with this name, in any case, or with a size such as `8.5x14in` or `210x297mm`; raises InputError."""
    name = "".join(text.casefold().split())
    names = {other: key for key, file in _paper_files().items() for other in (key, *file.also)}
    if name in names:
        return papers()[names[name]]
    if match := _CUSTOM.fullmatch(name):
        return _custom(name.replace("×", "x"), match)
    hint = did_you_mean(text, names)
    if not hint.startswith("did"):
        hint = f"known: {', '.join(papers())}, or a size such as 8.5x14in or 210x297mm"
    raise fault(f"no paper “{text}”", hint=hint)


def _custom(name: str, match: re.Match[str]) -> Paper:
    width, height = sorted(values.length(f"{match[side]}{match[side + 1] or match[4]}") for side in (1, 3))
    if width < MIN_SIDE or height > MAX_SIDE:
        hint = f"the sides of a paper must be from {MIN_SIDE:g} to {MAX_SIDE:g} mm"
        raise fault(f"paper “{name}” is {width:.4g} × {height:.4g} mm", hint=hint)
    for known in papers().values():
        if abs(known.width - width) + abs(known.height - height) < _TOLERANCE:
            return known
    return Paper(name, width, height, DEFAULT_MARGIN)


def usual_papers() -> list[Paper]:
    """A4 and Letter, for which components are designed."""
    return [papers()["a4"], papers()["letter"]]


def is_small(paper_: Paper) -> bool:
    """Whether a paper has less room than A4 or Letter, so that what fits on both of them may not fit on it."""
    least = usual_papers()
    return paper_.width < min(p.width for p in least) or paper_.height < min(p.height for p in least)


def usual_margin(paper_: Paper) -> float:
    """The margin of a paper unless a game, a setting or an option changes it."""
    return papers()[paper_.name].margin if paper_.name in papers() else DEFAULT_MARGIN


def printer_margin(text: str) -> float:
    """The edge of the paper that a printer leaves white, in mm; raises InputError."""
    try:
        margin = values.length(text)
    except ValueError as error:
        raise fault(f"“{shortened(text)}” is not a margin", hint=f"use {error}") from None
    if not 0 <= margin <= MAX_MARGIN:
        raise fault(f"a margin of {margin:g} mm", hint=f"it must be from 0 to {MAX_MARGIN:g} mm")
    return margin


def card_size(text: str, place: Place | None = None) -> Size:
    """A card size by name or as dimensions such as `63.5 x 63.5`; raises InputError."""
    if text in card_sizes():
        return card_sizes()[text]
    try:
        return values.size(text)
    except ValueError as error:
        hint = f"give {error}" if text[:1].isdigit() else did_you_mean(text, card_sizes())
        hint = hint or "use a named size or dimensions such as 63.5 x 88.9"
        raise fault(f"no card size “{shortened(text)}”", place, hint) from None
