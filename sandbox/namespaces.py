"""One program in Linux namespaces of its own, made by bwrap: started, listened to, and ended with all it left."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from sandbox import SandboxError, SandboxUnavailable
from sandbox.box import CORE_BYTES, FILE_BYTES, OPEN_FILES
from sandbox.builder import UID
from sandbox.pipes import Pipes
from sandbox.syscalls import programs
from sandbox.traces import MARK

_START_S = 60.0
_END_S = 30.0
_OOM_SCORE = 500
_SHM_BYTES = 64 << 20

# The box's own cgroup is joined before root's rights are dropped: nothing ever runs outside of it.
_LAUNCH = """
while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift
echo "$REGREEN_OOM_SCORE" > /proc/self/oom_score_adj || true
unset REGREEN_OOM_SCORE
exec "$@"
"""
_DROP = ("--reuid", str(UID), "--regid", str(UID), "--clear-groups", "--no-new-privs", "--inh-caps=-all")

# What an engine masks as well; the rest of /proc belongs to a root who has no name in the box.
_MASKED = ("kcore", "keys", "kmsg", "latency_stats", "sched_debug", "timer_list", "timer_stats")
_MASKED_FOLDERS = ("acpi", "asound", "scsi")


@dataclass(frozen=True)
class Plan:
    """What a box is made of. `mounts` are bwrap's own words, on top of what every box gets."""

    name: str
    root: Path
    mounts: tuple[str, ...] = ()
    groups: tuple[Path, ...] = ()
    """Control groups that everything in the box belongs to."""
    file_bytes: int = FILE_BYTES
    open_files: int = OPEN_FILES
    writable_root: bool = False
    network: bool = False
    uid: int = UID
    data: tuple[tuple[bytes, str], ...] = ()
    """Contents of files that are only there while the box is: bytes, place."""


def is_root() -> bool:
    return os.geteuid() == 0


def tools() -> None:
    """Raises SandboxUnavailable when a program that makes boxes is missing."""
    wanted = {"bwrap": "bubblewrap", "prlimit": "util-linux", **({"setpriv": "util-linux"} if is_root() else {})}
    for tool, package in wanted.items():
        if not shutil.which(tool):
            raise SandboxUnavailable(f"the program {tool} is missing: install it (Debian: apt-get install {package})")
    if not programs(os.uname().machine):
        raise SandboxUnavailable(f"no system call filter is known for {os.uname().machine}: use the Docker backend")


def tmpfs(place: str, size_bytes: int, mode: str = "1777") -> tuple[str, ...]:
    return ("--size", str(size_bytes), "--perms", mode, "--tmpfs", place)


def _options(plan: Plan) -> list[str]:
    uid = str(plan.uid)
    shared = [] if plan.network else ["--unshare-net"]
    masked = [word for name in _MASKED if Path("/proc", name).exists() for word in _hide(f"/proc/{name}")]
    for folder in _MASKED_FOLDERS:
        if Path("/proc", folder).is_dir():
            masked += [*tmpfs(f"/proc/{folder}", 4096, "0555"), "--remount-ro", f"/proc/{folder}"]
    return [
        *("--unshare-user", "--disable-userns", "--unshare-ipc", "--unshare-pid", "--unshare-uts"),
        *("--unshare-cgroup", *shared, "--uid", uid, "--gid", uid, "--hostname", "sandbox"),
        *("--die-with-parent", "--new-session", "--chdir", "/", "--unsetenv", MARK),
        *("--bind" if plan.writable_root else "--ro-bind", str(plan.root), "/"),
        *("--proc", "/proc", *masked),
        # bwrap's own /dev is a tmpfs without a limit, and belongs to the box.
        *("--dev", "/dev", *tmpfs("/dev/shm", _SHM_BYTES), "--remount-ro", "/dev"),  # noqa: S108 - in the box
        *plan.mounts,
    ]


def _hide(place: str) -> tuple[str, ...]:
    """A device that cannot be opened, since the mount forbids devices."""
    return ("--ro-bind", "/dev/null", place)


