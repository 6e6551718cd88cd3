"""The rulebook sentence by sentence, and our decisions where it leaves a choice, as logs.

The rulebook has only one example with numbers, the infinite loop; here, every sentence with a rule has an example.
"""

import re

import pytest
from msgspec import structs

from generator.judging.judge import Judge
from generator.reading import board_graph
from generator.rules.text import text
from tests.games.cosmic_consequences.judging import answer, broken, judge_for, judged

NAMES = ["Ann", "Ben", "Cat"]
TURN = re.compile(r"(\w+) (?:(draw|jump|discard) (.+?) > )?(\d) ([\w-]+)(?: ! (.+))?")
LEFT_RING = "Ann 5 is-2 ! draw deck +3; Ben 2 first-2 ! draw deck -1; "
BEN = "; Ben 3 first-3 ! draw deck +9; "


def turn(text):
    """A short turn: `Ann 4 is-1 ! draw deck +3` is a roll of 4 to is-1 with `forced`; `Ann jump +3 > 2 weak-3` begins
    with a card action."""
    player, action, line, roll, to, forced = TURN.fullmatch(text.strip()).groups()
    entry = {"player": player, "roll": int(roll), "to": to}
    return entry | ({action: line} if action else {}) | ({"forced": forced.replace(",", ";")} if forced else {})


def log(turns, players=2, **more):
    return {
        "game": "cosmic_consequences",
        "players": NAMES[:players],
        **more,
        "turns": [turn(text) for text in turns.split("; ")],
    }


def violated(turns, players=2, **more):
    """The rules a log breaks."""
    return broken(log(turns, players, **more))


