import pytest

from kitchen import heaviest, missing, scaled, shopping_list, suits

SOUP = {"leek": 300, "potatoes": 600, "cream": 100}


@pytest.mark.parametrize(
    ("people", "expected"),
    [(2, [150, 300, 50]), (3, [225, 450, 75]), (5, [375, 750, 125]), (12, [900, 1800, 300]), (0, [0, 0, 0])],
)
def test_soup_for_others(people, expected):
    assert list(scaled(SOUP, people).values()) == expected


def test_grams_are_whole():
    assert scaled({"salt": 5}, 3) == {"salt": 4}
    assert scaled({"yeast": 7}, 2) == {"yeast": 4}


def test_list_of_three():
    assert shopping_list([SOUP, {"cream": 50}, {"cream": 25, "apples": 1}]) == {
        "apples": 1, "cream": 175, "leek": 300, "potatoes": 600,
    }
    assert SOUP["cream"] == 100


def test_same_recipe_twice():
    assert shopping_list([SOUP, SOUP]) == {"cream": 200, "leek": 600, "potatoes": 1200}


@pytest.mark.parametrize(
    ("pantry", "expected"),
    [({"leek": 299}, {"leek": 1, "potatoes": 600, "cream": 100}), (SOUP, {}), ({"leek": 900, "potatoes": 600, "cream": 99}, {"cream": 1})],
)
def test_missing(pantry, expected):
    assert missing(SOUP, pantry) == expected


@pytest.mark.parametrize(("avoided", "fits"), [([], True), (["cream"], False), (["leek", "nuts"], False), (["nuts", "milk"], True), (["nuts", "leek", "cream"], False)])
def test_avoided(avoided, fits):
    assert suits(SOUP, avoided) is fits


def test_heaviest_of_soup_and_of_one():
    assert heaviest(SOUP) == "potatoes"
    assert heaviest({"salt": 1}) == "salt"
