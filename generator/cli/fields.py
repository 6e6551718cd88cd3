"""pencilbox fields"""

from __future__ import annotations

import click

from ..definitions.load import load
from ..definitions.models import Game
from ..definitions.sizes import Paper, papers
from ..errors import did_you_mean, fault
from ..fieldmap import field_map, layout_ids
from ..fieldmap.field_map import Cell, CellMap
from ..games import deal
from ..printing.press import Press, sheet_paper
from . import completions
from .common import Command
from .console import echo, echo_json
from .settings import usual_paper


@click.command(cls=Command)
@click.argument("game", shell_complete=completions.games)
@click.argument("sheet", shell_complete=completions.sheets)
@click.option(
    "--paper",
    "-p",
    "on",
    metavar="PAPER",
    shell_complete=completions.papers,
    help="a4, letter, legal, ... or a size such as 8.5x14in.  [default: as in your settings, else a4]",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--register",
    is_flag=True,
    help="For contributors: register the layouts of a changed shipped sheet on every paper.",
)
def command(game: str, sheet: str, on: str | None, form: str, register: bool) -> None:
    """List where each field of a score SHEET of GAME is on paper, in mm, and which marks it takes."""
    definition = load(game)
    if register:
        _register(definition, sheet)
        return
    cells = _map(definition, sheet, usual_paper(on))
    number = field_map.layout_id(cells)
    if form == "json":
        echo_json(field_map.plain(cells, number))
    else:
        echo("\n".join(_lines(cells, number)))


def _map(game: Game, sheet: str, on: Paper) -> CellMap:
    if sheet not in game.sheets:
        raise fault(f"{game.key} has no score sheet “{sheet}”", hint=did_you_mean(sheet, game.sheets))
    part = game.components[sheet]
    half = sheet_paper(part, on)
    frames = Press(game, deal(game)).blank_corners(part, half)
    return field_map.cell_map(frames, game.sheets[sheet], half, game)


def _register(game: Game, sheet: str) -> None:
    maps = [_map(game, sheet, on) for on in papers().values() if on.registered]
    if maps[0].own:
        raise fault(f"{game.key} is not a shipped game", hint="layouts of your own games need no registration")
    given = layout_ids.register(map(field_map.layout, maps), layout_ids.FILE)
    for cells in maps:
        number = field_map.layout_id(cells)
        echo(f"{number}  {field_map.layout(cells)}{'  (new)' if number in given else ''}")


def _lines(cells: CellMap, number: int) -> list[str]:
    pages = f"{cells.pages} page{'s' if cells.pages > 1 else ''}"
    rows = [("field", "kind", "page", "x", "y", "width", "height", "marks"), *map(_row, cells.cells)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head = (
        f"{cells.game}, {cells.sheet} on {cells.paper}: layout {number}, {cells.width:g} × {cells.height:g} mm, {pages}"
    )
    return [
        head,
        *(
            "  ".join(
                _aligned(text, width, at) for at, (text, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ),
    ]


def _row(cell: Cell) -> tuple[str, ...]:
    numbers = (f"{length:.2f}" for length in (cell.x, cell.y, cell.width, cell.height))
    return cell.field, cell.kind, str(cell.page), *numbers, _marks(cell)


def _marks(cell: Cell) -> str:
    if not isinstance(cell.marks, str):
        return " ".join(cell.marks)
    return cell.marks + (f", {cell.span.low} to {cell.span.high}" if cell.span else f", at most {cell.length}")


def _aligned(text: str, width: int, column: int) -> str:
    """Aligns names left and numbers right."""
    return text.rjust(width) if 2 <= column <= 6 else text.ljust(width)