class TestRulebook:
    """In the order of the rulebook."""

    def test_a_four_or_more_avoids_the_first_three_minutes(self):
        """“must roll four or greater to avoid the First-Three-Minute spaces”"""
        for roll, to in ((4, "is-1"), (5, "is-2"), (6, "is-3")):
            assert violated(f"Ann {roll} {to} ! draw deck +3; Ben 1 first-1 ! draw deck +4") == set()
        for roll in (1, 2, 3):
            assert (
                violated(
                    f"Ann {roll} first-{roll} ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-1 ! draw deck +4"
                )
                == set()
            )
            assert violated(
                f"Ann {roll} first-{roll} ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-{roll + 1}"
            ) == {"first-three"}

    def test_a_pawn_sent_back_may_be_written_in_the_big_bang(self):
        assert violated("Ann 2 big-bang ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-1 ! draw deck +4") == set()

    def test_leaving_the_big_bang_brings_the_top_card(self):
        assert violated("Ann 6 is-3 ! draw deck 0; Ben 6 is-3") == {"leaving"}
        assert violated("Ann 6 is-3 ! draw pile +3") == {"leaving"}

    def test_a_card_action_on_a_number_space_comes_before_the_roll(self):
        opening = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; "
        assert violated(opening + "Ann jump +3 > 2 weak-3") == set()
        assert violated(opening + "Ann draw deck +5 > 1 is-2") == set()
        assert violated(opening + "Ann 1 is-2") == set()

    def test_no_draw_or_jump_on_other_spaces(self):
        opening = "Ann 5 is-2 ! draw deck +3; Ben 6 is-3 ! draw deck -3; "
        assert violated(opening + "Ann jump +3 > 2 weak-3") == {"where-act"}
        assert violated(opening + "Ann draw deck +5 > 1 left-7") == {"where-act"}

    def test_a_bumped_pawn_goes_to_the_space_just_left(self):
        opening = "Ann 4 is-1 ! draw deck +3; Ben 4 is-1 ! draw deck -3; "
        assert violated(opening + "Ann 4 is-1 ! draw deck +4; Ben 4 is-1 ! draw deck +5") == set()
        assert violated(opening + "Ann 1 first-1 ! draw deck +4; Ben 1 is-2") == set()
        assert violated(opening + "Ann 1 is-2") == {"bump"}

    def test_a_bumped_player_does_what_the_space_asks_for(self):
        """Ann comes from orange and bumps Ben, so he has to draw there."""
        opening = (
            "Ann 6 is-3 ! draw deck +3; Ben 4 is-1 ! draw deck -1; Ann 6 em-3 ! draw deck +4; Ben jump -1 > 5 em-5; "
        )
        assert violated(opening + "Ann 2 em-5 ! Ben draw deck +6") == set()
        assert violated(opening + "Ann 2 em-5 ! discard pile +3, Ben draw deck +6") == set()
        assert violated(opening + "Ann 2 em-5") == {"orange"}
        assert violated(opening + "Ann 2 em-5 ! Ben draw deck +6; Ben 2 em-5 ! Ann draw Ben +6") == {"orange-ways"}

    def test_a_jump_turns_the_card_over(self):
        opening = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 2 weak-3; "
        assert violated(opening + "Ben 1 is-4; Ann jump +3 > 2 weak-3") == {"in-hand"}

    def test_no_card_action_on_green_and_orange(self):
        opening = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-5; Ben 1 is-4; "
        assert violated(opening + "Ann draw deck +5 > 1 is-6") == {"where-act"}
        assert violated(opening + "Ann jump +3 > 1 weak-2 ! draw deck +5") == {"where-act"}

    def test_a_cut_shows_any_card_of_the_deck_and_leaves_the_rest_in_order(self):
        """“Once the deck is cut the card revealed by the cut must be drawn, then the top part … is placed back”"""
        deck = {"deal": {"deck": [*(f"+{n}" for n in range(1, 13)), *(f"-{n}" for n in range(1, 13)), "0", "0"]}}
        opening = "Ann 4 is-1 ! draw deck +1; Ben 6 is-3 ! draw deck +2; Ann draw deck -9 > 1 is-2; "
        assert violated(opening + "Ben draw deck +3 > 1 is-4", **deck) == set()
        assert violated(opening + "Ben draw deck -9 > 1 is-4", **deck) == {"deck"}
        assert violated("Ann 4 is-1 ! draw deck +2", **deck) == {"leaving"}

    def test_stacked_cards_cannot_be_drawn(self):
        opening = (
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 2 weak-3; "
            "Ben discard Ann -3 +3 > 6 em-3 ! "
        )
        assert violated(opening + "draw Ann +3") == {"locked"}
        assert violated(opening + "draw deck 0") == set()

    def test_a_discard_makes_its_receiver_jump(self):
        opening = (
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 2 weak-3; "
            "Ben discard Ann -3 +3 > 1 is-4; "
        )
        assert violated(opening + "Ann 1 hd-1") == set()
        assert violated(opening + "Ann 1 weak-4") == {"receiver-jumps"}

    def test_a_receiver_on_the_space_stays_and_may_act_there(self):
        """“they remain on the space and the consequence is not canceled”"""
        opening = (
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 5 weak-6; "
            "Ben discard Ann -3 +3 > 1 is-4; "
        )
        assert violated(opening + "Ann draw deck +5 > 1 hd-1") == set()

    def test_green_to_the_pile_or_to_a_player(self):
        opening = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; "
        assert violated(opening + "Ann 4 is-5 ! discard pile +3") == set()
        assert violated(opening + "Ann 4 is-5") == set()
        assert violated(opening + "Ann 4 is-5 ! discard Ben +3") == {"green-ways"}
        assert violated(opening + "Ann 4 is-5 ! discard pile +4") == {"in-hand"}

    def test_green_a_cc_side_card_to_a_player_without_one(self):
        opening = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 3 is-4; Ben jump -3 > 1 hd-1; "
        assert violated(opening + "Ann 1 is-5 ! discard Ben +3") == set()
        assert violated(opening + "Ann 1 is-5 ! discard Ben +3 -3") == {"green-ways"}

    def test_green_several_cards_of_one_suit(self):
        """“as many cards of the dragon or tiger suit … but may not discard both suits”"""
        opening = (
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -7; Ann draw deck +4 > 3 is-4; "
            "Ben jump -7 > 2 ap-5; Ann jump +3 > 2 weak-3; Ben 1 ap-6; Ann jump +4 > 1 hd-2 ! "
        )
        assert violated(opening + "discard Ben +3 +4 -7") == set()
        assert violated(opening + "discard Ben +3 +4") == set()
        assert violated(opening + "discard Ben +3 -7") == {"zero-sum"}
        assert violated(opening + "discard Ben +3") == {"green-ways"}
        assert violated(opening + "discard Ben +3 with -7 +4") == {"in-hand"}

    def test_number_side_zero_cards_are_locked(self):
        opening = "Ann 4 is-1 ! draw deck 0; Ben 6 is-3 ! draw deck 0; Ann jump 0 > 4 is-1 ! draw deck +3; "
        assert violated(opening + "Ben discard Ann 0 0 > 1 is-4") == {"locked"}
        assert violated(opening + "Ben 6 em-3 ! draw Ann 0") == {"locked"}

    def test_orange_demands_a_draw(self):
        opening = "Ann 6 is-3 ! draw deck +3; Ben 4 is-1 ! draw deck -1; "
        assert violated(opening + "Ann 6 em-3") == {"orange"}
        assert violated(opening + "Ann 6 em-3 ! draw deck +5") == set()
        assert violated(opening + "Ann 6 em-3 ! draw Ben -1") == {"orange-ways"}

    def test_orange_a_cc_side_card_if_you_have_none(self):
        opening = "Ann 6 is-3 ! draw deck +3; Ben 4 is-1 ! draw deck -1; Ann jump +3 > 1 weak-2 ! "
        assert violated(opening + "draw Ben -1") == set()
        assert violated(opening + "draw Ben -5") == {"in-hand"}

    def test_orange_a_number_side_card_that_makes_zero(self):
        opening = (
            "Ann 4 is-1 ! draw deck -3; Ben 4 is-1 ! draw deck +3; Ann 6 is-3 ! draw deck +8; "
            "Ben 4 is-5 ! discard pile +3; Ann jump -3 > 3 hd-3; Ben 4 em-3 ! draw deck +9; "
        )
        assert violated(opening + "Ann 2 hd-5 ! draw pile +3") == set()
        assert violated(opening + "Ann 2 hd-5 ! draw pile +3 -3") == set()
        assert violated(opening + "Ann 2 hd-5 ! draw pile +4") == {"pile", "orange-ways"}

    def test_arrows_lead_into_the_ring(self):
        for roll, to in ((1, "left-7"), (2, "left-6"), (2, "left-8"), (3, "left-1"), (3, "left-5"), (6, "left-2")):
            assert violated(LEFT_RING + f"Ann {roll} {to}") == set()
        assert violated(LEFT_RING + "Ann 1 is-3") == {"arrow"}

    def test_the_white_hole_leads_out_of_the_left_ring(self):
        """“when your move would take you past the white hole … you must exit”"""
        opening = LEFT_RING + "Ann 1 left-7" + BEN
        for roll, to in ((2, "left-1"), (3, "em-1"), (4, "em-2"), (3, "left-4"), (4, "left-3")):
            assert violated(opening + f"Ann {roll} {to}") == set()
        assert violated(opening + "Ann 5 left-4") == {"curved"}

    def test_only_a_pawn_on_a_wormhole_crosses_it(self):
        opening = LEFT_RING + "Ann 6 left-2" + BEN
        for to in ("right-2", "right-4"):
            assert violated(opening + f"Ann 1 {to}") == set()
        assert violated(opening + "Ann 1 right-centre ! draw deck +5") == set()
        assert violated(opening + "Ann 4 bh-2") == set()
        assert violated(opening + "Ann 1 left-1") == {"wormhole"}

    def test_a_jump_from_the_left_ring_crosses_the_wormhole(self):
        """“you must jump across the wormhole to a space above the right-side curved space represented by your card”"""
        opening = (
            "Ann 6 is-3 ! draw deck +2; Ben 2 first-2 ! draw deck -2; Ann jump +2 > 6 weak-1; "
            "Ben 1 first-1 ! draw deck +9; Ann 4 weak-5; Ben 1 first-1 ! draw deck +8; Ann 6 right-2; "
            "Ben 1 first-1 ! draw deck +7; Ann 1 left-4; Ben discard Ann -2 +2 > 1 first-1 ! draw deck +6; "
        )
        assert violated(opening + "Ann 1 weak-1") == set()
        assert violated(opening + "Ann 1 left-5") == {"receiver-jumps"}

    def test_the_infinite_loop(self):
        """“left side Black Hole and need to roll a 4 … automatically be sent back to the Big Bang”"""
        opening = LEFT_RING + "Ann 3 left-5" + BEN
        assert violated(opening + "Ann 4 big-bang; Ben 1 first-1 ! draw deck +5; Ann 4 is-1 ! draw deck +6") == set()
        for to in ("left-1", "left-5", "left-7", "em-1"):
            assert violated(opening + f"Ann 4 {to}") == {"loop"}
        assert violated(opening + "Ann 5 em-1") == set()


