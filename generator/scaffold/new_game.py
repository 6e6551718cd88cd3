"""The files of a new game: commented definitions, a suggested declaration for each column, a copy of its table and of a
built-in face. Writes them into a new folder, completely or not at all, and copies examples."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from string import Template
from tempfile import mkdtemp

from msgspec import Struct

from .. import limits, paths
from ..errors import InputError, Place, did_you_mean, fault, shortened
from ..faces import Templates
from ..model import colours
from ..model.columns import COLUMN_TYPES, ColumnFile, roles_of, template_for
from ..model.game import Card, Component, ComponentFile, Game
from ..printing.pieces import box_capacity
from ..printing.signs import COLOURS, PALETTE, signs
from ..reading.card_tables import LISTS
from ..reading.load import load, shipped
from ..reading.sizes import paper
from ..reading.table_game import DEFAULT_LOOK, OTHER_FORMATS, TableLook, column_meanings, described
from ..tables.headings import folded
from .edits import edited_yaml

BLANK = (None, "", ".", "~", "null")
"""Values that a declared field reads as blank."""
_MAX_CHOICES = 8
_MAX_CHOICE_LENGTH = 24
# The roles of columns that are texts whatever they contain.
_PROSE = ("title", "front", "back", "rules", "flavour", "footer")
Content = str | Path
"""A text to write, or a file to copy."""
_NAME = re.compile(r"[^\W_][\w -]{0,59}(?<! )")
_DEVICE = re.compile(r"con|prn|aux|nul|(com|lpt)\d", re.IGNORECASE)  # names that Windows reserves for devices


def declarations(deck: Component) -> list[str]:
    """A line of YAML for each field of a deck: `cost: {kind: number, span: 1-4}`."""
    cards = list({card.id: card for card in deck.cards}.values())
    roles = {getattr(deck.columns, role): role for role in (*_PROSE, "image")}
    lines = []
    for name, heading in deck.columns.headings.items():
        texts = [str(value) for card in cards if (value := card.values[name]) not in BLANK]
        required = ", required: true" if len(texts) == len(cards) else ""
        key = name if folded(name) == folded(heading) else heading
        lines.append(f"{quoted(key)}: {{{_kind(texts, roles.get(name, ''))}{required}}}")
    return lines


def quoted(text: str) -> str:
    """A text as a YAML value, in quotation marks if it needs them."""
    if re.fullmatch(r"[^\W\d_]([\w \-’().]*[\w)])?", text) and text != "null":
        return text
    return json.dumps(text, ensure_ascii=False)


def _kind(texts: Sequence[str], role: str) -> str:
    """The kind that fits all texts, with its span or choices."""
    if role == "image":
        return "kind: image"
    if role in _PROSE or not texts:
        return "kind: text"
    numbers = [_number(text) for text in texts]
    if None not in numbers:
        whole = [int(number) for number in numbers if number is not None and number == int(number)]
        return f"kind: number, span: {min(whole)}-{max(whole)}" if len(whole) == len(numbers) else "kind: number"
    if all(map(colours.is_notation, texts)) and _fit("colour", texts):
        return "kind: colour"
    different = list(dict.fromkeys(texts))
    if len(different) == 2 and _fit("tick", texts):
        return "kind: tick"
    if all(re.fullmatch(r"\d{1,6}(-\d{1,6})?", text) for text in texts) and _fit("range", texts):
        return "kind: range"
    if len(different) <= min(_MAX_CHOICES, len(texts) // 2) and max(map(len, different)) <= _MAX_CHOICE_LENGTH:
        return f"kind: choice, choices: [{', '.join(map(quoted, different))}]"
    return "kind: text"


def _number(text: str) -> float | None:
    """A number that prints as it was typed; not `007` or `2.50`."""
    return float(text) if re.fullmatch(r"-?(0|[1-9]\d{0,8})(\.\d{0,5}[1-9])?", text) else None


def _fit(kind: str, texts: Sequence[str]) -> bool:
    """Whether a column of this type can hold the texts."""
    try:
        return all(COLUMN_TYPES[kind](text, ColumnFile()) is not None for text in texts)
    except ValueError:
        return False


PARTS = ("score-sheet", "booklet", "box")
"""What a new game can have besides cards."""
_STOCK = 0.3  # the thickness of a card in mm that the skeleton of game.yaml states
_SKELETON = paths.SHARED_DATA / "new"
# Names of files in a game's folder that its table cannot have.
_RESERVED = ("game.yaml", "theme.yaml", "low_ink.yaml", "high_contrast.yaml", "sheet.yaml", "filled.yaml")


class StartingTable(Struct, frozen=True):
    """The table that a new game starts from, as a game of its own."""

    game: Game
    look: TableLook = DEFAULT_LOOK

    @property
    def table(self) -> Path:
        assert self.game.table
        return self.game.table

    @property
    def deck(self) -> Component:
        return self.game.components["cards"]

    @property
    def cards(self) -> list[Card]:
        """The cards, without their copies."""
        return list({card.id: card for card in self.deck.cards}.values())

    @property
    def file(self) -> str:
        """The name of the table in the new folder."""
        return self.table.name if self.table.name.lower() not in _RESERVED else f"deck{self.table.suffix}"


def source(table: str | None, look: TableLook = DEFAULT_LOOK) -> StartingTable:
    """The table to start from; by default a small one that comes with Pencilbox. Raises InputError with every problem
    of the table."""
    path = Path(table) if table else _SKELETON / "cards.csv"
    if not paths.is_dir(path) and not paths.is_file(path) and not path.suffix:
        raise fault(f"there is no table “{shortened(path)}”", hint=OTHER_FORMATS)
    game = load(path, look)
    if game.table is None:
        hint = f"copy its folder: {shlex.quote(paths.display_path(game.folder))}"
        raise fault(f"--from needs a table of cards, and {table} is a game with a game.yaml", hint=hint)
    return StartingTable(game, look)


def title(name: str) -> str:
    """`my_game` → “My Game”."""
    words = name.replace("_", " ").replace("-", " ").split()
    return " ".join(word if any(map(str.isupper, word)) else word.capitalize() for word in words)


def files(folder: Path, source_: StartingTable, parts: tuple[str, ...], *, own_face: bool = True) -> dict[str, Content]:
    """The files of the new game by their paths in its folder. Without an `own_face`, its cards have a built-in one."""
    part, cards, size = source_.deck, source_.cards, source_.deck.definition.size or "poker"
    first = next((card for card in cards if "{" not in card.id), cards[0])  # no part of a template, if possible
    fonts = [file for file in source_.game.theme.fonts["regular"] if file.style]
    names = [quoted(f"fonts/{file.path.name}{'#' * bool(file.part)}{file.part}") for file in fonts]
    words = {
        "title": title(folder.name),
        "tagline": f"A game of {len(part.cards):,} card{'s' * (len(part.cards) != 1)}",
        "folder": shlex.quote(str(folder)),
        "filled": shlex.quote(str(folder / "filled.yaml")),
        "table": quoted(source_.file),
        "reading": _reading(source_),
        "cards": quoted(_cards_file(source_)),
        "size": size if re.fullmatch(r"\d[\w .]*", size) else quoted(size),
        "face": part.definition.face[0],
        "back": part.definition.back,
        "understood": described(part).partition(": ")[2],
        "fields": "\n".join(f"#   {line}" for line in declarations(part)),
        "colours": "".join(f"  {line}\n" for line in _colours(source_)) if own_face else "",
        "first": quoted(first.id),
        "font": f"font: [{', '.join(names)}]\n" if fonts else "",
    }
    parts = (*parts, "own-face" if own_face else "built-in-face")
    templates = {"card.xml.j2": part.definition.face[0], "back.xml.j2": part.definition.back}
    content: dict[str, Content] = {"game.yaml": _text("game.yaml", words, parts)}
    if _cards_file(source_) == "cards.yaml" != source_.file:
        content["cards.yaml"] = _text("cards.yaml", words, parts)
    content[source_.file] = source_.table
    if not own_face:
        pass
    elif source_.look.template:
        content |= {f"templates/{name}": _face(face) for name, face in templates.items()}
    else:
        content |= {f"templates/{name}": text for name, text in _short_faces(part)}
    content["theme.yaml"] = _text("theme.yaml", words, parts)
    if "score-sheet" in parts:
        content |= {name: _text(name, words, parts) for name in ("sheet.yaml", "filled.yaml")}
    if "booklet" in parts:
        content["templates/rules.md.j2"] = _text("rules.md.j2", words, parts)
    content |= {f"fonts/{file.path.name}": file.path for file in fonts}
    return content | dict(_pictures(source_)) | dict(_icons(source_.game.folder))


def box_problem(source_: StartingTable) -> str:
    """Why a new game cannot have a tuck box; “” if it can."""
    size, count = source_.deck.size, len(source_.deck.cards)
    assert size
    try:
        most = box_capacity(size, _STOCK, ComponentFile(kind="box", title="").clearance, paper("a4"))
    except ValueError:
        return f"cards of {size.width:g} × {size.height:g} mm are too small for a tuck box"
    if count <= most:
        return ""
    if not most:
        return f"a tuck box for cards of {size.width:g} × {size.height:g} mm does not fit on A4"
    return (
        f"a tuck box for {count:,} cards does not fit on A4, where one holds up to {most}; "
        f"split the cards into {-(-count // most)} decks, each with a box"
    )


MEANINGS: Mapping[str, str] = {
    "game.yaml": "what is printed",
    "cards.yaml": "the columns of your table",
    "templates/card.xml.j2": "how a card looks",
    "templates/back.xml.j2": "its back",
    "theme.yaml": "colours and type",
    "sheet.yaml": "the boxes of the score sheet, and how they score",
    "rules.py": "rules that YAML cannot express; it runs only with --trust-code",
    "sets.yaml": "what rules.py draws at random",
    "filled.yaml": "a filled-in sheet to try out",
    "templates/rules.md.j2": "the rules",
}
"""What each file of a new game holds; any other is its table, a picture or an icon."""


# ---- texts ----------------------------------------------------------------------------------------------------------


def _text(name: str, words: Mapping[str, str], parts: tuple[str, ...]) -> str:
    """A file of the skeleton without the parts that the game does not have. A line `%% box` begins what only a game
    with a box has; the next line with `%%` ends it."""
    included, lines = True, []
    for line in (_SKELETON / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("%%"):
            included = line[2:].strip() in ("end", *parts)
        elif included:
            lines.append(line)
    text = Template("\n".join(lines)).substitute(words)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def _cards_file(source_: StartingTable) -> str:
    """The file that game.yaml names: the declarations of a table's columns, or a list of cards in YAML itself."""
    return source_.file if source_.table.suffix.lower() in LISTS and not source_.look.columns else "cards.yaml"


