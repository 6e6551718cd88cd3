"""Simulated games are legal: neither the judge nor the independent referees find a problem."""

import json
import os
from collections import Counter
from io import BytesIO

import pytest

from generator import games
from generator.draws import parse
from generator.draws.draw_kinds import new_code
from generator.errors import InputError
from generator.games.cosmic_consequences import play as cosmic
from generator.games.cosmic_consequences.simulation import ENDS as NAMED_ENDS
from generator.judging.judge import Judge
from generator.reading.load import load
from generator.rules.results import plain
from generator.simulation import simulate
from generator.simulation.report import Job
from tests.games.cosmic_consequences import referee as cosmos
from tests.games.elevator_up import referee as lift
from tests.games.elevator_up.playing import dealt_cards
from tests.games.from_the_ground_up import referee as ground
from tests.games.rolling_cubes.test_referee import judgement_of
from tests.games.upwards import referee as upwards

PLAYED = [(game, variant) for game in games.SHIPPED for variant in games.simulation_of(load(game)).variants]
COUNT = max(1, int(os.environ.get("PENCILBOX_GAMES", "0")) // 8)
JUDGE = Judge()
ENDS = set(NAMED_ENDS.values())


def kept(game, mind, variant="", count=3, players=3, code=None):
    return simulate.play(Job(game, (mind,) * players, code, variant, "kept", 0, count, True))


def judged(sheets, folder):
    for number, sheet in enumerate(sheets):
        (folder / f"{number}.json").write_text(json.dumps(sheet))
    (answer,) = JUDGE.answers(sorted(map(str, folder.glob("*.json"))))
    return plain(answer)


@pytest.mark.parametrize("mind", simulate.STRATEGIES)
@pytest.mark.parametrize(("game", "variant"), PLAYED)
def test_the_judge_accepts_every_game_and_counts_the_same(tmp_path, game, variant, mind):
    if (game, mind) == ("rolling_cubes", "greedy") and variant in ("all-together", "tournament"):
        pytest.skip("players who all know the best word tie endlessly")
    job = Job(game, (mind,) * 3, None, variant, "kept", 0, COUNT, True)
    for part in job.parts(1):
        done = simulate.play(part)
        ((number, sheets),) = done.sheets
        folder = tmp_path / str(number)
        folder.mkdir()
        answer = judged(sheets, folder)
        assert answer.get("error") is None
        assert answer["findings"] == []
        names = {name: player for player, name in enumerate(part.names)}
        totals = {(names[player["name"]], player["total"]): 1 for player in answer["players"]}
        assert dict(done.tally.points) == totals
        winners = {names[name] for name in answer["winners"]}
        assert winners == set(done.tally.won) | set(done.tally.shared)
        assert done.tally.all_lose == (not winners)


@pytest.mark.parametrize("variant", ["last-die", "tournament"])
def test_nobody_plays_the_last_die_alone(variant):
    """“Then it is the turn of the player on his left.”"""
    with pytest.raises(InputError, match="for two or more players"):
        simulate.prepare("rolling_cubes", None, 1, variant)
    assert simulate.prepare("rolling_cubes", None, 1, "one-by-one").players == 1


def test_the_default_player_ends_a_game_with_a_shared_throw():
    """“In the event of a tie, the players with the equal high score take another turn … until one is the winner.”"""
    mind = simulate.strategies_of("rolling_cubes", None)[-1]
    tally = simulate.play(Job("rolling_cubes", (mind,) * 4, variant="all-together", stop=30)).tally
    assert tally.endless <= 1 and not tally.ties


@pytest.mark.parametrize("mind", simulate.STRATEGIES)
def test_the_referee_of_rolling_cubes_plays_the_same_last_die(mind):
    for part in Job("rolling_cubes", (mind,) * 4, variant="last-die", stop=6, keep=True).parts(1):
        done = simulate.play(part)
        ((_, (sheet,)),) = done.sheets
        complaints, won, winners = judgement_of(json.loads(json.dumps(sheet).replace('"answer": "-"', '"answer": "."')))
        assert not complaints and list(done.tally.lengths) == [len(sheet["rounds"])]
        assert {(part.names.index(name), rounds) for name, rounds in won.items()} == set(done.tally.points)
        assert {part.names.index(name) for name in winners} == set(done.tally.won)
        counts = dict(done.tally.counts)
        assert counts == {
            ("letters", sum(len(played["letters"]) for played in sheet["rounds"])): 1,
            ("doubts", sum("doubt" in played for played in sheet["rounds"])): 1,
        }


def test_the_referee_of_rolling_cubes_awards_the_same_tournament():
    for part in Job("rolling_cubes", ("random",) * 4, variant="tournament", stop=6, keep=True).parts(1):
        done = simulate.play(part)
        ((_, (sheet,)),) = done.sheets
        complaints, points, winners = judgement_of(sheet)
        assert not complaints and list(sheet["games"]) == ["one-by-one", "all-together", "last-die"]
        assert {(part.names.index(name), total) for name, total in points.items()} == set(done.tally.points)
        assert {part.names.index(name) for name in winners} == set(done.tally.won) | set(done.tally.shared)


def test_the_referee_of_from_the_ground_up_plays_the_same_rounds():
    game = load("from_the_ground_up")
    printed = {card.id: (card.star.low, card.star.high, card.symbols) for card in game.components["cards"].cards}
    for part in Job("from_the_ground_up", ("random",) * 4, stop=12, keep=True).parts(1):
        done = simulate.play(part)
        ((_, (sheet,)),) = done.sheets
        as_read = json.loads(json.dumps(sheet).replace('"."', "null"))
        assert ground.complaints(as_read, printed) == []
        turns = sum("roll" in entry for entry in sheet["log"])
        assert list(done.tally.lengths) == [-(-turns // 4)]
        points = ground.totals(as_read, printed)
        assert sorted(done.tally.points) == sorted(
            (part.names.index(name), sum(cards)) for name, cards in points.items()
        )


def test_the_referee_of_upwards_plays_the_same_rounds():
    for part in Job("upwards", ("random",) * 3, variant="rows+event-die", stop=4, keep=True).parts(1):
        done = simulate.play(part)
        ((_, sheets),) = done.sheets
        for sheet in sheets:
            assert upwards.complaints(sheet) == []
            assert sum(upwards.points(sheet).values()) == sheet["claimed"]["total"]
        assert list(done.tally.lengths) == [len(sheets[0]["log"])]


def test_the_referee_of_elevator_up_counts_the_same_turns():
    for part in Job("elevator_up", ("random",) * 3, stop=6, keep=True).parts(1):
        done = simulate.play(part)
        ((_, (sheet,)),) = done.sheets
        assert list(done.tally.lengths) == [len(sheet["turns"])]
        full_sheet = dict(sheet, deal=dealt(sheet))
        assert lift.complaints(full_sheet) == []


@pytest.mark.parametrize(("variant", "players"), [("standard", 2), ("standard", 6), ("race", 4)])
def test_the_referee_of_cosmic_consequences_travels_the_same_turns(variant, players):
    for part in Job(
        "cosmic_consequences",
        ("careful", "random", "greedy", "random", "random", "greedy")[:players],
        variant=variant,
        stop=6,
        keep=True,
    ).parts(1):
        done = simulate.play(part)
        ((_, (sheet,)),) = done.sheets
        met, complaints = cosmos.played(sheet)
        assert complaints == []
        assert list(done.tally.lengths) == [len(sheet["turns"])]
        if variant == "standard":
            assert {(part.names.index(name), met.stacks_of(name)) for name in sheet["players"]} == set(
                done.tally.points
            )
        assert {part.names.index(name) for name in met.winners()} == set(done.tally.won) | set(done.tally.shared)


def test_the_counts_of_cosmic_consequences_agree_with_the_log():
    for part in Job("cosmic_consequences", ("random", "careful", "greedy"), stop=8, keep=True).parts(1):
        done = simulate.play(part)
        ((_, (sheet,)),) = done.sheets
        own = {name: sum(name in turn for turn in sheet["turns"]) for name in ("draw", "jump", "discard")}
        forced_actions = Counter(name for turn in sheet["turns"] for entry in forced(turn) for name in entry)
        given = [entry["discard"] for turn in sheet["turns"] for entry in (turn, *forced(turn)) if "discard" in entry]
        cards = sum(len(card) if isinstance(card := discard["card"], list) else 1 for discard in given)
        counts = dict(done.tally.counts)
        assert {name: number for name, number in counts if name in ("cards drawn", "cards discarded")} == {
            "cards drawn": own["draw"] + forced_actions["draw"],
            "cards discarded": cards,
        }
        assert ("jumps with a card", own["jump"]) in counts
        ends = [piece for piece, fate in done.tally.fates if fate == "decides" and piece in ENDS]
        assert len(ends) == 1
        assert (ends == ["deck runs out"]) == (max(points for _, points in done.tally.points) < 3)


def forced(turn):
    entries = turn.get("forced", [])
    return entries if isinstance(entries, list) else [entries]


def test_a_careful_traveller_gives_nobody_a_stack():
    from generator.draws import Chance

    seats = simulate.prepare("cosmic_consequences", None, 3, "standard")
    harmful_moves = 0
    for seed in range(12):
        sitting = seats.begin(Chance(seed))
        while choices := sitting.choices():
            before = [cosmic.count(sitting.state, seat) for seat in range(3)]
            harmful_moves += sum(map(sitting.is_harmful, choices))
            move = sitting.harmless(choices)[-1]
            mover = sitting.seat
            sitting.do(move)
            after = [cosmic.count(sitting.state, seat) for seat in range(3)]
            assert all(now <= then for seat, (then, now) in enumerate(zip(before, after, strict=True)) if seat != mover)
    assert harmful_moves > 10


def test_a_cut_of_the_deck_shows_one_card_that_nobody_chose():
    from generator.draws import Chance

    seats = simulate.prepare("cosmic_consequences", None, 2, "standard")
    sitting, cut = seats.begin(Chance(1)), Counter()
    while choices := sitting.choices():
        cuts = [move for move in choices if move.kind == "cut"]
        assert len(cuts) <= 1
        assert all(move.cards[0] in sitting.state.deck[1:] for move in cuts)
        cut.update(sitting.gain(move) for move in cuts)
        sitting.do((cuts or choices)[0])
    assert set(cut) == {0}


def dealt(sheet):
    """The deal of a sheet, card by card."""
    from generator.draws import parse

    dealt = dealt_cards(load("elevator_up"), parse(sheet["deal"]))
    rows = {
        part: dict(zip(sheet["players"], map(list, getattr(dealt, part)), strict=True))
        for part in ("hands", "up", "down")
    }
    return {"deck": list(dealt.deck), **rows}


CODED = [
    ("from_the_ground_up", "cards", {}, 3),
    ("elevator_up", "deal", {}, 3),
    ("rolling_cubes", "dice", {}, 2),
    ("rolling_cubes", "strip", {"rounds": "24"}, 2),
    ("rolling_cubes", "strip", {}, 3),
    ("upwards", "strip", {}, 2),
    ("upwards", "strip", {"each": "yes", "players": "2"}, 2),
    ("upwards", "challenge", {"profile": "rows"}, 1),
    ("cosmic_consequences", "deal", {}, 3),
    ("cosmic_consequences", "board", {}, 3),
]


@pytest.mark.parametrize(("game", "what", "options", "players"), CODED)
def test_the_judge_accepts_games_with_every_kind_of_code(tmp_path, game, what, options, players):
    """The sheet names the code, and the judge compares the dice, the deck or the board with it."""
    code = str(games.new_code(load(game), "played", 0, what, options))
    seats = simulate.prepare(game, code, players, "")
    for variant in seats.variants_with(load(game), games.deal(load(game), parse(code))):
        for mind in ("random", "careful"):
            for number, sheets in kept(game, mind, variant, 1, players, code).sheets:
                folder = tmp_path / variant / mind / str(number)
                folder.mkdir(parents=True)
                assert all(code in sheet.values() for sheet in sheets)
                answer = judged(sheets, folder)
                assert answer.get("error") is None
                assert [found for found in answer["findings"] if found["severity"] == "error"] == []


def test_a_strip_supplies_throws_turn_by_turn_or_round_by_round():
    """Turn by turn if it has enough throws for every row of the sheet."""

    def throws(players, options):
        code = str(games.new_code(load("rolling_cubes"), "thrown", 0, "strip", options))
        ((_, (sheet,)),) = kept("rolling_cubes", "random", "one-by-one", 1, players, code).sheets
        return [[word["throw"] for word in game_round["words"].values() if word] for game_round in sheet["rounds"]]

    for game_round in throws(3, {}):
        assert game_round == game_round[:1] * len(game_round)
    used = [str(throw) for game_round in throws(4, {"rounds": "24"}) for throw in game_round]
    assert len(set(used)) == len(used)


def test_each_player_may_have_their_own_strip():
    code = str(games.new_code(load("upwards"), "own", 0, "strip", {"each": "yes", "players": "2"}))
    (_, (ann, ben)), (_, (first, second)) = kept("upwards", "random", "rows", 2, 2, code).sheets

    def dice(sheet):
        return [one["dice"] for one in sheet["log"]][:8]

    assert dice(ann) == dice(first) != dice(ben) == dice(second)  # by place, not by name
    assert (ann["player"], first["player"]) == ("Ann", "Ben")


def test_better_players_do_better():
    def means(game, minds, count, variant=""):
        tally = simulate.play(Job(game, minds, None, variant, "minds", 0, count)).tally
        return [
            sum(points * times for (who, points), times in tally.points.items() if who == player) / count
            for player in range(len(minds))
        ]

    greedy, random, careful = means("from_the_ground_up", ("greedy", "random", "careful"), 50)
    assert min(greedy, careful) > random + 1
    greedy, random, careful = means("upwards", ("greedy", "random", "careful"), 12)
    assert careful > greedy > random + 5
    greedy, random = means("elevator_up", ("greedy", "random"), 40)
    assert greedy < random - 1  # cards left
    greedy, random, careful = means("cosmic_consequences", ("greedy", "random", "careful"), 120)
    assert careful > greedy > random + 0.3  # stacks
    greedy, random = means("rolling_cubes", ("greedy", "random"), 6)
    assert greedy > random + 5
    greedy, random = means("rolling_cubes", ("greedy", "random"), 4, "five-throws")
    assert greedy > random + 20


def test_a_five_throw_sheet_is_filled_with_words_and_zeros():
    """Every line of every player once, with up to five dice thrown again, and a word only if it scores."""
    settings = load("rolling_cubes").rules["five_throws"]
    lines = [
        line
        for _, (sheet,) in kept("rolling_cubes", "random", "five-throws", 6).sheets
        for filled in sheet["lines"].values()
        for line in filled.values()
    ]
    assert len(lines) == 6 * 3 * len(settings["lines"])
    assert {line["rethrown"] for line in lines if line} <= {*range(settings["rethrow"] + 1)}
    assert 0 < sum(line == 0 for line in lines) < len(lines)


def test_a_careful_builder_ruins_no_card_while_there_is_another_choice():
    from generator.draws import Chance

    seats = simulate.prepare("from_the_ground_up", None, 3, "standard")
    sitting, ruined = seats.begin(Chance(5)), 0
    while choices := sitting.choices():
        kept_whole = sitting.harmless(choices)
        spoiling = [move for move in choices if sitting.is_harmful(move)]
        ruined += len(spoiling)
        assert list(kept_whole) == ([move for move in choices if move not in spoiling] or list(choices))
        sitting.do(kept_whole[0])
    assert ruined > 10


def test_every_game_lists_its_pieces():
    for game, variant in PLAYED:
        seats = simulate.prepare(game, None, 3, variant)
        tally = kept(game, "random", variant, 1).tally
        assert set(seats.pieces) >= {piece for piece, fate in tally.fates if fate}
        assert {fate for _, fate in tally.fates} <= {"", *seats.fates}
        assert {piece for piece, fate in tally.fates if not fate} <= set(seats.pieces)


def test_games_use_the_deal_or_set_of_their_code():
    ((_, (sheet,)),) = kept("from_the_ground_up", "random", count=1, code="GU-1C01-NDRFZ-3ZJ57-RC").sheets
    assert sheet["set"] == "GU-1C01-NDRFZ-3ZJ57-RC"
    code = str(games.new_code(load("elevator_up"), "fair"))
    first, second = (sheets[0] for _, sheets in kept("elevator_up", "random", count=2, code=code).sheets)
    assert first["deal"] == second["deal"] == code
    assert first["turns"] != second["turns"]


@pytest.mark.parametrize("what", ["deal", "board"])
def test_sheets_of_cosmic_consequences_name_the_codes_they_were_played_with(tmp_path, what):
    game = load("cosmic_consequences")
    code = str(new_code(game, "table", draw_name=what))
    first, second = (sheets[0] for _, sheets in kept("cosmic_consequences", "greedy", count=2, code=code).sheets)
    assert first[what] == second[what] == code
    assert first["turns"] != second["turns"]
    for number, sheet in enumerate((first, second)):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert judged([sheet], folder)["findings"] == []


def test_a_race_has_nothing_to_deal():
    code = str(new_code(load("cosmic_consequences"), "table", draw_name="deal"))
    with pytest.raises(InputError, match="“race” cannot be played with"):
        simulate.prepare("cosmic_consequences", code, 2, "race")


def test_a_sheet_of_upwards_reads_as_the_state_it_came_from():
    from generator.sheets import documents

    ((_, sheets),) = kept("upwards", "careful", "blocks", 1).sheets
    (document,) = documents(BytesIO(json.dumps(sheets[0]).encode()), "sheet.yaml")
    answer = plain(JUDGE.answer(document, "sheet.yaml"))
    claimed = sheets[0]["claimed"]
    assert [line["points"] for line in answer["players"][0]["lines"]] == [sum(claimed["columns"]), claimed["option"]]
