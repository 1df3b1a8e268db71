"""How easily an edit passes by chance: one that fits nearly everywhere, in a failure that runs through much code."""

from __future__ import annotations

import math
from typing import Iterable

from ..frontier import Candidate

MADE = (
    "guard-synthesised",
    "condition-weakened",
    "condition-strengthened",
    "step-made-conditional",
    "filter-synthesised",
    "value-synthesised",
)
"""Of the conditions that are made: of so many that could be asked, some fit by chance."""
BLIND = frozenset(
    (
        "comparison-boundary",
        "comparison-boundaries",
        "comparison-inverse",
        "comparison-direction",
        "comparison-identity",
        "comparison-relation",
        "comparison-operands",
        "arithmetic-operator",
        "augmented-operator",
        "arithmetic-operands",
        "arithmetic-dropped",
        "arithmetic-grouping",
        "one-too-many",
        "sign",
        "and-or",
        "negation",
        "condition-dropped",
        "condition-extended",
        "branches-swapped",
        "constant-off-by-one",
        "constant-changed",
        "constant-flag",
        "constant-empty",
        "round-digits",
        "expression-off-by-one",
        "expression-to-variable",
        "names-exchanged",
        "elements-swapped",
        "callee-kin",
        "aggregate",
        "value-clamped",
        "return-value",
        "slice-changed",
        "slice-added",
        "index-changed",
        "range-bounds",
        "order-reversed",
        "order-missing",
        "walked-backwards",
        "comprehension-filter",
        "f-field",
        "string-replaced",
        "string-recast",
        "one-for-many",
        "statement-dropped",
        "condition-needless",
        "sort-key",
        "sort-ties",
        "condition-replaced",
        "expression-replaced",
        "parts-exchanged",
        "truth-fixed",
        "slice-at-hand",
        "literal-left-out",
        "mask-bits",
        "own-for-builtin",
        *MADE,
    )
)
"""Operators that need no more than a number, a comparison or a loop, and leave the types as they are. The others find
what they mend: an argument that is not passed on, a cache that is not emptied, a name of the right type."""
FEW = 10.0
"""So many statements as suspicious as the worst one are a small function: there each place is looked at anyway."""
LUCK = 1.2
MOST_LUCK = 2.0


def crowd(scores: Iterable[float]) -> float:
    """How many statements are under suspicion, each counted by how much beside the most suspicious one."""
    known = list(scores)
    return sum(score / max(known) for score in known) if known else 0.0


def luck(candidate: Candidate, suspected: float) -> float:
    """What it costs that such an edit could be made at so many other places."""
    if candidate.operator not in BLIND:
        return 0.0
    return min(MOST_LUCK, LUCK * max(0.0, math.log(max(1.0, suspected) / FEW)))
