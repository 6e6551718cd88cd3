"""The league: plays that were judged and saved, and tables of them.

`pencilbox league` and the page of a browser call the same functions; none of them prints. What such a page needs:

- `League()` is the league of the user. It may be kept: each call opens the file anew, in any thread.
- `league_table(league, Choice(game=…, event=…, since=…, until=…))` returns a `LeagueTable` with everything on the page:
  `standings` (one row for each player, best rating first), `series` (ratings by day, with their deviations, for the
  chart), `head_to_head`, `points` by game, and the `games` for the filter. An empty league has no `standings`.
- `league.plays(choice)[-10:]` are the last games, the newest last. One that is not `counted` has a `reason`.
  `league.play(number)` has everything about one, with the `problems` that the judge found.
- `plays_of(answers, Details(…))` turns answers of `Judge(copies=True)` into plays, and `league.save(plays)` saves them:
  a sheet that was saved before is found again, whatever file it comes from (`Saved.new`).
- `league.rename`, `merge` (`carry_out=False` only says what would happen) and `forget` change it.
- `plays` has the exports (`json_export`, `csv_export`, `bgsplay_export`) and `share_link`, the link to BG Stats.

All of them raise InputError with what to tell the user. All records are msgspec structs: `msgspec.json.encode(table)`.
"""

from .plays import Details, Play, Seat, lowest_win, plays_of
from .standings import GamePoints, HeadToHead, LeagueTable, PlayerStanding, RatingPoint, RatingSeries, league_table
from .store import Choice, League, Saved, league_file

__all__ = [
    "Choice",
    "Details",
    "GamePoints",
    "HeadToHead",
    "League",
    "LeagueTable",
    "Play",
    "PlayerStanding",
    "RatingPoint",
    "RatingSeries",
    "Saved",
    "Seat",
    "league_file",
    "league_table",
    "lowest_win",
    "plays_of",
]
