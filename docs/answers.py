"""The answers printed in docs/sheets.md, made anew from what the judge says: `make answers`."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from generator.cli import pencilbox

PAGE = Path(__file__).parent / "sheets.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def answer(sheet: str, form: str, options: list[str]) -> str:
    """What is said to a sheet, as the page prints it."""
    Path("sheet.yaml").write_text(sheet, "utf-8")
    told = CliRunner().invoke(pencilbox, ["score", "sheet.yaml", "--format", form, *options]).output
    return told if form == "text" else _folded(json.loads(told)) + "\n"


def _folded(told: dict[str, object]) -> str:
    """JSON with one line for each finding and each player."""
    return "{" + ",\n ".join(f'"{key}": {_value(value)}' for key, value in told.items()) + "}"


def _value(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n   " + ",\n   ".join(map(_line, value)) + "]"
    return _line(value)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def renewed(page: str) -> str:
    """The page with every answer as it is now."""
    sheet = ""

    def block(found: re.Match[str]) -> str:
        nonlocal sheet
        kind, text = found.groups()
        if kind == "yaml":
            sheet = text
        if kind not in ("text", "json"):
            return found[0]
        options = ["--explain"] if "`--explain`" in page[: found.start()].rstrip().rpartition("\n")[2] else []
        return f"```{kind}\n{answer(sheet, kind, options)}```"

    return BLOCK.sub(block, page)


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    text = PAGE.read_text("utf-8")
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        new = renewed(text)
    PAGE.write_text(new, "utf-8")
