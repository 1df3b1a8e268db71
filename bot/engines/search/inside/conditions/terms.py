"""What a condition could speak of at a place: variables, attributes, entries and constants, and what each costs."""

from __future__ import annotations

import ast
import builtins
import collections
import functools
import types
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from ..kinds import Raw
from ..site import Site
from ..source import Source, walked
from .answers import asked_of, only_looks

MOST_TERMS = 40
LONGEST = 40
MOST_ATTRIBUTES = 16
NEVER_READ = 0.45
"""Less for what the file makes and never asks for."""
SEEN_ONLY, FLAG = 0.25, 0.3
"""What an attribute costs that only the object shows, and nothing near the place reads; less for a flag."""
NOT_READ_HERE, NOT_IN_FUNCTION, OF_MODULE = 0.25, 0.6, 0.3
_BUILTINS = frozenset(dir(builtins))
_MISSING = object()
_PLAIN_DESCRIPTORS = (
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
    type(vars(collections.namedtuple("_Pair", "x y"))["x"]),
)
"""Slots, what C types keep, and fields of named tuples: to read them runs no code of anybody's."""


class Unknown(Exception):
    """What stands there cannot be looked at without running code of the project, or is not there."""


class Term(NamedTuple):
    """A dotted name, or an entry under a constant. `path`: after the name, ("attr", x) and ("item", x)."""

    text: str
    name: str
    path: Tuple[Tuple[str, Any], ...]
    cost: float

    def value(self, names: Mapping[str, Any]) -> Raw:
        """Raises Unknown."""
        found = names.get(self.name, _MISSING)
        if found is _MISSING:
            raise Unknown
        for kind, key in self.path:
            found = _STEPS[kind](found, key)
        return found


def held_by_class(owner: Raw, name: str) -> Raw:
    """What the class of an object keeps under a name; raises Unknown where there is nothing."""
    for kind in type(owner).__mro__:
        if name in vars(kind):
            return vars(kind)[name]
    raise Unknown


def _attribute(owner: Raw, name: str) -> Raw:
    """Of the object's own store, a slot, or plain data of its class: nothing that would run a property."""
    own = store_of(owner)
    try:
        held = held_by_class(owner, name)
    except Unknown:
        if name in own:
            return own[name]
        raise
    kind = type(held)
    if kind in _PLAIN_DESCRIPTORS:
        return _read_slot(held, owner)
    if hasattr(kind, "__set__"):
        raise Unknown
    if name in own:
        return own[name]
    if hasattr(kind, "__get__"):
        raise Unknown
    return held


def _answer(owner: Raw, name: str) -> Raw:
    held = held_by_class(owner, name)
    if not only_looks(held):
        raise Unknown
    try:
        return held(owner)
    except Exception:
        raise Unknown from None


def attributes_of(name: str, owner: Raw) -> Iterator[Term]:
    """What an object holds itself, for all to see: plain data, under names that do not begin with an underscore."""
    slots = [slot for kind in type(owner).__mro__ for slot in _slots(kind)]
    for key in [*store_of(owner), *slots][:MOST_ATTRIBUTES]:
        if isinstance(key, str) and key.isidentifier() and not key.startswith("_"):
            term = Term("%s.%s" % (name, key), name, (("attr", key),), SEEN_ONLY)
            yield term._replace(cost=term.cost - FLAG) if _is_flag(term, owner) else term
    for key in asked_of(type(owner)):
        yield Term("%s.%s()" % (name, key), name, (("call", key),), SEEN_ONLY - FLAG)


def _is_flag(term: Term, owner: Raw) -> bool:
    try:
        return type(term.value({term.name: owner})) is bool
    except Unknown:
        return False


def _slots(kind: type) -> Tuple[str, ...]:
    slots = vars(kind).get("__slots__") or vars(kind).get("_fields") or ()
    return tuple(slots) if isinstance(slots, (list, tuple)) else (str(slots),)


def store_of(owner: Raw) -> Mapping[str, Any]:
    """The object's `__dict__`, as the interpreter itself keeps it."""
    try:
        store = object.__getattribute__(owner, "__dict__")
    except (AttributeError, TypeError):
        return {}
    return store if isinstance(store, (dict, types.MappingProxyType)) else {}


def _read_slot(slot: Raw, owner: Raw) -> Raw:
    try:
        return slot.__get__(owner)
    except AttributeError:
        raise Unknown from None


