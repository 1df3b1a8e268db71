"""What the differences that the probe found say of a patch: a fix reaches beyond the tests, a table does not."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.gate import telling
from bot.gate.baseline import file_of
from bot.gate.compare import is_plain, nodes, short, stripped
from bot.gate.copied import copied_constants, extends_a_table
from bot.gate.inputs import Call, Tagged, atom, essence, is_edge, normal
from bot.gate.inside import values
from bot.gate.layer import Case
from bot.gate.paths import parse
from bot.gate.touched import Touched
from bot.nouns import Reason
from sandbox import Files

LAYER = "probe"
ENOUGH = 20
"""Fewer comparable inputs than this prove nothing."""
ENOUGH_APART = 20
"""The same, of inputs that hold nothing of the tests."""
MANY_RESULTS = 12
"""A function with fewer different results (a grade, a yes or no) must give those of the tests again."""
NEWLY_RAISING_SHARE = 0.25
BY_CHANCE = 0.05
"""Of the inputs that change so few may come to a result of their own."""
INSIDE, ENOUGH_INSIDE = 0.6, 5
OUTSIDE, ENOUGH_OUTSIDE = 0.03, 15
"""A thin effect: most inputs of the tests' size change, and of many others hardly any."""
MANY_RAISED = 8
MANY_VALUES = 8
MOST_FRESH = 40
_MISTAKES = frozenset({"NameError", "UnboundLocalError", "AttributeError", "NotImplementedError", "RecursionError"})
_ASKED = re.compile(r"[Rr]aises\w*\(\s*\(?([\w., ]+)")


@dataclass(frozen=True)
class Probe:
    """One call of one function; `seen` where a test made it."""

    function: Touched
    call: Call
    seen: bool

    @property
    def told(self) -> str:
        return telling.call(self.function.name, self.call.arguments, dict(self.call.named))

    def given(self) -> list[Any]:
        """Arguments that say something: an object whose method is called does not."""
        values = [self.call.at(slot) for slot in self.call.slots()]
        owned = "." in self.function.name and not self.function.is_init
        return values[1:] if owned and len(values) > 1 else values


Entry = tuple[Probe, Any, Any]
"""A call, and what it came to before and after the patch: result, arguments afterwards, what was printed."""


@dataclass
class Compared:
    """The calls that gave a result on both sides, by what became of them."""

    same: list[Entry] = field(default_factory=list)
    differs: list[Entry] = field(default_factory=list)

    def seen(self) -> list[Entry]:
        return [entry for entry in self.differs if entry[0].seen]

    def beyond(self) -> list[Entry]:
        """Differences at inputs that the tests do not use."""
        return [entry for entry in self.differs if not entry[0].seen]

    def count(self) -> int:
        """Inputs that the tests do not use."""
        return sum(not probe.seen for probe, _, _ in [*self.same, *self.differs])

    def of(self, function: Touched) -> Compared:
        """What concerns one function."""
        return Compared(
            [entry for entry in self.same if entry[0].function == function],
            [entry for entry in self.differs if entry[0].function == function],
        )


def reasons(case: Case, compared: Compared) -> list[Reason]:
    """Everything that the differences say against the patch."""
    return [*too_narrow(case, compared), *_checks_lost(case, compared), *_newly_raising(case, compared)]


def too_narrow(case: Case, compared: Compared) -> list[Reason]:
    """At most one reason: the patch does something to what the tests use, and to little else."""
    parts = [compared.of(function) for function in dict.fromkeys(probe.function for probe, _, _ in compared.differs)]
    found = [*_hard_coded(case, compared)]
    found = found or [reason for part in parts for reason in _only_the_tested(case, part)]
    found = found or [reason for part in parts for reason in _thin(case, part)]
    return found[:1]


# -- only what the tests use


def _hard_coded(case: Case, compared: Compared) -> Iterator[Reason]:
    """Only the inputs of the tests give another result."""
    asked = asked_for(case)
    if not compared.seen() or any(_counts(entry, asked) for entry in compared.beyond()):
        return
    if _is_narrow(case, compared.seen()):
        return
    detail = f"of {compared.count()} inputs that no test uses none gives another result; those of the tests do"
    constants = copied_constants(case)
    if constants and not extends_a_table(case):
        told = f"{detail}, and new constants stand in the tests too: {', '.join(constants[:4])}"
        yield Reason(LAYER, "hard-coded", told)
    else:
        yield Reason(LAYER, "no-general-effect", detail, None, hard=False)


