"""What the rulebook says, sentence by sentence, and the decisions where it leaves a choice, on logs.

The rulebook has one worked fact with a number in it, the infinite loop; every other sentence that asks for something is
an example here.
"""

import dataclasses
import re

import pytest

from generator.definitions import board_graph
from generator.judging.judge import Judge
from tests.games.cosmic_consequences.judging import answer, broken, judge_for, judged

NAMES = ["Ann", "Ben", "Cat"]
TURN = re.compile(r"(\w+) (?:(draw|jump|discard) (.+?) > )?(\d) ([\w-]+)(?: ! (.+))?")
LEFT_RING = "Ann 5 is-2 ! draw deck +3; Ben 2 first-2 ! draw deck -1; "
BEN = "; Ben 3 first-3 ! draw deck +9; "


def turn(said):
    """`Ann 4 is-1 ! draw deck +3`: Ann rolls a 4 to is-1, and the space asks. `Ann jump +3 > 2 weak-3`."""
    player, action, line, roll, to, forced = TURN.fullmatch(said.strip()).groups()
    done = {"player": player, "roll": int(roll), "to": to}
    return done | ({action: line} if action else {}) | ({"forced": forced.replace(",", ";")} if forced else {})


def log(turns, players=2, **more):
    return {
        "game": "cosmic_consequences",
        "players": NAMES[:players],
        **more,
        "turns": [turn(one) for one in turns.split("; ")],
    }


def found(turns, players=2, **more):
    """The rules a log breaks."""
    return broken(log(turns, players, **more))


