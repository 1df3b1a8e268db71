from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from berth.boats import Berth, Boat
from berth.clock import HarbourClock
from berth.harbour import Harbour

ZONE = ZoneInfo("Europe/Amsterdam")


@pytest.fixture
def clock():
    return HarbourClock("Europe/Amsterdam")


@pytest.fixture
def when():
    """Moments in the harbour: when(month, day, hour)."""
    return lambda month, day, hour=12, minute=0: datetime(2024, month, day, hour, minute, tzinfo=ZONE)


@pytest.fixture
def harbour(clock):
    berths = [
        Berth("B12", 14, 2.4, power=True, rate=Decimal("30.00")),
        Berth("B2", 10, 2.0),
        Berth("A1", 10, 1.5, power=True),
        Berth("C3", 8, 1.2, rate=Decimal("18.50")),
    ]
    return Harbour(berths, clock)


@pytest.fixture
def dinghy():
    return Boat("Otter", 6, 0.8)


@pytest.fixture
def yacht():
    return Boat("Seven Sisters", 9.5, 1.9)
