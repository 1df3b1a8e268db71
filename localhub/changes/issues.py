"""Issues are opened, labelled, commented, closed; people react."""

from __future__ import annotations

from localhub.shapes import issues as shapes
from localhub.shapes.people import Json, user
from localhub.shapes.repository import repository
from localhub.state import App, Comment, Issue, Label, Pull, Reaction, Repo, User
from localhub.world import World


def new_issue(
    world: World,
    repo: Repo,
    *,
    title: str,
    body: str | None,
    by: User,
    app: App | None = None,
    pull: Pull | None = None,
) -> Issue:
    """The next number of the repository; nobody is told."""
    number = max(repo.issues, default=0) + 1
    issue = Issue(
        id=world.next_id(),
        number=number,
        title=title,
        body=body,
        user=by,
        created_at=world.now(),
        updated_at=world.now(),
        pull=pull,
        app=app,
    )
    repo.issues[number] = issue
    return issue


def open_issue(world: World, repo: Repo, *, title: str, body: str | None, by: User) -> Issue:
    issue = new_issue(world, repo, title=title, body=body, by=by)
    announce(world, repo, issue, "opened", by)
    return issue


def set_state(world: World, repo: Repo, issue: Issue, state: str, by: User) -> None:
    if issue.state == state:
        return
    issue.state = state
    issue.closed_at = world.now() if state == "closed" else None
    issue.updated_at = world.now()
    announce(world, repo, issue, "closed" if state == "closed" else "reopened", by)


def add_label(world: World, repo: Repo, issue: Issue, name: str, by: User) -> Label:
    label = world.label(repo, name)
    if label not in issue.labels:
        issue.labels.append(label)
        issue.updated_at = world.now()
        announce(world, repo, issue, "labeled", by, label=shapes.label(repo, label, world.links))
    return label


def remove_label(world: World, repo: Repo, issue: Issue, name: str, by: User) -> bool:
    """False when the issue does not carry the label."""
    held = next((each for each in issue.labels if each.name.lower() == name.lower()), None)
    if held is None:
        return False
    issue.labels.remove(held)
    issue.updated_at = world.now()
    announce(world, repo, issue, "unlabeled", by, label=shapes.label(repo, held, world.links))
    return True


def comment(world: World, repo: Repo, issue: Issue, body: str, by: User, *, app: App | None = None) -> Comment:
    made = Comment(world.next_id(), issue.number, by, body, world.now(), world.now(), app=app)
    issue.comments.append(made)
    issue.updated_at = world.now()
    announce_comment(world, repo, made, "created", by)
    return made


def edit_comment(world: World, repo: Repo, held: Comment, body: str, by: User) -> None:
    changes = {"body": {"from": held.body}}
    held.body, held.updated_at = body, world.now()
    announce_comment(world, repo, held, "edited", by, changes=changes)


def react(world: World, reactions: list[Reaction], content: str, by: User) -> tuple[Reaction, bool]:
    """The reaction, and whether it is new: a second equal one returns the first. There is no webhook for it."""
    for each in reactions:
        if each.user is by and each.content == content:
            return each, False
    made = Reaction(world.next_id(), by, content, world.now())
    reactions.append(made)
    return made, True


def announce(world: World, repo: Repo, issue: Issue, action: str, by: User, **more: Json) -> None:
    """A pull request speaks as `pull_request`, an issue as `issues`."""
    body: Json = {
        "action": action,
        "repository": repository(repo, world.links),
        "sender": user(by, world.links),
        **more,
    }
    if issue.pull:
        body |= {"number": issue.number, "pull_request": shapes.pull(repo, issue, world.links)}
        world.announce("pull_request", body, repo)
    else:
        world.announce("issues", body | {"issue": shapes.issue(repo, issue, world.links)}, repo)


def announce_comment(world: World, repo: Repo, held: Comment, action: str, by: User, **more: Json) -> None:
    body = {
        "action": action,
        "issue": shapes.issue(repo, repo.issues[held.number], world.links),
        "comment": shapes.comment(repo, held, world.links),
        "repository": repository(repo, world.links),
        "sender": user(by, world.links),
        **more,
    }
    world.announce("issue_comment", body, repo)
