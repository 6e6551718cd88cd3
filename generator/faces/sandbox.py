"""A Jinja2 sandbox for untrusted templates: they can reach only what is listed here, and repetition costs steps.

Jinja2's own sandbox blocks Python's internals. In addition, templates are rewritten after parsing so that loops,
lists, concatenations and comparisons spend steps, and only the methods listed here can be called.
"""

from __future__ import annotations

import marshal
import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from math import isfinite
from pathlib import Path
from types import BuiltinMethodType, CodeType, MethodType
from typing import Any, cast

from jinja2 import BaseLoader, BytecodeCache, StrictUndefined, Template, compiler, nodes
from jinja2.bccache import Bucket, bc_magic
from jinja2.exceptions import SecurityError, TemplateRuntimeError, TemplateSyntaxError
from jinja2.runtime import BlockReference, Context, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEnvironment
from jinja2.utils import missing, pass_context
from jinja2.visitor import NodeTransformer
from msgspec import Struct

from .. import __version__
from ..errors import did_you_mean
from ..model.game import Card
from ..model.values import field_names
from ..paths import user_cache
from . import card_plans, filters
from .budget import Budget, TooMuchError
from .filters import Guarded

MAX_FILES = 1_000
"""If there are more files, all are deleted: most are of templates that have changed."""
_REFERRING = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)


class Traits(Struct, frozen=True):
    """Facts about a template without running it: the names that it mentions, and the templates that it refers to
    (None stands for a computed name)."""

    names: frozenset[str]
    others: frozenset[str | None]

    @staticmethod
    def of(every: Sequence[nodes.Node]) -> Traits:
        """The traits of a template with these nodes."""
        others = [getattr(node, "template", None) for node in every if isinstance(node, _REFERRING)]
        return Traits(
            frozenset(node.name for node in every if isinstance(node, nodes.Name)),
            frozenset(node.value if isinstance(node, nodes.Const) else None for node in others),
        )


class CompiledTemplates(BytecodeCache):
    """The code and the traits of templates, by `get_cache_key` of their names and files."""

    def __init__(self) -> None:
        self.codes: dict[str, tuple[str, Any]] = {}
        self.traits: dict[str, Traits] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        checksum, code = self.codes.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code
        elif self._folder:
            with suppress(OSError, EOFError, ValueError, TypeError):
                names, others, code = marshal.loads(self._file(bucket).read_bytes())
                bucket.code = code if isinstance(code, CodeType) else None
                self.traits[bucket.key] = Traits(names, others)
                self.codes[bucket.key] = bucket.checksum, bucket.code

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.codes[bucket.key] = bucket.checksum, bucket.code
        if self._folder:
            traits = self.traits[bucket.key]
            part = self._folder / f"{os.urandom(8).hex()}.part"
            with suppress(OSError):
                part.write_bytes(marshal.dumps((traits.names, traits.others, bucket.code)))
                part.replace(self._file(bucket))

    def _file(self, bucket: Bucket) -> Path:
        """The file with a template that was compiled by these versions of Pencilbox, Jinja2 and Python."""
        assert self._folder
        what = f"{bucket.key} {bucket.checksum} {__version__} {bc_magic.hex()}"
        for path in (Path(compiler.__file__), Path(__file__).with_name("sandbox.py")):
            about = path.stat()
            what += f" {about.st_mtime_ns} {about.st_size}"
        return self._folder / sha256(what.encode()).hexdigest()

    @cached_property
    def _folder(self) -> Path | None:
        """The folder for compiled templates; None if there is none that is the user's alone."""
        try:
            folder = user_cache() / "templates"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            files = list(folder.iterdir())
            if len(files) > MAX_FILES:
                for file in files:
                    file.unlink(missing_ok=True)
            return folder if _is_own(folder) else None
        except (OSError, RuntimeError):
            return None


def _is_own(folder: Path) -> bool:
    """Whether only this user can write to a folder. On Windows, that is so in the folders of the user's profile."""
    about = folder.lstat()
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(about.st_mode)
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o022


MAX_CODE = 250_000
MAX_NAMES = 500
_CHARACTERS_PER_STEP = 16
_STEPS_PER_CALL = 8
_RESERVED = ("id", "copies")
_STEPS_PER_TEMPLATE = 40
_METHODS: tuple[tuple[type, frozenset[str]], ...] = (
    (str, frozenset(("capitalize", "count", "endswith", "find", "isdigit", "isalpha", "isupper", "islower", "lower"))),
    (str, frozenset(("lstrip", "removeprefix", "removesuffix", "rstrip", "split", "splitlines", "startswith"))),
    (str, frozenset(("strip", "title", "upper"))),
    (Mapping, frozenset(("get", "items", "keys", "values"))),
    (list, frozenset(("count", "index"))),
    (tuple, frozenset(("count", "index"))),
    (LoopContext, frozenset(("changed", "cycle"))),
)


