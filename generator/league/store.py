"""The file of a league: an SQLite database with all plays and their players.

Every change is one transaction (https://sqlite.org/atomiccommit.html), so that nothing that was saved is lost if the
process is killed. Each call opens the file anew: calls from several threads and processes do not disturb each other.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from .. import paths
from ..errors import InputError, Place, did_you_mean, fault, listed, shortened
from ..spelling import bare, comparable
from .plays import Play, Seat, checked_name

VARIABLE = "PENCILBOX_LEAGUE"
# “PBox”: says in the file that it belongs to Pencilbox (https://sqlite.org/pragma.html#pragma_application_id).
_APPLICATION = 0x50426F78
_PATIENCE = 15.0  # seconds to wait while another process writes
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE)",
        "CREATE TABLE play (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,"
        " date TEXT NOT NULL, game TEXT NOT NULL, title TEXT NOT NULL, sheet TEXT NOT NULL, status TEXT NOT NULL,"
        " reason TEXT NOT NULL, unit TEXT NOT NULL, code TEXT NOT NULL, event TEXT NOT NULL, comment TEXT NOT NULL,"
        " problems TEXT NOT NULL, sheets TEXT NOT NULL)",
        "CREATE INDEX play_in_order ON play (date, id)",
        "CREATE INDEX play_by_digest ON play (digest)",
        "CREATE TABLE seat (play INTEGER NOT NULL REFERENCES play ON DELETE CASCADE, seat INTEGER NOT NULL,"
        " player INTEGER NOT NULL REFERENCES player, points INTEGER, place INTEGER, lines TEXT NOT NULL,"
        " PRIMARY KEY (play, seat), UNIQUE (play, player)) WITHOUT ROWID",
        "CREATE INDEX seat_by_player ON seat (player)",
    ),
)
"""What makes each version of the schema from the one before. Never change an entry: add one."""
_TEXTS = "uuid", "digest", "date", "game", "title", "sheet", "status", "reason", "unit", "code", "event", "comment"
_SHORT = ("date", "game", "title", "sheet", "status", "reason", "unit", "event")
_REASONS = {
    "SQLITE_NOTADB": ("is not a league", "name another file"),
    "SQLITE_CORRUPT": ("is damaged", "restore a copy, or import an export into a new file"),
    "SQLITE_FULL": ("cannot be written: the disk is full", "nothing was changed"),
    "SQLITE_BUSY": ("is in use by another program", "try again when it has finished"),
    "SQLITE_READONLY": ("cannot be written: it is read-only, or its folder is", ""),
    "SQLITE_CANTOPEN": ("cannot be opened or created", "is its folder writable?"),
}


class Choice(Struct, frozen=True, kw_only=True):
    """Which plays count: those of a game (its key or title), an event, and a period, both days included."""

    game: str = ""
    event: str = ""
    since: str = ""
    until: str = ""


EVERYTHING = Choice()


class Saved(Struct, frozen=True):
    """What became of a play: it is `new`, has `replaced` another one, or was already there. `similar` is the number of
    an older play with the same game, date and players."""

    play: Play
    new: bool = True
    replaced: bool = False
    similar: int = 0


def league_file(named: Path | None = None) -> Path:
    """The file of the league: the named one, that of the environment variable, or that of the user."""
    chosen = named or os.environ.get(VARIABLE)
    return Path(chosen) if chosen else paths.user_folders().user_data_path / "league.sqlite3"


class League(Struct, frozen=True):
    """The plays in a file (usually that of the user), which is made when the first play is saved. Every method raises
    InputError if the file cannot be used."""

    file: Path = field(default_factory=league_file)

    # ---- plays

    def save(self, plays: Sequence[Play], *, replaces: int = 0, again: bool = False) -> list[Saved]:
        """Saves plays, all or none. A play with the same marks as one that is there is not saved, unless `again` says
        that it is another one. `replaces` is the number of a play that the only one corrects: it keeps its number."""
        if replaces and len(plays) != 1:
            raise fault(f"only one play can be replaced, but there are {len(plays)}")
        with self._changing() as db:
            return [_replaced(db, replaces, plays[0])] if replaces else [_saved(db, play, again) for play in plays]

    def add(self, plays: Iterable[Play]) -> int:
        """Adds the plays of another copy of the league and returns how many are new: those with other `uuid`s."""
        with self._changing() as db:
            known = {uuid for (uuid,) in db.execute("SELECT uuid FROM play")}
            new = [play for play in plays if play.uuid not in known and not known.add(play.uuid)]  # type: ignore[func-returns-value]
            for play in new:
                _insert(db, play)
            return len(new)

    def plays(self, choice: Choice = EVERYTHING, *, whole: bool = False) -> list[Play]:
        """The chosen plays in the order of their dates, then of their numbers. Only with `whole` do they have their
        uuid, digest, code, comment, problems, sheets and the lines of their scores."""
        with self._reading() as db:
            return list(_plays(db, choice, whole=whole)) if db else []

    def play(self, number: int) -> Play:
        """The whole play with this number."""
        with self._reading() as db:
            found = next(_plays(db, EVERYTHING, whole=True, number=number), None) if db else None
        if found is None:
            raise _no_play(number)
        return found

    def forget(self, number: int) -> None:
        """Deletes a play."""
        with self._changing() as db:
            if not db.execute("DELETE FROM play WHERE id = ?", (number,)).rowcount:
                raise _no_play(number)
            _drop_players(db)
        self.keep_photos(number, ())

    @property
    def _photos(self) -> Path:
        return self.file.with_name(f"{self.file.stem}-photos")

    def photos(self, number: int) -> list[Path]:
        """The photos of the sheets of a play, which are in a folder beside the file."""
        return sorted(self._photos.glob(f"{number}-*.jpg"))

    def keep_photos(self, number: int, photos: Iterable[bytes]) -> None:
        """Keeps JPEG photos of the sheets of a play, instead of earlier ones."""
        with self._errors():
            for old in self.photos(number):
                old.unlink()
            for place, photo in enumerate(photos, 1):
                self._photos.mkdir(mode=0o700, exist_ok=True)
                (self._photos / f"{number}-{place:02}.jpg").write_bytes(photo)

    # ---- players

    def rename(self, old: str, new: str) -> tuple[str, str]:
        """Renames a player, and returns the names as they were and are."""
        name = checked_name(new)
        with self._changing() as db:
            player, before = _player(db, old)
            other = db.execute("SELECT id, name FROM player WHERE key = ?", (comparable(name),)).fetchone()
            if other and other[0] != player:
                hint = f"“pencilbox league merge” makes {before} and {other[1]} one player"
                raise fault(f"there is already a player {other[1]}", hint=hint)
            db.execute("UPDATE player SET name = ?, key = ? WHERE id = ?", (name, comparable(name), player))
        return before, name

    def merge(self, source: str, target: str, *, carry_out: bool = True) -> tuple[str, str, int]:
        """Gives the plays of one player to another one. Returns both names and the number of plays; without
        `carry_out`, nothing is changed."""
        with self._changing() if carry_out else self._reading(must_exist=True) as db:
            assert db
            (one, name), (other, into) = _player(db, source), _player(db, target)
            if one == other:
                raise fault(f"{name} and {into} are the same player")
            shared = "SELECT play FROM seat WHERE player = ? INTERSECT SELECT play FROM seat WHERE player = ?"
            if both := [str(number) for (number,) in db.execute(shared, (one, other))]:
                numbers = f"play{'s' * (len(both) > 1)} {listed(both)}"
                raise fault(
                    f"{name} and {into} played in the same game, so they are two players", hint=f"see {numbers}"
                )
            (count,) = db.execute("SELECT count(*) FROM seat WHERE player = ?", (one,)).fetchone()
            if carry_out:
                db.execute("UPDATE seat SET player = ? WHERE player = ?", (other, one))
                _drop_players(db)
        return name, into, count

    def named(self, name: str) -> str:
        """The player of this name, as it is written in the league."""
        with self._reading(must_exist=True) as db:
            assert db
            return _player(db, name)[1]

    def players(self) -> list[str]:
        """All players, those with most games first."""
        seats = "SELECT name FROM player JOIN seat ON seat.player = player.id GROUP BY player.id"
        with self._reading() as db:
            return [name for (name,) in db.execute(f"{seats} ORDER BY count(*) DESC, name")] if db else []

    # ---- the file

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes; the file is made if it is missing."""
        with self._errors():
            if not self.file.exists():
                self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.close(os.open(self.file, os.O_CREAT | os.O_RDWR, 0o600))  # readable for its owner alone
            with closing(self._connected()) as db, _transaction(db):
                yield db

    @contextmanager
    def _reading(self, *, must_exist: bool = False) -> Iterator[sqlite3.Connection | None]:
        """A connection to read from; None if there is no file yet."""
        with self._errors():
            if not self.file.exists() and not must_exist:
                yield None
                return
            if not self.file.exists():
                raise fault(
                    "there is no league yet", Place(str(self.file)), "“pencilbox score SHEET --save” begins one"
                )
            with closing(self._connected()) as db:
                db.execute("BEGIN")  # all queries see the same plays
                yield db

    def _connected(self) -> sqlite3.Connection:
        if paths.is_dir(self.file):
            raise fault("is a folder", Place(str(self.file)), "name a file in it")
        db = sqlite3.connect(self.file, timeout=_PATIENCE, isolation_level=None)
        try:
            db.execute("PRAGMA foreign_keys = ON")
            for function in (bare, comparable):
                db.create_function(function.__name__, 1, function, deterministic=True)
            self._prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Brings the schema up to date. Raises InputError for a file that is newer, or that belongs to another
        program."""
        if self._version(db) == len(MIGRATIONS):
            return
        with _transaction(db):
            for statement in (each for migration in MIGRATIONS[self._version(db) :] for each in migration):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    def _version(self, db: sqlite3.Connection) -> int:
        """The version of the schema; 0 for an empty file."""
        # in this order, because another thread or program may just be creating the tables and then its mark
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        version, application = (
            db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")
        )
        if application != _APPLICATION and (tables or version or application):
            raise fault("is a database of another program", Place(str(self.file)), "name another file")
        if version > len(MIGRATIONS):
            raise fault("was written by a newer Pencilbox", Place(str(self.file)), "update Pencilbox to read it")
        return int(version)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Explains what SQLite and the system report."""
        place = Place(str(self.file))
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            kind = next((kind for kind in _REASONS if name.startswith(kind)), "")
            message, hint = _REASONS.get(kind, (f"cannot be used: {error}", ""))
            raise fault(message, place, hint) from error
        except OSError as error:
            raise fault(f"cannot be used: {(error.strerror or str(error)).lower()}", place) from error


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _no_play(number: int) -> InputError:
    return fault(f"there is no play {number}", hint="“pencilbox league plays” lists them with their numbers")


