"""Layer K: clones of the target tests with random names, of which only we know which must pass.

Beside each target's module lies a copy of it under a random name. For each target it holds clones that must pass,
clones that expect something else and must fail, and decoys of either kind. The same copy first runs on the untouched
tree: what behaves there unlike the original is not trusted. Nothing of it ever leaves the box.
"""

from __future__ import annotations

import posixpath
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bot.gate.baseline import file_of
from bot.gate.layer import Boxes, Case, Findings, Options
from bot.gate.layers.truth import no_report
from bot.gate.source.paths import functions, parse
from bot.gate.targets.clones import Clone, Module, build, is_bound_to_its_name
from bot.nouns import Reason, TestCase, TestRun
from sandbox import File

LAYER = "canaries"

MAX_TESTS = 6
"""Tests of one module that are cloned; drawn by lot where there are more."""
MAX_MODULES = 5
MAX_ALONE = 12
"""Clones that are tried again in a box of their own when they seem to disturb one another."""


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """Run the clones before and after the patch, and compare with what we know of them."""
    nest = _Nest(case)
    for path, targets in _by_file(case).items():
        nest.add(path, targets)
    if not nest.eggs:
        return Findings(unapplied="; ".join(nest.notes) or "no target is a test in a Python file", notes=())
    _, before = boxes.suite({**case.tree, **nest.files}, nest.ids())
    nest.calibrate(before)
    if not nest.eggs:
        detail = "no clone behaves as its original does on the untouched tree"
        return Findings(unapplied=detail, notes=tuple(nest.notes))
    ran, after = boxes.suite(case.after | nest.files, nest.ids())
    if after is None:
        detail = f"the clones of the targets gave no complete report: {no_report(ran).detail}"
        return Findings((Reason(LAYER, "cannot-judge", detail),), notes=tuple(nest.notes))
    reasons = tuple(nest.reasons(after))
    if any(reason.hard for reason in reasons):
        reasons = (*nest.reasons(nest.alone(after, boxes)), *nest.disturbed)
    return Findings(reasons, notes=tuple(nest.notes))


def _by_file(case: Case) -> dict[str, list[str]]:
    """Python files of tests -> ids of their targets; doctests and files of other kinds left out."""
    found: dict[str, list[str]] = {}
    for test in sorted(case.before.target_ids - case.before.doctests):
        if file_of(test) in case.tree and file_of(test).endswith(".py"):
            found.setdefault(file_of(test), []).append(test)
    return found


@dataclass(frozen=True)
class _Egg:
    """One clone with one set of parameters: its own id, and the id that it was made from."""

    id: str
    clone: Clone
    original: str


