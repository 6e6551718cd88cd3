"""Finds, loads and renders face templates; any error in one becomes an InputError with its file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

from jinja2 import BaseLoader, Environment, Template, TemplateNotFound, TemplateSyntaxError, UndefinedError

from .. import paths
from ..errors import InputError, Place, Problem, did_you_mean, refuse
from ..model.game import Theme
from ..nodes import read_text
from ..paths import PictureFolders, display_path
from .budget import MAX_CHARACTERS, TooMuchError
from .filters import RefusedError
from .markup import cut
from .sandbox import Sandbox

SUFFIX = ".xml.j2"
MAX_BYTES = 40_000
_MAX_MESSAGE = 300
_MAX_READ = 2_000
_SHARED = "_shared/"
_FILE = re.compile(r"[A-Za-z0-9_./-]{1,200}")
_ARGUMENTS = re.compile(r"(?:\w+\.)?_?(\w+)\(\) (?:takes|got|missing) .*", re.DOTALL)
_UNKNOWN = re.compile(r"“(.*)” is not known here")


class _Loader(BaseLoader):
    """Loads templates by file name, from the game's folders before the shared one; `_shared/name` skips the game's."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders
        self.found: set[Path] = set()  # the template files that were looked for and found

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        path = self.path(template)
        text = read_text(path, display_path(path), MAX_BYTES)
        assert isinstance(environment, Sandbox)
        environment.sizes[template] = len(text)
        return text, display_path(path), lambda: True

    def path(self, name: str) -> Path:
        """The template file with this name; raises TemplateNotFound with the reason."""
        base_name = name.removeprefix(_SHARED)
        if not _FILE.fullmatch(name):
            raise TemplateNotFound(
                name, f"“{cut(name)}” cannot be a template name: only letters, digits, - and _ are allowed"
            )
        for folder in self.folders[-1:] if name.startswith(_SHARED) else self.folders:
            path = paths.within(folder, base_name)
            if path is None:
                raise TemplateNotFound(name, f"“{name}” is outside the template folders")
            if paths.is_file(path):
                self.found.add(path)
                return path
        hint = did_you_mean(name, self.names())
        raise TemplateNotFound(name, f"no template “{name}”{'; ' + hint if hint else ''}")

    def names(self) -> list[str]:
        """The file names of all templates."""
        return sorted({path.name for folder in self.folders for path in folder.glob("*.j2")})


_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<!--.*?-->|<([A-Za-z][\w-]*)(?=[\s/>])", re.DOTALL)
_ORIGIN = re.compile(r'<([A-Za-z][\w-]*) _origin="(\d+):(\d+)"')


class _OriginLoader(_Loader):
    """Loads templates whose elements say where they are written: in an attribute, so that no line moves."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        super().__init__(folders)
        self.files: list[str] = []

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        text, file, fresh = super().get_source(environment, template)
        assert isinstance(environment, Sandbox)
        number, line, end = len(self.files), 1, 0
        self.files.append(file)

        def mark(match: re.Match[str]) -> str:
            nonlocal line, end
            line, end = line + text.count("\n", end, match.start()), match.start()
            return f'{match[0]} _origin="{number}:{line}"' if match[1] else match[0]

        return _TAG.sub(mark, text), file, fresh


class Templates:
    """The face templates of one game. Loads each template once, and also the names of icons and pictures.

    `folders` are searched in order, then the built-in cards, and the shared templates always last.
    With `draft`, faces are built in spite of their problems."""

    def __init__(self, folders: tuple[Path, ...], theme: Theme, *, draft: bool = False) -> None:
        game_folders = tuple(folder for folder in folders if folder != paths.SHARED_TEMPLATES)
        self.theme = theme
        self.draft = draft
        self._marking: tuple[_OriginLoader, Sandbox] | None = None
        self._located: tuple[Mapping[str, Any], list[list[tuple[str, Place]]]] | None = None
        self._loader = _Loader((*game_folders, paths.CARD_TEMPLATES, paths.SHARED_TEMPLATES))
        self._sandbox = Sandbox(self._loader, theme.colours, theme.language)
        self._by_name: dict[str, Template] = {}
        self._refused: tuple[Problem, ...] = ()
        self._pictures = PictureFolders()

    @cached_property
    def icons(self) -> frozenset[str]:
        """The names of all icons of the theme."""
        return paths.picture_names(self.theme.icon_folders)

    def picture(self, folder: Path, name: str) -> str:
        """The path of a picture in `folder`; raises ValueError with the reason if it cannot be used."""
        return self._pictures.path(folder, name)

    @property
    def files(self) -> frozenset[Path]:
        """The files of all templates and pictures that were used so far."""
        return frozenset(self._loader.found | set(map(Path, self._pictures.found)))

    def hint_for(self, template: str) -> str | None:
        """None if a template (without its suffix) exists; otherwise a hint that names similar ones."""
        try:
            self._loader.path(template + SUFFIX)
        except TemplateNotFound:
            names = [name.removesuffix(SUFFIX) for name in self._loader.names() if name.endswith(SUFFIX)]
            return did_you_mean(template, names)
        return None

    def render(self, template: str, context: Mapping[str, Any], name: str, suffix: str = SUFFIX) -> str:
        """Renders `template` (without its suffix) with `context`; raises InputError. Once a template exceeds a limit,
        no other is rendered: otherwise a hostile deck would spend the whole budget on every card."""
        refuse(self._refused)
        file = None
        self._sandbox.budget.start()
        try:
            loaded = self._loaded(template + suffix)
            file = loaded.filename
            return _text(loaded, context)
        except InputError:
            raise
        except Exception as error:  # a template can cause any exception
            problem = _problem(error, context, name, file)
            if isinstance(error, TooMuchError | RecursionError | MemoryError):
                self._refused = (problem,)
            raise InputError([problem]) from None

    def _loaded(self, name: str) -> Template:
        """The template with this name; each use spends steps."""
        template = self._by_name.get(name)
        if template is None:
            template = self._by_name[name] = self._sandbox.get_template(name)
        else:
            self._sandbox.pay(name)
        return template

    def locate(self, template: str, context: Mapping[str, Any], line: int, tag: str) -> Place | None:
        """The line of a template file that wrote an element on a line of the rendered XML, or None if several or none
        may have: found by rendering once more, with each element saying where it is written."""
        if self._located is None or self._located[0] is not context:
            self._located = context, self._origins(template, context)
        origins = self._located[1]
        here = origins[line - 1] if 0 < line <= len(origins) else []
        places = {place for name, place in here if name == tag} or {place for _, place in here}
        return places.pop() if len(places) == 1 else None

    def _origins(self, template: str, context: Mapping[str, Any]) -> list[list[tuple[str, Place]]]:
        """For each line of the rendered XML, the tags that begin on it and where they are written."""
        if self._marking is None:
            loader = _OriginLoader(self._loader.folders)
            self._marking = loader, Sandbox(loader, self.theme.colours, self.theme.language)
        loader, sandbox = self._marking
        sandbox.budget.start()
        try:
            text = _text(sandbox.get_template(template + SUFFIX), context)
        except Exception:  # a template can cause any exception; the problem itself is reported anyway
            return []
        return [
            [(tag, Place(loader.files[int(file)], int(line))) for tag, file, line in _ORIGIN.findall(row)]
            for row in text.split("\n")
        ]

    def file(self, template: str, suffix: str = SUFFIX) -> str:
        """The file of a rendered template, as shown in messages."""
        return str(self._by_name[template + suffix].filename)

    def lines(self, template: str, suffix: str = SUFFIX) -> tuple[str, ...]:
        """The lines of a template's file."""
        path = self._loader.path(template + suffix)
        return tuple(read_text(path, display_path(path), MAX_BYTES).splitlines())

    def mentions(self, template: str, name: str) -> bool:
        """Whether a rendered template, or one that it may include, mentions `name`."""
        traits, pending, seen = self._sandbox.traits, [template + SUFFIX], set[str]()
        while pending:
            current = pending.pop()
            own = traits.get(current)
            if own is None or None in own.others or name in own.names:
                return True
            seen.add(current)
            pending += [other for other in own.others if other and other not in seen]
        return False


