"""The default backend: every run in a fresh, locked container of a Docker engine."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from docker import APIClient
from docker.errors import APIError, DockerException, ImageNotFound, NotFound, StreamParseError
from docker.utils import kwargs_from_env
from requests.exceptions import ChunkedEncodingError, ReadTimeout, RequestException
from urllib3.exceptions import HTTPError, ProxySchemeUnsupported

from sandbox import (
    Command,
    Image,
    Limits,
    Progress,
    Ran,
    Recipe,
    SandboxError,
    SandboxUnavailable,
    Stopped,
    boot,
    box,
    engines,
    lastuse,
)
from sandbox.builder import Api
from sandbox.duplex import Duplex
from sandbox.guarantees import Guarantees
from sandbox.images import Images
from sandbox.owner import Claim
from sandbox.session import BoxSession
from sandbox.stream import Demultiplexer, Streams, Wire

_CALL_S = 60
_BUILD_CALL_S = 900
"""A large layer is long in the making, and the engine says nothing meanwhile."""
_SIGKILLED = 137


class DockerSandbox:
    """Boxes and images of one Docker engine. Safe to use from several threads."""

    def __init__(
        self,
        owner: str = "regreen",
        runtime: str | None = None,
        *,
        base_image: str | None = None,
        build_network: str | None = None,
    ) -> None:
        """`runtime` names a runtime of the engine, such as runsc. `base_image` and `build_network` default to
        REGREEN_BASE_IMAGE and REGREEN_BUILD_NETWORK, then to what this machine offers."""
        self.owner = owner
        self._claim, self._runtime = Claim(owner), runtime
        self._podman: bool | None = None
        self._images = Images(
            self._claim,
            base_image=base_image or os.environ.get("REGREEN_BASE_IMAGE") or None,
            network=build_network or os.environ.get("REGREEN_BUILD_NETWORK") or None,
            runtime=runtime,
        )

    @property
    def name(self) -> str:
        return f"docker ({self._runtime})" if self._runtime else "docker"

    def prepare(self, recipe: Recipe, *, progress: Progress | None = None) -> Image:
        with engine(_BUILD_CALL_S) as api, translated():
            return self._images.prepare(api, recipe, progress or _silent)

    def session(self, image: Image) -> BoxSession:
        return BoxSession(self, image)

    def verify_fresh(self, image: Image, command: Command, limits: Limits) -> Ran:
        return self.run(image, command, limits)

    def reap(self) -> int:
        with engine() as api, translated():
            found = api.containers(all=True, filters={"label": self._claim.filter})
            orphans = [one["Id"] for one in found if self._claim.is_orphan(one.get("Labels") or {})]
            return sum(_remove(api, orphan) for orphan in orphans)

    def probe(self) -> Guarantees:
        """What the engine enforces, in its own words; tests/test_sandbox_hardening.py tries them."""
        with engine() as api, translated():
            network = self._images.build_network(api, _silent)
            return engines.guarantees(api.version(), api.info(), runtime=self._runtime, build_network=network)

    def run(
        self,
        image: Image,
        command: Command,
        limits: Limits,
        *,
        on_report: Callable[[bytes], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Ran:
        """One command in one new container, which is gone when this returns or raises."""
        files = box.incoming(command, limits)
        streams = Streams(limits, boot.READY, on_report)
        with engine() as api, self._container(api, image, limits) as container:
            wire = _attach(api, container, streams)
            try:
                _start(api, container)
                stopped = wire.converse(files, box.Patience(streams, limits, cancelled))
            finally:
                wire.close()
            code, out_of_memory = (None, False) if stopped else _end(api, container)
            if out_of_memory and streams.ready_at:
                stopped = "memory"
        return box.ran(streams, stopped, code)

    @contextlib.contextmanager
    def duplex(
        self, image: Image, command: Command, limits: Limits, on_report: Callable[[bytes], None]
    ) -> Iterator[Duplex]:
        """One command with a standard input in one new container, which is gone at the end of the context."""
        files = box.incoming(command, limits, stdin=True)
        streams = Streams(limits, boot.READY, on_report, keep_report=False)
        with engine() as api, self._container(api, image, limits) as container:
            wire = _attach(api, container, streams)
            try:
                _start(api, container)
                yield Duplex(wire, streams, files)
            finally:
                wire.close()

    @contextlib.contextmanager
    def _container(self, api: Api, image: Image, limits: Limits) -> Iterator[str]:
        """A created, not yet started container; removed, running or not, at the end."""
        container = self._create(api, image, limits)
        try:
            yield container
        finally:
            with translated():
                _remove(api, container)

    def _create(self, api: Api, image: Image, limits: Limits) -> str:
        with translated():
            if self._podman is None:
                self._podman = engines.is_podman(api.version())
            volumes = api.inspect_image(image.id)["Config"].get("Volumes") or {}
            shut = box.lockdown(limits, volumes, inodes=not self._podman)
            lastuse.mark(image.id)
            made = api.create_container(
                image.id,
                command=list(box.START),
                entrypoint=[],
                user=box.USER,
                working_dir="/",  # the engine makes the working directory: a tmpfs there would be root's
                hostname="sandbox",
                environment={"PATH": box.ENV["PATH"], "LANG": box.ENV["LANG"]},
                stdin_open=True,
                healthcheck={"test": ["NONE"]},
                labels=self._claim.labels(box.START_S + limits.timeout_s + box.BACKSTOP_S),
                host_config=api.create_host_config(**shut, runtime=self._runtime),
            )
            return str(made["Id"])


@contextlib.contextmanager
def engine(call_s: float = _CALL_S) -> Iterator[Api]:
    """A client of its own for each call: docker-py's is not made for threads."""
    with translated():
        settings = kwargs_from_env()
        address = settings.setdefault("base_url", _local_socket())
        _knock(address)
        api = APIClient(version="auto", timeout=call_s, **settings)
    try:
        yield api
    finally:
        api.close()


