"""Streams of deltas through living boxes: order, deaths, floods, odd frames, cancelling, and a flat memory."""

from __future__ import annotations

import gc
import itertools
import json
import time

import pytest
from manybox import SERVER, Plain, resident_kb, say

from sandbox import Command, Delta, File, Limits, SandboxError, many
from sandbox.frames import DELTA_BYTES, OddFrame, Reports, delta_frame


@pytest.fixture
def plain() -> Plain:
    return Plain()


def results(reports) -> dict[str, bytes | None]:
    return {report.id.partition(":")[2]: report.report for report in reports}


def test_each_delta_gets_exactly_one_report(plain):
    reports = list(plain.run_many(say(*(f"w{n}" for n in range(1000)))))
    assert sorted(report.id for report in reports) == sorted(f"{n}:w{n}" for n in range(1000))
    assert all(report.report == report.id.partition(":")[2].encode() for report in reports)
    assert all((report.seconds, report.died, report.timed_out) == (0.25, False, False) for report in reports)
    assert plain.living == 0


def test_one_box_reports_in_the_order_of_the_deltas(plain):
    reports = [report.id for report in plain.run_many(say(*"abcdefgh"), workers=1)]
    assert reports == [f"{n}:{word}" for n, word in enumerate("abcdefgh")]


def test_all_of_a_delta_arrives(plain):
    delta = Delta("x", {"do": b"head", "b\udcff.py": b"", "gone": None}, ("t::a[\n]", "t::ü"), True, 1.5, 2.5)
    (report,) = plain.run_many([delta])
    assert report.report is not None
    told = json.loads(report.report)
    assert told.pop("n") > 0
    assert told == {
        "files": [["do", 4], ["b\udcff.py", 0], ["gone", -1]],
        "tests": ["t::a[\n]", "t::ü"],
        "stop": True,
        "cpu_s": 1.5,
        "wall_s": 2.5,
    }


def test_a_stream_without_deltas_opens_no_box(plain):
    assert list(plain.run_many([])) == []
    assert plain.processes == []


def test_a_server_says_that_a_run_died_or_took_too_long(plain):
    died, late = sorted(plain.run_many(say("died", "late")), key=lambda report: report.id)
    assert (died.report, died.died, died.timed_out) == (None, True, False)
    assert (late.report, late.died, late.timed_out) == (None, False, True)


@pytest.mark.parametrize("crime", ["die", "flood", "noise", "nan", "unasked", "twice", "half", "chatter"])
def test_culprit_gets_no_report_and_nobody_else_is_lost(plain, crime):
    """Its box is replaced twice; what was in flight with it comes back whole."""
    words = [*(f"a{n}" for n in range(20)), crime, *(f"b{n}" for n in range(20))]
    found = results(plain.run_many(say(*words), workers=1, limits=Limits(timeout_s=120, report_bytes=1 << 20)))
    expected = {word: word.encode() for word in words} | {crime: None}
    if crime == "twice":
        expected["twice"] = b"1"  # the first of its reports was a good one; the second cost it its box
    assert found == expected
    assert len(plain.processes) <= 4
    assert plain.living == 0


def test_two_culprits_are_both_found(plain):
    words = ["a", "die", "b", "noise", "c", "die", "d"]
    reports = list(plain.run_many(say(*words), workers=2))
    assert sorted(report.id for report in reports if report.died) == ["1:die", "3:noise", "5:die"]
    assert {report.id for report in reports} == {f"{n}:{word}" for n, word in enumerate(words)}


def test_silent_server_is_taken_for_dead(plain, monkeypatch):
    monkeypatch.setattr(many, "_SILENCE_S", 0.2)
    reports = {r.id: r for r in plain.run_many(say("a", "hang", "b", wall_s=0.3), workers=1)}
    assert (reports["1:hang"].report, reports["1:hang"].died, reports["1:hang"].timed_out) == (None, True, True)
    assert reports["0:a"].report == b"a"
    assert reports["2:b"].report == b"b"


def test_at_the_deadline_what_is_in_flight_gets_no_report(plain):
    reports = list(plain.run_many(say("a", "hang", "b"), workers=1, limits=Limits(timeout_s=1.5)))
    assert [(report.id, report.timed_out) for report in reports] == [("0:a", False), ("1:hang", True), ("2:b", True)]
    assert plain.living == 0


def test_cancelled_stream_ends_at_once(plain):
    stop = []
    endless = (delta for n in itertools.count() for delta in say(f"w{n}"))
    taken = []
    for report in plain.run_many(endless, cancelled=lambda: bool(stop)):
        taken.append(report)
        if len(taken) == 100:
            stop.append(True)
    assert 100 <= len(taken) < 2000
    assert plain.living == 0


def test_closed_iterator_leaves_no_box(plain):
    stream = plain.run_many(say(*"abc", "hang"))
    next(stream)
    stream.close()
    assert plain.processes
    assert plain.living == 0


def test_error_of_the_source_goes_up_and_leaves_no_box(plain):
    def broken():
        yield from say("a")
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        list(plain.run_many(broken(), in_flight=1))
    assert plain.living == 0


def test_deltas_are_taken_only_when_there_is_room(plain):
    asked = itertools.count()
    endless = (Delta(str(next(asked)), {"do": b"x"}) for _ in itertools.count())
    stream = plain.run_many(endless, in_flight=5, workers=2)
    next(stream)
    assert next(asked) <= 12
    stream.close()


