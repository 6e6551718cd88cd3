"""Logs for each sentence of the rulebook, and for our decisions where it leaves a choice.

The rulebook has no worked examples, so each of its rules has one here.
"""

from pathlib import Path

import pytest

from generator.rules.text import text
from tests.games.elevator_up.judging import answer, broken, judge_with, judged

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]
GOOD_OUT = Path(__file__).parent / "good/out.yaml"


def turn(words):
    """`Ann 7 7`, `Ben flip 3`, `Cat take`"""
    player, *done = words.split()
    if done == ["take"]:
        return {"player": player, "pickup": True}
    return {"player": player, **({"flip": done[1]} if done[0] == "flip" else {"play": done})}


def log(turns, players=3, **more):
    entries = [turn(words) for words in turns.split("; ")]
    return {"game": "elevator_up", "players": NAMES[:players], "turns": entries, **more}


def found(turns, players=3, judge=None, **more):
    """The rules that a log breaks, except that its deal may be incomplete."""
    sheet = log(turns, players, **more)
    return (broken(sheet, judge) if judge else broken(sheet)) - {"deal-whole"}


def deal(**cards):
    """A deal of a few cards: hand, up and down of each player, and the deck."""
    parts = {"deck": cards.pop("deck", "").split(), "hands": {}, "up": {}, "down": {}}
    for name, three in cards.items():
        for part, row in zip(("hands", "up", "down"), three.split("|"), strict=True):
            parts[part][name] = row.split()
    return {"deal": parts}


