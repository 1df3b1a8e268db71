"""A verified patch -> branch and pull request; every act finds what an earlier life already made.

Nothing is ever pushed to a branch that is not ours: branches begin with `regreen/` and are named after the failure,
so that one failure has one open pull request, however often it is found.
"""

from __future__ import annotations

import hashlib

from bot import wording
from bot.github import Pull, Repository
from bot.nouns import BRANCH_PREFIX, Evidence, Job, Patch

CHECK_NAME = "regreen"
STICKY = "<!-- regreen:sticky -->"


def branch_name(job: Job, evidence: Evidence) -> str:
    """Branch of the fix: the same for the same failing tests on the same base branch."""
    targets = sorted(change.id for change in evidence.tests if change.before in ("failed", "error"))
    digest = hashlib.sha256("\0".join([str(job.repo_id), job.base, *targets]).encode()).hexdigest()
    return f"{BRANCH_PREFIX}fix-{digest[:12]}"


def is_current(job: Job, repository: Repository) -> bool:
    """True while the branch or pull request still points at the commit that was repaired."""
    if job.on_pull:
        head = repository.pull_head(job.number)
        return head.open and head.sha == job.sha
    return repository.branch_head(job.base) == job.sha


def open_pull_request(job: Job, evidence: Evidence, patch: Patch, repository: Repository) -> Pull:
    """Commit the patch through the API, put it on its branch, and open or update its pull request."""
    branch = branch_name(job, evidence)
    if not _carries(branch, evidence, repository):
        sha = repository.commit(job.sha, patch.files, patch.modes, wording.commit_message(evidence))
        repository.put_branch(branch, sha)
    about = f"For #{job.number}." if job.number else ""
    body = wording.pull_body(evidence, marker=f"<!-- regreen:job={job.id} -->", about=about)
    return repository.open_pull(branch=branch, base=job.base, title=wording.pull_title(evidence), body=body)


def _carries(branch: str, evidence: Evidence, repository: Repository) -> bool:
    """True when the branch already holds exactly the tree that was verified."""
    head = repository.branch_head(branch)
    return head is not None and repository.tree_of(head) == evidence.tree
