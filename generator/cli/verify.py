"""pencilbox verify"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import paths
from ..codes import KINDS
from ..definitions.load import load
from ..definitions.models import Game
from ..verifying.compare import Piece
from ..verifying.verify import Named, Print, named, proof
from . import completions
from .common import Command
from .console import echo, echo_json, style
from .failures import VIOLATIONS


@click.command(cls=Command)
@click.argument("what", metavar="CODE|PDF", shell_complete=completions.sets)
@click.argument("game", required=False, shell_complete=completions.games)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, what: str, game: str | None, form: str) -> None:
    """Make the set of a CODE again and say whether it holds every constraint; hold a printed PDF against its code.

    GAME is only needed for one's own game: its folder. Exit code 0: all holds, 1: something does not, 2: no code or no
    PDF.
    """
    chosen = load(game) if game else None
    found, held = _asked(what, chosen)
    if form == "json":
        echo_json(_plain(found, held))
    else:
        echo("\n".join(_lines(found, held)))
    ctx.exit(VIOLATIONS if found.broken or (held and not held.holds) else 0)


def _asked(what: str, game: Game | None) -> tuple[Named, Print | None]:
    """A word that is a file, or is called like one, is a PDF; any other a code."""
    if Path(what).suffix.lower() == ".pdf" or "/" in what or paths.is_file(Path(what)):
        return proof(Path(what), game)
    return named(what, game), None


# ---- showing ------------------------------------------------------------------------------------------------------


def _plain(found: Named, held: Print | None) -> dict[str, Any]:
    made: dict[str, Any] = {
        "set": str(found.code),
        "game": found.game.key,
        "what": found.what,
        "kind": KINDS[found.code.kind],
        "recipe": found.code.recipe,
        "options": _options(found),
        "broken": list(found.broken),
        "holds": not found.broken and (held is None or held.holds),
    }
    if held:
        made["print"] = {
            "component": held.component,
            "paper": held.paper,
            "duplex": held.duplex,
            "low_ink": held.low_ink,
            "pages": held.pages,
            "same": held.answer.same,
            "differing": list(map(_piece, held.answer.differing)),
            "missing": list(map(_piece, held.answer.missing)),
            "foreign": list(map(_piece, held.answer.foreign)),
        }
    return made


def _piece(piece: Piece) -> dict[str, Any]:
    return {
        "page": piece.page,
        "piece": piece.name,
        "wanted": list(piece.wanted),
        "printed": list(piece.printed),
        "drawings": piece.drawings,
    }


def _options(found: Named) -> dict[str, str]:
    given = found.game.draws[found.what].recipes[found.code.recipe]
    return {option: " or ".join(values) for option, values in given.items()}


def _lines(found: Named, held: Print | None) -> list[str]:
    told = "".join(f", {option} {value}" for option, value in _options(found).items())
    about = found.game.draws[found.what].about
    return [
        style(str(found.code), "bold"),
        f"{found.game.title}: {found.what}{told} (recipe {found.code.recipe})",
        *([f"  {about}"] if about else []),
        *_broken(found),
        *(_held(held) if held else []),
    ]


def _broken(found: Named) -> list[str]:
    if not found.broken:
        return ["It holds every constraint of its recipe."]
    return ["It does not hold its recipe:", *(f"  {wrong}" for wrong in found.broken)]


def _held(held: Print) -> list[str]:
    how = [held.paper, f"duplex {held.duplex}" if held.duplex else "one-sided", *["low ink"] * held.low_ink]
    lines = [
        f"Printed: {held.component} on {', '.join(how)}, {_count(held.pages, 'page')}; "
        f"{_count(held.answer.same, 'piece')} as the code says."
    ]
    for title, pieces in (
        ("Different", held.answer.differing),
        ("Missing", held.answer.missing),
        ("Of another set", held.answer.foreign),
    ):
        lines += [f"{title}:", *(f"  {_told(piece)}" for piece in pieces)] if pieces else []
    return [*lines, "The print shows what its code names." if held.holds else "The print is not what its code names."]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _told(piece: Piece) -> str:
    where = f"page {piece.page}, {piece.name}" if piece.page else piece.name
    parts = [
        f"{_quoted(piece.printed)} instead of {_quoted(piece.wanted)}"
        if piece.printed and piece.wanted
        else f"{_quoted(piece.printed)} should not be there"
        if piece.printed
        else f"{_quoted(piece.wanted)} is not there"
        if piece.wanted
        else "",
        f"{_count(piece.drawings, 'shape')} differ" if piece.drawings else "",
    ]
    told = "; ".join(filter(None, parts))
    return f"{where}: {told}" if told else where


def _quoted(texts: tuple[str, ...]) -> str:
    return " ".join(f"“{text}”" for text in texts)
