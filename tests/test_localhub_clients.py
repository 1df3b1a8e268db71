"""localhub asked by clients that others wrote for GitHub: Octokit on Node, and the command `gh`."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from test_localhub import SECRET, Town, make_town

pytestmark = pytest.mark.clients
CLIENTS = Path(__file__).parent / "clients"


@pytest.fixture
def town() -> Iterator[Town]:
    with make_town() as made:
        yield made
        assert made.hub.violations == []
        assert made.hub.request_violations == []


@pytest.mark.parametrize("api", ["", "/api/v3"], ids=["root", "enterprise root"])
def test_octokit_finds_what_it_expects_of_github(town: Town, api: str) -> None:
    """The whole way of a repair, with Octokit's own way to sign in, to page, to fail, and to check webhooks."""
    town.hub.report_check(town.repo, town.head(), "tests")
    town.heard()
    deliveries = [
        {"body": each.raw.decode(), "signature": each.headers["x-hub-signature-256"]}
        for each in town.receiver.received
    ]
    told = {
        "api": town.url + api, "appId": town.app.id, "key": town.app.private_key_pem, "owner": "ada", "repo": "calc",
        "secret": SECRET, "deliveries": deliveries,
    }  # fmt: skip
    # Node comes with the virtual environment.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    argv = [shutil.which("node", path=path) or "node", "contract.mjs"]
    done = subprocess.run(argv, cwd=CLIENTS, input=json.dumps(told), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["signed"] == [True] * len(deliveries)
    assert len(deliveries) >= 6
    assert found["forged"] is False
    assert (found["slug"], found["user"], found["verified"]) == ("regreen", "regreen[bot]", True)
    assert found["runs"] == [["job", "success", "regreen"]]
    assert found["twice"]["status"] == 422
    assert "A pull request already exists" in found["twice"]["text"]
    assert found["comments"] == ["one", "two", "three"]
    assert (found["reaction"], found["level"], found["lost"]) == ("eyes", "admin", 404)


@contextmanager
def socket_to(url: str, path: Path) -> Iterator[Path]:
    """A Unix socket whose other end is localhub: `gh` speaks plain HTTP to nothing else."""
    host, port = url.removeprefix("http://").split(":")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def pump(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        finally:
            for each in (source, sink):
                each.close()

    def accept() -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            far = socket.create_connection((host, int(port)))
            for pair in ((near, far), (far, near)):
                threading.Thread(target=pump, args=pair, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield path
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def test_gh_reads_and_writes(town: Town, tmp_path: Path) -> None:
    number = town.hub.open_issue(town.repo, "add subtracts").number
    (tmp_path / "config").mkdir()
    with socket_to(town.url, tmp_path / "socket") as path:
        (tmp_path / "config" / "config.yml").write_text(f"http_unix_socket: {path}\n")
        token = town.hub.token_of("ada")
        env = {
            **os.environ, "GH_CONFIG_DIR": str(tmp_path / "config"), "GH_HOST": "github.localhost", "GH_TOKEN": token,
            "GH_ENTERPRISE_TOKEN": token, "GH_PROMPT_DISABLED": "1", "NO_COLOR": "1", "HOME": str(tmp_path),
        }  # fmt: skip

        def gh(*args: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                ["gh", "api", *args], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60
            )

        about = gh("repos/ada/calc", "--jq", ".full_name")
        assert (about.returncode, about.stdout) == (0, "ada/calc\n"), about.stderr
        for text in ("one", "two", "three"):
            assert gh(f"repos/ada/calc/issues/{number}/comments", "-f", f"body={text}").returncode == 0
        listed = gh("--paginate", f"repos/ada/calc/issues/{number}/comments?per_page=1", "--jq", ".[].body")
        assert listed.stdout.split() == ["one", "two", "three"]
        lost = gh("repos/ada/calc/git/ref/heads/nowhere")
        assert lost.returncode == 1
        assert "Not Found (HTTP 404)" in lost.stderr
        refused = gh("-X", "POST", "repos/ada/calc/check-runs", "-f", "name=x", "-f", f"head_sha={town.head()}")
        assert "You must authenticate via a GitHub App" in refused.stderr
