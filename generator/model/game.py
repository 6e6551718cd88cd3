"""The content of a game's YAML files, typed and immutable.

Lengths are millimetres. Each class named `…File` mirrors a YAML file or a part of one and is published in
`docs/schema/`; the rest of the program works with the other classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import Struct, field

from .. import limits
from ..errors import Place, Problem
from .columns import NO_COLUMNS, ColumnFile, Columns
from .draws import OwnDrawFile
from .values import (
    MM_PER_UNIT,
    Between,
    Colour,
    Empty,
    Expression,
    FileName,
    Length,
    Raw,
    Room,
    Size,
    Span,
    TypeSize,
    empty_mapping,
)

if TYPE_CHECKING:
    from ..nodes import Node
    from .board import Board
    from .draws import OwnDraw


class WeightFile(Struct, frozen=True, kw_only=True):
    """A figure in the simulation report, and its weight. With `aim`, the distance from that value is weighted."""

    figure: str
    weight: float
    aim: float | None = None
    place: Place


class BalanceFile(Struct, frozen=True, kw_only=True):
    """balance.yaml: how random sets are rated by simulation.

    `games` gives, for each kind of player (random, greedy, careful), the number of games that takes about ten seconds.
    `score` rates a set by the weighted sum of figures; the lowest is best. `scores` gives named draws their own
    ratings."""

    games: dict[str, int] = field(default_factory=dict)
    score: tuple[WeightFile, ...] = ()
    scores: dict[str, tuple[WeightFile, ...]] = field(default_factory=dict)


TYPE_SIZES = Between(0.3, 300)
"""In mm."""

# ---- look ---------------------------------------------------------------------------------------------------------


class Style(Struct, frozen=True, kw_only=True):
    """A text style. Text may shrink down to `floor`; `leading` is a multiple of the size. With an `outline`, letters
    have a line of that colour around them, which extends `outline_width` beyond them. If one text of a face must
    shrink, all others in the same style shrink to its size if they are `together`. `balance` makes lines evenly long,
    or only keeps single words from being the last one."""

    font: str = "regular"
    size: Annotated[TypeSize, TYPE_SIZES]
    floor: Annotated[TypeSize, TYPE_SIZES] | None = None
    leading: Annotated[float, Between(0.5, 5)] = 1.28
    colour: Colour = Colour("ink")
    align: Literal["left", "center", "right", "justify", "auto"] = "left"
    case: Literal["none", "upper"] = "none"
    tracking: Annotated[Length, Between(-5, 20)] = 0.0
    outline: Colour | None = None
    outline_width: Annotated[Length, Between(0, 20)] = 0.3
    together: bool = False
    balance: Literal["none", "lines", "end"] = "none"


class CardSizes(Struct, frozen=True, kw_only=True):
    """The sizes of titles and rules texts on the built-in faces of cards, and the height of pictures; without them, a
    face chooses. Texts still shrink, and pictures are less high, where words need more room."""

    title: Annotated[TypeSize, TYPE_SIZES] | None = None
    text: Annotated[TypeSize, TYPE_SIZES] | None = None
    picture: Annotated[Length, Between(1, 1500)] | None = None

    def in_points(self) -> dict[str, float | None]:
        """As templates see them: sizes of texts in pt, the height of pictures in mm."""
        points = [size and round(size / MM_PER_UNIT["pt"], 3) for size in (self.title, self.text)]
        return {"title": points[0], "text": points[1], "picture": self.picture}


class ThemeFile(Struct, frozen=True, kw_only=True):
    """theme.yaml: colours, fonts, styles, and `sizes` on the built-in faces of cards. Anything missing comes from
    data/_shared/theme.yaml; low_ink.yaml or high_contrast.yaml overrides both.

    `language`, such as `de`, hyphenates all texts of faces and booklets by its rules (`none` hyphenates none), chooses
    its forms of letters in fonts that have them, and writes capitals as it does.

    `font` lists the files of one or more families, from which every style takes what suits it. `fonts` maps names to
    font files; marked-up text uses `bold`, `italic` and `bold-italic`. Of a list of files, each character uses the
    first that has it, and then the fonts of data/_shared/theme.yaml. `file.ttc#2` is the second font of a collection,
    and `file.ttf#Bold` or `file.ttf#wght=650` a weight of a variable font."""

    colours: dict[str, Colour] = empty_mapping()
    font: tuple[FileName, ...] = ()
    fonts: dict[str, tuple[FileName, ...]] = empty_mapping()
    styles: dict[str, Style] = empty_mapping()
    sizes: CardSizes = CardSizes()
    language: str = ""


class FontFile(Struct, frozen=True):
    """A font file, and which font of it: the number or name of one in a collection, or a weight of a variable font.
    Some fonts have other forms of letters for texts in another `language`. Of several files for the same `style`, such
    as `bold-italic`, the one of each family that suits it best is used."""

    path: Path
    part: str = ""
    language: str = ""
    style: str = ""


class Theme(Struct, frozen=True):
    """Colours (all `#rrggbb`), font files and styles, including the shared ones, the folders of icons, the language of
    its texts, and sizes on the built-in faces."""

    colours: Mapping[str, str]
    fonts: Mapping[str, tuple[FontFile, ...]]
    styles: Mapping[str, Style]
    icon_folders: tuple[Path, ...]
    language: str = ""
    sizes: CardSizes = CardSizes()
    least_type: float = 0.0
    """The smallest type size of any text, in mm; 0 for that of its style."""


# ---- cards --------------------------------------------------------------------------------------------------------


class TableFile(Struct, frozen=True, kw_only=True):
    """The table that lists the cards: a file name, or a mapping. `sheet` names the worksheet (default: the first with
    cards). `columns` gives fields, `id` and `copies` the headings that they have in the table. `separator` stands
    between the values of a list. `headings` says whether the first row has them, and `all_rows` that every other row is
    a card, even a total; `encoding` is that of a text."""

    file: FileName
    sheet: str | None = None
    columns: dict[str, str] = empty_mapping()
    separator: str | None = None
    headings: bool | None = None
    all_rows: bool = False
    encoding: str | None = None
    place: Place | None = None

    SHORT: ClassVar[str] = "file"


class CardsFile(Struct, frozen=True, kw_only=True):
    """cards.yaml: the cards of a deck, or the table that lists them, and the fields to check. Fields that are not
    declared are texts.

    Every card has an `id` (by default its number in the list) and `copies` (by default 1). `columns` says what the
    columns with these headings mean, such as `title` or `copies`; `-` leaves one out, and `+` prints it under its own
    heading."""

    fields: dict[str, ColumnFile] = empty_mapping()
    columns: dict[str, str] = empty_mapping()
    cards: Raw | None = None
    table: TableFile | None = None


class DiceFile(Struct, frozen=True, kw_only=True):
    """dice.yaml: dice, each with six `faces`, `copies`, and any declared `fields`. The first face is opposite the
    sixth, the second opposite the fifth, the third opposite the fourth."""

    fields: dict[str, ColumnFile] = empty_mapping()
    dice: Raw


class Card(Struct, frozen=True):
    """A card: its id, number of copies and fields (absent ones are None). In templates, a field hides an attribute of
    the same name."""

    id: str
    values: Mapping[str, Any]
    copies: int = 1
    place: Place | None = None

    def __getattr__(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


# ---- score sheets -------------------------------------------------------------------------------------------------

FieldKind = Literal["text", "number", "die", "tick", "choice", "code", "card"]


class FieldFile(Struct, frozen=True, kw_only=True):
    """A field, a row of fields, or a group of a score sheet.

    - A plain field has a `kind`. `count: n` makes it a row of n fields with the ids `name.1` … `name.n`, up to `most`
      of them in a file; a file may list the numbers of the ticked ones instead.
    - `fields` makes it a group. `repeat: n` repeats the group `n` times on paper and up to `most` times in a file.
    - `across: n` makes a group or a row a grid with rows of `n` fields, top row first; a file may give a group row by
      row.
    - `label` is printed on the paper, `also` lists other words printed for the same field; a file may use any of them
      instead of the key, in upper or lower case. `tip` is the tooltip. `span` limits numbers, `length` limits texts,
      and `choices` lists the permitted values. `required` and `span` are checked even without Python rules.
    - `by: players` gives a row or repeated group one entry for each name in the row `players`; a file may use the name
      instead of the number. `zero` allows a 0, or the texts on paper alone, instead of a whole group.
    - `paper: false` makes a field that a file may contain but that is not printed.
    """

    kind: FieldKind | None = None
    label: str = ""
    also: tuple[str, ...] = ()
    tip: str = ""
    count: Annotated[int, Between(1, limits.ENTRIES)] | None = None
    span: Span | None = None
    length: Annotated[int, Between(1, limits.MARK_CHARACTERS)] = 24
    choices: tuple[str, ...] = ()
    required: bool = False
    fields: dict[str, FieldFile] | None = None
    repeat: Annotated[int, Between(1, limits.ENTRIES)] | None = None
    most: Annotated[int, Between(1, limits.ENTRIES_IN_A_FILE)] | None = None
    across: int | None = None
    by: str | None = None
    zero: bool = False
    paper: bool = True
    place: Place | None = None


class SumFile(Struct, frozen=True, kw_only=True):
    """A total that players write down: the field `total` should be the sum of `of`, a list of fields, expressions and
    score lines (`lines.upper`, or `lines.*` for all). `*` stands for every number in a repeated group; a `*` in both
    `total` and `of` is the same number. Fields that a plain score line counts are added up with the line's `points`;
    `count: true` adds up the marks themselves."""

    total: str
    of: tuple[Expression, ...]
    count: bool = False
    place: Place


class RankFile(Struct, frozen=True, kw_only=True):
    """Points for the players who have the most (or, with `lowest`, the least) `of` something: the first of `points` for
    the first place, and so on. Only with `lowest` does a player who has nothing of it take part. Players who tie get
    the points of their place (`ties: same`), share the points of their places and round down (`share`), or get nothing
    (`none`)."""

    of: Expression
    points: tuple[int, ...]
    ties: Literal["same", "share", "none"] = "same"
    lowest: bool = False
    place: Place


class LineFile(Struct, frozen=True, kw_only=True):
    """A score line of a sheet without Python rules.

    Its amount is one of: `sum` (also written `of`) of fields or expressions; `count` of what is filled in, ticked or
    true; `min` or `max`; `value`, a single expression; or `rank`, a comparison between the players.

    The amount then passes through, in this order: `per: 3` (how many full threes it holds), `table` (the entry with
    this number, counted from 0; or a mapping such as `{0-4: 0, 5+: 10}`), `times` (an expression), `points` (for each),
    `at_least` and `at_most`. Without its condition `if`, the line scores 0. Other expressions refer to the line as
    `lines.` and its `id`, by default its label in lower case with `_` for anything but letters and digits."""

    label: str
    id: str = ""
    of: tuple[Expression, ...] = ()
    sum: tuple[Expression, ...] = ()
    count: tuple[Expression, ...] = ()
    min: tuple[Expression, ...] = ()
    max: tuple[Expression, ...] = ()
    value: Expression | None = None
    rank: RankFile | None = None
    per: Annotated[int, Between(1, 100_000)] | None = None
    times: Expression | None = None
    table: Raw | None = None
    points: Annotated[int, Between(-100_000, 100_000)] = 1
    at_least: int | None = None
    at_most: int | None = None
    if_: Expression | None = None
    place: Place


class TieBreakerFile(Struct, frozen=True, kw_only=True):
    """Decides between players with the same total: whoever has the `most` or the `fewest` of something wins. `label`
    names it in the result."""

    label: str
    most: Expression | None = None
    fewest: Expression | None = None
    place: Place


class CheckFile(Struct, frozen=True, kw_only=True):
    """Something that a filled-in sheet must satisfy. Blank fields are never at fault.

    One of these says what is checked: `check` (an expression that must be true); `rising` or `falling` rows of numbers
    (`strict: false` allows equal ones); `distinct` or `equal` values; `no_gaps` (rows filled from their start);
    `connected` (the marked squares of a grid touch; `diagonal: true` counts corners); or `value` (each value), `sum` or
    `count` with the bounds `at_least`, `at_most` or `exactly`, which are expressions themselves.

    `label` is the rule in plain words; `message` is what a finding says, with expressions in braces: `{bid} is more
    than {2 * round}`. Both are generated if they are missing. The check applies only where `if` is true."""

    id: str = ""
    label: str = ""
    message: str = ""
    severity: Literal["error", "warning"] = "error"
    check: Expression | None = None
    rising: tuple[Expression, ...] = ()
    falling: tuple[Expression, ...] = ()
    strict: bool = True
    distinct: tuple[Expression, ...] = ()
    equal: tuple[Expression, ...] = ()
    no_gaps: tuple[Expression, ...] = ()
    connected: tuple[Expression, ...] = ()
    diagonal: bool = False
    value: tuple[Expression, ...] = ()
    sum: tuple[Expression, ...] = ()
    count: tuple[Expression, ...] = ()
    at_least: Expression | None = None
    at_most: Expression | None = None
    exactly: Expression | None = None
    if_: Expression | None = None
    place: Place


class Asking(Struct, frozen=True, kw_only=True):
    """`questions` in sheet.yaml: how `pencilbox fill` asks for a sheet. Parts are named by their keys, with dots.

    - `order`: the top-level parts to ask for first.
    - `places`: the values that are typed without their keys on the line of a part.
    - `when`: the field that a part depends on, and the mark it must have (`option`, `snake`; an empty text: any mark;
      `not without`: any other; `blank`: none). If both are in the same list, the mark in the same entry counts.
    - `never`: parts that are only on paper, because a file has another part for the same.
    - `rest`: texts that run to the end of the line, so that keys in them are ordinary words.
    - `later`: rules whose problems may disappear as the rest of the sheet is filled in.
    - `by_rows`: grids in which a row can be checked as soon as the row below it is typed.
    - `notes`, `examples`: the description of a part, and an example of a typed line, or several with “, or ” between
      them. An example is not shown if it names a value that is not in play, or if another example
      begins with it.
    """

    order: tuple[str, ...] = ()
    places: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: Empty)
    when: Mapping[str, tuple[str, str]] = field(default_factory=lambda: Empty)
    rest: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    by_rows: frozenset[str] = frozenset()
    notes: Mapping[str, str] = field(default_factory=lambda: Empty)
    examples: Mapping[str, str] = field(default_factory=lambda: Empty)
    never: frozenset[str] = frozenset()


class SheetFile(Struct, frozen=True, kw_only=True):
    """sheet.yaml: the fields of a score sheet, for printing and for scoring.

    In a game without Python rules, Pencilbox checks `sums` and `checks` and adds up `score`. `players` names the
    repeated group of the players, whose `name` field is the player's name. The highest total wins, or with
    `highest_wins: false` the lowest; `tie_breakers` decide between equal totals, the first one that differs. `unit` is
    what a total counts, in one word: “Ann wins with 12 coins”. `questions` says how `fill` asks for the sheet."""

    title: str
    intro: str = ""
    fields: dict[str, FieldFile]
    players: str | None = None
    sums: tuple[SumFile, ...] = ()
    score: tuple[LineFile, ...] = ()
    checks: tuple[CheckFile, ...] = ()
    highest_wins: bool = True
    unit: str = "point"
    tie_breakers: tuple[TieBreakerFile, ...] = ()
    questions: Asking = Asking()
    place: Place | None = None


class Field(Struct, frozen=True):
    """A field: a slot to fill in on paper, and a value in a file."""

    id: str
    kind: str
    label: str
    tip: str
    span: Span | None
    length: int
    choices: tuple[str, ...]
    required: bool


class ScoreSheet(Struct, frozen=True, eq=False):
    """A score sheet: its definition, which files are read against, and all printed `fields` in reading order. `columns`
    are those of the game's cards, each with the kind of its values (whole, yes or text)."""

    name: str
    definition: SheetFile
    fields: Mapping[str, Field]
    columns: Mapping[str, str] = field(default_factory=lambda: Empty)

    @property
    def has_rules(self) -> bool:
        """Whether its YAML states rules besides those of single fields."""
        definition = self.definition
        return bool(definition.score or definition.sums or definition.checks or definition.tie_breakers)


