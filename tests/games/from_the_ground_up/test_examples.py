"""The worked examples of the rulebook, and the decisions where it leaves a choice, on sheets."""

import re
from itertools import permutations
from types import MappingProxyType

import pytest
from msgspec import structs

from generator import games, paths
from generator.games.from_the_ground_up.table import rules
from generator.judging.judge import Judge, game_judge
from generator.rules.text import text
from tests.games.from_the_ground_up.judging import answer, broken, judged


def sheet(*players, **more):
    """A sheet with these cards in front of Ann, Ben ..., each card as (number, crates, star, flipped)."""
    listed = [
        {"name": name, "cards": [card(*entry) for entry in cards]}
        for name, cards in zip(["Ann", "Ben", "Cat", "Dan", "Eve"], players, strict=False)
    ]
    return {"game": "from_the_ground_up", "players": listed, **more}


def card(number, crates, star=None, flipped=False):
    return {"card": number, "crates": crates, "star": star, "flipped": flipped}


def found(crates, number=1, star=None):
    """The rules that one card's crates break; the number of cards is left out of it."""
    return broken(sheet([(number, crates, star)], [])) - {"cards-dealt"}


class TestRulebook:
    """From the rulebook, by its headings."""

    def test_a_4_and_a_3_suit_the_middle_of_a_row_of_lower(self):
        """“if you roll a 3 or a 4, you may want to add it to a middle box”: six crates, ▼ between all of them."""
        assert found([None, None, 4, 3, None, None]) == set()
        assert found([None, None, 3, 4, None, None]) == {"lower-higher"}
        assert found([6, 5, 4, 3, 2, 1], star=5) == set()
        for left in (1, 2, 4, 5):
            crates = [None] * 6
            crates[left - 1 : left + 1] = [4, 3]
            assert found(crates) == {"finishable"}

    def test_the_highest_value_is_leftmost_even_if_filled_last(self):
        assert found([6, 5, 4, 3, 2, 1], star=6) == set()
        for roll in range(1, 6):
            assert found([roll, 5, 4, 3, 2, 1], star=6) == {"lower-higher"}

    def test_anything_may_go_leftmost_though_it_may_not_be_advisable(self):
        assert [found([roll]) for roll in range(1, 7)] == [{"finishable"}] * 5 + [set()]

    def test_crates_are_filled_in_any_order(self):
        marked = [6, 5, 4, 3, 2, 1]
        for order in list(permutations(range(6)))[::40]:
            crates = [None] * 6
            for place in order:
                crates[place] = marked[place]
                assert found(crates, star=6) == set()

    @pytest.mark.parametrize(("number", "crates"), [(1, [6, 5, 4, 3, 2, 1]), (7, [4, 3, 2, 2, 3])])
    def test_a_5_in_the_star_is_worth_5_points(self, number, crates):
        assert judged(sheet([(number, crates, 5)], []))["players"][0]["total"] == 5

    def test_a_card_built_by_one_player_scores_for_another(self):
        """“Even completed cards are cycled, so you may in effect score 5 points for someone else.”"""
        result = judged(sheet([], [(1, [6, 5, 4, 3, 2, 1], 5)]))
        assert [player["total"] for player in result["players"]] == [0, 5]

    def test_a_flipped_card_becomes_a_negative_value(self):
        assert judged(sheet([(1, [3], 5, True)], []))["players"][0]["total"] == -5


A = (1, [6, 5, 4, 3, 2, 1])
B = (2, [1, 2, 3, 4, 5, 6])
C = (3, [4, 4, 4, 4, 4])
D = (4, [4, 3, 2, 1])
E = (5, [1, 2, 3, 4])
F = (6, [1, 1, 1, 1])
G = (11, [5, 2, 4])
H = (12, [1, 2, 1])
SHARED = [{"card": 1, "crates": [6, 5, 4, 3, 2, 1], "star": 5}]


def winners(*players, **more):
    return judged(sheet(*players, **more))["winners"]


def ranks(*players):
    return [player["rank"] for player in judged(sheet(*players))["players"]]