# ---- writing


def _saved(db: sqlite3.Connection, play: Play, again: bool) -> Saved:
    same = db.execute("SELECT id FROM play WHERE digest = ? ORDER BY id", (play.digest,)).fetchone()
    if same and not again:
        return Saved(next(_plays(db, EVERYTHING, whole=True, number=same[0])), new=False)
    similar = _similar(db, play)
    return Saved(_insert(db, play), similar=similar)


def _replaced(db: sqlite3.Connection, number: int, play: Play) -> Saved:
    """Saves a play in place of an older one; what is not known of it stays."""
    old = next(_plays(db, EVERYTHING, whole=True, number=number), None)
    if old is None:
        raise _no_play(number)
    if old.game != play.game:
        raise fault(f"play {number} is a game of {old.title}, not of {play.title}")
    same = db.execute("SELECT id FROM play WHERE digest = ? AND id <> ?", (play.digest, number)).fetchone()
    if same:
        raise fault(f"these sheets are already saved as play {same[0]}")
    db.execute("DELETE FROM play WHERE id = ?", (number,))
    kept = {name: getattr(play, name) or getattr(old, name) for name in ("event", "comment")}
    play = _insert(db, replace(play, number=number, uuid=old.uuid, **kept))
    _drop_players(db)
    return Saved(play, new=False, replaced=True)


