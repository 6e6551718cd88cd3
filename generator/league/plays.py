"""Plays: what the league keeps of a game that was judged, made from the answers of the judge. They are exported as
JSON, to keep and to import again, as CSV for spreadsheets, and as what BG Stats reads.

BG Stats (https://www.bgstatsapp.com) reads a link with one play, and a .bgsplay file with any number. Its dates are in
UTC; plays have no time of day here, so they are at noon, which is the same day almost everywhere.
"""

from __future__ import annotations

import csv
import datetime
import hashlib
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..errors import InputError, Place, Problem, collecting, fault, listed, refuse, shortened
from ..rules.results import Copied, Judged, Result, Score, ranks
from ..spelling import comparable, invisible_character, tidy

MAX_NAME = 60
MAX_COMMENT = 500
MAX_POINTS = 10**12
_UNNAMED = re.compile(r"player [0-9]+")  # what the judge calls a player whose name is not on the sheet
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

Status = Literal["counted", "solo", "unfinished", "broken"]
FORMAT, VERSION = "pencilbox-league", 1
_MAX_BYTES = 500_000_000
# A cell that begins so may be run as a formula (https://owasp.org/www-community/attacks/CSV_Injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LINK = "https://app.bgstatsapp.com/createPlay.html?data="
_SOURCE = "Pencilbox"
_SHORT_ID = 12  # digits of a uuid that tell the plays of a league apart; all of them would make QR codes larger


class Seat(Struct, frozen=True, gc=False):
    """One player in a play. Without `points` the sheet has no score; without a `place` nobody won. Players who tie
    share a place, and the next places are skipped."""

    player: str
    points: int | None = None
    place: int | None = None
    lines: tuple[tuple[str, int], ...] = ()


class Play(Struct, frozen=True, kw_only=True):
    """One play of a game, with its players in seat order. Only plays that are `counted` change the table; `reason` says
    why another one does not.

    - `number`: its number in this league; 0 before it is saved. `uuid` is the same in every copy of the league.
    - `digest`: the same for the same marks, whatever file they come from.
    - `sheet`: the kind of score sheet, as points on different ones cannot be compared.
    - `problems`: everything that the judge found.
    - `sheets`: the sheets as they were read: marks by field id, and parts that are not on paper."""

    date: str
    game: str
    title: str
    sheet: str
    seats: tuple[Seat, ...]
    status: Status
    digest: str
    reason: str = ""
    number: int = 0
    uuid: str = ""
    unit: str = "point"
    code: str = ""
    event: str = ""
    comment: str = ""
    problems: tuple[str, ...] = ()
    sheets: tuple[dict[str, Any], ...] = ()

    @property
    def counted(self) -> bool:
        """Whether the play changes the table."""
        return self.status == "counted"

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(seat.player for seat in self.seats)

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(seat.player for seat in self.seats if seat.place == 1)


class Details(Struct, frozen=True, kw_only=True):
    """What the sheets do not say of a play: its date (today by default), the event it belongs to, a comment, and the
    names of players who are not named, in seat order. `together` says whether several sheets with one player each are
    one play; None if nobody said so."""

    date: str = ""
    event: str = ""
    comment: str = ""
    players: tuple[str, ...] = ()
    together: bool | None = None


def plays_of(answers: Sequence[Judged], details: Details) -> list[tuple[Play, list[int]]]:
    """The plays that some answers are, each with the indices of its answers. The answers need the data for scored
    copies (`Judge.copies`). Raises InputError with every problem."""
    day = checked_date(details.date or str(datetime.date.today()))
    event = checked_text(details.event, "an event")
    comment = checked_text(details.comment, "a comment", MAX_COMMENT)
    groups, problems, plays = _groups(answers, details.together), list[Problem](), list[tuple[Play, list[int]]]()
    if details.players and len(groups) > 1:
        raise fault(f"--player works for one play, but there are {len(groups)}", hint="save them one by one")
    for group in groups:
        with collecting(problems):
            play = _play([answers[index] for index in group], details.players)
            plays.append((msgspec.structs.replace(play, date=day, event=event, comment=comment), group))
    refuse(problems)
    return plays