# ---- components ---------------------------------------------------------------------------------------------------

ComponentKind = Literal["deck", "sheet", "booklet", "dice", "box", "pawns", "board", "page"]


class ComponentFile(Struct, frozen=True, kw_only=True):
    """A component: something that is printed. Its key in game.yaml is its name on the command line.

    - deck: `cards` (file), `size` (a named size or `W x H`), `face` and `back` (templates; a card's own field `back`
      takes precedence), `shape` (`rectangle`, `rounded` with a `radius`, `round`, `hex` or `pointed-hex`), `bleed`,
      `safe`, `gutter`, `duplex`, `copies`, `up` (2: two on a page, each half the paper, without backs).
    - sheet: `sheet` (file), `face` (a template, or a list of them: one for each page), `margin` (its safe area), `up`
      (2: two on a page, each half the paper), `landscape` (whether it is wider than high). `proof` lists the templates
      of its last pages, which are only needed to have a game checked: pads do not repeat them. `large` lists those of
      all pages in large print, on a whole paper.
    - booklet: `text` (a Markdown template: `rules` is the file rules.md.j2), printed on half-paper pages.
    - dice: `dice` (file), `face`, `size` (the edge of a cube); printed as nets to fold.
    - box: a tuck box for the cards of `decks` (components), each `stock` mm thick, with `clearance` in each direction,
      or for anything that fits into its `room` (`W x H x D`); `panels` names the templates of its front, back, left,
      right, top and bottom. With `form: band`, a strip to fold over the top edge of a pad instead: `room` is its
      length, the height of its front and back, and the thickness of the pad, and it has a front, a top and a back.
      With `form: sleeve`, a tube without ends: front, back, left and right. With `form: tray`, an open tray to roll
      dice in: `room` is the width and length of its floor and the height of its walls, and its panels are `floor`,
      `inside` and `outside` (of each wall).
    - pawns: `cards` (file), `face`, `back`, `size` (of a pawn's side) and `base` (the depth of its foot). With `shape:
      rounded`, its upper corners have the `radius`.
    - board: `board` (file), `face`, `bleed`, `overlap` of its tiles if the paper is smaller.
    - page: whole pages without fields, one per card: `face`, `margin`, `up`, `cards` (file). Without `cards` the page
      shows the cards of a random set and is printed only with one.

    With `home: true`, a component is made at home: print services do not get it unless you name it. `products` names
    the product of a service to use, by the name of the target, where none has the component's size.

    `with` names components that share its pages to save paper: decks of the same size share those of a deck; dice,
    boxes, pawns and fronts of decks share those of pieces. Named on the command line, they are still printed alone.
    """

    kind: ComponentKind
    title: str
    about: str = ""
    cards: FileName | None = None
    dice: FileName | None = None
    board: FileName | None = None
    sheet: FileName | None = None
    decks: tuple[str, ...] = ()
    text: str | None = None
    face: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    large: tuple[str, ...] = ()
    back: str = ""
    panels: dict[str, str] = empty_mapping()
    form: Literal["tuck", "sleeve", "band", "tray"] = "tuck"
    room: Room | None = None
    size: str | None = None
    with_: tuple[str, ...] = ()
    home: bool = False
    products: dict[str, str] = empty_mapping()
    copies: Annotated[int, Between(1, limits.COPIES)] = 1
    up: Literal[1, 2] = 1
    landscape: bool = False
    bleed: Annotated[Length, Between(0, 20)] = 0.0
    safe: Annotated[Length, Between(0, 50)] = 3.0
    shape: Literal["rectangle", "rounded", "round", "hex", "pointed-hex"] = "rectangle"
    radius: Annotated[Length, Between(0, 200)] = 3.0
    gutter: Annotated[Length, Between(0, 50)] | None = None
    margin: Annotated[Length, Between(0, 100)] = 8.0
    overlap: Annotated[Length, Between(0, 50)] = 12.0
    stock: Annotated[Length, Between(0.01, 5)] = 0.3
    clearance: Annotated[Length, Between(0, 50)] = 1.2
    base: Annotated[Length, Between(1, 100)] = 14.0
    duplex: Literal["long", "short", "gutterfold", "none"] | None = None
    place: Place | None = None


