"""Design: the components of a game as pictures, drawn again whenever a file is saved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import count, islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ..errors import Place, Problem, fault
from ..files import save
from ..model.columns import NO_COLUMNS
from ..model.game import Component
from ..reading.sizes import papers
from ..reading.user_settings import settings
from ..scaffold.edits import NewRow, edited_rows
from ..tables.delimited import grid_of
from ..tables.grid import letters
from . import worker
from .drawing import NO_PROBLEMS, NumberedProblems, PieceView, SideView, Snapshot, Switches
from .projects import Project, problem_data
from .responses import FOR_EVER, JSON, body_of, page, project_of

SOON = 0.04
"""Seconds for which pieces are drawn before a state is sent."""


async def design(request: Request) -> Response:
    project = project_of(request)
    await project.current()
    usual = settings()["paper"].value[0]
    return page(request, "design", area="design", project=project, papers=papers(), usual=usual)


async def events(request: Request) -> Response:
    """What changes, as server-sent events: `changed` with the version of the project and the time of the last save,
    and `drawn` when more of it has been drawn."""
    project = project_of(request)
    return StreamingResponse(
        project.channel.listen(), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def state(request: Request) -> Response:
    """The components of a game, the pieces of the one in `?part=`, and all problems. Those that have changed are drawn,
    and as many of those named in `?first=` as there is time for; the rest is drawn in the background."""
    project, query = project_of(request), request.query_params
    view = await project.view(Switches.of(query))
    if view is None or not view.names:
        return JSON(_described(project, view, NumberedProblems(project.problems)))
    name = query["part"] if query.get("part") in view.names else view.names[0]
    data = await worker.call(_state, project, view, name, query.get("first", "").split(","))
    project.draw_on(view, name)
    return JSON(data)


def _described(project: Project, view: Snapshot | None, listing: NumberedProblems) -> dict[str, Any]:
    """What a state says of the whole game."""
    problems = [problem_data(problem) | {"fix": _fix(problem)} for problem in listing.problems]
    notes = [problem_data(note) for note in NumberedProblems(view.notes if view else ()).problems]
    return {
        "version": project.version,
        "title": project.title,
        "broken": bool(project.problems),
        "files": project.files(),
        "problems": problems,
        "notes": notes,
        "parts": [],
        "pieces": [],
        "part": "",
    }


def _fix(problem: Problem) -> dict[str, str] | None:
    """The correction of a value in a table, if there is only one."""
    meant = re.search(r"did you mean (\S+)\?$", f"{problem.message}; {problem.hint}".rstrip("; "))
    place = problem.place
    if not (meant and place and place.field and isinstance(problem.detail, str) and problem.detail):
        return None
    return {"column": place.field, "was": problem.detail, "value": meant[1]}


def _state(project: Project, view: Snapshot, name: str, first: list[str]) -> dict[str, Any]:
    view.draw(name, first, SOON)
    listing, part = project.listing(view), view.parts[name]
    columns = part.component.columns.headings
    files = {piece.card.place.file for piece in part.pieces if piece.card and piece.card.place}
    changeable = {file for file in files if _is_changeable(project, file)}
    return _described(project, view, listing) | {
        "part": name,
        "kind": part.component.kind,
        "columns": list(columns.values()),
        "faces": _faces(view, part.component),
        "parts": [_part_data(project, view, each, listing) for each in view.names],
        "pieces": [
            _piece_data(project, view, piece, listing, list(columns))
            | {"editable": bool(piece.card and piece.card.place and piece.card.place.file in changeable)}
            for piece in part.pieces
        ],
    }


def _faces(view: Snapshot, part: Component) -> list[str]:
    """The templates of a component: the files of the game's own ones, the names of ready-made ones."""
    about, templates = part.definition, view.game.folder / "templates"
    names = dict.fromkeys([*about.face, *filter(None, [about.back]), *about.panels.values()])
    return [
        f"templates/{name}.xml.j2" if (templates / f"{name}.xml.j2").is_file() else f"{name} (ready-made)"
        for name in names
    ]


def _part_data(project: Project, view: Snapshot, name: str, listing: NumberedProblems) -> dict[str, Any]:
    drawn = view.parts.get(name) or view.before.get(name)
    part = view.game.components.get(name) or (drawn and drawn.component)
    assert part
    pieces = drawn.pieces if drawn else []
    return {
        "name": name,
        "title": part.definition.title,
        "about": _about(part, pieces),
        "thumb": next((side_data(project, view, piece.front, listing) for piece in pieces if piece.front), None),
        "problems": listing.numbers(problem for piece in pieces for problem in piece.problems),
    }


def _about(part: Component, pieces: list[PieceView]) -> str:
    """How many of what a component is."""
    if part.kind == "box":
        return "1 page, to fold"
    one, many = {"deck": ("card", "cards"), "dice": ("die", "dice"), "pawns": ("pawn", "pawns")}.get(
        part.kind, ("board", "boards") if part.kind == "board" else ("page", "pages")
    )
    cards = part.cards if one in ("card", "die", "pawn") else ()
    number, different = len(cards or pieces), len({card.id for card in cards})
    if not number:
        return part.kind
    return f"{number:,} {one if number == 1 else many}" + (f", {different:,} different" * (0 < different < number))


