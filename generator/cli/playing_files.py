"""What simulated games leave in files: their sheets, and the report on them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import yaml

from ..definitions.models import Game
from ..games.simulation import Sheet
from ..simulation.report import Report

_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_WIDTH = 118


def write_sheets(folder: Path, games: Iterable[tuple[int, list[Sheet]]]) -> None:
    """Every game as a file `game-00001.yaml`, or as one for each player, `game-00001-ann.yaml`."""
    from ..pdf import save

    for number, sheets in games:
        for sheet in sheets:
            name = f"-{sheet['player'].lower()}" if len(sheets) > 1 else ""
            save(typed(sheet).encode(), folder / f"game-{number + 1:05}{name}.yaml")


def typed(sheet: Sheet) -> str:
    """A sheet as one would type it."""
    text: str = yaml.dump(sheet, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
    return text


def write_text(text: str, file: Path | None) -> None:
    """The report to standard output, or whole into a file."""
    if file is None:
        click.echo(text)
        return
    from ..pdf import save
    save(f"{text}\n".encode(), file)


def write_pdf(game: Game, report: Report, file: Path | None) -> None:
    """The report on a page, and the name of its file to standard output."""
    from ..pdf import save
    from ..printing.balance_report import sheet

    file = file or Path("output") / report.setting.game / "balance.pdf"
    save(sheet(game, report), file)
    click.echo(str(file))