class TestDecisions:
    """Where the rulebook leaves a choice."""

    def test_c1_c2_what_a_space_asks_for_is_not_a_card_action(self):
        assert (
            violated("Ann 4 is-1 ! draw deck 0; Ben 6 is-3 ! draw deck -3; Ann jump 0 > 4 is-1 ! draw deck +5") == set()
        )

    def test_c3_a_stack_has_two_cards_or_more(self):
        hands = {"Ann": {"stacks": [["+3"], ["+1", "+2", "-3"], ["0"]]}}
        sheet = {"game": "cosmic_consequences", "players": NAMES[:2], "hands": hands}
        assert broken(sheet) == {"stack-zero"}
        hands["Ann"]["stacks"][0] = ["+4", "-4"]
        assert broken(sheet) == set()
        assert judged(sheet)["winners"] == ["Ann"]

    def test_c8_nothing_is_asked_of_a_pawn_bumped_into_the_big_bang(self):
        assert violated("Ann 4 is-1 ! draw deck +3; Ben 4 is-1 ! draw deck -3, Ann draw deck +4") == {"not-asked"}

    def test_a_draw_that_nothing_asks_for_is_reported_and_played(self):
        """Ann keeps the card that she should not have taken, and it is no longer on top of the deck."""
        turns = "Ann 4 is-1 ! draw deck +3; Ben 4 is-1 ! draw deck -3, Ann draw deck +4; "
        deal = {"deal": {"deck": ["+3", "-3", "+4", *(f"{card:+d}" for card in (5, 6, 7))]}}
        findings = judged(log(turns + "Ann 5 is-2 ! draw deck +5; Ben 2 is-3", **deal))["findings"]
        assert [finding["rule"] for finding in findings if finding["severity"] == "error"] == ["not-asked"]

    def test_a_misspelt_space_is_reported_once(self):
        turns = "Ann 4 is-1 ! draw deck +3; Ben 2 first-2 ! draw deck -1; Ann 2 em-6; Ben 3 first-3 ! draw deck +9; "
        findings = judged(log(turns + "Ann 1 is-4"))["findings"]
        assert [(finding["rule"], finding["where"]) for finding in findings] == [("move", ["turns.3.to"])]
        findings = judged(log(turns + "Ann 3 weak-3"))["findings"]
        assert [finding["where"] for finding in findings] == [["turns.3.to"]]
        findings = judged(log(turns + "Ann 3 hd-3"))["findings"]
        assert [finding["where"] for finding in findings] == [["turns.3.to"], ["turns.5.to"]]

    def test_the_remark_says_how_a_tie_was_broken(self):
        """The deck is one card, which goes to Ann."""
        deal = {"deal": {"deck": ["+3"]}}
        turns = "Ann 4 is-1 ! draw deck +3"
        loose = {"Ann": {"cc_up": ["+3"], "number_up": ["-1"]}, "Ben": {"number_up": ["+4"]}}
        result = answer(log(turns, **deal, hands=loose)).result
        assert result.winners == ("Ann",)
        assert result.remark == (
            "The deck has run out; of the players with the most stacks, Ann’s loose cards come nearest to zero."
        )
        assert answer(log(turns, **deal)).result.remark == "The deck has run out."

    def test_a_hint_names_loose_cards_that_could_be_stacked(self):
        hands = {"Ann": {"number_up": ["-7", "+3", "+4", "+9"]}, "Ben": {}}
        findings = judged({"game": "cosmic_consequences", "players": NAMES[:2], "hands": hands}, Judge(hints=True))
        assert [hint["message"] for hint in findings["hints"]] == [
            "Ann could make 1 more stack from loose cards: −7, +3 and +4"
        ]

    def test_c12_the_arrow_is_not_in_the_ring(self):
        """Ann is on the arrow when Ben's card makes her jump, so she goes to the card's own space."""
        opening = "Ann 6 is-3 ! draw deck +1; Ben 2 first-2 ! draw deck -1; Ann jump +1 > 1 is-2; "
        assert violated(opening + "Ben discard Ann -1 +1 > 1 first-1 ! draw deck +5; Ann 1 em-1") == set()
        assert violated(opening + "Ben discard Ann -1 +1 > 1 first-1 ! draw deck +5; Ann 1 em-2") == {"move"}

    def test_c13_a_jump_across_leads_above_the_right_ring(self):
        """The -1 stands for is-6, which is not above the right ring."""
        opening = (
            "Ann 6 is-3 ! draw deck +1; Ben 2 first-2 ! draw deck -1; Ann jump +1 > 1 is-2; "
            "Ben 1 first-1 ! draw deck +9; Ann 2 left-8; Ben discard Ann -1 +1 > 1 first-1 ! draw deck +8; "
        )
        assert violated(opening + "Ann 1 em-2") == set()
        assert violated(opening + "Ann 2 em-2") == {"across"}

    def test_c14_every_turn_has_a_roll(self):
        sheet = log("Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3")
        sheet["turns"].append({"player": "Ann", "jump": "+3"})
        assert broken(sheet) == {"turn-told"}

    def test_c15_the_big_bang_has_room_for_several_pawns(self):
        assert (
            violated(
                "Ann 2 first-2 ! draw deck +3; Ben 2 first-2 ! draw deck -3; Cat 1 first-1 ! draw deck +4", players=3
            )
            == set()
        )

    def test_c16_a_discard_from_an_arrow(self):
        opening = "Ann 4 is-1 ! draw deck +3; Ben 5 is-2 ! draw deck -3; Ann jump +3 > 2 weak-3; "
        assert violated(opening + "Ben discard Ann -3 +3 > 1 left-7") == set()

    def test_c17_only_the_top_card_of_the_pile(self):
        opening = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 4 is-5 ! discard pile +3; "
        assert violated(opening + "Ben draw pile +3 > 1 is-4") == set()
        assert violated(opening + "Ben draw pile -5 > 1 is-4") == {"pile"}

    def test_c19_the_first_player_home_wins_the_race(self):
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
        opening = "Ann 4 is-1 ! draw deck zero-2; Ben 6 is-3 ! draw deck -3; Ann jump 0 > "
        assert violated(opening + "6 is-3 ! draw deck +5") == set()
        assert violated(opening + "6 em-1") == {"jump"}


