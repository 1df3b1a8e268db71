"""What the differences that the probe found say against a patch."""

from __future__ import annotations

from bot.gate.layer import Case
from bot.gate.probing.compared import Compared
from bot.gate.probing.ignored import ignored
from bot.gate.probing.kept import remembers, reshaped
from bot.gate.probing.mishaps import checks_kept_for_tests, checks_lost, endless, newly_raising, worn_off
from bot.gate.probing.narrow import too_narrow
from bot.gate.probing.relations import lost
from bot.gate.probing.rows import made_up
from bot.nouns import Reason

ENOUGH = 20
"""Fewer comparable inputs than this prove nothing."""


def reasons(case: Case, compared: Compared) -> list[Reason]:
    """Everything that the differences say against the patch."""
    narrow = too_narrow(case, compared)
    if any(reason.hard for reason in narrow):
        return narrow
    # An object that remembers what the code before the patch stored, as that stored it, is none of the code after it.
    forms = reshaped(case)
    readable = compared.where(lambda probe: not remembers(probe.call, forms))
    return [
        *(narrow or made_up(case, compared)),
        *lost(case, compared),
        *ignored(readable),
        *(list(checks_lost(case, compared)) or checks_kept_for_tests(case, compared)),
        *newly_raising(case, readable),
        *endless(compared),
        *worn_off(compared),
    ]
