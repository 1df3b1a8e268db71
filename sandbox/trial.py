"""Tries on this machine what a box of namespaces can do, and says what is amiss and how to mend it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from sandbox import Limits, SandboxError, SandboxUnavailable, cgroups
from sandbox.cgroups import Groups
from sandbox.guarantees import Door, Guarantees, stated
from sandbox.namespaces import Enclosure, Plan, is_root
from sandbox.stream import Clipped
from sandbox.traces import Traces, new_name

_LIMITS = Limits(memory_mb=64, pids=32)
_OLDEST = (0, 8)
_LOOK = """
sed -n 's/^\\(CapEff\\|CapBnd\\|NoNewPrivs\\|Seccomp_filters\\|Uid\\):[[:space:]]*/\\1 /p' /proc/self/status
echo cards $(sed -n 's/^ *\\([^:]*\\):.*/\\1/p' /proc/net/dev)
for p in /proc/[0-9]*; do n=$((n+1)); done; echo processes $n
"""


def try_out(groups: Groups, traces: Traces) -> None:
    """Make a box, with nothing of anybody else's in it, and look around in it. Raises SandboxUnavailable."""
    version = re.search(r"(\d+)\.(\d+)", bwrap_version())
    if not version or (int(version[1]), int(version[2])) < _OLDEST:
        raise SandboxUnavailable(f"bubblewrap is older than {_OLDEST[0]}.{_OLDEST[1]}: {bwrap_version()}")
    found = _look(groups, traces)
    if found.get("cards") != "lo":
        raise SandboxUnavailable(f"a box sees other network cards than its own: {found.get('cards')}")
    rights = [found.get(name, "?").strip("0") for name in ("CapEff", "CapBnd")]
    if any(rights) or found.get("NoNewPrivs") != "1" or int(found.get("Seccomp_filters", "2")) < 2:
        raise SandboxUnavailable(f"a box has more rights than it should: {json.dumps(found)}")
    if int(found.get("processes", "99")) > 4:
        raise SandboxUnavailable("a box sees the processes of this machine")


def bwrap_version() -> str:
    return subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout.strip()


def _look(groups: Groups, traces: Traces) -> dict[str, str]:
    """What a box on this machine's own root says of itself: only our words run in it."""
    name = new_name()
    folders = groups.folders(name)
    said, complaint = Clipped(), Clipped()
    try:
        with traces.kept(name, _LIMITS.timeout_s, groups=folders.values()):
            cgroups.make(folders, groups.version, _LIMITS)
            plan = Plan(name, Path("/"), groups=tuple(set(folders.values())))
            with Enclosure(plan, ("sh", "-c", _LOOK), {}) as enclosure:
                enclosure.pipes(stdout=said.add, stderr=complaint.add).converse(iter([]), lambda: None)
                code = enclosure.code()
    except SandboxError as error:
        raise SandboxUnavailable(str(error)) from error
    if code != 0:
        raise SandboxUnavailable(remedy(complaint.value().decode("utf-8", "replace").strip()))
    lines = said.value().decode("utf-8", "replace").splitlines()
    return {head: rest for head, _, rest in (line.partition(" ") for line in lines)}


def remedy(cause: str, proc: Path = Path("/proc")) -> str:
    """Why no box can be made, in the kernel's words, and what to do about it."""
    said = f"no box can be made with Linux namespaces ({cause[:300]})"

    def setting(name: str) -> str:
        try:
            return (proc / "sys" / name).read_text("ascii").strip()
        except OSError:
            return ""

    if setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            f"{said}: AppArmor keeps user namespaces from programs without a profile, as Ubuntu does since 23.10. "
            "Give bwrap one (apt-get install apparmor-profiles; copy bwrap-userns-restrict from "
            "/usr/share/apparmor/extra-profiles to /etc/apparmor.d; systemctl reload apparmor), "
            "or: sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if setting("kernel/unprivileged_userns_clone") == "0":
        return f"{said}: this kernel forbids user namespaces. sysctl kernel.unprivileged_userns_clone=1 allows them"
    if setting("user/max_user_namespaces") == "0":
        return f"{said}: this machine allows no user namespaces. sysctl user.max_user_namespaces=10000 does"
    if "cgroup.procs" in cause:
        return f"{said}: a process may not be moved into a control group here; run as root or under systemd --user"
    return (
        f"{said}. Inside a container its own engine forbids them: start it with "
        "--security-opt seccomp=unconfined --security-opt systempaths=unconfined, or use the Docker backend"
    )


def guarantees(groups: Groups) -> Guarantees:
    """What `try_out` has found true, and what the control groups add."""
    user = "a user without rights on this machine" if is_root() else "this user, in a namespace that hides its files"
    found: dict[Door, tuple[bool, str]] = {
        "network": (True, "a network namespace with nothing but loopback"),
        "host files": (True, "a root file system of our own; nothing of this machine's is mounted"),
        "host processes": (True, "a process namespace of its own; all in it dies with its first process"),
        "root file system": (True, "mounted read-only"),
        "user namespace": (True, f"its user is {user}"),
        "capabilities": (True, "none"),
        "new privileges": (True, "no_new_privs is set, and every mount forbids setuid"),
        "system calls": (True, "our two seccomp filters"),
        "disk": (True, "nothing but sized tmpfs can be written to"),
        "file size": (True, "a limit on each process"),
        "build network": (False, "steps of an image build share this machine's network, loopback included"),
        **_shared(groups),
    }
    return Guarantees("bubblewrap", bwrap_version(), groups.version, stated(found))


def _shared(groups: Groups) -> dict[Door, tuple[bool, str]]:
    """What all processes of a box may use together."""
    limits: dict[Door, str] = {"memory": "memory", "processes": "pids", "cpu": "cpu", "inodes": "memory"}
    instead: dict[Door, str] = {
        "memory": "each process alone is held",
        "processes": "the limit of its user namespace holds instead",
        "inodes": "a flood of files is held by nothing but this machine's memory",
    }
    how = f"control group {groups.version}"
    found: dict[Door, tuple[bool, str]] = {}
    for door, controller in limits.items():
        if controller in groups.parents:
            found[door] = (True, "files are charged to the memory limit" if door == "inodes" else how)
        else:
            found[door] = (door == "processes", f"{groups.reason}; {instead.get(door, 'nothing holds it instead')}")
    return found