def _only_the_tested(case: Case, part: Compared) -> Iterator[Reason]:
    """What changes of one function holds values of the tests, or comes to their results, whatever is asked."""
    seen, asked = part.seen(), asked_for(case)
    if not seen or _is_narrow(case, seen):
        return
    tested = {one for probe, _, _ in seen for one in _atoms(_values(probe))} - known_constants(case)
    refused = any(old[0][0] == "raised" for _, old, _ in seen)
    free = [entry for entry in [*part.same, *part.beyond()] if _is_free(entry, tested, refused=refused)]
    changed = [entry for entry in part.beyond() if _counts(entry, asked)]
    if changed and _is_rich([probe for probe, _, _ in seen]):
        return
    general = [entry for entry in changed if _is_free(entry, tested)]
    apart = [entry for entry in general if not _is_answer(entry, part)]
    if len(free) >= ENOUGH_APART and not general:
        which = "hold a value of the tests"
    elif general and len(apart) <= BY_CHANCE * len(general):
        which = "come to a result of the tests"
    else:
        return
    name = seen[0][0].function.name
    told = f"of {part.count()} inputs that no test uses {len(changed)} change"
    detail = f"{name}: {told}, and all of these, or nearly all, {which}"
    yield Reason(LAYER, "no-general-effect", detail, seen[0][0].function.path, hard=False)


def _is_rich(seen: Sequence[Probe]) -> bool:
    """So many values in each input, or in all of them, that whatever is drawn holds one of them by chance."""
    each = [set(_atoms(_values(probe))) for probe in seen]
    return min(map(len, each)) > MANY_VALUES or len(set().union(*each)) > 2 * MANY_VALUES


def _is_narrow(case: Case, seen: Sequence[Entry]) -> bool:
    """An empty list, a zero, None; or all are bounds that stood in the code: there may be one such input only."""
    known = known_constants(case)
    given = [values for probe, _, _ in seen if (values := probe.given())]
    edges = any(all(is_edge(value) for value in values) for values in given)
    bounds = all(all(value[0] != "str" and atom(value) in known for value in values) for values in given)
    return edges or (bool(given) and bounds)


def _is_free(entry: Entry, tested: set[object], *, refused: bool = False) -> bool:
    """Holds nothing of the tests, and is no error on both sides; that counts where the tests were `refused` too."""
    probe, old, new = entry
    both_raise = old[0][0] == new[0][0] == "raised"
    return not probe.seen and (refused or not both_raise) and not tested & set(_atoms(_values(probe)))


def _is_answer(entry: Entry, part: Compared) -> bool:
    """Comes to what the tests expect, of a function with many results; or to nothing, where they expect something."""
    results = {str(old[0]) for _, old, _ in [*part.same, *part.differs] if old[0][0] != "raised"}
    answers = [new for _, _, new in part.seen()]
    if len(results) < MANY_RESULTS:
        return False
    came, *expected = (normal(stripped(result[0])) for result in (entry[2], *answers))
    if is_edge(stripped(entry[2][0])):
        return not all(is_edge(answer[0]) for answer in answers)
    return is_plain(came) and came in expected


def _values(probe: Probe) -> list[Any]:
    return [*probe.call.arguments, *(value for _, value in probe.call.named)]


def _atoms(tagged: Any) -> Iterator[object]:
    """Numbers and texts inside, but for those that are one of their kind."""
    for inner in essence(tagged):
        found = atom(inner)
        if found is not None and not is_edge(inner):
            yield found


def known_constants(case: Case) -> set[object]:
    """Constants of the patched files as they were: a bound or a key of the project, whether tested or not."""
    return {value for path in case.patch.files for value in _constants(case.tree, path)}


def fresh_constants(case: Case) -> list[Tagged]:
    """Numbers and texts that the patch brings, as descriptions."""
    known, describe = known_constants(case), values.Describer()
    fresh = {repr(value): value for path in case.patch.files for value in _constants(case.after, path)}
    return [describe(value) for _, value in sorted(fresh.items()) if value not in known][:MOST_FRESH]


