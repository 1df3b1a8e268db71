"""What an engine says of itself becomes guarantees: nothing is taken for enforced that it does not enforce."""

from __future__ import annotations

import pytest

from sandbox import Limits, SandboxUnavailable
from sandbox.box import lockdown
from sandbox.engines import guarantees, is_podman

VERSION = {"Version": "20.10.24", "Components": [{"Name": "Engine"}]}
PODMAN = {"Version": "4.3.1", "Components": [{"Name": "Podman Engine"}, {"Name": "Conmon"}]}
INFO = {
    "MemoryLimit": True, "SwapLimit": True, "PidsLimit": True, "CpuCfsQuota": True, "CgroupVersion": "2",
    "SecurityOptions": ["name=seccomp,profile=default", "name=cgroupns"],
    "Runtimes": {"runc": {}, "runsc": {}}, "DefaultRuntime": "runc",
}  # fmt: skip


def ask(info=None, version=VERSION, runtime=None, network="bridge"):
    return guarantees(version, {**INFO, **(info or {})}, runtime=runtime, build_network=network)


def test_a_usual_engine_shuts_all_but_the_number_of_its_user():
    found = ask()
    assert [one.door for one in found.missing] == ["user namespace"]
    assert (found.backend, found.runtime, found.cgroup) == ("docker", "Docker 20.10.24, runc", "v2")


@pytest.mark.parametrize("option", ["name=rootless", "name=userns"])
def test_an_engine_that_maps_users_shuts_everything(option):
    assert ask({"SecurityOptions": ["name=seccomp,profile=default", option]}).missing == ()


@pytest.mark.parametrize(
    ("info", "door"),
    [
        ({"MemoryLimit": False}, "memory"),
        ({"PidsLimit": False}, "processes"),
        ({"CpuCfsQuota": False}, "cpu"),
        ({"SecurityOptions": ["name=userns"]}, "system calls"),
    ],
)
def test_what_an_engine_lacks_is_open(info, door):
    assert not ask(info).of(door).enforced


def test_a_build_that_shares_the_network_is_said():
    assert not ask(network="host").of("build network").enforced


def test_swap_that_is_not_counted_is_said():
    assert "swapaccount=1" in ask({"SwapLimit": False}).of("memory").detail


def test_gvisor_answers_system_calls_itself():
    found = ask({"SecurityOptions": []}, runtime="runsc")
    assert found.of("system calls").enforced
    assert "gVisor" in found.of("system calls").detail


def test_gvisor_is_known_by_its_program_and_not_by_the_name_that_it_was_given():
    named = ask({"Runtimes": {"runc": {"path": "runc"}, "strong": {"path": "/usr/bin/runsc"}}}, runtime="strong")
    usual = ask({"Runtimes": {"runc": {"path": "runc"}, "runsc": {"path": "/opt/other"}}}, runtime="runsc")
    default = ask({"Runtimes": {"strong": {"path": "/usr/bin/runsc"}}, "DefaultRuntime": "strong"})
    assert [found.kind for found in (named, usual, default, ask(), ask(version=PODMAN))] == [
        "gvisor",
        "",
        "gvisor",
        "",
        "podman",
    ]
    assert not named.of("build network").enforced


def test_a_runtime_that_is_not_there_is_refused():
    with pytest.raises(SandboxUnavailable, match="kata"):
        ask(runtime="kata")


def test_podman_is_told_apart_and_gets_no_limits_on_inodes():
    """It refuses them; and it would mount tmpfs without a limit in two more places."""
    assert is_podman(PODMAN)
    assert not is_podman(VERSION)
    assert ask(version=PODMAN).runtime.startswith("Podman 4.3.1")
    mounts = lockdown(Limits(), ["/data"], inodes=False)["tmpfs"]
    assert not any("nr_inodes" in options for options in mounts.values())
    assert set(mounts) == {"/sbx", "/tmp", "/var/tmp", "/run", "/data"}
    assert all("size=" in options for options in mounts.values())
