"""pencilbox league, and score --save."""

import csv
import io
import json
import re

import pytest
import zxingcpp
from PIL import Image

from generator.cli.league import _qr_code
from generator.league import League
from tests.league.sheets import play, upwards


@pytest.fixture
def league(pencilbox, tmp_path, monkeypatch):
    """The league that the commands use."""
    monkeypatch.setenv("PENCILBOX_LEAGUE", str(tmp_path / "league.sqlite3"))
    return League(tmp_path / "league.sqlite3")


@pytest.fixture
def full(league):
    results = ["Ann 5, Ben 3, Cat 1", "Ann 5, Ben 5", "Ben 5, Cat 3"]
    league.save([play(result, f"2026-11-{day:02}", event="Kitchen table") for day, result in enumerate(results, 1)])
    league.save([play("Ann 9, Ben 3", "2026-11-10", status="broken", reason="a gap"), play("Dan 9", status="solo")])
    return league


# ---- score --save


def test_saving(pencilbox, league, tmp_path):
    files = upwards(tmp_path, "Ann"), upwards(tmp_path, "Ben", "1 2 3 4")
    code, out, _ = pencilbox(
        "score", *files, "--save", "--date", "2026-11-21", "--event", "Kitchen table", "--comment", "Rain"
    )
    assert (code, out.splitlines()[-1]) == (0, "Saved: play 1 of 2026-11-21.")
    assert (league.play(1).event, league.play(1).comment, league.play(1).winners) == ("Kitchen table", "Rain", ("Ann",))
    code, out, _ = pencilbox("score", *reversed(files), "--save")
    assert (code, out.splitlines()[-1][:36]) == (0, "Already saved: play 1 of 2026-11-21.")
    code, out, _ = pencilbox("score", *files, "--save", "--again", "--date", "2026-11-21")
    assert "Saved: play 2" in out and "Play 1 has the same game, date and players" in out
    assert "--replace 1" in out
    (tmp_path / "ann.yaml").write_text((tmp_path / "ann.yaml").read_text().replace("1 1 1 1", "2 2 2 2"))
    assert (
        "play 1 of 2026-11-21, corrected."
        in pencilbox("score", *files, "--save", "--replace", 1, "--date", "2026-11-21")[1]
    )
    assert len(league.plays()) == 2


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_says_what_was_saved(pencilbox, league, tmp_path, form):
    before = json.loads(pencilbox("score", upwards(tmp_path, "Ann"), "--format", form)[1])
    data = json.loads(pencilbox("score", upwards(tmp_path, "Ann"), "--save", "--format", form)[1])
    saved = data.pop("saved")
    assert data == before
    assert saved == {"play": 1, "new": True, "counted": False, "reason": "there was only one player"}
    assert (
        json.loads(pencilbox("score", upwards(tmp_path, "Ann"), "--save", "--format", form)[1])["saved"]["new"] is False
    )


def test_a_sheet_with_errors_is_saved_but_not_counted(pencilbox, league, tmp_path):
    path = tmp_path / "ann.yaml"
    path.write_text('game: upwards\nplayer: Ann\noption: rows\ngrid: ["1 . . .", ". . . ."]\n')
    code, out, _ = pencilbox("score", path, upwards(tmp_path, "Ben"), "--save")
    assert code == 1 and re.search(r"Saved: play 1 of \S+, not counted: a2 is filled", out)
    assert "not counted: a2 is filled" in pencilbox("league", "plays")[1]
    assert pencilbox("league")[1].endswith("1 not counted, “pencilbox league plays” shows why.\n")


def test_nothing_is_saved_if_a_sheet_cannot_be_read(pencilbox, league, tmp_path):
    code, out, err = pencilbox("score", upwards(tmp_path, "Ann"), tmp_path / "missing.yaml", "--save")
    assert code == 2 and "nothing was saved" in err and "Saved" not in out
    assert not league.file.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--date", "2026-11-21"], "--date only works with --save"),
        (["--player", "Ann", "--together"], "--together only works with --save"),
        (["--save", "--together", "--separately"], "cannot be used together"),
        (["--save", "--replace", "1", "--again"], "cannot be used together"),
        (["--save", "--workers", "2"], "--workers cannot be used with --save"),
        (["--save", "--date", "yesterday"], "“yesterday” is not a date"),
        (["--save", "--date", "9999-12-31"], "in the future"),
        (["--save", "--player", "Ben"], "leave out --player"),
        (["--save", "--replace", "7"], "there is no play 7"),
        (["--save", "--comment", "x" * 501], "too long"),
        (["--save", "--event", "a\x1bb"], "invisible"),
        (["--save", "--league", "."], "is a directory"),
    ],
)
def test_wrong_options(pencilbox, league, tmp_path, words, message):
    code, _, err = pencilbox("score", upwards(tmp_path, "Ann"), *words)
    assert (code, message in err) == (2, True), err
    assert not err.startswith("Traceback") and league.plays() == []


