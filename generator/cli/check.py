"""pencilbox check"""

from __future__ import annotations

import click

from .options import Command
from .score import SheetOptions, run, sheet_options


@click.command(cls=Command)
@sheet_options
@click.pass_context
def command(ctx: click.Context, options: SheetOptions) -> None:
    """Check filled-in SHEETs without scoring them: PDF forms, YAML or JSON, or - for standard input.

    Exit codes: 0 if no rule is broken, 1 if one is, 2 if a sheet cannot be read.
    """
    ctx.exit(run(options.judge(score=False, draw=options.form == "text"), options))
