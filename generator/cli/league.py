"""pencilbox league"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click
import msgspec

from ..errors import did_you_mean, fault
from ..files import save
from ..league import Choice, League, Play, PlayerStanding, league_file, league_table, lowest_win
from ..league.plays import bgsplay_export, checked_date, csv_export, csv_text, imported, json_export, share_link
from ..rules.results import number_text
from .console import aligned, columns, echo, echo_json, may_write, qr_code, show_notes, style
from .options import Command, Count, as_object, complete

EMPTY = "The league is empty. Save a scored sheet to begin it: pencilbox score SHEET --save"
_EXPORTS: dict[str, Callable[[Sequence[Play]], bytes]] = {
    ".json": json_export,
    ".csv": csv_export,
    ".bgsplay": bgsplay_export,
}
_QUIET_ZONE = 4  # modules around a QR code (ISO/IEC 18004, section 9.1)


class LeagueGroup(Command, click.Group):
    """The group of commands; without one, it shows the table."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] not in self.get_help_option_names(ctx)):
            args = ["table", *args]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in self.commands:
            raise fault(f"there is no command “league {args[0]}”", hint=did_you_mean(args[0], self.commands))
        return super().resolve_command(ctx, args)


class DayType(click.ParamType):  # type: ignore[type-arg]  # older versions of click have no type argument
    """A date such as 2026-11-21."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return checked_date(str(value), future=True)


@click.group(cls=LeagueGroup, subcommand_metavar="[COMMAND] [ARGS]...")
def command() -> None:
    """Show the table of the games you have saved, and manage them.

    “pencilbox score SHEET --save” saves a game. The league is a file in your data folder; --file and the environment
    variable PENCILBOX_LEAGUE name another one. Without a COMMAND, the table is shown.

    \b
    pencilbox league                                  the table of all games
    pencilbox league --game upwards --since 2026-01-01
    pencilbox league plays                            the last games, with their numbers
    pencilbox league export league.json               a copy to keep
    """


def _file_option(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the option --file to a command, which gets the league."""

    @wraps(function)
    def with_league(file: Path | None, **options: Any) -> None:
        function(League(league_file(file)), **options)

    path = click.Path(dir_okay=False, path_type=Path)
    help_text = "The file of the league.  [default: PENCILBOX_LEAGUE, or one in your data folder]"
    return click.option("--file", type=path, metavar="FILE", help=help_text)(with_league)


_choice_options = as_object(
    "choice",
    Choice,
    click.option("--game", metavar="GAME", shell_complete=complete("games"), help="Only this game."),
    click.option("--event", metavar="NAME", help="Only games of this league or evening."),
    click.option("--since", type=DayType(), metavar="DATE", help="Only games since this day."),
    click.option("--until", type=DayType(), metavar="DATE", help="Only games until this day."),
)
"""The options that choose plays."""


def _format_option(*forms: str) -> Callable[..., Any]:
    return click.option("--format", "form", type=click.Choice(forms), default="text", show_default=True)


_yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
_command = partial(command.command, cls=Command)


# ---- showing


@_command("table")
@_file_option
@_choice_options
@_format_option("text", "json", "csv")
def _table(league: League, choice: Choice, form: str) -> None:
    """Show the table: wins, places and ratings of all players.

    Players who tie share the win. Elo ratings start at 1,500; two times in three, the true one is within ±. They also
    take into account the games before --since. Games with one player, games that are not over, and sheets that break a
    rule do not count.
    """
    rows = league_table(league, choice)
    if form == "json":
        echo_json(msgspec.to_builtins(rows))
    elif form == "csv":
        head = [name for name in PlayerStanding.__struct_fields__ if name != "last"]
        values = [[_rounded(getattr(row, name)) for name in head] for row in rows.standings]
        echo(csv_text(head, values).replace("\r\n", "\n"), nl=False)
    elif not rows.plays:
        _say_empty(choice)
    else:
        headings = "", "player", "played", "won", "win rate", "place", "last five", "streak", "Elo"
        cells = [
            (
                str(rank),
                row.player,
                str(row.played),
                f"{round(row.won, 2):g}",
                f"{row.win_rate:.0%}",
                "–" if row.place is None else f"{row.place:.1f}",
                "".join("W" if share == 1 else "T" if share else "-" for share in row.last),
                str(row.streak or "–"),
                f"{row.elo:,.0f} ±{row.deviation:.0f}",
            )
            for rank, row in enumerate(rows.standings, 1)
        ]
        others = rows.plays - rows.counted
        closing = f"{_plays(rows.plays)} from {rows.first_date} to {rows.last_date}"
        if others:
            closing += f"; {others} not counted, “pencilbox league plays” shows why"
        echo("\n".join([*([aligned(headings, cells, left=(1, 6))] if cells else []), f"{closing}."]))


