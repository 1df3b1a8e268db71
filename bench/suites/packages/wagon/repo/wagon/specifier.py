"""Which versions will do."""

import re

from wagon.errors import ParseError
from wagon.version import version

_CLAUSE = re.compile(r"\s*(===|==|!=|<=|>=|<|>|~=|\^)\s*([^\s,]+)\s*")


class Clause:
    """One comparison with a version. Subclasses say what `allows` means."""

    sign = ""

    def __init__(self, text):
        self.text = text
        self.version = version(text)

    def allows(self, candidate):
        raise NotImplementedError

    @property
    def names_prerelease(self):
        return self.version.is_prerelease

    def __str__(self):
        return f"{self.sign}{self.text}"

    def __eq__(self, other):
        return isinstance(other, Clause) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


class Exactly(Clause):
    """`==`; a local part counts only where it is asked for."""

    sign = "=="

    def allows(self, candidate):
        return (candidate if self.version.local else candidate.public) == self.version


class Prefix(Clause):
    """`==1.2.*`: the same first numbers."""

    sign = "=="

    def __init__(self, text):
        super().__init__(text[: -len(".*")])
        self.text = text

    def allows(self, candidate):
        wanted = self.version
        same = all(candidate.number(index) == number for index, number in enumerate(wanted.release))
        return candidate.epoch == wanted.epoch and same

    @property
    def names_prerelease(self):
        return False


class Not(Clause):
    """`!=`, of a version or of a prefix."""

    sign = "!="

    def __init__(self, text):
        self.text = text
        self.other = Prefix(text) if text.endswith(".*") else Exactly(text)
        self.version = self.other.version

    def allows(self, candidate):
        return not self.other.allows(candidate)

    @property
    def names_prerelease(self):
        """To exclude a pre-release is not to ask for one."""
        return False


class AtLeast(Clause):
    sign = ">="

    def allows(self, candidate):
        return candidate.public >= self.version


class AtMost(Clause):
    sign = "<="

    def allows(self, candidate):
        return candidate.public <= self.version


class Above(Clause):
    """`>`: later releases; post-releases of the same release only when a post-release is named."""

    sign = ">"

    def allows(self, candidate):
        if candidate.public <= self.version:
            return False
        same = candidate.epoch == self.version.epoch and candidate._trimmed() == self.version._trimmed()
        return not (same and candidate.post is not None and self.version.post is None)


class Below(Clause):
    """`<`: earlier releases; pre-releases of the same release only when a pre-release is named."""

    sign = "<"

    def allows(self, candidate):
        if candidate.public >= self.version:
            return False
        same = candidate.epoch == self.version.epoch and candidate._trimmed() == self.version._trimmed()
        return not (same and candidate.is_prerelease and not self.version.is_prerelease)


class Compatible(Clause):
    """`~=1.4.2`: at least this, and all but the last number the same."""

    sign = "~="

    def __init__(self, text):
        super().__init__(text)
        if len(self.version.release) < 2:
            raise ParseError(f"~={text} needs two numbers at least")
        self._prefix = self.version.release[:-1]

    def allows(self, candidate):
        same = all(candidate.number(index) == number for index, number in enumerate(self._prefix))
        return candidate.public >= self.version and candidate.epoch == self.version.epoch and same


class Caret(Clause):
    """`^1.2.3`: at least this, and up to the first number that is not zero the same."""

    sign = "^"

    def allows(self, candidate):
        wanted = self.version
        if candidate.public < wanted or candidate.epoch != wanted.epoch:
            return False
        first = next((index for index, number in enumerate(wanted.release) if number), len(wanted.release) - 1)
        return all(candidate.number(index) == wanted.number(index) for index in range(first + 1))


class Literally(Clause):
    """`===`: the same text."""

    sign = "==="

    def allows(self, candidate):
        return str(candidate) == self.text


_CLAUSES = {
    cls.sign: cls for cls in (Exactly, Not, AtLeast, AtMost, Above, Below, Compatible, Caret, Literally)
}  # fmt: skip


def clause(sign, text):
    if text.endswith(".*") and sign == "==":
        return Prefix(text)
    if text.endswith(".*") and sign != "!=":
        raise ParseError(f"{sign}{text}: .* goes with == and != alone")
    return _CLAUSES[sign](text)


class Specifier:
    """Clauses that must all hold. An empty one allows every version."""

    def __init__(self, clauses=()):
        self.clauses = tuple(clauses)

    @classmethod
    def parse(cls, text):
        clauses = []
        for part in text.split(","):
            if not part.strip():
                continue
            match = _CLAUSE.fullmatch(part)
            if match is None:
                raise ParseError(f"not a specifier: {part.strip()!r}")
            clauses.append(clause(match[1], match[2]))
        return cls(clauses)

    @property
    def names_prerelease(self):
        return any(one.names_prerelease for one in self.clauses)

    def allows(self, candidate, prereleases=None):
        """Pre-releases only when they are wanted, or when a clause names one."""
        wanted = self.names_prerelease if prereleases is None else prereleases
        if candidate.is_prerelease and not wanted:
            return False
        return all(one.allows(candidate) for one in self.clauses)

    def filter(self, versions):
        """Those that will do; pre-releases when there is nothing else."""
        versions = list(versions)
        allowed = [one for one in versions if self.allows(one)]
        return allowed or [one for one in versions if self.allows(one, prereleases=True)]

    def __and__(self, other):
        return Specifier(dict.fromkeys((*self.clauses, *other.clauses)))

    def __bool__(self):
        return bool(self.clauses)

    def __str__(self):
        return ",".join(map(str, self.clauses))

    def __eq__(self, other):
        return isinstance(other, Specifier) and set(self.clauses) == set(other.clauses)

    def __hash__(self):
        return hash(frozenset(self.clauses))
