"""The first program in every box: lays out the files, shuts doors, starts the command and watches over it.

Standard library only, Python 3.8+: its source is handed to `python3 -IS -c` inside the box. It reads one tar
on standard input (the member `config` first, then `w/...` and `r/...`), and standard input stays open afterwards:
when it ends, the controller is gone, and so is the box. What arrives after the tar is the standard input of a
command that has one (`stdin`); it is taken in at once, so that the end is seen behind it.

Every box pays for what is imported here: hence no json, tarfile or signal, which take longer than all the rest.
"""
# The oldest Python that we meet, the fewest imports, and nobody above to catch:
# ruff: noqa: BLE001, PTH102, PTH103, PTH118, PTH120, PTH123, PTH211, S606, UP031

from __future__ import annotations

import os
import select
import sys
import time

try:
    import _signal as signal  # type: ignore[import-not-found]  # the same without enumerations, whose import takes longer than ours altogether
except ImportError:
    import signal

TYPE_CHECKING = False  # as in `typing`, whose import would cost every box milliseconds
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Config = list[tuple[str, str]]

ROOT = "/sbx"
READY = b"regreen box ready\n"
"""First bytes on standard output. Whatever stands before them is ours; all after them is the command's."""

NOT_FOUND, KILLED = 127, 128 + 9
_BLOCK = 512
_LONG_NAME, _LONG_LINK, _FILE, _LINK = b"L", b"K", b"0", b"2"
_NO_NEW_PRIVS, _SECCOMP, _FILTER, _DUMPABLE = 38, 22, 2, 4


def values(config: Config, name: str) -> list[str]:
    """All values of that name, in their order."""
    return [value for key, value in config if key == name]


