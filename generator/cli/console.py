"""The terminal: everything that commands print goes through this module.

Control characters from input files are escaped, so that no file can move the cursor, change the window title or hide
text. Styles pass because `style` marks them with a number drawn at random for each run, which no file can know.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from textwrap import wrap
from time import monotonic
from typing import Any

import click

from .. import paths
from ..errors import InputError, Place, Problem, fault, refuse, summary

_MIN_STEPS = 60  # the number of steps, such as cards to print, from which a progress bar is shown

_BAR = 30  # the length of a progress bar
_REFRESH = 0.1  # seconds from one change of a progress bar to the next

_MARK = f"\x1b{os.urandom(8).hex()}:"
_STYLES = {
    "bold": "1",
    "quiet": "2",
    "underline": "4",
    "error": "1;31",
    "warning": "1;33",
    "good": "1;32",
    "hint": "1;36",
}
_PLAIN = str.maketrans("−–─“”’▼▲≠★·…×□", '---""\'v^/*..xo') | {ord("→"): "->"}


# ---- text -----------------------------------------------------------------------------------------------------------


def style(text: str, name: str) -> str:
    """The text in a style such as `bold` or `error`, for `echo`."""
    return f"{_MARK}{_STYLES[name]}m{text}{_MARK}0m"


STYLED = re.compile(f"{_MARK}[0-9;]+m.*?{_MARK}0m", re.DOTALL)
"""Text that `style` has marked."""


def unstyled(text: str) -> str:
    """The text without the marks of `style`, for files."""
    return re.sub(f"{_MARK}[0-9;]*m", "", text)


@cache
def _unsafe() -> re.Pattern[str]:
    """C0 and C1 controls except tab and newline, line separators, bidirectional overrides, lone surrogates. Compiling
    this takes 4 ms, and few texts have any."""
    return re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def escaped(text: str) -> str:
    r"""The text with its control characters written as `\x1b` or `\u202e`."""
    return text if text.isprintable() else _unsafe().sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def encodable(text: str, encoding: str | None) -> str:
    """The text in characters of this encoding: others are replaced by similar plain ones, or by
    question marks."""
    name = encoding or "utf-8"
    try:
        text.encode(name)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(name, "replace").decode(name)
    return text


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Prints text to standard output, or to standard error."""
    stream = sys.stderr if err else sys.stdout
    parts = (encodable(escaped(part), stream.encoding) for part in text.split(_MARK))
    click.echo("\x1b[".join(parts), err=err, nl=nl, color=False if os.environ.get("NO_COLOR") else None)


def width_of(text: str) -> int:
    """The width of a text in columns of the terminal."""
    from ..rules.results import columns as width  # most commands print no table, and `--help` loads little

    return width(text)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under a heading. If standard output is a terminal, the last column is wrapped to fit."""
    widths = [max(map(width_of, column)) for column in zip(head, *rows, strict=True)]
    fits, lines = sys.stdout.isatty(), list[str]()
    room = max(20, min(120, columns()) - sum(widths[:-1]) - 2 * len(widths[:-1])) if fits else sys.maxsize
    for *cells, last in (head, *rows):
        filled = [cell + " " * (width - width_of(cell)) for cell, width in zip(cells, widths, strict=False)]
        blank = [" " * width for width in widths[:-1]]
        for number, part in enumerate(wrap(last, room) or [""]):
            lines.append("  ".join([*(blank if number else filled), part]).rstrip())
    return "\n".join([style(lines[0], "bold") if fits else lines[0], *lines[1:]])


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int]) -> str:
    """A table with numbers to the right; the columns `left` are texts."""
    widths = [max(map(width_of, column)) for column in zip(head, *rows, strict=True)]
    first, *others = (
        [cell if at in left else " " * (widths[at] - width_of(cell)) + cell for at, cell in enumerate(row)]
        for row in (head, *rows)
    )
    return table(first, others)


def columns() -> int:
    """The width of the terminal. `shutil` reports it too, but loading it takes longer than judging a sheet."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    with suppress(AttributeError, ValueError, OSError):
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    return 80


