"""Prints what `make` has selected. Loading this module loads everything that printing needs, so `make` only does so
when something has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import click

from .. import paths
from ..errors import InputError, Problem, fault
from ..model.game import Card, Component, Game
from ..printing.large_print import enlarges
from ..printing.press import Press
from ..reading.sizes import is_small
from ..reading.table_game import TEMPLATES
from .common import is_typed
from .failures import WRONG_INPUT
from .make_report import report
from .outputs import may_write
from .printed import (
    MANY_FILES,
    Order,
    Outcome,
    PlannedFile,
    PrintedFile,
    deciding,
    files_of,
    folders_of,
    has_backs,
    left_out,
    print_here,
    read_by_some,
    refuse_same_names,
    title_fields,
)
from .records import Files, Records, report_unchanged
from .selection import Chosen, Selection, refuse_unknown
from .settings import settings

if TYPE_CHECKING:
    from .card_choice import CardChoice


def print_selection(ctx: click.Context, selection: Selection, records: Records | None) -> tuple[Files, int]:
    """Prints and reports what was selected, except for files that have not changed since they were recorded, and saves
    the records. Returns the files and the exit code."""
    options = ctx.params
    order = _order(selection, options)
    if not selection.problems:
        refuse_unknown([deck.dress(game) for game, deck in selection.chosen], order.components)
    _refuse_wrong_cards(selection, order)
    _refuse_unused(ctx, selection, order)
    _refuse_too_small(selection, order)
    outcome = Outcome(problems=dict.fromkeys(selection.problems))
    complete = False
    try:
        _print(selection, order, options, outcome, records)
        complete = bool(outcome.files) and not outcome.problems
    finally:  # if interrupted, too: what was printed need not be printed again
        if records:
            _record(outcome, order, options, records, complete=complete)
    files = [file.plain() for file in outcome.files]
    if outcome.files and all(file.unchanged for file in outcome.files) and not outcome.problems:
        report_unchanged(files, quiet=options["quiet"], form=options["form"])
    else:
        report(outcome, selection.chosen, order, quiet=options["quiet"], form=options["form"])
    return files, WRONG_INPUT if outcome.problems else 0


def _print(
    selection: Selection, order: Order, options: dict[str, Any], outcome: Outcome, records: Records | None
) -> None:
    """Prints and writes every file that has changed, once it is clear that all of them may be written."""
    chosen, quiet = selection.chosen, options["quiet"]
    plan = [files_of(game, deck, order) for game, deck in chosen]
    planned = [file for part in plan for file in part]
    refuse_same_names(planned)
    _refuse_elsewhere(selection, options)
    outcome.failed |= left_out(chosen, order)
    if records and not options["force"]:
        plan = [[file for file in part if not _unchanged(file, order, options, outcome, records)] for part in plan]
        chosen = [set_ for set_, part in zip(chosen, plan, strict=True) if part]
        plan = list(filter(None, plan))
    files = [file for part in plan for file in part]
    processes = options["workers"]
    shared = processes != 1 and len(files) >= (processes or MANY_FILES) and not order.draft
    may_write([file.file for file in files], options["force"] or options["replace"], settings()["output"].value)
    if options["scheduler"] or shared:
        from .print_jobs import print_elsewhere  # loads multiprocessing

        print_elsewhere(chosen, plan, order, outcome, options)
    else:
        print_here(chosen, plan, order, outcome, quiet)
    places = {file.file: place for place, file in enumerate(planned)}
    outcome.files.sort(key=lambda file: places[file.file])


def _unchanged(planned: PlannedFile, order: Order, options: dict[str, Any], outcome: Outcome, records: Records) -> bool:
    """Whether a file need not be printed again; then it is added to the outcome."""
    printed = records.find(planned.file, _deciding(planned, order, options), folders_of(planned.game))
    if printed is not None:
        outcome.files.append(PrintedFile.recorded(planned, printed))
    return printed is not None


def _record(outcome: Outcome, order: Order, options: dict[str, Any], records: Records, *, complete: bool) -> None:
    """Saves the records of all files that were printed, and of the command if that is `complete`."""
    by_name: dict[object, dict[str, str]] = {}
    known: dict[object, set[str]] = {}
    for file in outcome.files:
        if file.unchanged:
            continue
        folders = folders_of(file.game)
        if folders not in by_name:
            names = records.files(folders)
            by_name[folders] = {_folded(name): name for name in read_by_some(file.game, names)}
            known[folders] = {*map(_folded, names)}
        read = {_folded(str(path)) for path in file.inputs}
        roots = tuple(folder.resolve() for folder in folders)
        own = {_folded(str(path)) for path in file.inputs if any(map(path.is_relative_to, roots))}
        if not own <= known[folders]:  # it was printed from a file that is never compared, such as one in .git
            continue
        unread = {name for folded, name in by_name[folders].items() if folded not in read}
        if options["scheduler"]:  # other machines have these files in other folders
            unread.clear()
        deciding = _deciding(file.planned, order, options)
        records.add(file.file, file.digest, file.plain(), deciding, folders, unread)
    records.save([str(file.file) for file in outcome.files] if complete else None)


def _folded(file: str) -> str:
    """The same for all names of a file on systems that take no account of case."""
    return normalize("NFC", file).casefold()


def _deciding(planned: PlannedFile, order: Order, options: dict[str, Any]) -> object:
    """All options that decide the bytes of a file or what is noted about it."""
    return deciding(planned, order), options["size"], options["template"], options["sheet"]


def _order(selection: Selection, options: dict[str, Any]) -> Order:
    cards, draft = options["cards"], options["draft"]
    return Order(
        (*options["component"], *selection.components),
        tuple(dict.fromkeys(options["papers"])),
        options["duplex"],
        options["copies"],
        options["low_ink"],
        options["fillable"] and not (options["copies"] or draft),
        options["folded"],
        options["folder"],
        _card_choice(cards) if cards is not None else None,
        draft,
        options["max_dpi"],
        options["strict"],
        options["margin"],
        options["printer"],
        options["high_contrast"],
        options["large_print"],
    )


def _card_choice(text: str) -> CardChoice:
    from .card_choice import CardChoice  # most commands print all cards

    return CardChoice.read(text)


def _refuse_elsewhere(selection: Selection, options: dict[str, Any]) -> None:
    """Raises InputError for what other processes or machines cannot print."""
    if options["draft"] and (options["scheduler"] or (options["workers"] or 1) > 1):
        name = "--scheduler" if options["scheduler"] else "--workers"
        raise fault(f"{name} cannot be used with --draft", hint="one process numbers the flaws of a draft")
    own = [game.title for game, _ in selection.chosen if game.folder.parent != paths.DATA]
    if options["scheduler"] and own:
        raise fault(
            f"--scheduler is for the games that come with Pencilbox, and {own[0]} is your own",
            hint="--workers prints it with several processes of this machine",
        )


def _refuse_wrong_cards(selection: Selection, order: Order) -> None:
    """Raises InputError for chosen cards that no deck has, and for named components without cards to choose from."""
    if not order.cards:
        return
    everything = replace(order, cards=None)
    decks: list[tuple[str, Sequence[Card], str]] = []
    others = []
    for base, deck in selection.chosen:
        game = deck.dress(base)
        names = everything.components_of(game, deck)
        titles = title_fields(game)
        decks += [(name, cards, titles[name]) for name, cards in order.decks_of(game, deck, names).items()]
        others += [name for name in order.components if name in names and game.components[name].kind != "deck"]
    if others:
        decks_printed = ", ".join(dict.fromkeys(name for name, _, _ in decks))
        raise InputError(
            Problem(
                f"--cards is for decks, and {name} is not one",
                hint=f"it works with {decks_printed}" if decks_printed else "",
            )
            for name in dict.fromkeys(others)
        )
    if not decks:
        raise fault("--cards is for decks, and none is printed")
    order.cards.refuse_unknown(decks)


def _refuse_too_small(selection: Selection, order: Order) -> None:
    """Raises InputError for papers that are too small, before anything is printed. Drafts ignore it."""
    if order.draft or not any(map(is_small, order.papers)):
        return
    from ..printing.paper_fit import refuse_too_small  # most prints are on A4 or Letter

    problems: dict[Problem, None] = {}
    for base, deck in {game.folder / game.key: (game, deck) for game, deck in selection.chosen}.values():
        press = Press(base, deck, order.settings)
        names = order.components_of(deck.dress(base), deck)
        for paper in order.papers:
            try:
                refuse_too_small(press, names, order.paper_for(base, paper))
            except InputError as error:
                problems.update(dict.fromkeys(error.problems))
    if problems:
        raise InputError(problems)


def _refuse_unused(ctx: click.Context, selection: Selection, order: Order) -> None:
    """Raises InputError for typed options that would change nothing of what is printed."""
    dressed = [(deck.dress(game), deck) for game, deck in selection.chosen]
    parts = [game.components[name] for game, deck in dressed for name in order.components_of(game, deck)]
    every = [part for game, _ in dressed for part in game.components.values()]
    uses: dict[str, tuple[str, Callable[[Component], bool]]] = {
        "copies": ("--copies prints pads of score sheets", lambda part: part.kind == "sheet"),
        "fillable": (
            "--fillable is for score sheets",
            lambda part: part.kind == "sheet" and not (order.copies or order.draft),
        ),
        "folded": ("--booklet is for rules", lambda part: part.kind == "booklet"),
        "duplex": ("--duplex is for cards with backs", has_backs),
        "printer": (
            "--printer corrects the backs of cards and booklets",
            lambda part: has_backs(part) or (part.kind == "booklet" and order.folded),
        ),
    }
    problems = []
    for name, (purpose, uses_it) in uses.items():
        if is_typed(ctx, name) and not any(map(uses_it, parts)):
            names = list(dict.fromkeys(part.name for part in every if uses_it(part)))
            games = ", ".join(dict.fromkeys(game.title for game, _ in dressed))
            hint = f"it works with {', '.join(names)}" if names else f"{games} has none"
            problems.append(Problem(f"{purpose}, and none is printed", hint=hint))
    if is_typed(ctx, "low_ink") and order.low_ink and not any(_has_low_ink(game) for game, _ in dressed):
        problems.append(Problem("--low-ink changes nothing here", hint="add a low_ink.yaml with paler colours"))
    problems += _large_print_problems(ctx, dressed, order)
    if problems:
        raise InputError(problems)


def _large_print_problems(ctx: click.Context, dressed: Sequence[Chosen], order: Order) -> Iterator[Problem]:
    """Problems with a typed --large-print that enlarges nothing, or that cannot be folded."""
    if not order.large_print:
        return
    if is_typed(ctx, "folded") and order.folded:
        yield Problem("--booklet cannot be used with --large-print", hint="large print has one page on each side")
    papers = [(game, order.paper_for(game, paper)) for game, _ in dressed for paper in order.papers]
    names = {
        name: any(enlarges(game, part, paper) for game, paper in papers if game.components.get(name) is part)
        for game, _ in dressed
        for name, part in game.components.items()
    }
    printed = [name for game, deck in dressed for name in order.components_of(game, deck)]
    if is_typed(ctx, "large_print") and not any(names[name] for name in printed):
        others = ", ".join(name for name, larger in names.items() if larger)
        hint = f"it works with {others}" if others else "choose a larger paper"
        yield Problem("--large-print changes nothing here", hint=hint)


def _has_low_ink(game: Game) -> bool:
    """Whether a game prints paler with --low-ink: by its theme, or because the built-in faces do."""
    faces = {face for part in game.components.values() for face in part.definition.face}
    return game.low_ink != game.theme or bool(faces & {*TEMPLATES})
