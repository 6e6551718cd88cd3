"""pencilbox completion"""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, ShellComplete, get_completion_class

from .console import echo
from .options import Command

_COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }"
"""Turns completion on, if .zshrc does not."""


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that makes the Tab key complete commands, options, games and files in your shell.

    Add it once, then open a new terminal:

    \b
    bash:  pencilbox completion bash >> ~/.bashrc
    zsh:   pencilbox completion zsh >> ~/.zshrc
    fish:  pencilbox completion fish > ~/.config/fish/completions/pencilbox.fish
    """
    echo(script(shell))


def script(shell: str) -> str:
    """The script for a shell, which calls `pencilbox` for each completion."""
    from . import pencilbox  # which imports its commands when they are called

    shell_class = get_completion_class(shell)
    assert shell_class is not None
    completer = shell_class(pencilbox, {}, "pencilbox", "_PENCILBOX_COMPLETE")
    # BashComplete.source would run bash to check its version
    text = ShellComplete.source(completer) if isinstance(completer, BashComplete) else completer.source()
    if shell != "zsh":
        return text
    head, _, rest = text.partition("\n")
    return f"{head}\n{_COMPINIT}\n{rest}"
