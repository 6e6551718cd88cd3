"""Face templates: found, loaded once, rendered; whatever goes wrong in one becomes an InputError with file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from jinja2 import BaseLoader, Environment, Template, TemplateNotFound, TemplateSyntaxError, UndefinedError
from jinja2.runtime import Context, new_context

from .. import paths
from ..definitions import limits
from ..definitions.models import Theme
from ..definitions.nodes import read_text
from ..errors import InputError, Place, Problem, did_you_mean, shortened
from ..paths import shown
from .budget import TooMuchError, check_length
from .filters import RefusedError
from .marks import MarkedValues
from .markup import cut
from .sandbox import Sandbox

T = TypeVar("T")
SUFFIX = ".xml.j2"
MOST_BYTES = 40_000
_MOST_SAID = 300
_MOST_READ = 2_000
_MOST_NAME = 255
_SHARED = "_shared/"
_FILE = re.compile(r"[A-Za-z0-9_./-]{1,200}")
_ARGUMENTS = re.compile(r"(?:\w+\.)?_?(\w+)\(\) (?:takes|got|missing) .*", re.DOTALL)
_UNKNOWN = re.compile(r"“(.*)” is not known here")


@dataclass(frozen=True, slots=True)
class Rendered:
    """The XML of one face and the template file it came from, as messages show it."""

    text: str
    file: str


class _Loader(BaseLoader):
    """Templates by file name: in the game's own folders first, then the shared ones; `_shared/name` only there."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        path = self.path(template)
        text = read_text(path, shown(path), MOST_BYTES)
        assert isinstance(environment, Sandbox)
        environment.sizes[template] = len(text)
        return text, shown(path), lambda: True

    def path(self, name: str) -> Path:
        """The file of this name; raises TemplateNotFound saying why there is none."""
        alone = name.removeprefix(_SHARED)
        if not _FILE.fullmatch(name):
            raise TemplateNotFound(name, f"“{cut(name)}” is no name of a template (letters, digits, - and _)")
        for folder in self.folders[-1:] if name.startswith(_SHARED) else self.folders:
            path = paths.within(folder, alone)
            if path is None:
                raise TemplateNotFound(name, f"“{name}” leads out of the template folders")
            if paths.is_file(path):
                return path
        hint = did_you_mean(name, self.known())
        raise TemplateNotFound(name, f"no template “{name}”{'; ' + hint if hint else ''}")

    def known(self) -> list[str]:
        """The file names of all templates."""
        return sorted({path.name for folder in self.folders for path in folder.glob("*.j2")})


class Templates:
    """The face templates of one game: each is loaded once and its code kept.

    `folders` are searched in order; the shared templates come last whether named or not. What a face needs to know
    of the theme's icons and pictures is looked up once and kept here too."""

    def __init__(self, folders: tuple[Path, ...], theme: Theme) -> None:
        own = tuple(folder for folder in folders if folder != paths.SHARED_TEMPLATES)
        self.theme = theme
        self._loader = _Loader((*own, paths.SHARED_TEMPLATES))
        self._sandbox = Sandbox(self._loader, theme.colours)
        self._known: dict[str, Template] = {}
        self._refused: tuple[Problem, ...] = ()
        self._icons: Mapping[str, str] | None = None
        self._pictures: dict[tuple[Path, str], str] = {}

    @property
    def icons(self) -> Mapping[str, str]:
        """All icons of the theme: name → name."""
        if self._icons is None:
            self._icons = {path.stem: path.stem for folder in self.theme.icon_folders for path in folder.glob("*.svg")}
        return self._icons

    def picture(self, folder: Path, name: str) -> str:
        """The path of a picture in `folder`; raises ValueError saying why it cannot be used."""
        key = (folder, name)
        if key not in self._pictures:
            self._pictures[key] = _picture(folder, name)
        return self._pictures[key]

    def render(self, template: str, context: Mapping[str, Any], name: str, suffix: str = SUFFIX) -> Rendered:
        """The template `template` (without its suffix) rendered with `context`; raises InputError."""
        return self._made(
            lambda loaded: Rendered(_text(loaded, context), str(loaded.filename)), template + suffix, context, name
        )

    def _made(self, make: Callable[[Template], T], template: str, context: Mapping[str, Any], name: str) -> T:
        """What `make` makes of a template; raises InputError. A template that wants too much is not tried again, nor
        any other: a hostile deck would take for ever."""
        if self._refused:
            raise InputError(self._refused)
        file = None
        self._sandbox.budget.start()
        try:
            loaded = self._loaded(template)
            file = loaded.filename
            return make(loaded)
        except InputError:
            raise
        except Exception as error:  # a template can make Python raise anything; none of it may be a traceback
            problem = _problem(error, context, name, file)
            if isinstance(error, TooMuchError | RecursionError | MemoryError):
                self._refused = (problem,)
            raise InputError([problem]) from None

    def _loaded(self, name: str) -> Template:
        """The template of this name, paid for each time."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._sandbox.get_template(name)
        else:
            self._sandbox.pay(name)
        return found

    @property
    def can_mark(self) -> bool:
        """Whether values can be marked in all the templates rendered so far."""
        return self._sandbox.can_mark

    def render_marked(
        self, template: str, context: RepeatedContext, name: str
    ) -> tuple[tuple[str, ...], MarkedValues] | None:
        """As `render`, with marks: the parts of the text, and the values whose marks stand in it; None where marks and
        letters cannot be told apart."""
        sandbox = self._sandbox
        parts, marked = sandbox.marker.marked(
            lambda: self._made(context.parts, template + SUFFIX, context.values, name)
        )
        return None if marked.ambiguous or not sandbox.can_mark else (parts, marked)

    def file(self, template: str) -> str:
        """The file of a template that was rendered, as messages show it."""
        return str(self._known[template + SUFFIX].filename)

    def lines(self, template: str, suffix: str = SUFFIX) -> tuple[str, ...]:
        """The lines of a template's file."""
        path = self._loader.path(template + suffix)
        return tuple(read_text(path, shown(path), MOST_BYTES).splitlines())

    def mentions(self, template: str, name: str, suffix: str = SUFFIX) -> bool:
        """Whether a template that was rendered, or one that it may call on, speaks of `name`."""
        known, waiting, seen = self._sandbox.mentioned, [template + suffix], set[str]()
        while waiting:
            one = waiting.pop()
            found = known.get(one)
            if found is None or None in found.others or name in found.names:
                return True
            seen.add(one)
            waiting += [other for other in found.others if other and other not in seen]
        return False


