import pytest

from depot.errors import OutOfStock, Rejected, UnknownReservation
from depot.events import Counted, Moved, Received, Released, Renamed, Reserved, Shipped
from depot.item import Item


class TestReceiving:
    def test_stock_grows(self, stocked):
        assert (stocked.on_hand, stocked.available, stocked.at("shop")) == (19, 19, 9)

    def test_same_lot_grows(self, stocked, day):
        stocked.receive(1, "cellar", "b", expires=day(20))
        assert stocked.shelf.get("b", "cellar").quantity == 11

    def test_same_lot_has_one_date(self, stocked, day):
        with pytest.raises(Rejected, match="lot b expires on"):
            stocked.receive(1, "cellar", "b", expires=day(21))

    @pytest.mark.parametrize("quantity", [0, -1, 1.5, "1", None, True])
    def test_quantities(self, item, quantity):
        with pytest.raises(Rejected, match="not a quantity"):
            item.receive(quantity, "x", "l")
        assert item.pending == []


class TestRenaming:
    def test_white_space_is_evened_out(self, item):
        assert item.rename("  Green \n tea ") == [Renamed("tea", "Green tea")]
        assert item.title == "Green tea"

    def test_same_title_is_nothing_new(self, item):
        item.rename("Tea")
        assert item.rename(" Tea ") == []

    def test_empty(self, item):
        with pytest.raises(Rejected):
            item.rename("  ")


class TestReserving:
    def test_less_is_available(self, stocked):
        stocked.reserve(15, "o1")
        assert (stocked.on_hand, stocked.reserved, stocked.available) == (19, 15, 4)

    def test_all_of_it(self, stocked):
        stocked.reserve(19, "o1")
        assert stocked.available == 0

    def test_not_more_than_is_available(self, stocked):
        stocked.reserve(15, "o1")
        with pytest.raises(OutOfStock) as caught:
            stocked.reserve(5, "o2")
        assert (caught.value.wanted, caught.value.available) == (5, 4)

    def test_twice_for_one_order(self, stocked, day):
        stocked.reserve(2, "o1", until=day(5))
        stocked.reserve(3, "o1", until=day(2))
        assert stocked.reservations == {"o1": (5, day(5))}

    def test_date_may_come_later(self, stocked, day):
        stocked.reserve(2, "o1")
        stocked.reserve(3, "o1", until=day(2))
        assert stocked.reservations == {"o1": (5, day(2))}

    def test_release(self, stocked):
        stocked.reserve(5, "o1")
        assert stocked.release("o1", 2) == [Released("tea", 2, "o1")]
        assert stocked.reserved_for("o1") == 3
        stocked.release("o1")
        assert stocked.reservations == {}
        with pytest.raises(UnknownReservation):
            stocked.release("o1")

    def test_not_more_than_was_reserved(self, stocked):
        stocked.reserve(5, "o1")
        with pytest.raises(Rejected, match="o1 has reserved 5, not 6"):
            stocked.release("o1", 6)

    def test_expired_reservations(self, stocked, today, day):
        for order, until in (("o3", day(-1)), ("o2", day(0)), ("o1", day(-5)), ("o4", None)):
            stocked.reserve(1, order, until)
        assert [(event.order, event.reason) for event in stocked.expire_reservations(today)] == [
            ("o1", "expired"),
            ("o3", "expired"),
        ]
        assert stocked.reserved == 2


class TestShipping:
    def test_oldest_first(self, stocked):
        stocked.reserve(12, "o1")
        events = stocked.ship("o1")
        assert events == [
            Released("tea", 12, "o1", "shipped"),
            Shipped("tea", 5, "shop", "a", "o1"),
            Shipped("tea", 7, "cellar", "b", "o1"),
        ]
        assert (stocked.on_hand, stocked.reserved, stocked.available) == (7, 0, 7)

    def test_from_one_location(self, stocked):
        stocked.reserve(7, "o1")
        assert [(event.lot, event.quantity) for event in stocked.ship("o1", "shop")[1:]] == [("a", 5), ("c", 2)]

    def test_not_enough_there(self, stocked):
        stocked.reserve(10, "o1")
        with pytest.raises(OutOfStock):
            stocked.ship("o1", "shop")
        assert stocked.reserved_for("o1") == 10

    def test_expired_goods_stay(self, stocked, day):
        stocked.reserve(12, "o1")
        events = stocked.ship("o1", today=day(11))
        assert [(event.lot, event.quantity) for event in events[1:]] == [("b", 10), ("c", 2)]

    def test_without_reservation(self, stocked):
        with pytest.raises(UnknownReservation, match="o9 has reserved no tea"):
            stocked.ship("o9")


