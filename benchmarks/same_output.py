"""Proves that a change of the inside changes nothing outside: the same commands, the same words, the same bytes.

    python benchmarks/same_output.py record FOLDER [--checkout DIR]    what every command writes now
    python benchmarks/same_output.py compare FOLDER [--checkout DIR]   what it writes differently; exit code 1 if anything

`record` makes a list of some thousand commands (`commands_of` and below), with all the sheets and definitions they read,
runs them with the checkout's `python -m generator` and keeps exit code, stdout, stderr and the SHA-256 of every file
written. `compare` runs the commands kept in FOLDER again, with whatever checkout it is given; so it needs nothing of that
checkout but its command line, and a script that has learned more commands must record again.

`--only PATTERN` picks the commands whose name or words contain PATTERN (or match it, with * and ?), `--quick` a tenth of them,
`--list` only lists them. Files that differ are kept in FOLDER/different, beside those they should be.

Most commands run in a process forked from one that has made and judged before, which saves them the start-up; those
marked cold, at least one of each command, are processes of their own.
"""

from __future__ import annotations

import argparse
import copy
import difflib
import fnmatch
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from pypdf import PdfReader, PdfWriter

HERE = Path(__file__).resolve().parents[1]
GAMES = ["cosmic_consequences", "elevator_up", "from_the_ground_up", "rolling_cubes", "upwards"]
COMMANDS = ["games", "make", "randomise", "blank", "fill", "verify", "score", "check", "balance", "rules", "words", "cells",
            "completion"]
EXAMPLE = "in/examples/lantern_walk"
QUICK = 10
SECONDS = 300
LINES = 16
"""The most lines of a difference that are shown."""
DRIVER = """
import gc, io, json, os, runpy, signal, sys
requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w")

def run(job):
    os.chdir(job["folder"])
    for number, name, way in (0, job["stdin"], os.O_RDONLY), (1, job["stdout"], OUT), (2, job["stderr"], OUT):
        os.dup2(os.open(name, way), number)
    sys.argv = ["pencilbox", *job["argv"]]
    runpy.run_module("generator", run_name="__main__", alter_sys=True)

OUT = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
for line in requests:
    job = json.loads(line)
    if job["warm"]:
        try:
            run(job)
        except SystemExit:
            pass
        sys.stdout.flush(), sys.stderr.flush(), gc.freeze()
        answers.write(sys.modules["generator"].__file__ + "\\n")
    elif not (child := os.fork()):
        signal.alarm(job["seconds"])
        run(job)
        break
    else:
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\\n")
    answers.flush()
"""


@dataclass
class Case:
    """Commands run one after another in a folder of their own, where `in` leads to what they read."""

    name: str
    steps: list[list[str]]
    stdin: str = ""
    cold: bool = False
    quick: bool = False


@dataclass
class Result:
    """What the commands of a case said and wrote, without the names of temporary folders."""

    said: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    seconds: float = 0


# ---- running --------------------------------------------------------------------------------------------------------

