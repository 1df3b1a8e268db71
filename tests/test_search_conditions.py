"""Conditions that no operator spells out, made from what the variables were at a place while tests ran."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest
from searchconditions import AMBIGUOUS, CONDITIONS
from searchfaults import Fault
from test_search_repairs import holds, proposals_for, with_patch

from bot.engines.search.inside.conditions.answers import only_looks
from bot.engines.search.inside.conditions.chosen import conditions, literals_of, patterns
from bot.engines.search.inside.conditions.gaps import views_of
from bot.engines.search.inside.conditions.observed import Row, row_of
from bot.engines.search.inside.conditions.terms import Unknown, terms_at
from bot.engines.search.inside.conditions.vocabulary import Vocabulary
from bot.engines.search.inside.hints import Hints
from bot.engines.search.inside.site import Site
from bot.engines.search.inside.source import Source
from bot.engines.search.inside.unit import spliced, units_of


@pytest.mark.parametrize("fault", CONDITIONS, ids=lambda fault: fault.name)
def test_condition_is_found_that_hidden_assertions_hold_for(fault: Fault, tmp_path):
    proposals = proposals_for(fault, tmp_path)
    assert proposals.candidates, proposals.stats
    told = [(c.operator, c.line, c.root_cause) for c in proposals.candidates]
    assert holds(with_patch(fault, proposals.candidates[0]), fault.hidden, tmp_path / "hidden"), told


@pytest.mark.parametrize("fault", AMBIGUOUS, ids=lambda fault: fault.name)
def test_where_several_conditions_fit_the_natural_one_is_proposed_or_none(fault: Fault, tmp_path):
    proposals = proposals_for(fault, tmp_path)
    told = [(c.operator, c.line, c.root_cause) for c in proposals.candidates]
    for first in proposals.candidates[:1]:
        assert holds(with_patch(fault, first), fault.hidden, tmp_path / "hidden"), told


def site_of(code: str, number: int) -> Site:
    """The so-many-th statement of a file."""
    source = Source("m.py", code.encode())
    stmt = [node for node in ast.walk(source.tree) if isinstance(node, ast.stmt)][number]
    site = Site(source, stmt, None, Hints([], {"m": "m.py"}, {}, {}))
    site.unit = units_of(source).get(site.function) if site.function else None
    return site


LOOP = """
def kept(items, limit):
    found = []
    for item in items:
        if item.size > limit and item.name:
            found.append(item)
    return found
"""


def statement(code: str, start: str) -> Site:
    source = Source("m.py", code.encode())
    nodes = [node for node in ast.walk(source.tree) if isinstance(node, ast.stmt)]
    number = next(n for n, node in enumerate(nodes) if source.text(node).startswith(start))
    return site_of(code, number)


def repaired(site: Site, operator: str, test: str, opposite: str) -> list[str]:
    data = site.source.data
    return [
        spliced(data, gap.asked(test, opposite)).decode()
        for view in views_of(site, 0.0)
        for gap in view.gaps
        if gap.operator == operator
    ]


@pytest.mark.parametrize(
    ("operator", "line"),
    [
        ("condition-weakened", "        if (item.size > limit and item.name) or item.kept:"),
        ("condition-strengthened", "        if item.size > limit and item.name and not item.kept:"),
        ("guard-synthesised", "        if item.kept:\n            continue\n        if item.size"),
        ("step-made-conditional", "        if not item.kept:\n            if item.size > limit"),
    ],
)
def test_condition_is_put_where_it_belongs(operator: str, line: str):
    texts = repaired(statement(LOOP, "if item.size"), operator, "item.kept", "not item.kept")
    assert any(line in text for text in texts), texts
    for text in texts:
        compile(text, "m.py", "exec")


def test_more_conditions_than_one_stand_in_brackets_where_they_must():
    site = statement(LOOP, "if item.size")
    (text,) = repaired(site, "condition-strengthened", "item.a and item.b", "not item.a or not item.b")
    assert "and item.name and (not item.a or not item.b):" in text


def test_property_is_never_read_while_looking():
    class Door:
        asked = 0

        def __init__(self):
            self.shut = True

        @property
        def locked(self):
            Door.asked += 1
            return True

    site = statement("def f(door):\n    return door.locked, door.shut\n", "return")
    door = Door()
    seen = {}
    for term in terms_at(site, site.stmt):
        try:
            seen[term.text] = term.value({"door": door})
        except Unknown:
            seen[term.text] = "unknown"
    assert seen == {"door": door, "door.locked": "unknown", "door.shut": True} and Door.asked == 0


class Asked:
    name = ".x"
    items: list[int]

    def is_hidden(self):
        return self.name.startswith(".")

    def is_empty(self):
        return len(self.items) == 0

    def taken(self):
        return self.items.pop()

    def grown(self):
        self.items = [*self.items, 1]
        return True

    def of_other(self):
        return self.grown()

    def with_argument(self, other):
        return other == self.name


@pytest.mark.parametrize(
    ("name", "looks"),
    [
        ("is_hidden", True),
        ("is_empty", True),
        ("taken", False),
        ("grown", False),
        ("of_other", False),
        ("with_argument", False),
    ],
)
def test_method_is_asked_only_if_its_code_does_nothing_but_look(name: str, looks: bool):
    assert only_looks(vars(Asked)[name]) is looks


def rows_for(vocabulary: Vocabulary, *visits: dict[str, object]) -> list[Row]:
    return [row_of(vocabulary, visit) for visit in visits]


def test_condition_that_would_raise_at_a_visit_is_not_chosen():
    site = statement("def f(name, size):\n    return name * size\n", "return")
    vocabulary = Vocabulary(site, site.stmt)
    reds = rows_for(vocabulary, {"name": "", "size": None}, {"name": "", "size": -1})
    literals = literals_of(vocabulary.atoms, reds)
    assert "size < 0" not in [literal.said(vocabulary.atoms).text for literal in literals]


def test_conditions_hold_at_red_visits_and_at_no_green_ones():
    site = statement("def f(low, high):\n    return high - low\n", "return")
    vocabulary = Vocabulary(site, site.stmt)
    reds = rows_for(vocabulary, {"low": 5, "high": 3}, {"low": 0, "high": -2})
    greens = rows_for(vocabulary, {"low": 5, "high": 9}, {"low": -3, "high": -1}, {"low": 2, "high": 2})
    literals = literals_of(vocabulary.atoms, reds)
    found = patterns(literals, [1, 1])
    every = next(pattern for pattern in found if pattern.vector == 3)
    texts = [one.text for one in conditions(vocabulary.atoms, literals, every, len(reds), greens)]
    assert texts[0] in ("high < low", "low > high") and "high is not None" not in texts


def test_value_that_only_tests_name_is_in_no_condition():
    site = statement("def f(code):\n    return code + 1\n", "return")
    vocabulary = Vocabulary(site, site.stmt)
    assert not [atom.text for atom in vocabulary.atoms if "7" in atom.text]
    row = row_of(vocabulary, {"code": SimpleNamespace()})
    assert row.known & 1 << [atom.text for atom in vocabulary.atoms].index("code is None")
