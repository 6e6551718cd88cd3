"""Makes a game of a bare table: cards with a built-in face, from a single file."""

from __future__ import annotations

import re
from itertools import accumulate, islice
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from .. import limits, paths
from ..errors import InputError, Place, Problem, did_you_mean, fault, listed, refuse, shortened
from ..model.columns import FACE_ROLES, LOOKS, back_for, face_for, roles_of
from ..model.game import Component, ComponentFile, FontFile, Game, GameFile, TableFile, Theme
from ..model.values import MM_PER_UNIT, FileName
from ..tables.headings import folded, full_name, is_word, language_of, spaced
from . import card_tables
from .components import GameFiles
from .theme import theme, with_fonts

ENDINGS = (*card_tables.TABLES, *card_tables.LISTS)
TEMPLATES = (*LOOKS, "standard", "picture", "word", "flash", "tarot", "number_and_suit")
"""The built-in faces; each has a back with the ending `_back`."""
COMPONENT = "cards"
FONTS = (".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2")
DEFAULT_SIZE = "poker"
BLEED = 2.0
MAX_ROWS, _ROWS = 20, 3
"""The rows that a card has for columns without a role, at most, and how many of them one with long texts takes."""
_FEW = 4  # the most columns beside a title of which one may be an answer; there must be more cards than this
_CJK = "[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]"  # not compiled before it is used, which takes 3 ms
_CJK_NOTE = (
    "Chinese, Japanese and Korean characters are printed in the bundled Droid Sans Fallback, in Chinese forms and one "
    "weight (for another font, such as Noto Sans CJK JP, put its files beside the table)"
)
_CONSTANTS = re.compile(r"(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*(?:, |$))+")
_ROMAN = re.compile("[IVXLCDM]+")
_ACRONYM = 4  # the letters of an acronym, at most
# What other programs add to the name of a file.
_REMARK = re.compile(r" (?:[0-9a-f]{32}|\(\d+\)|\(Responses\).*|- (?:Sheet|Form Responses) ?\d+)$")
# A code, a number of a version, or a date, in the name of a file.
_CODE = re.compile(
    r"(?=\w*\d[A-Za-z])(?=\w*[A-Za-z]\d)(?:(?=\w*\d[A-Za-z]+\d)|(?=\w*[a-z]\d*[A-Z]))\w{6,}"
    r"|[vV]?\d+(?:\.\d+)+|[vV]\d+|(?:19|20)\d{6}"
)
NO_TITLE = "★"
"""What is on the backs of cards in place of a title."""
_LAST_LETTER = "\u052f"  # the last of the Latin, Greek and Cyrillic letters, which most fonts have
_CASINGS = {"Turkish": "tr", "Greek": "el"}  # languages with capitals of their own
_LEAST_TEXT = 7 * MM_PER_UNIT["pt"]  # the smallest size of texts before cards become larger
OTHER_FORMATS = "a table is a .csv, .tsv, .txt, .md, .xlsx, .ods, .html, .json or .yaml file"


class TableLook(Struct, frozen=True):
    """How the cards of a bare table are read and printed; None means the usual way. `columns` says what columns mean:
    `Stk=copies, Notes=-`. Without `font`, the font files beside the table are used."""

    size: str | None = None
    template: str | None = None
    gutter: float | None = None
    sheet: str | None = None
    columns: str | None = None
    headings: bool | None = None
    all_rows: bool | None = None
    encoding: str | None = None
    font: tuple[str, ...] = ()


DEFAULT_LOOK = TableLook()


def is_table(path: Path) -> bool:
    """Whether a path is an existing table of cards."""
    return path.suffix.lower() in ENDINGS and path.name != "game.yaml" and paths.is_file(path)


def table_at(path: Path) -> Path | None:
    """The table at a path: a file, or the only table in a folder. Raises InputError if the folder has several."""
    return path if is_table(path) else _only_table(path) if paths.is_dir(path) else None


