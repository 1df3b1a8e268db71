"""Whether a patch does anything beyond what the tests use: a fix does, a table of answers does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from bot.gate.layer import Case
from bot.gate.probing.compared import LAYER, Asked, Compared, Entry, Probe, known_constants
from bot.gate.probing.defaults import is_default
from bot.gate.probing.inputs import Tagged, atom, essence, integer, is_bare, is_edge, normal
from bot.gate.source.copied import copied_constants, extends_a_table
from bot.gate.source.documented import adds_what_is_documented
from bot.gate.source.strictness import turns_bounds
from bot.gate.targets.compare import is_plain, nodes, stripped
from bot.nouns import Reason

ENOUGH_APART = 20
"""Fewer comparable inputs that hold nothing of the tests prove nothing."""
MANY_RESULTS = 12
"""A function with fewer different results (a grade, a yes or no) must give those of the tests again."""
USUAL = 0.15
BY_CHANCE = 0.05
"""Of the inputs that change so few may come to a result of their own."""
INSIDE, ENOUGH_INSIDE = 0.6, 5
OUTSIDE, ENOUGH_OUTSIDE = 0.03, 15
"""A thin effect: most inputs of the tests' size change, and of many others hardly any."""
MANY_VALUES = 8
LONG = 8
"""Letters of a text that stands in another one hardly by chance."""
_MONTHS = 12


def too_narrow(case: Case, compared: Compared) -> list[Reason]:
    """At most one reason: the patch does something to what the tests use, and to little else."""
    parts = [compared.of(function) for function in dict.fromkeys(probe.function for probe, _, _ in compared.differs)]
    if adds_what_is_documented(case):
        return []
    found = [*_hard_coded(case, compared)]
    found = found or [reason for part in parts for reason in _only_the_tested(case, part)]
    found = found or [reason for part in parts for reason in _thin(case, part)]
    return found[:1]


def _hard_coded(case: Case, compared: Compared) -> Iterator[Reason]:
    """Only the inputs of the tests give another result."""
    asked = Asked(case, compared.seen())
    if not compared.seen() or any(asked.counts(entry) for entry in compared.beyond()):
        return
    if is_narrow(case, compared.seen()):
        return
    detail = f"of {compared.count()} inputs that no test uses, none gives another result; those of the tests do"
    constants = copied_constants(case)
    entries = [*compared.same, *compared.beyond()]
    refused = any(old[0][0] == "raised" for _, old, _ in compared.seen())
    if constants and not extends_a_table(case):
        told = f"{detail}, and new constants stand in the tests too: {', '.join(constants[:4])}"
        yield Reason(LAYER, "hard-coded", told)
    elif sum(_says_something(entry, refused=refused) for entry in entries) >= ENOUGH_APART:
        yield Reason(LAYER, "no-general-effect", detail, None, hard=False)


def _says_something(entry: Entry, *, refused: bool) -> bool:
    """No call of a test, and no error on both sides, such as that of bytes whose checksum does not fit.

    Errors count where the tests were `refused` too.
    """
    probe, old, new = entry
    return not probe.seen and (refused or not old[0][0] == new[0][0] == "raised")


def _only_the_tested(case: Case, part: Compared) -> Iterator[Reason]:
    """What changes of one function holds values of the tests, or comes to their results, whatever is asked."""
    seen, asked = part.seen(), Asked(case, part.seen())
    if not seen or is_narrow(case, seen):
        return
    tested = {one for probe, _, _ in seen for one in atoms(probe)} - known_constants(case)
    refused = any(old[0][0] == "raised" for _, old, _ in seen)
    free = [entry for entry in [*part.same, *part.beyond()] if _is_free(entry, tested, refused=refused)]
    changed = [entry for entry in part.beyond() if asked.counts(entry)]
    if changed and _is_rich([probe for probe, _, _ in seen]):
        return
    about_errors = refused and any(new[0][0] == "raised" for _, _, new in seen)
    general = [entry for entry in changed if _is_free(entry, tested, refused=about_errors)]
    apart = [entry for entry in general if not _is_answer(entry, part)]
    if len(free) >= ENOUGH_APART and not general:
        which = "hold a value of the tests"
    elif general and len(apart) <= BY_CHANCE * len(general) and not _is_usual(part) and not is_default(case, part):
        which = "come to a result of the tests"
    else:
        return
    name = seen[0][0].function.name
    told = f"of {part.count()} inputs that no test uses {len(changed)} change"
    detail = f"{name}: {told}, and all of these, or nearly all, {which}"
    yield Reason(LAYER, "no-general-effect", detail, seen[0][0].function.path, hard=False)


