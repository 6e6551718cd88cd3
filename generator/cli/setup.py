"""pencilbox config and pencilbox completion"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.shell_completion import BashComplete, ShellComplete, get_completion_class

from ..reading.user_settings import FOLDER_FILE, UserSetting, settings, user_file
from .console import echo, echo_json, table
from .options import Command

# Turns completion on, if .zshrc does not.
_COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }"


@click.command(cls=Command)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def config(form: str) -> None:
    """Show your settings and where each comes from.

    Settings are defaults for the command line. Put them in pencilbox.toml in the folder you work in, or in your own
    file for all folders; this command names both:

    \b
    paper = "letter"          # or a list: ["a4", "letter"]
    duplex = "short"          # long, short, gutterfold or none
    printer_margin = 5        # the edge that your printer leaves white, in mm, or with a unit: "0.25in"
    printer = "office"        # a printer that you have calibrated, see “pencilbox calibrate”
    low_ink = true
    high_contrast = true
    large_print = true
    output = "pdf"            # the folder that “make” writes into
    """
    current = settings()
    if form == "json":
        echo_json(
            {
                key: {"value": _plain(setting.value), "from": str(setting.place or "default")}
                for key, setting in current.items()
            }
        )
        return
    rows = [(key, _shown(key, setting), str(setting.place or "default")) for key, setting in current.items()]
    echo(table(("setting", "value", "from"), rows))
    for file, reach in ((Path(FOLDER_FILE), "this folder"), (user_file(), "all folders")):
        verb = "edit" if file.is_file() else "create"
        echo(f"To change the settings for {reach}, {verb} {file}.")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Path) else value


def _shown(key: str, setting: UserSetting) -> str:
    if setting.value is None:
        return {"duplex": "as each game says", "printer": "none"}.get(key, "of each paper")
    if isinstance(setting.value, bool):
        return "true" if setting.value else "false"
    if key == "printer_margin":
        return f"{setting.value:g}"
    return ", ".join(setting.value) if isinstance(setting.value, tuple) else str(setting.value)


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that makes the Tab key complete commands, options, games and files in your shell.

    Add it once, then open a new terminal:

    \b
    bash:  pencilbox completion bash >> ~/.bashrc
    zsh:   pencilbox completion zsh >> ~/.zshrc
    fish:  pencilbox completion fish > ~/.config/fish/completions/pencilbox.fish
    """
    echo(script(shell, ctx.find_root().command))


def script(shell: str, group: click.Command) -> str:
    """The script for a shell, which calls `pencilbox` for each completion."""
    shell_class = get_completion_class(shell)
    assert shell_class is not None
    completer = shell_class(group, {}, "pencilbox", "_PENCILBOX_COMPLETE")
    # BashComplete.source would run bash to check its version
    text = ShellComplete.source(completer) if isinstance(completer, BashComplete) else completer.source()
    if shell != "zsh":
        return text
    head, _, rest = text.partition("\n")
    return f"{head}\n{_COMPINIT}\n{rest}"
