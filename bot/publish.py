"""A verified patch -> pull request, commit or suggestions; every act finds what an earlier life already made.

Nothing is written that was not proven on the commit that is the head now. Branches of ours begin with `regreen/` and
are named after the failure, so that one failure has one open pull request. To any other branch one commit is added,
never forced, and only where the repository's policy asks for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot import suggestions, wording
from bot.errors import Refused, Unaccepted
from bot.nouns import BRANCH_PREFIX, Evidence, Job, Patch, Publication
from bot.policy import PublishPolicy
from bot.repository import Repository

CHECK_NAME = "regreen"
STICKY = "<!-- regreen:sticky -->"


@dataclass(frozen=True)
class Fix:
    """A verified patch, and all that its publication needs. `old`: content of the patch's files on the commit."""

    job: Job
    evidence: Evidence
    patch: Patch
    old: Mapping[str, bytes | None]
    policy: PublishPolicy
    tests: Patch | None = None
    """New tests that show the fault: a commit before that of the patch."""
    cancelled: Callable[[], bool] = lambda: False
    """Asked before each thing that is written."""


def publish(fix: Fix, repository: Repository) -> Publication:
    """Publish in the way that the policy asks for, or in the next best one, with the reason."""
    head = _head(fix.job, repository)
    if head is None:
        return Publication("gone")
    if head != fix.job.sha:
        return _earlier(fix, head, repository) or Publication("moved", head=head)
    reasons: list[str] = []
    for way in _ways(fix):
        if fix.cancelled():
            return Publication("cancelled")
        try:
            done = way(fix, repository)
        except Refused as error:
            done = error.cause
        if isinstance(done, Publication):
            return Publication(done.state, done.number, done.url, done.head, _sentence(reasons))
        reasons.append(done)
    return Publication("patch-only", why=_sentence(reasons))


def _sentence(reasons: list[str]) -> str:
    return " ".join(f"{reason.rstrip('.')}." for reason in reasons)


def _head(job: Job, repository: Repository) -> str | None:
    """What the branch or pull request points at now; None where it is closed or gone."""
    if not job.on_pull:
        return repository.branch_head(job.base)
    head = repository.pull_head(job.number)
    return head.sha if head.open else None


def _earlier(fix: Fix, head: str, repository: Repository) -> Publication | None:
    """The commit that an earlier life of this job put there."""
    if not (fix.job.on_pull and fix.policy.mode == "commit"):
        return None
    ours = repository.parents_of(head) == [fix.job.sha] and repository.tree_of(head) == fix.evidence.tree
    return Publication("committed", url=repository.commit_url(head), head=head) if ours else None


Way = Callable[[Fix, Repository], "Publication | str"]
"""Publishes, or returns the reason why it cannot be done that way."""


def _ways(fix: Fix) -> tuple[Way, ...]:
    if fix.job.from_fork:
        return (_suggest,)
    first: dict[str, tuple[Way, ...]] = {"commit": (_commit,), "suggestions": (_suggest,)}
    return (*(first.get(fix.policy.mode, ()) if fix.job.on_pull else ()), _open)


def branch_name(job: Job, evidence: Evidence) -> str:
    """Branch of the fix: the same for the same failing tests on the same base branch."""
    targets = sorted(change.id for change in evidence.tests if change.before in ("failed", "error"))
    digest = hashlib.sha256("\0".join([str(job.repo_id), job.base, *targets]).encode()).hexdigest()
    return f"{BRANCH_PREFIX}fix-{digest[:12]}"


def _open(fix: Fix, repository: Repository) -> Publication:
    """Commit the patch through the API, put it on its branch, and open or update its pull request."""
    job, evidence = fix.job, fix.evidence
    branch = branch_name(job, evidence)
    if not _carries(branch, evidence, repository):
        repository.put_branch(branch, _written(fix, repository))
    if fix.cancelled():
        repository.delete_branch(branch)
        return Publication("cancelled")
    about = f"For #{job.number}." if job.number else ""
    body = wording.pull_body(evidence, marker=f"<!-- regreen:job={job.id} -->", about=about)
    pull = repository.open_pull(
        branch=branch, base=job.base, title=wording.pull_title(evidence), body=body, draft=fix.policy.draft
    )
    return Publication("opened", number=pull.number, url=pull.url)


def _written(fix: Fix, repository: Repository) -> str:
    base = fix.job.sha
    if fix.tests is not None:
        base = repository.commit(base, fix.tests.files, {}, wording.test_commit_message(fix.evidence))
    return repository.commit(base, fix.patch.files, fix.patch.modes, wording.commit_message(fix.evidence))


def _carries(branch: str, evidence: Evidence, repository: Repository) -> bool:
    """True when the branch already holds exactly the tree that was verified."""
    head = repository.branch_head(branch)
    return head is not None and repository.tree_of(head) == evidence.tree


def _commit(fix: Fix, repository: Repository) -> Publication | str:
    """One commit on the pull request's own branch. GitHub itself refuses it when the branch has moved meanwhile."""
    obstacle = commit_obstacle(fix.job, repository)
    if obstacle:
        return obstacle
    sha = _written(fix, repository)
    try:
        repository.fast_forward(fix.job.base, sha)
    except Unaccepted:
        now = repository.branch_head(fix.job.base)
        if now in (None, fix.job.sha):
            raise
        return Publication("moved", head=now or "")
    return Publication("committed", url=repository.commit_url(sha), head=sha)


def commit_obstacle(job: Job, repository: Repository) -> str:
    """Why no commit can be added to a job's branch; empty when one can."""
    if job.base == repository.default_branch:
        return f"{job.base} is the default branch, to which nothing is committed without a pull request"
    rules = repository.rules(job.base) & {"update", "pull_request", "required_status_checks", "merge_queue"}
    if rules or repository.is_protected(job.base):
        return f"The branch {job.base} is protected, so that no commit can be added to it"
    return ""


def obstacle(job: Job, policy: PublishPolicy, repository: Repository) -> str:
    """Why nothing could be published for a job, as far as it can be told before any work; empty when it could."""
    if job.from_fork or (job.on_pull and policy.mode == "suggestions"):
        return ""
    if job.on_pull and policy.mode == "commit" and not commit_obstacle(job, repository):
        return ""
    return branch_obstacle(repository)


def branch_obstacle(repository: Repository) -> str:
    """Why no branch of ours can be made; empty when one can."""
    rules = repository.rules(f"{BRANCH_PREFIX}fix-000000000000") & {"creation", "update"}
    return (
        f"A ruleset keeps branches named {BRANCH_PREFIX}… from being made ({', '.join(sorted(rules))})"
        if rules
        else ""
    )


def _suggest(fix: Fix, repository: Repository) -> Publication | str:
    """A review whose comments can be committed by a click, on the lines that the pull request itself changes."""
    job = fix.job
    if not job.on_pull:
        return "There is no pull request to make suggestions on"
    marker = f"<!-- regreen:patch={fix.evidence.patch_sha256[:16]} -->"
    found = repository.find_review(job.number, marker=marker, sha=job.sha)
    if found:
        return Publication("suggested", url=found)
    visible = {path: suggestions.lines_of(patch) for path, patch in repository.pull_patches(job.number).items()}
    made = suggestions.suggestions(fix.patch, fix.old, visible)
    if isinstance(made, str):
        return made
    body = wording.pull_body(fix.evidence, marker=marker)
    comments = [suggestion.comment() for suggestion in made]
    return Publication("suggested", url=repository.review(job.number, sha=job.sha, body=body, comments=comments))
