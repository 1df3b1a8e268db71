"""The backend without a daemon: every run in fresh Linux namespaces, made by bwrap."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from sandbox import (
    Command,
    Image,
    Limits,
    Progress,
    Ran,
    Recipe,
    SandboxUnavailable,
    boot,
    box,
    cgroups,
    namespaces,
)
from sandbox.ahead import Ahead
from sandbox.boxes import Boxes, Line
from sandbox.builder import UID
from sandbox.guarantees import Guarantees
from sandbox.namespaces import Enclosure, Plan, readable, tmpfs
from sandbox.owner import Claim
from sandbox.roots import Layers, Roots
from sandbox.session import BoxSession
from sandbox.stream import Streams
from sandbox.traces import Traces, new_name
from sandbox.trial import guarantees, try_out

_START_ENV = {name: box.ENV[name] for name in ("PATH", "LANG")}


class BubblewrapSandbox:
    """Boxes and images of this machine, without an engine. Safe to use from several threads.

    As root, each box runs as an unprivileged user; else as the user that we are. What it cannot enforce is
    said by `probe`; where it could not even shut the box, it raises SandboxUnavailable instead.
    """

    name = "bubblewrap"

    def __init__(self, owner: str = "regreen", *, base_image: str | None = None, state: Path | None = None) -> None:
        """`base_image` is a tar of a root file system, REGREEN_BASE_IMAGE by default; without one, a base is
        made from Debian packages. `state` is the folder for images and for what boxes leave behind."""
        self.owner = owner
        self._state = state or usual_state()
        self._groups = cgroups.find()
        self._traces = Traces(self._state / "boxes", Claim(owner))
        base = base_image or os.environ.get("REGREEN_BASE_IMAGE") or None
        self._roots = Roots(self._state, self._traces, self._groups, base=base)
        self._sound = False
        self._lock = threading.Lock()

    def prepare(self, recipe: Recipe, *, progress: Progress | None = None) -> Image:
        self._make_sure()
        return self._roots.prepare(recipe, progress or (lambda line: None))

    def session(self, image: Image, *, runs: int = 0) -> BoxSession:
        ahead = Ahead(self._opened, runs)
        return BoxSession(Boxes(ahead.take, self._words, sealed=False), image, closed=(ahead.close,))

    def verify_fresh(self, image: Image, command: Command, limits: Limits) -> Ran:
        return Boxes(self._opened, self._words, sealed=False).run(image, command, limits)

    def reap(self) -> int:
        return self._traces.reap()

    def probe(self) -> Guarantees:
        """What boxes on this machine are shut against, found out in one of them. Raises SandboxUnavailable."""
        self._make_sure()
        return guarantees(self._groups)

    def _opened(self, image: Image, limits: Limits) -> _Namespaces:
        """A new box whose first program waits for files. Nothing of it is left when this raises."""
        self._make_sure()
        name = new_name()
        with contextlib.ExitStack() as stack:
            folders = stack.enter_context(self._group(name, limits))
            enclosure = stack.enter_context(self._enclosure(name, image, limits, folders))
            return _Namespaces(enclosure, folders, stack.pop_all())

    def _enclosure(self, name: str, image: Image, limits: Limits, folders: dict[str, Path]) -> Enclosure:
        plan = _plan(name, self._roots.layers(image.id), limits, folders, self._groups.version)
        return Enclosure(plan, box.START, _START_ENV)

    @contextlib.contextmanager
    def _group(self, name: str, limits: Limits) -> Iterator[dict[str, Path]]:
        """The control group of one box; empty and removed at the end."""
        folders = self._groups.folders(name)
        seconds = box.START_S + limits.timeout_s + box.BACKSTOP_S
        with self._traces.kept(name, seconds, groups=folders.values()):
            cgroups.make(folders, self._groups.version, limits)
            yield folders

    def _words(self, limits: Limits) -> list[tuple[str, str]]:
        """What holds each process, where no control group holds all of them. bwrap sets the filters itself."""
        words = [] if "pids" in self._groups.parents else [("limit NPROC", str(limits.pids))]
        return words if "memory" in self._groups.parents else [*words, ("limit AS", str(limits.memory_mb << 20))]

    def _make_sure(self) -> None:
        """Once per process: the state folder is there, and a box can be made and is shut."""
        with self._lock:
            if not self._sound:
                namespaces.tools()
                _make_state(self._state)
                try_out(self._groups, self._traces)
                self._sound = True


class _Namespaces:
    """A box of this backend: a running bwrap, and what is to be cleared away after it."""

    def __init__(self, enclosure: Enclosure, folders: dict[str, Path], stack: contextlib.ExitStack) -> None:
        self._enclosure, self._folders, self._stack = enclosure, folders, stack

    def waits(self) -> bool:
        return self._enclosure.runs()

    def connect(self, streams: Streams, word: str) -> Line:
        del word  # bwrap itself says how its box ended, as soon as it has
        return self._enclosure.pipes(stdout=streams.stdout, stderr=streams.stderr)

    def end(self) -> tuple[int, bool]:
        code = self._enclosure.code()
        return code, code == boot.KILLED or cgroups.memory_kills(self._folders.values()) > 0

    def close(self) -> None:
        self._stack.close()


def usual_state() -> Path:
    """A place that the boxes' own user can reach: root's home is shut to it."""
    if namespaces.is_root():
        return Path("/var/lib/regreen/bubblewrap")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share", "regreen", "bubblewrap")


def _make_state(state: Path) -> None:
    """Its images are nobody's business but ours and the boxes'. Raises SandboxUnavailable."""
    try:
        for folder in (state, state / "images", state / "boxes"):
            folder.mkdir(parents=True, exist_ok=True)
        if namespaces.is_root():
            os.chown(state, 0, UID)
            state.chmod(0o710)
            for folder in (state / "images", state / "boxes"):
                folder.chmod(0o711 if folder.name == "images" else 0o700)
    except OSError as error:
        raise SandboxUnavailable(f"no place for images: {error}") from error
    shut = [
        folder for folder in state.resolve().parents if namespaces.is_root() and not folder.stat().st_mode & 0o001
    ]
    if shut:
        raise SandboxUnavailable(f"boxes cannot reach their images: {shut[0]} is shut to other users than its owner")


def _plan(name: str, layers: Layers, limits: Limits, folders: dict[str, Path], version: str) -> Plan:
    watched = {}
    if "memory" in folders:  # so that boot.py sees what the kernel kills in its box
        watched["/sys/fs/cgroup" + ("/memory" if version == "v1" else "")] = folders["memory"]
    return Plan(
        name,
        root=layers.root,
        mounts=(
            *readable(layers.over),
            *tmpfs("/sbx", limits.work_mb << 20),
            *tmpfs("/tmp", limits.tmp_mb << 20),  # noqa: S108 - inside the box
            *readable(watched),
        ),
        groups=tuple(set(folders.values())),
    )
