"""pencilbox calibrate"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from ..errors import InputError, Problem, fault
from ..reading.user_settings import settings, usual_paper
from . import completions
from .console import echo, echo_json, may_write, open_in_viewer, style, table
from .options import Command, PaperType, is_typed

_MODES = ("long", "short", "booklet")
_ACTIONS = {"enter": "--enter", "listing": "--list", "forget": "--forget"}


@click.command(cls=Command)
@click.option("--paper", "-p", type=PaperType(), shell_complete=completions.papers, help="a4, letter, legal, ...")
@click.option(
    "--duplex",
    "mode",
    type=click.Choice(_MODES),
    help="The edge to flip on; booklet for landscape pages flipped on the short edge.  [default: long]",
)
@click.option(
    "--printer",
    metavar="NAME",
    shell_complete=completions.printers,
    help="A name for the printer, such as office.",
)
@click.option("--tray", metavar="NAME", help="A name for the tray, if you use several.")
@click.option("--check", is_flag=True, help="Print the sheet corrected for --printer, or enter what it reads then.")
@click.option("--enter", is_flag=True, help="Enter the readings of the sheet and store the correction.")
@click.option("--readings", metavar="LIST", help="With --enter: the readings 1 to 8, such as N5,N5,P5,PQ5,M5,N5,N5,L5.")
@click.option("--rulers", metavar="MMxMM", help="With --enter: the lengths of the rulers across and down, in mm.")
@click.option("--accept-scale", is_flag=True, help="With --enter: store the correction although “fit to page” was on.")
@click.option("--list", "listing", is_flag=True, help="List what is calibrated.")
@click.option("--forget", is_flag=True, help="Remove --printer, or only the tray, paper or mode that you name.")
@click.option(
    "--output",
    "-o",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for the sheet.  [default: output]",
)
@click.option("--force", is_flag=True, help="Replace an existing file outside output/ without asking.")
@click.option("--open", "show", is_flag=True, help="Open the sheet when it is written.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Print backs exactly behind their fronts.

    Without an option, prints a sheet to measure your printer with. Print it double-sided, follow the steps on it, and
    type the readings with --enter. From then on “make --printer NAME” moves the backs to where they belong. To use the
    printer always, put printer = "NAME" into your settings.

    \b
    pencilbox calibrate                              print the sheet
    pencilbox calibrate --enter --printer office     enter the readings
    pencilbox calibrate --check --printer office     print it again, corrected
    """
    chosen = [name for key, name in _ACTIONS.items() if options[key]]
    if len(chosen) > 1:
        raise fault(f"{' and '.join(chosen)} cannot be used together")
    _refuse_unused(ctx, options)
    if options["listing"]:
        _list(options["form"])
    elif options["forget"]:
        _forget(options)
    elif options["enter"]:
        _enter(options)
    else:
        _print(options)


def _refuse_unused(ctx: click.Context, options: dict[str, Any]) -> None:
    problems = [
        Problem(f"--{name.replace('_', '-')} only works with --enter")
        for name in ("readings", "rulers", "accept_scale")
        if is_typed(ctx, name) and not options["enter"]
    ]
    if options["check"] and (options["listing"] or options["forget"]):
        problems.append(Problem("--check prints a sheet, or works with --enter"))
    if options["form"] == "json" and options["enter"] and not (options["readings"] and options["rulers"]):
        problems.append(Problem("--format json needs --readings and --rulers", hint="there is nobody to ask"))
    if problems:
        raise InputError(problems)


# ---- printing the sheet ---------------------------------------------------------------------------------------------


def _print(options: dict[str, Any]) -> None:
    from .. import paths, pdf  # loads reportlab, which the other actions do without
    from ..calibration.correction import MODE_WORDS, Printer
    from ..calibration.drawing import Wording, pages
    from ..calibration.sheet import sheet
    from ..geometry.outlines import IDENTITY
    from ..reading.theme import theme

    paper, mode, name, tray = _paper(options), options["mode"] or "long", _name(options), _tray(options)
    backs = IDENTITY
    if options["check"]:
        matrix = _known(options, name, tray, Printer.backs)
        backs = matrix or IDENTITY
    layout = sheet(paper, mode)
    look = theme(paths.SHARED_DATA, "theme.yaml")
    wording = Wording(_next_command(options, name, tray), f"{name} {tray}".strip(), options["check"])
    duplex = "long" if mode == "long" else "short"
    info = pdf.Info(title="Check sheet" if options["check"] else "Calibration sheet")
    content = pdf.write(pages(layout, look, wording), look, info=info, duplex=duplex, backs=backs)
    parts = ["check" if options["check"] else "sheet", paper.name, *(["" if mode == "long" else mode])]
    names = [*parts, name if options["check"] else "", tray if options["check"] else ""]
    folder = options["folder"] or settings()["output"].value
    file = folder / "calibration" / f"{'-'.join(filter(None, names))}.pdf"
    may_write([file], options["force"], settings()["output"].value)
    pdf.save(content, file)
    if options["form"] == "json":
        echo_json({"file": str(file), "paper": paper.name, "duplex": mode, "pages": 2, "next": wording.command})
    else:
        echo(f"{file}  2 pages   print at 100% (actual size), double-sided, {MODE_WORDS[mode]}", err=True)
        echo(f"Follow the steps on it. Then: {wording.command}", err=True)
    if options["show"]:
        open_in_viewer(file)


