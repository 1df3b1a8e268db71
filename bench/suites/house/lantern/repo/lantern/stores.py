"""Where flags are kept. A store has get(name) -> Flag or None, put(flag), names() and listeners."""

import time

from lantern.errors import LanternError


class Store:
    """Base of all stores: tells listeners of what changed."""

    def __init__(self):
        self.listeners = []

    def get(self, name):
        raise NotImplementedError

    def names(self):
        raise NotImplementedError

    def put(self, flag):
        """Keep a flag, and tell listener(old, new) if it is another one than before."""
        old = self.get(flag.name)
        if old == flag:
            return
        self._write(flag)
        self._tell(old, flag)

    def _write(self, flag):
        raise NotImplementedError

    def _tell(self, old, new):
        failed = None
        for listener in list(self.listeners):
            try:
                listener(old, new)
            except Exception as error:
                failed = failed or error
        if failed is not None:
            raise LanternError(f"a listener failed: {failed}") from failed


class MemoryStore(Store):
    """Flags in a dict."""

    def __init__(self, flags=()):
        super().__init__()
        self._flags = {flag.name: flag for flag in flags}

    def get(self, name):
        return self._flags.get(name)

    def names(self):
        return sorted(self._flags)

    def _write(self, flag):
        self._flags[flag.name] = flag


class LayeredStore(Store):
    """Several stores, the first one on top; writes go to the top."""

    def __init__(self, *layers):
        super().__init__()
        if not layers:
            raise ValueError("a layered store needs a layer")
        self.layers = layers

    def get(self, name):
        for layer in self.layers:
            flag = layer.get(name)
            if flag is not None:
                return flag
        return None

    def names(self):
        return sorted({name for layer in self.layers for name in layer.names()})

    def _write(self, flag):
        self.layers[0].put(flag)


class CachedStore(Store):
    """Remembers what a slow store answered, for `seconds` from the answer on."""

    def __init__(self, inner, seconds=30.0, clock=time.monotonic):
        super().__init__()
        self.inner, self.seconds, self.clock = inner, seconds, clock
        self._known = {}
        self._names = None
        self.asked = 0

    def get(self, name):
        now = self.clock()
        if name in self._known:
            flag, until = self._known[name]
            if now < until:
                return flag
        self.asked += 1
        flag = self.inner.get(name)
        self._known[name] = flag, now + self.seconds
        return flag

    def names(self):
        now = self.clock()
        if self._names is None or now >= self._names[1]:
            self._names = self.inner.names(), now + self.seconds
        return list(self._names[0])

    def put(self, flag):
        """The store behind decides whether anything is new: what is remembered may be stale."""
        self._known.pop(flag.name, None)
        super().put(flag)

    def _write(self, flag):
        self.inner.put(flag)
        self._known.pop(flag.name, None)
        self._names = None
