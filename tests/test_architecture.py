"""The architecture: which package may import which, and what a command may load."""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from generator import games, paths

PACKAGE = Path(games.__file__).parent.parent
GROUND = {
    "errors",
    "spelling",
    "paths",
    "files",
    "limits",
    "nodes",
    "model",
    "reading",
    "tables",
}
"""What every package may import."""
PRINT = {"geometry", "art", "faces", "text", "layout", "pages", "pdf", "booklet"}
JUDGE = {"sheets", "rules", "judging"}
MAY = {
    "errors": set(),
    "spelling": set(),
    "limits": set(),
    "paths": {"errors", "limits"},
    "files": {"errors"},
    "nodes": {"errors", "spelling", "limits"},
    "expressions": {"errors", "limits", "nodes"},
    "model": {"errors", "limits", "nodes", "expressions"},
    "tables": {"errors", "spelling", "paths", "limits", "nodes", "model"},
    "reading": GROUND | {"expressions", "draws"},
    "draws": GROUND | {"expressions"},
    "faces": GROUND,
    "geometry": set(),
    "art": GROUND | {"geometry"},
    "text": GROUND | {"faces", "art"},
    "layout": GROUND | {"geometry", "art", "faces", "text"},
    "pages": GROUND | {"geometry"},
    "pdf": GROUND | {"geometry", "art", "text", "layout"},
    "booklet": GROUND | {"geometry", "art", "faces", "text", "layout", "pdf"},
    "pdf_reading": {"errors", "geometry", "workers"},
    "sheets": GROUND | {"draws", "pdf_reading"},
    "rules": GROUND | {"sheets", "expressions", "draws"},
    "games": GROUND | {"draws", "sheets", "rules", "expressions"},
    "api": GROUND | {"sheets", "rules", "games", "draws"},
    "printing": GROUND | PRINT | {"draws", "games", "sheets", "rules", "simulation", "workers", "pdf_reading"},
    "exporting": GROUND | PRINT | {"draws", "games", "printing", "workers", "pdf_reading"},
    "scaffold": GROUND | {"faces", "printing"},
    "judging": GROUND | {"draws", "sheets", "rules", "games", "workers"},
    "league": {"errors", "spelling", "paths", "rules"},
    "workers": {"errors"},
    "simulation": GROUND | {"draws", "games", "rules", "workers"},
    "cli": GROUND
    | PRINT
    | JUDGE
    | {
        "draws",
        "games",
        "printing",
        "scaffold",
        "exporting",
        "simulation",
        "league",
        "workers",
        "photo",
        "studio",
    },
    "photo": GROUND | PRINT | JUDGE | {"draws", "games", "printing", "exporting", "scaffold", "workers"},
    "studio": GROUND
    | PRINT
    | JUDGE
    | {"api", "draws", "games", "printing", "scaffold", "exporting", "simulation", "league", "workers", "photo"},
    "__init__": set(),
    "__main__": {"cli"},
}
ONLY_IN = {
    "jinja2": {"faces", "booklet", "studio"},
    "reportlab": {"pdf"},
    "uharfbuzz": {"text", "pdf"},
    "click": {"cli"},
    "platformdirs": {"paths"},
    "prompt_toolkit": {"cli"},
    "openpyxl": set(),  # only for tests
    "mistune": {"booklet"},
    "segno": {"layout", "cli", "studio"},
    "pyphen": {"text"},
    "numpy": {"photo"},
    "pi_heif": {"photo"},
    "pypdfium2": {"exporting"},
    "zxingcpp": {"photo"},
    "pikepdf": set(),  # only for tests
    "starlette": {"studio"},
    "uvicorn": {"studio"},
    "watchfiles": {"studio"},
    "pypdf": {"pdf_reading", "sheets", "pdf", "exporting", "printing"},
}


def modules():
    return sorted(path for path in PACKAGE.rglob("*.py") if "_shipped" not in path.parts)


def module_name(path):
    return ".".join(("generator", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def package_of(path):
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imports(path):
    """The dotted names that a module imports, relative ones resolved."""
    return about(path)["imports"]


@cache
def about(path):
    """What the tests ask about a module, which is parsed once: its imports, its classes and its size."""
    text = path.read_text("utf-8")
    nodes = list(ast.walk(ast.parse(text)))
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef))
    return {
        "imports": list(_imports(path, nodes)),
        "classes": [node.name for node in nodes if isinstance(node, ast.ClassDef)],
        "statements": sum(isinstance(node, ast.stmt) for node in nodes),
        "lines": text.count("\n"),
        "modules": 1,
        "imports inside functions": len({each for node in functions for each in ast.walk(node) if is_import(each)}),
    }


