"""Legal logs that leave something open: who drew, which zero card it was, and which cards were stacked."""

import pytest

from generator.judging.judge import Judge
from tests.games.cosmic_consequences.judging import answer, judged
from tests.games.cosmic_consequences.test_examples import log, violated

# ---- who did it -----------------------------------------------------------------------------------------------------


def problems(turns, players=2, **more):
    """The rule and the player of every problem with a log."""
    return [(finding["rule"], finding["player"]) for finding in judged(log(turns, players, **more))["findings"]]


class TestForced:
    """Without a name, `forced` belongs to the player whose turn it is."""

    def test_nothing_is_forced_on_a_player_sent_to_green(self):
        """Ann's card makes Ben jump, who sends Cat to the green space he leaves; then Ann rolls onto another one."""
        turns = (
            "Ann 4 is-1 ! draw deck -11; Ben 6 is-3 ! draw deck +11; Cat 3 first-3 ! draw deck +1; "
            "Ann draw deck +9 > 3 is-4; Ben 4 em-1; Cat 6 is-3 ! draw deck +2; "
            "Ann 2 is-6; Ben jump +11 > 1 em-5; Cat 5 em-2; "
            "Ann discard Ben -11 +11 > 5 em-5 ! discard pile +9"
        )
        assert problems(turns, 3) == []
        assert problems(turns.replace("! discard pile", "! Cat discard pile +1, Ann discard pile"), 3) == []
        assert problems(turns.replace("! discard pile", "! Cat discard pile"), 3) == [("in-hand", "Cat")]

    def test_not_of_a_player_who_leaves_the_big_bang(self):
        """Ann's card makes Ben jump out of the Big Bang, and his draw was forgotten; Ann's own draw is hers."""
        turns = (
            "Ann 4 is-1 ! draw deck -11; Ben 4 is-1 ! draw deck +11; Ann 6 is-3 ! draw deck +1; "
            "Ben jump +11 > 1 em-5; Ann 1 is-4; Ben 5 weak-4; Ann 2 is-6; Ben 6 hd-4; Ann 1 em-1; Ben 6 bh-4; "
            "Ann 1 em-2; Ben 6 ap-4 ! draw deck +3; Ann 2 em-4; Ben 3 big-bang; "
            "Ann discard Ben -11 +11 > 5 weak-3"
        )
        assert problems(turns) == [("leaving", "Ben")]
        assert problems(turns + " ! Ben draw deck +4") == []
        assert problems(turns.replace("5 weak-3", "4 weak-2 ! draw deck +4")) == [("leaving", "Ben")]

    def test_of_nobody_else(self):
        """Ann sends Ben to orange; a draw without a name is not his."""
        begun = (
            "Ann 6 is-3 ! draw deck +3; Ben 4 is-1 ! draw deck -1; Ann 6 em-3 ! draw deck +4; Ben jump -1 > 5 em-5; "
        )
        sheet = log(begun + "Ann 2 em-5 ! draw deck +6")
        assert [(finding["rule"], finding["message"]) for finding in judged(sheet)["findings"]] == [
            ("orange", "Ben is on em-3, which is orange, and must draw a card"),
            ("not-asked", "nothing asks Ann to draw +6 here; if it was Ben, write the name before “draw”"),
        ]


# ---- which zero card ------------------------------------------------------------------------------------------------

REST = [f"{card:+d}" for card in (*range(3, 13), *range(-12, 0))]


@pytest.mark.parametrize("card", ["zero-1", "zero-2", "0"])
@pytest.mark.parametrize("top", ["zero-1", "zero-2", "0", "+3"])
def test_a_zero_card_drawn_by_cutting_may_be_either(card, top):
    """The second zero card may then be on top, or the card after it."""
    deal = {"deal": {"deck": ["+1", "+2", "zero-1", "+3", "zero-2", *REST[1:]]}}
    begun = f"Ann 4 is-1 ! draw deck +1; Ben 1 first-1 ! draw deck +2; Ann draw deck {card} > 2 is-3; "
    assert violated(begun + f"Ben 1 first-1 ! draw deck {top}", **deal) == set()
    assert violated(begun + "Ben 1 first-1 ! draw deck +4", **deal) == {"leaving"}


def test_the_next_card_settles_which_zero_card_it_was():
    deal = {"deal": {"deck": ["+1", "+2", "zero-1", "+3", "zero-2", *REST[1:]]}}
    begun = "Ann 4 is-1 ! draw deck +1; Ben 1 first-1 ! draw deck +2; Ann draw deck 0 > 2 is-3; Ben 1 first-1 ! "
    assert violated(begun + "draw deck 0; Ann 1 is-4; Ben 1 first-1 ! draw deck +3", **deal) == set()
    assert violated(begun + "draw deck 0; Ann 1 is-4; Ben 1 first-1 ! draw deck +4", **deal) == {"leaving"}
    assert violated(begun + "draw deck +3; Ann 1 is-4; Ben 1 first-1 ! draw deck 0", **deal) == set()
    assert violated(begun + "draw deck +3; Ann 1 is-4; Ben 1 first-1 ! draw deck +4", **deal) == {"leaving"}


