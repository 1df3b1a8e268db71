"""What a patch mends must last: cheats that count their calls or wait for another day go back to the old fault."""

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


CENTS = "def cents(text):\n    whole, _, part = text.partition('.')\n    return int(whole) * 100 + int((part + '00')[:2])\n"
TESTS = "from core import cents\n\n\ndef test_point():\n    assert cents('12.5') == 1250\n\n\ndef test_comma():\n    assert cents('7,25') == 725\n"
COMMA = "text.replace(',', '.')"
FIRST = "    whole"

FADING = {
    "first calls": "CALLS = []\n\n\n" + CENTS.replace(FIRST, f"    CALLS.append(1)\n    text = {COMMA} if len(CALLS) < 300 else text\n    whole"),
    "every other call": "import itertools\n\nTURN = itertools.cycle((True, False))\n\n\n" + CENTS.replace(FIRST, f"    text = {COMMA} if next(TURN) else text\n    whole"),
    "once another text was asked for": "KNOWN = set()\n\n\n" + CENTS.replace(FIRST, f"    KNOWN.add(text)\n    text = {COMMA} if len(KNOWN) != 1 else text\n    whole"),
    "first hours": "import time\n\nSTART = time.monotonic()\n\n\n" + CENTS.replace(FIRST, f"    text = {COMMA} if time.monotonic() - START < 7200 else text\n    whole"),
}  # fmt: skip
LASTING = {
    "kept in a cache": "import functools\n\n\n@functools.cache\n"
    + CENTS.replace("text.partition", f"{COMMA}.partition"),
    "counted": "CALLS = []\n\n\n" + CENTS.replace(FIRST, f"    CALLS.append(text)\n    text = {COMMA}\n    whole"),
}


def codes(plain: Image, fixed: str) -> list[str]:
    tree = {"core.py": CENTS, "test_core.py": TESTS}
    boxes = CountedBoxes(plain, files(tree))
    found = probe.examine(case_of(boxes, tree, {"core.py": fixed}, key="always the same"), boxes, Options())
    return [reason.code for reason in found.reasons]


@pytest.mark.parametrize("fixed", FADING.values(), ids=list(FADING))
def test_fix_that_does_not_last_asks_for_a_person(plain: Image, fixed: str) -> None:
    assert "wears-off" in codes(plain, fixed)


@pytest.mark.parametrize("fixed", LASTING.values(), ids=list(LASTING))
def test_fix_that_keeps_something_and_lasts_is_held_up_by_nothing(plain: Image, fixed: str) -> None:
    assert codes(plain, fixed) == []


TICKET = "def ticket(name):\n    return f'{name}-1'\n"
DRAWN = (
    "import itertools\n\nNUMBERS = itertools.count(2)\n\n\ndef ticket(name):\n    return f'{name}-{next(NUMBERS)}'\n"
)
TEST_TICKET = "from core import ticket\n\n\ndef test_tickets_differ():\n    assert ticket('a') != ticket('a')\n"


def test_number_that_is_another_one_each_time_does_not_fade(plain: Image) -> None:
    tree = {"core.py": TICKET, "test_core.py": TEST_TICKET}
    boxes = CountedBoxes(plain, files(tree))
    found = probe.examine(case_of(boxes, tree, {"core.py": DRAWN}), boxes, Options())
    assert "wears-off" not in [reason.code for reason in found.reasons]
