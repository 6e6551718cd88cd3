"""The file of the league: saving, changing, and what happens to damaged files and processes that are killed."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading

import pytest

from generator import paths
from generator.errors import InputError
from generator.league import Choice, League, league_file, league_table, store
from tests.league.sheets import play

VERSION_1 = paths.ROOT / "tests/league/version_1.sql"


@pytest.fixture
def league(tmp_path):
    return League(tmp_path / "new" / "league.sqlite3")


def error_of(function, *arguments, **options):
    with pytest.raises(InputError) as error:
        function(*arguments, **options)
    assert len(error.value.problems) == 1
    return str(error.value)


def save(league, *results, **options):
    return league.save([play(text, number=0, digest=text) for text in results], **options)


# ---- saving


def test_a_play_is_saved_once(league):
    (first,) = save(league, "Ann 5, Ben 3")
    (second,) = save(league, "Ann 5, Ben 3")
    assert (first.new, second.new) == (True, False)
    assert (first.play.number, second.play.number, len(league.plays())) == (1, 1, 1)
    (again,) = save(league, "Ann 5, Ben 3", again=True)
    assert (again.play.number, again.similar, len(league.plays())) == (2, 1, 2)


def test_a_play_comes_back_as_it_was_saved(league):
    whole = play(
        "Ann 5, Ben 3",
        unit="card", code="FG-1", event="Kitchen table", comment="rain", status="broken", reason="a gap",
        problems=("error: no-gaps: a gap",), sheets=({"game": "x", "marks": {"a": 1, "b": True, "c": "o"}},),
    )  # fmt: skip
    (saved,) = league.save([whole])
    assert league.play(1) == saved.play == league.plays(whole=True)[0]
    same = {name: getattr(saved.play, name) for name in whole.__struct_fields__} | {"uuid": "", "number": 0}
    assert whole == whole.__class__(**same) and saved.play.uuid


def test_players_are_the_same_in_any_case_and_unicode_form(league):
    save(league, "Zoë 5, Ben 3", "ZOE\u0308 2, ben 3")
    assert [each.player for each in league_table(league).standings] == ["Ben", "Zoë"]


def test_plays_are_in_the_order_of_their_dates(league):
    league.save(
        [play("Ann 1, Ben 0", date) for date in ("2026-03-01", "2024-02-29", "2026-03-01", "2025-12-31")][:4],
        again=True,
    )
    assert [each.date for each in league.plays()] == ["2024-02-29", "2025-12-31", "2026-03-01", "2026-03-01"]
    assert [each.number for each in league.plays()][-2:] == [1, 3]


def test_a_choice_of_plays(league):
    league.save([
        play("Ann 1, Ben 0", "2026-01-01", event="Käfig"),
        play("Ann 1, Ben 0", "2026-02-01", game="elevator_up", title="Elevator Up"),
    ])  # fmt: skip
    choices = {
        Choice(): 2, Choice(game="Upwards"): 1, Choice(game="UPWARDS!"): 1, Choice(game="elevator up"): 1,
        Choice(game="x"): 0,
        Choice(event="KÄFIG"): 1, Choice(since="2026-01-02"): 1, Choice(since="2026-01-01", until="2026-01-01"): 1,
        Choice(game="' OR 1 --"): 0,
    }  # fmt: skip
    assert {choice: len(league.plays(choice)) for choice in choices} == choices


def test_all_plays_are_saved_or_none(league):
    two_seats = play("Ann 1, ANN 2")
    with pytest.raises(InputError):
        league.save([play("Ann 1, Ben 2"), two_seats])
    assert league.plays() == []


def test_a_corrected_play_keeps_its_number(league):
    save(league, "Ann 5, Ben 3", "Ann 5, Cat 3")
    uuid = league.play(1).uuid
    (saved,) = league.save([play("Ann 6, Dan 3")], replaces=1)
    assert (saved.new, saved.replaced, saved.play.number, saved.play.uuid) == (False, True, 1, uuid)
    assert league.play(1).players == ("Ann", "Dan")
    assert "no player “Ben”" in error_of(league.named, "Ben"), "nobody who has no plays stays"
    assert "no play 9" in error_of(save, league, "Ann 1, Ben 2", replaces=9)
    assert "not of Other" in error_of(league.save, [play("Ann 1", game="other", title="Other")], replaces=1)
    assert "there are 2" in error_of(save, league, "Ann 1", "Ben 1", replaces=1)
    assert len(league.plays()) == 2


def test_numbers_are_not_used_again(league):
    save(league, "Ann 5, Ben 3", "Ann 5, Cat 3")
    league.forget(2)
    assert save(league, "Ann 5, Cat 3")[0].play.number == 3
    assert "no play 2" in error_of(league.forget, 2)
    assert "no play 2" in error_of(league.play, 2)


# ---- players


def test_renaming(league):
    save(league, "Ann 5, Ben 3")
    assert league.rename("ann", " Anna ") == ("Ann", "Anna")
    assert league.rename("anna", "ANNA") == ("Anna", "ANNA")
    assert league.plays()[0].players == ("ANNA", "Ben")
    assert "already a player Ben" in error_of(league.rename, "Anna", "BEN")
    assert "no player “Bem”; did you mean Ben?" in error_of(league.rename, "Bem", "Dan")
    assert "too long" in error_of(league.rename, "Anna", "x" * 61)


def test_merging(league):
    save(league, "Ann 5, Ben 3", "Anne 5, Ben 3", "Anne 2, Cat 3")
    assert league.merge("anne", "ann", carry_out=False) == ("Anne", "Ann", 2)
    assert len(league_table(league).standings) == 4
    assert league.merge("anne", "ann") == ("Anne", "Ann", 2)
    assert {each.player: each.played for each in league_table(league).standings} == {"Ann": 3, "Ben": 2, "Cat": 1}
    assert "played in the same game" in error_of(league.merge, "Ben", "Ann")
    assert "the same player" in error_of(league.merge, "Ann", "ANN")
    assert "no player “Anne”" in error_of(league.merge, "Anne", "Ann")


# ---- the file


def test_nothing_is_made_by_reading(league):
    assert league.plays() == [] and league_table(league).standings == ()
    assert "no league yet" in error_of(league.named, "Ann")
    assert not league.file.parent.exists()


def test_the_file_is_readable_for_its_owner_alone(league):
    os.umask(os.umask(0))
    save(league, "Ann 5, Ben 3")
    assert stat.S_IMODE(league.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(league.file.parent.stat().st_mode) == 0o700


def test_where_the_file_is(monkeypatch, tmp_path):
    monkeypatch.delenv("PENCILBOX_LEAGUE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert league_file() == tmp_path / "pencilbox/league.sqlite3"
    monkeypatch.setenv("PENCILBOX_LEAGUE", "other.sqlite3")
    assert str(league_file()) == "other.sqlite3"
    assert league_file(tmp_path / "x") == tmp_path / "x"


def test_the_first_version_is_still_read(tmp_path):
    """version_1.sql is what the first version wrote."""
    league = League(tmp_path / "league.sqlite3")
    with sqlite3.connect(league.file) as db:
        db.executescript(VERSION_1.read_text("utf-8"))
        db.execute(f"PRAGMA application_id = {0x50426F78}")
        db.execute("PRAGMA user_version = 1")
    assert [each.players for each in league.plays()] == [("Ann", "Ben"), ("Ben", "Cat")]
    assert save(league, "Ann 1, Ben 2")[0].play.number == 3
    with sqlite3.connect(league.file) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(store.MIGRATIONS),)


def test_an_older_schema_is_brought_up_to_date(league, monkeypatch):
    save(league, "Ann 5, Ben 3")
    more = (*store.MIGRATIONS, ("ALTER TABLE play ADD COLUMN place TEXT NOT NULL DEFAULT ''",))
    monkeypatch.setattr(store, "MIGRATIONS", more)
    assert len(league.plays()) == 1
    monkeypatch.setattr(store, "MIGRATIONS", more[:1])
    assert "newer Pencilbox" in error_of(league.plays)


def test_a_migration_that_fails_changes_nothing(league, monkeypatch):
    save(league, "Ann 5, Ben 3")
    before = store.MIGRATIONS
    monkeypatch.setattr(store, "MIGRATIONS", (*before, ("CREATE TABLE more (a)", "nonsense")))
    assert "cannot be used" in error_of(league.plays)
    monkeypatch.setattr(store, "MIGRATIONS", before)
    assert len(league.plays()) == 1


@pytest.mark.parametrize("content", [b"not a database, but long enough to be one" * 100, b"%PDF-1.7\n" * 200])
def test_a_file_that_is_not_a_league(league, content):
    league.file.parent.mkdir()
    league.file.write_bytes(content)
    for function in (league.plays, lambda: save(league, "Ann 1, Ben 2")):
        assert "is not a league" in error_of(function)
    assert league.file.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(league):
    league.file.parent.mkdir()
    with sqlite3.connect(league.file) as db:
        db.execute("CREATE TABLE play (a)")
    db.close()
    content = league.file.read_bytes()
    assert "another program" in error_of(save, league, "Ann 1, Ben 2")
    assert league.file.read_bytes() == content


def test_a_damaged_file(league):
    league.save([play(f"Ann {n}, Ben 1", digest=str(n)) for n in range(200)])
    content = bytearray(league.file.read_bytes())
    content[4096 : len(content) // 2] = b"\xff" * (len(content) // 2 - 4096)
    league.file.write_bytes(content)
    assert "damaged" in error_of(league.plays)


def test_an_empty_file_is_a_new_league(league):
    league.file.parent.mkdir()
    league.file.touch()
    assert league.plays() == []
    assert save(league, "Ann 1, Ben 2")[0].new


def test_a_folder_in_its_place(tmp_path):
    assert "is a folder" in error_of(League(tmp_path).plays)
    assert "cannot be used" in error_of(save, League(tmp_path / ("x" * 300)), "Ann 1, Ben 2")
    (tmp_path / "file").touch()
    assert "cannot be used" in error_of(save, League(tmp_path / "file/league"), "Ann 1, Ben 2")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(league):
    league.file.parent.mkdir(mode=0o500)
    assert "permission denied" in error_of(save, league, "Ann 1, Ben 2")


def test_a_read_only_database(league, monkeypatch):
    save(league, "Ann 1, Ben 2")
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda file, **options: connect(f"file:{file}?mode=ro", uri=True, **options)
    )
    assert "read-only" in error_of(save, league, "Ann 1, Cat 2")


def test_a_full_disk(league, monkeypatch):
    save(league, "Ann 1, Ben 2")
    prepare = League._prepare

    def full(self, db):
        prepare(self, db)
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")

    monkeypatch.setattr(League, "_prepare", full)
    big = [play(f"Ann {n}, Ben 1", digest=str(n), comment="x" * 500) for n in range(500)]
    assert "disk is full" in error_of(league.save, big)
    monkeypatch.undo()
    assert len(league.plays()) == 1


def test_a_file_in_use(league, monkeypatch):
    save(league, "Ann 1, Ben 2")
    monkeypatch.setattr(store, "_PATIENCE", 0.01)
    with sqlite3.connect(league.file, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "in use" in error_of(save, league, "Ann 1, Cat 2")
        assert len(league.plays()) == 1, "reading is possible meanwhile"
        other.execute("ROLLBACK")
    other.close()


# ---- several at once, and killed processes


def test_threads_save_at_the_same_time(league):
    def work(number):
        for turn in range(10):
            save(league, f"P{number} {turn}, Ben 100")
            save(league, f"All {turn}, Ben 100")

    threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(league.plays()) == 50


CREATOR = """
import sys
from pathlib import Path
from generator.league import League
for number in range(20):
    sys.stdin.readline()
    League(Path(sys.argv[1], f"{number}.sqlite3")).add([])
    print(number, flush=True)
