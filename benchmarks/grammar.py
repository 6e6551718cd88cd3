"""Random templates, and cards to print with them: the decks that nothing can be tuned to.

A face is drawn from a grammar: a box of a certain size becomes rows, columns, tables, loops, conditions, macros and
layers of smaller boxes, and in the end texts, icons, pictures and shapes. Their texts, colours, names, sizes and counts
are constants or columns of the table. Texts are only as long as their boxes hold, so every deck can be printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks.chance import Chance

SIZES = ("63 x 88", "44 x 63", "70 x 120", "85 x 55", "70 x 70", "57 x 87", "105 x 148")
COUNTS = (2, 3, 5, 8, 24, 80, 400, 0)
"""How many different values a column has; 0: each card has its own."""
LOW, HIGH = 1.9, 3.2
"""The height of a line at the smallest and at the usual size of type, in mm."""
WIDE = {"tiny": 0.95, "plain": 1.5, "strong": 1.7, "loud": 2.0, "slanted": 1.5}
"""The width of an average letter of each style at its usual size, in mm, rounded up."""
STYLES = """\
  badge: {font: black, size: 12pt, floor: 6pt, align: center, leading: 1.0}
  tiny: {size: 5pt, floor: 4.5pt, leading: 1.1}
  plain: {size: 7.5pt, floor: 4.5pt, leading: 1.15}
  strong: {font: bold, size: 8pt, floor: 4.5pt, align: center, leading: 1.1}
  loud: {font: black, size: 10pt, floor: 4.5pt, leading: 1.0, colour: accent}
  slanted: {font: italic, size: 7.5pt, floor: 4.5pt, leading: 1.2, align: right}
