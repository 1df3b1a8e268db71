"""What an engine says of itself, read as guarantees: what of our lockdown it enforces, and what it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Literal

from sandbox import SandboxUnavailable
from sandbox.guarantees import Door, Guarantees, stated

_GVISOR = "runsc"


def is_gvisor(info: Mapping[str, Any], runtime: str) -> bool:
    """True where the program behind the runtime is gVisor's, whatever the operator calls it in daemon.json."""
    known = (info.get("Runtimes") or {}).get(runtime) or {}
    return PurePosixPath(str(known.get("path") or runtime)).name == _GVISOR


def is_podman(version: Mapping[str, Any]) -> bool:
    """True for Podman behind Docker's interface, which refuses some words that Docker takes."""
    return any("podman" in str(part.get("Name", "")).lower() for part in version.get("Components") or ())


def guarantees(
    version: Mapping[str, Any], info: Mapping[str, Any], *, runtime: str | None, build_network: str
) -> Guarantees:
    """From the engine's two answers. Raises SandboxUnavailable when it has not the runtime that is asked for."""
    known = info.get("Runtimes") or {}
    if runtime and known and runtime not in known:
        raise SandboxUnavailable(f"the engine has no runtime {runtime!r}; it has {', '.join(sorted(known))}")
    podman = is_podman(version)
    used = runtime or str(info.get("DefaultRuntime") or "its default runtime")
    gvisor = is_gvisor(info, used)
    found: dict[Door, tuple[bool, str]] = {
        "network": (True, "a network namespace with nothing but loopback"),
        "host files": (True, "the image alone; nothing of this machine's is mounted"),
        "host processes": (True, "a process namespace of its own; all in it dies with its first process"),
        "root file system": (True, "mounted read-only"),
        "user namespace": _user(info),
        "capabilities": (True, "none"),
        "new privileges": (True, "no_new_privs is set"),
        "system calls": _calls(info, gvisor=gvisor),
        "disk": (True, "nothing but sized tmpfs can be written to"),
        "inodes": (True, "files are charged to the memory limit" if podman else "a limit on each tmpfs"),
        "file size": (True, "a limit on each process"),
        "build network": _builds(build_network, gvisor=gvisor),
        **_groups(info, podman=podman),
    }
    name = f"{'Podman' if podman else 'Docker'} {version.get('Version', 'of unknown version')}, {used}"
    kind = "gvisor" if gvisor else "podman" if podman else ""
    return Guarantees("docker", name, _cgroup(info), stated(found), kind)


def _builds(network: str, *, gvisor: bool) -> tuple[bool, str]:
    if network == "host":
        return False, "builders share this machine's network: the proxy is on its loopback, or there is no bridge"
    if gvisor:
        return False, f"network {network}; gVisor does not follow the routes that shut private addresses"
    shut = "private, link-local and metadata addresses are shut, but for the operator's index, proxy and nameserver"
    return True, f"network {network}; {shut}"


def _cgroup(info: Mapping[str, Any]) -> Literal["v1", "v2", "none"]:
    """Older engines do not say: they know version 1 only."""
    told = str(info.get("CgroupVersion") or "1").removeprefix("v")
    return "v2" if told == "2" else "v1" if info.get("CgroupDriver") != "none" else "none"


def _options(info: Mapping[str, Any]) -> set[str]:
    return {str(word).partition(",")[0].removeprefix("name=") for word in info.get("SecurityOptions") or ()}


def _user(info: Mapping[str, Any]) -> tuple[bool, str]:
    if _options(info) & {"rootless", "userns"}:
        return True, "the engine maps the users of boxes to users without rights"
    why = "a box's user has the same number on this machine, and no rights"
    return False, f"{why}; userns-remap in daemon.json, or a rootless engine, would map it away"


def _calls(info: Mapping[str, Any], *, gvisor: bool) -> tuple[bool, str]:
    if gvisor:
        return True, "gVisor answers them in place of this machine's kernel"
    if "seccomp" in _options(info):
        return True, "the engine's seccomp filter and ours"
    return False, "the engine was built without seccomp: ours alone holds, use an engine that has its own"


def _groups(info: Mapping[str, Any], *, podman: bool) -> dict[Door, tuple[bool, str]]:
    """What the engine says of its control groups; Podman says nothing, and starts no box without them."""
    fields: dict[Door, tuple[str, ...]] = {
        "memory": ("MemoryLimit",),
        "processes": ("PidsLimit",),
        "cpu": ("CpuCfsQuota", "CPUCfsQuota"),
    }
    found: dict[Door, tuple[bool, str]] = {}
    for door, names in fields.items():
        told = [bool(info[name]) for name in names if name in info]
        works = any(told) if told else podman
        found[door] = (
            works,
            "control group" if works else "the engine has no control group for it: see `docker info`",
        )
    if found["memory"][0] and info.get("SwapLimit") is False:
        found["memory"] = (True, "control group; swap is not counted by this kernel (boot it with swapaccount=1)")
    return found
