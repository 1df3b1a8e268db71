"""Requirements: a name, extras, a specifier and a marker."""

import re
from dataclasses import dataclass, field
from typing import Optional

from wagon.errors import ParseError
from wagon.marker import Marker
from wagon.specifier import Specifier

_REQUIREMENT = re.compile(
    r"\s*(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[(?P<extras>[^\]]*)\])?\s*(?P<specifier>[^;]*?)\s*(?:;(?P<marker>.*))?",
    re.DOTALL,
)


def normal(name):
    """Names are the same when this is."""
    return re.sub(r"[-_.]+", "-", name).lower()


@dataclass(frozen=True)
class Requirement:
    """Something that is needed. `name` is normal."""

    name: str
    specifier: Specifier = field(default_factory=Specifier)
    extras: frozenset = frozenset()
    marker: Optional[Marker] = None

    @classmethod
    def parse(cls, text):
        match = _REQUIREMENT.fullmatch(text)
        if match is None:
            raise ParseError(f"not a requirement: {text!r}")
        given = match["specifier"].strip()
        if given.startswith("(") and given.endswith(")"):
            given = given[1:-1]
        extras = frozenset(normal(part.strip()) for part in (match["extras"] or "").split(",") if part.strip())
        marker = Marker(match["marker"]) if match["marker"] and match["marker"].strip() else None
        return cls(normal(match["name"]), Specifier.parse(given), extras, marker)

    def counts(self, environment, extras=()):
        """Whether it counts here. A marker may ask for an extra: then one of the extras must be it."""
        if self.marker is None:
            return True
        return any(self.marker.holds({**environment, "extra": extra}) for extra in extras or ("",))

    def __str__(self):
        extras = f"[{','.join(sorted(self.extras))}]" if self.extras else ""
        specifier = f" {self.specifier}" if self.specifier else ""
        marker = f" ; {self.marker}" if self.marker else ""
        return f"{self.name}{extras}{specifier}{marker}"