def is_import(node):
    return isinstance(node, ast.Import | ast.ImportFrom)


def _imports(path, nodes):
    package = ("generator", *path.relative_to(PACKAGE).parent.parts)
    for node in filter(is_import, nodes):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, [base, node.module]))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def test_imports_point_one_way():
    wrong = []
    for path in modules():
        package = package_of(path)
        for name in imports(path):
            top, _, rest = name.partition(".")
            other = rest.partition(".")[0]
            if top == "generator" and other and other not in (package, "__version__") and other not in MAY[package]:
                wrong.append(f"{path.relative_to(PACKAGE)}: {package} must not import {name}")
            elif package not in ONLY_IN.get(top, [package]):
                wrong.append(f"{path.relative_to(PACKAGE)}: {top} is not for {package}")
    assert not wrong


def test_no_module_imports_itself_through_others():
    """Imports inside functions and for type checkers count too."""
    paths_by_name = {module_name(path): path for path in modules()}
    graph = {}
    for name, path in paths_by_name.items():
        targets = {
            next((part for part in (target, target.rpartition(".")[0]) if part in paths_by_name), name)
            for target in imports(path)
        }
        graph[name] = targets - {name}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the modules


@pytest.mark.parametrize("key", games.SHIPPED)
def test_a_game_is_complete(key):
    for folder in (paths.DATA, paths.TEMPLATES, PACKAGE / "games", paths.ROOT / "tests" / "games"):
        assert (folder / key).is_dir(), f"{folder / key} is missing"


def test_every_shipped_game_is_listed():
    assert sorted(games.SHIPPED) == sorted(path.parent.name for path in paths.DATA.glob("*/game.yaml"))


def loaded(code):
    script = f"import sys\n{code}\nprint(*sorted(set(name.partition('.')[0] for name in sys.modules)))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=paths.ROOT)
    return set(result.stdout.splitlines()[-1].split())


def test_help_loads_nothing_heavy():
    code = "from generator.cli import pencilbox\npencilbox.main(['--help'], standalone_mode=False)"
    assert not loaded(code) & {
        "yaml",
        "jinja2",
        "reportlab",
        "uharfbuzz",
        "mistune",
        "pypdf",
        "fontTools",
        "PIL",
        "json",
    }


def test_judging_loads_neither_jinja2_nor_reportlab():
    sheet = sorted((paths.ROOT / "tests/games/from_the_ground_up/good").glob("*.yaml"))[0]
    code = f"from generator.cli import pencilbox\npencilbox.main(['score', {str(sheet)!r}], standalone_mode=False)"
    assert not loaded(code) & {"jinja2", "reportlab", "uharfbuzz", "mistune", "fontTools", "PIL"}


SMALL = {"__main__.py"}
"""Modules under 40 lines."""

RUN = "from generator.cli import pencilbox\npencilbox.main({!r}, standalone_mode=False)"
BARE = "import click, dataclasses, ipaddress, math, msgspec, pathlib, platform, urllib.parse, yaml"
"""Four of these come with pathlib and click before Python 3.13, and only when they are needed since."""
SCORE = {"atexit", "bisect", "gc", "locale", "random", "signal", "textwrap", "traceback", "unicodedata", "zlib"}
MAKE = SCORE | {
    "PIL",
    "jinja2",
    "markupsafe",
    "mistune",
    "msgspec",
    "reportlab",
    "bz2",
    "cmath",
    "decimal",  # with msgspec
    "difflib",
    "glob",
    "hashlib",
    "heapq",
    "html",
    "json",
    "logging",
    "lzma",
    "numbers",
    "pickle",
    "platformdirs",
    "pyexpat",
    "pyphen",
    "shlex",
    "shutil",
    "signal",
    "string",
    "tempfile",
    "timeit",
    "traceback",
    "typing_extensions",  # with msgspec
    "uharfbuzz",
    "xml",
    "zipfile",  # pyphen loads it
}
"""What the commands may load beside their libraries and what those load; every name costs milliseconds."""


