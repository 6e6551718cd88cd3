"""Downloads: PDFs and exports, made in a process of their own with progress and a way to cancel them."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Callable
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from .. import paths
from ..errors import InputError, noting
from ..exporting import export
from ..exporting.output_folder import RECORD
from ..exporting.sides import ExportOrder
from ..games import deal
from ..layout.flaws import Draft
from ..model.game import Game
from ..printing.jobs import print_component
from ..printing.press import Press, needs_set
from ..reading import targets
from ..reading.load import load
from ..reading.sizes import paper
from ..reading.table_game import TableLook
from .drawing import Switches
from .projects import problem_data
from .responses import JSON, body_of, project_of
from .worker import Background

Report = Callable[[tuple[int, int]], None]


class DownloadOrder(Struct, frozen=True):
    """What to make: a PDF of a component, of all (“”), or an export to a `target` with its options."""

    part: str = ""
    target: str = ""
    look: Switches = Switches()
    product: str | None = None
    dpi: int | None = None
    bleed: bool = True
    surname: str = ""
    skip: str = ""


def _counting(report: Report, steps: int) -> Callable[[], None]:
    """Reports one step more, of about this many, each time it is called."""
    done = count(1)
    return lambda: report((min(next(done), steps), steps))


def make(
    report: Report, source: str | Path, table_look: TableLook, trust_code: bool, order: DownloadOrder, folder: Path
) -> tuple[Path, str]:
    """Makes a download in a folder, in a process of its own. Returns the file and a sentence about it."""
    with noting():
        game = load(source, table_look, trust_code, partial=True)
        made = folder / "made"
        made.mkdir(parents=True)
        about = (_export if order.target else _print)(report, game, order, made)
    (made / RECORD).unlink(missing_ok=True)
    files = [file for file in made.rglob("*") if file.is_file()]
    if len(files) == 1:
        return files[0], about
    name = "-".join(filter(None, [game.key, order.target, order.part]))
    return Path(shutil.make_archive(str(folder / name), "zip", made)), about


def _print(report: Report, game: Game, order: DownloadOrder, folder: Path) -> str:
    parts = [part for name, part in game.components.items() if not needs_set(part) and order.part in ("", name)]
    if game.left_out and not parts:
        raise InputError(game.problems)
    steps = sum(len({card.id for card in part.cards}) + 1 for part in parts)
    deck, settings, paper_, draft, pages = deal(game), order.look.settings(), paper(order.look.paper), Draft(), 0
    step = _counting(report, steps)
    for part in parts:
        try:
            printed = print_component(Press(game, deck, settings, step=step), part.name, paper_)
        except InputError:
            step = _counting(report, steps)
            printed = Press(game, deck, settings, step=step, draft=draft).component(part.name, paper_)
        pages += printed.pages
        (folder / f"{game.key}-{part.name}-{paper_.name}.pdf").write_bytes(printed.pdf)
    about, wrong = f"{pages} page{'s' * (pages != 1)}", len(set(draft.problems))
    return f"{about}, as a draft: {wrong} problem{'s are' if wrong > 1 else ' is'} marked." if wrong else f"{about}."


def _export(report: Report, game: Game, order: DownloadOrder, folder: Path) -> str:
    target = targets.target(order.target, export.known_targets(game.folder))
    target = target.changed(dpi=order.dpi) if order.dpi else target
    target = target if order.bleed else target.changed(bleed=0.0)
    exported = ExportOrder(
        game,
        deck := deal(game),
        target,
        paper=export.paper_of(target, None if target.products else paper(order.look.paper)),
        product=order.product,
        surname=order.surname,
        processes=1,
        skipped=export.slot_numbers(order.skip),
    )
    step = _counting(report, sum(2 * len({card.id for card in cards}) for cards in deck.cards.values()) or 1)
    done = export.export(replace(exported, step=step), (order.part,) if order.part else (), folder)
    left_out = f" {target.name} does not take {', '.join(done.left_out)}." if done.left_out else ""
    return f"{len(done.files)} file{'s' * (len(done.files) != 1)} for {target.name}.{left_out}"


async def start(request: Request) -> Response:
    """Makes a download. Answers with a line of JSON for each step: its `progress`, and at last the address of the
    `file`, or `problems`."""
    project, order = project_of(request), await body_of(request, DownloadOrder)
    replace(order, look=Switches.of({"paper": order.look.paper}))  # refuses unknown papers at once
    scratch, name = request.app.state.projects.scratch(), os.urandom(8).hex()

    async def lines() -> AsyncIterator[bytes]:
        kept = False
        job = Background(make, project.source, project.table_look, project.trust_code, order, scratch / name)
        try:
            async for kind, value in job.messages():
                if kind == "done":
                    kept = True
                    file, about = value
                    value = {"address": f"/downloads/{name}/{file.relative_to(scratch / name)}", "about": about}
                yield msgspec.json.encode({kind: value}) + b"\n"
        except InputError as error:
            yield msgspec.json.encode({"problems": list(map(problem_data, error.problems))}) + b"\n"
        finally:
            if not kept:
                shutil.rmtree(scratch / name, ignore_errors=True)

    return StreamingResponse(lines(), media_type="application/x-ndjson")


async def finished(request: Request) -> Response:
    """A finished download, which can be fetched once."""
    name = request.path_params["name"]
    folder = request.app.state.projects.scratch() / name
    file = paths.within(folder, request.path_params["file"])
    if not name.isalnum() or file is None or not paths.is_file(file):
        raise HTTPException(404, "This download has been fetched already. Make it again.")
    return FileResponse(file, filename=file.name, background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True))


async def known(request: Request) -> Response:
    """The targets of exports, with the options that each has."""
    project = project_of(request)
    listed = export.known_targets(None if project.is_shipped else project.folder)
    return JSON([_target_data(target) for target in listed.values()])


def _target_data(target: targets.Target) -> dict[str, Any]:
    about, own_size = target.definition, not target.products
    return {
        "name": target.name,
        "about": f"{about.service}: {about.about}" if about.service != "any" else about.about,
        "kinds": list(about.kinds or dict.fromkeys(product.kind for product in target.products.values())),
        "products": [{"name": each.name, "title": each.title or each.name} for each in target.products.values()],
        "dpi": about.dpi if own_size and about.format in ("png", "jpg") else None,
        "bleed": own_size and about.bleed > 0,
        "surname": "{surname}" in about.naming,
        "skip": about.cutter is not None,
    }


ROUTES = [
    Route("/g/{project}/targets", known),
    Route("/g/{project}/downloads", start, methods=["POST"]),
    Route("/downloads/{name}/{file:path}", finished),
]
