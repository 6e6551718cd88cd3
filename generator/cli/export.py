"""pencilbox export and pencilbox preflight"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from ..errors import Problem, fault, listed, refuse, summary
from ..exporting import export, pdf_checks, sides, tabletop
from ..exporting.pdf_checks import RULES, PreflightFinding
from ..printing.printers import chosen_printer
from ..printing.selection import Chosen, chosen_sets, refuse_unknown
from ..reading import targets
from ..reading.load import is_game, shipped
from ..reading.user_settings import settings
from .console import echo, echo_json, problem_data, progress, style, table
from .failures import VIOLATIONS
from .options import (
    Command,
    Count,
    PaperType,
    complete,
    component_option,
    printer_options,
    table_look,
    table_options,
    trust_code_option,
    workers_option,
)

_SHOWN = 6  # the number of places that are listed of each rule


@click.command(cls=Command)
@click.argument("game", required=False, metavar="[GAME]", shell_complete=complete("games"))
@click.option("--for", "name", metavar="TARGET", shell_complete=complete("targets"), help="Where to: see --list.")
@click.option("--list", "listing", is_flag=True, help="List all targets, or with --for the products of one.")
@component_option("Export")
@click.option(
    "--set", "code", metavar="CODE", shell_complete=complete("sets"), help="Export the random set with this code."
)
@click.option(
    "--product", metavar="NAME", help="Use this product of the service; components of another size are scaled to fit."
)
@click.option(
    "--dpi",
    type=Count(30, 1200),
    metavar="N",
    help="Dots per inch of pictures, for targets without products.  [default: the target’s, usually 300]",
)
@click.option(
    "--bleed/--no-bleed",
    "bleed",
    default=True,
    show_default=True,
    help="Whether pictures have bleed or end at the cut, for targets without products.",
)
@click.option(
    "--paper",
    "-p",
    "paper_",
    type=PaperType(),
    shell_complete=complete("papers"),
    help="The paper on which score sheets and rules are set.  [default: letter for products, otherwise your setting]",
)
@table_options
@trust_code_option
@click.option(
    "--output",
    "-o",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for the files.  [default: output/GAME/TARGET]",
)
@click.option(
    "--icc",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="For print shops: the ICC profile of their printing condition, to convert colours to CMYK.",
)
@click.option(
    "--surname", metavar="NAME", default="", help="For MB Print: your surname, which the file names begin with."
)
@click.option(
    "--skip",
    metavar="LIST",
    help="For cutting machines: slots that stay empty, such as 3,7; they are numbered row by row from the top left.",
)
@printer_options("For cutting machines: correct the backs for this printer, which “calibrate” has measured.")
@click.option(
    "--save", is_flag=True, help="For tabletop-simulator: also copy the saved object into the folder of the program."
)
@workers_option("1 for a few pictures, otherwise one for each core")
@click.option("--quiet", "-q", is_flag=True, help="Only print errors.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(game: str | None, name: str | None, listing: bool, **options: Any) -> None:
    """Export GAME to a print service or a virtual tabletop.

    A GAME is a name from “pencilbox games”, the folder of your own game, or a table of cards. --list names the targets,
    and docs/targets.md has a section for each. The folder is written completely or not at all, and manifest.csv in it
    lists every card with its copies and files.
    """
    if listing:
        _list(game, name, options["form"])
        return
    if not (game or options["code"]):
        raise fault("GAME is missing", hint=f"one of {', '.join(shipped())}, a folder or a table")
    chosen = one_game(game, options["code"], options)
    target = named_target(name, export.known_targets(chosen[0].folder))
    _refuse_unused(target, options)
    if options["save"] and target.definition.format != "tabletop-simulator":
        raise fault(f"--save is for tabletop-simulator, not for {target.name}")
    into = tabletop.saved_objects() if options["save"] else None
    adjusted = target.changed(dpi=options["dpi"]) if options["dpi"] else target
    report = _export(chosen, adjusted if options["bleed"] else adjusted.changed(bleed=0.0), options)
    saved = tabletop.install(report.folder, report.files, into) if into else []
    if options["form"] == "json":
        echo_json(
            {
                "target": target.name,
                "folder": str(report.folder),
                "files": report.files,
                "pieces": report.pieces,
                "left_out": report.left_out,
                "notes": list(map(problem_data, report.notes)),
            }
            | ({"saved": list(map(str, saved))} if into else {})
        )
    elif not options["quiet"]:
        echo("\n".join([*_lines(report, target), *(f"saved: {file}" for file in saved)]))


def one_game(game: str | None, code: str | None, options: Mapping[str, Any]) -> Chosen:
    """The game with its standard cards, or those of a set code. Raises InputError."""
    words, sets = (game,) if game else (), (code,) if code else ()
    selection = chosen_sets(words, sets, look=table_look(options), trust_code=options["trust_code"])
    refuse(selection.problems)
    if len(selection.chosen) != 1:
        raise fault("only one set can be exported at a time", hint="name one code with --set")
    return selection.chosen[0]


def named_target(name: str | None, known: Mapping[str, targets.Target]) -> targets.Target:
    """The target with this name. Raises InputError with what to choose from."""
    if not name:
        raise fault(
            "--for is missing",
            hint=f"choose one of {', '.join(known)}; “pencilbox export --list” says what each is for",
        )
    return targets.target(name, known)


def _refuse_unused(target: targets.Target, options: Mapping[str, Any]) -> None:
    """Raises InputError for options that this target does not have."""
    definition, pictures = target.definition, target.definition.format in ("png", "jpg")
    cutting = "" if definition.cutter else ", but for cutting machines"
    reasons = {
        "--dpi is": options["dpi"] and (target.products or not pictures) and ", which has its own resolution",
        "--icc is": options["icc"] and definition.colour != "cmyk" and ", which prints from RGB",
        "--surname is": options["surname"]
        and "{surname}" not in definition.naming
        and ", whose file names have no surname",
        "--skip is": options["skip"] and cutting,
        "--printer and --tray are": (options["printer"] or options["tray"]) and cutting,
        "--product is": options["product"] and not target.products and ", which prints every size",
    }
    problems = [Problem(f"{name} not for {target.name}{reason}") for name, reason in reasons.items() if reason]
    if not options["bleed"] and (target.products or definition.bleed == 0):
        hint = "its pictures are always as large as it needs them"
        problems.append(Problem(f"--no-bleed is not for {target.name}", hint=hint))
    refuse(problems)


def _export(chosen: Chosen, target: targets.Target, options: Mapping[str, Any]) -> export.ExportReport:
    game, deck = chosen
    dressed = deck.dress(game)
    refuse_unknown([dressed], options["component"])
    folder = options["folder"] or settings()["output"].value / export.folder_of(
        game, target, deck.code, options["component"]
    )
    steps = sum(len({card.id for card in cards}) for cards in deck.cards.values())
    order = sides.ExportOrder(
        game,
        deck,
        target,
        paper=export.paper_of(target, options["paper_"]),
        product=options["product"],
        printer=chosen_printer(options["printer"] or settings()["printer"].value, options["tray"])
        if target.definition.cutter
        else None,
        surname=options["surname"],
        processes=options["workers"],
        icc=options["icc"],
        skipped=export.slot_numbers(options["skip"]),
    )
    with progress(dressed.title, 0 if options["quiet"] else 2 * steps) as step:
        return export.export(replace(order, step=step), options["component"], folder)


# ---- showing --------------------------------------------------------------------------------------------------------


def _lines(report: export.ExportReport, target: targets.Target) -> list[str]:
    count = len(report.files)
    shown = report.files if count <= 8 else [*report.files[:6], f"... and {count - 6} more"]
    lines = [f"{report.folder}: {count:,} file{'s' * (count != 1)} for {target.name}"]
    lines += [f"  {name}" for name in shown]
    if report.left_out:
        lines.append(f"left out, because {target.name} does not take them: {listed(report.left_out)}")
    lines += [f"{style('note', 'warning')}: {problem}" for problem in summary(report.notes)]
    return lines


def _list(game: str | None, name: str | None, form: str) -> None:
    folder = Path(game) if game and Path(game).is_dir() else None
    known = export.known_targets(folder)
    if name:
        _list_products(targets.target(name, known), form)
    elif form == "json":
        echo_json([_target_data(target) for target in known.values()])
    else:
        rows = [(target.name, target.definition.service, target.definition.about) for target in known.values()]
        echo(table(("target", "service", "what you get"), rows))


def _list_products(target: targets.Target, form: str) -> None:
    if form == "json":
        echo_json(_target_data(target))
        return
    definition = target.definition
    echo(f"{style(target.name, 'bold')}: {definition.about}")
    echo(f"  {definition.format}, {definition.colour}, bleed {definition.bleed:.4g} mm, safe {definition.safe:.4g} mm")
    for label, text in (("source", definition.source), ("verified", definition.verified)):
        if text:
            echo(f"  {label}: {text}")
    if target.products:
        rows = [
            (
                product.name,
                product.kind,
                f"{product.width:.4g} x {product.height:.4g} mm",
                f"{product.pixels[0]} x {product.pixels[1]}" if product.pixels[0] else "-",
            )
            for product in target.products.values()
        ]
        echo(table(("product", "for", "trim", "pixels"), rows))


def _target_data(target: targets.Target) -> dict[str, Any]:
    definition = target.definition
    return {
        "target": target.name,
        "service": definition.service,
        "about": definition.about,
        "format": definition.format,
        "colour": definition.colour,
        "dpi": definition.dpi,
        "bleed": definition.bleed,
        "safe": definition.safe,
        "ink": definition.ink,
        "source": definition.source,
        "verified": definition.verified,
        "products": [
            {
                "product": product.name,
                "for": product.kind,
                "width": round(product.width, 3),
                "height": round(product.height, 3),
                "px": list(product.pixels) if product.pixels[0] else None,
            }
            for product in target.products.values()
        ],
    }


@click.command(cls=Command)
@click.argument("what", required=False, metavar="[GAME|PDF]", shell_complete=complete("games"))
@click.option("--for", "name", metavar="TARGET", shell_complete=complete("targets"), help="Where it is to be printed.")
@component_option("Check")
@click.option(
    "--set", "code", metavar="CODE", shell_complete=complete("sets"), help="Check the random set with this code."
)
@click.option("--product", metavar="NAME", help="The product of the service, as for “export”.")
@click.option(
    "--paper",
    "-p",
    "paper_",
    type=PaperType(),
    shell_complete=complete("papers"),
    help="The paper on which score sheets and rules are set.",
)
@click.option(
    "--icc",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The ICC profile, as for “export”.",
)
@table_options
@trust_code_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def preflight(ctx: click.Context, /, **options: Any) -> None:
    """Check what a print service would reject.

    Checks a GAME as it would be exported, or a PDF file of any program: texts near the cut, missing bleed, coarse
    pictures, fonts, colours, inks, thin lines, transparency, and page sizes. Exit codes: 0 if nothing would be
    rejected, 1 if something would, 2 if it cannot be checked.
    """
    what = options["what"]
    if not (what or options["code"]):
        raise fault("GAME or PDF is missing", hint=f"one of {', '.join(shipped())}, a folder, a table or a PDF file")
    findings = (
        _of_pdf(Path(what), options)
        if what and Path(what).suffix.lower() == ".pdf" and not is_game(what)
        else _of_game(options)
    )
    if options["form"] == "json":
        echo_json(
            {"target": options["name"], "rejected": bool(findings), "findings": list(map(_finding_data, findings))}
        )
    else:
        echo("\n".join(_finding_lines(findings, options["name"])))
    ctx.exit(VIOLATIONS if findings else 0)


def _printing(folder: Path | None) -> dict[str, targets.Target]:
    """The targets that print something."""
    known = export.known_targets(folder)
    return {name: target for name, target in known.items() if target.definition.format not in pdf_checks.SCREEN}


def _of_pdf(path: Path, options: dict[str, Any]) -> list[PreflightFinding]:
    for name in ("component", "code", "product", "paper_", "icc", "sheet", "size", "template", "font"):
        if options[name]:
            raise fault(f"--{name.rstrip('_').replace('code', 'set')} is for games, not for PDF files")
    target = named_target(options["name"], (export.known_targets if options["name"] else _printing)(None))
    if not path.is_file():
        raise fault(f"there is no file “{path}”")
    return pdf_checks.of_pdf(path, target)


def _of_game(options: dict[str, Any]) -> list[PreflightFinding]:
    chosen = one_game(options["what"], options["code"], options)
    target = named_target(options["name"], (export.known_targets if options["name"] else _printing)(chosen[0].folder))
    game, deck = chosen
    refuse_unknown([deck.dress(game)], options["component"])
    paper = export.paper_of(target, options["paper_"])
    order = sides.ExportOrder(game, deck, target, paper=paper, product=options["product"], icc=options["icc"])
    names, _ = sides.components_of(order, options["component"])
    return export.preflight(order, names)


# ---- showing --------------------------------------------------------------------------------------------------------


def _finding_lines(findings: Sequence[PreflightFinding], name: str) -> list[str]:
    if not findings:
        return [f"Nothing that {name} would reject."]
    lines = []
    for rule, about in RULES.items():
        group = [finding for finding in findings if finding.rule == rule]
        if not group:
            continue
        lines.append(f"{style(rule, 'error')}: {about}")
        alike: dict[tuple[object, ...], list[PreflightFinding]] = {}
        for finding in group:
            alike.setdefault((finding.component, finding.message, finding.place), []).append(finding)
        listed = [f"  {_where(same)}: {same[0].message}" for same in alike.values()]
        lines += listed[:_SHOWN]
        lines += [f"  and {len(listed) - _SHOWN:,} more"] if len(listed) > _SHOWN else []
        lines += [
            f"  {style('hint', 'hint')}: {hint}" for hint in dict.fromkeys(each.hint for each in group if each.hint)
        ]
    return [*lines, f"{name} would reject {len(findings):,} thing{'s' * (len(findings) != 1)}."]


def _where(same: Sequence[PreflightFinding]) -> str:
    """The place of findings that only differ in their cards."""
    if len(same) == 1:
        return same[0].where
    return f"{replace(same[0], place=None).where} and {len(same) - 1:,} more{same[0].at}"


def _finding_data(finding: PreflightFinding) -> dict[str, Any]:
    place = finding.place
    return {
        "rule": finding.rule,
        "component": finding.component or None,
        "card": finding.card or None,
        "page": finding.page or None,
        "place": {"x": place.x, "y": place.y, "width": place.width, "height": place.height} if place else None,
        "message": finding.message,
        "hint": finding.hint or None,
    }
