import datetime

import attrs
import pytest

from parcels.client import Client
from parcels.models import Parcel

TODAY = datetime.date(2025, 1, 1)


@pytest.mark.parametrize("days", range(-3, 4))
@pytest.mark.parametrize("delivered", [None, TODAY - datetime.timedelta(days=2), TODAY])
def test_late_means_promised_before_and_not_there(days, delivered):
    parcel = Parcel("ZZ654321", TODAY + datetime.timedelta(days=days), delivered)
    assert parcel.is_late(TODAY) is (delivered is None and days < 0)


def test_delivery_ends_the_delay():
    parcel = Parcel("ZZ654321", "2024-12-24")
    assert parcel.is_late(TODAY)
    assert not attrs.evolve(parcel, delivered="2024-12-31").is_late(TODAY)


def test_late_parcels_of_several_pages(service, url):
    service.parcels = [
        {"number": f"ZZ{number:06}", "promised": f"2024-12-{number:02}", "delivered": delivered}
        for number, delivered in [(31, None), (3, None), (12, "2024-12-30"), (8, "2024-12-08"), (20, None)]
    ]
    assert Client(url, "secret").late(datetime.date(2024, 12, 21)) == ["ZZ000003", "ZZ000020"]