def _plays(count: int) -> str:
    return f"{count:,} play{'s' * (count != 1)}"


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


def _say_empty(choice: Choice) -> None:
    echo(EMPTY if choice == Choice() else "No saved game matches these options.")


@_command("plays")
@_file_option
@_choice_options
@click.option("--player", metavar="NAME", help="Only games of this player.")
@click.option(
    "--last", type=Count(1, 1_000_000), metavar="N", help="The last N games.  [default: 20 as text, else all]"
)
@_format_option("text", "json", "csv")
def _list(league: League, choice: Choice, player: str | None, last: int | None, form: str) -> None:
    """List the games, and why some do not count.

    The newest comes last. “forget”, “share” and “score --replace” take the number of a play.
    """
    plays = league.plays(choice, whole=form != "text")
    if player:
        name = league.named(player)
        plays = [play for play in plays if name in play.players]
    shown = plays[-(last or 20) :] if last or form == "text" else plays
    if form == "json":
        echo_json([msgspec.to_builtins(play) | {"photos": [*map(str, league.photos(play.number))]} for play in shown])
    elif form == "csv":
        echo(csv_export(shown).decode("utf-8-sig").replace("\r\n", "\n"), nl=False)
    elif not shown:
        _say_empty(choice)
    else:
        rows = [(str(play.number), play.date, play.title, _result(play)) for play in shown]
        echo(aligned(("play", "date", "game", "result"), rows, left=(1, 2, 3)))
        for each in shown:
            for photo in league.photos(each.number):
                echo(f"photo of play {each.number}: {photo}")
        if len(shown) < len(plays):
            echo(f"{_plays(len(plays) - len(shown))} before that; --last {len(plays)} lists all.")


def _result(play: Play) -> str:
    """The players by their places, with points: `Nele 23, Otto 19`."""
    seats = sorted(play.seats, key=lambda seat: seat.place or 0)
    words = [seat.player if seat.points is None else f"{seat.player} {number_text(seat.points)}" for seat in seats]
    reason = {"solo": "one player", "counted": ""}.get(play.status, f"not counted: {play.reason}")
    return ", ".join(words) + (f" ({reason})" if reason else "")


@_command("player")
@click.argument("name")
@_file_option
@_choice_options
@_format_option("text", "json")
def _player(league: League, choice: Choice, name: str, form: str) -> None:
    """Show the rating, the points and the opponents of a player."""
    name = league.named(name)
    rows = league_table(league, choice)
    standing = next((row for row in rows.standings if row.player == name), None)
    points = [each for each in rows.points if each.player == name]
    duels = [each for each in rows.head_to_head if each.player == name]
    if form == "json":
        echo_json(msgspec.to_builtins({"player": name, "standing": standing, "points": points, "head_to_head": duels}))
        return
    if standing:
        echo(f"{style(name, 'bold')}: Elo {standing.elo:,.0f} ±{standing.deviation:.0f}, {_plays(standing.played)}, "
             f"won {round(standing.won, 2):g} ({standing.win_rate:.0%})")  # fmt: skip
    else:
        echo(f"{style(name, 'bold')}: no game that counts")
    if points:
        cells = [(p.title, p.sheet, str(p.played), number_text(p.best), f"{p.average:.1f}") for p in points]
        echo("\n" + aligned(("game", "sheet", "played", "best", "average"), cells, left=(0, 1)))
    if duels:
        pairs = [(each.opponent, str(each.before), str(each.after), str(each.tied)) for each in duels]
        echo("\n" + aligned(("opponent", "finished before", "after", "tied"), pairs, left=(0,)))


