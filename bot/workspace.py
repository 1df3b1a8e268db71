"""One commit as a tree of files, and patches on it. The only file that runs git.

Git never works inside a tree that other people's code could write to: objects live in a bare repository of
ours, blobs are written without filters, and trees are made through the index
(`mktree` accepts `.git` and `..`, `update-index --cacheinfo` refuses them).
"""

from __future__ import annotations

import base64
import contextlib
import difflib
import io
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import git

from bot.errors import Refused, TryLater
from bot.nouns import Patch
from sandbox import File, Files

MAX_FILES = 50_000
MAX_TREE_BYTES = 1024**3
MAX_FILE_BYTES = 50 * 1024**2
FETCH_TIMEOUT_S = 600.0

AUTHOR = "Regreen <regreen@users.noreply.github.com>"

_FILE_MODES = {"100644", "100755", "120000"}

# A configuration of our own stands in for the user's and the machine's. Each line closes a door that a
# repository or an outside program could use to run code or to read files (git-config(1)).
_CONFIG = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.untrackedCache": "false",
    "core.quotePath": "false",
    "credential.helper": "",
    "diff.external": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "protocol.http.allow": "always",
    "protocol.https.allow": "always",
    "safe.directory": "*",
    "submodule.recurse": "false",
    "transfer.bundleURI": "false",
    "uploadpack.allowAnySHA1InWant": "true",
}


class GitFailed(Exception):
    """git ended with an error: `code` and what it said, without the address it talked to."""

    def __init__(self, verb: str, code: int, said: str) -> None:
        super().__init__(f"git {verb} ended with {code}: {said}")
        self.code = code
        self.said = said


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    # GitPython hands our whole environment on; an inherited GIT_DIR or GIT_TRACE must not steer us.
    for name in [name for name in os.environ if name.startswith("GIT_") and name != "GIT_SSL_CAINFO"]:
        del os.environ[name]
    fixed = {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": "http:https",
        "LC_ALL": "C",
    }
    return {**fixed, **extra}


def _with_config(config: Mapping[str, str]) -> dict[str, str]:
    """Configuration by environment: unlike `-c`, it does not show in the process list."""
    values = {"GIT_CONFIG_COUNT": str(len(config))}
    for number, (key, value) in enumerate(config.items()):
        values[f"GIT_CONFIG_KEY_{number}"] = key
        values[f"GIT_CONFIG_VALUE_{number}"] = value
    return values


def run_git(
    *args: str,
    git_dir: Path | None = None,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
    config: Mapping[str, str] | None = None,
    timeout_s: float | None = None,
) -> bytes:
    """Run one git command and return its standard output. Raises GitFailed."""
    argv = ["git", *(["--git-dir", str(git_dir)] if git_dir else []), *args]
    full = _environment({**_with_config({**_CONFIG, **(config or {})}), **(env or {})})
    with tempfile.TemporaryFile() as stream:
        stream.write(stdin or b"")
        stream.seek(0)
        result = git.Git().execute(
            argv,
            istream=stream,
            env=full,
            with_extended_output=True,
            with_exceptions=False,
            stdout_as_string=False,
            strip_newline_in_stdout=False,
            kill_after_timeout=timeout_s,
        )
    assert isinstance(result, tuple)
    code, out, err = result
    if code != 0:
        raise GitFailed(args[0], int(code), str(err).strip()[-2000:])
    return out if isinstance(out, bytes) else str(out).encode()


@dataclass(frozen=True)
class Entry:
    """One line of a git tree."""

    mode: str
    oid: str
    size: int


