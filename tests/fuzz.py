"""Damages every kind of file that Pencilbox reads, and runs commands on it: none may end in a traceback or take long.

`python -m tests.fuzz --seconds 3600` goes on for an hour (`make fuzz`) and gives every surface the same time;
`tests/test_fuzz.py` tries a few hundred files.
A failure names its surface and its number, which make the same file again: `python -m tests.fuzz --only svg:1234`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

import click
import openpyxl

from generator import paths
from generator.cli import pencilbox
from generator.errors import InputError
from generator.reading.load import load
from generator.reading.table_game import DEFAULT_LOOK, TableLook, described

ROOT = paths.ROOT
EXAMPLES = ROOT / "examples"
SECONDS = 30
"""CPU time that a command may take: more than a real game of this size ever does."""
TOKENS = [
    *"[]{}()<>|&*!%#`\"'\\,;:=-+~^$@/?_",
    *[
        "null",
        "true",
        "~",
        "{{",
        "}}",
        "{%",
        "%}",
        "<!--",
        "]]>",
        "&a",
        "*a",
        "!!python/none",
        "../../etc/passwd",
        "/dev/zero",
    ],
    *["0", "-1", "1e999", "nan", "inf", "0x10", "1_0", "99999999999999999999", "0.0000001", "1/0", "½", "٣"],
    *("- ", ": ", "<<: ", "--- ", "9" * 5000, "a" * 5000, " " * 3000, "\n" * 50, "x\n" * 40, "\r", "\t"),
    *"\0\x1b\ufeff\u202e\ud7ff\U0001f600\u00a0\u0301\u4e2d\u0e01",
]
"""What grammars and number parsers stumble over."""
BYTES = [b"\0", b"\xff", b"\xff" * 4, b"\x7f\xff\xff\xff", b"\x80\0\0\0", bytes(4), b"\xed\xa0\x80", b"endobj"]


# ---- damage ---------------------------------------------------------------------------------------------------------


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The content with a few changes: to its bytes, or, if it is a text, also to its lines, words and numbers."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            content = _bytes(content, chance)
            continue
        change = chance.choice((_lines, _words, _words, _numbers, _tokens, _tokens, None))
        content = change(text, chance).encode("utf-8", "surrogatepass") if change else _bytes(content, chance)
    return content


def _bytes(content: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(content) + 1)
    end = min(len(content), start + chance.choice((0, 1, 1, 4, 40, 4000)))
    part = chance.choice((b"", content[start:end] * 2, chance.choice(BYTES), chance.randbytes(end - start or 1)))
    if chance.random() < 0.05:
        return content[:start]
    return content[:start] + part + content[end:]


def _lines(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    how = chance.randrange(6)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(at, lines[other])
    elif how == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif how == 3:
        lines[at] = " " * chance.randrange(9) + lines[at].lstrip()
    elif how == 4:
        lines[at] = lines[at] * chance.choice((2, 30))
    else:
        lines[at : at + 3] = ["".join(lines[at : at + 3]).replace("\n", " ") + "\n"]
    return "".join(lines)


def _words(text: str, chance: random.Random) -> str:
    """Puts a word, or what stands after a colon, in the place of another."""
    words = list(re.finditer(r"\w+" if chance.random() < 0.6 else r"(?<=[:,=>] )[^\n,<]+", text))
    if not words:
        return text
    old, new = chance.choice(words), chance.choice(words)[0]
    return text[: old.start()] + chance.choice((new, new, "", f"[{new}]", f"{{a: {new}}}")) + text[old.end() :]


def _numbers(text: str, chance: random.Random) -> str:
    numbers = list(re.finditer(r"\d+(\.\d+)?", text))
    if not numbers:
        return text
    old = chance.choice(numbers)
    new = chance.choice(("0", "-" + old[0], "1", "99", "1001", "1e9", old[0] * 9, "9" * 400, "0.5", "nan", ""))
    return text[: old.start()] + new + text[old.end() :]


def _tokens(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    end = at + chance.choice((0, 0, 1, 5))
    token = chance.choice(TOKENS)
    return text[:at] + token * chance.choice((1, 1, 1, 2, 300 if len(token) < 9 else 1)) + text[end:]


# ---- surfaces -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Surface:
    """A kind of file: the files of the repository that are damaged, and what is run. `commands` get a folder with the
    damaged file, and return the words of the command line, or none if they have done it all."""

    seeds: Callable[[], Sequence[Path]]
    commands: Callable[[Path, Path, random.Random], list[str] | None]
    game: bool = False
    """Whether the file is one of a game's folder, which is copied as a whole."""


