"""The contract of every backend: what goes in, what comes out, how a run ends, and that nothing is left."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sandbox import Command, File, Image, Limits, Ran, SandboxError

pytestmark = pytest.mark.docker

QUICK = Limits(timeout_s=120)


@pytest.fixture
def sandbox(docker_sandbox):
    return docker_sandbox


def python(code: str, **rest) -> Command:
    return Command(("python3", "-c", code), **rest)


@pytest.fixture
def run(sandbox, base_image):
    def run(code: str, limits: Limits = QUICK, **rest) -> Ran:
        return sandbox.verify_fresh(base_image, python(code, **rest), limits)

    return run


def test_report_and_output_come_back_apart_and_the_code_passes_through(run):
    ran = run("import sys; print('report'); print('noise', file=sys.stderr); sys.exit(7)")
    assert (ran.code, ran.stopped, ran.report, ran.output) == (7, None, b"report\n", b"noise\n")
    assert ran.seconds > 0


def test_the_tree_and_the_tools_lie_where_the_contract_says(run):
    code = """if True:
        import os
        assert os.getcwd() == "/sbx/w"
        assert open("/sbx/w/a/b.txt").read() == "tree"
        assert open("/sbx/r/a/b.txt").read() == "tools"
        assert os.access("run.sh", os.X_OK) and not os.access("a/b.txt", os.X_OK)
        assert os.readlink("link") == "a/b.txt" and open("link").read() == "tree"
        assert os.readlink("out") == "/etc/passwd" and os.readlink("loop") == "loop"
        open("a/b.txt", "w").write("changed"); open("new", "w").write("x")
        assert sorted(os.listdir(b".")) == sorted([b"a", b"run.sh", b"link", b"out", b"loop", b"l\\xe9", b"new"])
    """
    tree = {
        "a/b.txt": File(b"tree"),
        "run.sh": File(b"#!/bin/sh\n", executable=True),
        "link": File(b"a/b.txt", link=True),
        "out": File(b"/etc/passwd", link=True),
        "loop": File(b"loop", link=True),
        "l\udce9": File(b""),
    }
    ran = run(code, tree=tree, tools={"a/b.txt": File(b"tools")})
    assert ran.code == 0, ran.output.decode()


def test_a_large_tree_arrives_whole(run):
    tree = {f"d{n % 50}/f{n}": File(b"%d" % n) for n in range(3000)} | {"big": File(b"z" * 30_000_000)}
    code = """if True:
        import os, sys
        sizes = [os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(".") for f in fs]
        print(len(sizes), max(sizes))
    """
    assert run(code, tree=tree).report == b"3001 30000000\n"


def test_a_tree_that_does_not_fit_is_a_broken_box_and_not_a_result(run):
    with pytest.raises(SandboxError, match="No space left"):
        run("pass", Limits(work_mb=8), tree={"big": File(b"x" * 9_000_000)})


def test_a_path_that_leaves_the_box_is_refused_before_a_box_is_made(run):
    with pytest.raises(ValueError, match="not a path"):
        run("pass", tree={"../../etc/cron.d/x": File(b"x")})


def test_standard_input_is_empty(run):
    assert run("import sys; print(repr(sys.stdin.read()))").report == b"''\n"


def test_the_environment_is_ours_and_nothing_of_the_hosts(run, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "ghs_planted")
    ran = run("import os, json; print(json.dumps(dict(os.environ)))", env={"TZ": "Asia/Tokyo", "MINE": "ü\n"})
    env = __import__("json").loads(ran.report)
    assert set(env) - {"LC_CTYPE"} == {
        *("PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "MINE"),
        *("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"),
    }
    assert (env["TZ"], env["MINE"], env["HOME"]) == ("Asia/Tokyo", "ü\n", "/tmp")


def test_a_command_that_is_not_there_fails_like_in_a_shell(sandbox, base_image):
    ran = sandbox.verify_fresh(base_image, Command(("no-such-command",)), QUICK)
    assert (ran.code, ran.stopped) == (127, None)
    assert b"no-such-command" in ran.output


def test_a_thousand_long_arguments_pass(sandbox, base_image):
    argv = ("python3", "-c", "import sys; print(sum(map(len, sys.argv[1:])))", *["x" * 1000] * 1000)
    assert sandbox.verify_fresh(base_image, Command(argv), QUICK).report == b"1000000\n"


def test_death_by_a_signal_is_a_code(run):
    assert run("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)").code == 128 + 11


def test_report_chunks_arrive_while_the_command_runs(sandbox, base_image):
    """The command ends only when its first line was seen: it is cancelled by its own report."""
    seen = bytearray()
    code = "import time; print('first', flush=True); time.sleep(600)"
    with sandbox.session(base_image) as session:
        ran = session.run(python(code), QUICK, on_report=seen.extend, cancelled=lambda: b"first" in seen)
        assert session.image == base_image
    assert (ran.code, ran.stopped, ran.report) == (None, "cancelled", None)
    assert seen == b"first\n"


def test_nothing_passes_from_one_run_to_the_next_by_files(sandbox, base_image):
    with sandbox.session(base_image) as session:
        session.run(python("open('/tmp/left', 'w'); open('left', 'w')"), QUICK)
        ran = session.run(python("import os; print(os.listdir('/tmp'), os.listdir('.'))"), QUICK)
    assert ran.report == b"[] []\n"


def test_the_deadline_ends_a_command_that_ignores_signals(run):
    code = """if True:
        import signal, time, os
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        for _ in range(20): os.fork()if _ < 4 else None
        print("partial", flush=True)
        while True: time.sleep(1)
    """
    ran = run(code, Limits(timeout_s=1))
    assert (ran.code, ran.stopped, ran.report) == (None, "deadline", None)
    assert ran.seconds >= 1


def test_a_flood_of_output_is_stopped_and_its_head_and_tail_are_kept(run):
    code = "import sys\nsys.stderr.write('first\\n')\nwhile True: sys.stderr.write('y' * 1023 + '\\n')"
    ran = run(code, Limits(output_bytes=1 << 20))
    assert (ran.code, ran.stopped, ran.report) == (None, "output", None)
    assert ran.output.startswith(b"first\n")
    assert b"bytes cut" in ran.output
    assert len(ran.output) < 400_000


def test_a_flood_on_the_report_channel_is_stopped(run):
    ran = run("while True: print('y' * 1000)", Limits(report_bytes=1 << 20))
    assert (ran.code, ran.stopped, ran.report) == (None, "report", None)


def test_a_memory_hog_is_stopped_by_name(run):
    ran = run("hog = [bytearray(1 << 20) for _ in range(4096)]", Limits(memory_mb=64))
    assert (ran.code, ran.stopped, ran.report) == (None, "memory", None)


def test_a_command_whose_child_was_killed_for_memory_is_not_believed(run):
    """It carries on and says that all is well."""
    code = """if True:
        import os
        if os.fork() == 0: hog = [bytearray(1 << 20) for _ in range(4096)]
        os.wait()
        print("all passed")
    """
    ran = run(code, Limits(memory_mb=64))
    assert (ran.code, ran.stopped, ran.report) == (None, "memory", None)


def test_a_daemon_ends_with_its_command(run):
    """It holds both streams open; the run is over all the same."""
    code = """if True:
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0: time.sleep(600)
            os._exit(0)
        os.wait()
        print("done")
    """
    ran = run(code)
    assert (ran.code, ran.report) == (0, b"done\n")


def test_a_command_that_closes_its_streams_is_waited_for(run):
    ran = run("import os, time; os.close(1); os.close(2); time.sleep(1); os._exit(5)")
    assert (ran.code, ran.report) == (5, b"")
    assert ran.seconds >= 1


def test_killing_everything_in_the_box_gives_no_result(run):
    """The watcher dies with the rest; that is read as a kill, never as an exit code of the command."""
    ran = run("import os; print('forged', flush=True); os.kill(-1, 9)")
    assert (ran.code, ran.report) == (None, None)


def test_fifos_sockets_and_odd_links_left_in_the_tree_hurt_nobody(run):
    code = """if True:
        import os, socket
        os.mkfifo("report.json"); os.symlink("/proc/self/mem", "mem")
        socket.socket(socket.AF_UNIX).bind("sock"); os.mkdir("shut", 0)
        print("ok")
    """
    assert run(code).report == b"ok\n"


def test_several_threads_can_run_boxes_at_once(sandbox, base_image):
    barrier = threading.Barrier(4)

    def one(number: int) -> bytes | None:
        barrier.wait()
        return sandbox.verify_fresh(base_image, python(f"print({number})"), QUICK).report

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(4))) == [b"0\n", b"1\n", b"2\n", b"3\n"]


def test_an_error_of_the_listener_goes_up_as_it_is(sandbox, base_image):
    """It is not mistaken for a fault of the engine."""

    def full(data: bytes) -> None:
        raise OSError("disk full")

    with sandbox.session(base_image) as session, pytest.raises(OSError, match="disk full"):
        session.run(python("print(1)"), QUICK, on_report=full)


def test_an_image_that_is_gone_is_a_broken_box(sandbox):
    with pytest.raises(SandboxError, match="prepare it again"):
        sandbox.verify_fresh(Image("sha256:" + "0" * 64), python("pass"), QUICK)