class TestCount:
    def test_the_highest_total_wins(self):
        assert winners([(*A, 6), (*B, 6), (*D, 3)], [(*C, 6), (*E, 4), (*F, 4)]) == ["Ann"]

    def test_a_tie_goes_to_the_highest_card(self):
        """“If tied, the tied player with the highest scoring card wins.”"""
        assert winners([(*A, 6), (*D, 3), (*G, 1)], [(*B, 5), (*E, 4), (*H, 1)]) == ["Ann"]

    def test_a_tie_goes_on_to_the_next_cards(self):
        """“If still tied, compare cards from highest to lowest one at a time.”"""
        assert winners([(*A, 6), (*D, 3), (*G, 2)], [(*B, 6), (*E, 4), (*H, 1)]) == ["Ben"]

    def test_still_tied_both_win(self):
        assert winners([(*A, 6), (*D, 3), (*G, 2)], [(*B, 6), (*E, 3), (*H, 2)]) == ["Ann", "Ben"]

    def test_missing_cards_count_0_in_a_tie(self):
        """F10: 4 and 0 against 5 and −1; and 4 against 4, 2 and −2, where the second card is 0 against 2."""
        assert winners([(*D, 4)], [(*A, 5), (*G, 1, True)]) == ["Ben"]
        assert winners([(*D, 4)], [(*E, 4), (*G, 2), (*H, 2, True)]) == ["Ben"]
        assert ranks([(*D, 4)], [(*E, 4), (*G, 2), (*H, 2, True)]) == [2, 1]

    def test_equal_players_share_a_rank_and_skip_the_next(self):
        assert ranks([(*D, 3)], [(*E, 3)], [(*A, 5)], [(*G, 1)]) == [2, 2, 1, 4]

    def test_all_lose_below_0(self):
        """F11: “if the highest scoring player has a negative score, all players lose together”; 0 wins."""
        assert winners([(*D, 3, True)], [(*E, 4, True)]) == []
        assert winners([(*D, 3, True)], []) == ["Ben"]

    def test_a_flipped_card_with_a_blank_star_counts_the_lowest_of_its_range(self):
        assert judged(sheet([(7, [], None, True), (1, [], None, True)], []))["players"][0]["total"] == -(3 + 5)

    def test_an_unfinished_card_and_a_finished_one_without_star_count_nothing(self):
        result = judged(sheet([(1, [6, 5, 4, 3, 2], 6), (*D, None), (*G, 2)], []))
        assert result["players"][0]["lines"] == [
            {"label": "card 1", "points": 0},
            {"label": "card 4", "points": 0},
            {"label": "card 11", "points": 2},
        ]

    @pytest.mark.parametrize("unfinished", [(1, [6, 5, 4, 3, 2], 6), (*D, None)])
    def test_nobody_has_won_while_a_card_can_be_built(self, unfinished):
        assert winners([unfinished], [(*G, 2)]) == []
        assert winners([(*unfinished, True)], [(*G, 2)]) == ["Ben"]

    def test_nobody_has_won_while_a_card_is_shared(self):
        assert winners([(*D, 3)], [(*G, 2)], shared=SHARED) == []
        assert winners([(*D, 3)], [(*G, 2)], shared=SHARED, variant="stall") == ["Ann"]

    def test_a_card_given_up_has_no_line_but_stays(self):
        """F12: it still counts as a card of the table (F15)."""
        players = sheet([(*A, 6), (*B, 6), (*D, 3, True)], [(*C, 6), (*E, 4), (*F, 4)], variant="stall")
        players["players"][0]["discarded"] = 4
        players["players"][1]["discarded"] = 5
        result = judged(players)
        assert result["valid"]
        assert [line["label"] for line in result["players"][0]["lines"]] == ["card 1", "card 2"]
        assert [player["total"] for player in result["players"]] == [12, 10]

    @pytest.mark.parametrize("ticked", ["stall", ["stall"], {"stall": "x"}, {"stall": True}, "x", True])
    def test_the_stall_variant_is_a_tick_box(self, ticked):
        assert winners([(*D, 3)], [(*G, 2)], shared=SHARED, variant=ticked) == ["Ann"]
        assert winners([(*D, 3)], [(*G, 2)], shared=SHARED, **{"Stall variant": ticked}) == ["Ann"]

    def test_a_player_without_a_finished_card_gives_up_none(self):
        players = sheet([(*A, 6), (*B, 6), (*D, 3)], [(3, []), (5, []), (6, [])], variant="stall")
        players["players"][0]["discarded"] = 4
        assert judged(players)["valid"]

    @pytest.mark.parametrize(
        ("number", "reason"),
        [
            (7, "card 7, but it is not listed: it stays among the cards of its player"),
            (2, "card 2, but it is in front of Ben"),
            (1, "card 1, but it is in the shared area"),
            (4, "card 4, but it is neither finished nor flipped"),
        ],
    )
    def test_a_card_that_cannot_be_given_up(self, number, reason):
        """Rulebook: “each player discards 1 scoring card of his choice (including negative cards)”."""
        players = sheet([(*D, None), (*G, 2)], [(2, []), (5, [])], shared=SHARED, variant="stall")
        players["players"][0]["discarded"] = number
        findings = {finding["message"] for finding in judged(players)["findings"] if finding["rule"] == "given-up"}
        assert findings == {f"Ann gave up {reason}"}

    def test_a_star_outside_its_range_is_a_problem_but_scores_as_written(self):
        """Rulebook: “mark a star with a rolled value from the range beside it … it will be worth 5 points”."""
        result = judged(sheet([(*D, 5)], [(*G, 2)]))
        assert "star-range" in {finding["rule"] for finding in result["findings"]}
        assert result["players"][0]["lines"] == [{"label": "card 4", "points": 5}]


