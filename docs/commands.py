"""Writes docs/cli.md, the reference of the command line, from the commands themselves (`make answers`)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from generator.cli import ALIASES, COMMANDS, pencilbox

FILE = Path(__file__).parent / "cli.md"

HEAD = """\
# The command line

Every command and option, as `pencilbox COMMAND --help` lists them. `docs/commands.py` generates this page: run
`make answers` after changing a command.

## Exit codes

| code | meaning |
|---|---|
| 0 | success; `score`, `check`: no rule is broken; `verify`: everything matches; `preflight`: nothing to reject |
| 1 | `score`, `check`, `fill`: a rule is broken; `verify`: something differs; `preflight`: rejected |
| 2 | the command line or an input file cannot be used; every problem is reported, with its file and line |
| 70 | a bug in Pencilbox: please report it; `PENCILBOX_TRACEBACK=1` prints the details |
| 74 | output could not be written, or a file could not be read |
| 130 | interrupted with Ctrl-C |
| 141 | the program that reads the output closed the pipe, as `head` does |

With `--format json`, every failure prints `{"error": [{"file", "line", "message", "hint"}], "valid": false}` to
standard output; files that `make` printed nevertheless are listed under `"files"`. Messages go to standard error.
Colours appear only on a terminal, and never if `NO_COLOR` is set.

## Files that are written

Commands name every file they write. In `output/`, or the folder that you set as `output`, older files are replaced.
Elsewhere the command asks first on a terminal; without one it refuses unless you add `--force`. Links are followed, and
an existing file keeps its mode. `make` leaves a PDF as it is if nothing that it depends on has changed
([Printing again](speed.md#printing-again)).

## Settings

`pencilbox config` shows the defaults you have set and where each comes from. Options on the command line come first,
then `pencilbox.toml` in the folder you work in, then your own file for all folders.

```toml
paper = "letter"          # or a list: ["a4", "letter"]
duplex = "short"          # long, short, gutterfold or none
printer = "office"        # a printer that you have calibrated (docs/calibration.md)
low_ink = true
high_contrast = true
large_print = true
output = "pdf"            # the folder that `make` writes into
```

A settings file has at most 16,000 bytes. The `output` of a `pencilbox.toml` must be inside the folder of that file,
which you may have from someone else; in your own file it may be any folder.
"""


def page() -> str:
    """The page as it should be."""
    root = click.Context(pencilbox, info_name="pencilbox", **pencilbox.context_settings)
    sections = [HEAD]
    for name in COMMANDS:
        command = pencilbox.get_command(root, name)
        assert command
        sections.append("\n".join(_section(name, command, click.Context(command, info_name=name, parent=root))))
    return "\n".join(sections)


def _section(name: str, command: click.Command, ctx: click.Context) -> Iterator[str]:
    yield f"{'##' if ' ' not in name else '###'} pencilbox {name}\n"
    yield f"```text\npencilbox {name} {' '.join(command.collect_usage_pieces(ctx))}\n```\n"
    yield _markdown(inspect.cleandoc(command.help or ""))
    options = [param for param in command.get_params(ctx) if isinstance(param, click.Option) and not param.hidden]
    if options:
        yield "\n| option | |\n|---|---|"
    for option in options:
        names, text = option.get_help_record(ctx) or ("", "")
        yield f"| {_code(names)} | {_cell(text)} |"
    others = [other for other, same in ALIASES.items() if same == name]
    if others:
        yield f"\nAlso spelt `{'`, `'.join(others)}`."
    yield ""
    for inner in getattr(command, "commands", {}).values():
        yield from _section(f"{name} {inner.name}", inner, click.Context(inner, info_name=inner.name, parent=ctx))


def _markdown(text: str) -> str:
    """Help text as Markdown: a part after \\b keeps its lines."""
    parts = [re.sub(r"^\f?", "", part) for part in text.split("\n\n")]
    return "\n\n".join(
        f"```text\n{inspect.cleandoc(part.removeprefix(chr(8)))}\n```" if part.startswith("\b") else part
        for part in parts
    )


def _code(names: str) -> str:
    return f"`{names}`".replace("|", "\\|")


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
