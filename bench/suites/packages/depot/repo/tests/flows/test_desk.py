import pytest

from depot.desk import Desk
from depot.errors import Conflict, OutOfStock, UnknownReservation
from depot.events import Received, Reserved
from depot.snapshots import Snapshots


@pytest.fixture
def shop(desk):
    desk.receive("tea", 10, "shop", "a", cost=100)
    desk.receive("cup", 3, "shop", "b", cost=250)
    return desk


def test_events_are_recorded(shop, store):
    assert shop.reserve("tea", 4, "o1") == [Reserved("tea", 4, "o1")]
    assert [type(one.event) for one in store.read("item-tea")] == [Received, Reserved]
    assert shop.item("tea").available == 6


def test_another_desk_sees_the_same(shop, store):
    shop.reserve("tea", 4, "o1")
    assert Desk(store).item("tea").available == 6


def test_rejected_command_records_nothing(shop, store):
    with pytest.raises(OutOfStock):
        shop.reserve("tea", 11, "o1")
    assert store.version("item-tea") == 1


def test_names_are_evened_out(shop):
    assert shop.item(" TEA").on_hand == 10


def test_nothing_to_record(shop, store):
    shop.rename("tea", "Tea")
    version = store.version("item-tea")
    assert shop.rename("tea", "Tea") == []
    assert store.version("item-tea") == version


@pytest.mark.parametrize("name", ["steal", "_held", "available"])
def test_unknown_commands(desk, name):
    with pytest.raises(AttributeError):
        getattr(desk, name)


class TestCollisions:
    class Busy:
        """A store where somebody else is faster, so many times."""

        def __init__(self, store, times):
            self.store, self.times = store, times

        def append(self, stream, events, expected):
            if self.times:
                self.times -= 1
                self.store.append(stream, [Reserved("tea", 3, f"other{self.times}")])
            return self.store.append(stream, events, expected=expected)

        def __getattr__(self, name):
            return getattr(self.store, name)

    def test_tried_again(self, shop, store):
        busy = Desk(self.Busy(store, 2))
        assert busy.reserve("tea", 4, "o1") == [Reserved("tea", 4, "o1")]
        assert busy.item("tea").reserved == 10

    def test_rules_hold_for_what_has_happened_since(self, shop, store):
        with pytest.raises(OutOfStock, match="wanted 5, available 4"):
            Desk(self.Busy(store, 2)).reserve("tea", 5, "o1")

    def test_not_for_ever(self, shop, store):
        busy = self.Busy(store, 3)
        with pytest.raises(Conflict):
            Desk(busy).reserve("tea", 1, "o1")
        assert busy.times == 0


class TestOrders:
    def test_all_of_it(self, shop):
        assert shop.fulfil("o1", {"tea": 2, "cup": 3}) == {"tea": 2, "cup": 3}
        assert (shop.item("tea").available, shop.item("cup").available) == (8, 0)

    def test_or_nothing(self, shop):
        with pytest.raises(OutOfStock):
            shop.fulfil("o1", {"tea": 2, "cup": 4})
        assert (shop.item("tea").available, shop.item("cup").available) == (10, 3)
        with pytest.raises(UnknownReservation):
            shop.ship("tea", "o1")

    def test_what_was_reserved_before_stays(self, shop):
        shop.reserve("tea", 1, "o1")
        with pytest.raises(OutOfStock):
            shop.fulfil("o1", {"tea": 2, "cup": 4})
        assert shop.item("tea").reserved_for("o1") == 1


class TestSnapshots:
    def test_taken_now_and_then(self, store):
        snapshots = Snapshots(every=3)
        desk = Desk(store, snapshots)
        versions = []
        for number in range(7):
            desk.receive("tea", 1, "shop", f"lot{number}")
            newest = snapshots.newest("item-tea")
            versions.append(newest.version if newest else None)
        assert versions == [None, None, 3, 3, 3, 6, 6]
        assert desk.item("tea").on_hand == 7

    def test_only_what_came_later_is_read(self, store, monkeypatch):
        desk = Desk(store, Snapshots(every=2))
        for number in range(5):
            desk.receive("tea", 1, "shop", f"lot{number}")
        asked = []
        read = store.read
        monkeypatch.setattr(store, "read", lambda stream, after: asked.append(after) or read(stream, after))
        assert desk.item("tea").on_hand == 5
        assert asked == [4]

    def test_snapshot_does_not_change(self, store):
        snapshots = Snapshots(every=1)
        desk = Desk(store, snapshots)
        desk.receive("tea", 5, "shop", "a")
        snapshot = snapshots.newest("item-tea")
        item = desk.item("tea")
        item.sell(2)
        item.reserve(1, "o1")
        assert snapshot.state["shelf"].total() == 5
        assert desk.item("tea").available == 5

    def test_forget(self, store):
        snapshots = Snapshots(every=1)
        desk = Desk(store, snapshots)
        desk.receive("tea", 5, "shop", "a")
        desk.receive("cup", 5, "shop", "a")
        snapshots.forget("item-tea")
        assert snapshots.newest("item-tea") is None
        assert snapshots.newest("item-cup").version == 1
        snapshots.forget()
        assert snapshots.newest("item-cup") is None

    def test_never_is_refused(self):
        with pytest.raises(ValueError):
            Snapshots(every=0)
