"""pencilbox make"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs
from msgspec.structs import fields

from .. import limits, paths
from ..errors import MAX_SHOWN, Problem, fault, summary
from ..model.draws import flag
from ..model.game import Game
from ..model.print_settings import PrintSettings
from ..printing import records
from ..reading.load import shipped
from ..reading.table_game import described, described_fonts
from ..reading.user_settings import DUPLEX, settings
from .console import (
    echo,
    echo_json,
    may_write,
    open_in_viewer,
    problem_data,
    progress,
    show_errors,
    show_notes,
    show_steps,
    style,
)
from .failures import WRONG_INPUT
from .options import (
    MAX_SETS,
    Command,
    Count,
    MarginType,
    PaperType,
    cluster_options,
    complete,
    component_option,
    draw_options,
    is_typed,
    printer_options,
    refuse_unused_cluster,
    table_look,
    table_options,
    trust_code_option,
    typed_draw_options,
    workers_option,
)

if TYPE_CHECKING:  # what prints is loaded only if something has changed
    from ..printing.jobs import PrintOutcome
    from ..printing.plan import PlannedFile, PrintPlan
    from ..printing.selection import Selection

ARGUMENTS = "pencilbox.make.arguments"
"""Where the context keeps the arguments as typed, for --watch."""
LARGER = {"tarot": 45.0, "96x132": 130.0, "132x192": 350.0}
"""The sizes of the cards of a table whose texts do not fit on cards of the usual size, each with how much more room
texts may need for it to be worth a try, in mm. Four, and two, of the largest fit on A4 and US Letter."""
# Options that do not affect the content of the files.
_UNUSED = ("quiet", "form", "show", "force", "replace", "watching", "workers", "scheduler", "timeout")


class MakeCommand(Command):
    """A command that takes its defaults from the settings."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> click.Context:
        if {"-h", "--help"} & set(args) or extra.get("resilient_parsing"):
            return super().make_context(info_name, args, parent, **extra)
        defaults = {key: setting.value for key, setting in settings().items()}
        defaults |= {
            "papers": list(defaults["paper"]),
            "margin": defaults["printer_margin"],
            "folder": str(defaults["output"]),
        }
        arguments = list(args)
        context = super().make_context(info_name, args, parent, default_map=defaults, **extra)
        context.meta[ARGUMENTS] = arguments
        return context


@click.command(cls=MakeCommand)
@click.argument("words", nargs=-1, metavar="[GAME]... [COMPONENT]...", shell_complete=complete("games_and_components"))
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
    shell_complete=complete("papers"),
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
@printer_options("Correct the backs for this printer, which “calibrate” has measured; none for no correction.")
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
    shell_complete=complete("sets"),
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
@workers_option("one for each core for at least 30 files or 2,000 cards; otherwise 1")
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
    typed = typed_draw_options(options) | {name: options[name] for name in ("kind", "seed") if options[name]}
    drawn = "--print-run" if options["run"] else "--random" if options["draw"] else None
    if typed and not drawn:
        raise fault(f"{flag(next(iter(typed)))} only works with --random", hint="add --random")
    if options["sets"] and drawn:
        raise fault(f"--set and {drawn} cannot be used together")
    options["printer"] = ctx.params["printer"] = _printer(options["printer"], options["tray"])
    refuse_unused_cluster(options["workers"], options["scheduler"], options["timeout"])
    if options["watching"]:
        _watch(ctx, options)
        return
    record = _records(options)
    files = record.unchanged() if record and not options["force"] else None
    code = 0
    if files is None:
        files, code = _print(ctx, options, record)
    else:
        _report_unchanged(files, options)
    if options["show"] and files:
        first = Path(files[0].file)
        open_in_viewer(first if len(files) == 1 else first.parent)
    ctx.exit(code)


def _printer(name: str | None, tray: str | None) -> Any:
    """The calibrated printer that the backs are corrected for, or None."""
    if name is None and tray is None:
        return None
    from ..printing.printers import chosen_printer  # only needed with a calibration

    return chosen_printer(name, tray)


def _records(options: Mapping[str, Any]) -> records.Records | None:
    """The records of the output folder; None if what is printed cannot be compared: code of your own, drafts, very
    large folders."""
    if options["trust_code"] or options["draft"]:
        return None
    used = sorted((key, value) for key, value in options.items() if key not in _UNUSED)
    drawn = (options["draw"] or options["run"]) and options["seed"] is None
    roots = records.roots_of(options["words"], options["every"], options["sets"])
    fonts = [Path(name.partition("#")[0]).resolve() for name in options["font"]]
    look = table_look(options), [*map(records.of_file, fonts)]
    record = records.Records(options["folder"], [*roots, *fonts], None if drawn else used, look)
    return record if record.usable else None


