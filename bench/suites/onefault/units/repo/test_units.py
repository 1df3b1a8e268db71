import pytest

import units


def test_lengths():
    assert units.convert(2.5, "km", "m") == 2500
    assert units.convert(1, "mi", "km") == pytest.approx(1.609344)
    assert units.convert(12, "in", "ft") == pytest.approx(1)
    assert units.convert(30, "cm", "mm") == pytest.approx(300)


def test_unknown_length():
    with pytest.raises(units.UnknownUnit, match="yd"):
        units.convert(1, "m", "yd")


def test_temperature():
    assert units.celsius(212) == 100
    assert units.celsius(32) == 0


@pytest.mark.parametrize(
    "count, text", [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1536, "1.5 kB"), (2_500_000, "2.5 MB"), (5e15, "5000.0 TB")]
)
def test_human_size(count, text):
    assert units.human_size(count) == text


@pytest.mark.parametrize("text, seconds", [("1h30m", 5400), ("2d", 172800), ("1 W", 604800), ("45", 45), ("1m5", 65)])
def test_parse_duration(text, seconds):
    assert units.parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["h", "5x"])
def test_no_duration(text):
    with pytest.raises(units.UnknownUnit):
        units.parse_duration(text)


def test_format_duration():
    assert units.format_duration(90061) == "1d 1h 1m 1s"
    assert units.format_duration(3600) == "1h"
    assert units.format_duration(0) == "0s"


def test_roman():
    assert [units.roman(number) for number in (4, 9, 14, 1994, 3888)] == ["IV", "IX", "XIV", "MCMXCIV", "MMMDCCCLXXXVIII"]
    assert (units.roman(1), units.roman(3999)) == ("I", "MMMCMXCIX")


@pytest.mark.parametrize("number", [0, 4000])
def test_no_roman(number):
    with pytest.raises(ValueError):
        units.roman(number)


def test_boxes():
    assert units.boxes_needed(10, 5) == 2
    assert units.boxes_needed(11, 5) == 3


def test_nice_step():
    assert units.nice_step(10) == 2
    assert units.nice_step(23) == 5
    assert units.nice_step(300, ticks=4) == 100
    assert units.nice_step(5) == 1
