import pytest

from kitchen import heaviest, missing, scaled, shopping_list, suits


@pytest.fixture
def pancakes():
    return {"flour": 250, "milk": 500, "eggs": 180}


def test_for_as_many_people_as_it_is_written_for(pancakes):
    assert scaled(pancakes, 4) == pancakes


def test_for_six(pancakes):
    assert scaled(pancakes, 6) == {"flour": 375, "milk": 750, "eggs": 270}


def test_for_one(pancakes):
    assert scaled(pancakes, 1)["milk"] == 125


def test_two_recipes_with_flour(pancakes):
    bread = {"flour": 500, "water": 350}
    assert shopping_list([pancakes, bread]) == {"eggs": 180, "flour": 750, "milk": 500, "water": 350}


def test_list_is_sorted(pancakes):
    assert list(shopping_list([pancakes])) == ["eggs", "flour", "milk"]


def test_nothing_to_cook():
    assert shopping_list([]) == {}


def test_half_a_bottle_of_milk(pancakes):
    assert missing(pancakes, {"flour": 1000, "milk": 200, "eggs": 180}) == {"milk": 300}


def test_empty_pantry(pancakes):
    assert missing(pancakes, {}) == pancakes


def test_without_eggs(pancakes):
    assert not suits(pancakes, ["nuts", "eggs"])


def test_without_nuts(pancakes):
    assert suits(pancakes, ["nuts"])


def test_heaviest(pancakes):
    assert heaviest(pancakes) == "milk"
