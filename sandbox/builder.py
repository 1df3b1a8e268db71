"""One builder container: files in, steps with network, one image out."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

from sandbox import WORK, BuildFailed, File, Files, SandboxError, fence
from sandbox.archive import plain_tar
from sandbox.disk import FILE_BYTES, Allowance
from sandbox.egress import CA_PATH, Egress
from sandbox.stream import Clipped, Demultiplexer, Wire

Api: TypeAlias = Any
"""docker.APIClient, which has no types."""

UID = 10001
HOME = "/tmp/home"  # noqa: S108 - inside the builder
DEADLINE_S = 3600
_CLEANING_S = 300
_LOG_BYTES = 16 * 1024
_CAPS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETUID"]
_SEARCHED = ("/etc", "/home", "/opt", "/root", "/srv", "/usr/local", "/var")

TOOL_ENV = {
    "PATH": "/opt/venv/bin:/opt/regreen/tools/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_INPUT": "1",
    "PIP_NO_CACHE_DIR": "1",
    "UV_CACHE_DIR": "/tmp/uv",  # noqa: S108 - on the same file system as the environment, so uv can link
    "UV_COMPILE_BYTECODE": "1",  # at run time nothing can be written, so every run would compile anew
    "UV_PYTHON_DOWNLOADS": "never",
    "UV_NO_PROGRESS": "1",
}

# The command waits for a line: nothing is said before we listen, so no byte is lost in the HTTP client.
_WAIT_FOR_US = ["sh", "-c", 'read -r go; exec "$@" </dev/null', "sh"]

# /sbx goes as a whole: a tmpfs mounted on a folder of the image would take that folder's owner and mode.
_CLEAN = """
rm -rf /sbx /tmp/* /tmp/.[!.]* /var/tmp/* /run/* /root/.cache /var/cache/apt/archives/*.deb
"""


class Builder:
    """A container made from `base`, with network and root's file rights only; gone at the end of its `with`."""

    def __init__(
        self,
        api: Api,
        base: str,
        *,
        labels: Mapping[str, str],
        network: str,
        egress: Egress,
        runtime: str | None = None,
        network_is_ours: bool = True,
    ) -> None:
        """`network_is_ours`: False for a network that the operator has named, with whatever lives in it."""
        self._api, self._base, self._egress = api, base, egress
        self._labels, self._network, self._runtime = dict(labels), network, runtime
        self._network_is_ours = network_is_ours
        self._disk = Allowance(self._written, Path(api.info().get("DockerRootDir") or "/nonexistent"))
        self._late = time.monotonic() + DEADLINE_S
        self._id = ""
        self.notes: list[str] = []
        """What is less than well with this builder, for those who read of its image."""

    def __enter__(self) -> Self:
        made = self._api.create_container(
            self._base,
            command=["sleep", str(DEADLINE_S)],
            entrypoint=[],
            user="0:0",
            working_dir="/",
            hostname="sandbox",
            environment={},  # what stands here would stay in the image
            healthcheck={"test": ["NONE"]},
            labels=self._labels,
            host_config=self._host_config(),
        )
        self._id = made["Id"]
        try:
            self._api.start(self._id)
            if self._network != "host":
                self._put_up_fence()
            self._put_ca()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def _put_up_fence(self) -> None:
        """In a network of ours it stands, or nothing is built; the operator's own network is the operator's."""
        words = [*([] if self._network_is_ours else ["open"]), *fence.allowed(self._egress)]
        lines = fence.put_up(self._api, self._id, self._base, words, self._labels)
        if self._network_is_ours and any(fence.STAY_OPEN in line for line in lines):
            raise BuildFailed("shut private addresses", "\n".join([*lines, fence.REMEDY]))
        self.notes += lines

    def put(self, files: Files) -> None:
        """Lay out `files` in WORK, owned by the sandbox user."""
        self._put(plain_tar(files, below=WORK.strip("/"), uid=UID))

    def run(self, name: str, argv: tuple[str, ...], *, root: bool = False) -> None:
        """Run one step in WORK. Raises BuildFailed with the tail of what it printed."""
        code, log = self._exec(argv, root=root)
        if code != 0:
            raise BuildFailed(name, self._egress.redacted(log.decode("utf-8", "replace")))

    def commit(self, repository: str, tag: str, labels: Mapping[str, str]) -> str:
        """Clean up and make the image; its id. Raises BuildFailed when a credential would go along."""
        self._stop_everything()
        if reason := self._disk.exceeded_now():
            raise BuildFailed("keep what was built", reason)
        self._refuse_secrets()
        self._late = max(self._late, time.monotonic() + _CLEANING_S)
        self.run("clean up", ("sh", "-c", _CLEAN), root=True)
        changes = [f"USER {UID}:{UID}", "ENTRYPOINT []", 'CMD ["python3"]', "WORKDIR /", "HEALTHCHECK NONE"]
        changes += [f'LABEL "{key}"="{value}"' for key, value in labels.items()]
        made = self._api.commit(self._id, repository=repository, tag=tag, changes=changes)
        return str(made["Id"])

    def _exec(self, argv: tuple[str, ...], *, root: bool) -> tuple[int, bytes]:
        env = {**self._egress.env, "HOME": "/root" if root else HOME, **TOOL_ENV}
        made = self._api.exec_create(
            self._id,
            [*_WAIT_FOR_US, *argv],
            stdin=True,
            user="0:0" if root else f"{UID}:{UID}",
            workdir=WORK,
            environment=env,
        )
        log = Clipped(_LOG_BYTES // 4, _LOG_BYTES)
        frames = Demultiplexer(stdout=log.add, stderr=log.add)
        wire = Wire(self._api.exec_start(made["Id"], socket=True), frames.feed)
        try:
            late = wire.converse(iter([b"go\n"]), self._too_much)
        finally:
            wire.close()
        if late:
            return 124, log.value() + f"\n[stopped: {late}]\n".encode()
        return self._exit_code(made["Id"]), log.value()

    def _exit_code(self, exec_id: str) -> int:
        for _ in range(100):
            code = self._api.exec_inspect(exec_id)["ExitCode"]
            if code is not None:
                return int(code)
            time.sleep(0.05)  # the stream's end can be ahead of the engine's books
        raise SandboxError("the engine does not say how a build step ended")

    def _too_much(self) -> str | None:
        if time.monotonic() > self._late:
            return f"the build took more than {DEADLINE_S} s"
        return self._disk.exceeded()

    def _written(self) -> int:
        """Bytes in the builder's own layer, as the engine counts them."""
        found = self._api.containers(all=True, size=True, filters={"id": self._id})
        return int(found[0].get("SizeRw") or 0) if found else 0

    def _stop_everything(self) -> None:
        """What a step left running may change nothing from here on."""
        with contextlib.suppress(BuildFailed):  # it kills itself as well
            self.run("stop what is left", ("sh", "-c", "kill -9 -1"))

    def _refuse_secrets(self) -> None:
        if not self._egress.secrets:
            return
        self._put(_root_file("sbx/secrets", "\n".join(self._egress.secrets).encode()))
        search = 'grep -rlF -f /sbx/secrets "$@" 2>/dev/null | head -20 | grep . && exit 1; exit 0'
        code, log = self._exec(("sh", "-c", search, "sh", *_SEARCHED), root=True)
        if code != 0:
            raise BuildFailed(
                "look for credentials",
                f"a step wrote an index or proxy credential into: {log.decode('utf-8', 'replace')}",
            )

    def _put_ca(self) -> None:
        self._put(plain_tar({}, below=WORK.strip("/"), uid=UID))
        if self._egress.ca is not None:
            self._put(_root_file(CA_PATH.strip("/"), self._egress.ca))

    def _put(self, tar: bytes) -> None:
        if not self._api.put_archive(self._id, "/", tar):
            raise SandboxError("the engine took no files for a build")

    def _host_config(self) -> dict[str, object]:
        config: dict[str, object] = self._api.create_host_config(
            network_mode=self._network,
            cap_drop=["ALL"],
            cap_add=_CAPS,
            security_opt=["no-new-privileges:true"],
            init=True,
            ipc_mode="private",
            mem_limit="4g",
            memswap_limit="4g",
            pids_limit=1024,
            oom_score_adj=500,
            ulimits=[
                {"Name": "core", "Soft": 1, "Hard": 1},
                {"Name": "nofile", "Soft": 4096, "Hard": 4096},
                {"Name": "fsize", "Soft": FILE_BYTES, "Hard": FILE_BYTES},
            ],
            log_config={"Type": "none", "Config": {}},
            runtime=self._runtime,
        )
        return config

    def _remove(self) -> None:
        self._api.remove_container(self._id, force=True, v=True)


def _root_file(path: str, data: bytes) -> bytes:
    folder, _, name = path.rpartition("/")
    return plain_tar({name: File(data)}, below=folder, uid=0)
