"""The table: wins, places, streaks, pairs, points and ratings."""

from math import log, sqrt

import pytest

from generator.league.standings import START, START_DEVIATION, Rating, rate, tabulated
from tests.league.sheets import play


def table(*results, since="", **more):
    """The table of plays on consecutive days."""
    return tabulated([play(text, f"2026-11-{day:02}", day, **more) for day, text in enumerate(results, 1)], since)


def row(table, player):
    return next(each for each in table.standings if each.player == player)


def test_a_table_counts_wins_places_and_streaks():
    rows = table("Ann 3, Ben 2, Cat 1", "Ann 1, Ben 2, Cat 3", "Ann 5, Cat 3", "Ann 5, Ben 3")
    ann, ben, cat = (row(rows, name) for name in ("Ann", "Ben", "Cat"))
    assert (ann.played, ann.won, ann.win_rate, ann.place, ann.streak) == (4, 3, 0.75, 1.5, 2)
    assert ann.last == (1, 0, 1, 1) and ben.last == (0, 0, 0)
    assert (cat.won, cat.place, cat.streak) == (1, 2, 0)
    assert (rows.plays, rows.counted, rows.first_date, rows.last_date) == (4, 4, "2026-11-01", "2026-11-04")
    assert rows.standings[0].player == "Ann"


def test_players_who_tie_share_the_win():
    rows = table("Ann 3, Ben 3, Cat 1")
    assert [(row(rows, name).won, row(rows, name).place) for name in ("Ann", "Ben", "Cat")] == [
        (0.5, 1),
        (0.5, 1),
        (0, 3),
    ]
    assert row(rows, "Ann").streak == 1


def test_only_the_last_five_are_listed():
    rows = table(*["Ann 1, Ben 0"] * 6, "Ann 0, Ben 1")
    assert row(rows, "Ann").last == (1, 1, 1, 1, 0)


def test_plays_that_do_not_count_change_nothing():
    plays = [play("Ann 3, Ben 2", "2026-11-01", 1)]
    more = [play("Ann 3, Ben 9", "2026-11-02", 2, status=status, reason="x") for status in ("broken", "unfinished")]
    rows = tabulated(plays + more)
    assert rows.standings == tabulated(plays).standings and rows.points == tabulated(plays).points
    assert (rows.plays, rows.counted) == (3, 1)


def test_plays_alone_only_count_for_points():
    rows = tabulated([play("Ann 3, Ben 2", "2026-11-01", 1), play("Cat 9", "2026-11-02", 2, status="solo")])
    assert [each.player for each in rows.standings] == ["Ann", "Ben"]
    assert [(each.player, each.best) for each in rows.points] == [("Ann", 3), ("Ben", 2), ("Cat", 9)]


def test_if_all_lose_ratings_and_places_stay():
    rows = table("Ann, Ben")
    assert (row(rows, "Ann").played, row(rows, "Ann").won, row(rows, "Ann").place) == (1, 0, None)
    assert (row(rows, "Ann").elo, rows.head_to_head) == (START, ())


def test_head_to_head():
    rows = table("Ann 3, Ben 2, Cat 2", "Ben 3, Ann 1")
    pairs = {(each.player, each.opponent): (each.before, each.after, each.tied) for each in rows.head_to_head}
    assert pairs["Ann", "Ben"] == pairs["Ben", "Ann"] == (1, 1, 0)
    assert pairs["Ben", "Cat"] == (0, 0, 1) and pairs["Cat", "Ann"] == (0, 1, 0)


def test_points_are_of_one_kind_of_sheet_and_the_lowest_may_win():
    low = play("Ann 0, Ben 7", "2026-11-01", 1, game="elevator_up", title="Elevator Up", sheet="log")
    seats = [each.__class__(each.player, each.points, 3 - each.place) for each in low.seats]
    low = low.__class__(
        **{name: getattr(low, name) for name in low.__struct_fields__ if name != "seats"}, seats=tuple(seats)
    )
    rows = tabulated([low, play("Ann 5, Ben 3", number=2, sheet="a"), play("Ann 9, Ben 3", number=3, sheet="b")])
    assert [(each.player, each.game, each.sheet, each.best) for each in rows.points][:4] == [
        ("Ann", "elevator_up", "log", 0),
        ("Ben", "elevator_up", "log", 7),
        ("Ann", "upwards", "a", 5),
        ("Ben", "upwards", "a", 3),
    ]
    assert rows.games == (("elevator_up", "Elevator Up"), ("upwards", "Upwards!"))


