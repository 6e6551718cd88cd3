"""pencilbox make"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ..definitions import limits
from ..definitions.load import shipped
from ..definitions.models import Card, Component, Game
from ..definitions.sizes import Paper
from ..definitions.table_game import TEMPLATES, Look
from ..errors import InputError, Problem, fault
from . import completions
from .card_choice import CardChoice
from .common import Command, Count, PaperType, draw_options, is_typed, trust_code_option, typed_draw_options
from .failures import WRONG_INPUT
from .make_report import report
from .outputs import may_write, open_in_viewer
from .printed import Order, has_backs, print_all, title_fields, write_all
from .selection import Draw, Selection, chosen_sets, refuse_unknown
from .settings import DUPLEX, settings

ARGUMENTS = "pencilbox.make.arguments"
"""Where the context keeps the arguments as typed, for --watch."""


class MakeCommand(Command):
    """A command that takes its defaults from the settings."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> click.Context:
        if {"-h", "--help"} & set(args) or extra.get("resilient_parsing"):
            return super().make_context(info_name, args, parent, **extra)
        configured = settings()
        defaults = {
            "papers": list(configured["paper"].value),
            "duplex": configured["duplex"].value,
            "low_ink": configured["low_ink"].value,
            "folder": str(configured["output"].value),
        }
        arguments = list(args)
        context = super().make_context(info_name, args, parent, default_map=defaults, **extra)
        context.meta[ARGUMENTS] = arguments
        return context


