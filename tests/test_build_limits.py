"""What an image build may not do: reach private addresses, or fill this machine's disk."""

from __future__ import annotations

import os
import socket
import threading

import pytest
from hoststate import left_behind

from sandbox import BuildFailed, File, Recipe, SandboxUnavailable, Step
from sandbox.disk import Allowance, used
from sandbox.docker import DockerSandbox, engine
from sandbox.egress import egress
from sandbox.fence import allowed

TRY = """
import socket, sys
def tried(host, port):
    try:
        socket.create_connection((host, int(port)), 10).close()
    except OSError as error:
        return type(error).__name__ + " " + str(error)
    return "open"
for place in sys.argv[1:]:
    print(place, tried(*place.rsplit(":", 1)))
sys.exit(9)
"""


def recipe(*steps: Step) -> Recipe:
    """A recipe that no earlier run has built."""
    return Recipe({"mark": File(os.urandom(8))}, steps)


def answers(sandbox, *places: str) -> dict[str, str]:
    """What a step of a build finds open. It fails on purpose, so that its log is told and no image is left."""
    with pytest.raises(BuildFailed) as caught:
        sandbox.prepare(recipe(Step("try", ("python3", "-c", TRY, *places))))
    lines = (line.partition(" ") for line in caught.value.log.splitlines())
    return {place: answer for place, _, answer in lines if place in places}


@pytest.fixture
def gateway(docker_engine) -> str:
    with engine() as api:
        return api.inspect_network("bridge")["IPAM"]["Config"][0].get("Gateway") or "172.17.0.1"


@pytest.fixture
def service(gateway):
    """Something on this machine that listens for containers, as an engine's or a database's port would."""
    with socket.create_server((gateway, 0)) as listening:
        threading.Thread(target=_answer, args=(listening,), daemon=True).start()
        yield f"{gateway}:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


def _answer(listening: socket.socket) -> None:
    while True:
        try:
            listening.accept()[0].close()
        except OSError:
            return


@pytest.mark.docker
def test_a_build_reaches_no_private_address(docker_sandbox, base_image, service):
    places = (service, "169.254.169.254:80", "10.0.0.1:80", "192.168.1.1:80", "100.64.0.1:80")
    found = answers(docker_sandbox, *places)
    assert set(found) == set(places)
    assert all(answer.startswith("OSError") and "No route to host" in answer for answer in found.values()), found
    assert left_behind(docker_sandbox) == []


@pytest.mark.docker
def test_the_operators_own_index_stays_reachable(docker_sandbox, base_image, service, monkeypatch):
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"http://{service}/simple")
    found = answers(docker_sandbox, service, "169.254.169.254:80")
    assert found[service] == "open"
    assert "No route to host" in found["169.254.169.254:80"]


@pytest.mark.docker
def test_a_build_cannot_take_the_fence_down(docker_sandbox, base_image):
    """Neither as root nor otherwise: the right to change routes is not in its box."""
    code = """
import os, socket
print(sorted(word for word in open("/proc/self/status").read().split("\\n") if word.startswith("CapBnd")))
kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
import struct
body = struct.pack("=BBBBBBBBI", 2, 8, 0, 0, 254, 0, 255, 0, 0) + struct.pack("=HH", 8, 1) + bytes([10, 0, 0, 0])
kernel.send(struct.pack("=IHHII", 16 + len(body), 25, 5, 1, 0) + body)
print("answer", -struct.unpack("=i", kernel.recv(4096)[16:20])[0])
raise SystemExit(9)
"""
    with pytest.raises(BuildFailed) as caught:
        docker_sandbox.prepare(recipe(Step("try", ("python3", "-c", code))))
    assert "answer 1\n" in caught.value.log, caught.value.log


@pytest.fixture
def blind_base(docker_sandbox, base_image):
    """A base in which the program that shuts private addresses cannot run."""
    with engine() as api:
        broken = 'p=$(command -v python3); rm "$p"; printf "#!/bin/sh\nexit 3\n" > "$p"; chmod 755 "$p"'
        made = api.create_container(base_image.id, ["sh", "-c", broken], user="0:0")["Id"]
        api.start(made)
        assert api.wait(made)["StatusCode"] == 0
        image = api.commit(made, repository="regreen-tests-blind")["Id"]
        api.remove_container(made)
        yield image
        api.remove_image(image, force=True)