def _groups(answers: Sequence[Judged], together: bool | None) -> list[list[int]]:
    """The indices of the answers that are one play. Several sheets of one game with one player each may be one game or
    several. Raises InputError if nobody said which."""
    groups, lonely = list[list[int]](), dict[tuple[str, str], list[int]]()
    for index, answer in enumerate(answers):
        if answer.result and len(answer.result.scores) == 1:
            lonely.setdefault((answer.game, _sheet(answer)), []).append(index)
        else:
            groups.append([index])
    for (_, sheet), indices in lonely.items():
        results = [answers[index].result for index in indices]
        names = {comparable(score.player) for result in results if result for score in result.scores}
        if together is None and len(names) > 1:
            first, count = answers[indices[0]], len(indices)
            raise fault(
                f"{count} sheets ({sheet}) of {first.title} have one player each: is this one game, or {count}?",
                first.place,
                "add --together if they played one game, or --separately if each sheet is a game of its own",
            )
        groups += [indices] if together else [[index] for index in indices]
    return sorted(groups)


def _sheet(answer: Judged) -> str:
    return answer.copied[0].filled.sheet.name


def _play(answers: Sequence[Judged], names: Sequence[str]) -> Play:
    """The play that these answers are. Raises InputError if a player has no name or two seats."""
    first, results = answers[0], [answer.result for answer in answers if answer.result]
    scores = [score for result in results for score in result.scores]
    if not scores:
        raise fault("this sheet has no score, so it cannot be saved", first.place)
    if any(abs(score.total) > MAX_POINTS for score in scores):
        raise fault("there are too many points to save", first.place)
    players = _named([score.player for score in scores], names, first)
    problems = [finding for answer in answers for finding in answer.verdict.findings]
    errors = [finding.message for finding in problems if finding.severity == "error"]
    unfinished = next((result for result in results if not result.over), None)
    status: Status = "broken" if errors else "unfinished" if unfinished else "counted" if len(scores) > 1 else "solo"
    reasons = {
        "broken": f"{errors[0]}{f' (and {len(errors) - 1} more)' if len(errors) > 1 else ''}" if errors else "",
        "unfinished": f"{unfinished.remark[:1].lower()}{unfinished.remark[1:]}".rstrip(".") or "the game is not over"
        if unfinished
        else "",
        "solo": "there was only one player",
    }
    copies = [copy for answer in answers for copy in answer.copied]
    sheets = [_plain(copy) for copy in copies]
    places = _places(results[0]) if len(results) == 1 else _joint_places(scores, copies[0])
    return Play(
        date="",
        game=first.game,
        title=tidy(first.title),
        sheet=_sheet(first),
        seats=tuple(map(_seat, players, scores, places)),
        status=status,
        reason=reasons.get(status, ""),
        digest=_digest(sheets, names),
        unit=results[0].unit,
        code=str(copies[0].filled.code or ""),
        problems=tuple(f"{finding.severity}: {finding.rule}: {finding.message}" for finding in problems),
        sheets=tuple(sheets),
    )


def _seat(player: str, score: Score, place: int | None) -> Seat:
    lines = tuple((line.label, line.points) for line in score.lines)
    return Seat(player, score.total if lines else None, place, lines)


def _places(result: Result) -> Iterable[int | None]:
    """The places of a result: winners share the first one. None if nobody has won."""
    won = [score.player in result.winners for score in result.scores]
    if not (any(won) and result.over):
        return [None] * len(won)
    return ranks((first, -rank) for first, rank in zip(won, result.ranks, strict=True))


def _joint_places(scores: Sequence[Score], copy: Copied) -> Iterable[int | None]:
    """The places of players who have a sheet each, by their totals."""
    sign = 1 if copy.filled.sheet.definition.highest_wins else -1
    return ranks((sign * score.total,) for score in scores)


def _named(players: Sequence[str], names: Sequence[str], answer: Judged) -> list[str]:
    """The players, with `names` for those who have none on the sheet, in seat order."""
    unnamed = [player for player in players if _UNNAMED.fullmatch(player)]
    if len(names) < len(unnamed):
        who = f"{listed(unnamed[len(names) :])} {'have' if len(unnamed) - len(names) > 1 else 'has'} no name"
        hint = "write it on the sheet, or add --player NAME for each player without one, in seat order"
        raise fault(who, answer.place, hint)
    if len(names) > len(unnamed):
        hint = "leave out --player; “pencilbox league rename” changes a name later" if not unnamed else ""
        raise fault(f"--player is given for {len(names)}, but {len(unnamed)} lack a name", answer.place, hint)
    rest = iter(names)
    full = [checked_name(next(rest) if _UNNAMED.fullmatch(each) else each, answer.place) for each in players]
    twice = [name for index, name in enumerate(full) if comparable(name) in map(comparable, full[:index])]
    if twice:
        raise fault(f"{twice[0]} is named for two seats", answer.place, "give every player a different name")
    return full


