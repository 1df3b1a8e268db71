"""This machine: settings, Python, git and disk."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from pathlib import Path

from bot.doctor.finding import Finding
from bot.settings import PREFIX, Settings, secret_names
from bot.workspace import run_git

GIT_FLOORS = {43: 7, 44: 4, 45: 4, 46: 4, 47: 3, 48: 2, 49: 1, 50: 1}
"""Minor version of git 2 -> its first patch release in which a clone cannot run code (CVE-2025-48384 and -48385)."""
_LOW_GB, _EMPTY_GB = 10.0, 2.0


def settings_set(_: Settings) -> Finding:
    """Which settings come from the environment. Secrets are not shown."""
    secret = secret_names()
    shown = tuple(
        f"{name} is set" if name in secret else f"{name}={_without_login(value)}"
        for name, value in sorted(os.environ.items())
        if name.startswith(PREFIX)
    )
    return Finding("settings", "ok", f"{len(shown)} set, the others have their defaults", details=shown)


def python(_: Settings) -> Finding:
    """The interpreter that runs Regreen; an older one than is supported would not have come so far."""
    return Finding("python", "ok", f"{platform.python_version()} at {sys.executable}")


def git(_: Settings) -> Finding:
    """The git client, by its number."""
    try:
        said = run_git("--version").decode("utf-8", "replace").strip()
    except OSError as error:
        return Finding("git", "problem", f"git cannot be run: {error}.", "Install git and put it on PATH.")
    return git_by_version(said)


def git_by_version(said: str) -> Finding:
    """What `git --version` says, judged. Only a warning: distributions mend old versions without a new number."""
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", said)
    if not found:
        return Finding("git", "warning", f"git says {said!r}, which is no version.", "See that git on PATH is git.")
    major, minor, patch = int(found[1]), int(found[2]), int(found[3] or 0)
    newest = max(GIT_FLOORS)
    if major > 2 or (major == 2 and (minor > newest or patch >= GIT_FLOORS.get(minor, 10**6))):
        return Finding("git", "ok", found[0])
    floor = f"2.{minor}.{GIT_FLOORS[minor]}" if major == 2 and minor in GIT_FLOORS else f"2.{min(GIT_FLOORS)}.7"
    return Finding(
        "git", "warning", f"{found[0]} is older than {floor}, in which ways to run code by a clone were closed.",
        "Update git, or see that your distribution has put the fixes of CVE-2025-48384 into it.",
    )  # fmt: skip


def disk(settings: Settings) -> Finding:
    """Free space where Regreen keeps its data."""
    place = settings.home.expanduser().absolute()
    while not place.exists():
        place = place.parent
    return by_space("disk", place, shutil.disk_usage(place).free / 1e9)


def by_space(subject: str, place: Path, free_gb: float) -> Finding:
    """Free space, judged: a dependency image takes some hundred megabytes."""
    text = f"{free_gb:.1f} GB free at {place}"
    remedy = "Free some space: `regreen images prune` removes what can be built again."
    if free_gb < _EMPTY_GB:
        return Finding(subject, "problem", f"Only {text}.", remedy)
    if free_gb < _LOW_GB:
        return Finding(subject, "warning", f"Only {text}.", remedy)
    return Finding(subject, "ok", text)


def _without_login(value: str) -> str:
    return re.sub(r"//[^/@\s]*@", "//…@", value)