class TestRulebook:
    """In the order of the rulebook."""

    def test_a_four_or_more_avoids_the_first_three_minutes(self):
        """“must roll four or greater to avoid the First-Three-Minute spaces”"""
        for roll, to in ((4, "is-1"), (5, "is-2"), (6, "is-3")):
            assert found(f"Ann {roll} {to} ! draw deck +3; Ben 1 first-1 ! draw deck +4") == set()
        for roll in (1, 2, 3):
            assert (
                found(f"Ann {roll} first-{roll} ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-1 ! draw deck +4")
                == set()
            )
            assert found(f"Ann {roll} first-{roll} ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-{roll + 1}") == {
                "first-three"
            }

    def test_who_is_sent_back_may_write_so(self):
        assert found("Ann 2 big-bang ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-1 ! draw deck +4") == set()

    def test_each_time_you_leave_the_big_bang_the_top_card_is_yours(self):
        assert found("Ann 6 is-3 ! draw deck 0; Ben 6 is-3") == {"leaving"}
        assert found("Ann 6 is-3 ! draw pile +3") == {"leaving"}

    def test_on_a_cc_space_one_jumps_draws_or_discards_before_the_next_roll(self):
        begun = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; "
        assert found(begun + "Ann jump +3 > 2 weak-3") == set()
        assert found(begun + "Ann draw deck +5 > 1 is-2") == set()
        assert found(begun + "Ann 1 is-2") == set()

    def test_nobody_draws_or_jumps_elsewhere(self):
        begun = "Ann 5 is-2 ! draw deck +3; Ben 6 is-3 ! draw deck -3; "
        assert found(begun + "Ann jump +3 > 2 weak-3") == {"where-act"}
        assert found(begun + "Ann draw deck +5 > 1 left-7") == {"where-act"}

    def test_an_occupied_space_sends_its_pawn_to_the_one_just_left(self):
        begun = "Ann 4 is-1 ! draw deck +3; Ben 4 is-1 ! draw deck -3; "
        assert found(begun + "Ann 4 is-1 ! draw deck +4; Ben 4 is-1 ! draw deck +5") == set()
        assert found(begun + "Ann 1 first-1 ! draw deck +4; Ben 1 is-2") == set()
        assert found(begun + "Ann 1 is-2") == {"bump"}

    def test_the_bumped_pawn_is_subject_to_the_space_it_comes_to(self):
        """Ann meets Ben and has stood on orange, so Ben has to draw there."""
        begun = (
            "Ann 6 is-3 ! draw deck +3; Ben 4 is-1 ! draw deck -1; Ann 6 em-3 ! draw deck +4; Ben jump -1 > 5 em-5; "
        )
        assert found(begun + "Ann 2 em-5 ! Ben draw deck +6") == set()
        assert found(begun + "Ann 2 em-5 ! discard pile +3, Ben draw deck +6") == set()
        assert found(begun + "Ann 2 em-5") == {"orange"}
        assert found(begun + "Ann 2 em-5 ! Ben draw deck +6; Ben 2 em-5 ! Ann draw Ben +6") == {"orange-ways"}

    def test_a_jump_turns_the_card_and_goes_to_its_space(self):
        begun = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 2 weak-3; "
        assert found(begun + "Ben 1 is-4; Ann jump +3 > 2 weak-3") == {"in-hand"}

    def test_on_green_and_orange_nothing_else_is_done(self):
        begun = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-5; Ben 1 is-4; "
        assert found(begun + "Ann draw deck +5 > 1 is-6") == {"where-act"}
        assert found(begun + "Ann jump +3 > 1 weak-2 ! draw deck +5") == {"where-act"}

    def test_a_cut_shows_any_card_of_the_deck_and_leaves_the_rest_in_order(self):
        """“Once the deck is cut the card revealed by the cut must be drawn, then the top part … is placed back”"""
        deck = {"deal": {"deck": [*(f"+{n}" for n in range(1, 13)), *(f"-{n}" for n in range(1, 13)), "0", "0"]}}
        begun = "Ann 4 is-1 ! draw deck +1; Ben 6 is-3 ! draw deck +2; Ann draw deck -9 > 1 is-2; "
        assert found(begun + "Ben draw deck +3 > 1 is-4", **deck) == set()
        assert found(begun + "Ben draw deck -9 > 1 is-4", **deck) == {"deck"}
        assert found("Ann 4 is-1 ! draw deck +2", **deck) == {"leaving"}

    def test_stacked_cards_may_not_be_drawn(self):
        begun = (
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 2 weak-3; "
            "Ben discard Ann -3 +3 > 6 em-3 ! "
        )
        assert found(begun + "draw Ann +3") == {"locked"}
        assert found(begun + "draw deck 0") == set()

    def test_a_card_given_to_make_zero_makes_its_receiver_jump(self):
        begun = (
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 2 weak-3; "
            "Ben discard Ann -3 +3 > 1 is-4; "
        )
        assert found(begun + "Ann 1 hd-1") == set()
        assert found(begun + "Ann 1 weak-4") == {"receiver-jumps"}

    def test_who_is_on_the_space_already_stays_and_may_act_there(self):
        """“they remain on the space and the consequence is not canceled”"""
        begun = (
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 5 weak-6; "
            "Ben discard Ann -3 +3 > 1 is-4; "
        )
        assert found(begun + "Ann draw deck +5 > 1 hd-1") == set()

    def test_on_green_to_the_pile_or_into_a_hand(self):
        begun = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; "
        assert found(begun + "Ann 4 is-5 ! discard pile +3") == set()
        assert found(begun + "Ann 4 is-5") == set()
        assert found(begun + "Ann 4 is-5 ! discard Ben +3") == {"green-ways"}
        assert found(begun + "Ann 4 is-5 ! discard pile +4") == {"in-hand"}

    def test_on_green_cc_side_up_to_who_has_no_such_card(self):
        begun = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 3 is-4; Ben jump -3 > 1 hd-1; "
        assert found(begun + "Ann 1 is-5 ! discard Ben +3") == set()
        assert found(begun + "Ann 1 is-5 ! discard Ben +3 -3") == {"green-ways"}

    def test_as_many_cards_of_one_suit_as_make_zero(self):
        """“as many cards of the dragon or tiger suit … but may not discard both suits”"""
        begun = (
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -7; Ann draw deck +4 > 3 is-4; "
            "Ben jump -7 > 2 ap-5; Ann jump +3 > 2 weak-3; Ben 1 ap-6; Ann jump +4 > 1 hd-2 ! "
        )
        assert found(begun + "discard Ben +3 +4 -7") == set()
        assert found(begun + "discard Ben +3 +4") == set()
        assert found(begun + "discard Ben +3 -7") == {"zero-sum"}
        assert found(begun + "discard Ben +3") == {"green-ways"}
        assert found(begun + "discard Ben +3 with -7 +4") == {"in-hand"}

    def test_flipped_zero_cards_are_neither_drawn_nor_discarded_to(self):
        begun = "Ann 4 is-1 ! draw deck 0; Ben 6 is-3 ! draw deck 0; Ann jump 0 > 4 is-1 ! draw deck +3; "
        assert found(begun + "Ben discard Ann 0 0 > 1 is-4") == {"locked"}
        assert found(begun + "Ben 6 em-3 ! draw Ann 0") == {"locked"}

    def test_on_orange_one_must_draw(self):
        begun = "Ann 6 is-3 ! draw deck +3; Ben 4 is-1 ! draw deck -1; "
        assert found(begun + "Ann 6 em-3") == {"orange"}
        assert found(begun + "Ann 6 em-3 ! draw deck +5") == set()
        assert found(begun + "Ann 6 em-3 ! draw Ben -1") == {"orange-ways"}

    def test_on_orange_a_cc_card_of_another_player_if_one_has_none(self):
        begun = "Ann 6 is-3 ! draw deck +3; Ben 4 is-1 ! draw deck -1; Ann jump +3 > 1 weak-2 ! "
        assert found(begun + "draw Ben -1") == set()
        assert found(begun + "draw Ben -5") == {"in-hand"}

    def test_on_orange_a_number_from_the_pile_that_makes_zero(self):
        begun = (
            "Ann 4 is-1 ! draw deck -3; Ben 4 is-1 ! draw deck +3; Ann 6 is-3 ! draw deck +8; "
            "Ben 4 is-5 ! discard pile +3; Ann jump -3 > 3 hd-3; Ben 4 em-3 ! draw deck +9; "
        )
        assert found(begun + "Ann 2 hd-5 ! draw pile +3") == set()
        assert found(begun + "Ann 2 hd-5 ! draw pile +3 -3") == set()
        assert found(begun + "Ann 2 hd-5 ! draw pile +4") == {"pile", "orange-ways"}

    def test_the_entry_arrows_lead_in(self):
        for roll, to in ((1, "left-7"), (2, "left-6"), (2, "left-8"), (3, "left-1"), (3, "left-5"), (6, "left-2")):
            assert found(LEFT_RING + f"Ann {roll} {to}") == set()
        assert found(LEFT_RING + "Ann 1 is-3") == {"arrow"}

    def test_past_the_white_hole_one_leaves_the_left_ring(self):
        """“when your move would take you past the white hole … you must exit”"""
        begun = LEFT_RING + "Ann 1 left-7" + BEN
        for roll, to in ((2, "left-1"), (3, "em-1"), (4, "em-2"), (3, "left-4"), (4, "left-3")):
            assert found(begun + f"Ann {roll} {to}") == set()
        assert found(begun + "Ann 5 left-4") == {"curved"}

    def test_a_wormhole_is_crossed_when_one_stops_on_it_and_not_else(self):
        begun = LEFT_RING + "Ann 6 left-2" + BEN
        for to in ("right-2", "right-4"):
            assert found(begun + f"Ann 1 {to}") == set()
        assert found(begun + "Ann 1 right-centre ! draw deck +5") == set()
        assert found(begun + "Ann 4 bh-2") == set()
        assert found(begun + "Ann 1 left-1") == {"wormhole"}

    def test_a_jump_from_the_left_ring_crosses(self):
        """“you must jump across the wormhole to a space above the right-side curved space represented by your card”"""
        begun = (
            "Ann 6 is-3 ! draw deck +2; Ben 2 first-2 ! draw deck -2; Ann jump +2 > 6 weak-1; "
            "Ben 1 first-1 ! draw deck +9; Ann 4 weak-5; Ben 1 first-1 ! draw deck +8; Ann 6 right-2; "
            "Ben 1 first-1 ! draw deck +7; Ann 1 left-4; Ben discard Ann -2 +2 > 1 first-1 ! draw deck +6; "
        )
        assert found(begun + "Ann 1 weak-1") == set()
        assert found(begun + "Ann 1 left-5") == {"receiver-jumps"}

    def test_the_infinite_loop(self):
        """“left side Black Hole and need to roll a 4 … automatically be sent back to the Big Bang”"""
        begun = LEFT_RING + "Ann 3 left-5" + BEN
        assert found(begun + "Ann 4 big-bang; Ben 1 first-1 ! draw deck +5; Ann 4 is-1 ! draw deck +6") == set()
        for to in ("left-1", "left-5", "left-7", "em-1"):
            assert found(begun + f"Ann 4 {to}") == {"loop"}
        assert found(begun + "Ann 5 em-1") == set()


