"""Where the steps of an image build run without an engine: in namespaces, with this machine's network."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from sandbox import WORK, BuildFailed, Files, Limits, cgroups
from sandbox.archive import lay_out
from sandbox.builder import DEADLINE_S, HOME, TOOL_ENV, UID
from sandbox.cgroups import Groups
from sandbox.disk import FILE_BYTES, Allowance, used
from sandbox.egress import CA_PATH, Egress
from sandbox.namespaces import Enclosure, Plan, give, readable, writable
from sandbox.stream import Clipped
from sandbox.traces import Traces, new_name

_LOG_BYTES = 16 * 1024
_LIMITS = Limits(memory_mb=4096, pids=1024, cpus=64)
_FROM_HOST = ("/etc/hosts", "/etc/resolv.conf")


class Workshop:
    """A root file system, the folders of it that may be written to, and a bench for what is thrown away."""

    def __init__(
        self, root: Path, bench: Path, *, folders: Mapping[str, Path], egress: Egress, groups: Groups, traces: Traces
    ) -> None:
        """`bench` is a new folder. Without `folders`, the whole root can be written to, by its own root."""
        self._root, self._bench, self._folders = root, bench, dict(folders)
        self._egress, self._groups, self._traces = egress, groups, traces
        self._late = time.monotonic() + DEADLINE_S
        written = [bench, *(self._folders.values() or [root])]
        self._disk = Allowance(lambda: used(written), bench)
        for name in ("sbx/w", "tmp", "var"):
            (bench / name).mkdir(parents=True)
        for folder in (bench, *self._folders.values()):
            give(folder, UID)

    def put(self, files: Files) -> None:
        """Lay out `files` in WORK. To be called before the first step."""
        work = self._bench / WORK.strip("/")
        lay_out(files, work)
        give(work, UID)

    def run(self, name: str, argv: tuple[str, ...], *, root: bool = False) -> None:
        """Run one step in WORK; nothing that it starts goes on after it. Raises BuildFailed with its last words."""
        code, log = self._run(argv, root=root)
        if code != 0:
            raise BuildFailed(name, self._egress.redacted(log.decode("utf-8", "replace")))
        if reason := self._disk.exceeded_now():  # it was quicker than we look
            raise BuildFailed(name, reason)

    def _run(self, argv: tuple[str, ...], *, root: bool) -> tuple[int, bytes]:
        log, box = Clipped(_LOG_BYTES // 4, _LOG_BYTES), new_name()
        folders = self._groups.folders(box)
        # uv cannot link between two mounts, and says so at length.
        env = {**self._egress.env, "HOME": "/root" if root else HOME, **TOOL_ENV, "UV_LINK_MODE": "copy"}
        with self._traces.kept(box, DEADLINE_S + 300, groups=folders.values()):
            cgroups.make(folders, self._groups.version, _LIMITS)
            groups = tuple(set(folders.values()))
            in_work = ("sh", "-c", f'cd {WORK}; exec "$@" < /dev/null', "sh", *argv)
            with Enclosure(self._plan(box, groups, root=root), in_work, env) as enclosure:
                pipes = enclosure.pipes(stdout=log.add, stderr=log.add)
                late = pipes.converse(iter([]), self._too_much)
                if late:
                    return 124, log.value() + f"\n[stopped: {late}]\n".encode()
                return enclosure.code(), log.value()

    def _plan(self, name: str, groups: tuple[Path, ...], *, root: bool) -> Plan:
        bench = {"/sbx": self._bench / "sbx", "/tmp": self._bench / "tmp", "/var/tmp": self._bench / "var"}  # noqa: S108
        host = {place: Path(place) for place in _FROM_HOST if Path(place).exists()}
        return Plan(
            name,
            root=self._root,
            mounts=(*writable({**bench, **self._folders}), *readable(host)),
            groups=groups,
            file_bytes=FILE_BYTES,
            writable_root=not self._folders,
            network=True,
            uid=0 if root else UID,
            data=((self._egress.ca, CA_PATH),) if self._egress.ca is not None else (),
        )

    def _too_much(self) -> str | None:
        if time.monotonic() > self._late:
            return f"the build took more than {DEADLINE_S} s"
        return self._disk.exceeded()
