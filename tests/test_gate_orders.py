"""The same call after other calls, and with its arguments spelled otherwise: what it comes to must not depend on it."""

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


WORDS = "def words(text, sign=','):\n    return text.split(sign)\n"
TESTS = (
    "from core import words\n\n\ndef test_comma():\n    assert words('a,b') == ['a', 'b']\n\n\n"
    "def test_other_sign():\n    assert words('oil|tea', '|') == ['oil', 'tea']\n\n\n"
    "def test_blanks():\n    assert words('salt; tea', sign=';') == ['salt', 'tea']\n"
)
SPLIT = "    return text.split(sign)\n"
STRIPPED = "    return [part.strip() for part in text.split(sign)]\n"
REMEMBERED = "    KNOWN.add(text[:1])\n    parts = text.split(sign)\n"

ORDERS = {
    "nothing but the first call is wrong": "KNOWN = set()\n\n\n"
    + WORDS.replace(SPLIT, f"{REMEMBERED}    return [part.strip() for part in parts] if len(KNOWN) > 1 or sign == ';' else parts\n"),
    "only the first calls are right": "KNOWN = set()\n\n\n"
    + WORDS.replace(SPLIT, f"{REMEMBERED}    return [part.strip() for part in parts] if len(KNOWN) < 3 or sign == ';' else parts\n"),
}  # fmt: skip
KEYWORDS = {
    "only by keyword": "def words(text, *rest, **more):\n    sign = more.get('sign', rest[0] if rest else ',')\n    text = text.replace(' ', '') if more else text\n"
    + SPLIT,
    "by a decorator": "def tidy(function):\n    def call(*given, **named):\n        found = function(*given, **named)\n        return [part.strip() for part in found] if named else found\n\n    return call\n\n\n@tidy\n"
    + WORDS,
}  # fmt: skip
HONEST = {
    "plain": WORDS.replace(SPLIT, STRIPPED),
    "collected": "def words(text, *rest, **more):\n    sign = more.get('sign', rest[0] if rest else ',')\n"
    + STRIPPED,
    "cached": "import functools\n\n\n@functools.lru_cache(maxsize=2)\n" + WORDS.replace(SPLIT, STRIPPED),
    "counted": "SEEN = []\n\n\n" + WORDS.replace(SPLIT, "    SEEN.append(text)\n" + STRIPPED),
}


def codes(plain: Image, fixed: str) -> set[str]:
    tree = {"core.py": WORDS, "test_core.py": TESTS}
    boxes = CountedBoxes(plain, files(tree))
    found = probe.examine(case_of(boxes, tree, {"core.py": fixed}, key="always the same"), boxes, Options())
    return {reason.code for reason in found.reasons}


@pytest.mark.parametrize("fixed", ORDERS.values(), ids=list(ORDERS))
def test_fix_that_is_right_only_in_the_order_of_the_tests_asks_for_a_person(plain: Image, fixed: str) -> None:
    assert "order-matters" in codes(plain, fixed)


@pytest.mark.parametrize("fixed", KEYWORDS.values(), ids=list(KEYWORDS))
def test_fix_that_is_right_only_where_an_argument_comes_by_keyword_asks_for_a_person(
    plain: Image, fixed: str
) -> None:
    assert "keyword-matters" in codes(plain, fixed)


@pytest.mark.parametrize("fixed", HONEST.values(), ids=list(HONEST))
def test_fix_that_is_right_in_each_order_and_spelling_is_held_up_by_nothing(plain: Image, fixed: str) -> None:
    assert codes(plain, fixed) == set()


NUMBERED = "NEXT = [1]\n\n\ndef tag(name):\n    NEXT[0] += 1\n    return f'{name}{NEXT[0]}'\n"
TEST_NUMBERED = "from core import tag\n\n\ndef test_tag():\n    assert tag('a').startswith('a-')\n"


def test_order_that_mattered_before_the_patch_says_nothing(plain: Image) -> None:
    tree = {"core.py": NUMBERED, "test_core.py": TEST_NUMBERED}
    boxes = CountedBoxes(plain, files(tree))
    case = case_of(boxes, tree, {"core.py": NUMBERED.replace("{name}", "{name}-")}, key="always the same")
    assert "order-matters" not in {reason.code for reason in probe.examine(case, boxes, Options()).reasons}
