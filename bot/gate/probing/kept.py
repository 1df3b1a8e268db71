"""What objects remember: fields whose form a patch changes, and fields that nothing had before it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from bot.gate.layer import Case
from bot.gate.probing.compared import LAYER, Compared
from bot.gate.probing.inputs import Call, Tagged
from bot.gate.source.paths import parse
from bot.nouns import Reason

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


def lost(case: Case) -> frozenset[str]:
    """Fields of a class of the patched files, private or not, of which it says nothing any more.

    Not where a test names one that came in its place: then it had to change.
    """
    gone, brought = set[str](), set[str]()
    for path, data in case.patch.files.items():
        if path.endswith(".py") and data is not None and path in case.tree:
            old, new = _classes(case.tree[path].data), _classes(data)
            for name in old.keys() & new.keys():
                gone |= set(_fields(old[name])) - _words(new[name], new)
                brought |= set(_fields(new[name])) - _words(old[name], old)
    tests = (parse(case.tree[path].data) for path in case.before.test_files if path in case.tree)
    return frozenset() if any(brought & _words(module) for module in tests if module) else frozenset(gone)


def _classes(data: bytes) -> dict[str, ast.ClassDef]:
    tree = parse(data)
    return {node.name: node for node in (ast.walk(tree) if tree else ()) if isinstance(node, ast.ClassDef)}


def _fields(kind: ast.ClassDef) -> Iterator[str]:
    """Names under which objects keep something: set in a method, or declared."""
    for node in ast.walk(kind):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
    declared = (one.target for one in kind.body if isinstance(one, ast.AnnAssign))
    yield from (one.id for one in declared if isinstance(one, ast.Name))


def _words(node: ast.AST, classes: Mapping[str, ast.ClassDef] = MappingProxyType({})) -> set[str]:
    """Names of attributes, methods and variables, and texts: whatever may speak of a field, in base classes too."""
    bases = [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
    kin = [classes[name] for name in bases if name in classes and classes[name] is not node]
    return {text for one in (node, *kin) for inner in ast.walk(one) if (text := _word(inner)).isidentifier()}


def _word(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.FunctionDef):
        return node.name
    if isinstance(node, ast.arg | ast.keyword):
        return node.arg or ""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


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


def unreadable(case: Case, compared: Compared) -> Iterator[Reason]:
    """The first call of a test on objects whose fields the patched code does not know.

    Such a call says nothing of that code. Where it comes to something else all the same, it is compared.
    """
    names = lost(case)
    differing = {probe.function for probe, _, _ in compared.seen()}
    silent = (probe for probe, _, _ in compared.same if probe.seen and probe.function not in differing)
    for probe in (one for one in silent if remembers(one.call, names)):
        detail = f"{probe.told} holds fields that the patched code does not know, so that it cannot be compared"
        yield Reason(LAYER, "objects-unreadable", detail, probe.function.path, hard=False)
        return


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