def _only_table(folder: Path) -> Path | None:
    """The only table in a folder; None if there is none. Raises InputError if it has several."""
    candidates = sorted(
        path
        for path in islice(folder.iterdir(), limits.FILES_COMPARED)
        if path.suffix.lower() in (*card_tables.TABLES, ".json")
        and path.suffix.lower() not in (".txt", ".md", ".html", ".htm")
        and not path.name.startswith((".", "~"))
        and paths.is_file(path)
    )
    if len(candidates) > 1:
        names = listed(path.name for path in candidates)
        raise fault(
            f"the folder {shortened(folder)} has no game.yaml, and {len(candidates)} tables: {names}",
            hint=f"print one of them: pencilbox make {candidates[0]}",
        )
    return candidates[0] if candidates else None


def table_game(path: Path, look: TableLook, taken: tuple[str, ...] = ()) -> Game:
    """The game of a table: a deck in the component `cards`. Its key is the name of the file, with `_cards` if it is
    one of those `taken`. Raises InputError with every problem."""
    ending, place = path.suffix.lower(), Place(paths.display_path(path))
    if any("\ud800" <= letter <= "\udfff" for letter in path.name):
        raise fault("the name of this file is not valid text", place, "rename it")
    if look.sheet is not None and ending not in card_tables.WORKBOOKS:
        raise fault("--sheet is for spreadsheets", place, "a text file has no worksheets")
    if look.encoding is not None and ending not in card_tables.TEXTS:
        raise fault("--encoding is for text files such as .csv", place, "other files state their encoding themselves")
    file = path.resolve()  # a link may lead to another folder
    table = TableFile(
        file=FileName(file.name),
        sheet=look.sheet,
        headings=look.headings,
        all_rows=bool(look.all_rows),
        encoding=look.encoding,
    )
    reading = GameFiles(file.parent, table, column_meanings(look.columns or ""))
    part = ComponentFile(
        kind="deck",
        title=_title(path.stem),
        cards=FileName(file.name),
        face=("standard",),
        back="standard_back",
        size=look.size or DEFAULT_SIZE,
        bleed=BLEED,
        gutter=look.gutter,
    )
    component = reading.component(COMPONENT, part)
    if component is None:
        raise InputError(reading.problems)
    component = _with_hint(_with_few_columns(_with_words(_with_full_names(component))))
    if max(part.title) > _LAST_LETTER and not any(
        max(str(value)) > _LAST_LETTER for card in component.cards for value in card.values.values() if value
    ):
        part = replace(part, title=NO_TITLE)  # fonts for the cards may lack its letters
    template = look.template or face_for(component.columns)
    if template not in TEMPLATES:
        raise fault(f"there is no template “{shortened(template)}”", hint=did_you_mean(template, TEMPLATES))
    part = replace(part, face=(template,), back=back_for(template, component.columns))
    component = replace(component, definition=part)
    table_theme = _theme(file.parent, look)
    casing = _CASINGS.get(language_of(component.columns.headings.values()), "")
    table_theme = _readable(replace(table_theme, language=table_theme.language or casing), look)
    if all(path.is_relative_to(paths.SHARED_DATA) for path in _files(table_theme)) and any(
        re.search(_CJK, str(text)) for card in component.cards for text in card.values.values()
    ):
        component = replace(component, notes=(*component.notes, _CJK_NOTE))
    return Game(
        key=f"{path.stem}_cards" if path.stem in taken else path.stem,
        definition=GameFile(title="Cards" if part.title == NO_TITLE else part.title, components={COMPONENT: part}),
        folder=file.parent,
        templates=(paths.CARD_TEMPLATES, paths.SHARED_TEMPLATES),
        theme=table_theme,
        low_ink=table_theme,
        components=MappingProxyType({COMPONENT: component}),
        rules=MappingProxyType({}),
        sets=MappingProxyType({}),
        judged=None,
        table=path,
    )


def _theme(folder: Path, look: TableLook) -> Theme:
    """The theme of a table in this folder. Raises InputError for every font file that does not exist."""
    usual = theme(folder, "no theme")
    if folder.is_relative_to(paths.SHARED_DATA):  # a table for a new game, whose theme.yaml is a template
        return usual
    own = theme(folder, "theme.yaml")
    if look.font:
        fonts = [*map(_font, look.font)]
        refuse(_missing_font(font.path) for font in fonts if not paths.is_file(font.path))
        return with_fonts(own, fonts)
    return own if _files(own) != _files(usual) else with_fonts(own, [*map(FontFile, fonts_beside(folder))])


