"""What journeys cost, in cents."""

from dataclasses import dataclass, field

BY_ZONES = (250, 400, 520, 610)
CAP = 1200


def halved(cents):
    """Return half of it, rounded up to 10 cents."""
    return -(-cents // 20) * 10


@dataclass
class Fares:
    """Zones of harbours, and who has paid how much on which day."""

    zones: dict
    by_zones: tuple = BY_ZONES
    cap: int = CAP
    _paid: dict = field(default_factory=dict)

    def crossed(self, journey):
        """Return how many borders between zones a journey crosses."""
        harbours = [harbour for leg in journey.legs for harbour in leg.harbours]
        zones = [self.zones[harbour] for harbour in harbours]
        return sum(one != other for one, other in zip(zones, zones[1:]))

    def full(self, journey, child=False):
        """Return the fare without regard to what was paid already."""
        fare = self.by_zones[min(self.crossed(journey), len(self.by_zones) - 1)]
        return halved(fare) if child else fare

    def pay(self, passenger, journey, child=False):
        """Return what is to pay now: never more on one day than the cap."""
        key = passenger, journey.leaves.date()
        cap = halved(self.cap) if child else self.cap
        paid = self._paid.get(key, 0)
        now = min(self.full(journey, child), cap - paid)
        self._paid[key] = paid + now
        return now
