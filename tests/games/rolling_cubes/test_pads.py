"""A pad for each player: several files or forms are one game, and a player may go on on a second pad."""

import pytest

from generator.judging.judge import Judge
from generator.printing.scored_copies import Copier, copy
from generator.reading.sizes import paper
from generator.rules.results import plain
from tests.forms import filled
from tests.presses import form_of

HEAD = "game: rolling_cubes\nmode: one-by-one\nplayers: [NAME]\n"
ANN = HEAD.replace("NAME", "Ann") + "rounds:\n- Ann: {tiles: KITCHEN, points: 8, bonus: 2}\n- Ann: {tiles: BIRD}\n"
BEN = HEAD.replace("NAME", "Ben") + "rounds:\n- Ben: {tiles: BIRD, points: 4}\n- Ben: {tiles: RAIN, bonus: 1}\n"

TOGETHER = """game: rolling_cubes
mode: one-by-one
players: [Ann, Ben]
rounds:
- {Ann: {tiles: KITCHEN, points: 8, bonus: 2}, Ben: {tiles: BIRD, points: 4}}
- {Ann: {tiles: BIRD}, Ben: {tiles: RAIN, bonus: 1}}
"""


@pytest.fixture
def answers(tmp_path):
    def result(*texts, judge=None):
        files = [tmp_path / f"{number}.yaml" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text, "utf-8")
        return list((judge or Judge()).answers(map(str, files)))

    return result


def outcome(answer):
    facts = plain(answer)
    return facts["players"], facts.get("winners"), [finding["message"] for finding in facts["findings"]]


def test_pads_are_scored_like_one_sheet(answers):
    (pads,), (sheet,) = answers(ANN, BEN), answers(TOGETHER)
    assert outcome(pads) == outcome(sheet)
    assert [player["total"] for player in plain(pads)["players"]] == [15, 9]


def test_a_pad_alone_counts_the_ringed_bonus(answers):
    ((players, _, messages),) = map(outcome, answers(ANN + "claimed: {Ann: 14}\n"))
    assert players[0]["total"] == 14 and messages == []
    assert players[0]["lines"][1] == {"label": "round 1 bonus", "points": 2}
    ((_, _, messages),) = map(outcome, answers(ANN.replace("tiles: KITCHEN, points: 8", 'tiles: "-"')))
    assert messages == ["Ann ringed 2, but has a bonus of 0 in round 1"]


def test_a_wrong_ring_is_found_between_pads(answers):
    (answer,) = answers(ANN, BEN.replace("points: 4", "points: 4, bonus: 2"))
    (finding,) = answer.verdict.findings
    assert finding.rule == "claimed-bonus" and finding.where == ("rounds.1.bonus.1",) and finding.player == "Ben"
    assert finding.message == "Ben ringed 2, but has a bonus of 0 in round 1"
    assert finding.place.file.endswith("1.yaml") and finding.place.line == 5


def test_a_forgotten_ring_is_found(answers):
    (answer,) = answers(ANN.replace(", bonus: 2", ""), BEN)
    assert [finding.message for finding in answer.verdict.findings] == [
        "Ann wrote 8, but scores 10 in round 1 with the bonus"
    ]


def test_a_second_pad_goes_on_where_the_first_ends(answers):
    first = HEAD.replace("NAME", "Ann") + "rounds:\n" + "- {Ann: {tiles: BIRD}}\n" * 6 + "claimed: {Ann: 24}\n"
    second = HEAD.replace("NAME", "ann") + "rounds:\n- {ann: {tiles: BIRT}}\nclaimed: {ann: 28}\n"
    (answer,) = answers(first, second)
    (player,) = plain(answer)["players"]
    assert player["total"] == 28 and player["lines"][-1]["label"] == "round 7"
    (finding,) = answer.verdict.findings
    assert finding.where == ("rounds.1.words.1.word",) and finding.place.file.endswith("1.yaml")
    (answer,) = answers(first.replace("24", "25"), second.replace("BIRT", "RAIN"))
    assert [finding.message for finding in answer.verdict.findings] == ["Ann wrote 25, but the points add up to 24"]


def test_pads_of_different_games_are_found(answers):
    (answer,) = answers(ANN, BEN + "tournament: true\n")
    assert {finding.rule for finding in answer.verdict.findings} == {"same-game"}


def test_sheets_of_several_players_are_games_of_their_own(answers):
    assert len(answers(TOGETHER, ANN)) == 2


def test_five_throws_are_compared_too(answers):
    text = (
        "game: rolling_cubes\nmode: five-throws\nplayers: [NAME]\nended: true\nlines: {NAME: {trio: {tiles: TILES}}}\n"
    )
    (answer,) = answers(
        text.replace("NAME", "Ann").replace("TILES", "RADIO"), text.replace("NAME", "Ben").replace("TILES", "IDEA")
    )
    assert plain(answer)["winners"] == ["Ann"]


def test_forms_of_two_players_are_judged_like_the_typed_sheet(tmp_path, answers):
    form = form_of("rolling_cubes", "one-by-one")
    marks = [
        {"players.1": "Ann", "rounds.1.words.1.tiles": "KITCHEN", "rounds.1.claimed.1": "8", "rounds.1.bonus.1": "/2"},
        {"players.1": "Ben", "rounds.1.words.1.tiles": "BIRD", "rounds.1.claimed.1": "4"},
    ]
    files = []
    for number, values in enumerate(marks):
        files.append(tmp_path / f"{number}.pdf")
        files[-1].write_bytes(filled(form, values))
    (answer,) = Judge().answers(map(str, files))
    assert [player["total"] for player in plain(answer)["players"]] == [10, 4]
    assert plain(answer)["findings"] == []


def test_a_sheet_of_several_players_is_copied_onto_a_pad_for_each(answers):
    (answer,) = answers(
        TOGETHER.replace("- {Ann: {tiles: BIRD}", "- {}\n" * 5 + "- {Ann: {tiles: BIRD}"), judge=Judge(copies=True)
    )
    written = [writing for _, writing in Copier(paper("a4")).sheets(copy(answer))]
    assert [writing.marks.get("players.1") for writing in written] == ["Ann", "Ann", "Ben", "Ben"]
    assert [writing.marks.get("rounds.1.words.1.tiles") for writing in written] == ["KITCHEN", "BIRD", "BIRD", "RAIN"]


def test_points_with_the_bonus_are_copied_without_it(answers):
    """On paper, the bonus is ringed beside them."""
    text = TOGETHER.replace("points: 8, bonus: 2", "points: 10").replace("Ben: {tiles: BIRD, points: 4}", "Ben: 0")
    (answer,) = answers(text, judge=Judge(copies=True))
    (_, ann), (_, ben) = Copier(paper("a4")).copies([answer])[0].sheets
    assert ann.marks["rounds.1.claimed.1"] == "8" and ann.sums["rounds.1.bonus.1"] == "2"
    assert ben.marks["rounds.1.words.1.tiles"] == "–"