def _next_command(options: dict[str, Any], name: str, tray: str) -> str:
    paper, mode = _paper(options), options["mode"] or "long"
    words = [
        "--check" if options["check"] else "",
        f"--printer {name}" if name else "",
        f"--tray {tray}" if tray else "",
        f"--paper {paper.name}",
        "" if mode == "long" else f"--duplex {mode}",
    ]
    return " ".join(["pencilbox calibrate --enter", *filter(None, words)])


def _paper(options: dict[str, Any]) -> Any:
    """The paper, with the margin in the settings."""
    paper = options["paper"] or usual_paper(None)
    margin = settings()["printer_margin"].value
    return paper if margin is None else replace(paper, margin=margin)


def _name(options: dict[str, Any]) -> str:
    """The name of the printer: typed, or that of the settings; “” if there is none."""
    from ..calibration.printers import checked_name

    name = options["printer"] or settings()["printer"].value
    return checked_name(name, "printer") if name and (options["printer"] or name != "none") else ""


def _tray(options: dict[str, Any]) -> str:
    from ..calibration.printers import checked_name

    return checked_name(options["tray"], "tray") if options["tray"] else ""


def _known(options: dict[str, Any], name: str, tray: str, find: Any) -> Any:
    """What is known of the printer for this paper and mode; raises InputError if nothing is."""
    from ..calibration.printers import printer

    if not name:
        raise fault("--check needs --printer", hint="“pencilbox calibrate --list” lists the printers")
    known, paper, mode = printer(name, tray or None), _paper(options), options["mode"] or "long"
    calibration = find(known, paper, mode)
    if calibration is None:
        raise fault(
            known.lacks(paper, mode),
            hint=f"“{known.hint(paper, mode)}” prints the sheet to begin with",
        )
    return calibration


# ---- entering readings ----------------------------------------------------------------------------------------------


def _enter(options: dict[str, Any]) -> None:
    from ..calibration.correction import Calibration, Printer
    from ..calibration.printers import calibration_file, calibrations, store
    from ..calibration.readings import (
        PASSED,
        after,
        described,
        largest,
        ruler_problem,
        shift_of,
    )
    from ..calibration.sheet import sheet

    calibrations()  # reports a damaged file before there is anything to lose
    paper, mode, tray = _paper(options), options["mode"] or "long", _tray(options)
    layout = sheet(paper, mode)
    name = _name(options)
    before = _known(options, name, tray, Printer.calibration) if options["check"] else None
    name = name or _asked_name(options)
    problem = ruler_problem(*_rulers(options))
    if problem and not options["accept_scale"]:
        raise InputError([problem])
    readings = _readings(options, layout)
    shift = shift_of(readings, layout)
    worst = largest(readings)
    if before:
        tray = before.tray
        shift = after(before.shift, shift, layout)
    store(Calibration(name, tray, paper, mode, shift))
    if options["form"] == "json":
        echo_json(_plain(Calibration(name, tray, paper, mode, shift)) | {"largest_reading": round(worst, 3)})
        return
    if before:
        passed = worst <= PASSED + 1e-9
        echo(
            f"{style('Passed', 'good')}: no reading is off by more than {worst:.2f} mm."
            if passed
            else f"Readings are off by up to {worst:.2f} mm. The correction is adjusted; print the check sheet again."
        )
    echo(f"Backs were off by {', '.join(described(shift))}, as seen from the front.")
    echo(f"Stored in {calibration_file()}.")
    trays = f" --tray {tray}" if tray else ""
    echo(f"\nPrint with it:  pencilbox make GAME --printer {name}{trays}")
    if not before:
        again = _next_command(options | {"check": True}, name, tray).replace(" --enter", "")
        echo(f"Check it:       {again}")