def test_large_deltas_are_not_all_sent_ahead(plain):
    """Each is a megabyte, and the box would have to hold all that its server has not read."""
    asked = itertools.count()
    heavy = (Delta(str(next(asked)), {"do": b"x" * (1 << 20)}) for _ in range(60))
    stream = plain.run_many(heavy, in_flight=100, workers=1, limits=Limits(report_bytes=2 << 20))
    assert next(stream).report == b"x" * (1 << 20)
    assert next(asked) <= 20
    stream.close()


def test_server_that_never_starts_is_a_broken_box(plain):
    with pytest.raises(SandboxError, match="no such thing"):
        list(plain.run_many(say("a"), server="import sys; sys.exit('no such thing')"))
    assert len(plain.processes) == 3


def test_server_that_speaks_before_it_is_ready_is_a_broken_box(plain):
    with pytest.raises(SandboxError, match="does not start"):
        list(plain.run_many(say("a"), server="print('x' * 100, flush=True); import time; time.sleep(60)"))


def test_box_that_cannot_be_made_is_tried_three_times():
    tries = []

    def broken(*_args):
        tries.append(1)
        raise SandboxError("engine is busy")

    with pytest.raises(SandboxError, match="engine is busy"):
        list(many.run_many(broken, Command(()), say("a"), Limits()))
    assert len(tries) == 3


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a//b", "", "a\nb"])
def test_path_that_leaves_the_tree_is_refused(plain, path):
    with pytest.raises(ValueError, match="not a path"):
        list(plain.run_many([Delta("x", {path: b""})]))
    assert plain.living == 0


@pytest.mark.parametrize("numbers", [{"in_flight": 0}, {"workers": 0}])
def test_nonsensical_numbers_are_refused_at_once(plain, numbers):
    with pytest.raises(ValueError, match="at least 1"):
        plain.run_many([], **numbers)


def test_frame_that_is_too_large_is_refused():
    with pytest.raises(ValueError, match="larger than"):
        delta_frame(1, Delta("x", {"a": bytes(DELTA_BYTES)}))


def test_frames_may_arrive_in_any_pieces():
    frame = b"\0" * 7 + b"\x05" + b"\x01" + b"\0" * 8 + b"\0\0\0\x03" + b"abc"
    reports, found = Reports(10), []
    for byte in frame * 3:
        reports.feed(bytes([byte]))
        found += [(one.number, one.data) for one in reports.frames()]
    assert found == [(5, b"abc")] * 3


def test_frame_above_the_cap_is_odd_before_it_has_arrived():
    reports = Reports(10)
    reports.feed(b"\0" * 7 + b"\x05" + b"\x01" + b"\0" * 8 + b"\0\0\0\x0b")
    with pytest.raises(OddFrame, match="11 bytes"):
        list(reports.frames())


def test_memory_stays_flat_over_ten_thousand_runs(plain):
    """Reports of 20 kB each: 200 MB pass through."""
    deltas = (Delta(str(n), {"do": b"%05d" % n * 4000}) for n in range(10_000))
    before = count = 0
    for report in plain.run_many(deltas):
        assert report.report is not None
        count += 1
        if count == 1000:
            gc.collect()
            before = resident_kb()
    gc.collect()
    assert count == 10_000
    assert resident_kb() - before < 20_000


def test_memory_stays_flat_through_real_boxes(backend):
    """A thousand reports of 20 kB; `benchmarks/sandbox.py memory` does ten thousand runs of a real suite."""
    deltas = (Delta(str(n), {"do": b"%05d" % n * 4000}) for n in range(1000))
    before = count = 0
    server = Command(("python3", "-c", SERVER))
    with backend.sandbox.session(backend.image) as session:
        for report in session.run_many(server, deltas, Limits(timeout_s=300, memory_mb=256), in_flight=16):
            assert report.report is not None
            count += 1
            if count == 250:
                gc.collect()
                before = resident_kb()
    gc.collect()
    assert count == 1000
    assert resident_kb() - before < 10_000


def test_real_boxes_stream_too(backend):
    words = [f"w{n}" for n in range(300)]
    words[150] = "die"
    server = Command(("python3", "-c", SERVER))
    with backend.sandbox.session(backend.image) as session:
        found = results(session.run_many(server, say(*words), Limits(timeout_s=120, memory_mb=256)))
    assert found == {word: word.encode() for word in words} | {"die": None}
    assert backend.sandbox.reap() == 0


def test_input_begins_where_the_tar_ends(backend):
    """Trees of all sizes around that of a tar record; the command sees nothing of the padding."""
    for size in range(512, 12_000, 1024):
        server = Command(("python3", "-c", SERVER), tree={"a": File(b"x" * size)})
        with backend.sandbox.session(backend.image) as session:
            (report,) = session.run_many(server, say("hello"), Limits(timeout_s=60), workers=1)
        assert report.report == b"hello"


def test_box_of_a_closed_stream_is_gone(backend):
    server = Command(("python3", "-c", SERVER))
    with backend.sandbox.session(backend.image) as session:
        stream = session.run_many(server, say("a", "hang"), Limits(timeout_s=60), workers=1)
        assert next(stream).report == b"a"
        started = time.monotonic()
        stream.close()
    assert time.monotonic() - started < 30
    assert backend.sandbox.reap() == 0
