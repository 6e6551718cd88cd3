"""What a game's YAML files say, typed. `load` makes these; nothing changes them afterwards.

Lengths are millimetres. The classes named `…File` mirror one YAML file each and are what `docs/schema/` publishes;
the others are what the rest of the program works with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..errors import Place
from .values import Between, Colour, ColumnFile, Empty, FileName, Length, Raw, Size, Span, TypeSize, empty_mapping

if TYPE_CHECKING:
    from .boards import Board
    from .nodes import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFile:
    """A figure of the report on simulated games: what it is multiplied by; with `aim` its distance from that value
    counts instead of itself."""

    figure: str
    weight: float
    aim: float | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceFile:
    """balance.yaml: `games` says for each player (random, greedy, careful) how many games take about ten seconds, and
    `score` what a set is judged by: a sum of figures, each times its weight; the lowest is the best. `scores` are for
    what is drawn by these names and judged otherwise."""

    games: dict[str, int] = field(default_factory=dict)
    score: tuple[WeightFile, ...] = ()
    scores: dict[str, tuple[WeightFile, ...]] = field(default_factory=dict)


TYPE_SIZES = Between(0.3, 300)
"""mm."""

# ---- look ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a text is set. `floor` is the smallest size it may shrink to; `leading` a multiple of the size."""

    font: str = "regular"
    size: Annotated[TypeSize, TYPE_SIZES]
    floor: Annotated[TypeSize, TYPE_SIZES] | None = None
    leading: Annotated[float, Between(0.5, 5)] = 1.28
    colour: Colour = Colour("ink")
    align: Literal["left", "center", "right"] = "left"
    case: Literal["none", "upper"] = "none"
    tracking: Annotated[Length, Between(-5, 20)] = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeFile:
    """theme.yaml: what is missing here is taken from data/_shared/theme.yaml; low_ink.yaml is laid over both.

    `fonts` maps a font's name to a TTF file; `bold`, `italic` and `bold-italic` serve marked-up text."""

    colours: dict[str, Colour] = empty_mapping()
    fonts: dict[str, FileName] = empty_mapping()
    styles: dict[str, Style] = empty_mapping()


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours (all `#rrggbb`), font files and styles, shared ones included, and the folders icons come from."""

    colours: Mapping[str, str]
    fonts: Mapping[str, Path]
    styles: Mapping[str, Style]
    icon_folders: tuple[Path, ...]


# ---- cards --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsFile:
    """cards.yaml: the declared fields of a deck's cards, and the cards (here, or in a CSV or XLSX file).

    Every card has `id` (without one: its number in the list) and `copies` (default 1)."""

    fields: dict[str, ColumnFile] = empty_mapping()
    cards: Raw | None = None
    table: FileName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceFile:
    """dice.yaml: dice, each with `faces` (six texts: the first lies opposite the sixth, the second opposite the fifth,
    the third opposite the fourth), `copies`, and whatever `fields` declares."""

    fields: dict[str, ColumnFile] = empty_mapping()
    dice: Raw


@dataclass(frozen=True, slots=True)
class Card:
    """One card as YAML says it: id, number of copies and its declared fields (absent ones are None)."""

    id: str
    values: Mapping[str, Any]
    copies: int = 1
    place: Place | None = None

    def __getattr__(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None


# ---- score sheets -------------------------------------------------------------------------------------------------

FieldKind = Literal["text", "number", "die", "tick", "choice", "code", "card"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldFile:
    """A field, a row of fields, or a group of a score sheet, as YAML says it.

    - A plain field has a `kind`. `count: n` makes it a row of n marks with ids `name.1` … `name.n`; for ticks a file
      may give the numbers of the ticked ones instead.
    - `fields` makes it a group; with `repeat: n` a repeated one, `n` times on the paper and up to `most` in a file.
    - `across: n` makes a group a grid: its fields stand in rows of `n`, the top row first, and a file may give it as
      rows of marks.
    - `label` is printed on the paper, `also` are other words printed for the same field; a file may use either, in any
      case, for the key. `tip` is the tooltip. `span` limits numbers, `length` texts, `choices`
      choices. `required` and `span` are checked from YAML alone.
    - `by: players` says that a row or repeated group has one entry for each name in the row `players`, so that a file
      may give the name instead of the number. `zero` lets a 0 stand for a whole group, as a mark of its own.
    - `paper: false` is a field that can be typed and has no place on the paper.
    """

    kind: FieldKind | None = None
    label: str = ""
    also: tuple[str, ...] = ()
    tip: str = ""
    count: int | None = None
    span: Span | None = None
    length: int = 24
    choices: tuple[str, ...] = ()
    required: bool = False
    fields: dict[str, FieldFile] | None = None
    repeat: int | None = None
    most: int | None = None
    across: int | None = None
    by: str | None = None
    zero: bool = False
    paper: bool = True
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SumFile:
    """A claimed sum: the field `total` should be the sum of the fields `of` (`*` stands for every number of a
    repeated group; a `*` in `total` binds the same one in `of`). Fields that a score line counts are added up with the
    line's `points`; `count: true` adds up the marks themselves."""

    total: str
    of: tuple[str, ...]
    count: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFile:
    """A score line of a sheet judged from YAML alone: its label and the fields added up, each times `points`."""

    label: str
    of: tuple[str, ...]
    points: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFile:
    """sheet.yaml: the fields of a score sheet, written once for paper and judge.

    Without Python rules, `sums` and `score` say what the judge checks and adds up; `players` names the repeated
    group that holds the players (its `name` field is the player's name)."""

    title: str
    intro: str = ""
    fields: dict[str, FieldFile]
    players: str | None = None
    sums: tuple[SumFile, ...] = ()
    score: tuple[LineFile, ...] = ()
    highest_wins: bool = True
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """One mark on the paper: a slot in print, a mark in a file."""

    id: str
    kind: str
    label: str
    tip: str
    span: Span | None
    length: int
    choices: tuple[str, ...]
    required: bool


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A score sheet: the tree a file is read by, and `fields`, every printed mark in reading order."""

    name: str
    definition: SheetFile
    fields: Mapping[str, Field]


# ---- components ---------------------------------------------------------------------------------------------------

ComponentKind = Literal["deck", "sheet", "booklet", "dice", "box", "pawns", "board", "page"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentFile:
    """One thing that is printed, as game.yaml says it. Its key is its name on the command line.

    - deck: `cards` (file), `size` (a named size or `W x H`), `face` and `back` (templates; a card's own field `back`
      wins), `bleed`, `safe`, `gutter`, `duplex`, `copies`, `up` (2: two of them on a page, each half the paper, without
      backs).
    - sheet: `sheet` (file), `face` (a template, or a list of them: one for each page), `margin` (its safe area), `up`
      (2: two of them on a page, each half the paper).
    - booklet: `text` (a Markdown template: `rules` is the file rules.md.j2), set on half-paper pages.
    - dice: `dice` (file), `face`, `size` (the edge of a cube); foldable nets.
    - box: a tuck box for the cards of `decks` (components), each `stock` mm thick, with `clearance` in each direction;
      `panels` names the templates of its front, back, left, right, top and bottom.
    - pawns: `cards` (file), `face`, `back`, `size` (of a pawn's side) and `base` (the depth of its foot).
    - board: `board` (file), `face`, `overlap` of its tiles where the paper is smaller.
    - page: whole pages without fields, one for each of its cards: `face`, `margin`, `up`; `cards` (file), or those
      that a random set gives it, without which it is not printed.

    `with` names components that are printed on the same pages, to save paper: decks of the same size with a deck; dice,
    boxes, pawns and the fronts of decks with what is cut out. They are still printed alone where asked for by name.
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
    back: str = ""
    panels: dict[str, str] = empty_mapping()
    size: str | None = None
    with_: tuple[str, ...] = ()
    copies: int = 1
    up: Literal[1, 2] = 1
    bleed: Annotated[Length, Between(0, 20)] = 0.0
    safe: Annotated[Length, Between(0, 50)] = 3.0
    gutter: Annotated[Length, Between(0, 50)] = 0.0
    margin: Annotated[Length, Between(0, 100)] = 8.0
    overlap: Annotated[Length, Between(0, 50)] = 12.0
    stock: Annotated[Length, Between(0.01, 5)] = 0.3
    clearance: Annotated[Length, Between(0, 50)] = 1.2
    base: Annotated[Length, Between(1, 100)] = 14.0
    duplex: Literal["long", "short", "gutterfold", "none"] | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Component:
    """A component with its files read: `cards` of a deck, its dice or pawns; their `size`; `sheet` and `board`."""

    name: str
    definition: ComponentFile
    cards: tuple[Card, ...] = ()
    size: Size | None = None
    sheet: ScoreSheet | None = None
    board: Board | None = None

    @property
    def kind(self) -> str:
        return self.definition.kind


# ---- random sets --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawFile:
    """One thing that can be drawn, its name being its key: the `kind` of its codes, the `field` of score sheets that
    names its code, and the ids of its recipes, each with the options it is for (an option may have several values)."""

    kind: Literal["C", "D", "R", "S", "B"]
    about: str = ""
    field: str = "set"
    default: str | None = None
    recipes: dict[str, dict[str, tuple[str, ...]]]
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsFile:
    """sets.yaml: the recipes of a game's random sets by their ids, the `default` one, and what can be drawn by them.
    What a recipe holds is the game's own; a published recipe is never changed, as printed codes name it."""

    default: str
    draws: dict[str, DrawFile] = empty_mapping()
    recipes: dict[str, Raw]


# ---- the game -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFile:
    """game.yaml. `rules` holds the game's own numbers and options, for its Python rules and its booklet; `prefix` is
    the two capital letters at the start of its set codes, required where `sets` is given."""

    title: str
    tagline: str = ""
    prefix: str = ""
    players: Span
    age: int | None = None
    minutes: int | None = None
    designer: str = ""
    credits: tuple[str, ...] = ()
    theme: FileName = FileName("theme.yaml")
    low_ink: FileName = FileName("low_ink.yaml")
    components: dict[str, ComponentFile]
    judged: str | None = None
    rules: dict[str, Raw] = empty_mapping()
    sets: FileName | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game with all its files read.

    `rules` holds plain Python values (int, float, bool, str, tuple, Mapping); `sets` the recipes of its random sets,
    likewise, and `sets_file` the same with the lines they stand on; `draws` says what can be drawn. `templates`
    lists the folders face templates come from, the game's own first. `judged` is the sheet a
    file is taken for when it does not name one. `low_ink` is the theme that saves ink.
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

    @property
    def title(self) -> str:
        return self.definition.title

    @property
    def sheets(self) -> Mapping[str, ScoreSheet]:
        """Score sheets by component name."""
        return {name: c.sheet for name, c in self.components.items() if c.sheet}