"""


def test_processes_create_it_at_the_same_time(tmp_path):
    command = [sys.executable, "-c", CREATOR, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": paths.ROOT, "bufsize": 1}
    processes = [subprocess.Popen(command, **pipes) for _ in range(3)]
    for number in range(20):
        for each in processes:
            each.stdin.write("go\n")
        assert [each.stdout.readline() for each in processes] == [f"{number}\n"] * 3
    for each in processes:
        each.communicate()


SAVER = """
import sys
from pathlib import Path
from generator.league import League
from tests.league.sheets import play
league = League(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    text = f"{sys.argv[2]} {number}, Ben 1, Cat 2, Dan 3"
    league.save([play(text, digest=text, comment="x" * 400)])
    print(number, flush=True)
"""


def saver(league, name, count):
    words = [sys.executable, "-c", SAVER, str(league.file), name, str(count)]
    return subprocess.Popen(words, cwd=paths.ROOT, stdout=subprocess.PIPE, text=True)


def test_two_processes_create_and_fill_a_league(league):
    processes = [saver(league, name, 30) for name in ("Ann", "Eve")]
    assert [(process.communicate()[0].count("\n"), process.returncode) for process in processes] == [(30, 0), (30, 0)]
    assert len(league.plays()) == 60


@pytest.mark.parametrize("saves", [1, 7, 40])
def test_nothing_is_lost_when_the_process_is_killed(league, saves):
    process = saver(league, "Ann", 100_000)
    reported = [process.stdout.readline() for _ in range(saves)]
    os.kill(process.pid, signal.SIGKILL)
    reported += process.stdout.read().splitlines()
    process.wait()
    process.stdout.close()
    with sqlite3.connect(league.file) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    plays = league.plays()
    assert len(reported) <= len(plays) <= len(reported) + 1
    assert all(len(each.seats) == 4 for each in plays)
    assert save(league, "Ann 1, Ben 2")[0].new


def test_sheets_that_are_there_already_replace_nothing(league):
    save(league, "Ann 5, Ben 3", "Ann 5, Cat 3")
    assert "these sheets are already saved as play 2" in error_of(save, league, "Ann 5, Cat 3", replaces=1)
    assert save(league, "Ann 5, Ben 3", replaces=1)[0].replaced


def test_a_game_is_chosen_by_its_key_its_title_or_its_folder(league):
    league.save([play("Ann 1, Ben 0", game="kite_day", title="Kite Day: the game")])
    for name in ("kite_day", "Kite Day", "KITE DAY: THE GAME", "examples/kite_day/"):
        assert len(league.plays(Choice(game=name))) == 1
