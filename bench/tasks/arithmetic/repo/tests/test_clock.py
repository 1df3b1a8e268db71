import pytest

from timesheet.clock import hours, minutes


@pytest.mark.parametrize(
    ("text", "expected"),
    [("00:00", 0), ("08:30", 510), ("24:00", 1440)],
    ids=["midnight", "morning", "end-of-day"],
)
def test_time_of_day(text, expected):
    assert minutes(text) == expected


def test_time_after_the_end_of_the_day():
    with pytest.raises(ValueError, match="25:00"):
        minutes("25:00")


@pytest.mark.parametrize(("total", "text"), [(425, "7:05"), (-30, "-0:30")], ids=["plus", "minus"])
def test_duration(total, text):
    assert hours(total) == text
