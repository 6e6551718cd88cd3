"""League: who has played and won, how strong everyone is, and the last games."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from urllib.parse import urlencode

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from ..errors import InputError
from ..league import Choice, League, LeagueTable, Play, RatingPoint, RatingSeries, league_table, lowest_win
from ..league.plays import bgsplay_export, csv_export, json_export, share_link
from ..reading.load import shipped
from . import worker
from .projects import Projects
from .responses import JSON, body_of, page, qr_code

PERIODS = {"": "All time", "year": "This year", "quarter": "The last three months", "month": "The last month"}
_DAYS = {"quarter": 91, "month": 30}
LAST_GAMES = 5
ALL_GAMES = 500
WIDTH, HEIGHT = 820.0, 250.0
"""The chart in its own units, without the labels of its axes."""
LABEL_HEIGHT = 16.0
_EXPORTS = {
    "json": (json_export, "application/json"),
    "csv": (csv_export, "text/csv; charset=utf-8"),
    "bgsplay": (bgsplay_export, "application/json"),
}


async def league(request: Request) -> Response:
    values, projects = request.query_params, request.app.state.projects
    project = projects.get(values["project"]) if values.get("project") else None
    if project:
        await project.current()  # for its title
    choice = Choice(game=values.get("game", ""), since=_since(values.get("period", "")))
    try:
        table, plays = await worker.call(lambda: (league_table(League(), choice), League().plays(choice)))
    except InputError as error:
        return page(request, "error", area="league", project=project, status=422, message=str(error.problems[0]))
    chosen = values.get("player") or (table.standings[0].player if table.standings else "")
    listed = plays[::-1][: ALL_GAMES if "all" in values else LAST_GAMES]
    return page(
        request,
        "league",
        area="league",
        project=project,
        table=table,
        total=len(plays),
        listed=[(play, _day(play.date)) for play in listed],
        chosen=chosen,
        chart=_chart(table.series, chosen),
        duels={(pair.player, pair.opponent): pair for pair in table.head_to_head},
        periods=PERIODS,
        query=dict(values),
        link=lambda **changed: _link(dict(values), changed),
        covers=_covers(projects, table),
        since=_day(table.first_date) if table.first_date else "",
    )


def _link(values: dict[str, str], changed: dict[str, str]) -> str:
    kept = {name: value for name, value in {**values, **changed}.items() if value}
    return f"/league?{urlencode(kept)}"


def _since(period: str) -> str:
    today = datetime.date.today()
    if period == "year":
        return f"{today.year}-01-01"
    return str(today - datetime.timedelta(_DAYS[period])) if period in _DAYS else ""


def _day(date: str) -> str:
    """A date as it is read aloud: 21 November 2026."""
    day = datetime.date.fromisoformat(date)
    return f"{day.day} {day:%B %Y}"


def _covers(projects: Projects, table: LeagueTable) -> dict[str, str]:
    """The projects with pictures of the games, by game."""
    open_games = {project.folder.name: project.key for project in projects} | {key: key for key in shipped()}
    return {game: open_games[game] for game, _ in table.games if game in open_games}


# ---- the chart of ratings


class ChartLine(Struct):
    """The ratings of a player: the points of the line, its last point, and the height of its label. `band` is the
    outline of the deviation."""

    player: str
    points: str
    end: tuple[float, float]
    label: float
    band: str = ""


class Chart(Struct):
    """Ratings over time: lines, and what the axes say at which positions."""

    lines: Sequence[ChartLine]
    levels: Sequence[tuple[float, str]]
    days: Sequence[tuple[float, str]]


def _chart(series: Sequence[RatingSeries], chosen: str) -> Chart | None:
    """The chart, with the deviation of the chosen player as a band; None without plays."""
    if not series:
        return None
    dates = sorted({point.date for each in series for point in each.points})
    first, last = (datetime.date.fromisoformat(date).toordinal() for date in (dates[0], dates[-1]))
    ratings = [(point, (each.player == chosen) * point.deviation) for each in series for point in each.points]
    shown = [point.elo + sign * deviation for point, deviation in ratings for sign in (-1, 1)]
    low, high = 100 * (min(shown) // 100), 100 * -(-max(shown) // 100)

    def at(date: str) -> float:
        day = datetime.date.fromisoformat(date).toordinal()
        return WIDTH * (day - first) / (last - first) if last > first else WIDTH

    def up(elo: float) -> float:
        return HEIGHT * (high - elo) / ((high - low) or 1)

    def trace(points: Sequence[RatingPoint], sign: int = 0) -> str:
        return " ".join(f"{at(point.date):.1f},{up(point.elo + sign * point.deviation):.1f}" for point in points)

    lines = []
    for each in series:
        end = at(each.points[-1].date), up(each.points[-1].elo)
        band = f"{trace(each.points, 1)} {trace(each.points[::-1], -1)}" if each.player == chosen else ""
        lines.append(ChartLine(each.player, trace(each.points), end, label=0.0, band=band))
    _place_labels(lines)
    step = int(100 * -(-(high - low) // 500)) or 100
    levels = [(up(level), f"{level:,}") for level in range(int(low), int(high) + 1, step)]
    return Chart(lines, levels, [(at(date), _day(date)) for date in dict.fromkeys((dates[0], dates[-1]))])


def _place_labels(lines: Sequence[ChartLine]) -> None:
    """Moves labels down where they would overlap the one above, and back up at the lower end."""
    ordered = sorted(lines, key=lambda line: line.end[1])
    below = -LABEL_HEIGHT
    for line in ordered:
        line.label = below = max(line.end[1], below + LABEL_HEIGHT)
    above = HEIGHT + LABEL_HEIGHT
    for line in reversed(ordered):
        line.label = above = min(line.label, above - LABEL_HEIGHT)


# ---- changes and exports


class Renaming(Struct):
    """A player who gets another name, or whose plays go to another player."""

    player: str
    to: str


async def rename(request: Request) -> Response:
    names = await body_of(request, Renaming)
    old, new = await worker.call(League().rename, names.player, names.to)
    return JSON({"said": f"{old} is now {new}."})


async def merge(request: Request) -> Response:
    """Merges two players; with `?try`, only says what would happen."""
    names = await body_of(request, Renaming)
    tried = "try" in request.query_params
    source, target, count = await worker.call(League().merge, names.player, names.to, carry_out=not tried)
    games = f"{count} game{'s' * (count != 1)}"
    return JSON({"said": f"{games} of {source} {'will be' if tried else 'are'} {target}’s."})


async def forget(request: Request) -> Response:
    """Deletes a play."""
    await worker.call(League().forget, request.path_params["number"])
    return JSON({"said": "The game is deleted."})


async def export(request: Request) -> Response:
    """All plays as a file."""
    kind = request.path_params["kind"]
    if kind not in _EXPORTS:
        raise HTTPException(404, f"There is no export “{kind}”.")
    write, media_type = _EXPORTS[kind]
    data = write(await worker.call(League().plays, Choice(), whole=True))
    head = {"Content-Disposition": f'attachment; filename="league.{kind}"'}
    return Response(data, media_type=media_type, headers=head)


async def play_page(request: Request) -> Response:
    """One play: its sheets, why it does not count, and the link to BG Stats."""
    play = await worker.call(League().play, request.path_params["number"])
    count = len(League().photos(play.number))
    return page(request, "play", area="league", play=play, day=_day(play.date), link=_link_of(play), photos=count)


async def photo(request: Request) -> Response:
    """A photo of a sheet that was kept with its play."""
    kept = League().photos(request.path_params["number"])[request.path_params["photo"] :]
    if not kept:
        raise HTTPException(404, "This photo is not kept.")
    return FileResponse(kept[0])


def _link_of(play: Play) -> str:
    return share_link(play, (play.game, play.sheet) in lowest_win(League().plays()))


async def play_code(request: Request) -> Response:
    """The QR code that opens a play in BG Stats."""
    play = await worker.call(League().play, request.path_params["number"])
    return qr_code(_link_of(play))


ROUTES = [
    Route("/league", league),
    Route("/league/rename", rename, methods=["POST"]),
    Route("/league/merge", merge, methods=["POST"]),
    Route("/league/league.{kind}", export),
    Route("/league/play/{number:int}", play_page),
    Route("/league/play/{number:int}/forget", forget, methods=["POST"]),
    Route("/league/play/{number:int}/qr.svg", play_code),
    Route("/league/play/{number:int}/{photo:int}.jpg", photo),
]
