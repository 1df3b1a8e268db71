"""A user's own checkout: read through a repository of ours, changed only by `apply` and `branch`."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from bot.errors import Refused
from bot.nouns import Patch
from bot.workspace import Commit, GitFailed, borrow, run_git


class Checkout:
    """A user's own checkout. Reading never changes it; `apply` and `branch` do what their names say."""

    def __init__(self, path: Path) -> None:
        """Refused when `path` is not inside a git checkout with at least one commit."""
        if not path.is_dir():
            raise Refused(f"{path} is not a folder.", "Give the path of a git checkout.")
        try:
            root = self._run(path, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").rstrip("\n")
            git_dir = self._run(path, "rev-parse", "--absolute-git-dir")
        except GitFailed as error:
            raise Refused(
                f"{path} is not a git checkout.",
                "Run `git init`, add your files and commit them, or give the path of a checkout.",
            ) from error
        self.root = Path(root)
        self.git_dir = Path(git_dir.decode("utf-8", "surrogateescape").rstrip("\n"))
        try:
            head = self._run(path, "rev-parse", "--verify", "HEAD^{commit}")
        except GitFailed as error:
            raise Refused(
                f"{path} has no commit yet.", "Commit your files: regreen works on the commit HEAD."
            ) from error
        self.sha = head.decode().strip()

    @staticmethod
    def _run(path: Path, *args: str) -> bytes:
        return run_git("-C", str(path), *args)

    def head(self, scratch: Path) -> Commit:
        """HEAD, read through a bare repository of ours at `scratch`: new objects stay out of the user's."""
        borrow(self.root, scratch)
        return Commit(scratch, self.sha)

    def default_file(self, path: str) -> bytes | None:
        """A file on the default branch of `origin`, or on HEAD where there is none; None where it is missing."""
        for revision in ("refs/remotes/origin/HEAD", "HEAD"):
            with contextlib.suppress(GitFailed):
                self._run(self.root, "rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}")
                break
        with contextlib.suppress(GitFailed):
            return self._run(self.root, "cat-file", "blob", f"{revision}:{path}")
        return None

    def branch(self, name: str, patch: Patch, message: str, *, date: str) -> str:
        """Commit the patch on top of HEAD as a new branch and return its hash. No file is touched."""
        head = Commit(self.git_dir, self.sha)
        sha = head.commit_with(patch, message, date=date)
        head.create_branch(name, sha)
        return sha

    def holds(self, name: str, tree: str) -> bool:
        """Whether a branch is one commit of this tree on top of HEAD."""
        with contextlib.suppress(GitFailed):
            found = self._run(self.root, "rev-parse", f"refs/heads/{name}^1", f"refs/heads/{name}^{{tree}}")
            return found.decode().split() == [self.sha, tree]
        return False

    def uncommitted(self) -> list[str]:
        """Paths that differ from HEAD or are untracked."""
        status = self._run(self.root, "status", "--porcelain", "-z", "--untracked-files=normal", "--no-renames")
        return [line[3:].decode("utf-8", "backslashreplace") for line in status.split(b"\0") if line]

    def refuse_changes(self) -> None:
        """Refused when anything is uncommitted."""
        changed = self.uncommitted()
        if changed:
            shown = ", ".join(changed[:3]) + (" …" if len(changed) > 3 else "")
            raise Refused(
                f"The checkout has uncommitted changes ({shown}).",
                "Commit or stash them, or use --branch, which leaves your files alone.",
            )

    def apply(self, patch: Patch) -> None:
        """Write the patched files into the working tree. Refused when anything is uncommitted."""
        self.refuse_changes()
        for path, data in patch.files.items():
            _write_beneath(self.root, path, data)


def _write_beneath(root: Path, path: str, data: bytes | None) -> None:
    """Write one file without following a link anywhere on the way."""
    *folders, name = path.split("/")
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in folders:
            try:
                inner = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
            except FileNotFoundError:
                os.mkdir(folder, dir_fd=handle)
                inner = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
            os.close(handle)
            handle = inner
        if data is None:
            os.unlink(name, dir_fd=handle)
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(name, flags, 0o644, dir_fd=handle), "wb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise Refused(f"{path} is not a regular file.", "Nothing was written to it.")
            stream.write(data)
    except OSError as error:
        raise Refused(f"Cannot write {path}: {error.strerror}.", "Check the permissions of the checkout.") from error
    finally:
        os.close(handle)
