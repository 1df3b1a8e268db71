"""What one test run costs, by each way to run it, and how many candidates a second each way tries.

Variants are interleaved round-robin and the first round is dropped, so that a slow moment of the machine hits
all alike; ratios of medians to a plain process are what can be compared between machines. Prints Markdown.

    python benchmarks/sandbox.py [ROUNDS]
    python benchmarks/sandbox.py memory [RUNS]     what the controller takes, over so many runs through real boxes
"""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import os
import queue
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # before this folder, where this file would be `sandbox`

from bot.engines.contract import Launch  # noqa: E402
from bot.toolchains import python, python_warm  # noqa: E402
from sandbox import Delta, DeltaReport, File, Files, Image, Limits, Ran, Recipe, Session, Step  # noqa: E402
from sandbox.bubblewrap import BubblewrapSandbox  # noqa: E402
from sandbox.docker import DockerSandbox  # noqa: E402

UV = "/opt/regreen/tools/bin/uv"
# What else happens to be installed beside this pytest is not the cost of isolation.
ENV = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
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
SUITE = "jinja2==3.1.6"
NEEDS = ("pytest==9.2.0", "markupsafe==3.0.3", "trio==0.32.0")
RECIPE = Recipe(
    files={"requirements.txt": File("\n".join(NEEDS).encode())},
    steps=(
        Step("environment", (UV, "venv", "/opt/venv")),
        Step("packages", (UV, "pip", "install", "--python", "/opt/venv/bin/python", "-r", "requirements.txt")),
    ),
)
BOX = Limits(timeout_s=900, cpus=2.0)
RATE_S = 6.0
SETTLED_S = 1.0
"""As long as it takes to make a box ahead, on a busy machine."""
PLAIN, PLAIN_TAR = "plain process", "plain process that reads its files as a tar"
MANY = 1 << 30
FAULTY = "def area(width, height):\n    width = width * 1\n    return width + height * {}\n"
FAULT_TEST = "from area import area\n\n\ndef test_area():\n    assert area(3, 4) == 12\n"

Variants = dict[str, Callable[[], None]]


class Project:
    """A tree, the pytest arguments, and a file to change. Runs must all come to the same number of tests."""

    def __init__(self, name: str, tree: Files, touched: str, args: tuple[str, ...] = ()) -> None:
        self.name, self.tree, self._touched = name, tree, touched
        launch = python.launch(tree, args)
        self.launch = Launch(launch.python, launch.tools, {**launch.env, **ENV}, launch.paths, launch.pytest_args)
        self.command = python.suite(tree, self.launch)
        self._numbers = itertools.count()
        self._tests: set[int] = set()

    def delta(self) -> Delta:
        """Never the same twice, and outside of any function, so that everything is imported anew."""
        data = self.tree[self._touched].data + f"\nNUMBER = {next(self._numbers)}\n".encode()
        return Delta("", {self._touched: data})

    def check(self, report: bytes | None) -> None:
        run = None if report is None else python.read(report)
        if run is None:
            raise SystemExit(f"{self.name}: a run gave no report")
        self._tests.add(len(run.cases))
        if len(self._tests) > 1:
            raise SystemExit(f"{self.name}: runs differ in their number of tests: {sorted(self._tests)}")

    @property
    def tests(self) -> int:
        return next(iter(self._tests))


class Server:
    """A warm server that is asked for one run at a time: `run_many` with a source that waits."""

    def __init__(self, session: Session, project: Project) -> None:
        self._asked: queue.Queue[Delta | None] = queue.Queue()
        deltas = iter(self._asked.get, None)
        server = python_warm.warm(project.tree, project.launch)
        self._reports: Any = session.run_many(server, deltas, BOX, in_flight=1, workers=1)  # type: ignore[arg-type]

    def run(self, delta: Delta) -> DeltaReport:
        self._asked.put(delta)
        report: DeltaReport = next(self._reports)
        return report

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._reports.close()


def main() -> None:
    if sys.argv[1:2] == ["memory"]:
        print(memory(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000))
        return
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    sandbox = DockerSandbox(owner="regreen-benchmark")
    image = sandbox.prepare(RECIPE, progress=lambda line: print(line, file=sys.stderr))
    wrapped = BubblewrapSandbox(owner="regreen-benchmark")
    wrapped_image = wrapped.prepare(RECIPE, progress=lambda line: print(line, file=sys.stderr))
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        interpreter = environment(place)
        sessions = {
            "fresh box, Docker": stack.enter_context(sandbox.session(image)),
            "fresh box, Docker, made ahead": stack.enter_context(sandbox.session(image, runs=MANY)),
            "fresh box, bubblewrap": stack.enter_context(wrapped.session(wrapped_image)),
            "fresh box, bubblewrap, made ahead": stack.enter_context(wrapped.session(wrapped_image, runs=MANY)),
        }
        ways = Ways(sessions, stack.enter_context(Warm(image)), image, interpreter, sandbox.settle)
        for project in projects(place):
            print(one_run(project, ways, rounds), flush=True)
        print(rates(sessions["fresh box, Docker"], interpreter), flush=True)


