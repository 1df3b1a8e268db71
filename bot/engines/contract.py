"""The Engine contract: look at a failure, propose patches. Proposals are judged elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.nouns import Candidate, Failure, SearchStats
from sandbox import Files, Session


@dataclass(frozen=True)
class Launch:
    """How a toolchain starts code inside the box; engines that run tests start them the same way."""

    python: str
    """Interpreter of the dependency image."""
    tools: Files
    """Runner files, laid out in sandbox.TOOLS."""
    env: Mapping[str, str]
    paths: tuple[str, ...]
    """Entries for sys.path, relative to the tree, besides its root."""
    pytest_args: tuple[str, ...]


@dataclass(frozen=True)
class Workbench:
    """What an engine may use. The box is a session: many runs, none of them a verdict."""

    tree: Files
    session: Session
    launch: Launch
    protected: Callable[[str], bool]
    """True for a path that no repair may touch."""
    budget_s: float
    progress: Callable[[str], None]
    cancelled: Callable[[], bool]


@dataclass(frozen=True)
class Proposals:
    """Candidates, the most likely first, and what was tried."""

    candidates: tuple[Candidate, ...]
    stats: SearchStats


class Engine(Protocol):
    """Proposes patches. `name` stands in the evidence record."""

    name: str

    def propose(self, failure: Failure, workbench: Workbench) -> Proposals:
        """Return at most ten candidates, best first; none when there is no idea. Raises SandboxError."""
        ...