class Unknown(StrictUndefined):
    """An unknown name. Any use of it is an error that suggests known names."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        if self._undefined_hint:
            return self._undefined_hint
        if self._undefined_obj is missing:
            return f"“{self._undefined_name}” is not known here"
        name: Any = self._undefined_name
        if not isinstance(name, str | int | float):
            return f"a {type(name).__name__} cannot be used as a key of {described(self._undefined_obj)}"
        hint = did_you_mean(str(name), _names(self._undefined_obj))
        return f"{described(self._undefined_obj)} has no “{name}”{'; ' + hint if hint else ''}"


def described(value: Any) -> str:
    """Names the type of a value for template authors: `a card`, `a mapping`, `a list`."""
    if isinstance(value, Mapping):
        return "a mapping"
    name = type(value).__name__.removesuffix("File")
    return f"a {name.lower()}"


def _names(owner: Any) -> list[str]:
    """The names that a template can look up in an object."""
    if isinstance(owner, Mapping):
        return [str(key) for key in owner]
    fields = list(field_names(owner))
    inner = getattr(owner, "values", None)
    return [*fields, *_names(inner)] if isinstance(inner, Mapping) else fields


_GUARDED = "guarded {}"  # the name of a filter that no template can name, because it has a space in it


class _Rewriter(NodeTransformer):
    """Applies a filter that no template can name, a `Guarded` method, to everything that can grow or repeat."""

    def __init__(self, name: str | None, filename: str | None) -> None:
        self.name = name
        self.filename = filename
        self.length = 0
        """The characters of markup so far."""

    def _guarded(self, method: str, node: nodes.Expr, *arguments: int) -> nodes.Filter:
        constants: list[nodes.Expr] = [nodes.Const(argument, lineno=node.lineno) for argument in arguments]
        return nodes.Filter(node, _GUARDED.format(method), constants, [], None, None, lineno=node.lineno)

    def _refuse(self, what: str, node: nodes.Node) -> TemplateSyntaxError:
        return TemplateSyntaxError(f"{what} is not allowed in templates", node.lineno, self.name, self.filename)

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 - the name Jinja2 calls
        if node.recursive:
            raise self._refuse("a recursive loop", node)
        before = self.length
        self.generic_visit(node)
        steps = 1 + (self.length - before) // _CHARACTERS_PER_STEP
        node.iter = self._guarded("counted", cast(nodes.Expr, node.iter), steps)
        return node

    def visit_TemplateData(self, node: nodes.TemplateData) -> nodes.Node:  # noqa: N802
        self.length += len(node.data)
        return node

    def visit_FilterBlock(self, node: nodes.FilterBlock) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.filter = self._guarded("written", node.filter)  # its result may be of any type
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return self._guarded("join", nodes.List(node.nodes, lineno=node.lineno))

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return self._guarded("compared", node)

    def _built(self, node: nodes.Expr) -> nodes.Node:
        self.generic_visit(node)
        return self._guarded("bounded", node)

    visit_List = visit_Dict = _built  # noqa: N815

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        return self._built(node) if node.ctx == "load" else node

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        return self._built(node) if isinstance(node.arg, nodes.Slice) else self.generic_visit(node)

    def visit_Name(self, node: nodes.Name) -> nodes.Node:  # noqa: N802
        if node.name in ("varargs", "kwargs"):
            raise self._refuse(f"“{node.name}”", node)
        return node

    def visit_Const(self, node: nodes.Const) -> nodes.Node:  # noqa: N802
        if isinstance(node.value, float) and not isfinite(node.value):
            raise self._refuse("a number of this size", node)
        return node

    def visit_ScopedEvalContextModifier(self, node: nodes.ScopedEvalContextModifier) -> nodes.Node:  # noqa: N802
        raise self._refuse("autoescape", node)


_COMPILED = CompiledTemplates()


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment in which face templates are rendered."""

    intercepted_binops = frozenset(SandboxedEnvironment.default_binop_table)

    def __init__(self, loader: BaseLoader, colours: Mapping[str, str], language: str = "") -> None:
        self.budget = Budget()
        self.guarded = Guarded(self.budget)
        self.traits: dict[str, Traits] = {}
        super().__init__(
            loader=loader,
            autoescape=True,
            undefined=Unknown,
            finalize=self._finalized,
            auto_reload=False,
            optimized=False,
            bytecode_cache=_COMPILED,
        )
        self.sizes: dict[str, int] = {}
        """The length of each template by name; set by the loader."""
        self.globals = {"range": self.guarded.range}
        self.filters = filters.filters(self.guarded, colours, language, card_plans.FILTERS)
        for name in ("counted", "written", "join", "compared", "bounded"):
            self.filters[_GUARDED.format(name)] = getattr(self.guarded, name)
        self.tests = cast(Any, filters.tests(self.budget))

    def _load_template(self, name: str, globals: Any) -> Template:  # noqa: A002 - Jinja2's name
        template = super()._load_template(name, globals)
        self.traits[name] = _COMPILED.traits[_COMPILED.get_cache_key(name, template.filename)]
        self.pay(name)
        return template

    def pay(self, name: str) -> None:
        """Spends the steps for using a template."""
        self.budget.spend(_STEPS_PER_TEMPLATE + self.sizes[name] // _CHARACTERS_PER_STEP)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        every = _every_node(tree)
        _check_extent(every)
        _COMPILED.traits[_COMPILED.get_cache_key(str(name), filename)] = Traits.of(every)
        rewritten: nodes.Template = _Rewriter(name, filename).visit(tree)
        return rewritten

    def _generate(self, source: nodes.Template, name: Any, filename: Any, defer_init: bool = False) -> str:
        """Like Jinja2's, but limits the size of the compiled code."""
        self.budget.check_time()
        code = super()._generate(source, name, filename, defer_init)
        if len(code) > MAX_CODE:
            raise TooMuchError(f"becomes more than {MAX_CODE:,} characters of code")
        return code

    @pass_context
    def _finalized(self, context: Context, value: Any) -> str:
        """The output of `{{ … }}`. Because of the context, Jinja2 evaluates nothing when it compiles a template."""
        return self.guarded.written(value)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        return self.guarded.arithmetic(operator, left, right)

    def compile(
        self,
        source: Any,
        name: str | None = None,
        filename: str | None = None,
        raw: bool = False,
        defer_init: bool = False,
    ) -> Any:
        """Like Jinja2's, but raises TooMuchError for anything that Python refuses to compile."""
        try:
            return super().compile(source, name, filename, raw=raw, defer_init=defer_init)  # type: ignore[call-overload]
        except (RecursionError, MemoryError, SyntaxError, ValueError, OverflowError) as error:
            raise TooMuchError(f"cannot be compiled ({_reason(error)})", str(filename)) from None
        except TooMuchError as error:
            raise TooMuchError(str(error), str(filename)) from None

    def is_safe_callable(self, obj: Any) -> bool:
        """Only macros, blocks, `range` and the listed methods of strings, lists and mappings are safe."""
        if isinstance(obj, Macro | BlockReference):
            return True
        if not isinstance(obj, MethodType | BuiltinMethodType):
            return False
        return obj == self.guarded.range or any(
            isinstance(obj.__self__, owner) and obj.__name__ in names for owner, names in _METHODS
        )

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Like Jinja2's, but the fields of a card come before its attributes, except for its id and copies."""
        if type(obj) is Card and attribute in obj.values and attribute not in _RESERVED and attribute[0] != "_":
            return obj.values[attribute]
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Like Jinja2's, with a shortcut for `card[columns.title]`."""
        if type(obj) is Card and type(argument) is str and argument in obj.values:
            return obj.values[argument]
        return super().getitem(obj, argument)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        budget = __self.budget
        budget.spend(_STEPS_PER_CALL)
        if isinstance(__obj, Unknown):
            __obj()
        if not __self.is_safe_callable(__obj):
            raise SecurityError(f"“{getattr(__obj, '__name__', type(__obj).__name__)}” cannot be called in templates")
        return budget.bounded(__context.call(__obj, *args, **kwargs))

    def _filter_test_common(self, name: Any, *arguments: Any) -> Any:
        """Like Jinja2's: calls the filter or test named in `map`, `select` and similar filters."""
        if not isinstance(name, str):
            raise TypeError(f"the name of a filter or test must be text, not a {type(name).__name__}")
        if " " in name:
            raise TemplateRuntimeError(f"No filter named {name!r}.")
        return super()._filter_test_common(name, *arguments)

    def wrap_str_format(self, value: Any) -> None:
        """Does nothing: `str.format` cannot be called."""


def _every_node(template: nodes.Template) -> list[nodes.Node]:
    """The nodes of a template. Jinja2's `find_all` takes much longer."""
    every: list[nodes.Node] = [template]
    for node in every:
        every += node.iter_child_nodes()
    return every


def _check_extent(every: list[nodes.Node]) -> None:
    """Limits statements and names: Jinja2 compares the names in all branches, which is slow if there are many."""
    statements = sum(isinstance(node, nodes.Stmt) and not isinstance(node, nodes.Output) for node in every)
    names = len({node.name for node in every if isinstance(node, nodes.Name)})
    for count, noun in ((statements, "statements ({% … %})"), (names, "different names")):
        if count > MAX_NAMES:
            raise TooMuchError(f"has more than {MAX_NAMES:,} {noun}")


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError | MemoryError):
        return "nested too deeply"
    return str(error.args[0] if error.args else error).lower()
