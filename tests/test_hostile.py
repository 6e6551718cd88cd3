"""Input made to harm: refused with one clear line, exit code 2, no traceback, bounded memory.

How long a refusal takes is measured in `benchmarks/measure.py`; here a hang is met by the subprocess's time limit.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from generator import paths

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="tells no process's peak memory")
LIMIT_KIB = 300 * 1024
MEASURED = r"""
import atexit, re, sys
from pathlib import Path
peak = lambda: Path("peak").write_text(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
atexit.register(peak)
from generator.cli import main
main()
"""
GAME = """
title: Evil
prefix: EV
players: 2
components:
  cards: {kind: deck, title: Cards, cards: cards.yaml, face: card}
"""


def refused(folder, *args, said):
    """The command in `folder` says one line, and has kept within its memory."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *args],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
        env={"PYTHONPATH": str(paths.ROOT), "PATH": ""},
    )
    assert done.returncode == 2, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr
    assert said in lines[0]
    assert int((folder / "peak").read_text()) < LIMIT_KIB


@pytest.fixture
def evil(tmp_path):
    (tmp_path / "evil" / "templates").mkdir(parents=True)
    (tmp_path / "evil" / "icons").mkdir()
    (tmp_path / "evil" / "game.yaml").write_text(GAME)
    (tmp_path / "evil" / "cards.yaml").write_text("cards: [{id: a}]")
    return tmp_path / "evil"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        (
            "<face>{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}"
            "{% endfor %}{% endfor %}"
            "{% endfor %}</face>",
            "steps",
        ),
        ("<face>{% for a in range(10000000000) %}{% endfor %}</face>", "counts further"),
        ("<face>{% for a in range(9000) %}<row>{{ 'x' * 900 }}</row>{% endfor %}</face>", "characters"),
        ("<face>{{ 'x' * 1000000000 }}</face>", "characters"),
        ("<face>{{ 9 ** 9 ** 9 ** 9 }}</face>", "card.xml.j2:1"),
        ("<face>{{ '%1000000000d' % 1 }}</face>", "card.xml.j2:1"),
        ("<face>{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}</face>", "without end"),
        ("{% include 'card.xml.j2' %}", "card.xml.j2"),
        ("<face>{{ ''.__class__.__mro__ }}</face>", "unsafe"),
        ("<face>{{ game.__init__.__globals__ }}</face>", "unsafe"),
        ("{% include '../../../etc/passwd' %}", "leads out"),
        ("<!DOCTYPE face [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><face>&b;</face>", "document type"),
        ("<face><image file='../../secret.png'/></face>", "leads out"),
        ("<face>" + "<row>" * 1000 + "</row>" * 1000 + "</face>", "card a"),
    ],
)
def test_templates(evil, template, said):
    (evil / "templates" / "card.xml.j2").write_text(template)
    refused(evil.parent, "make", "evil", said=said)


@pytest.mark.parametrize(
    ("svg", "said"),
    [
        (
            '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg viewBox="0 0 1 1"><title>&a;</title></svg>',
            "DOCTYPE",
        ),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><image href="x.png"/></svg>', "image"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="' + "M0 0L1 1" * 40_000 + '"/></svg>',
            "x.svg",
        ),
        ("<svg" + "x" * 2_000_000, "x.svg"),
    ],
)
def test_icons(evil, svg, said):
    (evil / "icons" / "x.svg").write_text(svg)
    (evil / "templates" / "card.xml.j2").write_text("<face><icon name='x'/></face>")
    refused(evil.parent, "make", "evil", said=said)


BOMB = "\n".join(
    [
        "a: &a [x, x, x, x, x, x, x, x, x, x]",
        *(f"{b}: &{b} [{', '.join(['*' + a] * 10)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
    ]
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "values in one document"),
        ("[" * 100_000, "nested more than"),
        ("a: " + "[" * 30 + "]" * 30 + "\n" + "x" * 5_000_000, "larger than"),
    ],
)
def test_definitions(evil, text, said):
    (evil / "game.yaml").write_text(text)
    refused(evil.parent, "make", "evil", said=said)


@pytest.mark.parametrize(
    ("head", "repeated", "said"),
    [
        ("game: from_the_ground_up\nplayers:\n", "  - {name: A, cards: []}\n", "larger than 1 MB"),
        ('{"game": "from_the_ground_up", "x": "', "a" * 25, "larger than 1 MB"),
    ],
)
def test_a_filled_sheet_of_a_hundred_megabytes(tmp_path, head, repeated, said):
    with (tmp_path / "sheet.yaml").open("w") as stream:
        stream.write(head)
        for _ in range(4_000):
            stream.write(repeated * 1_000)
    refused(tmp_path, "score", "sheet.yaml", said=said)


@pytest.mark.parametrize(("text", "said"), [(BOMB, "values in one document"), ("[" * 100_000, "nested more than")])
def test_filled_sheets(tmp_path, text, said):
    (tmp_path / "sheet.yaml").write_text(text)
    refused(tmp_path, "score", "sheet.yaml", said=said)


def test_a_deep_pile_of_random_bytes(tmp_path):
    (tmp_path / "sheet.yaml").write_bytes(bytes(range(256)) * 4000)
    refused(tmp_path, "score", "sheet.yaml", said="sheet.yaml")
