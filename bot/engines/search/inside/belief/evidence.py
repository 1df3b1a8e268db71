"""Whether what an edit does is what the failures show to be amiss: order, a number's form, or nothing but a value."""

from __future__ import annotations

import ast
import functools
import re
from typing import List, NamedTuple, Optional, Set, Tuple

from ..hints import Hints, compared

OTHER_THAN_ORDER = 1.0
"""Added for putting things in another order where what came out is no other order of what was expected."""
ORDER_ASKED = -0.5
"""Added for the same where the order of things is all that is wrong."""
FORM_UNSEEN = 1.2
"""Added for writing numbers in a form that no failure shows."""
TAUGHT = 1.2
"""Added for putting the expected value where the code says the one that came out."""
EVADED = 4.0
"""Added for another aggregate in the place of one that nothing can be given to: it answers, but another question."""
USED_UP = -1.2
"""Added for keeping the items of a thing, where the failure says that it can be walked through alone."""

_ORDERING = re.compile(r"\b(?:sorted|reversed|set|frozenset)\(|\.(?:sort|reverse)\(|\[::-1\]")
_EMPTY = re.compile(r"\b(?:min|max)\(\) (?:arg is an empty|iterable argument is empty)|\b(?:mean|median|mode) .*no ")
_WALKED = re.compile(r"'(?:\w*_iterator|generator|map|filter|zip|enumerate)'")
_KEPT = re.compile(r"\b(?:list|tuple)\(")
_AGGREGATES = re.compile(r"\b(?:min|max|mean|median|mode|sum|len|any|all)\b")
_DIFFER = re.compile(r"(?:\w+ differ: )?(.+) != (.+)")
_LITERAL = re.compile(r"-?\b\d+(?:\.\d+)?\b|'[^'\n]*'|\"[^\"\n]*\"")
_FORMS: Tuple[Tuple[str, str], ...] = (
    (r":0\d", r"(?<![\d.])0\d"),
    (r":\.1f", r"\d\.\d(?!\d)"),
    (r":\.2f", r"\d\.\d\d(?!\d)"),
    (r":\.0f", r"(?<![\d.])\d+(?![\d.])"),
    (r":,", r"\d,\d\d\d"),
)
"""What a format begins with -> what text looks like that it makes."""


class Amiss(NamedTuple):
    """What the failures show."""

    order: Optional[bool]
    """Whether the order of things is all that is wrong in one of them; None where none of them can be read."""
    values: Tuple[Tuple[str, str], ...]
    """(what came out, what was expected), where both are literals."""
    words: str


@functools.lru_cache(maxsize=8)
def amiss(hints: Hints) -> Amiss:
    orders = [_order(red.message) for red in hints.reds]
    known = [order for order in orders if order is not None]
    pairs = [compared(red.message) for red in hints.reds]
    values = tuple(pair for pair in pairs if pair is not None and all(_LITERAL.fullmatch(text) for text in pair))
    order = any(known) if known else None
    return Amiss(order, values, "\n".join(red.message for red in hints.reds))


def _order(message: str) -> Optional[bool]:
    """Whether two compared sequences hold the same things; None for what is no comparison of sequences."""
    line = message.split("\n", maxsplit=1)[0]
    line = line.partition("AssertionError: ")[2] or line
    match = _DIFFER.fullmatch(line)
    try:
        tree = ast.parse("assert (%s) == (%s)" % match.groups() if match else line)
    except (SyntaxError, ValueError, RecursionError):
        return None
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Compare)][:1]
    if not found or not isinstance(found[0].ops[0], ast.Eq):
        return None
    left, right = _parts(found[0].left), _parts(found[0].comparators[0])
    return None if left is None or right is None else sorted(left) == sorted(right)


def _parts(node: ast.expr) -> Optional[List[str]]:
    if isinstance(node, (ast.List, ast.Tuple)):
        return [ast.dump(part) for part in node.elts]
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and "..." not in node.value:
        return list(node.value)
    return None


def unasked(old: str, new: str, hints: Hints) -> float:
    """What it costs that an edit does something else than what is amiss; below zero where it does just that."""
    seen, cost = amiss(hints), 0.0
    if seen.order is not None and len(_ORDERING.findall(old)) != len(_ORDERING.findall(new)):
        cost += ORDER_ASKED if seen.order else OTHER_THAN_ORDER
    for form, look in _FORMS:
        if len(re.findall(form, new)) > len(re.findall(form, old)) and not re.search(look, seen.words):
            cost += FORM_UNSEEN
    if _WALKED.search(seen.words) and len(_KEPT.findall(new)) > len(_KEPT.findall(old)):
        cost += USED_UP
    if _EMPTY.search(seen.words) and _AGGREGATES.findall(old) and _aggregates(old) != _aggregates(new):
        cost += EVADED
    if any(got in _literals(old) and wanted in _literals(new) for got, wanted in seen.values):
        cost += TAUGHT
    return cost


def _aggregates(text: str) -> List[str]:
    return sorted(_AGGREGATES.findall(text))


def _literals(text: str) -> Set[str]:
    return set(_LITERAL.findall(text))
