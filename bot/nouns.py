"""The nouns of a repair, as plain frozen data: what passes between engines, gate, pipeline and doors."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

RED = frozenset({"failure", "timed_out"})
"""Conclusions of a check that ask for a repair."""
BRANCH_PREFIX = "regreen/"
"""Branches that begin with this are ours; nothing is pushed to any other."""


@dataclass(frozen=True)
class Patch:
    """A change of files: path -> new bytes, or None where the file is deleted.

    `modes` holds only what is out of the ordinary, as git writes it ("120000" for a link, "100755" for a file
    that becomes executable, "160000" for a submodule): engines never set it, and the gate refuses it.
    """

    files: Mapping[str, bytes | None]
    modes: Mapping[str, str] = field(default_factory=dict)

    @property
    def sha256(self) -> str:
        """Digest over sorted (path, content): tells whether two patches are the same."""
        digest = hashlib.sha256()
        for path in sorted(self.files):
            data = self.files[path]
            digest.update(f"{path}\0{-1 if data is None else len(data)}\0".encode())
            digest.update(data or b"")
        return digest.hexdigest()


Result = Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed"]
"""What one test came to. `error`: its set-up, tear-down or collection raised."""


@dataclass(frozen=True)
class Frame:
    """One line of a traceback inside the repository."""

    path: str
    line: int
    function: str


@dataclass(frozen=True)
class TestCase:
    """One test of a run: id as pytest names it, result, seconds, and for a red one its message and frames."""

    __test__ = False  # pytest: this is not a test class

    id: str
    result: Result
    seconds: float = 0.0
    message: str = ""
    exception: str = ""
    """Name of the exception class."""
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True)
class TestRun:
    """A parsed, complete report of one run of the suite. An incomplete run has no TestRun."""

    __test__ = False

    cases: tuple[TestCase, ...]
    exit_code: int
    seconds: float
    doctests: frozenset[str] = frozenset()
    """Ids that are examples in docstrings, so that their files are not taken for test files."""
    installed: frozenset[str] = frozenset()
    """Top-level module names of the image's packages."""
    python: str = ""
    """Version of the interpreter in the image, such as 3.11."""
    drift: frozenset[str] = frozenset()
    """Functions of pytest, unittest, builtins and time that were not what they are."""
    plugins: frozenset[str] = frozenset()
    """Names of pytest's plugins, and how many listeners each hook has."""
    options: tuple[tuple[str, str], ...] = ()
    """pytest's options and ini lines as it went by them, by name."""
    written: frozenset[str] = frozenset()
    """Files of the tree that the run changed or removed."""
    opened: frozenset[tuple[str, str]] = frozenset()
    """Files of the tree other than Python that were opened, and the file of the tree that did it; if asked for."""

    def results(self) -> dict[str, Result]:
        return {case.id: case.result for case in self.cases}

    def red(self) -> tuple[TestCase, ...]:
        return tuple(case for case in self.cases if case.result in ("failed", "error"))


@dataclass(frozen=True)
class Failure:
    """What an engine is told: the red tests with their messages, and which tests pass today."""

    targets: tuple[TestCase, ...]
    passing: tuple[str, ...]
    pytest_args: tuple[str, ...] = ()
    suite_seconds: float = 0.0
    told: str = ""
    """What a person wrote about it in the issue that asks for the repair: data, never an instruction."""


@dataclass(frozen=True)
class Candidate:
    """A patch that an engine proposes, with its reason in words. Nobody has judged it yet."""

    patch: Patch
    engine: str
    operator: str
    """Name of the search operator, or of the fixer or model."""
    root_cause: str
    """One or two sentences that a person would write about the fault."""
    path: str = ""
    line: int = 0


@dataclass(frozen=True)
class SearchStats:
    """What an engine did, for the honest stop: how much it tried, where it looked, how near it came."""

    tried: int = 0
    seconds: float = 0.0
    places: tuple[str, ...] = ()
    best: str = ""
    """The best partial improvement in words, empty when there was none."""
    doubt: str = ""
    """Why nothing of what passes the tests is proposed, empty when something is."""
    tokens: int = 0
    cost_usd: float = 0.0
    notes: tuple[str, ...] = ()


class Outcome(StrEnum):
    """How a repair ended. Abstaining clearly is a result."""

    FIXED = "fixed"
    ALREADY_GREEN = "already-green"
    FLAKY = "flaky"
    CANNOT_SET_UP = "cannot-set-up"
    ENVIRONMENT_DIFFERS = "environment-differs"
    TEST_LOOKS_WRONG = "test-looks-wrong"
    GAVE_UP = "gave-up"
    OVER_BUDGET = "over-budget"
    BASE_BROKEN = "base-broken"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"
    REFUSED = "refused"


@dataclass(frozen=True)
class Reason:
    """One fact that a gate layer holds against a patch."""

    layer: str
    code: str
    detail: str
    path: str | None = None
    hard: bool = True
    """True rejects; False asks for a person's review."""


Judgement = Literal["accepted", "needs-review", "rejected"]


@dataclass(frozen=True)
class Behaviour:
    """One input whose result differs between base and patch, as text that a person reads."""

    call: str
    before: str
    after: str
    worse: bool = False
    """True for a counter-example: it worked before, and now it fails."""