@contextmanager
def progress(label: str, steps: int) -> Iterator[Callable[[], None]]:
    """A progress bar on the terminal; call the function it yields after each step. Short jobs show none. It has no
    thread of its own, because a process with threads cannot safely be copied."""
    if steps < _MIN_STEPS or not sys.stderr.isatty():
        yield lambda: None
        return
    done, shown = 0, 0.0

    def step() -> None:
        nonlocal done, shown
        done += 1
        if monotonic() - shown > _REFRESH:
            shown = monotonic()
            bar = "#" * (_BAR * done // steps)
            sys.stderr.write(f"\r{escaped(label)}  [{bar:<{_BAR}}] {done:,} of {steps:,}")
            sys.stderr.flush()

    try:
        yield step
    finally:
        sys.stderr.write(f"\r{' ' * (len(label) + _BAR + 30)}\r")


# ---- JSON -----------------------------------------------------------------------------------------------------------


def json_text(data: object, indent: int | None = 2) -> str:
    """The data as JSON without control characters or lone surrogates, which some readers refuse."""
    import json  # takes 5 ms, which `--help` and judging sheets need not spend

    return json_escaped(json.dumps(data, indent=indent, ensure_ascii=False))


def json_escaped(text: str) -> str:
    r"""JSON text with unsafe characters written like `\u001b`; outside its strings, JSON is ASCII."""
    if (text.isascii() and "\x7f" not in text) or text.isprintable():  # JSON itself escapes other control characters
        return text
    return _unsafe().sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def echo_json(data: object, indent: int | None = 2) -> None:
    """Prints the data as JSON, always in UTF-8 (RFC 8259, section 8.1)."""
    echo_json_text(json_text(data, indent))


def echo_json_text(text: str) -> None:
    """Prints JSON text, which `json_escaped` has made safe, in UTF-8."""
    stream = sys.stdout
    if not isinstance(stream, TextIOWrapper):
        echo(text)
        return
    if stream.encoding not in ("utf-8", "UTF-8"):
        stream.reconfigure(encoding="utf-8")
    stream.write(f"{text}\n")  # `echo` takes as long as judging a third of a sheet
    stream.flush()


def problem_data(problem: Problem) -> dict[str, Any]:
    """A problem as `--format json` prints it."""
    place = problem.place
    cell = {"sheet": place.sheet, "cell": place.cell or None} if place and place.sheet else {}
    return {
        "file": place.file if place else None,
        "line": (place.line or None) if place else None,
        **cell,
        "message": problem.message,
        "hint": problem.hint or None,
    }


# ---- problems -------------------------------------------------------------------------------------------------------


def show_errors(problems: Iterable[Problem]) -> None:
    """Prints problems to standard error, one line each; repeated and long ones are shortened."""
    for problem in summary(problems):
        line = str(problem).replace("\n", " ")
        echo(f"{style('error', 'error')}: {line}", err=True)


def show_notes(notes: Iterable[object]) -> None:
    """Prints notes to standard error, one line each."""
    for note in notes:
        echo(f"{style('note', 'bold')}: {note!s}".replace("\n", " "), err=True)


def show_steps(title: str, steps: Mapping[str, str]) -> None:
    """Prints what to do next to standard error: arguments of `pencilbox`, and what each does."""
    width = max(map(len, steps))
    lines = (f"  pencilbox {words:<{width}}  {meaning}" for words, meaning in steps.items())
    echo("\n".join(["", style(title, "bold"), *lines]), err=True)


# ---- files that commands write

OUTPUT = Path("output")
"""The default folder for printed files. Older files in it are replaced without asking."""

_MAX_NAMES = 5


def may_write(files: Sequence[Path], force: bool, *outputs: Path) -> None:
    """Asks before replacing files outside the output folders (`output/` and `outputs`). Raises InputError if the answer
    is no, if there is no terminal to ask on, and for every path that is a folder."""
    refuse(Problem("is a folder", Place(str(file)), "name a file in it") for file in files if paths.is_dir(file))
    if force:
        return
    output_folders = [folder.resolve() for folder in (OUTPUT, *outputs)]
    existing = [
        file
        for file in files
        if paths.is_file(file) and not any(file.absolute().is_relative_to(folder) for folder in output_folders)
    ]
    if not existing:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise _already_there(existing)
    if not _user_agrees(existing):
        raise fault("nothing was written", hint="name another file or folder, or add --force")


def _already_there(files: Sequence[Path]) -> InputError:
    """The error that these files exist: one message, with the names of the first few."""
    if len(files) == 1:
        return fault("file already exists", Place(str(files[0])), "--force replaces it")
    names = ", ".join(map(str, files[:_MAX_NAMES]))
    more = f" and {len(files) - _MAX_NAMES} more" if len(files) > _MAX_NAMES else ""
    return fault(f"{len(files)} files already exist: {names}{more}", hint="--force replaces them")


def _user_agrees(files: Sequence[Path]) -> bool:
    for file in files[:_MAX_NAMES]:
        echo(f"{file} already exists.", err=True)
    if len(files) > _MAX_NAMES:
        echo(f"So do {len(files) - _MAX_NAMES} more files.", err=True)
    return click.confirm("Replace it?" if len(files) == 1 else "Replace them?", default=False, err=True)


def show_qr(text: str) -> None:
    """Draws a QR code in the terminal; elsewhere nothing, because only characters of a terminal are square enough."""
    if sys.stderr.isatty():
        qr_code(text, "m").terminal(sys.stderr, compact=True)


def qr_code(text: str, level: str) -> Any:
    """A QR code of segno with a level of error correction."""
    import segno  # few commands draw QR codes

    return segno.make(text, error=level, micro=False)


def open_in_viewer(path: Path) -> None:
    """Opens a file or a folder with the system's viewer."""
    try:
        failed = click.launch(str(path))
    except OSError:
        failed = 1
    if failed:
        raise fault("cannot be opened: no viewer found", Place(escaped(str(path))), "open it by hand")
