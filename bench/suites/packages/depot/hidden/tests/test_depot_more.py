"""Judges repairs: never seen by an engine or the gate."""

from datetime import date, timedelta

import pytest

from depot.aggregate import Aggregate, command
from depot.desk import Desk
from depot.errors import Conflict, DepotError, OutOfStock
from depot.events import Released, Renamed, Reserved
from depot.item import Item
from depot.lots import Lot, Shelf
from depot.projections import OpenOrders, Projection, Projector, StockByLocation
from depot.snapshots import Snapshots
from depot.store import FileStore, MemoryStore

NOW = date(2024, 6, 1)


def in_days(count):
    return NOW + timedelta(days=count)


def stocked(quantity=20):
    item = Item("x")
    item.receive(quantity, "a", "l1", cost=7)
    return item


class TestQueueOfReservations:
    def test_order_is_kept(self):
        item = stocked()
        for order in ("o1", "o2", "o3"):
            item.reserve(5, order)
        item.release("o2", 2)
        item.release("o1", 4)
        assert list(item.reservations) == ["o1", "o2", "o3"]
        assert item.reservations == {"o1": (1, None), "o2": (3, None), "o3": (5, None)}
        assert item.count("a", "l1", 2)[1:] == [Released("x", 5, "o3", "missing"), Released("x", 2, "o2", "missing")]

    def test_date_survives_a_part(self):
        item = stocked()
        item.reserve(5, "o1", until=in_days(3))
        item.release("o1", 1)
        assert item.reservations == {"o1": (4, in_days(3))}

    def test_all_of_it_is_gone(self):
        item = stocked()
        item.reserve(5, "o1")
        item.release("o1", 5)
        assert item.reservations == {}
        item.reserve(2, "o2")
        item.reserve(2, "o1")
        assert list(item.reservations) == ["o2", "o1"]

    def test_who_adds_keeps_the_place(self):
        item = stocked()
        item.reserve(1, "o1")
        item.reserve(1, "o2")
        item.reserve(3, "o1")
        assert list(item.reservations.items()) == [("o1", (4, None)), ("o2", (1, None))]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ((None, None), None),
        ((None, 2), 2),
        ((2, None), 2),
        ((2, 3), 3),
        ((3, 2), 3),
        ((3, None, 2), 3),
        ((None, 1, None, 4, 2), 4),
        ((2, 2), 2),
    ],
)
def test_later_date_holds(days, expected):
    item = stocked()
    for one in days:
        item.reserve(1, "o", until=None if one is None else in_days(one))
    assert item.reservations["o"] == (len(days), None if expected is None else in_days(expected))


class TestCopies:
    def test_restored_items_do_not_share(self):
        state = stocked().state()
        first, second = Item("x").restore(state, 1), Item("x").restore(state, 1)
        first.sell(3)
        first.reserve(2, "o")
        assert (second.on_hand, second.reserved) == (20, 0)
        assert state["shelf"].total() == 20
        assert state["reservations"] == {}

    def test_rejected_command_can_be_followed_by_others(self):
        class Odd(Item):
            @command
            def odd(self):
                yield Reserved(self.id, 1, "o")
                raise ValueError

        item = Odd("x")
        item.receive(5, "a", "l")
        for _ in range(2):
            with pytest.raises(ValueError):
                item.odd()
        assert (item.reservations, len(item.pending), item.available) == ({}, 1, 5)

    def test_many_items_of_one_snapshot(self):
        store, snapshots = MemoryStore(), Snapshots(every=2)
        desk = Desk(store, snapshots)
        desk.receive("x", 5, "a", "l")
        desk.reserve("x", 1, "o1")
        items = [desk.item("x") for _ in range(3)]
        items[0].reserve(2, "o2")
        items[1].sell(4)
        items[1].release("o1")
        assert items[2].reservations == {"o1": (1, None)}
        assert items[2].on_hand == 5
        assert desk.item("x").state()["reservations"] == {"o1": (1, None)}
        assert items[2].version == 2


class Interfering(MemoryStore):
    """Before an append with an expectation, somebody else reserves, so many times."""

    def __init__(self, times):
        super().__init__()
        self.times = times

    def append(self, stream, events, expected=None):
        if self.times and type(events[0]).__name__ == "Reserved":
            self.times -= 1
            super().append(stream, [Reserved("x", 2, f"rival{self.times}")])
        return super().append(stream, events, expected=expected)


@pytest.mark.parametrize("times", [0, 1, 2])
def test_collisions_are_tried_again(times):
    store = Interfering(times)
    desk = Desk(store)
    desk.receive("x", 10, "a", "l")
    assert desk.reserve("x", 3, "mine") == [Reserved("x", 3, "mine")]
    item = desk.item("x")
    assert item.reserved == 3 + 2 * times
    assert item.version == store.version("item-x") == 2 + times


def test_tries_end():
    store = Interfering(5)
    desk = Desk(store, tries=2)
    desk.receive("x", 20, "a", "l")
    with pytest.raises(Conflict):
        desk.reserve("x", 1, "mine")
    assert store.times == 3
    assert desk.item("x").reserved_for("mine") == 0


def test_each_try_asks_the_rules_again():
    store = Interfering(1)
    desk = Desk(store)
    desk.receive("x", 3, "a", "l")
    with pytest.raises(OutOfStock) as caught:
        desk.reserve("x", 2, "mine")
    assert caught.value.available == 1


