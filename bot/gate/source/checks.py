"""Checks that a patch leaves standing and that lose their point: less is asked of a text, or it is changed later."""

from __future__ import annotations

import ast
import difflib
from collections import Counter
from collections.abc import Iterator

from bot.gate.layer import Case
from bot.gate.source.news import changed_modules
from bot.gate.source.paths import called, functions, parse
from bot.nouns import Reason

LAYER = "facts"

_STRICT = {"fullmatch": 2, "match": 1, "search": 0}
"""How much of a text a pattern is asked to hold."""
_ENDS = ("$", r"\Z")
_STARTS = ("^", r"\A")
_ALIKE = 0.5
_DECODERS = frozenset({
    "unquote", "unquote_plus", "unescape", "expanduser", "expandvars", "normpath", "realpath", "abspath", "resolve",
    "normalize", "readlink",
})  # fmt: skip
"""What makes another text, path or address of one, and may make of a harmless one what a check would refuse."""


def examine(case: Case) -> Iterator[Reason]:
    """The first check of each kind, in each file, that asks for less or too early."""
    for path, module, known in changed_modules(case):
        old = parse(case.tree[path].data) if path in case.tree else None
        if old is None:
            continue
        for text in [*_loosened(old, module)][:1]:
            yield Reason(LAYER, "check-loosened", text, path, hard=False)
        for text in [*_changed_after(module, known)][:1]:
            yield Reason(LAYER, "changed-after-check", text, path, hard=False)


# -- patterns


def _loosened(old: ast.Module, new: ast.Module) -> Iterator[str]:
    before = dict(functions(old))
    for name, node in functions(new):
        if name in before:
            was, is_now = Counter(_asked(before[name])), Counter(_asked(node))
            for strict, lax in ((2, 1), (2, 0), (1, 0)):
                if was[strict] > is_now[strict] and was[lax] < is_now[lax]:
                    yield f"{name} asks a pattern for less of a text than before"
    if _count(new, "fullmatch") > _count(old, "fullmatch"):
        return  # what asks for a whole text needs no signs for its ends
    starts = _STARTS if _count(new, "search") else ()
    gone, fresh = Counter(_patterns(old)) - Counter(_patterns(new)), Counter(_patterns(new)) - Counter(_patterns(old))
    for pattern in fresh:
        for known in difflib.get_close_matches(pattern, list(gone), 1, _ALIKE):
            if _is_open(known, pattern, starts):
                yield f"the pattern {pattern[:60]!r} holds for more than a whole text, and {known[:60]!r} did not"


def _asked(function: ast.AST) -> Iterator[int]:
    """Questions to patterns; whether a text only begins with one matters where a check refuses it otherwise."""
    refusing = {
        id(inner)
        for node in ast.walk(function)
        if isinstance(node, ast.If | ast.Assert | ast.While)
        for inner in ast.walk(node.test)
        if isinstance(node, ast.Assert) or any(isinstance(line, ast.Raise) for line in node.body)
    }
    for node in ast.walk(function):
        name = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        if name in _STRICT and (name == "fullmatch" or id(node) in refusing):
            yield _STRICT[name]


def _patterns(module: ast.Module) -> Iterator[str]:
    """Texts that are given to `re`."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            if ast.unparse(node.func) in ("re.compile", "re.match", "re.search", "compile", "match", "search"):
                yield str(node.args[0].value)


def _count(module: ast.Module, name: str) -> int:
    return sum(isinstance(node, ast.Attribute) and node.attr == name for node in ast.walk(module))


def _is_open(old: str, new: str, starts: tuple[str, ...]) -> bool:
    """Whether an end of a text was asked for, and is not now; its start is, where nothing is searched for."""
    at_end = old.endswith(_ENDS) and not new.rstrip(")").endswith(_ENDS)
    return at_end or (old.startswith(starts) and not new.lstrip("(?:").startswith(starts))


# -- the order of things


def _changed_after(module: ast.Module, known: set[str]) -> Iterator[str]:
    """What was checked, and is decoded or resolved by a new call after that."""
    for name, function in functions(module):
        checked: dict[str, int] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.If) and _is_check(node):
                for inner in ast.walk(node.test):
                    if isinstance(inner, ast.Name):
                        checked[inner.id] = min(node.lineno, checked.get(inner.id, node.lineno))
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and ast.dump(node) not in known and called(node) in _DECODERS:
                used = [inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)]
                if any(node.lineno > checked.get(one, node.lineno) for one in used):
                    yield f"{name} checks `{_first(used, checked)}`, and then makes another of it by {called(node)}"


def _first(used: list[str], checked: dict[str, int]) -> str:
    return next(one for one in used if one in checked)


def _is_check(node: ast.If) -> bool:
    """Refuses something that it looks into; whether there is anything at all is no such question."""
    refuses = any(isinstance(line, ast.Raise | ast.Return) for line in node.body)
    tests = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    plain = [test.operand if isinstance(test, ast.UnaryOp) else test for test in tests]
    return refuses and not all(isinstance(test, ast.Name) or _asks_for_none(test) for test in plain)


def _asks_for_none(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is | ast.IsNot)
