"""Calls that differ from themselves: by chance of the code, and not by that of a busy machine."""

from __future__ import annotations

import pytest
from factories import files, make_baseline, patch
from gateboxes import CountedBoxes, image

from bot.gate.layer import Case
from bot.gate.outside import results
from bot.gate.probing.compared import Probe
from bot.gate.probing.inputs import Call
from bot.gate.probing.sides import UNSTEADY, has_come, is_still_unsteady
from bot.gate.probing.touched import Touched
from sandbox import Image

PROBE = Probe(Touched("core.py", "core", "wait"), Call((["int", "0x2"],)), True)
WAITS = "import itertools\nimport time\n\nTIMES = itertools.cycle(({}, {}))\n\n\ndef wait(number):\n    time.sleep(next(TIMES))\n    return number\n"
STEADY = "def wait(number):\n    return number\n"
JITTER = "import random\n\n\ndef wait(number):\n    return number + random.random()\n"


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


def case_of(core: str) -> Case:
    return Case(files({"core.py": STEADY}), patch({"core.py": core}), make_baseline({"test_core.py::test": "failed"}))


@pytest.mark.parametrize(("waits", "differs"), [((5.0, 4.96), False), ((0.02, 0.0), False), ((5.0, 1.0), True)])
def test_wait_that_ends_a_little_sooner_is_the_same_and_a_much_shorter_one_is_not(
    plain: Image, waits: tuple[float, float], differs: bool
) -> None:
    case = case_of(WAITS.format(*waits))
    boxes = CountedBoxes(plain, case.after)
    found = results(boxes, case, case.after, [{**PROBE.task("call"), "times": 2}])
    assert found is not None
    assert (found[0] == UNSTEADY) is differs
    assert has_come(found[0]) is not differs


@pytest.mark.parametrize(("core", "still"), [(STEADY, False), (JITTER, True)])
def test_call_that_differed_from_itself_is_asked_again(plain: Image, core: str, still: bool) -> None:
    case = case_of(core)
    raw = [(PROBE, [["none"], [], "", ""], UNSTEADY)]
    assert is_still_unsteady(case, CountedBoxes(plain, case.after), raw, [PROBE]) is still