class TestDecisions:
    def test_first_and_third_of_three_may_match(self):
        """F3"""
        assert found([5, 2, 5], number=12, star=1) == set()

    def test_only_contradictions_over_all_whole_numbers_are_errors(self):
        """F4: 3 ▼ blank ▼ 2 leaves no room; 2 ▼ blank ▼ blank leaves room, though not for the die."""
        assert found([3, None, 2], number=4) == {"room-between"}
        assert found([2, None, None], number=4) == {"finishable"}

    @pytest.mark.parametrize(("players", "each"), [(2, 3), (3, 3), (4, 3), (5, 2), (6, 2)])
    def test_cards_dealt(self, players, each):
        """F15"""
        entries = [
            {"name": f"P{seat}", "cards": [{"card": seat * each + n + 1} for n in range(each)]}
            for seat in range(players)
        ]
        assert broken({"game": "from_the_ground_up", "players": entries}) == set()
        entries[0]["cards"].pop()
        assert broken({"game": "from_the_ground_up", "players": entries}) == {"cards-dealt"}

    def test_compare_with_the_first_crate(self, game):
        """F1: compared with the first crate, 6 5 5 4 is a correct ▼ row, and 5 5 is not."""
        judge = Judge()
        rules = MappingProxyType({**game.rules, "compare": "first"})
        judge.games["from_the_ground_up"] = game_judge(structs.replace(game, rules=rules))

        def rules_broken(crates):
            result = answer(sheet([(4, crates, 4)], []), judge=judge)
            return {finding.rule for finding in result.verdict.findings} - {"cards-dealt"}

        assert rules_broken([6, 5, 5, 4]) == set()
        assert rules_broken([5, 5, None, 4]) == {"lower-higher"}
        assert found([6, 5, 5, 4], number=4, star=4) == {"lower-higher"}

    def test_a_star_in_the_log_may_leave_out_its_card(self):
        """… if only one card is possible. The card may also be in the turn itself."""
        start = sheet([(4, [])], [(12, [])], deal={"Ann": [4], "Ben": [12]})
        for mark in ({"star": True}, {"card": 4, "star": True}, {"mark": {"card": 4, "star": True}}):
            start["log"] = [{"player": "Ann", "roll": 4, **mark}]
            start["players"][0]["cards"][0]["star"] = 4
            assert broken(start) == {"deal"}

    def test_passes_come_in_any_order(self):
        """All players pass at the same time."""
        log = [
            {"player": "Ann", "roll": 4, "mark": {"card": 4, "star": True}},
            {"player": "Ben", "roll": 1, "mark": {"card": 12, "star": True}},
            {"player": "Ben", "pass": 12},
            {"player": "Ann", "pass": 4},
        ]
        ended = sheet(
            [(12, [], 1), (1, []), (2, [])],
            [(4, [], 4), (3, []), (5, [])],
            deal={"Ann": [4, 1, 2], "Ben": [12, 3, 5]},
            log=log,
        )
        assert broken(ended) == set()
        ended["log"][2:] = ended["log"][:1:-1]
        assert broken(ended) == set()


