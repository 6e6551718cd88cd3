"""What the documentation shows is what happens."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from generator import paths

BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [paths.ROOT / "README.md", *sorted((paths.ROOT / "docs").glob("*.md"))]


def steps(page):
    """(command, lines shown under it) for each command of a page, in order."""
    for block in BLOCK.findall(page.read_text()):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            yield command, shown


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A folder in which the project's files lie where the documentation says, but nothing is written into it."""
    folder = tmp_path_factory.mktemp("table")
    for name in ("docs", "examples"):
        (folder / name).symlink_to(paths.ROOT / name)
    return folder


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param(command, shown, id=f"{page.name}: {command}")
        for page in PAGES
        for command, shown in steps(page)
        if command.startswith("pencilbox ")
    ],
)
def test_command(table, command, shown):
    done = subprocess.run(
        [sys.executable, "-m", "generator", *shlex.split(command, comments=True)[1:]],
        cwd=table,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(paths.ROOT), "PATH": ""},
    )
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    said = [line.rstrip() for line in done.stdout.splitlines()]
    whole = [line.rstrip() for line in shown if line.strip() != "..."]
    assert said[: len(whole)] == whole if len(whole) < len(shown) else not shown or said == whole


@pytest.mark.parametrize("page", [*PAGES, paths.ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_readme_shows_the_file_it_scores():
    page = (paths.ROOT / "README.md").read_text()
    assert (paths.ROOT / "docs/examples/table.yaml").read_text() in page


def test_every_command_is_told_somewhere():
    from generator.cli import COMMANDS

    told = "\n".join(page.read_text() for page in PAGES)
    assert [name for name in COMMANDS if f"pencilbox {name}" not in told] == []


def test_pictures_in_readme_are_made_by_the_project():
    page = (paths.ROOT / "README.md").read_text()
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page):
        name = Path(picture)
        assert name.parent == Path("docs/pictures")
        assert name.stem in (paths.ROOT / "docs/pictures/render.py").read_text()