def environment(place: Path) -> str:
    """An interpreter of this machine with the packages that the image has."""
    usual = Path("/usr/bin/python3")
    subprocess.run(
        [usual if usual.exists() else sys.executable, "-m", "venv", "--without-pip", place / "venv"], check=True
    )
    target = place / "venv" / "lib" / next((place / "venv" / "lib").iterdir()).name / "site-packages"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", target, *NEEDS]
    subprocess.run(install, check=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    return str(place / "venv" / "bin" / "python")


def projects(place: Path) -> Iterator[Project]:
    yield Project("5 tests", {path: File(text.encode()) for path, text in PROJECT.items()}, "shop/price.py")
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", SUITE]
    subprocess.run(fetch, check=True, cwd=place, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    tree = unpacked(next(place.glob("*.tar.gz")).read_bytes())
    changed = "src/jinja2/constants.py"
    yield Project("one file of a suite", tree, changed, ("tests/test_filters.py",))
    yield Project("a whole suite", tree, changed)


def unpacked(data: bytes) -> Files:
    found: dict[str, File] = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isreg() else None
            if content is not None:
                found[member.name.partition("/")[2]] = File(content.read())
    return found


class Warm:
    """A container that stays, for the way of many tools: reset, copy, `docker exec`."""

    def __init__(self, image: Image) -> None:
        self._image = image

    def __enter__(self) -> Self:
        argv = ["docker", "run", "-d", "--rm", "--init", "--network", "none", "--tmpfs", "/sbx:exec,mode=1777"]
        started = subprocess.run([*argv, self._image.id, "sleep", "3600"], capture_output=True, check=True)
        self._container = started.stdout.decode().strip()
        return self

    def __exit__(self, *_error: object) -> None:
        subprocess.run(["docker", "kill", self._container], capture_output=True, check=True)

    def run(self, project: Project) -> None:
        script = 'rm -rf /sbx/*; tar x -C /sbx; cd /sbx/w; exec "$@"'
        argv = ["docker", "exec", "-i", *(f"-e{k}={v}" for k, v in project.command.env.items())]
        argv += [self._container, "sh", "-c", script, "sh", *project.command.argv]
        data = packed(project)
        project.check(subprocess.run(argv, input=data, capture_output=True, check=False).stdout)


def packed(project: Project) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for below, files in (("w", project.command.tree), ("r", project.command.tools)):
            for path, file in files.items():
                member = tarfile.TarInfo(f"{below}/{path}")
                member.size, member.mode = len(file.data), 0o644
                archive.addfile(member, io.BytesIO(file.data))
    return stream.getvalue()


@dataclass(frozen=True)
class Ways:
    """What the variants run in."""

    sessions: dict[str, Session]
    warm: Warm
    image: Image
    interpreter: str
    settle: Callable[[], None]
    """Waits until nothing of an earlier run is left to be cleared away."""


def one_run(project: Project, ways: Ways, rounds: int) -> str:
    with Server(ways.sessions["fresh box, Docker"], project) as server:
        variants: Variants = {
            PLAIN: lambda: plain(project, ways.interpreter),
            PLAIN_TAR: lambda: plain_tar(project, ways.interpreter),
            "`docker run --rm -v`": lambda: docker_run(project, ways.image),
            "`docker exec` in a warm container": lambda: ways.warm.run(project),
            **{name: functools.partial(fresh, project, session) for name, session in ways.sessions.items()},
            "fork server": lambda: project.check(server.run(project.delta()).report),
        }
        seconds = measured(variants, rounds, ways.settle)
    return table(f"{project.name}: {project.tests} tests", seconds)


def measured(variants: Variants, rounds: int, settle: Callable[[], None]) -> dict[str, list[float]]:
    """What a variant leaves to be done after its result is over before the next one begins: containers that are
    removed, and boxes that are made ahead. So it costs nobody else; `rates` counts it."""
    seconds: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds + 1):
        for name, run in variants.items():
            started = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - started)
            settle()
            time.sleep(SETTLED_S)
    return {name: values[1:] for name, values in seconds.items()}


def laid_out(project: Project, place: Path) -> None:
    for below, files in (("w", project.command.tree), ("r", project.command.tools)):
        for path, file in files.items():
            target = place / below / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.data)


def plain(project: Project, interpreter: str) -> None:
    """The same runner on the same files, without any isolation."""
    with tempfile.TemporaryDirectory() as place:
        laid_out(project, Path(place))
        argv = [interpreter, "-I", "-B", f"{place}/r/launch.py"]
        project.check(
            subprocess.run(argv, env={**os.environ, **project.command.env}, capture_output=True, check=False).stdout
        )


