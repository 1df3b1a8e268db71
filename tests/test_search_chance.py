"""Edits that fit everywhere are believed less where a failure runs through much code."""

from __future__ import annotations

import inspect

import pytest

from bot.engines.search.inside.belief.chance import BLIND, FEW, MADE, MOST_LUCK, crowd, luck
from bot.engines.search.inside.catalogue import EVERY
from bot.engines.search.inside.conditions import gaps
from bot.engines.search.inside.frontier import Candidate


def edit(operator: str) -> Candidate:
    return Candidate((), 1.0, operator, "`a`", "is wrong", exact=True)


def test_blind_operators_are_operators():
    assert set(BLIND) - set(MADE) <= {operator.name for operator in EVERY}


def test_names_of_made_conditions_are_those_that_gaps_have():
    assert all(f'"{name}"' in inspect.getsource(gaps) for name in MADE)


def test_statements_are_counted_beside_the_most_suspicious_one():
    assert crowd([]) == 0.0
    assert crowd([0.5, 0.5, 0.25]) == pytest.approx(2.5)


def test_small_function_is_no_place_for_luck():
    assert luck(edit("negation"), FEW) == luck(edit("negation"), 0.0) == 0.0


def test_blind_edit_among_many_statements_costs_more():
    some, many, most = (luck(edit("negation"), FEW * factor) for factor in (2, 4, 400))
    assert 0 < some < many <= most == MOST_LUCK


def test_edit_that_found_what_it_mends_costs_no_more_anywhere():
    assert luck(edit("argument-passed-on"), FEW * 4) == 0.0
