"""Looks for planted secrets, in every usual spelling, wherever a run leaves something: independent of our redaction."""

from __future__ import annotations

import base64
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, quote_plus

import docker

_SHORTEST = 8


def spellings(secret: str) -> set[bytes]:
    """The secret as it is, URL-encoded, in hex, and as base64 leaves it at each of three offsets in a longer text."""
    data = secret.encode()
    texts = {secret, quote(secret, safe=""), quote_plus(secret)}
    texts |= {data.hex(), data.hex().upper(), secret[::-1]}
    for before in range(3):
        whole = base64.b64encode(b"?" * before + data).decode().rstrip("=")
        # What the neighbours have a part in is left off: up to four characters in front, up to two behind.
        inner = whole[4 if before else 0 : -2]
        texts |= {inner, inner.replace("+", "-").replace("/", "_")}
    return {text.encode() for text in texts if len(text) >= _SHORTEST}


@dataclass
class Secrets:
    """Planted secrets by their names; `found_in` says which of them stand in a text."""

    planted: dict[str, str] = field(default_factory=dict)

    def found_in(self, data: bytes) -> list[str]:
        return [name for name, needles in self._needles().items() if any(needle in data for needle in needles)]

    def _needles(self) -> dict[str, set[bytes]]:
        if len(self._cache) != len(self.planted):
            self._cache = {name: spellings(value) for name, value in self.planted.items()}
        return self._cache

    _cache: dict[str, set[bytes]] = field(default_factory=dict)


class Watch:
    """While it is open, looks at all processes and at our containers, several times a second.

    `arguments` and `containers` hold whatever has a secret in it, `environments` the programs that have one in their
    environment; `boxes` counts the containers that were seen.
    """

    def __init__(self, secrets: Secrets) -> None:
        self.secrets = secrets
        self.arguments: set[bytes] = set()
        self.environments: set[bytes] = set()
        self.containers: set[str] = set()
        self.boxes: set[str] = set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look_on, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look_on(self) -> None:
        engine = docker.from_env()
        try:
            while not self._stop.wait(0.15):
                self._look_at_processes()
                self._look_at_containers(engine)
        finally:
            engine.close()

    def _look_at_processes(self) -> None:
        for process in Path("/proc").glob("[0-9]*"):
            command = _read(process / "cmdline")
            if self.secrets.found_in(command):
                self.arguments.add(command)
            if command and self.secrets.found_in(_read(process / "environ")):
                self.environments.add(command)

    def _look_at_containers(self, engine: docker.DockerClient) -> None:
        for each in engine.api.containers(all=True, filters={"label": "regreen.box.owner"}):
            if each["Id"] not in self.boxes:
                with contextlib.suppress(docker.errors.NotFound):  # it may be gone already
                    about = str(engine.api.inspect_container(each["Id"]))
                    self.boxes.add(each["Id"])
                    if self.secrets.found_in(about.encode()):
                        self.containers.add(about)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder: logs, databases with what was deleted from them, records, repositories."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield str(path), path.read_bytes()
