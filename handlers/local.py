"""What a repair of a local checkout takes, whoever asks for it: a person's command, or a tool of another agent."""

from __future__ import annotations

import datetime
import math
import shlex
import time
from collections.abc import Callable
from pathlib import Path

from bot import assemble, policy, wording
from bot.checkout import Checkout
from bot.errors import Refused
from bot.gate import lot
from bot.nouns import BRANCH_PREFIX
from bot.pipeline import Repair
from bot.settings import Settings
from bot.toolchains import python
from bot.work import Means, Task


def task(checkout: Checkout, scratch: Path, check: str | None, *, name: str) -> Task:
    """HEAD of the checkout, and the tests that the failing command names. Refused where it does not start pytest."""
    args = python.pytest_args(check)
    return Task(name, checkout.root.name, checkout.head(scratch), args)


def means(
    checkout: Checkout,
    progress: Callable[[str, str], None],
    values: Settings,
    *,
    sandbox: str,
    i_know: bool = False,
    engine: str | None = None,
    timeout_s: float | None = None,
    budget_usd: float | None = None,
) -> Means:
    """Sandbox, engines and limits by the operator's settings, strictness by the repository's policy."""
    rules = policy.read(checkout.default_file(policy.PATH))
    if budget_usd is not None:
        if budget_usd <= 0:
            raise Refused(f"A budget of ${budget_usd:g} buys nothing.", "Give a positive number of dollars.")
        values = values.model_copy(update={"budget_usd": budget_usd})
    return Means(
        sandbox=assemble.sandbox(values, sandbox, without_isolation=i_know),
        engines=assemble.engines(engine or values.engines, values),
        limits=assemble.limits(values),
        search_s=values.search_s,
        until=time.monotonic() + timeout_s if timeout_s else math.inf,
        base_image=values.base_image,
        progress=progress,
        gate=rules.gate.options(),
        key=lot.key(values.home),
    )


def branch(checkout: Checkout, repair: Repair) -> tuple[str, bool]:
    """Commit the verified patch on a branch of ours: its name, and whether it is new or held the same fix before.

    Refused where a branch of this name holds something else.
    """
    assert repair.patch is not None
    name = f"{BRANCH_PREFIX}fix-{repair.evidence.patch_sha256[:12]}"
    if checkout.holds(name, repair.evidence.tree):
        return name, False
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    checkout.branch(name, repair.patch, wording.commit_message(repair.evidence), date=now)
    return name, True


def git_at(checkout: Checkout) -> str:
    """How git is called for this checkout from the current folder."""
    here = Path.cwd().resolve()
    return "git" if here.is_relative_to(checkout.root) else f"git -C {shlex.quote(str(checkout.root))}"