class Commit:
    """One commit in a bare repository of ours, read as a tree. Nothing here touches the network."""

    def __init__(self, git_dir: Path, sha: str) -> None:
        self.git_dir = git_dir
        self.sha = sha

    def entries(self) -> dict[str, Entry]:
        """Path -> entry of every file. Refused when the tree is larger than MAX_FILES or MAX_TREE_BYTES."""
        listing = self._git("ls-tree", "-r", "-z", "-l", "--full-tree", self.sha)
        found: dict[str, Entry] = {}
        total = 0
        for record in listing.split(b"\0"):
            if not record:
                continue
            head, _, raw_path = record.partition(b"\t")
            mode, _kind, oid, size = head.decode().split()
            if mode not in _FILE_MODES:
                continue  # a submodule: its content is not part of this commit
            entry = Entry(mode, oid, int(size))
            total += entry.size
            _check_size(len(found) + 1, total, entry.size, raw_path)
            found[raw_path.decode("utf-8", "surrogateescape")] = entry
        return found

    def files(self) -> dict[str, File]:
        """The whole tree with contents."""
        entries = {path: entry for path, entry in self.entries().items() if _is_text_path(path)}
        contents = self._blobs(sorted({entry.oid for entry in entries.values()}))
        return {
            path: File(contents[entry.oid], entry.mode == "100755", entry.mode == "120000")
            for path, entry in entries.items()
        }

    def file(self, path: str) -> bytes | None:
        """Content of one file; None where there is none."""
        try:
            return self._git("cat-file", "blob", f"{self.sha}:{path}")
        except GitFailed:
            return None

    def tree_with(self, patch: Patch) -> str:
        """Write the patched tree into the repository and return its hash."""
        entries = self.entries()
        with tempfile.TemporaryDirectory() as folder:
            index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            self._git("read-tree", self.sha, env=index)
            for path, data in sorted(patch.files.items()):
                if data is None:
                    self._git("update-index", "--force-remove", "--", path, env=index)
                    continue
                mode = entries[path].mode if path in entries else "100644"
                # `--cacheinfo` refuses `..` and `.git`; `--index-info` would drop them without a word.
                self._git(
                    "update-index", "--add", "--cacheinfo", f"{mode},{self._write_blob(data)},{path}", env=index
                )
            return self._git("write-tree", env=index).decode().strip()

    def changes_to(self, sha: str) -> Patch:
        """What differs in another commit of the same repository."""
        return _difference(self, sha)

    def parent(self) -> Commit | None:
        """The first parent; None where there is none, or where it was not fetched."""
        try:
            before = Commit(self.git_dir, self._git("rev-parse", "--verify", f"{self.sha}^1").decode().strip())
        except GitFailed:
            return None
        return before if _has(before) else None

    def changed_since(self, old: Commit) -> dict[str, tuple[range, ...]]:
        """Lines of Python files that are new or other ones here; where lines went, the two beside the gap."""
        diff = run_git(
            "diff-tree", "-r", "-p", "-U0", "--no-renames", "--no-ext-diff", "--no-textconv",
            "--src-prefix=a/", "--dst-prefix=b/", old.sha, self.sha, "--", "*.py",
            git_dir=self.git_dir, config={"core.quotePath": "false"},
        )  # fmt: skip
        return _changed_lines(diff)

    def commit_with(self, patch: Patch, message: str, *, date: str) -> str:
        """Write a commit of the patched tree on top of this one; `date` as git reads it."""
        name, _, mail = AUTHOR.rstrip(">").partition(" <")
        who = {
            f"GIT_{role}_{field}": value
            for role in ("AUTHOR", "COMMITTER")
            for field, value in (("NAME", name), ("EMAIL", mail), ("DATE", date))
        }
        tree = self.tree_with(patch)
        return self._git("commit-tree", tree, "-p", self.sha, stdin=message.encode(), env=who).decode().strip()

    def create_branch(self, branch: str, sha: str) -> None:
        """Create `branch` at `sha`. Refused where it exists: no branch is ever moved."""
        try:
            self._git("update-ref", f"refs/heads/{branch}", sha, "0" * 40)
        except GitFailed as error:
            raise Refused(
                f"The branch {branch} exists already and holds something else.",
                f"Look at it, or delete it: git branch -D {branch}",
            ) from error

    def _write_blob(self, data: bytes) -> str:
        return self._git("hash-object", "-w", "--no-filters", "--stdin", stdin=data).decode().strip()

    def _blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        request = "".join(f"{oid}\n" for oid in oids).encode()
        if not request:
            return {}
        stream = io.BytesIO(self._git("cat-file", "--batch", stdin=request))
        found = {}
        while header := stream.readline():
            oid, _kind, size = header.decode().split()
            found[oid] = stream.read(int(size))
            stream.read(1)
        return found

    def _git(self, *args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None) -> bytes:
        return run_git(*args, git_dir=self.git_dir, stdin=stdin, env=env)