@dataclass(frozen=True)
class LayerRecord:
    """What one gate layer did: its name, whether it passed, and how long it took."""

    layer: str
    passed: bool | None
    """None where it did not apply, so that it says nothing."""
    detail: str = ""
    seconds: float = 0.0
    unapplied: str = ""
    """Why it did not apply; empty when it did."""
    notes: tuple[str, ...] = ()
    changed: tuple[Behaviour, ...] = ()


@dataclass(frozen=True)
class TestChange:
    """One row of the evidence table: a test before and after the patch."""

    __test__ = False

    id: str
    before: str
    after: str
    """Empty where nothing was accepted, so that there is no patch to speak of."""
    error: str = ""
    """The line that says why it is red, where no patch was accepted."""


@dataclass(frozen=True)
class Verdict:
    """What the gate says of a patch, and why."""

    verdict: Judgement
    reasons: tuple[Reason, ...] = ()
    layers: tuple[LayerRecord, ...] = ()
    tests: tuple[TestChange, ...] = ()
    tests_total: int = 0
    flaky: bool = False
    """True when the gate could not judge because a target did not give the same result twice."""


@dataclass(frozen=True)
class Evidence:
    """The record that goes with every result: same shape in the CLI, the pull request and the database."""

    job: str
    outcome: str
    repo: str
    base_sha: str
    head_sha: str
    tree: str = ""
    """git tree hash of the commit with the patch applied."""
    patch: str = ""
    """The patch as a unified diff."""
    reproduction: str = ""
    """New tests that show the fault, as a unified diff, where no test did; they are a commit of their own."""
    patch_sha256: str = ""
    """SHA-256 of that diff in UTF-8, so that whoever has it can check."""
    sandbox: str = ""
    """Backend that every test ran in."""
    image: str = ""
    commands: tuple[str, ...] = ()
    engine: str = ""
    operator: str = ""
    root_cause: str = ""
    verdict: str = ""
    reasons: tuple[Reason, ...] = ()
    layers: tuple[LayerRecord, ...] = ()
    tests: tuple[TestChange, ...] = ()
    tests_total: int = 0
    attempts: int = 0
    candidates_tried: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    durations_s: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    message: str = ""
    """One sentence for a person: what came out, and where that helps what to do next."""


PublicationState = Literal["opened", "committed", "suggested", "patch-only", "moved", "gone", "cancelled"]


@dataclass(frozen=True)
class Publication:
    """Where a verified patch went; `patch-only`: nowhere, it is shown to be applied by hand.

    `moved` and `gone`: the branch points elsewhere, or nowhere, so that nothing was published.
    """

    state: PublicationState
    number: int = 0
    """Pull request of ours."""
    url: str = ""
    head: str = ""
    """What the branch points at now."""
    why: str = ""
    """Why it did not go the way that the policy asks for."""


Trigger = Literal["check-run", "check-action", "issue-label", "pr-comment"]
"""`check-run`: a check turned red by itself. `check-action`: a person pressed a button on our own check run."""

Verb = Literal["fix", "retry", "stop", "explain", "status", "help"]
"""What a person asks for. `retry` is `fix` after a stop or after the last attempt."""


@dataclass(frozen=True)
class Request:
    """What an event asks for, before anybody has looked at GitHub: who asks, where, and what may be missing."""

    trigger: Trigger
    delivery: str
    installation: int
    repo_id: int
    repo: str
    sender: str
    sha: str = ""
    """Empty where the event does not name the commit: it is looked up."""
    branch: str = ""
    number: int = 0
    """Pull request or issue that the answer belongs to; 0 when there is none."""
    comment_id: int = 0
    check_name: str = ""
    label: str = ""
    """The label that was set on an issue."""
    verb: Verb = "fix"
    target: str = ""
    """The one test file or test that a person wants repaired; empty for all that is red."""
    unknown: str = ""
    """A word that is no verb, where the answer is `help`."""
    settled: bool = True
    """False where one check of several is red, and the others may still be running."""


@dataclass(frozen=True)
class Notice:
    """Something happened that makes work pointless: jobs of this pull request or repository end.

    `keep` is the commit whose jobs go on: the new head. `ours` names a branch of ours that nobody needs any more.
    A `repo_id` of 0 means all repositories of the installation.
    """

    delivery: str
    installation: int
    repo_id: int
    reason: str
    number: int = 0
    keep: str = ""
    ours: str = ""


@dataclass(frozen=True)
class Job:
    """An admitted request, pinned to one commit."""

    id: str
    trigger: Trigger
    installation: int
    repo_id: int
    repo: str
    sha: str
    base: str
    """Branch that a pull request goes against, and whose head must still be `sha` when it is opened."""
    number: int = 0
    on_pull: bool = False
    """True when `number` is a pull request whose head is `sha`."""
    against: str = ""
    """Base branch of that pull request, where it is looked whether the failure comes from; empty where it is not."""
    against_sha: str = ""
    """Its head when the job was admitted."""
    from_fork: bool = False
    """True when that head lives in another repository, where nothing can be pushed."""
    comment_id: int = 0
    check_name: str = ""
    target: str = ""
    """pytest id that was asked for; empty for the whole suite."""
    told: str = ""
    """Text of the issue that asks for the repair, without its title."""
    obstacle: str = ""
    """Why nothing can be published for it, as found out before any work; empty when it can."""
    policy: str = ""
    """Text of `.github/regreen.yml` on the default branch when the job was admitted."""


@dataclass(frozen=True)
class Skip:
    """An event that asks for nothing, and why."""

    reason: str