@_command("share")
@click.argument("play", type=click.IntRange(1))
@_file_option
def _share(league: League, play: int) -> None:
    """Share a PLAY with the app BG Stats.

    Prints a link that adds the play to the app, and its QR code to scan with a phone. Opened again, the link updates
    the play.
    """
    shared = league.play(play)
    lowest = (shared.game, shared.sheet) in lowest_win(league.plays(Choice(game=shared.game)))
    link = share_link(shared, lowest_wins=lowest)
    echo(link)
    code = _qr_code(link)
    if len(code[0]) <= columns():
        echo("\n" + "\n".join(code))
    else:
        show_notes([f"the QR code needs a terminal of {len(code[0])} columns"])


def _qr_code(text: str) -> list[str]:
    """A QR code as lines of half blocks. Light modules are painted, as most terminals are dark."""
    matrix = [bytes(row) for row in qr_code(text, "l").matrix]
    edge, side = bytes(_QUIET_ZONE), bytes(len(matrix) + 2 * _QUIET_ZONE)
    rows = [*[side] * _QUIET_ZONE, *[edge + row + edge for row in matrix], *[side] * (_QUIET_ZONE + len(matrix) % 2)]
    return [
        "".join(" ▄▀█"[2 * (not upper) + (not lower)] for upper, lower in zip(rows[y], rows[y + 1], strict=True))
        for y in range(0, len(rows) - 1, 2)
    ]


# ---- changing


@_command("rename")
@click.argument("old")
@click.argument("new")
@_file_option
def _rename(league: League, old: str, new: str) -> None:
    """Change the name of the player OLD to NEW."""
    before, after = league.rename(old, new)
    echo(f"Renamed “{before}” to “{after}”.")


@_command("merge")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="INTO")
@_yes_option
@_file_option
def _merge(league: League, source: str, target: str, yes: bool) -> None:
    """Make two names one player.

    All games of FROM become games of INTO. This cannot be undone, except by importing an older export into a new file.
    """
    name, into, count = league.merge(source, target, carry_out=False)
    _confirm(f"{_plays(count)} of {name} will be {into}’s, and {name} will be gone. This cannot be undone.", yes)
    league.merge(source, target)
    echo(f"Merged: {_plays(count)} of {name} {'is' if count == 1 else 'are'} now {into}’s.")


@_command("forget")
@click.argument("play", type=click.IntRange(1))
@_yes_option
@_file_option
def _forget(league: League, play: int, yes: bool) -> None:
    """Delete a PLAY. Its sheets can be saved again."""
    forgotten = league.play(play)
    words = f"{forgotten.date}  {forgotten.title}  {_result(forgotten)}"
    _confirm(f"Play {play} will be deleted ({words}).", yes)
    league.forget(play)
    echo(f"Forgotten: play {play}.")


def _confirm(words: str, yes: bool) -> None:
    """Says what will happen and asks; raises InputError if the answer is no, or if there is nobody to ask."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise fault(f"this must be confirmed: {words[:1].lower()}{words[1:].rstrip('.')}", hint="add --yes")
    echo(words, err=True)
    if not click.confirm("Go on?", default=False, err=True):
        raise fault("nothing was changed")


# ---- files


@_command("export")
@click.argument("target", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace an existing file without asking.")
@_file_option
@_choice_options
def _export(league: League, choice: Choice, target: Path, force: bool) -> None:
    """Write the games into FILE.

    FILE ends with .json for everything, which “league import” reads, with .csv for a spreadsheet, or with .bgsplay for
    BG Stats.
    """
    write = _EXPORTS.get(target.suffix.lower())
    if write is None:
        raise fault(f"“{target.name}” does not end with {', '.join(_EXPORTS)}", hint="the ending says what is written")
    plays = league.plays(choice, whole=True)
    if not plays:
        raise fault("there is nothing to export", hint="“pencilbox league” shows what is saved")
    may_write([target], force)
    save(write(plays), target)
    echo(f"{target}  {_plays(len(plays))}", err=True)


@_command("import")
@click.argument("source", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@_file_option
def _import(league: League, source: Path) -> None:
    """Add the games of an exported FILE.

    FILE is what “league export FILE.json” has written. Games that are there already stay as they are.
    """
    plays = imported(source)
    count = league.add(plays)
    there = len(plays) - count
    echo(f"Imported: {_plays(count)}{f', {there} there already' if there else ''}.")
