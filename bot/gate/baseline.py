"""What the suite does before the patch: two runs, told apart into red targets, green tests and the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.nouns import Result, TestCase, TestRun

# Signs that a test wanted the network, which the box never has (socket.gaierror, ENETUNREACH).
_NETWORK = re.compile(
    r"gaierror|Temporary failure in name resolution|Name or service not known|Network is unreachable"
    r"|ENETUNREACH|getaddrinfo failed|NameResolutionError",
)


@dataclass(frozen=True)
class Baseline:
    """The state before. `targets` are red in both runs and a patch may cure them; `green` pass in both."""

    targets: tuple[TestCase, ...]
    green: frozenset[str]
    results: dict[str, Result]
    """Result of every test in the first run."""
    unstable: tuple[str, ...] = ()
    """Tests that did not come to the same result twice."""
    network: tuple[str, ...] = ()
    """Red tests that want a network: no patch is judged by them."""
    doctests: frozenset[str] = frozenset()
    installed: frozenset[str] = frozenset()
    seconds: float = 0.0
    drift: frozenset[str] = frozenset()
    plugins: frozenset[str] = frozenset()
    options: tuple[tuple[str, str], ...] = ()
    written: frozenset[str] = frozenset()
    opened: frozenset[tuple[str, str]] = frozenset()
    python: str = ""
    """The last six as in TestRun, of both runs; options only where the runs agree."""

    @property
    def target_ids(self) -> frozenset[str]:
        return frozenset(case.id for case in self.targets)

    @property
    def test_files(self) -> frozenset[str]:
        """Files that hold tests, by what was collected and not by their names."""
        return frozenset(file_of(test) for test in self.results if test not in self.doctests)


@dataclass(frozen=True)
class _Split:
    targets: list[TestCase] = field(default_factory=list)
    unstable: list[str] = field(default_factory=list)
    network: list[str] = field(default_factory=list)


def file_of(test_id: str) -> str:
    """The file part of a pytest id."""
    return test_id.split("::", 1)[0]


def compare(first: TestRun, second: TestRun) -> Baseline:
    """Two runs of the untouched commit as one Baseline."""
    one, two = first.results(), second.results()
    split = _Split()
    for case in first.red():
        if two.get(case.id) not in ("failed", "error"):
            split.unstable.append(case.id)
        elif _NETWORK.search(case.message) or _NETWORK.search(case.exception):
            split.network.append(case.id)
        else:
            split.targets.append(case)
    split.unstable.extend(_only_red(one, second.red()))
    green = frozenset(test for test, result in one.items() if result == "passed" and two.get(test) == "passed")
    return Baseline(
        tuple(split.targets), green, one, tuple(split.unstable), tuple(split.network),
        first.doctests, first.installed, max(first.seconds, second.seconds), first.drift | second.drift,
        first.plugins | second.plugins, tuple(pair for pair in first.options if pair in set(second.options)),
        first.written | second.written, first.opened | second.opened, first.python,
    )  # fmt: skip


def _only_red(one: dict[str, Result], red: Iterable[TestCase]) -> list[str]:
    return [case.id for case in red if one.get(case.id) not in ("failed", "error")]
