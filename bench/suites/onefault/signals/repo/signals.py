"""Events: who listens, who hears what, and in which order."""

import logging

log = logging.getLogger(__name__)


class Signal:
    """Calls its listeners. Higher priority hears first; equal ones in the order in which they came."""

    def __init__(self, name, listeners=None):
        self.name = name
        self._listeners = list(listeners or [])
        self.errors = []

    def connect(self, listener, priority=0):
        """Add a listener, once; returns a function that takes it away again."""
        if all(known is not listener for _, known in self._listeners):
            self._listeners.append((priority, listener))
            self._listeners.sort(key=lambda entry: -entry[0])

        def disconnect():
            self._listeners = [entry for entry in self._listeners if entry[1] is not listener]

        return disconnect

    def listener(self, function):
        """Decorator that connects a function."""
        self.connect(function)
        return function

    def send(self, *args, **kwargs):
        """Call all listeners and return their answers; those that raise are noted in `errors` and have none."""
        answers = []
        for _, listener in list(self._listeners):
            try:
                answers.append(listener(*args, **kwargs))
            except Exception as error:
                log.warning("a listener of %s failed", self.name)
                self.errors.append(error)
        return answers

    def first(self, *args):
        """The first answer that is not None."""
        for _, listener in self._listeners:
            answer = listener(*args)
            if answer is not None:
                return answer
        return None

    def __len__(self):
        return len(self._listeners)


class Hub:
    """Signals by name, such as "order.paid"; "order.*" hears all that begin with "order."."""

    def __init__(self):
        self.signals = {}

    def signal(self, name):
        """The signal of this name, made when it is asked for first."""
        if name not in self.signals:
            self.signals[name] = Signal(name)
        return self.signals[name]

    def publish(self, name, payload=None):
        """Send to the signal and to those with a star; returns how many answered."""
        heard = 0
        for pattern, signal in sorted(self.signals.items()):
            if pattern == name or pattern.endswith(".*") and name.startswith(pattern[:-1]):
                heard += len(signal.send(payload))
        return heard


class Recorder:
    """Remembers what it heard, at most `keep` things."""

    def __init__(self, keep=10):
        self.keep = keep
        self.heard = []

    def __call__(self, payload):
        self.heard.append(payload)
        del self.heard[: -self.keep]
        return len(self.heard)


def collect(item, into=None):
    """Append to a list, a new one unless one is given, and return it."""
    if into is None:
        into = []
    into.append(item)
    return into


def chain(*handlers):
    """One handler that hands its result on to the next; None ends the chain."""

    def handle(value):
        for handler in handlers:
            if value is None:
                break
            value = handler(value)
        return value

    return handle
