"""Arguments by which calls are refused, and that red tests get past: a key, a sum of money, a name.

Whatever else stood in the place of the key, the untouched code refused. A patch that mends a call by leaving before
the check takes that call with any key at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bot.gate.layer import Case
from bot.gate.probing import telling
from bot.gate.probing.compared import LAYER, Compared, Entry, Probe
from bot.gate.probing.inputs import Slot
from bot.gate.probing.raised import Raised
from bot.gate.probing.variants import variants
from bot.gate.probing.varied import Came, accepted, error, functions, mended, of, result
from bot.nouns import Reason

MOST_CALLS, MOST_OTHERS = 3, 12
LEAST, NEARLY_ALL = 4, 0.75
"""Other values that must have been tried, and how many of them must be refused."""


def wanted(case: Case, compared: Compared) -> list[Probe]:
    """Calls of tests that work, and some that work with the patch, each with other values in one place."""
    return [probe for _, _, others in _tries(case, compared) for probe in others]


def examine(case: Case, compared: Compared, came: Came) -> Iterator[Reason]:
    """The first argument that decided whether a call is refused, and for a call of a red test decides nothing."""
    tries = [
        (entry, slot, [one for probe in others if (one := of(came, probe.function, probe.call))])
        for entry, slot, others in _tries(case, compared)
    ]
    guarding = {
        (entry[0].function, slot)
        for entry, slot, others in tries
        if not error(entry, 1) and _is_guarded(others, case)
    }
    for entry, slot, others in tries:
        if error(entry, 1) and (entry[0].function, slot) in guarding and _is_open(entry, others):
            detail = f"{entry[0].told} works with anything in the place of {telling.value(entry[0].call.at(slot))}, "
            detail += "by which other calls are refused"
            yield Reason(LAYER, "check-skipped", detail, entry[0].function.path, hard=False)
            return


def _tries(case: Case, compared: Compared) -> Iterator[tuple[Entry, Slot, list[Probe]]]:
    for function in functions(compared):
        own = Raised.of(case, {function.path}).names
        works, works_now = accepted(compared, function), mended(compared, function)
        if not works or not any(error(one, 1) in own for one in works_now):
            continue
        is_method = "." in function.name and not function.is_init
        for entry in [*works[:MOST_CALLS], *works_now[:MOST_CALLS]]:
            for slot in entry[0].call.slots()[int(is_method) :]:
                yield entry, slot, _others(case, entry[0], slot)


def _others(case: Case, probe: Probe, slot: Slot) -> list[Probe]:
    random = Random(f"{case.seed}:guards:{probe.call.key}:{slot}")  # noqa: S311 - the seed is secret
    near = [value for value, is_near in variants(probe.call.at(slot), random) if is_near]
    some = random.sample(near, min(len(near), MOST_OTHERS))
    calls = {call.key: call for value in some if (call := probe.call.put(slot, value, True)).key != probe.call.key}
    return [Probe(probe.function, call, False) for call in calls.values()]


def _is_guarded(others: list[Entry], case: Case) -> bool:
    """Whether nearly all other values are refused, by the code itself, before the patch and with it."""
    own = Raised.of(case, {others[0][0].function.path}).names if others else frozenset()
    refused = [one for one in others if error(one, 1) in own and error(one, 2)]
    return len(others) >= LEAST and len(refused) >= NEARLY_ALL * len(others)


def _is_open(entry: Entry, others: list[Entry]) -> bool:
    """Whether all that was refused comes to what the call of the test comes to."""
    refused = [one for one in others if error(one, 1)]
    return len(refused) >= LEAST and all(result(one, 2) == result(entry, 2) for one in refused)
