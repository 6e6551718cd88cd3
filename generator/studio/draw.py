"""Draw: random sets with their codes and pictures, and how fair they are."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from .. import games
from ..draws import KINDS, draw_kinds, parse
from ..errors import InputError, fault, noting
from ..model.game import Game
from ..model.print_settings import DEFAULT
from ..printing.balance_report import contents
from ..printing.press import Press
from ..printing.selection import print_run
from ..reading.load import load
from ..reading.sizes import paper
from ..simulation import simulate
from ..simulation.report import Job, Tally, read_balance, summarise
from ..simulation.simulate import games_in_ten_seconds
from . import worker
from .design import side_data
from .drawing import Snapshot
from .events import event
from .projects import Project, problem_data
from .responses import JSON, answering, fragment, page, project_of, qr_code

MAX_SETS = 100
SECONDS = 0.4
"""Seconds between two states of a chart that grows."""
RUN = "run"
"""The option for sets with no card in common, which is a switch of its own."""


class DrawOrder(Struct):
    """What to draw: a kind of set with its options, as `randomise` takes them."""

    kind: str | None = None
    options: dict[str, str] = {}
    seed: str = ""
    count: Annotated[int, Meta(ge=1, le=MAX_SETS)] = 1
    no_common_cards: bool = False


async def draw(request: Request) -> Response:
    project = project_of(request)
    snapshot = await project.current()
    kinds = _kinds(snapshot.game) if snapshot else []
    return page(request, "draw", area="draw", project=project, kinds=kinds, code=request.query_params.get("code", ""))


def _kinds(game: Game) -> list[dict[str, Any]]:
    """The kinds of random sets with their options: each with its values and the usual one."""
    kinds = []
    for name, definition in game.draws.items():
        usual = definition.recipes[draw_kinds.default_recipe(game, definition)]
        options = [
            {"name": option, "values": values, "usual": _usual(values, usual.get(option, ()))}
            for option, values in draw_kinds.options_of(game, definition).items()
            if option != RUN
        ]
        runs = any(RUN in recipe for recipe in definition.recipes.values())
        kinds.append({"name": name, "about": definition.about, "options": options, "runs": runs})
    return kinds


def _usual(values: tuple[str, ...], usual: tuple[str, ...]) -> str:
    """The value that is chosen at first; “” for a switch that is off."""
    return "" if values == ("yes",) else next((value for value in values if value in usual), values[0])


def draw_sets(project: Project, snapshot: Snapshot, order: DrawOrder) -> dict[str, Any]:
    """Draws sets; answers with their codes."""
    drawn, wanted = (snapshot.game, order.seed.strip() or None), (order.kind, order.options)
    if order.no_common_cards:
        return {"codes": list(map(str, print_run(*drawn, *wanted, size=order.count)))}
    return {"codes": [str(games.new_code(*drawn, at, *wanted)) for at in range(order.count)]}


async def one_set(request: Request) -> Response:
    """A set by its code: what was drawn, as pictures and as text."""
    project = project_of(request)
    snapshot = await project.readable()
    return JSON(await worker.call(_set_data, project, snapshot, request.path_params["code"]))


def _set_data(project: Project, snapshot: Snapshot, code: str) -> dict[str, Any]:
    game = snapshot.game
    parsed = parse(code, prefix=game.definition.prefix)
    dealt = games.deal(game, parsed)
    shown = Snapshot(game, Press(game, dealt, DEFAULT), snapshot.paper, [], [])
    options = draw_kinds.options_of_code(game, parsed)
    with noting():
        parts = [
            {
                "name": name,
                "title": dealt.components_of(game)[name].definition.title,
                "pieces": [
                    {"title": each.title, "copies": each.copies, "front": side_data(project, shown, each.front)}
                    for each in shown.part(name).pieces
                ],
            }
            for name in sorted(dealt.changes(game), key=lambda name: dealt.components_of(game)[name].kind == "sheet")
        ]
    return {
        "code": str(parsed),
        "kind": draw_kinds.draw_of(game, parsed),
        "options": [f"{option}: {' or '.join(values)}" for option, values in options.items() if values != ("yes",)],
        "is_deal": KINDS[parsed.kind] == "deal",
        "lines": games.random_sets(game).lines(game, dealt),
        "parts": parts,
        "problems": list(map(problem_data, shown.found)),
    }


async def set_pdf(request: Request) -> Response:
    """A component of a set as a PDF to print, on the paper in `?paper=`."""
    project = project_of(request)
    snapshot = await project.readable()
    code, part = request.path_params["code"], request.path_params["part"]
    data = await worker.call(_pdf, snapshot.game, code, part, request.query_params.get("paper", "a4"))
    name = f'inline; filename="{part}-{code}.pdf"'
    return Response(data, media_type="application/pdf", headers={"Content-Disposition": name})


def _pdf(game: Game, code: str, part: str, size: str) -> bytes:
    parsed = parse(code, prefix=game.definition.prefix)
    dealt = games.deal(game, parsed)
    if part not in dealt.changes(game):
        raise fault(f"the set {parsed} has no component “{part}”")
    with noting():
        return Press(game, dealt).component(part, paper(size)).pdf


async def set_code(request: Request) -> Response:
    """The QR code of a set code."""
    return qr_code(str(parse(request.path_params["code"])))


# ---- balance


class BalanceOrder(Struct, frozen=True):
    """Games to play: of the standard set, or of the set with a code; 0 players and 0 games mean the usual numbers."""

    game: str
    code: str | None
    players: int
    games: int
    trust_code: bool


async def balance(request: Request) -> Response:
    """Plays games and sends how they end, as events `state` with a chart that grows, and at the end `done`. Closing the
    connection stops the games."""
    project = project_of(request)
    snapshot = await project.readable()
    values = request.query_params
    source = project.key if project.is_shipped else str(project.source)
    players, count = _number(values.get("players")), _number(values.get("games"))
    if values.get("code"):
        parse(values["code"], prefix=snapshot.game.definition.prefix)
    order = BalanceOrder(source, values.get("code") or None, players, count, project.trust_code)
    return StreamingResponse(
        _states(order), media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


def _number(text: str | None) -> int:
    """A number in an address; 0 if there is none. Raises 400 for other texts."""
    if text and not (text.isascii() and text.isdigit() and len(text) < 8):
        raise HTTPException(400, f"“{text[:20]}” is not a number.")
    return int(text or 0)


async def _states(order: BalanceOrder) -> AsyncIterator[bytes]:
    running = worker.Background(play, order)
    try:
        async for kind, state in running.messages():
            if kind == "progress":
                state["html"] = fragment("balance", shown=state.pop("page"), played=state["played"])
                yield event("state", state)
        yield event("done", {})
    except InputError as error:
        yield event("problems", list(map(problem_data, error.problems)))
    finally:
        running.cancel()


def play(report: Callable[[Any], None], order: BalanceOrder) -> None:
    """Plays the games in a process of its own and reports what they show so far."""
    name, code, trust = order.game, order.code, order.trust_code
    players = order.players or simulate.usual_players(name, code, trust)
    lineup = simulate.strategies_of(name, code, trust)[-1:] * players
    simulation = simulate.prepare(name, code, players, "", trust_code=trust)
    game = load(name, trust_code=trust)
    total = order.games or games_in_ten_seconds(read_balance(game), lineup)
    job = Job(name, lineup, code, simulation.variant, stop=total, trust_code=trust)
    tally, size, reported = Tally(), max(1, total // 200), time.monotonic()
    for part in job.parts(size):
        tally.add(simulate.play(part).tally)
        if time.monotonic() - reported >= SECONDS or tally.games >= total:
            reported = time.monotonic()
            shown = contents(game, summarise(replace(job, stop=tally.games), simulation, tally))
            bars = tuple((title, None, bars) for title, _, bars in shown.pieces)  # without pictures
            report({"played": tally.games, "total": total, "page": replace(shown, pieces=bars)})


ROUTES = [
    Route("/g/{project}/draw", draw),
    Route("/g/{project}/draw/sets", answering(draw_sets, DrawOrder), methods=["POST"]),
    Route("/g/{project}/draw/set/{code}", one_set),
    Route("/g/{project}/draw/set/{code}/qr.svg", set_code),
    Route("/g/{project}/draw/set/{code}/{part}.pdf", set_pdf),
    Route("/g/{project}/draw/balance", balance),
]