class TestDecisions:
    """Where the rulebook leaves a choice."""

    def test_c1_c2_what_a_space_asks_for_is_no_action(self):
        assert found("Ann 4 is-1 ! draw deck 0; Ben 6 is-3 ! draw deck -3; Ann jump 0 > 4 is-1 ! draw deck +5") == set()

    def test_c3_a_stack_is_of_two_or_more(self):
        hands = {"Ann": {"stacks": [["+3"], ["+1", "+2", "-3"], ["0"]]}}
        sheet = {"game": "cosmic_consequences", "players": NAMES[:2], "hands": hands}
        assert broken(sheet) == {"stack-zero"}
        hands["Ann"]["stacks"][0] = ["+4", "-4"]
        assert broken(sheet) == set()
        assert judged(sheet)["winners"] == ["Ann"]

    def test_c8_a_pawn_bumped_into_the_big_bang_is_asked_for_nothing(self):
        assert found("Ann 4 is-1 ! draw deck +3; Ben 4 is-1 ! draw deck -3, Ann draw deck +4") == {"not-asked"}

    def test_what_nothing_asks_for_is_told_once_and_done_all_the_same(self):
        """The card that Ann should not have taken is hers, and no longer the top one of the deck."""
        turns = "Ann 4 is-1 ! draw deck +3; Ben 4 is-1 ! draw deck -3, Ann draw deck +4; "
        deal = {"deal": {"deck": ["+3", "-3", "+4", *(f"{card:+d}" for card in (5, 6, 7))]}}
        told = judged(log(turns + "Ann 5 is-2 ! draw deck +5; Ben 2 is-3", **deal))["findings"]
        assert [finding["rule"] for finding in told if finding["severity"] == "error"] == ["not-asked"]

    def test_a_space_that_was_only_written_wrong_is_told_once(self):
        turns = "Ann 4 is-1 ! draw deck +3; Ben 2 first-2 ! draw deck -1; Ann 2 em-6; Ben 3 first-3 ! draw deck +9; "
        told = judged(log(turns + "Ann 1 is-4"))["findings"]
        assert [(finding["rule"], finding["where"]) for finding in told] == [("move", ["turns.3.to"])]
        told = judged(log(turns + "Ann 3 weak-3"))["findings"]
        assert [finding["where"] for finding in told] == [["turns.3.to"]]
        told = judged(log(turns + "Ann 3 hd-3"))["findings"]
        assert [finding["where"] for finding in told] == [["turns.3.to"], ["turns.5.to"]]

    def test_why_one_of_those_with_as_many_stacks_has_won(self):
        """The deck is one card, which goes to Ann."""
        deal = {"deal": {"deck": ["+3"]}}
        turns = "Ann 4 is-1 ! draw deck +3"
        loose = {"Ann": {"cc_up": ["+3"], "number_up": ["-1"]}, "Ben": {"number_up": ["+4"]}}
        said = answer(log(turns, **deal, hands=loose)).result
        assert said.winners == ("Ann",)
        assert said.remark == (
            "The deck has run out; of the players with the most stacks, Ann's loose cards come nearest to zero."
        )
        assert answer(log(turns, **deal)).result.remark == "The deck has run out."

    def test_loose_cards_that_could_be_stacked_are_named(self):
        hands = {"Ann": {"number_up": ["-7", "+3", "+4", "+9"]}, "Ben": {}}
        told = judged({"game": "cosmic_consequences", "players": NAMES[:2], "hands": hands}, Judge(hints=True))
        assert [hint["message"] for hint in told["hints"]] == [
            "Ann could make 1 more stack from loose cards: −7, +3 and +4"
        ]

    def test_c12_the_arrow_is_not_in_the_ring(self):
        """Ann stands on the arrow when Ben's card makes her jump: she goes to its own space."""
        begun = "Ann 6 is-3 ! draw deck +1; Ben 2 first-2 ! draw deck -1; Ann jump +1 > 1 is-2; "
        assert found(begun + "Ben discard Ann -1 +1 > 1 first-1 ! draw deck +5; Ann 1 em-1") == set()
        assert found(begun + "Ben discard Ann -1 +1 > 1 first-1 ! draw deck +5; Ann 1 em-2") == {"move"}

    def test_c13_across_to_the_first_space_above_the_right_ring(self):
        """The -1 stands for is-6, which does not lie above the right ring."""
        begun = (
            "Ann 6 is-3 ! draw deck +1; Ben 2 first-2 ! draw deck -1; Ann jump +1 > 1 is-2; "
            "Ben 1 first-1 ! draw deck +9; Ann 2 left-8; Ben discard Ann -1 +1 > 1 first-1 ! draw deck +8; "
        )
        assert found(begun + "Ann 1 em-2") == set()
        assert found(begun + "Ann 2 em-2") == {"across"}

    def test_c14_one_always_rolls(self):
        sheet = log("Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3")
        sheet["turns"].append({"player": "Ann", "jump": "+3"})
        assert broken(sheet) == {"turn-told"}

    def test_c15_several_pawns_in_the_big_bang(self):
        assert (
            found("Ann 2 first-2 ! draw deck +3; Ben 2 first-2 ! draw deck -3; Cat 1 first-1 ! draw deck +4", players=3)
            == set()
        )

    def test_c16_a_card_is_given_from_the_big_bang_and_from_an_arrow(self):
        begun = "Ann 4 is-1 ! draw deck +3; Ben 5 is-2 ! draw deck -3; Ann jump +3 > 2 weak-3; "
        assert found(begun + "Ben discard Ann -3 +3 > 1 left-7") == set()

    def test_c17_the_top_of_the_pile(self):
        begun = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-5 ! discard pile +3; "
        assert found(begun + "Ben draw pile +3 > 1 is-4") == set()
        assert found(begun + "Ben draw pile -5 > 1 is-4") == {"pile"}

    def test_c19_the_race_is_won_by_who_comes_home(self):
        laps = [("is-3", 6), ("em-3", 6), ("weak-3", 6), ("hd-3", 6), ("bh-3", 6), ("ap-3", 6), ("big-bang", 4)]
        turns = [
            f"{name} {roll if name == 'Ann' else 1} {to if name == 'Ann' else 'first-1'}"
            for to, roll in laps
            for name in ("Ann", "Ben")
        ][:-1]
        answer = judged(log("; ".join(turns), cards=False))
        assert answer["findings"] == []
        assert answer["winners"] == ["Ann"]
        passing = [*turns[:-1], "Ann 6 first-2"]
        assert judged(log("; ".join(passing), cards=False))["winners"] == ["Ann"]
        assert judged(log("; ".join(turns[:-1]), cards=False))["winners"] == []

    def test_c20_a_zero_card_stands_for_the_big_bang(self):
        begun = "Ann 4 is-1 ! draw deck zero-2; Ben 6 is-3 ! draw deck -3; Ann jump 0 > "
        assert found(begun + "6 is-3 ! draw deck +5") == set()
        assert found(begun + "6 em-1") == {"jump"}


