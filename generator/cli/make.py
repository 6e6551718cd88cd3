"""pencilbox make"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from .. import limits
from ..errors import fault
from ..reading.load import shipped
from ..reading.table_game import Look
from . import completions
from .common import (
    Command,
    Count,
    MarginType,
    PaperType,
    cluster_options,
    draw_options,
    refuse_unused_cluster,
    trust_code_option,
    typed_draw_options,
    workers_option,
)
from .outputs import open_in_viewer
from .records import Records, report_unchanged
from .selection import (
    MAX_SETS,
    Draw,
    Selection,
    chosen_sets,
    component_option,
    table_options,
)
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
            "margin": configured["printer_margin"].value,
            "printer": configured["printer"].value,
            "low_ink": configured["low_ink"].value,
            "high_contrast": configured["high_contrast"].value,
            "large_print": configured["large_print"].value,
            "folder": str(configured["output"].value),
        }
        arguments = list(args)
        context = super().make_context(info_name, args, parent, default_map=defaults, **extra)
        context.meta[ARGUMENTS] = arguments
        return context


@click.command(cls=MakeCommand)
@click.argument("words", nargs=-1, metavar="[GAME]... [COMPONENT]...", shell_complete=completions.games_and_components)
@click.option("--all", "every", is_flag=True, help="Print every game that comes with Pencilbox.")
@component_option("Print")
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
    "--printer-margin",
    "margin",
    type=MarginType(),
    metavar="MM",
    help="The edge of the paper that your printer leaves white, such as 5 or 0.25in.  "
    "[default: the game’s, or the paper’s: 4.2]",
)
@click.option(
    "--duplex",
    type=click.Choice(DUPLEX),
    help="How to print backs: on the back of the paper, flipped on its long or short edge; beside the fronts, to fold "
    "and glue (gutterfold); or not at all (none).  [default: the game’s, or long]",
)
@click.option(
    "--printer",
    metavar="NAME",
    shell_complete=completions.printers,
    help="Correct the backs for this printer, which “calibrate” has measured; none for no correction.",
)
@click.option("--tray", metavar="NAME", help="The tray of the printer, if several are calibrated.")
@click.option(
    "--copies",
    type=Count(1, limits.PAD_SHEETS),
    metavar="N",
    help="Print a pad of N score sheets, which are numbered in the codes in their corners.",
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
@table_options
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
    "--strict/--no-strict",
    default=False,
    help="Treat notes, such as one about a drawing that is printed as a picture, as errors.",
)
@click.option("--low-ink/--no-low-ink", default=False, help="Ink-saver: pale backgrounds.")
@click.option(
    "--high-contrast/--no-high-contrast",
    default=False,
    help="Easier to see: texts with a contrast of 7:1, outlines and icons of 4.5:1.",
)
@click.option(
    "--large-print/--no-large-print",
    default=False,
    help="Easier to read: rules in at least 16 pt, and cards, boards and half-page sheets one paper size larger.",
)
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
@click.option(
    "--print-run",
    "run",
    type=Count(1, MAX_SETS),
    metavar="N",
    help="Draw N random sets to print together, as “randomise --print-run” does.",
)
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
@click.option(
    "--force",
    is_flag=True,
    help="Print even if nothing has changed, and replace existing files outside output/ without asking.",
)
@click.option("--replace", is_flag=True, hidden=True, help="Replace existing files outside output/ without asking.")
@click.option(
    "--open", "show", is_flag=True, help="Open the PDF when it is written, or the folder if there are several."
)
@click.option(
    "--watch", "watching", is_flag=True, help="Print again whenever a file of the game is saved, until Ctrl-C."
)
@workers_option("one for each core for 30 files or more; otherwise 1")
@cluster_options("Print")
@click.option("--quiet", "-q", is_flag=True, help="Only print errors.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Print GAMEs as PDF files.

    A GAME is a name from “pencilbox games”, the folder of your own game, or a table of cards such as cards.csv or
    cards.xlsx. Name COMPONENTs to print only these parts.
    With --set CODE you need not name the game, and only the parts that depend on the set are printed.
    """
    if not (options["words"] or options["every"] or options["sets"]):
        raise fault("GAME is missing", hint=f"one of {', '.join(shipped())}, a folder, a table, or --all")
    _refuse_draw_options(options)
    options["printer"] = ctx.params["printer"] = _printer(options["printer"], options["tray"])
    refuse_unused_cluster(options["workers"], options["scheduler"], options["timeout"])
    if options["watching"]:
        _watch(ctx, options)
        return
    records, code = Records.of(options), 0
    files = records.unchanged() if records and not options["force"] else None
    if files is not None:
        report_unchanged(files, quiet=options["quiet"], form=options["form"])
    else:
        from .make_run import print_selection  # loads reportlab, which takes longer than comparing the files

        files, code = print_selection(ctx, _selection(options), records)
    if options["show"] and files:
        first = Path(files[0]["file"])
        open_in_viewer(first if len(files) == 1 else first.parent)
    ctx.exit(code)


def _printer(name: str | None, tray: str | None) -> Any:
    """The calibrated printer that the backs are corrected for, or None."""
    if name is None and tray is None:
        return None
    from .printers import chosen_printer  # only needed with a calibration

    return chosen_printer(name, tray)


def _selection(options: Mapping[str, Any]) -> Selection:
    draw = None
    if options["draw"] or options["run"]:
        draw = Draw(options["seed"], options["kind"], typed_draw_options(options), options["run"])
    look = Look(options["size"], options["template"], options["sheet"])
    return chosen_sets(options["words"], options["every"], options["sets"], draw, look, options["trust_code"])


def _watch(ctx: click.Context, options: Mapping[str, Any]) -> None:
    from .watch import watch

    if options["form"] == "json":
        raise fault("--watch and --format json cannot be used together")
    if (options["draw"] or options["run"]) and options["seed"] is None:
        raise fault("--watch with --random needs --seed", hint="otherwise every save prints another set")
    watch(ctx.meta[ARGUMENTS], options["words"], options["folder"])


def _refuse_draw_options(options: Mapping[str, Any]) -> None:
    """Raises InputError for options of random sets that have no effect without --random."""
    typed = typed_draw_options(options) | {name: options[name] for name in ("kind", "seed") if options[name]}
    drawn = "--print-run" if options["run"] else "--random" if options["draw"] else None
    if typed and not drawn:
        from ..draws.draw_kinds import flag  # not needed to print standard cards

        raise fault(f"{flag(next(iter(typed)))} only works with --random")
    if options["sets"] and drawn:
        raise fault(f"--set and {drawn} cannot be used together")
