"""What untrusted code tries in a box, and what it gets; and what is left on the engine afterwards."""

from __future__ import annotations

import ast
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import docker.errors
import pytest
import requests.exceptions
import urllib3.exceptions

from sandbox import Command, File, Image, Limits, Ran, SandboxError, SandboxUnavailable, box
from sandbox.boot import filter_program
from sandbox.docker import DockerSandbox, engine, translated
from sandbox.owner import Claim

pytestmark = pytest.mark.docker

QUICK = Limits(timeout_s=120)


@pytest.fixture
def attempt(docker_sandbox, base_image):
    """Run Python in a box; its `tell(...)` writes JSON, which comes back."""

    def attempt(code: str, limits: Limits = QUICK):
        prelude = "import os, sys, json, errno\ndef tell(x): print(json.dumps(x), flush=True)\n"
        prelude += "def name(f, *a):\n  try: f(*a)\n  except OSError as e: return errno.errorcode[e.errno]\n"
        ran: Ran = docker_sandbox.verify_fresh(base_image, Command(("python3", "-c", prelude + code)), limits)
        assert ran.code == 0, ran
        return json.loads(ran.report)

    return attempt


def test_the_user_has_no_rights(attempt):
    status = attempt("tell(dict(line.split(':', 1) for line in open('/proc/self/status')))")
    assert status["Uid"].split() == ["10001"] * 4
    assert status["Gid"].split() == ["10001"] * 4
    assert status["Groups"].split() in ([], ["10001"])
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0
    assert status["NoNewPrivs"].strip() == "1"
    assert int(status.get("Seccomp_filters", "2")) >= 2


def test_the_user_has_a_name_and_a_home(attempt):
    code = "import pwd, getpass, pathlib\n"
    code += "tell([pwd.getpwuid(os.getuid()).pw_name, getpass.getuser(), str(pathlib.Path.home())])"
    assert attempt(code) == ["sandbox", "sandbox", "/tmp"]


@pytest.mark.parametrize("folder", ["/", "/etc", "/usr/bin", "/home", "/opt/venv", "/var/tmp", "/root"])
def test_the_root_file_system_cannot_be_written(attempt, folder):
    assert attempt(f"tell(name(open, {folder + '/x'!r}, 'w'))") in ("EROFS", "EACCES")


def test_only_the_boxs_own_memory_can_be_written(attempt):
    code = """if True:
        found = []
        for line in open("/proc/self/mounts"):
            _, place, kind, options, *_ = line.split()
            if os.access(place, os.W_OK) and os.path.isdir(place): found.append([place, kind])
        tell(sorted(found))
    """
    writable = attempt(code)
    assert {place for place, _ in writable} <= {"/sbx", "/tmp", "/dev/shm", "/dev/mqueue"}
    assert {kind for _, kind in writable} <= {"tmpfs", "mqueue"}


def test_there_is_no_network_but_loopback_works(attempt):
    code = """if True:
        import socket, threading
        server = socket.create_server(("localhost", 0))
        threading.Thread(target=lambda: server.accept()[0].sendall(b"hi")).start()
        local = socket.create_connection(("localhost", server.getsockname()[1])).recv(2).decode()
        def connect(host): socket.create_connection((host, 80), 5)
        try: socket.getaddrinfo("example.com", 80)
        except socket.gaierror: resolved = False
        else: resolved = True
        outside, metadata = name(connect, "192.0.2.1"), name(connect, "169.254.169.254")
        tell([local, outside, metadata, resolved, os.listdir("/sys/class/net")])
    """
    local, outside, metadata, resolved, cards = attempt(code)
    assert local == "hi"
    assert (outside, metadata) == ("ENETUNREACH", "ENETUNREACH")
    assert not resolved
    assert cards == ["lo"]


def test_other_kinds_of_sockets_are_denied(attempt):
    """vsock is not covered by a network namespace: on a virtual machine it leads to the host."""
    code = """if True:
        import socket
        kinds = {"vsock": (40, 1), "packet": (17, 3), "alg": (38, 5), "bluetooth": (31, 1), "tipc": (30, 1)}
        tell({kind: name(socket.socket, *numbers) for kind, numbers in kinds.items()})
    """
    assert set(attempt(code).values()) == {"EAFNOSUPPORT"}


def test_usual_sockets_are_allowed(attempt):
    code = """if True:
        import socket
        socket.socketpair()
        for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
            socket.socket(family, socket.SOCK_RAW if family == socket.AF_NETLINK else socket.SOCK_STREAM).close()
        tell("ok")
    """
    assert attempt(code) == "ok"