class Runner:
    """Runs cases with one checkout; each thread has a warm process that it has commands forked from."""

    def __init__(self, checkout: Path, folder: Path, work: Path, blobs: Path) -> None:
        self.checkout, self.work, self.blobs, self.inputs = checkout, work, blobs, folder / "inputs"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PENCILBOX"))}
        self.environment |= {"PYTHONPATH": str(checkout), "COLUMNS": "100", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        self.names = [(str(work), "WORK"), (str(self.inputs), "INPUTS"), (str(checkout), "CHECKOUT")]
        self.own = threading.local()
        self.drivers: list[subprocess.Popen[str]] = []

    def run(self, cases: list[Case], jobs: int) -> Iterator[tuple[Case, Result]]:
        with ThreadPoolExecutor(jobs) as pool:
            yield from zip(cases, pool.map(self.result, cases), strict=True)

    def close(self) -> None:
        for driver in self.drivers:
            driver.communicate()

    def result(self, case: Case) -> Result:
        began = time.perf_counter()
        folder = self.work / re.sub(r"\W+", "-", case.name)
        folder.mkdir(parents=True)
        (folder / "in").symlink_to(self.inputs)
        said = folder.with_suffix(".said")
        said.mkdir()
        (said / "stdin").write_text(case.stdin, "utf-8")
        result = Result()
        for argv in case.steps:
            code = (self.cold if case.cold else self.forked)(argv, folder, said)
            result.said.append({"argv": argv, "code": code} | {
                stream: self.plain((said / stream).read_bytes()).decode("utf-8", "backslashreplace")
                for stream in ("stdout", "stderr")})
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.parent != folder / "in":
                result.files[str(path.relative_to(folder))] = self.kept(path)
        shutil.rmtree(folder)
        shutil.rmtree(said)
        result.seconds = round(time.perf_counter() - began, 3)
        return result

    def plain(self, content: bytes) -> bytes:
        for name, instead in self.names:
            content = content.replace(name.encode(), instead.encode())
        return content

    def kept(self, path: Path) -> str:
        """The SHA-256 of a file, of which a copy is kept."""
        content = path.read_bytes()
        content = content if content.startswith(b"%PDF") else self.plain(content)
        digest = hashlib.sha256(content).hexdigest()
        if not (blob := self.blobs / digest).exists():
            (temporary := self.blobs / f"{digest}.{threading.get_ident()}").write_bytes(content)
            temporary.replace(blob)
        return digest

    def cold(self, argv: list[str], folder: Path, said: Path) -> int:
        with (said / "stdin").open() as stdin, (said / "stdout").open("wb") as out, (said / "stderr").open("wb") as err:
            return subprocess.run([sys.executable, "-m", "generator", *argv], cwd=folder, env=self.environment, stdin=stdin,
                                  stdout=out, stderr=err, timeout=SECONDS, check=False).returncode

    def forked(self, argv: list[str], folder: Path, said: Path) -> int:
        if not hasattr(self.own, "driver"):
            self.own.driver = self.warm()
        return int(self.ask(self.own.driver, argv, folder, said))

    def ask(self, driver: subprocess.Popen[str], argv: list[str], folder: Path, said: Path, warm: bool = False) -> str:
        job = {"argv": argv, "folder": str(folder), "warm": warm, "seconds": SECONDS}
        driver.stdin.write(json.dumps(job | {name: str(said / name) for name in ("stdin", "stdout", "stderr")}) + "\n")
        driver.stdin.flush()
        return driver.stdout.readline().strip()

    def warm(self) -> subprocess.Popen[str]:
        """A process that has printed and judged."""
        folder = Path(tempfile.mkdtemp(prefix="warm", dir=self.work))
        (folder / "in").symlink_to(self.inputs)
        (folder / "stdin").touch()
        driver = subprocess.Popen([sys.executable, "-c", DRIVER], cwd=self.checkout, env=self.environment, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.drivers.append(driver)
        sheets = [sorted(self.inputs.glob(f"sheets/tests/games/{game}/good/*.yaml"))[0] for game in GAMES]
        for argv in [["make", EXAMPLE, "-o", "warm"], *(["score", "--hints", "--explain", str(sheet)] for sheet in sheets)]:
            where = self.ask(driver, argv, folder, folder, warm=True)
            if not Path(where).is_relative_to(self.checkout):
                raise SystemExit(f"what ran was {where}, not {self.checkout}")
        return driver


# ---- what is run ----------------------------------------------------------------------------------------------------

def one(name: str, *argv: str, **more: Any) -> Case:
    return Case(name, [list(argv)], **more)


def options_of(checkout: Path, game: str) -> Iterator[tuple[str, list[str]]]:
    """Each recipe of a game with the options of `randomise` that draw by it."""
    draws = yaml.safe_load((checkout / "data" / game / "sets.yaml").read_text("utf-8"))["draws"]
    for (what, draw) in draws.items():
        for recipe, options in draw["recipes"].items():
            words = ["--what", what]
            for name, value in options.items():
                first = value[-1] if isinstance(value, list) else value
                words += {"run": ["--run", "3"], "each": ["--each"]}.get(name, [f"--{name}", str(first)])
            yield f"{game}-{what}-{recipe}", words


def draws(checkout: Path) -> list[Case]:
    """Random sets; every recipe of every game."""
    return [case for game in GAMES for name, words in options_of(checkout, game) for case in (
        one(f"randomise/{name}-json", "randomise", game, *words, "--seed", "same", "--format", "json",
            *(["--count", "2"] if "--run" not in words else [])),
        one(f"randomise/{name}-text", "randomise", game, *words, "--seed", "words"),
        one(f"randomise/{name}-file", "randomise", game, *words, "--seed", "file", "-o", "sets.txt"))]


def plays(checkout: Path) -> list[Case]:
    """Games with simulated players, kept as sheets."""
    return [one(f"balance/{game}-{who}-keep", "balance", game, "--games", "4", "--seed", who, "--player", who, "--workers", "1",
                "--players", "3", "--keep", "sheets") for game in GAMES for who in ("random", "careful")]


def forms() -> list[Case]:
    """Score sheets to fill in."""
    return [one(f"form/make-{Path(game).name}", "make", game, "--no-booklet", cold=True) for game in [*GAMES, EXAMPLE]]


def commands_of(checkout: Path, folder: Path, results: dict[str, Result]) -> list[Case]:
    """Every other command, with the codes that `draws` drew and the sheets that `plays` played."""
    codes = {name.removeprefix("randomise/").removesuffix("-json"):
             list(dict.fromkeys(re.findall(r"\b[A-Z]{2}-1\w{3}(?:-\w{5})+-\w\w\b", result.said[0]["stdout"])))
             for name, result in results.items() if name.endswith("-json")}
    return [*helps(), *printing(checkout), *sets_printed(codes), *judging(folder), *garbled(folder), *balancing(codes),
            *filling(checkout, folder), *looking(checkout, codes), *definitions(folder)]


def helps() -> Iterator[Case]:
    for command in COMMANDS:
        yield one(f"help/{command}", command, "--help", cold=True)
        yield one(f"help/{command}-bare", command, "--nonsense")
    for number, argv in enumerate([["--help"], ["--version"], [], ["mkae"], ["games"], ["games", "--format", "json"], ["rules"],
                                   ["make"], ["make", "upward"], ["make", "upwards", "shet"], ["make", "upwards", "-p", "b4"]]):
        yield one(f"help/{number}", *argv, cold=number < 5)


def printing(checkout: Path) -> Iterator[Case]:
    """`make` of each game, in every way."""
    ways = [[], ["--low-ink"]]
    more = [["--duplex", way] for way in ("long", "short", "gutterfold", "none")]
    more += [["--copies", "3"], ["--no-fillable", "--no-booklet"], ["--format", "json"], ["-q", "-p", "a3", "-p", "a2"]]
    for game, size, way in product([*GAMES, EXAMPLE], ["a4", "letter"], ways):
        yield one(f"make/{Path(game).name}-{size}{''.join(way)}", "make", game, "-p", size, *way)
    for game, way in product([*GAMES, EXAMPLE], more):
        yield one(f"make/{Path(game).name}{''.join(way)}", "make", game, *way)
    yield one("make/all", "make", "--all", "-o", "there", cold=True)
    for game in GAMES:
        for name in yaml.safe_load((checkout / "data" / game / "game.yaml").read_text("utf-8"))["components"]:
            yield one(f"make/{game}-only-{name}", "make", game, name, "--copies", "12", "-p", "letter", "--low-ink")
        yield one(f"make/{game}-random", "make", game, "--random", "--seed", "make", cold=True)


def sets_printed(codes: dict[str, list[str]]) -> Iterator[Case]:
    """Sets made again by their codes, their PDFs verified."""
    for name, drawn in codes.items():
        game = name.split("-")[0]
        code, wrong = drawn[0], drawn[0][:-1] + ("0" if drawn[0][-1] != "0" else "1")
        yield one(f"make/set-{name}", "make", game, "--set", code, *(word for other in drawn[1:] for word in ("--set", other)))
        for form in ("text", "json"):
            yield one(f"verify/{name}-{form}", "verify", code, "--format", form)
        yield one(f"verify/{name}-wrong", "verify", wrong)
        yield one(f"verify/{name}-make-wrong", "make", game, "--set", wrong)
        printed = [f"{game}/{part}-letter-{code}.pdf" for part in ("cards", "dealer", "dice", "strip", "board", "log")]
        yield Case(f"verify/pdf-{name}", [["make", game, "--no-booklet", "--low-ink", "-p", "letter", "--set", code, "-o", "."],
                                          *(["verify", file] for file in printed)])


def judging(folder: Path) -> Iterator[Case]:
    """Each sheet of the tests and the documentation, and those that were played."""
    for number, group in enumerate(groups(folder)):
        name = f"judge/{group[0].removeprefix('in/sheets/').removesuffix('.yaml')}{f'-and-{len(group) - 1}' if group[1:] else ''}"
        yield one(f"{name}-text", "score", *group, "--explain", "--hints", "--strict")
        yield one(f"{name}-json", "score", *group, "--format", "json", "--hints")
        if number % 3 == 0:
            yield one(f"{name}-plain", "score", *group)
            yield one(f"{name}-check", "check", *group, "--hints", "--format", "text")
            yield one(f"{name}-copy", "score", *group, "--pdf", "copy.pdf", "-p", "letter" if number % 2 else "a4")
            yield one(f"{name}-stdin", "check", "-", "--format", "json", stdin=(folder / group[0].replace("in", "inputs", 1)).read_text("utf-8"))
    for path in sorted((folder / "inputs/streams").iterdir()):
        for command, *options in (["score", "--format", "jsonl", "--hints", "--explain"], ["check", "--format", "jsonl", "--strict"], ["score"]):
            yield one(f"stream/{path.name}-{command}-{len(options)}", command, *options, f"in/streams/{path.name}",
                      cold=path.name == "good.jsonl")
    for number, argv in enumerate([["score", "in/missing.yaml"], ["score", "in"], ["check", "in/sheets"], ["score"],
                                   ["score", "in/wrong.pdf"], ["score", "--game", "upwords", "in/sheets/docs/examples/table.yaml"],
                                   ["score", "--font", "x.ttf", "in/sheets/docs/examples/table.yaml"]]):
        yield one(f"judge/wrong-{number}", *argv, cold=True)


def garbled(folder: Path) -> Iterator[Case]:
    """Sheets that were changed by chance: YAML and JSON one by one, and as lines of a stream (`judging` has those)."""
    for path in sorted((folder / "inputs/garbled").iterdir()):
        yield one(f"garbled/{path.name}", "score", f"in/garbled/{path.name}", *(["--format", "json"] if path.name[0] == "2" else []))


def balancing(codes: dict[str, list[str]]) -> Iterator[Case]:
    for game, form in product(GAMES, ("text", "json", "pdf")):
        yield one(f"balance/{game}-{form}", "balance", game, "--games", "12", "--workers", "1", "--seed", "b", "--format", form)
    for game, number in product(GAMES, "1256"):
        yield one(f"balance/{game}-of-{number}", "balance", game, "--games", "4", "--workers", "1", "--players", number,
                  "--player", "greedy")
    for name, drawn in codes.items():
        yield one(f"balance/set-{name}", "balance", name.split("-")[0], "--set", drawn[0], "--games", "3", "--workers", "1",
                  "--player", "random")
    for variant in ("blocks", "blocks+event-die", "rows", "rows+event-die", "snake", "snake+event-die", "none"):
        yield one(f"balance/upwards-{variant}", "balance", "upwards", "--games", "4", "--workers", "1", "--variant", variant)
    yield one("balance/workers", "balance", "elevator_up", "--games", "40", "--workers", "2", cold=True)
    yield one("balance/search", "balance", "from_the_ground_up", "--games", "8", "--workers", "1", "--search", "2", cold=True)


def filling(checkout: Path, folder: Path) -> Iterator[Case]:
    """Blank sheets, filled line by line and judged as they are; where the fields of a sheet lie."""
    for game, sheet in sheets(checkout):
        label = f"{Path(game).name}-{sheet}"
        yield Case(f"blank/{label}", [["blank", game, "--sheet", sheet, "--players", "Ann,Ben", "-o", "blank.yaml"],
                                      ["score", "blank.yaml"], ["blank", game, "--sheet", sheet]])
        for number, answers in enumerate(["", "\n" * 400, "?\nAnn\n\nBen\n\nshow\n1\n2\nundo\n3\n" + "1\n2\nx\n4\n\n" * 120 + "done\n",
                                          "Ann\nBen\n\n" + "5\n6\nrubbish\n\n" * 60 + "show\ndone\n"]):
            yield one(f"fill/{label}-{number}", "fill", game, "--sheet", sheet, "sheet.yaml", stdin=answers)
        for size, form in (("a4", "text"), ("letter", "json"), ("a3", "text")):
            yield one(f"cells/{label}-{size}", "cells", game, sheet, "-p", size, "--format", form)
    for path in sorted((folder / "inputs/forms").iterdir()):
        for more in ([], ["--format", "json"], ["--pdf", "copy.pdf"]):
            yield one(f"form/{path.stem}-{len(more)}{''.join(more)}", "score", f"in/forms/{path.name}", "--explain", *more)


def looking(checkout: Path, codes: dict[str, list[str]]) -> Iterator[Case]:
    for game, form in product([*GAMES, EXAMPLE], ("text", "json")):
        yield one(f"rules/{Path(game).name}-{form}", "rules", game, "--format", form, cold=True)
        yield one(f"games/{Path(game).name}-{form}", "games", game, "--format", form)
    for shell in ("bash", "zsh", "fish", "tcsh"):
        yield one(f"completion/{shell}", "completion", shell, cold=True)
    throw = "red=AEIO,orange=C=,green=NSR,light-blue=G,blue=/T,purple=K"
    for number, argv in enumerate([[throw], [throw, "--format", "json", "--top", "50"], ["AEIOC=NSRG/TK"], ["rubbish!"], ["red=AEIOU"],
                                   [throw, "--set", codes["rolling_cubes-dice-02"][0]], [throw, "--throw", "AAEEIOUNSRTGK"]]):
        yield one(f"words/{number}", "words", "--throw", *argv)


def definitions(folder: Path) -> Iterator[Case]:
    """Games with a mistake in their definitions."""
    for path in sorted((folder / "inputs/wrong").iterdir()):
        game = f"in/wrong/{path.name}"
        yield Case(f"definitions/{path.name}", [["make", game, "--no-booklet", "-q"], ["games", game]])


# ---- what is read ---------------------------------------------------------------------------------------------------

def gather(checkout: Path, inputs: Path) -> None:
    """Copies the sheets and definitions of a checkout, so that a later one is asked about the same."""
    for path in [*checkout.glob("tests/games/*/good"), *checkout.glob("tests/games/*/bad"), checkout / "docs/examples"]:
        shutil.copytree(path, inputs / "sheets" / path.relative_to(checkout))
    shutil.copytree(checkout / EXAMPLE.removeprefix("in/"), inputs / EXAMPLE.removeprefix("in/"))


def groups(folder: Path) -> list[list[str]]:
    """The sheets that are judged together, by their names in `in`: those of a folder, or of a played game of Upwards!."""
    sheets = folder / "inputs/sheets"
    lone = [*sheets.glob("tests/games/*/good/*"), *sheets.glob("tests/games/*/bad/*/*"), *sheets.glob("docs/examples/*")]
    played = {(path.parent, path.name[:10]) for path in sheets.glob("played/*/*.yaml")}
    together = [sorted(path.iterdir()) if path.is_dir() else [path] for path in sorted(lone)]
    together += [sorted(where.glob(f"{start}*")) for where, start in sorted(played)]
    together.append(sorted(sheets.glob("docs/examples/upwards_[no]*")))
    return [[f"in/{path.relative_to(folder / 'inputs')}" for path in group] for group in together]


def sheets(checkout: Path) -> Iterator[tuple[str, str]]:
    """Each score sheet with its game."""
    for game in GAMES:
        parts = yaml.safe_load((checkout / "data" / game / "game.yaml").read_text("utf-8"))["components"]
        yield from ((game, name) for name, part in parts.items() if part["kind"] == "sheet")
    yield EXAMPLE, "sheet"


def garble(folder: Path) -> None:
    """Writes the sheets changed by chance: as text, and as data in YAML, in JSON and as lines of a stream."""
    rng = random.Random("garbled")
    inputs = folder / "inputs"
    for name in ("garbled", "streams", "wrong"):
        (inputs / name).mkdir()
    lines: list[str] = []
    whole: list[str] = []
    for number, path in enumerate(sorted((inputs / "sheets").rglob("*.yaml"))):
        text = path.read_text("utf-8")
        (inputs / f"garbled/1-{number:03}.yaml").write_text(garbled_text(text, rng), "utf-8")
        if (data := yaml.load(text, Loader)) is None:  # noqa: S506
            continue
        whole.append(json.dumps(data, ensure_ascii=False, default=str))
        changed = [garbled_data(data, rng) for _ in range(4)]
        lines += [json.dumps(one, ensure_ascii=False, default=str) for one in changed]
        (inputs / f"garbled/2-{number:03}.yaml").write_text(dumped(changed[0]), "utf-8")
        pretty = json.dumps(changed[1], ensure_ascii=False, indent=1, default=str)
        (inputs / f"garbled/3-{number:03}.json").write_text(pretty if number % 2 else garbled_text(pretty, rng), "utf-8")
        if number % 6 == 0:
            (inputs / f"streams/documents-{number:03}.yaml").write_text("---\n".join(map(dumped, [data, *changed])), "utf-8")
    lines = [garbled_line(line, rng) if number % 9 == 0 else line for number, line in enumerate(lines)]
    for number, several in enumerate(batches(lines, 100)):
        (inputs / f"streams/garbled-{number:02}.jsonl").write_text("\n".join(several) + "\n", "utf-8")
    (inputs / "streams/good.jsonl").write_text("\n".join(whole) + "\n", "utf-8")
    for number in range(150):
        wrong = inputs / f"wrong/{number:03}"
        shutil.copytree(inputs / "examples/lantern_walk", wrong)
        path = rng.choice(sorted(path for path in wrong.rglob("*") if path.is_file()))
        path.write_text(garbled_text(path.read_text("utf-8"), rng), "utf-8")


class Loader(yaml.SafeLoader):
    """Takes the = of YAML 1.1 for a text."""


Loader.add_constructor("tag:yaml.org,2002:value", Loader.construct_yaml_str)
RUBBISH = ["rubbish", "", "-1", "0", "7", "999999", "no", "~", "[1, 2]", "{a: b}", "x" * 90, "1.5", "Ann", '"\\u0007"', "≠", "010",
           "2024-01-01", "!!python/none x", "&a [*a]", "*b", "1:30", "true", "a: b: c", "'", "{{ x }}", "<b>", "NaN", "-", ". . ."]
VALUES = ["rubbish", "", -1, 0, 7, 999999, None, True, False, [1, 2], [], {}, {"a": "b"}, 1.5, "Ann", "≠", "1", "x" * 90, [[]],
          float("nan"), "- . x", "a1 a2", 10 ** 30]


def misspelt(word: str, rng: random.Random) -> str:
    place = rng.randrange(len(word) + 1)
    return rng.choice([word[:place] + word[place + 1:], word[:place] + "q" + word[place:], word.upper(), word[::-1], word + "s"])


def garbled_text(text: str, rng: random.Random) -> str:
    """Text with a line dropped, doubled, misspelt, given another value, moved in, or cut off."""
    lines = text.splitlines() or [""]
    place = rng.choice([number for number, line in enumerate(lines) if line.strip() and not line.startswith("#")] or [0])
    line = lines[place]
    words = [*re.finditer(r"[\w-]+(?=:|\"|,|]|$)", line)] or [*re.finditer(".?", line)]
    word = rng.choice(words)
    new: list[list[str]] = [
        [], [line, line], [line[:word.start()] + misspelt(word[0], rng) + line[word.end():]], ["  " + line], ["\t" + line], [line[1:]],
        [line[:word.start()] + rng.choice(RUBBISH) + line[word.end():]], [f"{line.partition(chr(58))[0]}: {rng.choice(RUBBISH)}"],
        [line[:word.start()] + f"[{word[0]}]" + line[word.end():]], [line, f"{misspelt('player', rng)}: 1"], [line[:len(line) // 2]]]
    lines[place:place + 1] = rng.choice([*new, *[new[2], new[6], new[7]] * 3])
    return "\n".join(lines) + "\n"


def garbled_data(data: Any, rng: random.Random) -> Any:
    """Data with a key or a value dropped, misspelt, doubled, put into a list, or replaced."""
    data = copy.deepcopy(data)
    holder, key = rng.choice([*places(data)])
    value = holder[key]
    way = rng.choice(["drop", "misspell", "rubbish", "rubbish", "rubbish", "list", "double", "text", "swap"])
    if way == "drop":
        del holder[key]
    elif way == "misspell" and isinstance(holder, dict):
        holder[misspelt(str(key), rng)] = holder.pop(key)
    elif way == "double" and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif way == "swap":
        other, name = rng.choice([*places(data)])
        holder[key] = copy.deepcopy(other[name])
    else:
        holder[key] = {"list": [value], "text": str(value)}.get(way, rng.choice(VALUES))
    return data


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every value of the data, by what holds it and its key there."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from places(value)


def garbled_line(line: str, rng: random.Random) -> str:
    """A line of JSON with a key twice, cut off, or with what JSON does not know."""
    return rng.choice([line.replace("{", '{"player": "Eve", ', 1), line.replace("{", '{"game": "upwards", ', 1), line[:len(line) // 2],
                       line.replace('"', "'", 2), line.replace(":", "", 1), line + line, line.replace(",", ",,", 1), "", "[]", "1"])


def dumped(data: Any) -> str:
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100))


def batches(items: list[str], size: int) -> list[list[str]]:
    return [items[start:start + size] for start in range(0, len(items), size)]


def filled(form: Path, rng: random.Random) -> bytes:
    """A PDF form, filled in by chance."""
    reader = PdfReader(form)
    values = {name: rng.choice(["/Yes", "/On", "/Off", *field.get("/_States_", [])]) if field.get("/FT") == "/Btn" else
              rng.choice(["1", "2", "3", "4", "5", "6", "7", "", "", "x", "Ann", "Ben", "o", "rubbish"])
              for name, field in (reader.get_fields() or {}).items() if rng.random() < 0.6}
    writer = PdfWriter(clone_from=reader)
    for page in writer.pages:
        writer.update_page_form_field_values(page, values, auto_regenerate=False)
    writer.write(out := BytesIO())
    return out.getvalue()


# ---- recording and comparing ----------------------------------------------------------------------------------------

def record(folder: Path, runner: Runner, jobs: int) -> None:
    gather(runner.checkout, runner.inputs)
    (runner.inputs / "forms").mkdir()
    first = dict(shown(runner.run(first_cases := [*draws(runner.checkout), *plays(runner.checkout), *forms()], jobs), len(first_cases)))
    for name, result in first.items():
        for file, digest in result.files.items():
            if name.startswith("balance/") and file.endswith(".yaml"):
                place = runner.inputs / "sheets/played" / name.removeprefix("balance/") / Path(file).name
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(runner.blobs / digest, place)
            elif "-fillable" in file:
                for number in range(3):
                    form = filled(runner.blobs / digest, random.Random(f"{file} {number}")) if number else (runner.blobs / digest).read_bytes()
                    (runner.inputs / "forms" / f"{Path(file).stem}-{number}.pdf").write_bytes(form)
    garble(folder)
    cases = commands_of(runner.checkout, folder, first)
    if twice := [name for name, times in Counter(case.name for case in [*first_cases, *cases]).items() if times > 1]:
        raise SystemExit(f"two commands of one name: {twice}")
    results = first | dict(shown(runner.run(cases, jobs), len(cases)))
    cases = [*first_cases, *cases]
    write(folder / "commands.json", [asdict(case) for case in cases])
    write(folder / "results.json", {name: asdict(result) for name, result in results.items()})
    print(f"{len(cases)} recorded, {sum(len(result.files) for result in results.values())} files")


def compare(folder: Path, runner: Runner, cases: list[Case], jobs: int) -> int:
    results = {name: Result(**result) for name, result in json.loads((folder / "results.json").read_text("utf-8")).items()}
    cases.sort(key=lambda case: -results[case.name].seconds)
    different: Counter[str] = Counter()
    for name, result in shown(runner.run(cases, jobs), len(cases)):
        if report := list(differences(results[name], result, folder, runner.blobs)):
            different[name.split("/")[0]] += 1
            print(f"\n{name}", *report, sep="\n  ", flush=True)
    count = sum(different.values())
    print(f"\n{count} of {len(cases)} differ:" if count else f"{len(cases)} commands, nothing differs",
          *(f"{group} {number}" for group, number in different.items()))
    return 1 if different else 0


def differences(old: Result, new: Result, folder: Path, blobs: Path) -> Iterator[str]:
    for was, now in zip(old.said, new.said, strict=True):
        parts = [f"{part}:\n    " + "\n    ".join(changed(str(was[part]), str(now[part])))
                 for part in ("code", "stdout", "stderr") if was[part] != now[part]]
        if parts:
            yield "\n  ".join([f"$ pencilbox {shlex.join(now['argv'])}", *parts])
    for name in sorted({*old.files, *new.files}):
        was, now = old.files.get(name), new.files.get(name)
        if was == now:
            continue
        if was is None or now is None:
            yield f"{name}: {'not written before' if was is None else 'not written now'}"
            continue
        before, after = (folder / "files" / was).read_bytes(), (blobs / now).read_bytes()
        place = folder / "different" / now[:12] / Path(name).name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(after)
        place.with_name(f"was-{place.name}").write_bytes(before)
        yield f"{name}: {len(before)} → {len(after)} bytes, see {place.parent}"
        if not after.startswith(b"%PDF"):
            yield "  " + "\n    ".join(changed(before.decode("utf-8", "replace"), after.decode("utf-8", "replace")))


def changed(old: str, new: str) -> list[str]:
    lines = [line[:200] for line in difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")][2:]
    return lines[:LINES] + ([f"… {len(lines) - LINES} lines more"] if len(lines) > LINES else [])


def shown(results: Iterator[tuple[Case, Result]], total: int) -> Iterator[tuple[str, Result]]:
    """The results by name; says on a terminal how far it is."""
    for number, (case, result) in enumerate(results, 1):
        if sys.stderr.isatty():
            print(f"\r{number} of {total} ", end="\n" if number == total else "", file=sys.stderr)
        yield case.name, result


def write(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")


def picked(cases: list[Case], pattern: str, quick: bool) -> list[Case]:
    """Those that PATTERN names; with `quick` every tenth of each group."""
    seen: Counter[str] = Counter()
    for case in cases:
        seen[group := case.name.split("/")[0]] += 1
        case.quick = seen[group] % QUICK == 1
    fits = partial(fnmatch.fnmatchcase, pat=pattern if set("*?") & set(pattern) else f"*{pattern}*")
    return [case for case in cases if (not quick or case.quick) and (fits(case.name) or any(fits(shlex.join(step)) for step in case.steps))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "compare"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--checkout", type=Path, default=HERE, help="the checkout to run [default: the script's]")
    parser.add_argument("--only", metavar="PATTERN", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    folder, began = options.folder.resolve(), time.perf_counter()
    if options.what == "record":
        if folder.exists() and any(folder.iterdir()) and not (folder / "files").is_dir():
            parser.error(f"{folder} holds something else")
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "files").mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch).resolve() / "w"
        blobs = folder / "files" if options.what == "record" else Path(scratch) / "files"
        blobs.mkdir(exist_ok=True)
        runner = Runner(options.checkout.resolve(), folder, work, blobs)
        work.mkdir()
        try:
            if options.what == "record":
                record(folder, runner, options.jobs)
                code = 0
            else:
                cases = picked([Case(**case) for case in json.loads((folder / "commands.json").read_text("utf-8"))],
                               options.only, options.quick)
                if options.list:
                    print(*(f"{case.name}: {shlex.join(case.steps[0])}" for case in cases), sep="\n")
                    return 0
                shutil.rmtree(folder / "different", ignore_errors=True)
                code = compare(folder, runner, cases, options.jobs)
        finally:
            runner.close()
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
