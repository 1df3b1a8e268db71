"""Bare git repositories by git's own plumbing; nothing of ours parses packs."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from localhub.objects import Change, Commit, Entry, FileDiff, Signature, entry, index_line, signature, written

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

# GitHub serves any reachable commit by its name, and keeps refs/pull to itself.
SETTINGS = """
[uploadpack]
    allowFilter = true
    allowAnySHA1InWant = true
[receive]
    hideRefs = refs/pull
    autogc = false
[http]
    receivepack = true
[core]
    logAllRefUpdates = false
[gc]
    auto = 0
"""

REFUSE_WORKFLOWS = """#!/bin/sh
# An App without `workflows` permission may not change workflow files.
test -n "$LOCALHUB_NO_WORKFLOWS" || exit 0
while read old new ref; do
    test "$new" = 0000000000000000000000000000000000000000 && continue
    touched=$(git log --format= --name-only "$new" --not --all -- .github/workflows | head -n 1)
    test -n "$touched" || continue
    echo "refusing to allow a GitHub App to create or update workflow \\`$touched\\`" \\
         "without \\`workflows\\` permission" >&2
    exit 1
done
"""

LOG_PUSH = """#!/bin/sh
# Tells the server which references moved.
test -n "$LOCALHUB_PUSH_LOG" && cat > "$LOCALHUB_PUSH_LOG" || cat > /dev/null
"""


class GitError(Exception):
    """git said no; the message is its standard error."""


class GitRepo:
    """One bare repository in a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self, default_branch: str) -> None:
        self.path.mkdir(parents=True)
        self.run("init", "--quiet", "--bare", f"--initial-branch={default_branch}", "--template=", ".")
        with (self.path / "config").open("a") as config:
            config.write(SETTINGS)
        hooks = self.path / "hooks"
        hooks.mkdir(exist_ok=True)
        for name, text in (("pre-receive", REFUSE_WORKFLOWS), ("post-receive", LOG_PUSH)):
            (hooks / name).write_text(text)
            (hooks / name).chmod(0o755)

    def run(self, *argv: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> bytes:
        done = subprocess.run(
            ["git", *argv],
            cwd=self.path,
            input=stdin,
            capture_output=True,
            check=False,
            env={"PATH": os.environ["PATH"], **ENVIRONMENT, **(env or {})},
        )
        if done.returncode != 0:
            raise GitError(done.stderr.decode(errors="replace").strip())
        return done.stdout

    def text(self, *argv: str) -> str:
        return self.run(*argv).decode(errors="replace").strip()

    # names and references

    def sha_of(self, name: str, kind: str = "commit") -> str | None:
        """The object that `name` leads to, as `kind`; None when there is none."""
        if not name or name.startswith("-"):
            return None
        try:
            return self.text("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{{kind}}}")
        except GitError:
            return None

    def branch(self, name: str) -> str | None:
        return self.sha_of(f"refs/heads/{name}")

    def resolve(self, name: str) -> str | None:
        """A branch, a tag or a commit name: in GitHub's order."""
        bare = name.removeprefix("refs/")
        for candidate in (f"refs/heads/{bare}", f"refs/tags/{bare}", f"refs/{bare}", name):
            if found := self.sha_of(candidate):
                return found
        return None

    def type_of(self, sha: str) -> str | None:
        try:
            return self.text("cat-file", "-t", sha)
        except GitError:
            return None

    def refs(self, prefix: str) -> list[tuple[str, str, str]]:
        """(name, sha, type) of every reference below `prefix`, which need not end at a slash."""
        lines = self.text("for-each-ref", "--format=%(refname) %(objectname) %(objecttype)").splitlines()
        split = [line.split(" ") for line in lines]
        return [(name, sha, kind) for name, sha, kind in split if name.startswith(prefix)]

    def ref(self, name: str) -> tuple[str, str, str] | None:
        return next((each for each in self.refs(name) if each[0] == name), None)

    def valid_ref(self, name: str) -> bool:
        try:
            self.run("check-ref-format", name)
        except GitError:
            return False
        return True

    def set_ref(self, name: str, sha: str, old: str | None = None) -> None:
        self.run("update-ref", name, sha, *([old] if old else []))

    def delete_ref(self, name: str) -> None:
        self.run("update-ref", "-d", name)

    def fetch(self, source: GitRepo, refspec: str) -> None:
        self.run("fetch", "--quiet", "--no-tags", str(source.path.resolve()), refspec)

    # objects

    def commit(self, sha: str) -> Commit:
        raw = self.run("cat-file", "commit", sha).decode(errors="replace")
        head, _, message = raw.partition("\n\n")
        fields = [line.split(" ", 1) for line in head.splitlines() if line and line[0] != " "]
        only = {key: value for key, value in fields if key != "parent"}
        return Commit(
            sha=sha,
            tree=only["tree"],
            parents=[value for key, value in fields if key == "parent"],
            author=signature(only["author"]),
            committer=signature(only["committer"]),
            message=message.removesuffix("\n"),
        )

    def tree(self, sha: str, *, recursive: bool = False) -> list[Entry]:
        flags = ["-r", "-t"] if recursive else []
        out = self.run("ls-tree", "-l", "-z", *flags, sha).decode(errors="surrogateescape")
        return [entry(line) for line in out.split("\0") if line]

    def blob(self, sha: str) -> bytes:
        return self.run("cat-file", "blob", sha)

    def entry_at(self, commit: str, path: str) -> Entry | None:
        """The file or folder at `path`; the root folder for an empty path."""
        clean = path.strip("/")
        if not clean:
            return Entry("040000", "tree", self.commit(commit).tree, None, "")
        out = self.run("ls-tree", "-l", "-z", commit, "--", f":(top,literal){clean}")
        lines = [line for line in out.decode(errors="surrogateescape").split("\0") if line]
        return entry(lines[0]) if lines else None

    def write_blob(self, content: bytes) -> str:
        return self.run("hash-object", "-w", "--stdin", stdin=content).decode().strip()

    def write_tree(self, base: str | None, changes: list[Change]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            env = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            self.run("read-tree", *([base] if base else ["--empty"]), env=env)
            lines = [index_line(leaf) for each in changes for leaf in self.leaves(base, each)]
            self.run("update-index", "--add", "--replace", "-z", "--index-info", stdin=b"".join(lines), env=env)
            return self.run("write-tree", env=env).decode().strip()

    def leaves(self, base: str | None, change: Change) -> list[Change]:
        """`change` itself, or what it takes to put a whole folder in the place of the old one."""
        if change.mode != "040000" or change.sha is None:
            return [change]
        inside = [each for each in self.tree(change.sha, recursive=True) if each.type != "tree"]
        old = self.run(
            "ls-tree", "-r", "-z", "--name-only", base or EMPTY_TREE, "--", f":(top,literal){change.path}/"
        )
        gone = [Change(path, "100644", None) for path in old.decode(errors="surrogateescape").split("\0") if path]
        return gone + [Change(f"{change.path}/{each.path}", each.mode, each.sha) for each in inside]

    def write_commit(
        self, tree: str, parents: list[str], message: str, *, author: Signature, committer: Signature
    ) -> str:
        lines = [f"tree {tree}", *(f"parent {each}" for each in parents)]
        lines += [f"author {written(author)}", f"committer {written(committer)}", "", message]
        raw = "\n".join(lines).encode()
        return self.run("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw).decode().strip()

    def merged_tree(self, ours: str, theirs: str) -> str:
        """The tree of a clean merge; GitError on a conflict."""
        return self.text("merge-tree", "--write-tree", ours, theirs).splitlines()[0]

    # history

    def merge_base(self, one: str, other: str) -> str | None:
        try:
            return self.text("merge-base", one, other)
        except GitError:
            return None

    def is_ancestor(self, old: str, new: str) -> bool:
        return self.merge_base(old, new) == old

    def log(self, revisions: str, *, limit: int = 250) -> list[str]:
        """Commit names of a range, oldest first."""
        return self.text("rev-list", "--reverse", f"--max-count={limit}", revisions).splitlines()

    def diff(self, old: str, new: str) -> list[FileDiff]:
        raw = self.run("diff-tree", "-r", "-M", "-z", "--raw", "--no-abbrev", old, new)
        fields = raw.decode(errors="surrogateescape").split("\0")
        found = []
        at = 0
        while at < len(fields) - 1:
            _, _, _, sha, status = fields[at].removeprefix(":").split(" ")
            renamed = status[0] in "RC"
            previous, path = (fields[at + 1], fields[at + 2]) if renamed else (None, fields[at + 1])
            at += 3 if renamed else 2
            found.append(self.file_diff(old, new, path=path, previous=previous, status=status[0], sha=sha))
        return found

    def file_diff(self, old: str, new: str, *, path: str, previous: str | None, status: str, sha: str) -> FileDiff:
        paths = [f":(top,literal){each}" for each in (previous, path) if each]
        counts = self.text("diff", "-M", "--numstat", old, new, "--", *paths).split()
        binary = not counts or counts[0] == "-"
        patch = self.text("diff", "-M", old, new, "--", *paths)
        names = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied", "T": "changed"}
        return FileDiff(
            path=path,
            previous=previous,
            status=names[status],
            sha=sha if status != "D" else self.text("rev-parse", f"{old}:{path}"),
            additions=0 if binary else int(counts[0]),
            deletions=0 if binary else int(counts[1]),
            patch=patch[patch.index("@@") :] if not binary and "@@" in patch else None,
        )
