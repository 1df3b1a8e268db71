"""A box for the tests of streams: a plain process without isolation, and small servers that behave and misbehave."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sandbox import Command, Delta, DeltaReport, Limits, boot, many
from sandbox.duplex import Duplex
from sandbox.pipes import Pipes
from sandbox.stream import Streams

SERVER = r"""
import json, os, struct, sys, time

def exactly(count):
    data = b""
    while len(data) < count:
        more = os.read(0, count - len(data))
        if not more:
            sys.exit()
        data += more
    return data

def say(number, kind, data=b"", seconds=0.25):
    data = struct.pack(">QBdI", number, kind, seconds, len(data)) + data
    while data:
        data = data[os.write(1, data):]

say(0, 0)
while True:
    head, body = struct.unpack(">II", exactly(8))
    delta, body = json.loads(exactly(head)), exactly(body)
    number, what = delta["n"], body.decode("utf-8", "replace")
    if what == "die":
        os._exit(1)
    elif what == "hang":
        time.sleep(600)
    elif what == "flood":
        say(number, 1, b"x" * (3 << 20))
    elif what == "noise":
        os.write(1, b"not a frame at all, and long enough to be taken for one")
    elif what == "nan":
        say(number, 1, b"", float("nan"))
    elif what == "unasked":
        say(number + 1000, 1, b"x")
    elif what == "twice":
        say(number, 1, b"1"), say(number, 1, b"2")
    elif what == "half":
        os.write(1, struct.pack(">QBdI", number, 1, 0.0, 100) + b"x" * 50)
        os._exit(0)
    elif what == "chatter":
        while True:
            os.write(2, b"words " * 1000)
    elif what in ("died", "late"):
        say(number, 3 if what == "died" else 2)
    elif what == "head":
        say(number, 1, json.dumps(delta).encode())
    else:
        say(number, 1, body)
"""


class Plain:
    """Opens boxes that are plain processes, and remembers them."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []

    @contextlib.contextmanager
    def open(self, command: Command, limits: Limits, on_report: Callable[[bytes], None]) -> Iterator[Duplex]:
        pipe = subprocess.PIPE
        process = subprocess.Popen(command.argv, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        self.processes.append(process)
        streams = Streams(limits, boot.READY, on_report, keep_report=False)
        streams.stdout(boot.READY)
        pipes = Pipes(process, stdout=streams.stdout, stderr=streams.stderr)
        try:
            yield Duplex(pipes, streams, iter(()))
        finally:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                with contextlib.suppress(OSError):  # what was not taken from us any more
                    stream.close()

    def run_many(self, deltas: Iterable[Delta], server: str = SERVER, **rest) -> Iterator[DeltaReport]:
        limits = rest.pop("limits", Limits(timeout_s=120, report_bytes=1 << 20))
        command = Command((sys.executable, "-c", server))
        return many.run_many(self.open, command, deltas, limits, **rest)

    @property
    def living(self) -> int:
        return sum(process.poll() is None for process in self.processes)


def say(*words: str, **rest) -> list[Delta]:
    """A delta for each word, with the word as its only file."""
    return [Delta(f"{number}:{word}", {"do": word.encode()}, **rest) for number, word in enumerate(words)]


def resident_kb() -> int:
    """Memory of this process."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])