@pytest.mark.docker
def test_nothing_is_built_where_private_addresses_stay_open(docker_sandbox, blind_base):
    named = DockerSandbox(owner=docker_sandbox.owner, base_image=blind_base)
    with pytest.raises(SandboxUnavailable, match="private addresses") as caught:
        named.prepare(recipe(Step("any", ("true",))))
    assert "REGREEN_BUILD_NETWORK" in str(caught.value)
    assert left_behind(docker_sandbox) == []


@pytest.mark.docker
def test_the_doctor_says_what_builds_can_reach(docker_sandbox):
    told = docker_sandbox.probe().of("build network")
    assert told.enforced
    assert "metadata addresses are shut" in told.detail


def test_bubblewraps_builds_are_said_to_share_the_network(bubblewrap_sandbox):
    told = bubblewrap_sandbox.probe().of("build network")
    assert not told.enforced
    assert "loopback" in told.detail


@pytest.mark.parametrize(
    ("environ", "private"),
    [
        ({"PIP_INDEX_URL": "https://user:secret@10.1.2.3:8080/simple"}, "10.1.2.3"),
        ({"UV_INDEX": "mine=http://192.168.7.7/simple"}, "192.168.7.7"),
        ({"https_proxy": "http://172.20.0.1:3128"}, "172.20.0.1"),
        ({"HTTPS_PROXY": "172.20.0.2:3128"}, "172.20.0.2"),
    ],
    ids=["index", "named index", "proxy", "proxy without a scheme"],
)
def test_what_the_operator_names_is_let_through(environ, private):
    assert private in allowed(egress(environ))


def test_a_public_address_needs_no_leave():
    assert "8.8.8.8" not in allowed(egress({"PIP_INDEX_URL": "https://8.8.8.8/simple"}))


def test_a_build_may_not_fill_the_disk(backend, monkeypatch):
    monkeypatch.setenv("REGREEN_BUILD_DISK_MB", "64")
    fill = "while true; do head -c 1000000 /dev/zero >> /tmp/fill-$(date +%s%N); sleep 0.01; done"
    with pytest.raises(BuildFailed, match="fill") as caught:
        backend.sandbox.prepare(recipe(Step("fill", ("sh", "-c", fill))))
    assert "REGREEN_BUILD_DISK_MB" in caught.value.log
    assert left_behind(backend.sandbox) == []


def test_a_build_that_filled_the_disk_just_before_its_end_is_no_image(backend, monkeypatch):
    monkeypatch.setenv("REGREEN_BUILD_DISK_MB", "64")
    fill = "head -c 200000000 /dev/zero > /opt/deps/fill"
    with pytest.raises(BuildFailed) as caught:
        backend.sandbox.prepare(recipe(Step("fill", ("sh", "-c", fill))))
    assert "REGREEN_BUILD_DISK_MB" in caught.value.log


def test_a_nearly_full_disk_stops_a_build(tmp_path, monkeypatch):
    monkeypatch.setattr("sandbox.disk.RESERVE_BYTES", 1 << 60)
    assert "are left on the disk" in Allowance(lambda: 0, tmp_path).exceeded()


def test_the_disk_is_not_asked_all_the_time(tmp_path):
    asked = []
    allowance = Allowance(lambda: asked.append(1) or 0, tmp_path)
    assert [allowance.exceeded() for _ in range(100)] == [None] * 100
    assert len(asked) < 10


def test_what_is_used_counts_files_and_follows_no_link(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/file").write_bytes(b"x" * 1_000_000)
    (tmp_path / "link").symlink_to("/usr")
    assert 1_000_000 <= used([tmp_path]) < 2_000_000
    assert used([tmp_path / "nowhere"]) == 0


@pytest.mark.docker
def test_a_docker_network_that_the_operator_named_is_left_to_the_operator(docker_sandbox, base_image, gateway):
    """What lives in it is there for builds; all other private addresses are shut as well."""
    named = DockerSandbox(owner=docker_sandbox.owner, build_network="bridge")
    found = answers(named, f"{gateway}:1", "169.254.169.254:80")
    assert "refused" in found[f"{gateway}:1"]
    assert "No route to host" in found["169.254.169.254:80"]