def _local_socket() -> str:
    """The engine of this machine; a rootless one where there is no other."""
    rootless = Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent"), "docker.sock")
    usual = Path("/var/run/docker.sock")
    return f"unix://{rootless if rootless.exists() and not usual.exists() else usual}"


def _knock(address: str) -> None:
    """See that somebody listens. The client would say it too, but it leaks the socket that did not connect."""
    if not address.startswith("unix://"):
        return
    try:
        with socket.socket(socket.AF_UNIX) as visitor:
            visitor.connect(address.removeprefix("unix://"))
    except OSError as error:
        raise SandboxUnavailable(_remedy(str(error))) from error


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """The border: what the engine's client raises becomes a SandboxError that says what to do."""
    try:
        yield
    except ImageNotFound as error:
        raise SandboxError(f"an image is gone from the engine, prepare it again: {error.explanation}") from error
    except APIError as error:
        if "invalid reference format" in str(error.explanation):  # the id of another backend's image
            raise SandboxError(f"not an image of this engine, prepare it again: {error.explanation}") from error
        raise SandboxError(f"Docker engine: {error.explanation or error}") from error
    except (ReadTimeout, ChunkedEncodingError, StreamParseError) as error:
        raise SandboxError(f"the Docker engine does not answer in time, or in pieces: {error}") from error
    except (DockerException, RequestException, HTTPError, ProxySchemeUnsupported) as error:
        raise SandboxUnavailable(_remedy(str(error))) from error


def _remedy(cause: str) -> str:
    if "Permission denied" in cause:
        return (
            "no permission to talk to the Docker engine: add this user to the group `docker` "
            "(sudo usermod -aG docker $USER, then log in again), or set DOCKER_HOST to a rootless engine"
        )
    return (
        f"no Docker engine answers ({cause[:300]}): start it, or run scripts/engine.sh; "
        "DOCKER_HOST says where another one listens"
    )


@translated()
def _attach(api: Api, container: str, streams: Streams) -> Wire[Stopped]:
    attached = api.attach_socket(container, params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
    return Wire(attached, Demultiplexer(stdout=streams.stdout, stderr=streams.stderr).feed)


@translated()
def _start(api: Api, container: str) -> None:
    api.start(container)


@translated()
def _end(api: Api, container: str) -> tuple[int, bool]:
    """Exit code of a box that ended by itself, and whether the kernel killed something in it for memory."""
    code = int(api.wait(container, timeout=_CALL_S)["StatusCode"])
    state = api.inspect_container(container)["State"]
    # The engine's OOM mark is set by an event and can come late; a SIGKILL that is not ours says the same.
    return code, bool(state.get("OOMKilled")) or code == _SIGKILLED


def _remove(api: Api, container: str) -> bool:
    """Kill and remove. False when it was gone already."""
    for attempt in range(5):
        try:
            api.remove_container(container, force=True, v=True)
        except NotFound:
            return attempt > 0
        except APIError as error:
            if attempt == 4 or error.status_code not in (409, 500):
                raise
            time.sleep(0.2 * (attempt + 1))  # its removal is in progress, or the kill raced its end
        else:
            return True
    return False


def _silent(line: str) -> None:
    del line