class TestOrders:
    def make(self):
        desk = Desk(MemoryStore())
        for sku, quantity in (("p", 5), ("q", 5), ("r", 1)):
            desk.receive(sku, quantity, "a", "l")
        return desk

    def test_only_what_this_call_reserved_is_released(self):
        desk = self.make()
        desk.reserve("p", 1, "o")
        desk.reserve("q", 2, "o", until=in_days(1))
        with pytest.raises(OutOfStock):
            desk.fulfil("o", {"p": 4, "q": 1, "r": 2})
        assert [desk.item(sku).reserved_for("o") for sku in "pqr"] == [1, 2, 0]
        events = [one.event for one in desk.store.read("item-p")]
        assert events[-1] == Released("p", 4, "o", "incomplete")
        assert [one.event for one in desk.store.read("item-q")][-1] == Released("q", 1, "o", "incomplete")

    def test_nothing_before(self):
        desk = self.make()
        with pytest.raises(DepotError):
            desk.fulfil("o", {"p": 5, "r": 2})
        assert desk.item("p").available == 5

    def test_quantity_that_is_none(self):
        desk = self.make()
        with pytest.raises(DepotError):
            desk.fulfil("o", {"p": 1, "q": 0})
        assert desk.item("p").reservations == {}


class TestTornFiles:
    @pytest.mark.parametrize("cut", [1, 2, 5, 30, 60])
    @pytest.mark.parametrize("title", ["plain", "äöüß", "日本語 — €", "𝄞"])
    def test_whole_lines_stay(self, tmp_path, title, cut):
        path = tmp_path / "log"
        FileStore(path).append("s", [Renamed("a", "ünicode"), Renamed("a", title)])
        raw = path.read_bytes()
        first = raw.split(b"\n")[0] + b"\n"
        torn = raw[: -cut - 1].decode("utf-8", "ignore").encode()
        path.write_bytes(torn)
        store = FileStore(path)
        assert [one.event.title for one in store.read("s")] in (["ünicode"], ["ünicode", title])
        if len(store.read("s")) == 1:
            assert path.read_bytes() == first
            store.append("s", [Renamed("a", "ñ")])
            assert [one.event.title for one in FileStore(path).read_all()] == ["ünicode", "ñ"]


class TestFailingProjections:
    class Picky(Projection):
        def reset(self):
            self.seen = []

        def on_renamed(self, event):
            if event.title in self.refuse:
                raise ValueError(event.title)
            self.seen.append(event.title)

        def __init__(self, *refuse):
            self.refuse = set(refuse)
            super().__init__()

    def test_position_is_the_last_event_that_was_taken(self):
        store = MemoryStore()
        store.append("s", [Renamed("a", title) for title in "vwxyz"])
        picky, first, easy = self.Picky("x"), self.Picky("v"), self.Picky()
        projector = Projector(store, [picky, first, easy])
        projector.catch_up()
        assert [one.position for one in (picky, first, easy)] == [2, 0, 5]
        assert set(projector.errors) == {picky, first}

    def test_failed_event_is_taken_once_it_can_be(self):
        store = MemoryStore()
        store.append("s", [Renamed("a", title) for title in "vwxyz"])
        picky = self.Picky("x")
        projector = Projector(store, [picky])
        projector.catch_up()
        picky.refuse.clear()
        projector.errors.clear()
        assert projector.catch_up() == 3
        assert picky.seen == list("vwxyz")

    def test_while_following(self):
        store = MemoryStore()
        picky, easy = self.Picky("w"), self.Picky()
        projector = Projector(store, [picky, easy])
        projector.follow()
        store.append("s", [Renamed("a", title) for title in "vwx"])
        assert (picky.position, easy.position) == (1, 3)
        assert picky.seen == ["v"]

    def test_events_without_handler_count_as_seen(self):
        desk = Desk(MemoryStore())
        desk.receive("x", 1, "a", "l")
        picky = self.Picky()
        Projector(desk.store, [picky]).catch_up()
        assert picky.position == 1

    def test_seen_events_are_passed_over(self):
        store = MemoryStore()
        store.append("s", [Renamed("a", "v")])
        easy = self.Picky()
        for _ in range(2):
            easy.feed(store.read_all()[0])
        assert easy.seen == ["v"]


@pytest.mark.parametrize("page", [1, 2, 3, 100])
def test_pages(page):
    desk = Desk(MemoryStore())
    for number in range(7):
        desk.receive("x", 1, f"loc{number % 2}", f"l{number}")
    desk.reserve("x", 2, "o")
    stock, orders = StockByLocation(), OpenOrders()
    assert Projector(desk.store, [stock, orders], page=page).catch_up() == 8
    assert stock.as_dict() == {"loc0": {"x": 4}, "loc1": {"x": 3}}
    assert orders.orders == {"o": {"x": 2}}
    assert [one.position for one in desk.store.read_all(after=3, limit=page)] == list(range(4, min(4 + page, 9)))
    assert desk.store.read_all(after=0, limit=0) == []


def test_lots_of_one_day_leave_as_they_came():
    lots = [Lot("z", "a", 1, 1, in_days(1)), Lot("a", "a", 1, 2, in_days(1)), Lot("b", "a", 1, 3), Lot("0", "a", 1, 4)]
    shelf = Shelf(reversed(lots))
    assert [lot.name for lot in shelf.at()] == ["z", "a", "b", "0"]
    item = Item("x")
    for number in (2, 10, 1):
        item.receive(1, "a", f"lot{number}", expires=in_days(5))
    assert [event.lot for event in item.sell(2)] == ["lot2", "lot10"]


def test_aggregate_is_abstract():
    with pytest.raises(NotImplementedError):
        Aggregate("x")