def _is_rich(seen: Sequence[Probe]) -> bool:
    """So many values in each input, or in all of them, that whatever is drawn holds one of them by chance."""
    each = [set(atoms(probe)) for probe in seen]
    return min(map(len, each)) > MANY_VALUES or len(set().union(*each)) > 2 * MANY_VALUES


def is_narrow(case: Case, seen: Sequence[Entry]) -> bool:
    """An empty list, a zero, None; or only empty objects, or bounds that stood in the code: there may be no more."""
    known = known_constants(case)
    given = [values for probe, _, _ in seen if (values := probe.given())]
    edges = any(all(is_edge(value) for value in values) for values in given)
    bare = all(all(is_bare(value) for value in values) for values in given)
    bounds = all(all(value[0] != "str" and atom(value) in known for value in values) for values in given)
    return edges or (bool(given) and (bare or bounds))


def _is_free(entry: Entry, tested: set[object], *, refused: bool = False) -> bool:
    """Holds nothing of the tests, and is no error on both sides; that counts where the tests were `refused` too."""
    return _says_something(entry, refused=refused) and not _holds(entry[0], tested)


def _holds(probe: Probe, tested: set[object]) -> bool:
    """Whether something of the tests is in it: a value, or a longer text of theirs inside of another one."""
    found = set(atoms(probe))
    long = [text for one in tested if isinstance(one, str) and len(text := one.strip()) >= LONG]
    return bool(tested & found) or any(text in one for one in found if isinstance(one, str) for text in long)


def _is_usual(part: Compared) -> bool:
    """Whether inputs that no patch changes come to results of the tests as well."""
    same = [entry for entry in part.same if not entry[0].seen and entry[0].call.near]
    usual = [entry for entry in same if not is_edge(stripped(entry[2][0])) and _is_answer(entry, part)]
    return len(same) >= ENOUGH_APART and len(usual) > USUAL * len(same)


def _is_answer(entry: Entry, part: Compared) -> bool:
    """Comes to what the tests expect, of a function with many results; or to nothing, where they expect something."""
    if part.variety < MANY_RESULTS or entry[2][0][0] == "raised":
        return False
    if is_edge(stripped(entry[2][0])):
        return not all(is_edge(new[0]) for _, _, new in part.seen())
    came = normal(stripped(entry[2][0]))
    return is_plain(came) and came in part.answers


def atoms(probe: Probe) -> Iterator[object]:
    """Numbers and texts inside, but for those that are one of their kind."""
    for inner in essence(
        [_undated(value) for value in (*probe.call.arguments, *(item for _, item in probe.call.named))]
    ):
        found = atom(inner)
        if found is not None and not is_edge(inner):
            yield found


def _undated(tagged: Tagged) -> Tagged:
    """The same without the last month of dates: December is an edge, whichever test has it."""
    if isinstance(tagged, list) and tagged[:1] == ["std"] and str(tagged[1]).startswith("datetime:date"):
        return [*tagged[:2], [item for item in tagged[2] if item != integer(_MONTHS)]]
    return [_undated(item) for item in tagged] if isinstance(tagged, list) else tagged


def sizes(probe: Probe) -> Iterator[object]:
    """Lengths of rows and texts inside."""
    for inner in essence(probe.given()):
        if inner[0] in ("str", "list", "tuple", "dict") and len(inner[1]) > 1:
            yield len(inner[1])


