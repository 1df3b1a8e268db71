"""People commit and merge, with real git."""

from __future__ import annotations

from pathlib import Path

from localhub.changes import refs
from localhub.objects import Change, Signature
from localhub.state import Issue, Move, Repo, User
from localhub.world import World

Files = dict[str, bytes | None]


def first(world: World, repo: Repo, files: dict[str, bytes] | Path) -> None:
    """The first commit of a new repository; nobody is told."""
    changes = folder_changes(repo, files) if isinstance(files, Path) else file_changes(repo, files)
    sha = written(world, repo, repo.git.write_tree(None, changes), [], "Initial commit", by=repo.owner)
    repo.git.set_ref(f"refs/heads/{repo.default_branch}", sha)


def commit(world: World, repo: Repo, branch: str, files: Files, *, message: str, by: User) -> str:
    """One commit on `branch`, which starts at the default branch when it is new."""
    old = repo.git.branch(branch)
    parent = old or repo.git.branch(repo.default_branch)
    assert parent is not None
    tree = repo.git.write_tree(repo.git.commit(parent).tree, file_changes(repo, files, parent))
    sha = written(world, repo, tree, [parent], message, by=by)
    push(world, repo, Move(f"refs/heads/{branch}", old, sha), by)
    return sha


def merge(world: World, repo: Repo, issue: Issue, by: User) -> str:
    """A merge commit on the base branch; GitError on a conflict."""
    pull = issue.pull
    assert pull is not None
    old = repo.git.branch(pull.base)
    assert old is not None
    message = f"Merge pull request #{issue.number} from {repo.owner.login}/{pull.head}"
    tree = repo.git.merged_tree(old, pull.head_sha)
    sha = written(world, repo, tree, [old, pull.head_sha], message, by=by)
    push(world, repo, Move(f"refs/heads/{pull.base}", old, sha), by)
    return sha


def push(world: World, repo: Repo, move: Move, by: User) -> None:
    if move.new is None:
        repo.git.delete_ref(move.ref)
    else:
        repo.git.set_ref(move.ref, move.new)
    refs.moved(world, repo, move, by)


def written(world: World, repo: Repo, tree: str, parents: list[str], message: str, *, by: User) -> str:
    who = Signature(by.login, by.email, world.now())
    return repo.git.write_commit(tree, parents, message, author=who, committer=who)


def file_changes(repo: Repo, files: Files | dict[str, bytes], parent: str | None = None) -> list[Change]:
    """A changed file keeps its mode."""
    changes = []
    for path, content in files.items():
        held = repo.git.entry_at(parent, path) if parent else None
        mode = held.mode if held and held.type == "blob" else "100644"
        changes.append(Change(path, mode, None if content is None else repo.git.write_blob(content)))
    return changes


def folder_changes(repo: Repo, folder: Path) -> list[Change]:
    """Every file below `folder` but git's own, with its executable bit."""
    changes = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if ".git" in name.parts or not (path.is_symlink() or path.is_file()):
            continue
        if path.is_symlink():
            changes.append(Change(name.as_posix(), "120000", repo.git.write_blob(str(path.readlink()).encode())))
            continue
        mode = "100755" if path.stat().st_mode & 0o100 else "100644"
        changes.append(Change(name.as_posix(), mode, repo.git.write_blob(path.read_bytes())))
    return changes
