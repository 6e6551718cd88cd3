"""pencilbox calibrate"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from ..errors import InputError, Problem, fault, refuse, shortened
from ..files import save
from ..printing import printers
from ..printing.calibration_sheet import (
    PASSED,
    CalibrationSheet,
    ContradictionError,
    ScaleReading,
    Wording,
    after,
    described,
    read,
    read_all,
    ruler_length,
    ruler_problem,
    sheet,
    sheet_pdf,
    shift_of,
)
from ..printing.printers import MODE_WORDS, MODES, Calibration, Printer
from ..reading.sizes import Paper
from ..reading.user_settings import settings, usual_paper
from .console import echo, echo_json, may_write, open_in_viewer, style, table
from .options import Command, PaperType, complete, is_typed

T = TypeVar("T")
_ACTIONS = {"enter": "--enter", "listing": "--list", "forget": "--forget"}


@click.command(cls=Command)
@click.option("--paper", "-p", type=PaperType(), shell_complete=complete("papers"), help="a4, letter, legal, ...")
@click.option(
    "--duplex",
    "mode",
    type=click.Choice(MODES),
    help="The edge to flip on; booklet for landscape pages flipped on the short edge.  [default: long]",
)
@click.option(
    "--printer", metavar="NAME", shell_complete=complete("printers"), help="A name for the printer, such as office."
)
@click.option("--tray", metavar="NAME", help="A name for the tray, if you use several.")
@click.option("--check", is_flag=True, help="Print the sheet corrected for --printer; with --enter, type its readings.")
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
    type the readings with --enter. From then on “make --printer NAME” moves the backs to where they belong. To always
    use the printer, put printer = "NAME" into your settings.

    \b
    pencilbox calibrate                              print the sheet
    pencilbox calibrate --enter --printer office     enter the readings
    pencilbox calibrate --check --printer office     print it again, corrected
    """
    actions = [name for key, name in _ACTIONS.items() if options[key]]
    if len(actions) > 1:
        raise fault(f"{' and '.join(actions)} cannot be used together")
    _refuse_unused(ctx, options)
    if options["listing"]:
        _list(options["form"])
    elif options["forget"]:
        _forget(options)
    elif options["enter"]:
        _enter(options, _target(options))
    else:
        _print(options, _target(options))


def _refuse_unused(ctx: click.Context, options: dict[str, Any]) -> None:
    problems = [
        Problem(f"--{name.replace('_', '-')} only works with --enter")
        for name in ("readings", "rulers", "accept_scale")
        if is_typed(ctx, name) and not options["enter"]
    ]
    if options["check"] and (options["listing"] or options["forget"]):
        problems.append(Problem("--check prints a sheet, or works with --enter"))
    if options["form"] == "json" and options["enter"] and not (options["readings"] and options["rulers"]):
        problems.append(Problem("--format json needs --readings and --rulers", hint="it cannot ask for them"))
    refuse(problems)


class _Target(Struct, frozen=True):
    """What is calibrated: a printer and a tray (each “” without a name), a paper and a mode. With `check`, what is
    known of it is checked."""

    name: str
    tray: str
    paper: Paper
    mode: str
    check: bool

    @property
    def layout(self) -> CalibrationSheet:
        return sheet(self.paper, self.mode)

    def command(self, *actions: str) -> str:
        """The command with these actions."""
        words = [
            "pencilbox calibrate",
            *actions,
            f"--printer {self.name}" if self.name else "",
            f"--tray {self.tray}" if self.tray else "",
            f"--paper {self.paper.name}",
            "" if self.mode == "long" else f"--duplex {self.mode}",
        ]
        return " ".join(filter(None, words))

    def known(self, find: Callable[[Printer, Paper, str], T | None]) -> T:
        """What is known of the printer; raises InputError if nothing is."""
        if not self.name:
            raise fault("--check needs --printer", hint="“pencilbox calibrate --list” lists the printers")
        printer = printers.printer(self.name, self.tray or None)
        calibration = find(printer, self.paper, self.mode)
        if calibration is None:
            raise fault(
                printer.lacks(self.paper, self.mode),
                hint=f"“{printer.hint(self.paper, self.mode)}” prints the sheet to begin with",
            )
        return calibration


def _target(options: dict[str, Any]) -> _Target:
    """The target of the options; the settings have the usual printer, paper and margin."""
    paper, current = options["paper"] or usual_paper(None), settings()
    if current["printer_margin"].value is not None:
        paper = replace(paper, margin=current["printer_margin"].value)
    name = options["printer"] or current["printer"].value or ""
    if name == printers.NO_PRINTER and not options["printer"]:
        name = ""
    return _Target(
        printers.checked_name(name, "printer") if name else "",
        printers.checked_name(options["tray"], "tray") if options["tray"] else "",
        paper,
        options["mode"] or "long",
        check=options["check"],
    )


