import pytest

from depot.projections import Alerts, OpenOrders, Projection, Projector, StockByLocation, Turnover
from depot.report import expiring, stock_table, value


@pytest.fixture
def busy(desk, day):
    desk.receive("tea", 10, "cellar", "a", expires=day(9), cost=100)
    desk.receive("tea", 5, "shop", "b", cost=110)
    desk.receive("cup", 3, "shop", "c", cost=250)
    desk.move("tea", 4, "cellar", "shop")
    desk.reserve("tea", 6, "o1")
    desk.reserve("cup", 1, "o1")
    desk.reserve("cup", 2, "o2")
    desk.ship("tea", "o1")
    return desk


def fed(store, projection):
    projector = Projector(store, [projection])
    projector.catch_up()
    assert projector.errors == {}
    return projection


def test_stock(busy, store):
    assert fed(store, StockByLocation()).as_dict() == {"shop": {"cup": 3, "tea": 9}}


def test_nothing_is_shown_of_what_is_gone(busy, store):
    busy.ship("cup", "o1")
    busy.ship("cup", "o2")
    assert "cup" not in fed(store, StockByLocation()).as_dict()["shop"]


def test_open_orders(busy, store):
    view = fed(store, OpenOrders())
    assert view.orders == {"o1": {"cup": 1}, "o2": {"cup": 2}}
    busy.ship("cup", "o1")
    assert fed(store, OpenOrders()).orders == {"o2": {"cup": 2}}


def test_turnover(busy, store):
    busy.count("cup", "shop", "c", 2)
    view = fed(store, Turnover())
    assert (view.received["tea"], view.shipped["tea"], view.counted["cup"]) == (15, 6, -1)
    assert view.spent["tea"] == 600
    assert view.rate("tea") == pytest.approx(0.4)
    assert view.rate("nothing") == 0


def test_alerts(desk, store):
    alerts = Alerts({"tea": 5, "cup": 2})
    Projector(store, [alerts]).follow()
    desk.receive("tea", 5, "shop", "a")
    desk.receive("cup", 1, "shop", "a")
    assert alerts.low == ["cup"]
    desk.sell("tea", 1)
    assert alerts.low == ["cup", "tea"]
    desk.receive("cup", 1, "shop", "a")
    assert alerts.low == ["tea"]


class TestProjector:
    class Failing(Projection):
        def reset(self):
            self.seen = 0

        def on_received(self, event):
            if event.quantity == 3 and not getattr(self, "healed", False):
                raise ValueError("three")
            self.seen += 1

    def test_each_event_once(self, busy, store):
        view = StockByLocation()
        projector = Projector(store, [view], page=3)
        events = len(store.read_all())
        assert projector.catch_up() == events
        assert projector.catch_up() == 0
        assert view.position == events

    def test_latecomer(self, busy, store):
        early, late = OpenOrders(), OpenOrders()
        projector = Projector(store, [early])
        projector.catch_up()
        projector.projections.append(late)
        projector.catch_up()
        assert late.orders == early.orders

    def test_follow_and_leave(self, desk, store):
        view = StockByLocation()
        projector = Projector(store, [view])
        desk.receive("tea", 1, "shop", "a")
        projector.follow()
        projector.follow()
        desk.receive("tea", 2, "shop", "a")
        assert view.as_dict() == {"shop": {"tea": 3}}
        projector.leave()
        desk.receive("tea", 4, "shop", "a")
        assert view.as_dict() == {"shop": {"tea": 3}}
        projector.follow()
        assert view.as_dict() == {"shop": {"tea": 7}}

    def test_one_that_fails_does_not_stop_the_others(self, busy, store):
        failing, view = self.Failing(), StockByLocation()
        projector = Projector(store, [failing, view])
        projector.catch_up()
        assert [str(error) for error in projector.errors.values()] == ["three"]
        assert (failing.position, failing.seen) == (2, 2)
        assert view.position == len(store.read_all())

    def test_rebuild(self, busy, store):
        failing = self.Failing()
        projector = Projector(store, [failing])
        projector.catch_up()
        failing.healed = True
        projector.rebuild(failing)
        assert projector.errors == {}
        assert failing.seen == 3


class TestReports:
    def test_table(self, busy, store):
        lines = stock_table(store).split("\n")
        assert lines[-1].split() == ["total", str(busy.item("tea").on_hand + 3)]
        assert len({len(line) for line in lines}) == 1

    def test_empty_table(self, store):
        assert stock_table(store) == "nothing in stock"

    def test_value(self, stocked):
        assert value(stocked) == (1000 + 600 + 360, 103)

    def test_value_is_rounded_half_up(self, item):
        assert value(item) == (0, 0)
        item.receive(1, "x", "a", cost=3)
        item.receive(1, "x", "b", cost=2)
        assert value(item) == (5, 3)

    @pytest.mark.parametrize(("days", "expected"), [(9, []), (10, ["a"]), (20, ["a", "b"]), (99, ["a", "b"])])
    def test_expiring(self, stocked, today, days, expected):
        assert [name for name, *_ in expiring(stocked, today, days)] == expected

    def test_what_has_expired_is_not_expiring(self, stocked, day):
        assert [name for name, *_ in expiring(stocked, day(10), 30)] == ["a", "b"]
        assert [name for name, *_ in expiring(stocked, day(11), 30)] == ["b"]
