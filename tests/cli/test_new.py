"""The command `new`."""

import pytest


def test_a_new_game_prints_and_scores(pencilbox):
    code, out, err = pencilbox("new", "my_game")
    assert code == 0
    assert "my_game/game.yaml" in out
    steps = [line.split("  ")[1].split()[1:] for line in err.splitlines() if line.startswith("  pencilbox")]
    assert [step[0] for step in steps] == ["make", "score"]
    for step in steps:
        assert pencilbox(*step)[0] == 0


def test_from_a_table_with_parts(pencilbox, tmp_path):
    (tmp_path / "words.csv").write_text("Question,Answer\nWater?,H2O\nSalt?,NaCl\n")
    code, out, _ = pencilbox("new", "quiz", "--from", "words.csv", "--with", "box", "--with", "box", "--size", "70x70")
    assert code == 0
    assert "sheet.yaml" not in out
    assert pencilbox("make", "quiz")[0] == 0
    assert "size: 70x70" in (tmp_path / "quiz/game.yaml").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "FOLDER is missing"),
        (["my_game", "--from", "cards.cvs"], "there is no game or folder"),
        (["my_game", "--from", "upwards"], "there is no table “upwards”; a table is"),
        (["."], "the folder “.” already exists"),
        ([".."], "already exists"),
        (["CON"], "for example: my_game"),
        (["my_game", "--from", "broken.csv"], "broken.csv:2"),
        (["my_game", "--with", "boxes"], "boxes"),
        (["my_game", "--size", "giant"], "giant"),
        (["--example", "lantern_wolk"], "did you mean lantern_walk?"),
        (["--example", "lantern_walk", "--with", "box"], "--with cannot be used with --example"),
        (["taken"], "already exists"),
    ],
)
def test_mistakes(pencilbox, tmp_path, words, message):
    (tmp_path / "broken.csv").write_text("name,copies\nAda,many\n")
    (tmp_path / "taken").mkdir()
    code, out, err = pencilbox("new", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert not (tmp_path / "my_game").exists()


def test_examples_are_listed_and_copied(pencilbox, tmp_path):
    code, out, _ = pencilbox("new", "--examples")
    assert code == 0
    assert "lantern_walk" in out
    assert pencilbox("new", "--example", "lantern_walk", "my_walk")[0] == 0
    assert "$schema" not in (tmp_path / "my_walk/game.yaml").read_text()
    assert pencilbox("new", "--example", "lantern_walk")[0] == 0
    assert pencilbox("score", "lantern_walk/filled.yaml")[0] == 0
