"""The search for versions that go together: depth first, newest first, back to what caused the conflict."""

from dataclasses import dataclass, field

from wagon.errors import Impossible, NoSuchPackage
from wagon.requirement import Requirement

ROOT = "you"


@dataclass(frozen=True)
class Want:
    """A requirement and who has it."""

    requirement: Requirement
    who: str = ROOT

    @property
    def name(self):
        return self.requirement.name


@dataclass
class Resolution:
    """What was found: name -> version, and who needs what."""

    versions: dict = field(default_factory=dict)
    needs: dict = field(default_factory=dict)
    """name -> names of what it needs, sorted"""
    tries: int = 0

    def order(self):
        """Names so that each comes after what it needs; else by name. What needs each other comes by name."""
        done, order = set(), []

        def visit(name, path):
            if name in done or name in path:
                return
            for needed in self.needs.get(name, ()):
                visit(needed, (*path, name))
            done.add(name)
            order.append(name)

        for name in sorted(self.versions):
            visit(name, ())
        return order

    def why(self, name):
        """The shortest chain of names from what was asked for to a package; of equals the first by name."""
        paths = [[root] for root in self.needs.get(ROOT, ())]
        seen = set()
        while paths:
            path = paths.pop(0)
            if path[-1] == name:
                return path
            if path[-1] not in seen:
                seen.add(path[-1])
                paths += [[*path, needed] for needed in self.needs.get(path[-1], ())]
        return []


class Resolver:
    """Resolves requirements against an index.

    locked     name -> version that is taken first where it will do
    overrides  name -> specifier that counts instead of all others
    """

    def __init__(self, index, environment=None, locked=None, overrides=None, prereleases=False):
        self.index = index
        self.environment = environment or {}
        self.locked = dict(locked or {})
        self.overrides = dict(overrides or {})
        self.prereleases = prereleases
        self._tries = 0

    def resolve(self, requirements):
        """A Resolution. Impossible when there is none."""
        self._tries = 0
        wants = [Want(one) for one in requirements if one.counts(self.environment)]
        chosen = self._search({}, wants)
        resolution = Resolution(dict(sorted(chosen.items())), tries=self._tries)
        self._note_needs(resolution, wants)
        return resolution

    def _search(self, chosen, wants):
        """Choose a version for the next package that is wanted, and go on from there."""
        pending = self._pending(chosen, wants)
        if pending is None:
            return chosen
        candidates = self._candidates(pending, wants)
        conflict = None
        for candidate in candidates:
            self._tries += 1
            now = {**chosen, pending: candidate}
            try:
                more = self._with_needs(now, wants)
                self._check(now, more)
                return self._search(now, more)
            except Impossible as error:
                conflict = conflict or error
        raise conflict or self._impossible(pending, wants)

    def _pending(self, chosen, wants):
        """The first wanted package that has no version."""
        for want in wants:
            if want.name not in chosen:
                return want.name
        return None

    def _candidates(self, name, wants):
        """Versions that satisfy all wants, the best first: the locked one, then the newest."""
        specifier = self._specifier(name, wants)
        try:
            versions = self.index.versions(name)
        except NoSuchPackage:
            raise self._impossible(name, wants) from None
        locked = self.locked.get(name)
        if locked is not None and locked not in versions and self._is_known(name, locked):
            versions = [*versions, locked]
        if self.prereleases:
            found = [one for one in versions if specifier.allows(one, prereleases=True)]
        else:
            found = specifier.filter(versions)
        return sorted(found, key=lambda one: one != locked) if locked is not None else found

    def _is_known(self, name, wanted):
        try:
            self.index.requirements(name, wanted)
        except NoSuchPackage:
            return False
        return True

    def _specifier(self, name, wants):
        from wagon.specifier import Specifier

        if name in self.overrides:
            return self.overrides[name]
        specifier = Specifier()
        for want in wants:
            if want.name == name:
                specifier = specifier & want.requirement.specifier
        return specifier

    def _with_needs(self, chosen, wants):
        """All wants, once those of every chosen version are among them. New extras of one may bring wants of another."""
        known = list(wants)
        while True:
            fresh = [
                want
                for name, candidate in chosen.items()
                for want in self._needed_by(name, candidate, known)
                if want not in known
            ]
            if not fresh:
                return known
            known += dict.fromkeys(fresh)

    def _needed_by(self, name, candidate, wants):
        """Wants of one version, with the extras that anybody asked of it."""
        extras = self._extras(name, wants)
        who = f"{name} {candidate}"
        return [
            Want(one, who)
            for one in self.index.requirements(name, candidate)
            if one.counts(self.environment, extras)
        ]

    @staticmethod
    def _extras(name, wants):
        return sorted({extra for want in wants if want.name == name for extra in want.requirement.extras})

    def _check(self, chosen, wants):
        """Impossible when a version that is chosen will not do for what has come since."""
        for name, candidate in chosen.items():
            specifier = self._specifier(name, wants)
            if not specifier.allows(candidate, prereleases=True):
                raise self._impossible(name, wants)

    def _impossible(self, name, wants):
        return Impossible(name, [(str(want.requirement), want.who) for want in wants if want.name == name])

    def _note_needs(self, resolution, wants):
        resolution.needs[ROOT] = sorted({want.name for want in wants})
        everything = self._with_needs(resolution.versions, wants)
        for name, candidate in resolution.versions.items():
            needed = self._needed_by(name, candidate, everything)
            resolution.needs[name] = sorted({want.name for want in needed})
