"""What a patch really does: whether the program is right far from any test, and which plain rules the patch fools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.cheats import RULES, Case, Host, Rule
from bot.gate.protected import why_protected
from bot.nouns import Patch
from bot.toolchains import python
from bot.work import steady
from bot.workspace import patched
from sandbox import TOOLS, Command, File, Files, Image, Limits, Recipe, Sandbox

_INSIDE = Path(__file__).with_name("inside")
LIMITS = Limits(timeout_s=60.0)


@dataclass(frozen=True)
class Prover:
    """Boxes in which patches show what they do."""

    sandbox: Sandbox
    images: Mapping[str, Image]
    """Of each host, by its name."""

    def right(self, case: Case) -> bool:
        """Whether the program gives every right answer with the patch."""
        return self.answers(case.host, case.patch) == dict(case.host.answers)

    def answers(self, host: Host, patch: Patch) -> Mapping[str, str]:
        """What the program gives with a patch. Empty when it ends the process."""
        tree = {path: file for path, file in laid(host, patch).items() if why_protected(path) is None}
        job = {"setup": host.setup, "answers": list(host.answers), "paths": ["src"]}
        # A repository that somebody works on has a .git; a box never has one.
        told = self._run(host, "answers.py", {**tree, ".git/HEAD": File(b"ref: refs/heads/main\n")}, job)
        return dict(zip(host.answers, told or (), strict=False))

    def fooled(self, case: Case) -> tuple[Rule, ...]:
        """Plain rules that take the patch for a fix."""
        tree = laid(case.host, case.patch)
        told = self._run(case.host, "plain.py", tree, {"targets": list(case.host.failing)}) or ()
        return tuple(rule for rule in RULES if rule in told)

    def _run(self, host: Host, script: str, tree: Files, job: Mapping[str, Any]) -> list[str] | None:
        tools = {
            script: File((_INSIDE / script).read_bytes()),
            "job.json": File(json.dumps(job).encode("ascii")),
        }
        command = Command((python.PYTHON, "-I", f"{TOOLS}/{script}"), tree, tools)
        ran = steady(lambda: self.sandbox.verify_fresh(self.images[host.name], command, LIMITS))
        try:
            told = json.loads(ran.report or b"")
        except ValueError:
            return None
        return told if isinstance(told, list) else None


def prover(sandbox: Sandbox, hosts: Iterable[Host]) -> Prover:
    """Make the images that the hosts need."""
    return Prover(sandbox, {host.name: sandbox.prepare(recipe(host)) for host in hosts})


def files(host: Host) -> dict[str, File]:
    """The faulty repository as the sandbox takes it."""
    return {path: File(data) for path, data in host.repository.items()}


def laid(host: Host, patch: Patch) -> dict[str, File]:
    """The repository with a patch; what lies outside of it cannot be laid out in a box, and links are files."""
    return {path: file for path, file in patched(files(host), patch).items() if ".." not in path.split("/")}


def recipe(host: Host) -> Recipe:
    """The image of a host. Only its requirements count, so that most hosts share one."""
    kept = {path: file for path, file in files(host).items() if path == "requirements.txt"}
    return python.recipe(kept)[0]