def _reading(source_: StartingTable) -> str:
    """The table of cards.yaml, and how it is read, as the options of the command said."""
    look, labelled = source_.look, source_.deck.columns.labelled
    headings = look.headings if labelled else False
    options = {"sheet": look.sheet, "encoding": look.encoding, "headings": headings, "all_rows": look.all_rows}
    given = [
        f"{key}: {str(value).lower() if isinstance(value, bool) else quoted(value)}"
        for key, value in options.items()
        if value is not None
    ]
    file = quoted(source_.file)
    table = f"{{{', '.join([f'file: {file}', *given])}}}" if given else file
    columns = [f"{quoted(heading)}: {quoted(word)}" for heading, word in column_meanings(look.columns or "").items()]
    return f"table: {table}\ncolumns: {{{', '.join(columns)}}}" if columns else f"table: {table}"


def _short_faces(part: Component) -> Iterator[tuple[str, str]]:
    """A short face for the columns of the cards, to be changed, and its back."""
    columns, kind = part.columns, template_for(part.columns)
    words = {f"{role}": name for role, name in roles_of(columns).items()}
    words |= _lengths(part)
    words |= {"title_field": words.get("title") or words.get("rules", ""), "first_field": next(iter(columns.headings))}
    has_body = bool({"type", "rules", "flavour"} & {*words}) or columns.rest or kind == "word"
    groups = {
        "heading": kind != "word" and ("title" in words or "cost" in words),
        "body": has_body,
        "word": kind == "word",
        "rest": columns.rest,
        "options": columns.options,
    }
    shown = (
        *(role for role in words if kind != "word" or words[role] != words["title_field"]),
        *(name for name, group in groups.items() if group),
    )
    names = {"flash": ("question", "answer"), "number_and_suit": ("suit", "back")}.get(kind, ("card", "back"))
    for file, name in zip(("card", "back"), names, strict=True):
        yield f"{file}.xml.j2", _text(f"{name}.xml.j2", defaultdict(str, words), shown)


