"""Exceptions to a fix that a part of the patch makes, and that no failing test asks for.

Each part is taken back by itself. Where the failing tests pass all the same, and other inputs would then come to what
the failing tests ask for, and with that part come to something of their own, nobody asked for it. That a part mends
what no test looks at is no such thing: others of a table, a second function with the same fault.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from bot.gate.layer import Boxes, Case
from bot.gate.outside import results
from bot.gate.probing.compared import LAYER, Compared, Entry, Probe
from bot.gate.probing.sides import is_sound, told
from bot.gate.source.helpers import helpers
from bot.gate.source.paths import parse
from bot.nouns import Reason
from sandbox import File, Files

MOST_PARTS, MOST_INPUTS = 6, 600

Came = dict[int, list[Any]]
"""What each call comes to on one tree, by the `id` of its probe."""


def unneeded(case: Case, boxes: Boxes, compared: Compared) -> Iterator[Reason]:
    """The first part that is not needed and lets inputs, which were no errors and are none, out of the fix."""
    parts = list(_without_one(case))
    changed = [entry for entry in compared.differs if _worked(entry) and not entry[0].call.red and entry[0].call.near]
    red = [entry for entry in compared.entries() if entry[0].call.red]
    changed = sorted(changed, key=lambda entry: not entry[0].seen)[:MOST_INPUTS]
    if not changed or not 2 <= len(parts) <= MOST_PARTS:
        return
    probes = [entry[0] for entry in [*red, *changed]]
    # Calls may leave something behind in the box: all sides are asked for the same ones.
    before, after = (_came(case, boxes, tree, probes) for tree in (case.tree, case.after))
    for path, text, tree in parts:
        without = _came(case, boxes, tree, probes)
        if any(without.get(id(entry[0])) != after.get(id(entry[0])) for entry in red):
            continue
        asked = [after[id(entry[0])][0] for entry in red if id(entry[0]) in after]
        mine = [probe for probe in probes[len(red) :] if _is_by_it(id(probe), before, after, without, asked)]
        if mine and _is_green(case, boxes, tree):
            detail = f"without `{text}` the failing tests pass, too, and {mine[0].told} would be as they ask"
            yield Reason(LAYER, "part-unneeded", detail, path, hard=False)
            return


def _is_by_it(probe: int, before: Came, after: Came, without: Came, asked: Sequence[Any]) -> bool:
    """Whether a call worked, and by this part works otherwise, and not as red tests ask."""
    if not all(probe in side for side in (before, after, without)):
        return False
    was, is_now, would_be = before[probe], after[probe], without[probe]
    works = "raised" not in (was[0][0], is_now[0][0])
    return works and is_now not in (was, would_be) and would_be != was and would_be[0] in asked


def _worked(entry: Entry) -> bool:
    return "raised" not in (entry[1][0][0], entry[2][0][0])


def _without_one(case: Case) -> Iterator[tuple[str, str, Files]]:
    """Each part of the patch: its file, its first line, and the patched tree without it."""
    for path in sorted(case.patch.files):
        if path not in case.tree or path not in case.after or not path.endswith(".py"):
            continue
        old, new = (tree[path].data.decode("utf-8", "replace").splitlines(True) for tree in (case.tree, case.after))
        for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            data = "".join([*new[:c], *old[a:b], *new[d:]]).encode()
            if kind != "equal" and parse(data) is not None:
                text = next((line.strip() for line in [*new[c:d], *old[a:b]] if line.strip()), "")
                yield path, text[:80], {**case.after, path: File(data)}


def _came(case: Case, boxes: Boxes, tree: Files, probes: Sequence[Probe]) -> Came:
    tasks = [{**probe.task("call"), "times": 1} for probe in probes]
    found = results(boxes, case, tree, tasks, helpers=helpers(case)) or []
    return {id(probe): _unwaited(result) for probe, result in zip(probes, found, strict=False) if is_sound(result)}


def _unwaited(result: list[Any]) -> list[Any]:
    """What a call came to, however long it waited."""
    *parts, printed = told(result)
    return [*parts, re.sub(r"\[waits for .*\]$", "", printed)]


def _is_green(case: Case, boxes: Boxes, tree: Files) -> bool:
    """Whether all targets pass on this tree."""
    targets = sorted(case.before.target_ids)
    _, run = boxes.suite(tree, targets)
    found = run.results() if run is not None else {}
    return all(found.get(target) == "passed" for target in targets)