def test_together_and_separately(pencilbox, league, tmp_path):
    one = upwards(tmp_path, "Ann"), upwards(tmp_path, "Ben", "1 2 3 4")
    pencilbox("score", *one, "--save", "--separately")
    assert [each.players for each in league.plays()] == [("Ann",), ("Ben",)]
    (tmp_path / "all.yaml").write_text("---\n".join((tmp_path / name).read_text() for name in ("ann.yaml", "ben.yaml")))
    code, _, err = pencilbox("score", tmp_path / "all.yaml", "--save", "--again")
    assert code == 2 and "--together" in err and "--separately" in err
    assert pencilbox("score", tmp_path / "all.yaml", "--save", "--together")[0] == 0
    assert league.plays()[-1].players == ("Ann", "Ben")


def test_another_file(pencilbox, league, tmp_path):
    pencilbox("score", upwards(tmp_path, "Ann"), "--save", "--league", tmp_path / "other.sqlite3")
    assert not league.file.exists()
    assert "Ann 5 (one player)" in pencilbox("league", "plays", "--file", tmp_path / "other.sqlite3")[1]


# ---- showing


def test_an_empty_league_says_what_to_do(pencilbox, league):
    for words in ([], ["plays"], ["table"]):
        assert pencilbox("league", *words) == (
            0,
            "The league is empty. Save a scored sheet to begin it: pencilbox score SHEET --save\n",
            "",
        )
    assert "there is no league yet" in pencilbox("league", "player", "Ann")[2]


def test_the_table(pencilbox, full):
    code, out, _ = pencilbox("league")
    lines = out.splitlines()
    assert code == 0 and lines[0].split() == [
        "player",
        "played",
        "won",
        "win",
        "rate",
        "place",
        "last",
        "five",
        "streak",
        "Elo",
    ]
    assert re.fullmatch(r"1  Ann +2  1\.5 +75% +1\.0  WT +2  1,\d{3} ±\d{3}", lines[1])
    assert lines[-1].startswith("5 plays from 2026-11-01 to 2026-11-21; 2 not counted")
    assert pencilbox("league", "table")[1] == out
    assert "No saved game matches" in pencilbox("league", "--game", "elevator_up")[1]


def test_the_table_as_data(pencilbox, full):
    data = json.loads(pencilbox("league", "--format", "json")[1])
    assert [each["player"] for each in data["standings"]] == ["Ann", "Ben", "Cat"]
    assert data["counted"] == 3 and len(data["head_to_head"]) == 6 and len(data["series"]) == 3
    rows = list(csv.DictReader(io.StringIO(pencilbox("league", "--format", "csv", "--until", "2026-11-01")[1])))
    assert [(row["player"], row["played"]) for row in rows] == [("Ann", "1"), ("Ben", "1"), ("Cat", "1")]


def test_plays(pencilbox, full):
    out = pencilbox("league", "plays")[1]
    assert "   1  2026-11-01  Upwards!  Ann 5, Ben 3, Cat 1" in out
    assert "Ann 9, Ben 3 (not counted: a gap)" in out and "Dan 9 (one player)" in out
    assert pencilbox("league", "plays", "--last", 2)[1].endswith("3 plays before that; --last 5 lists all.\n")
    assert len(json.loads(pencilbox("league", "plays", "--player", "cat", "--format", "json")[1])) == 2
    assert len(pencilbox("league", "plays", "--format", "csv")[1].splitlines()) == 1 + 3 + 2 + 2 + 2 + 1


def test_a_player(pencilbox, full):
    out = pencilbox("league", "player", "ANN")[1]
    assert out.startswith("Ann: Elo 1,") and "2 plays, won 1.5 (75%)" in out
    assert re.search(r"Ben +1 +0 +1\n", out)
    data = json.loads(pencilbox("league", "player", "Dan", "--format", "json")[1])
    assert data["standing"] is None and data["points"][0]["best"] == 9
    assert pencilbox("league", "player", "Dan")[1].startswith("Dan: no game that counts")
    assert "did you mean Cat?" in pencilbox("league", "player", "Catt")[2]


