"""Plans what is printed: the files of the chosen sets, each with the settings that matter for it.

Selection ── plan ──▶ PlannedFile ── jobs.print_plan ──▶ PrintedFile
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from .. import paths
from ..draws import Deck
from ..errors import InputError, Place, Problem, collecting, fault, refuse
from ..model.game import Card, Component, Game
from ..model.print_settings import DEFAULT, PrintSettings
from ..reading.sizes import Paper, is_small
from ..reading.table_game import TEMPLATES
from .press import Press, needs_set, refuse_too_small
from .selection import Selection, file_name_of, matching_cards, read_choice, refuse_unknown, refuse_unknown_cards
from .variants import enlarges


def has_backs(part: Component) -> bool:
    """Whether a component can be printed double-sided."""
    return part.kind == "deck" and bool(part.definition.back) and part.definition.up == 1


USES: Mapping[str, tuple[str, Callable[[Component, PrintSettings], bool]]] = {
    "copies": ("--copies prints pads of score sheets", lambda part, _: part.kind == "sheet"),
    "fillable": (
        "--fillable is for score sheets",
        lambda part, settings: part.kind == "sheet" and not (settings.copies or settings.draft),
    ),
    "folded": ("--booklet is for rules", lambda part, _: part.kind == "booklet"),
    "duplex": ("--duplex is for cards with backs", lambda part, _: has_backs(part)),
    "printer": (
        "--printer corrects the backs of cards and booklets",
        lambda part, settings: has_backs(part) or (part.kind == "booklet" and settings.folded),
    ),
}
"""The settings that only matter for some components: what each is for, and whether a component uses it."""


class PlannedFile(Struct, frozen=True):
    """A file to print: a component with the cards of a deck, on one paper, perhaps as a `form` to fill in. `game` is
    the one with the components of the deck, `base_game` the one without. All `settings` that do not matter for the
    component have their defaults."""

    base_game: Game
    game: Game
    deck: Deck
    component: str
    paper: Paper
    path: Path
    settings: PrintSettings
    form: bool = False

    @property
    def part(self) -> Component:
        return self.game.components[self.component]

    @property
    def deciding(self) -> tuple[object, ...]:
        """Everything that decides the bytes of the file or what is noted about it, besides the files of its game."""
        game = self.game
        return self.component, self.deck.code, self.paper, self.settings, self.form, game.table, game.definition.prefix

    @property
    def is_large(self) -> bool:
        """Whether it is printed in large print; forms are not."""
        return self.settings.large_print and not self.form and enlarges(self.game, self.part, self.paper)


class _Set(NamedTuple):
    """A game, the same with the components of a deck, the deck, and the names of the components to print."""

    base: Game
    game: Game
    deck: Deck
    names: list[str]

    @property
    def parts(self) -> list[Component]:
        return [self.game.components[name] for name in self.names]


class PrintPlan(Struct, frozen=True):
    """The `files` to print; the components that cannot be read (`left_out`), by the files that would have shown them;
    of each game with random sets, the components that are the `same` for every set; and the `problems` of games and
    components that cannot be read."""

    files: tuple[PlannedFile, ...]
    left_out: Mapping[Path, str]
    same: tuple[tuple[Game, list[str]], ...]
    problems: tuple[Problem, ...]


def plan(
    selection: Selection, papers: Iterable[Paper], settings: PrintSettings, folder: Path, typed: Collection[str] = ()
) -> PrintPlan:
    """The files to print into a folder. Raises InputError for what cannot be printed like this, and for `typed`
    settings that would change nothing."""
    papers = tuple(dict.fromkeys(papers))
    settings = replace(settings, fillable=settings.fillable and not (settings.copies or settings.draft))
    sets = [
        _Set(base, game := deck.dress(base), deck, components_of(game, deck, selection.components))
        for base, deck in selection.chosen
    ]
    if not selection.problems:
        refuse_unknown([set_.game for set_ in sets], selection.components)
    for set_ in sets:
        if not set_.names and not selection.problems:
            raise fault(f"every part of {set_.game.title} needs a random set", hint="add --random, or --set CODE")
    _refuse_wrong_cards(sets, settings, selection.components)
    if settings.cards:
        chosen = [
            [name for name in set_.names if any((chosen_cards(set_.game, set_.deck, name, settings) or {}).values())]
            for set_ in sets
        ]
        sets = [set_._replace(names=names) for set_, names in zip(sets, chosen, strict=True)]
    _refuse_unused(sets, papers, settings, typed)
    _refuse_too_small(sets, papers, settings)
    files = [
        _planned(
            PlannedFile(
                base,
                game,
                deck,
                name,
                paper=_paper_for(base, paper, settings),
                path=folder,
                settings=settings,
                form=form,
            )
        )
        for base, game, deck, names in sets
        for name in names
        for paper in papers
        for form in ((False, True) if settings.fillable and game.components[name].kind == "sheet" else (False,))
    ]
    _refuse_same_names(files)
    left_out = {
        folder / f"{game.key}/{name}-{paper.name}.pdf": name
        for game, _ in selection.chosen
        for paper in papers
        for name in game.left_out
    }
    changed: dict[str, tuple[Game, set[str]]] = {}
    for set_ in sets:
        if set_.deck.code:
            changed.setdefault(set_.base.key, (set_.base, set()))[1].update(set_.deck.changes(set_.base))
    same = [(game, [name for name in usual_components(game) if name not in names]) for game, names in changed.values()]
    return PrintPlan(tuple(files), left_out, tuple(same), tuple(selection.problems))


def components_of(game: Game, deck: Deck, named: Sequence[str]) -> list[str]:
    """The components to print: those that were named, else those that depend on the random set, else all."""
    wanted = named or (deck.changes(game) if deck.code else usual_components(game))
    return [name for name in game.components if name in wanted]


def usual_components(game: Game) -> list[str]:
    """All components but those that share the pages of another one or need a random set."""
    printed_with_others = {other for part in game.components.values() for other in part.definition.with_}
    return [name for name, part in game.components.items() if name not in printed_with_others and not needs_set(part)]


def cards_of(game: Game, deck: Deck, name: str) -> dict[str, tuple[Card, ...]]:
    """The cards of the decks on the pages of a component."""
    part = game.components[name]
    names = (name, *part.definition.with_) if part.kind == "deck" else ()
    return {other: deck.cards[other] for other in names if game.components[other].kind == "deck"}


def chosen_cards(game: Game, deck: Deck, name: str, settings: PrintSettings) -> dict[str, tuple[Card, ...]] | None:
    """The chosen cards of the decks on the pages of a component; None for all of them."""
    if settings.cards is None:
        return None
    return {
        other: matching_cards(read_choice(settings.cards), cards, _title_field(game, other))
        for other, cards in cards_of(game, deck, name).items()
    }


def _title_field(game: Game, name: str) -> str:
    """The field with the titles of a component's cards; “” if there is none."""
    columns = game.components[name].columns
    return columns.title or columns.front or ""