def _found(pattern: str, *folders: Path) -> Callable[[], Sequence[Path]]:
    return cache(lambda: sorted(path for folder in folders or (EXAMPLES,) for path in folder.glob(pattern)))


def _make(folder: Path, file: Path, chance: random.Random) -> list[str]:
    draft = ["--draft"] if chance.random() < 0.3 else []
    return ["make", str(folder), "-o", str(folder.parent / "out"), *draft]


def _table(folder: Path, file: Path, chance: random.Random) -> list[str]:
    return ["make", str(file), "-o", str(folder / "out")]


def _read_table(folder: Path, file: Path, chance: random.Random) -> None:
    """Only reads a table, which takes a tenth of the time."""
    looks = (DEFAULT_LOOK, TableLook(headings=False), TableLook(all_rows=True), TableLook(columns="Name=copies,Text=-"))
    described(load(str(file), look=chance.choice(looks)).components["cards"])


def _read_workbook(folder: Path, file: Path, chance: random.Random) -> None:
    """Reads a spreadsheet of which one part is damaged. The parts are named `xl@styles.xml`."""
    parts = {path.name: path for path in _scratch().glob(f"{'ods' if file.name in _ODS else 'xlsx'}/*")}
    book = folder / ("cards.ods" if file.name in _ODS else "cards.xlsx")
    with zipfile.ZipFile(book, "w") as archive:
        for name, path in (parts | {file.name: file}).items():
            archive.writestr(name.replace("@", "/"), path.read_bytes())
    _read_table(folder, book, chance)


def _read_game(folder: Path, file: Path, chance: random.Random) -> None:
    """Only reads a game."""
    load(str(folder))


def _game(folder: Path, file: Path, chance: random.Random) -> list[str]:
    sheet = folder / "filled.yaml"
    if sheet.is_file() and chance.random() < 0.4:
        return ["score", "--game", str(folder), str(sheet)]
    return chance.choice((["rules", str(folder)], ["randomise", str(folder)], _make(folder, file, chance)))


def _sheet(folder: Path, file: Path, chance: random.Random) -> list[str]:
    return [chance.choice(("score", "check")), str(file), "--format", chance.choice(("text", "json"))]


def _settings(folder: Path, file: Path, chance: random.Random) -> list[str]:
    shutil.copy(file, folder / "pencilbox.toml")
    return ["config"]


def _calibration(folder: Path, file: Path, chance: random.Random) -> list[str]:
    (folder / "pencilbox").mkdir()
    shutil.copy(file, folder / "pencilbox" / "calibration.toml")
    return ["calibrate", "--list"]


def _readings(folder: Path, file: Path, chance: random.Random) -> list[str]:
    text = file.read_bytes().decode("utf-8", "replace").replace("\0", "")
    readings, _, rulers = text.partition("\n")
    return ["calibrate", "--enter", "--printer", "office", "--readings", readings, "--rulers", rulers.strip()]


def _pdf(folder: Path, file: Path, chance: random.Random) -> list[str]:
    target = chance.choice(("print-shop", "drivethru", "makeplayingcards"))
    return chance.choice((["preflight", str(file), "--for", target], ["verify", str(file)], ["score", str(file)]))


def _font(folder: Path, file: Path, chance: random.Random) -> list[str]:
    shutil.copy(file, folder / "own.ttf")
    (folder / "game.yaml").write_text(
        "title: A\nprefix: AA\nplayers: 2\ntheme: theme.yaml\n"
        "components:\n  cards: {kind: deck, title: Cards, cards: cards.yaml, face: card}\n"
    )
    (folder / "cards.yaml").write_text("cards: [{id: a}]\n")
    (folder / "theme.yaml").write_text("fonts: {regular: [own.ttf], bold: [own.ttf]}\n")
    (folder / "templates").mkdir()
    (folder / "templates" / "card.xml.j2").write_text("<face><text>Hello 12 <b>ff</b></text></face>")
    return ["make", str(folder), "-o", str(folder / "out")]


