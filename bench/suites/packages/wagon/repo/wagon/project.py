"""A project: requirements, groups of them, and the lock."""

from wagon.errors import CircularError, WagonError
from wagon.index import CachingIndex
from wagon.lock import Lock, changes, render
from wagon.requirement import Requirement
from wagon.resolver import Resolver


class Project:
    """Puts index, requirements and lock together. Groups may include others: `{"dev": ["pytest", "@test"]}`."""

    def __init__(self, index, requirements=(), groups=None, environment=None):
        self.index = CachingIndex(index)
        self.requirements = [Requirement.parse(one) for one in requirements]
        self.groups = dict(groups or {})
        self.environment = environment or {}
        self.lock = None

    def wanted(self, *groups):
        """Requirements with those of groups; each once."""
        found = list(self.requirements)
        for name in groups:
            found += self._group(name, ())
        return list(dict.fromkeys(found))

    def _group(self, name, path):
        if name in path:
            raise CircularError([*path[path.index(name) :], name])
        if name not in self.groups:
            raise WagonError(f"no group {name!r}")
        found = []
        for one in self.groups[name]:
            found += self._group(one[1:], (*path, name)) if one.startswith("@") else [Requirement.parse(one)]
        return found

    def sync(self, *groups, upgrade=()):
        """Resolve, keeping to the lock; `upgrade` names packages that may change, None all. Returns what is different."""
        wanted = self.wanted(*groups)
        before = self.lock.versions if self.lock else {}
        kept = self.lock.without(upgrade) if self.lock else {}
        resolution = Resolver(self.index, self.environment, kept).resolve(wanted)
        self.lock = Lock.parse(render(resolution, wanted))
        return changes(before, self.lock.versions)

    def outdated(self):
        """name -> (locked, newest) where a newer version, and no pre-release, could be had."""
        found = {}
        for name, locked in (self.lock.versions if self.lock else {}).items():
            newest = next((one for one in self.index.versions(name) if not one.is_prerelease), None)
            if newest is not None and newest > locked:
                found[name] = (locked, newest)
        return found