@pytest.fixture(scope="module")
def judge(game):
    """Judges on a board where ap-4 has the +3, too."""
    part = game.components["board"]
    track = part.board.definition.tracks["lap"]
    spaces = {**track.spaces, "ap-4": structs.replace(track.spaces["ap-1"], fields=track.spaces["weak-1"].fields)}
    board = board_graph.board(
        structs.replace(part.board.definition, tracks={"lap": structs.replace(track, spaces=spaces)})
    )
    return judge_for(game, components={**game.components, "board": structs.replace(part, board=board)})


class TestNearest:
    """C10, on a board where a second space has the +3."""

    def test_a_jump_leads_to_the_nearest_space_either_way(self, judge):
        """From is-1 it is four steps back to ap-4, and more forward to weak-1; from em-1, weak-1 is nearer."""
        opening = "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; "
        assert broken(log(opening + "Ann jump +3 > 2 ap-6"), judge) == set()
        assert broken(log(opening + "Ann jump +3 > 2 weak-3"), judge) == {"jump"}
        opening = "Ann 6 is-3 ! draw deck +3; Ben 1 first-1 ! draw deck -3; Ann 4 em-1; Ben 1 first-1 ! draw deck +9; "
        assert broken(log(opening + "Ann jump +3 > 2 weak-3"), judge) == set()


