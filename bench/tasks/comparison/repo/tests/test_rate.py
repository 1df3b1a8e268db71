import pytest

from turnstile import Rate, parse


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("100/minute", Rate(100, 60)),
        ("5 / second", Rate(5, 1)),
        ("2000/Hours", Rate(2000, 3600)),
    ],
    ids=["minute", "spaces", "plural"],
)
def test_rate_is_read(text, rate):
    assert parse(text) == rate


@pytest.mark.parametrize("text", ["", "100", "many/minute", "100/fortnight"], ids=["empty", "bare", "word", "unit"])
def test_nonsense_is_refused(text):
    with pytest.raises(ValueError, match="not a rate"):
        parse(text)
