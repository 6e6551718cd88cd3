"""The application: the routes of all pages, and the answers to requests that cannot be met."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from .. import paths
from ..errors import InputError
from . import design, downloads, draw, first_page, league_page, photos, score, shape
from .projects import Projects
from .responses import HERE, JSON, invalid_input, page
from .security import Access, Guard


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if "text/html" in request.headers.get("accept", ""):
        answer = page(request, "error", status=error.status_code, message=error.detail)
        answer.status_code = error.status_code
        return answer
    return JSON({"problems": [{"message": error.detail}]}, error.status_code)


def application(access: Access, projects: Projects, ready: Callable[[], None] = lambda: None) -> Starlette:
    """The application for those who have access. Calls `ready` when Ctrl-C is sure to end it in good order."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        ready()
        yield
        projects.close()

    app = Starlette(
        routes=[
            Mount("/static/fonts", StaticFiles(directory=paths.SHARED_DATA / "fonts")),
            Mount("/static", StaticFiles(directory=HERE / "static")),
            *first_page.ROUTES,
            *design.ROUTES,
            *downloads.ROUTES,
            *draw.ROUTES,
            *shape.ROUTES,
            *score.ROUTES,
            *photos.ROUTES,
            *league_page.ROUTES,
        ],
        middleware=[Middleware(Guard, access=access)],
        exception_handlers={InputError: invalid_input, HTTPException: _http_error},
        lifespan=lifespan,
    )
    app.state.projects = projects
    app.state.access = access
    return app