def _check_size(count: int, total: int, size: int, raw_path: bytes) -> None:
    name = raw_path.decode("utf-8", "backslashreplace")
    if count > MAX_FILES or total > MAX_TREE_BYTES:
        limit = f"{MAX_FILES} files or {MAX_TREE_BYTES // 1024**2} MiB"
        raise Refused(
            f"The commit is larger than {limit}.",
            "Regreen does not repair repositories of this size.",
            kind="cannot-set-up",
        )
    if size > MAX_FILE_BYTES:
        raise Refused(
            f"The file {name!r} has {size // 1024**2} MiB; the limit is {MAX_FILE_BYTES // 1024**2} MiB.",
            "Keep large files out of the repository (Git LFS), or repair a branch without it.",
            kind="cannot-set-up",
        )


def _is_text_path(path: str) -> bool:
    """Names that are not UTF-8 or hold control characters stay out of the box and cannot be edited."""
    return not any(ord(char) < 32 or 0xD800 <= ord(char) <= 0xDFFF for char in path)


def parse_diff(commit: Commit, diff: bytes) -> Patch:
    """Read a unified diff (as `git diff` or `diff -u` writes it) against `commit`. Refused when it does not apply,
    even with plain line ends in place of its own.

    git applies it to an index of ours, never to files: no path can lead outside, nothing is run.
    """
    if not diff.strip():
        raise Refused("The patch is empty.", _HOW_TO)
    if not _DIFF.search(diff):
        raise Refused("The patch holds no unified diff.", _HOW_TO)
    try:
        tree = _applied(commit, diff)
    except GitFailed as error:
        # A file that was saved by an editor for Windows, or went through a mail: the repository has other line ends.
        with contextlib.suppress(GitFailed):
            return _difference(commit, _applied(commit, diff.replace(b"\r\n", b"\n")))
        raise Refused(
            f"The patch does not apply to {commit.sha[:12]}: {_first_line(error.said)}.", _HOW_TO
        ) from error
    return _difference(commit, tree)


_DIFF = re.compile(rb"^(@@ |diff --git |--- )", re.MULTILINE)
_HOW_TO = "Make it with `git diff` against this commit; it is read as -p1 (paths begin with a/ and b/)."


def _applied(commit: Commit, diff: bytes) -> str:
    """Hash of the tree with the diff. Raises GitFailed."""
    with tempfile.TemporaryDirectory() as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        commit._git("read-tree", commit.sha, env=index)
        commit._git("apply", "--cached", "--whitespace=nowarn", "-", stdin=diff, env=index)
        return commit._git("write-tree", env=index).decode().strip()


def carried(patch: Patch, diff: str, *, old: Commit, new: Commit) -> Patch:
    """A patch for `old`, made to apply to `new`. Refused where the lines around the change are other ones there."""
    if all(old.file(path) == new.file(path) for path in patch.files):
        return patch
    return parse_diff(new, diff.encode())


def _difference(commit: Commit, tree: str) -> Patch:
    raw = commit._git("diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", commit.sha, tree)
    fields = raw.split(b"\0")
    files: dict[str, bytes | None] = {}
    modes: dict[str, str] = {}
    for head, raw_path in zip(fields[::2], fields[1::2], strict=False):
        old_mode, new_mode, _old, oid, status = head.decode().lstrip(":").split()
        path = raw_path.decode("utf-8", "surrogateescape")
        deleted = status == "D"
        files[path] = None if deleted else (b"" if new_mode == "160000" else commit._blobs([oid])[oid])
        if not deleted and new_mode != (old_mode if status == "M" else "100644"):
            modes[path] = new_mode
    return Patch(files, modes)