def test_a_period_counts_only_its_plays_but_ratings_go_on():
    whole, since = table("Ann 3, Ben 2", "Ann 3, Ben 2"), table("Ann 3, Ben 2", "Ann 3, Ben 2", since="2026-11-02")
    assert (row(since, "Ann").played, since.plays) == (1, 1)
    assert row(since, "Ann").elo == row(whole, "Ann").elo
    assert [point.date for point in since.series[0].points] == ["2026-11-02"]


def test_a_series_has_a_point_for_each_day():
    rows = tabulated([play("Ann 3, Ben 2", "2026-11-01", number) for number in range(3)] + [play("Ann 3, Ben 2")])
    assert [point.date for point in rows.series[0].points] == ["2026-11-01", "2026-11-21"]
    assert rows.series[0].points[-1].elo == row(rows, "Ann").elo


def test_an_empty_table():
    assert tabulated([]).standings == ()


# ---- ratings


def test_the_first_play_by_hand():
    """All deviations are s = 2b, so that c² = 2s² + 2b² = 10b²; s²/c · ½ = 4b/√10 · ½ for the winner."""
    beta = 400 / log(10) / sqrt(2)
    ratings = [Rating(), Rating()]
    rate(ratings, [1, 2])
    assert ratings[0].elo == pytest.approx(1500 + 2 * beta / sqrt(10))
    assert ratings[1].elo == pytest.approx(1500 - 2 * beta / sqrt(10))
    loss = (2 / sqrt(10)) ** 3 / 4
    assert ratings[0].deviation == ratings[1].deviation == pytest.approx(2 * beta * sqrt(1 - loss))


def test_certain_ratings_are_those_of_elo():
    """The change of a rating is proportional to the result minus what Elo expects: 10/11 for 400 points more."""
    ratings = [Rating(1900, 1.0), Rating(1500, 1.0)]
    rate(ratings, [2, 1])
    upset = 1900 - ratings[0].elo
    ratings = [Rating(1900, 1.0), Rating(1500, 1.0)]
    rate(ratings, [1, 2])
    assert upset / (ratings[0].elo - 1900) == pytest.approx(10, rel=0.001)


def test_a_tie_brings_ratings_together_and_the_order_of_seats_does_not_matter():
    ratings = [Rating(1600, 100.0), Rating(1400, 100.0)]
    rate(ratings, [1, 1])
    assert ratings[0].elo < 1600 and ratings[1].elo > 1400
    one, other = [Rating(1500, 80.0), Rating(1550, 60.0), Rating(1450, 90.0)], [Rating(1450, 90.0), Rating(1550, 60.0)]
    other.append(Rating(1500, 80.0))
    rate(one, [1, 2, 3])
    rate(other, [3, 2, 1])
    assert [round(each.elo, 9) for each in one] == [round(each.elo, 9) for each in reversed(other)]


def test_deviations_shrink_and_stay_above_zero():
    ratings = [Rating() for _ in range(8)]
    for _ in range(500):
        rate(ratings, [*range(1, 9)])
    assert all(0 < each.deviation < START_DEVIATION for each in ratings)
    assert [each.elo for each in ratings] == sorted((each.elo for each in ratings), reverse=True)


def test_the_better_player_is_found():
    from random import Random

    rng, ratings = Random(1), [Rating(), Rating()]
    for _ in range(400):
        wins = rng.random() < 1 / (1 + 10 ** (-200 / 400))
        rate(ratings, [1, 2] if wins else [2, 1])
    assert ratings[0].elo - ratings[1].elo == pytest.approx(200, abs=4 * ratings[0].deviation)
