"""Views that are made of events: each is fed every event once, in order."""

from collections import defaultdict

from depot.events import Counted, Moved, Received, Released, Reserved, Shipped


class Projection:
    """Subclasses have a method `on_<kind>`; kinds without one are passed over. `position` is the last event seen."""

    def __init__(self):
        self.position = 0
        self.reset()

    def reset(self):
        """Forget everything."""
        raise NotImplementedError

    def feed(self, stored):
        """Take one event; one that was seen already is passed over."""
        if stored.position <= self.position:
            return
        handler = getattr(self, f"on_{type(stored.event).__name__.lower()}", None)
        if handler is not None:
            handler(stored.event)
        self.position = stored.position


class StockByLocation(Projection):
    """location -> sku -> quantity; nothing is shown for what is not there."""

    def reset(self):
        self.stock = defaultdict(lambda: defaultdict(int))

    def _add(self, location, sku, quantity):
        here = self.stock[location]
        here[sku] += quantity
        if here[sku] == 0:
            del here[sku]
        if not here:
            del self.stock[location]

    def on_received(self, event):
        self._add(event.location, event.sku, event.quantity)

    def on_shipped(self, event):
        self._add(event.location, event.sku, -event.quantity)

    def on_moved(self, event):
        self._add(event.source, event.sku, -event.quantity)
        self._add(event.target, event.sku, event.quantity)

    def on_counted(self, event):
        self._add(event.location, event.sku, event.difference)

    def as_dict(self):
        return {location: dict(items) for location, items in sorted(self.stock.items())}


class OpenOrders(Projection):
    """order -> sku -> quantity that is reserved and not yet shipped."""

    def reset(self):
        self.orders = {}

    def on_reserved(self, event):
        items = self.orders.setdefault(event.order, {})
        items[event.sku] = items.get(event.sku, 0) + event.quantity

    def on_released(self, event):
        items = self.orders[event.order]
        items[event.sku] -= event.quantity
        if not items[event.sku]:
            del items[event.sku]
        if not items:
            del self.orders[event.order]


class Turnover(Projection):
    """Per sku: what came in, what went out, what was lost or found in counts, and what the goods that left had cost."""

    def reset(self):
        self.received = defaultdict(int)
        self.shipped = defaultdict(int)
        self.counted = defaultdict(int)
        self.spent = defaultdict(int)
        self._costs = {}

    def on_received(self, event):
        self.received[event.sku] += event.quantity
        self._costs.setdefault((event.sku, event.lot), event.cost)

    def on_shipped(self, event):
        self.shipped[event.sku] += event.quantity
        self.spent[event.sku] += event.quantity * self._costs[event.sku, event.lot]

    def on_counted(self, event):
        self.counted[event.sku] += event.difference

    def rate(self, sku):
        """Share of what came in that has left, from 0 to 1."""
        if not self.received[sku]:
            return 0.0
        return self.shipped[sku] / self.received[sku]


class Alerts(Projection):
    """Items that have fallen below their minimum, in the order in which they fell."""

    def __init__(self, minimums):
        self.minimums = minimums
        super().__init__()

    def reset(self):
        self.levels = defaultdict(int)
        self.low = []

    def _change(self, sku, quantity):
        self.levels[sku] += quantity
        below = self.levels[sku] < self.minimums.get(sku, 0)
        if below and sku not in self.low:
            self.low.append(sku)
        elif not below and sku in self.low:
            self.low.remove(sku)

    def on_received(self, event):
        self._change(event.sku, event.quantity)

    def on_shipped(self, event):
        self._change(event.sku, -event.quantity)

    def on_counted(self, event):
        self._change(event.sku, event.difference)


class Projector:
    """Keeps projections up to date with a store. `errors` tells which of them failed, and stay where they are."""

    def __init__(self, store, projections, page=100):
        self.store = store
        self.projections = list(projections)
        self.page = page
        self.errors = {}
        self._leave = None

    def catch_up(self):
        """Feed everything that was not seen yet, page by page. Returns how many events were read."""
        behind = [one for one in self.projections if one not in self.errors]
        position = min((one.position for one in behind), default=0)
        read = 0
        while events := self.store.read_all(after=position, limit=self.page):
            for stored in events:
                self._feed(stored)
            read += len(events)
            position = events[-1].position
        return read

    def follow(self):
        """Catch up, and then take each event as it comes, until `leave`."""
        self.catch_up()
        if self._leave is None:
            self._leave = self.store.subscribe(self._feed)

    def leave(self):
        if self._leave is not None:
            self._leave()
            self._leave = None

    def rebuild(self, projection):
        """Begin a projection anew; an error of it is forgotten."""
        self.errors.pop(projection, None)
        projection.reset()
        projection.position = 0
        self.catch_up()

    def _feed(self, stored):
        for projection in self.projections:
            if projection in self.errors:
                continue
            try:
                projection.feed(stored)
            except Exception as error:
                self.errors[projection] = error
