"""pencilbox fields"""

from __future__ import annotations

import click

from ..errors import did_you_mean, fault
from ..games import deal
from ..model.game import Game
from ..pages.field_map import FieldMap, MappedField, layout, layout_id, plain
from ..pages.field_map import register as add_layouts
from ..printing.jobs import layout_of
from ..printing.press import Press, refuse_too_small
from ..reading.load import load
from ..reading.sizes import Paper, papers
from ..reading.user_settings import usual_paper
from .console import aligned, echo, echo_json
from .options import Command, complete


@click.command(cls=Command)
@click.argument("game", shell_complete=complete("games"))
@click.argument("sheet", shell_complete=complete("sheets"))
@click.option(
    "--paper",
    "-p",
    "paper_name",
    metavar="PAPER",
    shell_complete=complete("papers"),
    help="a4, letter, legal, ... or a size such as 8.5x14in.  [default: as in your settings, else a4]",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--register",
    is_flag=True,
    help="For contributors: after a change to a shipped sheet, register its layout on every paper.",
)
def command(game: str, sheet: str, paper_name: str | None, form: str, register: bool) -> None:
    """List where each field of a score SHEET of GAME is on paper, in mm, and which marks it takes."""
    definition = load(game)
    if register:
        _register(definition, sheet)
        return
    field_map = _map(definition, sheet, usual_paper(paper_name))
    number = layout_id(field_map)
    if form == "json":
        echo_json(plain(field_map, number))
    else:
        echo(_text(field_map, number))


def _map(game: Game, sheet: str, paper: Paper, large: bool = False) -> FieldMap:
    if sheet not in game.sheets:
        raise fault(f"{game.key} has no score sheet “{sheet}”", hint=did_you_mean(sheet, game.sheets))
    part = game.components[sheet]
    press = Press(game, deal(game))
    refuse_too_small(press, [sheet], paper)
    return layout_of(press, part, paper, large=large)[0]


def _register(game: Game, sheet: str) -> None:
    sizes = (False, True) if game.components[sheet].definition.large else (False,)
    maps = [_map(game, sheet, paper, large) for large in sizes for paper in papers().values() if paper.registered]
    if maps[0].own:
        raise fault(f"{game.key} is not a shipped game", hint="layouts of your own games need no registration")
    registered = add_layouts(map(layout, maps))
    for field_map in maps:
        number = layout_id(field_map)
        echo(f"{number}  {layout(field_map)}{'  (new)' if number in registered else ''}")


_COLUMNS = ("field", "kind", "page", "x", "y", "width", "height", "marks")


def _text(field_map: FieldMap, number: int) -> str:
    pages = f"{field_map.pages} page{'s' if field_map.pages > 1 else ''}"
    size = f"{field_map.width:g} × {field_map.height:g} mm"
    head = f"{field_map.game}, {field_map.sheet} on {field_map.paper}: layout {number}, {size}, {pages}"
    return f"{head}\n{aligned(_COLUMNS, list(map(_row, field_map.fields)), left=(0, 1, 7))}"


def _row(field: MappedField) -> tuple[str, ...]:
    numbers = (f"{length:.2f}" for length in (field.x, field.y, field.width, field.height))
    return field.id, field.kind, str(field.page), *numbers, _marks(field)


def _marks(field: MappedField) -> str:
    if not isinstance(field.marks, str):
        return " ".join(field.marks)
    return field.marks + (f", {field.span.low} to {field.span.high}" if field.span else f", at most {field.length}")
