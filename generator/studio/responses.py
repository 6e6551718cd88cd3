"""What the routes of all pages share: whole pages, JSON, and the project in an address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ..errors import InputError, Problem
from . import worker
from .projects import Project, problem_data

HERE = Path(__file__).parent
FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}
"""For what an address always answers with."""
AREAS = {"design": "Design", "shape": "Shape", "draw": "Draw", "score": "Score", "league": "League"}
_templates = Environment(
    loader=FileSystemLoader(HERE / "pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals["areas"] = AREAS


def page(request: Request, template: str, *, area: str = "", project: Project | None = None, **values: Any) -> Response:
    """A page of the studio; `area` is the one that the top bar marks."""
    values |= {"area": area, "project": project, "theme": request.cookies.get("theme", "")}
    return HTMLResponse(_templates.get_template(f"{template}.html.j2").render(values))


def fragment(template: str, **values: Any) -> str:
    """A part of a page as HTML."""
    return _templates.get_template(f"{template}.html.j2").render(values)


class JSON(Response):
    """An answer in JSON: plain data or records."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content, enc_hook=dict)


def qr_code(text: str) -> Response:
    """The QR code of a text as SVG."""
    stream = BytesIO()
    segno.make(text, error="l", micro=False).save(stream, kind="svg", border=2, xmldecl=False, omitsize=True)
    return Response(stream.getvalue(), media_type="image/svg+xml")


def problems(found: tuple[Problem, ...] | list[Problem], status: int = 422) -> Response:
    """The answer to input that cannot be used, with every problem."""
    return JSON({"problems": list(map(problem_data, found))}, status)


async def invalid_input(request: Request, error: Exception) -> Response:
    """Answers a request that raised InputError."""
    assert isinstance(error, InputError)
    return problems(error.problems)


def project_of(request: Request) -> Project:
    """The project in the address. Raises 404 if it is not open."""
    project: Project | None = request.app.state.projects.get(request.path_params["project"])
    if project is None:
        raise HTTPException(404, "This game is not open any more. Start again at the first page.")
    return project


def name_of(request: Request) -> str:
    """The name of an uploaded file, as messages may call it."""
    return "".join(filter(str.isprintable, Path(request.query_params.get("name", "")).name))[-100:] or "sheet"


async def body_of(request: Request, kind: type[Any]) -> Any:
    """The JSON body of a request as a record. Raises 400 if it is not one."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(400, f"The request cannot be read: {error}.") from None


def answering(work: Callable[..., Any], kind: type[Any] | None = None) -> Callable[[Request], Awaitable[Response]]:
    """A route that answers with what a function makes of a project, its last readable state, and the body or query."""

    async def answer(request: Request) -> Response:
        project, sent = project_of(request), await body_of(request, kind) if kind else request.query_params
        return JSON(await worker.call(work, project, await project.readable(), sent))

    return answer
