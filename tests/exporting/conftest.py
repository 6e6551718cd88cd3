"""A small game to export: three cards with a common back, a sheet, a die, a board and a booklet."""

import pytest

from generator import games
from generator.exporting import export, sides
from generator.reading import sizes, targets
from generator.reading.load import load

GAME = """
title: Small Town
components:
  cards:
    kind: deck
    title: Houses
    cards: cards.yaml
    size: {size}
    face: house
    back: house_back
    bleed: 2
  token: {{kind: deck, title: Coins, cards: coins.csv, size: 20, shape: round, face: coin}}
  sheet: {{kind: sheet, title: Score pad, sheet: sheet.yaml, face: score_pad}}
  dice: {{kind: dice, title: Die, dice: dice.yaml, face: die}}
  board: {{kind: board, title: Town, board: board.yaml, face: ground, bleed: 3}}
  pawns: {{kind: pawns, title: People, cards: coins.csv, size: 20 x 32, face: coin, back: coin}}
  rules: {{kind: booklet, title: Rules, text: rules}}
"""
FILES = {
    "cards.yaml": "fields: {name: {}, colour: {kind: colour}, back: {}}\ntable: cards.csv\n",
    "cards.csv": "id,name,copies,colour\nmill,Old Mill,2,#335c81\nforge,Forge,1,#8a3b12\ninn,Green Inn,1,#3f7f4b\n",
    "coins.csv": "id,name\none,1\n",
    "sheet.yaml": "title: Score pad\nplayers: players\nfields:\n  players:\n    label: Player\n    repeat: 4\n"
    "    fields:\n      name: {kind: text, label: Name}\n      coins: {kind: number, label: Coins}\n",
    "dice.yaml": "dice: [{id: plain, faces: [1, 2, 3, 4, 5, 6]}]\n",
    "board.yaml": "size: 6in x 4in\nkinds: {stop: {size: 12}}\nspaces: {a: {kind: stop, x: 30, y: 30}}\n",
    "templates/ground.xml.j2": '<face fill="#5f7f4b"/>',
    "templates/house.xml.j2": """<face fill="{{ card.colour }}"><stack grow="1">
<at x="5" y="6" width="30" height="8" fill="#ffffff"><text style="name" valign="middle">{{ card.name }}</text></at>
</stack></face>""",
    "templates/house_back.xml.j2": '<face fill="#000000"/>',
    "templates/coin.xml.j2": '<face fill="#d4af37"/>',
    "templates/die.xml.j2": '<face fill="#ffffff"><text style="name" valign="middle">{{ shown }}</text></face>',
    "templates/rules.md.j2": "# Rules\n\nBuild.\n",
    "theme.yaml": 'styles:\n  name: {size: 10pt, floor: 6pt, align: center, colour: "#101010"}\n',
}


def _written(folder, size="44 x 63", **changes):
    """Writes the game into a folder; `changes` are contents of files by name, such as cards_csv."""
    (folder / "templates").mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME.format(size=size))
    for name, text in FILES.items():
        (folder / name).write_text(changes.get(name.replace("/", "_").replace(".", "_"), text))
    return folder


@pytest.fixture(scope="session")
def write_game():
    """The function that writes the game into a folder."""
    return _written


@pytest.fixture(scope="session")
def town(tmp_path_factory):
    """The folder of the game."""
    return _written(tmp_path_factory.mktemp("games") / "town")


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """Exports a game; returns the folder and the report. The result of the same call is kept."""
    known = targets.targets()
    done = {}

    def run(folder, name, *names, product=None, dpi=None, bleed=True, **options):
        key = (folder, name, names, product, dpi, bleed, *options.items())
        if key not in done:
            target = known[name]
            target = target.changed(dpi=dpi) if dpi else target
            target = target if bleed else target.changed(bleed=0.0)
            game = load(folder)
            order = sides.ExportOrder(game, games.deal(game, None), target, sizes.paper("letter"), product, **options)
            into = tmp_path_factory.mktemp("exports") / "export"
            done[key] = into, export.export(order, names, into)
        return done[key]

    return run
