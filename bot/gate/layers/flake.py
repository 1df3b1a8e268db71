"""Layer F: the whole patched suite again, in further fresh boxes, must come to the same result."""

from __future__ import annotations

from bot.gate.layer import Boxes, Case, Findings, Options
from bot.gate.layers import truth
from bot.nouns import Reason

LAYER = "flakes"


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """Runs the suite until `options.repeats` runs are there, the one of the layer "tests" counted."""
    for _ in range(max(options.repeats, 2) - 1):
        ran, run = boxes.suite(case.after)
        reasons = truth.of_run(case.before, ran, run)
        if reasons:
            detail = "the patched suite was green in one run and red in another"
            own = [Reason(LAYER, reason.code, reason.detail, reason.path, reason.hard) for reason in reasons]
            return Findings((Reason(LAYER, "flaky", detail), *own), flaky=True)
    return Findings()
