"""Asks flags for people."""

from dataclasses import dataclass

from lantern.errors import Circle, UnknownFlag


@dataclass(frozen=True)
class Answer:
    """A value and why it is that one."""

    value: object
    why: str


class Engine:
    """Flags of a store, for people. `counts` says how often each flag gave which value."""

    def __init__(self, store):
        self.store = store
        self.counts = {}
        check(store)
        store.listeners.append(self._changed)

    def close(self):
        """Stop listening."""
        self.store.listeners.remove(self._changed)

    def value(self, name, person, default=None):
        """Return the value of a flag; the default where there is no such flag. Raises UnknownFlag without one."""
        try:
            return self.explain(name, person).value
        except UnknownFlag:
            if default is None:
                raise
            return default

    def explain(self, name, person):
        """Return the Answer of a flag. Raises UnknownFlag."""
        answer = self._answer(name, person)
        counts = self.counts.setdefault(name, {})
        counts[answer.value] = counts.get(answer.value, 0) + 1
        return answer

    def everything(self, person):
        """Return name -> value of all flags. Does not count."""
        return {name: self._answer(name, person).value for name in self.store.names()}

    def _answer(self, name, person):
        flag = self.store.get(name)
        if flag is None:
            raise UnknownFlag(name)
        for need in flag.needs:
            if not self._answer(need, person).value:
                return Answer(False, f"needs {need}")
        value, number = flag.decide(person)
        return Answer(value, f"rule {number}" if number else "default")

    def _changed(self, old, new):
        self.counts.pop(new.name, None)


def check(store):
    """Raises Circle, or UnknownFlag for a need that there is not."""
    done = set()
    for name in store.names():
        _visit(store, name, [], done)


def _visit(store, name, way, done):
    if name in way:
        raise Circle([*way[way.index(name) :], name])
    if name in done:
        return
    flag = store.get(name)
    if flag is None:
        raise UnknownFlag(name)
    for need in flag.needs:
        _visit(store, need, [*way, name], done)
    done.add(name)
