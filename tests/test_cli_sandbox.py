"""`--sandbox`, REGREEN_SANDBOX and REGREEN_RUNTIME: what is refused, and that nothing falls back to less silently."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from factories import make_checkout

from bot import assemble
from bot.errors import Refused
from bot.settings import Settings
from sandbox import Image
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.docker import DockerSandbox
from sandbox.none import WARNING

SERVER = {"REGREEN_APP_ID": "1", "REGREEN_PRIVATE_KEY": "x", "REGREEN_WEBHOOK_SECRET": "y", "REGREEN_PORT": "0"}


def regreen(*args: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "handlers.cli", *args]
    full = {**os.environ, **(env or {})}
    return subprocess.run(argv, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, env=full)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return make_checkout(tmp_path / "repo")


@pytest.mark.parametrize(
    ("args", "env", "words"),
    [
        (("--sandbox", "vm"), {}, "no sandbox 'vm'"),
        ((), {"REGREEN_SANDBOX": "vm"}, "no sandbox 'vm'"),
        (("--sandbox", "none"), {}, "add --i-know"),
        ((), {"REGREEN_SANDBOX": "none"}, "add --i-know"),
        (("--i-know",), {"REGREEN_SANDBOX": "vm"}, "no sandbox 'vm'"),
    ],
    ids=["unknown", "unknown by setting", "none", "none by setting", "knowing helps nothing else"],
)
@pytest.mark.parametrize("command", ["fix", "verify"])
def test_what_is_refused_before_anything_is_run(
    checkout: Path, tmp_path: Path, command: str, args: tuple[str, ...], env: dict[str, str], words: str
) -> None:
    change = tmp_path / "change.diff"
    change.write_text("--- a/shop/__init__.py\n+++ b/shop/__init__.py\n@@ -0,0 +1 @@\n+X = 1\n")
    more = ("--patch", str(change)) if command == "verify" else ()
    done = regreen(command, str(checkout), "--json", *more, *args, env=env)
    assert done.returncode == 2, done.stderr
    assert words in " ".join(done.stderr.split())
    assert json.loads(done.stdout)["outcome"] == "refused"
    assert WARNING not in done.stderr


def test_a_server_never_runs_code_without_isolation(tmp_path: Path) -> None:
    env = {**SERVER, "REGREEN_SANDBOX": "none", "REGREEN_HOME": str(tmp_path / "home")}
    done = regreen("serve", env=env)
    assert done.returncode == 2
    assert "never runs the code of others without isolation" in done.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("name", [name for name in assemble.SANDBOXES if name != "docker"])
def test_a_runtime_is_not_silently_forgotten_by_another_backend(name: str) -> None:
    with pytest.raises(Refused, match="REGREEN_RUNTIME is runsc"):
        assemble.backend(Settings(runtime="runsc"), name)


def test_the_setting_chooses_and_the_option_overrides_it() -> None:
    assert isinstance(assemble.backend(Settings(), Settings().sandbox), DockerSandbox)
    assert isinstance(assemble.sandbox(Settings(sandbox="bubblewrap")), BubblewrapSandbox)
    with pytest.raises(Refused, match="no sandbox 'vm'"):
        assemble.sandbox(Settings(sandbox="docker"), "vm")


@pytest.mark.parametrize(("args", "warned"), [(("bubblewrap",), False), (("none", "--i-know"), True)])
def test_a_checkout_is_repaired_without_an_engine(
    checkout: Path, tmp_path: Path, args: tuple[str, ...], warned: bool
) -> None:
    """The same verdict by another backend; the one that isolates nothing says so each time."""
    silent = {"DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    done = regreen("fix", str(checkout), "--json", "--sandbox", *args, env=silent)
    assert done.returncode == 0, done.stderr
    assert (json.loads(done.stdout)["outcome"], json.loads(done.stdout)["verdict"]) == ("fixed", "accepted")
    assert (WARNING in done.stderr) is warned


@pytest.mark.docker
def test_a_runtime_goes_to_the_engine(base_image: Image, checkout: Path) -> None:
    """The engine's usual one by its name works; one that it does not have ends the command, and is not replaced."""
    assert isinstance(assemble.sandbox(Settings(runtime="runc")), DockerSandbox)
    done = regreen("fix", str(checkout), "--json", env={"REGREEN_RUNTIME": "no-such-runtime"})
    assert done.returncode == 4, done.stderr
    assert "no-such-runtime" in done.stderr
    assert "Traceback" not in done.stderr