def _lengths(part: Component) -> dict[str, str]:
    """The lengths of a short face in mm, for cards of this size."""
    assert part.size
    width, height = part.size.width, part.size.height
    side = min(width, height)
    shares = {"edge": max(side / 16, part.definition.safe), "gap": side / 32, "row": side / 7, "inset": side / 21}
    lengths = shares | {"picture": height * 0.28, "emblem": side * 0.32}
    return {name: f"{length:.2g}" for name, length in lengths.items()}


def _face(name: str) -> str:
    """The text of a built-in face, or of the face that it extends without any change."""
    text = (paths.CARD_TEMPLATES / f"{name}.xml.j2").read_text(encoding="utf-8")
    other = re.fullmatch(r'\s*\{% extends "_shared/cards/(\w+)\.xml\.j2" %\}\s*', text)
    return _face(other[1]) if other else text


def _colours(source_: StartingTable) -> Iterator[str]:
    """The colours of the palette that the cards use, each with the first value that has it."""
    part, theme = source_.deck, source_.game.theme
    field = next((name for role in COLOURS if (name := getattr(part.columns, role))), None)
    if field is None:
        return
    palette = {theme.colours[name]: name for name in PALETTE}
    by_card = signs(source_.cards, part.columns, theme)
    uses: dict[str, dict[str, None]] = {}
    for card in source_.cards:
        if (name := palette.get(by_card[card.id].colour)) and card.values[field]:
            uses.setdefault(name, {})[" ".join(str(card.values[field]).split())] = None
    for name in sorted(uses, key=PALETTE.index):
        values = list(uses[name])
        examples = ", ".join(values[:3]) + (", …" if len(values) > 3 else "")
        yield f'{name}: "{theme.colours[name]}"'.ljust(30) + f"# {examples}"