class Enclosure:
    """A running box. Its `with` ends it: afterwards no process of it is left."""

    def __init__(self, plan: Plan, argv: Sequence[str], env: Mapping[str, str]) -> None:
        self._plan, self._argv, self._env = plan, list(argv), dict(env)
        self._first: int | None = None
        """A handle on the first process in the box's own process namespace: all others die with it."""

    def __enter__(self) -> Self:
        filters = [_held(program) for program in programs(os.uname().machine)]
        contents = [(_held(data), place) for data, place in self._plan.data]
        told, telling = os.pipe()
        try:
            options = [word for number in filters for word in ("--add-seccomp-fd", str(number))]
            options += [word for number, place in contents for word in ("--ro-bind-data", str(number), place)]
            passed = [*filters, *(number for number, _ in contents), telling]
            self._process = self._started([*_options(self._plan), *options, "--info-fd", str(telling)], passed)
            os.close(telling)
            telling = -1
            self._first = _handle(_child(told), self._process.pid)
        except BaseException:
            if hasattr(self, "_process"):
                self._end()
            raise
        finally:
            for number in (*filters, *(number for number, _ in contents), told, telling):
                if number >= 0:
                    os.close(number)
        return self

    def _started(self, options: list[str], passed: list[int]) -> subprocess.Popen[bytes]:
        plan = self._plan
        procs = [str(group / "cgroup.procs") for group in plan.groups]
        limits = (f"--core={CORE_BYTES}", f"--fsize={plan.file_bytes}", f"--nofile={plan.open_files}")
        drop = ("setpriv", *_DROP, "--") if is_root() else ()
        argv = ["sh", "-c", _LAUNCH, "sh", *procs, "--", "prlimit", *limits, "--", *drop]
        try:
            return subprocess.Popen(
                [*argv, "bwrap", *options, "--", *self._argv],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd="/",
                env=self._environment(),
                pass_fds=passed,
                start_new_session=True,  # a terminal's Ctrl-C is for us, not for the box
            )
        except OSError as error:
            raise SandboxError(f"a box cannot be started: {error}") from error

    def _environment(self) -> dict[str, str]:
        path = os.environ.get("PATH", os.defpath)
        return {"PATH": path, **self._env, "REGREEN_OOM_SCORE": str(_OOM_SCORE), MARK: self._plan.name}

    def pipes(self, *, stdout: Callable[[bytes], None], stderr: Callable[[bytes], None]) -> Pipes:
        return Pipes(self._process, stdout=stdout, stderr=stderr)

    def runs(self) -> bool:
        return self._process.poll() is None

    def code(self) -> int:
        """Exit code of a box whose streams have ended."""
        try:
            code = self._process.wait(_END_S)
        except subprocess.TimeoutExpired as error:
            raise SandboxError("a box does not end although its streams have") from error
        return code if code >= 0 else 128 - code

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        self._process.kill()
        try:
            if self._first is not None:
                _finish(self._first)
        finally:
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream:
                    with contextlib.suppress(OSError):
                        stream.close()
            self._process.wait()


def _held(data: bytes) -> int:
    """A file of its own for each box: bwrap reads from where it stands."""
    number = os.memfd_create("regreen")
    with os.fdopen(os.dup(number), "wb") as file:
        file.write(data)
    os.lseek(number, 0, os.SEEK_SET)
    return number


def _child(told: int) -> int | None:
    """The number of the box's first process, from what bwrap says of it; None when bwrap ended instead."""
    said = b""
    while b"}" not in said:
        if not select.select([told], [], [], _START_S)[0]:
            raise SandboxError(f"bwrap made no box within {_START_S:.0f} s")
        data = os.read(told, 4096)
        if not data:
            return None
        said += data
    return int(json.loads(said)["child-pid"])


def _handle(pid: int | None, parent: int) -> int | None:
    """A handle that stays true when the number is used again."""
    if pid is None:
        return None
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return None
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        fields = []
    if len(fields) > 1 and fields[1] == str(parent):
        return handle
    os.close(handle)
    return None


def _finish(handle: int) -> None:
    """Kill the first process, and with it all others; the kernel lets it go only when they are gone."""
    try:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        if not select.select([handle], [], [], _END_S)[0]:
            raise SandboxError("the processes of a box do not end")
    finally:
        os.close(handle)


def writable(places: Mapping[str, Path]) -> tuple[str, ...]:
    return tuple(word for place, host in places.items() for word in ("--bind", str(host), place))


def readable(places: Mapping[str, Path]) -> tuple[str, ...]:
    return tuple(word for place, host in places.items() for word in ("--ro-bind", str(host), place))


def give(tree: Path, uid: int) -> None:
    """Make `tree` and all in it the property of `uid`, where we may; links are not followed."""
    if is_root():
        for one in _all(tree):
            os.chown(one, uid, uid, follow_symlinks=False)


def _all(tree: Path) -> Iterable[str]:
    yield str(tree)
    for folder, folders, files in os.walk(tree):
        yield from (f"{folder}/{name}" for name in (*folders, *files))