_ODS = {
    "content.xml": """<?xml version="1.0"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table
 table:name="Deck"><table:table-column table:number-columns-repeated="3"/><table:table-row><table:table-cell
 office:value-type="string"><text:p>Name</text:p></table:table-cell><table:table-cell><text:p>Cost</text:p>
</table:table-cell><table:table-cell table:number-columns-repeated="2"/></table:table-row><table:table-row
 table:number-rows-repeated="3"><table:table-cell table:number-rows-spanned="2"><text:p>Axe<text:s text:c="2"/>
<text:span>
b</text:span></text:p></table:table-cell><table:table-cell office:value-type="float" office:value="2"><text:p>2</text:p>
</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>""",
}


_TEXTS = {
    "page.html": """<html><style>p{}</style><p>Hi<table><tr><th>Name<th colspan=2>Cost</tr><tr><td rowspan='2'>Axe<td>
<b>2<td>&amp; <br>x<tr><td>3<td>y</table><table><tr><td>a<td>b</table><script>if (a<b) {}</script>""",
    "drawn.md": """# Foes

A, b.

| Name | Text |
|---|:-:|
| Orc | `2` \\| [x](https://a.b/(c)) |
| Elf | *a* |

- end
""",
    "columns.txt": """Name     Cost  Text
-------  ----  --------
Axe      2     Hit hard.
               Twice.
Bow      10    Shoot.
""",
    "psql.txt": " name | cost \n------+------\n Axe  |    2\n Bow  |   10\n(2 rows)\n",
    "lines.txt": "dog - Hund\ncat - Katze\nbird - Vogel\nmouse - Maus\n",
    "answers.txt": "Q: Who?\nA: I\n\nQ: Where?\nA: Here\n",
    "anki.txt": """#separator:tab
#html:true
#tags column:3
Moon	Luna [sound:a.mp3]	x
Sun	$\\frac{1}{2}x^2$ {T}{2/G}	y
""",
    "form.csv": """Timestamp,Email Address,Who would you be?
2024/05/06 7:08:09 PM GMT+2,a@b.org,Ada
2024/05/06 8:00:00 PM GMT+2,c@d.org,Bob
""",
    "capitals.csv": "Land;Hauptstadt;Einwohner\nChile;Santiago;19,6\nPeru;Lima;33,7\nDurchschnitt;;26,6\n",
    "quiz.json": """{"n": 1, "results": [
{"question": "a &quot;b&quot;?", "correct_answer": "c", "incorrect_answers": ["d", "e"]}]}""",
    "nested.json": """{"data": [
{"id": 1, "attributes": {"name": "Axe", "stats": {"hp": 2}, "acts": [{"name": "x", "text": "y"}]}}]}""",
}