def _entry(owner: Raw, key: Raw) -> Raw:
    if type(owner) not in (list, tuple, dict, str):
        raise Unknown
    try:
        return owner[key]
    except (LookupError, TypeError):
        raise Unknown from None


_STEPS: Dict[str, Callable[[Any, Any], Any]] = {"attr": _attribute, "item": _entry, "call": _answer}


def terms_at(site: Site, focus: ast.AST, beside: Sequence[Term] = ()) -> List[Term]:
    """The nearest first: what the statement or the condition `focus` reads, then its function, then its class.

    `beside`: what else was seen there.
    """
    found: Dict[str, Term] = {}
    read = {term.text for term in terms_in(site.source, focus)}
    for term in [*_candidates(site, focus), *beside]:
        cost = term.cost + (0.0 if term.text in read else NOT_READ_HERE)
        cost += OF_MODULE if term.name.isupper() else 0.0
        cost -= NEVER_READ if term.path and term.path[-1][1] in _never_read(site.source) else 0.0
        if term.text not in found or found[term.text].cost > cost:
            found[term.text] = term._replace(cost=cost)
    return sorted(found.values(), key=lambda term: term.cost)[:MOST_TERMS]


@functools.lru_cache(maxsize=100)
def _never_read(source: Source) -> FrozenSet[object]:
    """Attributes and methods that the file makes, and that nothing in it asks for: they are there for something."""
    made: Set[object] = set()
    read: Set[object] = set()
    for node in walked(source.tree):
        if isinstance(node, ast.Attribute):
            (read if isinstance(node.ctx, ast.Load) else made).add(node.attr)
        elif isinstance(node, ast.ClassDef):
            made.update(_declared(node))
    return frozenset(made - read)


def _declared(klass: ast.ClassDef) -> Iterator[str]:
    for stmt in klass.body:
        if isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name):
            yield stmt.target.id
        elif isinstance(stmt, ast.FunctionDef):
            yield stmt.name


def _candidates(site: Site, focus: ast.AST) -> Iterator[Term]:
    yield from (term for term in terms_in(site.source, focus) if _is_bound(site, term) or focus is not site.stmt)
    for name, near in sorted(site.live().items(), key=lambda pair: pair[1]):
        yield Term(name, name, (), 0.3 * near)
    if site.function is not None:
        yield from (term for term in terms_in(site.source, site.function) if _is_bound(site, term))
    if site.klass is not None and _has_self(site):
        for name in site.fields():
            if not name.startswith("__"):
                yield Term("self." + name, "self", (("attr", name),), NOT_IN_FUNCTION)


def _is_bound(site: Site, term: Term) -> bool:
    """Whether the name is known where the statement stands; of the module, constants alone."""
    return site.scope.get(term.name, 0.0 if term.name in ("self", "cls") else 9.0) < 1.0 or term.name.isupper()


def _has_self(site: Site) -> bool:
    function = site.function
    return function is not None and [one.arg for one in function.args.args[:1]] == ["self"]


@functools.lru_cache(maxsize=4000)
def terms_in(source: Source, node: ast.AST) -> Tuple[Term, ...]:
    """Names, dotted names and constant entries that a node reads, without what it calls."""
    found: Dict[str, Term] = {}
    for inner in walked(node):
        if isinstance(inner, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(inner.ctx, ast.Load):
            term = None if _is_callee(source, inner) else _term_of(inner)
            if term is not None and term.name not in _BUILTINS and len(term.text) < LONGEST:
                found.setdefault(term.text, term)
    return tuple(found.values())


def _is_callee(source: Source, node: ast.AST) -> bool:
    parent = source.parents.get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _term_of(node: ast.AST) -> Optional[Term]:
    if isinstance(node, ast.Name):
        return Term(node.id, node.id, (), 0.0)
    if isinstance(node, ast.Attribute) and not node.attr.startswith("__"):
        inner = _term_of(node.value)
        return inner and _further(inner, "." + node.attr, "attr", node.attr, 0.1)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        inner, key = _term_of(node.value), node.slice.value
        return inner and _further(inner, "[%r]" % (key,), "item", key, 0.3) if type(key) in (int, str) else None
    return None


def _further(inner: Term, text: str, kind: str, key: Raw, cost: float) -> Term:
    return Term(inner.text + text, inner.name, (*inner.path, (kind, key)), inner.cost + cost)