# ---- pictures and icons ---------------------------------------------------------------------------------------------


def _pictures(source_: StartingTable) -> Iterator[tuple[str, Content]]:
    """The pictures of the cards by their paths in the folder of the table. Missing ones are reported when the game is
    printed."""
    field, folder = source_.deck.columns.image, source_.game.folder
    if field is None:
        return
    templates = Templates(source_.game.templates, source_.game.theme)
    for name in dict.fromkeys(str(card.values[field]) for card in source_.cards if card.values[field]):
        try:
            path = folder / templates.picture(folder, name)
            relative = path.resolve().relative_to(folder.resolve())
        except (ValueError, OSError, InputError):
            continue
        yield relative.as_posix(), path


def _icons(folder: Path) -> Iterator[tuple[str, Content]]:
    for path in islice(sorted((folder / "icons").glob("*")), limits.FILES_COMPARED):
        if path.is_file() and path.suffix.lower() in paths.PICTURES:
            yield f"icons/{path.name}", path


def check_name(folder: Path) -> None:
    """Raises InputError unless a new game can be written into this folder."""
    name = folder.name
    if paths.is_dir(folder) and not name.strip("."):
        raise fault(f"the folder “{folder}” already exists", hint="name a new one in it, such as my_game")
    if not _NAME.fullmatch(name) or _DEVICE.fullmatch(name):
        hint = f"use letters, digits, “_” and “-”, for example: {usable_name(name)}"
        raise fault(f"“{shortened(name)}” cannot be the name of a game", hint=hint)
    if name in shipped():
        raise fault(f"“{name}” is a game that comes with Pencilbox", hint=f"choose another name, such as my_{name}")
    if os.path.lexists(folder):
        kind = "folder" if paths.is_dir(folder) else "file"
        raise fault(f"the {kind} “{folder}” already exists", hint=f"choose another name, such as {free(folder)}")
    if not paths.is_dir(folder.parent):
        raise fault(f"there is no folder “{shortened(folder.parent)}” for the new game", hint="create it first")