@pytest.fixture(scope="module")
def judge(game):
    """Judges on a board on which ap-4 bears the +3, too."""
    part = game.components["board"]
    track = part.board.definition.tracks["lap"]
    spaces = {**track.spaces, "ap-4": dataclasses.replace(track.spaces["ap-1"], fields=track.spaces["weak-1"].fields)}
    made = board_graph.board(
        dataclasses.replace(part.board.definition, tracks={"lap": dataclasses.replace(track, spaces=spaces)})
    )
    return judge_for(game, components={**game.components, "board": dataclasses.replace(part, board=made)})


class TestNearest:
    """C10, on a board where a second space bears the +3."""

    def test_the_nearest_space_either_way(self, judge):
        """From is-1 it is four steps back to ap-4 … and more forward to weak-1; from em-1 weak-1 is nearer."""
        begun = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; "
        assert broken(log(begun + "Ann jump +3 > 2 ap-6"), judge) == set()
        assert broken(log(begun + "Ann jump +3 > 2 weak-3"), judge) == {"jump"}
        begun = "Ann 6 is-3 ! draw deck +3; Ben 1 first-1 ! draw deck -3; Ann 4 em-1; Ben 1 first-1 ! draw deck +9; "
        assert broken(log(begun + "Ann jump +3 > 2 weak-3"), judge) == set()


