"""Random sets of your own game, from the command line."""

import json

import pytest

GAME = """\
title: Paper Moon
players: 2-4
components:
  cards: {kind: deck, title: Lanterns, cards: cards.csv, face: card}
  strip: {kind: page, title: Strip, face: drawn}
draws:
  market: {pick: cards, count: 2 + players}
  strip: {rows: 12, columns: {red: d6, white: 2d6}}
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
