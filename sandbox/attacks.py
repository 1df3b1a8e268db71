"""What untrusted code tries in a box, and what it gets: one function for each way to harm, on any backend."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandbox import Command, File, Image, Limits, Ran, Sandbox

QUICK = Limits(timeout_s=120)
_PRELUDE = """
import ctypes, errno, json, os, signal, socket, sys, time
def tell(x): print(json.dumps(x), flush=True)
def name(act, *arguments):
    try: act(*arguments)
    except OSError as error: return errno.errorcode[error.errno]
    return "done"
libc = ctypes.CDLL(None, use_errno=True)
arm = os.uname().machine == "aarch64"
def call(number, *arguments):
    return "done" if libc.syscall(number, *arguments) != -1 else errno.errorcode[ctypes.get_errno()]
def opened(path): os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
"""


_DEVICES = (
    *("core", "console", "fd", "full", "null", "ptmx", "random"),
    *("stderr", "stdin", "stdout", "tty", "urandom", "zero"),
)


def must(held: bool, message: str) -> None:
    """Also where Python runs without assertions."""
    if not held:
        raise AssertionError(message)


def run(sandbox: Sandbox, image: Image, code: str, limits: Limits = QUICK, **rest: Any) -> Ran:
    """Run Python in a fresh box."""
    return sandbox.verify_fresh(image, Command(("python3", "-c", _PRELUDE + code), **rest), limits)


def told(sandbox: Sandbox, image: Image, code: str, limits: Limits = QUICK) -> Any:
    """What the code in the box has told, once."""
    ran = run(sandbox, image, code, limits)
    must(ran.code == 0 and ran.report is not None, f"the attempt itself failed: {ran}")
    return json.loads(ran.report or b"")


def the_user_has_no_rights(sandbox: Sandbox, image: Image) -> None:
    code = """
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
become = {"root": name(os.setuid, 0), "group": name(os.setgroups, [0]), "hard": name(os.chroot, "/tmp")}
no_more = libc.prctl(39, 0, 0, 0, 0)  # PR_GET_NO_NEW_PRIVS: gVisor does not tell in /proc
tell([{key: value.split() for key, value in status.items()}, become, no_more])
"""
    status, become, no_more = told(sandbox, image, code)
    must(status["Uid"] == ["10001"] * 4 and status["Gid"] == ["10001"] * 4, f"it is {status['Uid']}")
    must(status["Groups"] in ([], ["10001"]), f"it has groups: {status['Groups']}")
    for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        bits = status.get(kind, ["0"])  # gVisor has no ambient ones
        must(int(bits[0], 16) == 0, f"it has capabilities: {kind} {bits}")
    must(no_more == 1, "a setuid program could give it rights")
    must(int(status.get("Seccomp_filters", ["2"])[0]) >= 2, "a system call filter is missing")
    must(set(become.values()) <= {"EPERM", "EINVAL"}, f"it could become somebody else: {become}")


def the_root_file_system_cannot_be_written(sandbox: Sandbox, image: Image) -> None:
    code = """
folders = ["/", "/etc", "/usr/bin", "/home", "/opt", "/opt/venv", "/opt/deps", "/var/tmp", "/root", "/run"]
tell({folder: name(open, folder + "/x", "w") for folder in [*folders, "/proc", "/sys"]})
"""
    answers = told(sandbox, image, code)
    must(set(answers.values()) <= {"EROFS", "EACCES", "ENOENT", "EPERM"}, f"it could write: {answers}")


def only_its_own_memory_can_be_written(sandbox: Sandbox, image: Image) -> None:
    code = """
found = []
for line in open("/proc/self/mounts"):
    _, place, kind, *_ = line.split()
    if os.path.isdir(place) and name(open, place + "/try", "w") == "done": found.append([place, kind])
tell(sorted(found))
"""
    writable = told(sandbox, image, code)
    must({place for place, _ in writable} <= {"/sbx", "/tmp", "/dev/shm", "/dev/mqueue"}, f"it wrote to {writable}")  # noqa: S108
    must({kind for _, kind in writable} <= {"tmpfs", "mqueue"}, f"it wrote to a disk: {writable}")


def there_is_no_network_but_loopback_works(sandbox: Sandbox, image: Image) -> None:
    code = """
