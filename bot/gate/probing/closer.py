"""A closer look at calls of tests: variations that a rule asks for, made on both sides of the patch at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from bot.gate.layer import Boxes, Case
from bot.gate.probing import guards, unread
from bot.gate.probing.compared import Compared, Probe
from bot.gate.probing.sides import both, has_come, told
from bot.nouns import Reason

MOST = 500
"""Calls that a rule may ask for."""


def reasons(case: Case, boxes: Boxes, compared: Compared) -> Iterator[Reason]:
    """What the rules say of the variations that they ask for."""
    rules = (guards, unread)
    probes = list(_distinct(chain.from_iterable(rule.wanted(case, compared)[:MOST] for rule in rules)))
    found = both(case, boxes, probes) if probes else None
    if found is None:
        return
    came = {(entry[0].function, entry[0].call.key): entry for entry in compared.entries()}
    for probe, was, is_now in found.raw:
        if has_come(was) and has_come(is_now):
            came[probe.function, probe.call.key] = (probe, told(was), told(is_now))
    for rule in rules:
        yield from rule.examine(case, compared, came)


def _distinct(probes: Iterator[Probe]) -> Iterator[Probe]:
    known = set()
    for probe in probes:
        if (probe.function, probe.call.key) not in known:
            known.add((probe.function, probe.call.key))
            yield probe
