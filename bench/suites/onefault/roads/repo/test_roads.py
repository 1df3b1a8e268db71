import pytest

from roads import NoWay, Roads, building_order


@pytest.fixture
def country():
    roads = Roads()
    roads.add("Ash", "Birch", 4)
    roads.add("Birch", "Cedar", 3)
    roads.add("Ash", "Cedar", 9)
    roads.add("Cedar", "Damson", 2, one_way=True)
    return roads


def test_roads_lead_both_ways(country):
    assert country.neighbours("Birch") == ["Ash", "Cedar"]
    assert country.neighbours("Damson") == []
    assert country.neighbours("Elm") == []


def test_reachable(country):
    assert country.reachable("Ash") == {"Ash", "Birch", "Cedar", "Damson"}
    assert country.reachable("Damson") == {"Damson"}


def test_shortest_way_is_not_the_direct_one(country):
    assert country.distance("Ash", "Cedar") == 7
    assert country.distance("Ash", "Damson") == 9
    assert country.distance("Ash", "Ash") == 0


def test_no_way(country):
    with pytest.raises(NoWay):
        country.distance("Damson", "Ash")
    assert country.fewest_stops("Damson", "Ash") is None


def test_fewest_stops(country):
    assert country.fewest_stops("Ash", "Damson") == ["Ash", "Cedar", "Damson"]
    assert country.fewest_stops("Cedar", "Ash") == ["Cedar", "Ash"]
    country.add("Cedar", "Elm")
    country.add("Elm", "Ash")
    country.add("Birch", "Fir")
    country.add("Elm", "Gorse")
    country.add("Gorse", "Fir")
    assert country.fewest_stops("Cedar", "Fir") == ["Cedar", "Birch", "Fir"]


def test_connected(country):
    assert not country.is_connected()
    country.add("Damson", "Ash")
    assert country.is_connected()
    assert Roads().is_connected()


def test_longest_road(country):
    assert country.longest_road() == (9, "Cedar", "Ash")
    assert Roads().longest_road() is None


def test_building_order():
    assert building_order({"roof": ["walls"], "walls": ["floor"], "door": ["walls"]}) == ["floor", "walls", "door", "roof"]


def test_two_houses_share_a_need():
    assert building_order({"a": ["c"], "b": ["c"]}) == ["c", "a", "b"]


def test_circle():
    with pytest.raises(ValueError):
        building_order({"hen": ["egg"], "egg": ["hen"]})
