"""localhub's git over HTTP with the real git client."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from test_localhub import Town, make_town

from localhub.objects import Signature

QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ASKPASS": "true",
}
NAMED = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


@pytest.fixture
def town() -> Iterator[Town]:
    with make_town(private=True) as made:
        yield made
        assert made.hub.violations == []


def git(*argv: str, cwd: Path, ok: bool = True) -> str:
    """Standard output and error of one git command, which must succeed or, with ok=False, fail."""
    env = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    done = subprocess.run(
        ["git", *argv], cwd=cwd, env=env | QUIET, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode == 0) == ok, done.stdout + done.stderr
    return done.stdout + done.stderr


def remote(town: Town, token: str | None = None) -> str:
    own = token or town.hub.installation_token(town.installation_id)
    return f"{town.url}/ada/calc.git".replace("http://", f"http://x-access-token:{own}@")


def clone(town: Town, folder: Path, *flags: str, token: str | None = None) -> Path:
    git("clone", "--quiet", *flags, remote(town, token), "clone", cwd=folder)
    return folder / "clone"


def commit(folder: Path, path: str, content: bytes) -> str:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(content)
    git("add", "--all", cwd=folder)
    git(*NAMED, "commit", "--quiet", "-m", "Change", cwd=folder)
    return git("rev-parse", "HEAD", cwd=folder).strip()


def test_shallow_clone_and_fetch_of_a_bare_sha(town: Town, tmp_path: Path) -> None:
    old = town.head()
    town.hub.commit(town.repo, "main", {"calc.py": b"new\n"})
    folder = clone(town, tmp_path, "--depth", "1")
    assert (folder / "calc.py").read_bytes() == b"new\n"
    assert git("rev-list", "--count", "HEAD", cwd=folder).strip() == "1"
    git("fetch", "--quiet", "--depth", "1", "origin", old, cwd=folder)
    assert git("rev-parse", "FETCH_HEAD", cwd=folder).strip() == old


def test_partial_clone_fetches_the_rest_on_demand(town: Town, tmp_path: Path) -> None:
    folder = clone(town, tmp_path, "--filter=blob:none", "--no-checkout")
    assert git("show", "HEAD:calc.py", cwd=folder).startswith("def add")


def test_push_moves_the_branch_and_is_heard(town: Town, tmp_path: Path) -> None:
    folder = clone(town, tmp_path)
    git("checkout", "--quiet", "-b", "fix", cwd=folder)
    first = commit(folder, "calc.py", b"fixed\n")
    git("push", "--quiet", "origin", "fix", cwd=folder)
    assert town.head("fix") == first
    assert town.heard() == ["push", "check-suite-requested"]
    assert town.receiver.received[-2].body["created"] is True
    assert town.receiver.received[-2].body["sender"]["login"] == "regreen[bot]"
    pull = town.hub.open_pull(town.repo, "fix", "main")
    second = commit(folder, "calc.py", b"fixed better\n")
    git("push", "--quiet", "origin", "fix", cwd=folder)
    assert pull.pull and pull.pull.head_sha == second
    assert town.heard()[-3:] == ["push", "check-suite-requested", "pull-request-synchronize"]
    git("fetch", "--quiet", "origin", f"refs/pull/{pull.number}/head", cwd=folder)
    assert git("rev-parse", "FETCH_HEAD", cwd=folder).strip() == second
    git("push", "--quiet", "origin", "--delete", "fix", cwd=folder)
    assert pull.state == "closed"


def test_large_push_comes_in_chunks(town: Town, tmp_path: Path) -> None:
    folder = clone(town, tmp_path, "--depth", "1")
    content = os.urandom(4_000_000)
    commit(folder, "big.bin", content)
    git("push", "--quiet", "origin", "HEAD:big", cwd=folder)
    assert town.hub.file_at(town.repo, "big", "big.bin") == content


def test_compressed_request_is_understood(town: Town, tmp_path: Path) -> None:
    """git compresses its wants when they are long: many branches make them so."""
    repo, now = town.repo.git, town.hub.world.now()
    tree, ada = repo.commit(town.head()).tree, Signature("Ada", "ada@example.org", now)
    for at in range(30):
        sha = repo.write_commit(tree, [town.head()], f"topic {at}", author=ada, committer=ada)
        repo.set_ref(f"refs/heads/topic/{at}", sha)
    folder = clone(town, tmp_path)
    assert len(git("branch", "--remotes", cwd=folder).splitlines()) == 32


def test_stale_pushes_are_refused(town: Town, tmp_path: Path) -> None:
    folder = clone(town, tmp_path)
    old = town.head()
    town.hub.commit(town.repo, "main", {"calc.py": b"theirs\n"})
    commit(folder, "calc.py", b"ours\n")
    assert "rejected" in git("push", "origin", "HEAD:main", cwd=folder, ok=False)
    lease = f"--force-with-lease=main:{old}"
    assert "stale info" in git("push", lease, "origin", "HEAD:main", cwd=folder, ok=False)


def test_credentials_decide(town: Town, tmp_path: Path) -> None:
    def refused(token: str) -> str:
        return git("clone", remote(town, token), "refused", cwd=tmp_path, ok=False)

    assert "Authentication failed" in refused("wrong")
    assert "not found" in refused(town.hub.installation_token(town.installation_id, {"checks": "write"}))
    reader = town.hub.installation_token(town.installation_id, {"contents": "read"})
    folder = clone(town, tmp_path, token=reader)
    commit(folder, "calc.py", b"fixed\n")
    assert "403" in git("push", "origin", "HEAD:fix", cwd=folder, ok=False)
    assert town.repo.git.branch("fix") is None
    git("push", "--quiet", remote(town, town.hub.token_of("ada")), "HEAD:fix", cwd=folder)
    assert town.repo.git.branch("fix")


def test_expired_token_fetches_no_more(town: Town, tmp_path: Path) -> None:
    token = town.hub.installation_token(town.installation_id)
    town.hub.advance(3601)
    assert "Authentication failed" in git("clone", remote(town, token), "late", cwd=tmp_path, ok=False)


def test_private_repository_asks_for_a_name_and_a_public_one_does_not(town: Town, tmp_path: Path) -> None:
    town.hub.create_repo("ada", "open", {"README.md": b"hello\n"})
    with httpx.Client(base_url=town.url, trust_env=False) as client:
        challenge = client.get("/ada/calc.git/info/refs?service=git-upload-pack")
        assert challenge.status_code == 401
        assert challenge.headers["www-authenticate"] == 'Basic realm="GitHub"'
        assert client.get("/ada/open.git/info/refs?service=git-upload-pack").status_code == 200
        assert client.get("/ada/open.git/info/refs?service=git-receive-pack").status_code == 401
        assert client.get("/ada/none.git/info/refs?service=git-upload-pack").status_code == 401
    git("clone", "--quiet", f"{town.url}/ada/open.git", "open", cwd=tmp_path)
    assert (tmp_path / "open" / "README.md").read_bytes() == b"hello\n"


def test_token_can_travel_in_a_header(town: Town, tmp_path: Path) -> None:
    """So it never stands in .git/config."""
    basic = httpx.BasicAuth("x-access-token", town.hub.installation_token(town.installation_id))
    request = next(basic.auth_flow(httpx.Request("GET", town.url)))
    header = f"http.extraHeader=Authorization: {request.headers['Authorization']}"
    git("-c", header, "clone", "--quiet", f"{town.url}/ada/calc.git", "clone", cwd=tmp_path)
    assert "x-access-token" not in (tmp_path / "clone" / ".git" / "config").read_text()


def test_app_without_the_permission_cannot_push_workflows(town: Town, tmp_path: Path) -> None:
    folder = clone(town, tmp_path)
    commit(folder, ".github/workflows/ci.yml", b"on: push\n")
    said = git("push", "origin", "HEAD:fix", cwd=folder, ok=False)
    assert "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml`" in said
    git("push", "--quiet", remote(town, town.hub.token_of("ada")), "HEAD:fix", cwd=folder)


def test_nobody_pushes_to_pull_references(town: Town, tmp_path: Path) -> None:
    folder = clone(town, tmp_path)
    commit(folder, "calc.py", b"fixed\n")
    assert "hidden ref" in git("push", "origin", "HEAD:refs/pull/1/head", cwd=folder, ok=False)
