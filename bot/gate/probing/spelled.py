"""The same call in other words: an argument by its place, and by its keyword.

Calls are noted by place, however tests spell them. A patch that is right for `f(text, sep="-")` and not for
`f(text, "-")` knows how the test is written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from bot.gate.layer import Boxes, Case
from bot.gate.outside import results
from bot.gate.probing import telling
from bot.gate.probing.compared import LAYER, Compared, Probe
from bot.gate.probing.sides import checked, has_come, told
from bot.gate.probing.touched import Touched
from bot.gate.source.helpers import helpers
from bot.gate.source.paths import functions, parse
from bot.gate.targets.compare import short
from bot.nouns import Reason
from sandbox import Files

MOST_SEEN, MOST_OTHERS = 20, 20
EACH_S, TOTAL_S = 0.2, 10.0

Task = dict[str, Any]


def told_apart(case: Case, boxes: Boxes, compared: Compared) -> Iterator[Reason]:
    """The first call that comes to something else when an argument is given by its keyword, and did not before."""
    forms = [(probe, form) for probe in _some(compared) for form in _forms(case, probe)]
    now = _came(case, boxes, case.after, forms)
    torn = [number for number, (place, word, again) in enumerate(now) if place == again and _is_other(place, word)]
    before = _came(case, boxes, case.tree, [forms[number] for number in torn]) if torn else []
    for number, (was, word, _) in zip(torn, before, strict=False):
        if has_come(was) and has_come(word) and told(was) == told(word):
            probe, form = forms[number]
            spelled = telling.call(probe.function.name, form["arguments"], form["named"])
            ends = [telling.outcome(told(one)[0]) for one in now[number][:2]]
            detail = f"{spelled} comes to {ends[1]}, and the same by place to {ends[0]}"
            yield Reason(LAYER, "keyword-matters", detail, probe.function.path, hard=False)
            return


def _some(compared: Compared) -> list[Probe]:
    """Calls of tests, those first that the patch changes, and others that it changes."""
    return [
        *compared.tested()[:MOST_SEEN],
        *[probe for probe, _, _ in compared.beyond() if probe.call.near][:MOST_OTHERS],
    ]


def _forms(case: Case, probe: Probe) -> Iterator[Task]:
    """The call with its last argument by keyword, and with all that can be given so."""
    names, first = _names(case, probe.function)
    task = probe.task("call")
    given = task["arguments"]
    if len(given) != len(names) or first >= len(names):
        return
    for start in dict.fromkeys((len(names) - 1, first)):
        by_word = dict(zip(names[start:], given[start:], strict=True))
        yield {**task, "arguments": given[:start], "named": {**by_word, **task["named"]}, "times": 1}


def _names(case: Case, function: Touched) -> tuple[list[str], int]:
    """Parameters that a call fills by place, and the first that a caller may give by its keyword."""
    node = dict(functions(parse(case.tree[function.path].data))).get(function.name)
    if node is None or node.args.vararg:
        return [], 0
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    is_static = any(ast.unparse(one) == "staticmethod" for one in node.decorator_list)
    is_method = "." in function.name and not is_static
    if is_method and (function.is_init or function.bound):
        return names[1:], max(len(node.args.posonlyargs) - 1, 0)
    return names, max(len(node.args.posonlyargs), int(is_method))


def _came(case: Case, boxes: Boxes, tree: Files, forms: Sequence[tuple[Probe, Task]]) -> list[tuple[Any, Any, Any]]:
    """What each came to by place, by keyword, and by place again; nothing where there is no report."""
    tasks = [{**one, "times": 1} for probe, form in forms for one in (probe.task("call"), form, probe.task("call"))]
    how: dict[str, Any] = {"each_s": EACH_S, "total_s": TOTAL_S, "helpers": helpers(case)}
    sound = (checked(results(boxes, case, tree, tasks, **how)) if tasks else None) or []
    return list(zip(sound[::3], sound[1::3], sound[2::3], strict=True))


def _is_other(place: Any, word: Any) -> bool:
    """Another result; an argument that has another name with the patch is none."""
    if not has_come(place) or not has_come(word) or told(place) == told(word):
        return False
    came = word[0]
    return not (came[0] == "raised" and short(came[1][0]) == "TypeError" and "argument" in str(came[2]))