# ---- running a loaded template; errors come as they were raised ----------------------------------------------------

_FEW = 200
"""So many parts are put together before anybody looks how long they are."""


def _text(template: Template, context: Mapping[str, Any]) -> str:
    """The template's text, as `Template.render`."""
    text = "".join(_parts(template.root_render_func(template.new_context(context))))  # type: ignore[arg-type]
    check_length(len(text))
    return text


def _parts(stream: Iterator[str]) -> list[str]:
    """What a template writes, part by part; where it is many parts, their length is looked at as they come."""
    parts = list(islice(stream, _FEW))
    if len(parts) == _FEW:
        total = sum(map(len, parts))
        for part in stream:
            total += len(part)
            check_length(total)
            parts.append(part)
    return parts


class RepeatedContext:
    """The context of a template that is rendered again and again with another value for the one name `varying`. What
    Jinja2 needs for a run is made once, as long as a run leaves nothing behind in it."""

    def __init__(self, context: Mapping[str, Any], varying: str) -> None:
        self.values = {**context, varying: None}
        self.varying = varying
        self._context: Context | None = None

    def of(self, value: Any) -> RepeatedContext:
        """The same context with this value."""
        self.values[self.varying] = value
        return self

    def parts(self, template: Template) -> tuple[str, ...]:
        """The parts of the template's text."""
        context, self._context = self._context or self._new(template), None  # after an error it is not used again
        context.parent[self.varying] = self.values[self.varying]
        parts = tuple(_parts(template.root_render_func(context)))
        if not context.blocks:
            context.vars.clear()
            context.exported_vars.clear()
            self._context = context
        return parts

    def _new(self, template: Template) -> Context:
        return new_context(template.environment, template.name, template.blocks, self.values, globals=template.globals)


# ---- what a template's error is to the person who wrote it ---------------------------------------------------------


def _problem(error: Exception, context: Mapping[str, Any], name: str, file: str | None) -> Problem:
    """What a template's error is to the person who wrote it. What holds for every face does not name this one."""
    if isinstance(error, TemplateSyntaxError):
        # Jinja2's lexer gives the file as the name
        return Problem(_said(error, context), Place(str(error.filename or error.name or file), error.lineno))
    if isinstance(error, TooMuchError) and error.file:
        return Problem(str(error), Place(error.file))
    place = _place(error) or (Place(file) if file else None)
    return Problem(f"{name}: {_said(error, context)}" if place else _said(error, context), place)


def _place(error: Exception) -> Place | None:
    """The line of the innermost template the error passed through. A macro that refuses its arguments is right: then
    it is the innermost line that is not of the shared templates."""
    places = list(_places(error))
    if isinstance(error, RefusedError):
        shared = shown(paths.SHARED_TEMPLATES)
        places = [place for place in places if not place.file.startswith(shared)] or places
    return places[-1] if places else None


def _places(error: Exception) -> Iterator[Place]:
    """The lines of templates the error passed through, the innermost last."""
    trace: TracebackType | None = error.__traceback__
    while trace:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        if template is not None:
            yield Place(template.filename, template.get_corresponding_lineno(trace.tb_lineno))
        trace = trace.tb_next


def _said(error: Exception, context: Mapping[str, Any]) -> str:
    if isinstance(error, RecursionError):
        return "macros or templates call each other without end"
    if isinstance(error, MemoryError):
        return "needs more memory than there is"
    text = (_text_of(error) or type(error).__name__)[:_MOST_READ]
    text = _ARGUMENTS.sub(r"“\1” is given the wrong arguments", text)
    unknown = _UNKNOWN.fullmatch(text) if isinstance(error, UndefinedError) else None
    hint = did_you_mean(unknown[1], context) if unknown else ""
    return cut(f"{text}; {hint}" if hint else text, _MOST_SAID)


def _text_of(error: Exception) -> str:
    try:
        return str(error.message if isinstance(error, TemplateSyntaxError) else error)
    except Exception:  # a value that the template handed over stands in it, and cannot be written either
        return ""


def _picture(folder: Path, name: str) -> str:
    path = paths.within(folder, name)
    if path is None:
        raise ValueError(f"picture “{shortened(name)}” leads out of the game's folder")
    if path.suffix.lower() not in (".png", ".jpg", ".jpeg", ".svg"):
        raise ValueError(f"picture “{shortened(name)}” must be a PNG, JPEG or SVG file")
    if len(path.name.encode()) > _MOST_NAME or not paths.is_file(path):
        beside = islice(path.parent.iterdir(), limits.SHOWN_FOLDER) if paths.is_dir(path.parent) else ()
        hint = did_you_mean(path.name, [one.name for one in beside])
        raise ValueError(f"no picture “{shortened(name)}” in the game's folder{'; ' + hint if hint else ''}")
    return str(path)
