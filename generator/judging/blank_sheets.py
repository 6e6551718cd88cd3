"""Blank score sheets: YAML files to type into, with comments that explain every part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from textwrap import wrap

from msgspec.structs import replace

from ..errors import InputError, Problem, fault
from ..spelling import either
from .shapes import MANY, Form, Shape
from .typed_lines import LineError, Plain, plain
from .writing import flow, scalar

_COMMENT = 29
_WIDTH = 118
_BLANK_LINES = 3
"""Lines that a list starts with."""


def blank(form: Form, players: Sequence[str] = (), options: str = "") -> str:
    """The text of a blank sheet, with the players' names if the sheet has a place for them; `options` is what
    `pencilbox score FILE` needs besides the file. Raises InputError for names that do not fit on the sheet."""
    _check_players(form, players)
    title = f"{form.game.title}, {form.sheet.definition.title}"
    lines = [
        f"# {title}. Type what is on the paper; a dot is a blank.",
        f"# Copy or delete lines of a list as you need. Then run: pencilbox score FILE{options}",
        *(
            [f"# For another sheet: pencilbox new-sheet {form.game.key} --sheet {either(form.other_sheets)}"]
            if form.other_sheets
            else []
        ),
        "",
    ]
    lines += [
        _line(f"{key}: {scalar(value)}", "" if key == "game" else "Which score sheet this is")
        for key, value in form.heading.items()
    ]
    lines += chain.from_iterable(map(_aligned, _BlankSheet(form, tuple(players)).lines()))
    return "".join(f"{line}\n" for line in lines)


def is_for_one_player(form: Form) -> bool:
    """Whether every player fills in a sheet of their own, so that each gets a file."""
    return form.players is not None and form.players.most == 1


def file_per_player(file: Path, players: Sequence[str]) -> tuple[Path, ...]:
    """A file for each player beside this one: `upwards.yaml` → `upwards-ann.yaml`, `upwards-ben.yaml`. Raises
    InputError for names that would give the same file."""
    slugs = [re.sub(r"[^\w]+", "-", name.lower()).strip("-") or str(n) for n, name in enumerate(players, 1)]
    if len(set(slugs)) < len(slugs):
        raise fault("two players would get the same file", hint="give them different names")
    return tuple(file.with_name(f"{file.stem}-{slug}{file.suffix}") for slug in slugs)


def _check_players(form: Form, players: Sequence[str]) -> None:
    problems = []
    if len({name.casefold() for name in players}) < len(players):
        problems.append(Problem("two players have the same name"))
    if "" in players:
        problems.append(Problem("a player’s name is missing"))
    title = f"{form.sheet.definition.title} of {form.game.title}"
    if players and form.players is None:
        raise fault(f"{title} has no place for players’ names")
    if form.players and len(players) > form.players.most:
        room = "one player" if form.players.most == 1 else f"up to {form.players.most} players"
        problems.append(Problem(f"{title} is for {room}, but {len(players)} names were given"))
    if problems:
        raise InputError(problems)


class _BlankSheet:
    """Writes a sheet part by part; the parts of a list entry are explained once."""

    def __init__(self, form: Form, players: tuple[str, ...]) -> None:
        self.form, self.players = form, players
        self.explained: dict[tuple[tuple[str, str], ...], str] = {}

    def lines(self) -> Iterator[str]:
        last = {shape.key: shape for shape in self.form.shapes}  # of two parts with one key, the fuller one
        for shape in last.values():
            yield from self._part(shape, shape.key, "")

    def _part(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        if shape is self.form.players and self.players:
            yield from self._player_names(shape, path, indent)
        elif shape.extra or shape.kind == "named" or (shape.kind == "list" and shape.key in self.form.reading.extra):
            yield from self._extra(shape, path, indent)
        elif shape.kind == "list":
            yield from self._list(shape, path, indent)
        elif shape.kind == "grid":
            yield from self._grid(shape, indent)
        elif shape.kind == "group":
            yield from self._group(shape, path, indent)
        else:
            yield _line(f"{indent}{shape.key}:{' []' * (shape.kind == 'row')}", describe(shape))

    def _player_names(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        if shape.kind == "list":
            yield from self._list(shape, path, indent)
        else:
            names = flow(list(self.players)) if shape.kind == "row" else scalar(self.players[0])
            yield _line(f"{indent}{shape.key}: {names}", describe(shape))

    def _extra(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        """A part that only its game reads: its example is a comment."""
        if shape.kind == "list" and not shape.extra:
            yield from self._explanation(shape, path, indent)
            yield f"{indent}#   - {entry(shape)}"
            yield f"{indent}{shape.key}:"
            return
        example_follows = ", for example:" if shape.examples else ""
        yield from _comment(f"{shape.key}: {shape.tip or 'optional'}{example_follows}", indent)
        yield from _comment(example(shape), indent) if shape.examples else ()
        yield f"{indent}{shape.key}:"

    def _grid(self, shape: Shape, indent: str) -> Iterator[str]:
        yield _line(f"{indent}{shape.key}:", "; ".join(filter(None, (describe(shape), "the top row first"))))
        yield from [f'{indent}  - "{" ".join("." * shape.across)}"'] * (len(shape.inner) // shape.across)

    def _group(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        if not shape.line:
            yield _line(f"{indent}{shape.key}:", shape.tip)
            for part in shape.inner:
                yield from self._part(part, f"{path}.{part.key}", indent + "  ")
            return
        yield from self._explanation(shape, path, indent)
        yield f"{indent}{shape.key}: {entry(shape)}"

    def _list(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        names = self.players if shape.by or shape is self.form.players else ()
        if shape.line:
            yield from self._explanation(shape, path, indent)
            yield from self._short_entries(shape, names, indent)
            return
        yield _line(f"{indent}{shape.key}:", describe(shape))
        for name in names or ("",) * self._blanks(shape):
            yield from self._long_entry(shape, path, name, indent + "  ")

    def _short_entries(self, shape: Shape, names: tuple[str, ...], indent: str) -> Iterator[str]:
        if shape.by and not names:
            yield _line(f"{indent}{shape.key}: {{}}", f"one for each {_one_of(shape.by)}, such as Ann: {entry(shape)}")
            return
        yield f"{indent}{shape.key}:"
        for name in names or ("",) * self._blanks(shape):
            yield f"{indent}  " + (f"{scalar(name)}: {entry(shape)}" if shape.by else f"- {entry(shape, name)}")

    def _long_entry(self, shape: Shape, path: str, name: str, indent: str) -> Iterator[str]:
        lines = [line for part in shape.inner for line in self._part(part, f"{path}.{part.key}", "")]
        if shape.by:
            yield f"{indent}{scalar(name) if name else 1}:"
            yield from (f"{indent}  {line}" for line in lines)
            return
        if name:
            at = next(number for number, line in enumerate(lines) if line.startswith("name:"))
            lines[at] = lines[at].replace("name:", f"name: {scalar(name)}", 1)
        first = next(number for number, line in enumerate(lines) if not line.startswith("#"))
        yield from (f"{indent}{line}" for line in lines[:first])
        yield f"{indent}- {lines[first]}"
        yield from (f"{indent}  {line}" for line in lines[first + 1 :])

    def _blanks(self, shape: Shape) -> int:
        if shape is self.form.players:
            return max(1, min(self.form.game.players.low, shape.most))
        return min(shape.most, _BLANK_LINES) if shape.line else 1

    def _explanation(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        """What each part of a line means."""
        rows = tuple(parts(shape))
        if rows in self.explained:
            if self.explained[rows] != path:
                yield f"{indent}# {shape.key}: the same as {self.explained[rows].rpartition('.')[2]}"
            return
        self.explained[rows] = path
        about = describe(shape)
        yield from _comment(f"{shape.key}: {about}" if about else f"{shape.key}:", indent)
        width = max((len(key) for key, _ in rows), default=0)
        for key, text in rows:
            yield from _comment(f"  {key:<{width}}  {text}", indent)
        optional = [part.key for part in shape.inner if not part.paper]
        if optional:
            yield from _comment(f"  optional: {', '.join(optional)}", indent)


def parts(shape: Shape, path: str = "") -> Iterator[tuple[str, str]]:
    """The parts of a line, including those of its groups, each with its description."""
    for part in shape.inner:
        if part.paper and part.kind == "group":
            yield from parts(part, f"{path}{part.key}.")
        elif part.paper:
            yield path + part.key, describe(part)


def entry(shape: Shape, name: str = "") -> str:
    """A blank entry on one line, with only the name filled in."""
    values: dict[str, Plain] = {part.key: _blank_value(part) for part in shape.inner if part.paper}
    if name:
        values["name"] = name
    return flow(values)


def _blank_value(shape: Shape) -> Plain:
    if shape.kind == "row":
        return []
    return {part.key: _blank_value(part) for part in shape.inner if part.paper} if shape.kind == "group" else "."


def example(shape: Shape) -> str:
    """The example of a part as it would stand in a file."""
    text = shape.examples[0]
    try:
        if shape.kind == "named":
            return f"{shape.key}: {flow({'Ann': plain(shape.inner[0], text) or ''})}"
        value = plain(_as_entry(shape), text) or ""
    except LineError:
        return f"{shape.key}: {text}"
    return f"{shape.key}: [{flow(value)}]" if shape.kind == "list" else f"{shape.key}: {flow(value)}"


def _as_entry(shape: Shape) -> Shape:
    return replace(shape, kind="group", by="") if shape.kind == "list" else shape


def describe(shape: Shape) -> str:
    """What a part is and what may be typed there."""
    if shape.kind == "row" and shape.tick:
        numbers = f"The numbers of the ticked boxes, 1 to {shape.most}"
        return ". On paper: ".join(filter(None, (numbers, shape.tip)))
    expected = "" if shape.expected in shape.tip else shape.expected
    values = ", each ".join(filter(None, (_how_many(shape), expected)))
    return "; ".join(filter(None, (shape.tip, values)))


def _how_many(shape: Shape) -> str:
    if shape.kind not in ("row", "list") or not 1 < shape.most < MANY:
        return ""
    return f"one for each {_one_of(shape.by)}" if shape.by else f"up to {shape.most}"


def _one_of(row: str) -> str:
    """What an entry of a row is called: `player` for `players`."""
    return row.replace("_", " ").removesuffix("s")


def _comment(text: str, indent: str) -> Iterator[str]:
    lead = " " * (len(text) - len(text.lstrip()))
    for number, line in enumerate(wrap(text.strip(), _WIDTH - len(indent) - len(lead) - 2)):
        yield f"{indent}# {lead}{'  ' if number else ''}{line}"


def _line(text: str, comment: str) -> str:
    """A line followed by a comment."""
    if not comment:
        return text
    return f"{text:<{_COMMENT - 2}}  # {comment}"


def _aligned(line: str) -> Iterator[str]:
    """The line with its comment in the comments' column, or above the line if there is no room."""
    text, mark, comment = line.rpartition("  # ")
    if not mark or line.lstrip().startswith("#"):
        yield line
    elif max(len(text.rstrip()), _COMMENT) + len(comment) > _WIDTH:
        yield from _comment(comment, " " * (len(text) - len(text.lstrip())))
        yield text.rstrip()
    else:
        yield _line(text.rstrip(), comment)
