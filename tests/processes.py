"""Runs commands in processes of their own: a process that has loaded every command forks for each run, which takes a
tenth of the time of a new interpreter."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from generator import paths

SERVER = r"""
import gc, json, os, pkgutil, resource, signal, sys
from importlib import import_module
from generator import __main__, cli
import generator.judging.judge, generator.printing.press

for module in pkgutil.iter_modules(cli.__path__):
    import_module(f"generator.cli.{module.name}")
gc.freeze()
for line in sys.stdin:
    folder, words, seconds = json.loads(line)
    child = os.fork()
    if not child:
        signal.alarm(60)
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number in (1, 2):
            os.dup2(os.open(sys.argv[number], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.argv = ["pencilbox", *words]
        break
    _, status, used = os.wait4(child, 0)
    print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss]), flush=True)
if not child:
    __main__.run()
"""


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended: its exit code (the negative number of a signal), what it printed, its peak memory in MiB."""

    returncode: int
    stdout: str
    stderr: str
    peak: float


@cache
def _server() -> tuple[subprocess.Popen[str], list[Path]]:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    printed = [folder / name for name in ("stdout", "stderr")]
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, *map(str, printed)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(paths.ROOT), "PATH": "", "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    return server, printed


def run(*words: object, folder: Path, seconds: int = 30) -> Done:
    """Runs `pencilbox` with these words in a folder. More CPU time than this many seconds ends it."""
    server, printed = _server()
    assert server.stdin
    assert server.stdout
    print(json.dumps([str(folder), [str(word) for word in words], seconds]), file=server.stdin, flush=True)
    code, peak = json.loads(server.stdout.readline())
    return Done(code, *(file.read_text("utf-8") for file in printed), peak / 1024)
