"""What a search keeps follows from the order of candidates, never from which of them was answered first."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of
from searchfaults import FAULTS

from bot.engines.search.inside.frontier import Candidate
from bot.engines.search.inside.order import (
    AFTER_FIRST,
    DOUBTED,
    LONGER,
    MARGIN,
    MOST_SURVIVORS,
    SLOW_TRIES,
    SLOWNESS,
    Order,
    counts,
)
from bot.engines.search.pack import command_for
from sandbox import Limits


def candidate(cost: float) -> Candidate:
    return Candidate((), cost, "negation", "`a`", "is wrong", exact=True)


def drawn(order: Order, *costs: float) -> list[Candidate]:
    return [order.fast(candidate(cost)) for cost in costs]


def kept(order: Order, *survivors: Candidate) -> list[Candidate]:
    end = order.end([(one.cost, one) for one in survivors])
    return [one for one in survivors if counts(one, end)]


def test_search_without_a_survivor_has_no_end():
    order = Order()
    drawn(order, 1.0, 2.0)
    assert order.end([]).cost == float("inf")


def test_survivors_count_up_to_a_margin_above_the_cheapest():
    order = Order()
    first, second, third = drawn(order, 1.0, 1.0 + MARGIN, 1.1 + MARGIN)
    assert kept(order, first, second, third) == [first, second]
    assert kept(order, second, third) == [second, third]


def test_only_so_many_candidates_after_the_first_survivor_count():
    order = Order()
    first, *_, last, late = drawn(order, *(1.0 + n / 10_000 for n in range(AFTER_FIRST[0] + 2)))
    assert kept(order, first, last, late) == [first, last]


def test_search_looks_longer_while_no_survivor_is_to_be_believed():
    order = Order()
    dear = DOUBTED + 0.5
    first, *_, late, last, over = drawn(order, *(dear + n / 100_000 for n in range(LONGER * AFTER_FIRST[0] + 2)))
    assert kept(order, first, late, last, over) == [first, late, last]


def test_survivor_to_be_believed_ends_the_longer_look():
    order = Order()
    drawn_ones = drawn(order, *(3.0 + n / 100_000 for n in range(3 * AFTER_FIRST[0])))
    doubted, believed = drawn_ones[0], drawn_ones[1000]
    inside, outside = drawn_ones[1000 + AFTER_FIRST[0]], drawn_ones[1001 + AFTER_FIRST[0]]
    end = order.end([(DOUBTED + 1, doubted), (3.0, believed), (3.0, inside), (3.0, outside)])
    assert [one for one in (doubted, believed, inside, outside) if counts(one, end)] == [doubted, believed, inside]


def test_slow_candidates_count_for_many_fast_ones():
    order = Order()
    enough = -(-AFTER_FIRST[0] // SLOW_TRIES)
    slow = [order.slow(candidate(1.0 + n / 1_000), -SLOWNESS) for n in range(1, enough + 5)]
    (first,) = drawn(order, 1.0)
    assert kept(order, first, *slow) == [first, *slow[:enough]]


def test_no_more_than_a_number_of_survivors_count():
    order = Order()
    many = drawn(order, *(1.0 + n / 1_000 for n in range(MOST_SURVIVORS + 5)))
    assert kept(order, *many) == many[:MOST_SURVIVORS]


def test_slow_survivor_counts_itself_though_its_turn_is_late():
    order = Order()
    slow = order.slow(candidate(1.0), 0.0)
    drawn(order, 1.0, 2.0, 5.0)
    assert kept(order, slow) == [slow]


def test_pairs_count_only_where_no_single_edit_passed():
    order = Order()
    single, _ = drawn(order, 1.0, 2.0)
    order.next_phase()
    (pair,) = drawn(order, 2.0)
    assert kept(order, pair) == [pair]
    assert kept(order, single, pair) == [single]


def test_end_is_the_same_in_whichever_order_answers_come():
    order = Order()
    fast = drawn(order, *(1.0 + n / 500 for n in range(2000)))
    slow = [order.slow(candidate(n / 10), 0.0) for n in range(20)]
    found = [*random.Random(3).sample(fast, 8), *slow[::7]]
    ends = {order.end([(one.cost, one) for one in some]) for some in itertools.permutations(found, len(found) // 3)}
    whole = {order.end([(one.cost, one) for one in random.Random(n).sample(found, len(found))]) for n in range(20)}
    assert len(whole) == 1 and len(ends) > 1


def verdict_of(fault, folder: Path) -> list[object]:
    """Everything of a search's result that may not change from run to run."""
    tree = tree_of(fault.files)
    failure = failure_of(run_suite(FolderSession(folder / "before"), tree, launch_of(tree)))
    session = FolderSession(folder / "search")
    workbench = workbench_of(tree, session, budget_s=60.0)
    report = session.run(command_for(failure, workbench, cores=2), Limits(timeout_s=100)).report
    result = json.loads(report.splitlines()[-1])
    return [(one["edits"], one["cost"], one["share"], one["signs"]) for one in result["doubted"]] + [result["doubt"]]


@pytest.mark.parametrize("name", ["sorted-in-wrong-direction", "mutable-default"])
def test_search_beside_a_busy_neighbour_finds_the_same(name: str, tmp_path: Path):
    fault = next(one for one in FAULTS if one.name == name)
    calm = verdict_of(fault, tmp_path / "calm")
    neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        busy = verdict_of(fault, tmp_path / "busy")
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
    assert calm == busy and len(calm) > 1