def beside(*args):
    """What a command loads from outside, beyond what the command line and YAML need anyway."""
    return {name for name in loaded(RUN.format(list(args))) - loaded(BARE) if not name.startswith("_")} - {"generator"}


@pytest.mark.parametrize("key", games.SHIPPED)
def test_judging_a_sheet_loads_nothing_beyond_the_list(key):
    sheet = min((paths.ROOT / "tests/games" / key / "good").glob("*.yaml"))
    assert beside("score", str(sheet)) <= SCORE


def test_judging_json_lines_loads_json_too(tmp_path):
    (tmp_path / "sheets.jsonl").write_text('{"game": "upwards", "option": "rows", "grid": ["1 2 3 4"]}\n')
    assert beside("check", "--format", "jsonl", str(tmp_path / "sheets.jsonl")) <= SCORE | {"json"}


def test_printing_loads_nothing_beyond_the_list(tmp_path):
    make = "make", "upwards", "-o", str(tmp_path)
    assert beside(*make) <= MAKE
    assert not beside(*make) & {"PIL", "fontTools", "jinja2", "reportlab", "uharfbuzz"}  # nothing has changed


NOT_FOR_DECKS = (
    "booklet",
    "draws.own_sets",
    "pdf.forms",
    "pdf.pictures",
    "printing.scored_copies",
    "sheets",
    "rules",
    "judging",
    "reading.board_graph",
)


def test_printing_a_deck_loads_only_what_decks_need(tmp_path):
    arguments = ["make", "examples/lantern_walk", "--component", "cards", "-o", str(tmp_path)]
    code = (
        f"from generator.cli import pencilbox\npencilbox.main({arguments!r}, standalone_mode=False)\n"
        "import sys\nprint('NAMES', *sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=paths.ROOT)
    names = result.stdout.partition("NAMES ")[2].split()
    ours = [name.removeprefix("generator.") for name in names if name.startswith("generator.")]
    assert [name for name in ours if name.startswith(NOT_FOR_DECKS)] == []
    assert not {"mistune", "pypdf", "reportlab.platypus"} & set(names)


def test_modules_are_neither_fragments_nor_catch_alls():
    lengths = {str(path.relative_to(PACKAGE)): len(path.read_text().splitlines()) for path in modules()}
    assert {name: length for name, length in lengths.items() if length > 800} == {}
    small = {name for name, length in lengths.items() if length < 40 and not name.endswith("__init__.py")}
    assert small <= SMALL


SAME_IN_EACH_GAME = {"DealEntry", "Log", "Move", "Spec", "State", "Turn"}
SAME_MEANING = {"TooMuchError"}  # a limit was exceeded: by an expression, or by a template


def test_a_class_name_means_one_thing():
    places = {}
    for path in modules():
        for name in about(path)["classes"]:
            in_a_game = path.parent.parent.name == "games" and name in SAME_IN_EACH_GAME
            places.setdefault(name, set()).add("games" if in_a_game else str(path.relative_to(PACKAGE)))
    assert {name: found for name, found in places.items() if len(found) > 1 and name not in SAME_MEANING} == {}


def test_the_page_on_architecture_describes_every_package():
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text("utf-8")
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages == set(re.findall(r"^\| `(\w+)/` \|", page, re.MULTILINE))


MOST = {"statements": 45_713, "lines": 69_025, "modules": 238, "imports inside functions": 60}
"""The size of the package today: a new feature makes room for itself. The aim is 36,000 statements, 57,000 lines, 240
modules and 60 imports inside functions. `studio/` and `photo/` have a limit of their own."""
MOST_OF_EACH = 3_000
"""The most lines of Python in `studio/` and in `photo/`."""


def test_the_package_does_not_grow():
    size = dict.fromkeys(MOST, 0)
    for path in modules():
        if package_of(path) in ("studio", "photo"):
            continue
        for what in size:
            size[what] += about(path)[what]
    assert {name: count for name, count in size.items() if count > MOST[name]} == {}


@pytest.mark.parametrize("name", ["studio", "photo"])
def test_pages_and_photos_stay_small(name):
    assert sum(path.read_text("utf-8").count("\n") for path in (PACKAGE / name).rglob("*.py")) <= MOST_OF_EACH
