"""Decks of many kinds for measurements: `python benchmarks/deck.py KIND FOLDER COUNT [SEED]` writes a game folder.

Everything that could be remembered from one deck to the next (words, names, colours, pictures, how often they recur)
depends on the seed, so nothing can be made fast for these decks alone. `random` draws the templates, too.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from openpyxl import Workbook

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import print_game
from benchmarks.chance import Chance
from benchmarks.grammar import SIZES, Grammar

Files = dict[str, str | bytes]
"""The contents of a game folder, by file name."""
Row = dict[str, object]
"""A card in its table."""


def plain(count: int, seed: int) -> Files:
    """Texts in boxes of fixed sizes: the workload that other tools print, too."""
    return print_game.files(count, seed=seed)


def rich(count: int, seed: int) -> Files:
    """The same with bold words and an icon in every paragraph."""
    return print_game.files(count, seed=seed, rich=True)


def sheets(count: int, seed: int) -> Files:
    """Numbered score sheets, two to a page."""
    return print_game.files(9, count, seed=seed)


def art(count: int, seed: int, *, ending: str = "csv") -> Files:
    """A picture out of 24 (PNG and JPEG), a suit's colour, one to five cost icons, perhaps a badge, rules with bold
    words and icons, flavour text on half of the cards, and a back for each suit."""
    chance = Chance(f"art {seed}")
    suits, icons = chance.names(chance.randint(4, 6)), chance.names(6)
    pictures = [f"art/{name}.{ending}" for name, ending in zip(chance.names(24), ("png", "jpg") * 12, strict=True)]
    rows: list[Row] = []
    for number in range(1, count + 1):
        rows.append(
            {
                "title": chance.name(),
                "suit": chance.choice(suits),
                "cost": " ".join([chance.choice(icons)] * chance.randint(1, 5)),
                "picture": chance.choice(pictures),
                "badge": chance.choice(["", "", chance.randint(1, 12)]),
                "kind": " ".join(chance.some(1, 2)),
                "rules": chance.rules(10, 30, icons),
                "flavour": chance.sentence(5, 11) if chance.random() < 0.5 else "",
                "footer": f"{chance.name()} · {number}/{count}",
            }
        )
    fields = {
        "suit": "kind: choice, choices: [" + ", ".join(suits) + "]",
        "cost": "kind: icon, list: true",
        "picture": "kind: image",
    }
    return {
        **game(rows, fields, ending=ending, back=_ART_BACK),
        "theme.yaml": theme({suit: chance.colour() for suit in suits}),
        "templates/card.xml.j2": _ART,
        **drawings(chance, [*icons, *suits]),
        **photographs(chance, pictures),
    }


_ART = """\
<face fill="{{ card.suit }}">
  <at x="3" y="3" width="57" height="82" radius="2" fill="paper"/>
  <at x="5" y="5" width="53" height="7">
    <row gap="0.5" align="center">
      <text style="name" grow="1" wrap="false">{{ card.title }}</text>
      {% for name in card.cost %}<icon name="{{ name }}" size="3.5"/>{% endfor %}
    </row>
  </at>
  <at x="5" y="13" width="53" height="27"><image file="{{ card.picture }}" fit="cover" radius="1"/></at>
  {% if card.badge %}
  <at x="47" y="34" width="9" height="9" radius="4.5" fill="gold" stroke="ink">
    <text style="badge" valign="middle">{{ card.badge }}</text>
  </at>
  {% endif %}
  <at x="5" y="41" width="53" height="5" fill="{{ card.suit | mix('paper', 0.75) }}">
    <text style="line" valign="middle">{{ card.suit }} · {{ card.kind }}</text>
  </at>
  <at x="6" y="47.5" width="51" height="32">
    <column gap="1.5">
      <text style="rules">{{ card.rules | rich }}</text>
      {% if card.flavour %}<line stroke="{{ card.suit }}"/><text style="flavour">{{ card.flavour }}</text>{% endif %}
    </column>
  </at>
  <at x="5" y="80.5" width="53" height="3">
    <text style="footer" valign="middle" wrap="false">{{ card.footer }}</text>
  </at>
