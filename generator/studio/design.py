"""Design: the components of a game as pictures, drawn again whenever a file is saved."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from . import worker
from .drawing import PartView, PieceView, SideView, Switches, picture
from .projects import Project, problem_data
from .responses import JSON, body_of, page, project_of

FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}
"""The key of a picture changes with its content."""


async def design(request: Request) -> Response:
    project = project_of(request)
    await project.current()
    return page(request, "design", area="design", project=project)


async def events(request: Request) -> Response:
    """What changes, as server-sent events: `changed` with the version of the project."""
    project = project_of(request)
    return StreamingResponse(
        project.channel.listen(), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def state(request: Request) -> Response:
    """The components of a game, the pieces of the one in `?part=`, and all problems."""
    project = project_of(request)
    snapshot = await project.current()
    parts: list[dict[str, Any]] = []
    pieces: list[dict[str, Any]] = []
    shown = ""
    if snapshot:
        wanted = request.query_params.get("part", "")
        shown = wanted if wanted in snapshot.names else snapshot.names[0]
        part = await worker.call(snapshot.part, shown)
        parts = [
            {"name": name, "title": component.definition.title, "kind": component.kind, "count": len(component.cards)}
            for name in snapshot.names
            if (component := snapshot.game.components[name])
        ]
        pieces = [_piece_data(project, part, piece) for piece in part.pieces]
    return JSON(
        {
            "version": project.version,
            "title": project.title,
            "part": shown,
            "parts": parts,
            "pieces": pieces,
            "look": project.look,
            "problems": list(map(problem_data, project.listed_problems())),
        }
    )


def _piece_data(project: Project, part: PartView, piece: PieceView) -> dict[str, Any]:
    card = piece.card
    about = part.component.definition
    return {
        "name": piece.name,
        "title": piece.title,
        "copies": piece.copies,
        "front": _side_data(project, piece.front),
        "back": _side_data(project, piece.back),
        "bleed": about.bleed,
        "safe": about.safe,
        "place": str(card.place) if card and card.place else "",
        "row": {key: str(value) for key, value in card.values.items()} if card else {},
        "problems": list(map(problem_data, piece.problems)),
    }


def _side_data(project: Project, side: SideView | None) -> dict[str, Any] | None:
    return None if side is None else {"key": project.remember(side), "width": side.width, "height": side.height}


async def side_picture(request: Request) -> Response:
    """The picture of a side, as wide as in the address in pixels."""
    project = project_of(request)
    side = project.side(request.path_params["key"])
    if side is None or project.snapshot is None:
        raise HTTPException(404, "This picture is out of date.")
    data = await worker.call(picture, side, project.snapshot.press.theme, request.path_params["width"])
    return Response(data, media_type="image/png", headers=FOR_EVER)


async def look(request: Request) -> Response:
    """Sets the switches: paper, low ink, high contrast, large print."""
    project = project_of(request)
    project.look = await body_of(request, Switches)
    await project.refresh()
    return JSON({"version": project.version})


ROUTES = [
    Route("/g/{project}/design", design),
    Route("/g/{project}/events", events),
    Route("/g/{project}/state", state),
    Route("/g/{project}/look", look, methods=["POST"]),
    Route("/g/{project}/picture/{key}/{width:int}.png", side_picture),
]
