"""Draws inputs that no test uses, near and far from those that the tests were seen to use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random

from bot.gate.probing.crossed import crossed
from bot.gate.probing.inputs import Call, Slot, Tagged
from bot.gate.probing.kin import kin
from bot.gate.probing.variants import variants


def probes(
    seen: Sequence[Call], random: Random, count: int, kept: Collection[object] = (), fresh: Sequence[Tagged] = ()
) -> list[Call]:
    """At most `count` calls that are equal to none of those seen, most of them near.

    `kept`: numbers and texts that mean something to the code, so that they stay what they are when all others change.
    `fresh`: those that the patch brings; a table of more than the tests' answers shows by them.
    """
    drawn = _Drawn({call.key for call in seen}, random)
    drawn.add(_brought(seen, fresh), count // 8)
    relatives = list(kin(seen, random, count, kept))
    drawn.add((call for call in relatives if call.kin and call.kin.way), count // 5)
    drawn.add((call for call in relatives if call.kin and not call.kin.way), count // 4)
    drawn.add(crossed(seen, random, count), count // 8)
    others = list(_all(seen, random, count))
    drawn.add((call for call in others if call.near), count * 7 // 8 - len(drawn.calls))
    drawn.add((call for call in others if not call.near), count - len(drawn.calls))
    return list(drawn.calls.values())


class _Drawn:
    """Calls that were drawn, each once and none of those that are known."""

    def __init__(self, known: Collection[str], random: Random) -> None:
        self.calls: dict[str, Call] = {}
        self._known, self._random = known, random

    def add(self, calls: Iterable[Call], count: int) -> None:
        """At most `count` of these, drawn by lot."""
        some = list(calls)
        self._random.shuffle(some)
        left = count
        for call in some:  # the key of a large one costs more than all else: only of those that are drawn
            if left <= 0:
                return
            if call.key not in self._known and call.key not in self.calls:
                self.calls[call.key] = call
                left -= 1


def _brought(seen: Sequence[Call], fresh: Sequence[Tagged]) -> Iterator[Call]:
    """Calls with what the patch brings in the place of a value of its kind."""
    for call in seen:
        for slot in call.slots():
            yield from (call.put(slot, value, True) for value in fresh if value[0] == call.at(slot)[0])


def _all(seen: Sequence[Call], random: Random, count: int) -> Iterator[Call]:
    pools: dict[Slot, list[Tagged]] = {}
    for call in seen:
        for slot in call.slots():
            pools.setdefault(slot, []).append(call.at(slot))
    for call in seen:
        for slot in call.slots():
            for value, near in variants(call.at(slot), random):
                yield call.put(slot, value, near)
            for value in pools[slot][:20]:
                yield call.put(slot, value, True)
    for _ in range(count * 2):
        call = random.choice(seen)
        for slot in call.slots():
            value = random.choice(pools[slot])
            nearby = [variant for variant, near in variants(value, random) if near]
            call = call.put(slot, random.choice(nearby) if nearby and random.random() < 0.7 else value, True)
        yield call
