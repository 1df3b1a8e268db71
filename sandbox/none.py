"""No isolation at all: a plain process in a temporary folder, for those who asked for it in so many words."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sandbox import (
    TOOLS,
    WORK,
    BuildFailed,
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
    recipes,
)
from sandbox.archive import checked, lay_out
from sandbox.builder import DEADLINE_S, TOOL_ENV
from sandbox.duplex import Duplex
from sandbox.egress import CA_PATH, Egress, egress, with_pip_conf
from sandbox.guarantees import DOORS, Guarantees, stated
from sandbox.owner import Claim
from sandbox.pipes import Pipes
from sandbox.session import BoxSession
from sandbox.stream import Streams
from sandbox.traces import Traces, discard, new_name

WARNING = "WARNING: no sandbox: code of this repository runs as you, with your files and your network."
_LOG_BYTES = 16 * 1024
TOOLS_KEY, DONE = "tools", "done"
"""The environment of our own tools; the mark of one that is whole, touched whenever it is used."""
# Their standard input is empty, and the shell says by 127 that there is no such command.
_SHELL = ("sh", "-c", 'unset PWD; exec "$@" < /dev/null', "sh")


def usual_state() -> Path:
    """Where the virtual environments lie."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share", "regreen", "none")


def lock_name(key: str) -> str:
    """Held while the environment `key` is built, found or removed."""
    return f"regreen-none-{key}"


def warn_on_stderr(line: str) -> None:
    sys.stderr.write(line + "\n")


@dataclass(frozen=True)
class _Places:
    """Where on this machine the contract's places are."""

    over: Mapping[str, str]

    def real(self, text: str) -> str:
        for place, real in self.over.items():
            text = text.replace(place, real)
        return text


