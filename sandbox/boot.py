"""The first program in every box: lays out the files, shuts doors, starts the command and watches over it.

Standard library only, Python 3.8+: its source is handed to `python3 -IS -c` inside the box. It reads one tar
on standard input (`config.json` first, then `w/...` and `r/...`), and standard input stays open afterwards:
when it ends, the controller is gone, and so is the box. What arrives after the tar is the standard input of a
command that has one (`"stdin": true`); it is taken in at once, so that the end is seen behind it.
"""
# The oldest Python that we meet, the fewest imports, and nobody above to catch:
# ruff: noqa: BLE001, PTH102, PTH103, PTH118, PTH120, PTH123, PTH211, S606, UP031

from __future__ import annotations

import ctypes
import io
import json
import os
import select
import signal
import struct
import sys
import tarfile
import time

TYPE_CHECKING = False  # as in `typing`, whose import would cost every box milliseconds
if TYPE_CHECKING:
    from typing import IO, Any

    Config = dict[str, Any]

ROOT = "/sbx"
READY = b"regreen box ready\n"
"""First bytes on standard output. Whatever stands before them is ours; all after them is the command's."""

NOT_FOUND = 127
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
_X32_CALLS = 0x40000000

# Of each machine: its audit number, socket calls, denied calls, and clone3.
# Denied: bpf, userfaultfd, io_uring (3), keyctl, add_key, request_key, perf_event_open, process_vm_readv/writev.
_MACHINES = {
    "x86_64": (0xC000003E, (41, 53), (321, 323, 425, 426, 427, 250, 248, 249, 298, 310, 311), 435),
    "aarch64": (0xC00000B7, (198, 199), (280, 282, 425, 426, 427, 219, 217, 218, 241, 270, 271), 435),
}


def filter_program(machine: str) -> bytes | None:
    """The system call filter as BPF bytes, or None for a machine that we do not know.

    It is stacked on the engine's own filter, which before Docker 23 lets vsock, io_uring and others through
    (https://github.com/moby/moby/pull/44563): network namespaces do not cover vsock.
    """
    known = _MACHINES.get(machine)
    if known is None:
        return None
    audit, sockets, denied, clone3 = known
    refuse = 0x00050000  # SECCOMP_RET_ERRNO
    families = (_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK)
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    code = [(load, 0, 0, 4), (equal, 1, 0, audit), (answer, 0, 0, 0x80000000), (load, 0, 0, 0)]
    if machine == "x86_64":
        code += [(at_least, 0, 1, _X32_CALLS), (answer, 0, 0, refuse | _ENOSYS)]
    for call in denied:
        code += [(equal, 0, 1, call), (answer, 0, 0, refuse | _EPERM)]
    # glibc falls back to clone, whose flags the engine's filter can read.
    code += [(equal, 0, 1, clone3), (answer, 0, 0, refuse | _ENOSYS)]
    after = len(families) + 2
    code += [(equal, 1, 0, sockets[0]), (equal, 0, after, sockets[1]), (load, 0, 0, 16)]
    code += [(equal, len(families) - n, 0, family) for n, family in enumerate(families)]
    code += [(answer, 0, 0, refuse | _EAFNOSUPPORT), (answer, 0, 0, 0x7FFF0000)]
    return b"".join(struct.pack("=HBBI", *line) for line in code)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_char_p)]


