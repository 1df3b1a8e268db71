"""What there is to know of the Docker engine that boxes are made on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sandbox.docker import engine, translated
from sandbox.images import OFFICIAL, registry_silent


@dataclass(frozen=True)
class Engine:
    """An engine, in its own words."""

    version: str
    api_version: str
    storage: str
    cgroup_version: str
    runtimes: tuple[str, ...]
    default_runtime: str
    root_folder: str
    security: tuple[str, ...]
    """Names of what it confines containers with: seccomp, apparmor, selinux, rootless, userns …"""
    warnings: tuple[str, ...]

    @property
    def rootless(self) -> bool:
        return "rootless" in self.security


def ask() -> Engine:
    """Ask the engine. Raises SandboxUnavailable when none answers."""
    with engine() as api, translated():
        return read(api.version(), api.info())


def read(version: dict[str, Any], info: dict[str, Any]) -> Engine:
    """The engine's two answers as one; other engines leave out what Docker always says."""
    options = (word.partition(",")[0] for word in info.get("SecurityOptions") or ())
    # An engine's own inner names, such as io.containerd.runc.v2, are no runtimes that a person has set up.
    runtimes = tuple(sorted(name for name in info.get("Runtimes") or {} if not name.startswith("io.containerd")))
    return Engine(
        version=str(version.get("Version", "unknown")),
        api_version=str(version.get("ApiVersion", "unknown")),
        storage=str(info.get("Driver", "unknown")),
        cgroup_version=str(info.get("CgroupVersion") or "unknown"),
        runtimes=runtimes,
        default_runtime=str(info.get("DefaultRuntime", "")),
        root_folder=str(info.get("DockerRootDir", "")),
        security=tuple(word.removeprefix("name=") for word in options),
        warnings=tuple(info.get("Warnings") or ()),
    )


def registry() -> str:
    """Why the official base image cannot be had from a registry; empty when it can."""
    with engine(), translated():  # first of all, an engine has to answer
        return registry_silent(":".join(OFFICIAL))
