"""What several commands share: a command that reports all its wrong options at once, and the options of a draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import iter_params_for_processing

from ..errors import InputError, Problem
from . import completions
from .failures import WrongUsageError, usage_problem

if TYPE_CHECKING:
    from ..definitions.sizes import Paper


class Command(click.Command):
    """A command that reports everything that is wrong with its options and arguments, not only the first fault."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(args))
        except (click.UsageError, InputError) as error:
            raise WrongUsageError(dict.fromkeys(self._problems(ctx, args) or _problems_of(error))) from error

    def _problems(self, ctx: click.Context, args: list[str]) -> list[Problem]:
        """Parses once more in a context of its own, going on after each fault."""
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
    """The arguments without the first that spells this option; a short one may stand among others, as in `-qx`."""
    for place, word in enumerate(args):
        if word.split("=")[0] == option or (word[:1] == "-" != word[1:2] and option[1:2] in word and len(option) == 2):
            return [*args[:place], *args[place + 1 :]]
    return []


def is_typed(ctx: click.Context, name: str) -> bool:
    """Whether a parameter was given on the command line, rather than by the settings or its default."""
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


class PaperType(click.ParamType):  # type: ignore[type-arg]  # older versions of click have no type argument
    """A paper: its name in any case, or its size."""

    name = "paper"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Paper:
        from ..definitions.sizes import Paper, paper  # loads YAML, which `--help` does without

        return value if isinstance(value, Paper) else paper(value)


# ---- the options of a draw ------------------------------------------------------------------------------------------

DRAW_OPTIONS = {
    "players": "players",
    "profile": "profile",
    "language": "language",
    "rounds": "rounds",
    "per_player": "each",
}
"""The options of a draw, by their parameters, as sets.yaml names them."""


class RenamedOption(click.Option):
    """An option that can still be given by its old names, which the help does not list."""

    def __init__(self, *arguments: Any, old: tuple[str, ...], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.old = old

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        listed = self.opts
        self.opts = [*listed, *self.old]
        super().add_to_parser(parser, ctx)
        self.opts = listed


def draw_options(*without: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options that say what is to be drawn, but for some. A game takes those that its sets.yaml names, and refuses
    the others."""
    options = {
        "kind": click.option(
            "--kind",
            cls=RenamedOption,
            old=("--what",),
            metavar="NAME",
            shell_complete=completions.kinds,
            help="What to draw, where a game has more than one thing to draw.",
        ),
        "players": click.option(
            "--players", metavar="N", shell_complete=completions.option_values("players"), help="For how many players."
        ),
        "profile": click.option(
            "--profile",
            metavar="NAME",
            shell_complete=completions.option_values("profile"),
            help="How hard, or of what kind.",
        ),
        "language": click.option(
            "--language",
            metavar="NAME",
            shell_complete=completions.option_values("language"),
            help="The language of letters.",
        ),
        "rounds": click.option(
            "--rounds", metavar="N", shell_complete=completions.option_values("rounds"), help="How many rounds."
        ),
        "per_player": click.option(
            "--per-player",
            cls=RenamedOption,
            old=("--each",),
            is_flag=True,
            help="One for each player instead of one for all.",
        ),
    }

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed([name for name in options if name not in without]):
            command = options[name](command)
        return command

    return decorate


def given_draw_options(values: Mapping[str, Any]) -> dict[str, str]:
    """The options of a draw that were given, as sets.yaml spells their values."""
    return {
        option: "yes" if values[name] is True else values[name]
        for name, option in DRAW_OPTIONS.items()
        if values.get(name)
    }
