"""Versions: read, compared, shown."""

import re
from functools import lru_cache, total_ordering

from wagon.errors import ParseError

_VERSION = re.compile(
    r"""v?
    (?:(?P<epoch>\d+)!)?
    (?P<release>\d+(?:\.\d+)*)
    (?:[-_.]?(?P<phase>alpha|a|beta|b|preview|pre|rc|c)[-_.]?(?P<phase_number>\d*))?
    (?:[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_number>\d*))?
    (?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_number>\d*))?
    (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?""",
    re.VERBOSE | re.IGNORECASE,
)
_PHASES = {"alpha": "a", "beta": "b", "preview": "rc", "pre": "rc", "c": "rc"}
_INFINITE = float("inf")


@total_ordering
class Version:
    """One version. Compares by meaning: trailing zeros and spelling do not count."""

    __slots__ = ("_key", "dev", "epoch", "local", "phase", "post", "release")

    def __init__(self, text):
        match = _VERSION.fullmatch(text.strip())
        if match is None:
            raise ParseError(f"not a version: {text!r}")
        self.epoch = int(match["epoch"] or 0)
        self.release = tuple(int(number) for number in match["release"].split("."))
        self.phase = None
        if match["phase"]:
            letter = match["phase"].lower()
            self.phase = (_PHASES.get(letter, letter), int(match["phase_number"] or 0))
        self.post = int(match["post_number"] or 0) if match["post"] else None
        self.dev = int(match["dev_number"] or 0) if match["dev"] else None
        self.local = re.sub("[-_]", ".", match["local"].lower()) if match["local"] else ""
        self._key = self._sort_key()

    @property
    def is_prerelease(self):
        return self.phase is not None or self.dev is not None

    @property
    def public(self):
        """Without the local part."""
        return Version(str(self).partition("+")[0])

    def number(self, index):
        """A number of the release; those that are not there are zero."""
        return self.release[index] if index < len(self.release) else 0

    def _trimmed(self):
        release = list(self.release)
        while len(release) > 1 and release[-1] == 0:
            release.pop()
        return tuple(release)

    def _sort_key(self):
        phase = self.phase
        if phase is None:
            # A development version of a release comes before its pre-releases.
            phase = ("", -1) if self.dev is not None and self.post is None else ("z", 0)
        post = -1 if self.post is None else self.post
        dev = _INFINITE if self.dev is None else self.dev
        local = tuple(
            (1, int(part), "") if part.isdigit() else (0, 0, part) for part in self.local.split(".") if part
        )
        return (self.epoch, self._trimmed(), phase, post, dev, local)

    def __eq__(self, other):
        return self._key == other._key if isinstance(other, Version) else NotImplemented

    def __lt__(self, other):
        return self._key < other._key if isinstance(other, Version) else NotImplemented

    def __hash__(self):
        return hash(self._key)

    def __str__(self):
        parts = [f"{self.epoch}!" if self.epoch else "", ".".join(map(str, self.release))]
        if self.phase is not None:
            parts.append(f"{self.phase[0]}{self.phase[1]}")
        if self.post is not None:
            parts.append(f".post{self.post}")
        if self.dev is not None:
            parts.append(f".dev{self.dev}")
        if self.local:
            parts.append(f"+{self.local}")
        return "".join(parts)

    def __repr__(self):
        return f"<Version {self}>"


@lru_cache(maxsize=None)
def version(text):
    """A version, read once for each text."""
    return Version(text)
