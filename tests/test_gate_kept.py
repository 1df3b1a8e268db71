"""State that a patch stores in another form: what was recorded before it says nothing of the code after it."""

from __future__ import annotations

import pytest
from factories import files, make_baseline, patch

from bot.gate.inputs import Call
from bot.gate.kept import remembers, reshaped
from bot.gate.layer import Case

CART = "class Cart:\n    def __init__(self):\n        self._lines = {}\n\n    def put(self, name, price):\n        "
OLD = "self._lines[name] = (price, 1)\n"


def case_of(new: str) -> Case:
    before = make_baseline({"test_cart.py::test_put": "failed"})
    return Case(files({"cart.py": CART + OLD}), patch({"cart.py": new}), before)


@pytest.mark.parametrize(
    "new",
    [
        CART + "self._lines[name] = Line(price, 1)\n",
        CART + "self._lines[name] = [price, 1]\n",
        CART.replace("_lines = {}", "_lines = Counter()") + OLD,
        CART.replace("_lines", "_prices") + "self._prices[name] = price\n",
    ],
)
def test_field_is_kept_in_another_form(new: str) -> None:
    assert reshaped(case_of(new)) == {"_lines"}


@pytest.mark.parametrize(
    "new",
    [
        CART + "self._lines[name] = (price, 2)\n",
        CART + "self._lines[name] = (price * 2, len(name))\n",
        CART + OLD + "        self._count = 1\n",
        CART + OLD + "        price = [price]\n",
    ],
)
def test_field_is_kept_as_it_was(new: str) -> None:
    assert reshaped(case_of(new)) == frozenset()


def cart(later: dict[str, object], arguments: tuple[object, ...] = ()) -> list[object]:
    return ["object", "cart:Cart", {"_lines": ["dict", []]}, [arguments, {}, later], {}]


def test_object_remembers_only_what_it_was_given_after_it_was_made() -> None:
    names = frozenset({"_lines"})
    filled = cart({"_lines": ["dict", [[["str", "tea"], ["int", "0x1"]]]]})
    assert not remembers(Call((cart({}),)), names)
    assert remembers(Call((filled,)), names)
    assert remembers(Call((["int", "0x1"],), (("carts", ["list", [filled]]),)), names)
    assert remembers(Call((cart({}, (filled,)),)), names)
    assert remembers(Call((["object", "cart:Cart", {"_lines": ["dict", []]}, None, {}],)), names)
    assert not remembers(Call((filled,)), frozenset())