def _readable(theme_: Theme, look: TableLook) -> Theme:
    """The theme with a larger least size of texts, so that cards grow before texts become tiny; the same theme if the
    size of the cards was chosen."""
    body = replace(theme_.styles["card-body"], floor=_LEAST_TEXT)
    return theme_ if look.size else replace(theme_, styles={**theme_.styles, "card-body": body})


def _files(theme_: Theme) -> list[Path]:
    """All font files of a theme."""
    return [file.path for files in theme_.fonts.values() for file in files]


def _font(name: str) -> FontFile:
    """The font that a command names: a file, or one of the fonts in it, such as `fonts.ttc#2`."""
    file, _, part = (name, "", "") if paths.is_file(Path(name)) or "#" not in name else name.rpartition("#")
    return FontFile(Path(file).absolute(), part)


def _missing_font(path: Path) -> Problem:
    folder = path.parent
    others = islice(folder.iterdir(), limits.FILES_COMPARED) if paths.is_dir(folder) else ()
    names = [other.name for other in others if other.suffix.lower() in FONTS and paths.is_file(other)]
    return Problem(f"--font: there is no file “{shortened(path.name)}”", hint=did_you_mean(path.name, names))


def fonts_beside(folder: Path) -> list[Path]:
    """The font files in a folder and in `fonts/` inside it, in the order of their names. Of files that differ only in
    their endings, this is the first of FONTS."""
    found: dict[str, Path] = {}
    for place in filter(paths.is_dir, (folder, folder / "fonts")):
        files = [path for path in islice(place.iterdir(), limits.FILES_COMPARED) if path.suffix.lower() in FONTS]
        for path in sorted(files, key=lambda path: (FONTS.index(path.suffix.lower()), path.name)):
            if not path.name.startswith(".") and paths.is_file(path):
                found.setdefault(path.stem, path.resolve())
    return sorted(found.values())


def described_fonts(game: Game) -> str:
    """The fonts of a table, as `make` lists them; “” for the usual ones."""
    names = [file.path.name for file in game.theme.fonts["regular"] if file.style]
    return f"Fonts: {listed(names)}, then Lato" if names else ""


def _with_hint(component: Component) -> Component:
    """The cards with a note on a column that may hold answers: the first of a few beside a title, if its texts are
    short and all different."""
    columns, count = component.columns, len(component.cards)
    first = columns.rest[0] if columns.rest else None
    roles = {*roles_of(columns)} - {"rules", "footer"}
    if not first or first.long or first.picture or roles != {"title"} or len(columns.rest) > _FEW:
        return component
    if not _FEW < len({card.values[first.name] for card in component.cards} - {None}) == count:
        return component
    name = shortened(columns.headings[first.name], 30)
    note = f'to make flash cards with “{name}” on the back: --columns "{name}=back"'
    return replace(component, notes=(*component.notes, note))


def _with_few_columns(component: Component) -> Component:
    """The cards with as many columns without a role as they have room for."""
    filled = {name for card in component.cards for name, value in card.values.items() if value not in (None, "", ())}
    columns = replace(
        component.columns, rest=tuple(column for column in component.columns.rest if column.name in filled)
    )
    used = [*accumulate(_ROWS if column.long else 1 for column in columns.rest)]
    rest = tuple(column for column, rows in zip(columns.rest, used, strict=True) if rows <= MAX_ROWS)
    if rest == columns.rest:
        return replace(component, columns=columns)
    names = listed(shortened(columns.headings[column.name], 20) for column in columns.rest if column not in rest)
    note = f'no room for {names} (--columns "{columns.headings[rest[0].name]}=-" makes room)'
    return replace(component, columns=replace(columns, rest=rest), notes=(*component.notes, note))


def _with_full_names(component: Component) -> Component:
    """The cards with first names and surnames as their titles, if the table has both."""
    columns, names = component.columns, full_name(component.columns.headings)
    rest = tuple(column for column in columns.rest if column.name not in (names or ()))
    if not names or columns.title not in names or len(rest) == len(columns.rest):
        return component
    cards = []
    for card in component.cards:
        title = " ".join(str(card.values[name]) for name in names if card.values[name])
        cards.append(replace(card, values=MappingProxyType({**card.values, columns.title: title or None})))
    return replace(component, cards=tuple(cards), columns=replace(columns, rest=rest))


