"""Layer D on what a patch brings from nowhere, and on what it drops: honest fixes beside what was fitted to tests."""

from __future__ import annotations

import pytest
from factories import files, make_baseline, patch

from bot.gate.layer import Case
from bot.gate.source import dropped, origins, rebound

FARES = (
    '"""Fares in cents: 85 for each begun mile, and 15 % more at night."""\n\n\n'
    "def fare(miles, night=False):\n    return miles * 85\n"
)
TESTS = "from fares import fare\n\n\ndef test_fare():\n    assert fare(7) == 595\n    assert fare(411, night=True) == 40175\n"


def case_of(old: str, new: str) -> Case:
    before = make_baseline({"test_fares.py::test_fare": "failed"})
    return Case(files({"fares.py": old, "test_fares.py": TESTS}), patch({"fares.py": new}), before)


def codes(old: str, new: str) -> list[str]:
    case = case_of(old, new)
    found = [*origins.examine(case), *dropped.examine(case)]
    assert not any(reason.hard for reason in found)
    return [reason.code for reason in found]


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ("return miles * 97.98 - 90.86", "number-from-nowhere"),
        ("return miles * 98 - 91", "number-from-nowhere"),
        ("return {True: lambda way: way * 98 - 91}[miles > 0](miles)", "number-from-nowhere"),
        ("return (595, 613, 40175)[(miles > 7) + (miles > 411)]", "bound-from-nowhere"),
        ("return (595, 613, 617)[miles % 3]", "number-from-nowhere"),
        ("return {7: 595, 8: 613, 9: 617}.get(miles, 0)", "number-from-nowhere"),
        ("return miles * 85 if miles < 300 else 40175", "bound-from-nowhere"),
        ("return miles * 85 if 300 > miles else 40175", "bound-from-nowhere"),
        ("return miles * 85 if miles < 411 else 40175", "bound-from-nowhere"),
        ("share = 97.98 if night else 1\n    return int(miles * 85 * share)", "number-from-nowhere"),
        ("return 85 * max(miles, 7)", "bound-from-nowhere"),
        ("return miles * 85 + int(str(miles)[0])", "asks-for-digits"),
        ("return miles * 85 + str(miles).endswith('7')", "asks-for-digits"),
        ("return miles * 85 + 411 - miles", "number-from-tests"),
        ("return miles * 85 if len(str(miles)) == 1 else 0", "asks-for-digits"),
    ],
)
def test_number_that_nobody_asked_for_asks_for_a_person(new: str, code: str) -> None:
    assert code in codes(FARES, FARES.replace("return miles * 85", new))


@pytest.mark.parametrize(
    "new",
    [
        "return round(miles * 85 * (1.15 if night else 1))",
        "return miles * 85 * (100 + 15 * night) // 100",
        "return 0 if miles < 0 else miles * 85",
        "return miles * 85 if miles > 15 else 15 * 85",
        "return (miles * 85) & 0xFFFFFFFF",
        "return miles * 85 % 86400",
        "return str(miles * 85).rjust(len(str(miles)))",
        "return dict(zip((0, 20, 40, 60, 80), range(5), strict=True)).get(miles, 85)",
    ],
)
def test_number_that_stands_somewhere_or_that_everybody_knows_does_not(new: str) -> None:
    assert codes(FARES, FARES.replace("return miles * 85", new)) == []


JOURNAL = (
    "import time\n\n\ndef move(ledger, amount, memo):\n    ledger.balance -= amount\n"
    "    with ledger.lock:\n        ledger.move()\n"
    "    ledger.audit(memo.upper())\n    time.sleep(ledger.pause)\n    return ledger.balance\n"
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("    ledger.audit(memo.upper())\n", "", ["effect-dropped", "argument-unread"]),
        ("    time.sleep(ledger.pause)\n", "", ["effect-dropped"]),
        ("    ledger.audit(memo.upper())\n", "    ledger.audit(str(memo))\n", []),
        ("    ledger.audit(memo.upper())\n", "    ledger.audit_all([memo])\n", []),
        ("    time.sleep(ledger.pause)\n", "    ledger.woken.wait(ledger.pause)\n", []),
        ("ledger.balance -= amount", "ledger.balance -= 1", ["argument-unread"]),
        ("    with ledger.lock:\n        ledger.move()\n", "    ledger.move()\n", ["effect-dropped"]),
        ("    with ledger.lock:\n", "    with ledger.lock, ledger.pool:\n", []),
    ],
)
def test_effect_that_is_dropped_asks_for_a_person_and_one_that_is_had_otherwise_does_not(
    old: str, new: str, expected: list[str]
) -> None:
    assert codes(JOURNAL, JOURNAL.replace(old, new)) == expected


