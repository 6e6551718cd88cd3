"""The league in other forms: JSON to keep and to import again, CSV for spreadsheets, and what BG Stats reads.

BG Stats (https://www.bgstatsapp.com) reads a link with one play, and a .bgsplay file with any number. Its dates are in
UTC; plays have no time of day here, so they are at noon, which is the same day almost everywhere.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..errors import InputError, Place, Problem, fault
from ..spelling import comparable
from .plays import MAX_COMMENT, MAX_POINTS, Play, Seat, checked_date, checked_name, checked_text, lowest_win

FORMAT, VERSION = "pencilbox-league", 1
_MAX_BYTES = 500_000_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so may be run as a formula (https://owasp.org/www-community/attacks/CSV_Injection)."""
_LINK = "https://app.bgstatsapp.com/createPlay.html?data="
_SOURCE = "Pencilbox"
_SHORT_ID = 12
"""Digits of a uuid that tell the plays of a league apart; all of them would make QR codes larger."""


class LeagueFile(Struct, frozen=True, kw_only=True):
    """An export as JSON."""

    format: str
    version: int
    plays: tuple[Play, ...]


# ---- JSON and CSV


def json_export(plays: Iterable[Play]) -> bytes:
    """Whole plays as JSON that `imported` reads."""
    file = LeagueFile(format=FORMAT, version=VERSION, plays=tuple(plays))
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def imported(path: Path) -> list[Play]:
    """The plays of a JSON export, checked. Raises InputError."""
    place = Place(str(path))
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise fault(f"is larger than {_MAX_BYTES:,} bytes", place)
        file = msgspec.json.decode(path.read_bytes(), type=LeagueFile)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or str(error)).lower()}", place) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "“pencilbox league export league.json” writes such a file"
        raise fault(f"is not an export of a league: {str(error)[:200]}", place, hint) from error
    if (file.format, file.version) != (FORMAT, VERSION):
        raise fault("is an export of another program, or of a newer Pencilbox", place)
    problems, plays = list[Problem](), list[Play]()
    for number, play in enumerate(file.plays, 1):
        try:
            plays.append(_checked(play))
        except InputError as error:
            problems += [Problem(f"play {number}: {each.message}", place, each.hint) for each in error.problems]
    if problems:
        raise InputError(problems)
    return plays


def _checked(play: Play) -> Play:
    """A play as it is stored, with a number of its own to come."""
    seats = tuple(replace(seat, player=checked_name(seat.player)) for seat in play.seats)
    if not (play.uuid and play.digest and seats):
        raise fault("it has no uuid, no digest or no seats")
    if len({comparable(seat.player) for seat in seats}) < len(seats):
        raise fault("a player has two seats")
    if any(not 1 <= (seat.place or 1) <= len(seats) or abs(seat.points or 0) > MAX_POINTS for seat in seats):
        raise fault("a place or a number of points is impossible")
    names = "game", "title", "sheet", "event", "comment", "reason"
    texts = {name: checked_text(getattr(play, name), f"a {name}", MAX_COMMENT) for name in names}
    return replace(play, number=0, date=checked_date(play.date), seats=seats, **texts)


_COLUMNS = (
    "play",
    "date",
    "event",
    "game",
    "sheet",
    "code",
    "player",
    "points",
    "place",
    "counted",
    "reason",
    "comment",
)


def csv_export(plays: Iterable[Play]) -> bytes:
    """Whole plays as CSV with a row for each player, for spreadsheets."""
    rows = [
        (play.number, play.date, play.event, play.title, play.sheet, play.code, seat.player, seat.points, seat.place,
         "yes" if play.counted else "no", play.reason, play.comment)
        for play in plays
        for seat in play.seats
    ]  # fmt: skip
    return csv_text(_COLUMNS, rows).encode("utf-8-sig")  # with a mark, or Excel takes it for another encoding


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow([f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell for cell in row])
    return text.getvalue()


# ---- BG Stats


def share_link(play: Play, lowest_wins: bool = False) -> str:
    """The link that opens a play in BG Stats. Opened a second time, it updates the play."""
    game: dict[str, Any] = {"name": play.title, "sourceGameId": play.game}
    if lowest_wins:
        game["highestWins"] = False
    if all(seat.points is None for seat in play.seats):
        game["noPoints"] = True
    data: dict[str, Any] = {
        "sourceName": _SOURCE,
        "sourcePlayId": play.uuid.replace("-", "")[:_SHORT_ID],
        "playDate": f"{play.date} 12:00:00",
        "game": game,
    }
    data |= {"comments": play.comment} if play.comment else {}
    data["players"] = [_player(seat) for seat in play.seats]
    return _LINK + quote(msgspec.json.encode(data), safe=":,")


def _player(seat: Seat) -> dict[str, Any]:
    """A player of a shared play: the app fails without `startPlayer` and `winner`."""
    points = {} if seat.points is None else {"score": str(seat.points)}
    place = {} if seat.place is None else {"rank": seat.place}
    who = {
        "name": seat.player,
        "sourcePlayerId": comparable(seat.player),
        "startPlayer": False,
        "winner": seat.place == 1,
    }
    return who | points | place


def bgsplay_export(plays: Sequence[Play]) -> bytes:
    """Whole plays as a .bgsplay file. Plays that do not count are marked as ignored."""
    players = {name: number for number, name in enumerate(dict.fromkeys(n for p in plays for n in p.players), 1)}
    games = {key: number for number, key in enumerate(dict.fromkeys(play.game for play in plays), 1)}
    titles, lowest = {play.game: play.title for play in plays}, {game for game, _ in lowest_win(plays)}
    without = {play.game for play in plays} - {p.game for p in plays for seat in p.seats if seat.points is not None}
    data: dict[str, Any] = {
        "about": "Plays kept by Pencilbox",
        "players": [
            {"id": number, "uuid": _uuid("player", comparable(name)), "name": name, "isAnonymous": False}
            for name, number in players.items()
        ],
        "locations": [],
        "games": [
            {"id": number, "uuid": _uuid("game", key), "name": titles[key], "highestWins": key not in lowest,
             "noPoints": key in without, "cooperative": False, "usesTeams": False, "bggId": 0}
            for key, number in games.items()
        ],
        "plays": [
            {"uuid": play.uuid, "playDate": f"{play.date} 12:00:00", "playDateYmd": int(play.date.replace("-", "")),
             "gameRefId": games[play.game], "comments": play.comment, "board": play.sheet, "scoringSetting": 1,
             "ignored": not play.counted, "manualWinner": True, "usesTeams": False, "rounds": 0, "durationMin": 0,
             "playerScores": [_seat(seat, order, players[seat.player]) for order, seat in enumerate(play.seats, 1)]}
            for play in plays
        ],
        "userInfo": {},
    }  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n"


def _seat(seat: Seat, order: int, player: int) -> dict[str, Any]:
    score = "" if seat.points is None else str(seat.points)
    return {"playerRefId": player, "score": score, "winner": seat.place == 1, "rank": seat.place or 0,
            "seatOrder": order, "startPlayer": False, "newPlayer": False, "metaData": "{}"}  # fmt: skip


def _uuid(kind: str, name: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"pencilbox:{kind}:{name}"))