</face>
"""
_ART_BACK = """\
<face fill="{{ card.suit }}">
  <at x="4" y="4" width="55" height="80" radius="2" stroke="paper" stroke-width="0.6"/>
  <at x="16.5" y="22" width="30" height="30"><icon name="{{ card.suit }}"/></at>
  <at x="6" y="64" width="51" height="9"><text style="badge" colour="paper">{{ card.suit | upper }}</text></at>
</face>
"""


def xlsx(count: int, seed: int) -> Files:
    """The deck with art, from a worksheet."""
    return art(count, seed, ending="xlsx")


def flash(count: int, seed: int) -> Files:
    """Two columns, in a face of your own: a word, and its meaning on the back."""
    chance = Chance(f"flash {seed}")
    rows: list[Row] = [{"word": chance.name(), "meaning": " ".join(chance.some(1, 12))} for _ in range(count)]
    front, back = (
        f'<face padding="6" stroke="accent" stroke-width="0.6"><text style="{style}" grow="1" valign="middle">'
        f"{{{{ card.{column} }}}}</text></face>\n"
        for column, style in (("word", "badge"), ("meaning", "word"))
    )
    return {**game(rows, {}, back=back), "templates/card.xml.j2": front}


def built_in(count: int, seed: int) -> Files:
    """Two columns, in the built-in faces."""
    files = flash(count, seed)
    faces = "face: flash, back: flash_back"
    return files | {"game.yaml": str(files["game.yaml"]).replace("face: card, back: back", faces)}


def growing(count: int, seed: int) -> Files:
    """A picture in the space that a text of any length leaves it, and notes that push each other down."""
    chance = Chance(f"growing {seed}")
    icons, pictures = chance.names(5), [f"art/{name}.jpg" for name in chance.names(12)]
    rows: list[Row] = [
        {
            "title": " ".join(chance.some(1, 7)).title(),
            "picture": chance.choice(pictures),
            "rules": chance.rules(4, 45, icons),
            "note": chance.sentence(3, 20) if chance.random() < 0.7 else "",
        }
        for _ in range(count)
    ]
    return {
        **game(rows, {"picture": "kind: image"}),
        "templates/card.xml.j2": _GROWING,
        **drawings(chance, icons),
        **photographs(chance, pictures),
    }


_GROWING = """\
<face padding="4" gap="1.5">
  <text style="name">{{ card.title }}</text>
  <image file="{{ card.picture }}" grow="1" fit="cover"/>
  <text style="rules">{{ card.rules | rich }}</text>
  {% if card.note %}<column fill="soft" padding="1.5"><text style="flavour">{{ card.note }}</text></column>{% endif %}
</face>
"""


def loops(count: int, seed: int) -> Files:
    """A table of three to ten rows, and one to nine pips."""
    chance = Chance(f"loops {seed}")
    rows: list[Row] = []
    for _ in range(count):
        names = chance.some(3, 10)
        numbers = [str(chance.randint(1, 99)) for _ in names]
        rows.append(
            {
                "title": chance.name(),
                "names": " ".join(names),
                "numbers": " ".join(numbers),
                "pips": chance.randint(1, 9),
            }
        )
    fields = {"names": "list: true", "numbers": "list: true", "pips": "kind: number"}
    shade = {"shade": chance.colour(200, 250)}
    return {**game(rows, fields), "theme.yaml": theme(shade), "templates/card.xml.j2": _LOOPS}


_LOOPS = """\
<face stroke="ink" stroke-width="0.4">
  <at x="5" y="5" width="53" height="7"><text style="name" wrap="false">{{ card.title }}</text></at>
  <at x="5" y="14" width="53" height="68">
    <column gap="3">
      <grid columns="1fr 10">
        {% for name in card.names %}
        {% set fill = "shade" if loop.index is odd else "none" %}
        <stack fill="{{ fill }}" height="5.5"><text style="rules" valign="middle">{{ name | title }}</text></stack>
        <stack fill="{{ fill }}">
          <text style="rules" align="right" valign="middle">{{ card.numbers[loop.index0] }}</text>
        </stack>
        {% endfor %}
      </grid>
      <row gap="1">
        {% for _ in range(card.pips) %}<stack width="4" height="4" radius="2" fill="gold" stroke="ink"/>{% endfor %}
      </row>
    </column>
  </at>
