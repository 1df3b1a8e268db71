"""Streams of events: append, read, follow."""

import json
from dataclasses import dataclass
from pathlib import Path

from depot.errors import Conflict
from depot.events import from_record, to_record

ANY = object()
"""Append whatever the version is."""


@dataclass(frozen=True)
class Stored:
    """An event in its place. `position` counts over all streams, `version` in its own; both from 1."""

    position: int
    stream: str
    version: int
    event: object


class MemoryStore:
    """Keeps everything in memory."""

    def __init__(self):
        self._log = []
        self._streams = {}
        self._listeners = []

    def append(self, stream, events, expected=ANY):
        """Append events and return the new version. Conflict when the stream is not at `expected`."""
        current = self.version(stream)
        if expected is not ANY and expected != current:
            raise Conflict(stream, expected, current)
        added = []
        for number, event in enumerate(events, start=1):
            added.append(Stored(len(self._log) + number, stream, current + number, event))
        self._write(added)
        for stored in added:
            for listener in list(self._listeners):
                listener(stored)
        return current + len(added)

    def _write(self, added):
        self._log.extend(added)
        for stored in added:
            self._streams.setdefault(stored.stream, []).append(stored)

    def read(self, stream, after=0):
        """Events of one stream with a version greater than `after`."""
        return self._streams.get(stream, [])[after:]

    def read_all(self, after=0, limit=None):
        """Events of all streams with a position greater than `after`, at most `limit` of them."""
        end = None if limit is None else after + limit
        return self._log[after:end]

    def version(self, stream):
        return len(self._streams.get(stream, []))

    def streams(self):
        return sorted(self._streams)

    def subscribe(self, listener):
        """Call `listener(stored)` for each event from now on. Returns a function that ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)


class FileStore(MemoryStore):
    """Also writes a file with one JSON line for each event. A last line that is not whole is dropped."""

    def __init__(self, path):
        super().__init__()
        self.path = Path(path)
        if self.path.exists():
            super()._write(self._load())

    def _load(self):
        found = []
        lines = self.path.read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines):
            if not line:
                continue
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                if number == len(lines) - 1:
                    self._cut(len(line.encode("utf-8")))
                    break
                raise
            found.append(Stored(record["position"], record["stream"], record["version"], from_record(record)))
        return found

    def _cut(self, size):
        with self.path.open("r+b") as file:
            file.seek(-size, 2)
            file.truncate()

    def _write(self, added):
        with self.path.open("a", encoding="utf-8") as file:
            for stored in added:
                place = {"position": stored.position, "stream": stored.stream, "version": stored.version}
                file.write(json.dumps({**place, **to_record(stored.event)}, ensure_ascii=False) + "\n")
        super()._write(added)