def _paper_for(game: Game, paper: Paper, settings: PrintSettings) -> Paper:
    """The paper with the margin that the printer leaves white: as ordered, or else the game's or the paper's."""
    margins = (settings.margin, game.definition.printer_margin, paper.margin)
    return replace(paper, margin=next(margin for margin in margins if margin is not None))


def _planned(file: PlannedFile) -> PlannedFile:
    """The file with only the settings that matter for it, and with its path in the folder. Other sets and modes have
    other names, so that they never overwrite the usual file."""
    part, settings = file.part, file.settings
    unused = {name for name, (_, is_used) in USES.items() if not is_used(part, settings)} | {"margin", "fillable"}
    unused |= {"large_print"} if file.form else set()
    settings = replace(settings, **{name: getattr(DEFAULT, name) for name in unused})
    file = replace(file, settings=settings)
    usual = part.definition.duplex or "long"
    modes = [
        "-pages" if part.kind == "booklet" and not settings.folded and not file.is_large else "",
        f"-duplex-{settings.duplex}" if settings.duplex not in (None, usual) else "",
        f"-pad-{settings.copies}" if settings.copies else "",
        "-fillable" if file.form else "",
        "-low-ink" if settings.low_ink else "",
        "-high-contrast" if settings.high_contrast else "",
        "-large-print" if file.is_large else "",
        f"-printer-{settings.printer.name}" if _is_corrected(file) else "",
        f"-only-{file_name_of(read_choice(settings.cards))}" if settings.cards else "",
        f"-{file.deck.code}" if file.deck.code else "",
        "-draft" if settings.draft else "",
    ]
    name = f"{file.game.key}/{file.component}-{file.paper.name}{''.join(modes)}.pdf"
    if paths.within(file.path, name) is None:
        raise fault(f"{file.path / file.game.key} is outside the output folder")
    return replace(file, path=file.path / name)


def _is_corrected(file: PlannedFile) -> bool:
    """Whether the backs of a component are corrected for the printer."""
    settings, part = file.settings, file.part
    mode = settings.duplex or part.definition.duplex or "long"
    if part.kind == "booklet":
        mode = "booklet" if settings.folded else "none"
    return bool(settings.printer and settings.printer.backs(file.paper, mode))