def _similar(db: sqlite3.Connection, play: Play) -> int:
    """The number of the last play with the same game, date and players; 0 if there is none."""
    query = "SELECT seat.play, key FROM seat JOIN player ON player.id = seat.player JOIN play ON play.id = seat.play"
    rows = db.execute(f"{query} WHERE date = ? AND game = ? ORDER BY seat.play", (play.date, play.game))
    players, same = set(map(comparable, play.players)), 0
    for number, group in groupby(rows, itemgetter(0)):
        same = number if {key for _, key in group} == players else same
    return same


def _insert(db: sqlite3.Connection, play: Play) -> Play:
    play = replace(play, uuid=play.uuid or str(uuid4()))
    values = [getattr(play, name) for name in _TEXTS] + [_json(play.problems), _json(play.sheets), play.number or None]
    marks = ", ".join("?" * len(values))
    row = db.execute(f"INSERT INTO play ({', '.join(_TEXTS)}, problems, sheets, id) VALUES ({marks})", values)
    number = int(row.lastrowid or 0)
    for index, seat in enumerate(play.seats):
        player = db.execute("SELECT id FROM player WHERE key = ?", (comparable(seat.player),)).fetchone()
        if player is None:
            values = [seat.player, comparable(seat.player)]
            player = (db.execute("INSERT INTO player (name, key) VALUES (?, ?)", values).lastrowid,)
        row_of_seat = number, index, player[0], seat.points, seat.place, _json(seat.lines)
        db.execute("INSERT INTO seat (play, seat, player, points, place, lines) VALUES (?, ?, ?, ?, ?, ?)", row_of_seat)
    return replace(play, number=number)


