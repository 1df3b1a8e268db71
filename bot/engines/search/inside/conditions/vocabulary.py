"""The conditions that could stand at a place, in the order of how likely a person would write them there."""

from __future__ import annotations

import ast
import functools
import itertools
from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

from ..kinds import Raw
from ..operators.asked import kinds_told_apart
from ..site import Site
from ..source import Function, walked
from .predicates import EITHER_WAY, PAIRED, UNARY, Form, Seen, is_able, of_kind, with_constant
from .terms import Term, terms_at

MOST_ATOMS = 1600
PAIRED_TERMS = 13
MOST_CONSTANTS, LONGEST_CONSTANT = 6, 24
KIND, ABILITY = 0.4, 0.7
SECOND = 0.5
"""How much the nearer of two terms counts."""
ALIKE = 0.35
"""Less for a relation of two attributes of one name: `self.unit == other.unit`."""


class Atom(NamedTuple):
    """One condition."""

    text: str
    opposite: str
    cost: float
    terms: Tuple[int, ...]
    """Numbers of the terms that it speaks of."""
    holds: Seen


class Vocabulary:
    """An atom is known by its number. `focus`: what stands at the place; `beside`: what else was seen there."""

    def __init__(self, site: Site, focus: ast.AST, beside: Sequence[Term] = ()) -> None:
        self.terms: List[Term] = terms_at(site, focus, beside)
        self._near = list(enumerate(self.terms))[:PAIRED_TERMS]
        spoken = itertools.chain(
            self._unary(), self._paired(), self._kinds(site), self._constants(site), self._abilities()
        )
        found: Dict[str, Atom] = {}
        for atom in sorted(spoken, key=lambda atom: atom.cost):
            found.setdefault(atom.text, atom)
        self.atoms: List[Atom] = list(found.values())[:MOST_ATOMS]

    def _made(self, form: Form, numbers: Tuple[int, ...], more: float, *texts: str) -> Atom:
        said = [self.terms[number].text for number in numbers] + list(texts)
        cost = form.cost + self._cost(numbers, alike=form in EITHER_WAY) + more
        return Atom(form.text.format(*said), form.opposite.format(*said), cost, numbers, form.holds)

    def _cost(self, numbers: Tuple[int, ...], *, alike: bool) -> float:
        terms = [self.terms[number] for number in numbers]
        costs = sorted(term.cost for term in terms)
        alike = alike and bool(terms[0].path) and terms[0].path[-1:] == terms[1].path[-1:]
        return costs[-1] + SECOND * sum(costs[:-1]) - (ALIKE if alike else 0.0)

    def _unary(self) -> Iterator[Atom]:
        for number, term in enumerate(self.terms):
            if term.text in ("self", "cls"):
                continue  # it is always there
            yield from (self._made(form, (number,), 0.0) for form in UNARY)

    def _paired(self) -> Iterator[Atom]:
        for (one, _first), (two, _second) in itertools.permutations(self._near, 2):
            yield from (self._made(form, (one, two), 0.0) for form in PAIRED)
            if one < two:
                yield from (self._made(form, (one, two), 0.0) for form in EITHER_WAY)

    def _kinds(self, site: Site) -> Iterator[Atom]:
        for rank, text in enumerate(kinds_told_apart(site.source)):
            names = _names_of(text)
            start = len(self.terms)
            self.terms += [Term(name, name, (), 0.0) for name in names]
            kinds = tuple(range(start, start + len(names)))
            form = Form("isinstance({0}, %s)" % text, "not isinstance({0}, %s)" % text, KIND + 0.08 * rank, of_kind)
            if names:
                for number, _term in self._near:
                    atom = self._made(form, (number,), 0.0)
                    yield atom._replace(terms=(number, *kinds))

    def _constants(self, site: Site) -> Iterator[Atom]:
        if site.function is None:
            return
        for rank, value in enumerate(_constants(site.function)):
            for form in with_constant(value):
                yield from (self._made(form, (number,), 0.05 * rank, repr(value)) for number, _term in self._near)

    def _abilities(self) -> Iterator[Atom]:
        """`hasattr(x, "y")`, for what the function reads of a variable."""
        for number, term in self._near:
            read = [other for other in self.terms if other.path and other.text.startswith(term.text + ".")]
            for name in dict.fromkeys(other.path[-1][1] for other in read if other.path[:-1] == term.path):
                text = '%shasattr({0}, "%s")'
                form = Form(text % ("not ", name), text % ("", name), ABILITY, _lacks(name))
                yield self._made(form, (number,), 0.0)


def _lacks(name: str) -> Seen:
    able = is_able(name)
    return lambda values: None if able(values) is None else not able(values)


def _names_of(text: str) -> List[str]:
    """Of a class or a tuple of classes; nothing for what is found in another way."""
    names = [part.strip() for part in text.strip("()").split(",") if part.strip()]
    return names if all(name.isidentifier() for name in names) else []


@functools.lru_cache(maxsize=1000)
def _constants(function: Function) -> Tuple[Raw, ...]:
    """Numbers and texts that the function names."""
    skipped = {node.value for node in walked(function) if isinstance(node, ast.Expr)}
    found: Dict[Tuple[type, object], None] = {}
    for node in walked(function):
        if isinstance(node, ast.Constant) and node not in skipped and type(node.value) in (int, float, str):
            if len(repr(node.value)) <= LONGEST_CONSTANT and node.value not in (0, ""):
                found[type(node.value), node.value] = None
    return tuple(value for _kind, value in found)[:MOST_CONSTANTS]
