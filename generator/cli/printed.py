"""Prints an order: one PDF file for each component and paper. Problems with one component do not stop the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .. import paths
from ..definitions.models import Card, Component, Game
from ..definitions.sizes import Paper
from ..errors import InputError, Place, Problem, fault, noting
from ..games.deck import Deck
from ..layout.draft import Draft
from ..pdf import save
from ..printing.press import Press, Printed, needs_set
from .card_choice import CardChoice
from .console import problem_data, progress
from .selection import Chosen


@dataclass(frozen=True, slots=True)
class Order:
    """What to print and how. Without `components`, everything is printed; without `duplex`, each component in its own
    mode. If it is `strict`, a component with notes is not printed."""

    components: tuple[str, ...]
    papers: tuple[Paper, ...]
    duplex: str | None
    copies: int | None
    low_ink: bool
    fillable: bool
    folded: bool
    folder: Path
    cards: CardChoice | None = None
    draft: bool = False
    max_dpi: float | None = None
    strict: bool = False

    def components_of(self, game: Game, deck: Deck) -> list[str]:
        """The components to print: those that were named, else those that depend on the random set, else all. If cards
        were chosen, only decks that have some of them."""
        names = self._components_of(game, deck)
        if not self.cards:
            return names
        chosen = self.cards.of(self.decks_of(game, deck, names), title_fields(game))
        return [name for name in names if not chosen.keys().isdisjoint(_decks(game, name))]

    def decks_of(self, game: Game, deck: Deck, names: Iterable[str]) -> dict[str, tuple[Card, ...]]:
        """The cards of the decks that these components print."""
        return {other: deck.cards[other] for name in names for other in _decks(game, name)}

    def _components_of(self, game: Game, deck: Deck) -> list[str]:
        if self.components:
            return [name for name in game.components if name in self.components]
        usual = usual_components(game)
        if not deck.code:
            return usual
        changed = deck.changes(game)
        return [name for name in game.components if name in changed]


def _decks(game: Game, name: str) -> list[str]:
    """The decks on the pages of a component."""
    part = game.components[name]
    return [other for other in (name, *part.definition.with_) if part.kind == game.components[other].kind == "deck"]


def usual_components(game: Game) -> list[str]:
    """All components but those that share the pages of another one or need a random set."""
    together = {other for part in game.components.values() for other in part.definition.with_}
    return [name for name, part in game.components.items() if name not in together and not needs_set(part)]


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A printed component and its file; `notes` say what may not look as expected."""

    game: Game
    component: str
    paper: str
    file: Path
    printed: Printed
    code: str | None
    fillable: bool = False
    notes: tuple[Problem, ...] = ()

    def plain(self) -> dict[str, object]:
        return {
            "game": self.game.key,
            "component": self.component,
            "paper": self.paper,
            "file": str(self.file),
            "pages": self.printed.pages,
            "duplex": self.printed.duplex,
            "print": self.how,
            "fillable": self.fillable,
            "set": self.code,
            "unchanged": False,
            "notes": list(map(problem_data, self.notes)),
        }

    @property
    def kind(self) -> str:
        return self.game.components[self.component].kind

    @property
    def how(self) -> str:
        """How to print the file."""
        return "to fill in on screen" if self.fillable else f"print at 100% (actual size), {HOW[self.printed.duplex]}"


@dataclass(slots=True)
class Outcome:
    """What was printed, and what was not: the `failed` files with the components they would have shown, and all
    `problems`. A `draft` is printed despite its problems."""

    files: list[PrintedFile] = field(default_factory=list)
    failed: dict[Path, str] = field(default_factory=dict)
    problems: dict[Problem, None] = field(default_factory=dict)
    draft: Draft = field(default_factory=Draft)

    def fail(self, file: Path, component: str, problems: Iterable[Problem]) -> None:
        self.failed[file] = component
        self.problems.update(dict.fromkeys(problems))


HOW = {
    "long": "double-sided, flip on the long edge",
    "short": "double-sided, flip on the short edge",
    "gutterfold": "one-sided, fold along the dashed line and glue",
    None: "one-sided",
}


def has_backs(part: Component) -> bool:
    """Whether a component can be printed double-sided."""
    return part.kind == "deck" and bool(part.definition.back) and part.definition.up == 1