class TestSets:
    def test_a_random_set_is_judged_by_its_own_cards(self, game):
        code = games.new_code(game, "a test")
        cards = games.deal(game, code).cards["cards"]
        crates = [[None] * (len(dealt.symbols) + 1) for dealt in cards[:6]]
        entries = [
            {"card": dealt.id, "crates": row, "star": dealt.star.high}
            for dealt, row in zip(cards[:6], crates, strict=True)
        ]
        filled = {
            "game": "from_the_ground_up",
            "set": str(code).lower(),
            "players": [{"name": "Ann", "cards": entries[:3]}, {"name": "Ben", "cards": entries[3:]}],
        }
        assert broken(filled) == set()
        entries[0]["crates"] = [1] * (len(crates[0]) + 1)
        assert "crates-exist" in broken(filled)

    def test_a_mistyped_code_is_an_input_error(self):
        result = judged({"game": "from_the_ground_up", "set": "GU-1C01-AAAAA-AAAAA-AA", "players": []})
        assert "did you mean" in result["error"][0]["hint"]


class TestLaws:
    """Changes to a sheet that do not change its answer."""

    FILLED = sheet([(*A, 6), (*B, 6), (*D, 3)], [(*C, 6), (*E, 4), (*F, 4)])

    def test_the_order_of_keys_changes_nothing(self):
        turned = {key: self.FILLED[key] for key in reversed(self.FILLED)}
        turned["players"] = [{key: player[key] for key in reversed(player)} for player in turned["players"]]
        assert judged(turned) == judged(self.FILLED)

    def test_nested_keys_and_flat_ids_are_the_same(self):
        flat = {"game": "from_the_ground_up"}
        for p, player in enumerate(self.FILLED["players"], 1):
            flat[f"players.{p}.name"] = player["name"]
            for c, entry in enumerate(player["cards"], 1):
                where = f"players.{p}.cards.{c}"
                flat |= {f"{where}.card": entry["card"], f"{where}.star": entry["star"]}
                flat |= {f"{where}.crates.{n}": value for n, value in enumerate(entry["crates"], 1)}
        assert judged(flat) == judged(self.FILLED)

    @pytest.mark.parametrize(
        "crates", ["6 5 4 2", "6,5,4,2", "6542", 6542, ["06", 5, 4, 2], {"1": 6, "2": 5, "3": 4, "4": 2}]
    )
    def test_many_ways_to_type_a_row_of_crates(self, crates):
        assert judged(sheet([(4, crates, "04")], [])) == judged(sheet([(4, [6, 5, 4, 2], 4)], []))

    def test_a_dot_among_crates_is_a_blank(self):
        assert judged(sheet([(4, "6.42", 4)], [])) == judged(sheet([(4, [6, None, 4, 2], 4)], []))

    def test_totals_are_the_sum_of_their_lines(self):
        for player in judged(self.FILLED)["players"]:
            assert player["total"] == sum(line["points"] for line in player["lines"])


def test_paper_booklet_and_rules_say_give_up_and_flip():
    """The words of the stall variant and of a card turned over, wherever a player meets them."""
    sheet = (paths.DATA / "from_the_ground_up" / "table.yaml").read_text().replace("discarded:", "")
    booklet = (paths.TEMPLATES / "from_the_ground_up" / "rules.md.j2").read_text()
    listed = " ".join(rule.text for rule in rules.listed)
    for wording in (sheet, booklet, listed):
        assert "discard" not in wording.lower()
        assert re.search(r"giv(en|es) up", wording.lower()) and "flipped" in wording.lower()
    assert "turn over" not in booklet and "face-down" not in booklet


def test_an_unfinished_game_has_no_ranks():
    """The text has none; the JSON answer keeps its keys and says that the game is not over."""
    unfinished, finished = sheet([(1, [6, 5, 4, 3, 2], 6)], [(*G, 2)]), sheet([(*G, 2)], [(*D, 4, True)])
    assert judged(unfinished)["over"] is False and "rank" not in text(answer(unfinished))
    assert "over" not in judged(finished) and "rank" in text(answer(finished))
