"""pencilbox studio"""

from __future__ import annotations

import click

from ..errors import fault
from .console import echo, show_qr
from .options import Command, complete, trust_code_option


@click.command(cls=Command)
@click.argument("game", required=False, shell_complete=complete("games"))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port to use.  [default: any free one]")
@click.option(
    "--host",
    type=click.Choice(["127.0.0.1", "0.0.0.0"]),
    default="127.0.0.1",
    show_default=True,
    help="0.0.0.0 lets phones in your network score sheets: open the address in the QR code.",
)
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in your browser.")
@trust_code_option
def command(game: str | None, port: int, host: str, browser: bool, trust_code: bool) -> None:
    """Open a page in your browser in which you see, change, draw and score your games.

    GAME is a name from “pencilbox games”, the folder of your own game, or a table of cards such as cards.csv. The page
    shows changes as soon as you save a file in any editor. Press Ctrl-C to stop.
    """
    try:
        from ..studio import projects, server  # an extra
    except ModuleNotFoundError as error:
        raise fault(f"the studio needs {error.name}", hint="install it with: pip install 'pencilbox[studio]'") from None
    games = projects.Projects(trust_code=trust_code)
    start = f"/g/{games.open(game).key}/design" if game else "/"

    def ready(local: str, network: str) -> None:
        echo(local)
        if network and game:
            echo(f"\nTo score sheets on a phone in the same network, open {network}", err=True)
            show_qr(network)
        elif network:
            echo("To score sheets on a phone, open a game here, then Score, and press “Score on a phone”.", err=True)
        echo("Press Ctrl-C to stop.", err=True)
        if browser:
            click.launch(local)

    server.serve(games, host, port, start=start, ready=ready)
