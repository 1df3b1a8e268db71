import pytest

from units import UnknownUnit, boxes_needed, celsius, convert, format_duration, human_size, nice_step, parse_duration, roman


def test_convert():
    metres = {"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000, "in": 0.0254, "ft": 0.3048, "mi": 1609.344}
    for source, one in metres.items():
        for target, other in metres.items():
            assert convert(3, source, target) == pytest.approx(3 * one / other)
    for pair in (("m", "x"), ("x", "m")):
        with pytest.raises(UnknownUnit):
            convert(1, *pair)


def test_celsius():
    assert celsius(-40) == -40
    assert celsius(50) == pytest.approx(10)


@pytest.mark.parametrize(
    "count, text",
    [(1, "1 B"), (1001, "1.0 kB"), (999_949, "999.9 kB"), (1_000_000, "1.0 MB"), (7.25e9, "7.2 GB"), (1e12, "1.0 TB"), (2e15, "2000.0 TB")],
)
def test_human_size(count, text):
    assert human_size(count) == text


@pytest.mark.parametrize("text, seconds", [("", 0), ("10s", 10), ("1W2D", 777600), ("1h 1m 1s", 3661), ("007m", 420), ("2h5", 7205)])
def test_parse_duration(text, seconds):
    assert parse_duration(text) == seconds


def test_no_duration():
    for text in ("m5", "1.5h", "1hh", "-1"):
        with pytest.raises(UnknownUnit):
            parse_duration(text)


def test_format_duration():
    for seconds, text in ((0, "0s"), (59, "59s"), (60, "1m"), (61, "1m 1s"), (86400, "1d"), (604800, "7d"), (86399, "23h 59m 59s")):
        assert format_duration(seconds) == text


def test_roman():
    expected = {1: "I", 3999: "MMMCMXCIX", 2: "II", 40: "XL", 49: "XLIX", 90: "XC", 400: "CD", 944: "CMXLIV", 2024: "MMXXIV", 550: "DL"}
    for number, text in expected.items():
        assert roman(number) == text
    for number in (-1, 0, 4000, 5000):
        with pytest.raises(ValueError):
            roman(number)


def test_boxes():
    assert [boxes_needed(n, 4) for n in (0, 1, 4, 5, 8, 9)] == [0, 1, 1, 2, 2, 3]


def test_nice_step():
    assert [nice_step(span) for span in (10, 10.1, 25, 26, 50, 51, 100, 0.5)] == pytest.approx([2, 5, 5, 10, 10, 20, 20, 0.1])
    assert nice_step(7, ticks=7) == 1
    assert nice_step(70, ticks=10) == 10
