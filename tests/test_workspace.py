"""Commits as trees, patches on them, and a checkout that is only changed when asked: with real git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import factories
import pytest
from factories import FIXED, git, make_checkout

from bot import workspace
from bot.checkout import Checkout
from bot.errors import Refused
from bot.nouns import Patch
from bot.workspace import Commit, parse_diff, patched, unified_diff


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(make_checkout(tmp_path / "repo"))


@pytest.fixture
def head(checkout: Checkout, tmp_path: Path) -> Commit:
    return checkout.head(tmp_path / "scratch")


def test_tree_holds_bytes_and_modes(tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "repo", {"a b.txt": b"\xff\r\n", "run.sh": "#!/bin/sh\n"})
    (folder / "run.sh").chmod(0o755)
    (folder / "link").symlink_to("a b.txt")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Modes")
    tree = Checkout(folder).head(tmp_path / "scratch").files()
    assert tree["a b.txt"].data == b"\xff\r\n"
    assert tree["run.sh"].executable
    assert tree["link"].link
    assert tree["link"].data == b"a b.txt"


def test_reading_runs_no_filter_hook_or_monitor_of_the_repository(tmp_path: Path) -> None:
    """What a hostile repository configures must not run on this machine."""
    folder = make_checkout(tmp_path / "repo", {"a.py": "x = 1\n", ".gitattributes": "* filter=evil\n"})
    marker = tmp_path / "ran"
    for key in ("core.fsmonitor", "filter.evil.smudge", "filter.evil.clean", "diff.external"):
        git(folder, "config", key, f"touch {marker}; cat")
    hook = folder / ".git/hooks/reference-transaction"
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    checkout = Checkout(folder)
    commit = checkout.head(tmp_path / "scratch")
    commit.files()
    tree = commit.tree_with(Patch({"a.py": b"x = 2\n"}))
    parse_diff(commit, unified_diff(commit.files(), Patch({"a.py": b"x = 2\n"})).encode())
    checkout.branch("regreen/fix-1", Patch({"a.py": b"x = 2\n"}), "Fix", date="2026-01-01T00:00:00Z")
    assert len(tree) == 40
    assert not marker.exists()


def test_patched_tree_has_the_hash_that_git_gives(head: Commit, checkout: Checkout) -> None:
    tree = head.tree_with(Patch({"shop/pricing.py": FIXED.encode(), "shop/new.py": b"x = 1\n"}))
    factories.write(checkout.root, {"shop/pricing.py": FIXED, "shop/new.py": "x = 1\n"})
    git(checkout.root, "add", "-A")
    assert tree == git(checkout.root, "write-tree")


def test_nothing_is_written_into_the_users_repository(head: Commit, checkout: Checkout) -> None:
    before = git(checkout.root, "count-objects")
    head.tree_with(Patch({"shop/pricing.py": b"something new\n"}))
    assert git(checkout.root, "count-objects") == before


@pytest.mark.parametrize("path", ["../outside.py", "/etc/evil", ".git/hooks/post-commit", "a/../../b.py"])
def test_paths_outside_the_tree_are_refused_by_git_itself(head: Commit, path: str) -> None:
    with pytest.raises(workspace.GitFailed):
        head.tree_with(Patch({path: b"x"}))


def test_unified_diff_applies_with_git(head: Commit, checkout: Checkout) -> None:
    """Whatever we print, `git apply` understands: lone \\r, no final newline, new and deleted files."""
    tree = {**head.files(), **factories.files({"odd.txt": b"a\rb\nlast"})}
    factories.write(checkout.root, {"odd.txt": b"a\rb\nlast"})
    change = Patch({"odd.txt": b"a\rc\nlast\n", "new.py": b"x = 1", "shop/__init__.py": None})
    diff = unified_diff(tree, change)
    subprocess.run(["git", "apply", "-"], input=diff.encode(), cwd=checkout.root, check=True)
    assert (checkout.root / "odd.txt").read_bytes() == b"a\rc\nlast\n"
    assert (checkout.root / "new.py").read_bytes() == b"x = 1"


def test_diff_is_read_back_to_the_same_patch(head: Commit) -> None:
    change = Patch({"shop/pricing.py": FIXED.encode(), "shop/extra.py": b"y = 2\n", "tests/test_pricing.py": None})
    assert parse_diff(head, unified_diff(head.files(), change).encode()) == change


def test_links_and_modes_in_a_diff_are_seen(head: Commit) -> None:
    diff = (
        b"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n"
        b"\\ No newline at end of file\ndiff --git a/shop/pricing.py b/shop/pricing.py\nold mode 100644\n"
        b"new mode 100755\n"
    )
    assert parse_diff(head, diff).modes == {"l": "120000", "shop/pricing.py": "100755"}


@pytest.mark.parametrize(
    "diff",
    [
        b"",
        b"nonsense\n",
        b"--- a/nope.py\n+++ b/nope.py\n@@ -1 +1 @@\n-a\n+b\n",
        b"--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+a\n",
    ],
    ids=["empty", "nonsense", "unknown file", "outside"],
)
def test_diff_that_does_not_apply_is_refused_with_a_remedy(head: Commit, diff: bytes) -> None:
    with pytest.raises(Refused, match="git diff"):
        parse_diff(head, diff)


@pytest.mark.parametrize(("diff", "said"), [(b" \n", "is empty"), (b"hello\n", "holds no unified diff")])
def test_what_is_no_diff_is_called_so(head: Commit, diff: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said):
        parse_diff(head, diff)


def test_diff_applies_whatever_its_line_ends_and_files_keep_theirs(tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "repo", {"unix.py": "a = 1\nb = 2\n", "dos.py": "a = 1\r\nb = 2\r\n"})
    head = Checkout(folder).head(tmp_path / "git")
    unix = Patch({"unix.py": b"a = 1\nb = 3\n"})
    through_windows = unified_diff(head.files(), unix).replace("\n", "\r\n").encode()
    assert parse_diff(head, through_windows) == unix
    dos = Patch({"dos.py": b"a = 1\r\nb = 3\r\n"})
    assert parse_diff(head, unified_diff(head.files(), dos).encode()) == dos


def test_too_many_files_are_refused(head: Commit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "MAX_FILES", 2)
    with pytest.raises(Refused, match="larger than 2 files"):
        head.files()


def test_not_a_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="not a git checkout"):
        Checkout(tmp_path)


def test_checkout_without_a_commit_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(Refused, match="no commit yet"):
        Checkout(tmp_path)


def test_apply_refuses_uncommitted_changes_and_writes_nothing(checkout: Checkout) -> None:
    (checkout.root / "untracked.txt").write_text("mine")
    with pytest.raises(Refused, match=r"untracked\.txt"):
        checkout.apply(Patch({"shop/pricing.py": FIXED.encode()}))
    assert (checkout.root / "shop/pricing.py").read_text() != FIXED


def test_apply_keeps_the_mode_and_makes_folders(checkout: Checkout) -> None:
    checkout.apply(Patch({"shop/pricing.py": FIXED.encode(), "shop/deep/er.py": b"x = 1\n"}))
    assert (checkout.root / "shop/pricing.py").read_text() == FIXED
    assert (checkout.root / "shop/deep/er.py").read_bytes() == b"x = 1\n"


def test_apply_never_follows_a_link_out_of_the_checkout(checkout: Checkout, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (checkout.root / "way").symlink_to(outside)
    git(checkout.root, "add", "-A")
    git(checkout.root, "commit", "-q", "-m", "Link")
    with pytest.raises(Refused, match="Cannot write way/x"):
        Checkout(checkout.root).apply(Patch({"way/x": b"x"}))
    assert list(outside.iterdir()) == []


def test_branch_is_made_beside_the_working_tree_and_never_moved(checkout: Checkout) -> None:
    change = Patch({"shop/pricing.py": FIXED.encode()})
    checkout.branch("regreen/fix-1", change, "Fix", date="2026-01-01T00:00:00Z")
    assert git(checkout.root, "show", "regreen/fix-1:shop/pricing.py") == FIXED.strip()
    assert git(checkout.root, "status", "--porcelain") == ""
    with pytest.raises(Refused, match="exists already"):
        checkout.branch("regreen/fix-1", Patch({"a": b""}), "Fix", date="2026-01-01T00:00:00Z")


def test_git_variables_of_our_own_process_do_not_steer_git(checkout: Checkout, tmp_path: Path) -> None:
    os.environ["GIT_DIR"] = str(tmp_path / "elsewhere")
    assert Checkout(checkout.root).sha == checkout.sha
    assert "GIT_DIR" not in os.environ


def test_patch_lies_over_the_tree_and_keeps_modes() -> None:
    tree = {**factories.files({"a": "1", "b": "2"}), "run": workspace.File(b"x", executable=True)}
    after = patched(tree, Patch({"a": None, "run": b"y", "c": b"3"}))
    assert sorted(after) == ["b", "c", "run"]
    assert after["run"].executable


NUMBERED = "".join(f"line_{number} = {number}\n" for number in range(1, 11))


def test_changed_lines_are_those_of_the_newer_commit(tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "repo", {"a.py": NUMBERED, "b c.py": "x = 1\n", "notes.md": "old\n"})
    newer = NUMBERED.replace("line_3 = 3\n", "line_3 = 33\n++ b/other.py\n").replace("line_8 = 8\n", "")
    factories.write(folder, {"a.py": newer, "b c.py": "x = 2", "ü.py": "y = 1\n", "notes.md": "new\n"})
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Change")
    commit = Checkout(folder).head(tmp_path / "scratch")
    before = commit.parent()
    assert before is not None
    assert before.sha == git(folder, "rev-parse", "HEAD~1")
    assert commit.changed_since(before) == {
        "a.py": (range(3, 5), range(8, 10)),
        "b c.py": (range(1, 2),),
        "ü.py": (range(1, 2),),
    }


def test_first_commit_and_a_shallow_one_have_no_parent(tmp_path: Path, head: Commit, checkout: Checkout) -> None:
    assert head.parent() is None
    git(checkout.root, "commit", "-q", "--allow-empty", "-m", "Second")
    git(tmp_path, "clone", "-q", "--depth=1", checkout.root.as_uri(), "shallow")
    assert Commit(tmp_path / "shallow" / ".git", git(checkout.root, "rev-parse", "HEAD")).parent() is None
