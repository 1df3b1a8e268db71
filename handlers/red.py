"""What the three reports of one failure have in common: check run, check suite and workflow run all end up here."""

from __future__ import annotations

from bot.nouns import BRANCH_PREFIX, Request, Skip
from handlers.event import Event, Id, Name, Part, RepoId


class App(Part):
    id: Id


class Ref(Part):
    ref: Name
    repo: RepoId | None = None


class Pull(Part):
    number: Id
    base: Ref


def pulls_here(pulls: tuple[Pull, ...], repo_id: int) -> list[int]:
    """Numbers of the pull requests of this repository: GitHub lists those of others too that have the same head."""
    return [pull.number for pull in pulls if pull.base.repo is None or pull.base.repo.id == repo_id]


def red_commit(
    event: Event,
    *,
    delivery: str,
    sha: str,
    branch: str | None,
    pulls: tuple[Pull, ...],
    check_name: str,
    settled: bool,
) -> Request | Skip:
    """A red commit asks for a repair. `settled`: the report speaks of a whole suite, not of one of its checks."""
    if branch is None:
        # GitHub names neither branch nor pull request for commits of forks.
        return Skip("the commit is of a fork: somebody with write permission has to ask with /regreen fix")
    if branch.startswith(BRANCH_PREFIX):
        return Skip("the branch is one of our own")
    here = pulls_here(pulls, event.repository.id)
    return Request(
        trigger="check-run",
        delivery=delivery,
        installation=event.installation.id,
        repo_id=event.repository.id,
        repo=event.repository.full_name,
        sender=event.sender.login,
        sha=sha,
        branch=branch,
        number=here[0] if len(here) == 1 else 0,
        check_name=check_name,
        settled=settled,
    )