class TestRulebook:
    """In the order of the rulebook."""

    def test_the_same_or_a_higher_floor_or_a_special_card(self):
        """“either the same or a higher floor than the previously played card or a special card”"""
        for card in ("4", "5", "9", "P", "N", "S", "L", "D"):
            assert found(f"Ann 4; Ben {card}") == set()
        for card in ("1", "2", "3"):
            assert found(f"Ann 4; Ben {card}") == {"beats"}

    @pytest.mark.parametrize("known", [{}, deal(Ann="2 3 4|5 6|7 8 9", Ben="2 3 4|5 6|7 8 9")], ids=["trust", "deal"])
    def test_there_is_no_pile_to_take(self, known):
        (violation,) = [
            finding
            for finding in judged(log("Ann take", players=2, **known))["findings"]
            if finding["rule"] != "deal-whole"
        ]
        assert violation["message"] == "Ann takes the pile, but there is none: any card may be played"

    def test_if_there_is_no_previous_card_anything_can_be_discarded(self):
        for card in ("1", "9", "P", "N", "S", "L", "D"):
            assert found(f"Ann {card}") == set()

    def test_more_than_one_of_the_same_card_at_the_same_time(self):
        assert found("Ann 3 3; Ben 5 5 5; Cat S S") == set()

    def test_four_of_one_floor_are_set_aside_for_another_turn(self):
        """“Whoever discarded the fourth card gets to go again.”"""
        assert found("Ann 6; Ben 6 6; Cat 6; Cat 1") == set()
        assert found("Ann 6; Ben 6 6; Cat 6; Ann 7") == {"four-of-a-kind"}

    def test_a_player_who_cannot_play_takes_the_pile(self):
        known_deal = deal(Ann="9|8|2", Ben="3|4|2", deck="5 5 5 5 6 6 6 6")
        assert found("Ann 9; Ben take; Ann 5; Ben 9", 2, **known_deal) == set()
        assert found("Ann 9; Ben take; Ann 5; Ben 8", 2, **known_deal) == {"in-hand"}

    def test_the_hand_is_replenished_from_the_deck(self):
        """“You must keep at least 3 cards in your hand … If you have more than 3 cards, you only need to replenish once
        you have less.”"""
        known_deal = deal(Ann="1 1 3|8|2", Ben="1 2 9|4|2", deck="4 4 8 6 7")
        assert found("Ann 1 1; Ben 2; Ann 4 4; Ben 8", 2, **known_deal) == set()
        assert found("Ann 1; Ben 2; Ann 4 4", 2, **known_deal) == {"in-hand"}
        longer_deal = deal(Ann="1 1 3|8|2", Ben="2 2 9|4|2", deck="4 5 6 7")
        assert found("Ann 3; Ben 9; Ann take; Ben 2; Ann 9; Ben take; Ann 4", 2, **longer_deal) == set()
        assert found("Ann 3; Ben 9; Ann take; Ben 2; Ann 9; Ben take; Ann 6", 2, **longer_deal) == {"in-hand"}

    def test_face_up_cards_follow_when_deck_and_hand_are_empty(self):
        known_deal = deal(Ann="3|8 8|2", Ben="4|5|6")
        assert found("Ann 3; Ben 4; Ann 8; Ben take", 2, **known_deal) == set()
        assert found("Ann 3; Ben 4; Ann 8 8", 2, **known_deal) == set()
        assert found("Ann 8", 2, **known_deal) == {"phases"}

    def test_the_whole_hand_is_played_before_face_up_cards(self):
        """“You must discard all of your hand before continuing to play with your face up cards.”"""
        known_deal = deal(Ann="3|9 9|2", Ben="4|5|6")
        assert found("Ann 3; Ben 4; Ann 9; Ben take; Ann 9", 2, **known_deal) == set()
        assert found("Ann 3; Ben 4; Ann 9; Ben take; Ann 9; Ben 4", 2, **known_deal) == {"beats"}
        assert found("Ann 3; Ben 4; Ann 9; Ben take; Ann 9; Ben 5", 2, **known_deal) == {"phases", "beats"}

    def test_a_face_down_card_is_turned_over_onto_the_pile(self):
        known_deal = deal(Ann="3||8", Ben="4|5|6")
        assert judged(log("Ann 3; Ben 4; Ann flip 8", 2, **known_deal))["winners"] == ["Ann"]
        assert found("Ann flip 8", 2, **known_deal) == {"phases"}
        assert found("Ann 3; Ben 4; Ann 8", 2, **known_deal) == {"phases"}
        assert found("Ann 3; Ben 4; Ann flip 7", 2, **known_deal) == {"flip"}

    def test_a_failed_flip_goes_into_the_hand_with_the_pile(self):
        known_deal = deal(Ann="3||2 8", Ben="4|5|6")
        start = "Ann 3; Ben 4; Ann flip 2; Ben 5; "
        assert found(start + "Ann take; Ben flip 6", 2, **known_deal) == set()
        assert found(start + "Ann flip 8", 2, **known_deal) == {"phases"}
        answer = judged(log(start + "Ann take", 2, **known_deal))
        assert [player["total"] for player in answer["players"]] == [5, 1]

    def test_the_first_player_without_cards_wins(self):
        known_deal = deal(Ann="3||", Ben="4|5|6")
        answer = judged(log("Ann 3", 2, **known_deal, out="Ann"))
        assert (answer["winners"], [player["rank"] for player in answer["players"]]) == (["Ann"], [1, 2])
        assert found("Ann 3; Ben 4", 2, **known_deal) == {"after-the-end"}

    def test_swapping_one_both_or_none(self):
        known_deal = deal(Ann="1 2 3|8 9|4", Ben="4 4 5|6 7|5", deck="7 8 9")
        assert found("Ann 1", 2, **known_deal) == set()
        assert found("Ann 8", 2, **known_deal, swaps={"Ann": {"up": [1], "hand": [8]}}) == set()
        assert found("Ann 9", 2, **known_deal, swaps={"Ann": {"up": [1, 2], "hand": [8, 9]}}) == set()
        assert found("Ann 1", 2, **known_deal, swaps={"Ann": {"up": [1], "hand": [8]}}) == {"phases"}

    def test_only_special_cards_go_on_a_penthouse(self):
        for card in ("P", "N", "S", "L"):
            assert found(f"Ann P; Ben {card}") == set()
        for card in ("1", "9"):
            assert found(f"Ann P; Ben {card}") == {"beats"}

    def test_a_new_building_removes_the_pile_and_gives_another_turn(self):
        assert found("Ann 9; Ben N; Ben 1; Cat 1") == set()

    def test_the_card_below_stuck_must_be_beaten(self):
        assert found("Ann 4; Ben S; Cat 4") == set()
        assert found("Ann 4; Ben S; Cat 3") == {"beats"}

    def test_any_card_may_go_on_a_lobby(self):
        assert found("Ann 9; Ben L; Cat 1") == set()
        assert found("Ann P; Ben L; Cat 1") == set()

    def test_door_closed_goes_on_any_card_except_special_cards(self):
        for card in ("1", "9"):
            assert found(f"Ann {card}; Ben D; Ann 9") == set()
        for card in ("P", "S", "L"):
            assert found(f"Ann 1; Ben {card}; Cat D") == {"door-closed"}

    def test_door_closed_skips_the_next_player(self):
        assert found("Ann 4; Ben D; Ann 4; Ben 5; Cat 6") == set()
        assert found("Ann 4; Ben D; Cat 4") == {"skips"}


