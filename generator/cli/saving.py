"""The options of `score` that save a play in the league, and what it says about that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from ..errors import InputError, Problem
from ..judging.judge import Judge
from ..rules.results import Answer, Judged, unpainted
from .console import show_notes

if TYPE_CHECKING:
    from ..league import Saved

NOT_SAVED = "nothing was saved, because not every sheet can be read"


class SavingOptions(Struct, frozen=True, kw_only=True):
    """The options that save a play and say more about it."""

    save: bool
    date: str | None
    event: str | None
    comment: str | None
    player: tuple[str, ...]
    together: bool
    separately: bool
    replace: int | None
    again: bool
    league: Path | None

    def check(self) -> None:
        """Raises InputError for options that do not work without --save, or together."""
        names = [f"--{name}" for name in self.__struct_fields__ if name != "save" and getattr(self, name)]
        problems = [Problem(f"{name} only works with --save") for name in names if not self.save]
        for one, other in (("together", "separately"), ("replace", "again")):
            if getattr(self, one) and getattr(self, other):
                problems.append(Problem(f"--{one} and --{other} cannot be used together"))
        if problems:
            raise InputError(problems)

    def answers(self, judge: Judge, files: Sequence[str]) -> list[Answer]:
        """The answers to all sheets; with --separately, each file is judged alone."""
        if self.separately:
            return list(chain.from_iterable(judge.answers([file]) for file in files))
        return list(judge.answers(files))

    def saved(self, answers: Sequence[Answer]) -> dict[int, Saved]:
        """Saves the plays that the answers are, and returns what became of them by the indices of the answers. If a
        sheet cannot be read, nothing is saved: its player would be missing."""
        from ..league import Details, League, league_file, plays_of  # loads SQLite

        judged = [answer for answer in answers if isinstance(answer, Judged)]
        if len(judged) < len(answers):
            show_notes([NOT_SAVED])
            return {}
        together = True if self.together else False if self.separately else None
        league = League(league_file(self.league))
        details = Details(
            date=self.date or (league.play(self.replace).date if self.replace else ""),
            event=self.event or "",
            comment=self.comment or "",
            players=self.player,
            together=together,
        )
        plays = plays_of(judged, details)
        saved = league.save([play for play, _ in plays], replaces=self.replace or 0, again=self.again)
        return {index: each for each, (_, indices) in zip(saved, plays, strict=True) for index in indices}


def saving_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds these options to a command, which gets them as one object."""
    names = SavingOptions.__struct_fields__

    @wraps(command)
    def with_options(*args: Any, **values: Any) -> None:
        command(*args, saving=SavingOptions(**{name: values.pop(name) for name in names}), **values)

    decorated: Callable[..., None] = with_options
    for decorate in reversed(
        (
            click.option("--save", is_flag=True, help="Save the game in your league, see “pencilbox league”."),
            click.option("--date", metavar="DATE", help="With --save: the day of the game.  [default: today]"),
            click.option("--event", metavar="NAME", help="With --save: the league or evening that it belongs to."),
            click.option("--comment", metavar="TEXT", help="With --save: a comment on the game."),
            click.option(
                "--player",
                multiple=True,
                metavar="NAME",
                help="With --save: the name of a player whose sheet has none; once for each, in seat order.",
            ),
            click.option("--together", is_flag=True, help="With --save: sheets with one player each are one game."),
            click.option("--separately", is_flag=True, help="With --save: each file is a game of its own."),
            click.option(
                "--replace",
                type=click.IntRange(1),
                metavar="PLAY",
                help="With --save: the number of the play that these sheets correct.",
            ),
            click.option("--again", is_flag=True, help="With --save: another game that ended with the same marks."),
            click.option(
                "--league",
                type=click.Path(dir_okay=False, path_type=Path),
                metavar="FILE",
                help="With --save: the file of the league.  [default: PENCILBOX_LEAGUE, or one in your data folder]",
            ),
        )
    ):
        decorated = decorate(decorated)
    return decorated


def saved_data(saved: Saved) -> dict[str, Any]:
    """What became of a play, for JSON."""
    play = saved.play
    return {"play": play.number, "new": saved.new, "counted": play.counted, "reason": play.reason or None}


def saved_text(saved: Saved, paint: Callable[[str, str], str] = unpainted) -> str:
    """What became of a play, as the last line of an answer."""
    play = saved.play
    if not (saved.new or saved.replaced):
        return f"Already saved: play {play.number} of {play.date}. If this is another game, add --again."
    what = f"{paint('Saved', 'good')}: play {play.number} of {play.date}{', corrected' * saved.replaced}"
    words = f"{what}, not counted: {play.reason}." if play.reason else f"{what}."
    if saved.similar:
        words += (
            f"\nPlay {saved.similar} has the same game, date and players. If these sheets correct it, type "
            f"“pencilbox league forget {play.number}” and save them with --replace {saved.similar}."
        )
    return words