"""
SHAPES = ("M12 2 L22 22 H2 Z", "M2 2 H22 V22 H2 Z", "M12 2 C22 2 22 22 12 22 S2 2 12 2 Z")
Column = tuple[str, Callable[[], object]]
"""What a column of the table is declared as, and its value for the next card."""


@dataclass(slots=True)
class Grammar:
    """Draws templates, and the columns that they mention."""

    chance: Chance
    icons: list[str] = field(init=False)
    pictures: list[str] = field(init=False)
    colours: list[str] = field(init=False)
    columns: dict[str, Column] = field(default_factory=dict)
    macros: list[str] = field(default_factory=list)
    mentioned: dict[str, list[str]] = field(default_factory=dict)
    """The columns of each sort, which may be mentioned again."""
    parts: dict[str, str] = field(default_factory=dict)
    """Templates that are included, by their names."""

    def __post_init__(self) -> None:
        chance = self.chance
        self.icons = chance.names(chance.randint(3, 9))
        self.pictures = [f"art/{name}.jpg" for name in chance.names(8)]
        self.colours = ["ink", "gold", "accent", *chance.names(6)]

    def face(self, width: float, height: float, depth: int = 4) -> str:
        """A template for a face of this size in mm."""
        self.macros = []
        pad = self.chance.choice((2, 3, 4))
        body = self.box(width - 2 * pad, height - 2 * pad, self.chance.randint(depth - 2, depth) or 1)
        look = "".join(self.look(radius=False))
        return "\n".join(
            (*self.macros, f'<face padding="{pad}"{look}>', f'<stack grow="1">{body}</stack>', "</face>\n")
        )

    def rows(self, count: int) -> list[dict[str, object]]:
        return [{name: value() for name, (_, value) in self.columns.items()} for _ in range(count)]

    def fields(self) -> dict[str, str]:
        """What the columns of the table are declared as."""
        return {name: kind for name, (kind, _) in self.columns.items()}

    def files(self) -> dict[str, str | bytes]:
        """The theme, and the icons, pictures and templates that the faces mention."""
        named = "".join(f"  {name}: '{self.chance.colour(60, 220)}'\n" for name in self.colours[1:])
        return {
            "theme.yaml": f"colours:\n{named}styles:\n{STYLES}",
            **{f"icons/{name}.svg": self.chance.icon() for name in self.icons},
            **{name: self.chance.picture(200) for name in self.pictures},
            **{f"templates/{name}": text for name, text in self.parts.items()},
        }

    # ---- columns of the table

    def column(self, kind: str, make: Callable[[], object], counts: Sequence[int] = COUNTS, sort: str = "") -> str:
        """A column, as templates mention it: one of the same sort, or a new one. Its cards share a number of different
        values, or have their own."""
        chance, same = self.chance, self.mentioned.setdefault(kind + sort, [])
        if same and chance.random() < 0.5:
            return chance.choice(same)
        pool = [make() for _ in range(chance.choice(counts))]
        name = f"{chance.choice(chance.words[40:]).encode('ascii', 'ignore').decode()}_{len(self.columns)}"
        self.columns[name] = (kind, lambda: chance.choice(pool) if pool else make())
        same.append(f"card.{name}")
        return same[-1]

    def number(self, low: int, high: int) -> str:
        return self.column("kind: number", lambda: self.chance.randint(low, high), sort=f"{low} {high}")

    def value(self, kind: str, values: Sequence[str]) -> str:
        """One of the values for all cards, or a column of them."""
        if self.chance.random() < 0.4:
            return self.chance.choice(values)
        return f"{{{{ {self.column(kind, lambda: self.chance.choice(values), COUNTS[:5])} }}}}"

    def colour(self) -> str:
        own = self.chance.random() < 0.15
        return self.value("kind: colour", [self.chance.colour() for _ in range(300)] if own else self.colours)

    # ---- boxes

    def look(self, *, radius: bool = True) -> list[str]:
        """Attributes that do not change any size."""
        chance, written = self.chance, []
        if chance.random() < 0.4:
            written.append(f' fill="{self.colour()}"')
        elif chance.random() < 0.2:
            written.append(f' fill="linear-gradient({chance.randrange(0, 360, 45)}deg, {self.colour()}, paper)"')
        if chance.random() < 0.3:
            written.append(f' stroke="{self.colour()}" stroke-width="{chance.choice((0.2, 0.4, 0.7))}"')
        if radius and chance.random() < 0.3:
            written.append(f' radius="{chance.choice((1, 2, "1 0 1 0"))}"')
        return written

    def box(self, width: float, height: float, depth: int) -> str:
        """Markup that fits a box of this size."""
        if width < 4 or height < 3:
            return f"<stack{''.join(self.look())}/>"
        if depth <= 0:
            return self.leaf(width, height)
        kinds = [self.split, self.split, self.flow, self.layers, self.condition, self.loop, self.table]
        kinds += [self.called, self.included, self.faded]
        return self.chance.choices(kinds, (6, 6, 4, 3, 2, 3, 2, 1, 1, 1))[0](width, height, depth - 1)

    def split(self, width: float, height: float, depth: int) -> str:
        """A row or column of boxes of fixed sizes, one of which may grow."""
        chance = self.chance
        column = height > width if chance.random() < 0.7 else height <= width
        whole = height if column else width
        count = min(chance.randint(2, 4), int(whole // 7) or 1)
        gap = chance.choice((0, 0.5, 1))
        shares = [chance.uniform(0.6, 2) for _ in range(count)]
        room = whole - gap * (count - 1)
        grows = chance.randrange(count) if chance.random() < 0.5 else -1
        inside = []
        for place, share in enumerate(shares):
            size = int(room * share / sum(shares) * 100) / 100
            content = self.box(width if column else size, size if column else height, depth)
            length = 'grow="1"' if place == grows else f'{"height" if column else "width"}="{size:.2f}"'
            inside.append(f"<stack {length}{''.join(self.look())}>{content}</stack>")
        kind = "column" if column else "row"
        return f'<{kind} gap="{gap}">{"".join(inside)}</{kind}>'

    def flow(self, width: float, height: float, depth: int) -> str:
        """A text as high as it needs, and a box in the space that it leaves, above or below."""
        share = self.chance.uniform(0.3, 0.6)
        if width < 16 or height * share < 5:
            return self.leaf(width, height)
        text = f"<stack>{self.text(width, height * share, shrinks=False)}</stack>"
        rest = f'<stack grow="1"{"".join(self.look())}>{self.box(width, height * (1 - share) - 1.2, depth)}</stack>'
        return (
            f'<column gap="1">{text}{rest}</column>'
            if self.chance.random() < 0.6
            else (f'<column gap="1">{rest}{text}</column>')
        )

    def layers(self, width: float, height: float, depth: int) -> str:
        chance = self.chance
        back = self.leaf(width, height, words=False)
        x, y = chance.uniform(0, width / 3), chance.uniform(0, height / 3)
        inside = self.box(width - x - 0.03, height - y - 0.03, depth)
        look = "".join(self.look())
        place = f'x="{x:.2f}" y="{y:.2f}" width="{width - x - 0.01:.2f}" height="{height - y - 0.01:.2f}"'
        mark = ""
        if width > 12 and height > 12:
            angle = chance.choice((0, 0, 12, -20))
            mark = f'<at x="{width / 2 - 3:.2f}" y="2" width="6" height="6" turn="{angle}">{self.icon()}</at>'
        return f"<stack>{back}<at {place}{look}>{inside}</at>{mark}</stack>"

    def condition(self, width: float, height: float, depth: int) -> str:
        test = f"{self.number(1, 9)} > {self.chance.randint(2, 7)}"
        other = self.box(width, height, depth) if self.chance.random() < 0.5 else ""
        return f"{{% if {test} %}}{self.box(width, height, depth)}{{% else %}}{other}<stack/>{{% endif %}}"

    def loop(self, width: float, height: float, _: int) -> str:
        """A row of icons or short texts, as long as the card says."""
        chance = self.chance
        most = min(int(width // 4), chance.choice((3, 5, 8)))
        size = min(height, width / most) - 0.6
        if chance.random() < 0.5:
            names = self.column("kind: icon, list: true", lambda: self.listed(self.icons, most), sort=str(most))
            inside = f'<icon name="{{{{ item }}}}" size="{size:.2f}"/>'
        else:
            letters = [letter for word in chance.words[:20] for letter in word[0].upper()] + [*"0123456789"]
            names = self.column("list: true", lambda: self.listed(letters, most), sort=str(most))
            look = "".join(self.look())
            text = '<text style="tiny" align="center" valign="middle">{{ item }}</text>'
            inside = f'<stack width="{size:.2f}" height="{size:.2f}"{look}>{text}</stack>'
        return f'<row gap="0.5" align="center">{{% for item in {names} %}}{inside}{{% endfor %}}</row>'

    def listed(self, values: Sequence[str], most: int) -> str:
        return " ".join(self.chance.choices(values, k=self.chance.randint(1, most)))

    def table(self, width: float, height: float, depth: int) -> str:
        """A grid whose rows are names and numbers, as many as the card has."""
        most = min(int(height // (LOW + 1.2)), 7)
        if width < 28 or most < 2:
            return self.leaf(width, height)
        chance = self.chance
        names = self.column("list: true", lambda: " ".join(chance.some(1, most)), sort=f"words {most}")
        shade = f' fill="{self.colour()}"' if chance.random() < 0.3 else ""
        name = f'<text style="tiny"{shade}>{{{{ item{chance.choice(("", " | title", " | upper"))} }}}}</text>'
        number = f'<text style="tiny" align="right">{{{{ loop.index * {chance.randint(1, 9)} }}}}</text>'
        return f'<grid columns="1fr 7" gap="0.5 1">{{% for item in {names} %}}{name}{number}{{% endfor %}}</grid>'

    def called(self, width: float, height: float, _: int) -> str:
        """A macro, called with values of the card."""
        name = f"part_{len(self.macros)}"
        long = self.length(width, height, WIDE["tiny"], LOW)
        if long < 9:
            return self.leaf(width, height)
        shade = f' fill="{self.colour()}"'
        text = '<text style="tiny" colour="{{ colour }}" valign="middle">{{ words }}</text>'
        self.macros.append(f"{{% macro {name}(words, colour) %}}<stack{shade}>{text}</stack>{{% endmacro %}}")
        colour = self.column("kind: colour", lambda: self.chance.choice(self.colours), COUNTS[:4])
        return f"{{{{ {name}({self.words(long, 'kind: text')}, {colour}) }}}}"

    def included(self, width: float, height: float, depth: int) -> str:
        name = f"part_{len(self.parts)}.xml.j2"
        macros, self.macros = self.macros, []
        self.parts[name] = ""
        inside = self.box(width, height, depth)
        self.parts[name] = "\n".join((*self.macros, inside)) + "\n"
        self.macros = macros
        return f'{{% include "{name}" %}}'

    def faded(self, width: float, height: float, depth: int) -> str:
        """A box that is half transparent or clipped."""
        way = self.chance.choice((f'opacity="{self.chance.choice((0.4, 0.8))}"', 'clip="round"', 'clip="hex"'))
        return f"<stack {way}{''.join(self.look())}>{self.box(width, height, depth)}</stack>"

    # ---- what is seen

    def leaf(self, width: float, height: float, *, words: bool = True) -> str:
        chance = self.chance
        if words and self.length(width, height, WIDE["tiny"], LOW) >= 9 and chance.random() < 0.75:
            return self.text(width, height)
        if width >= 12 and height >= 10 and chance.random() < 0.4:
            fit, file = chance.choice(("cover", "contain", "fill")), self.value("kind: image", self.pictures)
            return f'<image file="{file}" fit="{fit}" radius="{chance.choice((0, 2))}"/>'
        if chance.random() < 0.5:
            return self.icon()
        if chance.random() < 0.4:
            return f'<path d="{chance.choice(SHAPES)}" fill="{self.colour()}"/>'
        return f"<stack{''.join(self.look())}/>"

    def icon(self) -> str:
        colour = f' colour="{self.colour()}"' if self.chance.random() < 0.3 else ""
        return f'<icon name="{self.value("kind: icon", self.icons)}"{colour}/>'

    def length(self, width: float, height: float, wide: float, high: float) -> int:
        """How many letters fit this box for certain."""
        in_line = int(width / wide)
        return min(int(in_line * int(height / high) * 0.6), 240) if in_line > 8 else 0

    def words(self, long: int, kind: str, rich: bool = False) -> str:
        """A column of texts of at most this length."""
        most = max(1, long // 9)
        low = self.chance.choice((1, max(1, most - 2)))

        def make() -> str:
            if rich and most > 3:
                return self.chance.rules(low, most - 2, self.icons)[:-1]
            return " ".join(self.chance.some(low, most))

        return self.column(kind, make, sort=f"{rich} {long}")

    def text(self, width: float, height: float, *, shrinks: bool = True) -> str:
        """A text that fits this box, at its usual size unless it `shrinks`."""
        chance = self.chance
        style = chance.choice([*WIDE])
        turned = shrinks and height > width and height > 14 and chance.random() < 0.15
        across, down = (height, width) if turned else (width, height)
        if shrinks:
            long = self.length(across, down, WIDE["tiny"] * 1.1, LOW * 1.1)
        else:
            long = self.length(across, down, WIDE[style], HIGH * 1.3)
        if long < 9:
            return "<stack/>"
        attributes = [f'style="{style}"']
        if turned:
            attributes.append('turn="90"')
        if chance.random() < 0.3:
            attributes.append(f'align="{chance.choice(("left", "center", "right", "justify"))}"')
        if chance.random() < 0.4:
            attributes.append(f'valign="{chance.choice(("top", "middle", "bottom"))}"')
        if chance.random() < 0.25:
            attributes.append(f'colour="{self.colour()}"')
        if shrinks and chance.random() < 0.1:
            attributes.append(f'font-size="{{{{ {self.number(5, 9)} }}}}pt"')
        return f"<text {' '.join(attributes)}>{self.running(long, shrinks)}</text>"

    def running(self, long: int, shrinks: bool) -> str:
        """The content of a text of at most `long` letters: values, and words between them."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.15:
            return f"{{{{ {self.number(1, 99)} }}}}"
        if long < 30 or kind < 0.45:
            change = chance.choice(("", "", " | title", " | upper")) if long < 60 or shrinks else ""
            return f"{{{{ {self.words(int(long * 0.8) if change else long, 'kind: text')}{change} }}}}"
        if kind < 0.75:
            return f"{{{{ {self.words(long, 'kind: text', rich=True)} | rich }}}}"
        fixed = " ".join(chance.some(1, 2))
        return (
            f"{fixed} <b>{{{{ {self.words(long // 3, 'kind: text')} }}}}</b>: {{{{ {self.number(1, 99)} }}}} "
            f'<icon name="{self.value("kind: icon", self.icons)}"/> {{{{ {self.words(long // 3, "kind: text")} }}}}'
        )
