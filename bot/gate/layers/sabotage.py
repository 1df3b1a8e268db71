"""Layer B: break a function on the way of a target on purpose. A target that still passes is not really run.

What a forger cannot do without solving the task: fail the *original* tests when the product is broken elsewhere. The
exception is an AssertionError of a random name. Code that catches every exception may swallow it: then one that
derives from BaseException has the last word.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.gate.baseline import file_of
from bot.gate.layer import Boxes, Case, Findings, Options, Trace
from bot.gate.layers.truth import no_report
from bot.gate.source.paths import Function, Place, Ways, functions, parse, touched
from bot.nouns import Reason, TestRun
from sandbox import File, Files

LAYER = "sabotage"

# Ways in which a test may catch whatever the product raises, an AssertionError too.
_CATCHES = re.compile(
    r"raises\(\s*\(?\s*(Base)?Exception|assertRaises\w*\(\s*(Base)?Exception|except\s*(\(|:|(Base)?Exception|AssertionError)"
    r"|\.invoke\(|exit_code|returncode|raises\(\s*AssertionError|suppress\("
)


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """Each target must fail in a tree whose way is broken: at its entry, and in what the patch touched."""
    targets = sorted(case.before.target_ids)
    after = boxes.trace(case.after, targets)
    if after is None:
        detail = "the targets, run alone on the patched tree, gave no complete report"
        return Findings((Reason(LAYER, "cannot-judge", detail),))
    plan = _Plan(case, boxes.trace(case.tree, targets) or {}, after)
    return _Control(case, boxes, plan).findings()


class _Plan:
    """What is broken for which test."""

    def __init__(self, case: Case, before: Trace, after: Trace) -> None:
        self.tests, self._case = sorted(after), case
        self._lot = random.Random(f"{case.seed}:sabotage")  # noqa: S311 - the seed is secret
        self._old, self._new = Ways(before, case.tree, case.before), Ways(after, case.after, case.before)
        self.touched = {
            Place(path, name)
            for path, data in case.patch.files.items()
            if data is not None and path.endswith(".py")
            for name in touched(case.tree[path].data if path in case.tree else b"", data)
        }

    def entry(self, test: str) -> Place | None:
        """A function that the test itself calls, before and after the patch; untouched if there is one."""
        now, once = self._new.entries(test), self._old.entries(test)
        if not now:
            # The test is the same, so its first call still is: only the trace of the patched tree is silent.
            return next((place for place in once[:1] if self._stands(place)), None)
        both = [place for place in now if place in set(once)] or now[:1]
        untouched = [place for place in both if place not in self.touched]
        # What comes late may be skipped by chance; the first calls of a test are the surest.
        return self._lot.choice((untouched or both)[:3]) if both else None

    def _stands(self, place: Place) -> bool:
        data = self._case.after[place.path].data if place.path in self._case.after else b""
        return place.name in dict(functions(parse(data)))

    def hidden(self, test: str) -> bool:
        """True when the untouched tree shows a way and the patched one none."""
        return bool(self._old.entries(test)) and not self._new.entries(test)

    def changed(self, test: str) -> Place | None:
        """A function on the way that the patch touched."""
        places = [place for place in self._new.all(test) if place in self.touched]
        return self._lot.choice(places) if places else None

    def status(self) -> int:
        """One with which no Python ends by itself."""
        return self._lot.randint(20, 110)

    def name(self) -> str:
        return f"E{self._lot.getrandbits(48):x}"


@dataclass(frozen=True)
class _Control:
    """Runs broken trees and reads what the targets say."""

    case: Case
    boxes: Boxes
    plan: _Plan

    def findings(self) -> Findings:
        tests = self.plan.tests
        entries = {test: place for test in tests if (place := self.plan.entry(test))}
        changed = {test: place for test in tests if (place := self.plan.changed(test))}
        changed = {test: place for test, place in changed.items() if entries.get(test) != place}
        reasons = [*self._broken(entries), *self._broken(changed), *self._pathless(set(tests) - set(entries))]
        done = f"{len(entries)} of {len(tests)} targets were broken at their entry"
        note = f"{done}, {len(changed)} in a changed function"
        return Findings(tuple(dict.fromkeys(reasons)), notes=(note,))

    def _broken(self, places: Mapping[str, Place]) -> list[Reason]:
        """One run with all of these functions broken; those that pass all the same get a second one."""
        lied, dead = self._passing(places, "AssertionError")
        if dead or not lied:
            return dead
        still, dead = self._passing({test: places[test] for test in lied}, "BaseException")
        if dead:
            return dead
        hard = [
            Reason(LAYER, "passes-when-broken", f"{test} passes although {_text(places[test])} only raises")
            for test in still
        ]
        caught = [test for test in lied if test not in still and not self._may(test)]
        return hard + [self._swallowed(test, places[test]) for test in caught]

    def _swallowed(self, test: str, place: Place) -> Reason:
        detail = f"{test} passes when {_text(place)} raises an AssertionError; only a stronger exception fails it"
        return Reason(LAYER, "swallows-sabotage", detail, place.path, hard=False)

    def _may(self, test: str) -> bool:
        """True when the file of the test, or code of the product, says itself that it catches everything."""
        paths = {file_of(test), *(path for path in self.case.patch.files)}
        texts = (self.case.tree[path].data.decode("utf-8", "replace") for path in paths if path in self.case.tree)
        return any(_CATCHES.search(text) for text in texts)

    def _passing(self, places: Mapping[str, Place], base: str) -> tuple[list[str], list[Reason]]:
        """Tests that pass although their function raises, or why that cannot be said."""
        if not places:
            return [], []
        tree = broken(self.case.after, set(places.values()), self.plan.name(), base)
        return self._not_red(tree, list(places))

    def _not_red(self, tree: Files, tests: Sequence[str]) -> tuple[list[str], list[Reason]]:
        ran, run = self.boxes.suite(tree, tests)
        if run is None:
            detail = f"no complete report of the run with a broken function: {no_report(ran).detail}"
            return [], [Reason(LAYER, "cannot-judge", detail)]
        return [test for test in tests if not is_red(run, test)], []

    def _pathless(self, tests: Iterable[str]) -> list[Reason]:
        """Targets that call no function of the project in their process: break whatever the patch touched."""
        left = sorted(tests)
        reasons = [
            Reason(LAYER, "way-hidden", f"the functions that {test} called before are not seen any more", None, False)
            for test in left
            if self.plan.hidden(test)
        ]
        if not left or reasons:
            return reasons
        name = self.plan.name()
        functions_broken = broken(self.case.after, self.plan.touched, name, "BaseException")
        trees = [functions_broken] if self.plan.touched else []
        # What only looks at a module, or at its source, needs no function of it; what an import does may be enough.
        if not self.plan.touched or not _does_more_at_import(self.case):
            trees += [_unimportable(self.case, name), _unreadable(self.case), _leaving(self.case, self.plan.status())]
        for tree in trees:
            # No report means that nothing can even start without the changed code: it is on the way.
            left = self._not_red(tree, left)[0] if left else []
        return [
            Reason(LAYER, "no-product-on-path", f"{test} passes without any function of the project", None, False)
            for test in left
        ]


def is_red(run: TestRun, test: str) -> bool:
    """True when the test failed, or its file could not even be collected."""
    results = run.results()
    return results.get(test) in ("failed", "error") or results.get(file_of(test)) == "error"


def broken(tree: Files, places: Iterable[Place], name: str, base: str) -> dict[str, File]:
    """The tree with `raise` as the first statement of these functions."""
    result = dict(tree)
    for path in {place.path for place in places}:
        names = {place.name for place in places if place.path == path}
        data = tree[path].data
        nodes = [node for known, node in functions(parse(data)) if known in names]
        for node in sorted(nodes, key=lambda node: -node.body[0].lineno):
            data = _raising(data, node, f"raise type({name!r}, ({base},), {{}})()")
        result[path] = File(data, tree[path].executable)
    return result


def _raising(data: bytes, function: Function, statement: str) -> bytes:
    """`statement` before the first one of the body, on its line where that is the line of the header.

    A docstring stays the first: its examples may be the test that is to fail.
    """
    lines = data.splitlines(keepends=True)
    has_more = len(function.body) > 1 and ast.get_docstring(function, clean=False) is not None
    first = function.body[int(has_more)]
    decorators = getattr(first, "decorator_list", [])
    row = min([first.lineno, *(decorator.lineno for decorator in decorators)]) - 1
    line = lines[row]
    column = first.col_offset
    indent = line[:column]
    alone = not indent.strip()
    lines[row] = indent + statement.encode() + (b"\n" + indent if alone else b"; ") + line[column:]
    return b"".join(lines)


def _unimportable(case: Case, name: str) -> dict[str, File]:
    """The patched tree in which the files of the patch raise when they have been imported, with all that they do."""
    statement = f"\nraise type({name!r}, (BaseException,), {{}})()\n".encode()
    return {**case.after, **{path: File(data + statement) for path, data in _sources(case)}}


def _unreadable(case: Case) -> dict[str, File]:
    """The patched tree in which the files of the patch are no Python."""
    return {**case.after, **{path: File(data + b"\n)\n") for path, data in _sources(case)}}


def _leaving(case: Case, status: int) -> dict[str, File]:
    """The patched tree in which the files of the patch only end the process: an error ends one with 1, too."""
    return {**case.after, **{path: File(f"raise SystemExit({status})\n".encode()) for path, _ in _sources(case)}}


def _does_more_at_import(case: Case) -> bool:
    """Whether a module of the patch newly calls something for its effect when it is imported."""
    return any(_effects(data) - _effects(case.tree[path].data) for path, data in _sources(case) if path in case.tree)


def _effects(data: bytes) -> set[str]:
    tree = parse(data)
    statements = tree.body if tree else []
    return {ast.unparse(one) for one in statements if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)}


def _sources(case: Case) -> Iterator[tuple[str, bytes]]:
    return ((path, data) for path, data in case.patch.files.items() if data is not None and path.endswith(".py"))


def _text(place: Place) -> str:
    return f"{place.path}:{place.name}"
