"""What an aggregate is: state that comes out of events, and commands that give new ones."""

import copy
import functools


def command(method):
    """A method that yields events. They are applied one by one, so that each yield sees what came before.

    When the command is rejected half-way, the aggregate is as it was: nothing was applied or recorded.
    """

    @functools.wraps(method)
    def run(self, *args, **options):
        before = self.state()
        count = len(self.pending)
        try:
            for event in method(self, *args, **options):
                self.apply(event)
                self.pending.append(event)
        except Exception:
            self.restore(before)
            del self.pending[count:]
            raise
        return self.pending[count:]

    return run


class Aggregate:
    """Subclasses have a method `on_<kind>` for each kind of event, and `initial()` for their first state."""

    def __init__(self, id):
        self.id = id
        self.version = 0
        self.pending = []
        self.__dict__.update(self.initial())

    def initial(self):
        """Names and first values of the state."""
        raise NotImplementedError

    def apply(self, event):
        handler = getattr(self, f"on_{type(event).__name__.lower()}", None)
        if handler is None:
            raise TypeError(f"{type(self).__name__} knows nothing of {type(event).__name__}")
        handler(event)

    def replay(self, stored):
        """Take events from the store."""
        for one in stored:
            self.apply(one.event)
            self.version = one.version
        return self

    def committed(self, version):
        """The pending events were stored."""
        self.version = version
        self.pending.clear()

    def state(self):
        """A copy of the state, good for `restore`."""
        return copy.deepcopy({name: getattr(self, name) for name in self.initial()})

    def restore(self, state, version=None):
        self.__dict__.update(copy.deepcopy(state))
        if version is not None:
            self.version = version
        return self
