"""What is Docker's own in the hardening of boxes: what the engine confirms, its errors, and its images' tricks."""

from __future__ import annotations

import ast
from pathlib import Path

import docker.errors
import pytest
import requests.exceptions
import urllib3.exceptions

from sandbox import Command, Image, Limits, SandboxError, SandboxUnavailable, attacks, box
from sandbox.docker import DockerSandbox, engine, translated
from sandbox.owner import Claim
from sandbox.syscalls import filter_program

pytestmark = pytest.mark.docker

QUICK = Limits(timeout_s=120)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_whole_on_every_known_machine(machine):
    program = filter_program(machine)
    assert program
    assert len(program) % 8 == 0
    assert filter_program("vax") is None


def test_a_flood_of_files_stops_at_the_limit_of_inodes(docker_sandbox, base_image):
    """The contract takes the limit of memory as well; the engine gives each tmpfs one of its own."""
    code = """
def flood():
    for n in range(10 ** 7): os.close(os.open("/tmp/%d" % n, os.O_CREAT | os.O_WRONLY))
tell([name(flood), len(os.listdir("/tmp"))])
"""
    error, count = attacks.told(docker_sandbox, base_image, code)
    assert error == "ENOSPC"
    assert count <= 210_000


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


def test_a_command_cannot_learn_the_last_word_of_its_box(docker_sandbox, base_image):
    """With it, a command could end its run with a code of its choice, and go on."""
    code = """
def look(file): return lambda: open("/proc/%d/%s" % (os.getppid(), file), "rb").read(1)
tell([name(look(file)) for file in ("mem", "environ", "maps", "fd/1", "stack")])
"""
    answers = attacks.told(docker_sandbox, base_image, code)
    assert set(answers) <= {"EACCES", "EPERM"}
