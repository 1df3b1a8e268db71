"""The lock file: one line for each package, sorted, with what it is needed by. A digest ties it to the requirements."""

import hashlib
import re

from wagon.errors import ParseError
from wagon.requirement import Requirement, normal
from wagon.resolver import ROOT
from wagon.version import version

_LINE = re.compile(r"(?P<name>[\w.-]+)==(?P<version>\S+?)\s*(?:#\s*via\s+(?P<via>.*))?")
_DIGEST = "# requirements: "


def digest(requirements):
    """Stands for requirements: their order, spacing and repetition do not matter."""
    texts = sorted({str(one) for one in requirements})
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def render(resolution, requirements):
    """The text of a lock file."""
    users = {}
    for name, needed in resolution.needs.items():
        for one in needed:
            users.setdefault(one, set()).add(name)
    lines = [f"{_DIGEST}{digest(requirements)}"]
    for name, chosen in sorted(resolution.versions.items()):
        via = sorted(users.get(name, ()), key=lambda user: (user != ROOT, user))
        lines.append(f"{name}=={chosen}" + (f"  # via {', '.join(via)}" if via else ""))
    return "\n".join(lines) + "\n"


class Lock:
    """A lock file that was read."""

    def __init__(self, versions, digest=""):
        self.versions = dict(versions)
        self.digest = digest

    @classmethod
    def parse(cls, text):
        versions, found = {}, ""
        for number, line in enumerate(text.splitlines(), start=1):
            if line.startswith(_DIGEST):
                found = line[len(_DIGEST) :].strip()
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            match = _LINE.fullmatch(line)
            if match is None:
                raise ParseError(f"line {number}: not a locked package: {line!r}")
            name = normal(match["name"])
            if name in versions:
                raise ParseError(f"line {number}: {name} is locked twice")
            versions[name] = version(match["version"])
        return cls(versions, found)

    def fits(self, requirements):
        """Whether it was made for these requirements."""
        return self.digest == digest(requirements)

    def without(self, names=None):
        """Versions to keep when these packages are to be upgraded; None: all of them."""
        if names is None:
            return {}
        dropped = {normal(name) for name in names}
        return {name: chosen for name, chosen in self.versions.items() if name not in dropped}


def changes(before, after):
    """Lines that say what is different between two locks: + added, - removed, ↑ newer, ↓ older."""
    lines = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is None:
            lines.append(f"+ {name} {new}")
        elif new is None:
            lines.append(f"- {name} {old}")
        elif old != new:
            lines.append(f"{'↑' if old < new else '↓'} {name} {old} -> {new}")
    return lines


def read_requirements(text):
    """Requirements of a file: one a line, with comments; a backslash goes on with the next line."""
    joined = re.sub(r"\\\r?\n", " ", text)
    found = []
    for line in joined.splitlines():
        line = re.sub(r"(^|\s)#.*", "", line).strip()
        if line:
            found.append(Requirement.parse(line))
    return found