def install_filters(denied: Config) -> None:
    """Give this process and all that come from it two filters; say so aloud where that cannot be done.

    The second one, of which `denied` holds one for each machine in hexadecimal digits, is what Docker's engine
    denies by itself; not every engine does.
    """
    try:
        machine = os.uname().machine
        own = filter_program(machine)
        if own is None or machine not in denied:
            raise OSError("no filter for " + machine)
        libc = ctypes.CDLL(None, use_errno=True)
        set_no_new_privs, set_seccomp, mode_filter = 38, 22, 2
        if libc.prctl(set_no_new_privs, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "no_new_privs")
        for code in (own, bytes.fromhex(denied[machine])):
            program = _Program(len(code) // 8, code)
            if libc.prctl(set_seccomp, mode_filter, ctypes.byref(program), 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "seccomp")
    except Exception as error:
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


def write(place: str, stream: IO[bytes], mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with open(os.open(place, flags, mode), "wb") as target:
        while True:
            data = stream.read(1 << 20)
            if not data:
                return
            target.write(data)


class Whole(io.RawIOBase):
    """Reads as much as it was asked for. A short read would put tarfile out of step, and it would read beyond."""

    def __init__(self, source: IO[bytes]) -> None:
        super().__init__()
        self._source = source

    def read(self, size: int = -1) -> bytes:
        data = b""
        while len(data) < size:
            more = self._source.read(size - len(data))
            if not more:
                break
            data += more
        return data


def unpack(source: Whole) -> Config:
    """Lay out the tar and return the configuration. Links come last: nothing is written through one."""
    for folder in ("w", "r"):
        os.mkdir(os.path.join(ROOT, folder))
    config: Config = {}
    links = []
    with tarfile.open(fileobj=source, mode="r|", encoding="utf-8", errors="surrogateescape") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isreg() else None
            if content and member.name == "config.json":
                config = json.loads(content.read().decode("ascii"))
            elif member.issym():
                links.append((member.linkname, inside(member.name)))
            elif content:
                write(inside(member.name), content, 0o755 if member.mode & 0o100 else 0o644)
            else:
                raise ValueError("bad member %r" % member.name)
    for target, place in links:
        os.symlink(target, place)
    return config


def become(config: Config, relay: Relay | None) -> None:
    """Turn this process into the command."""
    source = relay.source if relay else os.open(os.devnull, os.O_RDONLY)
    os.dup2(source, 0)
    os.close(source)
    os.setsid()
    for name in ("SIGPIPE", "SIGXFSZ", "SIGCHLD"):  # Python ignores the first two; a command expects neither
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.chdir(os.path.join(ROOT, "w"))
    limit(config.get("rlimits", {}))
    argv, env = config["argv"], config["env"]
    os.environ["PATH"] = env.get("PATH", os.defpath)
    try:
        os.execvpe(argv[0], argv, env)
    except OSError as error:
        complain("%s: %s" % (argv[0], error.strerror))


def limit(limits: Config) -> None:
    """Limits that only count in here: the engine, where there is one, has set the others."""
    if limits:
        import resource  # noqa: PLC0415 - most boxes do not need it

        for name, value in limits.items():
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))


def memory_kills() -> int:
    """How many processes of this box the kernel has killed for memory, in version 2 of cgroups or in 1."""
    for place in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            with open(place, encoding="ascii") as lines:
                return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
        except OSError:
            continue
    return 0


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


def watch(child: int, bell: int, seconds: float, killed_before: int, relay: Relay | None) -> int:
    """Wait for the command; leave at once when the controller is gone or far too late. The exit code.

    A command that goes on after the kernel has killed a part of it ends as if it had been killed itself.
    """
    late = time.monotonic() + seconds
    while time.monotonic() < late:
        targets = relay.targets() if relay else []
        ready, room, _ = select.select([0, bell], targets, [], max(0.0, late - time.monotonic()))
        if bell in ready:
            os.read(bell, 512)
            done, status = os.waitpid(child, os.WNOHANG)
            if done and memory_kills() > killed_before:
                break
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
    return 128 + signal.SIGKILL


def main() -> None:
    os.umask(0o022)
    try:
        with open(0, "rb", buffering=0, closefd=False) as source:
            config = unpack(Whole(source))
        install_filters(config["denied"])
        bell, ringer = os.pipe()
        os.set_blocking(ringer, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ringer)
    except Exception as error:
        complain("cannot lay out the files: %s" % error)
        os._exit(1)
    killed_before = memory_kills()
    relay = Relay() if config.get("stdin") else None
    os.write(1, READY)
    child = os.fork()
    if child == 0:
        try:
            become(config, relay)
        finally:
            os._exit(NOT_FOUND)
    if relay:
        os.close(relay.source)
    os._exit(watch(child, bell, config["seconds"], killed_before, relay))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