class TestDecisions:
    """In the order of their numbers."""

    def test_e1_any_card_may_follow_when_only_stuck_is_below(self):
        assert found("Ann S; Ben S; Cat 1") == set()

    def test_e1_any_card_may_follow_a_lobby_below_stuck(self):
        assert found("Ann 9; Ben L; Cat S; Ann 1") == set()

    def test_e2_door_closed_does_not_count(self):
        assert found("Ann 6; Ben D; Ann 6") == set()
        assert found("Ann 6; Ben D; Ann 5") == {"beats"}
        assert found("Ann D; Cat 1") == set()

    def test_e3_door_closed_looks_at_the_top_card(self):
        assert found("Ann 6; Ben S; Cat D") == {"door-closed"}
        assert found("Ann 6; Ben D; Ann D") == {"door-closed"}

    def test_e4_and_e5_penthouse_goes_on_any_card(self):
        for below in ("9", "P", "S", "L", "D"):
            after = "Ben" if below != "D" else "Cat"
            assert found(f"Ann {below}; {after} P") == set()
        judge = judge_with(penthouse_on_penthouse=False)
        assert found("Ann P; Ben P", judge=judge) == {"beats"}
        assert found("Ann P; Ben S; Cat P", judge=judge) == {"beats"}
        assert found("Ann P; Ben L; Cat P", judge=judge) == set()
        assert found("Ann P P", judge=judge) == set()

    def test_e6_two_door_closed_skip_two(self):
        assert found("Ann 4; Ben D D; Ann 5", 4) == set()
        assert found("Ann 4; Ben D D; Eve 5", 5) == set()
        assert found("Ann 4; Ben D D; Dan 5", 5) == {"skips"}
        assert found("Ann 4; Ben D D D; Ann 5", 5) == set()

    def test_e6_several_new_buildings_and_several_stuck_act_as_one(self):
        assert found("Ann 4; Ben N N; Ben 3; Cat 3") == set()
        assert found("Ann 4; Ben S S S; Cat 3") == {"beats"}

    def test_e6_specials_singly(self):
        judge = judge_with(specials_singly=True)
        assert found("Ann 4; Ben S S", judge=judge) == {"same-cards"}
        assert found("Ann 4 4; Ben 5 5 5", judge=judge) == set()

    def test_e7_no_card_may_lie_between(self):
        assert found("Ann 2 2; Ben S; Cat 2 2; Ann 5") == set()
        assert found("Ann 2 2; Ben S; Cat 2 2; Cat 5") == {"turn-order"}

    def test_e7_special_cards_do_not_make_four_of_a_kind(self):
        assert found("Ann L L; Ben L; Cat 1") == set()

    def test_e8_drawing_before_an_extra_turn(self):
        known_deal = deal(Ann="N 8 9|7|6", Ben="1 2 3|4|5", deck="1 2")
        assert found("Ann N; Ann 1; Ben 2", 2, **known_deal) == set()
        later = judge_with(draw_before_extra_turn=False)
        assert found("Ann N; Ann 1", 2, judge=later, **known_deal) == {"in-hand"}
        assert found("Ann N; Ann 8; Ben take", 2, judge=later, **known_deal) == set()

    def test_e8_an_empty_hand_always_draws(self):
        known_deal = deal(Ann="N|7|6", Ben="1 2 3|4|5", deck="1 2")
        assert found("Ann N; Ann 1", 2, judge=judge_with(draw_before_extra_turn=False), **known_deal) == set()

    def test_e9_no_drawing_after_taking_the_pile(self):
        known_deal = deal(Ann="9 1 1|7|6", Ben="2|4|5", deck="1 3 8")
        assert found("Ann 9; Ben take; Ann 1; Ben 9", 2, **known_deal) == set()
        assert found("Ann 9; Ben take; Ann 1; Ben 3", 2, **known_deal) == {"in-hand"}

    def test_e10_a_failed_flip_ends_the_turn(self):
        known_deal = deal(Ann="9 9||", Ben="||3 N", Cat="1 1||")
        assert found("Ann 9; Ben flip 3; Cat 1", **known_deal) == set()
        assert found("Ann 9; Ben flip 3; Ben take; Cat 1", **known_deal) == {"failed-flip"}
        for flipped, rules in (("3", set()), ("N", {"failed-flip"})):
            sheet = log(f"Ann 9; Ben flip {flipped}; Cat 1", **known_deal)
            sheet["turns"][1]["pickup"] = True
            assert {finding["rule"] for finding in judged(sheet)["findings"]} >= rules

    @pytest.mark.parametrize(
        ("doors", "players", "next_player"),
        [("D", 2, "Ann"), ("D D", 2, "Ben"), ("D D D", 2, "Ann"), ("D D", 3, "Ann"), ("D D D", 3, "Ben")],
    )
    def test_e11_skips_count_round_the_table(self, doors, players, next_player):
        """With two players, the only opponent is skipped; several cards continue round the table."""
        assert found(f"Ann {doors}; {next_player} 1", players) == set()
        other = next(name for name in NAMES[:players] if name != next_player)
        assert found(f"Ann {doors}; {other} 1", players) == {"skips"}

    @pytest.mark.parametrize("card", ["N", "S", "L", "D", "P"])
    def test_e12_the_last_card_may_be_special(self, card):
        known_deal = deal(Ann=f"{card}||", Ben="4|5|6")
        assert judged(log(f"Ann {card}", 2, **known_deal, out="Ann"))["winners"] == ["Ann"]
        judge = judge_with(finish_on_special=False)
        assert found(f"Ann {card}", 2, judge=judge, **known_deal) == {"out"}
        assert found("Ann take; Ben 4", 2, judge=judge, **known_deal) == set()

    def test_e12_a_special_card_turned_over_last_always_wins(self):
        known_deal = deal(Ann="3||L", Ben="4|5|6")
        judge = judge_with(finish_on_special=False)
        assert judged(log("Ann 3; Ben 4; Ann flip L", 2, **known_deal), judge)["winners"] == ["Ann"]

    def test_e13_a_player_must_play_if_possible(self):
        known_deal = deal(Ann="3 4 5|8|6", Ben="1 2 S|4|5", deck="1 2 3")
        assert found("Ann 3; Ben take", 2, **known_deal) == {"pickup"}
        assert found("Ann take", 2, **known_deal) == {"pickup"}
        assert found("Ann take") == {"pickup"}

    @pytest.mark.parametrize(
        ("card", "below", "stays"),
        [
            ("S", "9", True),
            ("L", "P", True),
            ("P", "P", True),
            ("N", "P", True),
            ("D", "9", True),
            ("D", "P", False),
            ("D", "L", False),
            ("9", "P", False),
        ],
    )
    def test_e14_special_cards_that_are_turned_over_beat_too(self, card, below, stays):
        known_deal = deal(Ann=f"{below} 1|2|3", Ben=f"||{card} 9", deck="1 1")
        answer = judged(log(f"Ann {below}; Ben flip {card}", 2, **known_deal))
        assert {finding["rule"] for finding in answer["findings"]} == {"deal-whole"}
        assert [player["total"] for player in answer["players"]] == [5, 1 if stays else 3]

    def test_e15_hands_are_not_checked_but_copies_are(self):
        assert found("Ann 9 9; Ben P; Cat L; Ann 9 9; Ben P") == set()
        assert found("Ann P; Ben P; Cat P") == {"copies"}
        assert found("Ann P; Ben N; Ben P P") == {"copies"}
        assert found("Ann 9 9; Ben 9; Cat take; Ann 9; Ben N; Ben 9") == {"copies"}
        assert found("Ann 9 9; Ben 9; Cat take; Ann 9; Ben N; Ben 1; Cat 9 9 9") == set()

    def test_e15_no_turn_after_a_player_is_out(self):
        known_deal = deal(Ann="4 7||", Ben="5 5||", Cat="6||")
        assert found("Ann 4; Ben 5; Cat 6", out="Cat", **known_deal) == set()
        assert found("Ann 4; Ben 5; Cat 6; Ann 7", out="Cat", **known_deal) == {"after-the-end"}

    @pytest.mark.parametrize("turns", ["", "Ann 4", "Ann 4; Ben 5; Ann 6; Ben 7; Ann 8 8; Ben P; Ann L L L"])
    def test_e16_nobody_is_out_before_playing_their_cards(self, turns):
        """The rulebook deals eight cards to each player; they keep three in hand “at all times” from the deck."""
        sheet = {**log(turns or "Ann 4", 2, out="Ann")}
        sheet["turns"] = sheet["turns"] if turns else []
        answer = judged(sheet)
        assert [finding["rule"] for finding in answer["findings"]] == ["out"]
        assert "Ann is named as out, but has 8 cards left" in answer["findings"][0]["message"]
        assert answer["winners"] == []

    def test_e16_three_cards_at_most_at_once_unless_more_were_taken(self):
        assert found("Ann 5 5 5", 2) == set()
        assert found("Ann 5 5 5 5", 2) == {"in-hand"}
        assert found("Ann 3 3; Ben 4 4; Ann take; Ben 1; Ann 4 4; Ben take; Ann 1", 2) == set()
        assert found("Ann 3 3 3; Ben take; Ann 2; Ben 3 3 3", 2) == set()
        assert found("Ann 3 3; Ben take; Ann 2; Ben 3 3 3 3", 2) == set()  # two that he took, and two of his own
        assert found("Ann 3; Ben take; Ann 2; Ben 5 5 5 5", 2) == {"in-hand"}  # he has four cards; one is the 3

    def test_e16_a_card_that_was_taken_is_known(self):
        assert found("Ann 8; Ben take; Ann 3; Ben take", 2) == {"pickup"}
        assert found("Ann 8; Ben take; Ann 9; Ben take", 2) == set()

    @pytest.mark.parametrize("turns", ["Ann flip 7", "Ann 4; Ben flip 5", "Ann 1 1; Ben 2; Ann 2 2; Ben 3; Ann flip 4"])
    def test_e16_no_flip_before_the_other_cards_are_played(self, turns):
        assert found(turns, 2) == {"phases"}

    def test_e16_hands_are_counted_until_the_last_card(self):
        """Five players leave a deck of ten cards; the tenth is drawn after Cat’s threes, so Dan has two cards left."""
        rounds = "Ann 1 1 1; Ben 1; Ben 2 2 2; Cat 2; Cat 3 3 3; Dan 3; Dan"
        assert found(f"{rounds} 4 4; Eve 4", 5) == set()
        assert found(f"{rounds} 4 4 4; Eve 5", 5) == {"in-hand"}

    def test_e16_swapped_cards_are_known(self):
        swaps = {"Ann": {"up": [9], "hand": [2]}}
        assert found("Ann 2; Ben 3", 2, swaps=swaps) == set()
        assert found("Ann 2; Ben 3; Ann take", 2, swaps=swaps) == set()
        assert found("Ann 5 5 5; Ben 6", 2, swaps=swaps) == {"in-hand"}  # one of her three is the 2

    @pytest.mark.parametrize(("below", "card"), [("5", "5"), ("P", "P")])
    def test_e17_a_flip_of_the_same_floor_beats(self, below, card):
        known_deal = deal(Ann=f"{below} 1||", Ben=f"||{card} 1")
        assert found(f"Ann {below}; Ben flip {card}; Ann 1", 2, **known_deal) == {"beats"}
        assert found(f"Ann {below}; Ben flip {card}; Ann take", 2, **known_deal) == set()


