"""Proves that an internal change has no visible effect: the same commands give the same words and bytes.

    python benchmarks/same_output.py record FOLDER [--checkout DIR]     store what every command writes
    python benchmarks/same_output.py compare FOLDER [--checkout DIR]    show what it writes differently now

`record` runs the commands of `same_commands.py` in a checkout (by default the script's own) and stores the
exit code, stdout, stderr and the SHA-256 of every file written, with all the sheets and definitions that the commands
read. `compare` runs the same commands on the same files again and exits with 1 if anything differs. It uses only
the command line of the checkout. After changing `same_commands.py`, record again.

`--only PATTERN` selects the commands whose name or words contain PATTERN (or match it, with * and ?); `--quick`
selects every tenth one; `--list` lists them without running any. Files that differ are stored in
FOLDER/different/CHECKOUT, beside the recorded ones.

Most commands run in a process forked from one that has already printed and judged, which saves the start-up. Those
marked cold run in new processes.
"""

from __future__ import annotations

import argparse
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
from pathlib import Path
from typing import Any

from same_commands import EXAMPLE, GAMES, Case, commands_of, draws, filled, forms, garble, gather, plays

HERE = Path(__file__).resolve().parents[1]
QUICK = 10
SECONDS = 300
LINES = 16
"""The maximum number of lines shown of a difference."""
DRIVER = """
import gc, importlib, io, json, os, signal, sys
requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w")

def run(job):
    os.chdir(job["folder"])
    for number, name, way in (0, job["stdin"], os.O_RDONLY), (1, job["stdout"], OUT), (2, job["stderr"], OUT):
        os.dup2(os.open(name, way), number)
    sys.argv = ["pencilbox", *job["argv"]]
    importlib.import_module("generator.cli").main()

OUT = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
for line in requests:
    job = json.loads(line)
    if job["warm"]:
        try:
            run(job)
        except BaseException:
            pass  # the commands themselves will report it
        sys.stdout.flush(), sys.stderr.flush(), gc.freeze()
        answers.write(getattr(sys.modules.get("generator"), "__file__", "nothing") + "\\n")
    elif not (child := os.fork()):
        signal.alarm(job["seconds"])
        code = 0
        try:
            run(job)
        except SystemExit as end:
            code = end.code or 0
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(code)
    else:
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\\n")
    answers.flush()
"""


@dataclass
class Result:
    """What the commands of a case printed and wrote, without the names of temporary folders."""

    outputs: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    seconds: float = 0


# ---- running --------------------------------------------------------------------------------------------------------


