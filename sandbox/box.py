"""What every box is, whoever makes it: its environment, its doors, its patience, and how its end is read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from sandbox import Command, Limits, Ran, SandboxError, Stopped, boot
from sandbox.archive import box_tar
from sandbox.stream import Streams
from sandbox.syscalls import MACHINES, programs

USER = "10001:10001"
START_S = 120.0
"""How long a box may take from its creation until its command starts; a busy engine is slow."""
OPEN_FILES, FILE_BYTES = 4096, 256 << 20
"""What one process may open, and how large one file may grow."""
CORE_BYTES = 1
"""No core dumps. Not 0: that forbids files only, and a dump would still be piped to this machine's handler."""
BACKSTOP_S = 60.0
"""The box ends itself this long after its deadline, should nobody have done it."""
_POLL_S = 0.5

ENV = {
    "PATH": "/opt/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/tmp",  # noqa: S108 - a tmpfs of the box
    "USER": "sandbox",
    "LOGNAME": "sandbox",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
}
"""The whole environment of a command, before what `Command.env` adds: nothing comes from the host's."""

FILTERS = tuple((f"filter {machine}", program.hex()) for machine in MACHINES for program in programs(machine))
"""For boxes whose first program sets the filters itself: those of every machine that it may find itself on."""

START = ("python3", "-IS", "-c", Path(boot.__file__).read_text("utf-8"))
"""The first program of a box. Its source comes from us, not from the image."""


def incoming(
    command: Command, limits: Limits, extra: Iterable[tuple[str, str]] = (), *, stdin: bool = False
) -> Iterator[bytes]:
    """What is sent into the box. Raises ValueError at once for a path that no box can hold.

    `extra` are further words for boot.py: FILTERS; `limit NPROC` and the like, set on the command from inside;
    `word`, the secret by which the end is known. `stdin`: what is sent after this is the command's standard input.
    """
    config = [
        ("seconds", str(limits.timeout_s + BACKSTOP_S)),
        *(("argv", word) for word in command.argv),
        *((f"env {name}", value) for name, value in {**ENV, **command.env}.items()),
        *([("stdin", "yes")] if stdin else []),
        *extra,
    ]
    return box_tar({"w": command.tree, "r": command.tools}, config)


def lockdown(limits: Limits, volumes: Iterable[str], *, inodes: bool = True) -> dict[str, Any]:
    """Every door shut, as the engine's host configuration. tests/test_sandbox_hardening.py tries each one.

    `inodes` False leaves out the limits on them, which Podman refuses: the memory limit holds them as well.
    """
    mount = "rw,exec,nosuid,nodev,mode=1777" + (",nr_inodes=200k" if inodes else "")
    return {
        "network_mode": "none",  # not network_disabled: that leaves /etc/hosts without localhost
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "read_only": True,
        "init": True,
        "ipc_mode": "private",
        "cgroupns": "private",
        "shm_size": "64m",
        "tmpfs": {
            "/sbx": f"{mount},size={limits.work_mb}m",
            "/tmp": f"{mount},size={limits.tmp_mb}m",  # noqa: S108 - inside the box
            # Podman mounts tmpfs without a limit there, in spite of read_only.
            **({} if inodes else {"/var/tmp": "ro,size=4k", "/run": "ro,size=4k"}),  # noqa: S108
            # A volume of the image would be a writable folder on the host's disk, in spite of read_only.
            **dict.fromkeys(volumes, "rw,nosuid,nodev,size=16m" + (",nr_inodes=10k" if inodes else "")),
        },
        "mem_limit": f"{limits.memory_mb}m",
        "memswap_limit": f"{limits.memory_mb}m",  # equal: no swap
        "pids_limit": limits.pids,
        "nano_cpus": int(limits.cpus * 1e9),
        "oom_score_adj": 500,
        "ulimits": [
            {"Name": "nofile", "Soft": OPEN_FILES, "Hard": OPEN_FILES},
            {"Name": "nproc", "Soft": 4096, "Hard": 4096},
            {"Name": "fsize", "Soft": FILE_BYTES, "Hard": FILE_BYTES},
            {"Name": "core", "Soft": CORE_BYTES, "Hard": CORE_BYTES},
        ],
        "log_config": {"Type": "none", "Config": {}},
    }


class Patience:
    """Says when a run is to be stopped, and why. Raises SandboxError when the box does not even start."""

    def __init__(self, streams: Streams, limits: Limits, cancelled: Callable[[], bool] | None) -> None:
        self._streams, self._limits, self._cancelled = streams, limits, cancelled
        self._created = time.monotonic()
        self._next_poll = 0.0

    def __call__(self) -> Stopped | None:
        now = time.monotonic()
        if self._streams.over:
            return self._streams.over
        if self._streams.ready_at is None:
            if now > self._created + START_S:
                raise SandboxError(f"the box did not start within {START_S:.0f} s; is the engine overloaded?")
        elif now > self._streams.ready_at + self._limits.timeout_s:
            return "deadline"
        if self._cancelled and now >= self._next_poll:
            self._next_poll = now + _POLL_S
            if self._cancelled():
                return "cancelled"
        return None


def ran(streams: Streams, stopped: Stopped | None, code: int | None) -> Ran:
    """The end of a run in the contract's words. A box that never came to its command is a broken box."""
    output = streams.output.value()
    if streams.ready_at is None and stopped != "cancelled":
        said = (output or streams.opening)[-2000:].decode("utf-8", "replace").strip()
        raise SandboxError(f"the box ended before its command started (exit code {code}): {said}")
    seconds = time.monotonic() - streams.ready_at if streams.ready_at else 0.0
    if stopped:
        return Ran(code=None, stopped=stopped, report=None, output=output, seconds=seconds)
    return Ran(code=code, stopped=None, report=streams.report, output=output, seconds=seconds)