# ---- which cards are stacked ----------------------------------------------------------------------------------------

ZEROS = (
    "Ann 4 is-1 ! draw deck 0; Ben 6 is-3 ! draw deck -3; Ann jump 0 > 4 is-1 ! draw deck 0; Ben 1 is-4; "
    "Ann jump 0 > 4 is-1 ! draw deck +3; Ben 2 is-6; Ann draw deck -2 > 3 is-4; Ben 1 em-1; "
    "Ann draw deck -1 > 2 is-6; Ben 1 em-2; Ann jump +3 > 3 weak-4; Ben 2 em-4; Ann jump -2 > 2 weak-2 ! draw deck +9; "
    "Ben 2 em-6; Ann 1 weak-3; Ben 1 weak-1"
)
"""Ann has two zero cards, which are locked, a loose +3 and a loose −2; she holds the −1."""
THIRD = ZEROS + "; Ann jump -1 > 3 em-3 ! draw deck +8"
ON = "; Ben 3 weak-4"
STACKED = THIRD.replace("jump -1", "jump -1 +3 -2")


def outcome(turns, **more):
    result = answer(log(turns, **more))
    assert not result.verdict.findings
    return result.result.winners, result.result.remark


class TestStacks:
    """Nobody has to stack, so cards that could be stacked do not end the game."""

    def test_loose_cards_count_as_stacked_at_the_end_of_a_log(self):
        result = "Ann’s loose cards are counted as stacked; if they are not, list the hands."
        assert outcome(THIRD) == (("Ann",), result)
        assert outcome(THIRD.replace(" > 3 em-3 ! draw deck +8", " > 3 em-3")) == (("Ann",), result)

    def test_the_game_may_go_on(self):
        """The third stack could be laid in the turn before the last; that is a hint, not a problem."""
        result = "The game is not over: it is Ann’s turn. Ann can win by laying three zero stacks."
        assert outcome(THIRD + ON) == ((), result)
        hints = judged(log(THIRD + ON), Judge(hints=True))["hints"]
        assert [(hint["where"], hint["message"]) for hint in hints] == [
            (["turns.17"], "Ann could have won here by laying three zero stacks")
        ]

    def test_the_log_may_stop_where_somebody_has_won(self):
        sheet = log(THIRD)
        del sheet["turns"][-1]["roll"], sheet["turns"][-1]["to"], sheet["turns"][-1]["forced"]
        assert judged(sheet)["findings"] == []
        assert judged(sheet)["winners"] == ["Ann"]
        sheet["hands"] = {"Ann": {"cc_up": ["+9"], "number_up": "0 0 +3 -2 -1"}}
        assert [finding["rule"] for finding in judged(sheet)["findings"]] == ["turn-told"]

    def test_cards_stacked_in_a_turn_end_the_game(self):
        assert violated(STACKED[: -len(" > 3 em-3 ! draw deck +8")] + " > 3 em-3") == {"after-the-end"}
        sheet = log(STACKED)
        del sheet["turns"][-1]["roll"], sheet["turns"][-1]["to"], sheet["turns"][-1]["forced"]
        assert (judged(sheet)["findings"], judged(sheet)["winners"]) == ([], ["Ann"])

    def test_the_hands_say_whether_they_are_stacked(self):
        loose = {"Ann": {"cc_up": ["+9", "+8"], "number_up": "0 0 +3 -2 -1"}}
        stacked = {"Ann": {"cc_up": ["+9", "+8"], "number_up": "0 0", "stacks": ["+3 -2 -1"]}}
        assert outcome(THIRD, hands=loose)[0] == ()
        assert outcome(THIRD, hands=stacked) == (("Ann",), "")
        assert outcome(THIRD + ON, hands=stacked)[0] == ("Ann",)

    def test_loose_cards_do_not_keep_the_deck_from_running_out(self):
        """The deck ends the game: Ann, whose hand says that nothing is stacked, wins with the smaller sum."""
        deal = {"deal": {"deck": ["+3", "-3", "+5"]}}
        turns = (
            "Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann jump +3 > 2 weak-3; Ben draw deck +5 > 1 is-4"
        )
        result = judged(log(turns + "; Ann 1 weak-4", **deal))["findings"]
        assert [finding["message"] for finding in result if finding["rule"] == "after-the-end"] == [
            "the game was already over: the deck had run out, and Ben had won"
        ]


def test_two_card_actions_in_words():
    begun = log("Ann 4 is-1 ! draw deck +3; Ben 6 is-3 ! draw deck -3; Ann 1 is-2")
    begun["turns"][-1] |= {"draw": "deck +4", "jump": "+3", "roll": 1, "to": "weak-2", "forced": "draw deck +9"}
    assert [finding["message"] for finding in judged(begun)["findings"]] == [
        "Ann draws and jumps in one turn, but only one card action is allowed"
    ]
