"""Guards for `None` in what is no variable, and defaults that a description names."""

from __future__ import annotations

import pytest
from searchfaults import Fault
from test_search_operators import offers
from test_search_repairs import holds, proposals_for, with_patch

CASES = {
    "item of a field": (
        "'NoneType' object is not subscriptable",
        "class A:\n    def f(self):\n        return self.name[:3]\n",
        "        if self.name is None:\n            return None\n        return self.name[:3]",
    ),
    "default that the description quotes": (
        "'NoneType' object is not subscriptable",
        "class A:\n    def f(self):\n        \"Letters; '---' for nobody.\"\n        return self.name[:3]\n",
        "        if self.name is None:\n            return '---'\n        return self.name[:3]",
    ),
    "attribute of a field": (
        "'NoneType' object has no attribute 'name'",
        "def f(order):\n    return order.customer.name\n",
        "    if order.customer is None:\n        return None\n    return order.customer.name",
    ),
    "field that is gone through": (
        "'NoneType' object is not iterable",
        "class A:\n    def f(self):\n        for one in self.rows:\n            g(one)\n",
        "        if self.rows is None:\n            return []\n        for one",
    ),
    "field in a sum, in a loop": (
        "unsupported operand type(s) for +: 'int' and 'NoneType'",
        "def f(rows):\n    total = 0\n    for row in rows:\n        total = total + row.price\n    return total\n",
        "        if row.price is None:\n            continue\n        total",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_guard_is_offered_for_what_is_none(name: str):
    message, before, after = CASES[name]
    found = offers("none-not-handled", before, message)
    assert any(after in text for text in found), found


def test_nothing_is_offered_where_no_error_speaks_of_none():
    assert not offers("none-not-handled", CASES["item of a field"][1], "list index out of range")


def test_a_field_that_may_be_none_is_guarded_as_its_description_says(tmp_path):
    code = """
        class Item:
            def __init__(self, sku, supplier=None):
                self.sku, self.supplier = sku, supplier

            def code(self):
                \'\'\'Three letters, upper case; '---' where there is no supplier.\'\'\'
                return self.supplier[:3].upper()
    """
    tests = """
        from stock import Item


        def test_code():
            assert Item("a", "acme").code() == "ACM"
            assert Item("b", "zz").code() == "ZZ"


        def test_nobody():
            assert Item("x").code() == "---"
    """
    hidden = """
        from stock import Item

        assert Item("lamp").code() == "---" and Item("tea", "kew").code() == "KEW"
    """
    fault = Fault("nobody", {"stock.py": code, "tests/test_stock.py": tests}, hidden)
    proposals = proposals_for(fault, tmp_path)
    assert proposals.candidates, proposals.stats
    first = proposals.candidates[0]
    assert holds(with_patch(fault, first), fault.hidden, tmp_path / "hidden"), first.root_cause
    assert first.operator == "none-not-handled"