@click.command(cls=MakeCommand)
@click.argument("words", nargs=-1, metavar="[GAME]... [COMPONENT]...", shell_complete=completions.games_and_components)
@click.option("--all", "every", is_flag=True, help="Print every game that comes with Pencilbox.")
@click.option(
    "--component",
    "-c",
    multiple=True,
    metavar="NAME",
    shell_complete=completions.components,
    help="Print only this component; may be repeated.",
)
@click.option(
    "--cards",
    metavar="LIST",
    help="Print only these cards, by position, id or title, such as 3,7-12,moon, with all their copies.",
)
@click.option(
    "--paper",
    "-p",
    "papers",
    multiple=True,
    type=PaperType(),
    shell_complete=completions.papers,
    default=("a4",),
    show_default=True,
    help="a4, letter, legal, ... or a size such as 8.5x14in; may be repeated.",
)
@click.option(
    "--duplex",
    type=click.Choice(DUPLEX),
    help="Double-sided mode: the edge to flip on, one-sided to fold and glue, or no backs.  "
    "[default: the game’s, or long]",
)
@click.option(
    "--copies",
    type=Count(1, limits.PAD_SHEETS),
    metavar="N",
    help="Print score sheets as a pad of N, each with its number in its corner codes.",
)
@click.option(
    "--fillable/--no-fillable",
    default=True,
    show_default=True,
    help="Also print score sheets as PDF forms to fill in on screen.",
)
@click.option(
    "--booklet/--no-booklet",
    "folded",
    default=True,
    show_default=True,
    help="Print rules as a booklet to fold, or page by page to read.",
)
@click.option("--sheet", metavar="NAME", help="Worksheet of a bare table.  [default: the first with content]")
@click.option("--size", metavar="SIZE", help="Card size of a bare table: poker, tarot, ... or 63x88.  [default: poker]")
@click.option(
    "--template",
    type=click.Choice(TEMPLATES),
    metavar="NAME",
    help=f"Built-in face for a bare table: {', '.join(TEMPLATES)}.  [default: what fits its columns]",
)
@click.option(
    "--draft",
    is_flag=True,
    help="Print everything even if texts do not fit or pictures are missing: flaws are marked in red and listed.",
)
@click.option(
    "--max-dpi",
    type=Count(72, 2400),
    metavar="N",
    default=350,
    show_default=True,
    help="Scale pictures with more dots per inch down to this.",
)
@click.option(
    "--strict/--no-strict", default=False, help="Treat notes, such as on art that becomes a picture, as errors."
)
@click.option("--low-ink/--no-low-ink", default=False, help="Ink-saver: pale backgrounds.")
@click.option(
    "--set",
    "sets",
    multiple=True,
    shell_complete=completions.sets,
    metavar="CODE",
    help="Print the components that depend on the random set with this code, or on every set in a file that "
    "“randomise -o FILE” wrote; may be repeated.",
)
@click.option("--random", "draw", is_flag=True, help="Draw a random set and print it.")
@click.option("--seed", metavar="TEXT", help="With --random: the same text draws the same set.")
@draw_options()
@trust_code_option
@click.option(
    "--output",
    "-o",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("output"),
    show_default=True,
    help="The folder for the PDF files.",
)
@click.option("--force", is_flag=True, help="Replace existing files outside output/ without asking.")
@click.option(
    "--open", "show", is_flag=True, help="Open the PDF when it is written, or the folder if there are several."
)
@click.option(
    "--watch", "watching", is_flag=True, help="Print again whenever a file of the game is saved, until Ctrl-C."
)
@click.option("--quiet", "-q", is_flag=True, help="Only print errors.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    every: bool,
    component: tuple[str, ...],
    cards: str | None,
    papers: tuple[Paper, ...],
    duplex: str | None,
    copies: int | None,
    fillable: bool,
    folded: bool,
    sheet: str | None,
    size: str | None,
    template: str | None,
    draft: bool,
    max_dpi: int,
    strict: bool,
    low_ink: bool,
    sets: tuple[str, ...],
    draw: bool,
    seed: str | None,
    kind: str | None,
    folder: Path,
    force: bool,
    show: bool,
    watching: bool,
    quiet: bool,
    form: str,
    trust_code: bool,
    **draw_values: Any,
) -> None:
    """Print GAMEs as PDF files.

    A GAME is a name from “pencilbox games”, the folder of your own game, or a table of cards such as cards.csv or
    cards.xlsx. Name COMPONENTs to print only these parts.
    With --set CODE you need not name the game, and only the parts that depend on the set are printed.
    """
    if not words and not every and not sets:
        raise fault("GAME is missing", hint=f"one of {', '.join(shipped())}, a folder, a table, or --all")
    _refuse_draw_options(draw_values, kind, seed, draw)
    if sets and draw:
        raise fault("--set and --random cannot be used together")
    if watching:
        _watch(ctx, words, form, unseeded=draw and seed is None)
        return
    drawing = Draw(seed, kind, typed_draw_options(draw_values)) if draw else None
    selection = chosen_sets(words, every, sets, drawing, Look(size, template, sheet), trust_code)
    order = Order(
        (*component, *selection.components),
        tuple(dict.fromkeys(papers)),
        duplex,
        copies,
        low_ink,
        fillable and not (copies or draft),
        folded,
        folder,
        CardChoice.read(cards) if cards is not None else None,
        draft,
        max_dpi,
        strict,
    )
    if not selection.problems:
        refuse_unknown([deck.dress(game) for game, deck in selection.chosen], order.components)
    _refuse_wrong_cards(selection, order)
    _refuse_unused(ctx, selection, order)
    outcome = print_all(selection.chosen, order, quiet=quiet)
    outcome.problems.update(dict.fromkeys(selection.problems))
    may_write([file.file for file in outcome.files], force, settings()["output"].value)
    write_all(outcome)
    report(outcome, selection.chosen, order, quiet=quiet, form=form)
    if show and outcome.files:
        first = outcome.files[0].file
        open_in_viewer(first if len(outcome.files) == 1 else first.parent)
    if outcome.problems:
        ctx.exit(WRONG_INPUT)


def _watch(ctx: click.Context, words: tuple[str, ...], form: str, *, unseeded: bool) -> None:
    from .watch import watch

    if form == "json":
        raise fault("--watch and --format json cannot be used together")
    if unseeded:
        raise fault("--watch with --random needs --seed", hint="otherwise every save prints another set")
    watch(ctx.meta[ARGUMENTS], words, ctx.params["folder"])


def _refuse_draw_options(draw_values: dict[str, Any], kind: str | None, seed: str | None, draw: bool) -> None:
    options = typed_draw_options(draw_values) | ({"kind": kind} if kind else {}) | ({"seed": seed} if seed else {})
    if options and not draw:
        from ..games.draws import flag  # not needed to print standard cards

        raise fault(f"{flag(next(iter(options)))} only works with --random")


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
    if problems:
        raise InputError(problems)


def _has_low_ink(game: Game) -> bool:
    """Whether a game prints paler with --low-ink: by its theme, or because the built-in faces do."""
    faces = {face for part in game.components.values() for face in part.definition.face}
    return game.low_ink != game.theme or bool(faces & {*TEMPLATES})