# ---- printing


def _print(
    ctx: click.Context, options: Mapping[str, Any], record: records.Records | None
) -> tuple[list[records.PrintedFile], int]:
    """Prints what was selected and reports it. Returns the files and the exit code. If texts of a bare table need more
    room than its cards have, larger ones are printed."""
    selection, planned, outcome = _printed(ctx, options, record)
    sizes = [size for size, most in LARGER.items() if _lacks_room(selection, outcome, options["size"], most)]
    for size in sizes:
        larger = {**options, "size": size, "enlarged": True}
        again = _printed(ctx, larger, record)
        if not again[2].problems:
            (selection, planned, outcome), options = again, larger
            break
    if outcome.files and all(file.unchanged for file in outcome.files) and not outcome.problems:
        _report_unchanged(outcome.files, options)
    else:
        _report(selection, planned, outcome, options)
    return outcome.files, WRONG_INPUT if outcome.problems else 0


def _lacks_room(selection: Selection, outcome: PrintOutcome, size: str | None, most: float) -> bool:
    """Whether nothing but the usual size of the cards of bare tables keeps them from being printed, and they need at
    `most` this much more room."""
    are_tables = size is None and all(game.table for game, _ in selection.chosen)
    too_high = all("up to {} mm more" in each.alike and float(each.detail) < most for each in outcome.problems)
    return are_tables and bool(outcome.problems) and too_high


def _printed(
    ctx: click.Context, options: Mapping[str, Any], record: records.Records | None
) -> tuple[Selection, PrintPlan, PrintOutcome]:
    """What was selected, planned and printed."""
    from ..printing import jobs, plan  # load HarfBuzz and Jinja2, which takes longer than comparing the files
    from ..printing.selection import RandomDraw, chosen_sets  # loads all that reads games

    draw = None
    if options["draw"] or options["run"]:
        draw = RandomDraw(options["seed"], options["kind"], typed_draw_options(options), options["run"])
    words = options["words"]
    words = (*words[:1], *shipped(), *words[1:]) if options["every"] else words
    selection = chosen_sets(words, options["sets"], draw, look=table_look(options), trust_code=options["trust_code"])
    selection.components = (*options["component"], *selection.components)
    print_settings = PrintSettings(**{field.name: options[field.name] for field in fields(PrintSettings)})
    typed = {name for name in (*plan.USES, "low_ink", "large_print") if is_typed(ctx, name)}
    typed -= set() if options["fillable"] else {"fillable"}  # a game without sheets has no forms to leave out
    planned = plan.plan(selection, options["papers"], print_settings, options["folder"], typed=typed)
    processes = jobs.ProcessOptions(options["workers"], options["scheduler"], options["timeout"])
    if options["draft"] and (options["scheduler"] or (options["workers"] or 1) > 1):
        name = "--scheduler" if options["scheduler"] else "--workers"
        raise fault(f"{name} cannot be used with --draft", hint="one process numbers the flaws of a draft")
    own = [game.title for game, _ in selection.chosen if game.folder.parent != paths.DATA]
    if options["scheduler"] and own:
        raise fault(
            f"--scheduler is for the games that come with Pencilbox, and {own[0]} is your own",
            hint="--workers prints it with several processes of this machine",
        )
    may_replace = options["force"] or options["replace"]
    outcome = jobs.print_plan(
        planned,
        record,
        again=options["force"],
        check_paths=lambda files: may_write(files, may_replace, settings()["output"].value),
        processes=processes,
        look=table_look(options),
        trust_code=options["trust_code"],
        progress=jobs.no_progress if options["quiet"] else progress,
    )
    return selection, planned, outcome


# ---- reporting


def _report_unchanged(files: Sequence[records.PrintedFile], options: Mapping[str, Any]) -> None:
    """Lists files that need not be printed again, and what was noted when they were printed."""
    if options["form"] == "json":
        echo_json(list(map(_plain, files)))
    elif not options["quiet"]:
        _list_files(files)
        echo("\nNothing has changed since these files were printed; --force prints them again.", err=True)


def _plain(file: records.PrintedFile, notes: Iterable[str] = ()) -> dict[str, Any]:
    return structs.asdict(file) | {"notes": [*map(problem_data, (*map(Problem, notes), *file.notes))]}