def usable_name(name: str) -> str:
    """A name like this one that a game can have."""
    plain = re.sub(r"\W+", "_", name).strip("_").lower()[:60]
    return plain if _NAME.fullmatch(plain) and not _DEVICE.fullmatch(plain) else "my_game"


def free(folder: Path) -> Path:
    """A path like that of `folder` that nothing has yet."""
    base = re.sub(r"[_ -]?\d+$", "", folder.name) or folder.name
    names = (folder.with_name(f"{base}_{number}") for number in range(2, 1000))
    return next((name for name in names if not os.path.lexists(name)), folder.with_name("another_game"))


def write(folder: Path, files: Mapping[str, Content]) -> None:
    """Writes the files, given by their paths in the folder, into a new folder. Raises InputError if that fails, and
    then leaves nothing behind."""
    check_name(folder)
    with _new(folder) as unfinished:
        for name, content in files.items():
            file = unfinished / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                shutil.copyfile(content, file)
            else:
                file.write_text(content, encoding="utf-8", newline="\n")


@contextmanager
def _new(folder: Path) -> Iterator[Path]:
    """A temporary folder, which gets its name when it is complete."""
    place = Place(str(folder))
    try:
        unfinished = Path(mkdtemp(prefix=".", suffix=".part", dir=folder.parent))
    except OSError as error:
        raise fault(f"cannot be written: {(error.strerror or str(error)).lower()}", place) from error
    try:
        yield unfinished
        mask = os.umask(0)
        os.umask(mask)
        unfinished.chmod(0o777 & ~mask)
        unfinished.rename(folder)
    except OSError as error:
        raise fault(f"cannot be written: {(error.strerror or str(error)).lower()}", place) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


# ---- examples -------------------------------------------------------------------------------------------------------


def copy_example(name: str, folder: Path) -> list[str]:
    """Copies an example into a new folder. Returns the names of its files."""
    if name not in paths.examples():
        hint = did_you_mean(name, paths.examples())
        raise fault(f"there is no example “{shortened(name)}”", hint=hint or "“pencilbox new --examples” lists them")
    files = dict(_copied(paths.EXAMPLES / name))
    write(folder, files)
    return list(files)


def copy_shipped(key: str, folder: Path) -> None:
    """Copies a game that comes with Pencilbox into a new folder, to be changed. The copy has no random sets and no
    rules in Python."""
    files = dict([*_copied(paths.DATA / key), *_copied(paths.TEMPLATES / key, "templates/")])
    files["game.yaml"] = edited_yaml(str(files["game.yaml"]), {("sets",): None, ("prefix",): None}, "game.yaml")
    write(folder, files)


def _copied(source: Path, prefix: str = "") -> Iterator[tuple[str, Content]]:
    """The files of a game by their paths in its folder."""
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
        unwanted = [part for part in relative.parts if part[0] == "." or part in ("output", "__pycache__")]
        if path.is_file() and not unwanted:
            content: Content = path
            if path.suffix == ".yaml":  # without the comment with the path of its schema, which is only right there
                content = re.sub(r"\A# yaml-language-server:.*\n", "", path.read_text(encoding="utf-8"))
            yield prefix + relative.as_posix(), content