def _drop_players(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM player WHERE id NOT IN (SELECT player FROM seat)")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


# ---- reading


def _plays(db: sqlite3.Connection, choice: Choice, *, whole: bool, number: int = 0) -> Iterator[Play]:
    names = (*_TEXTS, "problems", "sheets") if whole else _SHORT
    game, event = bare(choice.game.rstrip("/").rpartition("/")[2]), comparable(choice.event)
    conditions: dict[str, list[Any]] = {
        "id = ?": [number] * bool(number),
        "? IN (bare(game), bare(title))": [game] * bool(game),
        "comparable(event) = ?": [event] * bool(event),
        "date >= ?": [choice.since] * bool(choice.since),
        "date <= ?": [choice.until] * bool(choice.until),
    }
    where = " AND ".join(condition for condition, used in conditions.items() if used) or "1"
    values = [value for used in conditions.values() for value in used]
    # Joining the seats of plays in SQL takes three times as long for 100,000 plays.
    players: dict[int, str] = dict(db.execute("SELECT id, name FROM player"))
    lines, seats = msgspec.json.Decoder(tuple[tuple[str, int], ...]), dict[int, list[Seat]]()
    chosen = f"play IN (SELECT id FROM play WHERE {where})" if values else "1"
    query = f"SELECT play, player, points, place, {'lines' if whole else 'NULL'} FROM seat WHERE {chosen}"
    for play, player, points, place, text in db.execute(f"{query} ORDER BY play, seat", values):
        seat = Seat(players[player], points, place, lines.decode(text) if text else ())
        seats.setdefault(play, []).append(seat)
    query = f"SELECT id, {', '.join(names)} FROM play WHERE {where} ORDER BY date, id"
    for play, *fields in db.execute(query, values):
        data = {"digest": "", **dict(zip(names, fields, strict=True))}
        if whole:
            data |= {key: tuple(msgspec.json.decode(data[key])) for key in ("problems", "sheets")}
        yield Play(number=play, seats=tuple(seats[play]), **data)


def _player(db: sqlite3.Connection, name: str) -> tuple[int, str]:
    """The id and the name of a player; raises InputError if there is none."""
    found: tuple[int, str] | None
    found = db.execute("SELECT id, name FROM player WHERE key = ?", (comparable(name),)).fetchone()
    if found is None:
        names = [known for (known,) in db.execute("SELECT name FROM player ORDER BY name")]
        hint = did_you_mean(name, names) or "“pencilbox league” lists the players"
        raise fault(f"there is no player “{shortened(name)}”", hint=hint)
    return found
