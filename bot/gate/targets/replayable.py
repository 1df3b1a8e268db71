"""Which targets, and which green tests beside them, have a program that needs no test framework."""

from __future__ import annotations

from bot.gate.baseline import file_of
from bot.gate.layer import Case
from bot.gate.targets.replay import Module, Program, Unfit, program

MAX_TARGETS = 80
MAX_GREEN = 60


def targets_of(case: Case) -> dict[str, str]:
    """Id of each target -> exception. A file that could not be collected stands for its tests."""
    found: dict[str, str] = {}
    for target in case.before.targets:
        inner = [target.id] if "::" in target.id else _tests_of(case, target.id)
        found |= dict.fromkeys(inner, target.exception)
    return found


def programs(case: Case) -> tuple[list[Program], list[Unfit]]:
    """Programs of the targets and of green tests in the same files, and the targets that have none."""
    targets = list(targets_of(case))
    files = list(dict.fromkeys(file_of(test) for test in targets))
    green = [test for test in sorted(case.before.green) if file_of(test) in files]
    modules = {path: _module(case, path) for path in files}
    fit: list[Program] = []
    unfit: list[Unfit] = []
    for test in [*targets[:MAX_TARGETS], *green[:MAX_GREEN]]:
        module = modules[file_of(test)]
        if test in case.before.doctests or module is None:
            made: Program | Unfit = Unfit(test, "it is not a test function in a Python file")
        else:
            made = program(module, test)
        if isinstance(made, Program):
            fit.append(made)
        elif test in targets:
            unfit.append(made)
    return fit, unfit


def _tests_of(case: Case, path: str) -> list[str]:
    module = _module(case, path)
    return module.tests() if module else []


def _module(case: Case, path: str) -> Module | None:
    if path not in case.tree or not path.endswith(".py"):
        return None
    try:
        return Module(path, case.tree[path].data)
    except (SyntaxError, ValueError, RecursionError):
        return None
