import pytest

from lantern.condition import parse
from lantern.errors import BadCondition

ANN = {"plan": "pro", "age": 41, "country": "DE", "beta": True, "team": {"size": 5, "tags": ["a", "b"]}, "zero": 0}


@pytest.mark.parametrize(
    "text",
    [
        'plan == "pro"', "age >= 41", "age < 41.5", "beta", "not zero", 'country in ["AT", "DE"]', "team.size == 5",
        '"a" in team.tags', 'not (plan == "free" or age < 18)', 'plan == "free" and age < 18 or beta', "beta == true",
        "not zero and beta", "age > -3", "country not in ['FR']", 'plan != "free"', "not not beta", "not beta or beta",
    ],
)
def test_holds(text):
    assert parse(text).of(ANN)


@pytest.mark.parametrize(
    "text",
    [
        "age > 41", "zero", 'beta and (plan == "free" or age < 18)', "not beta or zero", "not beta and beta",
        "country in []", '"c" in team.tags', "team.size.x == 1", 'plan == "pro" and beta and zero', "age in team",
    ],
)
def test_does_not_hold(text):
    assert not parse(text).of(ANN)


@pytest.mark.parametrize("text", ["shoe", "shoe == 1", "shoe != 1", "shoe < 1", 'shoe in ["a"]', "shoe == shoe", '1 in shoe', "plan < 3"])
def test_what_is_missing_compares_with_nothing(text):
    assert not parse(text).of(ANN)


def test_missing_is_not_in():
    assert parse("shoe not in [1]").of(ANN)


@pytest.mark.parametrize(
    ("text", "place"), [("", 0), ("plan ==", 7), ("plan = 1", 5), ("(beta", 5), ("beta beta", 5), ("[1 2]", 3), ("a and and", 6), ("beta )", 5)]
)
def test_errors_name_the_place(text, place):
    with pytest.raises(BadCondition) as caught:
        parse(text)
    assert caught.value.place == place


def test_quotes():
    assert parse(r'name == "a \"b\" c"').of({"name": 'a "b" c'})
    assert parse(r"name == 'it\'s'").of({"name": "it's"})
