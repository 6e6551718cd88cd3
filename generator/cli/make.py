"""pencilbox make"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from .. import games, paths
from ..codes import SetCode, parse
from ..definitions import nodes
from ..definitions.load import load, shipped
from ..definitions.models import Game
from ..definitions.sizes import Paper, paper
from ..errors import InputError, Place, Problem, did_you_mean, fault
from ..games.deck import Deck
from ..pdf import save
from ..printing.game_faces import Step
from ..printing.press import Press, Printed
from .common import Command, draw_options, given_draw_options
from .console import echo, echo_json

HOW = {
    "long": "both sides, flip on the long edge",
    "short": "both sides, flip on the short edge",
    "gutterfold": "one side, fold along the dashed line and glue",
    None: "one side",
}


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted: components (none named: all), papers, duplex mode (None: each component's own)."""

    components: tuple[str, ...]
    papers: tuple[Paper, ...]
    duplex: str | None
    copies: int | None
    low_ink: bool
    fillable: bool
    folded: bool
    folder: Path

    def components_of(self, game: Game) -> list[str]:
        """What is printed of a game: what was named, or all but what goes onto the pages of another component and what
        only a random set has."""
        together = {other for part in game.components.values() for other in part.definition.with_}
        together.update(name for name, part in game.components.items() if part.kind == "page" and not part.cards)
        return [
            name for name in game.components if (name in self.components if self.components else name not in together)
        ]


@dataclass(frozen=True, slots=True)
class Made:
    """A component that was printed, and the file it goes into."""

    game: str
    component: str
    paper: str
    file: Path
    printed: Printed
    code: str | None
    fillable: bool = False

    def plain(self) -> dict[str, object]:
        return {
            "game": self.game,
            "component": self.component,
            "paper": self.paper,
            "file": str(self.file),
            "pages": self.printed.pages,
            "duplex": self.printed.duplex,
            "print": _how(self),
            "fillable": self.fillable,
            "set": self.code,
        }


@click.command(cls=Command)
@click.argument("game", nargs=-1, metavar="[GAME]... [COMPONENT]...")
@click.option("--all", "every", is_flag=True, help="Every game that came with Pencilbox.")
@click.option("--component", "-c", multiple=True, metavar="NAME", help="Only this part of the game; may be repeated.")
@click.option(
    "--paper",
    "-p",
    "papers",
    multiple=True,
    default=("a4",),
    show_default=True,
    help="a4, letter, ...; may be repeated.",
)
@click.option(
    "--duplex",
    type=click.Choice(["long", "short", "gutterfold", "none"]),
    help="How backs get behind their fronts.  [default: as the game says, else long]",
)
@click.option(
    "--copies",
    type=click.IntRange(1, 9999),
    metavar="N",
    help="Score sheets as a pad of N, each with its number in its corner codes.",
)
@click.option(
    "--fillable/--no-fillable",
    default=True,
    show_default=True,
    help="Score sheets also as PDF forms to fill in on screen.",
)
@click.option(
    "--booklet/--no-booklet",
    "folded",
    default=True,
    show_default=True,
    help="Rules as a booklet to fold, or page by page to read.",
)
@click.option("--low-ink", is_flag=True, help="Light grounds instead of full ones.")
@click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="CODE",
    help="Print the random set with this code, or all that `randomise -o FILE` has drawn; may be repeated.",
)
@click.option("--random", "draw", is_flag=True, help="Draw a random set and print it.")
@click.option("--seed", metavar="TEXT", help="With --random: the same text gives the same set.")
@draw_options()
@click.option(
    "--output",
    "-o",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("output"),
    show_default=True,
    help="Where the PDF files go.",
)
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but what went wrong.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    game: tuple[str, ...],
    every: bool,
    component: tuple[str, ...],
    papers: tuple[str, ...],
    duplex: str | None,
    copies: int | None,
    fillable: bool,
    folded: bool,
    low_ink: bool,
    sets: tuple[str, ...],
    draw: bool,
    seed: str | None,
    kind: str | None,
    folder: Path,
    quiet: bool,
    form: str,
    **given: Any,
) -> None:
    """Print GAMEs (a name from `pencilbox games`, or the path of a game's own folder) into PDF files; with COMPONENTs
    only these parts of them."""
    if not game and not every:
        raise fault("no game named", hint=f"one of {', '.join(shipped())}, a folder, or --all")
    asked = given_draw_options(given) | ({"kind": kind} if kind else {}) | ({"seed": seed} if seed else {})
    if asked and not draw:
        from ..games.draws import flag  # printing the standard cards does without

        raise fault(f"{flag(next(iter(asked)))} goes with --random")
    if sets and draw:
        raise fault("--set and --random exclude each other")
    wanted, named = _told_apart(game, every)
    codes = list(dict.fromkeys(code for one in sets for code in _codes(one)))
    drawn = [
        (one, games.deal(one, code))
        for one in wanted
        for code in _sets(
            one,
            codes,
            partial(games.new_code, one, seed, what=kind, options=given_draw_options(given)) if draw else None,
        )
    ]
    order = Order(
        (*component, *named),
        tuple(map(paper, dict.fromkeys(papers))),
        duplex,
        copies,
        low_ink,
        fillable and not copies,
        folded,
        folder,
    )
    _refuse_unknown([deck.dress(one) for one, deck in drawn], order)
    made = [file for one, deck in drawn for file in _print(one, deck, order, quiet)]
    for file in made:  # only now, when nothing can be wrong any more
        save(file.printed.pdf, file.file)
    _tell(made, quiet, form)


