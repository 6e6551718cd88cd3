"""Named card sizes and papers, from data/_shared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from .. import paths
from ..errors import Place, did_you_mean, fault
from . import nodes, typed, values
from .values import Length, Size


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFile:
    size: Size
    margin: Length


@dataclass(frozen=True, slots=True)
class PapersFile:
    papers: dict[str, PaperFile]


@dataclass(frozen=True, slots=True)
class SizesFile:
    sizes: dict[str, Size]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, portrait: width and height in mm, and the margin printers cannot reach."""

    name: str
    width: float
    height: float
    margin: float


@cache
def _sizes() -> Mapping[str, Size]:
    path = paths.SHARED_DATA / "sizes.yaml"
    return typed.read(nodes.document(nodes.read_text(path), path.name), SizesFile).sizes


@cache
def papers() -> Mapping[str, Paper]:
    path = paths.SHARED_DATA / "papers.yaml"
    found = typed.read(nodes.document(nodes.read_text(path), path.name), PapersFile).papers
    return {name: Paper(name, p.size.width, p.size.height, p.margin) for name, p in found.items()}


def paper(name: str) -> Paper:
    """The paper of this name; raises InputError naming the known ones."""
    if name not in papers():
        raise fault(f"no paper “{name}”", hint=did_you_mean(name, papers()))
    return papers()[name]


def card_size(text: str, place: Place | None = None) -> Size:
    """A named card size, or one written out such as `63.5 x 63.5`; raises InputError."""
    if text in _sizes():
        return _sizes()[text]
    try:
        return values.size(text)
    except ValueError:
        hint = did_you_mean(text, _sizes()) or "a named size, or one such as 63.5 x 88.9"
        raise fault(f"no card size “{text}”", place, hint) from None