import threading
server = socket.create_server(("localhost", 0))
threading.Thread(target=lambda: server.accept()[0].sendall(b"hi")).start()
local = socket.create_connection(("localhost", server.getsockname()[1])).recv(2).decode()
def connect(host): socket.create_connection((host, 80), 5)
try: resolved = bool(socket.getaddrinfo("example.com", 80))
except socket.gaierror: resolved = False
cards = [card for _, card in socket.if_nameindex()]
tell([local, name(connect, "192.0.2.1"), name(connect, "169.254.169.254"), resolved, cards])
"""
    answers = told(sandbox, image, code)
    local, *outside, resolved, cards = answers
    must([local, resolved, cards] == ["hi", False, ["lo"]], f"the network answers: {answers}")
    must(set(outside) <= {"ENETUNREACH", "EHOSTUNREACH"}, f"the network answers: {answers}")


def other_kinds_of_sockets_are_denied(sandbox: Sandbox, image: Image) -> None:
    """vsock is not covered by a network namespace: on a virtual machine it leads to the host."""
    code = """
kinds = {"vsock": (40, 1), "packet": (17, 3), "alg": (38, 5), "bluetooth": (31, 1), "tipc": (30, 1)}
tell({kind: name(socket.socket, *numbers) for kind, numbers in kinds.items()})
"""
    answers = told(sandbox, image, code)
    must(set(answers.values()) == {"EAFNOSUPPORT"}, f"a door beside the network: {answers}")


def abstract_sockets_of_the_host_are_out_of_reach(sandbox: Sandbox, image: Image) -> None:
    address = f"regreen-check-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0" + address)
        listener.listen()
        answer = told(sandbox, image, f"tell(name(socket.socket(socket.AF_UNIX).connect, '\\0{address}'))")
    must(answer == "ECONNREFUSED", f"it reached a socket of this machine: {answer}")


def dangerous_system_calls_are_denied(sandbox: Sandbox, image: Image) -> None:
    code = """
calls = {"io_uring_setup": (425, 425), "userfaultfd": (323, 282), "bpf": (321, 280), "keyctl": (250, 219),
         "add_key": (248, 217), "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount": (166, 39),
         "pivot_root": (155, 41), "fsopen": (430, 430), "open_tree": (428, 428), "reboot": (169, 142),
         "init_module": (175, 105), "kexec_load": (246, 104), "perf_event_open": (298, 241), "syslog": (103, 116),
         "sethostname": (170, 161), "settimeofday": (164, 170), "process_vm_readv": (310, 270),
         "open_by_handle_at": (304, 265)}
first = {"unshare": 0x10000000}
answers = {one: call(numbers[arm], first.get(one, 3), 0, 0, 0, 0) for one, numbers in calls.items()}
answers["clone"] = call(220 if arm else 56, 0x10000000 | 17, 0, 0, 0, 0)
tell([answers, call(435, 0, 0)])
"""
    answers, clone3 = told(sandbox, image, code)
    must(clone3 == "ENOSYS", f"clone3, whose flags no filter can read, answers {clone3}")
    # An engine's older filter does not know the newest calls: those need a capability, or answer so.
    passed = {one: answer for one, answer in answers.items() if answer not in ("EPERM", "ENOSYS")}
    must(not passed, f"system calls that it could make: {passed}")


def devices_cannot_be_made_or_opened(sandbox: Sandbox, image: Image) -> None:
    code = """
import stat
def made(kind, numbers):
    path = "/tmp/device-%d-%d-%d" % (kind, *numbers)
    os.mknod(path, kind | 0o666, os.makedev(*numbers))
    content(path)
secret = ["/dev/mem", "/dev/kmem", "/dev/kmsg", "/dev/port", "/dev/sda", "/dev/vda", "/dev/vsock", "/dev/kvm",
          "/dev/fuse", "/dev/loop0", "/dev/net/tun", "/proc/kcore", "/proc/kmsg", "/proc/keys", "/proc/timer_list"]
def content(path):
    with open(path, "rb") as file:
        if file.read(1): return
    raise OSError(errno.ENODATA, path)
kinds = [(kind, numbers) for kind in (stat.S_IFCHR, stat.S_IFBLK) for numbers in ((1, 1), (8, 0), (254, 0))]
tell([[name(made, *kind) for kind in kinds], {path: name(content, path) for path in secret},
      name(opened, "/dev/tty")])
