"""Which components are too large for a paper. Score sheets, pages, nets and boards have a size of their own, and most
are designed for A4 and Letter."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ..errors import InputError, fault
from ..geometry.frame import Frame
from ..model.game import Component
from ..pages import nup
from ..reading.sizes import Paper, is_small, usual_papers
from .game_faces import cut_of
from .press import Press, needs_set

_FLEXIBLE = ("deck", "booklet")
"""Kinds that adapt to paper: fewer cards on a page, scaled pages."""


def refuse_too_small(press: Press, names: Iterable[str], paper: Paper) -> None:
    """Raises InputError if some of the components fit on A4 or Letter but not on this smaller paper, with the papers
    that all of these fit on, and those that do fit. Says nothing of components with other problems."""
    if not is_small(paper):
        return
    parts = [press.part(name) for name in names]
    larger = [replace(usual, margin=paper.margin) for usual in usual_papers()]
    wrong = {part.name: _on(press, part, larger) for part in parts if not _fits(press, part, paper)}
    refused = {name: fitting for name, fitting in wrong.items() if fitting}
    if not refused:
        return
    best = [usual.name for usual in larger if all(usual in fitting for fitting in refused.values())]
    hint = f"use {' or '.join(f'--paper {name}' for name in best)}" if best else "use a larger paper"
    others = [part.name for part in parts if part.name not in wrong and _can_be_printed(press, part, paper)]
    if others:
        hint += f"; on {paper.name}, you can print {_listed(others)}"
    verb = "do" if len(refused) > 1 else "does"
    size = f"{paper.width:.4g} × {paper.height:.4g} mm"
    raise fault(f"{press.game.title}: {_listed(list(refused))} {verb} not fit on {paper.name} ({size})", None, hint)


def laid_out_for(press: Press, part: Component, paper: Paper) -> Paper:
    """The paper to lay a component out for if it may be scaled down: `paper`, or A4 or Letter if it only fits there."""
    if not is_small(paper) or _fits(press, part, paper):
        return paper
    return next(iter(_on(press, part, usual_papers())), paper)


def _on(press: Press, part: Component, larger: Iterable[Paper]) -> list[Paper]:
    return [paper for paper in larger if _fits(press, part, paper)]


def _fits(press: Press, part: Component, paper: Paper) -> bool:
    """Whether a component can be laid out on a paper. Kinds that adapt to any paper count as fitting."""
    if part.kind in _FLEXIBLE or needs_set(part):
        return True
    try:
        press.pages(part, paper)
    except InputError:
        return False
    return True


def _can_be_printed(press: Press, part: Component, paper: Paper) -> bool:
    """Whether a component that counts as fitting on a small paper does: a card may be larger, and a booklet has a
    minimum size."""
    if part.kind == "booklet":
        from ..booklet.booklet import is_too_small  # loads platypus

        return not is_too_small(paper, press.settings.large_print)
    if needs_set(part) or part.kind != "deck":
        return not needs_set(part)
    assert part.size
    about = part.definition
    card = Frame(part.name, part.size.width, part.size.height, (), bleed=about.bleed, safe=about.safe, cut=cut_of(part))
    try:
        if about.up == 2:
            nup.halves_pages([card], paper)
        else:
            duplex = (about.duplex or "long") if about.back else "none"
            nup.deck_pages([card], [card], paper, gutter=about.gutter, duplex=duplex, margin=paper.margin)
    except InputError:
        return False
    return True


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
