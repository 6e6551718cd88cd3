"""A sheet on which nothing is written yet: YAML to type into, every part of it with what it is and what it may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from textwrap import wrap

from ..errors import InputError, Problem, fault
from .shapes import MANY, Form, Shape
from .typed_lines import LineError, Plain, plain
from .writing import flow, scalar

_COMMENT = 29
_WIDTH = 118
_LINES = 3
"""Blank lines that a list begins with."""


def blank(form: Form, players: Sequence[str] = (), beside: str = "") -> str:
    """The file, with the players' names where the sheet has a place for them; `beside` is what the command line has to
    say besides the file. Raises InputError for names that the sheet cannot take."""
    _refuse(form, players)
    title = f"{form.game.title}, {form.sheet.definition.title}"
    lines = [
        f"# {title}. Type what is written on the paper; a dot is a blank.",
        f"# Lines of a list may be copied and left out. Then: pencilbox score FILE{beside}",
        "",
    ]
    lines += [f"{key}: {scalar(value)}" for key, value in form.heading.items()]
    lines += chain.from_iterable(map(_aligned, _Blank(form, tuple(players)).lines()))
    return "".join(f"{line}\n" for line in lines)


def _refuse(form: Form, players: Sequence[str]) -> None:
    problems = [Problem("two players have the same name")] * (len({name.casefold() for name in players}) < len(players))
    problems += [Problem("a player's name is missing")] * ("" in players)
    place = _place(form)
    if players and place is None:
        raise fault(f"{form.sheet.definition.title} of {form.game.title} has no place for players' names")
    if place and len(players) > place.most:
        problems.append(Problem(f"{len(players)} players, but there is room for {place.most} on the sheet"))
    if problems:
        raise InputError(problems)


def _place(form: Form) -> Shape | None:
    """The part of the sheet with the players' names: a group of each of them, a row, or the name of the only one."""
    listed_by = sorted({part.by for shape in form.shapes for part in (shape, *shape.inner) if part.by})
    wanted = [form.sheet.definition.players or "players", *listed_by, "player", "name"]
    return next((shape for key in wanted for shape in form.shapes if shape.key == key), None)


