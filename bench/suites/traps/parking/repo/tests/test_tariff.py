import pytest

from parking.tariff import euros, fee, lost_ticket


@pytest.mark.parametrize("minutes", [0, 1, 29, 30])
def test_half_an_hour_is_free(minutes):
    assert fee(minutes) == 0


@pytest.mark.parametrize(
    ("minutes", "cents"),
    [(31, 250), (60, 250), (61, 500), (120, 500), (121, 750), (180, 750), (181, 1000), (300, 1250), (301, 1500)],
)
def test_hours_that_have_begun(minutes, cents):
    assert fee(minutes) == cents


@pytest.mark.parametrize(("minutes", "cents"), [(420, 1750), (421, 2000), (600, 2000), (1439, 2000), (1440, 2000)])
def test_a_day_has_its_price(minutes, cents):
    assert fee(minutes) == cents


@pytest.mark.parametrize(("minutes", "cents"), [(1441, 2250), (1500, 2250), (1501, 2500), (2880, 4000), (2941, 4500)])
def test_more_than_a_day(minutes, cents):
    assert fee(minutes) == cents


def test_before_coming():
    with pytest.raises(ValueError, match="before coming"):
        fee(-1)


def test_lost_ticket():
    assert lost_ticket() == 2000


@pytest.mark.parametrize(("cents", "shown"), [(0, "0.00 EUR"), (5, "0.05 EUR"), (250, "2.50 EUR"), (12345, "123.45 EUR")])
def test_euros(cents, shown):
    assert euros(cents) == shown
