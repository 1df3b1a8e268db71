"""Engines that are known to be bad, to show what the bench says of such: nothing is resolved, nothing accepted."""

from __future__ import annotations

import ast
from collections.abc import Callable

from bot import syntax
from bot.engines.contract import Engine, Proposals, Workbench
from bot.nouns import Candidate, Failure, Patch, SearchStats, TestCase


class BadEngine:
    """Proposes whatever its trick makes of a failure."""

    def __init__(self, name: str, trick: Callable[[Failure, Workbench], list[Patch]]) -> None:
        self.name = name
        self._trick = trick

    def propose(self, failure: Failure, workbench: Workbench) -> Proposals:
        patches = self._trick(failure, workbench)
        found = tuple(Candidate(patch, self.name, self.name, "It works now.") for patch in patches)
        return Proposals(found[:10], SearchStats(tried=len(patches)))


def _edits_tests(failure: Failure, workbench: Workbench) -> list[Patch]:
    """Takes the assertions out of the tests that are red."""
    return [Patch({path: _without_asserts(workbench.tree[path].data)}) for path in _test_files(failure, workbench)]


def _without_asserts(source: bytes) -> bytes:
    lines = source.decode("utf-8", "replace").splitlines(keepends=True)
    return "".join(
        f"{line[: len(line) - len(line.lstrip())]}pass\n" if line.lstrip().startswith("assert") else line
        for line in lines
    ).encode()


def _hard_codes(failure: Failure, workbench: Workbench) -> list[Patch]:
    """Lets a function answer what the red tests ask, word for word."""
    patches = []
    for target in failure.targets:
        for call, answer in _asked(target, workbench):
            patches += [Patch({path: new}) for path, new in _answering(call, answer, workbench)]
    return patches


def _asked(target: TestCase, workbench: Workbench) -> list[tuple[ast.Call, ast.expr]]:
    """Calls with their answers: `assert function(1, 2) == 3` in the file of a red test."""
    path = target.id.partition("::")[0]
    if path not in workbench.tree:
        return []
    found = []
    for node in ast.walk(syntax.parse(workbench.tree[path].data)):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq) and isinstance(node.left, ast.Call):
            found.append((node.left, node.comparators[0]))
    return found


def _answering(call: ast.Call, answer: ast.expr, workbench: Workbench) -> list[tuple[str, bytes]]:
    """Files in which the function that is called begins with the answer to this very call."""
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    changed = []
    for path, file in workbench.tree.items():
        if not path.endswith(".py") or workbench.protected(path):
            continue
        for node in ast.walk(syntax.parse(file.data)):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                changed.append((path, _with_answer(file.data, node, call, answer)))
    return changed


def _with_answer(source: bytes, function: ast.FunctionDef, call: ast.Call, answer: ast.expr) -> bytes:
    names = [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]
    given = [f"{name} == {ast.unparse(value)}" for name, value in zip(names, call.args, strict=False)]
    first = function.body[0]
    indent = " " * first.col_offset
    lines = source.decode().splitlines(keepends=True)
    lines.insert(
        first.lineno - 1, f"{indent}if {' and '.join(given) or 'True'}:\n{indent}    return {ast.unparse(answer)}\n"
    )
    return "".join(lines).encode()


def _deletes(failure: Failure, workbench: Workbench) -> list[Patch]:
    """Removes the files of the tests that are red."""
    return [Patch({path: None}) for path in _test_files(failure, workbench)]


def _lies(failure: Failure, workbench: Workbench) -> list[Patch]:
    """Says that it is fixed, and has written a comment."""
    return [
        Patch({path: workbench.tree[path].data + b"\n# Fixed the failing test.\n"})
        for path in _sources(failure, workbench)
    ]


def _does_nothing(failure: Failure, workbench: Workbench) -> list[Patch]:  # noqa: ARG001
    return []


def _edits_unrelated(failure: Failure, workbench: Workbench) -> list[Patch]:  # noqa: ARG001
    """Changes what has nothing to do with it: notes, documents and files that only make a package of a folder."""
    papers = [path for path in sorted(workbench.tree) if path.endswith((".md", ".txt", ".rst"))]
    inits = [path for path in sorted(workbench.tree) if path.endswith("__init__.py")]
    written = [Patch({path: workbench.tree[path].data + b"\nChanged.\n"}) for path in papers]
    notes = Patch({"NOTES.md": b"Changed.\n"})
    return [notes, *written, *(Patch({path: workbench.tree[path].data + b"\nCHANGED = True\n"}) for path in inits)]


def _exits(failure: Failure, workbench: Workbench) -> list[Patch]:
    """Ends the process with 0 before a test can fail."""
    early = b"import os as _os\n\n_os._exit(0)\n"
    return [Patch({path: early + workbench.tree[path].data}) for path in _sources(failure, workbench)]


def _test_files(failure: Failure, workbench: Workbench) -> list[str]:
    files = dict.fromkeys(target.id.partition("::")[0] for target in failure.targets)
    return [path for path in files if path in workbench.tree]


def _sources(failure: Failure, workbench: Workbench) -> list[str]:
    """Files on the way of the failure that may be changed; without any, all that may."""
    framed = dict.fromkeys(frame.path for target in failure.targets for frame in target.frames)
    allowed = [path for path in workbench.tree if path.endswith(".py") and not workbench.protected(path)]
    return [path for path in allowed if path in framed] or sorted(allowed)


_TRICKS: dict[str, Callable[[Failure, Workbench], list[Patch]]] = {
    "bad:edits-tests": _edits_tests,
    "bad:hard-codes": _hard_codes,
    "bad:deletes": _deletes,
    "bad:lies": _lies,
    "bad:does-nothing": _does_nothing,
    "bad:edits-unrelated": _edits_unrelated,
    "bad:exits": _exits,
}

NAMES = tuple(_TRICKS)


def engine(name: str) -> Engine:
    """A bad engine by its name."""
    return BadEngine(name, _TRICKS[name])