def test_dangerous_system_calls_are_denied(attempt):
    code = """if True:
        import ctypes, platform
        libc = ctypes.CDLL(None, use_errno=True)
        arm = platform.machine() == "aarch64"
        calls = {"io_uring_setup": 425, "userfaultfd": 282 if arm else 323, "bpf": 280 if arm else 321,
                 "keyctl": 219 if arm else 250, "add_key": 217 if arm else 248, "clone3": 435,
                 "unshare": 97 if arm else 272, "mount": 40 if arm else 165}
        def number(call):
            arguments = (0x10000000, 0, 0, 0, 0) if call == "unshare" else (0, 0, 0, 0, 0)
            assert libc.syscall(calls[call], *arguments) == -1, call
            return errno.errorcode[ctypes.get_errno()]
        tell({call: number(call) for call in calls})
    """
    answers = attempt(code)
    assert answers.pop("clone3") == "ENOSYS"
    assert set(answers.values()) == {"EPERM"}


def test_threads_and_subprocesses_work_behind_the_filter(attempt):
    code = """if True:
        import subprocess, threading, multiprocessing
        thread = threading.Thread(target=os.getpid)
        thread.start(); thread.join()
        tell([subprocess.run(["git", "init", "-q", "."]).returncode, multiprocessing.Pool(2).map(abs, [-1, -2])])
    """
    assert attempt(code) == [0, [1, 2]]


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_whole_on_every_known_machine(machine):
    program = filter_program(machine)
    assert program
    assert len(program) % 8 == 0
    assert filter_program("vax") is None


def test_a_fork_bomb_stops_at_the_limit(attempt):
    code = """if True:
        import time
        count = 0
        while True:
            try: pid = os.fork()
            except OSError as error:
                refusal = errno.errorcode[error.errno]
                break
            if pid == 0: time.sleep(600)
            count += 1
        tell([count, refusal])
    """
    count, refusal = attempt(code, Limits(timeout_s=120, pids=64))
    assert refusal == "EAGAIN"
    assert 32 < count < 64


@pytest.mark.parametrize("folder", ["/sbx/w", "/tmp", "/dev/shm"])
def test_a_full_disk_is_the_boxs_own(attempt, folder):
    code = f"""if True:
        def fill():
            with open("{folder}/big", "wb") as file:
                while True: file.write(b"x" * 1000000)
        tell([name(fill), os.path.getsize("{folder}/big") // 1000000])
    """
    error, size_mb = attempt(code, Limits(timeout_s=120, work_mb=40, tmp_mb=40))
    assert error == "ENOSPC"
    assert size_mb < 70


def test_a_flood_of_files_stops_at_the_limit(attempt):
    code = """if True:
        def flood():
            n = 0
            while True:
                os.close(os.open("/tmp/%d" % n, os.O_CREAT | os.O_WRONLY)); n += 1
        tell([name(flood), len(os.listdir("/tmp"))])
    """
    error, count = attempt(code)
    assert error == "ENOSPC"
    assert count <= 210_000


def test_one_huge_file_stops_at_the_limit(attempt):
    code = """if True:
        import signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        def grow():
            with open("big", "wb") as file: file.truncate(300 << 20)
        tell(name(grow))
    """
    assert attempt(code) == "EFBIG"


def test_secrets_of_the_host_are_not_in_the_box(attempt, monkeypatch):
    monkeypatch.setenv("REGREEN_PRIVATE_KEY", "planted-secret")
    code = """if True:
        places = ["/proc/%s/environ" % pid for pid in os.listdir("/proc") if pid.isdigit()]
        texts = [open(place, "rb").read() for place in places if os.access(place, os.R_OK)]
        tell([len(texts) > 0, any(b"planted" in t or b"REGREEN" in t for t in texts)])
    """
    assert attempt(code) == [True, False]


def test_the_box_does_not_tell_which_container_it_is(attempt):
    code = "import socket, re\n"
    code += "tell([socket.gethostname(), re.findall('[0-9a-f]{64}', open('/proc/self/cgroup').read())])"
    assert attempt(code) == ["sandbox", []]


def test_the_engine_confirms_the_locks(docker_sandbox, base_image):
    """What the engine says of a running box, not what we asked for."""
    seen, owner = [], docker_sandbox.owner

    def look() -> bool:
        with engine() as api:
            for one in api.containers(filters={"label": Claim(owner).filter}):
                seen.append(api.inspect_container(one["Id"]))
        return bool(seen and seen[-1]["State"]["Running"])

    with docker_sandbox.session(base_image) as session:
        session.run(Command(("sleep", "600")), QUICK, cancelled=look)
    host, config = seen[-1]["HostConfig"], seen[-1]["Config"]
    assert host["NetworkMode"] == "none"
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert not host["Privileged"]
    assert host["ReadonlyRootfs"]
    assert not host["Binds"]
    assert not seen[-1]["Mounts"]
    assert not host["Devices"]
    assert host["SecurityOpt"] == ["no-new-privileges:true"]
    assert host["PidMode"] == "" and host["IpcMode"] == "private" and host["UTSMode"] == ""
    assert host["Memory"] == host["MemorySwap"] == QUICK.memory_mb << 20
    assert host["LogConfig"]["Type"] == "none"
    assert config["User"] == "10001:10001"
    assert "PATH" in config["Env"][0] and not any("TOKEN" in entry for entry in config["Env"])


