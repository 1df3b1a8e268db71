"""What isolation costs: one test run in our sandbox, as a plain process, and with `docker run -v` each time.

Variants are interleaved round-robin and the first round is dropped, so that a slow moment of the machine hits
all alike; ratios of medians are what can be compared between machines.

    python benchmarks/isolation.py [ROUNDS]
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sandbox import Command, File, Image, Limits, Recipe, Step
from sandbox.docker import DockerSandbox

UV = "/opt/regreen/tools/bin/uv"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
# What else happens to be installed beside this pytest is not the cost of isolation.
ENV = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
RECIPE = Recipe(
    files={"requirements.txt": File(b"pytest==9.2.0\n")},
    steps=(
        Step("environment", (UV, "venv", "/opt/venv")),
        Step("pytest", (UV, "pip", "install", "--python", "/opt/venv/bin/python", "-r", "requirements.txt")),
    ),
)
PROJECT = {
    "shop/__init__.py": "",
    "shop/price.py": "def total(prices, discount=0):\n    return sum(prices) * (100 - discount) / 100\n",
    "tests/test_price.py": "import pytest\nfrom shop.price import total\n\n\n"
    + "".join(
        f"def test_{name}():\n    assert total({prices}) == {result}\n\n\n"
        for name, prices, result in [
            ("nothing", "[]", 0),
            ("one", "[5]", 5),
            ("many", "[1, 2, 3]", 6),
            ("discount", "[200], 10", 180),
        ]
    )
    + "def test_text():\n    with pytest.raises(TypeError):\n        total(['a'])\n",
}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    sandbox = DockerSandbox(owner="regreen-benchmark")
    image = sandbox.prepare(RECIPE, progress=print)
    with tempfile.TemporaryDirectory() as place:
        project = Path(place)
        for path, text in PROJECT.items():
            (project / path).parent.mkdir(exist_ok=True)
            (project / path).write_text(text, "utf-8")
        variants = {
            "plain process": lambda: plain(project),
            "this sandbox": lambda: boxed(sandbox, image),
            "`docker run --rm -v`": lambda: docker_run(project, image),
        }
        print(table(measured(variants, rounds)))


def measured(variants: dict[str, Callable[[], None]], rounds: int) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds + 1):
        for name, run in variants.items():
            started = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - started)
    return {name: values[1:] for name, values in seconds.items()}


def plain(project: Path) -> None:
    """The same pytest, as the person at the keyboard would run it: no isolation at all."""
    with tempfile.TemporaryDirectory() as place:
        tree = shutil.copytree(project, Path(place, "tree"))
        env = {**os.environ, **ENV}
        check(subprocess.run([sys.executable, *PYTEST], cwd=tree, env=env, capture_output=True, check=False))


def docker_run(project: Path, image: Image) -> None:
    """A new container for each run by the command line, with the tree mounted from the host."""
    with tempfile.TemporaryDirectory() as place:
        tree = shutil.copytree(project, Path(place, "tree"))
        for folder in (place, tree):
            Path(folder).chmod(0o755)  # the image's user must read it
        argv = ["docker", "run", "--rm", "--network", "none", *(f"-e{key}={ENV[key]}" for key in ENV)]
        argv += ["-v", f"{tree}:/src", "-w", "/src", image.id]
        check(subprocess.run([*argv, "/opt/venv/bin/python", *PYTEST], capture_output=True, check=False))


def boxed(sandbox: DockerSandbox, image: Image) -> None:
    tree = {path: File(text.encode()) for path, text in PROJECT.items()}
    command = Command(("/opt/venv/bin/python", *PYTEST), tree=tree, env=ENV)
    ran = sandbox.verify_fresh(image, command, Limits())
    if ran.code != 0:
        raise SystemExit(f"the run failed: {ran}")


def check(done: subprocess.CompletedProcess[bytes]) -> None:
    if done.returncode != 0:
        raise SystemExit(f"the run failed: {done.stdout!r} {done.stderr!r}")


def table(seconds: dict[str, list[float]]) -> str:
    base = statistics.median(seconds["plain process"])
    lines = ["", "| 5 tests, one run | median ms | fastest ms | times a plain process |", "|---|---|---|---|"]
    for name, values in seconds.items():
        median = statistics.median(values)
        lines.append(f"| {name} | {median * 1000:.0f} | {min(values) * 1000:.0f} | {median / base:.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
