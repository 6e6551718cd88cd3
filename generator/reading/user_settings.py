"""Settings: defaults from `pencilbox.toml` in the working folder and from the user's configuration file.

The command line comes first, then the file in the working folder, then the user's file, then the built-in default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from .. import paths
from ..errors import InputError, Place, Problem, collecting, did_you_mean, fault, refuse, shortened
from .sizes import Paper, paper, printer_margin

FOLDER_FILE = "pencilbox.toml"
DUPLEX = ("long", "short", "gutterfold", "none")
_MAX_BYTES = 16_000
# Dots in a line. No key here has any; tomllib takes a gigabyte for one with 20,000.
_MAX_DOTS = 20


class UserSetting(Struct, frozen=True):
    """The value of a key, and the file and line that set it; None for a default."""

    value: Any
    place: Place | None = None


def _papers(value: object) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise fault('must be a paper such as "a4", or a list of them')
    return tuple(paper(name).name for name in names)


def _duplex(value: object) -> str:
    if value not in DUPLEX:
        raise fault(f"must be one of {', '.join(DUPLEX)}")
    return str(value)


def _margin(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise fault('must be a length such as 5 or "0.25in"')
    return printer_margin(str(value))


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise fault("must be true or false")
    return value


def _printer(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise fault('must be the name of a printer that you have calibrated, such as "office"')
    return value


def _output(value: object) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise fault('must be a folder such as "output"')
    try:
        return Path(value).expanduser()
    except RuntimeError:  # of a user who does not exist
        return Path(value)


def _folder_output(value: object) -> Path:
    """A folder for output in the settings of the working folder, which may be anyone's: it must be inside."""
    folder = _output(value)
    if paths.within(Path(), str(folder)) is None:
        hint = f"set it in your own file, {user_file()}, or choose the folder with -o"
        raise fault("is outside this folder", hint=hint)
    return folder


# How each key is read, and its default. Without `duplex` or `printer_margin`, each game uses its own; without a
# `printer`, backs are not corrected.
_KEYS: Mapping[str, tuple[Callable[[object], Any], Any]] = MappingProxyType(
    {
        "paper": (_papers, ("a4",)),
        "duplex": (_duplex, None),
        "printer_margin": (_margin, None),
        "printer": (_printer, None),
        "low_ink": (_switch, False),
        "high_contrast": (_switch, False),
        "large_print": (_switch, False),
        "output": (_output, Path("output")),
    }
)


def user_file() -> Path:
    """The user's configuration file, such as ~/.config/pencilbox/config.toml."""
    return paths.user_config() / "config.toml"


def settings() -> dict[str, UserSetting]:
    """Every key with its value. Raises InputError with the problems of both files."""
    current = {key: UserSetting(default) for key, (_, default) in _KEYS.items()}
    problems: list[Problem] = []
    readers = {key: read for key, (read, _) in _KEYS.items()}
    for file, keys in ((user_file(), readers), (Path(FOLDER_FILE), readers | {"output": _folder_output})):
        with collecting(problems):
            table, lines = read_toml(file)
            places = {key: Place(str(file), line_of(lines, key)) for key in table}
            checked = checked_table(table, keys, places)
            for key, value in checked.items():
                current[key.replace("-", "_")] = UserSetting(value, places[key])
    refuse(problems)
    return current


def usual_paper(name: str | None) -> Paper:
    """The paper of this name, or else the first one in the settings."""
    return paper(name or settings()["paper"].value[0])


# ---- TOML files


def read_toml(file: Path) -> tuple[dict[str, Any], list[str]]:
    """The content and the lines of a TOML file; both are empty if it does not exist. Raises InputError."""
    place = Place(str(file))
    try:
        if not paths.is_file(file):
            if file.exists():
                raise fault("is not a file", place)
            return {}, []
        if file.stat().st_size > _MAX_BYTES:
            raise fault(f"is larger than {_MAX_BYTES:,} bytes", place)
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise fault(f"cannot be read: {reason.lower()}", place) from error
    lines = text.splitlines()
    return _toml(text, lines, file), lines


def _toml(text: str, lines: Sequence[str], file: Path) -> dict[str, Any]:
    import tomllib  # only needed if there is a file

    for number, content in enumerate(lines, start=1):
        if content.partition("#")[0].count(".") > _MAX_DOTS:
            raise fault("too many dots", Place(str(file), number))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a ValueError also for an integer of more than 4,300 digits
        match = re.search(r"^(.*) \(at line (\d+), column \d+\)$", str(error), re.DOTALL)
        message, line = (match[1], int(match[2])) if match else ("brackets too deep, or a number too long", 0)
        place = Place(str(file), line)
        raise fault(f"not readable as TOML: {message[:1].lower()}{shortened(message[1:], 100)}", place) from error


def checked_table(
    table: Mapping[str, object], keys: Mapping[str, Callable[[object], Any]], places: Mapping[str, Place]
) -> dict[str, Any]:
    """The values of a table, each read by the function of its key, which may have dashes. Raises InputError with every
    unknown key and wrong value."""
    values, problems = {}, []
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in keys:
            problems.append(Problem(f"unknown key “{shortened(key)}”", places[key], did_you_mean(key, keys)))
            continue
        try:
            values[key] = keys[name](value)
        except InputError as error:
            problems += [
                Problem(f"“{key}”: {problem.message}", places[key], problem.hint) for problem in error.problems
            ]
    refuse(problems)
    return values


def line_of(lines: Sequence[str], key: str, start: int = 0) -> int:
    """The number of the first line after `start` lines that sets a key, which tomllib does not report; 0 if none
    does."""
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    return next((number for number, line in enumerate(lines[start:], start + 1) if pattern.match(line)), 0)