def _print(options: dict[str, Any], target: _Target) -> None:
    """Prints the sheet to measure the printer with, or to check the correction."""
    backs = target.known(Printer.backs) if target.check else None
    check = ["--check"] if target.check else []
    wording = Wording(target.command("--enter", *check), f"{target.name} {target.tray}".strip(), target.check)
    content = sheet_pdf(target.layout, wording, backs)
    parts = ["check" if target.check else "sheet", target.paper.name, "" if target.mode == "long" else target.mode]
    parts += [target.name, target.tray] if target.check else []
    folder = options["folder"] or settings()["output"].value
    file = folder / "calibration" / f"{'-'.join(filter(None, parts))}.pdf"
    may_write([file], options["force"], settings()["output"].value)
    save(content, file)
    if options["form"] == "json":
        data = {"file": str(file), "paper": target.paper.name, "duplex": target.mode, "pages": 2}
        echo_json(data | {"next": wording.command})
    else:
        how = f"print at 100% (actual size), double-sided, {MODE_WORDS[target.mode]}"
        echo(f"{file}  2 pages   {how}", err=True)
        echo(f"Follow the steps on it. Then: {wording.command}", err=True)
    if options["show"]:
        open_in_viewer(file)


# ---- entering readings


def _enter(options: dict[str, Any], target: _Target) -> None:
    printers.calibrations()  # reports a damaged file before there is anything to lose
    layout = target.layout
    before = target.known(Printer.calibration) if target.check else None
    if not target.name and options["readings"]:
        raise fault("--printer is missing", hint="choose a name for the printer, such as office")
    name = target.name or _ask("Name of the printer", "office", lambda text: printers.checked_name(text, "printer"))
    problem = ruler_problem(*_rulers(options))
    if problem and not options["accept_scale"]:
        raise InputError([problem])
    readings = _readings(options, layout)
    shift, worst = shift_of(readings), max(abs(reading.offset) for reading in readings)
    if before:
        target, shift = replace(target, tray=before.tray), after(before.shift, shift, layout)
    calibration = Calibration(name, target.tray, target.paper, target.mode, shift=shift)
    printers.store(calibration)
    if options["form"] == "json":
        echo_json(_plain(calibration) | {"largest_reading": round(worst, 3)})
        return
    if before and worst <= PASSED + 1e-9:
        echo(f"{style('Passed', 'good')}: no reading is off by more than {worst:.2f} mm.")
    elif before:
        echo(f"Readings are off by up to {worst:.2f} mm. The correction is adjusted; print the check sheet again.")
    echo(f"Backs were off by {', '.join(described(shift))}, as seen from the front.")
    echo(f"Stored in {printers.calibration_file()}.")
    trays = f" --tray {target.tray}" if target.tray else ""
    echo(f"\nPrint with it:  pencilbox make GAME --printer {name}{trays}")
    if not before:
        echo(f"Check it:       {replace(target, name=name).command('--check')}")


def _rulers(options: dict[str, Any]) -> tuple[float, float]:
    if options["rulers"] is not None:
        parts = options["rulers"].lower().replace("×", "x").split("x")
        if len(parts) != 2:
            raise fault(
                f"--rulers “{shortened(options['rulers'])}” is not two lengths", hint="type both, such as 100x100"
            )
        return ruler_length(parts[0].strip()), ruler_length(parts[1].strip())
    if options["readings"] is not None:
        return 100.0, 100.0
    echo("Measure the rulers on the front, from 0 to 100 mm.", err=True)
    return _ask("Length across in mm", "100", ruler_length), _ask("Length down in mm", "100", ruler_length)


def _readings(options: dict[str, Any], layout: CalibrationSheet) -> list[ScaleReading]:
    """The readings: from the option, or asked one by one. Those that contradict each other are asked again."""
    if options["readings"] is not None:
        return read_all([part for part in options["readings"].replace(",", " ").split() if part], layout)
    echo("Type each reading as on the sheet, such as N5, or NP5 between two lines.", err=True)
    answers: dict[int, ScaleReading] = {}
    numbers: list[int] = [*range(1, len(layout.scales) + 1)]
    for _ in range(4):
        for number in numbers:
            scale = layout.scales[number - 1]
            question = f"Scale {number}, {scale.edge} edge, {scale.spot}"
            answers[number] = _ask(question, None, partial(read, scale=scale, sheet=layout))
        readings = [answers[number] for number in sorted(answers)]
        try:
            shift_of(readings)
            break
        except ContradictionError as error:
            echo(f"{error}.", err=True)
            numbers = [*error.numbers]
    return readings


def _ask(question: str, default: str | None, read: Callable[[str], T]) -> T:
    """Asks until the answer can be read."""
    while True:
        answer = click.prompt(question, default=default, err=True)
        try:
            return read(str(answer).strip())
        except InputError as error:
            echo(f"{error}.", err=True)


# ---- listing and forgetting


def _plain(calibration: Calibration) -> dict[str, Any]:
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
    entries = printers.calibrations()
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
        echo(f"They are stored in {printers.calibration_file()}.")


def _forget(options: dict[str, Any]) -> None:
    if not options["printer"]:
        raise fault("--forget needs --printer", hint="“pencilbox calibrate --list” lists the printers")
    entries = printers.calibrations()
    paper = options["paper"].name if options["paper"] else None
    named = options["printer"], options["tray"], paper, options["mode"]
    forgotten = [
        entry for entry in entries if all(name in (None, part) for name, part in zip(named, entry.key, strict=True))
    ]
    if not forgotten:
        raise fault("nothing like this is calibrated", hint="“pencilbox calibrate --list” lists what is")
    printers.write([entry for entry in entries if entry not in forgotten])
    if options["form"] == "json":
        echo_json(list(map(_plain, forgotten)))
        return
    for entry in forgotten:
        echo(f"Forgotten: {printers.described(entry)}.")
