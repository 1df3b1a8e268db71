from pathlib import Path
from typing import Any, Literal

import pytest

from plinth.convert import Duration, convert
from plinth.errors import BadConfig, Unconvertible


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("3", int, 3), (" -7 ", int, -7), ("1.5", float, 1.5), (2, float, 2.0), ("yes", bool, True), ("OFF", bool, False), ("x", str, "x"),
        ("a/b", Path, Path("a/b")), ("a, b,", list[str], ["a", "b"]), (["1", 2], list[int], [1, 2]), ({"a": "1"}, dict[str, int], {"a": 1}),
        (None, int | None, None), ("", int | None, None), ("", str | None, ""), ("5", int | None, 5), ("5", int | str, "5"), (5, str | int, 5),
        ("b", Literal["a", "b"], "b"), ("2", Literal[1, 2], 2), ([1], Any, [1]), (90, Duration, Duration(seconds=90)),
    ],
)
def test_conversions(value, kind, expected):
    found = convert(value, kind)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("value", "kind"),
    [("x", int), ("1.5", int), (1.5, int), (True, int), (True, str), ("maybe", bool), (1, bool), (3, str), (None, int), ("c", Literal["a", "b"]), (True, Literal[1]), (3, list[int]), ([], dict[str, int]), ("", Duration), ("x", int | float)],
)
def test_what_cannot_be_converted(value, kind):
    with pytest.raises(Unconvertible):
        convert(value, kind)


def test_problems_of_items_have_their_places():
    with pytest.raises(BadConfig) as caught:
        convert(["1", "x", "y"], list[int])
    assert [problem.path for problem in caught.value.problems] == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "seconds", "shown"),
    [("1h30m", 5400, "1h30m"), ("90s", 90, "1m30s"), ("1d", 86400, "1d"), ("0.5s", 0.5, "0.5s"), ("2d1s", 172801, "2d1s"), ("0s", 0, "0s")],
)
def test_durations(text, seconds, shown):
    duration = Duration.parse(text)
    assert duration.total_seconds() == seconds
    assert str(duration) == shown
