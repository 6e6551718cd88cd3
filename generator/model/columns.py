"""The columns of a deck: their types, as cards.yaml declares them, and their roles on the built-in faces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from sys import intern
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ..errors import Place, listed, shortened
from . import colours, values
from .values import Span, empty_mapping

# ---- types


def _text(text: str, column: ColumnFile) -> str:
    return text


def _number(text: str, column: ColumnFile) -> int | float:
    number: int | float
    try:
        number = values.whole(text)
    except ValueError:
        try:
            number = values.decimal(text)
        except ValueError:
            raise ValueError("a number") from None
    if column.span and not column.span.low <= number <= column.span.high:
        raise ValueError(f"from {column.span.low} to {column.span.high}")
    return number


def _range(text: str, column: ColumnFile) -> Span:
    return values.span(text)


def _choice(text: str, column: ColumnFile) -> str:
    if text not in column.choices:
        raise ValueError(f"one of {listed(column.choices)}")
    return text


def _tick(text: str, column: ColumnFile) -> bool:
    if text.lower() not in ("x", "yes", "true", "no", "false", "-"):
        raise ValueError("yes or no")
    return text.lower() in ("x", "yes", "true")


def _colour(text: str, column: ColumnFile) -> str:
    return intern(colours.parsed(text)) if colours.is_notation(text) else text


COLUMN_TYPES: Mapping[str, Callable[[str, ColumnFile], Any]] = {
    "text": _text,
    "number": _number,
    "range": _range,
    "choice": _choice,
    "tick": _tick,
    "icon": _text,
    "colour": _colour,
    "image": _text,
}
"""How each type of column reads a cell. The ValueError for one that it cannot read says what is expected."""
if TYPE_CHECKING:
    ColumnType = str
else:
    ColumnType = Literal[tuple(COLUMN_TYPES)]


class ColumnFile(Struct, frozen=True, kw_only=True):
    """A declared field of a deck's cards; `list: true` allows several values, separated by spaces or | in CSV."""

    kind: ColumnType = "text"
    list: bool = False
    choices: tuple[str, ...] = ()
    span: Span | None = None
    required: bool = False


# ---- roles


class Column(Struct, frozen=True):
    """A column without a role: its field name in templates, its heading as typed (“” in a table without headings), and
    whether some card has a `long` text there, whether its values are names of `picture` files, and whether it is
    `sparse`: a number of which zeros are not printed."""

    name: str
    label: str
    long: bool = False
    picture: bool = False
    sparse: bool = False


class Columns(Struct, frozen=True):
    """The field names of a deck by role, as templates see them: a value is `card[columns.title]`. A role without a
    column is None. `rest` lists the other fields, and `options` those with the answers that a quiz offers, counted from
    `first_option`. `own_back` says that each card names the template of its back."""

    title: str | None = None
    cost: str | None = None
    image: str | None = None
    rules: str | None = None
    type: str | None = None
    flavour: str | None = None
    footer: str | None = None
    front: str | None = None
    back: str | None = None
    suit: str | None = None
    rank: str | None = None
    colour: str | None = None
    rest: tuple[Column, ...] = ()
    options: tuple[Column, ...] = ()
    first_option: int = 1
    headings: Mapping[str, str] = empty_mapping()
    """The headings as typed, by field name."""
    own_back: bool = False
    labelled: bool = True
    """Whether the table has headings."""
    named_sides: bool = True
    """Whether the headings of flash cards say more than which side they are, as the names of languages do."""
    letters: Mapping[str, str] = empty_mapping()
    """The columns of a table as spreadsheets count them (`B`), by field name."""

    @property
    def option_letters(self) -> str:
        """The letters of the options of a quiz: their headings, if these are letters, or those from A."""
        own = "".join(self.headings[option.name].strip() for option in self.options)
        return own.upper() if len(own) == len(self.options) > 1 else "ABCDEFGH"

    def place_of(self, values: Mapping[str, Any], row: Place, *texts: str) -> Place | None:
        """The place of the first value of a card that contains all these texts, in the row of a table: its cell in a
        spreadsheet."""
        wanted = [_comparable(text) for text in texts]
        for name, heading in self.headings.items():
            value = _comparable(values.get(name))
            if value and all(text in value for text in wanted):
                if name not in self.letters:
                    return row
                if row.sheet:
                    return replace(row, cell=f"{self.letters[name]}{row.line}")
                return replace(row, field=shortened(heading))
        return None


def _comparable(value: object) -> str:
    """A value as a text without case, white space, and the stars of **bold** words."""
    text = ", ".join(map(str, value)) if isinstance(value, tuple | list) else "" if value is None else str(value)
    return "".join(text.replace("*", "").split()).casefold()


NO_COLUMNS = Columns()
FACE_ROLES = ("title", "front", "back", "cost", "suit", "rank", "image", "type", "rules", "flavour", "footer")
"""The roles that the built-in faces print."""
_FEW_FACTS, _FEW_STATS = 7, 4
# The roles of cards with few words, whose titles are as large as fits, or their texts if they have no title.
_FEW_WORDS = {"title", "cost", "type", "flavour", "footer"}


def roles_of(columns: Columns, roles: Iterable[str] = FACE_ROLES) -> dict[str, str]:
    """The field of each role that has one."""
    return {role: name for role in roles if (name := getattr(columns, role))}


LOOKS = ("editorial", "illustrated", "typographic")
"""The built-in faces for cards of any content. The first is the usual one."""


def face_for(columns: Columns) -> str:
    """The usual built-in face: that of playing cards or pictures for a table of nothing else, otherwise a look."""
    template = template_for(columns)
    return template if template in ("number_and_suit", "picture") else LOOKS[0]


def back_for(face: str, columns: Columns) -> str:
    """The back of a built-in face: that of a look shows the answers of flash cards, if the columns have any."""
    return f"{face}_answer" if face in LOOKS and columns.front and columns.back else f"{face}_back"


def template_for(columns: Columns) -> str:
    """The built-in face that is made for exactly these columns."""
    present = roles_of(columns).keys()
    if {"front", "back"} <= present:
        return "flash"
    has_words = len(columns.rest) > _FEW_STATS or any(column.long for column in columns.rest)
    if present & {"suit", "rank"} and not present & {"rules", "image"} and not has_words:
        return "number_and_suit"
    if "image" in present and present <= {"image", "title"} and not columns.rest:
        return "picture"
    words = _FEW_WORDS | ({"rules"} if "title" not in present else set())
    if present <= words and len(columns.rest) <= _FEW_FACTS and not any(column.long for column in columns.rest):
        return "word"
    return "standard"
