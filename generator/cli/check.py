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
    """Check filled-in SHEETs (YAML or JSON; - is standard input) without scoring them.

    Exit code 0: no rule broken, 1: a rule is broken, 2: a sheet cannot be read.
    """
    judge = Judge(game, trust_code, score=False, hints=hints, draw=form == "text", beside=beside(words))
    ctx.exit(run(judge, sheet, form, strict))
