"""The life of a parcel: which step may follow which, and who is told."""

from dataclasses import dataclass, field

STEPS = {
    "new": {"pay": "paid", "cancel": "cancelled"},
    "paid": {"pack": "packed", "cancel": "refunding"},
    "packed": {"send": "sent", "cancel": "refunding"},
    "sent": {"deliver": "delivered", "lose": "refunding"},
    "refunding": {"refund": "cancelled"},
}
FINAL = frozenset({"delivered", "cancelled"})


class NotPossible(Exception):
    """The step does not exist in this state."""

    def __init__(self, state, step):
        possible = ", ".join(sorted(STEPS.get(state, {}))) or "nothing"
        super().__init__(f"{step} is not possible when {state}; possible: {possible}")


@dataclass
class Parcel:
    """One parcel. `history` holds every state with the time at which it began."""

    number: str
    state: str = "new"
    history: list = field(default_factory=list)
    _watchers: dict = field(default_factory=dict, repr=False)

    def do(self, step, at):
        """Take a step and return the new state. NotPossible leaves the parcel as it was."""
        target = STEPS.get(self.state, {}).get(step)
        if target is None:
            raise NotPossible(self.state, step)
        old, self.state = self.state, target
        self.history.append((at, target))
        for watcher in self._watchers.get(target, []) + self._watchers.get("*", []):
            watcher(self, old)
        return target

    def watch(self, watcher, state="*"):
        """Call `watcher(parcel, old_state)` when the state is entered; "*" is any state."""
        self._watchers.setdefault(state, []).append(watcher)

    @property
    def is_final(self):
        return self.state in FINAL

    def possible(self):
        """Steps that may be taken now, by name."""
        return sorted(STEPS.get(self.state, {}))

    def seconds_in(self, state, now):
        """How long the parcel has been in a state, all times together."""
        total = 0
        times = self.history + [(now, None)]
        for (start, entered), (end, _) in zip(times, times[1:]):
            if entered == state:
                total += end - start
        return total


def late(parcels, now, limit):
    """Numbers of parcels that are not final and did not move for more than `limit` seconds, oldest first."""
    waiting = []
    for parcel in parcels:
        if parcel.is_final or not parcel.history:
            continue
        since = parcel.history[-1][0]
        if now - since > limit:
            waiting.append((since, parcel.number))
    return [number for _, number in sorted(waiting)]


def tally(parcels):
    """How many parcels are in each state."""
    counts = dict.fromkeys([*STEPS, *sorted(FINAL)], 0)
    for parcel in parcels:
        counts[parcel.state] += 1
    return {state: count for state, count in counts.items() if count}
