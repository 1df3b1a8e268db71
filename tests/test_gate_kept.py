"""State that a patch stores in another form: what was recorded before it says nothing of the code after it."""

from __future__ import annotations

import pytest
from factories import files, make_baseline, patch
from gateboxes import CountedBoxes, image
from gateboxes import case_of as case_of_boxes

from bot.gate.layer import Case, Options
from bot.gate.layers import probe
from bot.gate.probing.inputs import Call
from bot.gate.probing.kept import lost, remembers, reshaped

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


PART = (
    "from dataclasses import dataclass\n\n\n@dataclass\nclass Part:\n    name: str\n    grams: int = 0\n\n"
    "    def mark(self):\n        return self.name\n"
)
TEST_PART = "from core import Part\n\n\ndef test_heavy():\n    assert Part('tub', 9).mark() == 'tub!'\n"
HEAVY = "        return self.name + ('!' if {} else '')\n"
RENAMED = PART.replace("grams", "weight").replace(
    "        return self.name\n", HEAVY.format("getattr(self, 'weight', 0) == 9")
)


@pytest.mark.parametrize(
    ("new", "tests", "names"),
    [
        (RENAMED, "", {"grams"}),
        (PART.replace("    grams: int = 0\n", ""), "", {"grams"}),
        (RENAMED, "part.weight", set()),
        (RENAMED + "\n    @property\n    def grams(self):\n        return self.weight\n", "", set()),
        (PART.replace("self.name", "self.name * self.grams"), "", set()),
        ("class Base:\n    grams: int = 0\n\n\n" + RENAMED.replace("Part:", "Part(Base):"), "", set()),
    ],
    ids=["renamed", "removed", "asked for by a test", "still there to be read", "kept", "inherited"],
)
def test_field_that_its_class_does_not_know_any_more(new: str, tests: str, names: set[str]) -> None:
    before = make_baseline({"test_core.py::test_heavy": "failed"})
    case = Case(files({"core.py": PART, "test_core.py": tests}), patch({"core.py": new}), before)
    assert lost(case) == names


def test_calls_on_objects_that_the_patched_code_cannot_read_are_no_silence() -> None:
    tree = {"core.py": PART, "test_core.py": TEST_PART}
    boxes = CountedBoxes(image(), files(tree))
    right = PART.replace("        return self.name\n", HEAVY.format("self.grams > 5"))
    found = [
        {
            reason.code
            for reason in probe.examine(case_of_boxes(boxes, tree, {"core.py": new}), boxes, Options()).reasons
        }
        for new in (RENAMED, right)
    ]
    assert "objects-unreadable" in found[0]
    assert "objects-unreadable" not in found[1]
