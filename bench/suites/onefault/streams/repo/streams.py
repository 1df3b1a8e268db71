"""Lazy tools for things that come one after the other."""

from collections import deque
from itertools import islice


def chunks(items, size):
    """Lists of `size` items; the last one may be shorter."""
    if size < 1:
        raise ValueError("size must be positive")
    iterator = iter(items)
    while True:
        chunk = list(islice(iterator, size))
        if not chunk:
            return
        yield chunk


def windows(items, size):
    """Tuples of `size` neighbours, moving on by one."""
    window = deque(maxlen=size)
    for item in items:
        window.append(item)
        if len(window) == size:
            yield tuple(window)


def flatten(items):
    """All items of nested lists and tuples, text left whole."""
    for item in items:
        if isinstance(item, (list, tuple)):
            yield from flatten(item)
        else:
            yield item


def merged(*streams):
    """Items of sorted streams as one sorted stream; of equal ones, those of earlier streams come first."""
    waiting = []
    for number, stream in enumerate(streams):
        iterator = iter(stream)
        for item in iterator:
            waiting.append((item, number, iterator))
            break
    while waiting:
        smallest = min(waiting, key=lambda entry: entry[:2])
        waiting.remove(smallest)
        item, number, iterator = smallest
        yield item
        for following in iterator:
            waiting.append((following, number, iterator))
            break


def changes(values, start=None):
    """Only values that differ from the one before."""
    last = start
    for value in values:
        if value != last:
            yield value
        last = value


def running_mean(values):
    """After each value, the mean of all so far."""
    total = 0
    for count, value in enumerate(values, start=1):
        total += value
        yield total / count


class Peekable:
    """An iterator that lets you look at what comes next."""

    _NOTHING = object()

    def __init__(self, items):
        self._iterator = iter(items)
        self._next = self._NOTHING

    def __iter__(self):
        return self

    def __next__(self):
        if self._next is not self._NOTHING:
            item, self._next = self._next, self._NOTHING
            return item
        return next(self._iterator)

    def peek(self, default=None):
        """The next item without taking it; the default at the end."""
        if self._next is self._NOTHING:
            self._next = next(self._iterator, self._NOTHING)
        return default if self._next is self._NOTHING else self._next

    def take_while(self, condition):
        """Items as long as the condition holds; the first other one is still to come."""
        taken = []
        while self.peek(self._NOTHING) is not self._NOTHING and condition(self.peek()):
            taken.append(next(self))
        return taken


def first(items, condition=bool, default=None):
    """The first item that meets the condition."""
    return next((item for item in items if condition(item)), default)