"""
    made, read, terminal = told(sandbox, image, code)
    # gVisor lets a device be made, and has nothing behind it.
    must(set(made) <= {"EPERM", "EACCES", "ENXIO", "ENODEV"}, f"it made and opened a device: {made}")
    must("done" not in read.values(), f"it read the kernel's or the disk's own: {read}")
    must(terminal in ("ENXIO", "ENOENT", "EACCES", "EIO"), f"it has a terminal: {terminal}")


def only_the_usual_devices_are_there(sandbox: Sandbox, image: Image) -> None:
    code = """
def odd(folder):
    for one in os.listdir(folder):
        path = folder + "/" + one
        if os.path.isdir(path): yield from odd(path) if one == "net" else ()
        elif one not in USUAL and name(lambda: os.close(os.open(path, os.O_RDWR))) == "done": yield path
tell(list(odd("/dev")))
"""
    devices = told(sandbox, image, code.replace("USUAL", repr(_DEVICES)))
    must(not devices, f"odd devices can be opened: {devices}")


def the_kernels_switches_cannot_be_thrown(sandbox: Sandbox, image: Image) -> None:
    code = """
switches = ["/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname",
            "/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/modprobe", "/sys/kernel/uevent_helper",
            "/sys/power/state"]
groups = ("limit_in_bytes", ".max", "procs", "release_agent")
for folder, _, files in os.walk("/sys/fs/cgroup"):
    switches += [os.path.join(folder, file) for file in files if file.endswith(groups)]
def throw(path):
    with open(path, "w") as file: file.write("1")
tell([[path, answer] for path in switches for answer in [name(throw, path)] if answer == "done"])
"""
    thrown = told(sandbox, image, code)
    must(not thrown, f"it changed settings of the kernel: {thrown}")


def a_box_cannot_save_itself_from_being_killed_for_memory(sandbox: Sandbox, image: Image) -> None:
    """Else the kernel would take somebody else's process."""
    code = """
def throw():
    with open("/proc/1/oom_score_adj", "w") as file: file.write("-500")
tell(name(throw))
"""
    answer = told(sandbox, image, code)
    must(answer != "done", "it made itself the last to be killed")


def only_its_own_processes_are_there(sandbox: Sandbox, image: Image) -> None:
    """None of the host's can be seen, traced or signalled."""
    code = """
pids = [int(one) for one in os.listdir("/proc") if one.isdigit()]
owners = {os.stat("/proc/%d" % pid).st_uid for pid in pids}
seize = 0x4206  # unlike PTRACE_ATTACH, it would not stop what it gets hold of
attach = call(117 if arm else 101, seize, OUTSIDE, 0, 0)
tell([len(pids), sorted(owners), name(os.kill, OUTSIDE, 0), attach])
"""
    # Numbers in the box begin at 1; ours, where it is as small, is taken for one of them.
    outside = max(os.getpid(), 1000)
    count, owners, signalled, attached = told(sandbox, image, code.replace("OUTSIDE", str(outside)))
    must(count <= 5, f"it sees {count} processes")
    must(owners == [10001], f"it sees processes of others: {owners}")
    must(signalled == "ESRCH" and attached == "ESRCH", f"it reached a process outside: {signalled}, {attached}")


@contextlib.contextmanager
def _planted() -> Iterator[str]:
    """A secret of this machine: a file, the name of a file, and a word of our own environment."""
    word = f"planted-{secrets.token_hex(8)}"
    os.environ["REGREEN_CHECK_SECRET"] = word
    try:
        with tempfile.TemporaryDirectory(prefix=word) as folder:
            Path(folder, word).write_text(word, "utf-8")
            yield word
    finally:
        del os.environ["REGREEN_CHECK_SECRET"]