# ---- scores -------------------------------------------------------------------------------------------------------


def test_three_stacks_win_at_once():
    begun = (
        "Ann 4 is-1 ! draw deck 0; Ben 6 is-3 ! draw deck -3; Ann jump 0 > 4 is-1 ! draw deck 0; Ben 1 is-4; "
        "Ann jump 0 > 4 is-1 ! draw deck +3; Ben 4 em-2; Ann jump +3 > 2 weak-3; "
    )
    sheet = log(begun + "Ben 1 em-3 ! draw deck +9")
    assert judged(sheet)["findings"] == []
    assert [player["total"] for player in judged(sheet)["players"]] == [2, 0]
    sheet = log(begun[:-2])
    sheet["turns"].append({"player": "Ben", "discard": "Ann -3 +3"})
    answer = judged(sheet)
    assert (answer["findings"], answer["winners"]) == ([], ["Ann"])
    assert [player["total"] for player in answer["players"]] == [3, 0]
    sheet["turns"][-1].update(roll=1, to="em-3")
    assert broken(sheet) == {"after-the-end"}


def test_the_deck_runs_out():
    """Three cards: after the third the turn is done, and who is nearest to zero wins."""
    deck = {"deal": {"deck": ["+3", "-3", "+5"]}}
    answer = judged(
        log(
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 2 weak-3; Ben draw deck +5 > 1 is-4",
            **deck,
        )
    )
    assert {finding["rule"] for finding in answer["findings"]} == {"deal-whole"}
    assert answer["winners"] == ["Ben"]


def test_the_example_of_a_hand():
    """`docs/sheets.md`: a stack, and a number-side zero card is one by itself."""
    answer = judged(
        {
            "game": "cosmic_consequences",
            "players": ["Ann", "Ben"],
            "hands": {
                "Ann": {
                    "cc_up": ["dragon-3"],
                    "number_up": ["dragon-7", "tiger-3", "tiger-4", "zero-1"],
                    "stacks": [["dragon-7", "tiger-3", "tiger-4"]],
                },
                "Ben": {"cc_up": [], "number_up": ["tiger-9"]},
            },
        }
    )
    assert answer["findings"] == []
    assert [(player["name"], player["lines"]) for player in answer["players"]] == [
        ("Ann", [{"label": "locked zero stacks", "points": 2}]),
        ("Ben", [{"label": "locked zero stacks", "points": 0}]),
    ]
