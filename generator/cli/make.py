"""pencilbox make"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from .. import paths
from ..definitions import limits
from ..definitions.load import shipped
from ..definitions.models import Component, Game
from ..definitions.sizes import Paper
from ..definitions.table_game import TEMPLATES, Look, described
from ..errors import InputError, Place, Problem, fault
from ..games.deck import Deck
from ..pdf import save
from ..printing.press import Press, Printed, needs_set
from . import completions
from .common import Command, Count, PaperType, draw_options, is_typed, typed_draw_options
from .console import echo, echo_json, progress, style
from .outputs import may_write, open_in_viewer
from .selection import Chosen, Draw, chosen_sets, refuse_unknown
from .settings import DUPLEX, settings

HOW = {
    "long": "double-sided, flip on the long edge",
    "short": "double-sided, flip on the short edge",
    "gutterfold": "one-sided, fold along the dashed line and glue",
    None: "one-sided",
}


@dataclass(frozen=True, slots=True)
class Order:
    """What to print and how. No `components` means all; no `duplex` means each component's own mode."""

    components: tuple[str, ...]
    papers: tuple[Paper, ...]
    duplex: str | None
    copies: int | None
    low_ink: bool
    fillable: bool
    folded: bool
    folder: Path

    def components_of(self, game: Game, deck: Deck) -> list[str]:
        """The components to print: those that were named, else those that depend on the random set, else all."""
        if self.components:
            return [name for name in game.components if name in self.components]
        usual = usual_components(game)
        if not deck.code:
            return usual
        changed = deck.changes(game)
        return [name for name in game.components if name in changed]