def secrets_of_the_host_are_not_in_the_box(sandbox: Sandbox, image: Image) -> None:
    """Not in an environment, not by a name, not behind an open file; and the host's /etc and /root are not there."""
    code = """
word = "plan" + "ted"  # in one piece it would stand in our own argv
def read(path):
    try:
        with open(path, "rb") as file: return file.read(1 << 20)
    except OSError: return b""
processes = ["/proc/" + one for one in os.listdir("/proc") if one.isdigit()]
texts = [read(one + "/" + file) for one in processes for file in ("environ", "cmdline")]
doors = {one: os.readlink(one) for process in processes if os.access(process + "/fd", os.R_OK)
         for one in (process + "/fd/" + number for number in os.listdir(process + "/fd")) if os.path.islink(one)}
names = [os.path.join(folder, one) for folder, folders, files in os.walk("/")
         if not folder.startswith(("/proc", "/sys")) for one in folders + files if word in one]
tell([len(texts), any(word.encode() in text for text in texts), list(doors.values()), names,
      len(read("/etc/shadow")), sorted(os.listdir("/root")) if os.access("/root", os.R_OK) else []])
"""
    with _planted():
        count, seen, doors, names, shadow, home = told(sandbox, image, code)
    must(count > 0 and not seen, "it sees a secret in an environment")
    must(not names, f"it sees files of this machine: {names}")
    # What a look into /proc opens itself is named after it.
    inherited = {one for one in doors if not one.startswith(("pipe:", "/dev/null", "/proc/", "anon_inode:"))}
    inherited -= {f"host:[{stream}]" for stream in (1, 2, 3)}  # gVisor's names for the three standard streams
    must(not inherited, f"it inherited open files: {inherited}")
    must(shadow == 0, "it reads /etc/shadow")
    own = {".bashrc", ".profile", ".cache", ".wget-hsts"}
    must(set(home) <= own, f"it sees somebody's home: {home}")


def the_box_does_not_tell_what_it_is(sandbox: Sandbox, image: Image) -> None:
    code = "import re\n"
    code += "tell([socket.gethostname(), re.findall('[0-9a-f]{16,}', open('/proc/self/cgroup').read())])"
    answers = told(sandbox, image, code)
    must(answers == ["sandbox", []], f"it tells its name: {answers}")


def a_fork_bomb_stops_at_the_limit(sandbox: Sandbox, image: Image) -> None:
    code = """
count, refusal = 0, ""
while not refusal:
    try:
        if os.fork() == 0: time.sleep(600)
        count += 1
    except OSError as error: refusal = errno.errorcode[error.errno]
tell([count, refusal])
"""
    count, refusal = told(sandbox, image, code, Limits(timeout_s=120, pids=64))
    must(refusal == "EAGAIN" and 32 < count < 64, f"{count} processes, then {refusal}")


def a_memory_hog_is_stopped_by_name(sandbox: Sandbox, image: Image) -> None:
    ran = run(sandbox, image, "hog = [bytearray(1 << 20) for _ in range(4096)]", Limits(memory_mb=64))
    must((ran.code, ran.stopped, ran.report) == (None, "memory", None), f"it ended with {ran}")


def a_command_whose_child_was_killed_for_memory_is_not_believed(sandbox: Sandbox, image: Image) -> None:
    """It carries on and says that all is well."""
    code = """
if os.fork() == 0: hog = [bytearray(1 << 20) for _ in range(4096)]
os.wait()
print("all passed")
"""
    ran = run(sandbox, image, code, Limits(memory_mb=64))
    must((ran.code, ran.stopped, ran.report) == (None, "memory", None), f"it ended with {ran}")


def a_full_disk_is_its_own(sandbox: Sandbox, image: Image) -> None:
    code = """
def fill(place):
    with open(place, "wb") as file:
        while True: file.write(b"x" * 1000000)
places = ["/sbx/w/big", "/tmp/big", "/dev/shm/big"]
tell([[name(fill, place), os.path.getsize(place) // 1000000] for place in places])
"""
    for error, size_mb in told(sandbox, image, code, Limits(timeout_s=120, work_mb=40, tmp_mb=40)):
        must(error == "ENOSPC" and size_mb < 70, f"it filled {size_mb} MB, then {error}")


def a_flood_of_files_stops_at_a_limit(sandbox: Sandbox, image: Image) -> None:
    """Of inodes, or of the memory that they are charged to."""
    code = """
def flood():
    for n in range(10 ** 7): os.close(os.open("/tmp/%d" % n, os.O_CREAT | os.O_WRONLY))
tell([name(flood), len(os.listdir("/tmp"))])
"""
    ran = run(sandbox, image, code, Limits(timeout_s=120, memory_mb=64))
    if ran.stopped != "memory":
        error, count = json.loads(ran.report or b'["nothing", 0]')
        must(error == "ENOSPC" and count <= 210_000, f"it made {count} files, then {error}: {ran}")