</face>
"""


def icons(count: int, seed: int) -> Files:
    """Forty small icons a card, out of twelve."""
    chance = Chance(f"icons {seed}")
    names = chance.names(12)
    rows: list[Row] = [{"title": chance.name(), "signs": " ".join(chance.choices(names, k=40))} for _ in range(count)]
    return {
        **game(rows, {"signs": "kind: icon, list: true"}),
        "templates/card.xml.j2": _ICONS,
        **drawings(chance, names),
    }


_ICONS = """\
<face padding="5" gap="3">
  <text style="name" wrap="false">{{ card.title }}</text>
  <grid columns="5" gap="1.5" justify="center">
    {% for name in card.signs %}<icon name="{{ name }}" size="6"/>{% endfor %}
  </grid>
</face>
"""


def backs(count: int, seed: int) -> Files:
    """A back of its own for each card: a number, a word and a colour."""
    chance = Chance(f"backs {seed}")
    rows: list[Row] = [
        {
            "title": chance.name(),
            "rules": " ".join(chance.some(10, 30)),
            "number": number,
            "word": chance.choice(chance.words).title(),
            "tint": chance.colour(),
        }
        for number in range(1, count + 1)
    ]
    return {
        **game(rows, {"tint": "kind: colour", "number": "kind: number"}, back=_BACKS_BACK),
        "templates/card.xml.j2": _BACKS,
    }


_BACKS = """\
<face stroke="ink" stroke-width="0.4">
  <at x="5" y="5" width="53" height="7"><text style="name" wrap="false">{{ card.title }}</text></at>
  <at x="5" y="14" width="53" height="60"><text style="rules">{{ card.rules }}</text></at>
</face>
"""
_BACKS_BACK = """\
<face fill="{{ card.tint }}">
  <at x="6.5" y="14" width="50" height="50" radius="25" stroke="paper" stroke-width="1">
    <text style="huge" colour="paper" valign="middle">{{ card.number }}</text>
  </at>
  <at x="6" y="68" width="51" height="10">
    <text style="badge" colour="paper" valign="middle">{{ card.word }}</text>
  </at>
