import pytest

from ranking import Runner, finishers, gap_to_best, median_time, places, podium, start_list, team_times, winner


def field(*times, team="t"):
    return [Runner(chr(97 + number), team, time) for number, time in enumerate(times)]


def test_finishers():
    assert [one.name for one in finishers(field(3, 1, None, 3, 1, 0))] == ["f", "b", "e", "a", "d"]
    assert finishers(field(None)) == []
    tied = [Runner("z", "b", 5), Runner("a", "a", 5), Runner("m", "c", 5, 1950)]
    assert [one.name for one in finishers(tied)] == ["z", "a", "m"]


def test_places():
    assert places([]) == []
    assert places(field(1, 1, 1, 2, 2, 3)) == [(1, "a"), (1, "b"), (1, "c"), (4, "d"), (4, "e"), (6, "f")]
    assert places(field(0, 0)) == [(1, "a"), (1, "b")]


def test_podium():
    assert podium(field(1, 2, 3, 3, 4)) == ["a", "b", "c", "d"]
    assert podium(field(1, 2, 2, 4), size=1) == ["a"]
    assert podium(field(1, 2, 3, 4)) == ["a", "b", "c"]


def test_start_list():
    runners = [Runner("c", "B", 1, 1980), Runner("b", "a", 1, 1970), Runner("a", "A", None, 1990), Runner("d", "b", 1, 1980), Runner("e", "a", 2, 1970)]
    assert [one.name for one in start_list(runners)] == ["a", "b", "e", "c", "d"]


def test_teams():
    runners = field(5, 1.255, 9, 2, None) + field(4, 3, team="u") + field(7, team="v")
    assert team_times(runners) == {"t": pytest.approx(3.255, abs=0.006), "u": 7}
    assert team_times(runners, counting=3) == {"t": pytest.approx(8.255, abs=0.006)}
    assert winner(runners) == "t"
    assert winner(field(1) + field(1, team="u")) is None
    assert winner(field(50, 50) + field(1, 1, team="a")) == "a"
    assert winner(field(5, 5, team="a") + field(1, 1, team="z") + field(2, 2, team="m")) == "z"
    assert team_times([]) == {}


def test_median():
    assert median_time(field(9, 1, 4)) == 4
    assert median_time(field(9, 1, 4, 2)) == 3
    assert median_time(field(None, None)) is None
    assert median_time(field(None, 0)) == 0


def test_gaps():
    assert gap_to_best(field(10.26, 10, None, 12)) == {"b": 0, "a": 0.3, "d": 2}
