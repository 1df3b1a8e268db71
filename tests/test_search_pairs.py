"""Faults that one edit alone cannot cure, and state that candidates leave behind for one another."""

from __future__ import annotations

from pathlib import Path

from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of

from bot.engines.contract import Proposals
from bot.engines.search.engine import SearchEngine

TWO_FAULTS = {
    "shop/__init__.py": "",
    "shop/prices.py": """
        def reduced(price, percent):
            return price * (100 + percent) / 100
    """,
    "shop/stock.py": """
        def missing(wanted, there):
            return max(there - wanted, 0)
    """,
    "tests/test_shop.py": """
        from shop.prices import reduced
        from shop.stock import missing


        def test_reduced():
            assert reduced(50, 10) == 45
            assert reduced(80, 0) == 80


        def test_missing():
            assert missing(5, 3) == 2
            assert missing(3, 5) == 0
            assert missing(0, 0) == 0
    """,
}
TWO_BOUNDS = {
    "windows.py": """
        def between(values, low, high):
            found = []
            for value in values:
                if value <= low:
                    continue
                if value >= high:
                    continue
                found.append(value)
            return found
    """,
    "tests/test_windows.py": """
        from windows import between


        def test_both_ends_belong_to_it():
            assert between([1, 2, 3, 4, 5], 2, 9) == [2, 3, 4, 5]
            assert between([1, 2, 3, 4, 5], 0, 4) == [1, 2, 3, 4]
            assert between([1, 2, 3, 4, 5], 2, 4) == [2, 3, 4]
    """,
}
LEAKING = {
    "counters.py": """
        SEEN = {"calls": [0]}


        class Registry:
            names = []

            def add(self, name):
                self.names.append(name)
                SEEN["calls"][0] += 1
                return len(self.names) + 1
    """,
    "tests/test_counters.py": """
        import counters


        def test_first_name_is_the_first():
            assert counters.Registry().add("a") == 1
            assert counters.SEEN["calls"] == [1]
    """,
}
OUT_OF_SIGHT = {
    "meter.py": """
        import functools


        @functools.singledispatch
        def _kinds(value):
            return value


        _kinds.total = []


        def measured(value):
            _kinds.total.append(value)
            return sum(_kinds.total) - 1
    """,
    "tests/test_meter.py": """
        from meter import measured


        def test_first_is_itself():
            assert measured(7) == 7
            assert measured(3) == 10
            assert measured(0) == 10
    """,
}


def proposals_for(texts: dict[str, str], folder: Path, budget_s: float = 40.0) -> Proposals:
    tree = tree_of(texts)
    failure = failure_of(run_suite(FolderSession(folder / "before"), tree, launch_of(tree)))
    assert failure.targets
    return SearchEngine().propose(failure, workbench_of(tree, FolderSession(folder / "search"), budget_s=budget_s))


def test_two_faults_in_two_files_are_cured_together(tmp_path: Path):
    first = proposals_for(TWO_FAULTS, tmp_path).candidates[0]
    assert b"(100 - percent)" in first.patch.files["shop/prices.py"]
    assert b"max(wanted - there, 0)" in first.patch.files["shop/stock.py"]
    assert "shop" in first.root_cause and ", and `" in first.root_cause


def test_two_bounds_of_one_function_are_cured_together(tmp_path: Path):
    """The test has one assertion for each bound: the edit of one brings it a line further."""
    first = proposals_for(TWO_BOUNDS, tmp_path).candidates[0]
    text = first.patch.files["windows.py"]
    assert b"value < low" in text and b"value > high" in text


def test_globals_and_class_attributes_are_put_back_between_candidates(tmp_path: Path):
    first = proposals_for(LEAKING, tmp_path).candidates[0]
    assert b"return len(self.names)\n" in first.patch.files["counters.py"]


def test_state_that_is_not_put_back_is_noticed(tmp_path: Path):
    first = proposals_for(OUT_OF_SIGHT, tmp_path).candidates[0]
    assert b"return sum(_kinds.total)\n" in first.patch.files["meter.py"]


TWO_LAMBDAS = {
    "order.py": """
        def ends(values):
            low, high = (lambda found: found[0]), (lambda found: found[-2])
            values = sorted(values)
            return low(values), high(values)
    """,
    "tests/test_order.py": """
        from order import ends


        def test_ends():
            assert ends([3, 1, 2]) == (1, 3)
            assert ends([5, 4]) == (4, 5)
    """,
}
BORROWED_BASE = {
    "kinds.py": """
        from abc import ABC


        class Named(ABC):
            def __init__(self, name):
                self.name = name


        class Circle(Named):
            def __init__(self, radius, name="circle"):
                self.radius = radius

            def label(self):
                return "%s of %d" % (self.name, self.radius)
    """,
    "tests/test_kinds.py": """
        from kinds import Circle


        def test_label():
            assert Circle(2).label() == "circle of 2"
            assert Circle(3, "moon").label() == "moon of 3"
    """,
}


def test_functions_that_share_a_line_and_a_name_are_told_apart(tmp_path: Path):
    first = proposals_for(TWO_LAMBDAS, tmp_path).candidates[0]
    assert b"found[0]), (lambda found: found[-1])" in first.patch.files["order.py"]


def test_attributes_written_to_a_librarys_base_class_do_not_stay(tmp_path: Path):
    """`ABC.name = name` in one candidate would make each later one pass."""
    text = proposals_for(BORROWED_BASE, tmp_path).candidates[0].patch.files["kinds.py"]
    assert b"super().__init__(name)" in text or b"        self.name = name\n\n    def label" in text


def test_same_mistake_at_both_bounds_is_tried_early(tmp_path: Path):
    """One assertion asks for both at once, so that neither edit alone brings the test any further."""
    texts = {
        "slots.py": """
            def overlap(start, end, other_start, other_end):
                return start <= other_end and other_start <= end
        """,
        "tests/test_slots.py": """
            from slots import overlap


            def test_slots_that_touch_do_not_overlap():
                assert [overlap(1, 2, 2, 3), overlap(2, 3, 1, 2)] == [False, False]
                assert overlap(1, 3, 2, 4) and overlap(2, 4, 1, 3)
        """,
    }
    proposals = proposals_for(texts, tmp_path)
    assert b"start < other_end and other_start < end" in proposals.candidates[0].patch.files["slots.py"]
    assert proposals.stats.tried < 4000
