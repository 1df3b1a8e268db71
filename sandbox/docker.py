"""The default backend: every run in a fresh, locked container of a Docker engine."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    boot,
    box,
    engines,
    lastuse,
)
from sandbox.ahead import Ahead
from sandbox.boxes import Boxes
from sandbox.builder import Api
from sandbox.guarantees import Guarantees
from sandbox.images import Images
from sandbox.owner import Claim
from sandbox.seal import Seal
from sandbox.session import BoxSession
from sandbox.stream import Demultiplexer, Streams, Wire

_CALL_S = 60
_BUILD_CALL_S = 900
"""A large layer is long in the making, and the engine says nothing meanwhile."""
_SIGKILLED = 137
_VERSIONS: dict[str, str] = {}
"""Address of an engine -> version of its interface: asked once, since every client would ask for it anew."""


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
        self._known_volumes: dict[str, tuple[str, ...]] = {}
        self._removals = Removals()
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

    def session(self, image: Image, *, runs: int = 0) -> BoxSession:
        ahead = Ahead(self._opened, runs)
        return BoxSession(Boxes(ahead.take, _words, sealed=True), image, closed=(ahead.close, self.settle))

    def verify_fresh(self, image: Image, command: Command, limits: Limits) -> Ran:
        return Boxes(self._opened, _words, sealed=True).run(image, command, limits)

    def settle(self) -> None:
        """Wait until the boxes of runs that are over have been removed. Raises SandboxError when one stays."""
        self._removals.settle()

    def reap(self) -> int:
        self.settle()
        with engine() as api, translated():
            found = api.containers(all=True, filters={"label": self._claim.filter})
            orphans = [one["Id"] for one in found if self._claim.is_orphan(one.get("Labels") or {})]
            return sum(_remove(api, orphan) for orphan in orphans)

    def probe(self) -> Guarantees:
        """What the engine enforces, in its own words; tests/test_sandbox_hardening.py tries them."""
        with engine() as api, translated():
            network = self._images.build_network(api, _silent)
            return engines.guarantees(api.version(), api.info(), runtime=self._runtime, build_network=network)

    def _opened(self, image: Image, limits: Limits) -> _Container:
        """A new container whose first program waits for files. Nothing of it is left when this raises."""
        with engine() as api:
            container = self._create(api, image, limits)
            try:
                return _Container(container, _attached(api, container), self._removals)
            except BaseException:
                self._removals.begin(container)
                raise

    def _create(self, api: Api, image: Image, limits: Limits) -> str:
        with translated():
            if self._podman is None:
                self._podman = engines.is_podman(api.version())
            shut = box.lockdown(limits, self._volumes(api, image.id), inodes=not self._podman)
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

    def _volumes(self, api: Api, image_id: str) -> tuple[str, ...]:
        """Asked once: what an id names does not change."""
        if image_id not in self._known_volumes:
            found = api.inspect_image(image_id)["Config"].get("Volumes") or {}
            self._known_volumes[image_id] = tuple(found)
        return self._known_volumes[image_id]


class _Container:
    """A box of this backend: a started container, and the connection to its first program."""

    def __init__(self, container: str, attached: object, removals: Removals) -> None:
        self._container, self._attached, self._removals = container, attached, removals
        self._wire: Wire | None = None
        self._closed = False
        self._seals: tuple[Seal, ...] = ()

    def waits(self) -> bool:
        """Until it gets files it has nothing to say; what it does say then is its end."""
        connection: Any = getattr(self._attached, "_sock", self._attached)
        return not self._closed and not select.select([connection], [], [], 0)[0]

    def connect(self, streams: Streams, word: str) -> Wire:
        out, err = streams.stdout, streams.stderr
        if word:
            self._seals = Seal(word, streams.stdout), Seal(word, streams.stderr)
            out, err = self._seals[0].feed, self._seals[1].feed
        self._wire = Wire(self._attached, Demultiplexer(stdout=out, stderr=err).feed, self._sealed)
        return self._wire

    def _sealed(self) -> bool:
        """True when the last word has come on both streams."""
        return bool(self._seals) and all(seal.code is not None for seal in self._seals)

    def end(self) -> tuple[int, bool]:
        if self._sealed():
            code = self._seals[0].code or 0
            return code, code == boot.KILLED
        for seal in self._seals:
            seal.flush()
        with engine() as api:
            return _end(api, self._container)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        (self._wire or Wire(self._attached, _ignored)).close()
        self._removals.begin(self._container)


class Removals:
    """Removes containers while their runs' results are already in use; `settle` waits for all of them."""

    def __init__(self) -> None:
        self._running: list[_Removal] = []
        self._lock = threading.Lock()

    def begin(self, container: str) -> None:
        removal = _Removal(container)
        with self._lock:
            self._running = [one for one in self._running if one.is_alive() or one.error] + [removal]
        removal.start()

    def settle(self) -> None:
        """Raises SandboxError when a container could not be removed: `reap` will find it again."""
        with self._lock:
            running, self._running = self._running, []
        for removal in running:
            removal.join()
        for removal in running:
            if removal.error:
                raise removal.error


class _Removal(threading.Thread):
    """Not a daemon: the interpreter waits for it at its end."""

    def __init__(self, container: str) -> None:
        super().__init__(name="regreen-removal")
        self._container = container
        self.error: SandboxError | None = None

    def run(self) -> None:
        try:
            with engine() as api, translated():
                _remove(api, self._container)
        except SandboxError as error:
            self.error = error


def _words(limits: Limits) -> tuple[tuple[str, str], ...]:
    del limits  # all of them are the engine's
    return box.FILTERS


@contextlib.contextmanager
def engine(call_s: float = _CALL_S) -> Iterator[Api]:
    """A client of its own for each call: docker-py's is not made for threads."""
    with translated():
        settings = kwargs_from_env()
        address = settings.setdefault("base_url", _local_socket())
        _knock(address)
        api = APIClient(version=_VERSIONS.get(address, "auto"), timeout=call_s, **settings)
        _VERSIONS[address] = api.api_version
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
def _attached(api: Api, container: str) -> object:
    """The connection to a container that is started now."""
    attached: object = api.attach_socket(container, params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
    try:
        api.start(container)
    except BaseException:
        Wire(attached, _ignored).close()
        raise
    return attached


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


def _ignored(data: bytes) -> None:
    del data


def _silent(line: str) -> None:
    del line