def _list_files(files: Sequence[records.PrintedFile]) -> None:
    """Lists each file with how to print it, and what may not look as expected."""
    width = max((len(file.file) for file in files), default=0)
    for file in files:
        pages = f"{file.pages} page{'s' if file.pages > 1 else ''}"
        echo(f"{file.file:<{width}}  {pages:<8}  {'unchanged; ' if file.unchanged else ''}{file.print}")
    show_notes(summary(dict.fromkeys(note for file in files for note in file.notes)))


def _report(selection: Selection, planned: PrintPlan, outcome: PrintOutcome, options: Mapping[str, Any]) -> None:
    """Lists the files and how to print them, then what could not be printed and why."""
    problems = outcome.problems
    if options["form"] == "json":
        parts = [(game.key, part) for game, _ in selection.chosen for part in game.components.values()]
        notes = {(key, part.name): [f"{part.source}: {note}" for note in part.notes] for key, part in parts}
        files = [_plain(file, notes.get((file.game, file.component), ())) for file in outcome.files]
        errors = {"error": list(map(problem_data, problems)), "valid": False}
        echo_json(errors | {"files": files, "not_printed": list(map(str, outcome.failed))} if problems else files)
    elif not options["quiet"]:
        _list_files(outcome.files)
        if any(file.unchanged for file in outcome.files):
            echo("\nFiles that have not changed were not printed again; --force prints them, too.", err=True)
        _report_tables([game for game, _ in selection.chosen], options["size"] if "enlarged" in options else "")
        if not (problems or options["draft"] or selection.components):
            _report_left_out(planned.same)
            printed = {file.file for file in outcome.files}
            _report_next_steps([file for file in planned.files if str(file.path) in printed])
    if outcome.draft.problems:
        echo(f"\n{style('DRAFT', 'warning')}: not ready to print. What is marked in red, by number:", err=True)
        for number, problem in enumerate(summary(outcome.draft.problems), start=1):
            label = f"+{number}" if number < MAX_SHOWN else "   "
            echo(f"{label:>4}  {problem!s}".replace("\n", " "), err=True)
    if problems and options["form"] == "text":
        show_errors(problems)
        _report_failed(outcome)


def _report_failed(outcome: PrintOutcome) -> None:
    """Names the components that were not printed, unless nothing was, and warns of older files in their places. If a
    built-in face has no room, says what helps."""
    built_in = paths.display_path(paths.CARD_TEMPLATES)
    if any(problem.place and problem.place.file.startswith(built_in) for problem in outcome.problems):
        echo('Larger cards have more room (--size tarot), or leave columns out (--columns "Summary=-").', err=True)
    if not outcome.files or not outcome.failed:
        return
    names = ", ".join(dict.fromkeys(outcome.failed.values()))
    echo(f"\nNot printed: {names}. All other files are ready.", err=True)
    older = [str(file) for file in outcome.failed if paths.is_file(file)]
    if older:
        echo(f"Still there from an earlier run: {', '.join(older)}.", err=True)


def _report_tables(games: Iterable[Game], enlarged: str) -> None:
    """Says how tables of cards were understood, and to which size their cards were enlarged."""
    for game in {game.folder / game.key: game for game in games}.values():
        for part in game.components.values():
            show_notes(f"{part.source}: {note}" for note in part.notes)
            if game.table:
                echo(f"\n{described(part)}", err=True)
                if fonts := described_fonts(game):
                    echo(fonts, err=True)
    if enlarged:
        why = "some texts would be too small on poker cards, so all cards have the size"
        show_notes([f"{why} {enlarged} (--size poker keeps the usual one)"])


def _report_left_out(same: Sequence[tuple[Game, list[str]]]) -> None:
    """Names the components that do not depend on the sets, and how to print them."""
    for game, names in same:
        if names:
            echo(
                f"\nNot printed, because they are the same for every set: {', '.join(names)}.\n"
                f"To print them: pencilbox make {_typed(game)}",
                err=True,
            )


