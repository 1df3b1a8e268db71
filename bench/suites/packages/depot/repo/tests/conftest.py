from datetime import date, timedelta

import pytest

from depot.desk import Desk
from depot.item import Item
from depot.store import FileStore, MemoryStore

TODAY = date(2024, 3, 15)


@pytest.fixture
def today():
    return TODAY


@pytest.fixture
def day():
    """A date, so many days from today."""
    return lambda days: TODAY + timedelta(days=days)


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    return MemoryStore() if request.param == "memory" else FileStore(tmp_path / "events.jsonl")


@pytest.fixture
def desk(store):
    return Desk(store)


@pytest.fixture
def item():
    return Item("tea")


@pytest.fixture
def stocked(item, day):
    """10 of lot b (expires later), 5 of lot a (sooner), 4 of lot c (never), in the cellar and the shop."""
    item.receive(10, "cellar", "b", expires=day(20), cost=100)
    item.receive(5, "shop", "a", expires=day(10), cost=120)
    item.receive(4, "shop", "c", cost=90)
    return item
