"""What commands share: reporting all usage errors at once, papers, and the options for random sets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from click.core import iter_params_for_processing
from msgspec import Struct

from ..errors import InputError, Problem, fault
from ..reading.sizes import Paper, paper, printer_margin
from ..reading.table_game import TEMPLATES, TableLook
from .failures import WrongUsageError, usage_problem

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Complete = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

trust_code_option = click.option(
    "--trust-code", is_flag=True, help="Allow Pencilbox to run the rules.py of your own game."
)


def complete(kind: str) -> Complete:
    """What completes words of a kind when the Tab key is pressed: the function of `completions` with this name, which
    is not loaded before."""

    def words(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
        function: Complete = getattr(import_module(f"{__package__}.completions"), kind)
        return function(ctx, param, typed)

    return words


class Command(click.Command):
    """A command that reports every problem of its options and arguments, not only the first."""

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Both names, also for a context that was made without its parent: click remembers the first answer."""
        return ["-h", "--help"]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing and (problems := self._missing_values(ctx, args)):
            raise WrongUsageError(problems)
        try:
            return super().parse_args(ctx, list(args))
        except (click.UsageError, InputError) as error:
            raise WrongUsageError(dict.fromkeys(self._problems(ctx, args) or _problems_of(error))) from error

    def _missing_values(self, ctx: click.Context, args: list[str]) -> list[Problem]:
        """Options that are followed by another option, which click would take for their value."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        names = {name for option in options for name in (*option.opts, *option.secondary_opts) if name[:2] == "--"}
        valued = {name for option in options if not (option.is_flag or option.count) for name in option.opts}
        words = args[: args.index("--")] if "--" in args else args
        return [
            Problem(f"{name} needs a value", hint=f"it is followed by {value}; to pass that, type {name}={value}")
            for name, value in itertools.pairwise(words)
            if name in names & valued and value.split("=")[0] in names and value not in ("--help",)
        ]

    def _problems(self, ctx: click.Context, args: list[str]) -> list[Problem]:
        """Parses again in a separate context, continuing after each problem."""
        ctx = self.context_class(self, info_name=ctx.info_name, parent=ctx.parent)
        problems: list[Problem] = []
        while True:
            try:
                values, rest, order = self.make_parser(ctx).parse_args(list(args))
                break
            except click.NoSuchOption as error:
                problems += _problems_of(error)
                args = _without(args, error.option_name)
            except click.UsageError as error:
                return [*problems, *_problems_of(error)]
        for param in iter_params_for_processing(order, self.get_params(ctx)):
            try:
                _, rest = param.handle_parse_result(ctx, values, rest)
            except (click.UsageError, InputError) as error:
                problems += _problems_of(error)
        if rest and not problems:
            problems.append(Problem(f"too many arguments: {' '.join(rest)}", hint=f"see “{ctx.command_path} --help”"))
        return problems


def _problems_of(error: click.UsageError | InputError) -> tuple[Problem, ...]:
    return error.problems if isinstance(error, InputError) else (usage_problem(error),)


def _without(args: list[str], option: str) -> list[str]:
    """The arguments without the first one that has this option; short options may be joined, as in `-qx`."""
    for place, word in enumerate(args):
        if word.split("=")[0] == option or (word[:1] == "-" != word[1:2] and option[1:2] in word and len(option) == 2):
            return [*args[:place], *args[place + 1 :]]
    return []


def is_typed(ctx: click.Context, name: str) -> bool:
    """Whether a parameter was given on the command line, rather than by the settings or its default."""
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


class Count(click.IntRange):
    """A number in a range, which the help shows as `1 to 100`."""

    def _describe_range(self) -> str:
        return f"{self.min:,} to {self.max:,}"


class PaperType(click.ParamType):  # type: ignore[type-arg]  # older versions of click have no type argument
    """A paper: its name in any case, or its size."""

    name = "paper"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Paper:
        return value if isinstance(value, Paper) else paper(value)


class MarginType(click.ParamType):  # type: ignore[type-arg]
    """The edge of the paper that a printer leaves white, in mm."""

    name = "margin"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return float(value) if isinstance(value, float) else printer_margin(str(value))


# ---- options that several commands have


def all_of(*options: Decorator) -> Decorator:
    """Adds several options to a command, in the order in which the help lists them."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def as_object(parameter: str, kind: type[Struct], *options: Decorator) -> Decorator:
    """Adds options to a command, which gets the values of all fields of `kind` as one object. Options that are not
    given and have no default keep that of the field."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_object(*arguments: Any, **values: Any) -> None:
            given = {name: values.pop(name) for name in kind.__struct_fields__}
            fields = {name: value for name, value in given.items() if value is not None}
            command(*arguments, **{parameter: kind(**fields)}, **values)

        return all_of(*options)(with_object)

    return decorate


MAX_SETS = 10_000
"""The maximum number of sets drawn at a time."""


def component_option(verb: str) -> Decorator:
    """The option --component; `verb` says what is done with the components."""
    return click.option(
        "--component",
        "-c",
        multiple=True,
        metavar="NAME",
        shell_complete=complete("components"),
        help=f"{verb} only this component; may be repeated.",
    )


font_option = click.option(
    "--font",
    multiple=True,
    metavar="FILE",
    help="For a table: a font file for its texts; may be repeated for other weights and scripts.  "
    "[default: the font files beside the table, or Lato]",
)


def table_look(options: Mapping[str, Any]) -> TableLook:
    """The options that say how a table is read. Raises InputError for several worksheets."""
    sheets = options["sheet"]
    if len(sheets) > 1:
        raise fault("--sheet can only be given once", hint="a deck comes from one worksheet: print them one at a time")
    named = {name: options[name] for name in TableLook.__struct_fields__ if name in options and name != "sheet"}
    return TableLook(**named, sheet=sheets[0] if sheets else None)


def sheet_option(of: str) -> Decorator:
    """The option --sheet, which table_look refuses to repeat."""
    return click.option(
        "--sheet", multiple=True, metavar="NAME", help=f"{of}: its worksheet.  [default: the first with cards]"
    )


encoding_option = click.option(
    "--encoding", metavar="NAME", help="For a text file: its encoding, such as windows-1251.  [default: detected]"
)
all_rows_option = click.option(
    "--all-rows",
    is_flag=True,
    default=None,
    help="For a table: also print rows that do not look like cards, such as totals.",
)
headings_option = click.option(
    "--headings/--no-headings",
    default=None,
    help="For a table: whether its first row contains the headings.  [default: detected]",
)
columns_option = click.option(
    "--columns",
    metavar="LIST",
    help="For a table: the meaning of columns, such as “Stk=copies, Bild=picture, Notes=-”; - leaves one out.",
)


table_options = all_of(
    sheet_option("For a table"),
    columns_option,
    headings_option,
    all_rows_option,
    encoding_option,
    click.option(
        "--size", metavar="SIZE", help="For a table: the card size, such as tarot or 63x88.  [default: poker]"
    ),
    click.option(
        "--gutter",
        type=click.FloatRange(0, 50),
        metavar="MM",
        help="For a table: the space between cards.  [default: 0]",
    ),
    click.option(
        "--template",
        type=click.Choice(TEMPLATES),
        metavar="NAME",
        help=f"For a table: how cards look: {', '.join(TEMPLATES)}.  "
        "[default: editorial; for playing cards, number_and_suit]",
    ),
    font_option,
)
"""The options that say how a table becomes a deck."""


def printer_options(about: str) -> Decorator:
    """The options --printer and --tray; `about` says what the printer is for."""
    return all_of(
        click.option("--printer", metavar="NAME", shell_complete=complete("printers"), help=about),
        click.option("--tray", metavar="NAME", help="The tray of the printer, if several are calibrated."),
    )


# ---- options for other processes ------------------------------------------------------------------------------------


def workers_option(default: str) -> Decorator:
    """The option --workers; `default` says how many processes there are without it."""
    return click.option(
        "--workers", type=Count(1, 1024), metavar="N", help=f"The number of processes.  [default: {default}]"
    )


def cluster_options(purpose: str) -> Decorator:
    """The options --scheduler and --timeout; `purpose` says what the cluster does."""
    return all_of(
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help=f"{purpose} on a Dask cluster: the address of its scheduler, tcp://HOST:PORT or tls://HOST:PORT.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(0, 86_400, min_open=True),
            metavar="SECONDS",
            help="How long to wait for a cluster that does not answer or has no workers.  [default: 30]",
        ),
    )


def refuse_unused_cluster(workers: int | None, scheduler: str | None, timeout: float | None) -> None:
    """Raises InputError for options of processes and clusters that cannot be used together."""
    if scheduler and workers:
        raise fault("--workers cannot be used with --scheduler", hint="the cluster has its own workers")
    if timeout and not scheduler:
        raise fault("--timeout needs --scheduler")


# ---- options for random sets ----------------------------------------------------------------------------------------

DRAW_OPTIONS = {
    "players": "players",
    "profile": "profile",
    "language": "language",
    "rounds": "rounds",
    "per_player": "each",
}
"""The options for random sets: parameter → name in sets.yaml."""


class RenamedOption(click.Option):
    """An option with old names that still work but are not listed."""

    def __init__(self, *arguments: Any, old: tuple[str, ...], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.old = old

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        listed = self.opts
        self.opts = [*listed, *self.old]
        super().add_to_parser(parser, ctx)
        self.opts = listed


def draw_options(*without: str) -> Decorator:
    """Adds the options for random sets, except those named in `without`. A game accepts those that its sets.yaml
    declares."""
    options = {
        "kind": click.option(
            "--kind",
            cls=RenamedOption,
            old=("--what",),
            metavar="NAME",
            shell_complete=complete("kinds"),
            help="What to draw, if the game has several kinds of sets: dice or strip of Rolling Cubes, strip or "
            "challenge of Upwards!, deal or board of Cosmic Consequences.",
        ),
        "players": click.option(
            "--players", metavar="N", shell_complete=complete("option_values"), help="The number of players."
        ),
        "profile": click.option(
            "--profile",
            metavar="NAME",
            shell_complete=complete("option_values"),
            help="The profile of the set, such as gentle or fierce.",
        ),
        "language": click.option(
            "--language",
            metavar="NAME",
            shell_complete=complete("option_values"),
            help="The language of the letter dice, such as german.",
        ),
        "rounds": click.option(
            "--rounds", metavar="N", shell_complete=complete("option_values"), help="The number of rounds, such as 20."
        ),
        "per_player": click.option(
            "--per-player",
            cls=RenamedOption,
            old=("--each",),
            is_flag=True,
            help="Draw a different strip for each player instead of one for all.",
        ),
    }
    return all_of(*(option for name, option in options.items() if name not in without))


def typed_draw_options(values: Mapping[str, Any]) -> dict[str, str]:
    """The options for random sets that the user typed, with values as in sets.yaml."""
    return {
        option: "yes" if values[name] is True else values[name]
        for name, option in DRAW_OPTIONS.items()
        if values.get(name)
    }
