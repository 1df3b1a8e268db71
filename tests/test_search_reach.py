"""How far the operators reach: faults in the styles of many kinds of library, and the share whose repair is offered."""

from __future__ import annotations

import ast
import re

from operatorfaults import Case, cases

from bot.engines.search.inside.catalogue import OPERATORS
from bot.engines.search.inside.hints import Hints, Red
from bot.engines.search.inside.site import Site
from bot.engines.search.inside.source import Source
from bot.engines.search.inside.unit import spliced

NEAR = 4
EVERY = 8
"""One case in so many is tried here; the whole table takes minutes."""


def bare(text: str) -> str:
    """Without what two spellings of one repair may differ in."""
    return re.sub(r"[\s()'\",]", "", text)


def is_offered(case: Case) -> bool:
    source = Source("m.py", case.wrong.encode())
    hints = Hints([Red("t", "", case.message, ())], {"m": "m.py"}, {}, {})
    lines = zip(case.wrong.split("\n"), case.right.split("\n"), strict=False)
    first = next(number for number, (one, two) in enumerate(lines, 1) if one != two)
    wanted = bare(case.right)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.stmt) and node.lineno - NEAR <= first <= (node.end_lineno or node.lineno) + NEAR:
            site = Site(source, node, None, hints)
            for operator in OPERATORS:
                for change, _count in zip(operator.changes(site), range(operator.cap), strict=False):
                    if bare(spliced(source.data, change.edits).decode()) == wanted:
                        return True
    return False


def test_repair_of_most_faults_is_offered():
    tried = cases()[::EVERY]
    missed = [case.name for case in tried if not is_offered(case)]
    assert len(missed) <= 0.25 * len(tried), missed