def _piece_data(
    project: Project, view: Snapshot, piece: PieceView, listing: NumberedProblems, columns: list[str]
) -> dict[str, Any]:
    card = piece.card
    values = card.values if card else {}
    return {
        "name": piece.name,
        "title": piece.title,
        "copies": piece.copies,
        "drawn": piece.drawn,
        "front": side_data(project, view, piece.front, listing),
        "back": side_data(project, view, piece.back, listing),
        "place": str(card.place) if card and card.place else "",
        "row": [_text(values.get(column)) for column in columns] if card else [],
        "problems": listing.numbers(piece.problems),
    }


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)


def side_data(
    project: Project, view: Snapshot, side: SideView | None, listing: NumberedProblems = NO_PROBLEMS
) -> dict[str, Any] | None:
    if side is None:
        return None
    frame = side.frame
    data: dict[str, Any] = {
        "key": project.remember(side, view.press.theme),
        "width": side.width,
        "height": side.height,
        "bleed": frame.bleed if frame else 0,
        "safe": frame.safe if frame else 0,
    }
    if frame and frame.cut:
        data |= {"shape": frame.cut.shape, "radius": frame.cut.radius}
    if side.flaws:
        data["flaws"] = [{"numbers": listing.numbers([flaw.problem]), "box": list(flaw.box)} for flaw in side.flaws]
    return data


async def pages(request: Request) -> Response:
    """The pages of a component as they are printed."""
    project, query = project_of(request), request.query_params
    view = await project.view(Switches.of(query))
    if view is None or query.get("part") not in view.game.components:
        raise HTTPException(404, "This part cannot be printed now.")
    sides = await worker.call(view.pages, query["part"])
    return JSON({"pages": [side_data(project, view, side) for side in sides]})


async def side_picture(request: Request) -> Response:
    """The picture of a side, as wide as in the address in pixels; nothing if it is out of date, which happens while
    somebody types, and pages ask again."""
    key, width = request.path_params["key"], request.path_params["width"]
    data = await project_of(request).picture(key, width)
    if not data:
        return Response(status_code=204)
    return Response(data, media_type="image/webp", headers=FOR_EVER)


# ---- changing a value


class CellChange(Struct, frozen=True):
    """A new value for a cell, and the one that it has `was`."""

    was: str
    value: str


async def cell(request: Request) -> Response:
    """The text of a cell as its table has it: the cell of a card in the column with this number."""
    *_, texts, at = await worker.call(_cell, project_of(request), request.path_params)
    return JSON({"value": texts[at]})


async def change_cell(request: Request) -> Response:
    """Writes another value into a cell. Refused if the cell has changed meanwhile."""
    change = await body_of(request, CellChange)
    await worker.call(_change, project_of(request), request.path_params, change)
    return JSON({})


def _change(project: Project, address: Mapping[str, Any], change: CellChange) -> None:
    file, line, texts, at = _cell(project, address)
    if texts[at].strip() != change.was.strip():
        raise fault("this row has been changed meanwhile", Place(file.name, line), "try again")
    texts[at] = change.value
    save(edited_rows(file.read_bytes(), file.name, [line], [NewRow(tuple(texts), line)], line), file)


def _cell(project: Project, address: Mapping[str, Any]) -> tuple[Path, int, list[str], int]:
    """The file and line of a cell, the texts of its row, and its place among them. Raises InputError if the studio may
    not change it."""
    view = project.snapshot
    part = view.parts.get(address["part"]) if view else None
    card = next((piece.card for piece in (part.pieces if part else ()) if piece.name == address["piece"]), None)
    columns = part.component.columns if part else NO_COLUMNS
    letter = next(islice(map(columns.letters.get, columns.headings), address["column"], None), None)
    if card is None or card.place is None or letter is None or not _is_changeable(project, card.place.file):
        raise fault("this value cannot be changed here", hint="change it in its file")
    file, line = Path(card.place.file), card.place.line
    texts = [*dict(grid_of(file.read_bytes(), file.name)[0].rows).get(line, ())]
    at = next(number for number in count() if letters(number) == letter)
    return file, line, [*texts, *[""] * (at + 1 - len(texts))], at


def _is_changeable(project: Project, file: str) -> bool:
    """Whether a file is a text table in the user's own folder."""
    path = Path(file)
    if project.is_shipped or path.suffix.lower() not in (".csv", ".tsv"):
        return False
    return path.resolve().is_relative_to(project.folder.resolve())


ROUTES = [
    Route("/g/{project}/design", design),
    Route("/g/{project}/events", events),
    Route("/g/{project}/state", state),
    Route("/g/{project}/pages", pages),
    Route("/g/{project}/cell/{part}/{piece}/{column:int}", cell),
    Route("/g/{project}/cell/{part}/{piece}/{column:int}", change_cell, methods=["POST"]),
    Route("/g/{project}/picture/{key}/{width:int}.png", side_picture),
]
