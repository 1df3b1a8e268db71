"""What is known of a task, as the tools answer it: text of others quoted, secrets taken out, the next call named."""

from __future__ import annotations

import time

from mcp_types import CallToolResult, ResourceLink, TextContent
from pydantic import BaseModel

from bot import redaction, wording
from bot.escape import fence, plain
from bot.nouns import Evidence, Outcome, TestCase
from handlers.mcp.records import Ended, Kind, State, TaskFiles
from handlers.mcp.schemas import Changed, Diff, Explanation, Line, Objection, RedTest, Report

_MOST_TESTS = 20
_MOST_CHARS = 2_000
_DETAIL_CHARS = 6_000
_LINES = 5

_RED = "Some tests are red on this commit, twice in the same way."
_NEXT: dict[str, str] = {
    "red": "Call run_task to have it repaired, or write a patch yourself and have it judged with verify_patch.",
    Outcome.FIXED: "Call get_diff for the patch. It is verified; whether it is meant is for a person to say.",
    Outcome.ALREADY_GREEN: "There is nothing to repair. Commit a test that shows the fault, then call again.",
    Outcome.FLAKY: "Find out what the unstable tests depend on (time, order, chance); no patch is judged by these.",
    Outcome.CANNOT_SET_UP: "Mend what the detail or the log names (often a requirement), commit, then call again.",
    Outcome.ENVIRONMENT_DIFFERS: "These tests want a network. Name others with `check`, or replace what they reach.",
    Outcome.TEST_LOOKS_WRONG: "Ask a person whether the test or the code is right; tests are never changed here.",
    Outcome.GAVE_UP: "Read explain_failure, write a patch yourself, and have it judged with verify_patch.",
    Outcome.OVER_BUDGET: "Call again with a larger timeout_s or budget_usd, or with `check` for fewer tests.",
    Outcome.REFUSED: "Do what the detail or the objections say, then call again.",
    Outcome.CANCELLED: "Call run_task again when it is wanted after all.",
}
_SUMMARY = {"repair": "The repair", "verification": "The verification", "tests": "The test run"}


def report(task: TaskFiles) -> Report:
    """All that is known of a task."""
    asked, state, evidence = task.asked, task.state(), task.evidence()
    ended = None if state == "running" else task.ended()
    over = ended.at if ended else time.time()
    end = ended or Ended("ended", over)
    outcome = "" if ended is None else end.outcome
    verdict = evidence.verdict if evidence else ""
    summary = _summary(asked.kind, state, outcome, verdict)
    return Report(
        task_id=task.id,
        kind=asked.kind,
        path=plain(asked.path),
        commit=(evidence.base_sha if evidence else "") or asked.sha,
        state=state,
        outcome=outcome,
        verdict=verdict,
        seconds=round(over - asked.created, 1),
        summary=summary,
        detail=_quoted(f"{end.cause} {end.remedy}".strip().removeprefix(summary), _DETAIL_CHARS),
        red_tests=[_red(case) for case in end.red[:_MOST_TESTS]],
        red_total=len(end.red),
        passing_total=end.passing,
        unstable_tests=[_name(test) for test in end.unstable[:_MOST_TESTS]],
        network_tests=[_name(test) for test in end.network[:_MOST_TESTS]],
        objections=_objections(evidence),
        tests=_changed(evidence),
        changed_files=files(evidence),
        root_cause=_quoted(evidence.root_cause if evidence else "", _MOST_CHARS),
        delivered=end.delivered,
        progress=[f"{line.stage}: {line.text}" for line in task.progress()[-_LINES:]],
        evidence_uri=f"regreen://tasks/{task.id}/evidence" if evidence else "",
        log_uri=f"regreen://tasks/{task.id}/log",
        next=_next(task.id, state, outcome, evidence),
    )


def line(task: TaskFiles) -> Line:
    """A task in one line."""
    asked, state = task.asked, task.state()
    ended = None if state == "running" else task.ended()
    created = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(asked.created))
    outcome = ended.outcome if ended else ""
    return Line(
        task_id=task.id, kind=asked.kind, path=plain(asked.path), commit=asked.sha, state=state,
        outcome=outcome, created=created,
    )  # fmt: skip


