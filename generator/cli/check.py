"""pencilbox check"""

from __future__ import annotations

import click

from ..judging.judge import Judge
from .common import Command
from .score import beside, options, run


@click.command(cls=Command)
@options
@click.pass_context
def command(
    ctx: click.Context,
    sheet: tuple[str, ...],
    form: str,
    strict: bool,
    hints: bool,
    game: str | None,
    words: str | None,
    trust_code: bool,
) -> None:
    """Check filled-in SHEETs without scoring them: PDF forms, YAML or JSON; - is standard input.

    Exit codes: 0 if no rule is broken, 1 if one is, 2 if a sheet cannot be read.
    """
    judge = Judge(game, trust_code, score=False, hints=hints, draw=form == "text", beside=beside(words))
    ctx.exit(run(judge, sheet, form, strict))
