"""What a controller can do with a backend beyond single runs: threads, listeners that fail, a box that does not start."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hoststate import left_behind

from sandbox import Command, File, Limits, SandboxError

QUICK = Limits(timeout_s=120)


def python(code: str) -> Command:
    return Command(("python3", "-c", code))


def test_several_threads_can_run_boxes_at_once(backend):
    barrier = threading.Barrier(4)

    def one(number: int) -> bytes | None:
        barrier.wait()
        return backend.sandbox.verify_fresh(backend.image, python(f"print({number})"), QUICK).report

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(4))) == [b"0\n", b"1\n", b"2\n", b"3\n"]
    assert left_behind(backend.sandbox) == []


def test_an_error_of_the_listener_goes_up_as_it_is(backend):
    """It is not mistaken for a fault of the engine, and the box is gone all the same."""

    def full(data: bytes) -> None:
        raise OSError("disk full")

    with backend.sandbox.session(backend.image) as session, pytest.raises(OSError, match="disk full"):
        session.run(python("print(1, flush=True)\nwhile True: pass"), QUICK, on_report=full)
    assert left_behind(backend.sandbox) == []


def test_an_interrupt_ends_the_box(backend):
    """Ctrl-C of whoever started the repair."""

    def interrupt(data: bytes) -> None:
        raise KeyboardInterrupt

    with backend.sandbox.session(backend.image) as session, pytest.raises(KeyboardInterrupt):
        session.run(python("print(1, flush=True)\nwhile True: pass"), QUICK, on_report=interrupt)
    assert left_behind(backend.sandbox) == []


def test_a_box_that_does_not_start_leaves_nothing(backend):
    with pytest.raises(SandboxError):
        backend.sandbox.verify_fresh(
            backend.image, Command(("true",), tree={"a": File(b"x" * 3_000_000)}), Limits(work_mb=1)
        )
    assert left_behind(backend.sandbox) == []
