"""The desk: commands from outside, each done on a fresh item and recorded."""

from depot.errors import Conflict, DepotError
from depot.item import Item
from depot.snapshots import Snapshots

TRIES = 3


class Desk:
    """Runs commands against a store."""

    def __init__(self, store, snapshots=None, tries=TRIES):
        self.store = store
        self.snapshots = snapshots or Snapshots()
        self.tries = tries

    def item(self, sku):
        """The item as it is now: the newest snapshot, and what happened since."""
        stream = self.stream(sku)
        item = Item(sku)
        snapshot = self.snapshots.newest(stream)
        if snapshot is not None:
            item.restore(snapshot.state, snapshot.version)
        return item.replay(self.store.read(stream, after=item.version))

    def do(self, sku, name, *args, **options):
        """Run one command and return its events. A collision is tried again with what has happened since."""
        stream = self.stream(sku)
        for left in reversed(range(self.tries)):
            item = self.item(sku)
            events = getattr(item, name)(*args, **options)
            if not events:
                return []
            try:
                version = self.store.append(stream, events, expected=item.version)
            except Conflict:
                if left == 0:
                    raise
                continue
            item.committed(version)
            self.snapshots.offer(stream, item)
            return events
        raise DepotError("no tries at all")

    def fulfil(self, order, wanted, until=None):
        """Reserve several items for one order: all of them, or none."""
        done = []
        try:
            for sku, quantity in wanted.items():
                self.do(sku, "reserve", quantity, order, until)
                done.append((sku, quantity))
        except DepotError:
            for sku, quantity in reversed(done):
                self.do(sku, "release", order, quantity, "incomplete")
            raise
        return dict(done)

    def __getattr__(self, name):
        """`desk.receive("sku", …)` is `desk.do("sku", "receive", …)`."""
        method = getattr(Item, name, None)
        if name.startswith("_") or not callable(method):
            raise AttributeError(f"{type(self).__name__} has no command {name!r}")
        return lambda sku, *args, **options: self.do(sku, name, *args, **options)

    @staticmethod
    def stream(sku):
        return f"item-{sku.strip().lower()}"
