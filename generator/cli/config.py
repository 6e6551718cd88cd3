"""pencilbox config"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..reading.user_settings import FOLDER_FILE, UserSetting, settings, user_file
from .console import echo, echo_json, table
from .options import Command


@click.command(cls=Command)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(form: str) -> None:
    """Show your settings and where each comes from.

    Settings are defaults for the command line. Put them in pencilbox.toml in the folder you work in, or in your own
    file for all folders; this command names both:

    \b
    paper = "letter"          # or a list: ["a4", "letter"]
    duplex = "short"          # long, short, gutterfold or none
    printer_margin = 5        # the edge that your printer leaves white, in mm or such as "0.25in"
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