def _report_next_steps(planned: Sequence[PlannedFile]) -> None:
    """Says what to open first, and how to score a sheet after the game."""
    rules = [str(file.path) for file in planned if file.part.kind == "booklet"]
    if rules:
        echo("\n".join(["", style("Open the rules first:", "bold"), *(f"  {file}" for file in rules)]), err=True)
        echo("Then print the other files and play.", err=True)
    for bare in {file.game.key: file.game for file in planned if file.game.table}.values():
        chosen = bare.components["cards"].definition.size
        size = f" --size {chosen}" if chosen in LARGER else ""
        echo(f"To change how the cards look: pencilbox new my_game --from {_typed(bare)}{size}", err=True)
    judged = {file.game.key: file.game for file in planned if file.part.kind == "sheet"}
    if judged:
        game = _typed(next(iter(judged.values()))) if len(judged) == 1 else "GAME"
        steps = {f"fill {game}": "type in your sheet line by line", "score FORM.pdf": "score the form you filled in"}
        show_steps("After the game, score your sheet:", steps)


def _typed(game: Game) -> str:
    """A game as you name it on the command line."""
    return game.key if game.folder.parent == paths.DATA else quote(paths.display_path(game.table or game.folder))


# ---- printing again whenever a file is saved

INTERVAL = 0.5
"""Seconds between two checks of the files. A game has few of them, and checking works on every system and network
drive."""
SETTLED = 0.1
"""Seconds without a change after which a file counts as saved completely."""
_RUN = "import sys; from generator.__main__ import run; sys.argv[0] = 'pencilbox'; run()"


def _watch(ctx: click.Context, options: Mapping[str, Any]) -> None:
    """Runs `make` now and after every change to the games that were named, until Ctrl-C."""
    if options["form"] == "json":
        raise fault("--watch and --format json cannot be used together")
    if (options["draw"] or options["run"]) and options["seed"] is None:
        raise fault("--watch with --random needs --seed", hint="otherwise every save prints another set")
    roots = list(_watched(options["words"]))
    if not roots:
        raise fault(
            "--watch needs a game or a table", hint="name its folder or file, for example: make my_game --watch"
        )
    arguments = [argument for argument in ctx.meta[ARGUMENTS] if argument != "--watch"]
    try:
        _watch_loop(arguments, roots, options["folder"])
    except KeyboardInterrupt:
        echo("", err=True)


def _watched(words: Iterable[str]) -> Iterator[Path]:
    """The folders of the games and the tables among the words of the command."""
    for word in words:
        path = Path(word)
        if word in shipped():
            yield paths.DATA / word
            yield paths.TEMPLATES / word
        elif paths.is_dir(path):
            yield path
        elif paths.is_file(path):
            yield path.parent if path.name == "game.yaml" else path


def _watch_loop(arguments: list[str], roots: list[Path], output: Path) -> None:
    while True:
        before = _snapshot(roots, output)
        if sys.stdout.isatty():
            click.clear()
        code = _make_again(arguments)
        arguments = [argument for argument in arguments if argument != "--open"]
        if code == 0:  # this command wrote the files, so it may replace them
            arguments = ["--replace", *(each for each in arguments if each not in ("--force", "--replace"))]
        done = style("printed", "good") if code == 0 else style("not everything could be printed", "error")
        names = ", ".join(paths.display_path(root) for root in roots)
        echo(f"\n{time.strftime('%H:%M:%S')}  {done}. Waiting for changes in {names}; Ctrl-C stops.", err=True)
        _wait(before, roots, output)


def _make_again(arguments: list[str]) -> int:
    """Runs `make` in a process of its own, so that changed pictures, icons and fonts are read again; returns its exit
    code. Like any `make`, it prints only the components that have changed."""
    import subprocess  # takes 5 ms

    sys.stdout.flush()
    command = [sys.executable, "-P", "-c", _RUN, "make", *arguments]
    places = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(places)}, check=False).returncode


def _wait(before: object, roots: Sequence[Path], output: Path) -> None:
    """Waits until a file has changed, and then until no file changes any more."""
    while (now := _snapshot(roots, output)) == before:
        time.sleep(INTERVAL)
    while now != before:
        time.sleep(SETTLED)
        before, now = now, _snapshot(roots, output)


def _snapshot(roots: Iterable[Path], output: Path) -> dict[str, tuple[int, int]]:
    """The time and size of each file of the games; of a table, also of the pictures beside it."""
    states = {}
    for root in roots:
        folder = root.parent if (is_table := paths.is_file(root)) else root
        for file, status in islice(records.files_in([folder]), records.MAX_FILES):
            path = Path(file)
            hidden = any(part.startswith((".", "__")) for part in path.relative_to(folder).parts)
            wanted = not is_table or path.name == root.name or path.suffix.lower() in paths.PICTURES
            if wanted and not hidden and not path.absolute().is_relative_to(output.absolute()):
                states[file] = status.st_mtime_ns, status.st_size
    return states
