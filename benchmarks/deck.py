"""Decks of many kinds for measurements: `python benchmarks/deck.py KIND FOLDER COUNT [SEED]` writes a game folder.

Everything that could be remembered from one deck to the next (words, names, colours, pictures, how often they recur)
depends on the seed, so nothing can be made fast for these decks alone. `random` draws the templates, too.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import grammar
from benchmarks.chance import Chance

Files = dict[str, str | bytes]
"""The contents of a game folder, by file name."""


def art(count: int, seed: int) -> Files:
    """A picture out of 24, a suit's colour, one to five cost icons, perhaps a badge, rules with bold words and icons,
    flavour text on half of the cards, and a back for each suit."""
    chance = Chance(f"art {seed}")
    suits, icons, pictures = (chance.names(number) for number in (chance.randint(4, 6), 6, 24))
    rows = []
    for number in range(1, count + 1):
        rows.append(
            {
                "title": chance.name(),
                "suit": chance.choice(suits),
                "cost": " ".join([chance.choice(icons)] * chance.randint(1, 5)),
                "picture": f"art/{chance.choice(pictures)}.jpg",
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
        **game("63 x 88", fields, rows),
        "theme.yaml": theme({suit: chance.colour() for suit in suits}),
        "templates/card.xml.j2": _ART,
        "templates/back.xml.j2": _ART_BACK,
        **{f"icons/{icon}.svg": chance.icon() for icon in (*icons, *suits)},
        **{f"art/{picture}.jpg": chance.picture() for picture in pictures},
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
  <at x="5" y="13" width="53" height="30"><image file="{{ card.picture }}" fit="cover" radius="1"/></at>
  {% if card.badge %}
  <at x="47" y="35" width="9" height="9" radius="4.5" fill="gold" stroke="ink">
    <text style="badge" valign="middle">{{ card.badge }}</text>
  </at>
  {% endif %}
  <at x="5" y="44.5" width="53" height="5" fill="{{ card.suit | mix('paper', 0.75) }}">
    <text style="line" valign="middle">{{ card.suit }} · {{ card.kind }}</text>
  </at>
  <at x="6" y="51" width="51" height="28">
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


def random_deck(count: int, seed: int) -> Files:
    """Faces, backs and a size from the grammar."""
    chance = Chance(f"random {seed}")
    icons, pictures, colours = chance.names(chance.randint(3, 9)), chance.names(8), chance.names(6)
    art = [f"art/{picture}.jpg" for picture in pictures]
    drawn = grammar.Grammar(chance, icons, art, ["ink", "gold", "accent", *colours])
    size = chance.choice(grammar.SIZES)
    templates = {name: drawn.face(*grammar.sizes(size)) for name in ("card", "back")}
    if chance.random() < 0.4:
        templates["back"] = BACK
    templates |= {name.removesuffix(".xml.j2"): text for name, text in drawn.parts.items()}
    return {
        **game(size, grammar.fields(drawn.columns), drawn.rows(count)),
        "theme.yaml": theme({name: chance.colour(60, 220) for name in colours}),
        **{f"templates/{name}.xml.j2": text for name, text in templates.items()},
        **{f"icons/{icon}.svg": chance.icon() for icon in icons},
        **{name: chance.picture() for name in art},
    }


BACK = '<face fill="accent" justify="center"><text style="badge" colour="paper">{{ game.title }}</text></face>\n'

# ---- files that every kind writes ----------------------------------------------------------------------------------

STYLES = (
    grammar.STYLES
    + """\
  name: {font: black, size: 11pt, floor: 6pt, leading: 1.1}
  badge: {font: black, size: 12pt, floor: 6pt, align: center, leading: 1.0}
  line: {font: bold, size: 7pt, floor: 5pt, align: center}
  rules: {size: 8pt, floor: 5pt, leading: 1.2}
  flavour: {font: italic, size: 7pt, floor: 5pt, leading: 1.2, colour: quiet}
  footer: {size: 5.5pt, floor: 4pt, colour: quiet}
"""
)


def game(size: str, fields: dict[str, str], rows: Sequence[dict[str, object]]) -> Files:
    """A game of one deck with a face `card` and a back `back`. `fields` are those that are not plain texts."""
    columns = {name: fields.get(name, "kind: text") for name in rows[0]}
    return {
        "game.yaml": "title: Deck\nprefix: DE\nplayers: 1\ncomponents:\n"
        f"  cards: {{kind: deck, title: Deck, cards: cards.yaml, size: {size}, face: card, back: back, safe: 1.5}}\n",
        "cards.yaml": "fields:\n"
        + "".join(f"  {name}: {{{kind}}}\n" for name, kind in columns.items())
        + "table: cards.csv\n",
        "cards.csv": table(rows),
    }


def table(rows: Iterable[dict[str, object]]) -> str:
    rows = [*rows]
    stream = io.StringIO(newline="")
    out = csv.DictWriter(stream, rows[0])
    out.writeheader()
    out.writerows(rows)
    return stream.getvalue()


def theme(colours: dict[str, str]) -> str:
    named = {"ink": "#222222", "gold": "#d9a441", **colours}
    return f"colours: {{{', '.join(f'{name}: {code!r}' for name, code in named.items())}}}\nstyles:\n{STYLES}"


KINDS: dict[str, Callable[[int, int], Files]] = {"art": art, "random": random_deck}


def write(kind: str, folder: Path, count: int, seed: int = 7) -> Path:
    """Writes a deck of `count` cards into `folder` and returns it."""
    for name, content in KINDS[kind](count, seed).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


if __name__ == "__main__":
    write(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:]))