def _asked_name(options: dict[str, Any]) -> str:
    from ..calibration.printers import checked_name

    if options["readings"]:
        raise fault("--printer is missing", hint="choose a name for the printer, such as office")
    name: str = _ask("Name of the printer", "office", lambda text: checked_name(text, "printer"))
    return name


def _rulers(options: dict[str, Any]) -> tuple[float, float]:
    from ..calibration.readings import ruler_length

    if options["rulers"] is not None:
        parts = options["rulers"].lower().replace("×", "x").split("x")
        if len(parts) != 2:
            raise fault(f"--rulers “{options['rulers']}” is not two lengths", hint="type both, such as 100x100")
        return ruler_length(parts[0].strip()), ruler_length(parts[1].strip())
    if options["readings"] is not None:
        return 100.0, 100.0
    echo("Measure the rulers on the front, from 0 to 100 mm.", err=True)
    return _ask("Length across in mm", "100", ruler_length), _ask("Length down in mm", "100", ruler_length)


def _readings(options: dict[str, Any], layout: Any) -> list[Any]:
    """The readings: from the option, or asked one by one. Those that contradict each other are asked again."""
    from ..calibration.readings import ContradictionError, read, read_all, shift_of

    if options["readings"] is not None:
        return read_all([part for part in options["readings"].replace(",", " ").split() if part], layout)
    scales = layout.scales
    echo("Type each reading as on the sheet, such as N5, or NP5 between two lines.", err=True)
    answers: dict[int, Any] = {}

    def ask(numbers: Sequence[int]) -> None:
        for number in numbers:
            scale = scales[number - 1]
            answers[number] = _ask(
                f"Scale {number}, {scale.edge} edge, {scale.spot}",
                None,
                lambda text, scale=scale: read(text, scale, layout),
            )

    ask(range(1, len(scales) + 1))
    for _ in range(3):
        readings = [answers[number] for number in sorted(answers)]
        try:
            shift_of(readings, layout)
        except ContradictionError as error:
            echo(f"{error}.", err=True)
            ask(error.numbers)
        else:
            return readings
    return [answers[number] for number in sorted(answers)]


def _ask(question: str, default: str | None, read: Any) -> Any:
    """Asks until the answer can be read."""
    while True:
        answer = click.prompt(question, default=default, err=True)
        try:
            return read(str(answer).strip())
        except InputError as error:
            echo(f"{error}.", err=True)


# ---- listing and forgetting -----------------------------------------------------------------------------------------


def _plain(calibration: Any) -> dict[str, Any]:
    shift = calibration.shift
    return {
        "printer": calibration.printer,
        "tray": calibration.tray or None,
        "paper": calibration.paper.name,
        "duplex": calibration.mode,
        "x": round(shift.x, 3),
        "y": round(shift.y, 3),
        "angle": round(shift.angle, 4),
        "scale_x": round(shift.scale_x, 6),
        "scale_y": round(shift.scale_y, 6),
    }


def _list(form: str) -> None:
    from ..calibration.printers import calibration_file, calibrations
    from ..calibration.readings import described

    entries = calibrations()
    if form == "json":
        echo_json(list(map(_plain, entries)))
    elif not entries:
        echo("Nothing is calibrated. “pencilbox calibrate” prints a sheet to begin with.")
    else:
        head = "printer", "tray", "paper", "duplex", "backs are off by"
        rows = [
            (each.printer, each.tray or "-", each.paper.name, each.mode, ", ".join(described(each.shift)))
            for each in entries
        ]
        echo(table(head, rows))
        echo(f"They are stored in {calibration_file()}.")


def _forget(options: dict[str, Any]) -> None:
    from ..calibration.printers import calibrations, described, write

    if not options["printer"]:
        raise fault("--forget needs --printer", hint="“pencilbox calibrate --list” lists the printers")
    entries = calibrations()
    gone = [
        each
        for each in entries
        if each.printer == options["printer"]
        and options["tray"] in (None, each.tray)
        and (options["paper"] is None or options["paper"].name == each.paper.name)
        and options["mode"] in (None, each.mode)
    ]
    if not gone:
        raise fault("nothing like this is calibrated", hint="“pencilbox calibrate --list” lists what is")
    write([each for each in entries if each not in gone])
    if options["form"] == "json":
        echo_json(list(map(_plain, gone)))
        return
    for each in gone:
        echo(f"Forgotten: {described(each)}.")