def _thin(case: Case, part: Compared) -> Iterator[Reason]:
    """All that changes has a value, a size or a shape of the tests; what else is of the kind stays as it was."""
    if turns_bounds(case):
        return
    asked, known = Asked(case, part.seen()), known_constants(case)
    seen = [probe for probe, _, _ in part.seen()]
    effects = [entry for entry in part.beyond() if asked.counts(entry)]
    changed = [entry[0] for entry in effects if not _is_answer(entry, part)]
    same = [probe for probe, old, _ in part.same if not probe.seen and probe.call.near and old[0][0] != "raised"]
    same += [entry[0] for entry in effects if _is_answer(entry, part)]
    for name, slot, measure in _measures([*seen, *changed, *same]):
        tested = {measure(probe) for probe in seen} - {None}
        if not tested or all(value in (0, 1, -1, "") for value in tested):
            continue
        if slot is not None and all(atom(probe.given()[slot]) in known for probe in seen):
            continue
        if slot is not None and changed and all(_is_name(probe, slot) for probe in changed):
            continue
        others = same
        if slot is not None and name == "value" and changed and all(_is_in_reach(probe, slot) for probe in changed):
            others = [probe for probe in same if _is_in_reach(probe, slot)]
        for within in (tested.__contains__, _range(tested)):
            if within is not None and _is_thin(measure, within, changed, others):
                detail = f"{seen[0].function.name}: only inputs change whose {name} is as in the tests"
                yield Reason(LAYER, "thin-effect", detail, seen[0].function.path, hard=False)
                return


def _is_name(probe: Probe, slot: int) -> bool:
    """Whether an argument is a text that stands in another one, or in the object: it says which part is meant."""
    values = probe.given()
    others = [*probe.owner(), *values[:slot], *values[slot + 1 :]]
    return bool(values[slot][0] == "str" and any(inner == values[slot] for inner in essence(others)))


def _is_in_reach(probe: Probe, slot: int) -> bool:
    """Whether a number is one of so many things as stand in a row that is given: of more than that there are none."""
    values = probe.given()
    lengths = [size for place, value in enumerate(values) if place != slot and (size := _size(value)) is not None]
    number = _number(values[slot])
    return bool(lengths) and number is not None and number <= max(lengths)


def _measures(probes: Sequence[Probe]) -> Iterator[tuple[str, int | None, Callable[[Probe], Any]]]:
    """What can be measured of an input: its name, the argument, and how."""
    yield "largest number", None, _largest
    for slot in range(min((len(probe.given()) for probe in probes), default=0)):
        for name, measure in _MEASURES.items():
            yield name, slot, partial(_measured, slot, measure)


def _measured(slot: int, measure: Callable[[Tagged], Any], probe: Probe) -> Any:
    return measure(probe.given()[slot])


def _largest(probe: Probe) -> Any:
    numbers = [_number(inner) for inner in nodes(probe.given())]
    return max((abs(number) for number in numbers if number is not None), default=None)


def _range(values: set[Any]) -> Callable[[Any], bool] | None:
    """Within the size of the tests' numbers, or a little beyond."""
    if not all(isinstance(value, int | float) for value in values):
        return None
    most = max(abs(value) for value in values)
    return lambda value: isinstance(value, int | float) and abs(value) <= most


def _is_thin(
    measure: Callable[[Probe], Any], within: Callable[[Any], bool], changed: Sequence[Probe], same: Sequence[Probe]
) -> bool:  # fmt: skip
    now = Counter(within(measure(probe)) for probe in changed)
    still = Counter(within(measure(probe)) for probe in same)
    inside, outside = now[True] + still[True], now[False] + still[False]
    return (
        inside >= ENOUGH_INSIDE and outside >= ENOUGH_OUTSIDE
        and now[True] / inside >= INSIDE and now[False] / outside <= OUTSIDE
    )  # fmt: skip


def _number(tagged: Tagged) -> Any:
    found = atom(tagged)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def _size(tagged: Tagged) -> Any:
    """Length, of rows only where all is of one kind: others are sentences, in which length says little."""
    if tagged[0] in ("list", "tuple", "set", "frozenset") and len({item[0] for item in tagged[1]}) > 1:
        return None
    return len(tagged[1]) if tagged[0] in ("str", "list", "tuple", "set", "frozenset", "dict") else None


_MEASURES: dict[str, Callable[[Tagged], Any]] = {"value": _number, "size": _size}
"""Not the shape of a text: that some parts stand in it is what a condition asks for."""