def diff(task: TaskFiles, evidence: Evidence) -> Diff:
    """The patch of a task that has one."""
    text = redaction.clean(evidence.patch)
    redacted = text != evidence.patch
    verified = evidence.verdict == "accepted"
    apply = "Write it to a file and run `git apply` at the top of the checkout, then run the tests."
    again = "Secrets were taken out: call run_task with deliver='branch' or 'files' in place of applying it."
    judged = "The gate did not accept it: call explain_failure before you use it."
    return Diff(
        task_id=task.id,
        verified=verified,
        files=files(evidence),
        diff=text,
        sha256=evidence.patch_sha256,
        redacted=redacted,
        next=again if redacted else apply if verified else judged,
    )


def explanation(task: TaskFiles) -> Explanation:
    """Why it ended as it did."""
    whole, evidence, ended = report(task), task.evidence(), task.ended()
    log = (ended.log if ended else "") or (task.last_words() if whole.state == "interrupted" else "")
    return Explanation(
        task_id=task.id,
        outcome=whole.outcome,
        summary=whole.summary,
        detail=whole.detail,
        red_tests=whole.red_tests,
        objections=whole.objections,
        tried=evidence.candidates_tried if evidence else 0,
        judged=evidence.attempts if evidence else 0,
        log=_quoted(log[-_DETAIL_CHARS:], _DETAIL_CHARS),
        advice=whole.next,
    )


def answer(model: BaseModel, text: str, *links: str, failed: bool = False) -> CallToolResult:
    """A tool's result: text for a model, data for a program, links to resources."""
    parts: list[TextContent | ResourceLink] = [TextContent(type="text", text=redaction.clean(text))]
    parts += [ResourceLink(type="resource_link", uri=uri, name=uri.rpartition("/")[2]) for uri in links if uri]
    return CallToolResult(
        content=list(parts), structured_content=redaction.cleaned(model.model_dump(mode="json")), is_error=failed
    )


def files(evidence: Evidence | None) -> list[str]:
    """Paths that the patch touches."""
    heads = [text for text in (evidence.patch if evidence else "").splitlines() if text.startswith("diff --git a/")]
    return [_name(head.removeprefix("diff --git a/").partition(" b/")[0]) for head in heads]


def _summary(kind: Kind, state: State, outcome: str, verdict: str) -> str:
    if state == "running":
        return f"{_SUMMARY[kind]} is under way."
    if state == "interrupted":
        return f"{_SUMMARY[kind]} was interrupted: its process ended without a result. Nothing was changed."
    if outcome == "red":
        return _RED
    if kind == "verification" and verdict:
        return "The gate accepts the patch." if verdict == "accepted" else "The gate does not accept the patch."
    return wording.sentence(Outcome(outcome))


def _next(task_id: str, state: State, outcome: str, evidence: Evidence | None) -> str:
    if state == "running":
        return f"Call get_task with task_id={task_id} and wait_s=45 to wait on, or cancel_task to end it."
    if state == "interrupted":
        return "Read explain_failure, then start it again."
    if outcome == Outcome.FIXED and evidence is not None and not evidence.engine:
        return "The patch is verified. Apply and commit it; whether it is meant is for a person to say."
    return _NEXT.get(outcome, "Read explain_failure.")  # the others are of pull requests


def _red(case: TestCase) -> RedTest:
    return RedTest(
        test=_name(case.id),
        exception=_name(case.exception),
        message=_quoted(case.message, _MOST_CHARS),
        places=[_name(f"{frame.path}:{frame.line}") for frame in case.frames],
    )


def _objections(evidence: Evidence | None) -> list[Objection]:
    return [
        Objection(
            layer=reason.layer,
            code=reason.code,
            path=_name(reason.path or ""),
            detail=_quoted(reason.detail, _MOST_CHARS),
            rejects=reason.hard,
        )
        for reason in (evidence.reasons if evidence else ())
    ]


def _changed(evidence: Evidence | None) -> list[Changed]:
    rows = evidence.tests[:_MOST_TESTS] if evidence else ()
    return [Changed(test=_name(row.id), before=row.before, after=row.after) for row in rows if row.after]


def _quoted(text: str, limit: int) -> str:
    """In a fence that the text cannot end; nothing where there is nothing."""
    return fence(text, "text", limit=limit) if text.strip() else ""


def _name(text: str) -> str:
    """A name on one line, not longer than names are."""
    return " ".join(plain(text).split())[:300]
