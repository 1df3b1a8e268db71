"""Which of several passing candidates a person would have written: the order in which they are proposed."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Set, Tuple

from ..frontier import Candidate
from ..hints import Hints
from ..source import enclosing_class, quoted
from .evidence import unasked
from .natural import signs, unnaturalness

HARD_CODED = 5.0
"""Added when a candidate spells out what the test expects."""
SPELLED_OUT = 0.8
"""The same for an operator that has to spell something out: nothing but a literal can be what is missing there."""
SPELLS = frozenset(("end-without-result", "text-differs", "sign-left-out"))
ONE_MORE = 2.0
"""The same for one more entry or branch beside its likes: what it is for must be spelled out."""
ROWS = frozenset(("entry-of-table-missing", "branch-of-sibling", "literal-left-out"))
JUDGES = (
    "__eq__",
    "__ne__",
    "__bool__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__contains__",
    "__hash__",
    "__len__",
)
WEAKENED = 2.5
"""Added for an edit in a method that assertions judge with: it can make any of them true."""
TWO_PLACES = 0.6
"""Added for a change at two places: there are so many of them that some pass by chance."""
PER_CHARACTER = 0.012
LONG = 40
"""So many characters are a small edit, whatever it takes out."""
LITERAL = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|\d+(?:\.\d+)?")


def final_cost(candidate: Candidate, hints: Hints) -> float:
    """Lower is better: the operator's price, the size of the edit, and what smells of the test's own values."""
    old, new = texts_of(candidate)
    cost = candidate.cost + PER_CHARACTER * _size(old, new)
    function = candidate.site.function
    promised = {text[1:-1] for text in quoted(function)} if function is not None else set()
    if (_literals(new) - _literals(old) - promised) & hints.expected():
        cost += _spelling(candidate.operator)
    if function is not None and function.name in JUDGES:
        cost += WEAKENED
    if len(candidate.parts) > 1:
        cost += TWO_PLACES
    cost += unasked(old, new, hints)
    found = signs(candidate)
    if hints.found(r"(has no len\(\))"):
        found["texts"] = 0.0  # then a number is the thing, and its text what has a length
    return cost + unnaturalness(found)


def _size(old: str, new: str) -> int:
    """How much text is new; lines that only change places are none."""
    if sorted(old.split()) == sorted(new.split()):
        return 0
    return abs(len(new) - len(old)) + max(0, len(new) - LONG)


def _spelling(operator: str) -> float:
    return SPELLED_OUT if operator in SPELLS else ONE_MORE if operator in ROWS else HARD_CODED


def texts_of(candidate: Candidate) -> Tuple[str, str]:
    """What the edits take out, and what they put in."""
    old, new = [], []
    for part in candidate.parts:
        data = part.site.source.data
        old += [data[start:end].decode("utf-8", "replace") for start, end, _text in part.edits]
        new += [text for _start, _end, text in part.edits]
    return " ".join(old), " ".join(new)


def _literals(text: str) -> Set[str]:
    return {found.strip("'\"") for found in LITERAL.findall(text)}


def line_of(candidate: Candidate) -> int:
    """The line where the edit starts."""
    first = min(start for start, _end, _text in candidate.parts[0].edits)
    return candidate.site.source.data[:first].count(b"\n") + 1


def function_of(candidate: Candidate) -> str:
    """`Class.method` or `function`; empty at module level."""
    site = candidate.site
    node: Any = site.function
    if node is None and hasattr(site.stmt, "args"):
        node = site.stmt
    if node is None:
        return site.klass.name if site.klass is not None else ""
    klass = enclosing_class(site.source, node)
    return "%s.%s" % (klass.name, node.name) if klass is not None else str(node.name)


def described(candidate: Candidate, cost: float) -> Dict[str, Any]:
    """What the host is told."""
    files: List[Dict[str, Any]] = [
        {"path": path, "edits": [list(edit) for edit in edits]} for path, edits in candidate.files().items()
    ]
    return {
        **files[0],
        "also": files[1:],
        "operator": candidate.operator,
        "line": line_of(candidate),
        "function": function_of(candidate),
        "what": candidate.what,
        "fault": candidate.fault,
        "natural": signs(candidate),
        "cost": round(cost, 3),
    }
