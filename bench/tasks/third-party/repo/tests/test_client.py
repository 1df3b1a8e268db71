import datetime

import pytest

from parcels.client import Client, TrackingError


def test_one_parcel(url):
    parcel = Client(url, "secret").parcel("AB000001")
    assert parcel.weight_g == 350


def test_all_pages_are_read(url):
    assert len(Client(url, "secret").parcels()) == 4


def test_late_parcels(url):
    assert Client(url, "secret").late(datetime.date(2024, 3, 8)) == ["AB000002"]


def test_unknown_parcel_is_an_error_with_its_status(url):
    with pytest.raises(TrackingError, match="404 Not Found"):
        Client(url, "secret").parcel("AB999999")
