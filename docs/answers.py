"""Renew what the documentation prints: the answers to sheets and the output of every command (`make answers`).

`python docs/answers.py sheets.md` renews only the pages it names.

Three kinds of fenced block matter:

- ```` ```console ````: commands after `$ `, each with its output below it. Commands of one page run in order in one
  folder. A command without lines below it shows no output; a last line `...` says that the rest is left out.
- ```` ```yaml title="my_game/game.yaml" ````, or any other language: a file that is written into that folder.
- ```` ```text ```` and ```` ```json ```` on the pages about sheets: the answer of `pencilbox score` to the sheet above.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from click.testing import CliRunner

from generator import cli

ROOT = Path(__file__).parents[1]
SHEETS = {ROOT / "docs/sheets.md", *(ROOT / "docs").glob("sheets_*.md")}
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(
    r'^(?P<fence>`{3,})(?P<kind>\w*)(?: title="(?P<title>[^"\n]+)")?\n(?P<text>.*?)^(?P=fence)$', re.M | re.S
)
LEFT_OUT = "..."


# ---- commands and their output


def steps(block: str) -> Iterator[tuple[str, list[str]]]:
    """(command, lines of output) for each command of a console block."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        yield command, shown


def scratch_folder(folder: Path) -> Path:
    """The folder the commands of a page run in: `docs` and `examples` are there, and nothing is written into them."""
    for name in ("docs", "examples", "data"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def run(command: str, folder: Path) -> tuple[int, list[str]]:
    """Exit code and lines of output of a `pencilbox` command, errors last."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8") for _ in range(2))
    kept = {name: os.environ[name] for name in ("XDG_CACHE_HOME",) if name in os.environ}
    settings = {"COLUMNS": "80", "HOME": str(folder), **kept}
    words = shlex.split(command, comments=True)
    with (
        chdir(folder),
        patch.dict(os.environ, settings, clear=True),
        patch.object(sys, "argv", words),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            cli.main()
        except SystemExit as end:
            code = int(end.code or 0)
    lines = []
    for stream in (out, err):
        stream.seek(0)
        lines += [line.rstrip() for line in stream]
    return code, lines


def shortened(output: list[str], shown: list[str]) -> list[str]:
    """As much of the output as the page shows of it."""
    if not shown:
        return []
    if shown[-1].strip() == LEFT_OUT:
        return [*output[: len(shown) - 1], LEFT_OUT]
    return output


def renewed_commands(page: str, folder: Path) -> str:
    """The page with the output of every command as it is now. Raises ValueError for a command that fails."""

    def block(match: re.Match[str]) -> str:
        kind, title, text = match.group("kind", "title", "text")
        if title and not (ROOT / title).exists():
            path = folder / title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        if kind != "console":
            return match[0]
        lines = []
        for command, shown in steps(text):
            lines.append(f"$ {command}")
            if command.startswith("pencilbox "):
                code, output = run(command, folder)
                if code not in (0, 1) and not any(line.startswith("error:") for line in shown):
                    raise ValueError(f"{command}: exit code {code}\n" + "\n".join(output))
                shown = shortened(output, shown)
            lines += shown
        return "```console\n" + "".join(f"{line}\n" for line in lines) + "```"

    return BLOCK.sub(block, page)


# ---- answers to sheets


def answer(sheet: str, form: str, options: list[str]) -> str:
    """What `score` answers to a sheet, as the page prints it."""
    Path("sheet.yaml").write_text(sheet, "utf-8")
    output = CliRunner().invoke(cli.pencilbox, ["score", "sheet.yaml", "--format", form, *options]).output
    return output if form == "text" else _folded(json.loads(output)) + "\n"


def _folded(answer: dict[str, object]) -> str:
    """JSON with one line for each problem and each player."""
    return "{" + ",\n ".join(f'"{key}": {_value(value)}' for key, value in answer.items()) + "}"


def _value(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n   " + ",\n   ".join(map(_line, value)) + "]"
    return _line(value)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def renewed_answers(page: str) -> str:
    """The page with every answer as it is now; writes into the working folder."""
    sheet = ""

    def block(match: re.Match[str]) -> str:
        nonlocal sheet
        kind, text = match.group("kind", "text")
        if kind == "yaml":
            sheet = text
        if kind not in ("text", "json"):
            return match[0]
        options = ["--explain"] if "`--explain`" in page[: match.start()].rstrip().rpartition("\n")[2] else []
        return f"```{kind}\n{answer(sheet, kind, options)}```"

    return BLOCK.sub(block, page)


def main() -> None:
    os.environ["COLUMNS"] = "80"
    for path in [path for path in PAGES if path.name in sys.argv[1:]] or PAGES:
        text = path.read_text("utf-8")
        with TemporaryDirectory() as name:
            folder = scratch_folder(Path(name))
            new = renewed_commands(text, folder)
            if path in SHEETS:
                os.chdir(folder)
                new = renewed_answers(new)
                os.chdir(ROOT)
        if new != text:
            path.write_text(new, "utf-8")


if __name__ == "__main__":
    main()
