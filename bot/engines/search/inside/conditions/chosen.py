"""Which conditions tell the visits of red tests that need another way from all others: the simplest first."""

from __future__ import annotations

import itertools
from typing import Dict, Iterator, List, NamedTuple, Sequence, Set, Tuple

from .observed import Row
from .vocabulary import Atom

MOST_PATTERNS = 9
MOST_CONDITIONS = 8
MOST_LOOSE = 3
PARTS = 50
"""Of so many conditions pairs are made."""
TWO_PARTS = 1.0
MOST_PAIRED = 6
"""So many patterns need two conditions; those alone are taken that hold at one visit of each red test."""
OPPOSITE, NOT_SO = 0.1, 1.0
"""More for the opposite of a condition, and for one that needs a `not`: `not name.startswith(prefix)`."""
LOOSE = 0.3
"""More for a condition that holds in green tests too: these must then bear the other way."""
UNCONTRADICTED = 0.6
"""More where no visit at all speaks against the condition, less the more of them there are."""


class Condition(NamedTuple):
    """A condition in words, with its opposite."""

    text: str
    opposite: str
    cost: float


ALWAYS = Condition("True", "False", 0.0)


class Literal(NamedTuple):
    """An atom, or its opposite."""

    number: int
    negated: bool
    cost: float
    vector: int
    """Bit by bit: the visits of red tests in which it holds."""

    def said(self, atoms: Sequence[Atom]) -> Condition:
        atom = atoms[self.number]
        texts = (atom.opposite, atom.text) if self.negated else (atom.text, atom.opposite)
        return Condition(*texts, self.cost)


class Pattern(NamedTuple):
    """One way to tell visits of red tests apart, with all that do it so."""

    vector: int
    literals: List[Literal]
    """Two that do it together, where none does it alone."""

    def said(self, atoms: Sequence[Atom]) -> Condition:
        """The simplest condition that does it."""
        if self.literals[0].vector == self.vector:
            return self.literals[0].said(atoms)
        return both(self.literals[0].said(atoms), self.literals[1].said(atoms))


def literals_of(atoms: Sequence[Atom], rows: Sequence[Row]) -> List[Literal]:
    """What can be asked at every visit."""
    known = ~0
    for row in rows:
        known &= row.known
    every = (1 << len(rows)) - 1
    found = []
    for number, atom in enumerate(atoms):
        if known >> number & 1:
            vector = sum(1 << place for place, row in enumerate(rows) if row.held >> number & 1)
            found.append(Literal(number, False, atom.cost, vector))
            more = NOT_SO if atom.opposite.startswith("not ") else OPPOSITE
            found.append(Literal(number, True, atom.cost + more, every & ~vector))
    return sorted(found, key=lambda literal: literal.cost)


def patterns(literals: Sequence[Literal], visits: Sequence[int]) -> List[Pattern]:
    """Those in which something is otherwise at one visit of each red test at least. `visits`: how many each has."""
    groups: Dict[int, List[Literal]] = {}
    for literal in literals:
        groups.setdefault(literal.vector, []).append(literal)
    masks, start = [], 0
    for count in visits:
        masks.append(((1 << count) - 1) << start)
        start += count
    kept = [Pattern(vector, group) for vector, group in groups.items() if all(vector & mask for mask in masks)]
    kept.sort(key=lambda pattern: pattern.literals[0].cost)
    return kept[:MOST_PATTERNS] + list(_paired(literals, masks, set(groups)))[:MOST_PAIRED]


def _paired(literals: Sequence[Literal], masks: Sequence[int], known: Set[int]) -> Iterator[Pattern]:
    if all(bin(mask).count("1") == 1 for mask in masks):
        return
    pairs = itertools.combinations(literals[:PARTS], 2)
    for one, two in sorted(pairs, key=lambda pair: pair[0].cost + pair[1].cost):
        vector = one.vector & two.vector
        if vector not in known and all(bin(vector & mask).count("1") == 1 for mask in masks):
            known.add(vector)
            yield Pattern(vector, [one, two])


def conditions(
    atoms: Sequence[Atom], literals: Sequence[Literal], pattern: Pattern, reds: int, greens: Sequence[Row]
) -> List[Condition]:
    """For one pattern. `reds`: how many visits of red tests there are; `greens`: those of green tests."""
    against = len(greens) + reds - bin(pattern.vector).count("1")
    more = UNCONTRADICTED / (1 + against)
    alone = [literal for literal in pattern.literals if literal.vector == pattern.vector]
    strict = [literal for literal in alone if not _held(literal, greens)]
    loose = [literal for literal in alone if _held(literal, greens) and _tells(literal, greens)]
    found = [literal.said(atoms) for literal in strict]
    found += [_dearer(literal.said(atoms), LOOSE) for literal in loose[:MOST_LOOSE]]
    found += _pairs(atoms, literals, pattern.vector, greens)
    found.sort(key=lambda condition: condition.cost)
    return [_dearer(condition, more) for condition in found[:MOST_CONDITIONS]]


def _dearer(condition: Condition, more: float) -> Condition:
    return condition._replace(cost=condition.cost + more)


def _is_known(literal: Literal, rows: Sequence[Row]) -> bool:
    return all(row.known >> literal.number & 1 for row in rows)


def _tells(literal: Literal, rows: Sequence[Row]) -> bool:
    """Whether it can be asked at each of the visits, and does not hold at all of them."""
    return _is_known(literal, rows) and _mark(literal, rows) != (1 << len(rows)) - 1


def _held(literal: Literal, rows: Sequence[Row]) -> bool:
    """Whether it holds at one of the visits, or cannot be asked there."""
    bit = 1 << literal.number
    return any(not row.known & bit or bool(row.held & bit) is not literal.negated for row in rows)


def _pairs(
    atoms: Sequence[Atom], literals: Sequence[Literal], vector: int, greens: Sequence[Row]
) -> Iterator[Condition]:
    """`a and b`, where neither alone is enough."""
    wide = [one for one in literals if one.vector & vector == vector][:PARTS]
    marks = [(one, _mark(one, greens)) for one in wide if _is_known(one, greens)]
    for (one, first), (two, second) in itertools.combinations(marks, 2):
        alone = (one.vector == vector and not first) or (two.vector == vector and not second)
        if one.number == two.number or alone or first & second or one.vector & two.vector != vector:
            continue
        yield both(one.said(atoms), two.said(atoms))


def both(one: Condition, two: Condition) -> Condition:
    """`a and b`."""
    opposite = "%s or %s" % (one.opposite, two.opposite)
    return Condition("%s and %s" % (one.text, two.text), opposite, one.cost + two.cost + TWO_PARTS)


def _mark(literal: Literal, rows: Sequence[Row]) -> int:
    bit = 1 << literal.number
    return sum(1 << place for place, row in enumerate(rows) if bool(row.held & bit) is not literal.negated)


def joined_visits(by_test: "Sequence[Sequence[Row]]") -> Tuple[List[Row], List[int]]:
    """All visits, and how many each test has."""
    return [row for rows in by_test for row in rows], [len(rows) for rows in by_test]