# ---- what is refused


def _refuse_wrong_cards(sets: Sequence[_Set], settings: PrintSettings, named: Sequence[str]) -> None:
    """Raises InputError for chosen cards that no deck has, and for named components without cards to choose from."""
    if settings.cards is None:
        return
    choice = read_choice(settings.cards)
    decks = [
        (name, cards, _title_field(game, name))
        for _, game, deck, names in sets
        for printed in names
        for name, cards in cards_of(game, deck, printed).items()
    ]
    others = [part.name for set_ in sets for part in set_.parts if part.kind != "deck" and part.name in named]
    if others:
        decks_printed = ", ".join(dict.fromkeys(name for name, _, _ in decks))
        hint = f"it works with {decks_printed}" if decks_printed else ""
        raise InputError(
            Problem(f"--cards is for decks, and {name} is not one", hint=hint) for name in dict.fromkeys(others)
        )
    if not decks:
        raise fault("--cards is for decks, and none is printed")
    refuse_unknown_cards(choice, decks)


def _refuse_too_small(sets: Sequence[_Set], papers: Iterable[Paper], settings: PrintSettings) -> None:
    """Raises InputError for papers that are too small, before anything is printed. Drafts ignore it."""
    small = [paper for paper in papers if is_small(paper)]
    if settings.draft or not small:
        return
    problems: list[Problem] = []
    for set_ in {set_.base.folder / set_.base.key: set_ for set_ in sets}.values():
        press = Press(set_.base, set_.deck, settings)
        for paper in small:
            with collecting(problems):
                refuse_too_small(press, set_.names, _paper_for(set_.base, paper, settings))
    refuse(problems)


def _refuse_unused(
    sets: Sequence[_Set], papers: Iterable[Paper], settings: PrintSettings, typed: Collection[str]
) -> None:
    """Raises InputError for typed settings that would change nothing of what is printed."""
    parts = [part for set_ in sets for part in set_.parts]
    every = [part for set_ in sets for part in set_.game.components.values()]
    problems = []
    for name, (purpose, is_used) in USES.items():
        if name in typed and not any(is_used(part, settings) for part in parts):
            others = ", ".join(dict.fromkeys(part.name for part in every if is_used(part, settings)))
            games = ", ".join(dict.fromkeys(set_.game.title for set_ in sets))
            hint = f"it works with {others}" if others else f"{games} has none"
            problems.append(Problem(f"{purpose}, and none is printed", hint=hint))
    if "low_ink" in typed and settings.low_ink and not any(_has_low_ink(set_.game) for set_ in sets):
        problems.append(Problem("--low-ink changes nothing here", hint="add a low_ink.yaml with paler colours"))
    if settings.large_print:
        problems += _large_print_problems(sets, papers, settings, typed)
    refuse(problems)


def _large_print_problems(
    sets: Sequence[_Set], papers: Iterable[Paper], settings: PrintSettings, typed: Collection[str]
) -> Iterator[Problem]:
    """Problems with a typed --large-print that enlarges nothing, or that cannot be folded."""
    if "folded" in typed and settings.folded:
        yield Problem("--booklet cannot be used with --large-print", hint="large print has one page on each side")
    papers = list(papers)
    larger = [
        (name, name in set_.names)
        for set_ in sets
        for name, part in set_.game.components.items()
        if any(enlarges(set_.game, part, _paper_for(set_.game, paper, settings)) for paper in papers)
    ]
    if "large_print" in typed and not any(is_printed for _, is_printed in larger):
        others = ", ".join(dict.fromkeys(name for name, _ in larger))
        yield Problem(
            "--large-print changes nothing here", hint=f"it works with {others}" if others else "choose a larger paper"
        )


def _has_low_ink(game: Game) -> bool:
    """Whether a game prints paler with --low-ink: by its theme, or because the built-in faces do."""
    faces = {face for part in game.components.values() for face in part.definition.face}
    return game.low_ink != game.theme or bool(faces & {*TEMPLATES, "score_pad"})


def _refuse_same_names(files: Iterable[PlannedFile]) -> None:
    """Raises InputError if two games would write the same file, because their folders have the same name."""
    files_by_path: dict[Path, PlannedFile] = {}
    for file in files:
        if files_by_path.setdefault(file.path, file) is not file:
            hint = "print the games one at a time, each with its own -o FOLDER"
            raise fault("would be written twice", Place(str(file.path)), hint)
