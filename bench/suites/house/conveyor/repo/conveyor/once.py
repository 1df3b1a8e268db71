"""Loads each key once, however many threads ask."""

import threading
from dataclasses import dataclass, field


@dataclass
class _Load:
    """One load that goes on or is over."""

    done: threading.Event = field(default_factory=threading.Event)
    value: object = None
    error: BaseException = None


class Once:
    """once(key) is load(key), remembered."""

    def __init__(self, load):
        self.load = load
        self._loads = {}
        self._lock = threading.Lock()

    def __call__(self, key):
        with self._lock:
            known = self._loads.get(key)
            mine = known is None
            if mine:
                known = self._loads[key] = _Load()
        if mine:
            self._fill(key, known)
        else:
            known.done.wait()
        if known.error is not None:
            raise known.error
        return known.value

    def forget(self, key):
        """The next who asks loads again; who waits already gets what is being loaded."""
        with self._lock:
            self._loads.pop(key, None)

    def _fill(self, key, load):
        try:
            load.value = self.load(key)
        except BaseException as error:
            load.error = error
            with self._lock:
                if self._loads.get(key) is load:
                    del self._loads[key]
        finally:
            load.done.set()
