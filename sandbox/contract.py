"""What every backend must do, as named checks: run by the tests on each of them, and by `regreen doctor`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import TypeAlias

from sandbox import Command, File, Image, Limits, Sandbox, SandboxError, attacks
from sandbox.attacks import QUICK, must, run

Check: TypeAlias = Callable[[Sandbox, Image], None]
"""Raises AssertionError, with a message, where the backend does not keep its contract."""


def report_and_output_come_back_apart(sandbox: Sandbox, image: Image) -> None:
    ran = run(sandbox, image, "print('report'); print('noise', file=sys.stderr); sys.exit(7)")
    got = (ran.code, ran.stopped, ran.report, ran.output)
    must(got == (7, None, b"report\n", b"noise\n") and ran.seconds > 0, f"it ended with {ran}")


def the_tree_and_the_tools_lie_where_the_contract_says(sandbox: Sandbox, image: Image) -> None:
    code = """
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
    ran = run(sandbox, image, code, tree=tree, tools={"a/b.txt": File(b"tools")})
    must(ran.code == 0, ran.output.decode("utf-8", "replace"))


def a_large_tree_arrives_whole(sandbox: Sandbox, image: Image) -> None:
    tree = {f"d{n % 50}/f{n}": File(b"%d" % n) for n in range(3000)} | {"big": File(b"z" * 30_000_000)}
    code = """
sizes = [os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(".") for f in fs]
print(len(sizes), max(sizes))
"""
    ran = run(sandbox, image, code, tree=tree)
    must(ran.report == b"3001 30000000\n", f"it ended with {ran}")


def a_tree_that_does_not_fit_is_a_broken_box_and_not_a_result(sandbox: Sandbox, image: Image) -> None:
    try:
        ran = run(sandbox, image, "pass", Limits(work_mb=8), tree={"big": File(b"x" * 9_000_000)})
    except SandboxError as error:
        must("No space left" in str(error), f"the cause is not said: {error}")
    else:
        raise AssertionError(f"it fitted: {ran}")


def standard_input_is_empty(sandbox: Sandbox, image: Image) -> None:
    ran = run(sandbox, image, "print(repr(sys.stdin.read()))")
    must(ran.report == b"''\n", f"it read {ran.report!r}")


