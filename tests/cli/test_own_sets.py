"""Random sets of your own game, from the command line."""

import json
import shutil

import pytest

GAME = """\
title: Paper Moon
players: 2-4
components:
  cards: {kind: deck, title: Lanterns, cards: cards.csv, face: card}
  strip: {kind: page, title: Strip, face: drawn}
  pad: {kind: sheet, title: Pad, sheet: sheet.yaml, face: score_pad}
draws:
  market: {pick: cards, count: 2 + players}
  strip: {rows: 12, columns: {red: d6, white: 2d6}}
"""


SHEET = """\
title: Pad
players: players
fields:
  set: {kind: code, paper: false}
  players: {repeat: 2, fields: {name: {kind: text}, points: {kind: number, count: 2}}}
score:
  - {label: points, of: players.*.points}
"""


@pytest.fixture
def moon(tmp_path):
    folder = tmp_path / "moon"
    (folder / "templates").mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME)
    (folder / "cards.csv").write_text("title\n" + "".join(f"Lantern {number}\n" for number in range(12)))
    (folder / "templates/card.xml.j2").write_text(
        '<face><column padding="4" gap="2"><text>{{ card.title }}</text><text>{{ set_code }}</text></column></face>'
    )
    (folder / "sheet.yaml").write_text(SHEET)
    return folder


def test_the_commands_know_the_draws_of_your_own_game(moon, pencilbox):
    status, out, _ = pencilbox("randomise", "moon", "--kind", "market", "--seed", "hello", "--format", "json")
    (drawn,) = json.loads(out)
    assert status == 0
    assert len(drawn["market"]) == 4
    status, out, err = pencilbox("verify", drawn["set"], "moon")
    assert status == 0
    assert "Paper Moon: market, players 2" in out
    status, out, err = pencilbox("make", "moon", "--set", drawn["set"])
    assert (status, out.count(".pdf")) == (0, 1), err
    status, out, err = pencilbox("make", "moon", "--random", "--kind", "strip", "--seed", "1")
    (file,) = [word for word in out.split() if word.endswith(".pdf")]
    assert pencilbox("verify", file, "moon")[0] == 0
    status, _, err = pencilbox("make", "--set", drawn["set"])
    assert status == 2
    assert "name its folder" in err
    status, _, err = pencilbox("make", "moon", "strip")
    assert "“strip” of Paper Moon needs a random set; add --random" in err


def test_a_score_sheet_names_its_set(moon, pencilbox):
    code = pencilbox("randomise", "moon", "--seed", "hello")[1].split()[0]
    sheet = f"game: ./\nset: {code}\nplayers: [{{name: Ann, points: [1, 2]}}, {{name: Ben, points: [3, 4]}}]\n"
    (moon / "filled.yaml").write_text(sheet)
    status, out, err = pencilbox("score", "moon/filled.yaml")
    assert (status, "Ben wins with 7 points" in out) == (0, True), err
    status, _, err = pencilbox("make", "moon", "pad", "--set", code)
    assert status == 0, err
    form = f"output/moon/pad-a4-fillable-{code}.pdf"
    assert pencilbox("score", form, "--game", "moon")[0] == 0
    (moon / "game.yaml").write_text(GAME.replace("2 + players", "3 + players"))
    for file in ("moon/filled.yaml", form):
        status, _, err = pencilbox("score", file, "--game", "moon")
        assert status == 2
        assert file in err
        assert f"the set code {code} was drawn from another version of draw “market” of Paper Moon" in err


@pytest.mark.parametrize("face", ["standard", "picture", "word", "flash", "tarot", "number_and_suit"])
def test_built_in_faces_print_the_code_of_a_set(moon, pencilbox, face):
    (moon / "game.yaml").write_text(GAME.replace("face: card", f"face: {face}"))
    rows = [
        "title,suit,footer",
        "Moon,red,An artist",
        "River,blue,",
        "Kiln,gold,",
        "Boat,red,",
        "Sea,blue,",
        "Hut,red,",
    ]
    (moon / "cards.csv").write_text("\n".join(rows))
    code = pencilbox("randomise", "moon", "--seed", "hello")[1].split()[0]
    status, _, err = pencilbox("make", "moon", "--set", code)
    assert status == 0, err
    status, out, err = pencilbox("verify", f"output/moon/cards-a4-{code}.pdf", "moon")
    assert (status, "The PDF matches its code." in out) == (0, True), out + err


def test_your_own_game_is_simulated_with_random_sheets(moon, pencilbox):
    (moon / "sheet.yaml").write_text(SHEET.replace("count: 2", "count: 2, span: 0-9"))
    status, out, err = pencilbox("balance", "moon", "--games", "20", "--players", "2", "--keep", "kept")
    assert status == 0, err
    assert "Every box of the score sheet is filled in at random, within its rules." in out
    status, out, err = pencilbox("score", "kept/game-00001.yaml", "kept/game-00002.yaml", "--game", "moon")
    assert (status, out.count("No problems found.")) == (0, 2), out + err
    status, _, err = pencilbox("balance", "moon", "--player", "greedy")
    assert (status, "--player greedy makes no difference here; its players are random" in err) == (2, True)


def test_a_code_finds_its_game_among_several(moon, pencilbox, tmp_path):
    code = pencilbox("randomise", "moon", "--seed", "hello")[1].split()[0]
    other = shutil.copytree(moon, tmp_path / "other")
    (other / "game.yaml").write_text(GAME.replace("Paper Moon", "Night Sky"))
    assert pencilbox("make", "moon", "other", "cards", "--set", code)[1].count(".pdf") == 1
    assert pencilbox("verify", "moon", code)[0] == 0
    status, _, err = pencilbox("make", "other", "upwards", "--set", code)
    assert (status, "belongs to none of these games; their codes begin with NS, UP" in err) == (2, True)
    (other / "game.yaml").write_text(GAME)
    status, _, err = pencilbox("make", "moon", "other", "--set", code)
    assert (status, "may belong to each of Paper Moon, Paper Moon" in err) == (2, True)


def test_a_game_that_only_has_pages_of_sets_is_not_printed_in_silence(moon, pencilbox):
    (moon / "game.yaml").write_text("title: Paper Moon\ncomponents:\n  strip: {kind: page, title: Strip, face: card}\n")
    status, out, err = pencilbox("make", "moon")
    assert (status, out) == (2, "")
    assert "every part of Paper Moon needs a random set; add --random, or --set CODE" in err
