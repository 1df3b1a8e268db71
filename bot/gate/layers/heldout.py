"""Layer H: targets that the engine never saw. A patch made for the visible ones alone fails them.

Hiding takes them out of the engine's failure and out of its test runs. Their source stays in the tree that the engine
reads: rows of one parametrized test cannot be cut out of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from random import Random

from bot.gate.baseline import Baseline
from bot.gate.layer import Boxes, Case, Findings, Options
from bot.nouns import Reason

LAYER = "hidden"
LEAST_TARGETS = 3
"""With fewer, what is left says too little about the fault: a search over small changes needs all it can get."""


def choose(before: Baseline, seed: str) -> tuple[str, ...]:
    """A third of the targets, at least one and never all; the same for the same seed. None of too few."""
    targets = sorted(before.target_ids)
    free = [target for target in targets if "::" in target and not _is_prefix(target, before.results)]
    if len(targets) < LEAST_TARGETS or not free:
        return ()
    count = min(max(1, len(targets) // 3), len(free))
    digest = hashlib.sha256("\0".join([seed, *targets]).encode("utf-8", "backslashreplace")).hexdigest()
    return tuple(sorted(Random(digest).sample(free, count)))  # noqa: S311 - it must be repeatable


def _is_prefix(target: str, tests: Collection[str]) -> bool:
    """pytest deselects by prefix: hiding this one would hide another one too."""
    return any(other != target and other.startswith(target) for other in tests)


def deselected(hidden: Sequence[str]) -> tuple[str, ...]:
    """The arguments with which pytest leaves them out."""
    return tuple(argument for test in hidden for argument in ("--deselect", test))


def told(reasons: Sequence[Reason], held_out: Collection[str]) -> list[Reason]:
    """Reasons of a run; where only targets fail that the engine has not seen, one that names none of them."""
    failing = [reason for reason in reasons if reason.hard]
    hidden = [reason for reason in failing if any(_about(reason, test) for test in held_out)]
    if not hidden or hidden != failing:
        return list(reasons)
    detail = f"{len(hidden)} of {len(held_out)} failing tests that the engine had not seen are still red"
    return [Reason(LAYER, "held-out-failed", detail), *(reason for reason in reasons if not reason.hard)]


def _about(reason: Reason, test: str) -> bool:
    return reason.code.startswith("target-") and reason.detail.startswith(f"{test} is ")


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """Asked after the layer "tests", which has seen that every target is green: says what was hidden."""
    if not case.held_out:
        few = len(case.before.targets) < LEAST_TARGETS
        return Findings(unapplied="too few tests fail to hide one" if few else "no engine made this patch")
    names = ", ".join(case.held_out[:5])
    note = f"{len(case.held_out)} of {len(case.before.targets)} failing tests were hidden from the engine: {names}"
    return Findings(notes=(note, "their source was in the tree that the engine could read"))
