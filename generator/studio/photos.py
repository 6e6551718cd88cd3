"""Photos of filled-in sheets: each is read in a process of its own, and its sheets again after every answer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..errors import InputError, Place, fault
from ..league import League
from . import worker
from .projects import Project, problem_data
from .responses import FOR_EVER, JSON, body_of, name_of, project_of

if TYPE_CHECKING:
    from ..photo.photo_sheet import PageReading, PhotoSheet

MAX_PHOTO = 30 * 2**20
"""The largest photo in bytes."""
MAX_KEPT = 24
"""How many sheets are kept with their photos. What was read of others stays on their pages."""
_sheets: dict[str, PhotoSheet] = {}
_one_photo = asyncio.Lock()


async def read(request: Request) -> Response:
    """The sheets on a photo, which may show another page of the sheet `?beside=`."""
    project, query, name = project_of(request), request.query_params, name_of(request)
    data = await request.body()
    if len(data) > MAX_PHOTO:
        raise fault(f"larger than {MAX_PHOTO >> 20} MB", Place(name), "send it as JPEG")
    async with _one_photo:
        values = pages_on, name, data, str(project.source), query.get("code", "")
        job = await asyncio.to_thread(worker.Background, *values)  # sends megabytes
        pages = [value async for _, value in job.messages()][-1]
    return JSON(await worker.call(_added, project, pages, query.get("beside", "")))


def pages_on(report: object, name: str, data: bytes, game: str, code: str) -> list[PageReading | InputError]:
    """The pages on a photo, read in a process of its own."""
    try:
        from ..photo.reader import PhotoJob, pages_of  # an extra
    except ModuleNotFoundError as error:
        raise fault(f"photos need {error.name}", hint="install it with: pip install 'pencilbox[photo]'") from None
    return pages_of(PhotoJob(name, (game,), code, data))


def _added(project: Project, pages: list[PageReading | InputError], beside: str) -> dict[str, Any]:
    from ..photo.reader import added  # as above

    readable = [page for page in pages if not isinstance(page, InputError)]
    completes, found = added(readable, _sheets.get(beside), trust_code=project.trust_code)
    problems = [problem for each in (*pages, *found) if isinstance(each, InputError) for problem in each.problems]
    sheets = [sheet for sheet in found if not isinstance(sheet, InputError)]
    if not sheets:
        raise InputError(problems)
    keys = [os.urandom(8).hex() for _ in sheets]
    _sheets.update(zip(keys, sheets, strict=True))
    for old in list(_sheets)[:-MAX_KEPT]:
        del _sheets[old]
    return {
        "completes": completes,
        "sheets": [_described(project, key, sheet) for key, sheet in zip(keys, sheets, strict=True)],
        "problems": list(map(problem_data, problems)),
    }


def _described(project: Project, key: str, sheet: PhotoSheet) -> dict[str, Any]:
    players = list[str]()
    with suppress(InputError):  # names can be typed as well
        players = League().players()
    return sheet.plain() | {
        "id": key,
        "names": {question.fields[0]: sheet.names_for(question.fields[0], players) for question in sheet.questions},
        "here": sheet.pages[0].game == str(project.source),
        "marks": sheet.marks,
        "boxes": {each.id: (each.x, each.y, each.width, each.height) for each in sheet.map.fields},
    }


def _kept(request: Request) -> PhotoSheet:
    if (key := request.path_params["sheet"]) not in _sheets:
        raise HTTPException(404, "This photo is not kept any more. Add it again.")
    return _sheets[key]


async def answered(request: Request) -> Response:
    """A sheet, read again with everything that a person has said of its fields, by their ids."""
    project, sheet, answers = project_of(request), _kept(request), await body_of(request, dict[str, str])
    await worker.call(sheet.replace_answers, answers)
    return JSON(await worker.call(_described, project, request.path_params["sheet"], sheet))


def evidence(keys: Iterable[str]) -> list[bytes]:
    """The straightened pages of sheets whose photos are still kept, to be saved with their game."""
    return [picture for key in keys if key in _sheets for picture in _sheets[key].evidence()]


async def straightened(request: Request) -> Response:
    """A page of a sheet, straightened, as JPEG: as large as it was printed, without what is around it."""
    sheet, number = _kept(request), request.path_params["page"]
    if not (pages := [page for page in sheet.pages if page.page == number]):
        raise HTTPException(404, "This page is not on the photos.")
    return Response(pages[0].picture, media_type="image/jpeg", headers=FOR_EVER)


ROUTES = [
    Route("/g/{project}/score/photo", read, methods=["POST"]),
    Route("/g/{project}/score/photo/{sheet}", answered, methods=["POST"]),
    Route("/g/{project}/score/photo/{sheet}/{page:int}.jpg", straightened),
]
