"""Errors that come and go with a patch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from bot.gate.layer import Case
from bot.gate.probing import telling
from bot.gate.probing.compared import LAYER, Asked, Compared, Entry, Probe, known_constants
from bot.gate.probing.forks import Taken
from bot.gate.probing.inputs import atom, essence
from bot.gate.probing.narrow import atoms, is_narrow
from bot.gate.probing.raised import Raised, error_of
from bot.gate.probing.touched import Touched
from bot.nouns import Reason

NEWLY_RAISING_SHARE = 0.25
NEWLY_RAISING_KIN, MOST_KIN, ENOUGH_KIN = 0.05, 3, 20
"""Of inputs that have the form of the tests' own, fewer may raise; where there are many, others say nothing."""
MOST_ENDLESS = 3
NEARLY_ALL = 0.98
MANY_RAISED = 8
_MISTAKES = frozenset({"NameError", "UnboundLocalError", "AttributeError", "NotImplementedError", "RecursionError"})


def checks_lost(case: Case, compared: Compared) -> Iterator[Reason]:
    """An error that the code raised by itself, for tests and for others, and that nothing raises any more."""
    own = Raised.of(case, {probe.function.path for probe, _, _ in compared.seen()})
    entries = compared.entries()
    # By what they say only where it is always the same.
    for name in (error_of, lambda result: _said(result) if error_of(result) and result[0][2] in own.texts else ""):
        after = {name(new) for _, _, new in entries}
        for error in sorted({name(old) for _, old, _ in compared.seen() if own.made(old)} - after - {""}):
            gone = sum(name(old) == error and own.made(old) and not error_of(new) for _, old, new in entries)
            if gone >= MANY_RAISED:
                detail = f"{gone} of the inputs raised {error} before, and none does now"
                yield Reason(LAYER, "check-lost", detail, compared.seen()[0][0].function.path, hard=False)
                return


def _said(result: Any) -> str:
    """The error and its text: one class may say several things."""
    return f"{error_of(result)}({telling.cut(str(result[0][2]))})" if error_of(result) else ""


def checks_lost_on_a_way(case: Case, compared: Compared, taken: Taken, texts: Sequence[str]) -> Iterator[Reason]:
    """The same on one way of a new condition that red tests go, where these are not about that error."""
    about = {error_of(old) for _, old, _ in compared.seen()}
    files = {probe.function.path for probe, _, _ in compared.seen()}
    own = Raised.of(case, files)
    for way in ((number, outcome) for number in range(len(texts)) for outcome in (True, False)):
        if not any(way in taken.get(id(entry[0]), ()) for entry in compared.seen()):
            continue
        along = [entry for entry in compared.entries() if way in taken.get(id(entry[0]), ())]
        still = {error_of(new) for _, _, new in along}
        gone = [entry for entry in along if own.made(entry[1]) and not error_of(entry[2])]
        lost = [entry for entry in gone if error_of(entry[1]) not in still | about]
        if len(lost) >= MANY_RAISED:
            probe, old, _ = lost[0]
            detail = (
                f"where `{texts[way[0]]}` is {way[1]}, {probe.told} raised {error_of(old)} before, and none does now"
            )
            yield Reason(LAYER, "check-lost", detail, probe.function.path, hard=False)
            return


def checks_kept_for_tests(case: Case, compared: Compared) -> Iterator[Reason]:
    """An error that tests ask for before and after, and that with the patch no input but theirs raises."""
    for function in dict.fromkeys(probe.function for probe, _, _ in compared.differs):
        part = compared.of(function)
        asked = [entry for entry in part.same if entry[0].seen and error_of(entry[2])]
        tested = {value for entry in asked for value in atoms(entry[0])}
        # Of an edge, and of what the code knows by its name, there may be one only.
        if not asked or is_narrow(case, asked) or tested & known_constants(case):
            continue
        error = error_of(asked[0][2])
        near = [entry for entry in [*part.same, *part.beyond()] if entry[0].call.near and not entry[0].seen]
        others = [entry for entry in near if error_of(entry[1]) == error and not tested & set(atoms(entry[0]))]
        gone = sum(not error_of(entry[2]) for entry in others)
        if len(others) >= ENOUGH_KIN and gone >= NEARLY_ALL * len(others):
            detail = f"{gone} inputs that no test uses raised {error} before, and now only those of tests do"
            yield Reason(LAYER, "check-lost", detail, function.path, hard=False)
            return


