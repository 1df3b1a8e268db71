"""Layer O: assertions of the tests, replayed in a process that knows no test framework, and judged on our side.

What the box gives are values; the comparison with what the test expects is made here. A patch that only looks right
under pytest, or whose results agree with everything, says something else outside. A test takes part only where its
replay is as red or as green on the untouched commit as pytest found it, so that what cannot be replayed is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot import syntax
from bot.gate.baseline import file_of
from bot.gate.layer import Boxes, Case, Findings, Options
from bot.gate.outside import results
from bot.gate.targets.compare import Replayed, replayed
from bot.gate.targets.context import leans_on
from bot.gate.targets.replay import Program, Unfit
from bot.gate.targets.replayable import programs, targets_of
from bot.nouns import Reason
from sandbox import Files

LAYER = "replay"


@dataclass(frozen=True)
class _Trusted:
    """A test whose replay agrees with pytest on the untouched commit."""

    program: Program
    before: Replayed
    is_target: bool


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """Replays targets, and green tests beside them. Not applicable where no target can be replayed."""
    fit, unfit = programs(case)
    notes = tuple(f"{test} is not replayed: {why}" for test, why in _reasons(unfit))
    if not any(test in targets_of(case) for test in (one.test for one in fit)):
        return Findings(unapplied=_none(case, unfit), notes=notes[:10])
    before = _run(case, boxes, case.tree, fit)
    if before is None:
        return Findings(unapplied="the untouched commit could not be run outside pytest", notes=notes[:10])
    trusted, doubts = _trusted(case, fit, before)
    if not any(one.is_target for one in trusted):
        return Findings(unapplied="outside pytest the failing tests do not fail as they do inside", notes=notes[:10])
    after = _run(case, boxes, case.after, [one.program for one in trusted])
    if after is None:
        detail = "the patched code ran under pytest, and outside it there is no complete report"
        return Findings((Reason(LAYER, "replay-broke-off", detail),), notes=notes[:10])
    reasons = tuple(_against(case, boxes, trusted, after))
    held = sum(found.outcome == "pass" for found in after)
    targets = sum(one.is_target for one in trusted)
    told = f"{held} of {len(trusted)} replayed tests hold outside pytest, {targets} of them were red"
    return Findings(reasons, notes=(told, *doubts, *notes[:10]))


def _reasons(unfit: Sequence[Unfit]) -> Iterator[tuple[str, str]]:
    return ((one.test, one.why) for one in unfit)


def _none(case: Case, unfit: Sequence[Unfit]) -> str:
    whys = list(dict.fromkeys(one.why for one in unfit))
    return f"no failing test can be replayed: {'; '.join(whys[:3]) or 'they are not written out'}"


def _run(
    case: Case, boxes: Boxes, tree: Files, chosen: Sequence[Program], *, elsewhere: bool = True
) -> list[Replayed] | None:
    tasks = [{"kind": "case", "source": one.source} for one in chosen]
    found = results(boxes, case, tree, tasks, elsewhere=elsewhere)
    if found is None:
        return None
    return [replayed(one, result) for one, result in zip(chosen, found, strict=True)]


def _trusted(
    case: Case, chosen: Sequence[Program], before: Sequence[Replayed]
) -> tuple[list[_Trusted], tuple[str, ...]]:
    """Those that agree with pytest. Where a green test of a file is red outside, the file is left out altogether."""
    targets = targets_of(case)
    trusted: list[_Trusted] = []
    doubtful: set[str] = set()
    for one, found in zip(chosen, before, strict=True):
        if one.test in targets:
            if found.fails_like(targets[one.test]):
                trusted.append(_Trusted(one, found, True))
        elif found.outcome == "pass":
            trusted.append(_Trusted(one, found, False))
        elif found.outcome == "fail":
            doubtful.add(file_of(one.test))
    kept = [one for one in trusted if file_of(one.program.test) not in doubtful]
    notes = tuple(f"{path} is not replayed: green tests in it are red outside pytest" for path in sorted(doubtful))
    return kept, notes


def _against(case: Case, boxes: Boxes, trusted: Sequence[_Trusted], after: Sequence[Replayed]) -> Iterator[Reason]:
    """Contradictions: each seen in a box that looks like a box, too, or else twice in one that does not."""
    wrong = [one for one, found in zip(trusted, after, strict=True) if found.outcome == "fail"]
    chosen = [one.program for one in wrong]
    here = (_run(case, boxes, case.after, chosen, elsewhere=False) or []) if wrong else []
    held = any(found.outcome == "pass" for found in here)
    there = (_run(case, boxes, case.after, chosen) or []) if held else here
    for one, found, again in zip(wrong, here, there, strict=False):
        if found.outcome == "fail":
            yield _contradiction(case, one, found)
        elif found.outcome == "pass" and again.outcome == "fail":
            detail = f"{one.program.test} holds in a box, and where it looks like another machine {again.detail}"
            yield Reason(LAYER, "another-place", detail, file_of(one.program.test), hard=False)
    for one, found in zip(trusted, after, strict=True):
        yield from _strange(case, one, found)


def _contradiction(case: Case, one: _Trusted, found: Replayed) -> Reason:
    path = file_of(one.program.test)
    leans = leans_on(case.tree, path)
    detail = f"{one.program.test} passes under pytest, and outside it {found.detail}"
    if leans:
        return Reason(LAYER, "replay-differs", f"{detail}; it may be because {leans}", path, hard=False)
    return Reason(LAYER, "replay-differs", detail, path)


def _strange(case: Case, one: _Trusted, found: Replayed) -> Iterator[Reason]:
    """A plain value is expected, and the patch gives an object that decides itself what it is equal to."""
    known = set(one.before.strange)
    for number, owner in found.strange:
        if (number, owner) in known or not _is_changed(case, owner):
            continue
        detail = (
            f"{one.program.test} expects a plain value and gets a {owner}, which has rules of comparison of its own"
        )
        yield Reason(LAYER, "not-a-plain-value", detail, None, hard=number in one.before.plain)
        return


def _is_changed(case: Case, owner: str) -> bool:
    """True unless the class stands in a file of the tree that the patch leaves alone."""
    module, _, name = owner.partition(":")
    stem = module.replace(".", "/")
    paths = [path for path in case.tree if path.endswith((f"{stem}.py", f"{stem}/__init__.py"))]
    if not paths:
        return any(path.endswith((f"{stem}.py", f"{stem}/__init__.py")) for path in case.patch.files)
    return any(path in case.patch.files and _differs(case, path, name) for path in paths)


def _differs(case: Case, path: str, name: str) -> bool:
    """True when the patch changes this class, or the class is made in a way that is not written out."""
    texts = []
    for tree in (case.tree, case.after):
        try:
            module = syntax.parse(tree[path].data)
        except (SyntaxError, ValueError, RecursionError):
            return True
        found = [n for n in ast.walk(module) if isinstance(n, ast.ClassDef) and n.name == name.rpartition(".")[2]]
        texts.append([ast.dump(node) for node in found])
    return not texts[0] or texts[0] != texts[1]