def _with_words(component: Component) -> Component:
    """The cards with words for the constants of programs: `DAMAGE_FIRE`, `DAMAGE_COLD`, `NONE` → `Fire`, `Cold`,
    `None`; `COMMON` → `Common`; `1` for `is_rare` and `x` → `true`."""
    columns, cards, words = component.columns, component.cards, dict[str, dict[str, str]]()
    for name in filter(None, [columns.type, *(column.name for column in columns.rest if not column.picture)]):
        texts = {str(card.values[name]) for card in cards if card.values[name]}
        each = {word for text in texts for word in text.split(", ")}
        joint = {
            word
            for word in each
            if "_" in word and (word.isupper() or word.islower()) and min(map(len, word.split("_"))) > 1
        }
        prefixes = {f"{word.partition('_')[0]}_" for word in joint}
        shouted = max(map(len, each), default=0) > _ACRONYM and all(word.isalpha() and word.isupper() for word in each)
        if (joint or (shouted and not all(map(_ROMAN.fullmatch, each)))) and all(map(_CONSTANTS.fullmatch, texts)):
            prefix = min(prefixes) if len(prefixes) == 1 < len(joint) else ""
            plain = {word: word.removeprefix(prefix).replace("_", " ").capitalize() for word in each}
            words[name] = {text: ", ".join(map(plain.__getitem__, text.split(", "))) for text in texts}
        elif each <= {"x", "X"} or (
            each <= {"0", "1"} and re.match("(is|has|can)([_ ]|(?=[A-Z]))", columns.headings[name])
        ):
            words[name] = {"0": "false"} | dict.fromkeys("1xX", "true")
    found = (
        replace(
            card,
            values=MappingProxyType(
                {
                    **card.values,
                    **{name: each[str(value)] for name, each in words.items() if (value := card.values[name])},
                }
            ),
        )
        for card in cards
    )
    return replace(component, cards=tuple(found))


def column_meanings(text: str) -> dict[str, str]:
    """`Stk=copies, Notes=-` → the meaning of each column."""
    pairs = [item.rpartition("=") for item in text.split(",") if item.strip()]
    for heading, _, meaning in pairs:
        if not (heading.strip() and meaning.strip()):
            raise fault(
                f"--columns: “{shortened(meaning or heading)}” needs a heading, “=” and its meaning, such as Stk=copies"
            )
    return {heading.strip(): meaning.strip() for heading, _, meaning in pairs}


def described(part: Component) -> str:
    """How the table of a deck was understood: `54 cards from cards.xlsx, sheet “Deck”: title, cost; also Range`."""
    columns = part.columns
    roles = [
        role if folded(heading) == folded(role) else f"{role} ({shortened(heading, 30)})"
        for role, name in roles_of(columns, (*FACE_ROLES, "colour")).items()
        if (heading := columns.headings[name])
    ]
    rest = listed(
        columns.headings[column.name]
        for column in (*columns.options, *columns.rest)
        if any(card.values.get(column.name) not in (None, "") for card in part.cards)
    )
    different = len({card.id for card in part.cards})
    count = f"{len(part.cards):,} card{'s' * (len(part.cards) != 1)}"
    if different != len(part.cards):
        count += f" ({different:,} different)" if different > 1 else ", all alike,"
    return f"{count} from {part.source}: {', '.join(roles)}{'; also ' * bool(roles and rest)}{rest}"


def _title(stem: str) -> str:
    """`sea_birds (2)` → “Sea birds”, without what programs add, such as codes, dates and versions; NO_TITLE for a name
    that says nothing."""
    words = "".join(filter(str.isprintable, _REMARK.sub("", stem))).replace("_", " ").replace("-", " ").split()
    words = [word for word in words if not _CODE.fullmatch(word)]
    parts = spaced(" ".join(words)).split()
    if all(is_word("nondescript", part.rstrip("0123456789")) or part.isdigit() for part in parts):
        return NO_TITLE
    title = " ".join(words)
    return title[:1].upper() + title[1:]