def usual_components(game: Game) -> list[str]:
    """All components but those that share the pages of another one or need a random set."""
    together = {other for part in game.components.values() for other in part.definition.with_}
    return [name for name, part in game.components.items() if name not in together and not needs_set(part)]


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A printed component and its file."""

    game: Game
    component: str
    paper: str
    file: Path
    printed: Printed
    code: str | None
    fillable: bool = False

    def plain(self) -> dict[str, object]:
        return {
            "game": self.game.key,
            "component": self.component,
            "paper": self.paper,
            "file": str(self.file),
            "pages": self.printed.pages,
            "duplex": self.printed.duplex,
            "print": _how(self),
            "fillable": self.fillable,
            "set": self.code,
        }

    @property
    def kind(self) -> str:
        return self.game.components[self.component].kind


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
        return super().make_context(info_name, args, parent, default_map=defaults, **extra)


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
@click.option("--size", metavar="SIZE", help="Card size of a bare table: poker, tarot, ... or 63x88.  [default: poker]")
@click.option(
    "--template",
    type=click.Choice(TEMPLATES),
    metavar="NAME",
    help=f"Built-in face for a bare table: {', '.join(TEMPLATES)}.  [default: what fits its columns]",
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
@click.option("--quiet", "-q", is_flag=True, help="Only print errors.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    every: bool,
    component: tuple[str, ...],
    papers: tuple[Paper, ...],
    duplex: str | None,
    copies: int | None,
    fillable: bool,
    folded: bool,
    size: str | None,
    template: str | None,
    low_ink: bool,
    sets: tuple[str, ...],
    draw: bool,
    seed: str | None,
    kind: str | None,
    folder: Path,
    force: bool,
    show: bool,
    quiet: bool,
    form: str,
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
    drawing = Draw(seed, kind, typed_draw_options(draw_values)) if draw else None
    chosen, named_components = chosen_sets(words, every, sets, drawing, Look(size, template))
    order = Order(
        (*component, *named_components),
        tuple(dict.fromkeys(papers)),
        duplex,
        copies,
        low_ink,
        fillable and not copies,
        folded,
        folder,
    )
    refuse_unknown([deck.dress(game) for game, deck in chosen], order.components)
    _refuse_unused(ctx, chosen, order)
    files = [file for number in range(len(chosen)) for file in _print(chosen, number, order, quiet)]
    _refuse_same_names(files)
    may_write([file.file for file in files], force, settings()["output"].value)
    for file in files:  # all at the end: nothing is written if anything is wrong
        save(file.printed.pdf, file.file)
    _report(files, quiet, form)
    if not quiet and form == "text":
        _report_tables(chosen)
        _report_left_out(chosen, order)
        _report_next_steps(files, order)
    if show:
        open_in_viewer(files[0].file if len(files) == 1 else files[0].file.parent)


def _refuse_draw_options(draw_values: dict[str, Any], kind: str | None, seed: str | None, draw: bool) -> None:
    options = typed_draw_options(draw_values) | ({"kind": kind} if kind else {}) | ({"seed": seed} if seed else {})
    if options and not draw:
        from ..games.draws import flag  # not needed to print standard cards

        raise fault(f"{flag(next(iter(options)))} only works with --random")


def _refuse_unused(ctx: click.Context, chosen: list[Chosen], order: Order) -> None:
    """Raises InputError for typed options that would change nothing of what is printed."""
    dressed = [(deck.dress(game), deck) for game, deck in chosen]
    parts = [game.components[name] for game, deck in dressed for name in order.components_of(game, deck)]
    every = [part for game, _ in dressed for part in game.components.values()]
    uses: dict[str, tuple[str, Callable[[Component], bool]]] = {
        "copies": ("--copies prints pads of score sheets", lambda part: part.kind == "sheet"),
        "fillable": ("--fillable is for score sheets", lambda part: part.kind == "sheet" and not order.copies),
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
    if is_typed(ctx, "low_ink") and order.low_ink and all(game.low_ink == game.theme for game, _ in dressed):
        problems.append(Problem("--low-ink changes nothing here", hint="add a low_ink.yaml with paler colours"))
    if problems:
        raise InputError(problems)


def has_backs(part: Component) -> bool:
    """Whether a component can be printed double-sided."""
    return part.kind == "deck" and bool(part.definition.back) and part.definition.up == 1


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


def _print(chosen: list[Chosen], number: int, order: Order, quiet: bool) -> list[PrintedFile]:
    """Every component of a set on every paper. Raises InputError with the problems of all of them."""
    base, deck = chosen[number]
    game = deck.dress(base)
    jobs = [
        (name, paper, form)
        for name in order.components_of(game, deck)
        for paper in order.papers
        for form in ((False, True) if order.fillable and game.components[name].kind == "sheet" else (False,))
    ]
    files, problems = [], []
    steps = sum(_steps(game, deck, name) for name, _, _ in jobs)
    label = game.title if len(chosen) == 1 else f"{game.title} ({number + 1} of {len(chosen)})"
    with progress(label, 0 if quiet else steps) as step:
        press = Press(base, deck, step, low_ink=order.low_ink)
        for name, paper, form in jobs:
            try:
                files.append(_printed(press, name, paper, order, form))
            except InputError as error:
                problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise InputError(problems)
    return files


def _printed(press: Press, name: str, paper: Paper, order: Order, form: bool) -> PrintedFile:
    printed = (
        press.fillable(name, paper)
        if form
        else press.component(name, paper, order.duplex, order.copies, folded=order.folded)
    )
    file = _file(press.game, press.deck, name, paper, order, form)
    return PrintedFile(press.game, name, paper.name, file, printed, press.deck.code, form)


def _steps(game: Game, deck: Deck, name: str) -> int:
    """The number of faces of a component, for the progress bar."""
    part = game.components[name]
    return len({card.id for card in deck.cards.get(name, ())}) * (2 if part.definition.back else 1) or 1


def _file(game: Game, deck: Deck, name: str, paper: Paper, order: Order, form: bool) -> Path:
    """The file of a component. Other sets and modes have different names, so that they never replace the usual file."""
    part = game.components[name]
    usual = part.definition.duplex or "long"
    modes = [
        "-pages" if part.kind == "booklet" and not order.folded else "",
        f"-duplex-{order.duplex}" if order.duplex not in (None, usual) and has_backs(part) else "",
        f"-pad-{order.copies}" if order.copies and part.kind == "sheet" else "",
        "-fillable" if form else "",
        "-low-ink" if order.low_ink else "",
        f"-{deck.code}" if deck.code else "",
    ]
    file = f"{game.key}/{name}-{paper.name}{''.join(modes)}.pdf"
    if paths.within(order.folder, file) is None:
        raise fault(f"{order.folder / game.key} leads out of the output folder")
    return order.folder / file


# ---- messages at the end --------------------------------------------------------------------------------------------


def _report(files: list[PrintedFile], quiet: bool, form: str) -> None:
    if form == "json":
        echo_json([file.plain() for file in files])
    elif not quiet:
        width = max((len(str(file.file)) for file in files), default=0)
        for file in files:
            echo(f"{file.file!s:<{width}}  {_pages(file.printed.pages):<8}  {_how(file)}")


def _report_tables(chosen: list[Chosen]) -> None:
    """Says how tables of cards were understood."""
    for game in {game.folder / game.key: game for game, _ in chosen}.values():
        for part in game.components.values():
            for note in part.notes:
                echo(f"note: {part.source}: {note}", err=True)
            if game.table:
                echo(f"\n{described(part)}", err=True)


def _pages(count: int) -> str:
    return f"{count} page{'s' if count > 1 else ''}"


def _how(file: PrintedFile) -> str:
    return "to fill in on screen" if file.fillable else f"print at 100% (actual size), {HOW[file.printed.duplex]}"


def _report_left_out(chosen: list[Chosen], order: Order) -> None:
    """Names the components that do not depend on the sets, and how to print them."""
    if order.components:
        return
    for game in {game.key: game for game, deck in chosen if deck.code}.values():
        changed = {name for other, deck in chosen if other.key == game.key for name in deck.changes(game)}
        unchanged = [name for name in usual_components(game) if name not in changed]
        if unchanged:
            echo(
                f"\nNot printed, because they are the same for every set: {', '.join(unchanged)}.\n"
                f"To print them: pencilbox make {_typed(game)}",
                err=True,
            )


def _report_next_steps(files: list[PrintedFile], order: Order) -> None:
    """Says what to open first, and how to score a sheet after the game."""
    if order.components:
        return
    rules = [str(file.file) for file in files if file.kind == "booklet"]
    if rules:
        echo("\n".join(["", style("Open the rules first:", "bold"), *(f"  {file}" for file in rules)]), err=True)
        echo("Then print the other files and play.", err=True)
    judged = {file.game.key: file.game for file in files if file.kind == "sheet"}
    if judged:
        game = _typed(next(iter(judged.values()))) if len(judged) == 1 else "GAME"
        width = max(len(game) + 5, len("score FORM.pdf"))
        steps = (
            (f"fill {game}", "type in your sheet line by line"),
            ("score FORM.pdf", "score the form you filled in"),
        )
        lines = (f"  pencilbox {words:<{width}}  {meaning}" for words, meaning in steps)
        echo("\n".join(["", style("After the game, score your sheet:", "bold"), *lines]), err=True)


def _typed(game: Game) -> str:
    """A game as you name it on the command line."""
    if game.folder.parent == paths.DATA:
        return game.key
    from shlex import quote

    return quote(paths.display_path(game.table or game.folder))