class Runner:
    """Runs cases with one checkout; each thread forks its commands from a warm process."""

    def __init__(self, checkout: Path, folder: Path, work: Path, blobs: Path) -> None:
        self.checkout, self.work, self.blobs, self.inputs = checkout, work, blobs, folder / "inputs"
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PENCILBOX"))
        }
        self.environment |= {"PYTHONPATH": str(checkout), "COLUMNS": "100", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        self.names = [(str(work), "WORK"), (str(self.inputs), "INPUTS"), (str(checkout), "CHECKOUT")]
        self.local = threading.local()
        self.drivers: list[subprocess.Popen[str]] = []

    def run(self, cases: list[Case], jobs: int) -> Iterator[tuple[Case, Result]]:
        with ThreadPoolExecutor(jobs) as pool:
            try:
                yield from zip(cases, pool.map(self.result, cases), strict=True)
            finally:
                pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        for driver in self.drivers:
            driver.communicate()

    def result(self, case: Case) -> Result:
        began = time.perf_counter()
        folder = self.work / re.sub(r"\W+", "-", case.name)
        folder.mkdir(parents=True)
        (folder / "in").symlink_to(self.inputs)
        streams = folder.with_suffix(".streams")
        streams.mkdir()
        (streams / "stdin").write_text(case.stdin, "utf-8")
        result = Result()
        for argv in case.steps:
            code = (self.cold if case.cold else self.forked)(argv, folder, streams)
            result.outputs.append(
                {"argv": argv, "code": code}
                | {
                    stream: self.plain((streams / stream).read_bytes()).decode("utf-8", "backslashreplace")
                    for stream in ("stdout", "stderr")
                }
            )
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.parent != folder / "in":
                result.files[str(path.relative_to(folder))] = self.store(path)
        shutil.rmtree(folder)
        shutil.rmtree(streams)
        result.seconds = round(time.perf_counter() - began, 3)
        return result

    def plain(self, content: bytes) -> bytes:
        for name, instead in self.names:
            content = content.replace(name.encode(), instead.encode())
        return content

    def store(self, path: Path) -> str:
        """The SHA-256 of a file, after storing a copy."""
        content = path.read_bytes()
        content = content if content.startswith(b"%PDF") else self.plain(content)
        digest = hashlib.sha256(content).hexdigest()
        if not (blob := self.blobs / digest).exists():
            (temporary := self.blobs / f"{digest}.{threading.get_ident()}").write_bytes(content)
            temporary.replace(blob)
        return digest

    def cold(self, argv: list[str], folder: Path, streams: Path) -> int:
        command = [sys.executable, "-m", "generator", *argv]
        with (
            (streams / "stdin").open() as stdin,
            (streams / "stdout").open("wb") as out,
            (streams / "stderr").open("wb") as err,
        ):
            process = subprocess.Popen(command, cwd=folder, env=self.environment, stdin=stdin, stdout=out, stderr=err)
            try:
                return process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                return process.wait()

    def forked(self, argv: list[str], folder: Path, streams: Path) -> int:
        if not hasattr(self.local, "driver"):
            self.local.driver = self.warm()
        return int(self.ask(self.local.driver, argv, folder, streams))

    def ask(
        self, driver: subprocess.Popen[str], argv: list[str], folder: Path, streams: Path, warm: bool = False
    ) -> str:
        job = {"argv": argv, "folder": str(folder), "warm": warm, "seconds": SECONDS}
        driver.stdin.write(
            json.dumps(job | {name: str(streams / name) for name in ("stdin", "stdout", "stderr")}) + "\n"
        )
        driver.stdin.flush()
        return driver.stdout.readline().strip()

    def warm(self) -> subprocess.Popen[str]:
        """A process that has already printed and judged once."""
        folder = Path(tempfile.mkdtemp(prefix="warm", dir=self.work))
        (folder / "in").symlink_to(self.inputs)
        (folder / "stdin").touch()
        driver = subprocess.Popen(
            [sys.executable, "-c", DRIVER],
            cwd=self.checkout,
            env=self.environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.drivers.append(driver)
        sheets = [sorted(self.inputs.glob(f"sheets/tests/games/{game}/good/*.yaml"))[0] for game in GAMES]
        for argv in [
            ["make", EXAMPLE, "-o", "warm"],
            *(["score", "--hints", "--explain", str(sheet)] for sheet in sheets),
        ]:
            where = self.ask(driver, argv, folder, folder, warm=True)
            if not Path(where).is_relative_to(self.checkout):
                raise SystemExit(f"the checkout that ran was {where}, not {self.checkout}")
        return driver


# ---- recording and comparing ----------------------------------------------------------------------------------------


def record(folder: Path, runner: Runner, jobs: int) -> None:
    gather(runner.checkout, runner.inputs)
    cases = [*draws(runner.checkout), *plays(), *forms()]
    results = dict(with_progress(runner.run(cases, jobs), len(cases)))
    for name, result in results.items():
        for file, digest in result.files.items():
            take_in(name, Path(file), runner.blobs / digest, runner.inputs)
    garble(folder)
    printed = {name: result.outputs[0]["stdout"] for name, result in results.items()}
    more = [*commands_of(runner.checkout, folder, printed)]
    cases += more
    if twice := [name for name, times in Counter(case.name for case in cases).items() if times > 1]:
        raise SystemExit(f"two commands have the same name: {twice}")
    results |= with_progress(runner.run(more, jobs), len(more))
    for name, result in results.items():
        if any("Traceback" in output["stderr"] for output in result.outputs):
            print(f"crashed: {name}: {result.outputs[-1]['stderr'][-300:]}")
    write(folder / "commands.json", [asdict(case) for case in cases])
    write(folder / "results.json", {name: asdict(result) for name, result in results.items()})
    print(f"{len(cases)} recorded, {sum(len(result.files) for result in results.values())} files")


def take_in(name: str, file: Path, blob: Path, inputs: Path) -> None:
    """A file that one of the first commands wrote becomes one that others read: a played sheet, a form."""
    if name.startswith("balance/") and file.suffix == ".yaml":
        place = inputs / "sheets/played" / name.removeprefix("balance/") / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(blob, place)
    elif "-fillable" in file.name:
        (place := inputs / "forms" / file.parent.name).mkdir(parents=True, exist_ok=True)
        for number in range(4):
            form = filled(blob, random.Random(f"{file} {number}"), number > 1) if number else blob.read_bytes()
            (place / f"{file.stem}-{number}.pdf").write_bytes(form)


def compare(folder: Path, runner: Runner, cases: list[Case], jobs: int) -> int:
    shutil.rmtree(different_files := folder / "different" / runner.checkout.name, ignore_errors=True)
    results = {
        name: Result(**result) for name, result in json.loads((folder / "results.json").read_text("utf-8")).items()
    }
    cases.sort(key=lambda case: -results[case.name].seconds)
    different: Counter[str] = Counter()
    for name, result in with_progress(runner.run(cases, jobs), len(cases)):
        if report := list(differences(results[name], result, folder / "files", runner.blobs, different_files)):
            different[name.split("/")[0]] += 1
            print(f"\n{name}", *report, sep="\n  ", flush=True)
    count = sum(different.values())
    print(
        f"\n{count} of {len(cases)} differ:" if count else f"{len(cases)} commands, nothing differs",
        *(f"{group} {number}" for group, number in different.items()),
    )
    return 1 if different else 0


def differences(old: Result, new: Result, old_files: Path, new_files: Path, keep: Path) -> Iterator[str]:
    for was, now in zip(old.outputs, new.outputs, strict=True):
        parts = [
            f"{part}:\n    " + "\n    ".join(changed(str(was[part]), str(now[part])))
            for part in ("code", "stdout", "stderr")
            if was[part] != now[part]
        ]
        if parts:
            yield "\n  ".join([f"$ pencilbox {shlex.join(now['argv'])}", *parts])
    for name in sorted({*old.files, *new.files}):
        was, now = old.files.get(name), new.files.get(name)
        if was == now:
            continue
        if was is None or now is None:
            yield f"{name}: {'not written before' if was is None else 'not written now'}"
            continue
        before, after = (old_files / was).read_bytes(), (new_files / now).read_bytes()
        place = keep / now[:12] / Path(name).name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(after)
        place.with_name(f"was-{place.name}").write_bytes(before)
        yield f"{name}: {len(before)} → {len(after)} bytes, see {place.parent}"
        if not after.startswith(b"%PDF"):
            yield "  " + "\n    ".join(changed(before.decode("utf-8", "replace"), after.decode("utf-8", "replace")))


def changed(old: str, new: str) -> list[str]:
    lines = [line[:200] for line in difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")][2:]
    return lines[:LINES] + ([f"… {len(lines) - LINES} lines more"] if len(lines) > LINES else [])


def with_progress(results: Iterator[tuple[Case, Result]], total: int) -> Iterator[tuple[str, Result]]:
    """The results by name; shows progress on a terminal."""
    for number, (case, result) in enumerate(results, 1):
        if sys.stderr.isatty():
            print(f"\r{number} of {total} ", end="\n" if number == total else "", file=sys.stderr)
        yield case.name, result


def write(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")


def picked(cases: list[Case], pattern: str, quick: bool) -> list[Case]:
    """The cases that match PATTERN; with `quick`, every tenth of each group."""
    seen: Counter[str] = Counter()
    for case in cases:
        seen[group := case.name.split("/")[0]] += 1
        case.quick |= seen[group] % QUICK == 1
    fits = partial(fnmatch.fnmatchcase, pat=pattern if set("*?") & set(pattern) else f"*{pattern}*")
    return [
        case
        for case in cases
        if (not quick or case.quick) and (fits(case.name) or any(fits(shlex.join(step)) for step in case.steps))
    ]


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
                cases = picked(
                    [Case(**case) for case in json.loads((folder / "commands.json").read_text("utf-8"))],
                    options.only,
                    options.quick,
                )
                if options.list:
                    print(*(f"{case.name}: {shlex.join(case.steps[0])}" for case in cases), sep="\n")
                    return 0
                code = compare(folder, runner, cases, options.jobs)
        finally:
            runner.close()
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
