"""What objects remember: fields whose form a patch changes, and fields that nothing had before it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from bot.gate.inputs import Call, Tagged
from bot.gate.layer import Case
from bot.gate.paths import parse

Forms = dict[str, set[tuple[str, ...]]]
"""Private field -> what is stored in it, by kind of target and of value."""


def reshaped(case: Case) -> frozenset[str]:
    """Private fields of the patched files in which the patch stores another kind of thing, or that it gives up.

    Only the kind counts: a tuple in place of a call, not `n + 1` in place of `n + 2`.
    """
    found: set[str] = set()
    for path, data in case.patch.files.items():
        if path.endswith(".py") and data is not None and path in case.tree:
            old, new = _stored(case.tree[path].data), _stored(data)
            found |= {name for name, forms in old.items() if forms != new.get(name)}
    return frozenset(found)


def _stored(data: bytes) -> Forms:
    forms: Forms = defaultdict(set)
    tree = parse(data)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                inner = target.value if isinstance(target, ast.Subscript) else target
                if isinstance(inner, ast.Attribute) and inner.attr.startswith("_"):
                    forms[inner.attr].add((type(target).__name__, *_kind(node.value)))
    return forms


def _kind(value: ast.expr) -> tuple[str, ...]:
    """A literal's kind, or what is called; sums and names may be anything."""
    if isinstance(value, ast.Call):
        return ("call", ast.unparse(value.func))
    if isinstance(value, ast.Tuple | ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
        return ("of", type(value).__name__.replace("Comp", ""))
    return ("any",)


def remembers(call: Call, names: frozenset[str]) -> bool:
    """Whether one of the objects that are given, or one inside of it, was given such a field from outside."""
    return bool(names) and any(name in names for slot in call.slots() for name in _given(call.at(slot)))


def _given(tagged: Tagged) -> Iterator[str]:
    """Names of the fields that no constructor has set."""
    if isinstance(tagged, list | tuple) and len(tagged) > 3 and tagged[0] == "object":
        arguments, named, later = tagged[3] or ((), {}, tagged[2])
        yield from later
        tagged = [*arguments, *named.values(), *later.values()]
    elif isinstance(tagged, dict):
        tagged = list(tagged.values())
    for inner in tagged if isinstance(tagged, list | tuple) else ():
        yield from _given(inner)


def fields(tagged: Tagged) -> Iterator[str]:
    """Names of the fields of all objects in there, however deep."""
    if isinstance(tagged, list | tuple):
        if len(tagged) > 2 and tagged[0] == "object":
            yield from tagged[2]
        for inner in tagged:
            yield from fields(inner)
    elif isinstance(tagged, dict):
        for inner in tagged.values():
            yield from fields(inner)


def without(tagged: Tagged, names: frozenset[str]) -> Tagged:
    """The same, with objects that lack these fields."""
    if isinstance(tagged, list | tuple):
        if len(tagged) > 2 and tagged[0] == "object":
            left = {name: without(value, names) for name, value in tagged[2].items() if name not in names}
            return [*tagged[:2], left, *(without(part, names) for part in tagged[3:])]
        return [without(inner, names) for inner in tagged]
    return {key: without(inner, names) for key, inner in tagged.items()} if isinstance(tagged, dict) else tagged
