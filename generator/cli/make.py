"""pencilbox make"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from .. import games, paths
from ..codes import SetCode, parse
from ..definitions.load import load, shipped
from ..definitions.models import Game
from ..definitions.sizes import Paper, paper
from ..errors import InputError, Problem, did_you_mean, fault
from ..games.deck import Deck
from ..pdf import save
from ..press import Press, Printed, Step

HOW = {"long": "both sides, flip on the long edge", "short": "both sides, flip on the short edge",
       "gutterfold": "one side, fold along the dashed line and glue", None: "one side"}


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted: components (none named: all), papers, duplex mode (None: each component's own)."""

    components: tuple[str, ...]
    papers: tuple[Paper, ...]
    duplex: str | None
    folder: Path


@dataclass(frozen=True, slots=True)
class Made:
    """A component that was printed, and the file it goes into."""

    game: str
    component: str
    paper: str
    file: Path
    printed: Printed
    code: str | None

    def plain(self) -> dict[str, object]:
        return {"game": self.game, "component": self.component, "paper": self.paper, "file": str(self.file),
                "pages": self.printed.pages, "duplex": self.printed.duplex, "print": _how(self.printed),
                "set": self.code}


@click.command()
@click.argument("game", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every game that came with Pencilbox.")
@click.option("--component", "-c", multiple=True, metavar="NAME", help="Only this part of the game; may be repeated.")
@click.option("--paper", "-p", "papers", multiple=True, default=("a4",), show_default=True,
              help="a4, letter, ...; may be repeated.")
@click.option("--duplex", type=click.Choice(["long", "short", "gutterfold", "none"]),
              help="How backs get behind their fronts.  [default: as the game says, else long]")
@click.option("--set", "code", metavar="CODE", help="Print the random set with this code.")
@click.option("--random", "draw", is_flag=True, help="Draw a random set and print it.")
@click.option("--seed", metavar="TEXT", help="With --random: the same text gives the same set.")
@click.option("--output", "-o", "folder", type=click.Path(file_okay=False, path_type=Path), default=Path("output"),
              show_default=True, help="Where the PDF files go.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but what went wrong.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(game: tuple[str, ...], every: bool, component: tuple[str, ...], papers: tuple[str, ...],
            duplex: str | None, code: str | None, draw: bool, seed: str | None, folder: Path, quiet: bool,
            form: str) -> None:
    """Print GAMEs (a name from `pencilbox games`, or the path of a game's own folder) into PDF files."""
    if not game and not every:
        raise fault("no game named", hint=f"one of {', '.join(shipped())}, a folder, or --all")
    if seed and not draw:
        raise fault("--seed goes with --random")
    if code and draw:
        raise fault("--set and --random exclude each other")
    wanted = [load(name) for name in (*game, *(shipped() if every else ()))]
    order = Order(component, tuple(map(paper, dict.fromkeys(papers))), duplex, folder)
    _refuse_unknown(wanted, order)
    decks = [_deck(one, code, draw, seed) for one in wanted]
    made = [file for one, deck in zip(wanted, decks, strict=True) for file in _print(one, deck, order, quiet)]
    for file in made:  # only now, when nothing can be wrong any more
        save(file.printed.pdf, file.file)
    _tell(made, quiet, form)


def _refuse_unknown(wanted: list[Game], order: Order) -> None:
    known = {name for one in wanted for name in one.components}
    problems = [Problem(f"no component “{name}”", hint=did_you_mean(name, known))
                for name in order.components if name not in known]
    if problems:
        raise InputError(problems)


def _deck(game: Game, code: str | None, draw: bool, seed: str | None) -> Deck:
    if code:
        return games.deal(game, parse(code, prefix=game.definition.prefix))
    drawn: SetCode | None = games.new_code(game, seed) if draw else None
    return games.deal(game, drawn)


def _print(game: Game, deck: Deck, order: Order, quiet: bool) -> list[Made]:
    """Every component on every paper; the problems of all of them together."""
    names = [name for name in game.components if not order.components or name in order.components]
    faces = sum(_steps(game, deck, name) for name in names) * len(order.papers)
    made, problems = [], []
    with _progress(game.title, faces, quiet) as step:
        press = Press(game, deck, step)
        for name in names:
            for one in order.papers:
                try:
                    printed = press.component(name, one, order.duplex)
                    made.append(Made(game.key, name, one.name, _file(game, deck, name, one, order.folder), printed,
                                     deck.code))
                except InputError as error:
                    problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise InputError(problems)
    return made


def _steps(game: Game, deck: Deck, name: str) -> int:
    """How many faces a component takes, for the progress bar."""
    part = game.components[name]
    return len({card.id for card in deck.cards.get(name, ())}) * (2 if part.definition.back else 1) or 1


def _file(game: Game, deck: Deck, name: str, one: Paper, folder: Path) -> Path:
    mark = f"-{deck.code}" if deck.code else ""
    file = f"{game.key}/{name}-{one.name}{mark}.pdf"
    if paths.within(folder, file) is None:
        raise fault(f"{folder / game.key} leads out of the output folder")
    return folder / file


@contextmanager
def _progress(label: str, steps: int, quiet: bool) -> Iterator[Step]:
    """A bar on the terminal for long work; nothing elsewhere, and nothing for what is done in a blink."""
    if quiet or steps < 60 or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=steps, label=label, file=sys.stderr) as bar:
        yield lambda: bar.update(1)


def _tell(made: list[Made], quiet: bool, form: str) -> None:
    if form == "json":
        click.echo(json.dumps([one.plain() for one in made], indent=2, ensure_ascii=False))
    elif not quiet:
        width = max(len(str(one.file)) for one in made)
        for one in made:
            click.echo(f"{one.file!s:<{width}}  {_pages(one.printed.pages):<7}  {_how(one.printed)}")


def _pages(count: int) -> str:
    return f"{count} page{'s' if count > 1 else ''}"


def _how(printed: Printed) -> str:
    return f"print at 100 %, {HOW[printed.duplex]}"
