"""Where code is run: the engine, what a box keeps its promises with, its images, and where they come from."""

from __future__ import annotations

import shutil
from pathlib import Path

from bot import assemble, upkeep
from bot.doctor.finding import Finding
from bot.doctor.machine import by_space
from bot.settings import Settings
from sandbox import SandboxUnavailable, about, debian, prune
from sandbox.guarantees import Guarantees


def engine(settings: Settings) -> Finding:
    """Whether a Docker engine answers, and what it is."""
    try:
        found = about.ask()
    except SandboxUnavailable as error:
        if settings.sandbox == "docker":
            return Finding("docker engine", "problem", f"{error}.", "Without an engine, nothing can be run.")
        return Finding("docker engine", "ok", "None answers, and none is needed for this sandbox.")
    return engine_by_facts(found, settings.runtime)


def engine_by_facts(found: about.Engine, runtime: str) -> Finding:
    """An engine, judged."""
    text = f"{found.version}, API {found.api_version}, {found.storage}, cgroup v{found.cgroup_version}"
    details = (
        f"runtimes: {', '.join(found.runtimes)}; boxes use {runtime or found.default_runtime}",
        f"rootless: {'yes' if found.rootless else 'no'}; confines with {', '.join(found.security) or 'nothing'}",
        *found.warnings,
    )
    if runtime and runtime not in found.runtimes:
        return Finding(
            "docker engine", "problem", f"The engine has no runtime {runtime!r}.",
            f"Set it up in the engine, or set REGREEN_RUNTIME to one of: {', '.join(found.runtimes)}.", details,
        )  # fmt: skip
    if not any(word.startswith("seccomp") for word in found.security):
        text += "; it has no system call filter of its own"
        remedy = "Use an engine that was built with seccomp; see `docker info`."
        return Finding("docker engine", "warning", text, remedy, details)
    return Finding("docker engine", "ok", text, details=details)


def disk(_: Settings) -> Finding:
    """Free space where the engine keeps its images."""
    place = Path(about.ask().root_folder)
    try:
        free_gb = shutil.disk_usage(place).free / 1e9
    except OSError:
        return Finding("engine disk", "ok", f"{place} cannot be looked at from here")
    return by_space("engine disk", place, free_gb)


def sandbox(settings: Settings) -> Finding:
    """What the sandbox enforces on this machine, found out by trying."""
    try:
        return by_guarantees(assemble.backend(settings, settings.sandbox).probe())
    except SandboxUnavailable as error:
        if settings.sandbox == "docker":
            raise  # the engine's own finding says it
        return Finding("sandbox", "problem", f"No box can be made: {error}.", "Mend that, or use another sandbox.")


def by_guarantees(found: Guarantees) -> Finding:
    """Open doors are a warning: the machine decides about them, and a run says so too."""
    text = f"{found.backend} by {found.runtime}, cgroup {found.cgroup}"
    details = tuple(f"{'shut' if one.enforced else 'OPEN'}  {one.door}: {one.detail}" for one in found.each)
    if not found.missing:
        return Finding("sandbox", "ok", f"{text}; every door is shut", details=details)
    doors = ", ".join(one.door for one in found.missing)
    remedy = "Each open door says why it is open, and what would shut it."
    return Finding("sandbox", "warning", f"{text}; not enforced: {doors}.", remedy, details)


def images(settings: Settings) -> Finding:
    """Whether the base is there, and how much room all images take."""
    found = prune.images(upkeep.stocks(settings))
    bases = [image for image in found if image.kind == "base"]
    size_gb = sum(image.own_bytes for image in found) / 1e9
    text = f"{len(bases)} base and {sum(i.kind == 'dependencies' for i in found)} dependency images, {size_gb:.1f} GB"
    if not bases:
        return Finding("images", "ok", "No base image is built yet: the first repair takes a minute longer.")
    if size_gb > settings.images_max_gb:
        remedy = "`regreen images prune` removes the longest unused; `regreen serve` does so once a day."
        return Finding("images", "warning", f"{text}, more than the {settings.images_max_gb:g} GB allowed.", remedy)
    return Finding("images", "ok", text)


def registry(settings: Settings) -> Finding:
    """Where a base image would come from."""
    silent = about.registry()
    if not silent:
        return Finding("image registry", "ok", "It answers and offers the official Python image.")
    if settings.base_image:
        text = f"It does not offer the official Python image ({silent}); {settings.base_image} is used."
        return Finding("image registry", "ok", text)
    if debian.can_build():
        text = "It does not answer, so the base is made from this system's packages."
        return Finding("image registry", "ok", text, details=(silent,))
    return Finding(
        "image registry", "problem", f"It does not offer the official Python image ({silent}).",
        "Load an image with Python 3 into the engine and name it in REGREEN_BASE_IMAGE.",
    )  # fmt: skip