def boxes(owner: str) -> list[str]:
    with engine() as api:
        found = api.containers(all=True, filters={"label": Claim(owner).filter})
        return [one["Id"] for one in found]


def test_nothing_is_left_after_any_end(docker_sandbox, base_image):
    limits = Limits(timeout_s=1, output_bytes=1000, memory_mb=64)
    for code in ("pass", "while True: pass", "while True: print('x')", "[bytearray(1 << 20) for _ in range(999)]"):
        docker_sandbox.verify_fresh(base_image, Command(("python3", "-c", code)), limits)
    with pytest.raises(SandboxError):
        docker_sandbox.verify_fresh(
            base_image, Command(("true",), tree={"a": File(b"x" * 3_000_000)}), Limits(work_mb=1)
        )
    assert boxes(docker_sandbox.owner) == []


CONTROLLER = """
import sys
from sandbox import Command, Image, Limits
from sandbox.docker import DockerSandbox
box = DockerSandbox(owner=sys.argv[2])
command = Command(("python3", "-c", "import time; print('up', flush=True); time.sleep(600)"))
with box.session(Image(sys.argv[1])) as session:
    session.run(command, Limits(), on_report=lambda data: print(data.decode(), flush=True))
"""


def test_a_killed_controller_leaves_nothing(docker_sandbox, base_image):
    """The box ends by itself, since its standard input ends; reaping removes what is left of it."""
    controller = subprocess.Popen(
        [sys.executable, "-c", CONTROLLER, base_image.id, docker_sandbox.owner], stdout=subprocess.PIPE, text=True
    )
    with controller:
        assert controller.stdout.readline() == "up\n"
        assert docker_sandbox.reap() == 0, "a living controller's box was taken away"
        (left,) = boxes(docker_sandbox.owner)
        controller.send_signal(signal.SIGKILL)
    with engine() as api:
        for _ in range(300):
            if not api.inspect_container(left)["State"]["Running"]:
                break
            time.sleep(0.1)
        assert not api.inspect_container(left)["State"]["Running"]
    assert docker_sandbox.reap() == 1
    assert boxes(docker_sandbox.owner) == []
    assert docker_sandbox.reap() == 0


def library_errors():
    for module in (docker.errors, requests.exceptions, urllib3.exceptions):
        for kind in vars(module).values():
            own = isinstance(kind, type) and kind.__module__ == module.__name__
            if own and issubclass(kind, Exception) and not issubclass(kind, Warning):
                yield pytest.param(kind, id=f"{kind.__module__}.{kind.__name__}")


@pytest.mark.parametrize("kind", list(library_errors()))
def test_every_error_of_the_client_is_translated(kind):
    plain = {"__init__": lambda self: None, "__str__": lambda self: "cause", "explanation": "cause"}
    error = type(kind.__name__, (kind,), plain)()
    with pytest.raises(SandboxError) as caught, translated():
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("address", ["unix:///nowhere/docker.sock", "tcp://127.0.0.1:1"])
def test_no_engine_is_said_with_its_remedy(monkeypatch, address):
    monkeypatch.setenv("DOCKER_HOST", address)
    with pytest.raises(SandboxUnavailable, match=r"scripts/engine\.sh"):
        DockerSandbox().reap()


def test_no_permission_is_said_with_its_remedy():
    error = docker.errors.DockerException("Error: ('Connection aborted.', PermissionError(13, 'Permission denied'))")
    with pytest.raises(SandboxUnavailable, match="group `docker`"), translated():
        raise error


def test_volumes_of_an_image_are_no_way_to_the_hosts_disk(docker_sandbox, base_image):
    with engine() as api:
        made = api.create_container(base_image.id, ["true"])
        image = api.commit(made["Id"], repository="regreen-test-volume", changes=["VOLUME /data", "USER root"])
        api.remove_container(made["Id"], v=True)
    try:
        code = "import sys\nf = open('/data/x', 'wb')\nfor _ in range(100): f.write(bytes(1 << 20))"
        ran = docker_sandbox.verify_fresh(Image(image["Id"]), Command(("python3", "-c", code)), QUICK)
        assert ran.code == 1
        assert b"No space left" in ran.output or b"Permission denied" in ran.output
    finally:
        with engine() as api:
            api.remove_image("regreen-test-volume", force=True)


def test_the_bootstrap_is_not_taken_from_the_image():
    assert box.START[:3] == ("python3", "-IS", "-c")
    assert Path(box.boot.__file__).read_text("utf-8") == box.START[3]


def test_the_bootstrap_reads_as_python_3_8():
    ast.parse(box.START[3], feature_version=(3, 8))