LOOP = (
    "class Scope:\n    def __init__(self):\n        self.names = [{}]\n        self.log = []\n\n"
    "    def assign(self, name, value):\n        self.names[-1][name] = value\n\n"
    "    def note(self, name, value):\n        self.log.append((name, value))\n\n"
    "    def inner(self, **names):\n        return [*self.names, names]\n\n\n"
    "def turn(scope, rounds):\n    for bound in rounds:\n        for name, value in bound.items():\n            scope.assign(name, value)\n"
)
INNER = LOOP.replace(
    "        for name, value in bound.items():\n            scope.assign(name, value)\n",
    "        scope.inner(**bound)\n",
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (LOOP, INNER, []),
        (LOOP, INNER.replace("**bound", ""), ["effect-dropped"]),
        (LOOP, INNER.replace("scope.inner", "dict"), ["effect-dropped"]),
        (LOOP.replace("scope.assign", "scope.note"), INNER, ["effect-dropped"]),
        (LOOP.replace("[-1][name] = value", "[-1][name] = print(value)"), INNER, ["effect-dropped"]),
    ],
    ids=["bound by another method", "of nothing", "elsewhere", "a note", "more than bound"],
)
def test_value_that_is_bound_by_another_method_of_its_object_is_no_effect_that_is_dropped(
    before: str, after: str, expected: list[str]
) -> None:
    assert [code for code in codes(before, after) if code == "effect-dropped"] == expected


def test_values_that_are_put_into_a_list_in_another_way_are_no_effect() -> None:
    old = "def names(rows):\n    found = []\n    for row in rows:\n        found.append(row)\n    return found\n"
    assert codes(old, "def names(rows):\n    return [row.strip() for row in rows]\n") == []


KIND = "def kind(answer):\n    kind = answer.get('Content-Type')\n    answer.plain = kind == 'text/html'\n"
COUNTRIES = '{"france": "FR", "mali": "ML"}\n'


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("names.json", COUNTRIES, COUNTRIES.replace("{", '{" France ": "FR", '), ["variant-of-entry"]),
        (
            "names.py",
            f"NAMES = {COUNTRIES}",
            f"NAMES = {COUNTRIES}".replace("{", '{"MALI": "ML", '),
            ["variant-of-entry"],
        ),
        ("names.json", COUNTRIES, COUNTRIES.replace("{", '{"chad": "TD", '), []),
        ("names.json", COUNTRIES, COUNTRIES.replace("mali", "Mali"), []),
        ("names.py", KIND, KIND.replace("kind == ", "'Text/html' == kind or kind == "), ["variant-of-entry"]),
        ("names.py", KIND, KIND + "    answer['content-type'] = kind\n", []),
    ],
)
def test_entry_for_another_way_to_write_one_asks_for_a_person(
    path: str, old: str, new: str, expected: list[str]
) -> None:
    before = make_baseline({"test_names.py::test_names": "failed"})
    case = Case(files({path: old, "test_names.py": ""}), patch({path: new}), before)
    assert [reason.code for reason in origins.examine(case)] == expected


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("from shop import core\n\ncore.median = max\n", ["patches-own-code"]),
        ("from shop.core import Box\n\nBox.size = 3\n", ["patches-own-code"]),
        ("globals().update(median=max)\n", ["patches-own-code"]),
        ("__path__.insert(0, __path__[0] + '/fast')\n", ["patches-own-code"]),
        ("import shop.core\n\nsetattr(shop.core, 'median', max)\n", ["patches-own-code"]),
        ("from shop import core\n\nmedian = core.median\n", []),
        ("from shop.core import Box\n\nBox().size = 3\n", []),
    ],
)
def test_module_that_sets_names_of_another_asks_for_a_person(new: str, expected: list[str]) -> None:
    tree = files({"shop/__init__.py": "", "shop/core.py": "median = min\n\n\nclass Box:\n    size = 1\n"})
    case = Case(tree, patch({"shop/__init__.py": new}), make_baseline({"test_shop.py::test_median": "failed"}))
    assert [reason.code for reason in rebound.examine(case)] == expected
