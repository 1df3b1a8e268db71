import datetime

import pytest

from parcels.models import Parcel

FRIDAY = datetime.date(2024, 3, 8)


def test_days_are_read():
    parcel = Parcel("AB123456", "2024-03-04", delivered="2024-03-05")
    assert (parcel.delivered - parcel.promised).days == 1


@pytest.mark.parametrize("number", ["AB12345", "ab123456"], ids=["short", "lower-case"])
def test_malformed_number_is_refused(number):
    with pytest.raises(ValueError, match="number"):
        Parcel(number, "2024-03-04")


def test_parcel_that_did_not_come_is_late():
    assert Parcel("AB123456", promised="2024-03-07").is_late(FRIDAY)


def test_parcel_on_its_way_is_not_late_yet():
    assert not Parcel("AB123456", promised="2024-03-08").is_late(FRIDAY)


def test_delivered_parcel_is_never_late():
    assert not Parcel("AB123456", promised="2024-03-05", delivered="2024-03-07").is_late(FRIDAY)