_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def _changed_lines(diff: bytes) -> dict[str, tuple[range, ...]]:
    """Reads a diff without context. The lines of a hunk are counted: none of them is taken for a header."""
    found: dict[str, list[range]] = {}
    path, left = "", 0
    for line in diff.split(b"\n"):
        if left:
            left -= not line.startswith(b"\\")
        elif line.startswith(b"+++ "):
            path = line.removeprefix(b"+++ b/").rstrip(b"\t").decode("utf-8", "surrogateescape")
        elif hunk := _HUNK.match(line):
            gone, first, come = int(hunk[1] or 1), int(hunk[2]), int(hunk[3] or 1)
            found.setdefault(path, []).append(range(first, first + (come or 2)))
            left = gone + come
    return {path: tuple(ranges) for path, ranges in found.items()}


def borrow(path: Path, into: Path) -> None:
    """Make a bare repository of ours that reads the objects of a user's: new ones stay out of the user's."""
    objects = run_git("-C", str(path), "rev-parse", "--path-format=absolute", "--git-path", "objects")
    run_git("init", "--quiet", "--bare", "--template=", str(into))
    (into / "objects" / "info").mkdir(exist_ok=True)
    (into / "objects" / "info" / "alternates").write_bytes(objects)


def fetch(url: str, sha: str, *, into: Path, token: str | None = None) -> Commit:
    """Fetch exactly the commit `sha` from `url` into the bare repository `into`, made if need be.

    The token travels in the environment, never in an address or an argument. Raises TryLater when the other
    side does not answer, Refused when it does not have the commit.
    """
    if not (into / "HEAD").exists():
        into.mkdir(parents=True, exist_ok=True)
        run_git("init", "--quiet", "--bare", "--template=", str(into))
    commit = Commit(into, sha)
    if _has(commit):
        return commit
    config = {"transfer.fsckObjects": "true"}
    if token is not None:
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        config["http.extraHeader"] = f"Authorization: Basic {basic}"
    try:
        run_git(
            "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--end-of-options", url, sha,
            git_dir=into, config=config, timeout_s=FETCH_TIMEOUT_S,
        )  # fmt: skip
    except GitFailed as error:
        if "not our ref" in error.said or "couldn't find remote ref" in error.said:
            raise Refused(
                f"The commit {sha[:12]} is not on the server any more.",
                "Push again, or start from its successor.",
            ) from error
        raise TryLater(f"cannot fetch the commit: {_first_line(error.said)}", after_s=30) from error
    return commit


def _has(commit: Commit) -> bool:
    try:
        commit._git("cat-file", "-e", f"{commit.sha}^{{tree}}")
    except GitFailed:
        return False
    return True


def _first_line(text: str) -> str:
    return text.splitlines()[-1] if text else "git said nothing"


def patched(tree: Files, patch: Patch) -> dict[str, File]:
    """The tree with the patch laid over it; modes stay, new files are plain."""
    result = dict(tree)
    for path, data in patch.files.items():
        if data is None:
            result.pop(path, None)
        else:
            result[path] = File(data, path in tree and tree[path].executable)
    return result


def unified_diff(tree: Files, patch: Patch) -> str:
    """The patch as `git apply` and people read it; files that are not UTF-8 text are only named."""
    return "".join(_file_diff(tree, path, patch.files[path]) for path in sorted(patch.files))


def _file_diff(tree: Files, path: str, new: bytes | None) -> str:
    old = tree[path].data if path in tree else None
    header = f"diff --git a/{path} b/{path}\n"
    if old is None:
        header += "new file mode 100644\n"
    elif new is None:
        header += f"deleted file mode {'100755' if tree[path].executable else '100644'}\n"
    try:
        before, after = (old or b"").decode(), (new or b"").decode()
    except UnicodeDecodeError:
        return header + f"Binary files a/{path} and b/{path} differ\n"
    names = ("/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}")
    # Only \n ends a line here: a lone \r or \f inside a line belongs to it.
    lines = difflib.unified_diff(_lines(before), _lines(after), *names)
    return header + "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