def the_environment_is_ours_and_nothing_of_the_hosts(sandbox: Sandbox, image: Image) -> None:
    ran = run(sandbox, image, "tell(dict(os.environ))", env={"TZ": "Asia/Tokyo", "MINE": "ü\n"})
    env = json.loads(ran.report or b"{}")
    ours = {
        *("PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "MINE"),
        *("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"),
    }
    must(set(env) - {"LC_CTYPE"} == ours, f"its environment holds {sorted(env)}")
    must((env["TZ"], env["MINE"]) == ("Asia/Tokyo", "ü\n"), "what the command asked for did not arrive")


def the_user_has_a_name_and_a_home(sandbox: Sandbox, image: Image) -> None:
    code = "import pwd, getpass, pathlib\n"
    code += "tell([pwd.getpwuid(os.getuid()).pw_name, getpass.getuser(), str(pathlib.Path.home())])"
    answers = attacks.told(sandbox, image, code)
    must(answers == ["sandbox", "sandbox", "/tmp"], f"it is {answers}")  # noqa: S108 - in the box


def threads_subprocesses_and_usual_sockets_work(sandbox: Sandbox, image: Image) -> None:
    code = """
import subprocess, threading, multiprocessing
thread = threading.Thread(target=os.getpid)
thread.start(); thread.join()
socket.socketpair()
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
    socket.socket(family, socket.SOCK_RAW if family == socket.AF_NETLINK else socket.SOCK_STREAM).close()
tell([subprocess.run(["git", "init", "-q", "."]).returncode, multiprocessing.Pool(2).map(abs, [-1, -2])])
"""
    answers = attacks.told(sandbox, image, code)
    must(answers == [0, [1, 2]], f"they answer {answers}")


def a_command_that_is_not_there_fails_like_in_a_shell(sandbox: Sandbox, image: Image) -> None:
    ran = sandbox.verify_fresh(image, Command(("no-such-command",)), QUICK)
    must((ran.code, ran.stopped) == (127, None) and b"no-such-command" in ran.output, f"it ended with {ran}")


def a_thousand_long_arguments_pass(sandbox: Sandbox, image: Image) -> None:
    argv = ("python3", "-c", "import sys; print(sum(map(len, sys.argv[1:])))", *["x" * 1000] * 1000)
    ran = sandbox.verify_fresh(image, Command(argv), QUICK)
    must(ran.report == b"1000000\n", f"it ended with {ran.report!r}")


def death_by_a_signal_is_a_code(sandbox: Sandbox, image: Image) -> None:
    ran = run(sandbox, image, "os.kill(os.getpid(), signal.SIGSEGV)")
    must(ran.code == 128 + 11, f"it ended with {ran}")


def a_command_that_closes_its_streams_is_waited_for(sandbox: Sandbox, image: Image) -> None:
    ran = run(sandbox, image, "os.close(1); os.close(2); time.sleep(1); os._exit(5)")
    must((ran.code, ran.report) == (5, b"") and ran.seconds >= 1, f"it ended with {ran}")


def a_run_can_be_cancelled_by_its_own_report(sandbox: Sandbox, image: Image) -> None:
    """Chunks arrive while the command runs; it ends only because its first line was seen."""
    seen = bytearray()
    command = Command(("python3", "-c", "import time; print('first', flush=True); time.sleep(600)"))
    with sandbox.session(image) as session:
        ran = session.run(command, QUICK, on_report=seen.extend, cancelled=lambda: b"first" in seen)
        must(session.image == image, "the session runs another image")
    must((ran.code, ran.stopped, ran.report) == (None, "cancelled", None), f"it ended with {ran}")
    must(seen == b"first\n", f"its report was {bytes(seen)!r}")


def nothing_passes_from_one_run_to_the_next_by_files(sandbox: Sandbox, image: Image) -> None:
    leave = "import os; open('/tmp/left', 'w'); open('left', 'w'); open('/dev/shm/left', 'w')"
    look = "import os; print([os.listdir(place) for place in ('/tmp', '.', '/dev/shm')])"
    with sandbox.session(image) as session:
        session.run(Command(("python3", "-c", leave)), QUICK)
        ran = session.run(Command(("python3", "-c", look)), QUICK)
    must(ran.report == b"[[], [], []]\n", f"the second run saw {ran.report!r}")
    must(not os.path.exists("/tmp/left"), "a file appeared on this machine")  # noqa: PTH110, S108


def an_image_that_is_gone_is_a_broken_box(sandbox: Sandbox, image: Image) -> None:
    del image
    for gone in ("sha256:" + "0" * 64, "0" * 24 + "@" + "0" * 64):
        try:
            sandbox.verify_fresh(Image(gone), Command(("true",)), QUICK)
        except SandboxError as error:
            must("prepare it again" in str(error), f"the remedy is not said: {error}")
        else:
            raise AssertionError("a box was made from nothing")


BEHAVIOUR: tuple[Check, ...] = (
    report_and_output_come_back_apart,
    the_tree_and_the_tools_lie_where_the_contract_says,
    a_large_tree_arrives_whole,
    a_tree_that_does_not_fit_is_a_broken_box_and_not_a_result,
    standard_input_is_empty,
    the_environment_is_ours_and_nothing_of_the_hosts,
    the_user_has_a_name_and_a_home,
    threads_subprocesses_and_usual_sockets_work,
    a_command_that_is_not_there_fails_like_in_a_shell,
    a_thousand_long_arguments_pass,
    death_by_a_signal_is_a_code,
    a_command_that_closes_its_streams_is_waited_for,
    a_run_can_be_cancelled_by_its_own_report,
    nothing_passes_from_one_run_to_the_next_by_files,
    an_image_that_is_gone_is_a_broken_box,
)

ISOLATION: tuple[Check, ...] = (
    attacks.the_user_has_no_rights,
    attacks.the_root_file_system_cannot_be_written,
    attacks.only_its_own_memory_can_be_written,
    attacks.there_is_no_network_but_loopback_works,
    attacks.other_kinds_of_sockets_are_denied,
    attacks.abstract_sockets_of_the_host_are_out_of_reach,
    attacks.dangerous_system_calls_are_denied,
    attacks.devices_cannot_be_made_or_opened,
    attacks.only_the_usual_devices_are_there,
    attacks.the_kernels_switches_cannot_be_thrown,
    attacks.a_box_cannot_save_itself_from_being_killed_for_memory,
    attacks.only_its_own_processes_are_there,
    attacks.secrets_of_the_host_are_not_in_the_box,
    attacks.the_box_does_not_tell_what_it_is,
    attacks.a_fork_bomb_stops_at_the_limit,
    attacks.a_memory_hog_is_stopped_by_name,
    attacks.a_command_whose_child_was_killed_for_memory_is_not_believed,
    attacks.a_full_disk_is_its_own,
    attacks.a_flood_of_files_stops_at_a_limit,
    attacks.one_process_has_limits_that_it_cannot_raise,
    attacks.a_crash_leaves_no_core_dump,
)

ENDINGS: tuple[Check, ...] = (
    attacks.the_deadline_ends_a_command_that_ignores_signals,
    attacks.a_flood_of_output_is_stopped_and_its_head_and_tail_are_kept,
    attacks.a_flood_on_the_report_channel_is_stopped,
    attacks.a_daemon_ends_with_its_command,
    attacks.killing_everything_in_the_box_gives_no_result,
    attacks.odd_files_left_in_the_tree_hurt_nobody,
    attacks.a_path_that_leaves_the_box_is_refused_before_a_box_is_made,
)

CHECKS = (*BEHAVIOUR, *ISOLATION, *ENDINGS)

KNOWN_DIFFERENCES: Mapping[str, Mapping[str, str]] = {
    "docker": {},
    "podman": {"the_box_does_not_tell_what_it_is": "with cgroup v1 it gives a box no control group namespace"},
    "gvisor": {
        "only_the_usual_devices_are_there": "/dev/fuse and /dev/net/tun are its own, in its own kernel",
        "a_box_cannot_save_itself_from_being_killed_for_memory": "the number that it writes is one of gVisor's own",
        "a_fork_bomb_stops_at_the_limit": "gVisor's own threads count too, and the box ends with the first refusal",
    },
    "bubblewrap": {},
    "none": dict.fromkeys(
        (check.__name__ for check in ISOLATION), "nothing is isolated: the command runs as this user, on this machine"
    )
    | {
        "the_tree_and_the_tools_lie_where_the_contract_says": "they lie in a temporary folder",
        "a_tree_that_does_not_fit_is_a_broken_box_and_not_a_result": "nothing bounds the disk",
        "the_user_has_a_name_and_a_home": "it is whoever runs Regreen",
        "nothing_passes_from_one_run_to_the_next_by_files": "the folder for temporary files is this machine's own",
        "killing_everything_in_the_box_gives_no_result": "it would kill all that this user runs",
        "a_daemon_ends_with_its_command": "a process that leaves its process group is not found",
    },
}
"""Backend, or what makes its boxes (`Guarantees.kind`) -> name of a check that it does not pass -> reason."""


def expected(backend: str) -> list[Check]:
    """The checks that a backend must pass."""
    return [check for check in CHECKS if check.__name__ not in KNOWN_DIFFERENCES[backend]]
