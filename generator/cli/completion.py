"""pencilbox completion"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from .common import Command
from .console import echo


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash:  pencilbox completion bash >> ~/.bashrc
    zsh:   pencilbox completion zsh  >> ~/.zshrc
    fish:  pencilbox completion fish > ~/.config/fish/completions/pencilbox.fish
    """
    from . import pencilbox  # which imports its commands when they are called

    found = get_completion_class(shell)
    assert found is not None
    echo(found(pencilbox, {}, "pencilbox", "_PENCILBOX_COMPLETE").source())