def _xlsx() -> dict[str, bytes]:
    """The parts of a spreadsheet with numbers, dates, formulas, merged and hidden cells."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Name", "Cost", "Date", "Text"], ["Axe", 2, datetime(2024, 5, 6), "=1+1"], ["Bow", 0.5, True, "a\nb"]):
        sheet.append(row)
    sheet["B3"].number_format, sheet.row_dimensions[3].hidden = "0.00%;[Red](0.0)", True
    sheet.merge_cells("A4:B5")
    book.create_sheet("Notes").append(["x"])
    book.save(stream := io.BytesIO())
    with zipfile.ZipFile(stream) as archive:
        return {name.replace("/", "@"): archive.read(name) for name in archive.namelist()}


@cache
def _scratch() -> Path:
    """A folder with files that are not in the repository: texts, and PDFs made here."""
    folder = Path(tempfile.mkdtemp(prefix="pencilbox-fuzz-"))
    (folder / "a.toml").write_text(
        'paper = ["a4", "letter"]\nduplex = "short"\nprinter_margin = "0.25in"\nprinter = "none"\nlow_ink = true\n'
        'high_contrast = false\nlarge_print = true\noutput = "pdf"\n'
    )
    (folder / "calibration.toml").write_text(
        '[[calibration]]\nprinter = "office"\ntray = "1"\npaper = "a4"\nduplex = "long"\nx = 0.5\ny = -0.3\n'
        "angle = 0.2\nscale_x = 1.002\nscale_y = 0.999\n"
    )
    (folder / "readings.txt").write_text("N5,N5,P5,PQ5,M5,N5,N5,L5\n100x100\n")
    for ending, parts in (("xlsx", _xlsx()), ("ods", _ODS)):
        (folder / ending).mkdir()
        for name, content in parts.items():
            (folder / ending / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "texts").mkdir()
    for name, content in _TEXTS.items():
        (folder / "texts" / name).write_text(content)
    _run(lambda: ["make", "upwards", "-o", str(folder)])
    _run(lambda: ["make", "elevator_up", "tally", "--fillable", "-o", str(folder)])
    return folder


def _made(pattern: str) -> Callable[[], Sequence[Path]]:
    return lambda: sorted(_scratch().rglob(pattern))


SURFACES = {
    "table": Surface(_found("*.[cjy]*", ROOT / "tests" / "decks"), _table),
    "table-read": Surface(_found("*.[cjy]*", ROOT / "tests" / "decks"), _read_table),
    "text-read": Surface(_made("texts/*"), _read_table),
    "workbook": Surface(_made("*.xml"), _read_workbook),
    "game": Surface(_found("*/*.yaml"), _game, game=True),
    "game-read": Surface(_found("*/*.yaml"), _read_game, game=True),
    "copied": Surface(_found("[a-z]*/*.yaml", paths.DATA), _game, game=True),
    "cards": Surface(_found("*/*.csv"), _make, game=True),
    "template": Surface(_found("*/templates/*.j2"), _make, game=True),
    "svg": Surface(_found("*/icons/*.svg"), _make, game=True),
    "picture": Surface(_found("*/art/*.*"), _make, game=True),
    "font": Surface(_found("Lato-Regular.ttf", paths.SHARED_DATA / "fonts"), _font),
    "sheet": Surface(_found("*/good/*.*", ROOT / "tests" / "games"), _sheet),
    "settings": Surface(_made("a.toml"), _settings),
    "calibration": Surface(_made("calibration.toml"), _calibration),
    "readings": Surface(_made("readings.txt"), _readings),
    "pdf": Surface(_made("*.pdf"), _pdf),
}


# ---- running --------------------------------------------------------------------------------------------------------


class TooSlowError(BaseException):
    """Raised in a command that takes too long. Not an Exception, so that no command reports it."""


def fuzz(surface: str, number: int) -> None:
    """Damages a file and runs a command on it. Raises what the command does not report."""
    kind, chance = SURFACES[surface], random.Random(f"{surface}:{number}")
    seed = chance.choice(kind.seeds())
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        folder = Path(name)
        file = folder / seed.name
        if kind.game:
            base = EXAMPLES if seed.is_relative_to(EXAMPLES) else paths.DATA
            top = base / seed.relative_to(base).parts[0]
            folder = folder / top.name  # a copy of a shipped game has its rules only under its name
            shutil.copytree(top, folder, ignore=shutil.ignore_patterns("output", "__pycache__"))
            if base == paths.DATA:
                shutil.copytree(paths.TEMPLATES / top.name, folder / "templates")
            file = folder / seed.relative_to(top)
        file.write_bytes(damaged(seed.read_bytes(), chance))
        os.environ["XDG_CONFIG_HOME"] = name
        _run(lambda: kind.commands(folder, file, chance))


def _run(command: Callable[[], list[str] | None]) -> None:
    def too_slow(*_: object) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGVTALRM, too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            if (words := command()) is not None:
                pencilbox.main(words, prog_name="pencilbox", standalone_mode=False)
    except InputError as error:
        for problem in error.problems:
            assert len(str(problem)) < 2_000, f"a message of {len(str(problem))} characters: {str(problem)[:300]}"
    except (click.ClickException, click.exceptions.Exit, SystemExit):
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def main() -> int:
    """Tries numbers until the time is up; returns 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--start", type=int, default=0, help="the first number")
    parser.add_argument("--only", default=":", help="SURFACE, or SURFACE:NUMBER for one file")
    options = parser.parse_args()
    only, _, number = options.only.partition(":")
    if number:
        fuzz(only, int(number))
        return 0
    ends, seen = time.monotonic() + options.seconds, set[str]()
    used = dict.fromkeys([only] if only else SURFACES, 0.0)
    tried = dict.fromkeys(used, 0)
    while time.monotonic() < ends:
        surface = min(used, key=used.__getitem__)
        number, start = options.start + tried[surface], time.process_time()
        tried[surface] += 1
        try:
            fuzz(surface, number)
        except KeyboardInterrupt:
            break
        except BaseException as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            key = f"{type(error).__name__} {place.filename}:{place.lineno}"
            if key not in seen:
                sys.stderr.write(f"{surface}:{number} {key}: {str(error)[:300]}\n")
            seen.add(key)
        used[surface] += time.process_time() - start
    counts = ", ".join(f"{surface} {count:,}" for surface, count in tried.items())
    sys.stderr.write(f"{sum(tried.values()):,} files ({counts}), {len(seen)} failures\n")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
