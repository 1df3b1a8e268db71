"""Survivors that do something else than what the failures show to be amiss are put back."""

from __future__ import annotations

import pytest

from bot.engines.search.inside.belief.evidence import (
    EVADED,
    FORM_UNSEEN,
    ORDER_ASKED,
    OTHER_THAN_ORDER,
    TAUGHT,
    USED_UP,
    amiss,
    unasked,
)
from bot.engines.search.inside.belief.rank import final_cost
from bot.engines.search.inside.frontier import Candidate, Frontier, Part
from bot.engines.search.inside.hints import Hints, Red
from bot.engines.search.inside.places import Place, Survey
from bot.engines.search.inside.project import project_names
from bot.engines.search.inside.suspects import Suspicion


def told(*messages: str) -> Hints:
    return Hints([Red("t.py::t", "AssertionError", message, ()) for message in messages], {}, {}, {})


@pytest.mark.parametrize(
    ("message", "order"),
    [
        ("AssertionError: assert [1, 2] == [2, 1]\n  At index 0 diff: 1 != 2", True),
        ("assert ['a', 'b'] == ['b', 'c']", False),
        ("assert 'ab' == 'ba'", True),
        ("AssertionError: Lists differ: [1, 2] != [2, 1]", True),
        ("AssertionError: Tuples differ: (1, 2) != (1,)", False),
        ("assert [Slot(1...pe/Berlin')))] == []", None),
        ("assert 3 == 4", None),
        ("ValueError: no", None),
    ],
)
def test_order_is_all_that_is_wrong_where_the_same_things_came_out(message: str, order: bool | None):
    assert amiss(told(message)).order is order


def test_one_failure_that_is_a_matter_of_order_is_enough():
    assert amiss(told("assert [1] == [2]", "assert [1, 2] == [2, 1]")).order is True
    assert amiss(told("assert [1] == [2]", "assert f() == g")).order is False


@pytest.mark.parametrize(
    ("old", "new", "message", "cost"),
    [
        ("items", "sorted(items)", "assert [1] == [2]", OTHER_THAN_ORDER),
        ("list(items)", "reversed(items)", "assert [1] == [2]", OTHER_THAN_ORDER),
        ("items", "sorted(items)", "assert [2, 1] == [1, 2]", ORDER_ASKED),
        ("sorted(items)", "sorted(items, key=len)", "assert [1] == [2]", 0.0),
        ("items", "sorted(items)", "assert 1 == 2", 0.0),
        ("{day}", "{day:02d}", "assert '1. x' == '1.  x'", FORM_UNSEEN),
        ("{day}", "{day:02d}", "assert '2024-1' == '2024-01'", 0.0),
        ("{sum}", "{sum:.2f}", "assert '1.5 EUR' == '1.50 EUR'", 0.0),
        ("max", "sum", "ValueError: max() arg is an empty sequence", EVADED),
        ("max", "sum", "ValueError: max() iterable argument is empty", EVADED),
        ("", "rows = list(rows)", "TypeError: object of type 'list_iterator' has no len()", USED_UP),
        ("rows", "list(rows)", "TypeError: 'generator' object is not subscriptable", USED_UP),
        ("rows", "list(rows)", "TypeError: object of type 'int' has no len()", 0.0),
        ("max", "sum", "assert 3 == 4", 0.0),
        ("max(sizes)", "max(sizes, default=0)", "ValueError: max() arg is an empty sequence", 0.0),
        ("0", "1", "assert 0 == 1", TAUGHT),
        ("1", "0", "assert 0 == 1", 0.0),
        ("10", "11", "assert 0 == 1", 0.0),
    ],
)
def test_edit_costs_more_for_what_no_failure_asks_for(old: str, new: str, message: str, cost: float):
    assert unasked(old, new, told(message)) == cost


STOCK = b"""
def reserved(held, order):
    return held.get(order, (0, None))[0]


def name_of(one):
    return one.name if isinstance(one, str) else one
"""


def offered(new: str) -> Candidate:
    survey = Survey({"stock.py": STOCK}, told())
    source = survey.source("stock.py")
    assert source is not None
    frontier = Frontier([Place(site, 1.0) for site in survey.sites(source)])
    while (candidate := frontier.next()) is not None:
        if any(text == new for _start, _end, text in candidate.parts[0].edits):
            return candidate
    raise AssertionError(new)


def test_default_that_is_set_to_what_the_test_wants_comes_late():
    one = offered("1")
    assert final_cost(one, told("assert 0 == 1")) - final_cost(one, told("assert 7 == 9")) == pytest.approx(TAUGHT)


def test_type_that_nothing_is_of_comes_late():
    assert offered("float").cost > offered("not isinstance(one, str)").cost


def test_lines_that_change_places_are_no_new_text():
    survey = Survey({"stock.py": STOCK}, told())
    source = survey.source("stock.py")
    assert source is not None
    site = next(iter(survey.sites(source)))
    whole = STOCK.decode()
    moved = "\n".join(reversed(whole.split("\n")))
    longer = whole + "    # " + "as long as it was " * 5

    def cost(text: str) -> float:
        return final_cost(Candidate((Part(site, ((0, len(STOCK), text),)),), 1.0, "", "", "", exact=True), told())

    assert cost(moved) < cost(longer)


def test_fields_of_a_class_that_an_assertion_shows_are_suspected():
    files = {"k.py": b"class Item:\n    name = field(compare=False)\n\n\nclass Other:\n    name = field()\n"}

    def scores(message: str) -> list[float]:
        hints = Hints([Red("t", "AssertionError", message, ())], {}, {}, {})
        places = Survey(files, hints).imported(Suspicion([], [], hints), {"k.py"})
        return [place.score for place in places if place.site.klass is not None]

    plain, shown = scores("assert 1 == 2"), scores("AssertionError: assert Item(name=1) != Item(name=2)")
    assert shown[0] > plain[0] and shown[1] == plain[1]


def test_table_of_another_file_is_suspected_by_the_lines_that_import_it():
    files = {
        "a.py": b"from b import TABLE\n\n\ndef f(key):\n    return TABLE[key]\n",
        "b.py": b"TABLE = {'x': 1}\nOTHER = {'y': 2}\n",
    }
    modules, definitions = project_names(files, [])
    hints = Hints([Red("t", "KeyError", "KeyError: 'z'", ())], modules, definitions, {})
    survey = Survey(files, hints)
    places = survey.tables(Suspicion([{"a.py": {5: 1}}], [], hints))
    assert [place.site.text(place.site.stmt) for place in places] == ["TABLE = {'x': 1}"]
