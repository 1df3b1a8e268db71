import datetime

import pytest

from rain import summary
from readings import BadLine, parse, read


def test_line_is_day_and_amount():
    assert parse("2024-05-01 3.2") == (datetime.date(2024, 5, 1), 3.2)


@pytest.mark.parametrize("line", ["2024-05-01", "yesterday 3.2", "2024-05-01 wet"])
def test_bad_line_is_named(line):
    with pytest.raises(BadLine, match=line):
        parse(line)


def test_comments_are_skipped_and_days_sorted():
    lines = ["# May", "2024-05-02 0.0", "", "2024-05-01 3.2  # storm"]
    assert [day.day for day, _ in read(lines)] == [1, 2]


def test_short_log_has_no_wettest_week():
    assert summary(["2024-05-01 3.2", "2024-05-02 0.0"]) == "2 days, 3.2 mm, longest dry spell 1 days"
