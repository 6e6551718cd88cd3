"""pencilbox preflight"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from ..errors import fault
from ..exporting import export, pdf_checks, sides
from ..exporting.export import known_targets, paper_of
from ..exporting.pdf_checks import RULES, PreflightFinding
from ..printing.selection import refuse_unknown
from ..reading import targets
from ..reading.load import is_game, shipped
from .console import echo, echo_json, style
from .export import named_target, one_game
from .failures import VIOLATIONS
from .options import Command, PaperType, complete, component_option, table_options, trust_code_option

_SHOWN = 6
"""The number of places that are listed of each rule."""


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
def command(ctx: click.Context, /, **options: Any) -> None:
    """Check what a print service would reject.

    Checks a GAME as it would be exported, or a PDF file of any program: texts near the cut, missing bleed, coarse
    pictures, fonts, colours, inks, thin lines, transparency, and page sizes. Exit codes: 0 if nothing would be
    rejected, 1 if something would, 2 if it cannot be checked.
    """
    what = options["what"]
    if not (what or options["code"]):
        raise fault("GAME or PDF is missing", hint=f"one of {', '.join(shipped())}, a folder, a table or a PDF file")
    findings = _of_pdf(Path(what), options) if what and _is_pdf(what) else _of_game(options)
    if options["form"] == "json":
        echo_json({"target": options["name"], "rejected": bool(findings), "findings": list(map(_plain, findings))})
    else:
        echo("\n".join(_lines(findings, options["name"])))
    ctx.exit(VIOLATIONS if findings else 0)


def _printing(folder: Path | None) -> dict[str, targets.Target]:
    """The targets that print something."""
    known = known_targets(folder)
    return {name: target for name, target in known.items() if target.definition.format not in pdf_checks.SCREEN}


def _is_pdf(what: str) -> bool:
    return Path(what).suffix.lower() == ".pdf" and not is_game(what)


def _of_pdf(path: Path, options: dict[str, Any]) -> list[PreflightFinding]:
    for name in ("component", "code", "product", "paper_", "icc", "sheet", "size", "template", "font"):
        if options[name]:
            raise fault(f"--{name.rstrip('_').replace('code', 'set')} is for games, not for PDF files")
    target = named_target(options["name"], (known_targets if options["name"] else _printing)(None))
    if not path.is_file():
        raise fault(f"there is no file “{path}”")
    return pdf_checks.of_pdf(path, target)


def _of_game(options: dict[str, Any]) -> list[PreflightFinding]:
    chosen = one_game(options["what"], options["code"], options)
    target = named_target(options["name"], (known_targets if options["name"] else _printing)(chosen[0].folder))
    game, deck = chosen
    refuse_unknown([deck.dress(game)], options["component"])
    paper = paper_of(target, options["paper_"])
    order = sides.ExportOrder(game, deck, target, paper=paper, product=options["product"], icc=options["icc"])
    names, _ = sides.components_of(order, options["component"])
    return export.preflight(order, names)


# ---- showing --------------------------------------------------------------------------------------------------------


def _lines(findings: Sequence[PreflightFinding], name: str) -> list[str]:
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
    count = f"{len(findings):,} thing{'s' * (len(findings) != 1)}"
    return [*lines, f"{name} would reject {count}."]


def _where(same: Sequence[PreflightFinding]) -> str:
    """The place of findings that only differ in their cards."""
    if len(same) == 1:
        return same[0].where
    return f"{replace(same[0], place=None).where} and {len(same) - 1:,} more{same[0].at}"


def _plain(finding: PreflightFinding) -> dict[str, Any]:
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