READER = """
import io, os, runpy, sys, tarfile
os.chdir(sys.argv.pop(1))
with tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read())) as archive:
    archive.extractall(".", filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(".")
os.chdir("w")
sys.argv[0] = "../r/launch.py"
runpy.run_path(os.path.abspath("../r/launch.py"), run_name="__main__")
"""


def plain_tar(project: Project, interpreter: str) -> None:
    """The same without isolation as well, in one interpreter: it lays out a tar and goes on as the runner."""
    with tempfile.TemporaryDirectory() as place:
        argv = [interpreter, "-I", "-B", "-c", READER, place]
        env = {**os.environ, **project.command.env}
        project.check(subprocess.run(argv, input=packed(project), env=env, capture_output=True, check=False).stdout)


def docker_run(project: Project, image: Image) -> None:
    """A new container for each run by the command line, with the files mounted from the host."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        laid_out(project, place)
        for entry in (place, *place.rglob("*")):
            entry.chmod(0o777)  # the image's user must read and write it
        argv = ["docker", "run", "--rm", "--network", "none", *(f"-e{k}={v}" for k, v in project.command.env.items())]
        argv += ["-v", f"{place}:/sbx", image.id, *project.command.argv]
        project.check(subprocess.run(argv, capture_output=True, check=False).stdout)


def fresh(project: Project, session: Session) -> None:
    ran: Ran = session.run(project.command, BOX)
    project.check(ran.report)


def table(title: str, seconds: dict[str, list[float]]) -> str:
    base, base_tar = (statistics.median(seconds[name]) for name in (PLAIN, PLAIN_TAR))
    head = "median ms | fastest ms | times a plain process | times one that reads a tar"
    lines = ["", f"| {title} | {head} |", "|---|---|---|---|---|"]
    for name, values in seconds.items():
        median = statistics.median(values)
        ratios = f"{median / base:.2f} | {median / base_tar:.2f}"
        lines.append(f"| {name} | {median * 1000:.0f} | {min(values) * 1000:.0f} | {ratios} |")
    return "\n".join(lines)


def rates(session: Session, interpreter: str) -> str:
    """Candidates for a fault in one function whose test takes microseconds."""
    tree = {"area.py": File(FAULTY.format(1).encode()), "test_area.py": File(FAULT_TEST.encode())}
    project = Project("one function", tree, "area.py")
    found = {"fresh pytest each, plain process": counted(peer(project, interpreter))}
    for name, fast in (("fork server, slow path", False), ("fork server, fast path", True)):
        server = python_warm.warm(tree, project.launch, fast=fast)
        found[name] = counted(session.run_many(server, candidates(), BOX))
    base = found["fresh pytest each, plain process"]
    lines = [
        "",
        f"| one function, {os.cpu_count()} cores | candidates a second | times a fresh pytest |",
        "|---|---|---|",
    ]
    lines += [f"| {name} | {rate:.1f} | {rate / base:.0f} |" for name, rate in found.items()]
    return "\n".join(lines)


def memory(runs: int) -> str:
    """Memory of this process after each tenth of the runs, which go through boxes that are forked in for each."""
    sandbox = DockerSandbox(owner="regreen-benchmark")
    image = sandbox.prepare(RECIPE, progress=lambda line: print(line, file=sys.stderr))
    tree = {"area.py": File(FAULTY.format(1).encode()), "test_area.py": File(FAULT_TEST.encode())}
    server = python_warm.warm(tree, Project("one function", tree, "area.py").launch)
    lines, started = ["| runs | resident MB | seconds |", "|---|---|---|"], time.perf_counter()
    with sandbox.session(image) as session:
        reports = session.run_many(server, itertools.islice(candidates(), runs), Limits(timeout_s=7200, cpus=2.0))
        for number, report in enumerate(reports, 1):
            if report.report is None:
                raise SystemExit(f"a candidate has no report: {report}")
            if number % (runs // 10) == 0:
                lines.append(f"| {number} | {resident_mb():.1f} | {time.perf_counter() - started:.0f} |")
    return "\n".join(lines)


def resident_mb() -> float:
    words = Path("/proc/self/statm").read_text("ascii").split()
    return int(words[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def candidates() -> Iterator[Delta]:
    """Wrong ones, all different."""
    for number in itertools.count(2):
        yield Delta(str(number), {"area.py": FAULTY.format(number).encode()}, ("test_area.py::test_area",), True)


def peer(project: Project, interpreter: str) -> Generator[None, None, None]:
    while True:
        plain(project, interpreter)
        yield


def counted(runs: Iterator[object]) -> float:
    """Runs a second, from the first one on: starting costs once."""
    next(runs)
    started, count = time.perf_counter(), 0
    for run in runs:
        if isinstance(run, DeltaReport) and run.report is None:
            raise SystemExit(f"a candidate has no report: {run}")
        count += 1
        if time.perf_counter() - started > RATE_S:
            break
    rate = count / (time.perf_counter() - started)
    runs.close()  # type: ignore[attr-defined]
    return rate


if __name__ == "__main__":
    main()
