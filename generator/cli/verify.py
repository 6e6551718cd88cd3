"""pencilbox verify"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import paths
from ..draws import KINDS, draw_kinds
from ..printing.verify import NamedSet, PieceDifference, Print, verify_code, verify_pdf
from ..reading.load import is_game, load
from .console import echo, echo_json, style
from .failures import VIOLATIONS
from .options import Command, complete, trust_code_option


@click.command(cls=Command)
@click.argument("what", metavar="CODE|PDF", shell_complete=complete("sets"))
@click.argument("game", required=False, shell_complete=complete("games"))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@trust_code_option
@click.pass_context
def command(ctx: click.Context, what: str, game: str | None, form: str, trust_code: bool) -> None:
    """Verify a set code or a printed PDF.

    A CODE is drawn again and checked against its recipe. A PDF says which code it was printed from: every card, die
    and sheet in it is compared with that set. GAME is the folder of your own game; the shipped games need none.
    Exit codes: 0 if everything matches, 1 if something does not, 2 if there is no code or no PDF to read.
    """
    if game and is_game(what) and not is_game(game):
        what, game = game, what
    chosen = load(game, trust_code=trust_code) if game else None
    is_pdf = Path(what).suffix.lower() == ".pdf" or "/" in what or paths.is_file(Path(what))
    named_set, print_ = verify_pdf(Path(what), chosen) if is_pdf else (verify_code(what, chosen), None)
    if form == "json":
        echo_json(_plain(named_set, print_))
    else:
        echo("\n".join(_lines(named_set, print_)))
    ctx.exit(VIOLATIONS if named_set.unmet_constraints or (print_ and print_.mismatches) else 0)


# ---- showing ------------------------------------------------------------------------------------------------------


def _plain(named_set: NamedSet, print_: Print | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "set": str(named_set.code),
        "game": named_set.game.key,
        "what": named_set.draw,
        "kind": KINDS[named_set.code.kind],
        "recipe": named_set.code.recipe,
        "options": _options(named_set),
        "broken": list(named_set.unmet_constraints),
        "holds": not named_set.unmet_constraints and (print_ is None or not print_.mismatches),
    }
    if print_:
        data["print"] = {
            "component": print_.component,
            "paper": print_.paper,
            "duplex": print_.duplex,
            "low_ink": print_.settings.low_ink,
            "high_contrast": print_.settings.high_contrast,
            "large_print": print_.settings.large_print,
            "pages": print_.pages,
            "same": print_.comparison.same,
            "differing": list(map(_piece, print_.comparison.differing)),
            "missing": list(map(_piece, print_.comparison.missing)),
            "foreign": list(map(_piece, print_.comparison.foreign)),
        }
    return data


def _piece(piece: PieceDifference) -> dict[str, Any]:
    return {
        "page": piece.page,
        "piece": piece.name,
        "wanted": list(piece.expected),
        "printed": list(piece.printed),
        "drawings": piece.drawings,
    }


def _options(named_set: NamedSet) -> dict[str, str]:
    options = draw_kinds.options_of_code(named_set.game, named_set.code)
    return {option: " or ".join(values) for option, values in options.items()}


def _lines(named_set: NamedSet, print_: Print | None) -> list[str]:
    options = "".join(f", {option} {value}" for option, value in _options(named_set).items())
    about = named_set.game.draws[named_set.draw].about
    unmet = named_set.unmet_constraints
    return [
        style(str(named_set.code), "bold"),
        f"{named_set.game.title}: {named_set.draw}{options} (recipe {named_set.code.recipe})",
        *([f"  {about}"] if about else []),
        "The set does not follow its recipe:" if unmet else "The code is valid.",
        *(f"  {message}" for message in unmet),
        *(_print_lines(print_) if print_ else []),
    ]


def _print_lines(print_: Print) -> list[str]:
    used = print_.settings
    known = {"low ink": used.low_ink, "high contrast": used.high_contrast, "large print": used.large_print}
    looks = [name for name, printed_so in known.items() if printed_so]
    printed = [print_.paper, f"duplex {print_.duplex}" if print_.duplex else "one-sided", *looks]
    lines = [
        f"Printed: {print_.component} on {', '.join(printed)}, {_count(print_.pages, 'page')}; "
        f"{_count(print_.comparison.same, 'piece')} match{'es' * (print_.comparison.same == 1)} the code."
    ]
    for title, pieces in (
        ("Different", print_.comparison.differing),
        ("Missing", print_.comparison.missing),
        ("From another set", print_.comparison.foreign),
    ):
        lines += [f"{title}:", *(f"  {_difference(piece)}" for piece in pieces)] if pieces else []
    return [*lines, "The PDF does not match its code." if print_.mismatches else "The PDF matches its code."]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _difference(piece: PieceDifference) -> str:
    where = f"page {piece.page}, {piece.name}" if piece.page else piece.name
    parts = [
        f"{_quoted(piece.printed)} instead of {_quoted(piece.expected)}"
        if piece.printed and piece.expected
        else f"{_quoted(piece.printed)} should not be there"
        if piece.printed
        else f"{_quoted(piece.expected)} is missing"
        if piece.expected
        else "",
        f"{_count(piece.drawings, 'shape')} differ" if piece.drawings else "",
    ]
    difference = "; ".join(filter(None, parts))
    return f"{where}: {difference}" if difference else where


def _quoted(texts: tuple[str, ...]) -> str:
    return " ".join(f"“{text}”" for text in texts)
