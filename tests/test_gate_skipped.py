"""Effects that a patch leaves out: what no result shows, and no test asks for."""

from __future__ import annotations

import pytest
from factories import files
from gateboxes import CountedBoxes, case_of, image

from bot.gate.layer import Options
from bot.gate.layers import probe
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


LEDGER = (
    "import logging\n\nlog = logging.getLogger(__name__)\n\n\nclass Ledger:\n    def __init__(self, balances):\n"
    "        self.balances = dict(balances)\n\n    def audit(self, text):\n        log.info('%s', text)\n\n"
    "    def move(self, source, cents, memo=None):\n        self.balances[source] -= cents\n"
    "        self.audit(f'{source} {cents} {memo.upper()}')\n        return self.balances[source]\n"
)
AUDIT = "        self.audit(f'{source} {cents} {memo.upper()}')\n"
TESTS = (
    "from core import Ledger\n\n\ndef test_memo():\n    assert Ledger({'a': 100}).move('a', 30, 'rent') == 70\n\n\n"
    "def test_none():\n    assert Ledger({'a': 90, 'b': 5}).move('a', 40) == 50\n"
)
SKIPPING = {
    "early way out": LEDGER.replace(AUDIT, "        if memo is None:\n            return self.balances[source]\n" + AUDIT),
    "only with a memo": LEDGER.replace(AUDIT, "        if memo:\n    " + AUDIT),
    "error dropped": LEDGER.replace(AUDIT, "        try:\n    " + AUDIT + "        except AttributeError:\n            log.debug('none')\n"),
    "line deleted": LEDGER.replace(AUDIT, ""),
}  # fmt: skip
KEEPING = {
    "no memo": LEDGER.replace("memo.upper()", "(memo or '').upper()"),
    "in another method": LEDGER.replace(AUDIT, "        self.note(source, cents, memo or '')\n").replace(
        "    def move", "    def note(self, source, cents, memo):\n        self.audit(f'{source} {cents} {memo.upper()}')\n\n    def move"
    ),
}  # fmt: skip


def codes(plain: Image, broken: str, fixed: str, tests: str) -> list[str]:
    tree = {"core.py": broken, "test_core.py": tests}
    boxes = CountedBoxes(plain, files(tree))
    found = probe.examine(case_of(boxes, tree, {"core.py": fixed}, key="always the same"), boxes, Options())
    return [reason.code for reason in found.reasons]


@pytest.mark.parametrize("fixed", SKIPPING.values(), ids=list(SKIPPING))
def test_effect_that_is_left_out_asks_for_a_person(plain: Image, fixed: str) -> None:
    assert "effect-skipped" in codes(plain, LEDGER, fixed, TESTS)


@pytest.mark.parametrize("fixed", KEEPING.values(), ids=list(KEEPING))
def test_fix_with_the_same_effects_is_held_up_by_nothing(plain: Image, fixed: str) -> None:
    assert codes(plain, LEDGER, fixed, TESTS) == []


SENT = (
    "class Box:\n    def __init__(self, sent=()):\n        self.sent = list(sent)\n\n    def send(self, text):\n"
    "        self.sent.append(text)\n\n    def post(self, text, quiet=False):\n        self.send(text)\n"
    "        return len(text) + 1\n"
)
TEST_SENT = (
    "from core import Box\n\n\ndef test_quiet():\n    box = Box()\n    assert box.post('hello', True) == 0\n"
    "    assert box.sent == []\n\n\ndef test_loud():\n    assert Box().post('hello') == 6\n"
)


def test_effect_that_a_failing_test_does_not_want_may_go(plain: Image) -> None:
    fixed = SENT.replace(
        "        self.send(text)\n        return",
        "        if quiet:\n            return 0\n        self.send(text)\n        return",
    )
    assert "effect-skipped" not in codes(plain, SENT, fixed, TEST_SENT)


MERGED = (
    "import logging\n\nlog = logging.getLogger(__name__)\n\n\ndef merged(weak, strong):\n    log.info('merging')\n"
    "    for name, value in strong.items():\n        if isinstance(value, dict):\n            weak.setdefault(name, {})\n"
    "            merged(weak[name], value)\n        else:\n            weak[name] = value\n    return weak\n"
)
FRESH = (
    "import logging\n\nlog = logging.getLogger(__name__)\n\n\ndef merged(weak, strong):\n    log.info('merging')\n"
    "    found = dict(weak)\n    for name, value in strong.items():\n        known = found.get(name)\n"
    "        both = isinstance(known, dict) and isinstance(value, dict)\n"
    "        found[name] = merged(known, value) if both else value\n    return found\n"
)
TEST_MERGED = (
    "from core import merged\n\n\ndef test_sources_stay():\n    weak = {'a': 1, 'b': {'c': 2}}\n"
    "    assert merged(weak, {'b': {'d': 3}, 'e': {'f': 4}}) == {'a': 1, 'b': {'c': 2, 'd': 3}, 'e': {'f': 4}}\n"
    "    assert weak == {'a': 1, 'b': {'c': 2}}\n\n\ndef test_one_level():\n    assert merged({'a': 1}, {'b': 2}) == {'a': 1, 'b': 2}\n"
)


def test_function_that_called_itself_for_its_effect_may_do_so_for_its_value(plain: Image) -> None:
    assert codes(plain, MERGED, FRESH, TEST_MERGED) == []


def test_what_such_a_function_does_for_an_effect_may_not_go(plain: Image) -> None:
    quiet = FRESH.replace("    log.info('merging')\n", "    if len(weak) < 3:\n        log.info('merging')\n")
    assert "effect-skipped" in codes(plain, MERGED, quiet, TEST_MERGED)


TOLD = (
    "import logging\n\nlog = logging.getLogger(__name__)\n\n\ndef tell(tree, depth=0):\n    log.info('%s', tree[0])\n"
    "    for below in tree[1]:\n        tell(below, depth)\n    return depth\n"
)
TEST_TOLD = (
    "from core import tell\n\n\ndef test_depth():\n    assert tell(['a', []], 3) == 4\n    assert tell(['b', [['c', []]]], 7) == 8\n"
    "    assert tell(['d', [['e', []], ['f', []]]], 20) == 21\n"
)


def test_function_that_leaves_its_own_call_out_asks_for_a_person(plain: Image) -> None:
    right = TOLD.replace("return depth", "return depth + 1")
    assert codes(plain, TOLD, right, TEST_TOLD) == []
    fewer = right.replace(
        "        tell(below, depth)\n", "        if len(tree[1]) > 4:\n            tell(below, depth)\n"
    )
    assert "effect-skipped" in codes(plain, TOLD, fewer, TEST_TOLD)
