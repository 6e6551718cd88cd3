"""The wheel carries data and templates, and works away from the checkout."""

import subprocess
import sys
import zipfile

import pytest

from generator import paths


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "--no-index",
            "--wheel-dir",
            str(folder),
            str(paths.ROOT),
        ],
        check=True,
    )
    with zipfile.ZipFile(next(folder.glob("pencilbox-*.whl"))) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def pencilbox(site, *args):
    script = f"import sys; sys.path.insert(0, {str(site)!r}); from generator.__main__ import run; run()"
    return subprocess.run(
        [sys.executable, "-P", "-c", script, *args],
        capture_output=True,
        text=True,
        check=False,
        cwd=site.parent,
        env={"PATH": ""},
    )


def test_the_wheel_has_the_command(unpacked):
    entry = next(unpacked.glob("*.dist-info")) / "entry_points.txt"
    assert "pencilbox = generator.__main__:run" in entry.read_text()


def test_the_wheel_has_type_information(unpacked):
    """Type checkers use a package's annotations only if it has this file (PEP 561)."""
    assert (unpacked / "generator" / "py.typed").is_file()


def test_the_wheel_prints_a_game(unpacked):
    result = pencilbox(unpacked, "make", "from_the_ground_up", "-c", "cards", "-o", "out", "--format", "json")
    assert result.returncode == 0, result.stderr
    assert (unpacked.parent / "out/from_the_ground_up/cards-a4.pdf").read_bytes().startswith(b"%PDF")


def test_the_wheel_scores_a_sheet(unpacked):
    sheet = sorted((paths.ROOT / "tests/games/from_the_ground_up/good").glob("*.yaml"))[0]
    result = pencilbox(unpacked, "score", str(sheet))
    assert result.returncode == 0, result.stderr


def test_the_wheel_carries_the_examples_and_starts_games(unpacked):
    assert pencilbox(unpacked, "new", "--example", "sky_wonders", "wonders").returncode == 0
    assert pencilbox(unpacked, "new", "own_game", "--with", "box").returncode == 0
    result = pencilbox(unpacked, "make", "own_game", "wonders", "-o", "out")
    assert result.returncode == 0, result.stderr
    assert {path.name for path in (unpacked.parent / "out/wonders").iterdir()} == {"cards-a4.pdf", "box-a4.pdf"}