# ---- scores -------------------------------------------------------------------------------------------------------


def test_three_stacks_win_at_once():
    opening = (
        "Ann 4 is-1 ! draw deck 0; Ben 6 is-3 ! draw deck -3; Ann jump 0 > 4 is-1 ! draw deck 0; Ben 1 is-4; "
        "Ann jump 0 > 4 is-1 ! draw deck +3; Ben 4 em-2; Ann jump +3 > 2 weak-3; "
    )
    sheet = log(opening + "Ben 1 em-3 ! draw deck +9")
    assert judged(sheet)["findings"] == []
    assert [player["total"] for player in judged(sheet)["players"]] == [2, 0]
    sheet = log(opening[:-2])
    sheet["turns"].append({"player": "Ben", "discard": "Ann -3 +3"})
    answer = judged(sheet)
    assert (answer["findings"], answer["winners"]) == ([], ["Ann"])
    assert [player["total"] for player in answer["players"]] == [3, 0]
    sheet["turns"][-1].update(roll=1, to="em-3")
    assert broken(sheet) == {"after-the-end"}


def test_the_deck_ends_the_game():
    """Three cards: the game ends after the turn in which the third is drawn, and the player nearest to zero wins."""
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
    """From `docs/sheets.md`: one stack, and a number-side zero card, which is another."""
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


def test_an_unfinished_game_has_no_ranks():
    """The text has none; the JSON answer keeps its keys and says that the game is not over."""
    sheet = log("Ann 4 is-1 ! draw deck +3")
    unfinished = judged(sheet)
    assert unfinished["over"] is False and unfinished["winners"] == []
    assert [player["rank"] for player in unfinished["players"]] == [1, 1]
    printed = text(answer(sheet))
    assert "rank" not in printed and "The game is not over: it is Ben’s turn." in printed
    hands = 'hands: {Ann: {stacks: [["+5", "-5"], ["+8", "-8"], ["0"]]}, Ben: {number_up: ["+1"]}}\n'
    finished = "game: cosmic_consequences\nplayers: [Ann, Ben]\n" + hands
    assert "over" not in judged(finished) and "rank" in text(answer(finished))