class Component(Struct, frozen=True):
    """A component with the content of its files: `cards` (also dice and pawns) with their `columns` and `size`,
    `sheet`, `board`. `source` is the file of the cards with its worksheet, and `notes` report
    uncertain guesses about it."""

    name: str
    definition: ComponentFile
    cards: tuple[Card, ...] = ()
    size: Size | None = None
    sheet: ScoreSheet | None = None
    board: Board | None = None
    columns: Columns = NO_COLUMNS
    source: str = ""
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    """The files that describe the component."""

    @property
    def kind(self) -> str:
        """`deck`, `sheet`, `dice`, and so on, as in game.yaml."""
        return self.definition.kind


# ---- random sets --------------------------------------------------------------------------------------------------


class DrawFile(Struct, frozen=True, kw_only=True):
    """Something that can be drawn at random: the `kind` of its codes, the score sheet `field` that holds its code, and
    the ids of its recipes, each with the option values it applies to."""

    kind: Literal["C", "D", "R", "S", "B"]
    about: str = ""
    field: str = "set"
    default: str | None = None
    recipes: dict[str, dict[str, tuple[str, ...]]]
    place: Place | None = None


class SetsFile(Struct, frozen=True, kw_only=True):
    """sets.yaml: the recipes of a game's random sets by id, the `default` one, and what can be drawn with them.
    Each game defines what a recipe contains. A published recipe never changes, because printed codes refer to it."""

    default: str
    draws: dict[str, DrawFile] = empty_mapping()
    recipes: dict[str, Raw]


