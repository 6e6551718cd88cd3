"""What `make` reports after it has written the files."""

from __future__ import annotations

from .. import paths
from ..errors import MAX_SHOWN, summary
from ..model.game import Game
from ..reading.table_game import described
from .console import echo, echo_json, problem_data, show_errors, style
from .printed import Order, Outcome, PrintedFile, usual_components
from .records import list_files
from .selection import Chosen


def report(outcome: Outcome, chosen: list[Chosen], order: Order, *, quiet: bool, form: str) -> None:
    """Lists the files and how to print them, then what could not be printed and why."""
    if form == "json":
        _report_as_json(outcome)
    elif not quiet:
        list_files([file.plain() for file in outcome.files])
        if any(file.unchanged for file in outcome.files):
            echo("\nFiles that have not changed were not printed again; --force prints them, too.", err=True)
        _report_notes(outcome.files)
        _report_tables(chosen)
        if not outcome.problems and not order.draft:
            _report_left_out(chosen, order)
            _report_next_steps(outcome.files, order)
    if outcome.draft.problems:
        _report_flaws(outcome)
    if outcome.problems and form == "text":
        show_errors(outcome.problems)
        _report_failed(outcome)


def _report_flaws(outcome: Outcome) -> None:
    """Lists what a draft marks, with the numbers of the marks."""
    flaws = summary(outcome.draft.problems)
    echo(f"\n{style('DRAFT', 'warning')}: not ready to print. What is marked in red, by number:", err=True)
    for number, problem in enumerate(flaws, start=1):
        label = f"+{number}" if number < MAX_SHOWN else "   "
        echo(f"{label:>4}  {problem!s}".replace("\n", " "), err=True)


def _report_as_json(outcome: Outcome) -> None:
    files = [file.plain() for file in outcome.files]
    if not outcome.problems:
        echo_json(files)
        return
    errors = list(map(problem_data, outcome.problems))
    echo_json({"error": errors, "valid": False, "files": files, "not_printed": list(map(str, outcome.failed))})


def _report_notes(files: list[PrintedFile]) -> None:
    """Lists what may not look as expected, each once."""
    for problem in summary(dict.fromkeys(note for file in files for note in file.notes)):
        echo(f"{style('note', 'bold')}: {problem!s}".replace("\n", " "), err=True)


def _report_failed(outcome: Outcome) -> None:
    """Names the components that were not printed, unless nothing was, and warns of older files in their places."""
    if not outcome.files:
        return
    names = ", ".join(dict.fromkeys(outcome.failed.values()))
    echo(f"\nNot printed: {names}. All other files are ready.", err=True)
    older = [str(file) for file in outcome.failed if paths.is_file(file)]
    if older:
        echo(f"Still there from an earlier run: {', '.join(older)}.", err=True)


def _report_tables(chosen: list[Chosen]) -> None:
    """Says how tables of cards were understood."""
    for game in {game.folder / game.key: game for game, _ in chosen}.values():
        for part in game.components.values():
            for note in part.notes:
                echo(f"{style('note', 'bold')}: {part.source}: {note}", err=True)
            if game.table:
                echo(f"\n{described(part)}", err=True)


def _report_left_out(chosen: list[Chosen], order: Order) -> None:
    """Names the components that do not depend on the sets, and how to print them."""
    if order.components:
        return
    for game in {game.key: game for game, deck in chosen if deck.code}.values():
        changed = {name for other, deck in chosen if other.key == game.key for name in deck.changes(game)}
        unchanged = [name for name in usual_components(game) if name not in changed]
        if unchanged:
            echo(
                f"\nNot printed, because they are the same for every set: {', '.join(unchanged)}.\n"
                f"To print them: pencilbox make {_typed(game)}",
                err=True,
            )


def _report_next_steps(files: list[PrintedFile], order: Order) -> None:
    """Says what to open first, and how to score a sheet after the game."""
    if order.components:
        return
    rules = [str(file.file) for file in files if file.kind == "booklet"]
    if rules:
        echo("\n".join(["", style("Open the rules first:", "bold"), *(f"  {file}" for file in rules)]), err=True)
        echo("Then print the other files and play.", err=True)
    for bare in {file.game.key: file.game for file in files if file.game.table}.values():
        echo(f"To change how the cards look: pencilbox new my_game --from {_typed(bare)}", err=True)
    judged = {file.game.key: file.game for file in files if file.kind == "sheet"}
    if judged:
        game = _typed(next(iter(judged.values()))) if len(judged) == 1 else "GAME"
        width = max(len(game) + 5, len("score FORM.pdf"))
        steps = (
            (f"fill {game}", "type in your sheet line by line"),
            ("score FORM.pdf", "score the form you filled in"),
        )
        lines = (f"  pencilbox {words:<{width}}  {meaning}" for words, meaning in steps)
        echo("\n".join(["", style("After the game, score your sheet:", "bold"), *lines]), err=True)


def _typed(game: Game) -> str:
    """A game as you name it on the command line."""
    if game.folder.parent == paths.DATA:
        return game.key
    from shlex import quote

    return quote(paths.display_path(game.table or game.folder))
