"""Snapshots: the state of an aggregate at a version."""

import copy
from dataclasses import dataclass


@dataclass(frozen=True)
class Snapshot:
    version: int
    state: dict


class Snapshots:
    """Keeps the newest snapshot of each stream; takes one every `every` versions."""

    def __init__(self, every=50):
        if every < 1:
            raise ValueError("every must be 1 or more")
        self.every = every
        self._newest = {}

    def newest(self, stream):
        return self._newest.get(stream)

    def offer(self, stream, aggregate):
        """Take a snapshot when enough has happened since the last one. Says whether it did."""
        known = self.newest(stream)
        since = aggregate.version - (known.version if known else 0)
        if since < self.every:
            return False
        self._newest[stream] = Snapshot(aggregate.version, copy.deepcopy(aggregate.state()))
        return True

    def forget(self, stream=None):
        if stream is None:
            self._newest.clear()
        else:
            self._newest.pop(stream, None)
