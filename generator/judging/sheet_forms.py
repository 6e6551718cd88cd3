"""Forms of score sheets: blank ones as YAML files to type into, with comments that explain every part, and filled-in
ones as flat marks, the text of each field by its id, as a form in a browser or a PDF has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from textwrap import wrap
from typing import Any

from msgspec import Struct, field

from .. import limits, nodes
from ..errors import Place, Problem, fault, refuse
from ..nodes import Scalar
from ..sheets import Document
from ..sheets.marks import LineError, written
from ..sheets.parts import UNLIMITED, SheetPart
from ..sheets.typed_lines import Plain, Rows, flow, plain, scalar
from ..spelling import bare, comparable, joined
from .judge import SheetView
from .questions import BlankForm

_COMMENT = 29
_WIDTH = 118
_BLANK_LINES = 3  # lines that a list starts with
BLANK = "."


def blank(form: BlankForm, players: Sequence[str] = (), options: str = "") -> str:
    """The text of a blank sheet, with the players' names if the sheet has a place for them; `options` is what
    `pencilbox score FILE` needs besides the file. Raises InputError for names that do not fit on the sheet."""
    _check_players(form, players)
    title = f"{form.game.title}, {form.sheet.definition.title}"
    lines = [
        f"# {title}. Type what is on the paper; a dot is a blank.",
        f"# Copy or delete lines of a list as you need. Then run: pencilbox score FILE{options}",
        *(
            [f"# For another sheet: pencilbox new-sheet {form.game.key} --sheet {joined(form.other_sheets, 'or')}"]
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


def is_for_one_player(form: BlankForm) -> bool:
    """Whether every player fills in a sheet of their own, so that each gets a file."""
    return form.players is not None and form.players.most == 1


def own_name(form: BlankForm) -> str:
    """The field with the player’s name on a sheet that each player has; empty for a sheet of all players."""
    if form.players is None or (is_for_one_player(form) and form.players.kind == "mark"):
        return form.players.path if form.players else ""
    return f"{form.players.path}.1" if form.players.spec.count == 1 else ""


def file_per_player(file: Path, players: Sequence[str]) -> tuple[Path, ...]:
    """A file for each player beside this one: `upwards.yaml` → `upwards-ann.yaml`, `upwards-ben.yaml`. Raises
    InputError for names that would give the same file."""
    slugs = [re.sub(r"[^\w]+", "-", name.lower()).strip("-") or str(n) for n, name in enumerate(players, 1)]
    if len(set(slugs)) < len(slugs):
        raise fault("two players would get the same file", hint="give them different names")
    return tuple(file.with_name(f"{file.stem}-{slug}{file.suffix}") for slug in slugs)


def _check_players(form: BlankForm, players: Sequence[str]) -> None:
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
    refuse(problems)


class _BlankSheet:
    """Writes a sheet part by part; the parts of a list entry are explained once."""

    def __init__(self, form: BlankForm, players: tuple[str, ...]) -> None:
        self.form, self.players = form, players
        self.explained: dict[tuple[tuple[str, str], ...], str] = {}

    def lines(self) -> Iterator[str]:
        last = {part.key: part for part in self.form.asked}  # of two parts with one key, the fuller one
        for part in last.values():
            yield from self._part(part, part.key, "")

    def _part(self, part: SheetPart, path: str, indent: str) -> Iterator[str]:
        if part.extra or part.kind == "named" or (part.kind == "list" and part.key in self.form.reading.extra):
            yield from self._extra(part, path, indent)
        elif part.kind == "list":
            yield from self._list(part, path, indent)
        elif part.kind == "grid":
            yield from self._grid(part, indent)
        elif part.kind == "group":
            yield from self._group(part, path, indent)
        else:
            names = self.players if part is self.form.players else ()
            text = flow([*names]) if part.kind == "row" else scalar(names[0]) if names else ""
            yield _line(f"{indent}{part.key}: {text}".rstrip(), describe(part))

    def _extra(self, part: SheetPart, path: str, indent: str) -> Iterator[str]:
        """A part that only its game reads: its example is a comment."""
        if part.kind == "list" and not part.extra:
            yield from self._explanation(part, path, indent)
            yield f"{indent}#   - {entry(part)}"
            yield f"{indent}{part.key}:"
            return
        example_follows = ", for example:" if part.examples else ""
        yield from _comment(f"{part.key}: {part.tip or 'optional'}{example_follows}", indent)
        yield from _comment(example(part), indent) if part.examples else ()
        yield f"{indent}{part.key}:"

    def _grid(self, part: SheetPart, indent: str) -> Iterator[str]:
        yield _line(f"{indent}{part.key}:", "; ".join(filter(None, (describe(part), "the top row first"))))
        across = part.spec.across or 1
        yield from [f'{indent}  - "{" ".join("." * across)}"'] * (len(part.inner) // across)

    def _group(self, part: SheetPart, path: str, indent: str) -> Iterator[str]:
        if not part.is_on_a_line:
            yield _line(f"{indent}{part.key}:", part.tip)
            for inner in part.inner:
                yield from self._part(inner, f"{path}.{inner.key}", indent + "  ")
            return
        yield from self._explanation(part, path, indent)
        yield f"{indent}{part.key}: {entry(part)}"

    def _list(self, part: SheetPart, path: str, indent: str) -> Iterator[str]:
        names = self.players if part.by or part is self.form.players else ()
        if part.is_on_a_line:
            yield from self._explanation(part, path, indent)
            yield from self._short_entries(part, names, indent)
            return
        yield _line(f"{indent}{part.key}:", describe(part))
        for name in names or ("",) * self._blanks(part):
            yield from self._long_entry(part, path, name, indent + "  ")

    def _short_entries(self, part: SheetPart, names: tuple[str, ...], indent: str) -> Iterator[str]:
        if part.by and not names:
            yield _line(f"{indent}{part.key}: {{}}", f"one for each {_one_of(part.by)}, such as Ann: {entry(part)}")
            return
        yield f"{indent}{part.key}:"
        for name in names or ("",) * self._blanks(part):
            yield f"{indent}  " + (f"{scalar(name)}: {entry(part)}" if part.by else f"- {entry(part, name)}")

    def _long_entry(self, part: SheetPart, path: str, name: str, indent: str) -> Iterator[str]:
        lines = [line for part in part.inner for line in self._part(part, f"{path}.{part.key}", "")]
        if part.by:
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

    def _blanks(self, part: SheetPart) -> int:
        if part is self.form.players:
            return max(1, min(self.form.game.players.low, part.most))
        return min(part.most, _BLANK_LINES) if part.is_on_a_line else 1

    def _explanation(self, part: SheetPart, path: str, indent: str) -> Iterator[str]:
        """What each part of a line means."""
        rows = tuple(parts(part))
        if rows in self.explained:
            if self.explained[rows] != path:
                yield f"{indent}# {part.key}: the same as {self.explained[rows].rpartition('.')[2]}"
            return
        self.explained[rows] = path
        about = describe(part)
        yield from _comment(f"{part.key}: {about}" if about else f"{part.key}:", indent)
        width = max((len(key) for key, _ in rows), default=0)
        for key, text in rows:
            yield from _comment(f"  {key:<{width}}  {text}", indent)
        if optional := [part.key for part in part.inner if not part.paper]:
            yield from _comment(f"  optional: {', '.join(optional)}", indent)


def parts(part: SheetPart, path: str = "") -> Iterator[tuple[str, str]]:
    """The parts of a line, including those of its groups, each with its description."""
    for inner in part.inner:
        if inner.paper and inner.kind == "group":
            yield from parts(inner, f"{path}{inner.key}.")
        elif inner.paper:
            yield path + inner.key, describe(inner)


def entry(part: SheetPart, name: str = "") -> str:
    """A blank entry on one line, with only the name filled in."""
    values: dict[str, Plain] = {part.key: _blank_value(part) for part in part.inner if part.paper}
    if name:
        values["name"] = name
    return flow(values)


def _blank_value(part: SheetPart) -> Plain:
    if part.kind == "row":
        return []
    return {part.key: _blank_value(part) for part in part.inner if part.paper} if part.kind == "group" else "."


def example(part: SheetPart) -> str:
    """The example of a part as it would stand in a file."""
    text = part.examples[0]
    try:
        if part.kind == "named":
            return f"{part.key}: {flow({'Ann': plain(part.inner[0], text) or ''})}"
        value = plain(part.single if part.kind == "list" else part, text) or ""
    except LineError:
        return f"{part.key}: {text}"
    return f"{part.key}: [{flow(value)}]" if part.kind == "list" else f"{part.key}: {flow(value)}"


def describe(part: SheetPart) -> str:
    """What a part is and what may be typed there."""
    if part.kind == "row" and part.tick:
        numbers = f"The numbers of the ticked boxes, 1 to {part.most}"
        return ". On paper: ".join(filter(None, (numbers, part.tip)))
    expected = "" if part.expected in part.tip else part.expected
    values = ", each ".join(filter(None, (_how_many(part), expected)))
    return "; ".join(filter(None, (part.tip, values)))


def _how_many(part: SheetPart) -> str:
    if part.kind not in ("row", "list") or not 1 < part.most < UNLIMITED:
        return ""
    return f"one for each {_one_of(part.by)}" if part.by else f"up to {part.most}"


def _one_of(row: str) -> str:
    """What an entry of a row is called: `player` for `players`."""
    return row.replace("_", " ").removesuffix("s")


def _comment(text: str, indent: str) -> Iterator[str]:
    lead = " " * (len(text) - len(text.lstrip()))
    for number, line in enumerate(wrap(text.strip(), _WIDTH - len(indent) - len(lead) - 2)):
        yield f"{indent}# {lead}{'  ' if number else ''}{line}"


def _line(text: str, comment: str) -> str:
    """A line followed by a comment."""
    return f"{text:<{_COMMENT - 2}}  # {comment}" if comment else text


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


class FlatSheet(Struct):
    """The `marks` of a sheet by field id, and its `extra` parts, which are not on paper, as they would be typed in a
    file. A tick is `x`, a field that says that it is blank `.`."""

    marks: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def is_blank(self) -> bool:
        return not any(self.marks.values()) and not self.extra


def flattened(view: SheetView, document: Document) -> FlatSheet:
    """A sheet that was read, and the document it was read from, as flat marks. A group that has only a 0 has it in its
    first text."""
    filled = view.filled
    form, fields = BlankForm(view.judge.game, filled.sheet, view.rules, ""), filled.sheet.definition.fields
    marks = {name: BLANK for name in filled.blanks if name in filled.sheet.fields}
    for name, value in filled.marks.items():
        part = _part(form.reader.whole, name) if value == 0 else None
        words = [f"{name}.{inner.key}" for inner in part.inner if inner.words] if part and part.spec.zero else []
        marks[[*words, name][0]] = filled.written(name)
    extra = {
        key: _as_typed(value)
        for typed_key, value in document.data.items()
        for key in form.reading.extra
        if bare(str(typed_key)) == bare(key) and key in filled.extra
        if key not in fields or isinstance(value, (list, dict))
    }
    return FlatSheet({name: text for name, text in marks.items() if text}, extra)


def _as_typed(value: Any, depth: int = 0) -> Any:
    """Nodes or plain data as texts, lists and mappings. Raises InputError for data nested too deeply."""
    if depth > limits.YAML_DEPTH:
        raise fault(f"nested more than {limits.YAML_DEPTH} levels deep")
    if isinstance(value, dict):
        return {str(key): _as_typed(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_typed(inner, depth + 1) for inner in value]
    return str(value) if type(value) in (int, float) else written(value) or BLANK


def _part(parts: SheetPart, name: str) -> SheetPart | None:
    part: SheetPart | None = parts
    for step in name.split("."):
        if part and not (step.isdecimal() and part.kind in ("list", "row")):
            part = next((inner for inner in part.inner if inner.key == step and not inner.extra), None)
    return part


def document(form: BlankForm, sheet: FlatSheet, file: str) -> Document:
    """The sheet as a document. The line of a mark is its number among the marks, from 1, so that problems lead to it;
    everything else is on line 0."""
    whole = Place(file)
    pairs = [(Scalar(key, whole), Scalar(text, whole)) for key, text in form.heading.items()]
    for number, (name, text) in enumerate(_with_zeros(form, sheet.marks), 1):
        place = Place(file, number)
        pairs.append((Scalar(name, place), Scalar(text, place, text != BLANK)))
    extra: Any = [(Scalar(key, whole), nodes.from_plain(_as_typed(value), whole)) for key, value in sheet.extra.items()]
    return Document(nodes.Mapping([*pairs, *extra], whole), whole)


def _with_zeros(form: BlankForm, marks: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The marks, with the id of the group for a 0 that is all that a group has."""
    for name, text in marks.items():
        group, _, key = name.rpartition(".")
        part = _part(form.reader.whole, group) if text == "0" and key else None
        inner = part.by_key.get(key) if part and part.spec.zero else None
        alone = not any(other.startswith(f"{group}.") for other in marks if other != name)
        yield (group if inner and inner.words and alone else name), text


