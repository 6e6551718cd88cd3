"""Prints an order: one PDF file for each component and paper. Problems with one component do not stop the others.

chosen sets ── files_of ──▶ PlannedFile ── jobs ──▶ Job ── print_job, perhaps in another process ──▶ Result ──▶ Outcome
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import paths
from ..draws.deck import Deck
from ..errors import InputError, Place, Problem, fault, noting
from ..fast_dataclasses import NamedTuple, dataclass
from ..layout.draft import Draft
from ..model.game import Card, Component, Game
from ..model.print_settings import PrintSettings
from ..pdf import save
from ..printing.game_faces import Step
from ..printing.large_print import enlarges
from ..printing.press import Press, Printed, needs_set
from ..reading.sizes import Paper
from .console import problem_data, problem_of, progress
from .records import Digested
from .selection import Chosen

if TYPE_CHECKING:
    from ..calibration.correction import Printer
    from .card_choice import CardChoice

MANY_FILES = 30
"""The number of files from which `make` uses several processes: starting one takes as long as printing a few files."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to print and how. Without `components`, everything is printed; without `duplex`, each component in its own
    mode. If it is `strict`, a component with notes is not printed. Backs are corrected for a `printer`."""

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
    margin: float | None = None
    printer: Printer | None = None
    high_contrast: bool = False
    large_print: bool = False

    @property
    def settings(self) -> PrintSettings:
        return PrintSettings(
            duplex=self.duplex,
            printer=self.printer,
            copies=self.copies,
            folded=self.folded,
            low_ink=self.low_ink,
            high_contrast=self.high_contrast,
            large_print=self.large_print,
            max_dpi=self.max_dpi,
        )

    def paper_for(self, game: Game, paper: Paper) -> Paper:
        """The paper with the margin that the printer leaves white: as ordered, or else the game's or the paper's."""
        for margin in (self.margin, game.definition.printer_margin):
            if margin is not None:
                return replace(paper, margin=margin)
        return paper

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

    def chosen_cards(self, game: Game, deck: Deck) -> dict[str, tuple[Card, ...]] | None:
        """The chosen cards of each deck that is printed; None for all of them."""
        if not self.cards:
            return None
        return self.cards.of(self.decks_of(game, deck, self.components_of(game, deck)), title_fields(game))

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
    printed_with_others = {other for part in game.components.values() for other in part.definition.with_}
    return [name for name, part in game.components.items() if name not in printed_with_others and not needs_set(part)]


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file to print: a component of a game with the cards of a set, on one paper, perhaps as a form, or in `large`
    print."""

    game: Game
    code: str | None
    component: str
    paper: Paper
    file: Path
    fillable: bool = False
    large: bool = False


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A file that was printed and written: its number of pages, the duplex mode it is made for, and the digest of its
    content; `notes` say what may not look as expected. Its backs are corrected for a `printer`, or for none (“”).
    `inputs` are the files of components, templates and pictures that it was printed from. An `unchanged` file was
    printed by an earlier command, and its digest and its inputs are not known."""

    planned: PlannedFile
    pages: int
    duplex: str | None
    digest: str
    notes: tuple[Problem, ...] = ()
    printer: str = ""
    inputs: frozenset[Path] = frozenset()
    unchanged: bool = False

    @classmethod
    def recorded(cls, planned: PlannedFile, printed: Mapping[str, Any]) -> PrintedFile:
        """An unchanged file, from what `plain` said of it when it was printed."""
        notes = tuple(map(problem_of, printed["notes"]))
        return cls(planned, printed["pages"], printed["duplex"], "", notes, printed["printer"] or "", unchanged=True)

    @property
    def game(self) -> Game:
        return self.planned.game

    @property
    def file(self) -> Path:
        return self.planned.file

    def plain(self) -> dict[str, object]:
        planned = self.planned
        return {
            "game": self.game.key,
            "component": planned.component,
            "paper": planned.paper.name,
            "file": str(self.file),
            "pages": self.pages,
            "duplex": self.duplex,
            "printer": self.printer or None,
            "print": self.how,
            "fillable": planned.fillable,
            "set": planned.code,
            "unchanged": self.unchanged,
            "notes": list(map(problem_data, self.notes)),
        }

    @property
    def kind(self) -> str:
        return self.game.components[self.planned.component].kind

    @property
    def how(self) -> str:
        """How to print the file."""
        if self.planned.fillable:
            return "to fill in on screen"
        if self.kind == "booklet" and self.duplex is None and not self.planned.large:
            return "to read on a screen"
        corrected = f"; backs corrected for {self.printer}" if self.printer else ""
        return f"print at 100% (actual size), {HOW[self.duplex]}{corrected}"


@dataclass(slots=True)
class Outcome:
    """What was printed, and what was not: the `failed` files with the components they would have shown, and all
    `problems`. A `draft` is printed despite its problems."""

    files: list[PrintedFile] = field(default_factory=list)
    failed: dict[Path, str] = field(default_factory=dict)
    problems: dict[Problem, None] = field(default_factory=dict)
    draft: Draft = field(default_factory=Draft)

    def add(self, planned: PlannedFile, result: Result) -> None:
        """Writes what was printed. A file that cannot be written counts as failed."""
        problems = result.problems
        if result.printed:
            printed, written = result.printed, Digested()
            try:
                save(lambda stream: printed.write_to(written.to(stream)), planned.file)
            except InputError as error:
                problems = error.problems
            else:
                about = printed.pages, printed.duplex, written.digest, result.notes, printed.printer, result.inputs
                self.files.append(PrintedFile(planned, *about))
                return
        self.failed[planned.file] = planned.component
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


# ---- planning -------------------------------------------------------------------------------------------------------


def files_of(base: Game, deck: Deck, order: Order) -> list[PlannedFile]:
    """The files of a set."""
    game = deck.dress(base)
    return [
        PlannedFile(
            game,
            deck.code,
            name,
            order.paper_for(game, paper),
            _file(game, deck, name, paper, order, form),
            form,
            order.large_print,
        )
        for name in order.components_of(game, deck)
        for paper in order.papers
        for form in ((False, True) if order.fillable and game.components[name].kind == "sheet" else (False,))
    ]


def deciding(planned: PlannedFile, order: Order) -> tuple[object, ...]:
    """All options that decide the bytes of a file, besides the files of its game, or what is noted about it."""
    game = planned.game
    part = game.components[planned.component]
    return (
        planned.component,
        planned.code,
        planned.paper,
        planned.fillable,
        order.duplex if has_backs(part) else None,
        order.printer if has_backs(part) or part.kind == "booklet" else None,
        order.copies if part.kind == "sheet" else None,
        order.folded if part.kind == "booklet" else None,
        order.low_ink,
        order.high_contrast,
        order.large_print,
        order.max_dpi,
        order.strict,
        order.cards,
        game.table,
        game.definition.prefix,
    )


def folders_of(game: Game) -> tuple[Path, ...]:
    """The folders with the files of a game; a table has no templates of its own."""
    return (game.folder,) if game.table else (game.folder, game.templates[0])


def read_by_some(game: Game, files: Iterable[str]) -> Iterator[str]:
    """The files of a game of which it is known for which components they are read: those that describe a component,
    templates and pictures. Not icons, and nothing that links lead to, because it is read by another name."""
    described = {str(file) for part in game.components.values() for file in part.files}
    icons = tuple(f"{folder.resolve()}{os.sep}" for folder in game.theme.icon_folders)
    linked: dict[str, bool] = {}
    for file in files:
        folder, _, name = file.rpartition(os.sep)
        kind = Path(name).suffix.lower()
        drawn = kind == ".j2" or (kind in paths.PICTURES and not file.startswith(icons))
        if drawn or file in described:
            if folder not in linked:
                linked[folder] = os.path.realpath(folder) != folder
            if not (linked[folder] or Path(file).is_symlink()):
                yield file


def left_out(chosen: list[Chosen], order: Order) -> dict[Path, str]:
    """The files that are not printed because their components cannot be read, with the names of these components."""
    return {
        order.folder / f"{game.key}/{name}-{paper.name}.pdf": name
        for game, _ in chosen
        for paper in order.papers
        for name in game.left_out
    }


def refuse_same_names(files: Iterable[PlannedFile]) -> None:
    """Raises InputError if two games would write the same file, because their folders have the same name."""
    files_by_name: dict[Path, PlannedFile] = {}
    for file in files:
        other = files_by_name.setdefault(file.file, file)
        if other is not file:
            raise fault(
                "would be written twice",
                Place(str(file.file)),
                "print the games one at a time, each with its own -o FOLDER",
            )


# ---- printing -------------------------------------------------------------------------------------------------------


class Result(NamedTuple):
    """What became of a file: what was printed with its notes, or the problems that prevent it, and the `inputs` that
    it was printed from: files of components, templates and pictures."""

    printed: Printed | None
    notes: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    inputs: frozenset[Path] = frozenset()


def print_files(
    base: Game,
    deck: Deck,
    files: Iterable[tuple[str, Paper, bool]],
    order: Order,
    step: Step,
    draft: Draft | None,
) -> Iterator[Result]:
    """Prints files of one set: a component on a paper, perhaps as a form to fill in. A large deck is drawn by this
    number of `processes`, or by one for each core."""
    cards = order.chosen_cards(deck.dress(base), deck)
    for name, part in groupby(files, key=lambda file: file[0]):
        # one for each component, because it knows what it has read
        press = Press(base, deck, order.settings, step=step, cards=cards, draft=draft)
        for _, paper, form in part:
            try:
                result = _printed(press, name, paper, order, form)
                yield result._replace(inputs=press.files)
            except InputError as error:
                yield Result(None, problems=error.problems)


def _printed(press: Press, name: str, paper: Paper, order: Order, form: bool) -> Result:
    with noting() as notes:
        printed = press.fillable(name, paper) if form else press.component(name, paper)
    if notes and order.strict:
        raise InputError(notes)
    return Result(printed, tuple(notes))


def print_here(
    chosen: list[Chosen],
    plan: list[list[PlannedFile]],
    order: Order,
    outcome: Outcome,
    quiet: bool,
) -> None:
    """Prints every set in this process."""
    for number, ((base, deck), files) in enumerate(zip(chosen, plan, strict=True), start=1):
        game = deck.dress(base)
        cards = order.chosen_cards(game, deck)
        steps = sum(_steps(game, deck, file.component, cards) for file in files)
        label = game.title if len(chosen) == 1 else f"{game.title} ({number} of {len(chosen)})"
        with progress(label, 0 if quiet else steps) as step:
            names = [(file.component, file.paper, file.fillable) for file in files]
            results = print_files(base, deck, names, order, step, outcome.draft if order.draft else None)
            for file, result in zip(files, results, strict=True):
                outcome.add(file, result)


def _steps(game: Game, deck: Deck, name: str, chosen: Mapping[str, tuple[Card, ...]] | None) -> int:
    """The number of faces of a component, for the progress bar."""
    part = game.components[name]
    cards = deck.cards if chosen is None else chosen
    return len({card.id for card in cards.get(name, ())}) * (2 if part.definition.back else 1) or 1


def _file(game: Game, deck: Deck, name: str, paper: Paper, order: Order, form: bool) -> Path:
    """The file of a component. Other sets and modes have other names, so that they never overwrite the usual file."""
    part = game.components[name]
    usual = part.definition.duplex or "long"
    large = order.large_print and not form and enlarges(game, part, order.paper_for(game, paper))
    modes = [
        "-pages" if part.kind == "booklet" and not order.folded and not large else "",
        f"-duplex-{order.duplex}" if order.duplex not in (None, usual) and has_backs(part) else "",
        f"-pad-{order.copies}" if order.copies and part.kind == "sheet" else "",
        "-fillable" if form else "",
        "-low-ink" if order.low_ink else "",
        "-high-contrast" if order.high_contrast else "",
        "-large-print" if large else "",
        f"-printer-{order.printer.name}" if order.printer and _corrected(part, paper, order) else "",
        f"-only-{order.cards.file_name}" if order.cards else "",
        f"-{deck.code}" if deck.code else "",
        "-draft" if order.draft else "",
    ]
    file = f"{game.key}/{name}-{paper.name}{''.join(modes)}.pdf"
    if paths.within(order.folder, file) is None:
        raise fault(f"{order.folder / game.key} is outside the output folder")
    return order.folder / file


def _corrected(part: Component, paper: Paper, order: Order) -> bool:
    """Whether the backs of a component are corrected for the printer."""
    mode = order.duplex or part.definition.duplex or "long"
    if part.kind == "booklet":
        mode = "booklet" if order.folded else "none"
    elif not has_backs(part):
        return False
    return bool(order.printer and order.printer.backs(paper, mode))


def title_fields(game: Game) -> dict[str, str]:
    """The field with the titles of each component's cards; “” if there is none."""
    return {name: part.columns.title or part.columns.front or "" for name, part in game.components.items()}
