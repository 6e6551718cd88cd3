"""The first page: the games, and what to start with."""

from __future__ import annotations

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..reading.load import load, shipped
from . import worker
from .drawing import picture
from .projects import Project, Projects
from .responses import JSON, body_of, page, project_of

COVER_KINDS = ("box", "booklet", "board", "deck", "sheet")
"""Kinds of components, by how well their first piece shows a game."""
COVER_WIDTH = 320


class OpenRequest(Struct):
    """A game to open: its key, or the path of a folder or a table from where the studio was started."""

    path: str


async def first_page(request: Request) -> Response:
    projects: Projects = request.app.state.projects
    games = [projects.open(key) for key in shipped()]
    own = [project for project in projects if not project.is_shipped]
    titles = {project.key: load(project.key).definition for project in games}
    return page(request, "first", games=games, titles=titles, own=own)


async def open_game(request: Request) -> Response:
    """Opens a game and says where its page is."""
    wanted = await body_of(request, OpenRequest)
    project = request.app.state.projects.open_inside(wanted.path)
    return JSON({"address": f"/g/{project.key}/design"})


async def game(request: Request) -> Response:
    return RedirectResponse(f"/g/{project_of(request).key}/design")


async def cover(request: Request) -> Response:
    """A picture that shows what a game looks like."""
    project = project_of(request)
    await project.current()
    data = await worker.call(_cover, project)
    return Response(data, media_type="image/png", headers={"Cache-Control": "private, max-age=60"})


def _cover(project: Project) -> bytes:
    snapshot = project.snapshot
    if snapshot is None:
        return b""
    kinds = {name: snapshot.game.components[name].kind for name in snapshot.names}
    ranked = sorted((COVER_KINDS.index(kind), name) for name, kind in kinds.items() if kind in COVER_KINDS)
    for _, name in ranked:
        pieces = snapshot.part(name).pieces
        side = next((piece.front for piece in pieces if piece.front and "front" in piece.name), pieces[0].front)
        if side:
            return picture(side, snapshot.press.theme, COVER_WIDTH)
    return b""


ROUTES = [
    Route("/", first_page),
    Route("/open", open_game, methods=["POST"]),
    Route("/g/{project}", game),
    Route("/g/{project}/cover.png", cover),
]