class _Blank:
    """Writes part after part; what a list's parts are is told once."""

    def __init__(self, form: Form, players: tuple[str, ...]) -> None:
        self.form, self.players = form, players
        self.place = _place(form)
        self.told: dict[tuple[tuple[str, str], ...], str] = {}

    def lines(self) -> Iterator[str]:
        last = {shape.key: shape for shape in self.form.shapes}  # of two parts with one key, the one with more to it
        for shape in last.values():
            yield from self.part(shape, shape.key, "")

    def part(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        if shape is self.place and self.players:
            yield from self._named(shape, path, indent)
        elif shape.extra or shape.kind == "named" or (shape.kind == "list" and shape.key in self.form.reading.extra):
            yield from self._beside(shape, path, indent)
        elif shape.kind == "list":
            yield from self._list(shape, path, indent)
        elif shape.kind == "grid":
            yield from self._grid(shape, indent)
        elif shape.kind == "group":
            yield from self._group(shape, path, indent)
        else:
            yield _line(f"{indent}{shape.key}:{' []' * (shape.kind == 'row')}", about(shape))

    def _named(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        if shape.kind == "list":
            yield from self._list(shape, path, indent)
        else:
            typed = flow(list(self.players)) if shape.kind == "row" else scalar(self.players[0])
            yield _line(f"{indent}{shape.key}: {typed}", about(shape))

    def _beside(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        """What its game reads by itself stands as a comment."""
        if shape.kind == "list" and not shape.extra:
            yield from self._key(shape, path, indent)
            yield f"{indent}#   - {entry(shape)}"
            yield f"{indent}{shape.key}:"
            return
        yield from _comment(
            f"{shape.key}: {shape.tip or 'only where it is wanted'}" + (", such as" if shape.example else ""), indent
        )
        yield from _comment(example(shape), indent) if shape.example else ()
        yield f"{indent}{shape.key}:"

    def _grid(self, shape: Shape, indent: str) -> Iterator[str]:
        yield _line(f"{indent}{shape.key}:", "; ".join(filter(None, (about(shape), "the top row first"))))
        yield from [f'{indent}  - "{" ".join("." * shape.across)}"'] * (len(shape.inner) // shape.across)

    def _group(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        if not shape.line:
            yield _line(f"{indent}{shape.key}:", shape.tip)
            for part in shape.inner:
                yield from self.part(part, f"{path}.{part.key}", indent + "  ")
            return
        yield from self._key(shape, path, indent)
        yield f"{indent}{shape.key}: {entry(shape)}"

    def _list(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        names = self.players if shape.by or shape is self.place else ()
        if shape.line:
            yield from self._key(shape, path, indent)
            yield from self._short_list(shape, names, indent)
            return
        yield _line(f"{indent}{shape.key}:", about(shape))
        for name in names or ("",) * self._blanks(shape):
            yield from self._long_entry(shape, path, name, indent + "  ")

    def _short_list(self, shape: Shape, names: tuple[str, ...], indent: str) -> Iterator[str]:
        if shape.by and not names:
            yield _line(f"{indent}{shape.key}: {{}}", f"for each of the {shape.by}, such as Ann: {entry(shape)}")
            return
        yield f"{indent}{shape.key}:"
        for name in names or ("",) * self._blanks(shape):
            yield f"{indent}  " + (f"{scalar(name)}: {entry(shape)}" if shape.by else f"- {entry(shape, name)}")

    def _long_entry(self, shape: Shape, path: str, name: str, indent: str) -> Iterator[str]:
        found = [line for part in shape.inner for line in self.part(part, f"{path}.{part.key}", "")]
        if shape.by:
            yield f"{indent}{scalar(name) if name else 1}:"
            yield from (f"{indent}  {line}" for line in found)
            return
        if name:
            place = next(number for number, line in enumerate(found) if line.startswith("name:"))
            found[place] = found[place].replace("name:", f"name: {scalar(name)}", 1)
        first = next(number for number, line in enumerate(found) if not line.startswith("#"))
        yield from (f"{indent}{line}" for line in found[:first])
        yield f"{indent}- {found[first]}"
        yield from (f"{indent}  {line}" for line in found[first + 1 :])

    def _blanks(self, shape: Shape) -> int:
        if shape is self.place:
            return max(1, min(self.form.game.definition.players.low, shape.most))
        return min(shape.most, _LINES) if shape.line else 1

    def _key(self, shape: Shape, path: str, indent: str) -> Iterator[str]:
        """What the parts of a line are."""
        rows = tuple(parts(shape))
        if rows in self.told:
            if self.told[rows] != path:
                yield f"{indent}# {shape.key}: as {self.told[rows].rpartition('.')[2]}"
            return
        self.told[rows] = path
        yield from _comment(f"{shape.key}: {about(shape)}".rstrip(": ") + ":" * (not about(shape)), indent)
        width = max(len(key) for key, _ in rows)
        for key, says in rows:
            yield from _comment(f"  {key:<{width}}  {says}", indent)
        rare = [part.key for part in shape.inner if not part.paper]
        if rare:
            yield from _comment(f"  and where they are wanted: {', '.join(rare)}", indent)


def parts(shape: Shape, path: str = "") -> Iterator[tuple[str, str]]:
    """The parts of a line, those of its groups included, each with what it is."""
    for part in shape.inner:
        if part.paper and part.kind == "group":
            yield from parts(part, f"{path}{part.key}.")
        elif part.paper:
            yield path + part.key, about(part)


def entry(shape: Shape, name: str = "") -> str:
    """One entry on a line, with nothing in it but the name."""
    made: dict[str, Plain] = {part.key: _nothing(part) for part in shape.inner if part.paper}
    if name:
        made["name"] = name
    return flow(made)


def _nothing(shape: Shape) -> Plain:
    if shape.kind == "row":
        return []
    return {part.key: _nothing(part) for part in shape.inner if part.paper} if shape.kind == "group" else "."


def example(shape: Shape) -> str:
    """The example of a part as it stands in a file."""
    text = shape.example.split(", or ")[0]
    try:
        if shape.kind == "named":
            return f"{shape.key}: {flow({'Ann': plain(shape.inner[0], text) or ''})}"
        one = plain(_one(shape), text) or ""
    except LineError:
        return f"{shape.key}: {text}"
    return f"{shape.key}: [{flow(one)}]" if shape.kind == "list" else f"{shape.key}: {flow(one)}"


def _one(shape: Shape) -> Shape:
    return replace(shape, kind="group", by="") if shape.kind == "list" else shape


def about(shape: Shape) -> str:
    """What a part is and what it may be."""
    if shape.kind == "row" and shape.tick:
        says = f"the numbers of those that are ticked, 1 to {shape.most}"
    else:
        says = ", each ".join(filter(None, (_many(shape), shape.wanted)))
    return "; ".join(filter(None, (shape.tip, says)))


def _many(shape: Shape) -> str:
    if shape.kind not in ("row", "list") or not 1 < shape.most < MANY:
        return ""
    return f"one for each of the {shape.by}" if shape.by else f"up to {shape.most}"


def _comment(text: str, indent: str) -> Iterator[str]:
    lead = " " * (len(text) - len(text.lstrip()))
    for number, line in enumerate(wrap(text.strip(), _WIDTH - len(indent) - len(lead) - 2)):
        yield f"{indent}# {lead}{'  ' if number else ''}{line}"


def _line(text: str, comment: str) -> str:
    """A line with what is to be said of it behind."""
    if not comment:
        return text
    return f"{text:<{_COMMENT - 2}}  # {comment}"


def _aligned(line: str) -> Iterator[str]:
    """The line with its comment where all comments stand, or above it where there is no room."""
    text, mark, comment = line.rpartition("  # ")
    if not mark or line.lstrip().startswith("#"):
        yield line
    elif max(len(text.rstrip()), _COMMENT) + len(comment) > _WIDTH:
        yield from _comment(comment, " " * (len(text) - len(text.lstrip())))
        yield text.rstrip()
    else:
        yield _line(text.rstrip(), comment)