class NoSandbox:
    """Keeps the contract's form and none of its promises: see `probe`. Safe to use from several threads."""

    name = "none"

    def __init__(self, owner: str = "regreen", *, state: Path | None = None, warn: Progress = warn_on_stderr) -> None:
        """`warn` gets one line for each run. `state` is the folder of the virtual environments."""
        self.owner, self._warn = owner, warn
        self._state = state or usual_state()
        self._traces = Traces(self._state / "boxes", Claim(owner))

    def prepare(self, recipe: Recipe, *, progress: Progress | None = None) -> Image:
        self._warn(WARNING)
        tell = progress or (lambda line: None)
        way = egress(with_pip_conf(os.environ))
        key = recipes.recipe_key(recipe, f"none {sys.version}", way)[:24]
        with recipes.locked(lock_name(key)):
            built = bool(recipe.steps) and not (self._state / key / DONE).exists()
            if built:
                self._build(recipe, self._state / key, way, tell)
            if recipe.steps:
                (self._state / key / DONE).touch()  # when it was last used
        return Image(key, built=built)

    def _build(self, recipe: Recipe, folder: Path, way: Egress, tell: Progress) -> None:
        discard(folder)
        folder.mkdir(parents=True)
        self._make_tools(way, tell)
        with self._folder() as temporary:
            places = self._places(temporary, folder)
            lay_out(recipe.files, temporary / "w")
            recipes.run_steps(_Steps(places, temporary, way), recipe.steps, tell)

    def _make_tools(self, way: Egress, tell: Progress) -> None:
        """uv and coverage in an environment of their own, as every base has them."""
        tools = self._state / TOOLS_KEY
        with recipes.locked(lock_name(TOOLS_KEY)):
            if (tools / DONE).exists():
                (tools / DONE).touch()
                return
            tell("image: tools")
            discard(tools)
            for argv in (
                [sys.executable, "-m", "venv", str(tools)],
                [str(tools / "bin/python"), "-m", "pip", "install", "--only-binary", ":all:", *recipes.TOOLS],
            ):
                done = subprocess.run(argv, capture_output=True, check=False)
                if done.returncode != 0:
                    said = way.redacted(done.stderr[-1000:].decode("utf-8", "replace"))
                    raise SandboxUnavailable(f"the tools cannot be installed: {said}")
            (tools / DONE).touch()

    def session(self, image: Image, *, runs: int = 0) -> BoxSession:
        del runs  # there is nothing to make ahead
        return BoxSession(self, image)

    def verify_fresh(self, image: Image, command: Command, limits: Limits) -> Ran:
        return self.run(image, command, limits)

    def reap(self) -> int:
        return self._traces.reap()

    def probe(self) -> Guarantees:
        nothing = "nothing is isolated; use the sandbox docker or bubblewrap"
        return Guarantees("none", "a plain process", "none", stated(dict.fromkeys(DOORS, (False, nothing))))

    def run(
        self,
        image: Image,
        command: Command,
        limits: Limits,
        *,
        on_report: Callable[[bytes], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Ran:
        """One command in a temporary folder, which is removed at the end."""
        streams = Streams(limits, boot.READY, on_report)
        with self._started(image, command, streams, _SHELL) as (process, pipes):
            stopped: Stopped | None = pipes.converse(iter([]), box.Patience(streams, limits, cancelled))
            code = None if stopped else process.wait()
        return box.ran(streams, stopped, code if code is None or code >= 0 else 128 - code)

    @contextlib.contextmanager
    def duplex(
        self, image: Image, command: Command, limits: Limits, on_report: Callable[[bytes], None]
    ) -> Iterator[Duplex]:
        """One command with a standard input, which is gone at the end of the context."""
        streams = Streams(limits, boot.READY, on_report, keep_report=False)
        with self._started(image, command, streams, ()) as (_, pipes):
            yield Duplex(pipes, streams, iter([]))

    @contextlib.contextmanager
    def _started(
        self, image: Image, command: Command, streams: Streams, shell: tuple[str, ...]
    ) -> Iterator[tuple[subprocess.Popen[bytes], Pipes]]:
        self._warn(WARNING)
        if "@" in image.id or ":" in image.id:
            raise SandboxError(f"an image of another sandbox, prepare it again: {image.id}")
        with contextlib.suppress(FileNotFoundError):  # an image without steps has no environment
            os.utime(self._state / image.id / DONE)
        checked(command.tree), checked(command.tools)
        with self._folder() as temporary:
            places = self._places(temporary, self._state / image.id)
            lay_out(command.tree, temporary / "w")
            lay_out(command.tools, temporary / "r")
            env = {**_environment(temporary, self._state / image.id), **command.env}
            process = _start(
                [*shell, *map(places.real, command.argv)],
                temporary / "w",
                {k: places.real(v) for k, v in env.items()},
            )
            try:
                streams.stdout(boot.READY)
                yield process, Pipes(process, stdout=streams.stdout, stderr=streams.stderr)
            finally:
                _end(process)

    @contextlib.contextmanager
    def _folder(self) -> Iterator[Path]:
        folder = self._state / new_name()
        (self._state / "boxes").mkdir(parents=True, exist_ok=True)
        with self._traces.kept(folder.name, DEADLINE_S, folders=[folder]):
            for name in ("w", "r", "home"):
                (folder / name).mkdir(parents=True)
            yield folder

    def _places(self, temporary: Path, folder: Path) -> _Places:
        return _Places({
            WORK: str(temporary / "w"), TOOLS: str(temporary / "r"), CA_PATH: str(temporary / "ca.crt"),
            "/opt/venv": str(folder / "venv"), "/opt/deps": str(folder / "deps"),
            "/opt/regreen/tools": str(self._state / TOOLS_KEY),
        })  # fmt: skip


class _Steps:
    """The steps of a build, as plain processes."""

    def __init__(self, places: _Places, temporary: Path, way: Egress) -> None:
        self._places, self._temporary, self._way = places, temporary, way
        if way.ca is not None:
            (temporary / "ca.crt").write_bytes(way.ca)

    def run(self, name: str, argv: tuple[str, ...], *, root: bool = False) -> None:
        del root
        env = {**self._way.env, **TOOL_ENV, "HOME": str(self._temporary / "home"), "UV_LINK_MODE": "copy"}
        env["PATH"] = f"{TOOL_ENV['PATH']}:{os.environ.get('PATH', os.defpath)}"
        try:
            done = subprocess.run(
                [*_SHELL, *map(self._places.real, argv)],
                cwd=self._temporary / "w",
                env={name: self._places.real(value) for name, value in env.items()},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=DEADLINE_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise BuildFailed(name, f"it took more than {DEADLINE_S} s") from error
        if done.returncode != 0:
            raise BuildFailed(name, self._way.redacted(done.stdout[-_LOG_BYTES:].decode("utf-8", "replace")))


def _environment(temporary: Path, folder: Path) -> dict[str, str]:
    """The box's own, as far as it can be had here; nothing of ours beyond the way to programs."""
    path = f"{folder / 'venv/bin'}:{Path(sys.base_prefix, 'bin')}:{os.environ.get('PATH', os.defpath)}"
    return {**box.ENV, "PATH": path, "HOME": str(temporary / "home")}


def _start(argv: list[str], folder: Path, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
    program = shutil.which(argv[0], path=env["PATH"])
    try:
        return subprocess.Popen(
            argv,
            executable=program,
            cwd=folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        raise SandboxError(f"a process cannot be started: {error}") from error


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill its process group; what has left the group is not found."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