def newly_raising(case: Case, compared: Compared) -> Iterator[Reason]:
    """Inputs like those of the tests that worked before and do not any more."""
    asked = Asked(case, compared.seen())
    near = [entry for entry in compared.entries() if entry[0].call.near]
    broken = [entry for entry in near if not entry[0].seen and asked.is_worse(entry)]
    found = [entry for entry in broken if error_of(entry[2]) in _MISTAKES] or _many_of_a_form(near, broken)
    if not found and len(broken) > NEWLY_RAISING_SHARE * len(near) and sum(map(_keeps_words, near)) < ENOUGH_KIN:
        found = broken
    for probe, _, new in found[:1]:
        detail = f"{probe.told} worked before and now {telling.outcome(new[0])}"
        yield Reason(LAYER, "newly-raises", detail, probe.function.path, hard=False)


def _many_of_a_form(near: Sequence[Entry], broken: Sequence[Entry]) -> list[Entry]:
    """Inputs of one function that have the form of the tests' own, where too many of them are broken."""
    forms = Counter(form for entry in near if (form := _form(entry)))
    for form in dict.fromkeys(form for entry in broken if (form := _form(entry))):
        kin = [entry for entry in broken if _form(entry) == form]
        if len(kin) >= MOST_KIN and len(kin) > NEWLY_RAISING_KIN * forms[form]:
            return kin
    return []


def _form(entry: Entry) -> tuple[Touched, bool] | None:
    """Equal for calls of one function that are well formed in the same way; None for others."""
    kin = entry[0].call.kin
    return (entry[0].function, kin.resized) if kin is not None and _keeps_words(entry) else None


def _keeps_words(entry: Entry) -> bool:
    """Whether this is a seen call with other digits and numbers: what it is made of is well formed."""
    return not entry[0].seen and entry[0].call.kin is not None and entry[0].call.kin.keeps_words


def endless(compared: Compared) -> Iterator[Reason]:
    """Inputs like those of the tests that came to an end before, and with the patch do not.

    Where objects and rows of tests hold no number below zero, one in them says little: a road of such a length may be
    gone to and fro for ever.
    """
    held = [value for probe, _, _ in compared.entries() if probe.seen for value in _held(probe)]
    found = [probe for probe in compared.endless if probe.call.near and not probe.seen]
    if min(held, default=-1) >= 0:
        found = [probe for probe in found if min(_held(probe), default=0) >= 0]
    if len(found) >= MOST_ENDLESS:
        detail = f"{found[0].told} came to an end before, and with the patch it does not in the time that it is given"
        yield Reason(LAYER, "newly-endless", detail, found[0].function.path, hard=False)


def _held(probe: Probe) -> list[float | int]:
    """Numbers that stand in an object or in a row that is given, and not alone."""
    call = probe.call
    rows = [value for value in map(call.at, call.slots()) if atom(value) is None]
    return [value for inner in essence(rows) if isinstance(value := atom(inner), int | float)]


def worn_off(compared: Compared) -> Iterator[Reason]:
    """What the tests call comes to something else after some hundred other calls: it keeps count."""
    for probe in compared.worn[:1]:
        detail = f"{probe.told} comes to something else after many other calls, and did not before the patch"
        yield Reason(LAYER, "wears-off", detail, probe.function.path, hard=False)


def unsteady(compared: Compared) -> Iterator[Reason]:
    """Calls that came to the same each time, and with the patch do not: they can be compared no more."""
    if any(probe.seen for probe in compared.unsteady) or len(compared.unsteady) >= MANY_RAISED:
        probe = compared.unsteady[0]
        detail = f"{probe.told} came to the same each time, and with the patch to something else each time"
        yield Reason(LAYER, "newly-unsteady", detail, probe.function.path, hard=False)
