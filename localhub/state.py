"""The things that exist on our GitHub, as plain mutable records; `world.py` keeps them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

from localhub.git import GitRepo

LEVELS = ("none", "read", "write", "admin")


@dataclass
class User:
    """A person, an organisation, or the bot account of an App."""

    id: int
    login: str
    type: str
    created_at: datetime
    token: str = ""
    email: str = ""

    @property
    def noreply(self) -> str:
        return f"{self.id}+{self.login}@users.noreply.github.com"


@dataclass
class Label:
    """A label of one repository."""

    id: int
    name: str
    color: str = "ededed"
    description: str | None = None


@dataclass
class Reaction:
    """One user's emoji on an issue or a comment."""

    id: int
    user: User
    content: str
    created_at: datetime


@dataclass
class Comment:
    """A comment on an issue or on the conversation of a pull request."""

    id: int
    number: int
    user: User
    body: str
    created_at: datetime
    updated_at: datetime
    reactions: list[Reaction] = field(default_factory=list)
    app: App | None = None


@dataclass
class ReviewComment:
    """A comment on lines `first` to `last` of the new side of a file."""

    id: int
    path: str
    first: int
    last: int
    body: str
    hunk: str


@dataclass
class Review:
    """What somebody said of a pull request's lines."""

    id: int
    user: User
    body: str
    commit_id: str
    state: str
    submitted_at: datetime
    comments: list[ReviewComment]


@dataclass
class Status:
    """What a CI of the older kind says of one commit."""

    id: int
    sha: str
    state: str
    context: str
    description: str | None
    target_url: str | None
    creator: User
    created_at: datetime


@dataclass(frozen=True)
class Rule:
    """One rule of a ruleset: its type, and the branches that it holds for, as a pattern."""

    type: str
    pattern: str


@dataclass
class Pull:
    """What a pull request has beyond its issue."""

    id: int
    base: str
    head: str
    base_sha: str
    head_sha: str
    # Set when the head is in a fork.
    head_repo: Repo | None = None
    draft: bool = False
    maintainer_can_modify: bool = False
    merged_at: datetime | None = None
    merge_commit_sha: str | None = None


@dataclass
class Issue:
    """An issue, or a pull request when `pull` is set: the two share their numbers."""

    id: int
    number: int
    title: str
    body: str | None
    user: User
    created_at: datetime
    updated_at: datetime
    state: str = "open"
    closed_at: datetime | None = None
    labels: list[Label] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    pull: Pull | None = None
    reviews: list[Review] = field(default_factory=list)
    app: App | None = None


@dataclass
class Repo:
    """A repository: its settings here, its content in `git`."""

    id: int
    owner: User
    name: str
    private: bool
    default_branch: str
    git: GitRepo
    created_at: datetime
    pushed_at: datetime
    collaborators: dict[str, str] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    suites: dict[int, CheckSuite] = field(default_factory=dict)
    runs: dict[int, CheckRun] = field(default_factory=dict)
    workflow_runs: dict[int, WorkflowRun] = field(default_factory=dict)
    signed: set[str] = field(default_factory=set)
    statuses: list[Status] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    # Branches that are protected in the older way.
    protected: set[str] = field(default_factory=set)
    parent: Repo | None = None

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    def rules_for(self, branch: str) -> list[Rule]:
        return [each for each in self.rules if fnmatchcase(branch, each.pattern)]

    def role(self, user: User) -> str:
        """admin, maintain, write, triage, read or none."""
        if user.login == self.owner.login:
            return "admin"
        return self.collaborators.get(user.login.lower(), "none" if self.private else "read")

    def level(self, user: User) -> str:
        """The role in the four levels that GitHub's older endpoints know."""
        return {"maintain": "write", "triage": "read"}.get(self.role(user), self.role(user))


@dataclass
class App:
    """A GitHub App. `private_key_pem` is what its owner downloads; GitHub itself keeps `public_key_pem`."""

    id: int
    slug: str
    owner: User
    bot: User
    hook_id: int
    webhook_url: str
    webhook_secret: str
    permissions: dict[str, str]
    events: list[str]
    created_at: datetime
    private_key_pem: str = ""
    public_key_pem: str = ""


@dataclass
class Installation:
    """An App on one account, for some of its repositories."""

    id: int
    app: App
    account: User
    repository_ids: set[int]
    permissions: dict[str, str]
    events: list[str]
    created_at: datetime
    suspended_at: datetime | None = None


@dataclass
class Token:
    """An installation token: what it may do, where, and until when."""

    value: str
    installation: Installation
    permissions: dict[str, str]
    repository_ids: set[int] | None
    expires_at: datetime
    revoked: bool = False

    def reaches(self, repo: Repo) -> bool:
        scope = self.installation.repository_ids
        return repo.id in scope and (self.repository_ids is None or repo.id in self.repository_ids)


@dataclass
class CheckSuite:
    """All check runs of one App on one commit."""

    id: int
    app: App
    head_sha: str
    head_branch: str | None
    before: str | None
    created_at: datetime
    updated_at: datetime


@dataclass
class CheckRun:
    """One check on one commit."""

    id: int
    app: App
    suite: CheckSuite
    name: str
    head_sha: str
    status: str
    conclusion: str | None
    details_url: str
    external_id: str
    started_at: datetime
    completed_at: datetime | None = None
    output: dict[str, Any] = field(default_factory=dict)
    annotations: list[dict[str, Any]] = field(default_factory=list)
    actions: list[dict[str, str]] = field(default_factory=list)


@dataclass
class WorkflowRun:
    """One run of an Actions workflow; its jobs are check runs with the same ids."""

    id: int
    workflow_id: int
    name: str
    path: str
    event: str
    suite: CheckSuite
    run_number: int
    created_at: datetime
    jobs: list[Job] = field(default_factory=list)


@dataclass
class Job:
    """One job of a workflow run, and its log."""

    check: CheckRun
    log: bytes
    last_step: str


@dataclass(frozen=True)
class Move:
    """A reference that moved: from `old` to `new`, None for not being there."""

    ref: str
    old: str | None
    new: str | None
