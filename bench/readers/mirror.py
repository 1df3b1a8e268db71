"""Commits of local git mirrors, read through a repository of ours: a user's mirror is never written to."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench.readers.place import Place
from bench.tasks import Tree
from bot.errors import Refused
from bot.nouns import Patch
from bot.workspace import Commit, GitFailed, borrow, parse_diff, run_git


class Mirrors:
    """Finds repositories in a folder by their names, and keeps what it needs for reading until it is left."""

    def __init__(self, place: Place) -> None:
        self._folder = place.mirrors or (place.path if place.path.is_dir() else place.path.parent) / "mirrors"
        if not self._folder.is_dir():
            raise Refused(
                f"There is no folder of git mirrors at {self._folder}.",
                "Clone the repositories there (`git clone --mirror URL`), and name the folder with --mirrors.",
            )
        self._scratch = tempfile.TemporaryDirectory()

    def __enter__(self) -> Mirrors:
        return self

    def __exit__(self, *_: object) -> None:
        self._scratch.cleanup()

    def commit(self, repo: str, sha: str) -> Commit:
        """A commit of `owner/name`. Refused where mirror or commit is missing."""
        mirror = self._find(repo)
        scratch = Path(self._scratch.name) / re.sub(r"\W", "_", repo)
        if not scratch.exists():
            borrow(mirror, scratch)
        try:
            full = run_git("rev-parse", "--verify", "--end-of-options", f"{sha}^{{commit}}", git_dir=scratch)
        except GitFailed as error:
            raise Refused(f"The mirror {mirror} has no commit {sha}.", "Bring it up to date: git fetch.") from error
        return Commit(scratch, full.decode().strip())

    def _find(self, repo: str) -> Path:
        owner, _, name = repo.rpartition("/")
        flat = f"{owner}__{name}" if owner else name
        for candidate in (f"{owner}/{name}", flat, name):
            for ending in ("", ".git"):
                path = self._folder / f"{candidate}{ending}"
                if path.is_dir():
                    return path
        raise Refused(
            f"There is no mirror of {repo} in {self._folder}.",
            f"Make one: git clone --mirror https://github.com/{repo} {self._folder / (flat + '.git')}",
        )


def tree_of(commit: Commit) -> dict[str, bytes]:
    """All regular files of a commit."""
    return {path: file.data for path, file in commit.files().items() if not file.link}


def diff_of(commit: Commit, diff: str) -> Mapping[str, bytes | None]:
    """Files that a diff changes, as they are with it. Refused when it does not apply."""
    return parse_diff(commit, diff.encode()).files if diff.strip() else Patch({}).files


def laid_over(tree: Tree, changes: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """The tree with changes; deleted files are gone."""
    merged: dict[str, bytes | None] = {**tree, **changes}
    return {path: data for path, data in merged.items() if data is not None}