# ---- as a file that a person would type


def typed(form: BlankForm, sheet: FlatSheet) -> dict[str, Plain]:
    """The sheet as the document of a file, with lists, rows and groups."""
    everything = dict(_with_zeros(form, sheet.marks))
    marks = {name: text for name, text in everything.items() if _part(form.reader.whole, name)}
    parts = [part for part in form.parts if not part.extra]
    written: dict[str, Plain] = dict(form.heading)
    for part in parts:
        if part.key in sheet.extra and part.kind == "ticks":
            written |= {name: text for name, text in marks.items() if name.startswith(f"{part.key}.")}
        elif (value := _typed(part, part.key, marks)) is not None:
            written[part.key] = value
    unknown = {name: text for name, text in everything.items() if name not in marks}
    return written | unknown | {key: _as_typed(value) for key, value in sheet.extra.items()}


def _typed(part: SheetPart, name: str, marks: Mapping[str, str]) -> Plain | None:
    if name in marks:
        return marks[name]
    if not any(other.startswith(f"{name}.") for other in marks):
        return None
    if part.kind == "grid":
        across, texts = part.spec.across or 1, [marks.get(f"{name}.{box.key}", BLANK) for box in part.inner]
        return Rows([" ".join(texts[start : start + across]) for start in range(0, len(texts), across)])
    if part.kind in ("row", "list"):
        return _listed(part, name, marks)
    inner = {each.key: value for each in part.inner if (value := _typed(each, f"{name}.{each.key}", marks)) is not None}
    return list(inner) if part.kind == "ticks" and set(inner.values()) == {"x"} else inner


def _listed(part: SheetPart, name: str, marks: Mapping[str, str]) -> Plain:
    """A row of marks, the numbers of ticked boxes, or the entries of a list."""
    numbers = _numbers(name, marks)
    if part.kind == "row" and part.tick:
        return [str(number) for number in numbers]
    entries = {number: _typed(part.single, f"{name}.{number}", marks) or {} for number in numbers}
    if part.by:
        names = [marks.get(f"{part.by}.{number}", "") for number in numbers]
        keys = names if all(names) and len(set(map(comparable, names))) == len(names) else map(str, numbers)
        return dict(zip(keys, entries.values(), strict=True))
    return [entries.get(number, BLANK if part.kind == "row" else {}) for number in range(1, numbers[-1] + 1)]


def _numbers(name: str, marks: Mapping[str, str]) -> list[int]:
    """The numbers of the entries with marks."""
    depth = name.count(".") + 1
    return sorted({int(other.split(".")[depth]) for other in marks if other.startswith(f"{name}.")})