def _plain(copy: Copied) -> dict[str, Any]:
    """A sheet as plain data. What the drawings show on paper is left out: a form has it as marks, or not at all."""
    filled = copy.filled
    beside = {name: msgspec.to_builtins(filled.extra[name], enc_hook=str, str_keys=True) for name in copy.beside}
    codes = {name: str(code) for name, code in filled.codes.items() if name not in filled.marks}
    return {"game": filled.game.key, "sheet": filled.sheet.name, "marks": {**filled.marks, **codes}, "beside": beside}


def _digest(sheets: Iterable[dict[str, Any]], names: Iterable[str]) -> str:
    """A number for these marks, in whatever order and spelling of names they were typed."""
    parts = sorted(msgspec.json.encode(_comparable(sheet), order="deterministic") for sheet in sheets)
    return hashlib.sha256(b"\n".join([*parts, *(comparable(name).encode() for name in names)])).hexdigest()


def _comparable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _comparable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_comparable(part) for part in value]
    return comparable(value) if isinstance(value, str) else value


def lowest_win(plays: Iterable[Play]) -> set[tuple[str, str]]:
    """The games and their kinds of sheets on which the lowest number wins, going by who has won."""
    lead: dict[tuple[str, str], int] = {}
    for play in plays:
        points = [seat.points for seat in play.seats if seat.points is not None]
        won = [seat.points for seat in play.seats if seat.place == 1 and seat.points is not None]
        if won and min(points) < max(points):
            kind = play.game, play.sheet
            lead[kind] = lead.get(kind, 0) + (won[0] == max(points)) - (won[0] == min(points))
    return {kind for kind, balance in lead.items() if balance < 0}


# ---- what users type


def checked_name(text: str, place: Place | None = None) -> str:
    """The name of a player, without stray spaces. Raises InputError."""
    name = checked_text(text, "a name", place=place)
    if not name:
        raise fault("the name of a player is empty", place)
    return name


def checked_text(text: str, what: str, longest: int = MAX_NAME, *, place: Place | None = None) -> str:
    """The text in NFC, without stray spaces. Raises InputError if it is too long or has invisible characters."""
    words = tidy(text)
    if invisible := invisible_character(words):
        raise fault(f"“{shortened(words)}” has an invisible character: {invisible}", place)
    if len(words) > longest:
        raise fault(f"“{shortened(words)}” is too long for {what}", place, f"it may have at most {longest} characters")
    return words


def checked_date(text: str, *, future: bool = False) -> str:
    """A date such as 2026-11-21, which may only be in the `future` if that is said. Raises InputError."""
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise fault(f"“{shortened(text)}” is not a date", hint="type it as year, month and day: 2026-11-21") from None
    if day > datetime.date.today() and not future:
        raise fault(f"{text} is in the future")
    return text


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
        part = re.search(r"`\$\.(.+)`$", str(error))  # where msgspec stopped
        about = f": “{shortened(part[1])}” cannot be read" if part else ""
        raise fault(f"is not an export of a league{about}", place, hint) from error
    if (file.format, file.version) != (FORMAT, VERSION):
        raise fault("is an export of another program, or of a newer Pencilbox", place)
    problems, plays = list[Problem](), list[Play]()
    for number, play in enumerate(file.plays, 1):
        try:
            plays.append(_checked(play))
        except InputError as error:
            problems += [Problem(f"play {number}: {each.message}", place, each.hint) for each in error.problems]
    refuse(problems)
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
             "playerScores": [_score(seat, order, players[seat.player]) for order, seat in enumerate(play.seats, 1)]}
            for play in plays
        ],
        "userInfo": {},
    }  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n"


def _score(seat: Seat, order: int, player: int) -> dict[str, Any]:
    score = "" if seat.points is None else str(seat.points)
    return {"playerRefId": player, "score": score, "winner": seat.place == 1, "rank": seat.place or 0,
            "seatOrder": order, "startPlayer": False, "newPlayer": False, "metaData": "{}"}  # fmt: skip


def _uuid(kind: str, name: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"pencilbox:{kind}:{name}"))