# ---- changing


def test_renaming_merging_and_forgetting(pencilbox, full):
    assert pencilbox("league", "rename", "ann", "Anna")[1] == "Renamed “Ann” to “Anna”.\n"
    code, out, err = pencilbox("league", "merge", "Dan", "Cat")
    assert (code, out) == (2, "") and "1 play of Dan will be Cat’s" in err and "--yes" in err
    assert pencilbox("league", "merge", "Dan", "Cat", "--yes")[1] == "Merged: 1 play of Dan is now Cat’s.\n"
    assert "played in the same game" in pencilbox("league", "merge", "Anna", "Ben", "--yes")[2]
    code, _, err = pencilbox("league", "forget", 1)
    assert code == 2 and "play 1 will be deleted (2026-11-01  Upwards!  Anna 5, Ben 3, Cat 1)" in err
    assert pencilbox("league", "forget", 1, "--yes")[1] == "Forgotten: play 1.\n"
    assert [each.number for each in full.plays()] == [2, 3, 4, 5]


@pytest.mark.parametrize(("answer", "left"), [("y", 4), ("n", 5), ("", 5)])
def test_forgetting_asks_on_a_terminal(pencilbox, full, monkeypatch, answer, left):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("sys.stdin", Terminal(f"{answer}\n"))
    monkeypatch.setattr("sys.stderr", Terminal())
    code = pencilbox("league", "forget", 1)[0]
    assert (code, len(full.plays())) == (0 if left == 4 else 2, left)


def test_export_and_import(pencilbox, full, tmp_path):
    for ending in ("json", "csv", "bgsplay"):
        code, _, err = pencilbox("league", "export", f"league.{ending}")
        assert (code, err) == (0, f"league.{ending}  5 plays\n")
    assert "already exists" in pencilbox("league", "export", "league.json")[2]
    assert "does not end with" in pencilbox("league", "export", "league.xlsx")[2]
    assert "nothing to export" in pencilbox("league", "export", "x.json", "--file", "empty.sqlite3")[2]
    other = "--file", "other.sqlite3"
    assert pencilbox("league", "import", "league.json", *other)[1] == "Imported: 5 plays.\n"
    assert pencilbox("league", "import", "league.json", *other)[1] == "Imported: 0 plays, 5 there already.\n"
    assert pencilbox("league", *other)[1] == pencilbox("league")[1]


def test_sharing(pencilbox, full, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    link, blank, *code = pencilbox("league", "share", 1)[1].splitlines()
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B") and not blank
    assert scanned(code) == link
    monkeypatch.setenv("COLUMNS", "60")
    assert "needs a terminal of" in pencilbox("league", "share", 1)[2]


@pytest.mark.parametrize("text", ["a", "https://example.org/?q=1", "x" * 300])
def test_qr_codes_can_be_scanned(text):
    assert scanned(_qr_code(text)) == text


def scanned(lines):
    """What a QR code of half blocks says."""
    image = Image.new("L", (max(map(len, lines)), 2 * len(lines)))
    for y, line in enumerate(lines):
        for x, block in enumerate(line):
            image.putpixel((x, 2 * y), 255 * (block in "█▀"))
            image.putpixel((x, 2 * y + 1), 255 * (block in "█▄"))
    found = zxingcpp.read_barcodes(image.resize((image.width * 4, image.height * 4), Image.Resampling.NEAREST))
    return found[0].text


def test_wrong_words(pencilbox, league):
    for words, message in [
        (["bogus"], "there is no command “league bogus”"),
        (["--since", "soon"], "“soon” is not a date"),
        (["forget", "x"], "whole number"),
        (["forget"], "PLAY is missing"),
        (["plays", "--bogus"], "there is no option --bogus"),
        (["rename", "Ann"], "NEW is missing"),
    ]:
        code, out, err = pencilbox("league", *words)
        assert (code, out, message in err) == (2, "", True), err


def test_names_cannot_move_the_cursor(pencilbox, league, tmp_path):
    league.save([play("Ann 1, Ben 0", title="\x1b[2JGame")])
    assert "\x1b" not in pencilbox("league", "plays")[1]