@dataclass
class _Nest:
    """All clone modules of one judgement."""

    case: Case
    files: dict[str, File] = field(default_factory=dict)
    eggs: list[_Egg] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    vacuous: set[str] = field(default_factory=set)
    disturbed: list[Reason] = field(default_factory=list)

    def add(self, path: str, targets: list[str]) -> None:
        """Lay a clone of the module at `path` beside it."""
        lot = random.Random(f"{self.case.seed}:canaries:{path}")  # noqa: S311 - the seed is secret
        source = parse(self.case.tree[path].data)
        if source is None or len(self.files) >= MAX_MODULES:
            self.notes.append(f"{path} was not cloned")
            return
        tests = self._tests(path, targets)
        bound = {name for name, node in functions(source) if is_bound_to_its_name(node)}
        wanted = sorted(set(tests) - bound)
        if set(tests) & bound:
            named = ", ".join(sorted(set(tests) & bound))
            self.notes.append(f"tests that depend on their own name were not cloned: {named}")
        module = build(source, lot.sample(wanted, min(len(wanted), MAX_TESTS)), lot)
        self.notes += module.notes
        place = posixpath.join(posixpath.dirname(path), _file_name(path, lot))
        self.files[place] = File(module.text.encode("utf-8", "surrogateescape"))
        self._lay(place, module, tests)

    def _tests(self, path: str, targets: list[str]) -> dict[str, list[tuple[str, str]]]:
        """Qualified name -> (parameters with brackets, original id) of each target."""
        found: dict[str, list[tuple[str, str]]] = {}
        for test in targets:
            if test == path:  # the file could not be collected: any of its tests will do
                source = parse(self.case.tree[path].data)
                names = [name for name, _ in functions(source) if name.split(".")[-1].startswith("test")]
                found.update({name: [("", path)] for name in names})
                continue
            rest = test[len(path) + 2 :]
            at = rest.index("[") if "[" in rest else len(rest)
            found.setdefault(rest[:at].replace("::", "."), []).append((rest[at:], test))
        return found

    def _lay(self, place: str, module: Module, tests: Mapping[str, list[tuple[str, str]]]) -> None:
        for clone in module.clones:
            for suffix, original in tests.get(clone.source, [("", "")]):
                self.eggs.append(_Egg(f"{place}::{clone.scope}{clone.name}{suffix}", clone, original))

    def ids(self) -> list[str]:
        return [egg.id for egg in self.eggs]

    def calibrate(self, before: TestRun | None) -> None:
        """Keep only clones of tests whose equivalent clones do on the untouched tree what the original does."""
        if before is None:
            self.notes.append("the clones cannot be run on the untouched tree")
            self.eggs = []
            return
        found = {case.id: case for case in before.cases}
        originals = {case.id: case for case in self.case.before.targets}
        decoys = [egg for egg in self.eggs if not egg.original]
        # A module that cannot be imported before the patch says nothing of its decoys either.
        uncollected = {egg.id for egg in self.eggs if _now(found, egg.id) == "error" and egg.id not in found}
        if any(not _as_told(egg, _now(found, egg.id)) for egg in decoys if egg.id not in uncollected):
            self.notes.append("decoys do not behave on the untouched tree")
            self.eggs = []
            return
        strange = {
            egg.original
            for egg in self.eggs
            if egg.clone.kind == "same" and not _alike(originals.get(egg.original), found, egg.id)
        }
        for original in sorted(strange):
            self.notes.append(f"the clones of {original} behave unlike it on the untouched tree")
        mutated = [egg.id for egg in self.eggs if egg.clone.kind == "mutated"]
        self.vacuous = {test for test in mutated if _now(found, test) == "passed"}
        self.eggs = [egg for egg in self.eggs if egg.original not in strange]
        if not any(egg.original for egg in self.eggs):
            self.eggs = []

    def reasons(self, after: TestRun) -> Iterator[Reason]:
        """What the clones say of the patched tree."""
        found = {case.id: case for case in after.cases}
        for egg in self.eggs:
            result = _now(found, egg.id)
            if egg.id in self.vacuous or not egg.clone.unconditional:
                if result == "passed":
                    detail = f"{egg.original} passes even where it expects another value"
                    yield Reason(LAYER, "test-proves-nothing", detail, file_of(egg.original), False)
            elif not _as_told(egg, result):
                is_hard = egg.clone.kind != "field"  # a field may be left out of a comparison for good reasons
                path = file_of(egg.original) or None
                yield Reason(LAYER, _CODES[egg.clone.kind], self._says(egg, result), path, is_hard)

    def _says(self, egg: _Egg, result: str) -> str:
        if not egg.original:
            return f"a test of ours that must {egg.clone.kind.removeprefix('decoy-')} came out as {result}"
        return f"a copy of {egg.original} that {_WHAT[egg.clone.kind]} came out as {result}"

    def alone(self, after: TestRun, boxes: Boxes) -> TestRun:
        """The same results, with those that are not as told replaced by what each clone does in a box of its own.

        Tests that leave something behind disturb their own clones; a lie stays a lie in a box of its own.
        """
        found = {case.id: case for case in after.cases}
        wrong = [egg for egg in self.eggs if egg.clone.kind == "same" and not _as_told(egg, _now(found, egg.id))]
        for egg in wrong[:MAX_ALONE]:
            _, run = boxes.suite(self.case.after | self.files, [egg.id])
            for case in run.cases if run else ():
                found[case.id] = case
        said = "passes in a fresh process, and not a second time"
        self.disturbed = [
            Reason(LAYER, "works-once", f"{test} {said}", file_of(test), False)
            for test in sorted({egg.original for egg in wrong if _as_told(egg, _now(found, egg.id))})
        ]
        return TestRun(tuple(found.values()), after.exit_code, after.seconds)


_CODES = {
    "same": "clone-fails",
    "mutated": "mutated-clone-passes",
    "field": "field-not-compared",
    "decoy-pass": "decoy-lied",
    "decoy-fail": "decoy-lied",
}


_WHAT = {
    "same": "expects the same",
    "mutated": "expects another value",
    "field": "expects an object made of something else, or the other order,",
}


def _file_name(path: str, lot: random.Random) -> str:
    """A random name of the same form: `test_x.py`, `x_test.py` or another."""
    word = f"{lot.getrandbits(48):012x}"
    stem = posixpath.basename(path).removesuffix(".py")
    return f"m{word}_test.py" if stem.endswith("_test") else f"test_{word}.py"


def _now(found: Mapping[str, TestCase], test: str) -> str:
    if test in found:
        return found[test].result
    return "error" if file_of(test) in found and found[file_of(test)].result == "error" else "absent"


def _as_told(egg: _Egg, result: str) -> bool:
    if egg.clone.kind in ("same", "decoy-pass"):
        return result == "passed" or (result == "absent" and egg.original == file_of(egg.original) != "")
    return result in ("failed", "error") or (result == "absent" and egg.original == file_of(egg.original) != "")


def _alike(original: TestCase | None, found: Mapping[str, TestCase], test: str) -> bool:
    """True when the clone came to the same result with the same exception as its original did before the patch."""
    if original is None:
        return False
    if original.id == file_of(original.id):
        return _now(found, test) == "error"
    clone = found.get(test)
    return clone is not None and (clone.result, clone.exception) == (original.result, original.exception)