</face>
"""


def templates(count: int, seed: int) -> Files:
    """Twenty layouts from the grammar in one deck."""
    chance = Chance(f"templates {seed}")
    drawn, names = Grammar(chance), chance.names(20)
    faces = {name: drawn.face(63, 88, depth=2) for name in names}
    drawn.columns["layout"] = f"kind: choice, choices: [{', '.join(names)}]", lambda: chance.choice(names)
    cases = [f'{{% if card.layout == "{name}" %}}{{% include "{name}.xml.j2" %}}{{% endif %}}' for name in names]
    return {
        **game(drawn.rows(count), drawn.fields()),
        **drawn.files(),
        **{f"templates/{name}.xml.j2": text for name, text in faces.items()},
        "templates/card.xml.j2": "".join(cases),
    }


def sizes(count: int, seed: int) -> Files:
    """Nine decks of different sizes in one game, each with a face from the grammar."""
    chance = Chance(f"sizes {seed}")
    drawn, files = Grammar(chance), Files()
    for name in chance.names(9):
        drawn.columns, drawn.mentioned = {}, {}
        width, height = chance.randint(45, 90), chance.randint(60, 120)
        face = drawn.face(width, height)
        deck = game(drawn.rows(count // 9), drawn.fields(), size=f"{width} x {height}", name=name)
        start = str(files.get("game.yaml", _GAME))
        files |= {**deck, "game.yaml": start + _component(name, f"{width} x {height}", name)}
        files[f"templates/{name}.xml.j2"] = face
    return files | drawn.files()


def random_deck(count: int, seed: int) -> Files:
    """A face, a back and a size from the grammar."""
    chance = Chance(f"random {seed}")
    drawn, size = Grammar(chance), chance.choice(SIZES)
    width, height = map(float, size.split(" x "))
    card, back = drawn.face(width, height), drawn.face(width, height)
    return {
        **game(drawn.rows(count), drawn.fields(), size=size, back=back if chance.random() < 0.6 else BACK),
        **drawn.files(),
        "templates/card.xml.j2": card,
    }


KINDS: dict[str, Callable[[int, int], Files]] = {
    "plain": plain,
    "rich": rich,
    "sheets": sheets,
    "art": art,
    "xlsx": xlsx,
    "flash": flash,
    "built-in": built_in,
    "growing": growing,
    "loops": loops,
    "icons": icons,
    "backs": backs,
    "templates": templates,
    "sizes": sizes,
    "random": random_deck,
}


# ---- files that every kind writes ----------------------------------------------------------------------------------

BACK = '<face fill="accent" justify="center"><text style="badge" colour="paper">{{ game.title }}</text></face>\n'
_GAME = "title: Deck\nprefix: DE\nplayers: 1\ncomponents:\n"
_STYLES = """\
  name: {font: black, size: 11pt, floor: 6pt, leading: 1.1}
  word: {size: 11pt, floor: 6pt, align: center}
  badge: {font: black, size: 12pt, floor: 6pt, align: center, leading: 1.0}
  huge: {font: black, size: 48pt, floor: 9pt, align: center, leading: 1.0}
  line: {font: bold, size: 7pt, floor: 5pt, align: center, leading: 1.2}
  rules: {size: 8pt, floor: 5pt, leading: 1.2}
  flavour: {font: italic, size: 7pt, floor: 5pt, leading: 1.2, colour: quiet}
  footer: {size: 5.5pt, floor: 4pt, leading: 1.2, colour: quiet}
"""


def game(
    rows: Sequence[Row],
    fields: Mapping[str, str],
    *,
    size: str = "63 x 88",
    name: str = "cards",
    ending: str = "csv",
    face: str = "card",
    back: str = BACK,
) -> Files:
    """A game of one deck, without its face. `fields` declares those that are not plain texts."""
    columns = {column: fields.get(column, "kind: text") for column in rows[0]}
    declared = "".join(f"  {column}: {{{kind}}}\n" for column, kind in columns.items())
    return {
        "game.yaml": _GAME + _component(name, size, face),
        f"{name}.yaml": f"fields:\n{declared}table: {name}.{ending}\n",
        f"{name}.{ending}": worksheet(rows) if ending == "xlsx" else table(rows),
        "theme.yaml": theme({}),
        "templates/back.xml.j2": back,
    }


def _component(name: str, size: str, face: str) -> str:
    return (
        f"  {name}: {{kind: deck, title: {name.title()}, cards: {name}.yaml, size: {size}, "
        f"face: {face}, back: back, safe: 1.5}}\n"
    )


def table(rows: Sequence[Row]) -> str:
    stream = io.StringIO(newline="")
    out = csv.DictWriter(stream, rows[0])
    out.writeheader()
    out.writerows(rows)
    return stream.getvalue()


def worksheet(rows: Sequence[Row]) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Cards")
    for row in ([*rows[0]], *([*row.values()] for row in rows)):
        sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def theme(colours: Mapping[str, str]) -> str:
    named = {"ink": "#222222", "gold": "#d9a441", **colours}
    return f"colours: {{{', '.join(f'{name}: {code!r}' for name, code in named.items())}}}\nstyles:\n{_STYLES}"


def drawings(chance: Chance, names: Sequence[str]) -> Files:
    return {f"icons/{name}.svg": chance.icon() for name in names}


def photographs(chance: Chance, files: Sequence[str]) -> Files:
    return {file: chance.picture(kind="png" if file.endswith("png") else "jpeg") for file in files}


def write(kind: str, folder: Path, count: int, seed: int = 7) -> Path:
    """Writes a deck of `count` cards into `folder` and returns it."""
    for name, content in KINDS[kind](count, seed).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


if __name__ == "__main__":
    write(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:]))