# ---- running a loaded template; errors are not converted here ----------------------------------------------------


def _text(template: Template, context: Mapping[str, Any]) -> str:
    """The rendered text, like `Template.render`."""
    text = "".join(template.root_render_func(template.new_context(context)))  # type: ignore[arg-type]
    if len(text) > MAX_CHARACTERS:
        raise TooMuchError(f"makes more than {MAX_CHARACTERS:,} characters; is there an endless loop?")
    return text


# ---- messages for the authors of templates ------------------------------------------------------------------------


def _problem(error: Exception, context: Mapping[str, Any], name: str, file: str | None) -> Problem:
    """The problem that the author of a template sees. It names the face unless every face has the same problem."""
    if isinstance(error, TemplateSyntaxError):
        # Jinja2's lexer passes the file as the name
        return Problem(_message(error, context), Place(str(error.filename or error.name or file), error.lineno))
    if isinstance(error, TooMuchError) and error.file:
        return Problem(str(error), Place(error.file))
    place = _place(error) or (Place(file) if file else None)
    return Problem(f"{name}: {_message(error, context)}" if place else _message(error, context), place)


def _place(error: Exception) -> Place | None:
    """The line of the innermost template in the traceback. If a macro refuses its arguments, the caller is at fault,
    so it is the innermost line outside the shared templates."""
    places = list(_places(error))
    if isinstance(error, RefusedError):
        shared = display_path(paths.SHARED_TEMPLATES)
        places = [place for place in places if not place.file.startswith(shared)] or places
    return places[-1] if places else None


def _places(error: Exception) -> Iterator[Place]:
    """The lines of templates in the traceback, innermost last."""
    trace: TracebackType | None = error.__traceback__
    while trace:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        if template is not None:
            yield Place(template.filename, template.get_corresponding_lineno(trace.tb_lineno))
        trace = trace.tb_next


def _message(error: Exception, context: Mapping[str, Any]) -> str:
    if isinstance(error, RecursionError):
        return "macros or templates call each other endlessly"
    if isinstance(error, MemoryError):
        return "needs too much memory"
    text = (_text_of(error) or type(error).__name__)[:_MAX_READ]
    text = _ARGUMENTS.sub(r"“\1” gets the wrong arguments", text)
    unknown = _UNKNOWN.fullmatch(text) if isinstance(error, UndefinedError) else None
    hint = did_you_mean(unknown[1], context) if unknown else ""
    return cut(f"{text}; {hint}" if hint else text, _MAX_MESSAGE)


def _text_of(error: Exception) -> str:
    try:
        return str(error.message if isinstance(error, TemplateSyntaxError) else error)
    except Exception:  # the message contains a value of the template that cannot be written
        return ""
