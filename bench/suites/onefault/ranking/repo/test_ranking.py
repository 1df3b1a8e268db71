import pytest

import ranking
from ranking import Runner

RUNNERS = [
    Runner("Kim", "red", 61.04, 1990),
    Runner("Ada", "Blue", 59.5, 2001),
    Runner("Lea", "red", None, 1985),
    Runner("Bob", "Blue", 61.04, 2003),
    Runner("Eve", "red", 64.0, 1990),
    Runner("Tom", "amber", 63.0, 1999),
]


def names(runners):
    return [runner.name for runner in runners]


def test_finishers_keep_their_order_when_equal():
    assert names(ranking.finishers(RUNNERS)) == ["Ada", "Kim", "Bob", "Tom", "Eve"]


def test_equal_times_share_a_place():
    assert ranking.places(RUNNERS) == [(1, "Ada"), (2, "Kim"), (2, "Bob"), (4, "Tom"), (5, "Eve")]


def test_podium():
    assert ranking.podium(RUNNERS) == ["Ada", "Kim", "Bob"]
    assert ranking.podium(RUNNERS, size=4) == ["Ada", "Kim", "Bob", "Tom"]


def test_start_list():
    assert names(ranking.start_list(RUNNERS)) == ["Tom", "Bob", "Ada", "Eve", "Kim", "Lea"]


def test_team_times():
    assert ranking.team_times(RUNNERS) == {"Blue": 120.54, "red": 125.04}
    assert ranking.team_times(RUNNERS, counting=1) == {"Blue": 59.5, "red": 61.04, "amber": 63.0}


def test_best_times_count():
    more = [*RUNNERS, Runner("Zoe", "red", 60.0)]
    assert ranking.team_times(more)["red"] == 121.04


def test_winner():
    assert ranking.winner(RUNNERS) == "Blue"
    assert ranking.winner([*RUNNERS, Runner("Zoe", "red", 58.0)]) == "red"
    assert ranking.winner([]) is None


@pytest.mark.parametrize("count, expected", [(0, None), (1, 61.04), (2, 60.27), (6, 61.04)])
def test_median(count, expected):
    median = ranking.median_time(RUNNERS[:count])
    assert median == (expected if expected is None else pytest.approx(expected))


def test_gaps():
    assert ranking.gap_to_best(RUNNERS) == {"Ada": 0.0, "Kim": 1.5, "Bob": 1.5, "Tom": 3.5, "Eve": 4.5}
    assert ranking.gap_to_best([]) == {}