def print_all(chosen: list[Chosen], order: Order, *, quiet: bool) -> Outcome:
    """Prints every set. Raises InputError if two games would write the same file."""
    outcome = Outcome()
    for number in range(len(chosen)):
        _print(chosen, number, order, outcome, quiet)
    _refuse_same_names(outcome.files)
    return outcome


def write_all(outcome: Outcome) -> None:
    """Writes the files. A file that cannot be written counts as failed."""
    for file in list(outcome.files):
        try:
            save(file.printed.pdf, file.file)
        except InputError as error:
            outcome.files.remove(file)
            outcome.fail(file.file, file.component, error.problems)


def _refuse_same_names(files: list[PrintedFile]) -> None:
    """Raises InputError if two games would write the same file, because their folders have the same name."""
    files_by_name: dict[Path, PrintedFile] = {}
    for file in files:
        other = files_by_name.setdefault(file.file, file)
        if other is not file:
            raise fault(
                "would be written twice",
                Place(str(file.file)),
                "print the games one at a time, each with its own -o FOLDER",
            )


def _print(chosen: list[Chosen], number: int, order: Order, outcome: Outcome, quiet: bool) -> None:
    """Prints every component of a set on every paper."""
    base, deck = chosen[number]
    for paper in order.papers:
        outcome.failed |= {order.folder / f"{base.key}/{name}-{paper.name}.pdf": name for name in base.left_out}
    game = deck.dress(base)
    names = order.components_of(game, deck)
    cards = order.cards.of(order.decks_of(game, deck, names), title_fields(game)) if order.cards else None
    jobs = [
        (name, paper, form)
        for name in names
        for paper in order.papers
        for form in ((False, True) if order.fillable and game.components[name].kind == "sheet" else (False,))
    ]
    steps = sum(_steps(game, deck, name, cards) for name, _, _ in jobs)
    label = game.title if len(chosen) == 1 else f"{game.title} ({number + 1} of {len(chosen)})"
    with progress(label, 0 if quiet else steps) as step:
        press = Press(
            base,
            deck,
            step,
            low_ink=order.low_ink,
            cards=cards,
            draft=outcome.draft if order.draft else None,
            max_dpi=order.max_dpi,
        )
        for name, paper, form in jobs:
            file = _file(game, deck, name, paper, order, form)
            try:
                outcome.files.append(_printed(press, name, paper, file, order, form))
            except InputError as error:
                outcome.fail(file, name, error.problems)


def _printed(press: Press, name: str, paper: Paper, file: Path, order: Order, form: bool) -> PrintedFile:
    with noting() as notes:
        printed = (
            press.fillable(name, paper)
            if form
            else press.component(name, paper, order.duplex, order.copies, folded=order.folded)
        )
    if notes and order.strict:
        raise InputError(notes)
    return PrintedFile(press.game, name, paper.name, file, printed, press.deck.code, form, tuple(notes))


def _steps(game: Game, deck: Deck, name: str, chosen: Mapping[str, tuple[Card, ...]] | None) -> int:
    """The number of faces of a component, for the progress bar."""
    part = game.components[name]
    cards = deck.cards if chosen is None else chosen
    return len({card.id for card in cards.get(name, ())}) * (2 if part.definition.back else 1) or 1


def _file(game: Game, deck: Deck, name: str, paper: Paper, order: Order, form: bool) -> Path:
    """The file of a component. Other sets and modes have other names, so that they never overwrite the usual file."""
    part = game.components[name]
    usual = part.definition.duplex or "long"
    modes = [
        "-pages" if part.kind == "booklet" and not order.folded else "",
        f"-duplex-{order.duplex}" if order.duplex not in (None, usual) and has_backs(part) else "",
        f"-pad-{order.copies}" if order.copies and part.kind == "sheet" else "",
        "-fillable" if form else "",
        "-low-ink" if order.low_ink else "",
        f"-only-{order.cards.file_name}" if order.cards else "",
        f"-{deck.code}" if deck.code else "",
        "-draft" if order.draft else "",
    ]
    file = f"{game.key}/{name}-{paper.name}{''.join(modes)}.pdf"
    if paths.within(order.folder, file) is None:
        raise fault(f"{order.folder / game.key} leads out of the output folder")
    return order.folder / file


def title_fields(game: Game) -> dict[str, str]:
    """The field with the titles of each component's cards; “” if there is none."""
    return {name: part.columns.title or part.columns.front or "" for name, part in game.components.items()}
