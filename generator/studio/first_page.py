"""The first page: the games, and what to start with."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from .. import paths
from ..draws import parse
from ..draws.draw_kinds import game_of
from ..paths import examples
from ..reading.load import load, shipped
from ..reading.table_game import is_table
from ..scaffold import kept_files
from . import worker
from .drawing import Snapshot, Switches, picture, snapshot
from .projects import Project, Projects
from .responses import JSON, body_of, page, project_of

COVER_KINDS = ("box", "booklet", "board", "deck", "sheet")
"""Kinds of components, by how well their first piece shows a game."""
COVER_WIDTH = 320
FAN_TABLE = paths.SHARED_DATA / "studio" / "lanterns.csv"
"""The cards beside “Drop a table here”."""


class OpenRequest(Struct):
    """A game to open: its key, its path from where the studio was started, an example, or a set code."""

    path: str


async def first_page(request: Request) -> Response:
    projects: Projects = request.app.state.projects
    games = [projects.open(key) for key in shipped()]
    own = [project for project in projects if not project.is_shipped]
    titles = {project.key: load(project.key).definition for project in games}
    values: dict[str, Any] = {"games": games, "titles": titles, "own": own, "home": projects.home.name}
    return page(request, "first", examples=len(examples()), **values)


async def open_game(request: Request) -> Response:
    """Opens a game and says where its page is."""
    wanted = await body_of(request, OpenRequest)
    return _opened(request.app.state.projects.open_inside(wanted.path))


def _opened(project: Project) -> Response:
    return JSON({"address": f"/g/{project.key}/{'shape' if is_table(Path(project.source)) else 'design'}"})


async def upload(request: Request) -> Response:
    """Keeps a table that was dropped, and says where its page is; without a body, an empty table."""
    data, name = await request.body(), request.query_params.get("name", "")
    table = (name, data) if name else ("my cards.csv", kept_files.EMPTY.encode())
    projects: Projects = request.app.state.projects
    project = projects.open(await worker.call(kept_files.keep_table, projects.home, *table))
    return JSON({"address": f"/g/{project.key}/shape", "project": project.key})


async def by_code(request: Request) -> Response:
    """Where the set of a code is drawn."""
    code = parse((await body_of(request, OpenRequest)).path)
    own = [each for each in request.app.state.projects if each.game and not each.is_shipped]
    keys = [each.key for each in own if each.game.definition.prefix == code.prefix]
    return JSON({"address": f"/g/{keys[0] if keys else game_of(code).key}/draw?code={code}"})


async def choices(request: Request) -> Response:
    """The games and tables in the folder where the studio was started, and the examples."""
    entries = await worker.call(kept_files.to_open, request.app.state.projects.home)
    return JSON({"entries": entries, "examples": await worker.call(kept_files.described_examples)})


async def copy_example(request: Request) -> Response:
    """Copies an example, and says where its page is."""
    wanted = await body_of(request, OpenRequest)
    projects: Projects = request.app.state.projects
    return _opened(projects.open(await worker.call(kept_files.keep_example, projects.home, wanted.path)))


async def game(request: Request) -> Response:
    return RedirectResponse(f"/g/{project_of(request).key}/design")


async def cover(request: Request) -> Response:
    """A picture that shows what a game looks like."""
    project = project_of(request)
    await project.current()
    return _picture(await worker.call(_first_side, project.snapshot) if project.snapshot else b"")


async def picture_of(request: Request) -> Response:
    """What an example looks like, or a card beside “Drop a table here” by its number."""
    return _picture(await worker.call(_picture_of, request.path_params["name"]))


def _picture(data: bytes) -> Response:
    headers = {"Cache-Control": "private, max-age=60"}
    return Response(data, status_code=200 if data else 204, media_type="image/png", headers=headers)


def _first_side(view: Snapshot) -> bytes:
    parts = {name: part for name in view.names if (part := view.game.components.get(name))}
    kinds = {name: part.kind for name, part in parts.items() if part.kind in COVER_KINDS}
    ranked = sorted(
        kinds, key=lambda name: (COVER_KINDS.index(kinds[name]), parts[name].definition.form != "tuck", name != "box")
    )
    for name in ranked:
        view.draw(name, seconds=0)
        pieces = [piece for piece in view.listed(name).pieces if piece.front]
        front = next((piece.front for piece in pieces if "front" in piece.name.lower()), None)
        side = front or next((piece.front for piece in pieces), None)
        if side:
            return picture(side, view.press.theme, COVER_WIDTH)
    return b""


@cache
def _picture_of(name: str) -> bytes:
    if name in examples():
        return _first_side(snapshot(load(paths.EXAMPLES / name), Switches()))
    view = snapshot(load(FAN_TABLE), Switches())
    side = view.part("cards").pieces[int(name)].front if name in ("0", "1", "2") else None
    return picture(side, view.press.theme, COVER_WIDTH) if side else b""


ROUTES = [
    Route("/", first_page),
    Route("/open", open_game, methods=["POST"]),
    Route("/upload", upload, methods=["POST"]),
    Route("/code", by_code, methods=["POST"]),
    Route("/choices", choices),
    Route("/examples", copy_example, methods=["POST"]),
    Route("/pictures/{name}.png", picture_of),
    Route("/g/{project}", game),
    Route("/g/{project}/cover.png", cover),
]
