"""One sighting."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timezone


@dataclass(frozen=True, order=True)
class Sighting:
    """Somebody saw a bird. Sightings are sorted by their moment."""

    at: datetime
    taxon: str
    latitude: float = field(compare=False)
    longitude: float = field(compare=False)
    count: int | None = field(default=None, compare=False)
    observer: str = ""
    note: str = field(default="", compare=False)

    def __post_init__(self):
        if self.at.tzinfo is None:
            raise ValueError("a sighting needs a time with a zone")
        if self.count is not None and self.count < 1:
            raise ValueError("nobody sees fewer than one bird")
        if not (-90 <= self.latitude <= 90 and -180 <= self.longitude <= 180):
            raise ValueError("that place is not on this planet")

    @property
    def utc(self):
        return self.at.astimezone(timezone.utc)

    @property
    def year(self):
        """The year on the observer's watch."""
        return self.at.year

    def of(self, taxon):
        return replace(self, taxon=taxon)
