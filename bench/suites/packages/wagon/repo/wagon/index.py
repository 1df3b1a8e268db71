"""Where packages come from."""

from collections import Counter

from wagon.errors import NoSuchPackage
from wagon.requirement import Requirement, normal
from wagon.version import version


class Index:
    """What an index promises."""

    def versions(self, name):
        """All versions of a package, newest first. NoSuchPackage where there is none."""
        raise NotImplementedError

    def requirements(self, name, wanted):
        """What one version needs."""
        raise NotImplementedError


class MemoryIndex(Index):
    """Packages that are told to it."""

    def __init__(self):
        self._packages = {}
        self._yanked = set()

    def add(self, name, text, *requirements):
        parsed = tuple(Requirement.parse(one) for one in requirements)
        self._packages.setdefault(normal(name), {})[version(text)] = parsed
        return self

    def yank(self, name, text):
        """Withdraw a version: it is listed no more, but whoever has it in a lock file still gets it."""
        self._yanked.add((normal(name), version(text)))

    def versions(self, name):
        known = self._packages.get(normal(name))
        if known is None:
            raise NoSuchPackage(name)
        return sorted((one for one in known if (normal(name), one) not in self._yanked), reverse=True)

    def requirements(self, name, wanted):
        try:
            return self._packages[normal(name)][wanted]
        except KeyError:
            raise NoSuchPackage(f"{name} {wanted}") from None


class CachingIndex(Index):
    """Asks another index at most once for each thing, until `forget`. That there is no such package is kept too."""

    def __init__(self, index):
        self.index = index
        self.asked = Counter()
        self._answers = {}

    def versions(self, name):
        return list(self._once("versions", normal(name)))

    def requirements(self, name, wanted):
        return self._once("requirements", normal(name), wanted)

    def forget(self, name=None):
        """Forget all, or what is known of one package."""
        if name is None:
            self._answers.clear()
            return
        for key in [key for key in self._answers if key[1] == normal(name)]:
            del self._answers[key]

    def _once(self, what, *args):
        key = (what, *args)
        if key not in self._answers:
            self.asked[what] += 1
            try:
                self._answers[key] = (getattr(self.index, what)(*args), None)
            except NoSuchPackage as error:
                self._answers[key] = (None, error)
        answer, error = self._answers[key]
        if error is not None:
            raise error
        return answer


class LayeredIndex(Index):
    """Several indexes; the first that knows a package has it for itself, so that nobody can slip in a newer one."""

    def __init__(self, indexes):
        self.indexes = list(indexes)

    def versions(self, name):
        return self._owner(name).versions(name)

    def requirements(self, name, wanted):
        return self._owner(name).requirements(name, wanted)

    def _owner(self, name):
        for index in self.indexes:
            try:
                index.versions(name)
            except NoSuchPackage:
                continue
            return index
        raise NoSuchPackage(name)
