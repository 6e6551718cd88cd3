"""Every sheet on the pages about sheets gets exactly the answers printed below it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import pencilbox

PAGES = sorted((Path(__file__).parents[2] / "docs").glob("sheets*.md"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> Iterator[tuple[str, str, str, list[str]]]:
    """Every answer printed for a sheet: the sheet, the format, the answer, and the options mentioned above it."""
    for page in [page.read_text("utf-8") for page in PAGES]:
        sheet = ""
        for block in BLOCK.finditer(page):
            kind, text = block.groups()
            if kind == "yaml":
                sheet = text
            elif kind in ("text", "json"):
                above = page[: block.start()].rstrip().rpartition("\n")[2]
                yield sheet, kind, text, ["--explain"] if "`--explain`" in above else []


@pytest.mark.parametrize(("sheet", "form", "answer", "options"), list(examples()))
def test_the_answer_is_as_printed(
    sheet: str, form: str, answer: str, options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("sheet.yaml").write_text(sheet, "utf-8")
    result = CliRunner().invoke(pencilbox, ["score", "sheet.yaml", "--format", form, *options])
    if form == "json":
        assert result.stdout == json.dumps(json.loads(answer), indent=2, ensure_ascii=False) + "\n"
    else:
        assert result.output == answer


def test_there_are_examples() -> None:
    assert len(list(examples())) >= 8