# ---- the game -----------------------------------------------------------------------------------------------------


class GameFile(Struct, frozen=True, kw_only=True):
    """game.yaml. `rules` holds numbers and options for the game's Python rules and booklet. `draws` says what
    `pencilbox randomise` draws; `prefix` is the two capital letters at the start of its set codes, by default from the
    title. `sets` names the recipes of a shipped game. `printer_margin` is the edge of the paper that printers leave
    white, if not that of each paper."""

    title: str
    tagline: str = ""
    prefix: str = ""
    players: Span | None = None
    age: int | None = None
    minutes: int | None = None
    designer: str = ""
    credits: tuple[str, ...] = ()
    theme: FileName = FileName("theme.yaml")
    low_ink: FileName = FileName("low_ink.yaml")
    high_contrast: FileName = FileName("high_contrast.yaml")
    components: dict[str, ComponentFile]
    judged: str | None = None
    rules: dict[str, Raw] = empty_mapping()
    draws: dict[str, OwnDrawFile] = empty_mapping()
    sets: FileName | None = None
    printer_margin: Annotated[Length, Between(0, 30)] | None = None


ANY_PLAYERS = Span(1, 99)


class Game(Struct, frozen=True):
    """A game with the content of all its files.

    `rules` holds plain Python values (int, float, bool, str, tuple, Mapping); `sets` holds the recipes of its random
    sets in the same form, and `sets_file` as nodes with their lines; `draws` is what can be drawn. `templates` lists
    the folders of face templates, the game's own first. `judged` is the sheet assumed for a file that does not name
    one. `low_ink` is the ink-saving theme, and `high_contrast` that for high contrast (None: `theme`). `table` is the
    bare table of cards of a game without a game.yaml, and `own_draws` are the draws of a game.yaml. `trusted_code` is
    the rules.py of your own game if it may be run.
    `left_out` names the components that cannot be read, or need one that cannot, and `problems` says why.
    """

    key: str
    definition: GameFile
    folder: Path
    templates: tuple[Path, ...]
    theme: Theme
    low_ink: Theme
    components: Mapping[str, Component]
    rules: Mapping[str, Any]
    sets: Mapping[str, Any]
    judged: str | None
    draws: Mapping[str, DrawFile] = field(default_factory=lambda: Empty)
    sets_file: Node | None = None
    table: Path | None = None
    own_draws: Mapping[str, OwnDraw] = field(default_factory=lambda: Empty)
    high_contrast: Theme | None = None
    trusted_code: Path | None = None
    left_out: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def title(self) -> str:
        """The title as printed."""
        return self.definition.title

    @property
    def players(self) -> Span:
        """How many can play; any number if game.yaml does not say."""
        return self.definition.players or ANY_PLAYERS

    @property
    def sheets(self) -> Mapping[str, ScoreSheet]:
        """Score sheets by component name."""
        return {name: c.sheet for name, c in self.components.items() if c.sheet}
