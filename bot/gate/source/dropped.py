"""What code did and does no more: calls for their effect (a line of a journal, a wait), and a look at an argument.

No result shows an effect where nothing looks at it. What tests see of it, they saw before.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from bot.gate.layer import Case
from bot.gate.source import rehomed
from bot.gate.source.paths import functions, parse
from bot.nouns import Reason

LAYER = "facts"
Side = rehomed.Side

_CONTAINERS = frozenset({
    "append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault", "pop", "popleft",
    "popitem", "remove", "discard", "clear", "sort", "reverse",
})  # fmt: skip
"""Their effect is on values, which other layers compare."""
_SEEN = frozenset({"print", "write", "writelines"})
"""What is printed is a result, too."""
_WAITS = frozenset({"sleep", "wait", "wait_for", "join"})


def examine(case: Case) -> Iterator[Reason]:
    """At most one effect that is dropped, and the arguments that nothing reads any more."""
    sides = [
        (path, *both) for path in sorted(case.patch.files) if path.endswith(".py") and (both := _sides(case, path))
    ]
    yield from _effects(sides, case)
    for path, old, new in sides:
        yield from _unread(path, old, new)


def _sides(case: Case, path: str) -> tuple[ast.Module, ast.Module] | None:
    """The module before and after; one that is not there is empty."""
    old, new = (parse(tree[path].data if path in tree else b"") for tree in (case.tree, case.after))
    return (old, new) if old and new else None


def _effects(sides: Sequence[Side], case: Case) -> Iterator[Reason]:
    """Calls that stood as statements, of which no call of that name is left, or fewer; the first one."""
    before, after, places = Counter[str](), Counter[str](), dict[str, tuple[str, str]]()
    for path, old, new in sides:
        for node in ast.walk(old):
            if isinstance(node, ast.Expr | ast.withitem) and (name := _held(node) or _called(_inner(node))):
                before[name] += 1
                places.setdefault(name, (path, ast.unparse(node)[:80]))
        after.update(name for node in ast.walk(new) if (name := _held(node) or _called(node)))
    for name in before:
        if before[name] > after[name] and name not in _CONTAINERS | _SEEN and not _is_there_as(name, after - before):
            if rehomed.is_bound_otherwise(name, sides, case.tree):
                continue
            path, text = places[name]
            yield Reason(LAYER, "effect-dropped", f"`{text}` is not called for its effect any more", path, hard=False)
            return


def _inner(node: ast.Expr | ast.withitem) -> ast.AST:
    return node.value if isinstance(node, ast.Expr) else ast.Pass()


def _held(node: ast.AST) -> str:
    """The name of what a `with` holds: a lock, a gate; what it calls there gives a value as well."""
    held = node.context_expr if isinstance(node, ast.withitem) else None
    return str(getattr(held, "attr", getattr(held, "id", "")))


def _called(node: ast.AST) -> str:
    """The name of what is called; one for all ways to wait."""
    inner = node.value if isinstance(node, ast.Await) else node
    function = inner.func if isinstance(inner, ast.Call) else None
    name = (
        function.attr
        if isinstance(function, ast.Attribute)
        else function.id
        if isinstance(function, ast.Name)
        else ""
    )
    return "a wait" if name in _WAITS else name


def _is_there_as(name: str, fresh: Counter[str]) -> bool:
    """`notify_all` does what `notify` did."""
    return any(name in other or other in name for other in fresh if len(other) > 2)


def _unread(path: str, old: ast.Module, new: ast.Module) -> Iterator[Reason]:
    """A parameter that the code of its function read, and that it takes now without a look."""
    after = dict(functions(new))
    for name, function in functions(old):
        if name not in after:
            continue
        given = {one.arg for one in ast.walk(after[name].args) if isinstance(one, ast.arg)} - {"self", "cls"}
        for argument in sorted(given & _read(function) - _read(after[name])):
            yield Reason(LAYER, "argument-unread", f"{name} does not look at `{argument}` any more", path, hard=False)


def _read(function: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
