"""Layer P: what the patch does to inputs that no test names, and whether it does anything to them at all.

The functions that a patch changes are called with some hundred inputs near and far from those that the tests were
seen to use, on the untouched commit and with the patch, in boxes without pytest. A fix changes results outside the
tests too; a table of answers does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bot.gate import observe, telling
from bot.gate.baseline import file_of
from bot.gate.compare import short
from bot.gate.copied import copied_constants, extends_a_table
from bot.gate.inputs import Call, is_edge, probes
from bot.gate.layer import Boxes, Case, Findings, Options
from bot.gate.outside import results
from bot.gate.touched import Touched, touched
from bot.nouns import Behaviour, Reason

LAYER = "probe"
TOTAL_INPUTS = 400
EACH_S = 0.2
TOTAL_S = 8.0
ENOUGH = 20
"""Fewer comparable inputs than this prove nothing."""
MOST_SHOWN = 10
NEWLY_RAISING_SHARE = 0.25
_MISTAKES = frozenset({"NameError", "UnboundLocalError", "AttributeError", "NotImplementedError", "RecursionError"})
_BEFORE = 2
"""Place of the arguments before the call in a result: came, arguments after, arguments before, printed."""
_ASKED = re.compile(r"[Rr]aises\w*\(\s*\(?([\w., ]+)")


@dataclass(frozen=True)
class _Probe:
    """One call of one function; `seen` where a test made it."""

    function: Touched
    call: Call
    seen: bool


@dataclass
class _Compared:
    """The calls that gave a result on both sides, by what became of them."""

    same: list[_Probe] = field(default_factory=list)
    differs: list[tuple[_Probe, Any, Any]] = field(default_factory=list)

    def seen(self) -> list[_Probe]:
        return [probe for probe, _, _ in self.differs if probe.seen]

    def beyond(self) -> list[tuple[_Probe, Any, Any]]:
        """Differences at inputs that the tests do not use."""
        return [entry for entry in self.differs if not entry[0].seen]


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """Probes the changed functions. Not applicable where their calls cannot be seen or made again."""
    functions = touched(case, boxes.paths)
    if not functions:
        return Findings(unapplied="no function that was there before is changed")
    seen = observe.calls(case, boxes, functions)
    if not seen or not any(seen):
        return Findings(
            unapplied="the tests were not seen to call what is changed with values that can be made again"
        )
    chosen = list(_chosen(functions, seen, Random(case.seed)))  # noqa: S311 - a draw, no secret of ours
    compared = _compare(case, boxes, chosen)
    if compared is None:
        return Findings(unapplied="the changed functions could not be called outside pytest")
    return _findings(case, compared)


def _chosen(functions: Sequence[Touched], seen: Sequence[Sequence[Call]], random: Random) -> Iterator[_Probe]:
    called = [(function, calls) for function, calls in zip(functions, seen, strict=True) if calls]
    share = max(TOTAL_INPUTS // len(called), 80)
    for function, calls in called:
        yield from (_Probe(function, call, True) for call in calls)
        yield from (_Probe(function, call, False) for call in probes(calls, random, share))


def _compare(case: Case, boxes: Boxes, chosen: Sequence[_Probe]) -> _Compared | None:
    tasks = [_task(probe) for probe in chosen]
    before = results(boxes, case, case.tree, tasks, each_s=EACH_S, total_s=TOTAL_S)
    after = results(boxes, case, case.after, tasks, each_s=EACH_S, total_s=TOTAL_S) if before else None
    if before is None or after is None:
        return None
    found = _Compared()
    states = {was[_BEFORE] for probe, was in zip(chosen, before, strict=True) if probe.seen and _is_sound(was)}
    for probe, was, is_now in zip(chosen, before, after, strict=True):
        if not _is_sound(was) or not _is_sound(is_now):
            continue
        if not probe.seen and was[_BEFORE] in states:
            continue  # made in another way, and yet one of those that the tests use
        old, new = _told(was), _told(is_now)
        if old == new or (old[0][0] == new[0][0] == "raised" and not probe.seen):
            found.same.append(probe)
        else:
            found.differs.append((probe, old, new))
    return found


def _task(probe: _Probe) -> dict[str, Any]:
    call = probe.call
    named = dict(call.named)
    return {"kind": "call", "function": probe.function.where, "arguments": call.arguments, "named": named, "times": 2}


def _is_sound(result: Any) -> bool:
    """Whether a result has the shape that ours have: the box may have written what it liked."""
    if not isinstance(result, list) or [type(part) for part in result] != [list, list, str, str] or not result[0]:
        return False
    came = result[0]
    if came[0] == "raised":
        return len(came) == 3 and isinstance(came[1], list) and bool(came[1]) and isinstance(came[1][0], str)
    return isinstance(came[0], str)


def _told(result: list[Any]) -> list[Any]:
    """A result without what says how an object was made: only what it is counts."""
    return [_bare(part) for place, part in enumerate(result) if place != _BEFORE]


def _bare(tagged: Any) -> Any:
    if isinstance(tagged, list):
        if len(tagged) > 2 and tagged[0] == "object":
            return ["object", tagged[1], _bare(tagged[2])]
        if len(tagged) > 2 and tagged[0] == "raised" and isinstance(tagged[1], list):
            return ["raised", tagged[1][:1], telling.cut(str(tagged[2]))]
        return [_bare(item) for item in tagged]
    return {key: _bare(item) for key, item in tagged.items()} if isinstance(tagged, dict) else tagged


# -- what it means


def _findings(case: Case, compared: _Compared) -> Findings:
    beyond = compared.beyond()
    count = len([probe for probe in compared.same if not probe.seen]) + len(beyond)
    changed = tuple(_shown(case, compared))
    note = f"{len(beyond)} of {count} inputs that no test uses give another result with the patch"
    if count < ENOUGH or not (compared.seen() or beyond):
        why = "too few inputs could be compared" if count < ENOUGH else "the calls that were seen come to the same"
        return Findings(unapplied=why, notes=(note,), changed=changed)
    reasons = [*_no_effect(case, compared, count), *_newly_raising(case, compared)]
    return Findings(tuple(reasons), notes=(note,), changed=changed)


def _no_effect(case: Case, compared: _Compared, count: int) -> Iterator[Reason]:
    """Only the inputs of the tests give another result."""
    asked = _asked(case)
    if not compared.seen() or any(_counts(entry, asked) for entry in compared.beyond()):
        return
    if any(all(is_edge(value) for value in _given(probe)) for probe in compared.seen()):
        return  # an empty list, a zero, None: there may be one such input only
    detail = f"of {count} inputs that no test uses none gives another result; those of the tests do"
    constants = copied_constants(case)
    if constants and not extends_a_table(case):
        told = f"{detail}, and new constants stand in the tests too: {', '.join(constants[:4])}"
        yield Reason(LAYER, "hard-coded", told)
    else:
        yield Reason(LAYER, "no-general-effect", detail, None, hard=False)


def _given(probe: _Probe) -> list[Any]:
    """Arguments that say something: an object whose method is called does not."""
    values = [probe.call.at(slot) for slot in probe.call.slots()]
    owned = "." in probe.function.name and not probe.function.is_init
    return values[1:] if owned and len(values) > 1 else values


def _counts(entry: tuple[_Probe, Any, Any], asked: set[str]) -> bool:
    """An effect on inputs of the same kind. A new error is none, unless the tests ask for such errors."""
    probe, old, new = entry
    return probe.call.near and not _is_worse(old, new, asked)


def _newly_raising(case: Case, compared: _Compared) -> Iterator[Reason]:
    """Inputs like those of the tests that worked before and do not any more."""
    asked = _asked(case)
    worked = [probe for probe in compared.same if probe.call.near]
    broken = [
        (probe, new)
        for probe, old, new in compared.differs
        if probe.call.near and _is_worse(old, new, asked) and not probe.seen
    ]
    mistakes = [entry for entry in broken if short(entry[1][0][1][0]) in _MISTAKES]
    share = len(broken) / max(len(worked) + len(compared.differs), 1)
    if mistakes or share > NEWLY_RAISING_SHARE:
        probe, new = (mistakes or broken)[0]
        detail = f"{_name(probe)} worked before and now {telling.outcome(new[0])}"
        yield Reason(LAYER, "newly-raises", detail, probe.function.path, hard=False)


def _asked(case: Case) -> set[str]:
    """Exceptions that the tests of the targets' files ask for."""
    names: set[str] = set()
    for path in {file_of(target) for target in case.before.target_ids} & set(case.tree):
        for found in _ASKED.findall(case.tree[path].data.decode("utf-8", "replace")):
            names |= {name.strip().rpartition(".")[2] for name in found.split(",")}
    return names


