import pytest

from roads import NoWay, Roads, building_order


def chain(*names, one_way=False):
    roads = Roads()
    for start, end in zip(names, names[1:]):
        roads.add(start, end, one_way=one_way)
    return roads


def test_neighbours():
    roads = chain("x", "m", "a")
    assert roads.neighbours("m") == ["a", "x"]
    assert roads.neighbours("a") == ["m"]
    assert chain("a", "b", one_way=True).neighbours("b") == []


def test_reachable():
    assert chain("a", "b", "c").reachable("c") == {"a", "b", "c"}
    assert chain("a", "b", "c", one_way=True).reachable("b") == {"b", "c"}
    assert Roads().reachable("q") == {"q"}


def test_distance():
    roads = Roads()
    roads.add("s", "a", 1)
    roads.add("a", "b", 1)
    roads.add("b", "t", 1)
    roads.add("s", "b", 5)
    roads.add("s", "t", 4)
    roads.add("t", "u", 10)
    assert [roads.distance("s", place) for place in "sabtu"] == [0, 1, 2, 3, 13]
    assert roads.distance("u", "s") == 13
    with pytest.raises(NoWay, match="s to nowhere"):
        roads.distance("s", "nowhere")
    with pytest.raises(LookupError):
        Roads().distance("a", "b")


def test_fewest_stops():
    roads = chain("a", "b", "c", "d")
    assert roads.fewest_stops("a", "d") == ["a", "b", "c", "d"]
    assert roads.fewest_stops("b", "b") == ["b"]
    wide = Roads()
    for start, end in ("ab", "az", "bt", "zy", "yx", "xt"):
        wide.add(start, end)
    assert wide.fewest_stops("a", "t") == ["a", "b", "t"]
    roads.add("a", "d", 100)
    assert roads.fewest_stops("a", "d") == ["a", "d"]
    assert roads.fewest_stops("a", "z") is None


def test_connected():
    assert chain("a", "b", "c").is_connected()
    assert not chain("a", "b", "c", one_way=True).is_connected()
    assert chain("a", "b", "c", "a", one_way=True).is_connected()
    roads = chain("a", "b")
    roads.add("c", "d")
    assert not roads.is_connected()


def test_longest_road():
    roads = Roads()
    roads.add("a", "b", 3, one_way=True)
    roads.add("b", "c", 8, one_way=True)
    assert roads.longest_road() == (8, "b", "c")
    assert Roads().longest_road() is None


def test_building_order():
    assert building_order({}) == []
    assert building_order({"a": []}) == ["a"]
    assert building_order({"z": ["y", "x"], "y": ["x"]}) == ["x", "y", "z"]
    assert building_order({"d": ["b", "c"], "b": ["a"], "c": ["a"]}) == ["a", "b", "c", "d"]
    for circle in ({"a": ["a"]}, {"a": ["b"], "b": ["c"], "c": ["a"]}):
        with pytest.raises(ValueError):
            building_order(circle)
