"""Everything the documentation shows is true: every command, file and link is tried."""

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
import yaml

from generator import games, paths
from generator.reading.load import load

PAGES = [paths.ROOT / "README.md", *sorted((paths.ROOT / "docs").glob("*.md"))]
WITH_COMMANDS = [page for page in PAGES if "```console" in page.read_text("utf-8")]


@pytest.fixture(scope="module")
def answers():
    """docs/answers.py, which runs the commands of a page."""
    spec = importlib.util.spec_from_file_location("answers", paths.ROOT / "docs/answers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def photos():
    """Several commands read the same photos, which are read once."""
    from generator.photo import reader  # an extra

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "pages_of", cache(reader.pages_of))
        yield


@pytest.mark.usefixtures("photos")
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.name)
def test_every_command_prints_what_the_page_shows(answers, page, tmp_path):
    text = page.read_text("utf-8")
    assert answers.renewed_commands(text, answers.scratch_folder(tmp_path)) == text, "run `make answers`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_is_in_a_console_block(answers, page):
    """Otherwise the test above would not run it."""
    rest = re.sub(r"^```console\n.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"^\$ .*", rest, flags=re.MULTILINE) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_exists(page):
    targets = set(re.findall(r"^([a-z]+):", (paths.ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    named = re.findall(r"(?:^|`)make ([a-z]+)(?=[`\s])", page.read_text("utf-8"), flags=re.MULTILINE)
    assert {name for name in named if name not in targets} == set()


def contained(part, whole):
    """Whether YAML data is an excerpt: mappings may leave out keys, lists entries, and a comment alone is one."""
    if part is None:
        return True
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and contained(part[key], whole[key]) for key in part)
    if isinstance(part, list):
        rest = iter(whole) if isinstance(whole, list) else iter(())
        return all(any(contained(item, other) for other in rest) for item in part)
    return part == whole


@pytest.mark.parametrize(
    "page", [page for page in PAGES if not page.name.startswith("sheets")], ids=lambda page: page.name
)
def test_every_yaml_block_is_run(answers, page):
    """A block is a file that the page's commands use, or an excerpt of a file of the project. Those on the pages about
    sheets are scored in tests/sheets/test_documentation.py."""
    text = page.read_text("utf-8")
    blocks = [match.group("kind", "title", "text") for match in answers.BLOCK.finditer(text)]
    commands = "".join(block for kind, _, block in blocks if kind == "console")
    for kind, title, block in blocks:
        if kind != "yaml":
            continue
        assert title, f"a YAML block needs a title: {block[:60]!r}"
        whole = paths.ROOT / title
        if whole.exists():
            load = yaml.CSafeLoader
            assert contained(yaml.load(block, load), yaml.load(whole.read_text("utf-8"), load)), f"not in {title}"
        else:
            assert title.partition("/")[0] in commands, f"no command uses {title}"


@pytest.mark.parametrize("page", [*PAGES, paths.ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"`[^`\n]+`", "", page.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_page_is_listed_on_the_overview_and_in_the_site():
    overview = (paths.ROOT / "docs/index.md").read_text("utf-8")
    site = (paths.ROOT / "mkdocs.yml").read_text("utf-8")
    names = [page.name for page in (paths.ROOT / "docs").glob("*.md") if page.name != "index.md"]
    assert [name for name in names if f"]({name}" not in overview or f": {name}" not in site] == []


def test_the_overview_and_the_site_have_one_order():
    overview = (paths.ROOT / "docs/index.md").read_text("utf-8").partition("## Print\n")[2]
    site = re.findall(r": (\w+\.md)$", (paths.ROOT / "mkdocs.yml").read_text("utf-8"), flags=re.MULTILINE)
    assert re.findall(r"\]\((\w+\.md)\)", overview) == site[site.index("printing.md") :]


def test_the_cheat_sheet_is_the_same_on_screen_and_on_paper():
    page = (paths.ROOT / "docs/cheat_sheet.md").read_text("utf-8")
    printed = (paths.ROOT / "docs/cheat_sheet/templates/sheet.xml.j2").read_text("utf-8")
    rows = re.findall(r'^    \("(.*)", "(.*)"\),$', printed, flags=re.MULTILINE)
    assert len(rows) > 20
    assert [(what, does) for what, does in rows if f"| `{what}` | {does} |" not in page] == []


def test_the_commands_of_the_cheat_sheet_exist():
    from generator.cli import COMMANDS, pencilbox

    page = (paths.ROOT / "docs/cheat_sheet.md").read_text("utf-8")
    for name, rest in re.findall(r"`pencilbox ([a-z-]+)([^`]*)`", page):
        options = {option for param in pencilbox.get_command(None, name).params for option in param.opts}
        assert name in COMMANDS and set(re.findall(r"(?<= )--?[a-z-]+", rest)) <= options


def test_the_site_builds(tmp_path):
    """In strict mode, a missing page, link or anchor is an error."""
    if not importlib.util.find_spec("mkdocs"):
        pytest.skip("mkdocs-material is not installed")
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=paths.ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert (tmp_path / "site/search/search_index.json").exists()
    shutil.rmtree(tmp_path / "site")


def test_readme_shows_the_file_it_scores():
    page = (paths.ROOT / "README.md").read_text()
    assert (paths.ROOT / "docs/examples/table.yaml").read_text() in page


def test_every_command_is_documented():
    from generator.cli import COMMANDS

    pages = "\n".join(page.read_text("utf-8") for page in PAGES)
    assert [name for name in COMMANDS if f"pencilbox {name}" not in pages] == []


def test_the_same_python_versions_are_named_everywhere():
    """In pyproject.toml, the noxfile that tests them, and the guides."""
    project = tomllib.loads((paths.ROOT / "pyproject.toml").read_text())["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    oldest, newest = versions[0], versions[-1]
    assert project["requires-python"] == f">={oldest}"
    (tested,) = re.findall(r"^SUPPORTED = \((.*)\)", (paths.ROOT / "noxfile.py").read_text(), flags=re.MULTILINE)
    assert re.findall(r"[\d.]+", tested) == versions
    for page in ("README.md", "CONTRIBUTING.md"):
        assert f"Python {oldest} or newer" in (paths.ROOT / page).read_text(), page
    assert f"{oldest} to {newest}" in (paths.ROOT / "CONTRIBUTING.md").read_text()


def test_the_gallery_shows_every_component_in_a_small_picture():
    text = (paths.ROOT / "docs/gallery.md").read_text()
    for key in games.SHIPPED:
        for part in load(key).components.values():
            picture = f"pictures/gallery/{key}-{part.name}.png"
            assert picture in text, "python docs/pictures/render.py gallery"
            assert (paths.ROOT / "docs" / picture).stat().st_size <= 150 * 1024


def test_pictures_in_readme_are_made_by_the_project():
    page = (paths.ROOT / "README.md").read_text()
    makers = "docs/pictures/render.py", "tests/studio/test_pages.py"
    made = "".join((paths.ROOT / maker).read_text() for maker in makers)
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page):
        name = Path(picture)
        assert name.parent == Path("docs/pictures")
        assert name.stem.removeprefix("studio-") in made