def shut(config: Config) -> None:
    """Give this process and all that come from it the filters `filter <machine>`; say aloud where that fails.

    Where there is a last word, which the command may not learn, nobody of this user can look into this process.
    """
    filters = [bytes.fromhex(code) for code in values(config, "filter " + os.uname().machine)]
    word = values(config, "word")
    if not filters and not word and not any(key.startswith("filter ") for key, _ in config):
        return
    try:
        import ctypes  # noqa: PLC0415 - not every box needs it

        libc = ctypes.CDLL(None, use_errno=True)

        def control(*words: Any) -> None:
            if libc.prctl(*words) != 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

        if word:
            control(_DUMPABLE, 0, 0, 0, 0)
        if not filters:
            raise OSError("no filter for " + os.uname().machine)

        class Program(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_char_p)]

        control(_NO_NEW_PRIVS, 1, 0, 0, 0)
        for code in filters:
            control(_SECCOMP, _FILTER, ctypes.byref(Program(len(code) // 8, code)), 0, 0)
    except Exception as error:
        config[:] = [pair for pair in config if pair[0] != "word"]
        complain("no system call filter of our own: %s" % error)


def complain(text: str) -> None:
    os.write(2, ("regreen box: %s\n" % text).encode("utf-8", "replace"))


def inside(name: str) -> str:
    """The place in the box of a member `w/...` or `r/...`; its folders are made."""
    parts = name.split("/")
    if parts[0] not in ("w", "r") or len(parts) < 2 or any(part in ("", ".", "..") for part in parts):
        raise ValueError("bad member %r" % name)
    place = os.path.join(ROOT, name)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    return place


def write(place: str, data: bytes, mode: int) -> None:
    target = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(target, rest) :]
    finally:
        os.close(target)


class Incoming:
    """Standard input, from which as much can be taken as is wanted. `held` has come and was not taken yet."""

    def __init__(self) -> None:
        self.held = bytearray()

    def take(self, size: int) -> bytes:
        while len(self.held) < size:
            data = os.read(0, 1 << 20)
            if not data:
                raise EOFError("the files end too early")
            self.held += data
        taken = bytes(self.held[:size])
        del self.held[:size]
        return taken

    def members(self) -> Iterator[tuple[str, bytes, int, bytes]]:
        """Name, kind, mode and content of each member of one tar, or a link's target; its end is taken as well."""
        long: dict[bytes, bytes] = {}
        while True:
            head = self.take(_BLOCK)
            if head[:1] == b"\0":
                self.take(_BLOCK)
                return
            kind, size = head[156:157], int(head[124:135], 8)
            data = self.take(size + -size % _BLOCK)[:size]
            if kind in (_LONG_NAME, _LONG_LINK):
                long[kind] = data[:-1]
                continue
            name = long.get(_LONG_NAME, head[:100].rstrip(b"\0")).decode("utf-8", "surrogateescape")
            if kind == _LINK:
                data = long.get(_LONG_LINK, head[157:257].rstrip(b"\0"))
            yield name, kind, int(head[100:107], 8), data
            long = {}


def unpack(incoming: Incoming) -> Config:
    """Lay out the tar and return the configuration. Links come last: nothing is written through one."""
    for folder in ("w", "r"):
        os.mkdir(os.path.join(ROOT, folder))
    config: Config = []
    links = []
    for name, kind, mode, data in incoming.members():
        if name == "config" and kind == _FILE:
            words = data.decode("utf-8", "surrogateescape").split("\0")
            config = list(zip(words[::2], words[1::2]))  # noqa: B905 - no `strict` before 3.10
        elif kind == _LINK:
            links.append((data, inside(name)))
        elif kind == _FILE:
            write(inside(name), data, 0o755 if mode & 0o100 else 0o644)
        else:
            raise ValueError("bad member %r" % name)
    for target, place in links:
        os.symlink(target, os.fsencode(place))
    return config


def become(config: Config, relay: Relay | None) -> None:
    """Turn this process into the command."""
    source = relay.source if relay else os.open(os.devnull, os.O_RDONLY)
    os.dup2(source, 0)
    os.close(source)
    os.setsid()
    for number in (
        signal.SIGPIPE,
        signal.SIGXFSZ,
        signal.SIGCHLD,
    ):  # Python ignores two, a command none
        signal.signal(number, signal.SIG_DFL)
    os.chdir(os.path.join(ROOT, "w"))
    limit(config)
    argv = values(config, "argv")
    env = {key[4:]: value for key, value in config if key.startswith("env ")}
    os.environ["PATH"] = env.get("PATH", os.defpath)
    try:
        os.execvpe(argv[0], argv, env)
    except OSError as error:
        complain("%s: %s" % (argv[0], error.strerror))


def limit(config: Config) -> None:
    """Limits that only count in here: the engine, where there is one, has set the others."""
    for key, value in config:
        if key.startswith("limit "):
            import resource  # noqa: PLC0415 - most boxes do not need it

            resource.setrlimit(getattr(resource, "RLIMIT_" + key[6:]), (int(value), int(value)))


def memory_kills() -> int | None:
    """How many processes of this box the kernel has killed for memory, in version 2 of cgroups or in 1.

    None where it does not say: then whoever made the box must be asked.
    """
    for place in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            with open(place, encoding="ascii") as lines:
                return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
        except OSError:
            continue
    return None


class Relay:
    """Hands on what arrives. The controller bounds how much it sends ahead; nothing here makes it wait."""

    def __init__(self) -> None:
        self.source, self._target = os.pipe()
        os.set_blocking(self._target, False)
        self._held = bytearray()
        self._open = True

    def targets(self) -> list[int]:
        """What to wait for until more can be handed on."""
        return [self._target] if self._held else []

    def add(self, data: bytes) -> None:
        if self._open:
            self._held += data
            self.hand_on()

    def hand_on(self) -> None:
        try:
            while self._held:
                del self._held[: os.write(self._target, self._held[: 1 << 16])]
        except BlockingIOError:
            pass
        except OSError:  # the command has closed its standard input
            self._open = False
            self._held.clear()


def watch(child: int, bell: int, seconds: float, killed_before: int | None, relay: Relay | None) -> int | None:
    """Wait for the command and return its exit code; None at once when the controller is gone or far too late.

    A command that goes on after the kernel has killed a part of it ends as if it had been killed itself.
    """
    late = time.monotonic() + seconds
    while time.monotonic() < late:
        targets = relay.targets() if relay else []
        ready, room, _ = select.select([0, bell], targets, [], max(0.0, late - time.monotonic()))
        if bell in ready:
            os.read(bell, 512)
            done, status = os.waitpid(child, os.WNOHANG)
            if done and memory_kills() != killed_before:
                return KILLED
            if done:
                return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        if relay and room:
            relay.hand_on()
        if 0 in ready:
            data = os.read(0, 1 << 18)
            if not data:
                break
            if relay:
                relay.add(data)
    return None


def last_word(config: Config, code: int) -> None:
    """Tell the controller the exit code: it need not wait for whoever made the box to clear it away.

    It stands behind all that the command has written, on both streams; only we and the controller know the word.
    """
    for word in values(config, "word"):
        for stream in (1, 2):
            os.write(stream, ("\0%s %03d" % (word, code)).encode("ascii"))


def main() -> None:
    os.umask(0o022)
    incoming = Incoming()
    try:
        config = unpack(incoming)
        shut(config)
        bell, ringer = os.pipe()
        os.set_blocking(ringer, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ringer)
    except Exception as error:
        complain("cannot lay out the files: %s" % error)
        os._exit(1)
    killed_before = memory_kills()
    relay = Relay() if values(config, "stdin") else None
    os.write(1, READY)
    child = os.fork()
    if child == 0:
        try:
            become(config, relay)
        finally:
            os._exit(NOT_FOUND)
    if relay:
        os.close(relay.source)
        relay.add(bytes(incoming.held))
    code = watch(child, bell, float(values(config, "seconds")[0]), killed_before, relay)
    if code is not None and killed_before is not None:
        last_word(config, code)
    os._exit(KILLED if code is None else code)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