def by_turn(answer):
    """The broken rules by turn."""
    return sorted(
        (finding["rule"], finding["where"][0].split(".")[1])
        for finding in answer["findings"]
        if finding["where"][0].startswith("turns.")
    )


class TestFollowing:
    """How long hands are known, and how the answer shows it."""

    DEAL = deal(Ann="3 4 5|8|6", Ben="7 8 9|4|5", deck="1 2 3")

    def test_after_an_impossible_card_only_the_pile_is_judged(self):
        answer = judged(log("Ann 9; Ben 4; Ann take; Ben take", 2, **self.DEAL))
        assert by_turn(answer) == [("beats", "2"), ("in-hand", "1"), ("pickup", "4")]
        assert [player["lines"] for player in answer["players"]] == [[], []]

    def test_after_any_other_violation_hands_are_still_judged(self):
        answer = judged(log("Ann 5; Ben 7; Ann 4; Ben 1", 2, **self.DEAL))
        assert by_turn(answer) == [("beats", "3"), ("beats", "4"), ("in-hand", "4")]

    def test_a_turn_that_does_not_say_what_was_done_ends_the_replay(self):
        sheet = log("Ann 5; Ben 7; Ann 4", 2, **self.DEAL)
        del sheet["turns"][1]["play"]
        answer = judged(sheet)
        assert by_turn(answer) == [("one-thing", "2")]
        assert [player["lines"] for player in answer["players"]] == [[], []]

    def test_with_an_impossible_deal_only_the_pile_is_judged(self):
        known_deal = deal(Ann="3 4 5 6|8|6", Ben="7 8 9|4|5", deck="1 2 3")
        assert found("Ann 9; Ben 7", 2, **known_deal) == {"deal", "beats"}

    def test_before_the_first_turn_each_player_has_eight_cards(self):
        answer = judged({"game": "elevator_up", "players": ["Ann", "Ben"], "deal": "EU-1D02-6Q92T-52HN2-MH"})
        assert answer["findings"] == []
        assert [player["lines"] for player in answer["players"]] == [[{"label": "cards left", "points": 8}]] * 2
        assert answer["winners"] == []

    def test_without_a_deal_there_is_no_score(self):
        answer = judged(log("Ann 4; Ben 5", 2))
        assert [(player["lines"], player["rank"]) for player in answer["players"]] == [([], 1), ([], 1)]
        answer = judged(GOOD_OUT.read_text("utf-8"))
        assert [(player["lines"], player["rank"]) for player in answer["players"]] == [([], 2)] * 4 + [([], 1)]


def test_an_unfinished_game_has_no_ranks():
    """The text has none; the JSON answer keeps its keys and says that the game is not over."""
    unfinished = {"game": "elevator_up", "players": ["Ann", "Ben"], "deal": "EU-1D02-6Q92T-52HN2-MH"}
    assert judged(unfinished)["over"] is False and "rank" not in text(answer(unfinished))
    assert judged(log("Ann 4; Ben 5", 2))["over"] is False
    assert "over" not in judged(GOOD_OUT.read_text("utf-8"))