class TestSelling:
    def test_sell(self, stocked):
        assert stocked.sell(6, "shop") == [Shipped("tea", 5, "shop", "a"), Shipped("tea", 1, "shop", "c")]

    def test_what_is_reserved_is_not_sold(self, stocked):
        stocked.reserve(15, "o1")
        with pytest.raises(OutOfStock, match="wanted 5, available 4"):
            stocked.sell(5)
        stocked.sell(4)
        assert stocked.available == 0


class TestMoving:
    def test_lot_keeps_what_it_is(self, stocked, day):
        assert stocked.move(6, "cellar", "shop") == [Moved("tea", 6, "cellar", "shop", "b")]
        moved = stocked.shelf.get("b", "shop")
        assert (moved.quantity, moved.expires, moved.cost, moved.number) == (6, day(20), 100, 1)
        assert stocked.at("cellar") == 4

    def test_more_than_one_lot(self, stocked):
        assert [(event.lot, event.quantity) for event in stocked.move(7, "shop", "van")] == [("a", 5), ("c", 2)]

    def test_to_the_same_place(self, stocked):
        with pytest.raises(Rejected):
            stocked.move(1, "shop", "shop")

    def test_too_much(self, stocked):
        with pytest.raises(OutOfStock):
            stocked.move(10, "shop", "cellar")


class TestCounting:
    @pytest.mark.parametrize(("found", "difference"), [(7, -3), (12, 2), (0, -10)])
    def test_difference(self, stocked, found, difference):
        assert stocked.count("cellar", "b", found) == [Counted("tea", "cellar", "b", difference)]
        assert stocked.at("cellar") == found

    def test_as_expected(self, stocked):
        assert stocked.count("cellar", "b", 10) == []

    def test_who_reserved_last_loses_first(self, stocked):
        stocked.reserve(8, "o1")
        stocked.reserve(5, "o2")
        stocked.reserve(4, "o3")
        events = stocked.count("cellar", "b", 2)
        assert events[1:] == [Released("tea", 4, "o3", "missing"), Released("tea", 2, "o2", "missing")]
        assert stocked.available == 0

    def test_giving_up_a_part_does_not_cost_the_place(self, stocked):
        stocked.reserve(8, "o1")
        stocked.reserve(9, "o2")
        stocked.release("o1", 1)
        assert stocked.count("cellar", "b", 0)[1:] == [Released("tea", 7, "o2", "missing")]

    @pytest.mark.parametrize(("location", "lot", "quantity"), [("cellar", "b", -1), ("shop", "b", 1)])
    def test_rejected(self, stocked, location, lot, quantity):
        with pytest.raises(Rejected):
            stocked.count(location, lot, quantity)


class TestCommands:
    def test_rejected_command_leaves_no_trace(self, stocked, monkeypatch):
        pending = list(stocked.pending)
        stocked.reserve(12, "o1")
        monkeypatch.setattr(Item, "on_shipped", lambda self, event: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            stocked.ship("o1")
        assert stocked.reserved_for("o1") == 12
        assert [type(event) for event in stocked.pending[len(pending) :]] == [Reserved]

    def test_unknown_event(self, item):
        with pytest.raises(TypeError, match="Item knows nothing of int"):
            item.apply(3)

    def test_state_is_a_copy(self, stocked):
        state = stocked.state()
        stocked.reserve(3, "o1")
        stocked.sell(1)
        assert state["reservations"] == {}
        assert state["shelf"].total() == 19

    def test_restored_item_leaves_the_state_alone(self, stocked):
        state = stocked.state()
        other = Item("tea").restore(state, 3)
        other.reserve(3, "o1")
        assert state["reservations"] == {}
        assert (other.version, other.available) == (3, 16)

    def test_pending_events_give_the_same_item(self, stocked):
        stocked.reserve(3, "o1")
        other = Item("tea")
        for event in stocked.pending:
            other.apply(event)
        assert (other.available, other.deliveries) == (16, 3)
        assert isinstance(stocked.pending[0], Received)
