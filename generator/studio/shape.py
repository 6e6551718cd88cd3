"""Shape: a table becomes cards, and what one chooses is written to the files of the game."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..errors import InputError, fault, noting
from ..reading.table_game import FONTS, TEMPLATES, TableLook, is_table
from ..scaffold import deck_files as decks
from ..scaffold.kept_files import History, keep_file, keep_game
from . import worker
from .design import side_data
from .drawing import Snapshot, Switches, card_frames
from .projects import Project, Projects
from .responses import JSON, body_of, page, problems, project_of

_histories: WeakKeyDictionary[Project, History[TableLook]] = WeakKeyDictionary()


def _history(project: Project) -> History[TableLook]:
    return _histories.setdefault(project, History(project.table_look))


def _files(project: Project, name: str = "") -> decks.DeckFiles:
    path = Path(project.source)
    if is_table(path) and not project.is_shipped:
        return decks.table_files(path, project.table_look, project.game)
    return decks.deck_files(project.folder, name)


async def shape(request: Request) -> Response:
    project = project_of(request)
    await project.current()
    return page(request, "shape", area="shape", project=project, roles=decks.ROLES)


async def table(request: Request) -> Response:
    """The table of the deck in `?part=`, what its columns mean, and how its cards look."""
    return await _state(project_of(request), request.query_params.get("part", ""))


async def _state(project: Project, part: str) -> Response:
    await project.current()
    return JSON(await worker.call(_described, project, part))


def _described(project: Project, name: str) -> dict[str, Any]:
    """Everything on the page besides the pictures of the cards."""
    history, game, view = _history(project), project.game, project.snapshot
    data = {"undo": bool(history.done), "redo": bool(history.undone), "shipped": project.is_shipped}
    try:
        deck = _files(project, name)
    except InputError as error:
        return data | decks.nothing(error.problems[0])
    part = game.components.get(deck.name) if game else None
    part = part or (view.before[deck.name].component if view and deck.name in view.before else None)
    fixed = {"fixed": "This game comes with Pencilbox. Copy it to change it."} if project.is_shipped else {}
    return data | decks.page_data(deck, part, game.theme if game else None) | fixed


async def rows(request: Request) -> Response:
    """Changes rows of the table. The answer is 409 if the table is not what the page shows."""
    project, change = project_of(request), await body_of(request, decks.RowsChange)
    try:
        await worker.call(_change_rows, project, change)
    except decks.StaleTableError as error:
        return problems(error.problems, 409)
    await project.refresh()
    return await _state(project, change.part)


def _change_rows(project: Project, change: decks.RowsChange) -> None:
    _refuse_shipped(project)
    _history(project).write(decks.with_rows(_files(project, change.part), change), project.table_look)


def _refuse_shipped(project: Project) -> None:
    if project.is_shipped:
        raise fault("this game comes with Pencilbox", hint="copy it to change it")


async def choice(request: Request) -> Response:
    """Writes a choice, unless the game could not be read with it."""
    project, chosen = project_of(request), await body_of(request, decks.DeckChoice)
    await _take(project, chosen)
    return await _state(project, chosen.part)


async def _take(project: Project, chosen: decks.DeckChoice) -> None:
    """Writes a choice; takes it back and raises InputError if the game could not be read with it."""
    history, before = _history(project), list(project.problems)
    await worker.call(_choose, project, chosen)
    await project.refresh()
    if not before and (found := list(project.problems)):
        await worker.call(history.discard)
        project.table_look = history.choices
        await project.refresh()
        raise InputError(found)


def _choose(project: Project, chosen: decks.DeckChoice) -> None:
    _refuse_shipped(project)
    deck, look = _files(project, chosen.part), project.table_look
    files = decks.with_choice(deck, chosen, project.game) if deck.theme else {}
    project.table_look = look if deck.theme else decks.look_with_choice(look, deck, chosen)
    _history(project).write(files, project.table_look)


async def back(request: Request) -> Response:
    """Takes the last change back, or makes it again."""
    project = project_of(request)
    history = _history(project)
    await worker.call(history.undo if request.path_params["way"] == "undo" else history.redo)
    project.table_look = history.choices
    await project.refresh()
    return await _state(project, request.query_params.get("part", ""))


async def faces(request: Request) -> Response:
    """The pictures of a card with each built-in face."""
    project, query = project_of(request), request.query_params
    view = await project.view(Switches())
    part = view.game.components.get(query.get("part", "")) if view else None
    if view is None or part is None:
        return JSON({"faces": []})
    card = next((card for card in part.cards if card.id == query.get("card")), part.cards[0])
    return JSON({"faces": await worker.call(_faces, project, view, partial(card_frames, part, card))})


def _faces(project: Project, view: Snapshot, draw: Any) -> list[dict[str, Any]]:
    with noting():
        sides = {name: view.drawn(partial(draw, name))[0] for name in TEMPLATES}
    views = {name: side_data(project, view, next(iter(drawn), None)) for name, drawn in sides.items()}
    return [{"name": name, "title": decks.FACES[name], "side": side} for name, side in views.items()]


async def keep(request: Request) -> Response:
    """Writes a bare table as a game, or copies a game that comes with Pencilbox; says where its page is."""
    project, wish = project_of(request), await body_of(request, decks.DeckChoice)
    projects: Projects = request.app.state.projects
    folder = await worker.call(keep_game, projects.home, wish.name, project.source, project.table_look)
    return JSON({"address": f"/g/{projects.open(folder).key}/shape"})


async def file(request: Request) -> Response:
    """Keeps a font or a picture in the folder of the game; a font is used at once."""
    project, name = project_of(request), request.query_params.get("name", "")
    _refuse_shipped(project)
    kept = await worker.call(keep_file, project.folder, name, await request.body())
    await project.refresh()
    chosen = decks.DeckChoice("font", kept, part=request.query_params.get("part", ""))
    if kept.lower().endswith(FONTS) and not is_table(Path(project.source)):
        await _take(project, chosen)
    return await _state(project, chosen.part)


ROUTES = [
    Route("/g/{project}/shape", shape),
    Route("/g/{project}/table", table),
    Route("/g/{project}/rows", rows, methods=["POST"]),
    Route("/g/{project}/choice", choice, methods=["POST"]),
    Route("/g/{project}/back/{way}", back, methods=["POST"]),
    Route("/g/{project}/faces", faces),
    Route("/g/{project}/keep", keep, methods=["POST"]),
    Route("/g/{project}/file", file, methods=["POST"]),
]
