import pytest

from lantern import Flag, Rule
from lantern.flag import bucket


def share(flag, people):
    return sum(flag.decide(person)[0] for person in people) / len(people)


def test_first_rule_that_holds_decides():
    flag = Flag("x", "none", (Rule("a", value=1), Rule("b", value=2)))
    assert flag.decide({"a": True, "b": True}) == (1, 1)
    assert flag.decide({"b": True}) == (2, 2)
    assert flag.decide({}) == ("none", 0)


@pytest.mark.parametrize("percent", [0, 10, 50, 100])
def test_share_is_about_right(people, percent):
    assert share(Flag("x", rules=(Rule(share=percent),)), people) == pytest.approx(percent / 100, abs=0.03)


def test_larger_share_keeps_everybody(people):
    small, large = (Flag("x", rules=(Rule(share=percent),)) for percent in (20, 30))
    assert all(large.decide(person)[0] for person in people if small.decide(person)[0])


def test_two_flags_take_different_people(people):
    one, two = (Flag(name, rules=(Rule(share=50),)) for name in ("one", "two"))
    both = sum(one.decide(person)[0] and two.decide(person)[0] for person in people)
    assert both / len(people) == pytest.approx(0.25, abs=0.04)


def test_bucket_is_stable():
    assert bucket("dark", "p1") == 3204
    assert bucket("dark", 7) == bucket("dark", "7")


def test_who_is_not_in_the_share_goes_on_to_the_next_rule():
    flag = Flag("x", False, (Rule(share=0), Rule(value="next")))
    assert flag.decide({"id": "p"}) == ("next", 2)


def test_impossible_share():
    with pytest.raises(ValueError, match="between 0 and 100"):
        Rule(share=101)


def test_flag_with_one_more_rule():
    flag = Flag("x", rules=(Rule("a"),))
    assert [rule.when for rule in flag.with_rule(Rule("b")).rules] == ["a", "b"]
    assert [rule.when for rule in flag.with_rule(Rule("b"), first=True).rules] == ["b", "a"]
    assert len(flag.rules) == 1
