import pytest

from survey.cases import WINNERS
from survey.checks import same_counts
from survey.testing import tally  # noqa: F401
from survey.votes import counted, winner


def test_counted():
    same_counts(counted(["x", "y", "x"]), {"x": 2, "y": 1})


def test_nothing_counted():
    same_counts(counted([]), {})


def test_tally(tally):  # noqa: F811
    assert tally["a"] == 3


@pytest.mark.parametrize(("votes", "expected"), WINNERS)
def test_winner(votes, expected):
    assert winner(votes) == expected