def one_process_has_limits_that_it_cannot_raise(sandbox: Sandbox, image: Image) -> None:
    code = """
import resource
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def grow():
    with open("big", "wb") as file: file.truncate(300 << 20)
def hoard():
    kept = [os.dup(0) for _ in range(10000)]
def raised(kind):
    hard = resource.getrlimit(kind)[1]
    try: resource.setrlimit(kind, (hard + 1, hard + 1))
    except (ValueError, OSError): return False
    return True
kinds = (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE)
tell([name(grow), name(hoard), [raised(kind) for kind in kinds], resource.getrlimit(resource.RLIMIT_CORE)])
"""
    huge, many, raised, core = told(sandbox, image, code)
    must(huge == "EFBIG", f"one file can be huge: {huge}")
    must(many == "EMFILE", f"many files can be open: {many}")
    must(not any(raised), "it raised its own limits")
    must(core == [1, 1], f"its core dumps reach this machine: {core}")


def a_crash_leaves_no_core_dump(sandbox: Sandbox, image: Image) -> None:
    code = """
if os.fork() == 0: os.kill(os.getpid(), signal.SIGSEGV)
status = os.wait()[1]
tell([os.WTERMSIG(status), os.WCOREDUMP(status), os.listdir(".")])
"""
    answers = told(sandbox, image, code)
    must(answers == [11, False, []], f"a crash leaves something: {answers}")


def the_deadline_ends_a_command_that_ignores_signals(sandbox: Sandbox, image: Image) -> None:
    code = """
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
for _ in range(4): os.fork()
print("partial", flush=True)
while True: time.sleep(1)
"""
    ran = run(sandbox, image, code, Limits(timeout_s=1))
    must((ran.code, ran.stopped, ran.report) == (None, "deadline", None), f"it ended with {ran}")
    must(ran.seconds >= 1, "it ended before its deadline")


def a_flood_of_output_is_stopped_and_its_head_and_tail_are_kept(sandbox: Sandbox, image: Image) -> None:
    code = "sys.stderr.write('first\\n')\nwhile True: sys.stderr.write('y' * 1023 + '\\n')"
    ran = run(sandbox, image, code, Limits(output_bytes=1 << 20))
    must((ran.code, ran.stopped, ran.report) == (None, "output", None), f"it ended with {ran.stopped}")
    must(ran.output.startswith(b"first\n") and b"bytes cut" in ran.output, "head or mark is missing")
    must(len(ran.output) < 400_000, f"{len(ran.output)} bytes were kept")


def a_flood_on_the_report_channel_is_stopped(sandbox: Sandbox, image: Image) -> None:
    ran = run(sandbox, image, "while True: print('y' * 1000)", Limits(report_bytes=1 << 20))
    must((ran.code, ran.stopped, ran.report) == (None, "report", None), f"it ended with {ran.stopped}")


def a_daemon_ends_with_its_command(sandbox: Sandbox, image: Image) -> None:
    """It holds both streams open; the run is over all the same."""
    code = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(600)
    os._exit(0)
os.wait()
print("done")
"""
    ran = run(sandbox, image, code)
    must((ran.code, ran.report) == (0, b"done\n"), f"it ended with {ran}")


def killing_everything_in_the_box_gives_no_result(sandbox: Sandbox, image: Image) -> None:
    """The watcher dies with the rest; that is read as a kill, never as an exit code of the command."""
    ran = run(sandbox, image, "print('forged', flush=True); name(os.kill, 1, 9); os.kill(-1, 9)")
    must((ran.code, ran.report) == (None, None), f"it ended with {ran}")


def odd_files_left_in_the_tree_hurt_nobody(sandbox: Sandbox, image: Image) -> None:
    """A FIFO, a socket, links to what must not be read, a sparse file, a folder that is shut: all stay inside."""
    code = """
os.mkfifo("report.json"); os.symlink("/proc/self/mem", "mem"); os.symlink("/etc/shadow", "report.xml")
socket.socket(socket.AF_UNIX).bind("sock"); os.mkdir("shut", 0)
with open("sparse", "wb") as file: file.truncate(200 << 20)
print("ok")
"""
    ran = run(sandbox, image, code)
    must(ran.report == b"ok\n", f"it ended with {ran}")


def a_path_that_leaves_the_box_is_refused_before_a_box_is_made(sandbox: Sandbox, image: Image) -> None:
    for path in ("../../etc/cron.d/x", "/etc/cron.d/x", "a/../../x", "a\0b"):
        try:
            run(sandbox, image, "pass", tree={path: File(b"x")})
        except ValueError:
            continue
        raise AssertionError(f"a file was made at {path!r}")