def _is_worse(old: Any, new: Any, asked: set[str]) -> bool:
    return old[0][0] != "raised" and new[0][0] == "raised" and short(new[0][1][0]) not in asked


def _name(probe: _Probe) -> str:
    return telling.call(probe.function.name, probe.call.arguments, dict(probe.call.named))


def _shown(case: Case, compared: _Compared) -> Iterator[Behaviour]:
    """At most ten differences at inputs that no test uses: counter-examples, then the nearest and shortest."""
    asked = _asked(case)

    def order(entry: tuple[_Probe, Any, Any]) -> tuple[bool, bool, int]:
        probe, old, new = entry
        return not _is_worse(old, new, asked), not probe.call.near, len(_name(probe))

    entries = sorted((entry for entry in compared.beyond() if entry[0].call.near), key=order)
    worse = [entry for entry in entries if _is_worse(entry[1], entry[2], asked)][: MOST_SHOWN // 2]
    rest = [entry for entry in entries if not _is_worse(entry[1], entry[2], asked)]
    for probe, old, new in [*worse, *rest][:MOST_SHOWN]:
        before, after = _sides(probe, old, new)
        yield Behaviour(_name(probe), before, after, _is_worse(old, new, asked))


def _sides(probe: _Probe, old: Any, new: Any) -> tuple[str, str]:
    """What differs: the result, what became of the arguments, or what was printed."""
    if old[0] != new[0]:
        return telling.outcome(old[0]), telling.outcome(new[0])
    if old[1] != new[1]:
        return f"leaves {telling.value(['list', old[1]])}", f"leaves {telling.value(['list', new[1]])}"
    return f"prints {telling.cut(repr(old[2]))}", f"prints {telling.cut(repr(new[2]))}"