def _told_apart(words: tuple[str, ...], every: bool) -> tuple[list[Game], list[str]]:
    """The games that were named, and of the words after the first those that are parts of theirs."""
    found = [load(name) for name in (*words[:1], *(shipped() if every else ()))]
    components = []
    for word in words[1:]:
        parts = list(dict.fromkeys(part for game in found for part in game.components))
        if word not in shipped() and word in parts:
            components.append(word)
        elif word in shipped() or paths.is_dir(Path(word)):
            found.append(load(word))
        else:
            raise fault(
                f"no game and no component “{word}”",
                hint=did_you_mean(word, [*parts, *shipped()]) or f"known: {', '.join(parts)}",
            )
    return found, components


def _refuse_unknown(wanted: list[Game], order: Order) -> None:
    known = {name for one in wanted for name in one.components}
    problems = [
        Problem(f"no component “{name}”", hint=did_you_mean(name, known))
        for name in order.components
        if name not in known
    ]
    if problems:
        raise InputError(problems)


def _sets(game: Game, codes: list[str], draw: Callable[[], SetCode] | None) -> list[SetCode | None]:
    """The sets to print of a game: those of the codes, a new one, or the standard one."""
    if draw:
        return [draw()]
    if not codes:
        return [None]
    return [parse(code, prefix=game.definition.prefix) for code in codes]


def _codes(given: str) -> list[str]:
    """A code, or those in a file that `randomise -o` wrote: the lines that are nothing but a code."""
    file = Path(given)
    if not paths.is_file(file):
        return [given]
    found = [
        line
        for line in map(str.strip, nodes.read_text(file, given).splitlines())
        if line.count("-") == 4 and line.replace("-", "").isalnum()
    ]
    if not found:
        raise fault("no set codes in it", Place(given), "pencilbox randomise GAME -o FILE writes them, each on a line")
    return found


def _print(given: Game, deck: Deck, order: Order, quiet: bool) -> list[Made]:
    """Every component on every paper; the problems of all of them together."""
    game = deck.dress(given)
    wanted = [
        (name, one, form)
        for name in order.components_of(game)
        for one in order.papers
        for form in ((False, True) if order.fillable and game.components[name].kind == "sheet" else (False,))
    ]
    made, problems = [], []
    steps = sum(_steps(game, deck, name) for name, _, _ in wanted)
    with _progress(game.title, steps, quiet) as step:
        press = Press(given, deck, step, low_ink=order.low_ink)
        for name, one, form in wanted:
            try:
                made.append(_made(press, name, one, order, form))
            except InputError as error:
                problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise InputError(problems)
    return made


def _made(press: Press, name: str, one: Paper, order: Order, form: bool) -> Made:
    printed = (
        press.fillable(name, one)
        if form
        else press.component(name, one, order.duplex, order.copies, folded=order.folded)
    )
    file = _file(press.game, press.deck, name, one, order, form)
    return Made(press.game.key, name, one.name, file, printed, press.deck.code, form)


def _steps(game: Game, deck: Deck, name: str) -> int:
    """How many faces a component takes, for the progress bar."""
    part = game.components[name]
    return len({card.id for card in deck.cards.get(name, ())}) * (2 if part.definition.back else 1) or 1


def _file(game: Game, deck: Deck, name: str, one: Paper, order: Order, form: bool) -> Path:
    """Another set, a pad and a low-ink printing have files of their own: none replaces the standard one."""
    kind = game.components[name].kind
    pages = "-pages" if kind == "booklet" and not order.folded else ""
    pad = f"-pad-{order.copies}" if order.copies and kind == "sheet" else ""
    marks = pages + pad + "-fillable" * form + "-low-ink" * order.low_ink + (f"-{deck.code}" if deck.code else "")
    file = f"{game.key}/{name}-{one.name}{marks}.pdf"
    if paths.within(order.folder, file) is None:
        raise fault(f"{order.folder / game.key} leads out of the output folder")
    return order.folder / file


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
        echo_json([one.plain() for one in made])
    elif not quiet:
        width = max(len(str(one.file)) for one in made)
        for one in made:
            echo(f"{one.file!s:<{width}}  {_pages(one.printed.pages):<8}  {_how(one)}")


def _pages(count: int) -> str:
    return f"{count} page{'s' if count > 1 else ''}"


def _how(made: Made) -> str:
    return "to fill in on screen" if made.fillable else f"print at 100 %, {HOW[made.printed.duplex]}"