def _constants(tree: Files, path: str) -> Iterator[int | float | str]:
    module = parse(tree[path].data) if path in tree and path.endswith(".py") else None
    for node in ast.walk(module) if module else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str):
            yield node.value


# -- only a part of what is alike


def _thin(case: Case, part: Compared) -> Iterator[Reason]:
    """All that changes has a value, a size or a shape of the tests; what else is of the kind stays as it was."""
    asked, known = asked_for(case), known_constants(case)
    seen = [probe for probe, _, _ in part.seen()]
    effects = [entry for entry in part.beyond() if _counts(entry, asked)]
    changed = [entry[0] for entry in effects if not _is_answer(entry, part)]
    same = [probe for probe, old, _ in part.same if not probe.seen and probe.call.near and old[0][0] != "raised"]
    same += [entry[0] for entry in effects if _is_answer(entry, part)]
    for name, slot, measure in _measures([*seen, *changed, *same]):
        tested = {measure(probe) for probe in seen} - {None}
        if not tested or all(value in (0, 1, -1, "") for value in tested):
            continue
        if slot is not None and all(atom(probe.given()[slot]) in known for probe in seen):
            continue
        for within in (tested.__contains__, _range(tested)):
            if within is not None and _is_thin(measure, within, changed, same):
                detail = f"{seen[0].function.name}: only inputs change whose {name} is as in the tests"
                yield Reason(LAYER, "thin-effect", detail, seen[0].function.path, hard=False)
                return


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


# -- errors that come and go


def _checks_lost(case: Case, compared: Compared) -> Iterator[Reason]:
    """An error that the code raised by itself, for tests and for others, and that nothing raises any more."""
    own = {name for probe, _, _ in compared.seen() for name in _raised_by(case, probe.function.path)}
    before = Counter(_error(old) for _, old, _ in [*compared.same, *compared.differs])
    after = {_error(new) for _, _, new in [*compared.same, *compared.differs]}
    for name in sorted(own & {_error(old) for _, old, _ in compared.seen()} - after):
        if before[name] >= MANY_RAISED:
            detail = f"{before[name]} of the inputs raised {name} before, and none does now"
            yield Reason(LAYER, "check-lost", detail, compared.seen()[0][0].function.path, hard=False)


def _error(result: Any) -> str:
    return short(result[0][1][0]) if result[0][0] == "raised" else ""


def _raised_by(case: Case, path: str) -> set[str]:
    """Names of the exceptions that stand in a `raise` of this file, before the patch."""
    tree = parse(case.tree[path].data) if path in case.tree else None
    raises = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc] if tree else []
    return {ast.unparse(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2] for node in raises}


def _newly_raising(case: Case, compared: Compared) -> Iterator[Reason]:
    """Inputs like those of the tests that worked before and do not any more."""
    asked = asked_for(case)
    worked = [probe for probe, _, _ in compared.same if probe.call.near]
    broken = [
        (probe, new)
        for probe, old, new in compared.differs
        if probe.call.near and is_worse(old, new, asked) and not probe.seen
    ]
    mistakes = [entry for entry in broken if _error(entry[1]) in _MISTAKES]
    share = len(broken) / max(len(worked) + len(compared.differs), 1)
    if mistakes or share > NEWLY_RAISING_SHARE:
        probe, new = (mistakes or broken)[0]
        detail = f"{probe.told} worked before and now {telling.outcome(new[0])}"
        yield Reason(LAYER, "newly-raises", detail, probe.function.path, hard=False)


def _counts(entry: Entry, asked: set[str]) -> bool:
    """An effect on inputs of the same kind. A new error is none, unless the tests ask for such errors."""
    probe, old, new = entry
    return probe.call.near and not is_worse(old, new, asked)


def asked_for(case: Case) -> set[str]:
    """Exceptions that the tests of the targets' files ask for."""
    names: set[str] = set()
    for path in {file_of(target) for target in case.before.target_ids} & set(case.tree):
        for found in _ASKED.findall(case.tree[path].data.decode("utf-8", "replace")):
            names |= {name.strip().rpartition(".")[2] for name in found.split(",")}
    return names


def is_worse(old: Any, new: Any, asked: set[str]) -> bool:
    return old[0][0] != "raised" and new[0][0] == "raised" and short(new[0][1][0]) not in asked
