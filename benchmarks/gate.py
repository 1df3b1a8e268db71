"""What the gate costs: its time as a multiple of one plain run of the suite, for suites of several sizes.

.venv/bin/python benchmarks/gate.py [TESTS...]

The repository has one red test, which the patch mends, in a file of ten; its other tests take a millisecond each.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from factories import files  # noqa: E402
from gateboxes import CountedBoxes, case_of, image  # noqa: E402

from bot.gate import judge as gate  # noqa: E402
from bot.gate.layer import Options  # noqa: E402
from bot.nouns import Verdict  # noqa: E402
from sandbox import Image  # noqa: E402

SIZES = (10, 500, 5000)
FAULTY = "def add(a, b):\n    return a - b\n\n\ndef same(n):\n    return n\n"
PER_FILE = 10


def suite(tests: int) -> dict[str, str]:
    """A repository with that many tests, ten in a file."""
    tree = {
        "calc.py": FAULTY,
        "tests/test_add.py": "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
    }
    for number in range(tests // PER_FILE):
        cases = "".join(
            f"\n\ndef test_{n}():\n    time.sleep(0.001)\n    assert same({n}) == {n}\n" for n in range(PER_FILE)
        )
        tree[f"tests/test_{number:04d}.py"] = f"import time\n\nfrom calc import same\n{cases}"
    return tree


def measure(box: Image, tests: int) -> tuple[float, Verdict, float]:
    """Seconds of one plain run, the verdict, and the seconds that the gate took."""
    tree = suite(tests)
    boxes = CountedBoxes(box, files(tree))
    case = case_of(boxes, tree, {"calc.py": FAULTY.replace("a - b", "a + b")})
    plain = min(ran.seconds for ran in boxes.ran)
    started = time.monotonic()
    verdict = gate.judge(case, boxes, Options(all_layers=True))
    return plain, verdict, time.monotonic() - started


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or list(SIZES)
    box = image()
    found = [measure(box, size) for size in sizes]
    names = [record.layer for record in found[0][1].layers]
    print("| tests | plain run | gate | multiple | " + " | ".join(names) + " |")
    print("| --- " * (4 + len(names)) + "|")
    for size, (plain, verdict, spent) in zip(sizes, found, strict=True):
        each = " | ".join(f"{record.seconds:.1f} s" for record in verdict.layers)
        print(f"| {size} | {plain:.1f} s | {spent:.1f} s | {spent / plain:.1f} | {each} |")
        assert verdict.verdict == "accepted", verdict.reasons


if __name__ == "__main__":
    main()
